"""How near a sweep comes to the speed of memory: bytes it moves a second, against a plain copy.

    python benchmarks/bandwidth.py [board] [--rounds N]       (4x3 if not given)

Counted in a run of its own, by blocks of words that hold a state: at each level a block of the
present level is read once for every move out of its row; a block that is rewritten, because it
holds states of the next level or of the one before, is read and written once. What the caches save
is not taken off: these are the bytes that the rules of the sweep ask for. A plain copy by as many
threads reads and writes as well.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from taquin import Puzzle
from taquin.space import explore, sweep_arguments
from taquin.sweep import Level, sweep

#: Words of a block.
BLOCK = 1024
#: Words of each of the two arrays of the copy: far more than the caches hold.
COPIED = 1 << 25


def bytes_moved(puzzle: Puzzle) -> int:
    """Count the bytes of a whole sweep of a board with colours."""
    neighbours, arguments = sweep_arguments(puzzle)
    before: dict[int, NDArray[np.bool_]] = {}
    now: dict[int, NDArray[np.bool_]] = {}
    total = 0

    def count(level: Level) -> None:
        nonlocal before, now, total
        starts = np.arange(0, level.words.shape[1], BLOCK)
        found = {
            int(row): np.logical_or.reduceat(level.words[row] != 0, starts) for row in level.rows
        }
        degrees = np.bincount(level.layout.sources, minlength=level.layout.rows)
        blocks = sum(int(held.sum()) * int(degrees[row]) for row, held in now.items())
        blocks += sum(2 * int((held | before.get(row, False)).sum()) for row, held in found.items())
        total += 8 * min(BLOCK, level.words.shape[1]) * blocks
        before, now = now, found

    sweep(neighbours, on_level=count, **arguments)
    return total


def copy_speed(workers: int, rounds: int) -> float:
    """Bytes a second of a plain copy: those read and those written."""
    source, target = np.ones(COPIED, np.uint64), np.ones(COPIED, np.uint64)
    parts = [slice(i * COPIED // workers, (i + 1) * COPIED // workers) for i in range(workers)]
    best = float("inf")
    with ThreadPoolExecutor(workers) as pool:
        for _ in range(rounds):
            begun = perf_counter()
            list(pool.map(lambda part: np.copyto(target[part], source[part]), parts))
            best = min(best, perf_counter() - begun)
    return 16 * COPIED / best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board", nargs="?", default="4x3")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    puzzle = Puzzle.parse(options.board)
    assert puzzle.board.bipartite, "a board with colours, please"
    assert puzzle.metric == "stm", "single tiles, please"
    workers = os.cpu_count() or 1
    moved = bytes_moved(puzzle)
    seconds = min(explore(puzzle, table=False).seconds for _ in range(options.rounds))
    copied = copy_speed(workers, options.rounds)
    print(
        f"{options.board}: {moved / 1e9:.1f} GB in {seconds:.3f} s:"
        f" {moved / seconds / 1e9:.1f} GB/s;"
        f" a plain copy {copied / 1e9:.1f} GB/s; {moved / seconds / copied:.2f} of it"
    )


if __name__ == "__main__":
    main()
