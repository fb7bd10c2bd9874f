"""Files of many boards: counts, sizes, blocks, ids, CSV; a bad board does not stop the rest."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taquin.board import Board
from taquin.errors import TaquinError
from taquin.notation import Reading, read_many, write
from taquin.state import State

DATA = Path(__file__).parent / "data"


def boards(text: str, **options: object) -> list[str]:
    """Return each board as text, or its error."""
    found = read_many(text, **options)  # type: ignore[arg-type]
    return [str(r.state) if isinstance(r, Reading) else f"! {r}" for r in found]


A, B, C = "1 2 3 / 4 5 6 / 7 8 0", "2 8 3 / 1 0 4 / 7 6 5", "1 2 / 3 0"
ROWS_A, ROWS_B, ROWS_C = (text.replace(" / ", "\n") for text in (A, B, C))

FILES = {
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
    assert boards("1 1 2 0\n2 2 1 0\n", repeats=True) == ["1 1 / 2 0", "2 2 / 1 0"]
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
