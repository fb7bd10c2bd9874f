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
from taquin.notation.naming import keys_of, without_headings, without_keys
from taquin.notation.plain import PlainLines
from taquin.notation.reading import read_text
from taquin.notation.segments import chained, cut, height_of, rows_of
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
    blocks between blank lines or headings (``Puzzle 3:``), after a count, each after its size
    (``R C`` until ``0 0``; or ``n``), or simply one below the other. A text that is one board as
    a whole is one reading, and so are a start and a goal that are named or joined by ``->``.

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
        self.plain = PlainLines(board)
        self.headed: set[int] = set()  # lines that had a heading in front
        self.waiting: list[Line] = []  # lines looked at but not used, the next one last
        self.source: Iterator[Line] = iter(())
        self.most: int | None = None  # how many lines there are, if they have been seen

    def run(self, text: Any) -> Iterator[Reading | TaquinError]:
        try:
            lines = _lines(text, self.headed)
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
        self.most = sum(bool(_content(line)) for _, line in head) if whole else None
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
        if len(lines) == 1 and self.form is None and not self.repeats:
            result = self.plain.read(lines[0])
            if result is not None:
                return result
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
        if len(_words(head[0][1])[0]) > 3 and self.most is not None and own[0] >= self.most:
            return False  # a board of one character a cell: no board would be left to count
        if _same_word(head[0], head[1]):
            return False
        if "/" in head[1][1]:
            return True  # the next line is a whole board
        if len(following) == own[0] > 1 and len(head) > 2 and len(_words(head[2][1])) == own[0]:
            return False  # n, then rows of n
        if len(following) == 1 and len(head) > 2 and _integers(head[1][1]) is not None:
            return len(_words(head[2][1])) > 1  # a count, then a size, then rows
        return len(following) > 1 or len(_content(head[1][1])) > 3

    def _blocks(self) -> Iterator[Reading | TaquinError]:
        sized_before = False
        while (line := self.next_full()) is not None:
            if keys_of(line[1]):
                yield from self._question(line)
                continue
            head = _integers(line[1])
            if head == [0, 0]:
                return
            if head and not sized_before and self._like_a_row(line, head):
                self.waiting.append(line)
                block = self._take_block()
                if not (self._may_be_size(head) and chained(rows_of(block))):
                    yield from self._cut(block)
                    continue
                self.waiting.append((block[-1][0] + 1, ""))
                self.waiting.extend(reversed(block))
                self.next_full()
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

    def _like_a_row(self, line: Line, head: list[int]) -> bool:
        """Whether a line that may be a size may as well be the first row of a board."""
        following = self.peek(1)
        alike = bool(following) and len(_words(following[0][1])) == len(head) > 1
        return alike and len(set(head)) == len(head)

    def _may_be_size(self, head: list[int]) -> bool:
        """Whether numbers agree with the size of the board, where that is known."""
        shape = None if self.board is None else self.board.shape
        return self.board is None or (shape is not None and sorted(shape) == sorted(head))

    def _question(self, line: Line) -> Iterator[Reading | TaquinError]:
        """Read a start and a goal that are named; a name alone is a heading."""
        taken, seen = [line], set(keys_of(line[1]))
        body = bool(without_keys(line[1]).strip())
        whole = len(seen) == 2
        while not whole and (more := self.next()) is not None:
            if not more[1].strip():
                following = self.peek(1)
                new = set(keys_of(following[0][1])) if following else set()
                if body and (not new or new & seen):
                    break
            keys = set(keys_of(more[1]))
            if keys & seen:
                self.waiting.append(more)
                break
            seen |= keys
            body = bool(without_keys(more[1]).strip()) or (body and not keys)
            taken.append(more)
        if len(seen) == 2:
            yield self.board_of(taken)
        elif seen == {"goal"}:
            yield ParseError(f"line {line[0]}: here is a goal, but no start before it")
        else:
            rest = without_keys(line[1])
            taken[0] = (line[0], rest)
            self.waiting.extend(reversed(taken if rest.strip() else taken[1:]))

    def _sized(self, line: Line, head: list[int]) -> list[Line] | None:
        """Take the lines of a board whose size stands before it; None if this is no size."""
        following = self.peek(2)
        if min(head) < 1 or not following or _same_word(line, following[0]):
            return None
        if "/" in following[0][1]:
            return None  # a whole board
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
        room = n < 10 or (n < 1_000 and (self.most is None or n * n < self.most))
        if n > 1 and room and width == 1 and widths[1:] in ([], [1]):
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
        block = self._take_block(64)
        if len(block) == 64 and self._one_a_line(block):
            yield from map(self.board_of, ([entry] for entry in block if _content(entry[1])))
            while (line := self.next()) is not None and line[1].strip():
                if _content(line[1]):
                    yield self.board_of([line])
            return
        yield from self._cut(block + (self._take_block() if len(block) == 64 else []))

    def _take_block(self, most: int | None = None) -> list[Line]:
        """Take the lines up to a blank one or to a name, `most` at most."""
        block: list[Line] = []
        while (most is None or len(block) < most) and (line := self.next()) is not None:
            if not line[1].strip():
                break
            if block and (line[0] in self.headed or keys_of(line[1])):
                self.waiting.append(line)
                break
            block.append(line)
        return block

    def _cut(self, block: list[Line]) -> Iterator[Reading | TaquinError]:
        """Read a block as one board, or as the boards into which it can be cut."""
        if block and self.board is not None and len(self.board.shape or ()) > 2:
            self._add_layers(block, self.board.n)
        rows = rows_of(block)
        if not rows and not any(_content(line) for _, line in block):
            return
        whole = self.board_of(block)
        if isinstance(whole, Reading) or len(rows) < 2:
            yield whole
        else:
            yield from cut(block, self.board_of, self.board, self.repeats)

    def _add_layers(self, block: list[Line], n: int) -> None:
        """Take the blocks that follow until there are labels for a board of layers."""
        while 0 < sum(len(row.marks) for row in rows_of(block)) < n and self.peek(1):
            while (line := self.next()) is not None and not line[1].strip():
                pass
            if line is not None:
                self.waiting.append(line)
                block.extend((at, "") for at in range(block[-1][0] + 1, line[0]))
                block += self._take_block()

    def _one_a_line(self, block: list[Line]) -> bool:
        """Whether each line is a board by itself, be it right or wrong."""
        rows = [row for row in rows_of(block) if not row.junk]
        single = all(row.stop - row.start == 1 for row in rows)
        return bool(rows) and single and height_of(rows, self.board, self.repeats) == 1

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


def _same_word(one: Line, other: Line) -> bool:
    """Whether two lines are words of one length: boards of one character a cell, not sizes."""
    words = _words(one[1]), _words(other[1])
    return len(words[0]) == len(words[1]) == 1 and 3 < len(words[0][0]) == len(words[1][0])


def _fits_next(following: list[Line], size: list[int]) -> bool:
    return not following or len(_words(following[0][1])) in (size[-1], size[0])


def _lines(text: Any, headed: set[int]) -> Iterable[Line]:
    """Number the lines of a text, of bytes, or of an open file."""
    if isinstance(text, (bytes, bytearray)):
        text = decode(bytes(text))
    if isinstance(text, str):
        lines = clean(text).split("\n")
        return ((at, _plain(at, line, headed)) for at, line in enumerate(lines, 1))
    return (
        (at, _plain(at, clean(_text(line)).rstrip("\n"), headed)) for at, line in enumerate(text, 1)
    )


def _plain(at: int, line: str, headed: set[int]) -> str:
    """Return a line without a heading such as ``Puzzle 3:``; alone it becomes a blank line."""
    if not line.lstrip()[:1].isalpha():
        return line
    plain = without_headings(line)
    if plain != line:
        headed.add(at)
    return plain


def _text(line: Any) -> str:
    return decode(line) if isinstance(line, bytes) else str(line)


def _content(line: str) -> str:
    """Return a line without its comment and blanks (a wall counts as content)."""
    text = line.strip()
    if text.startswith(("//", ";", "%")) and (len(text) > 2 or text[0] == "%"):
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
    """Return the error with its line in front, unless it begins with one."""
    message = str(error)
    if re.match(r"line \d", message):
        return error
    if isinstance(error, ParseError):
        return ParseError(f"line {line}: {message}", error.readings)
    if isinstance(error, InvalidState):
        return InvalidState(f"line {line}: {message}")
    return type(error)(f"line {line}: {message}")
