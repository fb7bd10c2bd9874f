"""The compiled search behind the tables of stages: see `taquin.near.stage_plan`."""

from __future__ import annotations

from typing import Any

import numpy as np

from taquin.sweep.compiled import compiled

#: The entry that means that there is no way; greater distances than one less are taken as that.
NO_WAY = 255


@compiled
def spread(
    table: Any,
    queue: Any,
    near: Any,
    goals: Any,
) -> None:
    """Fill in the distances of one or two tiles and the blank on a small board, from the goals.

    Parameters
    ----------
    table : (m ** (1 + tiles),) uint8
        By the tiles' cells and the blank's, the last fastest; `NO_WAY` where there is none.
        Where the blank lies on a tile: a guess, for a blank that comes from outside over it.
    queue : scratch of the same size
    near : (m, 4)
        The open neighbours, or -1.
    goals : (tiles,)
        Where the tiles should go. The blank may be anywhere then.
    """
    m: Any = len(near)
    two = len(goals) == 2
    table[:] = NO_WAY
    tail: Any = 0
    root = goals[0] * m + goals[1] if two else goals[0]
    for blank in range(m):
        if (near[blank] >= 0).any() and not (goals == blank).any():
            table[root * m + blank] = 0
            queue[tail] = root * m + blank
            tail += 1
    head: Any = 0
    while head < tail:
        index = np.int64(queue[head])
        head += 1
        blank, tiles = index % m, index // m
        first, second = (tiles // m, tiles % m) if two else (tiles, -1)
        for direction in range(4):
            to = near[blank, direction]
            if to < 0:
                continue
            moved_first = blank if to == first else first
            moved_second = blank if to == second else second
            other = (moved_first * m + moved_second if two else moved_first) * m + to
            if table[other] == NO_WAY:
                table[other] = min(table[index] + 1, NO_WAY - 1)
                queue[tail] = other
                tail += 1
    for tiles in range(len(table) // m):
        for cell in (tiles // m, tiles % m) if two else (tiles, tiles):
            least: Any = NO_WAY
            for direction in range(4):
                to = near[cell, direction]
                if to >= 0:
                    least = min(least, np.int64(table[tiles * m + to]) + 2)
            table[tiles * m + cell] = least
