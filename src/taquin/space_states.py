"""Which states lie at a depth: a second walk through the space looks up those asked for.

States at a depth are numbered, so that samples can be drawn as numbers; nothing is listed. Boards
that fit are swept (`taquin.sweep.sweep`), others walked level by level (`frontier_search`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from taquin.board import Board
from taquin.errors import LimitReached, Unsupported
from taquin.solvability import class_size
from taquin.space_memory import bytes_needed, free_memory, human, line_steps, refusal
from taquin.state import State
from taquin.sweep import (
    Frontier,
    Layer,
    Level,
    Progress,
    Stop,
    frontier_search,
    sweep,
    unrank_states,
)

if TYPE_CHECKING:
    from taquin.puzzle import Puzzle

#: Larger spaces are all alike: nobody goes through them.
COUNTED = 1 << 63
#: So many states are walked level by level where bit sets of all arrangements do not fit.
FEW = 1_000_000
#: Given a depth and how many states it has, the numbers of those wanted.
Choice = Callable[[int, int], Sequence[int]]


def sweep_arguments(puzzle: Puzzle) -> tuple[list[tuple[int, ...]], dict[str, Any]]:
    """Return the neighbours of all cells, and goal cells and lines as `sweep` takes them."""
    board, goal = puzzle.board, puzzle.goal
    neighbours = [board.neighbours(cell) for cell in range(board.n)]
    homes = [goal.cell_of(tile) for tile in range(1, board.n)]
    arguments: dict[str, Any] = {"tiles": homes, "blank": goal.blank}
    if puzzle.metric == "mtm":
        arguments["lines"] = line_steps(board)
    return neighbours, arguments


def walk_frontier(
    puzzle: Puzzle,
    to_depth: int,
    limit: int,
    *,
    progress: Callable[[Progress], None] | None = None,
    stop: Stop | None = None,
    on_level: Callable[[Layer], None] = lambda _: None,
) -> Frontier:
    """Go through a board that is too big to hold by its last two levels alone.

    Raises
    ------
    Unsupported
        If a cell has more than 64 moves.
    """
    board = puzzle.board
    total = class_size(board, puzzle.goal.blank, most=COUNTED)
    stopped = Stop() if stop is None else stop
    began = perf_counter()
    states = 0

    def tell(layer: Layer) -> None:
        nonlocal states
        states += layer.size
        on_level(layer)
        if progress is not None and layer.depth:
            seconds = perf_counter() - began
            progress(Progress(states, layer.depth, layer.size, states / total, seconds))

    try:
        return frontier_search(
            [board.neighbours(cell) for cell in range(board.n)],
            puzzle.goal.blank,
            to_depth,
            lines=line_steps(board) if puzzle.metric == "mtm" else None,
            memory_limit=limit,
            on_level=tell,
            stop=lambda: bool(stopped),
        )
    except ValueError:
        raise Unsupported(
            "boards too big to hold may have 64 moves of the blank from a cell at most, got"
            f" {puzzle.spec}"
        ) from None


def pick(
    puzzle: Puzzle,
    choose: Choice,
    to_depth: int | None = None,
    *,
    by_frontier: bool = False,
) -> dict[int, list[State]]:
    """Return states of several depths from one walk through the space.

    Parameters
    ----------
    choose : callable
        Called with a depth and how many states it has; returns the numbers of those wanted.
    to_depth : int, optional
        The last depth looked at.
    by_frontier : bool
        Walk level by level even if the whole would fit: the way a space was explored decides
        which number is which state.

    Raises
    ------
    LimitReached
        If neither the whole nor the levels fit in the memory that is free.
    """
    if puzzle.board.n == 1:
        return {0: [puzzle.goal for _ in choose(0, 1)]}
    limit = free_memory()
    fits = bytes_needed(puzzle) <= limit
    few = class_size(puzzle.board, puzzle.goal.blank, most=FEW) <= FEW
    if by_frontier or (few and not fits):
        return _pick_by_frontier(puzzle, choose, to_depth, limit)
    if not fits:
        raise LimitReached(refusal(puzzle, limit))
    picked: dict[int, list[State]] = {}

    def look(level: Level) -> None:
        numbers = np.fromiter(choose(level.depth, level.size), np.int64)
        cells, blanks = unrank_states(level.layout, *level.pick(numbers))
        picked[level.depth] = states_from(puzzle.board, cells, blanks, range(1, puzzle.board.n))

    neighbours, arguments = sweep_arguments(puzzle)
    sweep(neighbours, on_level=look, to_depth=to_depth, **arguments)
    return picked


def _pick_by_frontier(
    puzzle: Puzzle, choose: Choice, to_depth: int | None, limit: int
) -> dict[int, list[State]]:
    goal = puzzle.goal
    labels = [tile for tile in goal.tiles if tile]  # tiles are in the order of their goal cells
    picked: dict[int, list[State]] = {}

    def look(layer: Layer) -> None:
        numbers = np.fromiter(choose(layer.depth, layer.size), np.int64)
        picked[layer.depth] = states_from(goal.board, *layer.pick(numbers), labels)

    most = class_size(goal.board, goal.blank, most=COUNTED) if to_depth is None else to_depth
    found = walk_frontier(puzzle, most, limit, on_level=look)
    if found.ended == "memory":
        raise LimitReached(
            f"of {human(limit)} that are free, too little is left for depth {len(found.counts)} of"
            f" {puzzle.spec}: its states can be had up to depth {len(found.counts) - 1}"
        )
    return picked


def states_from(
    board: Board, cells: NDArray[np.int64], blanks: NDArray[np.int64], labels: Iterable[int]
) -> list[State]:
    """Return the states whose tiles `labels` are on the cells (B, n - 1), with their blanks."""
    labels = list(labels)
    found = []
    for places, blank in zip(cells.tolist(), blanks.tolist(), strict=True):
        tiles = [0] * board.n
        for label, cell in zip(labels, places, strict=True):
            tiles[cell] = label
        found.append(State.trusted(tuple(tiles), board, blank))
    return found
