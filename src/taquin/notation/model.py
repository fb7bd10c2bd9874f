"""What the readers pass to each other, and what `read` returns.

::

    text --tokens--> Table (rows of marks) --layouts--> Layout (marks in reading order, a shape)
         --labels--> the labels of a state  --reading--> Reading
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from taquin.board import Board, GridBoard
from taquin.errors import ParseError
from taquin.state import State

#: One cell as it was written: a number, a word, or None / "" for an empty cell.
Mark = int | str | None

#: Stands for an empty cell in quotes, '' or ' ', while a text is cut at its blanks.
EMPTY = "\ue000"
PAIR_NOTE = "there are two boards: the second is taken as the goal"


@dataclass(frozen=True)
class Reading:
    """A board that was read, and what had to be assumed.

    Attributes
    ----------
    state : State
        The tiles on their board.
    goal : State or None
        The goal, when the text carries one.
    form : str
        The form that was recognised; a key of `FORMS`.
    notes : tuple of str
        What was assumed: a size that was deduced, the mark of the blank, shifted labels.
    line : int
        The line on which the board begins, counted from 1.
    """

    state: State
    goal: State | None = None
    form: str = ""
    notes: tuple[str, ...] = ()
    line: int = 1


@dataclass
class Table:
    """Rows of marks, and where they came from.

    Attributes
    ----------
    rows : list of list of Mark
        The marks of each row.
    lines : list of int
        The line of the text on which each row stands, counted from 1.
    breaks : list of int
        Rows before which there was a blank line or ``//``.
    raw : list of str
        The text of each row, for columns in messages; empty for large inputs.
    form : str
        How the rows were separated: "rows", "slash", "bars", "box", "prolog", "dashes", "walls".
    """

    rows: list[list[Mark]]
    lines: list[int]
    breaks: list[int] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    form: str = "rows"

    @cached_property
    def flat(self) -> list[Mark]:
        """All marks in reading order."""
        if len(self.rows) == 1:
            return self.rows[0]
        return [mark for row in self.rows for mark in row]

    def part(self, start: int, stop: int | None = None) -> Table:
        """Return the rows from `start` to `stop`, with their lines and breaks."""
        stop = len(self.rows) if stop is None else stop
        breaks = [b - start for b in self.breaks if start < b < stop]
        return Table(
            self.rows[start:stop], self.lines[start:stop], breaks, self.raw[start:stop], self.form
        )


@dataclass
class Layout:
    """One way to see a text as a board: marks in reading order, and what is known of the size.

    Attributes
    ----------
    shape : tuple of int or None
        The size that the writing shows; None if it must be deduced from the number of marks.
    board : Board or None
        The board itself, where the text gives more than a size (a torus, walls, a graph).
    goal : list of Mark or None
        The marks of the goal.
    rank : int
        0 for what the text says plainly; a greater rank is looked at only if no smaller one fits.
    table : Table or None
        Where the marks stand, for messages.
    fault : str
        What is wrong with the layout itself (a short row); it is then kept only for the message.
    column : bool
        Whether the marks stood one on a line.
    """

    form: str
    marks: list[Mark]
    shape: tuple[int, ...] | None = None
    board: Board | None = None
    goal: list[Mark] | None = None
    notes: tuple[str, ...] = ()
    rank: int = 0
    table: Table | None = None
    fault: str = ""
    column: bool = False


def size(shape: tuple[int, ...]) -> str:
    """Return a shape as text: ``4x4``."""
    return "x".join(map(str, shape))


def counted(n: int) -> str:
    """Return ``1 label``, ``9 labels``."""
    return f"{n:,} label" + ("s" if n != 1 else "")


def exploded(marks: list[Mark], limit: int = 400) -> list[Mark] | None:
    """Return the single characters of words of one length, ``123 456 780``; None if they differ."""
    if len(marks) > limit:
        return None
    words = [mark for mark in marks if isinstance(mark, str)]
    if not words or len(words) < len(marks) or len(words) * len(words[0]) > limit:
        return None
    length = len(words[0])
    if length < 2 or any(len(word) != length for word in words):
        return None
    return [sign for word in words for sign in word]


def turned(values: list[int], board: Board, form: str, back: bool = False) -> list[int]:
    """Turn labels in column-major order, or with the lowest row first, into reading order."""
    if not isinstance(board, GridBoard) or len(board.shape) not in (2, 3):
        raise ParseError(f"the form {form!r} needs a board of rows and columns, not {board.spec}")
    rows, columns = board.shape[-2:]
    order = []
    for layer in range(0, board.n, rows * columns):
        if form == "columns":
            order += [layer + r * columns + c for c in range(columns) for r in range(rows)]
        else:
            order += [
                layer + r * columns + c for r in reversed(range(rows)) for c in range(columns)
            ]
    if back:
        return [values[cell] for cell in order]
    result = [0] * board.n
    for value, cell in zip(values, order, strict=True):
        result[cell] = value
    return result
