"""Reading what the judges write: numbers, marks and cases, each fault named with its case."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from typing import TYPE_CHECKING

from taquin.errors import InvalidState, ParseError, quote
from taquin.state import label_faults

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: The first token that is no whole number.
NO_NUMBER = re.compile(r"(?<!\S)(?![+-]?\d+(?!\S))\S+", re.ASCII)


class Numbers:
    """The whole numbers of a text, handed out in order.

    Parameters
    ----------
    text : str
        Numbers between any white space, line ends included.

    Attributes
    ----------
    values : (n,) array of int64
        The numbers up to the first thing that is none.
    fault : str
        What is wrong with that thing; empty if all are numbers. Whoever wants what stands there
        gets it as a `ParseError`: a task may end its input before, and let anything follow.

    Notes
    -----
    Cost: 25 nanoseconds a number; 8 bytes a number, no Python object each.
    """

    def __init__(self, text: str) -> None:
        self.values, self.fault = _parse(text)
        self._at = 0

    def __len__(self) -> int:
        """How many numbers are left."""
        return len(self.values) - self._at

    def take(self, count: int, what: str) -> NDArray[np.int64]:
        """Return the next `count` numbers; `what` names them in the error if they are missing."""
        if count > len(self):
            raise ParseError(
                self.fault
                or f"{what}: expected {count} numbers, got {len(self)} before the end of the input"
            )
        self._at += count
        return self.values[self._at - count : self._at]

    def one(self, what: str, least: int, most: int) -> int:
        """Return the next number, which must lie in `least` .. `most`."""
        value = int(self.take(1, what)[0])
        if not least <= value <= most:
            raise ParseError(f"{what}: expected a number from {least} to {most}, got {value}")
        return value

    def boards(self, count: int, cells: int) -> NDArray[np.int64]:
        """Return the next `count` boards, one a row, each checked."""
        whole = min(count, len(self) // cells)
        if whole < count:
            raise ParseError(
                self.fault
                or f"case {whole + 1} of {count}: expected {cells} numbers, got"
                f" {len(self) - whole * cells} before the end of the input"
            )
        rows = self.take(count * cells, "boards").reshape(count, cells)
        check_boards(rows)
        return rows

    def finish(self) -> None:
        """Raise `ParseError` if numbers are left, or something else follows."""
        if self.fault:
            raise ParseError(self.fault)
        if len(self):
            raise ParseError(f"{len(self)} numbers too many: the input should end before them")


def _parse(text: str) -> tuple[NDArray[np.int64], str]:
    """Return the numbers up to the first thing that is none, and what is wrong with that."""
    import numpy as np

    if not text.strip():
        return np.zeros(0, np.int64), ""
    try:
        with warnings.catch_warnings():  # older NumPy only warns of what it cannot read
            warnings.simplefilter("error")
            values = np.fromstring(text, np.int64, sep=" ")
        if not ("-" in text or "+" in text):
            return values, ""
    except (ValueError, DeprecationWarning):
        values = None
    found = NO_NUMBER.search(text)
    if found is None and values is not None:
        return values, ""
    if found is None:
        raise ParseError("expected whole numbers between blanks")
    line = len(text[: found.start() + 1].splitlines())
    fault = f"line {line}: expected whole numbers, got {quote(found.group())}"
    return _parse(text[: found.start()])[0], fault


def check_boards(rows: NDArray[np.int64]) -> None:
    """Raise `InvalidState` for the first row that is not 0..n-1 in some order."""
    import numpy as np

    cells = rows.shape[1]
    wrong = (np.sort(rows, axis=1) != np.arange(cells)).any(axis=1)
    if wrong.any():
        case = int(np.argmax(wrong))
        faults = label_faults(Counter(rows[case].tolist()), cells)
        where = f"case {case + 1}: " if len(rows) > 1 else ""
        raise InvalidState(f"{where}expected the numbers 0 to {cells - 1}; {'; '.join(faults)}")


def marks(text: str, count: int, blanks: str, where: str) -> tuple[int, ...]:
    """Read one board of single marks: digits, and one of `blanks` for the blank.

    >>> marks("1 2 3 4 x 5 6 7 8", 9, "xX", "line 1")
    (1, 2, 3, 4, 0, 5, 6, 7, 8)
    """
    found = "".join(text.split())
    if len(found) != count:
        raise ParseError(
            f"{where}: expected {count} marks (1 to {count - 1} and {blanks[0]}), got"
            f" {len(found)} in {quote(text.strip())}"
        )
    digits = "".join(map(str, range(1, count)))
    strange = [mark for mark in found if mark not in digits and mark not in blanks]
    if strange:
        raise ParseError(
            f"{where}: expected the marks 1 to {count - 1} and {blanks[0]}, got"
            f" {quote(strange[0])} in {quote(text.strip())}"
        )
    labels = tuple(0 if mark in blanks else int(mark) for mark in found)
    if len(set(labels)) < count:
        raise InvalidState(f"{where}: {'; '.join(label_faults(Counter(labels), count))}")
    return labels
