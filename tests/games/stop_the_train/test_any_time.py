"""Stop the Train!: the interventions for any time, each by itself (the table of ST-7.5)."""

from __future__ import annotations

import pytest

from capolinea.games.stop_the_train.rules.cards import CHARACTER_NAMES, EFFECT_NAMES
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES
from capolinea.games.stop_the_train.views import Seen
from tests.games.stop_the_train.lines import own
from tests.games.stop_the_train.scenes import (
    BOX,
    BRIDGE_END,
    FAST,
    OPEN,
    VIADUCT,
    ballot,
    coal,
    draw,
    effect_played,
    four,
    heard,
    kinds,
    named,
    permits,
    refused,
    refused_card,
    shown,
    stop,
    targets,
    throw,
    upgrade,
    watched,
)
from tests.games.stop_the_train.tables import Staged


def seen_by(t: Staged, seat: int) -> list[Seen]:
    return own(t, seat).seen


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
    assert "seize-control" in own(t, 2).cards
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
