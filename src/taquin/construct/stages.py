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
        "ear": "Tiles {tiles} go home in a row, along a path, to {places}: {moves}{stay}.",
        "park": "A tile goes next to its home, into which it slides when the blank goes by in the"
        " end: {moves}{stay}.",
        "walk": "The blank walks to {there}: {moves}{stay}.",
        "turn": "The blank goes round a ring until tiles {tiles} are home: {moves}{stay}.",
        "search": "A search for a shortest way brings the last tiles of a part, {tiles}, home:"
        " {moves}{stay}.",
        "cycles": "Three at a time, tiles change places until {tiles} are home: {moves}{stay}.",
        "stay": "; the tiles already home ({home}) stay put",
    },
    "vi": {
        "tile": "Quân {tiles} về đích ở {places}: {moves}{stay}.",
        "pair": "Các quân {tiles} cùng về đích, ở {places}: {moves}{stay}.",
        "ring": "Vòng cuối xoay đến khi các quân {tiles} về đích, ở {places}: {moves}{stay}.",
        "rest": "Đã ở đích: {tiles}, tại {places}; không cần đi nước nào.",
        "round": "Ô trống đi một lượt quanh vòng có độ dài lẻ để đổi tính chẵn lẻ: {moves}.",
        "ear": "Các quân {tiles} lần lượt về đích dọc theo một đường, ở {places}: {moves}{stay}.",
        "park": "Một quân đến cạnh đích của nó; cuối cùng, khi ô trống đi qua, nó trượt vào đích:"
        " {moves}{stay}.",
        "walk": "Ô trống đi đến {there}: {moves}{stay}.",
        "turn": "Ô trống đi quanh một vòng đến khi các quân {tiles} về đích: {moves}{stay}.",
        "search": "Tìm kiếm đường ngắn nhất đưa các quân cuối của một phần, {tiles}, về đích:"
        " {moves}{stay}.",
        "cycles": "Mỗi lần ba quân đổi chỗ cho nhau, đến khi {tiles} về đích: {moves}{stay}.",
        "stay": "; các quân đã về đích ({home}) đứng yên",
    },
    "zh": {
        "tile": "方块 {tiles} 归位到{places}：{moves}{stay}。",
        "pair": "方块 {tiles} 一起归位到{places}：{moves}{stay}。",
        "ring": "最后一环转动，直到方块 {tiles} 归位到{places}：{moves}{stay}。",
        "rest": "已经归位：{tiles}，在{places}；不用移动。",
        "round": "空格绕长度为奇数的环走一圈，改变奇偶性：{moves}。",
        "ear": "方块 {tiles} 沿一条路依次归位到{places}：{moves}{stay}。",
        "park": "一个方块停在自己的目标旁边，最后空格经过时滑入目标：{moves}{stay}。",
        "walk": "空格走到{there}：{moves}{stay}。",
        "turn": "空格沿环移动，直到方块 {tiles} 归位：{moves}{stay}。",
        "search": "搜索最短路，使这一部分最后的方块 {tiles} 归位：{moves}{stay}。",
        "cycles": "每次三个方块轮换位置，直到 {tiles} 归位：{moves}{stay}。",
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
        ``"tile"`` (one tile goes home), ``"pair"`` (two together), ``"ring"`` (the last three of
        a grid), ``"round"`` (a change of parity on an odd torus), ``"walk"`` (the blank only
        walks), ``"turn"`` (a ring). On graphs also ``"ear"`` (a path of three or more),
        ``"park"`` (a tile goes where the blank's last walk takes it home from), ``"search"``
        (the last cells of a part), ``"cycles"`` (the last cells, three at a time), ``"rest"``
        (what is home by then).
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
        rest = stage.moves == 0
        return sentences["rest" if rest else stage.kind].format(
            tiles=", ".join(map(str, stage.tiles)),
            places=joint.join(_place(board, cell, lang) for cell in stage.cells),
            there=_place(board, self.walk[stage.stop - 1], lang) if stage.moves else "",
            moves=(move if stage.moves == 1 else moves).format(stage.moves),
            stay=sentences["stay"].format(home=stage.home) if stage.home else "",
        )


def _place(board: Board, cell: int, lang: str) -> str:
    at = board.coordinates(cell)
    if len(at) in (2, 3):
        return WORDS[lang][len(at) - 2].format(*(number + 1 for number in at))
    return WORDS[lang][2].format(cell)
