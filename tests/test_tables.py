"""Tables on disk: written whole or not at all, and never believed when they are not right."""

import errno
import json
import os
import signal
import subprocess
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from taquin import tables
from taquin.errors import TableError
from taquin.tables import NewerTable, TableWarning

KEY = {"board": "3x3", "blank": 8, "metric": "stm"}


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of tables for one test."""
    place = tmp_path / "shelf"
    monkeypatch.setenv("TAQUIN_TABLES", str(place))
    return place


def environment() -> dict[str, str]:
    """For programs of their own: the same modules, the same folder."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def arrays() -> tables.Arrays:
    rng = np.random.default_rng(1)
    return {
        "planes": rng.integers(0, 2**60, (2, 3, 100), np.uint64),
        "counts": np.arange(32, dtype=np.int64),
        "empty": np.empty((0, 4), np.uint8),
    }


def saved() -> Path:
    path = tables.path_of("space", KEY)
    tables.save(path, "space", KEY, arrays())
    return path


def same(found: tables.Arrays) -> bool:
    expected = arrays()
    return set(found) == set(expected) and all(
        found[name].dtype == array.dtype and np.array_equal(found[name], array)
        for name, array in expected.items()
    )


def header(raw: bytes) -> dict[str, Any]:
    return json.loads(raw[20 : 20 + int.from_bytes(raw[12:16], "little")])


def with_header(raw: bytes, head: Any) -> bytes:
    """The file with another header, of whatever kind, under a right checksum."""
    body = json.dumps(head).encode()
    numbers = (1, len(body), zlib.crc32(body))
    start = tables.MAGIC + b"".join(n.to_bytes(4, "little") for n in numbers) + body
    return start + raw[len(start) :]


# -- there and back ----------------------------------------------------------------------------


def test_a_table_comes_back_as_it_was() -> None:
    path = saved()
    found = tables.load(path, "space", KEY)
    assert same(found)
    assert isinstance(found["planes"], np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        found["planes"][0, 0, 0] = 1


def test_the_reader_of_the_documentation_reads_it() -> None:
    raw = saved().read_bytes()
    for entry in header(raw)["arrays"]:
        count = int(np.prod(entry["shape"]))
        array = np.frombuffer(raw, entry["dtype"], count, entry["offset"]) if count else []
        assert np.array_equal(np.reshape(array, entry["shape"]), arrays()[entry["name"]])
        assert entry["offset"] % 4096 == 0


def test_obtain_builds_once() -> None:
    built = []

    def build() -> tables.Arrays:
        built.append(1)
        return arrays()

    assert same(tables.obtain("space", KEY, build))
    assert same(tables.obtain("space", KEY, build))
    assert built == [1]
    tables.obtain("space", {**KEY, "metric": "mtm"}, build)
    tables.obtain("pattern", KEY, build)
    assert built == [1, 1, 1]
    assert len(list(tables.entries())) == 3


def test_obtain_need_not_keep() -> None:
    assert same(tables.obtain("space", KEY, arrays, keep=False))
    assert list(tables.entries()) == []


def test_other_byte_orders_are_written_as_little_endian() -> None:
    path = tables.path_of("space", KEY)
    tables.save(path, "space", KEY, {"a": np.arange(5, dtype=">u4")})
    assert tables.load(path, "space", KEY)["a"].tolist() == [0, 1, 2, 3, 4]


def test_names_of_files_are_readable_and_different() -> None:
    names = {tables.path_of("space", {**KEY, "blank": blank}).name for blank in range(9)}
    assert len(names) == 9
    assert all(name.startswith("space-3x3-") and name.endswith(".table") for name in names)
    long = tables.path_of("space", {"board": "graph:" + ",".join("0-1" for _ in range(999))})
    assert len(long.name) < 80


def test_the_folder_is_the_users_cache_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAQUIN_TABLES")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert tables.folder().parts[-2:] == ("taquin", "tables")


# -- files that are not right ------------------------------------------------------------------


def test_one_flipped_byte_anywhere_is_noticed() -> None:
    """In the magic, version, length, checksum, header, arrays and gaps: nothing is overlooked."""
    path = saved()
    raw = path.read_bytes()
    head = header(raw)
    length = int.from_bytes(raw[12:16], "little")
    where: dict[str, Sequence[int]] = {"start": range(20), "header": range(20, 20 + length, 7)}
    inside = set(range(20 + length))
    for entry in head["arrays"]:
        size = int(np.prod(entry["shape"])) * np.dtype(entry["dtype"]).itemsize
        where[entry["name"]] = range(entry["offset"], entry["offset"] + size, 61)
        inside |= set(range(entry["offset"], entry["offset"] + size))
    where["gaps"] = [at for at in range(0, len(raw), 97) if at not in inside]
    assert len(where["gaps"]) > 20
    assert max(inside) == len(raw) - 1
    for name, places in where.items():
        for at in places:
            path.write_bytes(raw[:at] + bytes([raw[at] ^ 0x10]) + raw[at + 1 :])
            with pytest.raises(TableError) as caught:
                tables.load(path, "space", KEY)
            assert str(path) in str(caught.value), name
            (info,) = tables.entries()
            assert tables.verify(info).fault, name


def test_a_file_cut_off_anywhere_is_noticed() -> None:
    path = saved()
    raw = path.read_bytes()
    head = header(raw)
    lengths = {0, 1, 7, 8, 11, 12, 16, 19, 20, 21, 100, len(raw) - 1, len(raw) // 2}
    for entry in head["arrays"]:
        lengths |= {entry["offset"] - 1, entry["offset"], entry["offset"] + 1}
    for length in sorted(length for length in lengths if length < len(raw)):
        path.write_bytes(raw[:length])
        with pytest.raises(TableError):
            tables.load(path, "space", KEY)
    path.write_bytes(raw + b"\0")
    with pytest.raises(TableError, match="bytes behind its end"):
        tables.load(path, "space", KEY)


@pytest.mark.parametrize("text", [b"", b"hello", b"\x93NUMPY" + bytes(5000), b"taquin\n" * 99])
def test_foreign_files_are_told(text: bytes) -> None:
    path = saved()
    path.write_bytes(text)
    with pytest.raises(TableError, match="is no table of taquin"):
        tables.load(path, "space", KEY)


def test_newer_files_are_left_alone() -> None:
    path = saved()
    raw = path.read_bytes()
    newer = raw[:8] + (2).to_bytes(4, "little") + raw[12:]
    path.write_bytes(newer)
    with pytest.raises(NewerTable, match="format 2, newer than the 1"):
        tables.load(path, "space", KEY)
    with pytest.warns(TableWarning, match="newer"):
        assert same(tables.obtain("space", KEY, arrays))
    assert path.read_bytes() == newer


def test_a_table_of_another_puzzle_is_not_taken() -> None:
    path = saved()
    for kind, key in (("space", {**KEY, "blank": 0}), ("pattern", KEY)):
        with pytest.raises(TableError, match="another puzzle"):
            tables.load(path, kind, key)


@pytest.mark.parametrize(
    "head",
    [
        [],
        {},
        7,
        {"kind": "space", "key": KEY},
        {"kind": "space", "key": KEY, "arrays": [{"name": "planes"}]},
        {
            "kind": "space",
            "key": KEY,
            "arrays": [{"name": "a", "dtype": "nonsense", "shape": [1], "offset": 1, "crc32": 0}],
        },
        *(
            {
                "kind": "space",
                "key": KEY,
                "arrays": [{"name": name, "dtype": dtype, "shape": [1], "offset": 0, "crc32": 0}],
            }
            for name, dtype in (("a", "O"), ("a", "U1"), (5, "<u8"), (["a"], "<u8"))
        ),
    ],
)
def test_headers_of_another_make(head: Any) -> None:
    path = saved()
    path.write_bytes(with_header(path.read_bytes(), head))
    with pytest.raises(TableError):
        tables.load(path, "space", KEY)


def test_damaged_tables_are_built_anew() -> None:
    path = saved()
    raw = path.read_bytes()
    path.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    with pytest.warns(TableWarning, match="built anew"):
        assert same(tables.obtain("space", KEY, arrays))
    assert path.read_bytes() == raw


def test_a_table_that_cannot_be_read(shelf: Path) -> None:
    tables.path_of("space", KEY).mkdir(parents=True)
    with pytest.warns(TableWarning):
        assert same(tables.obtain("space", KEY, arrays))
    assert [info.fault != "" for info in tables.entries()] == [True]


# -- nowhere to write --------------------------------------------------------------------------


def test_no_folder_can_be_made(shelf: Path) -> None:
    shelf.write_text("a file where the folder should be")
    with pytest.warns(TableWarning, match="serves from memory"):
        assert same(tables.obtain("space", KEY, arrays))
    assert list(tables.entries()) == []
    assert tables.clear() == (0, 0)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_the_disk_is_full(shelf: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(TableWarning, match=os.strerror(number)):
        assert same(tables.obtain("space", KEY, arrays))
    assert list(shelf.iterdir()) == []


# -- several at once, and sudden ends ----------------------------------------------------------

BUILD = """
import sys, time
import numpy as np
from taquin import tables
def build():
    print("building", flush=True)
    sys.stdin.readline()
    return {"a": np.full(1 << 18, 7, np.uint64)}
print(int(tables.obtain("space", {"board": "3x3"}, build)["a"].sum()), flush=True)
"""


def test_two_builders_at_once(shelf: Path) -> None:
    pipe = subprocess.PIPE
    builders = [
        subprocess.Popen(
            [sys.executable, "-c", BUILD], stdin=pipe, stdout=pipe, env=environment(), text=True
        )
        for _ in range(2)
    ]
    for builder in builders:
        assert builder.stdout is not None
        assert builder.stdout.readline() == "building\n"
    answers = []
    for builder in builders:
        assert builder.stdin is not None
        builder.stdin.write("\n")
        builder.stdin.flush()
    for builder in builders:
        answers.append(builder.communicate()[0].strip())
        assert builder.returncode == 0
    assert answers == [str(7 << 18)] * 2
    (info,) = tables.entries()
    assert tables.verify(info).fault == ""
    assert tables.leftovers() == []


KILLED = """
import os, time
import numpy as np
from taquin import tables
def hang(_):
    print("writing", flush=True)
    time.sleep(60)
os.fsync = hang
tables.obtain("space", {"board": "3x3"}, lambda: {"a": np.zeros(1000)})
"""


def test_killed_while_writing(shelf: Path) -> None:
    builder = subprocess.Popen(
        [sys.executable, "-c", KILLED], stdout=subprocess.PIPE, env=environment(), text=True
    )
    assert builder.stdout is not None
    assert builder.stdout.readline() == "writing\n"
    builder.send_signal(signal.SIGKILL)
    builder.communicate()
    assert list(tables.entries()) == []
    assert len(tables.leftovers()) == 1
    assert same(tables.obtain("space", KEY, arrays))
    files, freed = tables.clear()
    assert files == 2
    assert freed > 0
    assert list(shelf.iterdir()) == []


def test_an_interrupted_writer_leaves_nothing(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        tables.obtain("space", KEY, arrays)
    assert list(shelf.iterdir()) == []


# -- the folder --------------------------------------------------------------------------------


def test_list_verify_clear(shelf: Path) -> None:
    assert list(tables.entries()) == []
    path = saved()
    (shelf / "foreign.table").write_bytes(b"hello")
    (shelf / "notes.txt").write_text("not ours")
    good, bad = sorted(tables.entries(), key=lambda info: info.fault != "")
    assert (good.path, good.kind, good.key, good.fault) == (path, "space", KEY, "")
    assert good.bytes == path.stat().st_size
    assert "no table of taquin" in bad.fault
    assert tables.verify(good) == good
    assert tables.verify(bad) == bad
    raw = path.read_bytes()
    path.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    assert next(iter(tables.entries())).bytes > 0
    assert any("checksum" in tables.verify(info).fault for info in tables.entries())
    (shelf / "checkpoint-ab").mkdir()
    (shelf / "checkpoint-ab" / "sweep.npz").write_bytes(b"half done")
    assert tables.clear([path])[0] == 1
    assert tables.clear()[0] == 2
    assert [left.name for left in shelf.iterdir()] == ["notes.txt"]


def test_checksums_are_taken_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    array = arrays()["planes"]
    whole = tables.checksum(array)
    monkeypatch.setattr(tables, "PIECE", 13)
    assert tables.checksum(array) == whole == zlib.crc32(array.tobytes())
    assert tables.checksum(array[:, ::2]) == zlib.crc32(array[:, ::2].tobytes())
