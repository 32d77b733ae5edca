"""What is lost on its way, comes late, or is not there any more: every wait has an end that is said, and
there is always something that one can do."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import DESK, PHONE, SIZES, Person, Site
from tests.browser.player import Player, until, words

ROOMS = re.compile(r"/api/rooms(/[A-Z]+)?$")
UNANSWERED = "Es kam keine Antwort."


class Lost:
    """Requests of one method that are not answered; if they `reach` the server, it has answered."""

    def __init__(self, page: Page, method: str, reach: bool = False) -> None:
        self.held: list[tuple[Route, Any]] = []
        self.lose = True
        self.method = method
        self.reach = reach
        page.route(ROOMS, self.take)

    def take(self, route: Route) -> None:
        if self.lose and route.request.method == self.method:
            self.held.append((route, route.fetch() if self.reach else None))
        else:
            route.fallback()


def say(key: str, **args: object) -> str:
    return words("de").say(key, args)


def button(page: Page, key: str) -> Any:
    return page.get_by_role("button", name=say(key), exact=True)


@SIZES
def test_a_room_that_was_asked_for_and_not_answered_is_not_made_twice(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    """It was made, and its answer lost: then it stands in the list of one's rooms."""
    page = person(size, lang="de", offline_ok=True)
    page.clock.install()
    page.goto(site.url)
    lost = Lost(page, "POST", reach=True)
    button(page, "home.play-now").first.click()
    until(page, lambda: bool(lost.held))
    expect(button(page, "home.starting").first).to_be_visible()
    page.clock.run_for(15_000)
    expect(page.get_by_text(UNANSWERED)).to_be_visible()
    expect(page.get_by_role("region", name=say("home.go-on.label"))).to_be_visible()
    lost.lose = False
    assert len(lost.held) == 1
    button(page, "home.play-now").first.click()
    expect(page).to_have_url(re.compile("/room/"))


def a_room_without_answer(page: Page, site: Site) -> Lost:
    """One's own room, on whose page nothing comes that is asked for."""
    page.goto(site.url)
    made = page.request.post(f"{site.url}/api/rooms", data={"title": "night-mail", "name": "Ada"})
    page.clock.install()
    lost = Lost(page, "GET")
    page.goto(f"{site.url}/room/{made.json()['code']}")
    until(page, lambda: bool(lost.held))
    expect(page.get_by_text(say("lobby.wait"))).to_have_count(1)
    # From here on time passes when the test says so.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    return lost


def test_a_room_whose_answer_is_lost_is_asked_for_again(site: Site, person: Person) -> None:
    page = person(PHONE, lang="de", offline_ok=True)
    lost = a_room_without_answer(page, site)
    lost.lose = False
    page.clock.run_for(8000)
    expect(button(page, "lobby.start")).to_be_visible()


@SIZES
def test_who_waits_for_long_is_told_so(site: Site, person: Person, size: dict[str, int]) -> None:
    page = person(size, lang="de", offline_ok=True)
    lost = a_room_without_answer(page, site)
    page.clock.run_for(10_000)
    expect(page.get_by_text(say("part.long"))).to_be_visible()
    until(page, lambda: len(lost.held) == 2)
    page.clock.run_for(20_000)
    expect(page.get_by_role("alert")).to_have_text(say("web.offline"))
    lost.lose = False
    button(page, "part.retry").click()
    expect(button(page, "lobby.start")).to_be_visible()


def test_a_late_answer_does_not_bring_back_the_lobby(site: Site, person: Person) -> None:
    ada, bruno = person(DESK, lang="de"), person(DESK, lang="de")
    for page in (ada, bruno):
        page.goto(site.url)
    made = ada.request.post(f"{site.url}/api/rooms", data={"title": "night-mail", "name": "Ada"})
    room = f"{site.url}/api/rooms/{made.json()['code']}"
    sat = bruno.request.post(room, data={"do": "sit", "seat": 1, "name": "Bruno"})
    assert sat.ok
    bruno.goto(f"{site.url}/room/{made.json()['code']}")
    lost = Lost(bruno, "POST", reach=True)
    button(bruno, "lobby.ready.say").click()
    until(bruno, lambda: bool(lost.held))
    assert ada.request.post(room, data={"do": "start"}).ok
    board = bruno.get_by_role("region", name=say("shell.hand"))
    expect(board).to_be_visible()
    [(route, answer)] = lost.held
    with bruno.expect_event("requestfinished"):
        route.fulfill(response=answer)
    bruno.evaluate("() => new Promise(requestAnimationFrame)")
    expect(board).to_be_visible()
    expect(button(bruno, "lobby.ready.undo")).to_have_count(0)


# --- a match that cannot be shown ----------------------------------------------------------------


def change(site: Site, sql: str) -> None:
    with closing(sqlite3.connect(site.folder / "capolinea.db", timeout=10)) as kept, kept:
        kept.execute(sql)


UNREADABLE = {
    "damaged": "UPDATE matches SET header = x'7b7d'",
    "other options": "UPDATE matches SET header = CAST(replace(CAST(header AS TEXT),"
    """ '"options":{', '"options":{"gone":1,') AS BLOB)""",
}


@SIZES
@pytest.mark.parametrize("what", UNREADABLE)
def test_a_match_that_cannot_be_opened_is_said_and_the_host_ends_it(
    own_site: Site, person: Person, size: dict[str, int], what: str
) -> None:
    me = Player(person(size, lang="de", offline_ok=True), "de")
    code = me.sit(own_site.url)
    own_site.stop()
    change(own_site, UNREADABLE[what])
    own_site.start()
    page = me.page
    page.goto(f"{own_site.url}/room/{code}")
    stuck = page.get_by_role("region", name=say("lobby.unopened"))
    expect(stuck.get_by_role("alert")).to_be_visible()
    expect(page.get_by_text(say("lobby.wait"))).to_have_count(0)
    expect(button(page, "lobby.start")).to_have_count(0)
    button(page, "shell.abandon").click()
    me.sure("shell.abandon")
    expect(stuck).to_have_count(0)
    button(page, "lobby.start").click()
    expect(me.headline).to_be_visible()


# --- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/room/%", "/%", "/replay/%zz", "/learn/%", "/rules/%ff", "/rules/stop-the-train#%"]
)
def test_whatever_the_address_the_page_is_not_blank(site: Site, person: Person, path: str) -> None:
    page = person(PHONE, lang="de", offline_ok=True)
    page.goto(site.url + path)
    expect(page.locator("h1, h2").first).to_be_visible()
    expect(page.get_by_text(say("lobby.wait"))).to_have_count(0)


# --- what cannot be taken back -------------------------------------------------------------------


@SIZES
def test_one_tap_does_not_end_a_match(site: Site, person: Person, size: dict[str, int]) -> None:
    me = Player(person(size, lang="de"), "de")
    me.sit(site.url)
    me.menu("shell.abandon")
    asked = me.page.get_by_role("group", name=me.say("shell.abandon.sure"))
    expect(asked).to_be_visible()
    away = asked.get_by_role("button", name=me.say("part.rather-not"))
    expect(away).to_be_focused()
    away.click()
    expect(asked).to_have_count(0)
    expect(me.headline).to_be_visible()
    button(me.page, "shell.abandon").click()
    me.sure("shell.abandon")
    expect(button(me.page, "lobby.start")).to_be_visible()
