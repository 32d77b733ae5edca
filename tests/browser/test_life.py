"""Real life: a refresh, airplane mode, two tabs, another device, a server that dies, a slow network. The
table says what is going on and goes on; nothing is sent twice."""

from __future__ import annotations

import json
import re
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocket, WebSocketRoute, expect

from tests.browser.conftest import DESK, PHONE, Person, Site
from tests.browser.player import Player, play, tidy, until

GONE = "The connection is gone; trying to come back …"
OFFLINE = "You are offline. What you do now waits for the connection."
UNSENT = "Waiting for the connection …"


def entries(site: Site, code: str) -> list[str]:
    """What people did at a table, as it is kept: the client's own name for each."""
    asked = (
        "SELECT client FROM entries JOIN matches ON match_id = id"
        " WHERE room = ? AND client != '' ORDER BY n"
    )
    with closing(sqlite3.connect(site.folder / "capolinea.db", timeout=10)) as kept:
        return [client for (client,) in kept.execute(asked, [code])]


def sent(page: Page) -> list[str]:
    """Every move that goes over the wire from now on, by its id: before the page is opened."""
    found: list[str] = []

    def note(payload: str | bytes) -> None:
        message = json.loads(payload)
        if message["t"] == "do":
            found.append(message["id"])

    def listen(opened: WebSocket) -> None:
        opened.on("framesent", note)

    page.on("websocket", listen)
    return found


def log(page: Page) -> list[str]:
    return [tidy(line) for line in page.locator("#drawer-log li p").all_inner_texts()]


def test_refresh(site: Site, person: Person) -> None:
    page = person(PHONE)
    me = Player(page, seed=1)
    me.reach(site.url, "stt.ask.play", "stt.ask.discard")
    asked = me.headline.inner_text()
    cards = me.options.all_inner_texts()
    told = log(page)
    page.reload()
    expect(me.headline).to_have_text(asked)
    until(page, lambda: me.options.count() == len(cards))
    assert [card.split("\n")[0] for card in me.options.all_inner_texts()] == [
        card.split("\n")[0] for card in cards
    ]
    until(page, lambda: log(page) == told)
    me.choose()
    expect(me.headline).not_to_have_text(asked)


def test_airplane_mode(site: Site, person: Person) -> None:
    page = person(PHONE, offline_ok=True)
    moves = sent(page)
    me = Player(page, seed=2)
    code = me.reach(site.url, "stt.ask.play", "stt.ask.discard")
    asked = me.headline.inner_text()
    before, told, went = len(entries(site, code)), log(page), len(moves)
    me.pick()
    page.context.set_offline(True)
    expect(page.get_by_text(OFFLINE)).to_be_visible()
    # The table stays as it was, and what is done now waits.
    expect(me.headline).to_have_text(asked)
    assert me.ready()
    me.confirm.click()
    expect(me.confirm).to_have_text(UNSENT)
    me.confirm.click(force=True)
    assert len(entries(site, code)) == before
    page.context.set_offline(False)
    expect(page.get_by_text(OFFLINE)).to_have_count(0)
    me.sent()
    until(page, lambda: len(entries(site, code)) == before + 1)
    assert len(set(moves)) == went + 1
    # The log goes on where it was: nothing missing, nothing twice.
    until(page, lambda: len(log(page)) > len(told))
    assert log(page)[-len(told) :] == told
    play([me], lambda: (len(me.did) > 2 and me.did.get("pass", 0) > 2) or me.out())
    kept = entries(site, code)
    assert len(kept) == len(set(kept))


def test_what_was_chosen_stays_chosen(site: Site, person: Person) -> None:
    page = person(DESK, offline_ok=True)
    me = Player(page, seed=3)
    me.resume(site.url, "play", "stt.ask.play")
    me.pick()
    chosen = me.hand.get_by_role("radio", checked=True)
    expect(chosen).to_have_count(1)
    said = tidy(chosen.inner_text())
    page.context.set_offline(True)
    expect(page.get_by_text(OFFLINE)).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text(OFFLINE)).to_have_count(0)
    expect(chosen).to_have_count(1)
    assert tidy(chosen.inner_text()) == said
    assert me.ready()


def test_two_tabs(site: Site, person: Person) -> None:
    page = person(PHONE)
    me = Player(page, seed=4)
    code = me.reach(site.url, "stt.ask.play", "stt.ask.discard")
    tab = Player(page.context.new_page(), seed=5)
    tab.page.set_viewport_size({"width": 1024, "height": 768})
    tab.page.goto(page.url)
    expect(tab.headline).to_have_text(me.headline.inner_text())
    asked, before = me.headline.inner_text(), len(entries(site, code))
    # The same card is picked in both, and confirmed in both: it is played once.
    me.pick()
    me.send()
    expect(tab.headline).not_to_have_text(asked)
    assert len(entries(site, code)) == before + 1
    play([tab], lambda: tab.did.get("pass", 0) > 1 or tab.out())
    until(page, lambda: log(page) == log(tab.page))
    # Nobody is away as long as one of the tabs is there.
    tab.page.close()
    page.wait_for_timeout(150)
    assert page.get_by_role("img", name="away").count() == 0


def test_another_device(site: Site, person: Person) -> None:
    """The seat comes along by a link of one's own, and its key does not stay in the address."""
    page = person(DESK)
    me = Player(page, seed=6)
    me.sit(site.url, start=False)
    page.get_by_role("button", name="Ada: what can be done").click()
    page.get_by_role("button", name="On another device").click()
    link = page.get_by_text(re.compile(r"#seat=\d+\."))
    expect(page.get_by_text(me.say("lobby.other-device.help"))).to_be_visible()
    phone = Player(person(PHONE, lang="de"), "de", seed=7)
    phone.page.goto(link.inner_text().strip())
    expect(phone.page.get_by_text("Ada", exact=True).first).to_be_visible()
    assert "#" not in phone.page.url
    page.get_by_role("button", name="Start the game").click()
    for one in (me, phone):
        expect(one.headline).to_have_text(one.say("stt.ask.return"))
    phone.choose()
    expect(me.headline).not_to_have_text(me.say("stt.ask.return"))
    play([me, phone], lambda: me.did.get("pass", 0) + phone.did.get("pass", 0) > 2 or me.out())


def test_the_server_dies_and_comes_back(own_site: Site, person: Person) -> None:
    page = person(PHONE, offline_ok=True)
    me = Player(page, seed=8)
    code = me.reach(own_site.url, "stt.ask.play", "stt.ask.discard")
    asked, told = me.headline.inner_text(), log(page)
    me.pick()
    before = entries(own_site, code)
    own_site.stop()
    expect(page.get_by_text(GONE)).to_be_visible()
    expect(me.headline).to_have_text(asked)
    me.confirm.click()  # somebody does not look
    expect(me.confirm).to_have_text(UNSENT)
    own_site.start()
    expect(page.get_by_text(GONE)).to_have_count(0, timeout=15_000)
    me.sent()
    expect(me.headline).not_to_have_text(asked)
    assert entries(own_site, code)[: len(before) + 1][:-1] == before
    until(page, lambda: len(log(page)) > len(told))
    assert log(page)[-len(told) :] == told
    play([me], lambda: me.did.get("pass", 0) > 5 or me.out())
    kept = entries(own_site, code)
    assert len(kept) == len(set(kept))


def test_a_room_and_home_without_a_server(own_site: Site, person: Person) -> None:
    page = person(PHONE, offline_ok=True)
    me = Player(page)
    code = me.sit(own_site.url, start=False)
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()
    home = person(PHONE, offline_ok=True)
    home.goto(own_site.url)
    expect(home.get_by_role("button", name="Play now").first).to_be_visible()
    own_site.stop()
    expect(page.get_by_text("The connection is gone. Trying to come back …")).to_be_visible()
    home.get_by_role("button", name="Play now").first.click()
    expect(home.get_by_text("The server cannot be reached.").first).to_be_visible()
    own_site.start()
    expect(page.get_by_text("The connection is gone.")).to_have_count(0, timeout=15_000)
    page.get_by_role("button", name="Start the game").click()
    expect(me.headline).to_have_text(me.say("stt.ask.return"))
    assert code in page.url


class Slow:
    """A network that holds back what it is told to hold back."""

    def __init__(self, page: Page) -> None:
        self.held: list[Callable[[], None]] = []
        self.slow = False
        page.route_web_socket(re.compile("/api/rooms/.*/socket"), self.between)

    def between(self, ours: WebSocketRoute) -> None:
        server = ours.connect_to_server()
        ours.on_message(lambda message: self.carry(lambda: server.send(message)))
        server.on_message(lambda message: self.carry(lambda: ours.send(message)))

    def carry(self, deliver: Callable[[], None]) -> None:
        if self.slow:
            self.held.append(deliver)
        else:
            deliver()

    def deliver(self) -> None:
        self.slow = False
        held, self.held = self.held, []
        for one in held:
            one()


def test_a_slow_network(site: Site, person: Person) -> None:
    page = person(PHONE)
    network = Slow(page)
    me = Player(page, seed=9)
    code = me.reach(site.url, "stt.ask.play", "stt.ask.discard")
    asked, before = me.headline.inner_text(), len(entries(site, code))
    me.pick()
    network.slow = True
    me.confirm.dblclick()
    expect(me.confirm).to_have_text("Sent …")
    me.confirm.click(force=True)
    me.options.first.click()  # impatient
    page.wait_for_timeout(300)
    expect(me.headline).to_have_text(asked)
    assert len(entries(site, code)) == before
    network.deliver()
    me.sent()
    expect(me.headline).not_to_have_text(asked)
    assert len(entries(site, code)) == before + 1


def test_a_fast_finger(site: Site, person: Person) -> None:
    """A double tap is one tap: it chooses, or it confirms, once."""
    page = person(PHONE)
    moves = sent(page)
    me = Player(page, seed=10)
    code = me.sit(site.url)
    until(page, lambda: me.asked() == "choose")
    me.options.first.dblclick()
    page.wait_for_timeout(200)
    assert moves == []
    me.confirm.dblclick()
    me.sent()
    expect(me.headline).not_to_have_text(me.say("stt.ask.return"))
    assert len(moves) == len(set(moves))
    kept = entries(site, code)
    assert len(kept) == 1, "giving back a card can be done only once"


def test_somebody_else_was_quicker(site: Site, person: Person) -> None:
    """What does not count any more says why, and the table is up to date."""
    page = person(PHONE)
    me = Player(page, seed=11)
    code = me.reach(site.url, "stt.ask.play", "stt.ask.discard")
    asked = me.headline.inner_text()
    tab = Player(page.context.new_page(), seed=12)
    network = Slow(tab.page)
    tab.page.goto(page.url)
    expect(tab.headline).to_have_text(asked)
    tab.pick()
    before = len(entries(site, code))
    network.slow = True
    me.pick()
    me.send()
    tab.confirm.click()
    network.deliver()
    expect(tab.headline).not_to_have_text(asked)
    expect(tab.page.get_by_role("alert")).to_be_visible()
    assert len(entries(site, code)) == before + 1


# --- plain HTTP on a home network ------------------------------------------------------------------


def address() -> str:
    """Ours, as others on the network see it; no packet is sent for this."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Site]:
    running = Site(tmp_path, "--bot-pause", "20", "--lan")
    running.start()
    yield running
    running.stop()


def test_plain_http_on_a_home_network(lan: Site, person: Person) -> None:
    here = address()
    if not here or here.startswith("127."):
        pytest.skip("this machine has no address but its own")
    url = f"http://{here}:{lan.port}"
    page = person(PHONE)
    me = Player(page, seed=13)
    me.sit(url, start=False)
    assert page.evaluate("window.isSecureContext") is False
    expect(page.get_by_text("everybody on the same network")).to_be_visible()
    page.get_by_role("button", name="Copy link").first.click()
    expect(page.get_by_text(re.compile("Copied|Selected: copy it now")).first).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    expect(me.headline).to_have_text(me.say("stt.ask.return"))
    me.menu("shell.hint")
    expect(page.get_by_text(re.compile("The bot would"))).to_be_visible()
    play([me], lambda: me.did.get("pass", 0) > 3 or me.out())
    expect(page.get_by_text(re.compile("The bot would"))).to_have_count(0)
