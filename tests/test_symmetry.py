"""Symmetries of boards: known group orders, and all permutations tried one by one."""

from __future__ import annotations

import random
from itertools import pairwise, permutations, product

import networkx as nx
import pytest
from networkx.algorithms.isomorphism import GraphMatcher

from taquin.board import Board
from taquin.patterns import symmetry
from taquin.patterns.symmetry import automorphisms, representative

Near = list[tuple[int, ...]]


def neighbours(board: Board) -> Near:
    return [board.neighbours(cell) for cell in range(board.n)]


def keeps_neighbours(near: Near, images: tuple[int, ...]) -> bool:
    edges = {(a, b) for a, cells in enumerate(near) for b in cells}
    return {(images[a], images[b]) for a, b in edges} == edges


def all_symmetries(near: Near) -> set[tuple[int, ...]]:
    return {p for p in permutations(range(len(near))) if keeps_neighbours(near, p)}


def random_board(seed: int, n: int) -> Board:
    """A random tree and some more edges."""
    rng = random.Random(seed)
    edges = {(rng.randrange(cell), cell) for cell in range(1, n)}
    for _ in range(rng.randrange(n)):
        a, b = sorted(rng.sample(range(n), 2))
        edges.add((a, b))
    return Board.from_edges(edges)


PETERSEN = Board.from_edges(
    [(i, (i + 1) % 5) for i in range(5)]
    + [(i, i + 5) for i in range(5)]
    + [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
)

# Orders of groups: the square 8, an oblong 4, the cube 48; K3 x K3: (3!)^2 * 2; C4 x C4 is the
# hypercube of four axes: 2^4 * 4!; C5 x C5: (2 * 5)^2 * 2; C3 x C4: 6 * 8; Petersen: 5!.
ORDERS = [
    (Board.grid(4, 4), 8),
    (Board.grid(4, 3), 4),
    (Board.grid(1, 7), 2),
    (Board.grid(3, 3, 3), 48),
    (Board.grid(2, 2, 2), 48),
    (Board.grid(2, 3, 2), 16),
    (Board.grid(2, 3, 4), 8),
    (Board.grid(3, 3, wrap=(0, 1)), 72),
    (Board.grid(4, 4, wrap=(0, 1)), 384),
    (Board.grid(5, 5, wrap=(0, 1)), 200),
    (Board.grid(3, 4, wrap=(0, 1)), 48),
    (Board.grid(3, 4, wrap=(1,)), 16),
    (Board.grid(2, 2, 2, 2), 384),
    (Board.grid(8, 8), 8),
    (Board.grid(8, 8, wrap=(0, 1)), 512),
    (Board.grid(4, 4, 4), 48),
    (Board.from_edges([(i, (i + 1) % 9) for i in range(9)]), 18),
    (Board.from_edges([(0, i) for i in range(1, 6)]), 120),
    (PETERSEN, 120),
    (Board.draw("...|...|..#"), 2),
    (Board.draw("....|.##.|...."), 20),  # a ring of ten cells
]


@pytest.mark.parametrize(("board", "order"), ORDERS, ids=lambda value: getattr(value, "spec", ""))
def test_orders_of_groups(board: Board, order: int) -> None:
    near = neighbours(board)
    found = list(automorphisms(near))
    assert len(found) == len(set(found)) == order
    assert all(keeps_neighbours(near, images) for images in found)
    assert found[0] == tuple(range(board.n))


@pytest.mark.parametrize(("board", "order"), ORDERS, ids=lambda value: getattr(value, "spec", ""))
def test_groups_are_closed(board: Board, order: int) -> None:
    found = list(automorphisms(neighbours(board)))
    group = set(found)
    rng = random.Random(order)
    for _ in range(200):
        one, other = rng.choice(found), rng.choice(found)
        assert tuple(one[image] for image in other) in group
        assert tuple(sorted(range(board.n), key=one.__getitem__)) in group


@pytest.mark.parametrize("seed", range(20))
def test_identity_first_however_neighbours_are_listed(seed: int) -> None:
    rng = random.Random(seed)
    board = rng.choice([Board.grid(3, 4, wrap=(0, 1)), Board.grid(2, 3, 2), PETERSEN])
    near = [tuple(rng.sample(cells, len(cells))) for cells in neighbours(board)]
    identity = tuple(range(board.n))
    assert next(automorphisms(near)) == identity
    cell = rng.randrange(board.n)
    assert next(automorphisms(near, image_of=(cell, cell))) == identity


@pytest.mark.parametrize("seed", range(30))
def test_against_all_permutations(seed: int) -> None:
    near = neighbours(random_board(seed, 3 + seed % 5))
    assert set(automorphisms(near)) == all_symmetries(near)


@pytest.mark.parametrize("seed", range(12))
def test_against_networkx(seed: int) -> None:
    rng = random.Random(seed)
    tree = random_board(seed, rng.randrange(8, 14))
    rings = Board.from_edges([*tree.edges(), *((a, a + 2) for a in range(tree.n - 2))])
    for board in (tree, rings):
        graph = nx.Graph(list(board.edges()))
        matches = GraphMatcher(graph, graph).isomorphisms_iter()
        wanted = {tuple(match[cell] for cell in range(board.n)) for match in matches}
        found = set(automorphisms(neighbours(board), limit=10**6))
        assert found == wanted


@pytest.mark.parametrize("seed", range(6))
def test_image_of_a_cell(seed: int) -> None:
    near = neighbours(random_board(100 + seed, 6) if seed % 2 else Board.grid(2, 3))
    everything = all_symmetries(near)
    for cell, image in product(range(6), repeat=2):
        found = set(automorphisms(near, image_of=(cell, image)))
        assert found == {images for images in everything if images[cell] == image}


def test_the_limit() -> None:
    near = neighbours(Board.grid(3, 3, 3))
    everything = list(automorphisms(near))
    assert list(automorphisms(near, limit=7)) == everything[:7]
    assert list(automorphisms(near, limit=1, image_of=(0, 1))) == []


def test_a_strongly_regular_graph() -> None:
    # Shrikhande's graph: all cells and pairs of cells look alike, and dead ends are found late.
    steps = [(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)]
    board = Board.from_edges(
        {
            (min(a, b), max(a, b))
            for x, y in product(range(4), repeat=2)
            for dx, dy in steps
            for a, b in [(4 * x + y, 4 * ((x + dx) % 4) + (y + dy) % 4)]
        }
    )
    near = neighbours(board)
    found = list(automorphisms(near))
    assert len(set(found)) == len(found) == 192
    assert all(keeps_neighbours(near, images) for images in found)


def two_hubs(legs: int) -> Board:
    """Hubs 0 and 1 with legs of four cells; the first leg of one and the last of the other have
    five: which leg goes where is only found out at their ends.
    """
    edges, size = [(0, 1)], 2
    for hub, longer in ((0, 0), (1, legs - 1)):
        for leg in range(legs):
            length = 5 if leg == longer else 4
            walk = [hub, *range(size, size + length)]
            edges += list(pairwise(walk))
            size += length
    return Board.from_edges(edges)


def test_gives_up_but_stays_right(monkeypatch: pytest.MonkeyPatch) -> None:
    near = neighbours(two_hubs(4))
    (swapped,) = automorphisms(near, image_of=(0, 1), limit=1)
    assert keeps_neighbours(near, swapped)
    assert representative(near, 1) == (0, swapped)
    monkeypatch.setattr(symmetry, "MOST_TRIALS", 1000)
    assert list(automorphisms(near, image_of=(0, 1))) == []
    assert representative(near, 1) == (1, tuple(range(len(near))))
    few = list(automorphisms(near, image_of=(0, 0)))
    assert few[0] == tuple(range(len(near)))
    assert len(set(few)) == len(few) > 1
    assert all(keeps_neighbours(near, images) for images in few)


def test_gives_up_at_all() -> None:
    # More than 7! * 7! ways to lay the legs, each a dead end, come before the first that is right.
    near = neighbours(two_hubs(8))
    assert list(automorphisms(near, image_of=(0, 1))) == []


CELLS_ALIKE = [
    (Board.grid(4, 4), [0, 1, 1, 0, 1, 5, 5, 1, 1, 5, 5, 1, 0, 1, 1, 0]),
    (Board.grid(2, 3), [0, 1, 0, 0, 1, 0]),
    (Board.grid(3, 3, wrap=(0, 1)), [0] * 9),
    (Board.grid(1, 5), [0, 1, 2, 1, 0]),
    (Board.grid(3, 3, 3), [0, 1, 0, 1, 4, 1, 0, 1, 0, 1, 4, 1, 4, 13, 4, 1, 4, 1]),
    (Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)]), [0, 1, 0, 3, 4]),
]


@pytest.mark.parametrize(
    ("board", "least"), CELLS_ALIKE, ids=lambda value: getattr(value, "spec", "")
)
def test_representatives(board: Board, least: list[int]) -> None:
    near = neighbours(board)
    for cell, wanted in enumerate(least):
        found, images = representative(near, cell)
        assert found == images[cell] == wanted
        assert keeps_neighbours(near, images)
        if found == cell:
            assert images == tuple(range(board.n))
