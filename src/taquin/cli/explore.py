"""``taquin explore``: the whole graph of a board, for a reader."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from errno import EACCES, EISDIR, ENOENT, ENOTDIR
from itertools import accumulate
from math import factorial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taquin.cli import common, terminal
from taquin.cli.common import BAD, DONE, INTERRUPTED, LIMIT
from taquin.cli.questions import Questions, board_text
from taquin.errors import TaquinError, Unsolvable, Unsupported

if TYPE_CHECKING:
    import argparse

    from taquin.puzzle import Puzzle
    from taquin.space import Space
    from taquin.state import State

HELP = """Show the whole graph of a board: how many states lie how many moves from
the goal, how many moves they have, and which are the hardest.

Boards of up to 13 cells are done in seconds to minutes; larger ones to a depth.
Exit code 2: a file could not be written; 3: it does not fit in memory;
130: interrupted. A second Ctrl-C leaves at once, without a checkpoint."""
EXAMPLES = """\
  taquin explore 3x3
  taquin explore 3x3 --from "8 1 3 / 4 0 2 / 7 6 5"
  taquin explore 3x3 --depth-of "1 2 3 / 4 5 6 / 0 7 8"
  taquin explore 4x3:mtm --csv depths.csv --plot depths.png
  taquin explore 5x5 --to-depth 20
  taquin explore 7x2 --checkpoint half-done
  taquin explore 2x2 --graph states.graphml

JSON keys: board metric goal states complete radius mean_depth depth_counts
arrangements seconds; edges mean_degree degrees kinds (name moves cells states)
and antipodes, where they are known; depth_of (state depth), where it is asked."""

#: Antipodes drawn, and antipodes listed as JSON.
DRAWN, LISTED = 6, 100
#: Arrangements of more cells are not written as JSON: thousands of digits, if Python writes them.
WRITTEN = 1000
#: Widest line of drawings, and longest bar.
WIDTH, BAR = 76, 30
#: Spaces of more bytes leave a checkpoint when interrupted, wherever that is.
WORTH_KEEPING = 10**9
#: Seconds between two looks at a running sweep.
LOOK = 0.1


def options(parser: argparse.ArgumentParser) -> None:
    """Say what can follow the command."""
    add = parser.add_argument
    add(
        "spec",
        nargs="?",
        metavar="SPEC",
        default="3x3",
        help="the puzzle: 3x3 (if not given), 4x3:mtm, 3x3:spiral, 2x2x3, 3x4:torus ...",
    )
    add("--puzzle", "--board", metavar="SPEC", help="the same")
    common.add_goal(parser)
    add("--from", metavar="STATE", dest="origin", help="depths count from this state: a board")
    add("--depth-of", metavar="STATE", help="say how deep this state lies: a board or a file")
    add("--metric", metavar="stm|mtm", help="single tiles, or segments sliding along a line")
    add("--to-depth", type=common.natural, metavar="N", help="only the states up to N moves away")
    add("--plot", metavar="FILE", help="draw the curve of the depths (needs Matplotlib)")
    add("--csv", metavar="FILE", help="write depth, states and states up to it; - for the terminal")
    add("--graph", metavar="FILE", help="write the graph: .graphml, or .edges")
    add("--checkpoint", metavar="DIR", help="leave off in this folder, and go on from it")
    add("--workers", type=common.natural, default=0, metavar="N", help="threads; all cores")
    add("--memory", metavar="SIZE", help="take no more than this: 4GB, 500MB")
    common.add_json(parser)


def explore(
    spec: str,
    puzzle: str | None,
    goal: str | None,
    origin: str | None,
    depth_of: str | None,
    metric: str | None,
    to_depth: int | None,
    plot: str | None,
    csv: str | None,
    graph: str | None,
    checkpoint: str | None,
    workers: int,
    memory: str | None,
    *,
    json: bool,
) -> int:
    """Explore and report; return the exit code."""
    if goal is not None and origin is not None:
        raise Unsupported("--goal and --from say the same thing: give one of them")
    if json and csv == "-":
        raise Unsupported("--json and --csv - both write to the terminal: give one of them a file")
    chosen = Questions(spec if puzzle is None else puzzle, goal, origin, metric).puzzle
    assert chosen is not None  # the text of one was given
    limit = common.size(memory)
    asked = _asked(chosen, depth_of, to_depth)
    _check_files(chosen, plot, graph)
    for name in (csv, plot, graph):
        if name not in (None, "-"):
            _check_place(Path(name))
    if checkpoint is not None and Path(checkpoint).is_file():
        raise Unsupported(f"--checkpoint asks for a folder, but {checkpoint} is a file")
    folder = Path(checkpoint) if checkpoint else _own_folder(chosen, to_depth, limit)
    space, stopped = run(
        chosen,
        to_depth=to_depth,
        memory_limit=limit,
        workers=workers or None,
        checkpoint=folder,
        table=asked is not None,
    )
    if stopped:
        terminal.note(_left_off(space, folder, checkpoint is not None))
        return INTERRUPTED
    if folder is not None and checkpoint is None:
        from shutil import rmtree

        rmtree(folder, ignore_errors=True)  # the checkpoint of a sweep that is done
    if csv == "-":
        write_csv(space, csv)
    elif json:
        terminal.show_json(record(space, asked))
    else:
        print(*report(space, asked, "the goal" if origin is None else "the start given"), sep="\n")
    if not write_files(space, csv, plot, graph):
        return BAD
    if space.ended == "memory":
        where = f"{space.radius}" if to_depth is None else f"{space.radius} of {to_depth}"
        terminal.note(f"memory ended it at depth {where}: give it more with --memory")
        return LIMIT
    return DONE


def _check_files(puzzle: Puzzle, plot: str | None, graph: str | None) -> None:
    """Complain before the work about files that cannot be written after it."""
    if plot is not None:
        from importlib.util import find_spec

        if find_spec("matplotlib") is None:
            raise Unsupported(
                "--plot needs Matplotlib, which is not installed: pip install 'taquin[plot]'"
            )
        from matplotlib.backend_bases import FigureCanvasBase

        known = sorted(set(FigureCanvasBase.get_supported_filetypes()) - {"pgf"})  # asks for TeX
        suffix = Path(plot).suffix.lower().lstrip(".")
        if suffix and suffix not in known:  # without one it becomes a PNG
            raise Unsupported(f"cannot draw {plot}: its name may end in {', '.join(known)}")
    if graph is not None:
        from taquin.formats.graphs import MOST_STATES, WRITERS
        from taquin.solvability import class_size

        if Path(graph).suffix not in WRITERS:
            raise Unsupported(f"cannot write {graph} as a graph: expected {', '.join(WRITERS)}")
        states = class_size(puzzle.board, puzzle.goal.blank, most=MOST_STATES)
        if not puzzle.goal.repeats and states > MOST_STATES:
            raise Unsupported(
                f"the graph of {puzzle.board.spec} is too large for a file: at most"
                f" {MOST_STATES:,} states"
            )


def _check_place(path: Path) -> None:
    """Raise the error that writing the file would raise after the work."""
    place = path if path.exists() else path.parent
    faults = {
        EISDIR: path.is_dir(),
        ENOENT: not place.exists(),
        ENOTDIR: place != path and not place.is_dir(),
        EACCES: not os.access(place, os.W_OK),
    }
    for fault, found in faults.items():
        if found:
            raise OSError(fault, os.strerror(fault), str(path))


def _asked(puzzle: Puzzle, depth_of: str | None, to_depth: int | None) -> State | None:
    """Return the state of ``--depth-of``; complain before the work if it will have no depth."""
    if depth_of is None:
        return None
    if to_depth is not None:
        raise Unsupported("--depth-of asks for the whole space: leave out --to-depth")
    state = puzzle.state(board_text(depth_of))
    verdict = puzzle.verdict(state)
    if not verdict.solvable:
        raise Unsolvable(verdict.text(), verdict)
    return state


def write_files(space: Space, csv: str | None, plot: str | None, graph: str | None) -> bool:
    """Write what is asked for, after the report; say what fails, and return whether all is well."""
    from taquin.formats.graphs import write_graph
    from taquin.render.plots import depth_curve

    sys.stdout.flush()  # the report comes before complaints
    names = (None if csv == "-" else csv, plot, graph)
    writers: tuple[Callable[[Space, str], None], ...] = (write_csv, depth_curve, write_graph)
    well = True
    for name, write in zip(names, writers, strict=True):
        try:
            if name is not None:
                write(space, name)
        except (OSError, RuntimeError, TaquinError) as error:
            reason = getattr(error, "strerror", None) or " ".join(str(error).split())
            terminal.note(f"taquin: cannot write {name}: {reason}")
            well = False
    return well


# -- working, and being interrupted -------------------------------------------------------------


def run(puzzle: Puzzle, **arguments: Any) -> tuple[Space, bool]:
    """Explore in a thread, so that an interruption is noticed at once; a second one leaves.

    Returns
    -------
    (Space, bool)
        What was found, and whether it was interrupted.
    """
    from taquin.cli.solve import announcing
    from taquin.sweep import Stop

    stop = Stop()
    line = Line()
    folder = arguments.get("checkpoint")
    stopping = _stopping(puzzle, folder, arguments["memory_limit"], arguments["table"])
    with ThreadPoolExecutor(1) as pool, announcing():
        work = pool.submit(puzzle.explore, stop=stop, progress=line.show, **arguments)
        try:
            return _wait(work), False
        except KeyboardInterrupt:
            before = signal.signal(signal.SIGINT, lambda *_: _leave(folder))
            stop.set()
            line.clear()
            terminal.note(stopping)
            try:
                return _wait(work), True
            finally:
                signal.signal(signal.SIGINT, before)
        finally:
            line.clear()


def _stopping(puzzle: Puzzle, folder: Path | None, limit: int | None, table: bool) -> str:
    """Say what the first Ctrl-C leads to, and the next. To be called while memory is free."""
    from taquin.space_memory import bytes_needed, free_memory, human

    if folder is None:
        return "stopping: Ctrl-C again ends at once"
    most = free_memory() if limit is None else limit
    record = table and bytes_needed(puzzle, record=True) <= most
    size = bytes_needed(puzzle, record=record, workers=1)
    work = f"writing {human(size)} to {folder}"
    return f"stopping at the end of this depth, then {work}: Ctrl-C again leaves it out"


def _leave(folder: Path | None) -> None:
    """End the process at once, without the checkpoint that is being written."""
    from taquin.cli.main import leave_at_once
    from taquin.sweep.checkpoint import NAME

    if folder is not None:
        with suppress(OSError):
            (folder / f"{NAME}.{os.getpid()}").unlink(missing_ok=True)
    leave_at_once()


def _wait(work: Future[Space]) -> Space:
    while True:
        try:
            return work.result(LOOK)
        except TimeoutError:
            if work.done():
                raise


class Line:
    """One line on standard error, rewritten after each depth; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._on = sys.stderr is not None and sys.stderr.isatty()
        self._shown = 0.0

    def show(self, now: Any) -> None:
        """Show states, depth, rate and the time that is left."""
        moment = time.monotonic()
        if not self._on or moment - self._shown < LOOK:
            return
        self._shown = moment
        text = f"depth {now.depth}: {now.level:,} states, {now.states:,} in all"
        if now.seconds > 1:
            text += f", {now.states / now.seconds:,.0f} a second"
        if now.seconds > 2 and now.fraction > 0.01:
            left = now.seconds * (1 - now.fraction) / now.fraction
            text += f", {now.fraction:.0%}, {left:.0f} s left"
        self.say(text)

    def say(self, text: str) -> None:
        """Show a text in the line."""
        if self._on:
            terminal.rewrite(text)

    def clear(self) -> None:
        """Take the line away."""
        self.say("")


def _own_folder(puzzle: Puzzle, to_depth: int | None, limit: int | None) -> Path | None:
    """The folder in which a long sweep leaves off if nobody named one."""
    from taquin import tables
    from taquin.space_memory import bytes_needed, free_memory

    need = 0 if puzzle.goal.repeats or puzzle.board.n == 1 else bytes_needed(puzzle)
    if to_depth is not None or not WORTH_KEEPING < need <= (limit or free_memory()):
        return None
    key = {"board": puzzle.board.spec, "goal": list(puzzle.goal.tiles), "metric": puzzle.metric}
    return tables.path_of("checkpoint", key).with_suffix("")


def _left_off(space: Space, folder: Path | None, named: bool) -> str:
    text = f"interrupted at depth {space.radius}, with {space.states:,} states counted"
    if space.by_cell is None:  # by its frontier: there are no checkpoints of that
        return text
    if folder is None:
        return f"{text}; with --checkpoint DIR it could go on from there"
    if not folder.is_dir() or not any(folder.iterdir()):
        return f"{text}; nothing could be kept in {folder} to go on from"
    words = ["taquin", "explore", space.puzzle.spec]
    if named:
        words += ["--checkpoint", str(folder)]
    return f"{text}; to go on from there: {shlex.join(words)}"


# -- reporting ----------------------------------------------------------------------------------


def report(space: Space, asked: State | None = None, origin: str = "the goal") -> Iterator[str]:
    """Yield the lines of the report; depths count from `origin`, as a reader calls it."""
    puzzle = space.puzzle
    metric = "single-tile moves" if puzzle.metric == "stm" else "multi-tile moves"
    yield terminal.paint(f"{puzzle.board.spec}, {metric}, from {origin}", "strong")
    yield ""
    yield from terminal.indented(terminal.draw(puzzle.goal) or [str(puzzle.goal)])
    yield ""
    yield from _numbers(space)
    if asked is not None:
        depth = _depth_of(space, asked)
        moves = "unknown moves" if depth is None else "1 move" if depth == 1 else f"{depth} moves"
        yield from ("", f"{asked} is {moves} from {'home' if origin == 'the goal' else origin}.")
    if space.by_cell is not None:
        yield ""
        yield from _kinds(space)
    yield ""
    yield from _depths(space)
    if space.complete:
        yield ""
        yield from _antipodes(space, origin)
        yield ""
        yield from _unreachable(space, origin)


def _numbers(space: Space) -> Iterator[str]:
    rows = [("vertices (states)", f"{space.states:,}")]
    if space.complete and space.by_cell is not None:
        rows += [("edges (moves)", f"{space.edges:,}"), ("mean degree", f"{space.mean_degree:.4f}")]
    if space.complete:
        rows += [("radius", f"{space.radius}"), ("mean depth", f"{space.mean_depth:.4f}")]
    else:
        rows += [("up to depth", f"{space.radius}")]
    width = max(len(value) for _, value in rows)
    for name, value in rows:
        yield f"{name:18} {value:>{width}}"


def _depth_of(space: Space, state: State) -> int | None:
    """The depth of a state from the distance table; None where there was no room for one."""
    try:
        return space.depth(state)
    except Unsupported:
        return 0 if state == space.puzzle.goal else None


def _kinds(space: Space) -> Iterator[str]:
    states = max(len("states"), *(len(f"{kind.states:,}") for kind in space.kinds))
    yield f"{'blank on':10} {'moves':>6} {'cells':>6} {'states':>{states}}"
    for kind in space.kinds:
        name = kind.name or "a cell"
        yield f"{name:10} {kind.moves:>6} {kind.cells:>6} {kind.states:>{states},}"


def _depths(space: Space) -> Iterator[str]:
    most = max(space.depth_counts)
    width = max(len("up to it"), len(f"{space.states:,}"))
    bar = "\u2588" if terminal.has_unicode(sys.stdout) else "#"
    yield f"depth  {'states':>{width}}  {'up to it':>{width}}"
    total = 0
    for depth, count in enumerate(space.depth_counts):
        total += count
        line = f"{depth:5}  {count:{width},}  {total:{width},}  {bar * round(BAR * count / most)}"
        yield line.rstrip()


def _antipodes(space: Space, origin: str) -> Iterator[str]:
    count = space.depth_counts[-1]
    found = space.antipodes(DRAWN)
    one = "the state" if count == 1 else f"the {count:,} states"
    shown = "" if count <= len(found) else f" (the first {len(found)} of them)"
    yield f"{one} at depth {space.radius}, farthest from {origin}{shown}:"
    yield ""
    yield from _side_by_side(found)


def _side_by_side(states: list[State]) -> Iterator[str]:
    drawings = [terminal.draw(state) for state in states]
    if not drawings or not drawings[0]:
        yield from (f"  {state}" for state in states)
        return
    width = max(map(len, drawings[0]))
    share = max(1, WIDTH // (width + 4))
    for start in range(0, len(drawings), share):
        if start:
            yield ""
        for lines in zip(*drawings[start : start + share], strict=True):
            yield "".join(f"    {line:{width}}" for line in lines).rstrip()


def _unreachable(space: Space, origin: str) -> Iterator[str]:
    """Say what cannot be reached, and why."""
    from taquin.solvability import ALL, EVEN, single_rule

    board = space.puzzle.board
    everything = factorial(board.n)
    rest = everything - space.states
    if rest == 0:
        reason = ""
        if single_rule(board) == ALL:
            reason = ": the board has a ring of odd length, which undoes every parity"
        which = (
            f"Every one of the {everything:,} arrangements" if everything > 1 else "The only one"
        )
        yield f"{which} can be reached{reason}."
    elif single_rule(board) == EVEN:
        yield f"The other half, {rest:,} of the {everything:,} arrangements, cannot be reached:"
        yield "a move exchanges the blank with a tile, which flips the parity of the whole,"
        yield "and takes the blank to a cell of the other colour. Both flip together, for ever;"
        yield f"where they disagree with {origin}, no way leads to it."
    else:
        yield f"The other {rest:,} of the {everything:,} arrangements cannot be reached: tiles"
        yield "never leave their part of this board, or only turn round with it."


def write_csv(space: Space, name: str) -> None:
    """Write depth, states and states up to that depth; to standard output for ``-``."""
    totals = accumulate(space.depth_counts)
    rows = zip(range(space.radius + 1), space.depth_counts, totals, strict=True)
    text = "depth,states,up_to\n" + "".join(f"{d},{count},{total}\n" for d, count, total in rows)
    if name == "-":
        sys.stdout.write(text)
    else:
        Path(name).write_text(text, "utf-8", newline="")


def record(space: Space, asked: State | None = None) -> dict[str, Any]:
    """Return the report as a JSON object; its keys are part of the contract."""
    puzzle = space.puzzle
    entry: dict[str, Any] = {
        "board": puzzle.board.spec,
        "metric": puzzle.metric,
        "goal": list(puzzle.goal.tiles),
        "states": space.states,
        "complete": space.complete,
        "radius": space.radius,
        "mean_depth": space.mean_depth,
        "depth_counts": list(space.depth_counts),
        "arrangements": factorial(puzzle.board.n) if puzzle.board.n <= WRITTEN else None,
        "seconds": round(space.seconds, 6),
    }
    if space.by_cell is not None:
        entry["mean_degree"] = space.mean_degree
        entry["degrees"] = {str(moves): count for moves, count in space.degrees.items()}
        entry["kinds"] = [
            {"name": kind.name, "moves": kind.moves, "cells": kind.cells, "states": kind.states}
            for kind in space.kinds
        ]
        if space.complete:
            entry["edges"] = space.edges
    if space.complete:
        entry["antipodes"] = [list(state.tiles) for state in space.antipodes(LISTED)]
    if asked is not None:
        entry["depth_of"] = {"state": list(asked.tiles), "depth": _depth_of(space, asked)}
    return entry
