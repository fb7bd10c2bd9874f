"""What notebooks show: a board as a picture, a solution with a slider to step through it."""

from __future__ import annotations

import json
from html import escape

from taquin.render.layout import layout
from taquin.render.svg import CELL, STYLE, board_svg, ground, opening, tiles
from taquin.search.result import Solution
from taquin.state import State

#: Solutions with more moves, and boards with more cells, are shown as text.
MOST_MOVES, MOST_CELLS = 1_000, 400

# A slider's handler: `cells` holds, for each step, the place of each tile in pixels.
SCRIPT = (
    "const r=this.closest('.taquin'),f=JSON.parse(r.dataset.steps)[this.value];"
    "r.querySelectorAll('.tile').forEach((t,i)=>t.setAttribute('transform',"
    "`translate(${f[i][0]} ${f[i][1]})`));"
    "r.querySelector('output').textContent=this.value+' / '+this.max"
)


def state_svg(state: State) -> str | None:
    """Return the picture of a state, or None for boards that are too large."""
    return board_svg(state) if state.board.n <= MOST_CELLS else None


def solution_html(solution: Solution) -> str | None:
    """Return a solution with a slider; it needs nothing from elsewhere.

    Examples
    --------
    >>> from taquin.puzzle import Puzzle
    >>> html = solution_html(Puzzle.parse("2x2").solve("1 2 / 0 3"))
    >>> html is not None and 'type="range"' in html
    True
    """
    board = solution.start.board
    if board.n > MOST_CELLS or len(solution.walk) > MOST_MOVES:
        return None
    drawn = layout(board)
    order = [tile for tile in solution.start.tiles if tile]
    steps = []
    for state in solution.states():
        at = {tile: drawn.places[cell] for cell, tile in enumerate(state.tiles)}
        steps.append([[round(x * CELL, 1) for x in at[tile]] for tile in order])
    said = f"{solution.length} moves, {solution.status}"
    if len(solution.walk) <= 200 and board.directions:
        said += f": {solution.moves}"
    data = escape(json.dumps(steps, separators=(",", ":")), quote=True)
    picture = [
        *opening(drawn, said),
        f"<style>{STYLE}</style>",
        *ground(drawn),
        *tiles(solution.start, solution.goal, drawn),
        "</g></svg>",
    ]
    return "\n".join(
        [
            f'<div class="taquin" data-steps="{data}">',
            *picture,
            f'<div><input type="range" min="0" max="{len(solution.walk)}" value="0"'
            f' aria-label="step" oninput="{escape(SCRIPT, quote=True)}">'
            f" <output>0 / {len(solution.walk)}</output></div>",
            f"<div>{escape(said)}</div>",
            "</div>",
        ]
    )
