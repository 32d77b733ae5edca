"""The kept games of Stop the Train!: every character wins in one, and one is told in each language.

The logs are what `capolinea replay` prints; to write one anew after a change of words:

    capolinea replay tests/fixtures/stop-the-train/stopped-standard.json --seat 1 --lang it \\
        > tests/games/stop_the_train/logs/it.txt
"""

from __future__ import annotations

from pathlib import Path

import pytest

from capolinea.cli import main
from capolinea.engine.record import loads
from capolinea.games.stop_the_train.title import GAME

FIXTURES = Path(__file__).parents[2] / "fixtures" / "stop-the-train"
LOGS = Path(__file__).parent / "logs"
KEPT = [loads(file.read_bytes()) for file in sorted(FIXTURES.glob("*.json"))]


@pytest.mark.parametrize("role", GAME.roles)
def test_there_is_a_kept_game_that_this_character_wins(role: str) -> None:
    outcomes = [o for kept in KEPT if kept.result is not None for o in kept.result.outcomes]
    assert any(outcome.role == role and outcome.won for outcome in outcomes)


@pytest.mark.parametrize("lang", ["en", "it", "de"])
def test_the_log_of_a_whole_game_reads_as_it_was_written_down(
    lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = FIXTURES / "stopped-standard.json"
    assert main(["replay", str(file), "--seat", "1", "--lang", lang]) == 0
    options, _, log = capsys.readouterr().out.partition("\n\n")
    then, _, written = (LOGS / f"{lang}.txt").read_text("utf-8").partition("\n\n")
    assert log == written
    # An option that came later is one line more.
    assert [line for line in options.split("\n") if line in then.split("\n")] == then.split("\n")
