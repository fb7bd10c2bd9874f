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
from numbers import Integral

from taquin.board import Board, WallBoard
from taquin.errors import ParseError, TaquinError, Unsupported, quote
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
        if not all(isinstance(cell, Integral) and 0 <= cell < n for cell in [*cells, self.blank]):
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
        ordered = tuple(tuple(sorted(map(int, pattern))) for pattern in self.patterns)
        object.__setattr__(self, "patterns", ordered)
        object.__setattr__(self, "blank", int(self.blank))

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
        """Return the partition as it is drawn in ``partitions.txt``: a line for each row.

        Walls are drawn as ``#``; boards of more than two axes layer below layer, graphs in a line.
        """
        marks = ["."] * self.board.n
        for letter, cells in zip(LETTERS, self.patterns, strict=False):
            for cell in cells:
                marks[cell] = letter
        found = iter(marks)
        return "\n".join(
            " ".join("#" if place == "#" else next(found) for place in row)
            for row in _rows(self.board)
        )

    def __str__(self) -> str:
        """The heading and the drawing, as `parse` reads them."""
        return f"{self.board.spec} {self.name}: {self.source}\n{self.drawing()}"

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

    Each is a heading ``BOARD NAME: SOURCE`` and below it the board in rows, a letter a cell (``.``
    for the blank's goal, ``#`` for a wall); an empty line ends it. Lines between drawings that
    begin with ``#`` are remarks.

    Raises
    ------
    ParseError
        If a heading or a drawing cannot be read, or shows no partition.
    """
    block: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.strip() and (block or not line.startswith("#")):
            block.append(line)
        elif block and not line.strip():
            start = number - len(block)
            try:
                yield _read(block[0], [row.split() for row in block[1:]])
            except TaquinError as error:
                raise ParseError(f"the partition drawn from line {start} on: {error}") from None
            block = []


def _read(heading: str, rows: list[list[str]]) -> Partition:
    """Return the partition of one drawing."""
    title, _, source = f"{heading.strip()} ".partition(": ")
    words = title.split()
    if len(words) != 2:
        raise ParseError(f"expected a heading such as '4x4 7-8: source'; got {quote(heading)}")
    board = Board.parse(words[0])
    expected = _rows(board)
    walls = [[mark == "#" for mark in row] for row in expected]
    if [[mark == "#" for mark in row] for row in rows] != walls:
        sizes = [len(row) for row in rows]
        raise ParseError(
            f"expected rows of {[len(row) for row in expected]} marks with '#' where the board has"
            f" walls; got {sizes}"
        )
    marks = [mark for row in rows for mark in row if mark != "#"]
    unknown = sorted(set(marks) - {".", *LETTERS})
    if unknown or marks.count(".") != 1:
        raise ParseError(
            f"expected one '.' and letters from {LETTERS[0]} to {LETTERS[-1]}; got"
            f" {marks.count('.')} of '.'" + (f" and {quote(unknown[0])}" if unknown else "")
        )
    letters = sorted(set(marks) - {"."})
    patterns = tuple(
        tuple(cell for cell, mark in enumerate(marks) if mark == letter) for letter in letters
    )
    found = Partition(board, marks.index("."), patterns, source.strip())
    if found.name != words[1]:
        raise ParseError(f"the heading {quote(heading)} stands over a drawing of {found.name}")
    return found


def _rows(board: Board) -> list[str]:
    """The rows of a board's drawing: a dot for each cell, ``#`` for each wall."""
    if isinstance(board, WallBoard):
        return list(board.rows)
    width = board.shape[-1] if board.shape else board.n
    return ["." * width] * (board.n // width)


def find(board: Board, blank: int, name: str | None = None) -> Partition | None:
    """Return a drawn partition, turned so that the blank's goal is on `blank`, or None.

    Parameters
    ----------
    name : str, optional
        The sizes of its patterns, such as ``"7-8"``; without it, the one `standard` takes.

    Examples
    --------
    >>> print(find(Board.grid(4, 4), 15))
    4x4 7-7-1: this project; the halves of 7-8 without tile 14
    b b b b
    c b b b
    a a a a
    a a a .
    """
    if name is None:
        if board.spec not in CHOSEN:
            return None
        name = CHOSEN[board.spec][0]
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


def automatic(
    board: Board, blank: int, largest: int = 6, *, sizes: Sequence[int] | None = None
) -> Partition:
    """Make a partition for any connected board, of patterns whose tiles lie together.

    Parameters
    ----------
    largest : int
        Tiles of each pattern; the last one has the rest.
    sizes : sequence of int, optional
        Tiles of each pattern, instead.

    Raises
    ------
    Unsupported
        If the sizes are not whole numbers from 1 to `MOST_TILES`, at most `MOST_PATTERNS` of them,
        that make up all tiles, or the blank's goal is no cell.

    Notes
    -----
    Each pattern grows by the free cell with most neighbours in it; then tiles change places as
    long as more neighbours come into one pattern. This is done from three starts, and the best is
    taken; nothing is random. More starts bring more neighbours together, but no clearly better
    values; and large patterns with a small rest are as good as even ones.

    Cost: about 20 ms for 36 cells.

    Examples
    --------
    >>> print(automatic(Board.grid(3, 3), 0, 4))
    3x3 4-4: made by this program
    . a a
    b a a
    b b b
    """
    tiles = board.n - 1
    if sizes is None:
        if largest < 1:
            raise Unsupported(f"a pattern has 1 to {MOST_TILES} tiles; got {largest}")
        sizes = [min(largest, tiles - start) for start in range(0, tiles, largest)]
    if sum(sizes) != tiles or not all(0 < size <= MOST_TILES for size in sizes):
        raise Unsupported(
            f"sizes of 1 to {MOST_TILES} that make up the {tiles} tiles are needed; got"
            f" {list(sizes)}"
        )
    if len(sizes) > MOST_PATTERNS:
        raise Unsupported(f"at most {MOST_PATTERNS} patterns; got {len(sizes)}")
    if not 0 <= blank < board.n:
        raise Unsupported(f"the blank's goal is a cell in 0..{tiles}; got {blank}")
    return _made(board, blank, tuple(sizes))


@lru_cache(maxsize=64)
def _made(board: Board, blank: int, sizes: tuple[int, ...]) -> Partition:
    cells = [cell for cell in range(board.n) if cell != blank]
    near = [set(board.neighbours(cell)) for cell in range(board.n)]
    best: tuple[int, list[int]] | None = None
    for order in (cells, cells[::-1], _by_distance(board, blank)):
        of = _grown(near, blank, list(sizes), order)
        _improve(near, of, cells)
        score = _inside(near, of, cells)
        if best is None or score > best[0]:
            best = (score, of)
    assert best is not None
    groups = tuple(
        tuple(cell for cell in cells if best[1][cell] == number) for number in range(len(sizes))
    )
    return Partition(board, blank, groups, "made by this program")


def _by_distance(board: Board, start: int) -> list[int]:
    """All cells but one, the farthest from it first."""
    known, order = {start}, [start]
    for cell in order:
        for to in board.neighbours(cell):
            if to not in known:
                known.add(to)
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
    if board.n < 3:
        raise Unsupported(
            f"pattern databases need two tiles or more; {board.spec} has {board.n - 1}"
        )
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
