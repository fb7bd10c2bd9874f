"""Every way of the greedy construction is replayed; its tables have slow twins."""

from __future__ import annotations

import heapq
import itertools
import random
from collections import deque

import numpy as np
import numpy.typing as npt
import pytest

from taquin.board import Board
from taquin.construct import construct
from taquin.construct import greedy as room
from taquin.construct import greedy_kernels as kernels
from taquin.construct.greedy import LETTERS, greedy, pieces
from taquin.errors import InvalidState, LimitReached, Unsolvable, Unsupported
from taquin.permutation import parity
from taquin.state import State
from taquin.sweep import Stop

SMALL = list(itertools.product(range(2, 10), repeat=2))


def board(rows: int, columns: int, seed: int) -> list[int]:
    """A random board that can reach 0, 1, 2, ..."""
    homes = list(range(rows * columns))
    random.Random(f"{rows} {columns} {seed}").shuffle(homes)
    blank = homes.index(0)
    if parity(homes) != (blank // columns + blank % columns) % 2:
        a, b = [cell for cell in range(3) if cell != blank][:2]
        homes[a], homes[b] = homes[b], homes[a]
    return homes


def replay(homes: list[int], columns: int, way: npt.ArrayLike) -> list[int]:
    """Carry a way out by the rules: each cell is a neighbour of the one before."""
    tiles, blank = list(homes), homes.index(0)
    rows = len(homes) // columns
    for to in np.asarray(way).tolist():
        (r, c), (row, column) = divmod(blank, columns), divmod(to, columns)
        assert 0 <= row < rows
        assert abs(r - row) + abs(c - column) == 1
        tiles[blank], tiles[to], blank = tiles[to], 0, to
    return tiles


def manhattan(homes: list[int], columns: int) -> int:
    return sum(
        abs(home // columns - cell // columns) + abs(home % columns - cell % columns)
        for cell, home in enumerate(homes)
        if home
    )


def solved(homes: list[int], rows: int, columns: int) -> int:
    """Solve, replay, and return the length."""
    way = greedy(homes, rows, columns)
    assert way is not None
    assert way.dtype == np.int32
    assert replay(homes, columns, way) == list(range(rows * columns))
    assert len(way) >= manhattan(homes, columns)
    return len(way)


@pytest.mark.parametrize(("rows", "columns"), SMALL)
def test_every_small_shape(rows: int, columns: int) -> None:
    for seed in range(8):
        solved(board(rows, columns, seed), rows, columns)


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2)])
def test_every_board_of_the_smallest_shapes(rows: int, columns: int) -> None:
    count = 0
    for homes in itertools.permutations(range(rows * columns)):
        blank = homes.index(0)
        if parity(homes) == (blank // columns + blank % columns) % 2:
            solved(list(homes), rows, columns)
            count += 1
        else:
            with pytest.raises(InvalidState, match="parity"):
                greedy(homes, rows, columns)
    assert count == {4: 12, 6: 360}[rows * columns]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(2, 40), (40, 2), (3, 50), (50, 3), (4, 60), (60, 5), (30, 30), (17, 31), (6, 7), (100, 100)],
)
def test_larger_boards(rows: int, columns: int) -> None:
    for seed in range(1 if rows * columns > 1000 else 5):
        solved(board(rows, columns, seed), rows, columns)


@pytest.mark.parametrize(("rows", "columns"), [*SMALL, (30, 30), (2, 60), (40, 25), (70, 70)])
def test_the_quick_rules(rows: int, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What boards of more than `LARGE` cells are built by."""
    monkeypatch.setattr(room, "LARGE", 0)
    for seed in range(3):
        solved(board(rows, columns, seed), rows, columns)


@pytest.mark.parametrize("size", [10, 20, 40])
def test_ways_are_short(size: int) -> None:
    """Classical constructions take about four times Manhattan distance."""
    ratios = []
    for seed in range(5):
        homes = board(size, size, seed)
        ratios.append(solved(homes, size, size) / manhattan(homes, size))
    assert sum(ratios) / len(ratios) < 2.9


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 9), (3, 3), (7, 7), (10, 10), (40, 30)])
def test_a_solved_board_takes_no_move(rows: int, columns: int) -> None:
    way = greedy(range(rows * columns), rows, columns)
    assert way is not None
    assert way.shape == (0,)
    assert list(pieces(range(rows * columns), rows, columns)) == []


def test_one_move_is_found() -> None:
    for rows, columns in ((5, 5), (8, 3), (12, 12)):
        homes = list(range(rows * columns))
        homes[0], homes[1] = 1, 0
        assert solved(homes, rows, columns) == 1


@pytest.mark.parametrize("large", [0, 100_000])
def test_pieces_are_the_whole_way(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LARGE", large)
    homes = board(40, 50, 1)
    way = greedy(homes, 40, 50)
    assert way is not None
    monkeypatch.setattr(room, "SLICE", 500)
    monkeypatch.setattr(room, "QUICK_SLICE", 500)
    shares: list[float] = []
    parts = list(pieces(homes, 40, 50, progress=shares.append))
    assert len(parts) > 100
    assert all(0 < part.size < 500 + 64 * 90 + 4096 for part in parts)
    codes = np.concatenate(parts)
    assert codes.dtype == np.uint8
    assert codes.max() <= 3
    steps = np.array([-50, 50, -1, 1])[codes]
    assert (homes.index(0) + np.cumsum(steps) == way).all()
    letters = codes.tobytes().translate(LETTERS).decode()
    assert letters == "".join("UDLR"[code] for code in codes)
    assert shares == sorted(shares)
    assert shares[0] >= 0
    assert shares[-1] == 1


def test_the_same_board_takes_the_same_way() -> None:
    homes = board(25, 25, 3)
    one, other = (greedy(homes, 25, 25) for _ in range(2))
    assert one is not None
    assert other is not None
    assert one.tobytes() == other.tobytes()


def test_a_stop_ends_it() -> None:
    homes = board(30, 30, 1)
    stop = Stop()
    stop.set()
    assert greedy(homes, 30, 30, stop=stop) is None
    with pytest.raises(LimitReached, match="stopped"):
        list(pieces(homes, 30, 30, stop=stop))
    stop = Stop()
    running = pieces(homes, 30, 30, stop=stop)
    assert next(running).size > 0
    stop.set()
    with pytest.raises(LimitReached, match="stopped"):
        next(running)


def test_the_core_may_be_solved_by_others() -> None:
    given: list[tuple[int, int]] = []

    def core(homes: npt.NDArray[np.int32], rows: int, columns: int) -> list[int]:
        given.append((rows, columns))
        assert sorted(homes.tolist()) == list(range(rows * columns))
        way = greedy(homes, rows, columns)
        assert way is not None
        return [int(cell) for cell in way]

    for rows, columns in ((9, 9), (2, 9), (9, 4), (5, 5), (6, 7)):
        homes = board(rows, columns, 1)
        way = greedy(homes, rows, columns, core=core)
        assert way is not None
        assert replay(homes, columns, way) == list(range(rows * columns))
        assert given
        assert {tuple(sorted(shape)) for shape in given} == {
            tuple(sorted((min(rows, 6), min(columns, 6))))
        }
        given.clear()


def test_bad_input() -> None:
    for rows, columns in ((1, 6), (6, 1), (0, 6), (6, 0)):
        with pytest.raises(Unsupported, match="at least 2 x 2"):
            greedy(range(6), rows, columns)
    with pytest.raises(InvalidState, match="5 homes given"):
        greedy(range(5), 2, 3)
    with pytest.raises(InvalidState):
        greedy([0, 1, 2, 3, 4, 4], 2, 3)
    with pytest.raises(InvalidState, match="parity"):
        greedy([0, 2, 1, 3, 4, 5], 2, 3)


# -- the tables have slow twins -----------------------------------------------------------------


def around(rows: int, columns: int, cell: int) -> list[int]:
    r, c = divmod(cell, columns)
    near = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
    return [i * columns + j for i, j in near if 0 <= i < rows and 0 <= j < columns]


@pytest.mark.parametrize(
    ("rows", "columns", "is_row"),
    [(5, 5, True), (5, 5, False), (3, 5, False), (5, 3, True), (2, 5, False), (5, 2, True)],
)
def test_the_table_of_a_window(rows: int, columns: int, is_row: bool) -> None:
    n = rows * columns
    if is_row:
        one, other, walls = n - columns + 1, n - columns, set(range(n - columns + 2, n))
    else:
        one, other = 2 * columns - 1, columns - 1
        walls = set(range(3 * columns - 1, n, columns))
    free = [cell for cell in range(n) if cell not in walls]
    depth = {(one, other, blank): 0 for blank in free if blank not in (one, other)}
    queue = deque(depth)
    while queue:
        a, b, blank = state = queue.popleft()
        for to in around(rows, columns, blank):
            if to in walls:
                continue
            after = (blank if a == to else a, blank if b == to else b, to)
            if after not in depth:
                depth[after] = depth[state] + 1
                queue.append(after)
    wanted = np.full((n, n, n), 255)
    for state, moves in depth.items():
        wanted[state] = moves
    assert (room._pairs(rows, columns, is_row).reshape(n, n, n) == wanted).all()
    places = len(free) * (len(free) - 1) * (len(free) - 2)
    assert len(depth) == places


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_the_table_of_the_core(rows: int, columns: int) -> None:
    n = rows * columns
    depth = {tuple(range(n)): 0}
    queue = deque(depth)
    while queue:
        state = queue.popleft()
        blank = state.index(0)
        for to in around(rows, columns, blank):
            tiles = list(state)
            tiles[blank], tiles[to] = tiles[to], 0
            after = tuple(tiles)
            if after not in depth:
                depth[after] = depth[state] + 1
                queue.append(after)
    table = room._depths(rows, columns)
    assert (table < 255).sum() == len(depth) == len(table) // 2
    for number, tiles_in_order in enumerate(itertools.permutations(range(n))):
        assert table[number] == depth.get(tiles_in_order, 255)


@pytest.mark.parametrize("seed", range(40))
def test_the_blank_goes_along_a_cheapest_way(seed: int) -> None:
    """The twin of `reach`: Dijkstra's search with a heap, from the blank on."""
    rng = random.Random(seed)
    rows, columns = rng.randint(3, 12), rng.randint(3, 12)
    homes = board(rows, columns, seed)
    work = room._Board(np.array(homes), rows, columns).work
    blank, one, other = homes.index(0), *rng.sample(range(rows * columns), 2)
    extra = rng.randint(0, int(kernels.BAD))
    packed = [
        np.uint64((cell // columns + 1) << 16 | (cell % columns + 1)) for cell in (one, other)
    ]
    assert kernels.reach(work, *packed, np.uint64(extra))
    codes = work.moves[: int(work.mark[kernels.USED])]
    way = (blank + np.cumsum(np.array([-columns, columns, -1, 1])[codes])).tolist()
    assert len(set(way)) == len(way)

    corners = [divmod(cell, columns) for cell in (blank, one, other)]
    margin = int(kernels.MARGIN)
    low, high = (
        [pick(axis) + side * margin for axis in zip(*corners, strict=True)]
        for pick, side in ((min, -1), (max, 1))
    )

    def cost(here: int, to: int) -> int:
        (r, c), (row, column) = divmod(homes[to], columns), divmod(to, columns)
        (to_row, to_column) = divmod(here, columns)
        gain = abs(r - row) + abs(c - column) - abs(r - to_row) - abs(c - to_column)
        return int(kernels.GOOD if gain > 0 else kernels.BAD)

    paid = {blank: 0}
    heap = [(0, blank)]
    while heap:
        total, cell = heapq.heappop(heap)
        for to in around(rows, columns, cell):
            row, column = divmod(to, columns)
            inside = low[0] <= row <= high[0] and low[1] <= column <= high[1]
            if inside and total + cost(cell, to) < paid.get(to, 1 << 30):
                paid[to] = total + cost(cell, to)
                heapq.heappush(heap, (paid[to], to))
    end = way[-1] if way else blank
    assert end in (one, other)
    found = sum(cost(here, to) for here, to in itertools.pairwise([blank, *way]))
    if blank not in (one, other):
        assert found + (extra if end == other else 0) == min(paid[one], paid[other] + extra)


# -- boxes and tori: the classical construction -------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "wrap"),
    [((3, 3, 3), ()), ((9, 10, 11), ()), ((30, 30, 30), ()), ((9, 9), (0, 1)), ((30, 25), (1,))],
)
def test_boxes_and_tori(shape: tuple[int, ...], wrap: tuple[int, ...]) -> None:
    grid = Board.grid(*shape, wrap=wrap)
    tiles = list(range(grid.n))
    random.Random(repr(shape)).shuffle(tiles)
    goal = State([*range(1, grid.n), 0], grid)
    try:
        made = construct(State(tiles, grid), goal)
    except Unsolvable:
        a, b = [cell for cell in range(3) if tiles[cell]][:2]
        tiles[a], tiles[b] = tiles[b], tiles[a]
        made = construct(State(tiles, grid), goal)
    near = [frozenset(grid.neighbours(cell)) for cell in range(grid.n)]
    blank = tiles.index(0)
    for to in made.walk:
        assert to in near[blank]
        tiles[blank], tiles[to], blank = tiles[to], 0, to
    assert tuple(tiles) == goal.tiles
