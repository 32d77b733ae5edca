"""A socket's connection, between the network and a Socket.

The handshake is a request like others: uvicorn, the guard and Starlette answer it. After that nothing of
theirs is in the way: a move has one message in and five out, and each would pass through eight functions
that have nothing to do for it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

from capolinea.server import frames
from capolinea.server.frames import BadFrame, framed

if TYPE_CHECKING:
    from capolinea.server.gate import Config

#: With so many messages that nobody has read yet, no more are taken from the network.
UNREAD = 16
#: Where a request's scope has its connection.
CONNECTION = "capolinea.connection"


class Gone(Exception):
    """The connection is closed, by one side or the other."""


class Wire(WebSocketsSansIOProtocol):
    """What an HttpConnection becomes when a socket is opened on it."""

    config: Config
    #: Whether the other side takes nothing at the moment.
    full = False
    _reader: frames.Reader | None = None
    _reading: asyncio.Future[None] | None = None

    # --- the handshake ---------------------------------------------------------------------------

    async def run_asgi(self) -> None:
        scope: Any = self.scope
        scope[CONNECTION] = self
        await super().run_asgi()

    def take_over(self) -> None:
        """Once it is answered: from here on it is our own."""
        self._reader = frames.Reader(self.config.ws_max_size)
        #: Called when the other side takes something again.
        self.on_room: Callable[[], None] = lambda: None
        #: Messages that came; None for one that is no text.
        self._came: deque[str | None] = deque()

    # --- the Socket's side -----------------------------------------------------------------------

    async def hear(self) -> str | None:
        """The next message, None for one that is no text; Gone if there is none any more."""
        while not self._came:
            if self.disconnected or self.close_sent:
                raise Gone
            self._reading = self.loop.create_future()
            await self._reading
        message = self._came.popleft()
        if self.read_paused and not self._came:
            self.read_paused = False
            self.transport.resume_reading()
        return message

    def tell(self, message: bytes) -> None:
        if not (self.close_sent or self.disconnected):
            self.transport.write(framed(message))

    def close(self, code: int) -> None:
        """Say so, and wait a while until the other side says that it has heard it."""
        if self.close_sent or self.disconnected:
            return
        self._say_close(code)
        self._came.clear()
        if self.read_paused:
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)

    # --- the network's side ----------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._reader is None:
            if self.handshake_initiated:
                self.transport.abort()  # it has not been let in, and speaks
            else:
                super().data_received(data)
            return
        try:
            for kind, payload in self._reader.read(data):
                self._take(kind, payload)
        except BadFrame as bad:
            self.close(bad.code)
            self.transport.close()
        except UnicodeDecodeError:
            self.close(frames.NO_TEXT)
            self.transport.close()

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == frames.PONG:
            self.handle_pong(Frame(Opcode.PONG, payload))
        elif kind == frames.CLOSE:
            self._hear_close(payload)
        elif self.close_sent:
            pass  # it did not know yet
        elif kind == frames.PING:
            if not self.full:  # who takes nothing gets no answers to keep for it, either
                self.transport.write(framed(payload, frames.PONG))
        else:
            self._came.append(payload.decode() if kind == frames.TEXT else None)
            if len(self._came) >= UNREAD and not self.read_paused:
                self.read_paused = True
                self.transport.pause_reading()
            self._wake()

    def _hear_close(self, payload: bytes) -> None:
        if not self.close_sent:
            self._say_close(frames.close_code(payload))
        self.transport.close()

    def _say_close(self, code: int) -> None:
        self.close_sent = True
        self.transport.write(framed(code.to_bytes(2, "big"), frames.CLOSE))
        self._wake()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.full = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.full = False
        if self._reader is not None:
            self.on_room()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.config.gate.leave(self.transport)
        self._wake()

    def shutdown(self) -> None:
        if self._reader is None:
            super().shutdown()
        else:
            self.stop_keepalive()
            self.close(frames.RESTART)
            self.transport.close()

    def _wake(self) -> None:
        """Whoever waits in `hear`."""
        if self._reading is not None and not self._reading.done():
            self._reading.set_result(None)


async def accepted(web: WebSocket, headers: list[tuple[bytes, bytes]]) -> Wire:
    """The wire of a handshake, which is answered with that."""
    await web.accept(headers=headers)
    wire = web.scope[CONNECTION]
    assert isinstance(wire, Wire)
    wire.take_over()
    return wire
