"""A socket's connection: between the network and a Socket there is nothing else."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine

from uvicorn.server import ServerState

from capolinea.server import frames, logs
from capolinea.server.frames import BadFrame, framed
from capolinea.server.gate import Gate

#: With so many messages that nobody has read yet, no more are taken from the network.
UNREAD = 16
#: Seconds after which somebody is asked whether they are still there, and has to have said something.
SILENCE = 20
#: Seconds that the other side has to confirm a goodbye.
PARTING = 10


class Gone(Exception):
    """The connection is closed, by one side or the other."""


class Wire(asyncio.Protocol):
    """Whole messages in and out, in order."""

    def __init__(
        self, transport: asyncio.Transport, most: int, gate: Gate, server: ServerState
    ) -> None:
        self._transport = transport
        self._gate = gate
        self._server = server
        self._reader = frames.Reader(most)
        #: Whether the other side takes nothing at the moment; when it does again, this is called.
        self.full = False
        self.on_room: Callable[[], None] = lambda: None
        #: Messages that came; None for one that is no text.
        self._came: deque[str | None] = deque()
        self._paused = False
        self._hearing: asyncio.Future[None] | None = None
        #: Whether one side has said goodbye, and whether there is no connection any more.
        self._closed = self._lost = False
        #: Whether something came since somebody was asked.
        self._alive = True
        server.connections.add(self)  # type: ignore[arg-type]
        self._timer = asyncio.get_running_loop().call_later(SILENCE, self._look)

    # --- the Socket's side -----------------------------------------------------------------------

    def begin(self, conversation: Coroutine[None, None, None]) -> None:
        """Have it until its end; the server waits for that before it ends."""
        task = asyncio.get_running_loop().create_task(conversation)
        self._server.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._server.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logs.tell_error("crash", error)
        self.close(frames.GOING_AWAY)

    async def hear(self) -> str | None:
        """The next message, None for one that is no text; Gone if there is none any more."""
        while not self._came:
            if self._closed or self._lost:
                raise Gone
            self._hearing = asyncio.get_running_loop().create_future()
            await self._hearing
        message = self._came.popleft()
        if self._paused and not self._came:
            self._go_on_reading()
        return message

    def tell(self, message: bytes) -> None:
        if not (self._closed or self._lost):
            self._transport.write(framed(message))

    def close(self, code: int) -> None:
        """Say so, and wait a while until the other side says that it has heard it."""
        if self._closed or self._lost:
            return
        self._say_goodbye(code)
        self._came.clear()
        if self._paused:
            self._go_on_reading()
        self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PARTING, self._transport.abort)

    # --- the network's side ----------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._alive = True
        try:
            for kind, payload in self._reader.read(data):
                self._take(kind, payload)
        except BadFrame as bad:
            self._break(bad.code)
        except UnicodeDecodeError:
            self._break(frames.NO_TEXT)

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == frames.CLOSE:
            if not self._closed:
                self._say_goodbye(frames.close_code(payload))
            self._transport.close()
        elif self._closed:
            pass  # it did not know yet
        elif kind == frames.PING:
            if not self.full:  # who takes nothing gets no answers to keep for it, either
                self._transport.write(framed(payload, frames.PONG))
        elif kind != frames.PONG:
            self._came.append(payload.decode() if kind == frames.TEXT else None)
            if len(self._came) >= UNREAD and not self._paused:
                self._paused = True
                self._transport.pause_reading()
            self._wake()

    def pause_writing(self) -> None:
        self.full = True

    def resume_writing(self) -> None:
        self.full = False
        self.on_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self._timer.cancel()
        self._server.connections.discard(self)
        self._gate.leave(self._transport)
        self._wake()

    def shutdown(self) -> None:
        """The server ends."""
        self._break(frames.RESTART)

    def _look(self) -> None:
        """Whether somebody is still there. Of a cable that is pulled nobody hears."""
        if not self._alive:
            self._transport.abort()
            return
        self._alive = False
        self._transport.write(framed(b"", frames.PING))
        self._timer = asyncio.get_running_loop().call_later(SILENCE, self._look)

    def _break(self, code: int) -> None:
        """Say goodbye, and wait for nothing."""
        self.close(code)
        self._transport.close()

    def _say_goodbye(self, code: int) -> None:
        self._closed = True
        self._transport.write(framed(code.to_bytes(2, "big"), frames.CLOSE))
        self._wake()

    def _go_on_reading(self) -> None:
        self._paused = False
        self._transport.resume_reading()

    def _wake(self) -> None:
        """Whoever waits in `hear`."""
        if self._hearing is not None and not self._hearing.done():
            self._hearing.set_result(None)
