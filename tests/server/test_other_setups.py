"""A room that was set up by another version of the server, with what this one does not have: people come
in, play on and choose again."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from capolinea import games
from capolinea.engine.options import plain
from capolinea.engine.problems import Problem
from capolinea.server.protocol import Clock
from tests.server.hourglass import Chair, House, later, turned
from tests.server.mail import LETTER, PARCEL, dealt, load

NONE = Clock("none")
#: What a room may be set up with that the title does not have today, and what is said of it.
OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "an option": ({"options": {"fog": True}}, "bad-option.json"),
    "a value": ({"options": {"hand": 99, "line": "shuttle"}}, "bad-option.json"),
    "a kind of value": ({"options": {"line": ["shuttle"]}}, "bad-option.json"),
    "a preset": ({"preset": "winter"}, "bad-option.preset"),
    "all of it": ({"preset": "winter", "options": {"fog": 1}}, "bad-option.preset"),
    "data": ({"data": {"weather": {}}}, "bad-option.unknown"),
}


async def a_house(playing: bool) -> House:
    house = House("night-mail", 3, NONE)
    await house.open()
    for person in (1, 2):
        await house.command(person, {"do": "ready"})
    if playing:
        await house.begin(dealt([[PARCEL, LETTER, LETTER], [LETTER] * 3, [LETTER] * 3]))
    return house


async def set_up_elsewhere(house: House, change: dict[str, Any]) -> None:
    """Another version wrote this; now ours starts."""
    code = house.lounge.room.code
    room = house.store.rooms_[code]
    doc = json.dumps({**json.loads(room.doc), **change}).encode()
    house.store.rooms_[code] = msgspec.structs.replace(room, doc=doc)
    await house.restart()


async def come(house: House, seat: int = 0) -> Chair:
    return await Chair(house, house.people[seat], seat).come()


@pytest.mark.parametrize("what", OTHERS)
@turned
async def test_a_match_goes_on_in_a_room_that_this_version_would_not_have_made(what: str) -> None:
    house = await a_house(playing=True)
    await set_up_elsewhere(house, OTHERS[what][0])
    first = await come(house)
    assert first.room["phase"] == "playing"
    await first.do(load("letter"))
    await house.command(0, {"do": "abandon"})
    await later()
    assert first.room["phase"] == "over"
    await house.close()


@pytest.mark.parametrize("what", OTHERS)
@turned
async def test_it_is_named_and_the_host_chooses_again(what: str) -> None:
    change, key = OTHERS[what]
    house = await a_house(playing=False)
    await set_up_elsewhere(house, change)
    first = await come(house)
    assert first.room["hindrance"]["key"] == key
    # What is shown can be asked for: it is what the title has.
    usual = plain(games.load("night-mail").options())
    assert first.room["preset"] == "standard"
    kept = {"line": "shuttle"} if what == "a value" else {}
    assert first.room["options"] == {**usual, **kept}
    assert first.room["data"] == {}
    with pytest.raises(Problem) as refusal:
        await house.command(0, {"do": "start"})
    assert refusal.value.key == key
    await house.command(0, {"do": "configure", "options": {"line": "shuttle"}})
    await later()
    assert first.room.get("hindrance") is None
    assert first.room["options"] == {**usual, "line": "shuttle"}
    await house.command(0, {"do": "start"})
    await house.close()


@pytest.mark.parametrize(
    "choice", [{"preset": "standard"}, {"title": "trial-by-trolley"}, {"data": {}}]
)
@turned
async def test_whatever_the_host_chooses_takes_its_place(choice: dict[str, Any]) -> None:
    house = await a_house(playing=False)
    await set_up_elsewhere(house, OTHERS["all of it"][0])
    await house.command(0, {"do": "configure", **choice})
    assert house.lounge.room.hindrance(house.lounge.set_up) is None
    await house.close()
