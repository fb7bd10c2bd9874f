"""Hints for a player: the next moves of a short solution from here, and again after each move."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from taquin.notation import moves_length
from taquin.search.choose import Wishes, has_table, solve
from taquin.search.result import Solution
from taquin.state import State

#: Ways that are remembered, for all puzzles together.
REMEMBERED = 64
#: States between a player and a way that is known, at most.
STRAYED = 2


class Memory:
    """Ways given as hints: for each state on them the cells that follow."""

    def __init__(self) -> None:
        self._ways: OrderedDict[tuple[State, str, State], Solution] = OrderedDict()
        self._next: dict[tuple[State, str, State], tuple[Solution, int]] = {}
        self._lock = Lock()

    def note(self, solution: Solution) -> None:
        """Remember a way."""
        key = (solution.goal, solution.metric, solution.start)
        with self._lock:
            self._ways[key] = solution
            for step, state in enumerate(solution.states()):
                self._next[key[0], key[1], state] = solution, step
            while len(self._ways) > REMEMBERED:
                _, old = self._ways.popitem(last=False)
                for state in old.states():
                    known = (old.goal, old.metric, state)
                    if self._next.get(known, (None, 0))[0] is old:
                        del self._next[known]

    def from_here(self, start: State, goal: State, metric: str) -> Solution | None:
        """The rest of a way that leads through `start`, or passes it at a few moves."""
        frontier: list[tuple[State, tuple[int, ...]]] = [(start, ())]
        for _ in range(STRAYED + 1):
            for state, walk in frontier:
                found = self._next.get((goal, metric, state))
                if found is not None:
                    way, step = found
                    return _shortened(way, start, (*walk, *way.walk[step:]), step)
            frontier = [
                (state.moved(cell), (*walk, cell))
                for state, walk in frontier
                for cell in state.board.neighbours(state.blank)
                if not walk or cell != (start.blank, *walk)[-2]
            ]
        return None


def _shortened(way: Solution, start: State, walk: tuple[int, ...], step: int) -> Solution:
    """A solution that goes on a known way from its `step`; what is proved of it."""
    length = len(walk) if way.metric == "stm" else moves_length(start, walk, way.metric)
    moved = len(walk) - (len(way.walk) - step)
    bound = length if way.optimal and moved == 0 else max(0, way.lower_bound - step - moved)
    status = "optimal" if bound == length else "bounded"
    return replace(way, start=start, walk=walk, length=length, lower_bound=bound, status=status)


_memory = Memory()


def hint(start: State, goal: State, metric: str) -> Solution:
    """Return a short solution from `start`: see `taquin.Puzzle.hint`."""
    if has_table(goal):
        return solve(start, goal, metric, "auto", Wishes())
    known = _memory.from_here(start, goal, metric)
    if known is None:
        known = solve(start, goal, metric, "near", Wishes(quality="fast"))
        _memory.note(known)
    return known
