"""Slow twins of the sweep: breadth-first search over states as tuples, and boards to run on."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import product

Graph = list[list[int]]
State = tuple[tuple[int, ...], int]


def box(*shape: int, wrap: bool = False) -> Graph:
    """A grid of any dimension, cells in reading order; `wrap` joins opposite sides."""
    cells = list(product(*map(range, shape)))
    number = {cell: i for i, cell in enumerate(cells)}
    graph = []
    for cell in cells:
        near = set()
        for axis, size in enumerate(shape):
            for step in (-1, 1):
                x = cell[axis] + step
                if wrap:
                    x %= size
                near.add(number.get((*cell[:axis], x, *cell[axis + 1 :]), -1))
        graph.append(sorted(near - {-1, number[cell]}))
    return graph


def box_lines(*shape: int, wrap: bool = False) -> list[list[int]]:
    """The next cell of each cell in both directions of every axis, or -1."""
    cells = list(product(*map(range, shape)))
    number = {cell: i for i, cell in enumerate(cells)}
    lines = []
    for axis, size in enumerate(shape):
        for step in (-1, 1):
            line = []
            for cell in cells:
                x = (cell[axis] + step) % size if wrap else cell[axis] + step
                line.append(number.get((*cell[:axis], x, *cell[axis + 1 :]), -1))
            lines.append(line)
    return lines


def random_graph(rng: random.Random, n: int, edges: int) -> Graph:
    """Some edges between n cells: connected or not, with or without colours."""
    near: list[set[int]] = [set() for _ in range(n)]
    for _ in range(edges):
        x, y = rng.sample(range(n), 2)
        near[x].add(y)
        near[y].add(x)
    return [sorted(cells) for cells in near]


def slides(graph: Graph, state: State) -> Iterator[State]:
    """The states one move of a tracked tile away; other tiles step aside for nothing."""
    cells, blank = state
    region, stack = {blank}, [blank]
    while stack:
        for y in graph[stack.pop()]:
            if y not in cells and y not in region:
                region.add(y)
                stack.append(y)
    for tile, x in enumerate(cells):
        for y in graph[x]:
            if y in region:
                moved = (*cells[:tile], y, *cells[tile + 1 :])
                yield moved, home(graph, moved, x)


def home(graph: Graph, cells: tuple[int, ...], blank: int) -> int:
    """The smallest cell that the blank can walk to: one name for its region."""
    region, stack = {blank}, [blank]
    while stack:
        for y in graph[stack.pop()]:
            if y not in cells and y not in region:
                region.add(y)
                stack.append(y)
    return min(region)


def line_slides(lines: list[list[int]], state: State) -> Iterator[State]:
    """The states one multi-tile move away."""
    cells, blank = state
    for line in lines:
        moved, hole = list(cells), blank
        while (x := line[hole]) >= 0 and x != blank:
            moved[moved.index(x)] = hole
            hole = x
            yield tuple(moved), hole


def depths(
    graph: Graph,
    tiles: Iterable[int],
    blank: int | None,
    lines: list[list[int]] | None = None,
    to_depth: int | None = None,
) -> dict[State, int]:
    """Depth of every state, by breadth-first search."""
    cells = tuple(tiles)
    free = [cell for cell in range(len(graph)) if cell not in cells] if blank is None else [blank]
    level = {(cells, home(graph, cells, cell)) for cell in free}
    found = dict.fromkeys(level, 0)
    depth = 0
    while level and depth != to_depth:
        depth += 1
        ahead = set()
        for state in level:
            ahead.update(slides(graph, state) if lines is None else line_slides(lines, state))
        level = ahead - found.keys()
        found.update(dict.fromkeys(level, depth))
    return found


def counts(found: dict[State, int]) -> list[int]:
    """States at depth 0, 1, ..."""
    totals = [0] * (max(found.values()) + 1)
    for depth in found.values():
        totals[depth] += 1
    return totals
