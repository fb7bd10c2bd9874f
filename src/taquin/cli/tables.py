"""``taquin tables``: the distance tables and pattern databases that are kept on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taquin.cli import common, terminal
from taquin.cli.common import BAD, DONE
from taquin.cli.questions import Questions
from taquin.errors import ParseError, TableError, Unsupported

if TYPE_CHECKING:
    import argparse

    from taquin import tables as shelf
    from taquin.puzzle import Puzzle

HELP = """Look after the tables that are kept on disk.

  list           what is there
  build SPEC...  make the tables of these puzzles now: all distances for up
                 to 12 cells, pattern databases for more; exit code 2 if one
                 could not be kept
  verify         compare all checksums, and check every entry of the pattern
                 databases; exit code 2 if a table is damaged
  clear          remove all tables, checkpoints, and what killed programs left
  path           the folder; the variable TAQUIN_TABLES chooses another"""
EXAMPLES = """\
  taquin tables build 4x3 3x3:mtm
  taquin tables build 4x4 --strong
  taquin tables list
  taquin tables verify --json

JSON keys: path bytes kind board blank metric patterns fault; for clear: files bytes;
for path: path."""

ACTIONS = ("list", "build", "verify", "clear", "path")


def options(parser: argparse.ArgumentParser) -> None:
    """Say what can follow the command."""
    add = parser.add_argument
    add("action", metavar="ACTION", nargs="?", default="list", help=", ".join(ACTIONS))
    add("specs", metavar="SPEC", nargs="*", help="puzzles, for build: 4x3, 3x3:mtm ...")
    add("--memory", metavar="SIZE", help="for build, take no more than this: 4GB, 500MB")
    add("--strong", action="store_true", help="for build: the larger pattern databases")
    common.add_json(parser)


def tables(action: str, specs: list[str], memory: str | None, *, strong: bool, json: bool) -> int:
    """Do what is asked; return the exit code."""
    if action not in ACTIONS:
        raise ParseError(f"there is no action {action[:40]!r}: expected {', '.join(ACTIONS)}")
    if specs and action != "build":
        raise Unsupported(f"'tables {action}' takes no puzzle; 'tables build' does")
    if memory is not None and action != "build":
        raise Unsupported(f"'tables {action}' takes no --memory; 'tables build' does")
    if strong and action != "build":
        raise Unsupported(f"'tables {action}' takes no --strong; 'tables build' does")
    if action == "build":
        return _build(specs, memory, strong=strong, json=json)
    if action == "clear":
        return _clear(json=json)
    if action == "path":
        return _path(json=json)
    return _list(json=json, verify=action == "verify")


def _list(*, json: bool, verify: bool) -> int:
    from taquin import tables as shelf
    from taquin.space_memory import human

    found = []
    for info in shelf.entries():
        if verify:
            info = _verified(info)
        found.append(info)
        if json:
            terminal.show_json(_record(info))
            continue
        key = info.key or {}
        what = ", ".join(_named(key))
        if "patterns" in key:
            what += f", {_sizes(key)}"
        state = info.fault or ("good" if verify else "")
        name = f"{info.kind} of {what}" if info.key else info.path.name
        print(f"{human(info.bytes):>9}  {name}{'  ' + state if state else ''}")
    left = shelf.leftovers()
    if left and not json:
        terminal.note(f"{len(left)} unfinished files of programs that were killed: 'tables clear'")
    waiting = shelf.checkpoints()
    if waiting and not json:
        size = human(sum(path.stat().st_size for path in waiting))
        many = f"{len(waiting)} checkpoint{'s' * (len(waiting) != 1)}"
        terminal.note(f"{many} of interrupted sweeps, {size}: 'tables clear' removes them too")
    if not found and not json:
        terminal.note(f"no tables in {shelf.folder()}")
    return BAD if any(info.fault for info in found) else DONE


def _verified(info: shelf.TableInfo) -> shelf.TableInfo:
    """The same after all checksums, and every entry of a pattern database, have been checked."""
    from taquin import tables as shelf
    from taquin.patterns.database import stored

    info = shelf.verify(info)
    if info.fault or info.kind != "patterns" or info.key is None:
        return info
    try:
        stored(info.path, info.key).verify()
    except (TableError, OSError) as error:
        return shelf.TableInfo(info.path, info.bytes, info.kind, info.key, str(error))
    return info


def _sizes(key: Mapping[str, Any]) -> str:
    return "-".join(str(len(cells)) for cells in key["patterns"])


def _record(info: shelf.TableInfo) -> dict[str, Any]:
    key = info.key or {}
    return {
        "path": str(info.path),
        "bytes": info.bytes,
        "kind": info.kind,
        "board": key.get("board"),
        "blank": key.get("blank"),
        "metric": key.get("metric"),
        "patterns": key.get("patterns"),
        "fault": info.fault,
    }


def _build(specs: list[str], memory: str | None, *, strong: bool, json: bool) -> int:
    from taquin import tables as shelf
    from taquin.cli.solve import announcing
    from taquin.space_memory import human

    if not specs:
        raise ParseError("which tables? expected puzzles, such as: taquin tables build 4x3")
    puzzles = [Questions(spec, None, None).puzzle for spec in specs]
    options = {} if memory is None else {"memory_limit": common.size(memory)}
    code = DONE
    for puzzle in puzzles:
        assert puzzle is not None
        with announcing():
            kind, key, size = _made(puzzle, strong, options)
        path = shelf.path_of(kind, key)
        kept = _is_kept(path)
        fault = "" if kept else f"it could not be kept in {path.parent}"
        code = code if kept else BAD
        if json:
            terminal.show_json(_record(shelf.TableInfo(path, size, kind, key, fault)))
        elif kept:
            print(f"{human(size):>9}  {puzzle.spec}  {path}")
        else:
            terminal.note(f"taquin: the table of {puzzle.spec} was built, but {fault}")
    return code


def _made(puzzle: Puzzle, strong: bool, options: dict[str, Any]) -> tuple[str, Any, int]:
    """Make the tables of a puzzle; their kind, key and bytes."""
    from taquin import space
    from taquin.search.choose import has_table
    from taquin.search.pattern_choice import search_for

    if has_table(puzzle.goal) or puzzle.board.n == 1:
        size = space.oracle(puzzle, **options).bytes
        return "space", space.table_key(puzzle), size
    if puzzle.metric != "stm":
        return _made_in_segments(puzzle, strong)
    bar = terminal.Bar("pattern databases")
    try:
        found = search_for(puzzle.goal, strong=strong, progress=bar, **options)
    finally:
        bar.clear()
    database = found.sums.database
    return "patterns", database.key, database.bytes


def _made_in_segments(puzzle: Puzzle, strong: bool) -> tuple[str, Any, int]:
    """Make the pattern databases of a puzzle in multi-tile moves."""
    from taquin.search.mtm import segment_search, suits

    if not suits(puzzle.goal):
        raise Unsupported(
            f"there are no pattern databases in multi-tile moves for {puzzle.spec}: they are for"
            " grids of two axes and up to 16 cells"
        )
    sums = segment_search(puzzle.goal, strong=strong).sums
    if sums is None:
        raise Unsupported(f"boards of {puzzle.spec} are searched without pattern databases")
    database = sums.database
    return "patterns", database.key, database.bytes


def _named(key: Mapping[str, Any]) -> Iterator[str]:
    """Say of what a table is, by what its header has."""
    if "axes" in key:
        yield f"{key['length']} moves on {key['axes'] or 'other'} axes"
    if "board" in key:
        yield str(key["board"])
    if "blank" in key:
        yield f"blank on {key['blank']}"
    if "metric" in key:
        yield str(key["metric"])


def _is_kept(path: Path) -> bool:
    """Whether a table that this program can use lies there."""
    from taquin import tables as shelf

    try:
        shelf.read_header(path)
    except (TableError, OSError):
        return False
    return True


def _clear(*, json: bool) -> int:
    from taquin import tables as shelf
    from taquin.space_memory import human

    files, freed = shelf.clear()
    if json:
        terminal.show_json({"files": files, "bytes": freed})
    else:
        print(f"{files} file{'s' * (files != 1)} removed, {human(freed)}")
    return DONE


def _path(*, json: bool) -> int:
    from taquin import tables as shelf

    if json:
        terminal.show_json({"path": str(shelf.folder())})
    else:
        print(shelf.folder())
    return DONE
