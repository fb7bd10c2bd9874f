"""Any goal of a rectangle as the one that the searches by stages know: the blank's in the corner.

The board is turned (rows and columns from the other side) so that the corner nearest to the goal's
blank is the first cell. If the blank's goal is no corner, the way leads to the goal with the blank
walked to that corner, and from there to the goal by the same walk back.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from taquin.board import GridBoard, open_axes
from taquin.state import State


@dataclass(frozen=True)
class Frame:
    """A goal of a rectangle, turned.

    Attributes
    ----------
    rows, columns : int
    turn : (n,) int64
        turn[cell of the goal's board] = cell of the turned one; it undoes itself.
    back : tuple of int
        The blank's cells from the corner to its goal.
    """

    goal: State
    rows: int
    columns: int
    turn: npt.NDArray[np.int64]
    back: tuple[int, ...]
    home: npt.NDArray[np.int64]

    @classmethod
    def of(cls, goal: State) -> Frame | None:
        """Return the frame of a goal; None if its board is no rectangle or its labels repeat."""
        board = goal.board
        if open_axes(board) != 2 or goal.repeats:
            return None
        assert isinstance(board, GridBoard)
        rows, columns = board.shape
        row, column = divmod(goal.blank, columns)
        down, right = 2 * row >= rows, 2 * column >= columns
        cells = np.arange(board.n).reshape(rows, columns)
        turn = cells[:: -1 if down else 1, :: -1 if right else 1].reshape(-1).copy()
        corner = int(turn[0])
        walk = [goal.blank, *board.path(goal.blank, corner)]
        tiles = list(goal.tiles)
        for cell, to in pairwise(walk):
            tiles[cell], tiles[to] = tiles[to], 0
        home = np.empty(board.n, np.int64)
        home[tiles] = turn
        return cls(goal, rows, columns, turn, tuple(reversed(walk))[1:], home)

    def homes(self, start: State) -> npt.NDArray[np.int64]:
        """Return a start as the searches by stages take it: the goal cell of what lies on each."""
        homes = np.empty(start.board.n, np.int64)
        homes[self.turn] = self.home[list(start.tiles)]
        return homes

    def walk(self, path: npt.NDArray[np.integer]) -> tuple[int, ...]:
        """Return a path of the turned board as cells of the goal's board, up to the goal."""
        return (*self.turn[path].tolist(), *self.back)

    def path(self, walk: tuple[int, ...]) -> npt.NDArray[np.int32]:
        """Return a walk to the goal as a path of the turned board to the corner."""
        there = (*self.back[-2::-1], int(self.turn[0])) if self.back else ()
        return self.turn[[*walk, *there]].astype(np.int32)
