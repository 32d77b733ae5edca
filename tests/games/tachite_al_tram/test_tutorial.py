"""The lesson of Tachite al Tram: every step of a turn, a misfortune, the workshop, and both directions."""

from __future__ import annotations

import json
from typing import Any

from capolinea.engine import Match
from capolinea.engine.record import Move
from capolinea.games.tachite_al_tram.title import GAME
from capolinea.games.tachite_al_tram.views import Tram, TramView
from tests.games.lessons import taught

LESSON = taught(GAME.id)
STOPS: dict[str, dict[str, Any]] = {
    stop["say"]["key"].partition(".")[2]: stop for stop in LESSON.stops
}


def _at(stop: str) -> TramView:
    """The table as the learner sees it at this stop."""
    (entry,) = [one.entry for one in LESSON.lesson.stops if one.say == f"tutorial.{stop}"]
    match = Match.begin(GAME, LESSON.lesson.record, [0])
    for number in range(entry):
        match.follow(LESSON.entries[number], number)
    view = match.view(0)
    assert isinstance(view, TramView)
    return view


def _mine(stop: str) -> Tram:
    return _at(stop).trams[0]


def _preview(stop: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """As the browser puts it together: what is not told of these steps is as with none."""
    previews = STOPS[stop]["previews"]
    found = previews[json.dumps(steps, separators=(",", ":"))]
    return {**previews["[]"], **found}


def _reached(preview: dict[str, Any], roll: int) -> set[str]:
    (ends,) = [reach["ends"] for reach in preview["reach"] if reach["roll"] == roll]
    return {end["square"] for end in ends}


def test_the_learner_does_all_that_a_turn_has() -> None:
    wanted = {"lay", "on", "turn", "roll", "go", "stop", "futiz", "board", "set-down"}
    assert set(LESSON.does()) == wanted


def test_a_tile_in_one_way_and_one_that_must_be_turned() -> None:
    build, turn = STOPS["build"]["do"], STOPS["turn"]["do"]
    assert _preview("build", build)["connects"] == ["south", "west"]
    # As it lies first it joins as many rails, but the workshop is out of reach.
    first = [*turn[:2], {"do": "turn", "quarters": 0}]
    assert _preview("turn", turn)["connects"] == _preview("turn", first)["connects"]
    assert "D8" in _reached(_preview("turn", turn), 5)
    assert "D8" not in _reached(_preview("turn", first), 5)


def test_previews_leave_out_what_a_choice_does_not_change() -> None:
    previews = STOPS["build"]["previews"]
    far = '[{"do":"lay","tile":"straight"},{"do":"on","square":"D12"}]'
    assert "reach" not in previews[far]
    assert previews[far]["connects"] == ["north", "south"]
    # What it does change is there: a straight to the right of the terminus.
    near = '[{"do":"lay","tile":"straight"},{"do":"on","square":"E1"}]'
    assert "F1" in _reached(previews[near], 2)


def test_an_end_is_chosen_and_the_funicular_costs_nothing() -> None:
    (reach,) = STOPS["choose"]["previews"]["[]"]["reach"]
    assert {end["square"] for end in reach["ends"]} == {"A2", "A7", "D1"}
    assert _mine("board").square == "A2"
    assert (_at("funicular").die, _mine("funicular").square) == (3, "A2")
    assert _at("turn").trams[0].square == "B7"


def test_bad_luck_damages_both_and_one_repairs_while_the_other_takes_a_futiz() -> None:
    kinds = _at("board").table.passengers
    assert 2 in kinds["ciacoleta"].unlucky
    assert 2 not in kinds["petesson"].unlucky
    assert [tram.damage for tram in _at("board").trams] == [0, 0]
    assert [tram.damage for tram in _at("luck").trams] == [1, 1]
    assert [tram.damage for tram in _at("bridge").trams] == [1, 0]
    # The rails ended too early.
    assert [tram.damage for tram in _at("turn").trams] == [1, 1]
    assert _mine("ring").futiz == "zelante"
    assert (_at("ring").die, _at("ring").steps) == (5, 6)


def test_colours_take_a_bench_each_or_share_one() -> None:
    one, other = ["ciacoleta", "petesson"], ["squinzia", "squinzia"]
    assert _mine("set-down").seats == [one[0], None, one[1], None]
    assert _mine("last").seats == [*other, None, None]


def test_points_and_the_other_direction() -> None:
    assert (_mine("set-down").to, _mine("back").to) == ("opicina", "oberdan")
    assert [tram.points for tram in _at("back").trams] == [2, 1]
    assert [tram.points for tram in _at("last").trams] == [6, 5]
    result = LESSON.lesson.record.result
    assert (result.ending, [one.score for one in result.outcomes]) == ("frenador", [8, 5])
    last = LESSON.entries[-1]
    assert isinstance(last, Move)
    assert (last.seat, last.do) == (0, [{"do": "set-down"}])
