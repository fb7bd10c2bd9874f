"""Two classical walks over a graph: breadth first, and depth first for its blocks.

The graph is a pair of integer sequences in compressed form: the neighbours of vertex ``v`` are
``indices[indptr[v]:indptr[v + 1]]``. The functions are plain loops, so that the same text runs
on Python lists for small graphs and, compiled, on arrays for a million vertices (`on` decides).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taquin.jit import compiled


def column(length: int, value: int, heavy: bool) -> Any:
    """Return `length` times `value`: an array where compiled code walks, a list elsewhere."""
    if not heavy:
        return [value] * length
    import numpy as np

    return np.full(length, value, np.int64)


def on(function: Callable[..., Any], size: int, heavy: bool) -> Callable[..., Any]:
    """Return `function`, compiled if `heavy`."""
    return compiled(function, size) if heavy else function


def breadth_first(indptr: Any, indices: Any, start: int, distance: Any, parent: Any) -> int:
    """Fill `distance` and `parent` (both preset to -1) from `start`; return how many were reached.

    Cost: O(vertices + edges).
    """
    distance[start] = 0
    queue = [start]
    head = 0
    while head < len(queue):
        vertex = queue[head]
        head += 1
        for e in range(indptr[vertex], indptr[vertex + 1]):
            other = indices[e]
            if distance[other] < 0:
                distance[other] = distance[vertex] + 1
                parent[other] = vertex
                queue.append(other)
    return head


def blocks(
    indptr: Any, indices: Any, root: int, depth: Any, low: Any, parent: Any, block_of: Any
) -> list[int]:
    """Split a connected graph into its blocks (maximal 2-connected parts), seen from `root`.

    Every vertex but the root lies in exactly one block that it does not share with the way to
    the root; `block_of` (preset to -1) receives the number of that block. The one further vertex
    of a block, its *entry*, is where a walk from the root comes in.

    Parameters
    ----------
    depth, low, parent, block_of : integer sequences, one entry a vertex, preset to -1
        `depth` keeps the depth in the search tree, whose parity colours each bipartite block.

    Returns
    -------
    list of int
        The entry of each block.

    Notes
    -----
    Depth-first search with low points (Hopcroft & Tarjan 1973), without recursion.
    Cost: O(vertices + edges).
    """
    entries = [0][:0]  # an empty list whose type a compiler can see
    cursor = [indptr[v] for v in range(len(indptr) - 1)]
    waiting = [root]  # visited vertices whose block is not closed yet
    path = [root]
    depth[root] = low[root] = 0
    while len(path) > 0:
        vertex = path[-1]
        if cursor[vertex] < indptr[vertex + 1]:
            other = indices[cursor[vertex]]
            cursor[vertex] += 1
            if depth[other] < 0:
                depth[other] = low[other] = depth[vertex] + 1
                parent[other] = vertex
                waiting.append(other)
                path.append(other)
            elif other != parent[vertex]:
                low[vertex] = min(low[vertex], depth[other])
            continue
        path.pop()
        if len(path) == 0:
            break
        above = path[-1]
        low[above] = min(low[above], low[vertex])
        if low[vertex] >= depth[above]:  # `above` separates the subtree of `vertex`
            while block_of[vertex] < 0:
                block_of[waiting.pop()] = len(entries)
            entries.append(above)
    return entries


def count_edges(
    indptr: Any, indices: Any, depth: Any, block_of: Any, entries: Any, edges: Any, odd: Any
) -> None:
    """Count, for each block, its edges and those that join two cells of one colour.

    `depth`, `block_of` and the list of entries come from `blocks`; `edges` and `odd` (preset to
    0, one entry a block) receive the counts. Cost: O(vertices + edges).
    """
    for vertex in range(len(indptr) - 1):
        for e in range(indptr[vertex], indptr[vertex + 1]):
            other = indices[e]
            if other < vertex:
                continue
            block = block_of[vertex]
            if block < 0 or (entries[block] != other and block_of[other] != block):
                block = block_of[other]  # `vertex` is the entry of the block of `other`
            edges[block] += 1
            if (depth[vertex] + depth[other]) % 2 == 0:
                odd[block] += 1
