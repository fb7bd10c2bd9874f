"""The sweep: breadth-first search over every state of a puzzle, by rows of words.

>>> from taquin.sweep import sweep
>>> ring = [[1, 3], [0, 2], [1, 3], [0, 2]]            # the 2 x 2 board, cells around
>>> sweep(ring, blank=3).counts
[1, 2, 2, 2, 2, 2, 1]
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from math import factorial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from taquin.sweep.checkpoint import read_checkpoint, write_checkpoint
from taquin.sweep.cohorts import Layout, Neighbours, colours, lay_out, size_up
from taquin.sweep.kernels import advance
from taquin.sweep.passes import (
    Lines,
    Pass,
    Schedule,
    line_schedule,
    slide_schedule,
    step_schedule,
)
from taquin.sweep.ranking import members, pick
from taquin.sweep.rotations import CHUNK, Rotations, half_words, plan_rotations

#: Sets of cells are 64-bit words.
MOST_CELLS = 64
#: Below so many words a second thread costs more than it brings.
SINGLE_HANDED = 1 << 15
#: Words that a thread takes on at a time, about.
SHARE = 1 << 12


class Stop:
    """A flag that ends a sweep from another thread or a signal handler: `stop.set()`."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.uint8)

    def set(self) -> None:
        """End the sweep."""
        self.flag[0] = 1

    def __bool__(self) -> bool:
        return bool(self.flag[0])


@dataclass(frozen=True)
class Progress:
    """What a sweep has done: given to the progress callback after every level.

    Attributes
    ----------
    states : states found so far; depth : of the last level; level : states in it
    fraction : of all states that may exist, 0 .. 1; seconds : since the sweep began
    """

    states: int
    depth: int
    level: int
    fraction: float
    seconds: float


@dataclass(frozen=True)
class Level:
    """The states of one depth, as they lie in memory while a sweep stands at it."""

    layout: Layout
    depth: int
    rows: npt.NDArray[np.int64]
    words: npt.NDArray[np.uint64]
    size: int

    def members(self, limit: int | None = None) -> tuple[npt.NDArray[np.int64], ...]:
        """Rows, words and bits of its states in order of their numbers (at most `limit`)."""
        row, word, bit = members(self.words, self.rows, -1 if limit is None else limit)
        return row % self.layout.rows, word, bit

    def pick(self, numbers: npt.ArrayLike) -> tuple[npt.NDArray[np.int64], ...]:
        """Rows, words and bits of the states with the given numbers, 0 <= number < size.

        States are numbered as `members` lists them.  Cost: one pass over the level's words.

        Raises
        ------
        IndexError
            If a number is out of range.
        """
        numbers = np.asarray(numbers, np.int64)
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < self.size:
            raise IndexError(f"states of this level have the numbers 0 to {self.size - 1}")
        row, word, bit = pick(self.words, self.rows, numbers)
        return row % self.layout.rows, word, bit


@dataclass(frozen=True)
class Table:
    """What is kept of the depth of every state.

    With colours one plane: bit 1 of the depth (bit 0 is the row's colour).  Without, and for
    multi-tile moves, two planes that hold depth mod 3, low bit first.  States that were not reached
    read as depth 0.

    Attributes
    ----------
    planes : (1 or 2, rows, words) uint64
    """

    layout: Layout
    planes: npt.NDArray[np.uint64]

    def residues(
        self, row: npt.ArrayLike, word: npt.ArrayLike, bit: npt.ArrayLike
    ) -> npt.NDArray[np.uint8]:
        """Depth mod 4 from a table of one plane, depth mod 3 from one of two."""
        row, bit = np.asarray(row), np.asarray(bit).astype(np.uint64)
        total = np.zeros(np.broadcast(row, word, bit).shape, np.uint8)
        for i, plane in enumerate(self.planes):
            total |= ((plane[row, word] >> bit) & np.uint64(1)).astype(np.uint8) << np.uint8(i)
        if len(self.planes) == 2 or self.layout.colour is None:
            return total
        start = self.layout.colour[self.layout.goal_rows[0]]
        total *= np.uint8(2)
        total += self.layout.colour[row] ^ start
        return total


@dataclass
class SweepResult:
    """What a sweep found.

    Attributes
    ----------
    counts : states at depth 0, 1, ...
    by_cell : (depths, n) int64 or None
        The same for each cell of the blank, in the caller's numbers (whole puzzle only).
    table
        None unless recorded, and after a stop within a level.
    finished : whether the level after the last was empty
    last : the deepest level, still in memory (not after a stop within a level)
    """

    layout: Layout
    counts: list[int]
    by_cell: npt.NDArray[np.int64] | None
    table: Table | None
    finished: bool
    last: Level
    seconds: float = 0.0

    @property
    def states(self) -> int:
        """The states of all levels."""
        return sum(self.counts)


def memory_needed(
    neighbours: Neighbours,
    tiles: Sequence[int] | None = None,
    *,
    lines: Lines | None = None,
    record: bool = False,
    workers: int | None = None,
) -> int:
    """Bytes that `sweep` with the same arguments allocates, without allocating them.

    Within some per cent (the tables of rotations are left out); beyond 2**27 sets of cells a lower
    bound, see `size_up`.
    """
    n = len(neighbours)
    k = n - 1 if tiles is None else len(tiles)
    tinted = colours(neighbours) is not None
    cohorts, edges = size_up(neighbours, k)
    halves = 1 if tinted and k == n - 1 else 2
    layers = 2 + len(lines) if lines is not None else 1 if tinted else 2
    planes = 0 if not record else 1 if tinted and lines is None else 2
    row = half_words(k) * halves
    words = 8 * cohorts * row * (layers + planes)
    population = 4 * cohorts * layers * (row // min(row, CHUNK))
    layout = 24 * cohorts + 8 * edges
    passes = (8 * edges + 24 * cohorts) * layers
    scratch = 3 * 8 * min(row, CHUNK) * (workers or os.cpu_count() or 1)
    return words + population + layout + passes + scratch


@dataclass
class _Sweep:
    """The arrays of a running sweep and the threads that work on them."""

    layout: Layout
    schedule: Schedule
    plan: Rotations
    planes: npt.NDArray[np.uint64]
    workers: int
    words: npt.NDArray[np.uint64] = field(init=False)
    population: npt.NDArray[np.uint32] = field(init=False)
    counts: list[int] = field(init=False)
    by_cell: list[npt.NDArray[np.int64]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        layout, plan = self.layout, self.plan
        rows = layout.rows * self.schedule.layers
        self.words = np.zeros((rows, plan.odd.size * plan.chunk_odd.size), np.uint64)
        self.population = np.zeros((rows, plan.chunk_odd.size), np.uint32)
        self.words[layout.goal_rows, 0] = 1
        self.population[layout.goal_rows, 0] = 1
        self.counts = [layout.goal_rows.size]
        self._parity = np.tile(layout.parity, self.schedule.layers)
        self._scratch = np.empty((self.workers, 3, plan.length), np.uint64)

    @property
    def depth(self) -> int:
        return len(self.counts) - 1

    def passes(self) -> list[Pass]:
        """The passes that lead to the next level."""
        return self.schedule.levels[self.depth % 2]

    def level(self) -> Level:
        """The present level: the targets of the last pass, or the goal."""
        rows = self.schedule.levels[1 - self.depth % 2][-1].targets
        return Level(self.layout, self.depth, rows, self.words, self.counts[-1])

    @cached_property
    def _cells(self) -> list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """The rows of even and of odd levels, and the blank's cell of each (whole puzzle)."""
        layout = self.layout
        blanks = layout.order[np.log2(layout.regions).astype(np.int64)]
        rows = [self.schedule.levels[1 - parity][-1].targets for parity in (0, 1)]
        return [(some, blanks[some % layout.rows]) for some in rows]

    def count_by_cell(self) -> None:
        """Note the present level by the blank's cells: each has one row (whole puzzle)."""
        rows, cells = self._cells[self.depth % 2]
        totals = np.zeros(self.layout.order.size, np.int64)
        totals[cells] = np.add.reduce(self.population[rows], axis=1, dtype=np.int64)
        self.by_cell.append(totals)

    def run(self, work: Pass, plane: int, stop: Stop, pool: ThreadPoolExecutor | None) -> int:
        """Carry out one pass on all threads; the states it wrote."""
        # Many chunks: a chunk of all rows at a time, which share it in cache.  Else few rows.
        step = work.targets.size
        if self.population.shape[1] < 16 * self.workers:
            step = max(1, SHARE // self.plan.length)
        counter = np.zeros(1, np.int64)

        def share(scratch: npt.NDArray[np.uint64]) -> int:
            return int(
                advance(
                    self.words,
                    self.population,
                    work.targets,
                    work.starts,
                    work.sources,
                    work.rotations,
                    work.beside,
                    work.keep,
                    self.plan.plans,
                    self.plan.tables,
                    self._parity,
                    self.plan.odd,
                    self.plan.chunk_odd,
                    self.planes,
                    -1 if work.keep else plane,
                    step,
                    counter,
                    stop.flag,
                    scratch,
                )
            )

        if pool is None:
            return share(self._scratch[0])
        others = [pool.submit(share, scratch) for scratch in self._scratch[1:]]
        return share(self._scratch[0]) + sum(other.result() for other in others)

    def next_level(self, stop: Stop, pool: ThreadPoolExecutor | None) -> int:
        """Go on by one level; its states.  Nothing is noted if it is empty or stopped within."""
        total = 0
        for work in self.passes():
            total = self.run(work, self.plane(), stop, pool)
        if total and not stop:
            self.counts.append(total)
            if self.layout.whole:
                self.count_by_cell()
        return total

    def load(self, folder: Path, identity: str) -> None:
        """Take over the folder's checkpoint, if there is one."""
        found = read_checkpoint(folder, identity, self.words, self.population, self.planes)
        if found is not None:
            self.counts, self.by_cell = found

    def save(self, folder: Path, identity: str) -> None:
        """Write the folder's checkpoint; if that fails, warn and let the sweep go on."""
        try:
            write_checkpoint(
                folder,
                identity,
                self.words,
                self.population,
                self.planes,
                self.counts,
                self.by_cell,
            )
        except OSError as error:
            reason = error.strerror or error
            warnings.warn(f"no checkpoint is kept in {folder}: {reason}", stacklevel=3)

    def plane(self) -> int:
        """The plane of the table that the next level is written to, or -1."""
        depth = self.depth + 1
        if len(self.planes) == 1:
            return 0 if depth & 2 else -1
        return depth % 3 - 1 if len(self.planes) == 2 else -1


def sweep(
    neighbours: Neighbours,
    tiles: Sequence[int] | None = None,
    blank: int | None = None,
    *,
    lines: Lines | None = None,
    to_depth: int | None = None,
    record: bool = False,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    on_level: Callable[[Level], None] | None = None,
    stop: Stop | None = None,
    checkpoint: Path | str | None = None,
    checkpoint_seconds: float = 600.0,
) -> SweepResult:
    """Count, and on demand record, all states by their distance from the goal.

    Parameters
    ----------
    neighbours
        The cells next to each cell: an undirected simple graph, connected or not.
    tiles
        The goal cells of the tracked tiles, in tile order; None: all cells but `blank`.  Depth
        counts the moves of tracked tiles only.
    blank
        The blank's goal cell; None: any cell that the tiles leave free (not for all tiles).
    lines
        For multi-tile moves: lines[d][cell] is the next cell in direction d (-1: none). With some
        of the tiles every move counts, not only theirs, and lines must not be rings.
    to_depth
        The last level wanted; None: all.
    record
        Keep a `Table`: one bit a state on boards with colours, two on others and for lines.
    workers
        Threads; None: one a processor.
    progress, on_level
        Called after every level, the goal's included (`on_level` only).
    stop
        Ends the sweep: at once, or, with a checkpoint folder, at the end of the level.
    checkpoint
        A folder.  If it holds a checkpoint of the same sweep, the sweep goes on from there; one is
        written at the end of a level when `stop` is set and every `checkpoint_seconds`.

    Returns
    -------
    SweepResult
        Its `finished` is False after `stop` and `to_depth`.

    Raises
    ------
    ValueError
        If goals are not distinct cells, or lines go with some of the tiles only.
    """
    began = time.perf_counter()
    tiles = _checked(neighbours, tiles, blank, lines)
    stop = Stop() if stop is None else stop
    run = _prepare(neighbours, tiles, blank, lines, record, workers or os.cpu_count() or 1)
    layout = run.layout
    whole = layout.whole
    bound = layout.occupied.size * factorial(layout.k) * layout.halves // 2 or 1
    identity = repr((neighbours, list(tiles), blank, lines))
    folder = None if checkpoint is None else Path(checkpoint)
    saved = time.perf_counter()
    if folder is not None:
        run.load(folder, identity)
    if whole and not run.by_cell:
        run.count_by_cell()
    if on_level is not None:
        on_level(run.level())
    finished = torn = False
    pool = ThreadPoolExecutor(run.workers - 1) if run.workers > 1 else None
    try:
        while not finished and not stop and (to_depth is None or run.depth < to_depth):
            # With a checkpoint to write, a level is finished first.
            total = run.next_level(stop if folder is None else Stop(), pool)
            torn = folder is None and bool(stop)
            finished = total == 0 and not torn
            if finished or torn:
                break
            if progress is not None:
                states = sum(run.counts)
                seconds = time.perf_counter() - began
                progress(Progress(states, run.depth, total, min(1.0, states / bound), seconds))
            if on_level is not None:
                on_level(run.level())
            now = time.perf_counter()
            if folder is not None and (stop or now - saved >= checkpoint_seconds):
                run.save(folder, identity)
                saved = time.perf_counter()
    finally:
        if pool is not None:
            pool.shutdown()
    return SweepResult(
        layout,
        run.counts,
        np.array(run.by_cell) if whole else None,
        Table(layout, run.planes) if record and not torn else None,
        finished,
        run.level(),
        time.perf_counter() - began,
    )


def _checked(
    neighbours: Neighbours, tiles: Sequence[int] | None, blank: int | None, lines: Lines | None
) -> list[int]:
    """The goal cells of the tiles; ValueError if the arguments do not fit together."""
    n = len(neighbours)
    if n > MOST_CELLS:
        raise ValueError(f"a sweep takes boards of up to {MOST_CELLS} cells, got {n}")
    if tiles is None:
        if blank is None:
            raise ValueError("the whole puzzle needs the blank's goal cell, got None")
        tiles = [cell for cell in range(n) if cell != blank]
    cells = [*tiles, *([] if blank is None else [blank])]
    if len(set(cells)) < len(cells) or not all(0 <= cell < n for cell in cells):
        raise ValueError(f"goal cells must be distinct and in 0..{n - 1}, got {cells}")
    if not 0 < len(tiles) < n:
        raise ValueError(f"1 to {n - 1} tiles can be tracked on {n} cells, got {len(tiles)}")
    if lines is not None and len(tiles) < n - 1 and blank is None:
        raise ValueError("multi-tile moves of some tiles need the blank's goal cell, got None")
    return list(tiles)


def _prepare(
    neighbours: Neighbours,
    tiles: Sequence[int],
    blank: int | None,
    lines: Lines | None,
    record: bool,
    workers: int,
) -> _Sweep:
    part = lines is not None and len(tiles) < len(neighbours) - 1
    layout = lay_out(neighbours, tiles, blank, walks=not part)
    if lines is None:
        schedule = slide_schedule(layout)
    else:
        schedule = step_schedule(layout, lines) if part else line_schedule(layout, lines)
    used = np.flatnonzero(np.bincount(layout.rotations, minlength=1)).tolist()
    plan = plan_rotations(layout.k, layout.halves, used)
    words = half_words(layout.k) * layout.halves
    planes = 0 if not record else 1 if layout.colour is not None and lines is None else 2
    if words * layout.rows * schedule.layers < SINGLE_HANDED:
        workers = 1
    table = np.zeros((planes, layout.rows, words), np.uint64)
    return _Sweep(layout, schedule, plan, table, workers)


__all__ = [
    "Level",
    "Progress",
    "Stop",
    "SweepResult",
    "Table",
    "memory_needed",
    "sweep",
]
