"""The kernels of a sweep: what happens to a chunk of words while it is in cache.

How a state becomes a bit
-------------------------
1.  **Cohort.**  The tracked tiles occupy a set M of cells and the blank is somewhere in one
    connected region of the others.  Read the tiles of M in cell order: a permutation p of k tiles.
2.  **Row.**  The permutations of one cohort are a row of words: two halves, first the even ones,
    then the odd; or one half, where only one parity can be reached.
3.  **Digits.**  c_i = #{j > i : p_j < p_i}, in radix k - i (Lehmer 1960).  The digits of all but
    the last five entries, most significant first, number the word within its half.
4.  **Bit.**  The last five entries (the *tail*) have digits e, f, g, h, 0 in radix 5, 4, 3, 2, 1.
    The parity of p is that of the sum of its digits, so h is known: bit 12 e + 3 f + g of 60.
    With k < 5 tiles the missing digits in front are zero.
5.  **Chunk.**  Words that share their leading digits; what a thread holds in its cache at a time.

How a move becomes an operation
-------------------------------
A tile that slides takes another place in p: its neighbours in p are passed one at a time, and each
passing is an **adjacent swap**, which changes two digits by one rule,

    (d, e)  ->  (e, d - 1) if e < d,  else (e + 1, d),

whatever the other digits are.  Swaps among the leading digits move whole runs of words; the swap of
the last leading digit d with e exchanges groups of 12 bits between the six words that differ in d;
a swap in the tail exchanges bits at 4, 3 or 2 distances; and the last one leaves the bits alone.
So no step looks at a single state, and each is a few masks and shifts that vectorise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.sweep.compiled import claim, compiled, popcount, prefetch

U64 = np.uint64
Words = npt.NDArray[np.uint64]

#: Entries of the permutation that live inside a word, and the states of a word.
TAIL = 5
STATES = 60

# Columns of the plan of a rotation: see `rotations.py`, which writes them.
KIND, RUN, SIZE, TABLE, START, END, PHASE, FLIP = range(8)
COLUMNS = 8
# Kinds of rotation: the tile stays among the same tiles; moves inside the word index; inside the
# tail; from the word index into the tail; out of the tail into the word index.
COPY, BLOCK, WORD, INWARD, OUTWARD = range(5)


def _bits(chosen: Any) -> np.uint64:
    """The word whose bits are the tails (e, f, g) that satisfy `chosen`."""
    tails = [(e, f, g) for e in range(5) for f in range(4) for g in range(3)]
    return U64(sum(1 << (12 * e + 3 * f + g) for e, f, g in tails if chosen(e, f, g)))


# A swap of digits (d, e) pairs every (d, e >= d) with (e + 1, d), which is above it in the word.
# Pairs with the same e - d are equally far apart; these are the lower bits of the pairs.
SWAP0_BY_12 = _bits(lambda e, f, g: f - e == 0)
SWAP0_BY_21 = _bits(lambda e, f, g: f - e == 1)
SWAP0_BY_30 = _bits(lambda e, f, g: f - e == 2)
SWAP0_BY_39 = _bits(lambda e, f, g: f - e == 3)
SWAP1_BY_3 = _bits(lambda e, f, g: g - f == 0)
SWAP1_BY_5 = _bits(lambda e, f, g: g - f == 1)
SWAP1_BY_7 = _bits(lambda e, f, g: g - f == 2)
# The third swap turns g by one: upwards where g and the hidden h agree in parity, else downwards.
EVEN = _bits(lambda e, f, g: (e + f) % 2 == 0)
G0 = _bits(lambda e, f, g: g == 0)
G2 = _bits(lambda e, f, g: g == 2)
G01 = _bits(lambda e, f, g: g < 2)
G12 = _bits(lambda e, f, g: g > 0)
GROUP = U64(0xFFF)
# How many edges ahead, and how many words of a chunk, are asked for in advance.
AHEAD = 3
EXPECTED = 96
NONE = U64(0)
ALL = ~U64(0)


@compiled
def _pairs(word: Any, low: Any, distance: Any) -> Any:
    """Exchange the bits `low` of `word` with those `distance` above; drop the rest."""
    return ((word & low) << distance) | ((word >> distance) & low)


# Every step writes its result over `into` if `keep` is NONE, and adds it if `keep` is ALL: the last
# step of a rotation adds, so that no pass over the words is spent on copying.


@compiled
def _swap0(into: Words, words: Words, keep: Any) -> None:
    """Swap the first two entries of every tail."""
    for i in range(into.size):
        word = words[i]
        into[i] = (
            (into[i] & keep)
            | _pairs(word, SWAP0_BY_12, U64(12))
            | _pairs(word, SWAP0_BY_21, U64(21))
            | _pairs(word, SWAP0_BY_30, U64(30))
            | _pairs(word, SWAP0_BY_39, U64(39))
        )


@compiled
def _swap1(into: Words, words: Words, keep: Any) -> None:
    """Swap the second and third entries of every tail."""
    for i in range(into.size):
        word = words[i]
        into[i] = (
            (into[i] & keep)
            | _pairs(word, SWAP1_BY_3, U64(3))
            | _pairs(word, SWAP1_BY_5, U64(5))
            | _pairs(word, SWAP1_BY_7, U64(7))
        )


@compiled
def _swap2(into: Words, words: Words, keep: Any, odd: Words, flip: Any) -> None:
    """Swap the third and fourth entries of every tail.

    `odd` says by words (all ones or zero) whether the leading digits of a word have an odd sum;
    `flip` (the same) whether p is odd.  Together: the parity of the tail's own permutation.
    """
    even = EVEN ^ flip
    for i in range(into.size):
        up = words[i] & (even ^ odd[i])
        down = words[i] ^ up
        into[i] = (
            (into[i] & keep)
            | ((up & G01) << U64(1))
            | ((up & G2) >> U64(2))
            | ((down & G12) >> U64(1))
            | ((down & G0) << U64(2))
        )


@compiled
def _trade(low: Any, high: Any, i: Any, j: Any) -> Any:
    """Exchange group j - 1 of word i (`low`) with group i of word j (`high`), i < j."""
    distance = U64(12) * U64(j - 1 - i)
    change = ((low >> distance) ^ high) & (GROUP << (U64(12) * U64(i)))
    return low ^ (change << distance), high ^ change


@compiled
def _swap_across(into: Words, words: Words, keep: Any) -> None:
    """Swap the last entry before the tail with the first of the tail.

    A table of 6 x 6 groups without its diagonal, d by e, is transposed: 15 exchanges.
    """
    for base in range(0, words.size, 6):
        six = words[base : base + 6]
        a, b, c, d, e, f = six[0], six[1], six[2], six[3], six[4], six[5]
        a, b = _trade(a, b, 0, 1)
        a, c = _trade(a, c, 0, 2)
        a, d = _trade(a, d, 0, 3)
        a, e = _trade(a, e, 0, 4)
        a, f = _trade(a, f, 0, 5)
        b, c = _trade(b, c, 1, 2)
        b, d = _trade(b, d, 1, 3)
        b, e = _trade(b, e, 1, 4)
        b, f = _trade(b, f, 1, 5)
        c, d = _trade(c, d, 2, 3)
        c, e = _trade(c, e, 2, 4)
        c, f = _trade(c, f, 2, 5)
        d, e = _trade(d, e, 3, 4)
        d, f = _trade(d, f, 3, 5)
        e, f = _trade(e, f, 4, 5)
        out = into[base : base + 6]
        out[0], out[1] = (out[0] & keep) | a, (out[1] & keep) | b
        out[2], out[3] = (out[2] & keep) | c, (out[3] & keep) | d
        out[4], out[5] = (out[4] & keep) | e, (out[5] & keep) | f


@compiled
def _permute(into: Words, words: Words, table: npt.NDArray[np.uint32], keep: Any) -> None:
    """Bring words[t(i)] to into[i], with t permuting every `table.size` words alike."""
    for base in range(0, into.size, table.size):
        part, source = into[base : base + table.size], words[base : base + table.size]
        for i in range(part.size):
            part[i] = (part[i] & keep) | source[table[i]]


@compiled
def _clear(words: Words) -> None:
    for i in range(words.size):
        words[i] = NONE


@compiled
def _add(into: Words, words: Words) -> None:
    for i in range(into.size):
        into[i] |= words[i]


@compiled
def _add_blocks(
    into: Words,
    row: Words,
    population: npt.NDArray[np.uint32],
    chunk: Any,
    first: Any,
    run: Any,
    table: npt.NDArray[np.uint32],
) -> Any:
    """Add what a rotation of leading digits brings from row[first :]; False if it is empty.

    Every `table.size` runs of `run` words are permuted alike.  A run longer than a chunk (of
    `chunk` words) brings one other chunk; a permutation longer than a chunk draws on a group.
    """
    size = into.size
    if run >= size:
        block = first // run
        place = block % table.size
        start = (block - place + np.int64(table[place])) * run + first % run
        if population[start // chunk] == 0:
            return False
        _add(into, row[start : start + size])
        return True
    period = table.size * run
    start = first - first % max(period, size)
    if not np.any(population[start // chunk : max(start // chunk + 1, (start + period) // chunk)]):
        return False
    if run == 1 and period <= size:
        _permute(into, row[first : first + size], table, ALL)
        return True
    for base in range(0, size, min(period, size)):
        source = row[start + base : start + base + period]
        target = into[base : base + period]
        places = table[(first - start) // run :]
        if run == 1:
            for i in range(target.size):
                target[i] |= source[places[i]]
        else:
            for i in range(target.size // run):
                begin = np.int64(places[i]) * run
                _add(target[i * run : (i + 1) * run], source[begin : begin + run])
    return True


@compiled
def _add_rotated(
    into: Words,
    one: Words,
    other: Words,
    words: Words,
    plan: npt.NDArray[np.int64],
    table: npt.NDArray[np.uint32],
    odd: Words,
    flip: Any,
) -> None:
    """OR rotated words into `into`, step by step, for the kinds that reach into the tail.

    `one` and `other` take turns as the place of what is between two steps.
    """
    kind, place, end = plan[KIND], plan[START], plan[END]
    if kind == INWARD:
        if table.size:
            _permute(one, words, table, NONE)
            words, one, other = one, other, one
        if end == 0:
            _swap_across(into, words, ALL)
            return
        _swap_across(one, words, NONE)
        words, one, other = one, other, one
    while place != end:
        step = 1 if place < end else -1
        last = kind != OUTWARD and place + step == end
        target, keep = (into, ALL) if last else (one, NONE)
        swap = min(place, place + step)
        if swap == 0:
            _swap0(target, words, keep)
        elif swap == 1:
            _swap1(target, words, keep)
        else:
            _swap2(target, words, keep, odd, flip)
        words, one, other = one, other, one
        place += step
    if kind == OUTWARD and table.size:
        _swap_across(one, words, NONE)
        _permute(into, one, table, ALL)
    elif kind == OUTWARD:
        _swap_across(into, words, ALL)


@compiled
def _gather(
    scratch: Words,
    row: Words,
    population: npt.NDArray[np.uint32],
    chunk: Any,
    plan: npt.NDArray[np.int64],
    tables: npt.NDArray[np.uint32],
    odd: Words,
    flip: Any,
) -> Any:
    """scratch[0] |= what a rotation brings from `row`; False if it is empty.

    A rotation of an odd number of swaps exchanges the halves of a row.  They are in different
    chunks, or the chunk is the whole row.
    """
    chunks = population.size
    table = tables[plan[TABLE] : plan[TABLE] + plan[SIZE]]
    length = scratch.shape[1]
    parts = 2 if plan[FLIP] and chunks == 1 else 1
    size = length // parts
    some = False
    for part in range(parts):
        target = scratch[0][part * size : (part + 1) * size]
        start = chunk * length + (parts - 1 - part) * size
        if plan[KIND] == BLOCK:
            some |= _add_blocks(target, row, population, length, start, plan[RUN], table)
            continue
        some = True
        words = row[start : start + size]
        if plan[KIND] == COPY:
            _add(target, words)
        else:
            parity = odd[start - chunk * length : start - chunk * length + size]
            one, other = scratch[1][:size], scratch[2][:size]
            _add_rotated(target, one, other, words, plan, table, parity, flip)
    return some


@compiled
def _take_out(words: Words, other: Words) -> None:
    for i in range(words.size):
        words[i] &= ~other[i]


@compiled
def _expect(words: Words, row: Any, chunk: Any, length: Any) -> None:
    """Ask for the first lines of a chunk; the processor guesses the others by itself."""
    start = row * words.shape[1] + chunk * length
    for i in range(0, min(length, EXPECTED), 8):
        prefetch(words, start + i)


@compiled
def _settle(found: Words, old: Words) -> Any:
    """Overwrite `old` by what was found and is not in it; the number of states left."""
    total = NONE
    for i in range(found.size):
        word = found[i] & ~old[i]
        old[i] = word
        total += popcount(word)
    return total


@compiled
def advance(
    words: Words,
    population: npt.NDArray[np.uint32],
    targets: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    sources: npt.NDArray[np.int32],
    rotations: npt.NDArray[np.int32],
    beside: Any,
    keep: Any,
    plans: npt.NDArray[np.int64],
    tables: npt.NDArray[np.uint32],
    parity: npt.NDArray[np.uint8],
    odd: Words,
    chunk_odd: npt.NDArray[np.uint8],
    planes: npt.NDArray[np.uint64],
    plane: Any,
    step: Any,
    counter: npt.NDArray[np.int64],
    stop: npt.NDArray[np.uint8],
    scratch: Words,
) -> Any:
    """Do a share of one pass: rewrite the rows `targets`, chunk by chunk; the states written.

    Several threads call it with the same arrays and each its own `scratch`; they take units of
    work (one chunk of `step` targets) from `counter` until none is left or `stop[0]` is set.

    Parameters
    ----------
    words : (rows, words) uint64
        The bit sets; read at `sources`, rewritten at `targets`.
    population : (rows, chunks) uint32
        The states in every chunk; an empty one is neither read nor rewritten.
    targets, starts, sources, rotations
        Row targets[t] is the union of rows sources[e] rotated by rotations[e],
        starts[t] <= e < starts[t + 1] ...
    beside : int
        ... without what it held before and, unless 0, without row targets[t] + beside.
    keep : bool
        True: what the row held before is not taken out (an auxiliary row).
    plans, tables
        The rotations: see `rotations.py`.
    parity : (rows,) uint8
        The parity of the permutations in each row; 0 where a row has both halves.
    odd : (length,) uint64, chunk_odd : (chunks,) uint8
        Parity of the sum of the leading digits and the half, within a chunk and of the chunk.
    planes : (planes, table rows, words) uint64
        The table; new states are added to planes[plane] unless plane < 0.
    scratch : (3, length) uint64
    """
    found = scratch[0]
    length = found.size
    chunks = population.shape[1]
    parts = (targets.size + step - 1) // step
    total = np.int64(0)
    dirty = True
    while stop[0] == 0:
        unit = claim(counter)
        if unit >= parts * chunks:
            break
        chunk, part = unit // parts, unit % parts
        for t in range(part * step, min(targets.size, (part + 1) * step)):
            if dirty:
                _clear(found)
            dirty = False
            for edge in range(starts[t], starts[t + 1]):
                if edge + AHEAD < sources.size:
                    _expect(words, sources[edge + AHEAD], chunk, length)
                source, plan = sources[edge], plans[rotations[edge]]
                home = (chunk + plan[FLIP] * (chunks // 2)) % chunks
                if plan[KIND] != BLOCK and population[source, home] == 0:
                    continue
                flip = ALL if parity[source] ^ chunk_odd[home] ^ plan[PHASE] else NONE
                dirty |= _gather(
                    scratch, words[source], population[source], home, plan, tables, odd, flip
                )
            row = targets[t]
            old = words[row, chunk * length : (chunk + 1) * length]
            if not dirty:
                if population[row, chunk]:
                    _clear(old)
                    population[row, chunk] = 0
                continue
            if keep:
                _clear(old)
            if beside != 0 and population[row + beside, chunk]:
                _take_out(found, words[row + beside, chunk * length : (chunk + 1) * length])
            count = np.int64(_settle(found, old))
            population[row, chunk] = count
            total += count
            if plane >= 0 and count:
                _add(
                    planes[plane, row % planes.shape[1], chunk * length : (chunk + 1) * length], old
                )
    return total
