"""Tachite al Tram: a whole state that whoever sees a view could be in.

Only orders are hidden: of the face-down tiles, of the misfortunes, and of the passengers that are
not on top of a stop.
"""

from __future__ import annotations

import msgspec

from capolinea.engine import Chance, Rng
from capolinea.games.tachite_al_tram.rules import drive, fit
from capolinea.games.tachite_al_tram.rules.board import (
    COLOUR_NAMES,
    MISFORTUNE_NAMES,
    PASSENGER_NAMES,
    SHAPES,
    SQUARE_NAMES,
    SQUARES,
    Board,
    neighbour,
)
from capolinea.games.tachite_al_tram.rules.setup import clear_board
from capolinea.games.tachite_al_tram.rules.steps import (
    ENDING_NAMES,
    FUTIZ_NAMES,
    PHASE_NAMES,
    TERMINUS_NAMES,
    Phase,
)
from capolinea.games.tachite_al_tram.rules.tiles import TILE_NAMES, Tiles
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.views import Setup, TramView

_SQUARE = {name: number for number, name in enumerate(SQUARE_NAMES)}
_TILE = {name: number for number, name in enumerate(TILE_NAMES)}
_PASSENGER = {name: number for number, name in enumerate(PASSENGER_NAMES)}
_CARD = {name: number for number, name in enumerate(MISFORTUNE_NAMES)}

#: Tables by what their view says; a bot asks for the same one over and over.
_TABLES: dict[bytes, Trams] = {}
_MOST_TABLES = 16


def imagine(view: TramView, rng: Rng) -> Trams:
    trams = _table(view.table).copy()
    trams.seats = len(view.trams)
    trams.chance = Chance(rng.bytes(32))
    _public(trams, view)
    _trams(trams, view)
    _build(trams, view)
    _hidden(trams, view, rng)
    if trams.phase == Phase.GO:
        drive.start(trams)
    return trams


def _table(table: Setup) -> Trams:
    key = msgspec.json.encode(table)
    if key not in _TABLES:
        if len(_TABLES) == _MOST_TABLES:
            _TABLES.clear()
        _TABLES[key] = _new_table(table)
    return _TABLES[key]


def _new_table(table: Setup) -> Trams:
    trams = Trams()
    trams.board = board_of(table)
    trams.own_tiles = list(table.own_tiles)
    trams.tiles = Tiles().make([*SHAPES.values(), *table.own_tiles])
    trams.tile_counts = list(table.tiles.values())
    trams.goal, trams.rounds = table.points_to_win, table.rounds
    clear_board(trams)
    return trams


def board_of(table: Setup) -> Board:
    board = Board()
    board.name = table.board
    board.kind = _numbers(table.kinds)
    board.printed = _numbers(table.printed)
    board.outs = _numbers(table.outs)
    board.leads = _numbers(table.leads)
    for place in range(SQUARES * 4):
        near = neighbour(place >> 2, place & 3)
        board.beyond[place] = near * 4 + (place & 3 ^ 2) if near >= 0 else -1
    for place, there in table.jumps:
        board.beyond[place] = there
    board.stops = [_SQUARE[name] for name in table.stops]
    board.central = list(table.central)
    board.oberdan, board.opicina = _SQUARE[table.oberdan], _SQUARE[table.opicina]
    board.workshop = _SQUARE[table.workshop]
    board.tile_counts = [table.tiles[shape] for shape in SHAPES]
    kinds = [table.passengers[name] for name in PASSENGER_NAMES]
    board.colour = [COLOUR_NAMES.index(kind.colour) for kind in kinds]
    board.unlucky = [sum(1 << number for number in kind.unlucky) for kind in kinds]
    board.passenger_counts = [kind.count for kind in kinds]
    board.misfortune_counts = [table.misfortunes[name] for name in MISFORTUNE_NAMES]
    return board.survey()


def _numbers(digits: str) -> list[int]:
    return [int(digit, 16) for digit in digits]


def _public(trams: Trams, view: TramView) -> None:
    trams.phase = PHASE_NAMES.index(view.phase)
    trams.current, trams.first = view.current, view.first
    trams.turn, trams.round = view.turn, view.round
    trams.die, trams.steps = view.die, view.steps
    trams.stuck = view.stuck
    trams.ending = ENDING_NAMES.index(view.ending) if view.ending else -1
    trams.used = [_CARD[name] for name in view.misfortunes_used]
    if view.misfortune is not None:
        trams.misfortune = _CARD[view.misfortune.id]
        trams.misfortune_seat = view.misfortune.seat
    if view.funicular_closed is not None:
        trams.closed_by = view.funicular_closed
    trams.out = [view.passengers_out.get(name, 0) for name in PASSENGER_NAMES]


def _trams(trams: Trams, view: TramView) -> None:
    for seat, tram in enumerate(view.trams):
        trams.at.append(_SQUARE[tram.square])
        trams.to.append(TERMINUS_NAMES.index(tram.to))
        trams.damage.append(tram.damage)
        trams.futiz.append(FUTIZ_NAMES.index(tram.futiz) if tram.futiz is not None else -1)
        trams.points.append(tram.points)
        trams.halted = [*trams.halted, int(tram.halted)]
        trams.last_stop.append(-1 if tram.last_stop is None else tram.last_stop)
        trams.aboard.append([_PASSENGER[name] for name in tram.aboard])
        trams.hands.append([_TILE[name] for name in tram.hand])
        trams.kept.append([_CARD[name] for name in tram.kept])
        trams.trips.append([n for trip in tram.trips for n in (trip.turn, trip.points)])
        if tram.fresh:
            trams.drew = _TILE[tram.fresh[0]]
        if seat == view.current and view.boarded:
            trams.boarded_at = trams.last_stop[seat]


def _build(trams: Trams, view: TramView) -> None:
    for tile in view.tiles:
        square = _SQUARE[tile.square]
        fit.put_down(trams, square, 4 * _TILE[tile.tile] + tile.turn)
        trams.when[square] = tile.laid
    if view.last_laid is not None:
        square = _SQUARE[view.last_laid.square]
        if view.last_laid.seat == view.current:
            trams.laid_now = square
        else:
            trams.protected = square


def _hidden(trams: Trams, view: TramView, rng: Rng) -> None:
    tiles = list(trams.tile_counts)
    for lying in trams.laid:
        if lying >= 0:
            tiles[lying >> 2] -= 1
    for hand in trams.hands:
        for tile in hand:
            tiles[tile] -= 1
    trams.face_down = _shuffled(tiles, rng)

    cards = list(trams.board.misfortune_counts)
    for pile in (trams.used, *trams.kept):
        for card in pile:
            cards[card] -= 1
    trams.deck = _shuffled(cards, rng)

    left = [n - out for n, out in zip(trams.board.passenger_counts, trams.out, strict=True)]
    for aboard in trams.aboard:
        for kind in aboard:
            left[kind] -= 1
    for stop in view.stops:
        if stop.top is not None:
            left[_PASSENGER[stop.top]] -= 1
    below = _shuffled(left, rng)
    for stop in view.stops:
        waiting: list[int] = []
        if stop.top is not None:
            waiting = [below.pop() for _ in range(stop.count - 1)] + [_PASSENGER[stop.top]]
        trams.waiting_at.append(waiting)


def _shuffled(counts: list[int], rng: Rng) -> list[int]:
    things = [kind for kind, count in enumerate(counts) for _ in range(count)]
    rng.shuffle(things)
    return things
