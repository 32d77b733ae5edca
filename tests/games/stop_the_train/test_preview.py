"""Stop the Train!: what a choice would do, as far as one can know."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.engine import Refused
from capolinea.games.stop_the_train.preview import TrainPreview
from capolinea.games.stop_the_train.title import GAME
from tests.games.stop_the_train.lines import (
    BOX,
    SPACES,
    Features,
    last,
    place,
    rail,
    status,
)
from tests.games.stop_the_train.tables import Staged

FOUR: list[list[str]] = [[], [], [], []]
F, V, S = "fast-track", "viaduct", "scenic-route"


def play(effect: str) -> dict[str, str]:
    return {"do": "play", "effect": effect}


def side(name: str) -> dict[str, str]:
    return {"do": "side", "side": name}


def vote(route: str) -> dict[str, str]:
    return {"do": "vote", "route": route}


def to_play(t: Staged, *hand: str) -> Staged:
    """The drawer has passed these two; seat 1 is to play one."""
    t.hand("maintain-speed", *hand)
    t.discard("maintain-speed")
    return t


def preview(t: Staged, seat: int, *steps: dict[str, Any]) -> TrainPreview:
    found = t.match.preview(seat, [GAME.space.parse(step) for step in steps])
    assert isinstance(found, TrainPreview)
    return found


def runs(at: int, speed: int, effect: str, route: str = "", **facts: Any) -> TrainPreview:
    """What playing this card would do to a train that stands here."""
    t = to_play(rail(*FOUR, **facts), effect, "speed-up")
    t.at(at, speed, route)
    return preview(t, 1, play(effect))


def lines(found: TrainPreview) -> list[str]:
    return [line.key for line in found.lines]


@pytest.mark.parametrize(
    ("effect", "speed", "spaces"),
    [
        ("hard-brake", 30, 1),
        ("hit-the-brakes", 60, 2),
        ("apply-the-brakes", 90, 3),
        ("maintain-speed", 120, 4),
        ("accelerate", 150, 5),
        ("full-speed-ahead", 180, 6),
    ],
)
def test_a_card_shows_speed_spaces_and_landing_place(effect: str, speed: int, spaces: int) -> None:
    found = runs(23, 120, effect)
    assert (found.speed, found.spaces, found.at) == (speed, spaces, 23 + spaces)
    assert found.lines[0].key == "preview.runs"
    assert found.lines[0].args == {"speed": speed, "spaces": spaces}
    assert (found.happens, found.place) == ([], "")
    assert lines(found) == ["preview.runs"]


@pytest.mark.parametrize(
    ("effect", "first", "second"),
    [
        ("sleight-of-hand-a", 120, 150),
        ("sleight-of-hand-b", 150, 180),
        ("sleight-of-hand-c", 90, 120),
        ("theft", 120, 180),
        ("id-check", 120, 180),
    ],
)
def test_each_side_of_an_or_card_has_its_own(effect: str, first: int, second: int) -> None:
    t = to_play(rail(*FOUR), effect, "accelerate")
    t.at(23, 120)
    for name, speed in [("first", first), ("second", second)]:
        found = preview(t, 1, play(effect), side(name))
        assert (found.speed, found.at) == (speed, 23 + speed // 30)
    # Before a side is chosen it is the first one's.
    assert preview(t, 1, play(effect)).speed == first


def test_a_card_that_goes_too_far_is_cut_short() -> None:
    assert runs(23, 180, "accelerate").speed == 180
    assert runs(23, 30, "hit-the-brakes").speed == 30


@pytest.mark.parametrize(
    ("at", "speed", "route", "happens", "where"),
    [
        (3, 30, "", [], "line.0"),
        (0, 180, "", ["record"], "line.0"),
        (9, 30, "", ["meeting"], "line.1"),
        (14, 30, "", ["tunnel"], "line.2"),
        (18, 30, "", ["tunnel"], ""),
        (19, 30, "", [], ""),
        (15, 180, "", ["record"], "line.3"),
        (BOX - 3, 150, "", ["signal-box"], ""),
        (place(V, 7), 30, V, ["meeting"], "viaduct.0"),
        (place(F, 2), 90, F, [], "fast-track.0"),
        (place(S, 9), 30, S, ["meeting"], "scenic-route.1"),
        (place("paris", 9, V), 30, V, ["tunnel", "last-tunnel"], "paris.0"),
        (place("paris", 14, S), 180, S, ["record"], "paris.1"),
    ],
)
def test_it_says_what_would_happen_there_and_what_place_it_is(
    at: int, speed: int, route: str, happens: list[str], where: str
) -> None:
    found = runs(at, speed, "maintain-speed", route)
    assert found.happens == happens
    assert found.place == where
    expected = ["preview.runs", *(["preview.place"] if where else [])]
    assert lines(found) == expected + [f"preview.{name}" for name in happens]
    if where:
        assert found.lines[1].args == {"feature": where}


def test_several_things_may_happen_at_once() -> None:
    features: Features = {
        "line": [("tunnel", 8, 9), ("bridge", 10, 11), ("tunnel", 18, 19), ("hill", 20, 21)]
    }
    assert runs(9, 30, "maintain-speed", features=features).happens == ["tunnel", "meeting"]
    assert runs(14, 180, "maintain-speed", features=features).happens == ["tunnel", "record"]


def test_the_signal_box_cuts_the_move_short() -> None:
    found = runs(BOX - 2, 180, "maintain-speed")
    assert (found.at, found.spaces, found.speed) == (BOX, 2, 180)


def test_behind_the_signal_box_it_follows_the_route_that_was_chosen() -> None:
    found = runs(BOX, 180, "maintain-speed", S)
    assert (found.at, found.happens) == (BOX + 6, ["tunnel"])
    assert runs(BOX, 180, "maintain-speed", F).happens == ["record"]
    assert runs(BOX, 180, "maintain-speed", V).happens == []


def test_two_on_board_hold_no_meeting() -> None:
    t = to_play(rail(*FOUR), "accelerate", "hard-brake")
    t.at(9, 30)
    assert preview(t, 1, play("hard-brake")).happens == ["meeting"]
    status(t, 3, "off")
    assert preview(t, 1, play("hard-brake")).happens == ["meeting"]
    status(t, 2, "dead")
    found = preview(t, 1, play("hard-brake"))
    assert (found.happens, lines(found)) == ([], ["preview.runs", "preview.place"])


def test_a_record_that_stands_on_this_hill_is_not_broken_again() -> None:
    t = rail(*FOUR)
    t.at(15, 180)
    t.turn("maintain-speed")
    t.hand("maintain-speed", "maintain-speed", "maintain-speed")
    t.discard("maintain-speed")
    t.at(16, 180)
    assert preview(t, 2, play("maintain-speed")).happens == []


@pytest.mark.parametrize("route", [F, V, S])
@pytest.mark.parametrize(
    ("before", "happens", "at"), [(2, [], 0), (1, ["crashed"], 0), (0, ["crashed"], 0)]
)
def test_a_crash_is_foretold_and_the_last_space_is_none(
    route: str, before: int, happens: list[str], at: int
) -> None:
    found = runs(last(route) - before, 60, "maintain-speed", route)
    assert found.happens == happens
    assert found.at == last(route) - at
    assert found.spaces == before
    assert ("preview.crashed" in lines(found)) is bool(happens)


@pytest.mark.parametrize(("freight", "happens"), [(18, []), (19, ["collided"]), (21, ["collided"])])
def test_a_freight_train_from_behind_is_foretold(freight: int, happens: list[str]) -> None:
    t = to_play(rail(*FOUR, freight=True), "maintain-speed", "full-speed-ahead")
    t.at(24, 30)
    t.train.freight = freight
    found = preview(t, 1, play("maintain-speed"))
    assert found.happens == happens
    assert ("preview.collided" in lines(found)) is bool(happens)
    # A faster train gets away, here into the signal box.
    assert preview(t, 1, play("full-speed-ahead")).happens == ["signal-box"]


@pytest.mark.parametrize(("speed", "happens"), [(60, []), (90, ["collided"]), (180, ["collided"])])
def test_a_freight_train_ahead_is_foretold(speed: int, happens: list[str]) -> None:
    t = to_play(rail(*FOUR, freight=True), "maintain-speed", "accelerate")
    t.at(place("paris", 24, V), speed, V)
    t.train.freight = place("paris", 29)
    found = preview(t, 1, play("maintain-speed"))
    assert found.happens == happens
    if happens:
        assert found.at == place("paris", 27, V)


@pytest.mark.parametrize("route", [F, V, S])
def test_a_vote_shows_how_far_it_is_by_that_route(route: str) -> None:
    t = rail(*FOUR)
    t.at(BOX - 1, 30)
    t.turn("maintain-speed")
    for seat in range(4):
        found = preview(t, seat, vote(route))
        assert found.left == SPACES[route] + SPACES["paris"]
        assert [(line.key, line.args) for line in found.lines] == [
            ("preview.route", {"route": route, "left": found.left})
        ]


@pytest.mark.parametrize("card", ["broken-track", "run-the-red"])
def test_a_card_that_names_a_route_shows_it_too(card: str) -> None:
    t = rail([card], [], [], [])
    t.at(BOX - 1, 30)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    if card == "run-the-red":
        t.quiet()
        t.vote(F, F, F, F)
    found = preview(t, 0, {"do": "intervene", "card": card}, {"do": "route", "route": S})
    assert found.left == SPACES[S] + SPACES["paris"]


def test_what_moves_no_train_has_an_empty_preview() -> None:
    t = rail(["burn"], [], [], [])
    t.hand("accelerate", "speed-up", "hard-brake")
    assert preview(t, 0, {"do": "discard", "effect": "hard-brake"}) == TrainPreview()
    burn = {"do": "intervene", "card": "burn"}
    assert preview(t, 0, burn, {"do": "name-organiser"}) == TrainPreview()
    assert preview(t, 0, burn) == TrainPreview()


@pytest.mark.parametrize(
    ("seat", "steps"),
    [
        (0, [play("accelerate")]),
        (2, [play("accelerate")]),
        (1, [play("theft")]),
        (1, [side("first")]),
        (1, [vote(F)]),
        (1, []),
        (1, [play("sleight-of-hand-a"), vote(F)]),
    ],
)
def test_only_what_one_may_do_oneself_has_a_preview(seat: int, steps: list[dict[str, Any]]) -> None:
    t = to_play(rail(*FOUR), "accelerate", "sleight-of-hand-a")
    with pytest.raises(Refused):
        preview(t, seat, *steps)


def test_a_side_that_cannot_be_chosen_has_no_preview() -> None:
    t = to_play(rail(*FOUR), "accelerate", "sleight-of-hand-a")
    t.train.organiser = 0
    with pytest.raises(Refused):
        preview(t, 1, play("sleight-of-hand-a"), side("second"))


def test_a_route_that_cannot_be_named_has_no_preview() -> None:
    t = rail(["run-the-red"], ["broken-track"], [], [])
    t.at(BOX - 1, 30)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    t.works(1, "broken-track", route=F)
    t.quiet()
    t.vote(V, V, V, V)
    with pytest.raises(Refused):
        preview(t, 0, {"do": "intervene", "card": "run-the-red"}, {"do": "route", "route": F})


def test_a_preview_changes_nothing() -> None:
    t = to_play(rail(*FOUR, freight=True), "accelerate", "sleight-of-hand-b")
    t.at(last() - 3, 120, F)
    t.train.freight = 12
    key = t.train.key()
    preview(t, 1, play("accelerate"))
    preview(t, 1, play("sleight-of-hand-b"), side("second"))
    assert t.train.key() == key
    assert t.match.result() is None


def test_a_preview_says_nothing_that_one_does_not_know() -> None:
    """Whatever the others are and hold, and whatever comes next, it is the same."""
    tables = [
        rail(["jam-the-controls"], [], ["burn"], [], characters=["saboteur", "engineer"]),
        rail(["tailwind"], [], ["seize-control"], [], characters=["stuntman", "engineer"]),
    ]
    tables[1].train.deck.reverse()
    for at, speed, route in [(9, 30, ""), (14, 30, ""), (BOX - 1, 180, ""), (last(S), 30, S)]:
        found = []
        for t in tables:
            if t.step == "draw":
                to_play(t, "maintain-speed", "theft")
            t.at(at, speed, route)
            steps = (play("theft"), side("second"))
            found.append((preview(t, 1, play("maintain-speed")), preview(t, 1, *steps)))
        assert found[0] == found[1]


def test_a_preview_comes_true_if_nobody_intervenes() -> None:
    for effect in ("hard-brake", "accelerate", "full-speed-ahead"):
        t = to_play(rail(*FOUR, freight=True), effect, "maintain-speed")
        t.at(23, 90)
        t.train.freight = 13
        foretold = preview(t, 1, play(effect))
        t.lay(effect)
        t.quiet()
        assert (t.view().speed, t.view().at) == (foretold.speed, foretold.at)
