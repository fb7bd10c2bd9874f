"""Permutations of 0..n-1: parity, cycles, inversions, Lehmer digits, rank.

A permutation is any sequence of integers that holds each of 0..n-1 once: list, tuple, array.

Short ones are answered by plain Python. Long ones are handed to compiled twins as soon as that
pays: from 20,000 numbers on where Numba is loaded already, from 500,000 where it is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from taquin.errors import InvalidState
from taquin.jit import compiled, worth_compiling
from taquin.state import label_faults


def parity(p: Sequence[int] | Any) -> int:
    """Return 0 for an even permutation, 1 for an odd one.

    Raises
    ------
    InvalidState
        If `p` is not a permutation of 0..n-1; the message names the fault.

    Notes
    -----
    A cycle of k elements is k - 1 transpositions, so the parity is that of n minus the number of
    cycles (Cauchy 1815). Cost: O(n); the compiled twin counts bits instead (`taquin.kernels`)
    and takes about 8 ms for a million numbers.

    Examples
    --------
    >>> parity([1, 2, 0]), parity([1, 0, 2])
    (0, 1)
    """
    if not worth_compiling(len(p)):
        return (len(p) - cycles(p)) % 2
    from taquin.kernels import parity_of

    return _checked(parity_of(_array(p)), p)


def cycles(p: Sequence[int] | Any) -> int:
    """Return the number of cycles, fixed elements included. Cost: O(n).

    Raises
    ------
    InvalidState
        If `p` is not a permutation of 0..n-1.

    Examples
    --------
    >>> cycles([0, 2, 1, 3])
    3
    """
    if not worth_compiling(len(p)):
        return _checked(_count_cycles(_list(p)), p)
    from taquin.kernels import cycles_of

    return _checked(cycles_of(_array(p)), p)


def _count_cycles(p: list[int]) -> int:
    n = len(p)
    seen = bytearray(n)
    count = 0
    for start in range(n):
        if seen[start]:
            continue
        count += 1
        at = start
        while not seen[at]:
            seen[at] = 1
            at = p[at]
            if not 0 <= at < n:
                return -1
        if at != start:  # two elements lead to the same place
            return -1
    return count


def inversions(p: Sequence[int] | Any) -> int:
    """Return the number of pairs i < j with p[i] > p[j].

    `p` may be any sequence of integers, with gaps and equal ones (which are no inversion): the
    labels of a board without its blank, for instance.

    Notes
    -----
    Merge sort (von Neumann 1945), counting whenever an element of the right half overtakes what
    is left of the left half (Knuth, The Art of Computer Programming 3, exercise 5.2.4-21).
    Cost: O(n log n).

    Examples
    --------
    >>> inversions([3, 1, 2]), inversions([1, 1, 0])
    (2, 2)
    """
    n = len(p)
    count = compiled(_merge_count, n)
    if count is _merge_count:
        return count(_list(p), [0] * n)
    numbers = _array(p).copy()
    return int(count(numbers, numbers.copy()))


def _merge_count(numbers: Any, buffer: Any) -> int:
    """Sort `numbers` bottom-up, using `buffer` of the same length; return the inversions."""
    n = len(numbers)
    total = 0
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            left, right = low, middle
            for k in range(low, high):
                if left < middle and (right >= high or numbers[left] <= numbers[right]):
                    buffer[k] = numbers[left]
                    left += 1
                else:
                    buffer[k] = numbers[right]
                    right += 1
                    total += middle - left
        numbers, buffer = buffer, numbers
        width *= 2
    return total


def lehmer(p: Sequence[int] | Any) -> list[int]:
    """Return the Lehmer digits: for each i, how many j > i have p[j] < p[i].

    Their sum is the number of inversions; digit i is below n - i.

    Notes
    -----
    Lehmer (1960), after Laisant (1888). The later elements are kept in a binary indexed tree
    (Fenwick 1994). Cost: O(n log n).

    Raises
    ------
    InvalidState
        If `p` is not a permutation of 0..n-1.

    Examples
    --------
    >>> lehmer([2, 0, 3, 1])
    [2, 0, 1, 0]
    """
    _checked(cycles(p), p)
    n = len(p)
    fill = compiled(_lehmer_digits, n)
    if fill is _lehmer_digits:
        digits = [0] * n
        fill(_list(p), [0] * (n + 1), digits)
        return digits
    import numpy as np

    found = np.zeros(n, np.int64)
    fill(_array(p), np.zeros(n + 1, np.int64), found)
    return [int(digit) for digit in found]


def _lehmer_digits(p: Any, tree: Any, digits: Any) -> None:
    """Fill `digits`; `tree` is a cleared binary indexed tree over n + 1 places."""
    n = len(p)
    for i in range(n - 1, -1, -1):
        at = p[i]
        while at > 0:  # elements after i and below p[i]
            digits[i] += tree[at]
            at -= at & -at
        at = p[i] + 1
        while at <= n:
            tree[at] += 1
            at += at & -at


def unlehmer(digits: Sequence[int] | Any) -> list[int]:
    """Return the permutation with the given Lehmer digits.

    Notes
    -----
    Cost: n deletions from a list, O(n^2) moves of memory but under a second for 10^5 digits.

    Raises
    ------
    InvalidState
        If digit i is not in 0..n-1-i.

    Examples
    --------
    >>> unlehmer([2, 0, 1, 0])
    [2, 0, 3, 1]
    """
    left = list(range(len(digits)))
    p = []
    for i, digit in enumerate(digits):
        if not 0 <= digit < len(left):
            raise InvalidState(
                f"digit {i} of {len(digits)} Lehmer digits is {digit}: expected 0..{len(left) - 1}"
            )
        p.append(left.pop(digit))
    return p


def rank(p: Sequence[int] | Any) -> int:
    """Return the number of `p` among all permutations of 0..n-1 in lexicographic order, from 0.

    The Lehmer digits are read as a number in the factorial base (Laisant 1888). Cost:
    O(n log n) steps and n multiplications of large integers.

    Examples
    --------
    >>> rank([0, 1, 2]), rank([2, 1, 0])
    (0, 5)
    """
    value = 0
    for i, digit in enumerate(lehmer(p)):
        value = value * (len(p) - i) + digit
    return value


def unrank(r: int, n: int) -> list[int]:
    """Return permutation number `r`, 0 <= r < n!, of 0..n-1 in lexicographic order.

    Raises
    ------
    InvalidState
        If there is no permutation with this number.

    Examples
    --------
    >>> unrank(5, 3)
    [2, 1, 0]
    """
    digits, value = [], r
    for base in range(1, n + 1):
        value, digit = divmod(value, base)
        digits.append(digit)
    if value != 0:  # also of a negative number
        raise InvalidState(f"no permutation of {n} elements has the number {r}: 0..{n}!-1 do")
    return unlehmer(digits[::-1])


# -- ways in ---------------------------------------------------------------------------------------


def _list(p: Any) -> list[int]:
    return list(p.tolist() if hasattr(p, "tolist") else p)


def _array(p: Any) -> Any:
    """Return an array of integers; numbers too large for 64 bits are an error like others."""
    import numpy as np

    try:
        numbers = np.asarray(p)
    except OverflowError:
        numbers = np.asarray(p, object)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise InvalidState(
            f"expected whole numbers in one row; got {numbers.dtype} of shape {numbers.shape}"
        )
    return numbers


def _checked(answer: int, p: Any) -> int:
    """Return `answer`, or raise the fault of `p` if it is -1."""
    if answer >= 0:
        return answer
    faults = label_faults(Counter(_list(p)), len(p))
    raise InvalidState("expected each of 0..n-1 once; " + "; ".join(faults))
