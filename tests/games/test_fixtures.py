"""Whole games that were kept: they still come to the same end, and there is one for every ending.

Run as a program, it adds new games to `fixtures/checks.json`.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from capolinea.engine import Match
from capolinea.engine.record import VERSION, dumps, loads
from capolinea.games import TITLES, load

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILES = sorted(FIXTURES.glob("*/*.json"))
#: For each game, what all its states are known by. A line that is there is never changed: records and
#: stores everywhere hold what `key()` gave, and would not be known any more.
CHECKS = FIXTURES / "checks.json"


def name(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


def known_by(file: Path) -> str:
    record = loads(file.read_bytes())
    checks = Match.fold(load(record.title), record).checks
    return sha256(" ".join(checks).encode()).hexdigest()


@pytest.mark.parametrize("file", FILES, ids=name)
def test_the_states_of_a_kept_game_have_the_keys_that_they_had(file: Path) -> None:
    assert json.loads(CHECKS.read_text("utf-8"))[name(file)] == known_by(file)


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
    known = json.loads(CHECKS.read_text("utf-8")) if CHECKS.exists() else {}
    found = {name(file): known.get(name(file)) or known_by(file) for file in FILES}
    CHECKS.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
