"""``taquin serve``: the page to play, check and solve."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

from taquin.cli import common, terminal
from taquin.cli.common import DONE
from taquin.errors import Unsupported

if TYPE_CHECKING:
    import argparse

HELP = """Serve a page to play, check and solve, on this machine alone unless told otherwise.

Needs the extra 'web'. Ctrl-C ends it."""
EXAMPLES = """\
  taquin serve
  taquin serve --port 9000 --open"""

PORT = 8015
LOCAL = ("127.0.0.1", "localhost", "[::1]")


def options(parser: argparse.ArgumentParser) -> None:
    """Say what can follow the command."""
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    add("--port", type=common.natural, default=PORT, help=f"the port ({PORT})")
    add("--workers", type=common.natural, help="long jobs at the same time (cores less one)")
    add("--open", action="store_true", help="open the page in a browser")


def serve(host: str, port: int, workers: int | None, *, open: bool) -> int:  # noqa: A002
    """Serve until interrupted; return the exit code."""
    try:
        import uvicorn

        from taquin.web.app import make_app
    except ImportError:
        raise Unsupported(
            "the page needs FastAPI and uvicorn, which are not installed: pip install 'taquin[web]'"
        ) from None
    if port > 65535:
        raise Unsupported(f"a port is a number up to 65535; got {port}")
    local = host in LOCAL
    listening = _listen(host, port)
    address = f"http://{host}:{listening.getsockname()[1]}/"
    print(f"the page is at {address} (Ctrl-C ends it)", flush=True)
    if not local:
        terminal.note("note: everybody who reaches this machine can use it")
    if open:
        import webbrowser

        webbrowser.open(address)
    jobs = workers or max(1, (os.cpu_count() or 2) - 1)
    app = make_app(LOCAL if local else (), jobs)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
    uvicorn.Server(config).run(sockets=[listening])
    return DONE


def _listen(host: str, port: int) -> socket.socket:
    """Take the port, or say that it is taken."""
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise Unsupported(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another --port"
        ) from None
