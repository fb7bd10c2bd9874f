"""`read_many`: files of boards, one a line or in blocks, with counts, sizes, ids or CSV columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import prod
from typing import Any

from taquin.board import Board
from taquin.errors import InvalidState, ParseError, TaquinError
from taquin.notation.labels import number
from taquin.notation.model import Reading
from taquin.notation.reading import read_text
from taquin.notation.tokens import clean, decode

#: Up to this many characters a text is first tried as one board.
WHOLE_UP_TO = 1_000_000
_COLUMNS = ("tiles", "start", "board", "state", "scramble", "puzzle", "instance")

Line = tuple[int, str]


def read_many(
    text: str | bytes | Iterable[str],
    board: Board | None = None,
    *,
    form: str | None = None,
    repeats: bool = False,
) -> Iterator[Reading | TaquinError]:
    r"""Read every board of a text or an open file, in order; a bad one is yielded as an error.

    Boards may stand one on a line (also Korf's lists and CSV files with a column ``tiles``), in
    blocks between blank lines, after a count, each after its size (``R C`` until ``0 0``; or
    ``n``), or simply one below the other. A text that is one board as a whole is one reading.

    Yields
    ------
    Reading or TaquinError
        The error's message begins with its line; reading goes on after it.

    Examples
    --------
    >>> boards = list(read_many("2 2\n1 2\n3 0\n2 2\n1 2\n2 0\n0 0\n"))
    >>> boards[0].state.tiles, str(boards[1])
    ((1, 2, 3, 0), 'line 5: missing: 3; more than once: 2')
    """
    yield from _Many(board, form, repeats).run(text)


class _Many:
    """The lines still to come, and what every board is read with."""

    def __init__(self, board: Board | None, form: str | None, repeats: bool) -> None:
        self.board, self.form, self.repeats = board, form, repeats
        self.waiting: list[Line] = []  # lines looked at but not used, the next one last
        self.source: Iterator[Line] = iter(())

    def run(self, text: Any) -> Iterator[Reading | TaquinError]:
        try:
            lines = _lines(text)
        except TaquinError as error:
            yield error
            return
        self.source = iter(lines)
        head, whole = self._head()
        if whole and head:
            reading = self.attempt(head)
            if reading is not None:
                yield reading
                return
        self.waiting = head[::-1]
        yield from self._boards()

    def _head(self) -> tuple[list[Line], bool]:
        """Return the first lines, and whether they are all there are."""
        head: list[Line] = []
        size = 0
        for line in self.source:
            head.append(line)
            size += len(line[1]) + 1
            if size > WHOLE_UP_TO:
                return head, False
        return head, True

    # -- lines -----------------------------------------------------------------------------

    def next(self) -> Line | None:
        """Take the next line, or None at the end."""
        if self.waiting:
            return self.waiting.pop()
        return next(self.source, None)

    def next_full(self) -> Line | None:
        """Take the next line that holds more than a comment."""
        while (line := self.next()) is not None:
            if _content(line[1]):
                return line
        return None

    def peek(self, count: int) -> list[Line]:
        """Look at the next `count` lines that hold something, without taking them."""
        taken: list[Line] = []
        full = 0
        while full < count and (line := self.next()) is not None:
            taken.append(line)
            full += bool(_content(line[1]))
        self.waiting.extend(reversed(taken))
        return [line for line in taken if _content(line[1])]

    # -- reading ---------------------------------------------------------------------------

    def attempt(self, lines: list[Line]) -> Reading | None:
        """Read lines as one board; None if they are not one."""
        result = self.board_of(lines)
        return result if isinstance(result, Reading) else None

    def board_of(self, lines: list[Line]) -> Reading | TaquinError:
        """Read lines as one board, or return the error, which names a line."""
        text = "\n".join(line for _, line in lines)
        try:
            pairs = self.form == "pair"
            return read_text(
                text, self.board, form=self.form, repeats=self.repeats, first=lines[0][0],
                pairs=pairs,
            )  # fmt: skip
        except TaquinError as error:
            return _at(error, next((at for at, line in lines if _content(line)), lines[0][0]))

    def sized_board(self, lines: list[Line], head: list[int]) -> Reading | TaquinError:
        """Read the lines of a board of which the first gives the size."""
        rows = [len(_words(line)) for _, line in lines[1:] if _content(line)]
        if self.board or self.form or not rows or head[-1] != rows[0]:
            return self.board_of(lines)
        shape = head if len(head) > 1 else [*head, *head]
        if len(head) == 1 and sum(rows) > head[0] ** 2:
            return self.board_of(lines)  # a cube
        try:
            board = Board.grid(*shape)
        except TaquinError as error:
            return _at(error, lines[0][0])
        result = _Many(board, None, self.repeats).board_of(lines[1:])
        return replace(result, line=lines[0][0]) if isinstance(result, Reading) else result

    def _boards(self) -> Iterator[Reading | TaquinError]:
        first = self.peek(1)
        if first and _csv_columns(first[0][1]):
            yield from self._csv()
            return
        announced, count, head = None, 0, self.peek(3)
        if self._is_count(head):
            self.next_full()
            announced = (_integers(head[0][1]) or [0])[0]
        for result in self._blocks():
            count += 1
            yield result
        if announced is not None and count < announced:
            at = head[0][0]
            yield ParseError(f"line {at}: {announced:,} boards are announced, but {count:,} follow")

    def _is_count(self, head: list[Line]) -> bool:
        """Whether the first line is a count of boards: a number alone that is no size."""
        if len(head) < 2:
            return False
        own, following = _integers(head[0][1]), _words(head[1][1])
        if own is None or len(own) != 1 or own[0] < 1:
            return False
        if _same_word(head[0], head[1]):
            return False
        if len(following) == own[0] > 1 and len(head) > 2 and len(_words(head[2][1])) == own[0]:
            return False  # n, then rows of n
        if len(following) == 1 and len(head) > 2 and _integers(head[1][1]) is not None:
            return len(_words(head[2][1])) > 1  # a count, then a size, then rows
        return len(following) > 1 or len(_content(head[1][1])) > 3

    def _blocks(self) -> Iterator[Reading | TaquinError]:
        sized_before = False
        while (line := self.next_full()) is not None:
            head = _integers(line[1])
            if head == [0, 0]:
                return
            sized = self._sized(line, head) if head else None
            if sized is None or head is None:
                self.waiting.append(line)
                yield from self._block()
                continue
            result = self.sized_board(sized, head)
            row = len(head) > 1 and len(head) == len(_words(sized[1][1]))
            if row and not sized_before and not isinstance(result, Reading):
                self.waiting.extend(reversed(sized))  # it was a row like the others
                yield from self._block()
                continue
            sized_before = True
            yield result

    def _sized(self, line: Line, head: list[int]) -> list[Line] | None:
        """Take the lines of a board whose size stands before it; None if this is no size."""
        following = self.peek(2)
        if min(head) < 1 or not following or _same_word(line, following[0]):
            return None
        widths = [len(_words(text)) for _, text in following]
        if len(head) == 1:
            cells = self._cells(head[0], widths)
        else:
            cells = prod(head) if widths[0] in (head[-1], head[0], prod(head), 1) else 0
        if cells < 2:
            return None
        taken, found, rows = [line], 0, 0
        while found < cells and (more := self.next()) is not None:
            words = _words(more[1])
            odd = bool(words) and rows > 0 and (len(words) != widths[0] or rows >= head[0])
            size = _integers(more[1]) if odd else None
            if size is not None and len(size) == len(head) and _fits_next(self.peek(1), size):
                self.waiting.append(more)  # labels are missing: this is the next board's size
                break
            taken.append(more)
            found, rows = found + len(words), rows + bool(words)
        return taken

    def _cells(self, n: int, widths: list[int]) -> int:
        """Return how many labels follow a single number: n^2, n^3, or 0 if it is no size."""
        width = widths[0]
        if n > 1 and width == n * n:
            return n**3 if widths[1:] == [width] else n * n  # a layer on each line, or all in one
        if n > 1 and width == 1 and widths[1:] in ([], [1]):
            return n * n
        if width != n or n < 2:
            return 0
        rows = self.peek(n + 1)
        if len(rows) > n and len(_words(rows[n][1])) == n:
            labels = {number(word) or 0 for _, text in rows[:n] for word in _words(text)}
            if max(labels) > n * n or 0 not in labels:
                return n**3  # the rows go on, and so far they are no n x n board
        return n * n

    def _block(self) -> Iterator[Reading | TaquinError]:
        """Read the lines up to a blank one: one board, boards one below the other, or lines."""
        block: list[Line] = []
        size = 0
        while (line := self.next()) is not None:
            if not line[1].strip():
                break
            block.append(line)
            size += len(line[1])
            if len(block) == 64 and self._one_a_line(block):
                yield from map(self.board_of, ([entry] for entry in block if _content(entry[1])))
                yield from self._lines_of_block()
                return
        full = [entry for entry in block if _content(entry[1])]
        if not full:
            return
        whole = self.board_of(block)
        if isinstance(whole, Reading) or len(full) == 1:
            yield whole
            return
        width = len(_words(full[0][1]))
        if self._one_a_line(full):
            yield from map(self.board_of, ([entry] for entry in full))
        elif width > 1 and len(full) > width:
            yield from map(self.board_of, (full[i : i + width] for i in range(0, len(full), width)))
        else:
            yield whole

    def _lines_of_block(self) -> Iterator[Reading | TaquinError]:
        while (line := self.next()) is not None and line[1].strip():
            if _content(line[1]):
                yield self.board_of([line])

    def _one_a_line(self, block: list[Line]) -> bool:
        """Whether most lines are boards by themselves, and the first rows are not one board."""
        sample = [entry for entry in block[:64] if _content(entry[1])]
        width = len(_words(sample[0][1])) if sample else 0
        if 1 < width <= len(sample) and self.attempt(sample[:width]) is not None:
            return False
        good = sum(_is_board(self.board_of([entry])) for entry in sample)
        return 2 * good > len(sample)

    # -- CSV -------------------------------------------------------------------------------

    def _csv(self) -> Iterator[Reading | TaquinError]:
        head = self.next_full()
        if head is None:
            return
        sign, names, column = _csv_columns(head[1]) or (",", [], 0)
        while (line := self.next_full()) is not None:
            try:
                fields = next(csv.reader([line[1]], delimiter=sign), [])
            except csv.Error as error:
                yield ParseError(f"line {line[0]}: this is no row of a CSV file: {error}")
                continue
            if column >= len(fields):
                yield ParseError(
                    f"line {line[0]}: {len(fields)} fields, but the tiles are in field {column + 1}"
                )
                continue
            row = dict(zip(names, fields, strict=False))
            yield self._csv_board(line[0], fields[column], row)

    def _csv_board(self, at: int, tiles: str, row: dict[str, str]) -> Reading | TaquinError:
        try:
            board = self.board or _csv_size(row)
            options: dict[str, Any] = {"form": self.form, "repeats": self.repeats, "first": at}
            reading = read_text(tiles, board, pairs=False, **options)
            if row.get("goal", "").strip():
                goal = read_text(row["goal"], reading.state.board, pairs=False, **options)
                reading = replace(reading, goal=goal.state)
            return replace(reading, line=at)
        except TaquinError as error:
            return _at(error, at)


def _csv_size(row: dict[str, str]) -> Board | None:
    """Return the board that the columns rows and cols, size, or n give."""
    rows, columns = row.get("rows", ""), row.get("cols", row.get("columns", ""))
    if rows.isdigit() and columns.isdigit():
        return Board.grid(int(rows), int(columns))
    if "x" in row.get("size", ""):
        return Board.parse(row["size"])
    side = row.get("n", "")
    return Board.grid(int(side), int(side)) if side.isdigit() and len(side) < 5 else None


def _csv_columns(line: str) -> tuple[str, list[str], int] | None:
    """Return the separator, the names of the columns, and which holds the tiles; or None."""
    for sign in ";,\t":
        names = [name.strip().lower() for name in line.split(sign)]
        if len(names) > 1 or names[0] in _COLUMNS:
            for wanted in _COLUMNS:
                if wanted in names:
                    return sign, names, names.index(wanted)
    return None


def _is_board(result: Reading | TaquinError) -> bool:
    """Whether a line is a board, be it one of unknown size."""
    return isinstance(result, Reading) or bool(getattr(result, "readings", ()))


def _same_word(one: Line, other: Line) -> bool:
    """Whether two lines are words of one length: boards of one character a cell, not sizes."""
    words = _words(one[1]), _words(other[1])
    return len(words[0]) == len(words[1]) == 1 and 3 < len(words[0][0]) == len(words[1][0])


def _fits_next(following: list[Line], size: list[int]) -> bool:
    return not following or len(_words(following[0][1])) in (size[-1], size[0])


def _lines(text: Any) -> Iterable[Line]:
    """Number the lines of a text, of bytes, or of an open file."""
    if isinstance(text, (bytes, bytearray)):
        text = decode(bytes(text))
    if isinstance(text, str):
        return enumerate(clean(text).split("\n"), 1)
    return ((at, clean(_text(line)).rstrip("\n")) for at, line in enumerate(text, 1))


def _text(line: Any) -> str:
    return decode(line) if isinstance(line, bytes) else str(line)


def _content(line: str) -> str:
    """Return a line without its comment and blanks (a wall counts as content)."""
    text = line.strip()
    if text.startswith(("//", ";", "%")) and len(text) > 2:
        return ""
    if text.startswith("#") and not re.fullmatch(r"[#\s\d_.]*[\d_.#]", text):
        return ""
    if text == "#" or (text.startswith("#") and set(text) <= {"#", "-", "=", " "} and " " in text):
        return "" if text.count("#") == 1 else text
    return text


def _words(line: str) -> list[str]:
    return _content(line).split("#")[0].replace(",", " ").split()


def _integers(line: str) -> list[int] | None:
    """Return the few numbers of a line that may be a size or a count; None for anything else."""
    words = _words(line)
    if not 1 <= len(words) <= 3 or any(len(word) > 9 for word in words):
        return None
    values = [number(word) for word in words]
    return None if None in values else values  # type: ignore[return-value]  # no None in it


def _at(error: TaquinError, line: int) -> TaquinError:
    """Return the error with its line in front, unless it names one."""
    message = str(error)
    if re.search(r"\bline \d", message):
        return error
    if isinstance(error, ParseError):
        return ParseError(f"line {line}: {message}", error.readings)
    if isinstance(error, InvalidState):
        return InvalidState(f"line {line}: {message}")
    return type(error)(f"line {line}: {message}")
