"""Stop the Train!, rule by rule: meetings and who is thrown off (ST-5.5, ST-5.6)."""

from __future__ import annotations

import pytest

from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.track import MEETING_PLACE
from tests.games.stop_the_train.scenes import (
    BRIDGE,
    BRIDGE_END,
    FAST,
    IN_THE_LAST_TUNNEL,
    ON_THE_VIADUCT,
    TRACK,
    VIADUCT,
    aftermath,
    arrive,
    ballot,
    ballots,
    draw,
    four,
    give,
    heard,
    lose,
    meeting,
    named,
    permits,
    refused,
    refused_card,
    shown,
    statuses,
    targets,
    throw,
    vote_called,
    watched,
)

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
