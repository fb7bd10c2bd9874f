"""Puzzle: a board, a goal and a metric; the face of the library.

Every question about a state starts here. The methods that search import their room when called,
so that importing taquin stays instant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from taquin.board import Board, parse_board
from taquin.errors import (
    InvalidState,
    LimitReached,
    ParseError,
    TaquinError,
    Unsolvable,
    Unsupported,
    quote,
    require_whole,
)
from taquin.goals import GOALS, goal_key, is_goal_name, known_name, named_goal
from taquin.notation import merge, moves_length, read, read_moves
from taquin.sampling import Rng, as_random, random_state, random_walk
from taquin.search.result import Solution, Stats
from taquin.solvability import Verdict, decide
from taquin.solvability import verdict as judge
from taquin.state import State, check_same_labels

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from taquin.search.result import AllSolutions
    from taquin.space import Space
    from taquin.sweep import Progress, Stop

METRICS = ("stm", "mtm")


class Puzzle:
    """A board, a goal and a metric.

    Parameters
    ----------
    board : Board or str
        The cells, or a board's text, such as ``"3x3"`` (`Board.parse`).
    goal : str or State or any written form
        The name of a usual goal (``"blank-last"``, ``"blank-first"``, ``"spiral"``, ``"snake"``,
        ``"columns"``, ``"reversed"``) or a state; equal labels are allowed.
    metric : str
        ``"stm"``: every tile that moves counts; ``"mtm"``: a segment sliding along a line is one
        move.

    Examples
    --------
    >>> p = Puzzle.parse("3x3")
    >>> s = p.state("1 2 3 / 4 5 6 / 0 7 8")
    >>> p.solvable(s), p.solve(s).moves
    (True, 'RR')
    """

    def __init__(self, board: Board | str, goal: Any = "blank-last", metric: str = "stm") -> None:
        board = Board.parse(board) if isinstance(board, str) else board
        if metric not in METRICS:
            raise Unsupported(f"no metric {metric!r}: expected one of {', '.join(METRICS)}")
        if metric == "mtm" and not board.directions:
            raise Unsupported("the multi-tile metric needs a board with lines; this one has none")
        self.board = board
        self.metric = metric
        self.goal, self._goal_name = _goal(goal, board)

    @classmethod
    def parse(cls, spec: str) -> Puzzle:
        """Read a puzzle from colon-separated parts: a board, then a goal and a metric.

        >>> Puzzle.parse("4x4:torus:blank-first:mtm").spec
        '4x4:torus:blank-first:mtm'
        """
        board, rest = parse_board(spec.split(":"))
        goals, metrics = [], []
        for part in rest:
            word = part.strip()
            if word.lower() in METRICS:
                metrics.append(word.lower())
            elif is_goal_name(word) or any(map(str.isdigit, word)):
                goals.append(word)
            else:
                raise ParseError(
                    f"cannot read {quote(word)} in the puzzle {quote(spec)}: expected a goal"
                    f" ({', '.join(GOALS)}, or a board) or a metric ({', '.join(METRICS)})"
                )
        for several in (goals, metrics):
            if len(several) > 1:
                raise ParseError(
                    f"the puzzle {quote(spec)} names {quote(several[0])} and {quote(several[1])}:"
                    " give one goal and one metric"
                )
        return cls(board, *(goals or ["blank-last"]), *metrics)

    @property
    def spec(self) -> str:
        """The text that `parse` reads back."""
        parts = [self.board.spec]
        if self._goal_name != "blank-last":
            parts.append(self._goal_name or " ".join(map(str, self.goal.tiles)))
        if self.metric != "stm":
            parts.append(self.metric)
        return ":".join(parts)

    def __repr__(self) -> str:
        return f"Puzzle.parse({self.spec!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Puzzle) and self.goal == other.goal and self.metric == other.metric

    def __hash__(self) -> int:
        return hash((self.goal, self.metric))

    # -- states --------------------------------------------------------------------------------

    def state(self, value: Any) -> State:
        """Return a state of this puzzle from any written form, list, tuple or array.

        Raises
        ------
        ParseError, InvalidState
            If it cannot be read, or is no state of this board with the goal's labels.
        """
        repeats = self.goal.repeats
        if isinstance(value, State) and value.board == self.board:
            state = value
        else:
            state = read(value, self.board, repeats=repeats).state
        if repeats or state.repeats:
            check_same_labels(state, self.goal)
        return state

    def verdict(self, state: Any, to: Any = None) -> Verdict:
        """Say whether `state` can reach the goal (or `to`: a state, a goal's name), and why."""
        return judge(self.state(state), self._target(to))

    def solvable(self, state: Any, to: Any = None) -> bool:
        """Return whether `state` can reach the goal (or the state `to`)."""
        return decide(self.state(state), self._target(to))[0]

    def _target(self, to: Any) -> State:
        if to is None:
            return self.goal
        if isinstance(to, str) and is_goal_name(to):
            return self.state(named_goal(to, self.board))
        return self.state(to)

    def neighbours(self, state: Any) -> list[tuple[str, State]]:
        """Return (letter, state) for every move of the blank, in the order U L R D F B."""
        return self.state(state).neighbours()

    def apply(self, state: Any, moves: str, notation: str = "blank") -> State:
        """Return the state after `moves`; see `taquin.notation.read_moves` for the notations.

        Raises
        ------
        IllegalMove
            Naming the step that leaves the board.
        """
        now = self.state(state)
        for cell in read_moves(moves, now, notation):
            now = now.moved(cell)
        return now

    def _push(self, state: Any, letter: str) -> State:
        now = self.state(state)
        if letter not in self.board.directions:
            raise Unsupported(f"the board {self.board.spec} has no direction {letter!r}")
        to = self.board.step(now.blank, letter)
        return now if to is None else now.moved(to)

    def up(self, state: Any) -> State:
        """The operator f_u of the textbooks: the blank goes up; at the border, `state` itself."""
        return self._push(state, "U")

    def down(self, state: Any) -> State:
        """The operator f_d: the blank goes down; at the border, `state` itself."""
        return self._push(state, "D")

    def left(self, state: Any) -> State:
        """The operator f_l: the blank goes left; at the border, `state` itself."""
        return self._push(state, "L")

    def right(self, state: Any) -> State:
        """The operator f_r: the blank goes right; at the border, `state` itself."""
        return self._push(state, "R")

    def front(self, state: Any) -> State:
        """The blank goes to the layer before; at the border, `state` itself."""
        return self._push(state, "F")

    def back(self, state: Any) -> State:
        """The blank goes to the layer behind; at the border, `state` itself."""
        return self._push(state, "B")

    # -- random states -------------------------------------------------------------------------

    def random(
        self,
        rng: Rng = None,
        *,
        depth: int | None = None,
        method: str = "uniform",
        steps: int | None = None,
    ) -> State:
        """Return a random solvable state.

        Parameters
        ----------
        rng : random.Random, NumPy generator, int or None
            A generator, or a seed: the same seed gives the same state on every platform.
        depth : int, optional
            Only states exactly so many moves from the goal, each equally likely.
        method : str
            ``"uniform"``: every state that reaches the goal is equally likely, on any board.
            ``"walk"``: random moves from the goal, never straight back.
        steps : int, optional
            The length of that walk; a random number between 20 n and 40 n if not given.

        Raises
        ------
        Unsupported
            If there is no such method, no state at that depth, or too many states to list.
        """
        generator = as_random(rng)
        if depth is not None:
            from taquin.generate import deal

            return deal(self, depth, rng=generator)[0].state
        if method == "uniform":
            return random_state(self.goal, generator)
        if method == "walk":
            n = self.board.n
            if steps is not None and steps < 0:
                raise Unsupported(f"a walk has at least 0 steps; got {steps}")
            length = generator.randrange(20 * n, 40 * n) if steps is None else steps
            return random_walk(self.goal, length, generator)
        raise Unsupported(f"no method {method!r} to make a random state: 'uniform' or 'walk'")

    # -- solving -------------------------------------------------------------------------------

    def solve(
        self,
        state: Any,
        *,
        to: Any = None,
        method: str = "auto",
        strong: bool = False,
        bound: float = 1.0,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        workers: int | None = None,
        progress: Callable[..., None] | None = None,
        checkpoint: Path | str | None = None,
        quality: str | None = None,
        tell: Callable[[Solution], None] | None = None,
        **options: Any,
    ) -> Solution:
        """Return a way from `state` to the goal, or to the state `to`.

        A shortest one on boards of up to 16 cells. On larger ones a short one, with a lower bound;
        a time limit, a bound, a checkpoint or ``strong=True`` ask for the search for a proof after
        that.

        Parameters
        ----------
        method : str
            ``"auto"``, ``"table"`` (boards of up to 12 cells), ``"ida"`` (pattern databases),
            ``"ida-walking"``, ``"ida-manhattan"``, ``"near"`` (a short way, without proof),
            ``"construct"``, or the name of a textbook algorithm
            (`taquin.search.textbook.TEXTBOOK`: ``"bfs"``, ``"astar"``, ...).
        strong : bool
            With larger pattern databases, which take more time and memory to make, once.
        bound : float
            The solution may be longer than the optimal one by this factor, which is proved.
        time_limit : float, optional
            Seconds.
        memory_limit : int, optional
            Bytes.
        workers : int, optional
            Threads; one a processor if not given.
        progress : callable, optional
            Called now and then with the numbers of the running search.
        checkpoint : path, optional
            A file: a long search by pattern databases goes on from it, and keeps it up to date.
        quality : str, optional
            Of a short way: ``"fast"`` (some tenths of a second), ``"good"`` (some seconds), or
            ``"best"`` (a minute). A time limit takes its place.
        tell : callable, optional
            Called with each better solution, while a short way is looked for.
        **options
            Passed on to a textbook algorithm, such as ``heuristic="linear-conflict"``.

        Raises
        ------
        Unsolvable
            Before any search, with the verdict.
        LimitReached
            With the best solution and the lower bound known.
        """
        from taquin.search.choose import Wishes, solve

        wishes = Wishes(
            *(bound, strong, time_limit, memory_limit, workers, progress, checkpoint, quality, tell)
        )
        start, goal = self.state(state), self._target(to)
        self._require_solvable(start, goal)
        return solve(start, goal, self.metric, method, wishes, **options)

    def _require_solvable(self, start: State, goal: State) -> None:
        verdict = judge(start, goal)
        if not verdict.solvable:
            raise Unsolvable(verdict.text(), verdict)

    def hint(self, state: Any) -> Solution:
        """Return a short solution from here, quickly: its first moves are the hint.

        The solutions given before are remembered: a player who follows one, or strays from it, is
        answered at once.

        Raises
        ------
        Unsolvable
            If the goal cannot be reached.

        Examples
        --------
        >>> Puzzle.parse("3x3").hint("1 2 3 / 4 5 6 / 0 7 8").moves
        'RR'
        """
        from taquin.search.hints import hint

        start = self.state(state)
        self._require_solvable(start, self.goal)
        return hint(start, self.goal, self.metric)

    def solve_many(
        self, states: Iterable[Any], *, workers: int | None = None, **same: Any
    ) -> Iterator[Solution | TaquinError]:
        """Yield a solution for each state, in order, on all cores.

        A state that has none, or cannot be read, yields the error in its place; the others go on.
        """
        from taquin.search.choose import has_table, in_order

        require_whole(workers=(workers, 1))
        if not same and has_table(self.goal):
            same = {"method": "table"}

        same = {"workers": 1, **same}

        def one(state: Any) -> Solution | TaquinError:
            try:
                return self.solve(state, **same)
            except TaquinError as error:
                return error

        return in_order(one, states, workers)

    def solve_all(
        self,
        state: Any,
        *,
        to: Any = None,
        limit: int | None = None,
        time_limit: float | None = None,
    ) -> AllSolutions:
        """Return all optimal solutions: their exact number, and up to `limit` of them in order.

        The order is lexicographic in the letters of the blank, D < L < R < U: the first one is
        what judges call the least solution.
        """
        from taquin.search.choose import solve_all

        start, goal = self.state(state), self._target(to)
        self._require_solvable(start, goal)
        return solve_all(start, goal, self.metric, limit=limit, time_limit=time_limit)

    def distance(self, state: Any, to: Any = None, *, workers: int | None = None) -> int:
        """Return the length of a shortest solution, in moves of this puzzle's metric.

        Raises
        ------
        LimitReached
            If only bounds are known.
        """
        solution = self.solve(state, to=to, workers=workers)
        if not solution.optimal:
            raise LimitReached(
                f"the distance lies between {solution.lower_bound} and {solution.length} moves:"
                " no exact answer within the limits of this board; the solution found is attached",
                solution,
                solution.lower_bound,
            )
        return solution.length

    def distances_many(self, array: Any) -> NDArray[np.int16]:
        """Return the distances of many states in one call, -1 for those without a solution.

        Parameters
        ----------
        array : (B, n) array of integers
            A state in each row: the labels in the order of the cells.

        Returns
        -------
        (B,) array of int16
            In moves of this puzzle's metric.

        Notes
        -----
        Boards of up to 12 cells are looked up in the distance table, tens of thousands a second;
        the table is built the first time (a second) and kept. Larger ones are solved one by one.

        Examples
        --------
        >>> Puzzle.parse("3x3").distances_many([[1, 2, 3, 4, 5, 6, 0, 7, 8]])
        array([2], dtype=int16)
        """
        from taquin.search.choose import distances_many

        return distances_many(self, array)

    # -- the whole space -----------------------------------------------------------------------

    def explore(
        self,
        *,
        to_depth: int | None = None,
        memory_limit: int | None = None,
        workers: int | None = None,
        progress: Callable[[Progress], None] | None = None,
        stop: Stop | None = None,
        checkpoint: Path | str | None = None,
        table: bool = True,
    ) -> Space:
        """Go through all states that reach the goal: how many there are at each depth, and which.

        Parameters
        ----------
        to_depth : int, optional
            Stop after the states so many moves from the goal; boards of any size have such a
            beginning.
        memory_limit : int, optional
            Bytes; the memory that is free now, if not given.
        workers : int, optional
            Threads; one a processor if not given.
        progress : callable, optional
            Called after each depth with a `taquin.sweep.Progress`.
        stop : taquin.sweep.Stop, optional
            ``stop.set()`` from another thread ends the work; what was found is returned.
        checkpoint : path, optional
            A folder: work that was stopped goes on from there.
        table : bool
            Keep a distance table if it fits: `Space.depth` needs one, and it doubles the memory.

        Raises
        ------
        LimitReached
            Before anything is done, if the space does not fit in memory; the message says what
            does.
        Unsupported
            If the goal has equal labels.
        TableError
            If the checkpoint is damaged, or belongs to another puzzle.

        Examples
        --------
        >>> space = Puzzle.parse("3x3").explore()
        >>> space.states, space.edges, space.radius, space.depth("1 2 3 / 4 5 6 / 0 7 8")
        (181440, 241920, 31, 2)
        """
        from taquin.space import explore

        return explore(
            self,
            to_depth=to_depth,
            memory_limit=memory_limit,
            workers=workers,
            progress=progress,
            stop=stop,
            checkpoint=checkpoint,
            table=table,
        )

    def canonical(self, state: Any) -> tuple[State, Solution]:
        """Return the representative of the state's class, and a way to it.

        Two states can be joined exactly if they have the same representative; the way between
        them leads through it.
        """
        from taquin.construct import canonical

        start = self.state(state)
        representative, walk = canonical(start)
        return representative, self.as_solution(start, representative, walk)

    def as_solution(self, start: State, goal: State, walk: Iterable[int]) -> Solution:
        """Wrap a walk of the blank as a solution that claims nothing about its length."""
        cells = merge(start, tuple(walk))
        length = moves_length(start, cells, self.metric)
        return Solution(start, goal, cells, length, self.metric, 0, "bounded", Stats("construct"))


def _goal(goal: Any, board: Board) -> tuple[State, str | None]:
    """The goal as a state, and its name if it has one."""
    if isinstance(goal, str) and not any(map(str.isdigit, goal)):
        return named_goal(goal, board), goal_key(goal)
    if isinstance(goal, State):
        if goal.board != board:
            raise InvalidState(
                f"the goal lies on the board {goal.board.spec}; expected {board.spec}"
            )
        return goal, known_name(goal)
    try:
        state = read(goal, board).state
    except (InvalidState, ParseError) as fault:
        try:
            state = read(goal, board, repeats=True).state
        except (InvalidState, ParseError):
            raise fault from None
    return state, known_name(state)
