"""The sweep against published counts and against its slow twin."""

from __future__ import annotations

import csv
import random
import threading
from pathlib import Path

import naive_sweep as naive
import numpy as np
import pytest

from taquin.sweep import (
    Stop,
    SweepResult,
    lay_out,
    memory_needed,
    rank_states,
    sweep,
    unrank_states,
)
from taquin.sweep.kernels import STATES

DATA = Path(__file__).parent / "data" / "depth_distributions"


def published(name: str) -> list[int]:
    lines = [line for line in (DATA / name).read_text().splitlines() if not line.startswith("#")]
    return [int(row["count"]) for row in csv.DictReader(lines)]


def corner(*shape: int) -> int:
    return int(np.prod(shape)) - 1


@pytest.mark.parametrize(
    "shape", [(2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (3, 3), (3, 4), (2, 2, 2), (2, 2, 3)]
)
def test_single_tile_counts(shape: tuple[int, ...]) -> None:
    expected = published(f"{'x'.join(map(str, shape))}_stm_corner.csv")
    assert sweep(naive.box(*shape), blank=corner(*shape)).counts == expected
    assert sweep(naive.box(*shape[::-1]), blank=0).counts == expected


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (3, 3), (3, 4)])
def test_multi_tile_counts(shape: tuple[int, int]) -> None:
    result = sweep(naive.box(*shape), blank=corner(*shape), lines=naive.box_lines(*shape))
    assert result.counts == published(f"{shape[0]}x{shape[1]}_mtm_corner.csv")


@pytest.mark.parametrize(("name", "blank"), [("corner", 2), ("edge", 5), ("center", 4)])
def test_blank_positions(name: str, blank: int) -> None:
    result = sweep(naive.box(3, 3), blank=blank)
    assert result.counts == published(f"3x3_stm_{name}.csv")
    assert result.by_cell is not None
    assert result.by_cell.sum(axis=1).tolist() == result.counts
    assert result.by_cell.sum(axis=0).tolist() == [20160] * 9


@pytest.mark.parametrize("shape", [(3, 3), (3, 4)])
def test_torus_counts(shape: tuple[int, int]) -> None:
    result = sweep(naive.box(*shape, wrap=True), blank=5)
    assert result.counts == published(f"torus_{shape[0]}x{shape[1]}_stm_any.csv")


# Counts of an independent program with two bits a state: shape, tracked tiles, blank, by depth.
PATTERNS = [
    (
        (4, 4),
        (1, 4, 5, 8, 9, 12),
        0,
        "1 2 7 33 112 300 865 2399 7100 18512 46154 100941 207493 377363 635871 948439 1304687 "
        "1585456 1737973 1633584 1346555 923246 541664 255388 101887 31227 8074 1190 117",
    ),
    (
        (4, 4),
        (1, 4, 5, 8, 9, 12),
        None,
        "2 7 25 105 350 1046 2994 8088 21523 52072 117790 236166 436154 711424 1061131 1394320 "
        "1664420 1725071 1587754 1229999 823057 446039 202928 69924 19737 3701 679 118 16",
    ),
    (
        (4, 4),
        (1, 2, 3, 4, 5),
        0,
        "1 2 7 26 78 246 781 2231 5563 12461 24934 44071 69211 96583 120243 131623 124314 100151 "
        "68586 40124 20033 8572 3076 922 213 28",
    ),
    (
        (4, 4),
        (1, 4, 5, 8, 9, 12, 13),
        0,
        "1 2 6 24 100 335 1002 2756 7392 19546 50316 123044 282201 605793 1214114 2265795 3927282 "
        "6302160 9340077 12748130 15938114 18111087 18523648 16879874 13560935 9500728 5726976 "
        "2923853 1240359 422006 110309 19731 2126 96 2",
    ),
]


@pytest.mark.parametrize(("shape", "tiles", "blank", "expected"), PATTERNS)
def test_pattern_counts(
    shape: tuple[int, int], tiles: tuple[int, ...], blank: int | None, expected: str
) -> None:
    result = sweep(naive.box(*shape), tiles, blank)
    assert result.counts == [int(count) for count in expected.split()]
    assert result.finished


def recorded_depths(result: SweepResult, found: dict[naive.State, int]) -> None:
    """Every state's residue is its depth's, and the table holds no other states."""
    table, layout = result.table, result.layout
    assert table is not None
    states = list(found)
    cells = np.array([state[0] for state in states])
    blanks = np.array([state[1] for state in states])
    row, word, bit = rank_states(layout, cells, blanks)
    assert len(set(zip(row.tolist(), word.tolist(), bit.tolist(), strict=True))) == len(states)
    modulus = 4 if layout.colour is not None and len(table.planes) == 1 else 3
    residues = table.residues(row, word, bit)
    assert residues.tolist() == [found[state] % modulus for state in states]
    kept = sum(
        1 for depth in found.values() for bit in range(2) if residue_bit(depth, modulus, bit)
    )
    assert int(np.bitwise_count(table.planes).sum()) == kept
    back_cells, back_blanks = unrank_states(layout, row, word, bit)
    assert np.array_equal(back_cells, cells)
    graph_homes = layout.regions[row] >> layout.place[back_blanks].astype(np.uint64)
    assert np.all(graph_homes & np.uint64(1))


def residue_bit(depth: int, modulus: int, bit: int) -> bool:
    if modulus == 4:
        return bit == 1 and bool(depth & 2)
    return bool(depth % 3 >> bit & 1)


@pytest.mark.parametrize("seed", range(100))
def test_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(2, 7)
    graph = naive.random_graph(rng, n, rng.randint(1, 2 * n))
    cells = rng.sample(range(n), n)
    k = rng.randint(1, n - 1) if seed % 2 else n - 1
    blank = cells[k] if k == n - 1 or rng.random() < 0.5 else None
    found = naive.depths(graph, cells[:k], blank)
    result = sweep(graph, cells[:k], blank, record=True, workers=1)
    assert result.counts == naive.counts(found)
    recorded_depths(result, found)


@pytest.mark.parametrize("tiles", [(0,), (3, 1), (5, 0, 2), (0, 1, 2, 5), (7, 3, 1, 2, 4)])
@pytest.mark.parametrize("blank", [None, 6])
def test_few_tiles(tiles: tuple[int, ...], blank: int | None) -> None:
    graph = naive.box(3, 3)
    found = naive.depths(graph, tiles, blank)
    result = sweep(graph, tiles, blank, record=True)
    assert result.counts == naive.counts(found)
    recorded_depths(result, found)


@pytest.mark.parametrize("n", [8, 9])
def test_long_windows(n: int) -> None:
    """A wheel and a star reach all across the permutation, on rows of several words."""
    star = [list(range(1, n))] + [[0] for _ in range(n - 1)]
    wheel = [list(range(1, n))] + [
        sorted({0, 1 + i % (n - 1), 1 + (i - 2) % (n - 1)}) for i in range(1, n)
    ]
    for graph in (star, wheel):
        tiles = list(range(7))
        found = naive.depths(graph, tiles, 7, to_depth=9)
        result = sweep(graph, tiles, 7, to_depth=9)
        assert result.counts == naive.counts(found)


@pytest.mark.parametrize("shape", [(2, 3), (2, 4), (3, 3)])
@pytest.mark.parametrize("wrap", [False, True])
def test_multi_tile_twin(shape: tuple[int, int], wrap: bool) -> None:
    if wrap and 2 in shape:
        pytest.skip("a ring of two cells has one edge, not two")
    graph, lines = naive.box(*shape, wrap=wrap), naive.box_lines(*shape, wrap=wrap)
    tiles = range(1, len(graph))
    depth = 6 if wrap else None
    found = naive.depths(graph, tiles, 0, lines, to_depth=depth)
    result = sweep(graph, blank=0, lines=lines, to_depth=depth, record=True)
    assert result.counts == naive.counts(found)
    recorded_depths(result, found)


def test_order_of_cells_changes_nothing() -> None:
    rng = random.Random(1)
    graph = naive.box(3, 4)
    shuffled = rng.sample(range(12), 12)
    place = {cell: i for i, cell in enumerate(shuffled)}
    other = [[place[y] for y in graph[x]] for x in shuffled]
    assert sweep(other, blank=place[11]).counts == published("3x4_stm_corner.csv")


def test_members_of_a_level() -> None:
    levels: dict[int, int] = {}

    def look(level: object) -> None:
        row, _, bit = level.members()  # type: ignore[attr-defined]
        levels[level.depth] = row.size  # type: ignore[attr-defined]
        assert np.all(bit < STATES)

    result = sweep(naive.box(3, 3), blank=8, on_level=look)
    assert [levels[d] for d in range(len(levels))] == result.counts
    cells, blanks = unrank_states(result.layout, *result.last.members())
    deepest = {(tuple(c), b) for c, b in zip(cells.tolist(), blanks.tolist(), strict=True)}
    assert len(deepest) == 2
    found = naive.depths(naive.box(3, 3), range(8), 8)
    assert all(found[state] == 31 for state in deepest)


def test_wrong_parity_has_no_row() -> None:
    layout = lay_out(naive.box(3, 3), range(8), 8)
    row, _, _ = rank_states(layout, [[1, 0, 2, 3, 4, 5, 6, 7]], [8])
    assert row.tolist() == [-1]


def test_to_depth_and_progress() -> None:
    seen = []
    result = sweep(naive.box(3, 3), blank=8, to_depth=10, progress=seen.append)
    assert result.counts == published("3x3_stm_corner.csv")[:11]
    assert not result.finished
    assert [p.depth for p in seen] == list(range(1, 11))
    assert seen[-1].states == result.states
    assert 0 < seen[-1].fraction < 1


@pytest.mark.parametrize("stop_at", [3, 17])
def test_stop_and_resume(tmp_path: Path, stop_at: int) -> None:
    stop = Stop()
    args = {"blank": 8, "record": True, "checkpoint": tmp_path}

    def watch(progress: object) -> None:
        if progress.depth == stop_at:  # type: ignore[attr-defined]
            stop.set()

    first = sweep(naive.box(3, 3), **args, stop=stop, progress=watch)
    assert not first.finished
    assert len(first.counts) == stop_at + 1
    second = sweep(naive.box(3, 3), **args)
    whole = sweep(naive.box(3, 3), blank=8, record=True)
    assert second.counts == whole.counts
    assert np.array_equal(second.by_cell, whole.by_cell)
    assert np.array_equal(second.table.planes, whole.table.planes)


def test_checkpoints_of_others_are_refused(tmp_path: Path) -> None:
    sweep(naive.box(2, 3), blank=5, checkpoint=tmp_path, checkpoint_seconds=0)
    with pytest.raises(ValueError, match="another sweep"):
        sweep(naive.box(2, 3), blank=0, checkpoint=tmp_path)
    path = tmp_path / "sweep.npz"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(ValueError, match="damaged"):
        sweep(naive.box(2, 3), blank=5, checkpoint=tmp_path)


def test_stop_from_a_thread() -> None:
    stop = Stop()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    result = sweep(naive.box(3, 4), blank=11, stop=stop)
    timer.join()
    full = published("3x4_stm_corner.csv")
    assert result.finished or result.counts == full[: len(result.counts)]


@pytest.mark.parametrize(
    ("tiles", "blank"), [(None, None), ([0, 0], 1), ([0, 1], 1), ([9], None), ([], 0)]
)
def test_bad_goals(tiles: list[int] | None, blank: int | None) -> None:
    with pytest.raises(ValueError):
        sweep(naive.box(3, 3), tiles, blank)


def test_memory_needed() -> None:
    bytes_of_4x3 = 8 * 12 * 332640
    assert bytes_of_4x3 < memory_needed(naive.box(4, 3)) < 1.02 * bytes_of_4x3
    assert memory_needed(naive.box(4, 3), record=True) > 2 * bytes_of_4x3
    assert memory_needed(naive.box(8, 8), range(12)) > 1 << 50
