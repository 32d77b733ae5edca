"""A bad network: a connection that dies without a word, no network at all, parts of the page that do not
come, a part that fails. The table says what is so, and what was begun is not lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, Route, WebSocketRoute, expect

from tests.browser import trams, trolley
from tests.browser.conftest import DESK, PHONE, SIZES, Person, Site
from tests.browser.player import Player, Somebody, until
from tests.browser.test_life import GONE, OFFLINE, UNSENT, entries, log, sent

MISSING = {
    "en": "A part of this page could not be loaded.",
    "it": "Non è stato possibile caricare una parte di questa pagina.",
    "de": "Ein Teil dieser Seite ließ sich nicht laden.",
}
AGAIN = {"en": "Load again", "it": "Ricarica", "de": "Neu laden"}
SCRIPT = re.compile(r"/assets/(\w[\w.-]*)-[\w-]{8}\.js$")


# --- connections ---------------------------------------------------------------------------------


class Network:
    """What lies between page and server. Dead, it swallows everything, and closes nothing."""

    def __init__(self, page: Page) -> None:
        self.dead = False
        #: What is done to a message of the server on its way.
        self.changed: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda message: message
        page.route_web_socket(re.compile("/api/rooms/.*/socket"), self.between)

    def between(self, ours: WebSocketRoute) -> None:
        if self.dead:
            ours.on_message(lambda message: None)
            return
        server = ours.connect_to_server()
        ours.on_message(lambda message: None if self.dead else server.send(message))
        server.on_message(lambda message: self.carry(ours, str(message)))

    def carry(self, ours: WebSocketRoute, text: str) -> None:
        message = None if self.dead else self.changed(json.loads(text))
        if message is not None:
            ours.send(json.dumps(message))


@SIZES
def test_an_answer_that_does_not_come_is_asked_for_on_another_connection(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    page = person(size)
    network, moves = Network(page), sent(page)
    page.clock.install()
    me = Player(page, seed=2)
    code = me.resume(site.url, "play", "stt.ask.play")
    asked, before = me.headline.inner_text(), len(entries(site, code))
    me.pick()
    network.dead = True
    me.confirm.click()
    expect(me.confirm).to_have_text("Sent …")
    page.clock.run_for(2500)
    expect(me.confirm).to_have_text(UNSENT)
    expect(page.get_by_text(GONE)).to_be_visible()
    expect(me.headline).to_have_text(asked)
    network.dead = False
    page.clock.run_for(12_000)  # the attempt that was swallowed, too, is given up
    until(page, lambda: len(entries(site, code)) > before)
    page.clock.run_for(9000)
    expect(page.get_by_text(GONE)).to_have_count(0)
    kept = entries(site, code)
    assert kept[before] in moves
    assert len(kept) == len(set(kept))


def test_a_connection_that_died_is_noticed_within_nine_seconds(site: Site, person: Person) -> None:
    page = person(PHONE)
    network = Network(page)
    page.clock.install()
    me = Player(page, seed=3)
    me.resume(site.url, "play", "stt.ask.play")
    told = log(page)
    network.dead = True
    page.clock.run_for(9000)
    expect(page.get_by_text(GONE)).to_be_visible()
    network.dead = False
    page.clock.run_for(12_000)
    expect(page.get_by_text(GONE)).to_have_count(0)
    until(page, lambda: log(page)[-len(told) :] == told)


def test_a_frame_that_was_lost_is_fetched(site: Site, person: Person) -> None:
    """Nobody draws a table from what is left: it would be another one."""
    page = person(PHONE)
    network = Network(page)
    me = Player(page, seed=4)
    me.reach(site.url, "stt.ask.play", "stt.ask.discard")
    lost: list[int] = []

    def lose_one(message: dict[str, Any]) -> dict[str, Any] | None:
        if message["t"] == "frame" and not lost:
            lost.append(message["n"])
            return None
        return message

    network.changed = lose_one
    me.pick()
    me.confirm.click()
    until(page, lambda: bool(lost))
    fresh = Player(page.context.new_page())
    fresh.page.set_viewport_size({"width": 390, "height": 844})
    fresh.page.goto(page.url)
    fresh.headline.wait_for()
    until(page, lambda: len(log(page)) > 0 and log(page) == log(fresh.page))
    expect(me.headline).to_have_text(fresh.headline.inner_text())


class Judge(trolley.Player):
    """Of all that is asked at Trial by Trolley, the lever."""

    def asked(self) -> str:
        found = super().asked()
        return found if found != "bench" else self.act(found) and ""

    def do_verdict(self) -> None:
        self.pull_by_tap("north")


@pytest.mark.parametrize("who", [Player, trams.Driver, Judge], ids=lambda who: who.prefix)
def test_nothing_is_called_sent_that_cannot_have_been(
    site: Site, person: Person, who: type[Somebody]
) -> None:
    """All three titles: as long as there is no network the button says that it waits."""
    page = person(DESK, offline_ok=True)
    me = who(page, seed=5)
    code = me.sit(site.url)
    until(page, me.asked)
    before = len(entries(site, code))
    page.context.set_offline(True)
    expect(page.get_by_text(OFFLINE)).to_be_visible()
    until(page, lambda: me.act() and me.hand.get_by_text(UNSENT).count())
    assert me.hand.get_by_text(me.say(f"{me.prefix}.sent")).count() == 0
    assert len(entries(site, code)) == before
    page.context.set_offline(False)
    expect(me.hand.get_by_text(UNSENT)).to_have_count(0)
    until(page, lambda: len(entries(site, code)) == before + 1)


def test_a_line_of_chat_that_waits_says_so(site: Site, person: Person) -> None:
    page = person(DESK, lang="de", offline_ok=True)
    me = Player(page, "de", seed=6)
    me.sit(site.url)
    page.context.set_offline(True)
    expect(page.get_by_text("Du bist offline.")).to_be_visible()
    page.get_by_label(me.say("shell.chat.say")).fill("Seid ihr noch da?")
    page.get_by_role("button", name=me.say("shell.chat.send")).click()
    expect(page.get_by_text("Noch nicht gesendet: Seid ihr noch da?")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Noch nicht gesendet")).to_have_count(0)
    expect(page.locator("#drawer-chat li").get_by_text("Seid ihr noch da?")).to_have_count(1)


# --- what is lost meanwhile ----------------------------------------------------------------------


#: The chair after the host's and those of three bots.
GUEST = 4


class Host(Player):
    """Who has a room with a chair for somebody else, and decides about it."""

    def expect_guest(self, site: Site, guest: Page) -> None:
        code = self.sit(site.url, bots=["passenger"] * 3, start=False)
        self.room = f"{site.url}/api/rooms/{code}"
        for command in ({"do": "sit", "seat": GUEST, "name": "Bruno"}, {"do": "ready"}):
            assert guest.request.post(self.room, data=command).ok
        guest.goto(self.page.url)
        until(guest, lambda: self.look()["seats"][GUEST].get("present", False))

    def command(self, **what: Any) -> None:
        asked = self.page.request.post(self.room, data=what)
        assert asked.ok, asked.text()

    def give_away(self) -> None:
        """The guest's chair is a bot's, and the match begins."""
        self.command(do="clear", seat=GUEST)
        self.command(do="bot", seat=GUEST, bot="passenger")
        self.command(do="start")

    def remove_guest(self) -> None:
        numbers = {one["name"]: one["number"] for one in self.look()["people"]}
        self.command(do="remove", person=numbers["Bruno"])

    def look(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.request.get(self.room).json()
        return found


def test_who_lost_a_chair_while_offline_looks_on(site: Site, person: Person) -> None:
    guest = person(PHONE, offline_ok=True)
    host = Host(person(DESK), seed=14)
    host.expect_guest(site, guest)
    guest.context.set_offline(True)
    host.give_away()
    guest.context.set_offline(False)
    me = Player(guest)
    me.headline.wait_for()
    expect(me.hand.get_by_role("radio")).to_have_count(0)


@pytest.mark.parametrize("lang", ["en", "it", "de"])
def test_or_is_told_that_nobody_may(site: Site, person: Person, lang: str) -> None:
    guest = person(PHONE, lang=lang, offline_ok=True)
    host = Host(person(DESK), seed=15)
    host.expect_guest(site, guest)
    guest.context.set_offline(True)
    host.command(do="configure", settings={"watching": False, "clock": {"kind": "none"}})
    host.give_away()
    guest.context.set_offline(False)
    words = Player(guest, lang).say("room.no-watching")
    expect(guest.get_by_role("alert").get_by_role("heading")).to_have_text(words)


def test_who_was_sent_out_while_offline_reads_so_and_sees_nothing_more(
    site: Site, person: Person
) -> None:
    guest = person(PHONE, offline_ok=True)
    host = Host(person(DESK), seed=16)
    host.expect_guest(site, guest)
    host.command(do="start")
    me = Player(guest)
    expect(me.hand).to_be_visible()
    guest.context.set_offline(True)
    expect(guest.get_by_text(OFFLINE)).to_be_visible()
    host.remove_guest()
    guest.context.set_offline(False)
    expect(guest.get_by_role("alert")).to_have_text(me.say("room.removed"))
    expect(me.hand).to_have_count(0)


# --- parts of the page ---------------------------------------------------------------------------


class Missing:
    """Scripts that do not come, by their names; until the page has been loaded so often."""

    def __init__(self, page: Page, name: str, how: str = "404", until: int = 10**6) -> None:
        self.how = how
        self.until = until
        #: Every time that the page itself is loaded, by its address.
        self.loaded: list[str] = []
        page.route(re.compile(rf"/assets/{name}-[\w-]{{8}}\.js$"), self.answer)
        page.on("request", self.note)

    def note(self, request: Request) -> None:
        if request.is_navigation_request():
            self.loaded.append(request.url)

    def answer(self, route: Route) -> None:
        if len(self.loaded) >= self.until:
            route.fallback()
        elif self.how == "404":
            route.fulfill(status=404, json={"why": {"key": "serve.not-found"}})
        else:
            route.abort("failed")


def said(page: Page, lang: str = "en") -> Locator:
    return page.get_by_role("alert").filter(has_text=MISSING[lang])


PARTS = {
    "a screen": "Room",
    "the table": "Table",
    "a board": "board",
    "what screens share": "shared",
    "words": "en",
}


@pytest.mark.parametrize("how", ["404", "cut"])
@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_did_not_come_once_comes_when_the_page_is_loaded_again(
    site: Site, person: Person, part: str, how: str
) -> None:
    page = person(PHONE, offline_ok=True)
    missing = Missing(page, PARTS[part], how, until=2)
    me = Player(page, seed=7)
    me.sit(site.url)  # waits for the table
    expect(me.hand.get_by_role("radio").first).to_be_visible()
    expect(said(page)).to_have_count(0)
    assert len(missing.loaded) == 2


@pytest.mark.parametrize("lang", ["en", "it", "de"])
@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_does_not_come_at_all_is_said_and_the_page_is_loaded_again_once(
    site: Site, person: Person, part: str, lang: str
) -> None:
    page = person(PHONE, lang=lang, offline_ok=True)
    missing = Missing(page, PARTS[part].replace("en", lang))
    me = Player(page, lang, seed=8)
    code = _room(me, site)
    again = page.get_by_role("button", name=AGAIN[lang])
    expect(again).to_be_visible()
    expect(said(page, lang)).to_be_visible()
    # Once by itself, and not again and again.
    assert missing.loaded == [f"{site.url}/room/{code}"] * 2
    missing.until = 0
    with page.expect_navigation():
        again.click()
    me.headline.wait_for()
    expect(me.hand.get_by_role("radio").first).to_be_visible()
    expect(said(page, lang)).to_have_count(0)
    assert page.url == f"{site.url}/room/{code}"


def _room(me: Somebody, site: Site) -> str:
    """A table that is on, whether it can be drawn or not."""
    made = me.page.request.post(f"{site.url}/api/rooms", data={**me.quick, "start": True})
    code: str = made.json()["code"]
    me.page.goto(f"{site.url}/room/{code}")
    return code


@SIZES
def test_what_was_written_is_still_there_after_the_page_was_loaded_again(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    """The rules are opened at a table, after an update has taken them away."""
    page = person(size, offline_ok=True)
    me = Player(page, seed=9)
    me.sit(site.url)
    until(page, lambda: me.asked() == "choose")
    if size == PHONE:
        page.get_by_role("button", name=me.say("shell.chat")).click()
    page.get_by_label(me.say("shell.chat.say")).fill("I would brake, if I")
    if size == PHONE:
        page.keyboard.press("Escape")
    missing = Missing(page, "Sheet", until=1)
    with page.expect_navigation():
        me.menu("shell.rules")
    me.headline.wait_for()
    assert missing.loaded == [page.url]
    if size == PHONE:
        page.get_by_role("button", name=me.say("shell.chat")).click()
    expect(page.get_by_label(me.say("shell.chat.say"))).to_have_value("I would brake, if I")
    page.get_by_role("button", name=me.say("shell.chat.send")).click()
    chat = page.locator("#drawer-chat")
    expect(chat.get_by_role("listitem").get_by_text("I would brake, if I")).to_be_visible()
    page.reload()
    me.headline.wait_for()
    if size == PHONE:
        page.get_by_role("button", name=me.say("shell.chat")).click()
    expect(page.get_by_label(me.say("shell.chat.say"))).to_have_value("")


def test_rules_that_do_not_come_leave_the_table_as_it_is(site: Site, person: Person) -> None:
    page = person(DESK, offline_ok=True)
    me = Player(page, seed=10)
    me.sit(site.url)
    missing = Missing(page, "Sheet")
    with page.expect_navigation():  # by itself
        me.menu("shell.rules")
    me.headline.wait_for()
    until(page, lambda: me.asked() == "choose")
    me.menu("shell.rules")
    expect(said(page)).to_be_visible()
    page.get_by_role("button", name="Not now").click()
    expect(said(page)).to_have_count(0)
    missing.until = 0
    me.menu("shell.rules")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert len(missing.loaded) == 1


def test_without_a_network_the_page_is_not_given_up(site: Site, person: Person) -> None:
    """To load it again would leave nothing at all. It is loaded again when the network is back and what
    was done meanwhile has come through."""
    page = person(PHONE, lang="de", offline_ok=True)
    me = Player(page, "de", seed=11)
    code = me.sit(site.url)
    until(page, lambda: me.asked() == "choose")
    missing = Missing(page, "Sheet", until=1)
    me.pick()
    page.context.set_offline(True)
    me.confirm.click()
    expect(me.confirm).to_have_text(me.say("shell.unsent"))
    me.menu("shell.rules")
    expect(said(page, "de")).to_be_visible()
    expect(page.get_by_text("Der Server ist nicht zu erreichen.")).to_be_visible()
    expect(me.headline).to_be_visible()
    assert missing.loaded == []
    with page.expect_navigation():
        page.context.set_offline(False)
    assert len(entries(site, code)) == 1
    me.headline.wait_for()
    assert missing.loaded == [page.url]


def test_another_language_that_does_not_come_leaves_the_one_there_is(
    site: Site, person: Person
) -> None:
    page = person(DESK, offline_ok=True)
    Missing(page, "words-it")
    page.goto(f"{site.url}/settings")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Settings")
    page.get_by_role("radio", name="Italiano").click()
    expect(page.get_by_role("button", name=AGAIN["it"])).to_be_visible()
    assert page.evaluate("document.body.innerText").strip()


def test_the_first_script_of_all(site: Site, person: Person) -> None:
    """Nobody is there yet to say it: the page itself does, in three languages."""
    page = person(PHONE, offline_ok=True)
    Missing(page, "index", "cut", until=2)
    page.goto(site.url)
    for lang in AGAIN.values():
        expect(page.get_by_role("link", name=lang)).to_be_visible()
    page.get_by_role("link", name=AGAIN["de"]).click()
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()
    expect(page.get_by_role("link", name=AGAIN["de"])).to_have_count(0)


def test_whichever_script_does_not_come_the_page_is_not_blank(site: Site, person: Person) -> None:
    """Every one that a table needs, one after the other."""
    page = person(PHONE, offline_ok=True)
    scripts: list[str] = []
    page.on(
        "request", lambda asked: scripts.append(asked.url) if SCRIPT.search(asked.url) else None
    )
    me = Player(page, seed=12)
    me.sit(site.url)
    expect(me.hand.get_by_role("radio").first).to_be_visible()
    first = set(re.findall(r"/assets/[\w.-]+\.js", page.request.get(site.url).text()))
    later = sorted({url for url in scripts if not any(url.endswith(one) for one in first)})
    assert len(later) > 8
    for url in later:
        page.evaluate("sessionStorage.clear()")
        page.route(url, lambda route: route.abort("failed"))
        page.reload()
        expect(said(page).get_by_role("button", name=AGAIN["en"])).to_be_visible()
        page.unroute(url)
        with page.expect_navigation():
            page.get_by_role("button", name=AGAIN["en"]).click()
        expect(me.hand.get_by_role("radio").first).to_be_visible()


# --- a part that fails ---------------------------------------------------------------------------


@SIZES
def test_a_panel_that_fails_leaves_the_table_standing(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    """An event that no log can tell: whatever it is, one plays on."""
    page = person(size, lang="de", broken_ok=True, offline_ok=True)
    network = Network(page)

    def spoil(message: dict[str, Any]) -> dict[str, Any]:
        if message["t"] == "welcome":
            message["missed"][0]["events"] = [None]
        return message

    network.changed = spoil
    me = Player(page, "de", seed=13)
    me.sit(site.url)
    if size == PHONE:
        page.get_by_role("button", name=me.say("shell.log"), exact=True).click()
    broken = page.locator("#drawer-log").get_by_role("alert")
    expect(broken).to_contain_text("Hier ist etwas schiefgegangen. Der Rest geht weiter.")
    if size == PHONE:
        page.keyboard.press("Escape")
    asked = me.headline.inner_text()
    until(page, lambda: me.asked() == "choose")
    me.choose()
    expect(me.headline).not_to_have_text(asked)
