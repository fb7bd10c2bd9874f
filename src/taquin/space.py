"""The whole state space of a puzzle: how deep, how many, which are hardest, a fair sample.

`explore` runs the sweep (`taquin.sweep`) and returns a `Space`; boards whose states do not fit in
memory are explored to a given depth by their frontier alone.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import factorial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from taquin import tables
from taquin.board import Board
from taquin.errors import InvalidState, LimitReached, TableError, Unsupported
from taquin.oracle import Oracle
from taquin.search.problem import slides
from taquin.state import State
from taquin.sweep import (
    Level,
    Progress,
    Stop,
    Table,
    frontier_counts,
    lay_out,
    memory_needed,
    sweep,
    unrank_states,
)

if TYPE_CHECKING:
    from taquin.puzzle import Puzzle

#: Puzzles of at most so many cells are solved from their table.
TABLE_CELLS = 12


@dataclass(frozen=True)
class Space:
    """All states that reach the goal, by their depth.

    Attributes
    ----------
    puzzle : Puzzle
    depth_counts : tuple of int
        How many states lie 0, 1, 2, ... moves from the goal.
    by_cell : (depths, n) array or None
        The same for each cell of the blank.
    complete : bool
        Whether the deepest level has been reached; False after ``to_depth``.
    """

    puzzle: Puzzle
    depth_counts: tuple[int, ...]
    by_cell: NDArray[np.int64] | None
    complete: bool
    seconds: float = 0.0
    _table: Table | None = field(default=None, repr=False)

    @property
    def states(self) -> int:
        """The number of states counted."""
        return sum(self.depth_counts)

    @property
    def radius(self) -> int:
        """The greatest depth counted."""
        return len(self.depth_counts) - 1

    @property
    def mean_depth(self) -> float:
        """The mean distance from the goal, in moves."""
        return sum(d * count for d, count in enumerate(self.depth_counts)) / self.states

    @cached_property
    def degrees(self) -> dict[int, int]:
        """How many states have 1, 2, 3, ... moves."""
        self._require("degrees", self.by_cell)
        found: Counter[int] = Counter()
        for cell, count in enumerate(self.by_cell.sum(axis=0)):  # type: ignore[union-attr]
            found[move_count(self.puzzle, cell)] += int(count)
        return dict(sorted(found.items()))

    @property
    def mean_degree(self) -> float:
        """The mean number of moves of a state."""
        return sum(degree * count for degree, count in self.degrees.items()) / self.states

    @property
    def edges(self) -> int:
        """The number of edges of the state graph; every move can be taken back."""
        return sum(degree * count for degree, count in self.degrees.items()) // 2

    # -- single states -------------------------------------------------------------------------

    @cached_property
    def table(self) -> Oracle:
        """The distance table: one bit a state on boards with colours, two on others."""
        self._require("a distance table", self._table)
        return Oracle(self.puzzle.goal, self.puzzle.metric, self._table)  # type: ignore[arg-type]

    def depth(self, state: Any) -> int:
        """Return the distance of one state from the goal, in moves."""
        return int(self.depths([self.puzzle.state(state).tiles])[0])

    def depths(self, array: Any) -> NDArray[np.int16]:
        """Return the distances of many states: rows of labels, shape (B, n)."""
        labels = reachable_rows(self.puzzle, array)
        return self.table.depths(labels)

    def antipodes(self, limit: int = 1000) -> list[State]:
        """Return states at the greatest depth, at most `limit`, in the order of the sweep."""
        count = min(limit, self.depth_counts[-1])
        return self.at_depth(self.radius, range(count))

    def sample(self, depth: int, rng: random.Random | int | None = None, count: int = 1) -> list[State]:
        """Return states at a depth, each drawn uniformly and independently.

        Cost: one sweep to that depth, however many are drawn.

        Raises
        ------
        Unsupported
            If no state has this depth.
        """
        generator = rng if isinstance(rng, random.Random) else random.Random(rng)
        if not 0 <= depth <= self.radius:
            raise Unsupported(f"no state at depth {depth}: depths go from 0 to {self.radius}")
        return self.at_depth(depth, [generator.randrange(self.depth_counts[depth]) for _ in range(count)])

    def at_depth(self, depth: int, numbers: Sequence[int]) -> list[State]:
        """Return the states with the given numbers (0, 1, ...) among those at a depth."""
        chosen = np.fromiter(numbers, np.int64)
        picked: list[State] = []

        def pick(level: Level) -> None:
            if level.depth == depth:
                picked.extend(states_of(self.puzzle.board, level, chosen))

        neighbours, arguments = sweep_arguments(self.puzzle)
        sweep(neighbours, on_level=pick, to_depth=depth, **arguments)
        return picked

    def _require(self, what: str, value: object) -> None:
        if value is None:
            raise Unsupported(f"there is no {what} for a space explored to a depth only")


def explore(
    puzzle: Puzzle,
    *,
    to_depth: int | None = None,
    memory_limit: int | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Stop | None = None,
    checkpoint: Path | str | None = None,
    record: bool = True,
) -> Space:
    """Explore all states of a puzzle; see `Puzzle.explore`."""
    if puzzle.goal.repeats:
        raise Unsupported("a space with equal labels is not swept: make all labels different")
    if to_depth is not None and to_depth < 0:
        raise Unsupported(f"a depth is at least 0; got {to_depth}")
    neighbours, arguments = sweep_arguments(puzzle)
    record = record and to_depth is None
    limit = free_memory() if memory_limit is None else memory_limit
    need = bytes_needed(puzzle, record=record, workers=workers)
    if need > limit and record and memory_limit is None:
        record, need = False, bytes_needed(puzzle, record=False, workers=workers)
    if need > limit:
        if to_depth is not None:
            return by_frontier(puzzle, to_depth, limit)
        raise LimitReached(
            f"the whole space of {puzzle.board.spec} takes {human(need)} of memory and"
            f" {human(limit)} may be used: explore it to a depth (--to-depth), or a smaller board"
        )
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
    if stop is not None and stop and not result.finished:
        raise LimitReached(
            f"stopped at depth {len(result.counts) - 1} with {sum(result.counts):,} states"
        )
    table = result.table if result.finished else None
    counts = tuple(result.counts)
    return Space(puzzle, counts, result.by_cell, result.finished, result.seconds, table)


def by_frontier(puzzle: Puzzle, to_depth: int, limit: int) -> Space:
    """Explore a board that is too big to hold, by its last two levels alone."""
    if puzzle.metric != "stm":
        raise Unsupported("boards too big to hold are explored in single-tile moves only")
    board = puzzle.board
    neighbours = [board.neighbours(cell) for cell in range(board.n)]
    counts = frontier_counts(neighbours, puzzle.goal.blank, to_depth)
    return Space(puzzle, tuple(counts), None, False)


# -- what the sweep is asked --------------------------------------------------------------------


def sweep_arguments(puzzle: Puzzle) -> tuple[list[tuple[int, ...]], dict[str, Any]]:
    """Return the neighbours of all cells, and goal cells and lines as `sweep` takes them."""
    board, goal = puzzle.board, puzzle.goal
    neighbours = [board.neighbours(cell) for cell in range(board.n)]
    homes = [goal.cell_of(tile) for tile in range(1, board.n)]
    arguments: dict[str, Any] = {"tiles": homes, "blank": goal.blank}
    if puzzle.metric == "mtm":
        arguments["lines"] = [
            [-1 if (to := board.step(cell, way)) is None else to for cell in range(board.n)]
            for way in board.directions
        ]
    return neighbours, arguments


def bytes_needed(puzzle: Puzzle, *, record: bool, workers: int | None = None) -> int:
    """Return the memory that exploring takes, in bytes, before any of it is taken."""
    neighbours, arguments = sweep_arguments(puzzle)
    lines = arguments.get("lines")
    if puzzle.board.n > 20:
        return 8 * factorial(puzzle.board.n - 1) // 120
    return memory_needed(neighbours, lines=lines, record=record, workers=workers)


def states_of(board: Board, level: Level, numbers: NDArray[np.int64]) -> list[State]:
    """Return the states of a level with the given numbers."""
    cells, blanks = unrank_states(level.layout, *level.pick(numbers))
    found = []
    for places, blank in zip(cells.tolist(), blanks.tolist(), strict=True):
        tiles = [0] * board.n
        for tile, cell in enumerate(places, start=1):
            tiles[cell] = tile
        found.append(State.trusted(tuple(tiles), board, blank))
    return found


def reachable_rows(puzzle: Puzzle, array: Any) -> NDArray[np.int8]:
    """Return states as rows of labels after checking that each reaches the goal."""
    from taquin.solvability import solvable_many

    labels = np.asarray(array)
    solvable = solvable_many(labels, puzzle.board, puzzle.goal)
    if not solvable.all():
        row = int(np.argmin(solvable))
        raise InvalidState(f"row {row} cannot reach the goal: {labels[row].tolist()}")
    return labels.astype(np.int8)


def move_count(puzzle: Puzzle, cell: int) -> int:
    """Return how many moves a blank on `cell` has, in the puzzle's metric."""
    return sum(1 for _ in slides(puzzle.board, cell, puzzle.metric))


def free_memory() -> int:
    """Return the bytes of memory that are free now; where the system does not tell, 4 GB."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 4 << 30


def human(size: int) -> str:
    """Return a number of bytes in words: ``5.9 GB``."""
    value = float(size)
    for unit in ("bytes", "kB", "MB", "GB", "TB", "PB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.3g} EB"


# -- tables that are kept -----------------------------------------------------------------------


def table_key(puzzle: Puzzle) -> dict[str, Any]:
    """Return what tells the tables of two puzzles apart."""
    return {
        "board": puzzle.board.spec,
        "goal": list(puzzle.goal.tiles),
        "metric": puzzle.metric,
    }


def oracle(puzzle: Puzzle, **options: Any) -> Oracle:
    """Return the distance table of a puzzle, from disk or built and kept.

    Raises
    ------
    LimitReached
        If it does not fit in memory.
    """
    arrays = tables.obtain("space", table_key(puzzle), lambda: _build(puzzle, **options))
    neighbours, arguments = sweep_arguments(puzzle)
    layout = lay_out(neighbours, arguments["tiles"], arguments["blank"])
    planes = arrays["planes"]
    if planes.ndim != 3 or planes.shape[1] != layout.rows:
        raise TableError("the table does not fit its puzzle; remove it with 'taquin tables clear'")
    return Oracle(puzzle.goal, puzzle.metric, Table(layout, planes))


def _build(puzzle: Puzzle, **options: Any) -> tables.Arrays:
    space = explore(puzzle, **options)
    return {
        "planes": space.table.table.planes,
        "counts": np.array(space.depth_counts, np.int64),
    }
