"""Boards: the graph of cells on which tiles slide.

Cells are the integers 0..n-1 in reading order, the last axis fastest. A board is a grid of any
number of axes (each may wrap around), a drawing with walls, or any connected graph. The
neighbours of a cell come in the order U L R D F B::

                 U                      F: to the layer before (smaller number)
                 |                      B: to the layer behind (larger number)
            L -- + -- R
                 |                      letters name the way the BLANK goes
                 D

Boards are immutable. Everything is computed from coordinates when asked for, so that a board of
a million cells costs nothing to make; whole tables come as NumPy arrays (`Board.csr`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, overload

from taquin.errors import InvalidBoard
from taquin.graphs import breadth_first, compiled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: letter, axis counted from the last one, step
DIRECTIONS = (("U", 2, -1), ("L", 1, -1), ("R", 1, 1), ("D", 2, 1), ("F", 3, -1), ("B", 3, 1))
OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L", "F": "B", "B": "F"}

MAX_CELLS = 100_000_000
# Up to this many cells the moves of every cell are kept after the first question.
_KEEP_MOVES = 10_000

Move = tuple[str, int]


class Board:
    """A connected graph of cells; make one with `grid`, `draw`, `from_edges`, `from_networkx`.

    Attributes
    ----------
    n : int
        The number of cells.
    shape : tuple of int or None
        The lengths of the axes; of the drawing, for a board with walls; None for a graph.
    directions : str
        The move letters of this board in the order of its neighbours; empty where moves have no
        direction (graphs, more than three axes) and are named by the cell the blank goes to.

    Examples
    --------
    >>> board = Board.grid(3, 3)
    >>> board.moves(0)
    (('R', 1), ('D', 3))
    >>> Board.grid(3, 3, wrap=(0, 1)).neighbours(0)
    (6, 2, 1, 3)
    """

    n: int
    shape: tuple[int, ...] | None = None
    directions: str = ""

    # -- making boards -------------------------------------------------------------------------

    @staticmethod
    def grid(*shape: int, wrap: Iterable[int] = ()) -> Board:
        """Make a grid of any number of axes: ``grid(4, 4)``, ``grid(3, 3, 3)``, ``grid(5)``.

        Parameters
        ----------
        *shape : int
            The length of each axis: layers, rows, columns; the last axis is the fastest.
        wrap : iterable of int
            The axes that close to a ring; ``wrap=(0, 1)`` makes a 2-D grid a torus.

        Raises
        ------
        InvalidBoard
            If a length is below 1, the board is larger than 10^8 cells, or an axis is unknown.
        """
        return GridBoard(shape, wrap)

    @staticmethod
    def draw(text: str) -> Board:
        """Make a board from a drawing: ``#`` is a wall, any other mark (``.``) a cell.

        Lines (or parts between ``|`` or ``/``) are rows; a short row is filled up with walls.

        >>> Board.draw('''
        ... ...
        ... .#.
        ... ...
        ... ''').n
        8
        """
        return WallBoard(text)

    @staticmethod
    def from_edges(edges: Iterable[Sequence[int]], n: int | None = None) -> Board:
        """Make a board from pairs of cells; repeated pairs and their reversals count once.

        Raises
        ------
        InvalidBoard
            If a pair is not two different cells >= 0, or the graph is not connected.
        """
        return GraphBoard(edges, n)

    @staticmethod
    def from_networkx(graph: Any) -> Board:
        """Make a board from an undirected NetworkX graph; cell i is the i-th of ``graph.nodes``."""
        number = {node: i for i, node in enumerate(graph.nodes)}
        edges = ((number[a], number[b]) for a, b in graph.edges if a != b)
        return GraphBoard(edges, len(number))

    @staticmethod
    def parse(spec: str) -> Board:
        """Read what `spec` writes: ``3x3``, ``4x4:torus``, ``3x5:wrap1``, ``walls:..#|...``,
        ``graph:0-1,1-2,2-0``.

        >>> Board.parse("3x5:wrap1") == Board.grid(3, 5, wrap=(1,))
        True
        """
        board, rest = parse_board(spec.split(":"))
        if rest:
            raise InvalidBoard(
                f"cannot read {rest[0]!r} in the board {spec!r}: after the size only 'torus' or"
                " 'wrap' with the numbers of the axes may follow"
            )
        return board

    # -- asking --------------------------------------------------------------------------------

    @property
    def spec(self) -> str:
        """The text that `parse` reads back."""
        raise NotImplementedError

    @property
    def _key(self) -> tuple[object, ...]:
        raise NotImplementedError

    def _moves(self, cell: int) -> tuple[Move, ...]:
        raise NotImplementedError

    def moves(self, cell: int) -> tuple[Move, ...]:
        """Return (letter, cell) for every move of a blank on `cell`, in the order U L R D F B.

        Where moves have no direction the letter is the number of the cell. On a ring of two
        cells both directions lead to the same place: only the first is listed.
        """
        return self._kept[cell] if self.n <= _KEEP_MOVES else self._moves(cell)

    @cached_property
    def _kept(self) -> tuple[tuple[Move, ...], ...]:
        return tuple(self._moves(cell) for cell in range(self.n))

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the neighbours of `cell`, each once, in the order U L R D F B."""
        return tuple(to for _, to in self.moves(cell))

    def step(self, cell: int, letter: str) -> int | None:
        """Return where a blank on `cell` goes by `letter`, or None at the border."""
        for name, to in self.moves(cell):
            if name == letter:
                return to
        return None

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield every pair of neighbours once, the smaller cell first."""
        for cell in range(self.n):
            for other in sorted(self.neighbours(cell)):
                if cell < other:
                    yield cell, other

    @cached_property
    def colours(self) -> Sequence[int] | None:
        """A colour 0 or 1 for each cell, so that neighbours differ; None if there is none."""
        distance, _ = self._breadth_first(0)
        indptr, indices = self._lists
        for cell in range(self.n):
            for e in range(indptr[cell], indptr[cell + 1]):
                if (distance[cell] + distance[indices[e]]) % 2 == 0:
                    return None
        return tuple(int(d) & 1 for d in distance)

    @property
    def bipartite(self) -> bool:
        """Whether the cells can be coloured like a chess board."""
        return self.colours is not None

    def coordinates(self, cell: int) -> tuple[int, ...]:
        """Return the place of `cell` on each axis; on a graph, the cell itself."""
        return (cell,)

    def distance(self, start: int, end: int) -> int:
        """Return the number of steps of a shortest walk between two cells."""
        return int(self.distances(start)[end])

    def distances(self, start: int) -> Sequence[int]:
        """Return the number of steps from `start` to every cell. Cost: O(n + edges)."""
        return self._breadth_first(start)[0]

    def path(self, start: int, end: int) -> list[int]:
        """Return the cells of a shortest walk, without `start` and with `end`."""
        _, parent = self._breadth_first(end)
        walk = []
        while start != end:
            start = int(parent[start])
            walk.append(start)
        return walk

    def csr(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the neighbours of all cells as two arrays ``indptr`` (n + 1) and ``indices``.

        The neighbours of cell ``c`` are ``indices[indptr[c]:indptr[c + 1]]``, in the order of
        `neighbours`. Cost: vectorised, O(n + edges).
        """
        import numpy as np

        indptr, indices = self._lists
        return np.asarray(indptr, np.int64), np.asarray(indices, np.int64)

    @cached_property
    def _lists(self) -> tuple[Sequence[int], Sequence[int]]:
        """The compressed neighbours as lists, for small boards and plain loops."""
        indptr, indices = [0], []
        for cell in range(self.n):
            indices.extend(self.neighbours(cell))
            indptr.append(len(indices))
        return indptr, indices

    def _breadth_first(self, start: int) -> tuple[Sequence[int], Sequence[int]]:
        walk = compiled(breadth_first, self.n)
        if walk is breadth_first:
            distance, parent = [-1] * self.n, [-1] * self.n
            walk(*self._lists, start, distance, parent)
            return distance, parent
        import numpy as np

        distances, parents = np.full(self.n, -1, np.int64), np.full(self.n, -1, np.int64)
        walk(*self.csr(), start, distances, parents)
        return distances, parents  # type: ignore[return-value]  # arrays serve as sequences

    def _check_connected(self) -> None:
        distance, _ = self._breadth_first(0)
        lost = next((cell for cell, d in enumerate(distance) if d < 0), None)
        if lost is not None:
            raise InvalidBoard(
                f"the board is not connected: no way leads from cell 0 to cell {lost}; use one"
                " board for each part"
            )

    def __len__(self) -> int:
        return self.n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self is other or self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)


class GridBoard(Board):
    """A grid of any number of axes, each of which may wrap around; see `Board.grid`."""

    shape: tuple[int, ...]

    def __init__(self, shape: Sequence[int], wrap: Iterable[int] = ()) -> None:
        try:
            self.shape = tuple(_integer(length) for length in shape)
            axes = sorted({_integer(axis) for axis in wrap})
        except TypeError as error:
            raise InvalidBoard(f"lengths and axes are whole numbers: {error}") from None
        if not self.shape or min(self.shape) < 1:
            raise InvalidBoard(
                f"a grid needs one or more lengths of at least 1, such as 4x4; got"
                f" {'x'.join(map(str, self.shape)) or 'none'}"
            )
        self.n = prod(self.shape)
        if self.n > MAX_CELLS:
            raise InvalidBoard(f"a board of {self.n:,} cells is too large: {MAX_CELLS:,} at most")
        if axes and not 0 <= axes[0] <= axes[-1] < len(self.shape):
            raise InvalidBoard(
                f"cannot wrap axes {axes}: this board has the axes 0 to {len(self.shape) - 1}"
            )
        # A ring of one or two cells has the same neighbours as a line.
        self.wrap = tuple(axis for axis in axes if self.shape[axis] > 2)
        self.strides = tuple(prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))
        named = [letter for letter, back, _ in DIRECTIONS if back <= len(self.shape)]
        self.directions = "".join(named) if len(self.shape) <= 3 else ""
        self._ways = self._make_ways()

    def _make_ways(self) -> tuple[tuple[str, int, int], ...]:
        """(letter, axis, step) in the order of the neighbours; axes beyond three have no letter."""
        axes = len(self.shape)
        named = [(letter, axes - back, step) for letter, back, step in DIRECTIONS if back <= axes]
        more = [("", axis, step) for axis in range(axes - 4, -1, -1) for step in (-1, 1)]
        return tuple(named + more)

    def _moves(self, cell: int) -> tuple[Move, ...]:
        place = self.coordinates(cell)
        found: dict[int, str] = {}
        for letter, axis, step in self._ways:
            length, here = self.shape[axis], place[axis]
            there = here + step
            if not 0 <= there < length:
                if axis not in self.wrap:
                    continue
                there %= length
            to = cell + (there - here) * self.strides[axis]
            found.setdefault(to, letter if self.directions else str(to))
        return tuple((letter, to) for to, letter in found.items())

    @property
    def spec(self) -> str:
        size = "x".join(map(str, self.shape))
        if not self.wrap:
            return size
        if self.wrap == tuple(axis for axis, length in enumerate(self.shape) if length > 2):
            return size + ":torus"
        return size + ":wrap" + ",".join(map(str, self.wrap))

    @property
    def _key(self) -> tuple[object, ...]:
        return "grid", self.shape, self.wrap

    def __repr__(self) -> str:
        wrap = f", wrap={self.wrap}" if self.wrap else ""
        return f"Board.grid({', '.join(map(str, self.shape))}{wrap})"

    @cached_property
    def colours(self) -> Sequence[int] | None:
        if any(self.shape[axis] % 2 for axis in self.wrap):
            return None
        row = bytes([0, 1]) * ((self.shape[-1] + 1) // 2)
        row = row[: self.shape[-1]]
        for length in reversed(self.shape[:-1]):
            other = row.translate(bytes([1, 0]) + bytes(254))
            row = ((row + other) * ((length + 1) // 2))[: length * len(row)]
        return row

    def coordinates(self, cell: int) -> tuple[int, ...]:
        return tuple(
            cell // stride % length
            for stride, length in zip(self.strides, self.shape, strict=True)
        )

    def cell(self, *place: int) -> int:
        """Return the cell at the given place, one number an axis."""
        return sum(at * stride for at, stride in zip(place, self.strides, strict=True))

    def distance(self, start: int, end: int) -> int:
        return sum(
            min(abs(gap), length - abs(gap)) if axis in self.wrap else abs(gap)
            for axis, (gap, length) in enumerate(zip(self._gaps(start, end), self.shape, strict=True))
        )

    def _gaps(self, start: int, end: int) -> list[int]:
        return [
            b - a for a, b in zip(self.coordinates(start), self.coordinates(end), strict=True)
        ]

    def path(self, start: int, end: int) -> list[int]:
        """Walk axis by axis, the first axis first."""
        walk, cell = [], start
        for axis, gap in enumerate(self._gaps(start, end)):
            length, stride = self.shape[axis], self.strides[axis]
            if axis in self.wrap and 2 * abs(gap) > length:
                gap -= length if gap > 0 else -length
            for _ in range(abs(gap)):
                at = cell // stride % length
                cell += ((at + (1 if gap > 0 else -1)) % length - at) * stride
                walk.append(cell)
        return walk

    def csr(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        cells = np.arange(self.n, dtype=np.int64)
        targets = np.full((self.n, len(self._ways)), -1, np.int64)
        for way, (_, axis, step) in enumerate(self._ways):
            length, stride = self.shape[axis], self.strides[axis]
            if length == 1:
                continue
            here = cells // stride % length
            there = here + step
            inside = (there >= 0) & (there < length)
            if axis in self.wrap:
                there, inside = there % length, np.ones(self.n, bool)
            targets[inside, way] = (cells + (there - here) * stride)[inside]
        exists = targets >= 0
        indptr = np.concatenate([[0], np.cumsum(exists.sum(axis=1))])
        return indptr.astype(np.int64), targets[exists]


class WallBoard(Board):
    """A two-dimensional grid with walls; see `Board.draw`."""

    shape: tuple[int, int]
    directions = "ULRD"

    def __init__(self, drawing: str) -> None:
        lines = drawing.replace("|", "\n").replace("/", "\n").splitlines()
        rows = [line.strip() for line in lines if line.strip()]
        if not any(set(row) - {"#"} for row in rows):
            raise InvalidBoard("a drawing needs at least one cell: '.' is a cell, '#' a wall")
        width = max(map(len, rows))
        self.rows = tuple(
            "".join("#" if mark == "#" else "." for mark in row.ljust(width, "#")) for row in rows
        )
        self.shape = len(rows), width
        places = [i for i, mark in enumerate("".join(self.rows)) if mark == "."]
        self._place = places
        self._cell_at = {place: cell for cell, place in enumerate(places)}
        self.n = len(places)
        self._check_connected()

    def _moves(self, cell: int) -> tuple[Move, ...]:
        (height, width), place = self.shape, self._place[cell]
        row, column = divmod(place, width)
        ways = (
            ("U", place - width, row > 0),
            ("L", place - 1, column > 0),
            ("R", place + 1, column < width - 1),
            ("D", place + width, row < height - 1),
        )
        return tuple(
            (letter, self._cell_at[to]) for letter, to, inside in ways if inside and to in self._cell_at
        )

    @property
    def spec(self) -> str:
        return "walls:" + "|".join(self.rows)

    @property
    def _key(self) -> tuple[object, ...]:
        return "walls", self.rows

    def __repr__(self) -> str:
        return f"Board.draw({'|'.join(self.rows)!r})"

    def coordinates(self, cell: int) -> tuple[int, ...]:
        return divmod(self._place[cell], self.shape[1])


class GraphBoard(Board):
    """Any connected graph; see `Board.from_edges`."""

    def __init__(self, edges: Iterable[Sequence[int]], n: int | None = None) -> None:
        pairs = set()
        for edge in edges:
            try:
                a, b = (_integer(end) for end in edge)
            except (TypeError, ValueError):
                raise InvalidBoard(f"an edge is a pair of cells; got {edge!r}") from None
            if a < 0 or b < 0 or a == b:
                raise InvalidBoard(
                    f"an edge joins two different cells numbered from 0; got {a} and {b}"
                )
            pairs.add((min(a, b), max(a, b)))
        self.n = max((b for _, b in pairs), default=0) + 1 if n is None else n
        beyond = next((edge for edge in pairs if edge[1] >= self.n), None)
        if self.n < 1 or beyond:
            raise InvalidBoard(f"edge {beyond} names a cell beyond the {self.n} cells given")
        if self.n > MAX_CELLS:
            raise InvalidBoard(f"a board of {self.n:,} cells is too large: {MAX_CELLS:,} at most")
        self._edges = tuple(sorted(pairs))
        near: list[list[int]] = [[] for _ in range(self.n)]
        for a, b in self._edges:
            near[a].append(b)
            near[b].append(a)
        self._near = near
        self._check_connected()

    def _moves(self, cell: int) -> tuple[Move, ...]:
        return tuple((str(to), to) for to in sorted(self._near[cell]))

    def edges(self) -> Iterator[tuple[int, int]]:
        return iter(self._edges)

    @property
    def spec(self) -> str:
        return "graph:" + (",".join(f"{a}-{b}" for a, b in self._edges) or "1")

    @property
    def _key(self) -> tuple[object, ...]:
        return "graph", self.n, self._edges

    def __repr__(self) -> str:
        return f"Board.from_edges({list(self._edges)}{'' if self._edges else ', 1'})"


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
            f"cannot read the board {':'.join(parts)!r}: expected a size such as 4x4 or 3x3x3,"
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
            raise InvalidBoard(f"'wrap' needs numbers of axes, such as wrap0,1; got {axes!r}") from None
    return Board.grid(*shape, wrap=wrap), rest


def _parse_graph(text: str) -> Board:
    if text.strip() == "1":
        return Board.from_edges([], 1)
    try:
        edges = [tuple(map(int, pair.split("-"))) for pair in text.split(",")]
    except ValueError:
        raise InvalidBoard(
            f"cannot read the edges {text!r}: expected pairs such as 0-1,1-2,2-0"
        ) from None
    return Board.from_edges(edges)


@overload
def _integer(value: int) -> int: ...
@overload
def _integer(value: object) -> int: ...
def _integer(value: Any) -> int:
    """Return an int from an int or a NumPy integer; anything else is a TypeError."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{value!r} is not a whole number")
    return int(value.__index__())
