"""Which search answers a question: the one place where that is decided."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from numbers import Real
from pathlib import Path
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
#: So few states, as on a line or a ring, are searched like that on any board.
FEW_STATES = 5_000
#: Boards of at most so many cells have all their solutions listed by layers in plain Python.
TINY = 6
#: Boards of at most so many cells are solved from their distance table.
TABLE_UP_TO = 12
#: Boards of more cells get a short optimal search, and then a constructed solution.
OPTIMAL_UP_TO = 16
#: Seconds that making tables for it may take.
PATIENTLY = 20.0
#: Short ways of so many times their lower bound may be proved to be shortest: that is tried for so
#: many seconds.
CLOSE, BRIEFLY = 1.15, 1.0
#: The part of a time limit in which a short solution is looked for, before a shortest one.
SHORT_PART = 0.5
#: Boards of more cells are not searched at all.
SEARCH_UP_TO = 256
#: Bytes of states that a search from both ends may hold, if nothing else is said.
MOST_BYTES = 2 << 30

#: The methods beside the textbook's algorithms. "ida" takes pattern databases where they suit.
METHODS = ("auto", "table", "ida", "ida-walking", "ida-manhattan", "near", "construct")

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True)
class Wishes:
    """How a board is to be solved: see `taquin.Puzzle.solve`."""

    bound: float = 1.0
    strong: bool = False
    time_limit: float | None = None
    memory_limit: int | None = None
    workers: int | None = None
    progress: Callable[..., None] | None = None
    checkpoint: Path | str | None = None
    quality: str | None = None
    tell: Callable[[Solution], None] | None = None

    def __post_init__(self) -> None:
        for name, value, least in (
            ("bound", self.bound, 1),
            ("time_limit", self.time_limit, 0),
            ("memory_limit", self.memory_limit, 0),
        ):
            if value is not None and not (isinstance(value, Real) and float(value) >= least):
                raise Unsupported(f"{name} is a number of at least {least}; got {quote(value)}")

    @property
    def limits(self) -> dict[str, Any]:
        """The limits that every search knows."""
        return {"time_limit": self.time_limit, "progress": self.progress}


def solve(
    start: State, goal: State, metric: str, method: str, wishes: Wishes, **options: Any
) -> Solution:
    """Solve with the method asked for, or with the best one known for the board.

    Raises
    ------
    Unsupported
        If there is no such method, or it does not answer in this metric.
    LimitReached
        With the best solution known, and the proved lower bound.
    """
    from taquin.search.textbook import TEXTBOOK

    known = (*METHODS, *TEXTBOOK)
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
        return _auto(start, goal, metric, wishes)
    if method == "table":
        return _table(start, goal, metric, wishes)
    if method == "construct":
        return constructed(start, goal, metric)
    if method == "near":
        return _near(start, goal, metric, wishes)
    if method in METHODS:
        return _ida(method, start, goal, metric, wishes)
    if method == "weighted-astar" and wishes.bound > 1:
        options.setdefault("weight", wishes.bound)
    memory = {"memory_limit": wishes.memory_limit}
    return TEXTBOOK[method](start, goal, metric=metric, **wishes.limits, **memory, **options)


def _auto(start: State, goal: State, metric: str, wishes: Wishes) -> Solution:
    """Search for a shortest way; on larger boards a short one comes first, and is often all."""
    n = start.board.n
    if _has_few_states(goal):
        return _from_both_ends(start, goal, metric, wishes)
    if n > OPTIMAL_UP_TO:
        return _large(start, goal, metric, wishes)
    if wishes.quality is not None and wishes.quality != "best" and not has_table(goal):
        return _near(start, goal, metric, wishes)
    began = perf_counter()
    if n > SMALL and has_table(goal):
        with suppress(LimitReached):  # no room or no time for a table: search
            return _table(start, goal, metric, wishes)
        if wishes.time_limit is not None:
            left = max(0.0, wishes.time_limit - (perf_counter() - began))
            wishes = replace(wishes, time_limit=left)
    try:
        return _searched(start, goal, metric, wishes)
    except LimitReached as reached:
        best = _near_or_none(start, goal, metric, wishes)
        raise _with_best(reached, best) from None


def _large(start: State, goal: State, metric: str, wishes: Wishes) -> Solution:
    """A short solution; then, if that is asked for, a search for one that is proved to be."""
    proof = wishes.bound > 1 or wishes.checkpoint is not None or wishes.strong
    timed = wishes.time_limit is not None and wishes.quality is None
    began = perf_counter()
    short = wishes
    if timed and start.board.n <= SEARCH_UP_TO:
        assert wishes.time_limit is not None
        short = replace(wishes, time_limit=SHORT_PART * wishes.time_limit)
    elif proof:
        short = replace(wishes, quality=wishes.quality or "fast", time_limit=None)
    best = _near(start, goal, metric, short)
    if best.optimal or best.length <= wishes.bound * best.lower_bound:
        return best
    if not (proof or timed):
        close = best.length <= CLOSE * best.lower_bound + 8
        if wishes.quality is not None or not close or start.board.n > SEARCH_UP_TO:
            return best
        wishes = replace(wishes, time_limit=BRIEFLY)
    elif wishes.time_limit is not None:
        left = max(0.0, wishes.time_limit - (perf_counter() - began))
        wishes = replace(wishes, time_limit=left)
    try:
        if start.board.n > SEARCH_UP_TO:
            raise LimitReached(
                f"boards of more than {SEARCH_UP_TO} cells are not searched for a proof",
                best,
                best.lower_bound,
            )
        found = _searched(start, goal, metric, wishes)
    except LimitReached as reached:
        both = _with_best(reached, best)
        known = both.solution
        brief = not (proof or timed)
        if known is not None and (brief or known.length <= wishes.bound * known.lower_bound):
            status = "optimal" if known.status == "optimal" else "bounded"
            answer: Solution = replace(known, status=status)
            return answer
        raise both from None
    return found if found.length <= best.length else replace(best, lower_bound=found.lower_bound)


def _near(start: State, goal: State, metric: str, wishes: Wishes) -> Solution:
    """A short solution."""
    from taquin.search.near import near

    return near(
        start,
        goal,
        metric,
        quality=wishes.quality or "good",
        time_limit=wishes.time_limit,
        memory_limit=wishes.memory_limit,
        workers=wishes.workers,
        progress=wishes.progress,
        tell=wishes.tell,
    )


def _near_or_none(start: State, goal: State, metric: str, wishes: Wishes) -> Solution | None:
    """A short solution after a search has reached its limit: with little work."""
    try:
        return _near(start, goal, metric, replace(wishes, quality="fast", time_limit=None))
    except (Unsupported, LimitReached):
        return None


def _with_best(reached: LimitReached, best: Solution | None) -> LimitReached:
    """The error of a limit, with the better of two solutions and the better lower bound."""
    known = [found for found in (reached.solution, best) if found is not None]
    bound = max(reached.lower_bound, best.lower_bound if best is not None else 0)
    if not known:
        return LimitReached(str(reached), None, bound, reached.stats)
    shortest = min(known, key=lambda found: found.length)
    status = "optimal" if shortest.length == bound else "limit"
    shortest = replace(shortest, status=status, lower_bound=bound)
    return LimitReached(str(reached), shortest, bound, reached.stats)


def _searched(start: State, goal: State, metric: str, wishes: Wishes) -> Solution:
    """The search for a shortest way, or one within a factor of it, that suits the board."""
    n = start.board.n
    if n > TABLE_UP_TO and metric == "mtm" and _by_segments(goal):
        from taquin.search.ida import Limits
        from taquin.search.mtm import segment_search
        from taquin.search.patterns import solve

        limits = Limits(wishes.time_limit, progress=wishes.progress)
        workers = wishes.workers or os.cpu_count() or 1
        search = segment_search(goal, strong=wishes.strong)
        return solve(search, start, limits, workers=workers, checkpoint=wishes.checkpoint)
    if n <= SMALL or metric == "mtm":
        return _from_both_ends(start, goal, metric, wishes)
    if _worth_patterns(goal, wishes):
        with suppress(NoRoom):
            return _by_patterns(start, goal, wishes)
    return _ida("ida-walking", start, goal, metric, wishes)


def _has_few_states(goal: State) -> bool:
    """Whether the goal is reached from few states only, however many cells there are."""
    from taquin.solvability import class_size

    if goal.board.n > SEARCH_UP_TO:
        return False
    return class_size(goal.board, goal.blank, most=FEW_STATES) <= FEW_STATES


def _from_both_ends(start: State, goal: State, metric: str, wishes: Wishes) -> Solution:
    """The search from both ends, in plain Python."""
    from taquin.search.textbook import bidirectional

    most = MOST_BYTES if wishes.memory_limit is None else wishes.memory_limit
    return bidirectional(start, goal, metric=metric, memory_limit=most, **wishes.limits)


def _by_segments(goal: State) -> bool:
    """Whether the compiled search in multi-tile moves takes this goal."""
    from taquin.search.mtm import suits

    return suits(goal)


def _worth_patterns(goal: State, wishes: Wishes) -> bool:
    """Whether pattern databases are ready, or made within the time there is."""
    from taquin.search.pattern_choice import building_seconds, partition_for, suits

    if not suits(goal):
        return False
    most = 2 * PATIENTLY if wishes.time_limit is None else wishes.time_limit
    patient = wishes.strong or wishes.checkpoint is not None
    return patient or building_seconds(partition_for(goal)) <= most / 2


class NoRoom(Exception):
    """The pattern databases do not fit in memory: another search may do."""


def _by_patterns(start: State, goal: State, wishes: Wishes) -> Solution:
    """Search with pattern databases; making them counts against the time limit."""
    from taquin.search.ida import Limits
    from taquin.search.pattern_choice import search_for
    from taquin.search.patterns import solve

    began = perf_counter()
    try:
        search = search_for(
            goal, strong=wishes.strong, memory_limit=wishes.memory_limit, workers=wishes.workers
        )
    except LimitReached as reached:
        raise NoRoom from reached
    limits = Limits(wishes.time_limit, progress=wishes.progress)
    compiled = perf_counter()
    search.warm(weighted=wishes.bound > 1)
    begun = began + (perf_counter() - compiled)  # compiling is no part of the time
    workers = wishes.workers or os.cpu_count() or 1
    if wishes.bound > 1:
        return solve(search, start, limits, bound=wishes.bound, begun=begun)
    checkpoint = wishes.checkpoint
    return solve(search, start, limits, workers=workers, checkpoint=checkpoint, begun=begun)


def has_table(goal: State) -> bool:
    """Whether states with this goal are answered from a distance table (`taquin.space`)."""
    return 2 <= goal.board.n <= TABLE_UP_TO and not goal.repeats


def _table(start: State, goal: State, metric: str, wishes: Wishes) -> Solution:
    if not has_table(goal):
        raise Unsupported(
            f"the method 'table' answers boards of 2 to {TABLE_UP_TO} cells with different labels;"
            f" the board {goal.board.spec} with this goal is none of them: use 'auto'"
        )
    from taquin.search.table import by_table

    return by_table(start, goal, metric, memory_limit=wishes.memory_limit, **wishes.limits)


def _ida(method: str, start: State, goal: State, metric: str, wishes: Wishes) -> Solution:
    """One of the compiled searches by name."""
    if metric != "stm":
        raise Unsupported("IDA* counts single-tile moves here: use the method 'auto' for 'mtm'")
    from taquin.search.ida import ida, ida_manhattan
    from taquin.search.pattern_choice import suits

    if method == "ida" and suits(goal):
        try:
            return _by_patterns(start, goal, wishes)
        except NoRoom as reason:
            raise reason.__cause__ or reason from None
    search = ida_manhattan if method == "ida-manhattan" else ida
    return search(start, goal, **wishes.limits)


def constructed(start: State, goal: State, metric: str, lower_bound: int | None = None) -> Solution:
    """Return the constructed solution, with the factor by which it can be too long at most."""
    from taquin.heuristics import heuristic
    from taquin.notation import moves_length, reduced
    from taquin.search.near import constructed_walk

    walk = reduced(start.blank, constructed_walk(start, goal))
    length = len(walk) if metric == "stm" else moves_length(start, walk, metric)
    if lower_bound is None:
        lower_bound = heuristic("manhattan", goal, metric)(start)
    status = "optimal" if length == lower_bound else "bounded"
    return Solution(start, goal, walk, length, metric, lower_bound, status, Stats("construct"))


def solve_all(
    start: State, goal: State, metric: str, *, limit: int | None, time_limit: float | None
) -> AllSolutions:
    """Return all shortest ways, the lexicographically least first."""
    if limit is not None and limit < 0:
        raise Unsupported(f"a limit is at least 0; got {limit}")
    if start.board.n > TINY and has_table(goal):
        from taquin.search.table import all_by_table

        return all_by_table(start, goal, metric, limit=limit, time_limit=time_limit)
    if metric == "mtm" and start.board.n > TABLE_UP_TO and _by_segments(goal):
        from taquin.search.ida import Limits
        from taquin.search.mtm import segment_search
        from taquin.search.patterns import solve_all

        limits = Limits(time_limit)
        return solve_all(
            segment_search(goal), start, limit=limit, limits=limits, workers=os.cpu_count() or 1
        )
    if metric == "mtm" or start.board.n <= TINY:
        from taquin.search.layers import all_optimal

        return all_optimal(start, goal, metric, limit=limit, time_limit=time_limit)
    from taquin.search.ida import Limits, ida_all
    from taquin.search.pattern_choice import search_for, suits

    if suits(goal) and _worth_patterns(goal, Wishes(time_limit=time_limit)):
        from taquin.search.patterns import solve_all

        workers = os.cpu_count() or 1
        limits = Limits(time_limit)
        return solve_all(search_for(goal), start, limit=limit, limits=limits, workers=workers)
    return ida_all(start, goal, limit=limit, time_limit=time_limit)


def distances_many(puzzle: Puzzle, array: Any) -> NDArray[np.int16]:
    """Return the distances of rows of labels, -1 for those that do not reach the goal."""
    import numpy as np

    from taquin.solvability import solvable_many

    if has_table(puzzle.goal):
        from taquin.space import oracle

        return oracle(puzzle).checked_depths(array)
    one = partial(puzzle.distance, workers=1)  # the boards are shared among the cores
    rows = np.asarray(array)
    found = np.full(len(rows), -1, np.int16)
    solvable = np.flatnonzero(solvable_many(rows, puzzle.board, puzzle.goal))
    found[solvable] = list(in_order(one, rows[solvable].tolist(), None))
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
