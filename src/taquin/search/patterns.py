"""Optimal solutions by pattern databases: one board on all cores, with limits and a way back in.

A search that turns out to be long is *split*: the nodes of a small depth are written down, and the
threads take them one by one, each a search of its own. The threads stop at the solution of the
first node that has one, so the answer is the same for any number of threads; what they did on later
nodes by then is all that they do too much. A checkpoint keeps the threshold and the nodes done.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from math import ceil, log
from pathlib import Path
from threading import Event, Lock
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from taquin.errors import LimitReached, Unsolvable
from taquin.notation import write_moves
from taquin.search import pattern_kernels as kernels
from taquin.search.ida import Limits
from taquin.search.result import AllSolutions, Solution, Stats
from taquin.search.search_checkpoint import Checkpoint
from taquin.solvability import verdict
from taquin.state import State

#: Nodes between two looks at the clock: some hundredths of a second.
SLICE = 1 << 20
#: A threshold is split among threads if it takes about so many nodes, judged by the last one's.
SPLIT_FROM = 1 << 20
GROWTH = 5
#: Nodes that a thread takes on at a time, about; and how many times it does so, at most.
SHARE = 1 << 18
MOST_ROOTS = 1 << 14
#: Seconds between two checkpoints, and between two looks at threads.
CHECKPOINT_SECONDS = 60.0
LOOK_SECONDS = 0.1


class Deepener(Protocol):
    """What is driven: iterative deepening for one goal, in pieces.

    `taquin.search.ida_patterns.PatternSearch` and `taquin.search.mtm.SegmentSearch`, which describe
    the methods. The working memory of a thread has the counters ``at`` (`pattern_kernels`).

    Attributes
    ----------
    even : bool
        All ways between two states have even lengths, or all odd ones.
    branching : float
        Children of a node, about.
    """

    goal: State
    metric: str
    name: str
    bytes: int
    even: bool
    branching: float

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint is of, beside start and goal."""

    def warm(self, *, weighted: bool = False) -> None:
        """Compile what a search runs, if it is not yet."""

    def root(self, start: State) -> tuple[NDArray[np.uint64], int]:
        """Return a start as the kernel takes it, and its lower bound."""

    def begin(self, threshold: int, levels: int | None = None) -> Any:
        """Return this thread's memory with an iteration ahead of it."""

    def go_on(
        self, work: Any, root: NDArray[np.uint64], budget: int, *, single: bool = False
    ) -> int:
        """Search on from a root; how it ended."""

    def frontier(
        self, root: NDArray[np.uint64], threshold: int, depth: int, most: int
    ) -> tuple[NDArray[np.uint64] | None, Any]:
        """Return the nodes of a depth within the threshold, as roots; None if too many."""

    def moves_of(self, work: Any, root: NDArray[np.uint64]) -> list[int]:
        """Return the moves from the start to the goal that was found."""

    def walk(self, moves: Sequence[int], start: State) -> tuple[int, ...]:
        """Return the cells that the blank visits."""

    def in_letters(self) -> Deepener:
        """Return the search that meets all solutions, in the order of the letters."""


@dataclass
class Counters:
    """What a search has done: nodes of finished parts, and the time it began."""

    generated: int = 1
    expanded: int = 0
    begun: float = field(default_factory=perf_counter)
    before: float = 0.0  # seconds of the runs before this one, by a checkpoint

    def add(self, at: NDArray[np.int64]) -> None:
        """Add the nodes of a finished part."""
        self.generated += int(at[kernels.GENERATED])
        self.expanded += int(at[kernels.EXPANDED])

    @property
    def seconds(self) -> float:
        """Seconds of this run so far."""
        return perf_counter() - self.begun


def solve(
    search: Deepener,
    start: State,
    limits: Limits | None = None,
    *,
    workers: int = 1,
    bound: float = 1.0,
    checkpoint: Path | str | None = None,
    begun: float | None = None,
) -> Solution:
    """Find a shortest solution, or one within a factor of it.

    Parameters
    ----------
    search : PatternSearch
        For the goal.
    limits : Limits, optional
        See there. A node limit is looked at every `SLICE` nodes.
    workers : int
        Threads for a search that turns out to be long.
    bound : float
        Above 1: values are weighted (Pohl 1970), and the solution is at most so many times as long
        as a shortest one.
    checkpoint : path, optional
        A file: a long search goes on from it if it is there, and writes it every minute and when it
        is stopped. It is removed when the search ends.
    begun : float, optional
        When the time limit began (`time.perf_counter`); now, compiling left out, if not given.

    Raises
    ------
    Unsolvable
        Before any search.
    LimitReached
        With the threshold as lower bound.
    """
    answer = verdict(start, search.goal)
    if not answer.solvable:
        raise Unsolvable(answer.text(), answer)
    search.warm(weighted=bound > 1)  # compiling is no part of the time
    run = Run(search, start, limits or Limits(), workers, checkpoint)
    if begun is not None:
        run.counters.begun = begun
    return run.weighted(bound) if bound > 1 else run.optimal()


#: The largest factor that values are weighted with, and the longest way then.
MOST_WEIGHT, MOST_STEPS = 4.0, 440


def solve_all(
    search: Deepener,
    start: State,
    *,
    limit: int | None,
    limits: Limits,
    workers: int = 1,
) -> AllSolutions:
    """Count all shortest solutions, and keep the first `limit` of them in lexicographic order.

    A shortest solution tells the threshold; a second search goes through all of it in the order of
    the letters, without the automaton, which keeps one of several solutions alone.

    Raises
    ------
    LimitReached
        With a shortest solution if one was found.
    """
    best = solve(search, start, limits, workers=workers)
    ordered = search.in_letters()
    run = Run(ordered, start, limits, 1, None)
    run.threshold = best.length
    walks: list[tuple[int, ...]] = []
    if best.length == 0:
        return AllSolutions(1, 0, (best,)[:limit])
    work = ordered.begin(best.length)
    count = 0
    sorting = search.metric == "mtm"  # in multi-tile moves the search has another order
    while True:
        status = ordered.go_on(work, run.root, SLICE, single=True)
        if status == kernels.EXHAUSTED:
            break
        if status == kernels.FOUND:
            count += 1
            if sorting or limit is None or len(walks) < limit:
                walks.append(ordered.walk(ordered.moves_of(work, run.root), start))
            continue
        try:
            run.look(int(work.at[kernels.GENERATED]))
        except LimitReached as reached:
            reached.solution = best
            raise
    if sorting:
        walks.sort(key=lambda walk: [list(run) for _, run in groupby(write_moves(start, walk))])
    kept = tuple(replace(best, walk=walk) for walk in walks[:limit])
    return AllSolutions(count, best.length, kept)


class Run:
    """One search of one start."""

    def __init__(
        self,
        search: Deepener,
        start: State,
        limits: Limits,
        workers: int,
        checkpoint: Path | str | None,
    ) -> None:
        self.search, self.start, self.limits, self.workers = search, start, limits, workers
        self.checkpoint: Checkpoint | None = None
        if checkpoint is not None:
            self.checkpoint = Checkpoint(Path(checkpoint), self)
        self.saved = perf_counter()
        self.root, self.first = search.root(start)
        self.threshold = self.first
        self.counters = Counters()

    def optimal(self) -> Solution:
        """Search for a shortest solution."""
        if self.first == 0:
            return self.solution([], 0)
        if self.checkpoint is not None and self.checkpoint.read():
            return self._split(self.checkpoint.expected)
        search, counters = self.search, self.counters
        work = search.begin(self.first)
        while True:
            budget = self._budget(counters.generated, work.at)
            status = search.go_on(work, self.root, budget, single=True)
            self.threshold = int(work.at[kernels.THRESHOLD])
            if status == kernels.FOUND:
                counters.add(work.at)
                return self.solution(search.moves_of(work, self.root), self.threshold)
            if status == kernels.EXHAUSTED:
                nodes = int(work.at[kernels.GENERATED])
                work = self._longer(work)
                if nodes * GROWTH >= SPLIT_FROM:
                    return self._split(nodes * GROWTH)
            try:
                self.look(counters.generated + int(work.at[kernels.GENERATED]))
            except LimitReached:
                if self.checkpoint is not None:
                    self.checkpoint.write(None)
                raise

    def _budget(self, before: int, at: NDArray[np.int64]) -> int:
        if self.limits.node_limit is None:
            return SLICE
        return max(0, min(SLICE, self.limits.node_limit - before - int(at[kernels.GENERATED])))

    def _longer(self, work: Any) -> Any:
        """Go on with the next threshold, for which the paths had no room."""
        least = int(work.at[kernels.LEAST])
        assert least < kernels.NEVER, "no way to the goal: the verdict excludes that"
        self.counters.add(work.at)
        self.threshold = least
        return self.search.begin(least)

    # -- weighted ---------------------------------------------------------------------------------

    def weighted(self, bound: float) -> Solution:
        """Search for a solution within a factor of a shortest one."""
        if self.first == 0:
            return self.solution([], 0)
        # A smaller factor is as good, and leaves room for the paths.
        bound = min(bound, MOST_WEIGHT, MOST_STEPS / 2 / self.first)
        factor = Fraction(int(bound * 20), 20)
        if factor <= 1:
            return self.optimal()
        weights = (factor.denominator, factor.numerator)
        search: Any = self.search  # one with tables: the others take no weights
        work = search.begin(self.first * weights[1], MOST_STEPS + 64)
        while True:
            budget = self._budget(self.counters.generated, work.at)
            status = search.go_on(work, self.root, budget, weights=weights)
            if status == kernels.FOUND:
                break
            assert status == kernels.PAUSED, "paths longer than twice the weighted value"
            self.look(self.counters.generated + int(work.at[kernels.GENERATED]))
        self.counters.add(work.at)
        moves = search.moves_of(work, self.root)
        # A way of length C has all its nodes within C times the factor.
        least = ceil(Fraction(len(moves)) / factor)
        lower = max(self.first, least + (len(moves) - least) % 2 * search.even)
        return self.solution(moves, min(lower, len(moves)))

    # -- on all cores -----------------------------------------------------------------------------

    def _split(self, expected: int) -> Solution:
        while True:
            roots, above = self._roots(expected)
            part = Part(self, roots, above.at, expected)
            before = self.counters.generated
            if self.checkpoint is not None:
                self.checkpoint.restore(part)
            part.run()
            if part.found is not None:
                return self.solution(part.found, self.threshold)
            assert part.least < kernels.NEVER, "no way to the goal: the verdict excludes that"
            self.threshold = part.least
            expected = GROWTH * (self.counters.generated - before)
            self.look(self.counters.generated)

    def _roots(self, expected: int) -> tuple[NDArray[np.uint64], Any]:
        """The nodes that the threads take, some `SHARE` of what is expected below each."""
        depth = ceil(log(max(16.0, expected / SHARE), self.search.branching)) + 1
        depth = min(depth, self.first - 1, kernels.MOST_MOVES)
        while True:
            roots, work = self.search.frontier(self.root, self.threshold, depth, MOST_ROOTS)
            if roots is not None:
                return roots, work
            depth -= 1

    # -- telling ----------------------------------------------------------------------------------

    def look(self, generated: int) -> None:
        """Tell how far the search has come, and end it where a limit is reached."""
        limits, seconds = self.limits, self.counters.seconds
        if limits.progress is not None:
            limits.progress(self.threshold, generated, seconds)
        reason = ""
        if limits.time_limit is not None and seconds >= limits.time_limit:
            reason = f"the time limit of {limits.time_limit:g} s"
        elif limits.node_limit is not None and generated >= limits.node_limit:
            reason = f"the limit of {limits.node_limit:,} nodes"
        elif limits.stop is not None and limits.stop():
            reason = "a request to stop"
        if reason:
            raise LimitReached(
                f"{reason} was reached after {generated:,} nodes and {seconds:.1f} s:"
                f" a solution has at least {self.threshold} moves",
                lower_bound=self.threshold,
                stats=self.stats(generated),
            )

    def stats(self, generated: int) -> Stats:
        """Return the counters so far."""
        return Stats(
            self.search.name,
            expanded=self.counters.expanded,
            generated=generated,
            stored=self.threshold + 1,
            seconds=self.counters.before + self.counters.seconds,
            bytes=self.search.bytes,
            heuristic=self.first,
        )

    def solution(self, moves: list[int], lower_bound: int) -> Solution:
        """Return what was found; the checkpoint has served."""
        search, length = self.search, len(moves)
        if self.checkpoint is not None:
            self.checkpoint.remove()
        return Solution(
            self.start,
            search.goal,
            search.walk(moves, self.start),
            length,
            search.metric,
            lower_bound,
            "optimal" if length == lower_bound else "bounded",
            self.stats(self.counters.generated),
        )


class Part:
    """One threshold of a split search: the roots, and what the threads have found below them."""

    def __init__(
        self, run: Run, roots: NDArray[np.uint64], above: NDArray[np.int64], expected: int
    ) -> None:
        self.run_, self.roots, self.expected = run, roots, expected
        self.done = np.zeros(len(roots), bool)
        self.least = int(above[kernels.LEAST])
        self.found: list[int] | None = None
        self.found_at = len(roots)
        self._next = 0
        self._halt = Event()
        self.lock = Lock()
        self._running: dict[int, int] = {}
        run.counters.add(above)

    def run(self) -> None:
        """Search below all roots, or until the first solution; limits as the run has them."""
        run = self.run_
        with ThreadPoolExecutor(run.workers) as pool:
            waiting = {pool.submit(self._take) for _ in range(run.workers)}
            try:
                while waiting:
                    ended, waiting = wait(waiting, LOOK_SECONDS, FIRST_COMPLETED)
                    for future in ended:
                        future.result()
                    if waiting:
                        with self.lock:
                            generated = run.counters.generated + sum(self._running.values())
                        run.look(generated)
                    if run.checkpoint and perf_counter() - run.saved >= CHECKPOINT_SECONDS:
                        run.checkpoint.write(self)
                        run.saved = perf_counter()
            except BaseException:
                self._halt.set()
                wait(waiting)
                if run.checkpoint:
                    run.checkpoint.write(self)
                raise

    def _take(self) -> None:
        """Search below one root after the other."""
        run = self.run_
        while not self._halt.is_set():
            with self.lock:
                while self._next < len(self.roots) and self.done[self._next]:
                    self._next += 1
                number = self._next
                self._next += 1
                if number >= self.found_at:
                    return
            root = self.roots[number]
            work = run.search.begin(run.threshold)
            status: int = kernels.PAUSED
            while status == kernels.PAUSED and not self._halt.is_set() and number < self.found_at:
                status = run.search.go_on(work, root, SLICE, single=True)
                self._running[number] = int(work.at[kernels.GENERATED])
            with self.lock:
                self._running.pop(number, None)
                if status == kernels.PAUSED and number < self.found_at:  # halted
                    return
                run.counters.add(work.at)
                self.least = min(self.least, int(work.at[kernels.LEAST]))
                self.done[number] = status == kernels.EXHAUSTED
                if status == kernels.FOUND and number < self.found_at:
                    self.found = run.search.moves_of(work, root)
                    self.found_at = number
