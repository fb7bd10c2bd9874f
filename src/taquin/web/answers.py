"""What the page's questions are answered with: plain functions from JSON to JSON.

The first group answers at once; the second works, in a process of its own (`taquin.web.jobs`), and
tells messages meanwhile: ``{"progress": ...}``, ``{"better": ...}``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from time import monotonic
from typing import Any

from taquin.errors import Unsolvable, Unsupported
from taquin.notation import FORMS, read, read_moves, write, write_moves
from taquin.puzzle import Puzzle
from taquin.search.result import Solution
from taquin.state import State

Json = dict[str, Any]
Tell = Callable[[Json], object]
#: Cells of boards that are checked, and of boards that are searched.
CHECKED, SEARCHED = 10_000, 100
#: Pairs of tiles out of order that are listed.
PAIRS = 200
#: Seconds that a solution may take at most; solutions listed at most.
SECONDS, LISTED = 60.0, 1000
#: Seconds between two lines of progress.
TOLD = 0.2
NOTATIONS = ("blank", "tile", "tiles", "cells", "words", "rle")
#: Boards of more cells have no depth known at once.
WITH_DEPTH = 9


def question(board: Any, puzzle: str | None, most: int = SEARCHED) -> tuple[Puzzle, State]:
    """Return the puzzle and the state that a board and the text of a puzzle mean.

    Raises
    ------
    Unsupported
        If the board is too large to be answered here.
    """
    text = board if isinstance(board, str) else " ".join(map(str, board))
    if puzzle:
        chosen = Puzzle.parse(puzzle)
        _require_small(chosen.board.n, most)
        return chosen, chosen.state(text)
    reading = read(text)
    _require_small(reading.state.board.n, most)
    return Puzzle(reading.state.board, reading.goal or "blank-last"), reading.state


def _chosen(puzzle: str, most: int = SEARCHED) -> Puzzle:
    chosen = Puzzle.parse(puzzle)
    _require_small(chosen.board.n, most)
    return chosen


def _require_small(n: int, most: int) -> None:
    if n > most:
        raise Unsupported(
            f"a board of {n:,} cells is too large for this page: at most {most:,}; the command"
            " taquin takes larger ones"
        )


# -- at once --------------------------------------------------------------------------------------


def read_board(text: str, puzzle: str | None = None) -> Json:
    """Read a board in any written form."""
    chosen = _chosen(puzzle, CHECKED) if puzzle else None
    reading = read(text, chosen.board if chosen else None)
    state = reading.state
    _require_small(state.board.n, CHECKED)
    whole = chosen or Puzzle(state.board, reading.goal or "blank-last")
    return {
        "puzzle": whole.spec,
        "tiles": list(state.tiles),
        "shape": list(state.board.shape) if state.board.shape else None,
        "notes": list(reading.notes),
        "form": str(reading.form),
        "texts": {
            name: write(state, name) for name, form in FORMS.items() if form.expresses(state)
        },
        "goal": list(reading.goal.tiles) if reading.goal else None,
    }


def check(board: Any, puzzle: str | None = None, to: Any = None, lang: str = "en") -> Json:
    """Say whether a board can be solved, and why."""
    from taquin.solvability import homes

    chosen, state = question(board, puzzle, CHECKED)
    verdict = chosen.verdict(state, to)
    order = homes(state, verdict.goal) if state.board.n <= SEARCHED else None
    return {
        "puzzle": chosen.spec,
        "tiles": list(state.tiles),
        "goal": list(verdict.goal.tiles),
        "solvable": verdict.solvable,
        "rule": verdict.rule,
        "text": verdict.text(lang),
        "reasons": verdict.reasons(lang),
        "inversions": verdict.inversions,
        "inversion_pairs": None if order is None else _pairs(order, state.blank),
        "cycles": verdict.cycles,
        "parity": verdict.parity,
        "blank_distance": verdict.blank_distance,
        "blank_walk": list(state.board.path(state.blank, verdict.goal.blank)),
        "solvable_for": list(verdict.solvable_for),
    }


def _pairs(order: Any, blank: int) -> list[list[int]]:
    """The first pairs of cells whose tiles are out of order."""
    cells = [cell for cell in range(len(order)) if cell != blank]
    found: list[list[int]] = []
    for k, one in enumerate(cells):
        found += [[one, other] for other in cells[k + 1 :] if order[one] > order[other]]
        if len(found) > PAIRS:
            break
    return found[:PAIRS]


def moves(puzzle: str, board: Any, moves: str, to: str, given: str = "blank") -> Json:
    """Write moves in another notation."""
    _, state = question(board, puzzle, CHECKED)
    return {"text": write_moves(state, read_moves(moves, state, given), to)}


# -- work -----------------------------------------------------------------------------------------


def shuffle(
    _: Tell,
    puzzle: str,
    seed: int | None = None,
    depth: int | None = None,
    low: int | None = None,
    high: int | None = None,
) -> Json:
    """Deal a board, of a depth or between two if that is asked for."""
    chosen = _chosen(puzzle)
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    if depth is not None:
        low = high = depth
    if low is None and high is None:
        state = chosen.random(seed)
        known = chosen.distance(state) if chosen.board.n <= WITH_DEPTH else None
    else:
        from taquin.generate import deal, greatest_depth

        high = max(greatest_depth(chosen), low or 0) if high is None else high
        (dealt,) = deal(chosen, low or 0, high, count=1, rng=seed, time_limit=SECONDS / 6)
        state, known = dealt.state, dealt.depth
    return {"boards": [{"tiles": list(state.tiles), "depth": known}], "seed": seed}


def hint(_: Tell, puzzle: str, board: Any) -> Json:
    """Return the moves of a short solution from here."""
    solution = _from_here(puzzle, board)
    return {
        "moves": solution.moves,
        "length": solution.length,
        "optimal": solution.optimal,
        "lower_bound": solution.lower_bound,
    }


def distance(_: Tell, puzzle: str, board: Any) -> Json:
    """Return the distance from the goal where it is known at once, else between what it lies."""
    solution = _from_here(puzzle, board)
    return {
        "exact": solution.optimal,
        "distance": solution.length if solution.optimal else None,
        "lower_bound": solution.lower_bound,
        "upper_bound": solution.length,
    }


def _from_here(puzzle: str, board: Any) -> Solution:
    chosen, state = question(board, puzzle)
    return chosen.hint(state)


class _Outbox:
    """What a search calls with its progress and its better solutions; not too often."""

    def __init__(self, tell: Tell) -> None:
        self.tell, self._last = tell, 0.0

    def progress(self, *numbers: Any) -> None:
        if monotonic() - self._last >= TOLD:
            self._last = monotonic()
            self.tell({"progress": {"numbers": [float(number) for number in numbers]}})

    def better(self, solution: Solution) -> None:
        self.tell({"better": packed(solution)})


def solve(
    tell: Tell,
    board: Any,
    puzzle: str | None = None,
    to: Any = None,
    metric: str | None = None,
    quality: str | None = None,
    time_limit: float | None = None,
    every: bool = False,
) -> Json:
    """Solve a board; `tell` takes what there is to be said meanwhile.

    Raises
    ------
    LimitReached
        With the best solution known.
    """
    chosen, state = question(board, puzzle)
    if metric:
        chosen = Puzzle(chosen.board, chosen.goal, metric)
    verdict = chosen.verdict(state, to)
    if not verdict.solvable:
        raise Unsolvable(verdict.text(), verdict)
    if every:
        found = chosen.solve_all(state, to=to, limit=LISTED, time_limit=SECONDS)
        return {"count": found.count, "solutions": [one.moves for one in found]}
    outbox = _Outbox(tell)
    solution = chosen.solve(
        state,
        to=to,
        quality=quality,
        time_limit=None if quality else min(time_limit or SECONDS, SECONDS),
        workers=1,
        progress=outbox.progress,
        tell=outbox.better,
    )
    return packed(solution)


def packed(solution: Solution) -> Json:
    """Return a solution as JSON."""
    stats = solution.stats
    return {
        "moves": solution.moves,
        "length": solution.length,
        "lower_bound": solution.lower_bound,
        "optimal": solution.optimal,
        "status": solution.status,
        "seconds": stats.seconds,
        "method": stats.method,
        "expanded": stats.expanded,
        "generated": stats.generated,
        "texts": {name: solution.text(name) for name in NOTATIONS},
    }


#: What a worker can be asked for.
WORK: dict[str, Callable[..., Json]] = {
    "shuffle": shuffle,
    "hint": hint,
    "distance": distance,
    "solve": solve,
}
