"""A certificate for a recorded sweep: every entry is looked at again, by other means.

A table holds the distance of every state to the goal, modulo 4 or 3. Whatever made it, it is right
about the states that can be reached if

1.  the goal reads 0,
2.  a move changes the distance by at most 1, and
3.  every state but the goal has a neighbour whose distance is one less.

By 3 a way of as many moves as the distance says leads to the goal; by 2 no shorter one does. The
table has only remainders: of those, 2 holds by itself (with colours neighbours are of different
parity, and one of +1 and -1 it must be; without, every remainder modulo 3 is within 1 of every
other). So 3 is what is checked, for **every** entry, by the rotations of the sweep: which entries
have a neighbour in the class below theirs. What remainders cannot tell: whether the way down that
they promise ends at the goal, and, as 2 is checked modulo 4 only, an entry that is two too large or
too small where its neighbours allow it (a third of all single wrong bits of the 8-puzzle). So
values are sampled too (`taquin.patterns.checking`), and files have checksums.

Entries that cannot be reached have the bits 0, as all around them do. Where there are no colours
that is the remainder 0, and none of them has a neighbour below. With colours those of odd colour
read 1, and all their neighbours 0: they count if they have a neighbour (`expected_preceded`).
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from math import factorial

import numpy as np
import numpy.typing as npt

from taquin.sweep.cohorts import Layout
from taquin.sweep.kernels import STATES, advance
from taquin.sweep.passes import Lines, Pass, Schedule, step_schedule
from taquin.sweep.rotations import half_words, plan_rotations

Words = npt.NDArray[np.uint64]
Counter = npt.NDArray[np.int64]


def valid_bits(k: int, words: int) -> Words:
    """The bits of each word of a row that are entries."""
    valid = np.full(words, (1 << {1: 1, 2: 1, 3: 3, 4: 12}.get(k, STATES)) - 1, np.uint64)
    if k == 1:  # a single tile has no odd permutation
        valid[1:] = 0
    return valid


def classes(layout: Layout, planes: Words) -> list[tuple[Words, Words]]:
    """For each remainder the entries that have it, and those that have the one below.

    With colours the first of a pair is of both colours: below an odd distance is the even one of
    the same bit, below an even distance the odd one of the other.
    """
    valid = valid_bits(layout.k, planes.shape[2])
    if len(planes) == 2:
        low, high = planes
        masks = [~(low | high) & valid, low & ~high, high & ~low]
        return [(masks[r], masks[r - 1]) for r in range(3)]
    if layout.colour is None:
        raise ValueError("one plane goes with a board of two colours")
    goal = layout.colour[layout.goal_rows[0]]
    odd = (layout.colour ^ goal).astype(bool)[:, None]
    ones, zeros = planes[0], ~planes[0] & valid
    return [(np.where(odd, ones, zeros), ones), (np.where(odd, zeros, ones), zeros)]


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
    Cost: about that of two levels of the sweep that meet every entry, and four times the planes'
    memory.
    """
    workers = workers or os.cpu_count() or 1
    used = np.flatnonzero(np.bincount(layout.rotations, minlength=1)).tolist()
    plan = plan_rotations(layout.k, layout.halves, used)
    rows, size = layout.rows, half_words(layout.k) * layout.halves
    if lines is None:
        targets = np.arange(rows, 2 * rows)
        slides = Pass(targets, layout.starts, layout.sources, layout.rotations, keep=True)
        schedule = Schedule(2, ([slides], []))
    else:
        schedule = step_schedule(layout, lines)
    words = np.zeros((schedule.layers * rows, size), np.uint64)
    population = np.ones((schedule.layers * rows, plan.chunk_odd.size), np.uint32)
    parity = np.tile(layout.parity, schedule.layers)
    scratch = np.empty((workers, 3, plan.length), np.uint64)
    total = 0
    with ThreadPoolExecutor(workers) as pool:
        for here, below in classes(layout, planes):
            words[:rows], words[rows : 2 * rows] = below, 0
            population[:] = 1
            for work in schedule.levels[0]:
                counter = np.zeros(1, np.int64)

                def share(mine: Words, work: Pass = work, counter: Counter = counter) -> None:
                    advance(
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
                        np.zeros((0, rows, size), np.uint64),
                        -1,
                        work.targets.size,
                        counter,
                        np.zeros(1, np.uint8),
                        mine,
                    )

                list(pool.map(share, scratch))
            found = words[rows : 2 * rows] & here
            total += int(np.bitwise_count(found).sum(dtype=np.int64))
    return total


def expected_preceded(layout: Layout, even: int, odd: int, lines: Lines | None = None) -> int:
    """Return what `count_preceded` finds in a right table.

    Parameters
    ----------
    even, odd : int
        The states at even and at odd depths, as a sweep counts them.
    """
    expected = even + odd - layout.goal_rows.size
    if layout.colour is None or lines is not None:
        return expected
    goal = layout.colour[layout.goal_rows[0]]
    moving = (layout.colour != goal) & (np.diff(layout.starts) > 0)
    row = factorial(layout.k) * layout.halves // 2 if layout.k > 1 else 1
    return expected + int(moving.sum()) * row - odd
