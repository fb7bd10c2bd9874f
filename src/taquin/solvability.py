"""Can one state be reached from another? An answer with its reason, for any board.

**Grids, and every graph without a cut cell.** A move exchanges the blank with a tile: it changes
the parity of the permutation of all labels, and the colour of the blank's cell if the board is
coloured like a chess board. So on a coloured board both must differ by the same parity, and
Wilson (1974) proved that this is enough, but for two kinds of graphs: on a *ring* tiles only
rotate, and on *theta-0* (a hexagon with one more cell between two opposite corners) 120 of the
720 arrangements are reached. On a board without colours every arrangement is.

**Cut cells.** Seen from the blank's home, every other cell belongs to one *block* (Kornhauser,
Miller & Spirakis 1984). No tile ever leaves its block: whenever the blank stands on a cut cell,
the tiles behind it are the same as before. So the blank is walked home, and then each block
answers for itself, as if its entry were its blank.

**Equal labels.** Two equal tiles in one block may be exchanged unseen, so that parity is free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import factorial
from typing import TYPE_CHECKING, Any

from taquin.board import Board, GridBoard
from taquin.errors import InvalidState
from taquin.goals import named_goal, usual_goals
from taquin.graphs import blocks, column, count_edges, on
from taquin.jit import worth_compiling
from taquin.messages import say
from taquin.permutation import cycles, inversions, parity
from taquin.state import State, check_same_labels, label_faults

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# -- the board seen from the blank's home -------------------------------------------------------

EVEN, ALL, RING, EDGE, THETA = "parity", "always", "ring", "line", "theta-0"


@dataclass(frozen=True)
class Block:
    """A 2-connected part of a board, or a single edge.

    Attributes
    ----------
    kind : str
        ``"parity"`` (coloured: even permutations), ``"always"`` (all permutations), ``"ring"``
        (rotations), ``"line"`` (an edge: nothing moves), ``"theta-0"`` (120 permutations).
    entry : int
        The cell where the blank comes in from its home.
    cells : tuple of int
        The other cells; in the order of the ring, if it is one.
    """

    kind: str
    entry: int
    cells: tuple[int, ...]


def single_rule(board: Board) -> str | None:
    """Return ``"parity"`` or ``"always"`` if that is the whole rule of `board`, else None."""
    if isinstance(board, GridBoard):
        wide = [length for length in board.shape if length > 1]
        if len(wide) > 1 and board.n > 4:
            return EVEN if board.bipartite else ALL
    parts = split(board, 0)
    return parts[0].kind if len(parts) == 1 and parts[0].kind in (EVEN, ALL) else None


@lru_cache(maxsize=64)
def split(board: Board, home: int) -> tuple[Block, ...]:
    """Return the blocks of `board` as seen from the cell `home`. Cost: O(n + edges)."""
    heavy = worth_compiling(board.n)
    indptr, indices = board.compressed(heavy)
    depth, low, parent, block_of = (column(board.n, -1, heavy) for _ in range(4))
    find = on(blocks, board.n, heavy)
    entries = find(indptr, indices, home, depth, low, parent, block_of)
    edges, odd = (column(len(entries), 0, heavy) for _ in range(2))
    if board.n > 1:
        count = on(count_edges, board.n, heavy)
        count(indptr, indices, depth, block_of, entries, edges, odd)
    members: list[list[int]] = [[] for _ in entries]
    for cell in range(board.n):
        if cell != home:
            members[block_of[cell]].append(cell)
    return tuple(
        _classify(board, int(entries[b]), members[b], int(edges[b]), odd[b] == 0)
        for b in range(len(entries))
    )


def _classify(board: Board, entry: int, cells: list[int], edges: int, coloured: bool) -> Block:
    if len(cells) == 1:
        return Block(EDGE, entry, tuple(cells))
    if edges == len(cells) + 1:
        return Block(RING, entry, _around(board, entry, {entry, *cells}))
    if edges == 8 and len(cells) == 6 and _is_theta(board, {entry, *cells}):
        return Block(THETA, entry, tuple(cells))
    return Block(EVEN if coloured else ALL, entry, tuple(cells))


def _around(board: Board, entry: int, ring: set[int]) -> tuple[int, ...]:
    """The cells of a ring in order, from the one after `entry` to the one before it."""
    walk, previous, cell = [], entry, next(c for c in board.neighbours(entry) if c in ring)
    while cell != entry:
        walk.append(cell)
        step = next(c for c in board.neighbours(cell) if c in ring and c != previous)
        previous, cell = cell, step
    return tuple(walk)


def _is_theta(board: Board, block: set[int]) -> bool:
    """Whether a 2-connected graph of 7 cells and 8 edges is theta-0.

    It is one of the graphs of three paths between two hubs; theta-0 has 1, 2 and 2 cells on them.
    """
    near = {cell: block.intersection(board.neighbours(cell)) for cell in block}
    hubs = {cell for cell in block if len(near[cell]) == 3}
    middles = [cell for cell in block if near[cell] == hubs]
    adjacent = any(near[hub] & hubs for hub in hubs)
    return len(hubs) == 2 and len(middles) == 1 and not adjacent


# -- one block ----------------------------------------------------------------------------------


def _block_agrees(board: Board, block: Block, tiles: Sequence[int], goal: Sequence[int]) -> bool:
    """Whether the block's tiles can be brought into the goal's order, the blank on its entry."""
    have = [tiles[cell] for cell in block.cells]
    want = [goal[cell] for cell in block.cells]
    if have == want:
        return True
    if Counter(have) != Counter(want):
        return False
    if block.kind == EDGE:
        return False
    if block.kind == RING:
        return _is_rotation(have, want)
    if block.kind == THETA:
        return any(
            all(have[i] == label for i, label in zip(order, want, strict=True))
            for order in theta_group(board, block)
        )
    if block.kind == ALL or len(set(want)) < len(want):
        return True
    place = {label: i for i, label in enumerate(want)}
    return parity([place[label] for label in have]) == 0


def _is_rotation(have: list[int], want: list[int]) -> bool:
    """Whether `have` is `want` rotated, by Knuth, Morris & Pratt (1977). Cost: O(length)."""
    border = [0]
    for i in range(1, len(want)):
        k = border[-1]
        while k and want[k] != want[i]:
            k = border[k - 1]
        border.append(k + (want[k] == want[i]))
    matched = 0
    for label in have + have:
        while matched and (matched == len(want) or want[matched] != label):
            matched = border[matched - 1]
        matched += want[matched] == label
        if matched == len(want):
            return True
    return False


@lru_cache(maxsize=64)
def theta_group(board: Board, block: Block) -> tuple[tuple[int, ...], ...]:
    """Return the orders in which the six tiles of a theta-0 block can lie, its entry blank.

    Found by walking the 840 states of the class; there are 120 orders (Wilson 1974).
    """
    inside = (block.entry, *block.cells)
    start = (inside.index(block.entry), tuple(range(-1, 6)))  # (blank, label by place)
    seen, queue = {start}, [start]
    for blank, labels in queue:
        for cell in board.neighbours(inside[blank]):
            if cell in inside:
                to, moved = inside.index(cell), list(labels)
                moved[blank], moved[to] = moved[to], -1
                state = (to, tuple(moved))
                if state not in seen:
                    seen.add(state)
                    queue.append(state)
    return tuple(labels[1:] for blank, labels in queue if blank == 0)


def class_size(board: Board, home: int, *, most: int | None = None) -> int:
    """Return how many states reach each other: n times the orders of the groups of the blocks.

    With `most`, a number above it stands for all that are (the factorial of a million takes long).

    >>> class_size(Board.grid(3, 3), 8), class_size(Board.grid(1, 20), 0)
    (181440, 20)
    """
    size = board.n
    for block in split(board, home):
        tiles = len(block.cells)
        orders = {EDGE: 1, RING: tiles, THETA: 120}
        if block.kind not in orders and most is not None and tiles > most.bit_length():
            return most + 1
        whole = orders.get(block.kind) or factorial(tiles)
        size *= whole // 2 if block.kind == EVEN else whole
    return size


def walk_blank(state: State, home: int) -> list[int]:
    """Return the labels after the blank has walked a shortest way to the cell `home`."""
    tiles, blank = list(state.tiles), state.blank
    for cell in state.board.path(blank, home):
        tiles[blank], tiles[cell] = tiles[cell], 0
        blank = cell
    return tiles


# -- the verdict --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """Whether `goal` can be reached from `start`, and the numbers that show why.

    Attributes
    ----------
    solvable : bool
        The answer.
    rule : str
        What decided: ``"parity"``, ``"always"``, ``"ring"``, ``"line"``, ``"theta-0"``,
        ``"repeats"`` (equal labels make parity free) or ``"blocks"`` (a board with cut cells).
    failing : Block or None
        The block whose tiles cannot be put in order.

    Examples
    --------
    >>> from taquin import Puzzle
    >>> v = Puzzle.parse("4x4").verdict("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0")
    >>> v.solvable, v.inversions, v.blank_distance, v.parity
    (False, 1, 0, 1)
    """

    start: State
    goal: State
    solvable: bool
    rule: str
    failing: Block | None = None

    def __bool__(self) -> bool:
        return self.solvable

    @cached_property
    def _order(self) -> Sequence[int] | None:
        return homes(self.start, self.goal)

    @property
    def parity(self) -> int | None:
        """The parity of the permutation of all labels, the blank among them; None if equal."""
        return None if self._order is None else parity(self._order)

    @property
    def cycles(self) -> int | None:
        """The number of its cycles, fixed labels included: parity = (n - cycles) mod 2."""
        return None if self._order is None else cycles(self._order)

    @cached_property
    def inversions(self) -> int | None:
        """Pairs of tiles in the wrong order, the blank left out, by the goal's reading order."""
        order = self._order
        if order is None:
            return None
        # Where the blank lies in the goal's reading order decides nothing: it is left out.
        blank = self.start.blank
        return inversions([*order[:blank], *order[blank + 1 :]])

    @cached_property
    def blank_distance(self) -> int:
        """Steps of the blank to its place in the goal; on boxes the 3-D distance."""
        return self.start.board.distance(self.start.blank, self.goal.blank)

    @property
    def blank_row(self) -> int | None:
        """The row of the blank, counted from 1 at the bottom; None if the board has no rows."""
        shape = self.start.board.shape
        if shape is None or len(shape) != 2:
            return None
        return int(shape[0] - self.start.board.coordinates(self.start.blank)[0])

    @property
    def n_plus_k(self) -> int | None:
        """N + K of the 4 x 4 rule: the board's own inversions plus the blank's row from the top.

        Even exactly if the board reaches 1..15 with the blank last, whatever the goal of this
        verdict. None on other boards.
        """
        if self.start.board.shape != (4, 4) or self.blank_row is None or self.start.repeats:
            return None
        return inversions([tile - 1 for tile in self.start.tiles if tile]) + 5 - self.blank_row

    @cached_property
    def solvable_for(self) -> tuple[str, ...]:
        """The usual goals that `start` reaches; empty if its labels are not 1..n-1."""
        if self.start.repeats:
            return ()
        goals = usual_goals(self.start.board)
        return tuple(name for name, goal in goals.items() if _decide(self.start, goal)[0])

    def text(self, lang: str = "en") -> str:
        """Return the verdict and its reason in one line, in ``"en"``, ``"vi"`` or ``"zh"``."""
        head = say("verdict.yes" if self.solvable else "verdict.no", lang)
        return f"{head} {self._reason(lang)}"

    def reasons(self, lang: str = "en") -> list[str]:
        """Return the reasoning step by step: the rule, the textbook check, the other goals."""
        lines = [self._reason(lang)]
        textbook = self._textbook(lang)
        if textbook:
            lines.append(textbook)
        if not self.solvable and self.solvable_for:
            lines.append(say("verdict.other", lang, goals=", ".join(self.solvable_for)))
        return lines

    def _reason(self, lang: str) -> str:
        if self.rule == EVEN:
            p, d = self.parity or 0, self.blank_distance
            return say(
                "verdict.parity." + ("yes" if self.solvable else "no"),
                lang,
                n=self.start.board.n,
                cycles=self.cycles,
                parity=say(f"parity.{p}", lang),
                distance=d,
                other=say(f"parity.{d % 2}", lang),
            )
        if self.rule == "blocks" and self.failing:
            cells = sorted(self.failing.cells)
            shown = ", ".join(map(str, cells[:12])) + (", ..." if len(cells) > 12 else "")
            return say("verdict.blocks.no", lang, cells=shown)
        kind = self.rule
        return say(f"verdict.{kind}.{'yes' if self.solvable else 'no'}", lang)

    def _textbook(self, lang: str) -> str:
        """The inversion rule of the textbooks, where it applies: grids decided by parity."""
        board = self.start.board
        if self.rule != EVEN or not isinstance(board, GridBoard) or board.wrap:
            return ""
        # A step along an axis carries the blank past `stride - 1` tiles.
        weighed = [
            (axis, abs(gap))
            for axis, gap in enumerate(board._gaps(self.start.blank, self.goal.blank))
            if (board.strides[axis] - 1) % 2
        ]
        rows = sum(gap for _, gap in weighed)
        key = "verdict.textbook." + ("odd" if not _even_axes(board) else "even")
        total = (self.inversions or 0) + rows
        return say(key, lang, inversions=self.inversions, rows=rows, total=total)


def _even_axes(board: GridBoard) -> bool:
    """Whether some step carries the blank past an odd number of tiles (even width)."""
    return any(
        (stride - 1) % 2 and length > 1
        for stride, length in zip(board.strides, board.shape, strict=True)
    )


def homes(start: State, goal: State) -> Sequence[int] | None:
    """For each cell of `start`, the cell where its label belongs; None where labels repeat."""
    n = goal.board.n
    if worth_compiling(n) and max(goal.tiles) < n:
        import numpy as np

        home = np.full(n, -1, np.int64)
        home[np.array(goal.tiles)] = np.arange(n)
        order: Any = home[np.array(start.tiles)] if home.min() >= 0 else None
        return order  # type: ignore[no-any-return]  # an array serves as a sequence
    place = {label: cell for cell, label in enumerate(goal.tiles)}
    return None if len(place) < n else [place[label] for label in start.tiles]


def decide(start: State, goal: State) -> tuple[bool, str, Block | None]:
    """Return (solvable, rule, failing block) for two states on one board. Cost: O(n + edges)."""
    if start.board != goal.board:
        raise InvalidState(
            f"both states must lie on one board; got {start.board.spec} and {goal.board.spec}"
        )
    if start.repeats or goal.repeats:
        check_same_labels(start, goal)
    return _decide(start, goal)


def _decide(start: State, goal: State) -> tuple[bool, str, Block | None]:
    """`decide` for states that are known to have the same board and labels."""
    board = start.board
    rule = single_rule(board)
    if rule == ALL:
        return True, ALL, None
    if rule == EVEN:
        order = homes(start, goal)
        if order is None:
            return True, "repeats", None
        odd = parity(order)
        colours = board.colours
        assert colours is not None  # a board decided by parity is coloured
        return odd == colours[start.blank] ^ colours[goal.blank], EVEN, None
    parts = split(board, goal.blank)
    tiles = walk_blank(start, goal.blank)
    bad = next((b for b in parts if not _block_agrees(board, b, tiles, goal.tiles)), None)
    rule = _joint_rule(parts)
    return bad is None, rule, bad


def _joint_rule(parts: tuple[Block, ...]) -> str:
    kinds = {block.kind for block in parts}
    if kinds <= {EDGE}:
        return EDGE
    return parts[0].kind if len(parts) == 1 else "blocks"


def verdict(start: State, goal: State) -> Verdict:
    """Decide whether `goal` can be reached from `start`, on any board.

    Parameters
    ----------
    start, goal : State
        Two states of one board with the same labels.

    Returns
    -------
    Verdict
        The answer; its numbers and sentences are computed when asked for.

    Raises
    ------
    InvalidState
        If the boards or the labels differ.

    Notes
    -----
    Cost: O(n) on grids, O(n + edges) on graphs. Johnson & Story (1879) for the 15-puzzle, Wilson
    (1974) for graphs without cut vertices, Kornhauser, Miller & Spirakis (1984) for the others.
    """
    return Verdict(start, goal, *decide(start, goal))


def solvable_many(array: Any, board: Board, goal: State | str) -> NDArray[np.bool_]:
    """Decide many boards in one compiled pass.

    Parameters
    ----------
    array : (B, n) array of integers
        A state in each row: labels 0..n-1 in the order of the cells.
    board : Board
        The cells.
    goal : State or str
        The state to be reached, with labels 0..n-1, or the name of a usual goal.

    Returns
    -------
    (B,) array of bool

    Raises
    ------
    InvalidState
        If the shape is wrong or a row is no state; the message names the row.

    Notes
    -----
    Cost: about ten nanoseconds a 4 x 4 board on boards decided by parity; other boards (rings,
    lines, cut cells) take a verdict each.
    """
    import numpy as np

    from taquin.kernels import BadRow, solvable_rows

    rows = np.asarray(array)
    if isinstance(goal, str):
        goal = named_goal(goal, board)
    if rows.ndim != 2 or rows.shape[1] != board.n or rows.dtype.kind not in "iu":
        raise InvalidState(
            f"expected an array of integers of shape (B, {board.n}); got {rows.dtype} of shape"
            f" {rows.shape}"
        )
    rule = single_rule(board)
    colours = np.asarray(list(board.colours or bytes(board.n)), np.uint8)
    try:
        answer = solvable_rows(rows, np.asarray(goal.tiles, np.int64), colours)
    except BadRow as bad:
        faults = label_faults(Counter(rows[bad.row].tolist()), board.n)
        raise InvalidState(f"row {bad.row}: {'; '.join(faults)}") from None
    if rule == EVEN:
        return answer
    if rule == ALL:
        return np.ones(len(rows), np.bool_)
    states = (tuple(map(int, row)) for row in rows)
    return np.array(
        [decide(State.trusted(t, board, t.index(0)), goal)[0] for t in states], np.bool_
    )
