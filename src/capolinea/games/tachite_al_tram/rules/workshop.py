"""Damage, the workshop and the Futiz (TA-7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.games.tachite_al_tram.rules import stops
from capolinea.games.tachite_al_tram.rules.board import PASSENGER_NAMES, SQUARE_NAMES
from capolinea.games.tachite_al_tram.rules.seats import may_put_off, too_many
from capolinea.games.tachite_al_tram.rules.steps import FUTIZ_NAMES, WRECKED, Card, Do, Futiz

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams


def hurt(trams: Trams, hits: list[int], even_buloto: bool) -> None:
    """TA-7.1: each seat takes so much damage, all at once; who then has 3 goes to the workshop."""
    for seat in range(trams.seats):
        hit = hits[seat]
        # TA-7.2
        if hit and trams.futiz[seat] == Futiz.BULOTO and not even_buloto:
            hit = 0
        while hit and Card.SAN_GIUSTO in trams.kept[seat]:
            trams.spend(seat, Card.SAN_GIUSTO)
            hit -= 1
        if hit:
            set_damage(trams, seat, min(WRECKED, trams.damage[seat] + hit), "event.damaged")
    for seat in range(trams.seats):
        if trams.damage[seat] == WRECKED:
            wreck(trams, seat)


def set_damage(trams: Trams, seat: int, damage: int, key: str) -> None:
    trams.damage[seat] = damage
    if trams.loud:
        event = trams.tell(key, seat=seat, damage=damage)
        event.setting({f"trams.{seat}.damage": damage})


def wreck(trams: Trams, seat: int) -> None:
    """TA-7.1: passengers, Futiz and place are lost; the destination stays."""
    aboard = trams.aboard[seat]
    trams.aboard[seat] = []
    for kind in aboard:
        stops.discard(trams, kind)
    trams.futiz[seat] = Futiz.NONE
    trams.damage[seat] = 0
    trams.at[seat] = trams.board.workshop
    trams.last_stop[seat] = -1
    if seat == trams.current:
        trams.wrecked = True
    if trams.loud:
        lost = [PASSENGER_NAMES[kind] for kind in aboard]
        event = trams.tell("event.wrecked", seat=seat, passengers=lost)
        event.setting(
            {
                f"trams.{seat}.square": SQUARE_NAMES[trams.board.workshop],
                f"trams.{seat}.damage": 0,
                f"trams.{seat}.futiz": None,
                f"trams.{seat}.aboard": [],
            }
        )


def repair(trams: Trams, seat: int) -> None:
    """One damage less, if there is any."""
    if trams.damage[seat]:
        set_damage(trams, seat, trams.damage[seat] - 1, "event.repaired")


def services(trams: Trams) -> list[int]:
    """TA-7.2: repair one damage or take a Futiz, not both."""
    seat = trams.current
    found: list[int] = []
    if trams.damage[seat]:
        found.append(Do.REPAIR)
    for futiz in range(len(FUTIZ_NAMES)):
        if futiz != trams.futiz[seat]:
            found.append(Do.FUTIZ + futiz)
    found.append(Do.NO_SERVICE)
    return found


def take_futiz(trams: Trams, futiz: int) -> None:
    """TA-7.2; who must leave for it is chosen first (TA-7.3)."""
    trams.chosen_futiz = futiz
    trams.leaving = []
    _when_all_fit(trams)


def put_off(trams: Trams, kind: int) -> None:
    trams.leaving = [*trams.leaving, kind]
    _when_all_fit(trams)


def put_off_choices(trams: Trams) -> list[int]:
    rest = _staying(trams)
    return [Do.PUT_OFF + kind for kind in may_put_off(trams, rest, trams.chosen_futiz)]


def _staying(trams: Trams) -> list[int]:
    rest = trams.aboard[trams.current][:]
    for kind in trams.leaving:
        rest.remove(kind)
    return rest


def _when_all_fit(trams: Trams) -> None:
    seat = trams.current
    rest = _staying(trams)
    if too_many(trams.board.colour, rest, trams.chosen_futiz):
        return
    trams.futiz[seat] = trams.chosen_futiz
    trams.chosen_futiz = Futiz.NONE
    trams.aboard[seat] = rest
    for kind in trams.leaving:
        stops.discard(trams, kind)
    if trams.loud:
        name = FUTIZ_NAMES[trams.futiz[seat]]
        event = trams.tell("event.futiz", seat=seat, futiz=name)
        event.setting({f"trams.{seat}.futiz": name})
        if trams.leaving:
            left = [PASSENGER_NAMES[kind] for kind in trams.leaving]
            event = trams.tell("event.put-off", seat=seat, passengers=left)
            event.setting({f"trams.{seat}.aboard": [PASSENGER_NAMES[kind] for kind in rest]})
    trams.leaving = []
    trams.served()
