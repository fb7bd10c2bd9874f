"""Boards as text: frames of Unicode lines, or of plain ASCII.

`taquin.notation` reads the frames of grids back (`State.parse`).
"""

from __future__ import annotations

from collections.abc import Sequence

from taquin.board import GridBoard
from taquin.errors import Unsupported
from taquin.render.layout import layout
from taquin.state import State

#: Corners, crossings and lines: of the top, between rows, of the bottom; then the bar.
UNICODE = ("┌┬┐", "├┼┤", "└┴┘", "─", "│")
ASCII = ("+++", "+++", "+++", "-", "|")


def framed(state: State, *, unicode: bool = True) -> str:
    """Draw a grid of two axes with a frame round each tile, or its layers one below the other.

    Raises
    ------
    Unsupported
        For boards that are no grids.

    Examples
    --------
    >>> from taquin.board import Board
    >>> print(framed(State([1, 2, 3, 4, 5, 0], Board.grid(2, 3))))
    ┌───┬───┬───┐
    │ 1 │ 2 │ 3 │
    ├───┼───┼───┤
    │ 4 │ 5 │   │
    └───┴───┴───┘
    """
    board = state.board
    if not isinstance(board, GridBoard):
        raise Unsupported(f"frames are drawn round grids; {board.spec} is none: use 'plain'")
    width = len(str(board.n - 1))
    columns = board.shape[-1]
    rows = board.shape[-2] if len(board.shape) > 1 else 1
    marks = ["" if tile == 0 else str(tile) for tile in state.tiles]
    lines = [marks[first : first + columns] for first in range(0, board.n, columns)]
    layers = [lines[first : first + rows] for first in range(0, len(lines), rows)]
    return "\n\n".join(_layer(layer, width, unicode) for layer in layers)


def _layer(rows: Sequence[Sequence[str]], width: int, unicode: bool) -> str:
    top, middle, bottom, line, bar = UNICODE if unicode else ASCII
    cell = line * (width + 2)

    def rule(marks: str) -> str:
        return marks[0] + marks[1].join([cell] * len(rows[0])) + marks[2]

    drawn = [bar + bar.join(f" {mark:>{width}} " for mark in row) + bar for row in rows]
    return "\n".join([rule(top), f"\n{rule(middle)}\n".join(drawn), rule(bottom)])


def plain(state: State) -> str:
    """Draw any board where `taquin.render.layout` puts it, without frames; ``.`` is the blank.

    >>> from taquin.board import Board
    >>> print(plain(State([1, 0, 2, 3, 4], Board.draw("..|.#|.."))))
    1  .
    2  #
    3  4
    """
    drawn = layout(state.board)
    width = max(len(str(state.board.n - 1)), 1) + 2
    rows = max(1, round(drawn.height))
    lines: list[dict[int, str]] = [{} for _ in range(rows)]
    marks = [*zip(drawn.places, state, strict=True), *((place, "#") for place in drawn.blocks)]
    for (x, y), mark in marks:
        row = lines[min(rows - 1, round(y))]
        column = round(x * width)
        while column in row:  # cells of a graph may lie close to each other
            column += 1
        row[column] = str(mark or ".")
    return "\n".join(_spaced(row) for row in lines)


def _spaced(row: dict[int, str]) -> str:
    text = ""
    for column, mark in sorted(row.items()):
        text = text.ljust(column) if len(text) < column else text + " " * bool(text)
        text += mark
    return text
