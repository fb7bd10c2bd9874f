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
from typing import Any, NamedTuple

from taquin.board import open_axes
from taquin.errors import LimitReached, Unsupported, quote
from taquin.heuristics import heuristic
from taquin.near import beam
from taquin.near.beam import BeamSearch, Found
from taquin.near.frame import Frame
from taquin.near.ranking import load
from taquin.notation import moves_length, reduced
from taquin.patterns.sums import sums_for
from taquin.search.pattern_choice import building_seconds, partition_for, search_for, suits
from taquin.search.result import Solution, Stats
from taquin.space_memory import free_memory
from taquin.state import State
from taquin.sweep import Stop


class Effort(NamedTuple):
    """How much is done.

    Attributes
    ----------
    work : float
        Children made in all, about; those of boards of more than `USUAL` cells count for more.
    passes : int or None
        Of windows over the best way, at most.
    seconds : float
        For these, at most.
    """

    work: float
    passes: int | None
    seconds: float


QUALITIES = {
    "fast": Effort(4e5, 0, 0.0),
    "good": Effort(1e7, 2, 4.0),
    "best": Effort(2e8, 12, 60.0),
}
USUAL = 64
#: A beam is at most so many times as wide as the one before, and at least so many times, or it is
#: not worth while.
GROWTH, WORTH = 6, 0.8
#: Beams of less than so many times the width before have other noise to find something new.
ALIKE = 2
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
#: Rectangles of at most so many cells have pattern databases for a beam.
MOST = 36
#: Other boards too if they have so few cells, or if the tables are there.
SMALL = 16
#: Weights for boards without pattern databases, by their axes.
RANKINGS = {2: "7x7", 3: "3d"}
#: A beam that has so many states for each cell needs no stages.
WIDE = 30
#: Bytes of a state of a beam by stages beside its board.
STAGE_BYTES = 200
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
    effort = QUALITIES[quality] if time_limit is None else Effort(float("inf"), None, float("inf"))
    work = effort.work / max(1.0, start.board.n / USUAL)
    finder = finder_for(goal, metric, time_limit)
    if finder is not None and metric == "stm":
        best.lower_bound = max(best.lower_bound, finder.lower_bound(start))
    if finder is None or not finder.beams or time_limit is not None:
        construct_first(best)
    if finder is not None and not (best.solution is not None and best.solution.optimal):
        memory = free_memory() if memory_limit is None else memory_limit
        if finder.beams:
            widen(finder, best, clock, work, memory, workers)
        if best.solution is not None:
            finder.improve(best, clock, effort, workers)
    if best.solution is None:
        construct_first(best)
    if best.solution is None:
        raise LimitReached("nothing was found within the limits", None, best.lower_bound)
    return replace(best.solution, stats=replace(best.solution.stats, generated=best.made))


def construct_first(best: Best) -> None:
    """Offer the constructed solution."""
    best.offer(constructed_walk(best.start, best.goal), "construct")


def constructed_walk(start: State, goal: State) -> tuple[int, ...]:
    """Return a certain way, at once: on rectangles a short one."""
    from taquin.construct import construct
    from taquin.construct.greedy import greedy

    frame = Frame.of(goal)
    if frame is None or min(frame.rows, frame.columns) < 2:
        return tuple(construct(start, goal).walk)
    path = greedy(frame.homes(start), frame.rows, frame.columns)
    assert path is not None  # nobody stops it
    return frame.walk(path)


def widen(finder: Finder, best: Best, clock: Clock, work: float, memory: int, workers: int) -> None:
    """Run beams of growing width until time, work or memory is used up."""
    width, alike, seed = NARROW, False, 0
    with ThreadPoolExecutor(workers) as pool:
        while True:
            begun, made = perf_counter(), best.made
            if workers * finder.bytes_needed(width, best.longest) > memory:
                return
            tasks = []
            for i in range(workers):
                noise, seed = NOISE if i or alike else 0.0, seed + 1
                tasks.append(pool.submit(finder.find, best, width, noise, seed, clock))
            for found in [task.result() for task in tasks]:
                best.made += found.made
                if found.walk is not None:
                    best.offer(found.walk, finder.name)
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
            if wider < WORTH * width or width >= WIDEST:
                return
            wider = min(wider, WIDEST)
            width, alike = wider, wider < ALIKE * width


class Finder:
    """What finds ways on one kind of board; the beam of `taquin.near.beam` here."""

    name = "beam"
    #: The part of the time that the beams may take; windows have the rest.
    share = 1.0
    #: Whether there are beams at all.
    beams = True

    def __init__(self, search: BeamSearch) -> None:
        self.search = search

    def lower_bound(self, start: State) -> int:
        """A proved lower bound of the length."""
        return 0 if self.search.sums is None else self.search.sums.value(start)

    def bytes_needed(self, width: int, longest: int) -> int:
        """Memory of a beam."""
        return self.search.bytes_needed(width, longest)

    def find(self, best: Best, width: int, noise: float, seed: int, clock: Clock) -> Found:
        """Look for a way that is shorter than the best."""
        return self.search.search(
            best.start,
            width,
            longest=best.longest,
            noise=noise,
            seed=seed,
            stopped=clock.over,
        )

    def improve(self, best: Best, clock: Clock, effort: Effort, workers: int) -> None:
        """Shorten the best way: there is nothing better than the beam itself here."""


class RectangleFinder(Finder):
    """On rectangles: narrow beams by stages, wide ones over distances, and windows."""

    name = "stages"
    share = 0.6

    def __init__(self, frame: Frame, turn: float) -> None:
        from taquin.near import stages

        self.frame = frame
        rows, columns = frame.rows, frame.columns
        self.stages = stages.StageBeam(rows, columns) if stages.suits(rows, columns) else None
        self.plain = plain_beam(frame.goal, turn) if beam.suits(frame.goal) else None
        self.beams = self.stages is not None

    def lower_bound(self, start: State) -> int:
        return 0

    def _is_wide(self, width: int) -> bool:
        """Whether a beam needs no stages to come home."""
        return self.plain is not None and width >= WIDE * self.frame.goal.board.n

    def bytes_needed(self, width: int, longest: int) -> int:
        cells = self.frame.goal.board.n
        if self.plain is not None and self._is_wide(width):
            return self.plain.bytes_needed(width, longest)
        return width * (STAGE_BYTES + 4 * cells + 6 * longest)

    def find(self, best: Best, width: int, noise: float, seed: int, clock: Clock) -> Found:
        if self.plain is not None and self._is_wide(width):
            return self.plain.search(
                best.start,
                width,
                longest=best.longest,
                noise=noise,
                seed=seed,
                stopped=clock.over,
            )
        assert self.stages is not None
        if clock.over():
            return Found(None, 0)
        path = self.stages.solve(
            self.frame.homes(best.start), width, seed=seed, noise=noise, deadline=clock.deadline
        )
        length = best.longest if path is None else len(path)
        made = int(CHILDREN_A_STATE * width * length)
        return Found(None if path is None else self.frame.walk(path), made)

    def improve(self, best: Best, clock: Clock, effort: Effort, workers: int) -> None:
        from taquin.near.windows import improve

        if effort.passes == 0 or best.solution is None:
            return
        stop = Stop()

        def tell(path: Any) -> None:
            best.offer(self.frame.walk(path), "windows")
            if clock.over():
                stop.set()

        improve(
            self.frame.homes(best.start),
            self.frame.rows,
            self.frame.columns,
            self.frame.path(best.solution.walk),
            deadline=clock.deadline or perf_counter() + effort.seconds,
            passes=effort.passes,
            workers=workers,
            stop=stop,
            tell=tell,
        )


def finder_for(goal: State, metric: str, time_limit: float | None) -> Finder | None:
    """Return what finds ways on this board; None: only a construction does."""
    turn = TURN if metric == "mtm" else 0.0
    if tables_suit(goal):
        most = PATIENTLY if time_limit is None else min(PATIENTLY, PART * time_limit)
        if building_seconds(partition_for(goal)) <= most:
            with suppress(LimitReached):
                return Finder(tabled_beam(goal, turn))
    frame = Frame.of(goal)
    if frame is not None and min(frame.rows, frame.columns) >= 2:
        return rectangle_finder(frame.goal, turn)
    return Finder(plain_beam(goal, turn)) if beam.suits(goal) else None


def tables_suit(goal: State) -> bool:
    """Whether a beam should have pattern databases on this board: made quickly, or on disk."""
    rectangle = open_axes(goal.board) == 2
    if suits(goal):
        return rectangle or goal.board.n <= SMALL or building_seconds(partition_for(goal)) == 0
    return rectangle and beam.suits(goal) and goal.board.n <= MOST


@lru_cache(maxsize=8)
def tabled_beam(goal: State, turn: float) -> BeamSearch:
    """The beam over pattern values for a goal."""
    sums = search_for(goal).sums if suits(goal) else sums_for(goal)
    return BeamSearch(goal, sums, load(goal.board.spec) or load("5x5"), turn=turn)


@lru_cache(maxsize=8)
def plain_beam(goal: State, turn: float) -> BeamSearch:
    """The beam over distances for a goal."""
    return BeamSearch(goal, None, load(RANKINGS.get(open_axes(goal.board), "")), turn=turn)


@lru_cache(maxsize=8)
def rectangle_finder(goal: State, turn: float) -> RectangleFinder:
    """What finds ways on a rectangle."""
    frame = Frame.of(goal)
    assert frame is not None
    return RectangleFinder(frame, turn)
