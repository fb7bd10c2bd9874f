"""The writers behind `FORMS`, and which states each of them can express.

A writer is a function (state, goal) -> text; most ignore the goal. The functions that take
options return a writer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import isqrt

from taquin.board import Board, GraphBoard, GridBoard, WallBoard
from taquin.errors import Unsupported
from taquin.notation.layouts import shapes_of
from taquin.notation.model import turned
from taquin.state import State

Writer = Callable[[State, State], str]
Fits = Callable[[State], bool]
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


# -- which states a form can express ---------------------------------------------------------------


def always(state: State) -> bool:
    """Any state."""
    return True


def _shape(state: State) -> tuple[int, ...]:
    """Return the shape of a plain grid; () for any other board."""
    board = state.board
    return board.shape if isinstance(board, GridBoard) and not board.wrap else ()


def is_rows(state: State) -> bool:
    """A plain grid of at least two rows and two columns."""
    shape = _shape(state)
    return len(shape) == 2 and min(shape) > 1


def is_layers(state: State) -> bool:
    """The same, or layers of such rows."""
    shape = _shape(state)
    return len(shape) in (2, 3) and min(shape) > 1


def is_nested(state: State) -> bool:
    """Any plain grid of two or more axes; equal labels could be a start and a goal."""
    return len(_shape(state)) >= 2 and state.board.n > 1 and not state.repeats


def is_line(state: State) -> bool:
    """A grid whose size follows from the number of its cells: a square, or 1 x a prime."""
    return state.board.n > 1 and shapes_of(state.board.n) == [_shape(state)]


def is_square(state: State) -> bool:
    """A square grid."""
    return is_rows(state) and len(set(_shape(state))) == 1


def is_drawing(state: State) -> bool:
    """A board with walls, unless it could be taken for a smaller board with comments."""
    board = state.board
    if not isinstance(board, WallBoard) or "#" not in "".join(board.rows):
        return False
    if min(board.shape) < 2 or board.n < 2 or state.repeats:
        return False
    words = iter(state.tiles)
    before = []  # the labels that would be left if # began a comment
    for row in board.rows:
        labels = [next(words) for mark in row if mark == "."]
        before += labels[: row.index("#")] if "#" in row else labels
    first = min(before, default=2)
    left_out = first < 2 and sorted(before) == list(range(first, first + len(before)))
    return not (left_out and any(row[0] == "#" for row in board.rows))


def is_graph(state: State) -> bool:
    """A graph of at least two cells."""
    return isinstance(state.board, GraphBoard) and state.board.n > 1 and not state.repeats


def is_slots(state: State) -> bool:
    """Rows, or a graph that is not the graph of a grid in reading order."""
    if isinstance(state.board, GraphBoard):
        return is_graph(state) and not _grid_edges(state.board)
    return is_rows(state) and not state.repeats


def _grid_edges(board: Board) -> bool:
    edges = set(board.edges())
    shapes = [(rows, board.n // rows) for rows in range(1, board.n + 1) if board.n % rows == 0]
    return any(edges == set(Board.grid(*shape).edges()) for shape in shapes)


def proper(fits: Fits) -> Fits:
    """Only if the labels are 1..n-1, each once."""
    return lambda state: fits(state) and not state.repeats


def one_char(fits: Fits) -> Fits:
    """Only if every label is one digit in base 36."""
    return lambda state: state.board.n <= 36 and not state.repeats and fits(state)


# -- rows and lines --------------------------------------------------------------------------------


def _words(state: State, blank: str = "0") -> list[str]:
    return [str(tile) if tile else blank for tile in state.tiles]


def _rows_of(state: State, words: Sequence[str]) -> list[list[str]]:
    """Cut words into the rows of the board, over all layers."""
    width = (state.board.shape or (len(words),))[-1]
    return [list(words[i : i + width]) for i in range(0, len(words), width)]


def rows(blank: str = "0", sign: str = " ", layer: str = "") -> Writer:
    """A line for each row, in columns; `layer` stands between layers."""

    def writer(state: State, goal: State) -> str:
        words = _words(state, blank)
        width = max(map(len, words)) if sign == " " else 0
        lines = [sign.join(word.rjust(width) for word in row) for row in _rows_of(state, words)]
        shape = state.board.shape or ()
        height = shape[-2] if len(shape) == 3 else len(lines)
        layers = ["\n".join(lines[i : i + height]) for i in range(0, len(lines), height)]
        return f"\n{layer}\n".join(layers)

    return writer


def joined(between: str, blank: str = "0", sign: str = " ") -> Writer:
    """Rows with `between` between them."""
    return lambda state, goal: between.join(
        sign.join(row) for row in _rows_of(state, _words(state, blank))
    )


def spec(state: State, goal: State) -> str:
    """The board, a colon, the tiles."""
    return f"{state.board.spec}: {' '.join(map(str, state.tiles))}"


def slash(state: State, goal: State) -> str:
    """Rows between slashes; any other board as `spec`."""
    return joined(" / ")(state, goal) if is_rows(state) else spec(state, goal)


def sized(state: State, goal: State) -> str:
    """The size, once if all axes are alike, and the rows."""
    shape = state.board.shape or ()
    head = shape[:1] if len(set(shape)) == 1 else shape
    return f"{' '.join(map(str, head))}\n{rows()(state, goal)}\n"


def size_line(state: State, goal: State) -> str:
    """All lengths, and the rows."""
    return f"{' '.join(map(str, state.board.shape or ()))}\n{rows()(state, goal)}\n"


def one_a_line(state: State, goal: State) -> str:
    """The side of a square, and a line for each number."""
    return f"{isqrt(state.board.n)}\n" + "".join(f"{tile}\n" for tile in state.tiles)


def line(blank: str = "0", sign: str = " ", head: str = "", tail: str = "") -> Writer:
    """All labels in one line."""
    return lambda state, goal: head + sign.join(_words(state, blank)) + tail


def chars(blank: str, between: str = "") -> Writer:
    """One character a cell, `between` between rows."""

    def writer(state: State, goal: State) -> str:
        signs = [_DIGITS[tile] if tile else blank for tile in state.tiles]
        return between.join("".join(row) for row in _rows_of(state, signs))

    return writer


def aligned(state: State, goal: State) -> str:
    """Rows in columns with an empty place for the blank."""
    width = len(str(max(state.tiles)))
    words = [word.rjust(width) for word in _words(state, "")]
    return "\n".join(" ".join(row) for row in _rows_of(state, words))


# -- brackets and boxes ----------------------------------------------------------------------------


def nested(
    opening: str = "[", closing: str = "]", blank: str = "0", offset: int = 0, comma: str = ", "
) -> Writer:
    """Nested lists; ``{n}`` in `blank` is the number of cells, `offset` is added to every tile."""

    def writer(state: State, goal: State) -> str:
        def wrapped(group: Sequence[str]) -> str:
            tail = "," if opening == "(" and len(group) == 1 else ""  # a tuple of one
            return opening + comma.join(group) + tail + closing

        zero = blank.format(n=state.board.n)
        parts = [str(tile + offset) if tile else zero for tile in state.tiles]
        for length in reversed((state.board.shape or ())[1:]):
            parts = [wrapped(parts[i : i + length]) for i in range(0, len(parts), length)]
        return wrapped(parts)

    return writer


def box(across: str, bar: str, corners: str) -> Writer:
    """Cells between bars, the blank empty; `corners` joins the first, inner and last rule."""

    def writer(state: State, goal: State) -> str:
        width = len(str(max(state.tiles)))
        words = [word.rjust(width) for word in _words(state, "")]
        body = [bar + bar.join(row) + bar for row in _rows_of(state, words)]
        cells = [across * width] * (state.board.shape or (1,))[-1]
        first, inner, last = (
            corners[i] + corners[i + 1].join(cells) + corners[i + 2] for i in (0, 3, 6)
        )
        return "\n".join([first, f"\n{inner}\n".join(body), last])

    return writer


def walls(state: State, goal: State) -> str:
    """Rows with # for walls."""
    words = iter(_words(state))
    width = len(str(max(state.tiles)))
    drawing = state.board.rows if isinstance(state.board, WallBoard) else ()
    return "\n".join(
        " ".join((next(words) if mark == "." else "#").rjust(width) for mark in row)
        for row in drawing
    )


def ordered(form: str) -> Writer:
    """Rows in another order: the columns first, or the lowest row first."""

    def writer(state: State, goal: State) -> str:
        values = tuple(turned(list(state.tiles), state.board, form, back=True))
        shape = list(state.board.shape or ())
        if form == "columns":
            shape[-2:] = shape[-1], shape[-2]
        flat = State.trusted(values, Board.grid(*shape), values.index(0))
        return rows()(flat, flat)

    return writer


# -- with a goal -----------------------------------------------------------------------------------


def gap_goal(state: State, goal: State) -> str:
    """The number of tiles, the cell of the gap in the goal (-1 is the last), the rows."""
    tiles = [tile for tile in goal.tiles if tile]
    if tiles != sorted(tiles):
        raise Unsupported("this form writes only goals with the tiles in order around the gap")
    gap = -1 if goal.blank == state.board.n - 1 else goal.blank
    return f"{state.board.n - 1}\n{gap}\n{rows()(state, goal)}\n"


def pair(state: State, goal: State) -> str:
    """A start line and a goal line, the gap -1."""
    return "\n".join(" ".join(_words(end, "-1")) for end in (state, goal)) + "\n"


def graph(state: State, goal: State) -> str:
    """The number of edges, the edges from 1, and the place of each piece."""
    edges = list(state.board.edges())
    places = [0] * state.board.n
    for cell, tile in enumerate(state.tiles):
        places[tile] = cell + 1
    lines = [f"{a + 1} {b + 1}" for a, b in edges]
    return "\n".join([str(len(edges)), *lines, " ".join(map(str, places[1:])), ""])


def asp(state: State, goal: State) -> str:
    """ASP atoms: in0(row,column,tile) and goal(row,column,tile)."""
    width = (state.board.shape or (1,))[-1]
    return "\n".join(
        " ".join(
            f"{name}({cell // width + 1},{cell % width + 1},{tile})."
            for cell, tile in enumerate(end.tiles)
        )
        for name, end in (("in0", state), ("goal", goal))
    )


def pddl(
    tile: str,
    tile_at: str,
    blank_at: str,
    place: Callable[[int, int], str],
    domain: str,
    edge: str = "",
) -> Writer:
    """A PDDL problem; `place` names a row and a column from 1, or a slot if the row is 0."""

    def writer(state: State, goal: State) -> str:
        n = state.board.n
        width = n if domain == "eightpuzzle" else (state.board.shape or (n,))[-1]
        names = [place(cell // width + 1, cell % width + 1) for cell in range(n)]

        def atoms(end: State) -> str:
            return " ".join(
                f"({tile_at} {tile}{label} {name})" if label else f"({blank_at} {name})"
                for label, name in zip(end.tiles, names, strict=True)
            )

        objects = [f"{tile}{label}" for label in range(1, n)]
        objects += dict.fromkeys(word for name in names for word in name.split())
        if edge:
            pairs = [(names[a], names[b]) for a, b in state.board.edges()]
            facts = " ".join(f"({edge} {a} {b}) ({edge} {b} {a})" for a, b in pairs)
        else:
            facts = _order(objects)
        return (
            f"(define (problem sliding-{n})\n  (:domain {domain})\n"
            f"  (:objects {' '.join(objects)})\n"
            f"  (:init\n    {atoms(state)}\n    {facts})\n  (:goal (and {atoms(goal)})))\n"
        )

    return writer


def _order(objects: Sequence[str]) -> str:
    """Say which row or column follows which: next-row and next-column, or inc and dec."""
    said = []
    for kind, forward, backward in (
        ("row", "next-row", ""), ("col", "next-column", ""), ("p", "inc", "dec"),
    ):  # fmt: skip
        numbers = sorted(
            int(name.removeprefix(kind)) for name in objects if name.rstrip("0123456789") == kind
        )
        for a, b in pairwise(numbers):
            said.append(f"({forward} {kind}{a} {kind}{b})")
            if backward:
                said.append(f"({backward} {kind}{b} {kind}{a})")
    return " ".join(said)
