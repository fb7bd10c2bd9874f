"""``taquin animate``: a solution as a moving picture, or a board as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from taquin.cli import common, terminal
from taquin.cli.common import DONE
from taquin.cli.questions import Question, Questions, one_question, require_solvable
from taquin.errors import Unsupported

if TYPE_CHECKING:
    import argparse

    from taquin.search.result import Solution

HELP = """Draw the solution of a board as a moving picture.

The name of the file says the format: .svg (plays in any browser), .gif (needs the
extra 'plot'), .mp4 (the extra 'video'); .png draws the board alone. Tiles can show
a photo instead of colours."""
EXAMPLES = """\
  taquin animate "8 1 3 / 4 0 2 / 7 6 5" -o eight.svg
  taquin animate "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3" --goal blank-first -o korf1.gif
  taquin animate "1 2 3 / 4 5 6 / 0 7 8" --moves RR -o two.gif --lang vi
  taquin animate "8 1 3 / 4 0 2 / 7 6 5" --picture photo.jpg --no-numbers -o photo.mp4
  taquin animate "8 1 3 / 4 0 2 / 7 6 5" -o board.png"""

#: Pixels of a cell's side.
SIDES = 16, 400


def options(parser: argparse.ArgumentParser) -> None:
    """Say what can follow the command."""
    common.add_boards(parser)
    add = parser.add_argument
    add("-o", "--output", metavar="FILE", required=True, help="the picture: .svg .gif .mp4 .png")
    add("--moves", metavar="MOVES", help="these moves instead of a shortest solution")
    add(
        "--notation",
        metavar="NAME",
        default="blank",
        help="of the moves: blank (if not given), tile, tiles, cells, words, rle",
    )
    add("--speed", metavar="N", type=float, default=1.0, help="times as fast (1); 0.1 to 20")
    add("--picture", metavar="PHOTO", help="a photo that the tiles show")
    add("--size", metavar="PIXELS", type=common.natural, default=96, help="of a cell's side (96)")
    add("--time", metavar="TIME", dest="limit", help="a limit for finding a solution: 10s, 2m")
    add(
        "--no-numbers",
        action="store_true",
        help="write no numbers on the tiles",
    )


def animate(
    boards: list[str],
    files: list[str],
    puzzle: str | None,
    goal: str | None,
    to: str | None,
    form: str | None,
    lang: str,
    output: str,
    moves: str | None,
    notation: str,
    speed: float,
    picture: str | None,
    size: int,
    limit: str | None,
    *,
    repeats: bool,
    json: bool,
    no_numbers: bool,
) -> int:
    """Write the picture; return the exit code."""
    from taquin.render.animate import FORMATS, STEP
    from taquin.render.animate import animate as draw
    from taquin.render.picture import Style, read_photo

    path = Path(output)
    lang = terminal.language(lang, as_json=False)
    if path.suffix.lower() not in (*FORMATS, ".png"):
        raise Unsupported(
            f"expected a file that ends in {', '.join(FORMATS)} or .png; got {path.name!r}"
        )
    if not 0.1 <= speed <= 20:
        raise Unsupported(f"--speed is a number from 0.1 to 20; got {speed:g}")
    if not SIDES[0] <= size <= SIDES[1]:
        raise Unsupported(f"--size is a number of pixels from {SIDES[0]} to {SIDES[1]}; got {size}")
    questions = Questions(puzzle, goal, to)
    question = one_question(boards, files, questions, form, repeats=repeats)
    terminal.notes(question, set())
    photo = None if picture is None else read_photo(picture)
    style = Style(size, photo, not no_numbers)
    if path.suffix.lower() == ".png":
        _still(question, path, style)
        shown = 0
    else:
        solution = _solution(question, moves, notation, common.duration(limit))
        bar = terminal.Bar("drawing")
        try:
            notes = draw(solution, path, step=STEP / speed, style=style, lang=lang, progress=bar)
        finally:
            bar.clear()
        for note in notes:
            terminal.note(f"note: {note}")
        shown = len(solution.walk)
    record = {"file": str(path), "moves": shown, "bytes": path.stat().st_size}
    if json:
        terminal.show_json(record)
    else:
        print(f"wrote {path}: {shown} moves, {record['bytes']:,} bytes")
    return DONE


def _solution(
    question: Question, moves: str | None, notation: str, limit: float | None
) -> Solution:
    """Return the moves given, or a solution found."""
    puzzle, start = question.puzzle, question.start
    if moves is not None:
        from taquin.notation import follow, read_moves

        walk = read_moves(moves, start, notation)
        return puzzle.as_solution(start, follow(start, walk), walk)
    require_solvable(question)
    return puzzle.solve(start, time_limit=limit)


def _still(question: Question, path: Path, style: object) -> None:
    from io import BytesIO

    from taquin.render.animate import write
    from taquin.render.picture import Style, board_image

    assert isinstance(style, Style)
    kept = BytesIO()
    board_image(question.start, question.puzzle.goal, style).save(kept, "PNG")
    write(path, kept.getvalue())
