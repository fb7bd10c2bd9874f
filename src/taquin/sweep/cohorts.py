"""Cohorts: the coarse map of a puzzle, and the numbers of its cells, tiles and rows.

Keep k of the tiles distinct.  A *cohort* (M, r) is the set M of cells that they occupy and the
connected region r of the other cells that holds the blank; inside r the blank walks for nothing.
The tile at x in M slides to a neighbour y in r: the cohort becomes (M - x + y, the region of x),
and the tile goes from its place in M to its place in M - x + y.  With k = n - 1 a region is one
cell and the cohorts are the whole puzzle's blank cells.

On a board with two colours every slide changes the colour of M (the parity of its black cells), and
for the whole puzzle the parity of the permutation belongs to the blank's cell: the row of a cohort
needs only that half.  Otherwise it has two halves, the even permutations and the odd.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.sweep.compiled import compiled, lowest, popcount

Neighbours = Sequence[Sequence[int]]
Masks = npt.NDArray[np.uint64]
U64 = np.uint64
ONE = U64(1)


@dataclass(frozen=True)
class Layout:
    """Where everything is.  Cells inside are renumbered; `order` and `place` translate.

    Attributes
    ----------
    order, place : (n,) int64
        order[inner cell] = the caller's cell; place[caller's cell] = inner cell.
    labels : (k,) int64
        labels[t] is the rank of the goal cell of the caller's t-th tile among those of all k: its
        number in the permutations, which read 0, 1, ..., k - 1 at the goal.
    goal_rows : (starts,) int64
        Cohorts that hold the goal (several when the blank is free), at word 0 and bit 0.
    occupied, regions : (cohorts,) uint64
        Bit sets of inner cells.
    first : (sets + 1,) int64
        Sets M are numbered in the order of their bit sets; the cohorts of set s are
        first[s] <= c < first[s + 1].
    binomials : (n + 1, k + 1) int64
        For the number of a set: the sum of C(cell_i, i + 1) over its cells in order.
    halves : int
        Halves of the row of a cohort, 1 or 2.
    parity : (cohorts,) uint8
        Parity of the permutations of each row; 0 for two halves.
    colour : (cohorts,) uint8 or None
        The depths of a cohort's states are all even or all odd: even if it is the goal's colour.
    starts : (cohorts + 1,) int64; sources, rotations : (edges,) int32
        The slides into cohort c are starts[c] <= e < starts[c + 1]: from cohort sources[e], the
        tile going from place rotations[e] // k to place rotations[e] % k.
    """

    k: int
    order: npt.NDArray[np.int64]
    place: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int64]
    goal_rows: npt.NDArray[np.int64]
    occupied: Masks
    regions: Masks
    first: npt.NDArray[np.int64]
    binomials: npt.NDArray[np.int64]
    halves: int
    parity: npt.NDArray[np.uint8]
    colour: npt.NDArray[np.uint8] | None
    starts: npt.NDArray[np.int64]
    sources: npt.NDArray[np.int32]
    rotations: npt.NDArray[np.int32]

    @property
    def rows(self) -> int:
        """Rows of words: one a cohort."""
        return self.parity.size

    @property
    def whole(self) -> bool:
        """Whether every tile is tracked."""
        return self.k == self.order.size - 1


def colours(neighbours: Neighbours) -> list[int] | None:
    """A colour, 0 or 1, for each cell, unlike its neighbours'; None if there is an odd cycle."""
    colour = [-1] * len(neighbours)
    for root in range(len(neighbours)):
        if colour[root] >= 0:
            continue
        colour[root] = 0
        stack = [root]
        while stack:
            x = stack.pop()
            for y in neighbours[x]:
                if colour[y] < 0:
                    colour[y] = 1 - colour[x]
                    stack.append(y)
                elif colour[y] == colour[x]:
                    return None
    return colour


def order_cells(neighbours: Neighbours) -> list[int]:
    """The caller's cells in an order that makes the windows of the moves short.

    A move between the a-th and the b-th cell passes |a - b| - 1 tiles; the sum over the edges is
    what a level costs.  Tried: the axes of a box in all orders, for all boxes of n cells that the
    numbering may mean, and Cuthill and McKee's order (1969) from every cell; the first best wins.
    """
    edges = [(x, y) for x in range(len(neighbours)) for y in neighbours[x] if x < y]

    def cost(order: list[int]) -> tuple[int, int]:
        place = [0] * len(order)
        for i, cell in enumerate(order):
            place[cell] = i
        spans = [abs(place[x] - place[y]) for x, y in edges] or [0]
        return sum(spans), max(spans)

    return min(_orders(neighbours), key=cost)


def _orders(neighbours: Neighbours) -> Iterator[list[int]]:
    n = len(neighbours)
    numbers = np.arange(n)
    yield numbers.tolist()
    for a in range(2, n // 2 + 1):
        if n % a == 0:
            yield numbers.reshape(-1, a).T.ravel().tolist()
            for b in range(2, n // (2 * a) + 1):
                if n // a % b == 0:
                    for axes in permutations(range(3)):
                        yield numbers.reshape(-1, b, a).transpose(axes).ravel().tolist()
    by_degree = [sorted(cells, key=lambda y: len(neighbours[y])) for cells in neighbours]
    for root in range(n):
        order: list[int] = []
        seen = [False] * n
        for start in [root, *range(n)]:
            queue = [] if seen[start] else [start]
            seen[start] = True
            for x in queue:
                for y in by_degree[x]:
                    if not seen[y]:
                        seen[y] = True
                        queue.append(y)
            order += queue
        yield order


def neighbour_masks(neighbours: Neighbours, order: Sequence[int]) -> Masks:
    """(n,) uint64: the inner neighbours of each inner cell as a bit set."""
    place = {cell: i for i, cell in enumerate(order)}
    return np.array([sum(1 << place[y] for y in neighbours[x]) for x in order], U64)


def size_up(neighbours: Neighbours, k: int) -> tuple[int, int]:
    """How many cohorts k tiles have, and how many slides between them (in both directions).

    Counts at some 10 million sets of cells a second.  Beyond 2**27 sets a lower bound is given at
    once: a cohort and a slide each.
    """
    n = len(neighbours)
    if comb(n, k) > 1 << 27:
        return comb(n, k), comb(n, k)
    regions, edges = _count_regions(neighbour_masks(neighbours, range(n)), k, comb(n, k))
    return int(regions.sum()), int(edges)


def lay_out(
    neighbours: Neighbours,
    tiles: Sequence[int],
    blank: int | None,
    order: Sequence[int] | None = None,
    *,
    walks: bool = True,
) -> Layout:
    """The layout for tiles with the given goal cells and the blank's goal cell (None: anywhere).

    Parameters
    ----------
    walks : bool
        The blank walks among untracked tiles for nothing. If not, each cell of the blank is a
        cohort of its own, and exchanging places with an untracked tile is a move too.

    Cost: some 5 million cohorts a second, and 8 bytes an edge.
    """
    n, k = len(neighbours), len(tiles)
    order = order_cells(neighbours) if order is None else list(order)
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    masks = neighbour_masks(neighbours, order)
    goals = place[list(tiles)]
    binomials = np.array([[comb(cell, i) for i in range(k + 1)] for cell in range(n + 1)], np.int64)
    if walks:
        counts, edges = _count_regions(masks, k, comb(n, k))
    else:
        counts = np.full(comb(n, k), n - k, np.uint8)
        edges = comb(n - 1, k) * sum(map(len, neighbours))
    first = np.zeros(counts.size + 1, np.int64)
    np.cumsum(counts, out=first[1:])
    occupied, regions = np.empty(first[-1], U64), np.empty(first[-1], U64)
    starts = np.zeros(first[-1] + 1, np.int64)
    sources, rotations = np.empty(edges, np.int32), np.empty(edges, np.int32)
    _fill_cohorts(masks, k, occupied, regions, walks)
    fill = _fill_edges if walks else _fill_steps
    fill(masks, k, binomials, first, occupied, regions, starts, sources, rotations)

    goal_set = sum(1 << int(cell) for cell in goals)
    goal_number = sum(comb(int(cell), i + 1) for i, cell in enumerate(np.sort(goals)))
    at_goal = np.arange(first[goal_number], first[goal_number + 1])
    if blank is not None:
        at_goal = at_goal[[bool(int(regions[c]) >> int(place[blank]) & 1) for c in at_goal]]
    assert at_goal.size
    assert int(occupied[at_goal[0]]) == goal_set

    tint = colours(neighbours)
    halves = 1 if tint is not None and k == n - 1 else 2
    if halves == 1:
        parity = _blank_parity(k, int(at_goal[0]), starts, sources, rotations)
    else:
        parity = np.zeros(occupied.size, np.uint8)
    colour = None
    if tint is not None:
        black = U64(sum(1 << int(place[cell]) for cell in range(n) if tint[cell]))
        colour = (np.bitwise_count(occupied & black) & 1).astype(np.uint8)
    return Layout(
        k=k,
        order=np.array(order, np.int64),
        place=place,
        labels=np.argsort(np.argsort(goals)),
        goal_rows=at_goal,
        occupied=occupied,
        regions=regions,
        first=first,
        binomials=binomials,
        halves=halves,
        parity=parity,
        colour=colour,
        starts=starts,
        sources=sources,
        rotations=rotations,
    )


def _blank_parity(
    k: int,
    goal: int,
    starts: npt.NDArray[np.int64],
    sources: npt.NDArray[np.int32],
    rotations: npt.NDArray[np.int32],
) -> npt.NDArray[np.uint8]:
    """The parity that belongs to each blank cell; those out of reach get the goal's, unused."""
    parity = {goal: 0}
    stack = [goal]
    while stack:
        c = stack.pop()
        for e in range(int(starts[c]), int(starts[c + 1])):
            i, j = divmod(int(rotations[e]), k)
            if int(sources[e]) not in parity:
                parity[int(sources[e])] = parity[c] ^ ((i - j) & 1)
                stack.append(int(sources[e]))
    return np.array([parity.get(c, 0) for c in range(starts.size - 1)], np.uint8)


@compiled
def _flood(masks: Masks, free: np.uint64, seed: np.uint64) -> np.uint64:
    """The connected part of the cells `free` that holds `seed`."""
    region, edge = seed, seed
    while edge:
        near = U64(0)
        while edge:
            near |= masks[np.int64(lowest(edge))]
            edge &= edge - ONE
        edge = near & free & ~region
        region |= edge
    return region


@compiled
def _next_set(cells: np.uint64) -> np.uint64:
    """The next larger bit set with as many bits (Gosper, HAKMEM 175)."""
    low = cells & (~cells + ONE)
    carry = cells + low
    return (((carry ^ cells) >> U64(2)) // low) | carry


@compiled
def _count_regions(masks: Masks, k: int, sets: int) -> tuple[npt.NDArray[np.uint8], int]:
    """Regions of each set of k cells, and the slides out of all of them."""
    n = masks.size
    everything = (ONE << U64(n)) - ONE if n < 64 else ~U64(0)
    counts = np.zeros(sets, np.uint8)
    edges: Any = 0
    cells = (ONE << U64(k)) - ONE
    for s in range(sets):
        free = everything & ~cells
        rest = cells
        while rest:
            edges += np.int64(popcount(masks[np.int64(lowest(rest))] & free))
            rest &= rest - ONE
        while free:
            free &= ~_flood(masks, free, free & (~free + ONE))
            counts[s] += 1
        cells = _next_set(cells)
    return counts, edges


@compiled
def _fill_cohorts(masks: Masks, k: int, occupied: Masks, regions: Masks, walks: bool) -> None:
    n = masks.size
    everything = (ONE << U64(n)) - ONE if n < 64 else ~U64(0)
    cells = (ONE << U64(k)) - ONE
    c = 0
    while c < occupied.size:
        free = everything & ~cells
        while free:
            occupied[c] = cells
            regions[c] = free & (~free + ONE)
            if walks:
                regions[c] = _flood(masks, free, regions[c])
            free &= ~regions[c]
            c += 1
        cells = _next_set(cells)


@compiled
def _fill_edges(
    masks: Masks,
    k: int,
    binomials: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    occupied: Masks,
    regions: Masks,
    starts: npt.NDArray[np.int64],
    sources: npt.NDArray[np.int32],
    rotations: npt.NDArray[np.int32],
) -> None:
    """The slides into each cohort: a tile that is now at x came from y, in the blank's region."""
    edge = 0
    for c in range(occupied.size):
        tiles = occupied[c]
        while tiles:
            x = tiles & (~tiles + ONE)
            tiles ^= x
            ways = masks[np.int64(lowest(x))] & regions[c]
            end = np.int64(popcount(occupied[c] & (x - ONE)))
            while ways:
                y = ways & (~ways + ONE)
                ways ^= y
                before = occupied[c] ^ x ^ y
                number, i, rest = 0, 0, before
                while rest:
                    i += 1
                    number += binomials[np.int64(lowest(rest)), i]
                    rest &= rest - ONE
                source = first[number]
                while regions[source] & x == 0:
                    source += 1
                sources[edge] = source
                rotations[edge] = np.int64(popcount(before & (y - ONE))) * k + end
                edge += 1
        starts[c + 1] = edge


@compiled
def _fill_steps(
    masks: Masks,
    k: int,
    binomials: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    occupied: Masks,
    regions: Masks,
    starts: npt.NDArray[np.int64],
    sources: npt.NDArray[np.int32],
    rotations: npt.NDArray[np.int32],
) -> None:
    """The steps of the blank into each cohort, in the order of the cells that it comes from.

    What is now on that cell, a tracked tile or not, was on the blank's.
    """
    edge = 0
    for c in range(occupied.size):
        blank = regions[c]
        ways = masks[np.int64(lowest(blank))]
        while ways:
            y = ways & (~ways + ONE)
            ways ^= y
            before = occupied[c]
            rotation: Any = 0
            if before & y:
                before ^= y | blank
                start = np.int64(popcount(before & (blank - ONE)))
                rotation = start * k + np.int64(popcount(occupied[c] & (y - ONE)))
            number, i, rest = 0, 0, before
            while rest:
                i += 1
                number += binomials[np.int64(lowest(rest)), i]
                rest &= rest - ONE
            free = ~before & (y - ONE)
            sources[edge] = first[number] + np.int64(popcount(free))
            rotations[edge] = rotation
            edge += 1
        starts[c + 1] = edge
