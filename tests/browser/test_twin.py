"""What a browser receives of a match is what it receives of its twin: nobody can tell them apart.

tests/server/test_secrets.py compares this for every viewer over plain sockets. Here the viewer looks
with a real browser, and what stands on the page is compared, too.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, WebSocket, expect

from capolinea import games
from capolinea.engine import Match, Record, Rng, Viewer
from tests.browser.conftest import DESK, Person
from tests.browser.player import TITLE, Player, tidy
from tests.server.hourglass import MemoryStore
from tests.server.tables import serving
from tests.server.twins import Again, Party, dealt_record, improvise, keys, whole_windows

LONG = bool(os.environ.get("CAPOLINEA_LONG"))
SEATS = 4
ENTRIES = 80 if LONG else 40
#: Answers to what the page itself asks come whenever it happens to ask: it only asks for previews.
ASKED = {"preview", "refused", "pong"}
Job = Callable[[], Any]


class Looking(Again):
    """A record played once more, while a page looks on."""

    def __init__(self, *args: Any, screen: Screen) -> None:
        super().__init__(*args)
        self.screen = screen

    async def run(self, viewer: Viewer) -> tuple[list[str], str]:
        party = self.party
        await party.begin(msgspec.structs.replace(self.record, entries=[], result=None))
        self.names = [party.code, party.table.row.id]
        cookie = party.clients[-1 if viewer is None else viewer].cookie
        url = f"{party.server.url}/room/{party.code}"
        await self.screen.call(lambda page: open_page(page, url, cookie))
        place = 0
        while place < len(self.record.entries):
            block = self._block(place)
            if block:
                await self._close(block)
            else:
                await self._entry(self.record.entries[place])
                await party.settled()
            place += max(1, len(block))
        shown, received = await self.screen.call(lambda page: close_page(page, self.screen))
        await party._here(len(party.chairs))
        await party.end()
        return [self.masked(text) for text in received], self.masked(shown)

    async def _look(self, viewer: Viewer, place: int) -> None:
        """There is a second device already: the page."""


class Screen:
    """The page lives in one thread and the table in another: what the table wants of it comes here."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self.received: list[str] = []

        def listen(socket: WebSocket) -> None:
            socket.on("framereceived", lambda text: self.received.append(str(text)))

        page.on("websocket", listen)

    async def call(self, what: Callable[[Page], Any]) -> Any:
        loop, done = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()

        def job() -> None:
            try:
                loop.call_soon_threadsafe(done.set_result, what(self.page))
            except Exception as error:
                loop.call_soon_threadsafe(done.set_exception, error)

        self.jobs.put(job)
        return await done

    def serve(self, running: threading.Thread) -> None:
        """Do what is wanted until nobody is left who wants something."""
        while running.is_alive():
            try:
                job = self.jobs.get_nowait()
            except queue.Empty:
                self.page.wait_for_timeout(10)
                continue
            if job is not None:
                job()


def open_page(page: Page, url: str, cookie: str) -> None:
    name, value = cookie.split("=", 1)
    page.context.clear_cookies()
    home = url.split("/room/", maxsplit=1)[0]
    page.context.add_cookies([{"name": name, "value": value, "url": home}])
    page.goto(url)
    Player(page).headline.wait_for()
    page.wait_for_load_state("networkidle")


def close_page(page: Page, screen: Screen) -> tuple[str, list[str]]:
    """What stands there, and all that came."""
    before = -1
    while before != len(screen.received):
        before = len(screen.received)
        page.wait_for_timeout(250)
    expect(Player(page).headline).to_be_visible()
    shown = tidy(page.locator("body").inner_text())
    received, screen.received = screen.received, []
    page.goto("about:blank")
    return shown, received


def pair(
    folder: Path, screen: Screen, viewer: Viewer, eyes: Viewer, seed: int
) -> list[tuple[list[str], str]]:
    """A match and its twin for this viewer, as the browser of these eyes has them."""
    game = games.load(TITLE)
    options = msgspec.convert({"track": "express"}, type=game.options)
    names = [f"P{number}" for number in range(SEATS)]
    drawn = random.Random(seed)
    header = Match(game, names, options, seed=drawn.randbytes(32)).record(reveal=True)

    async def work() -> list[tuple[list[str], str]]:
        web = os.environ["CAPOLINEA_WEB"]
        async with serving(folder, MemoryStore(), grace=3600, web=web) as server:
            party = await Party.gather(server, game, SEATS)
            await party.begin(header)
            improvised = await improvise(party, random.Random(seed), ENTRIES)
            await party.end()
            record = dealt_record(game, whole_windows(game, improvised))
            twin: Record = game.twin(record, viewer, Rng(drawn.randbytes(8)))
            assert keys(game, record) != keys(game, twin), "they do differ"
            own = await Looking(party, record, screen=screen).run(eyes)
            again = await Looking(party, twin, viewer, drawn, screen=screen).run(eyes)
            return [own, again]

    return asyncio.run(asyncio.wait_for(work(), 120))


def sorted_out(received: list[str]) -> list[str]:
    """Without what the page asked for."""
    return [text for text in received if json.loads(text)["t"] not in ASKED]


def looked_at(folder: Path, page: Page, viewer: Viewer, eyes: Viewer) -> list[Any]:
    """The table in a thread of its own, the page in this one."""
    screen = Screen(page)
    found: list[Any] = []

    def table() -> None:
        try:
            found.extend(pair(folder, screen, viewer, eyes, seed=11))
        except BaseException as error:
            found.append(error)

    running = threading.Thread(target=table)
    running.start()
    screen.serve(running)
    running.join()
    if isinstance(found[-1], BaseException):
        raise found[-1]
    return found


@pytest.mark.parametrize("viewer", [1, None, 2] if LONG else [1], ids=str)
def test_a_browser_cannot_tell_them_apart(tmp_path: Path, person: Person, viewer: Viewer) -> None:
    (one, shown), (two, shown_too) = looked_at(tmp_path, person(DESK), viewer, viewer)
    one, two = sorted_out(one), sorted_out(two)
    assert {json.loads(text)["t"] for text in one} >= {"room", "welcome", "frame", "status"}
    assert len(one) > ENTRIES / 3
    seats = {message["seat"] for message in map(json.loads, one) if message["t"] == "welcome"}
    assert seats == {viewer}, "the page sits where it should"
    for number, (a, b) in enumerate(zip(one, two, strict=False)):
        assert a == b, f"message {number} of {len(one)} and {len(two)}"
    assert len(one) == len(two)
    assert shown == shown_too


@pytest.mark.skipif(not LONG, reason="teeth: ./test --long")
def test_somebody_else_can(tmp_path: Path, person: Person) -> None:
    """To another seat the twin of the first is another match: the comparison would notice."""
    (one, _), (two, _) = looked_at(tmp_path, person(DESK), 1, 2)
    assert sorted_out(one) != sorted_out(two)
