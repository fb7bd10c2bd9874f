"""The compiled parts of a beam search over sums of pattern values: a level at a time.

A **beam** (Lowerre 1976) keeps the most promising states of each depth, at most `width` of them,
and makes the next depth from those. Here a level is three passes:

1.  `expand` makes the children, a chunk at a time. In a first round their hashes are computed and
    the table of those met before is asked for; in a second the duplicates are left out, and the
    entries of the pattern databases are asked for; in a third these have arrived, and each child
    gets its values and its score.
2.  `choose` counts the scores and finds the one at which the beam is full.
3.  `survive` writes the states that are kept.

Boards without pattern databases have the sum of the tiles' distances in their place, on one side.

The score
---------
In units of 1 / `SCALE` moves: a share of the sum of either side's pattern values, one of the
greater of them, and two learned terms (`taquin.near.ranking`): one for each tile on its cell, one
for each pair of cells side by side. A move changes few of these terms, so a child's score is its
parent's and a difference.

Duplicates
----------
Hashes are sums modulo 2 of a random word for each tile on each cell (Zobrist 1970). A table with
one place a hash remembers the last one that came there and is never cleared: it forgets some, which
costs a duplicate, and a hash that two states share costs a state; neither makes a solution wrong.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from taquin.patterns import kernels as views_kernels
from taquin.patterns.kernels import (
    CELLS,
    MIRROR_REMAINDERS,
    MIRROR_SUM,
    OCCUPIED,
    SUM,
    changed,
    locate,
    read_entry,
    slide,
)
from taquin.sweep import compiled as door
from taquin.sweep.compiled import prefetch

compiled = partial(door.compiled, beside=[str(views_kernels.__file__)])
U64 = np.uint64
Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

#: Units of a score in one move.
SCALE = 64
#: Children that are made at a time: their share of the cache is a few hundred bytes each.
CHUNK = 512
#: Scores further than that from the least one are not told apart.
SCORES = 1 << 16
SIDE = U64(8)
ONE = U64(1)
LOW16 = U64(0xFFFF)
#: Mixes a hash before it is compared with a share.
MIX = U64(0x9E3779B97F4A7C15)
NOWHERE = U64(255)


class Ground(NamedTuple):
    """What does not change: the board, its mirror and the sides' patterns.

    Attributes
    ----------
    near : (n, 8) uint8
        The neighbours of each cell, then 255.
    blank : uint8
        The blank's goal cell.
    mirror : (n,) uint8
    pattern_of : (n,) uint8
        The pattern of the tile whose goal is a cell.
    zobrist : (n, n) uint64
        By goal cell, then cell.
    distances : (n, n) uint8
        Moves of a tile, by its goal cell, from a cell.
    onward : (n, n) uint8
        After the blank went from one cell to another, the next cell on the same line, or 255.
    two_bits, sides
        Tuples of which only the length counts: one entry if entries have two bits; one for each
        side of the board that has pattern values, none without.
    """

    near: npt.NDArray[np.uint8]
    blank: np.uint8
    mirror: npt.NDArray[np.uint8]
    pattern_of: npt.NDArray[np.uint8]
    zobrist: Words
    distances: npt.NDArray[np.uint8]
    onward: npt.NDArray[np.uint8]
    two_bits: tuple[np.uint64, ...]
    sides: tuple[np.uint64, ...]


class Weights(NamedTuple):
    """A ranking on this board (`taquin.near.ranking.Ranking`), in units of 1 / `SCALE` moves.

    Attributes
    ----------
    shares : (3,) int64
        Of the sum of both sides' values, and of the greater; what a turn of the blank costs.
    cells : (n, n) int32
        A tile, by its goal cell, on a cell.
    codes : (n, n) uint8
        The kind of displacement of a tile on a cell; 0: the blank.
    kinds : uint64
        Codes that there are.
    pairs : (directions * kinds * kinds,) int32
        By the direction from here to there, the code here, and the code there.
    beside : (n, 9, 2) uint32
        For a cell first how many edges it has, then for each of them the other cell, and where
        the pairs of its direction begin.
    """

    shares: Ints
    cells: npt.NDArray[np.int32]
    codes: npt.NDArray[np.uint8]
    kinds: np.uint64
    pairs: npt.NDArray[np.int32]
    beside: npt.NDArray[np.uint32]


class Beam(NamedTuple):
    """The states of a level, an array a property.

    Attributes
    ----------
    boards : (width, n) uint8, goal cells of what lies there
    views : (width, 16) uint64; (width, 0) without pattern databases
    values, hashes : (width,) uint64
    scores : (width,) int32
    blanks, before : (width,) uint8
        The blank's cell, and the one it came from (255: none).
    """

    boards: npt.NDArray[np.uint8]
    views: Words
    values: Words
    hashes: Words
    scores: npt.NDArray[np.int32]
    blanks: npt.NDArray[np.uint8]
    before: npt.NDArray[np.uint8]


class Children(NamedTuple):
    """What `expand` found of the next level: arrays of the same names are as in `Beam`.

    Attributes
    ----------
    parents : (capacity,) uint32
    keys : (capacity,) int32
        The score, and a little noise if asked for.
    bits : (2, CHUNK + 8) uint64
        Where the entries of a chunk are.
    """

    parents: npt.NDArray[np.uint32]
    cells: npt.NDArray[np.uint8]
    values: Words
    hashes: Words
    scores: npt.NDArray[np.int32]
    keys: npt.NDArray[np.int32]
    bits: Words


@compiled
def _exchanged(
    boards: npt.NDArray[np.uint8],
    state: Any,
    a: Any,
    b: Any,
    codes: npt.NDArray[np.uint8],
    kinds: Any,
    pairs: npt.NDArray[np.int32],
    beside: npt.NDArray[np.uint32],
) -> Any:
    """What the pairs gain when the tile on cell `a` goes to the blank's cell `b` beside it."""
    tile = U64(boards[state, a])
    # Where the pairs of the tile begin, there and here; those of the blank begin at 0.
    old, new = kinds * U64(codes[tile, a]), kinds * U64(codes[tile, b])
    total = np.int32(0)
    for i in range(ONE, ONE + U64(beside[a, 0, 0])):
        to, kind = U64(beside[a, i, 0]), U64(beside[a, i, 1])
        if to == b:
            total += pairs[kind + U64(codes[tile, b])] - pairs[kind + old]
        else:
            there = kind + U64(codes[boards[state, to], to])
            total += pairs[there] - pairs[there + old]
    for i in range(ONE, ONE + U64(beside[b, 0, 0])):
        to = U64(beside[b, i, 0])
        if to != a:
            there = U64(beside[b, i, 1]) + U64(codes[boards[state, to], to])
            total += pairs[there + new] - pairs[there]
    return total


@compiled
def score(board: npt.NDArray[np.uint8], values: Any, weights: Any) -> int:
    """The score of a board from nothing."""
    side, other = np.int64((values >> SUM) & LOW16), np.int64(values >> MIRROR_SUM)
    total = weights.shares[0] * (side + other) + weights.shares[1] * max(side, other)
    for cell in range(board.size):
        total += weights.cells[board[cell], cell]
        for i in range(weights.beside[cell, 0, 0]):
            to, kind = weights.beside[cell, i + 1]
            if to > cell:
                here, there = weights.codes[board[cell], cell], weights.codes[board[to], to]
                total += weights.pairs[kind + here * weights.kinds + there]
    return int(total)


@compiled
def _noise(word: Any, most: Any, seed: Any) -> int:
    """A number from 0 to `most` - 1 that depends on the state and the seed alone."""
    return int(np.int64(((((word ^ seed) * MIX) >> U64(40)) * most) >> U64(24)))


@compiled
def expand(
    ground: Any,
    entries: Any,
    weights: Any,
    beam: Any,
    count: Any,
    children: Any,
    met: Words,
    most: Any,
    noise: Any,
    seed: Any,
) -> Any:
    """Make the children of a level; how many are kept and were made, and the goal's place or -1.

    Parameters
    ----------
    met : (power of two,) uint64
        Hashes met.
    most : int
        Children whose pattern values are greater are left out.
    noise : int
        The greatest that is added to a score.
    """
    # Fields are taken out once: each time costs a reference count.
    near, home, mirror, pattern_of, zobrist, distances, onward, _, _ = ground
    tabled, mirrored = len(ground.sides) > 0, len(ground.sides) == 2
    two_bits = len(ground.two_bits) > 0
    tables, half, lower, upper, sets, rows, ranks, sizes = entries
    shares, cells, codes, kinds, pairs, beside = weights
    share, share_of_greater, turn = shares[0], shares[1], shares[2]
    boards, views, held, hashes, scores, blanks, before = beam
    parents, moved, values_of, words, new_scores, keys, bits = children
    mask = U64(met.size - 1)
    kept, made, state = U64(0), U64(0), U64(0)
    while state < count:
        first = kept
        while state < count and kept - first < CHUNK:
            blank, back, word = U64(blanks[state]), U64(before[state]), hashes[state]
            for i in range(U64(8)):
                cell = U64(near[blank, i])
                if cell == NOWHERE:
                    break
                if cell != back:
                    tile = U64(boards[state, cell])
                    mark = word ^ zobrist[tile, cell] ^ zobrist[tile, blank]
                    prefetch(met, mark & mask)
                    parents[kept], moved[kept], words[kept] = state, cell, mark
                    kept += ONE
            state += ONE
        made += kept - first
        last, kept = kept, first
        for i in range(first, last):
            mark = words[i]
            if met[mark & mask] == mark:
                continue
            met[mark & mask] = mark
            parent, cell = U64(parents[i]), U64(moved[i])
            blank, tile, slot = U64(blanks[parent]), U64(boards[parent, cell]), kept - first
            if tabled:
                pattern = U64(pattern_of[tile])
                view = slide(views[parent, pattern], cell, blank)
                bit = locate(
                    *(view & OCCUPIED, view >> CELLS, pattern, cell),
                    *(half, lower, upper, sets, rows, ranks, sizes),
                )
                prefetch(tables, bit >> U64(3))
                bits[0, slot] = bit
            if mirrored:
                cell, blank = U64(mirror[cell]), U64(mirror[blank])
                pattern = U64(pattern_of[U64(mirror[tile])])
                view = slide(views[parent, SIDE + pattern], cell, blank)
                bit = locate(
                    *(view & OCCUPIED, view >> CELLS, pattern, cell),
                    *(half, lower, upper, sets, rows, ranks, sizes),
                )
                prefetch(tables, bit >> U64(3))
                bits[1, slot] = bit
            parents[kept], moved[kept], words[kept] = parent, moved[i], mark
            kept += ONE
        last, kept = kept, first
        for i in range(first, last):
            parent, cell, slot = U64(parents[i]), U64(moved[i]), i - first
            blank, tile = U64(blanks[parent]), U64(boards[parent, cell])
            old = held[parent]
            if tabled:
                place = U64(pattern_of[tile]) << ONE
                entry = read_entry(tables, bits[0, slot], two_bits)
                values = changed(entry, old, place, SUM, two_bits)
            else:
                values = old + ((U64(distances[tile, blank]) - U64(distances[tile, cell])) << SUM)
            if mirrored:
                place = MIRROR_REMAINDERS + (U64(pattern_of[U64(mirror[tile])]) << ONE)
                entry = read_entry(tables, bits[1, slot], two_bits)
                values = changed(entry, values, place, MIRROR_SUM, two_bits)
            side, other = np.int64((values >> SUM) & LOW16), np.int64(values >> MIRROR_SUM)
            far = max(side, other)
            if far > most:
                continue
            old_side, old_other = np.int64((old >> SUM) & LOW16), np.int64(old >> MIRROR_SUM)
            total = np.int64(scores[parent])
            total += share * (side + other - old_side - old_other)
            total += share_of_greater * (far - max(old_side, old_other))
            total += cells[tile, blank] - cells[tile, cell]
            total += cells[home, cell] - cells[home, blank]
            total += _exchanged(boards, parent, cell, blank, codes, kinds, pairs, beside)
            back = U64(before[parent])
            if turn > 0 and back != NOWHERE and U64(onward[back, blank]) != cell:
                total += turn
            mark = words[i]
            parents[kept], moved[kept], values_of[kept], words[kept] = parent, cell, values, mark
            new_scores[kept] = total
            keys[kept] = total + _noise(mark, noise, seed)
            kept += ONE
            if far == 0:
                return np.int64(kept), np.int64(made), np.int64(kept - ONE)
    return np.int64(kept), np.int64(made), np.int64(-1)


@compiled
def choose(children: Any, count: Any, width: Any, counts: Ints) -> tuple[int, Any]:
    """The key at which the beam is full, and the share of the children with it that fits.

    The share is of all hashes: 2^32 stands for all. `counts` is scratch, (SCORES,).
    """
    if count <= width:
        return 1 << 40, U64(1 << 32)
    keys = children.keys
    least = keys[0]
    for i in range(count):
        least = min(least, keys[i])
    counts[:] = 0
    for i in range(count):
        counts[min(np.int64(keys[i]) - least, SCORES - 1)] += 1
    room = width
    for place in range(SCORES):
        if counts[place] > room:
            return least + place, U64((room << 32) // counts[place])
        room -= counts[place]
    return 1 << 40, U64(1 << 32)


@compiled
def survive(
    ground: Any,
    beam: Any,
    after: Any,
    children: Any,
    count: Any,
    limit: Any,
    share: Any,
    seed: Any,
    log: npt.NDArray[np.uint32],
    moves: npt.NDArray[np.uint8],
) -> int:
    """Write the children up to the key `limit` as the states `after`; how many they are.

    `log` and `moves` keep the parent and the blank's cell of each.
    """
    home, mirror, pattern_of = ground.blank, ground.mirror, ground.pattern_of
    tabled, mirrored = len(ground.sides) > 0, len(ground.sides) == 2
    boards, views, _, _, _, blanks, _ = beam
    new_boards, new_views, new_values, new_hashes, new_scores, new_blanks, new_before = after
    parents, moved, values_of, words, scores, keys, _ = children
    n, width = U64(boards.shape[1]), U64(views.shape[1])
    kept, room = U64(0), U64(new_blanks.size)
    for i in range(U64(count)):
        key, mark = np.int64(keys[i]), words[i]
        if key > limit or (key == limit and ((mark ^ seed) * MIX) >> U64(32) >= share):
            continue
        if kept == room:
            break
        parent, cell = U64(parents[i]), U64(moved[i])
        blank, tile = U64(blanks[parent]), U64(boards[parent, cell])
        for j in range(n):
            new_boards[kept, j] = boards[parent, j]
        new_boards[kept, blank], new_boards[kept, cell] = tile, home
        for j in range(width):
            new_views[kept, j] = views[parent, j]
        if tabled:
            pattern = U64(pattern_of[tile])
            new_views[kept, pattern] = slide(views[parent, pattern], cell, blank)
        if mirrored:
            pattern = SIDE + U64(pattern_of[U64(mirror[tile])])
            turned, to = U64(mirror[cell]), U64(mirror[blank])
            new_views[kept, pattern] = slide(views[parent, pattern], turned, to)
        new_values[kept], new_hashes[kept], new_scores[kept] = values_of[i], mark, scores[i]
        new_blanks[kept], new_before[kept] = cell, blank
        log[kept], moves[kept] = parent, cell
        kept += ONE
    return int(kept)
