"""Moves of many states at once: arrays in, arrays out. Their slow twin is in tests/test_oracle.py.

A state is a row of labels, int8 (n,). ``lines[x, m]`` are the cells of move m of a blank on cell x
(`taquin.board.lines`), filled up with -1 behind its last cell; a move that does not exist is all
-1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.jit import kernel

Labels = NDArray[np.int8]
Lines = NDArray[np.int8]


@kernel
def spread(
    labels: Labels, lines: Lines, cells: NDArray[np.int64], blanks: NDArray[np.int64]
) -> Any:
    """Write where tiles and blank of every child lie; return how many children there are.

    `cells` (B * moves, n - 1) and `blanks` (B * moves,) receive the children of the first state,
    then of the second, ...; the places of moves that do not exist are left out.
    """
    n = labels.shape[1]
    home = np.empty(n, np.int64)
    size = 0
    for b in range(labels.shape[0]):
        for cell in range(n):
            home[labels[b, cell]] = cell
        for move in range(lines.shape[1]):
            line = lines[home[0], move]
            if line[0] < 0:
                continue
            for tile in range(1, n):
                cells[size, tile - 1] = home[tile]
            last = home[0]
            for step in range(1, line.size):
                if line[step] < 0:
                    break
                cells[size, np.int64(labels[b, line[step]]) - 1] = last
                last = np.int64(line[step])
            blanks[size] = last
            size += 1
    return size


@kernel
def nearer_moves(
    labels: Labels,
    lines: Lines,
    residues: NDArray[np.uint8],
    wanted: NDArray[np.uint8],
    nearer: NDArray[np.bool_],
) -> None:
    """Mark in `nearer` (B, moves) the moves whose child has the wanted residue.

    `residues` are those of the children, in the order of `spread`.
    """
    n = labels.shape[1]
    child = 0
    for b in range(labels.shape[0]):
        blank = 0
        for cell in range(n):
            if labels[b, cell] == 0:
                blank = cell
        for move in range(lines.shape[1]):
            exists = lines[blank, move, 0] >= 0
            nearer[b, move] = exists and residues[child] == wanted[b]
            child += exists


@kernel
def make_moves(labels: Labels, lines: Lines, moves: NDArray[np.int64]) -> None:
    """Make one move in each state, in place."""
    n = labels.shape[1]
    for b in range(labels.shape[0]):
        blank = 0
        for cell in range(n):
            if labels[b, cell] == 0:
                blank = cell
        line = lines[blank, moves[b]]
        last: Any = blank
        for step in range(1, line.size):
            if line[step] < 0:
                break
            labels[b, last] = labels[b, line[step]]
            last = np.int64(line[step])
        labels[b, last] = 0
