"""A match: entries folded through the rules, and exactly what each viewer receives of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capolinea.engine import (
    Event,
    Game,
    Line,
    Match,
    Record,
    RecordProblem,
    Refused,
    Rng,
    State,
    Told,
    Viewer,
)
from capolinea.engine.chance import deal_seed, seed_hash
from capolinea.engine.game import content_hash
from capolinea.engine.match import Awaited, Frame, Question, Said
from capolinea.engine.record import Control, DataUsed, Move, Say, Undo, dumps, loads
from capolinea.games.night_mail.rules import NightMail
from capolinea.games.night_mail.title import GAME, NightMailOptions
from capolinea.games.night_mail.views import NightMailPreview, NightMailView
from tests.conformance.pips import GAME as PIPS
from tests.conformance.pips import JEER
from tests.conformance.pips import PASS as PIPS_PASS
from tests.engine.expect import problem, refused, some, unfit, unreadable
from tests.engine.mail import (
    BANDIT,
    DELIVER_LETTER,
    DELIVER_POSTCARD,
    DEPART,
    DRAWN,
    GUARD,
    KEEP,
    LOAD_LETTER,
    LOAD_POSTCARD,
    NAMES,
    NORTH,
    OWN_LINE,
    PASS,
    SOUTH,
    VIEWERS,
    deal,
    mail,
    own_line,
    play,
    random_match,
    sign,
    telegram,
)
from tests.engine.toy import Toy
from tests.games.night_mail.tables import table as dealt

SEED = bytes(range(32))


def table(match: Match) -> NightMail:
    assert isinstance(match.state, NightMail)
    return match.state


def all_of(match: Match) -> object:
    """Everything that a match holds and tells."""
    return (
        match.state.key(),
        list(match.entries),
        list(match.said),
        list(match.players),
        match.length(),
        [match.undoable(seat) for seat in range(len(match.names))],
        [match.frames(viewer) for viewer in VIEWERS],
    )


def last(match: Match, viewer: Viewer) -> Frame:
    return match.frames(viewer)[-1]


def question(match: Match, seat: int) -> Question:
    """What this seat was last asked."""
    found = last(match, seat).question
    assert found is not None
    return found


def counts(match: Match) -> list[int]:
    """How many frames each viewer has received."""
    return [len(match.frames(viewer)) for viewer in VIEWERS]


def delivering() -> Match:
    """Ada has a postcard and a letter in her bag and may deliver one."""
    match = mail()
    for step in (LOAD_POSTCARD, LOAD_LETTER, DEPART):
        match.move(0, [step])
    return match


def window() -> Match:
    """Ada offers a letter that Bruno would sign for; everybody else is asked for a Bandit."""
    match = delivering()
    match.move(0, [DELIVER_LETTER, sign(1)])
    return match


def voting() -> Match:
    """The train stands at the junction, and everybody votes."""
    match = mail()
    for seat, step in ((0, DEPART), (0, KEEP), (1, DEPART)):
        match.move(seat, [step])
    return match


# --- the beginning -----------------------------------------------------------------------------


def test_at_first_nothing_has_happened_and_persons_play() -> None:
    match = mail()
    assert (match.entries, match.said, match.length()) == ([], [], 0)
    assert match.players == ["person"] * 3
    assert match.result() is None


def test_at_first_every_viewer_receives_one_frame() -> None:
    match = mail()
    for viewer in VIEWERS:
        (frame,) = match.frames(viewer)
        assert (frame.n, frame.events, frame.said) == (1, [], [])
        assert frame.view == match.view(viewer)
        assert frame.awaited == Awaited([0])
        assert frame.players == ["person"] * 3


def test_without_options_the_defaults_are_played() -> None:
    assert Match(GAME, NAMES, seed=SEED).options == NightMailOptions()


def test_a_match_needs_a_seed_or_a_deal() -> None:
    with problem("chance.seed-length", bytes=0, needed=32):
        Match(GAME, NAMES)


def test_a_match_needs_as_many_players_as_the_rules_say() -> None:
    with refused("refused.seats", seats=1, least=2, most=5):
        Match(GAME, ["Ada"], seed=SEED)


def test_a_viewer_sees_what_the_state_shows_this_viewer() -> None:
    match = mail()
    assert match.view(1) == match.state.view(1) != match.state.view(2)
    assert match.view(None) == match.state.view(None)


# --- moves -------------------------------------------------------------------------------------


def test_a_move_is_carried_out_told_and_recorded() -> None:
    match = mail()
    events = match.move(0, [LOAD_LETTER], at=70)
    told = Event("event.loaded", {"seat": 0, "count": 1})
    assert events == [told.also([0], "event.loaded.own", mail="letter")]
    assert len(table(match).bags[0]) == 1
    assert match.entries == [Move(0, [{"do": "load", "mail": "letter"}], 70)]
    assert match.length() == 1


def test_each_viewer_is_told_of_a_move_what_they_may_know() -> None:
    match = mail()
    match.move(0, [LOAD_LETTER])
    rest = [Told("event.loaded", {"seat": 0, "count": 1})]
    own = [Told("event.loaded.own", {"seat": 0, "count": 1, "mail": "letter"})]
    assert [last(match, viewer).events for viewer in VIEWERS] == [rest, own, rest, rest]
    assert [last(match, viewer).n for viewer in VIEWERS] == [2, 2, 2, 2]
    assert [last(match, v).view for v in VIEWERS] == [match.view(v) for v in VIEWERS]


def test_a_compound_choice_is_one_entry_and_one_frame() -> None:
    match = delivering()
    before = counts(match)
    events = match.move(0, [DELIVER_LETTER, sign(1)])
    assert [event.key for event in events] == ["event.offered"]
    assert match.entries[3:] == [
        Move(0, [{"do": "deliver", "mail": "letter"}, {"do": "sign", "seat": 1}])
    ]
    assert counts(match) == [count + 1 for count in before]
    assert match.length() == 5


@pytest.mark.parametrize(
    ("seat", "steps", "refusal"),
    [
        (0, [PASS], Refused("refused.not-now", "NM-2.2")),
        (1, [KEEP], Refused("refused.not-your-turn", "NM-2.1")),
        (0, [-1], Refused("refused.no-action", found=-1)),
        (0, [GAME.space.size], Refused("refused.no-action", found=GAME.space.size)),
        (-1, [KEEP], Refused("refused.no-seat", found=-1)),
        (3, [KEEP], Refused("refused.no-seat", found=3)),
        (0, [], Refused("refused.no-steps")),
        (0, [DELIVER_LETTER], Refused("refused.unfinished")),
        (0, [DELIVER_LETTER, sign(0)], Refused("refused.not-now", "NM-2.2")),
        (0, [DELIVER_LETTER, -1], Refused("refused.no-action", found=-1)),
        (0, [DELIVER_LETTER, sign(1), PASS], Refused("refused.too-many-steps")),
        (0, [KEEP, DEPART], Refused("refused.too-many-steps")),
    ],
)
def test_a_refused_choice_changes_nothing(seat: int, steps: list[int], refusal: Refused) -> None:
    match = delivering()
    before = all_of(match)
    with refused(refusal.key, refusal.rule, **refusal.args_):
        match.move(seat, steps)
    assert all_of(match) == before
    match.move(0, [DELIVER_LETTER, sign(1)])


def test_the_state_before_a_move_is_left_as_it_was() -> None:
    match = mail()
    before, key = match.state, match.state.key()
    match.move(0, [LOAD_LETTER])
    assert before.key() == key


def test_the_highest_action_is_one_too() -> None:
    match = Match(GAME, ["a", "b", "c", "d", "e"], seed=SEED)
    with refused("refused.telegram", "NM-5.1"):
        match.move(0, [GAME.space.size - 1])


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


# --- sayings and control -----------------------------------------------------------------------


def test_a_saying_is_told_to_all_and_recorded_and_changes_no_state() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    key = match.state.key()
    events = match.say(0, {"bag": ["parcel"]}, at=5)
    told = [Told("event.claim", {"seat": 0, "bag": ["parcel"]})]
    assert [event.seen_by(None) for event in events] == told
    assert [last(match, viewer).events for viewer in VIEWERS] == [told] * 4
    assert match.entries[-1] == Say(0, {"bag": ["parcel"]}, 5)
    assert match.state.key() == key
    assert (match.length(), match.undoable(0)) == (1, 1)


def test_a_saying_that_the_title_does_not_know_is_refused_and_leaves_nothing() -> None:
    match = mail()
    before = all_of(match)
    with refused("refused.claim-form", "NM-7.1"):
        match.say(0, "hello")
    with refused("refused.claim-count", "NM-7.1", count=0):
        match.say(0, {"bag": ["letter"]})
    with refused("refused.no-seat", found=3):
        match.say(3, {"bag": ["letter"]})
    assert all_of(match) == before


@pytest.mark.parametrize("by", ["person", "bot", "clock"])
def test_who_plays_a_seat_is_told_and_recorded(by: str) -> None:
    match = mail()
    events = match.control(1, by, "careful", at=5)
    players = ["person", by, "person"]
    assert match.players == players
    assert match.entries == [Control(1, by, "careful", 5)]
    told = [Told(f"log.control.{by}", {"seat": 1})]
    assert [event.seen_by(None) for event in events] == told
    for viewer in VIEWERS:
        assert last(match, viewer).events == told
        assert last(match, viewer).players == players


def test_nobody_else_can_play_a_seat() -> None:
    match = mail()
    before = all_of(match)
    with refused("refused.control", by="ghost"):
        match.control(1, "ghost")
    with refused("refused.no-seat", found=-1):
        match.control(-1, "bot")
    assert all_of(match) == before


def test_a_name_need_not_be_given() -> None:
    match = mail()
    match.control(0, "clock")
    assert match.entries == [Control(0, "clock")]


# --- what can be asked -------------------------------------------------------------------------


def test_what_is_legal_first_and_what_may_come_next() -> None:
    match = delivering()
    assert match.legal(0) == [KEEP, DELIVER_POSTCARD, DELIVER_LETTER]
    assert match.legal(0, [DELIVER_LETTER]) == [sign(1), sign(2)]
    assert match.legal(0, [DELIVER_LETTER, sign(2)]) == []
    assert match.legal(0, [KEEP]) == []
    assert match.legal(1) == [telegram(0)]


def test_asking_what_may_come_next_changes_nothing() -> None:
    match = delivering()
    before = all_of(match)
    match.legal(0, [DELIVER_LETTER, sign(2)])
    match.tree(0)
    match.preview(0, [DELIVER_LETTER])
    assert all_of(match) == before


def test_what_may_follow_something_illegal_is_refused() -> None:
    with refused("refused.not-now", "NM-2.2"):
        delivering().legal(0, [PASS])


def test_the_tree_holds_every_choice_step_by_step() -> None:
    match = delivering()
    signers: dict[int, Any] = {sign(1): {}, sign(2): {}}
    assert match.tree(0) == {KEEP: {}, DELIVER_POSTCARD: signers, DELIVER_LETTER: signers}
    assert match.tree(2) == {}


def test_every_path_through_the_tree_can_be_moved() -> None:
    paths = [[KEEP], *([d, sign(s)] for d in (DELIVER_POSTCARD, DELIVER_LETTER) for s in (1, 2))]
    for steps in paths:
        delivering().move(0, steps)


class Clockwork(Toy):
    """A choice of three steps; the clock plays 1, 2 and 3."""

    def default(self, seat: int) -> int:
        return len(self.played) + 1

    def play(self, seat: int, action: int) -> None:
        assert action == self.default(seat)
        super().play(seat, action)
        self.mid = seat if len(self.played) < 3 else -1

    def copy(self) -> State:
        other = Clockwork()
        other.played = list(self.played)
        return other


def test_what_the_clock_plays_is_a_whole_choice_and_asking_changes_nothing() -> None:
    match = mail()
    assert match.default(0) == [DEPART]
    match.state = Clockwork()
    assert match.default(1) == [1, 2, 3]
    assert match.state.key() == Clockwork().key()


def test_a_preview_says_what_would_happen() -> None:
    preview = delivering().preview(0, [DELIVER_LETTER])
    assert isinstance(preview, NightMailPreview)
    assert preview.lines == [Line("preview.deliver", {"mail": "letter", "points": 2})]


def test_a_preview_may_be_refused() -> None:
    with refused("refused.not-now", "NM-2.2"):
        delivering().preview(1, [DELIVER_LETTER])
    with refused("refused.no-seat", found=3):
        delivering().preview(3, [KEEP])


def test_those_waited_for_are_named() -> None:
    assert mail().awaited() == Awaited(seats=[0], window="")
    assert voting().awaited() == Awaited(seats=[0, 1, 2])


def test_but_in_a_reaction_window_only_the_window_is_named() -> None:
    match = window()
    assert match.state.waiting() == [1, 2]
    assert match.awaited() == Awaited(seats=[], window="robbery")
    match.move(1, [BANDIT])
    assert match.awaited() == Awaited(window="rescue")


def test_when_it_is_over_nobody_is_waited_for_and_there_is_a_result() -> None:
    match = play(mail(), Rng())
    assert match.awaited() == Awaited()
    assert match.result() == match.state.result() is not None


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


# --- records -----------------------------------------------------------------------------------


@some
@given(st.integers(0, 2**32), st.sampled_from([GAME, PIPS]))
def test_a_record_folds_to_the_match_that_it_is(number: int, game: Game) -> None:
    match = random_match(number, game, VIEWERS)
    record = match.record()
    again = Match.fold(game, record, VIEWERS[: len(match.names) + 1])
    assert again.state.key() == match.state.key()
    assert again.record() == record
    for viewer in VIEWERS[: len(match.names) + 1]:
        assert again.frames(viewer) == match.frames(viewer)


def test_a_record_says_what_was_played() -> None:
    match = Match(GAME, NAMES, GAME.preset("short"), seed=SEED)
    match.control(0, "bot", "random")
    assert match.record() == Record(
        format="capolinea-record",
        version=1,
        title="night-mail",
        rules="1",
        data={"line": DataUsed("shuttle", content_hash(GAME.data()["line"]["shuttle"]))},
        options={"line": "shuttle", "hand": 3, "bonus": 3, "open_vote": False},
        seats=NAMES,
        seed_hash=seed_hash(SEED),
        entries=[Control(0, "bot", "random")],
    )


def test_the_seed_is_withheld_while_the_match_goes_on_and_revealed_when_it_ends() -> None:
    match = Match(GAME, NAMES, seed=SEED)
    running = match.record()
    assert (running.seed_hash, running.seed, running.result) == (seed_hash(SEED), "", None)
    assert match.record(reveal=True).seed == SEED.hex()
    over = play(match, Rng()).record()
    assert (over.seed_hash, over.seed) == (seed_hash(SEED), SEED.hex())
    assert over.result == match.result() is not None


def test_a_dealt_match_has_its_deal_in_the_record_and_no_seed() -> None:
    record = play(mail(), Rng()).record(reveal=True)
    assert (record.deal, record.seed, record.seed_hash) == (deal(), "", "")
    assert Match.fold(GAME, record).record() == record


def test_what_a_deal_leaves_open_comes_from_the_deal_itself() -> None:
    match = mail()
    assert match.seed == match.state.chance.seed == deal_seed(deal())


def test_a_record_taken_earlier_does_not_grow() -> None:
    match = mail()
    record = match.record()
    match.move(0, [DEPART])
    assert record.entries == []


def test_a_match_goes_on_from_a_record_entry_by_entry() -> None:
    match, again = mail(), mail()
    events = [
        match.move(0, [LOAD_POSTCARD], at=6),
        match.say(0, {"bag": ["letter"]}, at=7),
        match.control(1, "bot", "careful", at=8),
        match.undo(1, 0, agreed=True, at=9),
    ]
    assert [again.follow(entry) for entry in match.entries] == events
    assert all_of(again) == all_of(match)


def test_own_data_is_carried_and_replays_from_the_record_alone() -> None:
    match = Match(GAME, NAMES, own_line(), seed=SEED)
    play(match, Rng())
    record = loads(dumps(match.record()))
    assert record.data == {"line": DataUsed("coast", content_hash(OWN_LINE), OWN_LINE)}
    assert "data" not in record.options
    again = Match.fold(GAME, record)
    assert again.options == match.options
    assert table(again).trunk == ["Molo", "Bivio"]
    assert again.record() == record


def test_built_in_data_is_named_and_not_carried() -> None:
    assert mail().record().data["line"].content is None


# --- a seeded match as a dealt one ---------------------------------------------------------------


@some
@given(st.integers(0, 2**32), st.sampled_from([GAME, PIPS]))
def test_a_seeded_match_written_out_as_a_deal_falls_the_same_way(number: int, game: Game) -> None:
    record = random_match(number, game).record()
    outcomes = Match.dealt(game, record)
    dealt = msgspec.structs.replace(record, seed="", seed_hash="", deal=outcomes)
    seeded, again = Match.fold(game, record), Match.fold(game, dealt)
    assert again.state.key() == seeded.state.key()
    assert again.result() == seeded.result()
    for viewer in range(len(record.seats)):
        assert again.frames(viewer) == seeded.frames(viewer)
    assert Match.dealt(game, dealt) == outcomes


def test_a_deal_written_out_holds_every_outcome() -> None:
    outcomes = Match.dealt(GAME, delivering().record())
    (deck,) = outcomes["deck"]
    assert isinstance(deck, list)
    assert deck[: len(DRAWN)] == DRAWN
    assert sorted(deck) == list(range(42))
    assert (outcomes["start"], outcomes["die"]) == ([0], [1])
    assert len(outcomes["employers"]) == 1


def test_what_does_not_fit_is_named_when_a_deal_is_written_out_too() -> None:
    with unfit("record.entry", "refused.not-now", entry=0):
        Match.dealt(GAME, changed(entries=[Move(0, [{"do": "keep"}])]))


# --- records that do not hold ------------------------------------------------------------------


def changed(**fields: Any) -> Record:
    """The record of a match with some entries, changed."""
    match = Match(GAME, NAMES, GAME.preset("short"), seed=SEED)
    return msgspec.structs.replace(match.record(reveal=True), **fields)


def test_a_record_of_another_title_is_not_folded() -> None:
    with unreadable("record.title", found="pips", expected="night-mail"):
        Match.fold(GAME, changed(title="pips"))


def test_a_record_of_other_rules_is_not_folded() -> None:
    with unreadable("record.rules", found="0", known="1"):
        Match.fold(GAME, changed(rules="0"))


def test_a_record_is_folded_from_its_seed_or_its_deal_but_not_both() -> None:
    for fields in ({"seed": ""}, {"seed_hash": ""}, {}):
        with unreadable("record.seed-and-deal"):
            Match.fold(GAME, changed(deal=deal(), **fields))
    Match.fold(GAME, changed(deal=deal(), seed="", seed_hash=""))


def test_without_its_seed_a_record_cannot_be_folded() -> None:
    with unreadable("record.no-seed"):
        Match.fold(GAME, changed(seed=""))


def test_a_seed_is_written_in_hex() -> None:
    with unreadable("record.field", where="seed", detail="xyz"):
        Match.fold(GAME, changed(seed="xyz"))


def test_the_seed_must_be_the_one_that_was_promised() -> None:
    with unreadable("record.seed-hash"):
        Match.fold(GAME, changed(seed=bytes(32).hex()))
    with unreadable("record.seed-hash"):
        Match.fold(GAME, changed(seed_hash=""))


def test_a_seed_of_the_wrong_length_is_no_start() -> None:
    short = b"short"
    with unfit("record.start", "chance.seed-length") as why:
        Match.fold(GAME, changed(seed=short.hex(), seed_hash=seed_hash(short)))
    assert why.args_ == {"bytes": 5, "needed": 32}


def test_too_few_seats_are_no_start() -> None:
    with unfit("record.start", "refused.seats"):
        Match.fold(GAME, changed(seats=["Ada"]))


def test_a_deal_that_cannot_be_is_no_start() -> None:
    with unfit("record.start", "chance.bad-number"):
        Match.fold(GAME, changed(seed="", seed_hash="", deal={"start": [3]}))


def test_options_that_the_title_does_not_have_are_named() -> None:
    with unfit("record.options", "bad-option.json"):
        Match.fold(GAME, changed(options={"line": "shuttle", "speed": 3}))
    with unfit("record.options", "bad-option.json"):
        Match.fold(GAME, changed(options={"line": "shuttle", "hand": 9}))


def test_data_that_is_not_what_it_was_is_named() -> None:
    data = {"line": DataUsed("shuttle", "0" * 64)}
    with unreadable("record.data-hash", kind="line", name="shuttle"):
        Match.fold(GAME, changed(data=data))


def test_data_that_is_not_built_in_must_be_carried() -> None:
    options = {"line": "endless"}
    with unreadable("record.data-unknown", kind="line", name="endless"):
        Match.fold(GAME, changed(data={"line": DataUsed("endless", "0" * 64)}, options=options))


@pytest.mark.parametrize("kinds", [[], ["pack"], ["line", "pack"]])
def test_a_record_names_exactly_the_data_that_its_title_has(kinds: list[str]) -> None:
    whole = changed().data["line"]
    with unreadable("record.data-kinds", found=kinds, needed=["line"]):
        Match.fold(GAME, changed(data=dict.fromkeys(kinds, whole)))


def test_the_options_of_a_record_name_the_data_that_it_was_played_with() -> None:
    options = {**changed().options, "line": "coast"}
    with unreadable("record.data-name", kind="line", name="shuttle"):
        Match.fold(GAME, changed(options=options))


def test_carried_data_must_be_what_its_hash_says() -> None:
    data = {"line": DataUsed("mine", content_hash(OWN_LINE), {**OWN_LINE, "north": ["Nord", "X"]})}
    with unreadable("record.data-hash", kind="line", name="mine"):
        Match.fold(GAME, changed(data=data, options={"line": "mine"}))


def test_carried_data_is_checked_by_the_title() -> None:
    content = {**OWN_LINE, "south": []}
    data = {"line": DataUsed("mine", content_hash(content), content)}
    with unfit("record.start", "data.faults") as why:
        Match.fold(GAME, changed(data=data, options={"line": "mine"}))
    assert (why.args_["kind"], why.args_["count"]) == ("line", 1)


ENTRIES: list[tuple[Any, str]] = [
    (Move(0, [{"do": "keep"}]), "refused.not-now"),
    (Move(0, [{"do": "dance"}]), "bad-action.unknown"),
    (Move(0, []), "refused.no-steps"),
    (Move(7, [{"do": "depart"}]), "refused.no-seat"),
    (Undo(0, 1), "refused.undo-what"),
    (Say(0, "hello"), "refused.claim-form"),
    (Control(0, "ghost"), "refused.control"),
]


@pytest.mark.parametrize(("entry", "why"), ENTRIES, ids=[why for _, why in ENTRIES])
def test_an_entry_that_does_not_fit_is_named_by_its_number_with_the_reason(
    entry: Any, why: str
) -> None:
    entries = [Control(0, "bot"), Control(0, "person"), entry]
    with unfit("record.entry", why, entry=2):
        Match.fold(GAME, changed(seed="", seed_hash="", deal=deal(), entries=entries))


def test_an_entry_that_does_not_fit_a_running_match_is_named_by_its_place() -> None:
    match = delivering()
    before = all_of(match)
    with unfit("record.entry", "refused.not-now", entry=3):
        match.follow(Move(0, [{"do": "pass"}]))
    with unfit("record.entry", "refused.not-now", entry=40):
        match.follow(Move(0, [{"do": "pass"}]), 40)
    assert all_of(match) == before


def test_an_undo_that_was_not_free_does_not_fold() -> None:
    record = delivering().record()
    entries: Sequence[Any] = [*record.entries, Undo(0, 2)]
    with unfit("record.entry", "refused.undo", entry=3):
        Match.fold(GAME, msgspec.structs.replace(record, entries=entries))
    with pytest.raises(RecordProblem) as caught:
        Match.fold(GAME, msgspec.structs.replace(record, entries=entries))
    assert isinstance(caught.value.__cause__, Refused)
