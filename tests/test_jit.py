"""Compiling goes on whatever becomes of the cache, and is announced when it happens."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from taquin import jit

MODULE = """
import sys
from taquin.jit import announced, kernel

@kernel
def doubled(x):
    return x + x

with announced(lambda name: print("compiling", name)):
    print(doubled(21))
"""


def run(folder: Path, before: str = "", **environment: str) -> list[str]:
    """Run MODULE in a process of its own; return the lines it prints."""
    module = folder / "module.py"
    module.write_text(MODULE, "utf-8")
    os.utime(module, (0, 0))  # the cache belongs to a file of a certain time
    source = str(Path(jit.__file__).parents[1])
    keep = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    code = f"{before}\nimport module"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**keep, "PYTHONPATH": f"{folder}{os.pathsep}{source}", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_second_process_does_not_compile(tmp_path: Path) -> None:
    assert run(tmp_path) == ["compiling doubled", "42"]
    assert list(tmp_path.rglob("*.nbc"))
    assert run(tmp_path) == ["42"]


def test_no_folder_to_write_to(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").write_text("not a folder", "utf-8")
    nowhere = str(tmp_path / "module.py" / "cache")
    for _ in range(2):
        lines = run(tmp_path, XDG_CACHE_HOME=nowhere, HOME=nowhere, LOCALAPPDATA=nowhere)
        assert lines == ["compiling doubled", "42"]


@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
@pytest.mark.parametrize("garbage", [b"", b"garbage"])
def test_damaged_files_are_replaced(tmp_path: Path, kind: str, garbage: bytes) -> None:
    run(tmp_path)
    for path in tmp_path.rglob(kind):
        path.write_bytes(garbage)
    assert run(tmp_path) == ["compiling doubled", "42"]
    assert run(tmp_path) == ["42"]


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_full_disk(tmp_path: Path) -> None:
    full = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (64, 64))"
    assert run(tmp_path, full) == ["compiling doubled", "42"]


def test_announcements_are_nested_and_end() -> None:
    heard: list[str] = []

    made: dict[str, Any] = {}
    exec("def threefold(x): return 3 * x", made)  # without a file, so that nothing is kept on disk
    threefold = jit.kernel(made["threefold"])

    @numba.njit
    def foreign(x: int) -> int:
        return 2 * x

    with jit.announced(heard.append), jit.announced(lambda name: heard.append(name.upper())):
        assert foreign(21) == 42
        assert threefold(14) == 42
        assert threefold(15) == 45
        assert threefold(1.5) == 4.5
    assert heard == ["threefold", "THREEFOLD"] * 2
    assert threefold(1j) == 3j
    assert len(heard) == 4
    assert jit._announcements == []
    with pytest.raises(KeyError), jit.announced(heard.append):
        raise KeyError
    assert jit._announcements == []


def test_sizes_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    def same(x: int) -> int:
        return x

    monkeypatch.setitem(sys.modules, "numba", sys)
    assert not jit.worth_compiling(jit.COMPILE_FROM - 1)
    assert jit.worth_compiling(jit.COMPILE_FROM)
    assert jit.compiled(same, 10) is same
    monkeypatch.delitem(sys.modules, "numba")
    assert not jit.worth_compiling(jit.COMPILE_FROM)
    assert jit.worth_compiling(jit.IMPORT_FROM)


def test_the_plain_function_stays_at_hand() -> None:
    from taquin import kernels

    assert kernels._count_cycles.py_func.__name__ == "_count_cycles"  # type: ignore[attr-defined]
