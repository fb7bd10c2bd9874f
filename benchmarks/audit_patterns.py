"""Lower bounds against the true depth of **every** state: no bound may promise too much.

python benchmarks/audit_patterns.py                 3x3 and 4x3, both metrics (a few minutes, 1 GB)
python benchmarks/audit_patterns.py 3x4:blank-first
python benchmarks/audit_patterns.py 4x3:mtm

Depths come from a plain breadth-first search over numbered permutations, which shares nothing with
the sweep. Bounds come from the tables that the searches use: each is decoded, placement by
placement, by the code that gives a search its first value.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import factorial, perm
from time import perf_counter
from typing import Any, NamedTuple

import numba as nb
import numpy as np
import numpy.typing as npt

from taquin.board.lines import slides
from taquin.patterns.kernels import descend_segments
from taquin.patterns.partitions import standard
from taquin.patterns.sums import PatternSums, sums_for, turned
from taquin.puzzle import Puzzle
from taquin.search.mtm import SegmentSearch, segment_search

Bytes = npt.NDArray[np.uint8]
UNKNOWN = 255
#: Boards decoded at a time, and numbers looked at by one task.
BATCH, SLICE = 1 << 16, 1 << 22
CELLS = 16
#: Of what no state has: far above any depth, so that it would be seen.
NO_VALUE = 9999


@nb.njit(nogil=True)
def _unrank(number: int, n: int, k: int, labels: Any) -> None:
    """Fill labels[:k] with the arrangement of k of n things that has a number; cost k * n."""
    block = 1
    for i in range(k - 1):
        block *= n - 1 - i
    free = np.uint64((1 << n) - 1)
    for i in range(k):
        digit = number // block
        number -= digit * block
        if i < k - 1:
            block //= n - 1 - i if i else n - 1
        label = 0
        while True:
            if free >> np.uint64(label) & np.uint64(1):
                if digit == 0:
                    break
                digit -= 1
            label += 1
        free &= ~(np.uint64(1) << np.uint64(label))
        labels[i] = label


@nb.njit(nogil=True)
def _rank(labels: Any, n: int, k: int) -> int:
    number = 0
    for i in range(k):
        digit = labels[i]
        for j in range(i):
            digit -= labels[j] < labels[i]
        number = number * (n - i) + digit
    return number


@nb.njit(nogil=True)
def _deepen(depths: Bytes, depth: int, lines: npt.NDArray[np.int64], ends: Any, n: int) -> int:
    """Give all unknown neighbours of states at a depth the next one; how many there are.

    lines[m, :] are the cells that move m slides over, ended by -1; ends[blank] tells where the
    moves of a blank's cell begin.
    """
    labels, moved = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    found = 0
    for number in range(depths.size):
        if depths[number] != depth:
            continue
        _unrank(number, n, n, labels)
        blank = 0
        while labels[blank]:
            blank += 1
        for m in range(ends[blank], ends[blank + 1]):
            moved[:] = labels
            cell = blank
            for to in lines[m]:
                if to < 0:
                    break
                moved[cell], moved[to], cell = moved[to], 0, to
            other = _rank(moved, n, n)
            if depths[other] == UNKNOWN:
                depths[other] = depth + 1
                found += 1
    return found


def depths_of(puzzle: Puzzle) -> Bytes:
    """Return the depth of each permutation of the labels, by lexicographic number."""
    n = puzzle.board.n
    moves = [list(slides(puzzle.board, cell, puzzle.metric)) for cell in range(n)]
    longest = max(len(line) for of_cell in moves for line in of_cell)
    lines = np.full((sum(map(len, moves)), longest), -1, np.int64)
    for row, line in zip(lines, (line for of_cell in moves for line in of_cell), strict=True):
        row[: len(line) - 1] = line[1:]
    ends = np.cumsum([0, *map(len, moves)])
    depths = np.full(factorial(n), UNKNOWN, np.uint8)
    depths[_rank(np.array(puzzle.goal.tiles), n, n)] = depth = 0
    while _deepen(depths, depth, lines, ends, n):
        depth += 1
    return depths


class View(NamedTuple):
    """One table seen from one side: the labels that it watches, and values[placement, blank]."""

    tiles: npt.NDArray[np.int64]
    values: npt.NDArray[np.int16]


def decoded(sums: PatternSums, pattern: int, side: int, read: Any) -> View:
    """Decode a table: the value of each placement of the pattern's tiles and the blank.

    `read` gives the values (B,) of boards (B, n) of labels.
    """
    n = sums.goal.board.n
    inner = sums.database.place[list(sums.database.patterns[pattern])]
    if side:
        assert sums.mirror is not None
        inner = np.argsort(sums.mirror)[inner]
    labels = np.array([sums.goal.tiles[cell] for cell in np.argsort(sums.turn)[inner]])
    k = len(labels)
    values = np.full((perm(n, k), n), NO_VALUE, np.int16)
    flat = values.reshape(-1)
    others = np.array([label for label in range(1, n) if label not in labels])

    def fill(first: int) -> None:
        numbers = np.arange(first, min(first + BATCH, flat.size))
        boards = np.zeros((len(numbers), n), np.int64)
        legal = _place(numbers, n, k, labels, others, boards)
        found = read(boards[legal])
        flat[numbers[legal]] = np.where(found < 0, NO_VALUE, found)

    with ThreadPoolExecutor() as threads:
        list(threads.map(fill, range(0, flat.size, BATCH)))
    return View(labels, values)


@nb.njit(nogil=True)
def _place(
    numbers: Any, n: int, k: int, labels: Any, others: Any, boards: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Fill boards from numbers n * (placement of the labels) + blank; whether the blank fits."""
    cells = np.empty(CELLS, np.int64)
    legal = np.ones(len(numbers), np.bool_)
    for b, number in enumerate(numbers):
        _unrank(number // n, n, k, cells)
        blank = number % n
        for i in range(k):
            legal[b] &= cells[i] != blank
            boards[b, cells[i]] = labels[i]
        if legal[b]:
            used = 0
            for cell in range(n):
                if boards[b, cell] == 0 and cell != blank:
                    boards[b, cell] = others[used]
                    used += 1
    return legal


@nb.njit(nogil=True)
def _add_values(
    depths: Bytes, first: int, n: int, tiles: Any, values: Any, bounds: Any, greatest: Any
) -> None:
    """Add a table's values to the bounds of a slice of states, or let the greater one count."""
    labels, where = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    places = np.empty(CELLS, np.int64)
    for i in range(bounds.size):
        if depths[first + i] == UNKNOWN:
            continue
        _unrank(first + i, n, n, labels)
        for cell in range(n):
            where[labels[cell]] = cell
        for j, tile in enumerate(tiles):
            places[j] = where[tile]
        value = values[_rank(places, n, len(tiles)), where[0]]
        bounds[i] = max(bounds[i], value) if greatest else bounds[i] + value


@nb.njit(nogil=True)
def _pictures(depths: Bytes, first: int, n: int, units: Any, keys: Any) -> None:
    """Fill keys with the picture of each state along an axis: how many tiles of which home where.

    units[cell, label] is what a label on a cell adds to the key.
    """
    labels = np.empty(CELLS, np.int64)
    for i in range(keys.size):
        if depths[first + i] == UNKNOWN:
            continue
        _unrank(first + i, n, n, labels)
        for cell in range(n):
            keys[i] += units[cell, labels[cell]]


@nb.njit(nogil=True)
def _read_segments(
    views: Any, blanks: Any, pattern: Any, goal: Any, goal_blank: Any, steps: Any, directions: Any,
    bits: Any, half: Any, lower: Any, upper: Any, sets: Any, rows: Any, ranks: Any, sizes: Any,
) -> Any:  # fmt: skip
    values = np.empty(len(views), np.int16)
    for b in range(len(views)):
        values[b] = descend_segments(
            views[b], pattern, blanks[b], goal, goal_blank, steps, directions,
            bits, half, lower, upper, sets, rows, ranks, sizes,
        )  # fmt: skip
    return values


def segment_values(sums: PatternSums, pattern: int, side: int, boards: Any) -> Any:
    """Return the values of boards (B, n) of labels in multi-tile moves."""
    base = sums.database
    steps = np.full((len(base.board.directions), 40), 255, np.uint8)
    for d, way in enumerate(base.board.directions):
        for cell in range(base.board.n):
            to = base.board.step(cell, way)
            if to is not None:
                steps[d, base.place[cell]] = base.place[to]
    homes = sums.homes(boards)
    homes = sums.reflected(homes) if side else homes
    return _read_segments(
        np.ascontiguousarray(base.views(homes)[:, pattern]),
        np.argmax(homes == base.place[base.blank], axis=1).astype(np.uint64),
        np.uint64(pattern),
        base.goals[pattern],
        np.uint64(base.place[base.blank]),
        steps.reshape(-1),
        len(steps),
        base.bits,
        *base.index,
    )


class Audit:
    """The depths of a puzzle's states, and what is held against them."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.n = puzzle, puzzle.board.n
        begun = perf_counter()
        self.depths = depths_of(puzzle)
        self.known = self.depths != UNKNOWN
        print(
            f"{puzzle.spec}: {np.count_nonzero(self.known):,} states,"
            f" radius {self.depths[self.known].max()} ({perf_counter() - begun:.0f} s)",
            flush=True,
        )

    def each(self, work: Any) -> list[Any]:
        """Call work(first, size) for each slice of the numbers, on all threads."""
        firsts = range(0, self.depths.size, SLICE)
        with ThreadPoolExecutor() as threads:
            return list(
                threads.map(lambda first: work(first, min(SLICE, self.depths.size - first)), firsts)
            )

    def hold(self, name: str, bounds: Any, *, even: bool) -> None:
        """Compare bounds(first, size) of each slice with the depths."""
        begun = perf_counter()

        def look(first: int, size: int) -> tuple[int, int, int]:
            part = slice(first, first + size)
            known, depths = self.known[part], self.depths[part].astype(np.int16)
            found = bounds(first, size)
            over = known & (found > depths)
            if even:
                over |= known & ((depths - found) % 2 != 0)
            over |= known & ((found == 0) != (depths == 0))
            if over.any():
                number = first + int(np.argmax(over))
                labels = np.empty(CELLS, np.int64)
                _unrank(number, self.n, self.n, labels)
                at = number - first
                raise SystemExit(
                    f"{labels[: self.n].tolist()}: bound {found[at]}, depth {depths[at]}"
                )
            return int(known.sum()), int(found[known].sum()), int((found == depths)[known].sum())

        checked, total, equal = np.sum(self.each(look), axis=0)
        assert checked == np.count_nonzero(self.known)
        print(
            f"  {name:34} mean {total / checked:6.2f}, exact for {equal / checked:7.2%},"
            f" never above the depth ({perf_counter() - begun:.0f} s)",
            flush=True,
        )

    # -- single-tile moves ------------------------------------------------------------------------

    def partitions(self) -> None:
        """Hold the sums of the usual and the strong partition against the depths."""
        goal = self.puzzle.goal
        blank, _ = turned(goal)
        choices = (standard(goal.board, blank, strong=strong) for strong in (False, True))
        for partition in dict.fromkeys(choices):
            sums = sums_for(goal, partition.patterns)
            sides = [
                [decoded(sums, p, side, partial(self._values, sums, p, side)) for p in range(count)]
                for count in [len(partition.patterns)]
                for side in range(1 + (sums.mirror is not None))
            ]
            self.hold(
                partition.name + (" and its mirror" if len(sides) > 1 else ""),
                partial(self._sums, sides),
                even=goal.board.colours is not None,
            )

    @staticmethod
    def _values(sums: PatternSums, pattern: int, side: int, boards: Any) -> Any:
        homes = sums.homes(boards)
        return sums.database.inner_values(sums.reflected(homes) if side else homes)[:, pattern]

    def _sums(self, sides: list[list[View]], first: int, size: int) -> Any:
        best = np.zeros(size, np.int16)
        for views in sides:
            bounds = np.zeros(size, np.int16)
            for view in views:
                _add_values(self.depths, first, self.n, view.tiles, view.values, bounds, False)
            np.maximum(best, bounds, out=best)
        return best

    # -- multi-tile moves -------------------------------------------------------------------------

    def segments(self) -> None:
        """Hold the walking distances and the greatest pattern value against the depths."""
        search = segment_search(self.puzzle.goal, strong=True)
        sums = search.sums
        assert sums is not None
        views = [
            decoded(sums, p, side, partial(segment_values, sums, p, side))
            for p in range(len(sums.database.patterns))
            for side in range(1 + (sums.mirror is not None))
        ]
        walks = [self._walking(search, axis) for axis in range(2)]
        self.hold("walking distances", partial(self._walked, walks), even=False)
        name = f"and the greatest of {len(views)} tables"
        self.hold(name, partial(self._greatest, walks, views), even=False)

    def _walking(self, search: SegmentSearch, axis: int) -> tuple[Any, Any, Any]:
        """Return units, keys and needs of all pictures along an axis."""
        board: Any = self.puzzle.board
        rows, base = board.shape[axis], board.shape[1 - axis] + 1
        units = np.zeros((self.n, self.n), np.int64)
        for cell in range(self.n):
            for label in range(1, self.n):
                home = board.coordinates(self.puzzle.goal.cell_of(label))[axis]
                units[cell, label] = base ** (rows * board.coordinates(cell)[axis] + home)
        needs: dict[int, int] = {}
        labels = np.empty(CELLS, np.int64)
        for first, keys in self.each(lambda first, size: (first, self._keys(units, first, size))):
            unique, places = np.unique(keys, return_index=True)
            for key, place in zip(unique.tolist(), places.tolist(), strict=True):
                if key and key not in needs:
                    _unrank(first + place, self.n, self.n, labels)
                    state = self.puzzle.state(labels[: self.n].tolist())
                    needs[key] = search.needs(state)[axis]
        ordered = np.array(sorted(needs), np.int64)
        return units, ordered, np.array([needs[int(key)] for key in ordered], np.int16)

    def _keys(self, units: Any, first: int, size: int) -> Any:
        keys = np.zeros(size, np.int64)
        _pictures(self.depths, first, self.n, units, keys)
        return keys

    def _walked(self, walks: Any, first: int, size: int) -> Any:
        """The bound of alternating moves, the first along either axis."""
        one, other = (
            2
            * needs[np.searchsorted(known, self._keys(units, first, size)).clip(max=len(known) - 1)]
            for units, known, needs in walks
        )
        return np.minimum(np.maximum(one - 1, other), np.maximum(other - 1, one)).clip(min=0)

    def _greatest(self, walks: Any, views: list[View], first: int, size: int) -> Any:
        bounds = self._walked(walks, first, size)
        for view in views:
            _add_values(self.depths, first, self.n, view.tiles, view.values, bounds, True)
        return bounds


def main() -> None:
    for spec in sys.argv[1:] or ("3x3", "3x3:mtm", "4x3", "4x3:mtm"):
        audit = Audit(Puzzle.parse(spec))
        audit.segments() if audit.puzzle.metric == "mtm" else audit.partitions()


if __name__ == "__main__":
    main()
