"""Running the server: uvicorn on one port, until somebody stops it."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import Callable
from types import FrameType

import msgspec
import uvicorn
from starlette.applications import Starlette

from capolinea import games
from capolinea.engine.problems import Problem
from capolinea.server import logs
from capolinea.server.app import make_app
from capolinea.server.garbage import watch_garbage
from capolinea.server.gate import Config, Gate, take_descriptors
from capolinea.server.handshake import Handshake
from capolinea.server.hub import Hub
from capolinea.server.metrics import watch_stalls
from capolinea.server.pages import has_pages
from capolinea.server.settings import Settings
from capolinea.server.store import Store
from capolinea.version import version

#: So many may wait to be let in; so many at most asyncio lets in at once, which must be fewer than the
#: descriptors that the gate has in reserve.
WAITING, AT_ONCE = 2048, 32
#: Seconds after which somebody is gone who takes nothing of what is sent to them.
TAKE_TIME = 60
#: Seconds that sockets get to say goodbye before they are closed.
FAREWELL = 0.2


class Server(uvicorn.Server):
    """Opens the store before anybody comes in, and says goodbye to everybody before it closes.

    Not in the app's own lifespan: what is wrong with a store is for the person who starts the server,
    and not for a log.
    """

    def __init__(self, config: uvicorn.Config, hub: Hub, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._hub = hub
        self._ready = ready
        self._loop: asyncio.AbstractEventLoop | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal to stop. Uvicorn looks for it ten times a second; clocks and bots stop now."""
        self._hub.stopping = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._hub.stop)
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await self._hub.open()
        # Now, or everybody waits when somebody is the first to play one.
        for title, why in games.load_all().items():
            logs.tell_error("title-not-loaded", why, title=title)
        always = watch_garbage(self._hub), watch_stalls(self._hub.metrics)
        self._always = [asyncio.create_task(one) for one in always]
        await super().startup(sockets)
        for bound in sockets or []:
            bound.listen(WAITING)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.stop()
        for task in self._always:
            task.cancel()
        for server in self.servers:
            server.close()  # nobody new
        self._hub.farewell()
        await asyncio.sleep(FAREWELL)
        await super().shutdown(sockets)
        await self._hub.close()


def run(settings: Settings, store: Store, ready: Callable[[Settings], None]) -> None:
    """Serve until a signal comes; `ready` is called once people can come."""
    take_descriptors()
    with listening(settings) as bound:
        # Port 0 is any that is free: from here on it has a number.
        settings = msgspec.structs.replace(settings, port=bound.getsockname()[1])
        app = make_app(settings, store)
        server = Server(configure(settings, app), app.state.hub, lambda: ready(settings))
        logs.tell("start", version=version())
        if not has_pages(settings):
            logs.tell("no-pages", logging.WARNING)
        server.run(sockets=[bound])


def configure(settings: Settings, app: Starlette) -> uvicorn.Config:
    return Config(
        app,
        Gate(settings, app.state.hub.metrics),
        ws=Handshake,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=settings.command_size * 1024,
        # Frames are small: compressing them costs more than it saves.
        ws_per_message_deflate=False,
        # Nobody's word but a known proxy's counts for where a request comes from.
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=10,
        backlog=AT_ONCE,
        lifespan="off",
    )


def listening(settings: Settings) -> socket.socket:
    """The port, before anything else is set up: that it is taken should be the first thing heard."""
    family = socket.AF_INET6 if ":" in settings.bind else socket.AF_INET
    # The protocol by name, or asyncio does not know it for TCP and leaves Nagle's algorithm on, which
    # holds back the second of two small messages for 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform == "linux":
        # Each connection has it from here. Closing one politely would wait for its reader for ever.
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * TAKE_TIME)
    try:
        bound.bind((settings.bind, settings.port))
    except OSError as error:
        bound.close()
        raise Problem(
            "serve.port", host=settings.bind, port=str(settings.port), why=error.strerror or "?"
        ) from None
    return bound
