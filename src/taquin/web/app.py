"""The routes of the page. What they compute is in `taquin.web.answers`."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import FileResponse, JSONResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles

from taquin import __version__
from taquin.errors import TaquinError
from taquin.web import answers, models
from taquin.web.jobs import Busy, Lane, fault

STATIC = Path(__file__).parent / "static"
#: Bytes of a question at most.
BODY = 256_000
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none';"
        " form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
#: Seconds after which a busy server may be asked again.
RETRY = "2"


def make_app(hosts: tuple[str, ...] = (), workers: int = 1) -> FastAPI:
    """Return the application.

    Parameters
    ----------
    hosts : tuple of str
        Names by which it may be asked for; any if empty. Others could be a stranger's page that
        has bent its name to this machine.
    workers : int
        Long jobs at the same time.
    """
    # The first jobs on a machine compile what they need, which is part of their time.
    lanes = {"quick": Lane(1, 60, 120.0), "long": Lane(workers, 40, 180.0)}

    @asynccontextmanager
    async def living(_: FastAPI) -> AsyncIterator[None]:
        yield
        for lane in lanes.values():
            lane.close()

    app = FastAPI(
        title="taquin",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=living,
    )
    app.state.lanes = lanes
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    _guard(app, hosts)
    _tell_faults(app)
    _answer_at_once(app)
    _answer_with_work(app, lanes)
    _show_page(app)
    return app


def _refusal(status: int, kind: str, message: str, **headers: str) -> JSONResponse:
    content = {"error": {"kind": kind, "message": message}}
    return JSONResponse(content, status, headers={**HEADERS, **headers})


def _guard(app: FastAPI, hosts: tuple[str, ...]) -> None:
    @app.middleware("http")
    async def guarded(request: Request, answer: Any) -> Response:
        host = request.headers.get("host", "").rsplit(":", 1)[0]
        if hosts and host not in hosts:
            return _refusal(421, "UnknownHost", f"this server is not known as {host[:80]!r}")
        if request.method == "POST":
            refused = _refused(request, host)
            if refused is not None:
                return refused
        response: Response = await answer(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response


def _refused(request: Request, host: str) -> JSONResponse | None:
    """Return the answer to a question that comes from elsewhere, or is too long."""
    origin = request.headers.get("origin")
    if origin is not None and origin.split("//", 1)[-1].rsplit(":", 1)[0] != host:
        return _refusal(403, "ForeignOrigin", "questions are answered to this page alone")
    kind = request.headers.get("content-type", "").split(";", 1)[0].strip()
    if kind != "application/json":
        return _refusal(415, "UnsupportedMedia", "expected a question in application/json")
    length = request.headers.get("content-length", "")
    if not length.isdigit():
        return _refusal(411, "LengthRequired", "expected the length of the question")
    if int(length) > BODY:
        return _refusal(413, "TooLarge", f"a question has at most {BODY:,} bytes; got {length}")
    return None


def _tell_faults(app: FastAPI) -> None:
    @app.exception_handler(TaquinError)
    async def bad(_: Request, error: TaquinError) -> JSONResponse:
        return JSONResponse({"error": fault(error)}, 422)

    @app.exception_handler(RequestValidationError)
    async def unfit(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "the question"
        return _refusal(422, "BadQuestion", f"{where}: {first['msg']}")

    @app.exception_handler(Busy)
    async def busy(_: Request, __: Busy) -> JSONResponse:
        told = "all workers are busy, and many questions wait: try again soon"
        return _refusal(503, "Busy", told, **{"Retry-After": RETRY})

    @app.exception_handler(Exception)
    async def broken(_: Request, error: Exception) -> JSONResponse:
        told = f"a fault of this program, not of yours: {type(error).__name__}"
        return _refusal(500, "Fault", told)


def _answer_at_once(app: FastAPI) -> None:
    @app.post("/api/read")
    def read(asked: models.Read) -> dict[str, Any]:
        return answers.read_board(**asked.model_dump())

    @app.post("/api/check")
    def check(asked: models.Check) -> dict[str, Any]:
        return answers.check(**asked.model_dump())

    @app.post("/api/moves")
    def moves(asked: models.Moves) -> dict[str, Any]:
        return answers.moves(**asked.model_dump())

    @app.get("/api/about")
    def about() -> dict[str, Any]:
        limits = {"checked": answers.CHECKED, "searched": answers.SEARCHED, "bytes": BODY}
        return {"version": __version__, "limits": {**limits, "seconds": answers.SECONDS}}


def _answer_with_work(app: FastAPI, lanes: dict[str, Lane]) -> None:
    async def quick(name: str, asked: models.Question) -> Response:
        last: dict[str, Any] = {}
        async with aclosing(lanes["quick"].run(name, asked.model_dump())) as messages:
            async for message in messages:
                last = message
        if "error" in last:
            return JSONResponse(last, 422)
        return JSONResponse(last["result"])

    @app.post("/api/shuffle")
    async def shuffle(asked: models.Shuffle) -> Response:
        return await quick("shuffle", asked)

    @app.post("/api/hint")
    async def hint(asked: models.Position) -> Response:
        return await quick("hint", asked)

    @app.post("/api/distance")
    async def distance(asked: models.Position) -> Response:
        return await quick("distance", asked)

    @app.post("/api/solve")
    async def solve(asked: models.Solve) -> Response:
        messages = lanes["long"].run("solve", asked.model_dump())
        first = await anext(messages)  # a full queue is told before anything is sent

        async def lines() -> AsyncIterator[str]:
            async with aclosing(messages):
                yield json.dumps(first) + "\n"
                async for message in messages:
                    yield json.dumps(message) + "\n"

        return StreamingResponse(lines(), media_type="application/x-ndjson")


def _show_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    app.mount("/static", StaticFiles(directory=STATIC))
