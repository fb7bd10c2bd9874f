"""The command itself: which commands there are, and what becomes of every error.

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
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module

from taquin.cli.common import BAD, DONE, INTERRUPTED, LIMIT, UNSOLVABLE, Parser
from taquin.errors import LimitReached, ParseError, TaquinError, Unsolvable

#: name -> what it does. The command is the function of that name in ``taquin.cli.<name>``, beside
#: its HELP, its EXAMPLES, and the function `options` that adds what can follow it to a parser.
COMMANDS = {
    "check": "say whether boards can be solved, and why",
    "solve": "solve boards with the fewest moves",
    "explore": "show the whole graph of a board",
    "shuffle": "deal solvable boards, at random or of a given depth",
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; no error ends in a traceback.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``taquin``; those of the process if not given.

    Notes
    -----
    With the environment variable ``TAQUIN_DEBUG`` set to anything but 0, errors show where they
    come from.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError):  # what the terminal cannot show becomes a "?"
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if arguments is None:
        warnings.showwarning = _show_warning  # type: ignore[assignment]
    try:
        code = _run(words or ["--help"])
        sys.stdout.flush()
    except BaseException as error:
        if os.environ.get("TAQUIN_DEBUG", "0") not in ("", "0"):
            raise
        code = _explain(error)
    if arguments is None and threading.active_count() > 1:
        _leave(code)  # a search that nobody waits for must not keep the process alive
    return code


def _run(words: list[str]) -> int:
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
    code: int = getattr(module, name)(**vars(parser.parse_intermixed_args(rest)))
    return code


def _show_warning(message: Warning | str, *_: object) -> None:
    """Show a warning, such as of a table that cannot be kept, as one line like all notes."""
    with suppress(OSError, ValueError, AttributeError):
        print("note:", " ".join(str(message).split()), file=sys.stderr)


def _explain(error: BaseException) -> int:
    """Say in one line what went wrong; return the exit code."""
    code, message = _outcome(error)
    if code == PIPE or isinstance(error, OSError):
        _drop_output()
    if message:
        with suppress(OSError, ValueError):
            print("taquin:", " ".join(message.split()), file=sys.stderr)
            sys.stderr.flush()
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


def _drop_output() -> None:
    """Let what is still to be written go nowhere, so that leaving raises no second error."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


def _leave(code: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
