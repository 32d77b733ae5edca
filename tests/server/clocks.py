"""A table of Night Mail with a clock."""

from __future__ import annotations

from typing import Any

from capolinea.server.protocol import CLOCKS, Clock
from tests.server.hourglass import House, Setting, at, later
from tests.server.mail import BANDIT, DEPART, LETTER, PARCEL, dealt

NONE = CLOCKS["none"]
TURN = Clock("relaxed", turn=60, window=10)

#: The third throw takes the train to the junction.
PIPS = (1, 1, 6, 1)
HANDS = [[PARCEL, LETTER, LETTER], [BANDIT, LETTER, LETTER], [LETTER, LETTER, LETTER]]


def at_table(clock: Clock, people: int = 3, bots: int = 0, **settings: Any) -> Setting:
    """A test at a table where seat 0 begins."""

    async def table() -> House:
        house = House("night-mail", people, clock, **settings)
        await house.open(bots)
        await house.begin(dealt(HANDS, pips=PIPS), line="shuttle")
        return house

    return at(table)


async def to_the_vote(house: House) -> None:
    for chair in house.chairs[:2]:
        await chair.do(DEPART)
        await chair.do([{"do": "keep"}])
    await house.chairs[2].do(DEPART)
    await later()
    assert house.chairs[2].view["phase"] == "vote"
