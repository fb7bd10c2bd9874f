"""Boards as pixels (the extra ``plot``): numbered tiles, or a photo cut into tiles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taquin.errors import ParseError, Unsupported
from taquin.render.layout import layout
from taquin.render.svg import BOARD, COLOURS, INK, WALL, rows_of
from taquin.state import State

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

#: Pixels of a cell's side, and of the margin round a board, if nothing else is said.
SIDE, MARGIN = 96, 16
#: Pixels of a photo, and of a picture that is drawn, at most.
MOST_PIXELS = 50_000_000
#: Bytes of a photo's file at most.
MOST_BYTES = 50_000_000
PAGE = "#fafbfc"

#: Families of fonts, by what they can write; the first that is found serves.
FONTS = {
    "en": ("DejaVu Sans", "Arial", "Liberation Sans"),
    "vi": ("DejaVu Sans", "Arial", "Liberation Sans"),
    "zh": (
        *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei"),
        *("Microsoft YaHei", "SimHei", "PingFang SC", "Heiti SC", "Arial Unicode MS"),
    ),
}


def pillow() -> Any:
    """Return Pillow's module of images.

    Raises
    ------
    Unsupported
        If it is not installed.
    """
    try:
        from PIL import Image
    except ImportError:
        raise Unsupported(
            "pictures need Pillow, which is not installed: pip install 'taquin[plot]'"
        ) from None
    return Image


def read_photo(path: Path | str) -> Image:
    """Read a photo as it was held: turned as its EXIF data say.

    Raises
    ------
    ParseError
        If the file is no picture, or is damaged.
    Unsupported
        If it has more than 50 million bytes or pixels.
    OSError
        If it cannot be read.
    """
    image = pillow()
    from PIL import ImageOps

    path = Path(path)
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise Unsupported(f"{path.name} has {size:,} bytes: a photo has at most {MOST_BYTES:,}")
    try:
        with image.open(path) as opened:
            width, height = opened.size  # known before anything is decoded
            if width * height > MOST_PIXELS:
                raise Unsupported(
                    f"{path.name} has {width} x {height} pixels: at most {MOST_PIXELS:,} are read"
                )
            turned: Image = ImageOps.exif_transpose(opened).convert("RGB")
    except (image.UnidentifiedImageError, image.DecompressionBombError, SyntaxError):
        raise ParseError(f"{path.name} is no picture that can be read: try PNG or JPEG") from None
    except OSError as error:
        if error.errno is not None:
            raise
        raise ParseError(f"{path.name} is damaged: {error}") from None
    return turned


def cropped(photo: Image, width: int, height: int) -> Image:
    """Return the middle of a photo, as large as possible in the shape asked for, in that size.

    Raises
    ------
    Unsupported
        If the photo has less than 8 pixels on a side.
    """
    if min(photo.size) < 8:
        raise Unsupported(f"a photo of {photo.size[0]} x {photo.size[1]} pixels is too small")
    wide, high = photo.size
    part = min(wide / width, high / height)
    left, top = (wide - part * width) / 2, (high - part * height) / 2
    box = (left, top, left + part * width, top + part * height)
    return photo.resize((width, height), box=box)


@dataclass(frozen=True)
class Style:
    """How boards are drawn.

    Attributes
    ----------
    side : pixels of a cell's side
    photo : what the tiles show, if not a colour
    numbers : whether labels are written
    """

    side: int = SIDE
    photo: Image | None = None
    numbers: bool = True


class Painter:
    """Draws the states of one board and goal; tiles are drawn once.

    Examples
    --------
    >>> from taquin.board import Board
    >>> goal = State([1, 2, 3, 0], Board.grid(2, 2))
    >>> Painter(goal).image(goal).size
    (224, 224)
    """

    def __init__(self, goal: State, style: Style | None = None, below: int = 0) -> None:
        self._image = pillow()
        self.goal, self.style, self.below = goal, style or Style(), below
        self.drawn = layout(goal.board)
        side = self.style.side
        self.size = (
            round(self.drawn.width * side) + 2 * MARGIN,
            round(self.drawn.height * side) + 2 * MARGIN + below,
        )
        if self.size[0] * self.size[1] > MOST_PIXELS:
            raise Unsupported(
                f"the picture would have {self.size[0]} x {self.size[1]} pixels: at most"
                f" {MOST_PIXELS:,}; take a smaller size"
            )
        side, photo = self.style.side, self.style.photo
        whole = round(self.drawn.width * side), round(self.drawn.height * side)
        self._whole = None if photo is None else cropped(photo, *whole)
        self.tiles = {tile: self._tile(tile) for tile in goal.tiles if tile}
        self.empty = self._empty()

    def places(self, state: State) -> dict[int, tuple[float, float]]:
        """Return where each tile's corner is, in cells."""
        return {tile: self.drawn.places[cell] for cell, tile in enumerate(state.tiles) if tile}

    def image(self, state: State) -> Image:
        """Draw a state."""
        return self.paint(self.places(state))

    def paint(self, places: dict[int, tuple[float, float]]) -> Image:
        """Draw tiles wherever they are."""
        picture: Image = self.empty.copy()
        for tile, (x, y) in places.items():
            corner = (self._pixel(x), self._pixel(y))
            picture.paste(self.tiles[tile], corner, self.tiles[tile])
        return picture

    def _pixel(self, at: float) -> int:
        return MARGIN + round(at * self.style.side)

    def _empty(self) -> Image:
        from PIL import ImageDraw

        picture: Image = self._image.new("RGB", self.size, PAGE)
        pen, side = ImageDraw.Draw(picture), self.style.side
        for one, other in self.drawn.lines:
            ends = [
                (self._pixel(x + 0.5), self._pixel(y + 0.5))
                for x, y in (self.drawn.places[one], self.drawn.places[other])
            ]
            pen.line(ends, fill=WALL, width=max(2, side // 24))
        for x, y in self.drawn.places:
            box = (self._pixel(x), self._pixel(y), self._pixel(x + 1) - 1, self._pixel(y + 1) - 1)
            pen.ellipse(box, fill=BOARD) if self.drawn.lines else pen.rectangle(box, fill=BOARD)
        for x, y in self.drawn.blocks:
            box = (self._pixel(x), self._pixel(y), self._pixel(x + 1) - 1, self._pixel(y + 1) - 1)
            pen.rectangle(box, fill=WALL)
        return picture

    def _tile(self, tile: int) -> Image:
        """Draw one tile, four times as large and then smaller, so that its edges are smooth."""
        from PIL import ImageDraw

        side, fine = self.style.side, 4
        mask = self._image.new("L", (fine * side, fine * side))
        gap = max(1, side // 28) * fine
        box = (gap, gap, fine * side - gap - 1, fine * side - gap - 1)
        pen = ImageDraw.Draw(mask)
        if self.drawn.lines:
            pen.ellipse(box, fill=255)
        else:
            pen.rounded_rectangle(box, radius=fine * side // 8, fill=255)
        picture: Image = self._face(tile).convert("RGBA")
        picture.putalpha(mask.resize((side, side)))
        return picture

    def _face(self, tile: int) -> Image:
        from PIL import ImageDraw

        side = self.style.side
        if self.style.photo is None:
            row = rows_of(self.goal, self.goal)[tile]
            face: Image = self._image.new("RGB", (side, side), COLOURS[row % len(COLOURS)])
        else:
            x, y = self.drawn.places[self.goal.cell_of(tile)]
            corner = (round(x * side), round(y * side))
            assert self._whole is not None
            face = self._whole.crop((*corner, corner[0] + side, corner[1] + side))
        if self.style.numbers:
            pen = ImageDraw.Draw(face)
            size = side * 2 // 5 if tile < 100 else side * 3 // 10
            outlined = self.style.photo is not None
            pen.text(
                (side / 2, side / 2),
                str(tile),
                fill=INK,
                font=font(size)[0],
                anchor="mm",
                stroke_width=max(1, side // 40) if outlined else 0,
                stroke_fill="#ffffff",
            )
        return face


@lru_cache(maxsize=64)
def font(size: int, lang: str = "en") -> tuple[FreeTypeFont, bool]:
    """Return a font for a language, and whether it can write it; Pillow's own one if none is found.

    Fonts are looked for where Matplotlib finds them, its own among them.
    """
    pillow()
    from PIL import ImageFont

    try:
        from matplotlib import font_manager
    except ImportError:
        return ImageFont.load_default(size), lang == "en"  # type: ignore[return-value]
    known = {entry.name: entry.fname for entry in font_manager.fontManager.ttflist}
    for family in FONTS[lang]:
        if family in known:
            return ImageFont.truetype(known[family], size), True
    return ImageFont.load_default(size), lang == "en"  # type: ignore[return-value]


def board_image(state: State, goal: State | None = None, style: Style | None = None) -> Image:
    """Draw a board as an image of Pillow.

    Examples
    --------
    >>> from taquin.board import Board
    >>> board_image(State([1, 0, 2, 3], Board.grid(2, 2)), style=Style(side=40)).size
    (112, 112)
    """
    whole = goal if goal is not None else State([*range(1, state.board.n), 0], state.board)
    return Painter(whole, style).image(state)
