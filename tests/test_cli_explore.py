"""The commands explore and tables: the report, its files, and being interrupted."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import naive
import networkx as nx
import pytest
from commands import Done, one_line

import taquin as tq
from taquin import space, space_memory
from taquin.cli import explore as command
from taquin.cli import terminal
from taquin.formats import graphs

# -- the report --------------------------------------------------------------------------------


def test_the_classical_lesson(run: Callable[..., Done]) -> None:
    done = run("explore", "3x3")
    assert done.code == 0
    assert done.err == ""
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    for line in (
        "vertices (states) 181,440",
        "edges (moves) 241,920",
        "mean degree 2.6667",
        "radius 31",
        "corner 2 4 80,640",
        "edge 3 4 80,640",
        "centre 4 1 20,160",
        "5 20 51",
        "31 2 181,440",
        "8 6 7 6 4 7",
    ):
        assert line in lines
    assert any(line.startswith("24 24,047 140,135") for line in lines)
    assert "The other half, 181,440 of the 362,880 arrangements, cannot be reached" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_bars_without_unicode(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "has_unicode", lambda stream: False)
    assert "#" * command.BAR in run("explore", "2x3").out
    assert run("explore", "2x3").out.isascii()


def test_json(run: Callable[..., Done]) -> None:
    (line,) = run("explore", "3x3", "--json").out.splitlines()
    entry = json.loads(line)
    assert (entry["states"], entry["edges"], entry["radius"]) == (181_440, 241_920, 31)
    assert entry["degrees"] == {"2": 80_640, "3": 80_640, "4": 20_160}
    assert entry["kinds"][0] == {"name": "corner", "moves": 2, "cells": 4, "states": 80_640}
    assert entry["depth_counts"][24] == 24_047
    assert len(entry["antipodes"]) == 2
    assert entry["arrangements"] == 362_880
    assert entry["complete"] is True
    assert set(entry) <= set(re.findall(r"[a-z_]+", command.EXAMPLES))


def test_from_a_state(run: Callable[..., Done]) -> None:
    state = "8 6 7 / 2 5 4 / 3 0 1"
    entry = json.loads(run("explore", "3x3", "--from", state, "--json").out)
    assert " ".join(map(str, entry["goal"])) == state.replace(" /", "")
    puzzle = tq.Puzzle(tq.Board.grid(3, 3), state)
    assert puzzle.explore().depth("1 2 3 / 4 5 6 / 7 8 0") == 31
    assert entry["depth_counts"] == list(puzzle.explore().depth_counts)


def test_to_depth(run: Callable[..., Done]) -> None:
    done = run("explore", "3x3", "--to-depth", "5")
    assert done.code == 0
    assert "vertices (states) 51" in " ".join(done.out.split())
    assert "radius" not in done.out
    done = run("explore", "5x5", "--to-depth", "10", "--json")
    assert json.loads(done.out)["depth_counts"][-1] == 4538
    assert "edges" not in json.loads(done.out)


def test_memory_that_ends_before_the_depth(run: Callable[..., Done]) -> None:
    done = run("explore", "5x5", "--to-depth", "20", "--memory", "1MB")
    assert done.code == 3
    assert "memory ended it at depth" in done.err
    assert "4,538" in done.out


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("2x2", "The other 12 of the 24 arrangements"),
        ("3x3:torus", "Every one of the 362,880 arrangements can be reached: the board has a ring"),
        ("1x5", "The other 115 of the 120"),
        ("1x1", "The only one can be reached"),
        ("2x2x2", "The other half, 20,160 of the 40,320"),
        ("2x3:mtm", "multi-tile moves"),
        ("graph:0-1,1-2,2-0,2-3", "a cell"),
        ("walls:..|.#|..", "  3 #"),
    ],
)
def test_other_boards(run: Callable[..., Done], spec: str, text: str) -> None:
    done = run("explore", spec)
    assert done.code == 0
    assert text in done.out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("4x4", "--memory", "1MB"), "takes 1.4 TB of memory and 1.0 MB may be used"),
        (("5x5",), "--to-depth"),
    ],
)
def test_refused(run: Callable[..., Done], words: tuple[str, ...], text: str) -> None:
    assert text in one_line(run("explore", *words), code=3)


@pytest.mark.parametrize(
    "words",
    [
        ("3x3", "--to-depth", "-1"),
        ("3x3", "--memory", "lots"),
        ("3x3", "--memory", "9" * 400),
        ("3x3", "--depth-of", "1 2 3 / 4 5 6 / 0 7 8", "--to-depth", "3"),
        ("3x3", "--depth-of", "1 2 3"),
        ("3x3", "--goal", "spiral", "--from", "1 2 3 4 5 6 7 0 8"),
        ("3x3", "--from", "1 2 3"),
        ("3x3", "--json", "--csv", "-"),
        ("3x3", "--graph", "states.png"),
        ("4x3", "--graph", "states.graphml"),
        ("2x3", "--from", "1 1 2 / 2 3 0"),
        ("2x2", "--csv", "/dev/null/nowhere.csv"),
        ("2x2", "--csv", "/nowhere/depths.csv"),
        ("2x2", "--graph", "/nowhere/states.edges"),
        ("2x2", "--plot", "/nowhere/depths.png"),
        ("2x2", "--plot", "/tmp/x.nonsense"),
        ("2x2", "--plot", "/tmp/x.pgf"),
        ("graph:0-1,2-3",),
        ("nonsense",),
    ],
)
def test_bad_wishes(run: Callable[..., Done], words: tuple[str, ...]) -> None:
    one_line(run("explore", *words))


# -- the depth of a state ----------------------------------------------------------------------


def test_depth_of_a_state(run: Callable[..., Done]) -> None:
    state = "1 2 3 / 4 5 6 / 0 7 8"
    assert f"{state} is 2 moves from home." in run("explore", "3x3", "--depth-of", state).out
    entry = json.loads(run("explore", "3x3", "--depth-of", state, "--json").out)
    assert entry["depth_of"] == {"state": [1, 2, 3, 4, 5, 6, 0, 7, 8], "depth": 2}
    assert set(entry) <= set(re.findall(r"[a-z_]+", command.EXAMPLES))
    mtm = run("explore", "3x3:mtm", "--depth-of", state).out
    assert f"{state} is 1 move from home." in mtm
    assert "0 is 0 moves from home." in run("explore", "1x1", "--depth-of", "0").out
    no_way = one_line(run("explore", "3x3", "--depth-of", "2 1 3 / 4 5 6 / 7 8 0"), code=1)
    assert "parities" in no_way


def test_depth_of_a_state_without_room_for_a_table(run: Callable[..., Done]) -> None:
    puzzle = tq.Puzzle.parse("3x3")
    need = [space_memory.bytes_needed(puzzle, record=record, workers=1) for record in (False, True)]
    words = ("--workers", "1", "--memory", str(sum(need) // 2))
    done = run("explore", "3x3", "--depth-of", "1 2 3 / 4 5 6 / 7 0 8", *words)
    assert done.code == 0
    assert "is unknown moves from home" in done.out


def test_the_start_is_named(run: Callable[..., Done]) -> None:
    out = run("explore", "2x3", "--from", "1 2 3 / 4 0 5", "--depth-of", "1 2 3 / 4 5 0").out
    assert "from the start given\n" in out
    assert "is 1 move from the start given." in out
    assert "farthest from the start given" in out
    assert "the goal" not in out


# -- files -------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_files_that_fail_after_the_work(run: Callable[..., Done], tmp_path: Path) -> None:
    report = run("explore", "2x3").out
    graph = tmp_path / "g.edges"
    done = run("explore", "2x3", "--csv", "/dev/full", "--graph", str(graph))
    assert (done.code, done.out) == (2, report)
    assert done.err == "taquin: cannot write /dev/full: No space left on device\n"
    assert graph.exists()  # one that fails keeps no other from being written


def test_csv(run: Callable[..., Done], tmp_path: Path) -> None:
    path = tmp_path / "depths.csv"
    assert run("explore", "2x3", "--csv", str(path)).code == 0
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    depths = naive.depths(naive.grid_neighbours((2, 3)), (1, 2, 3, 4, 5, 0))
    assert sum(int(row["states"]) for row in rows) == len(depths) == int(rows[-1]["up_to"])
    assert [int(row["depth"]) for row in rows] == list(range(22))
    assert run("explore", "2x3", "--csv", "-").out == path.read_text("utf-8")


def test_plot(run: Callable[..., Done], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("depths.png", "depths.svg"):
        path = tmp_path / name
        assert run("explore", "2x3", "--plot", str(path)).code == 0
        assert path.stat().st_size > 1000


def test_plot_without_matplotlib(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install 'taquin[plot]'" in one_line(run("explore", "2x2", "--plot", "x.png"))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    from taquin.render.plots import depth_curve

    with pytest.raises(tq.Unsupported, match="taquin\\[plot\\]"):
        depth_curve(tq.Puzzle.parse("2x2").explore(), "x.png")


@pytest.mark.parametrize("spec", ["2x3", "2x2:mtm", "1x4", "graph:0-1,1-2,2-0,2-3"])
def test_graph(run: Callable[..., Done], tmp_path: Path, spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    found = puzzle.explore()
    xml, text = tmp_path / "g.graphml", tmp_path / "g.edges"
    assert run("explore", spec, "--graph", str(xml)).code == 0
    assert run("explore", spec, "--graph", str(text)).code == 0
    graph = nx.read_graphml(xml)
    assert graph.number_of_nodes() == found.states
    assert graph.number_of_edges() == found.edges
    (goal,) = (node for node, data in graph.nodes.items() if data["depth"] == 0)
    lengths = nx.single_source_shortest_path_length(graph, goal)
    assert all(data["depth"] == lengths[node] for node, data in graph.nodes.items())
    states = {tq.State.parse(data["state"]) for data in graph.nodes.values()}
    assert len(states) == found.states
    edges = nx.read_edgelist(text, comments="#")
    assert nx.is_isomorphic(edges, graph) or found.states > 50
    assert edges.number_of_edges() == found.edges


def test_graphs_of_what_is_not_complete(tmp_path: Path) -> None:
    part = tq.Puzzle.parse("2x3").explore(to_depth=3)
    with pytest.raises(tq.Unsupported, match="not complete"):
        graphs.write_graph(part, tmp_path / "g.graphml")


# -- being interrupted -------------------------------------------------------------------------

SLOW = """
import sys, time
from taquin import space
from taquin.cli import explore
from taquin.cli.main import main
explore.WORTH_KEEPING = int(sys.argv[1])
sweep = space.sweep
def slowly(*arguments, progress=None, **options):
    def show(now):
        print(now.depth, flush=True)
        time.sleep(0.1)
    return sweep(*arguments, progress=show, **options)
space.sweep = slowly
sys.argv[1:2] = []
sys.exit(main())
"""


def interrupted(folder: Path, *words: str, worth: int = 10**9) -> tuple[int, str, str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment["TAQUIN_TABLES"] = str(folder / "tables")
    line = [sys.executable, "-c", SLOW, str(worth), "explore", "3x3", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(line, stdout=pipe, stderr=pipe, env=environment, text=True) as work:
        assert work.stdout is not None
        for depth in work.stdout:
            if depth == "4\n":
                work.send_signal(signal.SIGINT)
                break
        out, err = work.communicate()
    return work.returncode, out, err


def test_interrupted_with_a_checkpoint(run: Callable[..., Done], tmp_path: Path) -> None:
    folder = tmp_path / "half done"
    code, _, err = interrupted(tmp_path, "--checkpoint", str(folder))
    assert code == 130
    assert "interrupted at depth" in err
    assert f"taquin explore 3x3 --checkpoint '{folder}'" in err
    assert len(list(folder.iterdir())) == 1
    done = run("explore", "3x3", "--checkpoint", str(folder), "--json")
    assert json.loads(done.out)["states"] == 181_440
    one_line(run("explore", "2x4", "--checkpoint", str(folder)))


def test_interrupted_without(tmp_path: Path) -> None:
    code, _, err = interrupted(tmp_path)
    assert code == 130
    assert "interrupted at depth" in err
    assert "--checkpoint DIR" in err


def test_interrupted_where_nothing_can_be_kept(tmp_path: Path) -> None:
    code, _, err = interrupted(tmp_path, "--checkpoint", "/dev/null/x")
    assert code == 130
    assert "no checkpoint is kept" in err
    assert "nothing could be kept in /dev/null/x" in err


def test_long_sweeps_leave_a_checkpoint_unasked(
    run: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, err = interrupted(tmp_path, worth=1)
    assert code == 130
    assert err.rstrip().endswith("to go on from there: taquin explore 3x3")
    (kept,) = (tmp_path / "tables").iterdir()
    monkeypatch.setattr(command, "WORTH_KEEPING", 1)
    monkeypatch.setenv("TAQUIN_TABLES", str(tmp_path / "tables"))
    depths: list[int] = []
    monkeypatch.setattr(command.Line, "show", lambda self, now: depths.append(now.depth))
    assert "181,440" in run("explore", "3x3").out
    assert 4 < depths[0] < 8  # it went on from there
    assert not kept.exists()


STUCK = """
import sys, time
from taquin.sweep import checkpoint, engine
def write(folder, *arguments):
    folder.mkdir()
    (folder / f"{checkpoint.NAME}.{checkpoint.os.getpid()}").write_bytes(b"half")
    print("writing", flush=True)
    time.sleep(60)
engine.write_checkpoint = write
"""


def test_interrupted_twice(tmp_path: Path) -> None:
    """The first says what is going to be written, the second ends that at once."""
    folder = tmp_path / "half"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    line = [sys.executable, "-c", STUCK + SLOW, "1", "explore", "3x3", "--checkpoint", str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(line, stdout=pipe, stderr=pipe, env=environment, text=True) as work:
        assert work.stdout is not None
        for word in work.stdout:
            if word in ("4\n", "writing\n"):
                work.send_signal(signal.SIGINT)
            if word == "writing\n":
                break
        _, err = work.communicate(timeout=30)
    assert work.returncode == 130
    assert re.search(rf"then writing [\d.]+ kB to {folder}: Ctrl-C again leaves it out\n", err)
    assert list(folder.iterdir()) == []


def test_the_line_of_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    line = command.Line()
    now: Any = space.Progress(5_000_000, 20, 1_000_000, 0.25, 10.0)
    line.show(now)
    assert "depth 20: 1,000,000 states, 5,000,000 in all" in (text := capsys.readouterr().err)
    assert "500,000 a second, 25%, 30 s left" in text
    line.show(now)  # too soon
    assert capsys.readouterr().err == ""
    line.clear()
    assert capsys.readouterr().err == "\r\x1b[K"


# -- tables ------------------------------------------------------------------------------------


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAQUIN_TABLES", str(tmp_path / "shelf"))
    space.forget()
    return tmp_path / "shelf"


def test_tables(run: Callable[..., Done], shelf: Path) -> None:
    assert run("tables", "path") == (0, f"{shelf}\n", "")
    assert json.loads(run("tables", "path", "--json").out) == {"path": str(shelf)}
    assert run("tables").err == f"no tables in {shelf}\n"
    done = run("tables", "build", "2x3", "3x3:mtm", "2x3:reversed")
    assert done.code == 0
    assert len(done.out.splitlines()) == 3
    listed = run("tables", "list")
    assert listed.code == 0
    assert "space of 3x3, blank on 8, mtm" in listed.out
    assert len(listed.out.splitlines()) == len(list(shelf.iterdir()))
    records = [json.loads(line) for line in run("tables", "verify", "--json").out.splitlines()]
    assert {record["board"] for record in records} == {"2x3", "3x3"}
    assert all(record["fault"] == "" for record in records)
    path = Path(records[0]["path"])
    raw = path.read_bytes()
    path.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    assert run("tables", "list").code == 0
    done = run("tables", "verify")
    assert done.code == 2
    assert "damaged" in done.out
    assert "good" in done.out
    (shelf / ".x.table.1.part").write_bytes(b"x")
    assert "unfinished" in run("tables", "list").err
    done = run("tables", "clear", "--json")
    assert json.loads(done.out)["files"] == len(records) + 1
    assert list(shelf.iterdir()) == []
    assert run("tables", "clear").out == "0 files removed, 0 bytes\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("burn",), 2),
        (("build",), 2),
        (("list", "3x3"), 2),
        (("build", "nonsense"), 2),
        (("build", "4x4", "--memory", "1MB"), 3),
        (("build", "3x3", "--memory", "1kB"), 3),
    ],
)
def test_bad_orders(
    run: Callable[..., Done], shelf: Path, words: tuple[str, ...], code: int
) -> None:
    one_line(run("tables", *words), code)


def test_solving_without_a_folder_is_said(
    run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_TABLES", "/dev/null/nowhere")
    space.forget()
    with pytest.warns(space.tables.TableWarning):
        done = run("solve", "2 0 3 4 5 / 1 6 7 8 9")
    assert done.code in (0, 1)


def test_a_table_that_is_not_kept_is_no_success(
    run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_TABLES", "/dev/null/nowhere")
    space.forget()
    with pytest.warns(space.tables.TableWarning):
        done = run("tables", "build", "2x3")
    assert (done.code, done.out) == (2, "")
    assert "the table of 2x3 was built, but it could not be kept in /dev/null/nowhere" in done.err
    done = run("tables", "build", "2x3", "--json")
    assert done.code == 2
    assert "could not be kept" in json.loads(done.out)["fault"]


def test_checkpoints_are_told_and_cleared(run: Callable[..., Done], shelf: Path) -> None:
    folder = shelf / "checkpoint-3x3-0123"
    folder.mkdir(parents=True)
    (folder / "sweep.npz").write_bytes(b"x" * 1000)
    assert "1 checkpoint of interrupted sweeps, 1.0 kB" in run("tables", "list").err
    assert run("tables", "clear").out == "1 file removed, 1.0 kB\n"
