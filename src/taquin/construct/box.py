"""The construction on one box of cells: slab after slab is filled, and the last ring turned.

Tiles are known by their homes, as in `taquin.construct.kernels`, which holds the loops.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import product
from typing import Any

from taquin.construct.kernels import LADDER_STATES, USED, Work, compiled, peel, step
from taquin.construct.lines import around, ring_steps
from taquin.errors import LimitReached

# From this many steps of Manhattan distance on (about four times as many moves, a second of plain
# Python) the compiled loops are worth loading.
COMPILE_FROM = 40_000
# Longer walks stay arrays (4 bytes a move) instead of tuples of Python integers (up to 40).
TUPLE_UP_TO = 100_000
# A walk of more moves is not written down: 400 MB.
MAX_MOVES = 100_000_000

#: kind of stage, cells that are home after it, moves up to its end
Draft = tuple[str, tuple[int, ...], int]


class Builder:
    """A construction in the making: `round` if need be, then `build`.

    Parameters
    ----------
    shape : tuple of int
        Two or more axes of at least 2 cells.
    homes : list of int, shape (n,)
        The home of the tile on each cell; the blank has one, too.
    home : int
        The home of the blank.

    Attributes
    ----------
    length : int
        The number of moves so far.
    drafts : list of (kind, cells, end)
        The stages so far: their kind, the cells that they settle, the moves up to their end.
    """

    def __init__(self, shape: tuple[int, ...], homes: list[int], home: int) -> None:
        self.shape, self.home = shape, home
        self.strides = [1] * len(shape)
        for axis in range(len(shape) - 1, 0, -1):
            self.strides[axis - 1] = self.strides[axis] * shape[axis]
        self.low, self.high = [0] * len(shape), list(shape)
        self.parts: list[Any] = []
        self.length = 0
        self.drafts: list[Draft] = []
        self._allocate(homes)

    def _allocate(self, homes: list[int]) -> None:
        """Lay out lists for a small board, arrays for a large one. Memory: O(n)."""
        n, shape = len(homes), self.shape
        rows = [
            [cell // stride % length for cell in range(n)]
            for stride, length in zip(self.strides, shape, strict=True)
        ]
        distance = sum(
            abs(row[home] - here)
            for row in rows
            for home, here in zip(homes, row, strict=True)
            if home != self.home
        )
        if distance > MAX_MOVES:
            raise _too_long()
        place = [number for numbers in zip(*rows, strict=True) for number in numbers]
        at = [0] * n
        for cell, tile in enumerate(homes):
            at[tile] = cell
        scratch = [0] * max(n, LADDER_STATES)
        lists = shape, self.strides, place, homes, at, [0] * n, *[scratch] * 3, [0, 0, self.home]
        # The blank comes to a tile within the length of all axes and a detour; each of the tile's
        # steps, at most as many, takes 5 moves, or 7 in a corner.
        room = (8 * sum(shape) + 100) * (n // max(shape) + 4)
        self._array: Any = list
        self._loops: Any = peel
        walk: Any = [0] * room
        if distance >= COMPILE_FROM:
            import numpy as np

            self._array = lambda numbers: np.array(numbers, np.int64)
            self._loops = compiled()
            walk = np.zeros(room, np.intc)
        self.work = Work._make([*map(self._array, lists), walk])

    def build(self) -> None:
        """Fill slab after slab until four cells remain, and turn these."""
        while True:
            sizes = [high - low for low, high in zip(self.low, self.high, strict=True)]
            wide = [axis for axis, size in enumerate(sizes) if size > 1]
            if len(wide) == 2 and max(sizes) == 2:
                break
            self._fill(max(wide, key=lambda axis: sizes[axis]), wide)
        self._turn_last_ring(*wide)

    def round(self, walk: list[int]) -> None:
        """Begin with a walk round an odd ring."""
        self._go(walk)
        self.drafts.append(("round", (), self.length))

    def walk(self) -> tuple[int, ...] | array[int]:
        """Return the whole walk."""
        whole = array("i")
        for part in self.parts:
            if isinstance(part, list):
                whole.extend(part)
            else:
                whole.frombytes(part.tobytes())
        return tuple(whole) if len(whole) <= TUPLE_UP_TO else whole

    def _fill(self, axis: int, wide: list[int]) -> None:
        """Fill one of the two outer slabs across `axis`: one without the blank's home."""
        at = self.home // self.strides[axis] % self.shape[axis]
        ranges = [range(low, high) for low, high in zip(self.low, self.high, strict=True)]
        if at > self.low[axis]:
            ranges[axis], inward = ranges[axis][:1], self.strides[axis]
            self.low[axis] += 1
        else:
            ranges[axis], inward = ranges[axis][-1:], -self.strides[axis]
            self.high[axis] -= 1
        cells = [
            sum(number * stride for number, stride in zip(place, self.strides, strict=True))
            for place in product(*ranges)
        ]
        self._peel(cells, self._ladder(cells[-2:], inward, axis, wide))

    def _ladder(self, top: list[int], inward: int, axis: int, wide: list[int]) -> list[int]:
        """Return the rung `top` and two free rungs below it, the last one aside if need be."""
        below = [cell + inward for cell in top]
        further = inward
        if self.high[axis] - self.low[axis] == 1:
            along = top[1] - top[0]
            aside = next(a for a in wide if a != axis and self.strides[a] != along)
            at = top[0] // self.strides[aside] % self.shape[aside]
            further = self.strides[aside] * (1 if at + 1 < self.high[aside] else -1)
        return top + below + [cell + further for cell in below]

    def _peel(self, cells: list[int], ladder: list[int]) -> None:
        ends = self._array([0] * (len(cells) - 1))
        self._loops(self.work, self._array(cells[:-2]), self._array(ladder), ends)
        for cell, end in zip(cells, ends[:-1], strict=False):
            self.drafts.append(("tile", (cell,), self.length + int(end)))
        self.drafts.append(("pair", tuple(cells[-2:]), self.length + int(ends[-1])))
        self._keep()

    def _turn_last_ring(self, one: int, other: int) -> None:
        corner = sum(low * stride for low, stride in zip(self.low, self.strides, strict=True))
        a, b = self.strides[one], self.strides[other]
        cells = [corner, corner + b, corner + a + b, corner + a]
        tiles = [int(self.work.tiles[cell]) for cell in cells]
        steps = ring_steps(tiles, cells, self.home)
        assert steps is not None, "the parity was checked before"
        self._go(around(cells, tiles.index(self.home), steps))
        rest = tuple(sorted(cell for cell in cells if cell != self.home))
        self.drafts.append(("ring", rest, self.length))

    def _go(self, walk: Iterable[int]) -> None:
        for cell in walk:
            step(self.work, cell)
        self._keep()

    def _keep(self) -> None:
        """Take what the loops have written, and let them begin anew."""
        used = int(self.work.count[USED])
        self.work.count[USED] = 0
        self.parts.append(self.work.walk[:used].copy())
        self.length += used
        if self.length > MAX_MOVES:
            raise _too_long()


def _too_long() -> LimitReached:
    return LimitReached(
        f"the way has more than {MAX_MOVES:,} moves, which are not written down: the board may"
        " well be solvable; take a smaller one"
    )
