"""Small graphs, and where the verdict and plain reachability disagree."""

from __future__ import annotations

import naive
import networkx as nx

import taquin as tq
from taquin.solvability import verdict
from taquin.state import State

SMALL_GRAPHS = [
    graph for graph in nx.graph_atlas_g()[1:] if len(graph) <= 7 and nx.is_connected(graph)
]
UP_TO_SIX = [graph for graph in SMALL_GRAPHS if len(graph) <= 6]
THETA_0 = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (6, 0), (6, 3)]


def solvable(start: State, goal: State) -> bool:
    return bool(verdict(start, goal).solvable)


def disagreements(
    board: tq.Board,
    number: dict[naive.Tiles, int],
    goals: list[naive.Tiles],
    starts: list[naive.Tiles] | None = None,
) -> list[tuple[naive.Tiles, naive.Tiles]]:
    """The pairs on which the verdict is wrong."""
    repeats = len(set(goals[0])) < board.n
    states = [State(tiles, board, repeats=repeats) for tiles in starts or number]
    wrong = []
    for tiles in goals:
        goal = State(tiles, board, repeats=repeats)
        wrong += [
            (state.tiles, tiles)
            for state in states
            if solvable(state, goal) != (number[state.tiles] == number[tiles])
        ]
    return wrong


def goal_on(cell: int, n: int) -> naive.Tiles:
    """The tiles in order with the blank on `cell`."""
    return (*range(1, cell + 1), 0, *range(cell + 1, n))


def graph_name(graph: nx.Graph) -> str:
    return f"{len(graph)}v:" + ",".join(f"{a}-{b}" for a, b in graph.edges)
