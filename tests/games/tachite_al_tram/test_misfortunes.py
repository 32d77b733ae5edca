"""Tachite al Tram: every misfortune alone (TA-8.4), and none leaves a state that the rules forbid."""

from __future__ import annotations

import pytest

from capolinea.engine import Event
from capolinea.games.tachite_al_tram.rules.board import MISFORTUNE_NAMES, PASSENGER_NAMES
from capolinea.games.tachite_al_tram.rules.seats import too_many
from capolinea.games.tachite_al_tram.rules.steps import FIRST_KEPT, Card, Phase
from capolinea.games.tachite_al_tram.rules.tiles import TILE_NAMES
from capolinea.games.tachite_al_tram.rules.trams import Trams
from tests.games.tachite_al_tram.scenes import (
    aboard,
    conserved,
    do,
    give,
    hand,
    keep,
    keys,
    legal,
    put,
    refused,
    scene,
    seat_in,
    sq,
    square_of,
    view,
)

COLUMN = {f"C{row}": "straight" for row in range(2, 8)}


def luckless(card: str, players: int = 2, at: tuple[str, ...] = ("A2",), **more: object) -> Trams:
    """Ada stands on a stop where La Marantiga waits, and the next card is known."""
    return scene(players, at=at, waiting=["marantiga"], cards=[card], **more)  # type: ignore[arg-type]


def strikes(trams: Trams) -> list[Event]:
    """She boards, and the card is turned over."""
    told = do(trams, "no-build", "stay", "board")
    conserved(trams)
    assert told[2].key == "event.misfortune"
    return told[3:]


def test_ta_8_4_the_cards_are_all_known_to_the_rules() -> None:
    numbers = [getattr(Card, name.upper().replace("-", "_")) for name in MISFORTUNE_NAMES]
    assert numbers == list(range(24))
    assert MISFORTUNE_NAMES.index("nero-in-b") == FIRST_KEPT
    assert sum(scene().board.misfortune_counts) == 36


# --- damage ----------------------------------------------------------------------------------------


def test_ta_8_4_black_out_hurts_every_tram_but_a_buloto() -> None:
    trams = luckless("black-out", 4)
    give(trams, 1, futiz="buloto")
    give(trams, 2, damage=1)
    strikes(trams)
    assert trams.damage == [1, 0, 2, 1]
    assert [MISFORTUNE_NAMES[card] for card in trams.used] == ["black-out"]


def test_ta_8_4_black_out_sends_all_who_had_two_to_the_workshop_together() -> None:
    trams = luckless("black-out", 3)
    for seat in (0, 2):
        give(trams, seat, damage=2)
    told = strikes(trams)
    assert [square_of(trams, seat) for seat in range(3)] == ["D8", "D1", "D8"]
    assert trams.damage == [0, 1, 0]
    assert aboard(trams, 0) == []
    damaged = [place for place, key in enumerate(keys(told)) if key == "event.damaged"]
    wrecked = [place for place, key in enumerate(keys(told)) if key == "event.wrecked"]
    assert max(damaged) < min(wrecked)
    assert trams.current == 1  # the turn is over


def test_ta_8_4_graffiti_hurts_the_spotless_even_a_buloto() -> None:
    trams = luckless("graffiti", 4)
    give(trams, 1, futiz="buloto")
    give(trams, 2, damage=1)
    strikes(trams)
    assert trams.damage == [1, 1, 1, 1]


def test_ta_8_4_wet_leaves_hurt_who_is_out_on_the_line() -> None:
    trams = luckless("wet-leaves", 4, at=("A2", "C3", "D8", "D14"), rails=COLUMN)
    strikes(trams)
    assert trams.damage == [0, 1, 0, 0]


def test_ta_8_4_a_flat_wheel_hurts_who_drew_it_even_a_buloto() -> None:
    trams = luckless("flat-wheel", 3)
    give(trams, 0, futiz="buloto")
    strikes(trams)
    assert trams.damage == [1, 0, 0]


def test_ta_8_4_spritz_repairs_every_tram() -> None:
    trams = luckless("spritz", 3)
    give(trams, 0, damage=2)
    give(trams, 1, damage=1)
    told = strikes(trams)
    assert trams.damage == [1, 0, 0]
    assert keys(told).count("event.repaired") == 2


def test_ta_8_4_a_mechanic_repairs_who_drew_it() -> None:
    trams = luckless("mechanic")
    give(trams, 0, damage=2)
    give(trams, 1, damage=2)
    strikes(trams)
    assert trams.damage == [1, 2]


# --- trams that are moved --------------------------------------------------------------------------


def test_ta_8_4_bora_blows_every_tram_downhill_where_rails_lead() -> None:
    trams = luckless("bora", 4, at=("A2", "C4", "C2", "C3"), rails=COLUMN)
    told = strikes(trams)
    assert [square_of(trams, seat) for seat in range(4)] == ["A2", "C3", "C2", "C2"]
    assert trams.damage == [0, 0, 0, 0]  # nobody collides
    assert keys(told).count("event.carried") == 2


def test_ta_8_4_scirocco_pushes_uphill() -> None:
    trams = luckless("scirocco", 3, at=("A2", "C4", "C7"), rails=COLUMN)
    strikes(trams)
    assert [square_of(trams, seat) for seat in range(3)] == ["A3", "C5", "C7"]


@pytest.mark.parametrize(("card", "at"), [("bora", "A7"), ("scirocco", "A3")])
def test_ta_8_4_no_wind_goes_over_the_funicular(card: str, at: str) -> None:
    trams = luckless(card, 2, at=("A2", at))
    strikes(trams)
    assert square_of(trams, 1) == at


def test_ta_8_4_nor_against_the_one_way() -> None:
    trams = luckless("scirocco", 4, at=("A2", "D10", "E10", "D11"), rails={"D12": "straight"})
    strikes(trams)
    # On the west side of the ring one drives south, on the east side north; N of D11 is an arm.
    assert [square_of(trams, seat) for seat in (1, 2, 3)] == ["D10", "E11", "D12"]


def test_ta_8_4_towed_to_the_workshop_with_everybody_aboard() -> None:
    trams = luckless("towed")
    give(trams, 0, damage=2, futiz="sbonfo")
    seat_in(trams, 0, "vecion")
    strikes(trams)
    assert square_of(trams, 0) == "D8"
    assert aboard(trams, 0) == ["vecion", "marantiga"]
    assert (trams.damage[0], trams.futiz[0]) == (2, 1)
    assert trams.current == 1  # no repair this turn


def test_ta_5_1_towed_is_sent_to_the_workshop_so_the_last_stop_is_forgotten() -> None:
    trams = luckless("towed", 3)
    trams.last_stop[1] = 4
    strikes(trams)
    assert trams.last_stop == [-1, 4, -1]


def test_ta_8_4_wrong_points_swap_places_with_the_next_player() -> None:
    trams = luckless("wrong-points", 3, at=("A2", "C3", "C4"), rails=COLUMN)
    strikes(trams)
    assert [square_of(trams, seat) for seat in range(3)] == ["C3", "A2", "C4"]


def test_ta_8_4_who_is_carried_to_the_destination_may_set_down_there() -> None:
    trams = luckless("wrong-points", 2, at=("A2", "D14"))
    strikes(trams)
    assert square_of(trams, 0) == "D14"
    assert legal(trams) == ["set-down", "keep"]
    do(trams, "set-down")
    assert trams.points == [1, 0]


# --- waiting ---------------------------------------------------------------------------------------


def test_ta_8_4_in_a_strike_nobody_rolls_on_their_next_turn() -> None:
    trams = luckless("strike", 2, at=("A2", "D8"))
    strikes(trams)
    assert trams.current == 1
    shown = view(trams)
    assert shown.stuck
    assert [tram.halted for tram in shown.trams] == [True, False]
    told = do(trams, "no-build")
    assert told[0].key == "event.halted"
    assert trams.phase == Phase.WORKSHOP  # who stays in the workshop is served
    do(trams, "no-service")
    assert trams.current == 0
    assert "event.halted" in keys(do(trams, "no-build"))
    assert trams.current == 1
    do(trams, "no-build")
    assert legal(trams) == ["roll", "stay"]  # it is over


def test_ta_8_4_in_a_strike_no_card_moves_a_tram_either() -> None:
    trams = luckless("strike", 2, at=("A2", "C2"), rails=COLUMN)
    keep(trams, 1, "tram-de-opcina")
    strikes(trams)
    do(trams, "no-build")
    assert trams.current == 0  # not asked
    assert square_of(trams, 1) == "C2"
    assert view(trams).trams[1].kept == ["tram-de-opcina"]


def test_ta_8_4_the_cable_car_project_closes_the_funicular_until_the_drawers_next_turn() -> None:
    trams = luckless("cable-car", 2, at=("A2", "A3"), die=[1])
    strikes(trams)
    assert view(trams).funicular_closed == 0
    do(trams, "no-build", "roll")
    assert square_of(trams, 1) == "A2"  # the only way
    if trams.phase == Phase.PICK_UP:
        do(trams, "leave")
    assert trams.current == 0
    assert view(trams).funicular_closed is None


def test_ta_8_4_before_a_closed_funicular_the_rails_end() -> None:
    trams = scene(2, at=["A2", "D14"], die=[3])
    trams.closed_by = 1
    do(trams, "no-build", "roll")
    assert square_of(trams, 0) == "A3"
    assert trams.damage[0] == 1


# --- passengers ------------------------------------------------------------------------------------


def test_ta_8_4_the_inspector_takes_who_boarded_last_from_every_tram() -> None:
    trams = luckless("inspector", 3)
    seat_in(trams, 0, "squinzia")
    seat_in(trams, 1, "vecion", "panzon")
    told = strikes(trams)
    assert [aboard(trams, seat) for seat in range(3)] == [["squinzia"], ["vecion"], []]
    assert view(trams).passengers_out == {"panzon": 1, "marantiga": 1}
    assert [event.args["passenger"] for event in told if event.key == "event.lost"] == [
        "marantiga",
        "panzon",
    ]


def test_ta_8_4_seagulls_take_who_has_just_boarded() -> None:
    trams = luckless("seagulls")
    seat_in(trams, 0, "squinzia")
    strikes(trams)
    assert aboard(trams, 0) == ["squinzia"]
    assert trams.last_stop[0] == 0
    assert view(trams).passengers_out == {"marantiga": 1}


def test_ta_8_4_after_the_concert_every_tram_with_a_seat_takes_one_from_the_fullest_stop() -> None:
    trams = luckless("concert", 3)
    piles = [[], ["lem", "panzon", "vecion"], ["lole", "cotoler"], ["nagana"], [], []]
    trams.waiting_at[1:] = [[PASSENGER_NAMES.index(name) for name in pile] for pile in piles[1:]]
    trams.waiting_at[0] = trams.waiting_at[0][-1:]
    do(trams, "no-build", "stay", "board")
    # The fullest stop is the second, then the second again as the first of two with as many; then
    # the third.
    assert [aboard(trams, seat) for seat in range(3)] == [
        ["marantiga", "vecion"],
        ["panzon"],
        ["cotoler"],
    ]
    assert len(trams.used) == 1  # nobody else brought bad luck


def test_ta_5_1_the_concert_is_no_boarding_elsewhere() -> None:
    trams = luckless("concert", 3)
    trams.last_stop[:] = [2, 3, -1]
    strikes(trams)
    assert [len(aboard(trams, seat)) for seat in range(3)] == [2, 1, 1]
    assert trams.last_stop == [0, 3, -1]


def test_ta_8_4_the_concert_goes_by_turn_order_from_who_drew_it() -> None:
    trams = scene(3, first=1, at=["D1", "A2", "D1"], waiting=["marantiga"], cards=["concert"])
    told = strikes(trams)
    gained = [event.args["seat"] for event in told if event.key == "event.gained"]
    assert gained == [1, 2, 0]


def test_ta_8_4_at_the_concert_who_has_no_seat_takes_nobody() -> None:
    trams = luckless("concert", 2)
    seat_in(trams, 1, "lole", "vecion")
    panzon = PASSENGER_NAMES.index("panzon")
    trams.waiting_at[1] = [panzon] * 6
    do(trams, "no-build", "stay", "board")
    assert aboard(trams, 0) == ["marantiga", "panzon"]
    assert aboard(trams, 1) == ["lole", "vecion"]  # though another stop's might have fitted
    assert trams.waiting_at[1] == [panzon] * 5


def test_ta_8_4_wrong_tram_hands_the_last_one_on_all_at_once() -> None:
    trams = luckless("wrong-tram", 3)
    seat_in(trams, 1, "vecion")
    seat_in(trams, 2, "panzon", "lole")
    told = strikes(trams)
    assert [aboard(trams, seat) for seat in range(3)] == [
        ["lole"],
        ["marantiga"],
        ["panzon", "vecion"],
    ]
    handed = [event.args for event in told if event.key == "event.handed"]
    assert [(args["seat"], args["other"], args["passenger"]) for args in handed] == [
        (0, 1, "marantiga"),
        (1, 2, "vecion"),
        (2, 0, "lole"),
    ]


def test_ta_8_4_on_the_wrong_tram_who_finds_no_seat_stays_and_keeps_their_own() -> None:
    trams = luckless("wrong-tram", 2)
    # Bruno has a full tram of two colours but for his last; Ada's Marantiga would be a third colour.
    seat_in(trams, 1, "vecion", "lem", "panzon", "ciacoleta")
    strikes(trams)
    # La Marantiga finds no seat beside El Panzon, so she stays; La Ciacoleta fits beside nobody's
    # bench but a free one.
    assert aboard(trams, 0) == ["marantiga", "ciacoleta"]
    assert aboard(trams, 1) == ["vecion", "lem", "panzon"]


def test_ta_8_4_on_the_wrong_tram_who_stays_may_make_another_stay() -> None:
    trams = luckless("wrong-tram", 3)
    seat_in(trams, 0, "vecion", "lem")
    seat_in(trams, 1, "panzon", "lole", "cotoler")
    seat_in(trams, 2, "squinzia", "nagana")
    strikes(trams)
    # La Marantiga finds no seat beside El Panzon and El Lole, so she stays: Ada's tram is full of two
    # colours, and La Nagana must stay too; then El Cotoler finds no seat beside her and La Squinzia.
    assert [aboard(trams, seat) for seat in range(3)] == [
        ["vecion", "lem", "marantiga"],
        ["panzon", "lole", "cotoler"],
        ["squinzia", "nagana"],
    ]


def test_ta_8_4_san_nicolo_helps_whoever_has_the_fewest_points() -> None:
    trams = luckless("san-nicolo", 3)
    trams.points[:] = [3, 1, 1]
    for seat in range(3):
        give(trams, seat, damage=1)
    strikes(trams)
    assert trams.damage == [1, 0, 0]
    assert [len(aboard(trams, seat)) for seat in range(3)] == [1, 1, 1]
    assert trams.points == [3, 1, 1]


# --- tiles -----------------------------------------------------------------------------------------


def test_ta_8_4_boars_let_the_drawer_choose_a_tile_without_a_tram() -> None:
    trams = luckless("boars", 2, at=("A2", "C3"), rails=COLUMN)
    told = do(trams, "no-build", "stay", "board")
    assert keys(told)[-1] == "event.misfortune"
    assert trams.phase == Phase.BOARS
    assert legal(trams) == ["on C2", "on C4", "on C5", "on C6", "on C7"]
    assert refused(trams, "on C3").key == "refused.boars-tram"
    assert refused(trams, "on D5").key == "refused.boars-tile"
    assert refused(trams, "roll").key == "refused.boars"
    pile = len(trams.face_down)
    told = do(trams, "on C4")
    assert told[0].args == {"square": "C4", "tile": "straight"}
    assert trams.laid[sq("C4")] == -1
    assert len(trams.face_down) == pile + 1
    assert trams.current == 1
    conserved(trams)


def test_ta_8_4_what_the_boars_took_is_mixed_in_and_protected_no_more() -> None:
    trams = luckless("boars", 2, at=("D14", "A2"), rails={"C5": "straight"}, first=0)
    hand(trams, 0, "crossing", "curve", "curve")
    do(trams, "lay crossing", "on E5", "stay", "no-build", "stay")
    do(trams, "board")
    last = view(trams).last_laid
    assert last is not None
    assert (last.seat, last.square) == (0, "E5")
    trams.rounds = 1
    do(trams, "on E5")
    assert view(trams).last_laid is None
    assert trams.barrier()  # the order of the tiles face down is another


def test_ta_8_4_without_a_tile_the_boars_go_hungry() -> None:
    trams = luckless("boars")
    strikes(trams)
    assert trams.current == 1


def test_ta_8_4_a_landslide_takes_the_tile_laid_last_that_no_tram_stands_on() -> None:
    trams = luckless("landslide", 2, at=("A2", "C5"), rails=COLUMN)
    for square, turn in (("C2", -3), ("C5", 0), ("C6", -1)):
        trams.when[sq(square)] = turn
    for square in ("C3", "C4", "C7"):
        trams.when[sq(square)] = -4
    told = strikes(trams)
    assert told[0].args["square"] == "C6"
    assert trams.laid[sq("C6")] == -1
    assert trams.laid[sq("C5")] >= 0


def test_ta_8_4_a_tile_laid_this_turn_can_slide_and_is_protected_no_more() -> None:
    trams = luckless("landslide", 2)
    hand(trams, 0, "crossing", "curve", "curve")
    do(trams, "lay crossing", "on E5", "stay", "board")
    assert trams.laid[sq("E5")] == -1
    assert view(trams).last_laid is None
    conserved(trams)


def test_ta_8_4_bureaucracy_exchanges_the_tile_held_longest() -> None:
    trams = luckless("bureaucracy", 3, tiles=["curve", "tee", "slip", "straight"])
    hand(trams, 2)
    before = [list(held) for held in trams.hands]
    pile = len(trams.face_down)
    told = strikes(trams)
    assert [event.key for event in told][:2] == ["event.exchanged", "event.exchanged"]
    assert told[0].args["given"] == "curve"
    assert told[1].args["given"] == "straight"
    for seat in (0, 1):
        assert trams.hands[seat][:2] == before[seat][1:]
        assert len(trams.hands[seat]) == 3
        assert TILE_NAMES[trams.hands[seat][2]] == told[seat].args["tile"]
    assert trams.hands[2] == []
    assert len(trams.face_down) == pile


def test_ta_8_4_bureaucracy_takes_the_tile_that_came_by_building_if_there_is_no_other() -> None:
    trams = luckless("bureaucracy", 2, rails={"C5": "straight"})
    hand(trams, 0, "crossing")
    keep(trams, 0, "crowded-stop")
    do(trams, "lay crossing", "on C5", "stay")
    assert view(trams).trams[0].fresh == ["straight"]
    do(trams, "board")
    assert trams.phase == Phase.PICK_UP
    assert view(trams).trams[0].fresh == []


def test_ta_8_4_bureaucracy_leaves_the_tile_that_came_by_building_if_there_is_another() -> None:
    trams = luckless("bureaucracy", 2, rails={"C5": "straight"})
    hand(trams, 0, "crossing", "straight")
    keep(trams, 0, "crowded-stop")
    do(trams, "lay crossing", "on C5", "stay", "board")
    assert view(trams).trams[0].fresh == ["straight"]


# --- kept ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", MISFORTUNE_NAMES[FIRST_KEPT:])
def test_ta_8_4_some_cards_are_kept(card: str) -> None:
    trams = luckless(card)
    do(trams, "no-build", "stay", "board")
    assert view(trams).trams[0].kept == [card]
    assert view(trams).misfortunes_used == []
    conserved(trams)


def test_ta_8_4_nero_in_b_rolls_again_and_the_new_roll_counts() -> None:
    trams = scene(die=[5, 2], at=["C2", "D14"], rails=COLUMN)
    keep(trams, 0, "nero-in-b")
    do(trams, "no-build", "roll")
    assert legal(trams) == ["use nero-in-b", "go north"]  # asked although one way leads on
    told = do(trams, "use nero-in-b")
    assert keys(told)[:3] == ["event.used", "event.rolled", "event.moved"]
    assert square_of(trams, 0) == "C4"
    assert view(trams).trams[0].kept == []
    assert view(trams).misfortunes_used == ["nero-in-b"]


def test_ta_8_4_nero_in_b_rolls_again_with_zelante() -> None:
    trams = scene(die=[5, 2], at=["C2", "D14"], rails=COLUMN)
    keep(trams, 0, "nero-in-b")
    give(trams, 0, futiz="zelante")
    do(trams, "no-build", "roll", "use nero-in-b")
    assert square_of(trams, 0) == "C5"


def test_ta_8_4_nero_in_b_can_save_a_tram_that_has_nowhere_to_go() -> None:
    trams = scene(die=[5, 2], at=["C2", "D14"], rails={"C2": "straight"})
    keep(trams, 0, "nero-in-b")
    do(trams, "no-build", "roll")
    assert legal(trams) == ["use nero-in-b", "run-off"]
    do(trams, "run-off")
    assert trams.damage == [1, 0]
    assert view(trams).trams[0].kept == ["nero-in-b"]


def test_ta_8_4_nero_in_b_is_for_before_going() -> None:
    trams = scene(die=[3], at=["C4", "D14"], rails={**COLUMN, "D5": "straight 1"})
    put_tee(trams)
    keep(trams, 0, "nero-in-b")
    do(trams, "no-build")
    assert refused(trams, "use nero-in-b").key == "refused.card-now"
    do(trams, "roll", "go north")
    assert trams.midway() == 0
    assert refused(trams, "use nero-in-b").key == "refused.card-now"
    assert refused(trams, "use crowded-stop").key == "refused.no-card"


def put_tee(trams: Trams) -> None:
    """C5 becomes a junction."""
    trams.face_down.append(trams.laid[sq("C5")] >> 2)
    put(trams, "C5", "switch-right")


def test_ta_8_4_tram_de_opcina_moves_exactly_three() -> None:
    trams = scene(at=["C2", "C5"], rails=COLUMN)
    keep(trams, 0, "tram-de-opcina")
    give(trams, 0, futiz="zelante")
    do(trams, "no-build")
    assert legal(trams) == ["roll", "stay", "use tram-de-opcina"]
    do(trams, "use tram-de-opcina")
    assert square_of(trams, 0) == "C5"
    assert trams.damage == [1, 1]  # as with a roll
    assert trams.rolls == 0
    assert view(trams).misfortunes_used == ["tram-de-opcina"]


def test_ta_8_4_tram_de_opcina_runs_off_the_rails_as_with_a_roll() -> None:
    trams = scene(at=["C6", "D14"], rails=COLUMN)
    put(trams, "C8", "straight")
    keep(trams, 0, "tram-de-opcina")
    do(trams, "no-build", "use tram-de-opcina")
    assert not trams.barrier()  # nobody has learnt anything
    told = do(trams, "go north")
    assert keys(told)[:2] == ["event.ran-off", "event.damaged"]
    assert trams.damage == [1, 0]


def test_ta_8_4_crowded_stop_boards_a_second_one_bad_luck_and_all() -> None:
    trams = scene(at=["A2"], waiting=["marantiga"], cards=["spritz", "mechanic"])
    keep(trams, 0, "crowded-stop")
    trams.waiting_at[0] = [
        *trams.waiting_at[0][:-2],
        PASSENGER_NAMES.index("petesson"),
        trams.waiting_at[0][-1],
    ]
    do(trams, "no-build", "stay", "board")
    assert legal(trams) == ["use crowded-stop", "leave"]
    assert view(trams).boarded
    told = do(trams, "use crowded-stop")
    assert keys(told)[:3] == ["event.used", "event.boarded", "event.misfortune"]
    assert aboard(trams, 0) == ["marantiga", "petesson"]


def test_ta_8_4_crowded_stop_can_wait() -> None:
    trams = luckless("spritz")
    keep(trams, 0, "crowded-stop")
    do(trams, "no-build", "stay", "board", "leave")
    assert view(trams).trams[0].kept == ["crowded-stop"]
    assert trams.current == 1


def test_ta_8_4_after_the_boars_the_stop_is_still_crowded() -> None:
    trams = luckless("boars", 2, at=("A2", "D14"), rails={"C5": "straight"})
    keep(trams, 0, "crowded-stop")
    do(trams, "no-build", "stay", "board", "on C5")
    assert legal(trams) == ["use crowded-stop", "leave"]


def test_ta_8_4_crowded_stop_is_no_use_to_who_was_carried_off() -> None:
    trams = luckless("towed")
    keep(trams, 0, "crowded-stop")
    do(trams, "no-build", "stay", "board")
    assert trams.current == 1


def test_ta_8_4_san_giusto_wards_off_the_next_damage_by_itself() -> None:
    trams = luckless("black-out")
    keep(trams, 0, "san-giusto")
    keep(trams, 1, "san-giusto")
    give(trams, 1, futiz="buloto")
    told = strikes(trams)
    assert trams.damage == [0, 0]
    assert told[0].key == "event.used"
    assert view(trams).trams[0].kept == []
    assert view(trams).trams[1].kept == ["san-giusto"]  # a Buloto did not need it


@pytest.mark.parametrize("card", MISFORTUNE_NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_ta_8_4_no_card_leaves_a_forbidden_state(card: str, players: int) -> None:
    at = ("A2", "C3", "A7", "E10")[:players]
    trams = luckless(card, players, at=at, rails=COLUMN)
    for seat in range(players):
        give(trams, seat, damage=seat % 3)
    seat_in(trams, 0, "vecion")
    seat_in(trams, 1, "lem", "panzon", "spuzolente")
    strikes(trams)
    if trams.phase == Phase.BOARS:
        do(trams, legal(trams)[-1])
    conserved(trams)
    for seat in range(players):
        assert 0 <= trams.damage[seat] <= 2
        assert too_many(trams.board.colour, trams.aboard[seat], trams.futiz[seat]) == 0
