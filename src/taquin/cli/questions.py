"""What is asked of a board: the puzzle and the goal, as options and texts say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from taquin.cli import common
from taquin.errors import InvalidState, ParseError, Unsolvable, Unsupported

if TYPE_CHECKING:
    from taquin.board import Board
    from taquin.notation import Reading
    from taquin.puzzle import Puzzle
    from taquin.state import State


@dataclass(frozen=True)
class Question:
    """A board and where it is to go.

    Attributes
    ----------
    puzzle : Puzzle
        Its board, its goal and the metric.
    start : State
        The board that was read.
    notes : tuple of str
        What the reader assumed.
    """

    puzzle: Puzzle
    start: State
    notes: tuple[str, ...]


class Questions:
    """Makes questions of readings, as the options say.

    Parameters
    ----------
    puzzle : str or None
        The text of a puzzle, ``"4x4:blank-first"``.
    goal, to : str or None
        The name of a goal, a board, or the name of a file with one; they override the puzzle's
        goal, and a goal that a text brings along.
    metric : str or None
        Overrides the puzzle's metric.

    Attributes
    ----------
    puzzle : Puzzle or None
        The puzzle that the options fix, if they do.
    """

    def __init__(
        self, puzzle: str | None, goal: str | None, to: str | None, metric: str | None = None
    ) -> None:
        if goal is not None and to is not None:
            raise Unsupported("--goal and --to say the same thing: give one of them")
        self._goal = board_text(goal if to is None else to)
        self._metric = metric
        self._spec = None if puzzle is None else common.as_text(puzzle)
        self._made: dict[Any, Puzzle] = {}
        self.puzzle = None if self._spec is None else self._parse(self._spec)
        self.own_goal = self._goal is None and not self._says_goal()
        if self.puzzle is None:
            self._check()

    @property
    def board(self) -> Board | None:
        """The board of that puzzle."""
        return None if self.puzzle is None else self.puzzle.board

    def _parse(self, spec: str) -> Puzzle:
        from taquin.puzzle import Puzzle

        found = Puzzle.parse(spec)
        if self._goal is None and self._metric is None:
            return found
        goal = found.goal if self._goal is None else self._goal
        with _about_the_goal():
            return Puzzle(found.board, goal, found.metric if self._metric is None else self._metric)

    def _check(self) -> None:
        """Raise what is wrong with goal and metric on any board: once, before boards are read."""
        from taquin.notation import read
        from taquin.puzzle import Puzzle

        named = self._goal is not None and not any(map(str.isdigit, self._goal))
        goal = self._goal if named else "blank-last"
        Puzzle("3x3", goal, "stm" if self._metric is None else self._metric)
        if self._goal is None or named:
            return
        try:
            with _about_the_goal():
                read(self._goal, repeats=True)
        except ParseError as error:
            if not error.readings:  # else the boards decide
                raise

    def _says_goal(self) -> bool:
        """Whether the text of the puzzle names its goal."""
        from taquin.board import parse_board
        from taquin.puzzle import METRICS

        if self._spec is None:
            return False
        _, rest = parse_board(self._spec.split(":"))
        return any(part.strip().lower() not in METRICS for part in rest)

    def ask(self, reading: Reading) -> Question:
        """Return the question that a reading asks."""
        notes = tuple(reading.notes)
        if reading.goal is not None and self.own_goal:
            notes += (f"goal from the text: {reading.goal}",)
            return Question(self._puzzle(reading.goal.board, reading.goal), reading.state, notes)
        goal = "blank-last" if self._goal is None else self._goal
        puzzle = self.puzzle or self._puzzle(reading.state.board, goal)
        return Question(puzzle, puzzle.state(reading.state), notes)

    def _puzzle(self, board: Board, goal: Any) -> Puzzle:
        from taquin.puzzle import Puzzle

        if (board, goal) not in self._made:
            if len(self._made) >= 100:  # goals may differ from line to line
                self._made.clear()
            metric = self.puzzle.metric if self.puzzle else "stm"
            metric = metric if self._metric is None else self._metric
            with _about_the_goal():
                self._made[board, goal] = Puzzle(board, goal, metric)
        return self._made[board, goal]


@contextmanager
def _about_the_goal() -> Iterator[None]:
    """Say of an error that it lies in the goal: a line it names is no line of the boards."""
    try:
        yield
    except ParseError as error:
        raise ParseError(f"the goal: {error}", error.readings) from None
    except InvalidState as error:
        raise InvalidState(f"the goal: {error}") from None


def board_text(text: str | None) -> str | None:
    """Return the text itself, or the text in the file that it names."""
    if text is None or re.fullmatch(r"\s*[A-Za-z_-]{2,}\s*", text):
        return text  # the name of a goal
    return (
        common.read_source(text)[1] if text == "-" or common.is_path(text) else common.as_text(text)
    )


def one_question(
    boards: list[str], files: list[str], questions: Questions, form: str | None, *, repeats: bool
) -> Question:
    """Return the question of the only board of the input, for commands that take one.

    Raises
    ------
    Unsupported
        If there are several.
    TaquinError
        If it cannot be read.
    """
    first = list(islice(common.items(boards, files, questions.board, form, repeats=repeats), 2))
    if len(first) > 1:
        raise Unsupported("this command takes one board at a time; got several")
    item = first[0]
    if item.error is not None:
        raise item.error
    assert item.reading is not None
    return questions.ask(item.reading)


def require_solvable(question: Question) -> None:
    """Raise `Unsolvable`, with the verdict, if the goal cannot be reached."""
    verdict = question.puzzle.verdict(question.start)
    if not verdict.solvable:
        raise Unsolvable(verdict.text(), verdict)
