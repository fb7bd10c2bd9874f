"""Optimal solutions of 4x4 in multi-tile moves: random boards, and the sixteen at 43 moves.

python benchmarks/mtm.py               twenty random boards, with one pattern database and with two
python benchmarks/mtm.py hard          the boards at 43 moves, with two
python benchmarks/mtm.py audit         is a bound too high? all states of 3x3, many of 4x3
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from taquin.puzzle import Puzzle
from taquin.search.mtm import segment_search
from taquin.search.patterns import solve
from taquin.space import sweep_arguments
from taquin.state import State
from taquin.sweep import Level, sweep, unrank_states

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "hard.csv"


def report(puzzle: Puzzle, states: list[tuple[str, State]], *, strong: bool) -> list[int]:
    """Solve the states and print a line each; their lengths."""
    search = segment_search(puzzle.goal, strong=strong)
    solve(search, states[0][1], workers=1)  # compiles
    lengths, nodes, begun = [], 0, perf_counter()
    for name, state in states:
        before = perf_counter()
        found = solve(search, state, workers=2)
        lengths.append(found.length)
        nodes += found.stats.generated
        seconds = perf_counter() - before
        print(
            f"{name:>14} {found.length:3} moves, root {found.stats.heuristic:2},"
            f" {found.stats.generated:>13,} nodes, {seconds:8.3f} s",
            flush=True,
        )
    seconds = perf_counter() - begun
    print(f"{search.name}: {nodes:,} nodes, {seconds:.2f} s, {nodes / seconds / 1e6:.1f} M/s")
    return lengths


def main() -> None:
    puzzle = Puzzle.parse("4x4:mtm")
    if sys.argv[1:] == ["hard"]:
        with DATA.open() as file:
            rows = list(csv.DictReader(li for li in file if not li.startswith("#")))
        rows = [row for row in rows if row["name"].startswith("15p_mtm43")]
        goal = State.parse(rows[0]["goal"], puzzle.board)
        puzzle = Puzzle(puzzle.board, goal, "mtm")
        states = [(row["name"], puzzle.state(row["tiles"])) for row in rows]
        if report(puzzle, states, strong=True) != [43] * len(rows):
            raise SystemExit("a board at 43 has another length")
        return
    if sys.argv[1:] == ["audit"]:
        audit()
        return
    rng = np.random.default_rng(7)
    states = [(f"random {i}", puzzle.random(rng)) for i in range(20)]
    for strong in (False, True):
        report(puzzle, states, strong=strong)


def audit() -> None:
    """Compare the bounds of states with their depths, level by level."""
    for spec in ("3x3:mtm", "3x3:blank-first:mtm", "4x3:mtm"):
        audit_one(Puzzle.parse(spec))


def audit_one(puzzle: Puzzle) -> None:
    """Compare the bounds of one puzzle's states."""
    search = segment_search(puzzle.goal)
    n = puzzle.board.n
    most = SAMPLE if n > 9 else 1 << 20
    neighbours, arguments = sweep_arguments(puzzle)
    rng = np.random.default_rng(1)
    checked = 0

    def look(level: Level) -> None:
        nonlocal checked
        wanted = np.arange(level.size)
        if level.size > most:
            wanted = np.unique(rng.integers(level.size, size=most))
        cells, blanks = unrank_states(level.layout, *level.pick(wanted))
        for places, blank in zip(cells.tolist(), blanks.tolist(), strict=True):
            tiles = [0] * n
            for tile, cell in enumerate(places, start=1):
                tiles[cell] = tile
            _, bound = search.root(State.trusted(tuple(tiles), puzzle.board, blank))
            if bound > level.depth:
                raise SystemExit(f"{tiles}: the bound {bound} exceeds the depth {level.depth}")
            checked += 1

    sweep(neighbours, on_level=look, **arguments)
    print(f"{puzzle.spec}: {checked:,} states of all depths: no bound exceeds the depth")


#: States of a level that are audited, at most.
SAMPLE = 20_000

if __name__ == "__main__":
    main()
