"""Stop the Train!: emergency meetings and who leaves the train (ST-5.5, ST-5.6, ST-7.7 to ST-7.9)."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.track import MEETING_PLACE
from tests.games.stop_the_train.scenes import (
    BOX,
    BRIDGE,
    BRIDGE_END,
    FAST,
    IN_THE_LAST_TUNNEL,
    ON_THE_VIADUCT,
    OPEN,
    SCENIC,
    TRACK,
    VIADUCT,
    aftermath,
    arrive,
    ballot,
    draw,
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


def ballots(*others: int) -> list[dict[str, Any]]:
    return [{"do": "throw-off", "seat": other} for other in others]


def hanging(seat: int = 2, cards: tuple[str, ...] = ()) -> Staged:
    """Four players in the aftermath of a meeting; this seat was voted off and hangs on."""
    t = four()
    ballot(t)
    throw(t, seat)
    give(t, seat, "hang-on", *cards)
    t.works(seat, "hang-on")
    return t


# --- 5.5 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "route", "held"),
    [
        (BRIDGE - 1, "", False),
        (BRIDGE, "", True),
        (BRIDGE_END, "", True),
        (BRIDGE_END + 1, "", False),  # only the rear is still on it
        (ON_THE_VIADUCT - 1, VIADUCT, False),
        (ON_THE_VIADUCT, VIADUCT, True),
    ],
)
def test_st_5_5_a_meeting_is_held_when_the_front_stands_on_a_bridge_or_viaduct(
    place: int, route: str, held: bool
) -> None:
    t = four()
    arrive(t, place, route)
    assert (t.step == "meeting") == held


def test_st_5_5_there_is_no_meeting_where_only_another_route_has_a_viaduct() -> None:
    marks = zip(TRACK.marks[0], TRACK.marks[1], strict=False)
    place = next(
        place
        for place, (fast, viaduct) in enumerate(marks)
        if viaduct & MEETING_PLACE and not fast & MEETING_PLACE
    )
    t = four()
    arrive(t, place, FAST)
    assert t.step != "meeting"


@pytest.mark.parametrize(
    ("gone", "held"), [([], True), ([3], True), ([2, 3], False), ([0, 2, 3], False)]
)
def test_st_5_5_more_than_two_must_be_on_board(gone: list[int], held: bool) -> None:
    t = four()
    t.hand("maintain-speed", "maintain-speed", "maintain-speed")
    t.discard("maintain-speed")
    lose(t, *gone)
    t.at(BRIDGE - 1, 30)
    t.lay("maintain-speed")
    t.passes()
    assert t.step == ("meeting" if held else "draw")


def test_st_5_5_three_players_hold_meetings() -> None:
    t = watched([], [], [])
    arrive(t, BRIDGE)
    assert t.step == "meeting"


def test_st_5_5_every_turn_that_ends_on_a_bridge_has_its_meeting() -> None:
    t = four()
    for _ in range(3):
        arrive(t, BRIDGE)
        assert t.step == "meeting"
        t.passes()
        order = t.train.waiting()[0]
        # Nobody is thrown off: they vote two against two.
        for other in ((order + 1) % 4, order, (order + 1) % 4, order):
            t.throw_off(other)
        t.quiet()
        assert statuses(t) == ["aboard"] * 4
    assert len(t.view().meetings) == 3


def test_st_5_5_a_meeting_comes_before_the_next_player_draws() -> None:
    t = four()
    arrive(t, BRIDGE)
    assert t.view().turn == 1
    t.passes()
    throw(t, 3)
    t.quiet()
    assert (t.step, t.view().turn, t.view().drawer) == ("draw", 2, 1)


@pytest.mark.parametrize("minutes", [5, 3, 15])
def test_st_5_5_everybody_is_called_to_speak_for_as_long_as_the_table_likes(minutes: int) -> None:
    t = four() if minutes == 5 else four(talk_minutes=minutes)
    told = heard(t, lambda: arrive(t, BRIDGE))
    for viewer in (None, 0, 1, 2, 3):
        assert told[viewer][-1] == ("event.meeting", {"minutes": minutes})
    assert t.train.waiting() == [0, 1, 2, 3]


@pytest.mark.parametrize(("drawer", "order"), [(0, [2, 3, 0, 1]), (2, [0, 1, 2, 3])])
def test_st_5_5_the_vote_goes_round_from_the_left_of_the_current_player(
    drawer: int, order: list[int]
) -> None:
    t = four(first=drawer + 1)
    arrive(t, BRIDGE)
    t.passes()
    for seat in order:
        assert t.step == "ballot"
        assert t.train.waiting() == [seat]
        assert t.match.awaited().seats == [seat]
        t.throw_off((seat + 1) % 4)
    assert t.step == "aftermath"


def test_st_5_5_the_vote_is_open() -> None:
    t = four()
    ballot(t)
    told = heard(t, lambda: t.throw_off(0))
    for viewer in (None, 0, 1, 2, 3):
        assert told[viewer] == [("event.ballot", {"seat": 2, "other": 0})]
    found = t.view().meeting
    assert found is not None
    assert found.ballots == [-1, -1, 0, -1]


def test_st_5_5_one_votes_for_exactly_one_other_player_on_board() -> None:
    t = watched([], [], [], [], [])
    lose(t, 4)
    t.train.status[4] = where.DEAD
    meeting(t)
    t.passes()
    assert t.train.waiting() == [2]
    assert t.legal(2) == ballots(0, 1, 3)
    assert refused(t, 2, *ballots(2)) == ("refused.ballot", "ST-5.5")
    assert refused(t, 2, *ballots(4)) == ("refused.ballot", "ST-5.5")
    assert refused(t, 2, "pass") == ("refused.pass", "ST-7.5")


def test_st_5_5_nobody_votes_out_of_turn_twice_or_outside_a_meeting() -> None:
    t = four()
    assert refused(t, 0, *ballots(1)) == ("refused.ballot", "ST-5.5")
    meeting(t)
    assert refused(t, 2, *ballots(1)) == ("refused.window", "ST-7.5")
    t.passes()
    assert refused(t, 3, *ballots(1)) == ("refused.ballot", "ST-5.5")
    assert t.legal(3) == []
    t.throw_off(1)
    assert t.legal(2) == []
    assert refused(t, 2, *ballots(0)) == ("refused.ballot", "ST-5.5")


@pytest.mark.parametrize(
    ("votes", "off", "count"),
    [
        ([3, 2, 3, 2], None, 0),  # two against two
        ([3, 0, 1, 2], None, 0),  # one each
        ([3, 2, 1, 0], None, 0),
        ([0, 0, 1, 3], 0, 2),  # two are most
        ([3, 1, 3, 3], 3, 3),
        ([1, 1, 1, 0], 1, 3),  # the current player too
        ([0, 2, 2, 2], 2, 3),
    ],
)
def test_st_5_5_who_has_most_votes_is_thrown_off_and_in_a_tie_nobody(
    votes: list[int], off: int | None, count: int
) -> None:
    t = four()
    ballot(t)
    t.throw_off(*votes[:3])
    told = heard(t, lambda: t.throw_off(votes[3]))[None]
    if off is None:
        assert told[-1] == ("event.nobody-falls", {})
    else:
        assert told[-1] == ("event.falling", {"seat": off, "count": count})
    t.quiet()
    assert [seat for seat in range(4) if statuses(t)[seat] == "off"] == (
        [] if off is None else [off]
    )
    assert t.view().meetings[0].off == ([] if off is None else [off])
    assert t.view().meetings[0].ballots == [votes[2], votes[3], votes[0], votes[1]]


def test_st_5_5_who_loses_the_vote_is_not_off_before_the_aftermath_is_over() -> None:
    t = four()
    aftermath(t)
    assert t.step == "aftermath"
    assert statuses(t) == ["aboard"] * 4
    found = t.view().meeting
    assert found is not None
    assert found.falling == [2]
    t.passes()
    assert statuses(t) == ["aboard", "aboard", "off", "aboard"]


# --- 5.6 ------------------------------------------------------------------------------------------


def test_st_5_6_permits_and_interventions_of_who_is_thrown_off_leave_the_game() -> None:
    t = watched([], [], ["burn", "spy"], [])
    aftermath(t)
    permits(t, 0, 0, 1, 1, organiser=0)
    undealt = t.train.undealt
    told = shown(t, t.passes)
    assert told["players.2.status"] == "off"
    assert told["players.2.permits"] == 0
    view = t.view(2)
    assert (view.players[2].status, view.players[2].permits) == ("off", 0)
    assert view.players[2].interventions == 0
    assert view.own is not None
    assert view.own.cards == []
    assert (view.organiser, view.players[3].permits) == (0, 1)
    assert t.train.undealt == undealt


def test_st_5_6_all_hear_who_is_off_but_not_who_it_was() -> None:
    t = four()
    aftermath(t)
    told = heard(t, t.passes)
    for viewer in (None, 0, 1, 3):
        assert told[viewer][0] == ("event.off", {"seat": 2})
        assert all("role" not in args for _, args in told[viewer])
        assert t.view(viewer).characters == []


def test_st_5_6_who_is_off_has_no_further_part() -> None:
    t = four()
    aftermath(t)
    t.passes()
    assert t.view().drawer == 1
    t.hand("accelerate", "accelerate", "accelerate")
    t.discard("accelerate")
    assert t.view().current == 3  # seat 2 is skipped
    t.lay("accelerate")
    assert t.train.waiting() == [0, 1, 3]
    assert t.legal(2) == []
    assert refused(t, 2, "pass") == ("refused.left", "ST-5.6")
    give(t, 2, "jam-the-controls", "burn", "hang-on")
    assert t.cards(2) == []
    for card in ("jam-the-controls", "burn", "hang-on"):
        assert refused_card(t, 2, card) == ("refused.left", "ST-5.6")


def test_st_5_6_who_is_off_has_no_vote_at_the_signal_box_or_a_meeting() -> None:
    t = four()
    lose(t, 2)
    vote_called(t)
    assert t.train.waiting() == [0, 1, 3]
    t.passes()
    assert t.train.waiting() == [0, 1, 3]
    assert refused(t, 2, {"do": "vote", "route": FAST}) == ("refused.left", "ST-5.6")
    t.vote(FAST, FAST, FAST)
    t.quiet()
    t.at(ON_THE_VIADUCT - 1, 30, VIADUCT)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    assert t.train.waiting() == [0, 1, 3]
    t.passes()
    order = []
    while t.step == "ballot":
        order += t.train.waiting()
        assert {"do": "throw-off", "seat": 2} not in t.legal(order[-1])
        t.throw_off(1 if order[-1] != 1 else 0)
    assert order == [0, 1, 3]  # seat 3 was the current player: seat 1 drew


def test_st_5_6_nothing_can_name_or_rob_who_is_off() -> None:
    t = four()
    lose(t, 2)
    t.train.permits[2] = 1  # even so
    give(t, 0, "burn", "rooftop-showdown", "citizens-arrest", "murder-in-the-dark")
    draw(t)
    t.train.permits = [0, 0, 1, 1]
    assert targets(t, 0, "burn") == [*named(3), {"do": "name-organiser"}]
    assert targets(t, 0, "rooftop-showdown") == named(3)
    vote_called(t)
    assert targets(t, 0, "citizens-arrest") == named(1, 3)
    t.passes()
    t.vote(FAST, FAST, FAST)
    t.quiet()
    last = four()
    lose(last, 2)
    give(last, 0, "murder-in-the-dark")
    draw(last)
    arrive(last, IN_THE_LAST_TUNNEL, FAST)
    last.train.permits = [0, 0, 1, 1]
    assert targets(last, 0, "murder-in-the-dark") == named(1, 3)
    last.passes()
    assert last.legal(1) == [
        {"do": "decline"},
        {"do": "take", "seat": 3},
        {"do": "take-organiser"},
    ]


@pytest.mark.parametrize(
    ("effect", "do"), [("theft", "rob"), ("id-check", "look"), ("sleight-of-hand-c", "take")]
)
def test_st_5_6_no_effect_card_is_about_who_is_off(effect: str, do: str) -> None:
    t = watched([], [], [], [])
    lose(t, 2)
    draw(t)
    t.turn(effect, "second")
    t.train.permits = [1, 0, 1, 1]
    seats = [choice["seat"] for choice in t.legal(1) if choice["do"] == do]
    assert seats == [0, 3]


def test_st_5_6_if_the_current_player_is_thrown_off_the_next_on_board_draws() -> None:
    t = four()
    ballot(t)
    throw(t, 1)
    t.passes()
    assert (t.step, t.view().drawer) == ("draw", 2)


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
