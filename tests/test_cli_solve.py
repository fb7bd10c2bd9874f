"""`solve`, `shuffle` and `judge`, the terminal, and the command in a process of its own."""

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import ENVIRONMENT, HARD, NEAR, NEVER, SOLVED, Done, keys, one_line

from taquin import Board, Puzzle, State
from taquin.cli import common, solutions, solve, terminal
from taquin.cli.command import PIPE
from taquin.errors import ParseError
from taquin.notation import FORMS, MOVE_FORMS, read_moves

# -- solve --------------------------------------------------------------------------------------


def test_solve_draws(run: Callable[..., Done]) -> None:
    done = run("solve", NEAR)
    assert (done.code, done.out) == (
        0,
        "\n  1 2 3       1 2 3\n  4 5 6   →   4 5 6\n  . 7 8       7 8 .\n\n"
        "2 moves, the fewest possible\nRR\n(letters: the way the blank goes)\n",
    )
    assert "Solved already" in run("solve", SOLVED).out
    done = run("solve", "1 0 2", "--puzzle", "graph:0-1,1-2,2-0")
    assert done.out.endswith("\n2\n(numbers: the cell the blank goes to)\n")


@pytest.mark.parametrize("notation", MOVE_FORMS)
def test_solve_in_every_notation(run: Callable[..., Done], notation: str) -> None:
    done = run("solve", "2 4 3 / 1 5 6 / 7 0 8", "--notation", notation, "--json")
    assert done.code == 0
    record = done.records()[0]
    state = start = State.parse("2 4 3 / 1 5 6 / 7 0 8")
    for cell in read_moves(record["moves"], start, notation):
        state = state.moved(cell)
    assert state == Puzzle.parse("3x3").goal
    assert record["notation"] == notation
    text = run("solve", "2 4 3 / 1 5 6 / 7 0 8", "--notation", notation).out
    assert record["moves"].strip() in text
    assert notation in solutions.MEANING


def test_solve_steps(run: Callable[..., Done]) -> None:
    done = run("solve", NEAR, "--steps")
    assert "1. R  (tile 7)\n  1 2 3\n  4 5 6\n  7 . 8\n" in done.out
    assert "2. R  (tile 8)\n  1 2 3\n  4 5 6\n  7 8 .\n" in done.out
    record = run("solve", NEAR, "--steps", "--json").records()[0]
    assert [states.index(0) for states in record["states"]] == [6, 7, 8]


def test_solve_json(run: Callable[..., Done]) -> None:
    done = run("solve", NEAR, NEVER, "1 2 3 5", "--json")
    assert done.code == 2
    near, never, bad = done.records()
    assert keys(near) == (
        "index source line board metric state goal solvable status length lower_bound"
        " notation moves method expanded generated seconds notes"
    )
    assert (near["length"], near["lower_bound"], near["status"]) == (2, 2, "optimal")
    assert near["moves"] == "RR"
    assert (never["status"], never["solvable"]) == ("unsolvable", False)
    assert never["solvable_for"] == list(Puzzle.parse("3x3").verdict(NEVER).solvable_for)
    assert keys(bad) == "index source line error kind"
    help_text = run("solve", "--help").out
    assert "notation moves method expanded generated seconds notes" in help_text


def test_solve_all_and_count(run: Callable[..., Done]) -> None:
    board = "4 1 3 2 0 8 7 6 5"
    done = run("solve", board, "--all")
    head, *ways = done.out.splitlines()
    assert head == "4 shortest solutions of 10 moves"
    assert len(ways) == len(set(ways)) == 4
    assert ways == sorted(ways)
    done = run("solve", board, "--count")
    assert done.out == head + "\n"
    record = run("solve", board, "--all", "--json").records()[0]
    assert (record["count"], record["solutions"]) == (4, ways)
    record = run("solve", board, "--count", "--json").records()[0]
    assert record["count"] == 4
    assert "solutions" not in record


def test_solve_metric(run: Callable[..., Done]) -> None:
    assert "1 move, the fewest" in run("solve", NEAR, "--metric", "mtm").out
    record = run("solve", NEAR, "--puzzle", "3x3:mtm", "--json").records()[0]
    assert (record["metric"], record["length"]) == ("mtm", 1)


def test_solve_unsolvable(run: Callable[..., Done]) -> None:
    done = run("solve", NEVER)
    assert done.code == 1
    assert done.err.splitlines() == ["note: the size 3x3 is deduced from 9 labels"]
    assert done.out.startswith("Not solvable. ")
    assert "another goal" in done.out
    for words in (["--all"], ["--count"], ["--method", "bfs"], ["--metric", "mtm"]):
        assert run("solve", NEVER, *words).code == 1


def test_solve_limit_is_no_verdict(run: Callable[..., Done]) -> None:
    words = ("solve", HARD, "--method", "bfs", "--time", "20ms")
    done = run(*words)
    assert done.code == 3
    assert done.out.startswith("Limit reached: ")
    assert "olvable" not in done.out
    record = run(*words, "--json").records()[0]
    assert (record["status"], record["solvable"]) == ("limit", True)
    assert record["lower_bound"] >= 0


def test_solve_batch(run: Callable[..., Done], tmp_path: Path) -> None:
    file = tmp_path / "b.txt"
    file.write_text(f"{NEAR.replace(' / ', ' ')}\n{NEVER}\n1 2 3 4 5 6 7 7 0\n{SOLVED}\n")
    done = run("solve", str(file), "--workers", "2")
    assert done.code == 2
    lines = done.out.splitlines()
    assert lines[0] == f"{file}:1: 2 moves, the fewest possible: RR"
    assert lines[1] == f"{file}:2: Not solvable."
    assert lines[-1] == f"{file}:4: Solved already: no moves."
    assert "more than once: 7" in done.err
    assert "3" in done.err


def test_batches_keep_their_order(run: Callable[..., Done]) -> None:
    text = run("shuffle", "3x3", "--count", "40", "--seed", "4").out
    done = run("solve", "-", "--json", stdin=text)
    assert done.code == 0
    assert [record["line"] for record in done.records()] == list(range(1, 41))
    puzzle = Puzzle.parse("3x3")
    for record, line in zip(done.records(), text.splitlines(), strict=True):
        assert puzzle.apply(line, record["moves"]) == puzzle.goal


def test_worst_code() -> None:
    assert common.worst([]) == 0
    assert common.worst([0, 1, 0]) == 1
    assert common.worst([1, 3]) == 3
    assert common.worst([3, 2, 1, 0]) == 2


# -- shuffle ------------------------------------------------------------------------------------


def test_shuffle_is_reproducible_and_solvable(run: Callable[..., Done]) -> None:
    done = run("shuffle", "4x4", "--count", "5", "--seed", "1")
    assert done.code == 0
    assert done == run("shuffle", "4x4", "--count", "5", "--seed", "1")
    assert done != run("shuffle", "4x4", "--count", "5", "--seed", "2")
    puzzle = Puzzle.parse("4x4")
    assert all(puzzle.solvable(line) for line in done.out.splitlines())
    assert len(set(done.out.splitlines())) == 5
    assert run("check", "-", stdin=done.out).code == 0


def test_shuffle_goals_boards_and_depths(run: Callable[..., Done]) -> None:
    for words in (["3x3:spiral"], ["3x3", "--goal", "spiral"], ["--puzzle", "3x3:spiral"]):
        line = run("shuffle", *words, "--seed", "3").out
        assert Puzzle.parse("3x3:spiral").solvable(line)
    puzzle = Puzzle.parse("2x3")
    lines = run("shuffle", "2x3", "--depth", "20", "--count", "3").out.splitlines()
    assert [puzzle.distance(line) for line in lines] == [20, 20, 20]
    line = run("shuffle", "3x3", "--method", "walk", "--steps", "2", "--seed", "1").out
    assert Puzzle.parse("3x3").distance(line) == 2
    assert run("shuffle", "3x3x3", "--seed", "5").code == 0
    assert run("shuffle", "--count", "0").out == ""


def test_shuffle_forms_and_json(run: Callable[..., Done]) -> None:
    plain = run("shuffle", "3x3", "--seed", "9").out.strip()
    for form in ("slash", next(name for name in FORMS if name != "slash")):
        text = run("shuffle", "3x3", "--seed", "9", "--form", form).out
        assert State.parse(text, Board.grid(3, 3)) == State.parse(plain)
    record = run("shuffle", "3x3", "--seed", "9", "--json").records()[0]
    assert keys(record) == "index board state goal text seed method depth level"
    assert record["state"] == list(State.parse(plain).tiles)
    assert (record["seed"], record["board"], record["text"]) == (9, "3x3", plain)
    unseeded = run("shuffle", "3x3", "--json").records()[0]
    again = run("shuffle", "3x3", "--json", "--seed", str(unseeded["seed"])).records()[0]
    assert again == unseeded


# -- judge --------------------------------------------------------------------------------------


def test_judge(run: Callable[..., Done], tmp_path: Path) -> None:
    text = "2  3  4  1  5  x  7  6  8\n"
    assert run("judge", "poj1077", stdin=text) == (0, "ullddrurdllurdruldr\n", "")
    assert run("judge", "HDU1043", "-", stdin=text).out == "ullddrurdllurdruldr\n"
    file = tmp_path / "in"
    file.write_text(text)
    assert run("judge", "zoj1217", str(file)).out == "ullddrurdllurdruldr\n"
    record = run("judge", "zoj1217", str(file), "--json").records()[0]
    assert record == {"judge": "hdu1043", "output": "ullddrurdllurdruldr\n"}
    line = one_line(run("judge", "poj1077", stdin="1 2 3"))
    assert line.startswith("taquin: poj1077, standard input: the board: expected 9 marks")


def test_judge_list(run: Callable[..., Done]) -> None:
    done = run("judge", "--list")
    assert done.code == 0
    assert "zoj2004 " in done.out
    assert "Commedia dell' arte" in done.out
    records = run("judge", "--list", "--json").records()
    assert len(records) == len(done.out.splitlines())
    assert all(list(entry) == ["name", "aliases", "title", "source"] for entry in records)


# -- the terminal -------------------------------------------------------------------------------


class Tty(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_colours_only_on_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    assert terminal.paint("yes", "good", Tty()) == "\x1b[32myes\x1b[0m"
    assert terminal.paint("yes", "good", io.StringIO()) == "yes"
    monkeypatch.setenv("TERM", "dumb")
    assert terminal.paint("yes", "good", Tty()) == "yes"
    monkeypatch.delenv("TERM")
    monkeypatch.setenv("NO_COLOR", "1")
    assert terminal.paint("yes", "good", Tty()) == "yes"


def test_unicode_only_where_it_can_be_written() -> None:
    def stream(encoding: str) -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(), encoding)

    assert terminal.has_unicode(stream("utf-8"))
    assert not terminal.has_unicode(stream("ascii"))
    assert not terminal.has_unicode(stream("latin-1"))
    assert not terminal.has_unicode(io.StringIO())


def test_drawings() -> None:
    assert terminal.draw(State.parse([[1, 10, 2], [0, 3, 4], [5, 6, 7], [8, 9, 11]])) == [
        " 1 10  2", " .  3  4", " 5  6  7", " 8  9 11",
    ]  # fmt: skip
    cube = State((1, 2, 3, 4, 5, 6, 7, 0), Board.grid(2, 2, 2))
    assert terminal.draw(cube) == ["1 2", "3 4", "", "5 6", "7 ."]
    walls = State((1, 2, 3, 4, 5, 6, 7, 0), Board.draw("...|.#.|..."))
    assert terminal.draw(walls) == ["1 2 3", "4 # 5", "6 7 ."]
    ring = State((1, 2, 0), Board.from_edges([(0, 1), (1, 2), (2, 0)]))
    assert terminal.draw(ring) == ["1 2 ."]
    assert terminal.draw(State([*range(1, 1600), 0], Board.grid(40, 40))) == []


def test_progress_only_on_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    from taquin.search.result import Stats

    monkeypatch.setattr(solve, "REPORT_EVERY", 0.0)
    for stream, shows in ((Tty(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        progress = solve.Progress()
        progress(Stats(generated=12345), 7)
        progress.clear()
        assert ("12,345 boards made" in stream.getvalue()) == shows
        assert stream.getvalue().endswith("\r\x1b[K") == shows


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("10s", 10),
        ("2m", 120),
        ("500ms", 0.5),
        ("1.5h", 5400),
        ("7", 7),
        (" .5 S ", 0.5),
        ("3min", 180),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    assert common.duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "s", "-1s", "1e9s", "1 2s", "5 parsecs", "0", "inf", "nan"])
def test_no_durations(text: str) -> None:
    with pytest.raises(ParseError, match="expected a time"):
        common.duration(text)


# -- a process of its own -----------------------------------------------------------------------


def process(*words: str, **options: object) -> subprocess.Popen[bytes]:
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(  # type: ignore[call-overload]
        [sys.executable, "-m", "taquin", *words], env=ENVIRONMENT, **{**streams, **options}
    )


def test_as_a_module() -> None:
    with process("check", NEVER, "--puzzle", "3x3") as child:
        out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (1, b"")
    assert out.startswith(b"Not solvable.")


def test_a_closed_pipe_is_quiet() -> None:
    with process("shuffle", "4x4", "--count", "100000") as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline().count(b"/") == 3
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(60) == PIPE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full, process("check", NEAR, stdout=full) as child:
        _, err = child.communicate(timeout=60)
    assert child.returncode == 2
    assert err.decode().splitlines() == ["taquin: No space left on device"]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize(
    ("method", "sent"),
    [("ida-manhattan", signal.SIGINT), ("bfs", signal.SIGINT), ("ida-manhattan", signal.SIGTERM)],
)
def test_interrupted(method: str, sent: signal.Signals) -> None:
    with process("solve", HARD, "--method", method) as child:
        time.sleep(3)
        child.send_signal(sent)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, b"")
    assert err.decode().splitlines()[-1] == "taquin: interrupted"
    assert b"Traceback" not in err


def test_small_questions_load_nothing_heavy() -> None:
    code = (
        "import sys; from taquin.cli.main import main; main(sys.argv[1:]);"
        "print(*{m.split('.')[0] for m in sys.modules})"
    )
    for words in (["--help"], ["check", SOLVED], ["judge", "--list"], ["shuffle", "3x3"]):
        command = [sys.executable, "-c", code, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=ENVIRONMENT)
        assert not {"numpy", "numba", "rich"} & set(done.stdout.splitlines()[-1].split()), words


def test_qualities_and_better_ways(run: Callable[..., Done]) -> None:
    board = "2 1 3 4 5 6 7 8 / 10 9 11 12 13 14 15 0"
    for quality in ("fast", "good"):
        done = run("solve", board, "--puzzle", "2x8", "--method", "near", "--quality", quality)
        assert done.code == 0
        assert "moves" in done.out
    done = run("solve", board, "--puzzle", "2x8", "--method", "near", "--watch")
    assert re.search(r"\d s  \d+ moves", done.err)
    assert run("solve", board, "--quality", "finest").code == 2


def test_checkpoints_are_for_shortest_ways(run: Callable[..., Done], tmp_path: Path) -> None:
    """What would ignore a checkpoint says so."""
    path = str(tmp_path / "search.json")
    for more in (["--bound", "1.5"], ["--all"], ["--count"], ["--method", "astar"]):
        done = run("solve", NEAR, "--checkpoint", path, *more)
        assert done.code == 2
        assert "--checkpoint" in done.err


@pytest.mark.parametrize("goal", ["blank-last", "blank-first", "columns"])
@pytest.mark.parametrize("notation", ["blank", "tile"])
def test_ways_written_while_they_are_made(
    run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, goal: str, notation: str
) -> None:
    """The letters of large boards are streamed: here the limit is lowered to a small one."""
    monkeypatch.setattr("taquin.cli.letters.MOST_CELLS", 30)
    puzzle = Puzzle.parse(f"6x7:{goal}")
    start = puzzle.random(3)
    text = " ".join(map(str, start.tiles))
    done = run("solve", text, "--puzzle", f"6x7:{goal}", "--notation", notation)
    assert done.code == 0
    state = start
    for cell in read_moves(done.out.strip(), start, notation):
        state = state.moved(cell)
    assert state == puzzle.goal
    assert f"{len(done.out.strip()):,} moves" in done.err
