"""A blank on a graph: it walks, it brings tiles, and it takes moves back.

Only *open* cells are walked on. Every tile is known by its home, a cell, and so is the blank.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence

from taquin.construct import box
from taquin.errors import LimitReached

_SHUT = 1 << 60  # above every stamp: a shut cell counts as visited in every search


class Mover:
    """The tiles on their cells, and the walk so far.

    Parameters
    ----------
    tiles : list of int, shape (n,)
        The home of the tile on each cell; it is changed in place.
    blank : int
        The cell of the blank.
    near : sequence of sequences of int
        The neighbours of each cell.

    Attributes
    ----------
    at : list of int, shape (n,)
        The cell of the tile of each home: the inverse of `tiles`.
    walk : array of int
        The cell where the blank began, and all that it visited since.
    floor : int
        A step that goes straight back takes back the one before, but for the first `floor` ones.
    """

    def __init__(self, tiles: list[int], blank: int, near: Sequence[Sequence[int]]) -> None:
        self.tiles, self.blank, self.near = tiles, blank, near
        self.at = [0] * len(tiles)
        for cell, tile in enumerate(tiles):
            self.at[tile] = cell
        self.walk = array("i", [blank])
        self.floor = 0
        self._stamp = 0
        self._seen = [_SHUT] * len(tiles)  # the stamp of the last search that came by
        self._near_goal = [_SHUT] * len(tiles)  # the same for the searches from a target
        self._hop = [0] * len(tiles)
        self._steps = [0] * len(tiles)

    @property
    def moves(self) -> int:
        """The number of moves so far."""
        return len(self.walk) - 1

    # -- which cells take part -----------------------------------------------------------------

    def open(self, cells: Iterable[int]) -> None:
        """Let the blank walk on `cells`."""
        for cell in cells:
            self._seen[cell] = self._near_goal[cell] = 0

    def shut(self, cells: Iterable[int]) -> None:
        """Keep the blank off `cells`."""
        for cell in cells:
            self._seen[cell] = self._near_goal[cell] = _SHUT

    def is_open(self, cell: int) -> bool:
        """Whether the blank may walk on `cell`."""
        return self._seen[cell] != _SHUT

    # -- steps ---------------------------------------------------------------------------------

    def step(self, to: int) -> None:
        """Move the blank to the neighbouring cell `to`."""
        self._slide(to)
        walk = self.walk
        if len(walk) > self.floor + 1 and walk[-2] == to:
            walk.pop()
        else:
            walk.append(to)

    def follow(self, cells: Iterable[int]) -> None:
        """Move the blank along a walk."""
        for cell in cells:
            self.step(cell)
        self._check_length()

    def take_back(self, mark: int) -> None:
        """Undo all moves after the first `mark` ones, as if they had never been."""
        walk = self.walk
        while len(walk) > mark + 1:
            walk.pop()
            self._slide(walk[-1])

    def since(self, mark: int) -> array[int]:
        """Return the walk after the first `mark` moves."""
        return self.walk[mark + 1 :]

    def _slide(self, to: int) -> None:
        tiles, blank = self.tiles, self.blank
        tile, hole = tiles[to], tiles[blank]
        tiles[blank], tiles[to] = tile, hole
        self.at[tile], self.at[hole] = blank, to
        self.blank = to

    def _check_length(self) -> None:
        if len(self.walk) > box.MAX_MOVES:
            raise LimitReached(
                f"the way has more than {box.MAX_MOVES:,} moves, which are not written down: the"
                " board may well be solvable; take a smaller one"
            )

    # -- ways ----------------------------------------------------------------------------------

    def route(self, targets: Collection[int], *avoid: int) -> list[int] | None:
        """Return a shortest way of the blank to one of `targets` past the cells `avoid`, or None.

        Breadth first from both ends, a level of the smaller side at a time; O(open cells), mostly
        far fewer.
        """
        if self.blank in targets:
            return []
        seen, near, hop, old = self._seen, self.near, self._hop, self._stamp
        forwards, backwards, fence = old + 1, old + 2, old + 3
        self._stamp = fence
        for cell in avoid:
            seen[cell] = max(seen[cell], fence)
        here, there = [self.blank], [cell for cell in targets if seen[cell] <= old]
        for level, stamp in (here, forwards), (there, backwards):
            for cell in level:
                seen[cell], hop[cell] = stamp, -1
        mine, others = forwards, backwards
        while here and there:
            if len(here) > len(there):
                here, there, mine, others = there, here, others, mine
            following = []
            for cell in here:
                for other in near[cell]:
                    stamp = seen[other]
                    if stamp <= old:
                        seen[other], hop[other] = mine, cell
                        following.append(other)
                    elif stamp == others:
                        ends = (cell, other) if mine == forwards else (other, cell)
                        return self._joined(*ends)
            here = following
        return None

    def _joined(self, one: int, other: int) -> list[int]:
        """Return the way that a search from both ends has found, from its two middle cells."""
        way, hop = [], self._hop
        while one != self.blank:
            way.append(one)
            one = hop[one]
        way.reverse()
        while other >= 0:
            way.append(other)
            other = hop[other]
        return way

    def go(self, targets: Collection[int], *avoid: int) -> bool:
        """Move the blank to the nearest of `targets`; return whether there is a way."""
        way = self.route(targets, *avoid)
        if way is None:
            return False
        self.follow(way)
        return True

    def bring(self, tile: int, target: int) -> None:
        """Bring the tile of home `tile` to the cell `target` along a shortest way.

        The open cells hang together even without any one of them: so the blank always comes to
        the next cell of that way. Of all next cells it takes the one that it reaches first.
        """
        cell = self.at[tile]
        if cell == target:
            return
        stamp = self._spread(target, cell)
        steps, fresh = self._steps, self._near_goal
        while cell != target:
            ahead = steps[cell] - 1
            nearer = [
                other
                for other in self.near[cell]
                if fresh[other] == stamp and steps[other] == ahead
            ]
            came = self.go(nearer, cell)
            assert came, "the open cells hang together without any one of them"
            following = self.blank
            self.step(cell)
            cell = following
        self._check_length()

    def _spread(self, target: int, cell: int) -> int:
        """Count the steps from `target` to all open cells no farther than `cell`."""
        self._stamp += 1
        stamp, fresh, steps, near = self._stamp, self._near_goal, self._steps, self.near
        fresh[target], steps[target] = stamp, 0
        queue = [target]
        for here in queue:
            ahead = steps[here] + 1
            for other in near[here]:
                if fresh[other] < stamp:
                    fresh[other], steps[other] = stamp, ahead
                    if other == cell:
                        return stamp
                    queue.append(other)
        raise AssertionError("the open cells hang together")
