"""The page's interface: what it answers, what it refuses, and that it stays alive."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from commands import Done
from servers import free_port

import taquin as tq
from taquin.web.app import BODY, HEADERS
from taquin.web.jobs import Busy, Lane

Found = TypeVar("Found")
EIGHT = "8 1 3 / 4 0 2 / 7 6 5"
HARD = "15 14 8 12 / 10 11 9 13 / 2 6 5 1 / 3 7 4 0"
SOURCES = Path(__file__).resolve().parent.parent / "src"


def started(port: int) -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "taquin", "serve", "--port", str(port), "--workers", "1"],
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    assert f":{port}/" in server.stdout.readline()
    return server


@pytest.fixture(scope="module")
def url(tables_of_the_tests: None) -> Iterator[str]:
    port = free_port()
    server = started(port)
    yield f"http://127.0.0.1:{port}"
    server.send_signal(signal.SIGINT)
    _, said = server.communicate(timeout=30)
    assert "Traceback" not in said


@pytest.fixture(scope="module")
def ask(url: str) -> Iterator[Callable[..., Any]]:
    with httpx.Client(base_url=url, timeout=180) as client:
        yield lambda path, **wishes: client.post(f"/api/{path}", json=wishes)


def lines(answer: Any) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


# -- answers --------------------------------------------------------------------------------------


def test_the_page_and_its_headers(url: str) -> None:
    answer = httpx.get(url + "/")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert httpx.get(url + "/static/app.js").status_code == 200
    for outside in ("/static/../app.py", "/static/%2e%2e/app.py", "/app.py"):
        assert httpx.get(url + outside).status_code == 404
    about = httpx.get(url + "/api/about").json()
    assert about["version"] == tq.__version__
    paths = httpx.get(url + "/api/openapi.json").json()["paths"]
    assert {"/api/check", "/api/solve", "/api/hint"} <= set(paths)


def test_reading_and_checking(ask: Callable[..., Any]) -> None:
    read = ask("read", text="8 1 3\n4 _ 2\n7 6 5").json()
    assert read["tiles"] == [8, 1, 3, 4, 0, 2, 7, 6, 5]
    assert read["puzzle"] == "3x3"
    puzzle = tq.Puzzle.parse("3x3")
    for text in (EIGHT, "1 2 3 4 5 6 8 7 0"):
        found = ask("check", board=text, lang="vi").json()
        verdict = puzzle.verdict(text)
        assert found["solvable"] == verdict.solvable
        assert found["text"] == verdict.text("vi")
        assert found["inversions"] == verdict.inversions
        assert len(found["inversion_pairs"]) == verdict.inversions
    assert ask("check", board=[1, 2, 3, 4, 5, 6, 8, 7, 0]).json()["solvable"] is False


def test_moves_in_other_notations(ask: Callable[..., Any]) -> None:
    found = ask("moves", puzzle="3x3", board=EIGHT, moves="UD", to="tile").json()
    assert found == {"text": "DU"}
    back = ask("moves", puzzle="3x3", board=EIGHT, moves="DU", to="blank", **{"from": "tile"})
    assert back.json() == {"text": "UD"}


def test_hints_and_distances(ask: Callable[..., Any]) -> None:
    puzzle = tq.Puzzle.parse("3x3")
    hint = ask("hint", puzzle="3x3", board=EIGHT).json()
    assert puzzle.apply(EIGHT, hint["moves"]) == puzzle.goal
    assert hint["lower_bound"] <= 14 <= hint["length"]
    far = ask("distance", puzzle="3x3", board=EIGHT).json()
    assert far["lower_bound"] <= 14 <= far["upper_bound"]
    assert far["distance"] in (None, 14)


def test_shuffles_of_a_depth(ask: Callable[..., Any]) -> None:
    puzzle = tq.Puzzle.parse("3x3")
    for wishes, low, high in (({"depth": 31}, 31, 31), ({"min": 5, "max": 9}, 5, 9)):
        dealt = ask("shuffle", puzzle="3x3", seed=1, **wishes).json()
        (board,) = dealt["boards"]
        assert low <= puzzle.distance(board["tiles"]) == board["depth"] <= high
        assert ask("shuffle", puzzle="3x3", seed=1, **wishes).json() == dealt
    free = ask("shuffle", puzzle="4x4").json()["boards"][0]["tiles"]
    assert tq.Puzzle.parse("4x4").solvable(free)


def test_solving_streams_and_ends_with_the_result(ask: Callable[..., Any]) -> None:
    found = lines(ask("solve", board=EIGHT))
    result = found[-1]["result"]
    assert (result["length"], result["optimal"]) == (14, True)
    assert set(result["texts"]) == {"blank", "tile", "tiles", "cells", "words", "rle"}
    every = lines(ask("solve", board=EIGHT, all=True))[-1]["result"]
    assert every["count"] == len(every["solutions"]) == 1
    large = lines(ask("solve", puzzle="6x6", board=[*range(1, 34), 35, 34, 0], quality="fast"))
    assert large[-1]["error"]["kind"] == "Unsolvable"


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("spec", ["3x3", "walls:...|.#.|...|...", "2x3:blank-first"])
def test_solving_to_another_state(ask: Callable[..., Any], spec: str, every: bool) -> None:
    puzzle = tq.Puzzle.parse(spec)
    start = puzzle.random(4)
    to = next(state for _, state in puzzle.neighbours(puzzle.goal))
    wishes = {"puzzle": spec, "board": list(start.tiles), "to": list(to.tiles), "all": every}
    found = lines(ask("solve", **wishes))[-1]["result"]
    for moves in found["solutions"] if every else [found["moves"]]:
        assert puzzle.apply(start, moves) == to


def test_a_limit_carries_what_is_known(ask: Callable[..., Any]) -> None:
    start = tq.Puzzle.parse("5x5").random(3)
    last = lines(ask("solve", puzzle="5x5", board=list(start.tiles), time_limit=1.0))[-1]
    known = last["result"] if "result" in last else last["error"]["best"]
    assert known["lower_bound"] < known["length"] < 250
    assert "error" not in last or last["error"]["kind"] == "LimitReached"


# -- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "wishes", "kind"),
    [
        ("check", {"board": "no board at all"}, "ParseError"),
        ("check", {"board": "<script>alert(1)</script>"}, "ParseError"),
        ("check", {"board": [1, 1, 0, 2]}, "InvalidState"),
        ("check", {"board": EIGHT, "puzzle": "9x"}, "InvalidBoard"),
        ("check", {"board": EIGHT, "lang": "de"}, "BadQuestion"),
        ("check", {"board": EIGHT, "more": 1}, "BadQuestion"),
        ("hint", {"puzzle": "3x3", "board": "1 2 3 4 5 6 8 7 0"}, "Unsolvable"),
        ("hint", {"puzzle": "11x11", "board": "1"}, "Unsupported"),
        ("shuffle", {"puzzle": "3x3", "depth": 32}, "Unsupported"),
        ("shuffle", {"puzzle": "3x3", "depth": -1}, "BadQuestion"),
        ("moves", {"puzzle": "3x3", "board": EIGHT, "moves": "UU", "to": "tile"}, "IllegalMove"),
    ],
)
def test_bad_questions_get_a_sentence(
    ask: Callable[..., Any], path: str, wishes: dict[str, Any], kind: str
) -> None:
    answer = ask(path, **wishes)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["kind"] == kind
    assert error["message"]
    assert "Traceback" not in answer.text


def test_questions_from_elsewhere_are_refused(url: str) -> None:
    body = {"board": EIGHT}
    foreign = httpx.post(url + "/api/check", json=body, headers={"Origin": "https://evil.example"})
    assert foreign.status_code == 403
    plain = httpx.post(url + "/api/check", content=json.dumps(body))
    assert plain.status_code == 415
    bent = httpx.get(url + "/", headers={"Host": "evil.example"})
    assert bent.status_code == 421
    own = httpx.post(url + "/api/check", json=body, headers={"Origin": url})
    assert own.status_code == 200
    long = httpx.post(url + "/api/check", json={"board": " " * BODY})
    assert long.status_code == 413
    nothing = httpx.post(
        url + "/api/check", content="{", headers={"Content-Type": "application/json"}
    )
    assert nothing.status_code == 422


# -- many, and gone -------------------------------------------------------------------------------


def in_a_loop(work: Coroutine[Any, Any, Found]) -> Found:
    """Run a coroutine in a thread of its own: other tests may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


SILENT = {"puzzle": "5x5", "board": [*range(24, 0, -1), 0], "every": True}


def test_a_job_that_nobody_waits_for_ends_with_its_process() -> None:
    async def leave() -> list[dict[str, Any]]:
        lane = Lane(1, 0, 120.0)
        messages = lane.run("solve", SILENT)
        said = [await anext(messages), await anext(messages)]
        (worker,) = lane.busy
        with pytest.raises(Busy):
            await anext(lane.run("hint", {"puzzle": "3x3", "board": EIGHT}))
        await messages.aclose()
        assert not worker.process.is_alive()
        assert (lane.jobs, lane.idle, lane.busy) == (0, [], [])
        return said

    assert in_a_loop(leave()) == [{"progress": {}}] * 2


def test_a_worker_that_died_is_replaced() -> None:
    async def ask_twice() -> list[dict[str, Any]]:
        lane = Lane(1, 0, 120.0)
        wishes = {"puzzle": "3x3", "board": EIGHT}
        found = []
        for _ in range(2):
            found += [message async for message in lane.run("distance", wishes)]
            (worker,) = lane.idle
            worker.process.kill()
            worker.process.join()
        lane.close()
        return [message for message in found if "progress" not in message]

    first, second = in_a_loop(ask_twice())
    assert first == second
    assert first["result"]["upper_bound"] >= 14


def test_a_client_that_leaves_makes_room_for_the_next(url: str) -> None:
    body = {name: value for name, value in SILENT.items() if name != "every"} | {"all": True}
    with httpx.stream("POST", url + "/api/solve", json=body, timeout=180) as answer:
        assert answer.status_code == 200
        assert json.loads(next(answer.iter_lines())) == {"progress": {}}
    # There is one worker, and the job would have kept it for longer than this waits.
    answer = httpx.post(url + "/api/solve", json={"board": EIGHT}, timeout=40)
    assert lines(answer)[-1]["result"]["length"] == 14


def test_fifty_at_once_are_answered_or_refused_politely(url: str) -> None:
    puzzle = tq.Puzzle.parse("3x3")

    def one(seed: int) -> int:
        body = {"puzzle": "3x3", "board": list(puzzle.random(seed).tiles)}
        answer = httpx.post(url + "/api/solve", json=body, timeout=180)
        if answer.status_code == 503:
            assert int(answer.headers["retry-after"]) > 0
        else:
            assert lines(answer)[-1]["result"]["optimal"]
        return int(answer.status_code)

    with ThreadPoolExecutor(50) as clients:
        asked = [clients.submit(one, seed) for seed in range(50)]
        assert httpx.post(url + "/api/check", json={"board": EIGHT}, timeout=60).status_code == 200
        codes = [future.result() for future in asked]
    assert set(codes) <= {200, 503}
    assert codes.count(200) >= 30


def test_a_port_that_is_taken_is_one_line(url: str, run: Callable[..., Done]) -> None:
    done = run("serve", "--port", url.rsplit(":", 1)[1])
    assert done.code == 2
    assert "choose another --port" in done.err
    assert run("serve", "--port", "70000").code == 2


def test_ctrl_c_ends_server_and_workers(tables_of_the_tests: None) -> None:
    port = free_port()
    server = started(port)
    body = {"puzzle": "3x3", "board": EIGHT}
    answer = httpx.post(f"http://127.0.0.1:{port}/api/hint", json=body, timeout=180)
    assert answer.status_code == 200
    server.send_signal(signal.SIGINT)
    out, err = server.communicate(timeout=30)
    assert "Traceback" not in out + err
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/")
