"""All rooms of this server: opened when somebody comes, put away when everybody left, and the doors to
them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from weakref import WeakValueDictionary

import msgspec

from capolinea.engine.problems import Problem, Refused
from capolinea.server import documents, logs
from capolinea.server.clock import SOON
from capolinea.server.codes import Codes, Missing
from capolinea.server.house import House
from capolinea.server.identity import Identity, new_code
from capolinea.server.limits import AtOnce, Rate, TooFast
from capolinea.server.lounge import Lounge
from capolinea.server.protocol import Bye, NewRoom, RoomLine, Start
from capolinea.server.rooms import Room, new_room
from capolinea.server.settings import Settings
from capolinea.server.store import (
    WRITER,
    DropRoom,
    DropUnused,
    EndMatch,
    MatchRow,
    NotRead,
    Store,
    StoreFailed,
)

#: Seconds between looks at what others did to our matches, at rooms that everybody left and at what is
#: due; and at rooms that nobody has used for days.
NOTICE = 10
SWEEP = 600
#: What is put away is opened so many milliseconds before something is due in it.
AHEAD = SOON // 2
#: So many of the matches that were open when the server ended go on at once while nobody comes to them.
AT_ONCE = 100
#: So many of their rooms somebody is shown.
MOST_OWN = 20
#: Milliseconds.
DAY = 24 * 3600 * 1000


class Hub(House):
    """The rooms of a server."""

    #: So many milliseconds after everybody left a room is put away. Nobody is made to write slower than
    #: that: who wrote when is forgotten.
    quiet = 600_000

    def __init__(self, settings: Settings, store: Store) -> None:
        super().__init__(settings, store)
        self.lounges: dict[str, Lounge] = {}
        self.metrics.rooms.set_function(lambda: len(self.lounges))
        self.metrics.matches.set_function(lambda: sum(map(_playing, self.lounges.values())))
        #: Held by who opens a room or puts it away; only as long as somebody waits there.
        self._gates: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        #: What is due until then was opened.
        self._opened_until = 0
        self._tasks: list[asyncio.Task[None]] = []
        hour, minute = 3600, 60
        self.room_rate = Rate(settings.rooms_per_hour, hour)
        self.address_room_rate = Rate(settings.address_rooms_per_hour, hour)
        self.request_rate = Rate(settings.requests_per_minute, minute)
        self.address_request_rate = Rate(settings.address_requests_per_minute, minute)
        self.message_rate = Rate(settings.socket_messages, 10)
        self.person_sockets = AtOnce(settings.person_sockets)
        self.address_sockets = AtOnce(settings.address_sockets)
        self.socket_rate = Rate(settings.sockets_per_minute, minute)
        self.address_socket_rate = Rate(settings.address_sockets_per_minute, minute)
        self.codes = Codes(
            settings.address_wrong_codes_per_hour, settings.wrong_codes_alarm, self.metrics
        )

    async def open(self) -> None:
        await self.store.open()
        try:
            self.secret = self.settings.secret or await self.store.secret()
            left_open = await self.store.left_open()
            self.up_before = await self.store.last_used()
        except StoreFailed as failure:
            await self.store.close()
            if failure.problem is None:
                raise
            raise failure.problem.again() from failure
        self.identity = Identity(self.secret)
        always = self._sweep(), self._watch_clock(), self._watch_due()
        self._tasks = [asyncio.create_task(one) for one in (*always, self._go_on(left_open))]

    def stop(self) -> None:
        """Nobody is asked any more and nothing is done for anybody: no clock runs, no bot plays. What
        people themselves do still counts, until they are told to come back in a moment."""
        self.stopping = True
        for task in self._tasks:
            task.cancel()
        for lounge in self.lounges.values():
            lounge.stop()

    def farewell(self) -> None:
        """Tell everybody to come back in a moment."""
        for lounge in self.lounges.values():
            for one in list(lounge.sockets):
                one.goodbye(Bye("restart"), code=1012)

    async def close(self) -> None:
        self.stop()
        for lounge in list(self.lounges.values()):
            await lounge.close()
        for processes in (self.minds, self.work, self.hints):
            processes.close()
        await self.store.close()

    # --- rooms -----------------------------------------------------------------------------------

    async def create(self, person: str, address: str, asked: NewRoom) -> Lounge:
        wait = self.room_rate.take(person) or self.address_room_rate.take(address)
        if wait:
            raise TooFast(wait)
        code = await self._free_code()
        room = new_room(code, person, asked, self.settings.name_length)
        why = room.hindrance(await self.set_up(room, address)) if asked.start else None
        if why is not None:
            raise why.again()  # and no room is left behind
        lounge = await self.add(room, address)
        if asked.start:
            async with self.making(lounge):
                await lounge.command(person, Start(), address)
        return lounge

    @asynccontextmanager
    async def making(self, lounge: Lounge) -> AsyncIterator[None]:
        """Around what a room is made for: if that cannot be, no room is left behind."""
        try:
            yield
        except (Problem, StoreFailed):
            del self.lounges[lounge.room.code]
            await lounge.close()
            with suppress(StoreFailed):  # then it is forgotten like any room that nobody uses
                await self.store.write(DropRoom(lounge.room.code))
            raise

    async def add(self, room: Room, address: str = "") -> Lounge:
        if len(self.lounges) >= self.settings.max_rooms:
            raise Refused("room.no-more-rooms")
        lounge = Lounge(self, room)
        await lounge.save(room, address=address)
        lounge.asked = self.awake()
        self.lounges[room.code] = lounge
        return lounge

    async def _free_code(self) -> str:
        while (code := new_code()) in self.lounges or await self.store.room(code) is not None:
            pass
        return code

    async def lounge(self, code: str, address: str = "") -> Lounge:
        """A room by its code, from memory or from the store; raises Missing."""
        code = code.upper()
        lounge = self.lounges.get(code) or await self._open(code, address)
        lounge.asked = self.awake()
        return lounge

    async def _open(self, code: str, address: str = "") -> Lounge:
        async with self._gate(code):
            if code not in self.lounges:
                doc = await self.store.room(code)
                if doc is None:
                    raise Missing("room.unknown")
                lounge = Lounge(self, await self._read(doc))
                await lounge.open(address)
                self.lounges[code] = lounge
        return self.lounges[code]

    def _gate(self, code: str) -> asyncio.Lock:
        return self._gates.setdefault(code, asyncio.Lock())

    async def visit(self, code: str, address: str) -> Lounge:
        """The room whose code somebody came with; raises Missing, or TooFast for who tries many."""
        with self.codes.trying(address, code.upper()):
            return await self.lounge(code, address)

    async def _read(self, doc: bytes) -> Room:
        """A room with the data that lies beside it."""
        room = _readable(doc)
        if room is None:
            raise Refused("room.unreadable")
        for own in room.data.values():
            if own.content is None:
                written = await self.store.data(own.hash)
                if written is None:
                    raise NotRead(f"there is no data {own.hash}")
                own.content = msgspec.json.decode(written)
        return room

    def public_rooms(self) -> list[RoomLine]:
        """Where one can sit down or watch, unless everybody left long ago; those with somebody there
        first."""
        found = [
            lounge
            for lounge in self.lounges.values()
            if lounge.room.settings.public and not lounge.room.settings.locked
        ]
        found.sort(key=lambda lounge: (not lounge.sockets, lounge.room.playing))
        return [lounge.room.line() for lounge in found if lounge.sockets or lounge.room.playing]

    async def rooms_of(self, person: str) -> list[RoomLine]:
        """Where somebody is or has a seat, also where nobody has been since the server started; first
        where a match is on, then where something happened last."""
        docs = await self.store.rooms_of(person, MOST_OWN)
        return [room.line() for doc in docs if (room := _readable(doc))]

    # --- matches ---------------------------------------------------------------------------------

    async def match(self, id: str) -> MatchRow:
        """A match as the store has it. If it has ended there it has ended in its room, too: nothing that
        is hidden is ever handed out of a match that goes on."""
        row = await self.store.match(id)
        if row is None:
            raise Missing("match.unknown")
        if row.ended is not None and row.room in self.lounges:
            await self.lounges[row.room].stop_match(id)
        return row

    # --- time ------------------------------------------------------------------------------------

    async def _watch_clock(self) -> None:
        naps = 0
        while True:
            await asyncio.sleep(self.beat)
            self.awake()
            if self.awake.naps > naps:
                naps = self.awake.naps
                for lounge in list(self.lounges.values()):
                    lounge.tell_match()  # there is more time than people were told

    # --- what goes on by itself -------------------------------------------------------------------

    async def _go_on(self, left_open: list[str]) -> None:
        """What was open when the server ended is looked after, one match after another: bots may have to
        move, and days pass. First comes who stands at the door."""
        await asyncio.sleep(self.beat)
        for code in left_open:
            while sum(lounge.asked is None for lounge in self.lounges.values()) >= AT_ONCE:
                await asyncio.sleep(NOTICE)
            await self._open_quietly(code)

    async def _watch_due(self) -> None:
        while True:
            await asyncio.sleep(NOTICE)
            try:
                await self.open_due()
            except Exception as error:  # there is a next time
                logs.tell_error("due-not-opened", error)

    async def open_due(self) -> None:
        """Open what is put away and needs its clock now. What is broken is not tried for ever."""
        until = self.now() + AHEAD
        if until < self._opened_until:  # the clock was set back
            self._opened_until = 0
        due = await self.store.due(self._opened_until, until)
        if all([await self._open_quietly(code) for code in due]):
            self._opened_until = until

    async def _open_quietly(self, code: str) -> bool:
        """Let the match of a room go on, although nobody has come. False: the store failed, and may not
        the next time."""
        loop = asyncio.get_running_loop()
        began, failed = loop.time(), False
        try:
            doc = await self.store.room(code)
            if doc is not None and documents.read(doc, Room).playing:
                await self._open(code)
        except Exception as problem:  # one room that is broken keeps no other closed
            logs.tell_error("room-not-opened", problem)
            failed = isinstance(problem, StoreFailed)
        await asyncio.sleep(loop.time() - began)  # half of the time belongs to those who came
        return not failed

    # --- tidying up ------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        swept = self.ticks()
        while True:
            await asyncio.sleep(NOTICE)
            try:
                await self.notice()
                await self.put_away()
                if self.ticks() - swept > SWEEP * 1000:
                    swept = self.ticks()
                    await self.sweep()
            except Exception as error:  # whatever it was: there is a next time
                logs.tell_error("sweep-failed", error)

    async def notice(self) -> None:
        """Somebody may have closed a match in the store, with `capolinea admin`."""
        playing = {one.room.match: one for one in self.lounges.values() if one.room.playing}
        running = await self.store.running(list(playing)) if playing else set()
        for match in playing.keys() - running:
            if playing[match].room.match == match:  # and no other one since
                await self._end_quietly(playing[match])

    async def _end_quietly(self, lounge: Lounge) -> None:
        try:
            await lounge.end()
        except Problem as problem:  # one room that cannot be ended now keeps no other waiting
            logs.tell_error("match-not-ended", problem)

    async def put_away(self) -> None:
        """Let go of rooms that everybody left; with a match that is on, too."""
        for lounge in list(self.lounges.values()):
            if self._is_left(lounge):
                await self._put_away(lounge)

    def _is_left(self, lounge: Lounge) -> bool:
        """Whether nobody would notice that a room is not in memory."""
        quiet = lounge.asked is None or self.awake() - lounge.asked >= self.quiet
        return quiet and lounge.at_rest()

    async def _put_away(self, lounge: Lounge) -> None:
        code = lounge.room.code
        async with self._gate(code):
            if not self._is_left(lounge):
                return  # somebody came while we waited
            del self.lounges[code]  # who comes now waits at the gate, and opens it again
            try:
                await lounge.put_away()
            except BaseException:
                self.lounges[code] = lounge  # nothing was let go
                raise

    async def sweep(self) -> None:
        """Forget rooms that nobody has used for long."""
        await self._forget(self.uptime() - self.settings.idle_days * DAY)
        await self.store.write(DropUnused())

    async def _forget(self, oldest: int) -> None:
        for code in await self.store.rooms_before(oldest):
            async with self._gate(code):
                if code not in self.lounges:
                    await self._drop(code)

    async def _drop(self, code: str) -> None:
        """Forget a room; a match that is on there ends, since nobody has come to it for so long."""
        left = [row for row in await self.store.matches(code) if row.ended is None]
        if all(row.writer <= WRITER for row in left):  # or else it is a newer server's
            ends = [EndMatch(row.id, self.now()) for row in left]
            await self.store.write(*ends, DropRoom(code))


def _readable(doc: bytes) -> Room | None:
    """A room, unless it is damaged; then it stays as it is."""
    try:
        return documents.read(doc, Room)
    except documents.UNREADABLE as error:
        logs.tell_error("room-not-read", error)
        return None


def _playing(lounge: Lounge) -> bool:
    return lounge.room.playing
