"""Tasks of on-line judges: each judge's own input in, its own output out.

`JUDGES` maps every name, aliases included, to a `Judge`. A new task is one function from text to
text and one line in `TASKS`. Moves are letters of the blank, as all these judges write them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from taquin.errors import Unsupported
from taquin.formats.judges import eight, fifteen, frame, parity


@dataclass(frozen=True)
class Judge:
    """One task.

    Attributes
    ----------
    names : tuple of str
        The name, then its aliases.
    title : str
        The task's own title.
    source : str
        Where it is set.
    function : callable
        From the text of the input to the text of the output; it raises `ParseError` or
        `InvalidState` if the input is not what the task promises.
    """

    names: tuple[str, ...]
    title: str
    source: str
    function: Callable[[str], str]

    @property
    def name(self) -> str:
        """The first of its names."""
        return self.names[0]

    def __call__(self, text: str) -> str:
        """Return the output for an input."""
        return self.function(text)


def _task(names: str, title: str, source: str, function: Callable[[str], str]) -> Judge:
    return Judge(tuple(names.split()), title, source, function)


TASKS = (
    _task("aoj0121", "Seven Puzzle", "judge.u-aizu.ac.jp 0121", eight.aoj0121),
    _task(
        "aoj_alds1_13_b alds1_13_b", "8 Puzzle", "judge.u-aizu.ac.jp ALDS1_13_B", eight.least_moves
    ),
    _task(
        "aoj_alds1_13_c alds1_13_c",
        "15 Puzzle",
        "judge.u-aizu.ac.jp ALDS1_13_C",
        fifteen.least_moves,
    ),
    _task("boj1525 baekjoon1525", "Puzzle", "acmicpc.net 1525", eight.least_moves),
    _task("emaxx", "Solvability of the 15-puzzle, N + K", "e-maxx.ru", parity.emaxx),
    _task("epoka_kth epoka50505", "kth Puzzle", "acm.epoka.edu.al 50505", fifteen.epoka_kth),
    _task(
        "hdu1043 zoj1217 poj1077_hdu1043",
        "Eight, many boards",
        "acm.hdu.edu.cn 1043",
        eight.hdu1043,
    ),
    _task("hdu3567", "Eight II", "acm.hdu.edu.cn 3567", eight.hdu3567),
    _task("hdu6620", "Just an Old Puzzle", "acm.hdu.edu.cn 6620", parity.hdu6620),
    _task(
        "infoarena_4x4puzzle infoarena 4x4puzzle",
        "4x4puzzle",
        "infoarena.ro 4x4puzzle",
        parity.infoarena,
    ),
    _task("koistudy608", "8-Puzzle", "koistudy.net 608", eight.least_moves),
    _task("leetcode773", "Sliding Puzzle", "leetcode.com 773", eight.leetcode773),
    _task("lightoj_15puzzle lightoj", "15 Puzzle", "lightoj.com 15-puzzle", fifteen.lightoj),
    _task("lingzhi208", "8 digits, version 1", "lingzhioj.cn 208", eight.lingzhi208),
    _task("luogu_p1379 p1379", "Eight digits", "luogu.com.cn P1379", eight.luogu_p1379),
    _task("ntuj219", "8-puzzle", "ntuj.csie.org 219", eight.ntuj219),
    _task("poj1077 acwing179", "Eight, one board", "poj.org 1077", eight.poj1077),
    _task("poj2893", "M x N Puzzle", "poj.org 2893", parity.poj2893),
    _task("poj3240", "Solution to the n^2 - 1 Puzzle", "poj.org 3240", fifteen.poj3240),
    _task("uva227", "Puzzle", "UVa 227", frame.uva227),
    _task("uva652", "Eight", "UVa 652", eight.uva652),
    _task("uva10181", "15-Puzzle Problem", "UVa 10181", fifteen.uva10181),
    _task(
        "zoj2004 zoj2004_commedia poj1507 uva716 spoj45 spoj_commedia commedia",
        "Commedia dell' arte",
        "ZOJ 2004",
        parity.zoj2004,
    ),
)

JUDGES: dict[str, Judge] = {name: judge for judge in TASKS for name in judge.names}


def find(name: str) -> Judge:
    """Return the task called `name`; only its letters and digits matter, not their case.

    Raises
    ------
    Unsupported
        Naming the tasks whose names are near.

    Examples
    --------
    >>> find("POJ-1077").title
    'Eight, one board'
    """
    from difflib import get_close_matches

    known = {_plain(alias): task for alias, task in JUDGES.items()}
    key = _plain(name)
    if key in known:
        return known[key]
    near = get_close_matches(key, known, n=3) or [n for n in known if key and key in n][:5]
    hint = f"did you mean {' or '.join(near)}?" if near else "see 'taquin judge --list'"
    raise Unsupported(f"there is no judge called {name!r}: {hint}")


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))
