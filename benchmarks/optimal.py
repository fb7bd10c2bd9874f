"""Pattern databases and optimal search: making tables, Korf's hundred, the hardest boards.

python benchmarks/optimal.py            4x4: tables made, kept, checked; boards on 1 and 2 threads
python benchmarks/optimal.py 5x5        tables of 6 tiles, and one of 7
python benchmarks/optimal.py command    `taquin solve` from start to end, tables on disk

Tables are made in a folder of their own, which is removed. 24-puzzles: benchmarks/puzzle24.py.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from taquin.board import Board
from taquin.patterns.database import PatternDatabase, obtain
from taquin.patterns.partitions import find
from taquin.patterns.sums import PatternSums
from taquin.search.ida_patterns import PatternSearch
from taquin.search.patterns import solve
from taquin.state import State

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
SQUARE = Board.grid(4, 4)
FIRST = State(range(16), SQUARE)
LAST = State([*range(1, 16), 0], SQUARE)


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a file of golden data."""
    with (DATA / name).open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def timed(what: str, work: Callable[[], object]) -> None:
    """Print how long something takes."""
    begun = perf_counter()
    result = work()
    seconds = perf_counter() - begun
    print(f"{what:<58} {seconds:8.2f} s{f'  {result}' if result else ''}", flush=True)


def many(search: PatternSearch, states: Iterable[tuple[State, int]], threads: int) -> str:
    """Solve boards, each on a thread of its own; the nodes, and whether all are optimal."""
    given = list(states)
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(partial(solve, search), [state for state, _ in given]))
    if [one.length for one in found] != [length for _, length in given]:
        raise SystemExit("a length is wrong")
    return f"{sum(one.stats.generated for one in found):,} nodes"


def one(search: PatternSearch, states: Iterable[tuple[State, int]], threads: int) -> str:
    """Solve boards one after the other, each on all threads."""
    nodes = 0
    for state, length in states:
        found = solve(search, state, workers=threads)
        if found.length != length:
            raise SystemExit(f"{state}: {found.length} moves, expected {length}")
        nodes += found.stats.generated
    return f"{nodes:,} nodes"


def square() -> None:
    """Tables and boards of 4x4."""
    hundred = [
        (State(map(int, row["tiles"].split()), SQUARE), int(row["optimal"]))
        for row in rows("korf100.csv")
    ]
    hardest = [
        (State.parse(row["tiles"], SQUARE), 80)
        for row in rows("hard.csv")
        if row["name"].startswith("15p_stm80")
    ]
    transposed = [(State.parse("1 5 9 13 2 6 10 14 3 7 11 15 4 8 12 0", SQUARE), 72)]
    for name in ("7-7-1", "7-8"):
        partition = find(SQUARE, 0, name)
        assert partition is not None
        patterns = partition.patterns
        timed(
            f"{name}: made (compiling included)",
            partial(PatternDatabase.build, SQUARE, 0, patterns),
        )
        timed(f"{name}: made and kept", partial(obtain, SQUARE, 0, patterns))
        tables = obtain(SQUARE, 0, patterns)
        timed(f"{name}: every entry checked", tables.verify)
        search = PatternSearch(PatternSums(FIRST, tables))
        solve(search, hundred[0][0])
        for threads in (1, 2):
            timed(
                f"{name}: Korf's hundred, {threads} threads",
                partial(many, search, hundred, threads),
            )
    search = PatternSearch(PatternSums(LAST, tables))
    solve(search, hardest[0][0], workers=2)
    for threads in (1, 2):
        timed(
            f"7-8: the 17 boards at 80, {threads} threads", partial(one, search, hardest, threads)
        )
        timed(
            f"7-8: the transposed board, {threads} threads",
            partial(one, search, transposed, threads),
        )


def larger() -> None:
    """Tables of 5x5."""
    board = Board.grid(5, 5)
    partition = find(board, 0, "6-6-6-6")
    assert partition is not None
    timed("6-6-6-6: made and kept", partial(obtain, board, 0, partition.patterns))
    seven = [[1, 2, 5, 6, 7, 10, 11]]
    timed("one table of 7 tiles of 5x5", partial(PatternDatabase.build, board, 0, seven))


def command() -> None:
    """A whole process on a random board, the tables being there."""
    words = [sys.executable, "-m", "taquin", "solve", "2 13 15 7 11 12 9 5 6 0 14 1 4 8 10 3"]
    run = partial(subprocess.run, words, check=True, capture_output=True)
    run()
    for _ in range(3):
        timed("taquin solve, a board of 61 moves", lambda: run() and None)


def main() -> None:
    with TemporaryDirectory() as folder:
        os.environ["TAQUIN_TABLES"] = folder
        {"5x5": larger, "command": command}.get("".join(sys.argv[1:2]), square)()


if __name__ == "__main__":
    main()
