"""A match and its twin, played over real sockets, and what a viewer receives of each.

In the twin's match the others also do what leaves no trace: they pass early or late, twice, by a
standing order, or before they play a card; they change a secret choice; they take notes, and ask for
things that are refused.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from capolinea import games
from capolinea.client import Refusal, Seat
from capolinea.engine import Game, Match, Record, Rng, Viewer
from capolinea.engine.record import Move, Say, Undo, altered
from capolinea.server.lounge import Lounge
from capolinea.server.replays import record_of
from capolinea.server.table import Table
from tests.server.hourglass import MemoryStore
from tests.server.mail import PASS
from tests.server.tables import TIME, Guest, Running, serving

LONG = bool(os.environ.get("CAPOLINEA_LONG"))
#: Time enough that nobody ever needs the bank; windows close when all have answered.
CLOCK = {"kind": "live", "turn": 3600, "bank": 60}
#: The viewers come and look on a second device after so many entries.
LOOK = 23
Json = dict[str, Any]


@dataclass(frozen=True)
class Wanted:
    title: str
    seats: int
    options: Json
    #: So many entries of a match are looked at.
    entries: int


TABLES = [
    Wanted("night-mail", 3, {"line": "shuttle"}, 90),
    Wanted("trial-by-trolley", 4, {}, 90 if LONG else 30),
    Wanted("stop-the-train", 4, {"track": "express"}, 150 if LONG else 45),
]


# --- a match over real sockets -------------------------------------------------------------------


@dataclass
class Party:
    """A room with a client for each seat and one who watches."""

    server: Running
    clients: list[Guest]
    game: Game
    lounge: Lounge = field(init=False)
    chairs: list[Seat] = field(default_factory=list)

    @classmethod
    async def gather(cls, server: Running, game: Game, seats: int) -> Party:
        clients = [server.client() for _ in range(seats + 1)]
        for client in clients:
            await client.__aenter__()
        return cls(server, clients, game)

    @property
    def table(self) -> Table:
        assert self.lounge.table is not None
        return self.lounge.table

    @property
    def seats(self) -> list[Seat]:
        return self.chairs[:-1]

    def viewers(self) -> list[Viewer]:
        return [*range(len(self.chairs) - 1), None]

    def chair(self, viewer: Viewer) -> Seat:
        return self.chairs[-1 if viewer is None else viewer]

    async def begin(self, header: Record) -> None:
        """A new room, everybody in it, and a match of this deal."""
        settings = {"clock": CLOCK}
        host, *others = self.clients[:-1]
        room = await host.create(self.game.id, name="P0", settings=settings)
        self.code: str = room["code"]
        for number, client in enumerate(others, 1):
            await client.command(self.code, "sit", seat=number, name=f"P{number}")
        self.lounge = await self.server.hub.lounge(self.code)
        self.chairs = []
        for number, client in enumerate(self.clients):
            seat = number if number < len(self.clients) - 1 else None
            chair = client.socket(self.code, seat)
            chair.received = []
            self.chairs.append(await chair.__aenter__())
            await self._here(len(self.chairs))
        filled = list(range(len(others) + 1))
        await self.lounge.begin(self.lounge.room.copy(), filled, header, [], {})
        for chair in self.chairs:
            await chair.until(lambda seat: seat.match and seat.status)

    async def _here(self, sockets: int) -> None:
        await until(lambda: len(self.lounge.sockets) == sockets)

    async def end(self) -> None:
        for number, chair in reversed(list(enumerate(self.chairs))):
            await chair.__aexit__(None, None, None)
            await self._here(number)

    async def settled(self) -> None:
        """Everybody has received all that there is."""
        table = self.table
        await until(lambda: self._answers_awaited() or table.over)
        if table.over:
            # The last that is told of it.
            await until(lambda: all(chair.room["phase"] == "over" for chair in self.chairs))
        async with table.lock:
            pass  # what is written is told by then
        for chair in self.chairs:
            await flush(chair)

    def _answers_awaited(self) -> bool:
        """No window is about to close."""
        return any(seat not in self.table.held for seat in self.table.match.state.waiting())


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(TIME):
        while not condition():
            await asyncio.sleep(0.0005)


async def flush(chair: Seat) -> None:
    """All that was sent to it before has come. It leaves no trace in what was received."""
    assert chair.received is not None
    pong = '{"t":"pong"}'
    await chair.send({"t": "ping"})
    await until(lambda: pong in (chair.received or []))
    chair.received.remove(pong)


# --- improvised: the match that is the original --------------------------------------------------


async def improvise(party: Party, rng: random.Random, most: int) -> Record:
    """Everybody plays at random, says things, changes their mind and takes back what they may."""
    table = party.table
    await party.settled()
    while not table.over and len(table.match.entries) < most:
        seat = rng.randrange(len(party.seats))
        chair = party.chairs[seat]
        if not chair.choices or (not chair.must and rng.random() < 0.8):
            waited = [number for number, one in enumerate(party.seats) if one.must]
            seat = rng.choice(waited)
            chair = party.chairs[seat]
        with suppress(Refusal):  # sayings must be right for the moment
            await _improvised(party, seat, chair, rng)
        await party.settled()
        for one in party.chairs:
            one.received = []
    row = await party.server.hub.match(table.row.id)
    return record_of(row, await party.server.hub.store.entries(row.id))


async def _improvised(party: Party, seat: int, chair: Seat, rng: random.Random) -> None:
    if chair.question.get("undo") and rng.random() < 0.3:
        await chair.undo()
        return
    if rng.random() < 0.1:
        said = party.game.babble(party.table.match.view(seat), Rng(rng.randbytes(8)))
        if said is not None:
            await chair.say(said)
            return
    await chair.do(rng.choice(chair.whole_choices()))


# --- played again: what each viewer receives -----------------------------------------------------


@dataclass
class Received:
    """What everybody received, and how much of it after each entry."""

    texts: dict[Viewer, list[str]] = field(default_factory=dict)
    marks: list[dict[Viewer, int]] = field(default_factory=list)


class Again:
    """A record played once more. With `rng`, everybody but the viewer also does hidden things."""

    def __init__(
        self, party: Party, record: Record, viewer: Viewer = None, rng: random.Random | None = None
    ) -> None:
        self.party = party
        self.record = record
        self.viewer = viewer
        self.rng = rng
        self.received = Received()
        #: What was done that leaves no trace, by kind.
        self.hidden: dict[str, int] = {}

    async def play(self) -> Received:
        party = self.party
        await party.begin(msgspec.structs.replace(self.record, entries=[], result=None))
        self.names = [party.code, party.table.row.id]
        for viewer in party.viewers():
            self.received.texts[viewer] = []
        place = 0
        while place < len(self.record.entries):
            await self._ask_and_look(place)
            block = self._block(place)
            if block:
                await self._close(block)
                self._mark(len(block))
                place += len(block)
            else:
                await self._entry(self.record.entries[place])
                await party.settled()
                self._mark(1)
                place += 1
        await party.end()
        return self.received

    def _mark(self, entries: int) -> None:
        counts = {}
        for viewer in self.party.viewers():
            chair = self.party.chair(viewer)
            assert chair.received is not None
            self.received.texts[viewer] += [self.masked(text) for text in chair.received]
            chair.received.clear()
            counts[viewer] = len(self.received.texts[viewer])
        self.received.marks += [counts] * entries

    def masked(self, text: str) -> str:
        """Without tokens and times, and otherwise as it came."""
        for name in self.names:
            text = text.replace(name, "*" * len(name))
        text = re.sub(r'"[0-9a-f]{32}"', '"id"', text)
        text = re.sub(r'"left":\{[^}]*\}', _without_numbers, text)
        return re.sub(r'"(at|ended)":\d+', r'"\1":0', text)

    # --- one entry after the other ---------------------------------------------------------------

    async def _entry(self, entry: Any) -> None:
        chair = self.party.chairs[entry.seat]
        match entry:
            case Move(do=do):
                await self._before(entry.seat, do)
                await chair.do(do)
            case Say(said=said):
                await chair.say(said)
            case Undo():
                await chair.undo()

    def _block(self, place: int) -> list[int]:
        """The seats that pass from here on, up to the end of the window."""
        table = self.party.table
        if not table.match.state.window():
            return []
        waiting = table.match.state.waiting()
        block = []
        for entry in self.record.entries[place : place + len(waiting)]:
            if not isinstance(entry, Move) or entry.do != PASS:
                break
            block.append(entry.seat)
        return block

    async def _close(self, block: list[int]) -> None:
        """They pass one after the other, in whatever order; only whether one is the last is seen."""
        order = self._order(block)
        for number, seat in enumerate(order):
            last = number == len(order) - 1
            await self._pass(seat, last)
            if not last:
                await self._preview(seat, 2)
            if number == 0 and not last:
                for viewer in self.party.viewers():  # whoever looks now must not see it
                    await self._look(viewer, 0)
        await self.party.settled()

    def _order(self, block: list[int]) -> list[int]:
        """Another order, in which the viewer only stays the first, among others, or the last."""
        if self.rng is None:
            return block
        order = [seat for seat in block if seat != self.viewer]
        self.rng.shuffle(order)
        if self.viewer in block:
            assert self.viewer is not None
            place = block.index(self.viewer)
            if 0 < place < len(block) - 1:
                place = self.rng.randrange(1, len(block) - 1)
            order.insert(place, self.viewer)
        return order

    async def _pass(self, seat: int, last: bool) -> None:
        chair, table = self.party.chairs[seat], self.party.table
        if seat == self.viewer or self.rng is None:
            await chair.do(PASS)
            return
        match self.rng.randrange(4):
            case 0 if not last:  # it might be for the next window too
                self._note("standing pass")
                await chair.keep(passes=list(self.party.game.windows))
                await until(lambda: seat in table.held)
                await chair.keep(passes=[])
            case 1:
                self._note("passed twice")
                twice = f"twice {len(table.match.entries)}"
                await chair.do(PASS, id=twice)
                if not last:
                    await chair.do(PASS, id=twice)
                    await chair.do(PASS)
                    await chair.keep(notes="I have passed")
            case _:
                await chair.do(PASS)

    async def _before(self, seat: int, do: list[Json]) -> None:
        """What leaves no trace, before a move."""
        if self.rng is None or seat == self.viewer:
            return
        table, chair = self.party.table, self.party.chairs[seat]
        state = table.match.state
        waiting = state.waiting()
        if state.window() and seat in waiting and len(waiting) > 1:
            if self.rng.random() < 0.7:
                self._note("passed before a card")
                await chair.do(PASS)
            return
        if not state.window() and seat in waiting and len(waiting) > 1:
            await self._change_of_mind(seat, do)

    async def _change_of_mind(self, seat: int, do: list[Json]) -> None:
        """A choice that can be changed is first made another way."""
        assert self.rng is not None
        table, space = self.party.table, self.party.game.space
        if self.viewer in table.match.state.team(seat):
            return  # they have no secrets from each other
        wanted = space.parse(do[0])
        family = [space.parse(path[0]) for path in self.party.chairs[seat].whole_choices()]
        for other in self.rng.sample(family, len(family)):
            if other == wanted or space.json(other)["do"] != do[0]["do"]:
                continue
            state = table.match.state.copy()
            state.play(seat, other)
            if state.midway() < 0 and wanted in state.legal(seat) and state.waiting():
                self._note("changed a choice")
                await self.party.chairs[seat].do([space.json(other)])
                await flush(self.party.chairs[seat])
                return

    def _note(self, what: str) -> None:
        self.hidden[what] = self.hidden.get(what, 0) + 1

    # --- what viewers ask ------------------------------------------------------------------------

    async def _ask_and_look(self, place: int) -> None:
        for viewer in self.party.viewers():
            if place % 7 == 3:
                await self._preview(viewer, place)
            if place % LOOK == LOOK - 1:
                await self._look(viewer, place)
            if self.rng is not None and viewer not in (None, self.viewer) and place % 5 == 2:
                self._note("notes")
                await self.party.chair(viewer).keep(notes=f"{place} " * self.rng.randrange(9))

    async def _preview(self, viewer: Viewer, place: int) -> None:
        """Previews of what one may do and of what one may not, and moves that are refused."""
        chair, space = self.party.chair(viewer), self.party.game.space
        rng = random.Random(f"{viewer} {place}")
        first = [choice["do"] for choice in chair.choices]
        wrong = [space.json(rng.randrange(space.size)) for _ in range(2)]
        asks = [chair.preview(steps) for steps in chair.whole_choices()[:2]]
        asks += [chair.preview([step]) for step in wrong]
        tries = [chair.do([step]) for step in wrong if step not in first]
        for ask in (*asks, *tries):
            with suppress(Refusal):  # it stands in what was received
                await ask

    async def _look(self, viewer: Viewer, place: int) -> None:
        """The viewer comes on a second device that has seen nothing, or a part."""
        party, chair = self.party, self.party.chair(viewer)
        client = party.clients[-1 if viewer is None else viewer]
        device = client.socket(party.code, viewer)
        device.received = []
        if place % 2:
            device.match, device.n, device.room = chair.match, chair.n // 2, {}
            device.scene = deepcopy(chair.scene)
        here = len(party.lounge.sockets)
        await device.__aenter__()
        await party._here(here + 1)
        await flush(device)
        await device.__aexit__(None, None, None)
        await party._here(here)
        for other in party.chairs:
            await flush(other)  # they heard of it, before anything else happens
        assert chair.received is not None
        chair.received += ["second device", *device.received]


def _without_numbers(found: re.Match[str]) -> str:
    return re.sub(r":\d+", ":0", found[0])


# --- comparing -----------------------------------------------------------------------------------


def difference(own: Received, twin: Received, viewer: Viewer) -> str:
    """The first thing that tells the one from the other, or ""."""
    until_ = own.marks[len(twin.marks) - 1][viewer]
    one, two = own.texts[viewer][:until_], twin.texts[viewer]
    for number, (a, b) in enumerate(zip(one, two, strict=False)):
        if a != b:
            at = next(i for i, (x, y) in enumerate(zip(a + "\0", b + "\1", strict=False)) if x != y)
            near = slice(max(0, at - 120), at + 80)
            return f"message {number} of {len(one)}:\n{a[near]}\n{b[near]}"
    if len(one) != len(two):
        more = (one if len(one) > len(two) else two)[min(len(one), len(two))]
        return f"{len(one)} messages and {len(two)}: {more[:200]}"
    return ""


def dealt_record(game: Game, record: Record) -> Record:
    """The same match from a deal instead of a seed, as its twins are."""
    deal = Match.dealt(game, record)
    return altered(record, seed="", seed_hash="", deal=deal)


def keys(game: Game, record: Record) -> list[bytes]:
    """The true states after each entry."""
    match = Match.begin(game, record)
    found = [match.state.key()]
    for number, entry in enumerate(record.entries):
        match.follow(entry, number)
        found.append(match.state.key())
    return found


@dataclass
class Comparison:
    """A table's matches and their twins over one server."""

    party: Party
    game: Game
    wanted: Wanted
    seed: int
    pairs: int = 0
    differ: int = 0
    hidden: dict[str, int] = field(default_factory=dict)

    async def record(self) -> Record:
        options = msgspec.convert(self.wanted.options, type=self.game.options)
        names = [f"P{number}" for number in range(self.wanted.seats)]
        seed = random.Random(self.seed).randbytes(32)
        header = Match(self.game, names, options, seed=seed).record(reveal=True)
        await self.party.begin(header)
        rng = random.Random(self.seed)
        record = await improvise(self.party, rng, self.wanted.entries)
        await self.party.end()
        return dealt_record(self.game, whole_windows(self.game, record))

    async def found(self, viewers: list[Viewer] | None = None) -> list[str]:
        """Everything by which a viewer could tell the match from its twin."""
        record = await self.record()
        own = await Again(self.party, record).play()
        faults = []
        rng = random.Random(self.seed)
        for viewer in viewers if viewers is not None else self.party.viewers():
            # The end often reveals all: often look at a match that is still going on.
            cut = record
            if record.result is None and rng.random() < 0.5:
                kept = rng.randrange(len(record.entries) // 2, len(record.entries))
                cut = altered(record, entries=record.entries[:kept])
                cut = whole_windows(self.game, cut)
            twin = self.game.twin(cut, viewer, Rng(rng.randbytes(8)))
            self.pairs += 1
            self.differ += keys(self.game, cut) != keys(self.game, twin)
            again = Again(self.party, twin, viewer, rng)
            fault = difference(own, await again.play(), viewer)
            for what, count in again.hidden.items():
                self.hidden[what] = self.hidden.get(what, 0) + count
            if fault:
                faults.append(f"{self.game.id}, seed {self.seed}, viewer {viewer}, {fault}")
        return faults


def whole_windows(game: Game, record: Record) -> Record:
    """Without the passes at the end of a record in a window that has not closed."""
    entries = list(record.entries)
    while entries:
        match = Match.begin(game, record)
        for entry in entries:
            match.follow(entry)
        last = entries[-1]
        if not match.state.window() or not isinstance(last, Move) or last.do != PASS:
            break
        entries.pop()
    return altered(record, entries=entries)


async def compare(
    folder: Path, wanted: Wanted, seed: int, viewers: list[Viewer] | None = None
) -> tuple[list[str], Comparison]:
    # What is kept where is not the question: only the first title waits for the disk.
    store = None if LONG or wanted is TABLES[0] else MemoryStore()
    # Nobody is replaced, however slow the machine is.
    async with serving(folder, store, grace=3600) as server:
        game = games.load(wanted.title)
        party = await Party.gather(server, game, wanted.seats)
        comparison = Comparison(party, game, wanted, seed)
        return await comparison.found(viewers), comparison
