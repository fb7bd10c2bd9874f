r"""Tables on disk: where they live, how they are written, and when they are believed.

The format, version 1, all numbers little-endian::

    0   8 bytes   the magic  b"taquin\r\n"
    8   uint32    the version of the format, 1
    12  uint32    length H of the header, in bytes
    16  uint32    CRC-32 of the header
    20  H bytes   the header: JSON in UTF-8
    ..            each array at the offset that the header gives, a multiple of 4096

The header holds ``kind`` (what the table is), ``key`` (the puzzle it belongs to) and
``arrays``: for each its ``name``, ``dtype``, ``shape``, ``offset`` and ``crc32``. A reader::

    raw = open(path, "rb").read()
    length = int.from_bytes(raw[12:16], "little")
    header = json.loads(raw[20 : 20 + length])
    for a in header["arrays"]:
        array = np.frombuffer(raw, a["dtype"], math.prod(a["shape"]), a["offset"])

A table is written to a name of its own and renamed when it is complete, so that a reader never
meets half a table and two builders never mix. It is believed only if its magic, version, kind,
key, sizes and checksums are right, and the padding in front of each array is zero.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from taquin.errors import TableError

MAGIC = b"taquin\r\n"
VERSION = 1
SUFFIX = ".table"
PAGE = 4096
# Checksums are taken in pieces of this many bytes, so that work can be interrupted.
PIECE = 1 << 24

Arrays = dict[str, NDArray[Any]]


class TableWarning(UserWarning):
    """A table could not be kept or read: work goes on in memory."""


@dataclass(frozen=True)
class TableInfo:
    """What `entries` tells of a file.

    Attributes
    ----------
    path : Path
    bytes : int
    kind, key : str, dict
        Empty where the header cannot be read.
    fault : str
        Why the file would not be used; empty for a good one (checksums of arrays not yet looked
        at: see `verify`).
    """

    path: Path
    bytes: int
    kind: str = ""
    key: Mapping[str, Any] | None = None
    fault: str = ""


def folder() -> Path:
    """Return the folder of the tables: ``$TAQUIN_TABLES``, or one in the user's cache folder."""
    chosen = os.environ.get("TAQUIN_TABLES")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("taquin", appauthor=False)) / "tables"


def path_of(kind: str, key: Mapping[str, Any]) -> Path:
    """Return the file of a table: a readable name, and a digest that tells all keys apart."""
    text = json.dumps([kind, dict(key)], sort_keys=True)
    words = re.sub(r"[^a-z0-9]+", "-", f"{kind} {key.get('board', '')}".lower()).strip("-")[:40]
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return folder() / f"{words}-{digest}{SUFFIX}"


def obtain(
    kind: str, key: Mapping[str, Any], build: Callable[[], Arrays], *, keep: bool = True
) -> Arrays:
    """Return a table from disk, or build it and keep it for the next time.

    A damaged or foreign file is replaced, with a `TableWarning`; one of a newer format is left
    alone. Where nothing can be written the table serves from memory, with a `TableWarning`.
    """
    path = path_of(kind, key)
    try:
        if path.exists():
            return load(path, kind, key)
    except TableError as error:
        warnings.warn(f"{error}; it is built anew", TableWarning, stacklevel=2)
        keep = keep and not isinstance(error, NewerTable)
    except OSError as error:
        warnings.warn(f"cannot read {path}: {error}", TableWarning, stacklevel=2)
    for tell in tuple(_listeners):
        tell(kind, key)
    arrays = build()
    if keep:
        try:
            save(path, kind, key, arrays)
        except OSError as error:
            warnings.warn(
                f"the table is not kept ({error.strerror or error}: {path.parent}); it serves from"
                " memory this time; set TAQUIN_TABLES to a folder with room",
                TableWarning,
                stacklevel=2,
            )
    return arrays


_listeners: list[Callable[[str, Mapping[str, Any]], None]] = []


@contextmanager
def announced(callback: Callable[[str, Mapping[str, Any]], None]) -> Iterator[None]:
    """Within this block, call ``callback(kind, key)`` before `obtain` builds a table."""
    _listeners.append(callback)
    try:
        yield
    finally:
        _listeners.remove(callback)


class NewerTable(TableError):
    """A table of a format that a newer program wrote."""


# -- writing ------------------------------------------------------------------------------------


def save(path: Path, kind: str, key: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a table so that it is whole or not there at all.

    Raises
    ------
    OSError
        If the folder cannot be made or written, or the disk is full; nothing is left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        header, offsets = _header(kind, key, arrays)
        file.write(header)
        for (_, array), offset in zip(sorted(arrays.items()), offsets, strict=True):
            file.seek(offset)
            file.write(_bytes(array))


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that is there when all is written, or not at all.

    Raises
    ------
    OSError
        If it cannot be written; nothing is left behind.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.part")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def _header(kind: str, key: Mapping[str, Any], arrays: Arrays) -> tuple[bytes, list[int]]:
    """The bytes before the arrays, and the offset of each array."""
    entries = [
        {
            "name": name,
            "dtype": array.dtype.newbyteorder("<").str,
            "shape": list(array.shape),
            "offset": 0,
            "crc32": checksum(array),
        }
        for name, array in sorted(arrays.items())
    ]
    head = {"kind": kind, "key": dict(key), "arrays": entries}
    # Room for the offsets, which are not known before the length of the header is.
    offset = _align(20 + len(json.dumps(head)) + 24 * len(entries))
    offsets = []
    for entry, array in zip(entries, (a for _, a in sorted(arrays.items())), strict=True):
        entry["offset"] = offset
        offsets.append(offset)
        offset = _align(offset + array.nbytes)
    body = json.dumps(head).encode()
    numbers = (VERSION, len(body), zlib.crc32(body))
    return MAGIC + b"".join(n.to_bytes(4, "little") for n in numbers) + body, offsets


def _align(offset: int) -> int:
    return -(-offset // PAGE) * PAGE


def _bytes(array: NDArray[Any]) -> Any:
    """The bytes of an array, little-endian, without a copy where they lie so already."""
    plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return plain.reshape(-1).view(np.uint8)


def checksum(array: NDArray[Any]) -> int:
    """Return the CRC-32 of an array's bytes."""
    flat = _bytes(array)
    value = 0
    for start in range(0, len(flat), PIECE):
        value = zlib.crc32(flat[start : start + PIECE], value)
    return value


# -- reading ------------------------------------------------------------------------------------


def load(path: Path, kind: str, key: Mapping[str, Any], *, check: bool = True) -> Arrays:
    """Return the arrays of a table, mapped into memory and read-only.

    Parameters
    ----------
    check : bool
        Compare the checksum of every array; without it only the header is checked.

    Raises
    ------
    TableError
        If the file is damaged, truncated, or not the table asked for; `NewerTable` if its format
        is newer than this program.
    """
    header = read_header(path)
    if (header["kind"], header["key"]) != (kind, json.loads(json.dumps(dict(key)))):
        raise TableError(f"{path} is a table of another puzzle ({header['kind']} {header['key']})")
    arrays: Arrays = {}
    for entry in header["arrays"]:
        shape = tuple(entry["shape"])
        dtype = np.dtype(entry["dtype"])
        array: NDArray[Any] = (
            np.memmap(path, dtype, "r", entry["offset"], shape)
            if prod(shape)
            else np.empty(shape, dtype)
        )
        if check and checksum(array) != entry["crc32"]:
            raise TableError(f"{path} is damaged: the checksum of {entry['name']!r} is wrong")
        arrays[entry["name"]] = array
    return arrays


def read_header(path: Path) -> dict[str, Any]:
    """Return the header of a table after checking it and the size of the file."""
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(20)
        if len(start) < 20 or start[:8] != MAGIC:
            raise TableError(f"{path} is no table of taquin: it begins with {start[:8]!r}")
        version, length, crc = (int.from_bytes(start[i : i + 4], "little") for i in (8, 12, 16))
        if version > VERSION:
            raise NewerTable(
                f"{path} has format {version}, newer than the {VERSION} of this program; update"
                " taquin, or remove the table with 'taquin tables clear'"
            )
        if version < 1 or length > size:
            raise TableError(f"{path} is damaged: its header is cut off")
        body = file.read(length)
    if len(body) < length or zlib.crc32(body) != crc:
        raise TableError(f"{path} is damaged: the checksum of its header is wrong")
    try:
        header: dict[str, Any] = json.loads(body)
        for entry in header["arrays"]:
            if not isinstance(entry["name"], str) or np.dtype(entry["dtype"]).kind not in "biuf":
                raise ValueError(f"{entry} describes no array of numbers")
        ends = [
            entry["offset"] + prod(entry["shape"]) * np.dtype(entry["dtype"]).itemsize
            for entry in header["arrays"]
            if prod(entry["shape"])
        ]
        starts = [entry["offset"] for entry in header["arrays"] if prod(entry["shape"])]
        expected = max([20 + length, *ends])
        header["kind"], header["key"]
    except (ValueError, KeyError, TypeError) as error:
        raise TableError(f"{path} has a header that is no header of taquin: {error!r}") from None
    if size != expected:
        fault = "is cut off" if size < expected else "has bytes behind its end"
        raise TableError(f"{path} {fault}: it has {size:,} bytes, expected {expected:,}")
    _check_padding(path, sorted([20 + length, *ends]), sorted(starts))
    return header


def _check_padding(path: Path, ends: list[int], starts: list[int]) -> None:
    """Raise `TableError` unless all bytes between the parts of a table are zero."""
    with path.open("rb") as file:
        for end, start in zip(ends, starts, strict=False):  # the last part has nothing behind it
            file.seek(end)
            for place in range(end, start, PIECE):
                if any(file.read(min(PIECE, start - place))):
                    raise TableError(f"{path} is damaged: its padding is not zero")


# -- the folder ---------------------------------------------------------------------------------


def entries() -> Iterator[TableInfo]:
    """Yield what is in the folder, by name; checksums of arrays are not looked at."""
    place = folder()
    if not place.is_dir():
        return
    for path in sorted(place.glob(f"*{SUFFIX}")):
        size = 0
        try:
            size = path.stat().st_size
            header = read_header(path)
        except (TableError, OSError) as error:
            yield TableInfo(path, size, fault=str(error))
        else:
            yield TableInfo(path, size, header["kind"], header["key"])


def verify(info: TableInfo) -> TableInfo:
    """Return the same with every checksum compared."""
    if info.fault or info.key is None:
        return info
    try:
        load(info.path, info.kind, info.key)
    except (TableError, OSError) as error:
        return TableInfo(info.path, info.bytes, info.kind, info.key, str(error))
    return info


def leftovers() -> list[Path]:
    """Return what writers that were killed have left in the folder, checkpoints included."""
    if not folder().is_dir():
        return []
    return sorted([*folder().glob(f".*{SUFFIX}.*.part"), *folder().glob("checkpoint-*/*.npz.*")])


def checkpoints() -> list[Path]:
    """Return the checkpoints of sweeps that were interrupted, in the folder of the tables."""
    return sorted(folder().glob("checkpoint-*/*.npz")) if folder().is_dir() else []


def clear(paths: Iterable[Path] | None = None) -> tuple[int, int]:
    """Remove tables, and what killed writers left; return how many files and bytes.

    Parameters
    ----------
    paths : iterable of Path, optional
        The tables to be removed; all of them, and all checkpoints, if not given.
    """
    everything = [*(info.path for info in entries()), *checkpoints()]
    chosen = everything if paths is None else list(paths)
    files = freed = 0
    for path in [*chosen, *leftovers()]:
        with suppress(FileNotFoundError):
            size = path.stat().st_size
            path.unlink()
            files, freed = files + 1, freed + size
    for emptied in {path.parent for path in chosen if path.parent != folder()}:
        with suppress(OSError):
            emptied.rmdir()  # of a checkpoint
    return files, freed
