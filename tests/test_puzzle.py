"""Puzzles: how they are made, states in any form, moves."""

from __future__ import annotations

import random

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from replays import RING, THETA_0

import taquin as tq
from taquin.errors import (
    IllegalMove,
    InvalidBoard,
    ParseError,
    TaquinError,
)

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
