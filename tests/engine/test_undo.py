"""Taking back: free up to a barrier, by agreement beyond it, never once the seed is known."""

from __future__ import annotations

import pytest

from capolinea.engine import (
    Line,
    Match,
    Told,
)
from capolinea.engine.match import Said
from capolinea.engine.record import Move, Undo
from capolinea.games.night_mail.title import GAME
from tests.engine.expect import refused
from tests.engine.mail import (
    DELIVER_LETTER,
    DEPART,
    LOAD_LETTER,
    LOAD_POSTCARD,
    NAMES,
    PASS,
    VIEWERS,
    mail,
    random_match,
    sign,
    telegram,
)
from tests.engine.matches import (
    SEED,
    all_of,
    delivering,
    last,
    table,
)

# --- undo --------------------------------------------------------------------------------------


def test_own_choices_can_be_taken_back_one_by_one() -> None:
    match = mail()
    start = match.state.key()
    match.move(0, [LOAD_POSTCARD])
    once = match.state.key()
    match.move(0, [LOAD_LETTER])
    assert match.undoable(0) == 2
    match.undo(0)
    assert (match.state.key(), match.undoable(0), match.length()) == (once, 1, 1)
    match.undo(0, at=90)
    assert (match.state.key(), match.undoable(0), match.length()) == (start, 0, 0)
    assert match.entries[2:] == [Undo(0, 1), Undo(0, 0, at=90)]


def test_or_all_at_once() -> None:
    match = mail()
    start = match.state.key()
    match.move(0, [LOAD_POSTCARD])
    match.move(0, [LOAD_LETTER])
    match.undo(0, 0)
    assert match.state.key() == start
    assert match.entries[-1] == Undo(0, 0)


def test_everybody_is_told_that_something_was_taken_back() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    events = match.undo(0)
    told = [Told("log.undone", {"seat": 0})]
    assert [event.seen_by(None) for event in events] == told
    assert [last(match, viewer).events for viewer in VIEWERS] == [told] * 4
    assert [last(match, viewer).view for viewer in VIEWERS] == [match.view(v) for v in VIEWERS]


def test_a_barrier_cannot_be_taken_back_freely() -> None:
    match = delivering()
    before = all_of(match)
    assert match.undoable(0) == 0
    with refused("refused.undo"):
        match.undo(0)
    with refused("refused.undo"):
        match.undo(0, 2)
    with refused("refused.undo"):
        match.undo(0, 0)
    assert all_of(match) == before


def test_undo_is_free_up_to_the_barrier_and_no_further() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    match.move(1, [telegram(0)])
    match.move(0, [LOAD_LETTER])
    match.move(0, [LOAD_POSTCARD])
    assert [match.undoable(seat) for seat in range(3)] == [2, 0, 0]
    with refused("refused.undo"):
        match.undo(0, 0)
    with refused("refused.undo"):
        match.undo(0, 1)
    match.undo(0, 2)
    assert match.undoable(0) == 0
    with refused("refused.undo"):
        match.undo(0)


def test_nobody_takes_back_what_somebody_else_did() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    assert match.undoable(1) == 0
    with refused("refused.undo"):
        match.undo(1)
    with refused("refused.undo"):
        match.undo(1, 0)


def test_with_everybodys_agreement_it_goes_back_beyond_a_barrier() -> None:
    match = delivering()
    match.undo(1, 1, agreed=True, at=9)
    assert (match.length(), match.undoable(0)) == (1, 1)
    assert match.entries[-1] == Undo(1, 1, True, 9)
    told = [Told("log.undone.agreed", {"seat": 1})]
    assert [last(match, viewer).events for viewer in VIEWERS] == [told] * 4


def test_by_agreement_too_it_is_ones_own_last_move_unless_another_is_named() -> None:
    match = delivering()
    match.undo(0, agreed=True)
    assert match.entries[-1] == Undo(0, 2, True)
    assert match.undoable(0) == 2


def test_by_agreement_what_others_did_since_goes_too() -> None:
    match = delivering()
    match.move(0, [DELIVER_LETTER, sign(1)])
    match.move(1, [PASS])
    match.undo(0, agreed=True)
    assert match.entries[-1] == Undo(0, 3, True)
    assert match.length() == 3


def test_who_has_not_moved_takes_nothing_back_even_by_agreement() -> None:
    match = delivering()
    with refused("refused.undo"):
        match.undo(2, agreed=True)


def test_when_the_seed_is_published_nothing_can_be_taken_back() -> None:
    """Otherwise all would know what is to come."""
    match = random_match(3)
    seat = next(e.seat for e in reversed(match.entries) if isinstance(e, Move))
    assert match.result() is not None
    with refused("refused.undo-over"):
        match.undo(seat, agreed=True)


def test_a_compound_choice_is_taken_back_whole() -> None:
    match = delivering()
    before = match.state.key()
    match.move(0, [DELIVER_LETTER, sign(1)])
    match.undo(0, agreed=True)
    assert match.state.key() == before


@pytest.mark.parametrize("agreed", [False, True])
def test_where_nothing_stands_there_is_nothing_to_take_back(agreed: bool) -> None:
    with refused("refused.undo"):
        mail().undo(0, agreed=agreed)


@pytest.mark.parametrize("to", [-1, 1, 2, 3, 4, 9])
def test_only_a_move_that_stands_can_be_taken_back(to: int) -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    match.say(0, {"bag": ["letter"]})  # entry 1
    match.move(0, [LOAD_LETTER])
    match.undo(0)  # entry 3, so that 2 stands no more
    before = all_of(match)
    with refused("refused.undo-what", entry=to):
        match.undo(0, to)
    with refused("refused.undo-what", entry=to):
        match.undo(0, to, agreed=True)
    assert all_of(match) == before


@pytest.mark.parametrize("seat", [-1, 3])
def test_who_is_not_at_the_table_takes_nothing_back(seat: int) -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    with refused("refused.no-seat", found=seat):
        match.undo(seat, agreed=True)


def test_a_die_undone_and_redone_falls_the_same_way() -> None:
    match = Match(GAME, NAMES, seed=SEED)
    seat = table(match).current
    match.move(seat, [DEPART])
    pips = table(match).pips
    match.undo(seat, agreed=True)
    load = next(action for action in match.legal(seat) if action != DEPART)
    match.move(seat, [load])
    match.move(seat, [DEPART])
    assert table(match).pips == pips


def test_sayings_survive_an_undo() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    match.say(0, {"bag": ["parcel"]})
    match.undo(0)
    said = [Said(0, {"bag": ["parcel"]}, Line("event.claim", {"seat": 0, "bag": ["parcel"]}))]
    assert match.said == said
    assert [last(match, viewer).said for viewer in VIEWERS] == [said] * 4


def test_who_plays_a_seat_survives_an_undo() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    match.control(2, "bot")
    match.undo(0)
    assert match.players == ["person", "person", "bot"]
