"""A host who is away for long is host no longer; in a time of its own, so that nobody has to wait."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, get_args

import pytest

from capolinea.engine.problems import Refused
from capolinea.server.protocol import (
    Abandon,
    Clear,
    Clock,
    Command,
    Configure,
    HandOver,
    Hush,
    Leave,
    NewRoom,
    PutBot,
    Ready,
    Remove,
    Rename,
    Replace,
    SettingsChange,
    Shuffle,
    Sit,
    Stand,
    Start,
    TakeBack,
)
from capolinea.server.rooms import Room, new_room
from tests.server.hourglass import Chair, House, at, later

GRACE = 60


async def two_people(clock: Clock | None = None) -> House:
    """A room with its host and somebody else; nobody has come yet."""
    house = House("night-mail", 2, clock or Clock("none"), grace=GRACE)
    await house.open()
    house.chairs = [Chair(house, person, seat) for seat, person in enumerate(house.people)]
    return house


@at(two_people)
async def test_the_host_passes_on_by_itself(house: House) -> None:
    first, second = [await chair.come() for chair in house.chairs]
    await first.go()  # gone for a moment
    await later(GRACE / 2)
    await first.come()
    await later(GRACE)
    assert second.room["host"] == 1
    await first.go()
    await later(GRACE - 1)
    assert second.room["host"] == 1
    await later(2)
    assert second.room["host"] == 2
    with pytest.raises(Refused, match="host"):
        await house.lounge.command(house.people[0], Start())
    await house.lounge.command(house.people[1], Start())


@at(two_people)
async def test_an_empty_room_keeps_its_host(house: House) -> None:
    first = await house.chairs[0].come()
    await first.go()
    await later(10 * GRACE)
    second = await house.chairs[1].come()
    assert second.room["host"] == 1


@at(two_people)
async def test_to_hand_over_to_somebody_who_is_away_is_no_dead_end(house: House) -> None:
    first = await house.chairs[0].come()
    await house.command(0, {"do": "hand-over", "person": 2})
    await later()
    assert first.room["host"] == 2
    await later(GRACE + 1)
    assert first.room["host"] == 1


@at(two_people)
async def test_a_host_who_is_there_on_another_device_is_not_away(house: House) -> None:
    room = house.lounge.room.copy()
    room.seats[0].holders.append("phone")
    room.enter("phone", room.seats[0].name)
    await house.lounge.save(room)
    phone = await Chair(house, "phone", 0).come()
    first, _ = [await chair.come() for chair in house.chairs]
    await first.go()
    await later(2 * GRACE)
    assert phone.room["host"] == 1
    assert [bool(one.get("present")) for one in phone.room["people"]] == [True, True]
    # And who says goodbye on the old device is the host on the new one.
    await house.command(0, {"do": "leave"})
    await later()
    assert phone.room["host"] == phone.room["you"]
    await house.lounge.command("phone", Configure(preset="wild"))
    assert [one["name"] for one in phone.room["people"]] == ["P1", "P0"]


async def at_play(clock: Clock) -> House:
    """The same two in the middle of a match."""
    house = await two_people(clock)
    await house.lounge.command(house.people[1], Ready())
    await house.lounge.command(house.people[0], Start())
    for chair in house.chairs:
        await chair.come()
    return house


async def an_evening() -> House:
    return await at_play(Clock("none"))


async def days() -> House:
    return await at_play(Clock("days"))


async def cannot_harm(house: House, person: str) -> None:
    """Whoever this is, they send nobody out, end nothing and change nothing for those who play; nor can
    they let others do so."""
    settings, people = house.lounge.room.settings, house.lounge.room.people
    others = [HandOver(person.number) for person in people]
    change = Configure(settings=SettingsChange(clock=Clock("days", turn=1), keep_chat=False))
    commands: list[Command] = [Remove(1), Remove(2), Abandon(), change, *others]
    for command in commands:
        with pytest.raises(Refused):
            await house.lounge.command(person, command)
    assert house.lounge.room.settings == settings
    assert house.lounge.room.removed == []
    assert house.lounge.room.playing


@pytest.mark.parametrize("house", [an_evening, days])
def test_who_only_watches_is_never_host_of_a_match(
    house: Callable[[], Coroutine[Any, Any, House]],
) -> None:
    @at(house)
    async def both_players_are_away(house: House) -> None:
        watcher = await house.watch()
        for chair in house.chairs:
            await chair.go()
        await later(24 * 3600)
        assert watcher.room["host"] == 1
        await cannot_harm(house, "watcher")

    both_players_are_away()


@at(days)
async def test_in_a_game_of_days_nobody_stands_in_for_who_looks_away(house: House) -> None:
    first, second = house.chairs
    await first.go()
    await later(10 * GRACE)
    assert second.room["host"] == 1
    await cannot_harm(house, house.people[1])


@at(an_evening)
async def test_who_stands_in_does_nothing_for_good_and_gives_it_back(house: House) -> None:
    first, second = house.chairs
    await first.go()
    await later(GRACE + 1)
    assert second.room["host"] == 2
    await cannot_harm(house, house.people[1])
    await first.come()
    assert first.room["host"] == second.room["host"] == 1
    await house.lounge.command(house.people[0], Abandon())


@at(an_evening)
async def test_whoever_stands_in_is_host_once_the_other_has_left(house: House) -> None:
    first, second = house.chairs
    await first.go()
    await later(GRACE + 1)
    await house.lounge.command(house.people[0], Leave())
    await house.lounge.command(house.people[1], Abandon())
    first.seat = None
    await first.come()
    assert first.room["host"] == second.room["host"] == 2


# --- whatever who stands in asks for -------------------------------------------------------------

CHANGES = SettingsChange(public=True, keep_chat=False, clock=Clock("days"), locked=True)
#: Every command, as somebody would give it who stands in (their chair is 1) and means no good.
COMMANDS: list[Command] = [
    *(Sit(2, "Bea"), Sit(3, "More", further=True), Stand(0), Stand(1), Rename("Ada", 0)),
    *(PutBot(0, "random"), PutBot(2, "random"), PutBot(3, "random"), Ready(False), Leave()),
    *(Clear(0), Clear(1), Clear(2), Shuffle(), Remove(1), Remove(3), HandOver(2), HandOver(3)),
    *(Configure(settings=CHANGES), Configure(title="stop-the-train"), Configure(preset="wild")),
    *(Configure(options={"hand": 5}), Configure(data={}), Hush(3)),
]
#: What a room leaves to its match (lounge.py). To begin one is allowed, to end it is not; a seat that a
#: bot plays meanwhile is taken back by whose it is.
OF_THE_MATCH = {Start, Abandon, Replace, TakeBack}


def stood_in_for(playing: bool) -> Room:
    """Ada, who is host, and Carla are away; Bea stands in."""
    room = new_room("BCDFGH", "ada", NewRoom("night-mail", name="Ada", preset="short"))
    room.do("bea", Sit(1, "Bea"))
    room.do("carla", Sit(2, "Carla"))
    room.begin_match("m", [0, 1, 2])
    if not playing:
        room.end_match(0, "")
        assert [seat.played for seat in room.seats[:3]] == [0, 1, 2]
    assert room.pass_on({"bea"})
    return room


def of_the_others(room: Room) -> list[Any]:
    """What is not Bea's: it is there when the others come back."""
    chairs = [(seat.name, seat.holders, seat.played) for seat in (room.seats[0], room.seats[2])]
    people = [person for person in room.people if person.id != "bea"]
    set_up = room.title, room.preset, room.options, room.data, room.settings
    return [
        chairs,
        people,
        set_up,
        room.removed,
        room.playing,
        room.match,
        room.away_host or room.host,
    ]


@pytest.mark.parametrize("playing", [True, False])
@pytest.mark.parametrize("command", COMMANDS, ids=repr)
def test_what_others_have_outlives_whoever_stands_in(command: Command, playing: bool) -> None:
    room = stood_in_for(playing)
    before = of_the_others(room.copy())
    with suppress(Refused):
        room.do("bea", command)
    assert of_the_others(room) == before


def test_every_command_is_among_these() -> None:
    assert {type(command) for command in COMMANDS} | OF_THE_MATCH == set(get_args(Command))


@at(two_people)
async def test_who_only_watches_never_stands_in_between_matches_either(house: House) -> None:
    watcher = await house.watch()
    await later(24 * 3600)
    assert watcher.room["host"] == 1
