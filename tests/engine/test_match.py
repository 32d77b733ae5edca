"""A match: its beginning, moves, sayings, control, and what can be asked of it."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.engine import (
    Event,
    Line,
    Match,
    Refused,
    Rng,
    State,
    Told,
)
from capolinea.engine.match import Awaited
from capolinea.engine.record import Control, Move, Say
from capolinea.games.night_mail.title import GAME, NightMailGame, NightMailOptions
from capolinea.games.night_mail.views import NightMailPreview, NightMailView
from tests.engine.expect import problem, refused
from tests.engine.mail import (
    BANDIT,
    DELIVER_LETTER,
    DELIVER_POSTCARD,
    DEPART,
    KEEP,
    LOAD_LETTER,
    LOAD_POSTCARD,
    NAMES,
    PASS,
    VIEWERS,
    mail,
    play,
    sign,
    telegram,
)
from tests.engine.matches import (
    SEED,
    all_of,
    counts,
    delivering,
    last,
    table,
    voting,
    window,
)
from tests.engine.toy import Toy

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
    args = {"seat": 0, "count": 1, "mail": "letter"}
    own = [Told("event.loaded.own", args, private=True, others="event.loaded")]
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


class Listening(NightMailGame):
    """Remembers what it is shown of the table when somebody says something."""

    shown: NightMailView | None = None

    def say(self, view: NightMailView, seat: int, said: Any) -> Line:
        self.shown = view
        return super().say(view, seat, said)


def test_what_may_be_said_is_judged_by_what_everybody_sees() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    match.game = game = Listening()
    match.say(0, {"bag": ["parcel"]})
    assert game.shown == match.view(None)


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


def test_the_opening_is_the_first_thing_that_is_told() -> None:
    """What a state tells at its opening is in everybody's first frame, each with their part of it."""
    from tests.games.trial_by_trolley.tables import table as trial

    match = trial(3, viewers=[0, 1, None])
    first = [match.frames(viewer)[0].events for viewer in (0, 1, None)]
    assert [events[0].key for events in first] == ["event.round"] * 3
    assert "event.drew.own" in [event.key for event in first[1]]
    assert "event.drew.own" not in [event.key for event in first[0] + first[2]]
    assert len(match.frames(None)) == 1


def test_a_default_is_a_whole_choice() -> None:
    """What the clock plays has all its steps, and moves the match on."""
    from tests.games.trial_by_trolley.tables import play_until
    from tests.games.trial_by_trolley.tables import table as trial

    match = trial(3)
    play_until(match, "modifier")
    steps = match.default(1)
    assert len(steps) == 2
    match.move(1, steps)
    assert match.state.waiting() == [2]


def test_what_is_said_must_be_json() -> None:
    match = mail()
    with refused("refused.not-json"):
        match.say(0, {"bag": object()})
    assert match.entries == []


def test_what_was_said_is_the_matchs_own() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD])
    bag = ["letter"]
    match.say(0, {"bag": bag})
    bag.append("parcel")
    assert match.said[0].said == {"bag": ["letter"]}


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_is_not_there_is_asked_and_shown_nothing(seat: int) -> None:
    match = mail()
    with refused("refused.no-seat", found=seat):
        match.legal(seat)
    with refused("refused.no-seat", found=seat):
        match.view(seat)
