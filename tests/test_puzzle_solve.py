"""Puzzles solved: between any two states, and what is refused."""

from __future__ import annotations

import random
import time

import naive
import pytest
from replays import RING, check, far_states, three_by_three, three_by_three_mtm

import taquin as tq
from taquin.errors import (
    LimitReached,
    TaquinError,
    Unsolvable,
)
from taquin.search.textbook import TEXTBOOK

# -- solving -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["auto", "ida", "ida-manhattan"])
def test_the_fast_methods_are_optimal_on_three_by_three(method: str) -> None:
    puzzle = tq.Puzzle.parse("3x3")
    for tiles in far_states(1, 20):
        start = puzzle.state(tiles)
        solution = puzzle.solve(start, method=method)
        check(solution, start, puzzle.goal, three_by_three()[tiles])
        assert solution.optimal
        assert puzzle.distance(start) == three_by_three()[tiles]


def test_the_two_farthest_boards() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    for text in ("8 6 7 2 5 4 3 0 1", "6 4 7 8 5 0 3 2 1"):
        assert puzzle.distance(text) == 31


@pytest.mark.parametrize("method", sorted(TEXTBOOK))
def test_every_textbook_method_by_name(method: str) -> None:
    """Each replays; whoever says optimal is."""
    depth = naive.depths(naive.grid_neighbours((2, 3)), (1, 2, 3, 4, 5, 0))
    boards = [
        ("2x3", depth, random.Random(2).sample(sorted(depth), 6)),
        ("3x3", three_by_three(), [] if method == "dfs" else far_states(2, 3, deepest=14)),
    ]
    for spec, known, starts in boards:
        puzzle = tq.Puzzle.parse(spec)
        for tiles in starts:
            start = puzzle.state(tiles)
            solution = puzzle.solve(start, method=method)
            check(solution, start, puzzle.goal, known[tiles])
            assert solution.stats.generated >= 1


@pytest.mark.parametrize("method", ["bfs", "astar"])
def test_the_optimal_textbook_methods_say_so(method: str) -> None:
    assert tq.Puzzle.parse("3x3").solve("1 2 3 / 4 0 6 / 7 5 8", method=method).optimal


def test_there_are_nine_textbook_methods() -> None:
    assert len(TEXTBOOK) >= 9
    assert {"bfs", "dfs", "astar"} <= set(TEXTBOOK)


@pytest.mark.parametrize("spec", ["2x2", "2x3", "3x3", "4x4", "5x5", "3x7", "2x2x2", "8x8"])
def test_construct_always_answers(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    for seed in range(5):
        start = puzzle.random(seed)
        solution = puzzle.solve(start, method="construct")
        check(solution, start, puzzle.goal, None)
        if solution.length:
            assert not (solution.optimal and solution.length > 80)


def test_large_boards_get_an_answer_now() -> None:
    puzzle = tq.Puzzle.parse("20x20")
    start = puzzle.random(1)
    solution = puzzle.solve(start, method="construct")
    check(solution, start, puzzle.goal, None)
    assert not solution.optimal


@pytest.mark.parametrize(
    "spec",
    ["2x2", "2x3", "2x4", "3x3:spiral", "3x3:blank-first", "2x2x2", "3x3:torus", "2x3:wrap1",
     "1x5", "6", "walls:...|.#.|...", "walls:..#|...|#..",
     "graph:0-1,1-2,2-3,3-4,4-5,5-0,6-0,6-3", "graph:0-1,1-2,2-0,2-3,3-4,4-2", "2x2x2:torus"],
)  # fmt: skip
def test_auto_is_optimal_on_every_small_board(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    near = [list(puzzle.board.neighbours(cell)) for cell in range(puzzle.board.n)]
    depth = naive.depths(near, puzzle.goal.tiles)
    sample = random.Random(3).sample(sorted(depth), min(12, len(depth)))
    farthest = max(depth, key=lambda tiles: (depth[tiles], tiles))
    for tiles in [*sample, farthest]:
        start = puzzle.state(tiles)
        solution = puzzle.solve(start)
        check(solution, start, puzzle.goal, depth[tiles])
        assert solution.optimal


@pytest.mark.parametrize(
    ("spec", "farthest"),
    [("2x2", 6), ("2x3", 21), ("2x4", 36), ("3x3:torus", 19), ("2x3:wrap1", 13), ("2x2x2", 19)],
)
def test_the_farthest_boards(spec: str, farthest: int) -> None:
    puzzle = tq.Puzzle.parse(spec)
    near = [list(puzzle.board.neighbours(cell)) for cell in range(puzzle.board.n)]
    depth = naive.depths(near, puzzle.goal.tiles)
    assert max(depth.values()) == farthest
    last = [tiles for tiles, d in depth.items() if d == farthest]
    assert puzzle.distance(puzzle.state(last[0])) == farthest


def test_the_profiles_of_three_by_three() -> None:
    assert naive.profile(three_by_three()) == [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
        10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ]  # fmt: skip
    assert naive.profile(three_by_three_mtm()) == [
        1, 4, 8, 16, 32, 64, 127, 244, 454, 856, 1576, 2854, 5117, 8588, 13466, 19739, 26558,
        31485, 30985, 23494, 11751, 3390, 589, 41, 1,
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["auto", "ida-manhattan", "construct", "bfs", "astar"])
def test_solved_already_is_an_empty_solution(name: str) -> None:
    for spec in ("3x3", "4x4", "3x3:mtm"):
        if spec == "3x3:mtm" and name in ("ida-manhattan", "construct"):
            continue
        puzzle = tq.Puzzle.parse(spec)
        solution = puzzle.solve(puzzle.goal, method=name)
        assert solution.moves == ""
        assert solution.length == len(solution) == 0
        assert solution.optimal
        assert list(solution.states()) == [puzzle.goal]


def test_one_cell_is_solved() -> None:
    puzzle = tq.Puzzle.parse("1x1")
    assert puzzle.goal.tiles == (0,)
    assert puzzle.distance(puzzle.goal) == 0
    assert puzzle.random(1) == puzzle.goal


# -- between any two states --------------------------------------------------------------------


@pytest.mark.parametrize("method", ["auto", "ida-manhattan", "bfs", "astar", "construct"])
def test_to_any_state_also_in_the_other_class(method: str) -> None:
    puzzle = tq.Puzzle.parse("3x3")
    near = naive.grid_neighbours((3, 3))
    rng = random.Random(4)
    for _ in range(3):
        end = rng.sample(range(9), 9)
        if puzzle.solvable(end):  # the class that does not reach the goal
            a, b = (i for i in range(9) if end[i] in (1, 2))
            end[a], end[b] = end[b], end[a]
        goal = puzzle.state(end)
        assert not puzzle.solvable(goal)
        depth = naive.depths(near, goal.tiles)
        start = puzzle.state(rng.choice(sorted(t for t, d in depth.items() if d < 19)))
        assert puzzle.solvable(start, to=goal)
        check(puzzle.solve(start, to=goal, method=method), start, goal, depth[start.tiles])


def test_to_takes_text() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    start = "1 2 3 / 8 4 0 / 7 6 5"
    assert not puzzle.solvable(start)
    assert puzzle.solvable(start, to=RING)
    assert puzzle.solve(start, to=RING).moves == "L"
    assert puzzle.verdict(start, to=RING).solvable


def test_to_on_four_by_four() -> None:
    puzzle = tq.Puzzle.parse("4x4")
    goal = puzzle.state("2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0")
    start = puzzle.apply(goal, "LLUURRDLULLDRR")
    solution = puzzle.solve(start, to=goal)
    check(solution, start, goal, solution.length)
    assert solution.length <= 14
    assert solution.length % 2 == 0


# -- no ----------------------------------------------------------------------------------------

IMPOSSIBLE = {
    "3x3": "1 2 3 4 5 6 8 7 0",
    "4x4": "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0",
    "6x6": " ".join(map(str, [2, 1, *range(3, 36), 0])),
    "10x10": " ".join(map(str, [2, 1, *range(3, 100), 0])),
    "2x2x2": "2 1 3 4 5 6 7 0",
    "1x5": "2 1 3 4 0",
    "graph:0-1,1-2,2-3,3-4,4-5,5-0,6-0,6-3": "2 1 3 4 5 6 0",
}


@pytest.mark.parametrize("spec", IMPOSSIBLE)
@pytest.mark.parametrize("method", ["auto", "ida-manhattan", "construct", "bfs", "astar"])
def test_unsolvable_comes_with_the_verdict_before_any_search(spec: str, method: str) -> None:
    """A search of the larger boards would end in another error, at the limit of time."""
    puzzle = tq.Puzzle.parse(spec)
    with pytest.raises(Unsolvable) as caught:
        puzzle.solve(IMPOSSIBLE[spec], method=method, time_limit=20)
    assert caught.value.verdict.solvable is False
    assert caught.value.verdict.rule == puzzle.verdict(IMPOSSIBLE[spec]).rule
    assert "\n" not in str(caught.value)


def test_distance_and_all_solutions_say_unsolvable_too() -> None:
    puzzle = tq.Puzzle.parse("6x6")
    for ask in (puzzle.distance, puzzle.solve_all):
        with pytest.raises(Unsolvable):
            ask(IMPOSSIBLE["6x6"])


HARD = "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0"


@pytest.mark.parametrize("method", ["ida", "ida-manhattan", "astar", "bfs", "idastar", "iddfs"])
def test_a_limit_of_time_never_reads_as_no(method: str) -> None:
    puzzle = tq.Puzzle.parse("5x5")
    if method not in TEXTBOOK and not method.startswith("ida-") and method != "ida":
        pytest.skip("no such method name")
    puzzle.solve(puzzle.apply(puzzle.goal, "LU"), method=method)  # compile first
    began = time.perf_counter()
    with pytest.raises(LimitReached) as caught:
        puzzle.solve(HARD, method=method, time_limit=0.3)
    assert time.perf_counter() - began < 60  # a limit that is ignored would take hours
    message = str(caught.value).lower()
    for never in ("unsolvable", "no solution", "not solvable", "cannot be solved", "impossible"):
        assert never not in message
    assert caught.value.lower_bound >= 0
    if caught.value.solution is not None:
        check(caught.value.solution, puzzle.state(HARD), puzzle.goal, None)


def test_auto_gives_what_it_has_when_time_runs_out() -> None:
    """Either the error with what is known, or a solution that does not claim to be optimal."""
    puzzle = tq.Puzzle.parse("5x5")
    try:
        solution = puzzle.solve(HARD, time_limit=0.5)
        lower_bound = solution.lower_bound
    except LimitReached as reached:
        solution, lower_bound = reached.solution, reached.lower_bound
    assert lower_bound >= 1
    if solution is not None:
        check(solution, puzzle.state(HARD), puzzle.goal, None)
        assert not solution.optimal
        assert 1 <= solution.lower_bound < solution.length


def test_unknown_methods_are_named() -> None:
    with pytest.raises(TaquinError, match="quantum") as caught:
        tq.Puzzle.parse("3x3").solve("1 2 3 4 5 6 7 0 8", method="quantum")
    assert isinstance(caught.value, ValueError)
    assert "astar" in str(caught.value)
    with pytest.raises(TaquinError, match="quantum"):
        tq.Puzzle.parse("3x3").solve("1 2 3 4 5 6 7 8 0", method="quantum")


@pytest.mark.parametrize("spec", ["5x5", "6x6"])
def test_distance_is_optimal_or_says_that_a_limit_was_reached(spec: str) -> None:
    """A constructed way is no distance."""
    puzzle = tq.Puzzle.parse(spec)
    start = puzzle.random(1)
    constructed = puzzle.solve(start, method="construct").length
    try:
        found = puzzle.distance(start)
    except LimitReached as reached:
        found = reached.lower_bound
    assert 0 < found < constructed


@pytest.mark.parametrize("options", [{"time_limit": -1}, {"bound": 0.5}, {"bound": -1}])
def test_senseless_limits(options: dict[str, float]) -> None:
    with pytest.raises((ValueError, LimitReached)):
        tq.Puzzle.parse("4x4").solve("15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("board", "blank"),
    [
        (tq.Board.grid(1, 16), 15),
        (tq.Board.grid(1, 12), 3),
        (tq.Board.grid(200, 1), 0),
        (tq.Board.from_edges([(i, (i + 1) % 40) for i in range(40)]), 7),
    ],
    ids=["1x16", "1x12", "200x1", "ring of 40"],
)
def test_few_states_are_searched_without_tables(
    board: tq.Board, blank: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unwanted(*_: object, **__: object) -> None:
        raise AssertionError("no table is needed")

    monkeypatch.setattr("taquin.tables.obtain", unwanted)
    labels = [0 if cell == blank else 1 + cell - (cell > blank) for cell in range(board.n)]
    goal = tq.State(labels, board)
    puzzle = tq.Puzzle(board, goal)
    start = puzzle.random(5)
    solution = puzzle.solve(start)
    assert solution.optimal
    check(solution, start, goal, None)
