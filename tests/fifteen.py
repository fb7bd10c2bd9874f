"""Boards of 4x4 that several tests search, and what they need to do so."""

from __future__ import annotations

import random

import naive
from golden import boards

from taquin.board import Board
from taquin.search import pattern_kernels as kernels
from taquin.search.ida_patterns import PatternSearch
from taquin.search.patterns import solve
from taquin.search.result import Solution
from taquin.state import State

FOUR = Board.grid(4, 4)


def labels(text: str) -> list[int]:
    return [int(label) for label in text.split()]


KORF = sorted(boards("korf100.csv"), key=lambda row: int(row["ida_nodes"]))
FIRST = State(range(16), FOUR)
LAST = State([*range(1, 16), 0], FOUR)


def korf(number: int) -> tuple[State, int]:
    """A board of Korf's, the easiest by Manhattan distance first, and its optimal length."""
    return State(labels(KORF[number]["tiles"]), FOUR), int(KORF[number]["optimal"])


def near(board: Board) -> naive.Near:
    return [list(board.neighbours(cell)) for cell in range(board.n)]


def wander(goal: State, steps: int, seed: int) -> State:
    rng, state = random.Random(seed), goal
    for _ in range(steps):
        state = state.moved(rng.choice(goal.board.neighbours(state.blank)))
    return state


def nodes(search: PatternSearch, start: State) -> tuple[list[tuple[int, int, int]], Solution]:
    """(threshold, generated, expanded) of all thresholds without the goal, and the solution."""
    root, value = search.root(start)
    counts = []
    while True:
        work = search.begin(value)
        status = kernels.PAUSED
        while status == kernels.PAUSED:
            status = search.go_on(work, root, 1 << 20, single=True)
        if status == kernels.FOUND:
            return counts, solve(search, start)
        counts.append((value, int(work.at[kernels.GENERATED]), int(work.at[kernels.EXPANDED])))
        value = int(work.at[kernels.LEAST])


def hard(prefix: str) -> list[dict[str, str]]:
    return [row for row in boards("hard.csv") if row["name"].startswith(prefix)]
