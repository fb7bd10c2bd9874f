"""Tables for the ends of `taquin.construct.greedy`: the last two tiles of a line, and the core.

Boards are graphs here: ``near[cell, :count[cell]]`` are the neighbours of a cell. Both tables are
made breadth first from the goal, and cost about 50 ns an entry, 500 ns for the core.
"""

from __future__ import annotations

from typing import Any

from taquin.jit import kernel


def _compiled(function: Any) -> Any:
    return kernel(function, error_model="numpy")


@_compiled
def pair_table(near: Any, count: Any, one: int, other: int, table: Any, queue: Any) -> None:
    """Fill a table of moves until two tiles are on the cells `one` and `other`: breadth first.

    Parameters
    ----------
    near, count : (cells, 4), (cells,) int64
        The neighbours of each cell, and how many it has; walls have none and are nobody's.
    table : (cells**3,) uint8
        By the cell of the one tile, of the other, of the blank; filled with 255 before.
    queue : (cells**3,) int64
    """
    cells = len(near)
    tail = 0
    for blank in range(cells):
        if count[blank] > 0 and blank != one and blank != other:
            queue[tail] = (one * cells + other) * cells + blank
            table[queue[tail]] = 0
            tail += 1
    head = 0
    while head < tail:
        code = queue[head]
        head += 1
        blank, b, a = code % cells, code // cells % cells, code // cells // cells
        for i in range(count[blank]):
            to = near[blank, i]
            new = (blank if a == to else a) * cells + (blank if b == to else b)
            new = new * cells + to
            if table[new] == 255:
                table[new] = table[code] + 1
                queue[tail] = new
                tail += 1


@_compiled
def rank(tiles: Any) -> int:
    """Return the number of a permutation in lexicographic order (Laisant 1888)."""
    n = len(tiles)
    number = 0
    for i in range(n):
        smaller = 0
        for j in range(i + 1, n):
            smaller += tiles[j] < tiles[i]
        number = number * (n - i) + smaller
    return number


@_compiled
def unrank(number: int, tiles: Any) -> None:
    """Write the permutation of a number."""
    n = len(tiles)
    for i in range(n - 1, -1, -1):
        digit = number % (n - i)
        number //= n - i
        tiles[i] = digit
        for j in range(i + 1, n):
            tiles[j] += tiles[j] >= digit


@_compiled
def core_table(near: Any, count: Any, tiles: Any, table: Any, queue: Any) -> None:
    """Fill a table of the depths of all boards, by their rank; the goal is 0, 1, 2, ...

    Parameters
    ----------
    tiles : (cells,) int64
        Scratch.
    table : (cells!,) uint8
        Filled with 255 before; so it remains for boards of the other class.
    queue : (cells!,) int64
    """
    queue[0], table[0] = 0, 0
    head, tail = 0, 1
    while head < tail:
        code = queue[head]
        head += 1
        unrank(code, tiles)
        blank = 0
        while tiles[blank] != 0:
            blank += 1
        for i in range(count[blank]):
            to = near[blank, i]
            tiles[blank], tiles[to] = tiles[to], 0
            new = rank(tiles)
            if table[new] == 255:
                table[new] = table[code] + 1
                queue[tail] = new
                tail += 1
            tiles[to], tiles[blank] = tiles[blank], 0
