"""From states to bits and back, many at a time: the five steps of `kernels.py`, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.sweep.cohorts import Layout
from taquin.sweep.compiled import compiled, lowest, popcount
from taquin.sweep.kernels import TAIL

Ints = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint64]
U64 = np.uint64
ONE = U64(1)


def rank_states(
    layout: Layout, cells: npt.ArrayLike, blanks: npt.ArrayLike
) -> tuple[Ints, Ints, Ints]:
    """Where states lie: rows, words and bits, each (B,) int64.

    Parameters
    ----------
    cells : (B, k) integers
        The cell of each tracked tile, in the caller's tile order and cell numbers.
    blanks : (B,) integers

    A row of -1: the parity of the state cannot be reached (all tiles, on a board with colours).
    Cost: O(k) a state, some 20 million states a second.  The arguments must be states.
    """
    cells = np.ascontiguousarray(cells, np.int64)
    blanks = np.ascontiguousarray(blanks, np.int64)
    row, word, bit = (np.empty(blanks.size, np.int64) for _ in range(3))
    _rank(
        cells,
        blanks,
        layout.place,
        np.argsort(layout.labels),
        layout.regions,
        layout.first,
        layout.binomials,
        layout.halves,
        layout.parity,
        row,
        word,
        bit,
    )
    return row, word, bit


def unrank_states(
    layout: Layout, row: npt.ArrayLike, word: npt.ArrayLike, bit: npt.ArrayLike
) -> tuple[Ints, Ints]:
    """The states at the given places: cells (B, k) and blanks (B,), in the caller's numbers.

    The blank is put on one cell of its region (the lowest in the layout's order).
    """
    row, word, bit = (np.ascontiguousarray(a, np.int64) for a in (row, word, bit))
    cells = np.empty((row.size, layout.k), np.int64)
    blanks = np.empty(row.size, np.int64)
    _unrank(
        row,
        word,
        bit,
        layout.order,
        np.argsort(layout.labels),
        layout.occupied,
        layout.regions,
        layout.parity,
        cells,
        blanks,
    )
    return cells, blanks


def members(words: Masks, rows: Ints, limit: int) -> tuple[Ints, Ints, Ints]:
    """Row, word and bit of the states in the given rows; all of them if `limit` is negative."""
    if limit < 0:
        limit = int(sum(int(np.bitwise_count(words[row]).sum(dtype=np.int64)) for row in rows))
    row, word, bit = (np.empty(limit, np.int64) for _ in range(3))
    size = _members(words, rows, row, word, bit)
    return row[:size], word[:size], bit[:size]


def pick(words: Masks, rows: Ints, numbers: Ints) -> tuple[Ints, Ints, Ints]:
    """Row, word and bit of the states with the given numbers among those in the given rows."""
    order = np.argsort(numbers, kind="stable")
    row, word, bit = (np.empty(numbers.size, np.int64) for _ in range(3))
    _pick(words, rows, numbers, order, row, word, bit)
    return row, word, bit


@compiled
def _pick(
    words: Masks, rows: Ints, numbers: Ints, order: Ints, row: Ints, word: Ints, bit: Ints
) -> None:
    """One pass over the words; `order` sorts the numbers."""
    done: Any = 0
    passed: Any = 0
    for r in rows:
        for w in range(words.shape[1]):
            here = np.int64(popcount(words[r, w]))
            while done < order.size and numbers[order[done]] < passed + here:
                rest = words[r, w]
                for _ in range(numbers[order[done]] - passed):
                    rest &= rest - ONE
                i = order[done]
                row[i], word[i], bit[i] = r, w, np.int64(lowest(rest))
                done += 1
            passed += here
        if done == order.size:
            return


@compiled
def _members(words: Masks, rows: Ints, row: Ints, word: Ints, bit: Ints) -> int:
    size = 0
    for r in rows:
        for w in range(words.shape[1]):
            rest = words[r, w]
            while rest:
                if size == row.size:
                    return size
                row[size], word[size], bit[size] = r, w, np.int64(lowest(rest))
                size += 1
                rest &= rest - ONE
    return size


@compiled
def _rank(
    cells: Ints,
    blanks: Ints,
    place: Ints,
    by_label: Ints,
    regions: Masks,
    first: Ints,
    binomials: Ints,
    halves: int,
    parity: npt.NDArray[np.uint8],
    row: Ints,
    word: Ints,
    bit: Ints,
) -> None:
    """The digit of a label counts the smaller ones on later cells; its place, the cells before."""
    k = by_label.size
    digits = np.empty(max(k, TAIL), np.int64)
    half = 1
    for radix in range(TAIL + 1, k + 1):
        half *= radix
    for b in range(blanks.size):
        occupied = U64(0)
        for tile in range(k):
            occupied |= ONE << U64(place[cells[b, tile]])
        number: Any = 0
        i, rest = 0, occupied
        while rest:
            i += 1
            number += binomials[np.int64(lowest(rest)), i]
            rest &= rest - ONE
        cohort = first[number]
        blank = ONE << U64(place[blanks[b]])
        while regions[cohort] & blank == 0:
            cohort += 1
        digits[:] = 0
        shift = digits.size - k
        smaller = U64(0)
        total: Any = 0
        for label in range(k):
            cell = ONE << U64(place[cells[b, by_label[label]]])
            digit = np.int64(popcount(smaller & ~(cell - ONE)))
            digits[shift + np.int64(popcount(occupied & (cell - ONE)))] = digit
            smaller |= cell
            total += digit
        index = 0
        for d in range(digits.size - TAIL):
            index = index * (digits.size - d) + digits[d]
        tail = digits[digits.size - TAIL :]
        row[b], word[b] = cohort, index
        bit[b] = 12 * tail[0] + 3 * tail[1] + tail[2]
        if halves == 2 and total & 1:
            word[b] += half
        elif halves == 1 and parity[cohort] != total & 1:
            row[b] = -1


@compiled
def _unrank(
    row: Ints,
    word: Ints,
    bit: Ints,
    order: Ints,
    by_label: Ints,
    occupied: Masks,
    regions: Masks,
    parity: npt.NDArray[np.uint8],
    cells: Ints,
    blanks: Ints,
) -> None:
    k = by_label.size
    size = max(k, TAIL)
    digits = np.empty(size, np.int64)
    half = 1
    for radix in range(TAIL + 1, k + 1):
        half *= radix
    for b in range(row.size):
        cohort = row[b]
        blanks[b] = order[np.int64(lowest(regions[cohort]))]
        index = word[b] % half
        odd = word[b] // half ^ np.int64(parity[cohort])
        for d in range(size - TAIL - 1, -1, -1):
            digits[d] = index % (size - d)
            index //= size - d
        digits[size - 5], digits[size - 4] = bit[b] // 12, bit[b] // 3 % 4
        digits[size - 3], digits[size - 2], digits[size - 1] = bit[b] % 3, 0, 0
        digits[size - 2] = (digits.sum() ^ odd) & 1
        used = U64(0)
        rest = occupied[cohort]
        for d in range(size - k, size):
            cell = np.int64(lowest(rest))
            rest &= rest - ONE
            label, skip = -1, digits[d]
            while skip >= 0:
                label += 1
                if used & (ONE << U64(label)) == 0:
                    skip -= 1
            used |= ONE << U64(label)
            cells[b, by_label[label]] = order[cell]
