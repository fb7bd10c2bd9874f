"""Boards as SVG: tiles in the colours of their goal's rows, on a light or a dark page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from taquin.errors import Unsupported
from taquin.render.layout import Layout, layout
from taquin.state import State

#: Pixels of a cell's side with what is left free round a tile, and round the whole board.
CELL, GAP, MARGIN = 56, 2, 10
#: Boards with more cells are not drawn.
MOST_CELLS = 10_000

#: A colour for each row of the goal, light enough for dark letters: their contrast is above 7.
COLOURS = ("#f6c8a8", "#f3e2a0", "#bfe0c0", "#b9d3ee", "#d9c7ec", "#f2bfd0", "#c6e3e1", "#dcdcb4")
INK, BOARD, BOARD_DARK, WALL, ARROW = "#20242b", "#d9dce3", "#3a414d", "#8a93a3", "#b3261e"

STYLE = f"""
.board {{ fill: {BOARD}; }} .wall {{ fill: {WALL}; }} .edge {{ stroke: {WALL}; stroke-width: 3; }}
.tile text {{ font: 600 22px ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif;
  fill: {INK}; text-anchor: middle; }}
.home rect, .home circle {{ stroke: {INK}; stroke-width: 1.5; }}
.way {{ fill: none; stroke: {ARROW}; stroke-width: 4; stroke-opacity: .6; stroke-linecap: round;
  stroke-linejoin: round; }}
@media (prefers-color-scheme: dark) {{ .board {{ fill: {BOARD_DARK}; }} }}
"""


def board_svg(
    state: State,
    goal: State | None = None,
    *,
    walk: Sequence[int] = (),
    title: str | None = None,
) -> str:
    """Draw a board.

    Parameters
    ----------
    state : State
    goal : State, optional
        Gives each tile its colour, and a border to those that are home; labels in order if not
        given.
    walk : sequence of int
        Cells that the blank will visit, drawn as a line with an arrow.
    title : str, optional
        What a screen reader says; the board's text if not given.

    Returns
    -------
    str
        An SVG element, which stands alone.

    Raises
    ------
    Unsupported
        If the board has more than 10,000 cells.

    Examples
    --------
    >>> from taquin.board import Board
    >>> board_svg(State([1, 2, 3, 0], Board.grid(2, 2)))[:68]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 132 132" width='
    """
    if state.board.n > MOST_CELLS:
        raise Unsupported(
            f"a board of {state.board.n:,} cells is too large to draw: at most {MOST_CELLS:,}"
        )
    drawn = layout(state.board)
    title = f"{state.board.spec}: {state}" if title is None else title
    lines = [
        *opening(drawn, title),
        f"<style>{STYLE}</style>",
        *ground(drawn),
        *tiles(state, goal, drawn),
        *_way(drawn, state.blank, walk),
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def opening(drawn: Layout, title: str, below: int = 0) -> list[str]:
    """Return the first lines, with `below` pixels under the board; two elements are open."""
    width = drawn.width * CELL + 2 * MARGIN
    height = drawn.height * CELL + 2 * MARGIN + below
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<g transform="translate({MARGIN} {MARGIN})">',
    ]


def ground(drawn: Layout) -> Iterator[str]:
    """Yield what lies under the tiles: panel, walls, edges, marks where the board goes round."""
    width, height = drawn.width * CELL, drawn.height * CELL
    if drawn.lines:
        for one, other in drawn.lines:
            (x1, y1), (x2, y2) = middle(drawn, one), middle(drawn, other)
            yield f'<line class="edge" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'
        for x, y in drawn.places:
            yield (
                f'<circle class="board" cx="{x * CELL + CELL / 2:g}" cy="{y * CELL + CELL / 2:g}"'
                f' r="{CELL / 2 - GAP:g}"/>'
            )
        return
    for kind, corners in (("board", drawn.places), ("wall", drawn.blocks)):
        for x, y in corners:
            at = f'x="{x * CELL:g}" y="{y * CELL:g}" width="{CELL}" height="{CELL}"'
            yield f'<rect class="{kind}" {at}/>'
    for goes_round, d in zip(
        drawn.wraps,
        (
            f"M-4 0V{height:g}M{width + 4:g} 0V{height:g}",
            f"M0 -4H{width:g}M0 {height + 4:g}H{width:g}",
        ),
        strict=True,
    ):
        if goes_round:
            yield f'<path class="edge" stroke-dasharray="6 6" d="{d}"/>'


def tiles(state: State, goal: State | None, drawn: Layout, names: bool = False) -> Iterator[str]:
    """Yield a group for each tile; with `names` it has an inner group ``t`` of class t<label>."""
    row = rows_of(state, goal)
    round_ = bool(drawn.lines)
    for cell, tile in enumerate(state.tiles):
        if tile == 0:
            continue
        x, y = (at * CELL for at in drawn.places[cell])
        home = goal is not None and goal.tiles[cell] == tile
        inner = f' class="t t{tile}"' if names else ""
        side = CELL - 2 * GAP
        colour = COLOURS[row[tile] % len(COLOURS)]
        shape = f'rect x="{GAP}" y="{GAP}" width="{side}" height="{side}" rx="7"'
        if round_:
            shape = f'circle cx="{CELL / 2:g}" cy="{CELL / 2:g}" r="{side / 2:g}"'
        kind = "tile home" if home and not names else "tile"
        yield (
            f'<g class="{kind}" transform="translate({x:g} {y:g})"><g{inner}>'
            f'<{shape} fill="{colour}"/><text x="{CELL / 2:g}" y="{CELL / 2:g}" dy=".35em"'
            f"{_smaller(tile)}>{tile}</text></g></g>"
        )


def rows_of(state: State, goal: State | None) -> dict[int, int]:
    """Return the row of the picture in which each label's goal lies."""
    order = goal.tiles if goal is not None else [*range(1, state.board.n), 0]
    places = layout(state.board).places
    heights = sorted({round(y) for _, y in places})
    row: dict[int, int] = {}
    for cell, tile in enumerate(order):
        row.setdefault(tile, heights.index(round(places[cell][1])))
    return {tile: row.get(tile, 0) for tile in state.tiles}


def _smaller(tile: int) -> str:
    """Long numbers get smaller letters."""
    digits = len(str(tile))
    return "" if digits < 3 else f' style="font-size:{22 - 4 * (digits - 2)}px"'


def middle(drawn: Layout, cell: int) -> tuple[float, float]:
    """Return the middle of a cell, in pixels."""
    x, y = drawn.places[cell]
    return x * CELL + CELL / 2, y * CELL + CELL / 2


def _way(drawn: Layout, blank: int, walk: Sequence[int]) -> Iterator[str]:
    if not walk:
        return
    points = [middle(drawn, cell) for cell in (blank, *walk)]
    (x1, y1), (x2, y2) = points[-2:]
    length = max(abs(x2 - x1), abs(y2 - y1)) or 1.0
    along, across = (9 * (x2 - x1) / length, 9 * (y2 - y1) / length), None
    across = (-along[1], along[0])
    head = [
        (x2 - along[0] + across[0], y2 - along[1] + across[1]),
        (x2, y2),
        (x2 - along[0] - across[0], y2 - along[1] - across[1]),
    ]
    for line in (points, head):
        text = " ".join(f"{x:g},{y:g}" for x, y in line)
        yield f'<polyline class="way" points="{text}"/>'
