"""Graphs of all kinds, and the replay of what is constructed on them.

The replay comes from `naive`, which knows nothing of taquin.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import naive
import networkx as nx
import pytest

import taquin as tq
from taquin.construct import Construction, construct
from taquin.errors import Unsolvable
from taquin.solvability import verdict
from taquin.state import State

Edges = list[tuple[int, int]]
THETA_ZERO: Edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 6), (6, 3)]


# -- judges -------------------------------------------------------------------------------------


def neighbours(board: tq.Board) -> naive.Near:
    return naive.graph_neighbours(board.n, list(board.edges()))


def slid(near: naive.Near, tiles: Sequence[int], walk: Iterable[int]) -> list[int]:
    """The labels after a walk of the blank along edges."""
    labels = list(tiles)
    blank = labels.index(0)
    for to in walk:
        assert to in near[blank], f"no edge leads from {blank} to {to}"
        labels[blank], labels[to] = labels[to], 0
        blank = to
    return labels


def replayed(made: Construction) -> Construction:
    """Replay a construction; what a stage calls home stays there to the end of each stage."""
    near, labels, stop = neighbours(made.goal.board), list(made.start.tiles), 0
    home: dict[int, int] = {}
    for stage in made.stages:
        assert stage.start == stop
        assert stage.home == len(home)
        stop = stage.stop
        labels = slid(near, labels, made.walk[stage.start : stop])
        assert len(stage.cells) == len(stage.tiles)
        assert not home.keys() & set(stage.cells)
        home.update(zip(stage.cells, stage.tiles, strict=True))
        assert all(labels[cell] == tile for cell, tile in home.items())
    assert stop == made.length == len(made.walk)
    assert tuple(labels) == made.goal.tiles
    if made.stages:
        assert len(home) == made.goal.board.n - 1
    return made


def refused(start: State, goal: State) -> None:
    with pytest.raises(Unsolvable) as caught:
        construct(start, goal)
    assert not caught.value.verdict.solvable


def shuffled(state: State, steps: int, rng: random.Random) -> State:
    """The state after a random walk."""
    near, labels, blank = neighbours(state.board), list(state.tiles), state.blank
    for _ in range(steps):
        to = rng.choice(near[blank])
        labels[blank], labels[to] = labels[to], 0
        blank = to
    return State(labels, state.board, repeats=state.repeats)


def exchanged(state: State) -> State:
    """The state with the first two tiles exchanged."""
    tiles = list(state.tiles)
    a, b = [cell for cell, tile in enumerate(tiles) if tile][:2]
    tiles[a], tiles[b] = tiles[b], tiles[a]
    return State(tiles, state.board, repeats=state.repeats)


def arrangement(board: tq.Board, rng: random.Random) -> State:
    return State(rng.sample(range(board.n), board.n), board)


def solved_either(board: tq.Board, rng: random.Random) -> Construction:
    """Two arrangements; on a board with room, or with two tiles exchanged, a way joins them."""
    start, goal = arrangement(board, rng), arrangement(board, rng)
    if not verdict(start, goal).solvable:
        refused(start, goal)
        start = exchanged(start)
        assert verdict(start, goal).solvable
    return replayed(construct(start, goal))


def distance(made: Construction) -> int:
    """The sum of the steps of all tiles to their homes."""
    board, at = made.goal.board, {tile: cell for cell, tile in enumerate(made.goal.tiles)}
    rows = [board.distances(cell) for cell in range(board.n)]
    return sum(rows[cell][at[tile]] for cell, tile in enumerate(made.start.tiles) if tile)


# -- graphs -------------------------------------------------------------------------------------


def connected(n: int) -> Iterator[tq.Board]:
    """All connected graphs of n vertices."""
    for graph in nx.graph_atlas_g():
        if graph.number_of_nodes() == n and nx.is_connected(graph):
            yield tq.Board.from_networkx(graph)


def paths_between(*sizes: int) -> Edges:
    """Paths with so many inner vertices between the vertices 0 and 1."""
    edges, n = [], 2
    for size in sizes:
        edges += pairwise([0, *range(n, n + size), 1])
        n += size
    return edges


def ear(edges: Edges, x: int, y: int, size: int) -> Edges:
    """The graph with one more path of `size` inner vertices between x and y."""
    n = 1 + max(map(max, edges))
    return [*edges, *pairwise([x, *range(n, n + size), y])]


def ring(n: int) -> Edges:
    return [(i, (i + 1) % n) for i in range(n)]


def glued(one: Edges, other: Edges, at: int) -> Edges:
    """Two graphs that share a vertex: `at` of the one, 0 of the other."""
    n = max(map(max, one))
    return one + [(a + n if a else at, b + n if b else at) for a, b in other]


def grid_edges(*shape: int, wrap: Sequence[int] = ()) -> Edges:
    near = naive.grid_neighbours(shape, wrap)
    return [(a, b) for a, others in enumerate(near) for b in others if a < b]


def renamed(edges: Edges, rng: random.Random) -> tq.Board:
    """The graph with its vertices in another order."""
    n = 1 + max(map(max, edges))
    name = rng.sample(range(n), n)
    return tq.Board.from_edges([(name[a], name[b]) for a, b in edges if a != b])


def without_cut(rng: random.Random, most: int) -> Edges:
    """A random 2-connected graph, grown from a ring or theta-0 by ears, or from a grid."""
    kind = rng.randrange(3)
    if kind == 0:
        edges = ring(rng.randint(3, 9))
    elif kind == 1:
        edges = THETA_ZERO
    else:
        edges = grid_edges(rng.randint(2, 5), rng.randint(2, 5))
    n = 1 + max(map(max, edges))
    while n < most and rng.random() < 0.8:
        x, y = rng.sample(range(n), 2)
        edges = ear(edges, x, y, rng.choice((0, 1, 1, 2, 3, 6)))
        n = 1 + max(map(max, edges))
    return edges


def with_cuts(rng: random.Random) -> Edges:
    """Blocks of all kinds, glued together."""
    edges = without_cut(rng, 12)
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(4)
        other = ([(0, 1)], ring(rng.randint(3, 7)), THETA_ZERO, without_cut(rng, 12))[kind]
        edges = glued(edges, other, rng.randrange(1 + max(map(max, edges))))
    return edges


def walled(height: int, width: int, walls: int, rng: random.Random, *, cuts: bool) -> tq.Board:
    """A grid with random walls that leave it connected; without cut cells unless `cuts`."""
    while True:
        shut = set(rng.sample(range(height * width), walls))
        graph = nx.grid_2d_graph(height, width)
        graph.remove_nodes_from([divmod(place, width) for place in shut])
        if nx.is_biconnected(graph) or (cuts and nx.is_connected(graph)):
            marks = ["#" if place in shut else "." for place in range(height * width)]
            return tq.Board.draw(
                "|".join("".join(marks[r * width : (r + 1) * width]) for r in range(height))
            )


def thetas(least: int, most: int) -> list[tuple[int, int, int]]:
    return [
        (a, b, m - 2 - a - b)
        for m in range(least, most + 1)
        for a in range(m)
        for b in range(max(a, 1), m)
        if m - 2 - a - b >= b
    ]
