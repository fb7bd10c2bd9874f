"""The sentences of taquin in English, Vietnamese and Chinese.

A key names a sentence; `say` fills in the numbers. Each key has all three languages (a test finds
missing ones and differing numbers).
"""

from __future__ import annotations

from taquin.errors import Unsupported

LANGUAGES = ("en", "vi", "zh")

SENTENCES: dict[str, tuple[str, str, str]] = {
    "parity.0": ("even", "chẵn", "偶"),
    "parity.1": ("odd", "lẻ", "奇"),
    "verdict.yes": ("Solvable.", "Giải được.", "有解。"),
    "verdict.no": ("Not solvable.", "Không giải được.", "无解。"),
    "verdict.parity.yes": (
        "The permutation of all {n} cells has {cycles} cycles, so it is {parity}; the blank's"
        " distance from its place is {distance}, which is {other}. Each move changes both parities:"
        " they agree.",
        "Hoán vị của {n} ô có {cycles} chu trình nên là hoán vị {parity}; ô trống cách vị trí"
        " đích {distance} bước, là số {other}. Mỗi nước đi đổi cả hai tính chẵn lẻ: chúng khớp"
        " nhau.",
        "全部 {n} 格的排列有 {cycles} 个轮换，是{parity}排列；空格离目标位置 {distance} 步，"
        "是{other}数。每走一步两者的奇偶性同时改变：二者一致。",
    ),
    "verdict.parity.no": (
        "The permutation of all {n} cells has {cycles} cycles, so it is {parity}; the blank's"
        " distance from its place is {distance}, which is {other}. Each move changes both parities,"
        " so they can never come to agree.",
        "Hoán vị của {n} ô có {cycles} chu trình nên là hoán vị {parity}; ô trống cách vị trí"
        " đích {distance} bước, là số {other}. Mỗi nước đi đổi cả hai tính chẵn lẻ, nên chúng"
        " không bao giờ khớp nhau.",
        "全部 {n} 格的排列有 {cycles} 个轮换，是{parity}排列；空格离目标位置 {distance} 步，"
        "是{other}数。每走一步两者的奇偶性同时改变，所以永远不会一致。",
    ),
    "verdict.always.yes": (
        "The board has a ring of odd length, so every arrangement can be reached (Wilson 1974).",
        "Bàn có một vòng độ dài lẻ nên mọi cách xếp đều đạt được (Wilson 1974).",
        "棋盘上有奇数长的环，因此任何排列都能到达（Wilson 1974）。",
    ),
    "verdict.repeats.yes": (
        "Two tiles bear the same label: exchanging them changes the parity unseen, so every"
        " arrangement can be reached.",
        "Có hai quân cùng nhãn: đổi chỗ chúng làm đổi tính chẵn lẻ mà không ai thấy, nên mọi cách"
        " xếp đều đạt được.",
        "有两块标号相同：交换它们会悄悄改变奇偶性，因此任何排列都能到达。",
    ),
    "verdict.ring.yes": (
        "The cells form one ring, on which tiles only rotate: their order round it is the goal's.",
        "Các ô tạo thành một vòng, các quân chỉ xoay theo vòng: thứ tự của chúng trùng với đích.",
        "所有格子连成一个环，方块只能沿环转动：环上的次序与目标相同。",
    ),
    "verdict.ring.no": (
        "The cells form one ring, on which tiles only rotate: their order round it is not the"
        " goal's.",
        "Các ô tạo thành một vòng, các quân chỉ xoay theo vòng: thứ tự của chúng khác với đích.",
        "所有格子连成一个环，方块只能沿环转动：环上的次序与目标不同。",
    ),
    "verdict.line.yes": (
        "No way on this board leads round, so tiles never pass each other: they already lie in"
        " the goal's order.",
        "Bàn không có đường vòng nên các quân không thể vượt nhau: chúng đã đúng thứ tự của đích.",
        "棋盘上没有环路，方块无法互相越过：它们的次序已与目标相同。",
    ),
    "verdict.line.no": (
        "No way on this board leads round, so tiles never pass each other: their order is not"
        " the goal's.",
        "Bàn không có đường vòng nên các quân không thể vượt nhau: thứ tự của chúng khác đích.",
        "棋盘上没有环路，方块无法互相越过：它们的次序与目标不同。",
    ),
    "verdict.theta-0.yes": (
        "The board is Wilson's exception theta-0, where only 120 of the 720 arrangements of the"
        " tiles are reached: the goal is one of them.",
        "Bàn là ngoại lệ theta-0 của Wilson, chỉ đạt được 120 trong 720 cách xếp quân: đích là"
        " một trong số đó.",
        "棋盘是 Wilson 的例外图 theta-0，方块的 720 种排列中只能到达 120 种：目标在其中。",
    ),
    "verdict.theta-0.no": (
        "The board is Wilson's exception theta-0, where only 120 of the 720 arrangements of the"
        " tiles are reached: the goal is not one of them.",
        "Bàn là ngoại lệ theta-0 của Wilson, chỉ đạt được 120 trong 720 cách xếp quân: đích không"
        " nằm trong số đó.",
        "棋盘是 Wilson 的例外图 theta-0，方块的 720 种排列中只能到达 120 种：目标不在其中。",
    ),
    "verdict.blocks.yes": (
        "The board falls into blocks at its cut cells, and no tile ever leaves its block: each"
        " block can be put in order.",
        "Bàn tách thành các khối tại những ô cắt, không quân nào rời được khối của mình: mỗi khối"
        " đều xếp được.",
        "棋盘在割点处分成若干块，方块永远离不开自己的块：每一块都能排好。",
    ),
    "verdict.blocks.no": (
        "The board falls into blocks at its cut cells, and no tile ever leaves its block: the"
        " block of the cells {cells} cannot be put in order.",
        "Bàn tách thành các khối tại những ô cắt, không quân nào rời được khối của mình: khối gồm"
        " các ô {cells} không xếp được.",
        "棋盘在割点处分成若干块，方块永远离不开自己的块：由格子 {cells} 组成的块无法排好。",
    ),
    "verdict.textbook.odd": (
        "Textbook check, odd width: the number of inversions must be even; it is {inversions}.",
        "Cách kiểm tra trong sách, chiều rộng lẻ: số nghịch thế phải chẵn; ở đây là {inversions}.",
        "教科书判定（宽为奇数）：逆序数必须为偶数；现为 {inversions}。",
    ),
    "verdict.textbook.even": (
        "Textbook check, even width: inversions plus the rows between the blank and its place"
        " must be even; {inversions} + {rows} = {total}.",
        "Cách kiểm tra trong sách, chiều rộng chẵn: số nghịch thế cộng số hàng giữa ô trống và vị"
        " trí đích phải chẵn; {inversions} + {rows} = {total}.",
        "教科书判定（宽为偶数）：逆序数加上空格与目标位置相差的行数必须为偶数；"
        "{inversions} + {rows} = {total}。",
    ),
    "verdict.other": (
        "It is solvable for another goal: {goals}.",
        "Bàn này giải được với đích khác: {goals}.",
        "换一个目标则有解：{goals}。",
    ),
}


def say(key: str, lang: str = "en", **numbers: object) -> str:
    """Return the sentence `key` in a language, with its numbers filled in.

    Raises
    ------
    Unsupported
        If the language is not one of `LANGUAGES`.

    Examples
    --------
    >>> say("verdict.no", "vi")
    'Không giải được.'
    """
    if lang not in LANGUAGES:
        raise Unsupported(f"no language {lang!r}: expected one of {', '.join(LANGUAGES)}")
    return SENTENCES[key][LANGUAGES.index(lang)].format(**numbers)
