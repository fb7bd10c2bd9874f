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

**Pattern databases in multi-tile moves.** Keep seven tiles and the blank, and take the others to be
alike: every move on the board is one move in this picture too, so its distance there, counting all
moves, never exceeds the true one. Such values do not add, as one move may carry tiles of two
patterns; the greatest of them counts. They are made by the sweep and kept, two bits an entry.

All bounds are audited, on every state of 3x3 and on many of 4x3 (`tests/test_mtm_search.py`,
``benchmarks/mtm.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.board.grid import GridBoard
from taquin.errors import TableError, Unsupported
from taquin.patterns.index import Entries
from taquin.patterns.kernels import descend_segments
from taquin.patterns.sums import PatternSums
from taquin.search import mtm_kernels as kernels
from taquin.search import pattern_kernels as codes
from taquin.search.ida_tables import MOST_ENTRIES, walking_table
from taquin.state import State

U64 = np.uint64
#: Cells of a board at most: four bits each in a word.
MOST_CELLS = 16
#: Landing cells that a root remembers.
LEVELS = 126
#: Where they begin in a root: behind board, rest, values and four views.
PATH = 7


def suits(goal: State) -> bool:
    """Whether this search takes the goal: a grid of two axes without wrap, labels all different."""
    board = goal.board
    if not isinstance(board, GridBoard) or board.wrap or goal.repeats or board.n > MOST_CELLS:
        return False
    return len(board.shape) == 2 and min(board.shape) > 1


def _packed(state: State) -> int:
    """The tiles in one word, four bits a cell."""
    return sum(tile << 4 * cell for cell, tile in enumerate(state.tiles))


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


#: The tiles of a pattern, where a board has enough; and the patterns, of which the second only
#: serves the strong search.
PATTERN_TILES = 7
PATTERNS = 2


@lru_cache(maxsize=4)
def segment_search(goal: State, *, strong: bool = False) -> SegmentSearch:
    """Return the search for a goal, its tables from disk or made and kept; the last ones are held.

    Parameters
    ----------
    strong : bool
        With a second pattern database.
    """
    from taquin.patterns.database import obtain
    from taquin.patterns.partitions import automatic
    from taquin.patterns.sums import PatternSums, turned

    blank, _ = turned(goal)
    largest = min(PATTERN_TILES, goal.board.n - 2)
    groups = automatic(goal.board, blank, largest).patterns
    chosen = groups[: PATTERNS if strong else 1]
    return SegmentSearch(goal, PatternSums(goal, obtain(goal.board, blank, chosen, "mtm")))


class Work:
    """The working memory of one thread."""

    def __init__(self) -> None:
        room = 8 * LEVELS
        self.boards, self.rests, self.values = (np.zeros(room, U64) for _ in range(3))
        self.views = np.zeros(4 * room, U64)
        self.places = np.zeros(4 * kernels.CHILDREN, U64)
        self.path = np.zeros(LEVELS + 2, U64)
        self.fields = np.zeros(1, np.int64)
        self.at = np.zeros(codes.FIELDS, np.int64)
        self.no_roots = np.zeros((0, PATH + LEVELS + 1), U64)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the kernel writes to, in its order."""
        stack = (self.boards, self.rests, self.values, self.views)
        return (*stack, self.places, self.path, self.fields)


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

    def __init__(self, goal: State, sums: PatternSums | None = None) -> None:
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
            try:
                entries, link, _ = walking_table(rows, width, homes[0][axis], ring=False)
                cost = segment_costs(rows, width, homes[0][axis])
                if first + len(link) > MOST_ENTRIES:
                    raise Unsupported("both tables together are too large")
            except Unsupported:  # then this axis tells nothing
                entries, link = {}, np.zeros((1, 2 * rows), np.uint16)
                cost = np.zeros(1, np.uint8)
            padded = np.zeros((len(link), self._columns), np.uint16)
            padded[:, : 2 * rows] = link + np.uint16(first)
            links.append(padded)
            costs.append(cost)
            self._keys.append(entries)
            self._first[axis] = first
            first += len(link)
            for cell in range(board.n):
                place = list(board.coordinates(cell))
                for way, step in enumerate((-1, 1)):
                    beside = place.copy()
                    beside[axis] += step
                    if 0 <= beside[axis] < rows:
                        near[axis, way, cell] = beside[0] * shape[1] + beside[1]
                    slots[axis, way, cell] = way * rows + homes[cell][axis]
        self._near, self._slots = near.reshape(-1), slots.reshape(-1)
        self._links = np.concatenate(links).reshape(-1)
        self._costs = np.concatenate(costs)
        self._homes = homes
        self._goal = U64(_packed(goal))
        self.bytes = self._links.nbytes + self._costs.nbytes
        self.sums = sums
        self._take_tables()
        self._held = local()
        self._warm = False

    def _take_tables(self) -> None:
        """The views of the pattern databases, if there are any, as the kernel knows them."""
        none = np.zeros(1, U64)
        self._kinds = np.zeros(0, U64)
        self._inner = np.zeros((2, 16), np.uint8)
        self._entries = Entries(
            np.zeros(1, np.uint8),
            U64(0),
            none.astype(np.uint32),
            none.astype(np.uint32),
            none,
            np.zeros(1, np.uint8),
            np.zeros(1, np.uint16),
            none,
        )
        sums = self.sums
        if sums is None:
            return
        base = sums.database
        self.bytes += base.bytes
        self.name = "ida mtm " + "/".join(str(len(cells)) for cells in base.patterns)
        sides = [sums.turn] if sums.mirror is None else [sums.turn, sums.mirror[sums.turn]]
        for side, cells in enumerate(sides):
            self._inner[side, : self.goal.board.n] = cells
        numbers = range(len(base.patterns))
        self._kinds = np.array([2 * p + side for p in numbers for side in range(len(sides))], U64)
        self._entries = Entries(base.bits, *base.index)
        board, place = base.board, base.place
        self._steps = np.full((len(board.directions), 40), 255, np.uint8)
        for d, way in enumerate(board.directions):
            for cell in range(board.n):
                to = board.step(cell, way)
                if to is not None:
                    self._steps[d, place[cell]] = place[to]

    def _views(self, start: State) -> list[tuple[int, int]]:
        """View and value of each kind."""
        sums = self.sums
        if sums is None:
            return []
        base = sums.database
        homes = sums.homes(start.tiles)
        views = [base.views(homes)[0]]
        if sums.mirror is not None:
            views.append(base.views(sums.reflected(homes))[0])
        found = []
        tables: tuple[Any, ...] = (
            self._steps.reshape(-1),
            len(self._steps),
            base.bits,
            *base.index,
        )
        for kind in self._kinds.tolist():
            pattern, side = kind >> 1, kind & 1
            value = descend_segments(
                views[side][pattern],
                U64(pattern),
                U64(self._inner[side, start.blank]),
                base.goals[pattern],
                U64(base.place[base.blank]),
                *tables,
            )
            if value < 0:
                raise TableError(f"the tables {base} are damaged: 'taquin tables clear'")
            found.append((int(views[side][pattern]), value))
        return found

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint is of, beside start and goal."""
        return {"metric": "mtm", "kinds": self._kinds.tolist()}

    def needs(self, start: State) -> list[int]:
        """Return the moves needed along each axis, at least: V and H."""
        return [int(self._costs[entry]) for entry in self._walking(start)]

    def _walking(self, start: State) -> list[int]:
        board: Any = start.board
        found = []
        for axis in range(2):
            rows, base = board.shape[axis], board.shape[1 - axis] + 1
            key = 0
            for cell, tile in enumerate(start.tiles):
                if tile:
                    row, home = board.coordinates(cell)[axis], self._homes[tile][axis]
                    key += base ** (rows * row + home)
            found.append(self._first[axis] + self._keys[axis].get(key, 0))
        return found

    # -- what a driver does with it ---------------------------------------------------------------

    def root(self, start: State) -> tuple[NDArray[np.uint64], int]:
        """Return a start as two roots, one for each axis of the first move, and its lower bound."""
        entries = self._walking(start)
        packed = _packed(start)
        roots = np.zeros((2, PATH + LEVELS + 1), U64)
        word = 0
        for j, (view, value) in enumerate(self._views(start)):
            roots[:, 3 + j] = view
            word |= value % 3 << 2 * j | value << 16 + 8 * j
        for axis in range(2):
            rest = entries[0] | entries[1] << 16 | start.blank << 32 | axis << 38
            roots[axis, :3] = packed, rest, word
            roots[axis, PATH] = start.blank
        return roots, min(self._bound(root) for root in roots)

    def _bound(self, root: NDArray[np.uint64]) -> int:
        rest = int(root[1])
        needs = [int(self._costs[rest >> 16 * axis & 0xFFFF]) for axis in range(2)]
        axis = rest >> 38 & 1
        values = [int(root[2]) >> 16 + 8 * j & 255 for j in range(len(self._kinds))]
        return (rest >> 40) + max(2 * needs[axis] - 1, 2 * needs[1 - axis], *values)

    def warm(self, *, weighted: bool = False) -> None:
        """Compile what a search runs, if it is not yet; it takes no weights."""
        if not self._warm:
            self.go_on(self.begin(0), self.root(self.goal)[0], 0)
            self._warm = True

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
            walking = (self._near, self._slots, self._links, self._costs, U64(self._columns))
            inner = self._inner.reshape(-1)
            tables: tuple[Any, ...] = (self._kinds, self._goal, *walking, self._entries, inner)
            kept = work.no_roots if roots is None else roots
            state = (*work.arrays, budget, split, kept, at)
            status = int(kernels.deepen(*tables, *state))
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
            work.boards[height], work.rests[height], work.values[height] = root[:3]
            views = len(self._kinds)
            work.views[height * views : (height + 1) * views] = root[3 : 3 + views]
            depth = int(root[1]) >> 40
            work.path[: depth + 1] = root[PATH : PATH + depth + 1]
            work.fields[0] += 1

    def frontier(
        self, root: NDArray[np.uint64], threshold: int, depth: int, most: int
    ) -> tuple[NDArray[np.uint64] | None, Work]:
        """The nodes of a depth within the threshold, as roots; None if more than `most`."""
        work = self.begin(threshold)
        roots = np.zeros((most, PATH + LEVELS + 1), U64)
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
