"""The stages of a board: which tiles are brought home after which, and how far each stage is.

A stage has a *window* about its tiles' goal cells. Inside, a table holds its exact distance;
windows that look alike share one, so that a board of any size needs a few megabytes. Outside, the
distance is guessed from how far the tiles are from the window (`taquin.near.stage_kernels.fetch`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from taquin.near import stage_kernels as kernels
from taquin.near.table_kernels import NO_WAY, spread

U64 = np.uint64

#: The core's sides.
CORE = 5
#: Windows have at most so many cells a side, for one tile and for two.
WINDOW = {1: 12, 2: 7}


class Plan(NamedTuple):
    """The stages: a row each.

    Attributes
    ----------
    near : (stages, n, 4) uint16
        The open cell in each direction, or n.
    tiles : (stages, 2) uint16
        The stage's own tiles, whose labels are also the cells that it closes, or n.
    spots : (stages, n) uint32
        The stage's window: for each cell the number of the window's cell nearest to it, and how
        many rows and columns it is away.
    scopes : (stages, 3) uint64
        Where a stage's table begins; cells of the window; the distance from which tiles outside
        the window count.
    tables : (entries,) uint8
        Exact distances by the window's cells of the tiles and the blank.
    left : (stages,) int64
        Open cells.
    follow : (stages, k) int64
        The stages that may come next, then -1.
    """

    near: npt.NDArray[np.uint16]
    tiles: npt.NDArray[np.uint16]
    spots: npt.NDArray[np.uint32]
    scopes: npt.NDArray[np.uint64]
    tables: npt.NDArray[np.uint8]
    left: npt.NDArray[np.int64]
    follow: npt.NDArray[np.int64]


@dataclass
class Stage:
    """One step of the plan: bring the tiles of `cells` home, then close these."""

    rows: int
    columns: int
    open: npt.NDArray[np.bool_]
    cells: tuple[int, ...]
    follow: list[int] = field(default_factory=list)


def stages_of(rows: int, columns: int) -> tuple[list[Stage], list[int]]:
    """Return the stages of a board, and the numbers of those that a solution may begin with.

    >>> stages, first = stages_of(6, 5)
    >>> [stages[i].cells for i in first], stages[-1].cells
    ([(29,), (25,)], ())
    """
    stages: list[Stage] = []
    firsts: dict[tuple[int, int], list[int]] = {}
    lasts: list[tuple[Stage, tuple[int, int]]] = []
    todo = [(rows, columns)]
    for shape in todo:  # grows on the way
        if shape in firsts:
            continue
        firsts[shape] = []
        for line, rest in _lines(*shape, columns):
            todo.append(rest)
            firsts[shape].append(len(stages))
            lasts.append((_add_line(stages, *shape, rows * columns, columns, line), rest))
        if not firsts[shape]:
            firsts[shape].append(len(stages))
            stages.append(Stage(*shape, _rectangle(*shape, rows * columns, columns), ()))
    for stage, rest in lasts:
        stage.follow += firsts[rest]
    return stages, firsts[rows, columns]


def _rectangle(rows: int, columns: int, n: int, stride: int) -> npt.NDArray[np.bool_]:
    """The cells of the first rows and columns."""
    row, column = np.divmod(np.arange(n), stride)
    return (row < rows) & (column < columns)


def _lines(rows: int, columns: int, stride: int) -> Iterator[tuple[list[int], tuple[int, int]]]:
    """Yield the lines that may be finished next, in both directions, and the sides that remain."""
    if rows >= columns and rows > CORE:
        row = [(rows - 1) * stride + column for column in range(columns)]
        yield from ((line, (rows - 1, columns)) for line in (row[::-1], row))
    if columns >= rows and columns > CORE:
        column = [row * stride + columns - 1 for row in range(rows)]
        yield from ((line, (rows, columns - 1)) for line in (column[::-1], column))


def _add_line(
    stages: list[Stage], rows: int, columns: int, n: int, stride: int, line: list[int]
) -> Stage:
    """Append the stages of a line: two tiles each, one first if they are odd. The last one."""
    free = _rectangle(rows, columns, n, stride)
    starts = [0, *range(len(line) % 2 or 2, len(line), 2)]
    for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
        stage = Stage(rows, columns, free.copy(), tuple(line[start:end]))
        free[line[start:end]] = False
        if start:
            stages[-1].follow.append(len(stages))
        stages.append(stage)
    return stages[-1]


@cache
def table_of(
    rows: int, columns: int, closed: tuple[int, ...], goals: tuple[int, ...]
) -> npt.NDArray[np.uint8]:
    """Distances of one or two tiles and the blank to the tiles' goals, on a small board with walls.

    Returns
    -------
    (m ** (1 + tiles),) uint8
        By the cells of the tiles and the blank, the last fastest; 255 where there is no way.
    """
    m = rows * columns
    near = _neighbours(rows, columns, columns, np.isin(np.arange(m), closed, invert=True))
    near[near == m] = -1
    table = np.empty(m ** (1 + len(goals)), np.uint8)
    queue = np.empty(table.size, np.int32)
    spread(table, queue, near, np.array(goals, np.int64))
    return table


def _neighbours(
    rows: int, columns: int, stride: int, free: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """The open cells above, left, right and below each open cell; n where there is none."""
    n = free.size
    cell = np.arange(n)
    row, column = np.divmod(cell, stride)
    near = np.full((n, 4), n, np.int64)
    for direction, (down, right) in enumerate(((-1, 0), (0, -1), (0, 1), (1, 0))):
        to_row, to_column = row + down, column + right
        inside = (to_row >= 0) & (to_row < rows) & (to_column >= 0) & (to_column < columns)
        to = np.where(inside, to_row * stride + to_column, 0)
        near[:, direction] = np.where(inside & free & free[to], to, n)
    return near


def _window(stage: Stage, stride: int) -> tuple[int, int, int, int]:
    """First row and column, and sides, of the window about the cells of a stage."""
    side = WINDOW[len(stage.cells)]
    row, column = np.divmod(np.array(stage.cells), stride)
    height, width = min(side, stage.rows), min(side, stage.columns)
    top = int(row.min() + row.max() + 1 - height) // 2
    left = int(column.min() + column.max() + 1 - width) // 2
    top = min(max(top, 0), stage.rows - height)
    left = min(max(left, 0), stage.columns - width)
    return top, left, height, width


@cache
def plan_of(rows: int, columns: int) -> tuple[Plan, tuple[int, ...]]:
    """Return the plan of a board for the kernels, and the stages that may come first.

    It is kept for each shape; 12 n^2 bytes for each of its stages, and the tables: at most
    WINDOW[2]^6 bytes for each way in which a window may look, some dozens.
    """
    stages, first = stages_of(rows, columns)
    return _assemble(stages, rows, columns), tuple(first)


@cache
def open_plan(rows: int, columns: int) -> Plan:
    """Return the plan of a board with one stage and no walls."""
    core = Stage(rows, columns, np.ones(rows * columns, np.bool_), ())
    return _assemble([core], rows, columns)


def _assemble(stages: list[Stage], rows: int, columns: int) -> Plan:
    """Lay stages out for the kernels."""
    n, count = rows * columns, len(stages)
    row, column = np.divmod(np.arange(n), columns)
    spots, scopes = np.zeros((count, n), np.uint32), np.zeros((count, 3), U64)
    tables: dict[Any, tuple[int, npt.NDArray[np.uint8]]] = {}
    end = 1
    for i, stage in enumerate(stages):
        if not stage.cells:
            continue
        top, left, height, width = _window(stage, columns)
        inner_row = np.clip(row - top, 0, height - 1)
        inner_column = np.clip(column - left, 0, width - 1)
        spot = inner_row * width + inner_column
        down, right = top + inner_row - row, left + inner_column - column
        inside = (down == 0) & (right == 0)
        spots[i] = spot | (down + kernels.MIDDLE) << 16 | (right + kernels.MIDDLE) << 24
        shut = spot[inside & ~stage.open]
        key = (height, width, tuple(shut.tolist()), tuple(spot[list(stage.cells)].tolist()))
        if key not in tables:
            tables[key] = end, table_of(*key)
            end += tables[key][1].size
        begin, table = tables[key]
        scopes[i] = begin, height * width, table[table < NO_WAY - 2].max(initial=0)
    return Plan(
        near=np.stack([_neighbours(s.rows, s.columns, columns, s.open) for s in stages]).astype(
            np.uint16
        ),
        tiles=np.array([(*s.cells, n, n)[:2] for s in stages], np.uint16),
        spots=spots,
        scopes=scopes,
        tables=np.concatenate([np.zeros(1, np.uint8), *(table for _, table in tables.values())]),
        left=np.array([s.open.sum() for s in stages], np.int64),
        follow=np.array([(*s.follow, -1, -1, -1, -1)[:4] for s in stages], np.int64),
    )
