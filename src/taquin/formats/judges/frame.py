"""UVa 227, the frame of letters: a simulation, nothing to search."""

from __future__ import annotations

from taquin.board import Board
from taquin.errors import InvalidState, ParseError, quote

SIDE = 5
#: A(bove), B(elow), L(eft), R(ight): the side from which a letter slides into the empty cell,
#: which is where the empty cell goes
DIRECTIONS = {"A": "U", "B": "D", "L": "L", "R": "R"}


def uva227(text: str) -> str:
    """Frames and moves until a line ``Z``; the frame after the moves, or the illegal-move line."""
    lines = text.splitlines()
    at = 0
    pictures: list[str] = []
    while at < len(lines):
        if not lines[at].strip():  # no row of a frame is all blank
            at += 1
            continue
        if lines[at].strip() == "Z":
            break
        number = len(pictures) + 1
        frame = _frame(lines[at : at + SIDE], number, at + 1)
        moves, at = _moves(lines, at + SIDE, number)
        pictures.append(f"Puzzle #{number}:\n" + _after(frame, moves))
    return "\n".join(pictures)


def _frame(lines: list[str], number: int, first: int) -> list[str]:
    """The 25 cells; a row may have lost the blank at its end."""
    for i, line in enumerate(lines):
        if len(line.rstrip()) > SIDE:
            raise ParseError(
                f"line {first + i}: a row of puzzle {number} has {SIDE} letters, got {quote(line)}"
            )
    cells = list("".join(line[:SIDE].ljust(SIDE) for line in lines))
    if len(cells) != SIDE * SIDE or cells.count(" ") != 1:
        raise InvalidState(
            f"puzzle {number} (line {first}): expected {SIDE} rows of {SIDE} letters with one"
            f" empty cell, got {len(lines)} rows with {cells.count(' ')} empty cells"
        )
    return cells


def _moves(lines: list[str], at: int, number: int) -> tuple[str, int]:
    """The moves up to the 0, and the number of the line after it."""
    moves = ""
    for following, line in enumerate(lines[at:], start=at + 1):
        before, end, _ = line.partition("0")
        moves += "".join(before.split())
        if end:
            return moves, following
    raise ParseError(f"puzzle {number}: the moves do not end with 0 before the input does")


def _after(cells: list[str], moves: str) -> str:
    board, blank = Board.grid(SIDE, SIDE), cells.index(" ")
    for move in moves:
        to = board.step(blank, DIRECTIONS.get(move, ""))
        if to is None:
            return "This puzzle has no final configuration.\n"
        cells[blank], cells[to] = cells[to], " "
        blank = to
    rows = [" ".join(cells[i : i + SIDE]) for i in range(0, SIDE * SIDE, SIDE)]
    return "\n".join(rows) + "\n"
