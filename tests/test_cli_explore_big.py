"""``taquin explore`` on boards too big to hold: to a depth, within a memory, and of few states."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Done, one_line


def test_multi_tile_moves_to_a_depth(run: Callable[..., Done]) -> None:
    done = run("explore", "5x5:mtm", "--to-depth", "8", "--csv", "-")
    counts = [int(row["states"]) for row in csv.DictReader(done.out.splitlines())]
    assert (done.code, counts) == (0, [1, 8, 32, 128, 512, 2048, 8191, 32658, 128038])


@pytest.mark.parametrize("spec", ["5x5", "5x5:mtm", "4x4:torus"])
def test_memory_that_ends_it_is_told(spec: str, run: Callable[..., Done]) -> None:
    done = run("explore", spec, "--to-depth", "20", "--memory", "300kB")
    assert done.code == 3
    deepest = int(re.findall(r"^ *(\d+)  ", done.out, re.MULTILINE)[-1])
    assert 2 < deepest < 20
    assert done.err == f"memory ended it at depth {deepest} of 20: give it more with --memory\n"
    assert "up to depth" in done.out


def test_a_space_that_ends_before_the_depth_is_whole(run: Callable[..., Done]) -> None:
    """Neither memory nor depth ended it; what lies farthest is shown, from the walk too."""
    done = run("explore", "1x30:torus", "--to-depth", "2000")
    assert (done.code, done.err) == (0, "")
    assert "radius" in done.out
    assert "the state at depth 435, farthest from the goal" in done.out
    record = json.loads(run("explore", "1x30:torus", "--json").out)
    assert (record["complete"], record["radius"], len(record["antipodes"])) == (True, 435, 1)


@pytest.mark.parametrize(
    ("spec", "states"), [("1x12", 12), ("1x12:mtm", 12), ("1x13:torus", 156), ("1x64", 64)]
)
def test_graphs_of_few_states_on_many_cells(
    spec: str, states: int, run: Callable[..., Done], tmp_path: Path
) -> None:
    """What counts is what can be reached, not the arrangements."""
    file = tmp_path / "line.edges"
    assert run("explore", spec, "--graph", str(file)).code == 0
    lines = file.read_text("utf-8").splitlines()
    assert len([line for line in lines if line[0] == "#"]) == states


@pytest.mark.parametrize("spec", ["3x4", "4x4", "2x2x3:mtm", "40x40"])
def test_graphs_that_are_too_large(spec: str, run: Callable[..., Done], tmp_path: Path) -> None:
    line = one_line(run("explore", spec, "--graph", str(tmp_path / "g.edges")))
    assert "too large for a file: at most 1,000,000 states" in line


def test_boards_whose_arrangements_have_thousands_of_digits(run: Callable[..., Done]) -> None:
    done = run("explore", "40x40", "--to-depth", "2", "--json")
    record = json.loads(done.out)
    assert (record["depth_counts"], record["arrangements"]) == ([1, 2, 4], None)
    assert "10^4432 bytes" in one_line(run("explore", "40x40"), 3)


@pytest.mark.parametrize(("spec", "power"), [("40x41", 4561), ("100x100", 35658)])
def test_what_would_fit_where_thousands_of_cells_do_not(
    spec: str, power: int, run: Callable[..., Done]
) -> None:
    line = one_line(run("explore", spec, "--memory", "1MB"), 3)
    assert f"10^{power} bytes" in line
    assert "a board like it of up to 10 cells" in line


@pytest.mark.parametrize("size", ["1e400 GB", "9" * 400, "9" * 5000, "inf"])
def test_sizes_beyond_all_sense(size: str, run: Callable[..., Done]) -> None:
    line = one_line(run("explore", "3x3", "--memory", size))
    assert "expected a size such as 4GB or 500MB" in line


def test_a_table_of_one_cell(run: Callable[..., Done]) -> None:
    assert run("tables", "build", "1x1").code == 0
    assert run("tables", "verify").code == 0
    assert "0 is 0 moves from home." in run("explore", "1x1", "--depth-of", "0").out
