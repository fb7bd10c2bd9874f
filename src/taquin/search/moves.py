"""The successors of a state, in both metrics."""

from __future__ import annotations

from taquin.state import State

Successor = tuple[tuple[int, ...], State]


def successors(state: State, metric: str = "stm") -> list[Successor]:
    """Return (walk of the blank, state) for every move, in the order U L R D F B.

    In the multi-tile metric (``"mtm"``) a move is a whole segment: the blank goes one or more
    cells along a line, on a ring at most once round; shorter segments come first.

    Examples
    --------
    >>> s = State.parse("1 2 3 / 4 5 6 / 7 8 0")
    >>> [walk for walk, _ in successors(s, "mtm")]
    [(5,), (5, 2), (7,), (7, 6)]
    """
    if metric == "stm":
        return [((to,), state.moved(to)) for _, to in state.board.moves(state.blank)]
    found = []
    for letter in state.board.directions:
        walk: tuple[int, ...] = ()
        now = state
        while (to := state.board.step(now.blank, letter)) not in (None, state.blank):
            assert to is not None
            walk += (to,)
            now = now.moved(to)
            found.append((walk, now))
    return found
