"""A certificate for a recorded sweep: every entry is looked at again, in one pass of its own.

A table keeps of each entry's distance d from the goal the remainder modulo m: 4 with colours (bit 1
of the value; bit 0 is the colour of the cohort, relative to the goal's), 3 without. The **step** of
a move from x to y is the one of -1, 0, +1 that is the difference of the two remainders. With
colours it is -1 or +1 *whatever* the bits are, as the colours differ; without, any two remainders
are within one step. So "+-1 along every move" and "at most 1 along every move" hold of every bit
pattern, and looking for a breach would find none. What is checked:

1.  the goal reads 0, and so do bits that stand for no entry; no entry reads 3 modulo 3;
2.  **every entry but the goal's has a step of -1 to some neighbour** (it is *preceded*);
3.  each remainder occurs as often as the sweep counted.

What that shows
---------------
*Suppose that* the steps around every cycle of moves add up to 0. Then let f(x) be the sum of the
steps along any way from the goal to x. A move changes f by at most 1 and f(goal) = 0, so f <= d. By
2 a way leads down from every x, on which f falls by 1 a move; so it never comes back to an entry,
and as only the goal need have no way on, it ends there, after f(x) moves: d <= f. So f = d, and the
table is right. What made it does not matter: of the search only the counts in 3 are used.

What it does not show
---------------------
The supposition, and nothing else: around a cycle the steps of a wrong table may add up to a
multiple of m other than 0. Going down from an entry is then still a way, if it ends at the goal, so
that values read like this are never too small; but they may be too large, or the way may go round
for ever. How much 2 and 1 miss without 3 was counted. A single wrong bit passes where the entry has
a neighbour one more, and each of those has another one less: 0.33 of all single bits in the
8-puzzle, 0.68 with 5 tiles on 4x4, 0.93 with 2 tiles on 2x2x2. With 3 **no** single bit passes, as
it changes two counts. Two wrong bits can keep the counts: of all pairs 0.01 (2x3) to 0.22 (2 tiles
on 2x2x2) pass everything. Where some entries cannot be reached, 2 is a count, and one entry too few
and one of those too many cancel. And the rotations are the sweep's: what it takes for a neighbour
is believed. Hence samples are compared with a slow search (`taquin.patterns.checking`), and files
have checksums.

Entries that cannot be reached have the bits 0, as all around them do. Without colours, and for even
ones, none of them is preceded. Those of odd colour read 1 next to 0: they are, if they have a
neighbour at all. `expected_certificate` tells all this from the sweep's counts and the map alone.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.errors import LimitReached
from taquin.sweep import compiled as door
from taquin.sweep import kernels
from taquin.sweep.cohorts import Layout
from taquin.sweep.compiled import claim, popcount
from taquin.sweep.engine import SHARE, SINGLE_HANDED, Stop
from taquin.sweep.kernels import (
    AHEAD,
    ALL,
    COPY,
    FLIP,
    KIND,
    NONE,
    PHASE,
    STATES,
    _clear,
    _expect,
    _gather,
    advance,
)
from taquin.sweep.passes import Lines, Schedule, step_schedule
from taquin.sweep.rotations import half_words, plan_rotations

U64 = np.uint64
Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

compiled = partial(door.compiled, beside=[str(kernels.__file__)])

#: Rows of a thread's scratch: what two planes bring, two in turn between steps, and the result.
SCRATCH = 5
PRECEDED = 4
#: What a thread counts: bits that stand for nothing; entries by remainder; of those the preceded.
STRAYS, REMAINDERS, FOLLOWERS, TOTALS = 0, 1, 5, 9


@dataclass(frozen=True)
class Certificate:
    """What `certify` counted; that of a right table equals `expected_certificate`.

    Attributes
    ----------
    goals : int
        Entries of the goal that read 0 (several when the blank's goal is free).
    strays : int
        Set bits that stand for no entry.
    remainders : tuple of 4 int
        Entries by remainder, modulo 4 with colours and modulo 3 without (the last is 0 then).
    preceded : tuple of 4 int
        Those among them, the goal's left out, with a neighbour whose remainder is one less.
    """

    goals: int
    strays: int
    remainders: tuple[int, ...]
    preceded: tuple[int, ...]

    def fault(self, expected: Certificate) -> str | None:
        """Say in one sentence where this differs first from the expected one; None if nowhere.

        Examples
        --------
        >>> right = Certificate(1, 0, (1, 2, 1, 0), (0, 2, 1, 0))
        >>> right.fault(right) is None
        True
        >>> Certificate(1, 0, (1, 1, 1, 1), (0, 1, 1, 0)).fault(right)
        'entries with the remainder 1: 1, expected 2'
        """
        if self.strays != expected.strays:
            return f"{self.strays:,} bits are set that stand for nothing"
        if self.goals != expected.goals:
            return f"the goal's value is not 0: {self.goals} of {expected.goals} entries are"
        for got, want, what in [
            (self.remainders, expected.remainders, "entries with the remainder {}"),
            (self.preceded, expected.preceded, "entries {} with a neighbour nearer to the goal"),
        ]:
            for remainder, (some, right) in enumerate(zip(got, want, strict=True)):
                if some != right:
                    return f"{what.format(remainder)}: {some:,}, expected {right:,}"
        return None


def certify(
    layout: Layout, planes: Words, *, workers: int | None = None, stop: Stop | None = None
) -> Certificate:
    """Look at every entry of a recorded table and at all its neighbours, in single-tile moves.

    Parameters
    ----------
    layout : Layout
    planes : (1 or 2, rows, words) uint64
        As a finished sweep records them: `Table.planes`, one plane on boards with colours.
    workers : int or None
        Threads; None: one a processor.
    stop : Stop or None
        Ends the pass from another thread or a signal handler.

    Returns
    -------
    Certificate
        To be compared with `expected_certificate`; the head of this file says what it shows.

    Raises
    ------
    ValueError
        If the planes have not the shape that the layout asks for.
    LimitReached
        If `stop` was set: nothing is known of the table.

    Notes
    -----
    Cost: that of one to two and a half of the sweep's largest levels, a twentieth to a seventh of
    the sweep. Memory: some chunks for each thread.

    Examples
    --------
    >>> from taquin.sweep import sweep
    >>> ring = [[1, 3], [0, 2], [1, 3], [0, 2]]            # the 2 x 2 board, cells around
    >>> result = sweep(ring, blank=3, record=True)
    >>> found = certify(result.layout, result.table.planes)
    >>> found.remainders, found.preceded
    ((3, 4, 3, 2), (2, 4, 3, 2))
    >>> found == expected_certificate(result.layout, result.counts)
    True
    """
    size = half_words(layout.k) * layout.halves
    shape = (2 if layout.colour is None else 1, layout.rows, size)
    if planes.shape != shape or planes.dtype != U64:
        raise ValueError(
            f"the table of this board has uint64 planes of shape {shape}, got {planes.dtype} of"
            f" {planes.shape}"
        )
    planes = np.require(planes, requirements=["C", "W"])  # the kernels' rows can be written to
    stop = Stop() if stop is None else stop
    workers = 1 if planes.size < SINGLE_HANDED else workers or os.cpu_count() or 1
    used = np.flatnonzero(np.bincount(layout.rotations, minlength=1)).tolist()
    plan = plan_rotations(layout.k, layout.halves, used)
    chunks = plan.chunk_odd.size
    # Many chunks: a chunk of all rows at a time, which share it in cache. Else few rows.
    step = layout.rows if chunks >= 16 * workers else max(1, SHARE // plan.length)
    goals = np.zeros(layout.rows, U64)
    goals[layout.goal_rows] = 1
    counter = np.zeros(1, np.int64)
    totals = np.zeros((workers, TOTALS), np.int64)

    def share(worker: int) -> None:
        _examine(
            planes,
            _odd_rows(layout),
            goals,
            valid_bits(layout.k, plan.length),
            np.ones(chunks, np.uint32),
            layout.starts,
            layout.sources,
            layout.rotations,
            plan.plans,
            plan.tables,
            layout.parity,
            plan.odd,
            plan.chunk_odd,
            step,
            counter,
            stop.flag,
            np.empty((SCRATCH, plan.length), U64),
            totals[worker],
        )

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(share, range(workers)))
    if stop:
        raise LimitReached("the check of the table was stopped; nothing is known of it")
    total = totals.sum(axis=0).tolist()
    at_goal = (planes[:, layout.goal_rows, 0] & U64(1)).any(axis=0)
    zeros = int((~at_goal).sum())
    return Certificate(
        zeros, total[STRAYS], tuple(total[REMAINDERS:FOLLOWERS]), tuple(total[FOLLOWERS:])
    )


def expected_certificate(layout: Layout, counts: Sequence[int]) -> Certificate:
    """Return the certificate of a right table, from the map and the sweep's counts.

    Parameters
    ----------
    layout : Layout
    counts : sequence of int
        States by depth, or by remainder.
    """
    states = [0] * 4
    for depth, count in enumerate(counts):
        states[depth % (3 if layout.colour is None else 4)] += int(count)
    goals = layout.goal_rows.size
    row = factorial(layout.k) * layout.halves // 2 or 1
    odd = _odd_rows(layout) != 0
    if layout.colour is None:
        unreached, unreached_odd, alone = row * layout.rows - sum(states), 0, 0
    else:
        unreached = row * int((~odd).sum()) - states[0] - states[2]
        unreached_odd = row * int(odd.sum()) - states[1] - states[3]
        alone = row * int((odd & (np.diff(layout.starts) == 0)).sum())
    return Certificate(
        goals,
        0,
        (states[0] + unreached, states[1] + unreached_odd, states[2], states[3]),
        (states[0] - goals, states[1] + unreached_odd - alone, states[2], states[3]),
    )


def valid_bits(k: int, words: int) -> Words:
    """Return the bits of each word of a row that are entries."""
    valid = np.full(words, (1 << {1: 1, 2: 1, 3: 3, 4: 12}.get(k, STATES)) - 1, U64)
    if k == 1:  # a single tile has no odd permutation
        valid[1:] = 0
    return valid


def _odd_rows(layout: Layout) -> Words:
    """For each row all ones if its entries are at odd depths, else zero."""
    if layout.colour is None:
        return np.zeros(layout.rows, U64)
    odd = layout.colour != layout.colour[layout.goal_rows[0]]
    return np.where(odd, ALL, NONE)


@compiled
def _compare(ok: Words, near: Words, own: Words, odd: Any) -> None:
    """Add the entries whose neighbour is one less, by bit 1 of the values.

    Below an odd value is the even one of the same bit, below an even value the odd one of the
    other.
    """
    for i in range(ok.size):
        ok[i] |= near[i] ^ own[i] ^ odd


@compiled
def _compare_thirds(ok: Words, near_low: Words, near_high: Words, low: Words, high: Words) -> None:
    """Add the entries whose neighbour is one less, modulo 3."""
    for i in range(ok.size):
        one, two = near_low[i], near_high[i]
        ok[i] |= (
            (low[i] & ~high[i] & ~(one | two))
            | (high[i] & ~low[i] & one & ~two)
            | (two & ~one & ~(low[i] | high[i]))
        )


@compiled
def _tally(totals: Ints, ok: Words, own: Words, valid: Words, odd: Any) -> None:
    """Count a chunk of one plane: by remainder, and what is preceded."""
    strays, twos, none, ones = NONE, NONE, NONE, NONE
    entries = NONE
    for i in range(ok.size):
        bits, good = own[i], ok[i] & valid[i]
        strays += popcount(bits & ~valid[i])
        entries += popcount(valid[i])
        twos += popcount(bits & valid[i])
        none += popcount(good & ~bits)
        ones += popcount(good & bits)
    low = 1 if odd else 0
    totals[STRAYS] += np.int64(strays)
    totals[REMAINDERS + low] += np.int64(entries - twos)
    totals[REMAINDERS + low + 2] += np.int64(twos)
    totals[FOLLOWERS + low] += np.int64(none)
    totals[FOLLOWERS + low + 2] += np.int64(ones)


@compiled
def _tally_thirds(totals: Ints, ok: Words, low: Words, high: Words, valid: Words) -> None:
    """Count a chunk of two planes: by remainder, and what is preceded."""
    for i in range(ok.size):
        here = valid[i]
        totals[STRAYS] += np.int64(popcount(low[i] & ~here) + popcount(high[i] & ~here))
        classes = (~(low[i] | high[i]), low[i] & ~high[i], high[i] & ~low[i], low[i] & high[i])
        for r in range(4):
            totals[REMAINDERS + r] += np.int64(popcount(classes[r] & here))
            totals[FOLLOWERS + r] += np.int64(popcount(classes[r] & here & ok[i]))


@compiled
def _examine(
    planes: Words,
    odd_rows: Words,
    goals: Words,
    valid: Words,
    population: npt.NDArray[np.uint32],
    starts: Ints,
    sources: npt.NDArray[np.int32],
    rotations: npt.NDArray[np.int32],
    plans: Ints,
    tables: npt.NDArray[np.uint32],
    parity: npt.NDArray[np.uint8],
    odd: Words,
    chunk_odd: npt.NDArray[np.uint8],
    step: Any,
    counter: Ints,
    stop: npt.NDArray[np.uint8],
    scratch: Words,
    totals: Ints,
) -> None:
    """Do a share of the pass: count chunks of rows into `totals`.

    Threads, units of work and the arguments of the same names are those of `kernels.advance`.
    `goals` holds the goal's bit in the first word of its rows; `population` says of any row that no
    chunk of it is empty.
    """
    length, chunks, rows, width = odd.size, chunk_odd.size, parity.size, planes.shape[0]
    parts = (rows + step - 1) // step
    ok = scratch[PRECEDED]
    while stop[0] == 0:
        unit = claim(counter)
        if unit >= parts * chunks:
            break
        chunk, part = unit // parts, unit % parts
        begin, end = chunk * length, (chunk + 1) * length
        for row in range(part * step, min(rows, (part + 1) * step)):
            _clear(ok)
            own, high = planes[0, row, begin:end], planes[width - 1, row, begin:end]
            for edge in range(starts[row], starts[row + 1]):
                if edge + AHEAD < sources.size:
                    for p in range(width):
                        _expect(planes[p], sources[edge + AHEAD], chunk, length)
                source, plan = sources[edge], plans[rotations[edge]]
                home = (chunk + plan[FLIP] * (chunks // 2)) % chunks
                if width == 1 and plan[KIND] == COPY and not (plan[FLIP] and chunks == 1):
                    near = planes[0, source, home * length : (home + 1) * length]
                    _compare(ok, near, own, odd_rows[row])
                    continue
                flip = ALL if parity[source] ^ chunk_odd[home] ^ plan[PHASE] else NONE
                for p in range(width):
                    brought = scratch[p : p + 3]
                    _clear(brought[0])
                    words = planes[p, source]
                    _gather(brought, words, population, home, plan, tables, odd, flip)
                if width == 1:
                    _compare(ok, scratch[0], own, odd_rows[row])
                else:
                    _compare_thirds(ok, scratch[0], scratch[1], own, high)
            if chunk == 0:
                ok[0] &= ~goals[row]
            if width == 1:
                _tally(totals, ok, own, valid, odd_rows[row])
            else:
                _tally_thirds(totals, ok, own, high, valid)


def count_preceded(
    layout: Layout, planes: Words, *, lines: Lines | None = None, workers: int | None = None
) -> int:
    """Count the entries that have a neighbour one nearer to the goal.

    Parameters
    ----------
    layout : Layout
    planes : (1 or 2, rows, words) uint64
        As a sweep records them; two for boards without colours, and for multi-tile moves.
    lines
        For multi-tile moves of some of the tiles, as `sweep` takes them.

    Returns
    -------
    int
        For a right table: `expected_preceded`.

    Notes
    -----
    Cost: that of `certify`; with lines about that of two levels of the sweep that meet every entry,
    and four times the planes' memory.
    """
    if lines is None:
        return sum(certify(layout, planes, workers=workers).preceded)
    workers = workers or os.cpu_count() or 1
    low, high = planes
    zero = ~(low | high) & valid_bits(layout.k, planes.shape[2])
    thirds = [zero, low & ~high, high & ~low]
    schedule = step_schedule(layout, lines)
    return sum(
        _count_met(layout, schedule, thirds[third - 1], thirds[third], workers)
        for third in range(3)
    )


def _count_met(layout: Layout, schedule: Schedule, below: Words, here: Words, workers: int) -> int:
    """How many of the entries `here` a level of the schedule reaches from those `below`."""
    used = np.flatnonzero(np.bincount(layout.rotations, minlength=1)).tolist()
    plan = plan_rotations(layout.k, layout.halves, used)
    rows = layout.rows
    words = np.zeros((schedule.layers * rows, below.shape[1]), U64)
    words[:rows] = below
    population = np.ones((schedule.layers * rows, plan.chunk_odd.size), np.uint32)
    parity = np.tile(layout.parity, schedule.layers)
    scratch = np.empty((workers, 3, plan.length), U64)
    with ThreadPoolExecutor(workers) as pool:
        for work in schedule.levels[0]:
            share = partial(
                advance,
                words,
                population,
                work.targets,
                work.starts,
                work.sources,
                work.rotations,
                work.beside,
                work.keep,
                plan.plans,
                plan.tables,
                parity,
                plan.odd,
                plan.chunk_odd,
                np.zeros((0, rows, words.shape[1]), U64),
                -1,
                work.targets.size,
                np.zeros(1, np.int64),
                np.zeros(1, np.uint8),
            )
            list(pool.map(share, scratch))
    return int(np.bitwise_count(words[rows : 2 * rows] & here).sum(dtype=np.int64))


def expected_preceded(layout: Layout, even: int, odd: int, lines: Lines | None = None) -> int:
    """Return what `count_preceded` finds in a right table.

    Parameters
    ----------
    even, odd : int
        The states at even and at odd depths, as a sweep counts them.
    """
    if layout.colour is None or lines is not None:
        return even + odd - layout.goal_rows.size
    return sum(expected_certificate(layout, [even, odd]).preceded)
