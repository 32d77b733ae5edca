"""For all tests: which build is tested, how much, and those that wait for something."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator
from inspect import iscoroutinefunction
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from capolinea.engine import state
from tests.patience import TIME

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


@pytest.fixture
def anyio_backend() -> str:
    """Coroutines run in the event loop that the server has, and in no other kind."""
    return "asyncio"


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """A coroutine that waits for ever fails: for one thing it waits TIME, and not much longer for all."""
    test = pyfuncitem.obj

    async def in_time(**arguments: Any) -> None:
        async with asyncio.timeout(2 * TIME):
            await test(**arguments)

    if iscoroutinefunction(test):
        pyfuncitem.obj = in_time
    return (yield)
