"""Tachite al Tram: reseating by hand (TA-5.3), kept in the record. Rules never read it: they only ask
whether some seating exists.

    {"seats": ["vecion", "lem", null, null]}

Who sits where, bench by bench: everybody aboard and nobody else, and on each bench one colour unless
the driver is Cocolo.
"""

from __future__ import annotations

from typing import Any

from capolinea.engine import Line, Refused, Rng
from capolinea.games.tachite_al_tram.views import TramView


def line(view: TramView, seat: int, said: Any) -> Line:
    """The line that a saying makes, or Refused."""
    if view.ending:
        raise Refused("refused.over", "TA-1.1")
    tram = view.trams[seat]
    seats = said.get("seats") if isinstance(said, dict) and len(said) == 1 else None
    if not isinstance(seats, list) or len(seats) != len(tram.seats):
        raise Refused("refused.saying", "TA-5.3")
    if sorted(kind for kind in seats if isinstance(kind, str)) != sorted(tram.aboard) or any(
        not isinstance(kind, str) for kind in seats if kind is not None
    ):
        raise Refused("refused.seats-who", "TA-5.3")
    for place in range(0, len(seats), 2):
        pair = [kind for kind in seats[place : place + 2] if kind is not None]
        if len(pair) == 2 and tram.futiz != "cocolo":
            colours = {view.table.passengers[kind].colour for kind in pair}
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
