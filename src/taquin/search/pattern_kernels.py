"""The compiled loop of IDA* over sums of pattern values.

Several stacks take turns
-------------------------
An entry of a pattern database is a cache miss. So the search keeps a few stacks of open nodes and
visits them in turn. A visit to a stack

1.  *judges* the children that were made on the last visit: their entries have been asked for
    then, and are in cache by now. Each tells by how much the pattern's value has changed; children
    within the threshold are pushed as *frames*. All are written, and the top moves only for those
    that are kept: no branch depends on an entry;
2.  takes a frame off the stack and *makes its children*: moves the tile in the pattern's view,
    computes where the entry is, and asks for it.

An empty stack takes over the shallowest frame of the fullest one. A direction is not tried where
the automaton (`taquin.search.automaton`) knows that another string of moves does the same.

Two representations
-------------------
*Views* (`taquin.patterns.kernels`), for any board: a stack has the views of its present node; a
frame holds the one that changes, and the path remembers what to put back. *Packed*, for 16 cells
and two patterns, where the processor extracts bits at once: a frame holds the whole board, four
bits a cell, the pattern's number above the label. Either side of a symmetric board has its own.
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
from taquin.sweep.compiled import lowest, pext, prefetch

compiled = partial(door.compiled, beside=[str(views_kernels.__file__)])
U64 = np.uint64
Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]


class Shape(NamedTuple):
    """What the loop is compiled for: each field is a tuple, of which only the length counts.

    Attributes
    ----------
    packed, two_bits, weighted
        One entry if boards are packed; entries have two bits; depth and value have weights.
    others
        One entry a pattern but the first: its number.
    sides
        One entry, or two: the board and its mirror.
    """

    packed: tuple[np.uint64, ...]
    two_bits: tuple[np.uint64, ...]
    weighted: tuple[np.uint64, ...]
    others: tuple[np.uint64, ...]
    sides: tuple[np.uint64, ...]


class Moves(NamedTuple):
    """The board: near[8 * cell + d] in direction d, the directions that exist, the mirror's cells.

    `automaton` has, at (state << wide) | d, the next state times 256 plus its directions.
    """

    near: npt.NDArray[np.uint8]
    legal: npt.NDArray[np.uint8]
    mirror: npt.NDArray[np.uint8]
    automaton: npt.NDArray[np.uint32]
    wide: np.uint64


class Stacks(NamedTuple):
    """Working memory: rows of a stack each.

    Attributes
    ----------
    views : (stacks, 16); frames : (stacks, capacity, FRAME); path : (stacks, levels, STEP)
    children : (stacks, directions, CHILD)
    values, top, bottom, waiting : (stacks,)
    depth : (stacks,) int64
        Of the present node.
    """

    views: Words
    frames: Words
    path: Words
    children: Words
    values: Words
    top: Words
    bottom: Words
    waiting: Words
    depth: Ints


ONE = U64(1)
SIDE, SIDES = U64(8), U64(16)
# A frame: what changes on either side, values, and the rest in one word.
MIRROR, VALUES, REST, FRAME = U64(1), U64(2), U64(3), U64(4)
# A child that waits for its entries: what changes, where its entries are, and the rest.
BIT, MIRROR_BIT, CHILD_REST, CHILD = U64(2), U64(3), U64(4), U64(5)
# A step of the path: what was there on either side before, and the rest.
STEP_REST, STEP = U64(2), U64(3)
# The rest: from bit 0 the depth, then the blank, the pattern of the tile that moved, of the
# mirrored tile, the direction; from bit 32 the directions allowed, and the automaton's state.
DEPTH, BLANK, PATTERN, MIRROR_PATTERN, DIRECTION = U64(1023), U64(10), U64(16), U64(19), U64(22)
ALLOWED, STATE = U64(32), U64(40)
SEVEN = U64(7)
# A root of a part of the search: views, values, rest, and the moves that lead to it.
ROOT_VALUES, ROOT_REST, ROOT_MOVES, ROOT = 16, 17, 18, 24
#: Moves in one word, and in a root.
MOVES_A_WORD = 21
MOST_MOVES = MOVES_A_WORD * (ROOT - ROOT_MOVES)

#: Why the loop came back.
EXHAUSTED, PAUSED, FOUND, OVERFLOW = range(4)
# Fields of `at`: nodes generated; the least value cut off; the stack in turn; the depth of the
# goal; expanded nodes; the threshold; whether an iteration begins; roots written; the
# threshold that must not be reached (no room for its path).
GENERATED, LEAST, TURN, LENGTH, EXPANDED, THRESHOLD, FRESH, ROOTS, LAST_THRESHOLD, FIELDS = range(
    10
)
#: Nothing was cut off.
NEVER = 1 << 40

SECOND = U64(0x8888888888888888)
LABELS = U64(0x7777777777777777)
CELL_BITS = U64(0x1111111111111111)
NIBBLE = U64(15)
TWO = U64(2)


@compiled
def _pattern_of(board: Any, pattern: Any, blank: Any) -> Any:
    """Cells and labels of one of the two patterns of a packed board."""
    first = pattern - ONE  # all ones for the first pattern
    second = board & SECOND
    nibbles = (second - (second >> U64(3))) ^ (LABELS & first)
    nibbles &= ~((NIBBLE << (blank << TWO)) & first)
    return pext(nibbles, CELL_BITS), pext(board, nibbles)


@compiled
def _put_back(views: Words, path: Words, v: Any, log: Any, last: Any, first: Any) -> None:
    """Undo the steps last, last - 1, ..., first of a path on the views from `v` on."""
    for d in range(last, first - 1, -1):
        p = (log + U64(d)) * STEP
        rest = path[p + STEP_REST]
        views[v + ((rest >> PATTERN) & SEVEN)] = path[p]
        views[v + SIDE + ((rest >> MIRROR_PATTERN) & SEVEN)] = path[p + MIRROR]


@compiled
def _share(stacks: Any, k: Any, levels: Any, capacity: Any, packed: Any) -> Any:
    """Give the empty stack k the shallowest frame of the fullest one; False if there is none.

    Second: whether any stack has work.
    """
    best, most, busy = -1, ONE, False
    for j in range(stacks.top.size):
        size = stacks.top[j] - stacks.bottom[j]
        busy |= size > U64(0) or stacks.waiting[j] > U64(0)
        if size > most:
            best, most = j, size
    if best < 0:
        return False, busy
    other = U64(best)
    views, frames, path = stacks.views, stacks.frames, stacks.path
    source = (other * capacity + stacks.bottom[best]) * FRAME
    target = k * capacity * FRAME
    for j in range(FRAME):
        frames[target + U64(j)] = frames[source + U64(j)]
    stacks.bottom[best] += ONE
    depth = np.int64(frames[target + REST] & DEPTH)
    if not packed:
        for j in range(SIDES):
            views[k * SIDES + U64(j)] = views[other * SIDES + U64(j)]
        _put_back(views, path, k * SIDES, other * levels, stacks.depth[best], depth)
    for j in range(U64(depth) * STEP):
        path[k * levels * STEP + U64(j)] = path[other * levels * STEP + U64(j)]
    stacks.depth[k] = depth - 1
    stacks.bottom[k] = U64(0)
    stacks.top[k] = ONE
    return True, True


@compiled
def _write_root(
    roots: Words, count: Any, stacks: Any, k: Any, o: Any, log: Any, packed: Any
) -> None:
    """Keep frame `o`, whose views are in place, and the way to it as a root."""
    frames, path = stacks.frames, stacks.path
    root = roots[count]
    for j in range(SIDES):
        root[j] = stacks.views[k * SIDES + U64(j)]
    if packed:
        root[0], root[SIDE] = frames[o], frames[o + MIRROR]
    rest = frames[o + REST]
    root[ROOT_VALUES], root[ROOT_REST] = frames[o + VALUES], rest
    depth = np.int64(rest & DEPTH)
    for j in range(ROOT_MOVES, ROOT):
        root[j] = U64(0)
    for d in range(1, depth + 1):
        move = (path[(log + U64(d)) * STEP + STEP_REST] >> DIRECTION) & SEVEN
        root[ROOT_MOVES + (d - 1) // MOVES_A_WORD] |= move << U64((d - 1) % MOVES_A_WORD * 3)


@compiled
def plant(stacks: Any, root: Words, packed: Any) -> None:
    """Begin a search at a root: its frame on the first stack, nothing on the others."""
    for k in range(stacks.top.size):
        stacks.top[k], stacks.bottom[k], stacks.waiting[k] = U64(0), U64(0), U64(0)
        stacks.depth[k] = 0
    for j in range(SIDES):
        stacks.views[j] = root[j]
    rest = root[ROOT_REST]
    side, other = (rest >> PATTERN) & SEVEN, (rest >> MIRROR_PATTERN) & SEVEN
    if packed:
        side, other = U64(0), U64(0)
    stacks.frames[0], stacks.frames[1] = root[side], root[SIDE + other]
    stacks.frames[2], stacks.frames[3] = root[ROOT_VALUES], rest
    stacks.top[0] = ONE
    stacks.depth[0] = np.int64(rest & DEPTH) - 1


@compiled
def deepen(
    shape: Any,
    entries: Any,
    moves: Any,
    stacks: Any,
    capacity: Any,
    levels: Any,
    weights: Any,
    budget: Any,
    split: Any,
    roots: Words,
    at: Ints,
) -> Any:
    """Search on within the threshold at[THRESHOLD]; EXHAUSTED, PAUSED, FOUND or OVERFLOW.

    Parameters
    ----------
    shape, entries, moves, stacks : Shape, Entries, Moves, Stacks
    capacity, levels : uint64
        Frames of a stack, and steps of its path, at most.
    weights : (2,) int64
        Of depth and value, where the shape says so.
    budget : int
        Pause after about so many more nodes.
    split : int
        Nodes of this depth are not expanded but written to `roots`; -1: none.
    at : (FIELDS,) int64
        See the constants; read and written.
    """
    # Fields are taken out once: each time costs a reference count.
    bits, half, lower, upper, sets, rows, ranks, sizes = entries
    near, legal, mirror, automaton, wide = moves
    two_bits, packed = len(shape.two_bits) > 0, len(shape.packed) > 0
    mirrored = len(shape.sides) == 2
    views, frames, path, children, held, top, bottom, waiting, depth = stacks
    count_stacks = U64(top.size)
    ahead = U64(children.size) // count_stacks
    nodes, expanded, least, bound = at[GENERATED], at[EXPANDED], at[LEAST], at[THRESHOLD]
    stop = nodes + budget
    k = U64(at[TURN])
    while True:
        k += ONE
        if k >= count_stacks:
            k = U64(0)
        base = k * capacity * FRAME
        # Judge the children that wait on this stack.
        count = waiting[k]
        waiting[k] = U64(0)
        nodes += np.int64(count)
        height = top[k]
        before = held[k]
        c = k * ahead
        goal = U64(0)
        for _ in range(count):
            rest = children[c + CHILD_REST]
            entry = read_entry(bits, children[c + BIT], two_bits)
            values = changed(entry, before, ((rest >> PATTERN) & SEVEN) << ONE, SUM, two_bits)
            if mirrored:
                entry = read_entry(bits, children[c + MIRROR_BIT], two_bits)
                place = MIRROR_REMAINDERS + (((rest >> MIRROR_PATTERN) & SEVEN) << ONE)
                values = changed(entry, values, place, MIRROR_SUM, two_bits)
            h = max((values >> SUM) & U64(0xFFFF), values >> MIRROR_SUM)
            if len(shape.weighted) > 0:
                f = np.int64(rest & DEPTH) * weights[0] + np.int64(h) * weights[1]
            else:
                f = np.int64((rest & DEPTH) + h)
            o = base + height * FRAME
            frames[o] = children[c]
            frames[o + MIRROR] = children[c + MIRROR]
            frames[o + VALUES] = values
            frames[o + REST] = rest
            kept = np.int64(f <= bound)
            least = min(least, f + (kept << 40))
            height += U64(kept)
            if h == U64(0) and kept:
                goal = rest
            c += CHILD
        top[k] = height
        if goal:
            path[(k * levels + (goal & DEPTH)) * STEP + STEP_REST] = goal
            at[GENERATED], at[EXPANDED], at[LEAST] = nodes, expanded, least
            at[TURN], at[LENGTH] = k, goal & DEPTH
            return FOUND
        if height == bottom[k]:
            found, busy = _share(stacks, k, levels, capacity, packed)
            if not busy:
                at[GENERATED], at[EXPANDED], at[LEAST], at[TURN] = nodes, expanded, least, k
                return EXHAUSTED
            if not found:
                continue
            height = ONE
        if nodes >= stop:
            at[GENERATED], at[EXPANDED], at[LEAST], at[TURN] = nodes, expanded, least, k
            return PAUSED
        # Take a frame off the stack.
        height -= ONE
        top[k] = height
        o = base + height * FRAME
        direct, reflected, rest = frames[o], frames[o + MIRROR], frames[o + REST]
        g = np.int64(rest & DEPTH)
        v, log = k * SIDES, k * levels
        p = (log + U64(g)) * STEP
        if not packed:
            _put_back(views, path, v, log, depth[k], g)
            slot = v + ((rest >> PATTERN) & SEVEN)
            path[p] = views[slot]
            views[slot] = direct
            slot = v + SIDE + ((rest >> MIRROR_PATTERN) & SEVEN)
            path[p + MIRROR] = views[slot]
            views[slot] = reflected
        depth[k] = g
        path[p + STEP_REST] = rest
        if g == split:
            if at[ROOTS] == roots.shape[0]:
                return OVERFLOW
            _write_root(roots, at[ROOTS], stacks, k, o, log, packed)
            at[ROOTS] += 1
            continue
        # Make its children.
        expanded += 1
        held[k] = frames[o + VALUES]
        blank = (rest >> BLANK) & U64(63)
        mirror_blank = U64(mirror[blank])
        ways = (rest >> ALLOWED) & U64(legal[blank])
        state = (rest >> STATE) << wide
        c = k * ahead
        count = U64(0)
        while ways:
            d = lowest(ways)
            ways &= ways - ONE
            cell = U64(near[(blank << U64(3)) | d])
            if packed:
                tile = (direct >> (cell << TWO)) & NIBBLE
                view = direct ^ (tile << (cell << TWO)) ^ (tile << (blank << TWO))
                pattern = tile >> U64(3)
                cells, labels = _pattern_of(view, pattern, cell)
            else:
                pattern = U64(0)
                for j in shape.others:
                    pattern += j * ((views[v + j] >> cell) & ONE)
                view = slide(views[v + pattern], cell, blank)
                cells, labels = view & OCCUPIED, view >> CELLS
            bit = locate(
                cells,
                labels,
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
            prefetch(bits, bit >> U64(3))
            children[c], children[c + BIT] = view, bit
            new = U64(g + 1) | (cell << BLANK) | (pattern << PATTERN) | (d << DIRECTION)
            if mirrored:
                other = U64(mirror[cell])
                if packed:
                    tile = (reflected >> (other << TWO)) & NIBBLE
                    view = reflected ^ (tile << (other << TWO)) ^ (tile << (mirror_blank << TWO))
                    pattern = tile >> U64(3)
                    cells, labels = _pattern_of(view, pattern, other)
                else:
                    pattern = U64(0)
                    for j in shape.others:
                        pattern += j * ((views[v + SIDE + j] >> other) & ONE)
                    view = slide(views[v + SIDE + pattern], other, mirror_blank)
                    cells, labels = view & OCCUPIED, view >> CELLS
                bit = locate(
                    cells,
                    labels,
                    pattern,
                    other,
                    half,
                    lower,
                    upper,
                    sets,
                    rows,
                    ranks,
                    sizes,
                )
                prefetch(bits, bit >> U64(3))
                children[c + MIRROR], children[c + MIRROR_BIT] = view, bit
                new |= pattern << MIRROR_PATTERN
            children[c + CHILD_REST] = new | (U64(automaton[state | d]) << ALLOWED)
            c += CHILD
            count += ONE
        waiting[k] = count


@compiled
def iterate(
    shape: Any,
    entries: Any,
    moves: Any,
    stacks: Any,
    capacity: Any,
    levels: Any,
    weights: Any,
    budget: Any,
    root: Words,
    single: Any,
    at: Ints,
) -> Any:
    """Raise the threshold until the goal is found or the budget is used up; see `deepen`.

    `single` stops after one threshold. Values cut off at the root count as cut off.
    """
    stop = at[GENERATED] + budget
    roots = root.reshape(1, -1)[:0]
    while True:
        if at[FRESH]:
            plant(stacks, root, len(shape.packed) > 0)
            at[LEAST], at[TURN], at[FRESH] = NEVER, stacks.top.size - 1, 0
        status = deepen(
            shape,
            entries,
            moves,
            stacks,
            capacity,
            levels,
            weights,
            stop - at[GENERATED],
            -1,
            roots,
            at,
        )
        if status != EXHAUSTED or single or at[LEAST] >= at[LAST_THRESHOLD]:
            return status
        at[THRESHOLD] = at[LEAST]
        at[FRESH] = 1
