"""What the textbook algorithms share: moves, counters, limits, and the way found.

An algorithm asks `Problem.children` for the successors of a state, one at a time, and ends with
`Problem.solution`; in between it says how much it holds (`hold`) and what it has proved
(`at_least`), so that a limit can be reported with what is known.

A *line* is the way of the blank in one move (`taquin.board.lines`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import inf
from time import perf_counter
from typing import TypedDict

from taquin.board.lines import Line, slides
from taquin.errors import InvalidState, LimitReached, Unsolvable
from taquin.heuristics import HEURISTICS, heuristic
from taquin.search.result import Solution, Stats
from taquin.state import State

Parents = dict[State, tuple[State, Line] | None]
Progress = Callable[[int, int, float], None]

#: The clock is read, and progress told, after so many generated states.
LOOK_EVERY = 1024
#: Bytes of the containers' entries for a state held; the state itself is measured.
ENTRY_BYTES = 250


class Limits(TypedDict, total=False):
    """The limits that every textbook algorithm takes; None, or left out, is no limit.

    Attributes
    ----------
    node_limit : int
        At most so many states are generated.
    time_limit : float
        Seconds, looked at every `LOOK_EVERY` states.
    memory_limit : int
        Bytes held by states, estimated from their number.
    progress : callable
        Called every `LOOK_EVERY` states with the proved lower bound, the number of generated
        states, and the seconds.
    """

    node_limit: int | None
    time_limit: float | None
    memory_limit: int | None
    progress: Progress | None


class Problem:
    """One search: two ends, the moves between them, and the counters of the algorithm.

    Parameters
    ----------
    method : str
        The name of the algorithm.
    start, goal : State
        Both ends, on the same board, with the same labels.
    metric : str
        ``"stm"`` or ``"mtm"``.
    heuristic : str
        A name of `taquin.heuristics.HEURISTICS`: an informed search is led by it; for all, its
        value at the start is a lower bound that a limit is reported with.
    blind : bool
        The algorithm does not look at the heuristic: `Stats.heuristic` is 0.

    Attributes
    ----------
    h : callable
        The estimate of a state, in moves of the metric.
    lower_bound : int
        What has been proved so far.
    stats : Stats
        The counters, as `taquin.search.result` defines them.
    """

    def __init__(
        self,
        method: str,
        start: State,
        goal: State,
        metric: str,
        heuristic_name: str,
        limits: Limits,
        *,
        blind: bool = False,
    ) -> None:
        _check_ends(start, goal)
        self.start, self.goal, self.metric = start, goal, metric
        self._after: dict[Line, tuple[Line, ...]] = {}
        self._slides: dict[int, tuple[Line, ...]] = {}
        self._slides[start.blank] = tuple(slides(start.board, start.blank, metric))
        self.h = heuristic(heuristic_name, goal, metric)
        self.admissible = HEURISTICS[heuristic_name].admissible
        at_start = self.h(start)
        self.lower_bound = max(at_start if self.admissible else 0, int(start != goal))
        self.stats = Stats(method, generated=1, stored=1, heuristic=0 if blind else at_start)
        self._limits = limits
        self._node_limit = _or_inf(limits.get("node_limit"))
        self._time_limit = _or_inf(limits.get("time_limit"))
        self._state_bytes = state_bytes(start)
        self._most_held = _or_inf(limits.get("memory_limit")) // self._state_bytes
        self._look_at = min(LOOK_EVERY, self._node_limit)
        self._began = perf_counter()

    # -- moves ---------------------------------------------------------------------------------

    def children(self, state: State, after: Line | None = None) -> Iterator[tuple[Line, State]]:
        """Yield the line and the state of each move, in the order U L R D F B; count each.

        With `after`, the line that led to `state`, moves that cannot be on a shortest way are not
        made: back along that line, or on along it where one slide does both.
        """
        self.stats.expanded += 1
        for line in self._moves(state.blank, after):
            if self.stats.generated >= self._look_at:
                self._look()
            self.stats.generated += 1
            tiles = list(state.tiles)
            for to, tile_from in pairwise(line):  # each tile fills the gap that the blank leaves
                tiles[to] = tiles[tile_from]
            tiles[line[-1]] = 0
            yield line, State.trusted(tuple(tiles), state.board, line[-1])

    def _moves(self, blank: int, after: Line | None) -> tuple[Line, ...]:
        if blank not in self._slides:
            self._slides[blank] = tuple(slides(self.start.board, blank, self.metric))
        if after is None:
            return self._slides[blank]
        if after not in self._after:
            in_one = self._slides[after[0]]
            self._after[after] = tuple(
                line
                for line in self._slides[blank]
                if line[1] != after[-2] and after + line[1:] not in in_one
            )
        return self._after[after]

    # -- limits --------------------------------------------------------------------------------

    def at_least(self, bound: int) -> None:
        """Note that no way has fewer than `bound` moves."""
        self.lower_bound = max(self.lower_bound, bound)

    def hold(self, states: int) -> None:
        """Note that so many states are held now."""
        if states > self.stats.stored:
            self.stats.stored = states
            if states > self._most_held:
                raise self.limit(f"{self._limits.get('memory_limit'):,} bytes of memory")

    def _look(self) -> None:
        """Read the clock, tell the progress, stop at a limit."""
        self.stats.seconds = perf_counter() - self._began
        if self.stats.generated >= self._node_limit:
            raise self.limit(f"{self._node_limit:,} generated states")
        if self.stats.seconds > self._time_limit:
            raise self.limit(f"{self._time_limit:g} seconds")
        if progress := self._limits.get("progress"):
            progress(self.lower_bound, self.stats.generated, self.stats.seconds)
        self._look_at = min(self.stats.generated + LOOK_EVERY, self._node_limit)

    def limit(self, what: str) -> LimitReached:
        """Return the error of a limit, with what has been proved."""
        return LimitReached(
            f"{self.stats.method} stopped at its limit of {what}, without an answer: a solution has"
            f" at least {self.lower_bound} moves; raise the limit or choose another method",
            None,
            self.lower_bound,
            self.stats,
        )

    def exhausted(self) -> Unsolvable:
        """Return the error of a search that has met every state there is."""
        return Unsolvable(
            f"no moves lead to the goal: {self.stats.method} went through all states that can be"
            " reached from the start, and the goal is not among them",
            None,
        )

    # -- answers -------------------------------------------------------------------------------

    def solution(self, way: Sequence[Line], *, optimal: bool = False) -> Solution:
        """Return the solution that follows the lines of `way`.

        It is optimal if the algorithm has proved that, or if it is as short as the lower bound;
        otherwise its status is "bounded", by the lower bound it carries.
        """
        self.stats.seconds = perf_counter() - self._began
        self.stats.bytes = self.stats.stored * self._state_bytes
        length = len(way)
        if optimal:
            self.at_least(length)
        return Solution(
            self.start,
            self.goal,
            tuple(cell for line in way for cell in line[1:]),
            length,
            self.metric,
            self.lower_bound,
            "optimal" if length == self.lower_bound else "bounded",
            self.stats,
        )


def trace(parents: Parents, state: State) -> list[Line]:
    """Return the lines from the state without a parent to `state`."""
    way = []
    while (link := parents[state]) is not None:
        state, line = link
        way.append(line)
    return way[::-1]


def state_bytes(state: State) -> int:
    """Estimate the bytes that a search needs to hold one state of this size."""
    return sys.getsizeof(state) + sys.getsizeof(state.tiles) + ENTRY_BYTES


def _or_inf(limit: float | None) -> float:
    return inf if limit is None else limit


def _check_ends(start: State, goal: State) -> None:
    if start.board != goal.board:
        raise InvalidState(
            f"start and goal lie on different boards, {start.board.spec} and {goal.board.spec}:"
            " expected the same board"
        )
    if sorted(start.tiles) != sorted(goal.tiles):
        raise InvalidState("start and goal have different labels: expected the same ones")
