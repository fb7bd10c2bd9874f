"""Plans of rotations: how a tile's way from one place in the permutation to another is carried out.

A tile goes from place i to place j of a permutation of k tiles; those between move up by one.  Cut
the way where the tail begins (place k - 5): the part before it permutes words alike in every group
of a known size, and that permutation is written into a table once; the step across and the part
after it are adjacent swaps on the words themselves (`kernels.py`).  The kinds:

========  =================  ==================  ===========================================
kind      from               to                  what happens
========  =================  ==================  ===========================================
COPY      any                the same (*)        nothing: the words are added as they are
BLOCK     leading place      leading place       runs of RUN words are permuted by the table
WORD      place in the tail  place in the tail   swaps START .. END inside each word
INWARD    leading place      place in the tail   table, step across, swaps 0 .. END
OUTWARD   place in the tail  leading place       swaps START .. 0, step across, table
========  =================  ==================  ===========================================

(*) The bits do not tell the last two places of the tail apart: place 4 counts as place 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from taquin.sweep.compiled import compiled
from taquin.sweep.kernels import (
    BLOCK,
    COLUMNS,
    COPY,
    END,
    FLIP,
    INWARD,
    KIND,
    OUTWARD,
    PHASE,
    RUN,
    SIZE,
    START,
    TABLE,
    TAIL,
    WORD,
)

#: Runs shorter than this are spelt out word by word: a loop over six words costs more than that.
SHORTEST_RUN = 42
#: Words of a chunk, at least (if a row has them).  The next product of radices is 3,024 words or
#: 24 kB: chunks of all rows meet in L2 or L3, and each is long enough for memory to stream.
CHUNK = 1024


@dataclass(frozen=True)
class Rotations:
    """The plans of the rotations of k places, and the chunks that they allow.

    Attributes
    ----------
    plans : (k * k, COLUMNS) int64
        Plan i * k + j takes a tile from place i to place j; zero where it is not used.
    tables : (entries,) uint32
        tables[t] is the run that comes to run t.
    length : int
        Words of a chunk.  No chunk boundary cuts a rotation that reaches into the tail.
    odd : (length,) uint64
        All ones where the digits of a word within its chunk have an odd sum, else zero.
    chunk_odd : (chunks,) uint8
        Parity of the sum of the digits in front of a chunk.  The half counts as a digit.
    """

    plans: npt.NDArray[np.int64]
    tables: npt.NDArray[np.uint32]
    length: int
    odd: npt.NDArray[np.uint64]
    chunk_odd: npt.NDArray[np.uint8]


def half_words(k: int) -> int:
    """Words of half a row: one for every choice of the leading digits of k tiles."""
    return factorial(k) // factorial(min(k, TAIL))


def plan_rotations(k: int, halves: int, used: Iterable[int], chunk: int = CHUNK) -> Rotations:
    """Plans for the rotations i * k + j in `used`, of k places; milliseconds, but for long windows.

    A table has an entry for every tuple of the leading digits that the rotation touches.
    """
    tail = max(0, k - TAIL)
    plans = np.zeros((k * k, COLUMNS), np.int64)
    tables: list[npt.NDArray[np.uint32]] = []
    known: dict[tuple[int, int], tuple[int, int, int]] = {}
    entries = 0
    uncut = 1
    for rotation in used:
        plan = plans[rotation]
        i, j = divmod(rotation, k)
        plan[KIND], plan[START], plan[END], plan[PHASE] = _in_the_tail(k, i, j)
        plan[FLIP] = (i ^ j) & 1 if halves == 2 else 0
        way = (min(i, tail - 1), min(j, tail - 1))
        if way[0] == way[1]:
            continue
        if way not in known:
            run, table = _table(k, *way)
            known[way] = (run, table.size, entries)
            tables.append(table)
            entries += table.size
        plan[RUN], plan[SIZE], plan[TABLE] = known[way]
        if plan[KIND] != BLOCK:
            uncut = max(uncut, int(plan[SIZE]))
    radices = [*range(TAIL + 1, k + 1), *([2] if halves == 2 else [])]
    inside = 0
    while inside < len(radices) and prod(radices[:inside]) < max(chunk, uncut):
        inside += 1
    odd = _digit_parity(radices[:inside])
    return Rotations(
        plans,
        np.concatenate(tables) if tables else np.zeros(1, np.uint32),
        odd.size,
        np.where(odd, ~np.uint64(0), np.uint64(0)),
        _digit_parity(radices[inside:]),
    )


def _in_the_tail(k: int, i: int, j: int) -> tuple[int, int, int, int]:
    """Kind, first and last place in the tail, and the parity of the swaps before swap 2."""
    tail = max(0, k - TAIL)
    start, end = i - (k - TAIL), j - (k - TAIL)
    if i == j or min(start, end) == 3:
        return COPY, 0, 0, 0
    if i < tail and j < tail:
        return BLOCK, 0, 0, 0
    if i < tail:
        return INWARD, 0, min(end, 3), (tail - i) & 1
    downwards = (start - 3) & 1
    if j < tail:
        return OUTWARD, min(start, 3), 0, downwards
    return WORD, min(start, 3), min(end, 3), downwards if end < start else (2 - start) & 1


def _digit_parity(radices: list[int]) -> npt.NDArray[np.uint8]:
    """Parity of the sum of the digits of all numbers with these radices, from the last digit on."""
    parity = np.zeros(1, np.uint8)
    for radix in radices:
        digit = np.arange(radix, dtype=np.uint8)[:, None]
        parity = ((digit ^ parity) & np.uint8(1)).reshape(-1)
    return parity


def _table(k: int, i: int, j: int) -> tuple[int, npt.NDArray[np.uint32]]:
    """Run length in words, and the table of a rotation from i to j, both leading places."""
    low, high = min(i, j), max(i, j)
    radices = np.array([k - place for place in range(low, high + 1)], np.int64)
    run = half_words(k - 1 - high)
    spelt = run if run < SHORTEST_RUN else 1
    table = np.empty(prod(radices.tolist()) * spelt, np.uint32)
    _fill_table(table, radices, i - low, j - low, spelt, np.zeros_like(radices))
    return run // spelt, table


@compiled
def _fill_table(
    table: npt.NDArray[np.uint32],
    radices: npt.NDArray[np.int64],
    i: int,
    j: int,
    spelt: int,
    digits: npt.NDArray[np.int64],
) -> None:
    """Trace each tuple of digits back: the tile at place j came from place i, swap by swap."""
    step = 1 if i > j else -1
    for value in range(table.size // spelt):
        rest = value
        for place in range(radices.size - 1, -1, -1):
            digits[place] = rest % radices[place]
            rest //= radices[place]
        for place in range(j, i, step):
            left = min(place, place + step)
            d, e = digits[left], digits[left + 1]
            if e < d:
                digits[left], digits[left + 1] = e, d - 1
            else:
                digits[left], digits[left + 1] = e + 1, d
        source = 0
        for place in range(radices.size):
            source = source * radices[place] + digits[place]
        for word in range(spelt):
            table[value * spelt + word] = source * spelt + word
