"""`read`: any written form of a board, with what had to be assumed, or one sentence why not.

All candidate layouts of a text are made (`layouts`, `nested`, `planning`), each is tried as a
state, and if one state remains it is the answer. Several are an error that lists them; none is
an error that explains the most plausible one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from taquin.board import Board, WallBoard
from taquin.errors import InvalidBoard, InvalidState, ParseError, TaquinError, quote
from taquin.notation import labels as _labels
from taquin.notation import naming, nested, planning
from taquin.notation.layouts import layouts, shapes_of
from taquin.notation.model import Layout, Mark, Reading, Table, counted, exploded, size, turned
from taquin.notation.tokens import SLOW_UP_TO, clean, decode, tables
from taquin.state import EQUAL_LABELS, State

_SPEC = re.compile(
    r"\s*(\d{1,9}(?:\s?[x\u00d7X]\s?\d{1,9})*(?::torus|:wrap[\d,]{1,99})?|walls:[.#|/\s]*[.#|/]"
    r"|graph:[\d,-]*\d)\s*:(?=\s*[^\s:])",
    re.IGNORECASE,
)
_SIZE = re.compile(r"\d{1,9}(?:\s?x\s?\d{1,9})+\Z", re.IGNORECASE)
#: A graph of a million edges takes about 14 million characters.
_MAX_SPEC = 20_000_000
_FORMS_READ_TURNED = ("columns", "y-up")


def read(
    value: Any, board: Board | None = None, *, form: str | None = None, repeats: bool = False
) -> Reading:
    """Read a board from any written form, a list, a NumPy array, or a State.

    Parameters
    ----------
    value : str, bytes, sequence, array or State
        See `FORMS` for the written forms. Lists may be flat or nested; None is a blank.
    board : Board, optional
        The board that the labels must fill; otherwise its size is read or deduced.
    form : str, optional
        Accept this form only; ``"columns"`` (column-major) and ``"y-up"`` (the first row is the
        lowest) are read only when asked for.
    repeats : bool
        Allow equal labels.

    Returns
    -------
    Reading
        The state, the goal if the text carries one, the form, and notes on what was assumed.

    Raises
    ------
    ParseError
        If the text has no reading (one sentence says what is wrong and where), or several
        (`readings` lists them).
    InvalidState
        If the labels do not fit the board: missing, repeated, out of range.

    Notes
    -----
    Cost: O(n) for n labels; long texts of plain numbers take a fast path.

    Examples
    --------
    >>> read("1 2 3 4 x 5 6 7 8").notes
    ("the blank is written 'x'", 'the size 3x3 is deduced from 9 labels')
    >>> read([[1, 2], [3, None]]).state
    State((1, 2, 3, 0), Board.grid(2, 2))
    """
    _check_form(form)
    if isinstance(value, State):
        if board is not None and value.board != board:
            raise InvalidState(
                f"got a state of the board {value.board.spec}, expected one of {board.spec}"
            )
        return Reading(value, form="state")
    if isinstance(value, (bytes, bytearray)):
        value = decode(bytes(value))
    if isinstance(value, (list, tuple)) and _is_text(value):
        value = "\n".join(value)
    if isinstance(value, str):
        return read_text(value, board, form=form, repeats=repeats)
    return decide(list(nested.from_value(value)), board, form, repeats, 1, "the list")


def _check_form(form: str | None) -> None:
    from taquin.notation.writing import FORMS

    if form is not None and form not in FORMS:
        raise ParseError(f"there is no form {quote(form)}; the forms are {', '.join(FORMS)}")


def _is_text(items: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list of strings is a list of lines."""
    return (
        bool(items)
        and all(isinstance(item, str) for item in items)
        and any(re.search(r"[\s,/|#]", item.strip()[:1000]) for item in items)
    )


def read_text(
    text: str,
    board: Board | None = None,
    *,
    form: str | None = None,
    repeats: bool = False,
    first: int = 1,
    pairs: bool = True,
    named: bool = True,
) -> Reading:
    """Read a text as `read` does; `first` is the number of its first line, for messages.

    Two bare boards are a start and a goal if `pairs`, two that are named or joined if `named`.
    """
    plain = clean(text)
    if not plain.strip():
        raise ParseError("the text is empty: give the labels of a board, such as 1 2 3 / 4 0 5")
    if plain.lstrip()[:1].isalpha():
        if plain.lstrip().startswith(EQUAL_LABELS):
            plain, repeats = plain.replace(EQUAL_LABELS, " " * len(EQUAL_LABELS), 1), True
        plain = naming.without_headings(plain)
    line = first + plain[: len(plain) - len(plain.lstrip())].count("\n")
    parts = naming.split_pair(plain) if named else None
    if parts is not None:
        lines = [first + plain.count("\n", 0, part.at) for part in parts]
        return _named(parts, board, form, repeats, (lines[0], lines[1]))
    if pairs and len(naming.keys_of(plain)) > 1:
        pairs = False  # two starts are no start and goal
    members = naming.from_json(plain) if "{" in plain and named else None
    if members is not None:
        return _json(members, board, form, repeats, line)
    if board is None and form is None and _SIZE.match(plain.strip()) and _few_signs(plain):
        raise _is_size(plain.strip())
    found = list(_text_layouts(plain, first, repeats, pairs))
    return decide(found, board, form, repeats, line, "the text", (plain, first))


def _few_signs(text: str) -> bool:
    """Whether ``5x5`` is too short to be a board of digits whose blank is x, as 12x3 is."""
    return len(text.strip()) < 4 or text.lower().count("x") > 1


def _is_size(text: str) -> ParseError:
    shown = re.sub(r"\s", "", text.lower())
    return ParseError(
        f"{quote(shown)} is a size, not a board: give its labels, or deal one with"
        f" taquin shuffle {quote(shown).strip(chr(39))}"
    )


def _text_layouts(text: str, first: int, repeats: bool, pairs: bool = True) -> Iterator[Layout]:
    """Yield the layouts of a cleaned text."""
    spec = _SPEC.match(text)
    if spec is not None:
        yield _with_spec(text, spec, first, repeats)
        return
    logic = list(planning.from_text(text))
    if logic:
        yield from logic
        return
    text = naming.without_keys(text)
    if len(text) <= SLOW_UP_TO and any(sign in text for sign in "[({"):
        listed = list(nested.from_text(text))
        yield from _without_pairs(listed, pairs)
        if listed:
            return
        if nested.torn(text):
            for table in tables(text, first, repeats):
                yield from _without_pairs(_torn(layouts(table)), pairs)
            return
    for table in tables(text, first, repeats):
        yield from _without_pairs(layouts(table), pairs)


def _torn(found: Iterable[Layout]) -> Iterator[Layout]:
    """Yield the layouts of a text whose brackets do not match: its first row is no size."""
    for layout in found:
        if layout.form != "sized":
            layout.notes = (*layout.notes, "the brackets do not match: they are left out")
            yield layout


def _without_pairs(found: Iterable[Layout], pairs: bool) -> Iterator[Layout]:
    return (layout for layout in found if pairs or layout.form != "pair")


def _with_spec(text: str, spec: re.Match[str], first: int, repeats: bool) -> Layout:
    """Read ``<spec>: tiles``."""
    name = spec.group(1)
    line = first + text.count("\n", 0, spec.end())
    table = next(iter(tables(text[spec.end() :].replace("#", " "), line, repeats)))
    marks = table.flat
    if len(name) > _MAX_SPEC:
        raise ParseError(f"the board is {len(name):,} characters long: {_MAX_SPEC:,} at most")
    if name[:5].lower() == "graph":
        last = max(int(digits[:19]) for digits in re.findall(r"\d+", name)) if "-" in name else 0
        if last + 1 != len(marks):
            raise InvalidState(
                f"got {counted(len(marks))}, but the last cell of the graph is {last}"
            )
    elif name[0].isdigit():
        name = re.sub(r"\s", "", name)
    try:
        board = Board.parse(name)
    except InvalidBoard as error:
        raise ParseError(str(error)) from None
    if len(marks) != board.n and sum(len(str(mark)) for mark in marks[:400]) == board.n:
        marks = exploded(marks) or marks
    return Layout("spec", marks, board=board, table=table)


def _named(
    parts: tuple[naming.Part, naming.Part],
    board: Board | None,
    form: str | None,
    repeats: bool,
    lines: tuple[int, int],
) -> Reading:
    """Read a start and a goal that are named, or joined by an arrow; each may show the size."""

    def side(index: int, board: Board | None) -> Reading:
        try:
            return read_text(
                parts[index].text, board, form=None if form == "pair" else form, repeats=repeats,
                first=lines[index], pairs=False, named=False,
            )  # fmt: skip
        except TaquinError as error:
            line = lines[index] if lines[0] != lines[1] else 0
            raise _of_part("start" if index == 0 else "goal", error, line) from None

    try:
        start = side(0, board)
    except ParseError as error:
        if board is not None or not error.readings:
            raise
        start = side(0, side(1, None).state.board)
    goal = side(1, start.state.board)
    if sorted(start.state.tiles) != sorted(goal.state.tiles):
        raise InvalidState("the goal does not hold the same labels as the start")
    return replace(start, goal=goal.state, form="pair")


def _of_part(name: str, error: TaquinError, at: int = 0) -> TaquinError:
    """Return an error that says which of the two boards of a question it is about."""
    line = re.match(r"line \d+(?:, column \d+)?: ", str(error))
    head = line.group() if line else ""
    said = str(error)[len(head) :]
    message = f"{head or (f'line {at}: ' if at else '')}the {name}: {said}"
    if isinstance(error, ParseError):
        return ParseError(message, error.readings)
    return InvalidState(message)


def _json(
    found: tuple[Any, Any, str], board: Board | None, form: str | None, repeats: bool, line: int
) -> Reading:
    """Read the boards of a JSON object; other members are left alone."""
    start, goal, name = found
    reading = _member(start, board, form, repeats, line)
    notes = (*reading.notes, f"the board is the member {quote(name)} of the object")
    end = None
    if goal is not None:
        try:
            end = _member(goal, reading.state.board, form, repeats, line).state
        except TaquinError as error:
            raise _of_part("goal", error) from None
        if sorted(end.tiles) != sorted(reading.state.tiles):
            raise InvalidState("the goal does not hold the same labels as the start")
    return replace(reading, goal=end, notes=notes, line=line)


def _member(value: Any, board: Board | None, form: str | None, repeats: bool, line: int) -> Reading:
    if isinstance(value, list) and _is_text(value):
        value = "\n".join(value)
    if isinstance(value, str):
        return read_text(value, board, form=form, repeats=repeats, first=line, named=False)
    found = list(nested.from_value(value))
    return decide(found, board, form, repeats, line, "the list")


# -- deciding --------------------------------------------------------------------------------------


def decide(
    found: list[Layout],
    board: Board | None,
    form: str | None,
    repeats: bool,
    line: int,
    what: str,
    source: tuple[str, int] = ("", 1),
) -> Reading:
    """Return the one reading of the layouts, or raise the error that helps most."""
    from taquin.notation.writing import FORMS

    if form is not None:
        wanted = FORMS[form].layouts
        kept = [layout for layout in found if layout.form in wanted]
        if not kept and found:
            seen = ", ".join(sorted({layout.form for layout in found if not layout.fault}))
            raise ParseError(f"{what} is not in the form {form!r}; it looks like: {seen or 'none'}")
        found = kept
    for rank in sorted({layout.rank for layout in found}):
        readings: dict[tuple[State, State | None], Reading] = {}
        for layout in found:
            if layout.rank == rank and (not layout.fault or _any_rows(layout, board)):
                for reading in _readings(layout, board, form, repeats, line):
                    readings.setdefault((reading.state, reading.goal), reading)
        if len(readings) == 1:
            return next(iter(readings.values()))
        if readings:
            raise _ambiguous(list(readings.values()), found)
    raise explain(found, board, repeats, what, source)


def _readings(
    layout: Layout, board: Board | None, form: str | None, repeats: bool, line: int
) -> Iterator[Reading]:
    """Yield what a layout means: a state for each board and each way to read the labels."""
    if layout.table is not None and layout.table.lines:
        line = max(line, layout.table.lines[0] - (layout.form == "sized"))
    marks = layout.marks
    if form == "columns" and layout.shape and layout.form not in ("sized", "spec"):
        layout = replace(layout, shape=(*layout.shape[:-2], layout.shape[-1], layout.shape[-2]))
    if isinstance(board, WallBoard) and layout.shape == board.shape:
        marks = _inside_walls(marks, board)
    boards = list(_boards(layout, board, len(marks))) if marks else []
    if not boards:
        return
    starts = _labels.interpret(marks, repeats)
    if not starts:
        return
    if layout.form == "pair" and Counter(marks) != Counter(layout.goal or ()):
        return  # both ends are written alike
    goals = [(None, ())] if layout.goal is None else _labels.interpret(layout.goal, repeats)
    for values, notes in starts:
        for place, place_notes in boards:
            for goal_values, _ in goals:
                ends = [values] if goal_values is None else [values, goal_values]
                if len(ends) == 2 and sorted(ends[0]) != sorted(ends[1]):
                    continue
                states = [_state(end, place, form) for end in ends]
                yield Reading(
                    states[0],
                    states[1] if len(states) == 2 else None,
                    form if form in _FORMS_READ_TURNED and form else layout.form,
                    (*layout.notes, *notes, *place_notes),
                    line,
                )


def _inside_walls(marks: list[Mark], board: WallBoard) -> list[Mark]:
    """Leave out the marks that stand on walls, if all of them are empty."""
    kept: list[Mark] = []
    for mark, cell in zip(marks, "".join(board.rows), strict=True):
        if cell == ".":
            kept.append(mark)
        elif mark not in (None, "", "#"):
            return marks
    return kept


def _boards(layout: Layout, board: Board | None, n: int) -> Iterator[tuple[Board, tuple[str, ...]]]:
    """Yield the boards that a layout of n labels can fill, with a note on what was deduced."""
    if board is not None:
        if n == board.n and _fits(layout, board):
            yield board, ()
        return
    if layout.board is not None:
        if layout.board.n == n:
            yield layout.board, ()
    elif layout.shape is not None:
        yield Board.grid(*layout.shape), ()
    else:
        for shape in shapes_of(n, layout.column):
            note = f"the size {size(shape)} is deduced from {counted(n)}"
            yield Board.grid(*shape), (note,)


def _fits(layout: Layout, board: Board) -> bool:
    """Whether the size that a layout shows agrees with the board that was given."""
    if layout.board is not None:
        return layout.board == board
    if layout.shape is None or layout.shape == board.shape:
        return True
    return board.shape is None or isinstance(board, WallBoard) or len(board.shape) != 2


def _any_rows(layout: Layout, board: Board | None) -> bool:
    """Whether rows of different lengths may be right: on a given board that is no rectangle."""
    irregular = board is not None and (board.shape is None or isinstance(board, WallBoard))
    return irregular and layout.form in ("rows", "slash", "bars")


def _state(values: list[int], board: Board, form: str | None) -> State:
    if form in _FORMS_READ_TURNED:
        values = turned(values, board, form)
    tiles = tuple(values)
    return State.trusted(tiles, board, tiles.index(0))


# -- explaining ------------------------------------------------------------------------------------


def _ambiguous(readings: list[Reading], found: list[Layout]) -> ParseError:
    names = [reading.state.board.spec for reading in readings]
    n = readings[0].state.board.n
    listed = [
        f"{reading.state.board.spec}: {_few(reading.state.tiles)}"
        + (f", goal {_few(reading.goal.tiles)}" if reading.goal else "")
        for reading in readings
    ]
    if len(set(names)) == len(names) and len({reading.state.tiles for reading in readings}) == 1:
        where = "in one column" if any(layout.column for layout in found) else "in one line"
        return ParseError(f"{n:,} numbers {where}: {' or '.join(names)}; give the size", listed)
    return ParseError(f"this can be read in {len(readings)} ways: {'; or '.join(listed)}", listed)


def _few(tiles: tuple[int, ...]) -> str:
    return " ".join(map(str, tiles[:30])) + (" ..." if len(tiles) > 30 else "")


def explain(
    found: list[Layout], board: Board | None, repeats: bool, what: str, source: tuple[str, int]
) -> TaquinError:
    """Return the error for layouts of which none is a state: what is wrong with the likeliest."""
    if not found:
        return ParseError(f"no labels were found in {what}: give them such as 1 2 3 / 4 0 5")
    text = source[0].strip()
    if board is None and len(text) < 100 and _SIZE.match(text):
        return _is_size(text)
    layout = min(found, key=_implausible)
    table, marks = layout.table, layout.marks
    count = len(marks) if not repeats else 36
    wrong = next((i for i, m in enumerate(marks) if not _labels.is_label(m, count)), None)
    if wrong is not None:
        return ParseError(
            f"{_where(table, marks[wrong], *source)}{quote(marks[wrong])} is not a label"
        )
    if layout.fault:
        return ParseError(layout.fault)
    n = len(marks)
    if n == 0:
        return ParseError(f"no labels were found in {what}: give them such as 1 2 3 / 4 0 5")
    if board is not None and n != board.n:
        return InvalidState(f"got {n:,} labels for a board of {board.n:,} cells ({board.spec})")
    if layout.board is not None and n != layout.board.n:
        of = f"{layout.board.spec[:40]} has {layout.board.n:,} cells"
        return InvalidState(f"got {n:,} labels, but the board {of}")
    if board is not None and not _fits(layout, board):
        shown = layout.board.spec if layout.board else size(layout.shape or (n,))
        return InvalidState(f"{what} shows a board of {shown}, expected {board.spec}")
    fault = _labels.faults(marks, repeats)
    if layout.goal is not None and not fault:
        fault = f"the goal is no state of this board: {_labels.faults(layout.goal, repeats)}"
    return InvalidState(fault or f"cannot read {what} as a board")


def _implausible(layout: Layout) -> tuple[float, ...]:
    """Order layouts for the message: all marks are labels, few are missing, plainly meant."""
    marks = layout.marks
    odd = sum(not _labels.is_label(mark, len(marks)) for mark in marks[:2_000])
    missing = _labels.missing(marks) / max(1, len(marks))
    guessed = layout.form in ("pair", "korf") and layout.rank >= 0
    lone = len(marks) == 1 and isinstance(marks[0], str) and bool(re.match(r"\d{4}", marks[0]))
    return odd > 0, guessed or lone, layout.fault == "", min(layout.rank, 0), missing, layout.rank


def _where(table: Table | None, mark: Mark, text: str, first: int) -> str:
    """Return "line 2, column 5: " for the place of a mark, as well as it is known."""
    if table is None or not isinstance(mark, str):
        return ""
    line = next((at for row, at in zip(table.rows, table.lines, strict=True) if mark in row), 0)
    lines = text.split("\n") if len(text) < 10_000_000 else []
    if not line or not 0 <= line - first < len(lines):
        return f"line {line}: " if line else ""
    whole = lines[line - first]
    word = re.compile(rf"(?<![^\s,;|/\[\](){{}}'\"]){re.escape(mark[:1000])}")
    found = word.search(whole)
    at = found.start() if found else whole.find(mark[:1000])
    return f"line {line}, column {at + 1}: " if at >= 0 else f"line {line}: "
