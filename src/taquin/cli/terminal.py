"""What a terminal shows: answers on standard output, everything else on standard error.

Colours and Unicode appear only where the stream is a terminal that has them (``NO_COLOR``, dumb
terminals, ASCII encodings and files have not).
"""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from taquin.cli.common import readable
from taquin.messages import LANGUAGES, SENTENCES, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taquin.cli.common import Item
    from taquin.cli.questions import Question
    from taquin.state import State

COLOURS = {"good": "32", "bad": "31", "strong": "1", "dim": "2"}
#: Boards with a longer side are not drawn.
LONGEST_DRAWN = 30


def has_colour(stream: TextIO) -> bool:
    """Whether colours may be written to a stream."""
    if "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return False
    return bool(getattr(stream, "isatty", lambda: False)())


def has_unicode(stream: TextIO) -> bool:
    """Whether a stream can write an arrow."""
    return _can_write(stream, "\u2192")


def _can_write(stream: TextIO, text: str) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """Return the text in a colour of `COLOURS`, where the stream has colours."""
    if not has_colour(stream or sys.stdout):
        return text
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m"


def notes(question: Question, said: set[str]) -> None:
    """Say what the reader assumed, each thing once."""
    for text in question.notes:
        if text not in said:
            said.add(text)
            note(f"note: {text}")


def note(text: str) -> None:
    """Say something beside the answer, which does not fail if nobody can read this."""
    with suppress(OSError, ValueError):
        print(paint(readable(text), "dim", sys.stderr), file=sys.stderr, flush=True)


def span(seconds: float) -> str:
    """Return a length of time in words, roughly: ``"about 40 s"``, ``"about 3 hours"``.

    >>> span(40), span(300), span(10_000)
    ('about 40 s', 'about 5 minutes', 'about 3 hours')
    """
    if seconds < 100:
        return f"about {max(1, round(seconds))} s"
    for name, unit, most in (("minutes", 60, 100), ("hours", 3600, 50), ("days", 86400, 400)):
        if seconds < unit * most:
            return f"about {round(seconds / unit)} {name}"
    return f"about {seconds / 86400 / 365.25:,.0f} years"


class Bar:
    """A part that is done, on standard error, rewritten now and then if that is a terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._on = sys.stderr is not None and sys.stderr.isatty()
        self._begun = self._next = time.monotonic()
        self._shown = False

    def __call__(self, part: float) -> None:
        """Say how much is done, 0 .. 1, and how long the rest may take."""
        now = time.monotonic()
        if self._on and now >= self._next and part > 0:
            self._next, self._shown = now + 0.2, True
            left = span((now - self._begun) * (1 - part) / part)
            rewrite(f"{self._what}: {part:.0%}, {left} left")

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            rewrite("")


def rewrite(text: str) -> None:
    """Write over the last line of the terminal on standard error."""
    with suppress(OSError, ValueError):
        print("\r\x1b[K" + text, end="", file=sys.stderr, flush=True)


def language(lang: str, *, as_json: bool) -> str:
    """Return the language in which reasons can be written, which may be English instead.

    Raises
    ------
    Unsupported
        If there is no such language.
    """
    say("verdict.yes", lang)
    sentences = "".join(sentence[LANGUAGES.index(lang)] for sentence in SENTENCES.values())
    if as_json or _can_write(sys.stdout, sentences):
        return lang
    note(f"note: the output cannot show {lang!r}; the reasons are in English")
    return "en"


def show_json(record: dict[str, Any]) -> None:
    """Write one JSON object on a line of its own."""
    import json

    print(json.dumps(record, ensure_ascii=not has_unicode(sys.stdout), separators=(",", ":")))


def complain(item: Item, as_json: bool) -> None:
    """Report a board that cannot be read: in its place as JSON, else on standard error."""
    # The place is told beside the message, which names its line once more.
    message = " ".join(str(item.error).split())
    message = re.sub(rf"^line {item.line}(: |, )", "", message)
    if as_json:
        show_json({**place(item), "error": message, "kind": type(item.error).__name__})
    else:
        sys.stdout.flush()  # keep the order of the answers and the complaints
        with suppress(OSError, ValueError):
            line = readable(f"taquin: {item.label}: {message}")
            print(line, file=sys.stderr, flush=True)


def place(item: Item) -> dict[str, Any]:
    """Return the keys with which every JSON object begins."""
    return {"index": item.index, "source": item.source, "line": item.line}


# -- drawing ------------------------------------------------------------------------------------


def draw(state: State) -> list[str]:
    """Return the lines of a drawing: rows, layers below each other, ``#`` for walls.

    The blank is a dot. A graph, which has no rows, gives its one line of labels. No lines for
    boards too large to look at.

    >>> from taquin import State
    >>> draw(State.parse("1 2 3 / 4 0 5"))
    ['1 2 3', '4 . 5']
    """
    shape = state.board.shape
    if max(shape or (state.board.n,)) > LONGEST_DRAWN or state.board.n > LONGEST_DRAWN**2:
        return []
    width = len(str(max(state.tiles)))
    return _rows(state.matrix(), width)


def _rows(part: Any, width: int) -> list[str]:
    if not part or not isinstance(part[0], list):
        marks = ("#" if label is None else "." if label == 0 else str(label) for label in part)
        return [" ".join(mark.rjust(width) for mark in marks)]
    lines: list[str] = []
    for inner in part:
        if lines and isinstance(inner[0], list):
            lines.append("")
        lines += _rows(inner, width)
    return lines


def beside(left: list[str], right: list[str]) -> list[str]:
    """Return two drawings side by side, an arrow between them."""
    arrow = "\u2192" if has_unicode(sys.stdout) else "->"
    width = max(map(len, left), default=0)
    middle = (len(left) - 1) // 2
    return [
        f"  {one.ljust(width)}   {arrow if i == middle else ' ' * len(arrow)}   {two}".rstrip()
        for i, (one, two) in enumerate(zip(left, right, strict=True))
    ]


def indented(lines: Iterable[str]) -> list[str]:
    """Return the lines, each two columns to the right."""
    return [f"  {line}".rstrip() for line in lines]
