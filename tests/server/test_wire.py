"""Messages come out whole, whatever way they come in; what is no WebSocket's ends the connection."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from capolinea.server import wire as wires
from capolinea.server.frames import (
    BINARY,
    BROKEN,
    CLOSE,
    NO_TEXT,
    NORMAL,
    PING,
    PONG,
    TEXT,
    TOO_BIG,
    BadFrame,
    Message,
    Reader,
    framed,
)
from tests.server.test_gate import HERE, Street, street_of
from tests.server.test_gate import Wire as Connection

MOST = 100_000
sizes = st.one_of(st.integers(0, 130), st.sampled_from([65_535, 65_536, MOST]))


def some(size: int) -> bytes:
    return (bytes(range(251)) * (size // 251 + 1))[:size]


def sent(opcode: int, payload: bytes, last: bool = True) -> bytes:
    """A client's frame, as somebody else's library makes it."""
    return Frame(Opcode(opcode), payload, last).serialize(mask=True)


@st.composite
def frames(draw: st.DrawFn) -> list[tuple[int, list[int]]]:
    """Kinds of messages, and how long each of their parts is; only text and bytes may have several."""
    said = []
    for kind in draw(st.lists(st.sampled_from([TEXT, BINARY, PING, PONG]), max_size=4)):
        parts = draw(st.lists(sizes, min_size=1, max_size=3)) if kind in (TEXT, BINARY) else [9]
        said.append((kind, parts if sum(parts) <= MOST else parts[:1]))
    return said


def carried(kind: int, parts: list[bytes]) -> tuple[list[Message], bytes]:
    """A message in so many frames, with pings between them; what should come of it, and its bytes."""
    last = len(parts) - 1
    frames = [sent(0 if n else kind, part, n == last) for n, part in enumerate(parts)]
    messages = [*[Message(PING, b"?")] * last, Message(kind, b"".join(parts))]
    return messages, sent(PING, b"?").join(frames)


@given(frames(), st.lists(st.integers(0, MOST), max_size=5).map(sorted))
def test_messages_come_out_whole_however_they_come_in_pieces(
    said: list[tuple[int, list[int]]], cuts: list[int]
) -> None:
    made = [carried(kind, [some(size) for size in parts]) for kind, parts in said]
    stream = b"".join(data for _, data in made)
    reader = Reader(MOST)
    came: list[Message] = []
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        came += reader.read(stream[begin:end])
    assert came == [message for messages, _ in made for message in messages]


@given(sizes)
def test_what_we_send_is_what_others_would_send(size: int) -> None:
    for kind in (TEXT, PONG, CLOSE) if size <= 125 else (TEXT,):
        assert framed(some(size), kind) == Frame(Opcode(kind), some(size)).serialize(mask=False)


def test_a_byte_at_a_time_is_enough() -> None:
    reader = Reader(MOST)
    stream = sent(TEXT, b"x" * 300)
    came = [message for byte in stream for message in reader.read(bytes([byte]))]
    assert came == [Message(TEXT, b"x" * 300)]


BAD = {
    "not masked": (b"\x81\x01x", BROKEN),
    "a reserved bit": (b"\xc1\x80mask", BROKEN),
    "an unknown kind": (b"\x83\x80mask", BROKEN),
    "half a ping": (b"\x09\x80mask", BROKEN),
    "a long ping": (b"\x89\xfe\x00\x7emask" + bytes(126), BROKEN),
    "goes on with nothing": (sent(0, b"x"), BROKEN),
    "begins anew in the middle": (sent(TEXT, b"x", False) + sent(TEXT, b"y"), BROKEN),
    "too large": (b"\x81\xff" + (MOST + 1).to_bytes(8, "big"), TOO_BIG),
    "too large in parts": (sent(TEXT, bytes(MOST), False) + b"\x80\x81", TOO_BIG),
}


@pytest.mark.parametrize(("stream", "code"), BAD.values(), ids=BAD)
def test_what_is_no_websockets_is_refused(stream: bytes, code: int) -> None:
    with pytest.raises(BadFrame) as refused:
        Reader(MOST).read(stream)
    assert refused.value.code == code


# --- a server's --------------------------------------------------------------------------------------


async def opened(street: Street) -> Connection:
    wire = await street.wire(await street.room())
    assert await wire.status() == 101
    return wire


def closed(code: int) -> bytes:
    return framed(code.to_bytes(2, "big"), CLOSE)


@pytest.mark.parametrize(
    ("stream", "code"),
    [(b"\x81\x01x", BROKEN), (sent(TEXT, b"\xff"), NO_TEXT)],
    ids=["not masked", "no text"],
)
async def test_a_connection_ends_with_the_reason(tmp_path: Path, stream: bytes, code: int) -> None:
    async with street_of(tmp_path) as street:
        wire = await opened(street)
        wire.writer.write(stream)
        assert await wire.end() == closed(code)


@pytest.mark.parametrize("said", [b"", (4000).to_bytes(2, "big") + b"bye"], ids=repr)
async def test_who_says_goodbye_hears_it_back(tmp_path: Path, said: bytes) -> None:
    async with street_of(tmp_path) as street:
        wire = await opened(street)
        wire.writer.write(sent(CLOSE, said))
        assert await wire.end() == closed(4000 if said else NORMAL)


async def test_what_was_said_before_the_goodbye_is_done(tmp_path: Path) -> None:
    async with street_of(tmp_path) as street:
        wire = await opened(street)
        hello, line = {"t": "hello"}, {"t": "chat", "id": "1", "text": "I have to go"}
        said = [sent(TEXT, msgspec.json.encode(one)) for one in (hello, line)]
        wire.writer.write(b"".join([*said, sent(CLOSE, b"")]))
        await wire.end()
        (lounge,) = street.server.hub.lounges.values()
        while not lounge.talk.lines:
            assert await street.status(HERE) == 200  # it is still at it
        assert lounge.talk.lines[0].line.text == "I have to go"


async def test_open_sockets_are_counted_and_end_when_their_connection_does(tmp_path: Path) -> None:
    async with street_of(tmp_path, address_sockets=2) as street:
        assert street.counted("sockets") == 0
        wires = [await opened(street) for _ in range(2)]
        assert street.counted("sockets") == 2
        wires[0].writer.write(sent(CLOSE, b""))
        wires[1].writer.transport.abort()
        while street.counted("sockets"):
            assert await street.status() == 200
        assert street.server.hub.address_sockets.enter(HERE)


SHAKES = {
    "another version": (b"Version: 13", b"Version: 12"),
    "no key": (b"Sec-WebSocket-Key", b"X-Key"),
    "half a key": (b"AAAAAAAAAAAAAAAAAAAAAA==", b"AAAA"),
    "no base64": (b"AAAAAAAAAAAAAAAAAAAAAA==", b"%%%"),
    "to be posted": (b"GET ", b"POST "),
}


@pytest.mark.parametrize(("part", "instead"), SHAKES.values(), ids=SHAKES)
async def test_who_speaks_another_websocket_is_refused(
    tmp_path: Path, part: bytes, instead: bytes
) -> None:
    async with street_of(tmp_path) as street:
        wire = await street.wire((await street.room()).replace(part, instead))
        assert await wire.status() == 400
        assert await wire.end() == b""


async def test_the_answer_to_a_key_is_the_standards(tmp_path: Path) -> None:
    """As in the example of RFC 6455."""
    async with street_of(tmp_path) as street:
        key = b"dGhlIHNhbXBsZSBub25jZQ=="
        wire = await street.wire((await street.room()).replace(b"AAAAAAAAAAAAAAAAAAAAAA==", key))
        head = await wire.reader.readuntil(b"\r\n\r\n")
        assert b"sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in head


async def test_who_says_nothing_when_asked_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wires, "SILENCE", 0.2)

    async with street_of(tmp_path) as street:
        wire = await opened(street)
        assert await wire.end() == framed(b"", PING)


async def test_who_speaks_before_the_answer_is_cut_off(tmp_path: Path) -> None:
    async with street_of(tmp_path) as street:
        request = await street.room()
        locked = street.server.hub.visit

        async def slowly(code: str, address: str) -> object:
            (wire,) = street.wires
            wire.writer.write(sent(TEXT, b"{}"))
            assert await wire.end() == b""
            return await locked(code, address)

        street.server.hub.visit = slowly  # type: ignore[method-assign,assignment]
        wire = await street.wire(request)
        assert await wire.end() == b""
