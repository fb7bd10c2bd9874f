"""Construction on every graph: each answer is replayed, each refusal compared with the moves."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import naive
import networkx as nx
import pytest
from grown_graphs import (
    THETA_ZERO,
    Edges,
    arrangement,
    connected,
    distance,
    ear,
    exchanged,
    glued,
    grid_edges,
    neighbours,
    paths_between,
    refused,
    renamed,
    replayed,
    ring,
    shuffled,
    slid,
    solved_either,
    thetas,
    walled,
    with_cuts,
    without_cut,
)

import taquin as tq
from taquin.construct import SENTENCES, box, canonical, construct
from taquin.construct.ears import SMALL, Theta, find_core
from taquin.errors import LimitReached
from taquin.solvability import decide
from taquin.state import State

# -- all small graphs ---------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_graph_and_every_pair(n: int) -> None:
    """All pairs of states, up to the names of the tiles, which only the goal gives them."""
    graphs = 0
    for board in connected(n):
        graphs += 1
        number = naive.classes(neighbours(board))
        for home in range(n):
            goal = State([*range(1, home + 1), 0, *range(home + 1, n)], board)
            for tiles in permutations(range(n)):
                start = State(tiles, board)
                if number[tiles] == number[goal.tiles]:
                    replayed(construct(start, goal))
                else:
                    refused(start, goal)
    assert graphs == [1, 1, 2, 6, 21][n - 1]


@pytest.mark.parametrize(("n", "pairs", "graphs"), [(6, 100, 112), (7, 4, 853)])
def test_every_graph_and_many_pairs(n: int, pairs: int, graphs: int) -> None:
    rng = random.Random(n)
    solved = refusals = 0
    for board in connected(n):
        graphs -= 1
        near = neighbours(board)
        number = naive.classes(near) if n == 6 else None
        for _ in range(pairs):
            start, goal = arrangement(board, rng), arrangement(board, rng)
            answer = decide(start, goal)[0]
            assert number is None or answer == (number[start.tiles] == number[goal.tiles])
            if answer:
                solved += 1
                replayed(construct(start, goal))
            else:
                refusals += 1
                refused(start, goal)
                replayed(construct(start, shuffled(start, 200, rng)))
    assert graphs == 0
    assert min(solved, refusals) > 1000


def test_every_state_of_theta_zero() -> None:
    """840 of the 5,040 states reach the goal, each by a shortest way; there are 6 classes."""
    board = tq.Board.from_edges(THETA_ZERO)
    goal = State([1, 2, 3, 0, 4, 5, 6], board)
    depth = naive.depths(neighbours(board), goal.tiles)
    assert len(depth) == 840
    for tiles, steps in list(depth.items())[::7]:
        assert replayed(construct(State(tiles, board), goal)).length == steps
    rng = random.Random(0)
    names = {canonical(arrangement(board, rng))[0] for _ in range(200)}
    assert len(names) == 6
    for _ in range(100):
        start = arrangement(board, rng)
        if start.tiles not in depth:
            refused(start, goal)


# -- larger graphs ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_random_graphs_without_cut_cells(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(12):
        board = renamed(without_cut(rng, rng.randint(8, 60)), rng)
        start = arrangement(board, rng)
        goal = arrangement(board, rng)
        if not decide(start, goal)[0]:
            refused(start, goal)
            goal = shuffled(start, 3000, rng)
        replayed(construct(start, goal))


@pytest.mark.parametrize("seed", range(8))
def test_random_graphs_with_cut_cells(seed: int) -> None:
    rng = random.Random(seed)
    refusals = 0
    for _ in range(25):
        board = renamed(with_cuts(rng), rng)
        start = arrangement(board, rng)
        goal = arrangement(board, rng)
        if not decide(start, goal)[0]:
            refusals += 1
            refused(start, goal)
        replayed(construct(start, shuffled(start, 3000, rng)))
    assert refusals > 10


def test_each_block_is_put_in_order() -> None:
    """A ring, theta-0, an edge and a square with a chord, all at one cut cell or behind another."""
    rng = random.Random(3)
    edges = glued(glued(glued(THETA_ZERO, ring(5), 1), [(0, 1)], 9), [*ring(4), (0, 2)], 9)
    board = tq.Board.from_edges(edges)
    for home in range(board.n):
        tiles = rng.sample(range(1, board.n), board.n - 1)
        goal = State([*tiles[:home], 0, *tiles[home:]], board)
        for _ in range(5):
            replayed(construct(shuffled(goal, 2000, rng), goal))


@pytest.mark.parametrize(
    ("size", "walls", "ratio"), [(5, 2, 4), (5, 3, 4), (8, 5, 5), (8, 9, 5), (12, 12, 5)]
)
def test_grids_with_walls(size: int, walls: int, ratio: float) -> None:
    rng = random.Random(size * 100 + walls)
    moves = steps = 0
    for _ in range(4):
        made = solved_either(walled(size, size, walls, rng, cuts=False), rng)
        moves, steps = moves + made.length, steps + distance(made)
    assert steps < moves < ratio * steps


@pytest.mark.parametrize(("size", "walls"), [(5, 5), (8, 14), (12, 30)])
def test_grids_with_walls_and_cut_cells(size: int, walls: int) -> None:
    rng = random.Random(size)
    for _ in range(6):
        board = walled(size, size, walls, rng, cuts=True)
        goal = arrangement(board, rng)
        replayed(construct(shuffled(goal, 20_000, rng), goal))
        start = arrangement(board, rng)
        if decide(start, goal)[0]:
            replayed(construct(start, goal))
        else:
            refused(start, goal)


def test_walls_that_cut_the_board_in_two() -> None:
    """Two rooms and a door: a tile of the one room cannot come to the other."""
    board = tq.Board.draw("...#...|...#...|.......|...#...|...#...")
    goal = State(range(board.n), board)
    rng = random.Random(1)
    for _ in range(5):
        replayed(construct(shuffled(goal, 10_000, rng), goal))
    tiles = list(goal.tiles)
    tiles[1], tiles[-1] = tiles[-1], tiles[1]
    refused(State(tiles, board), goal)
    tiles[2], tiles[7] = tiles[7], tiles[2]
    refused(State(tiles, board), goal)


@pytest.mark.parametrize(
    "edges",
    [
        grid_edges(4, 5, wrap=(0, 1)),
        grid_edges(7, 7, wrap=(0, 1)),
        grid_edges(3, 3, 3),
        grid_edges(2, 4, 6),
        grid_edges(9, 2),
        list(nx.petersen_graph().edges()),
        list(nx.heawood_graph().edges()),
        list(nx.LCF_graph(30, [-13, -9, 7, -7, 9, 13], 5).edges()),  # no ring below 8
        list(nx.wheel_graph(40).edges()),
        *(list(combinations(range(n), 2)) for n in (4, 7, 8, 9, 25)),
        [(a, b + 6) for a in range(6) for b in range(5)],
        [*grid_edges(5, 5), (0, 6)],  # one diagonal makes all odd permutations possible
        ear(grid_edges(4, 4), 0, 15, 6),
        ear(grid_edges(4, 4), 0, 15, 7),
        ear(ear(grid_edges(3, 3), 0, 8, 20), 2, 6, 11),
    ],
)
def test_known_graphs(edges: Edges) -> None:
    rng = random.Random(len(edges))
    for _ in range(6):
        solved_either(renamed(edges, rng), rng)


def test_boxes_and_tori_with_walls() -> None:
    rng = random.Random(11)
    for shape, wrap in (((6, 7), (0, 1)), ((5, 5), (0, 1)), ((3, 4, 5), ()), ((4, 4, 3), (2,))):
        graph = nx.Graph(grid_edges(*shape, wrap=wrap))
        for _ in range(5):
            while True:
                rest = graph.copy()
                rest.remove_nodes_from(rng.sample(sorted(graph.nodes), 5))
                if nx.is_biconnected(rest):
                    break
            solved_either(tq.Board.from_networkx(rest), rng)


@pytest.mark.parametrize("make", ["walls", "cubic", "sparse"])
def test_a_thousand_cells(make: str) -> None:
    rng = random.Random(5)
    if make == "walls":
        board = walled(33, 33, 60, rng, cuts=True)
    else:
        graph = nx.random_regular_graph(3, 1000, seed=2)
        if make == "sparse":
            graph = nx.gnm_random_graph(1000, 1500, seed=2)
            part = max(nx.connected_components(graph), key=len)
            graph = nx.convert_node_labels_to_integers(graph.subgraph(part).copy())
        board = tq.Board.from_networkx(graph)
    goal = arrangement(board, rng)
    made = replayed(construct(shuffled(goal, 200_000, rng), goal))
    assert made.length < 200_000
    assert sum(len(stage.tiles) for stage in made.stages) == board.n - 1


def test_long_chains_of_blocks_need_no_recursion() -> None:
    rng = random.Random(6)
    chain = [edge for i in range(0, 2400, 2) for edge in ((i, i + 1), (i + 1, i + 2), (i, i + 2))]
    tree = [(rng.randrange(max(0, v - 5), v), v) for v in range(1, 2400)]
    for edges in (chain, tree):
        goal = arrangement(tq.Board.from_edges(edges), rng)
        replayed(construct(shuffled(goal, 100_000, rng), goal))


# -- thetas and other sparse graphs -------------------------------------------------------------


@pytest.mark.parametrize("sizes", thetas(4, 13))
def test_thetas(sizes: tuple[int, int, int]) -> None:
    """Both parities where a ring is odd; theta-0 is left to its own tests."""
    rng = random.Random(repr(sizes))
    board = renamed(paths_between(*sizes), rng)
    if sizes == (1, 2, 2):
        start = arrangement(board, rng)
        replayed(construct(start, shuffled(start, 300, rng)))
        return
    for _ in range(4):
        solved_either(board, rng)


def test_large_thetas() -> None:
    rng = random.Random(8)
    for sizes in (
        (0, 1, 30),
        (0, 14, 14),
        (0, 12, 15),
        (1, 1, 30),
        (1, 2, 25),
        (9, 9, 9),
        (5, 8, 8),
    ):
        solved_either(renamed(paths_between(*sizes), rng), rng)


def test_every_ear_on_theta_zero() -> None:
    """Where theta-0 is all that a search for short rings finds, a core must be found beyond it."""
    rng = random.Random(9)
    large = 0
    for x, y in combinations(range(7), 2):
        for size in (0, 1, 2, 4, 5, 9):
            if size or ((x, y) not in THETA_ZERO and (y, x) not in THETA_ZERO):
                board = renamed(ear(THETA_ZERO, x, y, size), rng)
                core = find_core(neighbours(board), set(range(board.n)), 0)
                if isinstance(core, Theta):
                    large += 1
                    assert not core.zero
                    assert len(core.cells) > SMALL
                solved_either(board, rng)
    assert large > 5


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_parity_that_only_one_ear_can_change(size: int) -> None:
    """A grid, one ear of which closes the only odd rings: both parities of every arrangement."""
    rng = random.Random(size)
    edges = grid_edges(4, 5)
    for x, y in ((0, 6), (0, 1), (3, 19), (7, 11)):
        odd = (sum(abs(a - b) for a, b in zip(divmod(x, 5), divmod(y, 5), strict=True)) + size) % 2
        board = renamed(ear(edges, x, y, size), rng)
        for _ in range(4):
            start, goal = arrangement(board, rng), arrangement(board, rng)
            answers = [decide(state, goal)[0] for state in (start, exchanged(start))]
            assert answers.count(True) == (2 if odd == 0 else 1)
            for state, answer in zip((start, exchanged(start)), answers, strict=True):
                if answer:
                    replayed(construct(state, goal))
                else:
                    refused(state, goal)


def test_a_way_too_long_to_write_down(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(10)
    for edges in (grid_edges(6, 6), paths_between(6, 6, 6), glued(ring(9), ring(3), 4)):
        board = tq.Board.from_edges([*edges, (0, 1 + max(map(max, edges)))])
        goal = arrangement(board, rng)
        start = shuffled(goal, 5000, rng)
        length = construct(start, goal).length
        monkeypatch.setattr(box, "MAX_MOVES", length // 2)
        with pytest.raises(LimitReached, match=r"solvable|no more than"):
            construct(start, goal)
        monkeypatch.undo()
        assert construct(start, goal).length == length


# -- equal labels, canonical states, words ------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_equal_labels(seed: int) -> None:
    rng = random.Random(seed)
    answers = []
    for _ in range(25):
        board = renamed(with_cuts(rng) if seed % 2 else without_cut(rng, 20), rng)
        labels = [0, *(rng.randint(1, rng.choice((1, 3, board.n))) for _ in range(board.n - 1))]
        start, goal = (State(rng.sample(labels, board.n), board, repeats=True) for _ in range(2))
        answers.append(decide(start, goal)[0])
        if answers[-1]:
            replayed(construct(start, goal))
            assert canonical(start)[0] == canonical(goal)[0]
        else:
            refused(start, goal)
            assert canonical(start)[0] != canonical(goal)[0]
        replayed(construct(start, shuffled(start, 1000, rng)))
    assert True in answers


@pytest.mark.parametrize(
    "edges", [THETA_ZERO, [*ring(5), (0, 2)], glued(ring(4), [*ring(3)], 1), paths_between(0, 2, 2)]
)
def test_canonical_states_are_the_classes(edges: Edges) -> None:
    board = tq.Board.from_edges(edges)
    number = naive.classes(neighbours(board))
    names: dict[int, tuple[int, ...]] = {}
    for tiles in list(number)[::11]:
        state, walk = canonical(State(tiles, board))
        assert slid(neighbours(board), tiles, walk) == list(state.tiles)
        assert names.setdefault(number[tiles], state.tiles) == state.tiles
        assert canonical(state) == (state, ())
    assert len(set(names.values())) == len(names)


def test_every_kind_of_stage_has_its_sentence() -> None:
    rng = random.Random(12)
    kinds = set()
    boards = [walled(8, 8, 14, rng, cuts=True) for _ in range(4)]
    boards += [renamed(with_cuts(rng), rng) for _ in range(20)]
    boards += [tq.Board.from_networkx(nx.random_regular_graph(3, 200, seed=1))]
    boards += [renamed(paths_between(3, 4, 4), rng)]
    for board in boards:
        goal = arrangement(board, rng)
        made = construct(shuffled(goal, 20_000, rng), goal)
        kinds |= {stage.kind for stage in made.stages}
        for lang in SENTENCES:
            for stage, sentence in zip(made.stages, made.narrate(lang), strict=True):
                assert "{" not in sentence
                assert stage.moves == 0 or str(stage.moves) in sentence
                if stage.kind not in ("walk", "park"):
                    assert ", ".join(map(str, stage.tiles)) in sentence
    assert kinds == {"tile", "pair", "ear", "park", "search", "cycles", "turn", "walk", "rest"}


def test_the_same_question_gets_the_same_answer() -> None:
    rng = random.Random(13)
    board = renamed(without_cut(rng, 40), rng)
    goal = arrangement(board, rng)
    start = shuffled(goal, 5000, rng)
    assert construct(start, goal).walk == construct(start, goal).walk
