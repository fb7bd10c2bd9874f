"""The tasks on boards of up to nine cells: one table of all distances answers every case."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from taquin.board import Board
from taquin.errors import ParseError, quote
from taquin.formats.judges.parity import MANY, answer
from taquin.formats.judges.reading import Numbers, check_boards, marks
from taquin.formats.judges.tables import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Any way is right in these tasks; this order of letters gives the published sample.
SAMPLE_ORDER = "UDLR"
READING_ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 0)


@cache
def table(shape: tuple[int, int] = (3, 3), goal: tuple[int, ...] = READING_ORDER) -> Table:
    """Return the table of a goal, made once a run."""
    return Table(Board.grid(*shape), goal)


# -- ways ---------------------------------------------------------------------------------------


def poj1077(text: str) -> str:
    """One board in ``x`` form; a way in small letters or ``unsolvable``."""
    return answer([_eight(marks(text, 9, "xX", "the board"))])


def hdu1043(text: str) -> str:
    """A board in ``x`` form a line, until the end of the input."""
    lines = enumerate(text.splitlines(), start=1)
    return answer([_eight(marks(s, 9, "xX", f"line {i}")) for i, s in lines if s.strip()])


def uva652(text: str) -> str:
    """A count, then boards in ``x`` form, empty lines between the boards and the answers."""
    tokens = text.split()
    if not tokens or not tokens[0].isdecimal():
        raise ParseError(f"expected the number of boards first, got {quote(text.strip())}")
    count, found = int(tokens[0]), "".join(tokens[1:])
    if len(found) != 9 * count:
        raise ParseError(f"expected {count} boards of 9 marks, got {len(found)} marks")
    boards = [found[9 * i : 9 * i + 9] for i in range(count)]
    ways = [_eight(marks(s, 9, "xX", f"case {i}")) for i, s in enumerate(boards, start=1)]
    return "\n".join(way + "\n" for way in ways)


def _eight(tiles: tuple[int, ...]) -> str:
    way = table().way(tiles, SAMPLE_ORDER)
    return "unsolvable" if way is None else way.lower()


def hdu3567(text: str) -> str:
    """The least shortest way between two boards, up to 200 times.

    Only the place of the goal's blank matters once the tiles are renamed after the goal: nine
    tables serve every pair.
    """
    tokens = text.split()
    if not tokens or not tokens[0].isdecimal():
        raise ParseError(f"expected the number of cases first, got {quote(text.strip())}")
    count = int(tokens[0])
    if len(tokens) != 2 * count + 1:
        raise ParseError(f"expected two lines for each of {count} cases, got {len(tokens) - 1}")
    lines = []
    for case in range(1, count + 1):
        start, goal = (marks(tokens[2 * case - 1 + i], 9, "Xx", f"case {case}") for i in (0, 1))
        way = _way_between(start, goal)
        if way is None:
            raise ParseError(f"case {case}: the target cannot be reached from the start")
        lines += [f"Case {case}: {len(way)}", way.lower()]
    return answer(lines)


def _way_between(start: Sequence[int], goal: Sequence[int]) -> str | None:
    names = iter(range(1, len(goal)))
    renamed = {label: next(names) if label else 0 for label in goal}
    home = tuple(renamed[label] for label in goal)
    return table((3, 3), home).way([renamed[label] for label in start])


# -- numbers of moves ---------------------------------------------------------------------------


def least_moves(text: str) -> str:
    """One board 3 x 3: the least number of moves, or -1."""
    given = Numbers(text)
    board = given.boards(1, 9)
    given.finish()
    return answer(_or_minus_one(table().depths(board)))


def lingzhi208(text: str) -> str:
    """Start and goal, 9 numbers each: the least number of moves, or -1."""
    given = Numbers(text)
    start, goal = given.boards(2, 9)
    given.finish()
    return answer(_or_minus_one(table((3, 3), tuple(goal.tolist())).depths(start[None, :])))


def luogu_p1379(text: str) -> str:
    """Nine digits; the goal is the ring with the blank in the middle."""
    tiles = marks(text, 9, "0", "the board")
    return answer(_or_minus_one([table((3, 3), (1, 2, 3, 8, 0, 4, 7, 6, 5)).depth(tiles)]))


def ntuj219(text: str) -> str:
    """Boards 3 x 3: the least number of moves if it is at most 20, else ``Hard``."""
    given = Numbers(text)
    boards = given.boards(given.one("the number of boards", 0, MANY), 9)
    given.finish()
    depths = table().depths(boards)
    return answer(["Hard" if depth is None or depth > 20 else str(depth) for depth in depths])


def aoj0121(text: str) -> str:
    """Boards 2 x 4 until the end of the input, the blank first in the goal."""
    given = Numbers(text)
    cases, over = divmod(len(given), 8)
    boards = given.boards(cases + (over > 0), 8)
    given.finish()
    return answer(_or_minus_one(table((2, 4), tuple(range(8))).depths(boards)))


def leetcode773(text: str) -> str:
    """A board 2 x 3 as nested lists: the least number of moves, or -1."""
    try:
        rows = json.loads(text)
        board = _rows_of(rows, 2, 3)
    except (ValueError, TypeError, RecursionError):
        raise ParseError(
            f"expected 2 lists of 3 numbers such as [[1,2,3],[4,0,5]], got {quote(text.strip())}"
        ) from None
    check_boards(board)
    return answer(_or_minus_one(table((2, 3), (1, 2, 3, 4, 5, 0)).depths(board)))


def _rows_of(rows: object, height: int, width: int) -> NDArray[np.int64]:
    import numpy as np

    board = np.array(rows)
    if board.shape != (height, width) or board.dtype.kind != "i":
        raise TypeError
    return board.reshape(1, height * width)


def _or_minus_one(depths: list[int | None]) -> list[str]:
    return ["-1" if depth is None else str(depth) for depth in depths]
