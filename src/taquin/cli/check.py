"""``taquin check``: say whether a board can be solved, and why."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from taquin.cli import common, terminal
from taquin.cli.common import BAD, DONE, UNSOLVABLE, Item
from taquin.cli.questions import Question, Questions
from taquin.errors import TaquinError
from taquin.messages import say

if TYPE_CHECKING:
    import argparse

    from taquin.solvability import Verdict

HELP = """Say whether boards can be solved, and why.

Exit code 0: all can; 1: some cannot; 2: some could not be read."""
EXAMPLES = """\
  taquin check "1 2 3 4 5 6 8 7 _"
  taquin check "8 1 2 / 0 4 3 / 7 6 5" --goal spiral --why
  taquin check "1 2 3 / 4 5 6 / 7 8 0" --to "0 1 2 / 3 4 5 / 6 7 8"
  taquin check boards.txt --puzzle 4x4 --json
  taquin check "1 2 3 4 5 6 8 7 _" --lang vi

JSON keys:
  index source line board state goal solvable rule parity cycles inversions
  blank_distance blank_row n_plus_k solvable_for text notes;
  index source line error kind for a board that cannot be read."""


def options(parser: argparse.ArgumentParser) -> None:
    """Say what can follow the command."""
    common.add_boards(parser)
    parser.add_argument("--why", action="store_true", help="print the reasoning")


def check(
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
    why: bool,
) -> int:
    """Answer every board; return the exit code."""
    lang = terminal.language(lang, as_json=json)
    questions = Questions(puzzle, goal, to)
    found = common.items(boards, files, questions.board, form, repeats=repeats)
    first = list(islice(found, 2))
    alone = len(first) == 1
    said: set[str] = set()

    def answer(item: Item) -> int:
        assert item.reading is not None
        try:
            question = questions.ask(item.reading)
            verdict = question.puzzle.verdict(question.start)
        except TaquinError as error:
            return complain(Item(item.index, item.source, item.line, error=error))
        if json:
            terminal.show_json(record(item, question, verdict, lang))
        else:
            terminal.notes(question, said)
            show(item, question, verdict, lang, why=why, alone=alone)
        return DONE if verdict.solvable else UNSOLVABLE

    def complain(item: Item) -> int:
        terminal.complain(item, json)
        return BAD

    return common.each(chain(first, found), answer, complain)


def show(
    item: Item, question: Question, verdict: Verdict, lang: str, *, why: bool, alone: bool
) -> None:
    """Print a verdict: a line in a batch, with its reason for a single board."""
    key, colour = ("yes", "good") if verdict.solvable else ("no", "bad")
    head = terminal.paint(say(f"verdict.{key}", lang), colour)
    print(head if alone else f"{item.label}: {head}", end="")
    if why:
        print()
        start, goal = terminal.draw(question.start), terminal.draw(question.puzzle.goal)
        if start:
            print("", *terminal.beside(start, goal), "", sep="\n")
        print(*terminal.indented(verdict.reasons(lang)), sep="\n")
        return
    print(f" {verdict.text(lang).removeprefix(say(f'verdict.{key}', lang)).strip()}" * alone)
    if not verdict.solvable:
        others = other_goals(verdict, lang)
        if others:
            print(others if alone else f"  {others}")


def other_goals(verdict: Verdict, lang: str) -> str:
    """Return the sentence that names the usual goals the board does reach; empty if none."""
    if not verdict.solvable_for:
        return ""
    return say("verdict.other", lang, goals=", ".join(verdict.solvable_for))


def record(item: Item, question: Question, verdict: Verdict, lang: str) -> dict[str, Any]:
    """Return the verdict as a JSON object; its keys are part of the contract."""
    return {
        **terminal.place(item),
        "board": question.puzzle.board.spec,
        "state": list(question.start.tiles),
        "goal": list(question.puzzle.goal.tiles),
        "solvable": verdict.solvable,
        "rule": verdict.rule,
        "parity": verdict.parity,
        "cycles": verdict.cycles,
        "inversions": verdict.inversions,
        "blank_distance": verdict.blank_distance,
        "blank_row": verdict.blank_row,
        "n_plus_k": verdict.n_plus_k,
        "solvable_for": list(verdict.solvable_for),
        "text": verdict.text(lang),
        "notes": list(question.notes),
    }
