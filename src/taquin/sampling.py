"""Random states: exactly uniform over everything that reaches a goal, on any board.

The blank's cell is uniform, since every cell is the blank's in equally many states. With the
blank at the goal's place, each block is shuffled within its own group of permutations (see
`taquin.solvability`); then the blank walks to its cell.
"""

from __future__ import annotations

import random
from typing import Any

from taquin.board import Board
from taquin.errors import Unsupported
from taquin.solvability import ALL, EVEN, RING, THETA, Block, single_rule, split, theta_group
from taquin.state import State

#: What may stand for a source of chance: a generator, a seed, or None for a seed of the system's.
Rng = Any


def as_random(rng: Rng) -> random.Random:
    """Return a generator from a `random.Random`, a NumPy generator, a seed, or None.

    Raises
    ------
    Unsupported
        For anything else.
    """
    if isinstance(rng, random.Random):
        return rng
    if hasattr(rng, "integers"):  # a NumPy generator gives a seed, and goes on from there
        return random.Random(int(rng.integers(2**63)))
    if rng is None or hasattr(rng, "__index__"):
        return random.Random(None if rng is None else int(rng))
    raise Unsupported(f"chance comes from a generator or a whole number as a seed; got {rng!r}")


def random_state(goal: State, rng: random.Random) -> State:
    """Return a state that reaches `goal`, each with the same probability. Cost: O(n).

    Examples
    --------
    >>> from taquin.goals import named_goal
    >>> goal = named_goal("blank-last", Board.grid(3, 3))
    >>> random_state(goal, random.Random(7)) == random_state(goal, random.Random(7))
    True
    """
    board, tiles = goal.board, list(goal.tiles)
    for block in _blocks(board, goal.blank):
        _shuffle(board, block, tiles, rng)
    state = State.trusted(tuple(tiles), board, goal.blank)
    return _walk(state, board.path(goal.blank, rng.randrange(board.n)))


def random_walk(goal: State, steps: int, rng: random.Random) -> State:
    """Return the state after `steps` random moves from `goal`, none of them straight back."""
    board, blank = goal.board, goal.blank
    walk: list[int] = []
    before = -1
    for _ in range(steps):
        near = board.neighbours(blank)
        ways = [cell for cell in near if cell != before] or list(near)
        if not ways:
            break
        before, blank = blank, rng.choice(ways)
        walk.append(blank)
    return _walk(goal, walk)


def _walk(state: State, walk: list[int]) -> State:
    tiles, blank = list(state.tiles), state.blank
    for cell in walk:
        tiles[blank], tiles[cell] = tiles[cell], 0
        blank = cell
    return State.trusted(tuple(tiles), state.board, blank)


def _blocks(board: Board, home: int) -> tuple[Block, ...]:
    rule = single_rule(board)
    if rule is None:
        return split(board, home)
    return (Block(rule, home, tuple(cell for cell in range(board.n) if cell != home)),)


def _shuffle(board: Board, block: Block, tiles: list[int], rng: random.Random) -> None:
    """Permute the tiles of one block by a uniform element of its group."""
    cells = block.cells
    labels = [tiles[cell] for cell in cells]
    order = list(range(len(cells)))
    if block.kind in (EVEN, ALL):
        odd = _shuffle_order(order, rng)
        if block.kind == EVEN and odd:
            order[0], order[1] = order[1], order[0]
    elif block.kind == RING:
        turn = rng.randrange(len(cells))
        order = order[turn:] + order[:turn]
    elif block.kind == THETA:
        order = list(rng.choice(theta_group(board, block)))
    for cell, i in zip(cells, order, strict=True):
        tiles[cell] = labels[i]


def _shuffle_order(order: list[int], rng: random.Random) -> int:
    """Shuffle in place (Fisher & Yates 1938); return the parity of the permutation."""
    odd = 0
    for i in range(len(order) - 1, 0, -1):
        j = rng.randrange(i + 1)
        if i != j:
            order[i], order[j] = order[j], order[i]
            odd ^= 1
    return odd
