"""Short solutions: how long they are, by the time there is.

python benchmarks/quality.py                        ten boards of each set, 1 and 4 seconds
python benchmarks/quality.py --sets 24 35 --count 40 --times 0.2 2
python benchmarks/quality.py --plot quality.png     the same as curves

Sets: 24, 35, 48: the boards of DeepCubeA's test, against the optimum or the length that DeepCubeA
found; 24u: uniform 24-puzzles with known optimum; NxN, NxNxN: random boards, against Manhattan
distance. All workers are used for one board at a time. Tables and compiled code are made before.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from taquin.heuristics import heuristic
from taquin.puzzle import Puzzle
from taquin.render.plots import quality_curves
from taquin.state import State

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
FILES = {
    "24": ("5x5", "deepcubea_24.csv", "optimal"),
    "24u": ("5x5:blank-first", "clausecker400_24.csv", "optimal"),
    "35": ("6x6", "deepcubea_35.csv", "dca_len"),
    "48": ("7x7", "deepcubea_48.csv", "dca_len"),
}
SETS = ["24", "24u", "35", "48", "10x10", "20x20", "100x100", "3x3x3", "4x4x4"]


class Row(NamedTuple):
    """One line of the table."""

    name: str
    seconds: float
    boards: int
    length: float
    over: float
    equal: float
    to_bound: float
    to_manhattan: float
    spent: float


def boards(name: str, count: int) -> tuple[Puzzle, Iterator[tuple[State, int]]]:
    """The puzzle of a set, and its boards with the length to compare with (0: none)."""
    if name not in FILES:
        puzzle = Puzzle.parse(name)
        return puzzle, ((puzzle.random(seed), 0) for seed in range(count))
    spec, file, column = FILES[name]
    puzzle = Puzzle.parse(spec)

    def read() -> Iterator[tuple[State, int]]:
        with (DATA / file).open() as lines:
            found = csv.DictReader(line for line in lines if not line.startswith("#"))
            usable = [row for row in found if row[column]]
            for row in usable[:: max(1, len(usable) // count)][:count]:
                tiles = [int(tile) for tile in row["tiles"].split()]
                yield State(tiles, puzzle.board), int(row[column])

    return puzzle, read()


def measure(name: str, count: int, seconds: float, workers: int | None) -> Row:
    """Solve the boards of a set."""
    puzzle, found = boards(name, count)
    lengths, wanted, bounds, far, spent = [], [], [], [], 0.0
    manhattan = heuristic("manhattan", puzzle.goal, "stm")
    for start, reference in found:
        begun = perf_counter()
        way = puzzle.solve(start, method="near", time_limit=seconds, workers=workers)
        spent += perf_counter() - begun
        lengths.append(way.length)
        wanted.append(reference)
        bounds.append(way.lower_bound)
        far.append(manhattan(start))
    n = len(lengths)
    compared = any(wanted)
    return Row(
        name,
        seconds,
        n,
        sum(lengths) / n,
        (sum(lengths) - sum(wanted)) / n if compared else float("nan"),
        sum(a <= b for a, b in zip(lengths, wanted, strict=True)) / n if compared else float("nan"),
        sum(lengths) / sum(bounds),
        sum(lengths) / sum(far),
        spent / n,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--times", nargs="+", type=float, default=[1.0, 4.0])
    parser.add_argument("--workers", type=int)
    parser.add_argument("--plot", type=Path)
    chosen = parser.parse_args()
    print(
        f"{'set':>8} {'limit':>6} {'n':>4} {'length':>10} {'over':>7} {'equal':>6}"
        f" {'/ bound':>8} {'/ MD':>6} {'s':>7}"
    )
    rows = []
    for name in chosen.sets:
        puzzle, found = boards(name, 1)
        for start, _ in found:  # tables and compiling
            puzzle.solve(start, method="near", quality="fast")
            puzzle.solve(start, method="near", time_limit=2.0)
        for seconds in chosen.times:
            row = measure(name, chosen.count, seconds, chosen.workers)
            rows.append(row)
            print(
                f"{row.name:>8} {row.seconds:6g} {row.boards:4} {row.length:10,.2f}"
                f" {row.over:7.2f} {row.equal:6.2f} {row.to_bound:8.3f} {row.to_manhattan:6.3f}"
                f" {row.spent:7.2f}",
                flush=True,
            )
    if chosen.plot:
        draw(rows, chosen.plot)


def draw(rows: list[Row], path: Path) -> None:
    """Draw a curve for each set."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        curves.setdefault(row.name, []).append((row.seconds, row.to_manhattan))
    quality_curves(curves, path, of="Manhattan distance")


if __name__ == "__main__":
    main()
