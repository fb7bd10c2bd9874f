"""One board, many algorithms: what each of them costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from taquin.errors import LimitReached, TaquinError, Unsupported, quote
from taquin.search.result import Solution, Stats
from taquin.search.textbook import TEXTBOOK
from taquin.state import State

#: States that an algorithm may generate, and seconds it may take, if nothing else is said.
NODES, SECONDS = 2_000_000, 20.0


@dataclass(frozen=True)
class Row:
    """What an algorithm did.

    Attributes
    ----------
    method : str
    solution : Solution or None
        None if a limit was reached, or the search could not begin.
    stats : Stats
        Its counters, also of a search that a limit has ended.
    lower_bound : int
        Proved for the length of any solution, in moves.
    limit : str
        Which limit was reached; empty if none was.
    error : str
        Why the search could not begin; empty if it could.
    """

    method: str
    solution: Solution | None
    stats: Stats
    lower_bound: int = 0
    limit: str = ""
    error: str = ""


def compare(
    start: State,
    goal: State,
    methods: Iterable[str] | None = None,
    *,
    heuristic: str = "manhattan",
    metric: str = "stm",
    node_limit: int = NODES,
    time_limit: float = SECONDS,
) -> Iterator[Row]:
    """Yield what each algorithm does with a board, one after the other.

    Parameters
    ----------
    start, goal : State
        Of which each reaches the other.
    methods : iterable of str, optional
        Names of `taquin.search.textbook.TEXTBOOK`; all of them if not given.
    heuristic : str
        A name of `taquin.heuristics.HEURISTICS`, for all that take one.
    metric : {"stm", "mtm"}
    node_limit, time_limit
        For each of them: states generated, and seconds.

    Raises
    ------
    Unsupported
        For a name that is no algorithm, before any has begun.

    Examples
    --------
    >>> from taquin.puzzle import Puzzle
    >>> puzzle = Puzzle.parse("3x3")
    >>> start = puzzle.state("1 2 3 / 0 4 6 / 7 5 8")
    >>> for row in compare(start, puzzle.goal, ["bfs", "astar"]):
    ...     print(row.method, row.solution.length, row.stats.expanded)
    bfs 3 8
    astar 3 3
    """
    chosen = list(TEXTBOOK if methods is None else methods)
    for name in chosen:
        if name not in TEXTBOOK:
            raise Unsupported(
                f"there is no algorithm {quote(name)} to compare: expected {', '.join(TEXTBOOK)}"
            )
    for name in chosen:
        yield _row(name, start, goal, heuristic, metric, node_limit, time_limit)


def _row(
    name: str,
    start: State,
    goal: State,
    heuristic: str,
    metric: str,
    node_limit: int,
    time_limit: float,
) -> Row:
    try:
        solution = TEXTBOOK[name](
            start,
            goal,
            heuristic=heuristic,
            metric=metric,
            node_limit=node_limit,
            time_limit=time_limit,
        )
    except LimitReached as reached:
        stats = reached.stats if reached.stats is not None else Stats(name)
        return Row(name, None, replace(stats, method=name), reached.lower_bound, str(reached))
    except TaquinError as error:
        return Row(name, None, Stats(name), error=str(error))
    return Row(name, solution, solution.stats, solution.lower_bound)
