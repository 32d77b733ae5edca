"""The version that people see: it names the commit, or says that it does not know it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from capolinea import __version__, version

ROOT = Path(__file__).parents[1]


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    command = ["git", "-C", str(folder), *who, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def head(folder: Path) -> str:
    return git(folder, "rev-parse", "--short=10", "HEAD")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As much of a clone as it takes."""
    package = tmp_path / "src" / "capolinea"
    package.mkdir(parents=True)
    for name in ("__init__.py", "version.py"):
        shutil.copy(ROOT / "src" / "capolinea" / name, package)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "One")
    return tmp_path


def shown(clone: Path, **changes: str) -> str:
    """What a program in there says that it is."""
    code = "from capolinea.version import version; print(version(), end='')"
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(clone / "src"), **changes},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone")
def test_this_commit_is_named() -> None:
    """Compiled, too: that build stands elsewhere."""
    assert version.commit().removesuffix("+") == head(ROOT)


def test_a_clone_names_its_commit_and_whether_it_was_changed(clone: Path) -> None:
    git(clone, "tag", "v9")  # its name is no commit
    assert shown(clone) == f"{__version__} ({head(clone)})"
    (clone / "notes.txt").write_text("not ours")
    assert shown(clone) == f"{__version__} ({head(clone)})"
    with (clone / "src" / "capolinea" / "__init__.py").open("a") as file:
        file.write("# changed\n")
    assert shown(clone) == f"{__version__} ({head(clone)}+)"


def test_a_hook_of_another_clone_does_not_lead_astray(clone: Path) -> None:
    assert shown(clone, GIT_DIR=str(ROOT / ".git")) == f"{__version__} ({head(clone)})"


def test_without_a_clone_it_is_what_the_build_wrote_down(clone: Path) -> None:
    shutil.rmtree(clone / ".git")
    assert shown(clone) == f"{__version__} (?)"
    (clone / "src" / "capolinea" / "commit.txt").write_text("1a2b3c4d5e\n")
    assert shown(clone) == f"{__version__} (1a2b3c4d5e)"


def test_a_clone_does_not_believe_what_an_interrupted_build_left(clone: Path) -> None:
    (clone / "src" / "capolinea" / "commit.txt").write_text("1a2b3c4d5e\n")
    assert shown(clone) == f"{__version__} ({head(clone)})"
    assert shown(clone, PATH="") == f"{__version__} (?)"
