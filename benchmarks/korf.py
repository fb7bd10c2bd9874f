"""The classical table: heuristics on random 15-puzzles, by mean root value, nodes, time and memory.

python benchmarks/korf.py                     Korf's hundred (1985)
python benchmarks/korf.py --file FILE         boards of another file with tiles and optimal
python benchmarks/korf.py --nodes 1e8         how many nodes an average board may take (below)

The Manhattan distance alone takes thousands of times the nodes of the others: where a heuristic
would take too long, the boards that the published count calls easy are solved, and their number is
printed.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from taquin.board import Board
from taquin.patterns.database import PatternDatabase
from taquin.patterns.partitions import find
from taquin.patterns.sums import PatternSums
from taquin.search.ida import ida_manhattan, ida_walking
from taquin.search.ida_patterns import PatternSearch
from taquin.search.patterns import solve
from taquin.search.result import Solution
from taquin.state import State

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "korf100.csv"
BOARD = Board.grid(4, 4)
GOAL = State(range(16), BOARD)
PARTITIONS = ("5-5-5", "6-6-3", "7-7-1", "7-8")
#: How many nodes the Manhattan distance makes for one of the walking distance.
WALKING_SHARE = 10

Board15 = tuple[State, int, float]


def boards(path: Path) -> list[Board15]:
    """Start, optimal length and the nodes that the Manhattan distance takes, or 0."""
    with path.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    found = []
    for row in rows:
        state = State([int(tile) for tile in row["tiles"].split()], BOARD)
        found.append((state, int(row["optimal"]), float(row.get("ida_nodes") or 0)))
    return found


def measure(
    name: str, search: Callable[[State], Solution], chosen: list[Board15], build: float, bytes_: int
) -> None:
    """Solve the boards one after the other on one thread and print a line."""
    search(chosen[0][0])  # compiles
    roots, nodes, begun = 0.0, 0, perf_counter()
    for state, optimal, _ in chosen:
        found = search(state)
        if found.length != optimal:
            raise SystemExit(f"{name}: {found.length} moves for {state}, expected {optimal}")
        roots += found.stats.heuristic
        nodes += found.stats.generated
    seconds, count = perf_counter() - begun, len(chosen)
    print(
        f"{name:<18} {count:>5} {roots / count:>7.2f} {nodes / count:>14,.0f}"
        f" {seconds / count * 1e3:>11.3f} {nodes / seconds / 1e6:>6.1f} {bytes_ / 1e6:>8.1f}"
        f" {build:>8.2f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=DATA)
    parser.add_argument("--nodes", type=float, default=3e7)
    chosen = parser.parse_args()
    everything = boards(chosen.file)
    print(
        f"{'heuristic':<18} boards    root    nodes a board ms a board    M/s       MB  build s",
        flush=True,
    )
    easy = [board for board in everything if 0 < board[2] <= chosen.nodes]
    fair = [board for board in everything if 0 < board[2] <= chosen.nodes * WALKING_SHARE]
    if easy:
        measure("Manhattan", lambda state: ida_manhattan(state, GOAL), easy, 0.0, 0)
        measure("walking distance", lambda state: ida_walking(state, GOAL), fair, 0.0, 850_000)
    for name in PARTITIONS:
        partition = find(BOARD, 0, name)
        if partition is None:
            raise SystemExit(f"no partition {name} is drawn")
        begun = perf_counter()
        database = PatternDatabase.build(BOARD, 0, partition.patterns)
        build = perf_counter() - begun
        for mirrored in (False, True):
            search = PatternSearch(PatternSums(GOAL, database, mirrored=mirrored))
            label = name + (" + mirror" if mirrored else "")
            measure(label, lambda s, i=search: solve(i, s), everything, build, database.bytes)  # type: ignore[misc]


if __name__ == "__main__":
    main()
