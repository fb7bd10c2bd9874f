"""Pattern databases as tables: checked, kept on disk, and summed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import naive
import naive_sweep
import numpy as np
import pytest
from numpy.typing import NDArray
from test_patterns import found_at

from taquin import tables
from taquin.board import Board
from taquin.errors import LimitReached, TableError, Unsupported
from taquin.patterns.database import PatternDatabase, obtain, stored, table_key
from taquin.patterns.sums import PatternSums, sums_for, turned
from taquin.state import State
from taquin.sweep import Stop

U64 = np.uint64
Words = NDArray[np.uint64]

BOARDS = {
    "2x3": Board.grid(2, 3),
    "3x3": Board.grid(3, 3),
    "2x5": Board.grid(2, 5),
    "1x6": Board.grid(1, 6),
    "2x2x2": Board.grid(2, 2, 2),
    "2x3 ring": Board.grid(2, 3, wrap=(1,)),
    "2x4 torus": Board.grid(2, 4, wrap=(0, 1)),
    "3x3 torus": Board.grid(3, 3, wrap=(0, 1)),
    "2x5 torus": Board.grid(2, 5, wrap=(0, 1)),
    "ring": Board.from_edges([(i, (i + 1) % 7) for i in range(7)]),
    "walls": Board.draw("...|...|.##"),
    "odd graph": Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 1), (0, 2)]),
    "even graph": Board.from_edges(
        [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 6), (6, 1)]
    ),
    "star": Board.from_edges([(0, 1), (0, 2), (0, 3), (0, 4), (4, 5)]),
}
boards = pytest.mark.parametrize("name", BOARDS)


def near(board: Board) -> list[list[int]]:
    return [list(board.neighbours(cell)) for cell in range(board.n)]


def some_patterns(board: Board, blank: int, sizes: Sequence[int], seed: int) -> list[list[int]]:
    """Disjoint patterns of these sizes, the tiles at random."""
    cells = [cell for cell in range(board.n) if cell != blank]
    random.Random(seed).shuffle(cells)
    return [cells[sum(sizes[:i]) : sum(sizes[: i + 1])] for i in range(len(sizes))]


def boards_of(
    board: Board, pattern: Sequence[int], blank: int, states: Sequence[naive_sweep.State]
) -> NDArray[np.int64]:
    """Boards of goal cells with a pattern's tiles where the states say, the others in any order."""
    others = [home for home in range(board.n) if home not in pattern and home != blank]
    made = np.empty((len(states), board.n), np.int64)
    for row, (cells, hole) in zip(made, states, strict=True):
        row[:] = -1
        row[list(cells)] = pattern
        row[hole] = blank
        row[row < 0] = others
    return made


# -- verify --------------------------------------------------------------------------------------


@boards
def test_good_tables_pass(name: str) -> None:
    board = BOARDS[name]
    sizes = [min(4, board.n - 2)]
    if board.n - 1 > sizes[0]:
        sizes.append(min(3, board.n - 1 - sizes[0]))
    for blank in (0, board.n - 1):
        PatternDatabase.build(board, blank, some_patterns(board, blank, sizes, blank)).verify()


def damaged(made: PatternDatabase) -> Iterator[PatternDatabase]:
    """The same database with wrong bits of several kinds."""
    for kind in ("goal", "word", "row", "complement", "swap", "zero"):
        entries = made.entries.copy()
        other = PatternDatabase(
            made.board, made.blank, made.patterns, {**made.arrays, "entries": entries}
        )
        table = other.table(0)
        if kind == "goal":
            at = found_at(made, made.goals[0], 0, int(made.place[made.blank]))
            other.bits[at >> 3] ^= np.uint8(1 << (at & 7))
        elif kind == "word":
            table[3, 0] ^= U64(0xFFFF)
        elif kind == "row":
            table[[0, 1]] = table[[1, 0]]
        elif kind == "complement":
            table ^= ~U64(0)
        elif kind == "swap":
            table[:] = np.roll(table, 1, axis=0)
        elif kind == "zero":
            table[:] = 0
        yield other


@pytest.mark.parametrize("name", ["3x3", "3x3 torus"])
def test_wrong_tables_do_not_pass(name: str) -> None:
    made = PatternDatabase.build(BOARDS[name], 4, [[0, 1, 2, 3], [5, 6, 7, 8]])
    made.verify()
    count = 0
    for other in damaged(made):
        with pytest.raises(TableError):
            other.verify()
        count += 1
    assert count == 6


@pytest.mark.parametrize("name", ["3x3", "3x3 torus"])
def test_a_wrong_bit_does_not_pass(name: str) -> None:
    """Whichever single entry is wrong: the numbers of states by remainder do not fit any more."""
    made = PatternDatabase.build(BOARDS[name], 4, [[0, 1, 2], [3, 5, 6, 7, 8]])
    rng = random.Random(5)
    for _ in range(25):
        entries = made.entries.copy()
        other = PatternDatabase(
            made.board, made.blank, made.patterns, {**made.arrays, "entries": entries}
        )
        homes = np.array(rng.sample(range(9), 9))
        number = rng.randrange(2)
        view = made.views(made.inner(homes))[0, number]
        at = found_at(made, view, number, int(made.place[int(np.flatnonzero(homes == 4)[0])]))
        other.bits[at >> 3] ^= np.uint8(1 << (at & 7))
        with pytest.raises(TableError):
            other.verify()


# -- kept tables ---------------------------------------------------------------------------------


def test_tables_of_another_goal_are_not_used() -> None:
    board = Board.grid(3, 3)
    tables_of = {
        blank: PatternDatabase.build(board, blank, some_patterns(board, blank, [4, 4], 1))
        for blank in (0, 1, 4)
    }
    paths = {tables.path_of("patterns", made.key) for made in tables_of.values()}
    assert len(paths) == 3
    for blank, made in tables_of.items():
        for other in range(9):
            goal = State([(cell - other) % 9 for cell in range(9)], board)
            if turned(goal)[0] == blank:
                assert PatternSums(goal, made).value(goal) == 0
            else:
                with pytest.raises(Unsupported, match="not for the goal"):
                    PatternSums(goal, made)
    goal = State(range(12), Board.grid(3, 4))
    with pytest.raises(Unsupported, match="not for the goal"):
        PatternSums(goal, tables_of[0])


def test_tables_of_another_board_do_not_fit() -> None:
    arrays = PatternDatabase.build(Board.grid(3, 3), 0, [[1, 2, 3]]).arrays
    del arrays["sets"]
    with pytest.raises(TableError, match="do not fit"):
        PatternDatabase(Board.grid(3, 3), 0, [[1, 2, 3]], arrays)


def test_equal_labels_are_refused() -> None:
    board = Board.grid(2, 3)
    made = PatternDatabase.build(board, 0, [[1, 2], [3, 4, 5]])
    with pytest.raises(Unsupported, match="all different"):
        PatternSums(State([0, 1, 1, 2, 3, 4], board, repeats=True), made)


def own(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAQUIN_TABLES", str(path))


def test_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own(tmp_path, monkeypatch)
    board, patterns = Board.grid(3, 3, wrap=(0, 1)), [[1, 2, 4], [3, 5, 6, 7, 8]]
    made = obtain(board, 0, patterns)
    (path,) = tmp_path.glob("*.table")

    def never(*_: object, **__: object) -> None:
        raise AssertionError("built a second time")

    monkeypatch.setattr(PatternDatabase, "build", never)
    again = obtain(board, 0, [[4, 2, 1], [8, 7, 6, 5, 3]])  # the order of tiles says nothing
    assert np.array_equal(again.entries, made.entries)
    assert np.array_equal(again.states, made.states)
    again.verify()
    third = stored(path, made.key)
    assert (third.key, third.patterns) == (made.key, made.patterns)
    third.verify()
    with pytest.raises(TableError):
        stored(path, table_key(board, 1, patterns))


@pytest.mark.parametrize("where", ["entries", "header", "end"])
def test_damaged_files_are_found(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own(tmp_path, monkeypatch)
    board, patterns = Board.grid(3, 3), [[1, 2, 4], [3, 5, 6, 7, 8]]
    made = obtain(board, 0, patterns)
    (path,) = tmp_path.glob("*.table")
    raw = bytearray(path.read_bytes())
    if where == "end":
        raw = raw[: len(raw) // 2]
    else:
        raw[30 if where == "header" else 4096] ^= 4
    path.write_bytes(raw)
    with pytest.raises(TableError):
        stored(path, made.key)
    with pytest.warns(tables.TableWarning):
        again = obtain(board, 0, patterns)
    assert np.array_equal(again.entries, made.entries)
    stored(path, made.key).verify()


def test_stopped_and_killed_builds_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own(tmp_path, monkeypatch)
    board, patterns = Board.grid(3, 3), [[1, 2, 4], [3, 5, 6, 7, 8]]
    stop = Stop()
    parts: list[float] = []

    def tell(part: float) -> None:
        parts.append(part)
        stop.set()

    with pytest.raises(LimitReached, match="stopped"):
        obtain(board, 0, patterns, progress=tell, stop=stop)
    assert len(parts) == 1

    def kill(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        obtain(board, 0, patterns, progress=kill)
    assert list(tmp_path.iterdir()) == []
    parts.clear()
    obtain(board, 0, patterns, progress=parts.append).verify()
    assert parts == sorted(parts)
    assert parts[0] > 0
    assert parts[-1] <= 1


# -- sums: no state of 3x3 is promised too much ---------------------------------------------------


@cache
def space(
    shape: tuple[int, ...], wrap: tuple[int, ...], blank: int
) -> tuple[NDArray[np.uint8], NDArray[np.int16], NDArray[np.int64]]:
    """All states (labels by cell), their depths, and the pairs of states that a move joins."""
    graph = naive.grid_neighbours(shape, wrap)
    n = len(graph)
    goal = tuple((cell - blank) % n for cell in range(n))
    depth = naive.depths(graph, goal)
    number = {tiles: i for i, tiles in enumerate(depth)}
    joined = [
        (i, number[other]) for tiles, i in number.items() for other in naive.slides(graph, tiles)
    ]
    return (
        np.array(list(depth), np.uint8),
        np.array(list(depth.values()), np.int16),
        np.array(joined, np.int64),
    )


def audit(goal: State, patterns: Sequence[Sequence[int]] | None, *, mirrored: bool) -> float:
    """Check the sums of every state; the mean value."""
    shape, wrap = goal.board.shape, getattr(goal.board, "wrap", ())
    assert shape is not None
    states, depths, joined = space(tuple(shape), tuple(wrap), goal.blank)
    if patterns is None:
        sums = sums_for(goal)
    else:
        blank, _ = turned(goal)
        sums = PatternSums(
            goal, PatternDatabase.build(goal.board, blank, patterns), mirrored=mirrored
        )
    values = sums.values(states)
    assert (values <= depths).all()
    assert np.array_equal(values == 0, depths == 0)
    changes = np.abs(values[joined[:, 0]] - values[joined[:, 1]])
    if sums.database.width == 1:
        assert ((depths - values) % 2 == 0).all()
        assert (changes == 1).all()
    else:
        assert (changes <= 1).all()
    for side in sums.sides(states[::97]):
        assert (side.sum(axis=1) <= depths[::97]).all()
    return float(values.mean())


# Patterns by goal cells for a blank's goal on cell 0.
CUTS = [
    [[1, 2, 4, 5], [3, 6, 7, 8]],
    [[1, 2, 3], [4, 5, 6, 7, 8]],
    [[1, 2, 5], [3, 6, 7], [4, 8]],
    [[1, 3], [2, 4, 5, 6, 7, 8]],
    [[1], [2, 3, 4, 5, 6, 7, 8]],
    [[1], [2], [3], [4], [5], [6], [7], [8]],
    [[2, 4, 6, 8], [1, 3, 5, 7]],
]


def three(blank: int) -> State:
    board = Board.grid(3, 3)
    return State([(cell - blank) % 9 for cell in range(9)], board)


@pytest.mark.parametrize("patterns", CUTS, ids=lambda p: "-".join(str(len(c)) for c in p))
def test_every_state_of_3x3(patterns: list[list[int]]) -> None:
    means = {}
    for blank in (0, 8):
        for mirrored in (False, True):
            means[blank, mirrored] = audit(three(blank), patterns, mirrored=mirrored)
        assert means[blank, True] >= means[blank, False]
    # The goal with the blank last has the same tables, turned.
    assert means[0, True] == means[8, True]


@pytest.mark.parametrize("blank", [1, 4, 3])
def test_every_state_of_3x3_with_other_goals(blank: int) -> None:
    least, _ = turned(three(blank))
    cells = [cell for cell in range(9) if cell != least]
    audit(three(blank), [cells[:4], cells[4:]], mirrored=True)
    audit(three(blank), [cells[::2], cells[1::2]], mirrored=True)


def test_the_standard_partition_of_3x3() -> None:
    audit(three(8), None, mirrored=True)


@pytest.mark.parametrize("wrap", [(0,), (1,), (0, 1)])
def test_every_state_of_tori(wrap: tuple[int, ...]) -> None:
    board = Board.grid(2, 4, wrap=wrap)
    for blank in (0, 7):
        goal = State([(cell - blank) % 8 for cell in range(8)], board)
        audit(goal, [[1, 2, 3], [4, 5, 6, 7]], mirrored=True)
    board = Board.grid(2, 3, wrap=wrap)
    goal = State([(cell - 4) % 6 for cell in range(6)], board)
    cells = [cell for cell in range(6) if cell != turned(goal)[0]]
    audit(goal, [cells[:2], cells[2:]], mirrored=True)


def test_every_state_of_a_torus_without_colours() -> None:
    board = Board.grid(3, 3, wrap=(0, 1))
    goal = State([(cell - 8) % 9 for cell in range(9)], board)
    plain = audit(goal, [[1, 2, 4, 5], [3, 6, 7, 8]], mirrored=False)
    assert audit(goal, [[1, 2, 4, 5], [3, 6, 7, 8]], mirrored=True) >= plain


def test_goals_are_named_by_their_cells() -> None:
    """Whatever the labels: the value of a state depends on where tiles lie and belong."""
    board = Board.grid(3, 3)
    made = PatternDatabase.build(board, 0, CUTS[0])
    plain = PatternSums(three(0), made)
    rng = random.Random(1)
    for _ in range(20):
        names = [0, *rng.sample(range(1, 9), 8)]
        goal = State([names[tile] for tile in range(9)], board)
        tiles = rng.sample(range(9), 9)
        start = State([names[tile] for tile in tiles], board)
        if plain.goal.blank == goal.blank:
            values = PatternSums(goal, made).sides(start.tiles)
            assert [side.tolist() for side in values] == [
                side.tolist() for side in plain.sides(tiles)
            ]
