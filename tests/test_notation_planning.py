"""PDDL problems in their dialects, and ASP atoms."""

from __future__ import annotations

import pytest

from taquin.board import Board
from taquin.errors import ParseError, TaquinError
from taquin.notation import read, write
from taquin.state import State

AIMA = (7, 2, 4, 5, 0, 6, 8, 3, 1)  # Russell & Norvig, the start of the 8-puzzle
GAP_FIRST = (0, 1, 2, 3, 4, 5, 6, 7, 8)


def problem(init: str, goal: str, head: str = "") -> str:
    return f"; a comment\n(define (problem p)\n {head}(:init {init})\n (:goal (and {goal}))\n)\n"


def atoms(tiles: tuple[int, ...], tile: str, blank: str, place: str, gap: bool = True) -> str:
    """Put tiles of a 3x3 board at places; `place` has {r}, {c} and {s} from 1."""
    text = []
    for cell, label in enumerate(tiles):
        name = place.format(r=cell // 3 + 1, c=cell % 3 + 1, s=cell + 1)
        if label:
            text.append(f"({tile}{label} {name})")
        elif gap:
            text.append(f"({blank} {name})")
    return " ".join(text)


DIALECTS = {
    "columns": ("at t", "blank", "p{c} p{r}", "(tile t1) (position p1) (inc p1 p2) (dec p2 p1)"),
    "cells": ("at t_", "empty", "p_{r}_{c}", "(goal_like x)"),
    "rows": ("tile-at tile", "is-blank", "row{r} col{c}", "(NEXT-ROW row1 row2) (IS-ROW row1)"),
    "slots": ("at t", "empty", "s{s}", "(slot s1)"),
    "two digits": ("at tile", "empty", "p{r}{c}", ""),
    "dashes": ("at t", "blank", "pos-{r}-{c}", ""),
    "x and y": ("at t_", "blank", "p_x_{c} p_y_{r}", "(inc p_x_1 p_x_2)"),
    "blank as a tile": ("at t", "at blank", "c_{r}_{c}", "(empty c_2_2)"),
    "upper case": ("AT T", "EMPTY", "S{s}", ""),
}


def grid_edges(place: str, name: str) -> str:
    """Write the edges of a 3x3 grid, in both directions."""
    said = []
    for a, b in Board.grid(3, 3).edges():
        one, other = (place.format(r=x // 3 + 1, c=x % 3 + 1, s=x + 1) for x in (a, b))
        said.append(f"({name} {one} {other}) ({name} {other} {one})")
    return " ".join(said)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dialects(dialect: str) -> None:
    tile, blank, place, facts = DIALECTS[dialect]
    start = atoms(AIMA, tile, blank, place)
    reading = read(problem(f"{start} {facts}", atoms(GAP_FIRST, tile, blank, place)))
    board = Board.grid(3, 3)
    assert reading.form == "pddl"
    assert (reading.state, reading.goal) == (State(AIMA, board), State(GAP_FIRST, board))
    open_gap = read(problem(f"{start} {facts}", atoms(GAP_FIRST, tile, blank, place, gap=False)))
    assert open_gap.goal == reading.goal


@pytest.mark.parametrize("place", ["s{s}", "p_{r}_{c}"])
def test_edges_make_the_board(place: str) -> None:
    start, goal = (atoms(tiles, "at t", "empty", place) for tiles in (AIMA, GAP_FIRST))
    whole = grid_edges(place, "adj")
    assert read(problem(f"{start} {whole}", goal)).state == State(AIMA, Board.grid(3, 3))
    ring = whole + " ({} {} {})".format(
        "adj", place.format(r=1, c=1, s=1), place.format(r=3, c=3, s=9)
    )
    edges = [*Board.grid(3, 3).edges(), (0, 8)]
    assert read(problem(f"{start} {ring}", goal)).state == State(AIMA, Board.from_edges(edges))


def test_the_blank_may_be_the_free_place() -> None:
    start = atoms(AIMA, "at t", "empty", "s{s}", gap=False)
    text = problem(f"{start} {grid_edges('s{s}', 'adj')}", "(at t1 s1)")
    reading = read(text)
    assert reading.state == State(AIMA, Board.grid(3, 3))
    assert reading.goal is None
    assert any("several tiles open" in note for note in reading.notes)


@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ((1, 2, 3, 4, 5, 6, 7, 0, 8), (1, 2, 3, 4, 5, 6, 7, 8, 0)),  # both can be reached
        ((1, 2, 3, 4, 5, 6, 0, 7, 8), (1, 2, 3, 4, 5, 6, 0, 7, 8)),  # only this one
        ((1, 2, 3, 4, 5, 6, 8, 7, 0), (1, 2, 3, 4, 5, 6, 8, 7, 0)),  # only this one
        ((0, 2, 3, 4, 5, 6, 7, 1, 8), (0, 2, 3, 4, 5, 6, 7, 1, 8)),
    ],
)
def test_a_goal_without_one_tile_and_the_blank(
    start: tuple[int, ...], goal: tuple[int, ...]
) -> None:
    aims = " ".join(f"(at t{t} s{s + 1})" for s, t in enumerate(goal) if t not in (0, 8))
    reading = read(problem(atoms(start, "at t", "empty", "s{s}"), aims))
    # without edges the board of nine slots is the square; its two fillings differ in parity
    assert reading.goal is None or reading.goal.tiles == goal
    rows = " ".join(
        f"(at t{t} p_{s // 3 + 1}_{s % 3 + 1})" for s, t in enumerate(goal) if t not in (0, 8)
    )
    reading = read(problem(atoms(start, "at t", "empty", "p_{r}_{c}"), rows))
    assert reading.goal is not None
    assert reading.goal.tiles == goal
    assert any("tile 8 open" in note and "blank" in note for note in reading.notes)


def test_columns_before_rows_if_only_then_the_goal_is_in_order() -> None:
    start, goal = (atoms(t, "at t_", "empty", "p_{c}_{r}") for t in (AIMA, GAP_FIRST))
    reading = read(problem(start, goal))
    assert reading.state.tiles == AIMA
    assert any("columns before rows" in note for note in reading.notes)


def test_the_goal_of_the_course_with_a_ring() -> None:
    goal = (1, 2, 3, 8, 0, 4, 7, 6, 5)
    aims = atoms(goal, "at t", "empty", "s{s}", gap=False)
    reading = read(problem(atoms(AIMA, "at t", "empty", "s{s}"), aims))
    assert reading.goal is not None
    assert reading.goal.tiles == goal


@pytest.mark.parametrize(
    ("init", "message"),
    [
        ("(empty s1)", "puts no tile"),
        ("(at t1 s1) (at t2 s2)", "where the blank is"),
        ("(at t1 s1) (at t1 s2) (empty s3)", "tile 1 is at two places"),
        ("(at t1 s1) (empty s2) (empty s3)", "two blanks"),
        ("(at t1 s1) (at t2 s1) (empty s3)", "a place of its own"),
        ("(at t1 s1) (at t3 s2) (empty s3)", "missing: 2"),
        ("(at t1 p_1_1) (at t2 p_1_2) (at t3 p_2_1) (empty p_3_3)", "do not fill a rectangle"),
        ("(at t1 s1) (at t2 s2) (empty s3) (adj s1 s2) (adj s2 s1)", "make no board"),
    ],
)
def test_pddl_errors(init: str, message: str) -> None:
    with pytest.raises(TaquinError, match=message):
        read(problem(init, "(at t1 s1)"))


def test_asp_atoms() -> None:
    text = """% an instance
    in0(1,1,7). in0(1,2,2). in0(1,3,4). in0(2,1,5). in0(2,2,0).
    in0(2,3,6). in0(3,1,8). in0(3,2,3). in0(3,3,1)."""
    reading = read(text)
    assert (reading.state, reading.goal) == (State(AIMA, Board.grid(3, 3)), None)
    goal = " ".join(f"in_t({c // 3 + 1},{c % 3 + 1},{t})," for c, t in enumerate(GAP_FIRST))
    reading = read(text + "\nentry(1), entry(2), " + goal)
    assert reading.goal == State(GAP_FIRST, Board.grid(3, 3))
    from_zero = " ".join(f"cell({c // 3},{c % 3},{t})." for c, t in enumerate(AIMA))
    assert read(from_zero).state.tiles == AIMA
    with pytest.raises(ParseError, match="do not fill a rectangle"):
        read("in0(1,1,1). in0(1,2,2). in0(2,1,0).")


def test_written_problems_have_all_their_parts() -> None:
    state = State(AIMA, Board.grid(3, 3))
    text = write(state, "pddl-columns", State(GAP_FIRST, state.board))
    assert "(at t7 p1 p1)" in text
    assert "(blank p2 p2)" in text
    assert "(inc p1 p2) (dec p2 p1)" in text
    assert text.count("(") == text.count(")")
    assert "(adj s1 s2) (adj s2 s1)" in write(state, "pddl-slots")
