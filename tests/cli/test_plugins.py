"""A title in a package outside this tree: an entry point is all that it takes to be played here."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from capolinea import games
from capolinea.client import Failed
from tests.cli.test_serve import all_said, serving
from tests.server.tables import Guest

#: It borrows the rules of ours, so that there is something to play.
TITLE = """
from pathlib import Path
from capolinea.games.night_mail.title import NightMailGame

class CoastMail(NightMailGame):
    id = "coast-mail"
    folder = Path(__file__).parent
"""
BROKEN = "raise RuntimeError('half written')"


def package(folder: Path, code: str, words: dict[str, Any]) -> str:
    """What pip would have installed; where Python finds it, before all else."""
    package, about = folder / "coast_mail", folder / "coast_mail-1.dist-info"
    shutil.copytree(games.load("night-mail").folder / "data", package / "data")
    (package / "__init__.py").write_text(code)
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: coast-mail\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[capolinea.titles]\ncoast-mail = coast_mail:CoastMail\n"
    )
    for lang, said in words.items():
        file = package / "words" / f"{lang}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(said))
    return os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])


ENGLISH = {"title.name": "Coast Mail", "title.blurb": "Letters by the sea."}


@pytest.mark.parametrize("words", [{}, {"en": ENGLISH}], ids=["without words", "with words"])
async def test_it_is_listed_set_up_and_played(tmp_path: Path, words: dict[str, Any]) -> None:
    path = package(tmp_path / "site", TITLE, words)
    with serving(tmp_path / "capolinea.db", PYTHONPATH=path) as (url, _):
        async with Guest(url) as client:
            listed = {title["id"]: title for title in await client.get("/api/titles")}
            assert listed["coast-mail"]["seats"] == [2, 3, 4, 5]
            for lang in ("en", "de"):  # in a language that it does not speak it speaks its own
                said = await client.get(f"/api/words/{lang}/coast-mail")
                assert said == words.get("en", {})
            room = await client.create("coast-mail", name="Ada", bots=["random"], start=True)
            async with client.socket(room["code"], 0) as seat:
                await seat.until(lambda seat: seat.question and seat.question["choices"])
                await seat.do([seat.question["choices"][0]["do"]])


async def test_one_that_cannot_be_loaded_keeps_nobody_from_the_others(tmp_path: Path) -> None:
    path = package(tmp_path / "site", BROKEN, {})
    with serving(tmp_path / "capolinea.db", PYTHONPATH=path) as (url, process):
        async with Guest(url) as client:
            listed = [title["id"] for title in await client.get("/api/titles")]
            assert listed == list(games.OWN)
            with pytest.raises(Failed) as refused:
                await client.create("coast-mail", name="Ada")
            assert refused.value.key == "title.unknown"
        logged = all_said(process)[1]
    assert "title-not-loaded" in logged
    assert "coast-mail" in logged
