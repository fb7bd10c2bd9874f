"""Ways too long to be held: their letters, written while they are being constructed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from taquin.errors import Unsupported

if TYPE_CHECKING:
    from taquin.state import State

#: Boards of more cells have ways of a hundred million moves and more.
MOST_CELLS = 100_000


def streams(start: State, notation: str, method: str) -> bool:
    """Whether the way of a board is written while it is being made."""
    from taquin.board import open_axes

    board = start.board
    shape: tuple[int, ...] = getattr(board, "shape", ())
    return (
        board.n > MOST_CELLS
        and method in ("auto", "near", "construct")
        and notation in ("blank", "tile")
        and open_axes(board) == 2
        and min(shape) > 1
    )


def letters(start: State, goal: State, notation: str) -> Iterator[bytes]:
    """Yield the letters of a short way, in pieces.

    Raises
    ------
    Unsupported
        If the goal has equal labels.
    """
    from taquin.construct.greedy import pieces
    from taquin.near.frame import Frame
    from taquin.notation import write_moves

    frame = Frame.of(goal)
    if frame is None:
        raise Unsupported("boards of this size need a goal with different labels")
    # The turned board has some directions the other way round.
    ways = "UDLR" if notation == "blank" else "DURL"
    down, right = frame.turn[0] >= frame.columns, frame.turn[0] % frame.columns != 0
    table = bytearray(256)
    for code, letter in enumerate(ways[k ^ int(down if k < 2 else right)] for k in range(4)):
        table[code] = ord(letter)
    for piece in pieces(frame.homes(start), frame.rows, frame.columns):
        yield piece.tobytes().translate(table)
    if frame.back:
        # The state before the last steps: the goal, its blank walked back to the corner.
        corner = goal
        for cell in (*frame.back[-2::-1], int(frame.turn[0])):
            corner = corner.moved(cell)
        yield write_moves(corner, frame.back, notation).encode()
