"""Published counts of states by depth, and puzzles with the blank where they have it."""

import csv
from pathlib import Path

import taquin as tq

DATA = Path(__file__).parent / "data"
FILES = DATA / "depth_distributions"


def published(name: str) -> tuple[int, ...]:
    lines = (FILES / f"{name}.csv").read_text("utf-8").splitlines()
    rows = [line.split(",") for line in lines if line[0] not in "#d"]
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    return tuple(int(row[1]) for row in rows)


def with_blank(spec: str, blank: int) -> tq.Puzzle:
    """The puzzle whose goal has its tiles in order and the blank on a cell."""
    given = tq.Puzzle.parse(spec)
    tiles = [*range(1, blank + 1), 0, *range(blank + 1, given.board.n)]
    return tq.Puzzle(given.board, tq.State(tiles, given.board), given.metric)


def boards(name: str) -> list[dict[str, str]]:
    """The rows of a file of boards; lines that begin with # are remarks."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))
