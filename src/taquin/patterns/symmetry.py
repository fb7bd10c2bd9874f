"""Symmetries of boards: the permutations of the cells that keep neighbours neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

#: Cells tried in vain before a search for symmetries gives up: odd graphs have many dead ends.
MOST_TRIALS = 1 << 16


def automorphisms(
    neighbours: Sequence[Sequence[int]],
    *,
    image_of: tuple[int, int] | None = None,
    limit: int = 1024,
) -> Iterator[tuple[int, ...]]:
    """Yield symmetries of a connected board, each as the image of every cell.

    The identity comes first, unless `image_of` rules it out.

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
    the same degree and next to the same cells as far as these have images. Each symmetry found
    earns as many trials as finding it takes without dead ends; after `MOST_TRIALS` more the search
    ends: what was found is right, but may not be all.

    Examples
    --------
    >>> len(list(automorphisms([(1, 3), (0, 2), (1, 3), (0, 2)])))  # a ring of four cells
    8
    """
    n = len(neighbours)
    root, image = (0, None) if image_of is None else image_of
    order, parent = _breadth_first(neighbours, root)
    near = [sorted(set(cells)) for cells in neighbours]
    known = [set(cells) for cells in near]
    # the neighbours of each cell that have their images before it
    place_of = {cell: place for place, cell in enumerate(order)}
    before = [[to for to in near[cell] if place_of[to] < place_of[cell]] for cell in order]
    images = [-1] * n
    used = [False] * n
    found, trials = 0, MOST_TRIALS
    earned = sum(map(len, near)) + n

    def fits(place: int, to: int) -> bool:
        if used[to] or len(near[to]) != len(near[order[place]]):
            return False
        # As many of its neighbours are images as there should be, and they are the right ones.
        if sum(used[other] for other in near[to]) != len(before[place]):
            return False
        return all(images[other] in known[to] for other in before[place])

    def choices(place: int) -> Iterator[int]:
        if place == 0:
            return iter(range(n) if image is None else (image,))
        return iter(near[images[parent[order[place]]]])

    stack = [choices(0)]
    while stack and found < limit and trials > 0:
        place = len(stack) - 1
        cell = order[place]
        if images[cell] >= 0:
            used[images[cell]] = False
            images[cell] = -1
        for to in stack[-1]:
            trials -= 1
            if fits(place, to):
                images[cell], used[to] = to, True
                break
        else:
            stack.pop()
            continue
        if place + 1 < n:
            stack.append(choices(place + 1))
        else:
            found += 1
            trials += earned
            yield tuple(images)


def _breadth_first(
    neighbours: Sequence[Sequence[int]], root: int
) -> tuple[list[int], dict[int, int]]:
    """All cells from `root` on, and the parent of each.

    The least neighbour comes first, as among the images: so each cell meets itself before any
    other free image, and the identity comes first.
    """
    order, parent = [root], {root: root}
    for cell in order:
        for to in sorted(neighbours[cell]):
            if to not in parent:
                parent[to] = cell
                order.append(to)
    return order, parent


def representative(neighbours: Sequence[Sequence[int]], cell: int) -> tuple[int, tuple[int, ...]]:
    """Return the least cell that a symmetry takes `cell` to, and the first such symmetry.

    On graphs where `automorphisms` gives up it may be another cell of the same orbit.

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
