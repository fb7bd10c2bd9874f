"""Compiled passes over permutations: one long one, or many rows of a (B, n) array.

**Parity without a double loop.** Let ``seen`` be the set of labels met so far, one bit each. The
bits of ``seen >> label`` are the greater labels before this one, the inversions that it adds. The
parity of a sum of bit counts is the parity of the exclusive or of the words, so

    mixed ^= seen >> label;   seen |= 1 << label

for each label, and one fold at the end, gives the parity of a permutation in O(n). Rows of up to
32 labels do this for 128 rows side by side, in vector registers. Longer ones keep ``seen`` as a
tree of words, 64 children to a node: a bit of a higher level is the parity of the word below it.
The tree of a million labels is 127 KB, and no step waits for the one before, as it does when
cycles are followed through memory.

**The blank's colour for nothing.** Only label 0 leaves bit 0 of ``seen`` in place, and before the
blank has been met that bit is free: set to the colour of the cell at hand, it adds the colour of
the blank's cell to the parity.

Everything here sees arrays only; `taquin.permutation` and `taquin.solvability` are the doors.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.jit import kernel

# Rows of up to this length go side by side, their sets in words of this many bits.
LANE_BITS = 32
# So many rows at once: the labels of 4 x 4 boards and all sets then fit in the first cache.
LANES = 128
# Rows that cannot be read in place are copied in blocks of about this many numbers.
BLOCK_NUMBERS = 1 << 16


class BadRow(ValueError):
    """A row that is no permutation of 0..n-1.

    Attributes
    ----------
    row : int
        The number of the first such row, counted from 0.
    """

    def __init__(self, row: int) -> None:
        super().__init__(f"row {row} is no permutation of 0..n-1")
        self.row = row


# -- doors -----------------------------------------------------------------------------------------


def solvable_rows(
    array: NDArray[Any], goal_tiles: NDArray[Any], colours: NDArray[Any], workers: int = 1
) -> NDArray[np.bool_]:
    """Decide many states of a board whose rule is plain parity.

    A state reaches the goal exactly if the parity of its labels against the goal's equals the
    colour of the blank's cell against that of the goal's blank (Johnson & Story 1879; Wilson
    1974 names the boards).

    Parameters
    ----------
    array : (B, n) integers, any type and memory order
        The labels 0..n-1 of each state, cell by cell; 0 is the blank.
    goal_tiles : (n,) integers
        The labels of the goal.
    colours : (n,) integers
        0 or 1 for each cell, so that neighbours differ.
    workers : int
        Threads; the rows are shared out among them.

    Returns
    -------
    (B,) array of bool

    Raises
    ------
    BadRow
        For the first row that is no permutation of 0..n-1.

    Notes
    -----
    Cost: O(B n), about ten nanoseconds a 4 x 4 board; B bytes beside the result, whatever
    the input's type (rows that need converting are copied in blocks of 2^16 numbers).

    Examples
    --------
    >>> rows = np.array([[1, 2, 3, 0], [2, 1, 3, 0]])
    >>> solvable_rows(rows, rows[0], np.array([0, 1, 1, 0]))
    array([ True, False])
    """
    odd = np.asarray(colours).astype(np.uint64)
    wanted = np.asarray(goal_tiles).reshape(1, -1)
    bits = np.empty(1, np.uint8)
    bad = _pass(wanted, odd, bits)
    if bad >= 0:
        raise ValueError("the goal is no permutation of 0..n-1")
    found, bad = _shared(array, odd, workers)
    if bad >= 0:
        raise BadRow(bad)
    np.equal(found, bits[0], out=found)
    return found.view(np.bool_)


def parities(
    array: NDArray[Any], goal_order: NDArray[Any] | None = None, workers: int = 1
) -> tuple[NDArray[np.uint8], int]:
    """Return the parity of each row against `goal_order`, and the first bad row or -1.

    Parameters
    ----------
    array : (B, n) integers, any type and memory order
    goal_order : (n,) integers, optional
        The order that counts as even; 0..n-1 if not given.
    workers : int
        Threads.

    Returns
    -------
    (B,) array of uint8, int
        0 for even and 1 for odd, undefined from a bad row on; the number of the first row that is
        no permutation of 0..n-1, or -1.

    Examples
    --------
    >>> parities(np.array([[0, 1, 2], [1, 0, 2]]))
    (array([0, 1], dtype=uint8), -1)
    """
    none = np.zeros(array.shape[-1], np.uint64)
    found, bad = _shared(array, none, workers)
    if goal_order is not None:
        base = np.empty(1, np.uint8)
        _pass(np.asarray(goal_order).reshape(1, -1), none, base)
        found ^= base[0]
    return found, bad


def parity_of(p: NDArray[Any]) -> int:
    """Return the parity of one permutation, or -1 if `p` is none. Cost: O(n), 8 ms for 10^6."""
    found, bad = parities(p.reshape(1, -1))
    return int(found[0]) if bad < 0 else -1


def cycles_of(p: NDArray[Any]) -> int:
    """Return the number of cycles of a permutation, or -1 if `p` is none. Cost: O(n)."""
    seen = np.zeros(len(p) // 64 + 1, np.uint64)
    return int(_count_cycles(_unsigned(p, len(p)), seen))


# -- ways in ---------------------------------------------------------------------------------------


def _shared(
    array: NDArray[Any], odd: NDArray[np.uint64], workers: int
) -> tuple[NDArray[np.uint8], int]:
    """Run `_pass` over equal slices of the rows in a pool of threads."""
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise TypeError(
            f"expected a (B, n) array of integers; got {array.dtype} of shape {array.shape}"
        )
    rows = len(array)
    out = np.empty(rows, np.uint8)
    workers = max(1, min(workers, rows))
    cuts = [rows * k // workers for k in range(workers + 1)]

    def part(k: int) -> int:
        low, high = cuts[k], cuts[k + 1]
        bad = _pass(array[low:high], odd, out[low:high])
        return bad if bad < 0 else low + bad

    if workers == 1:
        return out, part(0)
    with ThreadPoolExecutor(workers) as pool:
        return out, next((bad for bad in pool.map(part, range(workers)) if bad >= 0), -1)


def _pass(rows: NDArray[Any], odd: NDArray[np.uint64], out: NDArray[np.uint8]) -> int:
    """Choose the kernel by the length of the rows, and feed it what it can read in place."""
    count, n = rows.shape
    if n == 0:
        out[:] = 0
        return -1
    run: Callable[[NDArray[Any], NDArray[np.uint8]], int]
    if n <= LANE_BITS:
        lanes = np.empty((n, LANES), np.uint32)
        seen, mixed = np.empty((2, LANES), np.uint32)
        narrow = odd.astype(np.uint32)

        def run(block: NDArray[Any], result: NDArray[np.uint8]) -> int:
            return int(_short_rows(block, narrow, lanes, seen, mixed, result))
    else:
        base = _levels(n)
        tree = np.zeros(int(base[-1]), np.uint64)

        def run(block: NDArray[Any], result: NDArray[np.uint8]) -> int:
            return int(_long_rows(block, odd, tree, base[:-1], result))

    in_place = rows.flags.c_contiguous and rows.flags.writeable and rows.dtype.isnative
    step = count if in_place else max(1, BLOCK_NUMBERS // n)
    for low in range(0, count, max(1, step)):
        block = rows[low : low + step]
        bad = run(_unsigned(block, n), out[low : low + step])
        if bad >= 0:
            return low + bad
    return -1


def _unsigned(block: NDArray[Any], n: int) -> NDArray[Any]:
    """Return the numbers as a writeable block of unsigned ones, copied only if need be.

    A negative label becomes a great one, out of range. The kernels are thus compiled for four
    types of arrays, not for every sign, order and flag.
    """
    dtype = block.dtype.newbyteorder("=")
    if dtype.kind == "i" and n > np.iinfo(dtype).max + 1:  # -1 would become a label in range
        dtype = np.dtype(np.int64)
    block = np.require(block, dtype, ["C", "W"])
    return block.view(f"u{dtype.itemsize}")


def _levels(n: int) -> NDArray[np.uint64]:
    """Return where each level of the tree of `n` bits begins, and its size as the last entry."""
    base = [0]
    while n > 1:
        n = -(-n // 64)
        base.append(base[-1] + n)
    return np.array(base, np.uint64)


# -- kernels ---------------------------------------------------------------------------------------


@kernel
def _short_rows(rows: Any, odd: Any, lanes: Any, seen: Any, mixed: Any, out: Any) -> Any:
    """Write parity xor colour of the blank for each row; return the first bad row or -1."""
    n = np.uint64(rows.shape[1])
    width = np.uint64(lanes.shape[1])
    one, low = np.uint32(1), np.uint32(31)
    full = np.uint32(np.uint64(0xFFFFFFFF) >> (np.uint64(32) - n))
    for first in range(np.uint64(0), np.uint64(len(rows)), width):
        count = min(width, np.uint64(len(rows)) - first)
        greatest = np.uint64(0)  # not below the greatest label, and below 32 if that is
        for k in range(count):
            for i in range(n):
                wide = np.uint64(rows[first + k, i])
                greatest |= wide
                lanes[i, k] = np.uint32(wide)
            seen[k] = mixed[k] = 0
        for i in range(n):
            colour = odd[i]
            for k in range(count):
                label, before = lanes[i, k] & low, seen[k]
                mixed[k] ^= (before | colour) >> label
                seen[k] = before | one << label
        wrong = greatest >> np.uint64(5)
        for k in range(count):
            wrong |= np.uint64(seen[k] ^ full)
        if wrong:
            for k in range(count):
                greatest = np.uint64(0)
                for i in range(n):
                    greatest = max(greatest, np.uint64(rows[first + k, i]))
                if greatest >= n or seen[k] != full:
                    return np.int64(first + k)
        for k in range(count):
            word = mixed[k]
            word ^= word >> np.uint32(16)
            word ^= word >> np.uint32(8)
            word ^= word >> np.uint32(4)
            word ^= word >> np.uint32(2)
            word ^= word >> np.uint32(1)
            out[first + k] = np.uint8(word & one)
    return -1


@kernel
def _long_rows(rows: Any, odd: Any, tree: Any, base: Any, out: Any) -> Any:
    """Do as `_short_rows` for rows of any length; `tree` is cleared, and left so.

    Level j begins at ``tree[base[j]]``.
    """
    n = np.uint64(rows.shape[1])
    levels = np.uint64(len(base))
    one, low, six = np.uint64(1), np.uint64(63), np.uint64(6)
    for row in range(np.uint64(len(rows))):
        mixed = np.uint64(0)
        for i in range(n):
            label = np.uint64(rows[row, i])
            if label >= n or tree[label >> six] >> (label & low) & one:
                return np.int64(row)
            if label == 0:
                mixed ^= odd[i]
            place = label
            for level in range(levels):
                at, bit = base[level] + (place >> six), place & low
                node = tree[at]
                mixed ^= node >> bit >> one
                tree[at] = node ^ (one << bit)
                place >>= six
        for half in (32, 16, 8, 4, 2, 1):
            mixed ^= mixed >> np.uint64(half)
        out[row] = np.uint8(mixed & one)
        tree[:] = 0
    return -1


@kernel
def _count_cycles(p: Any, seen: Any) -> int:
    """Count the cycles of `p`, or return -1 if it is no permutation; `seen` is n cleared bits."""
    n = np.uint64(len(p))
    one, low, six = np.uint64(1), np.uint64(63), np.uint64(6)
    cycles = 0
    for start in range(n):
        if seen[start >> six] >> (start & low) & one:
            continue
        cycles += 1
        at = np.uint64(start)
        while not seen[at >> six] >> (at & low) & one:
            seen[at >> six] |= one << (at & low)
            at = np.uint64(p[at])
            if at >= n:
                return -1
        if at != start:
            return -1
    return cycles
