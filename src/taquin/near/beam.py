"""Beam search with a learned ranking: short solutions of boards of any kind, up to 255 cells.

`BeamSearch` is prepared once for a goal; `search` looks for a way with one width. The wider the
beam, the shorter the way and the longer it takes, in proportion. States are ranked by pattern
values where there are pattern databases, else by the sum of the tiles' distances; on grids the
learned weights of `taquin.near.ranking` are added.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from taquin.board import Board, GridBoard, open_axes
from taquin.errors import Unsupported
from taquin.near import beam_kernels as kernels
from taquin.near.ranking import Ranking, count_kinds, kinds
from taquin.patterns.index import Entries
from taquin.patterns.kernels import SUM
from taquin.patterns.sums import PatternSums
from taquin.space_memory import line_steps
from taquin.state import State

U64 = np.uint64
Bytes = npt.NDArray[np.uint8]
#: What is kept of a level: for each state its parent's number and the blank's cell.
Log = list[tuple[npt.NDArray[np.uint32], Bytes]]

#: Boards of more cells do not fit in bytes; cells of more neighbours not in the arrays.
MOST_CELLS = 255
MOST_NEIGHBOURS = 8
#: Places in the table of states met, for each state of the beam.
MET = 8
#: Bytes of a state, its children and its share of the table beside its board; and in the log.
STATE_BYTES, LOG_BYTES = 550, 5


class Found(NamedTuple):
    """What a search has found.

    Attributes
    ----------
    walk : tuple of int, or None
        The cells that the blank visits.
    made : int
        Children made.
    """

    walk: tuple[int, ...] | None
    made: int


def suits(goal: State) -> bool:
    """Whether states with this goal can be searched for."""
    board = goal.board
    return (
        1 < board.n <= MOST_CELLS
        and not goal.repeats
        and max(len(board.neighbours(cell)) for cell in range(board.n)) <= MOST_NEIGHBOURS
    )


class BeamSearch:
    """A beam search for one goal.

    Parameters
    ----------
    goal : State
    sums : PatternSums, optional
        For the goal, with all tiles in its patterns.
    ranking : Ranking, optional
        For grids and boxes.
    turn : float
        What a turn of the blank costs, in moves: for ways with few segments.

    Notes
    -----
    Cost of a search: about 0.1 to 0.2 microseconds a child; a state has one to three.

    Examples
    --------
    >>> goal = State([1, 2, 3, 4, 5, 6, 7, 8, 0], Board.grid(3, 3))
    >>> BeamSearch(goal).search(State([1, 2, 3, 4, 5, 6, 0, 7, 8], goal.board), 10, longest=9).walk
    (7, 8)
    """

    def __init__(
        self,
        goal: State,
        sums: PatternSums | None = None,
        ranking: Ranking | None = None,
        *,
        turn: float = 0.0,
    ) -> None:
        if not suits(goal):
            raise Unsupported(
                f"a beam search takes boards of 2 to {MOST_CELLS} cells with different labels and"
                f" up to {MOST_NEIGHBOURS} neighbours a cell; {goal.board.spec} with this goal is"
                " none"
            )
        self.goal, self.sums = goal, sums
        board, n = goal.board, goal.board.n
        #: The board that is searched, its goal cell of the blank, and for each of its cells (they
        #: are numbered as the pattern databases do) the cell of the goal's board, and back.
        self._board = board if sums is None else sums.database.board
        self._blank = goal.blank if sums is None else sums.database.blank
        self._outer = np.arange(n) if sums is None else sums.database.cells
        self._turn = np.arange(n) if sums is None else sums.turn
        self._back = np.argsort(self._turn)
        self._home = np.zeros(n, np.uint8)
        self._home[list(goal.tiles)] = self._turn
        self._turn_cost = round(turn * kernels.SCALE)
        self._ground = self._make_ground(self._board, self._blank)
        self._entries = _no_entries() if sums is None else entries_of(sums)
        self._weights = self._weigh(ranking)

    def _make_ground(self, board: Board, blank: int) -> kernels.Ground:
        """The arrays of the board."""
        sums, n = self.sums, board.n
        inner = np.argsort(self._outer)
        near = np.full((n, 8), kernels.NOWHERE, np.uint8)
        distances = np.zeros((n, n), np.uint8)
        for cell in range(n):
            cells = sorted(int(inner[to]) for to in board.neighbours(cell))
            near[inner[cell], : len(cells)] = cells
            distances[inner[cell], inner] = np.minimum(board.distances(cell), 255)
        onward = np.full((n, n), kernels.NOWHERE, np.uint8)
        for line in line_steps(board):
            for cell, to in enumerate(line):
                if to >= 0 and line[to] >= 0:
                    onward[inner[cell], inner[to]] = inner[line[to]]
        zobrist = np.random.default_rng(0).integers(0, 1 << 63, (n, n)).astype(U64)
        home = int(inner[blank])
        zobrist[home], distances[home] = 0, 0
        mirror, pattern_of = np.arange(n), np.zeros(n, np.uint8)
        sides: tuple[np.uint64, ...] = ()
        two_bits: tuple[np.uint64, ...] = ()
        if sums is not None:
            pattern_of = sums.database.pattern_of
            sides = (U64(0),) if sums.mirror is None else (U64(0), U64(8))
            mirror = mirror if sums.mirror is None else sums.mirror
            two_bits = (U64(1),) if sums.database.width == 2 else ()
        return kernels.Ground(
            near,
            np.uint8(home),
            mirror.astype(np.uint8),
            pattern_of.astype(np.uint8),
            zobrist,
            distances,
            onward,
            two_bits,
            sides,
        )

    def _weigh(self, ranking: Ranking | None) -> kernels.Weights:
        """The weights in whole units of a score, on the cells of the search."""
        board = self._board
        n, sides = board.n, max(1, len(self._ground.sides))
        beside = np.zeros((n, 9, 2), np.uint32)
        cells = np.zeros((n, n), np.int32)
        if ranking is None or open_axes(board) != len(ranking.shape):
            shares = np.array([kernels.SCALE // sides, 0, self._turn_cost])
            codes, nothing = cells.astype(np.uint8), np.zeros(1, np.int32)
            return kernels.Weights(shares, cells, codes, U64(1), nothing, beside)
        assert isinstance(board, GridBoard)
        inner, outer = np.argsort(self._outer).tolist(), self._outer
        many = count_kinds(len(board.shape))
        for cell in range(n):
            for axis, stride in enumerate(board.strides):
                if cell // stride % board.shape[axis] == board.shape[axis] - 1:
                    continue
                # A pair is told from either side.
                here, there = inner[cell], inner[cell + stride]
                for one, other, direction in ((here, there, 2 * axis), (there, here, 2 * axis + 1)):
                    beside[one, 0, 0] += 1
                    beside[one, beside[one, 0, 0]] = other, direction * many * many
        codes = kinds(board.shape, self._blank)[outer[:, None], outer].copy()
        if self._blank == 0 and ranking.shape == board.shape:
            cells = np.round(ranking.cells[outer[:, None], outer] * kernels.SCALE).astype(np.int32)
        mean, greater = (float(share) * kernels.SCALE for share in ranking.shares)
        shares = np.array([round(mean / sides), round(greater), self._turn_cost])
        both = np.stack([ranking.pairs, ranking.pairs.transpose(0, 2, 1)], axis=1)
        pairs = np.round(both.reshape(-1) * kernels.SCALE).astype(np.int32)
        return kernels.Weights(shares, cells, codes, U64(many), pairs, beside)

    def bytes_needed(self, width: int, longest: int) -> int:
        """Return about how many bytes of memory a search of this width and depth takes."""
        return width * (STATE_BYTES + 2 * self.goal.board.n + LOG_BYTES * longest)

    def root(self, start: State) -> tuple[Bytes, kernels.Words, int]:
        """Return the board by the cells of the search, its views and its word of values."""
        board = np.empty(start.board.n, np.uint8)
        board[self._turn] = self._home[list(start.tiles)]
        if self.sums is None:
            far = int(self._ground.distances[board, np.arange(board.size)].sum())
            return board, np.zeros(0, U64), far << int(SUM)
        views, word = self.sums.packed(start.tiles)
        return board, views, word

    def search(
        self,
        start: State,
        width: int,
        *,
        longest: int,
        noise: float = 0.0,
        seed: int = 1,
        stopped: Callable[[], bool] = lambda: False,
        watch: Callable[[kernels.Beam, int], None] | None = None,
    ) -> Found:
        """Look for a way of at most `longest` moves.

        Parameters
        ----------
        width : int
            States kept of each depth.
        noise : float
            The most that is added to a state's score, in moves: searches with different seeds find
            different ways.
        stopped : callable
            Asked before each depth whether to give up.
        watch : callable, optional
            Called with the states of each depth and how many there are.
        """
        board, views, word = self.root(start)
        if start == self.goal:
            return Found((), 0)
        beams = [_beam(width, board.size, views.size) for _ in range(2)]
        branching = int((self._ground.near != kernels.NOWHERE).sum(axis=1).max())
        children = _children(width * branching + kernels.CHUNK + 8)
        met = np.zeros(1 << max(10, (MET * width - 1).bit_length()), U64)
        counts = np.zeros(kernels.SCORES, np.int64)
        self._plant(beams[0], board, views, word)
        mixed = U64(seed * 0x5851F42D4C957F2D & (1 << 63) - 1)
        most_noise = U64(noise * kernels.SCALE)
        log: Log = []
        count, total = 1, 0
        for depth in range(1, longest + 1):
            if count == 0 or stopped():
                break
            beam, after = beams[(depth - 1) % 2], beams[depth % 2]
            kept, made, goal = kernels.expand(
                *(self._ground, self._entries, self._weights, beam, U64(count), children, met),
                *(longest - depth, most_noise, mixed),
            )
            total += made
            if goal >= 0:
                way = self._way(log, int(children.parents[goal]), int(children.cells[goal]))
                return Found(way, total)
            limit, share = kernels.choose(children, kept, width, counts)
            parents, cells = np.empty(width, np.uint32), np.empty(width, np.uint8)
            count = kernels.survive(
                *(self._ground, beam, after, children, kept, limit, share, mixed, parents, cells)
            )
            log.append((parents[:count].copy(), cells[:count].copy()))
            if watch is not None and count:
                watch(after, count)
        return Found(None, total)

    @property
    def sides(self) -> int:
        """Sides of the board that have values: none without pattern databases."""
        return len(self._ground.sides)

    def outer(self, boards: Bytes) -> Bytes:
        """Return boards (B, n) of a beam by the cells of the board that is searched."""
        result = np.empty_like(boards)
        result[:, self._outer] = self._outer.astype(np.uint8)[boards]
        return result

    def _plant(self, beam: kernels.Beam, board: Bytes, views: kernels.Words, word: int) -> None:
        """Begin with one state."""
        beam.boards[0], beam.views[0], beam.values[0] = board, views, word
        tiles = self._ground.zobrist[board, np.arange(board.size)]
        beam.hashes[0] = np.bitwise_xor.reduce(tiles)
        beam.scores[0] = kernels.score(board, U64(word), self._weights)
        beam.blanks[0] = int(np.argmax(board == self._ground.blank))
        beam.before[0] = kernels.NOWHERE

    def _way(self, log: Log, parent: int, last: int) -> tuple[int, ...]:
        """The way to the goal, back along the log."""
        way = [last]
        for parents, cells in reversed(log):
            way.append(int(cells[parent]))
            parent = int(parents[parent])
        return tuple(int(self._back[cell]) for cell in reversed(way))


def entries_of(sums: PatternSums) -> Entries:
    """What the kernels read of the pattern databases."""
    base = sums.database
    if sum(map(len, base.patterns)) < base.board.n - 1:
        raise Unsupported(f"a search needs all tiles in its patterns; {base} has some")
    return Entries(np.ascontiguousarray(base.bits), *base.index)


def _no_entries() -> Entries:
    words = np.zeros(1, U64)
    halves = np.zeros(1, np.uint32)
    small = np.zeros(1, np.uint8)
    return Entries(small, U64(0), halves, halves, words, small, np.zeros(1, np.uint16), words)


def _beam(width: int, n: int, views: int) -> kernels.Beam:
    return kernels.Beam(
        boards=np.empty((width, n), np.uint8),
        views=np.empty((width, views), U64),
        values=np.empty(width, U64),
        hashes=np.empty(width, U64),
        scores=np.empty(width, np.int32),
        blanks=np.empty(width, np.uint8),
        before=np.empty(width, np.uint8),
    )


def _children(capacity: int) -> kernels.Children:
    return kernels.Children(
        parents=np.empty(capacity, np.uint32),
        cells=np.empty(capacity, np.uint8),
        values=np.empty(capacity, U64),
        hashes=np.empty(capacity, U64),
        scores=np.empty(capacity, np.int32),
        keys=np.empty(capacity, np.int32),
        bits=np.empty((2, kernels.CHUNK + 8), U64),
    )
