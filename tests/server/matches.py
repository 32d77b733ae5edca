"""Matches for tests: people at a table, and ways to bring them to the moment that a test is about."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from capolinea.client import Refusal, Seat
from capolinea.server.lounge import Lounge
from capolinea.server.protocol import encode
from capolinea.server.table import Table
from tests.server.tables import TIME, Choose, Guest, Running

Json = dict[str, Any]


class Party:
    """A room with a client for each of its people."""

    def __init__(self, server: Running, code: str, clients: list[Guest]) -> None:
        self.server = server
        self.code = code
        self.clients = clients

    @property
    def lounge(self) -> Lounge:
        return self.server.hub.lounges[self.code]

    @property
    def table(self) -> Table:
        table = self.lounge.table
        assert table is not None
        return table

    def socket(self, seat: int) -> Seat:
        return self.clients[seat].socket(self.code, seat)

    @asynccontextmanager
    async def sitting(self) -> AsyncIterator[list[Seat]]:
        """Everybody, connected."""
        async with AsyncExitStack() as stack:
            yield [
                await stack.enter_async_context(self.socket(number))
                for number in range(len(self.clients))
            ]

    async def settled(self, seats: Sequence[Seat]) -> None:
        """Wait until everybody has everything that the table has told them."""
        async with asyncio.timeout(TIME):
            for seat in seats:
                while seat.n != len(self.table.fold.told[seat.number]):
                    await asyncio.sleep(0.001)

    async def play_until(
        self, seats: Sequence[Seat], choose: Choose, wanted: Callable[[], bool]
    ) -> None:
        """One answer after the other, until the wanted moment has come."""
        async with asyncio.timeout(TIME):
            await self.settled(seats)
            while not wanted():
                assert not self.table.over, "the match ended before"
                asked = [seat for seat in seats if seat.must]
                if asked:
                    await self.answer(asked[0], choose)
                else:
                    await asyncio.sleep(0.001)  # a window closes
                await self.settled(seats)

    async def answer(self, seat: Seat, choose: Choose) -> None:
        try:
            await seat.do(choose(seat))
        except Refusal as refusal:
            if refusal.key not in ("table.late", "table.over"):
                raise


async def party(server: Running, title: str, seats: int, **more: Any) -> Party:
    """A match with a person in every seat, just begun."""
    clients = [server.client() for _ in range(seats)]
    for client in clients:
        await client.__aenter__()
    room = await clients[0].create(title, name="Ada", **more)
    code = str(room["code"])
    for number, client in enumerate(clients[1:], 1):
        await client.command(code, "sit", seat=number, name=f"Guest {number}")
        await client.command(code, "ready")
    await clients[0].command(code, "start")
    return Party(server, code, clients)


async def returned(server: Running, code: str, clients: list[Guest]) -> Party:
    """The same people at a server that has started since: it opens their room when somebody asks."""
    await server.hub.lounge(code)
    return Party(server, code, clients)


class Wire:
    """A socket without any manners: what is sent and what comes, message by message."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def next(self, *kinds: str) -> Json:
        """The next message of one of these kinds; others are passed over."""
        async with asyncio.timeout(TIME):
            while True:
                message: Json = json.loads(await self.socket.recv())
                if message["t"] in kinds:
                    return message

    async def answer(self, id: str) -> Json:
        """What is said to the message of this id."""
        while (found := await self.next("done", "refused")).get("id") != id:
            pass
        return found

    async def silence(self, seconds: float = 0.15) -> list[Json]:
        """All that comes in this time."""
        found = []
        try:
            async with asyncio.timeout(seconds):
                while True:
                    found.append(json.loads(await self.socket.recv()))
        except TimeoutError:
            return found


@asynccontextmanager
async def wire(
    client: Guest, code: str, seat: int | None, match: str = "", seen: int = 0
) -> AsyncIterator[Wire]:
    """A socket that has said hello."""
    url = client.url.replace("http", "ws", 1) + f"/api/rooms/{code}/socket"
    headers = {"Cookie": client.cookie} if client.cookie else {}
    async with connect(url, additional_headers=headers, compression=None) as socket:
        found = Wire(socket)
        await found.send(t="hello", seat=seat, match=match, seen=seen)
        yield found


async def fresh_scene(table: Table, viewer: int | None) -> Json:
    """What somebody who comes now would see."""
    welcome = await table.welcome(viewer, "", 0)
    scene: Json = json.loads(encode(welcome.scene))
    return scene
