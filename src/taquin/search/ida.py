"""IDA*: shortest solutions with next to no memory, compiled, on any board of up to 256 cells.

Iterative deepening A* (Korf 1985) searches depth first, cuts off every node whose depth and
heuristic exceed a threshold, and raises the threshold to the least value that was cut off. With a
heuristic that never exceeds the true distance the first solution is a shortest one.

Two heuristics are at hand:

``manhattan``
    the distances of the tiles on the board; of equal labels, to the nearest goal cell of the label.
    The classic: with the goal 0 1 2 ... it makes exactly the nodes that Korf counted.
``walking``
    rows alone and columns alone, solved exactly (`taquin.heuristics.walking_distance`): about ten
    times fewer nodes on the 15-puzzle. For grids whose tables are small
    (`taquin.search.ida_tables.walking_pays`).

Nodes are counted as in `taquin.search.result`: the moves are tried in the order U L R D F B, the
move back is never made, every other child counts when it is made, whether it is cut off or not,
iterations add up, and the root counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taquin.errors import LimitReached, Unsolvable
from taquin.search import ida_kernels as kernels
from taquin.search.ida_tables import Manhattan, Walking, walking_pays
from taquin.search.result import AllSolutions, Solution, Stats
from taquin.solvability import verdict
from taquin.state import State

#: Called between slices of the search with the threshold, the nodes so far, and the seconds.
Progress = Callable[[int, int, float], object]

#: Nodes between two looks at the clock: about a tenth of a second.
SLICE = 1 << 23
# Nothing was cut off so far.
NEVER = 1 << 40


class Limits(NamedTuple):
    """When to stop, and whom to tell.

    Attributes
    ----------
    time_limit : float or None
        Seconds, without compiling; looked at every `SLICE` nodes.
    node_limit : int or None
        Generated nodes.
    progress : callable or None
        See `Progress`.
    stop : callable or None
        Asked between slices; the search ends when it says True.
    """

    time_limit: float | None = None
    node_limit: int | None = None
    progress: Progress | None = None
    stop: Callable[[], bool] | None = None


def ida_manhattan(
    start: State,
    goal: State,
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """Find a shortest solution by IDA* with the sum of the tiles' distances.

    Parameters
    ----------
    start, goal : State
        On the same board, with the same labels.
    time_limit : float, optional
        Seconds of search, without compiling.
    node_limit : int, optional
        Generated nodes.
    progress : callable, optional
        Called about ten times a second with the threshold (a proved lower bound of the length, in
        moves), the nodes generated so far, and the seconds.
    stop : callable, optional
        Asked as often, from the searching thread; True ends the search.

    Returns
    -------
    Solution
        Of status ``"optimal"``.

    Raises
    ------
    Unsolvable
        Before any search.
    LimitReached
        With the threshold as lower bound.
    Unsupported
        If the board has more than 256 cells.

    Notes
    -----
    R. E. Korf, *Depth-first iterative-deepening*, Artificial Intelligence 27 (1985).
    Cost: time grows by about 2.1 a move on the 15-puzzle, at some 10^8 nodes a second; memory is
    a few kilobytes.

    Examples
    --------
    >>> from taquin.board import Board
    >>> board = Board.grid(3, 3)
    >>> goal = State([1, 2, 3, 4, 5, 6, 7, 8, 0], board)
    >>> ida_manhattan(State([0, 1, 2, 4, 5, 3, 7, 8, 6], board), goal).walk
    (1, 2, 5, 8)
    """
    limits = Limits(time_limit, node_limit, progress, stop)
    return _first(Deepening(start, goal, Manhattan(start, goal)), limits)


def ida_walking(
    start: State,
    goal: State,
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """Find a shortest solution by IDA* with the walking distance; see `ida_manhattan`.

    Raises
    ------
    Unsupported
        If the board is not a grid (tori and boxes are), if labels repeat, or if a table would be
        too large.
    """
    limits = Limits(time_limit, node_limit, progress, stop)
    return _first(Deepening(start, goal, Walking(start, goal)), limits)


def ida(start: State, goal: State, **limits: Any) -> Solution:
    """Find a shortest solution by `ida_walking` where it pays, else by `ida_manhattan`."""
    return (ida_walking if walking_pays(goal) else ida_manhattan)(start, goal, **limits)


def ida_all(
    start: State,
    goal: State,
    *,
    limit: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> AllSolutions:
    """Count all shortest solutions, and keep the first of them in lexicographic order.

    Parameters
    ----------
    limit : int, optional
        Keep at most so many; the count is exact all the same. All are kept if not given: a
        difficult board may have thousands.
    time_limit, progress, stop
        As for `ida_manhattan`.

    Returns
    -------
    AllSolutions
        In the order of the blank's letters (B < D < F < L < R < U); on graphs and on boards of
        more than three axes, in the order of the cells' numbers.

    Raises
    ------
    Unsolvable
        Before any search.
    LimitReached
        With the first solution, if one was found, and the threshold as lower bound.

    Notes
    -----
    The last iteration of IDA* is completed instead of ended at the first goal, with the moves
    tried in the order of their letters: every shortest solution has the goal as its only node on
    the threshold's last depth, and is met once.
    """
    make = Walking if walking_pays(goal) else Manhattan
    search = Deepening(start, goal, make(start, goal), alphabetical=True)
    kept: list[Solution] = []
    if start == goal:
        return AllSolutions(1, 0, (search.solution((), 0),)[:limit])
    search.count_only = limit == 0
    try:
        for length in search.goals(Limits(time_limit, None, progress, stop)):
            kept.append(search.solution(search.walk(), length))
            search.count_only = len(kept) == limit
    except LimitReached as reached:
        reached.solution = kept[0] if kept else None
        raise
    return AllSolutions(search.found, search.threshold, tuple(kept))


def _first(search: Deepening, limits: Limits) -> Solution:
    if search.start == search.goal:
        return search.solution((), 0)
    length = next(search.goals(limits))
    return search.solution(search.walk(), length)


# -- the search -----------------------------------------------------------------------------------


class Deepening:
    """One search: its moves, its stack, and its counters, all in arrays.

    Attributes
    ----------
    threshold : int
        No solution is shorter than this.
    found : int
        Goals met in this iteration.
    count_only : bool
        Do not stop at goals any more, only count them.
    """

    def __init__(
        self,
        start: State,
        goal: State,
        heuristic: Manhattan | Walking,
        *,
        alphabetical: bool = False,
    ) -> None:
        answer = verdict(start, goal)
        if not answer.solvable:
            raise Unsolvable(answer.text(), answer)
        self.start, self.goal, self.count_only = start, goal, False
        self.threshold = heuristic.value
        self._heuristic = heuristic
        edges = self._make_moves(alphabetical)
        self._tables = heuristic.arrays(edges)
        self._generated, self._expanded, self._seconds = 1, 0, 0.0
        self._begin()
        self._run(0)  # compiles

    def _make_moves(self, alphabetical: bool) -> list[tuple[int, int]]:
        """Number the moves (from, to), and list what follows each; see `ida_kernels`."""
        board = self.start.board
        near = [list(board.moves(cell)) for cell in range(board.n)]
        if alphabetical:
            for moves in near:
                moves.sort(key=lambda move: move[0] if board.directions else move[1])
        edges = [(cell, to) for cell in range(board.n) for _, to in near[cell]]
        number = {edge: move for move, edge in enumerate(edges)}
        first: list[int] = []
        follow: list[int] = []
        for before, cell in [*edges, (-1, self.start.blank)]:
            first.append(len(follow))
            follow += [number[cell, to] for _, to in near[cell] if to != before]
            follow.append(kernels.END)
        self._to = np.array([*(to for _, to in edges), self.start.blank], np.uint16)
        self._first, self._follow = np.array(first, np.uint32), np.array(follow, np.uint16)
        return edges

    def _begin(self) -> None:
        """Make the stack for the present threshold, with the start on it."""
        levels = self.threshold + 2
        labels = self._heuristic.labels
        self._tiles = np.array([labels[label] for label in self.start.tiles], np.uint8)
        self._path = np.zeros(levels, np.uint16)
        self._path[0] = len(self._to) - 1
        self._stack = (self._path, np.zeros(levels, np.uint32), np.zeros(levels, np.int64))
        self._at = np.zeros(kernels.FIELDS, np.int64)
        self._at[kernels.PLACE] = self._first[-1]
        self._at[kernels.SUM] = self._heuristic.value
        self._at[kernels.LEAST] = NEVER
        self._at[kernels.EXPANDED] = 1
        self._more = self._heuristic.fresh(self._tables, levels)

    def _run(self, budget: int) -> int:
        deepen: Callable[..., int] = self._heuristic.kernel
        return deepen(
            *(self._tiles, self._to, self._first, self._follow, *self._stack, self._at),
            *self._more,
            *(self.threshold, budget, self.count_only),
        )

    def goals(self, limits: Limits) -> Iterator[int]:
        """Raise the threshold until there are solutions; yield its value at each, as `walk` has it.

        Ends when all solutions of this length have been met.
        """
        begun = perf_counter()
        while True:
            self._begin()
            status = kernels.PAUSED
            while status != kernels.EXHAUSTED:
                budget = SLICE
                if limits.node_limit is not None:
                    budget = min(budget, limits.node_limit - self.generated)
                status = self._run(max(0, budget))
                self._seconds = perf_counter() - begun
                if status == kernels.GOAL:
                    yield self.threshold
                elif status == kernels.PAUSED:
                    self._look(limits)
            self._generated, self._expanded = self.generated, self.expanded
            found, least = self.found, int(self._at[kernels.LEAST])
            if found:
                return
            if least == NEVER:  # the verdict has excluded this
                raise AssertionError(f"no way from {self.start!r} to {self.goal!r}")
            self.threshold += least

    def _look(self, limits: Limits) -> None:
        """Tell how far the search has come, and end it where a limit is reached."""
        if limits.progress is not None:
            limits.progress(self.threshold, self.generated, self._seconds)
        reason = ""
        if limits.time_limit is not None and self._seconds >= limits.time_limit:
            reason = f"the time limit of {limits.time_limit:g} s"
        elif limits.node_limit is not None and self.generated >= limits.node_limit:
            reason = f"the limit of {limits.node_limit:,} nodes"
        elif limits.stop is not None and limits.stop():
            reason = "a request to stop"
        if reason:
            raise LimitReached(
                f"{reason} was reached after {self.generated:,} nodes and {self._seconds:.1f} s:"
                f" a solution has at least {self.threshold} moves",
                lower_bound=self.threshold,
                stats=self.stats(self.expanded, self.threshold),
            )

    @property
    def generated(self) -> int:
        """Nodes generated so far, over all iterations."""
        return self._generated + int(self._at[kernels.GENERATED])

    @property
    def expanded(self) -> int:
        """Nodes expanded so far, over all iterations."""
        return self._expanded + int(self._at[kernels.EXPANDED])

    @property
    def found(self) -> int:
        """Goals met in this iteration."""
        return int(self._at[kernels.GOALS])

    def walk(self) -> tuple[int, ...]:
        """Return the cells that the blank visits on the present path."""
        depth = int(self._at[kernels.DEPTH])
        return tuple(int(self._to[move]) for move in self._path[1 : depth + 1])

    def stats(self, expanded: int, length: int) -> Stats:
        """Return the counters so far, for a path of `length` moves."""
        arrays: tuple[NDArray[Any], ...]
        arrays = (self._tiles, self._to, self._first, self._follow, *self._stack, *self._more)
        return Stats(
            self._heuristic.name,
            expanded=expanded,
            generated=self.generated,
            stored=length + 1,
            seconds=self._seconds,
            bytes=sum(array.nbytes for array in arrays),
            heuristic=self._heuristic.value,
        )

    def solution(self, walk: tuple[int, ...], length: int) -> Solution:
        """Return a shortest solution with the counters so far."""
        stats = self.stats(self.expanded if walk else 0, length)
        return Solution(self.start, self.goal, walk, length, "stm", length, "optimal", stats)
