"""The parts of the construction on graphs, each by itself."""

from __future__ import annotations

import random
from itertools import pairwise, permutations

import naive
import networkx as nx
import pytest
from grown_graphs import (
    THETA_ZERO,
    grid_edges,
    paths_between,
    ring,
    shuffled,
    slid,
    thetas,
    without_cut,
)

import taquin as tq
from taquin.construct.cores import pair_search, reverse, search, three_cycle
from taquin.construct.ears import Growth, Theta, find_core
from taquin.construct.filling import fill, fill_theta
from taquin.construct.mover import Mover
from taquin.state import State


def test_ears_and_core_make_up_the_graph() -> None:
    """Each ear is a path outside that joins two cells inside; `odd` marks the first odd ring."""
    rng = random.Random(14)
    odd_ones = 0
    for _ in range(60):
        graph = nx.Graph([e for e in without_cut(rng, 40) if e[0] != e[1]])
        n = graph.number_of_nodes()
        if graph.number_of_edges() == n or nx.is_isomorphic(graph, nx.Graph(THETA_ZERO)):
            continue
        near = [sorted(graph[v]) for v in range(n)]
        core = find_core(near, set(range(n)), rng.randrange(n))
        cells = core.cells if isinstance(core, Theta) else core
        growth = Growth(near, set(range(n)), cells)
        inside = set(cells)
        assert len(inside) == len(cells)
        assert nx.is_biconnected(graph.subgraph(inside))
        for part in growth.ears:
            before = nx.is_bipartite(graph.subgraph(inside))
            assert part.x != part.y
            assert {part.x, part.y} <= inside
            assert not inside & set(part.cells)
            path = [part.x, *part.cells, part.y]
            assert all(graph.has_edge(a, b) for a, b in pairwise(path))
            inside |= set(part.cells)
            assert part.odd == (before and not nx.is_bipartite(graph.subgraph(inside)))
            odd_ones += part.odd
        assert inside == set(range(n))
    assert odd_ones > 5


@pytest.mark.parametrize("sizes", thetas(8, 20))
def test_a_cycle_of_three_tiles(sizes: tuple[int, int, int]) -> None:
    walk, moved = three_cycle(*sizes)
    near = naive.graph_neighbours(2 + sum(sizes), paths_between(*sizes))
    labels = slid(near, range(len(near)), walk)
    assert labels[0] == 0
    assert sum(label != place for place, label in enumerate(labels)) == 3
    assert all(labels[to] == place for place, to in enumerate(moved))


def test_the_search_of_a_core_is_shortest() -> None:
    near = naive.graph_neighbours(6, [*ring(6), (0, 3)])
    goal = (1, 2, 0, 3, 4, 5)
    for tiles, depth in list(naive.depths(near, goal).items())[::5]:
        walk = search(near, tiles, goal, 0)
        assert len(walk) == depth
        assert tuple(slid(near, tiles, walk)) == goal


def test_the_search_for_two_tiles_is_shortest() -> None:
    near = naive.graph_neighbours(6, grid_edges(2, 3))
    for blank, one, two in permutations(range(6), 3):
        labels = tuple({blank: 0, one: 1, two: 2}.get(cell, 3) for cell in range(6))
        walk = pair_search(near, (blank, one, two), (0, 1))
        assert walk is not None
        assert slid(near, labels, walk)[:2] == [1, 2]
        seen, level, steps = {labels}, [labels], 0
        while all(tiles[:2] != (1, 2) for tiles in level):
            level = [t for tiles in level for t in naive.slides(near, tiles) if t not in seen]
            seen.update(level)
            steps += 1
        assert len(walk) == steps
    assert pair_search([[1], [0, 2], [1]], (0, 1, 2), (2, 1)) is None


def test_the_blank_finds_shortest_ways() -> None:
    rng = random.Random(15)
    for _ in range(100):
        graph = nx.Graph([e for e in without_cut(rng, 30) if e[0] != e[1]])
        n = graph.number_of_nodes()
        near = [sorted(graph[v]) for v in range(n)]
        blank, target, avoid, *shut = rng.sample(range(n), min(n, 5))
        mover = Mover(list(range(n)), blank, near)
        mover.open(range(n))
        mover.shut(shut)
        rest = graph.copy()
        rest.remove_nodes_from([avoid, *shut])
        way = mover.route((target,), avoid)
        if way is None:
            assert not nx.has_path(rest, blank, target)
        else:
            assert len(way) == nx.shortest_path_length(rest, blank, target)
            assert all(rest.has_edge(a, b) for a, b in pairwise([blank, *way]))
            assert way[-1] == target


def test_moves_are_cancelled_and_taken_back() -> None:
    mover = Mover(list(range(6)), 0, naive.graph_neighbours(6, ring(6)))
    mover.open(range(6))
    mover.follow((1, 2, 1, 2, 3))
    assert list(mover.walk) == [0, 1, 2, 3]
    mover.floor = mover.moves
    mover.follow((2, 1))
    assert list(mover.walk) == [0, 1, 2, 3, 2, 1]
    assert list(mover.since(3)) == [2, 1]
    mover.take_back(0)
    assert (mover.tiles, mover.at, mover.blank) == (list(range(6)), list(range(6)), 0)
    assert reverse((1, 2, 3, 0)) == (3, 2, 1, 0)
    assert reverse(()) == ()


def test_a_theta_alone_and_an_ear_alone() -> None:
    """`fill` and `fill_theta` by themselves, with the blank where a tour would leave it."""
    rng = random.Random(16)
    edges = paths_between(3, 4, 5)
    near = naive.graph_neighbours(14, edges)
    board = tq.Board.from_edges(edges)
    for _ in range(5):
        start = shuffled(State(range(14), board), 3000, rng)
        mover = Mover(list(start.tiles), start.blank, near)
        mover.open(range(14))
        theta = Theta(0, 1, ((2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12, 13)))
        fill_theta(mover, theta, {cell: cell for cell in range(14)})
        assert mover.tiles == list(range(14))
        assert slid(near, start.tiles, mover.walk[1:]) == list(range(14))
    cells = grid_edges(3, 3)
    near = naive.graph_neighbours(9, cells)
    core = find_core(near, set(range(9)), 8)
    assert not isinstance(core, Theta)
    parts = Growth(near, set(range(9)), core).ears
    start = shuffled(State([*range(1, 9), 0], tq.Board.from_edges(cells)), 500, rng)
    mover = Mover(list(start.tiles), start.blank, near)
    mover.open(range(9))
    want = {cell: (cell + 1) % 9 for cell in range(9)}
    fill(mover, parts[-1], want, set(range(9)) - set(parts[-1].cells))
    for cell in parts[-1].cells:
        assert mover.tiles[cell] == want[cell]
        assert not mover.is_open(cell)
