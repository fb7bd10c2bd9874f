"""Published figures of boards too large for a table: greatest depths, and states by depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taquin.puzzle import Puzzle

#: Rows and columns, the smaller first; the kind of cell of the goal's blank; the metric.
Key = tuple[tuple[int, int], str, str]

#: Greatest depths of boards too large for a table, by shape, cell of the goal's blank and metric.
#: OEIS A151944 and A087725, and the complete sweeps of SlidingTilesSolver; a test compares them
#: with tests/data/depth_distributions/max_moves.csv.
RADII: dict[Key | None, int] = {
    ((2, 7), "corner", "stm"): 108,
    ((2, 7), "corner", "mtm"): 52,
    ((2, 8), "corner", "stm"): 140,
    ((2, 8), "corner", "mtm"): 57,
    ((3, 5), "corner", "stm"): 84,
    ((3, 5), "corner", "mtm"): 44,
    ((4, 4), "corner", "stm"): 80,
    ((4, 4), "edge", "stm"): 80,
    ((4, 4), "centre", "stm"): 80,
    ((4, 4), "corner", "mtm"): 43,
}

#: States by depth. 4x4: Korf and Schultze 2005, OEIS A089484; 3x5: SlidingTilesSolver. A test
#: compares them with tests/data/depth_distributions.
COUNTS: dict[Key | None, str] = {
    ((4, 4), "corner", "stm"): """
    1 2 4 10 24 54 107 212 446 946 1948 3938 7808 15544 30821 60842 119000 231844 447342 859744
    1637383 3098270 5802411 10783780 19826318 36142146 65135623 116238056 204900019 357071928
    613926161 1042022040 1742855397 2873077198 4660800459 7439530828 11668443776 17976412262
    27171347953 40271406380 58469060820 83099401368 115516106664 156935291234 208207973510
    269527755972 340163141928 418170132006 500252508256 581813416256 657076739307 719872287190
    763865196269 784195801886 777302007562 742946121222 683025093505 603043436904 509897148964
    412039723036 317373604363 232306415924 161303043901 105730020222 65450375310 37942606582
    20696691144 10460286822 4961671731 2144789574 868923831 311901840 104859366 29592634 7766947
    1508596 272198 26638 3406 70 17
    """,
    ((3, 5), "corner", "stm"): """
    1 2 4 9 21 42 89 164 349 644 1349 2473 5109 9110 18489 32321 64962 112445 223153 378761 740095
    1231589 2364342 3847629 7246578 11506172 21233764 32854049 59293970 89146163 157015152
    228894783 392648931 553489877 922382155 1253605100 2023948293 2642914623 4120279612 5148314561
    7724532034 9199799154 13246457713 14989319785 20670772402 22175539691 29256857608 29720831702
    37494316617 36040261784 43456588792 39489966889 45473143333 39013132880 42843777396
    34634595224 36201542605 27498739245 27279157652 19394857005 18188522435 12035839867
    10609974233 6480164672 5324826466 2963664642 2241211464 1114401509 760520424 327445752
    195462601 69272233 34371729 9207635 3495571 621091 163627 17629 3599 280 75 12 5 2 1
    """,
}


def known_radius(puzzle: Puzzle) -> int | None:
    """Return the greatest depth of a large board from `RADII`, or None if nobody published it.

    >>> from taquin import Puzzle
    >>> known_radius(Puzzle.parse("4x4")), known_radius(Puzzle.parse("5x5"))
    (80, None)
    """
    return RADII.get(_key(puzzle))


def known_counts(puzzle: Puzzle) -> tuple[int, ...] | None:
    """Return how many states lie 0, 1, 2, ... moves from the goal, from `COUNTS`, or None."""
    text = COUNTS.get(_key(puzzle))
    return None if text is None else tuple(map(int, text.split()))


def _key(puzzle: Puzzle) -> Key | None:
    """What published figures are kept by; None for boards that are no plain grid of two axes."""
    from taquin.board import Board, kind_of

    shape = puzzle.board.shape
    if (
        puzzle.goal.repeats
        or shape is None
        or len(shape) != 2
        or puzzle.board != Board.grid(*shape)
    ):
        return None
    # Depth counts depend on the goal by the cell of its blank alone: tiles can be renamed.
    rows, columns = sorted(shape)
    kind = kind_of(puzzle.board, puzzle.goal.blank)
    return (rows, columns), kind, puzzle.metric
