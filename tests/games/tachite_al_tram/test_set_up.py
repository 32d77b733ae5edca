"""Tachite al Tram: goal, parts and set-up (TA-1, TA-2)."""

from __future__ import annotations

import pytest

from capolinea.engine import Match, Refused
from capolinea.games.tachite_al_tram.rules.board import MISFORTUNE_NAMES, SQUARE_NAMES
from capolinea.games.tachite_al_tram.rules.steps import Ending, Phase
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.title import GAME, TramOptions
from tests.games.tachite_al_tram.scenes import (
    NAMES,
    aboard,
    conserved,
    do,
    give,
    legal,
    put,
    refused,
    scene,
    seat_in,
    sq,
    square_of,
    tops,
    view,
)


def match_of(players: int, first: int = 0, seed: bytes = bytes(32)) -> Trams:
    match = Match(GAME, NAMES[:players], TramOptions(first=first), seed=seed)
    assert isinstance(match.state, Trams)
    return match.state


def test_ta_1_1_the_twelfth_passenger_wins_however_many_trips_it_took() -> None:
    trams = scene(at=["D14", "D1"])
    trams.points[0] = 10
    seat_in(trams, 0, "vecion", "lem")
    do(trams, "no-build", "stay", "set-down")
    assert trams.ending == Ending.FRENADOR
    assert trams.waiting() == []
    result = trams.result()
    assert result is not None
    assert result.winners == [0]
    assert [outcome.score for outcome in result.outcomes] == [12, 0]
    assert refused(trams, "roll", 1).key == "refused.over"


def test_ta_1_1_eleven_are_not_enough() -> None:
    trams = scene(at=["D14", "D1"])
    trams.points[0] = 9
    seat_in(trams, 0, "vecion", "lem")
    do(trams, "no-build", "stay", "set-down")
    assert trams.points == [11, 0]
    assert trams.ending == Ending.NONE
    assert trams.current == 1


@pytest.mark.parametrize("players", [1, 5])
def test_ta_1_1_two_to_four_play(players: int) -> None:
    with pytest.raises(Refused, match="2 to 4"):
        GAME.new(players, GAME.options(), bytes(32))


def test_ta_1_2_the_parts_are_all_there() -> None:
    trams = match_of(4)
    assert len(SQUARE_NAMES) == 98
    assert SQUARE_NAMES[0] == "A1"
    assert SQUARE_NAMES[sq("D8")] == "D8"
    assert sq("D8") == 7 * 7 + 3
    conserved(trams)
    assert sum(trams.board.tile_counts) == 42
    assert len(trams.deck) == 36


def test_ta_2_1_four_passengers_wait_at_each_of_six_stops() -> None:
    trams = scene(waiting=["vecion", "lole", "lem", "nagana", "squinzia", "panzon"])
    assert [len(pile) for pile in trams.waiting_at] == [4] * 6
    assert tops(trams) == ["vecion", "lole", "lem", "nagana", "squinzia", "panzon"]
    assert sorted(kind for pile in trams.waiting_at for kind in pile) == sorted(
        [*range(12), *range(12)]
    )


def test_ta_2_2_everybody_takes_three_tiles_and_shows_them() -> None:
    drawn = ["curve", "tee", "slip", "straight", "straight", "crossing", "curve"]
    trams = scene(3, tiles=drawn)
    hands = [tram.hand for tram in view(trams).trams]
    assert hands[:2] == [drawn[:3], drawn[3:6]]
    assert hands[2][0] == "curve"
    assert len(hands[2]) == 3
    assert len(trams.face_down) == 42 - 9


def test_ta_2_2_misfortunes_are_shuffled() -> None:
    cards = scene(cards=["bora", "spritz"]).deck
    assert [MISFORTUNE_NAMES[card] for card in cards[-2:]] == ["spritz", "bora"]
    decks = {tuple(match_of(2, seed=bytes([n] * 32)).deck) for n in range(5)}
    assert len(decks) == 5


@pytest.mark.parametrize(
    ("players", "first", "at"),
    [
        (2, 0, ["D1", "D14"]),
        (2, 1, ["D14", "D1"]),
        (3, 2, ["D1", "D1", "D1"]),
        (4, 0, ["D1", "D14", "D1", "D14"]),
        (4, 1, ["D14", "D1", "D14", "D1"]),
    ],
)
def test_ta_2_3_where_the_trams_start(players: int, first: int, at: list[str]) -> None:
    trams = scene(players, first=first)
    assert [square_of(trams, seat) for seat in range(players)] == at
    assert trams.current == first
    assert trams.to == [1 if square == "D1" else 0 for square in at]


def test_ta_2_3_then_clockwise() -> None:
    trams = scene(3, first=1)
    order = []
    for _ in range(4):
        order.append(trams.current)
        do(trams, "no-build", "stay")
    assert order == [1, 2, 0, 1]
    assert trams.round == 2


def test_ta_2_3_the_host_names_who_begins_or_chance_does() -> None:
    assert match_of(4, first=3).current == 2
    dealt = Match(GAME, NAMES, deal={"first": [3]})
    assert dealt.state.waiting() == [3]
    begins = {GAME.new(4, GAME.options(), bytes([n] * 32)).waiting()[0] for n in range(30)}
    assert begins == {0, 1, 2, 3}
    with pytest.raises(Refused) as caught:
        GAME.check(2, TramOptions(first=3))
    assert caught.value.rule == "TA-2.3"


def test_ta_1_1_service_ends_after_so_many_rounds_and_the_most_points_win() -> None:
    trams = scene(3, rounds=2)
    trams.points[:] = [4, 7, 7]
    for _ in range(6):
        assert trams.ending == Ending.NONE
        do(trams, "no-build", "stay")
    assert trams.ending == Ending.END_OF_SERVICE
    assert trams.phase == Phase.OVER
    assert legal(trams) == []
    result = trams.result()
    assert result is not None
    assert result.ending == "end-of-service"
    assert result.winners == [1, 2]
    reason = result.outcomes[1].reasons[0]
    assert (reason.key, reason.args, reason.rule) == ("reason.most", {"points": 7}, "TA-1.1")
    assert trams.round == 2
    assert refused(trams, "roll").rule == "TA-1.1"


def test_who_is_not_on_turn_waits() -> None:
    trams = scene(2)
    assert trams.waiting() == [0]
    assert trams.legal(1) == []
    problem = refused(trams, "no-build", 1)
    assert problem.key == "refused.not-your-turn"
    assert problem.args_ == {"current": 0}


def test_result_says_why() -> None:
    trams = scene(at=["D14", "D1"], goal=8)
    trams.points[0] = 7
    seat_in(trams, 0, "vecion")
    do(trams, "no-build", "stay", "set-down")
    result = trams.result()
    assert result is not None
    assert [(r.key, r.held, r.args) for r in result.outcomes[0].reasons] == [
        ("reason.carried", True, {"points": 8, "goal": 8}),
        ("reason.trips", True, {"count": 1}),
    ]
    assert [(r.key, r.held, r.args) for r in result.outcomes[1].reasons] == [
        ("reason.carried", False, {"points": 0, "goal": 8}),
        ("reason.trips", False, {"count": 0}),
    ]


def test_helpers_keep_to_the_box() -> None:
    trams = scene(2, at=["C5", "D1"], rails={"C5": "straight"})
    seat_in(trams, 0, "lole")
    give(trams, 0, damage=1)
    put(trams, "C6", "straight")
    assert aboard(trams, 0) == ["lole"]
    conserved(trams)
