"""Automata that prune duplicate strings of moves (Taylor & Korf 1993).

A depth-first search meets one state by many ways. Some of them can be told by their last moves
alone: after U comes no D, and of the two ways to turn three tiles in a square by half a round, six
moves each, one is enough. An automaton reads the moves of the blank as they are made, and says
which next moves would end in a string that another one makes needless.

**Rejected** is a string if another one with the same effect (the same way of the blank, the same
tiles on the same cells) is *smaller*: shorter, or equally long and earlier in the order of the
directions; and legal wherever the rejected one is. **Why a shortest way is always kept:** take the
smallest of all shortest ways to a state. If it held a rejected string, the smaller one in its
place would be legal too and give a smaller way to the same state. So a search loses no state and
no optimal length; it does lose optimal ways of equal length, and must not count them.

- On a box the strings are those of an unbounded board, and *legal wherever* means that the
  bounding box of the other's cells lies inside that of the rejected one's (`grid_automaton`).
- On any other board the strings start at a cell of that very board, where both are legal
  (`graph_automaton`).

The strings are made level by level, all of a level as arrays; only those are lengthened whose
proper substrings are all allowed, so that what is found are the *minimal* rejected strings. Random
64-bit sums of (tile, cell) propose which strings have the same effect; each proposal is then
compared tile by tile, so that no collision can ever prune. The automaton is the one of Aho &
Corasick (1975): its states are the proper beginnings of rejected strings, each standing for the
longest one that the moves so far end with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.board.base import DIRECTIONS
from taquin.errors import Unsupported, quote, require_whole

Ints = NDArray[np.int64]
Cells = NDArray[np.uint16]
Sums = NDArray[np.uint64]

#: The longest strings that are compared on 1, 2 and 3 axes: one more would take gigabytes.
LONGEST = (32, 14, 9)
#: What an automaton of a board may have by default: its tables stay within the cache, and it is
#: made in a part of a second.
MAX_STATES, MAX_STRINGS = 1 << 16, 1 << 20

_NONE = np.uint16(0xFFFF)  # where a string has its blank there is no tile


@dataclass(frozen=True)
class Automaton:
    """An automaton that reads the moves of a blank.

    Attributes
    ----------
    next : (states, D) uint32
        The state after a move in direction d; 0 where the move is not allowed.
    legal : (states,) uint8, uint16, uint32 or uint64
        The set of allowed directions: bit d for direction d; the narrowest type of D bits.
    length : int
        The length of the longest strings that were compared.
    """

    next: NDArray[np.uint32]
    legal: NDArray[Any]
    length: int


def grid_automaton(axes: int, length: int, order: Sequence[int] | None = None) -> Automaton:
    """Make the automaton of boxes: grids of any size without wrap and without walls.

    Parameters
    ----------
    axes : int
        1, 2 or 3.
    length : int
        The longest strings compared, at least 1: 1 allows everything, 2 forbids the move back,
        3 to 5 forbid nothing more, 6 forbids one of the two ways by half a round of a square.
    order : sequence of int, optional
        The directions, the preferred first; it decides which of equally long strings stays, and
        need not be the order of the search. Left out: opposite ones together, U D L R F B. Of
        all orders on two axes this one has the fewest states at lengths 6 to 12, and at even
        ones leaves the fewest strings.

    Returns
    -------
    Automaton
        State 0 has no history. Directions are numbered in the order U L R D F B, as far as the
        axes have them: L R on one axis, U L R D on two. The automaton knows no border: a move
        must be allowed by it *and* by the board.

    Raises
    ------
    Unsupported
        For other axes, an order that is no permutation, or a length above that in `LONGEST`.

    Notes
    -----
    Taylor & Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993. Each move more
    makes the strings three times as many on two axes, five times on three, and so time and
    memory: length 12 on two axes compares 670,000 strings in a fraction of a second and 150 MB.

    Examples
    --------
    >>> automaton = grid_automaton(2, 2)
    >>> automaton.legal.tolist(), int(automaton.next[0, 0])  # after U, state 1: no D
    ([15, 7, 14, 11, 13], 1)
    """
    if axes not in (1, 2, 3):
        raise Unsupported(f"an automaton of boxes has 1, 2 or 3 axes; got {quote(axes)}")
    require_whole(length=(length, 1))
    steps = [(axes - back, step) for _, back, step in DIRECTIONS if back <= axes]
    order = [d for d in (0, 3, 1, 2, 4, 5) if d < len(steps)] if order is None else order
    if sorted(order) != list(range(len(steps))):
        raise Unsupported(f"the order has each of 0..{len(steps) - 1} once; got {quote(order)}")
    if length > LONGEST[axes - 1]:
        raise Unsupported(
            f"strings of up to {LONGEST[axes - 1]} moves are compared on {axes} axes; got {length}"
        )
    # A window that no string of this length leaves, the start in the middle.
    side = 2 * length + 1
    places = np.indices((side,) * axes).reshape(axes, -1).T - length
    hops = np.array([step * side ** (axes - 1 - axis) for axis, step in steps])
    near = (np.arange(len(places))[:, None] + hops[list(order)]) % len(places)
    reach = np.hstack([places, -places]).astype(np.int8)
    middle = np.array([len(places) // 2])
    strings = _Strings(near, middle, np.zeros((1, len(steps)), np.int64), reach)
    for _ in range(length):
        strings.grow()
    return strings.automaton(np.argsort(order))


def graph_automaton(
    neighbours: Sequence[Sequence[int]],
    length: int,
    *,
    max_states: int = MAX_STATES,
    max_strings: int = MAX_STRINGS,
) -> Automaton:
    """Make the automaton of one board, whatever its shape: a torus, walls, any graph.

    Parameters
    ----------
    neighbours : sequence of sequences of int
        The neighbours of each of n cells, as `Board.neighbours` gives them.
    length : int
        The longest strings compared, at least 1.
    max_states, max_strings : int
        Strings are lengthened as long as no more states are needed, and no more strings are
        tried at a time (those of one length, times D): `Automaton.length` tells how far. The n
        states without a history are always there. By default under a second and 0.2 GB.

    Returns
    -------
    Automaton
        State c < n: the blank is on cell c and has no history; every other state knows the cell,
        too. Direction d on cell c leads to ``neighbours[c][d]``; D is the greatest degree.

    Raises
    ------
    Unsupported
        For cells with more than 64 neighbours, or 65535 cells and more.

    Examples
    --------
    >>> ring = graph_automaton([(1, 2), (0, 2), (0, 1)], 2)
    >>> ring.legal.tolist(), int(ring.next[0, 1])  # from 0 to 2, state 4: not back to 0
    ([3, 3, 3, 2, 2, 2, 1, 1, 1], 4)
    """
    require_whole(length=(length, 1), max_states=(max_states, 0), max_strings=(max_strings, 0))
    n, degree = len(neighbours), max(map(len, neighbours))
    if degree > 64 or n >= _NONE:
        raise Unsupported(
            f"an automaton takes up to 64 neighbours a cell and 65534 cells; got {degree} and {n}"
        )
    near = np.full((n, degree), -1, np.int64)
    for cell, cells in enumerate(neighbours):
        near[cell, : len(cells)] = cells
    beyond = np.where(near < 0, n, near)
    strings = _Strings(beyond, np.arange(n), near, np.zeros((n, 0), np.int8))
    while len(strings.levels) <= length and strings.grow(max_states, max_strings):
        pass
    return strings.automaton(np.arange(degree))


@dataclass
class _Level:
    """The strings of one length, m of them, in their order; also those that are rejected.

    parent, move : (m,) the string without its last move, and that move
    suffix : (m,) the string without its first move; both are numbers in the level before
    cell, tile : (m,) where the last move took the blank, and the tile that it shifted
    sums : (m,) equal for strings with the same effect
    bad, used : (m,) whether it is rejected; whether it is the beginning of a rejected string
    follow : (m, D) each string lengthened by a move, as a number in the next level; or -1
    """

    parent: Ints
    move: Ints
    suffix: Ints
    cell: Cells
    tile: Cells
    sums: Sums
    bad: NDArray[np.bool_]
    used: NDArray[np.bool_]
    follow: Ints


class _Strings:
    """All allowed strings from some cells, and the minimal rejected ones, level by level.

    near : (cells, D) where each direction leads; a cell too many where it leads nowhere
    roots : (r,) the cells where strings start
    heirs : (r, D) the root of what is left of a string without its first move, or -1: no move
    reach : (cells, k) what grows with the bounding box of a set of cells, in each column
    """

    def __init__(self, near: Ints, roots: Ints, heirs: Ints, reach: NDArray[np.int8]) -> None:
        self.heirs, self.reach = heirs, reach
        self.near = near.T.astype(np.uint16)
        # The sum of a string: of_tile[tile] * of_cell[where it lies] over all tiles, and the
        # blank's. The part that all strings from one root share is replaced by one number.
        rng = np.random.default_rng(1993)
        self.of_tile, of_cell, of_blank, of_root = (
            rng.integers(1 << 64, size=len(near) + 1, dtype=np.uint64) for _ in range(4)
        )
        self.shift_tile = of_cell[:-1] - of_cell[self.near]
        self.shift_blank = of_blank[self.near] - of_blank[:-1]
        none, used = np.zeros(len(roots), np.int64), np.ones(len(roots), np.bool_)
        start = roots.astype(np.uint16)
        root = _Level(none, none, none, start, start, of_root[roots], ~used, used, heirs)
        self.levels = [root]
        # The ways of the strings in the last level but one, later in the last: where the blank
        # was, the start first, and the tiles that it shifted; a row a move.
        self.cells, self.tiles = start[None], start[None][:0]
        # What each level rejects: strings of the level before, and their last moves.
        self.rejected: list[tuple[Ints, Ints]] = []

    def grow(self, max_states: float = inf, max_strings: float = inf) -> bool:
        """Make the next level; False, and nothing changes, where it would be too much."""
        last = self.levels[-1]
        if len(last.bad) * len(self.near) > max_strings:
            return False
        left = self.heirs if len(self.levels) == 1 else self.levels[-2].follow[last.suffix]
        children = np.flatnonzero((left >= 0) & ~last.bad[:, None])
        level = self._lengthen(last, children, left.ravel()[children])
        level.bad = self._needless(level)
        parents = level.parent[level.bad]
        fresh = self._beginnings(parents)
        states = sum(int(at.used.sum()) for at in self.levels) + sum(map(len, fresh))
        if states > max_states:
            return False
        for at, strings in zip(reversed(self.levels), fresh, strict=True):
            at.used[strings] = True
        self.rejected.append((parents, level.move[level.bad]))
        last.follow = np.full(left.shape, -1)
        last.follow.ravel()[children] = np.where(level.bad, -1, np.arange(len(children)))
        self.levels.append(level)
        return True

    def _lengthen(self, last: _Level, children: Ints, suffix: Ints) -> _Level:
        """The given children of a level; child s * D + d is string s and then move d."""
        if len(self.cells) < len(self.levels):
            self.cells = np.vstack([np.take(self.cells, last.parent, axis=1), last.cell])
            self.tiles = np.vstack([np.take(self.tiles, last.parent, axis=1), last.tile])
        # All D children of all strings, a row a direction; those that are no moves are dropped.
        here = last.cell.astype(np.intp)
        cell = self.near[:, here]
        tile = _content(self.cells, self.tiles, cell)
        sums = self.of_tile[tile] * self.shift_tile[:, here] + self.shift_blank[:, here] + last.sums
        parent = children // len(self.near)
        no = np.zeros(len(children), np.bool_)
        return _Level(
            parent,
            children - parent * len(self.near),
            suffix,
            cell.T.ravel()[children],
            tile.T.ravel()[children],
            sums.T.ravel()[children],
            no,
            no.copy(),
            np.zeros((0, len(self.near)), np.int64),
        )

    def _needless(self, level: _Level) -> NDArray[np.bool_]:
        """Which strings of a new level have a smaller one of the same effect inside their box."""
        levels = [*self.levels, level]
        sums = np.concatenate([at.sums for at in levels])
        old = len(sums) - len(level.sums)
        # The sum on top and the number below: sorting brings equal sums together, smaller first.
        bits = np.uint64(len(sums).bit_length())
        words = np.sort(sums >> bits << bits | np.arange(len(sums), dtype=np.uint64))
        group = words >> bits
        equal = group[1:] == group[:-1]
        shared = np.append(equal, False) | np.append(False, equal)
        group = group[shared]
        number = (words[shared] & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
        cells, tiles = _trace(levels, number)
        boxes = self.reach[cells].max(axis=0)
        bad = np.zeros(len(number), np.bool_)
        for lag in range(1, len(number)):
            alike = group[lag:] == group[:-lag]
            if not alike.any():
                break
            later = lag + np.nonzero(alike & (number[lag:] >= old) & ~bad[lag:])[0]
            later = later[(boxes[later - lag] <= boxes[later]).all(axis=1)]
            bad[later] = _same_effect(cells, tiles, later - lag, later)
        needless = np.zeros(len(level.sums), np.bool_)
        needless[number[bad] - old] = True
        return needless

    def _beginnings(self, strings: Ints) -> list[Ints]:
        """The strings of the last level, and what they begin with, as far as not yet used."""
        fresh = []
        for level in reversed(self.levels):
            strings = np.unique(strings[~level.used[strings]])
            fresh.append(strings)
            strings = level.parent[strings]
        return fresh

    def automaton(self, columns: Ints) -> Automaton:
        """The automaton of what has been rejected; direction d is column `columns[d]` here."""
        numbers, states = [], 0
        for level in self.levels:
            numbers.append(np.where(level.used, states - 1 + np.cumsum(level.used), -1))
            states += int(level.used.sum())
        after = np.zeros((states, self.heirs.shape[1]), np.int64)
        legal = np.zeros(after.shape, np.bool_)
        behind = np.zeros(0, np.int64)  # of each state, the one that forgets its first move
        for n, level in enumerate(self.levels):
            mine = numbers[n][level.used]  # consecutive
            # What a state says unless it knows better: what the state behind it says.
            step, allowed = (after[behind], legal[behind]) if n else (self.heirs, self.heirs >= 0)
            step, allowed = step.copy(), allowed.copy()
            if n < len(self.rejected):
                strings, moves = self.rejected[n]
                allowed[numbers[n][strings] - mine[:1], moves] = False
                deeper = self.levels[n + 1]
                rows = numbers[n][deeper.parent[deeper.used]] - mine[:1]
                moves = deeper.move[deeper.used]
                behind = step[rows, moves]
                step[rows, moves] = numbers[n + 1][deeper.used]
            after[mine], legal[mine] = np.where(allowed, step, 0), allowed
        return Automaton(
            np.ascontiguousarray(after[:, columns], np.uint32),
            _bits(legal[:, columns]),
            len(self.levels) - 1,
        )


def _content(cells: Cells, tiles: Cells, at: Cells) -> Cells:
    """The tile on the cell `at` after each string, named by its cell at the start."""
    found = at.copy()
    for cell, tile in zip(cells, tiles, strict=False):
        np.copyto(found, tile, where=cell == at)
    np.copyto(found, _NONE, where=cells[-1] == at)
    return found


def _same_effect(cells: Cells, tiles: Cells, first: Ints, second: Ints) -> NDArray[np.bool_]:
    """Whether two strings leave the same on every cell that either of them visits."""
    ways = [(cells[:, chosen], tiles[:, chosen]) for chosen in (first, second)]
    same = np.ones(len(first), np.bool_)
    for visited, _ in ways:
        for at in visited:
            same &= _content(*ways[0], at) == _content(*ways[1], at)
    return same


def _trace(levels: Sequence[_Level], number: Ints) -> tuple[Cells, Cells]:
    """The ways of strings numbered through all levels; short ones wait at their start."""
    offsets = np.cumsum([0, *(len(level.sums) for level in levels)])
    lengths = np.searchsorted(offsets, number, "right") - 1
    cells = np.zeros((len(levels), len(number)), np.uint16)
    tiles = np.zeros((len(levels) - 1, len(number)), np.uint16)
    for length in range(len(levels)):
        mine = np.nonzero(lengths == length)[0]
        string, row = number[mine] - offsets[length], len(levels) - 1
        for level in levels[length:0:-1]:
            cells[row, mine], tiles[row - 1, mine] = level.cell[string], level.tile[string]
            string, row = level.parent[string], row - 1
        cells[: row + 1, mine] = levels[0].cell[string]
    return cells, tiles


def _bits(sets: NDArray[np.bool_]) -> NDArray[Any]:
    """Each row as a number, the first column its lowest bit."""
    width = next(width for width in (8, 16, 32, 64) if sets.shape[1] <= width)
    packed = np.zeros((len(sets), width // 8), np.uint8)
    packed[:, : (sets.shape[1] + 7) // 8] = np.packbits(sets, axis=1, bitorder="little")
    return packed.view(f"<u{width // 8}")[:, 0].astype(f"u{width // 8}")
