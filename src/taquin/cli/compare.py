"""``taquin compare``: the textbook algorithms side by side on one board."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from taquin.cli import common, terminal
from taquin.cli.common import BAD, DONE, LIMIT
from taquin.cli.questions import Questions, one_question, require_solvable

if TYPE_CHECKING:
    import argparse

    from taquin.search.compare import Row

HELP = """Solve a board with the algorithms of the textbook and show what each of them costs.

expanded: states whose moves were looked at; generated: states made by moves; stored:
states held at the same time, at most. An algorithm that reaches a limit says so; that
does not mean there is no solution."""
EXAMPLES = """\
  taquin compare "8 1 3 / 4 0 2 / 7 6 5"
  taquin compare "8 1 3 / 4 0 2 / 7 6 5" --methods bfs,astar,idastar
  taquin compare "8 6 7 / 2 5 4 / 3 0 1" --heuristic linear-conflict --time 60s
  taquin compare "8 1 3 / 4 0 2 / 7 6 5" --json

JSON keys, a line an algorithm: method length optimal lower_bound expanded generated
stored seconds moves limit error."""

HEADS = ("method", "moves", "", "expanded", "generated", "stored", "seconds")
#: Columns of a bar.
BAR = 24


def options(parser: argparse.ArgumentParser) -> None:
    """Say what can follow the command."""
    common.add_boards(parser)
    add = parser.add_argument
    add("--methods", metavar="A,B", help="these algorithms; all of them if not given")
    add("--heuristic", metavar="NAME", default="manhattan", help="for those that take one")
    add("--metric", choices=("stm", "mtm"), default="stm", help="what a move is")
    add("--time", metavar="TIME", dest="limit", default="20s", help="for each algorithm (20s)")
    add(
        "--nodes",
        metavar="N",
        type=common.natural,
        default=2_000_000,
        help="states that each may generate (2,000,000)",
    )


def compare(
    boards: list[str],
    files: list[str],
    puzzle: str | None,
    goal: str | None,
    to: str | None,
    form: str | None,
    lang: str,
    methods: str | None,
    heuristic: str,
    metric: str,
    limit: str,
    nodes: int,
    *,
    repeats: bool,
    json: bool,
) -> int:
    """Print a line an algorithm; return the exit code."""
    from taquin.heuristics import heuristic as known_heuristic
    from taquin.search import compare as room

    terminal.language(lang, as_json=json)
    questions = Questions(puzzle, goal, to, metric)
    question = one_question(boards, files, questions, form, repeats=repeats)
    terminal.notes(question, set())
    require_solvable(question)
    known_heuristic(heuristic, question.puzzle.goal, metric)  # what is wrong with it comes first
    seconds = common.duration(limit)
    assert seconds is not None
    rows = room.compare(
        question.start,
        question.puzzle.goal,
        methods.split(",") if methods else None,
        heuristic=heuristic,
        metric=metric,
        node_limit=nodes,
        time_limit=seconds,
    )
    seen: list[Row] = []
    for row in rows:
        if json:
            terminal.show_json(record(row))
        else:
            if not seen:
                print(line(*HEADS))
            print(told(row), flush=True)
        seen.append(row)
    if not json:
        print(*bars(seen), sep="\n")
    codes = [LIMIT if row.limit else BAD if row.error else DONE for row in seen]
    return common.worst(codes)


def line(*cells: object) -> str:
    """Put cells into columns."""
    name, moves, optimal, *numbers = map(str, cells)
    return f"{name:<15} {moves:>6} {optimal:<8}" + "".join(f"{number:>12}" for number in numbers)


def told(row: Row) -> str:
    """Return the line of an algorithm."""
    if row.error:
        return f"{row.method:<15} {row.error}"
    stats = row.stats
    numbers = (f"{stats.expanded:,}", f"{stats.generated:,}", f"{stats.stored:,}")
    moves, kind = f">={row.lower_bound}", "limit"
    if row.solution is not None:
        moves, kind = str(row.solution.length), "optimal" if row.solution.optimal else ""
    return line(row.method, moves, kind, *numbers, f"{stats.seconds:.3f}")


def bars(rows: list[Row]) -> list[str]:
    """Draw how many states each algorithm generated, on a scale of powers of ten."""
    from math import log10

    begun = [row for row in rows if not row.error]
    if not begun:
        return []
    mark = "█" if terminal.has_unicode(sys.stdout) else "#"
    most = max(log10(row.stats.generated + 1) for row in begun) or 1.0
    lines = ["", "generated, each step of the same length ten times as many"]
    for row in begun:
        length = round(BAR * log10(row.stats.generated + 1) / most)
        open_end = " ..." if row.limit else ""
        lines.append(f"{row.method:<15} {mark * max(1, length)}{open_end}")
    return lines


def record(row: Row) -> dict[str, Any]:
    """Return a row as a JSON object; its keys are part of the contract."""
    solution = row.solution
    return {
        "method": row.method,
        "length": None if solution is None else solution.length,
        "optimal": solution is not None and solution.optimal,
        "lower_bound": row.lower_bound,
        "expanded": row.stats.expanded,
        "generated": row.stats.generated,
        "stored": row.stats.stored,
        "seconds": row.stats.seconds,
        "moves": None if solution is None else solution.moves,
        "limit": row.limit or None,
        "error": row.error or None,
    }
