"""Perfect play from one bit a state, against a plain search on every state of small boards."""

import random
from collections.abc import Iterator
from itertools import islice

import naive
import numpy as np
import pytest

import taquin as tq
from taquin import oracle_kernels, space
from taquin.board.lines import letters, slides
from taquin.errors import LimitReached, Unsupported
from taquin.oracle import BATCH, along
from taquin.search.choose import TABLE_UP_TO
from taquin.search.layers import all_optimal

SMALL = [
    "1x2", "1x4", "2x2", "2x3", "2x4", "2x2x2", "2x3:mtm", "2x4:mtm", "1x5:mtm", "3x2:mtm",
    "2x3:torus", "1x5:torus", "2x3:wrap1:mtm", "2x2x2:mtm", "walls:..|.#|..", "walls:..|.#|..:mtm",
    "graph:0-1,1-2,2-0,2-3", "graph:0-1,1-2,2-3,3-4,4-5,5-0,0-3",
]  # fmt: skip


def everything(puzzle: tq.Puzzle) -> dict[tq.State, int]:
    """The depth of every state, by a search that knows nothing of tables."""
    depth = {puzzle.goal: 0}
    level = [puzzle.goal]
    while level:
        after = []
        for state in level:
            for child in children(puzzle, state).values():
                if child not in depth:
                    depth[child] = depth[state] + 1
                    after.append(child)
        level = after
    return depth


def children(puzzle: tq.Puzzle, state: tq.State) -> dict[tuple[int, ...], tq.State]:
    return {line: along(state, line) for line in slides(puzzle.board, state.blank, puzzle.metric)}


@pytest.mark.parametrize("spec", SMALL)
def test_depths_and_all_optimal_moves_of_every_state(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    oracle = space.oracle(puzzle)
    depth = everything(puzzle)
    states = list(depth)
    rows = np.array([state.tiles for state in states], np.int8)
    assert oracle.depths(rows).tolist() == list(depth.values())
    expected_modulus = 4 if puzzle.board.bipartite and puzzle.metric == "stm" else 3
    assert oracle.modulus == expected_modulus
    assert oracle.residues(rows).tolist() == [d % expected_modulus for d in depth.values()]
    rng = random.Random(spec)
    for state in rng.sample(states, min(200, len(states))):
        good = [
            line
            for line, child in children(puzzle, state).items()
            if depth[child] == depth[state] - 1
        ]
        assert oracle.moves(state) == sorted(good, key=lambda line: letters(puzzle.board, line))


@pytest.mark.parametrize("spec", SMALL)
def test_all_ways_and_their_number(spec: str) -> None:
    """Against the layers of plain Python, which list every way in lexicographic order."""
    puzzle = tq.Puzzle.parse(spec)
    oracle = space.oracle(puzzle)
    states = list(everything(puzzle))
    rng = random.Random(spec)
    for state in [states[-1], puzzle.goal, *rng.sample(states, min(5, len(states)))]:
        expected = all_optimal(state, puzzle.goal, puzzle.metric, limit=None, time_limit=None)
        assert oracle.count(state) == expected.count
        walks = [
            tuple(cell for line in way for cell in line[1:])
            for way in islice(oracle.ways(state), 2000)
        ]
        assert walks == [solution.walk for solution in expected.solutions[:2000]]
        assert oracle.way(state) == next(oracle.ways(state))
        assert len(oracle.way(state)) == expected.length


def test_numbers_of_ways_by_another_recursion() -> None:
    puzzle = tq.Puzzle.parse("2x2x3")
    oracle = space.oracle(puzzle)
    known = {puzzle.goal: 1}

    def count(at: tq.State) -> int:
        if at not in known:
            known[at] = sum(count(along(at, line)) for line in oracle.moves(at))
        return known[at]

    for seed in range(5):
        state = puzzle.random(seed)
        assert oracle.count(state) == count(state)
        assert type(oracle.count(state)) is int  # of any size


@pytest.mark.parametrize("spec", ["3x3", "3x3:mtm", "3x3:torus", "2x5", "4x3", "2x6:mtm"])
def test_walks_go_down_by_one(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    for seed in range(10):
        state = puzzle.random(seed)
        solution = puzzle.solve(state, method="table")
        assert solution.optimal
        *_, last = solution.states()
        assert last == puzzle.goal
        stops = [state]
        for line in space.oracle(puzzle).way(state):
            stops.append(along(stops[-1], line))
        depths = puzzle.distances_many([stop.tiles for stop in stops]).tolist()
        assert depths == list(range(solution.length, -1, -1))


@pytest.mark.parametrize("spec", ["3x3", "3x3:mtm", "3x3:blank-first", "3x3:spiral:mtm"])
def test_every_method_finds_the_same_length(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    states = [puzzle.random(seed) for seed in range(6)]
    table = [puzzle.solve(state, method="table").length for state in states]
    assert table == [puzzle.solve(state).length for state in states]
    assert table == puzzle.distances_many([state.tiles for state in states]).tolist()
    assert table == [solution.length for solution in puzzle.solve_many(states)]  # type: ignore[union-attr]


def test_many_batches() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    found = puzzle.explore()
    rng = random.Random(1)
    rows = np.array([puzzle.random(rng).tiles for _ in range(BATCH + 1000)])
    depths = puzzle.distances_many(rows)
    assert depths.dtype == np.int16
    assert depths.shape == (BATCH + 1000,)
    assert abs(depths.mean() - found.mean_depth) < 0.2
    assert (depths[:50] == puzzle.distances_many(rows[:50])).all()
    assert puzzle.distances_many(np.empty((0, 9), np.int64)).shape == (0,)


# -- the kernels and their twins ---------------------------------------------------------------


def lines_of(puzzle: tq.Puzzle) -> np.ndarray:
    return space.oracle(puzzle)._lines


def slow_children(puzzle: tq.Puzzle, state: tq.State) -> Iterator[tq.State]:
    for line in space.oracle(puzzle).lines(state.blank):
        yield along(state, line)


@pytest.mark.parametrize("spec", ["2x3", "2x4:mtm", "2x2x2", "3x3:torus"])
def test_spread_and_its_twin(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    states = [puzzle.random(seed) for seed in range(20)]
    labels = np.array([state.tiles for state in states], np.int8)
    lines = lines_of(puzzle)
    n, room = puzzle.board.n, len(states) * lines.shape[1]
    expected = [child for state in states for child in slow_children(puzzle, state)]
    for kernel in (oracle_kernels.spread, oracle_kernels.spread.py_func):  # type: ignore[attr-defined]
        cells, blanks = np.empty((room, n - 1), np.int64), np.empty(room, np.int64)
        size = kernel(labels, lines, cells, blanks)
        assert size == len(expected)
        assert blanks[:size].tolist() == [child.blank for child in expected]
        assert cells[:size].tolist() == [
            [child.cell_of(tile) for tile in range(1, n)] for child in expected
        ]


@pytest.mark.parametrize("spec", ["2x3", "2x4:mtm", "2x2x2", "3x3:torus"])
def test_make_moves_and_its_twin(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    oracle = space.oracle(puzzle)
    rng = random.Random(spec)
    states = [puzzle.random(rng) for _ in range(20)]
    moves = [rng.randrange(len(oracle.lines(state.blank))) for state in states]
    expected = [
        along(state, oracle.lines(state.blank)[move]).tiles
        for state, move in zip(states, moves, strict=True)
    ]
    for kernel in (oracle_kernels.make_moves, oracle_kernels.make_moves.py_func):  # type: ignore[attr-defined]
        labels = np.array([state.tiles for state in states], np.int8)
        kernel(labels, lines_of(puzzle), np.array(moves))
        assert list(map(tuple, labels.tolist())) == expected


def test_nearer_moves_and_its_twin() -> None:
    puzzle = tq.Puzzle.parse("2x3:mtm")
    states = list(everything(puzzle))[:50]
    labels = np.array([state.tiles for state in states], np.int8)
    lines = lines_of(puzzle)
    count = sum(len(space.oracle(puzzle).lines(state.blank)) for state in states)
    residues = np.random.default_rng(1).integers(0, 3, count, np.uint8)
    wanted = np.random.default_rng(2).integers(0, 3, len(states), np.uint8)
    answers = []
    for kernel in (oracle_kernels.nearer_moves, oracle_kernels.nearer_moves.py_func):  # type: ignore[attr-defined]
        nearer = np.empty((len(states), lines.shape[1]), np.bool_)
        kernel(labels, lines, residues, wanted, nearer)
        answers.append(nearer.tolist())
    assert answers[0] == answers[1]
    child = 0
    for state, goal, row in zip(states, wanted, answers[0], strict=True):
        for move in range(lines.shape[1]):
            exists = move < len(space.oracle(puzzle).lines(state.blank))
            assert row[move] == (exists and residues[child] == goal)
            child += exists


# -- solving from the table --------------------------------------------------------------------


def test_auto_takes_the_table_from_ten_cells_to_twelve() -> None:
    for spec, method in (("2x5", "table"), ("4x3", "table"), ("3x4:mtm", "table")):
        puzzle = tq.Puzzle.parse(spec)
        solution = puzzle.solve(puzzle.random(1))
        assert solution.stats.method == method
        assert solution.stats.bytes > 0
        assert solution.stats.expanded == solution.length == solution.stats.heuristic
        assert solution.stats.generated > 2 * solution.length
    puzzle = tq.Puzzle.parse("3x3")
    assert puzzle.solve(puzzle.random(1)).stats.method == "bidirectional"
    assert TABLE_UP_TO == 12


@pytest.mark.parametrize("spec", ["4x4", "13", "3x3x3"])
def test_boards_without_a_table(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    _, near = puzzle.neighbours(puzzle.goal)[0]
    with pytest.raises(Unsupported, match="'table' answers boards of 2 to 12 cells"):
        puzzle.solve(near, method="table")


def test_equal_labels_have_no_table() -> None:
    puzzle = tq.Puzzle(tq.Board.grid(2, 3), "1 1 2 / 2 3 0")
    assert puzzle.solve("1 1 2 / 2 0 3").length == 1
    with pytest.raises(Unsupported, match="different labels"):
        puzzle.solve("1 1 2 / 2 0 3", method="table")


def test_no_room_or_time_for_a_table() -> None:
    puzzle = tq.Puzzle.parse("2x5:columns")
    start = puzzle.random(1, method="walk", steps=12)
    space.forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAQUIN_TABLES", "/dev/null/nowhere")
        with pytest.raises(LimitReached, match=r"1\.0 kB may be used"):
            puzzle.solve(start, method="table", memory_limit=1000)
        searched = puzzle.solve(start, memory_limit=1000)  # falls back on a search
    assert searched.stats.method != "table"
    assert searched.length == puzzle.solve(start).length


def test_solve_all_with_limits() -> None:
    puzzle = tq.Puzzle.parse("4x3:mtm")
    state = puzzle.random(4)
    answer = puzzle.solve_all(state, limit=2)
    assert len(answer.solutions) == min(2, answer.count)
    assert answer.length == puzzle.distance(state)
    assert puzzle.solve_all(state, limit=0).solutions == ()
    many = tq.Puzzle.parse("3x4:torus")
    far = many.state([7, 8, 5, 6, 11, 0, 9, 10, 3, 4, 1, 2])
    assert many.solve_all(far, limit=1).count == 143_752
    with pytest.raises(LimitReached, match="solutions of 34 moves"):
        many.solve_all(far, time_limit=0.01)


def test_least_solutions_come_first() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    depths = naive.depths(naive.grid_neighbours((3, 3)), puzzle.goal.tiles)
    for seed in range(5):
        state = puzzle.random(seed)
        word, now = "", state
        while now != puzzle.goal:
            moves = dict(now.neighbours())
            letter = min(m for m in moves if depths[moves[m].tiles] == depths[now.tiles] - 1)
            word, now = word + letter, moves[letter]
        assert puzzle.solve_all(state, limit=1).solutions[0].moves == word
        assert puzzle.solve(state, method="table").moves == word
