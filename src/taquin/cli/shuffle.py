"""``taquin shuffle``: solvable boards, at random."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

from taquin.cli import common, terminal
from taquin.cli.common import DONE, Questions
from taquin.errors import Unsupported

if TYPE_CHECKING:
    import argparse

    from taquin.puzzle import Puzzle
    from taquin.state import State

HELP = """Deal solvable boards.

Every board that reaches the goal is equally likely, on boards of any kind. Boards
at an exact depth are there for up to nine cells, and up to 15 moves on larger ones."""
EXAMPLES = """\
  taquin shuffle
  taquin shuffle 3x3 --count 5 --seed 7
  taquin shuffle 4x4:blank-first --form box
  taquin shuffle 3x3 --depth 31
  taquin shuffle 10x10 --method walk --steps 200

JSON keys: index board state goal text seed method depth."""

#: All states at a depth are listed on boards of up to so many cells,
SMALL = 9
#: and up to so many moves from the goal on larger ones.
NEAR = 15


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
    add(
        "--depth",
        type=common.natural,
        metavar="N",
        help="only boards exactly so many moves from the goal",
    )
    add("--form", metavar="NAME", default="slash", help="the written form of the boards")
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
    form: str,
    *,
    json: bool,
) -> int:
    """Print random boards; return the exit code."""
    chosen = Questions(puzzle or spec, goal, None).puzzle
    assert chosen is not None  # the text of one was given
    if depth is not None and method != "uniform":
        raise Unsupported("--depth deals every board of that depth alike: leave out --method")
    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
        if sys.stderr.isatty():
            terminal.note(f"seed {seed}")
    rng = random.Random(seed)
    same_depth = None if depth is None else _at_depth(chosen, depth)
    for index in range(1, count + 1):
        if same_depth is None:
            state = chosen.random(rng, method=method, steps=steps)
        else:
            state = rng.choice(same_depth)
        if not json:
            print(state.text(form))
            continue
        terminal.show_json(
            {
                "index": index,
                "board": chosen.board.spec,
                "state": list(state.tiles),
                "goal": list(chosen.goal.tiles),
                "text": state.text(form),
                "seed": seed,
                "method": method,
                "depth": depth,
            }
        )
    return DONE


def _at_depth(puzzle: Puzzle, depth: int) -> list[State]:
    """Return every state at a depth, where that is quickly done."""
    from taquin.search.layers import layer

    if puzzle.board.n > SMALL and depth > NEAR:
        raise Unsupported(
            f"boards at depth {depth} are not available yet for {puzzle.board.spec}: up to {NEAR}"
            f" moves on boards of more than {SMALL} cells"
        )
    return layer(puzzle.goal, depth, puzzle.metric)
