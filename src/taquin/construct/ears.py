"""A 2-connected graph as a small core and ears that are added to it one after the other.

An *ear* is a path outside, both of whose ends are joined to two different cells inside. Adding it
keeps the inside 2-connected, and every 2-connected graph grows so from any of its rings (Whitney
1932). `taquin.construct.graph` takes the ears away in the opposite order.

A *theta* is a ring and one ear: three paths between two hubs. It is what tiles need to be mixed
(Wilson 1974), and the core is one of the smallest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

Near = Sequence[Sequence[int]]
Edge = tuple[int, int]

# Cores of at most so many cells are solved by a search through their states.
SMALL = 8
# A theta of at most so many cells is taken at once; after so many tries any small one is.
FEW, TRIES = 6, 20


@dataclass(frozen=True)
class Ear:
    """A path of cells `cells`, whose first is joined to `x` and whose last to `y`, both inside.

    `odd` is true for the ear that closes the first ring of odd length.
    """

    cells: tuple[int, ...]
    x: int
    y: int
    odd: bool = False


@dataclass(frozen=True)
class Theta:
    """Three paths between the hubs `x` and `y`, the shortest first; only it may be empty."""

    x: int
    y: int
    paths: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

    @property
    def cells(self) -> tuple[int, ...]:
        """All its cells."""
        return (self.x, self.y, *(cell for path in self.paths for cell in path))

    @property
    def zero(self) -> bool:
        """Whether it is theta-0, Wilson's exception: 1, 2 and 2 cells on the paths."""
        return [len(path) for path in self.paths] == [1, 2, 2]


# -- the core -----------------------------------------------------------------------------------


def find_core(near: Near, block: Collection[int], entry: int) -> Theta | tuple[int, ...]:
    """Return the cells of a small core of a 2-connected graph that is no ring and not theta-0.

    A tuple of at most `SMALL` cells, whose own group is as large as parity allows; or a larger
    theta, for which the same holds.

    Parameters
    ----------
    near : sequence of sequences of int
        The neighbours of each cell of the whole board.
    block : set of int
        The cells of the graph.
    entry : int
        The core is looked for from here outwards.

    Notes
    -----
    Each hub is asked for its shortest ring and that ring's shortest ear, until a theta of six
    cells is found; O(hubs times the cells that these two searches visit).
    """
    best: Theta | tuple[int, ...] | None = None
    exception: Theta | None = None
    tries = 0
    for hub in _outwards(near, block, entry):
        if sum(cell in block for cell in near[hub]) < 3:
            continue
        theta = _theta_at(near, block, hub)
        tries += 1
        if theta.zero and len(_edges(near, theta.cells)) == 8:
            exception = theta
        elif best is None or len(theta.cells) < len(_cells(best)):
            best = theta.cells if len(theta.cells) <= SMALL else theta
        size = SMALL + 1 if best is None else len(_cells(best))
        if size <= FEW or (size <= SMALL and tries >= TRIES):
            break
    if best is None:
        assert exception is not None, "a block that is no ring has a hub"
        best = _beyond_theta_zero(near, block, exception)
    return best


def _cells(core: Theta | tuple[int, ...]) -> tuple[int, ...]:
    return core.cells if isinstance(core, Theta) else core


def _outwards(near: Near, block: Collection[int], entry: int) -> Iterable[int]:
    seen, queue = {entry}, [entry]
    for cell in queue:
        yield cell
        for other in near[cell]:
            if other in block and other not in seen:
                seen.add(other)
                queue.append(other)


def _theta_at(near: Near, block: Collection[int], hub: int) -> Theta:
    """Return a theta: a shortest ring through `hub`, and a shortest ear on it."""
    first = [cell for cell in near[hub] if cell in block]
    way, _, _ = _bridge(near, block, {hub}, [(cell, cell) for cell in first])
    ring = [hub, *way]
    place = {cell: i for i, cell in enumerate(ring)}
    chords = (
        (cell, other)
        for cell in ring
        for other in near[cell]
        if other in place and (place[other] - place[cell]) % len(ring) not in (1, len(ring) - 1)
    )
    ear: list[int] = []
    ends = next(chords, None)
    if ends is None:
        sources = [
            (other, cell)
            for cell in ring
            for other in near[cell]
            if other in block and other not in place
        ]
        ear, *hubs = _bridge(near, block, place, sources)
        ends = hubs[0], hubs[1]
    x, y = ends
    turned = ring[place[x] :] + ring[: place[x]]
    cut = turned.index(y)
    return _theta(x, y, (ear, turned[1:cut], turned[:cut:-1]))


def _theta(x: int, y: int, paths: Iterable[Sequence[int]]) -> Theta:
    short, middle, long = sorted(map(tuple, paths), key=len)
    return Theta(x, y, (short, middle, long))


def _bridge(
    near: Near, block: Collection[int], inside: Collection[int], sources: Iterable[Edge]
) -> tuple[list[int], int, int]:
    """Return a shortest path outside between two different roots, and these.

    `sources` are pairs (a cell outside, its root): a search breadth first from all of them at
    once ends where two roots meet.
    """
    root: dict[int, int] = {}
    back: dict[int, int] = {}
    for cell, source in sources:
        if root.setdefault(cell, source) != source:
            return [cell], root[cell], source
    queue = list(root)
    for cell in queue:
        for other in near[cell]:
            if other not in block or other in inside:
                continue
            if other not in root:
                root[other], back[other] = root[cell], cell
                queue.append(other)
            elif root[other] != root[cell]:
                path = [*_trace(back, cell)[::-1], *_trace(back, other)]
                return path, root[cell], root[other]
    raise AssertionError("the block is 2-connected")


def _trace(back: dict[int, int], cell: int) -> list[int]:
    way = [cell]
    while way[-1] in back:
        way.append(back[way[-1]])
    return way


def _edges(near: Near, cells: Iterable[int]) -> list[Edge]:
    inside = set(cells)
    return [(a, b) for a in inside for b in near[a] if b in inside and a < b]


def _beyond_theta_zero(
    near: Near, block: Collection[int], exception: Theta
) -> Theta | tuple[int, ...]:
    """Return a core of a graph in which only theta-0 was found: it and one more ear.

    Where that ear is long, the smallest theta in the two that uses it instead of another path.
    """
    inside = set(exception.cells)
    sources = [
        (other, cell)
        for cell in exception.cells
        for other in near[cell]
        if other in block and other not in inside
    ]
    ear, x, y = _bridge(near, block, inside, sources)
    if len(inside) + len(ear) <= SMALL:
        return (*exception.cells, *ear)
    paths = [(exception.x, *path, exception.y) for path in exception.paths]
    edges = {tuple(sorted(edge)) for path in (*paths, (x, *ear, y)) for edge in pairwise(path)}
    found = [
        theta
        for branch in _branches(edges)
        if (theta := _as_theta(edges - branch)) is not None and not theta.zero
    ]
    smallest = min(found, key=lambda theta: len(theta.cells))
    return smallest.cells if len(smallest.cells) <= SMALL else smallest


def _links(edges: Iterable[Sequence[int]]) -> dict[int, list[int]]:
    links: dict[int, list[int]] = {}
    for a, b in edges:
        links.setdefault(a, []).append(b)
        links.setdefault(b, []).append(a)
    return links


def _branches(edges: set[tuple[int, ...]]) -> list[set[tuple[int, ...]]]:
    """Return the edges of each path between two hubs."""
    links = _links(edges)
    found: list[set[tuple[int, ...]]] = []
    for hub, others in links.items():
        for other in others if len(others) > 2 else ():
            path = _until_hub(links, hub, other)
            branch = {tuple(sorted(edge)) for edge in pairwise(path)}
            if branch not in found:
                found.append(branch)
    return found


def _until_hub(links: dict[int, list[int]], hub: int, cell: int) -> list[int]:
    path = [hub, cell]
    while len(links[path[-1]]) == 2:
        one, two = links[path[-1]]
        path.append(two if one == path[-2] else one)
    return path


def _as_theta(edges: set[tuple[int, ...]]) -> Theta | None:
    """Return the theta that `edges` make up, if they do."""
    links = _links(edges)
    degrees = Counter(len(others) for others in links.values())
    hubs = [cell for cell, others in links.items() if len(others) == 3]
    if degrees[3] != 2 or len(links) != degrees[2] + degrees[3]:
        return None
    x, y = hubs
    paths = [_until_hub(links, x, other) for other in links[x]]
    if any(path[-1] != y for path in paths) or len(edges) != sum(map(len, paths)) - 3:
        return None
    return _theta(x, y, [path[1:-1] for path in paths])


# -- the ears -----------------------------------------------------------------------------------


class Growth:
    """Cells added to a core, ear by ear: single cells first, those near the core before others.

    So a region stays compact, and on a grid it grows line by line: an ear of two cells begins
    a line, and single cells continue it.

    Parameters
    ----------
    near, block : see `find_core`
    core : sequence of int
        A 2-connected part to begin with.

    Attributes
    ----------
    ears : list of Ear
        In the order in which they were added; together with the core they make up the block.

    Notes
    -----
    Cost: O(edges log n), and O(n) for each ear of three or more cells.
    """

    def __init__(self, near: Near, block: Collection[int], core: Sequence[int]) -> None:
        self._near, self._block = near, block
        self._inside = set(core)
        self._root: dict[int, int] = {}  # a neighbour inside
        self._touching: set[int] = set()  # the cells outside with one neighbour inside
        self._single: list[tuple[int, int]] = []
        self._double: list[tuple[int, int, int]] = []
        self._rank = self._distances(core)
        self._colour = self._colours(core)
        self.ears: list[Ear] = []
        for cell in core:
            self._touch(cell)
        while len(self._inside) < len(block):
            self._grow()

    def _distances(self, core: Sequence[int]) -> dict[int, int]:
        rank, queue = dict.fromkeys(core, 0), list(core)
        for cell in queue:
            for other in self._near[cell]:
                if other in self._block and other not in rank:
                    rank[other] = rank[cell] + 1
                    queue.append(other)
        return rank

    def _colours(self, core: Sequence[int]) -> dict[int, int] | None:
        """Colour the core like a chess board; None if that is impossible."""
        inside, colour = set(core), {core[0]: 0}
        queue = [core[0]]
        for cell in queue:
            for other in self._near[cell]:
                if other not in inside:
                    continue
                if other not in colour:
                    colour[other] = 1 - colour[cell]
                    queue.append(other)
                elif colour[other] == colour[cell]:
                    return None
        return colour

    def _touch(self, cell: int) -> None:
        """Tell the neighbours of a new cell inside."""
        for other in self._near[cell]:
            if other not in self._block or other in self._inside:
                continue
            if other not in self._root:
                self._root[other] = cell
                self._touching.add(other)
                for third in self._near[other]:
                    if third in self._touching and self._root[third] != cell:
                        rank = self._rank[other] + self._rank[third]
                        heappush(self._double, (rank, other, third))
            elif other in self._touching:
                self._touching.discard(other)
                heappush(self._single, (self._rank[other], other))

    def _grow(self) -> None:
        path, x, y = self._next()
        odd = False
        if self._colour is not None:
            shade = self._colour[x]
            for cell in path:
                shade = 1 - shade
                self._colour[cell] = shade
            odd = self._colour[y] == shade
        if odd:
            self._colour = None
        self.ears.append(Ear(tuple(path), x, y, odd))
        self._inside.update(path)
        self._touching.difference_update(path)
        for cell in path:
            self._touch(cell)

    def _next(self) -> tuple[list[int], int, int]:
        if self._single:
            cell = heappop(self._single)[1]
            return [cell], *self._ends(cell)
        while self._double:
            _, one, two = heappop(self._double)
            if one in self._touching and two in self._touching:
                return [one, two], self._root[one], self._root[two]
        rank = self._rank
        border = sorted(self._touching, key=lambda cell: (rank[cell], cell))
        sources = [(cell, self._root[cell]) for cell in border]
        return _bridge(self._near, self._block, self._inside, sources)

    def _ends(self, cell: int) -> tuple[int, int]:
        """Return two neighbours inside, of different colours if possible."""
        x = self._root[cell]
        others = [c for c in self._near[cell] if c in self._inside and c != x]
        colour = self._colour
        if colour is not None:
            return x, next((y for y in others if colour[y] != colour[x]), others[0])
        return x, others[0]
