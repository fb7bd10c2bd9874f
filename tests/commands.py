"""Runs of the command in this process, and what they leave."""

import json
import os
import sys
from typing import NamedTuple

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "utf-8"}
SOLVED = "1 2 3 4 5 6 7 8 0"
NEAR = "1 2 3 / 4 5 6 / 0 7 8"
NEVER = "1 2 3 4 5 6 8 7 0"
HARD = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"  # 80 moves


class Done(NamedTuple):
    code: int
    out: str
    err: str

    def records(self) -> list[dict]:
        return [json.loads(line) for line in self.out.splitlines()]


def one_line(done: Done, code: int = 2) -> str:
    """Check that a failure is one clear line on standard error, and return it."""
    assert done.code == code
    assert done.out == ""
    lines = done.err.splitlines()
    assert len(lines) == 1, done.err
    assert lines[0].startswith("taquin: ")
    assert len(lines[0]) < 700
    return lines[0]


def keys(record: dict) -> str:
    return " ".join(record)
