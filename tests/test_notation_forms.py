"""Boards as people write them: every form, the notes on what was assumed, and every error."""

# ruff: noqa: RUF001  (full-width digits and punctuation are what is tested)

from __future__ import annotations

import time
from itertools import count

import numpy as np
import pytest

from taquin.board import Board
from taquin.errors import InvalidState, ParseError, TaquinError
from taquin.notation import read
from taquin.state import State

EIGHT = (2, 8, 3, 1, 0, 4, 7, 6, 5)
KORF = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)
FIFTEEN = (10, 2, 11, 4, 5, 12, 3, 7, 1, 6, 8, 15, 9, 13, 0, 14)
SOLVED = (1, 2, 3, 4, 5, 6, 7, 8, 0)

FORMS = {
    "algs4": ("3\n 2 8 3\n 1 0 4\n 7 6 5\n", EIGHT, "sized"),
    "comments": (
        "# This puzzle is solvable\n3 # size\n2 8 3 #x\n\n1 0 4 #..\n#\n7 6 5", EIGHT, "sized"),
    "slashes as comments": ("2 8 3 // first\n1 0 4 // row\n7 6 5", EIGHT, "rows"),
    "semicolons": ("; a board\n2 8 3 ; first row\n1 0 4\n7 6 5", EIGHT, "rows"),
    "rows": ("2 8 3\n1 0 4\n7 6 5", EIGHT, "rows"),
    "blank lines": ("\n\n2 8 3\n\n1 0 4\n\n7 6 5\n\n", EIGHT, "rows"),
    "ragged": ("  2 8\t 3 \n1   0 4\n 7,6, 5", EIGHT, "rows"),
    "R C": ("3 3\n2 8 3\n1 0 4\n7 6 5", EIGHT, "sized"),
    "3x3": ("3x3\n2 8 3\n1 0 4\n7 6 5", EIGHT, "sized"),
    "broken rows": ("3\n2 8 3 1\n0 4\n7 6 5", EIGHT, "sized"),
    "list": ("3\n2\n8\n3\n1\n0\n4\n7\n6\n5\n", EIGHT, "sized"),
    "counted": ("1\n2 8 3\n1 0 4\n7 6 5", EIGHT, "rows"),
    "one line x": ("2  8  3  1  x  4  7  6  5", EIGHT, "line"),
    "digits": ("283104765", EIGHT, "chars"),
    "digits x": ("2831x4765", EIGHT, "chars"),
    "digits -": ("2831-4765", EIGHT, "chars"),
    "digit rows": ("283\n104\n765", EIGHT, "chars"),
    "digit words": ("283 104 765", EIGHT, "chars"),
    "digit slashes": ("283/1_4/765", EIGHT, "chars"),
    "slidysim": ("2 8 3/1 0 4/7 6 5", EIGHT, "slash"),
    "bars": ("2 8 3|1 -1 4|7 6 5", EIGHT, "bars"),
    "dashes": ("2-8-3\n1-_-4\n7-6-5", EIGHT, "dashes"),
    "dashes in one line": ("2-8-3-1-0-4-7-6-5", EIGHT, "dashes"),
    "nested": ("[[2, 8, 3], [1, 0, 4], [7, 6, 5]]", EIGHT, "nested"),
    "tuple": ("(2,8,3,1,0,4,7,6,5)", EIGHT, "nested"),
    "none": ("[[2, 8, 3], [1, None, 4], [7, 6, 5]]", EIGHT, "nested"),
    "null": ("[[2,8,3],[1,null,4],[7,6,5]]", EIGHT, "nested"),
    "nine": ("[[2,8,3],[1,9,4],[7,6,5]]", EIGHT, "nested"),
    "from zero": ("[[1,7,2],[0,-1,3],[6,5,4]]", EIGHT, "nested"),
    "strings": ("[['2','8','3'],['1','','4'],['7','6','5']]", EIGHT, "nested"),
    "double quotes": ('["2","8","3","1"," ","4","7","6","5"]', EIGHT, "nested"),
    "braces": ("{ {2,8,3},{1,0,4},{7,6,5} }", EIGHT, "nested"),
    "C": ("int a[3][3] = {\n  {2, 8, 3}, // top\n  {1, 0, 4},\n  {7, 6, 5}\n};", EIGHT, "nested"),
    "C without sizes": ("const int a[][3] = {{2,8,3},{1,0,4},{7,6,5}};", EIGHT, "nested"),
    "Java": ("int[][] a = {{2,8,3},{1,0,4},{7,6,5}};", EIGHT, "nested"),
    "Java, new": ("int[][] a = new int[][] {{2,8,3},{1,0,4},{7,6,5}};", EIGHT, "nested"),
    "Go": ("a := [][]int{{2,8,3},{1,0,4},{7,6,5}}", EIGHT, "nested"),
    "Swift": ("let a: [[Int]] = [[2,8,3],[1,0,4],[7,6,5]]", EIGHT, "nested"),
    "JSON": ('{"n": 3, "board": [[2,8,3],[1,0,4],[7,6,5]]}', EIGHT, "nested"),
    "JSON, other name": ('{"x": [2,8,3,1,0,4,7,6,5]}', EIGHT, "nested"),
    "JSON text": ('{"start": "2 8 3 / 1 0 4 / 7 6 5"}', EIGHT, "slash"),
    "printed floats": ("[[2. 8. 3.]\n [1. 0. 4.]\n [7. 6. 5.]]", EIGHT, "nested"),
    "floats": ("2.0 8.0 3.0\n1.0 0.0 4.0\n7.0 6.0 5.0", EIGHT, "rows"),
    "savetxt": ("\n".join(" ".join(f"{v:.18e}" for v in EIGHT[i:i+3]) for i in (0, 3, 6)),
                EIGHT, "rows"),
    "percent comments": ("% a board\n2 8 3 % first row\n%\n1 0 4\n7 6 5", EIGHT, "rows"),
    "heading": ("Puzzle 12:\n2 8 3\n1 0 4\n7 6 5", EIGHT, "rows"),
    "NumPy": ("array([[2, 8, 3],\n [1, 0, 4],\n [7, 6, 5]], dtype=int8)", EIGHT, "nested"),
    "printed NumPy": ("[[2 8 3]\n [1 0 4]\n [7 6 5]]", EIGHT, "nested"),
    "MATLAB": ("A = [2 8 3; 1 0 4; 7 6 5];", EIGHT, "nested"),
    "semicolon rows": ("2 8 3; 1 0 4; 7 6 5", EIGHT, "rows"),
    "comma rows": ("2 8 3, 1 0 4, 7 6 5", EIGHT, "rows"),
    "a list a line": ("[2, 8, 3]\n[1, 0, 4]\n[7, 6, 5]", EIGHT, "nested"),
    "box": ("+--+--+--+\n| 2| 8| 3|\n+--+--+--+\n| 1|  | 4|\n+--+--+--+\n| 7| 6| 5|\n+--+--+--+",
            EIGHT, "box"),
    "bars only": ("| 2 | 8 | 3 |\n| 1 |   | 4 |\n| 7 | 6 | 5 |", EIGHT, "box"),
    "Markdown": ("| 2 | 8 | 3 |\n|---|---|---|\n| 1 | . | 4 |\n| 7 | 6 | 5 |", EIGHT, "box"),
    "framed": ("+-------+\n| 2 8 3 |\n| 1   4 |\n| 7 6 5 |\n+-------+", EIGHT, "aligned"),
    "Unicode box": ("┌─┬─┬─┐\n│2│8│3│\n├─┼─┼─┤\n│1│ │4│\n├─┼─┼─┤\n│7│6│5│\n└─┴─┴─┘", EIGHT, "box"),
    "double box": ("╔═╦═╦═╗\n║2║8║3║\n║1║ ║4║\n║7║6║5║\n╚═╩═╩═╝", EIGHT, "box"),
    "empty place": (" 2  8  3\n 1     4\n 7  6  5", EIGHT, "aligned"),
    "empty at the end": ("1 2 3\n4 5 6\n7 8", SOLVED, "aligned"),
    "empty CSV cell": ("2,8,3\n1,,4\n7,6,5", EIGHT, "rows"),
    "empty last cell": ("1,2,3\n4,5,6\n7,8,", SOLVED, "rows"),
    "tabs": ("2\t8\t3\n1\t\t4\n7\t6\t5", EIGHT, "rows"),
    "dots": ("2 8 3\n1 . 4\n7 6 5", EIGHT, "rows"),
    "B": ("2 8 3\n1 B 4\n7 6 5", EIGHT, "rows"),
    "square": ("2 8 3\n1 □ 4\n7 6 5", EIGHT, "rows"),
    "full width": ("２　８　３\n１　０　４\n７　６　５", EIGHT, "rows"),
    "Chinese commas": ("２，８，３、１，０，４，７，６，５", EIGHT, "line"),
    "BOM and CRLF": ("\ufeff2 8 3\r\n1 0 4\r\n7 6 5\r\n", EIGHT, "rows"),
    "old Mac": ("2 8 3\r1 0 4\r7 6 5\r", EIGHT, "rows"),
    "minus sign": ("2 8 3\n1 −1 4\n7 6 5", EIGHT, "rows"),
    "Prolog slashes": ("2/8/3/1/0/4/7/6/5", EIGHT, "prolog"),
    "Prolog term": ("p(2,8,3,1,0,4,7,6,5).", EIGHT, "term"),
    "spec": ("3x3: 2 8 3 1 0 4 7 6 5", EIGHT, "spec"),
    "spec rows": ("3 × 3:\n2 8 3\n1 _ 4\n7 6 5", EIGHT, "spec"),
    "spec digits": ("3x3: 283104765", EIGHT, "spec"),
    "keyword": ("board:\n2 8 3\n1 0 4\n7 6 5", EIGHT, "rows"),
    "Korf": (" ".join(map(str, KORF)), KORF, "line"),
    "Korf id": ("1 " + " ".join(map(str, KORF)), KORF, "korf"),
    "Korf id, optimum, nodes": ("1 57 276361933\n" + " ".join(map(str, KORF)), KORF, "korf"),
    "Korf in one line": ("1 57 276361933 " + " ".join(map(str, KORF)), KORF, "korf"),
    "slidysim 4x4": ("10 2 11 4/5 12 3 7/1 6 8 15/9 13 0 14", FIFTEEN, "slash"),
    "issue box": ("|10| 2|11| 4|\n| 5|12| 3| 7|\n| 1| 6| 8|15|\n| 9|13|  |14|", FIFTEEN, "box"),
    "hex": ("a2b45c37168f9d0e", FIFTEEN, "chars"),
    "HEX": ("A 2 B 4\n5 C 3 7\n1 6 8 F\n9 D - E", FIFTEEN, "rows"),
    "16 as blank": ("10 2 11 4 5 12 3 7 1 6 8 15 9 13 16 14", FIFTEEN, "line"),
    "letters, x as blank": ("A2B45C37168F9DXE", FIFTEEN, "chars"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_square_boards(name: str) -> None:
    text, tiles, form = FORMS[name]
    reading = read(text)
    side = {9: 3, 16: 4}[len(tiles)]
    assert reading.state == State(tiles, Board.grid(side, side))
    assert reading.form == form
    assert reading.goal is None
    assert read(text, Board.grid(side, side)).state == reading.state
    assert read(text, form=form).state == reading.state
    assert read(text.encode()).state == reading.state


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("[[1,2,3],[4,0,5]]", "2x3: 1 2 3 4 0 5"),
        ("[[1],[0],[2]]", "3x1: 1 0 2"),
        ("[[1,0,2]]", "1x3: 1 0 2"),
        ("1 0 2 3 4", "1x5: 1 0 2 3 4"),
        ("1\n0\n2", "3x1: 1 0 2"),
        ("0", "1x1: 0"),
        ("2 3\n1 2 3\n4 5 0", "2x3: 1 2 3 4 5 0"),
        ("3 2\n1 2\n3 4\n5 0", "3x2: 1 2 3 4 5 0"),
        ("3 2\n1 2 3\n4 5 0", "2x3: 1 2 3 4 5 0"),  # width and height
        ("2 3\n1 2 3 4 5 0", "2x3: 1 2 3 4 5 0"),
        ("1 2 3 4 / 5 6 7 0", "2x4: 1 2 3 4 5 6 7 0"),
        ("[[[1,2],[3,4]],[[5,6],[7,0]]]", "2x2x2: 1 2 3 4 5 6 7 0"),
        ("1 2\n3 4\n\n5 6\n7 0", "2x2x2: 1 2 3 4 5 6 7 0"),
        ("1 2 / 3 4 // 5 6 / 7 0", "2x2x2: 1 2 3 4 5 6 7 0"),
        ("1 2\n3 4\n//\n5 6\n7 0", "2x2x2: 1 2 3 4 5 6 7 0"),
        ("12\n34\n\n56\n70", "2x2x2: 1 2 3 4 5 6 7 0"),
        ("2 2 2\n1 2 3 4 5 6 7 0", "2x2x2: 1 2 3 4 5 6 7 0"),
        ("2\n1 2 3 4\n5 7 6 0", "2x2x2: 1 2 3 4 5 7 6 0"),
        ("2x2x2: 1 2 3 4 5 6 7 0", "2x2x2: 1 2 3 4 5 6 7 0"),
        ("[[[[1,2],[3,0]]]]", "1x1x2x2: 1 2 3 0"),
        ("3x3:torus: 1 2 3 4 5 6 7 8 0", "3x3:torus: 1 2 3 4 5 6 7 8 0"),
        ("5:torus: 1 2 3 4 0", "5:torus: 1 2 3 4 0"),
        ("graph:0-1,1-2,0-2: 1 2 0", "graph:0-1,0-2,1-2: 1 2 0"),
        ("graph:1: 0", "graph:1: 0"),
        ("1 2 #\n3 # 4\n5 0 6", "walls:..#|.#.|...: 1 2 3 4 5 0 6"),
        ("1 2 #\n3 0 #", "walls:..#|..#: 1 2 3 0"),
        ("12#\n3#4\n506", "walls:..#|.#.|...: 1 2 3 4 5 0 6"),
        ("walls:..#|...: 1 2 3 4 0", "walls:..#|...: 1 2 3 4 0"),
        ("-123456789abcde", "3x5: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14"),
    ],
)
def test_other_boards(text: str, spec: str) -> None:
    board = Board.parse(spec.rsplit(":", 1)[0])
    tiles = [int(tile) for tile in spec.rsplit(":", 1)[1].split()]
    reading = read(text, board) if text.startswith("-1") else read(text)
    assert reading.state == State(tiles, board)


@pytest.mark.parametrize(
    ("text", "start", "goal", "form"),
    [
        ("8\n-1\n1 2 3\n4 5 6\n7 0 8", (1, 2, 3, 4, 5, 6, 7, 0, 8), SOLVED, "gap-goal"),
        ("3\n0\n1 2\n3 0", (1, 2, 3, 0), (0, 1, 2, 3), "gap-goal"),
        ("1 2 3 -1\n-1 1 2 3", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("1 2\n3 0\n\n0 1\n2 3", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("1230\n0123", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("[1,2,3,0]\n[0,1,2,3]", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("start: [[1,2],[3,0]]\ngoal: [[0,1],[2,3]]", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("Start state\n1 2\n3 _\nGoal state\n_ 1\n2 3", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("初始状态：1 2 3 0\n目标状态：0 1 2 3", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("1 2 / 3 0 -> 0 1 / 2 3", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("1 2 3 0 → 0 1 2 3", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("Initial state: 1 2 3 0 Goal state: 0 1 2 3", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("goal: 0 1 2 3\nstart: 1 2 3 0", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("1 2\n3 0\nGoal:\n0 1\n2 3", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("1 2\n3 0\n=>\n0 1\n2 3", (1, 2, 3, 0), (0, 1, 2, 3), "pair"),
        ("start: 1 2 4 3\ngoal: [[1,2],[3,_]]", (1, 2, 0, 3), (1, 2, 3, 0), "pair"),
        (
            "int[][] start = {{1,2},{3,0}};\nint[][] goal = {{0,1},{2,3}};",
            (1, 2, 3, 0),
            (0, 1, 2, 3),
            "pair",
        ),
        ('{"start": [1,2,3,0], "goal": [[0,1],[2,3]]}', (1, 2, 3, 0), (0, 1, 2, 3), "nested"),
    ],
)
def test_goals(text: str, start: tuple[int, ...], goal: tuple[int, ...], form: str) -> None:
    reading = read(text)
    assert reading.goal is not None
    assert (reading.state.tiles, reading.goal.tiles, reading.form) == (start, goal, form)
    assert reading.state.board == reading.goal.board


def test_graph_of_abc224() -> None:
    text = "4\n1 2\n2 3\n3 1\n3 4\n4 1 2\n"
    reading = read(text)
    assert reading.state == State((2, 3, 0, 1), Board.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)]))
    assert reading.goal is not None
    assert reading.goal.tiles == (1, 2, 3, 0)


# -- notes, options, values ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("2 8 3 1 x 4 7 6 5", "the blank is written 'x'"),
        ("2 8 3 1 0 4 7 6 5", "the size 3x3 is deduced from 9 labels"),
        ("1 2\n3 4", "the greatest label, 4, is taken as the blank"),
        ("0 1\n2 -1", "every label is shifted by one"),
        ("[[1,None],[2,3]]", "the blank is written 'None'"),
        ("1,2\n,3", "the blank is written as an empty cell"),
        ("1 2 '' 3", "the blank is written as an empty cell"),
        ('["1", " ", "2", "3"]', "the blank is written as an empty cell"),
        ("1 2 _ 3", "the blank is written '_'"),
        ("['1', '_', '2', '3']", "the blank is written '_'"),
        ("[[1,2],[3,0]]]]", "the brackets do not match"),
        ("((1,2),(3,0)", "the brackets do not match"),
        ('{"a": [1,2,3,0]}', "the member 'a' of the object"),
        ("a 2 b 4 5 c 3 7 1 6 8 f 9 d 0 e", "letters stand for the labels from 10 on"),
        ("1 2 3\n4   5\n6 7 8", "the empty place in row 2, column 2"),
        ("3 2\n1 2 3\n4 5 0", "taken as width x height"),
        ("1 2\n3 0\n\n0 1\n2 3", "the second is taken as the goal"),
        ("7 1 2 3 0", "before the tiles: 7"),
        ("1 2 #\n3 0 #", "every # is read as a wall"),
        ("1\n1 2\n3 0", "the count of boards"),
        ("board [[1,2],[3,0]]", "ignored before the board: 'board'"),
        ("2\n1 2 3\n0", "the lines are of different lengths"),
    ],
)
def test_notes(text: str, note: str) -> None:
    assert any(note in said for said in read(text).notes)


def test_nothing_is_assumed_of_plain_rows() -> None:
    assert read("1 2 3 / 4 5 6 / 7 8 0").notes == ()
    assert read("3\n1 2 3\n4 5 6\n7 8 0").notes == ()


def test_order_by_columns_and_from_below() -> None:
    text = "13 14 15 0 / 9 10 11 12 / 5 6 7 8 / 1 2 3 4"
    assert read(text, form="y-up").state.tiles == (*range(1, 13), 13, 14, 15, 0)
    assert read("1 4 2 5 3 0", Board.grid(2, 3), form="columns").state.tiles == (1, 2, 3, 4, 5, 0)
    assert read("1 4\n2 5\n3 0", form="columns").state == State(
        (1, 2, 3, 4, 5, 0), Board.grid(2, 3)
    )
    cube = read("1 3 2 4 5 7 6 0", Board.grid(2, 2, 2), form="columns").state
    assert cube.tiles == (1, 2, 3, 4, 5, 6, 7, 0)


def test_a_board_given() -> None:
    torus = Board.grid(3, 3, wrap=(0, 1))
    assert read("2 8 3\n1 0 4\n7 6 5", torus).state == State(EIGHT, torus)
    ring = Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    assert read("1 2 / 3 0", ring).state == State((1, 2, 3, 0), ring)
    walls = Board.draw(".#|..")
    assert read("1\n2 0", walls).state == State((1, 2, 0), walls)
    assert read([[1, None], [2, 0]], walls).state == State((1, 2, 0), walls)
    assert read([1, 2, 3, 4, 5, 0], Board.grid(3, 2)).state.board == Board.grid(3, 2)
    line = Board.grid(6)
    assert read("1 2 3\n4 5 0", line).state == State((1, 2, 3, 4, 5, 0), line)


def test_repeats() -> None:
    reading = read("1 1 2 / 2 0 1", repeats=True)
    assert reading.state == State((1, 1, 2, 2, 0, 1), Board.grid(2, 3), repeats=True)
    assert read([1, 1, None, 2], repeats=True).state.tiles == (1, 1, 0, 2)
    with pytest.raises(InvalidState, match="2 blanks"):
        read("1 0 / 2 0", repeats=True)
    with pytest.raises(ParseError, match="2x3 or 3x2"):
        read("1 1 2 2 0 1", repeats=True)


@pytest.mark.parametrize(
    "value",
    [
        list(EIGHT),
        tuple(EIGHT),
        iter(EIGHT),
        [[2, 8, 3], [1, 0, 4], [7, 6, 5]],
        ((2, 8, 3), (1, None, 4), (7, 6, 5)),
        np.array(EIGHT),
        np.array(EIGHT, float).reshape(3, 3),
        [2.0, 8.0, 3.0, 1.0, 0.0, 4.0, 7.0, 6.0, 5.0],
        np.array(EIGHT, np.uint8).reshape(3, 3),
        [np.array([2, 8, 3]), np.array([1, 0, 4]), np.array([7, 6, 5])],
        list(np.array(EIGHT)),
        ["2", "8", "3", "1", "_", "4", "7", "6", "5"],
        ["283", "104", "765"],
        ["2 8 3", "1 0 4", "7 6 5"],
        [["2", "8", "3"], ["1", "", "4"], ["7", "6", "5"]],
        bytearray(b"283104765"),
        "2 8 3\n1 0 4\n7 6 5".encode("utf-16"),
        State(EIGHT, Board.grid(3, 3)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values(value: object) -> None:
    assert read(value).state == State(EIGHT, Board.grid(3, 3))


def test_arrays_of_more_axes() -> None:
    labels = np.roll(np.arange(8), -1)
    assert read(labels.reshape(2, 2, 2)).state.board == Board.grid(2, 2, 2)
    assert read(np.roll(np.arange(16), -1).reshape(2, 2, 2, 2)).state.board.shape == (2, 2, 2, 2)


# -- errors ----------------------------------------------------------------------------------------

HUGE = "9" * 5000

WRONG = {
    "empty": ("", "the text is empty"),
    "only blanks": (" \n\t", "the text is empty"),
    "only comments": ("# nothing\n", "no labels were found"),
    "6 numbers": ("1 2 3 4 5 0", "6 numbers in one line: 2x3 or 3x2; give the size"),
    "6 in a column": ("1\n2\n3\n4\n5\n0", "6 numbers in one column: 2x3 or 3x2"),
    "8 numbers": ("1 2 3 4 5 6 7 0", "2x4 or 4x2 or 2x2x2"),
    "missing": ("1 2 3 4 5 6 7 9 0", r"missing: 8; out of range 0..8: 9"),
    "twice": ("1 2 3 / 4 5 5 / 7 8 0", "missing: 6; more than once: 5"),
    "no blank": ("1 2 / 3 3", r"missing: 0 \(the blank\)"),
    "two blanks": ("1 2 / _ _", "got 2 blanks"),
    "short row": ("1 2 3\n\n4 5\n6 7 0", r"row 2 \(line 3\) has 2 labels, expected 3"),
    "long row": ("1 2 3 / 4 5 6 9 / 7 8 0", r"row 2 \(line 1\) has 4 labels, expected 3"),
    "short by the size": ("3\n1 2 3\n4 5 6\n7 0", r"row 3 \(line 4\) has 2 labels, expected 3"),
    "size": ("3 3\n1 2 3\n4 5 0", "size 3x3, which is 9 labels, but 6 follow"),
    "word": ("1 2 3\n4 foo 5\n6 7 0", "line 2, column 3: 'foo' is not a label"),
    "NUL": ("1 2\x00 3 0", r"line 1, column 3: '2\\x00' is not a label"),
    "surrogate": ("1 2 \ud800 0", r"column 5: '\\ud800' is not a label"),
    "float": ("1 2.5 3 0", "column 3: '2.5' is not a label"),
    "huge": (f"1 2 {HUGE} 0", r"column 5: '9{40}'\.\.\. is not a label"),
    "NaN": ("[1, 2, NaN, 0]", "'NaN' is not a label"),
    "negative": ("1 2 -3 0", "'-3' is not a label"),
    "ragged list": ("[[1,2],[3]]", "row 2 has 1 label, expected 2"),
    "deep": ("[" * 5000 + "]" * 5000, "brackets"),
    "spec count": ("3x3: 1 2 0", r"got 3 labels, but the board 3x3 has 9 cells"),
    "spec": ("0x3: 1 2 0", "at least 1"),
    "wide spec": ("99999x99999: 1 2 0", "too large"),
    "graph spec": ("graph:0-99999999: 1 0", "the last cell of the graph is 99999999"),
    "torn graph": ("graph:0-1,2-3: 1 2 3 0", "not connected"),
    "1 2 3 twice": ("1 2 3\n4 0 5\n1 2 3", "more than once: 1, 2, 3"),
    "torn brackets and a size": ("[[2 2]\n[1 2]\n[3 0]", "more than once: 2"),
    "slash": ("/", "no labels were found"),
    "bar": ("|", "no labels were found"),
    "size alone": ("5x5", "'5x5' is a size, not a board: .* taquin shuffle 5x5"),
    "large size alone": ("10 x 12", "'10x12' is a size, not a board"),
    "cube alone": ("3x3x3", "'3x3x3' is a size"),
    "digits twice": ("123456788", r"missing: 0 \(the blank\); more than once: 8"),
    "two empty cells": ("['1','','','3']", "got 2 blanks"),
    "start": ("start: 1 2 3 3\ngoal: 1 2 3 0", "the start: missing: 0"),
    "two starts": ("start: 1 2 3 0\nstart: 1 2 0 3", "more than once"),
    "arrow": ("1 2 3 0 -> 1 2 4 0", "the goal: missing: 3"),
    "other goal": ("start: 1 2 3 0\ngoal: 1 2 3 4 5 6 7 8 0", "the goal: got 9 labels"),
    "goal": ("start: 1 2 3 0\ngoal: 1 2 3 3", "goal|label"),
    "long list": ("1 " * 300_000, "must be there twice|missing"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors(name: str) -> None:
    text, message = WRONG[name]
    with pytest.raises(TaquinError, match=message) as caught:
        read(text)
    said = str(caught.value)
    assert isinstance(caught.value, (ParseError, InvalidState))
    assert "\n" not in said
    assert len(said) < 400
    assert said.isprintable()


def test_ambiguous_texts_list_their_readings() -> None:
    with pytest.raises(ParseError) as caught:
        read("1 2 3 4 5 0")
    assert caught.value.readings == ("2x3: 1 2 3 4 5 0", "3x2: 1 2 3 4 5 0")
    for reading in caught.value.readings:
        assert read(reading).state.tiles == (1, 2, 3, 4, 5, 0)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([1, 2, 3.5, 0], r"whole numbers; got '3.5' \(float\)"),
        ([1, 2, float("nan"), 0], "whole numbers; got 'nan'"),
        ([True, 2, 3, 0], r"got 'True' \(bool\)"),
        (np.array([1.5, 0.0]), "whole numbers"),
        (np.array(3), "got int 3"),
        (np.zeros((2, 0), int), "no labels"),
        (7, "a board is a text"),
        (None, "a board is a text"),
        (10**5000, "a number of 16,610 bits"),
        ({1: 2}, "a board is a text"),
        ([[1, 2], [3]], "row 2 has 1 label, expected 2"),
        ([[1, 2], 3, 0], "mixed"),
        ([], "no labels"),
        ([1, 2, 10**5000, 0], "a number of 16,610 bits is not a label"),
        ([1, 2, object(), 0], "whole numbers"),
        (b"\xff\xfe\x00", "save the file as UTF-8"),
        (b"1 2 3 \x80", "byte 6 is not UTF-8"),
        (range(3, 8), "missing"),
    ],
    ids=lambda value: str(type(value)),
)
def test_wrong_values(value: object, message: str) -> None:
    with pytest.raises((ParseError, InvalidState), match=message) as caught:
        read(value)
    assert len(str(caught.value)) < 400


def test_endless_values(monkeypatch: pytest.MonkeyPatch) -> None:
    endless: list[object] = [1]
    endless[0] = endless
    with pytest.raises(ParseError, match="nested deeper"):
        read(endless)
    monkeypatch.setattr("taquin.notation.nested.MAX_MARKS", 1_000)
    with pytest.raises(ParseError, match="more than 1,000 labels"):
        read(count())
    with pytest.raises(ParseError, match="more than 1,000 labels"):
        read([list(range(600)), list(range(600))])


def test_boards_that_disagree() -> None:
    with pytest.raises(InvalidState, match="got 4 labels for a board of 9 cells"):
        read("1 2 3 0", Board.grid(3, 3))
    with pytest.raises(InvalidState, match="shows a board of 2x3, expected 3x2"):
        read("1 2 3 / 4 5 0", Board.grid(3, 2))
    with pytest.raises(InvalidState, match="shows a board of 2x2, expected 2x2x1"):
        read("2x2: 1 2 3 0", Board.grid(2, 2, 1))
    with pytest.raises(InvalidState, match="got a state of the board 2x2, expected"):
        read(State((1, 2, 3, 0), Board.grid(2, 2)), Board.grid(4))


def test_forms_asked_for() -> None:
    with pytest.raises(ParseError, match="there is no form 'morse'; the forms are slash,"):
        read("1 2 3 0", form="morse")
    with pytest.raises(ParseError, match="not in the form 'pddl'; it looks like: line"):
        read("1 2 3 0", form="pddl")


def test_large_texts_are_read_and_refused_quickly() -> None:
    # a guard against quadratic work: minutes if it is there, a second or two if not
    n = 250_000
    text = "500\n" + "\n".join(" ".join(map(str, range(i, i + 500))) for i in range(0, n, 500))
    start = time.process_time()
    assert read(text).state.tiles == tuple(range(n))
    assert read(" ".join(map(str, range(n)))).state.board == Board.grid(500, 500)
    for garbage in ("a", "1", "/", "[", "1\n", "1 ", "|1", "-", "x", "_ ", ";", "# \n"):
        with pytest.raises(TaquinError):
            read(garbage * 200_000)
    assert time.process_time() - start < 120
