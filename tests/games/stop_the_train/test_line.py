"""Stop the Train!, rule by rule: the track (ST-9)."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from capolinea.engine import Match, Problem
from capolinea.games.stop_the_train import line
from capolinea.games.stop_the_train.rules.cards import EFFECT_COUNTS, ROUTE_NAMES
from capolinea.games.stop_the_train.rules.setup import of_counts
from capolinea.games.stop_the_train.rules.track import LAST_TUNNEL, MEETING_PLACE, TUNNEL
from capolinea.games.stop_the_train.rules.train import Train
from capolinea.games.stop_the_train.rules.turn import speed_after
from capolinea.games.stop_the_train.title import GAME, TrainOptions
from tests.games.stop_the_train.lines import (
    BOX,
    SPACES,
    Features,
    last,
    line_file,
    own,
    place,
    rail,
)
from tests.games.stop_the_train.tables import NAMES, Staged, table

FOUR: list[list[str]] = [[], [], [], []]
F, V, S = "fast-track", "viaduct", "scenic-route"
BUILT_IN = sorted(GAME.data()["track"])


def sections(name: str) -> dict[str, Any]:
    found: dict[str, Any] = GAME.data()["track"][name]["sections"]
    return found


def features(name: str, kind: str, *parts: str) -> list[dict[str, Any]]:
    found = sections(name)
    return [f for part in parts or found for f in found[part]["features"] if f["kind"] == kind]


# --- 9.1 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_st_9_1_every_built_in_line_has_what_the_rulebooks_say(name: str) -> None:
    assert set(sections(name)) == {"line", F, V, S, "paris"}
    assert len({sections(name)[route]["spaces"] for route in (F, V, S)}) == 3
    assert len(features(name, "hill")) > 1
    assert len(features(name, "tunnel")) > 1
    assert len(features(name, "bridge")) > 1
    assert features(name, "viaduct", V)
    assert GAME.data()["track"][name]["train"] > 1


@pytest.mark.parametrize("name", BUILT_IN)
def test_st_9_1_the_signal_box_stands_just_before_the_line_splits(name: str) -> None:
    track = line.load(name, GAME.data()["track"][name])
    assert track.box == sections(name)["line"]["spaces"]
    assert len({spaces[track.box] for spaces in track.spaces[:3]}) == 1
    assert len({spaces[track.box + 1] for spaces in track.spaces[:3]}) == 3


def test_st_9_1_the_train_stands_on_start_and_covers_several_spaces() -> None:
    for name in BUILT_IN:
        view = table(*FOUR, track=name).view()
        assert view.at == 0
        assert view.table.train == GAME.data()["track"][name]["train"]


# --- 9.2 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_st_9_2_every_built_in_line_is_as_we_have_settled_it(name: str) -> None:
    content, parts = GAME.data()["track"][name], sections(name)
    assert parts[F]["spaces"] < parts[V]["spaces"] < parts[S]["spaces"]
    assert features(name, "tunnel", "paris")
    assert features(name, "bridge", "line")
    assert parts["line"]["spaces"] > 12
    assert max(feature["to"] for feature in parts["line"]["features"]) < parts["line"]["spaces"]
    assert content["train"] == 3
    assert line.faults(content) == []


def test_st_9_2_the_routes_part_at_the_box_and_join_before_paris() -> None:
    track = line.load("", line_file())
    fast, viaduct, scenic, _ = track.spaces
    assert [len(path) - 1 for path in track.spaces[:3]] == [last(F), last(V), last(S)]
    assert fast[: BOX + 1] == viaduct[: BOX + 1] == scenic[: BOX + 1]
    tail = SPACES["paris"]
    assert fast[-tail:] == viaduct[-tail:] == scenic[-tail:]
    own_parts = [set(path[BOX + 1 : -tail]) for path in track.spaces[:3]]
    assert [len(part) for part in own_parts] == [SPACES[F], SPACES[V], SPACES[S]]
    assert not own_parts[0] & own_parts[1]
    assert not own_parts[0] & own_parts[2]
    assert not own_parts[1] & own_parts[2]
    for path in track.spaces[:3]:
        assert len(set(path)) == len(path)


@pytest.mark.parametrize("route", [F, V, S])
def test_st_9_2_features_lie_on_their_sections_whichever_route_is_taken(route: str) -> None:
    track = line.load("", line_file())
    number = ROUTE_NAMES.index(route)
    marks, hills = track.marks[number], track.hills[number]
    meetings = {place("line", n) for n in (10, 11)}
    tunnels = {place("line", n) for n in (15, 16, 17)}
    downhill = {place("line", n) for n in (4, 5, 6, 21, 22, 23)}
    meetings |= {BOX + n for n in {F: (), V: (8, 9, 10, 11, 12), S: (10, 11, 12)}[route]}
    tunnels |= {BOX + n for n in {F: (12, 13), V: (), S: (3, 4)}[route]}
    downhill |= {BOX + n for n in {F: (5, 6, 7), V: (), S: ()}[route]}
    final = {place("paris", n, route) for n in (10, 11, 12)}
    downhill |= {place("paris", n, route) for n in (20, 21)}
    assert {n for n, mark in enumerate(marks) if mark & MEETING_PLACE} == meetings
    assert {n for n, mark in enumerate(marks) if mark & TUNNEL} == tunnels | final
    assert {n for n, mark in enumerate(marks) if mark & LAST_TUNNEL} == final
    assert {n for n, hill in enumerate(hills) if hill >= 0} == downhill


def test_st_9_2_a_hill_after_the_join_is_the_same_hill_on_every_route() -> None:
    track = line.load("", line_file())
    found = {track.hills[n][place("paris", 20, route)] for n, route in enumerate(ROUTE_NAMES)}
    assert len(found) == 1
    all_hills = {hill for hills in track.hills for hill in hills if hill >= 0}
    assert len(all_hills) == 4


def test_st_9_2_of_two_tunnels_before_paris_only_the_last_is_the_last() -> None:
    places: Features = {"paris": [("tunnel", 20, 22), ("hill", 15, 15), ("tunnel", 10, 12)]}
    track = line.load("", line_file(places))
    marked = {n for n, mark in enumerate(track.marks[1]) if mark & LAST_TUNNEL}
    assert marked == {place("paris", n, V) for n in (20, 21, 22)}


def test_st_9_2_the_rear_may_lie_behind_start() -> None:
    t = rail(*FOUR)
    t.at(0, 30)
    t.turn("maintain-speed")
    assert t.view().at == 1
    assert t.step == "draw"


START_FEATURES: Features = {
    "line": [
        ("tunnel", 5, 7),
        ("bridge", 8, 8),
        ("hill", 9, 9),
        ("bridge", 25, 25),
        ("hill", 27, 27),
    ]
}


@pytest.mark.parametrize(
    ("start", "front", "asked"),
    [
        # The tunnel is on spaces 5 to 7, and the train covers three.
        (4, 5, True),
        (4, 9, True),
        (6, 7, True),
        (7, 8, False),
        (7, 9, False),
        (8, 9, False),
    ],
)
def test_st_9_2_a_tunnel_at_or_behind_the_starting_space_does_not_trigger(
    start: int, front: int, asked: bool
) -> None:
    places: Features = {
        "line": [("tunnel", 5, 7), ("hill", 20, 20), ("bridge", 25, 25), ("hill", 27, 27)]
    }
    t = rail(*FOUR, features=places, head_start=start)
    t.at(front - 1, 30)
    t.turn("maintain-speed")
    assert t.step == ("tunnel" if asked else "draw")


@pytest.mark.parametrize(("start", "steps"), [(0, True), (7, True), (8, False), (9, False)])
def test_st_9_2_nor_does_a_bridge(start: int, steps: bool) -> None:
    t = rail(*FOUR, features=START_FEATURES, head_start=start)
    t.train.organiser = 0
    t.at(7, 30)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    assert t.step == ("meeting" if steps else "draw")


@pytest.mark.parametrize(("start", "record"), [(0, 1), (8, 1), (9, 0), (10, 0)])
def test_st_9_2_nor_does_a_hill(start: int, record: int) -> None:
    t = rail(*FOUR, features=START_FEATURES, head_start=start)
    t.train.organiser = 0
    t.at(3, 180)
    t.turn("maintain-speed")
    assert t.train.at == 9
    assert len(t.view().records) == record


@pytest.mark.parametrize(
    ("start", "front", "passed"),
    [
        (0, 9, False),
        (0, 10, False),
        (0, 11, False),
        (0, 12, True),
        (9, 12, True),
        # A bridge on which or behind which the train started has not been crossed.
        (10, 12, False),
        (11, 12, False),
        (12, 13, False),
    ],
)
def test_st_9_2_passed_means_that_the_front_has_crossed_it_in_play(
    start: int, front: int, passed: bool
) -> None:
    t = rail(["train-fault"], [], [], [], head_start=start)
    t.at(front)
    assert t.cards(0) == (["train-fault"] if passed else [])


def test_st_9_2_any_one_bridge_behind_the_front_will_do() -> None:
    places: Features = {
        "line": [("bridge", 3, 4), ("hill", 6, 6), ("bridge", 20, 21), ("hill", 27, 27)]
    }
    for start, front, passed in [(0, 5, True), (3, 5, False), (3, 21, False), (3, 22, True)]:
        t = rail(["train-fault"], [], [], [], features=places, head_start=start)
        t.at(front)
        assert t.cards(0) == (["train-fault"] if passed else [])


def test_st_9_2_a_bridge_on_the_route_taken_is_passed_and_one_on_another_is_not() -> None:
    for route, passed in [(S, True), (V, False), (F, False)]:
        t = rail(["train-fault"], [], [], [], head_start=12)
        t.at(BOX + 13, route=route)
        assert t.cards(0) == (["train-fault"] if passed else [])


# --- 9.3 -----------------------------------------------------------------------------------------


def test_st_9_3_sixty_six_cards_make_22_turns_in_which_freight_covers_80_spaces() -> None:
    t = rail(*FOUR, spaces={"paris": 60}, freight=True)
    for _ in range(22):
        assert t.match.result() is None
        # Out of the way, on another route.
        t.at(place(S, 25), 30, S)
        t.turn("maintain-speed")
    assert t.view().ending == "stopped"
    assert t.view().freight == 80


@pytest.mark.parametrize("name", BUILT_IN)
def test_st_9_3_by_the_fast_track_a_line_is_longer_than_freight_gets(name: str) -> None:
    content, parts = GAME.data()["track"][name], sections(name)
    turns = sum(content.get("deck", {"": sum(EFFECT_COUNTS)}).values()) // 3
    fast = parts["line"]["spaces"] + parts[F]["spaces"] + parts["paris"]["spaces"]
    assert fast > 4 * (turns - 2)
    if "deck" not in content:
        assert (turns, fast > 80) == (22, True)


def spaces_covered(choose: Callable[[list[int]], int], games: int = 60) -> float:
    """How far 22 turns lead on average if both players of a turn choose the change like this."""
    rng, total = Random(1), 0
    train = Train()
    for _ in range(games):
        deck = of_counts(list(EFFECT_COUNTS))
        rng.shuffle(deck)
        train.speed = 120
        while deck:
            hand = sorted(speed_after(train, deck.pop(), 0) for _ in range(3))
            train.speed = choose(hand)
            total += train.speed // 30
    return total / games


def test_st_9_3_how_far_one_gets() -> None:
    rng = Random(2)
    assert spaces_covered(lambda speeds: speeds[0]) == pytest.approx(50, abs=4)
    assert spaces_covered(rng.choice) == pytest.approx(120, abs=4)
    assert spaces_covered(lambda speeds: speeds[2]) == pytest.approx(132, abs=2)


# --- 9.4: faults ---------------------------------------------------------------------------------


def found(content: object) -> list[tuple[str, object]]:
    return [(problem.key, problem.args_["where"]) for problem in line.faults(content)]


def put(content: dict[str, Any], where: str, value: object) -> dict[str, Any]:
    """The file with one value changed; None leaves it out."""
    *path, name = where.split(".")
    inner: Any = content
    for step in path:
        inner = inner[int(step)] if isinstance(inner, list) else inner[step]
    if isinstance(inner, list):
        inner[int(name)] = value
    elif value is None:
        del inner[name]
    else:
        inner[name] = value
    return content


def test_st_9_4_a_line_without_faults_has_none() -> None:
    assert found(line_file()) == []
    assert found(line_file(deck={"accelerate": 40, "hard-brake": 20})) == []
    assert found(line_file(rivers=[[[0, 0], [1.5, 2]]], mountains=[])) == []


@pytest.mark.parametrize("content", [None, 3, "line", [], [1]])
def test_st_9_4_a_file_that_is_no_object_is_a_fault(content: object) -> None:
    assert found(content) == [("track.object", "/")]


FIRST = "sections.line.features.0"


@pytest.mark.parametrize(
    ("where", "value", "key"),
    [
        ("colour", "red", "track.unknown"),
        ("name", None, "track.name"),
        ("name", "Test", "track.name"),
        ("name", {}, "track.name"),
        ("name", {"en": ""}, "track.name"),
        ("name", {"en": " "}, "track.name"),
        ("name", {"en": 3}, "track.name"),
        ("name", {"en": "Test", "fr": "Essai"}, "track.name"),
        ("train", None, "track.number"),
        ("train", 0, "track.number"),
        ("train", 9, "track.number"),
        ("train", "3", "track.number"),
        ("train", True, "track.number"),
        ("train", 3.0, "track.number"),
        ("size", None, "track.point"),
        ("size", [1], "track.point"),
        ("size", [1, 2, 3], "track.point"),
        ("size", [1, "2"], "track.point"),
        ("size", {"x": 1}, "track.point"),
        ("size", [1e308, 600], "track.point"),
        ("size", [1040, 10**30], "track.point"),
        ("size", [-1040, 600], "track.point"),
        ("size", [1040, 5e-324], "track.point"),
        ("size", [1040, float("nan")], "track.point"),
        ("sections.line.label", [0, -1e22], "track.point"),
        ("sections.line.points", [[0, 0], [1e22, 0]], "track.points"),
        ("sections", None, "track.object"),
        ("sections", [], "track.object"),
        ("sections.siding", {}, "track.unknown"),
        ("sections.paris", None, "track.missing"),
        ("sections.line", None, "track.missing"),
        ("sections.viaduct", 7, "track.object"),
        ("sections.line.gauge", 1435, "track.unknown"),
        ("sections.line.name", None, "track.name"),
        ("sections.line.spaces", None, "track.number"),
        ("sections.viaduct.spaces", "25", "track.number"),
        ("sections.scenic-route.spaces", 200, "track.number"),
        ("sections.line.points", None, "track.points"),
        ("sections.line.points", [[0, 0]], "track.points"),
        ("sections.line.points", [[0, 0], [1]], "track.points"),
        ("sections.line.points", [[0, 0], "x"], "track.points"),
        ("sections.line.radius", None, "track.number"),
        ("sections.line.radius", -1, "track.number"),
        ("sections.line.radius", 1001, "track.number"),
        ("sections.line.label", None, "track.point"),
        ("sections.line.label", [[0, 0], [1, 1]], "track.point"),
        ("sections.line.features", None, "track.list"),
        ("sections.line.features", {}, "track.list"),
        (FIRST, "hill", "track.object"),
        (f"{FIRST}.height", 5, "track.unknown"),
        (f"{FIRST}.kind", None, "track.kind"),
        (f"{FIRST}.kind", "ferry", "track.kind"),
        (f"{FIRST}.name", None, "track.name"),
        (f"{FIRST}.label", None, "track.point"),
        (f"{FIRST}.from", None, "track.number"),
        (f"{FIRST}.from", 0, "track.number"),
        (f"{FIRST}.to", None, "track.number"),
        (f"{FIRST}.to", 3, "track.number"),
        (f"{FIRST}.to", 31, "track.number"),
        ("deck", [], "track.object"),
        ("deck", {"accelerate": 60, "joker": 2}, "track.unknown"),
        ("deck", {"accelerate": -1}, "track.number"),
        ("deck", {"accelerate": 100}, "track.number"),
        ("deck", {"accelerate": "16"}, "track.number"),
        ("rivers", [[[0, 0]]], "track.points"),
        ("rivers", [[[0, 0], [1, 1]], 5], "track.points"),
    ],
)
def test_st_9_4_every_fault_is_named_with_its_place(where: str, value: object, key: str) -> None:
    content = put(line_file(), where, value)
    places = {
        "deck": {"track.unknown": "deck.joker", "track.number": "deck.accelerate"},
        "rivers": {"track.points": f"rivers.{len(value) - 1}" if isinstance(value, list) else ""},
    }
    assert (key, places.get(where, {}).get(key, where)) in found(content)
    assert len(found(content)) == 1


def test_st_9_4_a_number_says_what_it_may_be() -> None:
    problem = line.faults(put(line_file(), "train", 9))[0]
    assert problem.args_ == {"where": "train", "found": "9", "least": 1, "most": 8}
    problem = line.faults(put(line_file(), f"{FIRST}.to", 31))[0]
    assert (problem.args_["least"], problem.args_["most"]) == (4, 30)


def test_st_9_4_a_section_has_at_least_one_space() -> None:
    content = put(line_file({F: []}), "sections.fast-track.spaces", 0)
    assert found(content) == [("track.number", "sections.fast-track.spaces")]
    content = put(line_file({F: []}), "sections.fast-track.spaces", 1)
    assert found(content) == [("track.freight", "sections.fast-track.spaces")]


@pytest.mark.parametrize(
    ("features", "lengths", "args"),
    [
        ({"line": [("bridge", 5, 7), ("hill", 6, 9)]}, {}, {"space": 6}),
        ({}, {V: 20}, {"lengths": ["20", "20", "30"]}),
        ({}, {"paris": 28}, {"spaces": 78, "reach": 80}),
        ({"line": [("bridge", 5, 7), ("hill", 8, 9)]}, {"line": 12, "paris": 50}, {"least": 13}),
    ],
)
def test_st_9_4_a_fault_says_what_is_wrong(
    features: Features, lengths: dict[str, int], args: dict[str, object]
) -> None:
    (problem,) = line.faults(line_file(features, lengths))
    assert args.items() <= problem.args_.items()


@pytest.mark.parametrize(
    ("where", "value"),
    [("train", 1), ("train", 8), ("sections.line.radius", 0), ("sections.line.radius", 1000)],
)
def test_st_9_4_the_limits_themselves_are_no_faults(where: str, value: int) -> None:
    assert found(put(line_file(), where, value)) == []


def test_st_9_4_all_faults_are_named_at_once() -> None:
    content = put(put(line_file(), "train", 0), "sections.paris.name", "Paris")
    del content["sections"]["viaduct"]
    assert sorted(found(content)) == [
        ("track.missing", "sections.viaduct"),
        ("track.name", "sections.paris.name"),
        ("track.number", "train"),
    ]


@pytest.mark.parametrize(
    ("lengths", "features", "faults"),
    [
        # The box lies beyond space 12; the Fast Track must be long enough all the same.
        ({"line": 13, "paris": 60}, {"line": [("bridge", 2, 3), ("hill", 5, 5)]}, []),
        (
            {"line": 12, "paris": 60},
            {"line": [("bridge", 2, 3), ("hill", 5, 5)]},
            [("track.box", "sections.line.spaces")],
        ),
        # Nothing else is on its space.
        ({}, {"line": [("bridge", 28, 29), ("hill", 5, 5)]}, []),
        (
            {},
            {"line": [("bridge", 28, 30), ("hill", 5, 5)]},
            [("track.box-feature", "sections.line.features")],
        ),
        # Fast Track < Viaduct < Scenic Route.
        ({V: 21, S: 22}, {}, []),
        ({V: 20}, {}, [("track.lengths", "sections")]),
        ({S: 25}, {}, [("track.lengths", "sections")]),
        ({V: 31}, {}, [("track.lengths", "sections")]),
        ({V: 19}, {}, [("track.lengths", "sections")]),
        # A bridge before the box; a viaduct does not count as one.
        ({}, {"line": [("hill", 5, 5)]}, [("track.bridge", "sections.line.features")]),
        (
            {},
            {"line": [("hill", 5, 5), ("viaduct", 9, 9)]},
            [("track.bridge", "sections.line.features")],
        ),
        # A viaduct on the Viaduct route.
        ({}, {V: []}, [("track.viaduct", "sections.viaduct.features")]),
        ({}, {V: [("bridge", 8, 12)]}, [("track.viaduct", "sections.viaduct.features")]),
        # The last tunnel where the routes have joined.
        ({}, {"paris": [("hill", 20, 21)]}, [("track.last-tunnel", "sections.paris.features")]),
        # More than one hill.
        (
            {},
            {"line": [("bridge", 5, 5)], F: [], "paris": [("tunnel", 5, 5), ("hill", 9, 9)]},
            [("track.hills", "sections")],
        ),
        (
            {},
            {"line": [("bridge", 5, 5)], F: [], "paris": [("tunnel", 5, 5)]},
            [("track.hills", "sections")],
        ),
        ({}, {"line": [("bridge", 5, 5)], "paris": [("tunnel", 5, 5), ("hill", 9, 9)]}, []),
        # No two features on one space.
        (
            {},
            {"line": [("bridge", 5, 7), ("hill", 7, 9)]},
            [("track.overlap", "sections.line.features.1")],
        ),
        ({}, {"line": [("bridge", 5, 7), ("hill", 8, 9)]}, []),
        (
            {},
            {"paris": [("tunnel", 5, 7), ("hill", 9, 9), ("bridge", 6, 6)]},
            [("track.overlap", "sections.paris.features.2")],
        ),
        # Longer than freight gets: 80 spaces.
        ({"paris": 31}, {}, []),
        ({"paris": 30}, {}, [("track.freight", "sections.fast-track.spaces")]),
    ],
)
def test_st_9_2_every_line_of_the_rule_is_checked(
    lengths: dict[str, int], features: Features, faults: list[tuple[str, str]]
) -> None:
    assert found(line_file(features, lengths)) == faults


def test_st_9_1_two_hills_on_the_same_section_are_more_than_one() -> None:
    places: Features = {
        "line": [("hill", 2, 3), ("bridge", 5, 5), ("hill", 8, 9)],
        F: [],
        "paris": [("tunnel", 5, 5)],
    }
    assert found(line_file(places)) == []


@pytest.mark.parametrize("name", ["rivers", "mountains"])
@pytest.mark.parametrize("value", [5, {}, None])
def test_st_9_4_scenery_that_is_no_list_is_a_fault(name: str, value: object) -> None:
    assert found(line_file() | {name: value}) == [("track.list", name)]


@pytest.mark.parametrize(
    ("mountain", "faults"),
    [
        ({"at": [1, 2], "size": [3.5, 4]}, []),
        ([1, 2], [("track.mountain", "mountains.0")]),
        ({"at": [1, 2]}, [("track.mountain", "mountains.0")]),
        ({"at": [1, 2], "size": [3, 4], "snow": 1}, [("track.mountain", "mountains.0")]),
        ({"at": [1], "size": [3, 4]}, [("track.point", "mountains.0.at")]),
        ({"at": [1, 2], "size": 3}, [("track.point", "mountains.0.size")]),
    ],
)
def test_st_9_4_mountains_have_a_place_and_a_size(
    mountain: object, faults: list[tuple[str, str]]
) -> None:
    assert found(line_file(mountains=[mountain])) == faults


@pytest.mark.parametrize(
    ("cards", "fast", "faults"),
    [
        # Five turns at least, which are 15 cards.
        (15, 81, []),
        (14, 81, [("track.deck", "deck")]),
        # 69 cards are 23 turns, and freight gets 84 spaces.
        (69, 84, [("track.freight", "sections.fast-track.spaces")]),
        (69, 85, []),
        (68, 81, []),
        # A short line with a short deck: ten turns, 32 spaces.
        (30, 33, []),
        (30, 32, [("track.freight", "sections.fast-track.spaces")]),
    ],
)
def test_st_9_3_a_deck_of_ones_own_and_a_line_of_its_length(
    cards: int, fast: int, faults: list[tuple[str, str]]
) -> None:
    short = {"line": 14, F: 5, V: 6, S: 7, "paris": fast - 19}
    places: Features = {
        "line": [("bridge", 3, 4), ("hill", 6, 7)],
        F: [("hill", 2, 2)],
        V: [("viaduct", 2, 3)],
        S: [],
        "paris": [("tunnel", 2, 3)],
    }
    content = line_file(places, short, deck={"accelerate": cards - 4, "hard-brake": 4})
    assert found(content) == faults


# --- 9.4: a line of one's own --------------------------------------------------------------------


def test_st_9_4_a_file_with_faults_cannot_be_played_and_says_why() -> None:
    content = put(line_file(), "train", 0)
    with pytest.raises(Problem) as caught:
        Match(GAME, NAMES[:4], TrainOptions(data={"track": content}), seed=bytes(32))
    assert caught.value.key == "data.faults"
    faults = caught.value.args_["faults"]
    assert isinstance(faults, list)
    assert [(fault.key, fault.args_["where"]) for fault in faults] == [("track.number", "train")]


def test_st_9_4_a_table_may_bring_its_own_line() -> None:
    text = json.dumps(line_file(deck={"maintain-speed": 62, "hard-brake": 4}))
    content = GAME.parse_data("track", "own.json", text)
    t = table(*FOUR, data={"track": content})
    assert sum(section.spaces for section in t.view().table.sections) == sum(SPACES.values())
    assert set(own(t, 0).effects) <= {"maintain-speed", "hard-brake"}
    t.turn("maintain-speed")
    assert (t.view().at, t.view().records) == (4, [])
    # Its record holds the line, and plays it again.
    record = t.match.record(reveal=True)
    assert record.data["track"].content == content


def play_at(t: Staged, speed: int) -> list[int]:
    """The train runs to its end at this speed; the front after each turn."""
    found = []
    while t.match.result() is None:
        match t.step:
            case "draw":
                t.train.speed = speed
                t.turn("maintain-speed")
            case "tunnel":
                t.do(t.train.waiting()[0], "decline")
            case "vote":
                t.vote(*[V] * len(t.train.waiting()))
            case "ballot":
                seat = t.train.waiting()[0]
                t.throw_off((seat + 1) % 4)
            case _:
                t.quiet()
        if t.step in ("draw", "over"):
            found.append(t.view().at)
    return found


def test_st_9_4_on_ones_own_line_the_train_halts_meets_and_crashes_where_the_file_says() -> None:
    t = rail(*FOUR)
    fronts = play_at(t, 180)
    assert t.view().ending == "crashed"
    assert BOX in fronts
    assert fronts[-1] == last(V)
    # 6, 12, 18, 24 and the box; then 36 to 84 by way of the viaduct, and the last space.
    assert fronts == [6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 78, 84, 86]
    # Space 42 is on the viaduct: it begins 8 spaces beyond the box, and ends with the 12th.
    assert [meeting.turn for meeting in t.view().meetings] == [7]


def test_st_9_4_a_line_with_a_short_deck_ends_sooner() -> None:
    content = line_file(deck={"maintain-speed": 15})
    t = table(*FOUR, data={"track": content})
    for _ in range(5):
        assert t.match.result() is None
        t.at(24, 30)
        t.turn("maintain-speed")
    assert t.view().ending == "stopped"


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("speed", [30, 180])
def test_st_9_4_the_built_in_lines_can_be_played_to_the_end(name: str, speed: int) -> None:
    t = table(*FOUR, track=name)
    play_at(t, speed)
    assert t.view().ending == ("stopped" if speed == 30 else "crashed")
