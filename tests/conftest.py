"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# The first example of a compiled function pays for the compiling, and machines differ: no test
# depends on the time one example takes.
settings.register_profile(
    "taquin", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("taquin")
