"""What is compiled about patterns: from a view to its entry, moving a tile, reading a value.

A **view** is a pattern's tiles as one word: bits 0..39 are the cells that they occupy, bits 40..63
the labels of the tiles in the order of those cells, three bits each, the lowest cell first.

An entry is found in three steps, none of which is a loop:

1.  **Set.**  The cells c_0 < c_1 < ... have the number sum C(c_i, i + 1).  How many cells are in
    the upper half tells how many are in the lower, so the number is the sum of one look-up for
    each half of the word.
2.  **Cohort.**  The set's word holds the number of its first cohort and the place of a row that
    says, for every cell, which of its regions holds the blank if it is there.
3.  **Permutation.**  The labels' lexicographic rank is the sum of one look-up for the first four
    labels and one for the others: a label's digit is the number of smaller ones behind it, which
    is the label less the number of smaller ones before it.

Entries of equal rank lie together: a move along a row of the board keeps the permutation, so it
stays in the same part of memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.sweep.compiled import compiled, lowest, popcount

U64 = np.uint64
Words = npt.NDArray[np.uint64]

ONE = U64(1)
#: Bits of a view that hold cells; the labels are above.
CELLS = U64(40)
OCCUPIED = (ONE << CELLS) - ONE
LABEL = U64(3)

# Columns of `sizes`, a row a pattern: entries of one permutation; where its part of `upper` and of
# `ranks` begin, which patterns of one size share; the first bit of its table.
ENTRIES, UPPER, RANKS, TABLE = U64(0), U64(1), U64(2), U64(3)
COLUMNS = U64(4)
# Places in a word of values (`changed`).
MIRROR_REMAINDERS, SUM, MIRROR_SUM = U64(16), U64(32), U64(48)
#: Entries of `ranks` for the first four labels of a pattern; as many follow for the others.
FOUR = U64(4096)


@compiled
def locate(
    cells: Any,
    labels: Any,
    pattern: Any,
    blank: Any,
    half: Any,
    lower: npt.NDArray[np.uint32],
    upper: npt.NDArray[np.uint32],
    sets: Words,
    rows: npt.NDArray[np.uint8],
    ranks: npt.NDArray[np.uint16],
    sizes: Words,
) -> Any:
    """The number of the bit of a view's entry, the blank being on cell `blank`."""
    column = pattern * COLUMNS
    number = U64(lower[cells & ((ONE << half) - ONE)])
    number += U64(upper[sizes[column + UPPER] + (cells >> half)])
    here = sets[number]
    first = sizes[column + RANKS]
    rank = U64(ranks[first + (labels & (FOUR - ONE))]) + U64(
        ranks[first + FOUR + (labels >> U64(12))]
    )
    entry = rank * sizes[column + ENTRIES] + (here & OCCUPIED) + U64(rows[(here >> CELLS) + blank])
    return sizes[column + TABLE] + entry


@compiled
def slide(view: Any, cell: Any, to: Any) -> Any:
    """The view after its tile on `cell` has gone to the empty cell `to`.

    The labels of the tiles between the two cells, and its own, are a window that turns by one
    place; `low` and `size` are its first bit and its bits but three.
    """
    start, end = min(cell, to), max(cell, to)
    low = LABEL * popcount(view & ((ONE << start) - ONE))
    size = LABEL * popcount(view & ((ONE << end) - (U64(2) << start)))
    window = (view >> (CELLS + low)) & ((U64(8) << size) - ONE)
    left = LABEL if cell > to else size
    right = size if cell > to else LABEL
    turned = ((window << left) | (window >> right)) & ((U64(8) << size) - ONE)
    return view ^ ((window ^ turned) << (CELLS + low)) ^ (ONE << cell) ^ (ONE << to)


@compiled
def _entry(bits: npt.NDArray[np.uint8], bit: Any, width: Any) -> Any:
    return (U64(bits[bit >> U64(3)]) >> (bit & U64(7))) & ((ONE << width) - ONE)


@compiled
def _flood(masks: Words, free: Any, seed: Any) -> Any:
    """The connected part of the cells `free` that holds `seed`."""
    region, edge = seed, seed
    while edge:
        near = U64(0)
        while edge:
            near |= masks[lowest(edge)]
            edge &= edge - ONE
        edge = near & free & ~region
        region |= edge
    return region


@compiled
def read_entry(bits: npt.NDArray[np.uint8], bit: Any, two_bits: Any) -> Any:
    """The entry at a bit: one bit, or two."""
    entry = U64(bits[bit >> U64(3)]) >> (bit & U64(7))
    return entry & U64(3) if two_bits else entry


@compiled
def changed(entry: Any, values: Any, place: Any, total: Any, two_bits: Any) -> Any:
    """A word of values after a pattern's entry is known.

    A node's word has, from bit 0, the remainder (two bits: modulo 4, or modulo 3 without colours)
    of each of 8 patterns, from bit 16 those of the mirrored board, and from bits 32 and 48 the two
    sums. The pattern's remainder is at `place`, the sum at `total`.
    """
    old = values >> place
    if two_bits:
        old &= U64(3)
        # +1, 0 or -1: the difference modulo 3.
        step = (entry + U64(4) - old) % U64(3)
        return (values ^ ((old ^ entry) << place)) + ((step - ONE) << total)
    # The value is one more or one less: its low bit turns, the high bit is the entry.
    turn = ((old >> ONE) ^ entry) & ONE
    down = (turn ^ old) & ONE
    return (values ^ ((turn + turn + ONE) << place)) + ((ONE - down - down) << total)


#: A descent longer than this has lost its way: the table is damaged.
LONGEST = 1 << 12


@compiled
def descend(
    view: Any,
    pattern: Any,
    blank: Any,
    goal: Any,
    goal_blank: Any,
    masks: Words,
    black: Any,
    bits: npt.NDArray[np.uint8],
    width: Any,
    half: Any,
    lower: npt.NDArray[np.uint32],
    upper: npt.NDArray[np.uint32],
    sets: Words,
    rows: npt.NDArray[np.uint8],
    ranks: npt.NDArray[np.uint16],
    sizes: Words,
) -> int:
    """The value of a view: moves of its tiles to the goal, by going down to it; -1 if it is lost.

    An entry tells the value modulo 4 (one bit, and the colour of the tiles' cells) or modulo 3 (two
    bits, no colours), which is enough to tell a move towards the goal from all others.
    """
    modulus = U64(4) if width == ONE else U64(3)
    everything = (ONE << U64(masks.size)) - ONE
    for value in range(LONGEST):
        occupied = view & OCCUPIED
        region = _flood(masks, everything & ~occupied, ONE << blank)
        if view == goal and region & (ONE << goal_blank):
            return value
        wanted = _entry(
            bits,
            locate(
                view & OCCUPIED,
                view >> CELLS,
                pattern,
                blank,
                half,
                lower,
                upper,
                sets,
                rows,
                ranks,
                sizes,
            ),
            width,
        )
        odd = popcount((occupied ^ goal) & OCCUPIED & black) & ONE
        if width == ONE:
            wanted = wanted + wanted + odd
        wanted = (wanted + modulus - ONE) % modulus
        moved = False
        tiles = occupied
        while tiles and not moved:
            cell = lowest(tiles)
            tiles &= tiles - ONE
            ways = masks[cell] & region
            while ways and not moved:
                to = lowest(ways)
                ways &= ways - ONE
                after = slide(view, cell, to)
                entry = _entry(
                    bits,
                    locate(
                        after & OCCUPIED,
                        after >> CELLS,
                        pattern,
                        cell,
                        half,
                        lower,
                        upper,
                        sets,
                        rows,
                        ranks,
                        sizes,
                    ),
                    width,
                )
                if width == ONE:
                    entry = entry + entry + (odd ^ ONE)
                if entry == wanted:
                    view, blank, moved = after, cell, True
        if not moved:
            return -1
    return -1


@compiled
def read_views(
    homes: npt.NDArray[np.uint8],
    pattern_of: npt.NDArray[np.uint8],
    label_of: npt.NDArray[np.uint8],
    views: Words,
) -> None:
    """Fill views[b, p] from homes[b, cell], the goal cell of what lies on a cell."""
    for b in range(homes.shape[0]):
        for p in range(views.shape[1]):
            views[b, p] = 0
            place = CELLS
            for cell in range(homes.shape[1]):
                home = homes[b, cell]
                if pattern_of[home] == p:
                    views[b, p] |= (ONE << U64(cell)) | (U64(label_of[home]) << place)
                    place += LABEL


@compiled
def read_values(
    views: Words,
    blanks: npt.NDArray[np.uint8],
    values: npt.NDArray[np.int16],
    goals: Words,
    goal_blank: Any,
    masks: Words,
    black: Any,
    bits: npt.NDArray[np.uint8],
    width: Any,
    half: Any,
    lower: npt.NDArray[np.uint32],
    upper: npt.NDArray[np.uint32],
    sets: Words,
    rows: npt.NDArray[np.uint8],
    ranks: npt.NDArray[np.uint16],
    sizes: Words,
) -> None:
    """Fill values[b, p] from views[b, p]: see `descend`."""
    for b in range(views.shape[0]):
        for p in range(views.shape[1]):
            values[b, p] = descend(
                views[b, p],
                U64(p),
                U64(blanks[b]),
                goals[p],
                goal_blank,
                masks,
                black,
                bits,
                width,
                half,
                lower,
                upper,
                sets,
                rows,
                ranks,
                sizes,
            )


@compiled
def descend_segments(
    view: Any,
    pattern: Any,
    blank: Any,
    goal: Any,
    goal_blank: Any,
    near: npt.NDArray[np.uint8],
    directions: Any,
    bits: npt.NDArray[np.uint8],
    half: Any,
    lower: npt.NDArray[np.uint32],
    upper: npt.NDArray[np.uint32],
    sets: Words,
    rows: npt.NDArray[np.uint8],
    ranks: npt.NDArray[np.uint16],
    sizes: Words,
) -> int:
    """The value of a view in multi-tile moves, by going down to the goal; -1 if it is lost.

    near[40 * d + cell] is the next cell in direction d, or 255.
    """
    two = U64(2)
    for value in range(LONGEST):
        if view == goal and blank == goal_blank:
            return value
        here = locate(
            view & OCCUPIED,
            view >> CELLS,
            pattern,
            blank,
            half,
            lower,
            upper,
            sets,
            rows,
            ranks,
            sizes,
        )
        wanted = (_entry(bits, here, two) + two) % U64(3)
        moved = False
        for d in range(directions):
            after, cell = view, blank
            while not moved:
                to = U64(near[U64(d) * CELLS + cell])
                if to == U64(255):
                    break
                if (after >> to) & ONE:
                    after = slide(after, to, cell)
                cell = to
                there = locate(
                    after & OCCUPIED,
                    after >> CELLS,
                    pattern,
                    cell,
                    half,
                    lower,
                    upper,
                    sets,
                    rows,
                    ranks,
                    sizes,
                )
                if _entry(bits, there, two) == wanted:
                    view, blank, moved = after, cell, True
            if moved:
                break
        if not moved:
            return -1
    return -1
