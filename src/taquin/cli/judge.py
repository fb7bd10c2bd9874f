"""``taquin judge``: an on-line judge's own input, its own output."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from taquin.cli import common, terminal
from taquin.cli.common import DONE
from taquin.errors import ParseError, TaquinError

if TYPE_CHECKING:
    import argparse

HELP = """Speak an on-line judge's own input and output.

The answers appear once the whole input has been read; bad input gives one line
and exit code 2."""
EXAMPLES = """\
  taquin judge --list
  echo "2 3 4 1 5 x 7 6 8" | taquin judge poj1077
  taquin judge uva10181 boards.in > boards.out

JSON keys with --list: name aliases title source; else: judge output."""


def options(parser: argparse.ArgumentParser) -> None:
    """Say what can follow the command."""
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="the task")
    add("file", nargs="?", metavar="FILE", default="-", help="the input; - is standard input")
    add("--list", action="store_true", dest="list_all", help="list the tasks")
    common.add_json(parser)


def judge(name: str | None, file: str, *, list_all: bool, json: bool) -> int:
    """Run one task, or list them; return the exit code."""
    from taquin.formats.judges import TASKS, find

    if list_all:
        for task in TASKS:
            if json:
                entry = {"name": task.name, "aliases": list(task.names[1:])}
                terminal.show_json({**entry, "title": task.title, "source": task.source})
            else:
                print(f"{task.name:20} {task.title} ({task.source})")
        return DONE
    if name is None:
        raise ParseError("which judge? See 'taquin judge --list'")
    task = find(name)
    source, text = common.read_source(file)
    try:
        output = task(text)
    except TaquinError as error:
        raise type(error)(f"{task.name}, {source}: {error}") from None
    if json:
        terminal.show_json({"judge": task.name, "output": output})
    else:
        sys.stdout.write(output)
    return DONE
