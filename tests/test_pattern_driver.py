"""How searches by pattern databases are driven: threads, bounds, limits, checkpoints."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from math import ceil
from pathlib import Path

import naive
import numpy as np
import pytest
from fifteen import FIRST, FOUR, KORF, LAST, hard, korf, labels, near, wander
from replays import check

import taquin as tq
from taquin.board import Board
from taquin.errors import LimitReached, TableError, Unsolvable, Unsupported
from taquin.patterns.database import PatternDatabase
from taquin.patterns.partitions import automatic, find
from taquin.patterns.sums import PatternSums, sums_for, turned
from taquin.search import pattern_choice, patterns
from taquin.search.ida import Limits
from taquin.search.ida_patterns import PatternSearch
from taquin.search.pattern_choice import search_for
from taquin.search.patterns import solve
from taquin.search.result import Solution
from taquin.state import State


@pytest.fixture(scope="module")
def first() -> PatternSearch:
    """4x4 with the usual tables, the blank first."""
    found = find(FOUR, 0, "7-7-1")
    assert found is not None
    return PatternSearch(sums_for(FIRST, found.patterns))


@pytest.fixture(scope="module")
def halves() -> PatternSums:
    """4x4 with 7-8, the blank first: two patterns, as packed boards have them."""
    found = find(FOUR, 0, "7-8")
    assert found is not None
    return sums_for(FIRST, found.patterns)


# -- several threads -----------------------------------------------------------------------------


@pytest.fixture
def splits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Searches are split early, and in many parts."""
    monkeypatch.setattr(patterns, "SPLIT_FROM", 1 << 12)
    monkeypatch.setattr(patterns, "SHARE", 1 << 8)
    monkeypatch.setattr(patterns, "SLICE", 1 << 9)
    monkeypatch.setattr(patterns, "LOOK_SECONDS", 0.002)
    return


@pytest.mark.usefixtures("splits")
def test_threads_do_not_change_the_answer(first: PatternSearch) -> None:
    extra = []
    for number in range(0, 100, 4):
        start, optimal = korf(number)
        two, three = (solve(first, start, workers=workers) for workers in (2, 3))
        check(two, start, FIRST, optimal)
        assert two.walk == three.walk
        alone = solve(first, start)
        assert alone.length == two.length
        extra.append(two.stats.generated / alone.stats.generated)
    assert np.median(extra) < 2


@pytest.mark.usefixtures("splits")
def test_one_thread_finds_the_same_solution(first: PatternSearch) -> None:
    for number in range(0, 100, 4):
        start, _ = korf(number)
        assert solve(first, start).walk == solve(first, start, workers=2).walk


def test_several_searches_at_once(first: PatternSearch) -> None:
    alone = [solve(first, korf(number)[0]) for number in range(30)]
    found: list[Solution | None] = [None] * 30

    def work(numbers: range) -> None:
        for number in numbers:
            found[number] = solve(first, korf(number)[0])

    threads = [threading.Thread(target=work, args=(range(k, 30, 3),)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [s.walk for s in alone] == [s.walk for s in found if s is not None]
    assert [s.stats.generated for s in alone] == [s.stats.generated for s in found if s]


def test_many_boards_in_order() -> None:
    puzzle = tq.Puzzle("4x4", "blank-first")
    boards: list[object] = [korf(number)[0] for number in range(20)]
    boards[3] = "not a board"
    boards[7] = [0, 2, 1, *range(3, 16)]
    found = list(puzzle.solve_many(boards, workers=2))
    assert isinstance(found[7], Unsolvable)
    for number, answer in enumerate(found):
        if number not in (3, 7):
            assert isinstance(answer, Solution)
            check(answer, korf(number)[0], FIRST, korf(number)[1])
        else:
            assert isinstance(answer, Exception)


# -- bounds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bound", [1.01, 1.1, 1.5, 2, 3])
def test_the_factor_holds(first: PatternSearch, bound: float) -> None:
    made = plain = 0
    for number in range(0, 100, 6):
        start, optimal = korf(number)
        solution = solve(first, start, bound=bound)
        check(solution, start, FIRST, optimal)
        assert optimal <= solution.length <= bound * optimal
        assert solution.lower_bound <= optimal
        assert solution.length <= bound * solution.lower_bound
        made += solution.stats.generated
        plain += solve(first, start).stats.generated
    assert made < plain / 5 or bound < 1.5


@pytest.mark.parametrize("spec", ["3x3", "3x3:torus", "2x2x2", "walls:...|...|.##"])
@pytest.mark.parametrize("bound", [1.1, 1.5, 2])
def test_the_factor_holds_on_small_boards(spec: str, bound: float) -> None:
    puzzle = tq.Puzzle.parse(spec)
    depth = naive.depths(near(puzzle.board), puzzle.goal.tiles)
    for tiles in random.Random(3).sample(sorted(depth), 60):
        start = puzzle.state(tiles)
        solution = puzzle.solve(start, bound=bound, method="ida")
        check(solution, start, puzzle.goal, depth[tiles])
        assert solution.length <= bound * depth[tiles]
        assert solution.lower_bound <= depth[tiles]


@pytest.mark.parametrize("bound", [5, 10, 100])
def test_generous_bounds(first: PatternSearch, bound: float) -> None:
    start, optimal = max((korf(number) for number in range(100)), key=lambda board: board[1])
    assert optimal <= solve(first, start, bound=bound).length <= bound * optimal


def test_no_bound_at_all() -> None:
    start, _ = korf(0)
    try:
        solution = tq.Puzzle("4x4", "blank-first").solve(start, bound=float("inf"))
    except Unsupported:
        return
    assert solution.length >= korf(0)[1]


# -- limits --------------------------------------------------------------------------------------

HARDEST = State(labels(hard("15p_stm80")[0]["tiles"]), FOUR)


@pytest.fixture(scope="module")
def last(first: PatternSearch) -> PatternSearch:
    """The same tables, turned to the goal with the blank last."""
    return PatternSearch(PatternSums(LAST, first.sums.database))


def test_a_limit_of_nodes(last: PatternSearch) -> None:
    for most in (1, 1000, 200_000):
        with pytest.raises(LimitReached, match=rf"{most:,} nodes") as caught:
            solve(last, HARDEST, Limits(node_limit=most))
        stats = caught.value.stats
        assert stats is not None
        assert most <= stats.generated <= most + 100
        assert last.root(HARDEST)[1] <= caught.value.lower_bound <= 80
        assert caught.value.solution is None


@pytest.mark.parametrize("workers", [1, 2])
def test_a_limit_of_time(last: PatternSearch, workers: int) -> None:
    for seconds in (0.0, 0.4):
        with pytest.raises(LimitReached, match=f"time limit of {seconds:g} s") as caught:
            solve(last, HARDEST, Limits(time_limit=seconds), workers=workers)
        assert last.root(HARDEST)[1] <= caught.value.lower_bound <= 80


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_and_stop(last: PatternSearch, workers: int) -> None:
    seen: list[tuple[int, int, float]] = []

    def stop() -> bool:
        return len(seen) >= 5

    limits = Limits(progress=lambda *told: seen.append(told), stop=stop)
    with pytest.raises(LimitReached, match="request to stop") as caught:
        solve(last, HARDEST, limits, workers=workers)
    assert len(seen) == 5
    for before, after in pairwise(seen):
        assert all(a <= b for a, b in zip(before, after, strict=True))
    assert caught.value.lower_bound == seen[-1][0]


@pytest.mark.parametrize("workers", [1, 2])
def test_out_of_time_with_a_solution_and_a_bound(last: PatternSearch, workers: int) -> None:
    with pytest.raises(LimitReached) as caught:
        tq.Puzzle(FOUR).solve(HARDEST, time_limit=0.05, workers=workers)
    best = caught.value.solution
    assert best is not None
    check(best, HARDEST, LAST, 80)
    assert best.status == "limit"
    assert best.length < 1.5 * 80
    assert best.lower_bound == caught.value.lower_bound
    assert 40 <= best.lower_bound <= 80


def test_enough_time_for_the_best(first: PatternSearch) -> None:
    puzzle = tq.Puzzle(FOUR, FIRST)
    for number in (5, 50):
        start, optimal = korf(number)
        check(puzzle.solve(start, time_limit=60), start, FIRST, optimal)


# -- checkpoints ---------------------------------------------------------------------------------


class Stopping:
    """Says stop at the n-th look after the search has been split."""

    def __init__(self, path: Path, search: PatternSearch, start: State, looks: int) -> None:
        self.looks = looks
        with suppress(LimitReached):  # or it has come to its end before
            solve(search, start, Limits(stop=self), workers=2, checkpoint=path)

    def __call__(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def interrupted(path: Path, search: PatternSearch, start: State) -> dict[str, object]:
    """Stop a search until there is a checkpoint with work done in it; its content."""
    for looks in [*range(3, 60)] * 4:
        path.unlink(missing_ok=True)
        Stopping(path, search, start, looks)
        if path.exists():
            found: dict[str, object] = json.loads(path.read_text("utf-8"))
            if found["done"]:
                return found
    raise AssertionError("never stopped in a split part")


@pytest.fixture(scope="module")
def harder() -> State:
    """Of Korf's boards the one with most nodes."""
    return State(labels(next(row["tiles"] for row in KORF if row["id"] == "82")), FOUR)


@pytest.mark.usefixtures("splits")
def test_stop_and_go_on(first: PatternSearch, harder: State, tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    whole = solve(first, harder, workers=2)
    interrupted(path, first, harder)
    for workers in (1, 2):
        kept = path.read_bytes()
        again = solve(first, harder, workers=workers, checkpoint=path)
        assert not path.exists()
        assert again.walk == whole.walk
        check(again, harder, FIRST, whole.length)
        path.write_bytes(kept)


@pytest.mark.usefixtures("splits")
def test_stopped_again_and_again(first: PatternSearch, harder: State, tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    whole = solve(first, harder, workers=2)
    found, bounds = None, [0]
    for _ in range(300):
        calls = iter([False, False, True])
        try:
            found = solve(
                first,
                harder,
                Limits(stop=lambda calls=calls: next(calls, True)),
                workers=2,
                checkpoint=path,
            )
            break
        except LimitReached as reached:
            bounds.append(reached.lower_bound)
    assert bounds == sorted(bounds)
    assert bounds[-1] <= whole.length
    assert found is not None, "no progress is made from one stop to the next"
    assert found.walk == whole.walk
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("splits")
def test_a_checkpoint_without_trouble_is_removed(first: PatternSearch, tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    for number in (0, 60):
        start, optimal = korf(number)
        check(solve(first, start, workers=2, checkpoint=path), start, FIRST, optimal)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("splits")
def test_foreign_checkpoints(first: PatternSearch, harder: State, tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    interrupted(path, first, harder)
    kept = path.read_bytes()
    plain = PatternSearch(PatternSums(FIRST, first.sums.database, mirrored=False))
    for search, start in ((first, korf(3)[0]), (plain, harder)):
        with pytest.raises(TableError, match="another search") as caught:
            solve(search, start, workers=2, checkpoint=path)
        assert "\n" not in str(caught.value)
        assert path.read_bytes() == kept


@pytest.mark.usefixtures("splits")
def test_checkpoints_of_another_automaton(
    first: PatternSearch, harder: State, tmp_path: Path
) -> None:
    path = tmp_path / "search.json"
    interrupted(path, first, harder)
    with pytest.raises(TableError, match="another search"):
        solve(PatternSearch(first.sums, length=2), harder, workers=2, checkpoint=path)


BAD = ["", "{}", "[]", "null", "12", "\x00\x01", '{"of": {}}', "no checkpoint", '{"of": null']


@pytest.mark.parametrize("text", BAD)
def test_damaged_checkpoints(first: PatternSearch, tmp_path: Path, text: str) -> None:
    path = tmp_path / "search.json"
    path.write_text(text, "utf-8")
    with pytest.raises(TableError, match=r"search\.json") as caught:
        solve(first, korf(1)[0], workers=2, checkpoint=path)
    assert "\n" not in str(caught.value)
    assert path.read_text("utf-8") == text  # it may be the user's own


@pytest.mark.usefixtures("splits")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("threshold", "many"), ("threshold", None), ("done", 5), ("done", ["a"]),
        ("done", [1 << 40]), ("done", [-1]), ("least", []), ("expected", None),
        ("seconds", "x"), ("generated", {}),
    ],
)  # fmt: skip
def test_checkpoints_with_wrong_fields(
    first: PatternSearch, harder: State, tmp_path: Path, name: str, value: object
) -> None:
    path = tmp_path / "search.json"
    found = interrupted(path, first, harder)
    path.write_text(json.dumps({**found, name: value}), "utf-8")
    with pytest.raises(TableError, match="damaged") as caught:
        solve(first, harder, workers=2, checkpoint=path)
    assert "\n" not in str(caught.value)
    del found[name]
    path.write_text(json.dumps(found), "utf-8")
    with pytest.raises(TableError, match="damaged"):
        solve(first, harder, workers=2, checkpoint=path)


@pytest.mark.usefixtures("splits")
@pytest.mark.parametrize("name", ["threshold", "expected", "done"])
def test_checkpoints_with_wrong_numbers(
    first: PatternSearch, harder: State, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "search.json"
    found = interrupted(path, first, harder)
    value = found[name]
    wrong = [*value, value[-1] + 1] if isinstance(value, list) else int(str(value)) + 2
    path.write_text(json.dumps({**found, name: wrong}), "utf-8")
    with pytest.raises(TableError):
        solve(first, harder, workers=2, checkpoint=path)


@pytest.mark.usefixtures("splits")
def test_nodes_are_counted_once(first: PatternSearch, harder: State, tmp_path: Path) -> None:
    """A search that was stopped between two nodes makes no more of them than one in one go."""
    path = tmp_path / "search.json"
    whole = solve(first, harder, workers=1, checkpoint=path)
    interrupted(path, first, harder)
    again = solve(first, harder, workers=1, checkpoint=path)
    assert whole.stats.generated <= 1.3 * again.stats.generated
    assert again.stats.generated <= 1.3 * whole.stats.generated


def test_no_checkpoint_can_be_written(
    first: PatternSearch, harder: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "SPLIT_FROM", 1 << 12)
    monkeypatch.setattr(patterns, "CHECKPOINT_SECONDS", 0.0)
    with pytest.raises(TableError, match="there is no"):
        solve(first, harder, checkpoint=tmp_path / "nowhere" / "search.json")
    folder = tmp_path / "search.json"
    folder.mkdir()  # no file can take its place
    with pytest.raises(TableError, match="is no checkpoint"):
        solve(first, harder, checkpoint=folder)


# -- who is asked --------------------------------------------------------------------------------


def test_strong_tables_serve_once_they_are_there(
    halves: PatternSums, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pattern_choice.on_disk(find(FOUR, 0, "7-8"))  # type: ignore[arg-type]
    assert pattern_choice.partition_for(FIRST).name == "7-8"
    assert pattern_choice.building_seconds(pattern_choice.partition_for(FIRST)) == 0
    inner = State([5, 1, 2, 3, 4, 0, *range(6, 16)], FOUR)
    assert pattern_choice.partition_for(inner).name == "7-7-1"
    assert pattern_choice.partition_for(inner, strong=True).name == "7-8"
    assert halves.database.bytes < 200e6
    monkeypatch.setattr(PatternDatabase, "build", None)  # nothing is built
    assert search_for(FIRST, strong=True).name == "ida 7-8"


def test_a_search_is_held() -> None:
    goal = State(range(9), Board.grid(3, 3))
    one = search_for(goal)
    assert search_for(goal) is one
    pattern_choice.forget()
    assert search_for(goal) is not one


@pytest.mark.parametrize("spec", ["2x7", "2x2x2x2", "3x5:torus", "walls:....|.#..|....|....|#..."])
def test_automatic_partitions_solve_larger_boards(spec: str) -> None:
    """Against IDA* with the Manhattan distance, which knows nothing of tables."""
    puzzle = tq.Puzzle.parse(spec)
    blank, _ = turned(puzzle.goal)
    made = automatic(puzzle.board, blank, 5)
    search = PatternSearch(sums_for(puzzle.goal, made.patterns))
    for seed in range(5):
        start = wander(puzzle.goal, 40, seed)
        other = puzzle.solve(start, method="ida-manhattan")
        solution = solve(search, start)
        check(solution, start, puzzle.goal, other.length)
        assert solution.stats.generated <= other.stats.generated or other.stats.generated < 100
        weighted = solve(search, start, bound=1.5)
        assert weighted.lower_bound >= ceil(weighted.length / 1.5)
