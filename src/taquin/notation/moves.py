"""Moves: letters, tiles, cells, words and run-lengths, in and out.

Inside the package a sequence of moves is a *walk*: the cells that the blank visits, without the
one it starts from. Every notation here is a way to write a walk::

    blank       RDLU             the way the BLANK goes (judges, most of the literature)
    tile        LURD             the way the TILE goes: the opposite letters (speed-solving)
    tiles       6 7 11           the numbers of the tiles that move
    cells       5 6 10           the cells the blank goes to; (1,1) (1,2) is read too
    pairs       (1,1) (1,2)      the same as row and column
    words       RIGHT DOWN       the way the blank goes; a count may stand first
    tile-words  LEFT UP          the way the tile goes
    rle         R2 D L3          blank letters with counts
    tile-rle    L2UR3            tile letters with counts, without blanks (slidysim)

Boards without directions (graphs, more than three axes) write cells for ``blank`` and numbers
of tiles for ``tile``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from taquin.board import OPPOSITE, Board, GridBoard, WallBoard
from taquin.errors import IllegalMove, ParseError, Unsupported, quote
from taquin.notation.tokens import clean
from taquin.state import State

MOVE_FORMS = (
    "blank", "tile", "tiles", "cells", "words", "rle", "tile-rle", "tile-words", "pairs",
)  # fmt: skip
MAX_MOVES = 10_000_000

WORDS = {"U": "UP", "D": "DOWN", "L": "LEFT", "R": "RIGHT", "F": "FRONT", "B": "BACK"}
_LETTER_OF = {word: letter for letter, word in WORDS.items()} | {
    "FORWARD": "F", "BACKWARD": "B", "BACKWARDS": "B", "FORWARDS": "F",
} | {letter: letter for letter in WORDS}  # fmt: skip
_SEPARATORS = " \t\n,;.|/-_'\"[](){}>"
_TURNED = ("tile", "tile-rle", "tile-words")

Walk = tuple[int, ...]


def read_moves(text: str, start: State, notation: str = "blank") -> Walk:
    """Read a sequence of moves from `start`; return the cells that the blank visits.

    Parameters
    ----------
    notation : str
        One of `MOVE_FORMS`. Letters and words may be in any case; separators are free,
        and counts such as ``R2`` are understood in every notation of letters.

    Raises
    ------
    ParseError
        If the text is not written in this notation.
    IllegalMove
        If the board does not allow a move; the message names the step and why.

    Examples
    --------
    >>> from taquin.board import Board
    >>> start = State([1, 2, 3, 4, 0, 5, 6, 7, 8], Board.grid(3, 3))
    >>> read_moves("ul", start), read_moves("D R", start, "tile"), read_moves("2 1", start, "tiles")
    ((1, 0), (1, 0), (1, 0))
    """
    _check_notation(notation)
    if not isinstance(text, str):
        text = " ".join(map(str, text)) if isinstance(text, (list, tuple)) else str(text)
    plain = clean(text)
    if notation in ("cells", "pairs"):
        return follow_cells(start, _cells(plain, start.board))
    if notation == "tiles" or (notation == "tile" and not start.board.directions):
        return tuple(_by_tiles(start, _integers(plain, "the number of a tile")))
    if not start.board.directions:
        if notation != "blank":
            raise Unsupported(_no_letters(start.board, notation))
        return follow_cells(start, _integers(plain, "the number of a cell"))
    if notation in ("words", "tile-words"):
        letters: Iterable[str] = _read_words(plain)
    else:
        letters = _read_runs(plain)
    if notation in _TURNED:
        letters = (OPPOSITE[letter] for letter in letters)
    return tuple(_by_letters(start, letters, notation in _TURNED))


def write_moves(start: State, walk: Sequence[int], notation: str = "blank") -> str:
    """Write a walk of the blank from `start` in one of `MOVE_FORMS`.

    Raises
    ------
    IllegalMove
        If a step of the walk does not lead to a neighbouring cell.
    Unsupported
        If the board has no directions and the notation needs them.

    Examples
    --------
    >>> from taquin.board import Board
    >>> start = State([1, 2, 3, 4, 0, 5, 6, 7, 8], Board.grid(3, 3))
    >>> [write_moves(start, (1, 2, 5, 8), form) for form in ("blank", "tile", "tiles", "rle")]
    ['URDD', 'DLUU', '2 3 5 8', 'U R D2']
    """
    _check_notation(notation)
    if notation == "cells":
        return " ".join(str(to) for _, to in _steps(start, walk))
    if notation == "pairs":
        places = (start.board.coordinates(to) for _, to in _steps(start, walk))
        return " ".join(f"({','.join(map(str, place))})" for place in places)
    if notation == "tiles" or (notation == "tile" and not start.board.directions):
        return " ".join(str(tile) for tile, _ in _moved_tiles(start, walk))
    if not start.board.directions and notation != "blank":
        raise Unsupported(_no_letters(start.board, notation))
    letters = [letter for letter, _ in _steps(start, walk)]
    if not start.board.directions:
        return " ".join(letters)
    if notation in _TURNED:
        letters = [OPPOSITE[letter] for letter in letters]
    if notation in ("words", "tile-words"):
        return " ".join(WORDS[letter] for letter in letters)
    if notation in ("rle", "tile-rle"):
        runs = [(letter, len(list(run))) for letter, run in groupby(letters)]
        parts = [letter + (str(count) if count > 1 else "") for letter, count in runs]
        return ("" if notation == "tile-rle" else " ").join(parts)
    return "".join(letters)


def follow(start: State, walk: Iterable[int]) -> State:
    """Return the state at the end of a walk. Cost: O(n + moves).

    Raises
    ------
    IllegalMove
        If a step does not lead to a neighbouring cell.
    """
    tiles, blank = list(start.tiles), start.blank
    for _, to in _steps(start, walk):
        tiles[blank], tiles[to] = tiles[to], 0
        blank = to
    return State.trusted(tuple(tiles), start.board, blank)


def merge(start: State, walk: Iterable[int]) -> Walk:
    """Return the walk without steps that undo each other: ``L2 R`` is ``L``.

    The result is the free reduction: it does not depend on the order of cancelling.
    """
    return reduced(start.blank, (to for _, to in _steps(start, walk)))


def reduced(blank: int, walk: Iterable[int]) -> Walk:
    """Return what `merge` does, for a walk that is known to be one: nothing is checked."""
    cells = [blank]
    for to in walk:
        if len(cells) > 1 and cells[-2] == to:
            cells.pop()
        else:
            cells.append(to)
    return tuple(cells[1:])


def invert(start: State, walk: Sequence[int]) -> Walk:
    """Return the walk that leads back: from the end of `walk` to `start`."""
    return (*reversed(tuple(walk)[:-1]), start.blank) if walk else ()


def moves_length(start: State, walk: Sequence[int], metric: str = "stm") -> int:
    """Return the length of a walk in single tiles (``stm``) or maximal straight runs (``mtm``).

    Raises
    ------
    Unsupported
        For an unknown metric, and for ``mtm`` on a graph, which has no straight lines.
    """
    if metric not in ("stm", "mtm"):
        raise Unsupported(f"the metrics are 'stm' and 'mtm'; got {quote(metric)}")
    steps = list(_steps(start, walk))
    if metric == "stm":
        return len(steps)
    if start.board.shape is None:
        raise Unsupported("a graph has no straight lines: its moves are counted in 'stm'")
    if start.board.directions:
        ways: list[object] = [letter for letter, _ in steps]
    else:
        cells = [start.blank, *(to for _, to in steps)]
        ways = [_way(start.board, a, b) for a, b in pairwise(cells)]
    return sum(1 for _ in groupby(ways))


def _way(board: Board, a: int, b: int) -> tuple[int, int]:
    """Return the axis and the sign of a step on a grid of any number of axes."""
    here, there = board.coordinates(a), board.coordinates(b)
    axis = next(i for i, (p, q) in enumerate(zip(here, there, strict=True)) if p != q)
    gap = there[axis] - here[axis]
    return axis, (1 if gap > 0 else -1) * (1 if abs(gap) == 1 else -1)


# -- walking -----------------------------------------------------------------------------------


def _steps(start: State, walk: Iterable[int]) -> Iterator[tuple[str, int]]:
    """Yield (letter, cell) for each step of a walk, checked."""
    board, blank = start.board, start.blank
    letters: dict[int, dict[int, str]] = {}
    for step, to in enumerate(walk, 1):
        if blank not in letters:
            letters[blank] = {cell: letter for letter, cell in board.moves(blank)}
        letter = letters[blank].get(to)
        if letter is None:
            near = ", ".join(map(str, board.neighbours(blank))) or "none"
            raise IllegalMove(
                f"step {step}: the blank on cell {blank} cannot go to cell {quote(to)}; its"
                f" neighbours are {near}",
                step,
            )
        yield letter, to
        blank = to


def follow_cells(start: State, cells: Iterable[int]) -> Walk:
    """Return `cells` as a checked walk."""
    return tuple(to for _, to in _steps(start, cells))


def _moved_tiles(start: State, walk: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield (tile, cell) for each step: the tile that moves and the cell it leaves."""
    tiles, blank = list(start.tiles), start.blank
    for _, to in _steps(start, walk):
        tile = tiles[to]
        yield tile, to
        tiles[blank], tiles[to] = tile, 0
        blank = to


def _by_letters(start: State, letters: Iterable[str], by_tile: bool) -> Iterator[int]:
    board, blank = start.board, start.blank
    for step, letter in enumerate(letters, 1):
        if step > MAX_MOVES:
            raise ParseError(f"there are more than {MAX_MOVES:,} moves")
        to = board.step(blank, letter)
        if to is None:
            named = OPPOSITE[letter] if by_tile else letter
            allowed = [OPPOSITE[way] if by_tile else way for way, _ in board.moves(blank)]
            if letter not in board.directions:
                why = f"this board has the directions {' '.join(board.directions)}"
            elif by_tile:
                why = "no tile can move that way into the blank"
            else:
                why = "the blank would leave the board"
            raise IllegalMove(
                f"step {step}: {named} is not possible with the blank on cell {blank}"
                f"{_place(board, blank)}: {why}; possible: {' '.join(allowed) or 'none'}",
                step,
            )
        yield to
        blank = to


def _place(board: Board, cell: int) -> str:
    if board.shape is None or len(board.shape) != 2:
        return ""
    row, column = board.coordinates(cell)
    return f" (row {row + 1}, column {column + 1})"


def _by_tiles(start: State, numbers: Iterable[int]) -> Iterator[int]:
    board, tiles, blank = start.board, list(start.tiles), start.blank
    for step, tile in enumerate(numbers, 1):
        cells = [cell for cell in board.neighbours(blank) if tiles[cell] == tile and tile]
        if len(cells) != 1:
            near = ", ".join(str(tiles[cell]) for cell in board.neighbours(blank)) or "none"
            why = "is beside the blank more than once" if cells else "is not beside the blank"
            raise IllegalMove(
                f"step {step}: tile {quote(tile)} {why} on cell {blank}; beside it: {near}", step
            )
        tiles[blank], tiles[cells[0]] = tile, 0
        blank = cells[0]
        yield blank


# -- texts -------------------------------------------------------------------------------------


def _check_notation(notation: str) -> None:
    if notation not in MOVE_FORMS:
        raise ParseError(
            f"there is no notation {quote(notation)}; the notations are {', '.join(MOVE_FORMS)}"
        )


def _no_letters(board: Board, notation: str) -> str:
    return (
        f"the board {quote(board.spec)} has no directions, which {notation!r} needs: use 'cells'"
        " or 'tiles'"
    )


def _split(text: str) -> list[str]:
    return text.translate(dict.fromkeys(map(ord, _SEPARATORS), " ")).split()


def _read_words(text: str) -> list[str]:
    words = _split(text)
    count = None
    if words and words[0].isdigit():
        count, words = words[0], words[1:]
    letters = []
    for number, word in enumerate(words, 1):
        letter = _LETTER_OF.get(word.upper())
        if letter is None:
            raise ParseError(
                f"word {number}, {quote(word)}, is not a move: the words are UP DOWN LEFT RIGHT"
                " (FRONT BACK)"
            )
        letters.append(letter)
    if count is not None and (len(count) > 9 or int(count) != len(letters)):
        raise ParseError(
            f"the first line announces {quote(count)} moves, but {len(letters)} follow"
        )
    return letters


def _read_runs(text: str) -> Iterator[str]:
    """Read ``R2 D L3``; a count belongs to the letter before it."""
    done = 0
    for match in re.finditer(r"([A-Za-z])\s?([0-9]*)|([^\s,;.|/\-_'\"\[\](){}>])", text):
        letter, count, odd = match.groups()
        if odd or letter.upper() not in WORDS:
            what = "a count without a letter before it" if odd and odd.isdigit() else "not a move"
            raise ParseError(
                f"character {match.start() + 1}, {quote(odd or letter)}, is {what}: expected"
                " letters U D L R (F B) with counts, such as R2 D L3"
            )
        times = int(count or 1) if len(count) < 9 else MAX_MOVES + 1
        done += times
        if done > MAX_MOVES:
            raise ParseError(f"there are more than {MAX_MOVES:,} moves at character {match.end()}")
        for _ in range(times):
            yield letter.upper()


def _integers(text: str, what: str) -> list[int]:
    numbers = []
    for position, word in enumerate(_split(text), 1):
        if not (word.isascii() and word.isdigit() and len(word) <= 18):
            raise ParseError(f"item {position}, {quote(word)}, is not {what}")
        numbers.append(int(word))
    return numbers


def _cells(text: str, board: Board) -> Iterator[int]:
    """Read cells: numbers, or places such as (0,1) in brackets."""
    groups = re.findall(r"[(\[]\s?([0-9][0-9,;\s]{0,200})[)\]]", text)
    axes = len(board.shape or (0,))
    places = [_integers(group, "a coordinate") for group in groups]
    if axes < 2 or not places or any(len(place) != axes for place in places):
        yield from _integers(text, "the number of a cell")
        return
    for step, place in enumerate(places, 1):
        shape = board.shape or ()
        inside = all(at < length for at, length in zip(place, shape, strict=True))
        if isinstance(board, GridBoard) and inside:
            yield board.cell(*place)
        elif isinstance(board, WallBoard) and inside and board.rows[place[0]][place[1]] == ".":
            yield board._cell_at[place[0] * shape[1] + place[1]]
        else:
            raise IllegalMove(
                f"step {step}: there is no cell ({', '.join(map(str, place))}) on this board; rows"
                " and columns count from 0",
                step,
            )
