"""The learned ranking of a beam: which of two states of a depth is nearer to the goal.

Pattern databases count moves of one pattern at a time; how tiles of different patterns hinder each
other they do not see. The ranking adds what is missing as a sum of small weights, one for each tile
on its cell and one for each pair of tiles side by side. A pair is told by the kinds of displacement
of both: how many rows and columns each has to go, cut at `REACH`. So pairs mean the same on boards
of other sizes. The blank has a kind of its own.

The weights are fitted by `benchmarks/train_ranking.py`: see there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from taquin.errors import TableError

#: Displacements are cut at so many cells an axis, by the number of axes.
REACH = {2: 4, 3: 2}
FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Ranking:
    """Weights in moves, for grids and boxes of which the blank's goal is the first cell.

    Attributes
    ----------
    shape : tuple of int
        Of the boards it was fitted on.
    shares : (2,) float
        Of the mean of the two sides' pattern values, and of the greater.
    cells : (n, n) float32
        By a tile's goal cell, and the cell it is on.
    pairs : (axes, kinds, kinds) float32
        By the axis on which two tiles lie side by side, and their kinds of displacement.
    """

    shape: tuple[int, ...]
    shares: npt.NDArray[np.float64]
    cells: npt.NDArray[np.float32]
    pairs: npt.NDArray[np.float32]


def count_kinds(axes: int) -> int:
    """How many kinds of displacement there are.

    >>> count_kinds(2), count_kinds(3)
    (82, 126)
    """
    return int(1 + (2 * REACH[axes] + 1) ** axes)


def kinds(shape: Sequence[int], blank: int = 0) -> npt.NDArray[np.uint8]:
    """The kind of displacement of a tile, by its goal cell and its cell; 0: the blank's.

    >>> kinds((3, 3))[1].tolist()  # the tile whose goal is the cell right of the corner
    [42, 41, 40, 33, 32, 31, 24, 23, 22]
    """
    reach = REACH[len(shape)]
    cells = np.arange(int(np.prod(shape)))
    table = np.zeros((cells.size, cells.size), np.int64)
    for place in np.unravel_index(cells, shape):
        step = np.clip(place[:, None] - place, -reach, reach) + reach
        table = table * (2 * reach + 1) + step
    table += 1
    table[blank] = 0
    return table.astype(np.uint8)


def path_of(name: str) -> Path:
    """Where weights lie, if there are any: those for a shape (``"5x5"``), for axes (``"3d"``)."""
    return FOLDER / f"ranking-{name}.npz"


def save(ranking: Ranking, path: Path, recipe: str) -> None:
    """Write weights in hundredths of moves, with the recipe they were made by and a checksum."""
    arrays: dict[str, Any] = {
        "shares": np.round(ranking.shares, 4),
        "cells": np.round(ranking.cells * 100).astype(np.int16),
        "pairs": np.round(ranking.pairs * 100).astype(np.int16),
    }
    header = {
        "shape": ranking.shape,
        "recipe": recipe,
        "sha256": _checksum(arrays),
    }
    np.savez_compressed(path, header=np.array(json.dumps(header)), **arrays)


@cache
def load(name: str) -> Ranking | None:
    """Return weights, or None if there are none of this name.

    Raises
    ------
    TableError
        If the file of the package is damaged.
    """
    path = path_of(name)
    return read(path) if path.exists() else None


def read(path: Path) -> Ranking:
    """Return the weights of a file.

    Raises
    ------
    TableError
        If the file is damaged.
    """
    with np.load(path) as file:
        header = json.loads(str(file["header"]))
        arrays = {name: file[name] for name in ("shares", "cells", "pairs")}
    if header["sha256"] != _checksum(arrays):
        raise TableError(f"{path} is damaged: install the package again")
    cells, pairs = (arrays[name].astype(np.float32) / 100 for name in ("cells", "pairs"))
    return Ranking(tuple(header["shape"]), arrays["shares"], cells, pairs)


def _checksum(arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    mixed = hashlib.sha256()
    for name in sorted(arrays):
        mixed.update(name.encode() + np.ascontiguousarray(arrays[name]).tobytes())
    return mixed.hexdigest()
