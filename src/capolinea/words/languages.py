"""Which languages there are, and which one somebody reads."""

import re
from collections.abc import Mapping
from pathlib import Path

COMMON = Path(__file__).resolve().parent
"""The folder of the common catalogues; a language exists when it has one here."""

DEFAULT = "en"

_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")  # no other JSON file here has so short a name


def languages(folder: Path = COMMON) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.json") if _TAG.fullmatch(path.stem))


def nearest(folder: Path, lang: str) -> Path | None:
    """The catalogue of this language or, if there is none, of another: better than no words at all."""
    files = (folder / f"{one}.json" for one in (lang, DEFAULT, *languages(folder)))
    return next((file for file in files if file.is_file()), None)


def guess(env: Mapping[str, str]) -> str:
    """The language that the environment asks for: the first variable that is set decides."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if env.get(variable):
            return _first_known(env[variable].split(":"))
    return DEFAULT


def _first_known(wishes: list[str]) -> str:
    known = {lang.lower(): lang for lang in languages()}
    for wish in wishes:
        tag = re.split(r"[.@]", wish)[0].replace("_", "-").lower()  # de_AT.UTF-8@euro
        for candidate in (tag, tag.split("-")[0]):
            if candidate in known:
                return known[candidate]
    return DEFAULT
