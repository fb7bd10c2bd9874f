"""Where each cell of a board is drawn: in units of a cell's side, x to the right, y down.

Grids of two axes lie as they are; of more axes, layers lie side by side, then below each other.
Drawings with walls keep their walls as blocks. Any other graph is laid out by its distances
(Torgerson 1952, classical scaling), or on a circle where that would put two cells together.
"""

from __future__ import annotations

from math import cos, dist, pi, sin
from typing import NamedTuple

from taquin.board import Board, GridBoard, WallBoard

#: Between two layers, in cells.
LAYER_GAP = 0.6
#: Graphs with more cells go on a circle.
SCALED_UP_TO = 200
#: The least distance of two cells of a graph, and what counts as the same place.
APART, TOGETHER = 1.4, 0.25

Place = tuple[float, float]


class Layout(NamedTuple):
    """A board in the plane.

    Attributes
    ----------
    places : tuple of (x, y)
        The upper left corner of each cell.
    width, height : float
    blocks : tuple of (x, y)
        Walls, each as large as a cell.
    lines : tuple of (cell, cell)
        Edges that must be drawn, since neighbours need not lie side by side.
    wraps : tuple of bool
        Whether x and y go round.
    """

    places: tuple[Place, ...]
    width: float
    height: float
    blocks: tuple[Place, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    wraps: tuple[bool, bool] = (False, False)


def layout(board: Board) -> Layout:
    """Lay a board out.

    Examples
    --------
    >>> layout(Board.grid(2, 3)).places[4]
    (1.0, 1.0)
    >>> layout(Board.grid(2, 2, 2)).places[4]
    (2.6, 0.0)
    """
    if isinstance(board, GridBoard):
        return _of_grid(board)
    if isinstance(board, WallBoard):
        return _of_walls(board)
    return _of_graph(board)


def _of_grid(board: GridBoard) -> Layout:
    # From the last axis on, axes go across and down in turn, each stepping over the ones before.
    size, strides = [1.0, 1.0], []
    for number, length in enumerate(reversed(board.shape)):
        side = number % 2
        step = size[side] + (LAYER_GAP if number >= 2 else 0.0)
        strides.append((side, step))
        size[side] += step * (length - 1)
    places = []
    for cell in range(board.n):
        at = [0.0, 0.0]
        for (side, step), place in zip(strides, reversed(board.coordinates(cell)), strict=True):
            at[side] += step * place
        places.append((at[0], at[1]))
    last = len(board.shape) - 1
    wraps = (last in board.wrap, last > 0 and last - 1 in board.wrap)
    return Layout(tuple(places), size[0], size[1], wraps=wraps)


def _of_walls(board: WallBoard) -> Layout:
    places = [board.coordinates(cell) for cell in range(board.n)]
    blocks = [
        (float(column), float(row))
        for row, marks in enumerate(board.rows)
        for column, mark in enumerate(marks)
        if mark == "#"
    ]
    height, width = board.shape
    cells = tuple((float(column), float(row)) for row, column in places)
    return Layout(cells, float(width), float(height), blocks=tuple(blocks))


def _of_graph(board: Board) -> Layout:
    places = _scaled(board) if 2 < board.n <= SCALED_UP_TO else None
    if places is None:
        radius = max(1.0, APART * board.n / (2 * pi))
        turns = [2 * pi * cell / board.n - pi / 2 for cell in range(board.n)]
        places = [(radius * cos(turn), radius * sin(turn)) for turn in turns]
    left, top = min(x for x, _ in places), min(y for _, y in places)
    moved = tuple((round(x - left, 3), round(y - top, 3)) for x, y in places)
    width, height = max(x for x, _ in moved) + 1, max(y for _, y in moved) + 1
    return Layout(moved, width, height, lines=tuple(board.edges()))


def _scaled(board: Board) -> list[Place] | None:
    """Places whose distances are like those on the board; None if two cells would coincide."""
    import numpy as np

    far = np.array([board.distances(cell) for cell in range(board.n)], float) ** 2
    centred = -0.5 * (far - far.mean(0) - far.mean(1)[:, None] + far.mean())
    values, vectors = np.linalg.eigh(centred)
    plane = vectors[:, -2:] * np.sqrt(np.clip(values[-2:], 0, None))
    # The sign of an eigenvector is arbitrary: its largest entry is to be positive.
    plane *= np.sign(plane[np.abs(plane).argmax(axis=0), [0, 1]])
    places = [(float(x), float(y)) for y, x in plane]
    nearest = min(dist(one, other) for i, one in enumerate(places) for other in places[:i])
    if nearest < TOGETHER or _passes_over(board, places, nearest / 2):
        return None
    scale = max(1.0, APART / nearest)
    return [(scale * x, scale * y) for x, y in places]


def _passes_over(board: Board, places: list[Place], near: float) -> bool:
    """Whether an edge passes so near to a third cell that it would seem to end there."""
    for one, other in board.edges():
        (x, y), (x2, y2) = places[one], places[other]
        across, down = x2 - x, y2 - y
        length = across * across + down * down
        for cell, (u, v) in enumerate(places):
            part = min(1.0, max(0.0, ((u - x) * across + (v - y) * down) / length))
            closest = (x + part * across, y + part * down)
            if cell not in (one, other) and dist(closest, (u, v)) < near:
                return True
    return False
