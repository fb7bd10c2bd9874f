"""States: which tile lies on which cell of a board.

A state never changes; moving makes a new one. Tiles are the integers 1..n-1, the blank is 0::

    State((1, 2, 3, 4, 5, 6, 0, 7, 8), Board.grid(3, 3))     1 2 3
                                                            4 5 6
                                                            . 7 8      blank on cell 6
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from taquin.board import Board
from taquin.board.base import whole_number
from taquin.errors import IllegalMove, InvalidState

#: Begins the text of a state in which labels repeat, so that a slip of the pen stays an error.
EQUAL_LABELS = "repeats: "


class State:
    """An arrangement of tiles on the cells of a board.

    Parameters
    ----------
    tiles : iterable of int
        The label on each cell in reading order; exactly one 0, the blank.
    board : Board
        The cells.
    repeats : bool
        Allow equal labels (any integers >= 1) instead of 1..n-1, each once.

    Raises
    ------
    InvalidState
        Naming the label that is missing, repeated or out of range.

    Examples
    --------
    >>> s = State([1, 2, 3, 4, 5, 6, 0, 7, 8], Board.grid(3, 3))
    >>> s.blank, s.matrix()[2]
    (6, [0, 7, 8])
    >>> print(s.moved(7))
    1 2 3 / 4 5 6 / 7 0 8
    """

    __slots__ = ("_hash", "blank", "board", "tiles")

    _hash: int

    tiles: tuple[int, ...]
    board: Board
    blank: int

    def __init__(self, tiles: Iterable[int], board: Board, *, repeats: bool = False) -> None:
        try:
            labels = tuple(whole_number(label) for label in tiles)
        except TypeError as error:
            raise InvalidState(f"labels are whole numbers: {error}") from None
        check_labels(labels, board.n, repeats=repeats)
        self._set(labels, board, labels.index(0))

    def _set(self, tiles: tuple[int, ...], board: Board, blank: int) -> None:
        for name, value in (("tiles", tiles), ("board", board), ("blank", blank)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_hash", hash(tiles))

    @classmethod
    def trusted(cls, tiles: tuple[int, ...], board: Board, blank: int) -> State:
        """Make a state without any check, for loops that only permute a checked one."""
        state = cls.__new__(cls)
        state._set(tiles, board, blank)
        return state

    @classmethod
    def parse(cls, text: Any, board: Board | None = None) -> State:
        """Read a state from any written form, list or array; see `taquin.notation.read`.

        >>> State.parse("1 2 3 | 4 5 6 | _ 7 8").tiles
        (1, 2, 3, 4, 5, 6, 0, 7, 8)
        """
        from taquin.notation import read

        return read(text, board).state

    def moved(self, to: int) -> State:
        """Return the state after the blank has gone to the neighbouring cell `to`.

        Raises
        ------
        IllegalMove
            If `to` is no neighbour of the blank's cell.
        """
        near = self.board.neighbours(self.blank)
        if to not in near:
            raise IllegalMove(
                f"the blank on cell {self.blank} cannot go to cell {to}: its neighbours are"
                f" {', '.join(map(str, near)) or 'none'}"
            )
        tiles = list(self.tiles)
        tiles[self.blank], tiles[to] = tiles[to], 0
        return State.trusted(tuple(tiles), self.board, to)

    def neighbours(self) -> list[tuple[str, State]]:
        """Return (letter, state) for every move, in the order U L R D F B of the blank."""
        return [(letter, self.moved(to)) for letter, to in self.board.moves(self.blank)]

    def cell_of(self, tile: int) -> int:
        """Return the cell on which `tile` lies (the first one, where labels repeat)."""
        return self.tiles.index(tile)

    @property
    def repeats(self) -> bool:
        """Whether some label occurs more than once, or the labels are not 1..n-1."""
        return len(set(self.tiles)) < self.board.n or max(self.tiles) >= self.board.n

    def matrix(self) -> Any:
        """Return the labels as nested lists: rows of a grid, layers of rows of a box.

        A board with walls gives rows with None at the walls; a graph gives one flat list.
        """
        shape = self.board.shape
        if shape is None:
            return list(self.tiles)
        flat: list[Any] = list(self.tiles)
        rows = getattr(self.board, "rows", None)
        if rows is not None:
            labels = iter(self.tiles)
            flat = [next(labels) if mark == "." else None for mark in "".join(rows)]
        for length in reversed(shape[1:]):
            flat = [flat[i : i + length] for i in range(0, len(flat), length)]
        return flat

    def text(self, form: str = "slash") -> str:
        """Return the state in a written form; see `taquin.notation.FORMS` for their names."""
        from taquin.notation import write

        return write(self, form)

    def _repr_svg_(self) -> str | None:
        """The picture that notebooks show."""
        from taquin.render.notebook import state_svg

        return state_svg(self)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a State never changes: cannot set {name!r}; make a new State")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a State never changes: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return State.trusted, (self.tiles, self.board, self.blank)

    def __iter__(self) -> Iterator[int]:
        return iter(self.tiles)

    def __len__(self) -> int:
        return len(self.tiles)

    def __getitem__(self, cell: int) -> int:
        return self.tiles[cell]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.tiles == other.tiles and self.board == other.board

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return (EQUAL_LABELS if self.repeats else "") + self.text()

    def __repr__(self) -> str:
        repeats = ", repeats=True" if self.repeats else ""
        return f"State({self.tiles}, {self.board!r}{repeats})"


def check_labels(labels: tuple[int, ...], n: int, *, repeats: bool = False) -> None:
    """Raise `InvalidState` unless `labels` are a state of n cells.

    The message names every kind of fault once: too few or many, missing, repeated, out of range.
    """
    if len(labels) != n:
        raise InvalidState(f"got {len(labels)} labels for a board of {n} cells")
    if repeats:
        blanks = labels.count(0)
        if blanks != 1 or min(labels) < 0:
            raise InvalidState(
                f"got {blanks} blanks and the least label {min(labels)}: expected"
                " exactly one blank (0) and labels of at least 1"
            )
        return
    counts = Counter(labels)
    if len(counts) == n and min(labels) == 0 and max(labels) == n - 1:
        return
    raise InvalidState("; ".join(label_faults(counts, n)))


def check_same_labels(state: State, goal: State) -> None:
    """Raise `InvalidState` unless both states have the same labels, equal ones counted."""
    have, want = Counter(state.tiles), Counter(goal.tiles)
    if have != want:
        more, fewer = sorted((have - want).elements()), sorted((want - have).elements())
        raise InvalidState(f"the labels are not the goal's: {more} too many, {fewer} missing")


def label_faults(counts: Counter[int], n: int) -> list[str]:
    """Say what keeps the counted labels from being 0..n-1, each once."""
    faults = []
    beyond = sorted(label for label in counts if not 0 <= label < n)
    twice = sorted(label for label, count in counts.items() if count > 1 and label not in beyond)
    missing = [label for label in range(n) if label not in counts]
    if missing:
        faults.append(f"missing: {_few(missing)}")
    if twice:
        faults.append(f"more than once: {_few(twice)}")
    if beyond:
        faults.append(f"out of range 0..{n - 1}: {_few(beyond)}")
    return faults


def _few(labels: list[int]) -> str:
    shown = ", ".join("0 (the blank)" if label == 0 else str(label) for label in labels[:8])
    return shown + (f" and {len(labels) - 8} more" if len(labels) > 8 else "")
