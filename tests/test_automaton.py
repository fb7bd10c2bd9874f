"""Automata of duplicate strings: no state is lost, and what is rejected is what should be."""

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace

import naive
import numpy as np
import pytest

from taquin.errors import Unsupported
from taquin.search.automaton import LONGEST, Automaton, graph_automaton, grid_automaton

String = tuple[int, ...]
Place = tuple[int, ...]

LETTERS = {1: "LR", 2: "ULRD", 3: "ULRDFB"}
STEPS = {
    1: ((-1,), (1,)),
    2: ((-1, 0), (0, -1), (0, 1), (1, 0)),
    3: ((0, -1, 0), (0, 0, -1), (0, 0, 1), (0, 1, 0), (-1, 0, 0), (1, 0, 0)),
}
OPPOSITE = {1: (1, 0), 2: (3, 2, 1, 0), 3: (3, 2, 1, 0, 5, 4)}

# Boards that are no boxes: tori, walls, holes, cut cells, odd rings, complete graphs.
GRAPHS = {
    "3x3 torus": naive.grid_neighbours((3, 3), (0, 1)),
    "2x4 ring": naive.grid_neighbours((2, 4), (1,)),
    "3x3 box": naive.grid_neighbours((3, 3)),
    "walls ...|...|.##": naive.graph_neighbours(
        7, [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5), (3, 6)]
    ),
    "hole ...|.#.|...": naive.graph_neighbours(8, [(i, (i + 1) % 8) for i in range(8)]),
    "theta 0": naive.graph_neighbours(
        7, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 6), (6, 3)]
    ),
    "complete 5": naive.graph_neighbours(5, [(a, b) for a in range(5) for b in range(a)]),
    "two triangles": naive.graph_neighbours(
        6, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]
    ),
    "star": naive.graph_neighbours(5, [(0, i) for i in range(1, 5)]),
    "two cells": [[1], [0]],
    "one cell": [[]],
}


def random_graph(seed: int) -> naive.Near:
    """A random tree of 4..7 cells and some edges more, the neighbours in random order."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 8))
    edges = [(cell, int(rng.integers(cell))) for cell in range(1, n)]
    pairs = [(a, b) for a in range(n) for b in range(a)]
    edges += [pairs[i] for i in rng.choice(len(pairs), size=int(rng.integers(1, 5)))]
    return [list(rng.permutation(cells)) for cells in naive.graph_neighbours(n, edges)]


RANDOM = {f"random {seed}": random_graph(seed) for seed in range(7)}


# -- no state is lost ---------------------------------------------------------------------------


# A state is a number of 4 bits a cell; with what the automaton remembers above, a pair.
TILES = np.uint64((1 << 48) - 1)


def children(pairs: np.ndarray, near: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """(direction, the pairs after that move, which still remember what they did) for all moves."""
    for cell, row in enumerate(near):
        mine = pairs[(pairs >> np.uint64(4 * cell)) & np.uint64(15) == 0]
        for direction, to in enumerate(row):
            if to >= 0:
                tile = mine >> np.uint64(4 * to) & np.uint64(15)
                yield direction, mine ^ tile << np.uint64(4 * to) ^ tile << np.uint64(4 * cell)


def distinct(parts: list[np.ndarray]) -> np.ndarray:
    """The different numbers of some arrays, sorted."""
    numbers = np.sort(np.concatenate([np.zeros(0, np.uint64), *parts]))
    return numbers[np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]]


def among(numbers: np.ndarray, those: np.ndarray) -> np.ndarray:
    """Which numbers are among the sorted ones."""
    if not len(those):
        return np.zeros(len(numbers), np.bool_)
    return those[np.minimum(np.searchsorted(those, numbers), len(those) - 1)] == numbers


def lost(
    near: np.ndarray, start: int, automaton: Automaton, first: int, depth: int = 99
) -> tuple[int, int]:
    """How many states a plain search finds from `start`, and how many of them the automaton loses.

    Both go breadth first; with the automaton, over pairs of a state and what the automaton
    remembers. Lost is a state that it does not reach in as few moves as the plain search.
    """
    labels = list(range(1, len(near)))
    labels.insert(start, 0)
    code = sum(label << 4 * cell for cell, label in enumerate(labels))
    before, plain = np.zeros(0, np.uint64), np.array([code], np.uint64)
    guided = np.array([code | first << 48], np.uint64)
    found = missing = 0
    while len(plain) and depth >= 0:
        found += len(plain)
        missing += len(plain) - len(distinct([guided & TILES]))
        fresh = distinct([pairs for _, pairs in children(plain, near)])
        fresh = fresh[~among(fresh, plain) & ~among(fresh, before)]
        kept = []
        for direction, pairs in children(guided, near):
            state = (pairs >> np.uint64(48)).astype(np.int64)
            legal = (automaton.legal[state] >> direction & 1).astype(np.bool_)
            after = automaton.next[state, direction].astype(np.uint64)
            kept.append((after << np.uint64(48) | pairs & TILES)[legal])
        guided = distinct(kept)
        guided = guided[among(guided & TILES, fresh)]
        before, plain = plain, fresh
        depth -= 1
    return found, missing


@cache
def of_boxes(length: int) -> Automaton:
    return grid_automaton(2, length)


def padded(near: naive.Near) -> np.ndarray:
    width = max(map(len, near))
    return np.array([[*cells, *[-1] * (width - len(cells))] for cells in near])


def by_direction(shape: tuple[int, ...]) -> np.ndarray:
    """The neighbours of each cell of a box, a column a direction."""
    moves = [dict(cells) for cells in naive.grid_moves(shape)]
    return np.array([[cell.get(letter, -1) for letter in LETTERS[len(shape)]] for cell in moves])


@pytest.mark.parametrize("length", [7, 12])
@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (2, 4), (4, 2)])
def test_boxes_keep_every_state_from_every_cell(shape: tuple[int, ...], length: int) -> None:
    automaton, near = of_boxes(length), by_direction(shape)
    states = 360 if len(near) == 6 else 20160
    for start in range(len(near)):
        assert lost(near, start, automaton, 0) == (states, 0)


def test_3x3_keeps_every_state_from_every_cell() -> None:
    automaton, near = of_boxes(12), by_direction((3, 3))
    for start in range(9):
        assert lost(near, start, automaton, 0) == (181440, 0)


@pytest.mark.parametrize("order", [(3, 2, 1, 0), (2, 0, 3, 1)])
def test_any_order_keeps_every_state(order: String) -> None:
    automaton = grid_automaton(2, 10, order)
    for shape in ((2, 4), (4, 2)):
        near = by_direction(shape)
        assert all(lost(near, start, automaton, 0) == (20160, 0) for start in range(8))


def test_boxes_of_three_axes_keep_every_state() -> None:
    automaton, cube = grid_automaton(3, 8), by_direction((2, 2, 2))
    for start in range(8):
        assert lost(cube, start, automaton, 0) == (20160, 0)
    for shape in ((2, 2, 3), (2, 3, 2), (3, 2, 2)):
        for start in (0, 1, 5):
            found, missing = lost(by_direction(shape), start, automaton, 0, depth=11)
            assert found > 1_000
            assert missing == 0


@pytest.mark.parametrize("name", [*GRAPHS, *RANDOM])
def test_graphs_keep_every_state_from_every_cell(name: str) -> None:
    near = (GRAPHS | RANDOM)[name]
    cells = range(len(near)) if len(near) < 9 else (0, 4)
    automaton = graph_automaton(near, 30, max_states=5000, max_strings=30_000)
    assert automaton.length >= 7
    for start in cells:
        found, missing = lost(padded(near), start, automaton, start)
        tiles = list(range(1, len(near)))
        tiles.insert(start, 0)
        if start == 0 and len(near) < 8:
            assert found == len(naive.depths(near, tuple(tiles)))
        assert missing == 0


def test_a_larger_torus_in_part() -> None:
    near = naive.grid_neighbours((3, 4), (0, 1))
    automaton = graph_automaton(near, 8)
    assert automaton.length == 8
    for start in (0, 5, 11):
        found, missing = lost(padded(near), start, automaton, start, depth=9)
        assert found > 10_000
        assert missing == 0


def test_a_box_automaton_would_lose_states_with_one_string_more_forbidden() -> None:
    """The check can fail: after U the automaton of this test forbids L, too."""
    automaton, near = grid_automaton(2, 2), by_direction((2, 3))
    legal = automaton.legal.copy()
    legal[automaton.next[0, 0]] &= 0b1101
    broken = Automaton(automaton.next, legal, 2)
    assert sum(lost(near, start, broken, 0)[1] for start in range(6)) > 0


# -- what is rejected ---------------------------------------------------------------------------


def minimal(
    automaton: Automaton, length: int, first: int = 0, heirs: list[int] | None = None
) -> list[String]:
    """The strings that are rejected while all their substrings are allowed, by reading them.

    heirs : the state without a history after each first move
    """
    found: list[String] = []

    def read(string: String, state: int, shorter: int | None) -> None:
        """`shorter` is the state after `string` without its first move."""
        for d in range(automaton.next.shape[1]):
            if shorter is not None and not automaton.legal[shorter] >> d & 1:
                continue
            if not automaton.legal[state] >> d & 1:
                if shorter is not None:  # else there is no such move
                    found.append((*string, d))
            elif len(string) + 1 < length:
                behind = (heirs or [0] * 8)[d] if shorter is None else automaton.next[shorter, d]
                read((*string, d), automaton.next[state, d], int(behind))

    read((), first, None)
    return found


def effect(string: String, axes: int) -> tuple[frozenset[tuple[Place, Place]], set[Place]]:
    """What a string does to an unbounded board: (place, tile) where it changed; and its places."""
    blank = (0,) * axes
    tiles, visited = {blank: (99,)}, {blank}
    for d in string:
        there = tuple(a + b for a, b in zip(blank, STEPS[axes][d], strict=True))
        tiles[blank], tiles[there] = tiles.get(there, there), (99,)
        blank = there
        visited.add(blank)
    return frozenset(item for item in tiles.items() if item[0] != item[1]), visited


def box(places: set[Place]) -> Place:
    """The least and greatest place on each axis, so that a box inside has no greater entry."""
    columns = list(zip(*places, strict=True))
    return (*(max(column) for column in columns), *(-min(column) for column in columns))


def twin(axes: int, length: int, order: String) -> list[String]:
    """The minimal rejected strings, from the definition: each string against all smaller ones."""
    seen: dict[frozenset[tuple[Place, Place]], list[Place]] = {}
    rejected: set[String] = set()
    allowed: list[String] = [()]
    for _ in range(length + 1):
        strings, allowed = allowed, []
        for string in strings:
            if any(string[i:] in rejected for i in range(1, len(string))):
                continue
            done, places = effect(string, axes)
            boxes, mine = seen.setdefault(done, []), box(places)
            if any(all(a <= b for a, b in zip(other, mine, strict=True)) for other in boxes):
                rejected.add(string)
            else:
                boxes.append(mine)
                allowed.append(string)
        allowed = [(*string, d) for string in allowed for d in order]
    return sorted(rejected, key=lambda string: (len(string), string))


def test_length_two_rejects_the_moves_back_and_nothing_else() -> None:
    for axes in (1, 2, 3):
        back = [(d, e) for d, e in enumerate(OPPOSITE[axes])]
        assert minimal(grid_automaton(axes, 2), 4) == back
        assert len(grid_automaton(axes, 2).legal) == 2 * axes + 1
    assert grid_automaton(2, 1).legal.tolist() == [15]
    near = GRAPHS["theta 0"]
    automaton = graph_automaton(near, 2)
    for cell, cells in enumerate(near):
        back = [(d, near[to].index(cell)) for d, to in enumerate(cells)]
        assert minimal(automaton, 4, cell, cells) == back


@pytest.mark.parametrize(
    ("axes", "length", "order"),
    [
        (1, 8, (0, 1)),
        (2, 8, (0, 3, 1, 2)),
        (2, 8, (3, 2, 1, 0)),
        (2, 8, (2, 0, 3, 1)),
        (3, 6, (5, 0, 1, 4, 2, 3)),
    ],
)
def test_rejected_strings_are_those_of_the_definition(
    axes: int, length: int, order: String
) -> None:
    found = minimal(grid_automaton(axes, length, order), length + 2)
    assert sorted(found, key=lambda string: (len(string), string)) == twin(axes, length, order)


@pytest.mark.slow
def test_rejected_strings_of_eleven_moves_are_those_of_the_definition() -> None:
    found = minimal(grid_automaton(2, 11), 11)
    assert sorted(found, key=lambda string: (len(string), string)) == twin(2, 11, (0, 3, 1, 2))


def test_the_first_duplicates_turn_a_square_by_half() -> None:
    """Twelve moves round a square are none: six one way are six the other way, seven are five."""

    def words(length: int, order: String) -> list[str]:
        strings = minimal(grid_automaton(2, length, order), length)
        return ["".join("ULRD"[d] for d in string) for string in strings if len(string) > 2]

    both_ways = {f"{a}{b}{c}{d}{a}{b}" for a, b, c, d in ("URDL", "RDLU", "DLUR", "LURD")}
    both_ways |= {f"{a}{b}{c}{d}{a}{b}" for a, b, c, d in ("ULDR", "LDRU", "DRUL", "RULD")}
    for order in ((0, 1, 2, 3), (0, 3, 1, 2)):
        assert words(5, order) == []
        # From each of the four corners one way of two is needless.
        six = words(6, order)
        assert len(six) == 4
        assert both_ways > set(six)
        pairs = {
            frozenset((word, word[1] + word[0] + word[3] + word[2] + word[1] + word[0]))
            for word in six
        }
        assert len(pairs) == 4
    assert len(words(7, (0, 1, 2, 3))) == 6
    assert len(words(7, (0, 3, 1, 2))) == 4


@cache
def smallest(shape: tuple[int, int], start: int, length: int) -> dict[naive.Tiles, String]:
    """The smallest string to each state of a box, breadth first in the order U D L R."""
    moves = by_direction(shape)
    tiles = list(range(1, len(moves)))
    tiles.insert(start, 0)
    found: dict[naive.Tiles, String] = {tuple(tiles): ()}
    level = list(found.items())
    for _ in range(length):
        following = []
        for state, string in level:
            for d in (0, 3, 1, 2):
                other = moved(moves, state, (d,))
                if other and other not in found:
                    found[other] = (*string, d)
                    following.append((other, found[other]))
        level = following
    return found


def moved(moves: np.ndarray, tiles: naive.Tiles, string: String) -> naive.Tiles | None:
    """The state after a string, or None where the board ends."""
    for d in string:
        blank = tiles.index(0)
        to = moves[blank][d]
        if to < 0:
            return None
        other = list(tiles)
        other[blank], other[to] = other[to], 0
        tiles = tuple(other)
    return tiles


def test_every_replacement_stays_inside_the_box() -> None:
    """The box of a rejected string, as a board of its own, has a smaller string to its state."""
    rank = {d: i for i, d in enumerate((0, 3, 1, 2))}
    strings = minimal(grid_automaton(2, 10), 10)
    assert len(strings) > 300
    for string in strings:
        low_row, low_column, *_ = (-least for least in box(effect(string, 2)[1])[2:])
        rows, columns = (
            a + b + 1
            for a, b in zip(*np.split(np.array(box(effect(string, 2)[1])), 2), strict=True)
        )
        start = -low_row * columns - low_column
        tiles = list(range(1, rows * columns))
        tiles.insert(start, 0)
        end = moved(by_direction((rows, columns)), tuple(tiles), string)
        assert end is not None
        other = smallest((int(rows), int(columns)), int(start), 10)[end]
        assert len(other) <= len(string)
        assert len(other) < len(string) or [rank[d] for d in other] < [rank[d] for d in string]


def needless_from(near: naive.Near, start: int, length: int) -> set[String]:
    """The strings from a cell to which there is a smaller one of the same effect."""
    tiles = list(range(1, len(near)))
    tiles.insert(start, 0)
    seen: set[naive.Tiles] = set()
    needless: set[String] = set()
    level: list[tuple[String, naive.Tiles]] = [((), tuple(tiles))]
    for _ in range(length + 1):
        following = []
        for string, state in level:
            if state in seen:
                needless.add(string)
            seen.add(state)
            following += [((*string, d), to) for d, to in enumerate(naive.slides(near, state))]
        level = following
    return needless


@pytest.mark.parametrize("name", [*GRAPHS, *RANDOM])
def test_rejected_strings_of_graphs_are_those_of_the_definition(name: str) -> None:
    """After an allowed string a move is allowed unless what it ends with is then needless."""
    near = (GRAPHS | RANDOM)[name]
    length = 8 if max(map(len, near)) < 4 else 6
    automaton = graph_automaton(near, length)
    needless = [needless_from(near, cell, length) for cell in range(len(near))]

    def read(string: String, way: String, state: int) -> None:
        for d, to in enumerate(near[way[-1]]):
            ends = (((*string, d)[i:], cell) for i, cell in enumerate(way))
            allowed = not any(end in needless[cell] for end, cell in ends)
            assert bool(automaton.legal[state] >> d & 1) is allowed
            if allowed and len(string) + 1 < length:
                read((*string, d), (*way, to), int(automaton.next[state, d]))
        assert int(automaton.legal[state]) >> len(near[way[-1]]) == 0

    for cell in range(len(near)):
        read((), (cell,), cell)


# -- the rest -----------------------------------------------------------------------------------


@pytest.mark.parametrize("few", [1, 4])
def test_equal_sums_never_reject(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With sums that tell next to nothing apart the tiles themselves decide, and alike."""
    grid, graph = grid_automaton(2, 6), graph_automaton(GRAPHS["theta 0"], 7)
    rng = np.random.default_rng(0)

    def integers(high: int, size: int, dtype: type) -> np.ndarray:
        return rng.integers(few, size=size).astype(dtype) << np.uint64(62)

    with monkeypatch.context() as patch:
        patch.setattr(np.random, "default_rng", lambda seed: SimpleNamespace(integers=integers))
        again = grid_automaton(2, 6), graph_automaton(GRAPHS["theta 0"], 7)
    for one, other in zip((grid, graph), again, strict=True):
        assert one.next.tolist() == other.next.tolist()
        assert one.legal.tolist() == other.legal.tolist()


def test_arrays() -> None:
    for automaton in (
        grid_automaton(2, 8),
        grid_automaton(1, 5),
        graph_automaton(random_graph(3), 6),
    ):
        states, width = automaton.next.shape
        assert automaton.next.dtype == np.uint32
        assert automaton.legal.dtype == np.uint8
        assert automaton.legal.shape == (states,)
        assert automaton.next.max() < states
        assert int(automaton.legal.max()) < 1 << width
        sets = automaton.legal[:, None] >> np.arange(width) & 1
        assert (automaton.next[sets == 0] == 0).all()
    for leaves, dtype in ((9, np.uint16), (17, np.uint32), (33, np.uint64), (64, np.uint64)):
        star = graph_automaton([list(range(1, leaves + 1)), *[[0]] * leaves], 2)
        assert star.legal.dtype == dtype
        assert int(star.legal[0]) == (1 << leaves) - 1
        after = star.next[star.next[0, leaves - 1], 0]
        assert int(star.legal[star.next[0, leaves - 1]]) == 0
        assert after == 0


def test_limits_choose_the_length() -> None:
    near = naive.grid_neighbours((3, 3))
    sizes = [9, *(len(graph_automaton(near, length).legal) for length in range(1, 13))]
    assert sizes == sorted(sizes)
    for room in (0, 9, 33, 100, 1000):
        automaton = graph_automaton(near, 12, max_states=room)
        assert len(automaton.legal) <= max(room, 9)
        assert len(automaton.legal) == sizes[automaton.length]
        assert automaton.length == 12 or sizes[automaton.length + 1] > room
    # One string a cell, then one an edge, each lengthened four ways.
    assert graph_automaton(near, 12, max_strings=36).length == 1
    assert graph_automaton(near, 12, max_strings=96).length == 2
    assert graph_automaton(near, 12, max_strings=35).legal.tolist() == [
        sum(1 << d for d in range(len(cells))) for cells in near
    ]


def test_what_cannot_be_made_is_told() -> None:
    with pytest.raises(Unsupported, match="1, 2 or 3 axes; got 4"):
        grid_automaton(4, 2)
    with pytest.raises(Unsupported, match="length is a whole number of at least 1; got 0"):
        grid_automaton(2, 0)
    with pytest.raises(Unsupported, match=r"each of 0\.\.3 once"):
        grid_automaton(2, 2, (0, 1, 2, 2))
    for axes, longest in zip((1, 2, 3), LONGEST, strict=True):
        with pytest.raises(Unsupported, match=f"up to {longest} moves"):
            grid_automaton(axes, longest + 1)
    with pytest.raises(Unsupported, match="64 neighbours"):
        graph_automaton([list(range(1, 66)), *[[0]] * 65], 2)
    with pytest.raises(Unsupported, match="max_states"):
        graph_automaton([[1], [0]], 2, max_states=-1)
