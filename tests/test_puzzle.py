"""Puzzles: goals, moves, the first ways to solve, chance, and what is refused."""

from __future__ import annotations

import functools
import itertools
import math
import random
import time

import naive
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taquin as tq
from taquin.errors import (
    IllegalMove,
    InvalidBoard,
    LimitReached,
    ParseError,
    TaquinError,
    Unsolvable,
    Unsupported,
)
from taquin.search.textbook import TEXTBOOK

RING = "1 2 3 / 8 0 4 / 7 6 5"
THETA_0 = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (6, 0), (6, 3)]


@functools.cache
def three_by_three() -> dict[naive.Tiles, int]:
    return naive.depths(naive.grid_neighbours((3, 3)), (1, 2, 3, 4, 5, 6, 7, 8, 0))


@functools.cache
def three_by_three_mtm() -> dict[naive.Tiles, int]:
    return naive.line_depths((3, 3), (1, 2, 3, 4, 5, 6, 7, 8, 0))


def check(solution: tq.Solution, start: tq.State, goal: tq.State, length: int | None) -> None:
    """Replay every move; the counts, the bounds and the states must fit together."""
    states = list(solution.states())
    assert states[0] == start
    assert states[-1] == goal
    for before, after in itertools.pairwise(states):
        assert after in [other for _, other in before.neighbours()]
    if solution.metric == "stm":
        assert len(states) == solution.length + 1
    assert solution.lower_bound <= solution.length
    if solution.optimal:
        assert solution.status == "optimal"
        assert solution.lower_bound == solution.length
        assert length is None or solution.length == length
    elif length is not None:
        assert solution.length >= length


# -- making ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "board", "goal", "metric"),
    [
        ("3x3", tq.Board.grid(3, 3), "1 2 3 4 5 6 7 8 0", "stm"),
        ("4x4:blank-first", tq.Board.grid(4, 4), " ".join(map(str, range(16))), "stm"),
        ("2x2x2", tq.Board.grid(2, 2, 2), "1 2 3 4 5 6 7 0", "stm"),
        ("3x3x3", tq.Board.grid(3, 3, 3), " ".join(map(str, [*range(1, 27), 0])), "stm"),
        (
            "4x4:torus",
            tq.Board.grid(4, 4, wrap=(0, 1)),
            " ".join(map(str, [*range(1, 16), 0])),
            "stm",
        ),
        ("3x5:mtm", tq.Board.grid(3, 5), " ".join(map(str, [*range(1, 15), 0])), "mtm"),
        ("3x3:spiral", tq.Board.grid(3, 3), "1 2 3 8 0 4 7 6 5", "stm"),
        ("3x3:snail", tq.Board.grid(3, 3), "1 2 3 8 0 4 7 6 5", "stm"),
        ("3x3:ring", tq.Board.grid(3, 3), "1 2 3 8 0 4 7 6 5", "stm"),
        (
            "4x4:torus:mtm",
            tq.Board.grid(4, 4, wrap=(0, 1)),
            " ".join(map(str, [*range(1, 16), 0])),
            "mtm",
        ),
        ("3x3:blank-first:mtm", tq.Board.grid(3, 3), "0 1 2 3 4 5 6 7 8", "mtm"),
        ("3x3:columns", tq.Board.grid(3, 3), "1 4 7 2 5 8 3 6 0", "stm"),
        ("3x3:reversed", tq.Board.grid(3, 3), "8 7 6 5 4 3 2 1 0", "stm"),
        ("3x3:snake", tq.Board.grid(3, 3), "1 2 3 6 5 4 7 8 0", "stm"),
        ("4x4:spiral", tq.Board.grid(4, 4), "1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7", "stm"),
        ("3x3:torus:spiral", tq.Board.grid(3, 3, wrap=(0, 1)), "1 2 3 8 0 4 7 6 5", "stm"),
        ("graph:0-1,1-2,2-0", tq.Board.from_edges([(0, 1), (1, 2), (2, 0)]), "1 2 0", "stm"),
        (
            "walls:...|.#.|...:blank-first",
            tq.Board.draw("...|.#.|..."),
            "0 1 2 3 4 5 6 7",
            "stm",
        ),
        ("1x4", tq.Board.grid(1, 4), "1 2 3 0", "stm"),
    ],
)
def test_parse(spec: str, board: tq.Board, goal: str, metric: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    assert puzzle.board == board
    assert puzzle.goal.tiles == tuple(map(int, goal.split()))
    assert puzzle.goal.board == board
    assert puzzle.metric == metric
    again = tq.Puzzle.parse(puzzle.spec)
    assert (again.board, again.goal, again.metric) == (board, puzzle.goal, metric)
    assert again.spec == puzzle.spec


@pytest.mark.parametrize(
    "spec",
    ["3x3", "4x4:blank-first", "3x3x3", "4x4:torus", "3x5:mtm", "3x3:spiral", "4x4:torus:mtm"],
)
def test_the_spec_is_given_back_as_it_was(spec: str) -> None:
    assert tq.Puzzle.parse(spec).spec == spec


@pytest.mark.parametrize(
    "puzzle",
    [
        tq.Puzzle(tq.Board.grid(3, 3), goal="5 3 6 / 7 0 2 / 4 1 8"),
        tq.Puzzle(tq.Board.grid(3, 4), goal=list(range(11, -1, -1)), metric="mtm"),
        tq.Puzzle(
            tq.Board.grid(4, 4, wrap=(0, 1)),
            goal=tq.State(tuple(range(15, -1, -1)), tq.Board.grid(4, 4, wrap=(0, 1))),
        ),
        tq.Puzzle(tq.Board.grid(2, 2, 2), goal=[7, 6, 5, 4, 3, 2, 1, 0]),
        tq.Puzzle(tq.Board.from_edges(THETA_0), goal=[6, 5, 4, 3, 2, 1, 0]),
        tq.Puzzle(tq.Board.draw("...|.#.|..."), goal=[1, 0, 2, 3, 4, 5, 7, 6]),
        tq.Puzzle(tq.Board.grid(2, 2, 2, 2), goal=[*range(15, 0, -1), 0]),
        tq.Puzzle(
            tq.Board.grid(2, 3),
            goal=tq.State((1, 1, 2, 2, 2, 0), tq.Board.grid(2, 3), repeats=True),
        ),
    ],
    ids=lambda puzzle: puzzle.board.spec,
)
def test_a_puzzle_with_any_goal_reads_back(puzzle: tq.Puzzle) -> None:
    again = tq.Puzzle.parse(puzzle.spec)
    assert (again.board, again.goal, again.metric) == (puzzle.board, puzzle.goal, puzzle.metric)


@given(
    st.sampled_from([(2, 2), (2, 3), (3, 3), (4, 4), (3, 6), (5,), (2, 2, 2), (2, 3, 2)]),
    st.booleans(),
    st.sampled_from(["stm", "mtm"]),
    st.randoms(use_true_random=False),
)
def test_random_puzzles_read_back(
    shape: tuple[int, ...], torus: bool, metric: str, rng: random.Random
) -> None:
    board = tq.Board.grid(*shape, wrap=range(len(shape)) if torus else ())
    goal = tq.State(rng.sample(range(board.n), board.n), board)
    puzzle = tq.Puzzle(board, goal=goal, metric=metric)
    again = tq.Puzzle.parse(puzzle.spec)
    assert (again.board, again.goal, again.metric) == (board, goal, metric)


@pytest.mark.parametrize("name", ["blank-last", "blank-first", "spiral", "snake", "columns",
                                  "reversed"])  # fmt: skip
@pytest.mark.parametrize("n", range(2, 8))
def test_goals_by_name(name: str, n: int) -> None:
    """The definition, up to where a snake on an even side puts its blank (the class agrees)."""
    board = tq.Board.grid(n, n)
    goal = tq.Puzzle(board, goal=name).goal
    expected = naive.usual_goal(name, n, n)
    if name == "snake" and n % 2 == 0:
        assert naive.rule_of_rows(goal.tiles, expected, n)
        assert [t for t in goal.tiles if t] == [t for t in expected if t]
    else:
        assert goal.tiles == expected


def test_a_goal_that_names_itself_is_found_again() -> None:
    board = tq.Board.grid(3, 3)
    assert tq.Puzzle(board, goal=RING).goal == tq.Puzzle(board, goal="spiral").goal
    assert tq.Puzzle(board, goal=[[1, 2, 3], [8, 0, 4], [7, 6, 5]]).goal.tiles[4] == 0


@pytest.mark.parametrize(
    "spec",
    ["", "3", "3x3:foo", "3x3:mtm:stm:mtm", "4x4:blank-middle", "0x3", "3x3:1 2 3", "foo",
     "3x3:blank-last:blank-first", "3x3:1 2 3 4 5 6 7 8 8", "walls:#", "graph:0-0"],
)  # fmt: skip
def test_texts_that_are_no_puzzle(spec: str) -> None:
    if spec == "3":
        assert tq.Puzzle.parse(spec).board == tq.Board.grid(3)
        return
    with pytest.raises(TaquinError) as caught:
        tq.Puzzle.parse(spec)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("goal", ["nonsense", [1, 2, 3], "1 2 3 / 4 5 6 / 7 8 8", 5])
def test_goals_that_are_none(goal: object) -> None:
    with pytest.raises(TaquinError) as caught:
        tq.Puzzle(tq.Board.grid(3, 3), goal=goal)
    assert isinstance(caught.value, ValueError)


def test_a_goal_of_another_board() -> None:
    with pytest.raises(TaquinError):
        tq.Puzzle(tq.Board.grid(3, 3), goal=tq.Puzzle(tq.Board.grid(4, 4)).goal)


@pytest.mark.parametrize("metric", ["qtm", "", "STM tiles", 3])
def test_unknown_metrics(metric: object) -> None:
    with pytest.raises(TaquinError) as caught:
        tq.Puzzle(tq.Board.grid(3, 3), metric=metric)  # type: ignore[arg-type]
    assert isinstance(caught.value, ValueError)


def test_invalid_boards_stay_invalid_boards() -> None:
    with pytest.raises(InvalidBoard):
        tq.Puzzle.parse("0x5")


# -- states in any form ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        "1 2 3 / 4 5 6 / 0 7 8",
        "1 2 3/4 5 6/0 7 8",
        "1 2 3\n4 5 6\n0 7 8",
        "1 2 3 4 5 6 0 7 8",
        "123456078",
        "1,2,3,4,5,6,0,7,8",
        "1 2 3 4 5 6 x 7 8",
        "1 2 3 | 4 5 6 | _ 7 8",
        "[[1,2,3],[4,5,6],[0,7,8]]",
        "3\n1 2 3\n4 5 6\n0 7 8",
        (1, 2, 3, 4, 5, 6, 0, 7, 8),
        [1, 2, 3, 4, 5, 6, 0, 7, 8],
        [[1, 2, 3], [4, 5, 6], [0, 7, 8]],
        [[1, 2, 3], [4, 5, 6], [None, 7, 8]],
        ((1, 2, 3), (4, 5, 6), (9, 7, 8)),
        np.array([1, 2, 3, 4, 5, 6, 0, 7, 8]),
        np.array([[1, 2, 3], [4, 5, 6], [0, 7, 8]], np.int8),
        tq.State((1, 2, 3, 4, 5, 6, 0, 7, 8), tq.Board.grid(3, 3)),
    ],
    ids=repr,
)
def test_state_from_any_form(form: object) -> None:
    puzzle = tq.Puzzle.parse("3x3")
    assert puzzle.state(form).tiles == (1, 2, 3, 4, 5, 6, 0, 7, 8)
    assert puzzle.state(form).board == puzzle.board


@pytest.mark.parametrize(
    "form",
    ["", "1 2 3", "1 2 3 4 5 6 7 8 8", "1 2 3 4 5 6 7 8 9 0", [1, 2, 3], [[1, 2], [3, 0]], None, 5,
     "hello", np.arange(16).reshape(4, 4), tq.State(tuple(range(16)), tq.Board.grid(4, 4))],
    ids=repr,
)  # fmt: skip
def test_what_is_no_state_of_the_board(form: object) -> None:
    with pytest.raises(TaquinError) as caught:
        tq.Puzzle.parse("3x3").state(form)
    assert isinstance(caught.value, ValueError)


def test_methods_take_any_form_too() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    text = "1 2 3 / 4 5 6 / 0 7 8"
    assert puzzle.solvable(text)
    assert puzzle.distance(text) == 2
    assert puzzle.solve(text).moves == "RR"
    assert puzzle.apply(text, "R").blank == 7
    assert [letter for letter, _ in puzzle.neighbours(text)] == ["U", "R"]
    assert puzzle.distance(puzzle.goal.tiles) == 0


# -- moving ------------------------------------------------------------------------------------


def test_neighbours_in_three_dimensions() -> None:
    puzzle = tq.Puzzle.parse("3x3x3")
    centre = puzzle.state([*range(1, 14), 0, *range(14, 27)])
    assert [letter for letter, _ in puzzle.neighbours(centre)] == list("ULRDFB")
    assert [s.blank for _, s in puzzle.neighbours(centre)] == [10, 12, 14, 16, 4, 22]


def test_neighbours_on_a_graph_are_named_by_cells() -> None:
    puzzle = tq.Puzzle(tq.Board.from_edges(THETA_0))
    assert [(letter, s.blank) for letter, s in puzzle.neighbours(puzzle.goal)] == [
        ("0", 0),
        ("3", 3),
    ]


@pytest.mark.parametrize(
    ("moves", "step"),
    [("D", 1), ("L", 1), ("RRR", 3), ("UUU", 3), ("RRUULLDDD", 9), ("RD", 2)],
)
def test_an_illegal_move_names_its_step(moves: str, step: int) -> None:
    puzzle = tq.Puzzle.parse("3x3")
    with pytest.raises(IllegalMove) as caught:
        puzzle.apply("1 2 3 / 4 5 6 / 0 7 8", moves)
    assert caught.value.step == step
    assert str(step) in str(caught.value)


@pytest.mark.parametrize("moves", ["Q", "R!", "R R 5 hello"])
def test_moves_that_are_none(moves: str) -> None:
    with pytest.raises((ParseError, IllegalMove)):
        tq.Puzzle.parse("3x3").apply("1 2 3 / 4 5 6 / 0 7 8", moves)


def test_apply_in_tile_notation_is_the_opposite() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    start = puzzle.state("1 2 3 / 4 0 6 / 7 5 8")
    assert puzzle.apply(start, "DR") == puzzle.apply(start, "UL", notation="tile") == puzzle.goal
    assert puzzle.apply(start, "5 8", notation="tiles") == puzzle.goal
    assert puzzle.apply(start, "") == start
    assert puzzle.apply(start, "D R").tiles == puzzle.apply(start, "dr").tiles


@given(st.integers(0, 10**9), st.integers(0, 60))
def test_apply_replays_a_random_walk(seed: int, length: int) -> None:
    rng = random.Random(seed)
    shape = rng.choice([(2, 2), (3, 3), (4, 4), (3, 5), (2, 2, 2)])
    puzzle = tq.Puzzle(tq.Board.grid(*shape))
    moves = naive.grid_moves(shape)
    state, word = puzzle.goal, ""
    for _ in range(length):
        letter, state = rng.choice(puzzle.neighbours(state))
        word += letter
    assert puzzle.apply(puzzle.goal, word) == state
    assert naive.replay(moves, puzzle.goal.tiles, word) == state.tiles


@pytest.mark.parametrize("spec", ["3x3", "4x4", "2x5", "3x3:torus", "1x4"])
def test_the_operators_of_the_blank_are_total(spec: str) -> None:
    """f_u, f_d, f_l, f_r of the textbook: at the border the state itself."""
    puzzle = tq.Puzzle.parse(spec)
    for blank in range(puzzle.board.n):
        tiles = [*range(1, blank + 1), 0, *range(blank + 1, puzzle.board.n)]
        state = puzzle.state(tiles)
        near = dict(puzzle.neighbours(state))
        assert puzzle.up(state) == near.get("U", state)
        assert puzzle.down(state) == near.get("D", state)
        assert puzzle.left(state) == near.get("L", state)
        assert puzzle.right(state) == near.get("R", state)


# -- solving -----------------------------------------------------------------------------------


def far_states(seed: int, count: int, deepest: int = 31) -> list[naive.Tiles]:
    depth = three_by_three()
    states = [tiles for tiles, d in depth.items() if d <= deepest]
    return random.Random(seed).sample(sorted(states), count)


@pytest.mark.parametrize("method", ["auto", "ida", "ida-manhattan"])
def test_the_fast_methods_are_optimal_on_three_by_three(method: str) -> None:
    puzzle = tq.Puzzle.parse("3x3")
    for tiles in far_states(1, 20):
        start = puzzle.state(tiles)
        solution = puzzle.solve(start, method=method)
        check(solution, start, puzzle.goal, three_by_three()[tiles])
        assert solution.optimal
        assert puzzle.distance(start) == three_by_three()[tiles]


def test_the_two_farthest_boards() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    for text in ("8 6 7 2 5 4 3 0 1", "6 4 7 8 5 0 3 2 1"):
        assert puzzle.distance(text) == 31


@pytest.mark.parametrize("method", sorted(TEXTBOOK))
def test_every_textbook_method_by_name(method: str) -> None:
    """Each replays; whoever says optimal is."""
    depth = naive.depths(naive.grid_neighbours((2, 3)), (1, 2, 3, 4, 5, 0))
    boards = [
        ("2x3", depth, random.Random(2).sample(sorted(depth), 6)),
        ("3x3", three_by_three(), [] if method == "dfs" else far_states(2, 3, deepest=14)),
    ]
    for spec, known, starts in boards:
        puzzle = tq.Puzzle.parse(spec)
        for tiles in starts:
            start = puzzle.state(tiles)
            solution = puzzle.solve(start, method=method)
            check(solution, start, puzzle.goal, known[tiles])
            assert solution.stats.generated >= 1


@pytest.mark.parametrize("method", ["bfs", "astar"])
def test_the_optimal_textbook_methods_say_so(method: str) -> None:
    assert tq.Puzzle.parse("3x3").solve("1 2 3 / 4 0 6 / 7 5 8", method=method).optimal


def test_there_are_nine_textbook_methods() -> None:
    assert len(TEXTBOOK) >= 9
    assert {"bfs", "dfs", "astar"} <= set(TEXTBOOK)


@pytest.mark.parametrize("spec", ["2x2", "2x3", "3x3", "4x4", "5x5", "3x7", "2x2x2", "8x8"])
def test_construct_always_answers(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    for seed in range(5):
        start = puzzle.random(seed)
        solution = puzzle.solve(start, method="construct")
        check(solution, start, puzzle.goal, None)
        if solution.length:
            assert not (solution.optimal and solution.length > 80)


def test_large_boards_get_an_answer_now() -> None:
    puzzle = tq.Puzzle.parse("20x20")
    start = puzzle.random(1)
    solution = puzzle.solve(start, method="construct")
    check(solution, start, puzzle.goal, None)
    assert not solution.optimal


@pytest.mark.parametrize(
    "spec",
    ["2x2", "2x3", "2x4", "3x3:spiral", "3x3:blank-first", "2x2x2", "3x3:torus", "2x3:wrap1",
     "1x5", "6", "walls:...|.#.|...", "walls:..#|...|#..",
     "graph:0-1,1-2,2-3,3-4,4-5,5-0,6-0,6-3", "graph:0-1,1-2,2-0,2-3,3-4,4-2", "2x2x2:torus"],
)  # fmt: skip
def test_auto_is_optimal_on_every_small_board(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    near = [list(puzzle.board.neighbours(cell)) for cell in range(puzzle.board.n)]
    depth = naive.depths(near, puzzle.goal.tiles)
    sample = random.Random(3).sample(sorted(depth), min(12, len(depth)))
    farthest = max(depth, key=lambda tiles: (depth[tiles], tiles))
    for tiles in [*sample, farthest]:
        start = puzzle.state(tiles)
        solution = puzzle.solve(start)
        check(solution, start, puzzle.goal, depth[tiles])
        assert solution.optimal


@pytest.mark.parametrize(
    ("spec", "farthest"),
    [("2x2", 6), ("2x3", 21), ("2x4", 36), ("3x3:torus", 19), ("2x3:wrap1", 13), ("2x2x2", 19)],
)
def test_the_farthest_boards(spec: str, farthest: int) -> None:
    puzzle = tq.Puzzle.parse(spec)
    near = [list(puzzle.board.neighbours(cell)) for cell in range(puzzle.board.n)]
    depth = naive.depths(near, puzzle.goal.tiles)
    assert max(depth.values()) == farthest
    last = [tiles for tiles, d in depth.items() if d == farthest]
    assert puzzle.distance(puzzle.state(last[0])) == farthest


def test_the_profiles_of_three_by_three() -> None:
    assert naive.profile(three_by_three()) == [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
        10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ]  # fmt: skip
    assert naive.profile(three_by_three_mtm()) == [
        1, 4, 8, 16, 32, 64, 127, 244, 454, 856, 1576, 2854, 5117, 8588, 13466, 19739, 26558,
        31485, 30985, 23494, 11751, 3390, 589, 41, 1,
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["auto", "ida-manhattan", "construct", "bfs", "astar"])
def test_solved_already_is_an_empty_solution(name: str) -> None:
    for spec in ("3x3", "4x4", "3x3:mtm"):
        if spec == "3x3:mtm" and name in ("ida-manhattan", "construct"):
            continue
        puzzle = tq.Puzzle.parse(spec)
        solution = puzzle.solve(puzzle.goal, method=name)
        assert solution.moves == ""
        assert solution.length == len(solution) == 0
        assert solution.optimal
        assert list(solution.states()) == [puzzle.goal]


def test_one_cell_is_solved() -> None:
    puzzle = tq.Puzzle.parse("1x1")
    assert puzzle.goal.tiles == (0,)
    assert puzzle.distance(puzzle.goal) == 0
    assert puzzle.random(1) == puzzle.goal


# -- between any two states --------------------------------------------------------------------


@pytest.mark.parametrize("method", ["auto", "ida-manhattan", "bfs", "astar", "construct"])
def test_to_any_state_also_in_the_other_class(method: str) -> None:
    puzzle = tq.Puzzle.parse("3x3")
    near = naive.grid_neighbours((3, 3))
    rng = random.Random(4)
    for _ in range(3):
        end = rng.sample(range(9), 9)
        if puzzle.solvable(end):  # the class that does not reach the goal
            a, b = (i for i in range(9) if end[i] in (1, 2))
            end[a], end[b] = end[b], end[a]
        goal = puzzle.state(end)
        assert not puzzle.solvable(goal)
        depth = naive.depths(near, goal.tiles)
        start = puzzle.state(rng.choice(sorted(t for t, d in depth.items() if d < 19)))
        assert puzzle.solvable(start, to=goal)
        check(puzzle.solve(start, to=goal, method=method), start, goal, depth[start.tiles])


def test_to_takes_text() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    start = "1 2 3 / 8 4 0 / 7 6 5"
    assert not puzzle.solvable(start)
    assert puzzle.solvable(start, to=RING)
    assert puzzle.solve(start, to=RING).moves == "L"
    assert puzzle.verdict(start, to=RING).solvable


def test_to_on_four_by_four() -> None:
    puzzle = tq.Puzzle.parse("4x4")
    goal = puzzle.state("2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0")
    start = puzzle.apply(goal, "LLUURRDLULLDRR")
    solution = puzzle.solve(start, to=goal)
    check(solution, start, goal, solution.length)
    assert solution.length <= 14
    assert solution.length % 2 == 0


# -- no ----------------------------------------------------------------------------------------

IMPOSSIBLE = {
    "3x3": "1 2 3 4 5 6 8 7 0",
    "4x4": "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0",
    "6x6": " ".join(map(str, [2, 1, *range(3, 36), 0])),
    "10x10": " ".join(map(str, [2, 1, *range(3, 100), 0])),
    "2x2x2": "2 1 3 4 5 6 7 0",
    "1x5": "2 1 3 4 0",
    "graph:0-1,1-2,2-3,3-4,4-5,5-0,6-0,6-3": "2 1 3 4 5 6 0",
}


@pytest.mark.parametrize("spec", IMPOSSIBLE)
@pytest.mark.parametrize("method", ["auto", "ida-manhattan", "construct", "bfs", "astar"])
def test_unsolvable_comes_with_the_verdict_before_any_search(spec: str, method: str) -> None:
    """A search of the larger boards would end in another error, at the limit of time."""
    puzzle = tq.Puzzle.parse(spec)
    with pytest.raises(Unsolvable) as caught:
        puzzle.solve(IMPOSSIBLE[spec], method=method, time_limit=20)
    assert caught.value.verdict.solvable is False
    assert caught.value.verdict.rule == puzzle.verdict(IMPOSSIBLE[spec]).rule
    assert "\n" not in str(caught.value)


def test_distance_and_all_solutions_say_unsolvable_too() -> None:
    puzzle = tq.Puzzle.parse("6x6")
    for ask in (puzzle.distance, puzzle.solve_all):
        with pytest.raises(Unsolvable):
            ask(IMPOSSIBLE["6x6"])


HARD = "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0"


@pytest.mark.parametrize("method", ["ida", "ida-manhattan", "astar", "bfs", "idastar", "iddfs"])
def test_a_limit_of_time_never_reads_as_no(method: str) -> None:
    puzzle = tq.Puzzle.parse("5x5")
    if method not in TEXTBOOK and not method.startswith("ida-") and method != "ida":
        pytest.skip("no such method name")
    puzzle.solve(puzzle.apply(puzzle.goal, "LU"), method=method)  # compile first
    began = time.perf_counter()
    with pytest.raises(LimitReached) as caught:
        puzzle.solve(HARD, method=method, time_limit=0.3)
    assert time.perf_counter() - began < 60  # a limit that is ignored would take hours
    message = str(caught.value).lower()
    for never in ("unsolvable", "no solution", "not solvable", "cannot be solved", "impossible"):
        assert never not in message
    assert caught.value.lower_bound >= 0
    if caught.value.solution is not None:
        check(caught.value.solution, puzzle.state(HARD), puzzle.goal, None)


def test_auto_gives_what_it_has_when_time_runs_out() -> None:
    """Either the error with what is known, or a solution that does not claim to be optimal."""
    puzzle = tq.Puzzle.parse("5x5")
    try:
        solution = puzzle.solve(HARD, time_limit=0.5)
        lower_bound = solution.lower_bound
    except LimitReached as reached:
        solution, lower_bound = reached.solution, reached.lower_bound
    assert lower_bound >= 1
    if solution is not None:
        check(solution, puzzle.state(HARD), puzzle.goal, None)
        assert not solution.optimal
        assert 1 <= solution.lower_bound < solution.length


def test_unknown_methods_are_named() -> None:
    with pytest.raises(TaquinError, match="quantum") as caught:
        tq.Puzzle.parse("3x3").solve("1 2 3 4 5 6 7 0 8", method="quantum")
    assert isinstance(caught.value, ValueError)
    assert "astar" in str(caught.value)
    with pytest.raises(TaquinError, match="quantum"):
        tq.Puzzle.parse("3x3").solve("1 2 3 4 5 6 7 8 0", method="quantum")


@pytest.mark.parametrize("spec", ["5x5", "6x6"])
def test_distance_is_optimal_or_says_that_a_limit_was_reached(spec: str) -> None:
    """A constructed way is no distance."""
    puzzle = tq.Puzzle.parse(spec)
    start = puzzle.random(1)
    constructed = puzzle.solve(start, method="construct").length
    try:
        found = puzzle.distance(start)
    except LimitReached as reached:
        found = reached.lower_bound
    assert 0 < found < constructed


@pytest.mark.parametrize("options", [{"time_limit": -1}, {"bound": 0.5}, {"bound": -1}])
def test_senseless_limits(options: dict[str, float]) -> None:
    with pytest.raises((ValueError, LimitReached)):
        tq.Puzzle.parse("4x4").solve("15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0", **options)  # type: ignore[arg-type]


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
