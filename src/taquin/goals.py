"""The usual goals, by name.

On a 4 x 4 board::

    blank-last    blank-first   spiral        snake         columns       reversed
     1  2  3  4    .  1  2  3    1  2  3  4    1  2  3  4    1  5  9 13   15 14 13 12
     5  6  7  8    4  5  6  7   12 13 14  5    8  7  6  5    2  6 10 14   11 10  9  8
     9 10 11 12    8  9 10 11   11  . 15  6    9 10 11 12    3  7 11 15    7  6  5  4
    13 14 15  .   12 13 14 15   10  9  8  7    . 15 14 13    4  8 12  .    3  2  1  .

A goal is an order in which the cells receive 1, 2, ... and, last of all, the blank (first of all,
in *blank-first*). A new goal is one function here and one line in `GOALS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from taquin.board import Board, GridBoard
from taquin.errors import Unsupported, quote
from taquin.state import State


def blank_last(board: Board) -> Sequence[int]:
    """Tiles in reading order, the blank on the last cell."""
    return range(board.n)


def blank_first(board: Board) -> Sequence[int]:
    """The blank on cell 0, then the tiles in reading order: tile t lies on cell t."""
    return [*range(1, board.n), 0]


def spiral(board: Board) -> Sequence[int] | None:
    """Clockwise from the first corner inwards; the blank in the middle. On 3 x 3: the ring."""
    rows = _rows(board)
    if not rows:
        return None
    width = len(rows[0])
    top, bottom, left, right = 0, len(rows) - 1, 0, width - 1
    order: list[int] = []
    while top <= bottom and left <= right:
        order += rows[top][left : right + 1]
        order += [row[right] for row in rows[top + 1 : bottom + 1]]
        if top < bottom:
            order += rows[bottom][left:right][::-1]
        if left < right:
            order += [row[left] for row in rows[top + 1 : bottom]][::-1]
        top, bottom, left, right = top + 1, bottom - 1, left + 1, right - 1
    return order


def snake(board: Board) -> Sequence[int] | None:
    """Row by row, every second row from right to left."""
    rows = _rows(board)
    return [c for i, row in enumerate(rows) for c in (row[::-1] if i % 2 else row)] or None


def columns(board: Board) -> Sequence[int] | None:
    """Column by column (the first axis fastest): the transposed board."""
    if not isinstance(board, GridBoard) or len(board.shape) < 2:
        return None
    order = [0]
    for length, stride in zip(board.shape, board.strides, strict=True):
        order = [cell + at * stride for at in range(length) for cell in order]
    return order


def reversed_labels(board: Board) -> Sequence[int]:
    """The labels falling in reading order, the blank on the last cell."""
    return [*range(board.n - 2, -1, -1), board.n - 1]


GOALS: dict[str, Callable[[Board], Sequence[int] | None]] = {
    "blank-last": blank_last,
    "blank-first": blank_first,
    "spiral": spiral,
    "snake": snake,
    "columns": columns,
    "reversed": reversed_labels,
}

ALIASES = {"snail": "spiral", "ring": "spiral", "column-major": "columns"}


def goal_key(name: str) -> str:
    """Return the name under which a goal is listed: aliases and spellings made one."""
    key = name.strip().lower().replace("_", "-")
    return ALIASES.get(key, key)


def is_goal_name(text: str) -> bool:
    """Whether `text` names a goal, by its own name or an alias."""
    return goal_key(text) in GOALS


def named_goal(name: str, board: Board) -> State:
    """Return the goal called `name` on `board`.

    Raises
    ------
    Unsupported
        If there is no such goal, or it has no meaning on this board.

    Examples
    --------
    >>> print(named_goal("spiral", Board.grid(3, 3)))
    1 2 3 / 8 0 4 / 7 6 5
    """
    key = goal_key(name)
    if key not in GOALS:
        raise Unsupported(
            f"there is no goal called {quote(name)}: expected one of {', '.join(GOALS)} (also"
            f" {', '.join(ALIASES)}) or a board"
        )
    order = GOALS[key](board)
    if order is None:
        raise Unsupported(f"the goal {quote(name)} has no meaning on the board {board.spec}")
    tiles = [0] * board.n
    for label, cell in enumerate(order[:-1], start=1):
        tiles[cell] = label
    return State.trusted(tuple(tiles), board, order[-1])


def known_name(goal: State) -> str | None:
    """Return the name of a usual goal, or None if the state is none of them."""
    for name, order in GOALS.items():
        if order(goal.board) is not None and named_goal(name, goal.board) == goal:
            return name
    return None


def usual_goals(board: Board) -> dict[str, State]:
    """Return every usual goal that has a meaning on `board`, each arrangement once."""
    found: dict[str, State] = {}
    for name, order in GOALS.items():
        if order(board) is not None:
            goal = named_goal(name, board)
            if goal not in found.values():
                found[name] = goal
    return found


def _rows(board: Board) -> list[list[int]]:
    """The cells of a 2-D grid, row by row; no rows for any other board."""
    if not isinstance(board, GridBoard) or len(board.shape) != 2:
        return []
    height, width = board.shape
    return [list(range(r * width, (r + 1) * width)) for r in range(height)]
