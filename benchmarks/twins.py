"""Compile a C twin at run time, where a C compiler is at hand."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


def c_library(source: str) -> ctypes.CDLL | None:
    """Return the compiled source, or None if there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        print("no gcc here: the C twin is left out")
        return None
    folder = Path(tempfile.mkdtemp(prefix="taquin-twin-"))
    (folder / "twin.c").write_text(source, "utf-8")
    subprocess.run([gcc, *FLAGS, "twin.c", "-o", "twin.so"], cwd=folder, check=True)
    library = ctypes.CDLL(str(folder / "twin.so"))
    shutil.rmtree(folder)
    return library


def pointer(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
