"""Boards: the graph of cells on which tiles slide.

Cells are the integers 0..n-1 in reading order, the last axis fastest. A board is a grid of any
number of axes (each may wrap around), a drawing with walls, or any connected graph. The
neighbours of a cell come in the order U L R D F B::

                 U                      F: to the layer before (smaller number)
                 |                      B: to the layer behind (larger number)
            L -- + -- R
                 |                      letters name the way the BLANK goes
                 D

Boards are immutable. Everything is computed from coordinates when asked for, so that a board of
a million cells costs nothing to make; whole tables come as NumPy arrays (`Board.csr`).
"""

from taquin.board.base import DIRECTIONS, OPPOSITE, Board, Move
from taquin.board.graph import GraphBoard
from taquin.board.grid import GridBoard, kind_of, open_axes
from taquin.board.spec import parse_board
from taquin.board.walls import WallBoard

__all__ = [
    "DIRECTIONS",
    "OPPOSITE",
    "Board",
    "GraphBoard",
    "GridBoard",
    "Move",
    "WallBoard",
    "kind_of",
    "open_axes",
    "parse_board",
]
