"""What every search returns: one `Solution`, with counters that mean the same everywhere.

The counters follow one definition for all algorithms:

expanded
    states whose successors were made;
generated
    the root, plus every successor made, whether kept, cut off or met before. A search that never
    makes the move back to where it came from (IDA*, iterative deepening) does not count it.
    Iterations add up, the root is counted once (Korf 1985).
stored
    the greatest number of states held at once (open and closed lists, or the depth of the path).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from taquin.state import State


@dataclass
class Stats:
    """The counters of one search; see the module for their definitions.

    Attributes
    ----------
    method : str
        The algorithm that ran.
    expanded, generated, stored : int
        Counts of states.
    seconds : float
        Wall time of the search, without compiling.
    bytes : int
        Memory held by tables and lists, in bytes, where it is known; otherwise 0.
    heuristic : float
        The heuristic value at the root, in moves; 0 for a blind search.
    """

    method: str = ""
    expanded: int = 0
    generated: int = 0
    stored: int = 0
    seconds: float = 0.0
    bytes: int = 0
    heuristic: float = 0


@dataclass(frozen=True)
class Solution:
    """A way from one state to another.

    Attributes
    ----------
    start, goal : State
        Both ends.
    walk : tuple of int
        The cells that the blank visits, without the first.
    length : int
        The number of moves in `metric`.
    metric : str
        ``"stm"``: a tile a move; ``"mtm"``: a segment sliding along a line is one move.
    lower_bound : int
        A proved lower bound of the optimal length, in moves.
    status : str
        ``"optimal"``, ``"bounded"`` (length <= bound * lower_bound) or ``"limit"``.
    stats : Stats
        The counters of the search.
    """

    start: State
    goal: State
    walk: tuple[int, ...]
    length: int
    metric: str = "stm"
    lower_bound: int = 0
    status: str = "optimal"
    stats: Stats = field(default_factory=Stats, compare=False)

    @property
    def optimal(self) -> bool:
        """Whether no shorter way exists."""
        return self.status == "optimal"

    @property
    def moves(self) -> str:
        """The letters of the blank, ``"RDLU"``; on a graph the cells it visits, ``"3 4 1"``."""
        return self.text("blank")

    def text(self, notation: str = "blank") -> str:
        """Return the moves in a notation of `taquin.notation.MOVE_FORMS`.

        ``blank`` letters, ``tile`` letters, ``tiles`` (numbers), ``cells``, ``words``, ``rle``.
        """
        from taquin.notation import write_moves

        return write_moves(self.start, self.walk, notation)

    def states(self) -> Iterator[State]:
        """Yield every state on the way, both ends included. Cost: O(n) a state."""
        state = self.start
        yield state
        for cell in self.walk:
            state = state.moved(cell)
            yield state

    def _repr_html_(self) -> str | None:
        """The board with a slider that notebooks show."""
        from taquin.render.notebook import solution_html

        return solution_html(self)

    def __len__(self) -> int:
        return self.length


@dataclass(frozen=True)
class AllSolutions:
    """All shortest ways from one state to another.

    Attributes
    ----------
    count : int
        How many there are, exactly.
    length : int
        The length of each, in moves.
    solutions : tuple of Solution
        The first of them, lexicographically by the letters of the blank (D < L < R < U); all of
        them, unless a limit was given.
    """

    count: int
    length: int
    solutions: tuple[Solution, ...]

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.solutions)

    def __len__(self) -> int:
        return len(self.solutions)
