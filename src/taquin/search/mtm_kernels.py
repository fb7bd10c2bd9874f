"""The compiled loop of IDA* in multi-tile moves, on grids of up to 16 cells and two axes.

A shortest way alternates between the axes: two moves along one line are one move, or undo each
other. A frame on the stack is a board, four bits a cell, and in one word the entries of both axes'
walking tables, the blank, the axis of the next move, and the depth. Its children are the boards
after one, two, ... tiles of the line have gone one way, and the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.sweep.compiled import compiled

U64 = np.uint64
Words = npt.NDArray[np.uint64]

ONE, FOUR = U64(1), U64(4)
NIBBLE, ENTRY = U64(15), U64(0xFFFF)
# The second word of a frame: entries of axes 0 and 1, blank, axis, depth.
SECOND_ENTRY, BLANK, AXIS, DEPTH = U64(16), U64(32), U64(38), U64(40)
NO_CELL = U64(255)


@compiled
def bound_from(own: Any, other: Any) -> Any:
    """Moves at least, if `own` are needed along the axis of the next move, `other` along the other.

    Of n alternating moves the next axis has n / 2, rounded up, and the other the rest.
    """
    return max(2 * own - 1, 2 * other)


@compiled
def deepen(
    near: npt.NDArray[np.uint8],
    slots: npt.NDArray[np.uint8],
    links: npt.NDArray[np.uint16],
    costs: npt.NDArray[np.uint8],
    columns: Any,
    boards: Words,
    rests: Words,
    path: Words,
    fields: npt.NDArray[np.int64],
    budget: Any,
    split: Any,
    roots: Words,
    at: npt.NDArray[np.int64],
) -> Any:
    """Search on within the threshold; 0 exhausted, 1 paused, 2 found, 3 no room for roots.

    Parameters
    ----------
    near : (2, 2, 16) uint8, flat
        The next cell by axis, direction and cell; 255 at the border.
    slots : (2, 2, 16) uint8, flat
        The column of `links` by axis, direction and tile.
    links, costs : (entries, columns) uint16, flat; (entries,) uint8
        The walking tables of both axes: where a tile's step leads, and the moves still needed.
    boards, rests, path : uint64
        The stack, and the landing cells on the way to the present node, from 1 on.
    fields : (1,) int64
        The height of the stack, kept between calls.
    roots : (most, 2 + levels) uint64
        What is at depth `split`: board, rest, landing cells.
    at : int64
        As `taquin.search.pattern_kernels` has it: generated, least, -, length, expanded,
        threshold, -, roots.
    """
    height = U64(fields[0])
    generated, least, expanded, threshold = at[0], at[1], at[4], at[5]
    stop = generated + budget
    status = 1
    while generated < stop:
        if height == U64(0):
            status = 0
            break
        height -= ONE
        board, rest = boards[height], rests[height]
        depth = np.int64(rest >> DEPTH)
        blank = (rest >> BLANK) & U64(63)
        path[U64(depth)] = blank
        if depth == split:
            row = at[7]
            if row == roots.shape[0]:
                status = 3
                break
            roots[row, 0], roots[row, 1] = board, rest
            for d in range(depth + 1):
                roots[row, 2 + d] = path[d]
            at[7] += 1
            continue
        expanded += 1
        axis = (rest >> AXIS) & ONE
        shift = SECOND_ENTRY * axis
        still = np.int64(costs[(rest >> (SECOND_ENTRY - shift)) & ENTRY])
        kept = rest & (ENTRY << (SECOND_ENTRY - shift))
        goal = False
        for way in range(U64(2)):
            line = (axis + axis + way) << FOUR
            cell, here, entry = blank, board, (rest >> shift) & ENTRY
            while True:
                to = U64(near[line + cell])
                if to == NO_CELL:
                    break
                tile = (here >> (to << U64(2))) & NIBBLE
                here ^= (tile << (to << U64(2))) ^ (tile << (cell << U64(2)))
                entry = U64(links[entry * columns + U64(slots[line + tile])])
                cell = to
                generated += 1
                done = np.int64(costs[entry])
                value = depth + 1 + bound_from(still, done)
                if value > threshold:
                    least = min(least, value)
                    continue
                boards[height] = here
                rests[height] = (
                    kept
                    | (entry << shift)
                    | (cell << BLANK)
                    | ((ONE - axis) << AXIS)
                    | (U64(depth + 1) << DEPTH)
                )
                height += ONE
                if still == 0 and done == 0:
                    at[3] = depth + 1
                    path[U64(depth + 1)] = cell
                    goal = True
        if goal:
            status = 2
            break
    fields[0] = height
    at[0], at[1], at[4] = generated, least, expanded
    return status
