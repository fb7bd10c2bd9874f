"""What is written under a moving board, in three languages."""

from __future__ import annotations

from taquin.messages import LANGUAGES

CAPTIONS: dict[str, tuple[str, str, str]] = {
    "move": (
        "move {move} of {length}",
        "nước {move} trên {length}",
        "第 {move} 步，共 {length} 步",
    ),
    "left": ("{left} to go", "còn {left}", "还剩 {left} 步"),
    "solved": ("solved in {length} moves", "xong sau {length} nước", "{length} 步完成"),
}


def caption(move: int, length: int, lang: str = "en") -> str:
    """Return the line after so many moves of a way.

    Examples
    --------
    >>> caption(3, 14)
    'move 3 of 14 · 11 to go'
    >>> caption(14, 14, "vi")
    'xong sau 14 nước'
    """
    number = LANGUAGES.index(lang)
    values = {"move": move, "length": length, "left": length - move}
    if move == length:
        return CAPTIONS["solved"][number].format(**values)
    return " · ".join(CAPTIONS[key][number].format(**values) for key in ("move", "left"))
