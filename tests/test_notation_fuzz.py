"""Whatever is read, the answer is a reading or one of our errors, in one short sentence."""

# ruff: noqa: RUF001  (odd characters are what is tested)

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from taquin.board import Board
from taquin.errors import InvalidState, ParseError, TaquinError
from taquin.notation import FORMS, MOVE_FORMS, Reading, read, read_many, read_moves, write
from taquin.state import State, check_labels

PIECES = [
    *"0123456789abcxXBU_.-#;/|[](){},:=\"'\n\t \r\0%&",
    *("1 2 3", "4 0 5", "6 7 8", "10", "-1", "None", "nan", "1.5", "//", "->", "\n\n", "3x3:"),
    *("walls:..#|...:", "graph:0-1,1-2:", "2x2:torus:", "start:\n", "goal:\n", "[[1,2],[3,0]]"),
    *("(define (:init", "(:goal (and", "(at t1 p_1_1)", "(empty p_2_2)", "(adj s1 s2)", "))"),
    *("in0(1,1,1).", "p(1,2,", "array([", "dtype=int", "\ud800", "\ufeff", "１", "，", "│", "─┼─"),
    *("9" * 30, "9" * 5000, "é", "٣", "²", "½", "𝟙", "\x85", "id,tiles\n", "0 0\n", "2 2\n"),
]  # fmt: skip

texts = st.one_of(
    st.text(max_size=60),
    st.text("0123456789 \n/|,[]#-x_.", max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join),
)
boards = st.sampled_from(
    [
        None,
        Board.grid(2, 2),
        Board.grid(3, 3, wrap=(0, 1)),
        Board.draw("..#|..."),
        Board.from_edges([(0, 1), (1, 2), (0, 2)]),
        Board.grid(2, 2, 2),
        Board.grid(4),
    ]
)


def check(result: Reading, board: Board | None, repeats: bool) -> None:
    """A reading holds valid states of one board."""
    states = [result.state, *([result.goal] if result.goal else [])]
    for state in states:
        check_labels(state.tiles, state.board.n, repeats=repeats)
        assert state.board == (board or result.state.board)
        assert state.tiles[state.blank] == 0
    assert result.form in FORMS or result.form == "state"
    assert result.line >= 1


def check_error(error: TaquinError) -> None:
    assert isinstance(error, (ParseError, InvalidState))
    check_message(str(error))


def check_message(message: str) -> None:
    """One short line."""
    assert message
    assert len(message) < 1_000
    assert message.isprintable()


def try_read(value: object, board: Board | None, form: str | None, repeats: bool) -> None:
    try:
        result = read(value, board, form=form, repeats=repeats)
    except TaquinError as error:
        check_error(error)
        return
    check(result, board, repeats)


@settings(max_examples=400)
@given(texts, boards, st.one_of(st.none(), st.sampled_from(sorted(FORMS))), st.booleans())
def test_any_text(text: str, board: Board | None, form: str | None, repeats: bool) -> None:
    try_read(text, board, form, repeats)


@settings(max_examples=300)
@given(texts, boards, st.booleans())
def test_any_file(text: str, board: Board | None, repeats: bool) -> None:
    for result in read_many(text, board, repeats=repeats):
        if isinstance(result, Reading):
            check(result, board, repeats)
        else:
            check_error(result)


marks = st.one_of(
    st.integers(-2, 9),
    st.none(),
    st.booleans(),
    st.floats(),
    st.text(max_size=3),
    st.binary(max_size=2),
    st.integers(),
)
values = st.recursive(marks, lambda inner: st.lists(inner, max_size=4), max_leaves=20)


@settings(max_examples=300)
@given(values, boards, st.booleans())
def test_any_value(value: object, board: Board | None, repeats: bool) -> None:
    try_read(value, board, None, repeats)


@settings(max_examples=300)
@given(texts, st.sampled_from(MOVE_FORMS), boards)
def test_any_moves(text: str, notation: str, board: Board | None) -> None:
    board = board or Board.grid(3, 3)
    start = State(range(board.n), board)
    try:
        walk = read_moves(text, start, notation)
    except TaquinError as error:
        check_message(str(error))
        return
    for cell in walk:
        start = start.moved(cell)


def test_bytes_with_faults() -> None:
    """Written boards with bytes changed, removed, doubled: 4,000 tries with a fixed seed."""
    rng = random.Random(2024)
    samples = []
    for board in (Board.grid(3, 3), Board.grid(2, 2, 2), Board.grid(2, 3)):
        state = State(rng.sample(range(board.n), board.n), board)
        samples += [write(state, name).encode() for name, form in FORMS.items() if form.fits(state)]
    for _ in range(4_000):
        data = bytearray(rng.choice(samples))
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data) + 1)
            kind = rng.randrange(4)
            if kind == 0:
                data[at:at] = bytes([rng.randrange(256)])
            elif kind == 1:
                del data[at : at + rng.randint(1, 5)]
            elif kind == 2:
                data[at : at + 1] = bytes([rng.choice(b" \n0123456789,|/#[](){}-;x:\x00\xff")])
            else:
                data[at:at] = data[at : at + rng.randint(1, 20)]
        try_read(bytes(data), None, None, repeats=False)
