"""The heuristics of the compiled IDA* as arrays: distances of tiles, and walking distance.

Each class holds a start and a goal: `value` at the start, `labels` (label -> row of the arrays),
`kernel` (a loop of `taquin.search.ida_kernels`), and makes the arrays that the kernel looks at.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.board import GridBoard
from taquin.errors import Unsupported
from taquin.search import ida_kernels as kernels
from taquin.state import State

#: Labels and cells fit in a byte, moves in two.
MAX_CELLS = 256
#: The tables of walking distances have at most so many entries together, numbered in two bytes.
#: One of 24,964 takes about 0.2 s to make.
MOST_ENTRIES = 1 << 16

Arrays = tuple[NDArray[Any], ...]
Table = tuple[dict[int, int], NDArray[np.uint16], NDArray[np.uint8]]


def walking_pays(goal: State) -> bool:
    """Whether the tables of the walking distance are small enough to be made on the fly."""
    board = goal.board
    if not isinstance(board, GridBoard) or goal.repeats or board.n > 64:
        return False
    longest = max(board.shape)
    return longest <= 3 or (longest <= 4 and board.n <= 16) or board.n <= 10


class Manhattan:
    """The sum of the tiles' distances to their goal cells; the blank is no tile.

    A sum of 0 is the goal even where labels repeat: then every tile lies on a goal cell of its
    label, no two on the same, and there are as many of these cells as tiles.
    """

    name = "ida-manhattan"
    kernel = staticmethod(kernels.deepen)

    def __init__(self, start: State, goal: State) -> None:
        _require_small(goal)
        board = goal.board
        homes: dict[int, list[int]] = {0: []}
        for cell, label in enumerate(goal.tiles):
            homes.setdefault(label, []).append(cell)
        self.labels = {label: row for row, label in enumerate(homes)}
        self._steps = np.zeros((len(homes), board.n), np.int64)
        for label, cells in homes.items():
            if label:
                self._steps[self.labels[label]] = np.min(
                    [board.distances(c) for c in cells], axis=0
                )
        places = enumerate(start.tiles)
        self.value = sum(int(self._steps[self.labels[label], cell]) for cell, label in places)

    def arrays(self, edges: list[tuple[int, int]]) -> Arrays:
        """Return `change` for the moves (from, to) of the blank; a tile goes the other way."""
        source, target = np.array(edges, np.int64).reshape(-1, 2).T
        change = self._steps[:, source] - self._steps[:, target]
        return (np.ascontiguousarray(change, np.int8),)

    def fresh(self, arrays: Arrays, levels: int) -> Arrays:
        """Return the arguments of one iteration, whose stack has so many `levels`."""
        return arrays


class Walking:
    """The walking distance: the puzzle of the rows alone, solved exactly, for each axis.

    In the puzzle of the rows one sees of each tile only its row and its goal row; the blank steps
    to a row next to its own, and any tile from there takes its place (K. Takahashi 2001). A move
    counts in the puzzle of one axis only, so the sum over the axes is a lower bound; it is 0 at
    the goal alone.
    """

    name = "ida-walking"
    kernel = staticmethod(kernels.deepen_walking)

    def __init__(self, start: State, goal: State) -> None:
        _require_small(goal)
        board = goal.board
        if not isinstance(board, GridBoard) or goal.repeats:
            raise Unsupported(
                "the walking distance needs a grid and tiles that all differ: use 'ida-manhattan'"
            )
        self.labels = {label: label for label in range(board.n)}
        self._board = board
        self._axes = [axis for axis, length in enumerate(board.shape) if length > 1]
        places = [board.coordinates(cell) for cell in range(board.n)]
        self._home = [places[goal.tiles.index(label)] for label in range(board.n)]
        # Axes with the same puzzle share a table; the others lie behind each other.
        tables: dict[int, tuple[int, Table]] = {}
        self._where: list[int] = []
        self.value = first = 0
        for axis in self._axes:
            rows = board.shape[axis]
            ring = axis in board.wrap
            table = walking_table(rows, board.n // rows, self._home[0][axis], ring)
            unit = _units(rows, board.n // rows)
            key = sum(
                unit[places[cell][axis]][self._home[tile][axis]]
                for cell, tile in enumerate(start.tiles)
                if tile
            )
            entries, _, cost = table
            if id(table) not in tables:
                tables[id(table)] = first, table
                first += len(cost)
            self._where.append(tables[id(table)][0] + entries[key])
            self.value += int(cost[entries[key]])
        if first > MOST_ENTRIES:
            raise _too_large(board.spec)
        self._tables = list(tables.values())

    def arrays(self, edges: list[tuple[int, int]]) -> Arrays:
        """Return axis, slot, link and cost; see `taquin.search.ida_kernels.deepen_walking`."""
        shape = self._board.shape
        axis = np.zeros(len(edges), np.uint8)
        slot = np.zeros((self._board.n, len(edges)), np.uint8)
        for move, edge in enumerate(edges):
            here, there = map(self._board.coordinates, edge)
            along = next(k for k in self._axes if here[k] != there[k])
            rows = shape[along]
            step = there[along] - here[along]
            forth = step == 1 or (along in self._board.wrap and step == 1 - rows)
            axis[move] = self._axes.index(along)
            slot[:, move] = [forth * rows + home[along] for home in self._home]
        columns = 2 * max(shape)
        links = [
            np.pad(link + np.uint16(first), ((0, 0), (0, columns - link.shape[1])))
            for first, (_, link, _) in self._tables
        ]
        costs = [cost for _, (_, _, cost) in self._tables]
        return axis, slot, np.concatenate(links), np.concatenate(costs)

    def fresh(self, arrays: Arrays, levels: int) -> Arrays:
        """Return the arguments of one iteration, whose stack has so many `levels`."""
        return (*arrays, np.array(self._where, np.uint16), np.zeros(levels, np.uint16))


def _require_small(goal: State) -> None:
    if goal.board.n > MAX_CELLS:
        raise Unsupported(
            f"IDA* takes boards of up to {MAX_CELLS} cells, and finds shortest solutions on much"
            f" smaller ones only; this one has {goal.board.n}: use 'construct'"
        )


def _too_large(what: str) -> Unsupported:
    return Unsupported(
        f"the walking distance on {what} needs tables of more than {MOST_ENTRIES:,} entries: use"
        " 'ida-manhattan'"
    )


def _units(rows: int, width: int) -> list[list[int]]:
    """The matrix "how many tiles of row i belong to row j" as a number: a digit for each (i, j)."""
    return [[(width + 1) ** (rows * i + j) for j in range(rows)] for i in range(rows)]


@lru_cache(maxsize=16)
def walking_table(rows: int, width: int, blank: int, ring: bool) -> Table:
    """Solve the puzzle of `rows` rows of `width` cells, whose goal has the blank in row `blank`.

    Parameters
    ----------
    ring : bool
        Whether the first row lies next to the last.

    Returns
    -------
    dict of int to int, (entries, 2 * rows) uint16, (entries,) uint8
        Key -> entry; the links; the moves to the goal. In column ``forth * rows + home`` of the
        links, the blank goes to the row before (0) or behind (1) its own, and a tile that belongs
        in row `home` takes its place; what is not possible links to entry 0.

    Raises
    ------
    Unsupported
        If there are more than `MOST_ENTRIES` entries.

    Examples
    --------
    >>> entries, links, cost = walking_table(3, 3, 2, ring=False)
    >>> len(entries), int(cost.max())
    (105, 14)
    """
    base, unit = width + 1, _units(rows, width)
    goal = sum(width * unit[i][i] for i in range(rows)) - unit[blank][blank]
    entries, queue, costs = {goal: 0}, [(goal, blank)], [0]
    links: list[list[int]] = []
    for key, row in queue:  # grows while it is read
        link = [0] * (2 * rows)
        for forth, other in enumerate((row - 1, row + 1)):
            if ring:
                other %= rows
            if not 0 <= other < rows:
                continue
            for home in range(rows):
                if key // unit[other][home] % base == 0:
                    continue  # no tile of that kind to come over
                moved = key - unit[other][home] + unit[row][home]
                entry = entries.setdefault(moved, len(queue))
                if entry == len(queue):
                    queue.append((moved, other))
                    costs.append(costs[len(links)] + 1)
                link[forth * rows + home] = entry
        links.append(link)
        if len(queue) > MOST_ENTRIES:
            raise _too_large(f"{rows} rows of {width} cells")
    return entries, np.array(links, np.uint16), np.array(costs, np.uint8)
