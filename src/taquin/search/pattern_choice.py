"""Which pattern databases a goal is searched with, and the searches that are ready for use."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, factorial
from threading import Lock
from typing import TYPE_CHECKING, Any

from taquin import tables
from taquin.errors import Unsupported
from taquin.state import State

if TYPE_CHECKING:
    from taquin.patterns.partitions import Partition
    from taquin.search.ida_patterns import PatternSearch

#: Boards of at most so many cells are searched with pattern databases.
MOST_CELLS = 32
#: Neighbours of a cell, at most.
MOST_DIRECTIONS = 8
#: Searches held in memory at a time.
HELD = 4
#: Entries of pattern databases that a machine makes in a second, cautiously.
ENTRIES_A_SECOND = 1e8

_ready: dict[tuple[State, tuple[tuple[int, ...], ...]], PatternSearch] = {}
_making = Lock()


def suits(goal: State) -> bool:
    """Whether states with this goal can be searched with pattern databases."""
    board = goal.board
    return (
        3 < board.n <= MOST_CELLS
        and not goal.repeats
        and max(len(board.neighbours(cell)) for cell in range(board.n)) <= MOST_DIRECTIONS
    )


def partition_for(goal: State, *, strong: bool = False) -> Partition:
    """Return the partition to search with: the strong one if asked for, or if it is on disk."""
    from taquin.patterns.partitions import standard
    from taquin.patterns.sums import turned

    blank, _ = turned(goal)
    best = standard(goal.board, blank, strong=True)
    if strong or on_disk(best):
        return best
    return standard(goal.board, blank)


def on_disk(partition: Partition) -> bool:
    """Whether there is a file for the tables of a partition; it may yet be found damaged."""
    from taquin.patterns.database import table_key

    key = table_key(partition.board, partition.blank, partition.patterns)
    return tables.path_of("patterns", key).exists()


def building_seconds(partition: Partition) -> float:
    """Return about how long making the tables takes; 0 if they are on disk."""
    if on_disk(partition):
        return 0.0
    n = partition.board.n
    entries = sum(comb(n, len(cells)) * factorial(len(cells)) for cells in partition.patterns)
    return 1.5 * entries / ENTRIES_A_SECOND


def search_for(
    goal: State,
    *,
    strong: bool = False,
    memory_limit: int | None = None,
    workers: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> PatternSearch:
    """Return the search for a goal, with tables from disk, or made and kept.

    Parameters
    ----------
    strong : bool
        With larger tables, which take longer to make and find solutions with fewer nodes.
    memory_limit, workers, progress
        For making them: see `taquin.patterns.PatternDatabase.build`.

    Raises
    ------
    Unsupported
        If the board or the goal does not suit.
    LimitReached
        If the tables do not fit in memory.
    """
    if not suits(goal):
        raise Unsupported(
            f"pattern databases serve boards of 4 to {MOST_CELLS} cells with different labels and"
            f" up to {MOST_DIRECTIONS} neighbours a cell; {goal.board.spec} with this goal is none"
        )
    from taquin.patterns.sums import sums_for
    from taquin.search.ida_patterns import PatternSearch

    patterns = partition_for(goal, strong=strong).patterns
    with _making:
        held = (goal, patterns)
        if held not in _ready:
            options: dict[str, Any] = {"workers": workers, "memory_limit": memory_limit}
            sums = sums_for(goal, patterns, progress=progress, **options)
            while len(_ready) >= HELD:
                _ready.pop(next(iter(_ready)))
            _ready[held] = PatternSearch(sums)
        return _ready[held]


def forget() -> None:
    """Let go of all tables held in memory; those on disk stay."""
    with _making:
        _ready.clear()
