"""Each heuristic against the true depth of every state, and against a slow twin."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations

import naive
import numpy as np
import pytest

from taquin import heuristics
from taquin.board import Board
from taquin.errors import Unsupported
from taquin.heuristics import HEURISTICS, heuristic, linear_conflict, longest_slide, manhattan
from taquin.state import State

BLANK_LAST = (1, 2, 3, 4, 5, 6, 7, 8, 0)
RING = (1, 2, 3, 8, 0, 4, 7, 6, 5)


@dataclass
class Space:
    """All states that reach a goal: their depth, and every move between two of them."""

    goal: State
    states: list[State]
    depth: np.ndarray
    edges: np.ndarray
    known: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)

    def values(self, name: str, metric: str = "stm") -> np.ndarray:
        if (name, metric) not in self.known:
            estimate = heuristic(name, self.goal, metric)
            self.known[name, metric] = np.array([estimate(state) for state in self.states])
        return self.known[name, metric]

    def above(self, values: np.ndarray) -> int:
        """In how many states the value exceeds the true depth."""
        return int((values > self.depth).sum())

    def jumps(self, values: np.ndarray) -> int:
        """Along how many moves the value changes by more than one."""
        return int((abs(values[self.edges[:, 0]] - values[self.edges[:, 1]]) > 1).sum())


def whole_space(board: Board, goal: Sequence[int] | None = None, metric: str = "stm") -> Space:
    goal = tuple(goal or [*range(1, board.n), 0])
    near = [list(board.neighbours(cell)) for cell in range(board.n)]
    depth = naive.depths(near, goal) if metric == "stm" else naive.line_depths(board.shape, goal)
    number = {tiles: i for i, tiles in enumerate(depth)}
    edges = [
        (i, number[other])
        for tiles, i in number.items()
        for other in (
            naive.slides(near, tiles) if metric == "stm" else naive.line_slides(board.shape, tiles)
        )
    ]
    return Space(
        State(goal, board, repeats=True),
        [State.trusted(tiles, board, tiles.index(0)) for tiles in depth],
        np.fromiter(depth.values(), int),
        np.array(edges),
    )


@pytest.fixture(scope="module")
def blank_last() -> Space:
    return whole_space(Board.grid(3, 3), BLANK_LAST)


# -- the audit of the 3 x 3 --------------------------------------------------------------------


def check(space: Space, names: Sequence[str] = tuple(HEURISTICS), metric: str = "stm") -> None:
    for name in names:
        values = space.values(name, metric)
        assert values[0] == 0, name
        assert space.above(values) == 0, name
        assert space.jumps(values) == 0, name


def test_every_heuristic_on_every_state_of_the_3x3(blank_last: Space) -> None:
    assert len(blank_last.states) == 181_440
    check(blank_last)


def test_every_heuristic_on_every_state_of_the_3x3_with_the_ring_as_goal() -> None:
    space = whole_space(Board.grid(3, 3), RING)
    assert len(space.states) == 181_440
    check(space)


def test_means_of_the_3x3(blank_last: Space) -> None:
    means = {name: round(float(blank_last.values(name).mean()), 3) for name in HEURISTICS}
    assert means["misplaced"] == 7.111
    assert means["manhattan"] == 14.0
    assert means["linear-conflict"] == 15.119
    gaschnig, steps = blank_last.values("gaschnig"), blank_last.values("manhattan")
    assert (gaschnig > steps).sum() == 304
    assert (blank_last.values("walking-distance") >= steps).all()


def test_what_would_be_wrong(blank_last: Space) -> None:
    """Counting the blank, two moves a pair, two moves a tile below the running maximum."""
    tiles = np.array([state.tiles for state in blank_last.states])
    blank = tiles.argmin(axis=1)
    misplaced = blank_last.values("misplaced") + (blank != 8)
    assert (blank_last.above(misplaced), blank_last.jumps(misplaced)) == (78, 10_080)
    steps = blank_last.values("manhattan")
    with_blank = steps + (2 - blank // 3) + (2 - blank % 3)
    assert (blank_last.above(with_blank), blank_last.jumps(with_blank)) == (4_650, 272_160)

    pairs, below = np.zeros_like(steps), np.zeros_like(steps)
    for line in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)):
        at_home = np.isin(tiles[:, line], [cell + 1 for cell in line if cell < 8])
        for i in range(3):
            later = [
                at_home[:, i] & at_home[:, j] & (tiles[:, line[j]] < tiles[:, line[i]])
                for j in range(i + 1, 3)
            ]
            earlier = [
                at_home[:, i] & at_home[:, j] & (tiles[:, line[j]] > tiles[:, line[i]])
                for j in range(i)
            ]
            pairs += sum(later, np.zeros_like(steps))
            below += np.any(earlier, axis=0) if earlier else 0
    values = steps + 2 * pairs
    assert (blank_last.above(values), blank_last.jumps(values)) == (7, 3_600)
    assert round(float(values.mean()), 3) == 15.167
    values = steps + 2 * below
    assert (blank_last.above(values), blank_last.jumps(values)) == (0, 720)
    assert round(float(values.mean()), 3) == 15.135


def test_every_heuristic_in_multi_tile_moves() -> None:
    for shape in ((2, 3), (3, 2), (2, 4)):
        check(whole_space(Board.grid(*shape), metric="mtm"), metric="mtm")


def test_the_plain_sums_are_wrong_in_multi_tile_moves() -> None:
    space = whole_space(Board.grid(2, 3), metric="mtm")
    for name in set(HEURISTICS) - {"zero"}:
        assert space.above(space.values(name, "stm")) > 0, name


# -- other boards ------------------------------------------------------------------------------

SMALL = {
    "2x3": Board.grid(2, 3),
    "3x2": Board.grid(3, 2),
    "1x4": Board.grid(1, 4),
    "2x2x2": Board.grid(2, 2, 2),
    "2x1x3": Board.grid(2, 1, 3),
    "2x3 torus": Board.grid(2, 3, wrap=(1,)),
    "4x2 torus": Board.grid(4, 2, wrap=(0,)),
    "wall at the side": Board.draw("...|..#|..."),
    "walls in two corners": Board.draw("#..|...|..#"),
    "broken row": Board.draw("...|...|.#."),
    "wall in the middle": Board.draw("...|.#.|..."),
    "K4 less an edge": Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]),
    "theta": Board.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (6, 0), (6, 3)]),
}


@pytest.mark.parametrize("name", SMALL)
def test_every_heuristic_on_every_state_of_small_boards(name: str) -> None:
    board = SMALL[name]
    check(whole_space(board))
    labels = list(range(board.n))
    random.Random(name).shuffle(labels)
    check(whole_space(board, labels))


def test_equal_labels() -> None:
    space = whole_space(Board.grid(2, 4), (1, 2, 3, 1, 2, 4, 5, 0))
    check(space, ("zero", "misplaced", "manhattan", "linear-conflict"))
    assert (space.values("linear-conflict") > space.values("manhattan")).any()
    for name in ("gaschnig", "walking-distance"):
        with pytest.raises(Unsupported, match="each once"):
            heuristic(name, space.goal)


def test_conflicts_of_all_axes_must_not_be_added_in_three_dimensions() -> None:
    """Fourteen moves from the goal of a 2 x 3 x 3 box, the sum over all lines says 16.

    Tile 13, on its cell, is in the way of 16 in its column and of 12 in its row: one step into the
    other layer, and back, lets both pass.
    """
    board = Board.grid(2, 3, 3)
    state = goal = State((1, 2, 3, 4, 0, *range(5, 18)), board)
    for cell in (13, 12, 9, 10, 11, 14, 13, 16, 15, 12, 9, 10, 13, 4):
        state = state.moved(cell)
    steps = manhattan(goal)(state)
    removed = 0
    for lines in heuristics._lines(board):
        for line in lines:
            goal_cells = [goal.cell_of(state.tiles[c]) for c in line if state.tiles[c]]
            removed += naive.fewest_removals([c for c in goal_cells if c in line])
    assert (steps, steps + 2 * removed) == (12, 16)
    assert linear_conflict(goal)(state) == 14


def test_conflicts_on_a_ring_must_not_be_counted() -> None:
    space = whole_space(Board.grid(2, 3, wrap=(1,)))
    plain = linear_conflict(State(space.goal.tiles, Board.grid(2, 3)))
    steps = manhattan(State(space.goal.tiles, Board.grid(2, 3)))
    conflicts = np.array([plain(state) - steps(state) for state in space.states])
    assert space.above(space.values("manhattan") + conflicts) > 0


# -- twins -------------------------------------------------------------------------------------


def test_removals_are_the_fewest() -> None:
    for length in range(6):
        for places in permutations(range(length)):
            assert heuristics._removals(places) == naive.fewest_removals(places)


def test_gaschnig_is_the_distance_on_the_complete_graph() -> None:
    near = [[other for other in range(6) if other != cell] for cell in range(6)]
    goal = (3, 1, 0, 2, 5, 4)
    estimate = heuristic("gaschnig", State(goal, Board.grid(2, 3)))
    depth = naive.depths(near, goal)
    assert len(depth) == 720
    assert all(estimate(State(s, Board.grid(2, 3))) == moves for s, moves in depth.items())


@pytest.mark.parametrize("blank", range(4))
def test_walking_tables(blank: int) -> None:
    """The matrix key of a state names the same puzzle as its sorted rows do."""
    near = naive.row_puzzle_depths((3, 3, 3, 3), blank)
    table = heuristics._walking_table((3, 3, 3, 3), blank, False)
    unit = heuristics._units((3, 3, 3, 3))
    assert len(table) == len(near) == 4_324
    for rows, moves in near.items():
        key = sum(unit[at][home] for at, row in enumerate(rows) for home in row)
        assert table[key] == moves


def test_sizes_of_walking_tables() -> None:
    assert len(heuristics._walking_table((3, 3, 3), 2, False)) == 105
    assert len(heuristics._walking_table((4, 4, 4, 4), 3, False)) == 24_964
    assert max(heuristics._walking_table((4, 4, 4, 4), 3, False).values()) == 35


def test_a_walking_table_that_would_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heuristics, "MOST_WALKING", 100)
    with pytest.raises(Unsupported, match="more than 100 entries"):
        heuristics._walking_table((3, 3, 4), 2, False)


@pytest.mark.parametrize("name", SMALL)
def test_manhattan_distance_by_steps_on_the_board(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, rng = SMALL[name], random.Random(name)
    steps = naive.cell_steps([list(board.neighbours(cell)) for cell in range(board.n)])
    goal = State(rng.sample(range(board.n), board.n), board)
    with_table = manhattan(goal)
    monkeypatch.setattr(heuristics, "TABLE_CELLS", 0)
    without_table = manhattan(goal)
    for _ in range(50):
        state = State(rng.sample(range(board.n), board.n), board)
        expected = sum(steps[state.cell_of(tile)][goal.cell_of(tile)] for tile in range(1, board.n))
        assert with_table(state) == without_table(state) == expected


# -- the registry ------------------------------------------------------------------------------


def test_states_that_cannot_reach_the_goal_have_an_estimate_too() -> None:
    for board in SMALL.values():
        tiles = list(range(board.n))
        goal = State(tiles, board)
        tiles[1], tiles[2] = tiles[2], tiles[1]
        for name in HEURISTICS:
            assert heuristic(name, goal)(State(tiles, board)) >= 0


def test_known_values() -> None:
    goal = State(BLANK_LAST, Board.grid(3, 3))
    hardest = State((8, 6, 7, 2, 5, 4, 3, 0, 1), goal.board)
    values = {name: heuristic(name, goal)(hardest) for name in HEURISTICS}
    assert values["manhattan"] == 21
    assert values["linear-conflict"] == 23  # 5 and 4 in the middle row
    # Three tiles of a row backwards: two must leave it, where three pairs would say three.
    reversed_row = State((3, 2, 1, 4, 5, 6, 7, 8, 0), goal.board)
    assert heuristic("linear-conflict", goal)(reversed_row) == 4 + 2 * 2


def test_longest_slide_is_the_longest_line_of_the_moves() -> None:
    for board in (*SMALL.values(), Board.draw("....|.#..|..#."), Board.grid(5, 3, wrap=(0, 1))):
        if not board.directions:
            continue
        longest = 1
        for cell in range(board.n):
            for letter in board.directions:
                line = [cell]
                while (to := board.step(line[-1], letter)) is not None and to not in line:
                    line.append(to)
                longest = max(longest, len(list(pairwise(line))))
        assert longest_slide(board) == longest


def test_names_that_do_not_exist() -> None:
    goal = State(BLANK_LAST, Board.grid(3, 3))
    with pytest.raises(Unsupported, match="expected one of zero, misplaced"):
        heuristic("euclid", goal)
    with pytest.raises(Unsupported, match="'stm' or 'mtm'"):
        heuristic("zero", goal, "qtm")
