"""The command: answers, exit codes, JSON, and input that is no board."""

from collections.abc import Callable
from pathlib import Path

import pytest
from commands import NEAR, NEVER, SOLVED, Done, keys, one_line

from taquin import Puzzle
from taquin.cli import common
from taquin.cli.command import BUG, COMMANDS, PIPE
from taquin.errors import ParseError

# -- the command itself -------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_each_help_has_examples(run: Callable[..., Done], name: str) -> None:
    done = run(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"  taquin {name}" in done.out.partition("Examples:")[2]


def test_help_and_version(run: Callable[..., Done]) -> None:
    done = run("--help")
    assert done.code == 0
    assert all(f"\n  {name} " in done.out for name in COMMANDS)
    assert run() == done
    assert run("--version").out.startswith("taquin 0.")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["chek"], "did you mean 'check'"),
        (["frobnicate"], "expected check, solve, explore, shuffle"),
        (["check", "--no-such-option"], "see 'taquin check --help'"),
        (["--no-such-option"], "no-such-option"),
        (["check", SOLVED, "--lang", "tlh"], "no language 'tlh'"),
        (["solve", NEAR, "--notation", "morse"], "no notation 'morse'"),
        (["solve", NEAR, "--method", "magic"], "no method 'magic'"),
        (["solve", NEAR, "--metric", "miles"], "miles"),
        (["solve", NEAR, "--bound", "0.5"], "bound"),
        (["solve", NEAR, "--bound", "much"], "argument --bound"),
        (["solve", NEAR, "--time", "soon"], "10s, 2m, 500ms or 1.5h, got 'soon'"),
        (["solve", NEAR, "--time", "0s"], "got '0s'"),
        (["shuffle", "4y4"], "4y4"),
        (["shuffle", "--count", "-1"], "count"),
        (["shuffle", "--method", "riffle"], "no method 'riffle'"),
        (["shuffle", "--form", "smoke"], "smoke"),
        (["shuffle", "2x3", "--depth", "22"], "0 to 21"),
        (["shuffle", "4x4", "--min", "40"], "--max"),
        (["shuffle", "3x3", "--depth", "3", "--method", "walk"], "--depth"),
        (["judge"], "taquin judge --list"),
        (["judge", "poj1078"], "poj1077"),
        (["check", NEAR, "--goal", "spiral", "--to", SOLVED], "give one of them"),
        (["check", NEAR, "--goal", "teapot"], "no goal called 'teapot'"),
        (["check", NEAR, "--puzzle", "4x4"], "9"),
        (["check", NEAR, "--puzzle", "0x4"], "0x4"),
    ],
)
def test_wrong_usage_is_one_line(
    run: Callable[..., Done], words: list[str], complaint: str
) -> None:
    assert complaint in one_line(run(*words))


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (MemoryError(), 2, "out of memory"),
        (RecursionError(), 2, "nested too deeply"),
        (PermissionError(13, "Permission denied", "x.txt"), 2, "Permission denied: x.txt"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (BrokenPipeError(), PIPE, ""),
        (ZeroDivisionError("by zero"), BUG, "ZeroDivisionError: by zero"),
    ],
)
def test_every_error_is_one_line(
    run: Callable[..., Done],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    said: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(common, "items", fail)
    monkeypatch.setattr("taquin.cli.command._drop", lambda stream: None)
    done = run("check", SOLVED)
    assert done.code == code
    assert said in done.err
    assert done.err.count("\n") == (said != "")


def test_debugging_shows_where(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAQUIN_DEBUG", "1")
    with pytest.raises(ParseError):
        run("solve", NEAR, "--time", "soon")


# -- check --------------------------------------------------------------------------------------


def test_check_yes(run: Callable[..., Done]) -> None:
    done = run("check", SOLVED)
    assert done.code == 0
    assert done.out.startswith("Solvable. ")
    assert done.out.count("\n") == 1


def test_check_no_names_other_goals(run: Callable[..., Done]) -> None:
    done = run("check", NEVER)
    assert done.code == 1
    assert done.out.startswith("Not solvable. ")
    others = Puzzle.parse("3x3").verdict(NEVER).solvable_for
    assert others
    assert f"another goal: {', '.join(others)}." in done.out
    assert run("check", NEVER, "--goal", others[0]).code == 0


def test_check_why(run: Callable[..., Done]) -> None:
    done = run("check", "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0", "--why")
    assert done.code == 1
    assert " 2  1  3  4" in done.out
    assert "inversions" in done.out
    assert "\x1b" not in done.out


@pytest.mark.parametrize(("lang", "said"), [("vi", "Không giải được"), ("zh", "无解")])
def test_check_languages(run: Callable[..., Done], lang: str, said: str) -> None:
    assert said in run("check", NEVER, "--lang", lang).out
    assert said in run("check", NEVER, "--lang", lang, "--why").out
    assert said in run("solve", NEVER, "--lang", lang).out
    assert said in run("check", NEVER, "--lang", lang, "--json").records()[0]["text"]


def test_check_json(run: Callable[..., Done]) -> None:
    done = run("check", NEVER, NEAR, "1 2 3 4 5 6 7 8 8", "--json")
    assert (done.code, done.err) == (2, "")
    never, near, bad = done.records()
    assert keys(never) == (
        "index source line board state goal solvable rule parity cycles inversions"
        " blank_distance blank_row n_plus_k solvable_for text notes"
    )
    verdict = Puzzle.parse("3x3").verdict(NEVER)
    assert never["state"] == list(map(int, NEVER.split()))
    assert (never["solvable"], never["index"], never["board"]) == (False, 1, "3x3")
    for key in ("rule", "parity", "cycles", "inversions", "blank_distance", "blank_row"):
        assert never[key] == getattr(verdict, key)
    assert never["solvable_for"] == list(verdict.solvable_for)
    assert (near["solvable"], near["index"]) == (True, 2)
    assert keys(bad) == "index source line error kind"
    assert (bad["index"], bad["source"], bad["kind"]) == (3, "argument", "InvalidState")
    for key in ("solvable_for", "notes", "index source line error kind", "n_plus_k"):
        assert key in run("check", "--help").out  # the keys are documented


def test_forgotten_quotes(run: Callable[..., Done]) -> None:
    assert run("check", *"12345678_").code == 0
    assert run("check", *"12345687_").code == 1
    assert run("check", "123456780", "123456870").code == 1


def test_check_files_and_stdin(run: Callable[..., Done], tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(f"{SOLVED}\n{NEVER}\n")
    for words in ([str(file)], ["-f", str(file)], ["--file", str(file), "--puzzle", "3x3"]):
        done = run("check", *words)
        assert done.code == 1
        lines = done.out.splitlines()
        assert lines[0] == f"{file}:1: Solvable."
        assert lines[1] == f"{file}:2: Not solvable."
    for words in (["-"], [], ["-f", "-"]):
        done = run("check", *words, stdin=f"{SOLVED}\n{SOLVED}\n")
        assert (done.code, done.out) == (0, "line 1: Solvable.\nline 2: Solvable.\n")
    done = run("check", NEAR, str(file), stdin=b"")
    assert done.out.startswith(f"board 1: Solvable.\n{file}:1: Solvable.\n")


def test_a_bad_line_does_not_stop_a_batch(run: Callable[..., Done]) -> None:
    text = f"{SOLVED}\n1 2 3 4 5 6 7 7 0\n{NEVER}\n{SOLVED}\n"
    done = run("check", "-", stdin=text)
    assert done.code == 2
    assert [line.split(":")[0] for line in done.out.splitlines() if line[0] != " "] == [
        "line 1", "line 3", "line 4",
    ]  # fmt: skip
    assert "line 2" in done.err
    assert "more than once: 7" in done.err
    assert done.err.count("\n") == 2  # and the note that the size was deduced, once
    records = run("check", "--json", stdin=text).records()
    assert [record["line"] for record in records] == [1, 2, 3, 4]
    assert ["error" in record for record in records] == [False, True, False, False]


def test_check_goals(run: Callable[..., Done], tmp_path: Path) -> None:
    ring = "8 1 2 0 4 3 7 6 5"
    assert run("check", ring).code == 1
    assert run("check", ring, "--goal", "spiral").code == 0
    assert run("check", ring, "--puzzle", "3x3:spiral").code == 0
    assert run("check", ring, "--to", "1 2 3 / 8 0 4 / 7 6 5").code == 0
    file = tmp_path / "goal.txt"
    file.write_text("1 2 3\n8 0 4\n7 6 5\n")
    assert run("check", ring, "--goal", str(file)).code == 0
    record = run("check", ring, "--to", str(file), "--json").records()[0]
    assert record["goal"] == [1, 2, 3, 8, 0, 4, 7, 6, 5]


def test_a_text_may_carry_its_goal(run: Callable[..., Done]) -> None:
    text = "8 1 2 0 4 3 7 6 5\n1 2 3 8 0 4 7 6 5\n"
    done = run("check", "-", "--form", "pair", stdin=text)
    assert done.code == 0
    assert "goal from the text: 1 2 3 / 8 0 4 / 7 6 5" in done.err
    assert run("check", "-", "--form", "pair", "--goal", "blank-last", stdin=text).code == 1
    assert run("check", "-", stdin=text).out.startswith("line 1: Not solvable.")  # two boards


def test_check_other_boards(run: Callable[..., Done]) -> None:
    assert run("check", "1 2 3 4 5 6 7 0", "--puzzle", "2x2x2").code == 0
    assert run("check", "2 1 3 4 5 6 7 8 0", "--puzzle", "3x3:torus").code == 0
    assert run("check", "2 1 0", "--puzzle", "1x3").code == 1
    assert run("check", "1 1 2 0", "--repeats", "--to", "1 2 1 0", "--puzzle", "2x2").code in (0, 1)


# -- input that is no board ---------------------------------------------------------------------


def test_missing_and_unreadable_files(run: Callable[..., Done], tmp_path: Path) -> None:
    assert "No such file or directory: nowhere.txt" in one_line(run("check", "nowhere.txt"))
    assert "No such file or directory: nowhere" in one_line(run("solve", "-f", "nowhere"))
    assert "No such file" in one_line(run("judge", "poj1077", "nowhere"))
    assert "Is a directory" in one_line(run("check", str(tmp_path)))
    assert "No such file" in one_line(run("check", NEAR, "--goal", str(tmp_path / "goal.txt")))


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "no board in standard input"),
        (b"\n\n  \n", "no board"),
        (b"\xff\xfe\xfa", "UTF-16"),
        (b"1 2 3 \xe9\xa8 4", "byte 0xe9 at position 6"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x80", "UTF-8"),
    ],
)
@pytest.mark.parametrize("command", ["check", "solve"])
def test_bytes_that_are_no_text(
    run: Callable[..., Done], command: str, data: bytes, complaint: str
) -> None:
    assert complaint in one_line(run(command, "-", stdin=data))


def test_judges_refuse_bytes_too(run: Callable[..., Done]) -> None:
    assert "UTF-8" in one_line(run("judge", "boj1525", stdin=b"1 2 3 \xff"))
    assert "expected 9 numbers" in one_line(run("judge", "boj1525", stdin=b""))


@pytest.mark.parametrize("command", ["check", "solve"])
@pytest.mark.parametrize(
    "text",
    [
        "1 2 3\0 4 5 6 7 8 0",
        "\0",
        "hello, world",
        "1 2 4",
        "[" * 5000,
        "9" * 5000,
        "\ufeff",
        "\x1b[31m",
    ],
)
def test_texts_that_are_no_board(run: Callable[..., Done], command: str, text: str) -> None:
    done = run(command, "-", stdin=text)
    assert done.code == 2
    assert done.out == ""
    assert "\x1b" not in done.err
    assert "\0" not in done.err
    assert all(line.startswith("taquin: ") for line in done.err.splitlines())
    assert "TAQUIN_DEBUG" not in done.err


@pytest.mark.parametrize("unit", ["1 ", "1", "x", "1,2;", "[1"])
def test_a_line_of_five_megabytes(run: Callable[..., Done], unit: str) -> None:
    done = run("check", "-", stdin=unit * (5_000_000 // len(unit)))
    line = one_line(done)
    assert "TAQUIN_DEBUG" not in line


def test_files_of_other_systems(run: Callable[..., Done], tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    for data in (
        NEAR.replace(" / ", "\n").encode("utf-16"),
        b"\xef\xbb\xbf" + NEAR.replace(" / ", "\r\n").encode(),
    ):
        file.write_bytes(data)
        assert run("check", str(file)).code == 0
