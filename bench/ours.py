"""Our own server under load: `capolinea serve` on a file, with people at Stop the Train!"""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from load import BEGUN, SEATS, Failed, Http, Party, Wire, connect
from process import Server

import capolinea
from capolinea.lab.build import compiled as is_compiled
from capolinea.patch import patched
from capolinea.server.sitting import Stood
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import AddEntries, Change, PutAway, PutMatch, PutRoom

sys.path.append(str(Path(__file__).parents[1] / "tools"))

import compiled

TITLE = "stop-the-train"
MANY = "1000000"
#: All come from one address here, and none of them waits for others.
LIFTED = {
    "max-rooms": MANY,
    "rooms-per-hour": MANY,
    "address-rooms-per-hour": MANY,
    "matches-per-hour": MANY,
    "address-matches-per-hour": MANY,
    "requests-per-minute": MANY,
    "address-requests-per-minute": MANY,
    "socket-messages": MANY,
    "person-sockets": MANY,
    "address-sockets": MANY,
    "sockets-per-minute": MANY,
    "address-sockets-per-minute": MANY,
    "address-connections": MANY,
    "address-wrong-codes-per-hour": MANY,
    "chat-per-minute": MANY,
    "address-chat-per-minute": MANY,
}
#: What a player looks at of all that there is to see.
LOOKED_AT = ("question", "result")
encode, decode = msgspec.json.encode, msgspec.json.decode


@cache
def build() -> tuple[Path, bool]:
    """Where the package lies, and whether it is compiled: what tools/compiled.py made of the sources, or
    what this Python has."""
    folder = compiled.ready()
    return (folder, True) if folder else (Path(capolinea.__file__).parents[1], is_compiled())


class Capolinea(Server):
    name = "capolinea"

    def __init__(self, database: Path, flags: Mapping[str, str] = LIFTED) -> None:
        command = [sys.executable, "-m", "capolinea", "serve", "--port", "PORT"]
        for name, value in {"db": str(database), "log-level": "error", **flags}.items():
            command += [f"--{name}", value]
        super().__init__(command, {"PYTHONPATH": str(build()[0]), "CAPOLINEA_METRICS": "yes"})

    async def join(self, count: int) -> list[Party]:
        http = Http(self.port)
        tables: list[Party] = []
        for number in range(count):
            table = Ours(self.port, number)
            table.sit_down(http)
            await table.come_in()
            tables.append(table)
        return tables


async def fill(database: Path, count: int) -> None:
    """A store with so many rooms in which a match is on and nobody is, so that they are put away: one
    that was played a little, and its copies."""
    with Capolinea(database) as server:
        (table,) = await server.join(1)
        for _ in range(BEGUN):
            await table.act()
        table.close()
    store = SqliteStore(database)
    await store.open()
    (match,) = await store.matches()
    code = match.room
    doc = await store.room(code)
    assert doc is not None
    entries = await store.entries(match.id)
    changes: list[Change] = []
    for number in range(count - 1):
        room, id = f"{code}{number}", f"{match.id}{number}"
        copy = doc.replace(code.encode(), room.encode()).replace(match.id.encode(), id.encode())
        row = msgspec.structs.replace(match, id=id, room=room)
        changes += [PutRoom(room, copy, match.began), PutMatch(row), AddEntries(id, entries)]
        changes.append(PutAway(id, None, encode(Stood())))
    await store.write(*changes)
    await store.close()


class Ours(Party):
    """A table of five people who do anything that they may."""

    def __init__(self, port: int, number: int) -> None:
        super().__init__()
        self._port = port
        self._chance = random.Random(number)
        self._count = 0
        self._action: Action | None = None

    # --- sitting down ----------------------------------------------------------------------------

    def sit_down(self, http: Http) -> None:
        """Five strangers in a room, where windows close when all have answered."""
        asked = {"title": TITLE, "name": "Ada", "settings": {"clock": {"kind": "none"}}}
        self.code = http.post("/api/rooms", asked)["code"]
        self.cookies = [http.cookie]
        for seat in range(1, SEATS):
            sit = {"do": "sit", "seat": seat, "name": f"No. {seat}"}
            http.post(f"/api/rooms/{self.code}", sit)
            self.cookies.append(http.cookie)
        self._start(http)

    def _start(self, http: Http) -> None:
        room = f"/api/rooms/{self.code}"
        for cookie in self.cookies[1:]:
            http.post(room, {"do": "ready", "ready": True}, cookie)
        http.post(room, {"do": "start"}, self.cookies[0])

    async def come_in(self) -> None:
        self.seats = [Seat(self, number) for number in range(SEATS)]
        for seat, cookie in zip(self.seats, self.cookies, strict=True):
            path = f"/api/rooms/{self.code}/socket"
            seat.wire = await connect(self._port, path, seat.heard, f"Cookie: {cookie}\r\n")
            seat.wire.send(encode({"t": "hello", "seat": seat.number}))
            self.add(seat.wire)
            await seat.welcomed.wait()

    # --- playing ---------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return any(seat.scene["result"] for seat in self.seats)

    async def ready(self) -> None:
        """Where a match is over, the next one begins."""
        if self.over:
            for seat in self.seats:
                seat.welcomed.clear()
            await asyncio.to_thread(self._start, Http(self._port))
            for seat in self.seats:
                await seat.welcomed.wait()

    def send(self) -> None:
        asked = [seat for seat in self.seats if seat.must]
        if not asked:
            raise Failed("nobody is asked")
        actor = self._chance.choice(asked)
        question = actor.scene["question"]
        self._count += 1
        self._action = Action(actor, str(self._count))
        do = self._steps(question["choices"])
        message = {"t": "do", "id": self._action.id, "question": question["id"], "do": do}
        actor.wire.send(encode(message))

    def _steps(self, choices: list[Any]) -> list[Any]:
        choice = self._chance.choice(choices)
        return [choice["do"], *(self._steps(choice["then"]) if choice.get("then") else [])]

    def heard(self, seat: Seat, message: Any) -> None:
        """What a seat was told, perhaps of the last action."""
        if self._action is None:
            return
        if message["t"] == "refused":
            self.fail(str(message))
        self._action.hear(seat, message)
        if self._action.is_over:
            self.heard_by_all()
        elif self._action.is_secret and any(seat.must for seat in self.seats):
            self.heard_by_one()


class Action:
    """Something that somebody did, and who has heard of it. Of what is secret, like a vote or a pass,
    nobody else hears anything, until the last one of them lets the game go on."""

    def __init__(self, actor: Seat, id: str) -> None:
        self.actor = actor
        self.id = id
        self._acknowledged = self._shown = self._public = False
        self._told: set[int] = set()

    def hear(self, seat: Seat, message: Any) -> None:
        kind, own = message["t"], seat is self.actor
        if kind == "frame":
            self._told.add(seat.number)
            self._public = self._public or not own or is_public(message)
        if own:
            self._shown = self._shown or kind in ("frame", "private")
            self._acknowledged = self._acknowledged or kind == "done"

    @property
    def is_over(self) -> bool:
        return self._acknowledged and len(self._told) == SEATS

    @property
    def is_secret(self) -> bool:
        """Nobody else has been told anything. If somebody is still asked, nobody will be."""
        return self._acknowledged and self._shown and not self._public


def is_public(frame: Any) -> bool:
    """Whether everybody gets a frame when this one comes to who acted."""
    if any(not event.get("private") for event in frame["events"]):
        return True
    own = (["question"], ["view", "own"])
    return any(path[:1] != own[0] and path[:2] != own[1] for path, *_ in frame["delta"])


class Seat:
    """What one of them knows."""

    wire: Wire

    def __init__(self, table: Ours, number: int) -> None:
        self._table = table
        self.number = number
        self.welcomed = asyncio.Event()
        self.scene: dict[str, Any] = {}
        self._held = 0

    @property
    def must(self) -> bool:
        question = self.scene["question"]
        return bool(question and question.get("must") and question["id"] != self._held)

    def heard(self, _wire: Wire, payload: bytes) -> None:
        message = decode(payload)
        match message["t"]:
            case "welcome":
                self.scene = {name: message["scene"].get(name) for name in LOOKED_AT}
                self._held = (message.get("private") or {}).get("held_question", 0)
                self.welcomed.set()
            case "frame":
                changes = [change for change in message["delta"] if change[0][0] in LOOKED_AT]
                self.scene = patched(self.scene, changes)
            case "private":
                self._held = message["private"].get("held_question", 0)
        self._table.heard(self, message)
