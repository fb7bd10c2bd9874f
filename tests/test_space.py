"""The whole space: counts against published ones and a plain search, fair samples, limits."""

import csv
import random
import re
from collections import Counter
from collections.abc import Iterator
from math import factorial

import naive
import numpy as np
import pytest
from golden import DATA, FILES, published, with_blank

import taquin as tq
from taquin import space, space_memory
from taquin.board import kind_of
from taquin.errors import InvalidState, LimitReached, Unsolvable, Unsupported
from taquin.search.layers import layers
from taquin.sweep import Progress

# -- counts ------------------------------------------------------------------------------------

COMPLETE = [
    *((f"{s}_stm_corner", s, -1) for s in ("2x2", "2x3", "2x4", "2x5", "2x6", "3x3", "3x4")),
    *((f"{s}_stm_corner", s, -1) for s in ("2x2x2", "2x2x3")),
    *((f"{s}_mtm_corner", f"{s}:mtm", -1) for s in ("2x2", "2x3", "2x4", "2x5", "2x6")),
    *((f"{s}_mtm_corner", f"{s}:mtm", -1) for s in ("3x3", "3x4")),
    *((f"3x3_stm_{name}", "3x3", blank) for name, blank in (("edge", 1), ("center", 4))),
    *((f"torus_{s}_stm_any", f"{s}:torus", 5) for s in ("3x3", "3x4")),
]


@pytest.mark.parametrize(("name", "spec", "blank"), COMPLETE, ids=[row[0] for row in COMPLETE])
def test_published_counts(name: str, spec: str, blank: int) -> None:
    board = tq.Puzzle.parse(spec).board
    found = with_blank(spec, blank % board.n).explore()
    assert found.depth_counts == published(name)
    assert found.complete
    assert found.states == factorial(board.n) // (2 if board.bipartite else 1)
    assert found.by_cell is not None
    assert tuple(found.by_cell.sum(axis=1)) == found.depth_counts
    # Every cell is the blank's in equally many states.
    assert set(found.by_cell.sum(axis=0)) == {found.states // board.n}


@pytest.mark.parametrize("spec", ["4x3", "3x4"])
@pytest.mark.parametrize("corner", [0, 2, -1])
def test_all_corners_are_alike(spec: str, corner: int) -> None:
    board = tq.Board.parse(spec)
    blank = {0: 0, 2: board.shape[1] - 1, -1: board.n - 1}[corner]  # type: ignore[index]
    assert with_blank(spec, blank).explore().depth_counts == published("3x4_stm_corner")


def test_greatest_depths() -> None:
    cells = {"corner": 0, "edge": 1, "center": 4}
    with (FILES / "max_moves.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if line[0] != "#"))
    tested = 0
    for row in rows:
        size = int(row["rows"]) * int(row["cols"])
        if size > 10:
            continue
        spec = f"{row['rows']}x{row['cols']}:{row['metric']}"
        found = with_blank(spec.removesuffix(":stm"), cells[row["goal_blank"]]).explore()
        assert found.radius == int(row["max_moves"]), row
        assert found.depth_counts[-1] == int(row["states_at_max"]), row
        tested += 1
    assert tested >= 14


def small_boards() -> Iterator[tuple[str, tq.Board]]:
    for size in ("1x2", "1x5", "2x2", "2x3", "3x2", "2x4", "1x8", "2x2x2"):
        yield size, tq.Board.parse(size)
    for spec in ("2x3:torus", "1x5:torus", "2x4:wrap1", "walls:..|.#|..", "walls:...|.#.|..."):
        yield spec, tq.Board.parse(spec)
    yield "theta", tq.Board.parse("graph:0-1,1-2,2-3,3-4,4-5,5-0,0-6,6-3")
    rng = random.Random(5)
    for number in range(100):
        n = rng.randrange(2, 8)
        edges = {(rng.randrange(i), i) for i in range(1, n)}
        edges |= {tuple(sorted(rng.sample(range(n), 2))) for _ in range(rng.randrange(n))}
        yield f"random{number}", tq.Board.from_edges(sorted(edges))


BOARDS = dict(small_boards())


@pytest.mark.parametrize("name", BOARDS)
def test_plain_search_agrees(name: str) -> None:
    board = BOARDS[name]
    blank = len(name) % board.n
    tiles = [*range(1, blank + 1), 0, *range(blank + 1, board.n)]
    random.Random(name).shuffle(tiles)
    puzzle = tq.Puzzle(board, tq.State(tiles, board))
    near = [list(board.neighbours(cell)) for cell in range(board.n)]
    depths = naive.depths(near, tuple(tiles))
    found = puzzle.explore()
    counts = Counter(depths.values())
    assert found.depth_counts == tuple(counts[d] for d in range(len(counts)))
    assert found.complete
    assert found.edges == sum(len(near[state.index(0)]) for state in depths) // 2
    assert found.degrees == dict(sorted(Counter(len(near[s.index(0)]) for s in depths).items()))
    rows = list(depths)
    assert found.depths(rows).tolist() == [depths[row] for row in rows]
    deepest = {row for row in rows if depths[row] == found.radius}
    antipodes = found.antipodes(10**6)
    assert {state.tiles for state in antipodes} == deepest
    assert len(antipodes) == len(deepest)
    assert puzzle.distances_many(rows).tolist() == [depths[row] for row in rows]


@pytest.mark.parametrize("shape", [(2, 3), (2, 4), (1, 6), (3, 2)])
def test_plain_search_agrees_in_multi_tile_moves(shape: tuple[int, int]) -> None:
    puzzle = tq.Puzzle.parse(f"{shape[0]}x{shape[1]}:mtm")
    depths = naive.line_depths(shape, puzzle.goal.tiles)
    found = puzzle.explore()
    assert Counter(depths.values()) == dict(enumerate(found.depth_counts))
    rows = list(depths)
    assert found.depths(rows).tolist() == [depths[row] for row in rows]
    assert found.edges == sum(1 for row in rows for _ in naive.line_slides(shape, row)) // 2


def test_the_classical_lesson() -> None:
    found = tq.Puzzle.parse("3x3").explore()
    assert (found.states, found.edges, round(found.mean_degree, 4)) == (181_440, 241_920, 2.6667)
    kinds = [(kind.name, kind.moves, kind.cells, kind.states) for kind in found.kinds]
    assert kinds == [("corner", 2, 4, 80_640), ("edge", 3, 4, 80_640), ("centre", 4, 1, 20_160)]
    assert found.degrees == {2: 80_640, 3: 80_640, 4: 20_160}
    assert (found.radius, found.depth_counts[24], sum(found.depth_counts[:6])) == (31, 24_047, 51)
    assert found.depth("1 2 3 / 4 5 6 / 0 7 8") == 2
    assert 21.97 < found.mean_depth < 21.98


def test_kinds_of_cells() -> None:
    def kinds(spec: str) -> list[str]:
        board = tq.Board.parse(spec)
        return [kind_of(board, cell) for cell in range(board.n)]

    assert kinds("4") == ["end", "inside", "inside", "end"]
    assert Counter(kinds("3x3x3")) == {"corner": 8, "edge": 12, "face": 6, "centre": 1}
    assert Counter(kinds("2x2")) == {"corner": 4}
    assert set(kinds("3x3:torus")) == set(kinds("walls:..|.#")) == {""}


def test_hardest_boards() -> None:
    """The published antipodes are among ours, and nothing else is."""
    with (DATA / "hard.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if int(row["rows"]) * int(row["cols"]) <= 12]
    assert len(rows) >= 10
    for row in rows:
        board = tq.Board.grid(int(row["rows"]), int(row["cols"]))
        goal = tq.State(map(int, row["goal"].split()), board)
        puzzle = tq.Puzzle(board, goal, row["metric"])
        found = puzzle.explore()
        state = puzzle.state(row["tiles"])
        assert found.depth(state) == int(row["depth"]) == found.radius
        assert state in found.antipodes()


# -- states ------------------------------------------------------------------------------------


def test_samples_are_uniform() -> None:
    """Chi-square over the 20 states at depth 5, seeded: far from the 1 % tails on both sides."""
    found = tq.Puzzle.parse("3x3").explore()
    draws = found.samples(5, 4000, random.Random(1))
    counts = Counter(draws)
    assert len(counts) == 20 == found.depth_counts[5]
    chi = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert 7.63 < chi < 36.19  # 19 degrees of freedom
    assert set(found.depths([state.tiles for state in counts])) == {5}


def test_samples_with_a_seed() -> None:
    found = tq.Puzzle.parse("2x4").explore()
    assert found.sample(20, 7) == found.sample(20, random.Random(7))
    assert found.samples(20, 5, 7)[0] == found.sample(20, 7)
    assert found.samples(20, 0, 7) == []
    assert len({found.sample(20, seed) for seed in range(30)}) > 20


@pytest.mark.parametrize("depth", [-1, 32])
def test_no_state_so_deep(depth: int) -> None:
    with pytest.raises(Unsupported, match="depths go from 0 to 31"):
        tq.Puzzle.parse("3x3").explore().sample(depth)


def test_states_at_a_depth_by_their_numbers() -> None:
    found = tq.Puzzle.parse("2x3:mtm").explore()
    everything = []
    for depth, size in enumerate(found.depth_counts):
        states = found.at_depth(depth, range(size))
        assert len(set(states)) == size
        assert found.at_depth(depth, [size - 1, 0]) == [states[-1], states[0]]
        assert set(found.depths([state.tiles for state in states])) == {depth}
        everything += states
    assert len(set(everything)) == 360


def test_depth_of_states_without_a_way() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    found = puzzle.explore()
    with pytest.raises(Unsolvable) as caught:
        found.depth("1 2 3 / 4 5 6 / 8 7 0")
    assert not caught.value.verdict.solvable
    rows = [[1, 2, 3, 4, 5, 6, 8, 7, 0], [1, 2, 3, 4, 5, 6, 7, 8, 0], [1, 2, 3, 4, 5, 0, 7, 8, 6]]
    assert found.depths(rows).tolist() == [-1, 0, 1]
    assert puzzle.distances_many(np.array(rows)).tolist() == [-1, 0, 1]
    for bad in ([[1, 2, 3]], [[1] * 9], [[9, 2, 3, 4, 5, 6, 7, 8, 0]], [["a"] * 9]):
        with pytest.raises(InvalidState):
            found.depths(bad)


def test_distances_of_larger_boards_are_searched() -> None:
    puzzle = tq.Puzzle.parse("4x4")
    near = [puzzle.random(seed, depth=6) for seed in range(4)]
    assert puzzle.distances_many([state.tiles for state in near]).tolist() == [6] * 4
    swapped = [*range(1, 14), 15, 14, 0]
    assert puzzle.distances_many([swapped]).tolist() == [-1]


def test_any_two_states() -> None:
    """The depth of one from the other, both ways; and any goal's tiles."""
    board = tq.Board.grid(3, 3)
    rng = random.Random(3)
    for _ in range(5):
        one = tq.Puzzle(board).random(rng)
        other = tq.Puzzle(board, one).random(rng)
        there = tq.Puzzle(board, one).explore().depth(other)
        assert there == tq.Puzzle(board, other).explore().depth(one)
        assert there == tq.Puzzle(board, one).solve(other, method="bfs").length


# -- one cell, equal labels, limits ------------------------------------------------------------


def test_one_cell() -> None:
    puzzle = tq.Puzzle.parse("1x1")
    found = puzzle.explore()
    assert (found.depth_counts, found.edges, found.radius, found.complete) == ((1,), 0, 0, True)
    assert found.antipodes() == [puzzle.goal] == [found.sample(0)]
    for table in (found.table, space.oracle(puzzle)):
        assert table.depths(np.array([[0], [0]])).tolist() == [0, 0]
        assert list(table.ways(puzzle.goal)) == [()]
        assert (table.moves(puzzle.goal), table.count(puzzle.goal)) == ([], 1)
    assert found.depth("0") == puzzle.explore().depth(puzzle.goal) == 0
    assert found.depths([[0], [0]]).tolist() == [0, 0]


def test_equal_labels_are_refused() -> None:
    puzzle = tq.Puzzle(tq.Board.grid(2, 3), "1 1 2 / 2 3 0")
    with pytest.raises(Unsupported, match="equal labels"):
        puzzle.explore()


def test_to_depth() -> None:
    found = tq.Puzzle.parse("3x3").explore(to_depth=5)
    assert (found.states, found.radius, found.complete) == (51, 5, False)
    assert found.depth_counts == published("3x3_stm_corner")[:6]
    for ask in (lambda: found.edges, lambda: found.table, lambda: found.depth(found.puzzle.goal)):
        with pytest.raises(Unsupported):
            ask()
    assert len(found.antipodes()) == 20
    assert tq.Puzzle.parse("3x3").explore(to_depth=0).depth_counts == (1,)
    assert tq.Puzzle.parse("3x3").explore(to_depth=99).complete
    with pytest.raises(Unsupported, match="at least 0; got -1"):
        tq.Puzzle.parse("3x3").explore(to_depth=-1)


@pytest.mark.parametrize(
    ("spec", "blank", "name", "depth"),
    [
        ("5x5", 24, "5x5_stm_corner_first33", 14),
        ("3x3x3", 13, "3x3x3_stm_center_first17", 9),
        ("3x3x3", 1, "3x3x3_stm_edge_first17", 9),
        ("4x4", 15, "4x4_stm_corner", 12),
    ],
)
def test_boards_too_big_to_hold(spec: str, blank: int, name: str, depth: int) -> None:
    told: list[Progress] = []
    found = with_blank(spec, blank).explore(to_depth=depth, progress=told.append)
    if name == "4x4_stm_corner":
        expected = (1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808)  # OEIS A089484
    else:
        expected = published(name)[: depth + 1]
    assert found.depth_counts == expected
    assert not found.complete
    assert [now.level for now in told] == list(expected[1:])
    assert told[-1].states == sum(expected) == found.states
    assert found.ended == "depth"
    with pytest.raises(Unsupported):
        _ = found.degrees


@pytest.mark.slow
def test_boards_too_big_to_hold_far_out() -> None:
    found = tq.Puzzle.parse("5x5").explore(to_depth=20)
    assert found.depth_counts == published("5x5_stm_corner_first33")[:21]
    found = with_blank("3x3x3", 13).explore(to_depth=12)
    assert found.depth_counts == published("3x3x3_stm_center_first17")[:13]


@pytest.mark.parametrize("spec", ["9x9", "20x20", "5x5x5"])
def test_boards_of_many_cells(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    found = puzzle.explore(to_depth=4)
    states = layers(puzzle.goal, "stm")
    assert found.depth_counts == tuple(len(next(states)) for _ in range(5))
    with pytest.raises(LimitReached, match=r"takes 10\^\d+ bytes of memory"):
        puzzle.explore()
    with pytest.raises(LimitReached, match="of up to"):
        puzzle.explore(to_depth=3, checkpoint="/dev/null/x")
    puzzle = tq.Puzzle.parse(f"{spec}:mtm")
    states = layers(puzzle.goal, "mtm")
    expected = tuple(len(next(states)) for _ in range(3))
    assert puzzle.explore(to_depth=2).depth_counts == expected


def test_a_long_ring_ends_before_the_depth_asked_for() -> None:
    found = tq.Puzzle.parse("1x30:torus").explore(to_depth=2000)
    assert found.complete
    assert found.states == 30 * 29


def test_memory_runs_out_at_a_depth() -> None:
    found = tq.Puzzle.parse("5x5").explore(to_depth=20, memory_limit=10**6)
    assert (found.complete, found.ended) == (False, "memory")
    assert 8 < found.radius < 20
    assert found.depth_counts == published("5x5_stm_corner_first33")[: found.radius + 1]


def test_memory_is_computed_first_and_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "sweep", None)  # nothing may be begun
    for spec, what in (("4x3", "32"), ("4x4", "TB"), ("5x5", "YB"), ("4x4:mtm", "TB")):
        with pytest.raises(LimitReached) as caught:
            tq.Puzzle.parse(spec).explore(memory_limit=10**6)
        message = str(caught.value)
        assert re.search(r"takes [\d,.]+ .B of memory and 1.0 MB may be used", message)
        assert what in message
        assert "of up to" in message
        assert "--to-depth" in message


def test_counts_without_a_table_where_only_those_fit() -> None:
    puzzle = tq.Puzzle.parse("3x3")
    both = space_memory.bytes_needed(puzzle, record=True)
    counts = space_memory.bytes_needed(puzzle)
    assert counts < both
    found = puzzle.explore(memory_limit=(counts + both) // 2)
    assert found.states == 181_440
    with pytest.raises(Unsupported, match="no distance table"):
        found.depth(puzzle.goal)
    with pytest.raises(LimitReached):
        space._build(puzzle, memory_limit=(counts + both) // 2)
    assert puzzle.explore(memory_limit=both).depth(puzzle.goal) == 0
