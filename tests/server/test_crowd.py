"""What a crowd costs a room: who comes and goes is told in a word, what is shown is made once for all, and
what was brought is kept once."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any
from unittest.mock import patch

import pytest

from capolinea import games
from capolinea.engine.match import Match
from capolinea.server import house as house_
from capolinea.server.documents import Beside
from capolinea.server.protocol import Clock, NewRoom, Ready, Sit
from capolinea.server.rooms import Room
from capolinea.server.set_up import set_up_of
from capolinea.server.sitting import Listener
from capolinea.server.socket import Socket
from capolinea.server.store import EndMatch
from capolinea.server.work import Asker
from tests.server.hourglass import Chair, House, later, now, turned

#: More than anybody needs to say who came.
SMALL = 200


async def house() -> House:
    """Two people at a table in the lobby."""
    found = House("night-mail", 2, Clock("none"))
    await found.open()
    for seat, person in enumerate(found.people):
        found.chairs.append(await Chair(found, person, seat).come())
    await later()
    return found


async def come_by(house: House, number: int) -> Chair:
    found = await Chair(house, f"somebody-{number}", None).come()
    await later()
    return found


def heard(chair: Chair, since: int) -> list[str]:
    return [text for at, text in chair.heard if at >= since]


@turned
async def test_each_who_comes_costs_the_others_one_small_message_however_many_are_there() -> None:
    costs: list[list[int]] = []

    place = await house()
    for number in range(150):
        began = now()
        await come_by(place, number)
        costs.append([len(text) for chair in place.chairs for text in heard(chair, began)])
    await place.close()
    assert {len(cost) for cost in costs} == {2}, "one message to each of the two"
    assert max(map(max, costs)) < SMALL
    digits = 2 * len("150") * 3  # its number, its name and how many watch
    assert max(costs[149]) <= max(costs[1]) + digits


@turned
async def test_a_hundred_who_go_at_once_are_one_message() -> None:
    place = await house()
    crowd = [await come_by(place, number) for number in range(100)]
    began = now()
    await asyncio.gather(*(one.go() for one in crowd))
    await later()
    ada = place.chairs[0]
    (message,) = [json.loads(text) for text in heard(ada, began)]
    assert len(message["went"]) == 100
    assert not message.get("watchers")
    here = [person["name"] for person in ada.room["people"] if person.get("present")]
    assert here == ["P0", "P1"]
    await place.close()


@turned
async def test_others_have_a_turn_while_a_crowd_goes() -> None:
    place = await house()
    place.hub.leaving = asyncio.Semaphore(10)
    crowd = [await come_by(place, number) for number in range(30)]
    turns, left = 0, Counter[int]()
    depart = place.lounge.depart

    def departs(socket: Listener) -> None:
        left[turns] += 1
        depart(socket)

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    place.lounge.depart = departs  # type: ignore[method-assign]
    beside = asyncio.create_task(others())
    await asyncio.gather(*(one.go() for one in crowd))
    beside.cancel()
    assert left.total() == 30
    assert max(left.values()) <= 10
    await place.close()


@turned
async def test_what_was_told_bit_by_bit_is_what_one_sees_who_comes_anew() -> None:
    place = await house()
    ada, bruno = place.chairs
    crowd = [await come_by(place, number) for number in range(5)]
    await crowd[1].go()
    await bruno.go()
    await later()
    await crowd[3].go()
    await bruno.come()
    await place.lounge.command("somebody-2", Sit(2, "Carla"))
    await crowd[4].go()
    await later()
    again = await Chair(place, ada.person, 0).come()
    await later()
    assert _plain(ada.room) == _plain(again.room)
    await place.close()


def _plain(room: dict[str, Any]) -> dict[str, Any]:
    """A room without its number, and the difference between what is not and what is not said."""
    said = json.loads(json.dumps(room), object_hook=lambda one: {k: v for k, v in one.items() if v})
    return {**said, "n": 0}


@turned
async def test_what_is_told_later_has_a_greater_number_on_whichever_way_it_comes() -> None:
    """So that an answer that comes late does not replace what is newer. What only one person sees, as whom
    they do not want to read, changes nothing for the others."""
    place = await house()
    ada, bruno = place.chairs
    numbers = [ada.room["n"]]

    async def note() -> None:
        await later()
        numbers.extend((ada.room["n"], json.loads(place.lounge.view(ada.person))["n"]))

    await place.lounge.command(bruno.person, Ready())
    await note()
    guest = await come_by(place, 1)
    await note()
    await guest.go()
    await note()
    await place.lounge.command(ada.person, Sit(2, "Carla", further=True))
    await note()
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > len(("room", "came", "went", "room"))
    before = json.loads(place.lounge.view(ada.person))["n"]
    await place.lounge.mute(bruno.person, 1, True)
    assert json.loads(place.lounge.view(ada.person))["n"] == before
    await place.close()


@turned
async def test_whoever_comes_back_to_a_chair_is_known_there_again() -> None:
    """Their number at the chair is no matter of presence: all see the room anew."""
    place = await house()
    match = Match(games.load("night-mail"), ["P0", "P1"], seed=bytes(32))
    await place.begin_as(match.record(reveal=True))
    await place.command(1, {"do": "leave"})
    ada, bruno = place.chairs
    await bruno.go()
    assert "person" not in ada.room["seats"][1]
    await bruno.come()
    await later()
    assert ada.room["seats"][1]["person"] == 3
    await place.close()


# --- looked at once ------------------------------------------------------------------------------


@turned
async def test_a_room_is_shown_to_all_who_read_it_from_one_look() -> None:
    place = await house()
    for number in range(20):
        await come_by(place, number)
    with (
        patch.object(Room, "view", autospec=True, side_effect=Room.view) as looks,
        patch.object(Room, "whom", autospec=True, side_effect=Room.whom) as asked,
    ):
        place.lounge.tell_room()
        assert asked.call_count < 10 * len(place.lounge.sockets), "not each for each"
        for number in range(20):
            place.lounge.view(f"somebody-{number}")
        assert looks.call_count <= 1
        await place.command(0, {"do": "rename", "name": "Dora"})
        assert looks.call_count <= 2
    await place.close()


@turned
async def test_what_is_to_be_played_is_tried_once_and_not_for_everybody() -> None:
    place = House("night-mail", 3, Clock("none"))
    with patch.object(house_, "set_up_of", side_effect=set_up_of) as tried:
        await place.open()
        for number in (1, 2):
            await place.command(number, {"do": "ready"})
        before = tried.call_count
        for seat, person in enumerate(place.people):
            await Chair(place, person, seat).come()
        for number in range(30):
            await come_by(place, number)
        await place.command(0, {"do": "rename", "name": "Dora"})
        assert tried.call_count == before
        await place.command(0, {"do": "configure", "preset": "short"})
        assert tried.call_count == before + 1
    await place.close()


@turned
async def test_it_is_forgotten_what_was_tried_long_ago() -> None:
    place = await house()
    with patch.object(house_, "MOST_SET_UPS", 3):
        for preset in ("short", "standard", "short"):
            for public in (True, False):
                change = {"do": "configure", "preset": preset, "settings": {"public": public}}
                await place.command(0, change)
        assert len(place.hub._set_ups) <= 3
    await place.close()


# --- data of somebody's own ----------------------------------------------------------------------

LINE = games.load("night-mail").data()["line"]["coast"]


@turned
async def test_a_change_of_a_room_neither_copies_nor_writes_its_data_again() -> None:
    place = await house()
    lounge, store = place.lounge, place.store
    await place.command(0, {"do": "configure", "data": {"line": LINE}})
    own = lounge.room.data["line"]
    assert list(store.data_) == [own.hash]
    with patch.object(Beside, "written", autospec=True) as written:
        await place.command(0, {"do": "rename", "name": "Dora"})
        await come_by(place, 1)
        await lounge.mute(place.people[1], 1, True)
        assert not written.called
    assert lounge.room.data["line"] is own
    assert LINE["trunk"][0].encode() not in store.rooms_[lounge.room.code].doc
    await place.close()


@turned
async def test_whether_they_can_begin_with_it_is_found_out_elsewhere_and_once() -> None:
    place = await house()
    await place.command(0, {"do": "configure", "data": {"line": LINE}})
    assert place.work.done == [], "nobody is ready yet"
    await place.command(1, {"do": "ready"})
    for number in range(20):
        await come_by(place, number)
    await place.command(1, {"do": "ready", "ready": False})
    await place.command(1, {"do": "ready"})
    assert place.work.done == [set_up_of]
    await place.close()


@turned
async def test_it_is_found_out_in_the_share_of_the_address_that_asks() -> None:
    """Of all who open and change rooms elsewhere nobody notices anything."""
    place = await house()
    await place.command(0, {"do": "configure", "data": {"line": LINE}})
    await place.lounge.command(place.people[1], Ready(), "192.0.2.7")
    place.hub._set_ups.clear()
    new = NewRoom("night-mail", data={"line": LINE}, bots=["random"])
    await place.hub.create(place.people[1], "192.0.2.8", new)
    assert [asker.address for asker in place.work.askers] == ["192.0.2.7", "192.0.2.8"]
    code = place.lounge.room.code
    place.hub._set_ups.clear()
    for chair in place.chairs:
        await chair.go()
    await later(2 * place.hub.quiet)
    await place.hub.visit(code, "192.0.2.9")
    assert place.work.askers[2:] == [Asker("192.0.2.9", place.people[0])]
    await place.close()


@pytest.mark.parametrize("how", ["abandoned", "closed from outside", "closed while put away"])
@turned
async def test_the_end_of_a_match_does_not_wait_for_those_who_are_busy(how: str) -> None:
    place = await house()
    await place.command(0, {"do": "configure", "data": {"line": LINE}})
    await place.command(1, {"do": "ready"})
    await place.command(0, {"do": "start"})
    match, place.work.busy = place.lounge.room.match, True
    place.hub._set_ups.clear()
    if how == "abandoned":
        await place.command(0, {"do": "abandon"})
    else:
        if how == "closed while put away":
            for chair in place.chairs:
                await chair.go()
            await later(2 * place.hub.quiet)
            assert not place.hub.lounges
        await place.store.write(EndMatch(match, now()))
        await place.hub.lounge(place.lounge.room.code)
        await later(60)
    for chair in place.chairs:
        await chair.come()
    host = place.chairs[0]
    assert host.room["phase"] == "over"
    assert host.room["hindrance"]["key"] == "serve.busy"
    assert host.match == match, "and its end is shown"
    place.work.busy = False
    await later(60)
    assert "hindrance" not in host.room
    await place.command(0, {"do": "start"})
    await place.close()


@turned
async def test_data_is_forgotten_with_the_last_room_that_has_it_and_can_come_again() -> None:
    place = await house()
    bring = {"do": "configure", "data": {"line": LINE}}
    await place.command(0, bring)
    await place.hub.sweep()
    assert place.store.data_
    await place.command(0, {"do": "configure", "data": {}})
    await place.hub.sweep()
    assert not place.store.data_
    await place.command(0, bring)
    assert place.store.data_
    await place.close()


@turned
async def test_a_room_comes_back_with_its_data() -> None:
    place = await house()
    await place.command(0, {"do": "configure", "data": {"line": LINE}})
    await place.restart()
    assert place.lounge.room.contents() == {"line": LINE}
    assert json.loads(place.lounge.view(place.people[0]))["data"] == {"line": {"name": "line"}}
    await place.close()


@turned
async def test_what_is_not_for_a_slow_reader_does_not_wait_for_them() -> None:
    """Or else how soon they are let go would tell how much others write among themselves."""
    place = await house()
    await place.lounge.command(place.people[1], Ready())
    await place.command(0, {"do": "start"})
    watcher = await come_by(place, 0)
    (slow,) = [one for one in place.lounge.sockets if one.person == place.people[0]]
    assert isinstance(slow, Socket)
    slow.wire.full = True
    await watcher.write("for those who watch")
    assert not slow._outbox
    await place.chairs[1].write("for the table")
    assert len(slow._outbox) == 1
    await place.close()
