"""One socket: it speaks for one seat of a room, or watches.

Messages are read one after another and each is answered; what it is told goes out when the other side
takes it, so that a slow reader holds up nobody. One that falls too far behind is let go, and comes back
with the number of the last frame that it has.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from typing import Protocol

import msgspec

from capolinea.engine.match import Viewer
from capolinea.engine.problems import Problem, Refused
from capolinea.server import logs, rights
from capolinea.server.frames import GOING_AWAY, POLICY, TRY_LATER
from capolinea.server.hub import Hub
from capolinea.server.lounge import Lounge
from capolinea.server.mine import kept
from capolinea.server.protocol import (
    AskHint,
    AskPause,
    AskPreview,
    AskRead,
    Bye,
    ClientMessage,
    Do,
    Done,
    Hello,
    Keep,
    Mute,
    No,
    OneMoment,
    Ping,
    Pong,
    Previewed,
    Reading,
    See,
    ServerMessage,
    Speak,
    TakeUndo,
    Vote,
    Why,
    Write,
    decode_message,
    encode,
)
from capolinea.server.rights import About, Part
from capolinea.server.store import NotRead, StoreFailed
from capolinea.server.table import Late, Table
from capolinea.server.wire import Gone

#: What is asked of the match, and not of the room.
AtTable = Do | TakeUndo | Speak | AskPreview | AskRead | Vote | OneMoment | See | AskPause | Keep
#: Messages that wait for a slow reader before it is let go.
BACKLOG = 500
HELLO_TIME = 15


class Connection(Protocol):
    """What a socket speaks over: a Wire, or a test."""

    #: Whether the other side takes nothing at the moment, and what is called when it does again.
    full: bool
    on_room: Callable[[], None]

    async def hear(self) -> str | None: ...

    def tell(self, message: bytes) -> None: ...

    def close(self, code: int) -> None: ...


class Socket:
    """What the table tells it goes out in order; what it asks is answered in order."""

    def __init__(
        self,
        hub: Hub,
        lounge: Lounge,
        wire: Connection,
        person: str,
        address: str = "",
        by_program: bool = False,
    ) -> None:
        self.hub = hub
        self.lounge = lounge
        self.wire = wire
        self.person = person
        self.address = address
        self.by_program = by_program
        #: The seat of the room that it speaks for, and what it is told of the match, if anything.
        self.seat: int | None = None
        self.part: Part | None = None
        self._outbox: deque[tuple[bytes, About]] = deque()
        self._due = False
        #: With which code it ends, once that is sure.
        self._code = 0
        #: The hint that is being thought about.
        self._thought: asyncio.Task[None] | None = None

    @property
    def viewer(self) -> Viewer:
        """The seat of the match that it speaks for."""
        return self.part.viewer if self.part is not None else None

    # --- sending ---------------------------------------------------------------------------------

    def send(self, message: bytes, about: About) -> None:
        """When all that happens now has happened: together with the rest that it tells."""
        self._outbox.append((message, about))
        if len(self._outbox) > BACKLOG:
            self._outbox.clear()
            self._code = self._code or TRY_LATER
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._flush)

    def goodbye(self, bye: Bye, code: int = GOING_AWAY) -> None:
        """Say so, and close."""
        self.send(encode(bye), None)
        self._code = code

    def _flush(self) -> None:
        self._due = False
        while self._outbox and not self.wire.full:
            message, about = self._outbox.popleft()
            # Here and not before: what waited for a slow reader may be another's by now.
            if self.lounge.may_receive(self, about):
                self.wire.tell(message)
        if self._code:  # who reads too slowly misses the rest
            self.wire.close(self._code)

    # --- the conversation ------------------------------------------------------------------------

    async def run(self) -> None:
        """From hello to the end."""
        self.wire.on_room = self._flush
        try:
            if await self._greet():
                await self._converse()
        except Gone:
            pass
        finally:
            async with self.hub.leaving:  # of a thousand who go at once, so many at a time
                self.lounge.depart(self)
                await asyncio.sleep(0)
            if self._thought is not None:
                self._thought.cancel()  # nobody reads it any more
            self._code = self._code or GOING_AWAY
            self._flush()

    async def _greet(self) -> bool:
        """The first message says who speaks; whether there was a good one."""
        try:
            async with asyncio.timeout(HELLO_TIME):
                message = self._understand(await self.wire.hear())
            if not isinstance(message, Hello):
                raise Refused("socket.hello-first")
            # The room may have been put away since the handshake: nobody was in it yet.
            self.lounge = await self.hub.lounge(self.lounge.room.code)
            await self.lounge.arrive(self, message)
        except TimeoutError:
            self.goodbye(Bye("closed"), POLICY)
            return False
        except (Problem, StoreFailed) as error:
            self.send(encode(self._refusal(error)), None)
            self._code = POLICY
            return False
        return True

    async def _converse(self) -> None:
        while True:
            text = await self.wire.hear()
            if self.hub.message_rate.take(self.person):
                self.goodbye(Bye("flood"), POLICY)
                return
            try:
                message = self._understand(text)
                answer = await self._answer(message)
            except Exception as error:
                answer = self._refusal(error, _id_of(text or ""))
            if answer is not None:
                self.send(encode(answer), None)

    def _understand(self, text: str | None) -> ClientMessage:
        if text is None:
            raise Problem("socket.form", detail="binary")
        try:
            return decode_message(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise Problem("socket.form", detail=str(error)) from None

    def _refusal(self, error: Exception, id: str = "") -> No:
        """Why not; of what is our own fault, only that it was."""
        if isinstance(error, Late):
            return No(Why.of(error), id, error.question)
        if isinstance(error, Problem):
            self.hub.metrics.refusals.labels(error.key).inc()
            return No(Why.of(error), id)
        if isinstance(error, StoreFailed):
            return No(Why("table.not-read" if isinstance(error, NotRead) else "table.not-kept"), id)
        if isinstance(error, RecursionError):
            return No(Why("socket.form", {"detail": "nested too deeply"}), id)
        incident = secrets.token_hex(4)
        logs.tell_error("socket-failed", error, id=incident)
        return No(Why("serve.our-fault", {"id": incident}), id)

    # --- what is asked ---------------------------------------------------------------------------

    async def _answer(self, message: ClientMessage) -> ServerMessage | None:
        match message:
            case Write():
                await self.lounge.write(self, message)
                return Done(message.id)
            case Mute(number, muted):
                await self.lounge.mute(self.person, number, muted)
            case AskHint(id):
                await self._think(id)
            case Ping():
                return Pong()
            case Hello():
                raise Refused("socket.hello-again")
            case _:
                # Chairs do not change hands in between: whoever may do it does it.
                async with self.lounge.lock:
                    return await self._at_table(message)
        return None

    async def _at_table(self, message: AtTable) -> ServerMessage | None:
        """What is asked of the match, with the room's lock."""
        match message:
            case Do(id, question, do, meant):
                await self._table(meant).act(self._seat(), do, question, id)
                return Done(id)
            case TakeUndo(id, meant):
                return await self._undo(self._table(meant), id)
            case Speak(id, said, meant):
                await self._table(meant).say(self._seat(), said, id)
                return Done(id)
            case AskPreview(id, do):
                seat = self._seat()
                preview = await self._table().preview(seat, do)
                self.send(encode(Previewed(id, preview)), self.part)
            case AskRead(id):
                table = self._table()
                if self.part is None:
                    raise Refused("room.no-watching")
                lines, own = await table.read(self.viewer)
                self.send(encode(Reading(id, lines, own)), self.part)
            case Vote(proposal, agree):
                await self.lounge.running().proposals.vote(self._seat(), proposal, agree)
            case OneMoment(id, question):
                await self.lounge.running().ask_moment(self._seat(), question)
                return Done(id)
            case See(n):
                self.lounge.running().see(self._seat(), n)
            case AskPause(paused):
                await self._pause(paused)
            case Keep():
                return await self._keep(message)
        return None

    def _table(self, meant: str = "") -> Table:
        """The match that is on; Late if another one was meant."""
        table = self.lounge.table
        if table is None:
            raise self.lounge.no_match()
        if meant and meant != table.row.id:
            raise Late(table.question(self._seat()).id)
        return table

    def _seat(self) -> int:
        """The seat of the match that this socket may act for, now."""
        if self.viewer is None or self.seat is None:
            raise Refused("socket.only-watching")
        if not self.lounge.room.holds(self.person, self.seat):
            raise Refused("room.not-yours")
        if self._table().match.players[self.viewer] != "person":
            raise Refused("table.not-in-control")
        return self.viewer

    async def _think(self, id: str) -> None:
        """A bot may think for longer than a browser waits for a pong: what comes after a hint is answered
        meanwhile. But one at a time: a second one waits, and its socket with it."""
        self._seat()
        if self._thought is not None:
            await self._thought
        self._thought = asyncio.create_task(self._hint(id))

    async def _hint(self, id: str) -> None:
        part = self.part  # it is about this seat, whoever sits there at the end
        try:
            answer = await self.lounge.running().hint(self._seat(), id)
        except Exception as error:
            answer, part = self._refusal(error, id), None
        self.send(encode(answer), part)

    async def _undo(self, table: Table, id: str) -> ServerMessage:
        seat = self._seat()
        if await table.counted(seat, id):
            return Done(id)  # else a resend would take back the move before
        if table.match.undoable(seat):
            await table.undo(seat, client=id)
        else:
            await self.lounge.running().propose(seat, "undo", id)
        return Done(id)

    async def _pause(self, paused: bool) -> None:
        if paused:
            await self.lounge.running().propose(self._seat(), "pause")
        else:
            # Nobody is kept from playing by who is not there any more, also not by the bot in their seat.
            self._own_seat()
            await self._table().pause(False)
            self.lounge.tell_match()

    async def _keep(self, message: Keep) -> ServerMessage:
        table = self._table(message.match)
        await table.keep(self._own_seat(), kept(message, table.game, self.hub.settings))
        return Done(message.id)

    def _own_seat(self) -> int:
        """Whose a seat is, is so even while a bot plays it, and after the end."""
        if self.viewer is None or self.part is None or self.seat is None:
            raise Refused("socket.only-watching")
        if not rights.may_see(self.lounge.room, self.person, self.part):
            raise Refused("room.not-yours")
        return self.viewer


def _id_of(text: str) -> str:
    """What the client called a message that was refused, if it can be read at all."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""
    id = found.get("id") if isinstance(found, dict) else None
    return id if isinstance(id, str) and len(id) <= 64 else ""
