"""Pair weights: how much tiles side by side hinder each other, on boards of any size.

A tile is told by its *kind*: how many rows and columns it has to go, cut at `REACH`. The weight of
a pair, in moves, depends on the kinds of both and on whether they lie in a row or in a column.
Together with a share of Manhattan distance (`alpha` for each of its moves) the weights of all pairs
rank the states of a depth; what they add up to is no number of moves.

The weights are fitted to the order of the beam's own states: beams by stages and beams of windows
solve random boards, and of each depth the state on the way found is set against four others by
descent on log(1 + exp(difference / 2)) (Burges et al. 2005). This is repeated with the weights
found. Distances fitted by least squares along the ways, which is where it began, rank much worse:
they never see the states off the way.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile
from zlib import crc32

import numpy as np
import numpy.typing as npt

from taquin.errors import TableError
from taquin.near.stage_kernels import SCALE

FILE = Path(__file__).parent / "data" / "pairs.npz"
#: Displacements are cut at so many rows and columns.
REACH = 4
#: The blank's kind is 0.
KINDS = 1 + (2 * REACH + 1) ** 2
#: The kind of a cell that does not exist, or is walled off.
NOTHING = KINDS
#: What the weights are kept in: parts of a move.
UNITS = 100


class PairWeights(NamedTuple):
    """Weights in moves.

    Attributes
    ----------
    alpha : float
        For each move of Manhattan distance.
    pairs : (2, KINDS, KINDS) float64
        By the left and the right kind, and by the upper and the lower.
    """

    alpha: float
    pairs: npt.NDArray[np.float64]


class Ground(NamedTuple):
    """What does not change with the stage. n cells; cell n is the one that does not exist.

    Attributes
    ----------
    kinds : (n, n + 1) uint8
        The kind of displacement by label and cell; in the last column the kind of nothing.
    weights : (2, K, K) int16
        Of a pair: by the left and the right kind, and by the upper and the lower.
    gains : (K, 4) int16
        What a score gains by Manhattan distance when the blank goes in a direction and a tile of
        that kind comes the other way.
    words : (2, n) uint64
        Random words for labels and for cells.
    """

    kinds: npt.NDArray[np.uint8]
    weights: npt.NDArray[np.int16]
    gains: npt.NDArray[np.int16]
    words: npt.NDArray[np.uint64]


@cache
def load(path: Path = FILE) -> PairWeights:
    """Read the weights that come with the package.

    Raises
    ------
    TableError
        If the file is damaged.

    Examples
    --------
    >>> load().pairs.shape
    (2, 82, 82)
    """
    try:
        with np.load(BytesIO(path.read_bytes())) as kept:
            alpha, pairs, checksum = float(kept["alpha"]), kept["pairs"], int(kept["checksum"])
    except (OSError, KeyError, ValueError, BadZipFile):
        checksum = -1
    if checksum < 0 or checksum != _checksum(alpha, pairs):
        raise TableError(f"the pair weights in {path} are damaged: install taquin again")
    return PairWeights(alpha, pairs / UNITS)


def save(weights: PairWeights, path: Path = FILE, recipe: str = "") -> None:
    """Write weights, in hundredths of moves, with the recipe they were made by and a checksum."""
    alpha = round(weights.alpha, 4)
    pairs = np.round(weights.pairs * UNITS).astype(np.int16)
    checksum = np.int64(_checksum(alpha, pairs))
    np.savez_compressed(path, alpha=alpha, pairs=pairs, checksum=checksum, recipe=np.array(recipe))


def _checksum(alpha: float, pairs: npt.NDArray[np.int16]) -> int:
    return crc32(pairs.astype("<i2").tobytes(), crc32(f"{alpha:.4f}".encode()))


def kinds(rows: int, columns: int, blank: int = 0) -> npt.NDArray[np.uint8]:
    """The kind of a tile by its goal cell and its cell; that of the blank if its goal is `blank`.

    >>> kinds(3, 3)[1].tolist()  # the tile whose goal is the cell right of the corner
    [42, 41, 40, 33, 32, 31, 24, 23, 22]
    """
    row, column = np.divmod(np.arange(rows * columns), columns)
    down = np.clip(row[:, None] - row, -REACH, REACH) + REACH
    right = np.clip(column[:, None] - column, -REACH, REACH) + REACH
    table = 1 + down * (2 * REACH + 1) + right
    table[blank] = 0
    kept: npt.NDArray[np.uint8] = table.astype(np.uint8)
    return kept


def ground(rows: int, columns: int, blank: int, weights: PairWeights) -> Ground:
    """Make the tables of a board whose goal has the blank on a cell, for `stage_kernels`."""
    n = rows * columns
    padded = np.full((n, n + 1), NOTHING, np.uint8)
    padded[:, :n] = kinds(rows, columns, blank)
    return Ground(padded, *_shared(n, weights.alpha, weights.pairs.tobytes()))


@cache
def _shared(
    n: int, alpha: float, pairs: bytes
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16], npt.NDArray[np.uint64]]:
    """What does not depend on the blank's goal: weights, gains, random words."""
    scaled = np.zeros((2, KINDS + 1, KINDS + 1), np.int16)
    moves = np.frombuffer(pairs).reshape(2, KINDS, KINDS)
    scaled[:, :KINDS, :KINDS] = np.round(moves * SCALE)
    down, right = np.divmod(np.arange(KINDS - 1), 2 * REACH + 1)
    # The blank goes up: a tile goes down, and comes nearer if it has rows to go down.
    nearer = np.stack([down > REACH, right > REACH, right < REACH, down < REACH], axis=1)
    gains = np.zeros((KINDS + 1, 4), np.int16)
    gains[1:KINDS] = np.where(nearer, -1, 1) * max(1, round(alpha * SCALE))
    words = np.random.default_rng(0).integers(0, 1 << 63, (2, n)).astype(np.uint64) | np.uint64(1)
    return scaled, gains, words
