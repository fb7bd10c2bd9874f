"""How the command ``solve`` shows what it found: as text, or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taquin.cli import terminal
from taquin.cli.check import other_goals
from taquin.cli.common import BAD, DONE, LIMIT, UNSOLVABLE, Item
from taquin.cli.questions import Question
from taquin.errors import LimitReached, TaquinError, Unsolvable
from taquin.messages import say

if TYPE_CHECKING:
    from taquin.search.result import AllSolutions, Solution
    from taquin.state import State

#: Of so many shortest solutions the ways are listed.
LISTED = 20


@dataclass(frozen=True)
class Wishes:
    """What the options say about the answer."""

    method: str
    bound: float
    time_limit: float | None
    notation: str
    everything: bool
    listed: int
    steps: bool
    lang: str
    json: bool
    strong: bool = False
    checkpoint: str | None = None
    quality: str | None = None
    workers: int = 1


@dataclass(frozen=True)
class Outcome:
    """What became of a board: a solution, all of them, or the reason why there is none."""

    item: Item
    question: Question | None = None
    found: Solution | AllSolutions | None = None
    letters: Iterator[bytes] | None = None
    error: TaquinError | None = None

    @property
    def code(self) -> int:
        """The exit code for this board alone."""
        if self.error is None:
            return DONE
        if isinstance(self.error, Unsolvable):
            return UNSOLVABLE
        return LIMIT if isinstance(self.error, LimitReached) else BAD


def show(outcome: Outcome, wishes: Wishes, *, alone: bool) -> None:
    """Print what became of a board."""
    item, question, error = outcome.item, outcome.question, outcome.error
    if question is None or outcome.code == BAD:
        failed = Item(item.index, item.source, item.line, error=error)
        terminal.complain(failed, wishes.json)
        return
    if wishes.json:
        terminal.show_json(record(outcome, question, wishes))
        return
    if not alone:
        print(f"{item.label}: ", end="")
    if isinstance(error, Unsolvable):
        text = error.verdict.text(wishes.lang) if alone else say("verdict.no", wishes.lang)
        print(terminal.paint(text, "bad"))
        others = other_goals(error.verdict, wishes.lang)
        if others:
            print(others if alone else f"  {others}")
    elif isinstance(error, LimitReached):
        print(*_limit_lines(error, wishes, alone=alone), sep="\n")
    elif outcome.letters is not None:
        _write(outcome.letters)
    elif wishes.everything:
        print(*_all_lines(outcome.found, wishes), sep="\n")
    else:
        print(*_solution_lines(outcome.found, wishes, alone=alone), sep="\n")


def _write(letters: Iterator[bytes]) -> None:
    """Write a way while it is being made, and say how long it is."""
    sys.stdout.flush()
    out = getattr(sys.stdout, "buffer", None)
    length = 0
    for piece in letters:
        length += len(piece)
        if out is None:
            sys.stdout.write(piece.decode())
        else:
            out.write(piece)
    print()
    terminal.note(f"{length:,} moves; fewer may do")


def _solution_lines(found: Any, wishes: Wishes, *, alone: bool) -> list[str]:
    summary = _summary(found)
    moves = found.text(wishes.notation)
    if not alone and not wishes.steps:
        return [f"{summary}: {moves}" if moves else summary]
    picture = terminal.beside(terminal.draw(found.start), terminal.draw(found.goal))
    lines = ["", *picture, ""] if picture and alone else []
    lines.append(terminal.paint(summary, "good"))
    if moves:
        lines.append(terminal.paint(moves, "strong") if alone else moves)
    if wishes.steps:
        lines += _step_lines(found)
    elif moves and alone:
        directed = found.start.board.directions or wishes.notation == "tiles"
        meaning = MEANING.get(wishes.notation if directed else "cells", wishes.notation)
        lines.append(terminal.paint(f"({meaning})", "dim"))
    return lines


#: What a way in a notation says.
MEANING = {
    "blank": "letters: the way the blank goes",
    "tile": "letters: the way the tile goes",
    "tiles": "numbers: the tile that moves",
    "cells": "numbers: the cell the blank goes to",
    "words": "words: the way the blank goes",
    "rle": "letters: the way the blank goes, numbers: how far",
    "tile-rle": "letters: the way the tiles go, numbers: how many",
    "tile-words": "words: the way the tile goes",
    "pairs": "row and column of the cell the blank goes to",
}


def _summary(found: Any) -> str:
    if found.length == 0:
        return "Solved already: no moves."
    moves = f"{found.length:,} move{'s' * (found.length != 1)}"
    if found.optimal:
        return f"{moves}, the fewest possible"
    if found.lower_bound:
        return f"{moves}; at least {found.lower_bound:,} are needed"
    return f"{moves}; fewer may do"


def _step_lines(found: Any) -> list[str]:
    """Draw every board on the way, each under the move that leads to it."""
    from taquin.notation import write_moves

    lines: list[str] = []
    before: State | None = None
    for step, state in enumerate(found.states()):
        if before is not None:
            letter = write_moves(before, (state.blank,), "blank")
            tile = before.tiles[state.blank]
            lines += ["", f"{step}. {letter}  (tile {tile})"]
        else:
            lines.append("")
        lines += terminal.indented(terminal.draw(state)) or [str(state)]
        before = state
    return lines


def _all_lines(found: Any, wishes: Wishes) -> list[str]:
    shortest = "shortest solution" + "s" * (found.count != 1)
    head = f"{found.count:,} {shortest} of {found.length} move{'s' * (found.length != 1)}"
    if not wishes.listed:
        return [head]
    lines = [head, *(solution.text(wishes.notation) for solution in found.solutions)]
    if found.count > len(found.solutions):
        lines.append(f"... and {found.count - len(found.solutions):,} more")
    return lines


def _limit_lines(error: LimitReached, wishes: Wishes, *, alone: bool) -> list[str]:
    message = str(error).rstrip(".")
    if error.lower_bound and str(error.lower_bound) not in message:
        message += f"; at least {error.lower_bound} moves are needed"
    lines = [f"Limit reached: {message}."]
    if error.solution is not None:
        lines.append("The best way known:")
        lines += _solution_lines(error.solution, wishes, alone=alone)
    return lines


def record(outcome: Outcome, question: Question, wishes: Wishes) -> dict[str, Any]:
    """Return the outcome as a JSON object; its keys are part of the contract."""
    error = outcome.error
    entry: dict[str, Any] = {
        **terminal.place(outcome.item),
        "board": question.puzzle.board.spec,
        "metric": question.puzzle.metric,
        "state": list(question.start.tiles),
        "goal": list(question.puzzle.goal.tiles),
        "solvable": not isinstance(error, Unsolvable),
    }
    notes = {"notes": list(question.notes)}
    if isinstance(error, Unsolvable):
        text, others = error.verdict.text(wishes.lang), list(error.verdict.solvable_for)
        return {**entry, "status": "unsolvable", "text": text, "solvable_for": others, **notes}
    if wishes.everything and outcome.found is not None:
        return {**entry, **_all_record(outcome.found, wishes), **notes}
    found: Any = error.solution if isinstance(error, LimitReached) else outcome.found
    if isinstance(error, LimitReached):
        entry |= {"status": "limit", "length": None, "lower_bound": error.lower_bound}
        entry |= {"notation": wishes.notation, "moves": None, "text": str(error)}
    if found is not None:
        entry |= _solution_record(found, wishes)
    if isinstance(error, LimitReached):  # what the whole search proved, and how far it came
        entry |= {"status": "limit", "lower_bound": error.lower_bound}
        entry |= _effort_record(getattr(error, "stats", None), wishes)
    return {**entry, **notes}


def _effort_record(stats: Any, wishes: Wishes) -> dict[str, Any]:
    """Which search reached its limit, and what it did; None for what it does not tell.

    The best way known at a limit may be constructed beside the search: its counters are not those
    of the search.
    """
    if stats is None:
        method = None if wishes.everything or wishes.method == "auto" else wishes.method
        return {"method": method, "expanded": None, "generated": None, "seconds": None}
    return _stats_record(stats)


def _stats_record(stats: Any) -> dict[str, Any]:
    return {
        "method": stats.method,
        "expanded": stats.expanded,
        "generated": stats.generated,
        "seconds": round(stats.seconds, 6),
    }


def _solution_record(found: Any, wishes: Wishes) -> dict[str, Any]:
    entry = {
        "status": found.status,
        "length": found.length,
        "lower_bound": found.length if found.optimal else found.lower_bound,
        "notation": wishes.notation,
        "moves": found.text(wishes.notation),
        **_stats_record(found.stats),
    }
    if wishes.steps:
        entry["states"] = [list(state.tiles) for state in found.states()]
    return entry


def _all_record(found: Any, wishes: Wishes) -> dict[str, Any]:
    entry = {"status": "optimal", "length": found.length, "lower_bound": found.length}
    entry |= {"notation": wishes.notation, "count": found.count}
    if wishes.listed:
        entry["solutions"] = [solution.text(wishes.notation) for solution in found.solutions]
    return entry
