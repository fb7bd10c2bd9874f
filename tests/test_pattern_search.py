"""IDA* over pattern databases: against a slow twin, whole spaces and published lengths."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import naive
import naive_sweep
import pytest
from fifteen import FIRST, FOUR, KORF, LAST, hard, korf, labels, near, nodes, wander
from replays import check

import taquin as tq
from taquin.board import Board
from taquin.errors import Unsolvable, Unsupported
from taquin.patterns.database import PatternDatabase
from taquin.patterns.partitions import find
from taquin.patterns.sums import PatternSums, mirror_of, sums_for, turned
from taquin.search import ida_patterns
from taquin.search import pattern_kernels as kernels
from taquin.search.ida import Limits
from taquin.search.ida_patterns import PatternSearch
from taquin.search.pattern_choice import search_for
from taquin.search.patterns import solve, solve_all
from taquin.space import oracle
from taquin.state import State
from taquin.sweep.compiled import has_pext

DATA = Path(__file__).parent / "data"


def rows(name: str, delimiter: str = ",") -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8") as file:
        lines = (line for line in file if not line.startswith("#"))
        return list(csv.DictReader(lines, delimiter=delimiter))


@pytest.fixture(scope="module")
def first() -> PatternSearch:
    """4x4 with the usual tables, the blank first."""
    found = find(FOUR, 0, "7-7-1")
    assert found is not None
    return PatternSearch(sums_for(FIRST, found.patterns))


@pytest.fixture(scope="module")
def halves() -> PatternSums:
    """4x4 with 7-8, the blank first: two patterns, as packed boards have them."""
    found = find(FOUR, 0, "7-8")
    assert found is not None
    return sums_for(FIRST, found.patterns)


# -- the slow twin -------------------------------------------------------------------------------


class Twin:
    """IDA* in plain Python, with tables by breadth-first search; the move back is never made.

    Labels are goal cells: the goal is 0 1 2 ... with the blank, 0, on its own cell.
    """

    def __init__(self, board: Board, cuts: Sequence[Sequence[int]], *, mirrored: bool) -> None:
        self.near = near(board)
        self.cuts = [list(cut) for cut in cuts]
        self.tables = [naive_sweep.depths(self.near, cut, 0) for cut in self.cuts]
        self.mirror = mirror_of(board, 0, cuts) if mirrored else None

    def side(self, tiles: naive.Tiles) -> int:
        total = 0
        for cut, table in zip(self.cuts, self.tables, strict=True):
            cells = tuple(tiles.index(label) for label in cut)
            total += table[cells, naive_sweep.home(self.near, cells, tiles.index(0))]
        return total

    def value(self, tiles: naive.Tiles) -> int:
        if self.mirror is None:
            return self.side(tiles)
        reflected = [0] * len(tiles)
        for cell, label in enumerate(tiles):
            reflected[self.mirror[cell]] = self.mirror[label]
        return max(self.side(tiles), self.side(tuple(reflected)))

    def thresholds(self, start: naive.Tiles) -> tuple[list[tuple[int, int, int]], int]:
        """(threshold, generated, expanded) of each without the goal; the goal's depth."""
        counts = []
        threshold = self.value(start)
        while True:
            generated = expanded = 0
            least = kernels.NEVER
            stack = [(start, -1, 0)]
            while stack:
                tiles, before, depth = stack.pop()
                if depth and self.value(tiles) == 0:
                    return counts, depth
                expanded += 1
                blank = tiles.index(0)
                for to in self.near[blank]:
                    if to == before:
                        continue
                    other = list(tiles)
                    other[blank], other[to] = other[to], 0
                    generated += 1
                    total = depth + 1 + self.value(tuple(other))
                    if total <= threshold:
                        stack.append((tuple(other), blank, depth + 1))
                    else:
                        least = min(least, total)
            counts.append((threshold, generated, expanded))
            threshold = least

    def in_order(self, start: naive.Tiles) -> tuple[list[int], int, int]:
        """The first solution with the cells in order, generated, expanded: one stack.

        All children of a node are made at once; the first in the order is taken first.
        """
        threshold, generated, expanded = self.value(start), 1, 0
        while True:
            least = kernels.NEVER
            stack: list[tuple[naive.Tiles, list[int]]] = [(start, [])]
            while stack:
                tiles, walk = stack.pop()
                expanded += 1
                blank = tiles.index(0)
                before = ([-1, start.index(0), *walk])[-2] if walk else -1
                children, goal = [], None
                for to in self.near[blank]:
                    if to == before:
                        continue
                    other = list(tiles)
                    other[blank], other[to] = other[to], 0
                    generated += 1
                    total = len(walk) + 1 + self.value(tuple(other))
                    if total > threshold:
                        least = min(least, total)
                        continue
                    children.append((tuple(other), [*walk, to]))
                    if self.value(tuple(other)) == 0:
                        goal = [*walk, to]
                if goal is not None:
                    return goal, generated, expanded
                stack += children[::-1]
            threshold = least


SMALL = {
    "2x3": (Board.grid(2, 3), [[1, 2], [3, 4, 5]]),
    "3x3": (Board.grid(3, 3), [[1, 2, 4, 5], [3, 6, 7, 8]]),
    "3x3 of one pattern's mirror": (Board.grid(3, 3), [[4, 8], [1, 2, 3, 6], [5, 7]]),
    "3x3 of eight": (Board.grid(3, 3), [[c] for c in range(1, 9)]),
    "2x2x2": (Board.grid(2, 2, 2), [[1, 2, 3], [4, 5, 6, 7]]),
    "2x4 torus": (Board.grid(2, 4, wrap=(0, 1)), [[1, 2, 3], [4, 5, 6, 7]]),
    "3x3 torus": (Board.grid(3, 3, wrap=(0, 1)), [[1, 2, 3, 4], [5, 6, 7, 8]]),
    "2x5 ring": (Board.grid(2, 5, wrap=(1,)), [[1, 2, 3], [4, 5, 6], [7, 8, 9]]),
    "walls": (Board.draw("...|...|.##"), [[1, 2, 4], [3, 5, 6]]),
    "odd graph": (
        Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 1), (0, 2)]),
        [[1, 2], [3, 4, 5]],
    ),
    "1x5": (Board.grid(1, 5), [[1, 2], [3, 4]]),
}
small = pytest.mark.parametrize("name", SMALL)


@cache
def small_search(name: str, *, mirrored: bool, length: int) -> PatternSearch:
    board, cuts = SMALL[name]
    goal = State(range(board.n), board)
    assert turned(goal) == (0, tuple(range(board.n)))
    sums = PatternSums(goal, PatternDatabase.build(board, 0, cuts), mirrored=mirrored)
    return PatternSearch(sums, length=length)


@small
@pytest.mark.parametrize("mirrored", [False, True])
def test_every_threshold_against_the_twin(name: str, mirrored: bool) -> None:
    board, cuts = SMALL[name]
    search = small_search(name, mirrored=mirrored, length=2)
    twin = Twin(board, cuts, mirrored=mirrored)
    for seed in range(3):
        start = wander(search.goal, 14 + seed, seed)
        if start == search.goal:
            continue
        counts, solution = nodes(search, start)
        expected, depth = twin.thresholds(start.tiles)
        assert counts == expected
        assert search.root(start)[1] == solution.stats.heuristic == twin.value(start.tiles)
        check(solution, start, search.goal, depth)
        assert solution.stats.generated >= 1 + sum(count for _, count, _ in counts)


@small
def test_in_letters_against_the_twin(name: str) -> None:
    """One stack and no automaton: the same nodes to the last one, and the same way."""
    board, cuts = SMALL[name]
    order = [sorted(board.neighbours(cell)) for cell in range(board.n)]
    sums = small_search(name, mirrored=True, length=2).sums
    search = PatternSearch(sums, order=order)
    twin = Twin(board, cuts, mirrored=True)
    twin.near = order
    for seed in range(3):
        start = wander(search.goal, 14 + seed, seed)
        if start == search.goal:
            continue
        solution = solve(search, start)
        walk, generated, expanded = twin.in_order(start.tiles)
        assert list(solution.walk) == walk
        assert (solution.stats.generated, solution.stats.expanded) == (generated, expanded)


@pytest.mark.skipif(not has_pext(), reason="packed boards need a processor that extracts bits")
def test_packed_boards_and_views_make_the_same_nodes(halves: PatternSums) -> None:
    plain = PatternSums(FIRST, halves.database, mirrored=False)
    for sums in (halves, plain):
        packed, views = (PatternSearch(sums, packed=choice) for choice in (True, False))
        assert packed.shape.packed
        assert not views.shape.packed
        for number in range(0, 100, 9):
            start, optimal = korf(number)
            one, two = solve(packed, start), solve(views, start)
            assert one == two
            assert one.walk == two.walk
            assert one.stats.generated == two.stats.generated
            assert one.stats.expanded == two.stats.expanded
            check(one, start, FIRST, optimal)
        ordered = [search.in_letters() for search in (packed, views)]
        start, optimal = korf(1)
        one, two = (solve(search, start) for search in ordered)
        assert (one.walk, one.stats.generated) == (two.walk, two.stats.generated)
        assert one.length == optimal


@pytest.mark.parametrize("number", range(0, 40, 4))
def test_packed_boards_and_views_below_a_frontier(halves: PatternSums, number: int) -> None:
    start, _ = korf(number)
    for packed in {False, has_pext()}:
        search = PatternSearch(halves, packed=packed)
        root, value = search.root(start)
        whole = search.begin(value)
        assert search.go_on(whole, root, 1 << 40, single=True) in (kernels.EXHAUSTED, kernels.FOUND)
        if whole.at[kernels.LENGTH]:
            continue
        wanted = [int(whole.at[f]) for f in (kernels.GENERATED, kernels.EXPANDED, kernels.LEAST)]
        for depth in (0, 1, 5, 11):
            roots, above = search.frontier(root, value, depth, 1 << 14)
            assert roots is not None
            made, opened, least = (
                int(above.at[f]) for f in (kernels.GENERATED, kernels.EXPANDED, kernels.LEAST)
            )
            for below in roots:
                work = search.begin(value)
                assert search.go_on(work, below, 1 << 40, single=True) == kernels.EXHAUSTED
                made += int(work.at[kernels.GENERATED])
                opened += int(work.at[kernels.EXPANDED])
                least = min(least, int(work.at[kernels.LEAST]))
            assert [made, opened, least] == wanted
        few, _ = search.frontier(root, value, 11, max(0, len(roots) - 1))
        assert few is None or len(roots) == 0


def test_one_stack_or_several_make_the_same_nodes(
    first: PatternSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    for stacks in (1, 2, 4, 7):
        monkeypatch.setattr(ida_patterns, "STACKS", stacks)
        monkeypatch.setattr(ida_patterns.Work.__init__, "__defaults__", (stacks,))
        search = PatternSearch(first.sums)
        counts.append([nodes(search, korf(number)[0])[0] for number in range(0, 100, 9)])
    assert counts[0] == counts[1] == counts[2] == counts[3]


def test_the_memory_of_paths_grows(first: PatternSearch, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [nodes(first, korf(number)[0]) for number in range(0, 100, 9)]
    monkeypatch.setattr(ida_patterns, "LEVELS", 2)
    search = PatternSearch(first.sums)
    for number, (counts, solution) in zip(range(0, 100, 9), expected, strict=True):
        found = solve(search, korf(number)[0])
        assert found.length == solution.length
        assert found.stats.generated >= 1 + sum(count for _, count, _ in counts)


# -- automata ------------------------------------------------------------------------------------


def test_every_length_of_automaton_is_optimal(first: PatternSearch) -> None:
    totals = []
    for length in (2, 6, 10, 12):
        search = PatternSearch(first.sums, length=length)
        total = 0
        for number in range(0, 100, 5):
            start, optimal = korf(number)
            solution = solve(search, start)
            check(solution, start, FIRST, optimal)
            total += solution.stats.generated
        totals.append(total)
    assert totals[-1] < 0.85 * totals[0]


@small
@pytest.mark.parametrize("length", [2, 6, 9])
def test_automata_on_every_state_of_small_boards(name: str, length: int) -> None:
    if length == 9 and name == "2x2x2":
        length = 8
    search = small_search(name, mirrored=True, length=length)
    depth = {}
    if search.goal.board.n < 10:
        depth = naive.depths(near(search.goal.board), search.goal.tiles)
    states = sorted(depth) if len(depth) < 500 else random.Random(length).sample(sorted(depth), 120)
    for tiles in states:
        start = State(tiles, search.goal.board)
        check(solve(search, start), start, search.goal, depth[tiles])


# -- whole spaces --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    ["4x3", "2x3x2", "3x4:torus", "3x3:torus", "2x6", "3x3", "3x4:wrap0", "walls:....|.#..|....",
     "4x3:spiral", "3x4:blank-first"],
)  # fmt: skip
def test_random_boards_against_the_whole_space(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    starts = [puzzle.random(seed) for seed in range(200)]
    depths = oracle(puzzle).checked_depths([start.tiles for start in starts])
    for start, depth in zip(starts, depths.tolist(), strict=True):
        solution = puzzle.solve(start, method="ida")
        assert solution.stats.method.startswith("ida ")
        check(solution, start, puzzle.goal, depth)
        assert solution.optimal


def random_graph(seed: int, n: int) -> Board:
    rng = random.Random(seed)
    edges = {(rng.randrange(cell), cell) for cell in range(1, n)}
    for _ in range(n):
        a, b = sorted(rng.sample(range(n), 2))
        edges.add((a, b))
    return Board.from_edges(edges)


@pytest.mark.parametrize("seed", range(12))
def test_random_graphs_against_the_whole_space(seed: int) -> None:
    board = random_graph(seed, 5 + seed % 4)
    rng = random.Random(seed)
    goal = State(rng.sample(range(board.n), board.n), board)
    depth = naive.depths(near(board), goal.tiles)
    puzzle = tq.Puzzle(board, goal)
    for tiles in rng.sample(sorted(depth), min(60, len(depth))):
        start = State(tiles, board)
        check(puzzle.solve(start, method="ida"), start, goal, depth[tiles])


def test_every_corner_has_its_own_goal() -> None:
    """All blanks' goals of 3x4 are turned to a few tables, and all answers are right."""
    for blank in (0, 4, 6, 11):
        tiles = [(cell - blank) % 12 for cell in range(12)]
        puzzle = tq.Puzzle("3x4", goal=State(tiles, Board.grid(3, 4)))
        starts = [puzzle.random(seed) for seed in range(8)]
        depths = oracle(puzzle).checked_depths([start.tiles for start in starts]).tolist()
        assert [puzzle.solve(start, method="ida").length for start in starts] == depths


# -- published boards ----------------------------------------------------------------------------


def test_all_of_korf(first: PatternSearch) -> None:
    for number in range(100):
        start, optimal = korf(number)
        solution = solve(first, start)
        check(solution, start, FIRST, optimal)
        assert solution.stats.heuristic >= int(KORF[number]["md"])


def test_korf_and_felner(first: PatternSearch) -> None:
    for row in rows("korf_felner1000.csv"):
        start = State(labels(row["tiles"]), FOUR)
        check(solve(first, start), start, FIRST, int(row["optimal"]))


def test_deepcubea() -> None:
    search = search_for(LAST)
    for row in rows("deepcubea_15.csv"):
        start = State(labels(row["tiles"]), FOUR)
        check(solve(search, start), start, LAST, int(row["optimal"]))
        assert int(row["optimal"]) <= int(row["dca_len"])


def test_algs4() -> None:
    search = search_for(LAST)
    count = 0
    for row in rows("algs4.csv"):
        if row["n"] != "4":
            continue
        start = State(labels(row["tiles"]), FOUR)
        if row["expected_moves"] == "unsolvable":
            with pytest.raises(Unsolvable):
                solve(search, start)
            continue
        count += 1
        check(solve(search, start), start, LAST, int(row["expected_moves"]))
    assert count > 10


@pytest.fixture(scope="module")
def strong_last(halves: PatternSums) -> PatternSearch:
    """The same 7-8 tables, turned to the goal with the blank last."""
    return PatternSearch(PatternSums(LAST, halves.database))


@pytest.mark.parametrize("row", hard("15p_stm80"), ids=lambda row: row["name"])
def test_the_farthest_boards(strong_last: PatternSearch, row: dict[str, str]) -> None:
    start = State(labels(row["tiles"]), FOUR)
    check(solve(strong_last, start, workers=2), start, LAST, 80)


def test_a_24_puzzle() -> None:
    """Number 40 of Korf & Felner's, through the method that searches until there is a proof."""
    (row,) = (row for row in rows("korf24_50.csv") if row["id"] == "40")
    puzzle = tq.Puzzle.parse("5x5:blank-first")
    start = puzzle.state(labels(row["tiles"]))
    check(puzzle.solve(start, method="ida"), start, puzzle.goal, int(row["optimal"]))


def test_the_transposed_board(strong_last: PatternSearch) -> None:
    (row,) = (row for row in rows("field_cases.csv", ";") if row["id"] == "F69")
    start = State(labels(row["start"]), FOUR)
    check(solve(strong_last, start, workers=2), start, LAST, 72)


@pytest.mark.parametrize("name", ["spiral", "snake", "columns", "reversed", "blank-last"])
def test_usual_goals(name: str) -> None:
    puzzle = tq.Puzzle("4x4", name)
    for seed in range(6):
        start = wander(puzzle.goal, 60, seed)
        other = puzzle.solve(start, method="ida-walking")
        check(puzzle.solve(start), start, puzzle.goal, other.length)


def test_random_goals_both_ways() -> None:
    """From a to b is as far as from b to a, with the tables of another blank's cell."""
    for seed in range(6):
        goal = State(random.Random(seed).sample(range(16), 16), FOUR)
        start = wander(goal, 90, seed)
        there = tq.Puzzle("4x4", goal=goal).solve(start)
        back = tq.Puzzle("4x4", goal=start).solve(goal)
        check(there, start, goal, back.length)
        assert back.optimal


# -- trivia --------------------------------------------------------------------------------------


def test_nothing_to_do(first: PatternSearch) -> None:
    solution = solve(first, FIRST)
    assert (solution.length, solution.walk, solution.stats.generated) == (0, (), 1)
    assert solution.optimal
    one = FIRST.moved(1)
    assert solve(first, one).walk == (0,)


def test_unsolvable_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("tables are made for a board without solution")

    monkeypatch.setattr(PatternDatabase, "build", never)
    swapped = State([2, 1, *range(3, 16), 0], FOUR)
    for options in ({}, {"strong": True}, {"method": "ida"}, {"bound": 1.5}, {"time_limit": 0}):
        with pytest.raises(Unsolvable) as caught:
            tq.Puzzle.parse("4x4").solve(swapped, **options)
        assert not caught.value.verdict.solvable


def test_unsolvable_of_a_search(first: PatternSearch, tmp_path: Path) -> None:
    swapped = State([0, 2, 1, *range(3, 16)], FOUR)
    path = tmp_path / "checkpoint"
    path.write_text("no checkpoint")
    for options in ({}, {"workers": 2}, {"bound": 2.0}, {"checkpoint": path}):
        with pytest.raises(Unsolvable):
            solve(first, swapped, **options)


def test_other_boards_are_refused() -> None:
    board = Board.grid(2, 3)
    with pytest.raises(Unsupported, match="4 to 32 cells"):
        search_for(State([0, 1, 1, 2, 3, 4], board, repeats=True))
    star = Board.from_edges([(0, cell) for cell in range(1, 11)])
    with pytest.raises(Unsupported, match="8 neighbours"):
        search_for(State(range(11), star))


def test_tables_of_some_tiles_are_refused() -> None:
    board = Board.grid(3, 3)
    goal = State(range(9), board)
    sums = PatternSums(goal, PatternDatabase.build(board, 0, [[1, 2, 3]]))
    with pytest.raises(Unsupported):
        PatternSearch(sums)


# -- all solutions -------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["3x3", "4x3", "3x3:torus", "2x2x3"])
def test_all_solutions_as_by_the_table(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    search = search_for(puzzle.goal)
    for seed in range(6):
        start = wander(puzzle.goal, 40, seed)
        if start == puzzle.goal:
            continue
        expected = puzzle.solve_all(start)
        found = solve_all(search, start, limit=None, limits=Limits())
        assert (found.count, found.length) == (expected.count, expected.length)
        assert [s.moves for s in found] == [s.moves for s in expected]
        few = solve_all(search, start, limit=1, limits=Limits(), workers=2)
        assert few.count == expected.count
        assert [s.moves for s in few] == [s.moves for s in expected][:1]
