"""Who holds connections without asking for anything keeps nobody else out."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import requests

from capolinea.client import Client
from capolinea.server import run
from capolinea.server.gate import Gate
from capolinea.server.identity import new_person
from capolinea.server.metrics import Metrics
from capolinea.server.protocol import NewRoom
from capolinea.server.settings import Settings
from tests.cli.test_serve import all_said
from tests.cli.test_serve import serving as process_serving
from tests.server.tables import TIME, Running, serving

#: Seconds that are soon over, and some that never are.
SOON, NEVER = 0.05, 24 * 3600
HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = HEALTH + b"\r\n"
ROOM = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\n"
HALF_ROOM = ROOM + b"Content-Length: 99\r\n\r\n{"


def connected(url: str, sent: bytes, address: str = HERE) -> socket.socket:
    """A connection on which this was sent before the server took notice of it."""
    port = int(url.rpartition(":")[2])
    wire = socket.create_connection((HERE, port), source_address=(address, 0))
    with suppress(ConnectionError):  # it may not be wanted
        wire.sendall(sent)
    return wire


class Wire:
    """A connection on which any bytes can be sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def status(self) -> int:
        """Of the answer; 0 if the connection is closed instead."""
        try:
            return int((await self.reader.readuntil(b"\r\n\r\n")).split()[1])
        except (ConnectionError, asyncio.IncompleteReadError):
            return 0

    async def end(self) -> bytes:
        """What comes until the server closes."""
        try:
            return await self.reader.read()
        except ConnectionError:
            return b""


class Street:
    """A server, and connections to it from this address or that."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self.wires: list[Wire] = []

    async def wire(self, sent: bytes, address: str = HERE) -> Wire:
        wire = connected(self.server.url, sent, address)
        self.wires.append(Wire(*await asyncio.open_connection(sock=wire)))
        return self.wires[-1]

    async def status(self, address: str = HERE) -> int:
        """Of a whole request on a connection of its own."""
        return await (await self.wire(WHOLE, address)).status()

    async def room(self) -> bytes:
        """What opens a socket of a new room."""
        lounge = await self.server.hub.create(new_person(), HERE, NewRoom(title="night-mail"))
        return (
            f"GET /api/rooms/{lounge.room.code}/socket HTTP/1.1\r\nHost: localhost\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        ).encode()

    def counted(self, name: str, **labels: str) -> float:
        found = self.server.hub.metrics.registry.get_sample_value(f"capolinea_{name}", labels)
        return found or 0

    def refused(self, why: str) -> float:
        return self.counted("connections_refused_total", why=why)


@asynccontextmanager
async def street_of(folder: Path, **settings: Any) -> AsyncIterator[Street]:
    """The street before a server of its own."""
    async with serving(folder, **settings) as server:
        street = Street(server)
        yield street
        for wire in street.wires:
            wire.writer.close()


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Of which troubles the log tells."""
    lines = [record for record in caplog.records if record.msg == "connections-refused"]
    return [record.__dict__["fields"]["why"] for record in lines]


# --- time ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [b"G", b"GET / HTTP/1.1\r\nHost: local", HEALTH], ids=repr)
async def test_half_a_head_is_cut(
    tmp_path: Path, sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with street_of(tmp_path, head_time=SOON) as street:
        wires = [await street.wire(sent) for _ in range(3)]
        assert [await wire.end() for wire in wires] == [b""] * 3
        assert street.refused("slow") == 3
    assert told(caplog) == ["slow"], "one line, however many they are"


async def test_who_says_nothing_is_cut_without_a_word(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Browsers do so: they open connections that they may not need."""
    async with street_of(tmp_path, head_time=SOON) as street:
        assert await (await street.wire(b"")).end() == b""
        assert street.refused("slow") == 0
    assert told(caplog) == []


async def test_drop_by_drop_is_no_way_around(tmp_path: Path) -> None:
    async with street_of(tmp_path, head_time=SOON) as street:
        wire = await street.wire(HEALTH)

        async def drip() -> None:
            while True:
                wire.writer.write(b"x: y\r\n")
                await asyncio.sleep(SOON / 10)

        dripping = asyncio.create_task(drip())
        assert await wire.end() == b""
        dripping.cancel()


async def test_half_a_head_after_a_whole_request_is_cut(tmp_path: Path) -> None:
    async with street_of(tmp_path, head_time=SOON) as street:
        wire = await street.wire(WHOLE + HEALTH)
        assert await wire.status() == 200
        assert b"HTTP" not in await wire.end()


@pytest.mark.parametrize(
    "sent", [HALF_ROOM, ROOM + b"Transfer-Encoding: chunked\r\n\r\n9\r\n{"], ids=repr
)
async def test_half_a_body_is_answered_and_cut(tmp_path: Path, sent: bytes) -> None:
    async with street_of(tmp_path, body_time=SOON) as street:
        wire = await street.wire(sent)
        assert await wire.status() == 408
        assert json.loads(await wire.end())["why"]["key"] == "serve.too-late"


async def test_half_a_body_that_nobody_reads_is_cut(tmp_path: Path) -> None:
    """The answer needs none of it; what comes after it is no request."""
    async with street_of(tmp_path, head_time=SOON) as street:
        wire = await street.wire(HEALTH + b"Content-Length: 99\r\n\r\n{")
        assert await wire.status() == 200
        await wire.end()


async def test_a_socket_is_no_half_request(tmp_path: Path) -> None:
    async with street_of(tmp_path, head_time=SOON, body_time=SOON) as street:
        wire = await street.wire(await street.room())
        assert await wire.status() == 101
        for _ in range(3):  # as long as others have
            assert await (await street.wire(HEALTH)).end() == b""
        wire.writer.write(b"\x89\x80mask")
        assert await wire.reader.readexactly(2) == b"\x8a\x00", "a pong"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems wait for ever")
def test_who_takes_nothing_of_what_is_sent_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the system, whoever of us waits for it: also when a connection is being closed."""
    monkeypatch.setattr(run, "TAKE_TIME", 1)
    with run.listening(Settings(port=0)) as bound, socket.socket() as reader:
        bound.listen()
        reader.connect(bound.getsockname())
        connection, _ = bound.accept()
        connection.settimeout(TIME)
        with connection, pytest.raises(OSError, match="timed out") as ended:
            connection.sendall(bytes(50_000_000))
        assert ended.value.errno == errno.ETIMEDOUT


# --- numbers -------------------------------------------------------------------------------------


async def test_one_address_has_so_many_connections_and_others_have_theirs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with street_of(tmp_path, head_time=NEVER, address_connections=3) as street:
        held = [await street.wire(HEALTH) for _ in range(3)]
        assert [await street.status() for _ in range(5)] == [0] * 5
        assert await street.status(ELSEWHERE) == 200
        assert street.refused("address") == 5
        held[0].writer.write(b"\r\n")
        assert await held[0].status() == 200, "it goes on for who is inside"
        held[1].writer.close()
        while await street.status() == 0:
            pass  # the server has not heard yet that there is room again
    assert told(caplog) == ["address"], "one line, however many they are"


async def test_sockets_count_until_they_are_closed(tmp_path: Path) -> None:
    async with street_of(tmp_path, address_connections=1) as street:
        wire = await street.wire(await street.room())
        assert await wire.status() == 101
        assert await street.status() == 0
        wire.writer.close()
        while await street.status() == 0:
            pass


async def test_a_refused_socket_holds_nothing(tmp_path: Path) -> None:
    async with street_of(tmp_path) as street:
        opening = (await street.room()).replace(b"/socket", b"NONE/socket")
        for _ in range(5):
            wire = await street.wire(opening)
            assert await wire.status() == 404
            await wire.end()
        assert street.counted("connections") == 0


async def test_a_proxy_brings_everybody(tmp_path: Path) -> None:
    async with street_of(
        tmp_path, address_connections=1, trusted_proxies=("127.0.0.1/32",)
    ) as street:
        assert [await street.status() for _ in range(4)] == [200] * 4
        assert [await street.status(ELSEWHERE) for _ in range(2)] == [200, 0]


@pytest.mark.parametrize(
    ("host", "whose"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::3", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("10.1.2.3", ""),
        ("2001:db8::1", ""),
        ("2001:db8::2", "2001:db8::/64"),
        ("", ""),
    ],
)
def test_whose_a_connection_is(host: str, whose: str) -> None:
    gate = Gate(Settings(trusted_proxies=("10.0.0.0/8", "2001:db8::1")), Metrics())
    assert gate._whose(host) == whose


# --- in a process of its own ---------------------------------------------------------------------


def until_closed(wire: socket.socket) -> bytes:
    with wire, suppress(ConnectionError):
        return b"".join(iter(lambda: wire.recv(4096), b""))
    return b""


@pytest.mark.parametrize("parser", ["httptools", "h11"])
async def test_whatever_reads_the_requests(tmp_path: Path, parser: str) -> None:
    """uvicorn takes the fast parser only where it is installed."""
    if parser == "h11":
        (tmp_path / "httptools.py").write_text("raise ImportError")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    flags = ("--head-time", "2", "--body-time", "1")
    with process_serving(tmp_path / "capolinea.db", *flags, PYTHONPATH=path) as (url, _):
        half_heads = connected(url, HEALTH), connected(url, WHOLE + HEALTH)
        half_body = connected(url, HALF_ROOM)
        await converse(url)
        assert until_closed(half_body).startswith(b"HTTP/1.1 408 ")
        assert [until_closed(wire).count(b"200 OK") for wire in half_heads] == [0, 1]


async def converse(url: str) -> None:
    async with Client(url) as ada:
        room = await ada.create("night-mail", name="Ada")
        async with ada.socket(room["code"], 0) as seat:
            await seat.write("hello")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux sets limits of other processes")
async def test_the_last_descriptors_are_kept_for_who_is_inside(tmp_path: Path) -> None:
    import resource

    flags = ("--log-format", "json", "--metrics", "--head-time", "3600")
    with process_serving(tmp_path / "capolinea.db", *flags) as (url, process):
        usual, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        assert usual >= min(hard, 65_536), "it takes what it may have"

        def leave(free: int) -> None:
            used = len(list(Path(f"/proc/{process.pid}/fd").iterdir()))
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (used + free, hard))

        async with Client(url) as ada:
            room = await ada.create("night-mail", name="Ada")
            async with ada.socket(room["code"], 0) as seat:
                leave(1)
                for _ in range(3):
                    late = connected(url, WHOLE)
                    assert await asyncio.to_thread(until_closed, late) == b""
                await seat.write("it goes on for who is inside")
                leave(1000)
        assert metric(url, 'connections_refused_total{why="descriptors"}') == 3

        # Those who only wait are let go for those who come.
        half = connected(url, HEALTH)
        assert metric(url, "connections") >= 2, "it came in before who asks"
        leave(1)
        assert until_closed(connected(url, WHOLE)) == until_closed(half) == b""

        lines = [json.loads(line) for line in all_said(process)[1].splitlines()]
    said = [line for line in lines if line["event"] == "connections-refused"]
    assert [line["why"] for line in said] == ["descriptors"]


def metric(url: str, name: str) -> float:
    lines = requests.get(f"{url}/metrics", timeout=TIME).text.splitlines()
    [value] = [line.split()[1] for line in lines if line.split()[0] == f"capolinea_{name}"]
    return float(value)
