"""Boards too big to hold: level by level, against a plain search on boards that are not."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import naive_sweep as naive
import numpy as np
import pytest
from golden import published, with_blank

import taquin as tq
from taquin import space_states
from taquin.errors import LimitReached, Unsupported
from taquin.search.layers import layers
from taquin.sweep import Layer, Progress, Stop, frontier_search, sparse

Case = tuple[naive.Graph, list[list[int]] | None]


def cases() -> Iterator[tuple[str, Case]]:
    """Boards with and without colours, connected or not; lines, rings, lines cut by walls."""
    for shape in ((1, 7), (2, 3), (2, 4), (3, 3), (2, 2, 2), (1, 1, 5)):
        yield f"{shape}", (naive.box(*shape), None)
        yield f"{shape} lines", (naive.box(*shape), naive.box_lines(*shape))
    for shape in ((1, 5), (2, 4), (3, 3)):  # a ring of two cells has the same way twice
        yield f"{shape} ring", (naive.box(*shape, wrap=True), None)
        yield (
            f"{shape} ring lines",
            (naive.box(*shape, wrap=True), naive.box_lines(*shape, wrap=True)),
        )
    rng = random.Random(8)
    for number in range(40):
        n = rng.randrange(2, 8)
        yield f"graph {number}", (naive.random_graph(rng, n, rng.randrange(1, 2 * n)), None)
    lines = [[x if rng.random() < 0.7 else -1 for x in line] for line in naive.box_lines(2, 4)[::2]]
    back = [[-1] * 8 for _ in lines]
    for line, other in zip(lines, back, strict=True):
        for x, y in enumerate(line):
            if y >= 0:
                other[y] = x
    graph = [sorted({line[x] for line in [*lines, *back]} - {-1}) for x in range(8)]
    yield "walls lines", (graph, [*lines, *back])


CASES = dict(cases())


@pytest.mark.parametrize("name", CASES)
def test_plain_search_agrees(name: str) -> None:
    """In counts, and in the states of every level, each listed once."""
    graph, lines = CASES[name]
    n = len(graph)
    blank = len(name) % n
    tiles = [cell for cell in range(n) if cell != blank]
    to_depth = 9
    expected: dict[int, set[naive.State]] = {}
    depths = naive.depths(graph, tiles, blank, lines, to_depth=to_depth)
    for state, depth in depths.items():
        expected.setdefault(depth, set()).add(state)
    met: dict[int, list[naive.State]] = {}

    def look(layer: Layer) -> None:
        cells, blanks = layer.pick(range(layer.size))
        states = zip(map(tuple, cells.tolist()), blanks.tolist(), strict=True)
        met[layer.depth] = list(states)
        for bad in ([layer.size], [-1]):
            with pytest.raises(IndexError, match=f"0 to {layer.size - 1}"):
                layer.pick(bad)

    found = frontier_search(graph, blank, to_depth, lines=lines, on_level=look)
    assert found.counts == naive.counts(depths)
    assert found.ended == ("depth" if len(found.counts) > to_depth else "space")
    assert {depth: set(states) for depth, states in met.items()} == expected
    assert [len(states) for states in met.values()] == found.counts


@pytest.mark.parametrize(
    ("shape", "blank", "name"),
    [
        ((5, 5), 0, "5x5_stm_corner_first33.csv"),
        ((3, 3, 3), 13, "3x3x3_stm_center_first17.csv"),
        ((3, 3, 3), 1, "3x3x3_stm_edge_first17.csv"),
    ],
)
def test_published_counts(shape: tuple[int, ...], blank: int, name: str) -> None:
    found = frontier_search(naive.box(*shape), blank, 9)
    assert tuple(found.counts) == published(name.removesuffix(".csv"))[:10]


def test_whole_spaces() -> None:
    torus = frontier_search(naive.box(3, 3, wrap=True), 4, 40)
    assert (tuple(torus.counts), torus.ended) == (published("torus_3x3_stm_any"), "space")
    lines = frontier_search(naive.box(3, 3), 8, 99, lines=naive.box_lines(3, 3))
    assert (tuple(lines.counts), lines.ended) == (published("3x3_mtm_corner"), "space")


@pytest.mark.parametrize("spec", ["5x5:mtm", "3x3x3:mtm", "4x4:torus:mtm", "4x4:mtm", "2x9:mtm"])
def test_multi_tile_moves_of_boards_too_big_to_hold(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    found = puzzle.explore(to_depth=4)
    expected = [
        {state.tiles for state in states} for states in islice(layers(puzzle.goal, "mtm"), 5)
    ]
    assert found.depth_counts == tuple(map(len, expected))
    assert (found.ended, found.by_cell) == ("depth", None)
    everything = found.at_depth(4, range(found.depth_counts[4]))
    assert {state.tiles for state in everything} == expected[4]
    assert len(set(everything)) == len(everything)


@pytest.mark.slow
def test_multi_tile_moves_far_out() -> None:
    """Of the 15-puzzle, to depth 9, and of the 24-puzzle, to depth 8."""
    for spec, depth in (("4x4:mtm", 9), ("5x5:mtm", 7)):
        puzzle = tq.Puzzle.parse(spec)
        expected = tuple(map(len, islice(layers(puzzle.goal, "mtm"), depth + 1)))
        assert puzzle.explore(to_depth=depth).depth_counts == expected


# -- why it ends -------------------------------------------------------------------------------


def test_it_says_why_it_ends() -> None:
    graph = naive.box(4, 4)
    whole = frontier_search(graph, 15, 12)
    assert whole.ended == "depth"
    assert frontier_search(naive.box(2, 2), 0, 6).ended == "depth"
    assert frontier_search(naive.box(2, 2), 0, 7).ended == "space"
    short = frontier_search(graph, 15, 12, memory_limit=20_000)
    assert short.ended == "memory"
    assert short.counts == whole.counts[: len(short.counts)]
    assert 2 < len(short.counts) < 12
    stopped = frontier_search(graph, 15, 12, stop=lambda: True)
    assert (stopped.counts, stopped.ended) == ([1], "stop")


def test_the_system_has_no_memory_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system refuses what the limit would allow, the levels so far are returned."""
    whole = frontier_search(naive.box(4, 4), 15, 6).counts
    empty = np.empty

    def scarce(shape: Any, *rest: Any) -> Any:
        if np.prod(shape) > 100:
            raise MemoryError
        return empty(shape, *rest)

    monkeypatch.setattr(np, "empty", scarce)
    found = frontier_search(naive.box(4, 4), 15, 6)
    assert found.ended == "memory"
    assert 3 < len(found.counts) < 7
    assert found.counts == whole[: len(found.counts)]


@pytest.mark.parametrize("lines", [False, True])
def test_a_stop_ends_it_within_a_level(lines: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it comes, only the level under way is lost."""
    monkeypatch.setattr(sparse, "SLICE", 50)
    graph, ways = naive.box(3, 4), naive.box_lines(3, 4) if lines else None
    whole = frontier_search(graph, 0, 8, lines=ways).counts

    class Stopper:
        """Says stop when it has been asked so often."""

        def __init__(self, patience: int) -> None:
            self.asked, self.patience = 0, patience

        def __call__(self) -> bool:
            self.asked += 1
            return self.asked > self.patience

    never = Stopper(10**9)
    assert frontier_search(graph, 0, 8, lines=ways, stop=never).counts == whole
    assert never.asked > 2 * sum(size // 50 for size in whole[:-1]) > 4
    endings: Counter[int] = Counter()
    for patience in range(never.asked):
        stop = Stopper(patience)
        found = frontier_search(graph, 0, 8, lines=ways, stop=stop)
        assert found.ended == "stop"
        assert found.counts == whole[: len(found.counts)]
        assert stop.asked == patience + 1  # nothing is done after it
        endings[len(found.counts)] += 1
    assert set(endings) == set(range(1, 9))
    assert endings[8] > 3  # within the last level too


def test_spaces_say_why_they_end() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    assert puzzle.explore().ended == "space"
    assert puzzle.explore(to_depth=4).ended == "depth"
    stop = Stop()

    def soon(now: Progress) -> None:
        if now.depth == 5:
            stop.set()

    for spec in ("3x3", "4x4"):
        found = tq.Puzzle.parse(spec).explore(to_depth=9, stop=stop, progress=soon)
        assert (found.ended, found.complete) == ("stop", False)
        stop = Stop()
    assert tq.Puzzle.parse("1x30:torus").explore(to_depth=435).ended == "depth"
    assert tq.Puzzle.parse("1x30:torus").explore(to_depth=436).ended == "space"


def test_more_ways_than_bits() -> None:
    star = [list(range(1, 66)), *([0] for _ in range(65))]
    with pytest.raises(ValueError, match="at most 64 ways"):
        frontier_search(star, 0, 2)
    assert frontier_search([cells[:64] for cells in star][:65], 0, 2).counts == [1, 64, 0][:2]
    with pytest.raises(Unsupported, match="at most, got 1x70:mtm"):
        tq.Puzzle.parse("1x70:mtm").explore(to_depth=2)


# -- states at a depth -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "blank"), [("4x4", 15), ("5x5", 7), ("3x3x3", 13), ("4x4:torus", 5), ("4x4:mtm", 0)]
)
def test_states_of_boards_too_big_to_hold(spec: str, blank: int) -> None:
    """Any goal's tiles; every depth, not the last alone."""
    board = tq.Puzzle.parse(spec).board
    tiles = list(range(1, board.n))
    random.Random(spec).shuffle(tiles)
    tiles.insert(blank, 0)
    puzzle = tq.Puzzle(board, tq.State(tiles, board), tq.Puzzle.parse(spec).metric)
    found = puzzle.explore(to_depth=5)
    for depth, states in enumerate(islice(layers(puzzle.goal, puzzle.metric), 6)):
        size = found.depth_counts[depth]
        ours = found.at_depth(depth, range(size))
        assert set(ours) == set(states)
        assert found.at_depth(depth, [size - 1, 0]) == [ours[-1], ours[0]]
        assert found.sample(depth, 3) in states
    assert set(found.antipodes()) == set(ours)
    assert found.samples(5, 4, 7) == found.samples(5, 4, random.Random(7))


def test_samples_of_boards_too_big_to_hold_are_uniform() -> None:
    """Chi-square over the 24 states at depth 4 of the 15-puzzle, seeded."""
    found = tq.Puzzle.parse("4x4").explore(to_depth=4)
    counts = Counter(found.samples(4, 4800, 1))
    assert len(counts) == 24
    chi = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert 10.2 < chi < 41.6  # 23 degrees of freedom, 1 % on both sides


def test_states_of_a_whole_ring() -> None:
    found = tq.Puzzle.parse("1x30:torus").explore()
    assert found.complete
    assert len(set(found.antipodes())) == found.depth_counts[-1]
    levels = space_states.pick(found.puzzle, lambda _, size: range(size))
    assert len({state for states in levels.values() for state in states}) == 30 * 29


def test_too_little_memory_for_the_states_of_a_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    found = with_blank("4x4", 15).explore(to_depth=12)
    monkeypatch.setattr(space_states, "free_memory", lambda: 20_000)
    with pytest.raises(LimitReached, match=r"of 20.0 kB that are free, .* can be had up to depth"):
        found.sample(12, 1)
    assert found.sample(2, 1) in found.at_depth(2, range(4))


def test_numbers_of_cells_in_wide_states() -> None:
    """States of several words, and cells that share no word evenly."""
    for n in (17, 33, 64, 65, 130):
        ring = [[(x - 1) % n, (x + 1) % n] for x in range(n)]
        met: list[tuple[int, ...]] = []

        def look(layer: Layer, met: list[tuple[int, ...]] = met) -> None:
            cells, blanks = layer.pick(range(layer.size))
            rows = np.column_stack([cells, blanks]).tolist()
            assert all(sorted(row) == list(range(layer.n)) for row in rows)
            met += [tuple(row) for row in rows]

        found = frontier_search(ring, 3, 6, on_level=look)
        assert found.counts == [1] + [2] * 6
        assert len(set(met)) == 13
