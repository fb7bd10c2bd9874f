"""The loops of `taquin.construct`: tiles are brought home one by one, slab by slab.

Every tile is known by its *home*, the cell where it belongs: a board is solved when
``tiles[cell] == cell`` everywhere. The blank has a home, too. A cell that already holds its tile
is *fixed*; the others are *free*.

The text is plain Python that runs on lists, which is the fastest way for small boards; `compiled`
gives the same functions, compiled by Numba, for arrays. Neither allocates anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

from taquin.jit import kernel

# The places in `Work.count`.
USED = 0  # how much of `walk` is written
STAMP = 1  # the number of the last detour: a cell is visited if `seen` holds it
BLANK = 2  # the home of the blank

# A ladder is three rungs: the cells 0 1 / 2 3 / 4 5, two rails down its sides.
LADDER = ((1, 2, -1), (0, 3, -1), (0, 3, 4), (1, 2, 5), (2, 5, -1), (3, 4, -1))
LADDER_STATES = 216  # codes of (cell of the blank, of the one tile, of the other)


class Work(NamedTuple):
    """All that the loops read and write; every field is a list or an integer array.

    Attributes
    ----------
    shape, strides : d integers
        The lengths of the axes (each at least 2) and the steps between cells along them.
    place : n * d integers
        The coordinates of each cell, one cell after the other.
    tiles, at : n integers
        The home of the tile on each cell, and the cell of the tile of each home (its inverse).
    fixed : n integers
        1 where the tile is home for good.
    seen, hop, queue : max(n, 216) integers
        Scratch for the searches; `seen` starts with zeros.
    count : 3 integers
        See `USED`, `STAMP`, `BLANK`.
    walk : integers
        The cells that the blank visits; room for one slab (see `room`).
    """

    shape: Any
    strides: Any
    place: Any
    tiles: Any
    at: Any
    fixed: Any
    seen: Any
    hop: Any
    queue: Any
    count: Any
    walk: Any


def step(w: Work, to: int) -> None:
    """Move the blank to the neighbouring cell `to`."""
    home = w.count[BLANK]
    blank, tile = w.at[home], w.tiles[to]
    w.tiles[blank], w.at[tile] = tile, blank
    w.tiles[to], w.at[home] = home, to
    w.walk[w.count[USED]] = to
    w.count[USED] += 1


def apart(w: Work, a: int, b: int) -> int:
    """Return the Manhattan distance of two cells, in steps."""
    axes = len(w.shape)
    total = 0
    for axis in range(axes):
        total += abs(w.place[a * axes + axis] - w.place[b * axes + axis])
    return total


def detour(w: Work, to: int, avoid: int) -> None:
    """Move the blank to `to` by a shortest way through free cells other than `avoid`."""
    axes = len(w.shape)
    blank = w.at[w.count[BLANK]]
    w.count[STAMP] += 1
    stamp = w.count[STAMP]
    w.queue[0], w.seen[to] = to, stamp
    head, tail = 0, 1
    while w.seen[blank] != stamp:  # breadth first, from the end to the blank
        cell = w.queue[head]
        head += 1
        for axis in range(axes):
            here, stride = w.place[cell * axes + axis], w.strides[axis]
            for side in (-1, 1):
                if not 0 <= here + side < w.shape[axis]:
                    continue
                other = cell + side * stride
                if other != avoid and w.fixed[other] == 0 and w.seen[other] != stamp:
                    w.seen[other], w.hop[other] = stamp, cell
                    w.queue[tail] = other
                    tail += 1
    while blank != to:
        blank = w.hop[blank]
        step(w, blank)


def travel(w: Work, to: int, avoid: int) -> None:
    """Move the blank to `to`: straight on while that is free, then by a detour.

    The free region is a box and the rest of one slab beside it, so that only the tile to be
    avoided, next to `to`, can end the straight way: the detour is a few cells.
    """
    axes = len(w.shape)
    blank = w.at[w.count[BLANK]]
    while blank != to:
        following = -1
        for axis in range(axes):
            gap = w.place[to * axes + axis] - w.place[blank * axes + axis]
            if gap != 0:
                cell = blank + w.strides[axis] if gap > 0 else blank - w.strides[axis]
                if cell != avoid and w.fixed[cell] == 0:
                    following = cell
                    break
        if following < 0:
            detour(w, to, avoid)
            return
        step(w, following)
        blank = following


def next_cell(w: Work, cell: int, target: int) -> int:
    """Return the free neighbour of the tile on `cell`, nearer to `target`, to go to next.

    The one that the blank reaches soonest: so turns, for which the blank goes 2 steps, alternate
    as long as possible, and straight steps, for which it goes 4, come last. Ties go to the axis
    on which the tile is farther from its target.
    """
    axes = len(w.shape)
    blank = w.at[w.count[BLANK]]
    behind = apart(w, blank, cell)
    best, least = -1, 0
    for axis in range(axes):
        gap = w.place[target * axes + axis] - w.place[cell * axes + axis]
        if gap == 0:
            continue
        other = cell + w.strides[axis] if gap > 0 else cell - w.strides[axis]
        if w.fixed[other] != 0:
            continue
        cost = apart(w, blank, other)
        off = abs(w.place[cell * axes + axis] - w.place[blank * axes + axis])
        if cost == behind + 1 and off == behind:  # the tile itself stands in the way
            cost += 2
        cost = cost * 2 * (w.shape[axis] + 1) - abs(gap)
        if best < 0 or cost < least:
            best, least = other, cost
    return best


def bring(w: Work, home: int, target: int) -> None:
    """Bring the tile of `home` to the cell `target` without moving any fixed tile."""
    cell = w.at[home]
    while cell != target:
        following = next_cell(w, cell, target)
        travel(w, following, cell)
        step(w, cell)
        cell = following


def rung_of(ladder: Any, cell: int) -> int:
    """Return where `cell` is on the ladder, or -1."""
    for place in range(6):
        if ladder[place] == cell:
            return place
    return -1


def climb(w: Work, ladder: Any) -> None:
    """Bring the tiles of the top rung home by a shortest way inside the ladder.

    Both tiles and the blank are on the ladder. A breadth-first search over the 120 places that
    the three can have; the other three tiles do not matter, so that a way always exists.
    """
    code = 0
    for home in (w.count[BLANK], ladder[0], ladder[1]):
        code = code * 6 + rung_of(ladder, w.at[home])
    w.count[STAMP] += 1
    stamp = w.count[STAMP]
    w.queue[0], w.seen[code], w.hop[code] = code, stamp, -1
    head, tail = 0, 1
    while code % 36 != 1:  # the one tile on rung 0, the other on rung 1
        code = w.queue[head]
        head += 1
        blank, one, two = code // 36, code // 6 % 6, code % 6
        for to in LADDER[blank]:
            if to < 0:
                continue
            other = to * 36 + (blank if one == to else one) * 6 + (blank if two == to else two)
            if w.seen[other] != stamp:
                w.seen[other], w.hop[other] = stamp, code
                w.queue[tail] = other
                tail += 1
    length = 0
    while code >= 0:
        w.queue[length] = code
        length += 1
        code = w.hop[code]
    for back in range(length - 2, -1, -1):
        step(w, ladder[w.queue[back] // 36])


def enter(w: Work, ladder: Any) -> None:
    """Bring the blank to the ladder, past the two tiles of the top rung, which lie there."""
    one, two = w.at[ladder[0]], w.at[ladder[1]]
    blank = w.at[w.count[BLANK]]
    if rung_of(ladder, blank) >= 0:
        return
    nearest = -1
    for rung in range(2, 6):  # the blank cannot come to the top rung but by the ladder
        cell = ladder[rung]
        if cell in (one, two):
            continue
        if nearest < 0 or apart(w, blank, cell) < apart(w, blank, nearest):
            nearest = cell
    w.fixed[one] = 1
    travel(w, nearest, two)
    w.fixed[one] = 0


def attempt(w: Work, ladder: Any, way: int) -> bool:
    """Try one of five ways to bring home the last two tiles of a slab; say whether it exists.

    Ways 0 to 3 bring one of them to the one or the other cell of the top rung, where it waits,
    and the other below its home; the search on the ladder does the rest. (The classical turn: the
    one waits beside its home, and both enter together.) Way 4 leaves all to that search, if both
    tiles and the blank are on the ladder already.
    """
    if way == 4:
        for home in (w.count[BLANK], ladder[0], ladder[1]):
            if rung_of(ladder, w.at[home]) < 0:
                return False
    else:
        first, spot = way & 1, way >> 1
        waits, pocket = ladder[spot], ladder[1 - spot]
        other, below = ladder[1 - first], ladder[3 - first]
        bring(w, ladder[first], waits)
        shut_in = w.at[w.count[BLANK]] == pocket and w.at[other] == ladder[3 - spot]
        if w.at[other] != pocket and not shut_in:
            w.fixed[waits] = 1
            bring(w, other, below)
            w.fixed[waits] = 0
    enter(w, ladder)
    climb(w, ladder)
    return True


def retrace(w: Work, used: int, blank: int) -> None:
    """Take back all moves after the first `used` ones, before which the blank was on `blank`."""
    for last in range(w.count[USED] - 1, used - 1, -1):
        w.count[USED] = last  # the step back is written over the one that it undoes
        step(w, w.walk[last - 1] if last > used else blank)
    w.count[USED] = used


def finish(w: Work, ladder: Any) -> None:
    """Bring home the last two tiles of a slab, whose homes are the top rung of the ladder.

    The shortest of five attempts.
    """
    if w.at[ladder[0]] == ladder[0] and w.at[ladder[1]] == ladder[1]:
        return
    best, least = -1, 0
    used = w.count[USED]
    for way in range(5):
        blank = w.at[w.count[BLANK]]
        if attempt(w, ladder, way):
            length = w.count[USED] - used
            if best < 0 or length < least:
                best, least = way, length
            retrace(w, used, blank)
    attempt(w, ladder, best)


def peel(w: Work, singles: Any, ladder: Any, ends: Any) -> None:
    """Bring all tiles of a slab home: those of `singles` in turn, then the last two together.

    Parameters
    ----------
    singles : integers
        The cells of the slab but for two; before and after each, the free cells hang together
        even without any one of them.
    ladder : 6 integers
        The last two cells of the slab, and two pairs of free cells below them.
    ends : len(singles) + 1 integers
        Receives how much of `walk` is written after each tile, and after the last two.
    """
    for i in range(len(singles)):
        bring(w, singles[i], singles[i])
        w.fixed[singles[i]] = 1
        ends[i] = w.count[USED]
    finish(w, ladder)
    w.fixed[ladder[0]] = w.fixed[ladder[1]] = 1
    ends[len(singles)] = w.count[USED]


@cache
def compiled() -> Callable[[Work, Any, Any, Any], None]:
    """Return `peel`, compiled together with everything that it calls (callees first)."""
    space = dict(globals())
    parts = step, apart, detour, travel, next_cell, bring, rung_of, climb, enter, attempt
    for function in (*parts, retrace, finish, peel):
        # The compiled text must find the compiled callees under their names, not the plain ones.
        space[function.__name__] = kernel(FunctionType(function.__code__, space, function.__name__))
    found: Callable[[Work, Any, Any, Any], None] = space["peel"]
    return found
