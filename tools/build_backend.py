"""The build backend: setuptools, the pages for the browser, and mypyc when CAPOLINEA_COMPILE=1.

Whoever does not ask for compilation needs neither mypy nor a C compiler. Whoever asks and cannot
have it gets the pure wheel: never an error, never a mixture. The pages are no such extra: where they
cannot be built nothing is, unless CAPOLINEA_WITHOUT_PAGES=1 says that none are wanted.

An sdist carries the pages as they were built, in .cache/web, where every build looks for them first.
So whoever installs from it needs no Node; who changes the sources in it builds them anew.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import webapp
from bootstrap import Failed, words
from setuptools import build_meta

from capolinea import version

Settings = dict[str, Any] | None

COMPILE = "CAPOLINEA_COMPILE"
WITHOUT_PAGES = "CAPOLINEA_WITHOUT_PAGES"
LOCK = Path("requirements/build.txt")
#: Where the package has the pages.
PAGES = Path("src/capolinea/server/web")


@contextmanager
def pure() -> Iterator[None]:
    """setup.py does not compile in here."""
    asked = os.environ.pop(COMPILE, None)
    try:
        yield
    finally:
        if asked is not None:
            os.environ[COMPILE] = asked


def locked(*names: str) -> list[str]:
    """The versions in the lock: another mypy may compile differently, or not at all."""
    pins = [line.split()[0] for line in LOCK.read_text().splitlines() if "==" in line]
    return [pin for pin in pins if pin.split("==")[0] in names]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    # mypyc checks the types of what it compiles, so it needs what that imports; the types for the
    # browser are made from the package itself.
    return locked("mypy", "msgspec") if os.environ.get(COMPILE) == "1" else locked("msgspec")


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    # What an earlier build left behind must not get into this wheel.
    shutil.rmtree("build", ignore_errors=True)
    with pages(), commit():
        return build_either(wheel_directory, config_settings, metadata_directory)


@contextmanager
def pages() -> Iterator[None]:
    """The pages for the browser lie in the package in here, if they are wanted."""
    shutil.rmtree(PAGES, ignore_errors=True)
    built = build_pages()
    try:
        if built:
            shutil.copytree(built, PAGES)
        yield
    finally:
        shutil.rmtree(PAGES, ignore_errors=True)


def build_pages() -> Path | None:
    if os.environ.get(WITHOUT_PAGES) == "1":
        return None
    # Here pip has put what a build needs, and nowhere else.
    given = {"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}
    try:
        return webapp.build(Path(sys.executable), **given)
    except (Failed, OSError, StopIteration) as error:
        sys.exit(words("prepare.no-pages", why=str(error)))


@contextmanager
def commit() -> Iterator[None]:
    """The package says in here which commit it is made from: git is not there later."""
    known, unpacked = version.commit(), version.WRITTEN.exists()
    version.WRITTEN.write_text(f"{known}\n")
    try:
        yield
    finally:
        if not unpacked:
            version.WRITTEN.unlink()


def build_either(
    wheel_directory: str, config_settings: Settings, metadata_directory: str | None
) -> str:
    """Compiled if that is asked for and works, else pure."""
    if os.environ.get(COMPILE) == "1":
        try:
            return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))
        except (Exception, SystemExit) as error:
            # mypyc leaves with SystemExit(1) after printing what is wrong, setuptools with a text.
            why = "see above" if str(error) == "1" else error
            print(f"capolinea: not compiled, this is pure Python ({why})", file=sys.stderr)
            shutil.rmtree("build", ignore_errors=True)
    with pure():
        return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: Settings = None
) -> str:
    with pure():
        return str(build_meta.prepare_metadata_for_build_wheel(metadata_directory, config_settings))


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    return locked("msgspec")


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    build_pages()
    with pure(), commit():
        return str(build_meta.build_sdist(sdist_directory, config_settings))


# An editable install runs from the sources, where nothing compiled may lie about.


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    return []


def prepare_metadata_for_build_editable(
    metadata_directory: str, config_settings: Settings = None
) -> str:
    with pure():
        return str(
            build_meta.prepare_metadata_for_build_editable(metadata_directory, config_settings)
        )


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    with pure():
        return str(build_meta.build_editable(wheel_directory, config_settings, metadata_directory))
