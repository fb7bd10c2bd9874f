"""Boards as text: ``3x3``, ``4x4:torus``, ``3x5:wrap1``, ``walls:..#|...``, ``graph:0-1,1-2``."""

from __future__ import annotations

from collections.abc import Iterable

from taquin.board.base import Board
from taquin.errors import InvalidBoard, quote


def parse_board(parts: list[str]) -> tuple[Board, list[str]]:
    """Read a board from the first of the colon-separated `parts`; return it and the other parts."""
    head, rest = parts[0].strip().lower(), list(parts[1:])
    if head in ("walls", "graph") and rest:
        body = rest.pop(0)
        return (Board.draw(body) if head == "walls" else _parse_graph(body)), rest
    try:
        shape = [int(length) for length in head.replace("×", "x").split("x")]
    except ValueError:
        raise InvalidBoard(
            f"cannot read the board {quote(':'.join(parts))}: expected a size such as 4x4 or 3x3x3,"
            " 'walls:' with a drawing, or 'graph:' with edges such as 0-1,1-2"
        ) from None
    wrap: Iterable[int] = ()
    if rest and rest[0].strip().lower() == "torus":
        wrap, rest = range(len(shape)), rest[1:]
    elif rest and rest[0].strip().lower().startswith("wrap"):
        axes = rest.pop(0).strip()[4:]
        try:
            wrap = [int(axis) for axis in axes.split(",")]
        except ValueError:
            raise InvalidBoard(
                f"'wrap' needs numbers of axes, such as wrap0,1; got {quote(axes)}"
            ) from None
    return Board.grid(*shape, wrap=wrap), rest


def _parse_graph(text: str) -> Board:
    if text.strip() == "1":
        return Board.from_edges([], 1)
    try:
        edges = [tuple(map(int, pair.split("-"))) for pair in text.split(",")]
    except ValueError:
        raise InvalidBoard(
            f"cannot read the edges {quote(text)}: expected pairs such as 0-1,1-2,2-0"
        ) from None
    return Board.from_edges(edges)
