"""A room with people in it: their sockets, the match that is on, chat, proposals, presence.

What the room is stands in rooms.py; here it meets the network. Every change is stored, then told.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from math import ceil
from typing import Any

import msgspec

from capolinea.engine.match import Match
from capolinea.engine.problems import Problem, Refused
from capolinea.engine.record import Record
from capolinea.server import documents, logs, rights
from capolinea.server.chat import Channel, Reader, Talk, Written
from capolinea.server.codes import Missing
from capolinea.server.fold import Fold, check_writer, header_of
from capolinea.server.house import House
from capolinea.server.identity import new_match_id
from capolinea.server.limits import TooFast
from capolinea.server.protocol import (
    Abandon,
    Bye,
    Chat,
    Command,
    Hello,
    Leave,
    Presence,
    Replace,
    RoomView,
    Start,
    TakeBack,
    Why,
    Write,
    encode,
    room_as_read,
    room_news,
)
from capolinea.server.rights import About, Part
from capolinea.server.rooms import Here, Person, Room, Seat
from capolinea.server.set_up import SetUp, usual_bot
from capolinea.server.sitting import Listener, Sitting, Stood
from capolinea.server.store import (
    AddEntries,
    Change,
    DropChat,
    EndMatch,
    EntryRow,
    MatchRow,
    PutAway,
    PutData,
    PutMatch,
    PutRoom,
    Release,
    StoreFailed,
    TouchRoom,
    WakeUp,
)
from capolinea.server.table import NotKept, Table
from capolinea.server.tasks import Tasks
from capolinea.server.work import Busy

#: Milliseconds; more than the store could count back from now is a joke.
LONGEST_PLAY = 2**53


class Lounge:
    """One room, live."""

    def __init__(self, house: House, room: Room) -> None:
        self.house = house
        self.room = room
        self.set_up: SetUp
        #: The hashes of data of this room that the store has for it.
        self._kept_data: set[str] = set()
        self.lock = asyncio.Lock()
        self.sockets: set[Listener] = set()
        #: The match of the room, live.
        self.sitting: Sitting | None = None
        #: Why there is none although there is a match.
        self._unopened: Problem | None = None
        self.talk = Talk(room.code, house.settings.chat_lines)
        #: When somebody last asked for it, by how long the server has been awake; None: nobody has.
        self.asked: int | None = None
        #: Whether somebody was here, or had been when the server ended.
        self._used = False
        #: The room as all see it, as JSON, and what it was made from.
        self._shown: tuple[Room, Here, bytes] | None = None
        #: The same before it was numbered, and the number of what was told last.
        self._view: RoomView | None = None
        self._n = 0
        #: Who is here, as everybody was told; and whether there is news of that.
        self._told_here = Here()
        self._presence_due = False
        self._tasks = Tasks()
        self._host_gone: asyncio.TimerHandle | None = None

    @property
    def table(self) -> Table | None:
        return self.sitting.table if self.sitting is not None else None

    async def open(self, address: str = "") -> None:
        """Go on where the store says that things stood, for somebody at this address if at all."""
        self.set_up = await self.house.set_up(self.room, address)
        match = self.room.match if self.room.playing else ""
        self.talk.load(await self.house.store.chat(self.room.code, self.talk.most), match)
        await self._open_match()

    async def _open_match(self) -> None:
        """Have the match of the room live, if there is one that can be read."""
        if not self.room.match or self.sitting is not None or self._unopened is not None:
            return
        row = await self.house.store.match(self.room.match)
        try:
            # What the room says is over does not go on, even where an older version did not end it.
            if row is None or (row.ended is None and not self.room.playing):
                raise Missing("match.unknown")
            await self._take_up(row)
        except Problem as problem:  # the room outlives a match that nobody can read
            self._unopened = problem.again()
            self._shown = None
            if self.room.playing or row is not None:  # but old ones may be forgotten
                logs.tell_error("match-not-opened", problem)

    async def close(self) -> None:
        if self._host_gone is not None:
            self._host_gone.cancel()
        await self._tasks.end()
        await self._rise()

    def stop(self) -> None:
        """Clocks, bots and all else that goes on by itself."""
        self._tasks.stop()
        if self.sitting is not None:
            self.sitting.stop()

    def at_rest(self) -> bool:
        """Whether nobody is here, and nothing happens soon unless somebody comes."""
        if self.sockets or self._tasks or self.lock.locked() or self.talk.lock.locked():
            return False
        return self.sitting is None or self.sitting.at_rest()

    async def put_away(self) -> None:
        """Keep how things stand, and let go of them."""
        changes: list[Change] = []
        if self.room.playing and self.sitting is not None:
            due, stood = self.sitting.timekeeper.due(), encode(self.sitting.stands())
            changes.append(PutAway(self.room.match, due, stood))
        if not self.room.playing and not self.room.settings.keep_chat:
            changes.append(DropChat(self.room.code))
        if self._used:
            changes.append(TouchRoom(self.room.code, self.house.uptime()))
        if changes:
            await self.house.store.write(*changes)
        await self.close()

    async def _stood(self, match: str) -> Stood:
        """How the match stood, if it was put away."""
        if not self.room.playing:
            return Stood()
        doc = await self.house.store.put_away(match)
        if doc is None:
            self._used = True  # it has just begun, or was open when the server ended
            return Stood()
        with suppress(StoreFailed):  # it can be looked at all the same
            await self.house.store.write(WakeUp(match))
        try:
            return msgspec.json.decode(doc, type=Stood)
        except msgspec.DecodeError:  # a newer server's; then it is as after a restart
            return Stood()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        if self.house.stopping:
            work.close()
        else:
            self._tasks.run(work)

    # --- the room --------------------------------------------------------------------------------

    def view(self, reader: str) -> bytes:
        """The room as this person sees it: a RoomView as JSON."""
        return room_as_read(self._shared(), self.room.yours(reader))

    def _shared(self) -> bytes:
        """What all see of it, made once for as long as nothing changes."""
        room, here = self.room, self._here()
        if self._shown is None or self._shown[0] is not room or self._shown[1] != here:
            link = self.house.link(f"/room/{room.code}")
            view = room.view(self.set_up, here, link, self.house.reach)
            if self._unopened is not None:
                view = msgspec.structs.replace(view, unopened=Why.of(self._unopened))
            if view != self._view:
                self._view = view
                self._n += 1
            self._shown = room, here, encode(msgspec.structs.replace(view, n=self._n))
        return self._shown[2]

    def _here(self) -> Here:
        return Here(
            frozenset(self.room.whom(socket.person) for socket in self.sockets),
            frozenset(socket.seat for socket in self.sockets if socket.seat is not None),
            sum(socket.seat is None for socket in self.sockets),
        )

    async def command(self, person: str, command: Command, address: str = "") -> None:
        """Do what somebody at this address asks for, or raise a Problem."""
        async with self.lock:
            self.room.check_inside(person)
            match command:
                case Start():
                    await self._start(person, address)
                case Replace(seat, bot):
                    await self._replace(person, seat, bot)
                case TakeBack(seat):
                    await self._take_back(person, seat)
                case Abandon():
                    self.room.only_host(person, for_good=True)
                    await self._abandon()
                case _:
                    await self._change(person, command, address)
        self.tell_room()
        self._watch_host()

    async def _enter(self, person: str) -> None:
        """Be among the people of this room, and its host if somebody only stood in for them."""
        if self.room.person(person) is None or self.room.is_away_host(person):
            before, room = self.room, self.room.copy()
            room.make_space({socket.person for socket in self.sockets})
            room.enter(person)
            room.welcome_host(person)
            await self.save(room)
            if room.seats_of(person) or room.host != before.host:
                self.tell_room()  # of who only came by, `_tell_presence` says all there is to say

    async def save(self, room: Room, *changes: Change, address: str = "") -> None:
        await self._keep(room, await self.house.set_up(room, address), *changes)

    async def _keep(self, room: Room, set_up: SetUp, *changes: Change) -> None:
        await self.house.store.write(*self._put(room), *changes)
        self.room, self.set_up = room, set_up
        self._kept_data = {own.hash for own in room.data.values()}

    def _put(self, room: Room) -> list[Change]:
        """The room, after what lies beside it and is new there."""
        own = {one.hash: one for one in room.data.values()}
        new = [
            PutData(hash, one.written()) for hash, one in own.items() if hash not in self._kept_data
        ]
        doc, people = documents.write(room), sorted(room.known())
        return [
            *new,
            PutRoom(room.code, doc, self.house.uptime(), people, [*own], room.playing),
        ]

    async def renew_key(self, person: str, seat: int, key: str) -> None:
        """Another personal link for a chair. Devices that came by an older one only watch from now on."""
        async with self.lock:
            room = self.room.copy()
            room.renew_key(person, seat, key)
            await self.save(room)
            self._follow_all(room.seats)
            await self._show_all()
        self.tell_room()
        self.tell_match()

    async def use_key(self, person: str, key: str) -> None:
        """Have a chair on this device, too, with the key of its personal link."""
        async with self.lock:
            room = self.room.copy()
            room.use_key(person, key)
            await self.save(room)
        self.tell_room()

    async def mute(self, person: str, number: int, muted: bool) -> None:
        async with self.lock:
            room = self.room.copy()
            room.mute(person, number, muted)
            await self.save(room)
        self.tell_room(person)

    def reader(self, socket: Listener) -> Reader:
        """As whom a socket reads the chat. Who plays does not listen to those who watch."""
        watches = socket.seat is None and not self.room.seats_of(socket.person)
        mutes = self.room.mutes.get(socket.person, [])
        match = socket.part.match if socket.part is not None else ""
        return Reader(match, socket.viewer, watches, mutes)

    def tell_chat(self, lines: Iterable[Written], sockets: Iterable[Listener]) -> None:
        for written in lines:
            coded = encode(written.line)
            for socket in sockets:
                # It is asked again when it goes out. But what is not for a slow reader must not wait for
                # them either: how soon they are let go would tell how much others write.
                if self.may_receive(socket, written):
                    socket.send(coded, written)

    async def write(self, socket: Listener, message: Write) -> None:
        """Somebody writes to the others. One line after another: one that comes again while it is being
        stored is the same."""
        async with self.talk.lock:
            me = self.room.whom(socket.person)
            person = self.room.person(me)
            if person is None:
                raise Refused("room.stranger")
            if self.talk.sent(me, message.id):
                return
            self._check_pace(me, socket.address)
            settings, awake = self.house.settings, self.house.awake()
            hushed, slow = me in self.room.hushed, self.room.settings.slow
            text = self.talk.check(me, hushed, message.text, settings.chat_length, slow, awake)
            name = person.name if socket.seat is None else self.room.seats[socket.seat].name
            to, team = self._channel(socket, message)
            line = Chat(0, person.number, name, to, text, self.house.now())
            written, change = self.talk.write(Written(line, me, team, client=message.id))
            await self.house.store.write(change)
            self.talk.keep(written)
            self.tell_chat([written], self.sockets)

    def _check_pace(self, person: str, address: str) -> None:
        """Everybody reads it, and must be able to reach what hushes somebody."""
        house = self.house
        wait = house.chat_rate.take(person) or house.address_chat_rate.take(address)
        if wait:
            raise Refused("chat.slow", seconds=ceil(wait))

    def _channel(self, socket: Listener, message: Write) -> tuple[Channel, list[int]]:
        """Whom it goes to; for a team its seats in the match."""
        if message.to == "table":
            watches = self.room.playing and self.reader(socket).watches
            return ("watchers" if watches else "table"), []
        if socket.viewer is None or not self.room.playing:
            raise Refused("chat.no-team")
        table = self.running().table
        team = table.match.state.team(socket.viewer)
        if not team:
            raise Refused("chat.no-team")
        if (message.match, sorted(message.team)) != (table.row.id, sorted(team)):
            raise Refused("chat.other-team")
        return "team", team

    def may_receive(self, socket: Listener, about: About) -> bool:
        """Whether a message may go out to this socket now. There is no other way to it."""
        room, person = self.room, socket.person
        match about:
            case None:
                return True
            case "room":
                return rights.is_inside(room, person)
            case Part():
                return rights.may_see(room, person, about)
            case Written():
                # What is said during a match is for those who may see it.
                inside = rights.is_inside(room, person)
                hears = about.match != room.match or rights.may_watch(room, person)
                return inside and hears and self.talk.may_read(about, self.reader(socket))

    async def _change(self, person: str, command: Command, address: str) -> None:
        before, room = self.room, self.room.copy()
        chairs = list(room.seats)
        room.make_space({person, *(socket.person for socket in self.sockets)})
        room.do(person, command)
        gone = {person} if isinstance(command, Leave) else set(room.removed) - set(before.removed)
        staying = {socket.seat for socket in self.sockets if socket.person not in gone}
        left = [seat for seat in before.played_by(gone) if seat not in staying]
        await self.save(room, address=address)
        # From here on it has happened: nothing that follows may be refused.
        self._follow_all(chairs)
        for socket in [one for one in self.sockets if one.person in room.removed]:
            socket.goodbye(Bye("removed"))
            self.depart(socket)  # it is not here any more, however long it takes to close
        await self._show_all()
        await self._replace_gone(left)
        self.tell_match()  # the clock may be another one

    async def _replace_gone(self, left: list[int]) -> None:
        """Who goes leaves the seat to a bot at once, without the time that an accident gets; if that
        cannot be stored now, then as soon as it can."""
        try:
            for seat in left:
                await self._hand_to_bot(seat)
        except NotKept:
            self._run(self._replace_later(left))
        except Problem:
            pass  # the match has ended in the meantime

    async def _replace_later(self, left: list[int]) -> None:
        await asyncio.sleep(Table.retry)
        async with self.lock:
            # But not who has come back since.
            await self._replace_gone([seat for seat in left if not self._is_here(seat)])

    def _is_here(self, room_seat: int) -> bool:
        return any(self.room.person(holder) for holder in self.room.seats[room_seat].holders)

    def _follow_all(self, chairs: list[Seat]) -> None:
        """Those were the chairs of the room before it changed."""
        for socket in self.sockets:
            if socket.seat is not None:
                self._follow(socket, chairs[socket.seat])

    def _follow(self, socket: Listener, chair: Seat) -> None:
        """A socket stays with its chair; one whose chair is gone only watches."""
        found = [number for number, seat in enumerate(self.room.seats) if seat is chair]
        mine = found and self.room.holds(socket.person, found[0])
        socket.seat = found[0] if mine else None

    def tell_room(self, person: str = "") -> None:
        """Tell this person, or all, how the room is now."""
        self._tell_room(one for one in self.sockets if person in ("", one.person))
        if not person:
            self._told_here = self._here()

    def _tell_room(self, sockets: Iterable[Listener]) -> None:
        shared = self._shared()
        for socket in sockets:
            view = room_as_read(shared, self.room.yours(socket.person))
            socket.send(room_news(view, socket.seat), "room")

    # --- a match ---------------------------------------------------------------------------------

    def running(self) -> Sitting:
        """The match that is on."""
        if self.sitting is None or not self.room.playing:
            raise self.no_match()
        return self.sitting

    def no_match(self) -> Problem:
        """Why nobody can play here."""
        if self.room.playing and self._unopened is not None:
            return self._unopened.again()
        return Refused("room.no-match")

    async def _start(self, person: str, address: str) -> None:
        self.room.may_start(person, self.set_up)
        house = self.house
        wait = house.match_rate.take(person) or house.address_match_rate.take(address)
        if wait:
            raise TooFast(wait)
        room = self.room.copy()
        filled = room.filled()
        names = [room.seats[seat].name for seat in filled]
        # Data of somebody's own is looked through once more.
        match = await asyncio.to_thread(
            lambda: Match(room.game, names, room.game_options(), seed=secrets.token_bytes(32))
        )
        bots = {number: room.seats[seat].bot for number, seat in enumerate(filled)}
        await self.begin(room, filled, match.record(reveal=True), [], bots)

    async def play_on(
        self, person: str, seat: int, bot: str, header: Record, entries: list[Any]
    ) -> None:
        """Go on from what others have played, in one of their seats, with bots in the rest."""
        async with self.lock:
            room, seats = self.room.copy(), list(range(len(header.seats)))
            room.seat_for(person, seat, header.seats, bot)
            bots = {number: room.seats[number].bot for number in seats}
            await self.begin(room, seats, header, entries, bots)

    async def begin(
        self,
        room: Room,
        seats: list[int],
        header: Record,
        entries: list[Any],
        bots: dict[int, str],
    ) -> None:
        """A new match in this room: stored with the room, then told."""
        room.begin_match(new_match_id(), seats)
        header = msgspec.structs.replace(header, entries=[], checks=[], result=None)
        row = MatchRow(
            id=room.match,
            room=room.code,
            header=encode(header),
            began=self.house.now() - played(entries),
            public=room.settings.public,
        )
        rows = await asyncio.to_thread(first_entries, room, row, entries, bots)
        await self.save(room, PutMatch(row), AddEntries(row.id, rows))
        # From here on it has begun, even if the store cannot be read now: then whoever comes opens it.
        self.talk.begin(row.id)
        self._tasks.stop()
        await self._rise()
        self._unopened = None
        try:
            await self._open_match()
        except StoreFailed:
            for socket in self.sockets:
                socket.goodbye(Bye("restart"))
        else:
            await self._show_all()

    async def _take_up(self, row: MatchRow) -> None:
        """Have the match live: people can join it, time passes, bots play."""
        table = await self.house.table(row)
        sitting = Sitting(self.house, self, table, await self._stood(row.id))
        await sitting.proposals.take_up()
        self.sitting = sitting
        if self.room.playing and sitting.table.over:
            await self._finish()  # it ended just before a restart
        sitting.begin()

    async def _rise(self) -> None:
        """Everybody gets up from the match."""
        sitting, self.sitting = self.sitting, None
        if sitting is not None:
            await sitting.end()

    def over(self) -> None:
        """The match has ended."""
        if self.room.playing:
            self._run(self._over())

    async def _over(self) -> None:
        while True:
            try:
                async with self.lock:
                    await self._finish()
                break
            except StoreFailed:
                await asyncio.sleep(Table.retry)  # nobody else would try again
        self.tell_room()
        self._watch_host()  # where people had days, somebody may stand in now

    async def end(self) -> None:
        """The match was closed from outside."""
        await self.stop_match(self.room.match)
        await self._over()

    async def stop_match(self, match: str) -> None:
        """Nobody plays this match any more when this returns."""
        if self.table is not None and self.table.row.id == match:
            await self.table.abandon()

    async def _abandon(self) -> None:
        if self.table is None:
            await self._abandon_unread()
            return
        await self.running().table.abandon()
        with suppress(StoreFailed):  # it is over all the same: `_over` opens the room again
            await self._finish()

    async def _abandon_unread(self) -> None:
        """End a match that nobody can read, unless a newer server can."""
        match = self.room.match
        row = await self.house.store.match(match) if self.room.playing else None
        if row is not None:
            check_writer(row)
        await self._finish(EndMatch(match, self.house.now()), Release(match))

    async def _finish(self, *also: Change) -> None:
        """The match is over: the room is open again, for a rematch or for something else. `also` is stored
        with that."""
        if not self.room.playing:
            return
        table = self.table
        result = table.match.result() if table is not None else None
        ended = (table.row.ended if table is not None else None) or self.house.now()
        room = self.room.copy()
        room.end_match(ended, result.ending if result else "")
        keep = room.settings.keep_chat
        forget = [] if keep else [DropChat(room.code)]
        async with self.talk.lock:  # what is written now is of no match any more
            set_up = self.house.set_up_at_once(room)
            await self._keep(
                room, set_up or self.set_up._replace(hindrance=Busy(1)), *also, *forget
            )
            self.talk.end(keep)
        if set_up is None:
            self._run(self._look_at_set_up())
        if self.sitting is not None:
            self.sitting.proposals.end()
        await self._show_all()
        self.tell_match()

    async def _look_at_set_up(self) -> None:
        """What comes of the set-up, where a match that was over did not wait for it."""
        room = self.room
        try:
            set_up = await self.house.set_up(room)
        except Busy as busy:
            await asyncio.sleep(busy.seconds)
            self._run(self._look_at_set_up())
            return
        except Problem as problem:  # it takes too long, and will the next time
            set_up = self.set_up._replace(hindrance=problem.again())
        if self.room is room:  # or else whoever changed it has looked
            self.set_up, self._shown = set_up, None
            self.tell_room()

    async def _hand_to_bot(self, room_seat: int, bot: str = "") -> None:
        if self.table is not None and self.table.can_go_on:
            seat = self.room.match_seats.index(room_seat)
            await self.table.control(seat, "bot", bot or usual_bot(self.room.game))

    async def _replace(self, person: str, room_seat: int, bot: str) -> None:
        self.running()
        here = any(socket.seat == room_seat for socket in self.sockets)
        self.room.may_replace(person, room_seat, bot, here)
        await self._hand_to_bot(room_seat, bot)

    async def _take_back(self, person: str, room_seat: int) -> None:
        table, room = self.running().table, self.room.copy()
        seat = room.take_back(person, room_seat)
        await table.control(seat, "person", "", *self._put(room))
        self.room = room

    # --- sockets ---------------------------------------------------------------------------------

    async def arrive(self, socket: Listener, hello: Hello) -> None:
        """A socket says for whom it speaks, and gets what it is missing."""
        async with self.lock:
            self.room.check_inside(socket.person)
            if hello.seat is not None and not self.room.holds(socket.person, hello.seat):
                raise Refused("room.not-yours")
            if hello.seat is None and not rights.may_watch(self.room, socket.person):
                raise Refused("room.no-watching")
            await self._enter(socket.person)
            await self._open_match()
            socket.seat = hello.seat
            self.sockets.add(socket)
            self._used = True
            self._tell_room([socket])
            socket.part = self._part(socket)
            await self._show(socket, hello.match, hello.seen)
        self.tell_chat(self.talk.lines, [socket])
        self._presence(socket)

    async def _show_all(self) -> None:
        """After every change: each socket sees the match as what its person is now."""
        changed = [socket for socket in self.sockets if socket.part != self._part(socket)]
        for socket in changed:  # first all, so that each is told of each
            if self.sitting is not None:
                self.sitting.leave(socket)
            socket.part = self._part(socket)
        for socket in changed:
            try:
                await self._show(socket)
            except Exception as error:  # of the store, or of a title
                # The change itself is kept: nobody is told that it failed. They come back, and see.
                logs.tell_error("match-not-shown", error)
                socket.goodbye(Bye("restart"))

    async def _show(self, socket: Listener, match: str = "", seen: int = 0) -> None:
        if self.sitting is not None:
            await self.sitting.show(socket, match, seen)

    def _part(self, socket: Listener) -> Part | None:
        """What a socket is to see of the match, if anything."""
        return self.sitting.part(socket.person, socket.seat) if self.sitting is not None else None

    def tell_match(self) -> None:
        """Something changed that its clock goes by."""
        if self.sitting is not None:
            self.sitting.stage.look()
            self.sitting.tell_status()
            self.sitting.timekeeper.wake()

    def depart(self, socket: Listener) -> None:
        if socket in self.sockets:
            self.sockets.discard(socket)
            self.asked = self.house.awake()
            if self.sitting is not None:
                self.sitting.leave(socket)
            self._presence(socket)

    def _presence(self, socket: Listener) -> None:
        """Somebody came or went. Those who only watch change nothing for the match."""
        if socket.viewer is not None:
            self.tell_match()
        if not self._presence_due:
            self._presence_due = True
            asyncio.get_running_loop().call_soon(self._tell_presence)

    def _tell_presence(self) -> None:
        """One small message to everybody, about all who came and went at once."""
        self._presence_due = False
        before, here = self._told_here, self._here()
        came, went = here.people - before.people, before.people - here.people
        if here != before:
            self._shared()  # it has another number with that
            news = Presence(
                [self.room.shown(person, True) for person in self._known(came)],
                [person.number for person in self._known(went)],
                sorted(here.seats),
                here.watchers,
                self._n,
            )
            coded = encode(news)
            for socket in self.sockets:
                socket.send(coded, "room")
            self._told_here = here
        self._watch_host()

    def _known(self, ids: frozenset[str]) -> list[Person]:
        return [person for person in self.room.people if person.id in ids] if ids else []

    def _watch_host(self) -> None:
        """A host who is away for long while others are here is host no longer."""
        present = {socket.person for socket in self.sockets}
        if self.room.hosted_by(present) or not present:
            if self._host_gone is not None:
                self._host_gone.cancel()
                self._host_gone = None
        elif self._host_gone is None:
            loop, grace = asyncio.get_running_loop(), self.house.settings.grace
            self._host_gone = loop.call_later(grace, lambda: self._run(self._pass_on()))

    async def _pass_on(self) -> None:
        self._host_gone = None
        async with self.lock:
            room = self.room.copy()
            if not room.pass_on({socket.person for socket in self.sockets}):
                return
            await self.save(room)
        self.tell_room()


def first_entries(
    room: Room, row: MatchRow, entries: list[Any], bots: dict[int, str]
) -> list[EntryRow]:
    """The entries a match begins with: those of another that it goes on from, and who plays."""
    rules = header_of(row).rules
    fold = Fold(room.game.under(rules) or room.game, row)
    rows = []
    for entry in entries:
        fold.match.follow(entry)
        rows.append(fold.note(""))
    for seat, bot in bots.items():
        by = "bot" if bot else "person"
        if (fold.match.players[seat], fold.levels[seat]) != (by, bot):
            fold.match.control(seat, by, bot, played(entries))
            rows.append(fold.note(""))
    return rows


def played(entries: list[Any]) -> int:
    """How many milliseconds of play these entries took. They may say anything, being somebody's."""
    return min(max([0, *(entry.at or 0 for entry in entries)]), LONGEST_PLAY)
