"""Pattern databases: every entry of small tables against a slow twin, and audits of the sums."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, permutations
from math import comb, factorial

import naive
import naive_sweep
import numpy as np
import pytest
from numpy.typing import NDArray

from taquin.board import Board
from taquin.errors import LimitReached, Unsupported
from taquin.patterns import database as patterns_database
from taquin.patterns.database import PatternDatabase
from taquin.patterns.kernels import CELLS, locate, slide
from taquin.patterns.packing import cohort_order, pack, row_words, unpack
from taquin.sweep import lay_out, unrank_states
from taquin.sweep.certify import valid_bits
from taquin.sweep.compiled import compiled
from taquin.sweep.rotations import half_words

U64 = np.uint64
Words = NDArray[np.uint64]

BOARDS = {
    "2x3": Board.grid(2, 3),
    "3x3": Board.grid(3, 3),
    "2x5": Board.grid(2, 5),
    "1x6": Board.grid(1, 6),
    "2x2x2": Board.grid(2, 2, 2),
    "2x3 ring": Board.grid(2, 3, wrap=(1,)),
    "2x4 torus": Board.grid(2, 4, wrap=(0, 1)),
    "3x3 torus": Board.grid(3, 3, wrap=(0, 1)),
    "2x5 torus": Board.grid(2, 5, wrap=(0, 1)),
    "ring": Board.from_edges([(i, (i + 1) % 7) for i in range(7)]),
    "walls": Board.draw("...|...|.##"),
    "odd graph": Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 1), (0, 2)]),
    "even graph": Board.from_edges(
        [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 6), (6, 1)]
    ),
    "star": Board.from_edges([(0, 1), (0, 2), (0, 3), (0, 4), (4, 5)]),
}
boards = pytest.mark.parametrize("name", BOARDS)


def near(board: Board) -> list[list[int]]:
    return [list(board.neighbours(cell)) for cell in range(board.n)]


def some_patterns(board: Board, blank: int, sizes: Sequence[int], seed: int) -> list[list[int]]:
    """Disjoint patterns of these sizes, the tiles at random."""
    cells = [cell for cell in range(board.n) if cell != blank]
    random.Random(seed).shuffle(cells)
    return [cells[sum(sizes[:i]) : sum(sizes[: i + 1])] for i in range(len(sizes))]


def boards_of(
    board: Board, pattern: Sequence[int], blank: int, states: Sequence[naive_sweep.State]
) -> NDArray[np.int64]:
    """Boards of goal cells with a pattern's tiles where the states say, the others in any order."""
    others = [home for home in range(board.n) if home not in pattern and home != blank]
    made = np.empty((len(states), board.n), np.int64)
    for row, (cells, hole) in zip(made, states, strict=True):
        row[:] = -1
        row[list(cells)] = pattern
        row[hole] = blank
        row[row < 0] = others
    return made


# -- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "blank", "patterns", "words"),
    [
        ((3, 3), 8, [[0, 1, 2], [2, 3]], "share a tile"),
        ((3, 3), 8, [[0, 1, 1]], "share a tile"),
        ((3, 3), 8, [[0, 8]], "blank"),
        ((3, 3), 8, [[0, 9]], r"0\.\.8"),
        ((3, 3), 8, [[-1, 2]], r"0\.\.8"),
        ((3, 3), 9, [[0, 1]], r"0\.\.8"),
        ((3, 3), 8, [], "1 to 8 patterns"),
        ((3, 3), 8, [[0, 1], []], "1 to 8 tiles"),
        ((4, 4), 0, [list(range(1, 10))], "1 to 8 tiles"),
        ((4, 4), 0, [[tile] for tile in range(1, 10)], "1 to 8 patterns"),
        ((3, 3), 8, [list(range(8))], "whole space"),
        ((6, 7), 0, [[1, 2]], "40 cells"),
    ],
)
def test_no_database(
    shape: tuple[int, ...], blank: int, patterns: list[list[int]], words: str
) -> None:
    with pytest.raises(Unsupported, match=words) as caught:
        PatternDatabase(Board.grid(*shape), blank, patterns)
    assert "\n" not in str(caught.value)
    with pytest.raises(Unsupported, match=words):
        PatternDatabase.build(Board.grid(*shape), blank, patterns)


def test_too_little_memory_is_said_before_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a sweep has begun")

    monkeypatch.setattr(patterns_database, "sweep", never)
    with pytest.raises(LimitReached, match=r"memory .* smaller patterns"):
        PatternDatabase.build(Board.grid(3, 3), 8, [[0, 1, 2, 3]], memory_limit=1000)
    with pytest.raises(LimitReached, match=r"GB of memory .* smaller patterns"):
        PatternDatabase.build(Board.grid(5, 5), 0, [list(range(1, 9))], memory_limit=1 << 32)


# -- packing -------------------------------------------------------------------------------------

WIDTHS = [(Board.grid(2, 5), 1), (Board.grid(2, 5, wrap=(1,)), 2)]


def random_planes(width: int, k: int, rows: int, seed: int) -> Words:
    words = 2 * half_words(k)
    planes = np.random.default_rng(seed).integers(1 << 64, size=(width, rows, words), dtype=U64)
    planes &= valid_bits(k, words)
    return planes


@pytest.mark.parametrize("k", range(1, 9))
@pytest.mark.parametrize(("board", "width"), WIDTHS, ids=["one bit", "two bits"])
def test_pack_and_unpack_are_inverses(board: Board, width: int, k: int) -> None:
    layout = lay_out(near(board), list(range(1, k + 1)), 0)
    planes = random_planes(width, k, layout.rows, k)
    order = cohort_order(layout)
    table = np.zeros((factorial(k), row_words(layout.rows) * width), U64)
    pack(planes, k, order, table)
    assert int(np.bitwise_count(table).sum()) == int(np.bitwise_count(planes).sum())
    again = np.zeros_like(planes)
    unpack(table, k, order, again)
    assert np.array_equal(again, planes)


@pytest.mark.parametrize("k", range(1, 9))
@pytest.mark.parametrize(("board", "width"), WIDTHS, ids=["one bit", "two bits"])
def test_located_is_what_was_packed(board: Board, width: int, k: int) -> None:
    """The bit of a view is that of the state which the sweep has there."""
    made = PatternDatabase(board, 0, [list(range(1, k + 1))])
    assert made.width == width
    layout = made.layouts[0]
    planes = random_planes(width, k, layout.rows, 10 + k)
    pack(planes, k, cohort_order(layout), made.table(0))
    valid = valid_bits(k, planes.shape[2])
    rng = random.Random(k)
    for _ in range(200):
        row, word = rng.randrange(layout.rows), rng.randrange(planes.shape[2])
        if not valid[word]:
            continue
        bit = rng.choice([b for b in range(64) if int(valid[word]) >> b & 1])
        cells, blanks = unrank_states(layout, [row], [word], [bit])
        state = tuple(cells[0].tolist()), int(blanks[0])
        view = made.views(made.inner(boards_of(board, range(1, k + 1), 0, [state])))[0, 0]
        at = found_at(made, view, 0, int(made.place[blanks[0]]))
        for plane in range(width):
            wanted = int(planes[plane, row, word]) >> bit & 1
            assert int(made.bits[(at + plane) >> 3]) >> (at + plane & 7) & 1 == wanted


def test_planes_are_those_of_the_table() -> None:
    for name in ("3x3", "3x3 torus"):
        made = PatternDatabase.build(BOARDS[name], 4, [[0, 1, 3], [2, 5, 7, 8]])
        for number in (0, 1):
            layout, planes = made.layouts[number], made.planes(number)
            table = np.zeros_like(made.table(number))
            pack(planes, layout.k, cohort_order(layout), table)
            assert np.array_equal(table, made.table(number))


# -- index ---------------------------------------------------------------------------------------


def found_at(made: PatternDatabase, view: int, pattern: int, blank: int) -> int:
    """`locate` for one view."""
    cells, labels = int(view) & (1 << int(CELLS)) - 1, int(view) >> int(CELLS)
    return int(locate(U64(cells), U64(labels), U64(pattern), U64(blank), *made.index))


@compiled
def _locate_all(
    views: Words,
    pattern: np.uint64,
    blanks: Words,
    found: Words,
    half: np.uint64,
    lower: NDArray[np.uint32],
    upper: NDArray[np.uint32],
    sets: Words,
    rows: NDArray[np.uint8],
    ranks: NDArray[np.uint16],
    sizes: Words,
) -> None:
    for i in range(views.size):
        cells, labels = views[i] & ((U64(1) << CELLS) - U64(1)), views[i] >> CELLS
        found[i] = locate(
            cells, labels, pattern, blanks[i], half, lower, upper, sets, rows, ranks, sizes
        )


def located(made: PatternDatabase, pattern: int, views: Words, blanks: Words) -> NDArray[np.int64]:
    found = np.zeros(views.size, U64)
    _locate_all(views, U64(pattern), blanks, found, *made.index)
    return found.astype(np.int64)


def packed_view(cells: Sequence[int], labels: Sequence[int]) -> int:
    """A view, by its definition: cells in increasing order, and the label on each."""
    view = sum(1 << cell for cell in cells)
    return view | sum(label << int(CELLS) + 3 * i for i, label in enumerate(labels))


def check_bijection(made: PatternDatabase, number: int) -> None:
    """Each (set, region, permutation) has an entry of its own, and none is left over."""
    k, n = len(made.patterns[number]), made.board.n
    inner = [[int(made.place[c]) for c in made.neighbours[made.cells[i]]] for i in range(n)]
    views, blanks, groups = [], [], []
    count = 0
    names: dict[tuple[int, ...], int] = {}
    for cells in combinations(range(n), k):
        free = [cell for cell in range(n) if cell not in cells]
        regions = [naive_sweep.home(inner, cells, cell) for cell in free]
        for labels in permutations(range(k)):
            view = packed_view(cells, labels)
            for cell, region in zip(free, regions, strict=True):
                views.append(view)
                blanks.append(cell)
                groups.append(names.setdefault((view, region), len(names)))
    count = len(names)
    at = located(made, number, np.array(views, U64), np.array(blanks, U64))
    first = np.full(count, -1)
    first[groups] = at
    assert np.array_equal(first[groups], at)  # a region has one entry
    assert len(set(first.tolist())) == count  # and no other has it
    assert count == factorial(k) * made.layouts[number].rows
    start, end = (64 * word for word in made.starts[number : number + 2])
    assert start <= at.min()
    assert at.max() < end
    assert (at % made.width == 0).all()
    # No gaps but those that fill up a row's last word.
    row = (at - start) % (64 * row_words(made.layouts[number].rows) * made.width)
    assert np.array_equal(np.unique(row), made.width * np.arange(made.layouts[number].rows))


@boards
def test_locate_is_a_bijection(name: str) -> None:
    board = BOARDS[name]
    most = {"3x3": 6, "2x5": 4, "3x3 torus": 5, "2x5 torus": 4}.get(name, min(8, board.n - 2))
    for k in range(1, most + 1):
        blank = k % board.n
        sizes = [k, *([min(2, board.n - 1 - k)] if board.n - 1 > k else [])]
        made = PatternDatabase(board, blank, some_patterns(board, blank, sizes, k))
        check_bijection(made, 0)
    check_bijection(made, 1)  # where another table comes first


@pytest.mark.parametrize("k", [7, 8])
def test_locate_knows_all_large_permutations(k: int) -> None:
    board = Board.grid(2, 5)
    made = PatternDatabase(board, 9, [list(range(k))])
    cells = sorted(random.Random(k).sample(range(10), k))
    free = next(cell for cell in range(10) if cell not in cells)
    views = [packed_view(cells, labels) for labels in permutations(range(k))]
    at = located(made, 0, np.array(views, U64), np.full(len(views), free, U64))
    steps = np.diff(at)  # lexicographic order of the labels is the order of the rows
    assert (steps == 64 * row_words(made.layouts[0].rows)).all()
    assert at[0] < steps[0]


RANDOM_BOARDS = [
    (Board.grid(4, 4), [7, 8]),
    (Board.grid(4, 4), [6, 6, 3]),
    (Board.grid(4, 4, wrap=(0, 1)), [5, 6]),
    (Board.grid(5, 5), [6, 6, 6, 6]),
    (Board.grid(5, 5, wrap=(0, 1)), [4, 5]),
    (Board.grid(3, 3, 3), [4, 5, 1]),
    (Board.grid(5, 8), [3, 4, 4]),
]


@pytest.mark.parametrize(
    ("board", "sizes"), RANDOM_BOARDS, ids=lambda value: getattr(value, "spec", str(value))
)
def test_locate_on_large_boards(board: Board, sizes: list[int]) -> None:
    """The same entry for all cells of a region, others for other views, in the pattern's part."""
    rng = random.Random(board.n)
    made = PatternDatabase(board, 0, some_patterns(board, 0, sizes, 1))
    inner = [[int(made.place[c]) for c in made.neighbours[made.cells[i]]] for i in range(board.n)]
    for number, k in enumerate(sizes):
        entries: dict[tuple[int, int], int] = {}
        for _ in range(150):
            cells = sorted(rng.sample(range(board.n), k))
            view = packed_view(cells, rng.sample(range(k), k))
            free = [cell for cell in range(board.n) if cell not in cells]
            found = located(made, number, np.full(len(free), view, U64), np.array(free, U64))
            for cell, at in zip(free, found.tolist(), strict=True):
                region = naive_sweep.home(inner, tuple(cells), cell)
                assert entries.setdefault((view, region), at) == at
        assert len(set(entries.values())) == len(entries)
        assert 64 * made.starts[number] <= min(entries.values())
        assert max(entries.values()) < 64 * made.starts[number + 1]


def test_one_set_has_consecutive_numbers_on_large_boards() -> None:
    """All sets of 4x4 with eight cells: the permutation left out, entries fill a row."""
    made = PatternDatabase(Board.grid(4, 4), 0, [list(range(8, 16))])
    views, blanks = [], []
    for cells in combinations(range(16), 8):
        for cell in set(range(16)) - set(cells):
            views.append(packed_view(cells, range(8)))
            blanks.append(cell)
    at = located(made, 0, np.array(views, U64), np.array(blanks, U64))
    assert np.array_equal(np.unique(at), np.arange(made.layouts[0].rows))
    assert len(views) == comb(16, 8) * 8


# -- moving a tile -------------------------------------------------------------------------------


@pytest.mark.parametrize("k", range(1, 9))
def test_slide_against_its_twin(k: int) -> None:
    rng = random.Random(k)
    for _ in range(300):
        n = rng.randrange(k + 1, 41)
        places = dict(zip(rng.sample(range(n), k), rng.sample(range(k), k), strict=True))
        cell = rng.choice(list(places))
        to = rng.choice([c for c in range(n) if c not in places])

        def view(tiles: dict[int, int]) -> int:
            return packed_view(sorted(tiles), [tiles[c] for c in sorted(tiles)])

        before = view(places)
        after = {**places, to: places[cell]}
        del after[cell]
        assert int(slide(U64(before), U64(cell), U64(to))) == view(after)
        assert int(slide(U64(view(after)), U64(to), U64(cell))) == before


# -- values --------------------------------------------------------------------------------------


def check_every_entry(made: PatternDatabase) -> None:
    graph = near(made.board)
    for number, pattern in enumerate(made.patterns):
        slow = naive_sweep.depths(graph, pattern, made.blank)
        states, depths = [], []
        for (cells, region), depth in slow.items():  # every cell of the region
            for cell in range(made.board.n):
                if cell not in cells and naive_sweep.home(graph, cells, cell) == region:
                    states.append((cells, cell))
                    depths.append(depth)
        inner = made.inner(boards_of(made.board, pattern, made.blank, states))
        assert made.inner_values(inner)[:, number].tolist() == depths
        counts = naive_sweep.counts(slow)
        modulus = 4 if made.width == 1 else 3
        remainders = [sum(counts[r::modulus]) for r in range(modulus)]
        assert made.states[number].tolist() == [*remainders, 0][:4]


@boards
def test_every_value(name: str) -> None:
    board = BOARDS[name]
    most = 4 if board.n > 8 else 5
    for seed in range(4):
        blank = random.Random(seed).randrange(board.n)
        left = board.n - 1
        sizes = []
        while left > 0:
            sizes.append(min(left, 1 + (seed + len(sizes)) % min(most, board.n - 2)))
            left -= sizes[-1]
        made = PatternDatabase.build(board, blank, some_patterns(board, blank, sizes, seed))
        assert made.width == (2 if naive.two_colouring(near(board)) is None else 1)
        check_every_entry(made)


@pytest.mark.parametrize("seed", range(12))
def test_every_value_on_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randrange(4, 9)
    edges = {(rng.randrange(cell), cell) for cell in range(1, n)}
    for _ in range(rng.randrange(2 * n)):
        a, b = sorted(rng.sample(range(n), 2))
        edges.add((a, b))
    board, blank = Board.from_edges(edges), rng.randrange(n)
    k = rng.randrange(1, min(4, n - 2) + 1)
    sizes = [k, min(k, n - 1 - k)] if n - 1 > k else [k]
    check_every_entry(PatternDatabase.build(board, blank, some_patterns(board, blank, sizes, seed)))


@pytest.mark.parametrize(("k", "spec"), [(6, "3x3"), (7, "3x3"), (6, "3x3:torus"), (8, "2x5")])
def test_large_patterns_near_the_goal(k: int, spec: str) -> None:
    board = Board.parse(spec)
    made = PatternDatabase.build(board, 4, some_patterns(board, 4, [k], k))
    slow = naive_sweep.depths(near(board), made.patterns[0], 4, to_depth=9)
    values = made.values(boards_of(board, made.patterns[0], 4, list(slow)))
    assert values[:, 0].tolist() == list(slow.values())


def test_values_do_not_depend_on_the_threads() -> None:
    board = Board.grid(3, 4)
    patterns = some_patterns(board, 0, [5, 6], 3)
    one, two = (PatternDatabase.build(board, 0, patterns, workers=w) for w in (1, 2))
    assert np.array_equal(one.entries, two.entries)
    assert np.array_equal(one.states, two.states)


def test_unreachable_boards_are_no_surprise() -> None:
    """Of six tiles on 2x4 half of the places cannot be reached: a value is right, or none."""
    board = Board.grid(2, 4)
    made = PatternDatabase.build(board, 7, [list(range(6))])
    graph = near(board)
    slow = naive_sweep.depths(graph, range(6), 7)
    assert len(slow) < factorial(8) // 2
    odd = [(cells[1], cells[0], *cells[2:]) for cells, _ in slow]
    states = [(cells, blank) for cells, (_, blank) in zip(odd, slow, strict=True)]
    unreached = [state for state in states if state not in slow]
    assert unreached
    values = made.inner_values(made.inner(boards_of(board, range(6), 7, unreached)))
    assert (values == -1).all()
