"""The compiled passes against their slow twins."""

from itertools import permutations, product

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from taquin import kernels
from taquin.board import Board
from taquin.errors import InvalidState
from taquin.solvability import solvable_many
from taquin.state import State

DTYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


def shuffled(n: int, count: int, seed: int = 0) -> NDArray[np.int64]:
    rows = np.tile(np.arange(n), (count, 1))
    return np.random.default_rng(seed).permuted(rows, axis=1)


def parities_by_twin(rows: NDArray[np.int64]) -> list[int]:
    return [naive.pairs_out_of_order(row) % 2 for row in rows.tolist()]


def test_every_permutation_of_up_to_seven() -> None:
    for n in range(1, 8):
        rows = np.array(list(permutations(range(n))))
        found, bad = kernels.parities(rows)
        assert bad == -1
        assert found.tolist() == parities_by_twin(rows)


def test_every_row_of_small_numbers_is_judged() -> None:
    """Each of the 5^4 rows, alone: is it a permutation?"""
    for row in product(range(-1, 5), repeat=4):
        _, bad = kernels.parities(np.array([row]))
        assert (bad == -1) == naive.is_permutation(row)


@pytest.mark.parametrize("n", [2, 16, 25, 31, 32, 33, 63, 64, 65, 100, 128, 130, 300])
@pytest.mark.parametrize("dtype", DTYPES)
def test_types_and_lengths(n: int, dtype: type) -> None:
    if n - 1 > np.iinfo(dtype).max:
        return
    rows = shuffled(n, 150 if n < 60 else 12, seed=n)
    found, bad = kernels.parities(rows.astype(dtype))
    assert bad == -1
    assert found.dtype == np.uint8
    assert found.tolist() == parities_by_twin(rows)


@pytest.mark.parametrize("n", [16, 40])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int64])
def test_layouts(n: int, dtype: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "BLOCK_NUMBERS", 100)  # several blocks
    rows = shuffled(n, 200, seed=1)
    wanted = parities_by_twin(rows)
    plain = rows.astype(dtype)
    wide = np.zeros((400, 2 * n), dtype)
    wide[::2, ::2] = plain
    locked = plain.copy()
    locked.flags.writeable = False
    swapped = plain.astype(plain.dtype.newbyteorder())
    for form in (np.asfortranarray(plain), wide[::2, ::2], locked, swapped, plain[::-1][::-1]):
        found, bad = kernels.parities(form)
        assert bad == -1
        assert found.tolist() == wanted
    assert (plain == rows).all()


@pytest.mark.parametrize("n", [16, 32, 40, 130])
@pytest.mark.parametrize("at", [0, 1, 127, 128, 255, 299])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_first_bad_row_is_found(n: int, at: int, workers: int) -> None:
    rng = np.random.default_rng(at)
    good = shuffled(n, 300, seed=at)
    twice = (good[at, 0] + 1) % n
    for wrong in (twice, n, n + 1, n + 64, -1, -n, 2**32, 2**32 + 5, -(2**40)):
        rows = good.copy()
        rows[at, 0] = wrong
        later = rng.integers(at, 300)
        rows[later, n - 1] = -7
        assert kernels.parities(rows, workers=workers)[1] == at


@pytest.mark.parametrize("n", [130, 200, 256])
def test_negative_bytes_are_no_labels(n: int) -> None:
    rows = shuffled(n, 3).astype(np.uint8).view(np.int8)
    assert kernels.parities(rows)[1] == 0  # they would be labels if the sign were overlooked


def test_parity_against_a_goal() -> None:
    rows = shuffled(9, 50)
    goal = shuffled(9, 1, seed=9)[0]
    place = {int(label): i for i, label in enumerate(goal)}
    relative = np.array([[place[label] for label in row] for row in rows.tolist()])
    assert kernels.parities(rows, goal)[0].tolist() == parities_by_twin(relative)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("shape", [(3, 3), (4, 4), (2, 7), (5, 7), (2, 2, 2), (3, 3, 4)])
def test_solvable_rows_agree_with_the_rule(shape: tuple[int, ...], workers: int) -> None:
    board = Board.grid(*shape)
    rows = shuffled(board.n, 300, seed=3)
    goal = shuffled(board.n, 1, seed=4)[0]
    colours = np.array(list(board.colours or ()))
    found = kernels.solvable_rows(rows, goal, colours, workers)
    wanted = [naive.rule_of_distance(row, goal.tolist(), shape) for row in rows.tolist()]
    assert found.dtype == np.bool_
    assert found.tolist() == wanted


def test_all_boards_of_3x2_against_the_moves() -> None:
    near = naive.grid_neighbours((3, 2))
    classes = naive.classes(near)
    rows = np.array(list(classes))
    board = Board.grid(3, 2)
    for goal in [(0, 1, 2, 3, 4, 5), (5, 4, 3, 0, 2, 1)]:
        found = solvable_many(rows, board, State(goal, board))
        assert found.tolist() == [classes[row] == classes[goal] for row in classes]


def test_faults_name_the_row() -> None:
    board = Board.grid(2, 2)
    goal = State([1, 2, 3, 0], board)
    rows = np.array([[1, 2, 3, 0], [1, 1, 3, 0], [9, 9, 9, 9]])
    with pytest.raises(InvalidState, match="row 1: missing: 2; more than once: 1"):
        solvable_many(rows, board, goal)
    with pytest.raises(TypeError, match="integers"):
        kernels.parities(rows / 2)
    with pytest.raises(ValueError, match="goal"):
        kernels.solvable_rows(rows, rows[1], np.zeros(4))


def test_no_rows() -> None:
    assert kernels.parities(np.zeros((0, 16), np.int64))[0].shape == (0,)
    assert kernels.solvable_rows(np.zeros((0, 4), int), np.arange(4), np.zeros(4)).shape == (0,)


@given(st.integers(1, 200), st.integers(0, 2**32 - 1))
def test_cycles_and_parity_of_one(n: int, seed: int) -> None:
    p = np.random.default_rng(seed).permutation(n).astype(np.int32)
    assert kernels.cycles_of(p) == naive.orbits(p.tolist())
    assert kernels.parity_of(p) == (n - kernels.cycles_of(p)) % 2


@given(st.lists(st.integers(-1, 5), min_size=1, max_size=6))
def test_what_is_no_permutation(numbers: list[int]) -> None:
    p = np.array(numbers)
    good = naive.is_permutation(numbers)
    assert (kernels.cycles_of(p) >= 0) == (kernels.parity_of(p) >= 0) == good
