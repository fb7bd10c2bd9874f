"""Which commands there are, and what becomes of every error.

A command is a function in a file of its own; its file is imported when it is called, so that
``taquin --help`` and small questions answer at once. A new command is that file and one line in
`COMMANDS`.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from argparse import RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TextIO

from taquin.cli import common
from taquin.cli.common import BAD, DONE, INTERRUPTED, LIMIT, UNSOLVABLE, Parser
from taquin.errors import LimitReached, ParseError, TaquinError, Unsolvable

#: name -> what it does. The command is the function of that name in ``taquin.cli.<name>``, beside
#: its HELP, its EXAMPLES, and the function `options` that adds what can follow it to a parser.
COMMANDS = {
    "check": "say whether boards can be solved, and why",
    "solve": "solve boards with the fewest moves",
    "explore": "show the whole graph of a board",
    "shuffle": "deal solvable boards, at random or of a given depth",
    "compare": "solve a board with the algorithms of the textbook, side by side",
    "animate": "draw a solution as a moving picture",
    "serve": "serve a page to play, check and solve",
    "tables": "look after the tables kept on disk",
    "judge": "speak an on-line judge's own input and output",
}

HELP = """\
usage: taquin COMMAND ...

Every question about sliding-tile puzzles, on any board. Boards are read in any
written form, from arguments, files or standard input (-).

commands:
{commands}

options:
  -h, --help  show this message; after a command, its own
  --version   show the version

Examples:
  taquin check "1 2 3 4 5 6 8 7 _"
  taquin solve "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3"
  taquin shuffle 4x4 --count 3 --seed 1 | taquin check -

Exit codes:
  0 yes / done    1 some board is not solvable    2 bad input or usage
  3 a limit was reached    130 interrupted
"""
#: The program failed, not its input.
BUG = 70
#: As a shell reports a program that a closed pipe has ended.
PIPE = 141


def run(words: Sequence[str], ready: Callable[[], None] = lambda: None) -> int:
    """Run the command and return its exit code; every error becomes one line.

    Parameters
    ----------
    words : sequence of str
        The words after ``taquin``.
    ready : callable
        Called when everything is loaded, just before the command itself.
    """
    for stream, errors in ((sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        with suppress(AttributeError, OSError):  # what the terminal cannot show is replaced
            stream.reconfigure(errors=errors)  # type: ignore[union-attr]
    try:
        code = _run(list(words) or ["--help"], ready)
        sys.stdout.flush()
    except BaseException as error:
        if os.environ.get("TAQUIN_DEBUG", "0") not in ("", "0"):
            raise
        code = _explain(error)
    return code


def run_process(words: Sequence[str], ready: Callable[[], None]) -> int:
    """Run the command as a process of its own, which has its streams and threads to look after."""
    open_streams()
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    code = run(words, ready)
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        _drop(sys.stderr)  # nobody could read it; the exit code still tells
    if threading.active_count() > 1:
        _leave(code)  # a search that nobody waits for must not keep the process alive
    return code


def open_streams() -> None:
    """Let streams that were closed by who called this program lead nowhere.

    Closing the output asks for the exit code alone. Python has None for such a stream, and the
    next file that is opened would take its place.
    """
    with suppress(OSError):
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(number)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115


def _run(words: list[str], ready: Callable[[], None]) -> int:
    name, *rest = words
    if name in ("-h", "--help"):
        listed = "\n".join(f"  {command:9} {what}" for command, what in COMMANDS.items())
        print(HELP.format(commands=listed), end="")
        return DONE
    if name == "--version":
        from taquin import __version__

        print(f"taquin {__version__}")
        return DONE
    if name not in COMMANDS:
        from difflib import get_close_matches

        near = get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"expected {', '.join(COMMANDS)}"
        raise ParseError(f"there is no command {name[:40]!r}: {hint} (see 'taquin --help')")
    module = import_module(f"taquin.cli.{name}")
    parser = Parser(
        prog=f"taquin {name}",
        description=module.HELP,
        epilog=f"Examples:\n{module.EXAMPLES}",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.options(parser)
    wishes = parser.values(rest)
    ready()
    code: int = getattr(module, name)(**wishes)
    return code


def _show_warning(message: Warning | str, *_: object) -> None:
    """Show a warning, such as of a table that cannot be kept, as one line like all notes."""
    with suppress(OSError, ValueError, AttributeError):
        print("note:", " ".join(str(message).split()), file=sys.stderr)


def _explain(error: BaseException) -> int:
    """Say in one line what went wrong; return the exit code."""
    code, message = _outcome(error)
    if code == PIPE or isinstance(error, OSError):
        _drop(sys.stdout)
    if message:
        with suppress(OSError, ValueError):
            print(
                "taquin:", common.readable(" ".join(message.split())), file=sys.stderr, flush=True
            )
    return code


def _outcome(error: BaseException) -> tuple[int, str]:
    if isinstance(error, SystemExit):  # the help of a command
        return (error.code if isinstance(error.code, int) else DONE), ""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED, "interrupted"
    if isinstance(error, TaquinError):
        codes = {Unsolvable: UNSOLVABLE, LimitReached: LIMIT}
        return codes.get(type(error), BAD), str(error)
    if isinstance(error, BrokenPipeError):
        return PIPE, ""
    if isinstance(error, OSError):
        name = f": {error.filename}" if error.filename else ""
        return BAD, f"{error.strerror or error}{name}"
    if isinstance(error, MemoryError):
        return BAD, "out of memory: the board or the search is too large for this machine"
    if isinstance(error, RecursionError):
        return BAD, "the input is nested too deeply"
    return BUG, (
        f"a fault of this program, not of yours: {type(error).__name__}: {error};"
        " TAQUIN_DEBUG=1 shows where"
    )


def _drop(stream: TextIO) -> None:
    """Let what is still to be written go nowhere, so that leaving raises no second error."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _leave(code: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
