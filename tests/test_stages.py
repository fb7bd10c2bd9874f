"""The beam by stages: every way replayed by plain rules, its tables against plain search."""

import itertools
import time
from collections import deque

import naive
import numpy as np
import pytest

from taquin.errors import TableError, Unsupported
from taquin.near import pairs, stage_kernels, stage_plan, stages
from taquin.near.stage_plan import stages_of, table_of
from taquin.near.stages import StageBeam, suits
from taquin.sweep import Stop

SHAPES = list(itertools.product(range(4, 9), repeat=2))


def random_homes(rows: int, columns: int, luck: np.random.Generator) -> list[int]:
    """A uniformly random solvable board."""
    homes = luck.permutation(rows * columns).tolist()
    blank = homes.index(0)
    if (len(homes) - naive.orbits(homes) - blank // columns - blank % columns) % 2:
        first, second = [cell for cell in range(len(homes)) if cell != blank][:2]
        homes[first], homes[second] = homes[second], homes[first]
    return homes


def replayed(homes: list[int], rows: int, columns: int, way: np.ndarray) -> list[int]:
    """The board at the end of a way, each move checked."""
    near = naive.grid_neighbours((rows, columns))
    board, blank = list(homes), homes.index(0)
    for cell in way.tolist():
        assert cell in near[blank]
        board[blank], board[cell] = board[cell], 0
        blank = cell
    return board


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_every_shape_is_solved(rows: int, columns: int) -> None:
    luck = np.random.default_rng(rows * 10 + columns)
    beam = StageBeam(rows, columns)
    for _ in range(4):
        homes = random_homes(rows, columns, luck)
        way = beam.solve(homes, 200)
        assert way is not None
        assert way.dtype == np.int32
        assert replayed(homes, rows, columns, way) == list(range(rows * columns))
        distance = sum(
            abs(home // columns - cell // columns) + abs(home % columns - cell % columns)
            for cell, home in enumerate(homes)
            if home
        )
        assert distance <= len(way) < 4 * distance + 60


@pytest.mark.parametrize(
    ("rows", "columns", "width"),
    [(2, 3, 50), (2, 9, 300), (9, 2, 300), (3, 11, 300), (11, 3, 300), (2, 2, 9), (3, 16, 300)],
)
def test_narrow_boards(rows: int, columns: int, width: int) -> None:
    luck = np.random.default_rng(5)
    for _ in range(3):
        homes = random_homes(rows, columns, luck)
        way = StageBeam(rows, columns).solve(homes, width)
        assert way is not None
        assert replayed(homes, rows, columns, way) == list(range(rows * columns))


@pytest.mark.parametrize(("rows", "columns"), [(10, 12), (17, 16)])
def test_windows_of_the_tables(rows: int, columns: int) -> None:
    """Boards bigger than the windows, and with labels of two bytes."""
    homes = random_homes(rows, columns, np.random.default_rng(2))
    way = StageBeam(rows, columns).solve(homes, 150)
    assert way is not None
    assert replayed(homes, rows, columns, way) == list(range(rows * columns))


def plain_distances(
    rows: int, columns: int, closed: tuple[int, ...], goals: tuple[int, ...]
) -> dict[tuple[int, ...], int]:
    """How far tiles and blank are from the tiles' goals, by plain breadth-first search."""
    near = naive.grid_neighbours((rows, columns))
    free = [cell for cell in range(rows * columns) if cell not in closed]
    reached = {(*goals, blank): 0 for blank in free if blank not in goals}
    todo = deque(reached)
    while todo:
        *tiles, blank = todo.popleft()
        for cell in near[blank]:
            if cell in closed:
                continue
            after = (*(blank if tile == cell else tile for tile in tiles), cell)
            if after not in reached:
                reached[after] = reached[(*tiles, blank)] + 1
                todo.append(after)
    return reached


@pytest.mark.parametrize(
    ("rows", "columns", "closed", "goals"),
    [
        (3, 4, (), (11,)),
        (3, 4, (11,), (10, 9)),
        (4, 3, (8, 11), (2, 5)),
        (2, 5, (), (9, 4)),
        (5, 4, (19, 18), (17, 16)),
    ],
)
def test_tables_are_exact(
    rows: int, columns: int, closed: tuple[int, ...], goals: tuple[int, ...]
) -> None:
    m = rows * columns
    table = table_of(rows, columns, closed, goals).reshape((m,) * (len(goals) + 1))
    reached = plain_distances(rows, columns, closed, goals)
    assert len(reached) > m
    free = [cell for cell in range(m) if cell not in closed]
    for places in itertools.permutations(free, len(goals) + 1):
        assert table[places] == reached.get(places, 255)


@pytest.mark.parametrize(("rows", "columns"), [(6, 6), (6, 7), (7, 4), (9, 9)])
def test_the_stages_close_all_but_the_core(rows: int, columns: int) -> None:
    all_stages, first = stages_of(rows, columns)
    n = rows * columns
    for begin in first:
        at, closed = begin, set()
        while all_stages[at].cells:
            stage = all_stages[at]
            assert stage.open.sum() == n - len(closed)
            assert all(stage.open[cell] for cell in stage.cells)
            closed.update(stage.cells)
            at = stage.follow[-1]
        core = itertools.product(range(min(rows, 5)), range(min(columns, 5)))
        left = {row * columns + column for row, column in core}
        assert set(range(n)) - closed == left


def after_levels(ground, plan, rules, board, first, levels):
    """What a search remembers, and its beam, after some levels."""
    search = stages.Search(30, board.size)
    at, starts = np.zeros(stage_kernels.FIELDS, np.int64), np.empty(levels, np.int64)
    search._plant(search._beams[0], ground, plan, rules, board, 0, first, at)
    log = np.empty(30 * levels, np.uint32)
    made = stage_kernels.advance(
        *(ground, plan, rules, *search._beams, search._children, search._met, search._counts),
        *(log, starts, at, Stop().flag),
    )
    assert made == levels
    return at, search._beams[levels % 2]


def test_scores_of_children_are_those_of_their_boards() -> None:
    """A score is carried on from parent to child, over walls too; from nothing it is the same."""
    rows, columns, n = 6, 7, 42
    ground = pairs.ground(rows, columns, 0, pairs.load())
    plan, first = stage_plan.plan_of(rows, columns)
    rules = stages.Rules(
        *(13, 64, 0, 40, 1000, np.uint64(columns), np.uint64(1))  # in the order of the fields
    )
    luck = np.random.default_rng(8)
    board = np.array(random_homes(rows, columns, luck), np.uint8)
    alpha = -int(ground.gains.min())
    seen = set()
    for levels in range(1, 160, 9):
        at, beam = after_levels(ground, plan, rules, board, first, levels)
        for state in range(at[stage_kernels.COUNT]):
            stage = np.uint64(beam.stages[state])
            seen.add(int(stage))
            score, manhattan = stage_kernels.score(
                *(ground, plan, beam.boards[state][None], stage, alpha, np.uint64(columns))
            )
            assert (score, manhattan) == (beam.scores[state], beam.manhattans[state])
            assert sorted(beam.boards[state, :n].tolist()) == list(range(n))
            assert beam.boards[state, beam.blanks[state]] == 0
            assert beam.budgets[state] >= 0
    assert len(seen) > 3


def test_the_same_seed_gives_the_same_way() -> None:
    homes = random_homes(6, 6, np.random.default_rng(3))
    beam = StageBeam(6, 6)
    ways = [beam.solve(homes, 100, seed=seed, noise=2.0) for seed in (1, 1, 2, 3, 4)]
    assert all(way is not None for way in ways)
    assert ways[0].tolist() == ways[1].tolist()
    assert len({tuple(way.tolist()) for way in ways}) > 1


def test_wider_is_shorter_on_the_whole() -> None:
    luck = np.random.default_rng(4)
    boards = [random_homes(6, 6, luck) for _ in range(8)]
    beam = StageBeam(6, 6)
    total = [sum(len(beam.solve(homes, width)) for homes in boards) for width in (30, 1000)]
    assert total[1] < total[0]


def test_solved_and_one_move() -> None:
    beam = StageBeam(6, 6)
    assert beam.solve(np.arange(36), 10).tolist() == []
    homes = np.arange(36)
    homes[[0, 6]] = homes[[6, 0]]
    assert beam.solve(homes, 10).tolist() == [0]


def test_it_gives_up_when_asked() -> None:
    homes = random_homes(8, 8, np.random.default_rng(1))
    beam, stop = StageBeam(8, 8), Stop()
    assert beam.solve(homes, 1000, deadline=time.perf_counter()) is None
    stop.set()
    assert beam.solve(homes, 1000, stop=stop) is None
    assert beam.solve(homes, 1000, longest=40) is None


def test_what_it_is_made_for() -> None:
    assert not suits(1, 5)
    assert not suits(65, 5)
    assert suits(30, 30)
    with pytest.raises(Unsupported, match="1x5"):
        StageBeam(1, 5)


def test_memory_is_said_in_proportion() -> None:
    beam = StageBeam(6, 6)
    assert beam.bytes_needed(2000, 200) == 2 * beam.bytes_needed(1000, 200)
    assert beam.bytes_needed(1000, 400) > beam.bytes_needed(1000, 200) > 36 * 2000


def test_weights_are_kept(tmp_path) -> None:
    weights = pairs.load()
    path = tmp_path / "pairs.npz"
    pairs.save(weights, path, "a copy")
    again = pairs.load(path)
    assert again.alpha == weights.alpha
    assert np.array_equal(again.pairs, weights.pairs)


def test_damaged_weights_are_noticed(tmp_path) -> None:
    path = tmp_path / "pairs.npz"
    pairs.save(pairs.load(), path)
    with np.load(path) as kept:
        arrays = dict(kept)
    arrays["pairs"][0, 3, 5] += 1
    np.savez_compressed(tmp_path / "changed.npz", **arrays)
    (tmp_path / "short.npz").write_bytes(path.read_bytes()[:900])
    for name in ("changed.npz", "short.npz", "missing.npz"):
        with pytest.raises(TableError, match="damaged"):
            pairs.load(tmp_path / name)
