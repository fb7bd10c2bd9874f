"""What people write around boards: "Initial state:", "goal =", an arrow, "Puzzle 3:"."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_START = "start|initial|init|from|board|puzzle|scramble|初始|起始|开始"
_GOAL = "goal|target|final|end|to|solved|目标"
_KIND = "state|board|node|grid|position|configuration|config|状态|状態"
#: A name at the beginning of a line, perhaps after a type; or inside a line, before : or =.
_KEYS = re.compile(
    r"(?:^[ \t]*(?:[\w<>,:*&\[\]]{1,40}[ \t]+){0,3}|(?<=[\s;,.|]))"
    rf"(?:(?P<start>{_START})|(?P<goal>{_GOAL}))(?:[ _]?(?:{_KIND}))?"
    r"(?:\[\d{0,9}\]){0,4}[ \t]*(?:(?P<sign>[:=])[ \t]*|$)",
    re.IGNORECASE | re.MULTILINE,
)
_MAYBE = re.compile(rf"{_START}|{_GOAL}|[-=]>", re.IGNORECASE)
_ARROW = re.compile(r"[-=]{1,3}>")
_COMMENT = re.compile(r"[#%]|^\s*;|(?://|;)\s*[A-Za-z][\w\s]*$")
_HEADING = re.compile(
    r"^[ \t]*(?:test[ \t]*)?(?:puzzle|case|test|board|instance|problem|example|scramble|sample)"
    r"[ \t]*(?:no\.?|nr\.?)?[ \t]*#?[ \t]*\d{1,9}[ \t]*(?:[:.)][ \t]*|$)",
    re.IGNORECASE | re.MULTILINE,
)
#: Longer texts are lists of boards or of numbers, not questions.
_UP_TO = 100_000
_START_NAMES = re.compile(rf"(?:{_START}|state|tiles)", re.IGNORECASE)
_GOAL_NAMES = re.compile(rf"(?:{_GOAL})", re.IGNORECASE)


class Part(NamedTuple):
    """A piece of a text, and where it begins."""

    at: int
    text: str


def without_headings(text: str) -> str:
    """Return `text` without headings such as ``Puzzle 1:`` or ``Case #2``.

    >>> without_headings("Puzzle 1: 1 2 3 0")
    '1 2 3 0'
    """
    return _HEADING.sub("", text) if len(text) <= _UP_TO else text


def _found(text: str) -> list[re.Match[str]]:
    if len(text) > _UP_TO or not _MAYBE.search(text):
        return []
    return [key for key in _KEYS.finditer(text) if _is_key(text, key)]


def _is_key(text: str, key: re.Match[str]) -> bool:
    """Whether a name is no part of a comment, and inside a line has its sign."""
    begin = key.start("start") if key.group("start") else key.start("goal")
    before = text[text.rfind("\n", 0, begin) + 1 : begin]
    if _COMMENT.search(before):
        return False
    inside = "\n" not in text[key.start() : begin] and bool(before.strip())
    return bool(key.group("sign")) or not inside


def keys_of(line: str) -> list[str]:
    """Return which of "start" and "goal" a line names, in order.

    >>> keys_of("Initial state: 1 2 3 0"), keys_of("int goal[2][2] = {"), keys_of("1 2 3 0")
    (['start'], ['goal'], [])
    """
    return ["start" if key.group("start") else "goal" for key in _found(line)]


def without_keys(text: str) -> str:
    """Return `text` without the names of its boards."""
    for key in reversed(_found(text)):
        text = text[: key.start()] + text[key.end() :]
    return text


def split_pair(text: str) -> tuple[Part, Part] | None:
    """Return the start and the goal of a text that names them or joins them by one arrow."""
    keys = _found(text)
    names = ["start" if key.group("start") else "goal" for key in keys]
    if names == ["goal"] and text[: keys[0].start()].strip():
        cut = text[: keys[0].start()]
        start = re.sub(r"(?:^|(?<=\n))[ \t]*[#;%][^\n]*", "", cut)
        return (Part(0, cut), _part(text, keys, 0)) if start.strip() else None
    if sorted(names) == ["goal", "start"] and not text[: keys[0].start()].strip(" \t\n{("):
        parts = _part(text, keys, 0), _part(text, keys, 1)
        return parts if names[0] == "start" else parts[::-1]
    arrows = [found for found in _ARROW.finditer(text) if len(text) <= _UP_TO]
    if len(arrows) == 1:
        begin, end = arrows[0].span()
        if not _COMMENT.search(text[text.rfind("\n", 0, begin) + 1 : begin]):
            return Part(0, without_keys(text[:begin])), Part(end, without_keys(text[end:]))
    return None


def _part(text: str, keys: list[re.Match[str]], index: int) -> Part:
    stop = keys[index + 1].start() if index + 1 < len(keys) else len(text)
    return Part(keys[index].end(), text[keys[index].end() : stop].rstrip(" \t\n,;"))


def from_json(text: str) -> tuple[Any, Any, str] | None:
    """Return the start, the goal or None, and the name of the start, of a JSON object.

    >>> from_json('{"board": [1, 2, 3, 0], "n": 2}')
    ([1, 2, 3, 0], None, 'board')
    """
    plain = text.strip()
    if not (plain.startswith("{") and plain.endswith("}") and re.match(r"\{\s*['\"]", plain)):
        return None
    import json  # a few milliseconds that most boards never need

    try:
        found = json.loads(plain if '"' in plain else plain.replace("'", '"'))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    boards = {str(name): v for name, v in found.items() if isinstance(v, (list, str)) and v}
    goal = next((name for name in boards if _GOAL_NAMES.match(name)), None)
    rest = [name for name in boards if name != goal]
    start = next((name for name in rest if _START_NAMES.match(name)), None)
    if start is None and len(rest) == 1:
        start = rest[0]
    if start is None:
        return None
    return boards[start], None if goal is None else boards[goal], start
