"""Who gets a connection at all, and how long it may take to say what is wanted.

Each connection holds a file descriptor, and a server that has none left serves nobody. So an address gets
only so many, who begins a request must finish its head in time (its body is the guard's business), and
the last descriptors are kept for those who are inside: for the store, for bots, for what they ask for.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from ipaddress import ip_address, ip_network
from itertools import islice
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.utils import get_remote_addr

from capolinea.server import logs
from capolinea.server.limits import AtOnce, Rate, by_address
from capolinea.server.metrics import Metrics
from capolinea.server.settings import Settings

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol as HttpProtocol
else:
    # The fast one if it is installed; what is used of it here, both have.
    from uvicorn.protocols.http.auto import AutoHTTPProtocol as HttpProtocol
if sys.platform != "win32":
    import resource

#: As many descriptors as we ask the system for: more than its usual thousand, if it lets us.
WANTED = 65_536
#: One of so many is kept in reserve. Not fewer: some connections are accepted before the first is refused.
RESERVED = 8
#: So many of those who have waited longest are let go when the reserve is reached.
ROOM = 64
#: Seconds between two lines in the log about one kind of trouble.
QUIET = 60


class Gate:
    """Counts who is inside. Of troubles every one is counted, and one a minute is told."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.head_time = settings.head_time
        self._proxies = [ip_network(proxy) for proxy in settings.trusted_proxies]
        self._held = AtOnce(settings.address_connections)
        #: Whose each open connection is.
        self._inside: dict[asyncio.BaseTransport, str] = {}
        #: Connections on which nothing whole has been asked for, the longest waiting first.
        self.waiting: dict[asyncio.Transport, None] = {}
        self._metrics = metrics
        self._told = Rate(1, QUIET)
        metrics.connections.set_function(lambda: len(self._inside))

    def enter(self, transport: asyncio.Transport) -> bool:
        """Whether a new connection may stay; who may must `leave`."""
        client = get_remote_addr(transport)
        whose = self._whose(client[0] if client else "")
        if few_descriptors(transport.get_extra_info("socket").fileno()):
            self.trouble("descriptors")
            self._make_room()
            return False
        if whose and not self._held.enter(whose):
            self.trouble("address")
            return False
        self._inside[transport] = whose
        return True

    def leave(self, transport: asyncio.BaseTransport) -> None:
        whose = self._inside.pop(transport, "")
        if whose:
            self._held.leave(whose)

    def _make_room(self) -> None:
        """For the next who come: who waits, or keeps us waiting, goes before who asks for something."""
        for transport in list(islice(self.waiting, ROOM)):
            transport.abort()

    def trouble(self, why: str) -> None:
        self._metrics.connections_refused.labels(why).inc()
        if not self._told.take(why):
            logs.tell("connections-refused", logging.WARNING, why=why, open=len(self._inside))

    def _whose(self, host: str) -> str:
        """The address that has to answer for a connection; "" for a proxy, which brings everybody's."""
        try:
            address = ip_address(host)
        except ValueError:  # "fe80::1%eth0" on the network at home, or "" of who has gone already
            return by_address(host)
        return "" if any(address in proxies for proxies in self._proxies) else by_address(host)


def few_descriptors(newest: int) -> bool:
    """Whether the reserve is reached. The system gives the lowest number that is free: all below the
    newest are taken."""
    if sys.platform == "win32":
        return False
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most != resource.RLIM_INFINITY and newest >= most - most // RESERVED


def take_descriptors() -> None:
    """As many as the system lets us have."""
    if sys.platform != "win32":
        most, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = WANTED if allowed == resource.RLIM_INFINITY else min(WANTED, allowed)
        if most != resource.RLIM_INFINITY and most < wanted:
            with suppress(ValueError, OSError):  # then we live with what there is
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, allowed))


# --- connections ---------------------------------------------------------------------------------


class Config(uvicorn.Config):
    """uvicorn's, for connections that go through a gate."""

    def __init__(self, app: Any, gate: Gate, **more: Any) -> None:
        super().__init__(app, http=HttpConnection, **more)
        self.gate = gate


class HttpConnection(HttpProtocol):
    """Requests, one after another. uvicorn's own waits for their heads for ever."""

    config: Config
    _patience: asyncio.TimerHandle | None = None
    #: Some of a request has come, and not all of its head.
    _half = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.config.gate.enter(transport):
            self._watch()
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()
        self._half = self._patience is not None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.config.gate.leave(self.transport)
        self._stop_watching()

    def _watch(self) -> None:
        """The clock runs from when a request can be made until its head is there."""
        if not self._awaits_head():
            self._stop_watching()
        elif self._patience is None:
            gate = self.config.gate
            gate.waiting[self.transport] = None
            self._patience = self.loop.call_later(gate.head_time, self._give_up)

    def _awaits_head(self) -> bool:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return False  # it is over, or a socket by now
        request: Any = self.cycle  # None before the first
        return request is None or request.response_complete

    def _stop_watching(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
            self.config.gate.waiting.pop(self.transport, None)

    def _give_up(self) -> None:
        self._stop_watching()
        if self._half:  # browsers also open connections that they never need: that is no trouble
            self.config.gate.trouble("slow")
        self.transport.close()
