"""taquin: every question about sliding-tile puzzles, on any board.

>>> import taquin as tq
>>> p = tq.Puzzle.parse("3x3")
>>> p.solve("1 2 3 / 4 5 6 / 0 7 8").moves
'RR'
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` would be loaded at once
if TYPE_CHECKING:
    from typing import Any

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

#: module -> what it gives to this one: loaded when it is asked for, so that the command is safe
#: from an interruption, and quick, from its first moment.
_ORIGINS = {
    "taquin.board": ("Board",),
    "taquin.errors": (
        "IllegalMove",
        "InvalidBoard",
        "InvalidState",
        "LimitReached",
        "ParseError",
        "TableError",
        "TaquinError",
        "Unsolvable",
        "Unsupported",
    ),
    "taquin.puzzle": ("Puzzle",),
    "taquin.search.result": ("AllSolutions", "Solution", "Stats"),
    "taquin.solvability": ("Verdict", "solvable_many"),
    "taquin.state": ("State",),
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for origin, names in _ORIGINS.items():
        if name in names:
            found = globals()[name] = getattr(import_module(origin), name)
            return found
    raise AttributeError(f"module 'taquin' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
