"""How much memory a space takes, how much there is, and what to say where it does not fit."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from decimal import Decimal
from math import factorial, floor, lgamma, log, log10
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
#: Limit and usage of a control group, and its part that gives way, in both versions.
V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
V2 = ("memory.max", "memory.current", "inactive_file")
#: Version 1 tells such a number where there is no limit.
UNLIMITED = 1 << 60
#: Digits of a size that is meant: no memory has more bytes than a hundred digits tell.
MOST_DIGITS = 100


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
        return _factorial(board.n) // 8
    lines = line_steps(board) if puzzle.metric == "mtm" else None
    neighbours = [board.neighbours(cell) for cell in range(board.n)]
    return memory_needed(neighbours, lines=lines, record=record, workers=workers)


def _factorial(n: int) -> int:
    """The factorial of n to some nine digits, at once: that of a million takes half a minute."""
    whole, part = divmod(lgamma(n + 1) / log(2), 1)
    return int(2 ** (part + 52)) << max(0, int(whole) - 52)


def refusal(puzzle: Puzzle, limit: int, workers: int | None = None) -> str:
    """Say that a whole space does not fit in `limit` bytes, and what would."""
    board = puzzle.board
    need = bytes_needed(puzzle, workers=workers)
    fits = min(board.n, MOST_CELLS)
    least = need if fits == board.n else factorial(fits) // 8
    while fits > 1 and least > limit:
        least //= fits
        fits -= 1
    fitting = ["the states near the goal (to_depth, --to-depth, no checkpoint)"]
    if fits > 1:
        fitting.append(f"a board like it of up to {fits} cells")
    return (
        f"the whole space of {puzzle.spec} takes {human(need)} of memory and {human(limit)} may be"
        f" used; what would fit: {', or '.join(fitting)}"
    )


# -- how much there is --------------------------------------------------------------------------


def free_memory(root: Path = Path("/")) -> int:
    """Return the bytes of memory that this process may still take, or `UNKNOWN`.

    The least of what the machine has, what the process' control groups leave it (containers, batch
    systems; Linux, both versions), and what its own limit of address space does.

    Parameters
    ----------
    root : Path
        Where ``proc`` and ``sys`` are.
    """
    known = [
        room
        for room in (_machine_room(root), *_group_rooms(root), _address_room(root))
        if room is not None
    ]
    return max(0, min(known, default=UNKNOWN))


def _machine_room(root: Path) -> int | None:
    try:
        for line in _text(f"{root}/proc/meminfo").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError, IndexError):
        return None


def _group_rooms(root: Path) -> Iterator[int | None]:
    """What each control group of the process, and each above it, has left."""
    try:
        lines = _text(f"{root}/proc/self/cgroup").splitlines()
    except (OSError, ValueError):
        return
    mount = f"{root}/sys/fs/cgroup"
    for line in lines:
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if "memory" in controllers.split(","):
            yield from _rooms_up(f"{mount}/memory", path, V1)
        elif number == "0" and not controllers:
            yield from _rooms_up(mount, path, V2)


def _rooms_up(top: str, path: str, names: tuple[str, str, str]) -> Iterator[int | None]:
    """The rooms from a group up to the top; inside a container its own group may be the top."""
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    for length in range(len(parts), -1, -1):
        yield _group_room("/".join([top, *parts[:length]]), *names)


def _group_room(group: str, limit: str, usage: str, cache: str) -> int | None:
    """The limit of a group less what it uses; files kept in memory give way when it is short."""
    most = _number(f"{group}/{limit}")
    if most is None or most >= UNLIMITED:
        return None
    used = _number(f"{group}/{usage}") or 0
    try:
        words = _text(f"{group}/memory.stat").split()
        used -= int(words[words.index(cache) + 1])
    except (OSError, ValueError, IndexError):
        pass
    return most - max(0, used)


def _number(path: str) -> int | None:
    """The number in a file; None where there is none: no file, or the word ``max``."""
    try:
        return int(_text(path))
    except (OSError, ValueError):
        return None


def _text(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123  (a third of the time of a Path)
        return file.read()


def _address_room(root: Path) -> int | None:
    """What the limit of the process' address space (``ulimit -v``) leaves."""
    try:
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most == resource.RLIM_INFINITY:
            return None
        pages = int(_text(f"{root}/proc/self/statm").split()[0])
        return most - pages * os.sysconf("SC_PAGE_SIZE")
    except (ImportError, OSError, ValueError, IndexError):
        return None


# -- sizes in words -----------------------------------------------------------------------------


def human(size: float) -> str:
    """Return a number of bytes in words.

    >>> human(5_900_000_000), human(12)
    ('5.9 GB', '12 bytes')
    """
    if size >= MOST_BYTES:
        return f"10^{floor(log10(size))} bytes"  # its digits may be too many to be written
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
    found = re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)\s*([kmgt]?)i?b?", text.strip().lower())
    if not found or len(found[1]) > MOST_DIGITS:
        raise ParseError(f"expected a size such as 4GB or 500MB, got {quote(text)}")
    return int(Decimal(found[1]) * 1000 ** " kmgt".index(found[2] or " "))
