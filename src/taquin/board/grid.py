"""Grids of any number of axes, each of which may wrap around."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from taquin.board.base import DIRECTIONS, MAX_CELLS, Board, Move, whole_number
from taquin.errors import InvalidBoard

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class GridBoard(Board):
    """A grid of any number of axes, each of which may wrap around; see `Board.grid`."""

    shape: tuple[int, ...]

    def __init__(self, shape: Sequence[int], wrap: Iterable[int] = ()) -> None:
        try:
            self.shape = tuple(whole_number(length) for length in shape)
            axes = sorted({whole_number(axis) for axis in wrap})
        except TypeError as error:
            raise InvalidBoard(f"lengths and axes are whole numbers: {error}") from None
        if not self.shape or min(self.shape) < 1:
            raise InvalidBoard(
                f"a grid needs one or more lengths of at least 1, such as 4x4; got"
                f" {'x'.join(map(str, self.shape)) or 'none'}"
            )
        self.n = prod(self.shape)
        if self.n > MAX_CELLS:
            raise InvalidBoard(f"a board of {self.n:,} cells is too large: {MAX_CELLS:,} at most")
        if axes and not 0 <= axes[0] <= axes[-1] < len(self.shape):
            raise InvalidBoard(
                f"cannot wrap axes {axes}: this board has the axes 0 to {len(self.shape) - 1}"
            )
        # A ring of one or two cells has the same neighbours as a line.
        self.wrap = tuple(axis for axis in axes if self.shape[axis] > 2)
        self.strides = tuple(prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))
        named = [letter for letter, back, _ in DIRECTIONS if back <= len(self.shape)]
        self.directions = "".join(named) if len(self.shape) <= 3 else ""
        self._ways = self._make_ways()
        self._seal()

    def _make_ways(self) -> tuple[tuple[str, int, int], ...]:
        """(letter, axis, step) in the order of the neighbours; axes beyond three have no letter."""
        axes = len(self.shape)
        named = [(letter, axes - back, step) for letter, back, step in DIRECTIONS if back <= axes]
        more = [("", axis, step) for axis in range(axes - 4, -1, -1) for step in (-1, 1)]
        return tuple(named + more)

    def _moves(self, cell: int) -> tuple[Move, ...]:
        place = self.coordinates(cell)
        found: dict[int, str] = {}
        for letter, axis, step in self._ways:
            length, here = self.shape[axis], place[axis]
            there = here + step
            if not 0 <= there < length:
                if axis not in self.wrap:
                    continue
                there %= length
            to = cell + (there - here) * self.strides[axis]
            found.setdefault(to, letter if self.directions else str(to))
        return tuple((letter, to) for to, letter in found.items())

    @property
    def spec(self) -> str:
        size = "x".join(map(str, self.shape))
        if not self.wrap:
            return size
        if self.wrap == tuple(axis for axis, length in enumerate(self.shape) if length > 2):
            return size + ":torus"
        return size + ":wrap" + ",".join(map(str, self.wrap))

    @property
    def _key(self) -> tuple[object, ...]:
        return "grid", self.shape, self.wrap

    def __repr__(self) -> str:
        wrap = f", wrap={self.wrap}" if self.wrap else ""
        return f"Board.grid({', '.join(map(str, self.shape))}{wrap})"

    @cached_property
    def colours(self) -> Sequence[int] | None:
        if any(self.shape[axis] % 2 for axis in self.wrap):
            return None
        row = bytes([0, 1]) * ((self.shape[-1] + 1) // 2)
        row = row[: self.shape[-1]]
        for length in reversed(self.shape[:-1]):
            other = row.translate(bytes([1, 0]) + bytes(254))
            row = ((row + other) * ((length + 1) // 2))[: length * len(row)]
        return row

    def coordinates(self, cell: int) -> tuple[int, ...]:
        return tuple(
            cell // stride % length for stride, length in zip(self.strides, self.shape, strict=True)
        )

    def cell(self, *place: int) -> int:
        """Return the cell at the given place, one number an axis."""
        return sum(at * stride for at, stride in zip(place, self.strides, strict=True))

    def distance(self, start: int, end: int) -> int:
        gaps = map(abs, self._gaps(start, end))
        return sum(
            min(gap, self.shape[axis] - gap) if axis in self.wrap else gap
            for axis, gap in enumerate(gaps)
        )

    def _gaps(self, start: int, end: int) -> list[int]:
        return [b - a for a, b in zip(self.coordinates(start), self.coordinates(end), strict=True)]

    def path(self, start: int, end: int) -> list[int]:
        """Walk axis by axis, the first axis first."""
        walk, cell = [], start
        for axis, gap in enumerate(self._gaps(start, end)):
            length, stride = self.shape[axis], self.strides[axis]
            if axis in self.wrap and 2 * abs(gap) > length:
                gap -= length if gap > 0 else -length
            for _ in range(abs(gap)):
                at = cell // stride % length
                cell += ((at + (1 if gap > 0 else -1)) % length - at) * stride
                walk.append(cell)
        return walk

    def csr(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        cells = np.arange(self.n, dtype=np.int64)
        targets = np.full((self.n, len(self._ways)), -1, np.int64)
        for way, (_, axis, step) in enumerate(self._ways):
            length, stride = self.shape[axis], self.strides[axis]
            if length == 1:
                continue
            here = cells // stride % length
            there = here + step
            inside = (there >= 0) & (there < length)
            if axis in self.wrap:
                there, inside = there % length, np.ones(self.n, bool)
            targets[inside, way] = (cells + (there - here) * stride)[inside]
        exists = targets >= 0
        indptr = np.concatenate([[0], np.cumsum(exists.sum(axis=1))])
        return indptr.astype(np.int64), targets[exists]


def kind_of(board: Board, cell: int) -> str:
    """Return what a cell is on a grid: a corner, on an edge, ...; empty on other boards.

    >>> [kind_of(Board.grid(3, 3), cell) for cell in (0, 1, 4)]
    ['corner', 'edge', 'centre']
    """
    names = {
        1: ("end", "inside"),
        2: ("corner", "edge", "centre"),
        3: ("corner", "edge", "face", "centre"),
    }
    if not isinstance(board, GridBoard) or board.wrap or len(board.shape) not in names:
        return ""
    inside = sum(
        0 < at < length - 1 for at, length in zip(board.coordinates(cell), board.shape, strict=True)
    )
    return names[len(board.shape)][inside]


def open_axes(board: Board) -> int:
    """Return the number of axes of a box (a grid without wrap and walls), up to 3; 0: no box."""
    if not isinstance(board, GridBoard) or board.wrap or len(board.shape) > 3:
        return 0
    return len(board.shape)
