"""Fit the learned ranking of a beam (`taquin.near.ranking`) on boards that it solves itself.

python benchmarks/train_ranking.py 5x5 --rounds 600x1000 1200x2000 --seed 1 --out weights.npz

Policy iteration: in each round so many random boards are solved by a beam of that width with the
ranking so far (the first round: none). Two fits follow.

1.  *Distance*: every state on the ways found, and its mirror, with the moves that are left, by
    stochastic gradient descent on the squares.
2.  *Order*: what a beam needs is that the state on the way ranks before the others of its depth.
    For each of them some others were kept at random; pairs are fitted by descent on
    log(1 + exp(difference / temperature)) (Burges et al. 2005).

Boards: uniform among the solvable ones, by NumPy's PCG64 with the seed.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.jit import kernel
from taquin.near import beam_kernels
from taquin.near.beam import BeamSearch
from taquin.near.ranking import Ranking, count_kinds, kinds, read, save
from taquin.patterns.sums import sums_for
from taquin.puzzle import Puzzle
from taquin.state import State

#: Other states that are kept of each depth.
OTHERS = 8
#: Of the logistic loss, in moves.
TEMPERATURE = 2.0


@dataclass
class Samples:
    """States on ways, and others of their depth: boards by goal cells, and both features."""

    boards: list[Any] = field(default_factory=list)
    features: list[Any] = field(default_factory=list)
    left: list[Any] = field(default_factory=list)
    pairs: list[Any] = field(default_factory=list)  # (state on the way, other), as row numbers
    size: int = 0

    def add(self, boards: Any, features: Any, left: Any) -> int:
        first = self.size
        self.boards.append(boards)
        self.features.append(features)
        self.left.append(left)
        self.size += len(boards)
        return first


def features_of(values: NDArray[np.uint64], search: BeamSearch) -> NDArray[np.float32]:
    """The mean and the greater of the sides' sums."""
    side = ((values >> np.uint64(32)) & np.uint64(0xFFFF)).astype(np.float32)
    other = (values >> np.uint64(48)).astype(np.float32)
    mean = (side + other) / max(1, search.sides)
    return np.stack([mean, np.maximum(side, other)], 1)


class Recorder:
    """Keeps some states of each depth, and finds the one on the way afterwards."""

    def __init__(self, search: BeamSearch, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.search = search
        self.levels: list[tuple[Any, Any]] = []

    def __call__(self, beam: beam_kernels.Beam, count: int) -> None:
        which = self.random.integers(0, count, OTHERS)
        self.levels.append((beam.boards[which].copy(), beam.values[which].copy()))


def solve(search: BeamSearch, goal: State, start: State, width: int, seed: int) -> Any:
    """A way, with its states and others of their depths."""
    recorder = Recorder(search, seed)
    way = search.search(start, width, longest=40 * start.board.n, watch=recorder).walk
    if way is None:
        return None
    states, state = [start], start
    for cell in way:
        state = state.moved(cell)
        states.append(state)
    labels = np.array([state.tiles for state in states])
    return labels, recorder.levels


def collect(
    search: BeamSearch, goal: State, starts: list[State], width: int, samples: Samples
) -> float:
    """Solve boards, add their states to the samples; the mean length."""
    lengths = []
    with ThreadPoolExecutor(2) as pool:
        tasks = [pool.submit(solve, search, goal, s, width, i) for i, s in enumerate(starts)]
        for task in tasks:
            found = task.result()
            if found is None:
                continue
            labels, levels = found
            length = len(labels) - 1
            lengths.append(length)
            rows = [
                search.root(State.trusted(tuple(row), goal.board, int(np.argmin(row))))
                for row in labels.tolist()
            ]
            boards = search.outer(np.array([board for board, _, _ in rows]))
            features = features_of(np.array([word for _, _, word in rows], np.uint64), search)
            first = samples.add(boards, features, length - np.arange(length + 1))
            for depth, (others, values) in enumerate(levels[: length - 1], 1):
                other = samples.add(
                    search.outer(others), features_of(values, search), np.full(OTHERS, -1)
                )
                samples.pairs.append([(first + depth, other + i) for i in range(OTHERS)])
    return float(np.mean(lengths))


# The kernels' arguments: cells (n, n), codes (n, n), pairs (axes, kinds, kinds), and edges (m, 3):
# the first and the second cell of each pair, and the axis.


@kernel
def predict(board, features, shares, cells, pairs, codes, edges):  # type: ignore[no-untyped-def]
    """The score of a board."""
    total = shares[0] * features[0] + shares[1] * features[1]
    for cell in range(board.size):
        total += cells[board[cell], cell]
    for first, second, axis in edges:
        total += pairs[axis, codes[board[first], first], codes[board[second], second]]
    return total


@kernel
def push(board, step, cells, pairs, codes, edges):  # type: ignore[no-untyped-def]
    """Add `step` to the weights of a board."""
    for cell in range(board.size):
        cells[board[cell], cell] += step
    for first, second, axis in edges:
        pairs[axis, codes[board[first], first], codes[board[second], second]] += step


@kernel
def fit_distance(boards, features, left, order, shift, rate, shares, cells, pairs, codes, edges):  # type: ignore[no-untyped-def]
    """One pass of descent on the squares; their mean."""
    loss = 0.0
    for i in order:
        value = predict(boards[i], features[i], shares, cells, pairs, codes, edges)
        error = left[i] - shift - value
        loss += error * error
        if rate > 0:
            push(boards[i], rate * error, cells, pairs, codes, edges)
    return loss / order.size


@kernel
def fit_order(boards, features, couples, order, rate, shares, cells, pairs, codes, edges):  # type: ignore[no-untyped-def]
    """One pass of descent on the logistic loss of couples (better, worse); its mean."""
    loss = 0.0
    for i in order:
        a, b = couples[i]
        ahead = predict(boards[a], features[a], shares, cells, pairs, codes, edges)
        ahead -= predict(boards[b], features[b], shares, cells, pairs, codes, edges)
        chance = 1 / (1 + np.exp(-ahead / TEMPERATURE))
        loss += np.log1p(np.exp(ahead / TEMPERATURE))
        if rate > 0:
            push(boards[a], -rate * chance, cells, pairs, codes, edges)
            push(boards[b], rate * chance, cells, pairs, codes, edges)
            for j in range(2):
                shares[j] -= rate * 0.01 * chance * (features[a, j] - features[b, j])
    return loss / order.size


def mirrors(shape: tuple[int, ...]) -> list[NDArray[np.int64]]:
    """The boards' symmetries that keep the first cell, as the image of each cell."""
    cells = np.arange(int(np.prod(shape))).reshape(shape)
    turned = [cells.transpose(axes) for axes in permutations(range(len(shape)))]
    return [turn.reshape(-1) for turn in turned if turn.shape == shape]


def edges_of(shape: tuple[int, ...]) -> NDArray[np.int64]:
    """The pairs of cells side by side, and their axes."""
    cells = np.arange(int(np.prod(shape))).reshape(shape)
    found = []
    for axis in range(len(shape)):
        first = np.delete(cells, -1, axis).reshape(-1)
        second = np.delete(cells, 0, axis).reshape(-1)
        found.append(np.stack([first, second, np.full(first.size, axis)], 1))
    return np.concatenate(found)


def fit(
    samples: Samples, shape: tuple[int, ...], old: Ranking | None, rate: float, log: Any
) -> Ranking:
    """Fit a ranking on samples: the first one on distances first, then on the order."""
    n = int(np.prod(shape))
    boards = np.concatenate(samples.boards)
    features = np.concatenate(samples.features).astype(np.float64)
    left = np.concatenate(samples.left).astype(np.float64)
    kinds_of = count_kinds(len(shape))
    shares = np.zeros(2)
    cells, pairs = np.zeros((n, n)), np.zeros((len(shape), kinds_of, kinds_of))
    model = (shares, cells, pairs, kinds(shape), edges_of(shape))
    random = np.random.default_rng(0)
    views = [(turn[boards[:, turn]].astype(np.uint8)) for turn in mirrors(shape)]
    if old is None:
        on_way = np.flatnonzero(left >= 0)
        design = np.stack([np.ones(len(on_way)), features[on_way, 0]], 1)
        shift, shares[0] = np.linalg.lstsq(design, left[on_way], rcond=None)[0]
        for epoch in range(4):
            for view in views:
                step, order = 0.002 / (1 + epoch), random.permutation(on_way)
                loss = fit_distance(view, features, left, order, shift, step, *model)
            log(f"  distance, epoch {epoch}: mean square {loss:.3f}")
    else:
        shares += old.shares
        pairs += old.pairs
        if old.shape == shape:
            cells += old.cells
    couples = np.concatenate([np.array(of_board) for of_board in samples.pairs])
    kept = len(couples) // 20
    for epoch in range(6):
        for view in views:
            order = kept + random.permutation(len(couples) - kept)
            fit_order(view, features, couples, order, rate / (1 + epoch), *model)
        loss = fit_order(boards, features, couples, np.arange(kept), 0.0, *model)
        log(f"  order, epoch {epoch}: {loss:.4f} shares {shares}")
    return Ranking(shape, shares, cells.astype(np.float32), pairs.astype(np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shape")
    parser.add_argument("--rounds", nargs="+", default=["600x1000"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--plain", action="store_true", help="distances, no pattern databases")
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    puzzle = Puzzle.parse(f"{chosen.shape}:blank-first")
    goal = puzzle.goal
    shape = goal.board.shape  # type: ignore[attr-defined]
    random = np.random.default_rng(chosen.seed)
    sums = None if chosen.plain else sums_for(goal)
    ranking = read(chosen.start) if chosen.start else None
    samples = Samples()
    begun = perf_counter()

    def log(text: str) -> None:
        print(f"{perf_counter() - begun:6.0f} s  {text}", flush=True)

    for text in chosen.rounds:
        count, width = map(int, text.split("x"))
        starts = [puzzle.random(int(random.integers(1 << 62))) for _ in range(count)]
        mean = collect(BeamSearch(goal, sums, ranking), goal, starts, width, samples)
        log(f"round {text}: mean length {mean:.2f}")
        ranking = fit(samples, shape, ranking, chosen.rate, log)
        recipe = " ".join(["python benchmarks/train_ranking.py", *sys.argv[1:]])
        save(ranking, chosen.out, recipe)


if __name__ == "__main__":
    main()
