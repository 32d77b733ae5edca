"""Processes that work for the server, one thing at a time each, and the lines to them."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, TypeVar
from zlib import crc32

T = TypeVar("T")

#: Seconds that a process may take to start.
START = 60
#: Before each message stands its length, in so many bytes.
LENGTH = 4


class Worker:
    """A process, and our end of the line to it."""

    def __init__(self, main: Callable[..., None], *arguments: object) -> None:
        self._main = main
        self._arguments = arguments
        self._process: BaseProcess | None = None
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter

    async def start(self) -> None:
        """If it is not there; raises what `receive` does, and TimeoutError."""
        if self._process is not None:
            return
        ours, theirs = socket.socketpair()
        self._reader, self._writer = await asyncio.open_connection(sock=ours)
        # Not forked: this process has threads and sockets that a copy should not have.
        context = get_context("spawn")
        process = context.Process(target=_run, args=(theirs, self._main, *self._arguments))
        try:
            with theirs, deaf():
                process.start()
        except OSError:  # there are too many already
            self._writer.close()
            raise
        self._process = process
        atexit.register(self._kill)  # or Python would wait for it
        # A busy machine takes a while for it; that is no fault of who is then asked.
        async with asyncio.timeout(START):
            await self.receive()

    def send(self, message: bytes) -> None:
        """Nothing, if nobody is there."""
        if self._process is not None:
            self._writer.write(len(message).to_bytes(LENGTH, "big") + message)

    async def receive(self) -> bytes:
        """The next message; EOFError or OSError: the process has ended."""
        length = await self._reader.readexactly(LENGTH)
        return await self._reader.readexactly(int.from_bytes(length, "big"))

    def end(self) -> bool:
        """If it is there; without waiting for something that may never come to an end."""
        if self._process is None:
            return False
        atexit.unregister(self._kill)
        self._kill()
        self._process = None
        self._writer.close()
        return True

    def _kill(self) -> None:
        assert self._process is not None
        if hasattr(os, "killpg") and self._process.pid is not None:
            with suppress(OSError):  # it may not have begun, or be gone
                os.killpg(self._process.pid, signal.SIGKILL)  # with the programs that it asks
        self._process.kill()


class Crew:
    """Workers that can all do the same, as many as there are turns."""

    def __init__(self, size: int, main: Callable[..., None], *arguments: object) -> None:
        self.workers = [Worker(main, *arguments) for _ in range(size)]
        self._free = self.workers.copy()
        self._turns = asyncio.Semaphore(size)

    async def work(self, match: str, work: Callable[[Worker], Coroutine[Any, Any, T]]) -> T:
        """By one who is free: nobody waits for who may never come to an end while another has nothing
        to do. If it can be the one who knows the match, it is.

        Who stops waiting before it is their turn is out of the queue. Later it is worked on all the
        same, and the worker is free when it is done with that.
        """
        await self._turns.acquire()
        usual = self.workers[crc32(match.encode()) % len(self.workers)]
        worker = usual if usual in self._free else self._free[0]
        self._free.remove(worker)
        done = asyncio.create_task(work(worker))
        done.add_done_callback(lambda _: self._set_free(worker))
        return await asyncio.shield(done)

    def _set_free(self, worker: Worker) -> None:
        self._free.append(worker)
        self._turns.release()


@contextmanager
def deaf() -> Iterator[None]:
    """What is started here does not hear that the server is told to stop, with all its processes, as
    by systemd: it works on until the server ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which opens our ears again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- in the other process ------------------------------------------------------------------------


class Line:
    """The worker's end."""

    def __init__(self, end: socket.socket) -> None:
        self._file = end.makefile("rwb")

    def send(self, message: bytes) -> None:
        self._file.write(len(message).to_bytes(LENGTH, "big") + message)
        self._file.flush()

    def messages(self) -> Iterator[bytes]:
        """For as long as there is a server that sends some."""
        while length := self._file.read(LENGTH):
            yield self._file.read(int.from_bytes(length, "big"))


def _run(end: socket.socket, main: Callable[..., None], *arguments: object) -> None:
    begin()
    line = Line(end)
    line.send(b"")  # here we are
    main(line, *arguments)


def begin() -> None:
    # Ctrl-C is for the server, which then stops us, also where nobody can be started deaf.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        os.setsid()  # so that we can be ended together with what we started
    Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    """A server that was killed has told nobody to stop."""
    server = parent_process()
    if server is not None:
        server.join()
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)
