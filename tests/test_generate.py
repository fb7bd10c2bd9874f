"""Boards by difficulty: exactly uniform, certified, and the same for the same seed."""

import csv
import io
import json
import math
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import taquin as tq
from taquin import generate, generate_known
from taquin.board import kind_of
from taquin.cli.main import main
from taquin.errors import LimitReached, Unsupported
from taquin.generate import cost_of, deal, greatest_depth, pack
from taquin.notation import read_many
from taquin.search.layers import layer

DATA = Path(__file__).parent / "data" / "depth_distributions"


def certified(puzzle: tq.Puzzle, dealt: list[generate.Dealt], low: int, high: int) -> None:
    for one in dealt:
        assert low <= one.depth <= high
        assert puzzle.distance(one.state) == one.depth


@pytest.mark.parametrize("spec", ["3x3", "2x4:mtm", "2x3:torus", "4x3", "2x2x2", "3x3:spiral"])
def test_exact_depths(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    for depth in (0, 1, 7, greatest_depth(puzzle)):
        certified(puzzle, deal(puzzle, depth, count=3, rng=1), depth, depth)


def test_between_two_depths() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    dealt = deal(puzzle, 10, 14, count=40, rng=1)
    certified(puzzle, dealt, 10, 14)
    assert len({one.depth for one in dealt}) > 2


def test_every_state_of_a_range_is_equally_likely() -> None:
    """Chi-square, seeded, over the 3 + 4 x 2 = 11 states at depths 1 to 3, and over the depths."""
    puzzle = tq.Puzzle.parse("3x3")
    dealt = deal(puzzle, 1, 3, count=7000, rng=random.Random(5))
    counts = Counter(one.state for one in dealt)
    assert len(counts) == 14
    chi = sum((count - 500) ** 2 / 500 for count in counts.values())
    assert 4.11 < chi < 27.69  # 13 degrees of freedom, 1 % on either side
    by_depth = Counter(one.depth for one in dealt)
    for depth, states in ((1, 2), (2, 4), (3, 8)):
        assert abs(by_depth[depth] - 500 * states) < 4 * math.sqrt(500 * states)


def test_every_state_is_met() -> None:
    puzzle = tq.Puzzle.parse("2x3")
    expected = {*layer(puzzle.goal, 8, "stm"), *layer(puzzle.goal, 9, "stm")}
    assert {one.state for one in deal(puzzle, 8, 9, count=2000, rng=3)} == expected


def test_same_seed_same_boards() -> None:
    for spec, low, high in (("3x3", 5, 30), ("4x4", 6, 8), ("2x4:mtm", 3, 9)):
        puzzle = tq.Puzzle.parse(spec)
        assert deal(puzzle, low, high, count=9, rng=4) == deal(puzzle, low, high, count=9, rng=4)
        assert deal(puzzle, low, high, count=9, rng=4) != deal(puzzle, low, high, count=9, rng=5)


def test_boards_with_this_seed_never_change() -> None:
    """On every platform, in every version: a pack that was printed can be dealt again."""
    puzzle = tq.Puzzle.parse("3x3")
    assert [str(one.state) for one in deal(puzzle, 20, count=2, rng=1)] == BOARDS_OF_SEED_1


BOARDS_OF_SEED_1 = ["3 1 5 / 7 4 8 / 0 2 6", "5 2 4 / 8 6 1 / 7 3 0"]


@pytest.mark.parametrize(("low", "high"), [(-1, None), (5, 4), (-3, 2)])
def test_depths_that_are_none(low: int, high: int | None) -> None:
    with pytest.raises(Unsupported, match="0 <= low <= high"):
        deal(tq.Puzzle.parse("3x3"), low, high)


@pytest.mark.parametrize(
    ("spec", "depth", "radius"), [("3x3", 32, 31), ("1x1", 1, 0), ("14", 20, 13)]
)
def test_too_deep(spec: str, depth: int, radius: int) -> None:
    with pytest.raises(Unsupported, match=f"depths go from 0 to {radius}"):
        deal(tq.Puzzle.parse(spec), depth)


def test_equal_labels_are_dealt_too() -> None:
    puzzle = tq.Puzzle(tq.Board.grid(2, 3), "1 1 2 / 2 3 0")
    certified(puzzle, deal(puzzle, 4, count=3, rng=1), 4, 4)


def test_random_with_a_depth() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    assert puzzle.distance(puzzle.random(1, depth=25)) == 25
    assert puzzle.random(1, depth=25) == deal(puzzle, 25, rng=1)[0].state
    with pytest.raises(Unsupported):
        puzzle.random(1, depth=32)


# -- larger boards -----------------------------------------------------------------------------


def test_near_the_goal_of_larger_boards() -> None:
    for spec in ("4x4", "3x3x3", "6x6", "4x4:mtm"):
        puzzle = tq.Puzzle.parse(spec)
        certified(puzzle, deal(puzzle, 4, 5, count=4, rng=2), 4, 5)


def test_rejection_is_certified_and_tells_its_cost_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a board small enough to know the answer, without its table."""
    monkeypatch.setattr(generate, "has_table", lambda goal: False)
    monkeypatch.setattr(generate, "WALKED", 1)
    monkeypatch.setattr(generate, "MOST_STATES", 100)
    puzzle = tq.Puzzle.parse("3x3")
    told: list[str] = []
    dealt = deal(puzzle, 22, 24, count=6, rng=1, told=told.append)
    certified(puzzle, dealt, 22, 24)
    assert len(told) == 2
    assert "random ones; how many is not known before: the first 3 tell" in told[0]
    assert "have to be solved for each" in told[1]
    assert dealt == deal(puzzle, 22, 24, count=6, rng=1)


@pytest.mark.parametrize(
    ("spec", "low", "high", "tries"),
    [("4x4", 40, 40, "179"), ("4x4", 53, 80, "2"), ("5x3", 60, 60, "36"), ("4x4", 80, 80, None)],
)
def test_the_cost_is_told_before_any_board_is_solved(
    spec: str, low: int, high: int, tries: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the published counts, where there are any."""
    monkeypatch.setattr(generate, "WALKED", 1)
    puzzle = tq.Puzzle.parse(spec)
    name = "3x5" if spec == "5x3" else spec
    counts = [int(row["count"]) for row in read_counts(f"{name}_stm_corner.csv")]
    share = sum(counts[low : high + 1]) / (math.factorial(puzzle.board.n) // 2)
    told: list[str] = []

    def solve(*_: object, **__: object) -> None:
        raise LimitReached("enough")

    monkeypatch.setattr(tq.Puzzle, "solve", solve)
    with pytest.raises(LimitReached):
        deal(puzzle, low, high, told=told.append)
    assert len(told) == 1
    assert f"about {1 / share:,.0f} for each that is kept, by the published counts" in told[0]
    assert tries is None or f"about {tries} for" in told[0]
    # Once some are solved, the published share still counts, not that of a normal distribution.
    assert cost_of([50, 52, 56], low, high, 6.0, share).tries == pytest.approx(1 / share)
    assert cost_of([50, 52, 56], low, high, 6.0, share).seconds == pytest.approx(2 / share)


def test_rejection_is_uniform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "has_table", lambda goal: False)
    monkeypatch.setattr(generate, "WALKED", 1)
    monkeypatch.setattr(generate, "MOST_STATES", 1)
    puzzle = tq.Puzzle.parse("2x2")
    counts = Counter(one.state for one in deal(puzzle, 1, 2, count=1000, rng=6))
    assert len(counts) == 4
    assert sum((count - 250) ** 2 / 250 for count in counts.values()) < 11.34  # 1 %, 3 degrees


def test_rejection_ends_at_its_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "has_table", lambda goal: False)
    monkeypatch.setattr(generate, "WALKED", 1)
    monkeypatch.setattr(generate, "MOST_STATES", 1)
    with pytest.raises(LimitReached, match="were kept"):
        deal(tq.Puzzle.parse("3x3"), 31, count=50, rng=1, time_limit=0.2)


def test_boards_whose_depth_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "WALKED", 1)
    monkeypatch.setattr(generate, "MOST_STATES", 100)
    with pytest.raises(Unsupported, match="depth is not known"):
        deal(tq.Puzzle.parse("20x20"), 500, rng=1)


def test_cost() -> None:
    """Of a normal distribution: within one deviation of the mean lie 68 of 100 boards."""
    depths = [40, 60] * 50
    cost = cost_of(depths, 41, 59, 200.0)
    assert cost.tries == pytest.approx(1 / math.erf(0.95 / math.sqrt(2)))
    assert cost.seconds == pytest.approx(2 * cost.tries)
    assert "50 moves deep, give or take 10" in str(cost)
    assert "hardly ever" in str(cost_of(depths, 200, 200, 1.0))
    assert math.isinf(cost_of([], 1, 2, 0.0).tries)


# -- packs -------------------------------------------------------------------------------------


def test_graded_packs() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    levels = pack(puzzle, 10, 20, rng=1)
    assert [level.number for level in levels] == list(range(1, 11))
    assert levels[0].low == 1
    assert levels[-1].high == 31
    for before, after in pairwise(levels):
        assert after.low == before.high + 1
    for level in levels:
        # There are but 14 different boards up to depth 3.
        assert len({one.state for one in level.boards}) == min(20, 14 if level.high == 3 else 20)
        assert len(level.boards) == 20
        certified(puzzle, list(level.boards), level.low, level.high)
    assert pack(puzzle, 10, 20, rng=1) == levels
    assert pack(puzzle, 10, 20, rng=2) != levels


def test_packs_in_a_range() -> None:
    puzzle = tq.Puzzle.parse("4x4")
    levels = pack(puzzle, 2, 3, low=3, high=7, rng=1)
    assert [(level.low, level.high) for level in levels] == [(3, 4), (5, 7)]


@pytest.mark.parametrize(
    ("levels", "per_level", "bounds", "message"),
    [
        (0, 5, {}, "at least one level"),
        (3, 0, {}, "at least one level"),
        (40, 1, {}, "as many depths"),
        (3, 1, {"low": 5, "high": 6}, "as many depths"),
    ],
)
def test_packs_that_cannot_be(
    levels: int, per_level: int, bounds: dict[str, int], message: str
) -> None:
    with pytest.raises(Unsupported, match=message):
        pack(tq.Puzzle.parse("3x3"), levels, per_level, rng=1, **bounds)


def test_nobody_knows_the_greatest_depth() -> None:
    with pytest.raises(Unsupported, match=r"--max\), 80 at most$"):
        greatest_depth(tq.Puzzle.parse("4x4"))
    with pytest.raises(Unsupported, match=r"--max\)$"):
        greatest_depth(tq.Puzzle.parse("5x5"))
    # Neither a table nor a walk: equal labels, and more moves from a cell than a walk can take.
    equal = tq.Puzzle(tq.Board.grid(4, 4), [1] * 15 + [0])
    star = tq.Puzzle(tq.Board.from_edges([(0, cell) for cell in range(1, 67)]))
    for puzzle in (equal, star):
        with pytest.raises(Unsupported, match="--max"):
            pack(puzzle, 3, 3)


def test_boards_too_many_to_list_are_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Near the goal no board is solved, and each is equally likely."""
    monkeypatch.setattr(generate, "MOST_STATES", 1)
    monkeypatch.setattr(tq.Puzzle, "solve", None)
    for spec in ("4x4", "4x4:mtm", "5x5:torus", "2x8:spiral"):
        puzzle = tq.Puzzle.parse(spec)
        dealt = deal(puzzle, 5, 6, count=30, rng=2)
        assert dealt == deal(puzzle, 5, 6, count=30, rng=2)
        assert {one.depth for one in dealt} == {5, 6}
        assert all(layers_hold(puzzle, one) for one in dealt)
    counts = Counter(one.state for one in deal(tq.Puzzle.parse("4x4"), 2, 3, count=2800, rng=6))
    assert len(counts) == 4 + 10
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 27.69  # 1 %, 13 degrees
    with pytest.raises(Unsupported, match="depths go from 0 to 190"):
        deal(tq.Puzzle.parse("1x20:torus"), 191)


def test_a_pack_of_a_large_board_goes_as_far_as_is_quickly_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a greatest depth: no board has to be solved, and it is said how far it goes."""
    monkeypatch.setattr(generate, "WALKED", 20_000)
    monkeypatch.setattr(generate, "MOST_STATES", 500)
    monkeypatch.setattr(tq.Puzzle, "solve", None)
    for spec in ("4x4", "4x4:mtm", "5x5", "3x3x3"):
        puzzle = tq.Puzzle.parse(spec)
        told: list[str] = []
        levels = pack(puzzle, 3, 4, rng=3, told=told.append)
        high = levels[-1].high
        assert [f"levels go to depth {high}, as far as" in text for text in told] == [True]
        counts = puzzle.explore(to_depth=high + 1).depth_counts
        assert sum(counts[:-1]) <= 20_000 < 10 * sum(counts)
        assert levels == pack(puzzle, 3, 4, rng=3)
        for level in levels:
            assert len({one.state for one in level.boards}) == 4
            for one in level.boards:
                assert level.low <= one.depth <= level.high
                assert layers_hold(puzzle, one)
    ring = tq.Puzzle.parse("1x20:torus")
    assert pack(ring, 2, 2, rng=1, told=told.append)[-1].high == ring.explore().radius
    assert len(told) == 1  # nothing is left out, nothing is said


def layers_hold(puzzle: tq.Puzzle, one: generate.Dealt) -> bool:
    return one.state in layer(puzzle.goal, one.depth, puzzle.metric)


def read_counts(name: str) -> list[dict[str, str]]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def test_published_counts() -> None:
    """The numbers kept are those published, and belong to the boards that they are given for."""
    for (shape, kind, metric), text in generate_known.COUNTS.items():  # type: ignore[misc]
        rows = read_counts(f"{shape[0]}x{shape[1]}_{metric}_{kind}.csv")
        counts = tuple(int(row["count"]) for row in rows)
        assert tuple(map(int, text.split())) == counts
        assert sum(counts) == math.factorial(math.prod(shape)) // 2
        for spec in (f"{shape[0]}x{shape[1]}", f"{shape[1]}x{shape[0]}:blank-first"):
            puzzle = tq.Puzzle.parse(spec)
            assert generate_known.known_counts(puzzle) == counts
            assert len(counts) - 1 == generate.known_radius(puzzle)
            assert puzzle.explore(to_depth=12).depth_counts == counts[:13]
    for spec in ("4x4:mtm", "5x5", "4x4:torus", "2x2x4", "4x4:spiral"):
        assert generate_known.known_counts(tq.Puzzle.parse(spec)) is None


def read_radii() -> dict[tuple[tuple[int, int], str, str], int]:
    lines = (DATA / "max_moves.csv").read_text("utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {
        (
            (int(row["rows"]), int(row["cols"])),
            row["goal_blank"].replace("center", "centre"),
            row["metric"],
        ): int(row["max_moves"])
        for row in rows
    }


def test_published_radii() -> None:
    """The numbers kept are all those published of boards that have no table."""
    large = {key: moves for key, moves in read_radii().items() if math.prod(key[0]) > 12}
    assert large == generate_known.RADII
    for (shape, kind, metric), radius in generate_known.RADII.items():
        for board in (tq.Board.grid(*shape), tq.Board.grid(*shape[::-1])):
            for cell in range(board.n):
                if kind_of(board, cell) == kind:
                    labels = [*range(1, board.n)]
                    labels.insert(cell, 0)
                    puzzle = tq.Puzzle(board, tq.State(labels, board), metric)
                    assert generate.known_radius(puzzle) == radius


@pytest.mark.parametrize("spec", ["5x5", "4x4:torus", "2x2x4", "2x9", "3x3:mtm"])
def test_radii_that_are_not_kept(spec: str) -> None:
    assert generate.known_radius(tq.Puzzle.parse(spec)) is None


@pytest.mark.parametrize(
    ("spec", "depth", "radius"), [("4x4", 81, 80), ("4x4:mtm", 44, 43), ("7x2", 109, 108)]
)
def test_deeper_than_a_published_radius(
    spec: str, depth: int, radius: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generate, "_near", None)  # it is known before anything is listed
    puzzle = tq.Puzzle.parse(spec)
    with pytest.raises(Unsupported, match=f"depths go from 0 to {radius}"):
        deal(puzzle, depth)
    with pytest.raises(Unsupported, match=f"depths go from 0 to {radius}"):
        pack(puzzle, 2, 1, low=1, high=2 * depth)


def test_packs_end_at_their_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "has_table", lambda goal: False)
    monkeypatch.setattr(generate, "WALKED", 1)
    monkeypatch.setattr(generate, "MOST_STATES", 1)
    with pytest.raises(LimitReached, match="were kept"):
        pack(tq.Puzzle.parse("3x3"), 2, 50, low=28, high=31, rng=1, time_limit=0.2)


def test_listing_takes_but_a_part_of_the_time() -> None:
    puzzle = tq.Puzzle.parse("4x4")
    assert generate._near(puzzle, 30, 30, time_limit=1e-9) is None
    assert len(generate._near(puzzle, 2, 2, time_limit=60.0) or ()) == 4


# -- the command -------------------------------------------------------------------------------


def output(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert main(["shuffle", *words]) == code
    out, err = capsys.readouterr()
    return out if code == 0 else err


def test_packs_from_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("3x3", "--levels", "4", "--per-level", "3", "--seed", "9")
    text = output(capsys, *words)
    assert text == output(capsys, *words)
    rows = list(csv.DictReader(io.StringIO(output(capsys, *words, "--csv"))))
    records = [json.loads(line) for line in output(capsys, *words, "--json").splitlines()]
    lines = text.splitlines()
    assert [line for line in lines if line[0] == "#"] == [
        "# level 1: depths 1-7",
        "# level 2: depths 8-15",
        "# level 3: depths 16-23",
        "# level 4: depths 24-31",
    ]
    assert [index for index, line in enumerate(lines) if line[0] == "#"] == [0, 4, 8, 12]
    boards = [line for line in lines if line[0] != "#"]
    assert [str(found.state) for found in read_many(text)] == boards  # comments are skipped
    assert [row["board"] for row in rows] == boards
    assert [record["text"] for record in records] == boards
    assert [int(row["level"]) for row in rows] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    puzzle = tq.Puzzle.parse("3x3")
    for row, record in zip(rows, records, strict=True):
        assert puzzle.distance(row["board"]) == int(row["depth"]) == record["depth"]
        assert record["level"] == int(row["level"])


def test_depths_from_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = tq.Puzzle.parse("2x5:mtm")
    for words, low, high in (
        (("--depth", "20"), 20, 20),
        (("--min", "30"), 30, 36),
        (("--max", "3"), 0, 3),
        (("--min", "10", "--max", "12"), 10, 12),
    ):
        text = output(capsys, "2x5:mtm", *words, "--seed", "2", "--count", "4")
        assert len(text.splitlines()) == 4
        assert all(low <= puzzle.distance(line) <= high for line in text.splitlines())


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("3x3", "--depth", "5", "--min", "3"), 2),
        (("3x3", "--depth", "5", "--method", "walk"), 2),
        (("3x3", "--depth", "99"), 2),
        (("3x3", "--min", "40"), 2),
        (("4x4", "--depth", "99"), 2),
        (("4x4", "--levels", "3", "--max", "300"), 2),
        (("3x3", "--depth", "-1"), 2),
        (("3x3", "--min", "9", "--max", "3"), 2),
        (("4x4", "--min", "30"), 2),
        (("3x3", "--levels", "3", "--json", "--csv"), 2),
        (("3x3", "--levels", "99"), 2),
    ],
)
def test_bad_wishes(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int) -> None:
    assert len(output(capsys, *words, "--seed", "1", code=code).splitlines()) == 1
