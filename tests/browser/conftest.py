"""A running `taquin serve` and a real Chromium for the tests of the page.

They are collected only when asked for, as some of them depend on what else the machine does:

    TAQUIN_BROWSER=1 python -m pytest -q tests/browser

Set TAQUIN_URL to test a server that already runs.
"""

import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from servers import free_port
from visits import Visit

SOURCES = Path(__file__).resolve().parents[2] / "src"
STARTING = 60  # seconds

expect.set_options(timeout=60_000)  # the first search of a machine compiles its kernels


def wait_until_it_answers(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + STARTING
    while time.monotonic() < end:
        assert server.poll() is None, f"taquin serve ended with {server.returncode}"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"taquin serve does not answer at {url}")


@pytest.fixture(scope="session")
def url(tables_of_the_tests: None) -> Iterator[str]:
    """The address of a server of our own."""
    running = os.environ.get("TAQUIN_URL")
    if running:
        yield running.rstrip("/")
        return
    port = free_port()
    command = [sys.executable, "-m", "taquin", "serve", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            wait_until_it_answers(f"http://127.0.0.1:{port}/", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.fail("no chromium is installed: apt-get install chromium")
    quiet = ("background-networking", "component-update", "sync")
    flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", *(f"--disable-{q}" for q in quiet)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, url: str) -> Iterator[Callable[..., Visit]]:
    """Make a visit; the other options are those of a Playwright context."""
    contexts: list[BrowserContext] = []
    visits: list[Visit] = []

    def make(*, lang: str = "en", width: int = 1280, height: int = 900, **options: Any) -> Visit:
        context = chromium.new_context(
            locale=lang,
            viewport={"width": width, "height": height},
            **options,
        )
        contexts.append(context)
        visits.append(Visit(context, url))
        return visits[-1]

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(visit: Callable[..., Visit]) -> Iterator[Page]:
    """The page in English on a desktop; it must not have complained in the end."""
    one = visit()
    one.open()
    yield one.page
    assert one.complaints == []
