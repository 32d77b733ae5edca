"""Whole games that were kept: they still come to the same end, and there is one for every ending."""

from __future__ import annotations

from pathlib import Path

import pytest

from capolinea.engine import Match
from capolinea.engine.record import dumps, loads
from capolinea.games import TITLES, load

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILES = sorted(FIXTURES.glob("*/*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
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
