"""Searches that always go on with the state that looks best.

A* and weighted A* are one loop (`_by_f`) with different weights; RBFS visits states in the order of
A*, but keeps only one way and its neighbours.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from math import ceil, inf
from typing import Unpack

from taquin.board.lines import Line
from taquin.errors import Unsupported
from taquin.search.problem import Limits, Parents, Problem, trace
from taquin.search.result import Solution
from taquin.state import State


def greedy(
    start: State,
    goal: State,
    *,
    heuristic: str = "manhattan",
    metric: str = "stm",
    **limits: Unpack[Limits],
) -> Solution:
    """Greedy best-first search (Doran & Michie 1966): always the least h. Not optimal.

    Tie-break "h, then first come". Each state is entered once, by the first way that is found, and
    the goal is recognised when its turn comes. The lower bound is the estimate of the start. Cost:
    few states as a rule, all of them in the worst case.
    """
    problem = Problem("greedy", start, goal, metric, heuristic, limits)
    parents: Parents = {start: None}
    order = count()
    waiting = [(problem.h(start), next(order), start)]
    while waiting:
        _, _, state = heappop(waiting)
        if state == goal:
            return problem.solution(trace(parents, goal))
        for line, child in problem.children(state):
            if child not in parents:
                parents[child] = state, line
                problem.hold(len(parents))
                heappush(waiting, (problem.h(child), next(order), child))
    raise problem.exhausted()


def astar(
    start: State,
    goal: State,
    *,
    heuristic: str = "manhattan",
    metric: str = "stm",
    **limits: Unpack[Limits],
) -> Solution:
    """A* (Hart, Nilsson & Raphael 1968): always the least f = moves made + h. Optimal.

    Tie-break "f, then h, then first come". The goal is recognised when its turn comes. A state that
    is reached again by fewer moves is entered again, so that h need only be admissible. Cost: every
    state with f below the optimum, in time and in memory.
    """
    return _by_f(Problem("astar", start, goal, metric, heuristic, limits), 1)


def weighted_astar(
    start: State,
    goal: State,
    *,
    heuristic: str = "manhattan",
    metric: str = "stm",
    weight: float = 2,
    **limits: Unpack[Limits],
) -> Solution:
    """Weighted A* (Pohl 1970): always the least moves made + weight * h.

    With an admissible h the solution has at most ``weight`` times the moves of a shortest one, and
    at most ``weight`` times its own lower bound: the least moves made + h of all states that still
    waited at the end, of which one lies on a shortest way. Tie-break as in `astar`: f, then h, then
    first come.

    Raises
    ------
    Unsupported
        If `weight` is below 1.
    """
    if not weight >= 1:
        raise Unsupported(f"a weight is at least 1 (1 is plain A*); got {weight}")
    return _by_f(Problem("weighted-astar", start, goal, metric, heuristic, limits), weight)


def _by_f(problem: Problem, weight: float) -> Solution:
    start, goal, h = problem.start, problem.goal, problem.h
    parents: Parents = {start: None}
    made = {start: 0}  # the fewest moves known to each state
    order = count()
    waiting = [(weight * h(start), h(start), next(order), 0, start)]
    while waiting:
        f, estimate, _, moves, state = heappop(waiting)
        if moves > made[state]:
            continue  # left behind when a shorter way was found
        if problem.admissible:
            # The least f / weight of all that wait, less what rounding may have added.
            problem.at_least(ceil(f / weight - 1e-9))
        if state == goal:
            if problem.admissible:  # a shorter way would go through a state that waits
                rest = (other[3] + other[1] for other in waiting)
                problem.at_least(min(moves, min(rest, default=moves)))
            return problem.solution(trace(parents, goal))
        for line, child in problem.children(state):
            if moves + 1 < made.get(child, inf):
                made[child], parents[child] = moves + 1, (state, line)
                problem.hold(len(made))
                estimate = h(child)
                f = moves + 1 + weight * estimate
                heappush(waiting, (f, estimate, next(order), moves + 1, child))
    raise problem.exhausted()


def rbfs(
    start: State,
    goal: State,
    *,
    heuristic: str = "manhattan",
    metric: str = "stm",
    **limits: Unpack[Limits],
) -> Solution:
    """Recursive best-first search (Korf 1993): the order of A*, the memory of one way. Optimal.

    Each state on the way keeps its children with their values F. Below a child the search goes on
    as long as nothing that was left aside on the way has a smaller F; then it comes back, and the
    child keeps the least F found below it, so that this is not searched again in vain. Tie-break
    "F, then first move first". The move back is never made. Cost: memory for one way and the
    children along it. It does not end if the goal is out of reach and the board has a ring: ask for
    the verdict first.
    """
    problem = Problem("rbfs", start, goal, metric, heuristic, limits)
    if start == goal:
        return problem.solution([])
    try:
        way, _ = _below(problem, start, None, 0, problem.h(start), inf, 1)
    except RecursionError:
        raise problem.limit("the depth of Python's recursion") from None
    if way is None:
        raise problem.exhausted()
    return problem.solution(way, optimal=problem.admissible)


def _below(
    problem: Problem,
    state: State,
    after: Line | None,
    moves: int,
    value: float,
    limit: float,
    held: int,
) -> tuple[list[Line] | None, float]:
    """Search below `state` as long as the least F there is at most `limit`.

    Parameters
    ----------
    after, moves : line, int
        The move that led to the state, and how many were made.
    value : float
        F of the state: its f, or what an earlier visit has found below it.
    held : int
        How many states are held on the way to it.

    Returns
    -------
    way : list of lines, or None
        The way to the goal, if it has been found.
    value : float
        The least F below the state.
    """
    if state == problem.goal:
        return [], value
    options = list(problem.children(state, after))
    values: list[float] = [moves + 1 + problem.h(child) for _, child in options]
    if value > moves + problem.h(state):  # visited before: no child can be better than that
        values = [max(value, f) for f in values]
    held += len(options)
    problem.hold(held)
    while (least := min(values, default=inf)) <= limit and least < inf:
        if after is None and problem.admissible:
            problem.at_least(int(least))
        best = values.index(least)
        second = min(values[:best] + values[best + 1 :], default=inf)
        line, child = options[best]
        way, values[best] = _below(problem, child, line, moves + 1, least, min(limit, second), held)
        if way is not None:
            return [line, *way], least
    return None, least
