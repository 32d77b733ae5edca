"""A title in a package outside this tree, as pip would have installed it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from capolinea import games

ID = "coast-mail"
MINUTES = 25
#: It borrows the rules of ours, so that there is something to play.
TITLE = f"""
from pathlib import Path
from capolinea.games.night_mail.title import NightMailGame

class CoastMail(NightMailGame):
    id = "{ID}"
    minutes = {MINUTES}
    folder = Path(__file__).parent
"""
NAMES = {"en": "Coast Mail", "it": "Posta costiera", "de": "Küstenpost"}
BLURBS = {
    "en": "Letters by the sea.",
    "it": "Lettere in riva al mare.",
    "de": "Briefe an der See.",
}

Words = Mapping[str, Mapping[str, Any]]


def own_words(*langs: str) -> Words:
    """All that the rules say, under a name of its own."""
    borrowed = games.load("night-mail").folder / "words"
    return {
        lang: {
            **json.loads((borrowed / f"{lang}.json").read_text()),
            "title.name": NAMES[lang],
            "title.blurb": BLURBS[lang],
        }
        for lang in langs
    }


def install(folder: Path, words: Words, code: str = TITLE, name: str = ID) -> str:
    """The package with its entry point: what PYTHONPATH has to be for Python to find it."""
    package, about = folder / "coast_mail", folder / "coast_mail-1.dist-info"
    shutil.copytree(games.load("night-mail").folder / "data", package / "data")
    (package / "__init__.py").write_text(code)
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: coast-mail\nVersion: 1\n")
    points = f"[capolinea.titles]\n{name} = coast_mail:CoastMail\n"
    (about / "entry_points.txt").write_text(points)
    (package / "words").mkdir()
    for lang, said in words.items():
        (package / "words" / f"{lang}.json").write_text(json.dumps(said))
    return os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
