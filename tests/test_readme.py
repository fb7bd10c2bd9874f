"""The README is true: its examples run, its commands are the ones that are tested."""

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SURROUNDINGS = {
    "PYTHONPATH": str(ROOT / "src"),
    "PYTHONIOENCODING": "utf-8",
    "COLUMNS": "100",
    "TERM": "dumb",
}


def fenced(language: str) -> list[str]:
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def console() -> list[tuple[str, str]]:
    """Return each `$ taquin ...` line with the output shown under it."""
    found = []
    for block in fenced("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def set_up() -> list[str]:
    """Return the commands that set everything up on a fresh machine."""
    return [line for block in fenced("sh") for line in block.splitlines() if "venv" in line]


@pytest.mark.parametrize("block", fenced("python"), ids=lambda block: block.splitlines()[0])
def test_python_examples(block: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


@pytest.mark.parametrize(("command", "output"), console(), ids=lambda text: text[:40])
def test_console_examples(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "taquin"
    done = subprocess.run(
        [sys.executable, "-m", "taquin", *arguments],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **SURROUNDINGS},
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    want = "".join(line.rstrip() + "\n" for line in output.splitlines())
    got = "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())
    if not doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS):
        assert got == want


def test_there_are_examples() -> None:
    assert fenced("python")
    assert len(console()) >= 3


def test_two_commands_set_everything_up() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    lines = [line.strip() for line in script]
    main_job, tests = set_up()
    assert "taquin solve" in main_job
    assert "pytest" in tests
    assert main_job in lines
    assert tests in lines
    assert lines.index(main_job) < lines.index(tests)


def test_links_lead_to_files() -> None:
    pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
    for page in pages:
        text = (ROOT / page).read_text("utf-8")
        targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
        assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_picture_is_fresh() -> None:
    path = ROOT / "docs" / "make_readme_picture.py"
    spec = importlib.util.spec_from_file_location("make_readme_picture", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.TARGET.read_text("utf-8") == module.picture()


@pytest.mark.parametrize("board", ["5x3", "4x4"])
def test_the_levels_of_the_page_are_those_of_the_program(board: str) -> None:
    program = ROOT / "benchmarks" / "partitions.py"
    done = subprocess.run(
        [sys.executable, program, "--levels", board],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert len(rows) > 5
    page = (ROOT / "docs" / "beyond-one-machine.md").read_text("utf-8").splitlines()
    assert [row for row in rows if row not in page] == []
