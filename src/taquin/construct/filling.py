r"""Bringing tiles home in a 2-connected graph: into one ear after the other, and on a theta.

A tile goes to a single cell straight on. An ear u1 ... uk between x and y of the inside takes its
tiles from one end, the one for uk first: the next tile is brought to x inside, the blank walks
round to y, and through the ear back to x; so all tiles of the ear shift on by one::

        u1 - u2 - ... - uk          the blank comes from y through uk ... u1 to x,
       /                  \         the tile on x goes to u1, that on u1 to u2, ...,
      x ---- (inside) ---- y        that on uk goes to y
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence

from taquin.construct import box
from taquin.construct.cores import pair_search, reverse, three_cycle
from taquin.construct.ears import Ear, Theta
from taquin.construct.mover import Mover
from taquin.errors import LimitReached
from taquin.notation import reduced

#: cell -> the tile that shall lie on it, the blank among them
Want = Mapping[int, int]

# The last two cells of a line are filled by a search on so many cells around them.
AROUND = 10
# So many of the possible cycles of three tiles are tried each time, and the shortest is taken.
CHOICES = 8


def fill(mover: Mover, ear: Ear, want: Want, inside: Iterable[int]) -> None:
    """Bring the tiles of `ear` home, and shut it.

    Parameters
    ----------
    mover : Mover
        The ear and the inside are open, and the blank is in one of them.
    ear : Ear
        If it is `odd`, the tiles inside are left in an even permutation, measured by the colours
        of the inside, which has no ring of odd length any more.
    want : mapping of int to int
        The tile for each cell.
    inside : iterable of int
        The cells inside; read only if the ear is odd.
    """
    tiles = [want[cell] for cell in ear.cells]
    done = all(mover.tiles[cell] == tile for cell, tile in zip(ear.cells, tiles, strict=True))
    if ear.odd:
        _fill_odd(mover, ear, tiles, want, set(inside), done=done)
    elif len(tiles) == 1:
        mover.bring(tiles[0], ear.cells[0])
    elif not done:
        back = Ear(ear.cells[::-1], ear.y, ear.x)
        ways = [_attempt(mover, _push_in(mover, *side)) for side in _sides(ear, back, tiles)]
        if len(tiles) == 2:
            around = _around(mover, ear.cells)
            sides = [*_sides(ear, back, tiles), (ear, tiles)]
            for first, (end, pair) in enumerate(sides):
                near = _near_by(mover, end, pair, around, bring=first < 2)
                ways.append(_attempt(mover, near))
        found = [way for way in ways if way is not None]
        shortest = min(found, key=len)
        mover.follow(shortest)
    mover.shut(ear.cells)


def _sides(ear: Ear, back: Ear, tiles: list[int]) -> list[tuple[Ear, list[int]]]:
    return [(ear, tiles), (back, tiles[::-1])]


def _attempt(mover: Mover, way: Callable[[], bool]) -> array[int] | None:
    """Return the moves of `way`, and take them back; None if it led nowhere."""
    floor, mark = mover.floor, mover.moves
    mover.floor = mark
    good = way()
    walk = mover.since(mark) if good else None
    mover.take_back(mark)
    mover.floor = floor
    return walk


# -- an ear -------------------------------------------------------------------------------------


def _push_in(mover: Mover, ear: Ear, tiles: list[int]) -> Callable[[], bool]:
    """The way of this file's head, but the first tile goes to u1 as the blank likes it."""

    def way() -> bool:
        mover.open(ear.cells)
        _first(mover, ear, tiles[-1])
        mover.shut(ear.cells)
        for tile in tiles[-2::-1]:
            _push(mover, ear, tile)
        mover.open(ear.cells)
        return True

    return way


def _first(mover: Mover, ear: Ear, tile: int) -> None:
    """Bring `tile` to u1, and the blank out of the ear."""
    mover.bring(tile, ear.cells[0])
    if mover.blank in ear.cells:
        mover.go((ear.y,), ear.cells[0])


def _push(mover: Mover, ear: Ear, tile: int) -> None:
    """Bring `tile` to u1, all tiles of the ear shift on; the blank ends on x. The ear is shut."""
    if mover.at[tile] in ear.cells:
        _draw_out(mover, ear, tile)
    mover.bring(tile, ear.x)
    mover.go((ear.y,), ear.x)
    _through(mover, ear)


def _through(mover: Mover, ear: Ear) -> None:
    """Lead the blank from y through the ear to x."""
    mover.follow((*ear.cells[::-1], ear.x))


def _draw_out(mover: Mover, ear: Ear, tile: int) -> None:
    """Bring a tile out of the ear, and all others of the ear back to where they were.

    The ear shifts until the tile is out on y, the tile goes aside, the ear shifts back.
    """
    shifts = len(ear.cells) - ear.cells.index(mover.at[tile])
    for _ in range(shifts):
        mover.go((ear.y,))
        _through(mover, ear)
    aside = next(cell for cell in mover.near[ear.y] if mover.is_open(cell) and cell != ear.x)
    mover.bring(tile, aside)
    for _ in range(shifts):
        mover.go((ear.x,), mover.at[tile])
        mover.follow((*ear.cells, ear.y))


# -- two cells, by a search around them ---------------------------------------------------------


def _around(mover: Mover, cells: Sequence[int]) -> list[int]:
    """Return `cells` and the open ones next to them, `AROUND` in all."""
    mover.open(cells)
    found = list(cells)
    for cell in found:
        for other in mover.near[cell]:
            if len(found) < AROUND and mover.is_open(other) and other not in found:
                found.append(other)
    return found


def _near_by(
    mover: Mover, ear: Ear, tiles: list[int], around: list[int], *, bring: bool
) -> Callable[[], bool]:
    """A way that ends with a search on the cells `around`; it may lead nowhere.

    With `bring`, one tile is brought to u1 first, and the other to x, if it is farther away.
    """

    def way() -> bool:
        mover.open(ear.cells)
        if bring:
            _first(mover, ear, tiles[1])
            if mover.at[tiles[0]] not in around:
                mover.shut(ear.cells)
                mover.bring(tiles[0], ear.x)
                mover.open(ear.cells)
        one, two = (mover.at[tile] for tile in tiles)
        if one not in around or two not in around:
            return False
        if mover.blank not in around:
            free = [cell for cell in around if cell not in (one, two)]
            if not mover.go(free, one, two):
                return False
        place = {cell: i for i, cell in enumerate(around)}
        links = [[place[c] for c in mover.near[cell] if c in place] for cell in around]
        goal = place[ear.cells[0]], place[ear.cells[1]]
        found = pair_search(links, (place[mover.blank], place[one], place[two]), goal)
        if found is None:
            return False
        mover.follow(around[i] for i in found)
        return True

    return way


# -- the ear that closes the first odd ring -----------------------------------------------------


def _fill_odd(
    mover: Mover, ear: Ear, tiles: list[int], want: Want, inside: set[int], *, done: bool
) -> None:
    """Fill an ear so that an even permutation is left inside.

    Every other move is inside, where parity follows the colours: so it is decided by how often
    the blank goes through the ear. Once more at the beginning makes the other parity.
    """
    if done and _even(mover, want, inside):
        return
    for extra in (False, True):
        mover.open(ear.cells)
        mark, floor = mover.moves, mover.floor
        mover.floor = mark
        if mover.blank in ear.cells:
            mover.follow((*ear.cells[: ear.cells.index(mover.blank)][::-1], ear.x))
        mover.shut(ear.cells)
        if extra:
            mover.go((ear.y,))
            _through(mover, ear)
        for tile in tiles[::-1]:
            _push(mover, ear, tile)
        even = _even(mover, want, inside)
        if not even:
            mover.take_back(mark)
        mover.floor = floor
        if even:
            return
    raise AssertionError("once more through the ear changes the parity")


def _even(mover: Mover, want: Want, inside: set[int]) -> bool:
    """Whether the tiles inside can go home, by their parity and the colours of the inside."""
    home = {want[cell]: cell for cell in inside}
    colour = {mover.blank: 0}
    queue = [mover.blank]
    for cell in queue:
        for other in mover.near[cell]:
            if other in inside and other not in colour:
                colour[other] = 1 - colour[cell]
                queue.append(other)
    target = home[mover.tiles[mover.blank]]
    return _odd_permutation(mover, home) == bool(colour[target])


def _odd_permutation(mover: Mover, home: Mapping[int, int]) -> bool:
    """Whether bringing each tile of `home` to its cell is an odd permutation."""
    seen: set[int] = set()
    odd = False
    for cell in home.values():
        while cell not in seen:
            seen.add(cell)
            cell = home[mover.tiles[cell]]
            odd ^= cell not in seen
    return odd


# -- a theta ------------------------------------------------------------------------------------


def fill_theta(mover: Mover, theta: Theta, want: Want) -> None:
    """Bring all tiles of a theta home, where the blank's place is the hub `x`.

    The longest path is filled as an ear; the tiles of the ring that is left change places three
    at a time. Moves: O(cells^3), which is the order that some graphs need (Kornhauser, Miller &
    Spirakis 1984).
    """
    short, middle, long = theta.paths
    sizes = len(short), len(middle), len(long)
    ring = (theta.x, *short, theta.y, *middle[::-1])
    even_ring = len(ring) % 2 == 0
    ear = Ear(long, theta.x, theta.y, odd=even_ring and (sizes[0] + sizes[2]) % 2 == 1)
    fill(mover, ear, want, ring)
    mover.go((theta.x,))
    home = {want[cell]: cell for cell in ring}
    if not even_ring and _odd_permutation(mover, home):
        mover.follow((*ring[1:], theta.x))
    if all(mover.tiles[cell] == want[cell] for cell in ring):
        return
    turn = _three_turn(mover, theta, ear)
    wrong = [cell for cell in ring if mover.tiles[cell] != want[cell]]
    if len(turn) * len(wrong) // 3 > box.MAX_MOVES:
        raise LimitReached(
            f"the way would have more than {box.MAX_MOVES:,} moves, which are not written down:"
            " the board is solvable; take a smaller one"
        )
    while wrong:
        choices = [_gather(mover, ear, trio) for trio in _trios(mover, home, wrong)]
        way = min(choices, key=len)
        mover.follow(way)
        mover.follow(turn)
        mover.follow(reverse(way))
        wrong = [cell for cell in wrong if mover.tiles[cell] != want[cell]]


def _three_turn(mover: Mover, theta: Theta, ear: Ear) -> tuple[int, ...]:
    """Return a walk from x to x that moves the tiles of u1, u2, u3 to u2, u3, u1."""
    places, moved = three_cycle(*map(len, theta.paths))
    cells = theta.cells
    one = next(place for place, to in enumerate(moved) if place != to)
    two, three = moved[one], moved[moved[one]]
    tiles = [mover.tiles[cells[place]] for place in (one, two, three)]
    way = _gather(mover, ear, tiles)
    whole = (*reverse(way), *(cells[place] for place in places), *way)
    return tuple(reduced(theta.x, whole))


def _gather(mover: Mover, ear: Ear, tiles: Sequence[int]) -> array[int]:
    """Return a walk from x to x that brings three tiles to u1, u2, u3."""

    def way() -> bool:
        for tile in tiles[::-1]:
            _push(mover, ear, tile)
        return True

    walk = _attempt(mover, way)
    assert walk is not None, "it always leads there"
    return walk


def _trios(mover: Mover, home: Mapping[int, int], wrong: list[int]) -> list[list[int]]:
    """Return some cycles of three tiles: the first to the place of the second, and so on.

    Each brings home at least two tiles; only where all that is left are pairs, one. The
    permutation is even: so a single pair is never left.
    """
    trios = []
    for cell in wrong:
        one = mover.tiles[cell]
        two = mover.tiles[home[one]]
        three = mover.tiles[home[two]]
        if three != one:
            trios.append([one, two, three])
        if len(trios) == CHOICES:
            break
    if not trios:
        one = mover.tiles[wrong[0]]
        two = mover.tiles[home[one]]
        three = next(t for t in (mover.tiles[c] for c in wrong) if t not in (one, two))
        trios.append([one, two, three])
    return trios
