"""Boards against their definition: coordinates, one cell at a time."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import pairwise, product

import naive
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import Board
from taquin.errors import InvalidBoard, TaquinError

# (shape, wrap): every number of axes, rings of one, two, three and four cells, sides of one.
GRIDS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((1,), ()), ((2,), ()), ((7,), ()), ((1, 1), ()), ((1, 6), ()), ((6, 1), ()), ((2, 2), ()),
    ((2, 5), ()), ((3, 3), ()), ((4, 4), ()), ((5, 3), ()), ((2, 2, 2), ()), ((3, 3, 3), ()),
    ((2, 3, 4), ()), ((1, 3, 3), ()), ((3, 1, 3), ()),
    ((5,), (0,)), ((3, 3), (0, 1)), ((4, 4), (0, 1)), ((3, 5), (0,)), ((3, 5), (1,)),
    ((2, 4), (0, 1)), ((2, 2), (0, 1)), ((1, 4), (0, 1)), ((3, 3, 3), (0, 1, 2)),
    ((2, 3, 4), (2,)), ((3, 4, 2), (0, 2)),
]  # fmt: skip


def grid(shape: tuple[int, ...], wrap: tuple[int, ...] = ()) -> Board:
    return Board.grid(*shape, wrap=wrap)


BOARDS = [
    *(grid(shape, wrap) for shape, wrap in GRIDS),
    Board.grid(2, 2, 2, 2),
    Board.grid(3, 2, 2, 3, wrap=(0,)),
    Board.draw("...|.#.|..."),
    Board.draw("#..|...|..#"),
    Board.draw("."),
    Board.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)]),
    Board.from_edges([], 1),
    Board.from_networkx(nx.petersen_graph()),
]


# -- neighbours --------------------------------------------------------------------------------


@pytest.mark.parametrize(("shape", "wrap"), GRIDS)
def test_moves_of_a_grid(shape: tuple[int, ...], wrap: tuple[int, ...]) -> None:
    board = grid(shape, wrap)
    expected = naive.grid_moves(shape, wrap)
    assert board.n == len(board) == len(expected)
    assert [list(board.moves(cell)) for cell in range(board.n)] == expected
    for cell, moves in enumerate(expected):
        assert list(board.neighbours(cell)) == [to for _, to in moves]
        for letter in "ULRDFB":
            assert board.step(cell, letter) == dict(moves).get(letter)


def test_the_order_is_up_left_right_down_front_back() -> None:
    assert Board.grid(3, 3).moves(4) == (("U", 1), ("L", 3), ("R", 5), ("D", 7))
    assert Board.grid(3, 3, 3).moves(13) == (
        ("U", 10), ("L", 12), ("R", 14), ("D", 16), ("F", 4), ("B", 22),
    )  # fmt: skip
    assert Board.grid(3, 3, wrap=(0, 1)).moves(0) == (("U", 6), ("L", 2), ("R", 1), ("D", 3))
    assert Board.grid(5).moves(2) == (("L", 1), ("R", 3))
    assert Board.grid(3, 3).directions == "ULRD"
    assert Board.grid(2, 2, 2).directions == "ULRDFB"


def test_a_ring_of_two_lists_each_neighbour_once() -> None:
    assert Board.grid(2, 2, wrap=(0, 1)) == Board.grid(2, 2)
    assert Board.grid(2, wrap=(0,)).neighbours(0) == (1,)


@pytest.mark.parametrize("shape", [(2, 2, 2, 2), (3, 2, 4, 2), (2, 1, 3, 2, 2)])
def test_more_than_three_axes(shape: tuple[int, ...]) -> None:
    """Neighbours differ by one on exactly one axis; moves are named by the cell."""
    board = Board.grid(*shape)
    places = list(product(*map(range, shape)))
    for cell, place in enumerate(places):
        expected = {
            other
            for other, there in enumerate(places)
            if sum(abs(a - b) for a, b in zip(place, there, strict=True)) == 1
        }
        assert set(board.neighbours(cell)) == expected
        assert len(board.neighbours(cell)) == len(expected)
        assert [letter for letter, _ in board.moves(cell)] == list(map(str, board.neighbours(cell)))
        assert board.coordinates(cell) == place


def test_walls() -> None:
    """Cells are the dots in reading order; a wall is no cell."""
    board = Board.draw("..#\n.#.\n...")
    #  0 1 #
    #  2 # 3
    #  4 5 6
    assert board.n == 7
    assert [board.moves(cell) for cell in range(7)] == [
        (("R", 1), ("D", 2)),
        (("L", 0),),
        (("U", 0), ("D", 4)),
        (("D", 6),),
        (("U", 2), ("R", 5)),
        (("L", 4), ("R", 6)),
        (("U", 3), ("L", 5)),
    ]
    assert board.coordinates(3) == (1, 2)


def test_drawings_of_one_board_are_equal() -> None:
    board = Board.draw("...|.#.|...")
    assert board == Board.draw(".../.#./...") == Board.draw("\n...\n.#.\n...\n")
    assert Board.draw("...|.|..#") == Board.draw("...|.##|..#")
    assert set(map(frozenset, Board.draw("..|..").edges())) == set(
        map(frozenset, Board.grid(2, 2).edges())
    )


@given(st.integers(1, 5).flatmap(lambda w: st.lists(st.text(".#", min_size=w, max_size=w),
                                                    min_size=1, max_size=5)))  # fmt: skip
def test_random_drawings(rows: list[str]) -> None:
    """A drawing is a board exactly when its dots hang together; neighbours are side by side."""
    dots = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "."]
    graph = nx.Graph()
    graph.add_nodes_from(dots)
    graph.add_edges_from(
        (a, b) for a in dots for b in dots if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    )
    if not dots or not nx.is_connected(graph):
        with pytest.raises(InvalidBoard):
            Board.draw("|".join(rows))
        return
    board = Board.draw("|".join(rows))
    assert [board.coordinates(cell) for cell in range(board.n)] == dots
    for cell, dot in enumerate(dots):
        assert {dots[to] for to in board.neighbours(cell)} == set(graph[dot])
    assert Board.parse(board.spec) == board
    assert eval(repr(board)) == board


# -- graphs ------------------------------------------------------------------------------------


def test_edges_in_any_order_make_one_board() -> None:
    board = Board.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)])
    assert board == Board.from_edges([(3, 2), (0, 2), (2, 1), (1, 0), (0, 1)])
    assert hash(board) == hash(Board.from_edges([(2, 3), (0, 1), (1, 2), (2, 0)]))
    assert board != Board.from_edges([(0, 1), (1, 2), (2, 3)])
    assert board.neighbours(2) == (0, 1, 3)
    assert board.moves(3) == (("2", 2),)
    assert list(board.edges()) == [(0, 1), (0, 2), (1, 2), (2, 3)]


def test_from_edges_takes_arrays_and_generators() -> None:
    board = Board.from_edges([(0, 1), (1, 2)])
    assert Board.from_edges(np.array([[0, 1], [1, 2]])) == board
    assert Board.from_edges((i, i + 1) for i in range(2)) == board


@pytest.mark.parametrize("graph", [nx.path_graph(5), nx.petersen_graph(), nx.star_graph(4)])
def test_from_networkx_keeps_the_graph(graph: nx.Graph) -> None:
    board = Board.from_networkx(graph)
    assert board.n == len(graph)
    for cell in range(board.n):
        assert set(board.neighbours(cell)) == set(graph[cell])


def test_from_networkx_numbers_nodes_in_their_order() -> None:
    graph = nx.Graph([("north", "east"), ("east", "south"), ("south", "north"), ("south", "dock")])
    board = Board.from_networkx(graph)
    names = list(graph.nodes)
    for cell, name in enumerate(names):
        assert {names[to] for to in board.neighbours(cell)} == set(graph[name])


def test_a_grid_graph_is_the_grid() -> None:
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(3, 4), ordering="sorted")
    assert set(Board.from_networkx(graph).edges()) == set(Board.grid(3, 4).edges())


# -- whole boards ------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_neighbours_are_mutual_and_listed_once(board: Board) -> None:
    for cell in range(board.n):
        near = board.neighbours(cell)
        assert cell not in near
        assert len(set(near)) == len(near)
        assert all(cell in board.neighbours(other) for other in near)
    edges = list(board.edges())
    assert len(set(edges)) == len(edges)
    assert {(a, b) for a in range(board.n) for b in board.neighbours(a) if a < b} == set(edges)


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_colours(board: Board) -> None:
    """Neighbours differ; where no colouring exists, a search finds none either."""
    near = [list(board.neighbours(cell)) for cell in range(board.n)]
    expected = naive.two_colouring(near)
    assert board.bipartite is (expected is not None)
    if expected is None:
        assert board.colours is None
        return
    assert board.colours is not None
    colours = list(board.colours)
    assert len(colours) == board.n
    assert colours == expected or colours == [1 - colour for colour in expected]


@pytest.mark.parametrize(
    ("board", "bipartite"),
    [
        (Board.grid(3, 3), True),
        (Board.grid(3, 3, wrap=(0,)), False),
        (Board.grid(4, 4, wrap=(0, 1)), True),
        (Board.grid(4, 3, wrap=(0, 1)), False),
        (Board.grid(2, 2, 3, wrap=(2,)), False),
        (Board.from_edges([(0, 1), (1, 2), (2, 0)]), False),
        (Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)]), True),
    ],
)
def test_bipartite(board: Board, bipartite: bool) -> None:
    assert board.bipartite is bipartite


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_repr_pastes_back_and_spec_reads_back(board: Board) -> None:
    assert eval(repr(board)) == board
    assert Board.parse(board.spec) == board
    assert hash(Board.parse(board.spec)) == hash(board)
    assert Board.parse(board.spec).spec == board.spec


@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=5).flatmap(
        lambda shape: st.tuples(st.just(shape), st.sets(st.integers(0, len(shape) - 1)))
    )
)
def test_spec_of_any_grid_reads_back(made: tuple[list[int], set[int]]) -> None:
    shape, wrap = made
    board = Board.grid(*shape, wrap=wrap)
    assert Board.parse(board.spec) == board
    assert eval(repr(board)) == board


@given(st.integers(2, 9), st.integers(0, 5), st.randoms(use_true_random=False))
def test_spec_of_any_graph_reads_back(n: int, extra: int, rng: random.Random) -> None:
    edges = [(i, rng.randrange(i)) for i in range(1, n)]
    edges += [tuple(rng.sample(range(n), 2)) for _ in range(extra)]  # type: ignore[misc]
    board = Board.from_edges(edges)
    assert Board.parse(board.spec) == board
    assert eval(repr(board)) == board


@pytest.mark.parametrize(
    ("spec", "board"),
    [
        ("3x3", Board.grid(3, 3)),
        ("4x4:torus", Board.grid(4, 4, wrap=(0, 1))),
        ("3x3x3", Board.grid(3, 3, 3)),
        ("2x3:wrap1", Board.grid(2, 3, wrap=(1,))),
        ("3x3x4:wrap0,2", Board.grid(3, 3, 4, wrap=(0, 2))),
        ("7", Board.grid(7)),
        ("walls:...|.#.|...", Board.draw("...|.#.|...")),
        ("graph:0-1,1-2,2-0", Board.from_edges([(0, 1), (1, 2), (2, 0)])),
    ],
)
def test_parse(spec: str, board: Board) -> None:
    assert Board.parse(spec) == board


def test_different_boards_differ() -> None:
    assert len(set(BOARDS)) == len({repr(board) for board in BOARDS})
    assert Board.grid(3, 4) != Board.grid(4, 3)
    assert Board.grid(3, 3) != Board.grid(3, 3, wrap=(0,))
    assert Board.grid(3, 3) != "3x3"


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_boards_survive_pickle_and_copy(board: Board) -> None:
    board.neighbours(0)
    _ = board.colours
    for other in (pickle.loads(pickle.dumps(board)), copy.copy(board), copy.deepcopy(board)):
        assert other == board
        assert hash(other) == hash(board)
        assert other.moves(0) == board.moves(0)


@pytest.mark.parametrize("spec", ["3x3", "walls:..|.#", "graph:0-1,1-2,2-0"])
@pytest.mark.parametrize("name", ["n", "shape", "wrap", "colours", "something"])
def test_boards_never_change(spec: str, name: str) -> None:
    board = Board.parse(spec)
    with pytest.raises(AttributeError):
        setattr(board, name, 5)
    assert board == Board.parse(spec)


# -- walks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_distances_and_paths(board: Board) -> None:
    """Distances are those of breadth-first search; a path is a walk of that length."""
    graph = nx.Graph()
    graph.add_nodes_from(range(board.n))
    graph.add_edges_from(board.edges())
    rng = random.Random(board.n)
    for start in {0, board.n - 1, rng.randrange(board.n)}:
        expected = nx.single_source_shortest_path_length(graph, start)
        assert {end: int(d) for end, d in enumerate(board.distances(start))} == expected
        for end in range(board.n):
            assert board.distance(start, end) == expected[end]
            walk = [start, *board.path(start, end)]
            assert len(walk) == expected[end] + 1
            assert walk[-1] == end
            assert all(b in board.neighbours(a) for a, b in pairwise(walk))


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_csr_holds_the_neighbours(board: Board) -> None:
    indptr, indices = board.csr()
    assert indptr.shape == (board.n + 1,)
    for cell in range(board.n):
        assert tuple(indices[indptr[cell] : indptr[cell + 1]].tolist()) == board.neighbours(cell)


@pytest.mark.parametrize("wrap", [(), (0, 1)])
def test_a_million_cells(wrap: tuple[int, ...]) -> None:
    """The whole table of a 1000x1000 board, against the definition on random cells."""
    side = 1000
    board = Board.grid(side, side, wrap=wrap)
    assert board.n == side * side
    indptr, indices = board.csr()
    steps = 4 * side * side if wrap else 4 * side * (side - 1)
    assert indptr[-1] == len(indices) == steps
    rng = random.Random(1)
    corners = [0, side - 1, side * (side - 1), side * side - 1]
    for cell in corners + rng.sample(range(board.n), 500):
        row, column = divmod(cell, side)
        expected = []
        for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if wrap or (0 <= r < side and 0 <= c < side):
                expected.append(r % side * side + c % side)
        assert board.neighbours(cell) == tuple(expected)
        assert indices[indptr[cell] : indptr[cell + 1]].tolist() == expected
    assert board.colours is not None
    for cell in rng.sample(range(board.n), 200):
        assert board.colours[cell] == sum(divmod(cell, side)) % 2


# -- what is no board --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape",
    [(), (0,), (3, 0), (-1, 4), (3, -3), (2.5, 2), ("3", "3"), (True, 3), (None,), (10**5, 10**5)],
)
def test_invalid_sizes(shape: tuple[object, ...]) -> None:
    with pytest.raises(InvalidBoard) as caught:
        Board.grid(*shape)  # type: ignore[arg-type]
    assert isinstance(caught.value, TaquinError)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrap", [(2,), (-1,), (0, 5), ("0",), (0.5,)])
def test_invalid_wraps(wrap: tuple[object, ...]) -> None:
    with pytest.raises(InvalidBoard):
        Board.grid(3, 3, wrap=wrap)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "edges",
    [
        [(0, 0)], [(0, -1)], [(0, 1), (2, 3)], [(0, 2)], [(0,)], [(0, 1, 2)], [("a", "b")],
        [(0, 1.5)], [0], [None],
    ],
)  # fmt: skip
def test_invalid_edges(edges: list[object]) -> None:
    with pytest.raises(InvalidBoard):
        Board.from_edges(edges)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [0, -1, 1, 2, 4, 10**9])
def test_edges_that_do_not_fit_the_number_of_cells(n: int) -> None:
    with pytest.raises(InvalidBoard):
        Board.from_edges([(0, 1), (1, 2)], n)


def test_disconnected_boards_name_a_lost_cell() -> None:
    with pytest.raises(InvalidBoard, match="connected"):
        Board.from_edges([(0, 1), (2, 3)])
    with pytest.raises(InvalidBoard, match="connected"):
        Board.draw(".#.")
    with pytest.raises(InvalidBoard, match="connected"):
        Board.from_networkx(nx.Graph([(0, 1), (2, 3)]))


@pytest.mark.parametrize("drawing", ["", "\n\n", "#", "###|###", " ", "|/|"])
def test_drawings_without_cells(drawing: str) -> None:
    with pytest.raises(InvalidBoard):
        Board.draw(drawing)


def test_empty_networkx_graph() -> None:
    with pytest.raises(InvalidBoard):
        Board.from_networkx(nx.Graph())


@pytest.mark.parametrize(
    "spec",
    [
        "", ":", "x", "3x", "x3", "3xx3", "axb", "3x3:foo", "3x3:wrap", "3x3:wrap9", "3x3:wrapa",
        "3x3:torus:torus", "0x3", "-3x3", "3.5x3", "walls:", "walls:###", "walls:.#.", "graph:",
        "graph:0-0", "graph:0", "graph:a-b", "graph:0-1,2-3", "99999999999x99999999999",
        "3x3:torus:wrap0", "\0", "9" * 5000,
    ],
)  # fmt: skip
def test_texts_that_are_no_board(spec: str) -> None:
    with pytest.raises(InvalidBoard) as caught:
        Board.parse(spec)
    assert len(str(caught.value)) < 1000
