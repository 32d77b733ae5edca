"""Several people at one screen, a rematch, two rooms: what somebody has begun and not sent, and what they
have been told, is gone when somebody else looks."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from capolinea.client import Client
from tests.browser import trolley
from tests.browser.conftest import DESK, SIZES, Person, Site
from tests.browser.player import ROOT, Player, Somebody, until
from tests.browser.trams import Driver
from tests.server.tables import TIME, at_random, play


class SharedScreen:
    """A screen that people share: nobody else is at the table, so that nothing happens by itself."""

    player: type[Somebody]
    names: tuple[str, ...] = ("Ada", "Bruno", "Carla")
    options: dict[str, Any]

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.me = self.player(page)
        self.url = url
        #: What somebody has typed and not sent.
        self.written = f"unsent-{secrets.token_hex(12)}"
        self.code = self.me.sit(url, bots=[], options=self.options, start=False)
        for seat, name in enumerate(self.names[1:], 1):
            self.command(do="sit", seat=seat, name=name, further=True)
        self.start()

    def command(self, **what: Any) -> None:
        asked = self.page.request.post(f"{self.url}/api/rooms/{self.code}", data=what)
        assert asked.ok, asked.text()

    def start(self) -> None:
        self.command(do="start")
        expect(self.curtain("Ada")).to_be_visible()

    def curtain(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=f"I am {name}: show my side", exact=True)

    def hand_to(self, name: str) -> None:
        """The next person takes the screen, and says so."""
        strip = self.page.get_by_role("navigation", name=self.me.say("lobby.side-by-side"))
        strip.get_by_role("button", name=re.compile(name)).click()
        self.curtain(name).click()
        self.page.locator(".map :is(svg, [role=grid])").first.wait_for()

    def begin(self) -> None:
        """Choose something, have it explained, write something; send nothing."""
        self.choose()
        self.me.options.first.focus()
        self.page.keyboard.press("?")
        expect(self.page.locator(".about .thing")).to_be_visible()
        open_chat(self.page)
        self.line.fill(self.written)

    def choose(self) -> None:
        self.me.options.first.click()
        expect(self.me.confirm).to_have_attribute("aria-disabled", "false")

    def nothing_chosen(self) -> None:
        expect(self.me.confirm).to_have_attribute("aria-disabled", "true")

    @property
    def line(self) -> Locator:
        return self.page.get_by_role("textbox", name=self.me.say("shell.chat.say"))

    def nothing_begun(self) -> None:
        """What whoever has just come finds."""
        self.nothing_chosen()
        expect(self.me.hand.locator("[role=radio][aria-checked=true]")).to_have_count(0)
        expect(self.page.locator(".about .thing")).to_have_count(0)
        open_chat(self.page)
        expect(self.line).to_have_value("")


def open_chat(page: Page) -> None:
    """On a desk it lies open; on a phone there is a tab for it."""
    tab = page.locator("#tab-chat")
    if tab.is_visible() and tab.get_attribute("aria-expanded") != "true":
        tab.click()


class Train(SharedScreen):
    player = Player
    options = {"track": "express", "first": 1}


class Trams(SharedScreen):
    player = Driver
    names = ("Ada", "Bruno")
    options = {"points": "8", "rounds": 10, "first": 1}

    def choose(self) -> None:
        driver = self.me
        assert isinstance(driver, Driver)
        driver.options.first.wait_for()
        for tile in driver.options.all():
            tile.click()
            if driver.glowing.count():  # it fits somewhere
                break
        driver.glowing.first.click()
        expect(driver.confirm).not_to_have_text(driver.say("tat.no-build"))

    def nothing_chosen(self) -> None:
        expect(self.me.confirm).to_have_text(self.me.say("tat.no-build"))


class Trolley(SharedScreen):
    player = trolley.Player
    options = {"first": 3, "talk_minutes": 0}  # Carla judges, the two others choose


TABLES = pytest.mark.parametrize("table", [Train, Trams, Trolley])


# --- what one has begun ----------------------------------------------------------------------------


@SIZES
@TABLES
def test_the_next_person_sees_nothing_of_a_choice(
    site: Site, person: Person, table: type[SharedScreen], size: dict[str, int]
) -> None:
    """Bruno's side is word for word the same, whether Ada is in the middle of a choice or not."""
    screen = table(person(size), site.url)
    page = screen.page
    body = page.locator("body")
    screen.hand_to("Bruno")
    before = body.aria_snapshot()
    screen.hand_to("Ada")
    screen.begin()
    screen.hand_to("Bruno")
    until(page, lambda: body.aria_snapshot() == before, seconds=10)
    # And what was not sent is not there for Ada either: she has handed it over with the screen.
    screen.hand_to("Ada")
    screen.nothing_begun()


@TABLES
def test_a_rematch_begins_with_nothing(
    site: Site, person: Person, table: type[SharedScreen]
) -> None:
    """It asks the same again, by the same number; and a new deal is covered until somebody lifts it."""
    screen = table(person(DESK), site.url)
    screen.curtain("Ada").click()
    screen.begin()
    screen.command(do="abandon")
    expect(screen.me.hand).to_have_count(0)
    screen.start()
    screen.curtain("Ada").click()
    screen.nothing_begun()


def test_what_was_written_at_the_end_is_not_there_in_the_rematch(
    site: Site, person: Person
) -> None:
    """After the end one may go on looking at the table; the next match is another one."""
    me = Player(person(DESK))
    record = (ROOT / "tests/fixtures/stop-the-train/random-play.json").read_bytes()
    post = me.page.request.post
    kept = post(
        f"{site.url}/api/records", data=record, headers={"content-type": "application/json"}
    ).json()["id"]
    last = len(json.loads(record)["entries"]) - 1
    asked = {"entries": last, "seat": json.loads(record)["entries"][last]["seat"], "name": "Ada"}
    code = post(f"{site.url}/api/matches/{kept}/continue", data=asked).json()["code"]
    me.page.goto(f"{site.url}/room/{code}")
    until(me.page, lambda: me.over() or me.act())
    me.end.wait_for()
    me.page.get_by_role("button", name=me.say("shell.look")).click()
    line = me.page.get_by_role("textbox", name=me.say("shell.chat.say"))
    line.fill("Well played")
    assert post(f"{site.url}/api/rooms/{code}", data={"do": "start"}).ok
    expect(me.headline).to_have_text(me.say("stt.ask.return"))
    expect(line).to_have_value("")


def test_notes_are_there_for_who_wrote_them_alone(site: Site, person: Person) -> None:
    """Also when the screen is handed over the moment after the last word."""
    screen = Train(person(DESK), site.url)
    notes = screen.page.get_by_role("textbox", name=screen.me.say("stt.notes.words"))
    shelf = screen.page.get_by_role("button", name=screen.me.say("stt.notes"), exact=True)
    screen.curtain("Ada").click()
    shelf.click()
    notes.fill(screen.written)
    screen.hand_to("Bruno")
    shelf.click()
    expect(notes).to_have_value("")
    screen.hand_to("Ada")
    shelf.click()
    expect(notes).to_have_value(screen.written)


@TABLES
def test_two_rooms_do_not_mix(site: Site, person: Person, table: type[SharedScreen]) -> None:
    """In two tabs, and one after the other in the same one; what the browser stores has nothing of it."""
    screen = table(person(DESK), site.url)
    other = table(screen.page.context.new_page(), site.url)
    for one in (screen, other):
        one.curtain("Ada").click()
    screen.begin()
    other.nothing_begun()
    expect(screen.line).to_have_value(screen.written)
    stores = "JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])"
    assert screen.written not in screen.page.evaluate(stores)
    go = "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }"
    screen.page.evaluate(go, f"/room/{other.code}")
    screen.curtain("Ada").click()
    screen.nothing_begun()


# --- what one was told -----------------------------------------------------------------------------


class Canaries:
    """Every seat's frames carry a word of chance of their own, wherever they tell a secret."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.words = [f"canary-{secrets.token_hex(12)}" for _ in range(3)]
        page.route_web_socket(re.compile("/socket$"), self._between)

    def _between(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        words: list[str] = []

        def ask(text: str | bytes) -> None:
            message = json.loads(text)
            if message["t"] == "hello":
                words.append(self.words[message["seat"]])
            server.send(text)

        socket.on_message(ask)
        server.on_message(lambda text: socket.send(marked(str(text), words[0])))

    def found(self) -> list[str]:
        """Those that are anywhere in the page's memory."""
        heap = memory(self.page)
        return [word for word in self.words if word in heap]


def memory(page: Page) -> str:
    """All that its scripts still hold."""
    chunks: list[str] = []
    session = page.context.new_cdp_session(page)
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda part: chunks.append(part["chunk"]))
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot")
    session.detach()
    return "".join(chunks)


#: What everybody at the table is told alike.
PUBLIC = ("room", "status", "done", "pong")


def marked(text: str, word: str) -> str:
    """A message with the word at its beginning, and beside each thing that only one seat may know."""
    message = json.loads(text)
    if message["t"] in PUBLIC:
        return text
    scene = message.get("scene", {"view": {}, "question": None})
    told = [
        told for part in [message, *message.get("missed", [])] for told in part.get("events", [])
    ]
    choices = (scene["question"] or {}).get("choices", [])
    secret = [scene["view"], message.get("preview", {}), message.get("private") or {}]
    for one in [*secret, *choices, *(event.setdefault("args", {}) for event in told)]:
        one["canary"] = word
    if message["t"] == "frame":
        message["delta"].append([["view", "canary"], word])
    return json.dumps({"canary": word, **message})


@TABLES
def test_what_one_was_told_is_gone_with_the_screen(
    site: Site, person: Person, table: type[SharedScreen]
) -> None:
    """The memory of the page holds what the person who looks was told, and nothing of anybody else's."""
    page = person(DESK)
    canaries = Canaries(page)
    ada, bruno, _ = canaries.words
    screen = table(page, site.url)
    until(page, lambda: canaries.found() == [])
    screen.curtain("Ada").click()
    screen.begin()
    assert canaries.found() == [ada]
    assert screen.written in memory(page)
    screen.hand_to("Bruno")
    assert canaries.found() == [bruno]
    assert screen.written not in memory(page)
    screen.hand_to("Ada")
    assert canaries.found() == [ada]


# --- after the end -----------------------------------------------------------------------------------


class Played:
    """A screen in whose room people played to the end: each wrote notes, and something to their team."""

    def __init__(
        self, page: Page, url: str, title: str, names: Sequence[str], **options: Any
    ) -> None:
        self.page = page
        self.url = url
        self.names = names
        self.me = Player(page)
        self.client = Client(url)
        with ThreadPoolExecutor() as aside:  # the browser's loop runs in this thread
            played = asyncio.wait_for(self._play(title, options), TIME)
            self.code = aside.submit(asyncio.run, played).result()
        name, _, value = self.client.cookie.partition("=")
        page.context.add_cookies([{"name": name, "value": value, "url": url}])

    async def _play(self, title: str, options: dict[str, Any]) -> str:
        settings = {"clock": {"kind": "none"}, "keep_chat": True}
        async with self.client as us, AsyncExitStack() as stack:
            made = await us.create(title, name=self.names[0], options=options, settings=settings)
            code: str = made["code"]
            for number, name in enumerate(self.names[1:], 1):
                await us.command(code, "sit", seat=number, name=name, further=True)
            await us.command(code, "start")
            chairs = range(len(self.names))
            seats = [await stack.enter_async_context(us.socket(code, seat)) for seat in chairs]
            for seat, name in zip(seats, self.names, strict=True):
                await seat.keep(notes=f"Notes of {name}")
                await seat.write(f"{name} to all")
                if seat.scene.get("team"):
                    await seat.write(f"{name} to the team", "team")
            await asyncio.gather(*(play(seat, at_random(1)) for seat in seats))
        return code

    def shuffle(self) -> list[str]:
        """The names, in the order in which they sit now."""
        asked = self.page.request.post(
            f"{self.url}/api/rooms/{self.code}", data={"do": "shuffle"}
        ).json()
        return [asked["seats"][number]["name"] for number in asked["yours"]]


def test_whoever_looks_after_the_end_keeps_their_eyes_when_chairs_are_moved(
    site: Site, person: Person
) -> None:
    screen = Played(person(DESK), site.url, "stop-the-train", Train.names, track="express", first=1)
    page, me = screen.page, screen.me
    page.goto(f"{site.url}/room/{screen.code}")
    page.get_by_role("button", name=me.say("shell.look")).click()
    page.get_by_role("button", name="I am Ada: show my side", exact=True).click()
    page.get_by_role("button", name=me.say("stt.notes"), exact=True).click()
    notes = page.get_by_role("textbox", name=me.say("stt.notes.words"))
    expect(notes).to_have_value("Notes of Ada")
    strip = page.get_by_role("navigation", name=me.say("lobby.side-by-side"))
    for _ in range(6):
        names = screen.shuffle()
        expect(strip.get_by_role("button")).to_have_text([re.compile(name) for name in names])
        expect(strip.locator("[aria-pressed=true]")).to_have_text(re.compile("Ada"))
        expect(notes).to_have_value("Notes of Ada")


def test_in_the_room_nobody_reads_what_was_for_a_team(site: Site, person: Person) -> None:
    names = ("Ada", "Bruno", "Carla", "Dario", "Emma")
    screen = Played(person(DESK), site.url, "trial-by-trolley", names, first=5, talk_minutes=0)
    screen.page.goto(f"{site.url}/room/{screen.code}#room")
    talk = screen.page.get_by_role("log", name=screen.me.say("lobby.talk"))
    expect(talk.locator("p")).to_have_text([re.compile(f"{name} to all$") for name in names])
