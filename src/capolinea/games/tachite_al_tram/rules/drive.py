"""Moving (TA-4): from the roll to where the tram comes to stand, and whom it meets there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.games.tachite_al_tram.rules import workshop
from capolinea.games.tachite_al_tram.rules.board import SQUARE_NAMES
from capolinea.games.tachite_al_tram.rules.steps import (
    FIRST_KEPT,
    OPCINA_STEPS,
    PIPS,
    Card,
    Do,
    Futiz,
    Phase,
)
from capolinea.games.tachite_al_tram.rules.ways import choices

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams


def roll(trams: Trams) -> None:
    """TA-4.1: Zelante adds 1, always."""
    seat = trams.current
    trams.die = 1 + trams.chance.below("die", trams.rolls, PIPS)
    trams.rolls += 1
    trams.fixed = True
    zelante = trams.futiz[seat] == Futiz.ZELANTE
    steps = trams.die + 1 if zelante else trams.die
    if trams.loud:
        key = "event.rolled.zelante" if zelante else "event.rolled"
        event = trams.tell(key, seat=seat, die=trams.die, steps=steps)
        event.setting({"die": trams.die, "steps": steps})
    set_off(trams, steps)


def move_three(trams: Trams) -> None:
    """A card instead of the die: exactly so many squares, Zelante or not."""
    trams.spend(trams.current, Card.TRAM_DE_OPCINA)
    set_off(trams, OPCINA_STEPS)


def roll_again(trams: Trams) -> None:
    """A card after the roll: the new one counts."""
    trams.spend(trams.current, Card.NERO_IN_B)
    roll(trams)


def set_off(trams: Trams, steps: int) -> None:
    trams.phase = Phase.GO
    trams.steps = steps
    start(trams)


def start(trams: Trams) -> None:
    """Where the way begins; also how a state that is only imagined gets there."""
    at = trams.at[trams.current]
    trams.path = [at]
    trams.entered = -1
    trams.left = trams.steps
    if not asks_first(trams):
        follow(trams)


def asks_first(trams: Trams) -> bool:
    """Who might roll again is asked before the tram moves, even if it can only go one way."""
    return trams.die > 0 and Card.NERO_IN_B in trams.kept[trams.current]


def options(trams: Trams) -> list[int]:
    """What may be chosen on the way, here."""
    found = choices(trams, trams.path[-1], trams.entered)
    if not trams.walking and trams.entered < 0 and asks_first(trams):
        found.insert(0, Do.USE + Card.NERO_IN_B - FIRST_KEPT)
    return found


def follow(trams: Trams) -> None:
    """Go on as long as there is but one way, and arrive when the count is used up."""
    while trams.left:
        only = choices(trams, trams.path[-1], trams.entered)
        if len(only) > 1:
            return
        if only[0] == Do.RUN_OFF:
            arrive(trams, True)
            return
        one_square(trams, only[0] - Do.GO)
    arrive(trams, False)


def one_square(trams: Trams, side: int) -> None:
    there = trams.board.beyond[trams.path[-1] * 4 + side]
    trams.path.append(there >> 2)
    trams.entered = there & 3
    trams.left -= 1


def arrive(trams: Trams, ran_off: bool) -> None:
    """TA-4.3, TA-4.5: where the move ends; its damage is added up for everyone (TA-7.1)."""
    seat = trams.current
    at = trams.path[-1]
    moved = trams.entered >= 0
    trams.walking = False
    hits = [0] * trams.seats
    if ran_off:
        hits[seat] = 1
    others: list[int] = []
    if moved:
        trams.at[seat] = at
        if not trams.board.haven[at]:
            for other in range(trams.seats):
                if other != seat and trams.at[other] == at:
                    hits[other] = 1
                    others.append(other)
        if others:
            hits[seat] += 1
    if trams.loud:
        _tell(trams, seat, moved, ran_off, others)
    workshop.hurt(trams, hits, False)
    trams.stand()


def _tell(trams: Trams, seat: int, moved: bool, ran_off: bool, others: list[int]) -> None:
    at = SQUARE_NAMES[trams.path[-1]]
    path = [SQUARE_NAMES[square] for square in trams.path]
    key = "event.moved"
    if not moved:
        key = "event.no-rails"
    elif ran_off:
        key = "event.ran-off"
    elif trams.left:
        key = "event.ended-early"
    event = trams.tell(key, seat=seat, at=at, path=path)
    event.setting({f"trams.{seat}.square": at})
    if others:
        trams.tell("event.collided", seat=seat, others=others, at=at)
