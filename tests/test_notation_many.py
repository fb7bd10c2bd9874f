"""Files of many boards: counts, sizes, blocks, ids, CSV; a bad board does not stop the rest."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taquin.board import Board
from taquin.errors import InvalidState, TaquinError
from taquin.notation import Reading, read, read_many, write
from taquin.notation.plain import PlainLines
from taquin.state import State

DATA = Path(__file__).parent / "data"


def boards(text: str, **options: object) -> list[str]:
    """Return each board as text, or its error."""
    found = read_many(text, **options)  # type: ignore[arg-type]
    return [str(r.state) if isinstance(r, Reading) else f"! {r}" for r in found]


A, B, C = "1 2 3 / 4 5 6 / 7 8 0", "2 8 3 / 1 0 4 / 7 6 5", "1 2 / 3 0"
ROWS_A, ROWS_B, ROWS_C = (text.replace(" / ", "\n") for text in (A, B, C))

FILES = {
    "rows like a size": ("1 2 3\n4 0 5\n1 2 3\n5 4 0\n", ["1 2 3 / 4 0 5", "1 2 3 / 5 4 0"]),
    "rows like rows and columns": ("3 2\n1 0\n4 5\n3 2\n0 1\n4 5\n",
                                   ["3 2 / 1 0 / 4 5", "3 2 / 0 1 / 4 5"]),
    "sizes like rows": ("3 2\n1 0\n4 5\n3 2\n3 2\n0 1\n4 5\n3 2\n0 0\n",
                        ["1 0 / 4 5 / 3 2", "0 1 / 4 5 / 3 2"]),
    "lists of two rows": ("[[1,2,3],\n[4,0,5]]\n[[1,2,3],\n[5,4,0]]\n",
                          ["1 2 3 / 4 0 5", "1 2 3 / 5 4 0"]),
    "frames": ("+-+-+\n|1|2|\n+-+-+\n|3| |\n+-+-+\n" * 3, [C, C, C]),
    "bars, comments": ("| 1 | 2 |\n// one\n|---|---|\n| 3 |   |\n" * 2, [C, C]),
    "empty places": ("1 2 3\n4   5\n6 7 8\n" * 2, ["1 2 3 / 4 0 5 / 6 7 8"] * 2),
    "headings": (f"Puzzle 1:\n{ROWS_A}\nPuzzle 2:\n{ROWS_B}\n", [A, B]),
    "headings without signs": (f"Case 1\n{ROWS_A}\n\nCase #2\n{ROWS_C}\n", [A, C]),
    "headings before boards": (f"Test case 1: {A}\nTest case 2: {B}\n", [A, B]),
    "names": (f"board: {A}\nboard: {B}\n", [A, B]),
    "names above": (f"Board:\n{ROWS_A}\nBoard:\n{ROWS_B}\n", [A, B]),
    "JSON lines": ('{"board": [[1,2],[3,0]]}\n{"board": [1,2,3,0]}\n', [C, C]),
    "percent": (f"% boards\n%\n{A} % one\n% two\n{B}\n", [A, B]),
    "layers": ("2x2x2: 1 2 3 4 5 6 7 0\n2x2x2: 1 2 3 4 5 6 0 7\n",
               ["2x2x2: 1 2 3 4 5 6 7 0", "2x2x2: 1 2 3 4 5 6 0 7"]),
    "equal labels": ("repeats: 1 1 / 2 0\nrepeats: 1 1 / 0 2\n",
                     ["repeats: 1 1 / 2 0", "repeats: 1 1 / 0 2"]),
    "one a line": (f"{A}\n{B}\n{C}\n", [A, B, C]),
    "flat lines": ("1 2 3 4 5 6 7 8 0\n2 8 3 1 0 4 7 6 5\n", [A, B]),
    "digits": ("123456780\n2831x4765\n", [A, B]),
    "comments": (f"# boards\n{A}\n// none\n\n; more\n{B} # last\n", [A, B]),
    "blocks": (f"{ROWS_A}\n\n{ROWS_B}\n\n\n{ROWS_C}\n", [A, B, C]),
    "blocks of all kinds": (f"{ROWS_A}\n\n[[1,2],\n [3,0]]\n\n{B}\n", [A, C, B]),
    "one below the other": (f"{ROWS_A}\n{ROWS_B}\n", [A, B]),
    "count, rows": (f"2\n{ROWS_A}\n{ROWS_B}\n", [A, B]),
    "count, blank lines": (f"2\n\n{ROWS_A}\n\n{ROWS_B}\n", [A, B]),
    "count, sizes": (f"3\n3\n{ROWS_A}\n2\n{ROWS_C}\n3\n{ROWS_B}\n", [A, C, B]),
    "count, lines": (f"3\n{A}\n{B}\n{C}\n", [A, B, C]),
    "sizes": (f"3\n{ROWS_A}\n2\n{ROWS_C}\n", [A, C]),
    "R C until 0 0": (f"3 3\n{ROWS_A}\n2 2\n{ROWS_C}\n0 0\n9 9\n", [A, C]),
    "R C, all in one line": ("3 3\n1 2 3 4 5 6 7 8 0\n2 2\n1 2 3 0\n0 0\n", [A, C]),
    "cubes": ("2\n2\n1 2 3 4\n5 6 7 0\n2\n1 2 3 4\n5 6 0 7\n",
              ["2x2x2: 1 2 3 4 5 6 7 0", "2x2x2: 1 2 3 4 5 6 0 7"]),
    "cube of rows": ("2\n1 2\n3 4\n5 6\n7 0\n2\n1 2\n3 0\n", ["2x2x2: 1 2 3 4 5 6 7 0", C]),
    "one cube": ("1 2\n3 4\n\n5 6\n7 0\n", ["2x2x2: 1 2 3 4 5 6 7 0"]),
    "one board": (f"3\n{ROWS_A}", [A]),
    "a list": ("3\n" + "\n".join("123456780"), [A]),
    "box": ("+-+-+\n|1|2|\n+-+-+\n|3| |\n+-+-+\n\n|1|2|\n|3| |\n", [C, C]),
    "specs": ("3x3:torus: 1 2 3 4 5 6 7 8 0\n2x2: 1 2 3 0\n",
              ["3x3:torus: 1 2 3 4 5 6 7 8 0", C]),
    "Korf": ("1 1 2 3 4 5 6 7 8 0\n2 2 8 3 1 0 4 7 6 5\n", [A, B]),
    "CSV": ("id,tiles,optimal\n1,1 2 3 4 5 6 7 8 0,0\n2,2 8 3 1 0 4 7 6 5,9\n", [A, B]),
    "CSV with semicolons": ("# source\nid;size;start\nx;2x2;1 2 3 0\n", [C]),
    "CSV with sizes": ('name,rows,cols,tiles\nx,2,3,"1 2 3 4 5 0"\n', ["1 2 3 / 4 5 0"]),
    "nothing": ("", []),
    "only blanks": ("\n \n\n", []),
    "only 0 0": ("0 0\n", []),
    "BOM": (f"\ufeff{A}\r\n{B}\r\n", [A, B]),
    "R C with a faulty board": ("2 2\n1 2\n3 3\n2 2\n1 2\n3 0\n0 0\n",
        ["! line 1: missing: 0 (the blank); more than once: 3", C]),
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in FILES if "faulty" not in name])
def test_files(name: str) -> None:
    text, expected = FILES[name]
    assert boards(text) == expected
    assert boards(text.encode()) == expected  # type: ignore[arg-type]
    lines = io.StringIO(text, newline="")
    assert boards(lines) == expected  # type: ignore[arg-type]


def test_lines_are_numbered() -> None:
    text = f"# c\n{A}\n\n{ROWS_B}\n\n3\n{ROWS_A}\n"
    assert [r.line for r in read_many(text) if isinstance(r, Reading)] == [2, 4, 8]
    text = f"2 2\n{ROWS_C}\n3 3\n{ROWS_A}\n0 0\n"
    assert [r.line for r in read_many(text) if isinstance(r, Reading)] == [1, 4]


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        (f"{A}\n1 2 3 / 4 4 5 / 6 7 0\n{B}\n", {1: "line 2: missing: 8; more than once: 4"}),
        (f"{A}\nfoo\n{B}\n", {1: "line 2, column 1: 'foo' is not a label"}),
        (f"{ROWS_A}\n\n1 2\n3 0 4\n\n{ROWS_B}\n", {1: "line 5"}),
        (f"4\n{ROWS_A}\n{ROWS_B}\n", {2: "line 1: 4 boards are announced, but 2 follow"}),
        (f"3 3\n{ROWS_A}\n2 2\n1 2\n2 0\n2 2\n{ROWS_C}\n0 0\n", {1: "line 6: missing: 3"}),
        (f"3 3\n{ROWS_A}\n2 2\n1 0\n3\n2 2\n{ROWS_C}\n0 0\n", {1: "row 2 (line 7) has 1 label"}),
        ("id,tiles\n1,1 2 3 0\n2\n3,1 2 3 4\n", {1: "line 3: 1 fields, but the tiles are in"}),
        (f"2\n{ROWS_A}\n1 2 3\n4 5 6\n7 7 0\n", {1: "line 5: missing: 8; more than once: 7"}),
        (f"{A}\n1 2 3 4 5 0\n{B}\n", {1: "line 2: 6 numbers in one line: 2x3 or 3x2"}),
        (b"1 2 \xff", {0: "byte 4 is not UTF-8"}),
    ],
)
def test_errors_go_on(text: str, errors: dict[int, str]) -> None:
    found = boards(text)
    for index, message in errors.items():
        assert found[index].startswith("! ")
        assert message in found[index]
    assert sum(board.startswith("! ") for board in found) == len(errors)


BAD = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 15\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("123456780\nhello\n876543210\n", [1, "line 2, column 1: 'hello'", 3]),
        ("123456780\n12345678\n876543210\n", [1, "line 2: 8 numbers in one line", 3]),
        ("123456780\n123456788\n876543210\n", [1, "line 2: missing: 0 (the blank); more than", 3]),
        (f"{ROWS_A}\nhello\n{ROWS_B}\n", [1, "line 4, column 1: 'hello' is no", 5]),
        (f"1 2 3\n4 5\n7 8 0\n{ROWS_B}\n", ["line 1: row 2 (line 2) has 2 labels", 4]),
        (f"{ROWS_A}\n\n1 2 3\n4 5\n7 8 0\n", [1, "line 5: row 2 (line 6) has 2 labels"]),
        (f"{ROWS_A}\n1 2 3\n4 5 6\n{ROWS_B}\n", [1, "line 4: 2 rows of 3", 6]),
        (f"1 2 2\n4 5 6\n7 8 0\n{ROWS_B}\n", ["line 1: missing: 3; more than once: 2", 4]),
        (f"# c\n{ROWS_A}\n# c\n7 7 3\n4 5 6\n# c\n1 8 0\n{ROWS_B}", [2, "line 6: missing: 2", 10]),
        (f"Puzzle 1:\n{ROWS_A}\nPuzzle 2:\n1 2\n2 0\nPuzzle 3: {B}", [2, "line 6: missing", 8]),
        ("5\n1 2 / 3 0\n1 2 / 0 3\n", [2, 3, "line 1: 5 boards are announced"]),
        (BAD * 16, [f"line {i}: missing: 0 (the blank); more than once: 15" for i in range(1, 17)]),
        (BAD * 80, [f"line {i}: missing: 0 (the blank); more than once: 15" for i in range(1, 81)]),
        ("1 2 3\n4 4 0\n" * 2, ["line 1: missing: 5; more than once: 4", "line 3: missing: 5"]),
    ],
)
def test_a_faulty_board_costs_no_other(text: str, expected: list[int | str]) -> None:
    found = list(read_many(text))
    assert len(found) == len(expected)
    for result, wanted in zip(found, expected, strict=True):
        if isinstance(wanted, int):
            assert isinstance(result, Reading)
            assert result.line == wanted
        else:
            assert isinstance(result, TaquinError)
            assert str(result).startswith(wanted)


@settings(max_examples=60)
@given(
    shape=st.sampled_from([(2, 2), (3, 2), (2, 3), (3, 3), (2, 4), (4, 4)]),
    count=st.integers(2, 6),
    given_board=st.booleans(),
    data=st.data(),
)
def test_rows_of_two_boards_are_never_one(
    shape: tuple[int, int], count: int, given_board: bool, data: st.DataObject
) -> None:
    """Stacked boards, one of them with a wrong label: the others are read, the wrong one is not."""
    board = Board.grid(*shape)
    states = [State(data.draw(st.permutations(range(board.n))), board) for _ in range(count)]
    wrong = data.draw(st.integers(0, count - 1))
    tiles = list(states[wrong].tiles)
    tiles[tiles.index(0)] = 1
    texts = [write(state, "rows").strip() for state in states]
    width = shape[1]
    texts[wrong] = "\n".join(
        " ".join(map(str, tiles[i : i + width])) for i in range(0, board.n, width)
    )
    found = list(read_many("\n".join(texts), board if given_board else None))
    truth = {i * shape[0] + 1: state for i, state in enumerate(states) if i != wrong}
    read = {r.line: r.state for r in found if isinstance(r, Reading)}
    if given_board:
        assert read == truth
    assert all(truth.get(line) == state for line, state in read.items())
    assert any(isinstance(r, TaquinError) for r in found)


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("1 2\n3 4\n5 0\n1 2\n3 4\n0 5\n", Board.grid(3, 2)),
        ("1 2 3 4\n5 6 7 0\n1 2 3 4\n5 6 0 7\n", Board.grid(2, 4)),
        ("12\n34\n50\n12\n34\n05\n", Board.grid(3, 2)),
        ("|1|2|\n|3|4|\n|5| |\n" * 2, Board.grid(3, 2)),
        ("1 2\n3 4\n5 6\n7 0\n" * 2, Board.grid(2, 2, 2)),
        ("1 2\n3 4\n\n5 6\n7 0\n\n" * 2, Board.grid(2, 2, 2)),
        ("1 2 3\n4 0\n1 2 3\n0 4\n", Board.draw("...|..#")),
        ("1 2 #\n3 0 #\n" * 2, Board.draw("..#|..#")),
        ("1 2 3\n4 5 0\n" * 2, Board.grid(6)),
    ],
)
def test_stacked_boards_of_a_known_puzzle(text: str, board: Board) -> None:
    found = list(read_many(text, board))
    assert len(found) == 2
    assert all(isinstance(r, Reading) and r.state.board == board for r in found)


def questions(text: str) -> list[tuple[str, str] | str]:
    """Return the start and the goal of each question, or its error."""
    return [
        (str(r.state), str(r.goal)) if isinstance(r, Reading) else f"! {r}" for r in read_many(text)
    ]


G = "1 2 3 / 4 5 6 / 7 8 0"
S = "1 2 3 / 4 0 5 / 6 7 8"
ROWS_G, ROWS_S = (text.replace(" / ", "\n") for text in (G, S))


@pytest.mark.parametrize(
    "text",
    [
        f"start: {S}\ngoal: {G}\n",
        "start: 1 2 3 4 -1 5 6 7 8\ngoal: 1 2 3 4 5 6 7 8 -1",
        f"Initial state:\n{ROWS_S}\nGoal state:\n{ROWS_G}\n",
        f"Initial state:\n\n{ROWS_S}\n\nGoal state:\n\n{ROWS_G}\n",
        f"Initial state: {S} Goal state: {G}",
        f"Goal: {G}\nStart: {S}",
        f"{S} -> {G}",
        "123405678 -> 123456780",
        f"{ROWS_S}\n->\n{ROWS_G}\n",
        "start = [[1,2,3],[4,0,5],[6,7,8]]\ngoal = [[1,2,3],[4,5,6],[7,8,0]]\n",
        "start_state = [[1,2,3],\n [4,0,5],\n [6,7,8]]\n\ngoal_state = [[1,2,3],\n[4,5,6],[7,8,0]]",
        '{"initial": [[1,2,3],[4,0,5],[6,7,8]], "goal": [[1,2,3],[4,5,6],[7,8,0]]}',
    ],
)
def test_a_named_goal_is_no_board_of_its_own(text: str) -> None:
    assert questions(text) == [(S, G)]
    assert questions(f"{text.strip()}\n\n{text}") == [(S, G)] * 2


def test_questions_among_boards() -> None:
    assert questions(f"{S} -> {G}\n{G}\n{G} -> {S}\n") == [(S, G), (G, "None"), (G, S)]
    assert questions(f"start: {S}\ngoal: {G}\n\n{S}\n") == [(S, G), (S, "None")]
    wrong = questions(f"start: {S}\ngoal: {S[:-1]}7\nstart: {G}\ngoal: {S}\n")
    assert wrong == ["! line 2: the goal: missing: 8; more than once: 7", (G, S)]
    alone = questions(f"goal: {G}\n\n{S}\n")
    assert alone == ["! line 1: here is a goal, but no start before it", (S, "None")]
    assert questions(f"{S}\n{G}\n") == [(S, "None"), (G, "None")]


@given(st.lists(st.integers(0, 9), min_size=4, max_size=9), st.booleans())
def test_the_short_way_answers_as_the_long_one(values: list[int], known: bool) -> None:
    text = " ".join(map(str, values))
    board = Board.grid(2, 2) if known else None
    short = PlainLines(board).read((1, text))
    if isinstance(short, Reading):
        assert short == read(text, board)
    elif short is not None:
        with pytest.raises(InvalidState) as caught:
            read(text, board)
        assert str(short) == f"line 1: {caught.value}"


def test_streams_are_read_lazily() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "2 8 3 1 0 4 7 6 5\n"

    found = read_many(endless())
    first = [next(found) for _ in range(1_000)]
    assert all(isinstance(r, Reading) for r in first)
    assert taken < 100_000


def test_options() -> None:
    assert boards("1 2 3 4 5 0\n5 4 3 2 1 0\n", board=Board.grid(2, 3)) == [
        "1 2 3 / 4 5 0",
        "5 4 3 / 2 1 0",
    ]
    assert boards("1 1 2 0\n2 2 1 0\n", repeats=True) == [
        "repeats: 1 1 / 2 0",
        "repeats: 2 2 / 1 0",
    ]
    pair = list(read_many("1 2 3 0\n0 1 2 3\n", form="pair"))
    assert isinstance(pair[0], Reading)
    assert pair[0].goal is not None
    goals = list(read_many("start,goal\n1 2 3 0,0 1 2 3\n"))
    assert isinstance(goals[0], Reading)
    assert goals[0].goal == State((0, 1, 2, 3), Board.grid(2, 2))


@pytest.mark.parametrize("name", ["korf100.csv", "korf24_50.csv", "algs4.csv", "hard.csv"])
def test_golden_files(name: str) -> None:
    text = (DATA / name).read_text("utf-8")
    rows = [line for line in text.splitlines()[1:] if line and not line.startswith("#")]
    found = list(read_many(text))
    assert len(found) == len(rows)
    errors = [result for result in found if not isinstance(result, Reading)]
    assert errors == []


@settings(max_examples=60)
@given(
    sides=st.lists(st.sampled_from([(2, 2), (3, 3), (2, 3), (4, 4)]), min_size=1, max_size=5),
    style=st.sampled_from(["lines", "blocks", "sizes"]),
    data=st.data(),
)
def test_written_files_read_back(
    sides: list[tuple[int, int]], style: str, data: st.DataObject
) -> None:
    states = [State(data.draw(st.permutations(range(r * c))), Board.grid(r, c)) for r, c in sides]
    form = {"lines": "slash", "blocks": "rows", "sizes": "size-line"}[style]
    text = ("\n\n" if style == "blocks" else "\n").join(write(s, form).strip() for s in states)
    if style == "sizes":
        text += "\n0 0\n"
    found = list(read_many(text))
    assert [r.state for r in found if isinstance(r, Reading)] == states
    assert not any(isinstance(r, TaquinError) for r in found)
