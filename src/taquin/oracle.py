"""Perfect play from a finished sweep: one bit a state, or two.

A table keeps the depth of each state modulo 4 on boards with colours (one bit is stored, the other
is the colour of the blank's cell) and modulo 3 elsewhere (two bits). That is enough: a move changes
the depth by at most one, so its remainder tells which neighbours are nearer to the goal, and
following nearer neighbours to the goal counts the depth itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.board import Board
from taquin.board.lines import Line, letters, slides
from taquin.oracle_kernels import make_moves, nearer_moves, spread
from taquin.solvability import solvable_many
from taquin.state import State
from taquin.sweep import Table, rank_states

#: So many states walk to the goal side by side: they and their children stay in cache.
BATCH = 1 << 12

Labels = NDArray[np.int8]


@dataclass(frozen=True)
class Oracle:
    """The distance table of a puzzle; every question is answered for whole arrays of states.

    States are rows of labels 0..n-1, int8 of shape (B, n). They must be able to reach the goal;
    `taquin.space` checks that at the public edge.

    Attributes
    ----------
    goal : State
        With the labels 0..n-1.
    metric : str
        ``"stm"`` or ``"mtm"``.
    table : taquin.sweep.Table
        Laid out for this goal.
    """

    goal: State
    metric: str
    table: Table

    @property
    def board(self) -> Board:
        """The cells."""
        return self.goal.board

    @property
    def modulus(self) -> int:
        """What depths are kept modulo: 4 or 3."""
        return 4 if len(self.table.planes) == 1 else 3

    @property
    def bytes(self) -> int:
        """The size of the table."""
        return self.table.planes.nbytes

    @cached_property
    def _moves(self) -> list[list[Line]]:
        """The line of each move of the blank from each cell, in lexicographic order."""
        return [
            sorted(
                slides(self.board, cell, self.metric), key=lambda line: letters(self.board, line)
            )
            for cell in range(self.board.n)
        ]

    @cached_property
    def _lines(self) -> NDArray[np.int8]:
        """The same as an array (n, moves, cells), filled up with -1."""
        most = max(1, *map(len, self._moves))
        longest = max((len(line) for lines in self._moves for line in lines), default=1)
        table = np.full((self.board.n, most, longest), -1, np.int8)
        for cell, lines in enumerate(self._moves):
            for move, line in enumerate(lines):
                table[cell, move, : len(line)] = line
        return table

    def lines(self, cell: int) -> list[Line]:
        """Return the line of each move of a blank on `cell`, in lexicographic order."""
        return self._moves[cell]

    # -- many states ---------------------------------------------------------------------------

    def residues(self, labels: Labels) -> NDArray[np.uint8]:
        """Return the depth of each state modulo `modulus`."""
        cells = np.argsort(labels, axis=1)
        return self.table.residues(*rank_states(self.table.layout, cells[:, 1:], cells[:, 0]))

    def nearer(self, labels: Labels) -> NDArray[np.bool_]:
        """Return (B, moves) bool: the moves that lead nearer, in lexicographic order."""
        return self._nearer(labels, self.residues(labels))

    def _nearer(self, labels: Labels, residues: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Look at all children; `residues` are those of the states themselves."""
        room = len(labels) * self._lines.shape[1]
        cells, blanks = np.empty((room, self.board.n - 1), np.int64), np.empty(room, np.int64)
        size = spread(labels, self._lines, cells, blanks)
        place = rank_states(self.table.layout, cells[:size], blanks[:size])
        wanted = (residues + np.uint8(self.modulus - 1)) % np.uint8(self.modulus)
        nearer = np.empty((len(labels), self._lines.shape[1]), np.bool_)
        nearer_moves(labels, self._lines, self.table.residues(*place), wanted, nearer)
        return nearer

    def depths(self, labels: NDArray[Any]) -> NDArray[np.int16]:
        """Return the depth of each state.

        Cost: every state walks to the goal, and each step looks at its two to four children: a
        tenth of a microsecond each.
        """
        labels = np.ascontiguousarray(labels, np.int8)
        found = np.empty(len(labels), np.int16)
        for start in range(0, len(labels), BATCH):
            part = slice(start, start + BATCH)
            found[part] = self._descend(labels[part].copy())
        return found

    def checked_depths(self, array: Any) -> NDArray[np.int16]:
        """Return the depths of rows of labels after checking them; -1 for those without a way."""
        labels = np.asarray(array)
        solvable = solvable_many(labels, self.board, self.goal)
        depths = np.full(len(labels), -1, np.int16)
        depths[solvable] = self.depths(labels[solvable])
        return depths

    def _descend(self, labels: Labels) -> NDArray[np.int16]:
        goal = np.array(self.goal.tiles, np.int8)
        depth = np.zeros(len(labels), np.int16)
        residues = self.residues(labels)
        away = np.arange(len(labels))
        while True:
            still = (labels != goal).any(axis=1)
            away, labels, residues = away[still], labels[still], residues[still]
            if not away.size:
                return depth
            depth[away] += 1
            make_moves(labels, self._lines, self._nearer(labels, residues).argmax(axis=1))
            residues = (residues + np.uint8(self.modulus - 1)) % np.uint8(self.modulus)

    # -- one state -----------------------------------------------------------------------------

    def moves(self, state: State) -> list[Line]:
        """Return the line of each optimal move of the blank, in lexicographic order."""
        if state == self.goal:
            return []
        nearer = self.nearer(np.array([state.tiles], np.int8))[0]
        return [line for line, good in zip(self.lines(state.blank), nearer, strict=False) if good]

    def way(self, state: State) -> tuple[Line, ...]:
        """Return the lines of a shortest way to the goal, the lexicographically least one."""
        return next(self.ways(state))

    def ways(self, state: State) -> Iterator[tuple[Line, ...]]:
        """Yield every shortest way to the goal in lexicographic order."""
        waiting: list[tuple[State, tuple[Line, ...]]] = [(state, ())]
        while waiting:
            now, way = waiting.pop()
            if now == self.goal:
                yield way
            waiting += [(along(now, line), (*way, line)) for line in reversed(self.moves(now))]

    def count(self, state: State) -> int:
        """Return the exact number of shortest ways to the goal.

        The states on such ways are gone through depth by depth; each carries the number of ways
        that lead to it. Cost: some microseconds a state between `state` and the goal.
        """
        labels = np.array([state.tiles], np.int8)
        counts = np.array([1], object)
        goal = np.array(self.goal.tiles, np.int8)
        while (labels[0] != goal).any():
            parent, move = np.nonzero(self.nearer(labels))
            children = labels[parent]
            make_moves(children, self._lines, move)
            labels, same = _distinct(children)
            before, counts = counts, np.zeros(len(labels), object)
            np.add.at(counts, same, before[parent])
        return int(counts[0])


def _distinct(labels: Labels) -> tuple[Labels, NDArray[np.intp]]:
    """The different rows, and for each row its number among them."""
    rows = np.ascontiguousarray(labels).view(f"V{labels.shape[1]}").ravel()
    _, first, same = np.unique(rows, return_index=True, return_inverse=True)
    return labels[first], same


def along(state: State, line: Line) -> State:
    """Return the state after the blank has gone along a line that begins on its cell."""
    for cell in line[1:]:
        state = state.moved(cell)
    return state
