"""Two-dimensional grids with walls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taquin.board.base import Board, Move
from taquin.errors import InvalidBoard

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class WallBoard(Board):
    """A two-dimensional grid with walls; see `Board.draw`."""

    shape: tuple[int, int]
    directions = "ULRD"

    def __init__(self, drawing: str) -> None:
        lines = drawing.replace("|", "\n").replace("/", "\n").splitlines()
        rows = [line.strip() for line in lines if line.strip()]
        if not any(set(row) - {"#"} for row in rows):
            raise InvalidBoard("a drawing needs at least one cell: '.' is a cell, '#' a wall")
        width = max(map(len, rows))
        self.rows = tuple(
            "".join("#" if mark == "#" else "." for mark in row.ljust(width, "#")) for row in rows
        )
        self.shape = len(rows), width
        marks = "".join(self.rows)
        self._place = [place for place, mark in enumerate(marks) if mark == "."]
        self._cell_at = {place: cell for cell, place in enumerate(self._place)}
        self.n = len(self._place)
        self._check_connected()
        self._seal()

    def _moves(self, cell: int) -> tuple[Move, ...]:
        (height, width), place = self.shape, self._place[cell]
        row, column = divmod(place, width)
        ways = (
            ("U", place - width, row > 0),
            ("L", place - 1, column > 0),
            ("R", place + 1, column < width - 1),
            ("D", place + width, row < height - 1),
        )
        number = self._cell_at
        return tuple((letter, number[to]) for letter, to, inside in ways if inside and to in number)

    @property
    def spec(self) -> str:
        return "walls:" + "|".join(self.rows)

    @property
    def _key(self) -> tuple[object, ...]:
        return "walls", self.rows

    def __repr__(self) -> str:
        return f"Board.draw({'|'.join(self.rows)!r})"

    def coordinates(self, cell: int) -> tuple[int, ...]:
        return divmod(self._place[cell], self.shape[1])

    def csr(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        height, width = self.shape
        numbers = np.full((height + 2, width + 2), -1, np.int64)  # a frame of walls all around
        inside = numbers[1:-1, 1:-1]
        drawing = np.frombuffer("".join(self.rows).encode(), np.uint8).reshape(self.shape)
        inside[drawing == ord(".")] = np.arange(self.n)
        ways = [numbers[:-2, 1:-1], numbers[1:-1, :-2], numbers[1:-1, 2:], numbers[2:, 1:-1]]
        targets = np.stack([way[inside >= 0] for way in ways], axis=1)  # U L R D
        exists = targets >= 0
        indptr = np.concatenate([[0], np.cumsum(exists.sum(axis=1))])
        return indptr.astype(np.int64), targets[exists]
