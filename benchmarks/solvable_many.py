"""A million 4 x 4 boards: one compiled pass against the textbook's double loop in C.

    python benchmarks/solvable_many.py [boards]

The C loop counts inversions without the blank and adds the blank's row, as textbooks do, in one
thread, reading the same array. It is compiled with gcc -O3 -march=native, once with the number of
cells as an argument ("any n", as ours) and once with 16 written into it. Every figure is the best
of several rounds in turn, in processor time; the ratio is what counts. "2 threads": how many times
faster two are, on the clock. The last lines are the parity of one permutation of a million numbers.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from time import perf_counter, thread_time

import numpy as np
from twins import c_library, pointer

from taquin import kernels
from taquin.permutation import parity

ROUNDS = 15

TEXTBOOK = r"""
#include <stdint.h>
#define LOOP(NAME, T, N)                                                        \
  void NAME(const T *boards, long count, int n, int width, uint8_t *solvable)   \
  {                                                                             \
    for (long b = 0; b < count; b++) {                                          \
      const T *p = boards + b * (N);                                            \
      int inversions = 0, blank = 0;                                            \
      for (int i = 0; i < (N); i++)                                             \
        for (int j = i + 1; j < (N); j++)                                       \
          if (p[i] && p[j] && p[i] > p[j]) inversions++;                        \
      while (p[blank]) blank++;                                                 \
      solvable[b] = (inversions + blank / width) % 2 == 1;                      \
    }                                                                           \
  }
LOOP(any_uint8, uint8_t, n) LOOP(any_int32, int32_t, n) LOOP(any_int64, int64_t, n)
LOOP(fixed_uint8, uint8_t, 16) LOOP(fixed_int32, int32_t, 16) LOOP(fixed_int64, int64_t, 16)
"""


def best(*functions: Callable[[], object], clock: Callable[[], float] = thread_time) -> list[float]:
    """Run all functions in turn, several rounds; return the least seconds of each."""
    seconds = [[0.0] * ROUNDS for _ in functions]
    for function in functions:
        function()
    for turn in range(ROUNDS):
        for k, function in enumerate(functions):
            begun = clock()
            function()
            seconds[k][turn] = clock() - begun
    return [min(times) for times in seconds]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rng = np.random.default_rng(1)
    rows = rng.permuted(np.tile(np.arange(16), (count, 1)), axis=1)
    goal = np.array([*range(1, 16), 0])
    colours = np.array([(cell // 4 + cell % 4) % 2 for cell in range(16)])
    library = c_library(TEXTBOOK)
    print(f"{count:,} boards, milliseconds (best of {ROUNDS})")
    print("type    ours  2 threads | C, any n   ratio | C, n=16   ratio")
    for dtype in ("uint8", "int32", "int64"):
        array = rows.astype(dtype)
        runs: list[Callable[[], object]] = [
            lambda array=array: kernels.solvable_rows(array, goal, colours)
        ]
        theirs = np.empty(count, np.uint8)
        for loop in ("any", "fixed") if library else ():
            c = getattr(library, f"{loop}_{dtype}")
            numbers = [ctypes.c_long(count), ctypes.c_int(16), ctypes.c_int(4)]
            runs.append(lambda c=c, a=array, k=numbers, t=theirs: c(pointer(a), *k, pointer(t)))
        one, *twins = [1000 * seconds for seconds in best(*runs)]
        pair = [lambda w=w, a=array: kernels.solvable_rows(a, goal, colours, w) for w in (1, 2)]
        wall, both = best(*pair, clock=perf_counter)
        if library:
            assert (theirs == kernels.solvable_rows(array, goal, colours)).all()
        line = f"{dtype:6} {one:5.1f} {wall / both:10.2f}"
        print(line + "".join(f" | {twin:8.1f} {twin / one:7.1f}" for twin in twins))
    for dtype in ("int32", "int64"):
        p = rng.permutation(1_000_000).astype(dtype)
        (seconds,) = best(lambda p=p: parity(p))
        print(f"parity of a permutation of 1,000,000 numbers ({dtype}): {1000 * seconds:.1f} ms")


if __name__ == "__main__":
    main()
