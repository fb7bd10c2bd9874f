"""The whole state space of a puzzle: how deep, how many, which are hardest, a fair sample.

`explore` runs the sweep (`taquin.sweep`) over every state and returns a `Space`; a board whose
states do not fit in memory is explored to a given depth, by its frontier alone. `oracle` is the
distance table of a puzzle, built the first time and kept (`taquin.tables`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from taquin import tables
from taquin.board import Board, kind_of
from taquin.board.lines import slides
from taquin.errors import LimitReached, TableError, Unsolvable, Unsupported, require_whole
from taquin.oracle import Oracle
from taquin.sampling import Rng, as_random
from taquin.solvability import class_size, verdict
from taquin.space_memory import bytes_needed, free_memory, human, refusal
from taquin.space_states import FEW, walk_frontier
from taquin.space_states import pick as pick  # spaces are where others look for it
from taquin.space_states import sweep_arguments as sweep_arguments
from taquin.state import State
from taquin.sweep import (
    Progress,
    Stop,
    Table,
    keeps_table,
    lay_out,
    order_cells,
    sweep,
)

if TYPE_CHECKING:
    from taquin.puzzle import Puzzle

#: Boards of at most so many cells are swept whole, whatever depth is asked for.
SMALL = 12
#: The way a table is laid out; another number makes older tables strangers.
ENCODING = 1
#: Why exploring ended, see `Space`.
Ending = Literal["space", "depth", "memory", "stop"]
#: Distance tables that a process holds at a time.
HELD = 8


@dataclass(frozen=True)
class Kind:
    """Cells that are alike, and the states whose blank is on them.

    Attributes
    ----------
    name : str
        ``"corner"``, ``"edge"``, ``"face"``, ``"centre"`` on grids; elsewhere by moves.
    moves : int
        Moves of a blank on such a cell.
    cells, states : int
    """

    name: str
    moves: int
    cells: int
    states: int


@dataclass(frozen=True)
class Space:
    """All states that reach the goal, by their depth.

    Attributes
    ----------
    puzzle : Puzzle
        Whose goal has depth 0.
    depth_counts : tuple of int
        How many states lie 0, 1, 2, ... moves from the goal.
    by_cell : (depths, n) int64 or None
        The same for each cell of the blank; None where only the frontier was held.
    ended : str
        Why it went no further: ``"space"``, there are no more states; ``"depth"``, the depth asked
        for; ``"memory"``, the next level might not have fitted; ``"stop"``.
    seconds : float
        Wall time of the sweep.

    Examples
    --------
    >>> from taquin import Puzzle
    >>> space = Puzzle.parse("2x2").explore()
    >>> space.depth_counts, space.edges, space.mean_depth
    ((1, 2, 2, 2, 2, 2, 1), 12, 3.0)
    """

    puzzle: Puzzle
    depth_counts: tuple[int, ...]
    by_cell: NDArray[np.int64] | None
    ended: Ending
    seconds: float = 0.0
    _table: Table | None = field(default=None, repr=False)

    @property
    def complete(self) -> bool:
        """Whether every state was met; False after ``to_depth``, a stop, or for want of memory."""
        return self.ended == "space"

    @property
    def states(self) -> int:
        """The number of states counted: the vertices of the graph."""
        return sum(self.depth_counts)

    @property
    def radius(self) -> int:
        """The greatest depth counted."""
        return len(self.depth_counts) - 1

    @property
    def mean_depth(self) -> float:
        """The mean distance from the goal, in moves."""
        return sum(d * count for d, count in enumerate(self.depth_counts)) / self.states

    @property
    def degrees(self) -> dict[int, int]:
        """How many states have 1, 2, 3, ... moves."""
        found: Counter[int] = Counter()
        for kind in self.kinds:
            found[kind.moves] += kind.states
        return dict(sorted(found.items()))

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The states by the kind of cell that the blank is on, those with fewest moves first."""
        if self.by_cell is None:
            raise Unsupported(
                "cells of the blank were not counted: the board was too big to hold, and only the"
                " states of each depth are known"
            )
        cells: Counter[tuple[int, str]] = Counter()
        states: Counter[tuple[int, str]] = Counter()
        for cell, count in enumerate(self.by_cell.sum(axis=0).tolist()):
            moves = sum(1 for _ in slides(self.puzzle.board, cell, self.puzzle.metric))
            key = (moves, kind_of(self.puzzle.board, cell))
            cells[key] += 1
            states[key] += count
        return tuple(Kind(key[1], key[0], cells[key], states[key]) for key in sorted(cells))

    @property
    def mean_degree(self) -> float:
        """The mean number of moves of a state."""
        return sum(degree * count for degree, count in self.degrees.items()) / self.states

    @property
    def edges(self) -> int:
        """The number of edges of the state graph: every move can be taken back."""
        if not self.complete:
            raise Unsupported("edges are counted for a complete space only")
        return sum(degree * count for degree, count in self.degrees.items()) // 2

    # -- single states -------------------------------------------------------------------------

    @cached_property
    def table(self) -> Oracle:
        """The distance table: one bit a state on boards with colours, two on others.

        Raises
        ------
        Unsupported
            If the space is not complete, or was explored without a table.
        """
        if self._table is None:
            raise Unsupported(
                "there is no distance table: it is kept only where the whole space was explored"
                " and the table fits in memory"
            )
        return Oracle(self.puzzle.goal, self.puzzle.metric, self._table)

    def depth(self, state: Any) -> int:
        """Return the distance of one state from the goal, in moves.

        Raises
        ------
        Unsolvable
            If the state does not reach the goal; with the verdict.
        """
        start = self.puzzle.state(state)
        depth = int(self.depths([start.tiles])[0])
        if depth < 0:
            reasons = verdict(start, self.puzzle.goal)
            raise Unsolvable(reasons.text(), reasons)
        return depth

    def depths(self, array: Any) -> NDArray[np.int16]:
        """Return the distance of each state, (B,) int16, from rows of labels, (B, n) integers.

        -1 stands for a state that does not reach the goal.
        """
        return self.table.checked_depths(array)

    def antipodes(self, limit: int = 1000) -> list[State]:
        """Return states at the greatest depth, at most `limit`. Cost: a sweep."""
        return self.at_depth(self.radius, range(min(limit, self.depth_counts[-1])))

    def sample(self, depth: int, rng: Rng = None) -> State:
        """Return a state at a depth, each with the same probability. Cost: a sweep to that depth.

        `samples` draws many for the same cost.
        """
        return self.samples(depth, 1, rng)[0]

    def samples(self, depth: int, count: int, rng: Rng = None) -> list[State]:
        """Return states at a depth, each drawn uniformly and independently of the others.

        Raises
        ------
        Unsupported
            If no state has this depth.
        """
        require_whole(count=(count, 0))
        if not (hasattr(depth, "__index__") and 0 <= depth <= self.radius):
            raise Unsupported(f"no state has depth {depth}: depths go from 0 to {self.radius}")
        generator = as_random(rng)
        size = self.depth_counts[depth]
        return self.at_depth(depth, [generator.randrange(size) for _ in range(count)])

    def at_depth(self, depth: int, numbers: Sequence[int]) -> list[State]:
        """Return the states with the given numbers (0, 1, ...) among those at a depth.

        Raises
        ------
        Unsupported
            If no state has this depth, or one of the numbers.
        """
        size = self.depth_counts[depth] if 0 <= depth <= self.radius else 0
        if size == 0 or any(not 0 <= number < size for number in numbers):
            raise Unsupported(f"depth {depth} has {size:,} states, numbered from 0")
        wanted = lambda at, _: numbers if at == depth else ()  # noqa: E731
        return pick(self.puzzle, wanted, depth, by_frontier=self.by_cell is None)[depth]


# -- exploring ----------------------------------------------------------------------------------


def explore(
    puzzle: Puzzle,
    *,
    to_depth: int | None = None,
    memory_limit: int | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Stop | None = None,
    checkpoint: Path | str | None = None,
    table: bool = True,
) -> Space:
    """Explore all states of a puzzle; see `taquin.Puzzle.explore`.

    Parameters
    ----------
    stop : Stop, optional
        ``stop.set()`` from another thread ends the sweep; the levels found so far are returned.
    checkpoint : path, optional
        A folder from which a stopped sweep goes on, and in which it leaves off.
    table : bool
        Keep a distance table, if it fits.
    """
    if puzzle.goal.repeats:
        raise Unsupported(
            "a goal with equal labels has no space to sweep: give every tile a label of its own"
        )
    require_whole(to_depth=(to_depth, 0), memory_limit=(memory_limit, 0), workers=(workers, 1))
    if puzzle.board.n == 1:
        return _of_one_cell(puzzle)
    limit = free_memory() if memory_limit is None else memory_limit
    if to_depth is not None and checkpoint is None:
        big = puzzle.board.n > SMALL or bytes_needed(puzzle, workers=workers) > limit
        if big:
            return by_frontier(puzzle, to_depth, limit, progress, stop)
    record = table and to_depth is None
    if checkpoint is not None and keeps_table(Path(checkpoint)) is False:
        record = False  # the levels before were not recorded
    if record and bytes_needed(puzzle, record=True, workers=workers) > limit:
        record = False
    if not record and bytes_needed(puzzle, workers=workers) > limit:
        states = class_size(puzzle.board, puzzle.goal.blank, most=FEW)
        if states <= FEW:  # a line, a ring: few states on many cells
            return by_frontier(puzzle, states, limit, progress, stop)
        raise LimitReached(refusal(puzzle, limit, workers))
    neighbours, arguments = sweep_arguments(puzzle)
    stop = Stop() if stop is None else stop
    try:
        result = sweep(
            neighbours,
            to_depth=to_depth,
            record=record,
            workers=workers,
            progress=progress,
            stop=stop,
            checkpoint=checkpoint,
            **arguments,
        )
    except ValueError as error:  # all arguments are right: it is the checkpoint that is not
        raise TableError(str(error)) from None
    ended: Ending = "space" if result.finished else "stop" if stop else "depth"
    levels = slice(None if to_depth is None else to_depth + 1)  # a checkpoint may lie deeper
    return Space(
        puzzle,
        tuple(result.counts[levels]),
        None if result.by_cell is None else result.by_cell[levels],
        ended,
        result.seconds,
        result.table if result.finished else None,
    )


def _of_one_cell(puzzle: Puzzle) -> Space:
    """The space of a board without moves, and its table of one bit."""
    table = Table(lay_out([()], (), 0), np.zeros((1, 1, 1), np.uint64))
    return Space(puzzle, (1,), np.ones((1, 1), np.int64), "space", _table=table)


def by_frontier(
    puzzle: Puzzle,
    to_depth: int,
    limit: int,
    progress: Callable[[Progress], None] | None = None,
    stop: Stop | None = None,
) -> Space:
    """Explore a board that is too big to hold by its last two levels alone.

    Where memory or `stop` ends it before the depth asked for, the levels so far are returned.
    """
    began = perf_counter()
    found = walk_frontier(puzzle, to_depth, limit, progress=progress, stop=stop)
    return Space(puzzle, tuple(found.counts), None, found.ended, perf_counter() - began)


@lru_cache(maxsize=64)
def _counts(board: Board, blank: int, metric: str, to_depth: int | None) -> tuple[int, ...]:
    from taquin.puzzle import Puzzle

    tiles = [*range(1, blank + 1), 0, *range(blank + 1, board.n)]
    return explore(Puzzle(board, State(tiles, board), metric), to_depth=to_depth).depth_counts


def depth_counts(puzzle: Puzzle, to_depth: int | None = None) -> tuple[int, ...]:
    """Return how many states lie 0, 1, 2, ... moves from the goal; kept for the next question."""
    return _counts(puzzle.board, puzzle.goal.blank, puzzle.metric, to_depth)


# -- tables that are kept -----------------------------------------------------------------------

_oracles: dict[tuple[State, str], Oracle] = {}
_building = Lock()


def table_key(puzzle: Puzzle) -> dict[str, Any]:
    """Return what tells the tables of two puzzles apart.

    Not the tiles of the goal: the table knows tiles by their goal cells, so one serves all goals
    whose blank is on the same cell.
    """
    board = puzzle.board
    return {
        "board": board.spec,
        "blank": puzzle.goal.blank,
        "metric": puzzle.metric,
        "encoding": ENCODING,
        "order": order_cells([board.neighbours(cell) for cell in range(board.n)]),
    }


def oracle(puzzle: Puzzle, **options: Any) -> Oracle:
    """Return the distance table of a puzzle: from memory, from disk, or built and kept.

    Parameters
    ----------
    **options
        Of `explore`, should it have to be built.

    Raises
    ------
    LimitReached
        If it does not fit in memory, or building was stopped.
    """
    held = (puzzle.goal, puzzle.metric)
    with _building:
        if held not in _oracles:
            while len(_oracles) >= HELD:
                _oracles.pop(next(iter(_oracles)))
            _oracles[held] = _obtain(puzzle, **options)
        return _oracles[held]


def forget() -> None:
    """Let go of all tables held in memory; those on disk stay."""
    with _building:
        _oracles.clear()


def _obtain(puzzle: Puzzle, **options: Any) -> Oracle:
    neighbours, arguments = sweep_arguments(puzzle)
    arrays = tables.obtain("space", table_key(puzzle), lambda: _build(puzzle, **options))
    layout = lay_out(neighbours, arguments["tiles"], arguments["blank"])
    planes = arrays.get("planes", np.empty(0))
    if planes.dtype != np.uint64 or planes.ndim != 3 or planes.shape[1] != layout.rows:
        raise TableError("the table does not fit its puzzle; remove it with 'taquin tables clear'")
    return Oracle(puzzle.goal, puzzle.metric, Table(layout, planes))


def _build(puzzle: Puzzle, **options: Any) -> tables.Arrays:
    space = explore(puzzle, **options)
    if not space.complete:
        raise LimitReached(f"the table was stopped at depth {space.radius}; it is not kept")
    if space._table is None:
        limit = options.get("memory_limit") or free_memory()
        need = bytes_needed(puzzle, record=True)
        raise LimitReached(
            f"the table of {puzzle.spec} takes {human(need)} of memory to build and"
            f" {human(limit)} may be used"
        )
    return {"planes": space._table.planes, "counts": np.array(space.depth_counts, np.int64)}
