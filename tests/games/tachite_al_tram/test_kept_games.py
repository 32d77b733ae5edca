"""The kept games of Tachite al Tram: what each one is kept for, and one is told in each language.

They carry their board, so that tuning the built-in one leaves them alone. The logs are what
`capolinea replay` prints; to write one anew after a change of words:

    capolinea replay tests/fixtures/tachite-al-tram/pasticier.json --lang it \\
        > tests/games/tachite_al_tram/logs/it.txt
"""

from __future__ import annotations

from pathlib import Path

import pytest

from capolinea.cli import main
from capolinea.engine import Match, Record
from capolinea.engine.record import Move, loads
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.title import GAME
from tests.games.tachite_al_tram.scenes import conserved

FIXTURES = Path(__file__).parents[2] / "fixtures" / "tachite-al-tram"
LOGS = Path(__file__).parent / "logs"


def kept(name: str) -> Record:
    return loads((FIXTURES / f"{name}.json").read_bytes())


def states(record: Record) -> list[Trams]:
    """The state after every entry."""
    match = Match.begin(GAME, record)
    found = []
    for entry in record.entries:
        match.follow(entry)
        assert isinstance(match.state, Trams)
        found.append(match.state)
    return found


@pytest.mark.parametrize(
    ("name", "players", "points"),
    [
        ("two-players", 2, 12),
        ("three-players", 3, 12),
        ("four-players", 4, 12),
        ("eight-points", 3, 8),
    ],
)
def test_somebody_becomes_frenador(name: str, players: int, points: int) -> None:
    record = kept(name)
    assert record.result is not None
    assert record.result.ending == "frenador"
    assert len(record.seats) == players
    scores = [outcome.score or 0 for outcome in record.result.outcomes]
    assert max(scores) >= points
    assert sorted(scores)[-2] < points
    for state in states(record):
        conserved(state)


def test_a_pasticier_manoeuvre() -> None:
    """Somebody could have ended early at a stop, and ran off the rails instead."""
    record = kept("pasticier")
    verbs = [step["do"] for e in record.entries if isinstance(e, Move) for step in e.do]
    assert "run-off" in verbs


def test_the_tiles_run_out_and_play_goes_on() -> None:
    found = states(kept("no-tiles-left"))
    empty = [number for number, state in enumerate(found) if not state.face_down]
    assert empty
    assert empty[0] < len(found) - 50
    for state in found:
        conserved(state)


@pytest.mark.parametrize("lang", ["en", "it", "de"])
def test_the_log_of_a_whole_game_reads_as_it_was_written_down(
    lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = FIXTURES / "pasticier.json"
    assert main(["replay", str(file), "--lang", lang]) == 0
    assert capsys.readouterr().out == (LOGS / f"{lang}.txt").read_text("utf-8")
