"""Tachite al Tram: what the rulebook and its pictures tell of the board holds on all of ours (TA-8)."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

import pytest

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
from capolinea.games.tachite_al_tram.title import GAME

FILES: dict[str, dict[str, Any]] = GAME.data()["board"]
N, E, S, W = range(4)


@pytest.fixture(params=FILES)
def board(request: pytest.FixtureRequest) -> Board:
    """Each of our boards: the usual one, and the earlier ones, which records still name."""
    return built_in(request.param)


def built_in(name: str) -> Board:
    return chart.load(name, FILES[name])


def test_ta_1_2_ninety_eight_squares_called_a1_to_g14(board: Board) -> None:
    assert [square_name(number) for number in (0, 6, 7, 97)] == ["A1", "G1", "A2", "G14"]
    assert all(square(square_name(number)) == number for number in range(98))
    assert len(board.kind) == 98


def test_ta_8_1_the_stops_and_which_of_them_are_central(board: Board) -> None:
    names = [square_name(stop) for stop in board.stops]
    assert len(names) == 6
    assert {"A2", "F1", "A10", "F12"} < set(names)
    in_g = [name for name in names if name[0] == "G"]
    assert len(in_g) == 1
    assert {names[stop] for stop in board.central} == {"A10", "F12", in_g[0]}
    assert [number for number in range(98) if board.kind[number] == STOP] == sorted(board.stops)


def test_ta_8_1_people_wait_beside_each_stop(board: Board) -> None:
    waiting = [square(stop["waiting"]) for stop in FILES[board.name]["stops"]]
    assert len(set(waiting)) == 6
    for stop, place in zip(board.stops, waiting, strict=True):
        assert board.kind[place] == WAITING
        assert place in [neighbour(stop, side) for side in range(4)]


def test_ta_8_1_workshop_funicular_and_the_rows_of_the_termini(board: Board) -> None:
    assert board.workshop == square("D8")
    assert board.kind[board.workshop] == WORKSHOP
    assert [n for n in range(98) if board.kind[n] == FUNICULAR] == [
        square("A4"),
        square("A5"),
        square("A6"),
    ]
    assert board.kind[board.oberdan] == board.kind[board.opicina] == TERMINUS
    assert board.oberdan < 7
    assert board.opicina >= 13 * 7


def test_ta_4_7_the_funicular_is_jumped_both_ways_and_by_nobody_else(board: Board) -> None:
    assert board.beyond[square("A3") * 4 + N] == square("A7") * 4 + S
    assert board.beyond[square("A7") * 4 + S] == square("A3") * 4 + N
    for row in (4, 5, 6):
        assert board.beyond[square(f"B{row}") * 4 + W] == -1


def test_ta_8_1_a_terminus_is_the_end_of_the_line_and_left_by_two_sides(board: Board) -> None:
    for terminus in (board.oberdan, board.opicina):
        assert board.leads[terminus * 4 : terminus * 4 + 4] == [0, 0, 0, 0]
        assert board.outs[terminus] == board.printed[terminus]
        assert board.outs[terminus].bit_count() == 2


def test_ta_8_1_beyond_the_edge_there_is_nothing(board: Board) -> None:
    for row in range(1, 15):
        assert board.beyond[square(f"A{row}") * 4 + W] == -1
        assert board.beyond[square(f"G{row}") * 4 + E] == -1
    for column in "ABCDEFG":
        assert board.beyond[square(f"{column}1") * 4 + S] == -1
        assert board.beyond[square(f"{column}14") * 4 + N] == -1
    assert board.beyond[square("C5") * 4 + N] == square("C6") * 4 + S


def test_ta_4_6_the_roundabout_is_driven_anticlockwise(board: Board) -> None:
    ring = [square(place) for place in ("D11", "D10", "E10", "E11")]
    ahead = [S, E, N, W]
    for number, place in enumerate(ring):
        before = ahead[number - 1]
        back, on = (before + 2) % 4, ahead[number]
        arm = (board.printed[place] & ~(1 << back | 1 << on)).bit_length() - 1
        assert board.beyond[place * 4 + on] // 4 == ring[(number + 1) % 4]
        # Around or out; in and around; never against the arrow, standing or passing.
        assert board.leads[place * 4 + back] == 1 << on | 1 << arm
        assert board.leads[place * 4 + arm] == 1 << on
        assert board.leads[place * 4 + on] == 0
        assert board.outs[place] == 1 << on | 1 << arm


def test_ta_4_2_printed_points_are_left_by_the_rails_one_entered(board: Board) -> None:
    junction = square("D13")
    assert board.leads[junction * 4 + N] == 1 << E | 1 << S
    assert board.leads[junction * 4 + S] == 1 << N
    assert board.leads[junction * 4 + E] == 1 << N
    assert board.outs[junction] == 1 << N | 1 << E | 1 << S


def masks(shape: str) -> list[int]:
    return [sum(1 << "NESW".index(side) for side in rail) for rail in SHAPES[shape].split()]


def reach_with(
    board: Board, tile: tuple[int, list[int]] | None, start: int, count: int
) -> set[int]:
    """The squares that printed rails and one tile reach from a square, within so many."""
    leads, outs, printed = list(board.leads), list(board.outs), list(board.printed)
    if tile:
        place, rails = tile
        for rail in rails:
            outs[place] |= rail
            printed[place] |= rail
            for side in range(4):
                if rail >> side & 1:
                    leads[place * 4 + side] |= rail & ~(1 << side)
    found: set[int] = set()
    ahead = [(board.beyond[start * 4 + side], 1) for side in range(4) if outs[start] >> side & 1]
    while ahead:
        there, steps = ahead.pop()
        if there < 0 or steps > count or not printed[there // 4] >> there % 4 & 1:
            continue
        found.add(there // 4)
        exits = [side for side in range(4) if leads[there] >> side & 1]
        ahead += [(board.beyond[there // 4 * 4 + side], steps + 1) for side in exits]
    return found


def test_ta_8_1_from_piazza_oberdan_one_tile_makes_f1_reachable_within_five_squares(
    board: Board,
) -> None:
    goal = square("F1")
    assert goal not in reach_with(board, None, board.oberdan, 5)
    tiles = [
        (place, masks(shape))
        for place in range(98)
        if board.kind[place] == GRASS
        for shape in ("straight", "curve")
    ]
    turned = [
        (place, [(rail << turn | rail >> (4 - turn)) & 15 for rail in rails])
        for place, rails in tiles
        for turn in range(4)
    ]
    assert any(goal in reach_with(board, tile, board.oberdan, 5) for tile in turned)


def test_ta_8_1_on_every_grass_square_some_tile_fits(board: Board) -> None:
    grass = [number for number in range(98) if board.kind[number] == GRASS]
    assert len(grass) >= 40
    assert [square_name(number) for number in grass if not chart.fitting(board, number)] == []


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


def by_west_middle_east(board: Board) -> tuple[int, int, int]:
    """How few tiles join the termini by the funicular, through the middle and by the east."""
    west, middle, east = square("A7"), square("D5"), square("F4")
    return gaps(board, {middle, east}), gaps(board, {west, east}), gaps(board, {west, middle})


def test_ta_8_1_at_the_start_there_are_several_ways_to_build_and_none_is_built(
    board: Board,
) -> None:
    ways = by_west_middle_east(board)
    assert gaps(board, set()) > 3
    assert max(ways) <= 10
    # The funicular tempts: it takes the fewest tiles.
    assert ways[0] == min(ways)


def test_ta_8_1_points_above_piazza_oberdan_spare_every_way_a_tile() -> None:
    points, grass = built_in("trieste-opicina"), built_in("trieste")
    assert by_west_middle_east(points) == (5, 7, 7)
    assert by_west_middle_east(grass) == (6, 8, 8)
    place = square("D3")
    assert grass.kind[place] == GRASS
    # Uphill one chooses between the middle and the west; from both one comes back to the city.
    assert points.leads[place * 4 + S] == 1 << N | 1 << W
    assert points.leads[place * 4 + N] == points.leads[place * 4 + W] == 1 << S


def test_ta_8_2_forty_two_tiles_in_at_least_six_shapes(board: Board) -> None:
    assert sum(board.tile_counts) == 42
    assert sum(count > 0 for count in board.tile_counts) >= 6


def test_ta_8_3_twelve_kinds_of_passengers_two_of_each(board: Board) -> None:
    assert board.passenger_counts == [2] * 12
    colour = dict(zip(PASSENGER_NAMES, board.colour, strict=True))
    assert sorted(colour.values()) == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert colour["petesson"] != colour["squinzia"]
    assert colour["ciacoleta"] == colour["panzon"]
    assert board.unlucky[PASSENGER_NAMES.index("spuzolente")] >> 4 & 1
    assert 0 in board.unlucky


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ta_8_3_half_of_the_kinds_bring_bad_luck(board: Board, players: int) -> None:
    assert sum(numbers >> players & 1 for numbers in board.unlucky) == 6


def test_ta_8_4_thirty_six_misfortunes_and_each_is_there(board: Board) -> None:
    assert sum(board.misfortune_counts) == 36
    assert all(board.misfortune_counts)
    assert len(board.misfortune_counts) == len(MISFORTUNE_NAMES)
