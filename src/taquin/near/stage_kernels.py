"""The compiled parts of the beam by stages: see `taquin.near.stages` for the idea.

A level of the beam is four passes:

1.  `settle` leads the states that have finished their stage into the next one;
2.  `expand` makes the children of all states, and their scores from their parents';
3.  `choose` counts the scores and finds the one at which the beam is full;
4.  `survive` writes the states that are kept.

`advance` makes level after level, so that short levels cost no call each.

Scores
------
In units of 1 / `SCALE` moves: a share of Manhattan distance, and a weight for each pair of cells
side by side (`taquin.near.pairs`). A move changes two cells. What lies around each of them is
packed in a *ring*: a word with a byte for the kind that lies above, left, right and below.

Hashes and duplicates
---------------------
A hash is the sum, modulo 2^64, of the products of a random word for the tile and one for its cell:
a move changes one of them. A table with one place a hash remembers the last one that came there
with the low bits of its level, and is never cleared within a search. A state met before is dropped,
unless it was met on an earlier level and brings its stage nearer to its end. Two states that share
a hash cost one of them; neither makes a solution wrong.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.jit import kernel
from taquin.sweep.compiled import compiled, prefetch

#: For small helpers: Numba counts references to arrays at each call that it does not dissolve.
dissolved = partial(kernel, error_model="numpy", inline="always")

U64 = np.uint64
Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

#: Units of a score in one move.
SCALE = 64
#: Scores are counted in steps of 1 << COARSE units; those beyond the last step are one.
COARSE, STEPS = 2, 1 << 12
#: States whose children are made at a time: what they need is fetched meanwhile.
CHUNK = U64(128)
#: Directions of the blank: up, left, right, down; the opposite of d is 3 - d.
DIRECTIONS = U64(4)
#: Low bits of a hash that hold the level it was met on.
LEVEL_BITS = U64(0xFFFF)
#: Mixes what should look random.
MIX = U64(0x9E3779B97F4A7C15)
#: Moves that all states may spend beyond their budgets if none has a child, at first and at most.
RELIEF, MOST_RELIEF = 4, 64
#: A budget that nobody spends.
PLENTY = 1 << 24

# Parts of an entry of `Plan.spots`: the window's cell; from these bits on the way to it, plus
# MIDDLE. Entries of cells in the window have `INSIDE` above `DOWN`.
SPOT, DOWN, RIGHT, MIDDLE = U64(0xFFFF), U64(16), U64(24), 128
INSIDE = U64(MIDDLE * 0x101)
ZERO, ONE, BYTE = U64(0), U64(1), U64(255)

# Fields of `at`, what a search remembers between two calls: states in the beam; the level; words
# logged; the parent and direction of the goal; children made; 1 once the goal is found.
COUNT, LEVEL, LOGGED, PARENT, DIRECTION, MADE, FOUND, FIELDS = range(8)


@compiled
def fetch(tile: Any, spot: Any, blank: Any, columns: Any) -> int:
    """How many moves bring a tile into the window, on an open board, by an entry of `Plan.spots`.

    The blank walks to the cell in front of the tile, around it if need be, and exchanges with it;
    to the front again it takes four moves straight on, and two around a corner. So turns are worth
    while, and the best is one after each step as long as both ways remain.
    """
    down, right = np.int64((spot >> DOWN) & BYTE) - MIDDLE, np.int64(spot >> RIGHT) - MIDDLE
    row, column = np.int64(tile // columns), np.int64(tile % columns)
    from_row, from_column = np.int64(blank // columns) - row, np.int64(blank % columns) - column
    steps, shorter = abs(down) + abs(right), min(abs(down), abs(right))
    least = np.int64(1 << 20)
    if down != 0:
        turns = 2 * shorter - (1 if abs(down) <= abs(right) else 0)
        step = 1 if down > 0 else -1
        around = 2 if from_column == 0 and from_row * step < 0 else 0
        walk = abs(from_row - step) + abs(from_column) + around
        least = walk + 1 + 5 * (steps - 1) - 2 * turns
    if right != 0:
        turns = 2 * shorter - (1 if abs(right) <= abs(down) else 0)
        step = 1 if right > 0 else -1
        around = 2 if from_row == 0 and from_column * step < 0 else 0
        walk = abs(from_row) + abs(from_column - step) + around
        least = min(least, walk + 1 + 5 * (steps - 1) - 2 * turns)
    return least  # type: ignore[return-value]


@dissolved
def distance(
    tables: Any,
    spots: Any,
    scopes: Any,
    columns: Any,
    stage: Any,
    first: Any,
    second: Any,
    blank: Any,
) -> Any:
    """How far a stage is from its end, by the cells of its tiles (n: there is no such tile).

    Exact while all are in the window (as long as nothing need leave it), a guess outside.
    """
    none = U64(spots.shape[1])
    result = np.int64(0)
    if first != none:
        spot, size = U64(spots[stage, first]), scopes[stage, ONE]
        at, start, inside = spot & SPOT, blank, True
        if (spot >> DOWN) != INSIDE:
            result += fetch(first, spot, blank, columns)
            down, right = ((spot >> DOWN) & BYTE) - U64(MIDDLE), (spot >> RIGHT) - U64(MIDDLE)
            start, inside = first + down * columns + right, False  # where it enters the window
        if second != none:
            spot = U64(spots[stage, second])
            at = at * size + (spot & SPOT)
            if (spot >> DOWN) != INSIDE:
                result += fetch(second, spot, start, columns)
                inside = False
        if inside:
            spot = U64(spots[stage, blank])
            result = np.int64(tables[scopes[stage, ZERO] + at * size + (spot & SPOT)])
            result += abs(np.int64((spot >> DOWN) & BYTE) - MIDDLE)
            result += abs(np.int64(spot >> RIGHT) - MIDDLE)
        else:
            result += np.int64(scopes[stage, U64(2)])
    return result


@dissolved
def _ring(boards: Any, state: Any, near: Any, stage: Any, cell: Any, kinds: Any) -> Any:
    """The kinds above, left, right and below a cell, a byte each."""
    up, left = U64(near[stage, cell, ZERO]), U64(near[stage, cell, ONE])
    right, down = U64(near[stage, cell, U64(2)]), U64(near[stage, cell, U64(3)])
    return (
        U64(kinds[boards[state, up], up])
        | (U64(kinds[boards[state, left], left]) << U64(8))
        | (U64(kinds[boards[state, right], right]) << U64(16))
        | (U64(kinds[boards[state, down], down]) << U64(24))
    )


@dissolved
def _bonds(weights: Any, kind: Any, ring: Any) -> Any:
    """The weights of the four pairs of a kind and what lies around it."""
    return (
        np.int32(weights[ONE, ring & BYTE, kind])
        + np.int32(weights[ZERO, (ring >> U64(8)) & BYTE, kind])
        + np.int32(weights[ZERO, kind, (ring >> U64(16)) & BYTE])
        + np.int32(weights[ONE, kind, ring >> U64(24)])
    )


@dissolved
def _with(ring: Any, direction: Any, kind: Any) -> Any:
    """A ring with another kind in one direction."""
    place = direction << U64(3)
    return (ring & ~(BYTE << place)) | (kind << place)


@compiled
def score(
    ground: Any, plan: Any, board: Any, stage: Any, alpha: Any, columns: Any
) -> tuple[int, int]:
    """The score of a board in a stage, and its Manhattan distance, from nothing.

    Parameters
    ----------
    board : (1, n + 1)
    alpha : int
        Units of a score for a move of Manhattan distance.
    """
    kinds, weights, near = ground.kinds, ground.weights, plan.near
    none = U64(kinds.shape[0])
    total, manhattan = np.int64(0), np.int64(0)
    nothing = U64(weights.shape[1] - 1)
    for cell in range(none):
        label, kind = U64(board[ZERO, cell]), U64(kinds[board[ZERO, cell], cell])
        ring = _ring(board, ZERO, near, stage, cell, kinds)
        if ring == nothing * U64(0x01010101):
            continue
        total += _bonds(weights, kind, _with(_with(ring, ZERO, nothing), ONE, nothing))
        if kind != 0:
            manhattan += abs(np.int64(label // columns) - np.int64(cell // columns))
            manhattan += abs(np.int64(label % columns) - np.int64(cell % columns))
    return total + alpha * manhattan, manhattan  # type: ignore[return-value]


@compiled
def _place_of(boards: Any, state: Any, label: Any) -> Any:
    """The cell of a label, or n for n."""
    none = U64(boards.shape[1] - 1)
    cell = ZERO
    while cell < none and boards[state, cell] != label:
        cell += ONE
    return cell


@compiled
def _closed(ground: Any, plan: Any, boards: Any, state: Any, stage: Any) -> Any:
    """The weights of the pairs that are walled off with the tiles of a stage."""
    kinds, weights, near, tiles = ground.kinds, ground.weights, plan.near, plan.tiles
    none, nothing = U64(kinds.shape[0]), U64(weights.shape[1] - 1)
    first, second = U64(tiles[stage, ZERO]), U64(tiles[stage, ONE])
    total = _bonds(
        weights, U64(kinds[first, first]), _ring(boards, state, near, stage, first, kinds)
    )
    if second != none:
        ring = _ring(boards, state, near, stage, second, kinds)
        for direction in range(DIRECTIONS):
            if near[stage, second, direction] == first:  # counted already
                ring = _with(ring, direction, nothing)
        total += _bonds(weights, U64(kinds[second, second]), ring)
    return total


@compiled
def settle(ground: Any, plan: Any, rules: Any, beam: Any, count: Any) -> None:
    """Lead the states that have finished their stage into the nearest that may follow."""
    _, tiles, spots, scopes, tables, _, follow = plan
    columns = U64(rules.columns)
    slack = np.int64(rules.slack)
    boards, blanks, before, stages, places, distances, budgets, scores, _, _ = beam
    none = U64(boards.shape[1] - 1)
    for state in range(count):
        stage = U64(stages[state])
        while distances[state] == 0 and tiles[stage, ZERO] != none:
            scores[state] -= _closed(ground, plan, boards, state, stage)
            least, best = np.int64(1 << 30), ZERO
            for i in range(U64(follow.shape[1])):
                if follow[stage, i] < 0:
                    break
                after = U64(follow[stage, i])
                first = _place_of(boards, state, U64(tiles[after, ZERO]))
                second = _place_of(boards, state, U64(tiles[after, ONE]))
                far = distance(
                    tables, spots, scopes, columns, after, first, second, U64(blanks[state])
                )
                if far < least:
                    least, best = np.int64(far), after
                    places[state, ZERO], places[state, ONE] = first, second
            stage = best
            stages[state], distances[state], before[state] = best, least, none
            budgets[state] = min(np.int64(budgets[state]), slack) // 2 + slack
            if tiles[best, ZERO] == none:
                budgets[state] = PLENTY


@compiled
def _propose(
    plan: Any, beam: Any, ground: Any, children: Any, met: Words, states: Any, kept: Any
) -> Any:
    """Write the moves of a chunk of states, and ask for their places in `met`; how many are there.

    `states` is the first and the last but one.
    """
    near, words = plan.near, ground.words
    boards, blanks, before, stages, _, _, _, _, _, hashes = beam
    parents, moves, _, _, _, marks = children
    none, mask = U64(boards.shape[1] - 1), U64(met.size - 1)
    first, last = states
    for state in range(first, last):
        stage, blank, back = U64(stages[state]), U64(blanks[state]), U64(before[state])
        for direction in range(DIRECTIONS):
            cell = U64(near[stage, blank, direction])
            if cell != none and cell != back:
                tile = U64(boards[state, cell])
                mark = hashes[state] + words[ZERO, tile] * (words[ONE, blank] - words[ONE, cell])
                prefetch(met, _slot(mark, stage) & mask)
                parents[kept], moves[kept], marks[kept] = state, direction, mark
                kept += ONE
    return kept


@dissolved
def _slot(mark: Any, stage: Any) -> Any:
    """Where a state is noted, before it is cut to the size of the table."""
    return ((mark + stage * MIX) * MIX) >> U64(20)


@compiled
def _judge(
    ground: Any, plan: Any, rules: Any, beam: Any, children: Any, met: Words, at: Ints, span: Any
) -> Any:
    """Score the children in a span, and move up those that are new and within budget; their end."""
    # Fields are taken out once: each time costs a reference count.
    kinds, weights, gains, _ = ground
    near, tiles, spots, scopes, tables, left, _ = plan
    boards, blanks, _, stages, places, distances, budgets, scores, manhattans, _ = beam
    parents, moves, far_of, new_scores, keys, marks = children
    columns, nothing, blank_kind = U64(rules.columns), U64(weights.shape[1] - 1), ZERO
    level, mask = U64(at[LEVEL]) & LEVEL_BITS, U64(met.size - 1)
    most = np.int64(rules.longest) - at[LEVEL] - 1
    share, toll, noise, seed = rules.share, rules.toll, U64(rules.noise), rules.seed
    kept, last = span
    parent, ring, base = ~ZERO, ZERO, np.int32(0)
    for i in range(kept, last):
        state, direction, mark = U64(parents[i]), U64(moves[i]), marks[i]
        stage, blank = U64(stages[state]), U64(blanks[state])
        cell = U64(near[stage, blank, direction])
        tile = U64(boards[state, cell])
        old, new = U64(kinds[tile, cell]), U64(kinds[tile, blank])
        gain = np.int64(gains[old, direction])
        nearer = manhattans[state] + (1 if gain > 0 else -1)
        here, there = U64(places[state, ZERO]), U64(places[state, ONE])
        if tile == tiles[stage, ZERO]:
            here = blank
        elif tile == tiles[stage, ONE]:
            there = blank
        to_go = distance(tables, spots, scopes, columns, stage, here, there, cell)
        if nearer > most or budgets[state] - 1 + distances[state] - to_go < 0:
            continue
        slot, tag = _slot(mark, stage) & mask, (mark + stage * MIX) & ~LEVEL_BITS
        known = met[slot]
        if (known & ~LEVEL_BITS) == tag and (
            known & LEVEL_BITS == level or to_go >= distances[state]
        ):
            continue
        met[slot] = tag | level
        if state != parent:
            parent, ring = state, _ring(boards, state, near, stage, blank, kinds)
            base = scores[state] - _bonds(weights, blank_kind, ring)
        other = _ring(boards, state, near, stage, cell, kinds)
        other = _with(other, U64(3) - direction, nothing)
        total = (
            np.int64(base + gain)
            - _bonds(weights, old, other)
            + _bonds(weights, new, _with(ring, direction, blank_kind))
            + _bonds(weights, blank_kind, other)
        )
        parents[kept], moves[kept], marks[kept], far_of[kept] = state, direction, mark, to_go
        luck = np.int64((((mark ^ seed) * MIX) >> U64(40)) * noise >> U64(24))
        new_scores[kept] = total
        keys[kept] = total + share * to_go + toll * left[stage] + luck
        kept += ONE
        if nearer == 0:
            at[FOUND], at[PARENT], at[DIRECTION] = 1, state, direction
            break
    return kept


@compiled
def expand(
    ground: Any, plan: Any, rules: Any, beam: Any, children: Any, met: Words, at: Ints
) -> int:
    """Make the children of a level; how many are kept. Notes the goal in `at` if it is met."""
    kept, state, count = ZERO, ZERO, U64(at[COUNT])
    while state < count and not at[FOUND]:
        states = (state, min(count, state + CHUNK))
        last = _propose(plan, beam, ground, children, met, states, kept)
        at[MADE] += np.int64(last - kept)
        kept = _judge(ground, plan, rules, beam, children, met, at, (kept, last))
        state += CHUNK
    return np.int64(kept)  # type: ignore[return-value]


@compiled
def choose(keys: Any, count: Any, width: Any, counts: Any) -> tuple[int, int, int]:
    """The least key, the step of keys at which the beam is full, and how many of it fit.

    `counts` is scratch, (STEPS,).
    """
    if count <= width:
        return 0, STEPS, 0
    least: Any = np.int64(keys[0])
    for i in range(U64(count)):
        least = min(least, np.int64(keys[i]))
    counts[:] = 0
    for i in range(U64(count)):
        counts[U64(min((np.int64(keys[i]) - least) >> COARSE, STEPS - 1))] += 1
    room = width
    for step in range(STEPS):
        if counts[step] > room:
            return least, step, (room << 20) // counts[step]
        room -= counts[step]
    return least, STEPS, 0


@compiled
def survive(
    ground: Any,
    plan: Any,
    rules: Any,
    beam: Any,
    after: Any,
    children: Any,
    chosen: Any,
    log: npt.NDArray[np.uint32],
    at: Ints,
) -> int:
    """Write the children that are chosen as the states `after`; how many they are.

    `chosen` is how many there are and what `choose` returned; `log` keeps a word a state: four
    times its parent and the direction.
    """
    near, tiles, kinds, gains = plan.near, plan.tiles, ground.kinds, ground.gains
    boards, blanks, _, stages, places, distances, budgets, _, manhattans, _ = beam
    parents, moves, far_of, scores, keys, marks = children
    count, least, limit, share = chosen
    none = U64(boards.shape[1] - 1)
    written = U64(at[LOGGED])
    kept, width = ZERO, U64(after.blanks.size)
    (
        new_boards,
        new_blanks,
        new_before,
        new_stages,
        new_places,
        new_distances,
        new_budgets,
        new_scores,
        new_manhattans,
        new_hashes,
    ) = after
    for i in range(U64(count)):
        parent, direction, mark = U64(parents[i]), U64(moves[i]), marks[i]
        stage, blank = U64(stages[parent]), U64(blanks[parent])
        step = min((np.int64(keys[i]) - least) >> COARSE, np.int64(STEPS - 1))
        lot = np.int64(((mark ^ rules.seed) * MIX) >> U64(44))
        if step > limit or (step == limit and lot >= share) or kept == width:
            continue
        cell = U64(near[stage, blank, direction])
        for j in range(none + ONE):
            new_boards[kept, j] = boards[parent, j]
        tile = boards[parent, cell]
        new_boards[kept, blank], new_boards[kept, cell] = tile, boards[parent, blank]
        new_places[kept, ZERO], new_places[kept, ONE] = places[parent, ZERO], places[parent, ONE]
        if tile == tiles[stage, ZERO]:
            new_places[kept, ZERO] = blank
        elif tile == tiles[stage, ONE]:
            new_places[kept, ONE] = blank
        far = far_of[i]
        most = max(np.int64(rules.slack) * 2, np.int64(budgets[parent]))
        new_blanks[kept], new_before[kept], new_stages[kept] = cell, blank, stage
        new_distances[kept] = far
        new_budgets[kept] = min(budgets[parent] - 1 + distances[parent] - far, most)
        new_scores[kept], new_hashes[kept] = scores[i], mark
        gain = gains[U64(kinds[tile, cell]), direction]
        new_manhattans[kept] = manhattans[parent] + (1 if gain > 0 else -1)
        log[written + kept] = (parent << U64(2)) | direction
        kept += ONE
    return np.int64(kept)  # type: ignore[return-value]


@compiled
def advance(
    ground: Any,
    plan: Any,
    rules: Any,
    beam: Any,
    after: Any,
    children: Any,
    met: Words,
    counts: Ints,
    log: npt.NDArray[np.uint32],
    starts: Ints,
    at: Ints,
    flag: npt.NDArray[np.uint8],
) -> int:
    """Make levels until the goal is met, the beam is empty, `starts` or `log` is full, or a stop.

    Returns how many were made: if that is odd, the present states are in `after`. `starts` notes
    where each level begins in `log`.
    """
    width = np.int64(beam.blanks.size)
    for i in range(len(starts)):
        if at[LOGGED] + width > len(log) or flag[0]:
            return i
        settle(ground, plan, rules, beam, U64(at[COUNT]))
        count = expand(ground, plan, rules, beam, children, met, at)
        relief = RELIEF
        while count == 0 and relief <= MOST_RELIEF:  # a guess has been too low
            beam.budgets[:] += relief
            count = expand(ground, plan, rules, beam, children, met, at)
            relief *= 2
        if at[FOUND]:
            return i
        least, limit, share = choose(children.keys, count, width, counts)
        chosen = (count, least, limit, share)
        starts[i] = at[LOGGED]
        at[COUNT] = survive(ground, plan, rules, beam, after, children, chosen, log, at)
        at[LOGGED] += at[COUNT]
        at[LEVEL] += 1
        beam, after = after, beam
        if at[COUNT] == 0:
            return i + 1
    return len(starts)


@compiled
def walk(board: Ints, blank: int, path: npt.NDArray[np.int32]) -> int:
    """Let the blank go along a path; where it is then."""
    for i in range(U64(path.size)):
        cell = U64(path[i])
        board[U64(blank)], board[cell] = board[cell], board[U64(blank)]
        blank = np.int64(cell)  # type: ignore[assignment]
    return blank
