"""The build backend: setuptools, plus compilation with mypyc when CAPOLINEA_COMPILE=1.

Whoever does not ask for compilation needs neither mypy nor a C compiler. Whoever asks and cannot
have it gets the pure wheel: never an error, never a mixture.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from setuptools import build_meta

Settings = dict[str, Any] | None

COMPILE = "CAPOLINEA_COMPILE"
LOCK = Path("requirements/build.txt")


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
    # mypyc checks the types of the whole package, so it needs what the package imports.
    return locked("mypy", "msgspec") if os.environ.get(COMPILE) == "1" else []


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    # What an earlier build left behind must not get into this wheel.
    shutil.rmtree("build", ignore_errors=True)
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
    return []


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    with pure():
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
