"""Tachite al Tram: what is shown, foreseen, read, said and imagined."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from capolinea.engine import Match, Refused, Rng
from capolinea.games.tachite_al_tram import sayings
from capolinea.games.tachite_al_tram.preview import TramPreview, preview_of
from capolinea.games.tachite_al_tram.rules.board import MISFORTUNE_NAMES
from capolinea.games.tachite_al_tram.rules.steps import Phase
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.title import GAME, TramOptions
from capolinea.games.tachite_al_tram.views import MOST_TABLES, TramView
from tests.games.tachite_al_tram.scenes import (
    NAMES,
    action,
    conserved,
    do,
    give,
    hand,
    keep,
    refused,
    scene,
    seat_in,
    view,
)

COLUMN = {f"C{row}": "straight" for row in range(2, 8)}


def foresee(trams: Trams, *steps: str, seat: int = 0) -> TramPreview:
    return preview_of(trams, seat, [action(step) for step in steps])


# --- views -----------------------------------------------------------------------------------------


def test_everybody_sees_the_same() -> None:
    trams = scene(3)
    views = [view(trams, seat) for seat in (0, 1, 2, None)]
    assert [one.viewer for one in views] == [0, 1, 2, None]
    for one in views:
        one.viewer = None
    assert views.count(views[0]) == 4


def test_what_is_hidden_has_no_place_in_a_view() -> None:
    trams = scene()
    before = view(trams)
    trams.face_down.reverse()
    trams.deck.reverse()
    trams.waiting_at = [[*reversed(pile[:-1]), pile[-1]] for pile in trams.waiting_at]
    assert view(trams) == before


def test_the_table_says_where_the_funicular_jumps() -> None:
    a3, a7, g14 = 14, 42, 97
    shown = view(scene()).table
    assert shown.jumps == [[4 * a3, 4 * a7 + 2], [4 * a7 + 2, 4 * a3]]
    assert len(shown.leads) == 4 * (g14 + 1)
    assert (shown.stops[0], shown.workshop, shown.oberdan) == ("A2", "D8", "D1")


def test_the_table_is_made_once() -> None:
    trams = scene()
    assert view(trams).table is view(trams).table


def test_no_more_tables_are_kept_than_are_of_use() -> None:
    trams = scene()
    for rounds in range(10, 150):
        trams.rounds = rounds
        assert view(trams).table.rounds == rounds
    assert len(trams.board.shown) <= MOST_TABLES


# --- preview ---------------------------------------------------------------------------------------


def test_preview_of_a_tile_counts_squares_then_turns() -> None:
    trams = scene(tiles=["curve"])
    first = foresee(trams, "lay curve")
    assert first.lines[0].key == "preview.squares"
    assert first.lines[0].args["count"] > 40
    second = foresee(trams, "lay curve", "on C5")
    assert (second.fits, second.lines[0].args) == (4, {"count": 4})
    assert second.reach == []


def test_preview_of_a_tile_tells_what_it_connects_and_what_rolls_could_reach() -> None:
    trams = scene(tiles=["curve"], at=["C4", "D14"], rails={"C4": "straight", "D5": "straight 1"})
    found = foresee(trams, "lay curve", "on C5")  # it fits in one way alone
    assert (found.connects, found.fits, found.turn) == (["east", "south"], 1, 0)
    assert found.lines[0].key == "preview.connects"
    assert [reach.roll for reach in found.reach] == [1, 2, 3, 4, 5, 6]
    two = found.reach[1].ends
    assert [(end.square, end.path, end.damage) for end in two] == [("D5", ["C4", "C5", "D5"], 0)]
    three = found.reach[2].ends
    assert [(end.square, end.damage) for end in three] == [("D5", 1)]
    assert trams.laid[4 * 7 + 2] == -1  # nothing is stored


def test_preview_of_a_tile_alone() -> None:
    trams = scene(tiles=["crossing"])
    found = foresee(trams, "lay crossing", "on C5")
    assert (found.connects, found.fits) == ([], 1)
    assert found.lines[0].key == "preview.alone"


def test_preview_before_a_roll_tells_what_each_could_reach() -> None:
    trams = scene(at=["C2", "C4"], rails=COLUMN)
    give(trams, 0, futiz="zelante")
    do(trams, "no-build")
    for found in (foresee(trams), foresee(trams, "roll")):
        ends = [[(end.square, end.damage, end.hits) for end in reach.ends] for reach in found.reach]
        assert ends[0] == [("C4", 1, [1])]
        assert ends[1] == [("C5", 0, [])]
        assert ends[4] == [("C7", 1, [])]


def test_preview_after_the_roll_tells_this_rolls_ends_with_their_steps() -> None:
    trams = scene(die=[2], at=["C4", "D14"], rails=COLUMN)
    do(trams, "no-build", "roll")
    (reach,) = foresee(trams).reach
    assert reach.roll == 2
    assert {end.square: end.steps for end in reach.ends} == {
        "C6": [{"do": "go", "side": "north"}],
        "C2": [{"do": "go", "side": "south"}],
    }
    assert [len(one.ends) for one in foresee(trams, seat=1).reach] == [1] * 6


def test_preview_of_early_ends_and_of_running_off() -> None:
    trams = scene(die=[4], at=["D2", "D14"], rails={"D2": "straight"})
    do(trams, "no-build", "roll")
    (reach,) = foresee(trams).reach
    assert [(end.steps, end.early, end.damage) for end in reach.ends] == [
        ([{"do": "stop"}], True, 0),
        ([{"do": "run-off"}], False, 1),
    ]
    give(trams, 0, futiz="buloto")
    (reach,) = foresee(trams).reach
    assert [end.damage for end in reach.ends] == [0, 0]


@pytest.mark.parametrize(("shields", "damage"), [(0, 2), (1, 1), (2, 0)])
def test_preview_knows_what_a_blessing_wards_off(shields: int, damage: int) -> None:
    trams = scene(die=[6], at=["C5", "C7"], rails=COLUMN)
    for _ in range(shields):
        keep(trams, 0, "san-giusto")
    do(trams, "no-build", "roll")
    (reach,) = foresee(trams).reach
    assert {end.square: end.damage for end in reach.ends}["C7"] == damage
    do(trams, "go north")
    assert trams.damage == [damage, 1]


def test_preview_in_a_strike_reaches_nothing() -> None:
    trams = scene(3, at=["C4", "C4", "C4"], rails=COLUMN, tiles=["crossing"])
    trams.stuck = True
    trams.halted = [0, 1, 0]
    assert foresee(trams).reach == []
    assert foresee(trams, "lay crossing", "on E5").reach == []
    assert foresee(trams, seat=1).reach == []
    assert len(foresee(trams, seat=2).reach) == 6


def test_preview_of_a_card_that_moves_three() -> None:
    trams = scene(at=["C2", "D14"], rails=COLUMN)
    keep(trams, 0, "tram-de-opcina")
    do(trams, "no-build")
    (reach,) = foresee(trams, "use tram-de-opcina").reach
    assert (reach.roll, reach.ends[0].square) == (0, "C5")
    assert foresee(trams, "stay") == TramPreview()


def test_preview_asks_first_like_the_rules() -> None:
    trams = scene(die=[1], at=["C2", "D14"], rails=COLUMN)
    keep(trams, 0, "nero-in-b")
    do(trams, "no-build", "roll")
    (reach,) = foresee(trams).reach
    assert reach.ends[0].steps == [{"do": "go", "side": "north"}]


@pytest.mark.parametrize(
    "steps",
    [
        ["roll"],
        ["lay slip"],
        ["lay curve", "on D4"],
        ["lay curve", "on C4", "turn 0"],
        ["lay curve", "on C5", "turn 0", "turn 1"],
    ],
)
def test_no_preview_of_what_cannot_be(steps: list[str]) -> None:
    trams = scene(tiles=["curve", "curve", "curve"])
    with pytest.raises(Refused):
        foresee(trams, *steps)


# --- read and describe -----------------------------------------------------------------------------


def test_the_table_is_read_aloud() -> None:
    trams = scene(3, at=["A2", "C3"], rails=COLUMN, own=["NS"], waiting=["vecion"])
    seat_in(trams, 0, "lem", "panzon")
    give(trams, 1, futiz="sbonfo", damage=2)
    keep(trams, 1, "san-giusto")
    trams.waiting_at[3] = []
    trams.trips[0] = [4, 3]
    trams.last_stop[0] = 2
    trams.halted = [0, 1, 0]
    trams.out = [1] + [0] * 11
    trams.used = [trams.deck.pop()]
    trams.misfortune, trams.misfortune_seat, trams.closed_by = 2, 1, 1
    trams.protected = 16
    keys = [line.key for line in GAME.read(view(trams))]
    for key in (
        "read.round",
        "read.goal",
        "read.turn",
        "read.tram",
        "read.damage",
        "read.aboard",
        "read.bench",
        "read.empty",
        "read.hand",
        "read.futiz",
        "read.kept",
        "read.last-stop",
        "read.halted",
        "read.trip",
        "read.stop",
        "read.stop.empty",
        "read.out",
        "read.face-down",
        "read.own-tile",
        "read.tile",
        "read.last-laid",
        "read.misfortunes",
        "read.used",
        "read.misfortune",
        "read.closed",
    ):
        assert key in keys
    halted = [line.args["seat"] for line in GAME.read(view(trams)) if line.key == "read.halted"]
    assert halted == [1]
    assert keys.count("read.tram") == 3
    assert keys.count("read.tile") == 6
    assert keys.count("read.bench") == 2


def test_rails_are_read_row_by_row() -> None:
    trams = scene(rails={"C5": "curve 2", "E5": "switch-left", "A8": "straight"})
    rows = {
        line.args["row"]: line.args["squares"]
        for line in GAME.read(view(trams))
        if line.key == "read.rails"
    }
    assert list(rows) == sorted(rows, reverse=True)
    assert rows[14] == ["D14 S"]
    assert rows[8] == ["A8 NS", "D8 NS-EW"]
    assert rows[5] == ["C5 NW", "E5 NS-SW"]
    assert rows[11] == ["D11 N>S-E>N-E>S", "E11 E>W-S>E-S>W"]
    assert rows[3] == ["A3 NE-NS"]
    assert 6 not in rows


def test_a_roll_and_a_strike_are_read_too() -> None:
    trams = scene(die=[2], at=["C4", "D14"], rails=COLUMN)
    do(trams, "no-build", "roll")
    trams.stuck = True
    trams.drew = 0
    lines = {line.key: line.args for line in GAME.read(view(trams))}
    assert lines["read.steps"] == {"die": 2, "steps": 2}
    assert lines["read.stuck"] == {"seat": 0}
    assert lines["read.fresh"] == {"seat": 0, "tiles": ["straight"]}


@pytest.mark.parametrize(
    ("who", "key"), [("vecion", "action.board.who"), ("marantiga", "action.board.unlucky")]
)
def test_a_menu_names_who_would_board(who: str, key: str) -> None:
    trams = scene(at=["A2", "D14"], waiting=[who])
    do(trams, "no-build", "stay")
    line = GAME.describe(view(trams), action("board"))
    assert (line.key, line.args) == (key, {"passenger": who})


def test_a_menu_knows_zelante_the_boars_and_how_many_get_off() -> None:
    trams = scene(at=["D14", "D1"])
    seat_in(trams, 0, "vecion", "lem")
    assert GAME.describe(view(trams), action("roll")).key == "action.roll"
    give(trams, 0, futiz="zelante")
    assert GAME.describe(view(trams), action("roll")).key == "action.roll.zelante"
    line = GAME.describe(view(trams), action("set-down"))
    assert (line.key, line.args) == ("action.set-down.count", {"count": 2})
    assert GAME.describe(view(trams), action("on C5")).key == "action.on"
    trams.phase = Phase.BOARS
    assert GAME.describe(view(trams), action("on C5")).key == "action.on.boars"


# --- sayings ---------------------------------------------------------------------------------------


def test_ta_5_3_passengers_may_be_reseated_by_hand() -> None:
    trams = scene()
    seat_in(trams, 0, "vecion", "lem", "panzon")
    line = sayings.line(view(trams), 0, {"seats": ["panzon", None, "lem", "vecion"]})
    assert (line.key, line.args) == (
        "saying.seats",
        {"seat": 0, "passengers": ["panzon", "lem", "vecion"]},
    )


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("hello", "refused.saying"),
        ({"seats": ["vecion"]}, "refused.saying"),
        ({"seats": ["vecion", "panzon", None, None], "more": 1}, "refused.saying"),
        ({"seats": ["vecion", None, None, None]}, "refused.seats-who"),
        ({"seats": ["vecion", None, "panzon", "panzon"]}, "refused.seats-who"),
        ({"seats": ["vecion", None, "panzon", 5]}, "refused.seats-who"),
        ({"seats": ["vecion", "panzon", None, None]}, "refused.seats-colour"),
    ],
)
def test_ta_5_3_a_seating_must_be_one(said: Any, key: str) -> None:
    trams = scene()
    seat_in(trams, 0, "vecion", "panzon")
    with pytest.raises(Refused) as caught:
        sayings.line(view(trams), 0, said)
    assert caught.value.key == key


def test_ta_5_3_with_cocolo_anybody_sits_beside_anybody() -> None:
    trams = scene()
    seat_in(trams, 0, "vecion", "panzon")
    give(trams, 0, futiz="cocolo")
    assert (
        sayings.line(view(trams), 0, {"seats": ["vecion", "panzon", None, None]}).key
        == "saying.seats"
    )
    give(trams, 0, futiz="sbonfo")
    with pytest.raises(Refused):
        sayings.line(view(trams), 0, {"seats": ["vecion", None, "panzon", None]})
    assert sayings.line(
        view(trams), 0, {"seats": ["vecion", None, "panzon", None, None, None]}
    ).args["passengers"] == ["vecion", "panzon"]


def test_nothing_is_said_when_it_is_over_or_nobody_is_aboard() -> None:
    trams = scene()
    assert sayings.babble(view(trams, 0), Rng(b"a")) is None
    assert sayings.babble(view(trams), Rng(b"a")) is None
    seat_in(trams, 0, "vecion")
    found = [sayings.babble(view(trams, 0), Rng(bytes([n]))) for n in range(8)]
    assert {"seats": ["vecion", None, None, None]} in found
    assert any(one != found[0] for one in found)
    trams.ending = 0
    with pytest.raises(Refused):
        sayings.line(view(trams), 0, {"seats": ["vecion", None, None, None]})


# --- imagine ---------------------------------------------------------------------------------------


def test_what_is_imagined_looks_the_same_and_plays_on() -> None:
    match = Match(GAME, NAMES[:3], TramOptions(rounds=10), seed=bytes(32))
    rng = Rng(b"imagine")
    while match.result() is None:
        state = match.state
        assert isinstance(state, Trams)
        seen = view(state, 0)
        imagined = GAME.imagine(seen, rng)
        assert imagined.view(0) == seen
        assert isinstance(imagined, Trams)
        conserved(imagined)
        waiting = sorted(kind for pile in imagined.waiting_at for kind in pile)
        assert waiting == sorted(kind for pile in state.waiting_at for kind in pile)
        assert sorted(imagined.deck) == sorted(state.deck)
        assert sorted(imagined.face_down) == sorted(state.face_down)
        assert imagined.legal(state.current) == state.legal(state.current)
        copy = state.copy()
        seat = copy.current
        steps = []
        while True:
            legal = copy.legal(seat)
            steps.append(legal[rng.below(len(legal))])
            copy.play(seat, steps[-1])
            if copy.midway() < 0:
                break
        match.move(seat, steps)


def test_the_end_can_be_imagined_too() -> None:
    trams = scene(rounds=1, at=["D14", "A2"], waiting=["vecion"], tiles=["crossing"])
    hand(trams, 0, "crossing", "curve", "curve")
    hand(trams, 1, "crossing", "curve", "curve")
    do(trams, "lay crossing", "on C5", "stay")
    do(trams, "lay crossing", "on E5", "stay", "board")
    seen = view(trams, 0)
    assert (seen.phase, seen.current, seen.boarded) == ("over", 1, False)
    assert seen.last_laid is not None
    assert (seen.last_laid.seat, seen.last_laid.square) == (1, "E5")
    assert GAME.imagine(seen, Rng(b"end")).view(0) == seen


def test_a_crowded_stop_can_be_imagined() -> None:
    trams = scene(at=["A2", "D14"], waiting=["vecion"])
    keep(trams, 0, "crowded-stop")
    trams.last_stop[1] = 4
    do(trams, "no-build", "stay", "board")
    imagined = GAME.imagine(view(trams, 0), Rng(b"crowd"))
    assert isinstance(imagined, Trams)
    assert imagined.boarded_at == trams.boarded_at == 0
    assert imagined.legal(0) == trams.legal(0)


def test_imagined_orders_differ() -> None:
    seen = view(scene(), 0)
    orders = set()
    for number in range(5):
        imagined = GAME.imagine(seen, Rng(bytes([number])))
        assert isinstance(imagined, Trams)
        orders.add((tuple(imagined.face_down), tuple(imagined.deck), str(imagined.waiting_at)))
    assert len(orders) == 5


def test_a_view_goes_through_json() -> None:
    seen = view(scene(4, own=["NS-EW"]), 2)
    assert msgspec.json.decode(msgspec.json.encode(seen), type=TramView) == seen


def test_the_clock_changes_as_little_as_can_be() -> None:
    trams = scene(at=["D8", "D14"])
    give(trams, 0, damage=1)
    played = []
    for _ in range(3):
        choice = trams.default(0)
        played.append(GAME.space.json(choice)["do"])
        trams.play(0, choice)
    assert played == ["no-build", "stay", "repair"]
    assert trams.current == 1
    other = scene(at=["A2", "D14"], die=[2])
    do(other, "no-build", "stay")
    assert GAME.space.json(other.default(0))["do"] == "leave"
    third = scene(at=["D14", "D1"])
    seat_in(third, 0, "vecion")
    do(third, "no-build", "stay")
    assert GAME.space.json(third.default(0))["do"] == "set-down"
    fourth = scene(at=["D8", "D14"])
    do(fourth, "no-build", "stay")
    assert GAME.space.json(fourth.default(0))["do"] == "no-service"
    fifth = scene(die=[2], at=["D2", "D14"], rails={"D2": "straight"})
    do(fifth, "no-build", "roll")
    assert GAME.space.json(fifth.default(0))["do"] == "stop"
    sixth = scene(die=[2], at=["C4", "D14"], rails=COLUMN)
    keep(sixth, 0, "nero-in-b")
    do(sixth, "no-build", "roll")
    assert GAME.space.json(sixth.default(0)) == {"do": "go", "side": "south"}
    seventh = scene(tiles=["curve"])
    do(seventh, "lay curve")
    assert GAME.space.json(seventh.default(0))["do"] == "on"
    eighth = scene(at=["D8", "D14"])
    give(eighth, 0, futiz="sbonfo")
    seat_in(eighth, 0, "vecion", "panzon", "lole")
    do(eighth, "no-build", "stay", "futiz cocolo", "no-build", "stay")
    do(eighth, "no-build", "stay", "futiz buloto")
    assert GAME.space.json(eighth.default(0))["do"] == "put-off"


def test_cards_have_words_for_name_text_and_story() -> None:
    assert GAME.names["misfortune"] == GAME.names["misfortune-story"] == MISFORTUNE_NAMES


def test_refusing_leaves_no_trace() -> None:
    trams = scene()
    for number in range(GAME.space.size):
        if number not in trams.legal(0):
            written = GAME.space.json(number)
            refused(trams, " ".join(str(part) for part in written.values()))
