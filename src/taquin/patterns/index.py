"""The look-up tables behind `taquin.patterns.kernels.locate`, for all patterns of a partition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import comb, factorial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from taquin.patterns.kernels import CELLS, COLUMNS, FOUR
from taquin.patterns.packing import cohort_order, row_words
from taquin.sweep.cohorts import Layout

U64 = np.uint64
Words = npt.NDArray[np.uint64]


class Index(NamedTuple):
    """The arguments of `locate` after the blank, in their order; see there."""

    half: np.uint64
    lower: npt.NDArray[np.uint32]
    upper: npt.NDArray[np.uint32]
    sets: Words
    rows: npt.NDArray[np.uint8]
    ranks: npt.NDArray[np.uint16]
    sizes: Words


class Entries(NamedTuple):
    """The tables as bytes, and the arguments of `locate` after the blank: all a kernel reads."""

    bits: npt.NDArray[np.uint8]
    half: np.uint64
    lower: npt.NDArray[np.uint32]
    upper: npt.NDArray[np.uint32]
    sets: Words
    rows: npt.NDArray[np.uint8]
    ranks: npt.NDArray[np.uint16]
    sizes: Words


def make_index(layouts: Sequence[Layout], width: int) -> tuple[Index, list[int]]:
    """The index of several patterns whose tables follow each other, and where each table begins.

    Parameters
    ----------
    layouts
        One for each pattern, all with the same order of cells.
    width : bits an entry, 1 or 2

    Returns
    -------
    Index, list of int
        The words at which the tables begin, and one more: the words of all.
    """
    n = layouts[0].order.size
    half = n // 2
    kinds = {layout.k: layout for layout in layouts}  # patterns of one size share all but the base
    upper: list[npt.NDArray[np.uint32]] = []
    sets: list[Words] = []
    rows: list[npt.NDArray[np.uint8]] = []
    places: dict[int, tuple[int, int]] = {}
    for number, (k, layout) in enumerate(kinds.items()):
        upper.append(_upper(n, half, k) + np.uint32(sum(s.size for s in sets)))
        first, table = _sets(layout, width)
        sets.append(first + (U64(sum(r.size for r in rows)) << CELLS))
        rows.append(table)
        places[k] = number << (n - half), 2 * int(FOUR) * number
    sizes = np.zeros((len(layouts), int(COLUMNS)), U64)
    starts = [0]
    for number, layout in enumerate(layouts):
        entries = row_words(layout.rows) * 64 * width
        sizes[number] = entries, *places[layout.k], 64 * starts[-1]
        starts.append(starts[-1] + factorial(layout.k) * entries // 64)
    index = Index(
        U64(half),
        _lower(half),
        np.concatenate(upper),
        np.concatenate(sets),
        np.concatenate(rows),
        np.concatenate([_ranks(k) for k in kinds]),
        sizes.reshape(-1),
    )
    return index, starts


@cache
def _lower(half: int) -> npt.NDArray[np.uint32]:
    """For each set of cells below `half`: the sum of C(cell, i + 1) over its cells in order."""
    table = np.zeros(1 << half, np.uint32)
    size = np.zeros(1 << half, np.int64)
    binomials = np.array([[comb(c, i) for i in range(half + 2)] for c in range(half + 1)], np.int64)
    for cell in range(half):
        low = 1 << cell
        table[low : 2 * low] = table[:low] + binomials[cell, size[:low] + 1]
        size[low : 2 * low] = size[:low] + 1
    return table


@cache
def _upper(n: int, half: int, k: int) -> npt.NDArray[np.uint32]:
    """The same for the cells from `half` on, when k cells are taken in all."""
    count = n - half
    binomials = np.array([[comb(c, i) for i in range(k + 2)] for c in range(n + 1)], np.int64)
    numbers = np.arange(1 << count)
    size = np.bitwise_count(numbers).astype(np.int64)
    place = np.clip(k - size, 0, k)  # cells below `half`
    table = np.zeros(1 << count, np.int64)
    for cell in range(count):
        taken = (numbers >> cell & 1).astype(bool) & (size <= k)
        place[taken] += 1
        table[taken] += binomials[half + cell, np.minimum(place[taken], k + 1)]
    return table.astype(np.uint32)


def _sets(layout: Layout, width: int) -> tuple[Words, npt.NDArray[np.uint8]]:
    """For each set of cells its first entry and the place of its row; and the rows.

    A row says for each cell of the board in which of the set's regions it is, the largest being
    number 0 (`taquin.patterns.packing.cohort_order`): few rows are different.
    """
    n = layout.order.size
    count = np.diff(layout.first)
    several = np.flatnonzero(count > 1)
    regions = layout.regions[cohort_order(layout)]
    small = np.zeros((several.size, int(count.max()) - 1), U64)
    for i in range(small.shape[1]):
        has = count[several] > i + 1
        small[has, i] = regions[layout.first[several[has]] + i + 1]
    which, number = _distinct(small)
    rows = np.zeros((which.size + 1, n), np.uint8)
    for i in range(small.shape[1]):
        inside = (small[which, i][:, None] >> np.arange(n).astype(U64)) & U64(1)
        rows[1:][inside.astype(bool)] = i + 1
    sets = layout.first[:-1].astype(U64) * U64(width)
    sets[several] |= (number + 1).astype(U64) * U64(n) << CELLS
    return sets, (rows * np.uint8(width)).reshape(-1)


def _distinct(table: Words) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """One row number for each kind of row, and the kind of each row."""
    if not len(table):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    mixed = table[:, 0].copy()
    for column in table.T[1:]:
        mixed = (mixed ^ (mixed >> U64(29))) * U64(0x9E3779B97F4A7C15) + column
    _, which, number = np.unique(mixed, return_index=True, return_inverse=True)
    if not np.array_equal(table[which][number], table):  # two kinds were mixed to one number
        _, which, number = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return which, number.reshape(-1)


@cache
def _ranks(k: int) -> npt.NDArray[np.uint16]:
    """Parts of the lexicographic rank by the first four labels, and by the others, 3 bits each."""
    table = np.zeros((2, int(FOUR)), np.uint16)
    front = min(4, k)
    for labels in permutations(range(k), front):
        rank = 0
        for i, label in enumerate(labels):
            digit = label - sum(before < label for before in labels[:i])
            rank += digit * factorial(k - 1 - i)
        table[0, _packed(labels)] = rank
    for labels in permutations(range(k), k - front):
        rank = 0
        for i, label in enumerate(labels):
            digit = sum(later < label for later in labels[i + 1 :])
            rank += digit * factorial(k - front - 1 - i)
        table[1, _packed(labels)] = rank
    return table.reshape(-1)


def _packed(labels: Sequence[int]) -> int:
    return sum(label << 3 * i for i, label in enumerate(labels))
