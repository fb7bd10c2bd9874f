"""The page's own rules of moving and of solvability, compared with the library."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from taquin import Puzzle
from taquin.goals import usual_goals
from taquin.notation import moves_length, read_moves

SPECS = ("2x2", "2x3", "3x2", "3x3", "4x4", "5x3", "2x2x2", "3x3x3", "2x3x4")
TORI = ("2x2:torus", "3x3:torus", "4x4:torus", "2x5:torus", "4x6:torus", "3x3x3:torus")


@pytest.fixture(scope="module")
def page(chromium: Browser, url: str) -> Iterator[Page]:
    """One page for all tests: its modules keep nothing."""
    page = chromium.new_page()
    page.goto(url)
    yield page
    page.close()


def ask(page: Page, body: str, argument: object) -> Any:
    return page.evaluate(
        f"async (x) => {{ const m = await import('/static/model.js'); {body} }}", argument
    )


def test_moves_of_every_cell(page: Page) -> None:
    for spec in SPECS + TORI:
        board = Puzzle.parse(spec).board
        got = ask(
            page,
            "const { grid } = m.parsePuzzle(x);"
            "return [...Array(grid.n).keys()].map((cell) => grid.neighbours(cell))",
            spec,
        )
        assert got == [[list(move) for move in board.moves(cell)] for cell in range(board.n)], spec


def test_the_usual_goals(page: Page) -> None:
    for spec in SPECS:
        board = Puzzle.parse(spec).board
        got = ask(
            page,
            "const { grid } = m.parsePuzzle(x);"
            "return m.goalNames(grid).map((name) => [name, m.namedGoal(grid, name)])",
            spec,
        )
        goals = {name: list(goal.tiles) for name, goal in usual_goals(board).items()}
        assert {name: tiles for name, tiles in got if name in goals} == goals


@pytest.mark.parametrize("goal", ["blank-last", "blank-first", "spiral", "columns"])
def test_what_is_solvable(page: Page, goal: str) -> None:
    draw = random.Random(3)
    for spec in SPECS + TORI:
        if goal == "spiral" and spec.count("x") > 1:
            continue
        puzzle = Puzzle.parse(f"{spec}:{goal}")
        boards = [draw.sample(range(puzzle.board.n), puzzle.board.n) for _ in range(60)]
        got = ask(
            page,
            "const { grid, goal } = m.parsePuzzle(x.spec);"
            "return x.boards.map((tiles) => m.solvable(grid, tiles, goal))",
            {"spec": puzzle.spec, "boards": boards},
        )
        assert got == [puzzle.solvable(board) for board in boards], puzzle.spec


def test_shuffles_are_solvable_and_reach_everything(page: Page) -> None:
    for spec in ("2x2", "2x2:torus", "3x3", "4x4:snake", "3x3:torus", "2x2x2", "10x10"):
        puzzle = Puzzle.parse(spec)
        boards = ask(
            page,
            "const { grid, goal } = m.parsePuzzle(x);"
            "return [...Array(200).keys()].map((seed) => m.shuffled(grid, goal, seed))",
            spec,
        )
        for board in boards:
            assert puzzle.solvable(board)
            assert tuple(board) != puzzle.goal.tiles
        if spec == "2x2":
            assert len({tuple(board) for board in boards}) == 11


def test_a_seed_gives_the_same_board(page: Page) -> None:
    body = "const { grid, goal } = m.parsePuzzle('4x4');"
    body += "return x.map((seed) => m.shuffled(grid, goal, seed))"
    first, again, other = ask(page, body, [7, 7, 8])
    assert first == again != other


@pytest.mark.parametrize("spec", ["4x4", "3x3x3", "4x4:torus"])
def test_walks_and_both_metrics(page: Page, spec: str) -> None:
    puzzle = Puzzle.parse(spec)
    start = puzzle.random(5)
    draw, letters, state = random.Random(1), "", start
    for _ in range(60):
        letter, state = draw.choice(puzzle.neighbours(state))
        letters += letter
    walk = read_moves(letters, start)
    got = ask(
        page,
        "const { grid } = m.parsePuzzle(x.spec); const blank = x.tiles.indexOf(0);"
        "const walk = m.walkOf(grid, blank, x.letters);"
        "return {walk, tiles: m.walked(x.tiles, walk), letters: m.lettersOf(grid, blank, walk),"
        " lines: m.lineMoves(x.letters)}",
        {"spec": spec, "tiles": start.tiles, "letters": letters},
    )
    assert got == {
        "walk": list(walk),
        "tiles": list(state.tiles),
        "letters": letters,
        "lines": moves_length(start, walk, "mtm"),
    }


def test_inversions_are_those_of_the_verdict(page: Page) -> None:
    for spec in ("3x3", "4x4:snake", "3x4:blank-first", "2x2x2"):
        puzzle = Puzzle.parse(spec)
        state = puzzle.random(11)
        got = ask(
            page,
            "return m.inversionPairs(x.tiles, m.parsePuzzle(x.spec).goal).length",
            {"spec": spec, "tiles": state.tiles},
        )
        assert got == puzzle.verdict(state).inversions


def test_a_puzzle_and_its_text(page: Page) -> None:
    specs = ("3x3", "4x4:torus:snake:mtm", "3x5:mtm", "2x2:2 1 3 0", "3x3x3:blank-first")
    got = ask(page, "return x.map((spec) => m.parsePuzzle(spec).spec)", specs)
    assert got == [Puzzle.parse(spec).spec for spec in specs]
    odd = ("walls:..#", "4x4:nothing", "4", "x", "", "3x3:snake:spiral", "3x3:1 2 3")
    assert ask(page, "return x.map((spec) => m.parsePuzzle(spec))", odd) == [None] * len(odd)
