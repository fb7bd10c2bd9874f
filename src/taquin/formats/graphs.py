"""The state graph of a small puzzle as a file for graph programs: GraphML, or a list of edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from taquin.errors import Unsupported
from taquin.search.layers import children
from taquin.space import pick

if TYPE_CHECKING:
    from taquin.space import Space
    from taquin.state import State

#: Larger graphs are not written.
MOST_STATES = 1_000_000

GRAPHML_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="state" for="node" attr.name="state" attr.type="string"/>
<key id="depth" for="node" attr.name="depth" attr.type="int"/>
<graph id="G" edgedefault="undirected">
"""

Nodes = dict["State", int]


def edge_list(depths: Nodes, metric: str) -> Iterator[str]:
    """Yield a line for each edge: the numbers of its two states, then, once, the states.

    The lines that begin with ``#`` say which state a number stands for, and its depth.
    """
    for number, (state, depth) in enumerate(depths.items()):
        yield f"# {number} {depth} {state}\n"
    for one, other in _edges(depths, metric):
        yield f"{one} {other}\n"


def graphml(depths: Nodes, metric: str) -> Iterator[str]:
    """Yield the text of a GraphML file; nodes have the data ``state`` and ``depth``."""
    yield GRAPHML_HEAD
    for number, (state, depth) in enumerate(depths.items()):
        yield (
            f'<node id="n{number}"><data key="state">{escape(str(state))}</data>'
            f'<data key="depth">{depth}</data></node>\n'
        )
    for one, other in _edges(depths, metric):
        yield f'<edge source="n{one}" target="n{other}"/>\n'
    yield "</graph>\n</graphml>\n"


#: The end of a file's name -> what writes it.
WRITERS: dict[str, Callable[[Nodes, str], Iterator[str]]] = {
    ".graphml": graphml,
    ".xml": graphml,
    ".edges": edge_list,
    ".edgelist": edge_list,
    ".txt": edge_list,
}


def _edges(depths: Nodes, metric: str) -> Iterator[tuple[int, int]]:
    number = {state: i for i, state in enumerate(depths)}
    for state, one in number.items():
        for other in sorted({number[child] for _, child in children(state, metric)}):
            if one < other:
                yield one, other


def write_graph(space: Space, path: Path | str) -> None:
    """Write the graph of a complete space; its format follows the file's name (`WRITERS`).

    Raises
    ------
    Unsupported
        If the space has more than `MOST_STATES` states, is not complete, or for another name.
    OSError
        If the file cannot be written.
    """
    path = Path(path)
    if path.suffix not in WRITERS:
        raise Unsupported(f"cannot write {path.name} as a graph: expected {', '.join(WRITERS)}")
    if not space.complete or space.states > MOST_STATES:
        raise Unsupported(
            f"a graph is written for a complete space of up to {MOST_STATES:,} states; this one has"
            f" {space.states:,}{'' if space.complete else ' and is not complete'}"
        )
    levels = pick(space.puzzle, lambda _, size: range(size))
    depths = {state: depth for depth, states in levels.items() for state in states}
    with path.open("w", encoding="utf-8") as file:
        file.writelines(WRITERS[path.suffix](depths, space.puzzle.metric))
