"""The compiled loop of IDA* in multi-tile moves, on grids of up to 16 cells and two axes.

A shortest way alternates between the axes: two moves along one line are one move, or undo each
other. A frame on the stack is a board, four bits a cell, and in one word the entries of both axes'
walking tables, the blank, the axis of the next move, and the depth. Its children are the boards
after one, two, ... tiles of the line have gone one way, and the other.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.patterns import kernels as views_kernels
from taquin.patterns.kernels import CELLS, OCCUPIED, locate, slide
from taquin.sweep import compiled as door
from taquin.sweep.compiled import prefetch

compiled = partial(door.compiled, beside=[str(views_kernels.__file__)])
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


# A node's values: a remainder modulo 3 in two bits each, and from bit 16 eight bits each.
VALUES, THREE, EIGHT = U64(16), U64(3), U64(8)
#: Children of a node, at most.
CHILDREN = 32


@compiled
def deepen(
    kinds: Words,
    goal_board: Any,
    near: npt.NDArray[np.uint8],
    slots: npt.NDArray[np.uint8],
    links: npt.NDArray[np.uint16],
    costs: npt.NDArray[np.uint8],
    columns: Any,
    entries: Any,
    inner: npt.NDArray[np.uint8],
    boards: Words,
    rests: Words,
    values: Words,
    views: Words,
    places: Words,
    path: Words,
    fields: npt.NDArray[np.int64],
    budget: Any,
    split: Any,
    roots: Words,
    at: npt.NDArray[np.int64],
) -> Any:
    """Search on within the threshold; the codes of `taquin.search.pattern_kernels`.

    Parameters
    ----------
    kinds : (views,) uint64
        For each view twice its pattern's number, plus 1 on the mirrored side.
    goal_board : uint64
    near : (2, 2, 16) uint8, flat
        The next cell by axis, direction and cell; 255 at the border.
    slots : (2, 2, 16) uint8, flat
        The column of `links` by axis, direction and tile.
    links, costs : (entries, columns) uint16, flat; (entries,) uint8
        The walking tables of both axes: where a tile's step leads, and the moves still needed.
    entries : Entries
        Of the pattern databases, two bits each (`taquin.patterns.index.Entries`).
    inner : (2, 16) uint8, flat
        The cells of the databases, by side and cell.
    boards, rests, values : uint64; views : (height, views) uint64, flat
        The stack; above its height lie the children that wait for their entries.
    places : (children, views) uint64, flat
        Where those are.
    path : uint64
        The landing cells on the way to the present node, from 1 on.
    fields : (1,) int64
        The height of the stack, kept between calls.
    roots : (most, 2 + 5 + levels) uint64
        What is at depth `split`: board, rest, values, four views, landing cells.
    at : int64
        As in `pattern_kernels`.
    """
    bits, half, lower, upper, sets, rows, ranks, sizes = entries
    count_views = U64(kinds.size)
    height = U64(fields[0])
    generated, least, expanded, threshold = at[0], at[1], at[4], at[5]
    stop = generated + budget
    status = 1
    while generated < stop:
        if height == U64(0):
            status = 0
            break
        height -= ONE
        board, rest, known = boards[height], rests[height], values[height]
        depth = np.int64(rest >> DEPTH)
        blank = (rest >> BLANK) & U64(63)
        path[U64(depth)] = blank
        if depth == split:
            row = at[7]
            if row == roots.shape[0]:
                status = 3
                break
            roots[row, 0], roots[row, 1], roots[row, 2] = board, rest, known
            for j in range(count_views):
                roots[row, 3 + j] = views[height * count_views + j]
            for d in range(depth + 1):
                roots[row, 7 + d] = path[d]
            at[7] += 1
            continue
        expanded += 1
        axis = (rest >> AXIS) & ONE
        shift = SECOND_ENTRY * axis
        still = np.int64(costs[(rest >> (SECOND_ENTRY - shift)) & ENTRY])
        kept = rest & (ENTRY << (SECOND_ENTRY - shift))
        # The node's own place is overwritten by its children: its views are kept aside, above.
        aside = (height + U64(CHILDREN)) * count_views
        for j in range(count_views):
            views[aside + j] = views[height * count_views + j]
        waiting = U64(0)
        for way in range(U64(2)):
            line = (axis + axis + way) << FOUR
            cell, here, entry = blank, board, (rest >> shift) & ENTRY
            now = aside + count_views
            for j in range(count_views):
                views[now + j] = views[aside + j]
            while True:
                to = U64(near[line + cell])
                if to == NO_CELL:
                    break
                tile = (here >> (to << U64(2))) & NIBBLE
                here ^= (tile << (to << U64(2))) ^ (tile << (cell << U64(2)))
                entry = U64(links[entry * columns + U64(slots[line + tile])])
                for j in range(count_views):
                    side = (kinds[j] & ONE) << FOUR
                    into = U64(inner[side + to])
                    if (views[now + j] >> into) & ONE:
                        back = U64(inner[side + cell])
                        views[now + j] = slide(views[now + j], into, back)
                cell = to
                generated += 1
                value = depth + 1 + bound_from(still, np.int64(costs[entry]))
                if value > threshold:
                    least = min(least, value)
                    continue
                place = height + waiting
                boards[place] = here
                rests[place] = (
                    kept
                    | (entry << shift)
                    | (cell << BLANK)
                    | ((ONE - axis) << AXIS)
                    | (U64(depth + 1) << DEPTH)
                )
                for j in range(count_views):
                    view = views[now + j]
                    views[place * count_views + j] = view
                    bit = locate(
                        view & OCCUPIED,
                        view >> CELLS,
                        kinds[j] >> ONE,
                        U64(inner[((kinds[j] & ONE) << FOUR) + cell]),
                        half,
                        lower,
                        upper,
                        sets,
                        rows,
                        ranks,
                        sizes,
                    )
                    prefetch(bits, bit >> U64(3))
                    places[waiting * count_views + j] = bit
                waiting += ONE
        goal = False
        base = height
        for child in range(waiting):
            place = base + child
            word, value = known, np.int64(0)
            for j in range(count_views):
                bit = places[child * count_views + j]
                found = (U64(bits[bit >> U64(3)]) >> (bit & U64(7))) & THREE
                old = (word >> (j + j)) & THREE
                step = (found + FOUR - old) % THREE
                word ^= (old ^ found) << (j + j)
                word += (step - ONE) << (VALUES + EIGHT * j)
                value = max(value, np.int64((word >> (VALUES + EIGHT * j)) & U64(255)))
            value += depth + 1
            if value > threshold:
                least = min(least, value)
                continue
            boards[height], rests[height], values[height] = boards[place], rests[place], word
            for j in range(count_views):
                views[height * count_views + j] = views[place * count_views + j]
            if boards[height] == goal_board:
                at[3] = depth + 1
                path[U64(depth + 1)] = (rests[height] >> BLANK) & U64(63)
                goal = True
            height += ONE
        if goal:
            status = 2
            break
    fields[0] = height
    at[0], at[1], at[4] = generated, least, expanded
    return status
