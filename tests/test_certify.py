"""The certificate of recorded sweeps against slow twins, on right tables and on wrong ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import naive_sweep as naive
import numpy as np
import pytest
from numpy.typing import NDArray

from taquin.errors import LimitReached
from taquin.sweep import (
    Layout,
    Stop,
    SweepResult,
    Table,
    certify,
    count_preceded,
    lay_out,
    rank_states,
    sweep,
    unrank_states,
)
from taquin.sweep.certify import Certificate, expected_certificate, expected_preceded
from taquin.sweep.rotations import half_words

Words = NDArray[np.uint64]
Place = tuple[int, ...]
Case = tuple[naive.Graph, list[int], int | None]


def wheel(n: int) -> naive.Graph:
    return [list(range(1, n))] + [
        sorted({0, 1 + i % (n - 1), 1 + (i - 2) % (n - 1)}) for i in range(1, n)
    ]


def without(graph: naive.Graph, *edges: tuple[int, int]) -> naive.Graph:
    walls = {frozenset(edge) for edge in edges}
    return [[y for y in near if frozenset((x, y)) not in walls] for x, near in enumerate(graph)]


BOARDS = {
    "2x2": naive.box(2, 2),
    "2x3": naive.box(2, 3),
    "1x6": naive.box(1, 6),
    "3x3": naive.box(3, 3),
    "2x2x2": naive.box(2, 2, 2),
    "2x3 torus": naive.box(2, 3, wrap=True),
    "2x4 torus": naive.box(2, 4, wrap=True),
    "3x3 torus": naive.box(3, 3, wrap=True),
    "walls": without(naive.box(3, 3), (4, 5), (1, 2)),
    "parted": without(naive.box(2, 4), (1, 2), (5, 6)),
    "theta": [[1, 5, 6], [0, 2], [1, 3], [2, 4, 6], [3, 5], [4, 0], [0, 3]],
    "star": [list(range(1, 7)), *([0] for _ in range(6))],
    "wheel": wheel(7),
}


def some_case(name: str, k: int) -> Case:
    """Goals for k tiles and the blank, which may be free if a tile is not tracked."""
    graph = BOARDS[name]
    rng = random.Random(f"{name} {k}")
    cells = rng.sample(range(len(graph)), k + 1)
    free = k < len(graph) - 1 and rng.random() < 0.3
    return graph, cells[:k], None if free else cells[k]


def random_case(seed: int) -> Case:
    rng = random.Random(seed)
    n = rng.randint(2, 7)
    graph = naive.random_graph(rng, n, rng.randint(1, 2 * n))
    cells = rng.sample(range(n), n)
    k = rng.randint(1, n - 1) if seed % 2 else n - 1
    blank = cells[k] if k == n - 1 or rng.random() < 0.5 else None
    return graph, cells[:k], blank


ALL = [(name, k) for name, graph in BOARDS.items() for k in range(1, len(graph))]
#: With at most so many arrangements of the tiles a slow twin goes through all entries.
SMALL = 10_000


def arrangements(n: int, k: int) -> int:
    return int(np.prod(range(n - k + 1, n + 1)))


FEW = [(name, k) for name, k in ALL if arrangements(len(BOARDS[name]), k) <= SMALL]


def recorded(case: Case) -> tuple[SweepResult, Words]:
    result = sweep(*case, record=True)
    assert result.table is not None
    return result, result.table.planes


class Twin:
    """All entries as states in a dictionary, with their places and their neighbours."""

    def __init__(self, graph: naive.Graph, layout: Layout) -> None:
        self.layout = layout
        self.colours = layout.colour is not None
        self.modulus = 4 if self.colours else 3
        states = list(self._states(graph, layout.k))
        places = rank_states(layout, [s[0] for s in states], [s[1] for s in states])
        rows = zip(*(part.tolist() for part in places), strict=True)
        self.places = {s: at for s, at in zip(states, rows, strict=True) if at[0] >= 0}
        assert len(set(self.places.values())) == len(self.places)
        self.near = {s: list(naive.slides(graph, s)) for s in self.places}
        goals = {(int(row), 0, 0) for row in layout.goal_rows}
        self.states: dict[Place, naive.State] = {at: s for s, at in self.places.items()}
        self.goals = {s for s, at in self.places.items() if at in goals}

    @staticmethod
    def _states(graph: naive.Graph, k: int) -> Iterator[naive.State]:
        n = len(graph)
        for cells in permutations(range(n), k):
            blanks = (cell for cell in range(n) if cell not in cells)
            for home in sorted({naive.home(graph, cells, blank) for blank in blanks}):
                yield cells, home

    def values(self, planes: Words) -> dict[naive.State, int]:
        row, word, bit = (np.array(part) for part in zip(*self.places.values(), strict=True))
        read = Table(self.layout, planes).residues(row, word, bit).tolist()
        return dict(zip(self.places, read, strict=True))

    def preceded(self, values: dict[naive.State, int], state: naive.State) -> bool:
        here = values[state]
        # The other half of a cell that the blank cannot come to is not kept: its bits would be 0.
        unkept = 0 if here & 1 else 1
        below = (here - 1) % self.modulus
        return any(values.get(other, unkept) == below for other in self.near[state])

    def certificate(self, planes: Words) -> Certificate:
        values = self.values(planes)
        used = np.zeros_like(planes[0])
        for row, word, bit in self.places.values():
            used[row, word] |= np.uint64(1 << bit)
        remainders, preceded = [0] * 4, [0] * 4
        for state, value in values.items():
            remainders[value] += 1
            # Where there is no such remainder, no entry has a neighbour below.
            if value < self.modulus and state not in self.goals:
                preceded[value] += self.preceded(values, state)
        strays = int(np.bitwise_count(planes & ~used).sum())
        goals = sum(values[goal] == 0 for goal in self.goals)
        return Certificate(goals, strays, tuple(remainders), tuple(preceded))


def check_right(case: Case) -> None:
    result, planes = recorded(case)
    expected = expected_certificate(result.layout, result.counts)
    found = certify(result.layout, planes)
    assert found == expected
    assert found.fault(expected) is None
    assert found.goals == result.counts[0]
    modulus = 3 if result.layout.colour is None else 4
    by_remainder = [sum(result.counts[r::modulus]) for r in range(4)][:modulus]
    assert expected_certificate(result.layout, by_remainder) == expected
    even, odd = sum(result.counts[::2]), sum(result.counts[1::2])
    total = expected_preceded(result.layout, even, odd)
    assert count_preceded(result.layout, planes) == total == sum(found.preceded)
    if result.layout.colour is None or result.states == sum(found.remainders):
        assert total == result.states - found.goals


@pytest.mark.parametrize(("name", "k"), ALL)
def test_right_tables_pass(name: str, k: int) -> None:
    check_right(some_case(name, k))


@pytest.mark.parametrize("k", range(1, 7))
def test_patterns_of_4x3_pass(k: int) -> None:
    cells = random.Random(k).sample(range(12), k + 1)
    check_right((naive.box(4, 3), cells[:k], cells[k]))


@pytest.mark.parametrize("seed", range(100))
def test_random_graphs(seed: int) -> None:
    case = random_case(seed)
    check_right(case)
    check_twin(case, seed)


@pytest.mark.parametrize(("name", "k"), FEW)
def test_twin(name: str, k: int) -> None:
    check_twin(some_case(name, k), k)


def check_twin(case: Case, seed: int) -> None:
    """The same counts as the twin's: for the right table, for any bits at all, and with strays."""
    result, planes = recorded(case)
    twin = Twin(case[0], result.layout)
    assert twin.certificate(planes) == certify(result.layout, planes)
    rng = np.random.default_rng(seed)
    noise = rng.integers(1 << 64, size=planes.shape, dtype=np.uint64)
    noise[:, ~connected(result.layout)] = 0
    few = noise & np.roll(noise, 1) & rng.integers(1 << 64, size=planes.shape, dtype=np.uint64)
    assert twin.certificate(noise).strays > 0
    used = np.zeros_like(planes[0])
    for row, word, bit in twin.places.values():
        used[row, word] |= np.uint64(1 << bit)
    # Strays may be taken for entries by their neighbours: they are a fault of their own.
    assert certify(result.layout, noise).strays == twin.certificate(noise).strays
    for wrong in (noise & used, planes ^ (few & used)):
        assert twin.certificate(wrong) == certify(result.layout, wrong)


def connected(layout: Layout) -> NDArray[np.bool_]:
    """Rows that slides join to the goal's."""
    seen = np.zeros(layout.rows, bool)
    stack = layout.goal_rows.tolist()
    while stack:
        row = stack.pop()
        if not seen[row]:
            seen[row] = True
            stack += layout.sources[layout.starts[row] : layout.starts[row + 1]].tolist()
    return seen


# -- wrong bits ----------------------------------------------------------------------------------


def flipped(planes: Words, *places: Place) -> Words:
    """A copy with the bits (plane, row, word, bit) turned."""
    other = planes.copy()
    for plane, row, word, bit in places:
        other[plane, row, word] ^= np.uint64(1 << bit)
    return other


def unnoticed_alone(twin: Twin, planes: Words, values: dict[naive.State, int], at: Place) -> bool:
    """Whether a wrong bit leaves all that need one a predecessor, by looking around it."""
    state = twin.states[at[1:]]
    around = {state, *twin.near[state]}
    read = Table(twin.layout, flipped(planes, at)).residues([at[1]], [at[2]], [at[3]])
    wrong = {**values, state: int(read[0])}
    if wrong[state] >= twin.modulus or (state in twin.goals and wrong[state] != 0):
        return False
    others = around - twin.goals
    before, after = (sum(twin.preceded(v, s) for s in others) for v in (values, wrong))
    return before == after


FLIPPED = [
    # board, tiles, bits of entries, of those: not noticed without the counts by remainder
    ("2x2", 3, 12, 2),
    ("2x3", 1, 6, 3),
    ("2x3", 2, 40, 14),
    ("2x3", 5, 360, 77),
    ("1x6", 2, 60, 16),
    ("2x2x2", 2, 56, 52),
    ("3x3", 2, 80, 55),
    ("wheel", 2, 84, 42),
    ("3x3 torus", 2, 144, 77),
    ("parted", 2, 120, 26),
]


@pytest.mark.parametrize(("name", "k", "bits", "passing"), FLIPPED)
def test_every_wrong_bit_is_found(name: str, k: int, bits: int, passing: int) -> None:
    """Every bit of the planes in turn, used or not."""
    graph = BOARDS[name]
    result, planes = recorded((graph, list(range(1, k + 1)), 0))
    twin = Twin(graph, result.layout)
    values = twin.values(planes)
    expected = expected_certificate(result.layout, result.counts)
    entries = alone = 0
    for at in np.ndindex(*planes.shape, 64):
        found = certify(result.layout, flipped(planes, at))
        assert found.fault(expected) is not None
        assert found.strays == (at[1:] not in twin.states)
        if found.strays:
            continue
        entries += 1
        passes = (found.goals, sum(found.preceded)) == (expected.goals, sum(expected.preceded))
        passes &= twin.colours or found.remainders[3] == 0
        assert passes == unnoticed_alone(twin, planes, values, at)
        alone += passes
    assert (entries, alone) == (bits, passing)


@pytest.mark.parametrize(
    ("name", "k", "pairs", "passing"), [("2x2", 3, 66, 2), ("2x3", 2, 780, 36)]
)
def test_some_pairs_of_wrong_bits_pass(name: str, k: int, pairs: int, passing: int) -> None:
    """What remainders cannot tell: the steps around a cycle add up to 4 or -4, not to 0."""
    graph = BOARDS[name]
    result, planes = recorded((graph, list(range(1, k + 1)), 0))
    twin = Twin(graph, result.layout)
    expected = expected_certificate(result.layout, result.counts)
    bits = [(0, *at) for at in twin.states]
    found = []
    for pair in combinations(bits, 2):
        wrong = flipped(planes, *pair)
        passes = certify(result.layout, wrong) == expected
        assert passes == (twin.certificate(wrong) == expected)
        if passes:
            found.append(wrong)
    assert (len(bits) * (len(bits) - 1) // 2, len(found)) == (pairs, passing)
    assert all(turns(twin, wrong) for wrong in found)
    assert not turns(twin, planes)


def turns(twin: Twin, planes: Words) -> bool:
    """Whether the steps around some cycle do not add up to 0."""
    values = twin.values(planes)
    (goal,) = twin.goals
    height, stack = {goal: 0}, [goal]
    while stack:
        state = stack.pop()
        for other in twin.near[state]:
            step = (values[other] - values[state] + 1) % twin.modulus - 1
            if other not in height:
                height[other] = height[state] + step
                stack.append(other)
            elif height[other] != height[state] + step:
                return True
    return False


# -- rows of many words and chunks ---------------------------------------------------------------

LARGE: dict[str, Case] = {
    "4x3": (naive.box(4, 3), list(range(11)), 11),  # colours, one half, 110 chunks
    "wheel of 10": (wheel(10), list(range(9)), 9),  # no colours, two halves in two chunks
    "star of 11": ([list(range(1, 11)), *([0] for _ in range(10))], list(range(9)), 10),
    "4x3, 7 tiles": (naive.box(4, 3), [1, 4, 5, 8, 9, 10, 11], 0),
    "3x4 torus, 6 tiles": (naive.box(3, 4, wrap=True), [1, 4, 5, 8, 9, 10], 0),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_rows(name: str) -> None:
    """Any bits at all; then some are changed, and so are the counts, by what is around them."""
    graph, tiles, blank = LARGE[name]
    layout = lay_out(graph, tiles, blank)
    words = half_words(layout.k) * layout.halves
    rng = np.random.default_rng(len(name))
    shape = (2 if layout.colour is None else 1, layout.rows, words)
    planes = rng.integers(1 << 60, size=shape, dtype=np.uint64)
    places = [rng.integers(size, size=40) for size in (layout.rows, words, 60)]
    other = planes.copy()
    np.bitwise_xor.at(other[0], (places[0], places[1]), np.uint64(1) << places[2].astype(np.uint64))
    states = states_at(layout, graph, places)
    around = {*states, *(near for state in states for near in naive.slides(graph, state))}
    before, after = (certify(layout, some, workers=1) for some in (planes, other))
    here, there = (local_counts(graph, layout, some, sorted(around)) for some in (planes, other))
    changes = np.subtract(after.remainders + after.preceded, before.remainders + before.preceded)
    assert changes.any()
    assert changes.tolist() == (there - here).tolist()
    for workers in (2, 3):
        assert certify(layout, planes, workers=workers) == before


def states_at(
    layout: Layout, graph: naive.Graph, places: Sequence[NDArray[np.int64]]
) -> set[naive.State]:
    cells, blanks = unrank_states(layout, *places)
    pairs = zip(map(tuple, cells.tolist()), blanks.tolist(), strict=True)
    return {(tiles, naive.home(graph, tiles, blank)) for tiles, blank in pairs}


def local_counts(
    graph: naive.Graph, layout: Layout, planes: Words, states: list[naive.State]
) -> NDArray[np.int64]:
    """Among the given states those by remainder, and those that are preceded."""

    def read(some: list[naive.State]) -> list[int]:
        at = rank_states(layout, [s[0] for s in some], [s[1] for s in some])
        return Table(layout, planes).residues(*at).tolist() if some else []

    modulus = 3 if layout.colour is None else 4
    counts = np.zeros(8, np.int64)
    for state, value in zip(states, read(states), strict=True):
        counts[value] += 1
        below = (value - 1) % modulus
        counts[4 + value] += value < modulus and below in read(list(naive.slides(graph, state)))
    return counts


@pytest.mark.parametrize("name", LARGE)
def test_large_right_tables_pass(name: str) -> None:
    check_right(LARGE[name])


# -- use -----------------------------------------------------------------------------------------


def test_faults_are_named() -> None:
    result, planes = recorded((BOARDS["3x3"], [1, 3, 4, 5, 6, 7], 0))
    expected = expected_certificate(result.layout, result.counts)
    goal = int(result.layout.goal_rows[0])
    for place, message in [
        ((0, 3, 5, 63), "1 bits are set that stand for nothing"),
        ((0, goal, 0, 0), "the goal's value is not 0: 0 of 1 entries are"),
        ((0, 3, 5, 7), "entries with the remainder"),
    ]:
        fault = certify(result.layout, flipped(planes, place)).fault(expected)
        assert fault is not None
        assert fault.startswith(message)
    fewer = Certificate(1, 0, expected.remainders, (*expected.preceded[:3], 5))
    assert fewer.fault(expected) == (
        f"entries 3 with a neighbour nearer to the goal: 5, expected {expected.preceded[3]:,}"
    )


def test_a_table_of_another_goal_does_not_pass() -> None:
    graph = BOARDS["3x3"]
    result, planes = recorded((graph, [1, 2, 4], 0))
    other, foreign = recorded((graph, [1, 2, 5], 0))
    expected = expected_certificate(result.layout, result.counts)
    assert certify(result.layout, planes) == expected
    assert certify(result.layout, foreign) != expected
    assert certify(other.layout, foreign) == expected_certificate(other.layout, other.counts)


def test_an_unfinished_table_does_not_pass() -> None:
    graph = BOARDS["3x3"]
    whole, _ = recorded((graph, [1, 2, 4, 5], 0))
    part = sweep(graph, [1, 2, 4, 5], 0, record=True, to_depth=whole.last.depth - 3)
    assert part.table is not None
    found = certify(part.layout, part.table.planes)
    assert found != expected_certificate(whole.layout, whole.counts)


def test_stopped() -> None:
    result, planes = recorded((BOARDS["3x3"], [1, 2, 3], 0))
    stop = Stop()
    assert certify(result.layout, planes, stop=stop).goals == 1
    stop.set()
    with pytest.raises(LimitReached, match="stopped"):
        certify(result.layout, planes, stop=stop)


def test_planes_of_another_shape_are_refused() -> None:
    result, planes = recorded((BOARDS["3x3"], [1, 2, 3], 0))
    for wrong in (planes[:, 1:], planes[:, :, :1], np.concatenate([planes] * 2), planes[0]):
        with pytest.raises(ValueError, match="uint64 planes of shape"):
            certify(result.layout, wrong)
    with pytest.raises(ValueError, match="got int64"):
        certify(result.layout, planes.astype(np.int64))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["3x3", "3x3 torus"])
def test_planes_are_left_as_they_are(name: str) -> None:
    """Read-only ones and strided ones serve too."""
    result, planes = recorded((BOARDS[name], [1, 2, 3, 4, 5], 0))
    expected = expected_certificate(result.layout, result.counts)
    kept = planes.copy()
    planes.flags.writeable = False
    assert certify(result.layout, planes) == expected
    assert certify(result.layout, np.asfortranarray(planes)) == expected
    assert np.array_equal(planes, kept)


@pytest.mark.parametrize("k", [1, 3, 4])
def test_preceded_in_multi_tile_moves(k: int) -> None:
    graph, lines = naive.box(3, 3), naive.box_lines(3, 3)
    result = sweep(graph, list(range(1, k + 1)), 0, lines=lines, record=True)
    assert result.table is not None
    layout, planes = result.layout, result.table.planes
    even, odd = sum(result.counts[::2]), sum(result.counts[1::2])
    expected = expected_preceded(layout, even, odd, lines)
    assert expected == result.states - 1
    for workers in (1, 2):
        assert count_preceded(layout, planes, lines=lines, workers=workers) == expected
    # With all remainders of 1 made 2, none is preceded that was one above them.
    wrong = planes.copy()
    wrong[1] |= wrong[0]
    wrong[0] = 0
    assert count_preceded(layout, wrong, lines=lines) < expected
