"""Settings for all tests."""

import io
import os
import signal
import sys
from collections.abc import Callable, Iterator

import pytest
from commands import Done
from hypothesis import HealthCheck, settings

from taquin.cli.main import main

# The first example of a compiled function pays for the compiling, and machines differ: no test
# depends on the time one example takes.
settings.register_profile(
    "taquin", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("taquin")

# Where tests run in the background, Ctrl-C may be ignored, and children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

#: Files of one name cannot both be searched for examples, and these have none.
collect_ignore = ["conftest.py", "browser/conftest.py"]
if not os.environ.get("TAQUIN_BROWSER"):
    collect_ignore.append("browser")


@pytest.fixture(scope="session", autouse=True)
def tables_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tables that tests build are kept for the session only, and away from the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAQUIN_TABLES", str(tmp_path_factory.mktemp("tables")))
        yield


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Run the command in this process."""

    def call(*words: str, stdin: str | bytes = b"") -> Done:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        capsys.readouterr()
        code = main(words)
        return Done(code, *capsys.readouterr())

    return call
