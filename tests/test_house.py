"""The rules of the house: who may import whom, what stays light, what is documented.

`ROOMS` is the one list of rooms, from top to bottom: a room imports only rooms above it.
ARCHITECTURE.md shows the same list with a line on each; a test keeps them alike.
"""

import ast
import graphlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "taquin"

ROOMS = [
    *("errors", "jit", "kernels", "graphs", "messages", "board", "state", "goals"),
    *("notation", "permutation", "solvability", "sampling", "search.result", "puzzle"),
    *("construct", "sweep", "tables", "oracle", "space", "patterns", "heuristics"),
    *("near", "search"),
    *("generate", "render", "formats", "lesson", "taquin", "cli", "web"),
]

# Modules that are not called after their room.
PARTS = {"__main__": "cli"}

# Below its own place a room may import these when called (inside a function) or for its types.
WHEN_CALLED = {
    "state": {"notation", "render"},  # State.parse and State.text; notebooks
    "search.result": {"render"},  # notebooks
    "cli": {"web"},  # `taquin serve`
    "puzzle": set(ROOMS[ROOMS.index("puzzle") + 1 : ROOMS.index("taquin")]),  # the face
}

NOBODY_IMPORTS = {"cli", "web"}

# Kernels see arrays, never objects; Numba's cache asks for their callees in the same file, or for
# a word where else they are (`taquin.jit.kernel`, `beside`).
KERNELS_IMPORT = {"jit", "sweep.compiled", "patterns.kernels", "patterns.index"}

# A longer file is two. Tests may be longer: they are lists, read one at a time.
LINES, TOLERANCE = 500, 50


class Import(NamedTuple):
    """One import of one of our modules: `kind` is "load", "type" or "call"."""

    target: str
    kind: str
    line: int


def imports(source: str, module: str, known: set[str], *, package: bool) -> Iterator[Import]:
    """Yield the imports of modules of this package, named without "taquin."."""

    def visit(node: ast.AST, kind: str) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                for alias in child.names:
                    if alias.name.split(".")[0] == "taquin":
                        yield Import(alias.name[7:] or "taquin", kind, child.lineno)
            elif isinstance(child, ast.ImportFrom):
                origin = absolute(child)
                if origin.split(".")[0] == "taquin":
                    for alias in child.names:
                        full = f"{origin}.{alias.name}"[7:]
                        target = full if full in known else origin[7:] or "taquin"
                        yield Import(target, kind, child.lineno)
            elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                yield from visit(child, "type")
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                yield from visit(child, "call")
            else:
                yield from visit(child, kind)

    def absolute(node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = ["taquin", *module.split(".")] if module != "taquin" else ["taquin"]
        up = node.level - (1 if package else 0)
        parts = parts[: len(parts) - up]
        return ".".join([*parts, *([node.module] if node.module else [])])

    yield from visit(ast.parse(source), "load")


def room_of(module: str) -> str | None:
    """Return the room of a module: the longest name in `ROOMS` that it starts with.

    A room may also be files that lie side by side: `ida.py`, `ida_kernels.py`.
    """
    module = PARTS.get(module, module)
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        for room in (name, name.partition("_")[0]):
            if room in ROOMS:
                return room
    return None


def faults(sources: dict[str, str]) -> list[str]:
    """Return every break of the import rules in modules given as name and source."""
    known = {name.removesuffix(".__init__") for name in sources}
    found, graph = [], {}
    for name, source in sources.items():
        module = name.removesuffix(".__init__").replace("__init__", "taquin")
        room = room_of(module)
        if room is None:
            found.append(f"{module}: has no place in ROOMS")
            continue
        graph[module] = set()
        for target, kind, line in imports(source, module, known, package="__init__" in name):
            where = f"{module}:{line} imports {target}"
            other = room_of(target)
            if kind == "load" and target != module:
                graph[module].add(target)
            if other is None:
                found.append(f"{where}, which has no place in ROOMS")
            elif "kernels" in module and target not in KERNELS_IMPORT:
                found.append(f"{where}, but kernels see arrays only")
            elif other == room:
                continue
            elif other in NOBODY_IMPORTS and other not in WHEN_CALLED.get(room, ()):
                found.append(f"{where}, but nobody imports {other}")
            elif ROOMS.index(other) > ROOMS.index(room) and not (
                kind != "load" and other in WHEN_CALLED.get(room, ())
            ):
                found.append(f"{where}, but {other} lies below {room} ({kind})")
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        found.append(f"a ring of imports: {' <- '.join(error.args[1])}")
    return found


def modules() -> dict[str, str]:
    """Return the source of every module, by its name without "taquin."."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path.read_text("utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def test_every_room_imports_only_rooms_above() -> None:
    sources = modules()
    assert len(sources) > 10
    assert faults(sources) == []


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        ({"board": "from taquin.state import State"}, "state lies below board"),
        ({"board": "import taquin.puzzle"}, "puzzle lies below board"),
        ({"board": "def f():\n    from taquin import state"}, "state lies below board"),
        ({"board": "from .state import State"}, "state lies below board"),
        ({"search.ida": "from ..generate import walk"}, "generate lies below search"),
        ({"state": "from taquin.notation import read"}, "notation lies below state (load)"),
        ({"puzzle": "from taquin.search import ida"}, "search lies below puzzle (load)"),
        ({"puzzle": "def f():\n    from taquin.cli import main"}, "nobody imports cli"),
        ({"formats.judges": "import taquin.web.app"}, "nobody imports web"),
        ({"search.ida": "from taquin import Board"}, "taquin lies below search"),
        ({"sweep.kernels": "from taquin.state import State"}, "kernels see arrays only"),
        ({"construct.kernels": "from taquin.board import Board"}, "kernels see arrays only"),
        ({"cellar": ""}, "has no place in ROOMS"),
        (
            {"search.a": "import taquin.search.b", "search.b": "import taquin.search.a"},
            "a ring of imports",
        ),
    ],
)
def test_the_rule_notices(bad: dict[str, str], complaint: str) -> None:
    stubs = dict.fromkeys(["board", "state", "notation.__init__", "search.__init__"], "")
    assert any(complaint in fault for fault in faults({**stubs, **bad}))


def test_the_rule_allows() -> None:
    good = {
        "board": "from taquin.errors import InvalidBoard",
        "state": "from taquin.board import Board\ndef f():\n    from taquin.notation import read",
        "puzzle": "def f():\n    from taquin.search.ida import ida_manhattan",
        "search.kernels": "from taquin.jit import kernel",
        "construct.kernels": "from taquin.jit import kernel",
        "construct.box": "from taquin.construct.kernels import slide",
        "cli.main": "from taquin import Puzzle\nfrom taquin.cli import check",
        "__main__": "from taquin.cli.main import main",
    }
    assert faults(good) == []


def test_architecture_shows_the_same_rooms() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    table = dict(re.findall(r"^\| `([\w.]+)` \| (.*?) \|", text, re.MULTILINE))
    assert list(table) == ROOMS
    standing = {room_of(name.replace("__init__", "taquin")) for name in modules()}
    to_come = {room for room, holds in table.items() if holds.startswith("(to come)")}
    assert to_come == set(ROOMS) - standing


def test_importing_taquin_is_light() -> None:
    code = "import sys, taquin; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )
    loaded = set(done.stdout.split())
    assert "taquin" in loaded
    assert not loaded & {"numpy", "numba", "typer", "rich", "matplotlib"}


def test_files_stay_short() -> None:
    folders = ("src", "tests", "benchmarks", "docs", "scripts")
    long = {
        str(path.relative_to(ROOT)): length
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if (length := path.read_text("utf-8").count("\n")) > LINES + TOLERANCE
    }
    assert long == {}


def undocumented(sources: dict[str, str]) -> list[str]:
    """Return the public functions, classes and methods without a docstring.

    A method may go without if a class that it derives from documents the name.
    """
    trees = {name: ast.parse(source) for name, source in sources.items()}
    everything = [node for tree in trees.values() for node in tree.body]
    classes = {node.name: node for node in everything if isinstance(node, ast.ClassDef)}
    functions = ast.FunctionDef | ast.AsyncFunctionDef

    def documents(owner: ast.ClassDef, name: str) -> bool:
        own = any(
            isinstance(node, functions) and node.name == name and ast.get_docstring(node)
            for node in owner.body
        )
        bases = [base.id for base in owner.bases if isinstance(base, ast.Name)]
        return own or any(documents(classes[base], name) for base in bases if base in classes)

    missing = []
    for module, tree in trees.items():
        for node in tree.body:
            if not isinstance(node, functions | ast.ClassDef) or node.name.startswith("_"):
                continue
            if not ast.get_docstring(node):
                missing.append(f"{module}.{node.name}")
            methods = node.body if isinstance(node, ast.ClassDef) else []
            missing += [
                f"{module}.{node.name}.{inner.name}"
                for inner in methods
                if isinstance(inner, functions)
                and not inner.name.startswith("_")
                and not documents(node, inner.name)
            ]
    return missing


def test_public_names_are_documented() -> None:
    assert undocumented(modules()) == []


def test_the_documentation_rule_notices() -> None:
    base = '''
class A:
    """A."""
    def f(self):
        """F."""
'''
    derived = '''
class B(A):
    """B."""
    def f(self): ...
    def g(self): ...
def h(): ...
def _i(): ...
'''
    assert undocumented({"a": base, "b": derived}) == ["b.B.g", "b.h"]
