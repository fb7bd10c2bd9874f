"""Any connected graph as a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from taquin.board.base import MAX_CELLS, Board, Move, whole_number
from taquin.errors import InvalidBoard, quote


class GraphBoard(Board):
    """Any connected graph; see `Board.from_edges`."""

    def __init__(self, edges: Iterable[Sequence[int]], n: int | None = None) -> None:
        pairs = set()
        if not isinstance(edges, Iterable):
            raise InvalidBoard(f"edges are pairs of cells; got {quote(edges)}")
        for edge in edges:
            try:
                a, b = (whole_number(end) for end in edge)
            except (TypeError, ValueError):
                raise InvalidBoard(f"an edge is a pair of cells; got {quote(edge)}") from None
            if a < 0 or b < 0 or a == b:
                raise InvalidBoard(
                    f"an edge joins two different cells numbered from 0; got {a} and {b}"
                )
            pairs.add((min(a, b), max(a, b)))
        self.n = max((b for _, b in pairs), default=0) + 1 if n is None else n
        beyond = next((edge for edge in pairs if edge[1] >= self.n), None)
        if self.n < 1:
            raise InvalidBoard("a board has at least one cell; this graph has none")
        if beyond:
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
        self._seal()

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
