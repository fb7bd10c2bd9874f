"""The beam over pattern values and distances, its ranking, and what `near` makes of it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import taquin as tq
from taquin.errors import LimitReached, TableError, Unsupported
from taquin.near import beam_kernels as kernels
from taquin.near.beam import MOST_CELLS, BeamSearch
from taquin.near.frame import Frame
from taquin.near.ranking import Ranking, count_kinds, kinds, load, path_of, read, save
from taquin.patterns.sums import sums_for
from taquin.search import near as near_module
from taquin.search.near import QUALITIES, near
from taquin.state import State

#: Boards of every kind, with the widths at which a beam holds all their states.
SMALL = ["3x3", "3x3:blank-first", "3x3:spiral", "2x4", "2x2x2", "3x3:torus"]


def replay(start: State, goal: State, walk: tuple[int, ...]) -> None:
    """Follow a walk by the rules alone."""
    tiles, blank = list(start.tiles), start.blank
    for cell in walk:
        assert cell in start.board.neighbours(blank)
        tiles[blank], tiles[cell] = tiles[cell], 0
        blank = cell
    assert tiles == list(goal.tiles)


def some_ranking(shape: tuple[int, ...], seed: int = 1) -> Ranking:
    """Small weights without any sense."""
    random = np.random.default_rng(seed)
    n, many = int(np.prod(shape)), count_kinds(len(shape))
    return Ranking(
        shape,
        np.array([1.0, 0.25]),
        random.normal(0, 0.5, (n, n)).astype(np.float32),
        random.normal(0, 0.5, (len(shape), many, many)).astype(np.float32),
    )


# -- the kernels ---------------------------------------------------------------------------------


def plain_score(search: BeamSearch, ranking: Ranking, board: np.ndarray, word: int) -> float:
    """The score of a board by the definition, in moves."""
    outer = search.outer(board[None])[0].tolist()
    shape = ranking.shape
    codes = kinds(shape, search._blank)
    n = len(outer)
    place = {cell: np.unravel_index(cell, shape) for cell in range(n)}
    side, other = word >> 32 & 0xFFFF, word >> 48
    total = ranking.shares[0] * (side + other) / max(1, search.sides)
    total += ranking.shares[1] * max(side, other)
    for cell in range(n):
        if search._blank == 0:
            total += ranking.cells[outer[cell], cell]
        for to in range(n):
            steps = [int(b) - int(a) for a, b in zip(place[cell], place[to], strict=True)]
            if sorted(steps) == [0] * (len(shape) - 1) + [1]:
                axis = steps.index(1)
                pair = codes[outer[cell], cell], codes[outer[to], to]
                total += ranking.pairs[axis][pair]
    return float(total)


@pytest.mark.parametrize("spec", ["3x4:blank-first", "3x4", "4x3:spiral", "2x3x2:blank-first"])
@pytest.mark.parametrize("tabled", [False, True])
def test_states_of_a_beam_are_what_they_say(spec: str, tabled: bool) -> None:
    """Boards, views, values, hashes and scores after many moves are those computed anew."""
    puzzle = tq.Puzzle.parse(spec)
    goal = puzzle.goal
    assert isinstance(goal.board, tq.board.GridBoard)
    ranking = some_ranking(goal.board.shape)
    sums = sums_for(goal) if tabled else None
    search = BeamSearch(goal, sums, ranking)
    back = np.argsort(search._turn)
    labels = np.zeros(goal.board.n, np.int64)
    labels[search._home] = np.arange(goal.board.n)
    looked = 0

    def watch(beam: kernels.Beam, count: int) -> None:
        nonlocal looked
        looked += 1
        # The table forgets some that it has met.
        assert len({board.tobytes() for board in beam.boards[:count]}) >= 0.9 * count
        for i in range(0, count, 7):
            tiles = np.empty(goal.board.n, np.int64)
            tiles[back] = labels[beam.boards[i]]
            state = State(tiles.tolist(), goal.board)
            board, views, word = search.root(state)
            assert np.array_equal(board, beam.boards[i])
            assert np.array_equal(views, beam.views[i])
            assert int(beam.values[i]) == word
            assert beam.blanks[i] == int(np.argmax(board == search._ground.blank))
            zobrist = search._ground.zobrist[board, np.arange(board.size)]
            assert beam.hashes[i] == np.bitwise_xor.reduce(zobrist)
            assert beam.scores[i] == kernels.score(board, np.uint64(word), search._weights)
            exact = plain_score(search, ranking, board, word) * kernels.SCALE
            assert abs(beam.scores[i] - exact) < 3 * board.size

    search.search(puzzle.random(1), 100, longest=40, watch=watch)
    assert looked > 5


def test_the_widest_key_is_chosen() -> None:
    """`choose` and `survive` keep as many as there is room for, and the least of all keys."""
    random = np.random.default_rng(1)
    for count, width in ((50, 100), (1000, 100), (1000, 1), (3, 1)):
        keys = random.integers(-400, 400, count).astype(np.int32)
        children = kernels.Children(
            parents=np.zeros(count, np.uint32),
            cells=np.zeros(count, np.uint8),
            values=np.zeros(count, np.uint64),
            hashes=random.integers(0, 1 << 63, count).astype(np.uint64),
            scores=keys,
            keys=keys,
            bits=np.zeros((2, 8), np.uint64),
        )
        counts = np.zeros(kernels.SCORES, np.int64)
        limit, share = kernels.choose(children, count, width, counts)
        below = int((keys < limit).sum())
        upto = int((keys <= limit).sum())
        if count <= width:
            assert below == count
        else:
            assert below <= width < upto or share == 1 << 32
            assert 0 <= int(share) <= 1 << 32


# -- the search ----------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SMALL)
def test_a_beam_that_holds_everything_is_optimal(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    space = puzzle.explore()
    search = BeamSearch(puzzle.goal)
    for seed in range(12):
        start = puzzle.random(seed)
        walk = search.search(start, max(space.depth_counts) + 1, longest=space.radius).walk
        assert walk is not None
        replay(start, puzzle.goal, walk)
        assert len(walk) == space.depth(start)


@pytest.mark.parametrize("spec", ["3x3", "2x4", "3x3:torus"])
def test_longest_is_a_limit(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    search = BeamSearch(puzzle.goal)
    for seed in range(8):
        start = puzzle.random(seed)
        depth = puzzle.distance(start)
        found = search.search(start, 50_000, longest=depth).walk
        assert found is not None
        assert len(found) == depth
        assert search.search(start, 50_000, longest=depth - 1).walk is None


@pytest.mark.parametrize("spec", ["4x4", "4x4:spiral", "5x4:columns", "3x3x3", "4x4:torus"])
def test_same_seed_same_way(spec: str) -> None:
    puzzle = tq.Puzzle.parse(spec)
    search, again = BeamSearch(puzzle.goal), BeamSearch(puzzle.goal)
    for seed in range(3):
        start = puzzle.random(seed)
        options = {"longest": 2000, "noise": 1.0, "seed": seed}
        first = search.search(start, 1000, **options)  # type: ignore[arg-type]
        assert first.walk is not None
        replay(start, puzzle.goal, first.walk)
        assert again.search(start, 1000, **options) == first  # type: ignore[arg-type]


def test_a_stop_ends_it() -> None:
    puzzle = tq.Puzzle.parse("5x5")
    calls = []

    def stopped() -> bool:
        calls.append(1)
        return len(calls) > 5

    found = BeamSearch(puzzle.goal).search(puzzle.random(1), 100, longest=500, stopped=stopped)
    assert found.walk is None
    assert found.made > 0
    assert len(calls) == 6


def test_boards_that_do_not_suit() -> None:
    board = tq.Board.grid(16, 16)
    assert board.n > MOST_CELLS
    with pytest.raises(Unsupported, match="255 cells"):
        BeamSearch(tq.Puzzle(board).goal)


def test_the_learned_order_makes_ways_shorter() -> None:
    """With the weights of the package a beam of the same width finds shorter ways."""
    puzzle = tq.Puzzle.parse("3x3x3:blank-first")
    with_weights, without = BeamSearch(puzzle.goal, None, load("3d")), BeamSearch(puzzle.goal)
    lengths = np.array(
        [
            [
                len(search.search(puzzle.random(seed), 200, longest=2000).walk or ())
                for seed in range(6)
            ]
            for search in (with_weights, without)
        ]
    )
    assert (lengths > 0).all()
    assert lengths[0].sum() < lengths[1].sum()


# -- weights -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["5x5", "3d"])
def test_the_weights_of_the_package(name: str) -> None:
    ranking = load(name)
    assert ranking is not None
    assert ranking.pairs.shape == (len(ranking.shape), *[count_kinds(len(ranking.shape))] * 2)
    assert path_of(name).stat().st_size < 100_000
    with np.load(path_of(name)) as file:
        assert "train_ranking.py" in str(file["header"])


def test_weights_are_read_as_written_and_damage_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    ranking = some_ranking((3, 4))
    save(ranking, path, "none")
    found = read(path)
    assert found.shape == (3, 4)
    assert np.abs(found.cells - ranking.cells).max() < 0.006
    assert np.abs(found.pairs - ranking.pairs).max() < 0.006
    with np.load(path) as file:
        arrays = dict(file)
    arrays["cells"][0, 0] += 1
    np.savez_compressed(path, **arrays)
    with pytest.raises(TableError, match="damaged"):
        read(path)


# -- frames --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["3x3", "4x3:spiral", "2x5:snake", "5x5:spiral", "3x6:blank-first"]
)
def test_a_frame_turns_any_goal(spec: str) -> None:
    """A path of the turned board to the corner is a walk to the goal, and back again."""
    puzzle = tq.Puzzle.parse(spec)
    frame = Frame.of(puzzle.goal)
    assert frame is not None
    assert np.array_equal(frame.turn[frame.turn], np.arange(puzzle.board.n))
    start = puzzle.random(3)
    homes = frame.homes(start)
    walk = puzzle.solve(start, method="construct").walk
    path = frame.path(walk)
    blank = int(np.argmax(homes == 0))
    for cell in path.tolist():
        assert abs(cell - blank) in (1, frame.columns)
        homes[blank], homes[cell] = homes[cell], 0
        blank = cell
    assert np.array_equal(homes, np.arange(puzzle.board.n))
    replay(start, puzzle.goal, frame.walk(path))


def test_boards_without_a_frame() -> None:
    for spec in ("3x3:torus", "2x2x2"):
        assert Frame.of(tq.Puzzle.parse(spec).goal) is None


# -- near ----------------------------------------------------------------------------------------

NEAR = ["4x4", "5x5:spiral", "2x9", "3x3x3", "5x5:torus", "4x7:columns", "12x12", "1x9"]


@pytest.mark.parametrize("spec", NEAR)
@pytest.mark.parametrize("metric", ["stm", "mtm"])
def test_near_solves(spec: str, metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if spec != "4x4":  # what makes its tables at once; the others do without
        monkeypatch.setattr(near_module, "PATIENTLY", 0.0)
    puzzle = tq.Puzzle.parse(f"{spec}:{metric}")
    start = puzzle.random(5)
    found = puzzle.solve(start, method="near", quality="fast")
    replay(start, puzzle.goal, found.walk)
    assert found.lower_bound <= found.length
    assert found.status == ("optimal" if found.length == found.lower_bound else "bounded")
    assert puzzle.solve(start, method="near", quality="fast").walk == found.walk
    assert puzzle.solve(start, method="near", quality="fast", workers=2).length <= found.length


def test_each_better_way_is_told() -> None:
    puzzle = tq.Puzzle.parse("7x7")
    start = puzzle.random(1)
    told: list[tq.Solution] = []
    found = puzzle.solve(start, time_limit=3, method="near", tell=told.append)
    assert [way.length for way in told] == sorted((way.length for way in told), reverse=True)
    assert all(a.length > b.length for a, b in pairwise(told))
    assert told[-1].walk == found.walk
    for way in told:
        replay(start, puzzle.goal, way.walk)


@pytest.mark.parametrize("spec", ["5x5", "10x10", "3x3x3", "30x30"])
def test_no_time_at_all_still_has_a_way(spec: str) -> None:
    """Nor are tables made in such a time."""
    puzzle = tq.Puzzle.parse(spec)
    start = puzzle.random(2)
    found = puzzle.solve(start, method="near", time_limit=0.01)
    replay(start, puzzle.goal, found.walk)


def test_lower_bounds_are_not_above_the_optimum() -> None:
    for spec in ("3x3", "4x3", "2x6", "2x3x2"):
        puzzle = tq.Puzzle.parse(spec)
        for seed in range(20):
            start = puzzle.random(seed)
            found = puzzle.solve(start, method="near", quality="fast")
            assert found.lower_bound <= puzzle.distance(start) <= found.length


def test_a_bound_is_kept_or_refused() -> None:
    """On boards of more than 16 cells too, a factor that is asked for is proved or not answered."""
    puzzle = tq.Puzzle.parse("3x6")
    for seed in range(3):
        start = puzzle.random(seed)
        for bound in (1.05, 1.2, 1.5, 3.0):
            limited: LimitReached | None = None
            try:
                found = puzzle.solve(start, bound=bound, time_limit=20)
            except LimitReached as reached:
                limited = reached
            if limited is not None:
                assert limited.solution is not None
                found = limited.solution
                assert found.status == "limit"
                assert found.length > bound * found.lower_bound
            elif found.status == "bounded" and found.stats.method in ("beam", "stages", "windows"):
                assert found.length <= bound * found.lower_bound
            replay(start, puzzle.goal, found.walk)


def test_unknown_qualities() -> None:
    puzzle = tq.Puzzle.parse("5x5")
    with pytest.raises(Unsupported, match="fast, good, best"):
        near(puzzle.random(1), puzzle.goal, "stm", quality="finest")
    assert list(QUALITIES) == ["fast", "good", "best"]


# -- hints ---------------------------------------------------------------------------------------


def test_hints_lead_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever follows hints arrives, and the ways get shorter by a move each time."""
    monkeypatch.setattr(near_module, "PATIENTLY", 0.0)
    puzzle = tq.Puzzle.parse("5x5")
    state = puzzle.random(4)
    before = None
    for _ in range(300):
        found = puzzle.hint(state)
        replay(state, puzzle.goal, found.walk)
        assert found.lower_bound <= found.length
        if not found.walk:
            break
        assert before is None or found.length <= before - 1
        before = found.length
        state = state.moved(found.walk[0])
    assert state == puzzle.goal


def test_hints_after_the_player_strays() -> None:
    puzzle = tq.Puzzle.parse("4x4")
    random = np.random.default_rng(1)
    state = puzzle.random(9)
    for _ in range(40):
        found = puzzle.hint(state)
        replay(state, puzzle.goal, found.walk)
        near_by = state.board.neighbours(state.blank)
        state = state.moved(int(random.choice(near_by)))
