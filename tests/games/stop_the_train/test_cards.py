"""Stop the Train!: interventions that have their moment, each by itself (the table of ST-7.5)."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.track import LAST_TUNNEL, TUNNEL
from tests.games.stop_the_train.lines import own
from tests.games.stop_the_train.scenes import (
    FAST,
    IN_A_TUNNEL,
    IN_THE_LAST_TUNNEL,
    OPEN,
    SCENIC,
    TRACK,
    VIADUCT,
    aftermath,
    arrive,
    ballots,
    draw,
    effect_played,
    four,
    give,
    heard,
    kinds,
    last_tunnel,
    lose,
    meeting,
    named,
    peace,
    permits,
    refused,
    refused_card,
    routes,
    shown,
    statuses,
    targets,
    throw,
    tied_vote,
    vote,
    vote_called,
    vote_decided,
    watched,
)
from tests.games.stop_the_train.tables import Staged


def votes(*names: str) -> list[dict[str, Any]]:
    return [{"do": "vote", "route": name} for name in names]


def falling(t: Staged) -> list[int]:
    found = t.view().meeting
    assert found is not None
    return found.falling


# --- vote called ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("closed", "left"),
    [(FAST, [VIADUCT, SCENIC]), (VIADUCT, [FAST, SCENIC]), (SCENIC, [FAST, VIADUCT])],
)
def test_st_7_5_broken_track_closes_a_route_to_voters(closed: str, left: list[str]) -> None:
    t = watched(["broken-track"], [], [], [])
    vote_called(t)
    assert targets(t, 0, "broken-track") == routes(FAST, VIADUCT, SCENIC)
    told = heard(t, lambda: t.works(0, "broken-track", route=closed))
    assert told[None] == [
        ("event.intervened.route", {"seat": 0, "card": "broken-track", "route": closed}),
        ("event.closed", {"route": closed}),
    ]
    assert t.view().vote.closed == closed
    t.passes()
    for seat in range(4):
        assert t.legal(seat) == votes(*left)
        assert refused(t, seat, *votes(closed)) == ("refused.closed", "ST-7.5")


def test_st_7_5_open_vote_shows_this_vote_with_names_once_all_have_voted() -> None:
    t = watched([], [], ["open-vote"], [])
    vote_called(t)
    told = heard(t, lambda: t.works(2, "open-vote"))
    assert told[None] == [
        ("event.intervened", {"seat": 2, "card": "open-vote"}),
        ("event.open-vote", {}),
    ]
    assert t.view().vote.open
    t.passes()
    assert t.train.waiting() == [0, 1, 2, 3]
    told = heard(t, lambda: t.do(3, *votes(SCENIC)))
    assert told[0] == []
    assert t.view(0).vote.counted == []
    t.do(0, *votes(FAST))
    t.do(1, *votes(SCENIC))
    told = heard(t, lambda: t.do(2, *votes(VIADUCT)))
    shown_votes = [
        (args["seat"], args["route"]) for key, args in told[None] if key == "event.vote-shown"
    ]
    assert shown_votes == [(0, FAST), (1, SCENIC), (2, VIADUCT), (3, SCENIC)]
    counted = t.view().vote.counted[0]
    assert counted.voters == [0, 1, 2, 3]
    assert counted.routes == [FAST, SCENIC, VIADUCT, SCENIC]


def test_st_7_5_without_open_vote_no_names_are_shown() -> None:
    t = four()
    vote(t)
    told = heard(t, lambda: t.vote(FAST, SCENIC, VIADUCT, SCENIC))
    assert [key for key, _ in told[0]] == ["event.votes"]
    assert t.view(0).vote.counted[0].routes == []


def test_st_7_5_a_second_open_vote_is_of_no_use() -> None:
    t = watched(["open-vote"], ["open-vote"], [], [])
    vote_called(t)
    t.works(0, "open-vote")
    assert refused_card(t, 1, "open-vote") == ("refused.no-use", "ST-7.5")


def test_st_7_5_citizens_arrest_leaves_another_player_out_of_the_vote() -> None:
    t = watched(["citizens-arrest", "citizens-arrest"], [], [], [])
    vote_called(t)
    assert targets(t, 0, "citizens-arrest") == named(1, 2, 3)
    told = heard(t, lambda: t.works(0, "citizens-arrest", 2))
    assert told[None] == [
        ("event.intervened.seat", {"seat": 0, "card": "citizens-arrest", "other": 2}),
        ("event.arrested", {"seat": 2}),
    ]
    assert t.view().vote.arrested == [2]
    assert targets(t, 0, "citizens-arrest") == named(1, 3)
    assert t.train.waiting() == [0, 1, 2, 3]  # who was arrested may still play cards
    t.passes()
    assert t.train.waiting() == [0, 1, 3]
    assert t.legal(2) == []
    assert refused(t, 2, *votes(FAST)) == ("refused.arrested", "ST-7.5")
    t.vote(FAST, FAST, FAST)
    assert t.view().vote.tally == [3, 0, 0]


# --- vote decided ---------------------------------------------------------------------------------


@pytest.mark.parametrize("route", [FAST, VIADUCT, SCENIC])
def test_st_7_5_run_the_red_imposes_any_open_route(route: str) -> None:
    t = watched([], [], ["run-the-red"], ["second-choice", "swing-vote"])
    vote_decided(t)
    assert targets(t, 2, "run-the-red") == routes(FAST, VIADUCT, SCENIC)
    told = heard(t, lambda: t.works(2, "run-the-red", route=route))
    assert told[None][:3] == [
        ("event.intervened.route", {"seat": 2, "card": "run-the-red", "route": route}),
        ("event.imposed", {"seat": 2, "route": route}),
        ("event.route", {"route": route}),
    ]
    assert t.view().route == route
    assert t.view().vote.imposed
    assert t.step == "draw"


def test_st_7_5_second_choice_annuls_the_vote_and_the_cards_used_leave_the_game() -> None:
    t = watched(["second-choice"], [], [], [])
    vote(t)
    t.vote(FAST, VIADUCT, SCENIC, FAST)
    told = heard(t, lambda: t.works(0, "second-choice"))
    assert told[None] == [
        ("event.intervened", {"seat": 0, "card": "second-choice"}),
        ("event.annulled", {}),
    ]
    assert t.step == "vote"
    assert t.train.waiting() == [0, 1, 2, 3]
    assert t.view().vote.decided == ""
    assert t.view().vote.tally == []
    assert t.legal(0) == votes(VIADUCT, SCENIC)
    assert t.legal(1) == votes(FAST, SCENIC)
    assert t.legal(2) == votes(FAST, VIADUCT)
    assert refused(t, 0, *votes(FAST)) == ("refused.vote", "ST-5.4")
    assert own(t, 3).ballots_left == [VIADUCT, SCENIC]
    t.vote(SCENIC, SCENIC, FAST, SCENIC)
    assert t.view().vote.tally == [1, 0, 3]
    t.quiet()
    assert t.view().route == SCENIC


def test_st_7_5_swing_vote_chooses_among_tied_routes() -> None:
    t = watched([], [], [], ["swing-vote"])
    tied_vote(t)
    assert t.view().vote.decided == VIADUCT  # the shorter of the two
    assert targets(t, 3, "swing-vote") == routes(VIADUCT, SCENIC)
    told = heard(t, lambda: t.works(3, "swing-vote", route=SCENIC))
    assert told[None] == [
        ("event.intervened.route", {"seat": 3, "card": "swing-vote", "route": SCENIC}),
        ("event.swung", {"seat": 3, "route": SCENIC}),
    ]
    assert t.view().route == ""
    t.quiet()
    assert t.view().route == SCENIC


def test_st_7_5_swing_vote_needs_a_tie() -> None:
    t = watched([], [], [], ["swing-vote"])
    vote(t)
    t.vote(FAST, FAST, SCENIC, VIADUCT)
    assert t.cards(3) == []
    assert refused_card(t, 3, "swing-vote") == ("refused.other-window", "ST-7.4")


def test_st_7_5_with_no_votes_at_all_swing_vote_chooses_among_all_open_routes() -> None:
    t = watched(["citizens-arrest", "swing-vote"], ["citizens-arrest", "broken-track"], [], [])
    lose(t, 2, 3)
    vote_called(t)
    t.works(0, "citizens-arrest", 1)
    t.works(1, "citizens-arrest", 0)
    t.works(1, "broken-track", route=FAST)
    t.passes()
    assert t.step == "vote-decided"
    assert t.view().vote.decided == VIADUCT
    assert targets(t, 0, "swing-vote") == routes(VIADUCT, SCENIC)


# --- meeting --------------------------------------------------------------------------------------


def test_st_7_5_occupied_takes_no_part_in_the_vote() -> None:
    t = watched([], [], [], ["occupied"])
    meeting(t)
    told = heard(t, lambda: t.works(3, "occupied"))
    assert told[None] == [
        ("event.intervened", {"seat": 3, "card": "occupied"}),
        ("event.occupied", {"seat": 3}),
    ]
    t.passes()
    order = []
    while t.step == "ballot":
        order += t.train.waiting()
        assert {"do": "throw-off", "seat": 3} not in t.legal(order[-1])
        assert refused(t, 3, *ballots(0)) == ("refused.ballot", "ST-5.5")
        t.throw_off(0 if order[-1] != 0 else 1)
    assert order == [2, 0, 1]


def test_st_7_5_who_is_occupied_cannot_be_dragged_off() -> None:
    t = watched([], [], ["youre-coming-with-me"], ["occupied"])
    meeting(t)
    t.works(3, "occupied")
    t.passes()
    throw(t, 2)
    assert targets(t, 2, "youre-coming-with-me") == named(0, 1)


def test_st_7_5_first_class_counts_double_for_its_player_alone() -> None:
    t = watched([], [], [], ["first-class-passenger"])
    meeting(t)
    told = heard(t, lambda: t.works(3, "first-class-passenger"))
    assert told[None] == [
        ("event.intervened", {"seat": 3, "card": "first-class-passenger"}),
        ("event.first-class", {"seat": 3}),
    ]
    t.passes()
    told = heard(t, lambda: t.throw_off(1, 0, 2, 3))
    assert ("event.falling", {"seat": 0, "count": 2}) in told[None]
    assert falling(t) == [0]


def test_st_7_5_two_first_class_tickets_do_not_add_up() -> None:
    t = watched([], [], [], ["first-class-passenger", "first-class-passenger"])
    meeting(t)
    t.works(3, "first-class-passenger")
    assert refused_card(t, 3, "first-class-passenger") == ("refused.no-use", "ST-7.5")
    t.passes()
    t.throw_off(1, 0, 1, 2)
    assert falling(t) == []  # two votes against two


def test_st_7_5_two_players_can_each_travel_first_class_or_be_occupied() -> None:
    t = watched([], [], ["first-class-passenger"], ["first-class-passenger"])
    meeting(t)
    t.works(3, "first-class-passenger")
    t.works(2, "first-class-passenger")
    t.passes()
    t.throw_off(1, 1, 3, 3)
    assert falling(t) == [1]  # four against two
    other = watched([], [], ["occupied", "occupied"], ["occupied"][:0])
    meeting(other)
    other.works(2, "occupied")
    assert refused_card(other, 2, "occupied") == ("refused.no-use", "ST-7.5")


def test_st_7_5_secret_ballot_lets_all_vote_at_once_and_unseen() -> None:
    t = watched([], [], [], ["secret-ballot"])
    meeting(t)
    told = heard(t, lambda: t.works(3, "secret-ballot"))
    assert told[None] == [
        ("event.intervened", {"seat": 3, "card": "secret-ballot"}),
        ("event.secret-ballot", {}),
    ]
    t.passes()
    assert t.train.waiting() == [0, 1, 2, 3]
    told = heard(t, lambda: t.do(1, *ballots(2)))
    assert told[None] == told[0] == told[2] == []
    for viewer in (None, 0, 2, 3):
        found = t.view(viewer).meeting
        assert found is not None
        assert (found.ballots, found.tally, found.voted) == ([], [], [1])
    assert own(t, 1).secret_ballots == {"1": 2}
    assert own(t, 0).secret_ballots == {}


def test_st_7_5_secret_ballot_shows_totals_only() -> None:
    t = watched([], [], [], ["secret-ballot"])
    meeting(t)
    t.works(3, "secret-ballot")
    t.passes()
    t.do(1, *ballots(2))
    t.do(0, *ballots(2))
    t.do(2, *ballots(0))
    told = heard(t, lambda: t.do(3, *ballots(2)))
    for viewer in (None, 0, 1, 2, 3):
        assert told[viewer] == [
            ("event.ballots", {"seat": 0, "count": 1}),
            ("event.ballots", {"seat": 2, "count": 3}),
            ("event.falling", {"seat": 2, "count": 3}),
        ]
        found = t.view(viewer).meeting
        assert found is not None
        assert (found.ballots, found.tally) == ([], [1, 0, 3, 0])
    t.quiet()
    assert t.view(0).meetings[0].ballots == []
    assert t.view(0).meetings[0].secret
    assert own(t, 1).secret_ballots == {"1": 2}


@pytest.mark.parametrize(("first", "then"), [(2, 0), (0, 2), (0, 3)])
def test_st_7_5_a_secret_ballot_can_be_changed_until_the_last_one_is_in(
    first: int, then: int
) -> None:
    t = watched([], [], [], ["secret-ballot"])
    meeting(t)
    t.works(3, "secret-ballot")
    t.passes()
    t.do(1, *ballots(first))
    assert t.train.waiting() == [0, 2, 3]
    assert t.legal(1) == ballots(0, 2, 3)
    t.do(1, *ballots(then))
    assert t.train.waiting() == [0, 2, 3]
    for seat in (0, 2):
        assert t.legal(seat) == ballots(*[other for other in range(4) if other != seat])
        t.do(seat, *ballots(1 if seat == then else then))
    t.do(3, *ballots(1 if then == 3 else then))
    assert falling(t) == [then]


def test_st_7_5_lock_the_doors_holds_no_vote() -> None:
    t = watched([], [], [], ["lock-the-doors"])
    meeting(t)
    told = heard(t, lambda: t.works(3, "lock-the-doors"))
    assert told[None] == [
        ("event.intervened", {"seat": 3, "card": "lock-the-doors"}),
        ("event.locked", {}),
    ]
    t.passes()
    assert t.step == "aftermath"
    assert falling(t) == []
    t.passes()
    assert t.step == "draw"
    assert statuses(t) == ["aboard"] * 4


# --- aftermath ------------------------------------------------------------------------------------


def test_st_7_5_extend_your_hand_saves_another_player() -> None:
    t = watched(["extend-your-hand"], [], ["burn"], [])
    aftermath(t)
    permits(t, 0, 0, 1, 0)
    assert targets(t, 0, "extend-your-hand") == named(2)
    told = heard(t, lambda: t.works(0, "extend-your-hand", 2))
    assert told[None] == [
        ("event.intervened.seat", {"seat": 0, "card": "extend-your-hand", "other": 2}),
        ("event.saved", {"seat": 0, "other": 2}),
    ]
    assert falling(t) == []
    t.quiet()
    assert statuses(t) == ["aboard"] * 4
    assert t.view().players[2].permits == 1
    assert "burn" in own(t, 2).cards


def test_st_7_5_extend_your_hand_is_not_for_oneself() -> None:
    t = watched([], [], ["extend-your-hand"], [])
    aftermath(t)
    assert t.cards(2) == []
    assert refused_card(t, 2, "extend-your-hand") == ("refused.falling", "ST-7.3")


def test_st_7_5_hang_on_saves_oneself() -> None:
    t = watched([], [], ["hang-on"], [])
    aftermath(t)
    told = heard(t, lambda: t.works(2, "hang-on"))
    assert told[None] == [
        ("event.intervened", {"seat": 2, "card": "hang-on"}),
        ("event.hanging", {"seat": 2}),
    ]
    assert falling(t) == []
    other = watched([], [], ["hang-on"], [])
    aftermath(other)
    assert shown(other, lambda: other.works(2, "hang-on"))["players.2.status"] == "hanging"


def test_st_7_5_youre_coming_with_me_drags_another_player_along() -> None:
    t = watched([], [], ["youre-coming-with-me"], [])
    aftermath(t)
    assert targets(t, 2, "youre-coming-with-me") == named(0, 1, 3)
    told = heard(t, lambda: t.works(2, "youre-coming-with-me", 3))
    assert told[None] == [
        ("event.intervened.seat", {"seat": 2, "card": "youre-coming-with-me", "other": 3}),
        ("event.dragged", {"seat": 2, "other": 3}),
    ]
    assert falling(t) == [2, 3]
    told = heard(t, t.quiet)
    assert told[None][:2] == [("event.off", {"seat": 2}), ("event.off", {"seat": 3})]
    assert statuses(t) == ["aboard", "aboard", "off", "off"]


def test_st_7_5_after_second_meeting_the_result_stands_and_those_left_meet_again() -> None:
    t = watched(["second-meeting"], [], [], [])
    aftermath(t)
    told = heard(t, lambda: t.works(0, "second-meeting"))
    assert told[None] == [
        ("event.intervened", {"seat": 0, "card": "second-meeting"}),
        ("event.second-meeting", {}),
    ]
    t.passes()
    assert statuses(t) == ["aboard", "aboard", "off", "aboard"]
    assert (t.step, t.view().turn, t.train.waiting()) == ("meeting", 1, [0, 1, 3])
    t.passes()
    t.throw_off(0)
    t.throw_off(3)
    t.throw_off(0)
    t.quiet()
    assert statuses(t) == ["off", "aboard", "off", "aboard"]
    assert (t.step, t.view().turn) == ("draw", 2)


def test_st_7_5_a_second_meeting_follows_a_tie_or_locked_doors_too() -> None:
    tie = watched(["second-meeting"], [], [], [])
    peace(tie)
    tie.works(0, "second-meeting")
    assert (tie.step, tie.train.waiting()) == ("meeting", [0, 1, 2, 3])
    locked = watched(["second-meeting"], ["lock-the-doors"], [], [])
    meeting(locked)
    locked.works(1, "lock-the-doors")
    locked.passes()
    locked.works(0, "second-meeting")
    assert (locked.step, locked.train.waiting()) == ("meeting", [0, 1, 2, 3])
    locked.passes()
    assert locked.step == "ballot"


# --- own draw -------------------------------------------------------------------------------------


def test_st_7_5_gun_to_the_head_passes_one_card_which_must_be_played() -> None:
    t = watched(["gun-to-the-head"], [], [], [])
    draw(t)
    told = heard(t, lambda: t.works(0, "gun-to-the-head"))
    assert told[None] == [
        ("event.intervened", {"seat": 0, "card": "gun-to-the-head"}),
        ("event.gun", {"seat": 0}),
    ]
    t.hand("accelerate", "hard-brake", "speed-up")
    assert t.legal(0, {"do": "discard", "effect": "hard-brake"}) == [
        {"do": "discard", "effect": "accelerate"},
        {"do": "discard", "effect": "speed-up"},
    ]
    assert refused(t, 0, {"do": "discard", "effect": "hard-brake"})[0] == "refused.unfinished"
    told = heard(t, lambda: t.discard("hard-brake", "accelerate"))
    assert told[None] == [
        ("event.discarded", {"seat": 0, "count": 2}),
        ("event.passed", {"seat": 0, "other": 1, "count": 1}),
    ]
    assert t.train.discards[-2:] == kinds("hard-brake", "accelerate")
    assert t.legal(1) == [{"do": "play", "effect": "speed-up"}]
    discards = t.view().discards
    t.lay("speed-up")
    t.quiet()
    assert t.view().turns[0].speed == 180
    assert t.view().discards == discards  # the current player had nothing to discard
    assert t.view().turns[0].gun


def test_st_7_5_gun_to_the_head_lasts_for_its_turn_and_is_not_doubled() -> None:
    t = watched(["gun-to-the-head", "gun-to-the-head"], [], [], [])
    draw(t)
    t.works(0, "gun-to-the-head")
    assert refused_card(t, 0, "gun-to-the-head") == ("refused.no-use", "ST-7.5")
    t.hand("accelerate", "accelerate", "accelerate")
    t.discard("accelerate", "accelerate")
    assert refused_card(t, 0, "gun-to-the-head") == ("refused.other-window", "ST-7.4")
    t.lay("accelerate")
    t.quiet()
    t.hand("accelerate", "accelerate", "accelerate")
    t.discard("accelerate")
    assert len(own(t, 2).effects) == 2


# --- effect played --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "effect", ["full-speed-ahead", "accelerate", "apply-the-brakes", "hit-the-brakes", "hard-brake"]
)
def test_st_7_5_jam_the_controls_keeps_the_speed_and_the_train_moves(effect: str) -> None:
    t = watched([], [], ["jam-the-controls"], [])
    t.at(OPEN, 90, FAST)
    t.turn(effect, quiet=False)
    told = heard(t, lambda: t.works(2, "jam-the-controls"))
    assert told[None] == [
        ("event.intervened", {"seat": 2, "card": "jam-the-controls"}),
        ("event.jammed", {"effect": effect}),
    ]
    assert t.view().turns[0].jammed
    t.quiet()
    assert (t.view().speed, t.view().at) == (90, OPEN + 3)


def test_st_7_5_a_jam_lasts_for_one_card() -> None:
    t = watched([], [], ["jam-the-controls"], [])
    t.at(OPEN, 30, FAST)
    t.turn("accelerate", quiet=False)
    t.works(2, "jam-the-controls")
    t.quiet()
    t.turn("accelerate")
    assert t.view().speed == 60


def test_st_7_5_seize_control_makes_the_current_player_play_the_other_card() -> None:
    t = watched([], [], ["seize-control"], [])
    effect_played(t)
    told = heard(t, lambda: t.works(2, "seize-control"))
    assert told[None] == [
        ("event.intervened", {"seat": 2, "card": "seize-control"}),
        ("event.seized", {"seat": 1, "effect": "accelerate"}),
    ]
    assert (t.step, t.train.waiting()) == ("play", [1])
    assert t.legal(1) == [{"do": "play", "effect": "hit-the-brakes"}]
    assert t.train.pile == kinds("apply-the-brakes", "speed-up")
    assert t.train.discards[-2:] == kinds("speed-up", "accelerate")
    t.lay("hit-the-brakes")
    assert (t.step, t.train.waiting()) == ("effect-played", [0, 1, 2, 3])
    t.passes()
    assert (t.view().speed, t.view().at) == (60, OPEN + 2)
    assert t.train.pile == kinds("apply-the-brakes", "speed-up", "hit-the-brakes")
    assert t.train.discards[-2:] == kinds("speed-up", "accelerate")
    assert t.view().turns[0].seized == "accelerate"


@pytest.mark.parametrize(
    ("played", "aside", "speed"),
    [("full-speed-ahead", "hard-brake", 30), ("hard-brake", "full-speed-ahead", 180)],
)
def test_st_7_5_seize_control_can_slow_the_train_down_or_speed_it_up(
    played: str, aside: str, speed: int
) -> None:
    t = watched([], [], ["seize-control"], [])
    draw(t)
    t.hand(played, aside, "theft")
    t.discard("theft")
    t.lay(played)
    t.works(2, "seize-control")
    t.lay(aside)
    t.quiet()
    assert t.view().speed == speed
    turn = t.view(1).turns[0]
    assert (turn.effect, turn.seized, turn.set_aside) == (aside, played, "")


def test_st_7_5_seize_control_lets_the_current_player_choose_the_side() -> None:
    t = watched([], [], ["seize-control"], [])
    draw(t)
    t.hand("accelerate", "sleight-of-hand-a", "accelerate")
    t.discard("accelerate")
    t.lay("accelerate")
    t.works(2, "seize-control")
    assert t.legal(1, {"do": "play", "effect": "sleight-of-hand-a"}) == [
        {"do": "side", "side": "first"},
        {"do": "side", "side": "second"},
    ]
    t.lay("sleight-of-hand-a", "second")
    t.quiet()
    t.do(1, "take-organiser")
    assert t.view().players[1].permits == 1
    assert t.view().speed == 150


# --- last tunnel ----------------------------------------------------------------------------------


def test_st_7_5_murder_in_the_dark_kills_another_player() -> None:
    t = watched(["murder-in-the-dark"], [], ["burn"], [])
    last_tunnel(t)
    permits(t, 0, 0, 1, 0, organiser=1)
    assert targets(t, 0, "murder-in-the-dark") == named(1, 2, 3)
    told = heard(t, lambda: t.works(0, "murder-in-the-dark", 2))
    assert told[None] == [
        ("event.intervened.seat", {"seat": 0, "card": "murder-in-the-dark", "other": 2}),
        ("event.murdered", {"seat": 2}),
    ]
    assert statuses(t) == ["aboard", "aboard", "dead", "aboard"]
    assert t.view().players[2].permits == 0
    assert t.view().players[2].interventions == 0
    assert own(t, 2).cards == []
    assert t.view().organiser == 1
    assert t.view().characters == []
    assert (t.step, t.train.waiting()) == ("tunnel", [1])
    assert t.legal(1) == [{"do": "decline"}, {"do": "take-organiser"}]
    t.do(1, "decline")
    assert refused(t, 2, "pass") == ("refused.left", "ST-6.4")
    t.turn("maintain-speed", quiet=False)
    assert t.view().current == 3  # the seat of the dead is skipped


def test_st_7_5_a_murder_is_told_as_a_fact() -> None:
    t = watched(["murder-in-the-dark"], [], [], [])
    last_tunnel(t)
    t.play(0, "murder-in-the-dark", 3)
    assert shown(t, t.passes) == {"players.3.status": "dead", "players.3.permits": 0}


def test_st_7_5_murder_can_happen_with_any_part_of_the_train_in_the_last_tunnel() -> None:
    end = max(place for place, mark in enumerate(TRACK.marks[0]) if mark & LAST_TUNNEL)
    rear = TRACK.train - 1
    for place, dark in (
        (IN_THE_LAST_TUNNEL - 1, False),
        (IN_THE_LAST_TUNNEL, True),
        (end, True),
        (end + rear, True),
        (end + rear + 1, False),
    ):
        t = watched(["murder-in-the-dark"], [], [], [])
        arrive(t, place, FAST)
        assert (t.step == "last-tunnel") == dark
        assert (t.cards(0) == ["murder-in-the-dark"]) == dark


def test_st_7_5_murder_does_not_happen_in_other_tunnels() -> None:
    assert not TRACK.marks[0][IN_A_TUNNEL] & LAST_TUNNEL
    assert TRACK.marks[0][IN_A_TUNNEL] & TUNNEL
    t = watched(["murder-in-the-dark"], [], [], [])
    arrive(t, IN_A_TUNNEL)
    assert t.step == "tunnel"
    assert t.cards(0) == []
    assert refused_card(t, 0, "murder-in-the-dark") == ("refused.other-window", "ST-7.4")


# --- answer ---------------------------------------------------------------------------------------


def test_st_7_5_conductor_is_for_everybody_on_board_but_the_player_of_the_card() -> None:
    t = watched(["burn"], [], [], [], ["conductor"])
    give(t, 3, "conductor")
    lose(t, 2)
    t.train.status[3] = where.DEAD
    t.play(0, "burn", organiser=True)
    assert t.train.waiting() == [1, 4]
    assert t.cards(3) == []
    assert t.cards(4) == ["conductor"]
    told = heard(t, lambda: t.play(4, "conductor"))
    assert told[None] == [("event.conductor", {"seat": 4, "card": "burn"})]
    assert t.view().players[4].interventions == 1
