"""Short ways at once, for grids of any size: tiles are fetched along cheapest ways.

A board is in *normal form*: every tile is known by its home, the blank's home is cell 0, the top
left corner. The cells that are not finished are always a rectangle at that corner.

1.  The longer side is shortened by a line: a row at the bottom, a column at the right. On squares
    the two are filled at once, from their common corner on, whichever tile is nearer.
2.  A tile goes home step by step. Before each step the blank comes to its side by a cheapest way,
    where steps that bring other tiles nearer to their homes cost next to nothing
    (`taquin.construct.greedy_kernels`): tiles have come part of their way before they are fetched.
3.  The last two tiles of a line are brought into a window of 5 x 5 cells at its end, and go home by
    a shortest way in it, from a table of all places of two tiles and the blank.
4.  What remains is a small core. `core` solves it, or else lines do, down to 3 x 3 cells; a table
    of all their arrangements says the rest.

Boards of at most 400 cells are built in eight ways, of which the shortest is taken.

Cost: on squares of n cells O(n^1.5) moves, as many as must be written down; 30 to 500 ns for each.
Memory: about 100 bytes a cell, and a piece. The way of a board of 1000 x 1000 has more than a
thousand million moves: `pieces` yields it piece by piece, a byte a move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from taquin.construct import greedy_kernels as kernels
from taquin.construct import greedy_table_kernels as tables
from taquin.errors import InvalidState, LimitReached, Unsupported
from taquin.permutation import parity

U64 = np.uint64
Codes = npt.NDArray[np.uint8]
Cells = npt.NDArray[np.int32]
#: A solver of small boards: homes, rows, columns -> the cells that the blank visits.
Core = Callable[[Cells, int, int], npt.ArrayLike]

#: Turns the bytes of a piece into letters: ``piece.tobytes().translate(LETTERS)``.
LETTERS = bytes.maketrans(bytes(range(4)), b"UDLR")
#: A core has at most so many rows and columns; one that tables know, at most so many.
CORE, TABLED = 6, 3
#: Sides of the window in which the last two tiles of a line go home.
WINDOW = 5
#: Boards of more cells are built by the quick rules wherever more than `NEAR` cells are to go.
LARGE, NEAR = 100_000, 4
#: Boards of at most so many cells are built in several ways, of which the shortest is taken: with
#: these weights of the blank's way to a tile.
DRAFTED, STROLLS = 400, (0, 1, 2, 3)
#: Moves between two looks at the flag: about 30 ms, by the careful rules and by the quick ones.
SLICE, QUICK_SLICE = 1 << 15, 1 << 20


class Flag(Protocol):
    """What ends a construction from another thread or a signal handler."""

    def __bool__(self) -> bool:
        """Whether to end."""


def greedy(
    homes: npt.ArrayLike,
    rows: int,
    columns: int,
    *,
    core: Core | None = None,
    stop: Flag | None = None,
) -> Cells | None:
    """Return a short way of any solvable board in normal form, at once.

    Parameters
    ----------
    homes : (rows * columns,) integers
        The home of what lies on each cell; 0 is the blank.
    rows, columns : int
        At least 2.
    core : callable, optional
        ``core(homes, rows, columns)`` returns a way, as this function does, for what remains in
        the end: at most 6 x 6 cells, in normal form. Any way will do; a short one helps boards up
        to about 20 x 20.
    stop : optional
        Anything that becomes true when the construction shall end, such as `taquin.sweep.Stop`.

    Returns
    -------
    (moves,) int32 or None
        The cells that the blank visits, the first one left out; None if it was stopped.

    Raises
    ------
    InvalidState
        If `homes` is no permutation, or has the wrong parity.
    Unsupported
        On boards of one row or column, where the blank can only walk.

    Notes
    -----
    About 2.5 times Manhattan distance on random squares of 10 x 10 to 300 x 300, 3 times beyond.
    Cost: 0.4 microseconds a move up to 100,000 cells, 30 ns beyond; 4 bytes a move: for more cells
    see `pieces`.

    Examples
    --------
    >>> greedy([1, 4, 2, 3, 0, 5], 2, 3)
    array([1, 0], dtype=int32)
    >>> greedy([0, 1, 2, 3, 4, 5], 2, 3)
    array([], dtype=int32)
    """
    codes = [np.zeros(0, np.uint8)]
    try:
        codes.extend(pieces(homes, rows, columns, core=core, stop=stop))
    except LimitReached:
        return None
    start = int(np.argmin(homes))
    steps = np.array([-columns, columns, -1, 1], np.int32)
    way = steps[np.concatenate(codes)]
    np.cumsum(way, out=way)
    way += start
    return way


def pieces(
    homes: npt.ArrayLike,
    rows: int,
    columns: int,
    *,
    core: Core | None = None,
    stop: Flag | None = None,
    progress: Callable[[float], None] | None = None,
) -> Iterator[Codes]:
    """Yield the way of `greedy` piece by piece, while it is made.

    Parameters
    ----------
    homes, rows, columns, core, stop
        As for `greedy`.
    progress : callable, optional
        Is given the share of the cells that are finished, after each piece.

    Yields
    ------
    (moves,) uint8
        The steps of the blank: 0 up, 1 down, 2 left, 3 right; `LETTERS` makes letters of them.
        Each piece is the receiver's own. None is empty.

    Raises
    ------
    InvalidState, Unsupported
        As for `greedy`, with the first piece.
    LimitReached
        When it was stopped: the pieces so far are the beginning of a way.

    Notes
    -----
    Memory: about 90 bytes a cell, and a piece of at most some megabytes. A random board of
    1000 x 1000 cells takes more than a thousand million moves.

    Examples
    --------
    >>> for piece in pieces([1, 4, 2, 3, 0, 5], 2, 3):
    ...     print(piece.tobytes().translate(LETTERS))
    b'UL'
    """
    checked = _checked(homes, rows, columns)
    if checked.size > DRAFTED:
        return _watched(_Board(checked, rows, columns).build(core), stop, progress)
    return _watched(_best_draft(checked, rows, columns, core), stop, progress)


def _checked(homes: npt.ArrayLike, rows: int, columns: int) -> npt.NDArray[np.int64]:
    if rows < 2 or columns < 2:
        raise Unsupported(
            f"a board of {rows} x {columns} cells has no room to carry tiles: at least 2 x 2"
            " are needed; the blank of a single line can only walk"
        )
    checked = np.array(homes, np.int64)
    if checked.shape != (rows * columns,):
        raise InvalidState(f"{checked.size:,} homes given for a board of {rows} x {columns} cells")
    blank = int(np.argmin(checked))
    if parity(checked) != (blank // columns + blank % columns) % 2:
        raise InvalidState(
            "the homes have the wrong parity: no way leads there; exchange two tiles"
        )
    return checked


def _watched(
    slices: Iterator[tuple[Codes, float]],
    stop: Flag | None,
    progress: Callable[[float], None] | None,
) -> Iterator[Codes]:
    """Yield the pieces that are not empty; look at the flag and report after each slice."""
    for piece, finished in slices:
        if stop:
            raise LimitReached("the construction was stopped: what it yielded is a beginning")
        if piece.size:
            yield piece
        if progress is not None:
            progress(finished)


def _best_draft(
    homes: npt.NDArray[np.int64], rows: int, columns: int, core: Core | None
) -> Iterator[tuple[Codes, float]]:
    """Build a small board in several ways, on it and on its mirror image; yield the shortest."""
    drafts: list[tuple[int, int, Codes, _Board]] = []
    for mirrored in (False, True):
        given = _mirrored(homes, rows, columns) if mirrored else homes
        shape = (columns, rows) if mirrored else (rows, columns)
        for stroll in STROLLS:
            board = _Board(given, *shape, stroll=stroll)
            codes = [np.zeros(0, np.uint8)]
            for piece, _ in board.to_core(CORE if core else TABLED):
                codes.append(piece)
                yield codes[0], 0.0
            whole = np.concatenate(codes)
            drafts.append((whole.size + board.guess(core), len(drafts), whole, board))
    _, number, whole, board = min(drafts, key=lambda draft: draft[:2])
    whole = np.concatenate([whole, board.solve_core(core)])
    yield whole ^ np.uint8(2) if number >= len(STROLLS) else whole, 1.0


def _mirrored(homes: npt.NDArray[np.int64], rows: int, columns: int) -> npt.NDArray[np.int64]:
    """Return the board with rows and columns exchanged."""
    turned = homes.reshape(rows, columns).T.reshape(-1)
    return turned % columns * rows + turned // columns


class _Board:
    """A board whose free cells are the first `rows` and `columns`; `build` finishes it."""

    def __init__(
        self, homes: npt.NDArray[np.int64], rows: int, columns: int, stroll: int = 1
    ) -> None:
        self.homes, self.rows, self.columns = homes, rows, columns
        self.free = rows, columns
        careful = max(rows, columns) * 2 if rows * columns <= LARGE else NEAR
        self.slice = SLICE if rows * columns <= LARGE else QUICK_SLICE
        self.work = self._allocate(careful, stroll)

    def _allocate(self, careful: int, stroll: int) -> kernels.Work:
        n, width = self.homes.size, self.columns + 2
        # One block, so that a large board gets large pages: its columns lie far apart.
        board, at = np.zeros((2, self.rows + 2, width), np.uint32)
        board[:] = kernels.WALL
        inner = (slice(1, self.rows + 1), slice(1, self.columns + 1))
        board[inner] = self._packed(self.homes).reshape(self.rows, self.columns)
        cells = np.empty(n, np.int64)
        cells[self.homes] = np.arange(n)
        at[inner] = self._packed(cells).reshape(self.rows, self.columns)
        mark = np.array([0, int(self._packed(cells[:1])[0]), 0, careful, stroll], U64)
        side = int(kernels.SPAN) + 1
        room = self.slice + 64 * (self.rows + self.columns) + 4096
        return kernels.Work(
            width=U64(width),
            board=board.reshape(-1),
            at=at.reshape(-1),
            seen=np.zeros(board.size, U64),
            via=np.zeros(board.size, np.uint8),
            good=np.empty(4 * n + 8, U64),
            bad=np.empty(4 * n + 8, U64),
            best=np.zeros(side * side, U64),
            back=np.zeros(side * side, np.uint8),
            way=np.zeros(2 * side, np.uint8),
            mark=mark,
            moves=np.empty(room, np.uint8),
        )

    def _packed(self, cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return (cells // self.columns + 1) << 16 | (cells % self.columns + 1)

    def build(self, core: Core | None) -> Iterator[tuple[Codes, float]]:
        """Yield the steps of the blank until every tile is home, and the share that is."""
        yield from self.to_core(CORE if core else TABLED)
        yield self.solve_core(core), 1.0

    def to_core(self, side: int) -> Iterator[tuple[Codes, float]]:
        """Shorten the board by lines down to `side` rows and columns; yield slice by slice."""
        rows, columns = self.rows, self.columns
        while max(rows, columns) > side:
            both = rows == columns and rows > WINDOW + 1
            along_row = rows > columns or (rows == columns and self._row_first(rows, columns))
            row = rows << 16 | columns if both or along_row else 0
            column = (rows - both) << 16 | columns if both or not along_row else 0
            front = np.array([row, column], U64)
            while (state := kernels.fill(self.work, front, U64(self.slice))) != kernels.DONE:
                assert state == kernels.MORE, "the free cells hang together"
                yield self._take(), 1 - rows * columns / self.homes.size
            for is_row in (True, False):
                if both or is_row == along_row:
                    self._finish(rows, columns, is_row)
            rows -= both or along_row
            columns -= both or not along_row
            self.free = rows, columns
            yield self._take(), 1 - rows * columns / self.homes.size

    def guess(self, core: Core | None) -> int:
        """Return about how many moves the core takes."""
        homes = self._core(*self.free)
        if core is None:
            return int(_depths(*self.free)[tables.rank.py_func(homes.tolist())])
        cells, columns = np.arange(homes.size), self.free[1]
        rows_off = np.abs(homes // columns - cells // columns)
        columns_off = np.abs(homes % columns - cells % columns)
        return 2 * int((rows_off + columns_off)[homes > 0].sum())

    def solve_core(self, core: Core | None) -> Codes:
        """Return the steps that solve the core."""
        homes, columns = self._core(*self.free), self.free[1]
        way = core(homes, *self.free) if core else _look_up(homes.tolist(), *self.free)
        cells = np.concatenate([[int(np.argmin(homes))], np.asarray(way, np.int64)])
        code = {-columns: 0, columns: 1, -1: 2, 1: 3}
        return np.array([code[step] for step in np.diff(cells).tolist()], np.uint8)

    def _take(self) -> Codes:
        """Return what the kernels have written, and let them begin anew."""
        used = int(self.work.mark[kernels.USED])
        self.work.mark[kernels.USED] = 0
        return self.work.moves[:used].copy()

    def _row_first(self, rows: int, columns: int) -> bool:
        """Whether the tiles of the last row have less far to go than those of the last column."""
        last_row = np.arange(columns) + (rows - 1) * self.columns
        last_column = np.arange(rows) * self.columns + columns - 1
        return self._distance(last_row) <= self._distance(last_column)

    def _distance(self, homes: npt.NDArray[np.int64]) -> int:
        goals = self._packed(homes)
        at = self.work.at[(goals >> 16) * (self.columns + 2) + (goals & 0xFFFF)].astype(np.int64)
        rows, columns = np.abs((goals >> 16) - (at >> 16)), np.abs((goals & 0xFFFF) - (at & 0xFFFF))
        return int(rows.sum() + columns.sum())

    def _finish(self, rows: int, columns: int, is_row: bool) -> None:
        """Bring the last two tiles of the last row or column home."""
        high, wide = min(WINDOW, rows), min(WINDOW, columns)
        top, left = (rows - high + 1, 1) if is_row else (1, columns - wide + 1)
        box = [top << 16 | left, (top + high - 1) << 16 | (left + wide - 1)]
        inner = [box[0] + (1 << 16), box[1] - (wide > 2)]
        if not is_row:
            inner = [box[0] + 1, box[1] - ((high > 2) << 16)]
        corners = np.array(box + inner, U64)
        one, other = ((rows, 2), (rows, 1)) if is_row else ((2, columns), (1, columns))
        first, second = (U64(row << 16 | column) for row, column in (one, other))
        places = [row * (self.columns + 2) + column for row, column in (one, other)]
        if self.work.at[places].tolist() != [first, second]:
            gathered = kernels.gather(self.work, first, second, corners)
            assert gathered, "the free cells hang together"
            kernels.descend(self.work, first, second, corners, _pairs(high, wide, is_row))
        self.work.board[places] = kernels.WALL

    def _core(self, rows: int, columns: int) -> Cells:
        """Return the homes of the core, in its own cells."""
        whole = self.work.board.reshape(self.rows + 2, self.columns + 2)
        goals = whole[1 : rows + 1, 1 : columns + 1].reshape(-1).astype(np.int32)
        return ((goals >> 16) - 1) * columns + (goals & 0xFFFF) - 1


def _look_up(tiles: list[int], rows: int, columns: int) -> list[int]:
    """Go down the table of all arrangements of the core; return the blank's cells."""
    near, count = _graph(rows, columns)
    table, way, blank = _depths(rows, columns), [], tiles.index(0)
    while depth := int(table[tables.rank.py_func(tiles)]):
        for to in near[blank, : count[blank]].tolist():
            tiles[blank], tiles[to] = tiles[to], 0
            if table[tables.rank.py_func(tiles)] == depth - 1:
                blank = to
                way.append(to)
                break
            tiles[to], tiles[blank] = tiles[blank], 0
    return way


def _graph(
    rows: int, columns: int, walls: frozenset[int] = frozenset()
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the neighbours of each cell of a small board, and how many there are."""
    near, count = np.zeros((rows * columns, 4), np.int64), np.zeros(rows * columns, np.int64)
    for cell in set(range(rows * columns)) - walls:
        row, column = divmod(cell, columns)
        sides = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        for r, c in sides:
            if 0 <= r < rows and 0 <= c < columns and r * columns + c not in walls:
                near[cell, count[cell]] = r * columns + c
                count[cell] += 1
    return near, count


@cache
def _pairs(rows: int, columns: int, is_row: bool) -> Codes:
    """Return the table of a window, for the last two tiles of its last row or column."""
    cells = rows * columns
    if is_row:
        one, other = cells - columns + 1, cells - columns
        walls = frozenset(range(one + 1, cells))
    else:
        one, other = 2 * columns - 1, columns - 1
        walls = frozenset(range(one + columns, cells, columns))
    table = np.full(cells**3, 255, np.uint8)
    near, count = _graph(rows, columns, walls)
    tables.pair_table(near, count, one, other, table, np.empty(cells**3, np.int64))
    return table


@cache
def _depths(rows: int, columns: int) -> Codes:
    """Return the depths of all boards of at most nine cells, by rank."""
    n = rows * columns
    size = int(np.prod(np.arange(1, n + 1)))
    table = np.full(size, 255, np.uint8)
    tables.core_table(
        *_graph(rows, columns), np.zeros(n, np.int64), table, np.empty(size, np.int64)
    )
    return table
