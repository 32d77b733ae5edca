"""Rules change, and what was played stays what it was: a toy title in several versions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from capolinea.engine import Game, Match, Record, RecordProblem
from capolinea.engine.record import Control, Move, Say, altered, dumps, dumps_lines, loads
from tests.engine.expect import unfit, unreadable
from tests.engine.wagons import (
    CHANGED,
    CHANGED_KEPT,
    FALLING,
    FIRST,
    OTHER_END,
    RENAMED,
    REWRITTEN,
)

SEED = bytes(32)


def played(*takes: int) -> Record:
    """Seven wagons of which these were taken, with a whistle after the first."""
    match = Match(FIRST, ["Ada", "Bruno"], seed=SEED)
    match.control(1, "bot", "random")
    for number, take in enumerate(takes):
        match.move(number % 2, [take - 1])
        if number == 0:
            match.say(0, "tut")
    return match.record(reveal=True)


#: Entries: control, move, say, moves …; with a three the other rules lead elsewhere from entry 4 on.
THREE, NO_THREE = played(1, 2, 3, 1), played(1, 2, 2, 2)


def first_version(record: Record) -> Record:
    return altered(record, result=record.result)


@pytest.mark.parametrize("form", [lambda record: record, first_version])
@pytest.mark.parametrize("later", [RENAMED, CHANGED, CHANGED_KEPT, FALLING])
def test_what_leads_to_the_same_is_accepted_whatever_rules_it_names(
    later: Game, form: Callable[[Record], Record]
) -> None:
    record = form(NO_THREE)
    match = Match.fold(later, record)
    assert match.game is later
    assert match.checks == NO_THREE.checks
    assert match.result() == record.result


@pytest.mark.parametrize("write", [dumps, dumps_lines])
@pytest.mark.parametrize("form", [lambda record: record, first_version])
def test_what_was_read_is_written_as_it_was(
    form: Callable[[Record], Record], write: Callable[[Record], str]
) -> None:
    """A new option, or a new kind of data, changes no record that was kept."""
    text = write(form(NO_THREE))
    assert "whistle" not in text
    assert write(Match.fold(RENAMED, loads(text)).record()) == text
    new = Match(RENAMED, ["Ada", "Bruno"], seed=SEED).record()
    assert (new.rules, list(new.options)) == ("2", ["wagons", "whistle", "yard"])


def test_a_record_that_goes_another_way_says_from_which_entry_on() -> None:
    with unfit("record.rules", "record.differs", found="1", known="2") as why:
        Match.fold(CHANGED, THREE)
    assert why.args_ == {"entry": 4}


def test_a_record_of_version_1_is_known_by_its_result() -> None:
    with unfit("record.rules", "record.entry", found="1", known="2"):
        Match.fold(CHANGED, first_version(THREE))
    with unfit("record.rules", "record.result", found="1", known="2"):
        Match.fold(OTHER_END, first_version(NO_THREE))


def test_a_record_of_version_1_without_a_result_is_accepted_when_every_entry_folds() -> None:
    going_on = altered(THREE, entries=THREE.entries[:-1])
    assert len(Match.fold(FIRST, going_on).entries) == len(going_on.entries)
    # Nobody can tell that Bruno's last wagon is another one now.
    assert len(Match.fold(CHANGED, going_on).entries) == len(going_on.entries)
    with pytest.raises(RecordProblem):
        Match.fold(CHANGED, altered(THREE, entries=[*THREE.entries, Move(0, [{"do": "take"}])]))


def test_the_same_states_with_another_end_are_another_match() -> None:
    with unfit("record.rules", "record.result", found="1", known="2"):
        Match.fold(OTHER_END, NO_THREE)


def test_a_result_that_did_not_come_out_is_not_believed() -> None:
    assert THREE.result is not None
    with unreadable("record.not-over", ending="empty"):
        Match.fold(FIRST, altered(THREE, entries=THREE.entries[:4], result=THREE.result))


@pytest.mark.parametrize("form", [lambda record: record, first_version])
def test_the_rules_it_was_played_by_are_kept_beside_the_new(
    form: Callable[[Record], Record],
) -> None:
    record = form(THREE)
    match = Match.fold(CHANGED_KEPT, record, [0])
    assert match.game is FIRST
    assert match.result() == record.result
    assert dumps(match.record()) == dumps(record)
    assert match.frames(0) == Match.fold(FIRST, record, [0]).frames(0)


@pytest.mark.parametrize(
    ("later", "record", "game", "entries"),
    [
        (CHANGED, THREE, CHANGED, 4),
        (CHANGED_KEPT, THREE, FIRST, 6),
        (FALLING, THREE, FALLING, 4),
        (RENAMED, THREE, RENAMED, 6),
        (CHANGED_KEPT, NO_THREE, CHANGED_KEPT, 6),
    ],
)
def test_how_far_a_record_reaches(later: Game, record: Record, game: Game, entries: int) -> None:
    assert Match.reach(later, record) == (game, entries)


def test_a_record_that_cannot_begin_reaches_nowhere() -> None:
    with unreadable("record.title", found="tram", expected="wagons"):
        Match.reach(CHANGED_KEPT, altered(THREE, title="tram"))


def test_checks_of_an_older_key_are_known() -> None:
    match = Match.fold(REWRITTEN, THREE)
    assert match.checks != THREE.checks
    wrong = [*THREE.checks[:3], "0" * 32, *THREE.checks[4:]]
    with unreadable("record.differs", entry=3):
        Match.fold(REWRITTEN, replace(THREE, checks=wrong))


# --- sayings -------------------------------------------------------------------------------------


def test_what_was_said_stands_although_it_could_not_be_said_today() -> None:
    match = Match.fold(RENAMED, THREE, [None])
    assert match.entries == THREE.entries
    assert match.said == [], "its form is unknown today: no program is given it"
    told = [told.key for frame in match.frames(None) for told in frame.events]
    assert "log.said" in told
    assert "event.whistled" not in told


@pytest.mark.parametrize("said", [None, 7, {"deep": [[[]]]}, "x" * 10_000])
def test_no_saying_of_whatever_form_breaks_a_record(said: object) -> None:
    record = altered(THREE, entries=[Control(0, "person"), Say(0, said)])
    for game in (FIRST, RENAMED):
        assert Match.fold(game, record).entries == record.entries
