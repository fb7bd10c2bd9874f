"""Symmetries of boards: the permutations of the cells that keep neighbours neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

#: Cells tried before a search for symmetries gives up: odd graphs have too many dead ends.
MOST_TRIALS = 1 << 16


def automorphisms(
    neighbours: Sequence[Sequence[int]],
    *,
    image_of: tuple[int, int] | None = None,
    limit: int = 1024,
) -> Iterator[tuple[int, ...]]:
    """Yield symmetries of a connected board, each as the image of every cell.

    Parameters
    ----------
    neighbours
        The cells next to each cell.
    image_of : (int, int), optional
        Only those that take the first cell to the second.
    limit : int
        End after so many.

    Notes
    -----
    Backtracking: the cells in breadth-first order, each to a neighbour of its parent's image, of
    the same degree and next to the same cells as far as these have images. After `MOST_TRIALS`
    trials it ends: what was found is right, but may not be all.

    Examples
    --------
    >>> len(list(automorphisms([(1, 3), (0, 2), (1, 3), (0, 2)])))  # a ring of four cells
    8
    """
    n = len(neighbours)
    root, image = (0, None) if image_of is None else image_of
    order, parent = [root], {root: root}
    for cell in order:
        for near in neighbours[cell]:
            if near not in parent:
                parent[near] = cell
                order.append(near)
    known = [set(cells) for cells in neighbours]
    images = [-1] * n
    used = [False] * n
    trials = found = 0

    def fits(place: int, to: int) -> bool:
        cell = order[place]
        if used[to] or len(known[to]) != len(known[cell]):
            return False
        return all(
            (other in known[cell]) == (images[other] in known[to]) for other in order[:place]
        )

    def choices(place: int) -> Iterator[int]:
        if place == 0:
            return iter(range(n) if image is None else (image,))
        return iter(sorted(known[images[parent[order[place]]]]))

    stack = [choices(0)]
    while stack and found < limit and trials < MOST_TRIALS:
        place = len(stack) - 1
        cell = order[place]
        if images[cell] >= 0:
            used[images[cell]] = False
            images[cell] = -1
        for to in stack[-1]:
            trials += 1
            if fits(place, to):
                images[cell], used[to] = to, True
                break
        else:
            stack.pop()
            continue
        if place + 1 < len(order):
            stack.append(choices(place + 1))
        elif len(order) == n:
            found += 1
            yield tuple(images)


def representative(neighbours: Sequence[Sequence[int]], cell: int) -> tuple[int, tuple[int, ...]]:
    """Return the least cell that a symmetry takes `cell` to, and the first such symmetry.

    Examples
    --------
    >>> representative([(1,), (0, 2), (1,)], 2)
    (0, (2, 1, 0))
    """
    for least in range(cell):
        if len(neighbours[least]) == len(neighbours[cell]):
            for symmetry in automorphisms(neighbours, image_of=(cell, least), limit=1):
                return least, symmetry
    return cell, tuple(range(len(neighbours)))
