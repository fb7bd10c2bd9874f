"""The verdict beside the rules of the textbooks, and for many boards at once."""

from __future__ import annotations

import random

import naive
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reachability import (
    THETA_0,
    solvable,
)

import taquin as tq
from taquin.errors import TaquinError
from taquin.solvability import solvable_many, verdict
from taquin.state import State

# -- the rules of the textbooks ----------------------------------------------------------------


@st.composite
def pairs(draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, ...]]) -> tuple[State, State]:
    shape = draw(sizes)
    board = tq.Board.grid(*shape)
    return (
        State(draw(st.permutations(range(board.n))), board),
        State(draw(st.permutations(range(board.n))), board),
    )


PLANES = st.tuples(st.integers(2, 7), st.integers(2, 7))
BOXES = st.tuples(st.integers(2, 4), st.integers(2, 4), st.integers(2, 4))


@given(pairs(PLANES))
def test_any_two_states_follow_the_rule_of_rows(pair: tuple[State, State]) -> None:
    start, goal = pair
    assert start.board.shape is not None
    expected = naive.rule_of_rows(start.tiles, goal.tiles, start.board.shape[1])
    assert solvable(start, goal) is expected
    assert solvable(goal, start) is expected


@settings(max_examples=40)
@given(pairs(BOXES | st.just((2, 2, 2, 2)) | st.just((3, 3, 3))))
def test_any_two_states_follow_the_rule_of_distance(pair: tuple[State, State]) -> None:
    start, goal = pair
    assert start.board.shape is not None
    expected = naive.rule_of_distance(start.tiles, goal.tiles, start.board.shape)
    assert solvable(start, goal) is expected


def test_swapping_two_tiles_always_turns_the_verdict_on_a_grid() -> None:
    rng = random.Random(11)
    for shape in ((3, 3), (4, 4), (2, 5), (3, 3, 3), (2, 2, 2), (5, 6)):
        puzzle = tq.Puzzle(tq.Board.grid(*shape))
        for _ in range(20):
            tiles = rng.sample(range(puzzle.board.n), puzzle.board.n)
            swapped = list(tiles)
            a, b = rng.sample([i for i, tile in enumerate(tiles) if tile], 2)
            swapped[a], swapped[b] = swapped[b], swapped[a]
            answers = [solvable(State(t, puzzle.board), puzzle.goal) for t in (tiles, swapped)]
            assert sorted(answers) == [False, True]


def test_the_figures_of_the_textbook_stand_beside_the_verdict() -> None:
    """Inversions; N + K of the 4x4 rule (K: the blank's row counted from 1 at the top)."""
    rng = random.Random(4)
    puzzle = tq.Puzzle(tq.Board.grid(4, 4))
    for _ in range(200):
        tiles = tuple(rng.sample(range(16), 16))
        v = verdict(State(tiles, puzzle.board), puzzle.goal)
        assert v.inversions == naive.double_loop_inversions(tiles)
        assert v.n_plus_k == v.inversions + tiles.index(0) // 4 + 1
        assert v.solvable is (v.n_plus_k % 2 == 0)


def test_inversions_alone_decide_on_odd_widths() -> None:
    rng = random.Random(6)
    for shape in ((3, 3), (4, 3), (5, 5), (2, 7)):
        puzzle = tq.Puzzle(tq.Board.grid(*shape))
        for _ in range(40):
            tiles = tuple(rng.sample(range(puzzle.board.n), puzzle.board.n))
            v = verdict(State(tiles, puzzle.board), puzzle.goal)
            assert v.inversions == naive.double_loop_inversions(tiles)
            assert v.solvable is (v.inversions % 2 == 0)


def test_blank_distance_on_a_box() -> None:
    rng = random.Random(8)
    board = tq.Board.grid(3, 3, 3)
    goal = tq.Puzzle(board).goal
    for _ in range(50):
        tiles = tuple(rng.sample(range(27), 27))
        layer, row, column = board.coordinates(tiles.index(0))
        v = verdict(State(tiles, board), goal)
        assert v.blank_distance == (2 - layer) + (2 - row) + (2 - column)


def test_parity_is_the_parity_of_the_cycles() -> None:
    """All labels, the blank among them: cycles give the parity; the blank's way must agree."""
    rng = random.Random(9)
    for shape in ((3, 3), (4, 4), (2, 3, 4)):
        board = tq.Board.grid(*shape)
        for _ in range(40):
            start, goal = (State(rng.sample(range(board.n), board.n), board) for _ in range(2))
            home = {label: cell for cell, label in enumerate(goal.tiles)}
            graph = nx.Graph()
            graph.add_nodes_from(range(board.n))
            graph.add_edges_from((cell, home[label]) for cell, label in enumerate(start.tiles))
            v = verdict(start, goal)
            assert v.cycles == nx.number_connected_components(graph)
            assert v.parity == (board.n - v.cycles) % 2
            assert v.solvable is (v.parity == v.blank_distance % 2)


def test_n_plus_k_means_the_usual_goal_whatever_goal_is_asked_for() -> None:
    """The 4x4 rule speaks of 1..15 with the blank last; another goal must not bend its numbers."""
    rng = random.Random(14)
    for name in ("blank-first", "spiral", "columns", "snake", "reversed"):
        puzzle = tq.Puzzle(tq.Board.grid(4, 4), goal=name)
        for _ in range(20):
            tiles = tuple(rng.sample(range(16), 16))
            v = puzzle.verdict(State(tiles, puzzle.board))
            if v.n_plus_k is not None:
                usual = naive.double_loop_inversions(tiles) + tiles.index(0) // 4 + 1
                assert v.n_plus_k == usual, name


def test_solvable_for_names_the_goals_that_would_do() -> None:
    names = ("blank-last", "blank-first", "spiral", "snake", "columns", "reversed")
    rng = random.Random(10)
    for rows, columns in ((2, 3), (3, 3), (4, 4), (4, 5), (6, 6)):
        puzzle = tq.Puzzle(tq.Board.grid(rows, columns))
        for _ in range(15):
            tiles = rng.sample(range(rows * columns), rows * columns)
            v = puzzle.verdict(State(tiles, puzzle.board))
            for name in names:
                goal = naive.usual_goal(name, rows, columns)
                if name in ("spiral", "columns", "snake", "reversed") and rows != columns:
                    continue  # usual on squares
                expected = naive.rule_of_rows(tiles, goal, columns)
                assert (name in v.solvable_for) is expected, (name, tiles)


def test_the_board_that_is_only_meant_for_another_goal() -> None:
    """A ring board is impossible for 1..8 in rows; the verdict says for which goal it is meant."""
    puzzle = tq.Puzzle(tq.Board.grid(3, 3))
    v = puzzle.verdict(puzzle.state("8 1 2 / 0 4 3 / 7 6 5"))
    assert not v.solvable
    assert "spiral" in v.solvable_for
    assert "blank-last" not in v.solvable_for


@pytest.mark.parametrize("language", ["en", "vi", "zh"])
def test_the_verdict_speaks(language: str) -> None:
    puzzle = tq.Puzzle(tq.Board.grid(4, 4))
    yes = puzzle.verdict(puzzle.goal).text(language)
    no = puzzle.verdict(puzzle.state("2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0")).text(language)
    assert yes.strip()
    assert no.strip()
    assert yes != no


def test_the_sentence_says_no_plainly() -> None:
    puzzle = tq.Puzzle(tq.Board.grid(4, 4))
    v = puzzle.verdict(puzzle.state("2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0"))
    assert "solvable" in v.text().lower()
    assert v.text() == v.text("en")
    assert v.rule


def test_other_labels_are_an_error_not_an_answer() -> None:
    board = tq.Board.grid(2, 2)
    one = State((1, 1, 2, 0), board, repeats=True)
    other = State((1, 2, 2, 0), board, repeats=True)
    with pytest.raises(TaquinError):
        verdict(one, other)
    with pytest.raises(TaquinError):
        verdict(State((1, 2, 3, 0), board), State((1, 2, 3, 0), tq.Board.grid(4)))


def test_a_board_of_one_and_of_two_cells() -> None:
    one = tq.Board.grid(1)
    assert solvable(State((0,), one), State((0,), one))
    two = tq.Board.grid(2)
    assert solvable(State((0, 1), two), State((1, 0), two))


def test_repeated_tiles_on_a_grid_are_always_solvable() -> None:
    """Two equal tiles make up for a wrong parity on any grid with two rows and two columns."""
    board = tq.Board.grid(3, 3)
    goal = State((1, 2, 3, 4, 5, 6, 7, 7, 0), board, repeats=True)
    rng = random.Random(12)
    for _ in range(100):
        assert solvable(State(rng.sample(goal.tiles, 9), board, repeats=True), goal)


def test_large_boards_are_decided() -> None:
    """A million cells: a swap of two tiles is the whole difference."""
    board = tq.Board.grid(1000, 1000)
    goal = State((*range(1, board.n), 0), board)
    swapped = State((2, 1, *range(3, board.n), 0), board)
    assert solvable(goal, goal)
    assert not solvable(swapped, goal)


def test_large_graphs_are_decided() -> None:
    """Ten thousand vertices without recursion: a long path, a long cycle, a chain of triangles."""
    n = 10_001
    path = tq.Board.from_edges([(i, i + 1) for i in range(n - 1)])
    goal = State((*range(1, n), 0), path)
    assert solvable(State((0, *range(1, n)), path), goal)
    assert not solvable(State((2, 1, *range(3, n), 0), path), goal)
    cycle = tq.Board.from_edges([(i, (i + 1) % n) for i in range(n)])
    goal = State((*range(1, n), 0), cycle)
    assert solvable(State((*range(2, n), 1, 0), cycle), goal)
    assert not solvable(State((2, 1, *range(3, n), 0), cycle), goal)
    triangles = tq.Board.from_edges(
        [pair for i in range(0, n - 2, 2) for pair in ((i, i + 1), (i + 1, i + 2), (i, i + 2))]
    )
    goal = State((*range(1, n), 0), triangles)
    assert solvable(goal, goal)


# -- many at once ------------------------------------------------------------------------------

MANY_BOARDS = {
    "3x3": tq.Board.grid(3, 3),
    "4x4": tq.Board.grid(4, 4),
    "3x3x3": tq.Board.grid(3, 3, 3),
    "2x2x2x2": tq.Board.grid(2, 2, 2, 2),
    "torus 3x3": tq.Board.grid(3, 3, wrap=(0, 1)),
    "torus 4x4": tq.Board.grid(4, 4, wrap=(0, 1)),
    "half torus 3x4": tq.Board.grid(3, 4, wrap=(1,)),
    "line": tq.Board.grid(1, 6),
    "cycle": tq.Board.grid(6, wrap=(0,)),
    "walls": tq.Board.draw("....|.##.|...."),
    "walls with a tail": tq.Board.draw("...|.#.|...|.##"),
    "theta-0": tq.Board.from_edges(THETA_0),
    "bowtie": tq.Board.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]),
    "one cell": tq.Board.grid(1),
}


def random_rows(board: tq.Board, goal: naive.Tiles, count: int, seed: int) -> np.ndarray:
    """Shuffled boards, and boards a few moves from the goal, which a shuffle may never meet."""
    rng = random.Random(seed)
    rows = [rng.sample(goal, board.n) for _ in range(count)]
    state = State(goal, board)
    for _ in range(count):
        near = board.neighbours(state.blank)
        state = state.moved(rng.choice(near)) if near else state
        rows.append(list(state.tiles))
    return np.array(rows)


@pytest.mark.parametrize("name", MANY_BOARDS)
def test_solvable_many_is_the_verdict_row_by_row(name: str) -> None:
    board = MANY_BOARDS[name]
    for seed in (1, 2):
        goal = State(random.Random(seed).sample(range(board.n), board.n), board)
        array = random_rows(board, goal.tiles, 60, seed)
        answers = solvable_many(array, board, goal)
        assert answers.shape == (120,)
        assert answers.dtype == np.bool_
        assert answers.tolist() == [solvable(State(row, board), goal) for row in array.tolist()]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "int64", "uint64"])
def test_solvable_many_takes_every_integer_type(dtype: str) -> None:
    board = MANY_BOARDS["4x4"]
    goal = tq.Puzzle(board).goal
    array = random_rows(board, goal.tiles, 40, 3)
    expected = solvable_many(array, board, goal).tolist()
    assert solvable_many(array.astype(dtype), board, goal).tolist() == expected


def test_solvable_many_takes_any_layout_and_leaves_the_input_alone() -> None:
    board = MANY_BOARDS["4x4"]
    goal = tq.Puzzle(board).goal
    array = random_rows(board, goal.tiles, 40, 4)
    before = array.copy()
    expected = solvable_many(array, board, goal)
    assert (solvable_many(np.asfortranarray(array), board, goal) == expected).all()
    assert (solvable_many(array[::-1], board, goal) == expected[::-1]).all()
    wide = np.zeros((80, 32), array.dtype)
    wide[:, ::2] = array
    assert (solvable_many(wide[:, ::2], board, goal) == expected).all()
    array.setflags(write=False)
    assert (solvable_many(array, board, goal) == expected).all()
    assert (array == before).all()


def test_solvable_many_of_nothing_is_nothing() -> None:
    board = MANY_BOARDS["3x3"]
    assert solvable_many(np.zeros((0, 9), np.int64), board, tq.Puzzle(board).goal).shape == (0,)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(9),
        np.zeros((2, 3, 3), np.int64),
        np.arange(16).reshape(2, 8),
        np.array([[1, 2, 3, 4, 5, 6, 7, 8, 0], [1, 1, 3, 4, 5, 6, 7, 8, 0]]),
        np.array([[1, 2, 3, 4, 5, 6, 7, 8, 9]]),
        np.array([[1, 2, 3, 4, 5, 6, 7, 9, 0]]),
        np.array([[-1, 2, 3, 4, 5, 6, 7, 8, 0]]),
        np.array([[1, 2, 3, 4, 5, 6, 7, 2**40, 0]]),
        np.array([[0, 0, 3, 4, 5, 6, 7, 8, 1]]),
        np.array([[1.5, 2, 3, 4, 5, 6, 7, 8, 0]]),
        np.array([list("123456780")]),
    ],
    ids=[
        "one axis", "three axes", "too narrow", "twice", "no blank", "beyond", "negative",
        "huge", "two blanks", "fraction", "text",
    ],
)  # fmt: skip
def test_solvable_many_refuses_what_is_no_board(array: np.ndarray) -> None:
    board = MANY_BOARDS["3x3"]
    with pytest.raises(TaquinError) as caught:
        solvable_many(array, board, tq.Puzzle(board).goal)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value)


@pytest.mark.parametrize("row", [0, 999])
def test_solvable_many_names_the_bad_row(row: int) -> None:
    board = MANY_BOARDS["3x3"]
    array = np.tile(np.array([1, 2, 3, 4, 5, 6, 7, 8, 0]), (1000, 1))
    array[row, 0] = 2
    with pytest.raises(TaquinError, match=rf"\b({row}|{row + 1})\b"):
        solvable_many(array, board, tq.Puzzle(board).goal)


def test_solvable_many_is_at_the_top_of_the_package() -> None:
    board = MANY_BOARDS["3x3"]
    array = np.array([[1, 2, 3, 4, 5, 6, 7, 8, 0], [2, 1, 3, 4, 5, 6, 7, 8, 0]])
    assert tq.solvable_many(array, board, tq.Puzzle(board).goal).tolist() == [True, False]
