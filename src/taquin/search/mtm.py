r"""Shortest solutions in multi-tile moves: a segment that slides along a line is one move.

For grids of two axes and 13 to 16 cells; smaller boards have their table.

**The walking distance in multi-tile moves.** Forget all of a board but the row of each tile (and of
the blank). A vertical move of j tiles carries the blank over j rows, and one tile from each of
them to the row before: in this picture it is one move, and horizontal moves are none. V, the fewest
moves that bring all tiles to their rows there, is computed for all pictures at once, breadth first
(24,964 for 4x4). Every solution makes at least V vertical moves, and likewise at least H horizontal
ones; none is both, so V + H is a lower bound. It never exceeds the true distance, because every way
on the board is one in the picture.

**Moves alternate.** Two moves along one line, one after the other, are one move or undo each other:
a shortest way has none. So of n moves the first axis has n / 2, rounded up, and the other the rest:
n >= max(2 V - 1, 2 H) if the next move is vertical. At the root the smaller of both cases holds.

Both bounds are audited on every state of 3x3 and 4x3 (`tests/test_mtm_search.py`,
``benchmarks/audit_mtm.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.board.grid import GridBoard
from taquin.errors import Unsupported
from taquin.search import mtm_kernels as kernels
from taquin.search import pattern_kernels as codes
from taquin.search.ida_tables import walking_table
from taquin.state import State

U64 = np.uint64
#: Cells of a board at most: four bits each in a word.
MOST_CELLS = 16
#: Landing cells that a root remembers.
LEVELS = 126


def suits(goal: State) -> bool:
    """Whether this search takes the goal: a grid of two axes without wrap, labels all different."""
    board = goal.board
    if not isinstance(board, GridBoard) or board.wrap or goal.repeats or board.n > MOST_CELLS:
        return False
    return len(board.shape) == 2 and min(board.shape) > 1


@lru_cache(maxsize=16)
def segment_costs(rows: int, width: int, blank: int) -> NDArray[np.uint8]:
    """Return the fewest vertical moves of each entry of a `walking_table`, in multi-tile moves.

    Breadth-first from the goal; the entries one move away are those at the end of one, two, ...
    steps in the same direction.

    Examples
    --------
    >>> int(segment_costs(3, 3, 2).max()), int(segment_costs(4, 4, 3).max())
    (7, 15)
    """
    entries, links, _ = walking_table(rows, width, blank, ring=False)
    costs = np.full(len(entries), 255, np.uint8)
    costs[0] = depth = 0
    level = np.array([0])
    while level.size:
        depth += 1
        found = []
        for direction in range(2):
            chain = level
            for _ in range(rows - 1):
                columns = slice(direction * rows, (direction + 1) * rows)
                chain = np.unique(links[chain, columns].astype(np.int64))
                # A link to 0 means "not possible", or the goal: a chain through the goal reaches
                # what the goal itself has reached at depth 1.
                chain = chain[chain > 0]
                found.append(chain)
        level = np.unique(np.concatenate(found))
        level = level[costs[level] == 255]
        costs[level] = depth
    return costs


@lru_cache(maxsize=4)
def search_for(goal: State) -> SegmentSearch:
    """Return the search for a goal; the last ones are kept."""
    return SegmentSearch(goal)


class Work:
    """The working memory of one thread."""

    def __init__(self) -> None:
        self.boards = np.zeros(8 * LEVELS, U64)
        self.rests = np.zeros(8 * LEVELS, U64)
        self.path = np.zeros(LEVELS + 2, U64)
        self.fields = np.zeros(1, np.int64)
        self.at = np.zeros(codes.FIELDS, np.int64)


class SegmentSearch:
    """IDA* in multi-tile moves for one goal: what `taquin.search.patterns.solve` drives.

    Examples
    --------
    >>> from taquin.board import Board
    >>> from taquin.search.patterns import solve
    >>> goal = State([1, 2, 3, 4, 5, 6, 7, 8, 0], Board.grid(3, 3))
    >>> solve(SegmentSearch(goal), State([1, 2, 3, 4, 5, 6, 0, 7, 8], goal.board)).length
    1
    """

    metric = "mtm"
    name = "ida walking mtm"
    even = False
    branching = 3.0

    def __init__(self, goal: State) -> None:
        if not suits(goal):
            raise Unsupported(
                "multi-tile moves are searched on grids of two axes and up to"
                f" {MOST_CELLS} cells with different labels; {goal.board.spec} is none"
            )
        self.goal = goal
        board: Any = goal.board
        shape = board.shape
        homes = [board.coordinates(goal.cell_of(tile)) for tile in range(board.n)]
        self._columns = 2 * max(shape)
        self._keys: list[dict[int, int]] = []
        links, costs, first = [], [], 0
        near = np.full((2, 2, 16), 255, np.uint8)
        slots = np.zeros((2, 2, 16), np.uint8)
        self._first = [0, 0]
        for axis in range(2):
            rows, width = shape[axis], shape[1 - axis]
            entries, link, _ = walking_table(rows, width, homes[0][axis], ring=False)
            padded = np.zeros((len(entries), self._columns), np.uint16)
            padded[:, : 2 * rows] = link + np.uint16(first)
            links.append(padded)
            costs.append(segment_costs(rows, width, homes[0][axis]))
            self._keys.append(entries)
            self._first[axis] = first
            first += len(entries)
            for cell in range(board.n):
                place = list(board.coordinates(cell))
                for way, step in enumerate((-1, 1)):
                    beside = place.copy()
                    beside[axis] += step
                    if 0 <= beside[axis] < rows:
                        near[axis, way, cell] = beside[0] * shape[1] + beside[1]
                    slots[axis, way, cell] = way * rows + homes[cell][axis]
        if first > 1 << 16:
            raise Unsupported(f"the walking tables of {board.spec} are too large")
        self._near, self._slots = near.reshape(-1), slots.reshape(-1)
        self._links = np.concatenate(links).reshape(-1)
        self._costs = np.concatenate(costs)
        self._homes = homes
        self.bytes = self._links.nbytes + self._costs.nbytes
        self._held = local()

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint is of, beside start and goal."""
        return {"metric": "mtm"}

    def needs(self, start: State) -> list[int]:
        """Return the moves needed along each axis, at least: V and H."""
        return [int(self._costs[entry]) for entry in self._entries(start)]

    def _entries(self, start: State) -> list[int]:
        board: Any = start.board
        found = []
        for axis in range(2):
            rows, base = board.shape[axis], board.shape[1 - axis] + 1
            key = 0
            for cell, tile in enumerate(start.tiles):
                if tile:
                    row, home = board.coordinates(cell)[axis], self._homes[tile][axis]
                    key += base ** (rows * row + home)
            found.append(self._first[axis] + self._keys[axis][key])
        return found

    # -- what a driver does with it ---------------------------------------------------------------

    def root(self, start: State) -> tuple[NDArray[np.uint64], int]:
        """Return a start as two roots, one for each axis of the first move, and its lower bound."""
        entries = self._entries(start)
        packed = sum(tile << 4 * cell for cell, tile in enumerate(start.tiles))
        roots = np.zeros((2, LEVELS + 3), U64)
        for axis in range(2):
            rest = entries[0] | entries[1] << 16 | start.blank << 32 | axis << 38
            roots[axis, :3] = packed, rest, start.blank
        return roots, min(self._bound(root) for root in roots)

    def _bound(self, root: NDArray[np.uint64]) -> int:
        rest = int(root[1])
        needs = [int(self._costs[rest >> 16 * axis & 0xFFFF]) for axis in range(2)]
        axis = rest >> 38 & 1
        return (rest >> 40) + int(max(2 * needs[axis] - 1, 2 * needs[1 - axis]))

    def begin(self, threshold: int, levels: int | None = None) -> Work:
        """Return this thread's memory with an iteration ahead of it and all counters at zero."""
        work: Work | None = getattr(self._held, "work", None)
        if work is None:
            work = self._held.work = Work()
        work.at[:] = 0
        work.at[codes.THRESHOLD], work.at[codes.FRESH] = threshold, 1
        return work

    def go_on(
        self,
        work: Work,
        root: NDArray[np.uint64],
        budget: int,
        *,
        single: bool = False,
        split: int = -1,
        roots: NDArray[np.uint64] | None = None,
    ) -> int:
        """Search from a root for about `budget` nodes more; how it ended (`pattern_kernels`)."""
        at = work.at
        while True:
            if at[codes.FRESH]:
                at[codes.FRESH], at[codes.LEAST] = 0, codes.NEVER
                self._plant(work, np.atleast_2d(root))
            status = int(
                kernels.deepen(
                    *(self._near, self._slots, self._links, self._costs, U64(self._columns)),
                    *(work.boards, work.rests, work.path, work.fields),
                    *(budget, split, np.zeros((0, 3), U64) if roots is None else roots, at),
                )
            )
            if status != codes.EXHAUSTED or single:
                return status
            at[codes.THRESHOLD], at[codes.FRESH] = at[codes.LEAST], 1

    def _plant(self, work: Work, roots: NDArray[np.uint64]) -> None:
        work.fields[0] = 0
        for root in roots:
            bound = self._bound(root)
            if bound > work.at[codes.THRESHOLD]:
                work.at[codes.LEAST] = min(int(work.at[codes.LEAST]), bound)
                continue
            height = int(work.fields[0])
            work.boards[height], work.rests[height] = root[:2]
            depth = int(root[1]) >> 40
            work.path[: depth + 1] = root[2 : depth + 3]
            work.fields[0] += 1

    def frontier(
        self, root: NDArray[np.uint64], threshold: int, depth: int, most: int
    ) -> tuple[NDArray[np.uint64] | None, Work]:
        """The nodes of a depth within the threshold, as roots; None if more than `most`."""
        work = self.begin(threshold)
        roots = np.zeros((most, LEVELS + 3), U64)
        status = self.go_on(work, root, 1 << 60, single=True, split=depth, roots=roots)
        if status == codes.OVERFLOW:
            return None, work
        return roots[: work.at[codes.ROOTS]], work

    def moves_of(self, work: Work, root: NDArray[np.uint64]) -> list[int]:
        """The cells on which the blank lands, move by move."""
        found: list[int] = work.path[1 : int(work.at[codes.LENGTH]) + 1].tolist()
        return found

    def walk(self, moves: Sequence[int], start: State) -> tuple[int, ...]:
        """Return the cells that the blank visits."""
        board: Any = self.goal.board
        width = board.shape[1]
        cells, cell = [], start.blank
        for landing in moves:
            step = 1 if abs(landing - cell) < width else width
            while cell != landing:
                cell += step if landing > cell else -step
                cells.append(cell)
        return tuple(cells)

    def in_letters(self) -> SegmentSearch:
        """Return the search that meets all solutions: this one does."""
        return self
