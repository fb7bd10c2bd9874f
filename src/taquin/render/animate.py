"""Solutions as moving pictures: animated SVG, GIF (Pillow), MP4 (the extra ``video``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taquin.errors import Unsupported
from taquin.render.captions import caption
from taquin.render.layout import layout
from taquin.render.picture import MARGIN, PAGE, Painter, Style, font, pillow
from taquin.render.svg import CELL, STYLE, ground, opening, tiles
from taquin.search.result import Solution
from taquin.tables import whole_file

if TYPE_CHECKING:
    from PIL.Image import Image

#: Seconds of a move, and of the pause at the end.
STEP, PAUSE = 0.35, 2.0
#: Frames of a moving picture in a second; of a move at least, the last of which stands.
RATE, FRAMES = 25, 4
#: Moves of a solution that is animated, at most.
MOST_MOVES = 2_000
#: Pixels for the caption.
BELOW = 40
#: What the endings of names mean.
FORMATS = (".svg", ".gif", ".mp4")


def animate(
    solution: Solution,
    path: Path | str,
    *,
    step: float = STEP,
    style: Style | None = None,
    lang: str = "en",
    progress: Callable[[float], object] | None = None,
) -> list[str]:
    """Write a moving picture of a solution; the format follows the file's name.

    Parameters
    ----------
    solution : Solution
        Of at most 2,000 moves.
    path : str or Path
        Ends in ``.svg``, ``.gif`` or ``.mp4``.
    step : float
        Seconds of a move.
    style : Style, optional
        Size, photo, numbers; a photo needs pixels, so it is not for SVG.
    lang : {"en", "vi", "zh"}
        Of the captions.
    progress : callable, optional
        Is given the share that is done.

    Returns
    -------
    list of str
        Notes: what had to be done otherwise.

    Raises
    ------
    Unsupported
        For other formats, longer solutions, and where what is needed is not installed.
    """
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise Unsupported(
            f"a moving picture is written as {', '.join(FORMATS)}; got {Path(path).name!r}"
        )
    if solution.length > MOST_MOVES:
        raise Unsupported(
            f"the solution has {solution.length:,} moves: at most {MOST_MOVES:,} are animated"
        )
    if ending == ".svg":
        if style is not None and style.photo is not None:
            raise Unsupported("an SVG shows no photo: write a .gif or .mp4")
        write(path, animated_svg(solution, step=step, lang=lang).encode())
        return []
    painter = Painter(solution.goal, style, below=BELOW)
    notes: list[str] = []
    if not font(BELOW // 2, lang)[1]:
        notes.append(f"no font for {lang!r} was found: the captions are in English")
        lang = "en"
    film = frames(solution, painter, step, lang)
    count = frame_count(solution, step)
    if ending == ".gif":
        write(path, _gif(_told(film, count, progress)))
    else:
        write(path, _mp4(_told(film, count, progress), painter.size))
    return notes


def frames_of_a_move(step: float) -> int:
    """Return how many frames a move has."""
    return max(FRAMES, round(step * RATE))


def frame_count(solution: Solution, step: float) -> int:
    """Return how many frames `frames` yields."""
    return 1 + len(solution.walk) * frames_of_a_move(step)


def frames(
    solution: Solution, painter: Painter, step: float, lang: str
) -> Iterator[tuple[Image, float]]:
    """Yield pictures and the seconds that each is shown: the start, then the frames of each move.

    A tile begins and ends its way slowly; the last frame of a move is its end.
    """
    from PIL import ImageDraw

    count = frames_of_a_move(step)
    length = len(solution.walk)
    places = painter.places(solution.start)
    cells = {tile: cell for cell, tile in enumerate(solution.start.tiles) if tile}
    by_cell = {cell: tile for tile, cell in cells.items()}
    writing = font(BELOW // 2, lang)[0]

    def picture(move: int, seconds: float) -> tuple[Image, float]:
        image = painter.paint(places)
        at = (image.size[0] / 2, image.size[1] - BELOW / 2 - MARGIN / 2)
        pen = ImageDraw.Draw(image)
        pen.text(at, caption(move, length, lang), fill="#434a56", font=writing, anchor="mm")
        return image, seconds

    yield picture(0, PAUSE / 2 if length else PAUSE)
    blank = solution.start.blank
    for move, cell in enumerate(solution.walk, start=1):
        tile = by_cell.pop(cell)
        (x0, y0), (x1, y1) = painter.drawn.places[cell], painter.drawn.places[blank]
        for frame in range(1, count + 1):
            part = frame / count
            eased = part * part * (3 - 2 * part)
            places[tile] = x0 + (x1 - x0) * eased, y0 + (y1 - y0) * eased
            last = frame == count and move == length
            yield picture(move, PAUSE if last else step / count)
        by_cell[blank], blank = tile, cell


def _told(
    film: Iterator[tuple[Image, float]], count: int, progress: Callable[[float], object] | None
) -> Iterator[tuple[Image, float]]:
    for number, frame in enumerate(film, start=1):
        yield frame
        if progress is not None:
            progress(number / count)


def _gif(film: Iterator[tuple[Image, float]]) -> bytes:
    first, seconds = next(film)
    palette = first.quantize(128)
    durations = [seconds]

    def others() -> Iterator[Image]:
        for image, shown in film:
            durations.append(shown)
            yield image.quantize(palette=palette, dither=pillow().Dither.NONE)

    images = list(others())
    written = BytesIO()
    palette.save(
        written,
        "GIF",
        save_all=True,
        append_images=images,
        duration=[round(1000 * shown) for shown in durations],
        loop=0,
    )
    return written.getvalue()


def _mp4(film: Iterator[tuple[Image, float]], size: tuple[int, int]) -> bytes:
    try:
        import imageio_ffmpeg
    except ImportError:
        raise Unsupported(
            "an MP4 needs imageio-ffmpeg, which is not installed: pip install 'taquin[video]'"
        ) from None
    from tempfile import TemporaryDirectory

    even = (size[0] + size[0] % 2, size[1] + size[1] % 2)  # as the format wants
    with TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        writer: Any = imageio_ffmpeg.write_frames(
            str(path), even, fps=RATE, macro_block_size=2, output_params=["-movflags", "faststart"]
        )
        writer.send(None)
        for image, seconds in film:
            canvas = image if even == size else _padded(image, even)
            for _ in range(max(1, round(seconds * RATE))):
                writer.send(canvas.tobytes())
        writer.close()
        return path.read_bytes()


def _padded(image: Image, size: tuple[int, int]) -> Image:
    from PIL import ImageOps

    return ImageOps.pad(image, size, color=PAGE, centering=(0, 0))


def write(path: Path | str, data: bytes) -> None:
    """Write a file whole or not at all."""
    with whole_file(Path(path)) as file:
        file.write(data)


# -- animated SVG ---------------------------------------------------------------------------------


def animated_svg(solution: Solution, *, step: float = STEP, lang: str = "en") -> str:
    """Draw a solution that plays by itself, again and again, where motion is welcome.

    Examples
    --------
    >>> from taquin.puzzle import Puzzle
    >>> puzzle = Puzzle.parse("2x2")
    >>> svg = animated_svg(puzzle.solve("1 2 / 0 3"))
    >>> svg.count("@keyframes"), "solved in 1 moves" in svg
    (5, True)
    """
    drawn = layout(solution.start.board)
    length = len(solution.walk)
    total = PAUSE / 2 + step * length + PAUSE
    height = drawn.height * CELL
    title = f"{solution.start} → {solution.goal}: {caption(length, length, lang)}"
    style = [
        STYLE,
        f".t {{ animation: {total:g}s linear infinite; }}",
        f".c {{ font: 15px ui-sans-serif, system-ui, sans-serif; fill: #6b7280;"
        f" text-anchor: middle; opacity: 0; animation: {total:g}s step-end infinite; }}",
        "@media (prefers-reduced-motion: reduce) { .t, .c { animation: none; }"
        " .c:last-of-type { opacity: 1; } }",
        *_motion(solution, step, total),
        *_shown(length, step, total),
    ]
    captions = [
        f'<text class="c c{move}" x="{drawn.width * CELL / 2:g}" y="{height + 28:g}">'
        f"{caption(move, length, lang)}</text>"
        for move in range(length + 1)
    ]
    lines = [
        *opening(drawn, title, BELOW - 8),
        "<style>" + "\n".join(style) + "</style>",
        *ground(drawn),
        *tiles(solution.goal, solution.goal, drawn, names=True),
        *captions,
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _percent(seconds: float, total: float) -> str:
    return f"{100 * seconds / total:.3f}".rstrip("0").rstrip(".") + "%"


def _motion(solution: Solution, step: float, total: float) -> Iterator[str]:
    """Yield the way of each tile, told from its place in the goal."""
    places = layout(solution.start.board).places
    home = {tile: places[cell] for cell, tile in enumerate(solution.goal.tiles)}
    stops: dict[int, list[str]] = {tile: [] for tile in solution.start.tiles if tile}

    def stop(tile: int, seconds: float, cell: int) -> None:
        (x, y), (x0, y0) = places[cell], home[tile]
        moved = f"transform:translate({(x - x0) * CELL:g}px,{(y - y0) * CELL:g}px)"
        stops[tile].append(f"{_percent(seconds, total)}{{{moved}}}")

    at = list(solution.start.tiles)
    for cell, tile in enumerate(at):
        if tile:
            stop(tile, 0, cell)
    blank = solution.start.blank
    for number, cell in enumerate(solution.walk):
        begin = PAUSE / 2 + step * number
        tile = at[cell]
        stop(tile, begin, cell)
        stop(tile, begin + 0.8 * step, blank)
        at[blank], at[cell], blank = tile, 0, cell
    for tile, told in stops.items():
        yield f"@keyframes t{tile}{{{''.join(told)}100%{{transform:none}}}}"
        yield f".t{tile} {{ animation-name: t{tile}; }}"


def _shown(length: int, step: float, total: float) -> Iterator[str]:
    """Yield when each caption is seen."""
    for move in range(length + 1):
        begin = 0.0 if move == 0 else PAUSE / 2 + step * (move - 1)
        end = total if move == length else PAUSE / 2 + step * move
        before = "" if move == 0 else "0%{opacity:0}"
        after = "" if move == length else f"{_percent(end, total)}{{opacity:0}}"
        yield f"@keyframes c{move}{{{before}{_percent(begin, total)}{{opacity:1}}{after}}}"
        yield f".c{move} {{ animation-name: c{move}; }}"
