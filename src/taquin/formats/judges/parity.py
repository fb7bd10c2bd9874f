"""The tasks that ask only whether a board can be solved.

A move exchanges the blank with a tile, and takes one step: the parity of the permutation and the
parity of the blank's distance change together. On grids of any dimension whose goal is reading
order with the blank last, they agree exactly if the board can be solved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from taquin.board import Board
from taquin.errors import ParseError
from taquin.formats.judges.reading import Numbers, check_boards

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A task may give up to 10^5 boards; more is no fault of the reader.
MANY = 10**9


def zoj2004(text: str) -> str:
    """Cubes M x M x M of up to 10^6 cells."""
    given = Numbers(text)
    lines = []
    cases = given.one("the number of cases", 0, MANY)
    for case in range(1, cases + 1):
        size = given.one(f"case {case}: the size M", 1, 400)
        labels = given.take(size**3, f"case {case} of {cases}, a cube of size {size}")
        solvable = grid_solvable(labels, (size,) * 3, f"case {case}")
        lines.append("Puzzle can be solved." if solvable else "Puzzle is unsolvable.")
    given.finish()
    return answer(lines)


def poj2893(text: str) -> str:
    """Boards M x N up to 999 x 999, until ``0 0``; what follows is not looked at."""
    given = Numbers(text)
    lines: list[str] = []
    while len(given):
        case = len(lines) + 1
        rows, columns = given.take(2, f"case {case}: M and N").tolist()
        if rows == columns == 0:
            return answer(lines)
        if not (2 <= rows <= 10_000 and 2 <= columns <= 10_000):
            raise ParseError(f"case {case}: expected M and N from 2, got {rows} {columns}")
        labels = given.take(rows * columns, f"case {case}, a board {rows} x {columns}")
        lines.append("YES" if grid_solvable(labels, (rows, columns), f"case {case}") else "NO")
    given.finish()
    return answer(lines)


def hdu6620(text: str) -> str:
    """Up to 10^5 boards 4 x 4: Yes / No."""
    return _fifteens(text, "Yes", "No")


def infoarena(text: str) -> str:
    """Up to 10^5 boards 4 x 4, an empty line before each: DA / NU."""
    return _fifteens(text, "DA", "NU")


def emaxx(text: str) -> str:
    """One board 4 x 4: the number of inversions N plus the row K of the blank must be even."""
    given = Numbers(text)
    board = given.take(16, "the board")
    given.finish()
    check_boards(board[None, :])
    return answer(["Solution Exists" if _fifteens_solvable(board[None, :])[0] else "No Solution"])


def _fifteens(text: str, yes: str, no: str) -> str:
    given = Numbers(text)
    boards = given.boards(given.one("the number of boards", 0, MANY), 16)
    given.finish()
    return answer([yes if solvable else no for solvable in _fifteens_solvable(boards)])


def _fifteens_solvable(boards: NDArray[np.int64]) -> list[bool]:
    """Decide each row: inversions of the tiles plus the row of the blank, from 1, are even.

    Counted over the whole batch at once: 120 comparisons of columns. Cost: 10^5 boards in about
    0.02 s, with nothing to compile.
    """
    import numpy as np

    cells = np.ascontiguousarray(boards.T.astype(np.int8))
    blank = np.argmin(cells, axis=0)
    odd = (blank // 4 + 1) % 2 == 1
    for i in range(16):
        for j in range(i + 1, 16):
            odd ^= (cells[i] > cells[j]) & (cells[j] != 0)
    return (~odd).tolist()  # type: ignore[no-any-return]


def grid_solvable(labels: NDArray[np.int64], shape: tuple[int, ...], where: str) -> bool:
    """Whether a grid reaches reading order with the blank last.

    Parameters
    ----------
    labels : (n,) array of integers
        The labels in reading order, 0 the blank.
    shape : tuple of int
        The lengths of the axes, each at least 2; or all 1.
    where : str
        Names the board in an error.

    Notes
    -----
    Cost: O(n log n) gathers, 0.12 s for 10^6 cells; that is less than importing a compiler.
    """
    import numpy as np

    n = len(labels)
    try:
        in_range = labels.min() == 0 and labels.max() == n - 1
        if not in_range or (np.bincount(labels, minlength=n) != 1).any():
            check_boards(labels[None, :])
    except ValueError as error:
        raise type(error)(f"{where}: {error}") from None
    board = Board.grid(*shape)
    blank = int(np.argmin(labels))
    # Label t belongs on cell t - 1, the blank on the last one.
    home = (labels - 1).astype(np.int32)
    home[blank] = n - 1
    return parity(home) == board.distance(blank, n - 1) % 2


def parity(permutation: NDArray[np.int32]) -> int:
    """Return the parity of a permutation of 0..n-1: n minus the number of its cycles, mod 2.

    Every element learns the least element of its cycle from the one 1, 2, 4, ... steps ahead
    (pointer doubling); a cycle has exactly one element that is its own least.

    >>> import numpy as np
    >>> parity(np.array([1, 2, 0, 3], np.int32)), parity(np.array([1, 0], np.int32))
    (0, 1)
    """
    import numpy as np

    n = len(permutation)
    ahead = permutation.copy()
    least = np.arange(n, dtype=np.int32)
    scratch = np.empty_like(least)
    reach = 1
    while reach < n:
        # "clip" spares the check of every index; all are in range
        np.take(least, ahead, out=scratch, mode="clip")
        np.minimum(least, scratch, out=least)
        np.take(ahead, ahead, out=scratch, mode="clip")
        ahead, scratch = scratch, ahead
        reach *= 2
    return (n - int(np.count_nonzero(least == np.arange(n)))) % 2


def answer(lines: list[str]) -> str:
    """Return the lines of an answer, each with its line end."""
    return "".join(line + "\n" for line in lines)
