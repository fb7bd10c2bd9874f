"""The tasks on larger boards: 15-puzzles by iterative deepening, the others by their limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taquin.board import Board
from taquin.errors import LimitReached
from taquin.formats.judges.eight import table
from taquin.formats.judges.parity import MANY, answer
from taquin.formats.judges.reading import Numbers
from taquin.solvability import decide
from taquin.state import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

NOT_SOLVABLE = "This puzzle is not solvable."
#: UVa 10181 promises boards of at most 45 moves and takes answers of up to 50.
UVA_LONGEST = 50
#: LightOJ calls boards of more moves not solvable.
LIGHTOJ_LONGEST = 35
#: Nodes of a first search, a millisecond; eight times more each time it does not suffice.
FIRST_NODES = 50_000


def epoka_kth(text: str) -> str:
    """n, then n x n numbers: the least number of moves up to a limit, else -1."""
    given = Numbers(text)
    size = given.one("n", 3, 7)
    start, goal = _square(given.boards(1, size * size)[0], size)
    given.finish()
    distance = distance_within(start, goal, 15 if size <= 4 else 12)
    return answer(["-1" if distance is None else str(distance)])


def distance_within(start: State, goal: State, limit: int) -> int | None:
    """Return the distance of two states if it is at most `limit`, else None.

    Breadth first from both ends, one level at a time from the end with the smaller one.
    Cost: about 2 * 3^(limit / 2) states.
    """
    level, other = {start}, {goal}
    seen, other_seen = {start}, {goal}
    for distance in range(limit + 1):
        if not level.isdisjoint(other):
            return distance
        if len(level) > len(other):
            level, other, seen, other_seen = other, level, other_seen, seen
        level = {near for state in level for _, near in state.neighbours()} - seen
        seen |= level
    return None


def least_moves(text: str) -> str:
    """One board 4 x 4: the least number of moves."""
    given = Numbers(text)
    start, goal = _square(given.boards(1, 16)[0], 4)
    given.finish()
    way = shortest_way(start, goal, UVA_LONGEST)
    return answer(["-1" if way is None else str(len(way))])


def uva10181(text: str) -> str:
    """Boards 4 x 4: a way of at most 50 moves, or the sentence.

    Raises
    ------
    LimitReached
        If a board is solvable, but not within 50 moves: the task promises that none is.
    """
    lines = []
    for case, (start, goal) in enumerate(_fifteens(text), start=1):
        way = shortest_way(start, goal, UVA_LONGEST)
        if way is None and decide(start, goal)[0]:
            raise LimitReached(
                f"case {case} needs more than {UVA_LONGEST} moves, which this task does not set;"
                " use 'taquin solve'"
            )
        lines.append(NOT_SOLVABLE if way is None else way)
    return answer(lines)


def lightoj(text: str) -> str:
    """Boards 4 x 4: the alphabetically least shortest way if it has at most 35 moves."""
    ways = (shortest_way(start, goal, LIGHTOJ_LONGEST) for start, goal in _fifteens(text))
    lines = (NOT_SOLVABLE if way is None else way for way in ways)
    return answer([f"Case {case}: {line}" for case, line in enumerate(lines, start=1)])


def shortest_way(start: State, goal: State, longest: int) -> str | None:
    """Return the alphabetically least shortest way if it has at most `longest` moves, else None.

    A search that reaches a limit of nodes has proved a lower bound, which mostly settles the
    longer ones at once.
    """
    from taquin.search.ida import ida, ida_all

    if not decide(start, goal)[0]:
        return None
    nodes, length = FIRST_NODES, None
    while length is None:
        try:
            length = ida(start, goal, node_limit=nodes).length
        except LimitReached as reached:
            if reached.lower_bound > longest:
                return None
            nodes *= 8
    if length > longest:
        return None
    return ida_all(start, goal, limit=1).solutions[0].moves


def poj3240(text: str) -> str:
    """n, then n x n numbers: any way, or ``No Answer!``."""
    given = Numbers(text)
    size = given.one("n", 1, 100)
    board = given.boards(1, size * size)[0]
    given.finish()
    start, goal = _square(board, size)
    if not decide(start, goal)[0]:
        return answer(["No Answer!"])
    if size <= 3:
        return answer([table((size, size), goal.tiles).way(start.tiles) or ""])
    from taquin.construct import construct
    from taquin.notation import merge, write_moves

    walk = merge(start, tuple(construct(start, goal).walk))
    return answer([write_moves(start, walk, "blank")])


def _fifteens(text: str) -> Iterable[tuple[State, State]]:
    given = Numbers(text)
    boards = given.boards(given.one("the number of boards", 0, MANY), 16)
    given.finish()
    return (_square(board, 4) for board in boards)


def _square(tiles: NDArray[np.int64], size: int) -> tuple[State, State]:
    """Return the state with these tiles on a square board, and reading order, the blank last."""
    board = Board.grid(size, size)
    goal = State.trusted((*range(1, board.n), 0), board, board.n - 1)
    return State(tiles.tolist(), board), goal
