"""Every algorithm with every heuristic: right answers, honest bounds, counters as defined."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable

import naive
import pytest

from taquin import heuristics
from taquin.board import Board
from taquin.board.lines import slides
from taquin.errors import InvalidState, LimitReached, Unsolvable, Unsupported
from taquin.heuristics import HEURISTICS, Heuristic, manhattan
from taquin.search.problem import LOOK_EVERY, Problem, state_bytes
from taquin.search.result import Solution
from taquin.search.textbook import TEXTBOOK, astar, bfs, idastar, iddfs, rbfs, weighted_astar
from taquin.state import State

BOARDS = {
    "3x3": Board.grid(3, 3),
    "2x3": Board.grid(2, 3),
    "2x2x2": Board.grid(2, 2, 2),
    "3x3 torus": Board.grid(3, 3, wrap=(0, 1)),
    "1x5": Board.grid(1, 5),
    "walls": Board.draw("...|..#|..."),
    "theta": Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (6, 0), (6, 3)]),
}
PROVING = {"bfs", "bidirectional", "iddfs", "astar", "idastar", "rbfs"}
EXHAUSTING = {"bfs", "bidirectional", "greedy", "astar", "weighted-astar"}
GRID = Board.grid(3, 3)
GOAL = State((1, 2, 3, 4, 5, 6, 7, 8, 0), GRID)
HARDEST = State((8, 6, 7, 2, 5, 4, 3, 0, 1), GRID)  # 31 moves
MIDDLE = State((7, 2, 4, 5, 0, 6, 8, 3, 1), GRID)  # 20 moves


def near(board: Board) -> naive.Near:
    return [list(board.neighbours(cell)) for cell in range(board.n)]


def successors(state: State, metric: str) -> list[State]:
    """The states one move away; in the multi-tile metric step by step along each direction."""
    if metric == "stm":
        return [child for _, child in state.neighbours()]
    found = []
    for letter in state.board.directions:
        now, to = state, state.board.step(state.blank, letter)
        while to is not None and to != state.blank:
            now = now.moved(to)
            found.append(now)
            to = state.board.step(to, letter)
    return found


def walked(goal: State, steps: int, seed: int) -> State:
    """A state some random steps away, never straight back."""
    rng, state, before = random.Random(seed), goal, -1
    for _ in range(steps):
        cells = [cell for cell in goal.board.neighbours(state.blank) if cell != before]
        if not cells:
            break
        before, state = state.blank, state.moved(rng.choice(cells))
    return state


def distance(start: State, goal: State, metric: str) -> int:
    """The optimal number of moves, by plain breadth-first search over `successors`."""
    met, level, moves = {start}, [start], 0
    while goal not in met:
        level = [s for state in level for s in successors(state, metric) if s not in met]
        met.update(level)
        moves += 1
    return moves


def replay(solution: Solution, metric: str) -> int:
    """Follow the walk to the goal; return the fewest moves of the metric that it can be cut in."""
    assert list(solution.states())[-1] == solution.goal
    assert solution.metric == metric
    cells = (solution.start.blank, *solution.walk)
    if metric == "stm":
        return len(solution.walk)
    board = solution.start.board
    at, moves = 0, 0
    while at < len(cells) - 1:
        lines = slides(board, cells[at], "mtm")
        fits = [line for line in lines if cells[at : at + len(line)] == line]
        at += max(map(len, fits)) - 1
        moves += 1
    return moves


# -- every algorithm, every heuristic ----------------------------------------------------------


@pytest.mark.parametrize("metric", ["stm", "mtm"])
@pytest.mark.parametrize("board", BOARDS)
def test_every_search_with_every_heuristic(board: str, metric: str) -> None:
    goal = State((*range(1, BOARDS[board].n), 0), BOARDS[board])
    if metric == "mtm" and not goal.board.directions:
        for search in TEXTBOOK.values():
            with pytest.raises(Unsupported, match="no directions"):
                search(walked(goal, 5, 1), goal, metric=metric)
        return
    # On the torus each state has four successors.
    for seed, steps in enumerate((1, 4, 6) if "torus" in board else (1, 5, 9)):
        start = walked(goal, steps, seed)
        optimum = distance(start, goal, metric)
        for name, search in TEXTBOOK.items():
            options = {"depth_limit": optimum + 1} if name == "dfs" else {}
            for guide in HEURISTICS:
                solution = search(start, goal, heuristic=guide, metric=metric, **options)
                assert replay(solution, metric) == solution.length, (name, guide)
                assert solution.lower_bound <= optimum <= solution.length, (name, guide)
                assert solution.optimal == (solution.length == solution.lower_bound)
                if name in PROVING:
                    assert solution.length == optimum, (name, guide)
                    assert solution.status == "optimal"
                if name == "weighted-astar":
                    assert solution.length <= 2 * solution.lower_bound
                assert solution.stats.method == name


@pytest.mark.parametrize("name", ["bidirectional", "greedy", "astar", "weighted-astar", "idastar"])
def test_a_hardest_board(name: str) -> None:
    solution = TEXTBOOK[name](HARDEST, GOAL)
    assert replay(solution, "stm") == solution.length >= 31
    if name in PROVING:
        assert (solution.length, solution.status) == (31, "optimal")


@pytest.mark.parametrize("name", TEXTBOOK)
def test_solved_already(name: str) -> None:
    solution = TEXTBOOK[name](GOAL, GOAL)
    assert (solution.walk, solution.length, solution.status) == ((), 0, "optimal")
    assert solution.stats.generated == 1


@pytest.mark.parametrize("name", TEXTBOOK)
def test_equal_labels(name: str) -> None:
    board = Board.grid(2, 3)
    goal = State((1, 2, 1, 2, 3, 0), board, repeats=True)
    depth = naive.depths(near(board), goal.tiles)
    for tiles in random.Random(3).sample(sorted(depth), 10):
        start = State(tiles, board, repeats=True)
        solution = TEXTBOOK[name](start, goal, heuristic="linear-conflict")
        assert replay(solution, "stm") == solution.length >= depth[tiles]
        if name in PROVING:
            assert solution.length == depth[tiles]


def test_the_children_of_a_state_are_its_successors() -> None:
    for board in BOARDS.values():
        for metric in ("stm", "mtm") if board.directions else ("stm",):
            for cell in range(board.n):
                tiles = [*range(1, board.n)]
                tiles.insert(cell, 0)
                state = State(tiles, board)
                problem = Problem("test", state, state, metric, "zero", {})
                children = list(problem.children(state))
                assert [child for _, child in children] == successors(state, metric)
                for line, child in children:
                    walk = Solution(state, child, line[1:], 1)
                    assert list(walk.states())[-1] == child
                assert problem.stats.generated == 1 + len(children)


# -- bounds ------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [1, 1.1, 1.5, 2, 3.7, 10])
def test_weighted_astar_keeps_its_promise(weight: float) -> None:
    for seed in range(15):
        start = walked(GOAL, 60, seed)
        optimum = TEXTBOOK["bidirectional"](start, GOAL).length
        solution = weighted_astar(start, GOAL, weight=weight)
        assert solution.lower_bound <= optimum <= solution.length
        assert solution.length <= weight * solution.lower_bound
        if weight == 1:
            assert solution.status == "optimal"


def test_a_weight_below_one() -> None:
    for weight in (0.5, float("nan")):
        with pytest.raises(Unsupported, match="at least 1"):
            weighted_astar(MIDDLE, GOAL, weight=weight)


def too_much(goal: State) -> Callable[[State], int]:
    estimate = manhattan(goal)
    return lambda state: 7 * estimate(state)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_no_optimum_is_claimed_with_an_inadmissible_heuristic(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = Heuristic("too-much", too_much, "seven times the steps", admissible=False)
    monkeypatch.setitem(heuristics.HEURISTICS, "too-much", entry)
    start = walked(GOAL, 14, 1)
    optimum = distance(start, GOAL, "stm")
    solution = TEXTBOOK[name](start, GOAL, heuristic="too-much")
    assert replay(solution, "stm") == solution.length
    assert solution.lower_bound <= optimum <= solution.length
    assert solution.optimal == (name in {"bfs", "bidirectional", "iddfs"})


# -- limits ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TEXTBOOK)
@pytest.mark.parametrize("limit", [1, 2, 10, 77])
def test_a_node_limit(name: str, limit: int) -> None:
    with pytest.raises(LimitReached, match="has at least") as caught:
        TEXTBOOK[name](HARDEST, GOAL, node_limit=limit)
    assert caught.value.solution is None
    assert 21 <= caught.value.lower_bound <= 31
    assert f"limit of {limit} generated states" in str(caught.value)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_exactly_as_many_nodes_as_needed(name: str) -> None:
    start = walked(GOAL, 9, 2)
    needed = TEXTBOOK[name](start, GOAL).stats.generated
    assert TEXTBOOK[name](start, GOAL, node_limit=needed).stats.generated == needed
    with pytest.raises(LimitReached):
        TEXTBOOK[name](start, GOAL, node_limit=needed - 1)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_time_limit(name: str) -> None:
    goal = State(range(16), Board.grid(4, 4))
    start = State((14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3), goal.board)
    with pytest.raises(LimitReached, match="0 seconds") as caught:
        TEXTBOOK[name](start, goal, heuristic="zero", time_limit=0)
    assert 1 <= caught.value.lower_bound <= 57


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_memory_limit(name: str) -> None:
    limit = 10 * state_bytes(HARDEST)
    with pytest.raises(LimitReached, match=f"limit of {limit:,} bytes"):
        TEXTBOOK[name](HARDEST, GOAL, memory_limit=limit)


def test_what_a_limit_has_proved() -> None:
    def bound(search: Callable[..., Solution], **options: object) -> int:
        with pytest.raises(LimitReached) as caught:
            search(HARDEST, GOAL, **options)
        return caught.value.lower_bound

    # 1 + 2 + 4 + 8 + 16 states are met when depth 5 begins.
    met = naive.profile(naive.depths(near(GRID), HARDEST.tiles))
    assert bound(bfs, heuristic="zero", node_limit=1) == 1
    assert bound(bfs, heuristic="zero", node_limit=3 * sum(met[:12])) in (12, 13)
    assert bound(iddfs, heuristic="zero", depth_limit=8) == 9
    assert bound(TEXTBOOK["dfs"], heuristic="zero", depth_limit=8) == 9
    # The bound of IDA* rises by two: 21, 23, ... within 31.
    assert bound(idastar, node_limit=20_000) in (25, 27, 29)
    assert 23 <= bound(rbfs, node_limit=20_000) <= 31
    assert 23 <= bound(astar, node_limit=5_000) <= 31
    assert 21 <= bound(weighted_astar, node_limit=50) <= 31


def test_a_way_that_is_too_deep_for_the_recursion_of_rbfs() -> None:
    board = Board.grid(1, 1500)
    goal = State(range(1500), board)
    start = State((*range(1, 1500), 0), board)
    with pytest.raises(LimitReached, match="recursion"):
        rbfs(start, goal, heuristic="misplaced")
    assert idastar(start, goal, heuristic="misplaced").length == 1499


def test_progress() -> None:
    seen: list[tuple[int, int, float]] = []
    solution = idastar(HARDEST, GOAL, progress=lambda *numbers: seen.append(numbers))
    bounds, generated, seconds = zip(*seen, strict=True)
    assert list(generated) == [
        LOOK_EVERY * i for i in range(1, solution.stats.generated // LOOK_EVERY + 1)
    ]
    assert list(bounds) == sorted(bounds)
    assert bounds[-1] == 31
    assert list(seconds) == sorted(seconds)


# -- no way ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TEXTBOOK)
def test_every_state_met_and_no_goal(name: str) -> None:
    line = Board.grid(1, 4)
    with pytest.raises(Unsolvable, match="goal is not among them") as caught:
        TEXTBOOK[name](State((1, 2, 0, 3), line), State((2, 1, 3, 0), line))
    assert caught.value.verdict is None
    if name in EXHAUSTING:
        board = Board.grid(2, 3)
        with pytest.raises(Unsolvable):
            TEXTBOOK[name](State((2, 1, 3, 4, 5, 0), board), State((1, 2, 3, 4, 5, 0), board))


def test_depth_first_search_exhausts_a_small_space() -> None:
    board = Board.grid(2, 2)
    with pytest.raises(Unsolvable):
        TEXTBOOK["dfs"](State((2, 1, 3, 0), board), State((1, 2, 3, 0), board))


@pytest.mark.parametrize("name", TEXTBOOK)
def test_wrong_questions(name: str) -> None:
    search = TEXTBOOK[name]
    with pytest.raises(InvalidState, match="different boards, 3x3 and 3x3:torus"):
        search(GOAL, State(GOAL.tiles, BOARDS["3x3 torus"]))
    with pytest.raises(InvalidState, match="different labels"):
        search(GOAL, State((1, 1, 3, 4, 5, 6, 7, 8, 0), GRID, repeats=True))
    with pytest.raises(Unsupported, match="there is no heuristic 'euclid'"):
        search(MIDDLE, GOAL, heuristic="euclid")
    with pytest.raises(Unsupported, match="there is no metric 'qtm'"):
        search(MIDDLE, GOAL, metric="qtm")


def test_a_depth_limit_of_nothing() -> None:
    with pytest.raises(Unsupported, match="at least 1 move"):
        TEXTBOOK["dfs"](MIDDLE, GOAL, depth_limit=0)
    with pytest.raises(LimitReached) as caught:
        iddfs(MIDDLE, GOAL, heuristic="zero", depth_limit=0)
    assert caught.value.lower_bound == 1


# -- counters ----------------------------------------------------------------------------------


def test_breadth_first_search_makes_every_successor_once() -> None:
    """The goal of 2 x 3 farthest from the start is met last: all 360 states but that one."""
    board = Board.grid(2, 3)
    depth = naive.depths(near(board), (1, 2, 3, 4, 5, 0))
    farthest = max(depth, key=depth.__getitem__)
    solution = bfs(State((1, 2, 3, 4, 5, 0), board), State(farthest, board), heuristic="zero")
    assert solution.length == 21
    stats = solution.stats
    assert stats.stored == 360
    # It stops at the first parent of the goal, and at the goal among its children.
    moves = sum(len(near(board)[tiles.index(0)]) for tiles in depth if depth[tiles] < 20)
    last = [tiles for tiles in depth if depth[tiles] == 20]
    assert 1 + moves < stats.generated <= 1 + moves + 3 * len(last)
    assert sum(d < 20 for d in depth.values()) < stats.expanded <= 359
    assert stats.heuristic == 0


@pytest.mark.parametrize("seed", range(6))
def test_ida_star_counts_like_its_twin(seed: int) -> None:
    for board in (GRID, BOARDS["2x3"], BOARDS["2x2x2"], BOARDS["3x3 torus"], BOARDS["theta"]):
        goal = State((*range(1, board.n), 0), board)
        start = walked(goal, 20 + seed, seed)
        solution = idastar(start, goal)
        expected = naive.deepening_generated(near(board), start.tiles, goal.tiles, blind=False)
        assert (solution.length, solution.stats.generated) == expected
        assert solution.stats.stored == max(1, solution.length)
        assert solution.stats.heuristic == manhattan(goal)(start)


@pytest.mark.parametrize("seed", range(6))
def test_iterative_deepening_counts_like_its_twin(seed: int) -> None:
    for board in (GRID, BOARDS["2x2x2"], BOARDS["theta"]):
        goal = State((*range(1, board.n), 0), board)
        start = walked(goal, 8 + seed // 2, seed)
        solution = iddfs(start, goal)
        expected = naive.deepening_generated(near(board), start.tiles, goal.tiles, blind=True)
        assert (solution.length, solution.stats.generated) == expected


@pytest.mark.parametrize("seed", range(6))
def test_a_star_breaks_ties_like_its_twin(seed: int) -> None:
    for board in (GRID, BOARDS["2x3"], BOARDS["theta"]):
        goal = State((*range(1, board.n), 0), board)
        start = walked(goal, 18, seed)
        stats = astar(start, goal).stats
        expected = naive.astar_counts(near(board), start.tiles, goal.tiles)
        assert (stats.expanded, stats.generated) == expected[1:]


def test_a_star_expands_what_it_must() -> None:
    """All states with f below the optimum, and none with f above it."""
    estimate = manhattan(GOAL)
    from_start = naive.depths(near(GRID), HARDEST.tiles)
    f = [
        depth + estimate(State.trusted(tiles, GRID, tiles.index(0)))
        for tiles, depth in from_start.items()
    ]
    expanded = astar(HARDEST, GOAL).stats.expanded
    assert sum(value < 31 for value in f) <= expanded <= sum(value <= 31 for value in f)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tiles", "moves", "generated"),
    [
        # Korf (1985), table 1: the two boards with the fewest generated nodes, 79 and 12.
        ("0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 42, 540_860),
        ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45, 546_344),
    ],
)
def test_korfs_published_counts(tiles: str, moves: int, generated: int) -> None:
    board = Board.grid(4, 4)
    solution = idastar(State(map(int, tiles.split()), board), State(range(16), board))
    assert (solution.length, solution.stats.generated) == (moves, generated)


def test_depth_first_search_never_cuts_a_slide_in_two() -> None:
    for seed in range(5):
        solution = TEXTBOOK["dfs"](walked(GOAL, 6, seed), GOAL, metric="mtm", depth_limit=12)
        assert replay(solution, "mtm") == solution.length


@pytest.mark.parametrize("name", ["bfs", "astar", "greedy"])
def test_the_estimate_of_memory(name: str) -> None:
    """Within a factor of two of what Python allocates, all containers included."""
    goal = State(range(12), Board.grid(3, 4))
    problem_size: list[int] = []
    tracemalloc.start()
    try:
        with pytest.raises(LimitReached):
            TEXTBOOK[name](
                walked(goal, 80, 1),
                goal,
                heuristic="zero",
                memory_limit=8_000 * state_bytes(goal),
                progress=lambda *_: problem_size.append(tracemalloc.get_traced_memory()[0]),
            )
    finally:
        tracemalloc.stop()
    assert 0.5 < problem_size[-1] / (8_000 * state_bytes(goal)) < 2
