"""What each viewer receives: frames without gaps, and questions that keep their ids."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capolinea.engine import (
    Game,
    Match,
    Rng,
    Viewer,
)
from capolinea.engine.match import Awaited, Frame, Question
from capolinea.games.night_mail.title import GAME
from capolinea.games.night_mail.views import NightMailView
from tests.conformance.pips import GAME as PIPS
from tests.conformance.pips import JEER
from tests.conformance.pips import PASS as PIPS_PASS
from tests.engine.expect import some
from tests.engine.mail import (
    BANDIT,
    DEPART,
    GUARD,
    KEEP,
    LOAD_LETTER,
    LOAD_POSTCARD,
    NAMES,
    NORTH,
    PASS,
    SOUTH,
    VIEWERS,
    mail,
    play,
    random_match,
    sign,
    telegram,
)
from tests.engine.matches import (
    SEED,
    counts,
    delivering,
    last,
    question,
    voting,
    window,
)
from tests.games.night_mail.tables import table as dealt

# --- questions ---------------------------------------------------------------------------------


def test_a_question_says_what_a_seat_may_do_and_must_and_may_take_back() -> None:
    match = mail()
    assert question(match, 0) == Question(1, True, [DEPART, LOAD_POSTCARD, LOAD_LETTER], 0)
    assert question(match, 1) == Question(1, False, [], 0)
    match.move(0, [LOAD_LETTER])
    assert question(match, 0) == Question(2, True, [DEPART, LOAD_POSTCARD], 1)
    assert question(match, 1) == Question(2, False, [telegram(0)], 0)
    assert question(match, 2) == Question(1, False, [], 0)


def test_a_spectator_is_asked_nothing() -> None:
    match = window()
    assert all(frame.question is None for frame in match.frames(None))


def test_a_question_keeps_its_id_while_the_seat_is_asked_the_same() -> None:
    match = mail()
    match.control(1, "bot")
    match.move(0, [LOAD_POSTCARD])
    match.say(0, {"bag": ["letter"]})
    match.move(0, [LOAD_LETTER])
    assert len(match.frames(2)) == 5
    assert {frame.question.id for frame in match.frames(2) if frame.question} == {1}


def test_an_own_move_makes_another_question_even_if_the_choices_are_alike() -> None:
    """Else a double click, sent under two ids, would count twice."""
    match = dealt(["postcard"] * 3, ["letter"] * 3, viewers=[0])
    before = question(match, 0)
    match.move(0, [LOAD_POSTCARD])
    assert question(match, 0).legal == before.legal
    assert question(match, 0).id == before.id + 1


def test_another_window_makes_another_question_even_if_the_choices_are_alike() -> None:
    """A pass that was meant for the one must not count for the other."""
    hands = ["postcard", "letter", "letter"], ["bandit", "guard", "guard"], ["letter"] * 3
    match = dealt(*hands, die=[1], viewers=[2])
    match.move(0, [LOAD_POSTCARD])
    match.move(0, [DEPART])
    match.move(0, [GAME.space.number("deliver", mail="postcard"), sign(1)])
    before = question(match, 2)
    match.move(1, [GAME.space.number("bandit")])
    assert (question(match, 2).legal, before.legal) == ([PASS], [PASS])
    assert question(match, 2).id == before.id + 1


def test_another_question_has_the_next_id() -> None:
    match = mail()
    match.move(0, [LOAD_LETTER])
    match.move(0, [DEPART])
    match.move(0, [KEEP])
    ids = [frame.question.id for frame in match.frames(0) if frame.question]
    assert ids == [1, 2, 3, 4]
    assert [question(match, seat).must for seat in range(3)] == [False, True, False]


def test_voters_see_who_voted_but_are_asked_the_same() -> None:
    match = voting()
    before = [question(match, seat) for seat in range(3)]
    frames = counts(match)
    match.move(1, [SOUTH])
    assert counts(match) == [count + 1 for count in frames]
    assert question(match, 0) == before[0]
    assert question(match, 2) == before[2]
    assert question(match, 1) == Question(before[1].id + 1, False, [NORTH, SOUTH], 0)
    assert match.awaited() == Awaited([0, 2])


def test_a_changed_vote_changes_nothing_for_anybody_else() -> None:
    match = voting()
    match.move(1, [SOUTH])
    before = [match.frames(viewer) for viewer in (None, 0, 2)]
    match.move(1, [NORTH])
    assert [match.frames(viewer) for viewer in (None, 0, 2)] == before
    view = last(match, 1).view
    assert isinstance(view, NightMailView)
    assert view.own is not None
    assert view.own.vote == "north"


@pytest.mark.parametrize("seat", [1, 2])
def test_a_secret_pass_leaves_no_trace_in_the_streams_of_others(seat: int) -> None:
    match = window()
    others: list[Viewer] = [viewer for viewer in VIEWERS if viewer != seat]
    before = [match.frames(viewer) for viewer in others]
    assert match.move(seat, [PASS]) == []
    assert [match.frames(viewer) for viewer in others] == before
    assert question(match, seat).must is False
    # The next thing that happens has the next number: there is no gap.
    match.move(3 - seat, [PASS])
    for viewer, frames in zip(others, before, strict=True):
        assert match.frames(viewer)[len(frames)].n == len(frames) + 1


def test_a_window_within_a_window_asks_again() -> None:
    match = window()
    match.move(2, [PASS])
    passed = question(match, 2)
    match.move(1, [BANDIT])
    assert question(match, 2) == Question(passed.id + 1, True, [PASS, GUARD], 0)
    assert question(match, 0).must


def test_frames_tell_how_many_moves_may_be_taken_back() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    match.move(0, [LOAD_LETTER])
    assert [question(match, seat).undo for seat in range(3)] == [2, 0, 0]
    match.move(0, [DEPART])
    assert question(match, 0).undo == 0


# --- streams -----------------------------------------------------------------------------------


def test_who_reconnects_gets_what_came_after_the_last_frame_seen() -> None:
    match = delivering()
    whole = match.frames(1)
    assert [frame.n for frame in whole] == [1, 2, 3, 4]
    assert match.frames(1, 0) == whole
    assert match.frames(1, 3) == whole[3:]
    assert match.frames(1, 4) == []


def test_frames_are_not_changed_by_what_happens_later() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    match.say(0, {"bag": ["letter"]})
    written = [msgspec.json.encode(match.frames(viewer)) for viewer in VIEWERS]
    numbers = [len(match.frames(viewer)) for viewer in VIEWERS]
    match.control(1, "bot")
    play(match, Rng(b"later"), chatter=True)
    for viewer, before, count in zip(VIEWERS, written, numbers, strict=True):
        assert msgspec.json.encode(match.frames(viewer)[:count]) == before


@some
@given(st.integers(0, 2**32), st.sampled_from([GAME, PIPS]))
def test_frames_asked_for_late_are_those_watched_from_the_start(number: int, game: Game) -> None:
    watched = random_match(number, game, VIEWERS)
    late = random_match(number, game)
    for viewer in VIEWERS[: len(watched.names) + 1]:
        frames = watched.frames(viewer)
        assert late.frames(viewer) == frames
        assert [frame.n for frame in frames] == list(range(1, len(frames) + 1))


def test_a_viewer_who_came_late_goes_on_receiving() -> None:
    late, watched = mail(viewers=[]), mail()
    for match in (late, watched):
        match.move(0, [LOAD_POSTCARD])
        match.frames(2)
        match.move(0, [DEPART])
    assert late.frames(2) == watched.frames(2)


@some
@given(st.integers(0, 2**32), st.sampled_from([GAME, PIPS]))
def test_the_last_frame_shows_the_match_as_it_is(number: int, game: Game) -> None:
    match = random_match(number, game, VIEWERS)
    for viewer in VIEWERS[: len(match.names) + 1]:
        frame = last(match, viewer)
        assert frame.view == match.view(viewer)
        assert (frame.said, frame.players) == (match.said, match.players)
        assert frame.awaited == match.awaited()


def test_a_pass_in_an_interpreted_title_is_as_secret() -> None:
    match = Match(PIPS, NAMES, seed=SEED, viewers=VIEWERS)
    for step in (0, 3):  # keep, roll
        match.move(0, [step])
    before = [match.frames(viewer) for viewer in (None, 0, 2)]
    match.move(1, [PIPS_PASS])
    assert [match.frames(viewer) for viewer in (None, 0, 2)] == before
    assert match.awaited() == Awaited(window="jeers")
    assert JEER not in match.legal(0)


def test_frames_are_written_and_read_back_with_no_room_for_a_stray_field() -> None:
    match = window()
    match.say(0, {"bag": ["letter"]})
    frame = last(match, 1)
    written = msgspec.json.decode(msgspec.json.encode(frame))
    assert written["awaited"] == {"window": "robbery"}
    assert written["question"] == {
        "id": 3,
        "must": True,
        "legal": [PASS, BANDIT, telegram(0)],
        "undo": 0,
    }
    read = msgspec.convert(written, Frame)
    assert msgspec.structs.replace(read, view=frame.view) == frame
    for stray in (written, written["awaited"], written["question"], written["said"][0]):
        stray["stray"] = 1
        with pytest.raises(msgspec.ValidationError, match="stray"):
            msgspec.convert(written, Frame)
        del stray["stray"]


def test_what_was_received_does_not_change() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    match.say(0, {"bag": ["letter"]})
    frame = last(match, 0)
    for part in (frame, frame.awaited, frame.question, frame.said[0]):
        for name in getattr(part, "__struct_fields__", ()):
            with pytest.raises(AttributeError):
                setattr(part, name, None)
