"""From the sweep's rows to the table that a search reads, and back.

A sweep keeps a row of words for each cohort (`taquin.sweep.kernels`). A search asks for one entry
at a time, and the next one it asks for mostly has the same permutation in another cohort: so the
table is the transpose, a row for each permutation, in lexicographic order, and a bit for each
cohort (two where the board has no colours). Blocks of 64 by 64 bits are transposed in registers
and cache: every bit is read once and written once.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.sweep.cohorts import Layout
from taquin.sweep.compiled import compiled
from taquin.sweep.kernels import STATES

Words = npt.NDArray[np.uint64]
U64 = np.uint64
ONE = U64(1)


def cohort_order(layout: Layout) -> npt.NDArray[np.int64]:
    """The cohorts in the order of a table: set by set, the largest region of a set first.

    A blank is in the largest region, or in a small one that some tiles cut off: with the largest
    first, what has to be known of a set is where its few small regions are.
    """
    sets = np.repeat(np.arange(layout.first.size - 1), np.diff(layout.first))
    size = np.bitwise_count(layout.regions).astype(np.int64)
    return np.lexsort((-size, sets))


def row_words(cohorts: int) -> int:
    """Words of a permutation's row: a bit for each cohort, filled up to a whole word."""
    return -(-cohorts // 64)


def pack(planes: Words, k: int, order: npt.NDArray[np.int64], table: Words) -> None:
    """Fill the table of a sweep over k tiles.

    Parameters
    ----------
    planes : (1 or 2, cohorts, words) uint64
        Of `taquin.sweep.Table`, both halves of the permutations in each row.
    order : (cohorts,) int64
        See `cohort_order`.
    table : (k!, row words * planes) uint64, of zeros
        Entry c of a row is bit c; with two planes, bits 2 c and 2 c + 1.
    """
    _pack(planes, order, table, _ranks(k))


def unpack(table: Words, k: int, order: npt.NDArray[np.int64], planes: Words) -> None:
    """Fill the planes of a sweep from a table: the inverse of `pack`."""
    _unpack(table, order, planes, _ranks(k))


def _ranks(k: int) -> npt.NDArray[np.uint32]:
    """(words of a row, bits used of a word): the lexicographic rank of each bit of a row.

    The sweep's number of a permutation within its half is that of its digits but the last two; the
    digit left out is known from the half.
    """
    half = max(1, factorial(k) // 2)
    number = np.arange(half)
    parity = np.zeros(half, np.int64)
    rest = number.copy()
    for radix in range(3, k + 1):
        parity ^= rest % radix & 1
        rest //= radix
    both = np.concatenate([2 * number + (parity ^ side) for side in (0, 1)])
    if k == 1:
        both = np.zeros(1, np.int64)
    return both.astype(np.uint32).reshape(-1, min(STATES, half))


@compiled
def _transpose(block: Words) -> None:
    """Transpose 64 words as a matrix of bits, in place: halves, quarters ... (Warren 2002, 7-3)."""
    distance, mask = U64(32), U64(0xFFFFFFFF)
    while distance:
        i = U64(0)
        while i < U64(64):
            other = i | distance
            change = ((block[i] >> distance) ^ block[other]) & mask
            block[other] ^= change
            block[i] ^= change << distance
            i = (other + ONE) & ~distance
        distance >>= ONE
        mask ^= mask << distance


@compiled
def _spread(word: Any) -> Any:
    """The low 32 bits, each at twice its place."""
    word &= U64(0xFFFFFFFF)
    word = (word | (word << U64(16))) & U64(0x0000FFFF0000FFFF)
    word = (word | (word << U64(8))) & U64(0x00FF00FF00FF00FF)
    word = (word | (word << U64(4))) & U64(0x0F0F0F0F0F0F0F0F)
    word = (word | (word << U64(2))) & U64(0x3333333333333333)
    return (word | (word << ONE)) & U64(0x5555555555555555)


@compiled
def _gathered(word: Any) -> Any:
    """The bits at even places, moved together: the inverse of `_spread`."""
    word &= U64(0x5555555555555555)
    word = (word | (word >> ONE)) & U64(0x3333333333333333)
    word = (word | (word >> U64(2))) & U64(0x0F0F0F0F0F0F0F0F)
    word = (word | (word >> U64(4))) & U64(0x00FF00FF00FF00FF)
    word = (word | (word >> U64(8))) & U64(0x0000FFFF0000FFFF)
    return (word | (word >> U64(16))) & U64(0xFFFFFFFF)


#: Blocks of cohorts side by side: their words fill a cache line of the table.
ABREAST = 8


@compiled
def _pack(
    planes: Words, order: npt.NDArray[np.int64], table: Words, ranks: npt.NDArray[np.uint32]
) -> None:
    width, cohorts = planes.shape[0], planes.shape[1]
    block = np.empty(64, U64)
    blocks = (cohorts + 63) // 64
    for first in range(0, blocks, ABREAST):
        for w in range(ranks.shape[0]):
            for b in range(first, min(blocks, first + ABREAST)):
                rows = min(64, cohorts - 64 * b)
                for plane in range(width):
                    for i in range(rows):
                        block[i] = planes[plane, order[64 * b + i], w]
                    for i in range(rows, 64):
                        block[i] = 0
                    _transpose(block)
                    for bit in range(ranks.shape[1]):
                        row = table[ranks[w, bit]]
                        if width == 1:
                            row[b] = block[bit]
                        else:
                            row[2 * b] |= _spread(block[bit]) << U64(plane)
                            row[2 * b + 1] |= _spread(block[bit] >> U64(32)) << U64(plane)


@compiled
def _unpack(
    table: Words, order: npt.NDArray[np.int64], planes: Words, ranks: npt.NDArray[np.uint32]
) -> None:
    width, cohorts = planes.shape[0], planes.shape[1]
    block = np.empty(64, U64)
    blocks = (cohorts + 63) // 64
    for first in range(0, blocks, ABREAST):
        for w in range(ranks.shape[0]):
            for b in range(first, min(blocks, first + ABREAST)):
                for plane in range(width):
                    for bit in range(64):
                        block[bit] = 0
                    for bit in range(ranks.shape[1]):
                        row = table[ranks[w, bit]]
                        if width == 1:
                            block[bit] = row[b]
                        else:
                            low = _gathered(row[2 * b] >> U64(plane))
                            high = _gathered(row[2 * b + 1] >> U64(plane))
                            block[bit] = low | (high << U64(32))
                    _transpose(block)
                    for i in range(min(64, cohorts - 64 * b)):
                        planes[plane, order[64 * b + i], w] = block[i]
