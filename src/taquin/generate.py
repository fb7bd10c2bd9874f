"""Dealing boards by difficulty: exactly uniform at a depth or between two, and graded packs.

Boards that have a distance table are dealt from the sweep itself: states at a depth are numbered,
and the numbers drawn. Larger boards near the goal are listed, or numbered in a walk level by level;
all others are dealt by certified rejection: a uniform state is drawn, solved optimally, and kept if
its depth is right, which keeps the draw uniform (von Neumann 1951). That takes as many solutions as
there are tries, so the cost is told before it is paid.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import erf, inf, sqrt
from statistics import fmean, pstdev
from time import perf_counter
from typing import TYPE_CHECKING

from taquin.errors import LimitReached, Unsupported
from taquin.generate_known import known_counts
from taquin.generate_known import known_radius as known_radius
from taquin.sampling import Rng, as_random, random_state
from taquin.search.choose import has_table
from taquin.search.layers import MOST_STATES, layers

if TYPE_CHECKING:
    from taquin.puzzle import Puzzle
    from taquin.space import Space
    from taquin.state import State

#: Times that boards of a pack are dealt again for those that came twice.
TRIES = 20
#: Boards solved before the cost of rejection is told.
PILOT = 3
#: Boards that are near the goal, but too many to list, are walked level by level, up to so many:
#: some seconds and some hundred megabytes.
WALKED = 5_000_000
#: Deeper than any level that is walked.
FAR = 1_000_000
#: Of the time there is, the part after which no further layer is listed: the next takes longer.
LISTING = 0.25


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
        Seconds, for boards that have to be solved: kept to about that, within a solution too.
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
    began = perf_counter()
    if puzzle.board.n == 1 or has_table(puzzle.goal):
        return _from_sweep(puzzle, low, high, count, generator)
    radius = known_radius(puzzle)
    if radius is not None and low > radius:
        raise Unsupported(_too_deep(puzzle, low, radius))
    listed = _near(puzzle, low, high, time_limit)
    if listed is not None:
        return [generator.choice(listed) for _ in range(count)]
    walked = _walk(puzzle, high, time_limit)
    if walked is not None and (walked.complete or walked.radius == high):
        if low > walked.radius:
            raise Unsupported(_too_deep(puzzle, low, walked.radius))
        sparse = walked.by_cell is None
        return _drawn(puzzle, walked.depth_counts, low, count, generator, by_frontier=sparse)
    return list(_by_rejection(puzzle, low, high, count, generator, began, time_limit, told))


def _from_sweep(puzzle: Puzzle, low: int, high: int, count: int, rng: random.Random) -> list[Dealt]:
    from taquin.space import depth_counts

    counts = depth_counts(puzzle, to_depth=high)
    if low >= len(counts):
        raise Unsupported(_too_deep(puzzle, low, len(counts) - 1))
    return _drawn(puzzle, counts, low, count, rng, by_frontier=False)


def _drawn(
    puzzle: Puzzle,
    counts: tuple[int, ...],
    low: int,
    count: int,
    rng: random.Random,
    *,
    by_frontier: bool,
) -> list[Dealt]:
    """Draw numbers of states from `low` on, then have a second walk look up which they are."""
    from taquin.space import pick

    ends = list(accumulate(counts[low:]))
    draws = [rng.randrange(ends[-1]) for _ in range(count)]
    wanted: dict[int, list[int]] = {}
    places = []
    for draw in draws:
        step = bisect_right(ends, draw)
        numbers = wanted.setdefault(low + step, [])
        places.append((low + step, len(numbers)))
        numbers.append(draw - (ends[step - 1] if step else 0))
    picked = pick(
        puzzle,
        lambda depth, _: wanted.get(depth, ()),
        max(wanted, default=0),
        by_frontier=by_frontier,
    )
    return [Dealt(picked[depth][place], depth) for depth, place in places]


def _walk(puzzle: Puzzle, high: int, time_limit: float | None = None) -> Space | None:
    """Explore to depth `high`, or as far as that is quickly done; None where it cannot be done."""
    if puzzle.goal.repeats:
        return None
    from taquin.space import explore
    from taquin.sweep import Progress, Stop

    stop = Stop()
    most = max(map(len, _degrees(puzzle))) - 1

    def look(now: Progress) -> None:
        late = time_limit is not None and now.seconds > LISTING * time_limit
        if late or now.states + now.level * most > WALKED:
            stop.set()

    try:
        return explore(puzzle, to_depth=high, progress=look, stop=stop)
    except Unsupported:  # too many moves from a cell
        return None


def _too_deep(puzzle: Puzzle, depth: int, radius: int) -> str:
    return f"no state of {puzzle.spec} is {depth} moves deep: depths go from 0 to {radius}"


def _near(
    puzzle: Puzzle, low: int, high: int, time_limit: float | None = None
) -> list[Dealt] | None:
    """List all states of the range, or give up: they are too many, or take too long."""
    began = perf_counter()
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
        if time_limit is not None and perf_counter() - began > LISTING * time_limit:
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
    began: float,
    time_limit: float | None,
    told: Callable[[str], None] | None,
) -> Iterator[Dealt]:
    first = perf_counter()
    depths: list[int] = []
    dealt = 0
    share = _known_share(puzzle, low, high)

    def cost() -> Cost:
        return cost_of(depths, low, high, perf_counter() - first, share)

    if told is not None:
        told(_forecast(puzzle, share))
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


def _known_share(puzzle: Puzzle, low: int, high: int) -> float | None:
    """The part of all states that lies between two depths, where that is published."""
    counts = known_counts(puzzle)
    return None if counts is None else sum(counts[low : high + 1]) / sum(counts)


def _forecast(puzzle: Puzzle, share: float | None) -> str:
    """Say what rejection costs before any board is solved, as far as it is known."""
    how = f"boards of {puzzle.spec} of this depth are found by solving random ones"
    if share is None:
        return f"{how}; how many is not known before: the first {PILOT} tell the cost"
    return (
        f"{how}: about {max(1, 1 / share):,.0f} for each that is kept, by the published counts;"
        f" the first {PILOT} tell how long that takes"
    )


def cost_of(
    depths: list[int], low: int, high: int, seconds: float, share: float | None = None
) -> Cost:
    """Judge the cost of a board between two depths by boards solved in so many seconds.

    Parameters
    ----------
    share : float, optional
        The part of all states between the depths. If it is not known, it is estimated: depths of
        uniform boards are close to normally distributed, but for the rare ones at both ends.
    """
    if not depths:
        return Cost(inf, inf, 0, 0)
    mean, deviation = fmean(depths), max(1.0, pstdev(depths))

    def below(depth: float) -> float:
        return 0.5 * (1 + erf((depth - mean) / (deviation * sqrt(2))))

    if share is None:
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
    time_limit: float | None = None,
    told: Callable[[str], None] | None = None,
) -> list[Level]:
    """Return boards of growing difficulty: levels of depths that follow each other.

    Parameters
    ----------
    levels, per_level : int
        How many levels, and boards in each; all boards are different where there are enough.
    low, high : int, optional
        The depths of the pack: from 1 to the greatest there is; on boards too large for a table
        to the greatest whose boards are quickly found without solving any.
    time_limit : float, optional
        Seconds for the whole pack, as for `deal`.

    Raises
    ------
    Unsupported
        If there are fewer depths than levels, or a level lies deeper than any state.
    LimitReached
        If time runs out.

    Notes
    -----
    The range of depths is divided evenly. Within a level all states are equally likely.
    """
    if levels < 1 or per_level < 1:
        raise Unsupported(f"a pack has at least one level and one board; got {levels}, {per_level}")
    generator = as_random(rng)
    low = 1 if low is None else low
    if high is None:
        high = _pack_depth(puzzle, told)
    if high - low + 1 < levels:
        raise Unsupported(
            f"{levels} levels need as many depths: from {low} to {high} there are"
            f" {max(0, high - low + 1)}"
        )
    starts = [low + (high - low + 1) * number // levels for number in range(levels + 1)]
    radius = _radius(puzzle)
    if radius is not None and starts[-2] > radius:  # said before the levels above it are dealt
        raise Unsupported(_too_deep(puzzle, starts[-2], radius))
    until = None if time_limit is None else perf_counter() + time_limit
    found = []
    for number, (start, after) in enumerate(pairwise(starts), start=1):
        boards = _different(puzzle, start, after - 1, per_level, generator, until, told)
        found.append(Level(number, start, after - 1, tuple(boards)))
    return found


def _pack_depth(puzzle: Puzzle, told: Callable[[str], None] | None) -> int:
    """Return how deep a pack goes if nobody says it."""
    walked = None if has_table(puzzle.goal) else _walk(puzzle, FAR)
    if walked is None:
        return greatest_depth(puzzle)
    if told is not None and not walked.complete:
        told(
            f"levels go to depth {walked.radius}, as far as boards of {puzzle.spec} are found"
            " without solving any; the greatest depth wanted (high; --max) may be said"
        )
    return walked.radius


def _different(
    puzzle: Puzzle,
    low: int,
    high: int,
    count: int,
    rng: random.Random,
    until: float | None,
    told: Callable[[str], None] | None,
) -> list[Dealt]:
    """Deal boards, those met before again, as long as that finds others."""
    kept: dict[State, Dealt] = {}

    def more() -> list[Dealt]:
        left = None if until is None else max(until - perf_counter(), 1e-3)
        missing = count - len(kept)
        return deal(puzzle, low, high, count=missing, rng=rng, time_limit=left, told=told)

    for _ in range(TRIES):
        for dealt in more():
            kept[dealt.state] = dealt
        if len(kept) == count:
            return list(kept.values())
    return [*kept.values(), *more()]


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
    # Even a published one is no range to deal from: hardly any board lies near it.
    radius = known_radius(puzzle)
    most = "" if radius is None else f", {radius} at most"
    raise Unsupported(
        f"{puzzle.spec} has no table that tells its greatest depth: say the greatest one wanted"
        f" (high; --max){most}"
    )


def _radius(puzzle: Puzzle) -> int | None:
    """The greatest depth, where it is known."""
    if puzzle.board.n == 1 or has_table(puzzle.goal):
        return greatest_depth(puzzle)
    return known_radius(puzzle)
