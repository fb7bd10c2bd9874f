"""``taquin shuffle``: solvable boards, at random, of a given depth, or in graded packs."""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from taquin.cli import common, terminal
from taquin.cli.common import DONE
from taquin.cli.questions import Questions
from taquin.errors import Unsupported

if TYPE_CHECKING:
    import argparse

    from taquin.generate import Level
    from taquin.puzzle import Puzzle
    from taquin.state import State

HELP = """Deal solvable boards.

Every board that reaches the goal is equally likely, on boards of any kind; with a
depth, every board of that depth is. Boards of more than 12 cells far from the goal
are found by solving random ones, which takes its time: the cost is told first. Their
packs go, without --max, as far as boards are found without solving any."""
EXAMPLES = """\
  taquin shuffle
  taquin shuffle 3x3 --count 5 --seed 7
  taquin shuffle 4x4:blank-first --form box
  taquin shuffle 3x3 --depth 31
  taquin shuffle 4x3 --min 20 --max 25 --count 10
  taquin shuffle 3x3 --levels 10 --per-level 20 --seed 1 --csv
  taquin shuffle 10x10 --method walk --steps 200

JSON keys: index board state goal text seed method depth level.
CSV columns: index level depth board."""


METHODS = ("uniform", "walk")


@dataclass(frozen=True)
class Row:
    """A board that is dealt; depth and level are None where nobody asked for them."""

    state: State
    depth: int | None = None
    level: Level | None = None


def options(parser: argparse.ArgumentParser) -> None:
    """Say what can follow the command."""
    add = parser.add_argument
    add(
        "spec",
        nargs="?",
        metavar="SPEC",
        default="4x4",
        help="the puzzle: 4x4 (if not given), 3x3:spiral, 3x3x3 ...",
    )
    add("--puzzle", "--board", metavar="SPEC", help="the same")
    common.add_goal(parser)
    add("-n", "--count", type=common.natural, default=1, help="how many boards")
    add("--seed", type=int, help="the same seed gives the same boards")
    add(
        "--method",
        metavar="uniform|walk",
        default="uniform",
        help="uniform: every solvable board alike; walk: random moves from the goal",
    )
    add(
        "--steps",
        type=common.natural,
        default=1000,
        metavar="N",
        help="the moves of a walk, none straight back (1000)",
    )
    depths = "only boards"
    add("--depth", type=common.natural, metavar="N", help=f"{depths} exactly N moves from the goal")
    add("--min", type=common.natural, metavar="N", dest="low", help=f"{depths} at least so far")
    add("--max", type=common.natural, metavar="N", dest="high", help=f"{depths} at most so far")
    add("--levels", type=common.natural, metavar="N", help="a pack of N levels, easy to hard")
    add("--per-level", type=common.natural, metavar="N", default=10, help="boards in a level (10)")
    add(
        "--time",
        metavar="TIME",
        dest="limit",
        help="a limit for finding boards, all levels in all: 10s, 2m",
    )
    add("--form", metavar="NAME", default="slash", help="the written form of the boards")
    add("--csv", action="store_true", help="a table: index, level, depth, board")
    common.add_json(parser)


def shuffle(
    spec: str,
    puzzle: str | None,
    goal: str | None,
    count: int,
    seed: int | None,
    method: str,
    steps: int,
    depth: int | None,
    low: int | None,
    high: int | None,
    levels: int | None,
    per_level: int,
    limit: str | None,
    form: str,
    *,
    csv: bool,
    json: bool,
) -> int:
    """Print random boards; return the exit code."""
    chosen = Questions(spec if puzzle is None else puzzle, goal, None).puzzle
    assert chosen is not None  # the text of one was given
    bounds = (low, high) if depth is None else (depth, depth)
    if depth is not None and (low, high) != (None, None):
        raise Unsupported("--depth is --min and --max in one: give one or the others")
    if json and csv:
        raise Unsupported("--json and --csv are two forms of one answer: give one of them")
    if (bounds != (None, None) or levels is not None) and method != "uniform":
        raise Unsupported(
            "--depth, --min, --max, --levels deal all boards of a depth alike: leave out --method"
        )
    if method not in METHODS:
        raise Unsupported(f"no method {method[:40]!r}: expected {' or '.join(METHODS)}")
    seconds = common.duration(limit)
    common.check_form(form)
    chosen.goal.text(form)  # a form that this board does not have is reported before the work
    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
        if sys.stderr.isatty():
            terminal.note(f"seed {seed}")
    rng = random.Random(seed)
    if levels is not None:
        rows = graded(chosen, levels, per_level, bounds, rng, seconds)
    elif bounds != (None, None):
        rows = at_depth(chosen, bounds, count, rng, seconds)
    else:
        rows = (Row(chosen.random(rng, method=method, steps=steps)) for _ in range(count))
    if csv:
        return _show_csv(rows, form)
    level = None
    for index, row in enumerate(rows, start=1):
        if row.level is not level and not json:
            print(heading(row.level))
        level = row.level
        if json:
            terminal.show_json(_record(chosen, row, form, index, seed=seed, method=method))
        else:
            print(row.state.text(form))
    return DONE


def at_depth(
    puzzle: Puzzle,
    bounds: tuple[int | None, int | None],
    count: int,
    rng: random.Random,
    seconds: float | None,
) -> Iterator[Row]:
    """Yield boards between two depths, of which one may be left open."""
    from taquin.generate import deal, greatest_depth

    low, high = bounds
    if high is None:
        high = max(greatest_depth(puzzle), low or 0)
    dealt = deal(
        puzzle, low or 0, high, count=count, rng=rng, time_limit=seconds, told=terminal.note
    )
    for one in dealt:
        yield Row(one.state, one.depth)


def graded(
    puzzle: Puzzle,
    levels: int,
    per_level: int,
    bounds: tuple[int | None, int | None],
    rng: random.Random,
    seconds: float | None,
) -> Iterator[Row]:
    """Yield the boards of a pack."""
    from taquin.generate import pack

    low, high = bounds
    dealt = pack(
        puzzle,
        levels,
        per_level,
        low=low,
        high=high,
        rng=rng,
        time_limit=seconds,
        told=terminal.note,
    )
    for level in dealt:
        for board in level.boards:
            yield Row(board.state, board.depth, level)


def heading(level: Level | None) -> str:
    """Return the line above the boards of a level: a comment, which readers of boards skip."""
    assert level is not None  # levels follow each other to the end
    depths = f"depth {level.low}" if level.low == level.high else f"depths {level.low}-{level.high}"
    return f"# level {level.number}: {depths}"


def _number(row: Row) -> int | None:
    return None if row.level is None else row.level.number


def _show_csv(rows: Iterator[Row], form: str) -> int:
    first = list(islice(rows, 1))  # what is wrong with the wishes comes before the heading
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["index", "level", "depth", "board"])
    for index, row in enumerate(chain(first, rows), start=1):
        table.writerow([index, _number(row), row.depth, row.state.text(form)])
    return DONE


def _record(
    puzzle: Puzzle, row: Row, form: str, index: int, *, seed: int, method: str
) -> dict[str, Any]:
    return {
        "index": index,
        "board": puzzle.board.spec,
        "state": list(row.state.tiles),
        "goal": list(puzzle.goal.tiles),
        "text": row.state.text(form),
        "seed": seed,
        "method": method,
        "depth": row.depth,
        "level": _number(row),
    }
