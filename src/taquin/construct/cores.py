"""The last cells of a graph: a search through all states of a small core, three tiles at a time
on a large theta.

**Three tiles at a time.** Seen from a hub, the blank has three rings to go round. Two of them
share a path, on which both shift all tiles alike: so "one, other, one back, other back" moves only
four tiles where the rings part, or three where one path is empty. Two such moves that overlap in
a single tile make a cycle of three tiles (Wilson 1974; the commutator of two permutations whose
supports meet in one point). From it come all even permutations: any three tiles are gathered
where the cycle acts, it acts, and the gathering is taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

Labels = tuple[int, ...]
Permutation = tuple[int, ...]


# -- small cores --------------------------------------------------------------------------------


def search(links: Sequence[Sequence[int]], start: Labels, goal: Labels, blank: int) -> list[int]:
    """Return a shortest walk of the blank from `start` to `goal`, breadth first from both ends.

    Parameters
    ----------
    links : sequence of sequences of int
        The neighbours of each place, places counted from 0.
    start, goal : tuple of int
        The label on each place; labels may be equal.
    blank : int
        The label of the blank.

    Notes
    -----
    Cost: at most all states, 20,160 or 40,320 for eight cells; mostly a few hundred.
    """
    before: tuple[dict[Labels, Labels], dict[Labels, Labels]] = ({start: start}, {goal: goal})
    levels = [[start], [goal]]
    if start == goal:
        return []
    while levels[0] and levels[1]:
        side = 0 if len(levels[0]) <= len(levels[1]) else 1
        here, there, following = before[side], before[1 - side], list[Labels]()
        for labels in levels[side]:
            at = labels.index(blank)
            for to in links[at]:
                other = list(labels)
                other[at], other[to] = other[to], blank
                state = tuple(other)
                if state in here:
                    continue
                here[state] = labels
                if state in there:
                    way = [*_to_root(before[0], state)[::-1], *_to_root(before[1], state)[1:]]
                    return [labels.index(blank) for labels in way[1:]]
                following.append(state)
        levels[side] = following
    raise AssertionError("the core's group was known to hold the permutation")


def _to_root(before: dict[Labels, Labels], state: Labels) -> list[Labels]:
    way = [state]
    while before[way[-1]] != way[-1]:
        way.append(before[way[-1]])
    return way


def pair_search(
    links: Sequence[Sequence[int]], start: tuple[int, int, int], goal: tuple[int, int]
) -> list[int] | None:
    """Return a shortest walk of the blank that brings two tiles to `goal`, or None.

    Only the blank and two tiles are looked at: `start` holds their places. In the end the blank
    may be anywhere. O(p^3) for p places.
    """
    before: dict[tuple[int, int, int], tuple[int, int, int] | None] = {start: None}
    queue = [start]
    for state in queue:
        blank, one, two = state
        if (one, two) == goal:
            way = [blank]
            while (earlier := before[state]) is not None:
                state = earlier
                way.append(state[0])
            return way[-2::-1]
        for to in links[blank]:
            other = to, blank if one == to else one, blank if two == to else two
            if other not in before:
                before[other] = state
                queue.append(other)
    return None


# -- cycles of three tiles ----------------------------------------------------------------------


@lru_cache(maxsize=64)
def three_cycle(short: int, middle: int, long: int) -> tuple[tuple[int, ...], Permutation]:
    """Return a walk on a theta from a hub back to it that permutes three tiles cyclically.

    Parameters
    ----------
    short, middle, long : int
        The number of cells on its three paths; 9 cells or more in all, counted in the order of
        `Theta.cells`: the blank's hub 0, the other hub 1, then path after path.

    Returns
    -------
    walk : tuple of int
        The places that the blank visits.
    moved : tuple of int
        ``moved[p]`` is where the tile of place p goes.

    Notes
    -----
    The shortest among commutators of powers of two rings, and commutators of such a one with
    itself, turned by a ring. Every theta of nine or more cells has one: those of up to eleven are
    tested one by one, and on a larger one a ring is so long that some turn leaves one overlap.
    Cost: O(cells) for each of some thousand candidates.
    """
    rings = list(_rings(short, middle, long))
    size = 2 + short + middle + long
    fours, best = [], None
    for word in _commutators(rings, size):
        support = sum(p != q for p, q in enumerate(word[1]))
        if support == 3 and (best is None or len(word[0]) < len(best[0])):
            best = word
        elif support == 4:
            fours.append(word)
    if best is not None:
        return best
    fours.sort(key=lambda word: len(word[0]))
    for walk, moved in fours[:6]:
        for ring, turns in product(rings, range(1, 11)):
            turn = _power(ring, turns, size)
            turned = _product([turn, (walk, moved), _inverse(turn)])
            word = _product([(walk, moved), turned, _inverse((walk, moved)), _inverse(turned)])
            support = sum(p != q for p, q in enumerate(word[1]))
            if support == 3 and (best is None or len(word[0]) < len(best[0])):
                best = word
    assert best is not None, "a theta of nine or more cells has a cycle of three"
    return best


Word = tuple[tuple[int, ...], Permutation]


def _rings(short: int, middle: int, long: int) -> Iterator[Word]:
    """The six ways round a ring from hub 0, and how each permutes the tiles."""
    sizes = short, middle, long
    firsts = 2, 2 + short, 2 + short + middle
    paths = [tuple(range(first, first + size)) for first, size in zip(firsts, sizes, strict=True)]
    for out, back in product(range(3), repeat=2):
        if out != back:
            walk = (*paths[out], 1, *paths[back][::-1], 0)
            moved = list(range(2 + sum(sizes)))
            # The first tile jumps behind all others; each of these goes where one was before.
            for before, cell in zip((walk[-2], *walk[:-2]), walk[:-1], strict=True):
                moved[cell] = before
            yield walk, tuple(moved)


def _commutators(rings: list[Word], size: int) -> Iterator[Word]:
    powers = [_power(ring, turns, size) for ring in rings for turns in (1, 2, 3)]
    for one, other in product(powers, repeat=2):
        yield _product([one, other, _inverse(one), _inverse(other)])


def _power(word: Word, exponent: int, size: int) -> Word:
    return _product([word] * exponent) if exponent else ((), tuple(range(size)))


def _product(words: Sequence[Word]) -> Word:
    """One word after the other."""
    moved = words[0][1]
    for _, following in words[1:]:
        moved = tuple(following[place] for place in moved)
    return tuple(place for walk, _ in words for place in walk), moved


def _inverse(word: Word) -> Word:
    walk, moved = word
    back = [0] * len(moved)
    for place, to in enumerate(moved):
        back[to] = place
    return reverse(walk), tuple(back)


def reverse(walk: Sequence[int]) -> tuple[int, ...]:
    """Return the way back along a closed walk, which ends where it began.

    >>> reverse((3, 4, 5, 0))
    (5, 4, 3, 0)
    """
    return (*walk[-2::-1], walk[-1]) if walk else ()
