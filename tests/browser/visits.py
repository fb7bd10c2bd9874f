"""A visit to the page, and what there is to visit."""

import re
from pathlib import Path

from playwright.sync_api import BrowserContext, ConsoleMessage, Page

STATIC = Path(__file__).resolve().parents[2] / "src" / "taquin" / "web" / "static"

_LIST = re.search(r"const ROOMS = \[(.*?)\]", (STATIC / "app.js").read_text("utf-8"), re.DOTALL)
assert _LIST is not None

#: Room after room, as the page itself lists them.
ROOMS = tuple(re.findall(r"\w+", _LIST[1]))
LANGUAGES = ("en", "vi", "zh")


class Visit:
    """A page of its own: what it complains about is collected."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(20_000)
        self.context = context
        self.url = url
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._note)

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def open(self, route: str = "play") -> Page:
        """Open an address within the page, and wait until the room stands."""
        if self.page.url != "about:blank":
            self.page.goto("about:blank")
        self.page.goto(f"{self.url}/#/{route}")
        self.settle()
        return self.page

    def settle(self) -> None:
        self.page.wait_for_selector("#shell:not([hidden]) main h1", state="attached")

    def scrolls_sideways(self) -> bool:
        return bool(
            self.page.evaluate(
                "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            )
        )
