"""The command as a process: words that look like options, streams, locales, interruptions."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import ENVIRONMENT, HARD, NEVER, SOLVED, Done

from taquin.cli import common, questions, solutions, terminal
from taquin.cli.command import COMMANDS
from taquin.errors import LimitReached
from taquin.search.result import Stats

BAD = "1 2 3 4 5 6 8 8 0"
posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")


def shell(line: str, *words: str | bytes, **variables: str) -> Done:
    """Run a line of the shell in which ``taquin "$@"`` is the command with these words."""
    line = line.replace("taquin", f"'{sys.executable}' -m taquin")
    done = subprocess.run(
        ["sh", "-c", line, "sh", *words],
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env={**ENVIRONMENT, **variables},
        timeout=60,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


# -- words that begin with a dash ---------------------------------------------------------------


@pytest.mark.parametrize(
    "board", ["-123456789abcdef", "-,1,2,3", "-1,1,2,3", "-1 1 2 3", "-/1/2/3", "-123"]
)
def test_a_board_may_begin_with_a_dash(run: Callable[..., Done], board: str) -> None:
    plain = run("check", "--json", "--", board)
    assert plain.code in (0, 1)
    state = json.loads(plain.out)["state"]
    assert state == list(range(len(state)))
    assert run("check", board, "--json") == plain
    assert run("check", "--json", board) == plain
    goal = run("check", "--json", board, "--to", board)
    assert json.loads(goal.out)["goal"] == state


def test_after_two_dashes_nothing_is_an_option(run: Callable[..., Done], tmp_path: Path) -> None:
    assert run("check", "--", SOLVED).code == 0
    assert run("check", SOLVED, "--").code == 0
    assert "--why" in run("check", "--", "--why").err
    assert run("shuffle", "--seed", "1", "--", "3x3") == run("shuffle", "3x3", "--seed", "1")
    assert run("explore", "--json", "--", "2x2").code == 0
    assert run("tables", "--", "path") == run("tables", "path")
    assert run("judge", "--list", "--") == run("judge", "--list")


def test_words_with_a_dash_are_shown_as_they_are(run: Callable[..., Done]) -> None:
    for words in (
        ["shuffle", "--count", "-1,2"],
        ["solve", SOLVED, "--bound", "-1,2"],
        ["check", SOLVED, "--goal", "-?"],
        ["tables", "-?"],
    ):
        done = run(*words)
        assert done.code == 2
        assert f"'{words[-1]}'" in done.err
    assert "unrecognized arguments: --why" in run("shuffle", "--why").err


# -- streams that are closed or full ------------------------------------------------------------

EVERY = [
    (["check", SOLVED], 0),
    (["check", NEVER], 1),
    (["check", BAD], 2),
    (["solve", "1 2 3 4 5 6 7 0 8"], 0),
    (["solve", NEVER, "--json"], 1),
    (["shuffle", "3x3", "--count", "20"], 0),
    (["shuffle", "2x2", "--depth", "2", "--csv"], 0),
    (["explore", "2x2"], 0),
    (["explore", "2x2", "--csv", "-"], 0),
    (["tables", "path"], 0),
    (["judge", "--list"], 0),
    (["--help"], 0),
    (["--version"], 0),
    *(([name, "--help"], 0) for name in COMMANDS),
]


@posix
@pytest.mark.parametrize(("words", "code"), EVERY)
def test_a_closed_output_leaves_the_exit_code(words: list[str], code: int) -> None:
    done = shell('taquin "$@" >&-', *words)
    assert done.code == code
    assert "Traceback" not in done.err
    assert "fault of this program" not in done.err
    assert shell('taquin "$@" >&- 2>&- <&-', *words) == (code, "", "")


@posix
def test_complaints_never_go_to_the_output() -> None:
    assert shell('taquin check "$1" 2>&-', BAD) == (2, "", "")
    assert shell("taquin frobnicate 2>&-") == (2, "", "")
    done = shell('taquin check "$1" 2>&-', SOLVED)
    assert done.out == shell('taquin check "$1"', SOLVED).out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_notes_that_cannot_be_written_do_not_cost_the_answer() -> None:
    done = shell('taquin check "$1" 2>/dev/full', SOLVED)
    assert (done.code, done.out[:9]) == (0, "Solvable.")
    assert shell('taquin check "$1" 2>/dev/full', BAD) == (2, "", "")
    for words in (["explore", "2x2"], ["shuffle", "2x2", "--csv"], ["tables", "path"]):
        done = shell('taquin "$@" >/dev/full', *words)
        assert (done.code, done.err) == (2, "taquin: No space left on device\n")


@posix
def test_a_file_is_not_taken_for_the_closed_output(tmp_path: Path) -> None:
    file = tmp_path / "depths.csv"
    assert shell('taquin explore 2x2 --csv "$1" >&-', str(file)).code == 0
    assert file.read_text().splitlines()[0] == "depth,states,up_to"
    assert len(file.read_text().splitlines()) == 8


# -- locales ------------------------------------------------------------------------------------

ASCII = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}


@posix
@pytest.mark.parametrize("lang", ["vi", "zh"])
def test_a_language_that_cannot_be_shown(lang: str) -> None:
    for command in ("check", "solve"):
        done = shell('taquin "$@"', command, NEVER, "--puzzle", "3x3", "--lang", lang, **ASCII)
        assert done.err == f"note: the output cannot show '{lang}'; the reasons are in English\n"
        assert done.out == shell('taquin "$@"', command, NEVER, "--puzzle", "3x3").out
        assert "?" not in done.out
    words = ("check", NEVER, "--puzzle", "3x3", "--lang", lang, "--json")
    plain, full = shell('taquin "$@"', *words, **ASCII), shell('taquin "$@"', *words)
    assert plain.out.isascii()
    assert json.loads(plain.out) == json.loads(full.out)
    assert plain.err == ""


@posix
def test_arguments_in_an_ascii_locale(tmp_path: Path) -> None:
    wide = SOLVED.translate({ord("0") + i: chr(0xFF10 + i) for i in range(10)})
    assert shell('taquin check "$1"', wide, **ASCII).code == 0
    assert shell('taquin check "$1" --puzzle "$2"', wide, wide[4] + "x3", **ASCII).code == 0
    assert shell('taquin check "$1" --goal "$2"', SOLVED, wide, **ASCII).code == 0
    assert shell("taquin check $1", wide, **ASCII).code == 0  # without quotes
    file = tmp_path / "bảng.txt"
    file.write_text(SOLVED)
    done = shell('taquin check "$1" --puzzle 3x3', str(file), **ASCII)
    assert (done.code, done.err) == (0, "")
    done = shell('taquin check "é 1 2 3"', **ASCII)
    assert (done.code, done.out) == (2, "")
    assert "\\xe9" in done.err
    done = shell('taquin check "$1"', b"\xff 1 2 3")
    assert done.err == (
        "taquin: the argument is not a text in UTF-8: byte 0xff at position 0 cannot be read\n"
    )


def test_messages_have_no_surrogates(run: Callable[..., Done]) -> None:
    assert common.readable("b\udcc3\udca9 \udcff") == "b\u00e9 \ufffd"
    done = run("check", "-f", "no\udcff.txt")
    assert (done.code, done.err) == (
        2,
        "taquin: No such file or directory: no\ufffd.txt\n",
    )
    assert run("check", "\ud800 1 2 3").code == 2


# -- options are checked once, and first --------------------------------------------------------


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be read, dealt or explored."""

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("the options should have been checked before")

    for name in ("taquin.cli.common.read_source", "taquin.cli.shuffle.at_depth"):
        monkeypatch.setattr(name, fail)
    monkeypatch.setattr("taquin.cli.shuffle.graded", fail)
    monkeypatch.setattr("taquin.cli.explore.run", fail)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("check - --goal foo", "no goal called 'foo'"),
        ("check - --goal @", "no goal called ''"),
        ("check - --to @", "no goal called ''"),
        ("check - --goal 1,2,3,$", "the goal: "),
        ("check - --form smoke", "no form 'smoke'"),
        ("check - --lang tlh", "no language"),
        ("check - --puzzle @", "the puzzle|board"),
        ("solve - --metric foo", "no metric 'foo'"),
        ("solve - --metric @", "no metric ''"),
        ("solve - --method foo", "no method 'foo'"),
        ("solve - --bound nan", "a number from 1, got 'nan'"),
        ("solve - --bound 0.9", "a number from 1, got '0.9'"),
        ("shuffle 3x3 --depth 3 --form smoke", "no form 'smoke'"),
        ("shuffle 3x3 --levels 3 --form smoke", "no form 'smoke'"),
        ("shuffle 2x2x2 --depth 3 --form box", "form"),
        ("shuffle 3x3 --method riffle --count 0", "no method 'riffle'"),
        ("shuffle 3x3 --depth 3 --time soon", "got 'soon'"),
        ("shuffle 3x3 --puzzle @", ""),
        ("shuffle 3x3 --goal foo", "no goal called 'foo'"),
        ("explore 3x3 --metric foo", "no metric 'foo'"),
        ("explore 3x3 --from @", "no goal called ''"),
        ("explore 3x3 --memory much", "much"),
        ("explore 3x3 --csv /nowhere/x.csv", "No such file or directory: /nowhere/x.csv"),
        ("explore 3x3 --graph /nowhere/x.edges", "No such file or directory"),
        ("explore 3x3 --csv /", "Is a directory: /"),
        ("explore 3x3 --checkpoint tests/test_cli_process.py", "is a file"),
        ("tables build 2x3 4y4", "4y4"),
        ("tables list --memory 4GB", "takes no --memory"),
    ],
)
def test_options_are_checked_once_and_first(
    run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, words: str, complaint: str
) -> None:
    monkeypatch.chdir(Path(__file__).parent.parent)
    done = run(*("" if word == "@" else word for word in words.split()))
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert any(part in done.err for part in complaint.split("|"))


def test_a_pack_that_cannot_be_has_no_heading(run: Callable[..., Done]) -> None:
    done = run("shuffle", "3x3", "--levels", "0", "--csv")
    assert (done.code, done.out) == (2, "")


def test_a_plot_needs_a_known_kind(run: Callable[..., Done]) -> None:
    pytest.importorskip("matplotlib")
    assert "its name may end in" in run("explore", "2x2", "--plot", "curve.xyz").err


def test_a_fault_in_the_goal_is_not_laid_to_the_boards(run: Callable[..., Done]) -> None:
    done = run("check", SOLVED, "--goal", "1 2 3 0")
    assert done.code == 2
    assert "the goal: got 4 labels for a board of 9 cells" in done.err


# -- limits -------------------------------------------------------------------------------------


def test_a_limit_tells_of_the_search_alone() -> None:
    wishes = solutions.Wishes("auto", 1, 0.1, "blank", False, 0, False, "en", True)
    question = questions.Questions("3x3", None, None).puzzle
    assert question is not None
    from taquin.search.choose import constructed

    start = question.state("8 1 3 / 4 0 2 / 7 6 5")
    asked = questions.Question(question, start, ())
    known = constructed(start, question.goal, "stm")
    item = common.Item(1, "argument", 1)
    error = LimitReached("enough", known, 9)
    entry = solutions.record(solutions.Outcome(item, asked, error=error), asked, wishes)
    assert (entry["length"], entry["lower_bound"]) == (known.length, 9)
    for key in ("method", "expanded", "generated", "seconds"):
        assert entry[key] is None
    error.stats = Stats("ida", 7, 8, seconds=0.5)  # type: ignore[attr-defined]
    entry = solutions.record(solutions.Outcome(item, asked, error=error), asked, wishes)
    assert (entry["method"], entry["expanded"], entry["generated"]) == ("ida", 7, 8)
    assert entry["seconds"] == 0.5


def test_a_limit_in_json_claims_no_counters_of_another_method(run: Callable[..., Done]) -> None:
    entry = json.loads(run("solve", HARD, "--time", "50ms", "--json").out)
    assert entry["status"] == "limit"
    assert entry["method"] != "construct"
    assert entry["generated"] != 0
    entry = json.loads(run("solve", HARD, "--time", "50ms", "--method", "bfs", "--json").out)
    assert entry["method"] == "bfs"


# -- interruptions ------------------------------------------------------------------------------

#: Runs the command, and interrupts it where a module is looked for.
INTERRUPTED = """
import os, signal, sys
sys.argv = ["taquin", *sys.argv[2:]]
from taquin.cli.main import main
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == WHERE:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
sys.exit(main())
"""


@posix
@pytest.mark.parametrize(
    "where", ["taquin.cli.command", "argparse", "taquin.cli.common", "taquin.cli.check"]
)
def test_interrupted_while_it_is_loaded(where: str) -> None:
    words = [sys.executable, "-c", INTERRUPTED.replace("WHERE", repr(where)), "", "check", SOLVED]
    done = subprocess.run(
        words, check=False, capture_output=True, text=True, env=ENVIRONMENT, timeout=60
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "taquin: interrupted\n"


LOST = """
import os, signal, sys
sys.argv = ["taquin", "check", "1 2 3 0"]
from taquin.cli import main as entry
class Last:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000): pass
import taquin.cli.check as check
def lose(**wishes):
    Last()
    return 0
check.check = lose
sys.exit(entry.main())
"""


@posix
def test_an_interruption_is_not_lost_in_the_end_of_an_object() -> None:
    words = [sys.executable, "-c", LOST]
    done = subprocess.run(
        words, check=False, capture_output=True, text=True, env=ENVIRONMENT, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "taquin: interrupted\n")


@posix
def test_in_the_background_interruptions_are_ignored() -> None:
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + INTERRUPTED
    words = [sys.executable, "-c", code.replace("WHERE", "'argparse'"), "", "check", SOLVED]
    done = subprocess.run(
        words, check=False, capture_output=True, text=True, env=ENVIRONMENT, timeout=60
    )
    assert (done.returncode, done.stdout[:9]) == (0, "Solvable.")


def test_the_terminal_may_go_away(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        encoding = "utf-8"

        def write(self, text: str) -> int:
            raise OSError(5, "Input/output error")

        def flush(self) -> None:
            pass

    monkeypatch.setattr(sys, "stderr", Gone())
    terminal.note("nobody reads this")
    terminal.rewrite("nor this")
    item = common.Item(1, "argument", 1, error=LimitReached("nor this"))
    terminal.complain(item, as_json=False)
    assert isinstance(sys.stderr, Gone)
