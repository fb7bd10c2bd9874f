"""The sweep engine: the whole space of a sliding-tile puzzle, a bit a state, at memory speed.

* `sweep` runs over all states of a board, or of k of its tiles (pattern databases);
* `memory_needed` says first what that takes;
* `rank_states` and `unrank_states` translate states to their places in the bit sets and back;
* `frontier_search` goes through boards too big to hold, level by level to a given depth.

Read `kernels.py` for the layout and the idea, `cohorts.py` for the map, `rotations.py` for the
moves, `passes.py` for the levels, `engine.py` for the whole.
"""

from taquin.sweep.certify import certify, count_preceded, expected_certificate
from taquin.sweep.checkpoint import keeps_table
from taquin.sweep.cohorts import Layout, lay_out, order_cells
from taquin.sweep.engine import Level, Progress, Stop, SweepResult, Table, memory_needed, sweep
from taquin.sweep.ranking import rank_states, unrank_states
from taquin.sweep.sparse import Frontier, Layer, frontier_search

__all__ = [
    "Frontier",
    "Layer",
    "Layout",
    "Level",
    "Progress",
    "Stop",
    "SweepResult",
    "Table",
    "certify",
    "count_preceded",
    "expected_certificate",
    "frontier_search",
    "keeps_table",
    "lay_out",
    "memory_needed",
    "order_cells",
    "rank_states",
    "sweep",
    "unrank_states",
]
