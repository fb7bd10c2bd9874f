"""From a table of marks to layouts: one small function for each way in which people put a board.

Each takes a `Table` and yields the layouts that its form allows, often none. They do not look at
labels: `reading` keeps what turns out to be a state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import isqrt, prod

from taquin.board import Board
from taquin.errors import InvalidBoard
from taquin.notation.labels import is_blank, number
from taquin.notation.model import PAIR_NOTE, Layout, Mark, Table, counted, exploded, size


def shapes_of(n: int, column: bool = False) -> list[tuple[int, ...]]:
    """Return the sizes that n labels in one line can have: a square is certain, else all.

    >>> shapes_of(9), shapes_of(6), shapes_of(5), shapes_of(8)
    ([(3, 3)], [(2, 3), (3, 2)], [(1, 5)], [(2, 4), (4, 2), (2, 2, 2)])
    """
    root = isqrt(n)
    if root * root == n:
        return [(root, root)]
    found: list[tuple[int, ...]] = [(r, n // r) for r in range(2, root + 1) if n % r == 0]
    found += [(c, r) for r, c in reversed(found)]
    edge = round(n ** (1 / 3))
    if edge > 1 and edge**3 == n:
        found.append((edge, edge, edge))
    return found or [(n, 1) if column else (1, n)]


def layouts(table: Table) -> Iterator[Layout]:
    """Yield every layout of a table, the most plausible first."""
    if not table.rows:
        return
    if table.form == "walls":
        yield from _walls(table)
        return
    for form in (_sized, _gap_goal, _graph, _rows, _chars, _counted, _korf, _pair, _aligned):
        yield from form(table)


def _integers(row: list[Mark]) -> list[int] | None:
    """Return a row as numbers, or None if one is not."""
    if len(row) > 8:
        return None
    values = [number(mark) for mark in row]
    return None if None in values else values  # type: ignore[return-value]  # no None in it


def _widths(table: Table) -> set[int]:
    return {len(row) for row in table.rows}


def _rows(table: Table) -> Iterator[Layout]:
    """Rows of equal length, layers between blank lines; one row or one column has any size."""
    widths = _widths(table)
    height = len(table.rows)
    if len(widths) > 1:
        yield Layout(table.form, table.flat, fault=_short_row(table), table=table, rank=1)
        return
    width = widths.pop()
    layers = _layers(table)
    if layers and len(layers) > 1 and layers[0] > 1:
        shape: tuple[int, ...] = (len(layers), layers[0], width)
        yield Layout(table.form, table.flat, shape, table=table)
        yield Layout(table.form, table.flat, (height, width), table=table, rank=1)
    elif height > 1 and width > 1:
        yield Layout(table.form, table.flat, (height, width), table=table)
    else:
        form = table.form if height == 1 and table.form != "rows" else "line"
        column = height > 1
        yield Layout(form, table.flat, table=table, column=column)
        if column and shapes_of(height) != [(1, height)]:
            yield Layout("rows", table.flat, (height, 1), table=table, rank=2)


def _layers(table: Table) -> list[int]:
    """Return the numbers of rows between the breaks, if they are all the same; else nothing."""
    edges = [0, *table.breaks, len(table.rows)]
    counts = [b - a for a, b in pairwise(edges)]
    return counts if len(set(counts)) == 1 else []


def _short_row(table: Table) -> str:
    lengths = [len(row) for row in table.rows]
    expected, often = Counter(lengths).most_common(1)[0]
    if often == 1:
        expected = max(lengths)
    row = next(i for i, length in enumerate(lengths) if length != expected)
    return (
        f"row {row + 1} (line {table.lines[row]}) has {counted(lengths[row])},"
        f" expected {expected} as in the other rows"
    )


def _header_sizes(values: list[int], count: int) -> list[tuple[int, ...]]:
    """Return the sizes that a first line can mean for `count` labels after it."""
    if len(values) == 1:
        n = values[0]
        return [shape for shape in ((n, n), (n, n, n)) if n > 0 and prod(shape) == count]
    return [tuple(values)] if min(values) > 0 and prod(values) == count else []


def _sized(table: Table) -> Iterator[Layout]:
    """A first line with the size: n, R C, D R C, or 3x3; then that many labels, in any lines."""
    head = _integers(table.rows[0])
    if head is None and len(table.rows[0]) == 1:
        head = _by_x(table.rows[0][0])
    rest = table.part(1)
    if head is None or len(head) > 3 or not rest.rows:
        return
    like_a_row = len(head) > 1 and len(head) == len(rest.rows[0])
    if like_a_row and len(head) > 2 and 1 in head:
        return  # nobody gives a size to one row or layer like this: rows of three
    rank = int(like_a_row)
    marks = rest.flat
    signs = exploded(marks)
    for given in [marks] if signs is None else [marks, signs]:
        for shape in _header_sizes(head, len(given)):
            yield _oriented(rest, given, shape, rank)
    if like_a_row and len(set(head)) == len(head):
        return
    if not _header_sizes(head, len(marks)) and _meant_as_size(head, rest):
        yield Layout("sized", marks, fault=_size_fault(head, rest), table=rest, rank=rank)


def _meant_as_size(head: list[int], rest: Table) -> bool:
    """Whether a first line that does not fit was still meant as the size: the rows agree."""
    width = Counter(map(len, rest.rows)).most_common(1)[0][0]
    return width > 1 and head[-1] == width and len(head) < 3 and min(head) > 1


def _size_fault(head: list[int], rest: Table) -> str:
    height, width = head[0], head[-1]
    row = next((i for i, marks in enumerate(rest.rows) if len(marks) != width), None)
    if row is not None and len(rest.rows) == height:
        return (
            f"row {row + 1} (line {rest.lines[row]}) has {counted(len(rest.rows[row]))}, expected"
            f" {width} by the size in the first line"
        )
    return (
        f"the first line gives the size {height}x{width}, which is {counted(height * width)}, but"
        f" {len(rest.flat):,} follow"
    )


def _by_x(mark: Mark) -> list[int] | None:
    if not isinstance(mark, str) or len(mark) > 40 or "x" not in mark.lower():
        return None
    values = [number(part) for part in mark.lower().split("x")]
    return None if None in values else values  # type: ignore[return-value]  # no None in it


def _oriented(rest: Table, marks: list[Mark], shape: tuple[int, ...], rank: int) -> Layout:
    """The rows below may show that a header was width and height, or be broken anywhere."""
    notes: tuple[str, ...] = ()
    shown = (len(rest.rows), len(rest.rows[0]))
    if len(_widths(rest)) > 1:
        notes = ("the lines are of different lengths: the labels are read in their order",)
    elif len(shape) == 2 and shape[0] != shape[1] and shown == shape[::-1] and shown[1] > 1:
        notes = (f"the size {size(shape)} is taken as width x height, as the rows show",)
        shape = shape[::-1]
    return Layout("sized", marks, shape, notes=notes, table=rest, rank=rank)


def _gap_goal(table: Table) -> Iterator[Layout]:
    """The number of tiles, the cell of the gap in the goal (-1 is the last), then the rows."""
    if len(table.rows) < 3:
        return
    head, gap = _integers(table.rows[0]), _integers(table.rows[1])
    if head is None or gap is None or len(head) != 1 or len(gap) != 1:
        return
    rest = table.part(2)
    tiles, marks = head[0], rest.flat
    n = len(marks)
    if tiles != n - 1 or not -1 <= gap[0] < n or isqrt(n) ** 2 != n:
        return
    goal: list[Mark] = list(range(1, n))
    goal.insert(gap[0] if gap[0] >= 0 else n - 1, 0)
    note = f"the goal has its gap on cell {gap[0] if gap[0] >= 0 else n - 1}"
    side = isqrt(n)
    yield Layout("gap-goal", marks, (side, side), goal=goal, notes=(note,), table=rest)


def _graph(table: Table) -> Iterator[Layout]:
    """The number of edges, the edges (vertices from 1), and the vertex of each piece."""
    head = _integers(table.rows[0])
    if head is None or len(head) != 1 or not 1 <= head[0] == len(table.rows) - 2:
        return
    edges = [_integers(row) for row in table.rows[1:-1]]
    places = [number(mark) for mark in table.rows[-1]]
    if any(edge is None or len(edge) != 2 for edge in edges) or None in places:
        return
    n = len(places) + 1
    pairs = [(a - 1, b - 1) for a, b in edges]  # type: ignore[misc]  # no None, two each
    vertices = {place - 1 for place in places if place is not None}
    if len(vertices) < len(places) or not vertices <= set(range(n)):
        return
    try:
        board = Board.from_edges(pairs, n)
    except InvalidBoard:
        return
    marks: list[Mark] = [0] * n
    for piece, place in enumerate(places, 1):
        marks[place - 1] = piece  # type: ignore[operator]  # no None among them
    goal: list[Mark] = [*range(1, n), 0]
    yield Layout("graph", marks, board=board, goal=goal, table=table)


def _chars(table: Table) -> Iterator[Layout]:
    """One character a cell: ``283104765``, ``123 456 780``, or a word on each line."""
    signs = exploded(table.flat)
    if signs is None:
        return
    words = len(table.flat)
    if words == 1:
        yield Layout("chars", signs, table=table)
    elif len(table.rows) in (1, words):
        shape: tuple[int, ...] = (words, len(signs) // words)
        layers = _layers(table)
        if len(table.rows) > 1 and len(layers) > 1 and layers[0] > 1:
            yield Layout("chars", signs, (len(layers), layers[0], shape[1]), table=table)
        else:
            yield Layout("chars", signs, shape, table=table)


def _counted(table: Table) -> Iterator[Layout]:
    """A count of boards, which is 1, before the board."""
    if len(table.rows) > 1 and _integers(table.rows[0]) == [1] and len(table.rows[1]) > 1:
        for form in (_sized, _rows):
            for layout in form(table.part(1)):
                layout.rank += 1
                layout.notes = (*layout.notes, "the first line, 1, is taken as the count of boards")
                if not layout.fault:
                    yield layout


def _korf(table: Table) -> Iterator[Layout]:
    """An id, perhaps the optimum and the nodes of IDA*, then the tiles of a square."""
    flat = table.flat
    heads = [len(table.rows[0])] if len(table.rows) == 2 else range(1, 4)
    if len(table.rows) > 2:
        return
    for head in heads:
        n = len(flat) - head
        if n >= 4 and head < 4 and isqrt(n) ** 2 == n:
            values = [number(mark) for mark in flat[:head]]
            if None not in values:
                note = f"before the tiles: {' '.join(str(value) for value in values)}"
                marks = flat[head:]
                yield Layout("korf", marks, notes=(note,), table=table, rank=1)


def _pair(table: Table) -> Iterator[Layout]:
    """A start and a goal: two lines, or two blocks of rows."""
    height = len(table.rows)
    if height < 2 or height % 2 or len(table.flat) % 2 or len(_widths(table)) > 1:
        return
    start, goal = table.part(0, height // 2), table.part(height // 2)
    for mine, theirs in ((start.flat, goal.flat), (exploded(start.flat), exploded(goal.flat))):
        if mine is None or theirs is None or len(mine) < 2:
            continue
        words = len(start.flat) > 1 and mine is not start.flat
        rows = height // 2 if not words else len(start.flat)
        width = len(mine) // rows
        shape = (rows, width) if rows > 1 and width > 1 else None
        notes = (PAIR_NOTE,)
        yield Layout("pair", mine, shape, goal=theirs, notes=notes, table=start)


def _walls(table: Table) -> Iterator[Layout]:
    """A drawing with walls: every # is a wall, every label a cell."""
    rows = table.rows
    if len(_widths(table)) > 1 or len(rows[0]) == 1:
        words = [row[0] for row in rows if len(row) == 1]
        if len(words) != len(rows):
            return
        rows = [list(word) for word in words if isinstance(word, str)]
        if len(rows) < len(words) or len(set(map(len, rows))) > 1:
            return
    drawing = "|".join("".join("#" if mark == "#" else "." for mark in row) for row in rows)
    try:
        board = Board.draw(drawing)
    except InvalidBoard as error:
        yield Layout("walls", table.flat, fault=str(error), table=table, rank=1)
        return
    marks = [mark for row in rows for mark in row if mark != "#"]
    signs = sum(is_blank(mark) or number(mark) in (0, -1) for mark in marks)
    if len(rows) < 2 or len(marks) < 2 or signs != 1:
        return  # a comment is likelier: a drawing marks its blank, once
    notes = ("every # is read as a wall",)
    rank = 0 if any(row[0] == "#" for row in rows) else -1  # a line of its own may be a comment
    yield Layout("walls", marks, board=board, notes=notes, rank=rank, table=table)


def _aligned(table: Table) -> Iterator[Layout]:
    """One row is short of one cell: the blank is the place that the columns show to be empty."""
    if table.form not in ("rows", "bars") or len(table.rows) < 2 or not table.raw:
        return
    lengths = [len(row) for row in table.rows]
    width = max(lengths)
    short = [i for i, length in enumerate(lengths) if length != width]
    if width < 2 or len(short) != 1 or lengths[short[0]] != width - 1:
        return
    if any(number(mark) in (0, -1) or is_blank(mark) for mark in table.flat):
        return
    spans: list[tuple[int, int]] = []
    for index, raw in enumerate(table.raw):
        if index != short[0]:
            words = _spans(raw)
            spans = (
                words
                if not spans
                else [(min(a, c), max(b, d)) for (a, b), (c, d) in zip(spans, words, strict=False)]
            )
    if any(before[1] > after[0] for before, after in pairwise(spans)):
        return
    hits = [
        [i for i, (a, b) in enumerate(spans) if a < end and begin < b]
        for begin, end in _spans(table.raw[short[0]])
    ]
    columns = [hit[0] for hit in hits if len(hit) == 1]
    if len(columns) != width - 1 or len(set(columns)) != width - 1:
        return
    empty = next(i for i in range(width) if i not in columns)
    rows = [list(row) for row in table.rows]
    rows[short[0]].insert(empty, "")
    marks = [mark for row in rows for mark in row]
    note = f"the empty place in row {short[0] + 1}, column {empty + 1} is taken as the blank"
    yield Layout("aligned", marks, (len(rows), width), notes=(note,), table=table)


def _spans(raw: str) -> list[tuple[int, int]]:
    """Return the places of the words of a line."""
    found, at = [], 0
    for word in raw.replace(",", " ").split():
        at = raw.index(word, at)
        found.append((at, at + len(word)))
        at += len(word)
    return found
