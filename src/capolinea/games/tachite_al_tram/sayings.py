"""Tachite al Tram: reseating by hand (TA-5.3), kept in the record. Rules never read it: they only ask
whether some seating exists.

    {"seats": ["vecion", "lem", null, null]}

Who sits where, bench by bench: everybody aboard and nobody else, and on each bench one colour unless
the driver is Cocolo.
"""

from __future__ import annotations

from typing import Any

from capolinea.engine import Line, Refused, Rng
from capolinea.games.tachite_al_tram.rules.board import PASSENGER_NAMES
from capolinea.games.tachite_al_tram.rules.seats import benches
from capolinea.games.tachite_al_tram.rules.steps import Futiz
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.views import TramView


def line(trams: Trams, seat: int, said: Any) -> Line:
    """The line that a saying makes, or Refused."""
    if trams.ending >= 0:
        raise Refused("refused.over", "TA-1.1")
    seats = said.get("seats") if isinstance(said, dict) and len(said) == 1 else None
    if not isinstance(seats, list) or len(seats) != 2 * benches(trams.futiz[seat]):
        raise Refused("refused.saying", "TA-5.3")
    aboard = sorted(PASSENGER_NAMES[kind] for kind in trams.aboard[seat])
    if sorted(kind for kind in seats if isinstance(kind, str)) != aboard or any(
        not isinstance(kind, str) for kind in seats if kind is not None
    ):
        raise Refused("refused.seats-who", "TA-5.3")
    for place in range(0, len(seats), 2):
        pair = [kind for kind in seats[place : place + 2] if kind is not None]
        if len(pair) == 2 and trams.futiz[seat] != Futiz.COCOLO:
            colours = {trams.board.colour[PASSENGER_NAMES.index(kind)] for kind in pair}
            if len(colours) == 2:
                raise Refused("refused.seats-colour", "TA-5.3", passengers=pair)
    return Line("saying.seats", {"seat": seat, "passengers": [kind for kind in seats if kind]})


def babble(view: TramView, rng: Rng) -> Any | None:
    """Some order of the seats, which may or may not do."""
    if view.viewer is None or not view.trams[view.viewer].aboard:
        return None
    seats = list(view.trams[view.viewer].seats)
    if rng.below(2):
        places = list(range(len(seats)))
        rng.shuffle(places)
        seats = [seats[place] for place in places]
    return {"seats": seats}
