"""Tachite al Tram: a board file is checked on load (TA-8.1 to TA-8.4), every fault with its place."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from capolinea.games.tachite_al_tram import chart
from capolinea.games.tachite_al_tram.rules.board import SHAPE_NAMES
from capolinea.games.tachite_al_tram.title import GAME, TramOptions
from capolinea.words import Words
from tests.games.tachite_al_tram.scenes import MEADOW

TRIESTE: dict[str, Any] = GAME.data()["board"][TramOptions().board]


def put(where: str, value: object) -> dict[str, Any]:
    """The usual board with one thing changed; None takes it out."""
    content = deepcopy(TRIESTE)
    at: Any = content
    *path, last = where.split(".")
    for step in path:
        at = at[int(step) if isinstance(at, list) else step]
    if value is None:
        del at[last]
    else:
        at[int(last) if isinstance(at, list) else last] = value
    return content


def sign(place: str, new: str, content: dict[str, Any] = TRIESTE) -> dict[str, Any]:
    """The board with another sign on a square."""
    content = deepcopy(content)
    row, column = 14 - int(place[1:]), ord(place[0]) - ord("A")
    line = content["squares"][row]
    content["squares"][row] = line[:column] + new + line[column + 1 :]
    return content


def found(content: object) -> list[tuple[str, object]]:
    """The faults: what is wrong, and where."""
    return [
        (
            problem.key.removeprefix("fault.board."),
            problem.args_.get("square", problem.args_.get("where")),
        )
        for problem in chart.faults(content)
    ]


@pytest.mark.parametrize("name", GAME.data()["board"])
def test_ta_8_1_the_built_in_boards_have_no_faults(name: str) -> None:
    assert chart.faults(GAME.data()["board"][name]) == []


@pytest.mark.parametrize("content", [None, [], "board", 7])
def test_ta_8_1_a_file_that_is_no_object_is_a_fault(content: object) -> None:
    assert found(content) == [("object", "/")]


def test_ta_8_1_whatever_is_missing_is_named() -> None:
    assert found({}) == [("missing", part) for part in TRIESTE]


@pytest.mark.parametrize(
    ("where", "value", "faults"),
    [
        ("train", 3, [("unknown", "train")]),
        ("name", {}, [("name", "name")]),
        ("name.en", " ", [("name", "name")]),
        ("name.fr", "Trieste", [("name", "name")]),
        ("squares", ["......."], [("list", "squares")]),
        ("rails", [], [("object", "rails")]),
        ("rails.D2", "NX", [("rail", "D2")]),
        ("rails.D2", "NN", [("rail", "D2")]),
        ("rails.D2", "", [("rail", "D2")]),
        ("rails.D2", 5, [("rail", "D2")]),
        ("rails.H1", "NS", [("no-square", "rails")]),
        ("rails.D15", "NS", [("no-square", "rails")]),
        ("stops", [], [("list", "stops")]),
        ("stops.0.square", "a2", [("no-square", "stops.0.square")]),
        ("stops.0.waiting", 1, [("no-square", "stops.0.waiting")]),
        ("stops.3.name", "Conconello", [("name", "stops.3.name")]),
        ("stops.3.name", None, [("missing", "stops.3.name")]),
        ("central", ["G7", "A10"], [("list", "central")]),
        ("central.0", "", [("no-square", "central.0")]),
        ("termini.oberdan", None, [("missing", "termini.oberdan")]),
        ("termini.opicina.square", "Z9", [("no-square", "termini.opicina.square")]),
        ("workshop", "D8", [("object", "workshop")]),
        ("workshop.square", "D0", [("no-square", "workshop.square")]),
        ("funicular.squares", "A4", [("list", "funicular.squares")]),
        ("funicular.squares.1", "", [("no-square", "funicular.squares.1")]),
        ("roundabout.name", None, [("missing", "roundabout.name")]),
        ("names", [], [("object", "names")]),
        ("names.A7", "Vetta Scorcola", [("name", "names.A7")]),
        ("names.A0", {"it": "mare"}, [("no-square", "names")]),
        ("scenery.bands.0.land", "moon", [("one-of", "scenery.bands.0.land")]),
        ("scenery.bands.0.rows", [1, 15], [("number", "scenery.bands.0.rows")]),
        ("scenery.landmarks.0.picture", "ufo", [("one-of", "scenery.landmarks.0.picture")]),
        ("scenery.landmarks.0.side", "N", [("one-of", "scenery.landmarks.0.side")]),
        ("scenery.landmarks.0.row", 0, [("number", "scenery.landmarks.0.row")]),
        ("tiles.spiral", 1, [("unknown", "tiles.spiral")]),
        ("tiles.curve", -1, [("number", "tiles.curve")]),
        ("tiles.curve", True, [("number", "tiles.curve")]),
        ("tiles", [], [("object", "tiles")]),
        ("misfortunes.locusts", 1, [("unknown", "misfortunes.locusts")]),
        ("passengers.lem", None, [("missing", "passengers.lem")]),
        ("passengers.lem.colour", "pink", [("one-of", "passengers.lem.colour")]),
        ("passengers.lem.unlucky", [5], [("number", "passengers.lem.unlucky")]),
        ("passengers.lem.unlucky", [3, 3], [("twice", "passengers.lem.unlucky")]),
        ("passengers.lem.unlucky", 3, [("list", "passengers.lem.unlucky")]),
        ("passengers.lem.count", 0, [("number", "passengers.lem.count")]),
    ],
)
def test_ta_8_1_every_fault_is_named_with_its_place(
    where: str, value: object, faults: list[tuple[str, str]]
) -> None:
    assert found(put(where, value)) == faults


def test_ta_8_1_a_row_has_seven_squares_and_each_a_known_sign() -> None:
    problems = chart.faults(put("squares.13", "WhhT.S"))
    assert [(problem.key, problem.args_) for problem in problems] == [
        ("fault.board.row", {"row": 1})
    ]
    assert found(sign("C7", "?")) == [("sign", "C7")]


def test_ta_8_1_tables_and_squares_agree() -> None:
    assert found(sign("A2", ".")) == [("place", "A2"), ("bare", "A2")]
    assert found(sign("C7", "S")) == [("place-unnamed", "C7"), ("no-rails", "C7")]
    assert found(put("workshop.square", "C8")) == [("place", "C8"), ("place-unnamed", "D8")]
    assert ("place-twice", "A2") in found(put("stops.1.square", "A2"))


def test_ta_8_1_printed_squares_have_rails_and_others_have_none() -> None:
    assert found(put("rails.D5", None)) == [("no-rails", "D5")]
    for bare in ("C7", "B8", "A1", "A5"):
        assert found(put(f"rails.{bare}", "NS")) == [("bare", bare)]


def test_ta_8_1_only_rails_of_a_terminus_end_on_their_square() -> None:
    assert found(put("rails.D5", "N")) == [("stub", "D5")]


def test_ta_8_1_each_stop_has_its_waiting_square_beside_it() -> None:
    content = put("stops.0.waiting", "G1")
    content["stops"][1]["waiting"] = "A1"
    assert found(content) == [("waiting", "G1"), ("waiting", "A1")]


@pytest.mark.parametrize("central", [["G7", "A10", "D8"], ["G7", "A10", "A10"]])
def test_ta_6_2_the_central_stops_are_three_different_stops(central: list[str]) -> None:
    assert {fault for fault, _ in found(put("central", central))} == {"central"}


def test_ta_8_1_no_printed_rail_is_blind() -> None:
    # Into a rock, off the board, against a side without a rail.
    assert ("blind", "A10") in found(sign("A9", "r"))
    assert found(put("rails.A2", "NE NW")) == [("blind", "A2")]
    assert found(put("rails.D2", "NS NW")) == [("blind", "D2")]


def test_ta_8_1_a_rail_into_grass_on_which_no_tile_fits_is_blind_too() -> None:
    assert ("stuck", "B2") in found(put("rails.B3", "EW") | {"squares": sign("B3", "=")["squares"]})


def test_ta_8_1_at_least_forty_squares_are_grass() -> None:
    content = TRIESTE
    grass = [
        f"{column}{row}"
        for row in range(1, 15)
        for column in "ABCDEFG"
        if TRIESTE["squares"][14 - row][ord(column) - ord("A")] == "."
    ]
    assert len(grass) >= 40
    for place in grass[39:]:
        content = sign(place, "r", content)
    problems = [p for p in chart.faults(content) if p.key == "fault.board.grass"]
    assert [problem.args_ for problem in problems] == [{"found": 39, "least": 40}]


def test_ta_8_1_every_place_can_be_reached_by_some_building_and_left_again() -> None:
    content = put("rails.A10", "ES")
    for wall in ("A9", "B10"):
        content = sign(wall, "r", content)
    assert ("reach", "A10") in found(content)
    assert ("reach", "D8") in found(sign("C8", "r", sign("E8", "r")))


def test_ta_8_1_reachable_means_by_tiles_that_there_are() -> None:
    # Without a curve or a junction, only straight ways can be built.
    tiles = dict.fromkeys(SHAPE_NAMES, 0) | {"straight": 40, "crossing": 2}
    assert ("reach", "G7") in found(put("tiles", tiles))


@pytest.mark.parametrize(("shape", "reached"), [("switch-left", False), ("switch-right", True)])
def test_ta_8_1_reachable_means_by_rails_that_join(shape: str, reached: bool) -> None:
    """Into G7 leads only G6, from the west, and G5 wants a rail there too: N, S and W must be met. One
    switch has W to S, the other W to N."""
    content = sign("G8", "r", sign("G5", "=", MEADOW))
    content["rails"]["G5"] = "N>W"
    content["tiles"] = dict.fromkeys(SHAPE_NAMES, 0) | {"straight": 20, "curve": 20, shape: 2}
    board = chart.load("meadow", content)
    assert (chart.square("G7") in chart.reachable(board, board.oberdan)) == reached
    assert chart.square("A2") in chart.reachable(board, board.oberdan)


@pytest.mark.parametrize("rail", ["NN", "N>N"])
def test_ta_8_1_a_rail_joins_two_sides(rail: str) -> None:
    assert ("rail", "D11") in found(put("rails.D11", rail))


def test_ta_8_1_every_row_that_is_too_short_is_named() -> None:
    content = put("squares.0", "...")
    content["squares"][2] = "..."
    rows = [p.args_["row"] for p in chart.faults(content) if p.key == "fault.board.row"]
    assert rows == [14, 12]


@pytest.mark.parametrize(
    ("squares", "place"),
    [
        (["D11", "D10", "E10"], "D11"),
        (["D11", "E11", "E10", "D10"], "D11"),
        (["D11", "E10", "D10", "E11"], "D11"),
        ([], ""),
    ],
)
def test_ta_4_6_the_roundabout_is_a_ring_of_four_driven_anticlockwise(
    squares: list[str], place: str
) -> None:
    assert ("ring", place) in found(put("roundabout.squares", squares))


@pytest.mark.parametrize(
    ("rails", "fault"),
    [
        ("ES NS NE", "two-way"),
        ("S>E N>E S>N", "around"),
        ("E>S N>S", "arm"),
        ("E>S E>N", "arm"),
        ("E>S N>S E>N S>E", "around"),
    ],
)
def test_ta_4_6_one_drives_around_one_way_and_in_and_out_by_every_arm(
    rails: str, fault: str
) -> None:
    assert (fault, "D11") in found(put("rails.D11", rails))


def test_ta_4_6_nothing_else_is_one_way() -> None:
    assert found(put("rails.D5", "N>S")) == [("one-way", "D5")]


def test_ta_4_7_the_funicular_has_printed_rails_at_both_ends() -> None:
    assert found(put("rails.A7", "NE")) == [("funicular-end", "A6")]
    assert found(put("rails.A3", "SE")) == [("funicular-end", "A4")]


def test_ta_4_7_the_funicular_is_one_line() -> None:
    assert found(put("funicular.squares", ["A4", "A6", "A5"])) == [("funicular", "A6")]
    assert ("funicular", "") in found(put("funicular.squares", []))
    content = sign("B5", "F", sign("A6", "."))
    content["funicular"]["squares"] = ["A4", "A5", "B5"]
    assert ("funicular", "B5") in found(content)


@pytest.mark.parametrize(
    ("where", "value", "sum_of", "found_", "needed"),
    [
        ("tiles.curve", 11, "tiles", 41, 42),
        ("misfortunes.bora", 3, "misfortunes", 37, 36),
        ("passengers.lem.count", 3, "passengers", 25, 24),
    ],
)
def test_ta_1_2_so_many_tiles_passengers_and_misfortunes(
    where: str, value: int, sum_of: str, found_: int, needed: int
) -> None:
    problems = chart.faults(put(where, value))
    assert [(problem.key, problem.args_) for problem in problems] == [
        ("fault.board.count", {"where": sum_of, "found": found_, "needed": needed})
    ]


@pytest.mark.parametrize(
    ("where", "value", "fault"),
    [
        ("passengers.lem.colour", "sol", "colour"),
        ("passengers.petesson.colour", "bosco", "differ"),
        ("passengers.panzon.colour", "mar", "share"),
        ("passengers.spuzolente.unlucky", [2, 3], "spuzolente"),
    ],
)
def test_ta_8_3_what_is_known_of_the_passengers(where: str, value: object, fault: str) -> None:
    assert fault in {key for key, _ in found(put(where, value))}


def test_ta_8_3_about_half_of_the_passengers_are_unlucky_at_every_player_count() -> None:
    content = put("passengers.marantiga.unlucky", [])
    for kind in ("nagana", "squinzia"):
        content["passengers"][kind]["unlucky"] = []
    problems = [p for p in chart.faults(content) if p.key == "fault.board.unlucky"]
    assert [(p.args_["players"], p.args_["found"]) for p in problems] == [(2, 6), (3, 8)]


def test_ta_8_1_every_fault_can_be_told_in_every_language() -> None:
    contents: list[Any] = [
        None,
        {},
        sign("C7", "?"),
        sign("A9", "r"),
        sign("A2", "."),
        sign("C7", "S"),
        put("squares.13", ""),
        put("rails.D2", ""),
        put("rails.D5", "N>S"),
        put("rails.D11", "ES NS"),
        put("rails.A7", "NE"),
        put("roundabout.squares", []),
        put("funicular.squares", []),
        put("stops", []),
        put("passengers.lem.colour", "sol"),
    ]
    for lang in ("en", "it", "de"):
        words = Words.of(lang, GAME.folder / "words")
        for content in contents:
            for problem in chart.faults(content):
                text = words.say(problem.key, dict(problem.args_))
                assert text
                assert str(problem.args_.get("square", "")) in text
