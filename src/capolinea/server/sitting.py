"""A match that people sit at: with its clock, its bots, what is proposed, and those who are told of it.

It begins when a room has its match live and ends when that is put away or gives way to the next one; of
what goes on by itself nothing is left then.
"""

from __future__ import annotations

import secrets
from collections.abc import Coroutine
from typing import Any, Protocol
from weakref import proxy

import msgspec

from capolinea.engine.match import Viewer
from capolinea.engine.problems import Problem, Refused
from capolinea.engine.record import Move, Undo
from capolinea.server import logs, minds, rights
from capolinea.server.clock import Timekeeper
from capolinea.server.frames import GOING_AWAY
from capolinea.server.house import House
from capolinea.server.players import Players, ask_of, moment_of, variant_of
from capolinea.server.playtime import SET
from capolinea.server.proposals import Kind, Proposals
from capolinea.server.protocol import Bye, Clock, Hint, Pace, ServerMessage, Status, encode
from capolinea.server.rights import About, Part
from capolinea.server.rooms import Room
from capolinea.server.set_up import usual_bot
from capolinea.server.stage import Stage
from capolinea.server.table import NOBODY, Table
from capolinea.server.tasks import Tasks
from capolinea.server.webhooks import call
from capolinea.server.work import Asker, Busy


class Listener(Protocol):
    """A socket, as rooms and matches know it. What it is sent it may still receive when it goes out, or
    it does not go out."""

    person: str
    address: str
    #: Not a browser: it may measure times.
    by_program: bool
    #: The seat of the room that it speaks for, and what it is told of the match, if anything.
    seat: int | None
    part: Part | None

    @property
    def viewer(self) -> Viewer: ...

    def send(self, message: bytes, about: About) -> None: ...

    def goodbye(self, bye: Bye, code: int = GOING_AWAY) -> None: ...


class Around(Protocol):
    """The room around a match, as far as a match must know it."""

    room: Room
    sockets: set[Listener]

    def over(self) -> None:
        """The match has ended."""


class Stood(msgspec.Struct, frozen=True):
    """How a match stood when it was put away, as far as its entries do not say so."""

    #: How long it had been played, and when that was if it goes on by the calendar.
    at: int = 0
    since: int | None = None
    #: What its clock and its bots remember, and about what people were called.
    missed: dict[int, int] = {}
    moment: int = -1
    called: dict[int, int] = {}

    def played(self, now: int) -> int:
        """How long it has been played by now, if the calendar is to be believed."""
        passed = 0 if self.since is None else now - self.since
        return self.at + passed if 0 < passed <= SET else self.at


class Sitting:
    """The match of a room, live. The table tells it, and it tells everybody else."""

    def __init__(self, house: House, around: Around, table: Table, stood: Stood) -> None:
        self.house = house
        self.around = around
        self.table = table
        table.time.reach(stood.played(house.now()))
        company = proxy(self)  # not a circle, which only the garbage collector would find
        self.proposals = Proposals(table, company, house.settings.vote_time)
        self.stage = Stage(table, company, house.settings.bot_pause)
        self.timekeeper = Timekeeper(table, company, self.stage, house.awake, house.settings.grace)
        self.timekeeper.missed = stood.missed
        pause = house.settings.bot_pause / 1000
        self.players = Players(table, self.stage, house.minds, pause, house.secret)
        self.players.moment = stood.moment
        #: Those who are told, by what they see of it.
        self._listeners: dict[Viewer, set[Listener]] = {}
        #: Somebody came or went while nothing could be told.
        self._status_due = False
        #: For each seat the question about which its person was last called.
        self._called = stood.called
        self._tasks = Tasks()
        table.audience = self

    # --- beginning and end -----------------------------------------------------------------------

    def begin(self) -> None:
        """Time passes, bots play."""
        if self.table.can_go_on:
            self.run(self.players.run())
            self.run(self.timekeeper.run())

    def stands(self) -> Stood:
        """To be put away."""
        clock = self.timekeeper
        since = self.house.now() if clock.by_calendar else None
        return Stood(self.table.at(), since, clock.missed, self.players.moment, self._called)

    def stop(self) -> None:
        """Clock, bots and all else that goes on by itself."""
        self._tasks.stop()

    async def end(self) -> None:
        self.proposals.end()
        await self._tasks.end()
        self._listeners.clear()
        self.table.audience = NOBODY

    def at_rest(self) -> bool:
        """Whether nothing happens soon unless somebody comes."""
        if self.table.lock.locked() or self.table.unsettled:
            return False
        loops = self.players, self.timekeeper
        return self.proposals.settled and len(self._tasks) <= sum(one.idle for one in loops)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        if self.house.stopping:
            work.close()
        else:
            self._tasks.run(work)

    # --- who is told -----------------------------------------------------------------------------

    def part(self, person: str, seat: int | None) -> Part | None:
        """What somebody with this seat of the room is to see of it, if anything."""
        room = self.around.room
        part = self.table.part(rights.viewer(room, person, seat))
        return part if rights.may_see(room, person, part) else None

    async def show(self, listener: Listener, match: str = "", seen: int = 0) -> None:
        """Send what is missing, and everything from now on."""
        if listener.part is None:
            return
        welcome = await self.table.welcome(listener.viewer, match, seen)
        self._listeners.setdefault(listener.viewer, set()).add(listener)
        if listener in self.around.sockets:
            listener.send(encode(welcome), listener.part)
            listener.send(encode(self._status()), listener.part)
        else:
            self.leave(listener)  # it went in the meantime

    def leave(self, listener: Listener) -> None:
        viewer = listener.viewer
        self._listeners.get(viewer, set()).discard(listener)
        if not self.is_watched(viewer):
            self.table.forget(viewer)

    def is_watched(self, viewer: Viewer) -> bool:
        return bool(self._listeners.get(viewer))

    def viewers(self) -> set[Viewer]:
        """As what the match is looked at now."""
        return {viewer for viewer, listeners in self._listeners.items() if listeners}

    def present(self) -> set[int]:
        """The seats whose person is connected."""
        viewers = (socket.viewer for socket in self.around.sockets)
        return {viewer for viewer in viewers if viewer is not None}

    def before_pages(self) -> set[int]:
        """Those of them who look at a page."""
        pages = (socket.viewer for socket in self.around.sockets if not socket.by_program)
        return {viewer for viewer in pages if viewer is not None}

    def send(self, message: bytes, part: Part) -> None:
        for listener in list(self._listeners.get(part.viewer, ())):
            listener.send(message, part)

    def lose(self, viewer: Viewer) -> None:
        for listener in list(self._listeners.get(viewer, ())):
            listener.goodbye(Bye("restart"))

    def changed(self, told: list[Viewer]) -> None:
        """Something happened, and these were told of it: clock and bots look what there is to do."""
        self.stage.look()
        if told:
            self._tell_time(told)
        self.players.wake()
        self.timekeeper.wake()
        if self._status_due:
            self.tell_status()
        if self.table.over:
            self.around.over()

    def _tell_time(self, told: list[Viewer]) -> None:
        """Who was told something of the match also learns how long there is now."""
        # Of a move that nobody was told of the end of a proposal must not tell either.
        entries = self.table.match.entries
        if None in told and entries and isinstance(entries[-1], Move | Undo):
            self.proposals.moved()
        self.tell_status(told)
        self._call_absent(told)

    # --- status ----------------------------------------------------------------------------------

    def _status(self) -> Status:
        looking, left = self.stage.looking(), self.timekeeper.left()
        return Status(
            match=self.table.row.id,
            present=sorted(self.present()),
            left=left,
            bank=self.timekeeper.banks(),
            paused=self.table.row.paused is not None,
            showing=self.stage.left(),
            rest=self.table.fold.resting if looking else 0,
            looking=looking,
            timed="window" in left and self.table.match.state.talk() < 0,
            moments=self.table.moments(),
            proposal=self.proposals.open,
            frozen=self.table.row.frozen,
        )

    def tell_status(self, viewers: list[Viewer] | None = None) -> None:
        # How long there is tells who is waited for: not before that is kept.
        unsettled = self.table.unsettled
        if viewers is None:
            self._status_due = unsettled  # for all, whoever is told what was being written
        if not unsettled:
            self.table.tell(self._status(), self.viewers() if viewers is None else viewers)

    # --- what its clock asks ---------------------------------------------------------------------

    @property
    def clock(self) -> Clock:
        return self.around.room.settings.clock

    @property
    def pace(self) -> Pace:
        return self.around.room.settings.pace

    def others_may_see(self) -> bool:
        by_program = any(socket.by_program for socket in self.around.sockets)
        return by_program or rights.others_may_see(self.around.room)

    def stand_in(self) -> str:
        return usual_bot(self.around.room.game)

    # --- proposals -------------------------------------------------------------------------------

    async def propose(self, seat: int, kind: Kind, client: str = "") -> None:
        unasked = self.around.room.asked_aloud(seat)
        # A pause they can end as soon as they are back; where people have days that may be long.
        if kind == "pause" and self.clock.kind != "days":
            unasked |= set(range(len(self.table.match.names))) - self.present()
        await self.proposals.propose(seat, kind, unasked, client)

    # --- what people ask of the table ------------------------------------------------------------

    async def ask_moment(self, seat: int, question: int) -> None:
        await self.table.ask_moment(seat, question)
        self.tell_status()

    def see(self, seat: int, frame: int) -> None:
        """This seat has seen what everybody is to see."""
        if self.stage.see(seat, frame):
            self.timekeeper.wake()
            self.tell_status()

    # --- asking for help, calling ----------------------------------------------------------------

    async def hint(self, seat: int, id: str) -> ServerMessage:
        """What the title's bot would do in this seat, from what the seat knows."""
        table = self.table
        async with table.lock:
            await table.refresh()
            tree = table.match.tree(seat)
            if not tree:
                raise Refused("table.nothing-to-do")
            must = seat in table.match.state.waiting()
            bot = usual_bot(table.game)
            seed = secrets.token_bytes(16)
            moment = moment_of(table, [ask_of(table, seat, bot, tree, not must, False, seed)])
            view, question = table.match.view(seat), table.question(seat).id
        try:
            # To all others at the table it is as if nobody had asked: each seat has a share of its own.
            asker = Asker(f"{table.row.id} {seat}", "")
            variant, [ask] = variant_of(table), moment.asks
            thought = await self.house.hints.do(asker, minds.thought, variant, moment, ask)
        except Busy:
            raise
        except Exception as error:
            logs.tell_error("hint-failed", error)
            raise Problem("table.no-hint") from None
        space = table.game.space
        lines = [table.game.describe(view, step) for step in thought.steps]
        return Hint(id, question, [space.json(step) for step in thought.steps], lines)

    def _call_absent(self, viewers: list[Viewer]) -> None:
        """Tell who wants to be told that it is their turn, once for each question; at a time at which
        there is news for them, or for all."""
        table, webhooks = self.table, self.house.settings.webhooks
        if not table.going_on or webhooks == "off":
            return
        here = self.present()
        for seat in table.match.state.waiting():
            if not {None, seat} & set(viewers):
                continue
            mine, question = table.mine.get(seat), table.question(seat).id
            if mine is None or not mine.webhook or seat in here or seat in table.held:
                continue
            if table.match.players[seat] != "person":
                continue  # somebody plays for them
            if self._called.get(seat) != question:
                self._called[seat] = question
                link = self.house.link(f"/room/{self.around.room.code}")
                news = {"event": "your-turn", "title": table.game.id, "link": link}
                self.run(call(mine.webhook, news, webhooks))
