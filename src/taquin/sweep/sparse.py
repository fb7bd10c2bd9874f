"""The first levels of boards too big to hold: one level of states at a time, in a hash set.

A state is the cells of its tiles, packed into 64-bit words; the blank is on the cell that is left.
Beside each state lies a bit for every way that leads back to the level before (Korf, Zhang, Thayer
and Hohwald 2005, frontier search): those ways are not taken, so the level before need not be kept.
Where a way may also lead to the present level (without colours, and in multi-tile moves) that level
is put into the set first.

A *way* is the cells that the blank visits in one move: one cell, or a segment of a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from taquin.sweep.cohorts import Neighbours, colours
from taquin.sweep.compiled import compiled, popcount
from taquin.sweep.passes import Lines

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Table = npt.NDArray[np.int32] | npt.NDArray[np.int64]
Way = tuple[int, ...]
U64 = np.uint64
ONE = U64(1)
#: Ways from a cell, each with a bit of its own.
MOST_WAYS = 64
#: States between two looks at `stop`: some milliseconds.
SLICE = 1 << 14
#: More states have numbers that a table of 32-bit integers does not hold.
MOST_NARROW = 1 << 31


@dataclass(frozen=True)
class Layer:
    """The states of one depth of a frontier search, numbered in the order they were met.

    Attributes
    ----------
    depth : int
    words : (size, words a state) uint64
        The cells of the tiles, packed; tiles in the order of their goal cells.
    n : the board's cells
    """

    depth: int
    words: Words
    n: int

    @property
    def size(self) -> int:
        """The states of the layer."""
        return len(self.words)

    def pick(self, numbers: npt.ArrayLike) -> tuple[Ints, Ints]:
        """The states with the given numbers: the cells of their tiles (B, n - 1), and blanks (B,).

        Raises
        ------
        IndexError
            If a number is out of range.
        """
        numbers = np.asarray(numbers, np.int64)
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < self.size:
            raise IndexError(f"states of this layer have the numbers 0 to {self.size - 1}")
        chosen = self.words[numbers]
        cells = np.empty((len(chosen), self.n - 1), np.int64)
        blanks = np.empty(len(chosen), np.int64)
        _unpack_all(chosen, _bits(self.n), cells, blanks)
        return cells, blanks


@dataclass(frozen=True)
class Frontier:
    """What a frontier search found.

    Attributes
    ----------
    counts : states at depth 0, 1, ...
    ended : why it went no further
        ``"depth"``: the depth asked for; ``"space"``: there are no more states; ``"memory"``: the
        next level might not have fitted; ``"stop"``.
    """

    counts: list[int]
    ended: Literal["depth", "space", "memory", "stop"]


class _Stopped(Exception):
    """The search was stopped within a level."""


@dataclass(frozen=True)
class _Ways:
    """The ways of the blank as arrays, padded with -1; way w back from its end is reverse[x, w]."""

    cells: Ints
    reverse: Ints
    per_cell: Ints


def ways_of(neighbours: Neighbours, lines: Lines | None = None) -> list[list[Way]]:
    """The ways of a blank on each cell: to its neighbours, or along the lines."""
    if lines is None:
        return [[(y,) for y in cells] for cells in neighbours]
    found: list[list[Way]] = []
    for start in range(len(neighbours)):
        ways: dict[Way, None] = {}  # on a ring of two cells both directions are one way
        for line in lines:
            way: Way = ()
            cell = line[start]
            while cell not in (-1, start):
                way += (cell,)
                ways[way] = None
                cell = line[cell]
        found.append(list(ways))
    return found


def frontier_search(
    neighbours: Neighbours,
    blank: int,
    to_depth: int,
    *,
    lines: Lines | None = None,
    memory_limit: int | None = None,
    on_level: Callable[[Layer], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Frontier:
    """Count the states at depth 0 .. to_depth of the whole puzzle.

    Takes some 50 bytes a state of the last two levels, and some 3 million states a second.

    Parameters
    ----------
    blank : the blank's goal cell
    lines : for multi-tile moves, as in `sweep`
    memory_limit : bytes; the counts end before the first level that might need more
    on_level : called after every level, the goal's included
    stop : asked every few thousand states; the level under way is lost where it says True

    Raises
    ------
    ValueError
        If there are more than `MOST_WAYS` ways from a cell.
    """
    n = len(neighbours)
    ways = ways_of(neighbours, lines)
    if max(map(len, ways), default=0) > MOST_WAYS:
        raise ValueError(f"a frontier search takes at most {MOST_WAYS} ways from a cell")
    tiles = np.array([cell for cell in range(n) if cell != blank], np.int64)
    level = np.zeros((1, -(-tiles.size // (64 // _bits(n)))), U64)
    _pack(tiles, _bits(n), level[0])
    search = _Search(
        n, _as_arrays(ways), lines is not None or colours(neighbours) is None, memory_limit, stop
    )
    counts: list[int] = []
    ended: Literal["depth", "space", "memory", "stop"] = "depth"
    back = np.zeros(1, U64)
    try:
        while True:
            counts.append(len(level))
            if on_level is not None:
                on_level(Layer(len(counts) - 1, level, n))
            if len(counts) > to_depth:
                break
            level, back = search.next_level(level, back)
            if not len(level):
                ended = "space"
                break
    except MemoryError:
        ended = "memory"
    except _Stopped:
        ended = "stop"
    return Frontier(counts, ended)


@dataclass(frozen=True)
class _Search:
    """What stays the same from level to level."""

    n: int
    ways: _Ways
    same: bool
    memory_limit: int | None
    stop: Callable[[], bool]

    def next_level(self, level: Words, back: Words) -> tuple[Words, Words]:
        """The next level and its ways back; MemoryError if it might not fit."""
        bits, ways = _bits(self.n), self.ways
        children = sum(
            int(_count_children(level[part], back[part], ways.per_cell, bits))
            for part in self.slices(level)
        )
        room = children + (len(level) if self.same else 0)
        slots = 1 << max(4, (3 * room // 2).bit_length())
        numbers = np.dtype(np.int32 if room < MOST_NARROW else np.int64)
        needed = (room + len(level)) * (level.itemsize * level.shape[1] + 8)
        if self.memory_limit is not None and needed + numbers.itemsize * slots > self.memory_limit:
            raise MemoryError
        found, found_back = np.empty((room, level.shape[1]), U64), np.empty(room, U64)
        table = np.full(slots, -1, numbers)
        first = 0
        if self.same:
            for part in self.slices(level):
                first = _insert(level[part], found, found_back, table, first)
        size = first
        for part in self.slices(level):
            size = _expand(
                level[part],
                back[part],
                ways.cells,
                ways.reverse,
                bits,
                found,
                found_back,
                table,
                size,
            )
        return found[first:size], found_back[first:size]

    def slices(self, level: Words) -> Iterator[slice]:
        """Parts of a level, with a look at `stop` before each."""
        for start in range(0, len(level), SLICE):
            if self.stop():
                raise _Stopped
            yield slice(start, start + SLICE)


def _bits(n: int) -> int:
    """Bits for the number of a cell."""
    return max(1, (n - 1).bit_length())


def _as_arrays(ways: Sequence[Sequence[Way]]) -> _Ways:
    most = max(1, *map(len, ways))
    longest = max((len(way) for here in ways for way in here), default=1)
    cells = np.full((len(ways), most, longest), -1, np.int64)
    reverse = np.zeros((len(ways), most), np.int64)
    number = [{way: i for i, way in enumerate(here)} for here in ways]
    for x, here in enumerate(ways):
        for i, way in enumerate(here):
            cells[x, i, : len(way)] = way
            reverse[x, i] = number[way[-1]][(*way[-2::-1], x)]
    return _Ways(cells, reverse, np.array([len(here) for here in ways], np.int64))


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
def _unpack_all(states: Words, bits: int, cells: Ints, blanks: Ints) -> None:
    """The cells of all tiles, tile by tile, and the blank's."""
    tiles = np.empty(cells.shape[1] + 1, np.int64)
    for s in range(states.shape[0]):
        blanks[s] = _unpack(states[s], bits, tiles)
        for cell in range(tiles.size):
            if cell != blanks[s]:
                cells[s, tiles[cell]] = cell


@compiled
def _count_children(level: Words, back: Words, per_cell: Ints, bits: int) -> Any:
    """Ways that lead on from the states of a level."""
    tiles = np.empty(per_cell.size, np.int64)
    total: Any = 0
    for s in range(level.shape[0]):
        blank = _unpack(level[s], bits, tiles)
        total += per_cell[blank] - np.int64(popcount(back[s]))
    return total


@compiled
def _find(state: Words, found: Words, size: int, table: Table) -> Any:
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
def _insert(level: Words, found: Words, back: Words, table: Table, size: int) -> int:
    """Put states into the set that are not in it; the new size of the set."""
    for s in range(level.shape[0]):
        found[size] = level[s]
        back[size] = U64(0)
        table[_find(level[s], found, size, table)] = size
        size += 1
    return size


@compiled
def _expand(
    level: Words,
    back: Words,
    ways: Ints,
    reverse: Ints,
    bits: int,
    found: Words,
    found_back: Words,
    table: Table,
    size: int,
) -> int:
    """Put the children of a level into the set, with their ways back; the new size of the set."""
    share = 64 // bits
    tiles = np.empty(ways.shape[0], np.int64)
    child = np.empty(level.shape[1], U64)
    for s in range(level.shape[0]):
        blank = _unpack(level[s], bits, tiles)
        for way in range(ways.shape[1]):
            if ways[blank, way, 0] < 0:
                break
            if back[s] & (ONE << U64(way)):
                continue
            child[:] = level[s]
            hole = blank
            for cell in ways[blank, way]:
                if cell < 0:
                    break
                tile = tiles[cell]
                child[tile // share] ^= U64(cell ^ hole) << U64(bits * (tile % share))
                hole = cell
            slot = _find(child, found, size, table)
            if table[slot] < 0:
                table[slot] = size
                found[size] = child
                found_back[size] = U64(0)
                size += 1
            found_back[table[slot]] |= ONE << U64(reverse[blank, way])
    return size
