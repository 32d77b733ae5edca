"""A server in a process of its own: what it has used of the processor and of memory."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Self

from load import HERE, Failed, Party

#: Seconds.
PATIENCE = 60
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
#: The server has the first core that we may use, all the rest has the last.
CORES = sorted(os.sched_getaffinity(0))


def free_port() -> int:
    """None of those that connections come from: while we wait for a server, a connection to such a port
    may be its own other end."""
    while True:
        port = random.randrange(20_000, 30_000)
        with suppress(OSError), socket.create_server((HERE, port)):
            return port


class Server:
    """One that is measured; use it with `with`."""

    name: str

    def __init__(self, command: list[str], environ: Mapping[str, str]) -> None:
        self.port = free_port()
        self._command = [word.replace("PORT", str(self.port)) for word in command]
        self._environ = {**os.environ, **environ}
        #: Seconds until it answered.
        self.start_time = 0.0

    async def join(self, count: int) -> list[Party]:
        """New tables of five, with everybody there and the game begun."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        begin = time.monotonic()
        os.sched_setaffinity(0, CORES[:1])  # who is started stays where we are
        self._process = subprocess.Popen(
            self._command,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.sched_setaffinity(0, CORES[-1:])
        while not self._answers():
            if self._process.poll() is not None:
                raise Failed(f"{self.name} has ended: {self._process.returncode}")
            if time.monotonic() - begin > PATIENCE:
                self.stop()
                raise Failed(f"{self.name} answers nobody after {PATIENCE} s")
            time.sleep(0.02)
        self.start_time = time.monotonic() - begin
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _answers(self) -> bool:
        """Whether it has an answer to a request, whichever it is."""
        connection = HTTPConnection(HERE, self.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/healthz")
            connection.getresponse()
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
        return True

    def cpu(self) -> float:
        """Seconds of processor time so far, with all its processes."""
        return sum(int(stat[11]) + int(stat[12]) for stat in self._stats()) / TICK

    def memory(self) -> int:
        """Bytes that are in memory now, with all its processes."""
        return sum(int(stat[21]) * PAGE for stat in self._stats())

    def _stats(self) -> Iterator[list[str]]:
        """Of each process /proc/PID/stat, from its third field on."""
        parents: dict[int, int] = {}
        stats: dict[int, list[str]] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                # The second field is the name, in brackets, and may have anything in it.
                stat = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has just ended
            pid = int(path.parent.name)
            parents[pid], stats[pid] = int(stat[1]), stat
        for pid, stat in stats.items():
            above = pid
            while above in parents and above != self._process.pid:
                above = parents[above]
            if above == self._process.pid:
                yield stat
