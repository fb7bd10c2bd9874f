"""What the commands share: exit codes, options, and reading boards from wherever they come."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from taquin.cli.main import INTERRUPTED as INTERRUPTED
from taquin.errors import (
    ParseError,
    TaquinError,
    quote,
)

if TYPE_CHECKING:
    from taquin.board import Board
    from taquin.notation import Reading

DONE, UNSOLVABLE, BAD, LIMIT = 0, 1, 2, 3


def worst(codes: Iterable[int]) -> int:
    """Return the code of a whole batch: bad input before a limit before an unsolvable board."""
    return max(codes, key=(DONE, UNSOLVABLE, LIMIT, BAD).index, default=DONE)


# -- options ------------------------------------------------------------------------------------


#: Stands before a word that is no option although a dash begins it; no process is given one.
NO_OPTION = "\0"


class Parser(argparse.ArgumentParser):
    """A parser of options whose complaints are errors of this package, one line each."""

    def values(self, words: list[str]) -> dict[str, Any]:
        """Return what the words say, by the names of the options.

        Words after ``--`` are no options, and neither are boards that begin with a dash for the
        blank: ``-123456789abcdef``, ``-,1,2,3``.
        """
        end = words.index("--") if "--" in words else len(words)
        marked = [NO_OPTION + word if _is_dashed_board(word) else word for word in words[:end]]
        marked += [NO_OPTION + word if word[:1] == "-" else word for word in words[end + 1 :]]
        found = vars(self.parse_intermixed_args(marked))
        for name, value in found.items():
            if isinstance(value, str):
                found[name] = value.removeprefix(NO_OPTION)
            elif isinstance(value, list):
                found[name] = [word.removeprefix(NO_OPTION) for word in value]
        return found

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing and leaving."""
        message = message.replace(repr(NO_OPTION)[1:-1], "").replace(NO_OPTION, "")
        raise ParseError(f"{message} (see '{self.prog} --help')")


def _is_dashed_board(word: str) -> bool:
    """Whether a word begins with a dash, but neither as an option does nor as a number."""
    if re.fullmatch(r"-(\d+|\d*\.\d+)", word):
        return False  # the parser knows by itself that a number is no option
    return re.match(r"-[^-A-Za-z]", word) is not None


def add_boards(parser: argparse.ArgumentParser) -> None:
    """Add what every command has that reads boards."""
    add = parser.add_argument
    add(
        "boards",
        nargs="*",
        metavar="BOARD",
        help="boards in any written form, names of files, or - for standard input",
    )
    add(
        "-f",
        "--file",
        action="append",
        dest="files",
        metavar="FILE",
        default=[],
        help="read boards from a file; - is standard input",
    )
    add(
        "--puzzle",
        "--board",
        metavar="SPEC",
        help="the puzzle: 3x3, 4x4:blank-first, 4x4:torus:mtm ...; without it, size and goal are"
        " taken from the text",
    )
    add_goal(parser)
    add("--to", metavar="STATE", help="another state to reach: a board or a file")
    add("--form", metavar="NAME", help="the written form, where guessing is not wanted")
    add("--repeats", action="store_true", help="allow equal labels")
    add("--lang", metavar="en|vi|zh", default="en", help="language of the reasons")
    add_json(parser)


def add_goal(parser: argparse.ArgumentParser) -> None:
    """Add ``--goal``."""
    parser.add_argument(
        "--goal",
        metavar="GOAL",
        help="blank-last, blank-first, spiral, snake, columns, reversed; or a board or a file",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="one JSON object a board, one a line")


def natural(text: str) -> int:
    """Return a whole number of at least 0, for an option."""
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0, got {text[:40]!r}")
    return value


def factor(text: str) -> float:
    """Return a number of at least 1, for an option."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not value >= 1:  # nor is it no number
        raise argparse.ArgumentTypeError(f"expected a number from 1, got {text[:40]!r}")
    return value


def duration(text: str | None) -> float | None:
    """Return the seconds in a text such as ``500ms``, ``10s``, ``2m``, ``1.5h``, ``10``.

    >>> duration("1.5h"), duration("500ms"), duration("7")
    (5400.0, 0.5, 7.0)
    """
    if text is None:
        return None
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)\s*(ms|s|m|min|h|)", text.strip().lower())
    seconds = 0.0
    if found:
        unit = {"ms": 0.001, "s": 1, "": 1, "m": 60, "min": 60, "h": 3600}[found[2]]
        seconds = float(found[1]) * unit
    if seconds <= 0:
        raise ParseError(f"expected a time such as 10s, 2m, 500ms or 1.5h, got {text[:40]!r}")
    return seconds


def size(text: str | None) -> int | None:
    """Return the bytes in a text such as ``4GB``, for an option.

    >>> size("500MB")
    500000000
    """
    from taquin.space_memory import byte_size

    if text is None:
        return None
    try:
        return byte_size(text)
    except OverflowError:  # more than any number of the machine
        raise ParseError(f"expected a size such as 4GB or 500MB, got {quote(text)}") from None


# -- reading ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Item:
    """A board of the input, or what is wrong with it.

    Attributes
    ----------
    index : int
        Its number, counted from 1 over the whole input.
    source : str
        ``"argument"``, ``"standard input"`` or the name of a file.
    line : int
        The line in that source on which it begins, from 1.
    reading : Reading or None
        What was read.
    error : TaquinError or None
        Why it could not be read.
    """

    index: int
    source: str
    line: int
    reading: Reading | None = None
    error: TaquinError | None = None

    @property
    def label(self) -> str:
        """A short name of the place: ``boards.txt:3``, ``line 3``, ``board 3``."""
        if self.source == "argument":
            return f"board {self.index}"
        if self.source == "standard input":
            return f"line {self.line}"
        return f"{self.source}:{self.line}"


def items(
    boards: list[str],
    files: list[str],
    board: Board | None = None,
    form: str | None = None,
    *,
    repeats: bool = False,
) -> Iterator[Item]:
    """Yield every board of the arguments, of the files, or of standard input if there are none.

    Raises
    ------
    ParseError
        If a source holds no board at all, or there is no such form.
    """
    check_form(form)
    return _items(boards, files, board, form, repeats)


def check_form(form: str | None) -> None:
    """Raise the error that names all forms, before anything is read."""
    from taquin.notation import FORMS, write
    from taquin.state import State

    if form is not None and form not in FORMS:
        write(State.parse("1 0"), form)


def _items(
    boards: list[str], files: list[str], board: Board | None, form: str | None, repeats: bool
) -> Iterator[Item]:
    from taquin.notation import read_many

    index = 0
    for source, text in _texts(boards, files):
        before = index
        for found in read_many(text, board, form=form, repeats=repeats):
            index += 1
            if isinstance(found, TaquinError):
                named = re.search(r"\bline (\d+)", str(found))
                yield Item(index, source, int(named[1]) if named else 1, error=found)
            else:
                yield Item(index, source, found.line or 1, found)
        if index == before:
            raise ParseError(f"there is no board in {_named(source)}")


def _named(source: str) -> str:
    return "the argument" if source == "argument" else source


def _texts(boards: list[str], files: list[str]) -> Iterator[tuple[str, str]]:
    boards = [word if is_path(word) else as_text(word) for word in boards]
    if len(boards) > 1 and all(re.fullmatch(r"\S{1,3}", word) for word in boards):
        boards = [" ".join(boards)]  # one board whose quotes were forgotten
    if not boards and not files:
        if sys.stdin is not None and sys.stdin.isatty():
            raise ParseError(
                'no board given: expected one such as "1 2 3 4 5 6 7 8 0", a file, or - for'
                " standard input"
            )
        boards = ["-"]
    for word in boards:
        if word == "-" or is_path(word):
            yield read_source(word)
        else:
            yield "argument", word
    for name in files:
        yield read_source(name)


def is_path(word: str) -> bool:
    """Whether an argument names a file: one that exists, or a word that can be no board.

    A missing file is then reported as missing, not as an unreadable board.
    """
    if not word.strip() or "\n" in word or "\0" in word or len(word) > 4096:
        return False
    try:
        if Path(word).exists():
            return True
    except (OSError, ValueError):
        return False
    # Boards of single marks may have letters, but then neither dots nor slashes, and many marks.
    letters = re.search(r"[g-wyzG-WYZ]", word) is not None
    return (
        letters
        and re.fullmatch(r"[\w./\\~-]+", word) is not None
        and (len(word) < 16 or "." in word or "/" in word)
    )


def read_source(name: str) -> tuple[str, str]:
    """Return the name and the text of a file, or of standard input for ``-``.

    Raises
    ------
    OSError
        If the file cannot be read.
    ParseError
        If it is not text.
    """
    if name == "-":
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
        return "standard input", decode(data, "standard input")
    return name, decode(Path(name).read_bytes(), name)


def decode(data: bytes, source: str) -> str:
    """Return a text in UTF-8, or in UTF-16 if it begins with the mark that says so."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ParseError(
            f"{source} is not a text in {encoding[:6].upper().rstrip('-')}: byte"
            f" {data[error.start]:#04x} at position {error.start} cannot be read"
        ) from None


def as_text(word: str) -> str:
    """Return an argument that is no name of a file as text.

    Where the locale has only ASCII, the bytes of an argument come as surrogates, one each.
    """
    if word.isascii() or not any("\ud800" <= mark <= "\udfff" for mark in word):
        return word
    try:
        return decode(word.encode("utf-8", "surrogateescape"), "the argument")
    except UnicodeEncodeError:
        raise ParseError("the argument is not a text: it holds half a character") from None


def readable(text: str) -> str:
    """Return a message without surrogates, which no stream can write: names of files have them."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def each(
    found: Iterable[Item], answer: Callable[[Item], int], complain: Callable[[Item], int]
) -> int:
    """Answer every board that could be read, complain about the others; return the worst code."""
    return worst([complain(item) if item.error else answer(item) for item in found])
