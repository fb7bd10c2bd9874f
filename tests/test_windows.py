"""Windows of a path solved anew: never longer, the same end, whatever the number of threads."""

import time

import numpy as np
import pytest
from test_stages import random_homes, replayed

from taquin.near.stages import StageBeam
from taquin.near.windows import improve
from taquin.sweep import Stop

NEVER = float("inf")


def wander(rows: int, columns: int, moves: int, seed: int) -> tuple[list[int], np.ndarray]:
    """A board, and a random walk from it that never goes straight back."""
    luck = np.random.default_rng(seed)
    homes = random_homes(rows, columns, luck)
    blank, before, way = homes.index(0), -1, []
    for _ in range(moves):
        row, column = divmod(blank, columns)
        near = [
            (row + down) * columns + column + right
            for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
            if 0 <= row + down < rows and 0 <= column + right < columns
        ]
        near = [cell for cell in near if cell != before] or near
        before, blank = blank, int(luck.choice(near))
        way.append(blank)
    return homes, np.array(way, np.int32)


@pytest.mark.parametrize(
    ("rows", "columns"), [(2, 2), (2, 3), (3, 3), (2, 9), (9, 2), (5, 5), (4, 7), (20, 20)]
)
def test_the_end_stays_the_same(rows: int, columns: int) -> None:
    """Random walks end anywhere, their blank too."""
    for seed in range(3):
        homes, way = wander(rows, columns, 150, seed)
        better = improve(
            homes, rows, columns, way, deadline=NEVER, length=40, width=60, passes=4, seed=seed
        )
        assert len(better) <= len(way)
        assert (len(way) - len(better)) % 2 == 0
        end = replayed(homes, rows, columns, way)
        assert replayed(homes, rows, columns, better) == end


def test_walks_get_much_shorter() -> None:
    homes, way = wander(4, 4, 200, 1)
    better = improve(homes, 4, 4, way, deadline=NEVER, length=60, width=300, passes=12)
    assert len(better) < 80


@pytest.mark.parametrize(("rows", "columns"), [(6, 6), (5, 9)])
def test_solutions_get_shorter(rows: int, columns: int) -> None:
    homes = random_homes(rows, columns, np.random.default_rng(6))
    way = StageBeam(rows, columns).solve(homes, 30)
    told: list[np.ndarray] = []
    better = improve(
        homes, rows, columns, way, deadline=NEVER, width=300, passes=6, tell=told.append
    )
    assert len(better) < len(way)
    lengths = [len(one) for one in told]
    assert lengths == sorted(set(lengths), reverse=True)
    assert told[-1].tolist() == better.tolist()
    for one in told:
        assert replayed(homes, rows, columns, one) == list(range(rows * columns))


def test_threads_do_not_matter() -> None:
    homes = random_homes(7, 7, np.random.default_rng(7))
    way = StageBeam(7, 7).solve(homes, 30)
    ways = [
        improve(homes, 7, 7, way, deadline=NEVER, width=100, passes=5, seed=seed, workers=workers)
        for seed, workers in ((3, 1), (3, 2), (3, 5), (4, 1))
    ]
    assert ways[0].tolist() == ways[1].tolist() == ways[2].tolist()
    assert ways[0].tolist() != ways[3].tolist()


def test_lines_and_short_paths_are_returned() -> None:
    assert improve([1, 2, 0], 1, 3, [1, 0], deadline=NEVER).tolist() == [1, 0]
    assert improve([1, 2, 0], 3, 1, [1, 0], deadline=NEVER).tolist() == [1, 0]
    assert improve(range(9), 3, 3, [], deadline=NEVER).tolist() == []
    assert improve(range(9), 3, 3, [1], deadline=NEVER).tolist() == [1]
    assert improve(range(9), 3, 3, [1, 0], deadline=NEVER, passes=1).tolist() == []


def test_a_path_that_is_best_stays() -> None:
    homes = [1, 2, 0, 3, 4, 5, 6, 7, 8]
    assert improve(homes, 3, 3, [1, 0], deadline=NEVER, passes=9).tolist() == [1, 0]


def test_deadline_and_stop() -> None:
    homes, way = wander(8, 8, 400, 1)
    begun = time.perf_counter()
    assert improve(homes, 8, 8, way, deadline=0.0) is not way
    assert improve(homes, 8, 8, way, deadline=0.0).tolist() == way.tolist()
    stop = Stop()
    stop.set()
    assert improve(homes, 8, 8, way, deadline=NEVER, stop=stop).tolist() == way.tolist()
    better = improve(homes, 8, 8, way, deadline=begun + 1.0, width=100)
    assert replayed(homes, 8, 8, better) == replayed(homes, 8, 8, way)
