"""What a construction is: a walk in stages, each of which can be told in a sentence."""

# ruff: noqa: RUF001 (sentences in Chinese keep their punctuation)

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from taquin.board import Board
from taquin.errors import Unsupported
from taquin.state import State

#: One sentence a kind of stage; {stay} is empty while no tile is home.
SENTENCES = {
    "en": {
        "tile": "Tile {tiles} goes home to {places}: {moves}{stay}.",
        "pair": "Tiles {tiles} go home together, to {places}: {moves}{stay}.",
        "ring": "The last ring turns until tiles {tiles} are home, on {places}: {moves}{stay}.",
        "rest": "Already home: {tiles}, on {places}; no move needed.",
        "round": "The blank goes once round an odd ring, which changes the parity: {moves}.",
        "walk": "The blank walks along the line to its home, {blank}: {moves}.",
        "turn": "The blank goes round the ring until every tile is home: {moves}.",
        "search": "A breadth-first search found this shortest way: {moves}.",
        "stay": "; the tiles already home ({home}) stay put",
    },
    "vi": {
        "tile": "Quân {tiles} về đích ở {places}: {moves}{stay}.",
        "pair": "Các quân {tiles} cùng về đích, ở {places}: {moves}{stay}.",
        "ring": "Vòng cuối xoay đến khi các quân {tiles} về đích, ở {places}: {moves}{stay}.",
        "rest": "Đã ở đích: {tiles}, tại {places}; không cần đi nước nào.",
        "round": "Ô trống đi một lượt quanh vòng có độ dài lẻ để đổi tính chẵn lẻ: {moves}.",
        "walk": "Ô trống đi dọc theo đường thẳng về đích của nó, {blank}: {moves}.",
        "turn": "Ô trống đi quanh vòng đến khi mọi quân về đích: {moves}.",
        "search": "Tìm kiếm theo chiều rộng cho ra lời giải ngắn nhất này: {moves}.",
        "stay": "; các quân đã về đích ({home}) đứng yên",
    },
    "zh": {
        "tile": "方块 {tiles} 归位到{places}：{moves}{stay}。",
        "pair": "方块 {tiles} 一起归位到{places}：{moves}{stay}。",
        "ring": "最后一环转动，直到方块 {tiles} 归位到{places}：{moves}{stay}。",
        "rest": "已经归位：{tiles}，在{places}；不用移动。",
        "round": "空格绕长度为奇数的环走一圈，改变奇偶性：{moves}。",
        "walk": "空格沿直线走到自己的目标位置，{blank}：{moves}。",
        "turn": "空格沿环移动，直到所有方块归位：{moves}。",
        "search": "广度优先搜索得到这条最短路：{moves}。",
        "stay": "；已归位的方块（{home} 块）不动",
    },
}
#: A cell on a board of 2 axes, of 3, on others; between cells; one move, several.
WORDS = {
    "en": (
        "row {}, column {}",
        "layer {}, row {}, column {}",
        "cell {}",
        "; ",
        "{} move",
        "{} moves",
    ),
    "vi": ("hàng {}, cột {}", "lớp {}, hàng {}, cột {}", "ô {}", "; ", "{} nước đi", "{} nước đi"),
    "zh": ("第 {} 行第 {} 列", "第 {} 层第 {} 行第 {} 列", "第 {} 格", "、", "{} 步", "{} 步"),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a construction, after which some tiles are home for good.

    Attributes
    ----------
    kind : str
        ``"tile"`` (one tile goes home), ``"pair"`` (the last two of a slab), ``"ring"`` (the last
        three), ``"round"`` (a change of parity on an odd torus), ``"walk"`` (a path), ``"turn"``
        (a ring), ``"search"`` (a small graph).
    tiles, cells : tuple of int
        The labels that are home after this stage, and their cells.
    start, stop : int
        The moves of the stage are ``walk[start:stop]``.
    home : int
        How many tiles are home for good before this stage.
    """

    kind: str
    tiles: tuple[int, ...]
    cells: tuple[int, ...]
    start: int
    stop: int
    home: int

    @property
    def moves(self) -> int:
        """The number of moves."""
        return self.stop - self.start


@dataclass(frozen=True, eq=False)
class Construction:
    """A way from `start` to `goal`, with its stages.

    Attributes
    ----------
    start, goal : State
        Both ends.
    walk : sequence of int
        The cells that the blank visits, without the first: a tuple, or for more than 100,000
        moves an ``array('i')``, which NumPy takes as it is.
    stages : tuple of Stage
        Their slices follow each other and make up the whole walk.
    """

    start: State
    goal: State
    walk: Any
    stages: tuple[Stage, ...]

    @property
    def length(self) -> int:
        """The number of single-tile moves."""
        return len(self.walk)

    def narrate(self, lang: str = "en") -> Iterator[str]:
        """Yield one sentence a stage, in English, Vietnamese or Chinese (en, vi, zh).

        Rows, columns and layers are counted from 1; cells, as everywhere, from 0.

        >>> from taquin.construct import construct
        >>> board = Board.grid(2, 2)
        >>> made = construct(State((0, 1, 3, 2), board), State((1, 2, 3, 0), board))
        >>> print(*made.narrate("en"))  # doctest: +NORMALIZE_WHITESPACE
        The last ring turns until tiles 1, 2, 3 are home, on row 1, column 1; row 1, column 2;
        row 2, column 1: 2 moves.
        """
        if lang not in SENTENCES:
            raise Unsupported(f"no narration in {lang!r}: expected one of {', '.join(SENTENCES)}")
        return (self._sentence(stage, lang) for stage in self.stages)

    def _sentence(self, stage: Stage, lang: str) -> str:
        sentences, board = SENTENCES[lang], self.goal.board
        *_, joint, move, moves = WORDS[lang]
        rest = stage.moves == 0 and stage.kind in ("tile", "pair", "ring")
        return sentences["rest" if rest else stage.kind].format(
            tiles=", ".join(map(str, stage.tiles)),
            places=joint.join(_place(board, cell, lang) for cell in stage.cells),
            blank=_place(board, self.goal.blank, lang),
            moves=(move if stage.moves == 1 else moves).format(stage.moves),
            stay=sentences["stay"].format(home=stage.home) if stage.home else "",
        )


def _place(board: Board, cell: int, lang: str) -> str:
    at = board.coordinates(cell)
    if len(at) in (2, 3):
        return WORDS[lang][len(at) - 2].format(*(number + 1 for number in at))
    return WORDS[lang][2].format(cell)
