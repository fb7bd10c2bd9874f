"""Golden data: every board of ``tests/data`` with a published answer.

Each row gets its verdict. Lengths are searched for where IDA* with Manhattan distance answers in
seconds; the other rows are named in `TOO_LONG` (optimal solving of those belongs to pattern
databases), and a test sees to it that the list names nothing else.
"""

from __future__ import annotations

import csv
import hashlib
import re
from pathlib import Path
from typing import Any

import naive
import pytest

import taquin as tq
from taquin.errors import Unsolvable
from taquin.heuristics import HEURISTICS

DATA = Path(__file__).parent / "data"
OPPOSITE = str.maketrans("UDLR", "DURL")

# Boards that IDA* with Manhattan distance does not finish within a minute.
TOO_LONG = {
    "F69",
    "puzzle4x4-78",
    "2x7_stm108", "3x5_stm84",
    *(f"15p_stm80_{i:02}" for i in range(1, 18)),
    *(f"15p_mtm43_{i:02}" for i in range(1, 17)),
    "24p_rot180", "24p_md116", "24p_korf10", "15p_korf82",
}  # fmt: skip
# Multi-tile lengths beyond a search without tables.
TOO_LONG_MTM = {"F69"}


def rows(name: str, delimiter: str = ",") -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8") as file:
        return list(
            csv.DictReader((line for line in file if not line.startswith("#")), delimiter=delimiter)
        )


def labels(text: str) -> list[int]:
    return [int(label) for label in text.split()]


def named(table: list[dict[str, str]], key: str = "name") -> Any:
    return pytest.mark.parametrize("row", table, ids=[row[key] for row in table])


FIELD = rows("field_cases.csv", ";")
ALGS4 = rows("algs4.csv")
HARD = rows("hard.csv")
KORF = rows("korf100.csv")
NOTATION = rows("notation_examples.csv")
KORF_24 = rows("korf24_50.csv")
KORF_24_WAYS = {row["id"]: row for row in rows("korf24_50_solutions.csv")}
LARGE = rows("deepcubea_large.csv")


def solved(puzzle: tq.Puzzle, start: tq.State, length: int) -> tq.Solution:
    """Solve, and replay with the slow twin."""
    solution = puzzle.solve(start)
    assert solution.optimal
    assert solution.length == solution.lower_bound == length
    assert list(solution.states())[-1] == puzzle.goal
    if puzzle.board.shape is not None and len(puzzle.board.shape) == 2:
        moves = naive.grid_moves(puzzle.board.shape)
        assert naive.replay(moves, start.tiles, solution.moves) == puzzle.goal.tiles
    return solution


# -- the files themselves ----------------------------------------------------------------------


def test_checksums() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^([0-9a-f]{64})  (\S+)$", readme, re.MULTILINE)
    sums = {name: digest for digest, name in found}
    files = {path.name: path for path in DATA.glob("*.csv")}
    assert files.keys() <= sums.keys()
    for name, path in files.items():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == sums[name], name


def test_rows() -> None:
    sizes = [len(table) for table in (FIELD, ALGS4, HARD, KORF, NOTATION, KORF_24, LARGE)]
    assert sizes == [41, 75, 50, 100, 16, 50, 48]


def test_too_long_names_only_rows_that_exist() -> None:
    names = {row["id"] for row in FIELD} | {row["name"] for row in [*ALGS4, *HARD]}
    assert names >= TOO_LONG
    assert names >= TOO_LONG_MTM


# -- boards that people had trouble with -------------------------------------------------------


def field_puzzle(row: dict[str, str], metric: str = "stm") -> tuple[tq.Puzzle, tq.State]:
    board = tq.Board.parse(row["size"])
    puzzle = tq.Puzzle(board, goal=tq.State(labels(row["goal"]), board), metric=metric)
    return puzzle, puzzle.state(row["start"])


@named(FIELD, "id")
def test_field_case_verdict(row: dict[str, str]) -> None:
    puzzle, start = field_puzzle(row)
    verdict = puzzle.verdict(start)
    assert verdict.solvable is (row["solvable"] == "yes")
    assert verdict.solvable is naive.rule_of_rows(
        start.tiles, puzzle.goal.tiles, int(row["size"].split("x")[1])
    )


@named([row for row in FIELD if row["solvable"] == "NO"], "id")
def test_field_case_without_solution(row: dict[str, str]) -> None:
    puzzle, start = field_puzzle(row)
    with pytest.raises(Unsolvable) as caught:
        puzzle.solve(start)
    assert not caught.value.verdict.solvable


@named([row for row in FIELD if row["STM"] and row["id"] not in TOO_LONG], "id")
def test_field_case_length(row: dict[str, str]) -> None:
    puzzle, start = field_puzzle(row)
    solution = solved(puzzle, start, int(row["STM"]))
    assert puzzle.distance(start) == int(row["STM"])
    note = row["note"]
    if count := re.search(r"(\d+) optimal|(unique)", note):
        answer = puzzle.solve_all(start)
        assert answer.count == (1 if count[2] else int(count[1]))
    if moves := re.search(r"\b[UDLR]{2,}\b", note):
        assert puzzle.apply(start, moves[0]) == puzzle.goal
        assert len(moves[0]) == solution.length
    if "unique L" in note:
        assert solution.moves == note.split()[-1]
    if tiles := re.search(r"tiles ([\d ]+)", note):
        assert puzzle.apply(start, tiles[1], notation="tiles") == puzzle.goal
    for name, pattern in (("manhattan", r"\bMD (\d+)"), ("linear-conflict", r"MD\+LC (\d+)")):
        if value := re.search(pattern, note):
            assert HEURISTICS[name](puzzle.goal)(start) == int(value[1])


@named(
    [row for row in FIELD if row["MTM"].strip("*").isdigit() and row["id"] not in TOO_LONG_MTM],
    "id",
)
def test_field_case_length_in_multi_tile_moves(row: dict[str, str]) -> None:
    puzzle, start = field_puzzle(row, "mtm")
    solution = solved(puzzle, start, int(row["MTM"].strip("*")))
    assert naive.runs(solution.moves) == solution.length


def test_the_first_field_case_is_not_the_usual_goal() -> None:
    row = FIELD[0]
    assert not tq.Puzzle.parse("4x4").solvable(row["start"])


# -- the course files of Princeton -------------------------------------------------------------


def algs4_board(row: dict[str, str]) -> tuple[tq.Puzzle, tq.State]:
    puzzle = tq.Puzzle(tq.Board.grid(int(row["n"]), int(row["n"])))
    return puzzle, puzzle.state(labels(row["tiles"]))


@named(ALGS4)
def test_algs4_verdict(row: dict[str, str]) -> None:
    puzzle, start = algs4_board(row)
    solvable = row["expected_moves"] != "unsolvable"
    assert puzzle.verdict(start).solvable is solvable
    assert naive.rule_of_rows(start.tiles, puzzle.goal.tiles, int(row["n"])) is solvable
    if not solvable:
        with pytest.raises(Unsolvable):
            puzzle.solve(start)


@named([row for row in ALGS4 if row["expected_moves"].isdigit() and row["name"] not in TOO_LONG])
def test_algs4_length(row: dict[str, str]) -> None:
    puzzle, start = algs4_board(row)
    solved(puzzle, start, int(row["expected_moves"]))


def test_algs4_as_the_course_writes_them() -> None:
    """n, then the rows: the file's own form gives the same state."""
    for row in ALGS4:
        _, start = algs4_board(row)
        n = int(row["n"])
        lines = [" ".join(row["tiles"].split()[i * n : i * n + n]) for i in range(n)]
        assert tq.State.parse("\n".join([str(n), *lines])) == start


# -- the hardest boards ------------------------------------------------------------------------


def hard_puzzle(row: dict[str, str]) -> tuple[tq.Puzzle, tq.State]:
    board = tq.Board.grid(int(row["rows"]), int(row["cols"]))
    goal = tq.State(labels(row["goal"]), board)
    puzzle = tq.Puzzle(board, goal=goal, metric=row["metric"])
    return puzzle, puzzle.state(labels(row["tiles"]))


@named(HARD)
def test_hard_verdict(row: dict[str, str]) -> None:
    puzzle, start = hard_puzzle(row)
    assert puzzle.solvable(start)


@named([row for row in HARD if row["solution"]])
def test_hard_solutions_replay(row: dict[str, str]) -> None:
    """The letters of the file are those of the tile."""
    puzzle, start = hard_puzzle(row)
    assert puzzle.apply(start, row["solution"], notation="tile") == puzzle.goal
    assert len(row["solution"]) == int(row["depth"])
    blank = row["solution"].translate(OPPOSITE)
    moves = naive.grid_moves((int(row["rows"]), int(row["cols"])))
    assert naive.replay(moves, start.tiles, blank) == puzzle.goal.tiles
    assert puzzle.apply(start, blank) == puzzle.goal


@named([row for row in HARD if row["name"] not in TOO_LONG])
def test_hard_depth(row: dict[str, str]) -> None:
    puzzle, start = hard_puzzle(row)
    solved(puzzle, start, int(row["depth"]))


@named([row for row in HARD if row["depth"].isdigit()])
def test_no_heuristic_exceeds_the_known_depth(row: dict[str, str]) -> None:
    puzzle, start = hard_puzzle(row)
    if row["metric"] != "stm":
        pytest.skip("heuristics count single tiles")
    names = ["misplaced", "manhattan", "linear-conflict"]
    if max(int(row["rows"]), int(row["cols"])) <= 4:  # its tables grow fast with the sides
        names.append("walking-distance")
    for name in names:
        assert HEURISTICS[name](puzzle.goal)(start) <= int(row["depth"])


# -- Korf's hundred ----------------------------------------------------------------------------


@named(KORF, "id")
def test_korf_verdict_and_manhattan_distance(row: dict[str, str]) -> None:
    puzzle = tq.Puzzle.parse("4x4:blank-first")
    start = puzzle.state(labels(row["tiles"]))
    assert puzzle.solvable(start)
    assert not tq.Puzzle.parse("4x4").solvable(start)
    assert HEURISTICS["manhattan"](puzzle.goal)(start) == int(row["md"])
    assert (int(row["optimal"]) - int(row["md"])) % 2 == 0


@named(sorted(KORF, key=lambda row: int(row["ida_nodes"]))[:3], "id")
def test_korf_optimal(row: dict[str, str]) -> None:
    puzzle = tq.Puzzle.parse("4x4:blank-first")
    solved(puzzle, puzzle.state(labels(row["tiles"])), int(row["optimal"]))


@pytest.mark.parametrize("identity", ["1", "50", "100"])
def test_korf_solutions_by_construction(identity: str) -> None:
    row = next(row for row in KORF if row["id"] == identity)
    puzzle = tq.Puzzle.parse("4x4:blank-first")
    solution = puzzle.solve(puzzle.state(labels(row["tiles"])), method="construct")
    assert list(solution.states())[-1] == puzzle.goal
    assert solution.length >= int(row["optimal"])
    assert solution.lower_bound <= int(row["optimal"])


# -- larger boards: verdict, bounds, ways ------------------------------------------------------


@named(KORF_24, "id")
def test_korf_24_verdict_and_way(row: dict[str, str]) -> None:
    puzzle = tq.Puzzle.parse("5x5:blank-first")
    start = puzzle.state(labels(row["tiles"]))
    assert puzzle.solvable(start)
    assert HEURISTICS["manhattan"](puzzle.goal)(start) == int(row["md"])
    way = KORF_24_WAYS[row["id"]]
    assert len(way["solution"]) == int(way["length"]) == int(row["optimal"])
    assert puzzle.apply(start, way["solution"], notation="tile") == puzzle.goal


@pytest.mark.parametrize("row", LARGE, ids=[f"{row['size']}-{row['index']}" for row in LARGE])
def test_large_verdict(row: dict[str, str]) -> None:
    puzzle = tq.Puzzle.parse(row["size"])
    start = puzzle.state(labels(row["tiles"]))
    assert puzzle.solvable(start)
    assert HEURISTICS["manhattan"](puzzle.goal)(start) == int(row["md"]) <= int(row["found"])


# -- speed-solving notation --------------------------------------------------------------------


@named(NOTATION)
def test_notation_example(row: dict[str, str]) -> None:
    """The scramble is solvable, the solution replays, and both metrics count it as published."""
    from taquin.notation import moves_length, read_moves

    puzzle = tq.Puzzle(tq.Board.grid(int(row["rows"]), int(row["cols"])))
    start = puzzle.state(row["scramble"])
    assert puzzle.solvable(start)
    assert puzzle.apply(start, row["solution"], notation="tile") == puzzle.goal
    walk = read_moves(row["solution"], start, "tile")
    assert moves_length(start, walk, "stm") == int(row["stm"])
    assert moves_length(start, walk, "mtm") == int(row["mtm"])
