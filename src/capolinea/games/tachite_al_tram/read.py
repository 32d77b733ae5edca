"""Tachite al Tram: the table read aloud, every fact of the view as a line."""

from __future__ import annotations

from capolinea.engine import Line
from capolinea.games.tachite_al_tram.rules.board import COLUMNS, ROWS, SHAPES, SQUARE_NAMES
from capolinea.games.tachite_al_tram.rules.tiles import SIDE_LETTERS, rails_of, turned
from capolinea.games.tachite_al_tram.views import Tram, TramView


def read(view: TramView) -> list[Line]:
    table = view.table
    lines = [
        Line("read.round", {"round": view.round, "rounds": table.rounds, "turn": view.turn}),
        Line("read.goal", {"points": table.points_to_win}),
    ]
    if view.ending:
        lines.append(Line("read.over"))
    else:
        lines.append(Line("read.turn", {"seat": view.current, "phase": view.phase}))
    if view.steps:
        lines.append(Line("read.steps", {"die": view.die, "steps": view.steps}))
    if view.stuck:
        lines.append(Line("read.stuck", {"seat": view.current}))
    for seat, tram in enumerate(view.trams):
        lines += _tram(view, seat, tram)
    lines += _stops(view)
    lines += _tiles(view)
    lines += _rails(view)
    lines += _misfortunes(view)
    return lines


def _tram(view: TramView, seat: int, tram: Tram) -> list[Line]:
    where = {"seat": seat, "at": tram.square, "to": tram.to, "points": tram.points}
    lines = [Line("read.tram", where), Line("read.damage", {"seat": seat, "count": tram.damage})]
    if tram.aboard:
        lines.append(Line("read.aboard", {"seat": seat, "passengers": tram.aboard}))
        benches = [tram.seats[n : n + 2] for n in range(0, len(tram.seats), 2)]
        for number, bench in enumerate(benches):
            on_it = [kind for kind in bench if kind is not None]
            lines.append(
                Line("read.bench", {"seat": seat, "bench": number + 1, "passengers": on_it})
            )
    else:
        lines.append(Line("read.empty", {"seat": seat}))
    lines.append(Line("read.hand", {"seat": seat, "tiles": tram.hand}))
    if tram.fresh:
        lines.append(Line("read.fresh", {"seat": seat, "tiles": tram.fresh}))
    if tram.futiz is not None:
        lines.append(Line("read.futiz", {"seat": seat, "futiz": tram.futiz}))
    if tram.kept:
        lines.append(Line("read.kept", {"seat": seat, "cards": tram.kept}))
    if tram.last_stop is not None:
        square = view.table.stops[tram.last_stop]
        lines.append(Line("read.last-stop", {"seat": seat, "at": square}))
    if tram.halted:
        lines.append(Line("read.halted", {"seat": seat}))
    for trip in tram.trips:
        lines.append(Line("read.trip", {"seat": seat, "turn": trip.turn, "points": trip.points}))
    return lines


def _stops(view: TramView) -> list[Line]:
    lines = []
    for stop in view.stops:
        if stop.top is None:
            lines.append(Line("read.stop.empty", {"at": stop.square}))
        else:
            args = {"at": stop.square, "passenger": stop.top, "count": stop.count}
            lines.append(Line("read.stop", args))
    out = [kind for kind, count in view.passengers_out.items() for _ in range(count)]
    if out:
        lines.append(Line("read.out", {"passengers": out}))
    return lines


def _tiles(view: TramView) -> list[Line]:
    lines = [Line("read.face-down", {"count": view.face_down})]
    for number, rails in enumerate(view.table.own_tiles):
        lines.append(Line("read.own-tile", {"tile": f"own-{number + 1}", "rails": rails}))
    for tile in view.tiles:
        args = {"square": tile.square, "tile": tile.tile, "turn": tile.turn}
        lines.append(Line("read.tile", args))
    if view.last_laid is not None:
        laid = {"seat": view.last_laid.seat, "square": view.last_laid.square}
        lines.append(Line("read.last-laid", laid))
    return lines


def _rails(view: TramView) -> list[Line]:
    """Where rails lie, row by row, printed and placed: the sides that each one joins."""
    own = {f"own-{number + 1}": rails for number, rails in enumerate(view.table.own_tiles)}
    found = {
        square: _printed(view.table.leads[4 * n : 4 * n + 4], view.table.outs[n])
        for n, square in enumerate(SQUARE_NAMES)
        if view.table.outs[n] != "0"
    }
    for tile in view.tiles:
        rails = rails_of({**SHAPES, **own}[tile.tile])
        found[tile.square] = [_letters(turned(rail, tile.turn)) for rail in rails]
    lines = []
    for row in range(ROWS, 0, -1):
        here = SQUARE_NAMES[COLUMNS * (row - 1) : COLUMNS * row]
        squares = [f"{square} {'-'.join(found[square])}" for square in here if square in found]
        if squares:
            lines.append(Line("read.rails", {"row": row, "squares": squares}))
    return lines


def _printed(leads: str, outs: str) -> list[str]:
    """Rails as the board's file writes them: "NS", one-way "E>S", and "S" where one ends."""
    onward = [int(digit, 16) for digit in leads]
    rails = []
    for side in range(4):
        for other in range(4):
            there, back = onward[side] >> other & 1, onward[other] >> side & 1
            if there and back and side < other:
                rails.append(SIDE_LETTERS[side] + SIDE_LETTERS[other])
            elif there and not back:
                rails.append(f"{SIDE_LETTERS[side]}>{SIDE_LETTERS[other]}")
    return rails or list(_letters(int(outs, 16)))


def _letters(mask: int) -> str:
    return "".join(letter for side, letter in enumerate(SIDE_LETTERS) if mask >> side & 1)


def _misfortunes(view: TramView) -> list[Line]:
    lines = [Line("read.misfortunes", {"count": view.misfortunes_left})]
    if view.misfortunes_used:
        lines.append(Line("read.used", {"cards": view.misfortunes_used}))
    if view.misfortune is not None:
        card = {"seat": view.misfortune.seat, "card": view.misfortune.id}
        lines.append(Line("read.misfortune", card))
    if view.funicular_closed is not None:
        lines.append(Line("read.closed", {"seat": view.funicular_closed}))
    return lines
