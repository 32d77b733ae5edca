"""Stop the Train!, rule by rule: the freight train (ST-8)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.stop_the_train.lines import (
    BOX,
    SPACES,
    F,
    Features,
    S,
    V,
    events,
    keys,
    last,
    latest,
    place,
    rail,
    told,
)
from tests.games.stop_the_train.tables import Staged
from tests.games.stop_the_train.turns import FOUR

# --- 8.1 -----------------------------------------------------------------------------------------


def freight_after(turns: list[int], length: int = 3, **options: Any) -> list[int]:
    """Where the freight train stands after each turn at one of these speeds; -1: not on the line."""
    features: Features = {"line": [("bridge", 25, 25), ("hill", 26, 26), ("hill", 28, 28)]}
    t = rail([], [], [], features=features, length=length, freight=True, **options)
    found = []
    for speed in turns:
        t.train.speed = speed
        t.turn("maintain-speed")
        found.append(t.view().freight)
    return found


def test_st_8_1_it_is_put_on_start_after_two_turns_and_moves_four_from_the_next() -> None:
    assert freight_after([180, 120, 120, 120, 120]) == [-1, 0, 4, 8, 12]


def test_st_8_1_it_moves_four_spaces_however_fast_the_other_train_is() -> None:
    assert freight_after([180, 180, 30, 180, 60]) == [-1, 0, 4, 8, 12]


@pytest.mark.parametrize(
    ("speeds", "freight"),
    [
        # Rear on START: after two turns the front is on the second space.
        ([30, 30, 180, 180], [-1, -1, 0, 4]),
        ([30, 30, 30, 180], [-1, -1, 0, 4]),
        ([60, 30, 180, 180], [-1, 0, 4, 8]),
    ],
)
def test_st_8_1_it_waits_until_start_is_clear(speeds: list[int], freight: list[int]) -> None:
    assert freight_after(speeds) == freight


@pytest.mark.parametrize(
    ("speeds", "freight"), [([60, 60, 30, 180], [-1, -1, 0, 4]), ([60, 90, 180], [-1, 0, 4])]
)
def test_st_8_1_a_longer_train_covers_start_for_longer(
    speeds: list[int], freight: list[int]
) -> None:
    assert freight_after(speeds, length=5) == freight


def test_st_8_1_a_head_start_leaves_start_clear() -> None:
    assert freight_after([30, 30, 120], head_start=12) == [-1, 0, 4]


def test_st_8_1_all_are_told_when_it_sets_out_and_when_it_moves() -> None:
    t = rail(*FOUR, freight=True, viewers=[None])
    for at, expected in [(20, 0), (23, 0), (24, 1)]:
        t.at(at, 30)
        t.turn("maintain-speed")
        assert keys(t).count("event.freight") == expected
    assert keys(t).count("event.freight-starts") == 1
    moves = [event.sets for event in told(t) if event.key.startswith("event.freight")]
    assert moves == [{"freight": 0}, {"freight": 4}]
    assert latest(t, "event.freight") == {"spaces": 4}


def chase(front: int, freight: int, speed: int = 30, route: str = "") -> Staged:
    """A turn in which the 19:05 stands here and the freight train there."""
    t = rail(*FOUR, freight=True, viewers=[None])
    t.at(front, speed, route)
    t.train.freight = freight
    t.turn("maintain-speed")
    return t


def test_st_8_1_it_does_not_halt_at_the_signal_box_and_takes_the_fast_track() -> None:
    t = chase(place(S, 25), BOX - 2, route=S)
    assert t.view().freight == BOX + 2
    t.turn("maintain-speed")
    assert t.view().freight == BOX + 6
    # By way of the Fast Track it comes to the last space before Paris.
    t.train.freight = last(F) - 5
    t.turn("maintain-speed")
    assert t.view().freight == last(F) - 1
    assert t.match.result() is None


def test_st_8_1_no_vote_is_called_for_it() -> None:
    t = chase(place(S, 25), BOX - 4, route=S)
    assert t.view().freight == BOX
    assert t.step == "draw"


# --- 8.2 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("front", "freight", "collided"),
    [
        # The 19:05 moves to 25 and covers 23 to 25.
        (24, 18, False),
        (24, 19, True),
        (24, 20, True),
        (24, 21, True),
    ],
)
def test_st_8_2_it_collides_when_it_comes_to_a_space_of_the_other_train(
    front: int, freight: int, collided: bool
) -> None:
    t = chase(front, freight)
    result = t.match.result()
    assert (result is not None) is collided
    if result:
        assert result.ending == t.view().ending == "collided"
        # At once: on the first space that both have.
        assert t.view().freight == 23
        assert keys(t)[-5:] == ["event.collided", *["event.revealed"] * 4]


@pytest.mark.parametrize(("speed", "collided"), [(30, True), (60, False)])
def test_st_8_2_who_drives_faster_gets_away(speed: int, collided: bool) -> None:
    t = chase(22, 17, speed)
    assert (t.match.result() is not None) is collided


def test_st_8_2_the_trains_as_they_stand_one_behind_the_other_do_not_touch() -> None:
    t = chase(20, 12, 120)
    assert (t.view().at, t.view().freight) == (24, 16)
    assert t.match.result() is None


def test_st_8_2_a_rear_behind_start_is_nowhere_on_the_line() -> None:
    # The one train stands on START, the other comes to the last space, and the other way round.
    assert chase(last(V) - 1, 0, 30, V).match.result() is None
    assert chase(0, last(F), 30).match.result() is None


@pytest.mark.parametrize(("length", "collided"), [(2, False), (3, True), (4, True)])
def test_st_8_2_both_trains_are_as_long_as_the_line_says(length: int, collided: bool) -> None:
    # Coming from a longer route behind the freight train, which covers so many spaces.
    t = rail(*FOUR, freight=True, length=length)
    t.at(place("paris", 24, S), 30, S)
    t.train.freight = place("paris", 27, F)
    t.turn("maintain-speed")
    assert (t.match.result() is not None) is collided


@pytest.mark.parametrize(
    ("speed", "at"), [(30, 25), (60, 26), (90, None), (120, None), (180, None)]
)
def test_st_8_2_the_19_05_may_run_into_it_from_behind(speed: int, at: int | None) -> None:
    # The freight train covers 27 to 29 of the last stretch.
    t = rail(*FOUR, freight=True)
    t.at(place("paris", 24, V), speed, V)
    t.train.freight = place("paris", 29)
    t.turn("maintain-speed")
    if at is None:
        assert t.view().ending == "collided"
        assert t.view().at == place("paris", 27, V)
        assert t.view().freight == place("paris", 29)
    else:
        assert t.match.result() is None
        assert t.view().at == place("paris", at, V)


@pytest.mark.parametrize("front", [BOX, 10, 16])
def test_st_8_2_a_collision_comes_before_the_vote_the_meeting_and_the_permit(front: int) -> None:
    t = chase(front - 1, front - 4)
    assert t.view().ending == "collided"
    assert t.step == "over"
    assert events(t)[1:] == ["event.freight", "event.collided", *["event.revealed"] * 4]


def test_st_8_2_a_collision_comes_before_the_record() -> None:
    # At full speed the front comes to the hill, where the freight train is.
    t = rail(*FOUR, freight=True)
    t.at(place("paris", 15, V), 180, V)
    t.train.freight = place("paris", 23)
    t.turn("maintain-speed")
    assert t.view().ending == "collided"
    assert t.view().at == place("paris", 21, V)
    assert t.view().records == []


def test_st_8_2_all_are_told_of_the_move_before_they_are_told_how_it_ended() -> None:
    t = rail(*FOUR, freight=True, viewers=[None])
    t.at(place("paris", 15, V), 180, V)
    t.train.freight = place("paris", 23)
    t.turn("maintain-speed")
    expected = ["event.moved.place", "event.collided", *["event.revealed"] * 4]
    assert events(t) == expected


@pytest.mark.parametrize(
    ("before", "freight", "ending"),
    [
        # The freight train waits on the last space: it comes before Paris.
        (3, "last", "collided"),
        (6, "last", "collided"),
        # It is behind: Paris comes first, whatever it would do next.
        (0, "behind", "crashed"),
        (4, "behind", "crashed"),
    ],
)
def test_st_8_2_whichever_comes_first_freight_or_paris_decides(
    before: int, freight: str, ending: str
) -> None:
    t = rail(*FOUR, freight=True)
    t.at(last(V) - before, 180, V)
    t.train.freight = last(F) if freight == "last" else last(F) - before - 4
    t.turn("maintain-speed")
    assert t.view().ending == ending


@pytest.mark.parametrize("route", [V, S])
def test_st_8_2_on_different_routes_they_miss_each_other(route: str) -> None:
    for front in range(BOX + 3, BOX + SPACES[F] - 4):
        t = chase(front, front - 2, 30, route)
        assert t.match.result() is None
        assert t.view().freight == front + 2


def test_st_8_2_on_the_same_route_they_do_not() -> None:
    assert chase(place(F, 9), place(F, 5), 30, F).view().ending == "collided"


@pytest.mark.parametrize(("number", "collided"), [(1, True), (2, True), (3, False)])
def test_st_8_2_the_rear_is_on_the_common_line_for_a_while(number: int, collided: bool) -> None:
    # The 19:05 comes to this space of the Scenic Route; two spaces behind is its rear.
    t = chase(place(S, number - 1), BOX - 4, 30, S)
    assert (t.match.result() is not None) is collided


@pytest.mark.parametrize(
    ("freight", "collided"),
    [(9, False), (10, True), (12, True), (18, True), (19, False)],
)
def test_st_8_2_where_the_routes_have_joined_they_can_meet_again(
    freight: int, collided: bool
) -> None:
    # The 19:05 comes to cover 14 to 16 of the last stretch; freight then moves four.
    t = rail(*FOUR, freight=True)
    t.at(place("paris", 15, S), 30, S)
    t.train.freight = place("paris", freight, F)
    t.turn("maintain-speed")
    assert (t.match.result() is not None) is collided


# --- 8.3 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "after"), [(5, 1), (4, 0), (3, 0), (1, 0), (0, 0)])
def test_st_8_3_it_waits_on_the_last_space_before_paris(before: int, after: int) -> None:
    t = chase(place(S, 20), last(F) - before, route=S)
    assert t.view().freight == last(F) - after
    assert t.match.result() is None
    spaces = [event.args["spaces"] for event in told(t) if event.key == "event.freight"]
    assert spaces == ([before - after] if before else [])


def test_st_8_3_when_the_train_stops_so_does_it() -> None:
    t = rail(*FOUR, freight=True)
    t.at(24, 30)
    t.train.freight = 5
    t.train.deck = []
    t.turn("maintain-speed")
    assert t.view().ending == "stopped"
    assert t.view().freight == 9


def test_st_8_3_it_does_not_even_set_out_when_the_train_has_stopped() -> None:
    t = rail(*FOUR, freight=True, viewers=[None])
    t.at(20, 30)
    t.turn("maintain-speed")
    t.train.deck = []
    t.turn("maintain-speed")
    assert t.view().ending == "stopped"
    assert t.view().freight == -1
