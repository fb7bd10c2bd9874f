"""The short way for the commonest line of a long list: plain numbers that fill a square."""

from __future__ import annotations

import re
from math import isqrt

from taquin.board import Board
from taquin.errors import InvalidState
from taquin.notation.labels import faults
from taquin.notation.model import Reading, counted, size
from taquin.state import State

_PLAIN = re.compile(r"[ \t]*[0-9]{1,9}(?:[ \t]+[0-9]{1,9}){3,}[ \t]*\Z")


class PlainLines:
    """Reads lines of plain numbers, and remembers the boards that they fill.

    It answers as `read_text` does, or not at all: whatever needs thought is left to that.
    """

    def __init__(self, board: Board | None) -> None:
        self.board = board
        self.squares: dict[int, Board] = {}

    def read(self, line: tuple[int, str]) -> Reading | InvalidState | None:
        """Return the board of a line, the error of one with wrong labels, or None."""
        at, text = line
        if len(text) > 10_000 or not _PLAIN.match(text):
            return None
        values = list(map(int, text.split()))
        n = len(values)
        if (isqrt(n) ** 2 != n) if self.board is None else (self.board.n != n):
            return None
        different = len(set(values)) == n
        least, most = min(values), max(values)
        if different and least == 0 and most == n - 1:
            return self._reading(values, at)
        if different or 2 * len(set(values)) < n or most > 10 * n:
            return None  # the greatest label may be the blank
        return InvalidState(f"line {at}: {faults(list(values))}")

    def _reading(self, values: list[int], at: int) -> Reading:
        n = len(values)
        side = isqrt(n)
        notes: tuple[str, ...] = ()
        board = self.board
        if board is None:
            board = self.squares.get(n) or self.squares.setdefault(n, Board.grid(side, side))
            notes = (f"the size {size((side, side))} is deduced from {counted(n)}",)
        return Reading(
            State.trusted(tuple(values), board, values.index(0)), None, "line", notes, at
        )
