"""Whole games that were kept: they still come to the same end, and there is one for every ending.

Run as a program, it adds new games to `fixtures/checks.json` and new data to `fixtures/data.json`.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from capolinea.engine import Match
from capolinea.engine.game import content_hash
from capolinea.engine.record import VERSION, dumps, loads
from capolinea.games import TITLES, load

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILES = sorted(FIXTURES.glob("*/*.json"))
#: For each game, what all its states are known by. A line that is there is never changed: records and
#: stores everywhere hold what `key()` gave, and would not be known any more.
CHECKS = FIXTURES / "checks.json"


#: The hash of every set of data that is built in. Nor is one of these: matches name their data by it.
DATA = FIXTURES / "data.json"


def name(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


def known_by(file: Path) -> str:
    record = loads(file.read_bytes())
    checks = Match.fold(load(record.title), record).checks
    return sha256(" ".join(checks).encode()).hexdigest()


@pytest.mark.parametrize("file", FILES, ids=name)
def test_the_states_of_a_kept_game_have_the_keys_that_they_had(file: Path) -> None:
    assert json.loads(CHECKS.read_text("utf-8"))[name(file)] == known_by(file)


def built_in() -> dict[str, str]:
    return {
        f"{title}/{kind}/{one}": content_hash(content)
        for title in TITLES
        for kind, sets in load(title).data().items()
        for one, content in sets.items()
    }


def test_data_that_matches_were_played_with_stays_what_it_was() -> None:
    """Tuned data is a new file, and the old one stays."""
    assert json.loads(DATA.read_text("utf-8")) == built_in()


@pytest.mark.parametrize("file", FILES, ids=name)
def test_a_kept_game_comes_to_the_same_end(file: Path) -> None:
    text = file.read_text("utf-8")
    record = loads(text)
    match = Match.fold(load(record.title), record)
    assert record.result is not None
    assert match.result() == record.result
    assert dumps(match.record()) == text


@pytest.mark.parametrize("title", TITLES)
def test_there_is_a_kept_game_for_every_ending(title: str) -> None:
    kept = [loads(file.read_bytes()) for file in FILES if file.parent.name == title]
    endings = {record.result.ending for record in kept if record.result is not None}
    assert endings == set(load(title).endings)


@pytest.mark.parametrize("title", TITLES)
def test_there_are_kept_games_of_every_version_of_records(title: str) -> None:
    """Version 1 is an archive: nobody can make another one."""
    kept = [loads(file.read_bytes()) for file in FILES if file.parent.name == title]
    assert {record.version for record in kept} == {1, VERSION}


if __name__ == "__main__":
    for pins, found in (
        (CHECKS, {name(file): known_by(file) for file in FILES}),
        (DATA, built_in()),
    ):
        known = json.loads(pins.read_text("utf-8")) if pins.exists() else {}
        pins.write_text(json.dumps({**found, **known}, indent=2) + "\n", "utf-8")
