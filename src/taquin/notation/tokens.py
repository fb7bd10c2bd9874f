"""From text to tables: odd characters, comments, separators, boxes; and a fast path for numbers.

Nothing here knows what a board is: the result is rows of marks, in one or a few ways to cut the
text (`tables`). Every step is linear in the length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from taquin.errors import ParseError, quote
from taquin.notation.model import EMPTY, Mark, Table

#: Texts from this length on take the fast path, which reads numbers, brackets and row marks only.
FAST_FROM = 2_000
#: Texts longer than this must be fit for the fast path.
SLOW_UP_TO = 1_000_000

_SIGNS = {
    "\ufeff": "", "\r": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n", "\x0b": "\n",
    "\x0c": "\n", "\u200b": "", "\u2060": "", "\u2212": "-", "\u2010": "-", "\u2011": "-",
    "\u2013": "-", "\u2014": "-", "\u00d7": "x", "\u3001": ",", "\u3002": ".", "\u00b7": ".",
    "\u2022": ".", "\u22c5": ".", "\u2192": "->", "\u21d2": "->", "\u3010": "[", "\u3011": "]",
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u25a1": "_", "\u25a0": "_",
    "\u25a2": "_", "\u2610": "_", "\u2b1c": "_", "\u2b1b": "_", "\u25fb": "_", "\u2423": "_",
    "\u2205": "_",
}  # fmt: skip
_BARS = "│┃║╎╏┆┇┊┋❘"
_CORNERS = "┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╯╰┏┓┗┛┣┫┳┻╋╟╢╤╧╪╫╞╡╥╨─━═╌┄┈╴╶╸╺▁▔"
_RULE = re.compile(rf"[\s|+\-=_{_CORNERS}:]*\Z")
_RULE_SIGN = re.compile(rf"[{_CORNERS}+=-]")
#: What may stand in a row; anything else after // or ; is a comment.
_ROWLIKE = re.compile(r"[\s0-9_.,xX|/\[\](){}'\"+-]*\Z")
_GAP = re.compile(r"[\s,]")
_FOREIGN = re.compile(r"[^0-9\s,\[\](){}/|_.xX-]")


def decode(data: bytes) -> str:
    """Return the text of UTF-8 bytes, or of UTF-16 bytes with their mark at the beginning."""
    codec = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise ParseError(
            f"byte {error.start} is not {codec.upper()} text ({quote(data[error.start :][:8])});"
            " save the file as UTF-8"
        ) from None


def clean(text: str) -> str:
    r"""Return `text` with plain digits, signs and line ends: what people type in any script.

    Full-width and other digits become ASCII (NFKC), box drawings ``|`` and ``-``.

    >>> clean("\uff11\uff0c\uff12\r\n\u2502 3")
    '1,2\n| 3'
    """
    text = text.replace("\r\n", "\n")
    if text.isascii() and not any(sign in text for sign in "\r\x0b\x0c"):
        return text
    table: dict[int, str] = {}
    for sign in set(text):
        plain = _plain(sign)
        if plain != sign:
            table[ord(sign)] = plain
    return text.translate(table)


def _plain(sign: str) -> str:
    if sign in _SIGNS:
        return _SIGNS[sign]
    if sign in _BARS:
        return "|"
    if sign in _CORNERS or sign.isascii():
        return sign
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    plain = unicodedata.normalize("NFKC", sign)
    return " " if plain.isspace() else plain


def tables(text: str, first: int = 1, repeats: bool = False) -> Iterator[Table]:
    """Yield the ways to cut a cleaned text into rows of marks; `first` is its first line's number.

    Raises
    ------
    ParseError
        If a very long text holds anything but numbers and their separators.
    """
    if len(text) >= FAST_FROM:
        fast = _fast(text, first, repeats)
        if fast is not None:
            yield fast
            return
        if len(text) > SLOW_UP_TO:
            raise ParseError(_too_long(text, first))
    if "#" in text:
        walls = _cut(text, first, walls=True)
        if any("#" in str(mark) for mark in walls.flat):
            walls.form = "walls"
            yield walls
    yield _cut(text, first)
    if len(re.findall(r"(?<=[\w.])-(?=[\w.])", text)) >= 2:
        dashed = _cut(re.sub(r"(?<=[\w.])-(?=[\w.])", " ", text), first)
        dashed.form = "dashes"
        yield dashed


def _too_long(text: str, first: int) -> str:
    found = _FOREIGN.search(text)
    if found is None:
        return f"a text of {len(text):,} characters must be rows of numbers, separated by blanks"
    at = found.start()
    line = first + text.count("\n", 0, at)
    column = at - text.rfind("\n", 0, at)
    return (
        f"line {line}, column {column}: {quote(found.group())} is neither a label nor a"
        f" separator (the text has {len(text):,} characters)"
    )


# -- small texts ---------------------------------------------------------------------------------


def _cut(text: str, first: int, *, walls: bool = False) -> Table:
    """Cut a text into rows: comments and rules go, bars, slashes, commas and blanks separate."""
    text = re.sub(r"'\s?'|\"\s?\"", f" {EMPTY} ", text)
    text = re.sub(r"['\"`\[\](){}]", " ", text)
    pieces: list[tuple[int, str]] = []
    breaks: list[int] = []
    for at, line in enumerate(text.split("\n"), first):
        kept = uncomment(line, walls)
        if not kept.strip(" ,\t"):
            if len(kept) == len(line):  # a blank line, not one that held a comment
                breaks.append(len(pieces))
            continue
        if is_rule(kept):
            continue
        for number, layer in enumerate(kept.split("//")):
            if number:
                breaks.append(len(pieces))
            pieces.extend((at, part) for part in layer.split(";") if part.strip(" ,\t"))
    rows = [part for _, part in pieces]
    form, groups = _split_rows(rows)
    table = Table([], [], form=form)
    for index, (at, _) in enumerate(pieces):
        if index in breaks[:1]:
            while breaks and breaks[0] <= index:
                breaks.pop(0)
            if table.rows:
                table.breaks.append(len(table.rows))
        for raw, marks in groups[index]:
            if marks:
                table.rows.append(marks)
                table.lines.append(at)
                table.raw.append(raw)
    return table


def is_rule(line: str) -> bool:
    """Whether a line is a rule of a frame: ``+---+``, ``|---|---|``."""
    return bool(_RULE.match(line)) and ("+" in line or len(_RULE_SIGN.findall(line)) > 2)


def uncomment(line: str, walls: bool = False) -> str:
    """Return `line` without a comment that begins with #, %, // or ; at its end."""
    if "%" in line:
        line = line[: line.index("%")]
    if not walls and "#" in line:
        line = line[: line.index("#")]
    for sign in ("//", ";"):
        at = line.find(sign)
        if at >= 0 and not _ROWLIKE.match(line[at + len(sign) :].replace(";", " ")):
            line = line[:at]
    return line


def _split_rows(rows: list[str]) -> tuple[str, list[list[tuple[str, list[Mark]]]]]:
    """Split each line at the separators of the whole text; return the form and (raw, marks)."""
    for sign, as_rows, as_cells in (("|", "bars", "box"), ("/", "slash", "prolog")):
        if not any(sign in row for row in rows):
            continue
        inner = [_inside(row, sign) for row in rows]
        if not any(part for parts in inner for part in parts):
            return as_rows, [[] for _ in rows]  # separators alone separate nothing
        if all(len(_words(part)) <= 1 for parts in inner for part in parts):
            return as_cells, [
                [(row, [_word(part) for part in parts])]
                for row, parts in zip(rows, inner, strict=True)
            ]
        groups = [[(part, _marks(part)) for part in parts if part.strip()] for parts in inner]
        return as_rows, groups
    comma = _comma_rows(rows)
    if comma is not None:
        return "rows", comma
    tabs = {row.count("\t") for row in rows}
    by_tab: Callable[[str], list[Mark]] = _marks
    if len(tabs) == 1 and tabs.pop() > 0 and len(rows) > 1:
        cells = [row.split("\t") for row in rows]
        if all(len(_words(cell)) <= 1 for line in cells for cell in line):
            by_tab = _tab_marks
    cut = [by_tab(row) for row in rows]
    ends = [i for i, row in enumerate(rows) if row.rstrip().endswith(",")]
    if len(ends) == 1 and {len(cut[ends[0]]) + 1} == {len(m) for m in cut if m is not cut[ends[0]]}:
        cut[ends[0]].append("")  # the only row that ends with a comma has an empty last cell
    return "rows", [[(row, marks)] for row, marks in zip(rows, cut, strict=True)]


def _comma_rows(rows: list[str]) -> list[list[tuple[str, list[Mark]]]] | None:
    """Split at commas that separate rows, as in ``1 2 3, 4 5 6, 7 8 0``; None if they do not."""
    if not any("," in row for row in rows):
        return None
    parts = [part for row in rows for part in row.split(",") if part.strip()]
    counts = {len(part.split()) for part in parts}
    if len(counts) != 1 or counts.pop() < 2:
        return None
    return [[(part, _marks(part)) for part in row.split(",") if part.strip()] for row in rows]


def _inside(row: str, sign: str) -> list[str]:
    """Return the parts of `row` between the signs, without what is outside a frame."""
    parts = row.split(sign)
    if len(parts) > 1 and not parts[0].strip() and row.lstrip().startswith(sign):
        parts = parts[1:]
    if len(parts) > 1 and not parts[-1].strip() and row.rstrip().endswith(sign):
        parts = parts[:-1]
    return parts


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _word(text: str) -> Mark:
    words = _words(text)
    return words[0] if words else ""


def _tab_marks(row: str) -> list[Mark]:
    return [_word(cell) for cell in row.split("\t")]


def _marks(row: str) -> list[Mark]:
    """Split a row at blanks and commas; nothing between two commas is an empty cell."""
    if "," not in row:
        return list(row.split())
    marks: list[Mark] = []
    parts = row.split(",")
    for number, part in enumerate(parts):
        words = part.split()
        inner = 0 < number < len(parts) - 1
        marks.extend(words or ([""] if inner or number == 0 else []))
    return marks


# -- large texts ---------------------------------------------------------------------------------


def _fast(text: str, first: int, repeats: bool) -> Table | None:
    """Read a long text of numbers; None if it holds what only the slow way understands."""
    if _FOREIGN.search(text) or ",," in text:
        return None
    most = _most_labels(len(text))
    rows = max(map(text.count, "\n/|])}"))
    if rows > most:
        raise ParseError(f"a text of {rows:,} rows cannot be a board: it holds too few labels")
    limit = len(text) if repeats else most
    if "[" in text or "(" in text or "{" in text:
        lines, form = _bracket_lines(text), "nested"
    elif "/" in text:
        lines = (
            [
                line
                for layer in text.split("//")
                for row in layer.split("/")
                for line in row.strip().split("\n")
            ]
            if "//" not in text
            else text.replace("//", "/\n\n/").replace("/", "\n").split("\n")
        )
        form = "slash"
    elif "|" in text:
        if "\n" in text.strip():
            return None
        lines, form = text.strip().strip("|").split("|"), "bars"
    else:
        lines, form = text.split("\n"), "rows"
    table = Table([], [], form=form)
    odd, total, at = 0, 0, 0
    while at < len(lines):
        column = _column(lines[at : at + 1_000])
        if column:  # the usual case of a long list, a thousand lines at once
            table.rows += column
            table.lines += range(first + at, first + at + len(column))
            total, at = total + len(column), at + len(column)
        else:
            row, words = _numbers(lines[at], limit)
            odd, total = odd + words, total + len(row)
            if row:
                table.rows.append(row)
                table.lines.append(first + at if form == "rows" else first)
            elif table.rows and table.breaks[-1:] != [len(table.rows)]:
                table.breaks.append(len(table.rows))
            at += 1
        if odd > 16:
            return None
        if total > limit:
            raise ParseError(
                f"more than {limit:,} numbers in a text of {len(text):,} characters: some label"
                " must be there twice"
            )
    if table.breaks[-1:] == [len(table.rows)]:
        table.breaks.pop()
    return table


def _column(lines: list[str]) -> list[list[Mark]]:
    """Return the rows of lines that hold one number each; nothing if they do not."""
    if len(lines) < 1_000 or len(lines[0]) > 20 or len(lines[1].split()) != 1:
        return []
    try:
        return [[value] for value in map(int, lines)]
    except ValueError:
        return []


def _bracket_lines(text: str) -> list[str]:
    """Turn nested lists of numbers into lines; a closed outer list leaves an empty line."""
    plain = text.translate(str.maketrans("\n,[({)}", "      ]"))
    plain = plain.replace(")", "]")
    return plain.split("]")


def _numbers(line: str, limit: int) -> tuple[list[Mark], int]:
    """Return the marks of a line, numbers as int, and how many are no numbers."""
    row: list[Mark] = []
    odd = 0
    start, end = 0, len(line)
    while start < end:
        stop = min(start + 1_000_000, end)
        cut = _GAP.search(line, stop)  # never cut a number
        stop = cut.start() if cut else end
        words = line[start:stop].replace(",", " ").split()
        try:
            row += list(map(int, words))
        except ValueError:
            for word in words:
                plain = len(word) <= 18 and word.lstrip("-").isdigit() and word[1:].count("-") == 0
                odd += not plain
                row.append(int(word) if plain else word)
        start = stop
        if len(row) > limit:
            break
    return row, odd


def _most_labels(length: int) -> int:
    """Return how many labels two boards of different labels can have in `length` characters."""
    total, digits, room = 0, 1, length // 2 + 2
    while room > 0:
        here = min(9 * 10 ** (digits - 1), room // (digits + 1) + 1)
        total, room, digits = total + here, room - here * (digits + 1), digits + 1
    return 2 * total + 1_000
