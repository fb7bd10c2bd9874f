"""Optimal solutions in multi-tile moves: bounds, searches, the hardest boards."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest
from golden import boards

import taquin as tq
from taquin.errors import LimitReached, Unsolvable, Unsupported
from taquin.notation import moves_length
from taquin.patterns.database import PatternDatabase
from taquin.search.ida import Limits
from taquin.search.ida_tables import walking_table
from taquin.search.mtm import SegmentSearch, segment_costs, segment_search, suits
from taquin.search.patterns import solve, solve_all
from taquin.space_memory import line_steps
from taquin.state import State


def replayed(puzzle: tq.Puzzle, solution: tq.Solution) -> int:
    """The length of a solution in multi-tile moves, after it has been walked."""
    assert puzzle.apply(solution.start, solution.moves) == solution.goal
    return moves_length(solution.start, solution.walk, "mtm")


@pytest.mark.parametrize(("rows", "width", "blank"), [(3, 3, 2), (3, 3, 0), (2, 5, 1), (4, 2, 1)])
def test_segment_costs_are_those_of_a_plain_search(rows: int, width: int, blank: int) -> None:
    entries, _, _ = walking_table(rows, width, blank, ring=False)
    costs = segment_costs(rows, width, blank)
    base = width + 1

    def unit(row: int, home: int) -> int:
        return base ** (rows * row + home)

    goal = next(key for key, entry in entries.items() if entry == 0)
    depth = {(goal, blank): 0}
    queue = deque([(goal, blank)])
    while queue:
        key, row = queue.popleft()
        for step in (-1, 1):
            level = {key}
            there = row
            while 0 <= there + step < rows:
                level = {
                    k - unit(there + step, home) + unit(there, home)
                    for k in level
                    for home in range(rows)
                    if k // unit(there + step, home) % base
                }
                there += step
                for k in level:
                    if (k, there) not in depth:
                        depth[k, there] = depth[key, row] + 1
                        queue.append((k, there))
    assert len(depth) == len(entries)
    assert all(costs[entries[key]] == moves for (key, _), moves in depth.items())


@pytest.mark.parametrize("spec", ["3x3:mtm", "3x3:blank-first:mtm"])
def test_bounds_never_exceed_the_depth(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    search = segment_search(puzzle.goal)
    assert search.bytes > 0
    space = puzzle.explore()
    rng = np.random.default_rng(3)
    for depth in range(space.radius + 1):
        for _ in range(25):
            state = space.sample(depth, rng)
            _, bound = search.root(state)
            assert bound <= depth
            assert (bound == 0) == (depth == 0)


@pytest.mark.parametrize("spec", ["3x3:mtm", "2x4:mtm", "3x3:spiral:mtm", "4x2:blank-first:mtm"])
@pytest.mark.parametrize("tables", [True, False])
def test_all_solutions_as_the_table_has_them(spec: str, tables: bool) -> None:
    puzzle = tq.Puzzle.parse(spec)
    search = segment_search(puzzle.goal, strong=True) if tables else SegmentSearch(puzzle.goal)
    rng = np.random.default_rng(5)
    for _ in range(40):
        state = puzzle.random(rng)
        found = solve_all(search, state, limit=4, limits=Limits())
        known = puzzle.solve_all(state, limit=4)
        assert (found.count, found.length) == (known.count, known.length)
        assert [way.walk for way in found] == [way.walk for way in known]


@pytest.mark.parametrize("spec", ["4x3:mtm", "3x4:blank-first:mtm", "2x6:mtm"])
def test_lengths_are_the_distances(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    search = segment_search(puzzle.goal)
    rng = np.random.default_rng(6)
    states = [puzzle.random(rng) for _ in range(100)]
    distances = puzzle.distances_many([state.tiles for state in states])
    for state, distance in zip(states, distances.tolist(), strict=True):
        found = solve(search, state)
        assert found.length == distance == replayed(puzzle, found)
        assert found.metric == "mtm"
        assert found.optimal


def test_threads_find_the_same_solution() -> None:
    puzzle = tq.Puzzle.parse("4x4:mtm")
    search = SegmentSearch(puzzle.goal)  # without tables it takes long enough to be split
    state = puzzle.random(275)
    one, two, three = (solve(search, state, workers=workers) for workers in (1, 2, 3))
    assert one.length == two.length == replayed(puzzle, two)
    assert two.walk == three.walk
    assert solve(segment_search(puzzle.goal), state).length == one.length


@pytest.mark.parametrize("spec", ["4x4:mtm", "3x5:mtm"])
def test_boards_beyond_the_tables_of_distances(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    rng = np.random.default_rng(8)
    for _ in range(3):
        state = puzzle.random(rng)
        found = puzzle.solve(state)
        assert found.optimal
        assert found.length == replayed(puzzle, found)
        alone = solve(segment_search(puzzle.goal), state, workers=1)
        assert alone.length == found.length


def test_the_easiest_board_at_43() -> None:
    row = next(row for row in boards("hard.csv") if row["name"] == "15p_mtm43_03")
    goal = State.parse(row["goal"], tq.Board.grid(4, 4))
    puzzle = tq.Puzzle(goal.board, goal, "mtm")
    found = puzzle.solve(row["tiles"], strong=True)
    assert found.length == 43 == replayed(puzzle, found)


def test_what_it_does_not_take() -> None:
    for spec in ("4x4:torus", "2x2x4", "1x9", "5x5"):
        goal = tq.Puzzle.parse(spec).goal
        assert not suits(goal)
        with pytest.raises(Unsupported, match="grids of two axes"):
            SegmentSearch(goal)


def test_limits_and_unsolvable() -> None:
    puzzle = tq.Puzzle.parse("4x4:mtm")
    with pytest.raises(Unsolvable):
        puzzle.solve("2 1 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0")
    hard = puzzle.state("1 5 9 13 / 2 6 10 14 / 3 7 11 15 / 4 8 12 0")
    with pytest.raises(LimitReached, match="node") as caught:
        solve(segment_search(puzzle.goal), hard, Limits(node_limit=1000))
    assert 20 < caught.value.lower_bound <= 43
    assert puzzle.solve(puzzle.goal).length == 0


def twin(board: tq.Board, cells: list[int], blank: int) -> dict[tuple[Any, ...], int]:
    """The fewest moves of all kinds, by the tracked tiles' cells and the blank's."""
    lines = line_steps(board)
    depth = {(tuple(cells), blank): 0}
    queue = deque(depth)
    while queue:
        places, hole = queue.popleft()
        for line in lines:
            now, x = list(places), hole
            while (y := line[x]) >= 0:
                if y in now:
                    now[now.index(y)] = x
                x = y
                if (tuple(now), x) not in depth:
                    depth[tuple(now), x] = depth[places, hole] + 1
                    queue.append((tuple(now), x))
    return depth


@pytest.mark.parametrize(
    ("spec", "cells", "blank"),
    [("3x3", [1, 2, 3], 0), ("2x4", [0, 1, 2], 5), ("2x2x2", [1, 2], 0), ("3x3", [1, 3], 4)],
)
def test_tables_of_segments_are_those_of_a_plain_search(
    spec: str, cells: list[int], blank: int
) -> None:
    from taquin.sweep import rank_states, sweep

    board = tq.Board.parse(spec)
    neighbours = [board.neighbours(cell) for cell in range(board.n)]
    swept = sweep(neighbours, cells, blank, lines=line_steps(board), record=True)
    known = twin(board, cells, blank)
    depths = np.array(list(known.values()))
    assert swept.counts == np.bincount(depths).tolist()
    places = np.array([key[0] for key in known]), np.array([key[1] for key in known])
    assert swept.table is not None
    residues = swept.table.residues(*rank_states(swept.layout, *places))
    assert np.array_equal(residues, depths % 3)
    PatternDatabase.build(board, blank, [cells], metric="mtm").verify()
