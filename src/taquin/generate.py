"""Dealing boards by difficulty: exactly uniform at a depth or between two, and graded packs.

Boards that have a distance table are dealt from the sweep itself: states at a depth are numbered,
and the numbers drawn. Larger boards near the goal are listed; all others are dealt by certified
rejection: a uniform state is drawn, solved optimally, and kept if its depth is right, which keeps
the draw uniform (von Neumann 1951). That takes as many solutions as there are tries, so the cost
is told before it is paid.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import erf, inf, sqrt
from statistics import fmean, pstdev
from time import perf_counter
from typing import TYPE_CHECKING

from taquin.errors import LimitReached, Unsupported
from taquin.sampling import Rng, as_random, random_state
from taquin.search.choose import has_table
from taquin.search.layers import MOST_STATES, layers

if TYPE_CHECKING:
    from taquin.puzzle import Puzzle
    from taquin.state import State

#: Times that boards of a pack are dealt again for those that came twice.
TRIES = 20
#: Boards solved before the cost of rejection is told.
PILOT = 3


@dataclass(frozen=True)
class Dealt:
    """A board and its certified distance from the goal, in moves of the puzzle's metric."""

    state: State
    depth: int


@dataclass(frozen=True)
class Cost:
    """What dealing by rejection is going to take, judged by the boards solved so far.

    Attributes
    ----------
    tries : float
        Boards to be solved for one that is kept; infinite where none is in sight.
    seconds : float
        Seconds for one that is kept.
    mean, deviation : float
        Of the depths of uniform boards, in moves.
    """

    tries: float
    seconds: float
    mean: float
    deviation: float

    def __str__(self) -> str:
        seen = f"uniform boards lie {self.mean:.0f} moves deep, give or take {self.deviation:.0f}"
        if self.tries == inf or self.tries > 10**9:
            return f"{seen}: one at the depth asked for will hardly ever turn up"
        return (
            f"{seen}: about {max(1, self.tries):,.0f} boards have to be solved for each that is"
            f" kept, some {self.seconds:,.3g} s"
        )


def deal(
    puzzle: Puzzle,
    low: int,
    high: int | None = None,
    *,
    count: int = 1,
    rng: Rng = None,
    time_limit: float | None = None,
    told: Callable[[str], None] | None = None,
) -> list[Dealt]:
    """Return boards whose depth is exactly `low`, or lies between `low` and `high`.

    Every state in that range is equally likely, each draw independent of the others.

    Parameters
    ----------
    low, high : int
        In moves from the goal; `high` is `low` if not given.
    rng : random.Random or int, optional
        A generator or a seed: the same seed deals the same boards.
    time_limit : float, optional
        Seconds, for boards that have to be solved.
    told : callable, optional
        Called with a sentence before boards are dealt by rejection, and with the `Cost` in words
        after the first few.

    Raises
    ------
    Unsupported
        If no state is that deep.
    LimitReached
        If time runs out.
    """
    high = low if high is None else high
    if not 0 <= low <= high:
        raise Unsupported(f"expected depths with 0 <= low <= high; got {low} and {high}")
    generator = as_random(rng)
    if puzzle.board.n == 1 or has_table(puzzle.goal):
        return _from_sweep(puzzle, low, high, count, generator)
    listed = _near(puzzle, low, high)
    if listed is not None:
        return [generator.choice(listed) for _ in range(count)]
    return list(_by_rejection(puzzle, low, high, count, generator, time_limit, told))


def _from_sweep(puzzle: Puzzle, low: int, high: int, count: int, rng: random.Random) -> list[Dealt]:
    """Draw numbers of states, then have the sweep look up which they are."""
    from taquin.space import depth_counts, pick

    counts = depth_counts(puzzle, to_depth=high)
    if low >= len(counts):
        raise Unsupported(_too_deep(puzzle, low, len(counts) - 1))
    ends = list(accumulate(counts[low:]))
    draws = [rng.randrange(ends[-1]) for _ in range(count)]
    wanted: dict[int, list[int]] = {}
    places = []
    for draw in draws:
        step = bisect_right(ends, draw)
        numbers = wanted.setdefault(low + step, [])
        places.append((low + step, len(numbers)))
        numbers.append(draw - (ends[step - 1] if step else 0))
    picked = pick(puzzle, lambda depth, _: wanted.get(depth, ()), max(wanted, default=0))
    return [Dealt(picked[depth][place], depth) for depth, place in places]


def _too_deep(puzzle: Puzzle, depth: int, radius: int) -> str:
    return f"no state of {puzzle.spec} is {depth} moves deep: depths go from 0 to {radius}"


def _near(puzzle: Puzzle, low: int, high: int) -> list[Dealt] | None:
    """List all states of the range, or give up: they are too many."""
    listed: list[Dealt] = []
    met = 0
    for depth, states in enumerate(layers(puzzle.goal, puzzle.metric)):
        met += len(states)
        if low <= depth:
            listed += [Dealt(state, depth) for state in states]
        if depth == high:
            return listed
        # The next layer is at most about so much larger; do not begin one that will not fit.
        if met + len(states) * max(map(len, _degrees(puzzle))) > MOST_STATES:
            return None
    if not listed:
        raise Unsupported(_too_deep(puzzle, low, depth))
    return listed


def _degrees(puzzle: Puzzle) -> list[tuple[int, ...]]:
    return [puzzle.board.neighbours(cell) for cell in range(puzzle.board.n)]


def _by_rejection(
    puzzle: Puzzle,
    low: int,
    high: int,
    count: int,
    rng: random.Random,
    time_limit: float | None,
    told: Callable[[str], None] | None,
) -> Iterator[Dealt]:
    began = perf_counter()
    depths: list[int] = []
    dealt = 0

    def cost() -> Cost:
        return cost_of(depths, low, high, perf_counter() - began)

    if told is not None:
        told(
            f"boards of {puzzle.spec} of this depth are found by solving random ones; the first"
            f" {PILOT} tell the cost"
        )
    while dealt < count:
        state = random_state(puzzle.goal, rng)
        left = None if time_limit is None else time_limit - (perf_counter() - began)
        try:
            solution = puzzle.solve(state, time_limit=None if left is None else max(left, 1e-3))
        except LimitReached:
            raise LimitReached(
                f"the time limit was reached after {len(depths)} boards, of which {dealt} were"
                f" kept{f'; {cost()}' if depths else ''}"
            ) from None
        if not solution.optimal:
            raise Unsupported(
                f"boards of {puzzle.spec} cannot be solved optimally within reach, so their depth"
                " is not known: deal them without a depth"
            )
        depths.append(solution.length)
        if len(depths) == PILOT and told is not None:
            told(str(cost()))
        if low <= solution.length <= high:
            dealt += 1
            yield Dealt(state, solution.length)


def cost_of(depths: list[int], low: int, high: int, seconds: float) -> Cost:
    """Judge the cost of a board between two depths by boards solved in so many seconds.

    Depths of uniform boards are close to normally distributed.
    """
    if not depths:
        return Cost(inf, inf, 0, 0)
    mean, deviation = fmean(depths), max(1.0, pstdev(depths))

    def below(depth: float) -> float:
        return 0.5 * (1 + erf((depth - mean) / (deviation * sqrt(2))))

    share = below(high + 0.5) - below(low - 0.5)
    tries = 1 / share if share > 0 else inf
    return Cost(tries, tries * seconds / len(depths), mean, deviation)


@dataclass(frozen=True)
class Level:
    """A level of a pack: depths from `low` to `high`, and its boards."""

    number: int
    low: int
    high: int
    boards: tuple[Dealt, ...]


def pack(
    puzzle: Puzzle,
    levels: int,
    per_level: int,
    *,
    low: int | None = None,
    high: int | None = None,
    rng: Rng = None,
    told: Callable[[str], None] | None = None,
) -> list[Level]:
    """Return boards of growing difficulty: levels of depths that follow each other.

    Parameters
    ----------
    levels, per_level : int
        How many levels, and boards in each; all boards are different where there are enough.
    low, high : int, optional
        The depths of the pack: from 1 to the greatest there is.

    Notes
    -----
    The range of depths is divided evenly. Within a level all states are equally likely.
    """
    if levels < 1 or per_level < 1:
        raise Unsupported(f"a pack has at least one level and one board; got {levels}, {per_level}")
    generator = as_random(rng)
    low = 1 if low is None else low
    if high is None:
        high = greatest_depth(puzzle)
    if high - low + 1 < levels:
        raise Unsupported(
            f"{levels} levels need as many depths: from {low} to {high} there are"
            f" {max(0, high - low + 1)}"
        )
    found = []
    for number in range(levels):
        start = low + (high - low + 1) * number // levels
        end = low + (high - low + 1) * (number + 1) // levels - 1
        boards = _different(puzzle, start, end, per_level, generator, told)
        found.append(Level(number + 1, start, end, tuple(boards)))
    return found


def _different(
    puzzle: Puzzle,
    low: int,
    high: int,
    count: int,
    rng: random.Random,
    told: Callable[[str], None] | None,
) -> list[Dealt]:
    """Deal boards, those met before again, as long as that finds others."""
    kept: dict[State, Dealt] = {}
    for _ in range(TRIES):
        for dealt in deal(puzzle, low, high, count=count - len(kept), rng=rng, told=told):
            kept[dealt.state] = dealt
        if len(kept) == count:
            return list(kept.values())
    return [*kept.values(), *deal(puzzle, low, high, count=count - len(kept), rng=rng)]


def greatest_depth(puzzle: Puzzle) -> int:
    """Return the greatest depth of a board that has a table.

    Raises
    ------
    Unsupported
        For larger boards, where nobody knows it.
    """
    if puzzle.board.n == 1 or has_table(puzzle.goal):
        from taquin.space import depth_counts

        return len(depth_counts(puzzle)) - 1
    raise Unsupported(
        f"the greatest depth of {puzzle.spec} is not known: say the greatest one wanted (high;"
        " --max)"
    )
