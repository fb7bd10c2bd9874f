"""Spaces that are stopped and go on, and tables that are kept."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import naive
import pytest
from golden import published, with_blank

import taquin as tq
from taquin import space
from taquin.errors import TableError, Unsupported
from taquin.sweep import Progress, Stop

# -- stopping and going on ---------------------------------------------------------------------


def test_stop_and_go_on(tmp_path: Path) -> None:
    puzzle = tq.Puzzle.parse("3x3")
    stop = Stop()

    def soon(now: Progress) -> None:
        if now.depth == 12:
            stop.set()

    part = puzzle.explore(stop=stop, progress=soon, checkpoint=tmp_path / "half")
    assert (part.radius, part.complete) == (12, False)
    told: list[Progress] = []
    whole = puzzle.explore(checkpoint=tmp_path / "half", progress=told.append)
    assert told[0].depth == 13
    assert whole.depth_counts == published("3x3_stm_corner")
    rows = [puzzle.random(seed).tiles for seed in range(50)]
    assert whole.depths(rows).tolist() == puzzle.explore().depths(rows).tolist()


def test_checkpoints_that_do_not_fit(tmp_path: Path) -> None:
    stop = Stop()
    stop_at_3 = lambda now: stop.set() if now.depth == 3 else None  # noqa: E731
    tq.Puzzle.parse("3x3").explore(stop=stop, progress=stop_at_3, checkpoint=tmp_path)
    with pytest.raises(TableError, match="another sweep"):
        tq.Puzzle.parse("2x4").explore(checkpoint=tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-500])
    with pytest.raises(TableError, match="damaged"):
        tq.Puzzle.parse("3x3").explore(checkpoint=tmp_path)


def left_off(folder: Path, spec: str, depth: int) -> tq.Puzzle:
    """Leave a checkpoint at a depth in the folder."""
    puzzle = tq.Puzzle.parse(spec)
    stop = Stop()
    told = lambda now: stop.set() if now.depth == depth else None  # noqa: E731
    puzzle.explore(stop=stop, progress=told, checkpoint=folder)
    return puzzle


def test_a_flipped_byte_of_a_checkpoint(tmp_path: Path) -> None:
    """It is told in one sentence, or lies where no number of the sweep depends on it."""
    puzzle = left_off(tmp_path, "2x3", 10)
    whole = puzzle.explore()
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    damaged = 0
    for place in range(len(good)):
        for bit in (0, 1):
            file.write_bytes(good[:place] + bytes([good[place] ^ 1 << bit]) + good[place + 1 :])
            try:
                found = puzzle.explore(checkpoint=tmp_path)
            except TableError:
                damaged += 1
            else:
                assert found.depth_counts == whole.depth_counts
                assert found.by_cell is not None
                assert found.by_cell.tolist() == whole.by_cell.tolist()  # type: ignore[union-attr]
    assert damaged > len(good)


def test_a_checkpoint_deeper_than_the_depth_asked_for(tmp_path: Path) -> None:
    puzzle = left_off(tmp_path, "3x3", 12)
    for depth in (0, 7, 12, 13):
        part = puzzle.explore(to_depth=depth, checkpoint=tmp_path)
        assert part.depth_counts == published("3x3_stm_corner")[: depth + 1]
        assert part.by_cell is not None
        assert part.by_cell.sum(axis=1).tolist() == list(part.depth_counts)
        assert part.ended == "depth"


def test_no_checkpoint_can_be_kept() -> None:
    """The counts found so far are not lost with it."""
    stop = Stop()

    def soon(now: Progress) -> None:
        if now.depth == 5:
            stop.set()

    with pytest.warns(UserWarning, match="no checkpoint is kept in /dev/null/x"):
        part = tq.Puzzle.parse("3x3").explore(stop=stop, progress=soon, checkpoint="/dev/null/x")
    assert part.states == 51
    assert tq.Puzzle.parse("3x3").explore(checkpoint="/dev/null/x").complete


def test_stopped_without_a_checkpoint() -> None:
    stop = Stop()
    threading.Timer(0.05, stop.set).start()
    found = tq.Puzzle.parse("4x3").explore(stop=stop)
    if not found.complete:  # else the machine was faster
        assert found.depth_counts == published("3x4_stm_corner")[: found.radius + 1]
        with pytest.raises(Unsupported):
            _ = found.table


SLOW = """
import sys, time
import taquin as tq
from taquin import space
from taquin.sweep import engine
write = engine.write_checkpoint
sweep = space.sweep
space.sweep = lambda *a, **k: sweep(*a, checkpoint_seconds=0, **k)
def progress(now):
    print(now.depth, flush=True)
    time.sleep(0.05)
print(*tq.Puzzle.parse("3x3").explore(checkpoint=sys.argv[1], progress=progress).depth_counts)
"""


def test_killed_in_the_middle_of_a_sweep(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SLOW, str(tmp_path / "kept")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as work:
        assert work.stdout is not None
        for line in work.stdout:
            if line == "15\n":
                work.send_signal(signal.SIGKILL)
                break
    again = subprocess.run(command, capture_output=True, env=environment, text=True, check=True)
    *depths, counts = again.stdout.splitlines()
    assert 10 < int(depths[0]) <= 16
    assert tuple(map(int, counts.split())) == published("3x3_stm_corner")


def test_partitions_that_exchange_blocks_only() -> None:
    """The small simulation of docs/beyond-one-machine.md."""
    program = Path(__file__).parent.parent / "benchmarks" / "partitions.py"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(program), "3x3", "1"]
    done = subprocess.run(command, capture_output=True, env=environment, text=True, check=True)
    assert "1 of 12 edges of the board cross" in done.stdout
    assert done.stdout.endswith("the counts are the engine's\n")


# -- tables that are kept ----------------------------------------------------------------------


def test_one_table_serves_all_goals_with_the_same_blank(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_TABLES", str(tmp_path))
    space.forget()
    board = tq.Board.grid(2, 4)
    rng = random.Random(1)
    for number in range(4):
        tiles = list(range(1, 8))
        rng.shuffle(tiles)
        puzzle = tq.Puzzle(board, tq.State([*tiles, 0], board))
        depths = naive.depths(naive.grid_neighbours((2, 4)), puzzle.goal.tiles)
        rows = list(depths)
        assert puzzle.distances_many(rows).tolist() == [depths[row] for row in rows]
        assert len(list(tmp_path.iterdir())) == 1, number
    tq.Puzzle(board, "blank-first").distances_many([[*range(8)]])
    assert len(list(tmp_path.iterdir())) == 2
    space.forget()


def test_a_damaged_table_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAQUIN_TABLES", str(tmp_path))
    puzzle = tq.Puzzle.parse("2x4")
    rows = [puzzle.random(seed).tiles for seed in range(30)]
    space.forget()
    right = puzzle.distances_many(rows).tolist()
    (path,) = tmp_path.iterdir()
    raw = bytearray(path.read_bytes())
    raw[-8] ^= 255
    path.write_bytes(raw)
    space.forget()
    with pytest.warns(space.tables.TableWarning, match="damaged"):
        assert puzzle.distances_many(rows).tolist() == right
    space.forget()
    assert puzzle.distances_many(rows).tolist() == right


def test_few_tables_are_held() -> None:
    space.forget()
    for blank in range(6):
        for metric in ("", ":mtm"):
            space.oracle(with_blank(f"2x3{metric}", blank))
    assert len(space._oracles) <= space.HELD
    space.forget()
    assert not space._oracles


def test_threads_build_a_table_once(monkeypatch: pytest.MonkeyPatch) -> None:
    space.forget()
    monkeypatch.setenv("TAQUIN_TABLES", "/dev/null/nowhere")
    built = []
    build = space._build

    def slowly(*arguments: object, **options: object) -> object:
        built.append(1)
        time.sleep(0.1)
        return build(*arguments, **options)

    monkeypatch.setattr(space, "_build", slowly)
    puzzle = tq.Puzzle.parse("2x3")
    answers: list[int] = []

    def ask() -> None:
        answers.append(int(puzzle.distances_many([puzzle.goal.tiles])[0]))

    def ask_at_once() -> None:
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    with pytest.warns(space.tables.TableWarning, match="serves from memory"):
        ask_at_once()
    assert answers == [0] * 4
    assert built == [1]
    space.forget()
