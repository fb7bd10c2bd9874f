"""Are the tables right? Local invariants on every entry, and samples against slow searches."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from taquin.errors import TableError
from taquin.patterns.database import PatternDatabase
from taquin.space_memory import line_steps
from taquin.sweep import Layout, certify, count_preceded, expected_certificate
from taquin.sweep.certify import expected_preceded, valid_bits

#: Entries near the goal that are compared with a slow search; steps of random walks.
NEAR = 1000
STEPS = 2000


def check(database: PatternDatabase, *, workers: int | None = None) -> None:
    """Check every entry of all tables, and samples of values.

    1.  The goal's entry is 0, and unused bits are.
    2.  As many entries have each remainder as the sweep counted: no single bit is wrong.
    3.  Every entry but the goal's has one that is one less among its neighbours
        (`taquin.sweep.certify`, which says what that proves).
    4.  The values of the states nearest to the goal are those of a plain breadth-first search.
    5.  Along random walks each value changes by at most 1 a move of its pattern, and not at all
        with a move of other tiles: values are read by going down to the goal, so each is the
        length of a way.

    Tables in multi-tile moves have the first three checks alone.

    Raises
    ------
    TableError
        Which check failed.

    Notes
    -----
    Cost: less than building, and the largest table's memory once more; tables in multi-tile moves
    twice the time of building, and five times the memory.
    """
    in_segments = database.metric == "mtm"
    for number, layout in enumerate(database.layouts):
        planes = database.planes(number)
        states = database.states[number].tolist()
        if in_segments:
            fault = _fault_in_segments(database, layout, planes, states, workers)
        else:
            found = certify(layout, planes, workers=workers)
            fault = found.fault(expected_certificate(layout, states))
        if fault is not None:
            raise TableError(f"the table of pattern {number + 1} in {database} is wrong: {fault}")
    if in_segments:
        return
    for number in range(len(database.patterns)):
        _check_near(database, number)
    _check_walks(database)


def _fault_in_segments(
    database: PatternDatabase,
    layout: Layout,
    planes: NDArray[np.uint64],
    states: list[int],
    workers: int | None,
) -> str | None:
    """Say what is wrong with a table in multi-tile moves, if anything is."""
    if (planes & ~valid_bits(layout.k, planes.shape[2])).any():
        return "bits that stand for nothing are set"
    if (planes[:, layout.goal_rows, 0] & np.uint64(1)).any():
        return "the goal's value is not 0"
    ones_and_twos = [int(np.bitwise_count(plane).sum(dtype=np.int64)) for plane in planes]
    if ones_and_twos != states[1:3]:
        return "it has not the values that were counted"
    lines = line_steps(database.board)
    expected = expected_preceded(layout, sum(states[::2]), sum(states[1::2]), lines)
    preceded = count_preceded(layout, planes, lines=lines, workers=workers)
    if preceded != expected:
        return f"{preceded:,} entries have a neighbour nearer to the goal, expected {expected:,}"
    return None


def _check_near(database: PatternDatabase, number: int) -> None:
    boards, depths = zip(*_nearest(database, number), strict=True)
    # Other tiles may lie where they cannot: only this pattern's values are looked at.
    values = database.inner_values(database.inner(boards))[:, number]
    if not np.array_equal(values, depths):
        wrong = int(np.flatnonzero(values != depths)[0])
        raise TableError(
            f"the table of pattern {number + 1} in {database} is wrong: a slow search says"
            f" {depths[wrong]} where it says {values[wrong]}"
        )


def _nearest(database: PatternDatabase, number: int) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Boards with the fewest moves of a pattern, in order, by plain breadth-first search."""
    tracked = set(database.patterns[number])
    neighbours = database.neighbours
    n = database.board.n
    goal = np.arange(n)

    def region(board: NDArray[np.int64], blank: int) -> frozenset[int]:
        reached, queue = {blank}, deque([blank])
        while queue:
            for cell in neighbours[queue.popleft()]:
                if cell not in reached and board[cell] not in tracked:
                    reached.add(cell)
                    queue.append(cell)
        return frozenset(reached)

    def key(board: NDArray[np.int64], cells: frozenset[int]) -> tuple[object, ...]:
        return (tuple(board[c] if board[c] in tracked else -1 for c in range(n)), min(cells))

    queue = deque([(goal, database.blank, 0)])
    seen = {key(goal, region(goal, database.blank))}
    found = 0
    while queue and found < NEAR:
        board, blank, depth = queue.popleft()
        found += 1
        yield board, depth
        for to in region(board, blank):
            for cell in neighbours[to]:
                if board[cell] in tracked:
                    moved = board.copy()
                    # The blank walks to `to`, which shifts other tiles only: they need no places.
                    moved[blank], moved[to] = moved[to], moved[blank]
                    moved[to], moved[cell] = moved[cell], moved[to]
                    mark = key(moved, region(moved, cell))
                    if mark not in seen:
                        seen.add(mark)
                        queue.append((moved, cell, depth + 1))


def _check_walks(database: PatternDatabase) -> None:
    random = np.random.default_rng(1)
    n = database.board.n
    board, blank = np.arange(n), database.blank
    boards, moved = [board.copy()], [-1]
    of = np.full(n, -1)
    for number, cells in enumerate(database.patterns):
        of[list(cells)] = number
    for _ in range(STEPS):
        to = int(random.choice(database.neighbours[blank]))
        moved.append(int(of[board[to]]))
        board[blank], board[to] = board[to], board[blank]
        blank = to
        boards.append(board.copy())
    changes = np.diff(database.values(np.array(boards)).astype(int), axis=0)
    own = np.array(moved[1:])[:, None] == np.arange(len(database.patterns))
    least = 1 if database.width == 1 else 0
    wrong = (np.abs(changes) > own) | (np.abs(changes) < least * own)
    if wrong.any():
        raise TableError(f"the tables {database} are wrong: a move changes a value by too much")
