"""`./play`, before anything is set up."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As git hands it out."""
    made = shutil.ignore_patterns("__pycache__", "web", "*.so")
    for name in ("tools", "requirements", "src"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=made)
    shutil.copy(ROOT / "play", tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["simulate", "--help"], ["serve", "-h"]])
def test_help_helps_and_sets_up_nothing(clone: Path, words: list[str]) -> None:
    before = {path for path in clone.rglob("*") if "__pycache__" not in str(path)}
    # Without what the tests' own Python has.
    bare = [sys.executable, "-S", "play", *words]
    environment = {**os.environ, "LC_ALL": "C", "LANGUAGE": "", "PYTHONNOUSERSITE": "1"}
    done = subprocess.run(
        bare, cwd=clone, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: capolinea" in done.stdout
    assert {path for path in clone.rglob("*") if "__pycache__" not in str(path)} == before
