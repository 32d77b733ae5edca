"""`capolinea conform`: what it says, what it writes, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from capolinea.cli import main
from capolinea.engine.record import loads
from tests.conformance.broken import BROKEN

LEAKY = BROKEN["fault.undo.chance"]
PIPS = "tests.conformance.pips:GAME"
HERE = "tests.cli.test_conform:LEAKY"


def test_a_title_that_holds_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", PIPS, "--games", "2", "--lang", "en"]) == 0
    assert "Everything holds." in capsys.readouterr().out


def test_a_title_that_does_not_hold_fails_and_leaves_a_match_that_shows_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["conform", HERE, "--games", "2", "--lang", "en"]) == 1
    out = capsys.readouterr().out
    assert "although chance fell: die" in out
    assert f"capolinea replay conform-pips-undo.json --truth --title {HERE}" in out
    assert loads((tmp_path / "conform-pips-undo.json").read_bytes()).title == "pips"


def test_the_match_goes_where_it_is_told_to(tmp_path: Path) -> None:
    file = tmp_path / "shown.json"
    assert main(["conform", HERE, "--games", "2", "--out", str(file)]) == 1
    assert loads(file.read_bytes()).entries


def test_the_report_for_programs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "shown.json")
    assert main(["conform", HERE, "--games", "2", "--json", "--out", file, "--lang", "en"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["passed"] is False
    assert report["fault"]["key"] == "fault.undo.chance"
    assert report["fault"]["record"] == file
    assert report["checks"]["play"] == 4


def test_players_and_options_are_what_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["conform", PIPS, "--games", "2", "--players", "3", "--option", "rounds=1", "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["players"] == [3]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["no-such-title"], "no-such-title"),
        ([PIPS, "--option", "round=1"], "rounds"),
        ([PIPS, "--option", "rounds=9"], "1 … 6"),
        ([PIPS, "--fixtures", "no-such-folder"], "no-such-folder"),
        (["no.such.module:GAME"], "no.such.module:GAME"),
    ],
)
def test_mistakes_are_told_in_a_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conform", *words, "--lang", "en"]) == 2
    assert told in capsys.readouterr().err
