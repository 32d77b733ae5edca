"""A server on a free port of this process, and players for it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from capolinea.client import Client, Refusal, Seat
from capolinea.server.app import make_app
from capolinea.server.hub import Hub
from capolinea.server.run import Server, configure, listening
from capolinea.server.settings import Settings
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import Store
from tests.patience import TIME as TIME

#: Bots answer at once, nothing is slowed down by limits that tests are not about, and nothing goes on by
#: itself because somebody is away or slow: a test may take long on a busy machine.
QUICK: dict[str, Any] = {
    "port": 0,
    "grace": 24 * 3600,
    "vote_time": 24 * 3600,
    "bot_limit": 3600,
    "bot_pause": 0,
    "bot_workers": 1,
    "requests_per_minute": 100_000,
    "address_requests_per_minute": 100_000,
    "socket_messages": 100_000,
    "rooms_per_hour": 1000,
    "address_rooms_per_hour": 1000,
    "matches_per_hour": 100_000,
    "address_matches_per_hour": 100_000,
    "sockets_per_minute": 100_000,
    "address_sockets_per_minute": 100_000,
    "address_connections": 100_000,
    "address_wrong_codes_per_hour": 100_000,
}


class Guest(Client):
    """Makes rooms in which windows close when all have answered: nobody here needs time to think."""

    async def create(self, title: str, **more: Any) -> Any:
        settings = {"clock": {"kind": "none"}, **more.pop("settings", {})}
        return await super().create(title, settings=settings, **more)


class Running:
    """A server that is up."""

    def __init__(self, url: str, hub: Hub) -> None:
        self.url = url
        self.hub = hub

    def client(self, cookie: str = "") -> Guest:
        return Guest(self.url, cookie)


@asynccontextmanager
async def serving(
    folder: Path, store: Store | None = None, **settings: Any
) -> AsyncIterator[Running]:
    """A server of our own, with its store in this folder."""
    chosen = Settings(**{**QUICK, **settings})
    app = make_app(chosen, store or SqliteStore(folder / "capolinea.db"))
    hub: Hub = app.state.hub
    up = asyncio.Event()
    with listening(chosen) as bound:
        server = Server(configure(chosen, app), hub, up.set)
        task = asyncio.create_task(server._serve(sockets=[bound]))
        waiting = asyncio.create_task(up.wait())
        await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        try:
            yield Running(f"http://127.0.0.1:{bound.getsockname()[1]}", hub)
        finally:
            server.should_exit = True
            await task


Choose = Callable[[Seat], list[dict[str, Any]]]


def at_random(seed: int) -> Choose:
    rng = random.Random(seed)

    def choose(seat: Seat) -> list[dict[str, Any]]:
        return rng.choice(seat.whole_choices())

    return choose


async def play(seat: Seat, choose: Choose) -> None:
    """Answer whatever is asked until the match is over."""
    async for _ in seat.news():
        while seat.must and seat.result is None:
            before = seat.n, seat.private
            try:
                await seat.do(choose(seat))
            except Refusal as refusal:
                if refusal.key not in ("table.late", "table.over"):
                    raise
            if (seat.n, seat.private) == before:
                break  # nothing new yet: wait for news
