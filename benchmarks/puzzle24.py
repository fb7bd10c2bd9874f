"""Korf & Felner's 24-puzzles, the easiest first: nodes and time, and what all fifty would take.

python benchmarks/puzzle24.py                    the ten easiest by the published node counts
python benchmarks/puzzle24.py --ids 40 25 38     these
python benchmarks/puzzle24.py --seconds 7200     as many as the time allows, in that order
python benchmarks/puzzle24.py --file FILE        boards of another file with tiles and optimal
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from taquin.board import Board
from taquin.search.pattern_choice import search_for
from taquin.search.patterns import solve
from taquin.state import State

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "korf24_50.csv"
BOARD = Board.grid(5, 5)
GOAL = State(range(25), BOARD)


def boards(path: Path) -> Iterator[tuple[str, State, int, float]]:
    """Yield name, start, optimal length, and the nodes that Korf & Felner (2002) made, or 0."""
    with path.open() as file:
        for number, row in enumerate(csv.DictReader(li for li in file if not li.startswith("#"))):
            if row["optimal"]:
                tiles = [int(tile) for tile in row["tiles"].split()]
                nodes = float(row.get("nodes_korf2002") or 0)
                yield row.get("id") or str(number), State(tiles, BOARD), int(row["optimal"]), nodes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ids", nargs="*")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--file", type=Path, default=DATA)
    chosen = parser.parse_args()
    everything = sorted(boards(chosen.file), key=lambda board: (board[3], board[2]))
    wanted = everything
    if chosen.ids:
        wanted = [board for board in everything if board[0] in chosen.ids]
    elif chosen.seconds == float("inf"):
        wanted = everything[: chosen.count]
    begun = perf_counter()
    search = search_for(GOAL)
    solve(search, wanted[0][1], workers=1)  # compiles
    print(f"tables and compiling: {perf_counter() - begun:.1f} s", flush=True)
    print(
        f"{'board':>6} {'moves':>5} {'root':>4} {'nodes':>16} {'published':>16} {'s':>8} {'M/s':>5}"
    )
    total, theirs, spent = 0, 0.0, 0.0
    for name, start, optimal, published in wanted:
        if spent > chosen.seconds:
            break
        before = perf_counter()
        found = solve(search, start, workers=chosen.workers)
        seconds = perf_counter() - before
        nodes = found.stats.generated
        if found.length != optimal:
            raise SystemExit(f"board {name}: {found.length} moves, expected {optimal}")
        print(
            f"{name:>6} {found.length:>5} {found.stats.heuristic:>4} {nodes:>16,}"
            f" {published:>16,.0f} {seconds:>8.2f} {nodes / seconds / 1e6:>5.1f}",
            flush=True,
        )
        total, theirs, spent = total + nodes, theirs + published, spent + seconds
    print(f"together: {total:,} nodes in {spent:.1f} s, {total / spent / 1e6:.1f} million a second")
    if theirs and not chosen.ids:
        whole = sum(board[3] for board in everything) * total / theirs
        hours = whole / (total / spent) / 3600
        print(
            f"all {len(everything)} by the same share of the published nodes: {whole:.2e} nodes,"
            f" {hours:,.0f} hours"
        )


if __name__ == "__main__":
    main()
