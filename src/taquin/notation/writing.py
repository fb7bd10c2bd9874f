"""`write`: a state in every form that `read` understands; `FORMS` lists them."""

from __future__ import annotations

from dataclasses import dataclass

from taquin.errors import ParseError, Unsupported, quote
from taquin.notation import writers as w
from taquin.state import State


@dataclass(frozen=True)
class Form:
    """A written form of boards.

    Attributes
    ----------
    name : str
        Its key in `FORMS`.
    text : str
        One line for a list of forms.
    layouts : frozenset of str
        The kinds of layout that `read` accepts for it.
    writer : function
        (state, goal) -> text.
    fits : function
        Whether the form can express a state, so that `read` gives it back.
    """

    name: str
    text: str
    layouts: frozenset[str]
    writer: w.Writer
    fits: w.Fits

    def expresses(self, state: State) -> bool:
        """Whether `write` can write `state` in this form and `read` gives it back."""
        return self.fits(state)


FORMS: dict[str, Form] = {}


def write(state: State, form: str = "slash", goal: State | None = None) -> str:
    r"""Return `state` in a written form; `read` gives it back.

    Parameters
    ----------
    form : str
        A key of `FORMS`.
    goal : State, optional
        The goal, for the forms that carry one (PDDL, start and goal, ...); otherwise the tiles
        in order and the blank last.

    Raises
    ------
    ParseError
        If there is no such form.
    Unsupported
        If the form cannot express the board: letters for more than 36 cells, rows for a graph.

    Examples
    --------
    >>> from taquin.board import Board
    >>> state = State([1, 2, 3, 0], Board.grid(2, 2))
    >>> write(state), write(state, "nested"), write(state, "rows")
    ('1 2 / 3 0', '[[1, 2], [3, 0]]', '1 2\n3 0')
    """
    if form not in FORMS:
        raise ParseError(f"there is no form {quote(form)}; the forms are {', '.join(FORMS)}")
    entry = FORMS[form]
    if not entry.fits(state):
        raise Unsupported(
            f"the form {form!r} ({entry.text}) cannot express a state of the board"
            f" {quote(state.board.spec)}; use 'spec'"
        )
    if not entry.layouts & {"pair", "gap-goal", "asp", "pddl"}:
        return entry.writer(state, state)  # there is no place for a goal
    if goal is None:
        tiles = tuple(sorted(tile for tile in state.tiles if tile))
        goal = State.trusted((*tiles, 0), state.board, state.board.n - 1)
    elif goal.board != state.board or sorted(goal.tiles) != sorted(state.tiles):
        raise Unsupported("the goal must be a state of the same board with the same labels")
    return entry.writer(state, goal)


# name, one line, the layouts that are read for it, the writer, what it can express
_TABLE: tuple[tuple[str, str, str, w.Writer, w.Fits], ...] = (
    ("slash", "rows between slashes; other boards as 'spec'",
     "slash spec prolog", w.slash, w.always),
    ("spec", "the board, a colon, the tiles: 3x3:torus: 1 2 3 ...", "spec", w.spec, w.always),
    ("rows", "a line for each row, an empty line between layers", "rows line", w.rows(),
     w.is_layers),
    ("layers", "rows, and // between layers", "rows line", w.rows(layer="//"), w.is_layers),
    ("sized", "n, or rows and columns, then the rows", "sized", w.sized, w.is_layers),
    ("size-line", "R C, or D R C, then the rows", "sized", w.size_line, w.is_layers),
    ("list", "k, then k*k lines with one number each", "sized", w.one_a_line, w.is_square),
    ("line", "all numbers in one line", "line", w.line(), w.is_line),
    ("commas", "all numbers in one line, with commas", "line", w.line(sign=","), w.is_line),
    ("x", "all numbers in one line, x for the blank", "line", w.line("x"), w.is_line),
    ("csv", "rows with commas, the blank an empty cell", "rows line", w.rows("", ","),
     w.proper(w.is_rows)),
    ("slidysim", "rows between slashes without blanks, as in csTimer", "slash", w.joined("/"),
     w.is_rows),
    ("bars", "rows between bars, -1 for the blank (Puzzle15Gym)", "bars", w.joined("|", "-1"),
     w.is_rows),
    ("dashes", "numbers joined by dashes, _ for the blank", "dashes", w.joined("\n", "_", "-"),
     w.proper(w.is_rows)),
    ("dots", "rows, . for the blank", "rows", w.rows("."), w.is_layers),
    ("underscores", "rows, __ for the blank", "rows", w.rows("__"), w.is_layers),
    ("minus-one", "rows, -1 for the blank", "rows", w.rows("-1"), w.is_layers),
    ("b", "rows, B for the blank", "rows", w.rows("B"), w.is_layers),
    ("chars", "one character a cell, letters from 10 on: 283104765", "chars", w.chars("0"),
     w.one_char(w.is_line)),
    ("letters", "one character a cell, - for the blank: 1234-5678", "chars", w.chars("-"),
     w.one_char(w.is_line)),
    ("char-rows", "one character a cell, a line for each row", "chars", w.chars("0", "\n"),
     w.one_char(w.is_rows)),
    ("nested", "nested lists: [[1, 2], [3, 0]]", "nested", w.nested(), w.is_nested),
    ("tuple", "nested tuples: ((1, 2), (3, 0))", "nested", w.nested("(", ")"), w.is_nested),
    ("braces", "nested braces: {{1,2},{3,0}}", "nested", w.nested("{", "}", comma=","),
     w.is_nested),
    ("none", "nested lists, None for the blank", "nested", w.nested(blank="None"), w.is_nested),
    ("one-based", "nested lists of 1..n: the greatest label is the blank", "nested",
     w.nested(blank="{n}"), w.proper(w.is_nested)),
    ("zero-based", "nested lists, tiles from 0, -1 for the blank", "nested",
     w.nested(blank="-1", offset=-1), w.proper(w.is_nested)),
    ("flat", "one flat list: [1, 2, 3, 0]", "nested", w.line(sign=", ", head="[", tail="]"),
     w.is_line),
    ("term", "a Prolog term: p(1,2,3,0)", "term", w.line(sign=",", head="p(", tail=")"),
     w.is_line),
    ("prolog", "Prolog slashes: 1/2/3/0", "prolog", w.line(sign="/"), w.is_line),
    ("box", "an ASCII box, the blank empty", "box", w.box("-", "|", "+++++++++"),
     w.proper(w.is_rows)),
    ("unicode", "a Unicode box, the blank empty", "box", w.box("─", "│", "┌┬┐├┼┤└┴┘"),
     w.proper(w.is_rows)),
    ("aligned", "rows in columns, the blank an empty place", "aligned", w.aligned,
     w.proper(w.is_rows)),
    ("walls", "rows with # for walls", "walls", w.walls, w.is_drawing),
    ("graph", "number of edges, edges, places of the pieces (AtCoder ABC224 D)", "graph",
     w.graph, w.is_graph),
    ("gap-goal", "number of tiles, goal cell of the gap (-1: the last), rows", "gap-goal",
     w.gap_goal, w.proper(w.is_square)),
    ("pair", "a start line and a goal line", "pair", w.pair, w.proper(w.is_line)),
    ("korf", "an id, then the tiles of a square", "korf", w.line(head="1 "),
     w.proper(w.is_square)),
    ("asp", "ASP atoms: in0(row,column,tile)", "asp", w.asp, w.proper(w.is_rows)),
    ("pddl-columns", "PDDL: (at t1 p2 p1), column and row (strips-sliding-tile)", "pddl",
     w.pddl("t", "at", "blank", lambda r, c: f"p{c} p{r}", "strips-sliding-tile"),
     w.proper(w.is_rows)),
    ("pddl", "PDDL: (at t_1 p_1_2) and (neighbor ..) (n-puzzle)", "pddl",
     w.pddl("t_", "at", "empty", lambda r, c: f"p_{r}_{c}", "n-puzzle", "neighbor"),
     w.proper(w.is_rows)),
    ("pddl-rows", "PDDL: (tile-at tile5 row1 col2)", "pddl",
     w.pddl("tile", "tile-at", "is-blank", lambda r, c: f"row{r} col{c}", "sliding-tile"),
     w.proper(w.is_rows)),
    ("pddl-slots", "PDDL: (at t5 s1) and (adj s1 s2); any graph", "pddl",
     w.pddl("t", "at", "empty", lambda r, c: f"s{c}", "eightpuzzle", "adj"), w.is_slots),
    ("columns", "column by column, a line each; read only when asked for",
     "rows line sized nested spec box chars", w.ordered("columns"), w.is_layers),
    ("y-up", "the lowest row first; read only when asked for",
     "rows line slash bars sized nested spec box chars", w.ordered("y-up"), w.is_layers),
)  # fmt: skip
FORMS |= {name: Form(name, text, frozenset(kinds.split()), writer, fits)
          for name, text, kinds, writer, fits in _TABLE}  # fmt: skip
