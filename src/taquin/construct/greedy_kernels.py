"""The compiled parts of `taquin.construct.greedy`: tiles are fetched along cheapest ways.

Cells and the goals of tiles are written as ``row << 16 | column`` (`pack`), so that no kernel
divides; rows and columns count from 1, and a ring of walls lies around the board, so that none
asks for the border. A cell whose tile is home for good is a wall, too.

**Prices.** A step of the blank that brings a tile nearer to its goal costs `GOOD`, one that takes
a tile away `BAD`: in moves, about 1 plus or minus 22/23, for a step of Manhattan distance is nearly
worth a move. With two prices a cheapest way needs no heap: what is reached by a good step waits in
one queue, what is reached by a bad one in another, both are sorted by themselves, and the nearer
of their two heads comes next (`reach`, after Dijkstra 1959).

**Near and far.** `reach` looks at the cells of a box in the order of their prices, at about 20 ns
each; boards of middle size are built by it alone. On large ones `hop` leads the blank to a far
tile, over the cheapest monotone way through one small rectangle after another, and `haul` takes a
tile far by the shortest ways round it: 10 to 30 ns a move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from taquin.jit import kernel

U64 = np.uint64
Words = npt.NDArray[np.uint64]

#: Steps of the blank: up, down, left, right; the opposite of `d` is ``d ^ 1``.
UP, DOWN, LEFT, RIGHT, STAY = U64(0), U64(1), U64(2), U64(3), U64(4)
ZERO, ONE, TWO, FOUR, FIVE, SIXTEEN = U64(0), U64(1), U64(2), U64(4), U64(5), U64(16)
ROW, LOW, THIRTY_TWO, SIXTY_THREE = U64(1 << 16), U64(0xFFFF), U64(32), U64(63)
#: On the board: no tile to move here, ever.
WALL = U64(0xFFFFFFFF)
#: Prices of a step, in units of about 1 / 23 move.
GOOD, BAD = U64(1), U64(45)
#: What it is worth that a tile takes the longer of two axes, so that turns remain.
FAVOUR = U64(45)
BLOCKED = U64(1 << 20)
DEAR = U64(1 << 32)  # more than any way
#: How much wider than the box around its ends a search looks.
MARGIN = U64(3)
#: The longest side of the rectangle of a `hop`; beyond twice that distance the blank hops.
SPAN = U64(8)
HOP_FROM = TWO * SPAN

# The places in `Work.mark`.
USED = U64(0)  # how much of `moves` is written
BLANK = U64(1)  # the cell of the blank
BASE = U64(2)  # `seen` holds prices from here on for cells of the present search
CAREFUL = U64(3)  # beyond this distance the quick rules hold
STROLL = U64(4)  # what the blank's way to a tile counts when the next tile is chosen
# What `fill` returns.
DONE, MORE, STUCK = 0, 1, 2


class Work(NamedTuple):
    """What the kernels read and write.

    Attributes
    ----------
    width : uint64
        From a cell to the one below it, in `board`.
    board : (n + border,) uint32
        The goal of the tile on each cell, or `WALL`.
    at : (n + border,) uint32
        The cell of the tile of each goal.
    seen, via : (n + border,) uint64, uint8
        Scratch of `reach`: the price from a cell on, above ``mark[BASE]``, and the step to take.
    good, bad : (8 * n,) uint64
        Its queues: ``price << 32 | cell``.
    best, back, way : ((SPAN + 1)**2,) uint64, uint8, uint8
        Scratch of `hop`.
    mark : (5,) uint64, from `USED` to `STROLL`
    moves : uint8, the steps of the blank; room for a slice and one tile more
    """

    width: np.uint64
    board: npt.NDArray[np.uint32]
    at: npt.NDArray[np.uint32]
    seen: Words
    via: npt.NDArray[np.uint8]
    good: Words
    bad: Words
    best: Words
    back: npt.NDArray[np.uint8]
    way: npt.NDArray[np.uint8]
    mark: Words
    moves: npt.NDArray[np.uint8]


def _compiled(function: Any) -> Any:
    return kernel(function, error_model="numpy")


def _inlined(function: Any) -> Any:
    return kernel(function, error_model="numpy", forceinline=True)


@_inlined
def index(w: Work, cell: np.uint64) -> np.uint64:
    """Return where a cell is kept."""
    return U64((cell >> SIXTEEN) * w.width + (cell & LOW))


@_inlined
def beside(cell: np.uint64, direction: np.uint64) -> np.uint64:
    """Return the next cell in a direction; without a branch, for none could be foreseen."""
    flip = (direction & ONE) - ONE  # all ones for up and left, the steps backwards
    return U64(cell + ((ONE << axis_shift(direction) ^ flip) - flip))


@_inlined
def apart(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the Manhattan distance of two cells."""
    top, low = a >> SIXTEEN, b >> SIXTEEN
    left, right = a & LOW, b & LOW
    rows = top - low if top > low else low - top
    return U64(rows + (left - right if left > right else right - left))


@_inlined
def within(cell: np.uint64, low: np.uint64, high: np.uint64) -> bool:
    """Whether a cell lies in the box with the corners `low` and `high`."""
    column = cell & LOW
    return bool(low & ~LOW <= cell <= high | LOW and low & LOW <= column <= high & LOW)


@_inlined
def axis_shift(direction: np.uint64) -> np.uint64:
    """Return where a cell holds the coordinate that a step changes: 16 for the row, 0."""
    return U64(SIXTEEN - (direction >> ONE << FOUR))


@_inlined
def price(tile: np.uint64, cell: np.uint64, direction: np.uint64) -> np.uint64:
    """Return what it costs that the blank enters `cell`, where `tile` lies, in a direction."""
    shift, flip = axis_shift(direction), ZERO - (direction & ONE)
    gap = (tile >> shift & LOW) - (cell >> shift & LOW)
    gap = (gap ^ flip) - flip  # positive if the tile has to go the other way, as it will
    return U64(GOOD + (BAD - GOOD) * (gap - ONE >> SIXTY_THREE))


@_inlined
def toll(w: Work, cell: np.uint64, direction: np.uint64) -> np.uint64:
    """Return `price` for whatever lies on `cell`."""
    tile = U64(w.board[index(w, cell)])
    return U64(price(tile, cell, direction) + BLOCKED * U64(tile == WALL))


@_inlined
def step(w: Work, direction: np.uint64) -> None:
    """Move the blank."""
    blank = w.mark[BLANK]
    to = beside(blank, direction)
    here, there = index(w, blank), index(w, to)
    tile = w.board[there]
    w.board[there] = w.board[here]
    w.board[here] = tile
    w.at[index(w, U64(tile))] = blank
    w.mark[BLANK] = to
    w.moves[w.mark[USED]] = direction
    w.mark[USED] += ONE


@_compiled
def spread(w: Work, low: np.uint64, high: np.uint64, good: np.uint64, bad: np.uint64) -> bool:
    """Settle cells in the order of their price to the sources until the blank is; say if it is.

    The queues hold the sources, and `good` and `bad` say how many are in each. Only cells in the
    box with the corners `low` and `high` are looked at.
    """
    base, blank = w.mark[BASE], w.mark[BLANK]
    first_good, first_bad = ZERO, ZERO
    while first_good < good or first_bad < bad:
        if first_bad >= bad or (first_good < good and w.good[first_good] <= w.bad[first_bad]):
            head = w.good[first_good]
            first_good += ONE
        else:
            head = w.bad[first_bad]
            first_bad += ONE
        cell, paid = head & WALL, head >> THIRTY_TWO
        here = index(w, cell)
        if paid > w.seen[here] - base:
            continue
        if cell == blank:
            return True
        tile = U64(w.board[here])
        for side in range(4):
            direction = U64(side)
            before = beside(cell, direction ^ ONE)  # the blank would come from there
            there = index(w, before)
            if U64(w.board[there]) == WALL or not within(before, low, high):
                continue
            more = price(tile, cell, direction)
            total = base + paid + more
            if w.seen[there] >= base and w.seen[there] <= total:
                continue
            w.seen[there], w.via[there] = total, direction
            if more == GOOD:
                w.good[good] = (paid + more) << THIRTY_TWO | before
                good += ONE
            else:
                w.bad[bad] = (paid + more) << THIRTY_TWO | before
                bad += ONE
    return False


@_compiled
def reach(w: Work, one: np.uint64, other: np.uint64, extra: np.uint64) -> bool:
    """Move the blank along a cheapest way to the cell `one`, or to `other` if that is cheaper.

    Going to `other` costs `extra` besides: at most `BAD`.

    Searched from there to the blank, in the box around all three and a margin; if walls leave no
    way in it, in wider ones. Say whether there is a way at all.
    """
    blank, margin = w.mark[BLANK], MARGIN
    if blank in (one, other):
        return True
    last_row, last_column = U64(w.board.size) // w.width - TWO, w.width - TWO
    top = min(blank, one, other) >> SIXTEEN
    bottom = max(blank, one, other) >> SIXTEEN
    left = min(blank & LOW, one & LOW, other & LOW)
    right = max(blank & LOW, one & LOW, other & LOW)
    found = False
    while not found:
        low = (max(top, margin + ONE) - margin) << SIXTEEN | (max(left, margin + ONE) - margin)
        high = min(bottom + margin, last_row) << SIXTEEN | min(right + margin, last_column)
        w.mark[BASE] += DEAR
        here, there = index(w, one), index(w, other)
        w.seen[there], w.via[there] = w.mark[BASE] + extra, STAY
        w.seen[here], w.via[here] = w.mark[BASE], STAY
        w.good[0], w.bad[0] = one, extra << THIRTY_TWO | other
        found = spread(w, low, high, ONE, ONE)
        if not found and margin > last_row + last_column:
            return False
        margin *= FOUR
    direction = U64(w.via[index(w, w.mark[BLANK])])
    while direction != STAY:
        step(w, direction)
        direction = U64(w.via[index(w, w.mark[BLANK])])
    return True


@_compiled
def hop(w: Work, aim: np.uint64, least_side: np.uint64) -> bool:
    """Move the blank nearer to a far cell, along a cheapest monotone way through a rectangle.

    Its sides are at most `SPAN`, in the proportion of the way that remains, and at least
    `least_side` if the way is. Say whether walls left such a way.
    """
    blank = w.mark[BLANK]
    vertical = DOWN if aim >> SIXTEEN > blank >> SIXTEEN else UP
    horizontal = RIGHT if aim & LOW > blank & LOW else LEFT
    rows, columns = apart(blank & ~LOW, aim & ~LOW), apart(blank & LOW, aim & LOW)
    longer = max(rows, columns)
    high = max(rows * SPAN // longer, min(rows, least_side))
    wide = max(columns * SPAN // longer, min(columns, least_side))
    pitch, row_start = SPAN + ONE, blank
    for i in range(high + ONE):
        cell = row_start
        for j in range(wide + ONE):
            place = U64(i) * pitch + U64(j)
            least, way = DEAR, STAY
            if i > 0:
                least, way = w.best[place - pitch] + toll(w, cell, vertical), vertical
            if j > 0:
                total = w.best[place - ONE] + toll(w, cell, horizontal)
                if total < least:
                    least, way = total, horizontal
            w.best[place], w.back[place] = (ZERO if way == STAY else least), way
            cell = beside(cell, horizontal)
        row_start = beside(row_start, vertical)
    place, length = high * pitch + wide, high + wide
    if w.best[place] >= BLOCKED:
        return False
    for i in range(length):
        way = U64(w.back[place])
        w.way[length - ONE - U64(i)] = way
        place -= pitch if way == vertical else ONE
    for i in range(length):
        step(w, U64(w.way[U64(i)]))
    return True


@_compiled
def approach(w: Work, aim: np.uint64) -> None:
    """Move the blank near to a far cell, as far as walls allow."""
    while apart(w.mark[BLANK], aim) > max(HOP_FROM, w.mark[CAREFUL]):
        if not hop(w, aim, ZERO) and not hop(w, aim, ONE):
            return


@_inlined
def way_price(w: Work, over: np.uint64, ahead: np.uint64) -> np.uint64:
    """Return the price of the blank's way round a tile, over one side: four steps."""
    aside = beside(w.mark[BLANK], over)
    level = beside(aside, ahead)
    cell = beside(level, ahead)
    total = toll(w, aside, over) + toll(w, level, ahead) + toll(w, cell, ahead)
    return U64(total + toll(w, beside(cell, over ^ ONE), over ^ ONE))


@_compiled
def haul(w: Work, tile: np.uint64, to: np.uint64, near: np.uint64) -> None:
    """Bring a tile as near as `near` to a cell, by the shortest ways; the blank is beside it.

    Turns, for which the blank goes two steps, alternate as long as there are both rows and columns
    to go; then come straight steps, for which it goes four, over the side that costs less. Ends
    early where walls are in the way.
    """
    cell = U64(w.at[index(w, tile)])
    side = side_of(cell, w.mark[BLANK])
    while apart(cell, to) > near:
        vertical = DOWN if to > cell else UP
        horizontal = RIGHT if to & LOW > cell & LOW else LEFT
        if cell >> SIXTEEN == to >> SIXTEEN:
            target = horizontal
        elif cell & LOW == to & LOW:
            target = vertical
        elif side in (vertical, horizontal):
            target = side
        else:  # round a corner, unless a wall stands there
            target = horizontal if side < TWO else vertical
            target = target if free(w, beside(cell, target)) else side ^ ONE
        if target == side ^ ONE:
            over = (side ^ TWO) & TWO  # one of the two directions across
            first, second = way_price(w, over, target), way_price(w, over | ONE, target)
            if min(first, second) >= BLOCKED:
                return
            over |= U64(second < first)
            step(w, over)
            step(w, target)
            step(w, target)
            step(w, over ^ ONE)
        elif target != side:
            ahead = beside(cell, target)
            if not free(w, ahead) or not free(w, beside(ahead, side)):
                return
            step(w, target)
            step(w, side ^ ONE)
        side = target ^ ONE
        step(w, side)
        cell = beside(cell, target)


@_inlined
def free(w: Work, cell: np.uint64) -> bool:
    """Whether no wall stands on a cell."""
    return bool(U64(w.board[index(w, cell)]) != WALL)


@_inlined
def side_of(cell: np.uint64, other: np.uint64) -> np.uint64:
    """Return the direction from a cell to one of its neighbours."""
    if other & LOW == cell & LOW:
        return UP if other < cell else DOWN
    return LEFT if other < cell else RIGHT


@_compiled
def nudge(w: Work, tile: np.uint64, to: np.uint64) -> bool:
    """Bring a tile one step nearer to the cell `to`; say whether walls allow it.

    Of the one or two directions that lead nearer the tile takes the one to which the blank's way
    is cheaper; the longer of the two axes has `FAVOUR`.
    """
    cell = U64(w.at[index(w, tile)])
    one, other = STAY, STAY
    if cell >> SIXTEEN != to >> SIXTEEN:
        one = DOWN if to > cell else UP
        one = one if free(w, beside(cell, one)) else STAY
    if cell & LOW != to & LOW:
        other = RIGHT if to & LOW > cell & LOW else LEFT
        other = other if free(w, beside(cell, other)) else STAY
    rows, columns = apart(cell & ~LOW, to & ~LOW), apart(cell & LOW, to & LOW)
    if one == STAY or (other != STAY and columns > rows):
        one, other = other, one
    if one == STAY:
        return False
    approach(w, cell)
    here = index(w, cell)
    w.board[here] = WALL  # the blank goes round the tile
    first = beside(cell, one)
    done = reach(w, first, first if other == STAY else beside(cell, other), FAVOUR)
    w.board[here] = tile
    if done:
        step(w, side_of(w.mark[BLANK], cell))
    return bool(done)


@_compiled
def carry(w: Work, tile: np.uint64, to: np.uint64) -> bool:
    """Bring a tile to a cell; say whether walls allowed it."""
    while U64(w.at[index(w, tile)]) != to:
        if not nudge(w, tile, to):
            return False
        haul(w, tile, to, w.mark[CAREFUL])
    return True


@_compiled
def effort(w: Work, goal: np.uint64) -> np.uint64:
    """Guess how many moves it takes to bring a tile home: 6 for two steps across, 5 straight."""
    cell, blank = U64(w.at[index(w, goal)]), w.mark[BLANK]
    rows, columns = apart(cell & ~LOW, goal & ~LOW), apart(cell & LOW, goal & LOW)
    stroll = w.mark[STROLL] * apart(blank, cell)
    return U64(FIVE * max(rows, columns) + min(rows, columns) + stroll)


@_compiled
def fill(w: Work, front: Words, limit: np.uint64) -> int:
    """Bring tile after tile of a row and a column home, until two cells of either are left.

    Parameters
    ----------
    front : (2,) uint64
        The next cell of the row, which is filled from its right end, and of the column, which is
        filled from its lower end; 0 where there is nothing to fill. Brought on.
    limit : uint64
        Leave off after this many moves, and return `MORE`; else `DONE`, or `STUCK` between walls.
    """
    while w.mark[USED] < limit:
        row, column = front[0], front[1]
        if row & LOW <= TWO and column >> SIXTEEN <= TWO:
            return DONE
        along_row = column >> SIXTEEN <= TWO
        if not along_row and row & LOW > TWO:
            corner = row & LOW == column & LOW  # has no way in once the column has begun
            along_row = corner or effort(w, row) <= effort(w, column)
        goal = row if along_row else column
        if not carry(w, goal, goal):
            return STUCK
        w.board[index(w, goal)] = WALL
        if along_row:
            front[0] -= ONE
        else:
            front[1] -= ROW
    return MORE


@_compiled
def entrance(cell: np.uint64, low: np.uint64, high: np.uint64, taken: np.uint64) -> np.uint64:
    """Return the cell of a box that is nearest to `cell`, or beside it if that is taken."""
    row = min(max(cell >> SIXTEEN, low >> SIXTEEN), high >> SIXTEEN)
    column = min(max(cell & LOW, low & LOW), high & LOW)
    found = row << SIXTEEN | column
    if found != taken or found == cell:
        return found
    if column != cell & LOW:  # at the left or right: go in above, or below if that is outside
        return found - ROW if row > low >> SIXTEEN else found + ROW
    return found - ONE if column > low & LOW else found + ONE


@_compiled
def enter(w: Work, tile: np.uint64, low: np.uint64, high: np.uint64, taken: np.uint64) -> bool:
    """Bring a tile into a box, to no cell that is `taken`; say whether walls allowed it."""
    cell = U64(w.at[index(w, tile)])
    to = entrance(cell, low, high, taken)
    while cell != to:
        if not nudge(w, tile, to):
            return False
        cell = U64(w.at[index(w, tile)])
        to = entrance(cell, low, high, taken)
    return True


@_compiled
def two_nearest(w: Work, low: np.uint64, high: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the two free cells of a box that are nearest to the blank.

    Two, because on two rows a tile may shut off one of them.
    """
    blank = w.mark[BLANK]
    one, other, least, second = WALL, WALL, DEAR, DEAR
    for row in range(low >> SIXTEEN, (high >> SIXTEEN) + ONE):
        for column in range(low & LOW, (high & LOW) + ONE):
            cell = U64(row) << SIXTEEN | U64(column)
            distance = apart(blank, cell)
            if not free(w, cell) or distance >= second:
                continue
            other, second = cell, distance
            if distance < least:
                other, second, one, least = one, least, cell, distance
    return one, other


@_compiled
def gather(w: Work, one: np.uint64, other: np.uint64, box: Words) -> bool:
    """Bring two tiles and the blank into a box; say whether walls allowed it.

    `box` holds the corners of the box, and of its inner part. The first tile stays where it comes
    in, unless it shuts the others out from there: then it goes on into the inner part.
    """
    for attempt in range(2):
        if not enter(w, one, box[2 * attempt], box[2 * attempt + 1], WALL):
            return False
        first = U64(w.at[index(w, one)])
        w.board[index(w, first)] = WALL
        done = enter(w, other, box[0], box[1], first)
        second = U64(w.at[index(w, other)])
        w.board[index(w, second)] = WALL
        if done:
            nearest, next_one = two_nearest(w, box[0], box[1])
            approach(w, nearest)
            done = reach(w, nearest, next_one, ZERO)
        w.board[index(w, first)], w.board[index(w, second)] = one, other
        if done:
            return True
    return False


@_compiled
def descend(w: Work, one: np.uint64, other: np.uint64, box: Words, table: Any) -> None:
    """Bring two tiles of a box home by a shortest way in it; of these, the cheapest steps.

    `table` holds the number of moves by the places of both tiles and of the blank (`pair_table`).
    """
    low, high = box[0], box[1]
    wide = (high & LOW) - (low & LOW) + ONE
    area = ((high >> SIXTEEN) - (low >> SIXTEEN) + ONE) * wide
    a = place_in(U64(w.at[index(w, one)]), low, wide)
    b = place_in(U64(w.at[index(w, other)]), low, wide)
    here = place_in(w.mark[BLANK], low, wide)
    while table[(a * area + b) * area + here] != 0:
        left = table[(a * area + b) * area + here]
        best, least, next_a, next_b, next_here = STAY, DEAR, a, b, here
        for side in range(4):
            direction = U64(side)
            cell = beside(w.mark[BLANK], direction)
            if not within(cell, low, high):
                continue
            to = place_in(cell, low, wide)
            new_a, new_b = here if a == to else a, here if b == to else b
            if table[(new_a * area + new_b) * area + to] + 1 == left:
                cost = toll(w, cell, direction)
                if cost < least:
                    best, least, next_a, next_b, next_here = direction, cost, new_a, new_b, to
        step(w, best)
        a, b, here = next_a, next_b, next_here


@_inlined
def place_in(cell: np.uint64, low: np.uint64, wide: np.uint64) -> np.uint64:
    """Return the number of a cell in a box, in reading order."""
    return U64(((cell >> SIXTEEN) - (low >> SIXTEEN)) * wide + (cell & LOW) - (low & LOW))
