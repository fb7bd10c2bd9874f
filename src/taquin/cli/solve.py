"""``taquin solve``: the way to the goal."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Self

from taquin.cli import common, terminal
from taquin.cli.common import Item
from taquin.cli.letters import letters, streams
from taquin.cli.questions import Question, Questions, require_solvable
from taquin.cli.solutions import LISTED, Outcome, Wishes, show
from taquin.errors import LimitReached, TaquinError, Unsupported

if TYPE_CHECKING:
    import argparse

    from taquin.search.result import AllSolutions, Solution

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

#: From so many boards on, small ones are solved from their table.
MANY = 50
#: Seconds between two reports of the progress.
REPORT_EVERY = 0.5


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
        "--quality",
        choices=("fast", "good", "best"),
        help="of a short way on a large board: some tenths of a second, some seconds, a minute",
    )
    add("--watch", action="store_true", help="say each better way that is found")
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
        "--strong",
        action="store_true",
        help="with larger tables where they pay, made once: 4x4 in 5 seconds, 200 MB",
    )
    add(
        "--checkpoint",
        metavar="FILE",
        help="for one hard board: keep the state of the search there, and go on from it",
    )
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
    quality: str | None,
    watch: bool,
    method: str,
    notation: str,
    steps: bool,
    strong: bool,
    checkpoint: str | None,
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
        strong=strong,
        checkpoint=checkpoint,
        quality=quality,
        workers=workers or os.cpu_count() or 1,
    )
    questions = Questions(puzzle, goal, to, metric)
    _check_method(wishes)
    found = common.items(boards, files, questions.board, form, repeats=repeats)
    first = list(islice(found, 2))
    alone = len(first) == 1
    if checkpoint and not alone:
        raise Unsupported("--checkpoint keeps the search of one board; got several")
    if checkpoint and (bound > 1 or every or count or method not in ("auto", "ida")):
        raise Unsupported(
            "--checkpoint keeps the search for a shortest way: leave out --bound, --all, --count"
            " and --method"
        )
    each = wishes if alone else replace(wishes, workers=1)
    codes = []
    said: set[str] = set()
    progress = Progress(watch=watch) if alone else None
    with announcing(), Tally(quiet=alone) as tally, leaving(progress, checkpoint):

        def work(item: Item) -> Outcome:
            return attempt(item, questions, each, progress)

        for outcome in in_order(work, chain(first, found), wishes.workers):
            tally.take_away()
            if outcome.question is not None and not json:
                terminal.notes(outcome.question, said)
            show(outcome, wishes, alone=alone)
            codes.append(outcome.code)
            tally.count(len(codes))
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
        plain = not (wishes.json or wishes.everything or wishes.steps)
        if plain and streams(question.start, wishes.notation, wishes.method):
            require_solvable(question)
            way = letters(question.start, question.puzzle.goal, wishes.notation)
            return Outcome(item, question, letters=way)
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
                strong=wishes.strong,
                checkpoint=wishes.checkpoint,
                workers=wishes.workers,
                time_limit=wishes.time_limit,
                progress=progress,
                quality=wishes.quality,
                tell=progress.better if progress else None,
            )
    except TaquinError as error:
        return Outcome(item, question, error=error)
    except Interrupted as interrupted:
        best = progress.best if progress else None
        bound = best.lower_bound if best else 0
        return Outcome(item, question, error=LimitReached(str(interrupted), best, bound))
    finally:
        if progress:
            progress.clear()
            progress.ended.set()
    return Outcome(item, question, found)


class Interrupted(Exception):
    """The search was told to end, by way of its progress."""


@contextmanager
def leaving(progress: Progress | None, checkpoint: str | None) -> Iterator[None]:
    """On an interruption let a search with a checkpoint write it, and say how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        if progress is not None:
            progress.interrupted = True
        if progress is not None and progress.best is not None:
            best = progress.best
            print(f"{best.length:,} moves; at least {best.lower_bound:,} are needed")
            print(best.moves)
        if progress is not None and checkpoint:
            if progress.ended.wait(PATIENCE) and Path(checkpoint).exists():
                terminal.note(f"kept in {checkpoint}: the same command goes on from there")
            else:
                terminal.note("nothing is kept: the search had not come far enough")
        raise


#: Seconds that an interrupted search may take to write its checkpoint.
PATIENCE = 10.0


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

    def __init__(self, *, watch: bool = False) -> None:
        self._on = sys.stderr is not None and sys.stderr.isatty()
        self._watch = watch
        self._start = self._next = time.monotonic()
        self._next += REPORT_EVERY
        self.best: Solution | None = None
        self._shown = False
        self._threshold = 0
        self._begun: list[int] = []  # nodes made before each threshold
        self.interrupted = False
        self.ended = Event()

    def __call__(self, *numbers: Any) -> None:
        """Report how far a search is.

        The textbook's algorithms give their counters and a lower bound; IDA* gives its threshold
        and the number of boards made.
        """
        if self.interrupted:
            raise Interrupted("interrupted")
        first, second = numbers[:2]
        deepening = isinstance(first, int)
        made, bound = (second, first) if deepening else (first.generated, second)
        if deepening and bound != self._threshold:
            self._threshold = bound
            self._begun.append(made)
        now = time.monotonic()
        if not self._on or now < self._next:
            return
        self._next, self._shown = now + REPORT_EVERY, True
        seconds = now - self._start
        text = f"{made:,} boards made in {seconds:.1f} s"
        if bound:
            text += f", at least {bound:.0f} moves"
        if deepening:
            text += f", {made / seconds / 1e6:.0f} million a second{self._left(made, seconds)}"
        terminal.rewrite(text)

    def better(self, solution: Solution) -> None:
        """Note a better way, and say so if asked to."""
        self.best = solution
        if self._watch:
            self.clear()
            seconds = time.monotonic() - self._start
            least = f", at least {solution.lower_bound:,}" if solution.lower_bound else ""
            terminal.note(
                f"{seconds:8.2f} s  {solution.length:,} moves{least} ({solution.stats.method})"
            )

    def _left(self, made: int, seconds: float) -> str:
        """When this threshold may be done, if it grows as the last one did."""
        if len(self._begun) < 3 or self._begun[-1] == self._begun[-2] or made == 0:
            return ""
        before, last = self._begun[-2] - self._begun[-3], self._begun[-1] - self._begun[-2]
        expected = self._begun[-1] + last * last / max(1, before)
        if expected <= made:
            return ""
        return f", next threshold in {terminal.span((expected - made) * seconds / made)}"

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            terminal.rewrite("")


class Tally:
    """How many boards are done, on standard error, where the answers go to a file."""

    def __init__(self, *, quiet: bool) -> None:
        to_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._on = to_terminal and not sys.stdout.isatty() and not quiet
        self._start = self._next = time.monotonic()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.take_away()

    def count(self, done: int) -> None:
        """Say so now and then."""
        now = time.monotonic()
        if self._on and now >= self._next:
            self._next, self._shown = now + REPORT_EVERY, True
            rate = done / max(now - self._start, 1e-3)
            terminal.rewrite(f"{done:,} boards done, {rate:,.0f} a second")

    def take_away(self) -> None:
        """Make room for other lines."""
        if self._shown:
            terminal.rewrite("")
            self._shown = False


@contextmanager
def announcing() -> Iterator[None]:
    """Say on standard error what takes time only once: compiling, and making tables."""
    from taquin.jit import announced
    from taquin.tables import announced as tables_announced

    said: list[str] = []

    def compiling(name: str) -> None:
        if not said:
            said.append(name)
            terminal.note("compiling the search for this machine (only the first time) ...")

    def making(kind: str, key: Mapping[str, Any]) -> None:
        if kind == "patterns":
            sizes = "-".join(str(len(cells)) for cells in key["patterns"])
            terminal.note(f"making the pattern databases {sizes} of {key['board']} (once) ...")

    with announced(compiling), tables_announced(making):
        yield
