"""Messages as a WebSocket carries them: the part of RFC 6455 that a server needs after the handshake."""

from __future__ import annotations

from typing import Final, NamedTuple

#: What a frame is.
MORE: Final = 0
TEXT: Final = 1
BINARY: Final = 2
CLOSE: Final = 8
PING: Final = 9
PONG: Final = 10
#: Why a connection is closed, as the standard has it.
NORMAL: Final = 1000
GOING_AWAY: Final = 1001
BROKEN: Final = 1002
NO_TEXT: Final = 1007
POLICY: Final = 1008
TOO_BIG: Final = 1009
RESTART: Final = 1012
TRY_LATER: Final = 1013
#: With more than so much a frame says in another way how long it is.
SHORT, MEDIUM = 125, 65_535
#: The first byte: whether it is the last of its message, what nobody may use, and its kind.
LAST, RESERVED, KIND = 0x80, 0x70, 0x0F
#: The second: whether what follows is masked, and how long it is.
MASKED, SIZE = 0x80, 0x7F


class Message(NamedTuple):
    """Text or bytes that came, or a word about the connection itself."""

    kind: int
    payload: bytes


class BadFrame(Exception):
    """What came is no WebSocket's, or too large; the connection ends with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def framed(payload: bytes, kind: int = TEXT) -> bytes:
    """One message of the server's: it is not masked, and in one piece."""
    size = len(payload)
    if size <= SHORT:
        return bytes((LAST | kind, size)) + payload
    if size <= MEDIUM:
        return bytes((LAST | kind, 126)) + size.to_bytes(2, "big") + payload
    return bytes((LAST | kind, 127)) + size.to_bytes(8, "big") + payload


class Reader:
    """Makes messages of what a client sends, however it comes in pieces. None is larger than `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._buffer = bytearray()
        #: A message of which there is more to come: its kind, and what there is of it.
        self._kind = MORE
        self._parts = bytearray()

    def read(self, data: bytes) -> list[Message]:
        """What is whole with these bytes."""
        self._buffer += data
        came: list[Message] = []
        while (message := self._next()) is not None:
            kind, payload = message
            if kind != MORE:
                came.append(Message(kind, payload))
        return came

    def _next(self) -> tuple[int, bytes] | None:
        """The next frame's message; MORE if it goes on, None if the frame is not whole yet."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        first, second = buffer[0], buffer[1]
        kind, size = first & KIND, second & SIZE
        self._check(first, second)
        start = 2
        if size > SHORT:
            start += 2 if size == 126 else 8
            if len(buffer) < start:
                return None
            size = int.from_bytes(buffer[2:start], "big")
        if size + len(self._parts) > self._most:
            raise BadFrame(TOO_BIG)
        end = start + 4 + size
        if len(buffer) < end:
            return None
        payload = unmasked(buffer[start + 4 : end], buffer[start : start + 4])
        del buffer[:end]
        return self._whole(kind, payload, bool(first & LAST))

    def _check(self, first: int, second: int) -> None:
        kind = first & KIND
        if first & RESERVED or not second & MASKED:
            raise BadFrame(BROKEN)
        if kind in (CLOSE, PING, PONG):
            if not first & LAST or second & SIZE > SHORT:
                raise BadFrame(BROKEN)
        elif kind not in (MORE, TEXT, BINARY) or (kind == MORE) != (self._kind != MORE):
            raise BadFrame(BROKEN)

    def _whole(self, kind: int, payload: bytes, last: bool) -> tuple[int, bytes]:
        if kind in (CLOSE, PING, PONG) or (last and kind != MORE):
            return kind, payload
        if kind != MORE:
            self._kind = kind
        self._parts += payload
        if not last:
            return MORE, b""
        whole = self._kind, bytes(self._parts)
        self._kind = MORE
        self._parts.clear()
        return whole


def unmasked(payload: bytes | bytearray, mask: bytes | bytearray) -> bytes:
    """As one long number: that is the fastest that Python has."""
    size = len(payload)
    whole = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
    return (int.from_bytes(payload, "big") ^ whole).to_bytes(size, "big")


def close_code(payload: bytes) -> int:
    """What a client says when it closes, to be said back."""
    return int.from_bytes(payload[:2], "big") if len(payload) > 1 else NORMAL
