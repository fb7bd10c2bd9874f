"""Where a block of lines is cut into boards: one a line, one below the other, or in brackets.

The height is the one with which the fewest labels are missing, so that a faulty board costs no
other. Rows of two boards are never put together: if the block holds a whole number of boards,
they stand at multiples of the height, be they right or wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod

from taquin.board import Board, WallBoard
from taquin.errors import ParseError, TaquinError
from taquin.notation.labels import interpret, is_label, missing, number
from taquin.notation.model import Mark, Reading
from taquin.notation.tokens import is_rule, uncomment

Line = tuple[int, str]
Result = Reading | TaquinError
Reader = Callable[[list[Line]], Result]

#: So many rows of a block show its height.
SAMPLE = 240
_FRAME = re.compile(r"[\[\](){}/|;,'\"]")
_WALLS = re.compile(r"[#\s\w.,_|/-]*\Z")


@dataclass
class Row:
    """A row of a block: one line, or the lines of a list in brackets."""

    start: int
    stop: int
    marks: list[Mark]

    @property
    def junk(self) -> bool:
        """Whether nothing in it can be a label."""
        return not any(is_label(mark) for mark in self.marks)


def rows_of(block: list[Line]) -> list[Row]:
    """Return the rows of a block; comments and rules of frames are none."""
    rows: list[Row] = []
    depth = 0
    for index, (_, line) in enumerate(block):
        marks = marks_of(line)
        if depth > 0:
            rows[-1].stop = index + 1
            rows[-1].marks += marks
        elif marks:
            rows.append(Row(index, index + 1, marks))
        else:
            continue
        depth += sum(map(line.count, "[({")) - sum(map(line.count, "])}"))
        depth = max(depth, 0)
    if rows and all(len(row.marks) == 1 and len(str(row.marks[0])) == 2 for row in rows):
        for row in rows:  # no board has labels from 10 on only: rows of two characters
            row.marks = list(str(row.marks[0]))
    return rows


def marks_of(line: str) -> list[Mark]:
    """Return the marks of a line, single characters where they stand together.

    >>> marks_of("| 1 |   | 3 |"), marks_of("1230"), marks_of("+---+---+")
    (['1', '', '3'], ['1', '2', '3', '0'], [])
    """
    if is_rule(line):
        return []
    kept = line if "#" in line and _WALLS.match(line) and len(line) < 1_000 else uncomment(line)
    text = kept.strip()
    if text[:1] == "|" == text[-1:] and len(text) > 2:
        cells = [cell.split() for cell in text[1:-1].split("|")]
        if all(len(cell) < 2 for cell in cells):
            return [cell[0] if cell else "" for cell in cells]
    words = _FRAME.sub(" ", kept).split()
    lengths = {len(word) for word in words}
    if len(lengths) == 1 and lengths.pop() > 2 and sum(map(len, words)) <= 400:
        return [sign for word in words for sign in word]
    return [word for word in words if word != "#"]


def cut(block: list[Line], read: Reader, board: Board | None, repeats: bool) -> Iterator[Result]:
    """Yield the boards of a block that is no board as a whole, and the errors, in order."""
    rows = rows_of(block)
    good = [row for row in rows if not row.junk]
    height = height_of(good, board, repeats) if good else 1
    part: list[Row] = []
    for row in rows:
        if row.junk:
            yield from _boards(block, part, height, read, repeats)
            yield read(block[row.start : row.stop])
            part = []
        else:
            part.append(row)
    yield from _boards(block, part, height, read, repeats)


def _boards(
    block: list[Line], rows: list[Row], height: int, read: Reader, repeats: bool
) -> Iterator[Result]:
    """Read rows of which each `height` are a board, and find the next after a missing row."""

    def at(start: int, count: int) -> Result:
        part = rows[start : start + count]
        return read(block[part[0].start : part[-1].stop])

    start, end = 0, len(rows)
    width = _width(rows) if rows else 0
    whole = end % height == 0
    while start < end:
        result = at(start, height)
        skip = height
        if not whole and not isinstance(result, Reading):
            skip = _skip(rows, start, height, repeats)
            result = at(start, skip)
        taken = rows[start : start + skip]
        if isinstance(result, Reading) and len(taken) < height == width == len(taken[0].marks):
            result = ParseError(  # not a smaller board that happens to be whole
                f"line {block[taken[0].start][0]}: {len(taken)} rows of {width} labels, expected"
                f" {height} as in the boards around"
            )
        yield result
        start += skip


def _skip(rows: list[Row], start: int, height: int, repeats: bool) -> int:
    """Return how many rows a faulty board takes: the next one begins where a board is whole."""
    left = len(rows) - start
    skips: list[int] = [height, height - 1, height + 1, *range(1, 2 * height)]
    for skip in skips:
        below = rows[start + skip : start + skip + height]
        if 0 < skip < left and badness(below, height, repeats) == 0:
            return skip
    return min(height, left)


def height_of(rows: list[Row], board: Board | None = None, repeats: bool = False) -> int:
    """Return how many rows a board has: with this height the fewest labels are missing."""
    width = _width(rows)
    if board is not None:
        if isinstance(board, WallBoard) and width < board.n:
            return max(1, len(board.rows))
        if board.n % width == 0:
            return board.n // width
    total = len(rows)
    heights = [width, *(h for h in range(1, min(total, SAMPLE) + 1) if total % h == 0), total]
    sample = rows[:SAMPLE]
    best: int = width
    least = float("inf")
    for height in dict.fromkeys(heights):
        some = sample[: max(1, len(sample) // height) * height] if height < total else rows
        if height > len(some) and height != total and height != width:
            continue
        bad = sum(
            badness(some[i : i + height], height, repeats) for i in range(0, len(some), height)
        ) / len(some)
        if bad < least:
            best, least = height, bad
    return best


def _width(rows: list[Row]) -> int:
    return Counter(len(row.marks) for row in rows).most_common(1)[0][0]


def badness(rows: list[Row], height: int, repeats: bool = False) -> int:
    """Return 0 for rows that are a board, else how many labels are missing, at least 1."""
    marks = [mark for row in rows for mark in row.marks]
    even = len(rows) == height and len({len(row.marks) for row in rows}) == 1
    if even and interpret(marks, repeats):
        return 0
    lacking = (height - len(rows)) * len(rows[0].marks) if rows else 0
    most = height * len(rows[0].marks) if rows else 0
    outside = sum((number(mark) or 0) > most for mark in marks)
    return max(1, missing(marks) + lacking + outside)


def chained(rows: list[Row]) -> bool:
    """Whether rows are boards each after its size, to the last row."""
    at = 0
    while at < len(rows):
        size = [number(mark) or 0 for mark in rows[at].marks]
        if at and not any(size):
            return True
        height = prod(size[:-1]) if len(size) > 1 else 0
        if height < 1 or size[-1] < 1 or (len(size) > 2 and min(size) < 2):
            return False
        below = rows[at + 1 : at + 1 + height]
        if len(rows) > 1 and any(len(row.marks) != size[-1] for row in below):
            return False
        if len(rows) > 1 and len(below) < height:
            return False
        at += 1 + height
    return True
