"""A sweep in partitions that exchange nothing but blocks: docs/beyond-one-machine.md in small.

    python benchmarks/partitions.py [board] [digits]          (4x3 and 2 if not given)

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
from math import prod

import numpy as np
from numpy.typing import NDArray

from taquin import Puzzle

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


def main() -> None:
    spec = sys.argv[1] if len(sys.argv) > 1 else "4x3"
    leading = int(sys.argv[2]) if len(sys.argv) > 2 else 2
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
