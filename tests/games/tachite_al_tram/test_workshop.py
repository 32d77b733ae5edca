"""Tachite al Tram: damage, the workshop and the Futiz (TA-7)."""

from __future__ import annotations

import pytest

from capolinea.games.tachite_al_tram.rules import workshop
from capolinea.games.tachite_al_tram.rules.steps import Phase
from tests.games.tachite_al_tram.scenes import (
    aboard,
    conserved,
    do,
    give,
    keep,
    keys,
    legal,
    refused,
    scene,
    seat_in,
    square_of,
    view,
)

COLUMN = {f"C{row}": "straight" for row in range(4, 7)}


def test_ta_7_1_the_third_damage_costs_everything_but_the_destination() -> None:
    trams = scene(die=[6], at=["C4", "D14"], rails=COLUMN)
    give(trams, 0, damage=2, futiz="zelante")
    seat_in(trams, 0, "vecion", "lem")
    trams.points[0] = 5
    trams.last_stop[0] = 3
    told = do(trams, "no-build", "roll")
    assert keys(told) == [
        "event.rolled.zelante",
        "event.ran-off",
        "event.damaged",
        "event.wrecked",
        "event.turn",
    ]
    wrecked = told[3]
    assert wrecked.args == {"seat": 0, "passengers": ["vecion", "lem"]}
    assert square_of(trams, 0) == "D8"
    assert (trams.damage[0], trams.futiz[0], trams.points[0]) == (0, -1, 5)
    assert aboard(trams, 0) == []
    assert sum(trams.out) == 2
    assert trams.to == [1, 0]
    assert trams.last_stop[0] == -1
    assert trams.current == 1  # the turn is over, without repair or Futiz
    conserved(trams)


def test_ta_7_1_excess_is_lost() -> None:
    trams = scene(die=[6], at=["C4", "C6"], rails=COLUMN)
    give(trams, 0, damage=2)
    do(trams, "no-build", "roll")
    assert trams.damage == [0, 1]
    assert [square_of(trams, 0), square_of(trams, 1)] == ["D8", "C6"]


def test_ta_7_1_from_there_one_starts_the_next_turn() -> None:
    trams = scene(die=[6, 1], at=["C4", "D14"], rails={**COLUMN, "C8": "straight 1"})
    give(trams, 0, damage=2)
    do(trams, "no-build", "roll", "no-build", "stay")
    assert (trams.current, square_of(trams, 0)) == (0, "D8")
    do(trams, "no-build", "roll")
    assert square_of(trams, 0) == "C8"


def test_ta_7_1_the_same_for_who_is_run_into() -> None:
    trams = scene(die=[2], at=["C4", "C6"], rails=COLUMN)
    give(trams, 1, damage=2, futiz="zelante", to="oberdan")
    seat_in(trams, 1, "vecion")
    keep(trams, 1, "nero-in-b")
    do(trams, "no-build", "roll")
    assert square_of(trams, 1) == "D8"
    assert (trams.damage[1], trams.futiz[1], trams.to[1]) == (0, -1, 0)
    assert aboard(trams, 1) == []
    assert view(trams).passengers_out == {"vecion": 1}


def test_ta_7_1_cards_that_were_kept_stay() -> None:
    trams = scene(die=[2], at=["C4", "C6"], rails=COLUMN)
    for seat in (0, 1):
        give(trams, seat, damage=2)
    keep(trams, 0, "tram-de-opcina")
    keep(trams, 1, "nero-in-b")
    do(trams, "no-build", "roll")
    assert [square_of(trams, seat) for seat in (0, 1)] == ["D8", "D8"]
    assert [tram.kept for tram in view(trams).trams] == [["tram-de-opcina"], ["nero-in-b"]]


def test_ta_7_2_ending_in_the_workshop_one_repairs_or_takes_a_futiz() -> None:
    trams = scene(die=[1], at=["C8", "D14"], rails={"C8": "straight 1"})
    give(trams, 0, damage=2)
    seat_in(trams, 0, "vecion")
    do(trams, "no-build", "roll")
    assert legal(trams) == [
        "repair",
        "futiz cocolo",
        "futiz sbonfo",
        "futiz zelante",
        "futiz buloto",
        "no-service",
    ]
    told = do(trams, "repair")
    assert keys(told) == ["event.repaired", "event.turn"]
    assert trams.damage[0] == 1
    assert trams.futiz[0] == -1
    assert aboard(trams, 0) == ["vecion"]
    assert trams.current == 1  # not both in one turn


def test_ta_7_2_a_futiz_is_taken_and_shown() -> None:
    trams = scene(at=["D8", "D14"])
    do(trams, "no-build", "stay")
    assert "repair" not in legal(trams)
    assert refused(trams, "repair").key == "refused.no-damage"
    told = do(trams, "futiz buloto")
    assert told[0].args == {"seat": 0, "futiz": "buloto"}
    assert view(trams).trams[0].futiz == "buloto"
    assert view(trams).trams[1].futiz is None


def test_ta_7_2_several_may_have_the_same_but_one_has_only_one() -> None:
    trams = scene(at=["D8", "D8"])
    give(trams, 1, futiz="sbonfo")
    give(trams, 0, futiz="cocolo")
    do(trams, "no-build", "stay")
    problem = refused(trams, "futiz cocolo")
    assert (problem.key, problem.args_) == ("refused.same-futiz", {"futiz": "cocolo"})
    do(trams, "futiz sbonfo")
    assert trams.futiz == [1, 1]


def test_ta_7_2_nothing_need_be_taken() -> None:
    trams = scene(at=["D8", "D14"])
    give(trams, 0, damage=1)
    do(trams, "no-build", "stay", "no-service")
    assert (trams.damage[0], trams.futiz[0]) == (1, -1)
    assert trams.current == 1


def test_ta_7_2_elsewhere_there_is_no_service() -> None:
    trams = scene(at=["C4", "D14"], rails=COLUMN)
    give(trams, 0, damage=1)
    do(trams, "no-build")
    problem = refused(trams, "repair")
    assert (problem.key, problem.rule) == ("refused.workshop", "TA-7.2")


def test_ta_7_2_a_buloto_takes_no_damage_unless_a_card_says_so() -> None:
    trams = scene()
    give(trams, 0, futiz="buloto")
    workshop.hurt(trams, [2, 1], False)
    assert trams.damage == [0, 1]
    workshop.hurt(trams, [1, 0], True)
    assert trams.damage == [1, 1]


def test_ta_7_2_a_damaged_buloto_may_be_repaired() -> None:
    trams = scene(at=["D8", "D14"])
    give(trams, 0, futiz="buloto", damage=2)
    do(trams, "no-build", "stay")
    assert legal(trams)[0] == "repair"
    do(trams, "repair")
    assert (trams.damage[0], view(trams).trams[0].futiz) == (1, "buloto")


def test_ta_7_3_changing_futiz_keeps_passengers_who_fit() -> None:
    trams = scene(at=["D8", "D14"])
    give(trams, 0, futiz="sbonfo")
    seat_in(trams, 0, "vecion", "lem", "panzon", "ciacoleta")
    do(trams, "no-build", "stay", "futiz zelante")
    assert len(aboard(trams, 0)) == 4
    assert trams.midway() == -1


def test_ta_7_3_who_no_longer_fits_is_put_off_by_choice() -> None:
    trams = scene(at=["D8", "D14"])
    give(trams, 0, futiz="sbonfo")
    seat_in(trams, 0, "vecion", "lem", "panzon", "ciacoleta", "lole")
    do(trams, "no-build", "stay")
    assert do(trams, "futiz buloto") == []
    assert trams.midway() == 0
    # El Lole sits alone: without him two benches do. Any other would be one too many.
    assert legal(trams) == ["put-off lole"]
    problem = refused(trams, "put-off vecion")
    assert (problem.key, problem.rule) == ("refused.put-off", "TA-7.3")
    told = do(trams, "put-off lole")
    assert keys(told)[:2] == ["event.futiz", "event.put-off"]
    assert told[1].args == {"seat": 0, "passengers": ["lole"]}
    assert aboard(trams, 0) == ["vecion", "lem", "panzon", "ciacoleta"]
    assert sum(trams.out) == 1
    conserved(trams)


def test_ta_7_3_no_more_leave_than_must() -> None:
    trams = scene(at=["D8", "D14"])
    give(trams, 0, futiz="sbonfo")
    seat_in(trams, 0, "vecion", "lem", "panzon", "ciacoleta", "lole", "cotoler")
    do(trams, "no-build", "stay", "futiz cocolo")
    assert len(legal(trams)) == 6  # anybody: four stay whatever their colour
    do(trams, "put-off vecion")
    assert trams.midway() == 0
    do(trams, "put-off cotoler")
    assert aboard(trams, 0) == ["lem", "panzon", "ciacoleta", "lole"]
    other = scene(at=["D8", "D14"])
    give(other, 0, futiz="sbonfo")
    seat_in(other, 0, "vecion", "lem", "panzon", "ciacoleta", "lole", "cotoler")
    do(other, "no-build", "stay", "futiz buloto", "put-off vecion")
    assert legal(other) == ["put-off lem"]  # the other of that bench
    do(other, "put-off lem")
    assert len(aboard(other, 0)) == 4


def test_ta_7_4_who_was_sent_there_may_take_a_futiz_next_turn_if_the_tram_does_not_move() -> None:
    trams = scene(die=[6], at=["C4", "D14"], rails=COLUMN)
    give(trams, 0, damage=2)
    do(trams, "no-build", "roll", "no-build", "stay")
    assert square_of(trams, 0) == "D8"
    do(trams, "no-build", "stay")
    assert trams.phase == Phase.WORKSHOP
    do(trams, "futiz sbonfo")
    assert view(trams).trams[0].futiz == "sbonfo"


def test_ta_7_4_who_rolls_away_gets_none() -> None:
    trams = scene(die=[6, 1], at=["C4", "D14"], rails={**COLUMN, "C8": "straight 1"})
    give(trams, 0, damage=2)
    do(trams, "no-build", "roll", "no-build", "stay", "no-build", "roll")
    assert square_of(trams, 0) == "C8"
    assert trams.current == 1  # without having been asked
    assert view(trams).trams[0].futiz is None


@pytest.mark.parametrize(("shields", "damage"), [(0, 2), (1, 1), (2, 0)])
def test_each_blessing_wards_off_one_damage(shields: int, damage: int) -> None:
    trams = scene()
    for _ in range(shields):
        keep(trams, 0, "san-giusto")
    workshop.hurt(trams, [2, 0], False)
    assert trams.damage == [damage, 0]
    assert trams.kept[0] == []
    assert len(trams.used) == shields
