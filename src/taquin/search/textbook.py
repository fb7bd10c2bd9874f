"""The textbook algorithms, in plain Python that a course can print, all with one face.

For example::

    from taquin.search.textbook import TEXTBOOK

    solution = TEXTBOOK["astar"](start, goal, heuristic="linear-conflict", node_limit=100_000)
    solution.moves, solution.stats.generated

================== ============== ============================ ==================== ==============
name               solution       tie-break                    memory               takes
================== ============== ============================ ==================== ==============
``bfs``            optimal        first come                   all states met
``bidirectional``  optimal        smaller side                 all states met
``dfs``            any            first move first             one way              `depth_limit`
``iddfs``          optimal        first move first             one way              `depth_limit`
``greedy``         any            h, then first come           all states met
``astar``          optimal        f, then h, then first come   all states met
``weighted-astar`` weight-bounded f, then h, then first come   all states met       `weight`
``idastar``        optimal        first move first             one way
``rbfs``           optimal        F, then first move first     one way, its children
================== ============== ============================ ==================== ==============

The moves of a state come in the order U L R D F B of the blank.

Parameters of all
    ``start``, ``goal``: states of one board with the same labels; ``heuristic``: a name of
    `taquin.heuristics.HEURISTICS` (a blind search takes only its lower bound from it);
    ``metric``: ``"stm"`` or ``"mtm"``; and `taquin.search.problem.Limits`: ``node_limit``,
    ``time_limit``, ``memory_limit``, ``progress``.

Status of the solution
    ``"optimal"`` only with a proof: the algorithm is optimal and its heuristic admissible, or the
    length equals the lower bound. Otherwise ``"bounded"``, with a lower bound that is honest: of
    weighted A* the length is at most ``weight`` times it; of greedy and depth-first search it is
    the estimate of the start, and nothing more is promised.

Errors
    `LimitReached` with the proved lower bound and without a solution; `Unsolvable` (without a
    verdict) when all states that can be reached have been met. Iterative deepening, IDA* and RBFS
    do not notice that: `taquin.solvability.verdict` tells it beforehand, as `Puzzle.solve` does.

A new algorithm is one function with this face and one line in `TEXTBOOK`.
"""

from __future__ import annotations

from collections.abc import Callable

from taquin.search.best_first import astar, greedy, rbfs, weighted_astar
from taquin.search.blind import bfs, bidirectional, dfs
from taquin.search.deepening import idastar, iddfs
from taquin.search.result import Solution

__all__ = [
    "TEXTBOOK",
    "astar",
    "bfs",
    "bidirectional",
    "dfs",
    "greedy",
    "idastar",
    "iddfs",
    "rbfs",
    "weighted_astar",
]

TEXTBOOK: dict[str, Callable[..., Solution]] = {
    "bfs": bfs,
    "bidirectional": bidirectional,
    "dfs": dfs,
    "iddfs": iddfs,
    "greedy": greedy,
    "astar": astar,
    "weighted-astar": weighted_astar,
    "idastar": idastar,
    "rbfs": rbfs,
}
