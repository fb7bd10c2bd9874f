"""Short solutions of boards that nobody solves optimally: one after the other, each shorter.

What is tried, as far as it suits the board and the time lasts:

1.  a construction, which is there at once, whatever the size;
2.  beams of growing width: over pattern values where there are tables (`taquin.near.beam`), by
    stages on larger rectangles (`taquin.near.stages`), over distances on all other boards;
3.  windows of the best way found, solved again (`taquin.near.windows`).

Several threads run beams of one width at a time, with different noise. What they find depends on
the widths alone, so without a time limit the same start has the same solution everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import Any

from taquin.errors import LimitReached, Unsupported, quote
from taquin.heuristics import heuristic
from taquin.near import beam
from taquin.near.beam import BeamSearch
from taquin.near.frame import Frame
from taquin.near.ranking import load
from taquin.notation import moves_length, reduced
from taquin.search.pattern_choice import building_seconds, partition_for, search_for, suits
from taquin.search.result import Solution, Stats
from taquin.space_memory import free_memory
from taquin.state import State

#: Children made in all, about, and passes of windows over the best way, by quality.
QUALITIES = {"fast": (4e5, 0), "good": (1e7, 2), "best": (2e8, 12)}
#: A beam is so many times as wide as the one before.
GROWTH = 6
#: States of the first beam; and of a beam at most.
NARROW, WIDEST = 100, 1 << 21
#: Noise of the beams beside the first, in moves.
NOISE = 1.0
#: Pattern databases are made for a short solution if that takes so many seconds at most, and at
#: most this part of the time that there is.
PATIENTLY, PART = 20.0, 0.4
#: Longer than that times its lower bound a way is not looked for.
LONGEST = 6
#: Children that a state of a beam by stages has, about.
CHILDREN_A_STATE = 2.2
#: What a turn costs in a beam for multi-tile moves, in moves.
TURN = 0.5


@dataclass
class Best:
    """The best solution so far, and who wants to hear of it."""

    start: State
    goal: State
    metric: str
    lower_bound: int
    tell: Callable[[Solution], None] | None = None
    solution: Solution | None = None
    made: int = 0
    begun: float = 0.0

    def offer(self, walk: tuple[int, ...], method: str) -> None:
        """Take a way to the goal if it is shorter than the best."""
        walk = reduced(self.start.blank, walk)
        length = self.length_of(walk)
        if self.solution is not None and length >= self.solution.length:
            return
        status = "optimal" if length == self.lower_bound else "bounded"
        stats = Stats(method, generated=self.made, seconds=perf_counter() - self.begun)
        self.solution = Solution(
            self.start, self.goal, walk, length, self.metric, self.lower_bound, status, stats
        )
        if self.tell is not None:
            self.tell(self.solution)

    def length_of(self, walk: tuple[int, ...]) -> int:
        """The length of a way in the metric asked for."""
        if self.metric == "stm":
            return len(walk)
        return moves_length(self.start, walk, self.metric)

    @property
    def longest(self) -> int:
        """Single-tile moves of a way that is worth finding, at most."""
        most = LONGEST * max(self.lower_bound, self.start.board.n)
        if self.solution is None:
            return most
        return len(self.solution.walk) - 1 if self.metric == "stm" else len(self.solution.walk) + 8


class Clock:
    """When to stop: a deadline, or a quality's share of work; and who is told how far it is."""

    def __init__(
        self,
        best: Best,
        seconds: float | None,
        progress: Callable[..., None] | None,
    ) -> None:
        self.best, self.progress = best, progress
        self.deadline = None if seconds is None else best.begun + seconds
        self.stopped = False

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return float("inf") if self.deadline is None else self.deadline - perf_counter()

    def over(self) -> bool:
        """Tell the progress; say whether time is over. Called by all threads."""
        if self.progress is not None and not self.stopped:
            try:
                best = self.best
                self.progress(best.lower_bound, best.made, perf_counter() - best.begun)
            except BaseException:
                self.stopped = True  # the other threads end too
                raise
        return self.stopped or self.left <= 0


def near(
    start: State,
    goal: State,
    metric: str,
    *,
    quality: str = "good",
    time_limit: float | None = None,
    memory_limit: int | None = None,
    workers: int | None = None,
    progress: Callable[..., None] | None = None,
    tell: Callable[[Solution], None] | None = None,
    begun: float | None = None,
) -> Solution:
    """Find a short solution, with a proved lower bound.

    Parameters
    ----------
    quality : str
        ``"fast"``, ``"good"`` or ``"best"``: how much work is done; some tenths of a second, some
        seconds, a minute.
    time_limit : float, optional
        Seconds, instead of a quality.
    tell : callable, optional
        Called with each better solution.

    Raises
    ------
    Unsupported
        If there is no such quality, or nothing answers for the board.
    LimitReached
        If the time was over before there was any solution.
    """
    if quality not in QUALITIES:
        known = ", ".join(QUALITIES)
        raise Unsupported(f"there is no quality {quote(quality)}: expected one of {known}")
    begun = perf_counter() if begun is None else begun
    bound = heuristic("manhattan", goal, metric)(start) if not goal.repeats else 0
    best = Best(start, goal, metric, int(bound), tell, begun=begun)
    clock = Clock(best, time_limit, progress)
    workers = workers or os.cpu_count() or 1
    work, passes = QUALITIES[quality]
    if time_limit is not None:
        work, passes = float("inf"), None
    finder = finder_for(start, goal, metric, time_limit if time_limit is not None else None)
    if finder is not None:
        best.lower_bound = max(best.lower_bound, finder.lower_bound(start))
    if finder is None or time_limit is not None:
        construct_first(best)
    if finder is not None and not (best.solution is not None and best.solution.optimal):
        memory = free_memory() if memory_limit is None else memory_limit
        widen(finder, best, clock, work, memory, workers)
        if best.solution is not None:
            finder.improve(best, clock, passes, workers)
    if best.solution is None:
        construct_first(best)
    if best.solution is None:
        raise LimitReached("nothing was found within the limits", None, best.lower_bound)
    return replace(best.solution, stats=replace(best.solution.stats, generated=best.made))


def construct_first(best: Best) -> None:
    """Offer the constructed solution, where there is one."""
    from taquin.construct import construct

    with suppress(Unsupported):
        best.offer(tuple(construct(best.start, best.goal).walk), "construct")


def widen(finder: Finder, best: Best, clock: Clock, work: float, memory: int, workers: int) -> None:
    """Run beams of growing width until time, work or memory is used up."""
    width = NARROW
    with ThreadPoolExecutor(workers) as pool:
        while True:
            begun, made = perf_counter(), best.made
            if workers * finder.bytes_needed(width, best.longest) > memory:
                return
            tasks = [
                pool.submit(finder.find, best, width, NOISE if i else 0.0, i + 1, clock)
                for i in range(workers)
            ]
            walks = [task.result() for task in tasks]
            for walk in walks:
                if walk is not None:
                    best.offer(walk, finder.name)
            if best.solution is not None and best.solution.optimal:
                return
            spent = perf_counter() - begun
            done = max(best.made - made, 1)
            if clock.deadline is None:
                left = (work - best.made) / done
            else:
                all_of_it = clock.deadline - best.begun
                left = (clock.left - (1 - finder.share) * all_of_it) * 0.9 / spent
            wider = min(GROWTH * width, int(width * left))
            if wider < 2 * width or width >= WIDEST:
                return
            width = min(wider, WIDEST)


class Finder:
    """What finds ways on one kind of board; the beam of `taquin.near.beam` here."""

    name = "beam"
    #: The part of the time that the beams may take; windows have the rest.
    share = 1.0

    def __init__(self, search: BeamSearch) -> None:
        self.search = search

    def lower_bound(self, start: State) -> int:
        """A proved lower bound of the length."""
        return 0 if self.search.sums is None else self.search.sums.value(start)

    def bytes_needed(self, width: int, longest: int) -> int:
        """Memory of a beam."""
        return self.search.bytes_needed(width, longest)

    def find(
        self, best: Best, width: int, noise: float, seed: int, clock: Clock
    ) -> tuple[int, ...] | None:
        """Look for a way that is shorter than the best."""
        found = self.search.search(
            best.start,
            width,
            longest=best.longest,
            noise=noise,
            seed=seed,
            stopped=clock.over,
        )
        best.made += self.search.made
        return found

    def improve(self, best: Best, clock: Clock, passes: int | None, workers: int) -> None:
        """Shorten the best way: there is nothing better than the beam itself here."""


class StageFinder(Finder):
    """Beams by stages, and windows, on rectangles."""

    name = "stages"
    share = 0.5

    def __init__(self, frame: Frame) -> None:
        from taquin.near.stages import StageBeam

        self.frame = frame
        self.beam = StageBeam(frame.rows, frame.columns)

    def lower_bound(self, start: State) -> int:
        return 0

    def bytes_needed(self, width: int, longest: int) -> int:
        return width * (200 + 4 * self.frame.rows * self.frame.columns + 6 * longest)

    def find(
        self, best: Best, width: int, noise: float, seed: int, clock: Clock
    ) -> tuple[int, ...] | None:
        path = self.beam.solve(
            self.frame.homes(best.start), width, seed=seed, noise=noise, deadline=clock.deadline
        )
        if path is None:
            return None
        best.made += int(CHILDREN_A_STATE * width * len(path))
        return self.frame.walk(path)

    def improve(self, best: Best, clock: Clock, passes: int | None, workers: int) -> None:
        from taquin.near.windows import improve

        if passes == 0:
            return
        assert best.solution is not None
        homes = self.frame.homes(best.start)

        def tell(path: Any) -> None:
            best.offer(self.frame.walk(path), "windows")

        improve(
            homes,
            self.frame.rows,
            self.frame.columns,
            self.frame.path(best.solution.walk),
            deadline=float("inf") if clock.deadline is None else clock.deadline,
            passes=passes,
            workers=workers,
            tell=tell,
        )


def finder_for(start: State, goal: State, metric: str, time_limit: float | None) -> Finder | None:
    """Return what finds ways on this board; None: only a construction does."""
    turn = TURN if metric == "mtm" else 0.0
    if suits(goal):
        most = PATIENTLY if time_limit is None else min(PATIENTLY, PART * time_limit)
        if building_seconds(partition_for(goal)) <= most:
            with suppress(LimitReached):
                return Finder(tabled_beam(goal, turn))
    frame = Frame.of(goal)
    if frame is not None:
        from taquin.near import stages

        if stages.suits(frame.rows, frame.columns):
            return StageFinder(frame)
    return Finder(plain_beam(goal, turn)) if beam.suits(goal) else None


@lru_cache(maxsize=8)
def tabled_beam(goal: State, turn: float) -> BeamSearch:
    """The beam over pattern values for a goal."""
    sums = search_for(goal).sums
    return BeamSearch(goal, sums, load("5x5"), turn=turn)


@lru_cache(maxsize=8)
def plain_beam(goal: State, turn: float) -> BeamSearch:
    """The beam over distances for a goal."""
    return BeamSearch(goal, None, load("3d"), turn=turn)
