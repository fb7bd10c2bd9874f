"""Every room in every language, on a desktop and a phone, in light and dark."""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from visits import LANGUAGES, ROOMS, Visit

Visitor = Callable[..., Visit]

NARROWEST = """Math.min(...[...document.querySelectorAll('button, select, .tile')]
  .map((e) => e.getBoundingClientRect()).filter((box) => box.width)
  .map((box) => Math.min(box.width, box.height)))"""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_room_opens_in_every_language(visit: Visitor, lang: str) -> None:
    one = visit(lang=lang)
    page = one.open()
    headings = set()
    for room in ROOMS:
        page.click(f"nav a[data-room={room}]")
        expect(page.locator("main")).to_have_class(f"room-{room}")
        expect(page.locator("nav a[aria-current]")).to_have_attribute("data-room", room)
        headings.add(page.text_content("main h1"))
        text = page.inner_text("body")
        assert not re.search(r"\b(shell|board|player|play|check|space|lesson|compare)\.\w", text)
    assert len(headings) == len(ROOMS)
    assert page.get_attribute("html", "lang") == lang
    assert one.complaints == []


def test_a_phone_shows_every_room_without_scrolling_sideways(visit: Visitor) -> None:
    one = visit(width=390, height=844, has_touch=True)
    page = one.open()
    for lang in LANGUAGES:
        page.select_option("#language", lang)
        expect(page.locator("html")).to_have_attribute("lang", lang)
        for room in ROOMS:
            page.click(f"nav a[data-room={room}]")
            expect(page.locator("main")).to_have_class(f"room-{room}")
            assert not one.scrolls_sideways(), (lang, room)
            assert page.evaluate(NARROWEST) >= 24, (lang, room)  # pixels that a finger needs


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_room_has_a_fault_of_accessibility(visit: Visitor, scheme: str) -> None:
    one = visit(color_scheme=scheme)
    page = one.open()
    assert page.get_attribute("html", "data-theme") == scheme
    for room in ROOMS:
        page.click(f"nav a[data-room={room}]")
        expect(page.locator("main")).to_have_class(f"room-{room}")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_the_language_and_the_theme_are_kept(visit: Visitor) -> None:
    one = visit(lang="fr-FR")
    page = one.open("check")
    assert page.get_attribute("html", "lang") == "en"
    page.select_option("#language", "zh")
    expect(page.locator("main h1")).to_have_text("判定与求解")
    page.select_option("#theme", "dark")
    page.reload()
    one.settle()
    expect(page.locator("main h1")).to_have_text("判定与求解")
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.get_attribute("html", "lang") == "zh"


def test_the_skip_link_leads_into_the_room(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.locator("#skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_an_unknown_address_opens_the_first_room(visit: Visitor) -> None:
    one = visit()
    for route in ("nowhere", "play/%E0%A4%A/..", "play/4x4/1.2.3", "play/constructor", ""):
        page = one.open(route)
        expect(page.locator("main")).to_have_class("room-play")
        expect(page.locator(".tile")).to_have_count(15)
    assert one.complaints == []


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_jumps_while_a_room_opens(visit: Visitor, room: str) -> None:
    page = visit().open(room)
    page.wait_for_timeout(300)
    moved = page.evaluate(
        """new Promise((done) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += entry.value;
          }).observe({type: 'layout-shift', buffered: true});
          setTimeout(() => done(sum), 100);
        })"""
    )
    assert moved < 0.02


def test_motion_is_reduced_on_request(visit: Visitor) -> None:
    page = visit(reduced_motion="reduce").open()
    duration = "getComputedStyle(document.querySelector('.tile')).transitionDuration"
    assert page.evaluate(duration) == "0s"


def test_the_page_asks_no_other_host(visit: Visitor) -> None:
    one = visit()
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url))
    one.open()
    assert asked
    assert all(address.startswith(one.url) for address in asked)
