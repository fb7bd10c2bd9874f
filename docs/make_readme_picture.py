#!/usr/bin/env python3
"""Draw docs/solve.svg, the picture at the top of the README: a start, its shortest way, the goal.

    python docs/make_readme_picture.py

The way is found by the library; the board on the right walks it, where the viewer shows motion.
`picture()` returns the text, so that a test can see that the file is fresh.
"""

from __future__ import annotations

from pathlib import Path

import taquin as tq

TARGET = Path(__file__).with_name("solve.svg")
# Board 1 of Korf's hundred (Artificial Intelligence 27, 1985): 57 moves.
BOARD = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"

CELL, GAP, MARGIN = 58, 4, 24
SIDE = 4 * CELL + 5 * GAP
MIDDLE = 320
WIDTH, HEIGHT = 2 * SIDE + MIDDLE + 2 * MARGIN, SIDE + 2 * MARGIN + 26
A_ROW = 10  # arrows
STEP, PAUSE = 0.3, 4.0  # seconds for one move, and at the end

# one colour for each row of the goal
COLOURS = ("#f6c8a8", "#f3e2a0", "#bfe0c0", "#b9d3ee")
TURN = {"U": 0, "R": 90, "D": 180, "L": 270}

STYLE = """
text { font-family: ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif;
  fill: #2b2f36; text-anchor: middle; }
.n { font-size: 23px; font-weight: 600; }
.c { font-size: 14px; fill: #667; }
.h { font-size: 19px; font-weight: 600; }
.t { animation-duration: %ss; animation-iteration-count: infinite;
  animation-timing-function: linear; }
@media (prefers-reduced-motion: reduce) { .t { animation: none; } }
"""


def place(cell: int) -> tuple[int, int]:
    """Return x and y of a cell, in pixels from the corner of its board."""
    row, column = divmod(cell, 4)
    return GAP + column * (CELL + GAP), GAP + row * (CELL + GAP)


def board(state: tq.State, left: int, caption: str, moving: bool = False) -> list[str]:
    """Return the elements that draw a state; `moving` tiles are named for the animation."""
    lines = [
        f'<g transform="translate({left} {MARGIN})">',
        f'<rect width="{SIDE}" height="{SIDE}" rx="8" fill="#d9dce3"/>',
    ]
    for cell, tile in enumerate(state):
        if tile:
            x, y = place(cell)
            name = f' class="t" style="animation-name:t{tile}"' if moving else ""
            lines += [
                f'<g transform="translate({x} {y})"><g{name}>',
                f'<rect width="{CELL}" height="{CELL}" rx="6" fill="{COLOURS[tile // 4]}"/>',
                f'<text class="n" x="{CELL / 2:g}" y="{CELL / 2:g}" dy=".35em">{tile}</text>',
                "</g></g>",
            ]
    lines += [f'<text class="c" x="{SIDE / 2:g}" y="{SIDE + 22}">{caption}</text>', "</g>"]
    return lines


def arrows(solution: tq.Solution) -> list[str]:
    """Return the elements that draw the moves of the blank as arrows, ten in a row."""
    moves = solution.moves
    left, size = SIDE + MARGIN + (MIDDLE - A_ROW * 26) / 2, 26
    top = MARGIN + 66
    lines = [
        f'<text class="h" x="{WIDTH / 2:g}" y="{MARGIN + 36}">'
        f"{len(moves)} moves, none shorter</text>"
    ]
    for i, letter in enumerate(moves):
        row, column = divmod(i, A_ROW)
        x, y = left + (column + 0.5) * size, top + (row + 0.5) * size
        lines.append(f'<use href="#a" transform="translate({x:g} {y:g}) rotate({TURN[letter]})"/>')
    lines.append(
        f'<text class="c" x="{WIDTH / 2:g}" y="{MARGIN + SIDE + 22}">the way of the blank</text>'
    )
    return lines


def motion(solution: tq.Solution) -> list[str]:
    """Return one `@keyframes` for each tile; places count from its place in the goal."""
    total = STEP * solution.length + PAUSE
    home = {tile: place(cell) for cell, tile in enumerate(solution.goal)}
    frames: dict[int, list[str]] = {tile: [] for tile in solution.start if tile}

    def stop(tile: int, seconds: float, cell: int) -> None:
        (x, y), (x0, y0) = place(cell), home[tile]
        percent = f"{100 * seconds / total:.2f}".rstrip("0").rstrip(".")
        frames[tile].append(f"{percent}%{{transform:translate({x - x0}px,{y - y0}px)}}")

    for cell, tile in enumerate(solution.start):
        if tile:
            stop(tile, 0, cell)
    blank = solution.start.blank
    states = solution.states()
    for i, (before, to) in enumerate(zip(states, solution.walk, strict=False)):
        tile = before[to]
        stop(tile, STEP * i + PAUSE / 4, to)
        stop(tile, STEP * (i + 0.8) + PAUSE / 4, blank)
        blank = to
    return [
        f"@keyframes t{tile}{{{''.join(stops)}100%{{transform:none}}}}"
        for tile, stops in frames.items()
    ]


def picture() -> str:
    """Return the whole picture as SVG text."""
    puzzle = tq.Puzzle.parse("4x4:blank-first")
    solution = puzzle.solve(puzzle.state(BOARD))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"<title>A 15-puzzle and its shortest solution: {solution.moves}</title>",
        "<style>" + STYLE % f"{STEP * solution.length + PAUSE:g}",
        *motion(solution),
        "</style>",
        '<defs><path id="a" d="M0 8V-7M-5 -2L0 -7L5 -2" fill="none" stroke="#3b5b8c"'
        ' stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></defs>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="12" fill="#fafbfc"/>',
        *board(solution.start, MARGIN, "start"),
        *arrows(solution),
        *board(solution.goal, WIDTH - MARGIN - SIDE, "goal", moving=True),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(picture(), encoding="utf-8")
    print(f"wrote {TARGET}")
