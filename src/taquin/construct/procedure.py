"""A certain way from any state to any other of its class, on any board: the proofs, carried out.

On a grid or a box the free cells are a box, too. One of its outer slabs (a row, a column, a
layer) that does not hold the blank's home is filled tile by tile, in reading order, and never
touched again::

    1  2  3  4       1  2  3  4       1  2  3  4       1  2  3  4
    .  .  .  .       5  .  .  .       5  6  7  8       5  6  7  8
    .  .  .  .       9  .  .  .       9  .  .  .       9 10  .  .       .: free, a box
    .  .  .  .      13  .  .  .      13  .  .  .      13 14  .  .

Before each tile the free cells hang together even without any one of them, so that the blank can
always come to the cell where the tile must go next, without moving it. Only the last cell of a
slab would break this; the last two tiles therefore go home together. In the end four cells
remain, a ring on which three tiles rotate: the class of the board decides which of their two
cyclic orders remains. (Johnson & Story 1879 for the proof; Parberry 1995 places tiles one by one
in the same way.)

A path and a ring have no such room: there the blank only walks. A torus is the grid that it
contains; if it has a ring of odd length, once round that ring changes the parity. Every other
board goes to `taquin.construct.graph`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any

from taquin.board import Board, GridBoard, WallBoard
from taquin.construct.box import MAX_MOVES, Builder, Draft
from taquin.construct.graph import construct_graph, representative
from taquin.construct.lines import around, least_rotation, line, ring_steps
from taquin.construct.stages import Construction, Stage
from taquin.errors import InvalidState, LimitReached, Unsolvable
from taquin.permutation import parity
from taquin.solvability import decide, verdict
from taquin.state import State


def construct(start: State, goal: State) -> Construction:
    """Return a way from `start` to `goal`; on squares below 4 moves a step of Manhattan distance.

    Every board gets an answer: grids and boxes of any size and any number of axes, tori, boards
    with walls, and any connected graph. Labels may repeat.

    Raises
    ------
    Unsolvable
        If no way exists, with the verdict; found before the first move is made.
    LimitReached
        If the way has more than 100 million moves.
    InvalidState
        If the states have different boards or labels.

    Notes
    -----
    Cost: O(moves) on grids, that is O(n^1.5) on squares; memory O(n + moves). Large boards
    run compiled. On other boards O(n^2 + moves), in plain Python: seconds for some thousand
    cells. There the moves are O(n d) for tiles that lie d steps from home, as long as the board
    has short rings; where it has none, a few tiles may take O(n^3).

    Examples
    --------
    >>> from taquin.board import Board
    >>> board = Board.grid(3, 3)
    >>> start = State((8, 1, 3, 4, 0, 2, 7, 6, 5), board)
    >>> made = construct(start, State((1, 2, 3, 4, 5, 6, 7, 8, 0), board))
    >>> [(stage.tiles, stage.moves) for stage in made.stages]
    [((1,), 3), ((2, 3), 15), ((4, 7), 10), ((5, 6, 8), 6)]
    """
    _check_pair(start, goal)
    shape = _box(start.board)
    if shape is not None:
        return _construct_box(start, goal, shape)
    along = line(start.board)
    if along is not None:
        return _slide(start, goal, *along)
    if not decide(start, goal)[0]:
        raise _unsolvable(start, goal)
    walk, drafts = construct_graph(start, goal)
    return Construction(start, goal, walk, _stages(drafts, goal))


def canonical(state: State) -> tuple[State, Any]:
    """Return the representative of the class of `state`, and the walk that leads to it.

    Two states can reach each other exactly if their representatives are equal. On grids, boxes
    and tori it is ``1 2 3 ... 0``, or the same with the last two tiles exchanged. On a path the
    blank is on the last cell; on a ring too, and the tiles begin with their least rotation. On
    other boards the blank is on the last cell, and the tiles of each block, as it is seen from
    there, are in the least order that they can have, read by cells: the last two exchanged where
    parity asks for it.

    Raises
    ------
    LimitReached
        As for `construct`.

    Examples
    --------
    >>> from taquin.board import Board
    >>> representative, walk = canonical(State((1, 3, 2, 0), Board.grid(2, 2)))
    >>> representative.tiles, walk
    ((1, 3, 2, 0), ())
    """
    board = state.board
    if _box(board) is not None:
        tiles = [*sorted(state.tiles)[1:], 0]
        goal = State.trusted(tuple(tiles), board, board.n - 1)
        homes = _homes(state, goal)
        if not _same_class(homes, state, goal) and not (_some_equal(state) or _odd_ring(state)):
            tiles[-3:-1] = tiles[-2], tiles[-3]
            goal = State.trusted(tuple(tiles), board, board.n - 1)
    else:
        along = line(board)
        goal = representative(state) if along is None else _at_end(state, *along)
    return goal, construct(state, goal).walk


# -- what kind of board, what kind of pair ------------------------------------------------------


def _check_pair(start: State, goal: State) -> None:
    if start.board != goal.board:
        raise InvalidState(
            f"the start is on {start.board.spec}, the goal on {goal.board.spec}: both must be on"
            " the same board"
        )
    if start.tiles != goal.tiles and sorted(start.tiles) != sorted(goal.tiles):
        raise InvalidState("start and goal have different labels: expected the same ones on both")


def _box(board: Board) -> tuple[int, ...] | None:
    """Return the axes of at least 2 cells if there are two of them and no walls, else None."""
    if isinstance(board, GridBoard) or (isinstance(board, WallBoard) and board.n == _area(board)):
        axes = tuple(length for length in board.shape if length > 1)
        return axes if len(axes) > 1 else None
    return None


def _area(board: WallBoard) -> int:
    return board.shape[0] * board.shape[1]


def _unsolvable(start: State, goal: State) -> Unsolvable:
    return Unsolvable(
        "no way leads from the start to the goal: they are in different classes of the board",
        verdict(start, goal),
    )


def _single(start: State, goal: State, kind: str, walk: Any) -> Construction:
    """Make a construction of one stage, after which everything is home."""
    if not walk:
        return Construction(start, goal, walk, ())
    cells = tuple(cell for cell in range(start.board.n) if cell != goal.blank)
    tiles = tuple(goal.tiles[cell] for cell in cells)
    return Construction(start, goal, walk, (Stage(kind, tiles, cells, 0, len(walk), 0),))


# -- grids, boxes, tori -------------------------------------------------------------------------


def _construct_box(start: State, goal: State, shape: tuple[int, ...]) -> Construction:
    homes = _homes(start, goal)
    builder = Builder(shape, homes, goal.blank)
    if not _same_class(homes, start, goal):
        odd = _odd_ring(start)
        if _some_equal(start):
            _exchange_equal(homes, start)
            builder = Builder(shape, homes, goal.blank)
        elif odd:
            builder.round(odd)
        else:
            raise _unsolvable(start, goal)
    builder.build()
    return Construction(start, goal, builder.walk(), _stages(builder.drafts, goal))


def _stages(drafts: Sequence[Draft], goal: State) -> tuple[Stage, ...]:
    """Give the stages the labels of `goal`, and count the tiles at home before each."""
    made, before, home = [], 0, 0
    for kind, cells, end in drafts:
        tiles = tuple(goal.tiles[cell] for cell in cells)
        made.append(Stage(kind, tiles, cells, before, end, home))
        before, home = end, home + len(cells)
    return tuple(made)


def _homes(start: State, goal: State) -> list[int]:
    """Return the cell where the tile on each cell shall go; equal tiles stay, or go near by.

    Cost: O(n log n), O(n) for labels that do not repeat.
    """
    at = {label: cell for cell, label in enumerate(goal.tiles)}
    homes = [at[label] for label in start.tiles]
    if not _some_equal(start):
        return homes
    wanted: dict[int, list[int]] = defaultdict(list)
    for cell, label in enumerate(goal.tiles):
        wanted[label].append(cell)
    here: dict[int, list[int]] = defaultdict(list)
    for cell, label in enumerate(start.tiles):
        here[label].append(cell)
    for label, cells in here.items():
        stay = set(cells) & set(wanted[label])
        free = deque(cell for cell in wanted[label] if cell not in stay)
        for cell in cells:
            homes[cell] = cell
            if cell not in stay:
                # Both lists are in reading order; look at a few of the first for a near one.
                near = min(range(min(8, len(free))), key=lambda i: _apart(start, cell, free[i]))
                homes[cell] = free[near]
                del free[near]
    return homes


def _apart(state: State, a: int, b: int) -> int:
    ends = zip(state.board.coordinates(a), state.board.coordinates(b), strict=True)
    return sum(abs(one - other) for one, other in ends)


def _some_equal(state: State) -> bool:
    return len(set(state.tiles)) < len(state.tiles)


def _same_class(homes: list[int], start: State, goal: State) -> bool:
    """Whether the tiles can go to `homes` on the grid without its wrapping."""
    return bool(parity(homes) == _apart(start, start.blank, goal.blank) % 2)


def _exchange_equal(homes: list[int], start: State) -> None:
    """Exchange the homes of two equal tiles."""
    first: dict[int, int] = {}
    for cell, label in enumerate(start.tiles):
        other = first.setdefault(label, cell)
        if other != cell:
            homes[cell], homes[other] = homes[other], homes[cell]
            return


def _odd_ring(state: State) -> list[int]:
    """Return the walk of the blank once round a ring of odd length L; empty if there is none.

    It turns the L - 1 other tiles of the ring by one, which is an odd permutation.
    """
    board = state.board
    if not isinstance(board, GridBoard):
        return []
    odd = [axis for axis in board.wrap if board.shape[axis] % 2]
    if not odd:
        return []
    axis = min(odd, key=lambda axis: board.shape[axis])
    at, length, stride = state.blank, board.shape[axis], board.strides[axis]
    here = at // stride % length
    return [at + ((here + i) % length - here) * stride for i in range(1, length + 1)]


# -- paths and rings ----------------------------------------------------------------------------


def _slide(start: State, goal: State, cells: Sequence[int], closed: bool) -> Construction:
    """Solve a path, on which the order of the tiles never changes, or a ring."""
    tiles = [start.tiles[cell] for cell in cells]
    wanted = [goal.tiles[cell] for cell in cells]
    at, to = tiles.index(0), wanted.index(0)
    if closed:
        steps = ring_steps(tiles, wanted, 0)
        if steps is None:
            raise _unsolvable(start, goal)
        if abs(steps) > MAX_MOVES:
            raise LimitReached(
                f"the way has {abs(steps):,} moves; no more than {MAX_MOVES:,} are written down",
                None,
                abs(steps),
            )
        walk = tuple(around(cells, at, steps))
        return _single(start, goal, "turn", walk)
    if tiles[:at] + tiles[at + 1 :] != wanted[:to] + wanted[to + 1 :]:
        raise _unsolvable(start, goal)
    way = cells[at + 1 : to + 1] if to > at else cells[to:at][::-1]
    return _single(start, goal, "walk", tuple(way))


def _at_end(state: State, cells: Sequence[int], closed: bool) -> State:
    """Return the representative of a path or a ring: the blank last, the tiles in least order."""
    order = [state.tiles[cell] for cell in cells]
    at = order.index(0)
    order = order[:at] + order[at + 1 :] if not closed else order[at + 1 :] + order[:at]
    if closed:
        turn = least_rotation(order)
        order = order[turn:] + order[:turn]
    tiles = [0] * state.board.n
    for cell, tile in zip(cells, order, strict=False):
        tiles[cell] = tile
    return State.trusted(tuple(tiles), state.board, cells[-1])
