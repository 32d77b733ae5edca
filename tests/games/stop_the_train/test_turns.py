"""Stop the Train!, rule by rule: a turn (ST-4)."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.engine import Refused
from capolinea.games.stop_the_train.rules.cards import EFFECT_NAMES
from capolinea.games.stop_the_train.title import GAME
from tests.games.stop_the_train.lines import (
    BOX,
    keys,
    last,
    latest,
    own,
    place,
    rail,
    refused,
    status,
    told,
)
from tests.games.stop_the_train.tables import Staged

FOUR: list[list[str]] = [[], [], [], []]
THREE = ("apply-the-brakes", "full-speed-ahead", "hard-brake")

TAKE = {"do": "take-organiser"}


def discard(effect: str) -> dict[str, str]:
    return {"do": "discard", "effect": effect}


def play(effect: str) -> dict[str, str]:
    return {"do": "play", "effect": effect}


def side(name: str) -> dict[str, str]:
    return {"do": "side", "side": name}


def take(seat: int) -> dict[str, Any]:
    return {"do": "take", "seat": seat}


def rob(seat: int) -> dict[str, Any]:
    return {"do": "rob", "seat": seat}


def look(seat: int) -> dict[str, Any]:
    return {"do": "look", "seat": seat}


def to_play(t: Staged, *hand: str) -> Staged:
    """The drawer has passed these two; the current player is to play one."""
    t.hand("maintain-speed", *hand)
    t.discard("maintain-speed")
    return t


def names(effects: list[int]) -> list[str]:
    return [EFFECT_NAMES[effect] for effect in effects]


# --- 4.1 -----------------------------------------------------------------------------------------


def test_st_4_1_the_starting_player_draws_the_first_three_cards() -> None:
    deck = ["hard-brake", "theft", "accelerate", "speed-up", "speed-up", "hit-the-brakes"]
    t = rail(*FOUR, deck=deck, first=3)
    assert t.view().drawer == 2
    assert t.train.waiting() == [2]
    assert sorted(own(t, 2).effects) == ["accelerate", "hard-brake", "theft"]
    assert t.view().deck == 63


def test_st_4_1_the_next_drawer_draws_the_next_three() -> None:
    deck = ["hard-brake", "theft", "accelerate", "speed-up", "speed-up", "hit-the-brakes"]
    t = rail(*FOUR, deck=deck)
    t.turn("hard-brake")
    assert sorted(own(t, 1).effects) == ["hit-the-brakes", "speed-up", "speed-up"]
    assert t.view().deck == 60


def test_st_4_1_the_drawer_discards_one_of_three_and_nobody_else_does() -> None:
    t = rail(*FOUR)
    t.hand(*THREE)
    assert [a for a in t.legal(0) if a["do"] == "discard"] == [
        discard("full-speed-ahead"),
        discard("apply-the-brakes"),
        discard("hard-brake"),
    ]
    for seat in (1, 2, 3):
        assert not [a for a in t.legal(seat) if a["do"] != "intervene"]
        problem = refused(t, seat, discard("hard-brake"))
        assert (problem.key, problem.rule) == ("refused.discard", "ST-4.1")
        assert problem.args_ == {"drawer": 0}
    problem = refused(t, 0, discard("theft"))
    assert (problem.key, problem.rule) == ("refused.not-held", "ST-4.1")
    assert problem.args_ == {"effect": "theft"}
    problem = refused(t, 0, play("hard-brake"))
    assert (problem.key, problem.rule) == ("refused.play", "ST-4.2")
    with pytest.raises(Refused):
        t.do(0, discard("hard-brake"), discard("full-speed-ahead"))


def test_st_4_1_two_cards_of_a_kind_are_one_choice() -> None:
    t = rail(*FOUR)
    t.hand("accelerate", "accelerate", "hard-brake")
    assert [a for a in t.legal(0) if a["do"] == "discard"] == [
        discard("accelerate"),
        discard("hard-brake"),
    ]
    t.discard("accelerate")
    assert own(t, 1).effects == ["accelerate", "hard-brake"]


def test_st_4_1_the_other_two_go_to_the_left_and_that_neighbour_is_current() -> None:
    t = rail(*FOUR)
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    assert t.step == "play"
    assert (t.view().drawer, t.view().current) == (0, 1)
    assert t.train.waiting() == [1]
    assert own(t, 1).effects == ["apply-the-brakes", "hard-brake"]
    assert own(t, 0).effects == []
    assert names(t.train.discards) == ["full-speed-ahead"]


def test_st_4_1_after_the_last_seat_comes_the_first() -> None:
    t = rail(*FOUR, first=4)
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    assert t.view().current == 0


@pytest.mark.parametrize(
    ("gone", "current"), [([1], 2), ([1, 2], 3), ([2], 1), ([1, 2, 3], 4), ([5], 1)]
)
@pytest.mark.parametrize("how", ["off", "dead"])
def test_st_4_1_who_is_not_on_board_is_skipped(gone: list[int], current: int, how: str) -> None:
    t = rail([], [], [], [], [], [])
    for seat in gone:
        status(t, seat, how)
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    assert t.view().current == current


def test_st_4_1_others_see_neither_what_was_drawn_nor_discarded_nor_passed() -> None:
    t = rail(*FOUR, viewers=[None, 0, 1, 2])
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    for viewer in (None, 2):
        text = repr(t.view(viewer).turns) + repr(t.view(viewer).own) + repr(told(t, viewer))
        assert not [name for name in EFFECT_NAMES if f"'{name}'" in text]
    assert t.view(2).discards == 1
    neighbour = t.view(1).turns[0]
    assert sorted(neighbour.passed) == ["apply-the-brakes", "hard-brake"]
    assert (neighbour.drew, neighbour.discarded) == ([], [])
    drawer = t.view(0).turns[0]
    assert sorted(drawer.drew) == sorted(THREE)
    assert drawer.discarded == ["full-speed-ahead"]
    assert sorted(drawer.passed) == ["apply-the-brakes", "hard-brake"]


def test_st_4_1_everybody_is_told_that_cards_go_round_and_two_which_ones() -> None:
    t = rail(*FOUR, deck=THREE, viewers=[None, 0, 1, 2])
    for viewer in (None, 1, 2):
        assert latest(t, "event.drew", viewer) == {"seat": 0, "turn": 1, "left": 21}
    assert sorted(latest(t, "event.drew.own", 0)["cards"]) == sorted(THREE)
    t.discard("full-speed-ahead")
    for viewer in (None, 1, 2):
        assert latest(t, "event.discarded", viewer) == {"seat": 0, "count": 1}
    assert latest(t, "event.discarded.own", 0)["cards"] == ["full-speed-ahead"]
    for viewer in (None, 2):
        assert latest(t, "event.passed", viewer) == {"seat": 0, "other": 1, "count": 2}
    assert [event.sets for event in told(t)[-3:]] == [
        {"turn": 1, "deck": 63},
        {},
        {"current": 1},
    ]
    for viewer in (0, 1):
        passed = latest(t, "event.passed.own", viewer)["cards"]
        assert passed == ["apply-the-brakes", "hard-brake"]


# --- 4.2 -----------------------------------------------------------------------------------------


def test_st_4_2_the_current_player_plays_one_face_up_and_the_other_face_down() -> None:
    t = to_play(rail(*FOUR, viewers=[None, 0, 1, 2]), "apply-the-brakes", "full-speed-ahead")
    assert [a for a in t.legal(1) if a["do"] == "play"] == [
        play("full-speed-ahead"),
        play("apply-the-brakes"),
    ]
    t.do(1, play("full-speed-ahead"))
    assert t.view().pile == ["full-speed-ahead"]
    assert t.view().turns[0].effect == "full-speed-ahead"
    assert t.view().discards == 2
    assert latest(t, "event.played") == {"seat": 1, "effect": "full-speed-ahead"}
    t.quiet()
    assert names(t.train.discards) == ["maintain-speed", "apply-the-brakes"]


def test_st_4_2_who_had_the_other_card_in_hand_knows_it_and_nobody_else() -> None:
    t = to_play(rail(*FOUR, viewers=[None, 0, 1, 2]), "apply-the-brakes", "full-speed-ahead")
    t.do(1, play("full-speed-ahead"))
    for viewer in (None, 2):
        assert t.view(viewer).turns[0].set_aside == ""
        assert latest(t, "event.set-aside", viewer) == {"seat": 1}
        assert "apply-the-brakes" not in repr(told(t, viewer))
    for seat in (0, 1):
        assert t.view(seat).turns[0].set_aside == "apply-the-brakes"
        assert latest(t, "event.set-aside.own", seat)["effect"] == "apply-the-brakes"


@pytest.mark.parametrize("other", ["full-speed-ahead", "accelerate", "id-check"])
def test_st_4_2_whatever_it_is_the_other_card_is_discarded(other: str) -> None:
    t = to_play(rail(*FOUR, viewers=[None]), "hard-brake", other)
    t.do(1, play("hard-brake"))
    assert t.view().discards == 2
    assert latest(t, "event.set-aside") == {"seat": 1}
    assert t.view(0).turns[0].set_aside == other
    t.quiet()
    assert t.view().discards == 2
    assert names(t.train.discards) == ["maintain-speed", other]


def test_st_4_2_only_the_current_player_plays_and_only_what_was_passed() -> None:
    t = to_play(rail(*FOUR), "apply-the-brakes", "full-speed-ahead")
    for seat in (0, 2, 3):
        assert not [a for a in t.legal(seat) if a["do"] != "intervene"]
        problem = refused(t, seat, play("full-speed-ahead"))
        assert (problem.key, problem.rule) == ("refused.play", "ST-4.2")
    problem = refused(t, 1, play("maintain-speed"))
    assert (problem.key, problem.rule) == ("refused.not-held", "ST-4.2")
    assert problem.args_ == {"effect": "maintain-speed"}
    problem = refused(t, 1, discard("full-speed-ahead"))
    assert (problem.key, problem.rule) == ("refused.discard", "ST-4.1")
    t.do(1, play("full-speed-ahead"))
    problem = refused(t, 1, play("apply-the-brakes"))
    assert (problem.key, problem.rule) == ("refused.play", "ST-4.2")


@pytest.mark.parametrize(
    "effect", ["sleight-of-hand-a", "sleight-of-hand-b", "sleight-of-hand-c", "theft", "id-check"]
)
def test_st_4_2_on_an_or_card_one_chooses_the_side(effect: str) -> None:
    t = to_play(rail(*FOUR, viewers=[None]), effect, "accelerate")
    assert t.legal(1, play(effect)) == [side("first"), side("second")]
    key = t.train.key()
    with pytest.raises(Refused):
        t.do(1, play(effect))
    assert t.train.key() == key
    t.do(1, play(effect), side("second"))
    assert (t.view().turns[0].effect, t.view().turns[0].side) == (effect, "second")
    told_side = {"seat": 1, "effect": effect, "side": f"{effect}.second"}
    assert latest(t, "event.played.side") == told_side


def test_st_4_2_other_cards_have_no_sides() -> None:
    t = to_play(rail(*FOUR), "hard-brake", "accelerate")
    with pytest.raises(Refused):
        t.do(1, play("hard-brake"), side("first"))
    t.do(1, play("hard-brake"))
    assert t.view().turns[0].side == ""


@pytest.mark.parametrize("card", ["sleight-of-hand-a", "sleight-of-hand-b", "sleight-of-hand-c"])
@pytest.mark.parametrize(
    ("organiser", "permits", "can"),
    [
        (2, [0, 0, 0, 0], True),
        (1, [0, 1, 0, 0], True),
        (0, [1, 1, 0, 0], True),
        (0, [0, 0, 0, 2], True),
        # One's own permit is not there to be taken, and some may have been burned.
        (0, [0, 2, 0, 0], False),
        (0, [0, 0, 0, 0], False),
    ],
)
def test_st_4_2_without_a_permit_to_take_the_second_side_cannot_be_chosen(
    card: str, organiser: int, permits: list[int], can: bool
) -> None:
    t = to_play(rail(*FOUR), card, "accelerate")
    t.train.organiser = organiser
    t.train.permits = permits
    assert t.legal(1, play(card)) == [side("first"), side("second")][: 1 + can]
    if not can:
        with pytest.raises(Refused):
            t.do(1, play(card), side("second"))


def test_st_4_2_without_anybody_to_rob_theft_has_one_side() -> None:
    t = to_play(rail(*FOUR), "theft", "accelerate")
    for seat in (0, 2, 3):
        t.train.hold(seat, [])
    assert t.legal(1, play("theft")) == [side("first")]
    t.train.hold(3, [0])
    assert t.legal(1, play("theft")) == [side("first"), side("second")]


@pytest.mark.parametrize("effect", ["theft", "id-check"])
@pytest.mark.parametrize("where", ["off", "dead", "hanging"])
def test_st_4_2_whoever_is_not_inside_can_be_neither_robbed_nor_looked_at(
    effect: str, where: str
) -> None:
    t = to_play(rail(*FOUR), effect, "accelerate")
    for seat in (0, 2, 3):
        status(t, seat, where)
    assert t.legal(1, play(effect)) == [side("first")]
    status(t, 2, "aboard")
    assert t.legal(1, play(effect)) == [side("first"), side("second")]


def test_st_4_2_a_permit_on_somebody_who_hangs_outside_is_out_of_reach() -> None:
    t = to_play(rail(*FOUR), "sleight-of-hand-a", "accelerate")
    t.train.organiser = 0
    t.train.permits = [0, 0, 2, 0]
    status(t, 2, "hanging")
    assert t.legal(1, play("sleight-of-hand-a")) == [side("first")]


@pytest.mark.parametrize("effect", ["sleight-of-hand-a", "sleight-of-hand-b", "theft", "id-check"])
def test_st_4_2_from_whom_or_at_whom_is_not_chosen_yet(effect: str) -> None:
    t = to_play(rail(*FOUR), effect, "accelerate")
    t.do(1, play(effect), side("second"))
    assert t.step == "effect-played"
    assert (t.train.organiser, t.train.permits) == (2, [0, 0, 0, 0])
    assert [player.interventions for player in t.view().players] == [2, 2, 2, 2]
    assert own(t, 1).seen == []


# --- 4.3 -----------------------------------------------------------------------------------------


def test_st_4_3_first_all_are_asked_then_the_speed_changes_and_the_train_moves() -> None:
    t = to_play(rail(*FOUR), "accelerate", "hard-brake")
    t.do(1, play("accelerate"))
    assert t.step == "effect-played"
    assert t.train.waiting() == [0, 1, 2, 3]
    assert (t.train.speed, t.train.at) == (120, 0)
    for seat in (0, 1, 2):
        t.do(seat, "pass")
    assert (t.train.speed, t.train.at) == (120, 0)
    t.do(3, "pass")
    assert (t.train.speed, t.train.at) == (150, 5)


def test_st_4_3_the_train_moves_at_the_new_speed_and_all_are_told() -> None:
    t = rail(*FOUR, viewers=[None])
    t.at(23, 120)
    t.turn("hit-the-brakes")
    assert latest(t, "event.moved") == {"speed": 60, "spaces": 2}
    assert told(t)[-2].sets == {"speed": 60, "at": 25}
    t.turn("full-speed-ahead")
    t.vote("viaduct", "viaduct", "viaduct", "viaduct")
    t.quiet()
    t.at(place("viaduct", 5), 120)
    t.turn("maintain-speed")
    arrived = {"speed": 120, "spaces": 4, "feature": "viaduct.0"}
    assert latest(t, "event.moved.place") == arrived


@pytest.mark.parametrize(
    ("effect", "answer"),
    [("sleight-of-hand-a", TAKE), ("theft", rob(3)), ("id-check", look(3))],
)
def test_st_4_3_a_permit_a_theft_or_a_look_comes_when_the_window_closes_and_then_the_speed(
    effect: str, answer: dict[str, Any]
) -> None:
    t = rail(*FOUR)
    t.turn(effect, "second")
    assert t.step == "side"
    assert t.train.waiting() == [1]
    assert (t.train.speed, t.train.at) == (120, 0)
    t.do(1, answer)
    assert t.train.speed > 120
    assert t.train.at == t.train.speed // 30


def test_st_4_3_a_permit_comes_from_the_organiser_or_from_another_player_inside() -> None:
    t = rail([], [], [], [], [], [])
    t.train.organiser = 1
    t.train.permits = [1, 1, 0, 1, 1, 1]
    status(t, 4, "hanging")
    status(t, 5, "off")
    t.turn("sleight-of-hand-a", "second")
    assert t.legal(1) == [take(0), take(3), TAKE]
    for action in (take(1), take(2), take(4), take(5)):
        refused(t, 1, action)
    refused(t, 0, TAKE)
    t.do(1, take(3))
    assert (t.train.organiser, t.train.permits) == (1, [1, 2, 0, 0, 1, 1])


def test_st_4_3_a_permit_taken_is_told_to_all() -> None:
    t = rail(*FOUR, viewers=[None])
    t.turn("sleight-of-hand-a", "second")
    t.do(1, TAKE)
    assert latest(t, "event.permit") == {"seat": 1}
    sets = next(event.sets for event in told(t) if event.key == "event.permit")
    assert sets == {"organiser": 1, "players.1.permits": 1}
    t.turn("sleight-of-hand-a", "second")
    t.do(2, take(1))
    assert latest(t, "event.permit.from") == {"seat": 2, "other": 1}
    sets = next(event.sets for event in told(t) if event.key == "event.permit.from")
    assert sets == {"organiser": 1, "players.1.permits": 0, "players.2.permits": 1}


@pytest.mark.parametrize(
    ("organiser", "permits", "steps", "after"),
    [
        (2, [0, 0, 0, 0], [TAKE, TAKE], (0, [0, 2, 0, 0])),
        (1, [1, 0, 0, 0], [TAKE, take(0)], (0, [0, 2, 0, 0])),
        (1, [0, 0, 1, 0], [take(2), TAKE], (0, [0, 2, 0, 0])),
        (0, [1, 0, 1, 0], [take(0), take(2)], (0, [0, 2, 0, 0])),
        (0, [0, 0, 2, 0], [take(2), take(2)], (0, [0, 2, 0, 0])),
        # Of three permits, one of them forged, two are taken.
        (2, [0, 0, 0, 1], [TAKE, take(3)], (1, [0, 2, 0, 0])),
        (0, [0, 1, 3, 0], [take(2), take(2)], (0, [0, 3, 1, 0])),
    ],
)
def test_st_4_3_sleight_of_hand_b_takes_two_permits_wherever_they_are(
    organiser: int,
    permits: list[int],
    steps: list[dict[str, Any]],
    after: tuple[int, list[int]],
) -> None:
    t = rail(*FOUR)
    t.train.organiser = organiser
    t.train.permits = permits
    t.turn("sleight-of-hand-b", "second")
    with pytest.raises(Refused):
        t.do(1, steps[0])
    t.do(1, *steps)
    assert (t.train.organiser, t.train.permits) == after
    assert t.train.speed == 180


def test_st_4_3_the_second_permit_must_still_be_there() -> None:
    t = rail(*FOUR)
    t.train.organiser = 1
    t.train.permits = [1, 0, 0, 2]
    t.turn("sleight-of-hand-b", "second")
    assert t.legal(1) == [take(0), take(3), TAKE]
    assert t.legal(1, TAKE) == [take(0), take(3)]
    assert t.legal(1, take(0)) == [take(3), TAKE]
    assert t.legal(1, take(3)) == [take(0), take(3), TAKE]


@pytest.mark.parametrize(
    ("organiser", "permits", "step"),
    [(1, [0, 0, 0, 0], TAKE), (0, [0, 0, 0, 1], take(3)), (0, [1, 1, 0, 0], take(0))],
)
def test_st_4_2_sleight_of_hand_b_takes_one_permit_if_there_is_only_one(
    organiser: int, permits: list[int], step: dict[str, Any]
) -> None:
    t = rail(*FOUR)
    had = permits[1]
    t.train.organiser = organiser
    t.train.permits = permits
    t.turn("sleight-of-hand-b", "second")
    t.do(1, step)
    assert (t.train.organiser, t.train.permits) == (0, [0, had + 1, 0, 0])
    assert t.train.speed == 180


@pytest.mark.parametrize("card", ["sleight-of-hand-a", "sleight-of-hand-c"])
def test_st_4_3_the_other_sleights_of_hand_take_one_permit(card: str) -> None:
    t = rail(*FOUR)
    t.turn(card, "second")
    with pytest.raises(Refused):
        t.do(1, TAKE, TAKE)
    t.do(1, TAKE)
    assert (t.train.organiser, t.train.permits) == (1, [0, 1, 0, 0])


def test_st_4_3_if_nothing_is_left_to_take_that_part_is_skipped_and_the_speed_changes() -> None:
    t = rail([], [], ["burn"], [])
    t.train.organiser = 1
    t.turn("sleight-of-hand-a", "second", quiet=False)
    t.works(2, "burn", organiser=True)
    t.quiet()
    assert t.step == "draw"
    assert t.train.permits == [0, 0, 0, 0]
    assert (t.train.speed, t.train.at) == (150, 5)


def test_st_4_3_if_only_one_of_two_permits_is_left_that_one_is_taken() -> None:
    t = rail([], [], ["burn"], [])
    t.turn("sleight-of-hand-b", "second", quiet=False)
    t.works(2, "burn", organiser=True)
    t.quiet()
    t.do(1, TAKE)
    assert (t.train.organiser, t.train.permits) == (0, [0, 1, 0, 0])


def test_st_4_3_a_card_that_was_jammed_takes_nothing() -> None:
    t = rail(["jam-the-controls"], [], [], [])
    t.turn("sleight-of-hand-a", "second", quiet=False)
    t.works(0, "jam-the-controls")
    t.quiet()
    assert t.step == "draw"
    assert (t.train.organiser, t.train.permits) == (2, [0, 0, 0, 0])
    assert (t.train.speed, t.train.at) == (120, 4)


@pytest.mark.parametrize(("fall", "card"), [(0, "spy"), (1, "conductor")])
def test_st_4_3_theft_takes_a_card_at_random(fall: int, card: str) -> None:
    t = rail([], ["burn"], ["spy", "conductor"], [], deal={"theft": [fall]})
    kept = {"spy", "conductor"} - {card}
    t.turn("theft", "second")
    assert t.legal(1)[:3] == [rob(0), rob(2), rob(3)]
    t.do(1, rob(2))
    assert card in own(t, 1).cards
    assert set(own(t, 2).cards) == kept
    assert [player.interventions for player in t.view().players] == [2, 3, 1, 2]
    # And it can be played from there.
    if card == "spy":
        assert "spy" in t.cards(1)
        assert t.cards(2) == []


def test_st_4_3_each_theft_falls_anew() -> None:
    hands = [["burn", "spy"], ["tailwind", "forgery"], [], []]
    t = rail(*hands, deal={"theft": [1, 0]}, viewers=[None])
    order = {seat: own(t, seat).cards for seat in range(4)}
    t.turn("theft", "second")
    t.do(1, rob(0))
    t.turn("theft", "second")
    t.do(2, rob(0))
    assert order[0][1] in own(t, 1).cards
    assert order[0][0] in own(t, 2).cards
    assert own(t, 0).cards == []


def test_st_4_3_only_thief_and_victim_see_the_stolen_card() -> None:
    t = rail([], [], ["spy", "burn"], [], deal={"theft": [1]}, viewers=[None, 0, 1, 2])
    t.turn("theft", "second")
    card = own(t, 2).cards[1]
    t.do(1, rob(2))
    for viewer in (None, 0):
        assert latest(t, "event.robbed", viewer) == {"seat": 1, "other": 2}
        assert card not in repr(told(t, viewer))
    for viewer in (1, 2):
        assert latest(t, "event.robbed.own", viewer)["card"] == card
    assert [(s.look, s.seat, s.cards) for s in own(t, 1).seen] == [("took", 2, [card])]
    assert [(s.look, s.seat, s.cards) for s in own(t, 2).seen] == [("lost", 1, [card])]
    assert own(t, 0).seen == []


def test_st_4_3_who_has_no_card_left_cannot_be_robbed() -> None:
    t = rail(*FOUR)
    t.train.hold(2, [])
    t.turn("theft", "second")
    assert [a for a in t.legal(1) if a["do"] == "rob"] == [rob(0), rob(3)]
    refused(t, 1, rob(2))
    refused(t, 1, rob(1))
    refused(t, 0, rob(3))


def test_st_4_3_id_check_shows_a_character_to_whoever_looks_and_to_nobody_else() -> None:
    t = rail(
        *FOUR,
        characters=["saboteur", "engineer", "chanteuse", "speedster"],
        viewers=[None, 0, 1, 2, 3],
    )
    t.turn("id-check", "second")
    assert [a for a in t.legal(1) if a["do"] == "look"] == [look(0), look(2), look(3)]
    refused(t, 1, look(1))
    refused(t, 0, look(3))
    t.do(1, look(3))
    seen = own(t, 1).seen[0]
    assert (seen.look, seen.turn, seen.seat, seen.roles) == ("identity", 1, 3, ["speedster"])
    assert latest(t, "event.looked.own", 1)["role"] == "speedster"
    for viewer in (None, 0, 2, 3):
        assert latest(t, "event.looked", viewer) == {"seat": 1, "other": 3}
    assert [own(t, seat).seen for seat in (0, 2, 3)] == [[], [], []]


def test_st_4_3_the_card_set_aside_is_the_last_one_discarded() -> None:
    t = rail([], [], ["spy"], [])
    t.hand("accelerate", "theft", "hard-brake")
    t.discard("accelerate")
    t.do(1, play("theft"), side("first"))
    assert t.view().discards == 2
    t.works(2, "spy")
    assert own(t, 2).seen[0].effects == ["hard-brake"]


def test_st_4_3_but_more_coal_cannot_pick_it_before_the_window_has_closed() -> None:
    t = rail([], [], ["more-coal"], [])
    t.turn("accelerate")
    to_play(t, "full-speed-ahead", "hard-brake")
    t.do(2, play("full-speed-ahead"))
    assert t.view().discards == 4
    t.works(2, "more-coal")
    assert {a["effect"] for a in t.legal(2)} == {"maintain-speed"}


def test_st_4_3_two_discards_and_one_set_aside_are_not_enough_for_more_coal() -> None:
    t = rail([], [], ["more-coal"], [])
    t.turn("accelerate")
    t.train.discards.pop()
    to_play(t, "full-speed-ahead", "hard-brake")
    t.do(2, play("full-speed-ahead"))
    assert t.view().discards == 3
    assert t.cards(2) == []
    t.quiet()
    assert t.cards(2) == ["more-coal"]


# --- 4.4 -----------------------------------------------------------------------------------------


def test_st_4_4_the_current_player_is_the_next_drawer() -> None:
    t = rail(*FOUR)
    turns = []
    for _ in range(5):
        t.at(24, 30)
        t.hand(*THREE)
        drawer = t.view().drawer
        t.discard("full-speed-ahead")
        turns.append((drawer, t.view().current))
        t.lay("hard-brake")
        t.quiet()
    assert turns == [(0, 1), (1, 2), (2, 3), (3, 0), (0, 1)]
    assert t.view().turn == 6


@pytest.mark.parametrize(
    ("first", "gone", "leaves", "drawer"),
    [
        (0, [], 1, 2),
        (0, [3], 1, 2),
        (0, [2], 1, 3),
        (0, [2, 3], 1, 4),
        (3, [0], 4, 1),
        (3, [], 4, 0),
    ],
)
def test_st_4_4_if_the_current_player_has_left_the_next_on_board_draws(
    first: int, gone: list[int], leaves: int, drawer: int
) -> None:
    t = rail([], [], [], [], [], first=first + 1)
    for seat in gone:
        status(t, seat, "off")
    t.at(9, 30)
    t.turn("hard-brake")
    while t.step == "ballot":
        voter = t.train.waiting()[0]
        t.throw_off(first if voter == leaves else leaves)
    t.quiet()
    assert t.view().players[leaves].status == "off"
    assert t.view().drawer == drawer


def test_st_4_4_thrown_off_by_the_meeting_the_current_player_does_not_draw() -> None:
    t = rail(*FOUR)
    t.at(9, 30)
    t.turn("hard-brake")
    t.throw_off(1, 1, 1, 0)
    t.quiet()
    assert t.view().players[1].status == "off"
    assert t.view().drawer == 2
    t.at(24, 30)
    t.turn("hard-brake")
    t.turn("hard-brake")
    assert t.view().drawer == 0
    t.hand(*THREE)
    t.discard("hard-brake")
    assert t.view().current == 2


def test_st_4_4_a_lone_player_is_drawer_and_current_player() -> None:
    t = rail(*FOUR, viewers=[None, 1])
    for seat in (1, 2, 3):
        status(t, seat, "off")
    t.at(24, 30)
    t.hand(*THREE)
    t.discard("hard-brake")
    assert (t.view().drawer, t.view().current) == (0, 0)
    assert latest(t, "event.alone") == {"seat": 0, "count": 2}
    assert t.view(0).turns[0].set_aside == ""
    t.lay("apply-the-brakes")
    t.quiet()
    assert (t.view().drawer, t.view().turn) == (0, 2)
    assert t.view(0).turns[0].set_aside == "full-speed-ahead"


def test_st_4_4_somebody_who_hangs_on_is_not_skipped() -> None:
    t = rail(*FOUR, viewers=[None])
    status(t, 1, "hanging")
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    assert t.view().current == 1
    assert t.view().players[1].status == "aboard"
    assert latest(t, "event.back") == {"seat": 1}
    assert told(t)[-1].sets == {"players.1.status": "aboard"}


# --- 4.5 -----------------------------------------------------------------------------------------


def slow_turn(t: Staged) -> None:
    """A turn on a stretch where nothing happens."""
    t.at(24, 30)
    t.turn("hard-brake")


def test_st_4_5_after_22_turns_the_train_stops() -> None:
    t = rail([], [], [])
    for turn in range(22):
        assert t.match.result() is None
        assert t.view().turn == turn + 1
        slow_turn(t)
    result = t.match.result()
    assert result is not None
    assert result.ending == t.view().ending == "stopped"
    assert (t.view().deck, t.view().discards, len(t.view().pile)) == (0, 44, 22)
    assert t.train.waiting() == []


@pytest.mark.parametrize(("left", "stopped"), [(4, False), (3, False), (2, True), (1, True)])
def test_st_4_5_fewer_than_three_cards_are_none(left: int, stopped: bool) -> None:
    t = rail(*FOUR, viewers=[None])
    t.train.deck = t.train.deck[:left]
    slow_turn(t)
    assert (t.match.result() is not None) is stopped
    assert ("event.stopped" in keys(t)) is stopped


def test_st_4_5_the_deck_is_looked_at_only_when_the_turn_ends() -> None:
    t = rail(*FOUR)
    t.train.deck = []
    t.at(BOX - 1, 30)
    t.turn("hard-brake")
    assert t.match.result() is None
    t.vote("viaduct", "viaduct", "viaduct", "viaduct")
    assert t.match.result() is None
    t.quiet()
    assert t.match.result() is not None


def test_st_4_5_more_coal_in_time_makes_another_turn() -> None:
    t = rail(["more-coal"], [], [], [])
    slow_turn(t)
    slow_turn(t)
    t.train.deck = []
    t.at(24, 30)
    t.works(0, "more-coal")
    coal = {"do": "coal", "effect": "maintain-speed"}
    t.do(0, coal, coal, coal)
    t.turn("hard-brake")
    assert t.match.result() is None
    assert t.view().deck == 0
    assert own(t, 3).effects == ["maintain-speed"] * 3
    slow_turn(t)
    assert t.match.result() is not None


def test_st_4_5_after_the_stop_nothing_can_be_done_any_more() -> None:
    t = rail(["burn"], [], [], [])
    t.train.deck = []
    slow_turn(t)
    for seat in range(4):
        assert t.legal(seat) == []
        problem = refused(t, seat, discard("hard-brake"))
        assert (problem.key, problem.rule) == ("refused.over", "ST-4.5")
    refused(t, 0, {"do": "intervene", "card": "burn"}, {"do": "name-organiser"})


# --- 4.6 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", ["fast-track", "viaduct", "scenic-route"])
@pytest.mark.parametrize(
    ("behind", "speed", "crashed"),
    [
        (1, 30, False),
        (0, 30, True),
        (1, 60, True),
        (6, 180, False),
        (5, 180, True),
        (4, 120, False),
        (3, 120, True),
    ],
)
def test_st_4_6_the_last_space_is_not_a_crash_but_one_further_is(
    route: str, behind: int, speed: int, crashed: bool
) -> None:
    t = rail(*FOUR, viewers=[None])
    t.at(last(route) - behind, speed, route)
    t.turn("maintain-speed")
    result = t.match.result()
    assert t.view().at == last(route)
    if crashed:
        assert result is not None
        assert result.ending == "crashed"
        assert keys(t)[-5:] == ["event.crashed", *["event.revealed"] * 4]
        assert "event.moved" not in keys(t)
    else:
        assert result is None


def test_st_4_6_a_train_that_stops_on_the_last_space_has_stopped() -> None:
    t = rail(*FOUR)
    t.train.deck = []
    t.at(last() - 1, 30, "fast-track")
    t.turn("hard-brake")
    assert t.view().ending == "stopped"


def test_st_4_6_the_crash_comes_before_the_deck_runs_out() -> None:
    t = rail(*FOUR)
    t.train.deck = []
    t.at(last(), 30, "fast-track")
    t.turn("hard-brake")
    assert t.view().ending == "crashed"


def test_st_4_6_after_a_crash_there_are_no_special_events() -> None:
    features = {"paris": [("tunnel", 10, 12), ("bridge", 28, 28), ("tunnel", 29, 31)]}
    t = rail(*FOUR, features=features)
    t.at(last() - 1, 180, "fast-track")
    t.turn("maintain-speed")
    assert t.step == "over"


# --- 4.7 -----------------------------------------------------------------------------------------


def played(t: Staged) -> Staged:
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    t.lay("apply-the-brakes")
    return t


def say(t: Staged, seat: int, said: dict[str, Any]) -> dict[str, Any]:
    """What everybody hears."""
    line = t.match.say(seat, said)[0]
    return {"key": line.key, **line.args}


def not_said(t: Staged, seat: int, said: object) -> Refused:
    with pytest.raises(Refused) as caught:
        t.match.say(seat, said)
    return caught.value


def test_st_4_7_the_drawer_may_claim_what_was_drawn_and_discarded_true_or_not() -> None:
    t = played(rail(*FOUR))
    cards = ["hard-brake", "maintain-speed", "theft"]
    claim = {"turn": 1, "drew": cards, "discarded": ["theft"]}
    assert say(t, 0, {"claim": claim}) == {
        "key": "saying.drew-discarded",
        "seat": 0,
        "turn": 1,
        "drew": cards,
        "discarded": ["theft"],
    }
    say(t, 0, {"claim": {"turn": 1, "passed": ["accelerate", "accelerate"]}})


def test_st_4_7_the_current_player_may_claim_what_was_received() -> None:
    t = played(rail(*FOUR))
    cards = ["accelerate", "speed-up"]
    assert say(t, 1, {"claim": {"turn": 1, "received": cards}}) == {
        "key": "saying.received",
        "seat": 1,
        "turn": 1,
        "received": cards,
    }


def test_st_4_7_nobody_claims_for_another_place_in_the_turn() -> None:
    t = played(rail(*FOUR))
    pair = ["accelerate", "speed-up"]
    for seat, part in [(0, "received"), (1, "passed"), (2, "passed"), (2, "received")]:
        assert not_said(t, seat, {"claim": {"turn": 1, part: pair}}).rule == "ST-4.7"


def test_st_4_7_claims_begin_when_the_card_of_the_turn_has_been_played() -> None:
    t = rail(*FOUR)
    drew = {"claim": {"turn": 1, "drew": list(THREE)}}
    assert not_said(t, 0, drew).rule == "ST-4.7"
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    assert not_said(t, 0, drew).rule == "ST-4.7"
    t.lay("apply-the-brakes")
    say(t, 0, drew)
    t.quiet()
    # Later too, but of no turn that has not been.
    say(t, 0, drew)
    assert not_said(t, 1, {"claim": {"turn": 2, "drew": list(THREE)}}).rule == "ST-4.7"
    assert not_said(t, 0, {"claim": {"turn": 0, "drew": list(THREE)}}).rule == "ST-4.7"
    assert not_said(t, 0, {"claim": {"turn": 3, "drew": list(THREE)}}).rule == "ST-4.7"


@pytest.mark.parametrize(
    "claim",
    [
        {"turn": 1},
        {"turn": 1, "drew": ["accelerate", "accelerate"]},
        {"turn": 1, "discarded": ["accelerate", "accelerate"]},
        {"turn": 1, "passed": ["accelerate"]},
        {"turn": 1, "passed": ["accelerate", "rocket"]},
        {"turn": 1, "passed": ["hard-brake", "hard-brake"]},
        {"turn": 1, "drew": ["theft", "accelerate", "speed-up"], "discarded": ["hard-brake"]},
        {"turn": 1, "character": "saboteur"},
    ],
)
def test_st_4_7_a_claim_may_be_false_but_must_make_sense(claim: dict[str, Any]) -> None:
    assert not_said(played(rail(*FOUR)), 0, {"claim": claim}).rule == "ST-4.7"


@pytest.mark.parametrize("step", ["draw", "play", "window"])
def test_st_4_7_anybody_on_board_may_say_whom_they_suspect(step: str) -> None:
    t = rail(*FOUR)
    if step != "draw":
        to_play(t, "accelerate", "hard-brake")
    if step == "window":
        t.lay("accelerate")
    assert say(t, 2, {"accuse": 0}) == {"key": "saying.accuse", "seat": 2, "other": 0}
    status(t, 3, "hanging")
    say(t, 3, {"accuse": 2})


def test_st_4_7_who_has_left_says_nothing_and_is_not_suspected() -> None:
    t = played(rail(*FOUR))
    status(t, 1, "off")
    status(t, 3, "dead")
    for seat in (1, 3):
        assert not_said(t, seat, {"accuse": 0}).rule == "ST-5.6"
        assert not_said(t, 0, {"accuse": seat}).rule == "ST-5.6"
    claim = {"claim": {"turn": 1, "received": ["accelerate", "speed-up"]}}
    assert not_said(t, 1, claim).rule == "ST-5.6"


@pytest.mark.parametrize(
    "said",
    [
        {"i-am": "saboteur"},
        {"character": "engineer"},
        {"saw": [2, "saboteur"]},
        {"accuse": 1},
        {"accuse": 4},
        {"accuse": "saboteur"},
        "I am the Saboteur",
    ],
)
def test_st_4_7_nobody_can_say_who_they_are_or_whom_they_saw(said: object) -> None:
    t = rail(*FOUR)
    t.turn("id-check", "second")
    t.do(1, look(2))
    assert not_said(t, 1, said).rule == "ST-4.7"


# --- the clock -----------------------------------------------------------------------------------


def by_the_clock(t: Staged, seat: int) -> list[dict[str, Any]]:
    return [GAME.space.json(step) for step in t.match.default(seat)]


def test_the_clock_plays_the_card_that_leaves_the_train_slowest() -> None:
    t = rail(*FOUR)
    assert by_the_clock(to_play(t, "speed-up", "hit-the-brakes"), 1) == [play("hit-the-brakes")]
    t = rail(*FOUR)
    t.at(0, 90)
    assert by_the_clock(to_play(t, "accelerate", "sleight-of-hand-c"), 1) == [
        play("sleight-of-hand-c"),
        side("first"),
    ]


def test_the_clock_plays_the_first_of_two_cards_that_come_to_the_same() -> None:
    t = to_play(rail(*FOUR), "accelerate", "speed-up")
    t.at(0, 180)
    assert by_the_clock(t, 1) == [play("accelerate")]


def test_every_turn_and_every_vote_is_a_moment_to_offer_programs_a_move() -> None:
    t = rail(*FOUR)
    before = t.train.moment()
    t.at(BOX - 2, 30)
    t.turn("hard-brake")
    assert t.train.moment() == before + 1
    t.turn("hard-brake")
    assert t.step == "vote"
    assert t.train.moment() == before + 2


def test_the_clock_passes_in_windows_and_takes_from_the_organiser_first() -> None:
    t = rail(*FOUR)
    t.train.permits = [1, 0, 0, 0]
    t.turn("sleight-of-hand-a", "second", quiet=False)
    assert by_the_clock(t, 2) == [{"do": "pass"}]
    t.quiet()
    assert by_the_clock(t, 1) == [TAKE]
    t.train.organiser = 0
    assert by_the_clock(t, 1) == [take(0)]


def test_st_4_6_the_last_turn_tells_where_the_train_ended() -> None:
    t = rail(*FOUR)
    last = len(t.train.track.spaces[0]) - 1
    t.at(last - 1, 90, "fast-track")
    t.turn("maintain-speed")
    assert t.step == "over"
    assert (t.view().turns[-1].speed, t.view().turns[-1].at) == (90, last)


def test_st_4_2_a_side_that_cannot_be_carried_out_is_refused_with_the_reason() -> None:
    t = rail(*FOUR)
    t.train.organiser = 0
    t.hand("sleight-of-hand-a", "maintain-speed", "maintain-speed")
    t.discard("maintain-speed")
    problem = refused(
        t, 1, {"do": "play", "effect": "sleight-of-hand-a"}, {"do": "side", "side": "second"}
    )
    assert (problem.key, problem.rule) == ("refused.side", "ST-4.2")
