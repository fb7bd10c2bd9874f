"""Perfect play from the distance table of a small board, built the first time and kept."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from threading import Timer
from time import perf_counter
from typing import Any

from taquin import space
from taquin.board.lines import Line
from taquin.errors import LimitReached
from taquin.oracle import Oracle
from taquin.puzzle import Puzzle
from taquin.search.result import AllSolutions, Solution, Stats
from taquin.state import State
from taquin.sweep import Stop

METHOD = "table"


def by_table(
    start: State,
    goal: State,
    metric: str,
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    progress: Callable[..., None] | None = None,
) -> Solution:
    """Return the lexicographically least of the shortest solutions.

    Raises
    ------
    LimitReached
        If the table has to be built and takes too much time or memory.
    """
    oracle = _oracle(goal, metric, time_limit, memory_limit, progress)
    began = perf_counter()
    way = oracle.way(start)
    return _solution(start, oracle, way, perf_counter() - began)


def all_by_table(
    start: State, goal: State, metric: str, *, limit: int | None, time_limit: float | None
) -> AllSolutions:
    """Return all shortest solutions: their exact number, and the first `limit` in order."""
    oracle = _oracle(goal, metric, time_limit, None, None)
    began = perf_counter()
    length = len(oracle.way(start))
    total = oracle.count(start)
    found: list[Solution] = []
    for way in islice(oracle.ways(start), limit):
        if time_limit is not None and perf_counter() - began > time_limit:
            raise LimitReached(
                f"the time limit of {time_limit:g} s was reached after {len(found):,} of"
                f" {total:,} solutions of {length} moves: ask for fewer of them",
                found[0] if found else None,
                length,
            )
        found.append(_solution(start, oracle, way, perf_counter() - began))
    return AllSolutions(total, length, tuple(found))


def _oracle(
    goal: State,
    metric: str,
    time_limit: float | None,
    memory_limit: int | None,
    progress: Callable[..., None] | None,
) -> Oracle:
    puzzle = Puzzle(goal.board, goal, metric)
    options: dict[str, Any] = {"memory_limit": memory_limit}
    if progress is not None:
        options["progress"] = lambda now: progress(0, now.states, now.seconds)
    if time_limit is None:
        return space.oracle(puzzle, **options)
    stop = Stop()
    clock = Timer(time_limit, stop.set)
    clock.daemon = True
    clock.start()
    try:
        return space.oracle(puzzle, stop=stop, **options)
    finally:
        clock.cancel()


def _solution(start: State, oracle: Oracle, way: tuple[Line, ...], seconds: float) -> Solution:
    length = len(way)
    stats = Stats(
        METHOD,
        expanded=length,
        generated=1 + sum(len(oracle.lines(line[0])) for line in way),
        stored=1,
        seconds=seconds,
        bytes=oracle.bytes,
        heuristic=length,
    )
    walk = tuple(cell for line in way for cell in line[1:])
    goal, metric = oracle.goal, oracle.metric
    return Solution(start, goal, walk, length, metric, length, "optimal", stats)
