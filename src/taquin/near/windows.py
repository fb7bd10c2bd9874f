"""Improvement of a solution that is at hand: windows of it are solved anew, shorter.

1.  A *window* is a stretch of the path, 80 to 150 moves or so. The board at its end is made
    the goal: each tile's label is the cell where it lies then. The end's blank may be anywhere.
2.  **Only the box counts**: the rectangle of the cells that the blank visits in the window, and a
    margin of one. What lies outside has not moved. So a window costs the same on any board.
3.  A beam of `taquin.near.stage_kernels` without stages looks for a way of fewer moves: by a share
    of Manhattan distance and the pair weights. What it finds takes the window's place.
4.  **A pass** cuts the whole path into windows that do not overlap, so that they may be solved at
    the same time; where they begin is shifted from pass to pass. If some passes in a row gain
    nothing, the beam becomes wider.

The path after a pass depends on the seed alone, not on how many threads there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from taquin.near import stage_kernels as kernels
from taquin.near.pairs import Ground, PairWeights, ground, load
from taquin.near.stage_plan import open_plan
from taquin.near.stages import Beam, Rules, Search, label_type
from taquin.sweep import Stop

U64 = np.uint64
Ints = npt.NDArray[np.int64]
Way = npt.NDArray[np.int32]

#: Cells about those that the blank visits.
MARGIN = 1
#: Passes in a row without a gain, after which the beam becomes wider, and by what.
PATIENCE, WIDER = 3, 2
#: The widest beam.
WIDEST = 1 << 18
#: The most that luck adds to a score, in moves, so that no two passes are alike.
NOISE = 1.0
#: Seconds between two calls of `tell` within a pass.
TELL = 1.0


class Window(NamedTuple):
    """A stretch of a path to be solved anew, in its box.

    Attributes
    ----------
    begin, end : int
        The stretch of the path.
    corner : int
        The box's first cell.
    rows, columns : int
        Of the box.
    board : (rows * columns,) int64
        Before the stretch: for each cell of the box, where in the box what lies there goes to.
    blank : int
        Where in the box the blank goes to.
    """

    begin: int
    end: int
    corner: int
    rows: int
    columns: int
    board: Ints
    blank: int


def improve(
    homes: npt.ArrayLike,
    rows: int,
    columns: int,
    path: npt.ArrayLike,
    *,
    deadline: float,
    length: int = 100,
    width: int = 1000,
    seed: int = 1,
    passes: int | None = None,
    workers: int | None = None,
    stop: Stop | None = None,
    tell: Callable[[Way], None] | None = None,
    weights: PairWeights | None = None,
) -> Way:
    """Shorten a path by solving windows of it anew, until the deadline.

    Parameters
    ----------
    homes : (n,) integers
        The goal cell of what lies on each cell; the blank's is 0.
    path : (moves,) integers
        The cells that the blank visits, without the first; it may lead anywhere.
    deadline : float
        The time of `time.perf_counter` at which to end.
    length : int
        Moves of a window, about.
    width : int
        States that the beam keeps of each depth, to begin with.
    seed : int
        Of the windows' places and of the noise.
    passes : int, optional
        At most so many.
    workers : int, optional
        Threads; as many as there are processors if not given.
    stop : Stop, optional
        Ends it when it is set.
    tell : callable, optional
        Called with each better path, from this thread.

    Returns
    -------
    (moves,) int32
        A path from the same board to the same end, never longer.

    Examples
    --------
    >>> import numpy as np
    >>> there_and_back = [1, 4, 1, 2, 1, 0, 3]
    >>> improve(range(9), 3, 3, there_and_back, deadline=float("inf"), passes=1).tolist()
    [3]
    """
    best = np.array(path, np.int32)
    start = np.array(homes, np.int64)
    solver = Solver(columns, load() if weights is None else weights, deadline, stop)
    luck = np.random.default_rng(seed)
    idle = number = 0
    with ThreadPoolExecutor(workers) as pool:
        while min(rows, columns) > 1 and best.size > 1 and number != passes and not solver.late():
            stretch = length // 2 + int(luck.integers(length)) + 1
            shift, lot = int(luck.integers(stretch)), int(luck.integers(1 << 30))
            jobs = cut(start, (rows, columns), best, stretch, shift if number else 0)
            futures = [pool.submit(solver.solve, job, width, lot) for job in jobs]
            number += 1
            shorter = best
            for shorter in _pasted(best, jobs, futures):
                if tell is not None:
                    tell(shorter)
            idle = 0 if shorter.size < best.size else idle + 1
            best = shorter
            if idle == PATIENCE:
                if width >= WIDEST:
                    break
                idle, width = 0, width * WIDER
    return best


def cut(start: Ints, shape: tuple[int, int], path: Way, stretch: int, shift: int) -> list[Window]:
    """Cut a path into windows: the first of `shift` moves, the others of `stretch`."""
    board = start.copy()
    blank = int(np.argmin(board))
    place = np.zeros(board.size, np.int64)
    bounds = [0, *range(shift or stretch, path.size, stretch), path.size]
    windows = []
    for begin, end in pairwise(bounds):
        if end - begin < 2:
            blank = kernels.walk(board, blank, path[begin:end])
            continue
        cells, corner, sides = _box(np.append(path[begin:end], blank), shape)
        before = board[cells]
        blank = kernels.walk(board, blank, path[begin:end])
        place[board[cells]] = np.arange(cells.size)
        home = int(np.argmax(cells == blank))
        windows.append(Window(begin, end, corner, *sides, place[before], home))
    return windows


def _box(visited: Way, shape: tuple[int, int]) -> tuple[Ints, int, tuple[int, int]]:
    """The cells of the box about those that the blank visits, the first of them, and its sides."""
    row, column = np.divmod(visited.astype(np.int64), shape[1])
    top, left = max(row.min() - MARGIN, 0), max(column.min() - MARGIN, 0)
    bottom = min(row.max() + MARGIN + 1, shape[0])
    right = min(column.max() + MARGIN + 1, shape[1])
    cells = np.arange(top, bottom)[:, None] * shape[1] + np.arange(left, right)
    return cells.ravel(), int(cells[0, 0]), (int(bottom - top), int(right - left))


def _pasted(path: Way, windows: list[Window], futures: list[Future[Way | None]]) -> Iterator[Way]:
    """Yield the path with the windows that became shorter: the last, and now and then before."""
    parts, end, gained, told = [], 0, False, time.perf_counter()
    for window, future in zip(windows, futures, strict=True):
        found = future.result()
        if found is None:
            continue
        parts += [path[end : window.begin], found]
        end, gained = window.end, True
        if time.perf_counter() - told > TELL:
            yield np.concatenate([*parts, path[end:]])
            gained, told = False, time.perf_counter()
    if gained:
        yield np.concatenate([*parts, path[end:]])


class Solver:
    """Solves windows of one board; several threads may use it at once."""

    def __init__(
        self, columns: int, weights: PairWeights, deadline: float, stop: Stop | None
    ) -> None:
        self._columns, self._weights = columns, weights
        self._deadline, self._stop = deadline, stop

    def late(self) -> bool:
        """Whether it is time to end."""
        return time.perf_counter() >= self._deadline or bool(self._stop)

    def solve(self, window: Window, width: int, seed: int) -> Way | None:
        """A way shorter than the window, by the cells of the board; None if none was found."""
        if self.late():
            return None
        way = self.search(window, width, seed, longest=window.end - window.begin - 2)
        if way is None:
            return None
        down, right = np.divmod(way, window.columns)
        return (window.corner + down * self._columns + right).astype(np.int32)

    def search(
        self,
        window: Window,
        width: int,
        seed: int,
        *,
        longest: int,
        watch: Callable[[Beam, int], object] | None = None,
    ) -> Way | None:
        """A way of at most `longest` moves, by the cells of the window."""
        rules = Rules(
            share=0,
            toll=0,
            noise=round(NOISE * kernels.SCALE),
            slack=0,
            longest=longest,
            columns=U64(window.columns),
            seed=U64(seed + window.begin),
        )
        n = window.board.size
        return Search(width, n).run(
            self.ground(window),
            open_plan(window.rows, window.columns),
            rules,
            window.board.astype(label_type(n)),
            window.blank,
            (0,),
            self._deadline,
            self._stop,
            watch,
        )

    def ground(self, window: Window) -> Ground:
        """What is fixed in a window: kinds and weights."""
        return ground(window.rows, window.columns, window.blank, self._weights)
