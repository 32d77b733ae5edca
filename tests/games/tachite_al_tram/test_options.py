"""Tachite al Tram: what a table can choose (TA-8.5, TA-8.6), and its words."""

from __future__ import annotations

from copy import deepcopy

import pytest

from capolinea.engine import Match, Problem, Refused
from capolinea.engine.game import MOST_LOADED
from capolinea.engine.options import convert
from capolinea.games.tachite_al_tram.rules.board import Board, neighbour
from capolinea.games.tachite_al_tram.rules.tiles import rails_of, turned
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.title import GAME, TramGame, TramOptions
from capolinea.words import Words
from tests.games.tachite_al_tram.scenes import NAMES, conserved, do, hand, legal, meadow, scene, sq


def test_ta_8_1_a_table_may_bring_its_own_board() -> None:
    own = deepcopy(GAME.content("board", TramOptions()))
    own["name"] = {"en": "Elsewhere"}
    options = TramOptions(data={"board": own})
    state = GAME.new(2, options, bytes(32))
    assert isinstance(state, Trams)
    assert state.board.name == ""
    assert GAME.texts(options, "it")["board-name"] == "Elsewhere"
    own["squares"][0] = "?"
    with pytest.raises(Problem, match="board"):
        GAME.new(2, TramOptions(data={"board": own}), bytes(32))


def test_ta_8_1_the_usual_board_comes_first_of_those_to_choose_from() -> None:
    field = next(field for field in GAME.fields() if field.name == "board")
    assert field.default == "trieste-opicina"
    assert field.choices == ["trieste-opicina", "old-crossing", "trieste"]


@pytest.mark.parametrize(
    ("board", "begins"),
    [
        ("trieste-opicina", "3c1b3a63abcd"),
        ("trieste", "73fe5a86155f"),
        ("old-crossing", "5aa40d8e3cc8"),
    ],
)
def test_a_board_never_changes_since_records_name_it_by_its_hash(board: str, begins: str) -> None:
    record = Match(GAME, NAMES[:2], TramOptions(board=board), seed=bytes(32)).record()
    named = record.data["board"]
    assert named.name == board
    assert named.sha256.startswith(begins)


def test_ta_8_1_the_board_is_loaded_once() -> None:
    assert GAME.board(TramOptions()) is GAME.board(TramOptions(points="8"))


def test_no_more_boards_are_kept_than_are_of_use() -> None:
    game = TramGame()
    own = deepcopy(GAME.content("board", TramOptions()))
    for number in range(3 * MOST_LOADED):
        own["name"] = {"en": f"Board {number}"}
        game.board(TramOptions(data={"board": deepcopy(own)}))
    held = [part for part in vars(game).values() if isinstance(part, dict)]
    assert sum(map(len, held)) <= MOST_LOADED


def test_ta_8_3_every_passenger_is_twice_in_the_box() -> None:
    board = GAME.board(TramOptions())
    assert board.passenger_counts == [2] * 12
    assert sorted(board.colour) == sorted([0, 1, 2, 3] * 3)


def test_ta_8_5_own_tiles_are_tiles_like_others() -> None:
    trams = scene(own=["NS-EW-NE-ES-SW-NW", "NS"])
    conserved(trams)
    hand(trams, 0, "own-1", "own-2")
    assert legal(trams)[:2] == ["lay own-1", "lay own-2"]
    do(trams, "lay own-2", "on C5")
    assert legal(trams) == ["turn 0", "turn 1"]
    do(trams, "turn 1")
    conserved(trams)


def test_ta_8_5_an_own_tile_that_looks_like_another_does_not_replace_it() -> None:
    trams = scene(own=["NS"], rails={"C5": "straight"})
    hand(trams, 0, "own-1")
    do(trams, "lay own-1", "on C5")
    assert trams.laid[trams.board.grass[0]] == -1
    assert trams.laid[4 * 7 + 2] == 4 * 8 + 1  # across: upright would change nothing


def test_ta_8_5_at_most_two_and_only_real_ones() -> None:
    with pytest.raises(Refused) as caught:
        GAME.check(2, TramOptions(own_tiles=["NS", "ES", "NS-EW"]))
    assert caught.value.rule == "TA-8.5"
    GAME.check(2, TramOptions(own_tiles=["NS", "ES"]))
    with pytest.raises(Problem):
        convert(TramOptions, {"own_tiles": ["NN"]})


def test_ta_8_5_every_tile_can_be_drawn_and_no_two_are_the_same_turned() -> None:
    choices = next(field for field in GAME.fields() if field.name == "own_tiles").choices
    seen: set[frozenset[int]] = set()
    for written in choices:
        rails = rails_of(written)
        assert frozenset(rails) not in seen
        seen |= {frozenset(turned(rail, quarters) for rail in rails) for quarters in range(4)}
    assert len(seen) == 63  # every set of the six rails but the empty one


def test_ta_8_6_the_short_game_needs_eight_points() -> None:
    state = GAME.new(2, GAME.preset("short"), bytes(32))
    assert isinstance(state, Trams)
    assert state.goal == 8
    usual = GAME.new(2, GAME.options(), bytes(32))
    assert isinstance(usual, Trams)
    assert usual.goal == 12


def test_rounds_are_an_option() -> None:
    match = Match(GAME, NAMES[:2], TramOptions(rounds=10), seed=bytes(32))
    assert isinstance(match.state, Trams)
    assert match.state.rounds == 10


@pytest.mark.parametrize("lang", ["en", "it", "de"])
def test_places_have_names(lang: str) -> None:
    words = Words.of(lang, GAME.folder / "words").also(GAME.texts(GAME.options(), lang))
    line = words.say("event.carried", {"seat": 0, "at": "D14"}, ["Ada"])
    assert "Ada" in line
    assert "Opicina (D14)" in line
    assert "B9" in words.say("event.carried", {"seat": 0, "at": "B9"}, ["Ada"])


# --- the board's tables ----------------------------------------------------------------------------


def test_a_board_is_surveyed_once() -> None:
    board = meadow()
    near = board.near
    assert board.survey() is board
    assert board.near is near


def test_what_a_board_needs_and_bars() -> None:
    board = meadow()

    def masks(square: str) -> tuple[int, int]:
        edges = board.edges["ABCDEFG".index(square[0]) + 7 * (int(square[1:]) - 1)]
        return edges >> 4, edges & 15

    north, east, south, west = 1, 2, 4, 8
    assert masks("C5") == (0, 0)
    assert masks("A1") == (0, north | south | west)
    assert masks("B2") == (west, 0)  # the stop A2 has a rail to the east
    assert masks("D5") == (0, south)  # the rock
    assert masks("D2") == (south, 0)
    assert masks("B5") == (0, west)  # beside the funicular
    assert masks("G14") == (0, north | east)


@pytest.mark.parametrize(
    ("square", "around"),
    [
        ("C13", ["C14", "D13", "C12", "B13"]),
        ("C14", ["", "D14", "C13", "B14"]),
        ("C2", ["C3", "D2", "C1", "B2"]),
        ("C1", ["C2", "D1", "", "B1"]),
        ("F5", ["F6", "G5", "F4", "E5"]),
        ("G5", ["G6", "", "G4", "F5"]),
        ("B5", ["B6", "C5", "B4", "A5"]),
        ("A5", ["A6", "B5", "A4", ""]),
    ],
)
def test_neighbours(square: str, around: list[str]) -> None:
    found = [neighbour(sq(square), side) for side in range(4)]
    assert found == [sq(name) if name else -1 for name in around]


def test_an_empty_board_has_nothing() -> None:
    board = Board()
    assert board.near == []
    assert board.stops == []
