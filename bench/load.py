"""A load generator: tables of five sockets, each with one action on its way at a time.

It speaks just enough WebSocket that it is the server that is measured, and never its clients: one core
is enough to keep another one busy.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPConnection
from time import perf_counter, process_time
from typing import Any

import msgspec

HERE = "127.0.0.1"
SEATS = 5
#: Seconds after which somebody has not heard of an action at all.
LOST = 60
#: So many actions a table may have been played for when it is measured.
BEGUN = 40
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Failed(Exception):
    """The server did not do what it was asked for."""


class Wire(asyncio.Protocol):
    """A WebSocket, from the client's side: whole messages as bytes, in order."""

    def __init__(self, request: str, heard: Callable[[Wire, bytes], None]) -> None:
        self._request = request
        self._heard = heard
        self._buffer = bytearray()
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        #: Bytes of messages that came.
        self.bytes = 0
        #: Called when the connection is gone.
        self.lost: Callable[[], None] = lambda: None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(exc or Failed("closed at the handshake"))
        self.lost()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.open.done():
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self.open.set_exception(Failed(self._buffer.decode("latin-1")))
                self._transport.close()
                return
            self._buffer = rest
            self.open.set_result(None)
        self._take_frames()

    def _take_frames(self) -> None:
        buffer, at = self._buffer, 0
        while len(buffer) >= at + 2:
            size, start = buffer[at + 1], at + 2
            if size == 126:
                start += 2
            elif size == 127:
                start += 8
            if len(buffer) < start:
                break
            if size >= 126:
                size = int.from_bytes(buffer[at + 2 : start], "big")
            if len(buffer) < start + size:
                break
            self._take(buffer[at] & 15, bytes(buffer[start : start + size]))
            at = start + size
        del buffer[:at]

    def _take(self, kind: int, payload: bytes) -> None:
        if kind in (TEXT, BINARY):
            self.bytes += len(payload)
            self._heard(self, payload)
        elif kind == PING:
            self.send(payload, PONG)
        elif kind == CLOSE:
            self._transport.close()

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        size = len(payload)
        if size < 126:
            head = bytes((128 | kind, 128 | size))
        else:
            head = bytes((128 | kind, 128 | 126)) + size.to_bytes(2, "big")
        # Clients must mask what they send; a mask of zeros leaves it as it is.
        self._transport.write(head + b"\0\0\0\0" + payload)

    def stop_reading(self) -> None:
        self._transport.pause_reading()

    def close(self) -> None:
        self._transport.abort()


async def connect(
    port: int,
    path: str,
    heard: Callable[[Wire, bytes], None],
    headers: str = "",
    address: str = HERE,
) -> Wire:
    """`headers` are whole lines; `address` is where we come from."""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {HERE}:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n"
    )
    loop = asyncio.get_running_loop()
    _, wire = await loop.create_connection(
        lambda: Wire(request, heard), HERE, port, local_addr=(address, 0)
    )
    await wire.open
    return wire


class Http:
    """Requests over one connection that stays open."""

    def __init__(self, port: int, address: str = HERE) -> None:
        self._connection = HTTPConnection(HERE, port, timeout=LOST, source_address=(address, 0))
        #: What the last answer wanted to be remembered.
        self.cookie = ""

    def post(self, path: str, body: Any, cookie: str = "") -> Any:
        return self.request("POST", path, msgspec.json.encode(body), cookie)

    def request(
        self, method: str, path: str, content: bytes | None = None, cookie: str = ""
    ) -> Any:
        """The answer's JSON; Failed if there is none."""
        headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
        self._connection.request(method, path, content, headers)
        answer = self._connection.getresponse()
        found = answer.read()
        if answer.status >= 400:
            raise Failed(f"{path}: {answer.status} {found.decode()}")
        self.cookie = (answer.headers.get("set-cookie") or "").split(";")[0]
        return msgspec.json.decode(found)


class Party:
    """Five seats, from their players' side. A server's own kind knows what to send, and hears when
    everybody who is told of it has been."""

    def __init__(self) -> None:
        self.wires: list[Wire] = []
        self._sent = 0.0
        self._done: asyncio.Future[float | None] | None = None

    def add(self, wire: Wire) -> None:
        """The next seat's."""
        self.wires.append(wire)
        wire.lost = lambda: self.fail("the connection of a player is gone")

    @property
    def over(self) -> bool:
        """Whether the match is; the next action is in another one, then."""
        return False

    async def act(self) -> float | None:
        """One action; the seconds until the last of five has heard of it, or None if only who acted is
        told of it."""
        await self.ready()
        self._done = asyncio.get_running_loop().create_future()
        self._sent = perf_counter()
        self.send()
        try:
            async with asyncio.timeout(LOST):
                return await self._done
        except TimeoutError:
            raise Failed(f"not everybody has heard of an action after {LOST} s") from None

    async def ready(self) -> None:
        """Wait until there is something to do."""

    def send(self) -> None:
        """Let whoever is asked act."""
        raise NotImplementedError

    def heard_by_all(self) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_result(perf_counter() - self._sent)

    def heard_by_one(self) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_result(None)

    def fail(self, why: str) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(Failed(why))

    @property
    def bytes(self) -> int:
        return sum(wire.bytes for wire in self.wires)

    def close(self) -> None:
        for wire in self.wires:
            wire.close()


@dataclass
class Played:
    """What came of some tables' playing."""

    seconds: float
    actions: int
    #: Of each action that all have heard of, in seconds.
    latencies: list[float]
    #: Per viewer and action.
    bytes: float
    #: How much of its core we ourselves needed.
    generator: float


async def play(tables: list[Party], seconds: float, think: float = 0) -> Played:
    """Every table plays for so long, and all hear of one action at least. Players think for so many
    seconds on average (exponentially distributed), or not at all: then the next action goes when all
    have heard of the last."""
    times: list[float | None] = []
    chance = random.Random(1)
    heard, used, begin = sum(table.bytes for table in tables), process_time(), perf_counter()

    def left() -> float:
        return begin + seconds - perf_counter()

    async def sit_at(table: Party) -> None:
        while True:
            if think:
                await asyncio.sleep(max(0, min(left(), chance.expovariate(1 / think))))
            if left() <= 0 and any(times):
                return
            times.append(await table.act())

    await asyncio.gather(*map(sit_at, tables))
    lasted = perf_counter() - begin
    heard = sum(table.bytes for table in tables) - heard
    return Played(
        seconds=lasted,
        actions=len(times),
        latencies=[time for time in times if time is not None],
        bytes=heard / SEATS / len(times),
        generator=(process_time() - used) / lasted,
    )


async def begin(tables: list[Party]) -> None:
    """Some play a little and some play more, so that not all are at the same point of their matches."""

    async def some(table: Party, count: int) -> None:
        for _ in range(count):
            await table.act()

    await asyncio.gather(*(some(table, number % BEGUN) for number, table in enumerate(tables)))


def at(share: float, values: list[float]) -> float:
    """The value that so large a share of them is below."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
