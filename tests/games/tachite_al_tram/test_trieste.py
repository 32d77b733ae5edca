"""Tachite al Tram: what the rulebook and its pictures tell of the board holds on ours (TA-8)."""

from __future__ import annotations

import json
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

import pytest

import capolinea.games.tachite_al_tram as tachite
from capolinea.games.tachite_al_tram import chart
from capolinea.games.tachite_al_tram.chart import square, square_name
from capolinea.games.tachite_al_tram.rules.board import (
    FUNICULAR,
    GRASS,
    MISFORTUNE_NAMES,
    PASSENGER_NAMES,
    SHAPES,
    STOP,
    TERMINUS,
    WAITING,
    WORKSHOP,
    Board,
    neighbour,
)

FOLDER = Path(next(iter(tachite.__path__)))
FILE: dict[str, Any] = json.loads((FOLDER / "data/board/trieste.json").read_text("utf-8"))
BOARD = chart.load("trieste", FILE)
N, E, S, W = range(4)


def test_ta_1_2_ninety_eight_squares_called_a1_to_g14() -> None:
    assert [square_name(number) for number in (0, 6, 7, 97)] == ["A1", "G1", "A2", "G14"]
    assert all(square(square_name(number)) == number for number in range(98))
    assert len(BOARD.kind) == 98


def test_ta_8_1_the_stops_and_which_of_them_are_central() -> None:
    names = [square_name(stop) for stop in BOARD.stops]
    assert len(names) == 6
    assert {"A2", "F1", "A10", "F12"} < set(names)
    in_g = [name for name in names if name[0] == "G"]
    assert len(in_g) == 1
    assert {names[stop] for stop in BOARD.central} == {"A10", "F12", in_g[0]}
    assert [number for number in range(98) if BOARD.kind[number] == STOP] == sorted(BOARD.stops)


def test_ta_8_1_people_wait_beside_each_stop() -> None:
    waiting = [square(stop["waiting"]) for stop in FILE["stops"]]
    assert len(set(waiting)) == 6
    for stop, place in zip(BOARD.stops, waiting, strict=True):
        assert BOARD.kind[place] == WAITING
        assert place in [neighbour(stop, side) for side in range(4)]


def test_ta_8_1_workshop_funicular_and_the_rows_of_the_termini() -> None:
    assert BOARD.workshop == square("D8")
    assert BOARD.kind[BOARD.workshop] == WORKSHOP
    assert [n for n in range(98) if BOARD.kind[n] == FUNICULAR] == [
        square("A4"),
        square("A5"),
        square("A6"),
    ]
    assert BOARD.kind[BOARD.oberdan] == BOARD.kind[BOARD.opicina] == TERMINUS
    assert BOARD.oberdan < 7
    assert BOARD.opicina >= 13 * 7


def test_ta_4_7_the_funicular_is_jumped_both_ways_and_by_nobody_else() -> None:
    assert BOARD.beyond[square("A3") * 4 + N] == square("A7") * 4 + S
    assert BOARD.beyond[square("A7") * 4 + S] == square("A3") * 4 + N
    for row in (4, 5, 6):
        assert BOARD.beyond[square(f"B{row}") * 4 + W] == -1


def test_ta_8_1_a_terminus_is_the_end_of_the_line_and_left_by_two_sides() -> None:
    for terminus in (BOARD.oberdan, BOARD.opicina):
        assert BOARD.leads[terminus * 4 : terminus * 4 + 4] == [0, 0, 0, 0]
        assert BOARD.outs[terminus] == BOARD.printed[terminus]
        assert BOARD.outs[terminus].bit_count() == 2


def test_ta_8_1_beyond_the_edge_there_is_nothing() -> None:
    for row in range(1, 15):
        assert BOARD.beyond[square(f"A{row}") * 4 + W] == -1
        assert BOARD.beyond[square(f"G{row}") * 4 + E] == -1
    for column in "ABCDEFG":
        assert BOARD.beyond[square(f"{column}1") * 4 + S] == -1
        assert BOARD.beyond[square(f"{column}14") * 4 + N] == -1
    assert BOARD.beyond[square("C5") * 4 + N] == square("C6") * 4 + S


def test_ta_4_6_the_roundabout_is_driven_anticlockwise() -> None:
    ring = [square(place) for place in ("D11", "D10", "E10", "E11")]
    ahead = [S, E, N, W]
    for number, place in enumerate(ring):
        before = ahead[number - 1]
        back, on = (before + 2) % 4, ahead[number]
        arm = (BOARD.printed[place] & ~(1 << back | 1 << on)).bit_length() - 1
        assert BOARD.beyond[place * 4 + on] // 4 == ring[(number + 1) % 4]
        # Around or out; in and around; never against the arrow, standing or passing.
        assert BOARD.leads[place * 4 + back] == 1 << on | 1 << arm
        assert BOARD.leads[place * 4 + arm] == 1 << on
        assert BOARD.leads[place * 4 + on] == 0
        assert BOARD.outs[place] == 1 << on | 1 << arm


def test_ta_4_2_printed_points_are_left_by_the_rails_one_entered() -> None:
    junction = square("D13")
    assert BOARD.leads[junction * 4 + N] == 1 << E | 1 << S
    assert BOARD.leads[junction * 4 + S] == 1 << N
    assert BOARD.leads[junction * 4 + E] == 1 << N
    assert BOARD.outs[junction] == 1 << N | 1 << E | 1 << S


def masks(shape: str) -> list[int]:
    return [sum(1 << "NESW".index(side) for side in rail) for rail in SHAPES[shape].split()]


def reach_with(tile: tuple[int, list[int]] | None, start: int, count: int) -> set[int]:
    """The squares that printed rails and one tile reach from a square, within so many."""
    leads, outs, printed = list(BOARD.leads), list(BOARD.outs), list(BOARD.printed)
    if tile:
        place, rails = tile
        for rail in rails:
            outs[place] |= rail
            printed[place] |= rail
            for side in range(4):
                if rail >> side & 1:
                    leads[place * 4 + side] |= rail & ~(1 << side)
    found: set[int] = set()
    ahead = [(BOARD.beyond[start * 4 + side], 1) for side in range(4) if outs[start] >> side & 1]
    while ahead:
        there, steps = ahead.pop()
        if there < 0 or steps > count or not printed[there // 4] >> there % 4 & 1:
            continue
        found.add(there // 4)
        exits = [side for side in range(4) if leads[there] >> side & 1]
        ahead += [(BOARD.beyond[there // 4 * 4 + side], steps + 1) for side in exits]
    return found


def test_ta_8_1_from_piazza_oberdan_one_tile_makes_f1_reachable_within_five_squares() -> None:
    goal = square("F1")
    assert goal not in reach_with(None, BOARD.oberdan, 5)
    tiles = [
        (place, masks(shape))
        for place in range(98)
        if BOARD.kind[place] == GRASS
        for shape in ("straight", "curve")
    ]
    turned = [
        (place, [(rail << turn | rail >> (4 - turn)) & 15 for rail in rails])
        for place, rails in tiles
        for turn in range(4)
    ]
    assert any(goal in reach_with(tile, BOARD.oberdan, 5) for tile in turned)


def test_ta_8_1_on_every_grass_square_some_tile_fits() -> None:
    grass = [number for number in range(98) if BOARD.kind[number] == GRASS]
    assert len(grass) >= 40
    assert [square_name(number) for number in grass if not chart.fitting(BOARD, number)] == []


def gaps(board: Board, barred: set[int]) -> int:
    """How few tiles join the termini, if these squares are not used; 99: no tiles do."""
    best = {board.oberdan: 0}
    heap = [(0, board.oberdan)]
    while heap:
        cost, number = heappop(heap)
        if number == board.opicina:
            return cost
        grass = board.kind[number] == GRASS
        for side in range(4):
            there = board.beyond[number * 4 + side]
            leaves = chart.allowed(board, number) if grass else board.outs[number]
            if there < 0 or there // 4 in barred or not leaves >> side & 1:
                continue
            more = cost + (board.kind[there // 4] == GRASS)
            if more < best.get(there // 4, 99):
                best[there // 4] = more
                heappush(heap, (more, there // 4))
    return 99


def test_ta_8_1_at_the_start_there_are_several_ways_to_build_and_none_is_built() -> None:
    west, centre, east = square("A7"), square("D5"), square("F4")
    assert gaps(BOARD, set()) > 3
    by_funicular = gaps(BOARD, {centre, east})
    by_the_middle = gaps(BOARD, {west, east})
    by_the_east = gaps(BOARD, {west, centre})
    assert max(by_funicular, by_the_middle, by_the_east) <= 10
    # The funicular tempts: it takes the fewest tiles.
    assert by_funicular == min(by_funicular, by_the_middle, by_the_east)


def test_ta_8_2_forty_two_tiles_in_at_least_six_shapes() -> None:
    assert sum(BOARD.tile_counts) == 42
    assert sum(count > 0 for count in BOARD.tile_counts) >= 6


def test_ta_8_3_twelve_kinds_of_passengers_two_of_each() -> None:
    assert BOARD.passenger_counts == [2] * 12
    colour = dict(zip(PASSENGER_NAMES, BOARD.colour, strict=True))
    assert sorted(colour.values()) == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert colour["petesson"] != colour["squinzia"]
    assert colour["ciacoleta"] == colour["panzon"]
    assert BOARD.unlucky[PASSENGER_NAMES.index("spuzolente")] >> 4 & 1
    assert 0 in BOARD.unlucky


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ta_8_3_half_of_the_kinds_bring_bad_luck(players: int) -> None:
    assert sum(numbers >> players & 1 for numbers in BOARD.unlucky) == 6


def test_ta_8_4_thirty_six_misfortunes_and_each_is_there() -> None:
    assert sum(BOARD.misfortune_counts) == 36
    assert all(BOARD.misfortune_counts)
    assert len(BOARD.misfortune_counts) == len(MISFORTUNE_NAMES)
