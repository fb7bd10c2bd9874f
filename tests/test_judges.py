"""Every judge task: its sample, its corners, its limits, and faults in its input."""

import random
from contextlib import suppress
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from taquin.board import Board
from taquin.errors import InvalidState, LimitReached, ParseError, Unsupported
from taquin.formats.judges import JUDGES, TASKS, Judge, eight, fifteen, find, parity, tables
from taquin.goals import named_goal
from taquin.permutation import rank
from taquin.solvability import verdict
from taquin.state import State

DATA = Path(__file__).parent / "data" / "judges"
SAMPLES = sorted(path.stem for path in DATA.glob("*.in"))
EIGHT = Board.grid(3, 3)
FIFTEEN = Board.grid(4, 4)
GOAL15 = named_goal("blank-last", FIFTEEN)


def replay(tiles: list[int], board: Board, moves: str) -> tuple[int, ...]:
    state = State(tiles, board)
    for letter in moves.upper():
        to = board.step(state.blank, letter)
        assert to is not None, f"{letter} leaves the board"
        state = state.moved(to)
    return state.tiles


def rows(tiles: list[int], width: int) -> str:
    return "\n".join(" ".join(map(str, tiles[i : i + width])) for i in range(0, len(tiles), width))


# -- samples and names --------------------------------------------------------------------------


def test_there_are_samples() -> None:
    assert len(SAMPLES) == 19


@pytest.mark.parametrize("name", SAMPLES)
def test_sample(name: str) -> None:
    text, want = ((DATA / f"{name}.{end}").read_text() for end in ("in", "out"))
    assert find(name)(text) == want


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_with_other_line_ends(name: str) -> None:
    text, want = ((DATA / f"{name}.{end}").read_text() for end in ("in", "out"))
    assert find(name)(text.replace("\n", "\r\n")) == want
    assert find(name)(text.rstrip("\n")) == want


def test_names_and_aliases() -> None:
    assert sum(len(task.names) for task in TASKS) == len(JUDGES)  # no name twice
    for name in ("poj1077", "hdu1043", "zoj1217", "acwing179", "zoj2004", "poj1507", "uva716"):
        assert name in JUDGES
    for name in ("spoj_commedia", "uva652", "aoj0121", "emaxx", "leetcode773", "lightoj_15puzzle"):
        assert name in JUDGES
    assert find("POJ-2893") is find("poj 2893") is JUDGES["poj2893"]
    assert find("UVA227").title == "Puzzle"


@pytest.mark.parametrize(("name", "hint"), [("poj1078", "poj1077"), ("commed", "commedia")])
def test_unknown_name(name: str, hint: str) -> None:
    with pytest.raises(Unsupported, match=hint):
        find(name)
    with pytest.raises(Unsupported, match="--list"):
        find("???")


# -- the table of all arrangements --------------------------------------------------------------


@pytest.mark.parametrize("n", range(1, 7))
def test_arrangements_are_in_order(n: int) -> None:
    everyone = [list(p) for p in permutations(range(n))]
    assert tables.arrangements(n).tolist() == everyone
    assert tables.ranks(np.array(everyone)).tolist() == list(range(len(everyone)))
    assert [rank(p) for p in everyone] == list(range(len(everyone)))


@pytest.mark.parametrize(
    ("shape", "radius", "farthest"),
    [((2, 2), 6, 1), ((2, 3), 21, 1), ((2, 4), 36, 1), ((3, 3), 31, 2)],
)
def test_tables_have_the_known_radius(shape: tuple[int, int], radius: int, farthest: int) -> None:
    board = Board.grid(*shape)
    table = eight.table(shape, named_goal("blank-last", board).tiles)
    depths = table.depths(tables.arrangements(board.n))
    reached = [depth for depth in depths if depth is not None]
    assert len(reached) == len(depths) // 2
    assert (max(reached), reached.count(radius)) == (radius, farthest)


def test_ways_are_the_least_of_the_shortest() -> None:
    """Against all ways of that length, on boards near the goal."""
    table = eight.table()

    def ways(tiles: tuple[int, ...]) -> list[str]:
        if table.depth(tiles) == 0:
            return [""]
        found = []
        for letter, near in State(tiles, EIGHT).neighbours():
            if table.depth(near.tiles) == table.depth(tiles) - 1:
                found += [letter + way for way in ways(near.tiles)]
        return found

    rng = random.Random(5)
    for _ in range(20):
        tiles = list(range(9))
        rng.shuffle(tiles)
        if table.depth(tiles) is None:
            assert table.way(tiles) is None
            continue
        every = ways(tuple(tiles))
        assert table.way(tiles) == min(every)
        by_other = {letter: str(i) for i, letter in enumerate("UDLR")}
        assert table.way(tiles, "UDLR") == min(every, key=lambda w: [by_other[x] for x in w])


# -- 3 x 3 and smaller --------------------------------------------------------------------------


def test_eight_solved_and_unsolvable() -> None:
    assert find("poj1077")("1 2 3 4 5 6 7 8 x") == "\n"
    assert find("poj1077")("1 2 3 4 5 6 8 7 x\n") == "unsolvable\n"
    text = "1 2 3 4 5 6 7 8 x\n\n  2  3  4  1  5  x  7  6  8 \n1 2 3 4 5 6 8 7 X\n"
    assert find("hdu1043")(text) == "\nullddrurdllurdruldr\nunsolvable\n"
    assert find("hdu1043")("") == ""


def test_uva652() -> None:
    text = "3\n\n2 3 4 1 5 x 7 6 8\n\n1 2 3 4 5 6 7 8 x\n\n1 2 3 4 5 6 8 7 x\n"
    assert find("uva652")(text) == "ullddrurdllurdruldr\n\n\n\nunsolvable\n"


def test_hdu3567_any_place_of_the_blank() -> None:
    rng = random.Random(2)
    cases, states = [], []
    for blank in range(9):
        goal = [*range(1, 9)]
        rng.shuffle(goal)
        goal.insert(blank, 0)
        state = State(goal, EIGHT)
        for _ in range(25):
            state = rng.choice(state.neighbours())[1]
        states.append((list(state.tiles), goal))
        cases += ["".join(map(str, tiles)).replace("0", "X") for tiles in (state.tiles, goal)]
    lines = find("hdu3567")(f"{len(states)}\n" + "\n".join(cases)).splitlines()
    for case, (start, goal) in enumerate(states, start=1):
        head, way = lines[2 * case - 2 : 2 * case]
        assert head == f"Case {case}: {len(way)}"
        assert replay(start, EIGHT, way) == tuple(goal)
        depth = tables.Table(EIGHT, goal).depth(start)
        assert depth == len(way)


def test_distances_or_minus_one() -> None:
    unsolvable = "1 2 3\n4 5 6\n8 7 0\n"
    for name in ("boj1525", "koistudy608", "aoj_alds1_13_b"):
        assert find(name)(unsolvable) == "-1\n"
        assert find(name)("1 2 3 4 5 6 7 8 0") == "0\n"
        assert find(name)("8 6 7 2 5 4 3 0 1") == "31\n"
    assert find("lingzhi208")("1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 8 7 0\n") == "-1\n"
    assert find("leetcode773")("[[4,1,2],[5,0,3]]") == "5\n"
    assert find("leetcode773")("[[1,2,3],[5,4,0]]") == "-1\n"
    assert find("luogu_p1379")("123804765") == "0\n"


def test_ntuj219_is_hard_beyond_twenty() -> None:
    table = eight.table()
    by_depth: dict[int, list[int]] = {}
    for tiles in tables.arrangements(9)[::97].tolist():
        depth = table.depth(tiles)
        if depth in (19, 20, 21):
            by_depth[depth] = tiles
    text = "3\n" + "\n\n".join(rows(by_depth[depth], 3) for depth in (19, 20, 21))
    assert find("ntuj219")(text) == "19\n20\nHard\n"


def test_aoj0121_farthest() -> None:
    text = "\n".join(
        " ".join(map(str, t)) for t in ([0, 1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 0, 4, 5, 6, 7])
    )
    assert find("aoj0121")(text) == "0\n3\n"
    assert find("aoj0121")("") == ""


# -- parity -------------------------------------------------------------------------------------


def test_parity_by_doubling() -> None:
    for n in range(1, 7):
        for p in permutations(range(n)):
            swaps = sum(p[i] > p[j] for i in range(n) for j in range(i + 1, n))
            assert parity.parity(np.array(p, np.int32)) == swaps % 2
    for n in (2, 1000, 1023, 1024, 1025):  # one cycle of n, however long
        assert parity.parity(np.roll(np.arange(n, dtype=np.int32), 1)) == (n - 1) % 2


def test_fifteens_agree_with_the_verdict() -> None:
    rng = random.Random(1)
    boards = [rng.sample(range(16), 16) for _ in range(200)]
    want = [bool(verdict(State(board, FIFTEEN), GOAL15)) for board in boards]
    text = f"{len(boards)}\n" + "\n".join("\n" + rows(board, 4) for board in boards)
    assert find("hdu6620")(text) == "".join("Yes\n" if yes else "No\n" for yes in want)
    assert find("infoarena")(text) == "".join("DA\n" if yes else "NU\n" for yes in want)
    for board, yes in zip(boards[:20], want, strict=False):
        answer = "Solution Exists\n" if yes else "No Solution\n"
        assert find("emaxx")(rows(board, 16)) == answer


def test_poj2893_agrees_with_the_verdict() -> None:
    rng = random.Random(3)
    text, want = "", ""
    for shape in [(2, 3), (3, 2), (5, 4), (7, 7), (2, 9), (4, 4), (2, 2)] * 4:
        board = Board.grid(*shape)
        tiles = rng.sample(range(board.n), board.n)
        text += f"{shape[0]} {shape[1]}\n{rows(tiles, shape[1])}\n"
        want += "YES\n" if verdict(State(tiles, board), named_goal("blank-last", board)) else "NO\n"
    assert find("poj2893")(text + "0 0\n") == want
    assert find("poj2893")(text) == want  # no end mark
    assert find("poj2893")(text + "0 0\n7 7 rubbish".replace("rubbish", "1")) == want
    assert find("poj2893")("0 0\n") == ""
    assert find("poj2893")(text + "0 0\nThe end: 1 2 x [\0") == want


def test_zoj2004_agrees_with_the_verdict() -> None:
    rng = random.Random(4)
    text, want = "11\n1\n0\n", "Puzzle can be solved.\n"
    for size in (2, 2, 2, 2, 3, 3, 3, 3, 4, 5):
        board = Board.grid(size, size, size)
        tiles = rng.sample(range(board.n), board.n)
        text += f"{size}\n{rows(tiles, size * size)}\n"
        yes = verdict(State(tiles, board), named_goal("blank-last", board))
        want += "Puzzle can be solved.\n" if yes else "Puzzle is unsolvable.\n"
    assert find("zoj2004")(text) == want
    assert "unsolvable" in want


def test_large_boards() -> None:
    """The largest sizes that the tasks allow; one exchange decides."""
    labels = np.arange(1, 100**3 + 1)
    labels[-1] = 0
    solved = "100\n" + " ".join(map(str, labels))
    labels[[0, 1]] = labels[[1, 0]]
    swapped = "100\n" + " ".join(map(str, labels))
    sentences = "Puzzle can be solved.\nPuzzle is unsolvable.\n"
    assert find("zoj2004")(f"2\n{solved}\n{swapped}\n") == sentences
    labels = np.arange(1, 999 * 998 + 1)
    labels[-1] = 0
    labels[[5, 7]] = labels[[7, 5]]
    assert find("poj2893")(f"999 998\n{' '.join(map(str, labels))}\n0 0\n") == "NO\n"


# -- 4 x 4 and larger ---------------------------------------------------------------------------


def test_uva10181() -> None:
    rng = random.Random(6)
    boards = []
    for steps in (1, 10, 30, 60):
        state = GOAL15
        for _ in range(steps):
            state = rng.choice(state.neighbours())[1]
        boards.append(list(state.tiles))
    boards += [list(GOAL15.tiles), [2, 1, *GOAL15.tiles[2:]]]
    text = f"{len(boards)}\n" + "\n".join(rows(board, 4) for board in boards)
    lines = find("uva10181")(text).split("\n")
    assert lines.pop() == ""
    assert lines.pop() == "This puzzle is not solvable."
    for board, moves in zip(boards, lines, strict=False):
        assert len(moves) <= 50
        assert replay(board, FIFTEEN, moves) == GOAL15.tiles


def test_uva10181_does_not_call_a_far_board_unsolvable() -> None:
    far = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"  # 80 moves
    with pytest.raises(LimitReached, match="50 moves"):
        find("uva10181")(f"1\n{far}")


def test_lightoj() -> None:
    near = "2 3 4 0\n1 5 7 8\n9 6 10 12\n13 14 11 15"
    far = "0 12 9 13\n15 11 10 14\n3 7 2 5\n4 8 6 1"  # 80 moves: more than 35
    never = "2 1 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0"
    text = f"4\n\n{near}\n\n{far}\n\n{never}\n\n" + rows(list(GOAL15.tiles), 4)
    assert find("lightoj")(text) == (
        "Case 1: LLLDRDRDR\nCase 2: This puzzle is not solvable.\n"
        "Case 3: This puzzle is not solvable.\nCase 4: \n"
    )


def test_lightoj_is_the_least_way() -> None:
    """F23d: 68 shortest ways of 30 moves; checked against all of them."""
    board = [1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12, 13, 15, 14, 0]
    from taquin.search.ida import ida_all

    ways = [way.moves for way in ida_all(State(board, FIFTEEN), GOAL15).solutions]
    assert len(ways) == 68
    assert find("lightoj")("1\n" + rows(board, 4)) == f"Case 1: {min(ways)}\n"


def test_epoka_limits() -> None:
    for size, limit in ((3, 15), (4, 15), (5, 12), (6, 12), (7, 12)):
        board = Board.grid(size, size)
        state = named_goal("blank-last", board)
        goal = state
        for letter in "UULLDDRRUULLDDR":
            to = board.step(state.blank, letter)
            assert to is not None
            state = state.moved(to)
            exact = fifteen.distance_within(state, goal, 20)
            answer = find("epoka_kth")(f"{size}\n{rows(list(state.tiles), size)}\n")
            within = exact is not None and exact <= limit
            assert answer == (f"{exact}\n" if within else "-1\n")
    assert find("epoka_kth")("3\n8 6 7 2 5 4 3 0 1") == "-1\n"


def test_distance_within_agrees_with_the_table() -> None:
    table = eight.table()
    goal = named_goal("blank-last", EIGHT)
    near = [
        tiles for tiles in tables.arrangements(9)[::97].tolist() if (table.depth(tiles) or 99) < 18
    ]
    for tiles in [*near[::9], [1, 2, 3, 4, 5, 6, 8, 7, 0], list(goal.tiles)]:
        depth = table.depth(tiles)
        for limit in (8, 12, 17):
            want = depth if depth is not None and depth <= limit else None
            assert fifteen.distance_within(State(tiles, EIGHT), goal, limit) == want


@pytest.mark.parametrize("size", range(1, 11))
def test_poj3240(size: int) -> None:
    rng = random.Random(size)
    board = Board.grid(size, size)
    goal = named_goal("blank-last", board)
    tiles = rng.sample(range(board.n), board.n)
    if not verdict(State(tiles, board), goal):
        assert find("poj3240")(f"{size}\n{rows(tiles, size)}") == "No Answer!\n"
        a, b = (i for i, label in enumerate(tiles) if label in (1, 2))
        tiles[a], tiles[b] = tiles[b], tiles[a]
    moves = find("poj3240")(f"{size}\n{rows(tiles, size)}").rstrip("\n")
    assert replay(tiles, board, moves) == goal.tiles


# -- the frame of letters -----------------------------------------------------------------------

FRAME = "ABCDE\nFGHIJ\nKLMNO\nPQRST\nUVWX "


def test_uva227_cases() -> None:
    third = " ABCD\nEFGHI\nJKLMN\nOPQRS\nTUVWX"
    text = f"{FRAME}\nAL\nL\nA0\n{FRAME.rstrip()}\nB0\n{third}\nRB0\nZ\nignored"
    assert find("uva227")(text) == (
        "Puzzle #1:\nA B C D E\nF G H I J\nK L   N O\nP Q M R S\nU V W X T\n"
        "\nPuzzle #2:\nThis puzzle has no final configuration.\n"
        "\nPuzzle #3:\nA F B C D\nE   G H I\nJ K L M N\nO P Q R S\nT U V W X\n"
    )
    assert find("uva227")("Z\n") == ""
    assert find("uva227")(f"{FRAME}\n0\n") == f"Puzzle #1:\n{spaced(FRAME)}\n"


def spaced(frame: str) -> str:
    return "\n".join(" ".join(row) for row in frame.split("\n"))


def test_uva227_an_illegal_move_still_ends_at_the_zero() -> None:
    text = f"{FRAME}\nBAAAA\nLLLL0\n{FRAME}\n0\nZ\n"
    first, second = find("uva227")(text).split("\n\n")
    assert first == "Puzzle #1:\nThis puzzle has no final configuration."
    assert second.startswith("Puzzle #2:\nA B C D E\n")


# -- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("boj1525", "", "case 1 of 1: expected 9 numbers, got 0"),
        ("boj1525", "1 2 3 4", "expected 9 numbers, got 4"),
        ("boj1525", "1 2 3 4 5 6 7 8 9", r"missing: 0 \(the blank\); out of range 0..8: 9"),
        ("boj1525", "1 2 3 4 5 6 7 8 0 1", "1 numbers too many"),
        ("boj1525", "1 2 3\n4 five 6\n7 8 0", "line 2: expected whole numbers, got 'five'"),
        ("boj1525", "1 2 3\n4 5.5 6\n7 8 0", "line 2: expected whole numbers, got '5.5'"),
        ("boj1525", "1 2 3\0 4 5 6 7 8 0", "expected whole numbers"),
        ("boj1525", "1 2 3 4 5 6 7 8 \u0660", "expected whole numbers"),
        ("boj1525", "1 1 3 4 5 6 7 8 0", "missing: 2; more than once: 1"),
        ("hdu6620", "2\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0\n1 2", "case 2 of 2"),
        ("hdu6620", "-1\n", "from 0"),
        ("hdu6620", "99999999999999999999999\n", "expected a number from 0"),
        ("hdu6620", "999999999\n1 2", "case 1 of 999999999"),
        ("infoarena", "1\n1 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0", "missing: 2"),
        ("poj2893", "3 3\n1 2 3", "case 1, a board 3 x 3: expected 9 numbers, got 3"),
        ("poj2893", "1 5\n1 2 3 4 0", "expected M and N from 2, got 1 5"),
        ("poj2893", "2 2\n1 2 3 4\n0 0", "case 1: .*missing: 0"),
        ("poj2893", "2 2\n1 2 3 0\nThe end", "line 3: expected whole numbers, got 'The'"),
        ("poj2893", "2 2\n1 2 x 0\n0 0", "line 2: expected whole numbers, got 'x'"),
        ("aoj0121", "0 1 2 3 4 5 6 7\nThe end", "line 2: expected whole numbers, got 'The'"),
        ("boj1525", "1 2 3 4 5 6 7 8 0 1.5", "line 1: expected whole numbers, got '1.5'"),
        ("hdu6620", "1\n1 2 3 4 5 - 7", "line 2: expected whole numbers, got '-'"),
        ("zoj2004", "1\n2\n1 2 3 4 5 6 7 7", "case 1: .*missing: 0 .*more than once: 7"),
        ("zoj2004", "1\n0\n", "case 1: the size M: expected a number from 1"),
        ("zoj2004", "2\n1\n0\n", "case 2: the size M: expected 1 numbers, got 0"),
        ("poj1077", "1 2 3 4 5 6 7 8", "expected 9 marks"),
        ("poj1077", "1 2 3 4 5 6 7 8 9", "got '9'"),
        ("poj1077", "1 2 3 4 5 6 7 7 x", "missing: 8; more than once: 7"),
        ("hdu1043", "1 2 3 4 5 6 7 8 x\n1 2 3", "line 2: expected 9 marks"),
        ("uva652", "two", "the number of boards first"),
        ("uva652", "2\n\n1 2 3 4 5 6 7 8 x\n", "expected 2 boards of 9 marks, got 9 marks"),
        ("hdu3567", "", "the number of cases first"),
        ("hdu3567", "1\n12345678X\n", "two lines for each"),
        ("hdu3567", "1\n12345678X\n12345687X\n", "case 1: the target cannot be reached"),
        ("leetcode773", "[[1,2,3],[4,0]]", "expected 2 lists of 3 numbers"),
        ("leetcode773", "[[1,2,3],[4,0,true]]", "expected 2 lists of 3 numbers|missing"),
        ("leetcode773", "[" * 100_000, "expected 2 lists of 3 numbers"),
        ("leetcode773", "", "expected 2 lists of 3 numbers"),
        ("epoka_kth", "8\n1", "n: expected a number from 3 to 7, got 8"),
        ("poj3240", "0\n", "n: expected a number from 1"),
        ("uva227", f"{FRAME}\nAL", "do not end with 0"),
        ("uva227", "ABCDE\nFGHIJ\n", "expected 5 rows of 5 letters"),
        ("uva227", FRAME.replace("M", " ") + "\n0", "with 2 empty cells"),
        ("uva227", FRAME.replace("ABCDE", "ABCDEF") + "\n0", "line 1: a row of puzzle 1"),
        ("luogu_p1379", "12345678", "expected 9 marks"),
    ],
)
def test_faults_are_named(name: str, text: str, complaint: str) -> None:
    with pytest.raises((ParseError, InvalidState), match=complaint):
        find(name)(text)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_no_input_surprises_a_judge(task: Judge) -> None:
    """Only errors of this package come out, whatever goes in."""
    rng = random.Random(task.name)
    good = next((DATA / f"{n}.in" for n in task.names if (DATA / f"{n}.in").exists()), None)
    base = good.read_text() if good else "1\n\n2 3 4 1 5 x 7 6 8\n"
    for _ in range(150):
        letters = list(base)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(letters))
            letters[at] = rng.choice(
                ["", " ", "\n", "0", "7", "x", "-", "\0", "é", "9" * 25, "[", "Z"]
            )
        with suppress(ParseError, InvalidState, LimitReached):
            assert isinstance(task("".join(letters)), str)
