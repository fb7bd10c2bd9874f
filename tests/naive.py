"""Slow, obvious twins of everything that taquin computes cleverly.

Nothing here imports taquin. Boards are plain lists of neighbours, states plain tuples with 0 for
the blank; every answer comes from walking the moves one by one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product

Tiles = tuple[int, ...]
Near = list[list[int]]

# -- boards ------------------------------------------------------------------------------------


def graph_neighbours(n: int, edges: Iterable[Sequence[int]]) -> Near:
    """The neighbours of each vertex, in increasing order."""
    near: list[set[int]] = [set() for _ in range(n)]
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    return [sorted(cells) for cells in near]


def grid_moves(shape: Sequence[int], wrap: Sequence[int] = ()) -> list[list[tuple[str, int]]]:
    """(letter, cell) for each cell of a grid of up to three axes, in the order U L R D F B."""
    places = list(product(*map(range, shape)))
    cell_at = {place: cell for cell, place in enumerate(places)}
    moves: list[list[tuple[str, int]]] = []
    for place in places:
        found: list[tuple[str, int]] = []
        for letter, back, step in (
            ("U", 2, -1), ("L", 1, -1), ("R", 1, 1), ("D", 2, 1), ("F", 3, -1), ("B", 3, 1),
        ):  # fmt: skip
            axis = len(shape) - back
            if axis < 0:
                continue
            there = list(place)
            there[axis] += step
            if axis in wrap and shape[axis] > 2:  # a ring of two cells is a line
                there[axis] %= shape[axis]
            to = cell_at.get(tuple(there))
            if to is None or to == cell_at[place] or to in [cell for _, cell in found]:
                continue
            found.append((letter, to))
        moves.append(found)
    return moves


def grid_neighbours(shape: Sequence[int], wrap: Sequence[int] = ()) -> Near:
    """The neighbours of each cell of a grid of up to three axes, in the order U L R D F B."""
    return [[to for _, to in moves] for moves in grid_moves(shape, wrap)]


def two_colouring(near: Near) -> list[int] | None:
    """A colour for each vertex so that neighbours differ, or None; the graph is connected."""
    colour = {0: 0}
    queue = deque([0])
    while queue:
        v = queue.popleft()
        for w in near[v]:
            if w not in colour:
                colour[w] = 1 - colour[v]
                queue.append(w)
            elif colour[w] == colour[v]:
                return None
    return [colour[v] for v in range(len(near))]


# -- states ------------------------------------------------------------------------------------


def slides(near: Near, tiles: Tiles) -> Iterator[Tiles]:
    """Every state one move away."""
    blank = tiles.index(0)
    for to in near[blank]:
        other = list(tiles)
        other[blank], other[to] = other[to], 0
        yield tuple(other)


def line_slides(shape: Sequence[int], tiles: Tiles) -> Iterator[Tiles]:
    """Every state one multi-tile move away on a grid of two axes: the blank goes any way along."""
    rows, columns = shape
    blank = tiles.index(0)
    row, column = divmod(blank, columns)
    lines = (
        [blank - columns * k for k in range(1, row + 1)],
        [blank - k for k in range(1, column + 1)],
        [blank + k for k in range(1, columns - column)],
        [blank + columns * k for k in range(1, rows - row)],
    )
    for line in lines:
        other, at = list(tiles), blank
        for to in line:
            other[at], other[to] = other[to], 0
            at = to
            yield tuple(other)


def depths(near: Near, goal: Tiles) -> dict[Tiles, int]:
    """The number of moves from each reachable state to the goal, breadth first."""
    depth = {goal: 0}
    queue = deque([goal])
    while queue:
        state = queue.popleft()
        for other in slides(near, state):
            if other not in depth:
                depth[other] = depth[state] + 1
                queue.append(other)
    return depth


def line_depths(shape: Sequence[int], goal: Tiles) -> dict[Tiles, int]:
    """`depths` in multi-tile moves."""
    depth = {goal: 0}
    queue = deque([goal])
    while queue:
        state = queue.popleft()
        for other in line_slides(shape, state):
            if other not in depth:
                depth[other] = depth[state] + 1
                queue.append(other)
    return depth


def classes(near: Near, labels: Sequence[int] | None = None) -> dict[Tiles, int]:
    """The number of its class for **every** arrangement of the labels (0..n-1 if not given).

    Two arrangements have the same number if and only if moves lead from one to the other.
    """
    found: dict[Tiles, int] = {}
    number = 0
    for tiles in permutations(range(len(near)) if labels is None else labels):
        if tiles in found:
            continue
        found[tiles] = number
        waiting = [tiles]
        while waiting:
            for other in slides(near, waiting.pop()):
                if other not in found:
                    found[other] = number
                    waiting.append(other)
        number += 1
    return found


def profile(depth: dict[Tiles, int]) -> list[int]:
    """How many states lie at each depth."""
    counts = [0] * (max(depth.values()) + 1)
    for d in depth.values():
        counts[d] += 1
    return counts


def shortest_words(
    moves: list[list[tuple[str, int]]], start: Tiles, depth: dict[Tiles, int]
) -> list[str]:
    """All shortest ways from `start` to the goal of `depth`, as sorted blank-letter words."""
    words = []

    def go(tiles: Tiles, word: str) -> None:
        if depth[tiles] == 0:
            words.append(word)
            return
        blank = tiles.index(0)
        for letter, to in moves[blank]:
            other = list(tiles)
            other[blank], other[to] = other[to], 0
            if depth[tuple(other)] == depth[tiles] - 1:
                go(tuple(other), word + letter)

    go(start, "")
    return sorted(words)


def replay(moves: list[list[tuple[str, int]]], start: Tiles, word: str) -> Tiles:
    """The state after the blank letters of `word`; a KeyError where one is not possible."""
    tiles = list(start)
    for letter in word:
        blank = tiles.index(0)
        to = dict(moves[blank])[letter]
        tiles[blank], tiles[to] = tiles[to], 0
    return tuple(tiles)


def runs(word: str) -> int:
    """The number of maximal runs of one letter: the length in multi-tile moves."""
    return sum(1 for i, letter in enumerate(word) if i == 0 or word[i - 1] != letter)


# -- permutations and the rules of the textbooks -----------------------------------------------


def double_loop_inversions(tiles: Sequence[int]) -> int:
    """Pairs of tiles out of order, the blank left out."""
    order = [tile for tile in tiles if tile]
    return sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))


def rule_of_rows(start: Sequence[int], goal: Sequence[int], width: int) -> bool:
    """The textbook rule of a plane grid: inversions, and on an even width the blank's row too."""

    def sign(tiles: Sequence[int]) -> int:
        row = list(tiles).index(0) // width
        return (double_loop_inversions(tiles) + (row if width % 2 == 0 else 0)) % 2

    return sign(start) == sign(goal)


def rule_of_distance(start: Sequence[int], goal: Sequence[int], shape: Sequence[int]) -> bool:
    """The rule in any dimension: swaps of labels to the goal, and the way of the blank, agree."""
    tiles, swaps = list(start), 0
    for cell, wanted in enumerate(goal):
        at = tiles.index(wanted)
        if at != cell:
            tiles[cell], tiles[at] = tiles[at], tiles[cell]
            swaps += 1
    places = list(product(*map(range, shape)))
    here, there = places[list(start).index(0)], places[list(goal).index(0)]
    return (swaps + sum(abs(a - b) for a, b in zip(here, there, strict=True))) % 2 == 0


# -- goals -------------------------------------------------------------------------------------


def spiral_cells(rows: int, columns: int) -> list[int]:
    """The cells along a spiral: right along the top row, then clockwise inwards."""
    row, column, down, right = 0, 0, 0, 1
    cells, free = [], {(r, c) for r in range(rows) for c in range(columns)}
    while free:
        cells.append(row * columns + column)
        free.discard((row, column))
        if (row + down, column + right) not in free:
            down, right = right, -down
        row, column = row + down, column + right
    return cells


def numbered_along(cells: Sequence[int]) -> Tiles:
    """Tiles 1, 2, ... along the cells, the blank on the last one."""
    tiles = [0] * len(cells)
    for number, cell in enumerate(cells[:-1], start=1):
        tiles[cell] = number
    return tuple(tiles)


def usual_goal(name: str, rows: int, columns: int) -> Tiles:
    """The usual goals of a plane grid, by their definitions."""
    n = rows * columns
    if name == "blank-last":
        return (*range(1, n), 0)
    if name == "blank-first":
        return tuple(range(n))
    if name in ("spiral", "snail", "ring"):
        return numbered_along(spiral_cells(rows, columns))
    if name == "snake":
        order = [
            row * columns + (column if row % 2 == 0 else columns - 1 - column)
            for row in range(rows)
            for column in range(columns)
        ]
        return numbered_along(order)
    if name == "columns":
        return numbered_along([r * columns + c for c in range(columns) for r in range(rows)])
    if name == "reversed":
        return (*range(n - 1, 0, -1), 0)
    raise KeyError(name)


# -- heuristics and searches -------------------------------------------------------------------


def cell_steps(near: Near) -> list[list[int]]:
    """The number of steps between any two cells, breadth first from each."""
    table = []
    for start in range(len(near)):
        steps, queue = {start: 0}, deque([start])
        while queue:
            cell = queue.popleft()
            for other in near[cell]:
                if other not in steps:
                    steps[other] = steps[cell] + 1
                    queue.append(other)
        table.append([steps[cell] for cell in range(len(near))])
    return table


def fewest_removals(places: Sequence[int]) -> int:
    """How few entries must go so that the others rise: try all choices, the smallest first."""
    for count in range(len(places) + 1):
        for gone in combinations(range(len(places)), count):
            rest = [place for i, place in enumerate(places) if i not in gone]
            if rest == sorted(rest):
                return count
    raise AssertionError("nothing is left to be out of order")


def row_puzzle_depths(sizes: Sequence[int], blank: int) -> dict[tuple[Tiles, ...], int]:
    """Walking distances of rows with so many cells: a row is the sorted goal rows of its tiles."""
    goal = tuple(
        (row,) * (size - (row == blank)) for row, size in enumerate(sizes)
    )  # the blank is what a row lacks
    depth = {goal: 0}
    queue = deque([goal])
    while queue:
        rows = queue.popleft()
        short = next(i for i, row in enumerate(rows) if len(row) < sizes[i])
        for other in (short - 1, short + 1):
            if not 0 <= other < len(sizes):
                continue
            for tile in set(rows[other]):
                moved = [list(row) for row in rows]
                moved[other].remove(tile)
                moved[short].append(tile)
                after = tuple(tuple(sorted(row)) for row in moved)
                if after not in depth:
                    depth[after] = depth[rows] + 1
                    queue.append(after)
    return depth


def deepening_generated(near: Near, start: Tiles, goal: Tiles, *, blind: bool) -> tuple[int, int]:
    """(moves, states generated) of IDA* with the Manhattan distance; blind: of plain deepening.

    The root counts once, the move back is never made, every other child counts when it is made,
    all iterations add up, and the last one stops at the goal.
    """
    steps = cell_steps(near)
    home = {tile: cell for cell, tile in enumerate(goal)}
    generated = 1
    cut_off: list[int] = []

    def estimate(state: Tiles) -> int:
        if blind:
            return 0 if state == goal else 1
        return sum(steps[cell][home[tile]] for cell, tile in enumerate(state) if tile)

    def visit(state: Tiles, before: Tiles | None, moves: int, bound: int) -> bool:
        nonlocal generated
        for child in slides(near, state):
            if child == before:
                continue
            generated += 1
            if moves + 1 + estimate(child) > bound:
                cut_off.append(moves + 1 + estimate(child))
                continue
            if child == goal or visit(child, state, moves + 1, bound):
                return True
        return False

    bound = estimate(start)
    while start != goal and not visit(start, None, 0, bound):
        bound = min(cut_off)
        cut_off.clear()
    return bound, generated


def astar_counts(near: Near, start: Tiles, goal: Tiles) -> tuple[int, int, int]:
    """(moves, expanded, generated) of A* with the Manhattan distance: f, then h, then first come.

    The waiting states are one long list, in which the best is looked for each time.
    """
    steps = cell_steps(near)
    home = {tile: cell for cell, tile in enumerate(goal)}

    def estimate(state: Tiles) -> int:
        return sum(steps[cell][home[tile]] for cell, tile in enumerate(state) if tile)

    made = {start: 0}
    waiting = [start]
    expanded, generated = 0, 1
    while True:
        # min() returns the first of equals; a shorter way to a state puts it at the end.
        best = min(waiting, key=lambda state: (made[state] + estimate(state), estimate(state)))
        if best == goal:
            return made[goal], expanded, generated
        waiting.remove(best)
        expanded += 1
        for child in slides(near, best):
            generated += 1
            if child not in made or made[best] + 1 < made[child]:
                made[child] = made[best] + 1
                if child in waiting:
                    waiting.remove(child)
                waiting.append(child)


# -- permutations, number by number ------------------------------------------------------------


def pairs_out_of_order(numbers: Sequence[int]) -> int:
    """Pairs i < j with numbers[i] > numbers[j], none left out."""
    return sum(a > b for i, a in enumerate(numbers) for b in numbers[i + 1 :])


def is_permutation(numbers: Sequence[int]) -> bool:
    """Whether each of 0..n-1 is there."""
    return sorted(numbers) == list(range(len(numbers)))


def orbits(p: Sequence[int]) -> int:
    """The number of cycles, each named by its least element."""

    def least(i: int) -> int:
        orbit, at = {i}, p[i]
        while at != i:
            orbit.add(at)
            at = p[at]
        return min(orbit)

    return len({least(i) for i in range(len(p))})


# -- IDA*, as its paper says it ----------------------------------------------------------------


def ida_star(
    near: Near, start: Tiles, goal: Tiles, steps: list[list[int]]
) -> tuple[list[int], int, int, list[int]]:
    """(cells of the first solution, generated, expanded, thresholds) by recursion.

    `steps` holds the distance between any two cells. A tile goes to the nearest goal cell of its
    label; the value is computed afresh at every node.
    """
    homes: dict[int, list[int]] = {}
    for cell, label in enumerate(goal):
        homes.setdefault(label, []).append(cell)

    def value(tiles: Tiles) -> int:
        return sum(
            min(steps[cell][home] for home in homes[label])
            for cell, label in enumerate(tiles)
            if label
        )

    generated, expanded, walk, over = 1, 0, [], []

    def deeper(tiles: Tiles, depth: int, came_from: int, threshold: int) -> bool:
        nonlocal generated, expanded
        expanded += 1
        blank = tiles.index(0)
        for to in near[blank]:
            if to == came_from:
                continue
            generated += 1
            child = list(tiles)
            child[blank], child[to] = child[to], 0
            total = depth + 1 + value(tuple(child))
            if total > threshold:
                over.append(total)
                continue
            walk.append(to)
            if tuple(child) == goal or deeper(tuple(child), depth + 1, blank, threshold):
                return True
            walk.pop()
        return False

    thresholds = [value(start)]
    while not deeper(start, 0, -1, thresholds[-1]):
        thresholds.append(min(over))
        over.clear()
    return walk, generated, expanded, thresholds
