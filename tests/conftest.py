"""For all tests: which build is tested, and how much."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from capolinea.engine import state

# The same examples every time, so that a failure is a fault of the code and not of the day;
# ./test --long looks for new ones.
busy = [HealthCheck.too_slow]  # a busy machine is no fault of the code either
settings.register_profile(
    "steady", derandomize=True, deadline=None, database=None, suppress_health_check=busy
)
settings.register_profile("long", max_examples=1000, deadline=None, suppress_health_check=busy)
settings.load_profile("long" if os.environ.get("CAPOLINEA_LONG") else "steady")


def pytest_configure() -> None:
    compiled = not state.__file__.endswith(".py")
    if os.environ.get("CAPOLINEA_EXPECT_COMPILED") and not compiled:
        pytest.exit("these tests should run on the compiled build, but found the pure one", 3)
