"""Wrong values at the public edge: a clear error of taquin's own, never one of Python's."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import taquin as tq
from taquin import tables
from taquin.errors import InvalidBoard, InvalidState, Unsupported
from taquin.goals import GOALS, named_goal
from taquin.sampling import as_random

EIGHT = "1 2 3 4 5 6 7 0 8"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bound", float("nan")),
        ("bound", 0.5),
        ("bound", "1.5"),
        ("time_limit", float("nan")),
        ("time_limit", "10s"),
        ("time_limit", -1),
        ("memory_limit", -1),
        ("memory_limit", "1 GB"),
    ],
)
def test_limits_are_numbers(name: str, value: Any) -> None:
    with pytest.raises(Unsupported, match=name):
        tq.Puzzle.parse("3x3").solve(EIGHT, **{name: value})


@pytest.mark.parametrize(
    "call",
    [
        lambda p: p.solve_all(EIGHT, limit=-1),
        lambda p: p.random(1, method="walk", steps=-5),
        lambda p: p.random("seed"),
        lambda p: p.random(1.5),
        lambda p: p.random(depth=-1),
    ],
)
def test_senseless_wishes(call: Callable[[tq.Puzzle], object]) -> None:
    with pytest.raises(Unsupported):
        call(tq.Puzzle.parse("3x3"))


@pytest.mark.parametrize("edges", [None, 5, [None], [(0,)], [(0, 1, 2)], [(0, 0.5)], ["ab"]])
def test_edges_that_are_none(edges: Any) -> None:
    with pytest.raises(InvalidBoard):
        tq.Board.from_edges(edges)


def test_graphs_of_networkx() -> None:
    double = nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "c"), ("c", "c")])
    assert tq.Board.from_networkx(double) == tq.Board.from_edges([(0, 1), (1, 2)])
    with pytest.raises(InvalidBoard, match="at least one cell"):
        tq.Board.from_networkx(nx.Graph())
    with pytest.raises(InvalidBoard, match="directed"):
        tq.Board.from_networkx(nx.DiGraph([(0, 1)]))


def test_a_board_may_be_given_as_text() -> None:
    assert tq.Puzzle("4x4:torus", "spiral") == tq.Puzzle.parse("4x4:torus:spiral")


def test_goals_by_name_wherever_a_goal_is_asked_for() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    for name in GOALS:
        goal = named_goal(name, puzzle.board)
        rows = np.array([goal.tiles])
        assert tq.solvable_many(rows, puzzle.board, name).all()
        assert puzzle.solvable(goal, to=name)


def test_every_source_of_chance() -> None:
    puzzle = tq.Puzzle.parse("4x4")
    for seed in (7, np.int64(7), random.Random(7)):
        assert puzzle.random(seed) == puzzle.random(7)
    one, two = (np.random.default_rng(7) for _ in range(2))
    assert puzzle.random(one) == puzzle.random(two) != puzzle.random(one)
    assert as_random(None).random() != as_random(None).random()


def test_the_first_fault_of_a_goal_is_told() -> None:
    with pytest.raises(InvalidState, match="more than once: 8"):
        tq.Puzzle.parse("3x3").solve(EIGHT, to="1 2 3 4 5 6 7 8 8")


@pytest.mark.parametrize("spec", ["2x2", "5", "2x3:torus", "2x2x2", "walls:..|#.", "graph:0-1,1-2"])
def test_states_with_equal_labels_read_back(spec: str) -> None:
    board = tq.Board.parse(spec)
    state = tq.State([1] * (board.n - 1) + [0], board, repeats=True)
    assert str(state).startswith("repeats: ")
    assert tq.State.parse(str(state)) == state
    with pytest.raises((InvalidState, tq.ParseError)):
        tq.State.parse(str(state).removeprefix("repeats: "))


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 2), (3, 5), (6, 4), (7, 7)])
def test_the_spiral_turns_right_and_never_jumps(shape: tuple[int, int]) -> None:
    """Each cell once, from the corner on, always to a neighbour, right-hand turns only."""
    board = tq.Board.grid(*shape)
    order = list(GOALS["spiral"](board) or ())
    assert sorted(order) == list(range(board.n))
    assert order[0] == 0
    ways = [next(w for w, to in board.moves(a) if to == b) for a, b in pairwise(order)]
    turns = [a + b for a, b in pairwise(ways) if a != b]
    assert set(turns) <= {"RD", "DL", "LU", "UR"}


def test_huge_boards_know_their_other_goals() -> None:
    board = tq.Board.grid(1000, 1000)
    puzzle = tq.Puzzle(board)
    swapped = list(puzzle.goal.tiles)
    swapped[0], swapped[1] = swapped[1], swapped[0]
    verdict = puzzle.verdict(tq.State(swapped, board))
    assert not verdict.solvable
    assert verdict.inversions == 1
    assert "blank-first" in verdict.solvable_for


@pytest.mark.parametrize("method", ["ida", "ida-manhattan", "auto", "astar", "idastar", "rbfs"])
def test_a_limit_tells_what_was_counted(method: str) -> None:
    hard = "0 12 9 13 15 11 10 14 3 7 6 2 4 8 5 1"
    with pytest.raises(tq.LimitReached) as caught:
        tq.Puzzle.parse("4x4").solve(hard, method=method, time_limit=0.05)
    assert caught.value.stats.generated > 0
    assert 0 < caught.value.lower_bound <= 80


@pytest.mark.parametrize(
    "call",
    [
        lambda p: p.explore(to_depth=2.5),
        lambda p: p.explore(to_depth=float("nan")),
        lambda p: p.explore(to_depth="3"),
        lambda p: p.explore(memory_limit="1GB"),
        lambda p: p.explore(workers=0),
        lambda p: p.explore().samples(3, -1),
        lambda p: p.explore().sample(2.0),
        lambda p: p.explore().at_depth(31, [2]),
        lambda p: p.explore().at_depth(31, [-1]),
        lambda p: p.explore().at_depth(32, [0]),
    ],
)
def test_what_no_space_answers(call: Callable[[tq.Puzzle], object]) -> None:
    with pytest.raises(Unsupported):
        call(tq.Puzzle.parse("3x3"))


def test_a_star_too_wide_for_its_bits_is_refused() -> None:
    stars = {n: tq.Board.from_edges([(0, leaf) for leaf in range(1, n)]) for n in (65, 66)}
    space = tq.Puzzle(stars[65]).explore(to_depth=4)
    assert space.depth_counts == (1, 1, 63)
    with pytest.raises(Unsupported, match="64"):
        tq.Puzzle(stars[66]).explore(to_depth=4)


@pytest.mark.parametrize(("spec", "states"), [("1x20", 20), ("1x70", 70), ("20:torus", 380)])
def test_few_states_on_many_cells(spec: str, states: int) -> None:
    space = tq.Puzzle.parse(spec).explore()
    assert (space.states, space.complete) == (states, True)


@pytest.mark.parametrize("first", [True, False])
def test_a_checkpoint_serves_with_and_without_a_table(tmp_path: Path, first: bool) -> None:
    """What fits in memory may change between two runs; the counts go on all the same."""
    from taquin.space import explore
    from taquin.sweep import Stop

    puzzle = tq.Puzzle.parse("3x3")
    stop = Stop()

    def halt(progress: Any) -> None:
        if progress.depth == 12:
            stop.set()

    part = explore(puzzle, checkpoint=tmp_path, table=first, stop=stop, progress=halt)
    assert len(part.depth_counts) == 13
    whole = explore(puzzle, checkpoint=tmp_path, table=not first)
    assert whole.depth_counts == puzzle.explore().depth_counts


def test_what_killed_writers_leave_is_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_TABLES", str(tmp_path))
    folder = tmp_path / "checkpoint-7x2-abc"
    folder.mkdir()
    for name in ("sweep.npz", "sweep.npz.123"):
        (folder / name).write_bytes(b"12345")
    assert tables.clear([]) == (1, 5)
    assert tables.clear() == (1, 5)
    assert not folder.exists()
