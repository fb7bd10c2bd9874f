"""The first levels of boards too big to hold: one level of states at a time, in a hash set.

A state is the cells of its tiles, packed into 64-bit words; the blank is on the cell that is left.
Beside each state lies a bit for every way that leads back to the level before (Korf, Zhang, Thayer
and Hohwald 2005, frontier search): those ways are not taken, so the level before need not be kept.
Without colours a way may also lead to the present level, which is then put into the set first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.sweep.cohorts import Neighbours, colours
from taquin.sweep.compiled import compiled, popcount

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
U64 = np.uint64
ONE = U64(1)


def frontier_counts(
    neighbours: Neighbours,
    blank: int,
    to_depth: int,
    *,
    memory_limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> list[int]:
    """States at depth 0 .. to_depth (fewer if the space ends before) of the whole puzzle.

    Takes some 50 bytes a state of the last two levels, and some 3 million states a second.

    Parameters
    ----------
    blank : the blank's goal cell
    memory_limit : bytes; the counts end before the first level that might need more
    progress : called with the depth and the states of each level
    stop : asked after each level; the counts end where it says True

    Raises
    ------
    ValueError
        If a cell has more than 64 neighbours.
    """
    n = len(neighbours)
    if max(map(len, neighbours), default=0) > 64:
        raise ValueError("a frontier search keeps a bit for each way: at most 64 neighbours a cell")
    bits = max(1, (n - 1).bit_length())
    near = np.full((n, max(1, *map(len, neighbours))), -1, np.int64)
    for x, cells in enumerate(neighbours):
        near[x, : len(cells)] = cells
    same = colours(neighbours) is None
    tiles = np.array([cell for cell in range(n) if cell != blank], np.int64)
    level = np.zeros((1, -(-tiles.size // (64 // bits))), U64)
    _pack(tiles, bits, level[0])
    back = np.zeros(1, U64)
    counts = [1]
    while len(counts) <= to_depth and not stop():
        children = int(_count_children(level, back, near, bits))
        room = children + (level.shape[0] if same else 0)
        slots = 1 << max(4, (3 * room // 2).bit_length())
        if memory_limit is not None:
            needed = (room + level.shape[0]) * (level.itemsize * level.shape[1] + 8) + 4 * slots
            if needed > memory_limit:
                break
        found, ways = np.empty((room, level.shape[1]), U64), np.empty(room, U64)
        table = np.full(slots, -1, np.int32)
        first = _insert_all(level, found, ways, table) if same else 0
        size = _expand(level, back, near, bits, found, ways, table, first)
        if size == first:
            break
        level, back = found[first:size], ways[first:size]
        counts.append(size - first)
        if progress is not None:
            progress(len(counts) - 1, counts[-1])
    return counts


@compiled
def _pack(cells: Ints, bits: int, state: Words) -> None:
    """The cells of all tiles into words, 64 // bits a word."""
    share = 64 // bits
    for tile in range(cells.size):
        state[tile // share] |= U64(cells[tile]) << U64(bits * (tile % share))


@compiled
def _unpack(state: Words, bits: int, tiles: Ints) -> Any:
    """Write which tile lies on each cell; returns the blank's cell."""
    share = 64 // bits
    mask = (ONE << U64(bits)) - ONE
    blank: Any = tiles.size * (tiles.size - 1) // 2
    tile = 0
    for packed in state:
        rest = packed
        for _ in range(min(share, tiles.size - 1 - tile)):
            cell = np.int64(rest & mask)
            rest >>= U64(bits)
            tiles[cell] = tile
            blank -= cell
            tile += 1
    return blank


@compiled
def _count_children(level: Words, back: Words, near: Ints, bits: int) -> Any:
    """Ways that lead on from the states of a level."""
    tiles = np.empty(near.shape[0], np.int64)
    total: Any = 0
    for s in range(level.shape[0]):
        blank = _unpack(level[s], bits, tiles)
        for way in range(near.shape[1]):
            total += near[blank, way] >= 0
        total -= np.int64(popcount(back[s]))
    return total


@compiled
def _find(state: Words, found: Words, size: int, table: npt.NDArray[np.int32]) -> Any:
    """The slot of `state`, or the free slot where it belongs (linear probing)."""
    code = U64(0)
    for word in state:
        code = (code ^ word) * U64(0x9E3779B97F4A7C15)
        code ^= code >> U64(32)
    slot = np.int64(code & U64(table.size - 1))
    while table[slot] >= 0:
        other = found[table[slot]]
        equal = True
        for i in range(state.size):
            equal &= state[i] == other[i]
        if equal:
            break
        slot = (slot + 1) & (table.size - 1)
    return slot


@compiled
def _insert_all(level: Words, found: Words, ways: Words, table: npt.NDArray[np.int32]) -> int:
    for s in range(level.shape[0]):
        found[s] = level[s]
        ways[s] = U64(0)
        table[_find(level[s], found, s, table)] = s
    return len(level)


@compiled
def _expand(
    level: Words,
    back: Words,
    near: Ints,
    bits: int,
    found: Words,
    ways: Words,
    table: npt.NDArray[np.int32],
    size: int,
) -> int:
    """Put the children of a level into the set, with their ways back; the new size of the set."""
    share = 64 // bits
    tiles = np.empty(near.shape[0], np.int64)
    child = np.empty(level.shape[1], U64)
    for s in range(level.shape[0]):
        blank = _unpack(level[s], bits, tiles)
        for way in range(near.shape[1]):
            cell = near[blank, way]
            if cell < 0 or back[s] & (ONE << U64(way)):
                continue
            tile = tiles[cell]
            child[:] = level[s]
            child[tile // share] ^= U64(cell ^ blank) << U64(bits * (tile % share))
            slot = _find(child, found, size, table)
            if table[slot] < 0:
                table[slot] = size
                found[size] = child
                ways[size] = U64(0)
                size += 1
            reverse = 0
            while near[cell, reverse] != blank:
                reverse += 1
            ways[table[slot]] |= ONE << U64(reverse)
    return size
