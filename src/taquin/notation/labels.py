"""From marks to labels: which mark is the blank, and how the tiles are numbered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from taquin.errors import quote
from taquin.notation.model import EMPTY, Mark
from taquin.state import label_faults

#: What people write for the blank beside 0 and -1, in lower case.
BLANKS = frozenset(
    (
        "",
        EMPTY,
        "_",
        "__",
        "___",
        "____",
        ".",
        "..",
        "x",
        "-",
        "--",
        "b",
        "*",
        "?",
        "none",
        "null",
        "nil",
        "blank",
        "empty",
        "gap",
        "hole",
        "space",
    )
)
# A longer number is no label of any board, and int() refuses thousands of digits.
_NUMBER = re.compile(r"([+-]?[0-9]{1,18})(?:\.0{0,18}(?:e\+00)?)?\Z")
_POWER = re.compile(r"[0-9](?:\.[0-9]{0,18})?e\+0[0-8]\Z")  # 1.200000000000000000e+01

_EMPTY: dict[Mark, str] = {"": "as an empty cell", EMPTY: "as an empty cell", None: "as None"}

Labels = tuple[list[int], tuple[str, ...]]


def number(mark: Mark) -> int | None:
    """Return the whole number that a mark writes, or None; ``3.0`` is one."""
    if not isinstance(mark, str):
        return mark
    if mark.isascii() and mark.isdigit() and len(mark) < 19:
        return int(mark)
    found = _NUMBER.match(mark)
    if found:
        return int(found[1])
    if _POWER.match(mark) and float(mark).is_integer():
        return int(float(mark))
    return None


def is_blank(mark: Mark) -> bool:
    """Whether a mark is one of the words and signs for the blank."""
    return mark is None or (isinstance(mark, str) and mark.lower() in BLANKS)


def is_label(mark: Mark, n: int = 36) -> bool:
    """Whether a mark can be a label of n cells: a number >= -1, a blank, a letter below n."""
    value = number(mark)
    if value is not None:
        return -1 <= value < 10**18
    digit = _digit(mark)
    return is_blank(mark) or (digit is not None and digit < n)


def interpret(marks: Sequence[Mark], repeats: bool = False) -> list[Labels]:
    """Return every way to read `marks` as the labels of a state, with notes; often one, or none.

    Cost: O(n).
    """
    n = len(marks)
    if n == 0:
        return []
    plain = set(map(type, marks)) == {int}
    values: list[Any] = list(marks) if plain else [number(mark) for mark in marks]
    odd = [] if plain else [i for i, value in enumerate(values) if value is None]
    found: list[Labels] = []
    if not odd:
        found += _numbers(values, repeats)
    elif len(odd) == 1 and is_blank(marks[odd[0]]):
        found += _with_blank(values, odd[0], marks[odd[0]], repeats)
    if n <= 64 or repeats:
        found += _base36(marks, repeats)
    if len(found) < 2:
        return found
    unique: dict[tuple[int, ...], Labels] = {}
    for labels, notes in found:
        unique.setdefault(tuple(labels), (labels, notes))
    return list(unique.values())


def _is_range(values: Sequence[int], first: int) -> bool:
    """Whether `values` are first, first + 1, ..., each once."""
    n = len(values)
    if n == 0 or min(values) != first or max(values) != first + n - 1:
        return False
    return len(set(values)) == n


def _numbers(values: list[int], repeats: bool) -> list[Labels]:
    """Read plain numbers: 0 is the blank, or -1, or the greatest where neither is there."""
    n = len(values)
    if _is_range(values, 0):
        return [(values, ())]
    if _is_range(values, 1):
        note = f"no 0 or other mark of the blank: the greatest label, {n}, is taken as the blank"
        return [([value % n for value in values], (note,))]
    if values.count(-1) == 1:
        return _with_blank(values, values.index(-1), "-1", repeats)
    if repeats and min(values) == 0 and values.count(0) == 1:
        return [(values, ())]
    return []


def _with_blank(values: Sequence[int | None], at: int, mark: Mark, repeats: bool) -> list[Labels]:
    """Read numbers with a blank at index `at`: tiles from 1, or from 0 and then shifted by one."""
    tiles = [value for value in (*values[:at], *values[at + 1 :]) if value is not None]
    note = f"the blank is written {_EMPTY.get(mark) or quote(mark)}"
    least = min(tiles, default=1)
    if not (least >= 0 if repeats else least in (0, 1) and _is_range(tiles or [1], least)):
        return []
    if least != 0:
        return [([*tiles[:at], 0, *tiles[at:]], (note,))]
    shifted = [tile + 1 for tile in tiles]
    return [
        (
            [*shifted[:at], 0, *shifted[at:]],
            (note, "the tiles are numbered from 0: every label is shifted by one"),
        )
    ]


def _digit(mark: Mark) -> int | None:
    """Return the value of one digit in base 36, or None."""
    if not isinstance(mark, str) or len(mark) != 1 or not (mark.isascii() and mark.isalnum()):
        return None
    return int(mark, 36)


def _base36(marks: Sequence[Mark], repeats: bool) -> list[Labels]:
    """Read single characters as digits with letters for 10, 11, ...; x and b may be the blank."""
    digits = [_digit(mark) for mark in marks]
    if not any(isinstance(mark, str) and mark.isalpha() for mark in marks):
        return []  # plain digits have been read as numbers
    odd = [i for i, digit in enumerate(digits) if digit is None]
    note = "letters stand for the labels from 10 on"
    found: list[Labels] = []
    if not odd:
        whole = [digit for digit in digits if digit is not None]
        found += _numbers(whole, repeats)
        for sign in "xXbB":
            if marks.count(sign) == 1:
                found += _with_blank(digits, marks.index(sign), sign, repeats)
    elif len(odd) == 1 and is_blank(marks[odd[0]]):
        found += _with_blank(digits, odd[0], marks[odd[0]], repeats)
    return [(labels, (*notes, note)) for labels, notes in found]


def missing(marks: Sequence[Mark]) -> int:
    """Return how many labels of 0..n-1 no mark writes, whatever the blank may be."""
    n = len(marks)
    values = {number(mark) for mark in marks}
    there = sum(1 for value in values if value is not None and 0 < value < n)
    return n - 1 - there


def faults(marks: Sequence[Mark], repeats: bool = False) -> str:
    """Say why `marks`, all of which can be labels, are not the labels of a state."""
    n = len(marks)
    values = [number(mark) for mark in marks]
    if any(value is None and not is_blank(mark) for value, mark in zip(values, marks, strict=True)):
        values = [_digit(m) if v is None else v for v, m in zip(values, marks, strict=True)]
    blanks = [mark for mark, value in zip(marks, values, strict=True) if value is None]
    if len(blanks) > 1:
        shown = ", ".join(quote("" if blank == EMPTY else blank) for blank in blanks[:3])
        return f"got {len(blanks)} blanks ({shown}): one is expected"
    tiles = [value for value in values if value is not None]
    if tiles.count(-1) == 1 and not blanks:
        tiles.remove(-1)
        blanks = ["-1"]
    if blanks and 0 in tiles and not repeats and max(tiles) < n - 1:
        tiles = [tile + 1 for tile in tiles]  # numbered from 0 beside the blank
        return "; ".join(label_faults(Counter([*tiles, 0]), n)) + " (labels shifted by one)"
    if repeats:
        zeros = tiles.count(0) + len(blanks)
        return f"got {zeros} blanks: exactly one blank (0) and labels of at least 1 are expected"
    return "; ".join(label_faults(Counter([*tiles, *([0] * len(blanks))]), n))
