"""Stop the Train!, rule by rule: what the card of a turn does (ST-4.3)."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.engine import Refused
from tests.games.stop_the_train.lines import (
    latest,
    own,
    place,
    rail,
    refused,
    status,
    told,
)
from tests.games.stop_the_train.turns import FOUR, TAKE, look, play, side, take, to_play


def rob(seat: int) -> dict[str, Any]:
    return {"do": "rob", "seat": seat}


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
