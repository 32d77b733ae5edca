"""Tachite al Tram: building (TA-3)."""

from __future__ import annotations

import pytest

from capolinea.games.tachite_al_tram.rules import fit
from capolinea.games.tachite_al_tram.rules.board import SHAPES, SQUARE_NAMES
from capolinea.games.tachite_al_tram.rules.steps import Phase
from capolinea.games.tachite_al_tram.rules.tiles import TILE_NAMES, Tiles, rails_of, turned
from capolinea.games.tachite_al_tram.rules.trams import Trams
from tests.games.tachite_al_tram.scenes import (
    conserved,
    do,
    hand,
    keys,
    legal,
    put,
    refused,
    scene,
    sq,
    view,
)


def hands(trams: Trams, seat: int = 0) -> list[str]:
    return [TILE_NAMES[tile] for tile in trams.hands[seat]]


def test_ta_3_1_a_tile_goes_on_free_grass_in_any_turn_and_another_is_drawn() -> None:
    trams = scene(
        tiles=["curve", "tee", "slip", "straight", "straight", "crossing", "double-curve"]
    )
    do(trams, "lay curve", "on C5")
    assert legal(trams) == ["turn 0", "turn 1", "turn 2", "turn 3"]
    told = do(trams, "turn 3")
    assert keys(told) == ["event.laid", "event.drew"]
    assert told[0].args == {"seat": 0, "tile": "curve", "square": "C5"}
    assert told[1].args["tile"] == "double-curve"
    assert hands(trams) == ["tee", "slip", "double-curve"]
    assert view(trams).trams[0].fresh == ["double-curve"]
    laid = view(trams).tiles
    assert [(tile.square, tile.tile, tile.turn, tile.laid) for tile in laid] == [
        ("C5", "curve", 3, 1)
    ]
    assert trams.phase == Phase.MOVE
    conserved(trams)


def test_ta_3_1_the_new_tile_is_for_the_next_turn() -> None:
    trams = scene()
    do(trams, f"lay {hands(trams)[0]}", "on C5")
    if legal(trams)[0].startswith("turn"):
        do(trams, legal(trams)[0])
    assert refused(trams, f"lay {hands(trams)[2]}").key == "refused.build-now"
    do(trams, "stay", "no-build", "stay")
    assert trams.current == 0
    assert f"lay {hands(trams)[2]}" in legal(trams)
    assert view(trams).trams[0].fresh == []


@pytest.mark.parametrize("square", ["D1", "A2", "A3", "A5", "D8", "D11", "D4"])
def test_ta_3_1_what_is_printed_stays(square: str) -> None:
    trams = scene(tiles=["crossing"])
    do(trams, "lay crossing")
    problem = refused(trams, f"on {square}")
    assert (problem.key, problem.rule) == ("refused.no-grass", "TA-3.1")
    assert problem.args_ == {"square": square}


def test_ta_3_1_a_tile_that_is_not_held_cannot_be_laid() -> None:
    trams = scene(tiles=["curve", "curve", "tee"])
    assert refused(trams, "lay slip").key == "refused.not-held"
    assert legal(trams) == ["lay curve", "lay tee", "swap curve", "swap tee", "no-build"]


def test_ta_3_1_turns_that_look_alike_are_one() -> None:
    trams = scene(tiles=["straight", "crossing"])
    do(trams, "lay straight", "on C5")
    assert legal(trams) == ["turn 0", "turn 1"]
    assert refused(trams, "turn 2").key == "refused.same-turn"
    other = scene(tiles=["straight", "crossing"])
    do(other, "lay crossing", "on C5")
    assert other.phase == Phase.MOVE  # nothing to choose


def test_ta_3_2_replacing_takes_the_old_tile_in_hand() -> None:
    trams = scene(tiles=["crossing", "tee", "slip"], rails={"C5": "straight"})
    pile = len(trams.face_down)
    told = do(trams, "lay crossing", "on C5")
    assert keys(told) == ["event.replaced"]
    assert told[0].args["old"] == "straight"
    assert hands(trams) == ["tee", "slip", "straight"]
    assert view(trams).trams[0].fresh == ["straight"]
    assert len(trams.face_down) == pile
    assert trams.laid[sq("C5")] >> 2 == TILE_NAMES.index("crossing")
    conserved(trams)


def test_ta_3_2_not_what_the_player_just_before_laid() -> None:
    trams = scene(3)
    hand(trams, 0, "straight")
    do(trams, "lay straight", "on C5", "turn 0", "stay")
    hand(trams, 1, "crossing")
    last = view(trams).last_laid
    assert last is not None
    assert (last.seat, last.square) == (0, "C5")
    do(trams, "lay crossing")
    problem = refused(trams, "on C5")
    assert (problem.key, problem.rule) == ("refused.just-laid", "TA-3.2")
    do(trams, "on F5", "stay")
    hand(trams, 2, "crossing")
    do(trams, "lay crossing")
    assert "on C5" in legal(trams)
    assert "on F5" not in legal(trams)


def test_ta_3_2_nor_what_they_replaced_nor_longer_than_one_player() -> None:
    trams = scene(3, rails={"C5": "straight"})
    hand(trams, 0, "crossing", "curve", "curve")
    do(trams, "lay crossing", "on C5", "stay")
    hand(trams, 1, "slip", "curve", "curve")
    do(trams, "lay slip")
    assert refused(trams, "on C5").key == "refused.just-laid"
    do(trams, "on F5", "turn 0", "stay", "no-build", "stay")
    # The player just before has built nothing: what the one before that laid is free again.
    assert view(trams).last_laid is None
    do(trams, "lay straight")
    assert "on F5" in legal(trams)


def test_ta_3_2_a_replaced_tile_counts_as_laid_in_this_turn() -> None:
    trams = scene(tiles=["crossing"], rails={"C5": "straight"})
    do(trams, "no-build", "stay", "no-build", "stay")
    assert trams.turn == 3
    do(trams, "lay crossing", "on C5")
    assert [(tile.square, tile.laid) for tile in view(trams).tiles] == [("C5", 3)]


def test_ta_3_2_not_under_a_tram() -> None:
    trams = scene(at=["C5", "D1"], rails={"C5": "straight"}, tiles=["crossing"])
    do(trams, "lay crossing")
    assert refused(trams, "on C5").key == "refused.tram-on-it"


def test_ta_3_2_the_rails_must_change() -> None:
    trams = scene(tiles=["straight", "crossing"], rails={"C5": "straight", "F5": "crossing"})
    do(trams, "lay straight", "on C5")  # only across
    assert trams.laid[sq("C5")] & 3 == 1
    other = scene(tiles=["crossing"], rails={"F5": "crossing"})
    do(other, "lay crossing")
    problem = refused(other, "on F5")
    assert (problem.key, problem.rule) == ("refused.no-change", "TA-3.2")
    third = scene(tiles=["curve"], rails={"C5": "curve"})
    do(third, "lay curve", "on C5")
    assert legal(third) == ["turn 1", "turn 2", "turn 3"]
    assert refused(third, "turn 0").key == "refused.no-change"


def test_ta_3_3_swapping_draws_first_and_then_mixes() -> None:
    trams = scene(
        tiles=["curve", "tee", "slip", "straight", "straight", "crossing", "double-curve"]
    )
    pile = sorted(trams.face_down)
    told = do(trams, "swap tee")
    assert keys(told) == ["event.swapped"]
    assert told[0].args == {"seat": 0, "tile": "tee", "drawn": "double-curve"}
    assert hands(trams) == ["curve", "slip", "double-curve"]
    pile.remove(TILE_NAMES.index("double-curve"))
    pile.append(TILE_NAMES.index("tee"))
    assert sorted(trams.face_down) == sorted(pile)
    assert trams.barrier()
    assert trams.phase == Phase.MOVE


def test_ta_3_3_no_swap_when_none_lie_face_down() -> None:
    trams = scene(tiles=["curve", "curve", "curve"])
    trams.face_down = []
    assert legal(trams) == ["lay curve", "no-build"]
    problem = refused(trams, "swap curve")
    assert (problem.key, problem.rule) == ("refused.none-face-down", "TA-3.3")


def test_ta_3_4_building_nothing_is_allowed() -> None:
    trams = scene()
    before = trams.hands[0]
    assert do(trams, "no-build") == []
    assert trams.hands[0] == before
    assert not trams.barrier()


def test_ta_3_4_when_the_pile_is_empty_play_goes_on_with_what_one_holds() -> None:
    trams = scene(tiles=["crossing", "crossing", "crossing"])
    trams.face_down = []
    told = do(trams, "lay crossing", "on C5")
    assert keys(told) == ["event.laid"]
    assert hands(trams) == ["crossing", "crossing"]
    assert not trams.barrier()
    do(trams, "stay", "no-build", "stay")
    assert trams.phase == Phase.BUILD  # nothing to draw, so it is not asked


def test_ta_3_4_who_holds_fewer_may_draw_one_at_the_start_and_use_it_at_once() -> None:
    trams = scene()
    do(trams, "no-build", "stay")
    hand(trams, 0, "curve")
    trams.face_down.remove(TILE_NAMES.index("slip"))
    trams.face_down.append(TILE_NAMES.index("slip"))
    do(trams, "no-build", "stay")
    assert legal(trams) == ["draw", "no-draw"]
    assert refused(trams, "lay curve").key == "refused.draw-first"
    told = do(trams, "draw")
    assert keys(told) == ["event.drew"]
    assert trams.barrier()
    assert hands(trams) == ["curve", "slip"]
    assert "lay slip" in legal(trams)
    problem = refused(trams, "draw")
    assert (problem.key, problem.rule) == ("refused.draw", "TA-3.4")


def test_ta_3_4_a_draw_can_be_declined() -> None:
    trams = scene()
    do(trams, "no-build", "stay")
    hand(trams, 0, "curve")
    do(trams, "no-build", "stay", "no-draw")
    assert hands(trams) == ["curve"]
    assert trams.phase == Phase.BUILD


def test_ta_3_4_without_a_tile_there_is_nothing_to_ask() -> None:
    trams = scene()
    do(trams, "no-build", "stay")
    hand(trams, 0)
    trams.face_down = []
    do(trams, "no-build", "stay")
    assert (trams.current, trams.phase) == (0, Phase.MOVE)


@pytest.mark.parametrize(
    ("tile", "square", "turns"),
    [
        ("straight", "A9", [0]),  # the stop A10 needs S, the edge bars W
        ("curve", "A9", [3]),  # N and E
        ("straight", "G1", []),  # F1 needs W, and E is the edge
        ("straight", "C4", [0]),  # D4 is a rock
        ("curve", "C4", [1, 2]),  # not to the east
        ("straight", "B4", [0]),  # the funicular has no rail to the side
        ("straight", "D2", [0]),  # the terminus D1 needs S; D3 is grass
        ("crossing", "D2", [0]),
        ("curve", "D2", [0, 1]),
        ("tee", "D2", [0, 1, 3]),
        ("curve", "G14", [1]),  # a corner
        ("straight", "G14", []),
    ],
)
def test_ta_3_5_no_rail_end_is_blind(tile: str, square: str, turns: list[int]) -> None:
    trams = scene()
    found = fit.fitting_turns(trams, TILE_NAMES.index(tile), sq(square))
    assert [quarters for quarters in range(4) if found >> quarters & 1] == turns


def test_ta_3_5_ends_that_lead_to_free_grass_are_fine_and_need_not_connect() -> None:
    trams = scene(tiles=["slip"])
    do(trams, "lay slip", "on E5", "turn 0")
    assert trams.joined[sq("E5")] == 0
    conserved(trams)


def test_ta_3_5_a_placed_neighbour_needs_and_bars_like_a_printed_one() -> None:
    trams = scene(rails={"E5": "curve"})  # E and S
    straight = TILE_NAMES.index("straight")
    fits = {
        square: fit.fitting_turns(trams, straight, sq(square))
        for square in ("F5", "E4", "E6", "D5")
    }
    # F5 must meet E5's east end: only across. E4 must meet its south end: only upright. E6 and D5 lie
    # at sides without a rail; D5 also has the rock to the south.
    assert fits == {"F5": 0b10, "E4": 0b01, "E6": 0b10, "D5": 0}


def test_ta_3_5_the_reason_is_told() -> None:
    trams = scene(tiles=["crossing", "curve"])
    do(trams, "lay crossing")
    blind = refused(trams, "on A1")
    assert (blind.key, blind.rule) == ("refused.blind", "TA-3.5")
    # The edge of the board, and A2 without a rail to the south.
    assert blind.args_ == {"square": "A1", "sides": ["north", "south", "west"]}
    other = scene(tiles=["curve"], rails={"E5": "curve", "F6": "straight"})
    do(other, "lay curve", "on F5")
    # W and N are needed: nothing to choose.
    assert other.laid[sq("F5")] & 3 == 2
    third = scene(tiles=["straight"], rails={"E5": "curve", "F6": "straight"})
    do(third, "lay straight")
    unmet = refused(third, "on F5")
    assert (unmet.key, unmet.rule) == ("refused.unmet", "TA-3.5")
    assert unmet.args_ == {"square": "F5", "sides": ["west"]}


def test_ta_3_5_a_wrong_turn_says_what_is_in_the_way() -> None:
    trams = scene(tiles=["curve"])
    do(trams, "lay curve", "on D2")
    unmet = refused(trams, "turn 2")
    assert unmet.key == "refused.unmet"
    assert unmet.args_ == {"square": "D2", "sides": ["south"]}
    other = scene(tiles=["curve"])
    do(other, "lay curve", "on C4")
    blind = refused(other, "turn 0")
    assert blind.key == "refused.blind"
    assert blind.args_ == {"square": "C4", "sides": ["east"]}


def test_ta_3_5_holds_after_a_replacement_too() -> None:
    trams = scene(tiles=["straight"], rails={"E5": "curve", "F5": "straight 1", "E4": "straight"})
    do(trams, "lay straight")
    problem = refused(trams, "on E5")
    assert problem.rule == "TA-3.5"
    conserved(trams)


def test_midway_nobody_else_may_do_anything_and_other_steps_are_refused() -> None:
    trams = scene(tiles=["curve"])
    do(trams, "lay curve")
    assert trams.midway() == 0
    assert trams.legal(1) == []
    assert refused(trams, "roll").key == "refused.place-first"
    assert refused(trams, "turn 1").key == "refused.place-first"
    do(trams, "on C5")
    assert refused(trams, "on C6").key == "refused.place-first"
    do(trams, "turn 1")
    assert trams.midway() == -1


def test_square_and_turn_need_a_tile_first() -> None:
    trams = scene()
    assert refused(trams, "on C5").key == "refused.tile-first"
    assert refused(trams, "turn 1").key == "refused.tile-first"


def test_a_tile_that_fits_nowhere_is_not_offered() -> None:
    trams = scene(tiles=["curve"])
    for square in trams.board.grass:
        trams.edges[square] = 15
    trams.choices = []
    assert not any(choice.startswith("lay") for choice in legal(trams))
    assert refused(trams, "lay curve").key == "refused.fits-nowhere"


# --- shapes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "looks"),
    [
        ("straight", 2),
        ("curve", 4),
        ("switch-left", 4),
        ("switch-right", 4),
        ("tee", 4),
        ("crossing", 1),
        ("double-curve", 2),
        ("slip", 2),
    ],
)
def test_ta_8_2_shapes_in_all_their_turns(shape: str, looks: int) -> None:
    tiles = Tiles().make(list(SHAPES.values()))
    number = TILE_NAMES.index(shape)
    assert len(set(tiles.look[4 * number : 4 * number + 4])) == looks
    free = tiles.fitting[number << 8]
    assert free.bit_count() == looks


def test_a_quarter_turn_is_clockwise() -> None:
    north, east, south, west = 1, 2, 4, 8
    assert [turned(north, quarters) for quarters in range(4)] == [north, east, south, west]
    assert turned(north | east, 3) == north | west
    assert rails_of("NS SW") == rails_of("NS-SW") == [north | south, south | west]


def test_where_rails_lead() -> None:
    tiles = Tiles().make(["NS SW"])
    tracks = tiles.tracks[tiles.look[0]]
    assert [tracks >> 4 * side & 15 for side in range(4)] == [4, 0, 1 | 8, 4]
    assert tiles.ends[tiles.look[0]] == 1 | 4 | 8


def test_taking_a_tile_up_leaves_no_trace() -> None:
    trams = scene()
    before = [list(part) for part in (trams.edges, trams.joined, trams.ends, trams.tracks)]
    put(trams, "C5", "slip")
    put(trams, "C6", "straight")
    put(trams, "C7", "tee 2")
    for square in ("C6", "C5", "C7"):
        trams.face_down.append(fit.take_up(trams, sq(square)))
    assert [trams.edges, trams.joined, trams.ends, trams.tracks] == before
    assert trams.laid == [-1] * len(SQUARE_NAMES)
    assert trams.when == [0] * len(SQUARE_NAMES)
