"""``taquin tables``: the distance tables that are kept on disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from taquin.cli import common, terminal
from taquin.cli.common import BAD, DONE, Questions
from taquin.errors import ParseError, TableError, Unsupported

if TYPE_CHECKING:
    import argparse

    from taquin import tables as shelf

HELP = """Look after the tables that are kept on disk.

  list           what is there
  build SPEC...  make the tables of these puzzles now; exit code 2 if one
                 could not be kept
  verify         compare all checksums; exit code 2 if a table is damaged
  clear          remove all tables, checkpoints, and what killed programs left
  path           the folder; the variable TAQUIN_TABLES chooses another"""
EXAMPLES = """\
  taquin tables build 4x3 3x3:mtm
  taquin tables list
  taquin tables verify --json

JSON keys: path bytes kind board blank metric fault; for clear: files bytes;
for path: path."""

ACTIONS = ("list", "build", "verify", "clear", "path")


def options(parser: argparse.ArgumentParser) -> None:
    """Say what can follow the command."""
    add = parser.add_argument
    add("action", metavar="ACTION", nargs="?", default="list", help=", ".join(ACTIONS))
    add("specs", metavar="SPEC", nargs="*", help="puzzles, for build: 4x3, 3x3:mtm ...")
    add("--memory", metavar="SIZE", help="for build, take no more than this: 4GB, 500MB")
    common.add_json(parser)


def tables(action: str, specs: list[str], memory: str | None, *, json: bool) -> int:
    """Do what is asked; return the exit code."""
    if action not in ACTIONS:
        raise ParseError(f"there is no action {action[:40]!r}: expected {', '.join(ACTIONS)}")
    if specs and action != "build":
        raise Unsupported(f"'tables {action}' takes no puzzle; 'tables build' does")
    if memory is not None and action != "build":
        raise Unsupported(f"'tables {action}' takes no --memory; 'tables build' does")
    if action == "build":
        return _build(specs, memory, json=json)
    if action == "clear":
        return _clear(json=json)
    if action == "path":
        return _path(json=json)
    return _list(json=json, verify=action == "verify")


def _list(*, json: bool, verify: bool) -> int:
    from taquin import tables as shelf
    from taquin.space_memory import human

    found = [shelf.verify(info) if verify else info for info in shelf.entries()]
    for info in found:
        if json:
            terminal.show_json(_record(info))
            continue
        key = info.key or {}
        what = f"{key.get('board', '?')}, blank on {key.get('blank', '?')}, {key.get('metric')}"
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


def _record(info: shelf.TableInfo) -> dict[str, Any]:
    key = info.key or {}
    return {
        "path": str(info.path),
        "bytes": info.bytes,
        "kind": info.kind,
        "board": key.get("board"),
        "blank": key.get("blank"),
        "metric": key.get("metric"),
        "fault": info.fault,
    }


def _build(specs: list[str], memory: str | None, *, json: bool) -> int:
    from taquin import space
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
            size = space.oracle(puzzle, **options).bytes
        key = space.table_key(puzzle)
        path = shelf.path_of("space", key)
        kept = _is_kept(path)
        fault = "" if kept else f"it could not be kept in {path.parent}"
        code = code if kept else BAD
        if json:
            terminal.show_json(_record(shelf.TableInfo(path, size, "space", key, fault)))
        elif kept:
            print(f"{human(size):>9}  {puzzle.spec}  {path}")
        else:
            terminal.note(f"taquin: the table of {puzzle.spec} was built, but {fault}")
    return code


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
