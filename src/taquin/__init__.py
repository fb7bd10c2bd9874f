"""taquin: every question about sliding-tile puzzles, on any board.

>>> import taquin as tq
>>> p = tq.Puzzle.parse("3x3")
>>> p.solve("1 2 3 / 4 5 6 / 0 7 8").moves
'RR'
"""

from taquin.board import Board
from taquin.errors import (
    IllegalMove,
    InvalidBoard,
    InvalidState,
    LimitReached,
    ParseError,
    TableError,
    TaquinError,
    Unsolvable,
    Unsupported,
)
from taquin.puzzle import Puzzle
from taquin.search.result import AllSolutions, Solution, Stats
from taquin.solvability import Verdict, solvable_many
from taquin.state import State

__version__ = "0.1.0"

__all__ = [
    "AllSolutions",
    "Board",
    "IllegalMove",
    "InvalidBoard",
    "InvalidState",
    "LimitReached",
    "ParseError",
    "Puzzle",
    "Solution",
    "State",
    "Stats",
    "TableError",
    "TaquinError",
    "Unsolvable",
    "Unsupported",
    "Verdict",
    "solvable_many",
]
