"""Compiled IDA*: published counts, slow twins, all optimal solutions, limits."""

import csv
import threading
from functools import cache
from itertools import pairwise
from pathlib import Path

import naive
import numpy as np
import pytest

from taquin.board import Board
from taquin.errors import LimitReached, Unsolvable, Unsupported
from taquin.heuristics import HEURISTICS
from taquin.search import ida
from taquin.search.ida_tables import Manhattan, Walking, walking_pays, walking_table
from taquin.state import State

DATA = Path(__file__).parent / "data"

# Korf's boards: published nodes of IDA* with the Manhattan distance, and optimal lengths.
with (DATA / "korf100.csv").open(encoding="utf-8") as file:
    KORF = sorted(csv.DictReader(file), key=lambda row: int(row["ida_nodes"]))

BOARDS = {
    "2x3": Board.grid(2, 3),
    "3x3": Board.grid(3, 3),
    "2x2x2": Board.grid(2, 2, 2),
    "3x2 ring": Board.grid(3, 2, wrap=(0,)),
    "3x3 torus": Board.grid(3, 3, wrap=(0, 1)),
    "2x4 ring": Board.grid(2, 4, wrap=(1,)),
    "walls": Board.draw("...|...|.##"),
    "graph": Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 1), (0, 2)]),
    "2x2": Board.grid(2, 2),
    "1x5": Board.grid(1, 5),
    "2x2x2x1": Board.grid(2, 2, 2, 1),
}
GRIDS = [name for name in BOARDS if name not in ("walls", "graph", "1x5")]


def near(board: Board) -> naive.Near:
    return [list(board.neighbours(cell)) for cell in range(board.n)]


def wander(goal: State, steps: int, seed: int) -> State:
    rng, state = np.random.default_rng(seed), goal
    for _ in range(steps):
        cells = goal.board.neighbours(state.blank)
        state = state.moved(cells[rng.integers(len(cells))])
    return state


@cache
def depths(name: str) -> dict[naive.Tiles, int]:
    """The depth of every state, for the goal of the first pair."""
    goal = pairs(name, 1)[0][1]
    return naive.depths(near(goal.board), goal.tiles)


def pairs(name: str, count: int = 4) -> list[tuple[State, State]]:
    """Starts and goals of one class: goals in any order, the blank anywhere."""
    board, found = BOARDS[name], []
    for seed in range(count):
        tiles = tuple(map(int, np.random.default_rng(seed).permutation(board.n)))
        goal = State(tiles, board)
        found.append((wander(goal, 25, seed), goal))
    return found


def arrives(start: State, goal: State, walk: tuple[int, ...]) -> bool:
    for cell in walk:
        start = start.moved(cell)
    return start == goal


# -- published figures ---------------------------------------------------------------------------


def korf(row: dict[str, str]) -> tuple[State, State]:
    board = Board.grid(4, 4)
    return State(map(int, row["tiles"].split()), board), State(range(16), board)


@pytest.mark.parametrize("row", KORF[:10], ids=lambda row: row["id"])
def test_korf_counts_exactly(row: dict[str, str]) -> None:
    start, goal = korf(row)
    solution = ida.ida_manhattan(start, goal)
    assert solution.stats.generated == int(row["ida_nodes"])
    assert solution.length == solution.lower_bound == len(solution.walk) == int(row["optimal"])
    assert solution.stats.heuristic == int(row["md"])
    assert solution.optimal
    assert arrives(start, goal, solution.walk)


@pytest.mark.parametrize("row", KORF[:60:6], ids=lambda row: row["id"])
def test_korf_lengths_by_walking_distance(row: dict[str, str]) -> None:
    start, goal = korf(row)
    solution = ida.ida(start, goal)
    assert solution.stats.method == "ida-walking"
    assert solution.length == int(row["optimal"])
    assert arrives(start, goal, solution.walk)
    assert solution.stats.generated < int(row["ida_nodes"])


# -- the twins -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_manhattan_does_what_the_paper_says(name: str) -> None:
    for start, goal in pairs(name):
        steps = naive.cell_steps(near(goal.board))
        if start == goal:
            continue
        twin = naive.ida_star(near(goal.board), start.tiles, goal.tiles, steps)
        solution = ida.ida_manhattan(start, goal)
        walk, generated, expanded, thresholds = twin
        assert list(solution.walk) == walk
        assert solution.stats.generated == generated
        assert solution.stats.expanded == expanded
        assert solution.stats.heuristic == thresholds[0]
        assert solution.length == thresholds[-1]


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("make", [ida.ida_manhattan, ida.ida_walking, ida.ida])
def test_lengths_are_depths(name: str, make: object) -> None:
    if make is ida.ida_walking and name not in GRIDS:
        return
    goal = pairs(name, 1)[0][1]
    depth = depths(name)
    rng = np.random.default_rng(7)
    for tiles in [list(depth)[i] for i in rng.integers(len(depth), size=12)]:
        solution = make(State(tiles, goal.board), goal)  # type: ignore[operator]
        assert solution.length == len(solution.walk) == depth[tiles]
        assert arrives(State(tiles, goal.board), goal, solution.walk)


def test_hardest_3x3() -> None:
    board = Board.grid(3, 3)
    goal = State((1, 2, 3, 4, 5, 6, 7, 8, 0), board)
    for tiles in [(8, 6, 7, 2, 5, 4, 3, 0, 1), (6, 4, 7, 8, 5, 0, 3, 2, 1)]:
        for make in (ida.ida_manhattan, ida.ida_walking):
            assert make(State(tiles, board), goal).length == 31


@pytest.mark.parametrize("labels", [(0, 1, 1, 2, 2, 2), (0, 7, 7, 7, 7, 7), (0, 1, 2, 3, 4, 4)])
def test_equal_labels(labels: tuple[int, ...]) -> None:
    board = Board.grid(2, 3)
    for seed in range(6):
        tiles = tuple(np.random.default_rng(seed).permutation(labels).tolist())
        goal = State(tiles, board, repeats=True)
        depth = naive.depths(near(board), goal.tiles)
        steps = naive.cell_steps(near(board))
        for start in list(depth)[:: max(1, len(depth) // 8)]:
            solution = ida.ida_manhattan(State(start, board, repeats=True), goal)
            assert solution.length == depth[start]
            if depth[start]:
                twin = naive.ida_star(near(board), start, goal.tiles, steps)
                assert (list(solution.walk), solution.stats.generated) == twin[:2]


# -- walking distance ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*GRIDS, "4x4"])
def test_walking_values_agree_with_the_readable_heuristic(name: str) -> None:
    board = BOARDS.get(name) or Board.grid(4, 4)
    for seed in range(5):
        tiles = tuple(map(int, np.random.default_rng(seed).permutation(board.n)))
        goal = State(tiles, board)
        estimate = HEURISTICS["walking-distance"](goal)
        for steps in range(40):
            start = wander(goal, steps, seed + steps)
            assert Walking(start, goal).value == estimate(start)


def test_walking_distance_never_exceeds_the_depth_on_3x3() -> None:
    """All 181,440 states, two goals: admissible, consistent, and 0 at the goal alone."""
    board = Board.grid(3, 3)
    for tiles in [(1, 2, 3, 4, 5, 6, 7, 8, 0), (1, 2, 3, 8, 0, 4, 7, 6, 5)]:
        goal = State(tiles, board)
        value = walking_values(goal)
        depth = naive.depths(near(board), tiles)
        values = {state: value(state) for state in depth}
        assert all(values[state] <= depth[state] for state in depth)
        assert [state for state in depth if values[state] == 0] == [tiles]
        jumps = {
            abs(values[state] - values[other])
            for state in list(depth)[::7]
            for other in naive.slides(near(board), state)
        }
        assert jumps == {1}


def walking_values(goal: State):  # type: ignore[no-untyped-def]
    """The value of a state from the tables of `Walking`, without making one for each state."""
    entries, _, cost = walking_table(3, 3, goal.blank // 3, ring=False)
    entries_too, _, cost_too = walking_table(3, 3, goal.blank % 3, ring=False)
    home = {tile: cell for cell, tile in enumerate(goal.tiles)}

    def value(tiles: naive.Tiles) -> int:
        rows = columns = 0
        for cell, tile in enumerate(tiles):
            if tile:
                rows += 4 ** (3 * (cell // 3) + home[tile] // 3)
                columns += 4 ** (3 * (cell % 3) + home[tile] % 3)
        return int(cost[entries[rows]]) + int(cost_too[entries_too[columns]])

    return value


def test_sizes_of_the_walking_tables() -> None:
    assert len(walking_table(3, 3, 0, ring=False)[0]) == 105
    entries, links, cost = walking_table(4, 4, 3, ring=False)
    assert len(entries) == len(cost) == 24_964
    assert links.shape == (24_964, 8)
    assert cost[0] == 0
    for key, entry in list(entries.items())[::997]:
        for then in set(links[entry].tolist()) - {0}:
            assert abs(int(cost[then]) - int(cost[entry])) <= 1, key


def test_where_walking_pays() -> None:
    def goal(board: Board) -> State:
        return State(range(board.n), board)

    for shape in [(4, 4), (3, 4), (2, 5), (3, 3, 3), (2, 2, 4)]:
        assert walking_pays(goal(Board.grid(*shape)))
        Walking(goal(Board.grid(*shape)), goal(Board.grid(*shape)))
    for board in [Board.grid(5, 5), Board.grid(3, 5), Board.draw("...|.#.|...")]:
        assert not walking_pays(goal(board))
    with pytest.raises(Unsupported, match="65,536 entries"):
        ida.ida_walking(goal(Board.grid(5, 5)), goal(Board.grid(5, 5)))
    with pytest.raises(Unsupported, match="needs a grid"):
        ida.ida_walking(goal(BOARDS["walls"]), goal(BOARDS["walls"]))


# -- all solutions -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["2x3", "3x3", "2x2x2", "3x3 torus", "2x4 ring", "walls", "graph"])
def test_all_shortest_solutions_in_order(name: str) -> None:
    board = BOARDS[name]
    goal = pairs(name, 1)[0][1]
    depth = depths(name)
    moves = [list(board.moves(cell)) for cell in range(board.n)]
    rng = np.random.default_rng(3)
    for tiles in [list(depth)[i] for i in rng.integers(len(depth), size=10)]:
        start = State(tiles, board)
        words = naive.shortest_words(moves, tiles, depth)
        found = ida.ida_all(start, goal)
        assert found.count == len(found.solutions) == len(words)
        assert found.length == depth[tiles]
        letters = [
            "".join(
                dict(map(reversed, moves[at]))[to]
                for at, to in zip((start.blank, *way.walk), way.walk, strict=False)
            )
            for way in found
        ]
        assert letters == words  # one letter, or one digit, a move: words sort as walks do
        for limit in (0, 1, 2):
            part = ida.ida_all(start, goal, limit=limit)
            assert part.count == len(words)
            assert [way.walk for way in part] == [way.walk for way in found][:limit]


def test_all_solutions_with_many_cells_go_by_number() -> None:
    ring = Board.from_edges([*((i, (i + 1) % 12) for i in range(12)), (0, 6)])
    goal = State((0, *range(1, 12)), ring)
    start = wander(goal, 9, 2)
    walks = [way.walk for way in ida.ida_all(start, goal)]
    assert walks == sorted(walks)


def test_solved_already() -> None:
    goal = State(range(9), Board.grid(3, 3))
    for make in (ida.ida, ida.ida_manhattan, ida.ida_walking):
        solution = make(goal, goal)
        assert (solution.walk, solution.length, solution.stats.generated) == ((), 0, 1)
        assert solution.stats.expanded == 0
    found = ida.ida_all(goal, goal)
    assert (found.count, found.length, [way.walk for way in found]) == (1, 0, [()])
    assert ida.ida_all(goal, goal, limit=0).solutions == ()
    alone = State((0,), Board.grid(1))
    assert ida.ida_manhattan(alone, alone).length == 0


# -- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [ida.ida_manhattan, ida.ida_walking])
def test_slices_change_nothing(make: object, monkeypatch: pytest.MonkeyPatch) -> None:
    start, goal = korf(KORF[0])
    whole = make(start, goal)  # type: ignore[operator]
    monkeypatch.setattr(ida, "SLICE", 10_007)
    told: list[tuple[int, int, float]] = []
    parts = make(start, goal, progress=lambda *said: told.append(said))  # type: ignore[operator]
    assert parts.walk == whole.walk
    assert parts.stats.generated == whole.stats.generated
    assert parts.stats.expanded == whole.stats.expanded
    assert len(told) > 3
    assert told == sorted(told)
    assert whole.stats.heuristic <= told[0][0] <= told[-1][0] == whole.length
    assert all(b[1] - a[1] >= 10_007 for a, b in pairwise(told) if a[0] == b[0])


def test_all_solutions_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    goal = State((1, 2, 3, 4, 5, 6, 7, 8, 0), Board.grid(3, 3))
    start = State((8, 6, 7, 2, 5, 4, 3, 0, 1), Board.grid(3, 3))
    whole = ida.ida_all(start, goal)
    monkeypatch.setattr(ida, "SLICE", 13)
    assert ida.ida_all(start, goal) == whole


def test_node_limit_is_exact() -> None:
    start, goal = korf(KORF[0])
    nodes = int(KORF[0]["ida_nodes"])
    assert ida.ida_manhattan(start, goal, node_limit=nodes).length == 42
    for limit in (nodes - 1, 1, 0):
        with pytest.raises(LimitReached, match=f"limit of {limit:,} nodes") as reached:
            ida.ida_manhattan(start, goal, node_limit=limit)
        assert 28 <= reached.value.lower_bound <= 42
        assert reached.value.solution is None
    assert ida.ida_manhattan(goal, goal, node_limit=0).length == 0


def test_time_limit_and_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    start, goal = korf(KORF[-1])
    monkeypatch.setattr(ida, "SLICE", 100_000)
    with pytest.raises(LimitReached, match=r"time limit of 0.05 s .* at least \d+ moves"):
        ida.ida_manhattan(start, goal, time_limit=0.05)
    flag = threading.Event()
    with pytest.raises(LimitReached, match="request to stop"):
        ida.ida_all(start, goal, stop=flag.is_set, progress=lambda *_: flag.set())

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ida.ida_walking(start, goal, progress=interrupt)


def test_limit_of_ida_all_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    goal = State((1, 2, 3, 4, 5, 6, 7, 8, 0), Board.grid(3, 3))
    start = State((8, 6, 7, 2, 5, 4, 3, 0, 1), Board.grid(3, 3))
    first = ida.ida_all(start, goal, limit=1).solutions[0]
    monkeypatch.setattr(ida, "SLICE", 20)
    looks: list[int] = []
    ida.ida_all(start, goal, progress=lambda *_: looks.append(0))
    for patience, solution in [(0, None), (2, None), (len(looks) - 1, first)]:
        asked = iter([*[False] * patience, True])
        with pytest.raises(LimitReached) as reached:
            ida.ida_all(start, goal, stop=lambda asked=asked: next(asked))  # type: ignore[misc]
        assert reached.value.lower_bound <= first.length
        assert reached.value.solution == solution


def test_no_way_is_said_before_any_search() -> None:
    board = Board.grid(3, 3)
    goal = State((1, 2, 3, 4, 5, 6, 7, 8, 0), board)
    bad = State((2, 1, 3, 4, 5, 6, 7, 8, 0), board)
    for make in (ida.ida, ida.ida_manhattan, ida.ida_walking, ida.ida_all):
        with pytest.raises(Unsolvable) as refused:
            make(bad, goal)
        assert not refused.value.verdict.solvable


def test_large_boards_are_refused() -> None:
    goal = State(range(289), Board.grid(17, 17))
    with pytest.raises(Unsupported, match="up to 256 cells"):
        ida.ida(goal, goal)
    big = State(range(256), Board.grid(16, 16))
    start = wander(big, 12, 1)
    assert ida.ida(start, big).length == Manhattan(start, big).value <= 12
