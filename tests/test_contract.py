"""The public contract, line by line: names, signatures, what comes back, what is raised."""

from __future__ import annotations

import inspect
import subprocess
import sys

import numpy as np
import pytest

import taquin as tq
from taquin import errors


def eight() -> tuple[tq.Puzzle, tq.State]:
    puzzle = tq.Puzzle(tq.Board.grid(3, 3))
    return puzzle, puzzle.state("1 2 3 / 4 5 6 / 0 7 8")


# -- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "Puzzle", "Board", "State", "Verdict", "Solution", "solvable_many", "TaquinError",
        "ParseError", "InvalidState", "InvalidBoard", "IllegalMove", "Unsolvable", "LimitReached",
        "TableError",
    ],
)  # fmt: skip
def test_the_package_offers(name: str) -> None:
    assert hasattr(tq, name)
    assert name in dir(tq)


def test_every_error_is_a_taquin_error_and_input_errors_are_value_errors() -> None:
    for name in ("ParseError", "InvalidState", "InvalidBoard", "IllegalMove"):
        assert issubclass(getattr(errors, name), errors.TaquinError)
        assert issubclass(getattr(errors, name), ValueError)
    for name in ("Unsolvable", "LimitReached", "TableError"):
        assert issubclass(getattr(errors, name), errors.TaquinError)
    assert not issubclass(errors.LimitReached, errors.Unsolvable)
    assert not issubclass(errors.Unsolvable, errors.LimitReached)


def test_every_parameter_of_the_contract_is_taken() -> None:
    puzzle, state = eight()
    solution = puzzle.solve(
        state,
        to=None,
        method="auto",
        strong=False,
        bound=1.0,
        time_limit=None,
        memory_limit=None,
        workers=None,
        progress=None,
    )
    assert solution.moves == "RR"
    same = {"method": "auto", "bound": 1.0, "time_limit": 60.0, "workers": 1}
    assert [s.length for s in puzzle.solve_many([state, state], **same)] == [2, 2]
    assert puzzle.solve_all(state, limit=None).count == 1
    assert puzzle.verdict(state, to=None).solvable
    assert puzzle.solvable(state, to=None)
    assert puzzle.solvable(puzzle.random(rng=None, depth=None, method="uniform"))
    assert puzzle.distance(puzzle.random(rng=1, depth=5)) == 5


@pytest.mark.parametrize(
    "name",
    ["neighbours", "apply", "distance", "solve_many", "canonical", "up", "down", "left", "right"],
)
def test_methods(name: str) -> None:
    assert callable(getattr(tq.Puzzle, name))


def test_importing_taquin_imports_neither_numba_nor_numpy() -> None:
    """So that ``taquin --help`` and ``check`` answer at once; a small verdict needs neither."""
    code = (
        "import sys, taquin as tq\n"
        "p = tq.Puzzle(tq.Board.grid(3, 3))\n"
        "assert p.verdict(p.state('1 2 3 4 5 6 7 8 0')).solvable\n"
        "print([m for m in ('numpy', 'numba') if m in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


# -- the example of the design, statement by statement -----------------------------------------


def test_puzzle_of_a_board() -> None:
    puzzle, state = eight()
    assert puzzle.goal.tiles == (1, 2, 3, 4, 5, 6, 7, 8, 0)
    assert puzzle.board == tq.Board.grid(3, 3)
    assert puzzle.metric == "stm"
    assert puzzle.spec == "3x3"
    assert state == tq.State((1, 2, 3, 4, 5, 6, 0, 7, 8), tq.Board.grid(3, 3))


def test_verdict_and_solvable() -> None:
    puzzle, state = eight()
    verdict = puzzle.verdict(state)
    assert isinstance(verdict, tq.Verdict)
    assert verdict.solvable is True
    assert puzzle.solvable(state) is True
    assert verdict.inversions == 0
    assert verdict.blank_distance == 2
    assert verdict.parity == 0
    assert isinstance(verdict.rule, str)
    assert isinstance(verdict.text("en"), str)
    assert "blank-last" in verdict.solvable_for
    swapped = puzzle.state("2 1 3 / 4 5 6 / 0 7 8")
    assert puzzle.verdict(swapped).solvable is False
    assert puzzle.solvable(swapped) is False
    assert puzzle.solvable(swapped, to="2 1 3 / 4 5 6 / 7 8 0") is True
    assert puzzle.verdict(swapped, to=state).solvable is False


def test_neighbours_apply_distance() -> None:
    puzzle, state = eight()
    assert [(letter, s.tiles) for letter, s in puzzle.neighbours(state)] == [
        ("U", (1, 2, 3, 0, 5, 6, 4, 7, 8)),
        ("R", (1, 2, 3, 4, 5, 6, 7, 0, 8)),
    ]
    assert puzzle.apply(state, "RR") == puzzle.goal
    assert puzzle.distance(state) == 2


def test_solve() -> None:
    puzzle, state = eight()
    solution = puzzle.solve(state)
    assert isinstance(solution, tq.Solution)
    assert solution.moves == "RR"
    assert solution.length == 2
    assert solution.lower_bound == 2
    assert solution.optimal is True
    assert solution.status == "optimal"
    assert [s.tiles for s in solution.states()] == [
        (1, 2, 3, 4, 5, 6, 0, 7, 8),
        (1, 2, 3, 4, 5, 6, 7, 0, 8),
        (1, 2, 3, 4, 5, 6, 7, 8, 0),
    ]
    assert solution.text("tile").replace(" ", "") == "LL"
    assert solution.text("tiles").split() == ["7", "8"]
    for name in ("method", "expanded", "generated", "seconds", "bytes", "heuristic"):
        assert hasattr(solution.stats, name)
    assert solution.stats.seconds >= 0
    assert solution.stats.method


def test_solve_many_keeps_the_order() -> None:
    puzzle, state = eight()
    states = [state, puzzle.goal, puzzle.apply(state, "U")]
    solutions = puzzle.solve_many(states)
    assert iter(solutions) is not None
    assert [s.length for s in solutions] == [2, 0, 3]


def test_solve_all() -> None:
    puzzle, state = eight()
    answer = puzzle.solve_all(state)
    assert answer.count == 1


def test_random() -> None:
    puzzle, _ = eight()
    assert puzzle.solvable(puzzle.random())
    assert puzzle.random(7) == puzzle.random(7)
    assert puzzle.solvable(puzzle.random(3, method="walk"))


def test_many_boards_in_one_pass() -> None:
    puzzle, state = eight()
    array = np.array([state.tiles, (2, 1, 3, 4, 5, 6, 7, 8, 0)])
    answer = tq.solvable_many(array, puzzle.board, puzzle.goal)
    assert answer.dtype == np.bool_
    assert answer.tolist() == [True, False]


def test_rule_2_states_and_boards_read_back() -> None:
    puzzle, state = eight()
    assert tq.State.parse(str(state)) == state
    namespace = {"Board": tq.Board, "State": tq.State}
    assert eval(repr(state), namespace) == state
    assert eval(repr(puzzle.board), namespace) == puzzle.board


def test_the_docstrings_of_public_names_are_there() -> None:
    bare = [
        f"{owner.__name__}.{name}"
        for owner in (tq.Puzzle, tq.Board, tq.State, tq.Solution, tq.Verdict)
        for name, member in vars(owner).items()
        if not name.startswith("_")
        and (inspect.isfunction(member) or isinstance(member, (property, classmethod)))
        and not inspect.getdoc(getattr(owner, name))
    ]
    assert bare == []
