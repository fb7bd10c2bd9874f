"""``taquin solve``: the way to the goal."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from taquin.cli import common, terminal
from taquin.cli.check import other_goals
from taquin.cli.common import BAD, DONE, LIMIT, UNSOLVABLE, Item, Question, Questions
from taquin.errors import LimitReached, TaquinError, Unsolvable, Unsupported
from taquin.messages import say

if TYPE_CHECKING:
    import argparse

    from taquin.search.result import AllSolutions, Solution
    from taquin.state import State

HELP = """Solve boards, with the fewest moves where that is within reach.

Every answer says whether it is the shortest. Exit code 0: all solved; 1: some
board cannot be solved; 2: some could not be read; 3: a limit was reached, and
what is known is printed."""
EXAMPLES = """\
  taquin solve "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3"
  taquin solve "8 1 2 / 0 4 3 / 7 6 5" --goal spiral --steps
  taquin solve boards.txt --notation rle --json
  taquin solve "7 2 4 / 5 0 6 / 8 3 1" --goal blank-first --all
  taquin solve "6 3 7 4 8 5 1 2 0" --metric mtm
  taquin shuffle 10x10 | taquin solve - --time 10s

JSON keys:
  index source line board metric state goal solvable status length lower_bound
  notation moves method expanded generated seconds notes;
  count solutions with --all; states with --steps; text solvable_for where
  there is no way; text where a limit was reached;
  index source line error kind for a board that cannot be read."""

#: Of so many shortest solutions the ways are listed.
LISTED = 20
#: From so many boards on, small ones are solved from their table.
MANY = 50
#: Seconds between two reports of the progress.
REPORT_EVERY = 0.5


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


@dataclass(frozen=True)
class Outcome:
    """What became of a board: a solution, all of them, or the reason why there is none."""

    item: Item
    question: Question | None = None
    found: Solution | AllSolutions | None = None
    error: TaquinError | None = None

    @property
    def code(self) -> int:
        """The exit code for this board alone."""
        if self.error is None:
            return DONE
        if isinstance(self.error, Unsolvable):
            return UNSOLVABLE
        return LIMIT if isinstance(self.error, LimitReached) else BAD


def options(parser: argparse.ArgumentParser) -> None:
    """Say what can follow the command."""
    common.add_boards(parser)
    add = parser.add_argument
    add(
        "--all",
        action="store_true",
        dest="every",
        help=f"all shortest solutions; the first {LISTED} are listed",
    )
    add("--count", action="store_true", help="only say how many shortest solutions there are")
    add(
        "--metric",
        metavar="stm|mtm",
        help="stm: each tile is a move; mtm: a segment sliding along a line is one move",
    )
    add(
        "--bound",
        type=common.factor,
        default=1.0,
        metavar="F",
        help="accept a way longer by this factor",
    )
    add("--time", metavar="TIME", dest="limit", help="a limit for each board: 10s, 2m, 500ms, 1.5h")
    add(
        "--method",
        metavar="NAME",
        default="auto",
        help="auto, ida, construct, bfs, astar, rbfs ...",
    )
    add(
        "--notation",
        metavar="NAME",
        default="blank",
        help="blank (the way the blank goes), tile (the way the tile goes), tiles (their numbers),"
        " cells, words, rle (R2 D)",
    )
    add("--steps", action="store_true", help="draw every board on the way")
    add(
        "--workers",
        type=common.natural,
        metavar="N",
        default=0,
        help="threads for many boards; all cores if not given",
    )


def solve(
    boards: list[str],
    files: list[str],
    puzzle: str | None,
    goal: str | None,
    to: str | None,
    form: str | None,
    lang: str,
    *,
    repeats: bool,
    json: bool,
    every: bool,
    count: bool,
    metric: str | None,
    bound: float,
    limit: str | None,
    method: str,
    notation: str,
    steps: bool,
    workers: int,
) -> int:
    """Solve every board; return the exit code."""
    from taquin.notation import MOVE_FORMS

    lang = terminal.language(lang, as_json=json)
    if notation not in MOVE_FORMS:
        raise Unsupported(f"no notation {notation!r}: expected one of {', '.join(MOVE_FORMS)}")
    wishes = Wishes(
        method=method,
        bound=bound,
        time_limit=common.duration(limit),
        notation=notation,
        everything=every or count,
        listed=0 if count else LISTED,
        steps=steps,
        lang=lang,
        json=json,
    )
    questions = Questions(puzzle, goal, to, metric)
    _check_method(wishes)
    found = common.items(boards, files, questions.board, form, repeats=repeats)
    first = list(islice(found, 2))
    alone = len(first) == 1

    def work(item: Item) -> Outcome:
        return attempt(item, questions, wishes, progress=Progress() if alone else None)

    codes = []
    said: set[str] = set()
    with announcing():
        for outcome in in_order(work, chain(first, found), workers or os.cpu_count() or 1):
            if outcome.question is not None and not json:
                terminal.notes(outcome.question, said)
            show(outcome, wishes, alone=alone)
            codes.append(outcome.code)
    return common.worst(codes)


# -- searching ----------------------------------------------------------------------------------


def attempt(item: Item, questions: Questions, wishes: Wishes, progress: Progress | None) -> Outcome:
    """Solve one board; every outcome is an answer."""
    if item.error is not None:
        return Outcome(item, error=item.error)
    assert item.reading is not None
    question = None
    try:
        question = questions.ask(item.reading)
        found: Solution | AllSolutions
        if wishes.everything:
            found = question.puzzle.solve_all(
                question.start,
                limit=max(wishes.listed, 1),
                time_limit=wishes.time_limit,
            )
        else:
            found = question.puzzle.solve(
                question.start,
                method=_method(item, question, wishes),
                bound=wishes.bound,
                time_limit=wishes.time_limit,
                progress=progress,
            )
    except TaquinError as error:
        return Outcome(item, question, error=error)
    finally:
        if progress:
            progress.clear()
    return Outcome(item, question, found)


def _check_method(wishes: Wishes) -> None:
    """Raise what is wrong with method and bound, on a board that is solved already."""
    from taquin.puzzle import Puzzle

    puzzle = Puzzle("2x2")
    puzzle.solve(puzzle.goal, method=wishes.method, bound=wishes.bound)


def _method(item: Item, question: Question, wishes: Wishes) -> str:
    """The method asked for; for a long list of small boards their table, which then pays."""
    from taquin.search.choose import has_table

    many = item.index > MANY and wishes.time_limit is None and has_table(question.puzzle.goal)
    return "table" if many and wishes.method == "auto" else wishes.method


def in_order(
    function: Callable[[Item], Outcome], found: Iterable[Item], workers: int
) -> Iterator[Outcome]:
    """Yield the outcomes in order, computed by a pool that stays a little ahead.

    Even a single board is searched by a thread of the pool: so an interruption is noticed at
    once, whatever the search is doing, and nobody waits for what is still running.
    """
    pool = ThreadPoolExecutor(workers)
    ahead: deque[Future[Outcome]] = deque()
    try:
        for item in found:
            ahead.append(pool.submit(function, item))
            if len(ahead) >= 4 * workers:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class Progress:
    """One line on standard error, rewritten now and then; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._on = sys.stderr is not None and sys.stderr.isatty()
        self._start = self._next = time.monotonic()
        self._next += REPORT_EVERY
        self._shown = False

    def __call__(self, *numbers: Any) -> None:
        """Report how far a search is.

        The textbook's algorithms give their counters and a lower bound; IDA* gives its threshold
        and the number of boards made.
        """
        now = time.monotonic()
        if not self._on or now < self._next:
            return
        self._next, self._shown = now + REPORT_EVERY, True
        first, second = numbers[:2]
        made, bound = (second, first) if isinstance(first, int) else (first.generated, second)
        text = f"{made:,} boards made in {now - self._start:.1f} s"
        if bound:
            text += f", at least {bound:.0f} moves"
        terminal.rewrite(text)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            terminal.rewrite("")


def announcing() -> Any:
    """Say once, on standard error, that the search is being compiled."""
    from taquin.jit import announced

    said: list[str] = []

    def say_once(name: str) -> None:
        if not said:
            said.append(name)
            terminal.note("compiling the search for this machine (only the first time) ...")

    return announced(say_once)


# -- showing ------------------------------------------------------------------------------------


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
    elif wishes.everything:
        print(*_all_lines(outcome.found, wishes), sep="\n")
    else:
        print(*_solution_lines(outcome.found, wishes, alone=alone), sep="\n")


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
