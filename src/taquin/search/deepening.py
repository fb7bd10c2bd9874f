"""Depth-first searches with a bound that rises: the answer of `bfs`, the memory of one way.

Both algorithms are the same loop over `depth_first`; they differ in what they know of a state.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Unpack

from taquin.board.lines import Line
from taquin.search.problem import Limits, Problem
from taquin.search.result import Solution
from taquin.state import State


def iddfs(
    start: State,
    goal: State,
    *,
    heuristic: str = "manhattan",
    metric: str = "stm",
    depth_limit: int | None = None,
    **limits: Unpack[Limits],
) -> Solution:
    """Iterative deepening: depth-first to depth 1, then 2, ... (Korf 1985, section 3). Optimal.

    Tie-break "first move first": U L R D F B. The move back is never made. Cost: memory for one way
    only; each depth repeats the work of those before, which together cost less than the last. It
    does not end if the goal is out of reach and the board has a ring: ask for the verdict first.

    Raises
    ------
    LimitReached
        With the lower bound ``depth_limit + 1`` when that depth has been searched.
    """
    problem = Problem("iddfs", start, goal, metric, heuristic, limits, blind=True)
    if start == goal:
        return problem.solution([])
    depth = 0
    while depth_limit is None or depth < depth_limit:
        depth += 1
        problem.at_least(depth)
        # A state that is not the goal is at least a move away: that is all this search knows.
        way, beyond = depth_first(problem, depth, lambda state: int(state != goal))
        if way is not None:
            return problem.solution(way, optimal=True)
        if beyond == inf:
            raise problem.exhausted()
    problem.at_least(depth + 1)
    raise problem.limit(f"{depth} moves of depth")


def idastar(
    start: State,
    goal: State,
    *,
    heuristic: str = "manhattan",
    metric: str = "stm",
    **limits: Unpack[Limits],
) -> Solution:
    """Iterative-deepening A* (Korf 1985): depth-first within f = moves made + h. Optimal.

    The bound starts at the estimate of the start and rises to the least f that went beyond it.
    Tie-break "first move first": U L R D F B. The move back is never made; every other child counts
    when it is generated, also one that is cut off, and the last iteration stops at the goal: these
    are the counts of Korf's paper. Cost: memory for one way only. It does not end if the goal is
    out of reach and the board has a ring: ask for the verdict first.
    """
    problem = Problem("idastar", start, goal, metric, heuristic, limits)
    if start == goal:
        return problem.solution([])
    bound: float = problem.h(start)
    while bound < inf:
        if problem.admissible:
            problem.at_least(int(bound))
        way, bound = depth_first(problem, bound, problem.h)
        if way is not None:
            return problem.solution(way, optimal=problem.admissible)
    raise problem.exhausted()


def depth_first(
    problem: Problem, bound: float, h: Callable[[State], int]
) -> tuple[list[Line] | None, float]:
    """Search all ways from the start whose f = moves made + h stays within `bound`.

    Returns
    -------
    way : list of lines, or None
        The way to the goal, if there is one.
    beyond : float
        The least f that was cut off: the next bound; infinite if nothing was.
    """
    beyond = inf
    way: list[Line] = []
    open_children = [problem.children(problem.start)]
    while open_children:
        for line, child in open_children[-1]:  # goes on where it was left
            f = len(open_children) + h(child)
            if f > bound:
                beyond = min(beyond, f)
                continue
            way.append(line)
            if child == problem.goal:
                return way, f
            open_children.append(problem.children(child, line))
            problem.hold(len(open_children))
            break
        else:  # no child left: step back
            open_children.pop()
            if way:
                way.pop()
    return None, beyond
