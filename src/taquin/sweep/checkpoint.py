"""Checkpoints: a sweep at the end of a level, in one file that is whole or not there.

The file is a NumPy archive (its parts carry CRCs), written under a temporary name, flushed to the
disk and renamed; a reader sees the old one or the new one, never half of it.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zipfile
import zlib
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
import numpy.typing as npt

NAME = "sweep.npz"
VERSION = 1

#: What the readers of archives and arrays raise where bytes are not what they were.
DAMAGE = (
    *(EOFError, KeyError, OSError, OverflowError, RuntimeError, SyntaxError, ValueError),
    *(TokenError, struct.error, zipfile.BadZipFile, zlib.error),
)

Found = tuple[list[int], list[npt.NDArray[np.int64]]]


def _digest(identity: str) -> str:
    return hashlib.sha256(f"{VERSION} {identity}".encode()).hexdigest()


def write_checkpoint(
    folder: Path,
    identity: str,
    words: npt.NDArray[np.uint64],
    population: npt.NDArray[np.uint32],
    planes: npt.NDArray[np.uint64],
    counts: list[int],
    by_cell: list[npt.NDArray[np.int64]],
) -> Path:
    """Write a checkpoint; OSError if the folder cannot be written (an older one stays)."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob(f"{NAME}.*"):  # left by a writer that was killed
        stale.unlink(missing_ok=True)
    temporary = folder / f"{NAME}.{os.getpid()}"
    try:
        with temporary.open("wb") as file:
            np.savez(
                file,
                identity=np.array(_digest(identity)),
                words=words,
                population=population,
                planes=planes,
                counts=np.array(counts, np.int64),
                by_cell=np.array(by_cell, np.int64),
            )
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(folder / NAME)
    finally:
        temporary.unlink(missing_ok=True)
    return folder / NAME


def read_checkpoint(
    folder: Path,
    identity: str,
    words: npt.NDArray[np.uint64],
    population: npt.NDArray[np.uint32],
    planes: npt.NDArray[np.uint64],
) -> Found | None:
    """Fill the arrays from the folder's checkpoint; None if there is none.

    Raises
    ------
    ValueError
        If the file belongs to another sweep, or is damaged.
    """
    path = folder / NAME
    if not path.exists():
        return None
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            theirs = str(archive["identity"])
            counts = [int(count) for count in archive["counts"]]
            by_cell = list(archive["by_cell"])
        if theirs == _digest(identity):
            with zipfile.ZipFile(path) as archive:
                _read_into(words, archive, "words.npy")
                _read_into(population, archive, "population.npy")
                if planes.size:
                    _read_into(planes, archive, "planes.npy")
    except DAMAGE as error:
        raise ValueError(f"{path} is damaged ({error}); delete it to start anew") from error
    if theirs != _digest(identity):
        raise ValueError(f"{path} is the checkpoint of another sweep; use another folder")
    return counts, by_cell


def keeps_table(folder: Path) -> bool | None:
    """Whether the folder's checkpoint holds a table; None if there is no checkpoint to be read."""
    try:
        with zipfile.ZipFile(folder / NAME) as archive, archive.open("planes.npy") as part:
            file: Any = part
            np.lib.format.read_magic(file)
            shape, _, _ = np.lib.format.read_array_header_1_0(file)
            return bool(shape[0])
    except DAMAGE:
        return None


def _read_into(array: npt.NDArray[Any], archive: zipfile.ZipFile, name: str) -> None:
    """Read a part of the archive into an array without a copy of it in between."""
    rest: Any = array.reshape(-1).view(np.uint8)
    with archive.open(name) as part:
        file: Any = part
        np.lib.format.read_magic(file)
        np.lib.format.read_array_header_1_0(file)
        while got := file.readinto(rest):
            rest = rest[got:]
        if rest.size or file.read(1):
            raise EOFError(f"{name} has not the size of this sweep")
