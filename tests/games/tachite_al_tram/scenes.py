"""Tables of Tachite al Tram on a meadow with known dice, cards and passengers, for tests.

The meadow is almost all grass, so that tests say themselves where rails lie:

          A B C D E F G
      14  . . . T . . .      T  termini: D1 (rails end N), D14 (rails end S)
      13  . S . . . . .      S  stops: A2 (NE), F1 (EW), G7 (NS), A10 (NS), F12 (EW), B13 (EW)
      12  . . . . . S .      O  the workshop: D8 (NS EW)
      11  . . . R R . .      R  the roundabout, with arms N of D11, W of D10, S of E10, E of E11
      10  S . . R R . .      =  A3 (NS NE) and A7 (NS ES), with the funicular F between
       9  . . . . . . .      r  a rock: D4
       8  . . . O . . .
       7  = . . . . . S
       6  F . . . . . .
       5  F . . . . . .
       4  F . . r . . .
       3  = . . . . . .
       2  S . . . . . .
       1  . . . T . S .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from capolinea.engine import Chance, Event, Refused
from capolinea.engine.chance import deal_seed
from capolinea.games.tachite_al_tram import chart
from capolinea.games.tachite_al_tram.rules import fit
from capolinea.games.tachite_al_tram.rules.board import (
    MISFORTUNE_NAMES,
    PASSENGER_NAMES,
    SHAPES,
    SQUARE_NAMES,
    Board,
)
from capolinea.games.tachite_al_tram.rules.setup import of_counts, set_up
from capolinea.games.tachite_al_tram.rules.steps import FUTIZ_NAMES
from capolinea.games.tachite_al_tram.rules.tiles import TILE_NAMES, Tiles
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.title import GAME
from capolinea.games.tachite_al_tram.views import TramView

NAMES = ["Ada", "Bruno", "Carla", "Dora"]


def _place(square: str) -> dict[str, Any]:
    return {"square": square, "name": {"it": square}}


#: Three kinds a colour: mar vecion, lem, nagana; sol panzon, spuzolente, ciacoleta; bosco mocoloso,
#: squinzia, marantiga; terran lole, cotoler, petesson. La Marantiga is bad luck for any number of
#: players, El Petesson for two, El Lem for three, El Spuzolente for four.
KINDS = {
    "vecion": ("mar", []),
    "lole": ("terran", []),
    "lem": ("mar", [3]),
    "nagana": ("mar", []),
    "mocoloso": ("bosco", []),
    "squinzia": ("bosco", []),
    "panzon": ("sol", []),
    "cotoler": ("terran", []),
    "marantiga": ("bosco", [2, 3, 4]),
    "spuzolente": ("sol", [4]),
    "ciacoleta": ("sol", []),
    "petesson": ("terran", [2]),
}

MEADOW: dict[str, Any] = {
    "name": {"it": "Prato"},
    "squares": [
        "...T...",
        ".S.....",
        ".....S.",
        "...RR..",
        "S..RR..",
        ".......",
        "...O...",
        "=.....S",
        "F......",
        "F......",
        "F..r...",
        "=......",
        "S......",
        "...T.S.",
    ],
    "rails": {
        "D14": "S",
        "B13": "EW",
        "F12": "EW",
        "D11": "E>S N>S E>N",
        "E11": "S>W E>W S>E",
        "D10": "N>E W>E N>W",
        "E10": "W>N S>N W>S",
        "A10": "NS",
        "D8": "NS EW",
        "A7": "NS ES",
        "G7": "NS",
        "A3": "NS NE",
        "A2": "NE",
        "D1": "N",
        "F1": "EW",
    },
    "stops": [_place(square) for square in ("A2", "F1", "G7", "A10", "F12", "B13")],
    "central": ["G7", "A10", "F12"],
    "termini": {"oberdan": _place("D1"), "opicina": _place("D14")},
    "workshop": _place("D8"),
    "funicular": {"squares": ["A4", "A5", "A6"], "name": {"it": "funicolare"}},
    "roundabout": {"squares": ["D11", "D10", "E10", "E11"], "name": {"it": "rotonda"}},
    "names": {},
    "tiles": {
        "straight": 8,
        "curve": 10,
        "switch-left": 4,
        "switch-right": 4,
        "tee": 5,
        "crossing": 5,
        "double-curve": 3,
        "slip": 3,
    },
    "passengers": {
        name: {"colour": colour, "unlucky": unlucky, "count": 2}
        for name, (colour, unlucky) in KINDS.items()
    },
    "misfortunes": dict(GAME.data()["board"]["trieste-opicina"]["misfortunes"]),
}


def meadow() -> Board:
    return chart.load("meadow", MEADOW).survey()


def indices(names: Sequence[str], counts: list[int], wanted: Sequence[str]) -> list[int]:
    """The beginning of an order of pieces that gives these ones first."""
    pieces = of_counts(counts)
    left = list(range(len(pieces)))
    found = []
    for name in wanted:
        place = next(place for place in left if names[pieces[place]] == name)
        left.remove(place)
        found.append(place)
    return found


def scene(
    players: int = 2,
    *,
    die: Sequence[int] = (),
    cards: Sequence[str] = (),
    tiles: Sequence[str] = (),
    waiting: Sequence[str] = (),
    own: Sequence[str] = (),
    at: Sequence[str] = (),
    rails: Mapping[str, str] | None = None,
    rounds: int = 60,
    goal: int = 12,
    first: int = 0,
    more: Mapping[str, list[Any]] | None = None,
) -> Trams:
    """A match in which Ada is to build. `die`, `cards` and `tiles` are what comes next, `waiting` who
    is on top of the first stops, `at` where trams stand and `rails` tiles that lie already."""
    trams = Trams()
    trams.board = meadow()
    trams.own_tiles = list(own)
    trams.tiles = Tiles().make([*SHAPES.values(), *own])
    trams.tile_counts = [*trams.board.tile_counts, *[1 for _ in own]]
    trams.goal, trams.rounds = goal, rounds
    piles: list[str] = []
    rest = [name for name in PASSENGER_NAMES for _ in range(2)]
    for name in waiting:
        rest.remove(name)
    for stop in range(6):
        for place in range(4):
            top = place == 0 and stop < len(waiting)
            piles.append(waiting[stop] if top else rest.pop(0))
    deal: dict[str, list[Any]] = {
        "first": [first],
        "die": [pips - 1 for pips in die],
        "misfortunes 36": [indices(MISFORTUNE_NAMES, trams.board.misfortune_counts, cards)],
        f"tiles {sum(trams.tile_counts)}": [indices(TILE_NAMES, trams.tile_counts, tiles)],
        "passengers 24": [indices(PASSENGER_NAMES, trams.board.passenger_counts, piles)],
        **(more or {}),
    }
    set_up(trams, players, Chance(deal_seed(deal), deal), first)
    for square, tile in (rails or {}).items():
        put(trams, square, tile)
    for seat, square in enumerate(at):
        trams.at[seat] = sq(square)
    trams.choices = []
    return trams


def sq(name: str) -> int:
    return SQUARE_NAMES.index(name)


def put(trams: Trams, square: str, tile: str) -> None:
    """Lay a tile from the pile, "curve 2" turned by two quarters."""
    name, _, quarters = tile.partition(" ")
    kind = TILE_NAMES.index(name)
    if kind not in trams.face_down:
        owner = next(seat for seat, hand in enumerate(trams.hands) if kind in hand)
        trams.hands[owner] = [*trams.hands[owner], trams.face_down.pop()]
        trams.hands[owner].remove(kind)
        trams.face_down.append(kind)
    trams.face_down.remove(kind)
    fit.put_down(trams, sq(square), 4 * kind + int(quarters or 0))


def do(trams: Trams, *steps: str | dict[str, Any]) -> list[Event]:
    """Steps of whoever is to play: "roll", or {"do": "go", "side": "north"}, or "go north" in short."""
    told: list[Event] = []
    for step in steps:
        told += trams.apply(trams.current, action(step))
    return told


def action(step: str | dict[str, Any]) -> int:
    if isinstance(step, dict):
        return GAME.space.parse(step)
    verb, _, rest = step.partition(" ")
    arguments = GAME.space.families[verb].arguments
    for name, values in arguments.items():
        value = int(rest) if isinstance(values[0], int) else rest
        return GAME.space.number(verb, **{name: value})
    return GAME.space.number(verb)


def legal(trams: Trams) -> list[str]:
    """What may be done, in short."""
    found = []
    for number in trams.legal(trams.current):
        written = GAME.space.json(number)
        found.append(" ".join(str(part) for part in written.values()))
    return found


def refused(trams: Trams, step: str, seat: int | None = None) -> Refused:
    """The refusal of a step; it leaves everything as it was."""
    before = trams.key()
    with pytest.raises(Refused) as caught:
        trams.apply(trams.current if seat is None else seat, action(step))
    assert trams.key() == before
    return caught.value


def hand(trams: Trams, seat: int, *tiles: str) -> None:
    """Give a player these tiles instead of their own."""
    trams.face_down = sorted(trams.face_down + trams.hands[seat])
    for tile in tiles:
        trams.face_down.remove(TILE_NAMES.index(tile))
    trams.hands[seat] = [TILE_NAMES.index(tile) for tile in tiles]
    trams.choices = []


def seat_in(trams: Trams, seat: int, *passengers: str) -> None:
    """These are aboard: taken from below the tops of the stops."""
    for name in passengers:
        kind = PASSENGER_NAMES.index(name)
        for stop, pile in enumerate(trams.waiting_at):
            if kind in pile[:-1] or (kind in pile and len(pile) == 1):
                rest = list(pile)
                rest.remove(kind)
                trams.waiting_at[stop] = rest
                break
        else:
            raise AssertionError(f"{name} is on top everywhere")
        trams.aboard[seat] = [*trams.aboard[seat], kind]
    trams.choices = []


def aboard(trams: Trams, seat: int) -> list[str]:
    return [PASSENGER_NAMES[kind] for kind in trams.aboard[seat]]


def tops(trams: Trams) -> list[str]:
    return [PASSENGER_NAMES[pile[-1]] if pile else "" for pile in trams.waiting_at]


def give(trams: Trams, seat: int, *, futiz: str = "", damage: int = 0, to: str = "") -> None:
    if futiz:
        trams.futiz[seat] = FUTIZ_NAMES.index(futiz)
    if damage:
        trams.damage[seat] = damage
    if to:
        trams.to[seat] = ("oberdan", "opicina").index(to)
    trams.choices = []


def keep(trams: Trams, seat: int, card: str) -> None:
    """This player has kept that card, from the deck."""
    kind = MISFORTUNE_NAMES.index(card)
    trams.deck.remove(kind)
    trams.kept[seat] = [*trams.kept[seat], kind]
    trams.choices = []


def square_of(trams: Trams, seat: int) -> str:
    return SQUARE_NAMES[trams.at[seat]]


def keys(events: Sequence[Event]) -> list[str]:
    return [event.key for event in events]


def conserved(trams: Trams) -> None:
    """Nothing is lost, nothing forbidden: 42 tiles and own ones, 24 passengers, 36 misfortunes, every
    tram on a rail that is not the funicular, no rail blind."""
    tiles = len(trams.face_down) + sum(map(len, trams.hands)) + sum(n >= 0 for n in trams.laid)
    assert tiles == 42 + len(trams.own_tiles)
    passengers = sum(trams.out) + sum(map(len, trams.aboard)) + sum(map(len, trams.waiting_at))
    assert passengers == 24
    assert len(trams.deck) + len(trams.used) + sum(map(len, trams.kept)) == 36
    board = trams.board
    for square in trams.at:
        assert trams.ends[square]
    for square in range(98):
        for side in range(4):
            near = board.near[4 * square + side]
            ends = trams.ends[square] >> side & 1
            if near < 0:
                assert not ends
                continue
            free = board.kind[near] == 0 and trams.laid[near] < 0
            back = trams.ends[near] >> (side ^ 2) & 1
            mouth = board.mouths[square] >> side & 1
            assert not ends or free or back or mouth
            assert (trams.joined[square] >> side & 1) == (ends and (back or mouth))


def view(trams: Trams, seat: int | None = None) -> TramView:
    found = trams.view(seat)
    assert isinstance(found, TramView)
    return found
