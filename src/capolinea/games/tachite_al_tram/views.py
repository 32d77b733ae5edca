"""Tachite al Tram: what everybody may know, and nothing else. Built field by field, from nothing.

Nobody has secrets here: hidden are only the order of the face-down tiles and of the misfortunes, and
the passengers below the top one of each stop. All views are alike but for their `viewer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from capolinea.engine import Shown, View
from capolinea.games.tachite_al_tram.rules.board import (
    COLOUR_NAMES,
    MISFORTUNE_NAMES,
    PASSENGER_NAMES,
    SQUARE_NAMES,
    SQUARES,
)
from capolinea.games.tachite_al_tram.rules.seats import seating
from capolinea.games.tachite_al_tram.rules.steps import (
    ENDING_NAMES,
    FUTIZ_NAMES,
    PHASE_NAMES,
    TERMINUS_NAMES,
)
from capolinea.games.tachite_al_tram.rules.tiles import TILE_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capolinea.games.tachite_al_tram.rules.trams import Trams

#: So many are kept with each board: there are more options than anybody plays at a time.
MOST_TABLES = 16


class Kind(Shown):
    """A kind of passenger (TA-8.3); `unlucky` are numbers of players."""

    colour: str
    unlucky: list[int]
    count: int


class Setup(Shown):
    """What the match was set up with: the board as rules need it (rules/board.py) and the pieces.

    What stands at 98 squares is written as a string, a digit for each; sides are hexadecimal masks."""

    board: str
    kinds: str
    printed: str
    outs: str
    leads: str
    #: Where the funicular jumps: square*4 + side left by, square*4 + side entered by.
    jumps: list[list[int]]
    stops: list[str]
    central: list[int]
    oberdan: str
    opicina: str
    workshop: str
    tiles: dict[str, int]
    own_tiles: list[str]
    passengers: dict[str, Kind]
    misfortunes: dict[str, int]
    points_to_win: int
    rounds: int


class Tile(Shown):
    """A placed tile, its quarter turns clockwise and the turn of the game in which it was laid."""

    square: str
    tile: str
    turn: int
    laid: int


class Laid(Shown):
    """What was built last, this turn or by the player just before: protected (TA-3.2)."""

    seat: int
    square: str


class Stop(Shown):
    """A stop with how many wait, and who is on top."""

    stop: int
    square: str
    top: str | None
    count: int


class Drawn(Shown):
    """A misfortune and who drew it."""

    id: str
    seat: int


class Trip(Shown):
    turn: int
    points: int


class Tram(Shown):
    """A tram and its driver's board."""

    square: str
    #: Heading for "oberdan" or "opicina".
    to: str
    damage: int
    futiz: str | None
    points: int
    #: In the order of boarding; and as the rules seat them, bench by bench.
    aboard: list[str]
    seats: list[str | None]
    #: In the order of drawing; and which of them came by this turn's building.
    hand: list[str]
    fresh: list[str]
    #: Where somebody last boarded, as the number of a stop (TA-5.1).
    last_stop: int | None
    kept: list[str]
    #: May not roll on the next turn.
    halted: bool
    trips: list[Trip]


class TramView(View):
    table: Setup
    phase: str
    current: int
    first: int
    turn: int
    round: int
    #: The roll and the squares to go, 0 before it.
    die: int
    steps: int
    #: This turn: no roll because of a strike; somebody has boarded.
    stuck: bool
    boarded: bool
    tiles: list[Tile]
    last_laid: Laid | None
    face_down: int
    stops: list[Stop]
    #: Set down, lost or put off: they come back when nobody waits anywhere (TA-6.2).
    passengers_out: dict[str, int]
    misfortunes_left: int
    misfortunes_used: list[str]
    misfortune: Drawn | None
    #: Who closed the funicular, until their next turn.
    funicular_closed: int | None
    trams: list[Tram]
    #: When it is over.
    ending: str


def views_of(trams: Trams, viewers: Sequence[int | None]) -> list[View]:
    """Nothing is hidden: all see the same."""
    public = view_of(trams, None)
    return [msgspec.structs.replace(public, viewer=viewer) for viewer in viewers]


def view_of(trams: Trams, seat: int | None) -> TramView:
    return TramView(
        viewer=seat,
        table=_setup_of(trams),
        phase=PHASE_NAMES[trams.phase],
        current=trams.current,
        first=trams.first,
        turn=trams.turn,
        round=trams.round,
        die=trams.die,
        steps=trams.steps,
        stuck=trams.stuck,
        boarded=trams.boarded_at >= 0,
        tiles=[
            Tile(SQUARE_NAMES[s], TILE_NAMES[lying >> 2], lying & 3, trams.when[s])
            for s, lying in enumerate(trams.laid)
            if lying >= 0
        ],
        last_laid=_last_laid(trams),
        face_down=len(trams.face_down),
        stops=[
            Stop(
                stop=number,
                square=SQUARE_NAMES[square],
                top=PASSENGER_NAMES[waiting[-1]] if waiting else None,
                count=len(waiting),
            )
            for number, (square, waiting) in enumerate(
                zip(trams.board.stops, trams.waiting_at, strict=True)
            )
        ],
        passengers_out={PASSENGER_NAMES[k]: count for k, count in enumerate(trams.out) if count},
        misfortunes_left=len(trams.deck),
        misfortunes_used=[MISFORTUNE_NAMES[card] for card in trams.used],
        misfortune=(
            Drawn(MISFORTUNE_NAMES[trams.misfortune], trams.misfortune_seat)
            if trams.misfortune >= 0
            else None
        ),
        funicular_closed=trams.closed_by if trams.closed_by >= 0 else None,
        trams=[_tram_of(trams, s) for s in range(trams.seats)],
        ending=ENDING_NAMES[trams.ending] if trams.ending >= 0 else "",
    )


def _tram_of(trams: Trams, seat: int) -> Tram:
    aboard, futiz, trips = trams.aboard[seat], trams.futiz[seat], trams.trips[seat]
    stop = trams.last_stop[seat]
    fresh = seat == trams.current and trams.drew >= 0
    return Tram(
        square=SQUARE_NAMES[trams.at[seat]],
        to=TERMINUS_NAMES[trams.to[seat]],
        damage=trams.damage[seat],
        futiz=FUTIZ_NAMES[futiz] if futiz >= 0 else None,
        points=trams.points[seat],
        aboard=[PASSENGER_NAMES[kind] for kind in aboard],
        seats=[
            PASSENGER_NAMES[kind] if kind >= 0 else None
            for kind in seating(trams.board.colour, aboard, futiz)
        ],
        hand=[TILE_NAMES[tile] for tile in trams.hands[seat]],
        fresh=[TILE_NAMES[trams.drew]] if fresh else [],
        last_stop=stop if stop >= 0 else None,
        kept=[MISFORTUNE_NAMES[card] for card in trams.kept[seat]],
        halted=bool(trams.halted[seat]),
        trips=[Trip(trips[n], trips[n + 1]) for n in range(0, len(trips), 2)],
    )


def _last_laid(trams: Trams) -> Laid | None:
    if trams.laid_now >= 0:
        return Laid(trams.current, SQUARE_NAMES[trams.laid_now])
    if trams.protected >= 0:
        return Laid((trams.current - 1) % trams.seats, SQUARE_NAMES[trams.protected])
    return None


def _setup_of(trams: Trams) -> Setup:
    """It never changes, so it is made once and kept with the board."""
    key = (*trams.own_tiles, trams.goal, trams.rounds)
    tables = trams.board.shown
    if key not in tables:
        if len(tables) == MOST_TABLES:
            tables.clear()
        tables[key] = _new_setup(trams)
    table = tables[key]
    assert isinstance(table, Setup)
    return table


def _new_setup(trams: Trams) -> Setup:
    board = trams.board
    return Setup(
        board=board.name,
        kinds=_digits(board.kind),
        printed=_digits(board.printed),
        outs=_digits(board.outs),
        leads=_digits(board.leads),
        jumps=[
            [place, board.beyond[place]]
            for place in range(SQUARES * 4)
            if board.mouths[place >> 2] >> (place & 3) & 1
        ],
        stops=[SQUARE_NAMES[square] for square in board.stops],
        central=list(board.central),
        oberdan=SQUARE_NAMES[board.oberdan],
        opicina=SQUARE_NAMES[board.opicina],
        workshop=SQUARE_NAMES[board.workshop],
        tiles={TILE_NAMES[t]: count for t, count in enumerate(trams.tile_counts)},
        own_tiles=list(trams.own_tiles),
        passengers={
            name: Kind(
                colour=COLOUR_NAMES[board.colour[kind]],
                unlucky=[n for n in (2, 3, 4) if board.unlucky[kind] >> n & 1],
                count=board.passenger_counts[kind],
            )
            for kind, name in enumerate(PASSENGER_NAMES)
        },
        misfortunes=dict(zip(MISFORTUNE_NAMES, board.misfortune_counts, strict=True)),
        points_to_win=trams.goal,
        rounds=trams.rounds,
    )


def _digits(numbers: list[int]) -> str:
    return "".join(f"{number:x}" for number in numbers)
