"""Lines: the ways of the blank in one move, in either metric.

A *line* is the cells of one move, with the one it starts from: ``(8, 5)``, or ``(8, 5, 2)`` for a
slide of two tiles in the multi-tile metric.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from taquin.board.base import Board
from taquin.errors import Unsupported

Line = tuple[int, ...]


def slides(board: Board, cell: int, metric: str) -> Iterator[Line]:
    """Yield the line of each move of a blank on `cell`, in the order U L R D F B.

    In the multi-tile metric a line goes on to the border, to a wall, or once round a ring; shorter
    lines come first.

    Raises
    ------
    Unsupported
        For multi-tile moves on a board without directions.

    Examples
    --------
    >>> list(slides(Board.grid(3, 3), 8, "mtm"))
    [(8, 5), (8, 5, 2), (8, 7), (8, 7, 6)]
    """
    if metric == "mtm" and not board.directions:
        raise Unsupported(
            "multi-tile moves slide along a line, and this board has no directions: use the"
            " single-tile metric 'stm'"
        )
    for letter, to in board.moves(cell):
        line: Line = (cell, to)
        yield line
        while metric == "mtm":
            further = board.step(line[-1], letter)
            if further is None or further == cell:
                break
            line += (further,)
            yield line


def letters(board: Board, line: Line) -> tuple[str, ...] | Line:
    """Return the letters of a line, by which moves are ordered; cells where there are none.

    >>> letters(Board.grid(3, 3), (8, 5, 2))
    ('U', 'U')
    """
    if not board.directions:
        return line[1:]
    return tuple(
        next(letter for letter, to in board.moves(cell) if to == after)
        for cell, after in pairwise(line)
    )
