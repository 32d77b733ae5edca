"""A test that waits for something cannot pass unseen: it is run to its end, or fails."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.patience import TIME

ROOT = Path(__file__).parents[1]
FLAGS = ["-c", "pyproject.toml", "-p", "tests.conftest", "-p", "no:cacheprovider", "-rA"]
WRONG = """
import asyncio
import pytest
import tests.conftest

tests.conftest.TIME = 1


async def test_unmarked():
    assert False


@pytest.mark.parametrize("answer", [41])
async def test_with_cases(answer):
    assert answer == 42


@pytest.fixture
async def answer():
    return 41


async def test_with_a_fixture(answer):
    assert answer == 42


def test_without_await():
    asyncio.sleep(0)


async def test_beside_which_something_fails():
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    await asyncio.sleep(0)


async def test_for_ever():
    await asyncio.Event().wait()
"""


def test_coroutines_fail_like_other_tests(tmp_path: Path) -> None:
    """By the settings that all tests here have."""
    file = tmp_path / "test_wrong.py"
    file.write_text(WRONG)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *FLAGS, file],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIME,
    )
    outcomes = re.findall(r"^([A-Z]+) \S*::(test_\w+)", ran.stdout, re.MULTILINE)
    written = re.findall(r"def (test_\w+)", WRONG)
    assert sorted(outcomes) == sorted(("FAILED", name) for name in written), ran.stdout
