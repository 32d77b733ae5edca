"""Seats (TA-5.3): benches of two; who shares one has the same colour, unless the driver is Cocolo.

So each colour takes half as many benches as it has passengers, rounded up, and a seating exists when
these are no more than the benches there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.games.tachite_al_tram.rules.steps import Futiz

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams

COLOURS: Final = 4
BENCHES: Final = 2
SBONFO_BENCHES: Final = 3


def benches(futiz: int) -> int:
    return SBONFO_BENCHES if futiz == Futiz.SBONFO else BENCHES


def too_many(colour: list[int], aboard: list[int], futiz: int) -> int:
    """How many of these passengers at the least find no seat with this Futiz (TA-7.3)."""
    room = benches(futiz)
    if futiz == Futiz.COCOLO:
        return max(0, len(aboard) - 2 * room)
    of_colour = [0] * COLOURS
    for kind in aboard:
        of_colour[colour[kind]] += 1
    taken = 0
    odd = 0
    for count in of_colour:
        taken += (count + 1) // 2
        odd += count % 2
    over = taken - room
    if over <= 0:
        return 0
    # Who sits alone frees a bench alone; the others do so two by two.
    return over if over <= odd else 2 * over - odd


def fits(trams: Trams, seat: int, kind: int) -> bool:
    """Whether this passenger finds a seat aboard."""
    aboard = [*trams.aboard[seat], kind]
    return too_many(trams.board.colour, aboard, trams.futiz[seat]) == 0


def may_put_off(trams: Trams, aboard: list[int], futiz: int) -> list[int]:
    """TA-7.3: the kinds of whom one may leave so that no more have to than must."""
    must = too_many(trams.board.colour, aboard, futiz)
    found: list[int] = []
    for kind in sorted(set(aboard)):
        rest = aboard[:]
        rest.remove(kind)
        if too_many(trams.board.colour, rest, futiz) < must:
            found.append(kind)
    return found


def seating(colour: list[int], aboard: list[int], futiz: int) -> list[int]:
    """A seat for everybody: the kind on each, bench by bench, or -1."""
    seats = [-1] * (2 * benches(futiz))
    waiting = aboard[:]
    if futiz != Futiz.COCOLO:
        waiting.sort(key=lambda kind: colour[kind])
    place = 0
    for kind in waiting:
        if place % 2 and futiz != Futiz.COCOLO and colour[seats[place - 1]] != colour[kind]:
            place += 1
        seats[place] = kind
        place += 1
    return seats
