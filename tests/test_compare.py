"""Algorithms side by side."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from commands import Done
from replays import check, three_by_three

import taquin as tq
from taquin.errors import Unsupported
from taquin.search.compare import compare
from taquin.search.textbook import TEXTBOOK

BOARD = "8 1 3 / 4 0 2 / 7 6 5"


@pytest.mark.parametrize("metric", ["stm", "mtm"])
def test_each_algorithm_has_a_row_and_its_solution_holds(metric: str) -> None:
    puzzle = tq.Puzzle.parse(f"3x3:{metric}")
    start = puzzle.state("1 2 3 / 0 4 6 / 7 5 8")
    rows = list(compare(start, puzzle.goal, metric=metric, time_limit=60))
    assert [row.method for row in rows] == list(TEXTBOOK)
    optimal = puzzle.distance(start)
    for row in rows:
        assert row.error == ""
        if row.solution is None:
            assert row.limit
            continue
        check(row.solution, start, puzzle.goal, optimal)
        assert row.stats.expanded <= row.stats.generated + 1
        assert row.lower_bound <= optimal


def test_a_limit_is_a_row_that_says_so() -> None:
    depth = three_by_three()
    farthest = max(depth, key=lambda tiles: depth[tiles])
    puzzle = tq.Puzzle.parse("3x3")
    (row,) = compare(puzzle.state(list(farthest)), puzzle.goal, ["iddfs"], node_limit=1000)
    assert row.solution is None
    assert row.limit
    assert row.error == ""
    assert 0 < row.lower_bound <= 31
    assert row.stats.generated >= 1000


def test_unknown_names_come_before_any_work() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    with pytest.raises(Unsupported, match="no algorithm 'magic'"):
        next(compare(puzzle.goal, puzzle.goal, ["bfs", "magic"]))


def test_the_command(run: Callable[..., Done]) -> None:
    done = run("compare", BOARD, "--methods", "bfs,astar,greedy")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].split() == ["method", "moves", "expanded", "generated", "stored", "seconds"]
    assert [line.split()[:3] for line in lines[1:3]] == [
        ["bfs", "14", "optimal"],
        ["astar", "14", "optimal"],
    ]
    bars = {line.split()[0]: len(line.split()[1]) for line in lines[-3:]}
    assert bars["bfs"] > bars["astar"]


def test_the_command_in_json_and_at_its_limits(run: Callable[..., Done]) -> None:
    done = run("compare", BOARD, "--methods", "bfs,idastar", "--nodes", "100", "--json")
    assert done.code == 3
    first, second = map(json.loads, done.out.splitlines())
    assert first["length"] is None
    assert "limit" in first["limit"]
    assert first["error"] is None
    assert second["method"] == "idastar"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["1 2 3 4 5 6 8 7 0"], 1, "Not solvable"),
        ([BOARD, "--methods", "magic"], 2, "magic"),
        ([BOARD, "--heuristic", "magic"], 2, "magic"),
        ([BOARD, BOARD], 2, "one board"),
        ([BOARD, "--time", "soon"], 2, "soon"),
    ],
)
def test_what_is_refused(run: Callable[..., Done], words: list[str], code: int, said: str) -> None:
    done = run("compare", *words)
    assert done.code == code
    assert said in done.out + done.err
    assert "Traceback" not in done.err
