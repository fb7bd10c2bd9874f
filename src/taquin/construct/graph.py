"""A certain way between any two states of one class on any connected graph.

**A 2-connected graph** is a small core to which ears were added (`taquin.construct.ears`). They
are filled in the opposite order, the outermost first: before and after each the open cells are
2-connected, so that the blank can bring any tile to any cell. In the end the core is searched;
where the graph has no small core, three tiles at a time change places on a theta
(`taquin.construct.cores`). This is a proof of Wilson's theorem (1974), carried out. A ring only
turns; theta-0 has 840 states, which are searched.

**Cut cells.** The blank's home is the root of a tree of blocks. A block is put in order while the
blank leaves it for good, by its entry; the blocks behind it come first. Whenever the blank stands
on a cut cell, what lies behind is untouched, so that each block is solved as if it were alone
(Kornhauser, Miller & Spirakis 1984).
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from taquin.construct import box
from taquin.construct.box import TUPLE_UP_TO, Draft
from taquin.construct.cores import search
from taquin.construct.ears import Growth, Theta, find_core
from taquin.construct.filling import fill, fill_theta
from taquin.construct.lines import around, least_rotation, ring_steps
from taquin.construct.mover import Mover
from taquin.errors import LimitReached
from taquin.permutation import parity
from taquin.solvability import EDGE, EVEN, RING, THETA, Block, split, theta_group, walk_blank
from taquin.state import State


def construct_graph(start: State, goal: State) -> tuple[Any, list[Draft]]:
    """Return a walk from `start` to `goal`, which is known to be reached, and its stages.

    Parameters
    ----------
    start, goal : State
        Two states of one class of any board; labels may be equal.

    Returns
    -------
    walk : tuple of int, or array of int
        The cells that the blank visits; an array from `TUPLE_UP_TO` moves on.
    drafts : list of (kind, cells, end)
        What each stage settles, and the moves up to its end.

    Raises
    ------
    LimitReached
        If the way has more than 100 million moves.

    Notes
    -----
    Cost: O(n) for each tile, and O(1) for each move, in plain Python; memory O(edges + moves).
    A way has O(n d) moves where rings are short, for n tiles that lie d steps from home; O(n^3)
    on a large theta.
    """
    tour = Tour(start, goal)
    tour.run()
    walk = tour.mover.walk[1:]
    return (tuple(walk) if len(walk) <= TUPLE_UP_TO else walk), tour.drafts


def representative(state: State) -> State:
    """Return the one member of the class of `state` that stands for all: the blank on the last
    cell, and the tiles of each block in their least order (`canonical` says which).

    Cost: O(n log n).
    """
    board, home = state.board, state.board.n - 1
    tiles = walk_blank(state, home)
    for block in split(board, home):
        labels = [tiles[cell] for cell in block.cells]
        cells: Sequence[int] = block.cells
        if block.kind == THETA:
            orders = theta_group(board, block)
            labels = min([labels[i] for i in order] for order in orders)
        elif block.kind == RING:
            turn = least_rotation(labels)
            labels = labels[turn:] + labels[:turn]
        elif block.kind != EDGE:
            cells = sorted(cells)
            here = [tiles[cell] for cell in cells]
            labels = sorted(here)
            if block.kind == EVEN and len(set(labels)) == len(labels):
                place = {label: i for i, label in enumerate(labels)}
                if parity([place[label] for label in here]):
                    labels[-2:] = labels[-1], labels[-2]
        for cell, label in zip(cells, labels, strict=True):
            tiles[cell] = label
    return State.trusted(tuple(tiles), board, home)


@dataclass
class Visit:
    """A block that the blank is in.

    Attributes
    ----------
    block : int
        Its number.
    cuts : set of int
        The cells behind which a block is still to be visited.
    waiting : list of int
        Such blocks behind the blank's present cell.
    trail : list of int
        Where the blank came into the block, and its way in it since.
    """

    block: int
    cuts: set[int]
    trail: list[int]
    waiting: list[int] = field(default_factory=list)


class Tour:
    """A way of the blank through all blocks that are not in order, and its stages.

    Attributes
    ----------
    mover : Mover
        The tiles and the walk.
    drafts : list of (kind, cells, end)
        The stages so far.
    """

    def __init__(self, start: State, goal: State) -> None:
        board, self.goal = goal.board, goal
        self.home = goal.blank
        self.parts = split(board, self.home)
        self.near = [board.neighbours(cell) for cell in range(board.n)]
        self.block_of = [-1] * board.n
        self.behind: dict[int, list[int]] = defaultdict(list)
        for number, block in enumerate(self.parts):
            self.behind[block.entry].append(number)
            for cell in block.cells:
                self.block_of[cell] = number
        self.way_home = [start.blank, *board.path(start.blank, self.home)]
        self.mover = Mover(self._homes(start), start.blank, self.near)
        self.left: set[int] = set()  # the blocks that the blank has left for good
        self.drafts: list[Draft] = []

    # -- which tile goes where -----------------------------------------------------------------

    def _homes(self, start: State) -> list[int]:
        """Return the home of the tile on each cell of `start`, by walking the blank home first."""
        tiles = list(start.tiles)
        _walk(tiles, self.way_home)
        homes = list(range(len(tiles)))
        self.wrong = [False] * len(self.parts)  # whether a block is not in order
        for number, block in enumerate(self.parts):
            have = [tiles[cell] for cell in block.cells]
            want = [self.goal.tiles[cell] for cell in block.cells]
            self.wrong[number] = have != want
            for cell, home in zip(block.cells, _assign(block, have, want), strict=True):
                homes[cell] = home
        self.visit = self._worth_a_visit()
        _walk(homes, self.way_home[::-1])
        return homes

    def _worth_a_visit(self) -> list[bool]:
        """For each block, whether it or one behind it is not in order."""
        worth = list(self.wrong)
        # `split` closes a block after all those behind it.
        for number, block in enumerate(self.parts):
            if worth[number] and block.entry != self.home:
                worth[self.block_of[block.entry]] = True
        return worth

    # -- the tour ------------------------------------------------------------------------------

    def run(self) -> None:
        """Leave the blocks on the blank's way home, and then visit the others."""
        blank = self.mover.blank
        while blank != self.home:
            number = self.block_of[blank]
            self._leave(number)
            blank = self.parts[number].entry
        for number in self._unseen(self.home):
            self._leave(number)
        self._note_walk()
        self._note_rest()

    def _note_rest(self) -> None:
        """Name the cells that no stage has settled, in the blank's last walk if that is the end."""
        settled = {cell for _, cells, _ in self.drafts for cell in cells} | {self.home}
        rest = tuple(cell for cell in range(len(self.near)) if cell not in settled)
        if not rest or not self.drafts:
            return
        kind, cells, end = self.drafts[-1]
        if kind == "walk" and not cells:
            self.drafts[-1] = kind, rest, end
        else:
            self.drafts.append(("rest", rest, end))

    def _unseen(self, cell: int) -> list[int]:
        """The blocks behind `cell` that are still to be visited."""
        numbers = self.behind.get(cell, ())
        return [b for b in numbers if self.visit[b] and b not in self.left]

    def _enter(self, number: int) -> Visit:
        cuts = {cell for cell in self.parts[number].cells if self._unseen(cell)}
        return Visit(number, cuts, [self.mover.blank])

    def _leave(self, number: int) -> None:
        """From anywhere in a block, put it and all behind it in order; end on its entry."""
        visits = [self._enter(number)]
        while visits:
            visit = visits[-1]
            if visit.waiting:
                visits.append(self._enter(visit.waiting.pop()))
            elif visit.cuts:
                self._go_to_cut(visit)
            else:
                self._finish(visit)
                self.left.add(visits.pop().block)

    def _go_to_cut(self, visit: Visit) -> None:
        block, mover = self.parts[visit.block], self.mover
        cells = (block.entry, *block.cells)
        mover.open(cells)
        way = mover.route(visit.cuts)
        mover.shut(cells)
        assert way is not None, "a block hangs together"
        mover.follow(way)
        visit.trail += way
        visit.cuts.remove(mover.blank)
        visit.waiting = self._unseen(mover.blank)

    def _finish(self, visit: Visit) -> None:
        """Put a block in order, once nothing behind it is left."""
        block, mover = self.parts[visit.block], self.mover
        if not self.wrong[visit.block]:
            mover.follow(visit.trail[-2::-1])
            if mover.blank != block.entry:
                begin, end = (self.way_home.index(c) for c in (mover.blank, block.entry))
                mover.follow(self.way_home[begin + 1 : end + 1])
            return
        self._note_walk()
        if block.kind == RING:
            self._turn(block)
        elif block.kind == THETA:
            cells = (block.entry, *block.cells)
            labels = [self.goal.tiles[mover.tiles[cell]] for cell in cells]
            self._search(cells, labels, [0, *(self.goal.tiles[c] for c in block.cells)], 0)
            self._note("search", block.cells)
        else:
            self._fill(block)

    def _turn(self, block: Block) -> None:
        """Turn a ring."""
        ring, labels = (block.entry, *block.cells), self.goal.tiles
        tiles = [labels[self.mover.tiles[cell]] for cell in ring]
        steps = ring_steps(tiles, [0, *(labels[cell] for cell in block.cells)], 0)
        assert steps is not None, "the verdict was asked before"
        if abs(steps) > box.MAX_MOVES:
            raise LimitReached(
                f"the way has {abs(steps):,} moves; no more than {box.MAX_MOVES:,} are written"
                " down",
                None,
                abs(steps),
            )
        self.mover.follow(around(ring, tiles.index(0), steps))
        self._note("turn", block.cells)

    def _search(
        self, cells: Sequence[int], have: Sequence[int], want: Sequence[int], blank: int
    ) -> None:
        place = {cell: i for i, cell in enumerate(cells)}
        links = [[place[c] for c in self.near[cell] if c in place] for cell in cells]
        found = search(links, tuple(have), tuple(want), blank)
        self.mover.follow(cells[i] for i in found)

    # -- a block with room ---------------------------------------------------------------------

    def _fill(self, block: Block) -> None:
        """Fill a block from its ears to its core.

        The core need not hold the entry. The tiles are put where they will be before the blank's
        last way, from the core to the entry.
        """
        cells, mover = {block.entry, *block.cells}, self.mover
        core = find_core(self.near, cells, block.entry)
        last = core.cells if isinstance(core, Theta) else core
        ends = (core.x,) if isinstance(core, Theta) else last
        way = _way(self.near, cells, block.entry, ends)
        want = {cell: cell for cell in cells}
        want[block.entry] = self.home
        _walk(want, way)
        growth = Growth(self.near, cells, last)
        mover.open(cells)
        inside = set(cells)
        for ear in reversed(growth.ears):
            inside.difference_update(ear.cells)
            fill(mover, ear, want, inside)
            self._note_tiles(ear.cells, way)
        if isinstance(core, Theta):
            fill_theta(mover, core, want)
        else:
            have, wanted = ([tiles[cell] for cell in last] for tiles in (mover.tiles, want))
            self._search(last, have, wanted, self.home)
        mover.shut(cells)
        kind = "cycles" if isinstance(core, Theta) else "search"
        self._note(kind, [cell for cell in last if cell not in way])
        mover.follow(way[-2::-1])
        if len(way) > 1:
            self._note("walk", way[1:])

    def _note_tiles(self, cells: Sequence[int], way: Collection[int]) -> None:
        home = [cell for cell in cells if cell not in way]
        kind = {0: "park", 1: "tile", 2: "pair"}.get(len(home), "ear")
        self._note(kind, home)

    # -- stages --------------------------------------------------------------------------------

    def _note(self, kind: str, cells: Sequence[int]) -> None:
        """End a stage."""
        end = self.mover.moves
        if cells or end > self._noted():
            self.drafts.append((kind, tuple(cells), end))
        self.mover.floor = end

    def _note_walk(self) -> None:
        """End a stage in which the blank walked through blocks."""
        if self.mover.moves > self._noted():
            self._note("walk", ())

    def _noted(self) -> int:
        return self.drafts[-1][2] if self.drafts else 0


def _walk(tiles: Any, way: Sequence[int]) -> None:
    """Move the blank along `way`, from its first cell on."""
    for cell, to in pairwise(way):
        tiles[cell], tiles[to] = tiles[to], tiles[cell]


def _way(
    near: Sequence[Sequence[int]], cells: Collection[int], start: int, ends: Collection[int]
) -> list[int]:
    """Return the cells of a shortest way in a block, `start` and one of `ends` included."""
    back = {start: start}
    queue = [start]
    for cell in queue:
        if cell in ends:
            way = [cell]
            while way[-1] != start:
                way.append(back[way[-1]])
            return way[::-1]
        for other in near[cell]:
            if other in cells and other not in back:
                back[other] = cell
                queue.append(other)
    raise AssertionError("a block hangs together")


def _assign(block: Block, have: Sequence[int], want: Sequence[int]) -> list[int]:
    """Return where each tile of a block shall go; equal tiles stay where they can.

    On rings and theta-0, whose tiles are told apart by their labels only, any such order does.
    """
    free: dict[int, deque[int]] = defaultdict(deque)
    homes = [-1] * len(have)
    for i, cell in enumerate(block.cells):
        if have[i] == want[i]:
            homes[i] = cell
        else:
            free[want[i]].append(cell)
    for i, label in enumerate(have):
        if homes[i] < 0:
            homes[i] = free[label].popleft()
    if block.kind == EVEN:
        place = {cell: i for i, cell in enumerate(block.cells)}
        if parity([place[home] for home in homes]):
            _exchange_equal(homes, have)
    return homes


def _exchange_equal(homes: list[int], labels: Sequence[int]) -> None:
    """Exchange the homes of two equal tiles."""
    label = next(label for label, times in Counter(labels).items() if times > 1)
    one = labels.index(label)
    other = labels.index(label, one + 1)
    homes[one], homes[other] = homes[other], homes[one]
