"""Stop the Train!: interventions that meet effect cards, the speed and what happens on the line (ST-7)."""

from __future__ import annotations

import pytest

from capolinea.engine import Result
from capolinea.games.stop_the_train.views import Seen
from tests.games.stop_the_train.scenes import (
    BOX,
    FAST,
    ON_THE_VIADUCT,
    OPEN,
    SCENIC,
    TRACK,
    VIADUCT,
    crash,
    draw,
    effect_played,
    give,
    give_nothing,
    go_on,
    kinds,
    last_tunnel,
    named,
    peace,
    permits,
    refused_card,
    statuses,
    stop,
    targets,
    watched,
)
from tests.games.stop_the_train.tables import Staged

# --- effect cards ---------------------------------------------------------------------------------


def test_st_7_5_seize_then_jam_jams_the_second_card() -> None:
    t = watched([], [], ["seize-control"], ["jam-the-controls"])
    effect_played(t)
    t.works(2, "seize-control")
    t.lay("hit-the-brakes")
    t.works(3, "jam-the-controls")
    assert t.step == "draw"  # neither card is left
    assert (t.view().speed, t.view().at) == (120, OPEN + 4)


def test_st_7_5_jam_then_seize_frees_the_second_card() -> None:
    t = watched([], [], ["seize-control"], ["jam-the-controls"])
    effect_played(t)
    t.works(3, "jam-the-controls")
    t.works(2, "seize-control")
    assert not t.view().turns[-1].jammed
    t.lay("hit-the-brakes")
    assert (t.view().speed, t.view().at) == (60, OPEN + 2)


@pytest.mark.parametrize("effect", ["sleight-of-hand-a", "sleight-of-hand-b", "theft", "id-check"])
def test_st_7_5_a_jammed_or_card_takes_nothing(effect: str) -> None:
    t = watched(["burn"], [], ["jam-the-controls"], ["spy"])
    draw(t)
    t.turn(effect, "second", quiet=False)
    hands = [player.interventions for player in t.view().players]
    t.works(2, "jam-the-controls")
    t.quiet()
    assert t.step == "draw"
    assert (t.view().speed, t.view().at) == (120, OPEN + 4)
    assert [player.permits for player in t.view().players] == [0, 0, 0, 1]
    hands[2] -= 1
    assert [player.interventions for player in t.view().players] == hands
    own = t.view(1).own
    assert own is not None
    assert own.seen == []


def test_st_7_5_a_seized_or_card_takes_nothing() -> None:
    t = watched([], [], ["seize-control"], [])
    draw(t)
    t.turn("sleight-of-hand-b", "second", quiet=False)
    t.works(2, "seize-control")
    t.lay("maintain-speed")
    t.quiet()
    assert t.step == "draw"
    assert (t.view().speed, t.view().players[1].permits) == (120, 0)
    assert t.view().turns[0].seized == "sleight-of-hand-b"


def test_st_7_5_under_gun_to_the_head_an_or_side_is_still_chosen() -> None:
    for side, speed, took in (("first", 120, 0), ("second", 150, 1)):
        t = watched(["gun-to-the-head"], [], [], [])
        draw(t)
        t.works(0, "gun-to-the-head")
        t.hand("sleight-of-hand-a", "accelerate", "accelerate")
        t.discard("accelerate", "accelerate")
        assert t.legal(1, {"do": "play", "effect": "sleight-of-hand-a"}) == [
            {"do": "side", "side": "first"},
            {"do": "side", "side": "second"},
        ]
        t.lay("sleight-of-hand-a", side)
        t.quiet()
        if took:
            t.do(1, "take-organiser")
        assert (t.view().speed, t.view().players[1].permits) == (speed, took)


def test_st_7_5_seize_control_cannot_come_after_gun_to_the_head() -> None:
    t = watched(["gun-to-the-head"], [], ["seize-control", "jam-the-controls"], [])
    draw(t)
    t.works(0, "gun-to-the-head")
    t.hand("hard-brake", "accelerate", "accelerate")
    t.discard("accelerate", "accelerate")
    t.lay("hard-brake")
    assert t.cards(2) == ["jam-the-controls"]
    assert refused_card(t, 2, "seize-control") == ("refused.other-window", "ST-7.4")


@pytest.mark.parametrize("aside", ["full-speed-ahead", "accelerate", "id-check"])
def test_st_7_5_spy_in_the_effect_window_sees_the_card_that_was_set_aside(aside: str) -> None:
    t = watched([], [], ["spy"], [])
    draw(t)
    t.hand("maintain-speed", aside, "hard-brake")
    t.discard("hard-brake")
    t.lay("maintain-speed")
    t.works(2, "spy")
    own = t.view(2).own
    assert own is not None
    assert own.seen == [Seen(look="spy", turn=1, effects=[aside], place=t.view().discards - 1)]
    assert t.step == "effect-played"


def test_st_7_5_spy_after_seize_control_sees_the_card_that_was_taken_back() -> None:
    t = watched([], [], ["spy"], ["seize-control"])
    effect_played(t)
    t.works(3, "seize-control")
    t.lay("hit-the-brakes")
    assert t.step == "effect-played"
    t.works(2, "spy")
    own = t.view(2).own
    assert own is not None
    assert own.seen[0].effects == ["accelerate"]


def test_st_7_5_spy_under_gun_to_the_head_sees_the_second_card_discarded() -> None:
    t = watched(["gun-to-the-head"], [], ["spy"], [])
    draw(t)
    t.works(0, "gun-to-the-head")
    t.hand("hard-brake", "accelerate", "theft")
    t.discard("theft", "hard-brake")
    t.lay("accelerate")
    t.works(2, "spy")
    own = t.view(2).own
    assert own is not None
    assert own.seen[0].effects == ["hard-brake"]


# --- speed ----------------------------------------------------------------------------------------


def test_st_7_5_train_fault_at_180_slows_the_train_at_once_and_no_record_falls() -> None:
    hill = next(p for p, number in enumerate(TRACK.hills[0]) if p > BOX and number >= 0)
    for fault, speed, records in ((False, 180, 1), (True, 150, 0)):
        t = watched([], [], ["train-fault"], [])
        t.at(hill - speed // 30, 180, FAST)
        t.turn("full-speed-ahead", quiet=False)
        if fault:
            t.works(2, "train-fault")
            assert t.view().speed == 150
        t.passes()
        assert (t.view().speed, t.view().at) == (speed, hill)
        assert len(t.view().records) == records


def test_st_7_5_tailwind_at_30_speeds_the_train_up_at_once() -> None:
    t = watched([], [], ["tailwind"], [])
    t.at(OPEN, 30, FAST)
    t.turn("accelerate", quiet=False)
    t.works(2, "tailwind")
    assert t.view().speed == 60
    t.passes()
    assert (t.view().speed, t.view().at) == (90, OPEN + 3)


def test_st_7_5_a_forgers_brake_stops_at_60_in_a_tailwind() -> None:
    t = watched(["forgery"], ["tailwind"], [], [])
    t.at(BOX - 1, 60)
    t.works(1, "tailwind")
    t.works(0, "forgery", brake=True)
    assert t.view().speed == 60


def test_st_7_5_rooftop_showdown_reckons_with_tailwind_and_train_fault() -> None:
    for card, speed, own, theirs in (
        ("tailwind", 60, "hard-brake", "maintain-speed"),
        ("train-fault", 150, "maintain-speed", "full-speed-ahead"),
    ):
        t = watched(["rooftop-showdown"], [card], [], [], deal={"showdown": [[0, 1]]})
        t.at(OPEN, speed, FAST)
        permits(t, 0, 0, 1, 0)
        t.train.pile = kinds(own, theirs)
        t.works(1, card)
        t.works(0, "rooftop-showdown", 2)
        assert t.view().players[2].permits == 1  # a tie


def test_st_7_5_jam_keeps_a_speed_that_another_card_has_just_changed() -> None:
    t = watched(["forgery"], [], ["jam-the-controls"], [])
    t.at(2, 120)
    t.turn("full-speed-ahead", quiet=False)
    t.works(2, "jam-the-controls")
    t.works(0, "forgery", brake=True)
    t.passes()
    assert (t.view().speed, t.view().at) == (90, 5)


# --- permits --------------------------------------------------------------------------------------


def test_st_7_5_a_forged_permit_can_be_burned() -> None:
    t = watched(["forgery"], ["burn"], [], [])
    permits(t, 0, 0, 0, 0, organiser=2)
    t.works(0, "forgery", brake=False)
    assert targets(t, 1, "burn") == [*named(0), {"do": "name-organiser"}]
    t.works(1, "burn", 0)
    assert [player.permits for player in t.view().players] == [0, 0, 0, 0]
    assert t.view().organiser == 2


def test_st_4_3_what_was_burned_in_the_window_cannot_be_taken_any_more() -> None:
    t = watched([], [], ["burn"], [])
    draw(t)
    permits(t, 0, 0, 0, 1, organiser=0)
    t.turn("sleight-of-hand-c", "second", quiet=False)
    t.works(2, "burn", 3)
    t.quiet()
    assert t.step == "draw"
    assert [player.permits for player in t.view().players] == [0, 0, 0, 0]


def test_st_7_5_a_permit_burned_while_somebody_chooses_is_gone() -> None:
    t = watched([], [], ["burn"], [])
    draw(t)
    permits(t, 0, 0, 0, 1, organiser=1)
    t.turn("sleight-of-hand-c", "second")
    assert t.legal(1) == [{"do": "take", "seat": 3}, {"do": "take-organiser"}]
    t.works(2, "burn", 3)
    assert t.legal(1) == [{"do": "take-organiser"}]


# --- murder ---------------------------------------------------------------------------------------


def murdered(victim: int, *characters: str) -> Staged:
    t = watched([], [], [], [], characters=characters)
    last_tunnel(t)
    permits(t, 0, 0, 0, 0, organiser=1)
    murderer = 0 if victim != 0 else 3
    give(t, murderer, "murder-in-the-dark")
    t.works(murderer, "murder-in-the-dark", victim)
    return t


def won(result: Result) -> list[str]:
    return [outcome.role for outcome in result.outcomes if outcome.won]


def test_st_7_5_murder_of_the_saboteur_helps_the_conspirator_and_ruins_the_agent() -> None:
    t = murdered(2, "mi6-agent", "resistance-conspirator", "saboteur", "engineer")
    t.do(1, "decline")
    assert won(stop(t)) == ["resistance-conspirator"]


def test_st_7_5_a_murdered_saboteur_wins_if_the_train_crashes() -> None:
    t = murdered(2, "mi6-agent", "resistance-conspirator", "saboteur", "engineer")
    t.do(1, "decline")
    assert won(crash(t)) == ["saboteur"]


@pytest.mark.parametrize("character", ["stuntman", "prisoner-of-war"])
def test_st_7_5_a_murder_does_not_count_as_thrown_off(character: str) -> None:
    t = murdered(2, "saboteur", "engineer", character)
    t.train.route = 1
    t.do(1, "decline")
    assert character not in won(stop(t))


def test_st_7_5_if_the_current_player_is_murdered_nobody_takes_a_permit() -> None:
    t = murdered(1, "mi6-agent", "saboteur")
    assert (t.step, t.view().drawer, t.view().turn) == ("draw", 2, 2)
    assert t.view().organiser == 1
    assert statuses(t) == ["aboard", "dead", "aboard", "aboard"]


# --- more coal ------------------------------------------------------------------------------------


def shovel(t: Staged, *effects: str) -> None:
    t.do(t.train.waiting()[0], *[{"do": "coal", "effect": effect} for effect in effects])


def test_st_7_5_more_coal_on_the_last_turn_gives_another_turn() -> None:
    t = watched([], [], ["more-coal"], [])
    draw(t)
    t.train.deck = []
    t.works(2, "more-coal")
    shovel(t, "full-speed-ahead", "accelerate", "hard-brake")
    assert t.view().deck == 3
    t.turn("maintain-speed")
    assert (t.step, t.view().deck) == ("draw", 0)
    own = t.view(1).own
    assert own is not None
    assert own.effects == ["full-speed-ahead", "accelerate", "hard-brake"]
    t.turn("maintain-speed")
    assert t.view().ending == "stopped"


def test_st_7_5_coal_lies_under_what_is_left_of_the_deck() -> None:
    t = watched([], [], ["more-coal"], [])
    draw(t)
    t.train.deck = kinds("theft", "id-check")
    t.train.discards = kinds("accelerate", "accelerate", "accelerate")
    t.works(2, "more-coal")
    shovel(t, "accelerate", "accelerate", "accelerate")
    t.turn("maintain-speed")
    own = t.view(1).own
    assert own is not None
    assert own.effects == ["accelerate", "theft", "id-check"]


def test_st_7_5_more_coal_can_still_come_in_the_last_window_of_the_last_turn() -> None:
    t = watched([], [], ["more-coal"], [])
    peace(t)
    t.train.deck = []
    t.train.discards = kinds("accelerate", "accelerate", "accelerate")
    t.works(2, "more-coal")
    shovel(t, "accelerate", "accelerate", "accelerate")
    assert t.step == "aftermath"
    t.passes()
    assert (t.step, t.view().deck) == ("draw", 0)


# --- the freight train ----------------------------------------------------------------------------

#: The first place after the join, by way of each route.
JOIN = {
    route: next(
        place
        for place, space in enumerate(TRACK.spaces[number])
        if place > BOX and space in TRACK.spaces[(number + 1) % 3]
    )
    for number, route in enumerate((FAST, VIADUCT, SCENIC))
}
LENGTH = TRACK.train


def freight(at: int, behind: int, speed: int, route: str = "") -> Staged:
    """The 19:05 and the freight train stand here; then a turn."""
    t = watched([], [], [], [], freight=True)
    give_nothing(t)
    t.at(at, speed, route)
    t.train.freight = behind
    t.turn("maintain-speed", quiet=False)
    t.passes()
    return t


@pytest.mark.parametrize(("gap", "collided"), [(4, True), (5, False)])
def test_st_8_2_freight_runs_into_the_train_that_halts_at_the_signal_box(
    gap: int, collided: bool
) -> None:
    """The rear of the 19:05 is as many spaces ahead of the freight train as the gap says."""
    t = freight(BOX - 1, BOX - LENGTH + 1 - gap, 120)
    assert (t.view().ending == "collided") == collided
    assert t.step == ("over" if collided else "vote-called")


def test_st_8_1_freight_does_not_halt_at_the_signal_box() -> None:
    t = freight(BOX + 12, BOX - 1, 30, SCENIC)
    assert t.view().freight == BOX + 3


def test_st_8_2_on_different_routes_the_trains_pass_each_other() -> None:
    for route in (VIADUCT, SCENIC):
        t = freight(BOX + 5, BOX + 3, 30, route)
        assert t.view().ending == ""
        assert (t.view().at, t.view().freight) == (BOX + 6, BOX + 7)
    assert freight(BOX + 5, BOX + 1, 30, FAST).view().ending == "collided"


@pytest.mark.parametrize("route", [VIADUCT, SCENIC])
def test_st_8_2_after_the_join_the_train_runs_into_the_freight_train(route: str) -> None:
    """Its rear is still on the first space after the join, or has just left it."""
    t = freight(JOIN[route] - 1, JOIN[FAST] + LENGTH - 1, 30, route)
    assert t.view().ending == "collided"
    t = freight(JOIN[route] - 1, JOIN[FAST] + LENGTH, 30, route)
    assert t.view().ending == ""


@pytest.mark.parametrize("route", [VIADUCT, SCENIC])
@pytest.mark.parametrize(("behind", "collided"), [(4, True), (5, False)])
def test_st_8_2_after_the_join_freight_runs_into_the_train(
    route: str, behind: int, collided: bool
) -> None:
    t = freight(JOIN[route] - 1, JOIN[FAST] - behind, 30, route)
    assert (t.view().ending == "collided") == collided


def test_st_8_2_a_vote_can_send_the_train_out_of_the_freight_trains_way() -> None:
    """Run the Red chooses another route, and the freight train passes on the Fast Track."""
    for route, ending in ((FAST, "collided"), (SCENIC, "")):
        t = freight(BOX - 1, BOX - LENGTH - 4, 120)
        give(t, 2, "run-the-red")
        t.passes()
        t.vote(FAST, FAST, FAST, FAST)
        t.works(2, "run-the-red", route=route)
        assert t.step == "draw"
        t.train.speed = 120
        t.turn("maintain-speed", quiet=False)
        go_on(t)
        assert t.view().ending == ""
        t.turn("hard-brake", quiet=False)
        go_on(t)
        assert t.view().ending == ending


def test_st_8_2_a_collision_comes_before_a_meeting() -> None:
    t = freight(ON_THE_VIADUCT - 1, 0, 30, VIADUCT)
    assert t.step == "meeting"
    lone = watched([], [], [], [], freight=True)
    bridge = TRACK.bridges[0][0]
    lone.at(bridge - 1, 30)
    lone.train.freight = bridge - LENGTH - 3
    lone.turn("maintain-speed", quiet=False)
    lone.passes()
    assert (lone.step, lone.view().ending) == ("over", "collided")
