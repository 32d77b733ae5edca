"""Stop the Train!: interventions that meet other interventions, votes and meetings (ST-7)."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.games.stop_the_train.rules.interventions import CARDS
from capolinea.games.stop_the_train.rules.train import Train
from tests.games.stop_the_train.scenes import (
    BOX,
    FAST,
    OPEN,
    SCENIC,
    VIADUCT,
    Scene,
    aftermath,
    ballot,
    coal,
    draw,
    effect_played,
    four,
    give,
    give_nothing,
    heard,
    kinds,
    last_tunnel,
    meeting,
    named,
    refused,
    refused_card,
    rescue,
    routes,
    statuses,
    targets,
    throw,
    tied_vote,
    upgrade,
    vote_called,
    vote_decided,
    watched,
)
from tests.games.stop_the_train.tables import Staged

# --- Conductor on every other card ----------------------------------------------------------------


def before_the_box(t: Staged) -> None:
    t.at(BOX - 1, 120)


def at_30(t: Staged) -> None:
    draw(t)
    t.at(OPEN, 30)


def at_180(t: Staged) -> None:
    draw(t)
    t.at(OPEN, 180)


#: card → a moment for it, who plays it, and at whom.
PLAYS: dict[str, tuple[Scene, int, dict[str, Any]]] = {
    "broken-track": (vote_called, 2, {"route": VIADUCT}),
    "open-vote": (vote_called, 2, {}),
    "citizens-arrest": (vote_called, 2, {"other": 0}),
    "run-the-red": (vote_decided, 2, {"route": SCENIC}),
    "second-choice": (vote_decided, 2, {}),
    "swing-vote": (tied_vote, 2, {"route": SCENIC}),
    "occupied": (meeting, 2, {}),
    "first-class-passenger": (meeting, 2, {}),
    "secret-ballot": (meeting, 2, {}),
    "lock-the-doors": (meeting, 2, {}),
    "extend-your-hand": (aftermath, 0, {"other": 2}),
    "hang-on": (aftermath, 2, {}),
    "youre-coming-with-me": (aftermath, 2, {"other": 0}),
    "second-meeting": (aftermath, 0, {}),
    "gun-to-the-head": (draw, 0, {}),
    "jam-the-controls": (effect_played, 2, {}),
    "seize-control": (effect_played, 2, {}),
    "burn": (draw, 2, {"organiser": True}),
    "forgery": (before_the_box, 2, {"brake": True}),
    "passenger-list": (draw, 2, {}),
    "spy": (draw, 2, {}),
    "tailwind": (at_30, 2, {}),
    "ticket-upgrade": (draw, 2, {}),
    "more-coal": (draw, 2, {}),
    "train-fault": (at_180, 2, {}),
    "rooftop-showdown": (draw, 2, {"other": 3}),
    "murder-in-the-dark": (last_tunnel, 2, {"other": 0}),
}


def facts(train: Train) -> list[object]:
    """All that cards can change, but for hands and the cards used up."""
    return [
        [train.status, train.speed, train.slowest, train.fastest, train.at, train.route],
        [train.organiser, train.permits, train.records, train.freight],
        [train.deck, train.discards, train.pile, train.hand, train.undealt],
        train.now.parts(),
        [[[note.look, note.things] for note in notes] for notes in train.notes],
        [train.votes, train.ballots_left, train.closed, train.open_vote, train.arrested],
        [train.tally, train.tied, train.decided, train.imposed],
        [train.ballots, train.occupied, train.first_class, train.secret_ballot, train.locked],
        [train.falling, train.draggers, train.dragged, train.rescuer, train.second_meeting],
    ]


def moment_of(card: str) -> tuple[Staged, int, dict[str, Any]]:
    """A table at the card's moment. Its player and seat 3 have a Conductor each, nobody else anything."""
    scene, seat, target = PLAYS[card]
    t = watched([], [], [], [], deal={"showdown": [[0, 1]]})
    give_nothing(t)
    scene(t)
    give(t, seat, card, "conductor")
    give(t, 3, "conductor")
    return t, seat, target


def test_st_7_2_the_table_of_plays_has_every_card_but_conductor() -> None:
    assert [*PLAYS, "conductor"] == [row.name for row in CARDS if row.count]


@pytest.mark.parametrize("card", PLAYS)
def test_st_7_2_a_card_that_conductor_cancels_changes_nothing(card: str) -> None:
    t, seat, target = moment_of(card)
    step, before = t.step, facts(t.train)
    t.play(seat, card, **target)
    t.play(3, "conductor")
    t.passes()
    assert facts(t.train) == before
    # Everybody is asked again, unless that was the only card for the window.
    assert t.step == ("tunnel" if step == "last-tunnel" else step)
    assert t.view().waiting_cards == []
    # It is used up all the same, and so is the Conductor.
    assert card not in t.cards(seat)
    hands = [player.interventions for player in t.view().players]
    assert hands == [int(seat == other) for other in range(4)]
    spent = [(played.seat, played.card, played.cancelled) for played in t.view().spent]
    assert spent == [(3, "conductor", False), (seat, card, True)]


@pytest.mark.parametrize("card", PLAYS)
def test_st_7_2_a_card_that_conductor_cancels_shows_nothing(card: str) -> None:
    t, seat, target = moment_of(card)
    told = heard(t, lambda: t.play(seat, card, **target))
    for viewer in (None, 0, 1, 2, 3):
        assert [key.split(".")[1] for key, _ in told[viewer]] == ["intervened"]
    t.play(3, "conductor")
    told = heard(t, t.passes)
    cancelled = ("event.cancelled", {"seat": 3, "other": seat, "card": card})
    for viewer in (None, 0, 1, 2, 3):
        assert told[viewer] == [cancelled]
    for other in range(4):
        own = t.view(other).own
        assert own is not None
        assert own.seen == []


@pytest.mark.parametrize("card", PLAYS)
def test_st_7_2_with_a_conductor_on_the_conductor_the_card_takes_effect(card: str) -> None:
    plain, seat, target = moment_of(card)
    give(plain, 3)
    before = facts(plain.train)
    plain.works(seat, card, **target)
    after = [*facts(plain.train), plain.step, plain.train.waiting()]
    assert after[:-2] != before or plain.step in ("upgrade", "coal")

    t, seat, target = moment_of(card)
    t.play(seat, card, **target)
    t.play(3, "conductor")
    t.play(seat, "conductor")
    assert [*facts(t.train), t.step, t.train.waiting()] == after
    assert [played.cancelled for played in t.view().spent] == [False, True, False]
    assert [player.interventions for player in t.view().players] == [0, 0, 0, 0]


@pytest.mark.parametrize("card", PLAYS)
def test_st_7_2_the_state_before_a_card_stays_as_it_was(card: str) -> None:
    """Whoever looks ahead does so on a copy."""
    t, seat, target = moment_of(card)
    states = [t.train]
    t.play(seat, card, **target)
    states.append(t.train)
    keys = [state.key() for state in states]
    t.passes()
    states.append(t.train)
    keys.append(t.train.key())
    if t.step in ("upgrade", "coal"):
        steps = 1 if t.step == "upgrade" else 3
        begun: list[dict[str, Any]] = []
        for _ in range(steps):
            begun.append(t.legal(seat, *begun)[0])
        t.do(seat, *begun)
    t.quiet()
    assert [state.key() for state in states] == keys


def test_st_7_2_a_cancelled_card_of_the_thrown_off_leaves_them_the_other_one() -> None:
    for first, second in (("hang-on", "youre-coming-with-me"), ("youre-coming-with-me", "hang-on")):
        t = four()
        aftermath(t)
        give(t, 2, first, second)
        give(t, 3, "conductor")
        t.play(2, first, 0 if first == "youre-coming-with-me" else None)
        t.play(3, "conductor")
        t.passes()
        assert t.cards(2) == [second]


# --- a choice that another card interrupts --------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "card"),
    [
        (coal, "ticket-upgrade"),
        (rescue, "ticket-upgrade"),
        (upgrade, "more-coal"),
        (rescue, "more-coal"),
    ],
)
def test_st_7_4_a_choice_goes_on_after_somebody_else_has_chosen_any_time(
    scene: Scene, card: str
) -> None:
    t = four()
    scene(t)
    t.train.discards = kinds("accelerate", "accelerate", "accelerate", "theft", "theft", "theft")
    step = t.step
    assert t.train.waiting() == [2]
    give(t, 3, card)
    t.works(3, card)
    assert t.train.waiting() == [3]
    if card == "more-coal":
        t.do(3, *[{"do": "coal", "effect": "accelerate"}] * 3)
    else:
        t.do(3, t.legal(3)[0])
    assert (t.step, t.train.waiting()) == (step, [2])
    assert t.legal(2)
    assert t.legal(3) == []


@pytest.mark.parametrize("scene", [coal, upgrade, rescue])
def test_st_7_4_a_choice_goes_on_after_a_card_that_leaves_no_choice(scene: Scene) -> None:
    t = four()
    scene(t)
    legal = t.legal(2)
    give(t, 3, "passenger-list")
    t.works(3, "passenger-list")
    assert t.train.waiting() == [2]
    assert t.legal(2) == legal


# --- at the signal box ----------------------------------------------------------------------------


def test_st_7_5_second_choice_undoes_swing_vote() -> None:
    t = watched(["second-choice"], ["swing-vote"], [], [])
    tied_vote(t)
    t.works(1, "swing-vote", route=SCENIC)
    t.works(0, "second-choice")
    assert t.view().vote.decided == ""
    t.vote(FAST, FAST, FAST, SCENIC)
    t.quiet()
    assert t.view().route == FAST


def test_st_7_5_swing_vote_counts_for_the_vote_that_stands() -> None:
    t = watched(["second-choice"], ["swing-vote"], ["swing-vote"], [])
    tied_vote(t)
    t.works(1, "swing-vote", route=SCENIC)
    t.works(0, "second-choice")
    t.vote(FAST, VIADUCT, FAST, SCENIC)
    assert "swing-vote" not in t.cards(2)  # no tie this time
    other = watched(["second-choice"], ["swing-vote"], ["swing-vote"], [])
    tied_vote(other)
    other.works(0, "second-choice")
    other.vote(FAST, VIADUCT, VIADUCT, FAST)
    assert targets(other, 2, "swing-vote") == routes(FAST, VIADUCT)  # not the Scenic Route


def test_st_7_5_after_run_the_red_neither_second_choice_nor_swing_vote_can_come() -> None:
    t = watched(["second-choice"], ["swing-vote"], ["run-the-red"], [])
    tied_vote(t)
    t.works(1, "swing-vote", route=SCENIC)
    t.works(2, "run-the-red", route=FAST)
    assert (t.step, t.view().route) == ("draw", FAST)
    assert refused_card(t, 0, "second-choice") == ("refused.other-window", "ST-7.4")


def test_st_7_5_run_the_red_can_follow_second_choice() -> None:
    t = watched(["second-choice"], [], ["run-the-red"], [])
    vote_decided(t)
    t.works(0, "second-choice")
    t.vote(FAST, FAST, FAST, FAST)
    t.works(2, "run-the-red", route=VIADUCT)
    assert t.view().route == VIADUCT


def test_st_7_5_run_the_red_cannot_impose_a_broken_track() -> None:
    t = watched(["broken-track"], [], ["run-the-red"], [])
    vote_called(t)
    t.works(0, "broken-track", route=SCENIC)
    t.passes()
    t.vote(FAST, FAST, FAST, FAST)
    assert targets(t, 2, "run-the-red") == routes(FAST, VIADUCT)
    card = {"do": "intervene", "card": "run-the-red"}
    assert refused(t, 2, card, {"do": "route", "route": SCENIC}) == ("refused.compound", "ST-7.2")
    t.works(2, "run-the-red", route=VIADUCT)
    assert t.view().route == VIADUCT


def test_st_7_7_citizens_arrest_and_open_vote_name_only_those_who_voted() -> None:
    t = watched(["open-vote"], ["citizens-arrest"], [], [])
    vote_called(t)
    t.works(1, "citizens-arrest", 2)
    t.works(0, "open-vote")
    t.passes()
    told = heard(t, lambda: t.vote(FAST, SCENIC, SCENIC))
    names = [args["seat"] for key, args in told[None] if key == "event.vote-shown"]
    assert names == [0, 1, 3]
    assert t.view().vote.counted[0].voters == [0, 1, 3]


def test_st_7_7_who_was_arrested_has_no_vote_in_a_second_vote_and_keeps_all_voting_cards() -> None:
    t = watched(["second-choice"], ["citizens-arrest"], [], [])
    vote_called(t)
    t.works(1, "citizens-arrest", 2)
    t.passes()
    t.vote(FAST, SCENIC, SCENIC)
    t.works(0, "second-choice")
    assert t.train.waiting() == [0, 1, 3]
    assert t.legal(2) == []
    own = t.view(2).own
    assert own is not None
    assert own.ballots_left == [FAST, VIADUCT, SCENIC]


def test_st_7_7_after_a_second_vote_only_its_own_votes_are_open_with_names() -> None:
    t = watched(["second-choice"], ["open-vote"], [], [])
    vote_called(t)
    t.works(1, "open-vote")
    t.passes()
    t.vote(FAST, FAST, FAST, SCENIC)
    t.works(0, "second-choice")
    t.vote(SCENIC, SCENIC, VIADUCT, VIADUCT)
    assert [vote.routes for vote in t.view().vote.counted] == [
        [FAST, FAST, FAST, SCENIC],
        [SCENIC, SCENIC, VIADUCT, VIADUCT],
    ]
    assert t.view().vote.tied == [VIADUCT, SCENIC]


# --- meetings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("occupied", "first_class", "votes", "off"),
    [
        (3, None, [0, 1, 2], None),  # one each of three
        (3, 2, [0, 1, 2], 0),  # seat 2 votes for 0, doubly
        (3, 0, [1, 1, 0], 1),
        (3, 1, [1, 1, 0], None),  # two against a double one
        (3, 3, [0, 1, 2], None),  # first class is of no use in the lavatory
        (3, 3, [1, 1, 0], 1),
    ],
)
def test_st_7_7_occupied_and_first_class_decide_ties(
    occupied: int, first_class: int | None, votes: list[int], off: int | None
) -> None:
    t = four()
    meeting(t)
    give(t, occupied, "occupied", "first-class-passenger")
    t.works(occupied, "occupied")
    if first_class is not None:
        give(t, first_class, "first-class-passenger")
        t.works(first_class, "first-class-passenger")
    t.passes()
    t.throw_off(*votes)  # seats 2, 0 and 1
    assert t.train.falling == ([] if off is None else [off])


def test_st_7_7_of_two_who_vote_on_each_other_first_class_decides() -> None:
    t = watched(["occupied"], [], ["first-class-passenger"])
    meeting(t)
    t.works(0, "occupied")
    t.works(2, "first-class-passenger")
    t.passes()
    t.throw_off(1, 2)
    assert t.train.falling == [1]


def test_st_7_7_after_locked_doors_a_second_meeting_votes() -> None:
    t = watched(["lock-the-doors"], ["second-meeting"], [], [])
    meeting(t)
    t.works(0, "lock-the-doors")
    t.passes()
    t.works(1, "second-meeting")
    t.passes()
    assert (t.step, t.train.waiting()) == ("ballot", [2])
    throw(t, 3)
    t.quiet()
    assert statuses(t) == ["aboard", "aboard", "aboard", "off"]


def test_st_7_7_secret_ballot_counts_first_class_double_without_names() -> None:
    t = watched(["secret-ballot"], ["first-class-passenger"], [], [])
    meeting(t)
    t.works(0, "secret-ballot")
    t.works(1, "first-class-passenger")
    t.passes()
    for seat, other in ((0, 3), (2, 3), (3, 2)):
        t.do(seat, {"do": "throw-off", "seat": other})
    told = heard(t, lambda: t.do(1, {"do": "throw-off", "seat": 2}))
    assert told[None][:3] == [
        ("event.ballots", {"seat": 2, "count": 3}),
        ("event.ballots", {"seat": 3, "count": 2}),
        ("event.falling", {"seat": 2, "count": 3}),
    ]
    found = t.view().meeting
    assert found is not None
    assert (found.tally, found.ballots) == ([0, 0, 3, 2], [])


def test_st_7_5_a_second_meeting_needs_more_than_two_left() -> None:
    t = watched(["second-meeting"], [], [])
    ballot(t)
    throw(t, 2)
    t.works(0, "second-meeting")
    t.passes()
    assert statuses(t) == ["aboard", "aboard", "off"]
    assert t.step == "draw"
    assert [played.card for played in t.view().spent] == ["second-meeting"]


def test_st_7_5_a_second_meeting_of_three_is_held_if_the_third_is_saved() -> None:
    t = watched(["second-meeting"], ["extend-your-hand"], [])
    ballot(t)
    throw(t, 2)
    t.works(0, "second-meeting")
    t.works(1, "extend-your-hand", 2)
    assert (t.step, t.train.waiting()) == ("meeting", [0, 1, 2])


def test_st_7_8_who_hangs_on_makes_a_second_meeting_of_three_but_takes_no_part() -> None:
    t = watched(["second-meeting"], [], ["hang-on"])
    ballot(t)
    throw(t, 2)
    t.works(0, "second-meeting")
    t.works(2, "hang-on")
    assert (t.step, t.train.waiting()) == ("meeting", [0, 1])
    t.passes()
    assert t.legal(0) == [{"do": "throw-off", "seat": 1}]


def test_st_7_5_a_second_meeting_goes_round_from_the_same_place() -> None:
    """Even when the current player was thrown off in between."""
    t = watched(["second-meeting"], [], [], [])
    ballot(t)
    throw(t, 1)
    t.works(0, "second-meeting")
    t.passes()
    t.passes()
    order = []
    while t.step == "ballot":
        order += t.train.waiting()
        t.throw_off(3 if order[-1] != 3 else 2)
    assert order == [2, 3, 0]


def test_st_7_8_who_hangs_on_and_would_draw_next_is_back_at_once() -> None:
    t = watched([], ["hang-on", "burn"], [], [])
    ballot(t)
    throw(t, 1)
    t.works(1, "hang-on")
    assert statuses(t)[1] == "hanging"
    assert t.cards(1) == []
    told = heard(t, t.quiet)
    assert ("event.back", {"seat": 1}) in told[None]
    assert (t.step, t.view().drawer, statuses(t)[1]) == ("draw", 1, "aboard")
    assert t.cards(1) == ["burn"]


# --- You're Coming with Me, Extend Your Hand, Hang On! --------------------------------------------


def falls(cards: dict[int, list[str]]) -> Staged:
    """Seat 2 was voted off; seats hold what is said here."""
    t = four()
    aftermath(t)
    for seat, hand in cards.items():
        give(t, seat, *hand)
    return t


@pytest.mark.parametrize(
    ("saved", "choice", "off"),
    [(1, "", [2]), (2, "accept", []), (2, "pull", [0, 2])],
)
def test_st_7_9_extend_your_hand_after_youre_coming_with_me(
    saved: int, choice: str, off: list[int]
) -> None:
    t = falls({2: ["youre-coming-with-me"], 0: ["extend-your-hand"]})
    t.works(2, "youre-coming-with-me", 1)
    t.works(0, "extend-your-hand", saved)
    assert (t.step == "rescue") == bool(choice)
    if choice:
        t.do(2, choice)
    t.quiet()
    assert [seat for seat in range(4) if statuses(t)[seat] == "off"] == off


def test_st_7_9_who_has_been_saved_before_cannot_drag_anybody_along() -> None:
    t = falls({2: ["youre-coming-with-me"], 0: ["extend-your-hand"]})
    t.works(0, "extend-your-hand", 2)
    assert t.step == "aftermath"
    assert t.cards(2) == []
    t.quiet()
    assert statuses(t) == ["aboard"] * 4


def test_st_7_9_the_rescuer_of_who_dragged_nobody_cannot_be_pulled_off() -> None:
    t = falls({2: ["youre-coming-with-me"], 0: ["extend-your-hand"], 3: ["conductor"]})
    t.play(2, "youre-coming-with-me", 1)
    t.play(3, "conductor")
    t.passes()
    t.works(0, "extend-your-hand", 2)
    assert t.step == "aftermath"
    assert t.train.falling == []


def test_st_7_9_a_cancelled_hand_saves_nobody() -> None:
    t = falls({2: ["youre-coming-with-me"], 0: ["extend-your-hand"], 1: ["conductor"]})
    t.works(2, "youre-coming-with-me", 1)
    t.play(0, "extend-your-hand", 2)
    assert t.cards(1) == ["conductor"]  # who falls may play it
    t.play(1, "conductor")
    t.passes()
    t.quiet()
    assert statuses(t) == ["aboard", "off", "off", "aboard"]


@pytest.mark.parametrize("choice", ["accept", "pull"])
def test_st_7_9_who_was_dragged_and_hangs_on_already_keeps_hanging(choice: str) -> None:
    t = falls({2: ["youre-coming-with-me"], 0: ["extend-your-hand"], 3: ["hang-on"]})
    t.works(2, "youre-coming-with-me", 3)
    t.works(3, "hang-on")
    assert targets(t, 0, "extend-your-hand") == named(2)
    t.works(0, "extend-your-hand", 2)
    t.do(2, choice)
    t.quiet()
    left = "aboard" if choice == "accept" else "off"
    assert statuses(t) == [left, "aboard", left, "hanging"]


def test_st_7_9_both_who_fall_can_be_saved_in_different_ways() -> None:
    t = falls({2: ["youre-coming-with-me"], 0: ["extend-your-hand"], 3: ["hang-on"]})
    t.works(2, "youre-coming-with-me", 3)
    t.works(3, "hang-on")
    t.works(0, "extend-your-hand", 2)
    t.do(2, "accept")
    t.quiet()
    assert "off" not in statuses(t)
    assert t.view().meetings[0].off == []


def test_st_7_9_a_third_player_cannot_hang_on_for_those_who_fall() -> None:
    t = falls({2: ["youre-coming-with-me"], 3: ["hang-on", "conductor"]})
    t.works(2, "youre-coming-with-me", 0)
    assert t.cards(3) == []  # it is not seat 3 who falls
    t.quiet()
    assert statuses(t) == ["off", "aboard", "off", "aboard"]


def test_st_7_3_the_one_who_pulled_and_the_one_who_was_pulled_may_both_play_conductor() -> None:
    t = four()
    rescue(t)
    t.do(2, "pull")
    give(t, 3, "second-meeting")
    give(t, 2, "conductor")
    give(t, 0, "conductor")
    t.play(3, "second-meeting")
    assert t.train.waiting() == [0, 1, 2]
    assert t.cards(0) == ["conductor"]
    assert t.cards(2) == ["conductor"]
