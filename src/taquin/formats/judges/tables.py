"""The whole space of a board of up to nine cells: every distance, and every shortest way.

Arrangements are numbered in lexicographic order, 0..n!-1; a move is a table of n! numbers, made
once for all goals, and breadth-first search gathers from it a level at a time.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from taquin.board import Board
from taquin.permutation import rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

#: The moves of the blank in alphabetical order.
LETTERS = "DLRU"
UNREACHED = 255


class Table:
    """Distances and shortest ways to one goal.

    Parameters
    ----------
    board : Board
        A grid of at most nine cells.
    goal : sequence of int
        The labels of the goal in reading order.

    Notes
    -----
    Cost: for 3 x 3, 0.2 s for the first table and 0.03 s for each further one; 1 byte an
    arrangement, and 16 bytes shared by all tables of a board.

    Examples
    --------
    >>> ring = Table(Board.grid(3, 3), (1, 2, 3, 8, 0, 4, 7, 6, 5))
    >>> ring.depth((2, 8, 3, 1, 0, 4, 7, 6, 5)), ring.way((2, 8, 3, 1, 0, 4, 7, 6, 5))
    (4, 'ULDR')
    """

    def __init__(self, board: Board, goal: Sequence[int]) -> None:
        import numpy as np

        self._next = successors(board)
        self._depth = np.full(self._next.shape[1], UNREACHED, np.uint8)
        level = ranks(np.array([goal]))
        depth = 0
        while len(level):
            self._depth[level] = depth
            near = self._next[:, level].ravel()
            level = np.unique(near[self._depth[near] == UNREACHED])
            depth += 1

    def depths(self, boards: NDArray[np.int64]) -> list[int | None]:
        """Return the distance of each row of `boards`; None where no way leads to the goal."""
        found = self._depth[ranks(boards)].tolist()
        return [None if depth == UNREACHED else depth for depth in found]

    def depth(self, tiles: Sequence[int]) -> int | None:
        """Return the distance of one arrangement, None if no way leads to the goal."""
        import numpy as np

        return self.depths(np.array([tiles]))[0]

    def way(self, tiles: Sequence[int], order: str = LETTERS) -> str | None:
        """Return the first of the shortest ways by an order of the blank's letters.

        The order ``"DLRU"`` gives the alphabetically least one. None if there is no way.
        """
        # single elements come faster out of plain memory than out of NumPy arrays
        depths = self._depth.data
        rows = [(letter, self._next[LETTERS.index(letter)].data) for letter in order]
        at = rank(list(tiles))
        if depths[at] == UNREACHED:
            return None
        way = ""
        for left in range(depths[at] - 1, -1, -1):
            for letter, row in rows:
                if depths[row[at]] == left:
                    way, at = way + letter, row[at]
                    break
        return way


@cache
def successors(board: Board) -> NDArray[np.uint32]:
    """Return the number of the arrangement after each move, shape (4, n!), uint32.

    At the border a move leads nowhere: to the arrangement itself.
    """
    import numpy as np

    labels = arrangements(board.n)
    everyone = np.arange(len(labels))
    blank = np.argmin(labels, axis=1)
    following = np.empty((len(LETTERS), len(labels)), np.uint32)
    for move, letter in enumerate(LETTERS):
        steps = [board.step(cell, letter) for cell in range(board.n)]
        target = np.array([cell if to is None else to for cell, to in enumerate(steps)])[blank]
        moved = labels.copy()
        moved[everyone, blank] = labels[everyone, target]
        moved[everyone, target] = 0
        following[move] = ranks(moved)
    return following


def arrangements(n: int) -> NDArray[np.uint8]:
    """Return all orders of 0..n-1 in lexicographic order, shape (n!, n), uint8.

    >>> arrangements(3).tolist()
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    """
    import numpy as np

    rows = np.zeros((1, 0), np.uint8)
    for size in range(1, n + 1):
        first = np.repeat(np.arange(size, dtype=np.uint8), len(rows))
        rest = np.tile(rows, (size, 1))
        rest += rest >= first[:, None]  # the labels left over once the first is taken
        rows = np.column_stack([first, rest])
    return rows


def ranks(rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the number of each row in lexicographic order, by its Lehmer digits.

    >>> import numpy as np
    >>> ranks(np.array([[0, 1, 2], [2, 1, 0]])).tolist()
    [0, 5]
    """
    import numpy as np

    places = np.ascontiguousarray(np.asarray(rows).T)
    total = np.zeros(places.shape[1], np.int64)
    for i, label in enumerate(places):
        total *= len(places) - i
        for later in places[i + 1 :]:
            total += later < label
    return total
