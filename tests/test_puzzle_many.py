"""Puzzles at large: many boards, all solutions, long moves, chance, classes, equal labels."""

from __future__ import annotations

import math
import random

import naive
import networkx as nx
import pytest
from replays import check, far_states, three_by_three, three_by_three_mtm

import taquin as tq
from taquin.errors import (
    TaquinError,
    Unsupported,
)
from taquin.search.textbook import TEXTBOOK

# -- many, and all -----------------------------------------------------------------------------


def test_solve_many_is_solve_one_by_one() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    states = [puzzle.state(tiles) for tiles in far_states(5, 25)]
    solutions = list(puzzle.solve_many(iter(states)))
    assert [s.start for s in solutions] == states
    assert [s.length for s in solutions] == [three_by_three()[s.tiles] for s in states]
    assert [s.length for s in puzzle.solve_many(states[:4], method="astar")] == [
        s.length for s in solutions[:4]
    ]
    assert list(puzzle.solve_many([])) == []


def test_all_optimal_solutions_against_every_shortest_path() -> None:
    """Their number, and the first in the order D < L < R < U of the blank."""
    puzzle = tq.Puzzle.parse("3x3")
    moves = naive.grid_moves((3, 3))
    for tiles in far_states(6, 6, deepest=21):
        words = naive.shortest_words(moves, tiles, three_by_three())
        answer = puzzle.solve_all(puzzle.state(tiles))
        assert answer.count == len(words)
        found = [solution.moves for solution in answer]
        assert found == words
        assert found[0] == min(found)


def test_all_optimal_solutions_are_sorted_by_letters_on_every_small_board() -> None:
    for shape in ((2, 3), (2, 4), (3, 2), (2, 2)):
        puzzle = tq.Puzzle(tq.Board.grid(*shape))
        depth = naive.depths(naive.grid_neighbours(shape), puzzle.goal.tiles)
        for tiles in random.Random(7).sample(sorted(depth), 5):
            words = naive.shortest_words(naive.grid_moves(shape), tiles, depth)
            assert [s.moves for s in puzzle.solve_all(tiles)] == words


def test_solve_all_of_the_goal_is_one_empty_way() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    answer = puzzle.solve_all(puzzle.goal)
    assert answer.count == 1
    assert [solution.moves for solution in answer] == [""]


def test_solve_all_with_a_limit() -> None:
    puzzle = tq.Puzzle.parse("2x4")
    depth = naive.depths(naive.grid_neighbours((2, 4)), puzzle.goal.tiles)
    start = (0, 7, 2, 1, 4, 3, 6, 5)  # the one board at 36 moves
    words = naive.shortest_words(naive.grid_moves((2, 4)), start, depth)
    assert len(words) > 3
    answer = puzzle.solve_all(start, limit=3)
    assert [solution.moves for solution in answer] == words[:3]
    assert puzzle.solve_all(start).count == len(words)


# -- multi-tile moves --------------------------------------------------------------------------


def test_mtm_on_three_by_three() -> None:
    puzzle = tq.Puzzle.parse("3x3:mtm")
    depth = three_by_three_mtm()
    farthest = [tiles for tiles, d in depth.items() if d == 24]
    assert len(farthest) == 1
    sample = random.Random(8).sample(sorted(t for t, d in depth.items() if d <= 18), 6)
    for tiles in [*sample, *farthest]:
        start = puzzle.state(tiles)
        solution = puzzle.solve(start)
        check(solution, start, puzzle.goal, depth[tiles])
        assert solution.metric == "mtm"
        assert solution.optimal
        assert solution.length == depth[tiles]
        assert naive.runs(solution.moves) == solution.length
        assert puzzle.distance(start) == depth[tiles]


def test_mtm_on_two_by_three() -> None:
    puzzle = tq.Puzzle.parse("2x3:mtm")
    depth = naive.line_depths((2, 3), puzzle.goal.tiles)
    assert max(depth.values()) == 20
    for tiles in random.Random(9).sample(sorted(depth), 30):
        assert puzzle.solve(tiles).length == depth[tiles]
    assert puzzle.distance(max(depth, key=lambda tiles: depth[tiles])) == 20


@pytest.mark.parametrize("method", sorted(TEXTBOOK))
def test_textbook_methods_in_mtm(method: str) -> None:
    """Each either solves in multi-tile moves or says that it does not know them."""
    puzzle = tq.Puzzle.parse("2x3:mtm")
    depth = naive.line_depths((2, 3), puzzle.goal.tiles)
    for tiles in random.Random(10).sample(sorted(t for t, d in depth.items() if d <= 9), 3):
        try:
            solution = puzzle.solve(tiles, method=method)
        except Unsupported:
            continue
        assert solution.metric == "mtm"
        assert naive.runs(solution.moves) == solution.length
        check(solution, puzzle.state(tiles), puzzle.goal, depth[tiles])


def test_a_whole_row_is_one_move() -> None:
    puzzle = tq.Puzzle.parse("4x4:mtm")
    assert puzzle.distance("1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15") == 1
    assert puzzle.solve("0 2 3 4 1 6 7 8 5 10 11 12 9 13 14 15").length == 2


# -- chance ------------------------------------------------------------------------------------


def chi_square(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


UNIFORM = {
    "2x3": 360,
    "2x2": 12,
    "1x5": 5,
    "5:torus": 20,
    "2x3:wrap1": 720,
    "graph:0-1,1-2,2-3,3-0,0-2": 24,
    "graph:0-1,1-2,2-3,3-4,4-5,5-0,6-0,6-3": 840,
    "graph:0-1,1-2,2-0,2-3,3-4,4-2": None,
    "graph:0-1,1-2,2-3,3-0,3-4,4-5": None,
    "graph:0-1,0-2,0-3": None,
    "graph:0-1,1-2,2-0,2-3,3-4,4-5,5-3": None,
}


@pytest.mark.parametrize("spec", UNIFORM)
def test_random_is_uniform_over_the_solvable_states(spec: str) -> None:
    """Chi-square over every reachable state, five standard deviations wide, seeded."""
    puzzle = tq.Puzzle.parse(spec)
    near = [list(puzzle.board.neighbours(cell)) for cell in range(puzzle.board.n)]
    reached = naive.depths(near, puzzle.goal.tiles)
    assert UNIFORM[spec] in (None, len(reached))
    rng = random.Random(2024)
    draws = max(600, 25 * len(reached))
    counts = dict.fromkeys(reached, 0)
    for _ in range(draws):
        counts[puzzle.random(rng).tiles] += 1  # a KeyError is a state that is not solvable
    freedom = len(reached) - 1
    statistic = chi_square(list(counts.values()), draws / len(reached))
    assert abs(statistic - freedom) <= 5 * math.sqrt(2 * freedom) + 1


def test_random_on_the_four_by_four_fills_every_place() -> None:
    """Each tile is on each cell equally often, and the blank too."""
    puzzle = tq.Puzzle.parse("4x4")
    rng = random.Random(5)
    counts = [[0] * 16 for _ in range(16)]
    for _ in range(4000):
        state = puzzle.random(rng)
        assert naive.rule_of_rows(state.tiles, puzzle.goal.tiles, 4)
        for cell, tile in enumerate(state.tiles):
            counts[cell][tile] += 1
    statistic = chi_square([count for row in counts for count in row], 250)
    assert abs(statistic - 225) <= 5 * math.sqrt(2 * 225)


@pytest.mark.parametrize("method", ["uniform", "walk"])
@pytest.mark.parametrize(
    "spec",
    ["3x3", "4x4:blank-first", "3x3:spiral", "3x3x3", "4x4:torus", "1x6", "8:torus",
     "walls:...|.#.|...", "graph:0-1,1-2,2-3,3-4,4-5,5-0,6-0,6-3", "20x20"],
)  # fmt: skip
def test_random_is_solvable_and_seeded(spec: str, method: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    drawn = [puzzle.random(seed, method=method) for seed in range(8)]
    assert drawn == [puzzle.random(seed, method=method) for seed in range(8)]
    assert len(set(drawn)) > 1
    assert all(puzzle.solvable(state) for state in drawn)
    one, other = random.Random(3), random.Random(3)
    assert [puzzle.random(one, method=method) for _ in range(3)] == [
        puzzle.random(other, method=method) for _ in range(3)
    ]


def test_random_moves_on_in_its_generator() -> None:
    puzzle = tq.Puzzle.parse("4x4")
    rng = random.Random(1)
    assert puzzle.random(rng) != puzzle.random(rng)


def test_random_leaves_the_global_generator_alone() -> None:
    puzzle = tq.Puzzle.parse("4x4")
    random.seed(1)
    expected = random.Random(1).random()
    puzzle.random(5)
    puzzle.random(random.Random(5), method="walk")
    assert random.random() == expected


def test_unknown_ways_to_shuffle() -> None:
    with pytest.raises(TaquinError, match="magic"):
        tq.Puzzle.parse("4x4").random(1, method="magic")


# -- representatives ---------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["2x2", "2x3", "2x2x2"])
def test_canonical_names_the_class(spec: str) -> None:
    """Two states have the same representative exactly when moves join them; the way is given."""
    puzzle = tq.Puzzle.parse(spec)
    near = [list(puzzle.board.neighbours(cell)) for cell in range(puzzle.board.n)]
    number = naive.classes(near)
    sample = random.Random(11).sample(sorted(number), min(len(number), 150))
    found: dict[int, tq.State] = {}
    for tiles in sample:
        state = puzzle.state(tiles)
        representative, way = puzzle.canonical(state)
        assert found.setdefault(number[tiles], representative) == representative
        check(way, state, representative, None)
    assert len(set(found.values())) == len(found) == 2


def test_any_two_boards_of_a_class_are_joined_through_the_representative() -> None:
    puzzle = tq.Puzzle.parse("4x4")
    one, other = puzzle.random(1), puzzle.random(2)
    assert puzzle.canonical(one)[0] == puzzle.canonical(other)[0]
    swapped = list(one.tiles)
    a, b = one.cell_of(1), one.cell_of(2)
    swapped[a], swapped[b] = 2, 1
    assert puzzle.canonical(swapped)[0] != puzzle.canonical(one)[0]
    assert puzzle.canonical(puzzle.canonical(one)[0])[1].moves == ""


# -- repeated labels ---------------------------------------------------------------------------


def test_puzzles_with_equal_tiles() -> None:
    board = tq.Board.grid(3, 3)
    goal = tq.State((1, 1, 1, 2, 2, 2, 3, 3, 0), board, repeats=True)
    puzzle = tq.Puzzle(board, goal=goal)
    near = naive.grid_neighbours((3, 3))
    depth = naive.depths(near, goal.tiles)
    for tiles in random.Random(12).sample(sorted(t for t, d in depth.items() if d < 13), 5):
        start = tq.State(tiles, board, repeats=True)
        assert puzzle.solvable(start)
        check(puzzle.solve(start), start, goal, depth[tiles])


def test_puzzle_on_a_networkx_graph() -> None:
    puzzle = tq.Puzzle(tq.Board.from_networkx(nx.petersen_graph()))
    start = puzzle.random(1, method="walk")
    assert puzzle.solvable(start)
    moved = puzzle.goal
    for _ in range(6):
        moved = puzzle.neighbours(moved)[0][1]
    solution = puzzle.solve(moved)
    check(solution, moved, puzzle.goal, None)
    assert solution.length <= 6


def test_the_representation_pastes_back() -> None:
    namespace = {"Puzzle": tq.Puzzle, "Board": tq.Board, "State": tq.State}
    for spec in ("3x3", "4x4:torus:mtm", "3x3:spiral"):
        puzzle = tq.Puzzle.parse(spec)
        again = eval(repr(puzzle), namespace)
        assert (again.board, again.goal, again.metric) == (
            puzzle.board,
            puzzle.goal,
            puzzle.metric,
        )
