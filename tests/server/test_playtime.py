"""Play goes by a clock that nobody can set: whatever happens to the computer's, nobody loses a move.

Two clocks run here, and the tests set the one that people read without touching the other.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from capolinea.client import Refusal
from capolinea.engine.record import Move
from capolinea.server.clock import MERCY
from capolinea.server.fold import decode_entry
from capolinea.server.lounge import played
from capolinea.server.playtime import Awake, PlayTime
from capolinea.server.protocol import CLOCKS, Clock, NewRoom, encode
from tests.server.hourglass import Chair, House, Setting, at, later, turned
from tests.server.mail import DEPART, LETTER, PARCEL, PASS, dealt, load, offer
from tests.server.tables import serving

TURN = Clock("relaxed", turn=60, window=10)
BANK = Clock("live", turn=40, bank=120, window=6)
DAYS = CLOCKS["days"]
FIXTURES = Path(__file__).parents[1] / "fixtures"
HOUR, DAY = 3600, 24 * 3600


async def house_with(clock: Clock, **settings: Any) -> House:
    house = House("night-mail", 3, clock, **settings)
    await house.open()
    hands = [[PARCEL, LETTER, LETTER], [LETTER] * 3, [LETTER] * 3]
    await house.begin(dealt(hands, pips=(1, 1, 6, 1)), line="shuttle")
    return house


def at_table(clock: Clock, **settings: Any) -> Setting:
    return at(lambda: house_with(clock, **settings))


def moves(house: House) -> list[int]:
    return [entry.seat for entry in house.table.match.entries if isinstance(entry, Move)]


def times(house: House) -> list[int]:
    """What the record says of when things happened."""
    kept = house.store.entries_[house.table.row.id]
    return [decode_entry(row.entry).at or 0 for row in kept]


def left(chair: Chair) -> dict[str, int]:
    found: dict[str, int] = chair.status.get("left", {})
    return found


async def again(house: House, seat: int = 0) -> Chair:
    return await Chair(house, house.people[seat], seat).come()


# --- the computer's clock is set -----------------------------------------------------------------


@at_table(BANK, grace=HOUR)
async def test_a_clock_that_is_set_takes_and_gives_nothing(house: House) -> None:
    """It was: an hour forward cost a player the bank and the move, two hours back gave 7,214 s."""
    first, second, _ = house.chairs
    for step in (HOUR, -2 * HOUR, 400 * DAY, -400 * DAY):
        await later(20)
        house.set_clock(step)
        await second.go()
        await second.come()  # who comes is told how long there is
    assert moves(house) == []
    assert left(second) == {"0": pytest.approx(80_000, abs=20)}
    await first.do(load("letter"))
    await later()
    assert first.status["bank"] == [pytest.approx(80_000, abs=20), 120_000, 120_000]
    assert times(house) == [pytest.approx(80_000, abs=20)]


#: Things that happen at a table; each is followed by a while.
async def do_load(house: House) -> None:
    await house.chairs[0].do(load("letter"))


async def do_take_back(house: House) -> None:
    await house.chairs[0].undo()


async def do_offer(house: House) -> None:
    await offer(house.chairs[0], signer=1)


async def do_pass(house: House) -> None:
    await house.chairs[1].do(PASS)


async def do_pause(house: House) -> None:
    await house.chairs[0].pause()
    await later()
    for chair in house.chairs[1:]:
        await chair.vote(True)


async def do_go_on(house: House) -> None:
    await house.chairs[1].pause(False)


async def do_leave(house: House) -> None:
    for chair in house.chairs:
        await chair.go()


async def do_return(house: House) -> None:
    for chair in house.chairs:
        await chair.come()


async def do_restart(house: House) -> None:
    await house.restart()
    await do_return(house)


async def do_lift_the_clock(house: House) -> None:
    await house.command(0, {"do": "configure", "settings": {"clock": {"kind": "none"}}})


async def do_set_the_clock(house: House) -> None:
    clock = msgspec.to_builtins(TURN)
    await house.command(0, {"do": "configure", "settings": {"clock": clock}})


Doing = Callable[[House], Coroutine[Any, Any, None]]
EVENING: list[tuple[Doing, float]] = [
    (do_load, 30),
    (do_take_back, 20),
    (do_leave, 500),
    (do_return, 15),
    (do_pause, 700),
    (do_go_on, 11),
    (do_restart, 30),
    (do_offer, 4),
    (do_pass, 20),
    (do_restart, 50),
    (do_lift_the_clock, 90),
    (do_set_the_clock, 200),
]


@turned
async def evening(steps: random.Random | None) -> list[list[tuple[int, str]]]:
    """What everybody hears and when, also in the dark hours of a clock that is being set."""
    house = await house_with(TURN, grace=HOUR)
    for do, seconds in EVENING:
        if steps is not None:
            house.set_clock(steps.choice([1, -1]) * steps.randrange(3 * DAY))
        await do(house)
        await later(seconds / 2)
        if steps is not None:
            house.set_clock(steps.choice([1, -1]) * steps.randrange(3 * DAY))
        await later(seconds / 2)
    assert times(house) == sorted(times(house))
    names = [house.lounge.room.code, house.table.row.id]
    heard = [
        [(when, _without(names, text)) for when, text in chair.heard] for chair in house.chairs
    ]
    await house.close()
    return heard


def _without(names: list[str], text: str) -> str:
    for name in names:
        text = text.replace(name, "*")
    return re.sub(r'"[0-9a-f]{32}"', '"id"', text)


@pytest.mark.parametrize("seed", range(8))
def test_nobody_can_tell_that_the_clock_was_set(seed: int) -> None:
    assert evening(random.Random(seed)) == evening(None)


@at_table(TURN)
async def test_nor_does_it_open_or_shut_mouths(house: House) -> None:
    await house.command(0, {"do": "configure", "settings": {"slow": 60}})
    first = house.chairs[0]
    await first.write("one")
    house.set_clock(HOUR)
    with pytest.raises(Refusal) as refusal:
        await first.write("too soon")
    assert refusal.value.key == "chat.slow"
    house.set_clock(-5 * HOUR)
    await later(61)
    await first.write("two")


# --- the computer sleeps -------------------------------------------------------------------------


@at_table(TURN, grace=90)
async def test_a_laptop_that_sleeps_is_a_pause(house: House) -> None:
    first, second, third = house.chairs
    await third.go()
    await later(50)
    house.sleep(8 * HOUR)
    await later()
    assert moves(house) == []
    # People are told that there is as much left as when it fell asleep.
    assert left(second) == {"0": pytest.approx(10_000, abs=10_000)}
    assert left(second)["0"] >= 10_000
    await later(5)
    assert moves(house) == []
    assert house.table.match.players == ["person"] * 3  # nor has anybody been away for so long
    await first.do(load("letter"))
    assert times(house)[0] <= 60_000


def test_busy_is_not_asleep() -> None:
    clock = 0
    awake = Awake(lambda: clock, longest=4000)
    for clock in (1000, 5000, 6000):
        assert awake() == clock
    clock = 6000 + 4001
    assert (awake(), awake.naps) == (6000, 1)
    clock += 10
    assert awake() == 6010


def test_play_time_never_falls() -> None:
    clock = 100
    time = PlayTime()
    assert time.at() == 0
    time.go_by(lambda: clock)
    clock = 150
    assert time.at() == 50
    clock = 20
    assert time.at() == 50
    clock = 30
    assert time.at() == 60
    time.reach(40)
    assert time.at() == 60
    time.reach(90)
    time.go_by(None)
    clock = 1000
    assert time.at() == 90


# --- days ----------------------------------------------------------------------------------------


@at_table(DAYS)
async def test_days_go_by_the_calendar_also_while_there_is_no_server(house: House) -> None:
    await later(2 * HOUR)
    await house.restart(seconds=12 * HOUR)
    first = await again(house)
    assert left(first) == {"0": pytest.approx(10 * HOUR * 1000, abs=2000)}


@at_table(DAYS)
async def test_a_server_that_slept_has_looked_at_the_calendar_within_a_minute(house: House) -> None:
    house.set_clock(DAY)  # while its own clock stood still
    await later(61)
    assert moves(house) == [0]


@at_table(DAYS)
async def test_even_days_never_fall(house: House) -> None:
    first = house.chairs[0]
    await later(10 * HOUR)
    await first.do(load("letter"))
    house.set_clock(-5 * HOUR)
    await later(HOUR)
    await first.do(DEPART)
    assert times(house) == [pytest.approx(t * HOUR * 1000, abs=60_100) for t in (10, 11)]
    await house.restart()
    assert left(await again(house, 1)) == {"0": pytest.approx(DAY * 1000, abs=60_100)}
    assert times(house) == sorted(times(house))


YEARS = 30 * 365 * DAY


@pytest.mark.parametrize("back", [2 * DAY, 10 * DAY, YEARS])
def test_a_calendar_that_is_set_back_and_right_again_costs_nobody_anything(back: int) -> None:
    """It was: what it was put forward by to be right again counted as days."""

    @at_table(DAYS)
    async def story(house: House) -> None:
        await later(2 * HOUR)
        house.set_clock(-back)
        await later(5 * 60)
        house.set_clock(back)
        await later(5 * 60)
        assert moves(house) == []
        spent = 2 * HOUR + 10 * 60
        assert left(await again(house)) == {"0": pytest.approx((DAY - spent) * 1000, abs=2000)}
        # And it is the calendar again.
        await house.restart(seconds=12 * HOUR)
        expected = (DAY - spent - 12 * HOUR) * 1000
        # Of a calendar that was set by weeks nobody knows what passed before the last entry.
        most = expected if back < 7 * DAY else expected + spent * 1000
        assert expected - 2000 <= left(await again(house))["0"] <= most + 2000

    story()


@pytest.mark.parametrize("wrong", [-YEARS, YEARS])
def test_a_server_that_starts_with_a_wrong_calendar_hurries_nobody(wrong: int) -> None:
    @at_table(DAYS)
    async def story(house: House) -> None:
        await house.chairs[0].do(load("letter"))
        house.set_clock(wrong)
        await house.restart(seconds=60)
        await later(90)
        house.set_clock(-wrong)  # the network knows better
        await (await again(house)).do(DEPART)  # before anybody has looked at the calendar
        await later(10 * 60)
        assert moves(house) == [0, 0]
        assert times(house)[-1] <= 200_000
        [due] = left(await again(house, 1)).values()
        assert due == pytest.approx((DAY - 10 * 60) * 1000, abs=61_000)
        await house.restart(seconds=12 * HOUR)
        [due] = left(await again(house, 1)).values()
        assert due == pytest.approx((12 * HOUR - 10 * 60) * 1000, abs=200_000)

    story()


@at(lambda: house_with(DAYS))
async def test_nor_a_match_that_began_by_a_wrong_calendar(house: House) -> None:
    await house.command(0, {"do": "abandon"})
    house.set_clock(-YEARS)
    await house.restart()
    hands = [[PARCEL, LETTER, LETTER], [LETTER] * 3, [LETTER] * 3]
    await house.begin(dealt(hands, pips=(1, 1, 6, 1)), line="shuttle")
    await later(HOUR)
    house.set_clock(YEARS)
    await later(HOUR)
    assert moves(house) == []
    await house.restart(seconds=HOUR)
    assert moves(house) == []
    assert left(await again(house))["0"] >= (DAY - 3 * HOUR) * 1000 - 2000


@at_table(TURN, grace=HOUR)
async def test_from_minutes_to_days_and_back(house: House) -> None:
    """What was no play before does not become play because the calendar saw it."""
    await later(50)
    for chair in house.chairs:
        await chair.go()
    await later(5 * HOUR)
    await house.chairs[0].come()
    await house.command(0, {"do": "configure", "settings": {"clock": msgspec.to_builtins(DAYS)}})
    await later()
    [first, *_] = house.chairs
    assert left(first) == {"0": pytest.approx(DAY * 1000 - 50_000, abs=100)}
    await house.restart(seconds=2 * HOUR)
    first = await again(house)
    assert left(first) == {"0": pytest.approx((DAY - 2 * HOUR) * 1000 - 50_000, abs=2000)}
    await house.command(0, {"do": "configure", "settings": {"clock": msgspec.to_builtins(TURN)}})
    await later()
    # The turn is long over then; but who has just come back has a moment to look.
    assert left(first) == {"0": pytest.approx(MERCY, abs=10)}


@at_table(DAYS)
async def test_a_pause_of_days(house: House) -> None:
    first, *others = house.chairs
    await later(HOUR)
    await first.pause()
    await later()
    for chair in others:
        await chair.vote(True)
    await later()
    await house.restart(seconds=20 * HOUR)
    first = await again(house)
    await later(20 * HOUR)
    assert first.status["paused"]
    await first.pause(False)
    await later()
    # From the last entry on: where the pause began within the turn is not kept.
    assert left(first) == {"0": pytest.approx(DAY * 1000, abs=100)}
    await house.restart(seconds=HOUR)
    assert left(await again(house)) == {"0": pytest.approx((DAY - HOUR) * 1000, abs=2000)}


# --- rooms that nobody uses ----------------------------------------------------------------------


async def quiet_house() -> House:
    house = House("night-mail", 3, TURN, idle_days=2)
    await house.open()
    return house


async def is_forgotten(house: House) -> bool:
    await house.hub.sweep()
    return house.lounge.room.code not in house.store.rooms_


@at(quiet_house)
async def test_a_room_is_forgotten_after_its_days(house: House) -> None:
    await later(2 * DAY - HOUR)
    assert not await is_forgotten(house)
    await later(2 * HOUR)
    assert await is_forgotten(house)


@at(quiet_house)
async def test_a_room_is_forgotten_after_days_on_which_it_could_be_used(house: House) -> None:
    await house.restart(seconds=20 * DAY)
    await later(2 * DAY - HOUR)
    assert not await is_forgotten(house)
    await later(2 * HOUR)
    assert await is_forgotten(house)


@pytest.mark.parametrize("jump", [House.set_clock, House.sleep])
def test_a_clock_that_jumps_forgets_no_room(jump: Callable[[House, float], None]) -> None:
    @at(quiet_house)
    async def story(house: House) -> None:
        await later(2 * HOUR)
        jump(house, 20 * DAY)
        await later(2 * HOUR)
        assert not await is_forgotten(house)
        await later(2 * DAY)
        assert await is_forgotten(house)  # but that of its own days

    story()


@pytest.mark.parametrize("wrong", [-40 * DAY, 40 * DAY])
def test_a_room_of_an_evening_with_a_wrong_clock_is_not_forgotten(wrong: float) -> None:
    """What was written then is read on other days, with a clock that is right."""

    @at(quiet_house)
    async def story(house: House) -> None:
        house.set_clock(wrong)
        await house.restart()
        for person in (1, 2):
            await house.command(person, {"do": "ready"})
        await house.command(0, {"do": "start"})
        await later(HOUR)
        assert house.hub.lounges == {}
        house.set_clock(-wrong)
        for _ in range(5):
            await house.restart(visited=False)
            await house.hub.create("another", "", NewRoom("night-mail", name="Ada"))
            await later(2 * HOUR)
            assert not await is_forgotten(house)
            assert all(row.ended is None for row in house.store.matches_.values())

    story()


# --- what older versions wrote -------------------------------------------------------------------


@at_table(BANK, grace=HOUR)
async def test_times_that_fell_in_an_older_version(house: House) -> None:
    """There the computer's clock was set back by two hours: the turn after it is a turn, and its
    player keeps the bank."""
    first = house.chairs[0]
    await later(10)
    await first.do(load("letter"))
    await later(10)
    await first.do(load("parcel"))
    kept = house.store.entries_[house.table.row.id]
    fallen = msgspec.structs.replace(decode_entry(kept[-1].entry), at=-7_180_000)
    kept[-1] = msgspec.structs.replace(kept[-1], entry=encode(fallen))
    row = house.store.matches_[house.table.row.id]
    house.store.matches_[row.id] = msgspec.structs.replace(row, rested=-7_200_000)
    await house.restart()
    first = await again(house)
    assert left(first) == {"0": pytest.approx(160_000, abs=20)}
    assert first.status["bank"] == [120_000] * 3
    await later(10)
    await first.do(DEPART)
    assert times(house)[-1] == pytest.approx(20_000, abs=100)


def test_no_match_took_less_than_no_time() -> None:
    assert played([Move(0, [], at=-(10**15))]) == 0


@pytest.mark.parametrize("at", [10**30, -(10**30)])
async def test_a_record_that_says_it_took_ages_can_be_played_on(tmp_path: Path, at: int) -> None:
    record = json.loads((FIXTURES / "night-mail" / "arrived.json").read_text())
    record["entries"][1]["at"] = at

    async with serving(tmp_path) as server, server.client() as client:
        kept = await client.post("/api/records", record)
        wish = {"entries": 3, "seat": 0, "name": "Ada"}
        room = await client.post(f"/api/matches/{kept['id']}/continue", wish)
        assert room["seats"][0]["name"] == "Ada"
        assert not room["settings"]["watching"]  # as in every room of one person among bots


@at_table(TURN, grace=HOUR)
async def test_a_match_that_goes_on_from_another_goes_on_from_its_time(house: House) -> None:
    await later(40)
    await house.chairs[0].do(load("letter"))
    entries = list(house.table.match.entries)
    await house.command(0, {"do": "abandon"})
    for chair in house.chairs:
        await chair.go()
    hands = [[PARCEL, LETTER, LETTER], [LETTER] * 3, [LETTER] * 3]
    await house.begin(dealt(hands, pips=(1, 1, 6, 1)), entries, line="shuttle")
    await later(7)
    await house.chairs[0].do(DEPART)
    assert times(house) == [pytest.approx(t, abs=100) for t in (40_000, 47_000)]
