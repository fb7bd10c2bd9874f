"""Pictures: where cells lie, what is written, what moves, what is refused."""

from __future__ import annotations

import itertools
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import taquin as tq
from taquin.errors import ParseError, Unsupported
from taquin.messages import LANGUAGES
from taquin.render import plots
from taquin.render.animate import MOST_MOVES, animate, animated_svg, frame_count, frames_of_a_move
from taquin.render.captions import CAPTIONS, caption
from taquin.render.layout import layout
from taquin.render.notebook import solution_html
from taquin.render.picture import Painter, Style, board_image, cropped, read_photo
from taquin.render.svg import board_svg

Image = pytest.importorskip("PIL.Image")

BOARDS = {
    "2x2": tq.Board.grid(2, 2),
    "3x4": tq.Board.grid(3, 4),
    "line": tq.Board.grid(1, 7),
    "box": tq.Board.grid(2, 3, 4),
    "four axes": tq.Board.grid(2, 2, 2, 3),
    "torus": tq.Board.grid(3, 3, wrap=(0, 1)),
    "walls": tq.Board.draw("..#|...|#.."),
    "ring": tq.Board.from_edges([(i, (i + 1) % 9) for i in range(9)]),
    "star": tq.Board.from_edges([(0, i) for i in range(1, 6)]),
    "complete": tq.Board.from_edges(list(itertools.combinations(range(6), 2))),
    "two parts alike": tq.Board.from_edges([(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)]),
    "large graph": tq.Board.from_edges([(i, i + 1) for i in range(300)]),
}
EIGHT = "8 1 3 / 4 0 2 / 7 6 5"


def goal_of(board: tq.Board) -> tq.State:
    return tq.State([*range(1, board.n), 0], board)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_no_two_cells_overlap_and_all_lie_inside(board: tq.Board) -> None:
    drawn = layout(board)
    assert len(drawn.places) == board.n
    for x, y in drawn.places:
        assert 0 <= x <= drawn.width - 1 + 1e-6
        assert 0 <= y <= drawn.height - 1 + 1e-6
    for one, other in itertools.combinations(sorted([*drawn.places, *drawn.blocks])[:400], 2):
        assert max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 0.9


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_board_is_an_svg_with_all_its_tiles(board: tq.Board) -> None:
    state = goal_of(board)
    root = ET.fromstring(board_svg(state, state, walk=board.neighbours(board.n - 1)[:1]))
    texts = [element.text for element in root.iter() if element.tag.endswith("}text")]
    assert sorted(map(int, filter(None, texts))) == list(range(1, board.n))
    ways = [element for element in root.iter() if element.get("class") == "way"]
    assert len(ways) == 2


def test_what_a_title_says_is_escaped() -> None:
    text = board_svg(goal_of(BOARDS["2x2"]), title="<script>alert(1)</script>")
    assert "<script>" not in text
    assert ET.fromstring(text)[0].text == "<script>alert(1)</script>"


def test_boards_too_large_to_draw_are_refused() -> None:
    with pytest.raises(Unsupported, match="too large to draw"):
        board_svg(goal_of(tq.Board.grid(101, 100)))


# -- captions -------------------------------------------------------------------------------------


def test_captions_in_all_languages() -> None:
    for texts in CAPTIONS.values():
        assert len(set(texts)) == len(LANGUAGES)
    for lang in LANGUAGES:
        assert "3" in caption(3, 14, lang)
        assert "11" in caption(3, 14, lang)
        assert "14" in caption(14, 14, lang)


# -- pixels ---------------------------------------------------------------------------------------


def test_a_picture_has_the_colour_of_the_goals_row() -> None:
    goal = goal_of(BOARDS["3x4"])
    image = board_image(goal, goal, Style(side=40, numbers=False))
    assert image.size == (4 * 40 + 32, 3 * 40 + 32)
    rows = [image.getpixel((16 + 20, 16 + 40 * row + 20)) for row in range(3)]
    assert len(set(rows)) == 3


@pytest.mark.parametrize("size", [(31, 17), (100, 100), (8, 300)])
def test_crops_are_the_middle_in_the_right_shape(size: tuple[int, int]) -> None:
    photo = Image.new("RGB", size)
    for x in range(size[0]):
        for y in range(size[1]):
            photo.putpixel((x, y), (x % 256, y % 256, 0))
    part = cropped(photo, 60, 60)
    assert part.size == (60, 60)
    side = min(size)
    red = part.getpixel((30, 30))[0]
    assert abs(red - size[0] // 2 % 256) <= 2
    assert abs(part.getpixel((1, 30))[0] - (size[0] - side) // 2) <= 2


@pytest.mark.parametrize("orientation", range(1, 9))
def test_photos_are_turned_as_they_were_held(orientation: int, tmp_path: Path) -> None:
    upright = Image.new("RGB", (64, 32), "white")
    upright.paste((255, 0, 0), (0, 0, 16, 16))  # a red corner at the upper left
    turns = Image.Transpose
    back = {
        1: None,
        2: turns.FLIP_LEFT_RIGHT,
        3: turns.ROTATE_180,
        4: turns.FLIP_TOP_BOTTOM,
        5: turns.TRANSPOSE,
        6: turns.ROTATE_90,
        7: turns.TRANSVERSE,
        8: turns.ROTATE_270,
    }[orientation]
    stored = upright if back is None else upright.transpose(back)
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / "photo.png"
    stored.save(path, exif=exif)
    read = read_photo(path)
    assert read.size == (64, 32)
    assert read.getpixel((4, 4)) == (255, 0, 0)
    assert read.getpixel((60, 28)) == (255, 255, 255)


def test_photos_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "photo.png"
    path.write_text("<html>no picture</html>")
    with pytest.raises(ParseError, match="no picture"):
        read_photo(path)
    Image.new("RGB", (200, 200)).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ParseError, match="damaged"):
        read_photo(path)
    path.write_bytes(whole)
    monkeypatch.setattr("taquin.render.picture.MOST_PIXELS", 30_000)
    with pytest.raises(Unsupported, match="200 x 200 pixels"):
        read_photo(path)
    monkeypatch.setattr("taquin.render.picture.MOST_BYTES", 10)
    with pytest.raises(Unsupported, match="bytes"):
        read_photo(path)
    with pytest.raises(FileNotFoundError):
        read_photo(tmp_path / "nowhere.png")
    with pytest.raises(Unsupported, match="too small"):
        cropped(Image.new("RGB", (7, 50)), 10, 10)


def test_a_photo_covers_the_goal(tmp_path: Path) -> None:
    photo = Image.new("RGB", (90, 90), "blue")
    photo.paste((255, 255, 0), (0, 0, 30, 30))
    goal = goal_of(tq.Board.grid(3, 3))
    moved = tq.State([2, 1, 3, 4, 5, 6, 7, 8, 0], goal.board)
    image = board_image(moved, goal, Style(30, photo, numbers=False))
    assert image.getpixel((16 + 15, 16 + 15)) == (0, 0, 255)
    assert image.getpixel((16 + 45, 16 + 15)) == (255, 255, 0)  # tile 1 shows the corner


def test_pictures_that_are_too_large_are_refused() -> None:
    with pytest.raises(Unsupported, match="pixels"):
        Painter(goal_of(tq.Board.grid(90, 90)), Style(side=400))


# -- motion ---------------------------------------------------------------------------------------


def solved(spec: str = "3x3", board: str = EIGHT) -> tq.Solution:
    return tq.Puzzle.parse(spec).solve(board)


def test_a_gif_has_the_frames_of_the_solution(tmp_path: Path) -> None:
    solution = solved()
    told: list[float] = []
    path = tmp_path / "eight.gif"
    notes = animate(solution, path, step=0.2, style=Style(side=32), progress=told.append)
    assert notes == []
    with Image.open(path) as film:
        durations = []
        for frame in range(film.n_frames):
            film.seek(frame)
            durations.append(film.info["duration"])
    # Frames that are alike may have been put together.
    assert len(durations) <= frame_count(solution, 0.2) == 1 + 14 * frames_of_a_move(0.2)
    assert len(durations) > 14 * 3
    assert abs(sum(durations) / 1000 - (1.0 + 14 * 0.2 - 0.04 + 2.0)) < 0.2
    assert told[-1] == 1.0
    assert told == sorted(told)
    assert [file.name for file in tmp_path.iterdir()] == ["eight.gif"]


def test_a_film_is_read_by_others(tmp_path: Path) -> None:
    imageio = pytest.importorskip("imageio.v2")
    path = tmp_path / "two.mp4"
    animate(solved(board="1 2 3 / 4 5 6 / 0 7 8"), path, style=Style(side=33))
    with imageio.get_reader(path) as film:
        assert film.count_frames() >= 2 * frames_of_a_move(0.35)
        assert film.get_data(0).shape[:2] == (3 * 33 + 32 + 40 + 1, 3 * 33 + 32 + 1)


@pytest.mark.parametrize("spec", ["2x3", "2x2x2", "3x3:torus", "walls:...|.#.|...", "3x3"])
def test_an_animated_svg_ends_where_the_solution_does(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    solution = puzzle.solve(puzzle.random(3))
    root = ET.fromstring(animated_svg(solution, lang="zh"))
    style = next(e.text or "" for e in root.iter() if e.tag.endswith("}style"))
    tiles = range(1, puzzle.board.n)
    moved = [style.split(f"@keyframes t{tile}{{")[1].split("@")[0] for tile in tiles]
    assert sum(way.count("translate") - 1 for way in moved) == 2 * len(solution.walk)
    assert all("100%{transform:none}" in way for way in moved)
    for way in moved:
        stops = [float(part.split("%")[0]) for part in way.split("}") if "%" in part]
        assert stops == sorted(stops)
    texts = [e.text for e in root.iter() if e.tag.endswith("}text")]
    assert caption(solution.length, solution.length, "zh") in texts


def test_what_cannot_be_animated(tmp_path: Path) -> None:
    solution = solved()
    with pytest.raises(Unsupported, match=r"\.svg, \.gif, \.mp4"):
        animate(solution, tmp_path / "film.avi")
    with pytest.raises(Unsupported, match="photo"):
        animate(solution, tmp_path / "a.svg", style=Style(photo=Image.new("RGB", (90, 90))))
    assert solution.start.blank == 4
    way = [1, 0, 3, 4]  # round and round
    long = tq.Puzzle.parse("3x3").as_solution(solution.start, solution.start, way * MOST_MOVES)
    with pytest.raises(Unsupported, match="at most 2,000"):
        animate(long, tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_captions_fall_back_where_no_font_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from taquin.render import picture

    monkeypatch.setitem(picture.FONTS, "zh", ("No Such Font",))
    picture.font.cache_clear()
    notes = animate(solved(board="1 2 3 / 4 5 6 / 7 0 8"), tmp_path / "a.gif", lang="zh")
    assert notes == ["no font for 'zh' was found: the captions are in English"]


# -- notebooks ------------------------------------------------------------------------------------


def test_notebooks_show_boards_and_solutions() -> None:
    import json
    from html.parser import HTMLParser

    solution = solved()
    assert ET.fromstring(solution.start._repr_svg_() or "") is not None
    html = solution._repr_html_()
    assert html is not None
    seen: dict[str, str] = {}

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.update({f"{tag} {name}": value or "" for name, value in attrs})

    Parser().feed(html)
    steps = json.loads(seen["div data-steps"])
    assert len(steps) == 15
    assert seen["input max"] == "14"
    order = [tile for tile in solution.start.tiles if tile]
    places = layout(solution.start.board).places
    end = {tile: places[cell] for cell, tile in enumerate(solution.goal.tiles)}
    assert steps[-1] == [[56 * x for x in end[tile]] for tile in order]
    for scheme in ("http:", "https:", "//"):
        assert scheme not in html.replace("http://www.w3.org/2000/svg", "")
    large = tq.Puzzle.parse("30x30")
    assert large.goal._repr_svg_() is None
    assert solution_html(large.as_solution(large.goal, large.goal, [])) is None


# -- plots ----------------------------------------------------------------------------------------


def test_plots_are_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    space = tq.Puzzle.parse("2x3").explore()
    plots.degree_picture(space, tmp_path / "degrees.png")
    plots.heuristic_picture(space, ["manhattan", "linear-conflict"], tmp_path / "heuristics.svg")
    plots.quality_curves({"24": [(0.2, 1.01), (2, 1.0)]}, tmp_path / "quality.png")
    assert ET.fromstring((tmp_path / "heuristics.svg").read_text()) is not None
    for name in ("degrees.png", "quality.png"):
        with Image.open(tmp_path / name) as image:
            assert image.size[0] > 300
    with pytest.raises(Unsupported, match="cannot draw"):
        plots.degree_picture(space, tmp_path / "degrees.nonsense")
