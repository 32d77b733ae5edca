"""Night Mail dealt as a test wants it: who holds what when the first window opens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from capolinea.client import Seat
from capolinea.engine.chance import Deal
from capolinea.games.night_mail.rules import KIND, Kind

POSTCARD, LETTER, PARCEL = Kind.POSTCARD, Kind.LETTER, Kind.PARCEL
BANDIT, GUARD, TELEGRAM = Kind.BANDIT, Kind.GUARD, Kind.TELEGRAM
PASS: list[dict[str, Any]] = [{"do": "pass"}]
DEPART: list[dict[str, Any]] = [{"do": "depart"}]


def load(mail: str) -> list[dict[str, Any]]:
    return [{"do": "load", "mail": mail}]


def deliver(mail: str, signer: int) -> list[dict[str, Any]]:
    return [{"do": "deliver", "mail": mail}, {"do": "sign", "seat": signer}]


def dealt(
    hands: Sequence[Sequence[int]], start: int = 0, pips: Sequence[int] = (1, 1, 1, 1)
) -> Deal:
    """These kinds in these hands, postcards on top of the deck; the train goes so far each turn."""
    left = list(range(len(KIND)))
    order = []
    for kind in (kind for hand in hands for kind in hand):
        card = next(card for card in left if KIND[card] == kind)
        left.remove(card)
        order.append(card)
    return {
        "deck": [order + left],
        "employers": [list(range(len(hands) + 1))],
        "start": [start],
        "die": [throw - 1 for throw in pips],
    }


async def offer(seat: Seat, signer: int) -> None:
    """The first turn, up to the window: whoever has a parcel offers it."""
    await seat.do(load("parcel"))
    await seat.do(DEPART)
    await seat.do(deliver("parcel", signer))
