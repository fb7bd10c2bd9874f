"""Time whole commands: start-up, a verdict, Korf's board 1 with and without compiling, a cube.

    python benchmarks/commands.py

Each command runs in a process of its own; the best of several runs is shown, in seconds of
processor time (user + system) and of wall time, with the peak of memory. "first time" runs with an
empty folder of compiled kernels. "python -c pass" is what the interpreter alone takes.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KORF_1 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
SIDE = 100


def main() -> None:
    """Print the table."""
    taquin = [sys.executable, "-m", "taquin"]
    korf = [*taquin, "solve", KORF_1, "--goal", "blank-first"]
    print(f"{'command':40} {'cpu s':>8} {'wall s':>8} {'MB':>6}")
    with tempfile.TemporaryDirectory() as folder:
        compiled = {"NUMBA_CACHE_DIR": str(Path(folder) / "kernels")}
        show("python -c pass", [sys.executable, "-c", "pass"], compiled)
        show("taquin --help", [*taquin, "--help"], compiled)
        show('taquin check "1 2 3 4 5 6 7 8 0"', [*taquin, "check", "1 2 3 4 5 6 7 8 0"], compiled)
        show("Korf's board 1, the first time", korf, compiled, runs=1)
        show("Korf's board 1, from then on", korf, compiled, runs=3)
        cube = Path(folder) / "cube.txt"
        write_cube(cube)
        judge = [*taquin, "judge", "zoj2004", str(cube)]
        show(f"judge zoj2004, {SIDE} x {SIDE} x {SIDE}", judge, compiled)


def show(name: str, command: list[str], environment: dict[str, str], runs: int = 5) -> None:
    """Run a command several times; print its least times and its peak of memory."""
    figures = [measure(command, environment) for _ in range(runs)]
    cpu, wall, peak = (min(column) for column in zip(*figures, strict=True))
    print(f"{name:40} {cpu:8.2f} {wall:8.2f} {peak / 1024:6.0f}")


def measure(command: list[str], environment: dict[str, str]) -> tuple[float, float, int]:
    """Return processor seconds, wall seconds and peak memory (kB) of one run."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - began, usage.ru_maxrss


def write_cube(path: Path) -> None:
    """Write one random case of SIDE^3 numbers, a layer a line."""
    numbers = list(range(SIDE**3))
    random.Random(2004).shuffle(numbers)
    layers = (numbers[i : i + SIDE * SIDE] for i in range(0, len(numbers), SIDE * SIDE))
    lines = [" ".join(map(str, layer)) for layer in layers]
    path.write_text(f"1\n{SIDE}\n" + "\n".join(lines) + "\n", "ascii")


if __name__ == "__main__":
    main()
