"""The verdict against the moves themselves: breadth-first reachability, never a rule.

`naive.classes` walks every move of a board and numbers the classes of states that reach each
other; here the verdict must draw exactly the same lines, on every small connected graph, on
grids, boxes and tori, for tiles that are all different and for tiles that repeat.
"""

from __future__ import annotations

import random
from itertools import combinations, pairwise, permutations

import naive
import networkx as nx
import numpy as np
import pytest
from reachability import (
    SMALL_GRAPHS,
    THETA_0,
    UP_TO_SIX,
    disagreements,
    goal_on,
    graph_name,
    solvable,
)

import taquin as tq
from taquin.solvability import class_size, solvable_many
from taquin.state import State

# -- every small graph -------------------------------------------------------------------------


def test_the_atlas_holds_every_connected_graph() -> None:
    # The number of connected graphs on n vertices up to isomorphism (OEIS A001349).
    sizes = [len(graph) for graph in SMALL_GRAPHS]
    assert [sizes.count(n) for n in range(1, 8)] == [1, 1, 2, 6, 21, 112, 853]


@pytest.mark.parametrize("graph", UP_TO_SIX, ids=graph_name)
def test_every_graph_up_to_six_vertices_every_start(graph: nx.Graph) -> None:
    """All n! starts against a goal in each blank cell, and against a few shuffled goals."""
    n = len(graph)
    board = tq.Board.from_networkx(graph)
    number = naive.classes(naive.graph_neighbours(n, graph.edges))
    rng = random.Random(n * 1000 + graph.number_of_edges())
    goals = [goal_on(cell, n) for cell in range(n)]
    shuffled = rng.sample(list(number), min(2, len(number)))
    few = list(number) if n < 6 else rng.sample(list(number), 180)
    assert disagreements(board, number, goals[:1]) == []
    assert disagreements(board, number, goals[1:] + shuffled, few) == []


def partitions(total: int, largest: int | None = None) -> list[list[int]]:
    """Every way to write `total` as a sum, largest part first."""
    if total == 0:
        return [[]]
    return [
        [part, *rest]
        for part in range(min(total, largest or total), 0, -1)
        for rest in partitions(total - part, part)
    ]


def repeated_labels(n: int) -> list[list[int]]:
    """Every multiset of n-1 tiles up to renaming, but the one without repetition; with a blank."""
    return [
        [0, *(label for label, count in enumerate(parts, start=1) for _ in range(count))]
        for parts in partitions(n - 1)
        if max(parts, default=1) > 1
    ]


@pytest.mark.parametrize("graph", [g for g in UP_TO_SIX if len(g) > 2], ids=graph_name)
def test_repeated_tiles_on_every_graph_up_to_six_vertices(graph: nx.Graph) -> None:
    """Equal tiles may be exchanged: the verdict equals breadth-first search over arrangements."""
    n = len(graph)
    board = tq.Board.from_networkx(graph)
    near = naive.graph_neighbours(n, graph.edges)
    rng = random.Random(n)
    for labels in repeated_labels(n):
        number = naive.classes(near, labels)
        states = sorted(number)
        goals = rng.sample(states, min(4 if n < 6 else 2, len(states)))
        starts = states if n < 6 else rng.sample(states, min(25, len(states)))
        assert disagreements(board, number, goals, starts) == [], labels


# -- larger graphs -----------------------------------------------------------------------------

NAMED_GRAPHS = {
    "theta-0": THETA_0,
    "theta 1-2-3": [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 2)],
    "theta 2-2-3": [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5), (5, 2)],
    "cycle 7": [(i, (i + 1) % 7) for i in range(7)],
    "path 7": [(i, i + 1) for i in range(6)],
    "star 7": [(0, i) for i in range(1, 7)],
    "spider": [(0, 1), (1, 2), (0, 3), (3, 4), (0, 5), (5, 6)],
    "two triangles at a vertex": [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)],
    "three triangles at a vertex": [
        (0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0), (0, 5), (5, 6), (6, 0),
    ],
    "two squares at a vertex": [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 6), (6, 3)],
    "triangle and square at a vertex": [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 5), (5, 0)],
    "two triangles on a bridge": [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)],
    "two triangles on a long bridge": [
        (0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 4),
    ],
    "square with two tails": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 5), (2, 6)],
    "theta-0 with a tail": [*THETA_0, (6, 7)],
    "theta-0 with a tail on the hexagon": [*THETA_0, (1, 7)],
    "K4 minus an edge, and a tail": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (2, 4), (4, 5)],
    "two K4 minus an edge": [
        (0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 4), (4, 5), (5, 6), (6, 3), (3, 5),
    ],
    "K3,4": [(a, b) for a in range(3) for b in range(3, 7)],
    "K2,5": [(a, b) for a in range(2) for b in range(2, 7)],
    "cycle 8": [(i, (i + 1) % 8) for i in range(8)],
    "cycle 8 with a long chord": [*((i, (i + 1) % 8) for i in range(8)), (0, 4)],
    "cycle 8 with an odd chord": [*((i, (i + 1) % 8) for i in range(8)), (0, 2)],
    "cube": [(a, a | b) for a in range(8) for b in (1, 2, 4) if not a & b],
    "wheel 7": [*((i, i % 6 + 1) for i in range(1, 7)), *((0, i) for i in range(1, 7))],
}  # fmt: skip


def theta(*inner: int) -> list[tuple[int, int]]:
    """Two hubs, 0 and 1, joined by three paths with so many cells between them."""
    edges, free = [], 2
    for cells in inner:
        path = [0, *range(free, free + cells), 1]
        edges += list(pairwise(path))
        free += cells
    return edges


# Every graph of 7 cells and 8 edges that could be taken for theta-0, and theta-0 numbered anew.
NAMED_GRAPHS |= {
    f"theta({a}, {b}, {c})": theta(a, b, c)
    for a, b, c in ((0, 1, 4), (0, 2, 3), (1, 1, 3), (1, 2, 2), (2, 2, 2), (0, 3, 3))
}


def sampled_disagreements(
    n: int, edges: list[tuple[int, int]], seed: int, goals: int, starts: int
) -> list[tuple[naive.Tiles, naive.Tiles]]:
    board = tq.Board.from_edges(edges, n)
    number = naive.classes(naive.graph_neighbours(n, edges))
    rng = random.Random(seed)
    states = list(number)
    wrong = []
    for goal in [goal_on(rng.randrange(n), n), *rng.sample(states, goals - 1)]:
        # Where classes are many, most pairs are apart: half of the starts come from the class.
        same = [tiles for tiles in states if number[tiles] == number[goal]]
        few = [*rng.sample(states, starts), *rng.sample(same, min(starts, len(same)))]
        wrong += disagreements(board, number, [goal], few)
    return wrong


@pytest.mark.parametrize("name", NAMED_GRAPHS)
def test_named_graphs(name: str) -> None:
    edges = NAMED_GRAPHS[name]
    n = 1 + max(b for edge in edges for b in edge)
    assert sampled_disagreements(n, edges, seed=1, goals=4, starts=100) == []


@pytest.mark.parametrize("graph", random.Random(7).sample(SMALL_GRAPHS[-853:], 60), ids=graph_name)
def test_random_graphs_on_seven_vertices(graph: nx.Graph) -> None:
    assert len(graph) == 7
    assert sampled_disagreements(7, list(graph.edges), seed=2, goals=3, starts=60) == []


def random_connected_graph(n: int, extra: int, rng: random.Random) -> list[tuple[int, int]]:
    """A random tree and `extra` more edges, so that trees, single cycles and blocks all occur."""
    order = rng.sample(range(n), n)
    edges = {tuple(sorted((order[i], order[rng.randrange(i)]))) for i in range(1, n)}
    free = [pair for pair in combinations(range(n), 2) if pair not in edges]
    return sorted(edges | set(rng.sample(free, extra)))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(14))
def test_random_graphs_on_eight_vertices(seed: int) -> None:
    rng = random.Random(seed)
    edges = random_connected_graph(8, seed % 5, rng)
    assert sampled_disagreements(8, edges, seed, goals=4, starts=60) == []


@pytest.mark.parametrize("seed", range(12))
def test_repeated_tiles_on_random_graphs_on_seven_and_eight_vertices(seed: int) -> None:
    rng = random.Random(100 + seed)
    n = 7 + seed % 2
    edges = random_connected_graph(n, seed % 4, rng)
    board = tq.Board.from_edges(edges, n)
    near = naive.graph_neighbours(n, edges)
    for _ in range(3):
        labels = [0, *(rng.randint(1, 3) for _ in range(n - 1))]
        states = sorted({tuple(rng.sample(labels, n)) for _ in range(30)})
        for goal in rng.sample(states, 2):
            reached = naive.depths(near, goal)
            number = {tiles: int(tiles in reached) for tiles in states}
            assert disagreements(board, number, [goal], states) == [], (edges, goal)


def test_repeated_tiles_on_theta_0() -> None:
    """Six classes of 840 melt together when tiles are equal: by orbit, not by parity."""
    board = tq.Board.from_edges(THETA_0)
    near = naive.graph_neighbours(7, THETA_0)
    rng = random.Random(3)
    for labels in repeated_labels(7):
        number = naive.classes(near, labels)
        states = sorted(number)
        goals = rng.sample(states, 2)
        assert disagreements(board, number, goals, rng.sample(states, min(60, len(states)))) == []


# -- facts: how many classes, and which goals belong together -----------------------------------


def class_sizes(board: tq.Board, states: list[naive.Tiles]) -> list[int]:
    """The sizes of the classes into which the verdict itself parts the states, sorted."""
    leaders: list[State] = []
    sizes: list[int] = []
    for tiles in states:
        state = State(tiles, board)
        for i, leader in enumerate(leaders):
            if solvable(state, leader):
                sizes[i] += 1
                break
        else:
            leaders.append(state)
            sizes.append(1)
    return sorted(sizes)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_line_has_one_class_for_each_order_of_the_tiles(n: int) -> None:
    factorial = [1, 1, 2, 6, 24]
    for board in (tq.Board.grid(n), tq.Board.grid(1, n), tq.Board.grid(n, 1)):
        assert class_sizes(board, list(permutations(range(n)))) == [n] * factorial[n - 1]


@pytest.mark.parametrize("n", [3, 4, 5])
def test_a_cycle_only_rotates(n: int) -> None:
    factorial = [1, 1, 2, 6]
    edges = [(i, (i + 1) % n) for i in range(n)]
    for board in (tq.Board.from_edges(edges), tq.Board.grid(n, wrap=(0,))):
        sizes = class_sizes(board, list(permutations(range(n))))
        assert sizes == [n * (n - 1)] * factorial[n - 2]


def test_two_by_two_has_two_classes_of_twelve() -> None:
    assert class_sizes(tq.Board.grid(2, 2), list(permutations(range(4)))) == [12, 12]


def test_k4_minus_an_edge_reaches_all() -> None:
    board = tq.Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
    assert class_sizes(board, list(permutations(range(4)))) == [24]


def test_theta_0_has_six_classes_of_840() -> None:
    """Wilson (1974): the one 2-connected graph that is neither a cycle nor ruled by parity."""
    board = tq.Board.from_edges(THETA_0)
    number = naive.classes(naive.graph_neighbours(7, THETA_0))
    members = [[tiles for tiles, c in number.items() if c == i] for i in range(6)]
    assert [len(tiles) for tiles in members] == [840] * 6
    leaders = [State(tiles[0], board) for tiles in members]
    for i, tiles in enumerate(members):
        for state in (State(t, board) for t in tiles[::20]):
            assert [solvable(state, leader) for leader in leaders].index(True) == i
            assert sum(solvable(state, leader) for leader in leaders) == 1


def test_theta_0_agrees_with_the_moves_on_every_state() -> None:
    board = tq.Board.from_edges(THETA_0)
    number = naive.classes(naive.graph_neighbours(7, THETA_0))
    assert disagreements(board, number, [(3, 1, 2, 0, 6, 5, 4)]) == []


def test_the_cube_has_two_classes_of_20160() -> None:
    board = tq.Board.grid(2, 2, 2)
    goal = State(goal_on(7, 8), board)
    reached = naive.depths(naive.grid_neighbours((2, 2, 2)), goal.tiles)
    assert (len(reached), max(reached.values())) == (20160, 19)
    every = list(permutations(range(8)))
    wrong = [tiles for tiles in every if solvable(State(tiles, board), goal) != (tiles in reached)]
    assert wrong == []
    answers = solvable_many(np.array(every), board, goal)
    assert answers.tolist() == [tiles in reached for tiles in every]


def test_every_board_of_three_by_three() -> None:
    """181 440 boards are solvable, 181 440 are not, for both usual goals and the spiral."""
    board = tq.Board.grid(3, 3)
    every = list(permutations(range(9)))
    array = np.array(every)
    near = naive.grid_neighbours((3, 3))
    for name in ("blank-last", "blank-first", "spiral"):
        goal = State(naive.usual_goal(name, 3, 3), board)
        reached = naive.depths(near, goal.tiles)
        expected = [tiles in reached for tiles in every]
        assert sum(expected) == 181_440
        assert solvable_many(array, board, goal).tolist() == expected
        one_by_one = range(0, len(every), 7 if name == "blank-last" else 101)
        wrong = [i for i in one_by_one if solvable(State(every[i], board), goal) != expected[i]]
        assert wrong == []


@pytest.mark.parametrize(
    ("shape", "wrap", "depth", "count"),
    [((3, 3), (0, 1), 19, 362_880), ((2, 3), (1,), 13, 720)],
)
def test_odd_tori_reach_everything(
    shape: tuple[int, int], wrap: tuple[int, ...], depth: int, count: int
) -> None:
    board = tq.Board.grid(*shape, wrap=wrap)
    goal = State(naive.usual_goal("blank-last", *shape), board)
    reached = naive.depths(naive.grid_neighbours(shape, wrap), goal.tiles)
    assert (len(reached), max(reached.values())) == (count, depth)
    every = list(permutations(range(board.n)))
    assert all(solvable(State(tiles, board), goal) for tiles in every[:: max(1, count // 3000)])
    assert solvable_many(np.array(every), board, goal).all()


def test_an_even_torus_keeps_its_parity() -> None:
    """A 2x4 board whose rows are rings of four is bipartite: half of 8! is reachable."""
    near = naive.grid_neighbours((2, 4), (1,))
    board = tq.Board.grid(2, 4, wrap=(1,))
    goal = State(goal_on(7, 8), board)
    reached = naive.depths(near, goal.tiles)
    assert len(reached) == 20160
    sample = random.Random(5).sample(list(permutations(range(8))), 2000)
    assert [solvable(State(t, board), goal) for t in sample] == [t in reached for t in sample]


SAME_AS_BLANK_LAST = {
    # name: {n: same class as the row-major goal with the blank last}
    "spiral": {n: n in (2, 4, 7, 9, 10) for n in range(2, 11)},
    "snake": {3: False, 4: False, 5: True, 6: True},
    "columns": {3: False, 4: True, 5: True, 6: False},
    "reversed": {3: True, 4: False, 5: True, 6: False},
    "blank-first": {n: n % 2 == 1 for n in range(2, 11)},
}


@pytest.mark.parametrize(
    ("name", "n", "same"),
    [(name, n, same) for name, row in SAME_AS_BLANK_LAST.items() for n, same in row.items()],
)
def test_which_usual_goals_lie_in_one_class(name: str, n: int, same: bool) -> None:
    puzzle = tq.Puzzle(tq.Board.grid(n, n))
    goal = State(naive.usual_goal(name, n, n), puzzle.board)
    assert puzzle.goal.tiles == naive.usual_goal("blank-last", n, n)
    assert solvable(goal, puzzle.goal) is same
    assert solvable(puzzle.goal, goal) is same


@pytest.mark.parametrize("n", range(2, 11))
def test_spiral_against_blank_first(n: int) -> None:
    board = tq.Board.grid(n, n)
    spiral = State(naive.usual_goal("spiral", n, n), board)
    first = State(naive.usual_goal("blank-first", n, n), board)
    assert solvable(spiral, first) is (n in (6, 7, 8, 9))


@pytest.mark.parametrize("rows", range(2, 8))
@pytest.mark.parametrize("columns", range(2, 8))
def test_both_corners_are_one_class_when_a_side_is_odd(rows: int, columns: int) -> None:
    board = tq.Board.grid(rows, columns)
    last = State(naive.usual_goal("blank-last", rows, columns), board)
    first = State(naive.usual_goal("blank-first", rows, columns), board)
    assert solvable(first, last) is (rows % 2 == 1 or columns % 2 == 1)


@pytest.mark.parametrize("most", [1, 12, 360, 10**6, 10**20])
def test_sizes_up_to_a_limit(most: int) -> None:
    """The limit changes no size below it, and says of the others only that they are above."""
    for board in (tq.Board.grid(1, 9), tq.Board.grid(2, 3), tq.Board.grid(4, 4)):
        exact = class_size(board, 0)
        assert min(class_size(board, 0, most=most), most + 1) == min(exact, most + 1)
