"""IDA* over sums of pattern values: the fast optimal search.

Iterative deepening A* (Korf 1985) with additive pattern databases (Korf & Felner 2002; Felner,
Korf & Hanan 2004), two views of symmetric boards, and an automaton that prunes duplicate strings of
moves (Taylor & Korf 1993). See `taquin.search.pattern_kernels` for the loop.

Nodes are counted as in `taquin.search.result`: every child that is made counts, whether it is cut
off or not, iterations add up, and the root counts once. Children that the automaton rules out are
not made, as the move back is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin import tables
from taquin.board import open_axes
from taquin.errors import Unsupported
from taquin.patterns.index import Entries
from taquin.patterns.sums import PatternSums
from taquin.search import pattern_kernels as kernels
from taquin.search.automaton import Automaton, graph_automaton, grid_automaton
from taquin.state import State
from taquin.sweep.compiled import has_pext

U64 = np.uint64

#: Stacks that take turns: enough to hide a cache miss, few enough to stay in the cache.
STACKS = 4
#: Nodes between two looks at the clock: some hundredths of a second.
SLICE = 1 << 20
#: Lengths of the strings that automata compare, by axes; and on other boards.
LENGTHS = {1: 2, 2: 12, 3: 8}
OTHER_LENGTH = 12
#: Directions of a cell, at most.
MOST_DIRECTIONS = 8
#: Steps of a path at first; made longer as needed.
LEVELS = 128


class Work:
    """The working memory of one thread."""

    def __init__(self, levels: int, directions: int, stacks: int = STACKS) -> None:
        self.levels = levels
        self.capacity = levels * max(1, directions - 1) + directions

        def words(size: int) -> NDArray[np.uint64]:
            return np.zeros(stacks * size, U64)

        self.stacks = kernels.Stacks(
            views=words(16),
            frames=words(self.capacity * int(kernels.FRAME)),
            path=words(levels * int(kernels.STEP)),
            children=words(directions * int(kernels.CHILD)),
            values=words(1),
            top=words(1),
            bottom=words(1),
            waiting=words(1),
            depth=np.zeros(stacks, np.int64),
        )
        self.at = np.zeros(kernels.FIELDS, np.int64)

    @property
    def room(self) -> tuple[np.uint64, np.uint64]:
        """Frames of a stack and steps of a path, at most."""
        return U64(self.capacity), U64(self.levels)


class PatternSearch:
    """IDA* for one goal: tables, moves and automaton; used by several threads at once.

    `taquin.search.patterns.solve` drives it.

    Parameters
    ----------
    sums : PatternSums
    packed : bool, optional
        Boards in one word: on 16 cells with two patterns; chosen by the processor if not given.
    length : int, optional
        Of the strings that the automaton compares; 2 forbids the move back alone.
    order : sequence of sequences of int, optional
        The neighbours of each cell of the goal's board, the first to be tried first: then there is
        one stack, no automaton, and solutions are met in this order.
    """

    metric = "stm"

    def __init__(
        self,
        sums: PatternSums,
        *,
        packed: bool | None = None,
        length: int | None = None,
        order: Sequence[Sequence[int]] | None = None,
    ) -> None:
        self.sums, self.goal = sums, sums.goal
        base = sums.database
        board, n = base.board, base.board.n
        if sum(map(len, base.patterns)) < n - 1:
            raise Unsupported(f"a search needs all tiles in its patterns; {base} has some")
        self.in_order = order is not None
        near = self._neighbours(order)
        self.directions = max(map(len, near))
        self.branching = max(1.5, self.directions / 2)
        self.even = base.width == 1
        self.bytes = base.bytes
        self.name = "ida " + "-".join(str(len(cells)) for cells in base.patterns)
        if self.directions > MOST_DIRECTIONS:
            raise Unsupported(
                f"this search takes cells of up to {MOST_DIRECTIONS} neighbours;"
                f" {board.spec} has one of {self.directions}"
            )
        automaton = self._automaton(near, length)
        self.length = automaton.length
        self._starts = automaton.legal[:n] if self._by_cell else np.repeat(automaton.legal[:1], n)
        legal = np.array([sum(1 << d for d, to in enumerate(m) if to >= 0) for m in near], np.uint8)
        to = np.zeros((n, 8), np.uint8)
        for cell, cells in enumerate(near):
            to[cell, : len(cells)] = np.maximum(cells, 0)
        mirror = np.arange(n) if sums.mirror is None else sums.mirror
        wide = max(1, (self.directions - 1).bit_length())
        ways = np.zeros((automaton.legal.size, 1 << wide), np.uint32)
        after = automaton.next[:, : 1 << wide].astype(np.uint32)
        ways[:, : after.shape[1]] = (after << 8) | automaton.legal.astype(np.uint32)[after]
        self._moves = kernels.Moves(
            to.reshape(-1), legal, mirror.astype(np.uint8), ways.reshape(-1), U64(wide)
        )
        self._near = near
        self._entries = Entries(np.ascontiguousarray(base.bits), *base.index)
        if packed is None:
            packed = has_pext()
        packed = packed and n == 16 and len(base.patterns) == 2
        one = (U64(1),)
        self.shape = kernels.Shape(
            one if packed else (),
            one if base.width == 2 else (),
            (),
            tuple(U64(j) for j in range(1, len(base.patterns))) or (U64(0),),
            (U64(0),) if sums.mirror is None else (U64(0), U64(8)),
        )
        self._nibbles = [0] * n
        for home, pattern in enumerate(base.pattern_of.tolist()):
            if pattern < 2:
                self._nibbles[home] = int(base.label_of[home]) | pattern << 3
        self._back = np.argsort(sums.turn).tolist()
        self._held = local()
        self._warm: set[bool] = set()
        self._in_letters: PatternSearch | None = None

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint is of, beside start and goal."""
        patterns = [list(cells) for cells in self.sums.database.patterns]
        mirrored = self.sums.mirror is not None
        return {"patterns": patterns, "mirrored": mirrored, "automaton": self.length}

    # -- the board ------------------------------------------------------------------------------

    def _neighbours(self, order: Sequence[Sequence[int]] | None) -> list[list[int]]:
        """For each inner cell where its directions lead: -1 where the board ends."""
        base = self.sums.database
        board, place = base.board, base.place
        near: list[list[int]] = [[] for _ in range(board.n)]
        self._axes = 0 if order is not None else open_axes(board)
        self._by_cell = self._axes == 0
        for cell in range(board.n):
            if order is not None:  # the last direction is tried first
                turn = self.sums.turn
                near[turn[cell]] = [int(turn[to]) for to in reversed(order[cell])]
            elif self._by_cell:
                near[place[cell]] = [int(place[to]) for to in board.neighbours(cell)]
            else:
                steps = [board.step(cell, way) for way in board.directions]
                near[place[cell]] = [-1 if to is None else int(place[to]) for to in steps]
        return near

    def _automaton(self, near: list[list[int]], length: int | None) -> Automaton:
        if self.in_order:
            return graph_automaton(near, 2)
        length = length or LENGTHS.get(self._axes, OTHER_LENGTH)
        axes = self._axes
        if axes and length <= 2:
            return grid_automaton(axes, length)
        key = {"axes": axes, "length": length, "cells": None if axes else near}

        def build() -> tables.Arrays:
            made = grid_automaton(axes, length) if axes else graph_automaton(near, length)
            return {"next": made.next, "legal": made.legal}

        arrays = tables.obtain("automaton", key, build)
        return Automaton(arrays["next"], arrays["legal"], length)

    def in_letters(self) -> PatternSearch:
        """Return the search that meets all solutions, in the order of the blank's letters.

        On boards without letters in the order of the cells.
        """
        if self._in_letters is None:
            board = self.sums.goal.board
            order = []
            for cell in range(board.n):
                moves = list(board.moves(cell))
                moves.sort(key=lambda move: move[0] if board.directions else move[1])
                order.append([to for _, to in moves])
            self._in_letters = PatternSearch(self.sums, packed=bool(self.shape.packed), order=order)
        return self._in_letters

    # -- one search -----------------------------------------------------------------------------

    def _work(self, bound: int) -> Work:
        """Return the working memory of this thread, long enough for paths of `bound` moves."""
        work: Work | None = getattr(self._held, "work", None)
        if work is None or work.levels <= bound + 1:
            levels = LEVELS
            while levels <= bound + 1:
                levels *= 2
            if levels > kernels.DEPTH:
                raise Unsupported(f"this search takes ways of up to 1000 moves; got {bound}")
            work = Work(levels, self.directions, 1 if self.in_order else STACKS)
            self._held.work = work
        return work

    def root(self, start: State) -> tuple[NDArray[np.uint64], int]:
        """Return a start as the kernel takes it, and its lower bound."""
        root = np.zeros(kernels.ROOT, U64)
        views, word = self.sums.packed(start.tiles)
        root[kernels.ROOT_VALUES] = word
        root[:16] = views
        if self.shape.packed:
            homes = self.sums.homes(start.tiles)
            root[0] = self._pack(homes[0].tolist())
            if self.sums.mirror is not None:
                root[8] = self._pack(self.sums.reflected(homes)[0].tolist())
        blank = int(self.sums.turn[start.blank])
        state = blank if self._by_cell else 0
        root[kernels.ROOT_REST] = blank << 10 | int(self._starts[blank]) << 32 | state << 40
        return root, max(word >> 32 & 0xFFFF, word >> 48)

    def _pack(self, homes: Sequence[int]) -> int:
        word = 0
        for cell, home in enumerate(homes):
            word |= self._nibbles[home] << 4 * cell
        return word

    def walk(self, moves: Sequence[int], start: State) -> tuple[int, ...]:
        """Return the cells of the goal's board that the blank visits."""
        cell = int(self.sums.turn[start.blank])
        cells = []
        for move in moves:
            cell = self._near[cell][move]
            cells.append(self._back[cell])
        return tuple(cells)

    # -- what a driver does with it ---------------------------------------------------------------

    def warm(self, *, weighted: bool = False) -> None:
        """Compile what a search runs, if it is not yet."""
        if weighted not in self._warm:
            work = self.begin(0)
            self.go_on(work, np.zeros(kernels.ROOT, U64), 0, weights=(1, 1) if weighted else None)
            self._warm.add(weighted)

    def begin(self, threshold: int, levels: int | None = None) -> Work:
        """Return this thread's memory with an iteration ahead of it and all counters at zero."""
        work = self._work(threshold if levels is None else levels)
        work.at[:] = 0
        work.at[kernels.THRESHOLD], work.at[kernels.FRESH] = threshold, 1
        return work

    def go_on(
        self,
        work: Work,
        root: NDArray[np.uint64],
        budget: int,
        *,
        single: bool = False,
        weights: tuple[int, int] | None = None,
    ) -> int:
        """Search from a root for about `budget` nodes more; how it ended (`pattern_kernels`)."""
        shape, factors = self.shape, (1, 1)
        if weights is not None:
            shape, factors = shape._replace(weighted=(U64(1),)), weights
        work.at[kernels.LAST_THRESHOLD] = (work.levels - 2) * factors[0]
        return int(
            kernels.iterate(
                *(shape, self._entries, self._moves, work.stacks, *work.room),
                np.array(factors, np.int64),
                *(budget, root, single, work.at),
            )
        )

    def frontier(
        self, root: NDArray[np.uint64], threshold: int, depth: int, most: int
    ) -> tuple[NDArray[np.uint64] | None, Work]:
        """The nodes of a depth within the threshold, as roots; None if there are more than `most`.

        The counters of the work are those of the nodes above.
        """
        work = self.begin(threshold)
        kernels.plant(work.stacks, root, len(self.shape.packed) > 0)
        at = work.at
        at[kernels.LEAST], at[kernels.TURN] = kernels.NEVER, STACKS - 1
        roots = np.zeros((most, kernels.ROOT), U64)
        status = kernels.deepen(
            *(self.shape, self._entries, self._moves, work.stacks, *work.room),
            np.ones(2, np.int64),
            *(1 << 60, depth, roots, at),
        )
        if status == kernels.OVERFLOW:
            return None, work
        assert status == kernels.EXHAUSTED, "the goal is deeper than the frontier"
        return roots[: at[kernels.ROOTS]], work

    def moves_of(self, work: Work, root: NDArray[np.uint64]) -> list[int]:
        """The directions from the start to the goal that was found, by way of a root."""
        before = int(root[kernels.ROOT_REST] & kernels.DEPTH)
        moves = []
        for d in range(before):
            word = int(root[kernels.ROOT_MOVES + d // kernels.MOVES_A_WORD])
            moves.append(word >> d % kernels.MOVES_A_WORD * 3 & 7)
        length, turn = int(work.at[kernels.LENGTH]), int(work.at[kernels.TURN])
        path = work.stacks.path.reshape(-1, work.levels, 3)[turn, before + 1 : length + 1, 2]
        return [*moves, *(path >> kernels.DIRECTION & U64(7)).tolist()]
