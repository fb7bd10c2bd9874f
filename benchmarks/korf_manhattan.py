"""IDA* with the Manhattan distance on Korf's 100 boards: published node counts, and speed.

python benchmarks/korf_manhattan.py            all hundred, 36.3e9 nodes, two threads
python benchmarks/korf_manhattan.py 20         the twenty smallest
python benchmarks/korf_manhattan.py speed      one board, against the same loop in C, in turn
python benchmarks/korf_manhattan.py walking    all hundred by walking distance
"""

from __future__ import annotations

import csv
import ctypes
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter, thread_time

from twins import c_library, pointer

from taquin.board import Board
from taquin.search import ida
from taquin.search.ida_tables import Manhattan
from taquin.search.result import Solution
from taquin.state import State

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "korf100.csv"
BOARD = Board.grid(4, 4)
GOAL = State(range(16), BOARD)

TWIN = r"""
#include <stdint.h>
typedef int64_t i64;
typedef uint64_t u64;
i64 deepen(uint8_t *tiles, const uint16_t *to, const uint32_t *first, const uint16_t *follow,
           uint16_t *path, uint32_t *rest, i64 *sums, i64 *at, const int8_t *change, i64 moves,
           i64 threshold, i64 budget)
{
    u64 depth = at[0], place = at[1], blank = to[path[depth]];
    i64 total = at[2], least = at[3], generated = at[4], expanded = at[5];
    i64 stop = generated + budget, slack = threshold - (i64)depth - 1, status = 0;
    while (generated < stop) {
        u64 move = follow[place];
        if (move == 0xFFFF) {
            if (depth == 0) { status = 2; break; }
            depth--;
            u64 before = to[path[depth]];
            tiles[blank] = tiles[before];
            blank = before, place = rest[depth], total = sums[depth], slack++;
            continue;
        }
        place++, generated++;
        u64 cell = to[move], tile = tiles[cell];
        i64 child = total + change[tile * moves + move];
        if (child > slack) {
            if (child - slack < least) least = child - slack;
            continue;
        }
        rest[depth] = place, sums[depth] = total;
        path[++depth] = move;
        tiles[blank] = tile;
        blank = cell, place = first[move], total = child, slack--;
        if (total == 0) { at[6]++; status = 1; break; }
        expanded++;
    }
    at[0] = depth, at[1] = place, at[2] = total, at[3] = least;
    at[4] = generated, at[5] = expanded;
    return status;
}
"""


class InC(ida.Deepening):
    """The same search with the loop in C."""

    code: ctypes.CDLL

    def _run(self, budget: int) -> int:
        arrays = (self._tiles, self._to, self._first, self._follow, *self._stack, self._at)
        numbers = (len(self._to) - 1, self.threshold, budget)
        (change,) = self._more
        return int(
            self.code.deepen(
                *map(pointer, (*arrays, change)), *(ctypes.c_int64(number) for number in numbers)
            )
        )


def rows() -> list[dict[str, str]]:
    with DATA.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def start_of(row: dict[str, str]) -> State:
    return State(map(int, row["tiles"].split()), BOARD)


def speed(code: ctypes.CDLL | None, rounds: int = 12) -> None:
    """Search one board by turns with both loops; the best round of each counts."""
    row = next(row for row in rows() if row["id"] == "2")
    start, found = start_of(row), {}
    made: dict[str, type[ida.Deepening]] = {"Numba": ida.Deepening}
    if code is not None:
        InC.code = code
        made["C"] = InC
    for _ in range(rounds):
        for name, search in made.items():
            ready = search(start, GOAL, Manhattan(start, GOAL))
            begun = thread_time()
            solution = ida._first(ready, ida.Limits())
            rate = solution.stats.generated / (thread_time() - begun) / 1e6
            assert solution.stats.generated == int(row["ida_nodes"])
            found[name] = max(found.get(name, 0.0), rate)
    for name, rate in found.items():
        print(f"{name:6} {rate:6.1f} million generated nodes a second of processor time")
    if "C" in found:
        print(f"ratio  {found['Numba'] / found['C']:6.2f}")


def table(chosen: list[dict[str, str]], *, walking: bool) -> None:
    """Solve boards on all cores; compare lengths and, by Manhattan distance, nodes."""
    solve = ida.ida_walking if walking else ida.ida_manhattan

    def one(row: dict[str, str]) -> tuple[dict[str, str], Solution]:
        return row, solve(start_of(row), GOAL)

    begun, total, wrong = perf_counter(), 0, 0
    print(" id  moves          nodes    seconds")
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for row, solution in pool.map(one, chosen):
            nodes, seconds = solution.stats.generated, solution.stats.seconds
            good = solution.length == int(row["optimal"])
            good &= walking or nodes == int(row["ida_nodes"])
            total, wrong = total + nodes, wrong + (not good)
            note = "" if good else f"  published: {row['optimal']} moves, {row['ida_nodes']} nodes"
            print(
                f"{row['id']:>3} {solution.length:6} {nodes:14,} {seconds:10.2f}{note}", flush=True
            )
    print(f"{len(chosen)} boards, {total:,} nodes, {perf_counter() - begun:.1f} s, {wrong} differ")


def main() -> None:
    what = sys.argv[1] if len(sys.argv) > 1 else "100"
    if what == "speed":
        speed(c_library(TWIN))
        return
    ordered = sorted(rows(), key=lambda row: int(row["ida_nodes"]))
    table(ordered[: 100 if what == "walking" else int(what)], walking=what == "walking")


if __name__ == "__main__":
    main()
