"""Whole graphs: how long every state of a board takes, set-up included.

    python benchmarks/whole_graph.py [boards] [--reference DIR] [--rounds N]

Boards are those of the command (4x3 6x2 4x3:mtm 3x3 if none is named). With --reference, a folder
that holds a program whole_graph.py with the functions run(rows, columns) and run_one_bit(rows,
columns), grids in single-tile moves are swept by those too, in turn with ours and in the same
process; what counts is the ratio. Without it only our figures are shown. Kernels are compiled, or
loaded, before anything is timed.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from types import ModuleType

from taquin import Puzzle
from taquin.space import explore
from taquin.space_memory import bytes_needed, human

BOARDS = ("3x3", "4x3", "6x2", "4x3:mtm")


def reference(folder: str | None) -> ModuleType | None:
    """The other program, with what it prints left out."""
    if folder is None:
        return None
    path = Path(folder) / "whole_graph.py"
    spec = importlib.util.spec_from_file_location("reference_whole_graph", path)
    if spec is None or spec.loader is None or not path.exists():
        sys.exit(f"no whole_graph.py in {folder}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def quiet(function: Callable[..., list[int]], rows: int, columns: int) -> list[int]:
    with contextlib.redirect_stdout(io.StringIO()):
        return function(rows, columns)


def contestants(puzzle: Puzzle, other: ModuleType | None) -> dict[str, Callable[[], list[int]]]:
    found: dict[str, Callable[[], list[int]]] = {
        "ours": lambda: list(explore(puzzle, table=False).depth_counts),
        "ours, with the table": lambda: list(explore(puzzle).depth_counts),
    }
    shape = puzzle.board.shape
    if other is not None and shape is not None and len(shape) == 2 and puzzle.metric == "stm":
        rows, columns = shape
        found["run"] = lambda: quiet(other.run, rows, columns)
        found["run_one_bit"] = lambda: quiet(other.run_one_bit, rows, columns)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--reference", metavar="DIR")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    other = reference(options.reference)
    print(f"{os.cpu_count()} processors; best of {options.rounds} rounds in turn")
    print(f"{'':24}{'seconds':>10}{'processor':>11}{'of run':>9}{'of one bit':>12}")
    for spec in options.boards:
        puzzle = Puzzle.parse(spec)
        runs = contestants(puzzle, other)
        small = Puzzle.parse("3x3:mtm" if puzzle.metric == "mtm" else "3x3")
        for name, warm_up in contestants(small, other).items():
            if name in runs:
                warm_up()
        wall = dict.fromkeys(runs, float("inf"))
        work = dict.fromkeys(runs, float("inf"))
        answers = set()
        for _ in range(options.rounds):
            for name, function in runs.items():
                begun, worked = perf_counter(), process_time()
                answers.add(tuple(function()))
                wall[name] = min(wall[name], perf_counter() - begun)
                work[name] = min(work[name], process_time() - worked)
        assert len(answers) == 1, f"the counts of {spec} differ"
        (counts,) = answers
        need, more = (human(bytes_needed(puzzle, record=record)) for record in (False, True))
        print(f"{spec}: {sum(counts):,} states, radius {len(counts) - 1}")
        print(f"  asks for {need} of memory, {more} with the table")
        for name in runs:
            line = f"  {name:22}{wall[name]:10.4f}{work[name]:11.4f}"
            for column, width in (("run", 9), ("run_one_bit", 12)):
                ratio = f"{wall[name] / wall[column]:.2f}" if column in wall else ""
                line += f"{ratio:>{width}}"
            print(line)


if __name__ == "__main__":
    main()
