"""Solutions replayed move by move, and the depths of all boards of 3x3."""

from __future__ import annotations

import functools
import itertools
import random

import naive

import taquin as tq

RING = "1 2 3 / 8 0 4 / 7 6 5"
THETA_0 = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (6, 0), (6, 3)]


@functools.cache
def three_by_three() -> dict[naive.Tiles, int]:
    return naive.depths(naive.grid_neighbours((3, 3)), (1, 2, 3, 4, 5, 6, 7, 8, 0))


@functools.cache
def three_by_three_mtm() -> dict[naive.Tiles, int]:
    return naive.line_depths((3, 3), (1, 2, 3, 4, 5, 6, 7, 8, 0))


def check(solution: tq.Solution, start: tq.State, goal: tq.State, length: int | None) -> None:
    """Replay every move; the counts, the bounds and the states must fit together."""
    states = list(solution.states())
    assert states[0] == start
    assert states[-1] == goal
    for before, after in itertools.pairwise(states):
        assert after in [other for _, other in before.neighbours()]
    if solution.metric == "stm":
        assert len(states) == solution.length + 1
    assert solution.lower_bound <= solution.length
    if solution.optimal:
        assert solution.status == "optimal"
        assert solution.lower_bound == solution.length
        assert length is None or solution.length == length
    elif length is not None:
        assert solution.length >= length


def far_states(seed: int, count: int, deepest: int = 31) -> list[naive.Tiles]:
    depth = three_by_three()
    states = [tiles for tiles, d in depth.items() if d <= deepest]
    return random.Random(seed).sample(sorted(states), count)
