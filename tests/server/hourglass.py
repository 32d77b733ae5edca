"""A table in a time of its own: rooms, clocks, bots and the socket's code as they are, but no network,
no disk and no waiting. An hour passes as soon as nobody has anything left to do."""

from __future__ import annotations

import asyncio
import json
import selectors
from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

import msgspec

from capolinea import games
from capolinea.client import Seat
from capolinea.engine import Match, Record
from capolinea.engine.chance import Deal
from capolinea.server.hub import Hub
from capolinea.server.lounge import Lounge
from capolinea.server.minds import Answer, Ask, Minds, Moment, Thought, Variant
from capolinea.server.protocol import Clock, Command, NewRoom, RoomSettings, Sit
from capolinea.server.settings import Settings
from capolinea.server.sitting import Sitting
from capolinea.server.socket import Socket
from capolinea.server.store import (
    AddChat,
    AddEntries,
    Change,
    ChatRow,
    DropChat,
    DropMatch,
    DropRoom,
    DropUnused,
    EndMatch,
    EndProposal,
    EntryRow,
    Held,
    Hold,
    MatchRow,
    ProposalRow,
    PutAway,
    PutData,
    PutMark,
    PutMatch,
    PutPrivate,
    PutProposal,
    PutRoom,
    Release,
    StoreFailed,
    Taken,
    TouchRoom,
    WakeUp,
)
from capolinea.server.table import Table
from capolinea.server.wire import Gone
from capolinea.server.work import Asker, Busy, Workshop
from tests.server.tables import QUICK

Given = ParamSpec("Given")
Found = TypeVar("Found")
#: When the sand begins to run, in milliseconds since 1970.
BEGIN = 1_000_000_000_000


# --- time ----------------------------------------------------------------------------------------


class _Selector(selectors.DefaultSelector):
    """Instead of waiting, turn the clock on."""

    elapsed = 0.0

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        if not found:
            assert timeout is not None, "everybody waits for ever"
            self.elapsed += max(0.0, timeout)
        return found


class SandLoop(asyncio.SelectorEventLoop):
    """An event loop without threads whose time passes only when there is nothing else to do."""

    def __init__(self) -> None:
        self._sand = _Selector()
        super().__init__(self._sand)

    def time(self) -> float:
        return self._sand.elapsed

    def sleep(self, seconds: float) -> None:
        """The computer sleeps, and its clocks run on: whatever was due then is late."""
        self._sand.elapsed += seconds

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> Any:
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


def turned(work: Callable[Given, Coroutine[Any, Any, Found]]) -> Callable[Given, Found]:
    """The same in such a time, a month of it at most: a test, or a part of one."""

    @wraps(work)
    def run(*args: Given.args, **kwargs: Given.kwargs) -> Found:
        with asyncio.Runner(loop_factory=SandLoop) as runner:
            return runner.run(asyncio.wait_for(work(*args, **kwargs), 30 * 24 * 3600))

    return run


def now() -> int:
    """Milliseconds since the sand began to run."""
    return round(asyncio.get_running_loop().time() * 1000)


async def later(seconds: float = 0.001) -> None:
    """Let all happen that happens by then; after no time: all that happens at once."""
    await asyncio.sleep(seconds)


# --- what is kept --------------------------------------------------------------------------------


class MemoryStore:
    """A store that keeps nothing beyond the test; it can be slow, and it can fail."""

    def __init__(self) -> None:
        self.rooms_: dict[str, PutRoom] = {}
        self.data_: dict[str, bytes] = {}
        self.matches_: dict[str, MatchRow] = {}
        self.entries_: dict[str, list[EntryRow]] = {}
        self.held_: dict[str, dict[int, Held]] = {}
        self.private_: dict[str, dict[int, bytes]] = {}
        self.chat_: dict[str, list[ChatRow]] = {}
        self.proposals_: dict[str, ProposalRow] = {}
        self.away_: dict[str, PutAway] = {}
        self.seconds = 0.0
        self.failing = False
        #: Which of the next writes fails alone: 1 is the very next.
        self.fails_at = 0

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def write(self, *changes: Change) -> None:
        await asyncio.sleep(self.seconds)
        self.fails_at -= 1
        if self.failing or self.fails_at == 0:
            raise StoreFailed
        for change in changes:
            self._make(change)

    def _make(self, change: Change) -> None:
        match change:
            case PutRoom(code):
                assert set(change.data) <= self.data_.keys()
                self.rooms_[code] = change
            case PutData(hash, content):
                self.data_.setdefault(hash, content)
            case DropUnused():
                used = {hash for room in self.rooms_.values() for hash in room.data}
                self.data_ = {hash: one for hash, one in self.data_.items() if hash in used}
            case DropRoom(code):
                self.rooms_.pop(code, None)
            case TouchRoom(code, changed):
                if code in self.rooms_:
                    room = self.rooms_[code]
                    newest = max(room.changed, changed)
                    self.rooms_[code] = msgspec.structs.replace(room, changed=newest)
            case PutMatch(row):
                if row.ended is None:
                    self._check_not_ended(row.id)
                self.matches_[row.id] = row
            case EndMatch(match, ended):
                row = self.matches_[match]
                self.matches_[match] = msgspec.structs.replace(row, ended=row.ended or ended)
            case AddEntries(match, rows):
                self._check_not_ended(match)
                kept = self.entries_.setdefault(match, [])
                if [row.n for row in rows] != list(range(len(kept), len(kept) + len(rows))):
                    raise Taken
                kept += rows
            case Hold(match, held):
                self.held_.setdefault(match, {})[held.seat] = held
            case Release(match):
                self.held_.pop(match, None)
            case PutPrivate(match, seat, doc):
                self.private_.setdefault(match, {})[seat] = doc
            case AddChat(room, line, since):
                lines = [*self.chat_.get(room, []), line]
                self.chat_[room] = [one for one in lines if one.n >= since]
            case DropChat(room):
                self.chat_.pop(room, None)
            case DropMatch(match):
                self.matches_.pop(match, None)
            case PutProposal(match, proposal):
                self.proposals_[match] = proposal
            case EndProposal(match, kind):
                last = self.proposals_.get(match)
                if last is not None and last.kind == kind:
                    self.proposals_[match] = msgspec.structs.replace(last, kind="")
            case PutAway(match):
                self.away_[match] = change
            case WakeUp(match):
                self.away_.pop(match, None)
            case PutMark():
                pass

    def _check_not_ended(self, match: str) -> None:
        if match in self.matches_ and self.matches_[match].ended is not None:
            raise Taken

    async def check(self) -> None: ...

    async def secret(self) -> bytes:
        return bytes(32)

    async def room(self, code: str) -> bytes | None:
        return self.rooms_[code].doc if code in self.rooms_ else None

    async def rooms_of(self, person: str, most: int) -> list[bytes]:
        found = [room for room in self.rooms_.values() if person in room.people]
        found.sort(key=lambda room: (room.playing, room.changed), reverse=True)
        return [room.doc for room in found[:most]]

    async def rooms_before(self, time: int) -> list[str]:
        return [code for code, room in self.rooms_.items() if room.changed < time]

    async def last_used(self) -> int:
        return max((room.changed for room in self.rooms_.values()), default=0)

    async def data(self, hash: str) -> bytes | None:
        return self.data_.get(hash)

    async def match(self, id: str) -> MatchRow | None:
        return self.matches_.get(id)

    async def matches(self, room: str | None = None) -> list[MatchRow]:
        found = [row for row in self.matches_.values() if room in (None, row.room)]
        return found[::-1]

    async def entries(self, match: str, since: int = 0) -> list[EntryRow]:
        return self.entries_.get(match, [])[since:]

    async def held(self, match: str) -> list[Held]:
        return list(self.held_.get(match, {}).values())

    async def private(self, match: str) -> dict[int, bytes]:
        return dict(self.private_.get(match, {}))

    async def proposal(self, match: str) -> ProposalRow | None:
        return self.proposals_.get(match)

    async def running(self, matches: list[str]) -> set[str]:
        return {id for id in matches if self._goes_on(id)}

    async def put_away(self, match: str) -> bytes | None:
        return self.away_[match].doc if match in self.away_ else None

    async def left_open(self) -> list[str]:
        rows = [row for row in self.matches_.values() if row.room and row.id not in self.away_]
        return [row.room for row in rows if row.ended is None]

    async def due(self, since: int, until: int) -> list[str]:
        found = [
            (away.due, self.matches_[id].room)
            for id, away in self.away_.items()
            if away.due is not None and since < away.due <= until and self._goes_on(id)
        ]
        return [room for _, room in sorted(found)]

    def _goes_on(self, match: str) -> bool:
        return match in self.matches_ and self.matches_[match].ended is None

    async def chat(self, room: str, most: int) -> list[ChatRow]:
        return self.chat_.get(room, [])[-most:] if most else []


# --- bots ----------------------------------------------------------------------------------------

Steps = list[dict[str, Any]]


class Thinkers:
    """Bots that think what the test says, for as long as the test says."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Ask]] = []
        #: seat → seconds that it thinks.
        self.seconds: Callable[[Ask], float] = lambda ask: 0.0
        #: What it does; by default the first thing it must, and nothing out of turn.
        self.wants: Callable[[Ask], list[int]] = first_choice
        self.says: Callable[[Ask], Any] = lambda ask: None

    async def think(self, variant: Variant, moment: Moment) -> list[Answer]:
        return await asyncio.gather(*map(self._think, moment.asks))

    async def _think(self, ask: Ask) -> Answer:
        self.asked.append((now(), ask))
        await asyncio.sleep(self.seconds(ask))
        try:
            return Answer(Thought(self.says(ask) if ask.speak else None, self.wants(ask)))
        except ValueError as error:
            return Answer(why=type(error).__name__)

    def forget(self, match: str) -> None: ...

    def close(self) -> None: ...


class Works:
    """Work that takes long elsewhere, done at once; and what it was."""

    def __init__(self) -> None:
        self.done: list[Callable[..., Any]] = []
        #: For whom it was.
        self.askers: list[Asker] = []
        #: Others keep it busy.
        self.busy = False

    async def do(self, asker: Asker, work: Callable[..., Any], *arguments: Any) -> Any:
        if self.busy:
            raise Busy(5)
        self.askers.append(asker)
        self.done.append(work)
        return work(*arguments)

    def close(self) -> None: ...


class Hints:
    """For people, at once."""

    async def do(
        self, asker: Asker, _: object, variant: Variant, moment: Moment, ask: Ask
    ) -> Thought:
        return Thought(None, first_choice(ask))

    def close(self) -> None: ...


def first_choice(ask: Ask) -> list[int]:
    if ask.may_decline:
        return []
    tree, steps = ask.tree, []
    while tree:
        steps.append(min(tree))
        tree = tree[steps[-1]]
    return steps


# --- people --------------------------------------------------------------------------------------


class Line:
    """A socket's connection without a network. The first half is the server's side of it."""

    full = False

    def __init__(self) -> None:
        self.on_room: Callable[[], None] = lambda: None
        self._came: asyncio.Queue[str | None] = asyncio.Queue()

    async def hear(self) -> str:
        message = await self._came.get()
        if message is None:
            raise Gone
        return message

    def tell(self, message: bytes) -> None:
        self.told(message.decode())

    def close(self, code: int) -> None:
        self.hang_up()

    def told(self, text: str) -> None:
        raise NotImplementedError

    def say(self, text: str) -> None:
        self._came.put_nowait(text)

    def hang_up(self) -> None:
        self._came.put_nowait(None)


class _ChairsLine(Line):
    def __init__(self, chair: Chair) -> None:
        super().__init__()
        self._chair = chair

    def told(self, text: str) -> None:
        self._chair.heard.append((now(), text))
        self._chair._take(text)


class _Speaker:
    """What a Seat takes for its end of a socket."""

    def __init__(self, line: Line) -> None:
        self._line = line

    async def send(self, text: str) -> None:
        self._line.say(text)


class Chair(Seat):
    """The client's Seat on such a socket. It notes when it heard what."""

    def __init__(self, house: House, person: str, seat: int | None) -> None:
        super().__init__("", "", seat)
        self.house = house
        self.person = person
        self.by_program = house.by_program
        self.heard: list[tuple[int, str]] = []
        self._line: Line | None = None
        self._task: asyncio.Task[None] | None = None

    async def come(self) -> Chair:
        """Connect, for the first time or again."""
        self._line = _ChairsLine(self)
        self._socket = cast(Any, _Speaker(self._line))
        self._first = asyncio.get_running_loop().create_future()
        house, program = self.house, self.by_program
        socket = Socket(house.hub, house.lounge, self._line, self.person, "", program)
        self._task = asyncio.create_task(socket.run())
        hello = {"t": "hello", "seat": self.seat, "match": self.match, "seen": self.n}
        await self.send(hello)
        await self._first
        await later()
        return self

    async def go(self) -> None:
        """The connection is gone."""
        assert self._line is not None
        assert self._task is not None
        self._line.hang_up()
        await self._task

    def since(self, when: int, *kinds: str) -> list[tuple[int, dict[str, Any]]]:
        """What it heard after that time, of these kinds or of all."""
        return list(_messages(self.heard, when, kinds))


def _messages(
    heard: list[tuple[int, str]], when: int, kinds: tuple[str, ...]
) -> Iterator[tuple[int, dict[str, Any]]]:
    for at, text in heard:
        message = json.loads(text)
        if at > when and (not kinds or message["t"] in kinds):
            yield at, message


# --- the house -----------------------------------------------------------------------------------


class SandHub(Hub):
    beat = 10
    #: By how many milliseconds the computer's clock was set.
    off = 0

    def now(self) -> int:
        return BEGIN + now() + self.off

    def ticks(self) -> int:
        return now()


class House:
    """One room with people in it."""

    def __init__(self, title: str, people: int, clock: Clock, **settings: Any) -> None:
        self.title = title
        self.people = [f"person{number}" for number in range(people)]
        self.clock = clock
        self.settings = Settings(**{**QUICK, **settings})
        #: Whether people sit before programs of theirs, and not before pages.
        self.by_program = False
        self.store = MemoryStore()
        self.minds = Thinkers()
        self.work = Works()
        self.chairs: list[Chair] = []
        self._lounge: Lounge
        self._table: Table | None = None
        self.hub = self._hub()

    def _hub(self) -> SandHub:
        hub = SandHub(self.settings, self.store)
        hub.minds = cast(Minds, self.minds)
        hub.work = cast(Workshop, self.work)
        hub.hints = cast(Workshop, Hints())
        return hub

    @property
    def lounge(self) -> Lounge:
        """The room as it is in memory, or was when it was last seen there."""
        self._lounge = self.hub.lounges.get(self._lounge.room.code, self._lounge)
        return self._lounge

    @property
    def sitting(self) -> Sitting:
        sitting = self.lounge.sitting
        assert sitting is not None
        return sitting

    def set_clock(self, seconds: float) -> None:
        """Somebody puts the computer's clock forward, or back."""
        self.hub.off += round(seconds * 1000)

    def sleep(self, seconds: float) -> None:
        cast(SandLoop, asyncio.get_running_loop()).sleep(seconds)

    async def open(self, bots: int = 0, watching: bool = True) -> None:
        await self.hub.open()
        settings = RoomSettings(clock=self.clock, watching=watching)
        asked = NewRoom(self.title, name="P0", settings=settings)
        self._lounge = await self.hub.create(self.people[0], "", asked)
        for number, person in enumerate(self.people[1:], 1):
            await self.lounge.command(person, Sit(number, f"P{number}"))
        for number in range(len(self.people), len(self.people) + bots):
            await self.command(0, {"do": "bot", "seat": number, "bot": "random"})

    async def begin(self, deal: Deal, entries: Any = (), **options: Any) -> None:
        """Begin a match of this deal and sit down."""
        game, room = games.load(self.title), self.lounge.room
        names = [room.seats[seat].name for seat in room.filled()]
        header = Match(game, names, game.options(**options), deal=deal).record(reveal=True)
        await self.begin_as(header, entries)

    async def begin_as(self, header: Record, entries: Any = ()) -> None:
        """The same, as a record has it."""
        room = self.lounge.room.copy()
        filled = room.filled()
        bots = {number: room.seats[seat].bot for number, seat in enumerate(filled)}
        await self.lounge.begin(room, filled, header, list(entries), bots)
        self._table = self.lounge.table
        self.chairs = [Chair(self, person, seat) for seat, person in enumerate(self.people)]
        for chair in self.chairs:
            await chair.come()

    async def watch(self) -> Chair:
        return await Chair(self, "watcher", None).come()

    async def command(self, person: int, command: dict[str, Any]) -> None:
        await self.lounge.command(self.people[person], msgspec.convert(command, type=Command))

    async def restart(self, seconds: float = 1, visited: bool = True) -> None:
        """The server ends and comes back; nobody is connected then, but somebody may have a look."""
        for chair in self.chairs:
            await chair.go()
        await self.hub.close()
        await later(seconds)
        off, self.hub = self.hub.off, self._hub()
        self.hub.off = off
        await self.hub.open()
        if visited:
            await self.hub.lounge(self.lounge.room.code)

    async def close(self) -> None:
        await self.hub.close()

    @property
    def table(self) -> Any:
        """The match as it is in memory, or was when it was last seen there."""
        self._table = self.lounge.table or self._table
        return self._table


#: A test at a table, and what makes one of it that pytest can run.
Story = Callable[[House], Coroutine[Any, Any, None]]
Setting = Callable[[Story], Callable[[], None]]


def at(house: Callable[[], Coroutine[Any, Any, House]]) -> Setting:
    """A test in a time of its own, in a house that is made like this."""

    def decorate(story: Story) -> Callable[[], None]:
        async def work() -> None:
            found = await house()
            try:
                await story(found)
            finally:
                await found.close()

        work.__name__, work.__doc__ = story.__name__, story.__doc__
        return turned(work)

    return decorate
