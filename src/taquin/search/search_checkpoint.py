"""The file that a long search goes on from."""

from __future__ import annotations

import json
import os
import secrets
import warnings
import zlib
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taquin.errors import TableError
from taquin.search.pattern_kernels import NEVER

if TYPE_CHECKING:
    from taquin.search.patterns import Part, Run


class Checkpoint:
    """The file that a long search goes on from: JSON, written to a name of its own and renamed."""

    def __init__(self, path: Path, run: Run) -> None:
        if not path.parent.is_dir():
            raise TableError(f"a checkpoint needs a folder; there is no {path.parent}")
        self.path, self.run = path, run
        self._found: dict[str, Any] | None = None
        self.expected = 0

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint must be of: start, goal and tables."""
        search = self.run.search
        return {"start": str(self.run.start), "goal": str(search.goal), **search.identity}

    def read(self) -> bool:
        """Take over threshold and counters, if there is a file.

        Raises
        ------
        TableError
            If the file is damaged, or of another search.
        """
        try:
            found = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return False
        except (OSError, ValueError) as error:
            raise TableError(f"{self.path} is no checkpoint of a search: {error}") from None
        if not isinstance(found, dict) or "of" not in found:
            raise TableError(f"{self.path} is no checkpoint of a search")
        if found.pop("crc32", None) != _checksum(found):
            raise TableError(f"{self.path} is a damaged checkpoint: its checksum is wrong")
        if found["of"] != self.identity:
            raise TableError(f"{self.path} is a checkpoint of another search")
        try:
            self.run.threshold = int(found["threshold"])
            self.run.counters.generated = int(found["generated"])
            self.run.counters.expanded = int(found["expanded"])
            self.run.counters.before = float(found["seconds"])
            self.expected = int(found["expected"])
            self._found = {"least": int(found["least"]), "done": [int(i) for i in found["done"]]}
        except (KeyError, TypeError, ValueError) as error:
            raise TableError(f"{self.path} is a damaged checkpoint: {error!r}") from None
        return True

    def restore(self, part: Part) -> None:
        """Mark the roots that are done, once."""
        found, self._found = self._found, None
        if found is None:
            return
        if any(not 0 <= number < len(part.roots) for number in found["done"]):
            raise TableError(f"{self.path} is a damaged checkpoint: it has other roots")
        part.done[found["done"]] = True
        part.least = min(part.least, found["least"])

    def write(self, part: Part | None) -> None:
        """Write down what is done; a full disk is a warning and does not end the search.

        None: the search has not been split yet, and begins anew at its threshold.
        """
        counters = self.run.counters
        found: dict[str, Any] = {
            "of": self.identity,
            "threshold": self.run.threshold,
            "least": NEVER,
            "expected": counters.generated,
            "done": [],
        }
        with nullcontext() if part is None else part.lock:
            if part is not None:
                found["least"], found["expected"] = part.least, part.expected
                found["done"] = np.flatnonzero(part.done).tolist()
            found["generated"], found["expanded"] = counters.generated, counters.expanded
            found["seconds"] = counters.before + counters.seconds
        text = json.dumps({**found, "crc32": _checksum(found)})
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        try:
            draft.write_text(text, "utf-8")
            draft.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            reason = error.strerror or error
            warnings.warn(f"no checkpoint is kept in {self.path}: {reason}", stacklevel=2)

    def remove(self) -> None:
        """Remove the file: the search has ended."""
        with suppress(OSError):
            self.path.unlink()


def _checksum(found: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(found, sort_keys=True).encode())
