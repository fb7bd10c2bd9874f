"""A sweep in partitions that exchange nothing but blocks: docs/beyond-one-machine.md in small.

    python benchmarks/partitions.py [board] [digits]          (4x3 and 2 if not given)
    python benchmarks/partitions.py --levels [board] [digits] (bytes by level, from known counts)

Every partition holds, for each cell of the blank, the states whose permutation begins with the
same leading Lehmer digits. A move rotates a window of the permutation and changes the digits of
the window alone: windows behind the leading digits stay in their partition; the others are sent as
whole blocks, through a mailbox, to where their new digits belong. No partition reads the memory of
another. The counts must be those of the engine, and the traffic is what the page says.

A state is a byte here, to keep the program short; traffic is told in packed bits, 60 in 64, of the
one parity that can be reached.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from math import factorial, prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from taquin import Board, Puzzle

COUNTS = Path(__file__).resolve().parent.parent / "tests" / "data" / "depth_distributions"
#: Bytes of a state's number in a list; as bits, 60 states take a word of 8 bytes.
NUMBER = 5
#: The table of levels shows every eighth, and the fullest.
SHOWN = 8

Digits = tuple[int, ...]
Bits = NDArray[np.uint8]


def turned(digits: Digits, way: range, step: int) -> Digits:
    """The digits after the entry at way[0] has been swapped along to the end of the way.

    Swapping neighbours changes their two digits only: (d, e) becomes (e, d - 1) if e < d, else
    (e + 1, d).
    """
    after = list(digits)
    for place in way:
        low = min(place, place + step)
        d, e = after[low], after[low + 1]
        after[low], after[low + 1] = (e, d - 1) if e < d else (e + 1, d)
    return tuple(after)


@dataclass(frozen=True)
class Move:
    """The blank goes from `source` to `target`: the window of digits low .. high - 1 changes."""

    source: int
    target: int

    @property
    def low(self) -> int:
        return min(self.source, self.target)

    @property
    def high(self) -> int:
        return max(self.source, self.target)

    def turn(self, digits: Digits, first: int) -> Digits:
        """The window's new digits; digits[0] belongs to place `first`."""
        last = self.high - 1
        # The blank goes down, and the tile that was at its target comes up to its place.
        if self.source < self.target:
            return turned(digits, range(last - first, self.low - first, -1), -1)
        return turned(digits, range(self.low - first, last - first), 1)


class Sweep:
    """All partitions, the plans of the moves, and the mailbox between them."""

    def __init__(self, puzzle: Puzzle, leading: int) -> None:
        self.board = puzzle.board
        self.k = self.board.n - 1
        self.leading = leading
        self.radices = [self.k - place for place in range(self.k)]
        self.local = self.radices[leading:]
        self.names = list(product(*map(range, self.radices[:leading])))
        size = prod(self.local)
        self.memory: dict[Digits, Bits] = {
            name: np.zeros((self.board.n, size), np.uint8) for name in self.names
        }
        self.memory[(0,) * leading][puzzle.goal.blank, 0] = 1
        self.moves = [
            Move(source, target)
            for source in range(self.board.n)
            for target in self.board.neighbours(source)
        ]
        self.crossing = [m for m in self.moves if m.high - m.low > 1 and m.low < leading]
        self.inside = {m: self._inside(m) for m in self.moves if m not in self.crossing}
        self.sent = 0

    def _inside(self, move: Move) -> tuple[int, NDArray[np.intp]]:
        """For a window behind the leading digits: the size behind it, and where words come from."""
        window = self.radices[move.low : move.high]
        if len(window) == 1:  # no tile is passed
            return prod(self.local), np.zeros(1, np.intp)
        origin = np.empty(prod(window), np.intp)
        for number, digits in enumerate(product(*map(range, window))):
            origin[np.ravel_multi_index(move.turn(digits, move.low), window)] = number
        return prod(self.radices[move.high :]), origin

    def level(self, black: set[int]) -> int:
        """Make the next level on the black cells, from the present one on the others."""
        mailbox: dict[Digits, list[tuple[int, int, Bits]]] = defaultdict(list)
        for name in self.names:
            self._send(name, black, mailbox)
        return sum(self._renew(name, black, mailbox.pop(name, [])) for name in self.names)

    def _send(
        self, name: Digits, black: set[int], mailbox: dict[Digits, list[tuple[int, int, Bits]]]
    ) -> None:
        """Cut the windows that cross the border into blocks, and post them."""
        for move in self.crossing:
            row = self.memory[name][move.source]
            if move.target not in black or not row.any():
                continue
            behind = self.radices[self.leading : max(self.leading, move.high)]
            blocks = row.reshape(prod(behind), -1)
            for number, digits in enumerate(product(*map(range, behind))):
                block = blocks[number]
                after = move.turn((*name, *digits)[move.low :], move.low)
                full = (*name[: move.low], *after)
                goes_to, place = full[: self.leading], full[self.leading :]
                start = int(np.ravel_multi_index(place, behind)) if behind else 0
                mailbox[goes_to].append((move.target, start * block.size, block.copy()))
                self.sent += block.size * (goes_to != name)

    def _renew(self, name: Digits, black: set[int], post: list[tuple[int, int, Bits]]) -> int:
        """Gather own windows and the post; what was there two levels ago is taken out."""
        mine = self.memory[name]
        found = {cell: np.zeros(mine.shape[1], np.uint8) for cell in black}
        for cell, start, block in post:
            found[cell][start : start + block.size] |= block
        for move, (size, origin) in self.inside.items():
            if move.target in black and mine[move.source].any():
                window = mine[move.source].reshape(-1, origin.size, size)
                rows = window[:, origin] if origin.size > 1 else window
                found[move.target] |= rows.reshape(-1)
        total = 0
        for cell, row in found.items():
            row &= ~mine[cell] & 1
            mine[cell] = row
            total += int(np.count_nonzero(row))
        return total


def known_counts(board: Board) -> list[int]:
    """The published counts of all levels, with the blank's goal in a corner."""
    for shape in (board.shape, (board.shape or ())[::-1]):
        path = COUNTS / f"{'x'.join(map(str, shape or ()))}_stm_corner.csv"
        if path.exists():
            lines = path.read_text("utf-8").splitlines()
            return [int(line.split(",")[1]) for line in lines if line[0].isdigit()]
    raise SystemExit(f"no counts of this board in {COUNTS.name}")


def size(count: float) -> str:
    """A number of bytes in three digits."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"


def levels(spec: str, leading: int) -> None:
    """Bytes held, moved and sent at each level, from published counts; no sweep is made.

    A level is kept as bits or as a list of numbers, whichever is shorter, and its states are taken
    to be spread evenly over the rows of its colour. To make a level, each edge reads one row of the
    level before; the level before that is read and the new one written.
    """
    puzzle = Puzzle.parse(spec)
    board, colours = puzzle.board, puzzle.board.colours
    assert colours is not None, "a board with colours, please"
    counts = known_counts(board)
    edges = sum(len(board.neighbours(cell)) for cell in range(board.n)) // 2
    start = colours[puzzle.goal.blank]
    rows = [sum(c == (start + d) % 2 for c in colours) for d in (0, 1)]
    states = factorial(board.n - 1) // 2
    bits = [rows[d % 2] * states / 60 * 8 for d in range(len(counts))]
    held = [min(full, NUMBER * count) for full, count in zip(bits, counts, strict=True)]
    row = [0.0, *(level / rows[d % 2] for d, level in enumerate(held))]
    moved = [
        edges * row[d] + (held[d - 2] if d > 1 else 0) + (held[d] if d else 0)
        for d in range(len(held))
    ]
    print("| level | states | one state in | kept as | held | moved | sent |")
    print("|---|---|---|---|---|---|---|")
    peak = counts.index(max(counts))
    for d, count in enumerate(counts):
        if d % SHOWN and d not in (peak, len(counts) - 1):
            continue
        part = rows[d % 2] * states / count
        share = f"{part:.1f}" if part < 100 else f"{part:,.0f}" if part < 1e6 else f"{part:.0e}"
        kept = "bits" if held[d] == bits[d] else "list"
        cells = [str(d), f"{count:,}", share, kept, size(held[d])]
        print("|", " | ".join([*cells, size(moved[d]), size(leading * row[d])]), "|")
    print()
    dense = sum(a == b for a, b in zip(held, bits, strict=True))
    chunk = sum(rows[d % 2] * states < 6000 * count for d, count in enumerate(counts))
    print(
        f"{spec}: {len(counts)} levels, {dense} of them kept as bits, {chunk} with more than one"
        f" state in 6,000; in all {size(sum(moved))} moved, {size(leading * sum(row[:-1]))} sent"
    )


def main() -> None:
    told = sys.argv[1:]
    by_level = told[:1] == ["--levels"]
    told = told[by_level:]
    spec = told[0] if told else "4x3"
    leading = int(told[1]) if len(told) > 1 else 2
    if by_level:
        levels(spec, leading)
        return
    puzzle = Puzzle.parse(spec)
    colours = puzzle.board.colours
    assert colours is not None, "a board with colours, please"
    expected = puzzle.explore().depth_counts
    sweep = Sweep(puzzle, leading)
    edges = len(sweep.moves) // 2
    print(
        f"{spec}: {len(sweep.names)} partitions of {puzzle.board.n} rows;"
        f" {len(sweep.crossing) // 2} of {edges} edges of the board cross their borders"
    )
    began = time.perf_counter()
    counts = [1]
    start = colours[puzzle.goal.blank]
    while True:
        colour = (start + len(counts)) % 2
        total = sweep.level({cell for cell in range(puzzle.board.n) if colours[cell] == colour})
        if not total:
            break
        counts.append(total)
    packed = sweep.sent / 2 / 60 * 8
    held = puzzle.board.n * prod(sweep.radices) / 2 / 60 * 8
    print(
        f"{sum(counts):,} states in {len(counts)} levels, {time.perf_counter() - began:.0f} s;"
        f" sent {packed / 1e6:,.0f} MB, {packed / held / len(counts):.2f} of the"
        f" {held / 1e6:,.1f} MB held, each level"
    )
    assert tuple(counts) == expected, "the counts differ from the engine's"
    print("the counts are the engine's")


if __name__ == "__main__":
    main()
