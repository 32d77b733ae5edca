"""Stop the Train!: the 28 kinds of interventions, each by itself (the table of ST-7.5)."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.cards import CHARACTER_NAMES, EFFECT_NAMES
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES
from capolinea.games.stop_the_train.rules.track import LAST_TUNNEL, TUNNEL
from capolinea.games.stop_the_train.views import Own, Seen
from tests.games.stop_the_train.scenes import (
    BOX,
    BRIDGE_END,
    FAST,
    IN_A_TUNNEL,
    IN_THE_LAST_TUNNEL,
    OPEN,
    SCENIC,
    TRACK,
    VIADUCT,
    aftermath,
    arrive,
    ballot,
    coal,
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
    stop,
    targets,
    throw,
    tied_vote,
    upgrade,
    vote,
    vote_called,
    vote_decided,
    watched,
)
from tests.games.stop_the_train.tables import Staged


def own_of(t: Staged, seat: int) -> Own:
    own = t.view(seat).own
    assert own is not None
    return own


def seen_by(t: Staged, seat: int) -> list[Seen]:
    return own_of(t, seat).seen


def ballots(*others: int) -> list[dict[str, Any]]:
    return [{"do": "throw-off", "seat": other} for other in others]


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
    assert own_of(t, 3).ballots_left == [VIADUCT, SCENIC]
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
    assert own_of(t, 1).secret_ballots == {"1": 2}
    assert own_of(t, 0).secret_ballots == {}


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
    assert own_of(t, 1).secret_ballots == {"1": 2}


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
    assert "burn" in own_of(t, 2).cards


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
    assert len(own_of(t, 2).effects) == 2


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


# --- any time -------------------------------------------------------------------------------------


def test_st_7_5_burn_takes_a_permit_of_the_organiser_or_of_another_player() -> None:
    t = watched(["burn"], [], [], [])
    permits(t, 1, 0, 2, 0, organiser=1)
    assert targets(t, 0, "burn") == [*named(2), {"do": "name-organiser"}]
    told = heard(t, lambda: t.works(0, "burn", 2))
    assert told[None] == [
        ("event.intervened.seat", {"seat": 0, "card": "burn", "other": 2}),
        ("event.burned", {"seat": 2}),
    ]
    assert [player.permits for player in t.view().players] == [1, 0, 1, 0]
    assert t.view().organiser == 1
    other = watched(["burn"], [], [], [])
    told = heard(other, lambda: other.works(0, "burn", organiser=True))
    assert told[None] == [
        ("event.intervened.organiser", {"seat": 0, "card": "burn"}),
        ("event.burned.organiser", {}),
    ]
    assert other.view().organiser == 1
    assert other.view().spent[0].organiser


def test_st_7_5_burn_tells_what_is_left() -> None:
    t = watched(["burn"], [], [], [])
    permits(t, 1, 0, 2, 0, organiser=1)
    t.play(0, "burn", 2)
    assert shown(t, t.passes) == {"organiser": 1, "players.2.permits": 1}
    other = watched(["burn"], [], [], [])
    other.play(0, "burn", organiser=True)
    assert shown(other, other.passes) == {"organiser": 1}


def test_st_7_5_burn_needs_a_permit_that_is_not_ones_own() -> None:
    t = watched(["burn"], [], [], [])
    permits(t, 2, 0, 0, 0, organiser=0)
    assert t.cards(0) == []
    assert refused_card(t, 0, "burn") == ("refused.no-use", "ST-7.5")


@pytest.mark.parametrize(
    ("brake", "speed", "after"),
    [(False, 120, 120), (True, 120, 90), (True, 30, 30), (True, 60, 30)],
)
def test_st_7_5_forgery_makes_a_new_permit_and_before_the_box_may_brake(
    brake: bool, speed: int, after: int
) -> None:
    t = watched(["forgery"], [], [], [])
    t.at(BOX - 1, speed)
    assert targets(t, 0, "forgery") == [{"do": "keep-speed"}, {"do": "brake"}]
    told = heard(t, lambda: t.works(0, "forgery", brake=brake))
    played = "event.intervened.brake" if brake else "event.intervened"
    assert told[None][:2] == [
        (played, {"seat": 0, "card": "forgery"}),
        ("event.forged", {"seat": 0}),
    ]
    braked = [("event.braked", {"seat": 0, "speed": after})]
    assert told[None][2:] == (braked if brake else [])
    assert t.view().speed == after
    assert t.view().players[0].permits == 1
    assert t.view().organiser == 2
    assert t.view().spent[0].brake is brake


@pytest.mark.parametrize("place", [BOX, BOX + 1])
def test_st_7_5_forgery_does_not_brake_once_the_front_has_reached_the_box(place: int) -> None:
    t = watched(["forgery"], [], [], [])
    t.at(place, 120)
    assert refused(t, 0, {"do": "intervene", "card": "forgery"}, {"do": "brake"}) == (
        "refused.too-many-steps",
        "",
    )
    t.works(0, "forgery")
    assert t.view().players[0].permits == 1
    assert t.view().speed == 120


def test_st_7_5_forgery_tells_permits_and_speed() -> None:
    t = watched(["forgery"], [], [], [])
    t.play(0, "forgery", brake=True)
    assert shown(t, t.passes) == {"organiser": 2, "players.0.permits": 1, "speed": 90}


def test_st_7_5_a_forged_permit_can_be_stolen_and_lost() -> None:
    t = watched(["forgery"], [], [], [])
    permits(t, 0, 0, 0, 0, organiser=0)
    t.at(OPEN, 30, FAST)
    t.works(0, "forgery")
    t.turn("sleight-of-hand-c", "second")
    assert t.legal(1) == [{"do": "take", "seat": 0}]
    t.do(1, {"do": "take", "seat": 0})
    assert [player.permits for player in t.view().players] == [0, 1, 0, 0]
    ballot(t)
    permits(t, 0, 1, 0, 0, organiser=0)
    throw(t, 1)
    t.quiet()
    assert [player.permits for player in t.view().players] == [0, 0, 0, 0]


@pytest.mark.parametrize("forged", [False, True])
def test_st_7_5_a_forged_permit_counts_for_the_ticket_inspector(forged: bool) -> None:
    t = watched(["forgery"], [], [], [], characters=["chanteuse", "ticket-inspector"])
    t.at(BOX, 30, VIADUCT)
    if forged:
        t.works(0, "forgery")
    result = stop(t)
    assert result.outcomes[1].won is not forged
    assert result.outcomes[0].won is forged


def test_st_7_5_passenger_list_shows_its_player_who_is_not_in_play() -> None:
    t = watched([], [], ["passenger-list"], [])
    aboard = {CHARACTER_NAMES[character] for character in t.train.characters}
    missing = sorted(set(t.view().table.cast) - aboard, key=CHARACTER_NAMES.index)
    told = heard(t, lambda: t.works(2, "passenger-list"))
    assert told[2][-1] == ("event.passenger-list.own", {"seat": 2, "roles": missing})
    for viewer in (None, 0, 1, 3):
        assert told[viewer][-1] == ("event.passenger-list", {"seat": 2})
    assert seen_by(t, 2) == [Seen(look="passenger-list", turn=1, roles=missing)]
    for seat in (0, 1, 3):
        assert seen_by(t, seat) == []


def test_st_7_5_spy_shows_its_player_the_last_effect_card_discarded() -> None:
    t = watched([], [], ["spy"], [])
    assert refused_card(t, 2, "spy") == ("refused.no-use", "ST-7.5")
    t.hand("hard-brake", "accelerate", "theft")
    t.discard("hard-brake")
    told = heard(t, lambda: t.works(2, "spy"))
    assert told[2][-1] == ("event.spy.own", {"seat": 2, "effect": "hard-brake"})
    for viewer in (None, 0, 1, 3):
        assert told[viewer][-1] == ("event.spy", {"seat": 2})
    assert seen_by(t, 2) == [Seen(look="spy", turn=1, effects=["hard-brake"], place=0)]
    assert seen_by(t, 0) == []


def test_st_7_5_spy_sees_what_the_current_player_discarded_in_the_turn_before() -> None:
    t = watched([], [], ["spy"], [])
    t.hand("hard-brake", "accelerate", "theft")
    t.discard("hard-brake")
    t.lay("accelerate")
    t.quiet()
    assert t.step == "draw"
    t.works(2, "spy")
    assert seen_by(t, 2) == [Seen(look="spy", turn=2, effects=["theft"], place=1)]


@pytest.mark.parametrize(("speed", "after"), [(30, 60), (60, 60), (90, 90), (180, 180)])
def test_st_7_5_tailwind_means_never_below_60(speed: int, after: int) -> None:
    t = watched([], [], ["tailwind"], [])
    t.at(OPEN, speed, FAST)
    told = heard(t, lambda: t.works(2, "tailwind"))
    assert told[None][-1] == ("event.tailwind", {"speed": 60})
    assert (t.view().speed, t.view().slowest, t.view().fastest) == (after, 60, 180)
    t.turn("hard-brake")
    assert (t.view().speed, t.view().at) == (60, OPEN + 2)
    t.turn("apply-the-brakes")
    assert t.view().speed == 60
    t.turn("accelerate")
    assert t.view().speed == 90


@pytest.mark.parametrize(("speed", "after"), [(30, 30), (150, 150), (180, 150)])
def test_st_7_5_train_fault_means_never_above_150(speed: int, after: int) -> None:
    t = watched([], [], ["train-fault"], [])
    t.at(OPEN, speed, FAST)
    told = heard(t, lambda: t.works(2, "train-fault"))
    assert told[None][-1] == ("event.train-fault", {"speed": 150})
    assert (t.view().speed, t.view().slowest, t.view().fastest) == (after, 30, 150)
    t.turn("full-speed-ahead")
    assert (t.view().speed, t.view().at) == (150, OPEN + 5)


def test_st_7_5_tailwind_and_train_fault_tell_the_speed() -> None:
    t = watched(["tailwind"], ["train-fault"], [], [])
    t.at(OPEN, 30, FAST)
    t.play(0, "tailwind")
    assert shown(t, t.passes) == {"speed": 60}
    t.at(OPEN, 180, FAST)
    t.play(1, "train-fault")
    assert shown(t, t.passes) == {"speed": 150}


@pytest.mark.parametrize("card", ["train-fault", "rooftop-showdown"])
@pytest.mark.parametrize(("place", "passed"), [(BRIDGE_END, False), (BRIDGE_END + 1, True)])
def test_st_7_5_two_cards_wait_until_the_front_has_passed_a_bridge(
    card: str, place: int, passed: bool
) -> None:
    t = watched([], [], [card], [])
    permits(t, 1, 0, 0, 0)
    t.train.pile = kinds("accelerate", "hard-brake")
    t.at(place)
    assert (card in t.cards(2)) == passed
    if not passed:
        assert refused_card(t, 2, card) == ("refused.no-bridge", "ST-7.5")


def test_st_7_5_ticket_upgrade_lets_its_player_choose_from_the_undealt_cards() -> None:
    t = watched([], [], ["ticket-upgrade"], [])
    undealt = [CARD_NAMES[card] for card in t.train.undealt]
    told = heard(t, lambda: t.works(2, "ticket-upgrade"))
    assert told[2][-1] == ("event.upgrade.own", {"seat": 2, "cards": undealt})
    for viewer in (None, 0, 1, 3):
        assert told[viewer][-1] == ("event.upgrade", {"seat": 2})
    assert (t.step, t.train.waiting()) == ("upgrade", [2])
    assert [choice["card"] for choice in t.legal(2)] == sorted(set(undealt), key=CARD_NAMES.index)
    assert t.legal(0) == []
    assert refused(t, 0, {"do": "upgrade", "card": undealt[0]}) == ("refused.not-now", "ST-4.1")
    told = heard(t, lambda: t.do(2, {"do": "upgrade", "card": "seize-control"}))
    assert told[2] == [("event.upgraded.own", {"seat": 2, "card": "seize-control"})]
    assert told[None] == told[1] == [("event.upgraded", {"seat": 2})]
    assert seen_by(t, 2) == [
        Seen(look="upgrade", turn=1, cards=undealt),
        Seen(look="upgrade-chosen", turn=1, cards=["seize-control"]),
    ]
    undealt.remove("seize-control")
    assert [CARD_NAMES[card] for card in t.train.undealt] == undealt
    assert "seize-control" in own_of(t, 2).cards
    assert t.view().players[2].interventions == 2
    assert t.step == "draw"
    effect_played(t)
    assert t.cards(2) == ["seize-control"]


def test_st_7_5_ticket_upgrade_tells_how_many_cards_its_player_holds() -> None:
    t = four()
    upgrade(t)
    facts = shown(t, lambda: t.do(2, t.legal(2)[0]))
    assert facts == {"players.2.interventions": 1}


def test_st_7_5_more_coal_puts_three_discards_under_the_deck() -> None:
    t = watched([], [], ["more-coal"], [])
    draw(t)
    t.train.discards = kinds("theft", "accelerate", "hard-brake", "accelerate")
    deck = t.train.deck[:]
    told = heard(t, lambda: t.works(2, "more-coal"))
    seen = ["accelerate", "accelerate", "hard-brake", "theft"]
    assert told[2][-1] == ("event.coal.own", {"seat": 2, "cards": seen})
    for viewer in (None, 0, 1, 3):
        assert told[viewer][-1] == ("event.coal", {"seat": 2})
    assert (t.step, t.train.waiting()) == ("coal", [2])
    first = {"do": "coal", "effect": "hard-brake"}
    second = {"do": "coal", "effect": "accelerate"}
    assert t.legal(2) == [second, first, {"do": "coal", "effect": "theft"}]
    assert t.legal(2, first) == [second, {"do": "coal", "effect": "theft"}]
    assert t.legal(2, first, second) == [second, {"do": "coal", "effect": "theft"}]
    assert t.legal(0) == []
    assert refused(t, 2, first, second)[0] == "refused.unfinished"
    told = heard(t, lambda: t.do(2, first, second, second))
    chosen = ["hard-brake", "accelerate", "accelerate"]
    assert told[2] == [("event.coaled.own", {"seat": 2, "cards": chosen})]
    assert told[None] == told[0] == [("event.coaled", {"seat": 2})]
    assert t.train.discards == kinds("theft")
    assert sorted(t.train.deck[:3]) == sorted(kinds(*chosen))
    assert t.train.deck[3:] == deck
    assert t.view().deck == len(deck) + 3
    assert seen_by(t, 2) == [
        Seen(look="coal", turn=1, effects=seen),
        Seen(look="coal-chosen", turn=1, effects=chosen),
    ]
    assert seen_by(t, 0) == []
    assert t.step == "draw"


def test_st_7_5_more_coal_tells_how_many_cards_there_are() -> None:
    t = four()
    coal(t)
    deck = t.view().deck
    steps = [{"do": "coal", "effect": e} for e in ("full-speed-ahead", "accelerate", "hard-brake")]
    assert shown(t, lambda: t.do(2, *steps)) == {"deck": deck + 3, "discards": 0}


@pytest.mark.parametrize(("discards", "able"), [(2, False), (3, True), (4, True)])
def test_st_7_5_more_coal_needs_three_discards(discards: int, able: bool) -> None:
    t = watched([], [], ["more-coal"], [])
    t.train.discards = kinds(*["accelerate"] * discards)
    assert ("more-coal" in t.cards(2)) == able
    if not able:
        assert refused_card(t, 2, "more-coal") == ("refused.no-use", "ST-7.5")


def test_st_7_5_more_coal_cannot_pick_the_card_that_seize_control_may_call_for() -> None:
    t = watched([], [], ["more-coal"], [])
    effect_played(t)
    t.train.discards = kinds("speed-up", "speed-up")
    assert t.view().discards == 3
    assert t.cards(2) == []
    t.train.discards = kinds("speed-up", "speed-up", "speed-up")
    t.works(2, "more-coal")
    assert t.legal(2) == [{"do": "coal", "effect": "speed-up"}]
    other = watched([], [], ["more-coal"], [])
    effect_played(other)
    other.quiet()
    other.works(2, "more-coal")
    assert {"do": "coal", "effect": "hit-the-brakes"} in other.legal(2)


@pytest.mark.parametrize(
    ("speed", "own", "theirs", "won"),
    [
        (120, "apply-the-brakes", "maintain-speed", True),
        (120, "maintain-speed", "apply-the-brakes", False),
        (120, "maintain-speed", "maintain-speed", False),  # a tie changes nothing
        (120, "hit-the-brakes", "hard-brake", False),
        (120, "hard-brake", "hit-the-brakes", True),
        (90, "hard-brake", "hit-the-brakes", False),  # both 30
        (30, "hit-the-brakes", "maintain-speed", False),  # both 30
        (150, "accelerate", "full-speed-ahead", False),  # both 180
        (120, "accelerate", "full-speed-ahead", True),
        (120, "sleight-of-hand-b", "full-speed-ahead", True),  # +30, not 180
        (120, "sleight-of-hand-c", "apply-the-brakes", False),  # −30, not +0
        (120, "sleight-of-hand-c", "maintain-speed", True),
        (120, "maintain-speed", "theft", False),  # +0, not +60
        (120, "id-check", "sleight-of-hand-a", False),
        (120, "id-check", "accelerate", True),
    ],
)
def test_st_7_5_rooftop_showdown_takes_all_permits_for_the_lower_speed(
    speed: int, own: str, theirs: str, won: bool
) -> None:
    t = watched(["rooftop-showdown"], [], [], [], deal={"showdown": [[2, 0]]})
    t.at(OPEN, speed, FAST)
    permits(t, 1, 0, 2, 0, organiser=0)
    t.train.pile = kinds(theirs, "speed-up", own)
    told = heard(t, lambda: t.works(0, "rooftop-showdown", 2))
    assert told[None] == [
        ("event.intervened.seat", {"seat": 0, "card": "rooftop-showdown", "other": 2}),
        ("event.showdown", {"seat": 0, "other": 2, "own": own, "theirs": theirs}),
        ("event.showdown.won" if won else "event.showdown.lost", {"seat": 0, "other": 2}),
    ]
    after = [3, 0, 0, 0] if won else [1, 0, 2, 0]
    assert [player.permits for player in t.view().players] == after
    assert t.train.pile == kinds(theirs, "speed-up", own)
    assert (t.view().speed, t.view().organiser) == (speed, 0)


def test_st_7_5_rooftop_showdown_tells_whose_permits_they_are_now() -> None:
    t = watched(["rooftop-showdown"], [], [], [], deal={"showdown": [[0, 1]]})
    draw(t)
    t.play(0, "rooftop-showdown", 3)
    assert shown(t, t.passes) == {"organiser": 1, "players.0.permits": 1, "players.3.permits": 0}


def test_st_7_5_rooftop_showdown_needs_a_player_with_a_permit_and_two_cards_played() -> None:
    t = watched(["rooftop-showdown"], [], [], [])
    t.at(OPEN, 120, FAST)
    t.train.pile = kinds("accelerate", "accelerate")
    permits(t, 1, 0, 0, 0)
    assert t.cards(0) == []
    permits(t, 1, 1, 0, 2)
    assert targets(t, 0, "rooftop-showdown") == named(1, 3)
    t.train.pile = kinds("accelerate")
    assert t.cards(0) == []


def test_st_7_5_rooftop_showdown_draws_two_different_cards_by_chance() -> None:
    drawn = [_drawn_by_chance(number) for number in range(12)]
    assert all(own != theirs for own, theirs in drawn)
    assert len({own for own, _ in drawn}) > 2
    assert len({theirs for _, theirs in drawn}) > 2


def _drawn_by_chance(number: int) -> tuple[str, str]:
    t = watched(["rooftop-showdown"], [], [], [], deal={"theft": [number]})
    t.at(OPEN, 120, FAST)
    t.train.pile = kinds(*EFFECT_NAMES[:7])
    permits(t, 0, 1, 0, 0)
    args = heard(t, lambda: t.works(0, "rooftop-showdown", 1))[None][1][1]
    return args["own"], args["theirs"]


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
    assert own_of(t, 2).cards == []
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
