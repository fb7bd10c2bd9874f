"""How much memory a space takes, how much there is, and what to say where it does not fit."""

from __future__ import annotations

import os
import re
from math import factorial
from pathlib import Path
from typing import TYPE_CHECKING

from taquin.board import Board
from taquin.errors import ParseError, quote
from taquin.sweep import memory_needed

if TYPE_CHECKING:
    from taquin.puzzle import Puzzle

UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB")
#: More bytes than that are told by their power of ten.
MOST_BYTES = 10**30
#: Larger boards have no sweep; that they do not fit is beyond all doubt.
MOST_CELLS = 40
#: What is taken to be free where the system does not tell.
UNKNOWN = 4 * 10**9


def line_steps(board: Board) -> list[list[int]]:
    """Return for each direction the cell next to each cell, or -1 at the border."""
    return [
        [-1 if (to := board.step(cell, way)) is None else to for cell in range(board.n)]
        for way in board.directions
    ]


def bytes_needed(puzzle: Puzzle, *, record: bool = False, workers: int | None = None) -> int:
    """Return the memory that exploring takes, in bytes, before any of it is taken.

    Parameters
    ----------
    record : bool
        With a distance table.
    workers : int, optional
        Threads, each with its own scratch.
    """
    board = puzzle.board
    if board.n > MOST_CELLS:  # a bit for every permutation, and a row for every cell
        return factorial(board.n) // 8
    lines = line_steps(board) if puzzle.metric == "mtm" else None
    neighbours = [board.neighbours(cell) for cell in range(board.n)]
    return memory_needed(neighbours, lines=lines, record=record, workers=workers)


def refusal(puzzle: Puzzle, limit: int, workers: int | None = None) -> str:
    """Say that a whole space does not fit in `limit` bytes, and what would."""
    board = puzzle.board
    need = bytes_needed(puzzle, workers=workers)
    fits = board.n
    while fits > 1 and need * factorial(fits) // factorial(board.n) > limit:
        fits -= 1
    fitting = []
    if puzzle.metric == "stm":
        fitting.append("the states near the goal (to_depth, --to-depth)")
    if fits > 1:
        fitting.append(f"a board like it of up to {fits} cells")
    return (
        f"the whole space of {puzzle.spec} takes {human(need)} of memory and {human(limit)} may be"
        f" used; what would fit: {', or '.join(fitting) or 'nothing of this kind'}"
    )


def free_memory() -> int:
    """Return the bytes of memory that are free now, or `UNKNOWN`."""
    try:
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return UNKNOWN


def human(size: float) -> str:
    """Return a number of bytes in words.

    >>> human(5_900_000_000), human(12)
    ('5.9 GB', '12 bytes')
    """
    if size >= MOST_BYTES:
        return f"10^{len(str(int(size))) - 1} bytes"
    for unit in UNITS:
        if size < 1000 or unit == UNITS[-1]:
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"


def byte_size(text: str) -> int:
    """Return the bytes in a text such as ``4GB``, ``500 MB``, ``1000000``.

    >>> byte_size("1.5 GB")
    1500000000
    """
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)\s*([kmgt]?)i?b?", text.strip().lower())
    if not found:
        raise ParseError(f"expected a size such as 4GB or 500MB, got {quote(text)}")
    return int(float(found[1]) * 1000 ** " kmgt".index(found[2] or " "))
