"""Tachite al Tram: picking up and setting down (TA-5, TA-6)."""

from __future__ import annotations

import pytest

from capolinea.games.tachite_al_tram.rules import stops
from capolinea.games.tachite_al_tram.rules.board import PASSENGER_NAMES
from capolinea.games.tachite_al_tram.rules.seats import seating, too_many
from capolinea.games.tachite_al_tram.rules.steps import FUTIZ_NAMES, Ending, Phase
from capolinea.games.tachite_al_tram.rules.trams import Trams
from tests.games.tachite_al_tram.scenes import (
    aboard,
    conserved,
    do,
    give,
    keys,
    legal,
    meadow,
    refused,
    scene,
    seat_in,
    square_of,
    tops,
    view,
)

#: A line up column C.
COLUMN = {f"C{row}": "straight" for row in range(2, 8)}
COLOUR = meadow().colour


def kinds(*names: str) -> list[int]:
    return [PASSENGER_NAMES.index(name) for name in names]


def futiz(name: str) -> int:
    return FUTIZ_NAMES.index(name) if name else -1


# --- pick up ---------------------------------------------------------------------------------------


def test_ta_5_1_on_a_stop_the_top_passenger_may_board_one_a_turn() -> None:
    trams = scene(at=["A2", "D14"], waiting=["vecion"])
    below = PASSENGER_NAMES[trams.waiting_at[0][-2]]
    do(trams, "no-build", "stay")
    assert legal(trams) == ["board", "leave"]
    told = do(trams, "board")
    assert keys(told) == ["event.boarded", "event.turn"]
    assert told[0].args == {"seat": 0, "passenger": "vecion", "at": "A2"}
    assert aboard(trams, 0) == ["vecion"]
    assert tops(trams)[0] == below
    assert trams.current == 1
    assert trams.barrier()
    conserved(trams)


def test_ta_5_1_boarding_is_a_choice() -> None:
    trams = scene(at=["A2", "D14"], waiting=["vecion"])
    do(trams, "no-build", "stay", "leave")
    assert aboard(trams, 0) == []
    assert trams.last_stop == [-1, -1]
    assert trams.current == 1


def test_ta_5_1_not_twice_from_the_same_stop() -> None:
    trams = scene(at=["A2", "D14"], waiting=["vecion"])
    do(trams, "no-build", "stay", "board", "no-build", "stay")
    assert view(trams).trams[0].last_stop == 0
    told = do(trams, "no-build", "stay")
    assert keys(told) == ["event.stayed", "event.turn"]  # not asked
    trams.current = 0
    trams.phase = Phase.PICK_UP
    trams.choices = [1]
    problem = refused(trams, "board")
    assert (problem.key, problem.rule) == ("refused.same-stop", "TA-5.1")


def test_ta_5_1_until_one_boards_elsewhere_or_completes_a_trip() -> None:
    trams = scene(at=["A2", "D14"], waiting=["vecion", "lem"])
    trams.last_stop[0] = 0
    assert not stops.may_board(trams, 0)
    trams.at[0] = trams.board.stops[1]
    do(trams, "no-build", "stay", "board")
    trams.at[0] = trams.board.stops[0]
    assert stops.may_board(trams, 0)
    other = scene(at=["D14", "D1"])
    other.last_stop[0] = 0
    do(other, "no-build", "stay")  # arrives empty
    assert other.last_stop[0] == -1


def test_ta_5_1_or_is_sent_to_the_workshop_though_on_anothers_turn() -> None:
    trams = scene(3, die=[2], at=["C3", "C5", "D14"], rails=COLUMN)
    give(trams, 1, damage=2)
    trams.last_stop[:] = [1, 2, 3]
    do(trams, "no-build", "roll", "go north")
    assert square_of(trams, 1) == "D8"
    assert trams.last_stop == [1, -1, 3]


def test_ta_5_1_where_nobody_waits_nobody_boards() -> None:
    trams = scene(at=["A2", "D14"])
    trams.waiting_at[0] = []
    do(trams, "no-build", "stay")
    assert trams.current == 1
    assert aboard(trams, 0) == []


def test_ta_5_2_who_does_not_move_may_pick_up_too() -> None:
    trams = scene(at=["G7", "D14"], waiting=["lole", "lole", "panzon"])
    do(trams, "no-build", "stay", "board")
    assert aboard(trams, 0) == ["panzon"]


def test_ta_5_2_and_who_arrives() -> None:
    trams = scene(
        die=[1], at=["E1", "D14"], rails={"E1": "straight 1"}, waiting=["lole", "squinzia"]
    )
    do(trams, "no-build", "roll")
    assert trams.phase == Phase.PICK_UP
    do(trams, "board")
    assert aboard(trams, 0) == ["squinzia"]


def test_ta_5_2_and_who_rolled_but_found_no_rail_away() -> None:
    trams = scene(die=[3], at=["G7", "D14"], waiting=["lole", "lole", "panzon"])
    told = do(trams, "no-build", "roll")
    assert "event.no-rails" in keys(told)
    assert legal(trams) == ["board", "leave"]
    do(trams, "board")
    assert aboard(trams, 0) == ["panzon"]


@pytest.mark.parametrize(
    ("who", "driver", "over"),
    [
        ((), "", 0),
        (("vecion", "lem", "panzon", "ciacoleta"), "", 0),  # two of a colour on each bench
        (("vecion", "panzon"), "", 0),  # one on each bench
        (("vecion", "panzon", "lole"), "", 1),  # three colours, two benches
        (("vecion", "lem", "nagana", "panzon"), "", 1),
        (("vecion", "lem", "nagana"), "", 0),
        (("vecion", "panzon", "lole"), "sbonfo", 0),
        (("vecion", "panzon", "lole", "squinzia"), "sbonfo", 1),
        (("vecion", "lem", "panzon", "ciacoleta", "lole", "cotoler"), "sbonfo", 0),
        (("vecion", "lem", "nagana", "panzon", "ciacoleta", "spuzolente"), "sbonfo", 1),
        (("vecion", "panzon", "lole", "squinzia"), "cocolo", 0),
        (("vecion", "panzon", "lole", "squinzia", "lem"), "cocolo", 1),
        (("vecion", "lem", "panzon", "ciacoleta", "lole", "cotoler"), "", 2),
        (("vecion", "panzon", "lole", "squinzia"), "zelante", 2),
        (("vecion", "lem", "panzon", "ciacoleta", "lole"), "buloto", 1),
        (
            ("vecion", "lem", "panzon", "ciacoleta", "lole", "cotoler", "squinzia", "mocoloso"),
            "",
            4,
        ),
    ],
)
def test_ta_5_3_seats_by_colour(who: tuple[str, ...], driver: str, over: int) -> None:
    assert too_many(COLOUR, kinds(*who), futiz(driver)) == over


def test_ta_5_3_a_passenger_without_a_seat_stays_behind() -> None:
    trams = scene(at=["A2", "D14"], waiting=["squinzia"])
    seat_in(trams, 0, "vecion", "panzon")
    do(trams, "no-build", "stay")
    assert trams.current == 1
    trams.current, trams.phase, trams.choices = 0, Phase.PICK_UP, [1]
    problem = refused(trams, "board")
    assert (problem.key, problem.rule) == ("refused.no-seat-free", "TA-5.3")
    assert problem.args_ == {"passenger": "squinzia"}


def test_ta_5_3_who_fits_by_reseating_is_accepted() -> None:
    # One on each bench; a third of either colour joins their like.
    trams = scene(at=["A2", "D14"], waiting=["ciacoleta"])
    seat_in(trams, 0, "vecion", "panzon")
    do(trams, "no-build", "stay", "board")
    assert view(trams).trams[0].seats == ["vecion", None, "panzon", "ciacoleta"]


@pytest.mark.parametrize("driver", ["", "cocolo", "sbonfo"])
def test_ta_5_3_everybody_is_seated(driver: str) -> None:
    who = {
        "": ("panzon", "vecion", "spuzolente"),
        "cocolo": ("panzon", "vecion", "lole", "squinzia"),
        "sbonfo": ("lole", "panzon", "vecion", "lem"),
    }[driver]
    seats = seating(COLOUR, kinds(*who), futiz(driver))
    assert len(seats) == (6 if driver == "sbonfo" else 4)
    assert sorted(kind for kind in seats if kind >= 0) == sorted(kinds(*who))
    for place in range(0, len(seats), 2):
        pair = [COLOUR[kind] for kind in seats[place : place + 2] if kind >= 0]
        assert driver == "cocolo" or len(set(pair)) <= 1


def test_ta_5_3_nobody_is_put_off_to_make_room() -> None:
    trams = scene(at=["A2", "D14"], waiting=["vecion"])
    seat_in(trams, 0, "lem")
    do(trams, "no-build", "stay")
    problem = refused(trams, "put-off lem")
    assert (problem.key, problem.rule) == ("refused.nobody-leaves", "TA-5.3")


@pytest.mark.parametrize(
    ("players", "who", "unlucky"),
    [
        (2, "petesson", True),
        (3, "petesson", False),
        (3, "lem", True),
        (4, "lem", False),
        (4, "spuzolente", True),
        (2, "vecion", False),
    ],
)
def test_ta_5_4_bad_luck_goes_by_the_number_of_players(
    players: int, who: str, unlucky: bool
) -> None:
    trams = scene(players, at=["A2"], waiting=[who], cards=["mechanic"])
    told = keys(do(trams, "no-build", "stay", "board"))
    assert ("event.misfortune" in told) == unlucky
    assert (len(trams.deck) == 35) == unlucky
    shown = view(trams).misfortune
    assert (shown is not None) == unlucky
    if shown is not None:
        assert (shown.id, shown.seat) == ("mechanic", 0)


def test_ta_5_4_used_cards_are_shuffled_when_the_deck_is_empty() -> None:
    order = [35, *range(1, 35), 0]
    trams = scene(at=["A2", "D14"], waiting=["marantiga"], more={"misfortunes 36": [[], order]})
    trams.used = trams.deck
    trams.deck = []
    cards = sorted(trams.used)
    do(trams, "no-build", "stay", "board")
    # The first and the last of all cards have changed places: the next is one that is kept.
    assert view(trams).trams[0].kept == ["crowded-stop"]
    assert trams.used == []
    assert trams.deck == [cards[place] for place in order[:0:-1]]
    assert trams.deck_mixes == 2


def test_ta_5_4_without_any_card_nothing_happens() -> None:
    trams = scene(at=["A2", "D14"], waiting=["marantiga"])
    trams.deck = []
    assert keys(do(trams, "no-build", "stay", "board")) == [
        "event.stayed",
        "event.boarded",
        "event.turn",
    ]


# --- set down --------------------------------------------------------------------------------------


def test_ta_6_1_all_passengers_or_none_a_point_each() -> None:
    trams = scene(at=["D14", "D1"])
    seat_in(trams, 0, "vecion", "lem", "panzon")
    do(trams, "no-build", "stay")
    assert legal(trams) == ["set-down", "keep"]
    told = do(trams, "set-down")
    assert told[0].key == "event.set-down"
    assert told[0].args == {"seat": 0, "count": 3, "points": 3, "at": "D14"}
    assert trams.points == [3, 0]
    assert trams.to == [0, 0]  # the other terminus now
    assert aboard(trams, 0) == []
    assert sum(trams.out) == 3
    shown = view(trams).trams[0]
    assert [(trip.turn, trip.points) for trip in shown.trips] == [(1, 3)]
    assert view(trams).passengers_out == {"vecion": 1, "lem": 1, "panzon": 1}
    conserved(trams)


def test_ta_6_1_one_may_keep_them() -> None:
    trams = scene(at=["D14", "D1"])
    seat_in(trams, 0, "vecion")
    do(trams, "no-build", "stay", "keep")
    assert aboard(trams, 0) == ["vecion"]
    assert trams.to == [1, 0]
    assert trams.current == 1


def test_ta_6_1_arriving_empty_completes_the_trip_too() -> None:
    trams = scene(at=["D14", "D1"])
    told = do(trams, "no-build", "stay")
    assert "event.set-down" in keys(told)
    assert trams.to == [0, 0]
    assert trams.points == [0, 0]
    assert trams.trips[0] == [1, 0]


def test_ta_6_1_not_at_the_other_terminus() -> None:
    trams = scene()
    seat_in(trams, 0, "vecion")
    do(trams, "no-build", "stay")
    assert trams.current == 1
    assert aboard(trams, 0) == ["vecion"]
    trams.current, trams.phase, trams.choices = 0, Phase.MOVE, []
    problem = refused(trams, "set-down")
    assert (problem.key, problem.rule) == ("refused.set-down", "TA-6.1")


def test_ta_6_1_at_the_goal_the_game_ends_at_once() -> None:
    trams = scene(3, at=["D14"])
    trams.points[0] = 11
    seat_in(trams, 0, "vecion")
    told = do(trams, "no-build", "stay", "set-down")
    assert keys(told)[-1] == "event.frenador"
    assert trams.ending == Ending.FRENADOR


def test_ta_6_1_with_more_than_the_goal_it_ends_too() -> None:
    trams = scene(3, at=["D14"])
    trams.points[0] = 11
    seat_in(trams, 0, "vecion", "lem")
    do(trams, "no-build", "stay", "set-down")
    assert trams.points[0] == 13
    assert trams.ending == Ending.FRENADOR


def test_ta_6_2_when_nobody_waits_anywhere_those_who_are_out_come_back() -> None:
    trams = scene(at=["D14", "D1"])
    for stop in range(6):
        for kind in trams.waiting_at[stop]:
            stops.discard(trams, kind)
        trams.waiting_at[stop] = []
    trams.out[kinds("vecion")[0]] -= 1
    trams.aboard[0] = kinds("vecion")
    trams.choices = []
    told = do(trams, "no-build", "stay", "set-down")
    assert "event.refilled" in keys(told)
    assert [len(pile) for pile in trams.waiting_at] == [4] * 6
    assert sum(trams.out) == 0
    assert trams.barrier()
    conserved(trams)


def only(trams: Trams, *waiting: str) -> None:
    """These alone wait at the first stop, the last of them on top; Bruno has all others aboard."""
    everybody = [kind for pile in trams.waiting_at for kind in pile]
    for kind in kinds(*waiting):
        everybody.remove(kind)
    trams.waiting_at = [kinds(*waiting), [], [], [], [], []]
    trams.aboard[1] = everybody
    trams.choices = []


def test_ta_6_2_the_misfortune_comes_first() -> None:
    trams = scene(at=["A2", "D14"], cards=["inspector"])
    only(trams, "marantiga")
    told = keys(do(trams, "no-build", "stay", "board"))
    assert told.index("event.misfortune") < told.index("event.refilled")
    # La Marantiga and Bruno's last are out by then, and both come back.
    assert [len(pile) for pile in trams.waiting_at] == [0, 0, 1, 1, 0, 0]
    assert aboard(trams, 0) == []
    conserved(trams)


def test_ta_6_2_and_then_it_is_not_put_off_to_the_end_of_the_turn() -> None:
    trams = scene(at=["A2", "D14"], cards=["wrong-points"])
    only(trams, "marantiga")
    trams.out[trams.aboard[1].pop()] += 1
    told = keys(do(trams, "no-build", "stay", "board"))
    assert told[-1] == "event.refilled"
    assert trams.phase == Phase.SET_DOWN
    assert [len(pile) for pile in trams.waiting_at] == [0, 0, 1, 0, 0, 0]


def test_ta_6_2_who_comes_back_is_shuffled() -> None:
    order = [2, 0, 1]
    trams = scene(more={"passengers 3": [[], order]})
    only(trams)
    back = sorted(trams.aboard[1].pop() for _ in order)
    for kind in back:
        stops.discard(trams, kind)
    stops.refill(trams)
    assert [trams.waiting_at[stop] for stop in trams.board.central] == [[back[n]] for n in order]


@pytest.mark.parametrize("extra", range(6))
def test_ta_6_2_what_does_not_divide_goes_to_the_central_stops_first(extra: int) -> None:
    trams = scene(more={"extra 3": [None, [2, 0, 1]]})
    waiting = [kind for pile in trams.waiting_at for kind in pile]
    trams.aboard[0] = waiting[6 + extra :]
    trams.waiting_at = [[] for _ in range(6)]
    for kind in waiting[: 6 + extra]:
        stops.discard(trams, kind)
    stops.refill(trams)
    sizes = [len(pile) for pile in trams.waiting_at]
    # Central are the third, fourth and fifth stop; the others in the order that chance gave: 5, 0, 1.
    more = (2, 3, 4, 5, 0)[:extra]
    assert sizes == [2 if stop in more else 1 for stop in range(6)]


def test_ta_6_2_with_nobody_out_it_waits_until_somebody_is() -> None:
    trams = scene(at=["A2", "D14"], waiting=["vecion"])
    everybody = [kind for pile in trams.waiting_at for kind in pile]
    trams.aboard[1] = [kind for kind in everybody if kind != kinds("vecion")[0]]
    trams.aboard[1].append(kinds("vecion")[0])
    trams.waiting_at = [kinds("vecion"), [], [], [], [], []]
    do(trams, "no-build", "stay", "board")
    assert [len(pile) for pile in trams.waiting_at] == [0] * 6
    assert trams.refills == 1
    trams.current, trams.phase, trams.choices = 1, Phase.SET_DOWN, []
    trams.at[1], trams.to[1], trams.goal = trams.board.opicina, 1, 99
    do(trams, "set-down")
    assert sum(len(pile) for pile in trams.waiting_at) == 23
    assert trams.refills == 2


def test_ta_6_2_while_somebody_waits_nobody_comes_back() -> None:
    trams = scene()
    stops.discard(trams, 0)
    before = trams.waiting_at[:]
    stops.refill(trams)
    assert trams.waiting_at == before
    assert trams.out[0] == 1


def test_the_fullest_stop_is_the_first_of_those_where_most_wait() -> None:
    trams = scene()
    assert stops.fullest(trams) == 0
    trams.waiting_at[0] = trams.waiting_at[0][1:]
    assert stops.fullest(trams) == 1
    trams.waiting_at = [[] for _ in range(6)]
    assert stops.fullest(trams) == -1


def test_boarding_elsewhere_is_refused_with_the_reason() -> None:
    trams = scene(at=["D2", "D14"], rails={"D2": "straight"})
    do(trams, "no-build")
    assert refused(trams, "board").key == "refused.no-stop"
    other = scene(at=["A2", "D14"], waiting=["vecion"])
    assert refused(other, "leave").key == "refused.board-now"
    other.waiting_at[0] = []
    assert refused(other, "board").key == "refused.nobody-waits"
    give(other, 0, damage=1)
    assert refused(other, "repair").key == "refused.workshop"
