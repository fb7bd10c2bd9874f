"""Settings for all tests."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# The first example of a compiled function pays for the compiling, and machines differ: no test
# depends on the time one example takes.
settings.register_profile(
    "taquin", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("taquin")


@pytest.fixture(scope="session", autouse=True)
def tables_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tables that tests build are kept for the session only, and away from the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAQUIN_TABLES", str(tmp_path_factory.mktemp("tables")))
        yield
