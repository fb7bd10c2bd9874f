"""Partitions of the tiles into patterns: what is refused, drawn, read and made."""

from __future__ import annotations

import random
from importlib.resources import files
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.board import Board
from taquin.errors import ParseError, TaquinError, Unsupported
from taquin.patterns import partitions
from taquin.patterns.partitions import Partition, automatic, drawn, find, parse, standard
from taquin.patterns.sums import mirror_of, turned
from taquin.patterns.symmetry import automorphisms
from taquin.state import State

FOUR = Board.grid(4, 4)


def random_board(seed: int, n: int) -> Board:
    rng = random.Random(seed)
    edges = {(rng.randrange(cell), cell) for cell in range(1, n)}
    for _ in range(n):
        a, b = sorted(rng.sample(range(n), 2))
        edges.add((a, b))
    return Board.from_edges(edges)


ZOO = [
    *(Board.grid(*shape) for shape in [(2, 2), (2, 3), (1, 5), (3, 3), (4, 3), (4, 4), (5, 5)]),
    *(Board.grid(*shape) for shape in [(2, 7), (2, 2, 2), (2, 3, 3), (3, 3, 3), (2, 2, 2, 2)]),
    *(Board.grid(*shape, wrap=(0, 1)) for shape in [(3, 3), (4, 4), (5, 5)]),
    Board.grid(3, 5, wrap=(1,)),
    Board.draw("....|.##.|...."),
    Board.draw("...|...|.##"),
    *(random_board(seed, n) for seed, n in [(1, 5), (2, 9), (3, 14), (4, 22), (5, 30)]),
]
zoo = pytest.mark.parametrize("board", ZOO, ids=lambda board: board.spec[:24])


# -- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blank", "patterns", "words"),
    [
        (0, ((1, 2, 3), (3, 4, 5)), "share a tile"),
        (0, ((1, 2, 2), (3, 4, 5)), "share a tile"),
        (0, ((1, 2, 3), (4,)), r"\[5\]"),
        (0, ((0, 1, 2), (3, 4, 5)), "blank"),
        (5, ((0, 1, 2), (3, 4, 5)), "blank"),
        (0, ((1, 2, 3), (4, 5, 6)), "0..5"),
        (0, ((1, 2, 3), (4, 5, -1)), "0..5"),
        (6, ((1, 2, 3), (4, 5, 0)), "0..5"),
        (0, ((1, 2, 3, 4, 5), ()), "1 to 8 tiles"),
        (0, (), "in none"),
        (-1, ((1, 2, 3), (4, 5, 0)), "0..5"),
        (0, ((1, 2, 3), (4, 5.0)), "0..5"),
    ],
)
def test_no_partition(blank: int, patterns: tuple[tuple[int, ...], ...], words: str) -> None:
    with pytest.raises(Unsupported, match=words) as caught:
        Partition(Board.grid(2, 3), blank, patterns)
    assert "\n" not in str(caught.value)


def test_too_large_and_too_many() -> None:
    tiles = tuple(range(1, 16))
    with pytest.raises(Unsupported, match="1 to 8 tiles"):
        Partition(FOUR, 0, (tiles[:9], tiles[9:]))
    with pytest.raises(Unsupported, match="at most 8 patterns; got 15"):
        Partition(FOUR, 0, tuple((tile,) for tile in tiles))


def test_names_and_sizes() -> None:
    made = Partition(Board.grid(2, 3), 2, ((5, 0), (4, 3, 1)))
    assert made.patterns == ((0, 5), (1, 3, 4))
    assert made.name == "2-3"
    assert made.entries == 6 * 5 + 6 * 5 * 4
    assert made.drawing() == "a b .\nb b a"
    assert str(made) == "2x3 2-3: \na b .\nb b a"


def test_numbers_of_numpy_become_whole_numbers() -> None:
    cells = np.array([[5, 0], [4, 3]])
    made = Partition(Board.grid(2, 3), np.int64(2), (tuple(cells[0]), (*cells[1], 1)))  # type: ignore[arg-type]
    assert made == Partition(Board.grid(2, 3), 2, ((0, 5), (1, 3, 4)))
    assert all(type(cell) is int for cells in (*made.patterns, (made.blank,)) for cell in cells)


def test_walls_and_layers_are_drawn() -> None:
    walls = Partition(Board.draw("#..|...|.#."), 2, ((0, 1, 3), (4, 5, 6)))
    assert walls.drawing() == "# a a\n. a b\nb # b"
    box = Partition(Board.grid(2, 2, 2), 7, ((0, 1, 2, 3), (4, 5, 6)))
    assert box.drawing() == "a a\na a\nb b\nb ."
    graph = Partition(Board.from_edges([(0, 1), (1, 2), (1, 3)]), 1, ((0, 3), (2,)))
    assert graph.drawing() == "a . b a"
    for made in (walls, box, graph):
        assert list(parse(str(made))) == [made]


# -- drawings ------------------------------------------------------------------------------------


@st.composite
def some_partitions(draw: st.DrawFn) -> Partition:
    board = draw(st.sampled_from([board for board in ZOO if board.n <= 27]))
    order = draw(st.permutations(range(board.n)))
    blank, tiles = order[0], list(order[1:])
    patterns: list[tuple[int, ...]] = []
    while tiles:
        others = 8 * (7 - len(patterns))  # tiles that the patterns to come can hold
        size = draw(st.integers(max(1, len(tiles) - others), min(8, len(tiles))))
        patterns.append(tuple(tiles[:size]))
        tiles = tiles[size:]
    return Partition(board, blank, tuple(patterns), draw(st.sampled_from(["", "a test", "a: b"])))


@given(some_partitions())
def test_drawing_and_parse_are_inverses(made: Partition) -> None:
    text = f"# a remark\n{made}\n"
    assert list(parse(text)) == [made]
    assert list(parse(f"\n{text}\n\n\n{text}\n")) == [made, made]


@given(some_partitions())
def test_carried_there_and_back(made: Partition) -> None:
    near = [made.board.neighbours(cell) for cell in range(made.board.n)]
    for symmetry in automorphisms(near, limit=5):
        back = sorted(range(made.board.n), key=symmetry.__getitem__)
        there = made.carried(symmetry)
        assert there.blank == symmetry[made.blank]
        assert there.name == made.name
        assert there.carried(back) == made


HALVES = "\na a b b" * 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4x4 7-8\n. a b b", r"rows of \[4, 4, 4, 4\].*got \[4\]"),
        ("4x4: nobody\n. a b b" + HALVES, "expected a heading"),
        ("4x4 7-8: twice\n. . b b" + HALVES, "one '.'.*got 2"),
        ("4x4 7-8: none\na a b b" + HALVES, "one '.'.*got 0"),
        ("4x4 8-7: another name\n. a b b" + HALVES, "drawing of 7-8"),
        ("4x4 7-8: a letter too many\n. a b b b" + HALVES, r"got \[5, 4, 4, 4\]"),
        ("4x4 7-8: rows of eight\n. a b b a a b b\na a b b a a b b", r"got \[8, 8\]"),
        ("4x4 7 8: a word too many\n. a b b" + HALVES, "expected a heading"),
        ("7-8 4x4: turned round\n. a b b" + HALVES, "cannot read the board"),
        ("4x4 7-8: no such letter\n. A b b" + HALVES, "'A'"),
        ("4x4 7-8: a wall where there is none\n. # b b" + HALVES, "where the board has walls"),
        ("walls:..|.# 2: no wall\n. a\na a", "where the board has walls"),
        ("2x3 9-9: not so many tiles\n. a b\na a b", "drawing of 3-2"),
        ("2x5 9: too large\n. a a a a\na a a a a", "1 to 8 tiles"),
    ],
)
def test_drawings_that_cannot_be_read(text: str, words: str) -> None:
    for before, line in (("", 1), ("# a remark\n\n2x2 2-1: good\n. a\na b\n\n", 7)):
        with pytest.raises(ParseError, match=words) as caught:
            list(parse(before + text))
        assert "\n" not in str(caught.value)
        assert f"from line {line} on" in str(caught.value)


def test_the_drawn_ones() -> None:
    names = [(made.board.spec, made.name, made.blank) for made in drawn()]
    assert len(set(names)) == len(names)
    four = product(["4x4"], ["6-6-3", "7-7-1", "7-8"], [0, 1, 5])
    five = product(["5x5"], ["6-6-6-6", "7-7-5-5", "7-7-7-3"], [0])
    assert set(names) == {("4x4", "5-5-5", 0), *four, *five}
    for made in drawn():
        assert made.source
        assert list(parse(str(made))) == [made]
    text = files("taquin.patterns").joinpath("partitions.txt").read_text("utf-8")
    kept = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    assert kept.strip() == "\n\n".join(map(str, drawn()))


@pytest.mark.parametrize("blank", range(16))
def test_found_for_every_blank(blank: int) -> None:
    for name in ("6-6-3", "7-7-1", "7-8"):
        found = find(FOUR, blank, name)
        assert found is not None
        assert (found.blank, found.name, found.board) == (blank, name, FOUR)
    assert find(FOUR, blank, "1-2-3") is None
    assert (find(FOUR, blank, "5-5-5") is not None) is (blank in (0, 3, 12, 15))
    assert find(FOUR, blank) == standard(FOUR, blank)


def test_turned_as_the_board_turns() -> None:
    # Found for another blank, the drawing lies as some symmetry takes it, pattern by pattern.
    near = [FOUR.neighbours(cell) for cell in range(16)]
    for made in drawn():
        if made.board != FOUR:
            continue
        turns = [made.carried(symmetry) for symmetry in automorphisms(near)]
        for blank in range(16):
            found = find(FOUR, blank, made.name)
            alike = [turn for turn in turns if turn.blank == blank]
            assert not alike or found in alike


def test_nothing_drawn_for_a_board_or_a_blank() -> None:
    assert find(Board.grid(4, 4, wrap=(0, 1)), 0, "7-8") is None
    assert find(Board.grid(3, 3), 0) is None
    assert find(Board.grid(5, 5), 12) is None
    assert find(Board.grid(5, 5), 12, "6-6-6-6") is None


def test_the_halves_of_the_literature() -> None:
    halves = find(FOUR, 0, "7-8")
    assert halves is not None
    assert halves.patterns == ((1, 4, 5, 8, 9, 12, 13), (2, 3, 6, 7, 10, 11, 14, 15))
    turned_round = find(FOUR, 15, "7-8")
    assert turned_round is not None
    mirrored = {frozenset(15 - cell for cell in cells) for cells in halves.patterns}
    transposed = {frozenset(4 * (c % 4) + c // 4 for c in cells) for cells in mirrored}
    assert set(map(frozenset, turned_round.patterns)) in (mirrored, transposed)


# -- made ones -----------------------------------------------------------------------------------


@zoo
@pytest.mark.parametrize("largest", [1, 3, 6, 8])
def test_automatic(board: Board, largest: int) -> None:
    for blank in {0, board.n // 2, board.n - 1}:
        needed = -(-(board.n - 1) // largest)
        if needed > 8:
            with pytest.raises(Unsupported, match="at most 8 patterns"):
                automatic(board, blank, largest)
            continue
        made = automatic(board, blank, largest)
        cells = sorted(cell for pattern in made.patterns for cell in pattern)
        assert cells == [cell for cell in range(board.n) if cell != blank]
        sizes = [len(pattern) for pattern in made.patterns]
        assert sizes[:-1] == [largest] * (needed - 1)
        assert 1 <= sizes[-1] <= largest
        assert (made.board, made.blank) == (board, blank)
        partitions._made.cache_clear()
        assert automatic(board, blank, largest) == made  # nothing random in it


@zoo
def test_automatic_of_given_sizes(board: Board) -> None:
    sizes = [len(pattern) for pattern in automatic(board, 0).patterns][::-1]
    made = automatic(board, 0, sizes=sizes)
    assert [len(pattern) for pattern in made.patterns] == sizes
    assert made == automatic(board, 0, sizes=tuple(sizes))


@pytest.mark.parametrize(
    ("blank", "options", "words"),
    [
        (0, {"sizes": [4, 5]}, r"8 tiles are needed; got \[4, 5\]"),
        (0, {"sizes": [4, 3]}, r"8 tiles are needed; got \[4, 3\]"),
        (0, {"sizes": [4, 0, 4]}, "sizes of 1 to 8"),
        (0, {"sizes": [9, -1]}, "sizes of 1 to 8"),
        (0, {"sizes": []}, "sizes of 1 to 8"),
        (0, {"largest": 0}, "1 to 8 tiles; got 0"),
        (0, {"largest": -3}, "1 to 8 tiles; got -3"),
        (9, {}, "0..8; got 9"),
        (-1, {}, "0..8; got -1"),
    ],
)
def test_nothing_automatic(blank: int, options: dict[str, Any], words: str) -> None:
    with pytest.raises(Unsupported, match=words):
        automatic(Board.grid(3, 3), blank, **options)


def test_automatic_keeps_tiles_together() -> None:
    # On 3x3x3 a random pattern of six has about two neighbouring pairs in it.
    made = automatic(Board.grid(3, 3, 3), 26, 6)
    for pattern in made.patterns[:-1]:
        pairs = sum(b in made.board.neighbours(a) for a in pattern for b in pattern) / 2
        assert pairs >= 5


@zoo
@pytest.mark.parametrize("strong", [False, True])
def test_standard(board: Board, strong: bool) -> None:
    for blank in {0, board.n // 2, board.n - 1}:
        goal = State([(cell - blank) % board.n for cell in range(board.n)], board)
        cell, symmetry = turned(goal)
        assert symmetry[blank] == cell
        made = standard(board, cell, strong=strong)
        assert (made.board, made.blank) == (board, cell)
        assert sum(len(pattern) for pattern in made.patterns) == board.n - 1
        assert max(len(pattern) for pattern in made.patterns) < board.n - 1
        most = partitions.STRONG_ENTRIES if strong else partitions.ENTRIES
        assert made.entries <= most
    if board.spec in ("4x4", "5x5"):
        assert standard(board, 0, strong=strong).name == partitions.CHOSEN[board.spec][strong]


def test_standard_of_large_boards() -> None:
    assert standard(Board.grid(6, 5), 0).entries <= partitions.ENTRIES
    with pytest.raises(Unsupported, match=r"would be too large|at most 8 patterns"):
        standard(Board.grid(9, 9), 0)


def test_errors_are_ours() -> None:
    for board, blank in [(Board.grid(1, 2), 0), (Board.grid(1, 1), 0)]:
        with pytest.raises(TaquinError, match="two tiles or more"):
            standard(board, blank)


# -- mirrors -------------------------------------------------------------------------------------


def test_mirrors_keep_the_blank_and_move_a_pattern() -> None:
    for board in ZOO:
        cell = 0
        made = standard(board, cell)
        mirror = mirror_of(board, cell, made.patterns)
        near = [set(board.neighbours(c)) for c in range(board.n)]
        keeping = list(
            automorphisms([tuple(cells) for cells in near], image_of=(cell, cell), limit=64)
        )
        known = set(map(frozenset, made.patterns))
        moving = [s for s in keeping if {frozenset(s[c] for c in p) for p in known} != known]
        assert (mirror is not None) is bool(moving)
        if mirror is not None:
            assert mirror[cell] == cell
            assert all({mirror[c] for c in near[a]} == near[mirror[a]] for a in range(board.n))


def test_no_mirror_for_patterns_that_stay() -> None:
    # Transposing leaves these three as they are: a second view would say nothing new.
    board = Board.grid(3, 3)
    assert mirror_of(board, 0, [(4, 8), (1, 2, 3, 6), (5, 7)]) is None
    found = mirror_of(board, 0, [(1, 2, 4, 5), (3, 6, 7, 8)])
    assert found == (0, 3, 6, 1, 4, 7, 2, 5, 8)
