"""Moves in every notation: golden solutions, examples, and what is refused."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from taquin.board import Board
from taquin.errors import IllegalMove, ParseError, Unsupported
from taquin.notation import (
    MOVE_FORMS,
    follow,
    invert,
    merge,
    moves_length,
    read,
    read_moves,
    write_moves,
)
from taquin.state import State

DATA = Path(__file__).parent / "data"
CENTRE = State((1, 2, 3, 4, 0, 5, 6, 7, 8), Board.grid(3, 3))
WALK = (1, 2, 5, 8, 7)


def rows(name: str) -> list[dict[str, str]]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def goal_of(board: Board, first: bool = False) -> State:
    tiles = range(board.n) if first else [*range(1, board.n), 0]
    return State(tiles, board)


EXAMPLES = rows("notation_examples.csv")


@pytest.mark.parametrize("row", EXAMPLES, ids=[row["name"] for row in EXAMPLES])
def test_speed_solving_examples(row: dict[str, str]) -> None:
    start = read(row["scramble"], form="slidysim").state
    assert start.board == Board.grid(int(row["rows"]), int(row["cols"]))
    walk = read_moves(row["solution"], start, "tile-rle")
    end = follow(start, walk)
    assert end == goal_of(start.board)
    assert moves_length(start, walk, "stm") == int(row["stm"])
    assert moves_length(start, walk, "mtm") == int(row["mtm"])
    assert read_moves(row["solution"], start, "tile") == walk
    for notation in MOVE_FORMS:
        assert read_moves(write_moves(start, walk, notation), start, notation) == walk
    merged = write_moves(start, walk, "tile-rle")
    assert len(merged) <= len(row["solution"])
    # the scramble of a recorded solution: its inverse, from the solved board
    assert (
        follow(end, read_moves(write_moves(end, invert(start, walk), "rle"), end, "rle")) == start
    )


def test_the_documented_algorithms() -> None:
    solved = goal_of(Board.grid(4, 4))
    walk = read_moves("D3RU2RD2RU3L3", solved, "tile-rle")
    assert str(follow(solved, walk)) == "5 1 7 3 / 9 2 11 4 / 13 6 10 8 / 14 15 12 0"
    assert (moves_length(solved, walk), moves_length(solved, walk, "mtm")) == (16, 8)
    text = "DR2D2LULURUR2DL2DRU2RD2LDRULULDRDL2URDLU3RDLUR3DLDLU2RD3LU3R2DLD2LULU2R3D3"
    walk = read_moves(text, solved, "tile-rle")
    far = "0 12 9 13 / 15 11 10 14 / 3 7 6 2 / 4 8 5 1"
    assert str(follow(solved, walk)) == far
    assert (moves_length(solved, walk), moves_length(solved, walk, "mtm")) == (80, 57)
    assert write_moves(solved, walk, "tile-rle") == text


@pytest.mark.parametrize(
    "moves",
    [
        "rrrulddluuuldrurdddrullulurrrddldluurddlulurruldrdrd",
        "rrruldluuldrurdddluulurrrdlddruldluurddlulurruldrrdd",
    ],
)
def test_rosetta_code(moves: str) -> None:
    start = read("15 14 1 6 / 9 11 4 12 / 0 10 7 3 / 13 8 5 2").state
    assert follow(start, read_moves(moves, start)) == goal_of(start.board)
    assert len(moves) == 52


def test_solutions_of_the_24_puzzle() -> None:
    starts = {row["id"]: row["tiles"] for row in rows("korf24_50.csv")}
    solutions = rows("korf24_50_solutions.csv")
    assert len(solutions) == 50
    for row in solutions:
        start = read(starts[row["id"]]).state
        walk = read_moves(row["solution"], start, "tile")
        assert follow(start, walk) == goal_of(start.board, first=True)
        assert len(walk) == int(row["length"])
        assert merge(start, walk) == walk


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("URDDL", "blank"),
        ("urddl", "blank"),
        ("U, R, D, D, L", "blank"),
        ("U-R-D\nD L", "blank"),
        ("['U', 'R', 'D', 'D', 'L']", "blank"),
        ("U R D2 L", "blank"),
        ("ＵＲＤＤＬ", "blank"),  # noqa: RUF001
        ("DLUUR", "tile"),
        ("D L U2 R", "tile"),
        ("2 3 5 8 7", "tiles"),
        ("[2, 3, 5, 8, 7]", "tiles"),
        ("1 2 5 8 7", "cells"),
        ("(0,1) (0,2) (1,2) (2,2) (2,1)", "cells"),
        ("[[0, 1], [0, 2], [1, 2], [2, 2], [2, 1]]", "cells"),
        ("(0,1) (0,2) (1,2) (2,2) (2,1)", "pairs"),
        ("UP RIGHT DOWN DOWN LEFT", "words"),
        ("up\nright\ndown\ndown\nleft\n", "words"),
        ("5\nUP\nRIGHT\nDOWN\nDOWN\nLEFT", "words"),
        ("5\ndown\nleft\nup\nup\nright", "tile-words"),
        ("U R D2 L", "rle"),
        ("u1r1d2l1", "rle"),
        ("U0 U R D2 L0 L", "rle"),
        ("DLU2R", "tile-rle"),
    ],
)
def test_reading(text: str, notation: str) -> None:
    assert read_moves(text, CENTRE, notation) == WALK


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("blank", "URDDL"),
        ("tile", "DLUUR"),
        ("tiles", "2 3 5 8 7"),
        ("cells", "1 2 5 8 7"),
        ("pairs", "(0,1) (0,2) (1,2) (2,2) (2,1)"),
        ("words", "UP RIGHT DOWN DOWN LEFT"),
        ("tile-words", "DOWN LEFT UP UP RIGHT"),
        ("rle", "U R D2 L"),
        ("tile-rle", "DLU2R"),
    ],
)
def test_writing(notation: str, text: str) -> None:
    assert write_moves(CENTRE, WALK, notation) == text
    assert notation in MOVE_FORMS


@pytest.mark.parametrize("notation", MOVE_FORMS)
def test_no_moves(notation: str) -> None:
    assert read_moves("", CENTRE, notation) == ()
    assert read_moves(" \n", CENTRE, notation) == ()
    assert write_moves(CENTRE, (), notation) == ""
    assert invert(CENTRE, ()) == merge(CENTRE, ()) == ()


@pytest.mark.parametrize(
    ("text", "notation", "step", "message"),
    [
        ("UU", "blank", 2, "U is not possible with the blank on cell 1 .row 1, column 2.: the bl"),
        ("UUL", "rle", 2, "possible: L R D"),
        ("DD", "tile", 2, "D is not possible .* no tile can move that way .*: R L U"),
        ("F", "blank", 1, "this board has the directions U L R D"),
        ("2 1 8", "tiles", 3, "tile 8 is not beside the blank on cell 0; beside it: 1, 4"),
        ("0", "tiles", 1, "tile 0 is not beside"),
        ("1 5", "cells", 2, "cannot go to cell 5; its neighbours are 0, 2, 4"),
        ("4", "cells", 1, "cannot go to cell 4"),
        ("(0,1) (0,9)", "cells", 2, "there is no cell .0, 9."),
        ("R9", "rle", 2, "R is not possible"),
    ],
)
def test_illegal_moves(text: str, notation: str, step: int, message: str) -> None:
    with pytest.raises(IllegalMove, match=message) as caught:
        read_moves(text, CENTRE, notation)
    assert caught.value.step == step
    assert str(caught.value).startswith(f"step {step}:")


@pytest.mark.parametrize(
    ("text", "notation", "message"),
    [
        ("UXD", "blank", "character 2, 'X', is not a move"),
        ("3U", "rle", "character 1, '3', is a count without a letter"),
        ("R 1 3", "rle", "character 5, '3', is a count without"),
        ("U\x00", "blank", r"character 2, '\\x00', is not a move"),
        ("U" + "9" * 5000, "rle", "more than 10,000,000 moves"),
        ("U0" * 5 + "R9999999999", "rle", "more than 10,000,000 moves"),
        ("UP NORTH", "words", "word 2, 'NORTH', is not a move"),
        ("3\nUP", "words", "announces '3' moves, but 1 follow"),
        ("1 two", "tiles", "item 2, 'two', is not the number of a tile"),
        ("1 " + "9" * 5000, "cells", r"item 2, '9+'\.\.\., is not the number of a cell"),
        ("U", "morse", "there is no notation 'morse'; the notations are blank, tile"),
    ],
)
def test_no_moves_at_all(text: str, notation: str, message: str) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        read_moves(text, CENTRE, notation)
    assert len(str(caught.value)) < 300


def test_a_torus_goes_round() -> None:
    board = Board.grid(3, 3, wrap=(0, 1))
    start = goal_of(board)
    walk = read_moves("RRR", start)
    assert walk == (6, 7, 8)
    assert read_moves("L3", start, "tile-rle") == walk
    assert moves_length(start, walk, "mtm") == 1
    assert write_moves(start, walk, "rle") == "R3"
    assert follow(start, walk) != start
    assert read_moves("R999", start, "rle")[-1] == 8


def test_layers() -> None:
    start = goal_of(Board.grid(2, 2, 2))
    walk = read_moves("FULBDR", start)
    assert write_moves(start, walk, "words") == "FRONT UP LEFT BACK DOWN RIGHT"
    assert write_moves(start, walk, "tile") == "BDRFUL"
    assert read_moves("front up left backward down right", start, "words") == walk
    assert write_moves(start, walk[:1], "pairs") == "(0,1,1)"


def test_graphs_have_cells_and_tiles() -> None:
    board = Board.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)])
    start = State((0, 1, 2, 3), board)
    walk = read_moves("2 3 2", start)
    assert walk == read_moves("2 3 3", start, "tile") == read_moves("2,3,3", start, "tiles")
    assert write_moves(start, walk) == write_moves(start, walk, "cells") == "2 3 2"
    assert write_moves(start, walk, "tile") == "2 3 3"
    for notation in ("words", "rle", "tile-rle", "tile-words"):
        with pytest.raises(Unsupported, match="has no directions"):
            read_moves("R", start, notation)
        with pytest.raises(Unsupported, match="use 'cells' or 'tiles'"):
            write_moves(start, walk, notation)
    with pytest.raises(Unsupported, match="no straight lines"):
        moves_length(start, walk, "mtm")
    with pytest.raises(Unsupported, match="'stm' and 'mtm'; got 'qtm'"):
        moves_length(start, walk, "qtm")


def test_four_axes_have_runs_but_no_letters() -> None:
    start = goal_of(Board.grid(2, 2, 2, 3))
    walk = start.board.path(start.blank, 0)
    assert len(walk) == 5
    assert moves_length(start, walk, "mtm") == 4
    assert read_moves(write_moves(start, walk), start) == tuple(walk)
    ring = goal_of(Board.grid(1, 1, 1, 4, wrap=(3,)))
    assert moves_length(ring, (0, 1, 2, 3, 2), "mtm") == 2


def test_walls_have_places() -> None:
    start = State((1, 2, 3, 0), Board.draw(".#|..|.#"))
    walk = read_moves("(1,0) (0,0)", start, "pairs")
    assert write_moves(start, walk) == "UU"
    with pytest.raises(IllegalMove, match="there is no cell"):
        read_moves("(0,1)", start, "pairs")


def test_equal_tiles() -> None:
    start = State((1, 1, 0, 2), Board.grid(2, 2), repeats=True)
    assert read_moves("2 1", start, "tiles") == (3, 1)
    twice = State((0, 1, 1, 2), Board.grid(2, 2), repeats=True)
    with pytest.raises(IllegalMove, match="beside the blank more than once"):
        read_moves("1", twice, "tiles")


def test_merging_examples() -> None:
    for text, merged in (("LLR", "L"), ("UD", ""), ("URLD", ""), ("ULLR", "UL")):
        start = (
            CENTRE
            if text != "LLR" and text != "ULLR"
            else State((1, 2, 3, 4, 5, 6, 7, 8, 0), Board.grid(3, 3))
        )
        walk = read_moves(text, start)
        assert write_moves(start, merge(start, walk)) == merged


@pytest.mark.parametrize("walk", [(0,), (1, 1), (99,), (-1,), (10**5000,)])
def test_walks_that_jump(walk: tuple[int, ...]) -> None:
    for function in (follow, merge, moves_length, write_moves):
        with pytest.raises(IllegalMove, match="cannot go to cell"):
            function(CENTRE, walk)  # type: ignore[operator]
