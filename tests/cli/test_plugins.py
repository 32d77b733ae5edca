"""A title in a package outside this tree: an entry point is all that it takes to be played here."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from capolinea import games
from capolinea.client import Failed
from capolinea.games.night_mail.title import NightMailGame
from tests import outside
from tests.cli.test_main import command
from tests.cli.test_serve import all_said, serving
from tests.server.tables import Guest

NOT_MADE = outside.TITLE + "raise RuntimeError('half written')\n"
UNSPOKEN = dict.fromkeys(outside.NAMES, "Coast mail")
ENGLISH = outside.own_words("en")
FRENCH = {"fr": {"title.name": "Poste côtière"}}


async def listed(client: Guest) -> dict[str, Any]:
    return {title["id"]: title for title in await client.get("/api/titles")}


@pytest.mark.parametrize(
    ("words", "names", "blurbs"),
    [
        ({}, UNSPOKEN, {}),
        (
            ENGLISH,
            dict.fromkeys(outside.NAMES, outside.NAMES["en"]),
            dict.fromkeys(outside.NAMES, outside.BLURBS["en"]),
        ),
        (FRENCH, dict.fromkeys(outside.NAMES, "Poste côtière"), {}),
        (outside.own_words(*outside.NAMES), outside.NAMES, outside.BLURBS),
    ],
    ids=["without words", "in one language", "in one that we do not speak", "in all"],
)
async def test_it_is_listed_named_set_up_and_played(
    tmp_path: Path, words: outside.Words, names: dict[str, str], blurbs: dict[str, str]
) -> None:
    path = outside.install(tmp_path / "site", words)

    with serving(tmp_path / "capolinea.db", PYTHONPATH=path) as (url, _):
        async with Guest(url) as client:
            title = (await listed(client))[outside.ID]
            assert title["seats"] == [2, 3, 4, 5]
            assert (title["name"], title.get("blurb", {})) == (names, blurbs)
            assert title["minutes"] == outside.MINUTES
            for lang in outside.NAMES:  # where it does not speak a language it speaks its own
                said = await client.get(f"/api/words/{lang}/{outside.ID}")
                assert said == words.get(lang, next(iter(words.values()), {}))
            room = await client.create(outside.ID, name="Ada", bots=["random"], start=True)
            async with client.socket(room["code"], 0) as seat:
                await seat.until(lambda seat: seat.question and seat.question["choices"])
                await seat.do([seat.question["choices"][0]["do"]])


@pytest.mark.parametrize(
    ("words", "code", "name"),
    [
        ({}, NOT_MADE, outside.ID),
        ({"en": {"title.name": "{"}}, outside.TITLE, outside.ID),
        ({}, outside.TITLE, "sea-mail"),
    ],
    ids=["half written", "words that cannot be read", "under another name"],
)
async def test_one_that_cannot_be_loaded_keeps_nobody_from_the_others(
    tmp_path: Path, words: outside.Words, code: str, name: str
) -> None:
    path = outside.install(tmp_path / "site", words, code, name)

    with serving(tmp_path / "capolinea.db", PYTHONPATH=path) as (url, process):
        async with Guest(url) as client:
            assert list(await listed(client)) == list(games.OWN)
            with pytest.raises(Failed) as refused:
                await client.create(name, name="Ada")
            assert refused.value.key == "title.unknown"
        logged = all_said(process)[1]
    assert "title-not-loaded" in logged
    assert name in logged


@pytest.mark.parametrize(
    ("words", "called"),
    [({}, "Coast mail"), (ENGLISH, "Coast Mail")],
    ids=["without words", "in one language"],
)
def test_the_terminal_calls_it_by_its_name(
    tmp_path: Path, words: outside.Words, called: str
) -> None:
    path = outside.install(tmp_path / "site", words)
    said = told(path, "titles")
    assert f"{called} (coast-mail), 2–5 Personen, etwa 25 Min." in said.stdout
    assert called in told(path, "simulate", outside.ID, "--games", "1").stdout


def test_the_terminal_says_what_it_leaves_out(tmp_path: Path) -> None:
    said = told(outside.install(tmp_path / "site", {}, NOT_MADE), "titles")
    assert "Der Titel coast-mail fehlt hier: RuntimeError('half written')" in said.stderr
    assert "Nachtpost (night-mail)" in said.stdout


def told(path: str, *words: str) -> subprocess.CompletedProcess[str]:
    said = command(*words, "--lang", "de", PYTHONPATH=path)
    assert said.returncode == 0, said.stderr
    return said


def test_a_title_that_is_a_class_is_one_title() -> None:
    """What it has laid out and loaded would be laid out and loaded anew whenever it is asked for."""
    where = f"{NightMailGame.__module__}:{NightMailGame.__qualname__}"
    assert games.load(where) is games.load(where)
