"""Where the process of the command begins: quick to load, and safe from Ctrl-C at once.

Everything else is imported under that guard, from `taquin.cli.command` on.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # `typing` would be loaded before the guard
if TYPE_CHECKING:
    from collections.abc import Sequence

#: As a shell reports a program that Ctrl-C has ended.
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; no error ends in a traceback.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``taquin``; those of the process if not given. Only then are its signals
        and its streams looked after.

    Notes
    -----
    With the environment variable ``TAQUIN_DEBUG`` set to anything but 0, errors show where they
    come from.
    """
    if arguments is not None:
        from taquin.cli.command import run

        return run(arguments)
    guarded = guard()
    try:
        from taquin.cli.command import run_process

        return run_process(sys.argv[1:], ready=free if guarded else _nothing)
    except KeyboardInterrupt:  # a second one, while the first was being told
        return leave_at_once()
    finally:
        if guarded:  # what is left to do is done before anybody can interrupt it
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def guard() -> bool:
    """Let Ctrl-C end the process cleanly wherever it is; return whether it does anything.

    While modules are loaded an exception could be lost, or become another one: until `free` is
    called the process leaves from the handler itself.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return False  # a program in the background ignores it
    signal.signal(signal.SIGINT, leave_at_once)
    sys.unraisablehook = _unraisable
    return True


def free() -> None:
    """Let Ctrl-C be an exception from now on, which a command can answer in its own way.

    So is what ends a process politely: long work keeps what it has.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def leave_at_once(*_: object) -> int:
    """Say that the program was interrupted, and leave; nothing is returned."""
    from contextlib import suppress

    with suppress(OSError):
        os.write(2, b"taquin: interrupted\n")
    os._exit(INTERRUPTED)


def _unraisable(found: sys.UnraisableHookArgs) -> None:
    """Leave if an interruption came where Python would drop it, as in the end of an object."""
    if issubclass(found.exc_type, KeyboardInterrupt):
        leave_at_once()
    sys.__unraisablehook__(found)


def _nothing() -> None:
    pass
