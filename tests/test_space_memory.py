"""How much memory there is, under all limits that a process can have, and sizes in words."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from math import factorial
from pathlib import Path

import pytest

import taquin as tq
from taquin import space_memory
from taquin.errors import LimitReached, Unsupported

GB = 10**9
FREE = 8_000_000 * 1024

Plant = Callable[[dict[str, object]], Path]


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """Make a machine of files: `FREE` bytes are free, and whatever else is given."""

    def make(files: dict[str, object]) -> Path:
        meminfo = f"MemTotal: 9000000 kB\nMemAvailable: {FREE // 1024} kB\n"
        for name, text in {"proc/meminfo": meminfo, **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else str(text).encode())
        return tmp_path

    return make


V2 = "sys/fs/cgroup"
V1 = "sys/fs/cgroup/memory"
HUGE = 9223372036854771712  # how version 1 says that there is no limit

LIMITS: dict[str, tuple[int, dict[str, object]]] = {
    "none": (FREE, {}),
    "version 2, inside its container": (
        1 * GB,
        {
            "proc/self/cgroup": "0::/\n",
            f"{V2}/memory.max": f"{3 * GB}\n",
            f"{V2}/memory.current": 2 * GB,
        },
    ),
    "version 2, files in memory give way": (
        2 * GB,
        {
            "proc/self/cgroup": "0::/job\n",
            f"{V2}/job/memory.max": 3 * GB,
            f"{V2}/job/memory.current": 2 * GB,
            f"{V2}/job/memory.stat": f"anon 7\nfile 9\ninactive_file {GB}\nactive_file 2\n",
        },
    ),
    "version 2, a name of no alphabet": (
        GB,
        {
            "proc/self/cgroup": b"0::/j\xf6b/\xe7\x8e\xa9\n",
            f"{V2}/j\udcf6b/\u73a9/memory.max": GB,
        },
    ),
    "version 2, no limit": (
        FREE,
        {"proc/self/cgroup": "0::/job\n", f"{V2}/job/memory.max": "max\n"},
    ),
    "version 2, a group above is tighter": (
        GB // 2,
        {
            "proc/self/cgroup": "0::/a/b/c\n",
            f"{V2}/a/b/c/memory.max": 4 * GB,
            f"{V2}/a/b/c/memory.current": 0,
            f"{V2}/a/memory.max": 2 * GB,
            f"{V2}/a/memory.current": 3 * GB // 2,
        },
    ),
    "version 2, used up": (
        0,
        {
            "proc/self/cgroup": "0::/\n",
            f"{V2}/memory.max": GB,
            f"{V2}/memory.current": GB + 4096,
        },
    ),
    "version 2, usage not told": (
        GB,
        {"proc/self/cgroup": "0::/\n", f"{V2}/memory.max": GB},
    ),
    "version 1": (
        1 * GB,
        {
            "proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/job\n0::/\n",
            f"{V1}/job/memory.limit_in_bytes": 3 * GB,
            f"{V1}/job/memory.usage_in_bytes": 3 * GB,
            f"{V1}/job/memory.stat": f"cache 1\ntotal_inactive_file {GB}\n",
        },
    ),
    "version 1, its path is that outside of the container": (
        2 * GB,
        {
            "proc/self/cgroup": "4:hugetlb,memory:/docker/0123abc\n",
            f"{V1}/memory.limit_in_bytes": 2 * GB,
            f"{V1}/memory.usage_in_bytes": 0,
        },
    ),
    "version 1, no limit": (
        FREE,
        {"proc/self/cgroup": "4:memory:/\n", f"{V1}/memory.limit_in_bytes": HUGE},
    ),
    "above the machine": (
        FREE,
        {"proc/self/cgroup": "0::/\n", f"{V2}/memory.max": 80 * GB},
    ),
    "no sense in the files": (
        FREE,
        {
            "proc/self/cgroup": b"\xff\xfe\n\n::\n0\n4:memory\n",
            f"{V2}/memory.max": b"\xff",
        },
    ),
    "no sense in the numbers": (
        FREE,
        {
            "proc/self/cgroup": "garbage\n\n0::/../..\n4:memory:/\n",
            f"{V2}/memory.max": "plenty",
            f"{V1}/memory.limit_in_bytes": "",
            f"{V1}/memory.stat": "total_inactive_file",
        },
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_control_groups(name: str, plant: Plant) -> None:
    expected, files = LIMITS[name]
    assert space_memory.free_memory(plant(files)) == expected


def test_what_free_means_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert space_memory.free_memory() > 10**7
    assert space_memory.free_memory(tmp_path) > 0  # no files at all: asked from the system

    def fail(*_: object) -> int:
        raise ValueError

    monkeypatch.setattr(os, "sysconf", fail)
    assert space_memory.free_memory(tmp_path) == space_memory.UNKNOWN


LIMITED = """
import resource
import taquin as tq
from taquin import space_memory
from taquin.errors import LimitReached
tq.Puzzle.parse("3x3").explore()  # what is loaded is loaded
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + 300_000_000
resource.setrlimit(resource.RLIMIT_AS, (most, most))
print(space_memory.free_memory())
try:
    tq.Puzzle.parse("7x2").explore()
except LimitReached as error:
    print(error)
print(tq.Puzzle.parse("3x3").explore().states)
print(tq.Puzzle.parse("4x4").explore(to_depth=60).ended)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_limit_of_the_address_space() -> None:
    """Under ``ulimit -v`` a space that does not fit is refused, and one that fits explored."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", LIMITED]
    done = subprocess.run(command, capture_output=True, env=environment, text=True, check=True)
    free, refused, states, ended = done.stdout.splitlines()
    assert 250_000_000 < int(free) <= 300_000_000
    assert re.search(r"takes [\d.]+ GB of memory and [23]\d\d.\d MB may be used", refused)
    assert (states, ended) == ("181440", "memory")


def test_sizes_in_words() -> None:
    assert space_memory.byte_size("1MB") == 10**6
    assert space_memory.byte_size(" 1.5 gb ") == 1_500_000_000
    assert space_memory.byte_size(".5kib") == 500
    assert space_memory.byte_size("77") == 77
    assert space_memory.human(999) == "999 bytes"
    assert space_memory.human(10**29) == "100,000.0 YB"
    assert space_memory.human(10**30) == "10^30 bytes"
    assert space_memory.human(factorial(400)) == "10^868 bytes"
    assert space_memory.human(factorial(1600)) == "10^4433 bytes"  # more digits than Python writes
    assert space_memory.human(space_memory.byte_size("9" * 90)) == "10^90 bytes"


@pytest.mark.parametrize(
    "bad",
    [
        *("", "much", "-1GB", "1XB", "1e9", "1e400 GB", "inf", "nan", "GB", ".", "1 2"),
        *("9" * 400, "9" * 5000 + "GB", "0." + "1" * 400, "\u0661\u0662 GB", "1" + "0" * 100),
    ],
    ids=lambda text: text[:9],
)
def test_texts_that_are_no_sizes(bad: str) -> None:
    with pytest.raises(tq.ParseError, match="expected a size such as 4GB or 500MB, got"):
        space_memory.byte_size(bad)


def test_boards_beyond_all_numbers_are_refused() -> None:
    with pytest.raises(LimitReached, match=r"takes 10\^\d+ bytes of memory"):
        tq.Puzzle.parse("40x40").explore()


def test_the_table_is_left_out_where_nobody_wants_it() -> None:
    space = tq.Puzzle.parse("3x3").explore(table=False)
    assert space.states == 181_440
    with pytest.raises(Unsupported, match="table"):
        space.table  # noqa: B018
    assert tq.Puzzle.parse("3x3").explore().table.bytes > 0
