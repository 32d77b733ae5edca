"""Rooms that everybody left: they take no memory, come back as they were, and what happens in them by
itself happens all the same. A server that starts opens nothing before somebody is served."""

from __future__ import annotations

import asyncio
import gc
import re
import weakref
from collections.abc import Callable, Coroutine
from typing import Any, cast

import msgspec
import pytest

from capolinea.engine.problems import Refused
from capolinea.engine.record import Control, Move
from capolinea.server import hub, sitting
from capolinea.server.clock import MERCY
from capolinea.server.fold import decode_entry
from capolinea.server.lounge import Lounge
from capolinea.server.protocol import CLOCKS, Clock, NewRoom
from capolinea.server.store import AddEntries, EndMatch, NotRead, PutMatch
from capolinea.server.table import Table
from tests.server.hourglass import House, MemoryStore, Setting, at, later, now, turned
from tests.server.mail import BANDIT, DEPART, LETTER, PARCEL, dealt, load, offer
from tests.server.test_playtime import do_go_on, do_load, do_offer, do_pass, do_pause, do_take_back

NONE = CLOCKS["none"]
TURN = Clock("relaxed", turn=60, window=10)
BANK = Clock("live", turn=40, bank=120, window=6)
DAYS = CLOCKS["days"]
HOUR, DAY = 3600, 24 * 3600
HANDS = [[PARCEL, LETTER, LETTER], [BANDIT, LETTER, LETTER], [LETTER, LETTER, LETTER]]

Doing = Callable[[House], Coroutine[Any, Any, None]]


async def table_of(clock: Clock, people: int = 3, bots: int = 0, **settings: Any) -> House:
    house = House("night-mail", people, clock, **settings)
    await house.open(bots)
    await house.begin(dealt(HANDS, pips=(1, 1, 6, 1)), line="shuttle")
    return house


def at_table(clock: Clock, people: int = 3, bots: int = 0, **settings: Any) -> Setting:
    return at(lambda: table_of(clock, people, bots, **settings))


async def leave(house: House) -> None:
    for chair in house.chairs:
        await chair.go()


async def come(house: House) -> None:
    for chair in house.chairs:
        await chair.come()


def in_memory(house: House) -> bool:
    return house.lounge.room.code in house.hub.lounges


def entries(house: House) -> list[Any]:
    """As they are stored."""
    [kept] = house.store.entries_.values()
    return [decode_entry(row.entry) for row in kept]


def moves(house: House) -> list[int]:
    return [entry.seat for entry in entries(house) if isinstance(entry, Move)]


# --- back as it was ------------------------------------------------------------------------------


async def do_nothing(house: House) -> None: ...


async def do_write(house: House) -> None:
    await house.chairs[0].write("back in a moment")
    await house.chairs[1].keep(notes="the bandit is mine")


async def do_propose(house: House) -> None:
    await house.chairs[0].pause()


async def do_decline(house: House) -> None:
    await house.chairs[0].pause()
    await later()
    await house.chairs[1].vote(False)


async def do_set_back(house: House) -> None:
    house.set_clock(-5 * HOUR)


#: What is done before everybody leaves for a while, and how long they stay after it.
EVENING: list[tuple[Doing, float]] = [
    (do_nothing, 13),
    (do_load, 30),
    (do_write, 5),
    (do_take_back, 20),
    (do_pause, 1),
    (do_go_on, 11),
    (do_set_back, 1),
    (do_propose, 10),
    (do_decline, 3),
    (do_offer, 4),
    (do_pass, 2),
    (do_nothing, 20),
    (do_nothing, 300),
]


@turned
async def evening(clock: Clock, bots: int, forget: bool) -> list[list[tuple[int, str]]]:
    """What everybody hears and when, if everybody leaves for a while after each thing that is done."""
    house = await table_of(clock, 3 - bots, bots, vote_time=60, grace=HOUR)
    if not forget:
        house.hub.quiet = 10**12
    away = 0
    for do, seconds in EVENING:
        await do(house)
        await later(seconds)
        await leave(house)
        await later(HOUR)
        away += not in_memory(house)
        await come(house)
    assert away == (len(EVENING) if forget else 0)
    names = [house.lounge.room.code, house.table.row.id]
    heard = [
        [(when, _without(names, text)) for when, text in chair.heard] for chair in house.chairs
    ]
    heard.append([(asked, repr(ask.seat)) for asked, ask in house.minds.asked if ask.speak])
    await house.close()
    return heard


def _without(names: list[str], text: str) -> str:
    for name in names:
        text = text.replace(name, "*")
    if text.startswith(('{"t":"room"', '{"t":"presence"')):
        text = re.sub(r'"n":\d+', '"n":0', text)  # a room that is opened counts its changes anew
    return re.sub(r'"[0-9a-f]{32}"', '"id"', text)


@pytest.mark.parametrize("bots", [0, 1])
@pytest.mark.parametrize("clock", [NONE, TURN, BANK, DAYS], ids=lambda clock: clock.kind)
def test_nobody_can_tell_that_a_match_was_put_away(clock: Clock, bots: int) -> None:
    """Frames, held answers, notes, chat, proposals, how long there is: all of it, to the millisecond.
    And no bot speaks a second time at the same moment."""
    assert evening(clock, bots, forget=True) == evening(clock, bots, forget=False)


@at_table(DAYS)
async def test_who_is_called_is_called_once_for_each_question(house: House) -> None:
    calls: list[str] = []

    async def call(url: str, *_: Any) -> None:
        calls.append(url)

    first, second, third = house.chairs
    await second.keep(webhook="https://example.org/second")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sitting, "call", call)
        await second.go()
        await first.do(load("letter"))
        await offer(first, signer=1)
        await later()
        assert calls == ["https://example.org/second"]
        await first.go()
        await third.go()
        await later(HOUR)
        assert not in_memory(house)
        await first.come()
        await first.say({"bag": ["letter"]})  # news for everybody
        await later()
    assert len(calls) == 1


@at_table(TURN)
async def test_of_what_is_put_away_nothing_stays_in_memory(house: House) -> None:
    """And nobody has to wait for the garbage collector to find it: it may be busy elsewhere."""
    gone = weakref.ref(house.table)
    gc.disable()
    try:
        await leave(house)
        await later(HOUR)
        assert not in_memory(house)
        house._table = None
        assert gone() is None
    finally:
        gc.enable()


async def room_without_a_match() -> House:
    house = House("night-mail", 3, NONE)
    await house.open()
    return house


@at(room_without_a_match)
async def test_a_room_in_which_nobody_plays_waits_as_long(house: House) -> None:
    """Who opened it may still be on the way."""
    await later(300)
    assert in_memory(house)
    await later(HOUR)
    assert not in_memory(house)
    assert (await house.hub.lounge(house.lounge.room.code)).room == house._lounge.room


@at_table(NONE, vote_time=DAY)
async def test_what_people_are_asked_keeps_a_room_open(house: House) -> None:
    await house.chairs[0].pause()
    await leave(house)
    await later(HOUR)
    assert in_memory(house)
    await house.chairs[1].come()
    await house.chairs[1].vote(True)
    await leave(house)
    await later(DAY)
    assert not in_memory(house)


@at_table(NONE, people=2, bots=1)
async def test_and_so_does_a_bot_that_thinks(house: House) -> None:
    house.minds.seconds = lambda ask: 5 * HOUR
    await house.command(0, {"do": "replace", "seat": 0})
    await leave(house)
    await later(4 * HOUR)
    assert in_memory(house)
    assert moves(house) == []
    await later(DAY)
    assert set(moves(house)) == {0}
    assert not in_memory(house)  # now the second person is waited for


# --- what happens by itself ----------------------------------------------------------------------


@at_table(DAYS)
async def test_the_clock_of_a_match_that_is_put_away_runs_out(house: House) -> None:
    await leave(house)
    await later(DAY - HOUR)
    assert not in_memory(house)
    assert moves(house) == []
    await later(HOUR + 1)
    assert moves(house) == [0]
    assert entries(house)[-1].at == pytest.approx(DAY * 1000, abs=50)
    await later(DAY - HOUR)
    assert not in_memory(house)
    await later(HOUR)
    # Who was absent twice in a row is replaced, as if all that time it had been in memory.
    assert [one.by for one in entries(house) if isinstance(one, Control)] == ["bot"]


@at_table(DAYS)
async def test_it_runs_out_also_after_a_restart_to_which_nobody_comes(house: House) -> None:
    await leave(house)
    await later(HOUR)
    await restart(house, HOUR)
    await later(DAY - 3 * HOUR)
    assert house.hub.lounges == {}
    assert moves(house) == []
    await later(HOUR + 3)
    assert moves(house) == [0]


@at_table(DAYS)
async def test_who_comes_back_to_a_server_that_was_off_for_days_has_a_moment(house: House) -> None:
    await leave(house)
    await later(HOUR)
    await restart(house, 3 * DAY)
    await later(hub.NOTICE + 1)
    assert in_memory(house)
    assert moves(house) == []
    await later(MERCY / 1000)
    assert moves(house) == [0]


@pytest.mark.parametrize("clock", [NONE, TURN, BANK], ids=lambda clock: clock.kind)
def test_other_clocks_stand_still_while_nobody_is_there(clock: Clock) -> None:
    @at_table(clock)
    async def story(house: House) -> None:
        await leave(house)
        await later(HOUR)
        [away] = house.store.away_.values()
        assert away.due is None
        await restart(house, HOUR)
        await later(2 * DAY)
        assert moves(house) == []

    story()


@at_table(TURN, people=1, bots=2)
async def test_bots_play_on_at_a_table_that_nobody_watches(house: House) -> None:
    """Also if the server was stopped before it was their turn: nothing is stored then."""
    first = house.chairs[0]
    house.minds.seconds = lambda ask: HOUR
    for do in (DEPART, [{"do": "keep"}]):
        await first.do(do)
    await first.go()
    house.minds.seconds = lambda ask: 0
    await restart(house)
    assert set(moves(house)) == {0}
    await later(MERCY)
    assert set(moves(house)) == {0, 1, 2}
    assert not in_memory(house)


@at_table(NONE, people=1, bots=2)
async def test_bots_alone_play_to_the_end(house: House) -> None:
    await house.command(0, {"do": "replace", "seat": 0})
    await leave(house)
    await restart(house)
    await later(HOUR)
    [row] = house.store.matches_.values()
    assert row.ended is not None
    assert house.hub.lounges == {}


@at_table(DAYS)
async def test_what_cannot_be_opened_is_not_tried_for_ever(house: House) -> None:
    await leave(house)
    await later(HOUR)
    tried = []

    async def open(_lounge: Lounge, _address: str) -> None:
        tried.append(now())
        raise ValueError("broken")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lounge, "open", open)
        await later(3 * DAY)
    assert len(tried) == 1


@at_table(DAYS)
async def test_what_the_store_did_not_hand_out_is_tried_again(house: House) -> None:
    await leave(house)
    await later(HOUR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MemoryStore, "room", unread)
        await later(DAY)
        assert moves(house) == []
    await later(MERCY / 1000 + 2 * hub.NOTICE)
    assert moves(house) == [0]


async def unread(_store: MemoryStore, _code: str) -> bytes | None:
    raise NotRead


async def restart(house: House, seconds: float = 1) -> None:
    """The server ends and comes back, and nobody comes."""
    await house.hub.close()
    await later(seconds)
    house.hub = house._hub()
    await house.hub.open()


# --- who comes at that very moment ---------------------------------------------------------------


@at_table(TURN)
async def test_who_comes_while_it_is_being_put_away_finds_one_room(house: House) -> None:
    await leave(house)
    house.hub.quiet = 0
    house.store.seconds = 5
    sweeping = asyncio.create_task(house.hub.put_away())
    await later()
    assert not in_memory(house)
    found = await asyncio.gather(*(house.hub.lounge(house.lounge.room.code) for _ in range(3)))
    await sweeping
    assert len(set(map(id, found))) == 1
    assert house.store.away_ == {}
    house.store.seconds = 0
    await come(house)
    await house.chairs[0].do(load("letter"))


@at_table(DAYS)
async def test_what_cannot_be_kept_is_not_put_away(house: House) -> None:
    await leave(house)
    house.store.failing = True
    await later(HOUR)
    assert in_memory(house)
    house.store.failing = False
    await later(DAY)
    assert moves(house) == [0]


@at_table(TURN)
async def test_a_match_that_was_closed_while_it_was_put_away_is_over(house: House) -> None:
    await leave(house)
    await later(HOUR)
    [match] = house.store.matches_
    await house.store.write(EndMatch(match, 7))
    await house.chairs[0].come()
    assert not house.lounge.room.playing


# --- nobody comes any more -----------------------------------------------------------------------


@at_table(TURN, max_rooms=1)
async def test_a_room_that_everybody_left_does_not_count(house: House) -> None:
    other = NewRoom("night-mail", name="Ada")
    with pytest.raises(Refused) as refused:
        await house.hub.create("ada", "", other)
    assert refused.value.key == "room.no-more-rooms"
    await leave(house)
    await later(HOUR)
    await house.hub.create("ada", "", other)


@at_table(TURN, idle_days=3)
async def test_a_match_that_nobody_comes_to_ends_with_its_room(house: House) -> None:
    for _ in range(2):  # who only looks in uses it, too
        await later(HOUR)
        await leave(house)
        await later(2 * DAY)
        await come(house)
    await leave(house)
    await later(3 * DAY - HOUR)
    assert len(house.store.rooms_) == 1
    await later(2 * HOUR)
    [row] = house.store.matches_.values()
    assert row.ended is not None
    assert house.store.rooms_ == {}


@at_table(NONE, idle_days=3)
async def test_what_a_newer_server_wrote_is_left_alone(house: House) -> None:
    await leave(house)
    await later(HOUR)
    [(match, row)] = house.store.matches_.items()
    house.store.matches_[match] = msgspec.structs.replace(row, writer=row.writer + 1)
    await later(4 * DAY)
    assert house.store.matches_[match].ended is None
    assert len(house.store.rooms_) == 1


# --- a server that starts ------------------------------------------------------------------------


class Counting(MemoryStore):
    """Notes what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if not name.startswith("_") and asyncio.iscoroutinefunction(found):
            self.asked.append(name)
        return found


async def full_house(copies: int) -> House:
    """At each of so many tables a bot is to move; and nobody is there."""
    house = House("night-mail", 1, TURN)
    house.store = Counting()
    house.hub = house._hub()
    house.minds.seconds = lambda ask: DAY
    await house.open(bots=2)
    await house.begin(dealt(HANDS, start=1, pips=(1, 1, 6, 1)), line="shuttle")
    await leave(house)
    await house.hub.close()
    house.minds.seconds = lambda ask: 0
    store = house.store
    [(code, room)], [(match, row)] = store.rooms_.items(), store.matches_.items()
    for number in range(copies):
        other, name = f"R{number:05}", f"{number:032x}"
        again = room.doc.replace(code.encode(), other.encode()).replace(
            match.encode(), name.encode()
        )
        await store.write(
            msgspec.structs.replace(room, code=other, doc=again),
            PutMatch(msgspec.structs.replace(row, id=name, room=other)),
            AddEntries(name, store.entries_[match]),
        )
    return house


@pytest.mark.parametrize("matches", [1, 1000])
@turned
async def test_a_server_that_starts_reads_as_little_however_many_matches_are_on(
    matches: int,
) -> None:
    house = await full_house(matches)
    asked = cast(Counting, house.store).asked
    asked.clear()
    house.hub = house._hub()
    await house.hub.open()
    assert asked == ["open", "secret", "left_open", "last_used"]
    await house.close()


@turned
async def test_no_match_is_opened_before_somebody_was_served(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened = []
    load = Table.load

    async def noted(table: Table) -> None:
        opened.append(table.row.room)
        await load(table)

    house = await full_house(20)
    monkeypatch.setattr(Table, "load", noted)
    house.hub = house._hub()
    await house.hub.open()
    await later()  # whoever waits at the door comes in
    assert opened == []
    await house.hub.lounge("R00017")
    assert opened == ["R00017"]
    await later(HOUR)
    # Then all, and each once; and when their bots have played they are put away.
    assert len(opened) == len(set(opened)) == 21
    assert house.hub.lounges == {}
    for kept in house.store.entries_.values():
        assert any(isinstance(decode_entry(row.entry), Move) for row in kept)
    await house.close()


@turned
async def test_not_all_of_them_go_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "AT_ONCE", 5)

    house = await full_house(30)
    house.minds.seconds = lambda ask: 5
    house.hub = house._hub()
    await house.hub.open()
    most = 0
    while house.store.away_.keys() != house.store.matches_.keys():
        await later(1)
        most = max(most, len(house.hub.lounges))
    assert most == 5
    await house.close()


@turned
async def test_what_others_did_is_one_question_however_many_matches_are_on() -> None:
    house = await full_house(30)
    house.hub = house._hub()
    await house.hub.open()
    for code in house.store.rooms_:
        await house.hub.lounge(code)
    asked = cast(Counting, house.store).asked
    asked.clear()
    await house.hub.notice()
    assert asked == ["running"]
    await house.close()


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("away", [False, True])
@pytest.mark.parametrize("wrong", [40 * DAY, -40 * DAY, 30 * 365 * DAY])
def test_a_wrong_calendar_costs_no_move_in_memory_or_put_away(
    wrong: int, away: bool, restarted: bool
) -> None:
    @at_table(DAYS, grace=HOUR)
    async def story(house: House) -> None:
        if not away:
            house.hub.quiet = 10**12
        await leave(house)
        await later(HOUR)
        assert in_memory(house) is not away
        house.set_clock(wrong)
        if restarted:
            await house.restart(seconds=60, visited=False)
        await later(HOUR)
        house.set_clock(-wrong)
        await later(HOUR)
        assert entries(house) == []

    story()


@at_table(Clock("days", turn=20 * DAY))
async def test_who_has_weeks_has_so_many_and_no_more(house: House) -> None:
    """Although nobody believes a calendar that is weeks off."""
    await leave(house)
    await later(20 * DAY - HOUR)
    assert moves(house) == []
    await later(2 * HOUR)
    assert moves(house) == [0]
