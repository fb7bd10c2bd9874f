"""The beam by stages: short solutions of rectangles that are too big for pattern databases.

1.  **Lines are finished and walled off.** The board shrinks from the bottom and from the right, the
    longer side first, down to a core around the goal of the blank in the first cell. A line is
    finished by *stages*: each brings one tile or two to their cells, from either end of the line,
    and closes these (`taquin.near.stage_plan`).
2.  **A beam with a learned score** keeps the most promising states of each depth, whatever stage
    they are in. The score is a share of Manhattan distance and a weight for each pair of tiles side
    by side (`taquin.near.pairs`), on open cells alone.
3.  **The stage's own distance is exact.** For each stage a table holds how many moves its tiles and
    the blank need by themselves, in a window about their cells. A share of it is added to the
    score, and a toll for each tile that is left.
4.  **A budget makes each stage end.** A state may spend `slack` moves beyond what the table
    says, and then has to go straight on. So the beam does not stall on the last tiles of a line,
    where each way seems to get worse first, and still may look after other tiles on its way.

Stages of one line and direction have the same tables wherever their windows look alike, so that a
board of any size needs a few megabytes.

The beam is Lowerre's (1976); exact distances of a few tiles are a pattern database (Culberson &
Schaeffer 1998) with a goal for each stage.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from taquin.errors import Unsupported
from taquin.near import stage_kernels as kernels
from taquin.near.pairs import Ground, PairWeights, ground, load
from taquin.near.stage_plan import Plan, plan_of
from taquin.sweep import Stop

U64 = np.uint64
Boards = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
Way = npt.NDArray[np.int32]

#: The longest side.
LONGEST_SIDE = 64
#: Moves that a stage may take beyond its distance: on boards up to so many cells, and beyond. Wide
#: beams of small boards make good use of detours; the stages of big ones are too many for that.
SLACK = {144: 40, LONGEST_SIDE**2: 8}
#: Places in the table of states met, for each state of the beam.
MET = 16
#: Levels that a call of the kernel may make, and the seconds that it should take.
MOST_LEVELS, CALL = 4096, 0.02


@dataclass(frozen=True)
class Weighing:
    """How a beam by stages ranks states, in moves; the defaults are measured.

    Attributes
    ----------
    share : of the stage's exact distance
    toll : for each tile that is left
    slack : moves that a stage may take beyond its distance; if None, `SLACK` by the board's size
    """

    share: float = 0.4
    toll: float = 1.0
    slack: int | None = None


class Beam(NamedTuple):
    """The states of a level, an array a property.

    Attributes
    ----------
    boards : (width, n + 1) uint8 or uint16
        The label on each cell.
    blanks, before : (width,) uint16
        The blank's cell, and the one that it came from (n: none).
    stages : (width,) int16
    places : (width, 2) uint16
        The cells of the stage's tiles.
    distances, budgets : (width,) int32
        Of the stage: the distance to its end, and the moves that may be spent beyond it.
    scores, manhattans : (width,) int32
    hashes : (width,) uint64
    """

    boards: npt.NDArray[Any]
    blanks: npt.NDArray[np.uint16]
    before: npt.NDArray[np.uint16]
    stages: npt.NDArray[np.int16]
    places: npt.NDArray[np.uint16]
    distances: npt.NDArray[np.int32]
    budgets: npt.NDArray[np.int32]
    scores: npt.NDArray[np.int32]
    manhattans: npt.NDArray[np.int32]
    hashes: npt.NDArray[np.uint64]


class Children(NamedTuple):
    """What `expand` finds: the move that made each, and what `survive` would compute again.

    `keys` are what the beam is cut by: the score, the share of the distance, the toll, noise.
    """

    parents: npt.NDArray[np.uint32]
    directions: npt.NDArray[np.uint8]
    distances: npt.NDArray[np.int32]
    scores: npt.NDArray[np.int32]
    keys: npt.NDArray[np.int32]
    hashes: npt.NDArray[np.uint64]


class Rules(NamedTuple):
    """The numbers that a search is run by.

    Attributes
    ----------
    share : of the stage's distance in the key; toll : for each tile left; noise : the most that is
        added to a key (all in units of a score)
    slack : moves that each stage may take beyond its distance
    longest : moves of a solution at most
    columns : of the board
    seed : of the noise
    """

    share: int
    toll: int
    noise: int
    slack: int
    longest: int
    columns: np.uint64
    seed: np.uint64


def suits(rows: int, columns: int) -> bool:
    """Whether the beam by stages is made for boards of this shape.

    >>> suits(6, 6), suits(2, 30), suits(1, 5)
    (True, True, False)
    """
    return min(rows, columns) >= 2 and max(rows, columns) <= LONGEST_SIDE


class StageBeam:
    """The beam by stages for one shape of board, in the normal form: the goal's blank on cell 0.

    Parameters
    ----------
    rows, columns : int
        At least 2, at most 64.
    weights : PairWeights, optional
        Those that come with the package if not given.
    weighing : Weighing

    Raises
    ------
    Unsupported
        For other sides.

    Examples
    --------
    >>> import numpy as np
    >>> way = StageBeam(2, 3).solve(np.array([1, 2, 0, 3, 4, 5]), 100)
    >>> way.tolist()
    [1, 0]
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        *,
        weights: PairWeights | None = None,
        weighing: Weighing | None = None,
    ) -> None:
        if not suits(rows, columns):
            raise Unsupported(
                f"the beam by stages takes sides from 2 to {LONGEST_SIDE}, not {rows}x{columns}: "
                "choose another method"
            )
        self.rows, self.columns = rows, columns
        self.weights = load() if weights is None else weights
        self.weighing = Weighing() if weighing is None else weighing
        self._plan, self._first = plan_of(rows, columns)
        self.ground = ground(rows, columns, 0, self.weights)

    def bytes_needed(self, width: int, longest: int) -> int:
        """Return about how many bytes a search of this width with so many moves takes."""
        n = self.rows * self.columns
        label = int(label_type(n).itemsize)
        return width * (2 * (n * label + 40) + 4 * 25 + 16 * MET + 4 * longest)

    def solve(
        self,
        homes: npt.ArrayLike,
        width: int,
        *,
        seed: int = 1,
        noise: float = 0.0,
        slack: int | None = None,
        longest: int | None = None,
        deadline: float | None = None,
        stop: Stop | None = None,
        watch: Callable[[Beam, int], object] | None = None,
    ) -> Way | None:
        """Look for a short solution with a beam of `width` states; None if none was found.

        Parameters
        ----------
        homes : (n,) integers
            The goal cell of what lies on each cell; the blank's is 0.
        width : int
            A wider beam finds shorter solutions, and takes longer in proportion.
        seed : int
            Chooses among states of one score, and makes the noise.
        noise : float
            The most that is added to a state's score, in moves.
        slack : int, optional
            Moves that a stage may take beyond its distance; those of the weighing if not given.
        longest : int, optional
            Moves that a solution may have.
        deadline : float, optional
            The time of `time.perf_counter` at which to give up.
        stop : Stop, optional
            Gives up when it is set.
        watch : callable, optional
            Is given each level and the number of its states, which it must copy.

        Returns
        -------
        (length,) int32 or None
            The cells that the blank visits.
        """
        n = self.rows * self.columns
        ranks = self.weighing
        if slack is None:
            slack = ranks.slack
        if slack is None:
            slack = next(moves for cells, moves in SLACK.items() if n <= cells)
        rules = Rules(
            share=round(ranks.share * kernels.SCALE),
            toll=round(ranks.toll * kernels.SCALE),
            noise=round(noise * kernels.SCALE),
            slack=slack,
            longest=60 * n if longest is None else longest,
            columns=U64(self.columns),
            seed=U64(seed),
        )
        board = np.asarray(homes).astype(label_type(n))
        search = Search(width, n)
        first = self._first
        return search.run(self.ground, self._plan, rules, board, 0, first, deadline, stop, watch)


def label_type(n: int) -> Any:
    """The type of the labels of a board."""
    return np.dtype(np.uint8) if n < 256 else np.dtype(np.uint16)


class Search:
    """The working memory of beams of one width, on boards of at most n cells; for one thread."""

    def __init__(self, width: int, n: int) -> None:
        self.width, self.n = width, n
        self._beams = [_beam(width, n) for _ in range(2)]
        self._children = _children(4 * width)
        self._met = np.zeros(1 << max(10, (MET * width - 1).bit_length()), U64)
        self._counts = np.zeros(kernels.STEPS, np.int64)
        self.made = 0

    def run(
        self,
        ground: Ground,
        plan: Plan,
        rules: Rules,
        board: Boards,
        blank: int,
        first: tuple[int, ...],
        deadline: float | None = None,
        stop: Stop | None = None,
        watch: Callable[[Beam, int], object] | None = None,
    ) -> Way | None:
        """Search from one board; see `StageBeam.solve`. `blank` is the blank's label.

        `watch` is called with each level and the number of its states, which it must copy.
        """
        at = np.zeros(kernels.FIELDS, np.int64)
        here, after = self._beams
        if self._plant(here, ground, plan, rules, board, blank, first, at) == 0:
            return np.zeros(0, np.int32)
        self._met[:] = 0
        start = int(here.blanks[0])
        flag = (stop or Stop()).flag
        blocks: list[npt.NDArray[np.uint32]] = []
        log = np.empty(0, np.uint32)
        levels = 64
        while at[kernels.COUNT] and at[kernels.LEVEL] < rules.longest:
            begun = time.perf_counter()
            if (deadline is not None and begun >= deadline) or flag[0]:
                return None
            if log.size - at[kernels.LOGGED] < self.width:
                log, at[kernels.LOGGED] = np.empty(max(16 * self.width, 1 << 16), np.uint32), 0
            if watch is not None:
                watch(here, int(at[kernels.COUNT]))
                levels = 1
            starts = np.empty(min(levels, rules.longest - int(at[kernels.LEVEL])), np.int64)
            made = kernels.advance(
                *(ground, plan, rules, here, after, self._children, self._met, self._counts),
                *(log, starts, at, flag),
            )
            blocks += [log[begin:] for begin in starts[:made]]
            if at[kernels.FOUND]:
                self.made = int(at[kernels.MADE])
                return self._way(blocks, at, plan.near[first[0]], start)
            if made % 2:
                here, after = after, here
            spent = time.perf_counter() - begun
            levels = max(1, min(MOST_LEVELS, 2 * levels, int(made * CALL / max(spent, 1e-6))))
        return None

    def _plant(
        self,
        beam: Beam,
        ground: Ground,
        plan: Plan,
        rules: Rules,
        board: Boards,
        blank: int,
        first: tuple[int, ...],
        at: npt.NDArray[np.int64],
    ) -> int:
        """Begin with a board in each stage that may come first; its Manhattan distance."""
        n = board.size
        padded = np.append(board, board.dtype.type(0))[None]
        home = int(np.argmax(board == blank))
        alpha = -int(ground.gains[1:].min())
        score, manhattan = kernels.score(ground, plan, padded, U64(first[0]), alpha, rules.columns)
        cells = np.flatnonzero(board != blank)
        words = ground.words
        count = min(len(first), self.width)
        for state, stage in enumerate(first[:count]):
            beam.boards[state, : n + 1] = padded[0]
            beam.blanks[state], beam.before[state], beam.stages[state] = home, n, stage
            tiles = [int(tile) for tile in plan.tiles[stage]]
            places = [int(np.argmax(board == tile)) if tile < n else n for tile in tiles]
            beam.places[state] = places
            numbers = np.array([rules.columns, stage, *places, home], U64)
            beam.distances[state] = kernels.distance(plan.tables, plan.spots, plan.scopes, *numbers)
            beam.budgets[state] = rules.slack if tiles[0] < n else kernels.PLENTY
            beam.scores[state], beam.manhattans[state] = score, manhattan
            beam.hashes[state] = (words[0, board[cells]] * words[1, cells]).sum(dtype=U64)
        at[kernels.COUNT] = count
        return int(manhattan)

    def _way(
        self,
        blocks: list[npt.NDArray[np.uint32]],
        at: npt.NDArray[np.int64],
        near: npt.NDArray[np.uint16],
        start: int,
    ) -> Way:
        """The cells that the blank visits, from the log."""
        directions = [int(at[kernels.DIRECTION])]
        parent = int(at[kernels.PARENT])
        for block in reversed(blocks):
            word = int(block[parent])
            directions.append(word & 3)
            parent = word >> 2
        way = [start]
        for direction in reversed(directions):
            way.append(int(near[way[-1], direction]))
        return np.array(way[1:], np.int32)


def _beam(width: int, n: int) -> Beam:
    return Beam(
        boards=np.zeros((width, n + 1), label_type(n)),
        blanks=np.empty(width, np.uint16),
        before=np.empty(width, np.uint16),
        stages=np.empty(width, np.int16),
        places=np.empty((width, 2), np.uint16),
        distances=np.empty(width, np.int32),
        budgets=np.empty(width, np.int32),
        scores=np.empty(width, np.int32),
        manhattans=np.empty(width, np.int32),
        hashes=np.empty(width, U64),
    )


def _children(capacity: int) -> Children:
    return Children(
        parents=np.empty(capacity, np.uint32),
        directions=np.empty(capacity, np.uint8),
        distances=np.empty(capacity, np.int32),
        scores=np.empty(capacity, np.int32),
        keys=np.empty(capacity, np.int32),
        hashes=np.empty(capacity, U64),
    )
