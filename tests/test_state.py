"""States: immutable, compared by value, written and read back on every kind of board."""

from __future__ import annotations

import copy
import pickle
import random

import naive
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import Board, State
from taquin.errors import IllegalMove, InvalidState, TaquinError

BOARDS = [
    Board.grid(1),
    Board.grid(2),
    Board.grid(1, 5),
    Board.grid(5, 1),
    Board.grid(5),
    Board.grid(2, 2),
    Board.grid(2, 3),
    Board.grid(3, 3),
    Board.grid(4, 4),
    Board.grid(3, 5),
    Board.grid(4, 3),
    Board.grid(10, 11),
    Board.grid(2, 2, 2),
    Board.grid(2, 3, 4),
    Board.grid(2, 2, 2, 2),
    Board.grid(3, 3, wrap=(0, 1)),
    Board.grid(3, 4, wrap=(1,)),
    Board.draw("...|.#.|..."),
    Board.draw("#.|..|.#"),
    Board.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)]),
    Board.from_edges([(i, i + 1) for i in range(11)]),
    Board.from_networkx(nx.petersen_graph()),
]
EIGHT = (1, 2, 3, 4, 5, 6, 0, 7, 8)


@st.composite
def states(draw: st.DrawFn) -> State:
    board = draw(st.sampled_from(BOARDS))
    return State(draw(st.permutations(range(board.n))), board)


def eight() -> State:
    return State(EIGHT, Board.grid(3, 3))


# -- a value -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tiles", "blank", "board", "something"])
def test_a_state_never_changes(name: str) -> None:
    state = eight()
    with pytest.raises(AttributeError):
        setattr(state, name, 3)
    with pytest.raises((AttributeError, TypeError)):
        delattr(state, name)
    with pytest.raises(TypeError):
        state[0] = 5  # type: ignore[index]
    assert state == eight()
    assert state.tiles == EIGHT


def test_the_list_it_was_made_of_may_change() -> None:
    tiles = list(EIGHT)
    state = State(tiles, Board.grid(3, 3))
    tiles[0] = 9
    assert state == eight()


def test_parts() -> None:
    state = eight()
    assert state.tiles == EIGHT
    assert isinstance(state.tiles, tuple)
    assert state.blank == 6
    assert state.board == Board.grid(3, 3)
    assert list(state) == list(EIGHT)
    assert len(state) == 9
    assert state[4] == 5
    assert [state.cell_of(tile) for tile in range(9)] == [6, 0, 1, 2, 3, 4, 5, 7, 8]


@given(states(), st.randoms(use_true_random=False))
def test_equality_and_hash_follow_the_value(state: State, rng: random.Random) -> None:
    again = State(list(state.tiles), Board.parse(state.board.spec))
    assert again == state
    assert hash(again) == hash(state)
    assert len({state, again}) == 1
    other = State(rng.sample(state.tiles, len(state)), state.board)
    assert (other == state) is (other.tiles == state.tiles)
    assert state != state.tiles
    assert state != str(state)


def test_the_same_tiles_on_another_board_are_another_state() -> None:
    tiles = (1, 2, 3, 4, 5, 0)
    assert State(tiles, Board.grid(2, 3)) != State(tiles, Board.grid(3, 2))
    assert State(tiles, Board.grid(2, 3)) != State(tiles, Board.grid(2, 3, wrap=(1,)))


@given(states())
def test_repr_pastes_back(state: State) -> None:
    assert eval(repr(state)) == state


@given(states())
def test_what_is_printed_reads_back(state: State) -> None:
    """``State.parse(str(s)) == s`` on every board, and without being told the board."""
    assert "\n" not in str(state)
    assert State.parse(str(state)) == state
    assert State.parse(str(state), state.board) == state


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_every_board_prints_and_reads_back(board: Board) -> None:
    rng = random.Random(board.n)
    for _ in range(5):
        state = State(rng.sample(range(board.n), board.n), board)
        assert State.parse(str(state)) == state
        assert State.parse(str(state), board) == state
        assert eval(repr(state)) == state


def test_the_printed_form_of_a_grid() -> None:
    assert str(eight()) == "1 2 3 / 4 5 6 / 0 7 8"


@given(states())
def test_pickle_and_copy(state: State) -> None:
    for other in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
        assert other == state
        assert hash(other) == hash(state)
        assert (other.tiles, other.blank, other.board) == (state.tiles, state.blank, state.board)


def test_states_are_keys() -> None:
    number = {eight(): 1}
    assert number[State(list(EIGHT), Board.grid(3, 3))] == 1


# -- made of anything --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tiles",
    [
        list(EIGHT),
        np.array(EIGHT),
        np.array(EIGHT, np.uint8),
        iter(EIGHT),
        (tile for tile in EIGHT),
        range(9),
    ],
    ids=["list", "array", "bytes array", "iterator", "generator", "range"],
)
def test_tiles_of_any_kind_become_ints(tiles: object) -> None:
    state = State(tiles, Board.grid(3, 3))  # type: ignore[arg-type]
    assert state.tiles in (EIGHT, tuple(range(9)))
    assert all(type(tile) is int for tile in state.tiles)


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8, 8], ["missing", "0", "8"]),
        ([1, 2, 3, 4, 5, 6, 7, 0, 0], ["missing", "8", "0"]),
        ([1, 1, 3, 4, 5, 6, 7, 8, 0], ["missing", "2", "1"]),
        ([1, 2, 3, 4, 5, 6, 7, 9, 0], ["8", "9"]),
        ([-1, 2, 3, 4, 5, 6, 7, 8, 0], ["1", "-1"]),
        ([1, 2, 3, 4, 5, 6, 7, 8], ["8", "9"]),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 0], ["10", "9"]),
        ([], ["0", "9"]),
        ([1, 2, 3, 4, 5, 6, 7, 10**30, 0], ["8", str(10**30)]),
    ],
)
def test_faults_are_named(tiles: list[int], words: list[str]) -> None:
    with pytest.raises(InvalidState) as caught:
        State(tiles, Board.grid(3, 3))
    message = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, TaquinError)
    assert "\n" not in message
    for word in words:
        assert word in message


def test_missing_and_repeated_are_told_apart() -> None:
    with pytest.raises(InvalidState) as caught:
        State([1, 4, 3, 4, 5, 6, 7, 8, 0], Board.grid(3, 3))
    message = str(caught.value)
    assert "missing: 2" in message
    assert "4" in message.replace("missing: 2", "")
    assert "more than once" in message or "twice" in message


def test_a_long_list_of_faults_is_cut() -> None:
    with pytest.raises(InvalidState) as caught:
        State([1] * 10_000, Board.grid(100, 100))
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("label", ["1", 1.5, None, True, [1]])
def test_labels_that_are_no_numbers(label: object) -> None:
    with pytest.raises(InvalidState):
        State([label, 2, 3, 0], Board.grid(2, 2))  # type: ignore[list-item]


@pytest.mark.parametrize("tiles", [None, 5, "1230"])
def test_tiles_that_are_no_list(tiles: object) -> None:
    with pytest.raises(InvalidState):
        State(tiles, Board.grid(2, 2))  # type: ignore[arg-type]


# -- repeated labels ---------------------------------------------------------------------------


def test_repeated_labels_must_be_asked_for() -> None:
    board = Board.grid(2, 2)
    with pytest.raises(InvalidState):
        State((1, 1, 2, 0), board)
    state = State((1, 1, 2, 0), board, repeats=True)
    assert state.repeats
    assert not State((1, 3, 2, 0), board, repeats=True).repeats
    assert eval(repr(state)) == state
    assert pickle.loads(pickle.dumps(state)) == state
    assert state.moved(1).tiles == (1, 0, 2, 1)


@pytest.mark.parametrize("tiles", [(1, 1, 1, 1), (0, 0, 1, 1), (1, -1, 0, 2), (1, 0)])
def test_repeated_labels_still_have_one_blank(tiles: tuple[int, ...]) -> None:
    with pytest.raises(InvalidState):
        State(tiles, Board.grid(2, 2), repeats=True)


# -- moving ------------------------------------------------------------------------------------


@given(states())
def test_neighbours_are_the_slides(state: State) -> None:
    near = [list(state.board.neighbours(cell)) for cell in range(state.board.n)]
    found = state.neighbours()
    assert [other.tiles for _, other in found] == list(naive.slides(near, state.tiles))
    assert [letter for letter, _ in found] == [name for name, _ in state.board.moves(state.blank)]
    for _, other in found:
        assert other.moved(state.blank) == state
        assert other.tiles[other.blank] == 0
        assert State(other.tiles, other.board) == other


@given(states())
def test_moving_to_a_cell_that_is_no_neighbour(state: State) -> None:
    near = state.board.neighbours(state.blank)
    for to in {state.blank, -1, state.board.n, *range(min(6, state.board.n))} - set(near):
        with pytest.raises(IllegalMove) as caught:
            state.moved(to)
        assert str(to) in str(caught.value)


# -- as a matrix -------------------------------------------------------------------------------


def test_matrix() -> None:
    assert eight().matrix() == [[1, 2, 3], [4, 5, 6], [0, 7, 8]]
    assert State((1, 2, 3, 4, 5, 0), Board.grid(3, 2)).matrix() == [[1, 2], [3, 4], [5, 0]]
    assert State((1, 2, 0), Board.grid(3)).matrix() == [1, 2, 0]
    box = State((*range(1, 12), 0), Board.grid(2, 3, 2))
    assert box.matrix() == [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 0]]]
    walls = State((1, 2, 3, 4, 5, 6, 7, 0), Board.draw("...|.#.|..."))
    assert walls.matrix() == [[1, 2, 3], [4, None, 5], [6, 7, 0]]
    graph = State((1, 2, 0), Board.from_edges([(0, 1), (1, 2)]))
    assert graph.matrix() == [1, 2, 0]


@given(states())
def test_matrix_of_any_grid_is_its_reshaped_array(state: State) -> None:
    if state.board.shape is None or "walls" in state.board.spec:
        return
    expected = np.array(state.tiles).reshape(state.board.shape)
    assert np.array(state.matrix()).tolist() == expected.tolist()


def test_matrix_is_a_copy() -> None:
    state = eight()
    state.matrix()[0][0] = 99
    assert state == eight()
