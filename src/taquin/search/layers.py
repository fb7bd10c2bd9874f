"""Breadth-first layers of a small space: states at a depth, and all optimal solutions."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from taquin.board.lines import Line, letters, slides
from taquin.errors import LimitReached, Unsupported
from taquin.search.result import AllSolutions, Solution, Stats
from taquin.state import State

#: Refuse to list more states than this: some 200 MB of tuples, and some ten seconds.
MOST_STATES = 500_000


def layers(origin: State, metric: str) -> Iterator[list[State]]:
    """Yield the states at depth 0, 1, 2, ... from `origin`, each layer in order of discovery.

    Raises
    ------
    Unsupported
        If more than `MOST_STATES` states have been met.
    """
    before: set[State] = set()
    frontier = [origin]
    met = 1
    while frontier:
        yield frontier
        now = set(frontier)
        found: dict[State, None] = {}
        for state in frontier:
            for _, child in children(state, metric):
                if child not in now and child not in before:
                    found[child] = None
        before, frontier = now, list(found)
        met += len(frontier)
        if met > MOST_STATES:
            raise Unsupported(
                f"this space has more than {MOST_STATES:,} states: too many to list; choose a"
                " smaller board"
            )


def layer(goal: State, depth: int, metric: str) -> list[State]:
    """Return all states exactly `depth` moves from `goal`.

    Raises
    ------
    Unsupported
        If there is none, or the space is too large to list.
    """
    if depth < 0:
        raise Unsupported(f"a depth is at least 0; got {depth}")
    deepest = 0
    for deepest, states in enumerate(layers(goal, metric)):
        if deepest == depth:
            return states
    raise Unsupported(f"no state is {depth} moves from the goal: depths go from 0 to {deepest}")


def all_optimal(
    start: State, goal: State, metric: str, *, limit: int | None, time_limit: float | None
) -> AllSolutions:
    """Count and list all shortest ways by layers from the goal.

    Cost: all states nearer to the goal than `start`; at most `MOST_STATES` of them.
    """
    ends = None if time_limit is None else monotonic() + time_limit
    depth: dict[State, int] = {}
    for number, states in enumerate(layers(goal, metric)):
        depth.update(dict.fromkeys(states, number))
        if start in depth:
            break
        if ends is not None and monotonic() > ends:
            raise LimitReached("the time limit was reached before the first solution", None, number)
    counts = {goal: 1}

    def count(state: State) -> int:
        if state not in counts:
            counts[state] = sum(count(child) for _, child in nearer(state))
        return counts[state]

    def nearer(state: State) -> list[tuple[Line, State]]:
        ways = [way for way in children(state, metric) if depth.get(way[1], -1) == depth[state] - 1]
        return sorted(ways, key=lambda way: letters(state.board, way[0]))

    def ways(state: State) -> Iterator[tuple[int, ...]]:
        if state == goal:
            yield ()
            return
        for line, child in nearer(state):
            for rest in ways(child):
                yield line[1:] + rest

    total = count(start)
    length = depth[start]
    found: list[Solution] = []
    for walk in ways(start):
        if limit is not None and len(found) >= limit:
            break
        found.append(Solution(start, goal, walk, length, metric, length, "optimal", Stats("bfs")))
    return AllSolutions(total, length, tuple(found))


def children(state: State, metric: str) -> list[tuple[Line, State]]:
    """Return the line and the state of each move, in the order U L R D F B."""
    found = []
    for line in slides(state.board, state.blank, metric):
        child = state
        for cell in line[1:]:
            child = child.moved(cell)
        found.append((line, child))
    return found
