"""Several people at one screen have one cookie: what one of them is told is not for the others."""

from __future__ import annotations

import random
from typing import Any

from capolinea.server.protocol import Clock, Sit, Start
from tests.server.hourglass import Chair, House, at, later

NAMES = ["P0", "Bea", "Cleo", "Dea"]


async def one_screen() -> House:
    """Four people at one screen, with a match that is on."""
    house = House("trial-by-trolley", 1, Clock("none"))
    await house.open()
    await screen(house, {"do": "configure", "settings": {"keep_chat": True}})
    for seat, name in enumerate(NAMES[1:], 1):
        await house.lounge.command(house.people[0], Sit(seat, name, further=True))
    await house.lounge.command(house.people[0], Start())
    house.chairs = [await Chair(house, house.people[0], seat).come() for seat in range(len(NAMES))]
    return house


async def screen(house: House, command: dict[str, Any]) -> None:
    await house.command(0, command)
    await later()


def chair_of(house: House, name: str) -> Chair:
    """The socket that speaks for somebody's chair, wherever that stands."""
    return next(one for one in house.chairs if one.room["seats"][one.seat]["name"] == name)


@at(one_screen)
async def test_what_a_seat_kept_goes_with_its_chair(house: House) -> None:
    for chair, name in zip(house.chairs, NAMES, strict=True):
        await chair.keep(notes=f"of {name}")
    await screen(house, {"do": "abandon"})
    rng = random.Random(1)
    for _ in range(40):
        free = [n for n, seat in enumerate(house.lounge.room.seats) if seat.empty]
        moves: list[dict[str, Any]] = [{"do": "shuffle"}, {"do": "sit", "seat": rng.choice(free)}]
        await screen(house, rng.choice(moves))
        for name in NAMES:
            assert chair_of(house, name).private["notes"] == f"of {name}"
    # Who came later by somebody's link, or sat down anew, has none of it.
    room = house.lounge.room.copy()
    seat = chair_of(house, "Bea").seat
    assert seat is not None
    room.seats[seat].key = "key"
    room.use_key("phone", "key")
    await house.lounge.save(room)
    phone = await Chair(house, "phone", seat).come()
    assert (phone.number, phone.private) == (None, {})


@at(one_screen)
async def test_what_a_team_said_stays_with_its_chairs(house: House) -> None:
    one = next(chair for chair in house.chairs if chair.scene.get("team"))
    await one.write("psst", to="team")
    team = [name for seat, name in enumerate(NAMES) if seat in one.scene["team"]]
    assert 0 < len(team) < len(NAMES)
    await screen(house, {"do": "abandon"})
    for _ in range(20):
        await screen(house, {"do": "shuffle"})
        for name in NAMES:
            again = await Chair(house, house.people[0], chair_of(house, name).seat).come()
            assert [line["text"] for line in again.chat] == (["psst"] if name in team else [])
            await again.go()
    # A seat of the next match is another one, though it has the same number.
    await screen(house, {"do": "start"})
    for seat in house.lounge.room.match_seats:
        assert (await Chair(house, house.people[0], seat).come()).chat == []
