"""Stop the Train!, rule by rule: the cards of who falls, and of who helps (ST-7.7 to ST-7.9)."""

from __future__ import annotations

import pytest

from capolinea.games.stop_the_train.rules import where
from tests.games.stop_the_train.scenes import (
    BOX,
    BRIDGE,
    FAST,
    OPEN,
    SCENIC,
    VIADUCT,
    aftermath,
    arrive,
    ballot,
    ballots,
    four,
    give,
    give_nothing,
    heard,
    lose,
    meeting,
    named,
    permits,
    refused,
    refused_card,
    rescue,
    shown,
    statuses,
    stop,
    targets,
    throw,
    vote_called,
    watched,
)
from tests.games.stop_the_train.tables import Staged, table


def hanging(seat: int = 2, cards: tuple[str, ...] = ()) -> Staged:
    """Four players in the aftermath of a meeting; this seat was voted off and hangs on."""
    t = four()
    ballot(t)
    throw(t, seat)
    give(t, seat, "hang-on", *cards)
    t.works(seat, "hang-on")
    return t


# --- 7.7 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "off", "votes"),
    [
        ("occupied", ["aboard", "aboard", "aboard", "aboard", "off"], [3, 2, 3, 2]),
        ("first-class-passenger", ["aboard", "aboard", "aboard", "aboard", "off"], [3, 2, 3, 2]),
        ("secret-ballot", ["aboard", "aboard", "aboard", "aboard", "off"], [3, 2, 3, 2]),
        ("lock-the-doors", ["aboard"] * 5, [3, 2, 3, 2, 0]),
    ],
)
def test_st_7_7_a_second_meeting_starts_clean(card: str, off: list[str], votes: list[int]) -> None:
    t = watched([], [], [], [], [])
    give_nothing(t)
    give(t, 3, card)
    give(t, 0, "second-meeting")
    meeting(t)
    t.works(3, card)
    t.passes()
    throw(t, 4)
    t.works(0, "second-meeting")
    if t.step == "aftermath":
        t.passes()
    assert t.step == "meeting"
    assert statuses(t) == off
    found = t.view().meeting
    assert found is not None
    assert (found.occupied, found.first_class, found.secret, found.locked) == ([], [], False, False)
    assert (found.falling, found.second, found.ballots) == ([], False, [-1, -1, -1, -1, -1])
    t.passes()
    assert t.train.waiting() == [2]
    assert {"do": "throw-off", "seat": 3} in t.legal(2)
    t.throw_off(*votes)
    assert t.step == "draw"  # a tie: seat 3's vote counts once
    assert statuses(t) == off


def test_st_7_7_occupied_ends_with_the_meeting() -> None:
    t = watched([], [], ["occupied"], [])
    meeting(t)
    t.works(2, "occupied")
    t.passes()
    throw(t, 3)
    t.quiet()
    meeting(t)
    t.passes()
    assert 2 in [choice["seat"] for choice in t.legal(t.train.waiting()[0])]


def test_st_7_7_if_fewer_than_two_can_be_voted_for_nobody_is_off() -> None:
    t = watched(["occupied"], ["occupied"], [])
    meeting(t)
    t.works(0, "occupied")
    t.works(1, "occupied")
    t.passes()
    assert t.step == "aftermath"
    assert t.train.falling == []
    t.passes()
    assert t.step == "draw"
    assert statuses(t) == ["aboard"] * 3


def test_st_7_7_if_two_are_left_they_vote_on_each_other() -> None:
    t = watched(["occupied"], [], [])
    meeting(t)
    t.works(0, "occupied")
    t.passes()
    assert t.train.waiting() == [2]
    assert t.legal(2) == ballots(1)
    t.throw_off(1)
    assert t.train.waiting() == [1]
    assert t.legal(1) == ballots(2)
    t.throw_off(2)
    assert t.train.falling == []


@pytest.mark.parametrize(
    ("first_class", "votes", "off"),
    [
        ([0], [3, 2, 3, 2], 3),  # two against two, and seat 0 counts double
        ([1], [3, 2, 3, 2], 2),
        ([0, 1], [3, 2, 3, 2], None),  # three against three
        ([2], [0, 1, 1, 3], None),  # one vote counts as much as two
        ([2], [0, 1, 2, 3], 0),
        ([3], [0, 1, 2, 0], None),
    ],
)
def test_st_7_7_whether_there_is_a_tie_is_decided_after_votes_are_doubled(
    first_class: list[int], votes: list[int], off: int | None
) -> None:
    t = four()
    for seat in first_class:
        give(t, seat, "first-class-passenger")
    meeting(t)
    for seat in first_class:
        t.works(seat, "first-class-passenger")
    t.passes()
    t.throw_off(*votes)
    assert t.train.falling == ([] if off is None else [off])


def test_st_7_7_occupied_players_may_still_play_cards() -> None:
    t = watched(["occupied", "secret-ballot"], [], [], [])
    meeting(t)
    t.works(0, "occupied")
    assert 0 in t.train.waiting()
    assert "secret-ballot" in t.cards(0)
    t.works(0, "secret-ballot")
    t.passes()
    assert t.train.waiting() == [1, 2, 3]
    give(t, 0, "extend-your-hand", "second-meeting", "conductor")
    for seat, other in ((1, 2), (2, 1), (3, 2)):
        t.do(seat, *ballots(other))
    assert 0 in t.train.waiting()
    assert t.cards(0) == ["extend-your-hand", "second-meeting"]


def test_st_7_7_cards_of_the_vote_last_through_a_second_vote() -> None:
    t = watched(["broken-track", "open-vote"], ["citizens-arrest"], ["second-choice"], [])
    vote_called(t)
    t.works(0, "broken-track", route=FAST)
    t.works(0, "open-vote")
    t.works(1, "citizens-arrest", 3)
    t.passes()
    assert t.train.waiting() == [0, 1, 2]
    t.vote(VIADUCT, VIADUCT, SCENIC)
    t.works(2, "second-choice")
    assert t.step == "vote"
    assert t.train.waiting() == [0, 1, 2]
    assert t.legal(0) == [{"do": "vote", "route": SCENIC}]
    assert t.legal(2) == [{"do": "vote", "route": VIADUCT}]
    t.vote(SCENIC, SCENIC, VIADUCT)
    counted = t.view().vote.counted
    assert counted[1].voters == [0, 1, 2]
    assert counted[1].routes == [SCENIC, SCENIC, VIADUCT]


# --- 7.8 ------------------------------------------------------------------------------------------


def test_st_7_8_who_hangs_on_keeps_permits_and_cards_and_is_not_off() -> None:
    t = four()
    aftermath(t)
    permits(t, 0, 0, 1, 0, organiser=1)
    give(t, 2, "hang-on", "burn")
    told = heard(t, lambda: t.works(2, "hang-on"))
    assert told[None][-1] == ("event.hanging", {"seat": 2})
    assert statuses(t) == ["aboard", "aboard", "hanging", "aboard"]
    t.quiet()
    view = t.view(2)
    assert (view.players[2].status, view.players[2].permits) == ("hanging", 1)
    assert view.own is not None
    assert view.own.cards == ["burn"]
    assert view.meetings[0].off == []


def test_st_7_8_who_hangs_on_counts_as_on_board_for_the_next_meeting() -> None:
    t = hanging(0)
    t.quiet()
    lose(t, 3)
    arrive(t, BRIDGE)  # seats 1 and 2 are inside, seat 0 is outside
    assert statuses(t) == ["hanging", "aboard", "aboard", "off"]
    assert (t.step, t.train.waiting()) == ("meeting", [1, 2])
    t.passes()
    assert t.legal(t.train.waiting()[0]) == ballots(2)


@pytest.mark.parametrize(
    ("character", "won"), [("stuntman", False), ("prisoner-of-war", False), ("chanteuse", True)]
)
def test_st_7_8_who_hangs_on_was_not_thrown_off(character: str, won: bool) -> None:
    """The Stuntman needed to be; the Chanteuse needs to be on board and has her route, which the
    Prisoner of War has not."""
    t = watched([], [], [], [], characters=["saboteur", "engineer", character])
    aftermath(t)
    give(t, 2, "hang-on")
    t.works(2, "hang-on")
    t.train.route = 0 if character == "chanteuse" else 1
    assert statuses(t)[2] == "hanging"
    assert stop(t).outcomes[2].won is won


def test_st_7_8_the_seat_is_not_skipped_and_its_player_is_back_when_handed_cards() -> None:
    t = hanging()
    t.quiet()
    assert t.view().drawer == 1
    assert statuses(t)[2] == "hanging"
    t.hand("accelerate", "accelerate", "accelerate")
    told = heard(t, lambda: t.discard("accelerate"))
    assert t.view().current == 2
    assert statuses(t)[2] == "aboard"
    assert ("event.back", {"seat": 2}) in told[None]
    t.lay("accelerate")
    assert t.train.waiting() == [0, 1, 2, 3]


def test_st_7_8_who_hangs_on_is_back_when_they_draw() -> None:
    t = hanging(1)
    assert statuses(t)[1] == "hanging"
    facts = shown(t, t.quiet)
    assert facts["players.1.status"] == "aboard"
    assert (t.step, t.view().drawer) == ("draw", 1)
    assert statuses(t) == ["aboard"] * 4


def test_st_7_8_who_hangs_on_is_not_back_when_others_draw_or_are_handed_cards() -> None:
    t = hanging(0)
    t.quiet()
    for drawer, current in ((1, 2), (2, 3)):
        assert t.view().drawer == drawer
        t.at(OPEN, 30, FAST)
        t.turn("maintain-speed", quiet=False)
        assert t.view().current == current
        assert statuses(t)[0] == "hanging"
        t.passes()
    t.turn("maintain-speed", quiet=False)
    assert t.view().current == 0
    assert statuses(t)[0] == "aboard"


def test_st_7_8_who_hangs_on_plays_no_interventions_and_is_not_asked() -> None:
    t = hanging(0, ("burn", "conductor", "jam-the-controls"))
    assert t.cards(0) == []
    assert t.train.waiting() == [1, 2, 3]  # the aftermath goes on without them
    t.quiet()
    t.turn("accelerate", quiet=False)
    assert t.step == "effect-played"
    assert t.train.waiting() == [1, 2, 3]
    assert t.legal(0) == []
    for card in ("burn", "jam-the-controls"):
        assert refused_card(t, 0, card) == ("refused.hanging", "ST-7.8")
    give(t, 3, "passenger-list")
    t.play(3, "passenger-list")
    assert t.train.waiting() == [1, 2]
    assert refused_card(t, 0, "conductor") == ("refused.hanging", "ST-7.8")


def test_st_7_8_who_hangs_on_has_no_vote_on_the_route() -> None:
    t = hanging(0)
    t.quiet()
    t.at(BOX - 1, 30)
    t.train.route = -1
    t.turn("maintain-speed", quiet=False)
    t.passes()
    assert (t.step, t.train.waiting()) == ("vote-called", [1, 2, 3])
    give(t, 2, "citizens-arrest")
    assert targets(t, 2, "citizens-arrest") == named(1, 3)
    t.passes()
    assert t.train.waiting() == [1, 2, 3]
    assert refused(t, 0, {"do": "vote", "route": FAST}) == ("refused.hanging", "ST-7.8")


def test_st_7_8_who_hangs_on_neither_votes_nor_can_be_voted_for_at_a_second_meeting() -> None:
    t = hanging(0)
    give(t, 3, "second-meeting")
    t.works(3, "second-meeting")
    t.quiet()
    assert t.step == "ballot"
    order = []
    while t.step == "ballot":
        order += t.train.waiting()
        assert {"do": "throw-off", "seat": 0} not in t.legal(order[-1])
        t.throw_off(3 if order[-1] != 3 else 2)
    assert order == [2, 3, 1]


def test_st_7_8_who_hangs_on_cannot_be_named_or_robbed() -> None:
    t = hanging(0)
    t.quiet()
    permits(t, 1, 0, 0, 1)
    give(t, 3, "burn")
    assert targets(t, 3, "burn") == [{"do": "name-organiser"}]
    t.at(OPEN, 30, FAST)
    t.turn("sleight-of-hand-a", "second")
    assert t.step == "side"
    assert t.legal(2) == [{"do": "take", "seat": 3}, {"do": "take-organiser"}]


# --- 7.9 ------------------------------------------------------------------------------------------


def dragged() -> Staged:
    """Seat 2 was voted off and has dragged seat 1 along. Seats 1 and 2 have a permit each."""
    t = four()
    aftermath(t)
    give(t, 2, "youre-coming-with-me")
    permits(t, 0, 1, 1, 0, organiser=0)
    t.works(2, "youre-coming-with-me", 1)
    return t


def test_st_7_9_who_is_dragged_along_is_thrown_off_too() -> None:
    t = dragged()
    assert t.train.falling == [2, 1]
    t.quiet()
    assert statuses(t) == ["aboard", "off", "off", "aboard"]
    assert [player.permits for player in t.view().players] == [0, 0, 0, 0]
    assert t.view().organiser == 0
    assert t.view().meetings[0].off == [2, 1]


@pytest.mark.parametrize("character", ["stuntman", "prisoner-of-war"])
def test_st_7_9_who_is_dragged_along_counts_as_thrown_off(character: str) -> None:
    t = watched([], [], [], [], characters=["saboteur", character, "engineer"])
    aftermath(t)
    give(t, 2, "youre-coming-with-me")
    t.works(2, "youre-coming-with-me", 1)
    t.quiet()
    assert stop(t).outcomes[1].won


def test_st_7_9_who_is_dragged_along_may_hang_on_or_play_a_conductor() -> None:
    t = four()
    aftermath(t)
    give(t, 2, "youre-coming-with-me")
    give(t, 1, "hang-on", "conductor", "burn", "second-meeting")
    t.play(2, "youre-coming-with-me", 1)
    assert t.cards(1) == ["conductor"]
    t.passes()
    assert t.cards(1) == ["hang-on"]
    t.works(1, "hang-on")
    t.quiet()
    assert statuses(t)[2] == "off"
    assert t.view().meetings[0].off == [2]
    assert t.train.status[1] == where.ABOARD  # seat 1 draws at once


def test_st_7_9_who_is_dragged_along_may_be_rescued_and_stays_with_all_permits() -> None:
    t = dragged()
    give(t, 0, "extend-your-hand")
    assert targets(t, 0, "extend-your-hand") == named(1, 2)
    told = heard(t, lambda: t.works(0, "extend-your-hand", 1))
    assert told[None][-1] == ("event.saved", {"seat": 0, "other": 1})
    t.quiet()
    assert statuses(t) == ["aboard", "aboard", "off", "aboard"]
    assert [player.permits for player in t.view().players] == [0, 1, 0, 0]


def test_st_7_9_who_dragged_somebody_along_answers_the_hand_that_is_offered() -> None:
    t = dragged()
    give(t, 0, "extend-your-hand")
    told = heard(t, lambda: t.works(0, "extend-your-hand", 2))
    assert told[None][-1] == ("event.hand", {"seat": 0, "other": 2})
    assert t.step == "rescue"
    assert t.train.waiting() == [2]
    assert t.match.awaited().seats == [2]
    assert t.legal(2) == [{"do": "accept"}, {"do": "pull"}]
    assert t.legal(0) == []
    assert refused(t, 0, "accept") == ("refused.not-now", "ST-4.1")
    assert t.train.falling == [2, 1]


@pytest.mark.parametrize(
    ("choice", "status", "left"),
    [
        ("accept", ["aboard", "aboard", "aboard", "aboard"], [0, 1, 1, 0]),
        ("pull", ["off", "aboard", "off", "aboard"], [0, 1, 0, 0]),
    ],
)
def test_st_7_9_both_leave_or_both_stay_and_the_first_victim_stays_either_way(
    choice: str, status: list[str], left: list[int]
) -> None:
    t = dragged()
    give(t, 0, "extend-your-hand")
    t.works(0, "extend-your-hand", 2)
    told = heard(t, lambda: t.do(2, choice))
    key = "event.accepted" if choice == "accept" else "event.pulled"
    assert told[None][0] == (key, {"seat": 2, "other": 0, "victim": 1})
    assert t.step == "aftermath"
    t.quiet()
    assert statuses(t) == status
    assert [player.permits for player in t.view().players] == left
    assert t.view().meetings[0].off == ([] if choice == "accept" else [2, 0])


def test_st_7_9_a_rescuer_who_is_pulled_off_may_hang_on_and_the_other_may_not() -> None:
    t = four()
    rescue(t)
    t.do(2, "pull")
    give(t, 0, "hang-on", "burn")
    give(t, 2, "hang-on")
    give(t, 1, "hang-on")
    assert t.cards(0) == ["hang-on"]
    assert t.cards(1) == []
    assert t.cards(2) == []
    assert refused_card(t, 2, "hang-on") == ("refused.falling", "ST-7.3")
    t.works(0, "hang-on")
    t.quiet()
    assert statuses(t) == ["hanging", "aboard", "off", "aboard"]


def test_st_7_9_who_played_one_of_the_two_cannot_play_the_other() -> None:
    t = four()
    aftermath(t)
    give(t, 2, "youre-coming-with-me", "hang-on")
    assert t.cards(2) == ["hang-on", "youre-coming-with-me"]
    t.works(2, "youre-coming-with-me", 1)
    assert t.cards(2) == []
    other = four()
    aftermath(other)
    give(other, 2, "youre-coming-with-me", "hang-on")
    other.works(2, "hang-on")
    assert other.cards(2) == []
    assert refused_card(other, 2, "youre-coming-with-me") == ("refused.hanging", "ST-7.8")


@pytest.mark.parametrize(
    ("character", "won"), [("stuntman", False), ("chanteuse", True), ("prisoner-of-war", False)]
)
def test_st_7_9_who_was_saved_was_not_thrown_off(character: str, won: bool) -> None:
    t = watched([], [], [], [], characters=["saboteur", "engineer", character])
    aftermath(t)
    give(t, 0, "extend-your-hand")
    t.works(0, "extend-your-hand", 2)
    t.train.route = 0 if character == "chanteuse" else 1
    assert stop(t).outcomes[2].won is won
    assert statuses(t)[2] == "aboard"


def test_st_7_9_a_second_meeting_is_carried_out_last_of_all() -> None:
    t = four()
    aftermath(t)
    give(t, 3, "second-meeting")
    give(t, 2, "youre-coming-with-me")
    give(t, 0, "extend-your-hand")
    t.works(3, "second-meeting")
    assert t.step == "aftermath"
    assert t.train.waiting() == [0, 1, 2, 3]
    t.works(2, "youre-coming-with-me", 1)
    t.works(0, "extend-your-hand", 1)  # after which no card is left that could count here
    assert t.step == "meeting"
    assert statuses(t) == ["aboard", "aboard", "off", "aboard"]
    assert t.train.waiting() == [0, 1, 3]
    t.passes()
    assert t.train.waiting() == [3]
    assert t.legal(3) == ballots(0, 1)


def test_st_7_9_the_example_of_the_page() -> None:
    """Dario (3) drags Emma (4) along, and Carla (2) offers him her hand."""
    for choice, off in (("accept", []), ("pull", [3, 2])):
        t = table([], [], ["extend-your-hand", "hang-on"], ["youre-coming-with-me"], [])
        ballot(t)
        throw(t, 3)
        t.works(3, "youre-coming-with-me", 4)
        assert t.train.falling == [3, 4]
        t.works(2, "extend-your-hand", 3)
        t.do(3, choice)
        assert t.train.falling == off
        assert t.cards(2) == (["hang-on"] if off else [])
        t.quiet()
        assert [seat for seat in range(5) if statuses(t)[seat] == "off"] == sorted(off)
