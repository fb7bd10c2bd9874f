"""The one door to Numba: how kernels are compiled, kept on disk, and announced.

A kernel is a plain function over arrays and numbers. `kernel` compiles it on its first call for
each set of argument types; the machine code is kept beside the source, or in the user's cache
folder, so that the next process starts at once. Where neither folder can be written, where the
disk is full, or where a kept file is damaged, the kernel is simply compiled again: nothing
depends on the cache.

Numba itself is imported when the first kernel is defined, not with this module.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

#: Below this many numbers plain Python answers before a compiled function has been loaded.
COMPILE_FROM = 20_000
#: The same while Numba has not been imported yet, which takes about half a second.
IMPORT_FROM = 500_000

_kernels: set[Callable[..., Any]] = set()
_announcements: list[Callable[[str], None]] = []


def kernel(function: Function, *, beside: Sequence[str] = (), **options: Any) -> Function:
    """Compile a function over arrays: no Python objects, no interpreter lock, kept on disk.

    Parameters
    ----------
    function : callable
        Plain Python that Numba understands. Indices should be unsigned: Numba gives a signed
        index the meaning that Python gives it, which costs a test at each access.
    beside : sequence of str
        Other source files with functions that this one calls: Numba looks at the file of a kernel
        alone to see whether what it kept is stale.
    **options
        More of Numba's own, such as ``error_model="numpy"``.

    Returns
    -------
    callable
        Of the same signature; the plain function stays at hand as its attribute ``py_func``.
    """
    import numba

    _listen()
    _kernels.add(function)
    try:
        made = numba.njit(cache=True, nogil=True, boundscheck=False, **options)(function)
    except RuntimeError:  # Numba found no folder that it may write to
        made = numba.njit(nogil=True, boundscheck=False, **options)(function)
    else:
        _forgive(made)
        _look_at(made, beside)
    return cast(Function, made)


@cache
def _compiled(function: Function) -> Function:
    return kernel(function)


def compiled(function: Function, size: int) -> Function:
    """Return `function`, or its compiled twin if `size` numbers are worth it.

    For functions whose one text serves lists in Python and arrays in machine code.
    """
    return _compiled(function) if worth_compiling(size) else function


def worth_compiling(size: int) -> bool:
    """Whether a compiled pass over `size` numbers, loading included, beats plain Python."""
    return size >= (COMPILE_FROM if "numba" in sys.modules else IMPORT_FROM)


@contextmanager
def announced(callback: Callable[[str], None]) -> Iterator[None]:
    """Within this block, call ``callback(name)`` whenever a kernel has to be compiled.

    The call comes just before the compiling starts, and only if it does: not for a kernel whose
    machine code is found on disk. So a program can say what it is waiting for.

    Examples
    --------
    >>> from taquin.jit import announced
    >>> with announced(lambda name: print("compiling", name, "(first time only) ...")):
    ...     pass
    """
    _announcements.append(callback)
    try:
        yield
    finally:
        _announcements.remove(callback)


@cache
def _listen() -> None:
    """Ask Numba (once) to be told of each compilation; it announces them after its cache failed."""
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc, unused-ignore]
        def on_start(self, started: Any) -> None:
            made = started.data["dispatcher"].py_func
            if made in _kernels:
                for callback in tuple(_announcements):
                    callback(made.__name__)

        def on_end(self, ended: Any) -> None:
            pass

    event.register("numba:compile", Listener())


def _look_at(made: Any, beside: Sequence[str]) -> None:
    """Take what is kept of a compiled function to be stale when one of these files changes too."""
    kept = getattr(getattr(made, "_cache", None), "_cache_file", None)
    if kept is not None and beside:
        stats = [Path(path).stat() for path in beside]
        kept._source_stamp = (kept._source_stamp, *((s.st_mtime, s.st_size) for s in stats))


def _forgive(made: Any) -> None:
    """Let a compiled function go on where its file in the cache cannot be read or written."""
    kept = getattr(made, "_cache", None)
    if kept is None:
        return
    load, save = kept.load_overload, kept.save_overload

    def load_or_compile(*arguments: Any) -> Any:
        with suppress(Exception):
            return load(*arguments)
        with suppress(OSError):  # damaged in whatever way: begin anew
            kept.flush()
        return None

    def save_or_not(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    kept.load_overload, kept.save_overload = load_or_compile, save_or_not
