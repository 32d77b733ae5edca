"""The kit finds every fault that it should, says which it is, and lets well-behaved titles pass."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar

import pytest

from capolinea.cli.voice import Voice
from capolinea.engine import Game, Match, Problem, Record, Rng
from capolinea.engine.record import dumps, loads
from capolinea.games import TITLES, load
from capolinea.lab.conform import Fault, Report, conform
from capolinea.lab.conform.fault import Case
from capolinea.lab.conform.run import CHECKS, Found
from capolinea.words import languages
from tests.conformance.broken import BROKEN, broken
from tests.conformance.pips import GAME, MULLING, Pips, PipsGame, PipsOptions

LONG = bool(os.environ.get("CAPOLINEA_LONG"))
#: Fewer where random matches are long: nobody is quick to carry twelve passengers by chance.
SLOW = {"tachite-al-tram": 9}


@pytest.mark.parametrize("title", TITLES)
def test_every_title_conforms(title: str) -> None:
    """At every number of players, some 40 matches in all; 600 in ./test --long."""
    game = load(title)
    matches = 600 if LONG else SLOW.get(title, 40)
    games = max(1, matches // len(game.seats))
    report = conform(game, games=games, fixtures=fixtures(title))
    assert report.passed, report.fault


def fixtures(title: str) -> Path:
    return Path(__file__).parents[1] / "fixtures" / title


def test_a_well_behaved_toy_conforms() -> None:
    report = conform(GAME, games=300 if LONG else 25)
    assert report.passed, report.fault
    assert set(CHECKS) <= set(report.checks)
    assert report.twins_differ / report.twins > 0.9


@pytest.mark.parametrize("key", BROKEN)
def test_a_broken_toy_is_caught_and_the_fault_named(key: str) -> None:
    report = conform(BROKEN[key], games=20)
    assert report.fault is not None, "the kit found nothing"
    assert report.fault.key == key
    for lang in languages():
        told = Voice(lang).problem(Problem(key, **report.fault.args))
        assert "⟨fault" not in told


SHOWN_BY_A_RECORD = [
    key for key in BROKEN if CHECKS.get(key.split(".")[1]) and not key.endswith("not-written")
]


@pytest.mark.parametrize("key", SHOWN_BY_A_RECORD)
def test_the_counter_example_shows_the_fault_again(key: str) -> None:
    """What is written to a file, read by somebody else, shows them the same fault."""
    game = BROKEN[key]
    report = conform(game, games=20)
    assert report.fault is not None
    assert report.fault.record is not None
    record = loads(dumps(report.fault.record))
    with pytest.raises(Fault) as caught:
        CHECKS[report.fault.check](Case(game, record, Rng(b"again"), thorough=True))
    assert caught.value.key == key


def test_what_a_copy_forgets_or_shares_is_named() -> None:
    assert _fault("fault.copy.forgets").args["fields"] == ["last"]
    assert _fault("fault.copy.shared").args["fields"] == ["points"]


def test_where_the_rules_crash_is_named() -> None:
    crash = _fault("fault.crash.rules")
    assert "IndexError" in str(crash.args["error"])
    assert str(crash.args["where"]).endswith(" in roll")


def test_a_leak_comes_with_the_match_that_should_look_the_same() -> None:
    leak = _fault("fault.secrets.view")
    assert leak.record is not None
    assert leak.twin is not None
    assert leak.twin.deal is not None
    assert len(leak.twin.entries) == len(leak.record.entries)


class Unsteady(Pips):
    """Chance that is not the match's own."""

    rolls = 0

    def roll(self) -> None:
        Unsteady.rolls += 1
        super().roll()
        if Unsteady.rolls % 7 == 0:
            self.phase = MULLING


def test_rules_that_are_not_steady_are_not_blamed_on_legal() -> None:
    fault = conform(broken(Unsteady), games=20).fault
    assert fault is not None
    assert fault.check in ("copy", "replay")


def _fault(key: str) -> Found:
    fault = conform(BROKEN[key], games=20).fault
    assert fault is not None
    return fault


def test_counter_examples_are_small() -> None:
    """A leak in the very first view needs no move at all; a die that can be undone needs one roll."""
    assert _length("fault.secrets.first") == 0
    assert _length("fault.undo.chance") == 2
    assert _length("fault.crash.rules") <= 4


def _length(key: str) -> int:
    report = conform(BROKEN[key], games=20)
    assert report.fault is not None
    assert report.fault.record is not None
    return len(report.fault.record.entries)


def test_a_run_depends_on_nothing_but_its_seed() -> None:
    def run(seed: int) -> Report:
        report = conform(GAME, games=3, seed=seed)
        report.seconds = 0
        return report

    assert run(5) == run(5)
    assert run(5).moves != run(6).moves


def test_options_that_are_given_are_the_options_that_are_played() -> None:
    short = conform(GAME, players=2, options=PipsOptions(rounds=1), games=5)
    long = conform(GAME, players=2, options=PipsOptions(rounds=6), games=5)
    assert short.players == [2]
    assert short.moves < long.moves


def test_progress_is_told_from_nothing_to_all() -> None:
    told: list[tuple[str, float]] = []
    conform(GAME, games=2, progress=lambda name, share: told.append((name, share)))
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    assert [*dict.fromkeys(name for name, _ in told)] == list(CHECKS)


class WithABadBot(PipsGame):
    bots: ClassVar[dict[str, str]] = {"bad": "tests.conformance.bots:Stubborn"}


def test_a_bot_that_cheats_is_caught() -> None:
    report = conform(WithABadBot(), games=1)
    assert report.fault is not None
    assert report.fault.key == "fault.bots.failed"
    assert report.fault.args["bot"] == "bad"


def test_a_kept_match_that_ends_otherwise_is_caught(tmp_path: Path) -> None:
    record = kept(GAME)
    assert record.result is not None
    text = dumps(record)
    (tmp_path / "fine.json").write_text(text, "utf-8")
    assert conform(GAME, games=1, fixtures=tmp_path).checks["fixtures"] == 1
    (tmp_path / "wrong.json").write_text(text.replace('"won": true', '"won": false', 1), "utf-8")
    report = conform(GAME, games=1, fixtures=tmp_path)
    assert report.fault is not None
    assert report.fault.key == "fault.fixtures.broken"
    why = report.fault.args["why"]
    assert isinstance(why, Problem)
    assert (report.fault.args["file"], why.key) == ("wrong.json", "record.result")


def test_a_kept_match_that_is_damaged_is_caught(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text(dumps(kept(GAME))[:-20], "utf-8")
    report = conform(GAME, games=1, fixtures=tmp_path)
    assert report.fault is not None
    assert report.fault.key == "fault.fixtures.broken"


def kept(game: Game) -> Record:
    """A whole match, played by what the clock would do."""
    match = Match(game, ["Ada", "Bruno"], seed=bytes(32))
    while match.state.waiting():
        seat = match.state.waiting()[0]
        match.move(seat, match.default(seat))
    return match.record()
