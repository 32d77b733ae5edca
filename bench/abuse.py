"""What somebody may do to a server, for `bystander.py`: each kind again and again, within the limits.

    python bench/abuse.py KIND PORT SECONDS SHARE

Says "ready" when it is set up, goes on for so many seconds, and prints how much it did in all, and how
much was refused.
SHARE is how much of the full size it has.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
from load import HERE, Failed, Http, Wire, connect

FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures"
LONG_MATCH = FIXTURES / "tachite-al-tram" / "no-tiles-left.json"
#: A little less than may come from one address at once.
SOCKETS = 90
#: Seconds between two messages of a socket: 100 in ten seconds are allowed.
MESSAGE = 0.11
#: Seconds after which no answer will come.
ANSWER = 5


class Abuser:
    """Somebody with one address (all of 127.0.0.0/8 is this computer) and as many names as they like."""

    def __init__(self, port: int, share: float) -> None:
        self.port = port
        self._share = share
        self.done = self.refused = 0

    def some(self, many: int) -> int:
        return max(1, round(many * self._share))

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        cookie: str = "",
        number: int = 1,
    ) -> tuple[Any, str]:
        """The answer and the cookie that came with it; nothing if it was refused. `number` is that of
        the address."""
        http = Http(self.port, address(number))
        content = body if isinstance(body, bytes) or body is None else msgspec.json.encode(body)
        try:
            found = await asyncio.to_thread(http.request, method, path, content, cookie)
        except (Failed, OSError):
            self.refused += 1
            await asyncio.sleep(MESSAGE)
            return None, ""
        self.done += 1
        return found, http.cookie or cookie

    async def room(self, title: str, number: int = 1, **more: Any) -> tuple[str, str]:
        """A new room's code, and its host's cookie."""
        found, cookie = await self.ask("POST", "/api/rooms", {"title": title, **more}, "", number)
        if found is None:
            raise Failed("there is no room to do it in")
        return found["code"], cookie

    async def watch(self, code: str, count: int, number: int = 1) -> list[Wire]:
        """So many strangers come to a room and look on, or as many as are let in."""
        wires = []
        for _ in range(count):
            path = f"/api/rooms/{code}/socket"
            try:
                async with asyncio.timeout(ANSWER):
                    wire = await connect(self.port, path, ignore, "", address(number))
            except (Failed, OSError, TimeoutError):
                self.refused += 1
                break
            wire.send(b'{"t":"hello"}')
            self.done += 1
            wires.append(wire)
        return wires


def address(number: int) -> str:
    return f"127.1.0.{number}"


def ignore(_wire: Wire, _message: bytes) -> None:
    pass


Abuse = Callable[[Abuser], AsyncIterator[None]]
# Each comes to its first `yield` when it is set up, and to another one every now and then.


async def large_packs(abuser: Abuser) -> AsyncIterator[None]:
    """The host of a room with many people in it brings one large pack after the other."""
    code, host = await abuser.room("trial-by-trolley")
    wires = await abuser.watch(code, abuser.some(78))
    cards = [f"innocent,,number {n} {'who waits for the tram ' * 8}" for n in range(4000)]
    pack = "\n".join(["deck,tag,en", *cards[: abuser.some(len(cards))]]).encode()
    yield
    while wires:
        await abuser.ask("POST", f"/api/rooms/{code}/data/pack?name=a.csv", pack, host)
        yield


async def crowd(abuser: Abuser) -> AsyncIterator[None]:
    """Many come to one room, and go again."""
    code, _ = await abuser.room("stop-the-train", bots=["passenger"] * 4, start=True)
    yield
    while True:
        for wire in await abuser.watch(code, abuser.some(SOCKETS)):
            wire.close()
            yield


async def flood(abuser: Abuser) -> AsyncIterator[None]:
    """Many sockets ask for the table to be read aloud, as often as they may."""
    code, _ = await abuser.room("stop-the-train", bots=["passenger"] * 4, start=True)
    wires = await abuser.watch(code, abuser.some(SOCKETS))
    yield
    while True:
        for wire in wires:
            wire.send(b'{"t":"read","id":"a"}')
            abuser.done += 1
        await asyncio.sleep(MESSAGE)
        yield


async def requests(abuser: Abuser) -> AsyncIterator[None]:
    """All that can be asked for without a room, as often as it may."""
    yield
    while True:
        for path in ("/api/titles", "/api/me", "/api/rooms", "/api/openapi.json"):
            await abuser.ask("GET", path)
            yield


async def replays(abuser: Abuser) -> AsyncIterator[None]:
    """A long match is looked at by three at a time."""
    found, _ = await abuser.ask("POST", "/api/records", LONG_MATCH.read_bytes())
    path = f"/api/matches/{found['id']}/replay?as=truth"
    yield
    while True:
        await asyncio.gather(*(abuser.ask("GET", path) for _ in range(3)))
        yield


async def uploads(abuser: Abuser) -> AsyncIterator[None]:
    """Records in which seats change hands thousands of times, three at a time."""
    record = json.loads(LONG_MATCH.read_text())
    entries = [
        {"kind": "control", "seat": 0, "by": "bot", "name": f"{n}"}
        for n in range(abuser.some(3000))
    ]
    yield
    while True:
        bodies = []
        for _ in range(3):
            entries[0]["name"] = str(monotonic())  # none is like another
            changed = {**record, "version": 1, "entries": entries, "result": None}
            bodies.append(msgspec.json.encode(changed))
        await asyncio.gather(*(abuser.ask("POST", "/api/records", body) for body in bodies))
        yield


async def slow_readers(abuser: Abuser) -> AsyncIterator[None]:
    """Many look on and read nothing of what is written to them."""
    code, host = await abuser.room("night-mail")
    for wire in await abuser.watch(code, abuser.some(SOCKETS)):
        wire.stop_reading()
    path = f"/api/rooms/{code}/socket"
    chatty = await connect(abuser.port, path, ignore, f"Cookie: {host}\r\n", address(1))
    chatty.send(b'{"t":"hello","seat":0}')
    yield
    line = "x" * 290
    while True:
        chatty.send(msgspec.json.encode({"t": "chat", "id": str(abuser.done), "text": line}))
        abuser.done += 1
        await asyncio.sleep(MESSAGE)
        yield


async def idle_sockets(abuser: Abuser) -> AsyncIterator[None]:
    """2,000 sockets of 20 addresses are there and do nothing."""
    numbers = [1 + n // 20 for n in range(abuser.some(400))]
    rooms = [await abuser.room("night-mail", number) for number in numbers]
    for (code, _), number in zip(rooms, numbers, strict=True):
        if not await abuser.watch(code, 5, number):
            break  # nobody is let in any more
    yield
    while True:
        await asyncio.sleep(MESSAGE)
        yield


async def half_open(abuser: Abuser) -> AsyncIterator[None]:
    """1,000 requests of which only the beginning comes."""
    open: list[asyncio.StreamWriter] = []

    async def begin(count: int) -> None:
        for _ in range(count):
            try:
                came_from = (address(1), 0)
                _, writer = await asyncio.open_connection(HERE, abuser.port, local_addr=came_from)
            except OSError:
                abuser.refused += 1
                await asyncio.sleep(MESSAGE)
                continue
            writer.write(b"POST /api/rooms HTTP/1.1\r\nHost: ")
            abuser.done += 1
            open.append(writer)

    await begin(abuser.some(1000))
    yield
    while True:
        gone = [writer for writer in open if writer.is_closing()]
        open = [writer for writer in open if not writer.is_closing()]
        await begin(len(gone))
        await asyncio.sleep(MESSAGE)
        yield


async def bots(abuser: Abuser) -> AsyncIterator[None]:
    """Bots play at 100 tables."""
    for _ in range(abuser.some(100)):
        await abuser.room("stop-the-train", bots=["passenger"] * 5, watch=True, start=True)
    yield
    while True:
        await asyncio.sleep(MESSAGE)
        yield


ABUSES: dict[str, Abuse] = {
    "large packs": large_packs,
    "a crowd in a room": crowd,
    "a flood of messages": flood,
    "a flood of requests": requests,
    "replays": replays,
    "uploads": uploads,
    "slow readers": slow_readers,
    "2,000 idle sockets": idle_sockets,
    "half-open requests": half_open,
    "bots at 100 tables": bots,
}


async def run(abuse: Abuse, port: int, seconds: float, share: float) -> dict[str, int]:
    abuser = Abuser(port, share)
    acts = aiter(abuse(abuser))
    await anext(acts)
    print("ready", flush=True)
    begin = monotonic()
    while monotonic() - begin < seconds:
        await anext(acts)
    return {"done": abuser.done, "refused": abuser.refused}


def main(words: Iterable[str]) -> None:
    kind, port, seconds, share = words
    found = asyncio.run(run(ABUSES[kind], int(port), float(seconds), float(share)))
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
