"""The inner loops of IDA*: depth first to a threshold, on any board, without recursion.

A *move* is a directed edge of the board, numbered. After move e the blank may make the moves
``follow[first[e]]``, ``follow[first[e] + 1]``, ... up to the mark `END`: all that leave its cell
but the one back. So the parent is never generated, and a list ends without a count. One more move,
of the number E, stands for the start: it "came" to the first cell, and its list is complete.

A call runs for a given number of nodes and leaves everything in its arrays; the next one goes on
there. So the caller sees to time, progress and interruption.

Indices are unsigned, and the two loops are alike but for the sum they look at: the distances of the
tiles (`deepen`) or of the rows and columns (`deepen_walking`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taquin.jit import kernel

END = 0xFFFF

# The entries of the array `at`, which carries a search from one call to the next.
DEPTH, PLACE, SUM, LEAST, GENERATED, EXPANDED, GOALS = range(7)
FIELDS = 7

# What a call says at its end.
PAUSED, GOAL, EXHAUSTED = range(3)


@kernel
def deepen(
    tiles: Any,
    to: Any,
    first: Any,
    follow: Any,
    path: Any,
    rest: Any,
    sums: Any,
    at: Any,
    change: Any,
    threshold: int,
    budget: int,
    count_only: bool,
) -> int:
    """Run an iteration of IDA* for at most `budget` generated nodes, with a sum of distances.

    Parameters
    ----------
    tiles : (n,) uint8
        The labels; the entry on the blank's cell is never read.
    to : (E + 1,) uint16
        Where each move takes the blank.
    first, follow : (E + 1,) uint32 and uint16
        The lists of moves, see above.
    path, rest, sums : (threshold + 2,) uint16, uint32, int64
        The stack: the move made, its next place in `follow`, the sum of distances.
    at : (FIELDS,) int64
        Depth, place in `follow`, sum, least excess over the threshold, generated, expanded, goals.
    change : (labels, E) int8
        How a move changes the distance of the tile that it meets.
    threshold : int
        A node is cut off if its depth and sum exceed this.
    budget : int
        Nodes; 0 does nothing but compile.
    count_only : bool
        Count the goals and go on, instead of stopping at each.

    Returns
    -------
    int
        PAUSED (the budget is used up), GOAL (``path[1:depth + 1]`` leads there, the next call goes
        on behind it) or EXHAUSTED (the iteration is complete).
    """
    one = np.uint64(1)
    depth, place, total = np.uint64(at[0]), np.uint64(at[1]), at[2]
    least, generated, expanded, goals = at[3], at[4], at[5], at[6]
    stop = generated + budget
    blank = np.uint64(to[path[depth]])
    slack = threshold - np.int64(depth) - 1  # the greatest sum of a child that is not cut off
    status = PAUSED
    while generated < stop:
        move = np.uint64(follow[place])
        if move == END:  # all children are done: take the move back
            if depth == 0:
                status = EXHAUSTED
                break
            depth -= one
            before = np.uint64(to[path[depth]])
            tiles[blank] = tiles[before]
            blank, place, total = before, np.uint64(rest[depth]), sums[depth]
            slack += 1
            continue
        place += one
        generated += 1
        cell = np.uint64(to[move])
        tile = tiles[cell]
        child = total + change[np.uint64(tile), move]
        if child > slack:
            least = min(least, child - slack)
            continue
        rest[depth], sums[depth] = place, total
        depth += one
        path[depth] = move
        tiles[blank] = tile
        blank, place, total = cell, np.uint64(first[move]), child
        slack -= 1
        if total == 0:
            goals += 1
            if not count_only:
                status = GOAL
                break
        expanded += 1
    at[0], at[1], at[2] = depth, place, total
    at[3], at[4], at[5], at[6] = least, generated, expanded, goals
    return status


@kernel
def deepen_walking(
    tiles: Any,
    to: Any,
    first: Any,
    follow: Any,
    path: Any,
    rest: Any,
    sums: Any,
    at: Any,
    axis: Any,
    slot: Any,
    link: Any,
    cost: Any,
    where: Any,
    held: Any,
    threshold: int,
    budget: int,
    count_only: bool,
) -> int:
    """Do as `deepen` with the walking distance: a number for each axis, led on by a table.

    Parameters
    ----------
    axis : (E,) uint8
        Along which axis each move goes.
    slot : (labels, E) uint8
        Which column of `link` belongs to a move that meets a tile.
    link : (entries, columns) uint16
        From an entry of an axis's table to the next; different tables lie behind each other.
    cost : (entries,) uint8
        The moves that an entry still needs.
    where : (axes,) uint16
        The present entry of each axis.
    held : (threshold + 2,) uint16
        The stack: the entry that the move replaced.
    """
    one = np.uint64(1)
    depth, place, total = np.uint64(at[0]), np.uint64(at[1]), at[2]
    least, generated, expanded, goals = at[3], at[4], at[5], at[6]
    stop = generated + budget
    blank = np.uint64(to[path[depth]])
    slack = threshold - np.int64(depth) - 1
    status = PAUSED
    while generated < stop:
        move = np.uint64(follow[place])
        if move == END:
            if depth == 0:
                status = EXHAUSTED
                break
            where[np.uint64(axis[path[depth]])] = held[depth]
            depth -= one
            before = np.uint64(to[path[depth]])
            tiles[blank] = tiles[before]
            blank, place, total = before, np.uint64(rest[depth]), sums[depth]
            slack += 1
            continue
        place += one
        generated += 1
        cell = np.uint64(to[move])
        tile = tiles[cell]
        line = np.uint64(axis[move])
        here = np.uint64(where[line])
        then = np.uint64(link[here, np.uint64(slot[np.uint64(tile), move])])
        child = total + np.int64(cost[then]) - np.int64(cost[here])
        if child > slack:
            least = min(least, child - slack)
            continue
        rest[depth], sums[depth] = place, total
        depth += one
        path[depth], held[depth] = move, here
        where[line] = then
        tiles[blank] = tile
        blank, place, total = cell, np.uint64(first[move]), child
        slack -= 1
        if total == 0:
            goals += 1
            if not count_only:
                status = GOAL
                break
        expanded += 1
    at[0], at[1], at[2] = depth, place, total
    at[3], at[4], at[5], at[6] = least, generated, expanded, goals
    return status
