"""Estimates of the distance to a goal: readable, for any goal, audited against true depths.

A heuristic is made once for a goal and then asked for many states::

    h = HEURISTICS["manhattan"](goal)        # tables are made here
    h(state)                                 # single-tile moves, never more than are needed

Every heuristic here is *admissible* (never above the true distance) and *consistent* (one move
changes it by at most one). The reason is the same for all: each is the exact distance, or a proved
lower bound of it that changes in step, in a puzzle with fewer rules. The blank is never counted:
it moves in every move, so that its own distance would be paid twice (two moves for the one that
brings it home).

In the multi-tile metric one move slides up to L - 1 tiles of a line of L cells, and so changes h by
up to L - 1: none of these sums is admissible as it stands. `heuristic` divides by the longest
slide of the board and rounds up, which is admissible and consistent again.

========================  ======================  ====================  ===========================
heuristic                 the rule left out       boards                equal labels
========================  ======================  ====================  ===========================
``zero``                  all                     all                   yes
``misplaced``             where a tile may go     all                   yes
``gaschnig``              which cells are near    all                   `Unsupported`
``manhattan``             one tile a cell         all                   nearest cell of its label
``linear-conflict``       (Manhattan and more)    lines, see there      only unique labels conflict
``walking-distance``      which row-mate moves    grids, tori, walls    `Unsupported`
========================  ======================  ====================  ===========================

A new heuristic is one function here and one line in `HEURISTICS`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import getitem, itemgetter, ne

from taquin.board import Board, GridBoard, WallBoard
from taquin.errors import Unsupported
from taquin.state import State

Estimate = Callable[[State], int]
Take = Callable[[tuple[int, ...]], tuple[int, ...]]

#: Boards of at most so many cells keep the distances between all cells in a table.
TABLE_CELLS = 256
#: The largest table of walking distances made, in entries: 4 x 6 and 5 x 3 boards need less.
MOST_WALKING = 500_000


def zero(_goal: State) -> Estimate:
    """Return the heuristic that knows nothing: 0 for every state."""
    return lambda _: 0


def misplaced(goal: State) -> Estimate:
    """Count the tiles that are not on their cell (Hamming distance); the blank is no tile.

    The easier puzzle: a move lifts a tile and puts it anywhere, on others too. Cost: O(n) a state.
    With equal labels, a tile is misplaced where the goal has another label on its cell.
    """
    wanted, home = goal.tiles, goal.blank

    def estimate(state: State) -> int:
        # All cells that differ from the goal, less the one where the blank lies.
        differing: int = sum(map(ne, state.tiles, wanted))
        return differing - (state.blank != home)

    return estimate


def manhattan(goal: State) -> Estimate:
    """Sum the steps on the board from each tile to its goal cell.

    The easier puzzle: tiles may lie on each other. On a grid the steps are the sum of the
    differences of coordinates, the shorter way round on wrapped axes; with walls or on a graph
    they are counted on the board itself. Of equal labels each tile goes to the nearest goal cell of
    its label: two may choose the same one, which keeps the sum a lower bound.

    Notes
    -----
    Cost: n breadth-first walks and a table of n^2 numbers for the goal, then O(n) a state. Boards
    of more than `TABLE_CELLS` cells have no table: O(n) a state on grids, O(n^2) on others.
    """
    board, homes = goal.board, _homes(goal)
    if board.n > TABLE_CELLS:
        return lambda state: sum(
            min(board.distance(cell, home) for home in homes[tile])
            for cell, tile in enumerate(state.tiles)
            if tile
        )
    steps: list[dict[int, int]] = [{0: 0} for _ in range(board.n)]  # of [cell][label]
    for label, cells in homes.items():
        for cell, *from_homes in zip(range(board.n), *map(board.distances, cells), strict=True):
            steps[cell][label] = min(from_homes)

    return lambda state: sum(map(getitem, steps, state.tiles))


def linear_conflict(goal: State) -> Estimate:
    """Add to the Manhattan distance two moves for each tile that must leave its line.

    Two tiles that lie in their goal line in the wrong order cannot pass each other there: one of
    them has to step out of the line and back in. In each line, the fewest tiles whose removal
    leaves the others in order are counted: all that lie in their goal line, less the longest
    rising subsequence of their goal places. (Two moves for each conflicting *pair* are too many:
    one tile may be in conflict with two.)

    Where it holds, and what is done elsewhere:

    * A line is a maximal run of cells along an axis, broken by walls; both the cell and the goal
      of a tile must lie in the run, so that the straight way is open.
    * On a wrapped axis tiles pass by going round the other way: its lines count nothing.
    * In two dimensions a tile leaves its row by vertical moves and its column by horizontal ones,
      and the two counts add up. With three or more axes one step along a third axis leaves both
      lines at once: the sum would be too great, and the axis with the largest count is taken.
    * A graph has no lines: this is the Manhattan distance there.
    * Labels that occur more than once do not conflict.

    Notes
    -----
    O. Hansson, A. Mayer and M. Yung, *Criticizing solutions to relaxed models yields powerful
    admissible heuristics*, Information Sciences 63 (1992). They remove greedily; the subsequence
    gives the least number at once. Cost: O(n log n) a state and axis.
    """
    steps = manhattan(goal)
    place = {cells[0]: label for label, cells in _homes(goal).items() if len(cells) == 1}
    axes = [
        [(itemgetter(*line), _order_in(line, place)) for line in lines if len(line) > 1]
        for lines in _lines(goal.board)
    ]
    # More than two axes along which a tile can leave: see above.
    combine = sum if _open_axes(goal.board) <= 2 else max

    def removals(lines: Sequence[tuple[Take, dict[int, int]]], tiles: tuple[int, ...]) -> int:
        count = 0
        for take, order in lines:
            places = [order[tile] for tile in take(tiles) if tile in order]
            if len(places) > 1:
                count += _removals(tuple(places))
        return count

    def estimate(state: State) -> int:
        removed = [removals(lines, state.tiles) for lines in axes]
        return steps(state) + (2 * combine(removed) if removed else 0)

    return estimate


def walking_distance(goal: State) -> Estimate:
    """Add the exact distances of two easier puzzles: rows without columns, columns without rows.

    In the puzzle of the rows one sees of each tile only its row and its goal row. The blank steps
    to a neighbouring row and any tile of that row takes its place; moves along a row are free. A
    vertical move counts only here and a horizontal one only in the puzzle of the columns, so that
    the sum is a lower bound. It is never below the Manhattan distance.

    The same holds for each axis of a box and for wrapped axes (the first row next to the last).
    With walls, a row is all the cells of a row, which forgets the walls; the result is then no less
    than the distance in coordinates, and the Manhattan distance is taken where it is greater. A
    graph has no rows: this is the Manhattan distance there.

    Notes
    -----
    K. Takahashi, *How to make a 15-puzzle automatic solver* (2001). The tables are made by
    breadth-first search when first asked for, and kept: one entry for each matrix "how many tiles
    of row i belong to row j", 105 for 3 x 3, 24,964 for 4 x 4 (70 ms). They depend on the goal only
    by the row of its blank. Cost: O(n) a state.

    Raises
    ------
    Unsupported
        If labels repeat, or a table would exceed `MOST_WALKING` entries.
    """
    _require_unique(goal, "walking-distance")
    board = goal.board
    steps = manhattan(goal)
    if not isinstance(board, (GridBoard, WallBoard)):
        return steps
    wrapped = board.wrap if isinstance(board, GridBoard) else ()
    puzzles = [
        _row_puzzle(goal, axis, axis in wrapped)
        for axis, length in enumerate(board.shape)
        if length > 1
    ]

    def estimate(state: State) -> int:
        # A key that is not in the table shows that the goal is out of reach; 0 is a bound too.
        tiles = state.tiles
        return sum([table.get(sum(map(getitem, units, tiles)), 0) for units, table in puzzles])

    if isinstance(board, WallBoard):
        return lambda state: max(estimate(state), steps(state))
    return estimate


def gaschnig(goal: State) -> Estimate:
    """Count the moves of the puzzle in which any tile may jump to the blank's cell.

    Take the permutation that brings every label to its goal cell. A cycle of k cells with the blank
    in it takes k - 1 jumps. Any other takes k + 1: the blank has to be brought in first. So it is
    the number of misplaced tiles and one more for each cycle that lacks the blank.

    Notes
    -----
    J. Gaschnig, *A problem similarity approach to devising heuristics*, IJCAI 1979 ("maxsort");
    "relaxed adjacency" elsewhere. It exceeds the Manhattan distance now and then: on 304 states of
    the 3 x 3. Cost: O(n) a state.

    Raises
    ------
    Unsupported
        If labels repeat: to choose among equal tiles for the fewest jumps is a hard problem itself.
    """
    _require_unique(goal, "gaschnig")
    home = [goal.tiles.index(label) for label in range(goal.board.n)]

    def estimate(state: State) -> int:
        tiles, jumps, done = state.tiles, 0, set()
        for first in range(len(tiles)):
            length, with_blank, cell = 0, False, first
            while cell not in done:
                done.add(cell)
                length += 1
                with_blank |= tiles[cell] == 0
                cell = home[tiles[cell]]
            if length > 1:
                jumps += length - 1 if with_blank else length + 1
        return jumps

    return estimate


@dataclass(frozen=True)
class Heuristic:
    """An entry of the registry; call it with a goal to make the estimate for that goal.

    Attributes
    ----------
    name : str
        As in `HEURISTICS`.
    make : callable
        From a goal to the function that estimates states, in single-tile moves.
    about : str
        One line.
    admissible : bool
        Whether it never exceeds the true distance: only then may a search claim an optimum.
    """

    name: str
    make: Callable[[State], Estimate]
    about: str
    admissible: bool = True

    def __call__(self, goal: State) -> Estimate:
        return self.make(goal)


HEURISTICS: dict[str, Heuristic] = {
    entry.name: entry
    for entry in (
        Heuristic("zero", zero, "nothing: a blind search"),
        Heuristic("misplaced", misplaced, "tiles that are not on their cell"),
        Heuristic("gaschnig", gaschnig, "moves if any tile could jump to the blank's cell"),
        Heuristic("manhattan", manhattan, "steps of each tile to its cell"),
        Heuristic("linear-conflict", linear_conflict, "Manhattan, and tiles in each other's way"),
        Heuristic("walking-distance", walking_distance, "rows alone and columns alone, exactly"),
    )
}


def heuristic(name: str, goal: State, metric: str = "stm") -> Estimate:
    """Return the estimate called `name` in the given metric: admissible in both.

    Parameters
    ----------
    name : str
        A name of `HEURISTICS`.
    goal : State
        Where the states are to go.
    metric : str
        ``"stm"``: as it is; ``"mtm"``: divided by the longest slide of the board, rounded up.

    Raises
    ------
    Unsupported
        If there is no such heuristic or metric, or it does not answer for this goal.

    Examples
    --------
    >>> goal = State((1, 2, 3, 4, 5, 6, 7, 8, 0), Board.grid(3, 3))
    >>> start = State((0, 1, 2, 4, 5, 3, 7, 8, 6), Board.grid(3, 3))
    >>> heuristic("manhattan", goal)(start), heuristic("manhattan", goal, "mtm")(start)
    (4, 2)
    """
    if name not in HEURISTICS:
        raise Unsupported(
            f"there is no heuristic {name!r}: expected one of {', '.join(HEURISTICS)}"
        )
    if metric not in ("stm", "mtm"):
        raise Unsupported(f"there is no metric {metric!r}: expected 'stm' or 'mtm'")
    estimate = HEURISTICS[name](goal)
    if metric == "stm":
        return estimate
    slide = longest_slide(goal.board)
    return lambda state: -(-estimate(state) // slide)


def longest_slide(board: Board) -> int:
    """Return the greatest number of tiles that one multi-tile move slides; at least 1.

    >>> longest_slide(Board.grid(3, 5)), longest_slide(Board.draw("...|.#.|..."))
    (4, 2)
    """
    if isinstance(board, GridBoard):
        return max(1, max(board.shape) - 1)
    return max([1, *(len(line) - 1 for lines in _lines(board) for line in lines)])


# -- lines and labels --------------------------------------------------------------------------


def _homes(goal: State) -> dict[int, list[int]]:
    """The goal cells of each label but the blank."""
    homes: dict[int, list[int]] = {}
    for cell, label in enumerate(goal.tiles):
        if label:
            homes.setdefault(label, []).append(cell)
    return homes


def _require_unique(goal: State, name: str) -> None:
    if goal.repeats:
        raise Unsupported(
            f"the heuristic {name!r} needs the labels 1 to {goal.board.n - 1}, each once; with"
            " equal labels use 'manhattan' or 'linear-conflict'"
        )


def _open_axes(board: Board) -> int:
    """Along how many axes a tile can move."""
    return sum(1 for length in board.shape or () if length > 1)


def _lines(board: Board) -> list[list[list[int]]]:
    """For each axis, its lines: runs of cells in order, ended by the border or by walls.

    A wrapped axis has none, and a graph has no axes.
    """
    if isinstance(board, GridBoard):
        return [
            []
            if axis in board.wrap
            else [
                [first + i * stride for i in range(length)]
                for first in range(board.n)
                if first // stride % length == 0
            ]
            for axis, (length, stride) in enumerate(zip(board.shape, board.strides, strict=True))
        ]
    if isinstance(board, WallBoard):
        return [list(_runs(board, "U", "D")), list(_runs(board, "L", "R"))]
    return []


def _runs(board: Board, back: str, forth: str) -> Iterable[list[int]]:
    for first in range(board.n):
        if board.step(first, back) is None:
            run, cell = [first], board.step(first, forth)
            while cell is not None:
                run.append(cell)
                cell = board.step(cell, forth)
            yield run


def _order_in(line: Sequence[int], place: dict[int, int]) -> dict[int, int]:
    """Tile -> the place of its goal cell in the line, for the tiles that belong there."""
    return {place[cell]: i for i, cell in enumerate(line) if cell in place}


@lru_cache(maxsize=10_000)
def _removals(places: tuple[int, ...]) -> int:
    """How few of the different numbers must go, so that the others rise.

    >>> _removals((2, 1, 0)), _removals((1, 2, 0)), _removals((0, 2))
    (2, 1, 0)
    """
    # ends[i]: the least last number of a rising subsequence of length i + 1 (Schensted 1961).
    ends: list[int] = []
    for place in places:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(places) - len(ends)


# -- the puzzle of the rows ----------------------------------------------------------------------


def _row_puzzle(goal: State, axis: int, ring: bool) -> tuple[list[list[int]], dict[int, int]]:
    """The key units of [cell][tile] and the table for the rows along one axis.

    The key of a state is the sum of the units of its tiles: the matrix "how many tiles of row i
    belong to row j" written as one number, a digit for each (i, j).
    """
    board = goal.board
    row_of = [board.coordinates(cell)[axis] for cell in range(board.n)]
    rows = range((board.shape or ())[axis])
    sizes = tuple(Counter(row_of)[row] for row in rows)
    unit = _units(sizes)
    home = [row_of[goal.tiles.index(label)] for label in range(board.n)]
    units = [
        [0, *(unit[row_of[cell]][home[tile]] for tile in range(1, board.n))]
        for cell in range(board.n)
    ]
    return units, _walking_table(sizes, home[0], ring)


def _units(sizes: tuple[int, ...]) -> list[list[int]]:
    base, rows = max(sizes) + 1, range(len(sizes))
    return [[base ** (len(sizes) * at + home) for home in rows] for at in rows]


@cache
def _walking_table(sizes: tuple[int, ...], blank: int, ring: bool) -> dict[int, int]:
    """Key -> moves to the goal in the puzzle of the rows, by breadth-first search from the goal.

    Parameters
    ----------
    sizes : tuple of int
        The number of cells of each row.
    blank : int
        The row of the goal's blank.
    ring : bool
        Whether the first row lies next to the last.
    """
    rows, base, unit = len(sizes), max(sizes) + 1, _units(sizes)
    start = sum(unit[row][row] * size for row, size in enumerate(sizes)) - unit[blank][blank]
    table = {start: 0}
    queue = [(start, blank)]
    for key, row in queue:  # grows while it is read
        for other in (row - 1, row + 1):
            if ring:
                other %= rows
            if not 0 <= other < rows:
                continue
            for home in range(rows):
                if key // unit[other][home] % base == 0:
                    continue  # no tile of that kind to come over
                moved = key - unit[other][home] + unit[row][home]
                if moved not in table:
                    table[moved] = table[key] + 1
                    queue.append((moved, other))
        if len(table) > MOST_WALKING:
            raise Unsupported(
                f"walking distance on rows of {', '.join(map(str, sizes))} cells needs a table of"
                f" more than {MOST_WALKING:,} entries; use 'linear-conflict'"
            )
    return table
