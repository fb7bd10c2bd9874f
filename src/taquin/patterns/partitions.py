"""Partitions: the tiles of a puzzle cut into patterns whose values add.

Which partition is best is a matter of trial: large patterns whose tiles lie together at the goal
know most. The drawn ones are in ``partitions.txt``; for all other boards one is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations
from math import comb, factorial

from taquin.board import Board
from taquin.errors import ParseError, Unsupported, quote
from taquin.patterns.symmetry import representative

#: Tiles of a pattern, and patterns of a partition, at most.
MOST_TILES = 8
MOST_PATTERNS = 8
#: Entries of all tables together that `standard` allows, and if it shall be strong.
ENTRIES = 6e8
STRONG_ENTRIES = 3e9
#: The partitions of `standard` where it does not make one: board, and then the strong one. On 5x5
#: three tables of 7 tiles, with 17 times the memory, do not make fewer nodes than four of 6.
CHOSEN = {"4x4": ("7-7-1", "7-8"), "5x5": ("6-6-6-6", "6-6-6-6")}
LETTERS = "abcdefgh"


@dataclass(frozen=True)
class Partition:
    """The tiles of a puzzle, known by their goal cells, in patterns.

    Attributes
    ----------
    board : Board
    blank : int
        The blank's goal cell.
    patterns : tuple of tuples of int
        Goal cells; every cell but the blank's in exactly one pattern.
    source : str

    Raises
    ------
    Unsupported
        If patterns overlap (a move would count twice: their values do not add), leave a tile out,
        hold the blank, or are empty or too large.

    Examples
    --------
    >>> print(Partition(Board.grid(2, 3), 0, ((1, 2), (3, 4, 5))).drawing())
    . a a
    b b b
    """

    board: Board
    blank: int
    patterns: tuple[tuple[int, ...], ...]
    source: str = ""

    def __post_init__(self) -> None:
        n = self.board.n
        cells = [cell for pattern in self.patterns for cell in pattern]
        shown = [list(pattern) for pattern in self.patterns]
        if not all(0 <= cell < n for cell in [*cells, self.blank]):
            raise Unsupported(f"goal cells are in 0..{n - 1}; got {shown}, blank {self.blank}")
        if len(set(cells)) < len(cells):
            raise Unsupported(f"patterns that share a tile do not add; got {shown}")
        if self.blank in cells:
            raise Unsupported(f"the blank, on cell {self.blank}, is in no pattern; got {shown}")
        if len(cells) < n - 1:
            missing = sorted(set(range(n)) - {*cells, self.blank})
            raise Unsupported(f"every tile is in a pattern; the goal cells {missing} are in none")
        if not all(0 < len(pattern) <= MOST_TILES for pattern in self.patterns):
            raise Unsupported(f"a pattern has 1 to {MOST_TILES} tiles; got {shown}")
        if len(self.patterns) > MOST_PATTERNS:
            raise Unsupported(f"at most {MOST_PATTERNS} patterns; got {len(self.patterns)}")
        ordered = tuple(tuple(sorted(pattern)) for pattern in self.patterns)
        object.__setattr__(self, "patterns", ordered)

    @property
    def name(self) -> str:
        """The sizes of the patterns, such as ``"7-8"``."""
        return "-".join(str(len(pattern)) for pattern in self.patterns)

    @property
    def entries(self) -> int:
        """Places of the tiles in all tables together; regions make them somewhat more."""
        n = self.board.n
        return sum(comb(n, len(cells)) * factorial(len(cells)) for cells in self.patterns)

    def drawing(self) -> str:
        """Return the partition as it is drawn in ``partitions.txt``: a line for each row."""
        marks = ["."] * self.board.n
        for letter, cells in zip(LETTERS, self.patterns, strict=False):
            for cell in cells:
                marks[cell] = letter
        width = self.board.shape[-1] if self.board.shape else self.board.n
        rows = [marks[start : start + width] for start in range(0, self.board.n, width)]
        return "\n".join(" ".join(row) for row in rows)

    def carried(self, symmetry: Sequence[int]) -> Partition:
        """Return the partition after a symmetry of the board: cell c becomes symmetry[c]."""
        patterns = tuple(tuple(symmetry[cell] for cell in cells) for cells in self.patterns)
        return Partition(self.board, symmetry[self.blank], patterns, self.source)


# -- drawn ones ---------------------------------------------------------------------------------


@cache
def drawn() -> tuple[Partition, ...]:
    """Return the partitions of ``partitions.txt``."""
    text = files("taquin.patterns").joinpath("partitions.txt").read_text("utf-8")
    return tuple(parse(text))


def parse(text: str) -> Iterator[Partition]:
    """Yield the partitions drawn in a text.

    Each is a heading ``BOARD NAME: SOURCE`` and below it the board in rows, a letter a cell;
    empty lines end a drawing, lines that begin with ``#`` are remarks.

    Raises
    ------
    ParseError
        If a heading or a drawing cannot be read.
    """
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for block in "\n".join(lines).split("\n\n"):
        heading, *rows = block.strip().splitlines() or [""]
        if not heading:
            continue
        title, _, source = heading.partition(": ")
        words = title.split()
        if len(words) != 2:
            raise ParseError(f"expected a heading such as '4x4 7-8: source'; got {quote(heading)}")
        board, marks = Board.parse(words[0]), " ".join(rows).split()
        if len(marks) != board.n or marks.count(".") != 1:
            raise ParseError(
                f"expected {board.n} letters with one '.' below {quote(heading)}; got {len(marks)}"
                f" with {marks.count('.')}"
            )
        letters = sorted(set(marks) - {"."})
        patterns = tuple(
            tuple(cell for cell, mark in enumerate(marks) if mark == letter) for letter in letters
        )
        found = Partition(board, marks.index("."), patterns, source)
        if found.name != words[1]:
            raise ParseError(f"{quote(heading)} has the drawing of {found.name}")
        yield found


def find(board: Board, blank: int, name: str) -> Partition | None:
    """Return the drawn partition of this name, turned so that the blank's goal is on `blank`."""
    neighbours = [board.neighbours(cell) for cell in range(board.n)]
    for partition in drawn():
        if partition.board != board or partition.name != name:
            continue
        least, there = representative(neighbours, partition.blank)
        mine, here = representative(neighbours, blank)
        if least == mine:
            back = sorted(range(board.n), key=here.__getitem__)
            return partition.carried([back[there[cell]] for cell in range(board.n)])
    return None


# -- made ones ----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def automatic(board: Board, blank: int, largest: int = 6) -> Partition:
    """Make a partition for any connected board: patterns of `largest` tiles that lie together.

    Each pattern grows from a cell far from the blank, always by the free cell with most neighbours
    in it; then tiles change places as long as more neighbours come into one pattern.
    """
    cells = [cell for cell in range(board.n) if cell != blank]
    sizes = [largest] * (len(cells) // largest)
    if len(cells) % largest:
        sizes.append(len(cells) % largest)
    near = [set(board.neighbours(cell)) for cell in range(board.n)]
    best: tuple[int, list[int]] | None = None
    for order in (cells, cells[::-1], _by_distance(board, blank)):
        of = _grown(near, blank, sizes, order)
        _improve(near, of, cells)
        score = _inside(near, of, cells)
        if best is None or score > best[0]:
            best = (score, of)
    assert best is not None
    groups = tuple(
        tuple(cell for cell in cells if best[1][cell] == number) for number in range(len(sizes))
    )
    return Partition(board, blank, groups, "made by this program")


def _by_distance(board: Board, blank: int) -> list[int]:
    """All cells but the blank's, the farthest from it first."""
    distance = {blank: 0}
    order = [blank]
    for cell in order:
        for to in board.neighbours(cell):
            if to not in distance:
                distance[to] = distance[cell] + 1
                order.append(to)
    return order[:0:-1]


def _grown(near: list[set[int]], blank: int, sizes: list[int], order: list[int]) -> list[int]:
    """The number of the pattern of each cell, -1 for the blank's."""
    of = [-1] * len(near)
    free = [cell for cell in order if cell != blank]
    for number, size in enumerate(sizes):
        group: list[int] = []
        while len(group) < size:

            def liking(cell: int, number: int = number) -> tuple[int, int]:
                inside = sum(of[to] == number for to in near[cell])
                outside = sum(of[to] == -1 and to != blank for to in near[cell])
                return inside, -outside

            cell = max(free, key=liking)
            free.remove(cell)
            of[cell] = number
            group.append(cell)
    return of


def _inside(near: list[set[int]], of: list[int], cells: list[int]) -> int:
    """Neighbours in one pattern, each pair twice."""
    return sum(of[to] == of[cell] for cell in cells for to in near[cell])


def _improve(near: list[set[int]], of: list[int], cells: list[int]) -> None:
    """Let two tiles change patterns as long as more neighbours come together."""

    def own(cell: int) -> int:
        return sum(of[to] == of[cell] for to in near[cell])

    better = True
    while better:
        better = False
        for a, b in combinations(cells, 2):
            if of[a] == of[b]:
                continue
            before = own(a) + own(b)
            of[a], of[b] = of[b], of[a]
            if own(a) + own(b) > before:
                better = True
            else:
                of[a], of[b] = of[b], of[a]


def standard(board: Board, blank: int, *, strong: bool = False) -> Partition:
    """Return the partition that a search takes if nothing else is said.

    The drawn one that serves best, or the one made with the largest patterns whose tables stay
    within `ENTRIES` (`STRONG_ENTRIES`) together.
    """
    if board.spec in CHOSEN:
        found = find(board, blank, CHOSEN[board.spec][strong])
        if found is not None:
            return found
    most = STRONG_ENTRIES if strong else ENTRIES
    least = -(-(board.n - 1) // MOST_PATTERNS)
    for largest in range(min(MOST_TILES, board.n - 2), max(1, least) - 1, -1):
        partition = automatic(board, blank, largest)
        if partition.entries <= most:
            return partition
    raise Unsupported(
        f"pattern databases for {board.spec} would be too large: {board.n - 1} tiles in at most"
        f" {MOST_PATTERNS} patterns"
    )
