"""Partitions of the tiles into patterns: what is refused, drawn, read and made."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.board import Board
from taquin.errors import InvalidBoard, ParseError, TaquinError, Unsupported
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
    text = f"# a remark\n{made.board.spec} {made.name}: {made.source}\n{made.drawing()}\n"
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


@pytest.mark.parametrize(
    "text",
    [
        "4x4 7-8\n. a b b",
        "4x4: nobody\n" + ". a b b\n" + "a a b b\n" * 3,
        "4x4 7-8: twice\n. . b b\n" + "a a b b\n" * 3,
        "4x4 7-8: none\na a b b\n" + "a a b b\n" * 3,
        "4x4 8-7: another name\n. a b b\n" + "a a b b\n" * 3,
        "4x4 7-8: a letter too many\n. a b b b\n" + "a a b b\n" * 3,
        "4x4 7 8: a word too many\n. a b b\n" + "a a b b\n" * 3,
        "7-8 4x4: turned round\n. a b b\n" + "a a b b\n" * 3,
        "2x3 9-9: not so many tiles\n. a b\na a b",
    ],
)
def test_drawings_that_cannot_be_read(text: str) -> None:
    with pytest.raises((ParseError, InvalidBoard)) as caught:
        list(parse(text))
    assert "\n" not in str(caught.value)


def test_the_drawn_ones() -> None:
    names = [(made.board.spec, made.name, made.blank) for made in drawn()]
    assert len(set(names)) == len(names)
    assert {("4x4", "7-8", blank) for blank in (0, 1, 5)} <= set(names)
    assert ("5x5", "6-6-6-6", 0) in names
    for made in drawn():
        assert made.source
        again = f"{made.board.spec} {made.name}: {made.source}\n{made.drawing()}"
        assert list(parse(again)) == [made]


@pytest.mark.parametrize("blank", range(16))
def test_found_for_every_blank(blank: int) -> None:
    for name in ("7-7-1", "7-8"):
        found = find(FOUR, blank, name)
        assert found is not None
        assert (found.blank, found.name, found.board) == (blank, name, FOUR)
    assert find(FOUR, blank, "1-2-3") is None
    assert (find(FOUR, blank, "6-6-3") is not None) is (blank in (0, 3, 12, 15))


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
        automatic.cache_clear()
        assert automatic(board, blank, largest) == made  # nothing random in it


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
        with pytest.raises(TaquinError):
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
