"""Every error that taquin raises.

::

    TaquinError
    ├── InvalidBoard   (ValueError)  a size, a drawing or an edge list that is no board
    ├── ParseError     (ValueError)  a text that cannot be read, or that can be read in several ways
    ├── InvalidState   (ValueError)  labels that are no state of the board
    ├── IllegalMove    (ValueError)  a move that the board does not allow
    ├── Unsupported    (ValueError)  a question that has no answer on this board, said plainly
    ├── Unsolvable                   no move sequence exists; carries the verdict
    ├── LimitReached                 time, memory or depth ran out; carries what is known
    └── TableError                   a table on disk that cannot be used

Each message is one sentence that says what was got, what was expected, and what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


class TaquinError(Exception):
    """The base of every error of this package."""


class InvalidBoard(TaquinError, ValueError):
    """A size, a drawing or an edge list that does not describe a board."""


class ParseError(TaquinError, ValueError):
    """A text that cannot be read, or that can be read in more than one way.

    Attributes
    ----------
    readings : tuple of str
        The readings between which the text does not decide; empty if it has none.
    """

    def __init__(self, message: str, readings: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.readings = tuple(readings)


class InvalidState(TaquinError, ValueError):
    """Labels that are not a state of the board: missing, repeated, out of range, too many."""


class IllegalMove(TaquinError, ValueError):
    """A move that the board does not allow.

    Attributes
    ----------
    step : int
        The number of the offending move, counted from 1; 0 when it stands alone.
    """

    def __init__(self, message: str, step: int = 0) -> None:
        super().__init__(message)
        self.step = step


class Unsupported(TaquinError, ValueError):
    """A question that this board, metric or method does not answer."""


class Unsolvable(TaquinError):
    """No sequence of moves leads to the goal.

    Attributes
    ----------
    verdict : Verdict
        The numbers that prove it.
    """

    def __init__(self, message: str, verdict: Any) -> None:
        super().__init__(message)
        self.verdict = verdict


class LimitReached(TaquinError):
    """A limit of time, memory or depth was reached: the board may well be solvable.

    Attributes
    ----------
    solution : Solution or None
        The best solution found so far.
    lower_bound : int
        A proved lower bound of the optimal length, in moves.
    stats : Stats or None
        The counters of the search that was stopped.
    """

    def __init__(
        self, message: str, solution: Any = None, lower_bound: int = 0, stats: Any = None
    ) -> None:
        super().__init__(message)
        self.solution = solution
        self.lower_bound = lower_bound
        self.stats = stats


class TableError(TaquinError):
    """A table on disk that is damaged, foreign, newer than this program, or not writable."""


def quote(text: object, limit: int = 40) -> str:
    r"""Return `text` between quotes for a message: shortened, control characters escaped.

    >>> quote("1 2" + chr(0) + "x" * 100, 10)
    "'1 2\\x00xxxxxx'..."
    """
    if isinstance(text, int):
        return f"a number of {text.bit_length():,} bits" if abs(text) >> 128 else str(text)
    words = text if isinstance(text, str) else str(text)
    return repr(words[:limit]) + ("..." if len(words) > limit else "")


def require_whole(**values: tuple[Any, int]) -> None:
    """Raise `Unsupported` for what is neither None nor a whole number of at least the given one.

    >>> require_whole(depth=(3, 0), workers=(None, 1))
    """
    for name, (value, least) in values.items():
        if value is not None and not (hasattr(value, "__index__") and value >= least):
            raise Unsupported(f"{name} is a whole number of at least {least}; got {quote(value)}")
