"""Permutations: exhaustive where small, against slow twins where not, and inverse pairs."""

from itertools import permutations
from math import factorial

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import permutation as pm
from taquin.errors import InvalidState

orders = st.integers(1, 40).flatmap(lambda n: st.permutations(range(n)))


@pytest.fixture(params=["plain", "compiled"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both twins of each function: plain Python, and compiled whatever the length."""
    compiled = request.param == "compiled"
    monkeypatch.setattr("taquin.jit.COMPILE_FROM", 0 if compiled else 10**9)
    monkeypatch.setattr("taquin.jit.IMPORT_FROM", 0 if compiled else 10**9)
    return str(request.param)


def test_every_permutation_of_up_to_six(way: str) -> None:
    for n in range(1, 7):
        ranks = []
        for p in permutations(range(n)):
            pairs = naive.pairs_out_of_order(p)
            assert pm.inversions(p) == pairs
            assert pm.parity(p) == pairs % 2 == (n - pm.cycles(p)) % 2
            assert pm.cycles(p) == naive.orbits(p)
            assert sum(pm.lehmer(p)) == pairs
            assert pm.unlehmer(pm.lehmer(p)) == list(p)
            ranks.append(pm.rank(p))
            assert pm.unrank(ranks[-1], n) == list(p)
        assert ranks == list(range(factorial(n)))  # permutations() goes in lexicographic order


@pytest.mark.parametrize("n", [63, 64, 65, 700, 4097])
@pytest.mark.parametrize("kind", [list, tuple, np.int16, np.uint32, np.int64])
def test_long_ones_in_any_form(way: str, n: int, kind: type) -> None:
    p = np.random.default_rng(n).permutation(n)
    given_ = kind(p.tolist()) if kind in (list, tuple) else p.astype(kind)
    q = p.tolist()
    pairs = naive.pairs_out_of_order(q) if n < 1000 else int(np.triu(p[:, None] > p).sum())
    assert pm.inversions(given_) == pairs
    assert pm.parity(given_) == pairs % 2 == (n - pm.cycles(given_)) % 2
    digits = pm.lehmer(given_)
    assert sum(digits) == pairs
    assert pm.unlehmer(digits) == q
    assert all(type(digit) is int for digit in digits)


@given(orders, st.sampled_from([np.int8, np.int64, np.uint16]))
def test_inverse_pairs(p: list[int], dtype: type) -> None:
    assert pm.unlehmer(pm.lehmer(p)) == p
    assert pm.unrank(pm.rank(np.array(p, dtype)), len(p)) == p


@given(orders, st.data())
def test_a_swap_turns_the_parity(p: list[int], data: st.DataObject) -> None:
    if len(p) == 1:
        return
    i, j = data.draw(st.lists(st.integers(0, len(p) - 1), min_size=2, max_size=2, unique=True))
    q = list(p)
    q[i], q[j] = q[j], q[i]
    assert pm.parity(q) != pm.parity(p)
    assert abs(pm.cycles(q) - pm.cycles(p)) == 1


@given(st.lists(st.integers(-5, 5), max_size=40))
def test_inversions_of_any_numbers(numbers: list[int]) -> None:
    before = list(numbers)
    assert pm.inversions(numbers) == naive.pairs_out_of_order(numbers)
    assert numbers == before  # the argument is left alone


def test_arrays_are_left_alone(way: str) -> None:
    p = np.random.default_rng(5).permutation(100)
    before = p.copy()
    p.flags.writeable = False
    for function in (pm.parity, pm.cycles, pm.inversions, pm.lehmer, pm.rank):
        function(p)
    assert (p == before).all()
    assert pm.inversions(p[::2]) == naive.pairs_out_of_order(p[::2].tolist())


@pytest.mark.parametrize(
    ("p", "fault"),
    [
        ([0, 0], "missing: 1; more than once: 0 "),
        ([1, 2], "missing: 0 .*; out of range 0..1: 2"),
        ([0, -1, 2], "missing: 1; out of range 0..2: -1"),
        ([0, 1, 3], "missing: 2; out of range"),
        ([1, 1, 0], "missing: 2; more than once: 1"),
        ([0, 10**15], "out of range"),
    ],
)
@pytest.mark.parametrize("function", [pm.parity, pm.cycles, pm.lehmer, pm.rank])
def test_faults_are_named(way: str, function: object, p: list[int], fault: str) -> None:
    with pytest.raises(InvalidState, match=fault):
        function(p)  # type: ignore[operator]


def test_faults_of_digits_and_ranks() -> None:
    with pytest.raises(InvalidState, match=r"digit 1 of 2 Lehmer digits is 1: expected 0..0"):
        pm.unlehmer([0, 1])
    for bad in (6, -1):
        with pytest.raises(InvalidState, match=f"number {bad}"):
            pm.unrank(bad, 3)
    with pytest.raises(InvalidState, match="whole numbers"):
        pm._array([0.5, 1.0])


def test_nothing_is_even() -> None:
    assert (pm.parity([]), pm.cycles([]), pm.inversions([]), pm.lehmer([])) == (0, 0, 0, [])
    assert (pm.rank([]), pm.unrank(0, 0)) == (0, [])
