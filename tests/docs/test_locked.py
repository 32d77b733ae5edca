"""Who hosts gets the versions that we have tried, and no others: by the lock, with hashes."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
REQUIREMENTS = ROOT / "requirements"
LOCKS = sorted(REQUIREMENTS.glob("*.txt"))


def commands(page: str) -> list[list[str]]:
    """Everything that pip is told to do there: in blocks, and in the text."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    inline = re.findall(r"(?<!`)`([^`]+)`(?!`)", re.sub(r"```.*?```", "", page, flags=re.DOTALL))
    words = [shlex.split(line.replace("\n", " ")) for line in lines + inline if "pip " in line]
    return [found for found in words if {"install", "wheel"} & set(found)]


def pins(lock: Path) -> dict[str, str]:
    """name → version"""
    found = re.findall(r"^([\w.-]+)==(\S+)", lock.read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


def is_locked(words: list[str]) -> bool:
    """All that it fetches comes from one of our lists, by its hash; or it fetches nothing."""
    if "-r" in words:
        lists = [Path(words[n + 1]).name for n, word in enumerate(words) if word == "-r"]
        return "--require-hashes" in words and all((REQUIREMENTS / name).exists() for name in lists)
    built = "--no-build-isolation" in words or words[-1].endswith(".whl")
    return "--no-deps" in words and built


def test_every_step_of_installing_is_locked() -> None:
    told = commands((ROOT / "docs" / "hosting.md").read_text())
    assert sum("--require-hashes" in words for words in told) >= 2, "on a server, and from a wheel"
    assert [" ".join(words) for words in told if not is_locked(words)] == []


@pytest.mark.parametrize(
    "loose",
    [
        "pip install .",
        "pip install --no-deps .",
        "pip install --no-build-isolation .",
        "pip install -r requirements/play.txt",
        "pip install --require-hashes -r requirements/other.txt",
        "pip install capolinea.whl",
        "pip wheel -w dist .",
    ],
)
def test_what_is_not_locked_would_be_noticed(loose: str) -> None:
    for page in (f"```\n/opt/bin/{loose}\n```\n", f"Say `{loose}` and wait.\n"):
        assert [is_locked(words) for words in commands(page)] == [False]


def test_the_lock_has_what_the_package_needs() -> None:
    for lock, needed in {
        "play.txt": PROJECT["project"]["dependencies"],
        "build.txt": PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"],
    }.items():
        locked = pins(REQUIREMENTS / lock)
        for requirement in map(Requirement, needed):
            assert locked[canonicalize_name(requirement.name)] in requirement.specifier, lock


def test_the_lists_agree() -> None:
    assert pins(REQUIREMENTS / "play.txt").items() <= pins(REQUIREMENTS / "build.txt").items()


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_version_has_its_hash_and_no_address(lock: Path) -> None:
    entries = re.split(r"\n(?=\S)", lock.read_text().strip())
    assert entries
    for entry in entries:
        assert re.match(r"[\w.-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry
    assert "://" not in lock.read_text()
