"""Tachite al Tram: moving (TA-4)."""

from __future__ import annotations

import pytest

from capolinea.games.tachite_al_tram.rules.steps import Phase
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.rules.ways import ALTERNATIVES, Way, ways
from capolinea.games.tachite_al_tram.title import GAME
from tests.games.tachite_al_tram.scenes import (
    aboard,
    conserved,
    do,
    give,
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

#: A line up column C, from C2 to C7.
COLUMN = {f"C{row}": "straight" for row in range(2, 8)}


def rolling(trams: Trams) -> list[str]:
    """Build nothing and roll; what was told."""
    return keys(do(trams, "no-build", "roll"))


def paths(found: list[Way]) -> list[list[int]]:
    return [way.path for way in found]


def test_ta_4_1_having_rolled_one_moves_exactly_so_far() -> None:
    trams = scene(die=[3], at=["C2", "D1"], rails=COLUMN)
    told = do(trams, "no-build", "roll")
    assert square_of(trams, 0) == "C5"
    assert keys(told) == ["event.rolled", "event.moved", "event.turn"]
    assert told[0].args == {"seat": 0, "die": 3, "steps": 3}
    assert told[1].args == {"seat": 0, "at": "C5", "path": ["C2", "C3", "C4", "C5"]}
    assert trams.damage == [0, 0]
    assert trams.barrier()


def test_ta_4_1_one_need_not_roll() -> None:
    trams = scene(at=["C2", "D1"], rails=COLUMN)
    do(trams, "no-build")
    assert legal(trams) == ["roll", "stay"]
    do(trams, "stay")
    assert square_of(trams, 0) == "C2"
    assert trams.rolls == 0
    assert trams.current == 1


def test_ta_4_1_once_rolled_one_must_go() -> None:
    trams = scene(die=[2], at=["C4", "D1"], rails=COLUMN)
    do(trams, "no-build", "roll")
    assert legal(trams) == ["go north", "go south"]
    problem = refused(trams, "stay")
    assert (problem.key, problem.args_) == ("refused.must-go", {"steps": 2})
    assert view(trams).die == 2


def test_ta_4_1_zelante_adds_one_always() -> None:
    trams = scene(die=[6], at=["C2", "D1"], rails={**COLUMN, "C8": "straight", "C9": "straight"})
    give(trams, 0, futiz="zelante")
    told = do(trams, "no-build", "roll")
    assert told[0].key == "event.rolled.zelante"
    assert told[0].args["steps"] == 7
    assert square_of(trams, 0) == "C9"


def test_ta_4_2_any_direction_to_begin_with_but_no_turning_back() -> None:
    trams = scene(die=[2], at=["C4", "D1"], rails=COLUMN)
    do(trams, "no-build", "roll")
    problem = refused(trams, "go east")
    assert (problem.key, problem.rule) == ("refused.no-way", "TA-4.2")
    assert problem.args_ == {"side": "east", "at": "C4"}
    do(trams, "go south")
    assert square_of(trams, 0) == "C2"


def test_ta_4_2_at_a_junction_the_driver_chooses() -> None:
    rails = {"C2": "straight", "C3": "switch-right 2", "C4": "straight", "B3": "straight 1"}
    trams = scene(die=[2], at=["C2", "D1"], rails=rails)
    do(trams, "no-build", "roll")
    # C3 has NS and, turned by half, NW: from the south only straight on.
    assert square_of(trams, 0) == "C4"
    other = scene(die=[2], at=["C4", "D1"], rails=rails)
    do(other, "no-build", "roll")
    assert legal(other) == ["go south", "go west"]
    do(other, "go west")
    assert square_of(other, 0) == "B3"


def test_ta_4_2_a_tram_stands_on_a_square_and_may_leave_by_any_rail() -> None:
    rails = {"C3": "double-curve", "C4": "straight", "C2": "straight", "B3": "straight 1"}
    trams = scene(die=[1], at=["C3", "D1"], rails=rails)
    do(trams, "no-build", "roll")
    assert legal(trams) == ["go north", "go south", "go west"]


def test_ta_4_2_passing_through_one_follows_the_rail_entered() -> None:
    rails = {"C2": "straight", "C3": "crossing", "C4": "straight", "B3": "straight 1"}
    trams = scene(die=[2], at=["C2", "D1"], rails=rails)
    assert rolling(trams)[1] == "event.moved"
    assert square_of(trams, 0) == "C4"


def test_ta_4_2_squares_may_be_visited_again() -> None:
    # A loop of four curves with a crossing in its corner: C5 is passed twice.
    rails = {
        "C5": "crossing",
        "C4": "straight",
        "C6": "curve",
        "D6": "curve 1",
        "D5": "curve 2",
    }
    trams = scene(die=[6], at=["C4", "D1"], rails={**rails, "B5": "straight 1"})
    do(trams, "no-build", "roll")
    assert view(trams).trams[0].square == "B5"


def test_ta_4_3_where_the_rails_end_one_stops_with_a_damage() -> None:
    trams = scene(die=[6], at=["C5", "D1"], rails=COLUMN)
    do(trams, "no-build", "roll")
    told = do(trams, "go north")
    assert keys(told)[:2] == ["event.ran-off", "event.damaged"]
    assert square_of(trams, 0) == "C7"
    assert trams.damage == [1, 0]
    conserved(trams)


def test_ta_4_3_on_a_place_to_end_early_running_off_is_a_choice() -> None:
    """The Pasticier manoeuvre."""
    trams = scene(die=[4], at=["D2", "D14"], rails={"D2": "straight"})
    do(trams, "no-build", "roll")
    assert legal(trams) == ["stop", "run-off"]
    told = do(trams, "run-off")
    assert square_of(trams, 0) == "D1"
    assert trams.damage == [1, 0]
    assert keys(told)[0] == "event.ran-off"


def test_ta_4_3_it_is_of_no_use_to_a_buloto() -> None:
    trams = scene(die=[6], at=["C5", "D1"], rails=COLUMN)
    give(trams, 0, futiz="buloto")
    do(trams, "no-build", "roll", "go north")
    assert square_of(trams, 0) == "C7"
    assert trams.damage == [0, 0]


def test_ta_4_3_no_rail_leads_away_at_all() -> None:
    trams = scene(3, die=[3], at=["C5", "C5", "D1"], rails={"C5": "straight"})
    told = do(trams, "no-build", "roll")
    assert keys(told)[1] == "event.no-rails"
    assert square_of(trams, 0) == "C5"
    assert trams.damage == [1, 0, 0]  # nobody collides


def test_ta_4_4_one_may_end_early_on_a_stop() -> None:
    rails = {"E1": "straight 1", "G1": "curve 2", "G2": "straight"}
    trams = scene(die=[3], at=["E1", "D14"], rails=rails)
    do(trams, "no-build", "roll")
    assert legal(trams) == ["go east", "stop"]
    assert refused(trams, "run-off").key == "refused.run-off"
    told = do(trams, "stop")
    assert told[0].key == "event.ended-early"
    assert square_of(trams, 0) == "F1"
    assert trams.damage == [0, 0]
    assert trams.phase == Phase.PICK_UP


@pytest.mark.parametrize(
    ("start", "rails", "end"),
    [
        ("D2", {"D2": "straight"}, "D1"),
        ("D9", {"D9": "straight"}, "D8"),
    ],
)
def test_ta_4_4_or_at_a_terminus_or_in_the_workshop(
    start: str, rails: dict[str, str], end: str
) -> None:
    trams = scene(die=[2], at=[start, "D14"], rails=rails)
    do(trams, "no-build", "roll")
    assert legal(trams) == ["stop", "run-off"]
    do(trams, "stop")
    assert square_of(trams, 0) == end


def test_ta_4_4_not_before_the_first_square_nor_on_open_line() -> None:
    trams = scene(die=[2], at=["F1", "D14"], rails={"E1": "straight 1", "G1": "curve 2"})
    do(trams, "no-build", "roll")
    assert legal(trams) == ["go east", "go west"]
    problem = refused(trams, "stop")
    assert (problem.key, problem.rule) == ("refused.stop", "TA-4.4")


def test_ta_4_5_who_ends_where_trams_stand_takes_one_and_so_does_each_of_them() -> None:
    trams = scene(4, die=[2], at=["C3", "C5", "C5", "D14"], rails=COLUMN)
    do(trams, "no-build", "roll")
    told = do(trams, "go north")
    assert trams.damage == [1, 1, 1, 0]  # not one for each
    crash = next(event for event in told if event.key == "event.collided")
    assert crash.args["others"] == [1, 2]


def test_ta_4_5_passing_through_is_free() -> None:
    trams = scene(die=[3], at=["C3", "C5"], rails=COLUMN)
    do(trams, "no-build", "roll", "go north")
    assert square_of(trams, 0) == "C6"
    assert trams.damage == [0, 0]


@pytest.mark.parametrize(
    ("start", "rails", "end", "side"),
    [
        ("E1", {"E1": "straight 1"}, "F1", "east"),
        ("D2", {"D2": "straight"}, "D1", "south"),
        ("C8", {"C8": "straight 1"}, "D8", "east"),
    ],
)
def test_ta_4_5_nobody_collides_at_stops_termini_and_the_workshop(
    start: str, rails: dict[str, str], end: str, side: str
) -> None:
    trams = scene(die=[1], at=[start, end], rails=rails)
    do(trams, "no-build", "roll")
    if f"go {side}" in legal(trams):
        do(trams, f"go {side}")
    assert square_of(trams, 0) == end
    assert trams.damage == [0, 0]


def test_ta_4_5_both_kinds_of_damage_can_come_together() -> None:
    trams = scene(die=[6], at=["C5", "C7"], rails=COLUMN)
    do(trams, "no-build", "roll", "go north")
    assert square_of(trams, 0) == "C7"
    assert trams.damage == [2, 1]


def test_ta_4_5_a_buloto_takes_none_but_the_others_do() -> None:
    trams = scene(die=[2], at=["C3", "C5"], rails=COLUMN)
    give(trams, 0, futiz="buloto")
    do(trams, "no-build", "roll", "go north")
    assert trams.damage == [0, 1]
    other = scene(die=[2], at=["C3", "C5"], rails=COLUMN)
    give(other, 1, futiz="buloto")
    do(other, "no-build", "roll", "go north")
    assert other.damage == [1, 0]


def test_ta_4_5_who_drives_in_a_loop_collides_where_they_started() -> None:
    rails = {"E7": "curve", "F7": "curve 1", "F6": "curve 2", "E6": "curve 3"}
    trams = scene(die=[4], at=["E6", "E6"], rails=rails)
    do(trams, "no-build", "roll", "go north")
    assert [square_of(trams, 0), square_of(trams, 1)] == ["E6", "E6"]
    assert trams.damage == [1, 1]


def test_ta_4_6_the_roundabout_is_one_way_anticlockwise() -> None:
    trams = scene(die=[6], at=["D12", "D14"], rails={"D12": "straight", "F11": "straight 1"})
    put(trams, "E9", "straight")
    put(trams, "C10", "straight 1")
    found = ways(trams, sq("D12"), 3)
    ends = {(GAME.space.json(way.steps[-1])["side"], way.path[-1]) for way in found if way.steps}
    # Down from D12 into D11, round to D10; on to E10, or out by its arm to C10.
    assert {sq("C10"), sq("E10")} <= {square for _, square in ends}
    for way in found:
        if sq("D11") in way.path and way.path[1] == sq("D11"):
            assert way.path[2] == sq("D10")


def test_ta_4_6_one_may_leave_by_the_arm_one_came_by() -> None:
    trams = scene(at=["D12", "D14"], rails={"D12": "straight"})
    around = [sq(name) for name in ("D12", "D11", "D10", "E10", "E11", "D11", "D12")]
    assert around in paths(ways(trams, sq("D12"), 6))


def test_ta_4_6_a_tram_that_stands_on_it_does_not_drive_against_the_one_way() -> None:
    trams = scene(die=[1], at=["D10", "D14"])
    do(trams, "no-build", "roll")
    assert square_of(trams, 0) == "E10"


def test_ta_4_7_the_funicular_costs_no_movement() -> None:
    trams = scene(die=[1], at=["A3", "D14"])
    do(trams, "no-build", "roll")
    assert legal(trams) == ["go north", "go south"]
    do(trams, "go north")
    assert square_of(trams, 0) == "A7"


def test_ta_4_7_nor_does_it_cost_zelante_anything() -> None:
    rails = {"A8": "straight", "A9": "straight"}
    trams = scene(die=[3], at=["A2", "D14"], rails=rails)
    give(trams, 0, futiz="zelante")
    do(trams, "no-build", "roll")
    if trams.phase == Phase.GO:
        do(trams, "go north")
    assert view(trams).trams[0].square == "A9"  # A3, A7, A8, A9


def test_ta_4_7_and_back_and_nobody_stops_on_it() -> None:
    trams = scene(at=["A7", "D14"])
    reached = {way.square for steps in range(1, 8) for way in ways(trams, sq("A7"), steps)}
    assert sq("A3") in reached
    assert not reached & {sq("A4"), sq("A5"), sq("A6")}
    down = scene(die=[2], at=["A7", "D14"])
    do(down, "no-build", "roll")
    assert square_of(down, 0) == "A2"


def test_a_way_of_many_choices_is_one_move_and_told_as_a_whole() -> None:
    rails = {"C4": "crossing", "C5": "tee", "B5": "straight 1", "D5": "straight 1"}
    trams = scene(die=[3], at=["C4", "D1"], rails={**rails, "C3": "straight", "C2": "straight"})
    do(trams, "no-build", "roll")
    before = view(trams)
    told = do(trams, "go north")
    assert told == []
    assert trams.midway() == 0
    assert view(trams) == before
    assert legal(trams) == ["go east", "go west"]
    assert refused(trams, "go north").key == "refused.no-way"
    told = do(trams, "go west")
    assert keys(told)[0] == "event.ran-off"
    assert trams.midway() == -1
    assert not trams.barrier()


# --- all ways of a roll ----------------------------------------------------------------------------


def test_ways_are_what_the_rules_let_one_drive() -> None:
    """Each way's steps, played, come to where it says, with the damage it says."""
    rails = {
        "C4": "crossing",
        "C5": "tee",
        "B5": "curve 1",
        "D5": "slip",
        "C3": "switch-left",
        "E5": "double-curve",
        "D6": "tee 2",
    }
    for pips in range(1, 7):
        trams = scene(die=[pips], at=["C4", "D1"], rails=rails)
        do(trams, "no-build", "roll")
        found = ways(trams, sq("C4"), pips)
        assert found
        for way in found:
            played = trams.copy()
            for step in way.steps:
                assert played.midway() == 0 or step == way.steps[0]
                played.play(0, step)
            assert played.at[0] == way.square
            assert played.damage[0] == int(way.ran_off)


def test_ways_stay_few_on_the_loopiest_board() -> None:
    """Every square of grass with rails from every side to every other: 3 ways on at each."""
    trams = scene(own=["NS-EW-NE-ES-SW-NW"], at=["D6", "D1"])
    every = trams.tiles.look[4 * 8]
    for square in trams.board.grass:
        trams.laid[square] = 4 * 8
        trams.tracks[square] = trams.tiles.tracks[every]
        trams.ends[square] = 15
    for square in trams.board.grass:
        joined = 0
        for side in range(4):
            near = trams.board.near[4 * square + side]
            if near >= 0 and trams.ends[near] >> (side ^ 2) & 1:
                joined |= 1 << side
        trams.joined[square] = joined
    found = ways(trams, sq("D6"), 7)
    outcomes: dict[tuple[int, bool, bool], int] = {}
    for way in found:
        outcome = (way.square, way.ran_off, way.early)
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        assert len(way.path) <= 8
    assert len(outcomes) > 25
    assert max(outcomes.values()) <= ALTERNATIVES
    # No end is missed: those that a plain search without any limit finds.
    reach = {(sq("D6"), -1)}
    ends = set()
    for _ in range(7):
        onward = set()
        for square, entered in reach:
            for side in range(4):
                if side != entered and trams.joined[square] >> side & 1:
                    if entered >= 0 and not trams.tracks[square] >> 4 * entered & 1 << side:
                        continue
                    there = trams.board.beyond[4 * square + side]
                    onward.add((there >> 2, there & 3))
        reach = onward
    ends = {square for square, _ in reach}
    assert ends <= {way.square for way in found if not way.early and not way.ran_off}


def test_damage_from_a_move_is_added_up_and_all_go_to_the_workshop_together() -> None:
    trams = scene(4, die=[2], at=["C3", "C5", "C5", "D14"], rails=COLUMN)
    for seat in range(3):
        give(trams, seat, damage=2)
    seat_in(trams, 1, "vecion", "lem")
    do(trams, "no-build", "roll")
    told = do(trams, "go north")
    assert [square_of(trams, seat) for seat in range(3)] == ["D8"] * 3
    assert trams.damage == [0, 0, 0, 0]
    assert keys(told).count("event.wrecked") == 3
    assert aboard(trams, 1) == []
    assert sum(trams.out) == 2
    assert trams.current == 1
    conserved(trams)
