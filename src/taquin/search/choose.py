"""Which search answers a question: the one place where that is decided."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from numbers import Real
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from taquin.errors import LimitReached, Unsupported, quote
from taquin.search.result import AllSolutions, Solution, Stats
from taquin.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from taquin.puzzle import Puzzle

#: Boards of at most so many cells are searched from both ends in plain Python, without compiling.
SMALL = 9
#: Boards of at most so many cells have all their solutions listed by layers in plain Python.
TINY = 6
#: Boards of at most so many cells are solved from their distance table.
TABLE_UP_TO = 12
#: Boards of more cells get a short optimal search, and then a constructed solution.
OPTIMAL_UP_TO = 16
#: Seconds of that short search.
BRIEFLY = 2.0
#: Boards of more cells are not searched at all.
SEARCH_UP_TO = 256
#: Bytes of states that a search from both ends may hold, if nothing else is said.
MOST_BYTES = 2 << 30

In = TypeVar("In")
Out = TypeVar("Out")


def solve(
    start: State,
    goal: State,
    metric: str,
    method: str,
    *,
    time_limit: float | None,
    progress: Callable[..., None] | None,
    bound: float = 1.0,
    memory_limit: int | None = None,
    **options: Any,
) -> Solution:
    """Solve with the method asked for, or with the best one known for the board.

    Raises
    ------
    Unsupported
        If there is no such method, or it does not answer in this metric.
    LimitReached
        With the constructed solution, if there is one, and the proved lower bound.
    """
    for name, value, least in (
        ("bound", bound, 1),
        ("time_limit", time_limit, 0),
        ("memory_limit", memory_limit, 0),
    ):
        if value is not None and not (isinstance(value, Real) and float(value) >= least):
            raise Unsupported(f"{name} is a number of at least {least}; got {quote(value)}")
    from taquin.search.textbook import TEXTBOOK

    known = ("auto", "table", "ida", "ida-manhattan", "construct", *TEXTBOOK)
    if method not in known:
        raise Unsupported(f"there is no method {quote(method)}: expected one of {', '.join(known)}")
    if options and method not in TEXTBOOK:
        raise Unsupported(
            f"the method {method!r} takes no option {', '.join(options)}: only the textbook"
            f" algorithms do ({', '.join(TEXTBOOK)})"
        )
    if start == goal:
        return Solution(start, goal, (), 0, metric, 0, "optimal", Stats(method, generated=1))
    if method == "auto":
        return _auto(start, goal, metric, time_limit, memory_limit, progress)
    if method == "table":
        return _table(start, goal, metric, time_limit, memory_limit, progress)
    if method == "construct":
        return constructed(start, goal, metric)
    if method in ("ida", "ida-manhattan"):
        return _ida(method, start, goal, metric, time_limit, progress)
    if method == "weighted-astar" and bound > 1:
        options.setdefault("weight", bound)
    limits = {"time_limit": time_limit, "memory_limit": memory_limit, "progress": progress}
    return TEXTBOOK[method](start, goal, metric=metric, **limits, **options)


def _auto(
    start: State,
    goal: State,
    metric: str,
    time_limit: float | None,
    memory_limit: int | None,
    progress: Callable[..., None] | None,
) -> Solution:
    """Search for a shortest way; where that is hopeless, return a constructed one."""
    n = start.board.n
    patient = n <= OPTIMAL_UP_TO or time_limit is not None
    seconds = time_limit if patient else BRIEFLY
    if n > SMALL and has_table(goal):
        began = perf_counter()
        with suppress(LimitReached):  # no room or no time for a table: search
            return _table(start, goal, metric, time_limit, memory_limit, progress)
        if seconds is not None:
            seconds = max(0.0, seconds - (perf_counter() - began))
    try:
        if n > SEARCH_UP_TO:
            return constructed(start, goal, metric)
        if n <= SMALL or metric == "mtm":
            from taquin.search.textbook import bidirectional

            most = MOST_BYTES if memory_limit is None else memory_limit
            return bidirectional(
                start, goal, metric=metric, time_limit=seconds, memory_limit=most, progress=progress
            )
        return _ida("ida", start, goal, metric, seconds, progress)
    except LimitReached as reached:
        known = _constructed_or_none(start, goal, metric, reached.lower_bound)
        if known is not None and not patient:
            return known
        if known is not None:
            known = replace(known, status="limit")
        raise LimitReached(str(reached), known, reached.lower_bound, reached.stats) from None


def has_table(goal: State) -> bool:
    """Whether states with this goal are answered from a distance table (`taquin.space`)."""
    return 2 <= goal.board.n <= TABLE_UP_TO and not goal.repeats


def _table(
    start: State,
    goal: State,
    metric: str,
    time_limit: float | None,
    memory_limit: int | None,
    progress: Callable[..., None] | None,
) -> Solution:
    if not has_table(goal):
        raise Unsupported(
            f"the method 'table' answers boards of 2 to {TABLE_UP_TO} cells with different labels;"
            f" the board {goal.board.spec} with this goal is none of them: use 'auto'"
        )
    from taquin.search.table import by_table

    limits: Any = {"time_limit": time_limit, "memory_limit": memory_limit, "progress": progress}
    return by_table(start, goal, metric, **limits)


def _ida(
    method: str,
    start: State,
    goal: State,
    metric: str,
    time_limit: float | None,
    progress: Callable[..., None] | None,
) -> Solution:
    if metric != "stm":
        raise Unsupported("IDA* counts single-tile moves here: use the method 'auto' for 'mtm'")
    from taquin.search.ida import ida, ida_manhattan

    search = ida_manhattan if method == "ida-manhattan" else ida
    return search(start, goal, time_limit=time_limit, progress=progress)


def constructed(start: State, goal: State, metric: str, lower_bound: int | None = None) -> Solution:
    """Return the constructed solution, with the factor by which it can be too long at most."""
    from taquin.construct import construct
    from taquin.heuristics import heuristic
    from taquin.notation import moves_length, reduced

    walk = reduced(start.blank, construct(start, goal).walk)
    length = len(walk) if metric == "stm" else moves_length(start, walk, metric)
    if lower_bound is None:
        lower_bound = heuristic("manhattan", goal, metric)(start)
    status = "optimal" if length == lower_bound else "bounded"
    return Solution(start, goal, walk, length, metric, lower_bound, status, Stats("construct"))


def _constructed_or_none(
    start: State, goal: State, metric: str, lower_bound: int
) -> Solution | None:
    try:
        return constructed(start, goal, metric, lower_bound)
    except Unsupported:
        return None


def solve_all(
    start: State, goal: State, metric: str, *, limit: int | None, time_limit: float | None
) -> AllSolutions:
    """Return all shortest ways, the lexicographically least first."""
    if limit is not None and limit < 0:
        raise Unsupported(f"a limit is at least 0; got {limit}")
    if start.board.n > TINY and has_table(goal):
        from taquin.search.table import all_by_table

        return all_by_table(start, goal, metric, limit=limit, time_limit=time_limit)
    if metric == "mtm" or start.board.n <= TINY:
        from taquin.search.layers import all_optimal

        return all_optimal(start, goal, metric, limit=limit, time_limit=time_limit)
    from taquin.search.ida import ida_all

    return ida_all(start, goal, limit=limit, time_limit=time_limit)


def distances_many(puzzle: Puzzle, array: Any) -> NDArray[np.int16]:
    """Return the distances of rows of labels, -1 for those that do not reach the goal."""
    import numpy as np

    from taquin.solvability import solvable_many

    if has_table(puzzle.goal):
        from taquin.space import oracle

        return oracle(puzzle).checked_depths(array)
    rows = np.asarray(array)
    found = np.full(len(rows), -1, np.int16)
    solvable = np.flatnonzero(solvable_many(rows, puzzle.board, puzzle.goal))
    found[solvable] = list(in_order(puzzle.distance, rows[solvable].tolist(), None))
    return found


def in_order(
    function: Callable[[In], Out], items: Iterable[In], workers: int | None
) -> Iterator[Out]:
    """Yield ``function(item)`` in order, computed by a pool that stays a little ahead."""
    workers = workers or os.cpu_count() or 1
    source = iter(items)
    with ThreadPoolExecutor(workers) as pool:
        ahead: deque[Future[Out]] = deque()
        try:
            ahead.extend(pool.submit(function, item) for item in islice(source, 4 * workers))
            while ahead:
                yield ahead.popleft().result()
                ahead.extend(pool.submit(function, item) for item in islice(source, 1))
        finally:
            for future in ahead:
                future.cancel()
