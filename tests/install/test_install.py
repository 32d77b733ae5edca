"""Installed with pip, as docs/hosting.md says: from a wheel and from an sdist, the table is there.

Built in a clone, so that nothing helps which lies about in the work tree; installed and started where
there is no other program at all: no Node, no compiler, no git.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from playwright.sync_api import expect

from capolinea import __version__
from tests.browser.conftest import Person

ROOT = Path(__file__).parents[2]
PACKAGE = "src/capolinea/"
SAID = "CAPOLINEA_WITHOUT_PAGES=1"


def run(*words: str | Path, cwd: Path = ROOT, **changes: str) -> subprocess.CompletedProcess[str]:
    """A program in an environment that knows nothing of ours, and what it printed."""
    return subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=environment(**changes),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def environment(**changes: str) -> dict[str, str]:
    ours = ("PYTHON", "VIRTUAL_ENV", "CAPOLINEA", "COV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | {"LANGUAGE": "en", "BROWSER": ""} | changes


def succeed(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout
    return done.stdout


def git(*words: str | Path, cwd: Path = ROOT) -> str:
    return succeed(run("git", *words, cwd=cwd)).strip()


def tracked() -> list[str]:
    return git("ls-files").splitlines()


def cloned(folder: Path) -> Path:
    """The files that git knows, as they are now, and no others: a clone without changes."""
    git("clone", "--quiet", "--depth=1", ROOT.as_uri(), folder)
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    git("add", "--all", cwd=folder)
    git(*who, "commit", "--quiet", "--allow-empty", "--message=As it is now", cwd=folder)
    return folder


def python_in(folder: Path) -> Path:
    """The Python of a new virtual environment."""
    venv.create(folder, with_pip=True)
    return folder / "bin" / "python"


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cloned(tmp_path_factory.mktemp("built") / "capolinea")


@pytest.fixture(scope="session")
def pip(tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    return [python_in(tmp_path_factory.mktemp("pip")), "-m", "pip"]


@pytest.fixture(scope="session")
def wheel(clone: Path, pip: list[str | Path]) -> Path:
    succeed(run(*pip, "wheel", "--no-deps", "-w", "dist", ".", cwd=clone))
    [built] = (clone / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="session")
def sdist(clone: Path) -> Path:
    succeed(run(sys.executable, "-m", "build", "--sdist", clone))
    [built] = (clone / "dist").glob("*.tar.gz")
    return built


@pytest.fixture(params=["wheel", "sdist"])
def bare(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Where it was installed: an environment without any other program."""
    built: Path = request.getfixturevalue(request.param)
    (tmp_path / "nothing").mkdir()
    bare = {"PATH": str(tmp_path / "nothing")}
    install = (python_in(tmp_path / "venv"), "-m", "pip", "install")
    lock = ROOT / "requirements" / "build.txt"
    succeed(run(*install, "--require-hashes", "-r", lock, cwd=tmp_path, **bare))
    only = ("--no-deps", "--no-build-isolation", "-v", built)
    told = succeed(run(*install, *only, cwd=tmp_path, **bare))
    # Nor was Node fetched in passing: an sdist brings its pages.
    assert "Building the pages" not in told
    return bare


@contextmanager
def serving(folder: Path, bare: dict[str, str]) -> Iterator[str]:
    """`capolinea serve` as it was installed here; its address."""
    words = ["serve", "--lang", "en", "--port", "0", "--db", str(folder / "capolinea.db")]
    process = subprocess.Popen(
        [str(folder / "venv" / "bin" / "capolinea"), *words],
        cwd=folder,
        env=environment(**bare),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield "http://" + process.stdout.readline().split("http://")[1].strip()
    finally:
        process.terminate()
        process.communicate()


def test_the_home_page_opens_in_a_browser(
    bare: dict[str, str], clone: Path, tmp_path: Path, person: Person
) -> None:
    commit = git("rev-parse", "--short=10", "HEAD", cwd=clone)
    with serving(tmp_path, bare) as url:
        page = person()
        page.goto(url)
        expect(page.get_by_role("button", name="Play now").first).to_be_visible()
        health = requests.get(f"{url}/healthz", timeout=20).json()
        assert (health["status"], health["pages"]) == ("ok", True)
        assert health["version"] == f"{__version__} ({commit})"
        page.goto(f"{url}/settings")
        expect(page.get_by_text(health["version"])).to_be_visible()
    told = succeed(run(tmp_path / "venv" / "bin" / "capolinea", "--version", cwd=tmp_path, **bare))
    assert health["version"] in told


def test_a_wheel_has_all_of_the_package(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    ours = {name.removeprefix("src/") for name in tracked() if name.startswith(PACKAGE)}
    assert ours <= names


def test_an_sdist_has_all_that_a_build_needs(sdist: Path, clone: Path, tmp_path: Path) -> None:
    """The digest covers all that goes into the pages: the same there and here."""
    succeed(run("tar", "-xf", sdist, cwd=tmp_path))
    [unpacked] = tmp_path.iterdir()
    assert {name for name in tracked() if name.startswith(PACKAGE)} <= {
        path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*")
    }
    digest = "import sys; sys.path.insert(0, 'tools'); import webapp; print(webapp.digest())"
    [here, there] = [
        succeed(run(sys.executable, "-c", digest, cwd=folder)) for folder in (clone, unpacked)
    ]
    assert here == there


def test_a_build_leaves_nothing_that_git_would_see(clone: Path, wheel: Path, sdist: Path) -> None:
    assert git("status", "--porcelain", cwd=clone) == ""
    assert not (clone / PACKAGE / "commit.txt").exists()


# --- where the pages cannot be built -------------------------------------------------------------


@pytest.fixture
def offline(tmp_path: Path) -> dict[str, str]:
    """Node is there, and npm reaches nobody."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, script in {
        "node": "echo v99.0.0",
        "npm": "echo npm error code ENOTFOUND; exit 1",
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    return {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


def test_a_wheel_without_pages_is_refused_unless_it_is_asked_for(
    pip: list[str | Path], tmp_path: Path, offline: dict[str, str]
) -> None:
    clone = cloned(tmp_path / "capolinea")
    command = (*pip, "wheel", "--no-deps", "-w", "dist", ".")
    refused = run(*command, cwd=clone, **offline)
    assert refused.returncode != 0
    assert "Is there a network?" in refused.stdout
    assert SAID in refused.stdout
    assert "Traceback" not in refused.stdout
    assert not list(clone.glob("dist/*.whl"))

    succeed(run(*command, cwd=clone, **offline, CAPOLINEA_WITHOUT_PAGES="1"))
    [wheel] = clone.glob("dist/*.whl")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if "/web/" in name]
