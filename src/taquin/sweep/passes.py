"""Schedules: which rows are made of which, level after level.

A level is one pass or several; a pass rewrites its target rows as unions of rotated rows.  Levels
of even and odd depth have each their passes, which lets two layers of rows take turns:

* *colours*: one layer.  The rows of one colour hold the present level, those of the other the level
  before, which is exactly what must be taken out of the next; the next overwrites it.
* *no colours*: two layers, the present level and the one before; both are taken out of the next.
* *multi-tile moves*: two layers likewise, and one for each direction, where
  E[y] = F[y] | rotate(E[x]) is carried along the lines, x before y.  The next level is the union of
  the E (they contain F, which is taken out with the rest).

All three rest on one fact: in an undirected graph the neighbours of a level lie in it and in the
levels next to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from taquin.sweep.cohorts import Layout
from taquin.sweep.compiled import compiled

Lines = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Pass:
    """Rows `targets[t]` become the union of the rotated rows starts[t] <= e < starts[t + 1].

    Attributes
    ----------
    targets : (t,) int64; starts : (t + 1,) int64; sources, rotations : (edges,) int32
    beside : int
        Row targets[t] + beside is taken out of the union as well, unless beside is 0.
    keep : bool
        True: an auxiliary row, from which its old content is not taken out and no state counts.
    """

    targets: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    sources: npt.NDArray[np.int32]
    rotations: npt.NDArray[np.int32]
    beside: int = 0
    keep: bool = False


@dataclass(frozen=True)
class Schedule:
    """The passes of a level: levels[0] leads to odd depths, levels[1] to even ones.

    `layers` is the number of copies of the layout's rows; the goal starts in the first copy.
    """

    layers: int
    levels: tuple[list[Pass], list[Pass]]


def slide_schedule(layout: Layout) -> Schedule:
    """Single-tile moves, with colours or without."""
    if layout.colour is None:
        rows = np.arange(layout.rows)
        odd = _slides(layout, rows, target_layer=1)
        even = _slides(layout, rows, source_layer=1)
        return Schedule(2, ([odd], [even]))
    start = layout.colour[layout.goal_rows[0]]
    odd = _slides(layout, np.flatnonzero(layout.colour != start))
    even = _slides(layout, np.flatnonzero(layout.colour == start))
    return Schedule(1, ([odd], [even]))


def line_schedule(layout: Layout, lines: Lines) -> Schedule:
    """Multi-tile moves of the whole puzzle: lines[d][cell] is the next cell in direction d, or -1.

    On a ring of cells a move takes the blank at most once around, short of its own cell.
    """
    ways = [_chains(layout, line) for line in lines]
    levels = tuple(_line_passes(layout, ways, present) for present in (0, 1))
    rings = any(ring for chains in ways for ring, _ in chains)
    return Schedule(2 + len(lines) + rings, (levels[0], levels[1]))


def step_schedule(layout: Layout, lines: Lines) -> Schedule:
    """Multi-tile moves with some of the tiles tracked, where each blank's cell is a cohort.

    As `line_schedule`, for lines that are no rings: the cohorts that the blank comes to after one
    step along a line, two, ... are rewritten together.
    """
    n = layout.order.size
    cell = np.log2(layout.regions.astype(np.float64)).astype(np.int64)
    levels: list[list[Pass]] = [[], []]
    after = np.zeros((len(lines), n), np.int64)  # steps along the line before each inner cell
    origin = np.full((len(lines), n), -1, np.int64)
    for d, line in enumerate(lines):
        for x, y in enumerate(line):
            if y >= 0:
                origin[d, layout.place[y]] = layout.place[x]
        for x in range(n):
            y, steps = x, 0
            while origin[d, y] >= 0 and steps < n:
                y, steps = int(origin[d, y]), steps + 1
            after[d, x] = steps
    rows = layout.rows
    for present in (0, 1):
        for d in range(len(lines)):
            edges = _edges_from(layout, cell, origin[d])
            for distance in range(1, int(after[d].max()) + 1):
                chosen = np.flatnonzero(after[d][cell] == distance)
                lane = 2 + d
                before = present if distance == 1 else lane
                sources = np.column_stack(
                    [present * rows + chosen, before * rows + layout.sources[edges[chosen]]]
                )
                turns = np.column_stack([np.zeros_like(chosen), layout.rotations[edges[chosen]]])
                levels[present].append(_stacked(lane * rows + chosen, sources, turns, keep=True))
        lanes = [(2 + d) * rows + np.arange(rows) for d in range(len(lines))]
        used = np.column_stack([after[d][cell] > 0 for d in range(len(lines))])
        sources = np.column_stack(lanes)[used]
        starts = np.concatenate([[0], np.cumsum(used.sum(axis=1))])
        levels[present].append(
            Pass(
                (1 - present) * rows + np.arange(rows),
                starts.astype(np.int64),
                sources.astype(np.int32),
                np.zeros(sources.size, np.int32),
                beside=(2 * present - 1) * rows,
            )
        )
    return Schedule(2 + len(lines), (levels[0], levels[1]))


def _edges_from(
    layout: Layout, cell: npt.NDArray[np.int64], origin: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """For each cohort its edge on which the blank comes from origin[blank's cell], else any."""
    sources = cell[layout.sources]
    wanted = np.repeat(origin[cell], np.diff(layout.starts))
    found = np.zeros(layout.rows, np.int64)
    at = np.flatnonzero(sources == wanted)
    found[np.repeat(np.arange(layout.rows), np.diff(layout.starts))[at]] = at
    return found


def _stacked(
    targets: npt.NDArray[np.int64],
    sources: npt.NDArray[np.int64],
    rotations: npt.NDArray[np.int64],
    keep: bool,
) -> Pass:
    """A pass in which all targets have as many sources: a column each."""
    starts = np.arange(targets.size + 1, dtype=np.int64) * sources.shape[1]
    flat = sources.reshape(-1).astype(np.int32), rotations.reshape(-1).astype(np.int32)
    return Pass(targets, starts, *flat, keep=keep)


def _slides(
    layout: Layout, rows: npt.NDArray[np.int64], source_layer: int = 0, target_layer: int = 0
) -> Pass:
    """All slides into the given rows, from one layer to another."""
    counts = np.diff(layout.starts)[rows]
    starts = np.zeros(rows.size + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    sources, rotations = (np.empty(starts[-1], np.int32) for _ in range(2))
    _fill_slides(
        rows,
        source_layer * layout.rows,
        layout.starts,
        layout.sources,
        layout.rotations,
        sources,
        rotations,
    )
    return Pass(
        rows + target_layer * layout.rows,
        starts,
        sources,
        rotations,
        beside=(source_layer - target_layer) * layout.rows,
    )


@compiled
def _fill_slides(
    rows: npt.NDArray[np.int64],
    shift: int,
    cohort_starts: npt.NDArray[np.int64],
    cohort_sources: npt.NDArray[np.int32],
    cohort_rotations: npt.NDArray[np.int32],
    sources: npt.NDArray[np.int32],
    rotations: npt.NDArray[np.int32],
) -> None:
    edge = 0
    for row in rows:
        for e in range(cohort_starts[row], cohort_starts[row + 1]):
            sources[edge] = shift + cohort_sources[e]
            rotations[edge] = cohort_rotations[e]
            edge += 1


#: Whether the cells close a ring, and the cohorts of the blank along them.
Chain = tuple[bool, list[int]]


def _chains(layout: Layout, line: Sequence[int]) -> list[Chain]:
    """The lines of one direction: each a chain of two cells or more, or a ring."""
    n = len(line)
    cohort = {int(layout.order[int(r).bit_length() - 1]): c for c, r in enumerate(layout.regions)}
    entered = {x for x in line if x >= 0}
    chains: list[Chain] = []
    seen: set[int] = set()
    for start in [x for x in range(n) if x not in entered] + sorted(entered):
        cells: list[int] = []
        x = start
        while x >= 0 and x not in seen:
            seen.add(x)
            cells.append(x)
            x = line[x]
        if len(cells) > 1:
            chains.append((x == start, [cohort[cell] for cell in cells]))
    return chains


def _line_passes(layout: Layout, ways: list[list[Chain]], present: int) -> list[Pass]:
    """The passes of a level whose present states are in layer `present`."""
    rotation = _rotations_between(layout)
    spare = 2 + len(ways)
    passes: list[Pass] = []
    reached: dict[int, list[int]] = {}
    for direction, chains in enumerate(ways):
        lane = 2 + direction
        for distance in range(1, max((len(cells) for _, cells in chains), default=0)):
            # One target: (layer, cohort), and its sources (layer, cohort).
            jobs: list[tuple[tuple[int, int], tuple[int, int]]] = []
            for ring, cells in chains:
                last = len(cells) - 1
                if distance > last:
                    continue
                if not ring:
                    before = present if distance == 1 else lane
                    jobs.append(((lane, cells[distance]), (before, cells[distance - 1])))
                    continue
                here, there = (lane, spare) if (last - distance) % 2 == 0 else (spare, lane)
                before = present if distance == 1 else there
                jobs += [((here, cells[i]), (before, cells[i - 1])) for i in range(len(cells))]
            passes.append(
                _pass(
                    layout,
                    [
                        (
                            target,
                            [((present, target[1]), 0), (source, rotation[source[1], target[1]])],
                        )
                        for target, source in jobs
                    ],
                    keep=True,
                )
            )
        for ring, cells in chains:
            for c in cells if ring else cells[1:]:
                reached.setdefault(c, []).append(lane)
    union = [
        ((1 - present, c), [((lane, c), 0) for lane in reached.get(c, [])])
        for c in range(layout.occupied.size)
    ]
    beside = (2 * present - 1) * layout.rows
    passes.append(_pass(layout, union, beside=beside))
    return passes


def _rotations_between(layout: Layout) -> dict[tuple[int, int], int]:
    """The rotation from one cohort to another, for every edge of the whole puzzle's board."""
    starts = layout.starts.tolist()
    return {
        (int(layout.sources[e]), c): int(layout.rotations[e])
        for c in range(layout.occupied.size)
        for e in range(starts[c], starts[c + 1])
    }


#: A target (layer, cohort) with its sources: ((layer, cohort), rotation) each.
Job = tuple[tuple[int, int], list[tuple[tuple[int, int], int]]]


def _pass(layout: Layout, jobs: list[Job], beside: int = 0, keep: bool = False) -> Pass:
    """Spell the jobs out in rows."""
    targets, starts, sources, rotations = [], [0], [], []
    for (layer, cohort), origins in jobs:
        targets.append(layer * layout.rows + cohort)
        for (origin_layer, origin), rotation in origins:
            sources.append(origin_layer * layout.rows + origin)
            rotations.append(rotation)
        starts.append(len(sources))
    return Pass(
        np.array(targets, np.int64),
        np.array(starts, np.int64),
        np.array(sources, np.int32),
        np.array(rotations, np.int32),
        beside,
        keep,
    )
