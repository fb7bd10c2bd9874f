"""Play: keys, clicks, drags, hints, pictures, links, and play without a server."""

import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from visits import Visit

from taquin import Puzzle

Visitor = Callable[..., Visit]

#: The arrow that moves a tile into the gap, by the way the blank goes.
ARROWS = {"U": "ArrowDown", "D": "ArrowUp", "L": "ArrowRight", "R": "ArrowLeft"}
ARROWS |= {"F": "PageDown", "B": "PageUp"}


def tiles(page: Page) -> list[int]:
    """The board as the buttons on the screen spell it."""
    script = "tiles => tiles.map((tile) => [tile.cell, tile.dataset.tile])"
    pairs = page.locator(".tile").evaluate_all(script)
    cells = {int(cell): int(tile) for cell, tile in pairs}
    return [cells.get(cell, 0) for cell in range(len(cells) + 1)]


def told(page: Page, text: str) -> None:
    expect(page.locator("#told")).to_contain_text(text)


def moves(page: Page) -> tuple[int, int]:
    counters = page.locator(".counters dd").all_text_contents()
    return int(counters[1]), int(counters[2])


@pytest.mark.parametrize("spec", ["2x2", "3x3", "3x3:torus", "2x2x2", "2x3:snake"])
def test_a_game_by_keyboard_alone(visit: Visitor, spec: str) -> None:
    puzzle = Puzzle.parse(spec)
    start = puzzle.random(2)
    solution = puzzle.solve(start)
    page = visit().open(f"play/{spec}/{'.'.join(map(str, start.tiles))}")
    assert tiles(page) == list(start.tiles)
    for letter in solution.moves:
        page.keyboard.press(ARROWS[letter])
    told(page, f"Solved in {solution.length} move")
    assert tiles(page) == list(puzzle.goal.tiles)
    assert moves(page)[0] == solution.length
    expect(page.locator("#announcer")).to_contain_text("Solved")


def test_tab_and_enter_slide_a_tile(page: Page) -> None:
    page.goto(page.url.split("#")[0] + "#/play/3x3/1.2.3.4.5.6.7.0.8")
    eight = page.get_by_role("button", name="Tile 8, row 3, column 3")
    eight.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Tile 8, row 3, column 2, in its place")).to_be_focused()
    told(page, "Solved in 1 move (1 line move)")
    assert page.locator(".tile[tabindex='0']").count() == 2


def test_letters_and_the_setting_for_arrows(page: Page) -> None:
    page.goto(page.url.split("#")[0] + "#/play/3x3/1.2.3.4.0.5.6.7.8")
    expect(page.locator(".tile")).to_have_count(8)
    page.keyboard.press("w")
    assert tiles(page) == [1, 2, 3, 4, 7, 5, 6, 0, 8]
    page.keyboard.press("Control+z")
    page.get_by_label("Arrow keys move").select_option("blank")
    page.get_by_label("Arrow keys move").blur()
    page.keyboard.press("ArrowUp")
    assert tiles(page) == [1, 0, 3, 4, 2, 5, 6, 7, 8]
    page.get_by_label("Letter keys").uncheck()
    page.keyboard.press("s")
    assert tiles(page) == [1, 0, 3, 4, 2, 5, 6, 7, 8]


def test_a_click_slides_a_whole_line_and_undo_takes_it_back(page: Page) -> None:
    page.goto(page.url.split("#")[0] + "#/play/4x4/1.2.3.4.5.6.7.8.9.10.11.12.0.13.14.15")
    page.locator(".tile[data-tile='15']").click()
    told(page, "Solved in 3 moves (1 line move)")
    page.get_by_role("button", name="Undo").click()
    assert tiles(page)[12:] == [0, 13, 14, 15]
    page.get_by_role("button", name="Redo").click()
    assert tiles(page)[12:] == [13, 14, 15, 0]
    page.locator(".tile[data-tile='1']").click()
    assert moves(page) == (3, 1)


def test_a_drag_slides_a_line_and_a_short_one_does_not(page: Page) -> None:
    page.goto(page.url.split("#")[0] + "#/play/4x4/1.2.3.4.5.6.7.8.9.10.11.12.0.13.14.15")
    tile = page.locator(".tile[data-tile='14']")
    box = tile.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(dx: float, dy: float) -> None:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + dx / 2, y + dy / 2)
        page.mouse.move(x + dx, y + dy)
        page.mouse.up()

    drag(-0.2 * box["width"], 0)
    page.wait_for_timeout(50)
    assert tiles(page)[12:] == [0, 13, 14, 15]
    drag(-0.7 * box["width"], 0)
    assert tiles(page)[12:] == [13, 14, 0, 15]
    drag(0, 0.9 * box["height"])  # a swipe pushes the tile beside the gap
    assert tiles(page)[8:] == [9, 10, 0, 12, 13, 14, 11, 15]


def test_the_clock_runs_from_the_first_move_until_it_is_solved(visit: Visitor) -> None:
    one = visit()
    one.page.clock.install()
    page = one.open("play/4x4/1.2.3.4.5.6.7.8.9.10.11.12.0.13.14.15")
    clock = page.locator(".counters dd").first
    page.clock.run_for(2_000)
    expect(clock).to_have_text("0:00")
    page.keyboard.press("ArrowLeft")
    page.clock.run_for(65_000)
    expect(clock).to_have_text("1:05")
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(9_000)
    expect(clock).to_have_text("1:05")
    page.get_by_role("button", name="Go on").click()
    page.clock.run_for(5_000)
    expect(clock).to_have_text("1:10")
    page.locator(".tile[data-tile='15']").click()
    told(page, "1:10")
    page.clock.run_for(9_000)
    expect(clock).to_have_text("1:10")


def test_hints_lead_to_the_goal(page: Page) -> None:
    page.goto(page.url.split("#")[0] + "#/play/3x3/1.2.3.0.5.6.4.7.8")
    page.get_by_role("button", name="Hint").click()
    told(page, "3 moves to go")
    told(page, "Next: 4 up, 7 left, 8 left")
    assert page.locator(".pointer").count() == 3
    for left in (2, 1):
        page.keyboard.press("h")
        told(page, f"{left} move")
    page.keyboard.press("h")
    told(page, "Solved in 3 moves")
    assert page.locator(".pointer").count() == 0


def test_how_far(page: Page) -> None:
    page.goto(page.url.split("#")[0] + "#/play/3x3/8.1.3.4.0.2.7.6.5")
    page.get_by_role("button", name="How far?").click()
    told(page, "Exactly 14 moves to the goal.")


def test_a_shuffle_lies_exactly_so_deep(page: Page) -> None:
    page.get_by_label("Rows").select_option("3")
    page.get_by_label("Columns").select_option("3")
    page.get_by_label("Goal", exact=True).select_option("snake")
    page.get_by_label("Difficulty").select_option("exact")
    page.get_by_label("Moves from the goal").fill("17")
    page.get_by_label("Seed").fill("5")
    page.get_by_role("button", name="Shuffle").click()
    told(page, "exactly 17 moves from the goal")
    assert Puzzle.parse("3x3:snake").distance(tiles(page)) == 17
    first = tiles(page)
    page.get_by_role("button", name="Shuffle").click()
    told(page, "exactly 17 moves from the goal")
    assert tiles(page) == first
    page.wait_for_url("**/3x3:snake/**")


def test_a_link_restores_the_position(visit: Visitor) -> None:
    one = visit()
    page = one.open("play/3x4:columns/1.2.3.4.5.6.7.8.9.10.11.0?seed=9")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Copy link").click()
    link = page.get_by_label("Link", exact=True).input_value()
    assert tiles(page) == [1, 2, 3, 4, 5, 6, 0, 8, 9, 10, 7, 11]
    other = visit()
    other.page.goto(link)
    other.settle()
    assert tiles(other.page) == tiles(page)
    assert "seed=9" in other.page.url
    assert moves(other.page) == (0, 0)


def test_a_game_is_kept_between_visits(visit: Visitor) -> None:
    one = visit()
    page = one.open("play/3x3/1.2.3.4.0.5.6.7.8")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    before = tiles(page)
    page.goto("about:blank")
    page.goto(one.url)
    one.settle()
    assert tiles(page) == before
    assert moves(page) == (2, 2)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    assert tiles(page) == [1, 2, 3, 4, 0, 5, 6, 7, 8]


@pytest.mark.parametrize("junk", ["{", "[]", '{"spec":"3x3","start":[1],"done":["R"],"undone":[]}'])
def test_what_was_kept_may_be_nonsense(visit: Visitor, junk: str) -> None:
    one = visit()
    for name in ("game", "settings", "photo"):
        one.context.add_init_script(f"localStorage.setItem('taquin.{name}', {junk!r})")
    page = one.open()
    expect(page.locator(".tile")).to_have_count(15)
    assert one.complaints == []


def test_an_unsolvable_link_says_so(visit: Visitor) -> None:
    page = visit().open("play/3x3/1.2.3.4.5.6.8.7.0")
    told(page, "cannot be solved")


# -- pictures ----------------------------------------------------------------------------------


def photo(orientation: int) -> bytes:
    """A JPEG, red on the left and blue on the right as stored, with a camera's orientation."""
    image = Image.new("RGB", (120, 60), "blue")
    image.paste("red", (0, 0, 60, 60))
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    image.save(out, "JPEG", exif=exif, quality=95)
    return out.getvalue()


def give(page: Page, name: str, kind: str, content: bytes) -> None:
    page.get_by_label("Play with your own picture").set_input_files(
        {"name": name, "mimeType": kind, "buffer": content}
    )


COLOUR = """async ([x, y]) => {
  const image = document.querySelector('.photo');
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'),
    {width: image.naturalWidth, height: image.naturalHeight});
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const at = [Math.floor(x * (canvas.width - 1)), Math.floor(y * (canvas.height - 1))];
  const [r, g, b] = pen.getImageData(...at, 1, 1).data;
  return [canvas.width, canvas.height, r > 128 ? 'red' : b > 128 ? 'blue' : 'neither'];
}"""


def test_an_own_picture_is_turned_and_cropped(page: Page) -> None:
    page.goto(page.url.split("#")[0] + "#/play/3x3/1.2.3.4.0.5.6.7.8")
    give(page, "turned.jpg", "image/jpeg", photo(6))  # the camera was turned: red is on top
    expect(page.locator(".tile.pictured")).to_have_count(8)
    width, height, colour = page.evaluate(COLOUR, [0.5, 0.2])
    assert (width, height, colour) == (60, 60, "red")
    assert page.evaluate(COLOUR, [0.5, 0.8])[2] == "blue"
    page.get_by_label("Numbers on the picture").uncheck()
    expect(page.locator(".tile .label").first).to_be_hidden()
    page.get_by_role("button", name="Remove the picture").click()
    expect(page.locator(".tile.pictured")).to_have_count(0)


def test_a_file_that_is_no_picture_is_refused(page: Page, tmp_path: Path) -> None:
    alert = page.locator("main [role=alert]")
    draw = random.Random(0)
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    for name, content in {"junk.png": draw.randbytes(999), "x.svg": svg, "empty.jpg": b""}.items():
        give(page, name, "image/png", content)
        expect(alert).to_contain_text(f"“{name}” is no picture")
    large = tmp_path / "large.png"
    with large.open("wb") as file:
        file.truncate(51 * 2**20)
    page.get_by_label("Play with your own picture").set_input_files(large)
    expect(alert).to_contain_text("“large.png” is larger than 50 MB")
    expect(page.locator(".tile.pictured")).to_have_count(0)


# -- without a server --------------------------------------------------------------------------


def test_play_goes_on_without_a_server(visit: Visitor) -> None:
    one = visit()
    with one.page.expect_event("requestfinished", lambda asked: "copy-text.js" in asked.url):
        page = one.open("play/3x3/1.2.3.4.0.5.6.7.8")  # the next room is fetched beforehand
    one.context.set_offline(True)
    page.keyboard.press("ArrowLeft")
    assert tiles(page) == [1, 2, 3, 4, 5, 0, 6, 7, 8]
    page.get_by_role("button", name="Hint").click()
    told(page, "The server cannot be reached. Playing goes on")
    page.get_by_role("button", name="Shuffle").click()
    told(page, "Shuffled in the browser")
    assert Puzzle.parse("3x3").solvable(tiles(page))
    assert moves(page) == (0, 0)
    page.select_option("#language", "vi")
    expect(page.locator("#language")).to_have_value("en")
    page.click("nav a[data-room=check]")
    expect(page.locator("main h1")).to_have_text("Check and solve")


def test_a_move_never_asks_the_server(visit: Visitor) -> None:
    one = visit()
    page = one.open("play/4x4:torus/1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.0")
    page.wait_for_timeout(500)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "z", "y", "p"):
        page.keyboard.press(key)
    page.wait_for_timeout(500)
    assert asked == []
    assert moves(page) == (3, 3)
