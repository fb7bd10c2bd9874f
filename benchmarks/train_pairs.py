"""Fit the pair weights of beams by stages and of windows (`taquin.near.pairs`).

python benchmarks/train_pairs.py --rounds 6x6:60x3000 7x7:60x3000 --out weights.npz
python benchmarks/train_pairs.py --start weights.npz --rounds 8x8:16x3000,6x6:40x3000 --seed 2 ...

A round solves random boards by beams by stages with the weights so far: so many boards of a shape,
of that width; a comma puts several shapes into one round. Windows of the ways are solved once more
from new windows' ends. Of each depth the state on the way found is set against others of its level,
and the weights are fitted by descent on log(1 + exp(difference / 2)) (Burges et al. 2005).

Boards: uniform among the solvable ones, by NumPy's PCG64 with the seed. Without ``--start`` the
first round begins with Manhattan distance alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taquin.jit import kernel
from taquin.near import windows
from taquin.near.pairs import KINDS, REACH, PairWeights, load, save
from taquin.near.stage_plan import Plan, open_plan, plan_of
from taquin.near.stages import Beam, StageBeam, Weighing
from taquin.permutation import parity

Ints = NDArray[np.int64]
#: Other states that are kept of each depth.
OTHERS = 4
#: Of the logistic loss, in moves.
TEMPERATURE = 2.0
EPOCHS = 6
#: Moves of Manhattan distance count so much to begin with.
FIRST_ALPHA = 1.3
#: Windows: moves of a way that are solved anew, and the width of their beams.
STRETCH, WINDOW_WIDTH = 80, 3000


class Level(NamedTuple):
    """The states of a depth."""

    boards: NDArray[Any]
    stages: NDArray[np.int16]
    distances: NDArray[np.int32]


class Problem(NamedTuple):
    """What a beam solved: the board, and what its states mean."""

    board: Ints
    blank: int
    kinds: NDArray[np.uint8]
    plan: Plan
    columns: int
    weighing: Weighing | None


class Couples(NamedTuple):
    """Pairs of states, the one on the way first: what they are made of.

    Attributes
    ----------
    terms : uint16, the numbers of the pairs side by side in each state, one state after the other
    ends : (states + 1,) int64
    manhattan, fixed : (states,) float32
        Manhattan distance of open cells; what is added to the score but not learned, in moves.
    couples : (m, 2) int64
    """

    terms: NDArray[np.uint16]
    ends: Ints
    manhattan: NDArray[np.float32]
    fixed: NDArray[np.float32]
    couples: Ints


@kernel
def describe(board, near, kinds, columns, blank, terms):  # type: ignore[no-untyped-def]
    """Write the terms of a board; how many there are, and its Manhattan distance."""
    n, used, manhattan = near.shape[0], 0, 0
    for cell in range(n):
        if (near[cell] == n).all():
            continue
        label = board[cell]
        if label != blank:
            manhattan += abs(label // columns - cell // columns)
            manhattan += abs(label % columns - cell % columns)
        for axis in range(2):
            other = near[cell, 2 + axis]
            if other < n:
                first, second = kinds[label, cell], kinds[board[other], other]
                terms[used] = (axis * KINDS + first) * KINDS + second
                used += 1
    return used, manhattan


@kernel
def score(terms, turn, weights):  # type: ignore[no-untyped-def]
    """The sum of the weights of a state's terms."""
    total = 0.0
    for term in terms:
        total += weights[turn[term]]
    return total


@kernel
def fit_order(terms, ends, manhattan, fixed, couples, order, turn, rate, alpha, weights):  # type: ignore[no-untyped-def]
    """One pass of descent on the logistic loss of couples (better, worse); its mean."""
    loss = 0.0
    for i in order:
        a, b = couples[i]
        mine, its = terms[ends[a] : ends[a + 1]], terms[ends[b] : ends[b + 1]]
        ahead = score(mine, turn, weights) - score(its, turn, weights)
        ahead += alpha[0] * (manhattan[a] - manhattan[b]) + fixed[a] - fixed[b]
        loss += np.log1p(np.exp(ahead / TEMPERATURE))
        if rate > 0:
            step = rate / (1 + np.exp(-ahead / TEMPERATURE))
            for term in mine:
                weights[turn[term]] -= step
            for term in its:
                weights[turn[term]] += step
            alpha[0] -= 0.01 * step * (manhattan[a] - manhattan[b])
    return loss / order.size


def transposed() -> Ints:
    """The number of each term after rows and columns have changed places."""
    side = 2 * REACH + 1
    kind = np.arange(KINDS)
    kind[1:] = 1 + (kind[1:] - 1) % side * side + (kind[1:] - 1) // side
    axis, first, second = np.unravel_index(np.arange(2 * KINDS * KINDS), (2, KINDS, KINDS))
    turned = ((1 - axis) * KINDS + kind[first]) * KINDS + kind[second]
    return np.asarray(turned, np.int64)


class Recorder:
    """Keeps all states of each depth."""

    def __init__(self) -> None:
        self.levels: list[Level] = []

    def __call__(self, beam: Beam, count: int) -> None:
        kept = (beam.boards, beam.stages, beam.distances)
        self.levels.append(Level(*(array[:count].copy() for array in kept)))


def describe_all(
    problem: Problem, way: NDArray[np.int32], levels: list[Level], seed: int
) -> Couples:
    """Set the states on a way against others of their depths."""
    luck = np.random.default_rng(seed)
    n = problem.board.size
    board, at = problem.board.copy(), int(np.argmax(problem.board == problem.blank))
    room = np.empty(2 * n, np.uint16)
    terms, sizes, manhattan, fixed, couples = [], [0], [], [], []

    def add(level: Level, row: int) -> int:
        stage = int(level.stages[row])
        used, far = describe(
            level.boards[row].astype(np.int64),
            problem.plan.near[stage],
            problem.kinds,
            problem.columns,
            problem.blank,
            room,
        )
        terms.append(room[:used].copy())
        sizes.append(used)
        manhattan.append(far)
        toll = 0.0
        if problem.weighing is not None:
            toll = problem.weighing.share * float(level.distances[row])
            toll += problem.weighing.toll * int(problem.plan.left[stage])
        fixed.append(toll)
        return len(manhattan) - 1

    for level, to in zip(levels, way.tolist(), strict=False):
        same = np.flatnonzero((level.boards[:, :n] == board).all(axis=1))
        others = luck.integers(0, len(level.boards), OTHERS)
        if same.size and len(level.boards) > OTHERS:
            first = add(level, int(same[0]))
            couples += [(first, add(level, int(row))) for row in others if row not in same]
        board[at], board[to], at = board[to], problem.blank, to
    return Couples(
        np.concatenate([*terms, np.zeros(0, np.uint16)]),
        np.cumsum(sizes),
        np.array(manhattan, np.float32),
        np.array(fixed, np.float32),
        np.array(couples, np.int64).reshape(-1, 2),
    )


def by_stages(beam: StageBeam, board: Ints, width: int, seed: int) -> tuple[Couples, Any] | None:
    """Solve a board by stages; its couples and its way."""
    recorder = Recorder()
    way = beam.solve(board, width, seed=seed, watch=recorder)
    if way is None:
        return None
    plan, _ = plan_of(beam.rows, beam.columns)
    kinds = beam.ground.kinds
    problem = Problem(board, 0, kinds, plan, beam.columns, beam.weighing)
    return describe_all(problem, way, recorder.levels, seed), way


def by_windows(
    beam: StageBeam, board: Ints, way: Any, weights: PairWeights, seed: int
) -> Iterator[Couples]:
    """Solve windows of a way anew; their couples."""
    solver = windows.Solver(beam.columns, weights, float("inf"), None)
    for window in windows.cut(board, (beam.rows, beam.columns), way, STRETCH, 0):
        recorder = Recorder()
        longest = window.end - window.begin
        found = solver.search(window, WINDOW_WIDTH, seed, longest=longest, watch=recorder)
        if found is not None:
            kinds = solver.ground(window).kinds
            plan = open_plan(window.rows, window.columns)
            problem = Problem(window.board, window.blank, kinds, plan, window.columns, None)
            yield describe_all(problem, found, recorder.levels, seed)


def random_board(rows: int, columns: int, luck: np.random.Generator) -> Ints:
    """A uniformly random solvable board in normal form."""
    homes = luck.permutation(rows * columns)
    blank = int(np.argmin(homes))
    if parity(homes) != (blank // columns + blank % columns) % 2:
        first, second = [cell for cell in range(homes.size) if cell != blank][:2]
        homes[first], homes[second] = homes[second], homes[first]
    return homes


def collect(
    text: str, weights: PairWeights, luck: np.random.Generator, log: Callable[[str], None]
) -> list[Couples]:
    """Solve the boards of ``ROWSxCOLUMNS:COUNTxWIDTH``."""
    shape, amount = text.split(":")
    rows, columns = map(int, shape.split("x"))
    count, width = map(int, amount.split("x"))
    beam = StageBeam(rows, columns, weights=weights)
    boards = [random_board(rows, columns, luck) for _ in range(count)]

    def work(number: int) -> tuple[int, list[Couples]]:
        solved = by_stages(beam, boards[number], width, number)
        if solved is None:
            return 0, []
        couples, way = solved
        return way.size, [couples, *by_windows(beam, boards[number], way, weights, number)]

    with ThreadPoolExecutor(2) as pool:
        results = [result for result in pool.map(work, range(count)) if result[0]]
    log(f"{text}: mean length {np.mean([length for length, _ in results]):.2f}")
    return [couples for _, found in results for couples in found]


def joined(parts: list[Couples]) -> Couples:
    """Put couples of several beams one after the other."""
    starts = np.cumsum([0, *(part.terms.size for part in parts)])
    states = np.cumsum([0, *(part.manhattan.size for part in parts)])
    ends = [part.ends[1:] + start for part, start in zip(parts, starts, strict=False)]
    couples = [part.couples + first for part, first in zip(parts, states, strict=False)]
    return Couples(
        np.concatenate([part.terms for part in parts]),
        np.concatenate([np.zeros(1, np.int64), *ends]),
        np.concatenate([part.manhattan for part in parts]),
        np.concatenate([part.fixed for part in parts]),
        np.concatenate(couples),
    )


def fit(data: Couples, old: PairWeights, rate: float, log: Callable[[str], None]) -> PairWeights:
    """Fit weights on couples, beginning with the old ones."""
    luck = np.random.default_rng(0)
    alpha, weights = np.array([old.alpha]), old.pairs.reshape(-1).copy()
    turns = [np.arange(weights.size), transposed()]
    kept = len(data.couples) // 20
    order = luck.permutation(len(data.couples))
    held, used = order[:kept], order[kept:]
    for epoch in range(EPOCHS):
        for turn in turns:
            step = rate / (1 + epoch)
            fit_order(*data, luck.permutation(used), turn, step, alpha, weights)
        loss = fit_order(*data, held, turns[0], 0.0, alpha, weights)
        log(f"  epoch {epoch}: {loss:.4f}, alpha {alpha[0]:.3f}")
    return PairWeights(float(alpha[0]), weights.reshape(2, KINDS, KINDS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    luck = np.random.default_rng(chosen.seed)
    weights = PairWeights(FIRST_ALPHA, np.zeros((2, KINDS, KINDS)))
    if chosen.start:
        weights = load(chosen.start)
    begun = perf_counter()

    def log(text: str) -> None:
        print(f"{perf_counter() - begun:6.0f} s  {text}", flush=True)

    for round_ in chosen.rounds:
        parts = [
            couples for text in round_.split(",") for couples in collect(text, weights, luck, log)
        ]
        weights = fit(joined(parts), weights, chosen.rate, log)
        recipe = " ".join(["python benchmarks/train_pairs.py", *sys.argv[1:]])
        save(weights, chosen.out, recipe)


if __name__ == "__main__":
    main()
