"""Pattern databases: the fewest moves of some tiles to their goals, for every place they can be in.

Keep the tiles of a *pattern* and the blank, and forget the others. The value of a state is the
fewest moves of pattern tiles that bring them, and the blank, home. Only moves of pattern tiles
count, so the values of patterns that share no tile **add**: no move counts twice, and the sum never
exceeds the true distance (Korf & Felner 2002; Felner, Korf & Hanan 2004).

The value depends on the blank only by the connected region of cells, free of pattern tiles, that
holds it, and every region is an entry of its own. The goal's blank is fixed. A pattern tile's move
then changes the value by exactly 1 where the board has two colours, since it changes the colour of
the tile's cell; where values differ by one, and the colours tell if one is even or odd, the second
bit of a value tells all: **one bit an entry**. Boards without colours keep the value modulo 3 in
two bits.

Tiles are known by their goal cells, and a board is turned by one of its symmetries so that the
blank's goal is the least cell that it can be turned to: one table serves all corners.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import comb, factorial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from taquin import tables
from taquin.board import Board
from taquin.errors import InvalidBoard, LimitReached, ParseError, TableError, Unsupported
from taquin.patterns.index import Index, make_index
from taquin.patterns.kernels import read_values, read_views
from taquin.patterns.packing import cohort_order, pack, row_words, unpack
from taquin.space_memory import free_memory, human, line_steps
from taquin.sweep import Layout, Progress, Stop, lay_out, memory_needed, order_cells, sweep
from taquin.sweep.cohorts import colours, neighbour_masks, size_up
from taquin.sweep.rotations import half_words

U64 = np.uint64
Homes = npt.NDArray[np.uint8]

#: Tells tables of this making from those of another.
ENCODING = 5
#: The arrays of an index that are kept beside the entries.
INDEXED = ("lower", "upper", "sets", "rows", "ranks", "sizes")
#: Boards of more cells have no tables: a view has so many bits for cells.
MOST_CELLS = 40
#: Tiles of a pattern, at most: three bits a label.
MOST_TILES = 8
#: Patterns of a partition, at most.
MOST_PATTERNS = 8


class PatternDatabase:
    """The tables of one pattern, or of several that share no tile.

    Parameters
    ----------
    board : Board
        Of at most 40 cells.
    blank : int
        The blank's goal cell.
    patterns : sequence of sequences of int
        The goal cells of the tiles of each pattern: at most 8 tiles, and 8 patterns.
    arrays : mapping of arrays, optional
        As `arrays` gives them: entries and index of tables that were built before.
    metric : str
        ``"mtm"``: multi-tile moves, of which every one counts, whatever it moves: such values do
        not add, and their maximum is the bound. The blank's cell is part of an entry.

    Attributes
    ----------
    cells : (n,) int64
        cells[inner] = the board's cell: inside, cells are renumbered so that tables are made fast.
    width : int
        Bits an entry: 1 on boards with colours, 2 on others.
    bytes : int
        Of the tables.
    states : (patterns, 4) int64
        Entries of each table that can be reached, by their value modulo 4, or 3 for two bits.
    """

    def __init__(
        self,
        board: Board,
        blank: int,
        patterns: Sequence[Sequence[int]],
        arrays: tables.Arrays | None = None,
        *,
        metric: str = "stm",
    ) -> None:
        self.board, self.blank, self.metric = board, blank, metric
        self.patterns = tuple(tuple(sorted(cells)) for cells in patterns)
        _check(board, blank, self.patterns)
        self.neighbours = [board.neighbours(cell) for cell in range(board.n)]
        order = order_cells(self.neighbours)
        self.cells = np.array(order, np.int64)
        self.place = np.argsort(self.cells)
        tint = colours(self.neighbours)
        self.width = 2 if tint is None or metric == "mtm" else 1
        self.black = sum(1 << int(self.place[c]) for c in range(board.n) if tint and tint[c])
        self.masks = neighbour_masks(self.neighbours, order)
        if arrays is None:
            self.index, self.starts = make_index(self.layouts, self.width)
            self.states = np.zeros((len(self.patterns), 4), np.int64)
            for array in self.index[1:]:  # as those from disk are: kernels are compiled once
                array.flags.writeable = False
            self.entries = np.zeros(self.starts[-1], U64)
        else:
            self._take(arrays)
        self.pattern_of = np.full(board.n, 255, np.uint8)
        self.label_of = np.zeros(board.n, np.uint8)
        for number, cells in enumerate(self.patterns):
            inner = self.place[list(cells)]
            self.pattern_of[inner] = number
            self.label_of[inner] = np.argsort(np.argsort(inner))
        self.goals = self.views(np.arange(board.n, dtype=np.uint8)[None])[0]

    def _take(self, arrays: tables.Arrays) -> None:
        """Take over what `arrays` gave."""
        try:
            self.index = Index(U64(self.board.n // 2), *(arrays[name] for name in INDEXED))
            self.starts = [int(start) for start in arrays["starts"]]
            self.entries, self.states = arrays["entries"], arrays["states"]
            fits = self.entries.shape == (self.starts[-1],) and self.entries.dtype == U64
        except (KeyError, IndexError):
            fits = False
        if not fits:
            raise TableError(
                f"the tables of {self} do not fit their board; remove them with 'taquin tables"
                " clear'"
            )

    @property
    def arrays(self) -> tables.Arrays:
        """What is kept on disk: entries and index."""
        index = {name: getattr(self.index, name) for name in INDEXED}
        starts = np.array(self.starts, np.int64)
        return {"entries": self.entries, "states": self.states, "starts": starts, **index}

    @cached_property
    def layouts(self) -> list[Layout]:
        """The cohorts of each pattern: what building and checking needs."""
        order = tuple(self.cells.tolist())
        walks = self.metric == "stm"
        return [_layout(self.board, cells, self.blank, order, walks) for cells in self.patterns]

    def __str__(self) -> str:
        sizes = "-".join(str(len(cells)) for cells in self.patterns)
        return f"{sizes} on {self.board.spec}, blank's goal {self.blank}"

    @property
    def bytes(self) -> int:
        """Bytes of the tables."""
        return self.entries.nbytes

    @property
    def bits(self) -> npt.NDArray[np.uint8]:
        """The tables as bytes: bit b is bit b & 7 of byte b >> 3."""
        return self.entries.view(np.uint8)

    # -- values ---------------------------------------------------------------------------------

    def views(self, homes: Homes) -> npt.NDArray[np.uint64]:
        """Views (B, patterns) of boards (B, n) by inner cells: the goal of what lies there."""
        views = np.zeros((len(homes), len(self.patterns)), U64)
        read_views(np.ascontiguousarray(homes), self.pattern_of, self.label_of, views)
        return views

    def values(self, homes: npt.ArrayLike) -> npt.NDArray[np.int16]:
        """Return the value of each pattern.

        Parameters
        ----------
        homes : (B, n) integers
            For each cell of the board the goal cell of what lies on it, blank included.

        Returns
        -------
        (B, patterns) int16
            In moves of pattern tiles. Cost: some 20 microseconds a value.

        Raises
        ------
        TableError
            If a table is damaged: no way leads down from an entry.
        """
        values = self.inner_values(self.inner(homes))
        if (values < 0).any():
            raise TableError(f"the table {self} is damaged: an entry has no way to the goal")
        return values

    def inner(self, homes: npt.ArrayLike) -> Homes:
        """Return boards (B, n) by inner cells, and inner goal cells."""
        outer = np.atleast_2d(np.asarray(homes))
        inner: Homes = self.place[outer[:, self.cells]].astype(np.uint8)
        return inner

    def inner_values(self, inner: Homes) -> npt.NDArray[np.int16]:
        """Return the values of `inner` boards; -1 where no way leads down to the goal."""
        blanks = np.argmax(inner == self.place[self.blank], axis=1).astype(np.uint8)
        values = np.zeros((len(inner), len(self.patterns)), np.int16)
        read_values(self.views(inner), blanks, values, *self._tables)
        return values

    @property
    def _tables(self) -> tuple[Any, ...]:
        """What `taquin.patterns.kernels.read_values` takes after boards and values."""
        goal_blank = U64(self.place[self.blank])
        known = (self.goals, goal_blank, self.masks, U64(self.black), self.bits, U64(self.width))
        return (*known, *self.index)

    # -- making ---------------------------------------------------------------------------------

    @classmethod
    def build(
        cls,
        board: Board,
        blank: int,
        patterns: Sequence[Sequence[int]],
        *,
        metric: str = "stm",
        workers: int | None = None,
        memory_limit: int | None = None,
        progress: Callable[[float], object] | None = None,
        stop: Stop | None = None,
    ) -> PatternDatabase:
        """Make the tables, by a sweep for each pattern.

        Parameters
        ----------
        workers : int, optional
            Threads; one a processor if not given.
        memory_limit : int, optional
            Bytes; what is free if not given.
        progress : callable, optional
            Called after every level with the part that is done, 0 .. 1.
        stop : Stop, optional
            Ends the work from another thread.

        Raises
        ------
        LimitReached
            If memory does not suffice, before any is taken; or on a stop.

        Notes
        -----
        Cost: about 400 million entries a second on two cores, and three times the table's memory.
        """
        made = cls.__new__(cls)
        _check(board, blank, patterns)
        require_room(board, patterns, metric, memory_limit)
        made.__init__(board, blank, patterns, metric=metric)  # type: ignore[misc]
        work = [factorial(layout.k) * layout.rows for layout in made.layouts]
        for number, layout in enumerate(made.layouts):
            before = sum(work[:number])

            def tell(state: Progress, before: int = before, part: int = work[number]) -> None:
                if progress is not None:
                    progress((before + state.fraction * part) / sum(work))

            swept = sweep(
                made.neighbours,
                made.patterns[number],
                blank,
                lines=line_steps(board) if metric == "mtm" else None,
                record=True,
                workers=workers,
                progress=tell,
                stop=stop,
            )
            if not swept.finished or swept.table is None:
                raise LimitReached(f"the tables {made} were stopped; they are not kept")
            modulus = 4 if made.width == 1 else 3
            for depth, count in enumerate(swept.counts):
                made.states[number, depth % modulus] += count
            pack(swept.table.planes, layout.k, cohort_order(layout), made.table(number))
        made.entries.flags.writeable = False
        return made

    def table(self, number: int) -> npt.NDArray[np.uint64]:
        """The table of one pattern, (k!, words of a row): a part of `entries`."""
        rows = factorial(len(self.patterns[number]))
        return self.entries[self.starts[number] : self.starts[number + 1]].reshape(rows, -1)

    def planes(self, number: int) -> npt.NDArray[np.uint64]:
        """The same as a sweep records it (`taquin.sweep.Table`): a copy."""
        layout = self.layouts[number]
        planes = np.zeros((self.width, layout.rows, 2 * half_words(layout.k)), U64)
        unpack(self.table(number), layout.k, cohort_order(layout), planes)
        return planes

    def verify(self, *, workers: int | None = None) -> None:
        """Check the tables without trusting how they were made: see `taquin.patterns.checking`.

        Raises
        ------
        TableError
            If an entry is wrong; the message says which check failed.
        """
        from taquin.patterns.checking import check

        check(self, workers=workers)

    # -- keeping --------------------------------------------------------------------------------

    @property
    def key(self) -> dict[str, Any]:
        """What tells these tables from all others."""
        return table_key(self.board, self.blank, self.patterns, self.metric)


def table_key(
    board: Board, blank: int, patterns: Sequence[Sequence[int]], metric: str = "stm"
) -> dict[str, Any]:
    """Return what tells the tables of these patterns from all others."""
    return {
        "board": board.spec,
        "blank": blank,
        "metric": metric,
        "patterns": [sorted(int(cell) for cell in cells) for cells in patterns],
        "encoding": ENCODING,
        "order": order_cells([board.neighbours(cell) for cell in range(board.n)]),
    }


def obtain(
    board: Board,
    blank: int,
    patterns: Sequence[Sequence[int]],
    metric: str = "stm",
    **options: Any,
) -> PatternDatabase:
    """Return the tables from disk, or build them (`PatternDatabase.build`) and keep them."""
    built: list[PatternDatabase] = []

    def build() -> tables.Arrays:
        built.append(PatternDatabase.build(board, blank, patterns, metric=metric, **options))
        return built[0].arrays

    _check(board, blank, patterns)
    key = table_key(board, blank, patterns, metric)
    if not tables.path_of("patterns", key).exists():
        require_room(board, patterns, metric, options.get("memory_limit"))
    arrays = tables.obtain("patterns", key, build)
    return built[0] if built else PatternDatabase(board, blank, patterns, arrays, metric=metric)


def stored(path: Path, key: Mapping[str, Any]) -> PatternDatabase:
    """Return the tables of a file, by what its header says of them.

    Raises
    ------
    TableError
        If the file is damaged, of an older making, or of a board that its name does not tell.
    """
    arrays = tables.load(path, "patterns", key)
    try:
        board = Board.parse(key["board"])
        blank, patterns, metric = int(key["blank"]), key["patterns"], key["metric"]
        made = PatternDatabase(board, blank, patterns, arrays, metric=metric)
    except (KeyError, TypeError, ParseError, InvalidBoard, Unsupported) as error:
        raise TableError(f"{path} has a header that cannot be used: {error}") from None
    if made.key != key:
        raise TableError(f"{path} was made by another version of this program")
    return made


def require_room(
    board: Board, patterns: Sequence[Sequence[int]], metric: str, memory_limit: int | None
) -> None:
    """Raise LimitReached if building these tables takes more memory than there is."""
    need = building_bytes(board, patterns, metric)
    limit = free_memory() if memory_limit is None else memory_limit
    if need > limit:
        raise LimitReached(
            f"the pattern databases take {human(need)} of memory to build and {human(limit)}"
            " may be used: allow more, or take smaller patterns or a smaller board"
        )


def building_bytes(board: Board, patterns: Sequence[Sequence[int]], metric: str = "stm") -> int:
    """Bytes of memory that building takes at most: all tables, and the largest sweep."""
    if metric == "mtm":
        n, layers = board.n, 6 + len(board.directions)
        rows = [8 * comb(n, len(p)) * (n - len(p)) * half_words(len(p)) * 2 for p in patterns]
        return 2 * sum(rows) + layers * max(rows)
    neighbours = [board.neighbours(cell) for cell in range(board.n)]
    width = 2 if colours(neighbours) is None else 1
    sizes = {len(cells): size_up(neighbours, len(cells))[0] for cells in patterns}
    kept = sum(
        8 * factorial(len(cells)) * row_words(sizes[len(cells)]) * width for cells in patterns
    )
    return kept + max(memory_needed(neighbours, cells, record=True) for cells in patterns)


@lru_cache(maxsize=32)
def _layout(
    board: Board, cells: tuple[int, ...], blank: int, order: tuple[int, ...], walks: bool
) -> Layout:
    neighbours = [board.neighbours(cell) for cell in range(board.n)]
    return lay_out(neighbours, cells, blank, order, walks=walks)


def _check(board: Board, blank: int, patterns: Sequence[Sequence[int]]) -> None:
    n = board.n
    cells = [cell for pattern in patterns for cell in pattern]
    if n > MOST_CELLS:
        raise Unsupported(f"pattern databases take boards of up to {MOST_CELLS} cells; got {n}")
    if not patterns or len(patterns) > MOST_PATTERNS:
        raise Unsupported(f"expected 1 to {MOST_PATTERNS} patterns; got {len(patterns)}")
    if not all(0 < len(pattern) <= MOST_TILES for pattern in patterns):
        sizes = [len(pattern) for pattern in patterns]
        raise Unsupported(f"a pattern has 1 to {MOST_TILES} tiles; got {sizes}")
    if n - 1 in map(len, patterns):
        raise Unsupported(
            f"a pattern of all {n - 1} tiles is the whole space: see 'explore' and 'tables build'"
        )
    if not all(0 <= cell < n for cell in [*cells, blank]):
        raise Unsupported(f"goal cells are in 0..{n - 1}; got {sorted(cells)}, {blank}")
    if len({*cells, blank}) <= len(cells):
        raise Unsupported(
            "patterns that share a tile do not add, and the blank is in none; got"
            f" {[list(pattern) for pattern in patterns]} with the blank's goal {blank}"
        )
