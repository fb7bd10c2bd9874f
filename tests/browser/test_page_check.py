"""Check and solve: any text stays text; verdicts, ways, cancelling, and no server."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from visits import Visit

from taquin import Puzzle

Visitor = Callable[..., Visit]

HARD = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"


@pytest.fixture
def room(page: Page) -> Page:
    page.click("nav a[data-room=check]")
    expect(page.locator("main h1")).to_have_text("Check and solve")
    return page


def check(page: Page, text: str) -> None:
    page.get_by_label("A board, in any written form").fill(text)
    page.get_by_role("button", name="Check", exact=True).click()


def verdict(page: Page, text: str) -> None:
    expect(page.locator(".verdict h2")).to_have_text(text)


def outcome(page: Page, text: str) -> None:
    expect(page.locator(".state")).to_have_text(text)


def test_any_written_form_is_read_and_solved(room: Page) -> None:
    for text in (
        "8 1 3 / 4 0 2 / 7 6 5",
        "[[8, 1, 3], [4, 0, 2], [7, 6, 5]]",
        "+---+---+---+\n| 8 | 1 | 3 |\n| 4 |   | 2 |\n| 7 | 6 | 5 |\n+---+---+---+",
        "813402765",
    ):
        check(room, "1 2 3 / 4 5 6 / 7 8 0")
        expect(room.locator(".arcs .arc")).to_have_count(0)
        check(room, text)
        verdict(room, "It can be solved")
        expect(room.locator(".arcs .arc")).to_have_count(12)
        room.get_by_role("button", name="Shortest solution").click()
        outcome(room, "14 moves: no way is shorter.")
        expect(room.locator("p.moves")).to_have_text("RDLLUURDLDRURD")


def test_an_unsolvable_board_leads_to_a_goal_that_it_reaches(room: Page) -> None:
    check(room, "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0")
    verdict(room, "It cannot be solved")
    expect(room.get_by_role("button", name="Shortest solution")).to_have_count(0)
    expect(room.get_by_text("1 + 0 = 1")).to_be_visible()
    room.get_by_role("button", name="Snake").click()
    verdict(room, "It can be solved")
    expect(room.get_by_label("Goal", exact=True)).to_have_value("snake")
    assert "to=snake" in room.url


def test_playback(room: Page) -> None:
    check(room, "1 2 3 / 4 0 6 / 7 5 8")
    room.get_by_role("button", name="Shortest solution").click()
    slider, count = room.get_by_label("Step", exact=True), room.locator(".count")
    expect(count).to_have_text("0 / 2")
    room.get_by_role("button", name="Forward").click()
    expect(count).to_have_text("1 / 2")
    expect(slider).to_have_attribute("aria-valuetext", "Step 1 of 2")
    expect(room.locator("p.moves .made")).to_have_text("D")
    room.get_by_role("button", name="Back").click()
    expect(count).to_have_text("0 / 2")
    slider.focus()
    room.keyboard.press("End")
    expect(count).to_have_text("2 / 2")
    room.get_by_label("Speed").select_option("8")
    room.get_by_role("button", name="Play", exact=True).click()
    expect(count).to_have_text("2 / 2")
    expect(room.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_notations_and_metrics(room: Page) -> None:
    check(room, "1 2 3 / 4 5 6 / 0 7 8")
    room.get_by_label("A move is").select_option("mtm")
    room.get_by_role("button", name="Shortest solution").click()
    outcome(room, "1 move: no way is shorter.")
    expect(room.locator(".count")).to_have_text("0 / 1")
    text = room.locator(".player ~ .stack .copied")
    expect(text).to_have_text("RR")
    for name, written in {"Letters of the tile": "LL", "Numbers of the tiles": "7 8"}.items():
        room.get_by_role("combobox", name="Notation").select_option(label=name)
        expect(text).to_have_text(written)


def test_all_shortest_solutions(room: Page) -> None:
    board = "8 6 7 2 5 4 3 0 1"
    everything = Puzzle.parse("3x3").solve_all(board)
    check(room, board)
    room.get_by_role("button", name="All shortest").click()
    outcome(room, f"Shortest solutions: {everything.count}.")
    assert room.locator(".ways button").all_text_contents() == [x.moves for x in everything]
    room.locator(".ways button").nth(1).click()
    expect(room.locator(".count")).to_have_text(f"0 / {everything.length}")


def test_all_shortest_solutions_for_another_goal(room: Page) -> None:
    room.get_by_label("Goal", exact=True).select_option("blank-first")
    check(room, "1 2 0 / 3 4 5 / 6 7 8")
    room.get_by_role("button", name="All shortest").click()
    expect(room.locator(".ways button")).to_have_text(["LL"])


def test_a_board_that_cannot_be_read_gets_the_librarys_sentence(visit: Visitor) -> None:
    page = visit().open("check")
    for text in ("1 2 4", "hello", "", "3x3", "9" * 5000):
        check(page, "1 2 3 0")
        expect(page.locator(".verdict")).to_have_count(1)
        check(page, text)
        expect(page.locator("[role=alert]")).not_to_be_empty()
        assert "Traceback" not in page.inner_text("main")
        expect(page.locator(".verdict")).to_have_count(0)


def test_pasted_markup_stays_text(visit: Visitor) -> None:
    attack = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
    one = visit()
    page = one.open("check")
    for text in (attack, f"1 2 3 / 4 5 6 / 7 8 {attack}", f"1 2 3 4 5 6 7 8 0 # {attack}"):
        check(page, text)
        page.wait_for_timeout(200)
        assert page.locator("main img, main script").count() == 0
    page.get_by_label("Its kind").fill(attack)
    check(page, "1 2 3 4 5 6 7 8 0")
    expect(page.locator("[role=alert]")).not_to_be_empty()
    one.open("check/" + attack.replace("/", "%2F") + "/" + attack.replace("/", "%2F"))
    page.wait_for_timeout(200)
    assert page.locator("main img, main script").count() == 0
    assert "taken" not in page.title()


BETTER = {"moves": "DR", "length": 2, "lower_bound": 1, "optimal": False}
LIMIT = {"kind": "LimitReached", "message": "the time limit was reached", "lower_bound": 1}


@pytest.mark.parametrize(
    ("last", "told"),
    [
        ({"error": {**LIMIT, "best": BETTER}}, "the time limit was reached"),
        ({"better": BETTER}, "The server cannot be reached"),  # cut off in the middle
    ],
)
def test_the_best_way_so_far_is_shown(room: Page, last: Any, told: str) -> None:
    lines = [{"queued": 3}, {"progress": {"numbers": [1.0, 99.0, 0.1]}}, {"better": BETTER}, last]
    body = "".join(json.dumps(line) + "\n" for line in lines)
    room.route("**/api/solve", lambda route: route.fulfill(body=body))
    check(room, "1 2 3 / 4 0 6 / 7 5 8")
    room.get_by_role("button", name="Shortest solution").click()
    expect(room.locator(".state")).to_contain_text(told)
    expect(room.locator("p.moves")).to_have_text("DR")
    expect(room.locator(".count")).to_have_text("0 / 2")


def test_a_busy_server_says_so(visit: Visitor) -> None:
    page = visit(lang="vi").open("check/3x3/1.2.3.4.5.6.7.0.8")
    busy = json.dumps({"error": {"kind": "Busy", "message": "try again"}})
    page.route("**/api/solve", lambda route: route.fulfill(status=503, body=busy))
    page.get_by_role("button", name="Lời giải ngắn nhất", exact=True).click()
    expect(page.locator(".state")).to_have_text("Máy chủ đang bận. Hãy thử lại sau giây lát.")


def test_solving_without_a_server_says_so(visit: Visitor) -> None:
    one = visit()
    page = one.open("check/3x3/8.1.3.4.0.2.7.6.5")
    verdict(page, "It can be solved")
    one.context.set_offline(True)
    page.get_by_role("button", name="Shortest solution").click()
    expect(page.locator(".state")).to_contain_text("The server cannot be reached")
    check(page, "1 2 3 4 5 6 7 8 0")
    expect(page.locator("[role=alert]")).to_contain_text("The server cannot be reached")


def test_a_link_holds_the_board_and_the_goal(visit: Visitor) -> None:
    page = visit().open("check/3x3/8.1.3.4.0.2.7.6.5?to=spiral")
    verdict(page, "It cannot be solved")
    expect(page.get_by_label("Goal", exact=True)).to_have_value("spiral")
    page.get_by_label("Goal", exact=True).select_option("own")
    page.get_by_label("The goal’s board").fill("8 1 3 / 0 4 2 / 7 6 5")
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_role("button", name="Shortest solution").click()
    outcome(page, "1 move: no way is shorter.")


def test_to_play_and_back(room: Page) -> None:
    check(room, HARD)
    verdict(room, "It can be solved")
    room.get_by_role("button", name="Play it").click()
    expect(room.locator(".tile")).to_have_count(15)
    expect(room.locator("main")).to_have_class("room-play")
    room.get_by_role("button", name="Check and solve it").click()
    verdict(room, "It can be solved")
    expect(room.get_by_label("A board, in any written form")).to_have_value(HARD)


def test_a_board_on_walls_is_answered_in_words(room: Page) -> None:
    room.get_by_label("Its kind").fill("graph:0-1,1-2,2-3,3-0")
    check(room, "1 2 0 3")
    expect(room.locator(".verdict")).to_be_visible()
    expect(room.locator(".arcs")).to_have_count(0)


def test_long_work_can_be_cancelled(visit: Visitor) -> None:
    one = visit()
    tiles = Puzzle.parse("6x6").random(4).tiles
    page = one.open("check/6x6/" + ".".join(map(str, tiles)))
    page.get_by_label("Time to look").select_option("60")
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.get_by_role("button", name="Shortest solution").click()
    expect(page.locator(".state")).to_contain_text("Working, 0 s.")
    expect(page.get_by_role("button", name="Shortest solution")).to_be_disabled()
    cancel = page.get_by_role("button", name="Cancel")
    cancel.click()
    expect(page.locator(".state")).to_have_text("Cancelled.")
    expect(cancel).to_be_hidden()
    assert failed == [f"{one.url}/api/solve"]  # the request is closed: the server stops the work
    assert one.complaints == []
