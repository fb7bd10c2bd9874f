"""What every board can answer, and the ways to make one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from taquin.errors import InvalidBoard, quote
from taquin.graphs import breadth_first, column, on
from taquin.jit import worth_compiling

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
        from taquin.board.grid import GridBoard

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
        from taquin.board.walls import WallBoard

        return WallBoard(text)

    @staticmethod
    def from_edges(edges: Iterable[Sequence[int]], n: int | None = None) -> Board:
        """Make a board from pairs of cells; repeated pairs and their reversals count once.

        Raises
        ------
        InvalidBoard
            If a pair is not two different cells >= 0, or the graph is not connected.
        """
        from taquin.board.graph import GraphBoard

        return GraphBoard(edges, n)

    @staticmethod
    def from_networkx(graph: Any) -> Board:
        """Make a board from an undirected NetworkX graph; cell i is the i-th of ``graph.nodes``."""
        from taquin.board.graph import GraphBoard

        if graph.is_directed():
            raise InvalidBoard("a board needs an undirected graph; got a directed one")
        number = {node: i for i, node in enumerate(graph.nodes)}
        edges = ((number[a], number[b]) for a, b in graph.edges() if a != b)
        return GraphBoard(edges, len(number))

    @staticmethod
    def parse(spec: str) -> Board:
        """Read what `spec` writes: ``3x3``, ``4x4:torus``, ``3x5:wrap1``, ``walls:..#|...``,
        ``graph:0-1,1-2,2-0``.

        >>> Board.parse("3x5:wrap1") == Board.grid(3, 5, wrap=(1,))
        True
        """
        from taquin.board.spec import parse_board

        board, rest = parse_board(spec.split(":"))
        if rest:
            raise InvalidBoard(
                f"cannot read {quote(rest[0])} in the board {quote(spec)}: after the size only"
                " 'torus' or 'wrap' with the numbers of the axes may follow"
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
        distances, _ = self._breadth_first(0)
        if not worth_compiling(self.n):
            colours = bytes(d & 1 for d in distances)
            cells = range(self.n)
            proper = all(colours[a] != colours[b] for a in cells for b in self.neighbours(a))
            return colours if proper else None
        import numpy as np

        indptr, indices = self.csr()
        shades = np.asarray(distances) & 1
        proper = bool((np.repeat(shades, np.diff(indptr)) != shades[indices]).all())
        return shades.astype(np.uint8).tobytes() if proper else None

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
        indptr, indices = [0], list[int]()
        for cell in range(self.n):
            indices.extend(self.neighbours(cell))
            indptr.append(len(indices))
        return indptr, indices

    def compressed(self, heavy: bool) -> tuple[Any, Any]:
        """Return `csr` as arrays for compiled walks (`heavy`), as lists for plain ones."""
        return self.csr() if heavy else self._lists

    def _breadth_first(self, start: int) -> tuple[Sequence[int], Sequence[int]]:
        """The distance of every cell from `start`, and the cell before it on the way; or -1."""
        heavy = worth_compiling(self.n)
        distance, parent = column(self.n, -1, heavy), column(self.n, -1, heavy)
        on(breadth_first, self.n, heavy)(*self.compressed(heavy), start, distance, parent)
        return distance, parent

    def _check_connected(self) -> None:
        distances, _ = self._breadth_first(0)
        if min(distances) < 0:
            lost = list(distances).index(-1)
            raise InvalidBoard(
                f"the board is not connected: no way leads from cell 0 to cell {lost}; use one"
                " board for each part"
            )

    def _seal(self) -> None:
        """Refuse every change from now on; the last line of each constructor."""
        self.__dict__["_sealed"] = True

    def __setattr__(self, name: str, value: object) -> None:
        if "_sealed" in self.__dict__:
            raise AttributeError(f"a Board never changes: cannot set {name!r}; make a new Board")
        super().__setattr__(name, value)

    def __len__(self) -> int:
        return self.n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self is other or self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)


def whole_number(value: Any) -> int:
    """Return an int from an int or a NumPy integer; anything else is a TypeError."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{value!r} is not a whole number")
    return int(value.__index__())
