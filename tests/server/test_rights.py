"""Whoever gets what a seat alone may know holds that seat at that moment, whatever happens at once.

People come and go, sit down, get up, are shuffled, sent out, handed links; matches begin and are
abandoned, watching is switched on and off; and all the time everybody asks for everything. The store
and the bots take as long as chance wills. Every byte that goes out is looked at when it does.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, cast

import msgspec
import pytest

from capolinea import games
from capolinea.engine.chance import Chance
from capolinea.engine.problems import Problem
from capolinea.server import rest
from capolinea.server.hub import Hub
from capolinea.server.lounge import Lounge
from capolinea.server.minds import Answer, Minds, Moment, Thought, Variant, thought
from capolinea.server.protocol import Command, NewRoom, UseKey
from capolinea.server.rooms import Room
from capolinea.server.settings import Settings
from capolinea.server.socket import Socket
from capolinea.server.store import Change, PutPrivate
from capolinea.server.work import Asker, Workshop
from tests.server.hourglass import Line, MemoryStore, SandHub, first_choice, turned
from tests.server.tables import QUICK

LONG = bool(os.environ.get("CAPOLINEA_LONG"))
HISTORIES = 400 if LONG else 30
PEOPLE = [f"person-{number}" for number in range(5)]
Json = dict[str, Any]

_SUNG = re.compile(r"(canary|song)-([0-9]{9})(?:-([0-9]+))?")
#: What somebody still gets who was sent out.
_PARTING = re.compile(r'{"t":"(bye|refused|done|pong)"')
_KIND = re.compile(r'{"t":"([a-z]+)"')
_NOTED = re.compile(r"(note [0-9]+ on ([a-z0-9]+))")


@pytest.fixture(autouse=True)
def _canaries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.TITLES, "canaries", "tests.server.canaries:GAME")


# --- a house where nothing takes the same time twice ----------------------------------------------


class SlowStore(MemoryStore):
    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.rng = rng
        #: On which seat each note was ever kept.
        self.notes: dict[str, int] = {}

    async def write(self, *changes: Change) -> None:
        self.seconds = self.rng.choice([0, 0.01, 0.05])
        await super().write(*changes)
        for change in changes:
            if isinstance(change, PutPrivate):
                for note, _ in _NOTED.findall(change.doc.decode()):
                    self.notes[note] = change.seat


class SlowMinds:
    """Bots."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    async def think(self, variant: Variant, moment: Moment) -> list[Answer]:
        await asyncio.sleep(self.rng.choice([0, 0.03, 0.2]))
        return [Answer(Thought(None, first_choice(ask))) for ask in moment.asks]

    def forget(self, match: str) -> None: ...

    def close(self) -> None: ...


class SlowWork:
    """Hints, and what else takes long."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    async def do(self, asker: Asker, work: Callable[..., Any], *arguments: Any) -> Any:
        await asyncio.sleep(self.rng.choice([0, 0.03, 0.2]))
        return Thought(None, first_choice(arguments[-1])) if work is thought else work(*arguments)

    def close(self) -> None: ...


class Web(Line):
    """A socket that is slow at times. It looks at all that it gets."""

    def __init__(self, house: House, person: str) -> None:
        super().__init__()
        self.house = house
        self.person = person
        self.got: list[str] = []

    def told(self, text: str) -> None:
        house = self.house
        if self.person in house.lounge.room.removed and not _PARTING.match(text):
            house.faults.append(f"{self.person} is out, and got {text[:200]}")
        house.hand_out(self.person, text)
        self.got.append(text)
        self.full = house.rng.random() < 0.3
        if self.full:
            asyncio.get_running_loop().call_later(0.02, self._go_on)

    def _go_on(self) -> None:
        self.full = False
        self.on_room()

    def ask(self, message: Json) -> None:
        self.say(msgspec.json.encode(message).decode())

    def refused(self) -> str:
        """Why something was refused, if it was."""
        for text in self.got:
            message = msgspec.json.decode(text)
            if message["t"] == "refused":
                return str(message["why"]["key"])
            if message["t"] == "bye":
                return f"room.{message['why']}"
        return ""


class House:
    """One room, five people, and what each of them was handed out."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.store = SlowStore(self.rng)
        self.hub: Hub
        self.lounge: Lounge
        self.webs: list[Web] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.keys: list[tuple[int, str]] = []
        #: What went out that should not have, and how much went out that might.
        self.faults: list[str] = []
        self.secrets: Counter[str] = Counter()

    async def open_hub(self) -> None:
        self.hub = SandHub(Settings(**QUICK), self.store)
        self.hub.minds = cast(Minds, SlowMinds(self.rng))
        self.hub.work = self.hub.hints = cast(Workshop, SlowWork(self.rng))
        await self.hub.open()

    async def open(self) -> None:
        await self.open_hub()
        room = NewRoom("canaries", name="P0")
        self.lounge = await self.hub.create(PEOPLE[0], "", room)

    async def close(self) -> None:
        for web in self.webs:
            web.hang_up()
        await asyncio.gather(*self.tasks)
        await self.hub.close()

    # --- the checker -----------------------------------------------------------------------------

    def hand_out(self, person: str, text: str) -> None:
        """Called with every byte that reaches a person, at the moment at which it does."""
        room = self.lounge.room
        for kind, nonce, seat in _SUNG.findall(text):
            match = self._match_of(nonce)
            row = self.store.matches_[match]
            if row.ended is not None:
                continue  # its seed is published: anybody may know
            self.secrets[_kind_of(text)] += 1
            if not self._may_hear(room, person, match, int(seat) if kind == "canary" else None):
                self.faults.append(f"{person} heard {kind} {seat} in {text[:200]}")
        for note, match in _NOTED.findall(text):
            if not self._may_read(room, person, match, note):
                self.faults.append(f"{person} read {note}")

    def _match_of(self, nonce: str) -> str:
        for match, row in self.store.matches_.items():
            seed = bytes.fromhex(msgspec.json.decode(row.header)["seed"])
            if f"{Chance(seed).below('match', 0, 10**9):09}" == nonce:
                return match
        raise AssertionError(nonce)

    def _may_hear(self, room: Room, person: str, match: str, seat: int | None) -> bool:
        """Written from the page on security, not from the code."""
        if room.match != match or not room.playing or person in room.removed:
            return False
        if seat is not None:
            return person in room.seats[room.match_seats[seat]].holders
        plays = any(person in chair.holders for chair in room.seats)
        return plays or room.settings.watching

    def _may_read(self, room: Room, person: str, match: str, note: str) -> bool:
        """Notes are the chair's, also once the match is over."""
        if room.match != match:
            return False
        held = [room.seats[seat].holders for seat in room.match_seats]
        chairs = held if room.playing else room.match_holders
        return person in chairs[self.store.notes[note]]

    # --- what people do --------------------------------------------------------------------------

    async def do(self, who: str) -> None:
        """Something, whatever the room says to it."""
        deeds: list[Callable[[str], Awaitable[None]]] = [
            *(self._connect,) * 5,
            *(self._ask,) * 8,
            *(self._command,) * 6,
            self._look,
            self._link,
        ]
        with suppress(Problem):
            await self.rng.choice(deeds)(who)

    async def _connect(self, who: str) -> None:
        own = [web for web in self.webs if web.person == who]
        if len(own) > 2:
            own[0].hang_up()
            self.webs.remove(own[0])
        web = Web(self, who)
        self.webs.append(web)
        socket = Socket(self.hub, self.lounge, web, who)
        web.ask({"t": "hello", "seat": self.rng.choice([None, 0, 1, 2, 3])})
        self.tasks.append(asyncio.create_task(socket.run()))

    async def _ask(self, who: str) -> None:
        rng, table = self.rng, self.lounge.table
        own = [web for web in self.webs if web.person == who]
        if not own or table is None:
            return
        id, match = f"id{rng.randrange(10**9)}", table.row.id
        seat = table.match.state.waiting() or [0]
        message: Json = rng.choice(
            [
                {"t": "read", "id": id},
                # For these it must be one's turn.
                *({"t": "preview", "id": id, "do": [{"do": "sing"}]},) * 3,
                *({"t": "hint", "id": id},) * 3,
                {
                    "t": "do",
                    "id": id,
                    "question": table.question(seat[0]).id,
                    "do": [{"do": "sing"}],
                },
                {"t": "keep", "id": id, "match": match, "notes": f"note {id[2:]} on {match}"},
                {"t": "chat", "id": id, "text": "hello"},
                {
                    "t": "chat",
                    "id": id,
                    "text": "psst",
                    "to": "team",
                    "match": match,
                    "team": [0, 1],
                },
                {"t": "undo", "id": id},
                {"t": "pause"},
            ]
        )
        rng.choice(own).ask(message)

    async def _command(self, who: str) -> None:
        rng, room = self.rng, self.lounge.room
        numbers = [person.number for person in room.people] or [1]
        seat = rng.randrange(len(room.seats))
        watching = {**msgspec.to_builtins(room.settings), "watching": rng.random() < 0.5}
        command: Json = rng.choice(
            [
                *({"do": "start"},) * 9,
                *({"do": "sit", "seat": seat},) * 3,
                *({"do": "shuffle"},) * 2,
                {"do": "abandon"},
                {"do": "stand", "seat": seat},
                {"do": "bot", "seat": seat, "bot": "random"},
                {"do": "clear", "seat": seat},
                {"do": "leave"},
                {"do": "hand-over", "person": rng.choice(numbers)},
                {"do": "replace", "seat": seat},
                {"do": "take-back", "seat": seat},
                {"do": "configure", "settings": watching},
            ]
        )
        if len(room.removed) < 2 and rng.random() < 0.03:
            command = {"do": "remove", "person": rng.choice(numbers)}
        await self._commanded(who, command)
        if command["do"] == "sit":
            await self._commanded(who, {"do": "ready"})

    async def _commanded(self, who: str, command: Json) -> None:
        wanted = msgspec.convert(command, type=Command)
        self.hand_out_answer(who, await rest.command_room(self._asked(who, body=wanted)))

    async def _look(self, who: str) -> None:
        looker = self.rng.choice(["spectator", "0", "1", "truth"])
        asked = self._asked(who, {"id": self.lounge.room.match}, {"as": looker})
        route = self.rng.choice([rest.show_replay, rest.show_replay, rest.show_match])
        self.hand_out_answer(who, await route(asked))

    async def _link(self, who: str) -> None:
        if self.keys and self.rng.random() < 0.5:
            seat, key = self.rng.choice(self.keys)
            asked = self._asked(who, {"seat": str(seat)}, body=UseKey(key))
            self.hand_out_answer(who, await rest.use_key(asked))
        else:
            seat = self.rng.randrange(4)
            link = await rest.seat_link(self._asked(who, {"seat": str(seat)}))
            self.keys.append((seat, link.key))

    def _asked(
        self, who: str, path: Json | None = None, query: Json | None = None, body: Any = None
    ) -> rest.Call:
        path = {"code": self.lounge.room.code, **(path or {})}
        return rest.Call(self.hub, who, "", path, query or {}, body)

    def hand_out_answer(self, who: str, answer: Any) -> None:
        text = answer if isinstance(answer, bytes) else msgspec.json.encode(answer)
        self.hand_out(who, text.decode())


def _kind_of(text: str) -> str:
    message = _KIND.match(text)
    return message[1] if message else "replay"


async def _history(house: House, deeds: int) -> None:
    await house.open()
    for who in PEOPLE[1:4]:
        await house._commanded(who, {"do": "sit", "seat": PEOPLE.index(who)})
        await house._commanded(who, {"do": "ready"})

    async def live(who: str) -> None:
        for _ in range(deeds):
            await house.do(who)
            await asyncio.sleep(house.rng.choice([0, 0, 0.005, 0.03, 0.1]))

    await asyncio.gather(*(live(who) for who in PEOPLE for _ in range(2)))
    await house.close()


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_whoever_gets_what_a_seat_alone_may_know_holds_that_seat(seed: int) -> None:
    house = House(seed)
    turned(_history)(house, 60)
    assert house.faults == []


def test_such_histories_have_secrets_in_them() -> None:
    """Of every kind, or else the test above could not fail."""
    secrets: Counter[str] = Counter()
    for seed in range(8):
        house = House(seed)
        turned(_history)(house, 60)
        secrets += house.secrets
    assert secrets.total() > 100
    assert {*secrets} == {"welcome", "frame", "preview", "reading", "hint", "replay"}
