"""Searches that know nothing of the goal but what it looks like.

Each is one function over `taquin.search.problem`; see `taquin.search.textbook` for what they have
in common. The heuristic that they take serves only for the lower bound that is reported.
"""

from __future__ import annotations

from typing import Unpack

from taquin.board.lines import Line
from taquin.errors import Unsupported
from taquin.search.problem import Limits, Parents, Problem, trace
from taquin.search.result import Solution
from taquin.state import State


def bfs(
    start: State,
    goal: State,
    *,
    heuristic: str = "manhattan",
    metric: str = "stm",
    **limits: Unpack[Limits],
) -> Solution:
    """Breadth-first search: all states one move away, then two, ... (Moore 1959). Optimal.

    Tie-break "first come": a queue, children in the order U L R D F B. The goal is recognised when
    it is generated. Cost: every state nearer than the goal, in time and in memory.
    """
    problem = Problem("bfs", start, goal, metric, heuristic, limits, blind=True)
    if start == goal:
        return problem.solution([])
    parents: Parents = {start: None}
    level, depth = [start], 0
    while level:
        depth += 1
        problem.at_least(depth)  # all states nearer than that have been met
        following = []
        for state in level:
            for line, child in problem.children(state):
                if child in parents:
                    continue
                parents[child] = state, line
                problem.hold(len(parents))
                if child == goal:
                    return problem.solution(trace(parents, goal), optimal=True)
                following.append(child)
        level = following
    raise problem.exhausted()


def bidirectional(
    start: State,
    goal: State,
    *,
    heuristic: str = "manhattan",
    metric: str = "stm",
    **limits: Unpack[Limits],
) -> Solution:
    """Breadth-first search from both ends, until the two meet (Nicholson 1966). Optimal.

    Tie-break "smaller side": the side with fewer states on its border goes on by a whole level, the
    start's if both have as many. Since levels are whole, the first meeting is a shortest way: had
    there been a shorter one, a level before would have met. Cost: about the square root of `bfs`.
    """
    problem = Problem("bidirectional", start, goal, metric, heuristic, limits, blind=True)
    if start == goal:
        return problem.solution([])
    parents: list[Parents] = [{start: None}, {goal: None}]
    levels, depth = [[start], [goal]], 0
    while all(levels):
        depth += 1
        problem.at_least(depth)
        side = 0 if len(levels[0]) <= len(levels[1]) else 1
        near, far = parents[side], parents[1 - side]
        following = []
        for state in levels[side]:
            for line, child in problem.children(state):
                if child in near:
                    continue
                near[child] = state, line
                problem.hold(len(near) + len(far))
                if child in far:
                    back = [line[::-1] for line in reversed(trace(parents[1], child))]
                    return problem.solution(trace(parents[0], child) + back, optimal=True)
                following.append(child)
        levels[side] = following
    raise problem.exhausted()


def dfs(
    start: State,
    goal: State,
    *,
    heuristic: str = "manhattan",
    metric: str = "stm",
    depth_limit: int = 50,
    **limits: Unpack[Limits],
) -> Solution:
    """Depth-first search: go on as long as there is a new state, then step back. Not optimal.

    Tie-break "first move first": U L R D F B. A state that is on the way already is not entered
    again (path check), nor is one beyond `depth_limit` moves. Cost: memory for one way only, but
    time exponential in the limit: other ways to the same state are not remembered.

    Raises
    ------
    LimitReached
        With the lower bound ``depth_limit + 1`` if the search was cut off by that limit.
    """
    if depth_limit < 1:
        raise Unsupported(f"a depth limit is at least 1 move; got {depth_limit}")
    problem = Problem("dfs", start, goal, metric, heuristic, limits, blind=True)
    if start == goal:
        return problem.solution([])
    way: dict[State, Line] = {start: ()}  # the states on the way, and the line to each
    open_children = [problem.children(start)]
    cut_off = False
    while open_children:
        for line, child in open_children[-1]:  # goes on where it was left
            if child == goal:
                return problem.solution([*way.values(), line][1:])
            if child in way:
                continue
            if len(way) == depth_limit:
                cut_off = True
                continue
            way[child] = line
            open_children.append(problem.children(child, line))
            problem.hold(len(way))
            break
        else:  # no child left: step back
            way.popitem()
            open_children.pop()
    if not cut_off:
        raise problem.exhausted()
    problem.at_least(depth_limit + 1)
    raise problem.limit(f"{depth_limit} moves of depth")
