"""Paths and rings of cells, on which the blank only walks.

On a path the order of the tiles never changes; on a ring it only rotates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from taquin.board import Board, GridBoard


def line(board: Board) -> tuple[Sequence[int], bool] | None:
    """Return the cells along a path or a ring, and whether it closes; None for other boards.

    A path begins at its end of the smaller number. A ring ends on cell n-1 and begins on that one
    of its neighbours that has the smaller number. Cost: O(n).
    """
    if isinstance(board, GridBoard):
        long = [length for length in board.shape if length > 1]
        return (range(board.n), bool(board.wrap)) if len(long) < 2 else None
    if board.n == 1:
        return [0], False
    ends = []
    for cell in range(board.n):
        degree = len(board.neighbours(cell))
        if degree > 2:
            return None
        if degree == 1:
            ends.append(cell)
    last = ends[1] if ends else board.n - 1
    cells = [ends[0] if ends else min(board.neighbours(last))]
    before = -1 if ends else last
    while cells[-1] != last:
        following = next(cell for cell in board.neighbours(cells[-1]) if cell != before)
        before = cells[-1]
        cells.append(following)
    return cells, not ends


def ring_steps(tiles: Sequence[int], goal: Sequence[int], blank: int) -> int | None:
    """Return how many steps the blank goes round a ring to turn `tiles` into `goal`, or None.

    Both are given along the ring of k cells, `blank` is the label of the blank. A step forwards
    brings the first of the k - 1 tiles after the blank behind all others. So w steps turn the
    tiles by w modulo k - 1 and bring the blank on by w modulo k: together that fixes w modulo
    k (k - 1). The least such w is returned, negative for steps backwards; O(k).
    """
    k = len(tiles)
    at, to = tiles.index(blank), goal.index(blank)
    order = [*tiles[at + 1 :], *tiles[:at]]
    wanted = [*goal[to + 1 :], *goal[:to]]
    ways = []
    for turn in _occurrences(wanted, order + order[:-1]):
        w = (turn * k - (to - at) * (k - 1)) % (k * (k - 1))
        ways += [w, w - k * (k - 1)]
    return min(ways, key=abs, default=None)


def _occurrences(word: list[int], text: list[int]) -> Iterator[int]:
    """Yield where `word` begins in `text` (Knuth, Morris & Pratt 1977)."""
    border, matched = [0] * len(word), 0
    for i in range(1, len(word)):
        while matched and word[i] != word[matched]:
            matched = border[matched - 1]
        matched += word[i] == word[matched]
        border[i] = matched
    matched = 0
    for i, letter in enumerate(text):
        while matched and (matched == len(word) or letter != word[matched]):
            matched = border[matched - 1]
        matched += letter == word[matched]
        if matched == len(word):
            yield i + 1 - matched


def around(cells: Sequence[int], at: int, steps: int) -> Iterator[int]:
    """Yield the cells that the blank visits in `steps` steps round a ring."""
    side = 1 if steps > 0 else -1
    return (cells[(at + side * i) % len(cells)] for i in range(1, abs(steps) + 1))


def least_rotation(word: Sequence[int]) -> int:
    """Return where the least rotation of `word` begins; O(n), by two rivals (Shiloach 1981)."""
    n = len(word)
    one, two, same = 0, 1, 0
    while one < n and two < n and same < n:
        a, b = word[(one + same) % n], word[(two + same) % n]
        if a == b:
            same += 1
            continue
        if a > b:
            one += same + 1
        else:
            two += same + 1
        two += one == two
        same = 0
    return min(one, two)
