"""Nested lists: Python values, NumPy arrays, and the brackets of any language in a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any

from taquin.errors import ParseError, quote
from taquin.notation.model import EMPTY, PAIR_NOTE, Layout, Mark, counted, exploded
from taquin.notation.tokens import uncomment

MAX_DEPTH = 32
MAX_MARKS = 20_000_000
_TOKEN = re.compile(r"[\[({]|[\])}]|[,;]|[^\s\[\](){},;]+")
# "int a[3][3] =" and "board =" before a list
_ASSIGNED = re.compile(r"^[\w \t.<>,:]{0,80}(?:\[\d{0,9}\][ \t]*)*=[ \t]*(?=[\[({])", re.MULTILINE)
# Types of arrays: int[][] and new int[][] (Java), [][]int (Go), [[Int]] (Swift)
_TYPES = re.compile(
    r"(?:\bnew[ \t]+)?\b[A-Za-z_]\w{0,40}(?:[ \t]?\[\]){1,4}"
    r"|(?:\[\d{0,4}\]){1,4}[A-Za-z]\w{0,40}(?=\s*\{)"
    r"|:[ \t]*\[{1,4}[A-Za-z]\w{0,40}\]{1,4}(?=\s*=)"
)
_NAMED = re.compile(r"(?<![\w.])[A-Za-z_][\w.]{0,80}(?=\()")

Node = Any  # a Mark, or a list of nodes


def from_value(value: Any) -> Iterator[Layout]:
    """Yield the layouts of a list, a tuple, an array or any other iterable of labels.

    Raises
    ------
    ParseError
        If the value is no sequence, its parts differ in length, or an element is no label.
    """
    if hasattr(value, "tolist"):  # NumPy arrays and their like
        value = value.tolist()
    if isinstance(value, (Mapping, AbstractSet)) or not isinstance(value, Iterable):
        raise ParseError(
            f"a board is a text, a list, an array or a State; got {type(value).__name__}"
            f" {quote(value if isinstance(value, int) else repr(value))}"
        )
    items = list(islice(iter(value), MAX_MARKS + 1))
    if len(items) > MAX_MARKS:
        raise ParseError(f"the list holds more than {MAX_MARKS:,} labels")
    yield from layouts(_checked(items))


def _checked(items: list[Any]) -> list[Node]:
    """Replace arrays and tuples by lists and the elements by marks, level by level."""
    level: list[list[Any]] = [items]
    for _ in range(MAX_DEPTH):
        below: list[list[Any]] = []
        for part in level:
            if set(map(type, part)) == {int}:
                continue
            for i, item in enumerate(part):
                if hasattr(item, "tolist"):
                    item = item.tolist()
                if isinstance(item, (list, tuple, range)):
                    part[i] = list(item)
                    below.append(part[i])
                else:
                    part[i] = _mark(item)
        if not below:
            return items
        if sum(map(len, below)) > MAX_MARKS:
            raise ParseError(f"the list holds more than {MAX_MARKS:,} labels")
        level = below
    raise ParseError(f"the lists are nested deeper than {MAX_DEPTH} levels: give rows of labels")


def _mark(item: Any) -> Mark:
    if item is None or isinstance(item, str):
        return item.strip() if isinstance(item, str) else None
    if isinstance(item, float) and item.is_integer() and abs(item) < 1e9:
        return int(item)
    if isinstance(item, bool) or not hasattr(item, "__index__"):
        raise ParseError(
            f"labels are whole numbers; got {quote(repr(item))} ({type(item).__name__})"
        )
    return int(item.__index__())


def from_text(text: str) -> Iterator[Layout]:
    """Yield the layouts of a text with brackets, of whatever language; none if they do not match.

    ``[[1,2],[3,0]]``, ``{ {1,2}, {3,0} }``, ``np.array([[1, 2], [3, 0]])``, ``p(1,2,3,0)``,
    ``[1 2; 3 0]``, one list a line.
    """
    text = re.sub(r"'\s?'|\"\s?\"", f" {EMPTY} ", text)
    text = re.sub(r"['\"`]|,\s{0,9}dtype=[\w.]+", "", text)
    text = "\n".join(map(uncomment, text.split("\n")))
    text = _ASSIGNED.sub("", _TYPES.sub(" ", text))
    form = "term" if re.match(r"\s*[a-z]\w*\([^()\[\]{}]*\)[\s.]*\Z", text) else "nested"
    top = _parse(_NAMED.sub("", text))
    if top is None:
        return
    lists = [node for node in top if isinstance(node, list)]
    first = next((i for i, node in enumerate(top) if isinstance(node, list)), 0)
    before, after = top[:first], [n for n in top[first:] if not isinstance(n, list)]
    if any(mark not in ("", ".") for mark in after) or not lists or len(before) > 3:
        return
    inner = lists[0] if len(lists) == 1 else lists
    notes = (f"ignored before the board: {quote(' '.join(before))}",) if before else ()
    for layout in layouts(inner, form):
        layout.notes = notes + layout.notes
        yield layout


def torn(text: str) -> bool:
    """Whether the brackets of a text do not match."""
    return _parse("\n".join(map(uncomment, text.split("\n")))) is None


def _parse(text: str) -> list[Node] | None:
    """Parse brackets of any kind into lists; ``;`` inside a list separates rows."""
    top: list[Node] = []
    stack: list[list[Node]] = [top]
    kinds: list[str] = []
    rows: list[list[list[Node]]] = [[]]  # rows closed by ; on each level
    comma = True
    for token in _TOKEN.findall(text):
        if token in "[({":
            node: list[Node] = []
            stack[-1].append(node)
            stack.append(node)
            rows.append([])
            kinds.append({"[": "]", "(": ")", "{": "}"}[token])
            if len(stack) > MAX_DEPTH:
                raise ParseError(
                    f"the brackets are nested deeper than {MAX_DEPTH} levels: give rows of labels"
                )
            comma = True
        elif token in "])}":
            if not kinds or kinds.pop() != token:
                return None
            closed, above = stack.pop(), rows.pop()
            if above:
                closed[:] = [*above, closed[:]] if closed else above
            if token == ")" and not comma and len(closed) == 1 and isinstance(closed[0], list):
                stack[-1][-1] = closed[0]  # brackets around one thing, as in array([[...]])
            comma = False
        elif token == ",":
            if comma and len(stack) > 1:
                stack[-1].append("")
            comma = True
        elif token == ";":
            if len(stack) > 1 and stack[-1]:
                rows[-1].append(stack[-1][:])
                stack[-1].clear()
            comma = True
        else:
            stack[-1].append(token)
            comma = False
    return None if kinds else top


def layouts(items: list[Node], form: str = "nested") -> Iterator[Layout]:
    """Yield the layouts of nested lists: the size is the size of the lists."""
    shape = [len(items)]
    level = items
    while level and isinstance(level[0], list):
        if set(map(type, level)) != {list}:
            break
        lengths = [len(node) for node in level]
        if len(set(lengths)) > 1:
            yield _ragged(level, lengths, form)
            return
        shape.append(lengths[0])
        level = [mark for node in level for mark in node]
    if list in set(map(type, level)):
        raise ParseError("labels and lists are mixed on one level: give rows of equal length")
    yield from _shaped(level, tuple(shape), form)


def _shaped(marks: list[Mark], shape: tuple[int, ...], form: str) -> Iterator[Layout]:
    if len(shape) == 1 or not marks:
        yield Layout(form, marks)
        signs = exploded(marks)
        if signs is not None:
            rows = (len(marks), len(signs) // len(marks)) if len(marks) > 1 else None
            yield Layout("chars", signs, rows)
        return
    yield Layout(form, marks, shape)
    if shape[0] == 2 and len(marks) > 2:
        half = len(marks) // 2
        inner = shape[1:] if len(shape) > 2 else None
        yield Layout("pair", marks[:half], inner, goal=marks[half:], notes=(PAIR_NOTE,))


def _ragged(level: list[list[Node]], lengths: list[int], form: str) -> Layout:
    expected = Counter(lengths).most_common(1)[0][0]
    row = next(i for i, length in enumerate(lengths) if length != expected)
    fault = f"row {row + 1} has {counted(lengths[row])}, expected {expected}"
    flat = [mark for node in level for mark in node if not isinstance(mark, list)]
    return Layout(form, flat, fault=fault)
