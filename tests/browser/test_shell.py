"""What all titles share around their boards: drawers, the menu, hints, several people or devices."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.axe import apart, check, narrow
from tests.browser.conftest import DESK, PHONE, SIZES, Person, Site
from tests.browser.player import LANGUAGES, ROOT, Player, play

SMALL = {"width": 320, "height": 640}
TABLET = {"width": 768, "height": 1024}
SIDEWAYS = {"width": 844, "height": 390}
DRAWERS = ("stt.claims", "stt.notes", "stt.characters", "stt.cards", "shell.log", "shell.chat")


def tab(me: Player, key: str) -> Locator:
    return me.page.locator("nav.tabs").get_by_role("button", name=me.say(key), exact=True)


def drawer(me: Player, key: str) -> Locator:
    return me.page.get_by_role("dialog", name=me.say(key), exact=True)


# --- drawers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "lang"),
    [(PHONE, "de"), (SMALL, "it"), (TABLET, "en"), (SIDEWAYS, "de")],
    ids=["phone", "small", "tablet", "sideways"],
)
def test_drawers(site: Site, person: Person, size: dict[str, int], lang: str) -> None:
    me = Player(person(size, lang=lang), lang)
    me.sit(site.url)
    for key in DRAWERS:
        tab(me, key).click()  # from one to the next: the tabs are never covered
        expect(drawer(me, key)).to_be_focused()
        expect(me.page.get_by_role("dialog")).to_have_count(1)
        expect(tab(me, key)).to_have_attribute("aria-expanded", "true")
        expect(tab(me, key)).to_be_in_viewport(ratio=1)
        assert apart(drawer(me, key), me.page.locator("nav.tabs"))
        narrow(me.page)
    # The close button, Escape and the tab itself: each leads back to where one came from.
    drawer(me, "shell.chat").get_by_role("button", name=me.say("shell.close"), exact=True).click()
    expect(tab(me, "shell.chat")).to_be_focused()
    me.page.keyboard.press("Enter")
    expect(drawer(me, "shell.chat")).to_be_focused()
    me.page.keyboard.press("Tab")
    expect(
        drawer(me, "shell.chat").get_by_role("button", name=me.say("shell.close"), exact=True)
    ).to_be_focused()
    me.page.keyboard.press("Escape")
    expect(tab(me, "shell.chat")).to_be_focused()
    tab(me, "shell.log").click()
    tab(me, "shell.log").click()
    expect(me.page.get_by_role("dialog")).to_have_count(0)
    expect(tab(me, "shell.log")).to_be_focused()
    play([me], lambda: me.did)  # and the hand is there as before


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
def test_what_a_drawer_covers_is_out_of_reach_until_it_is_closed(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    me = Player(person(size))
    me.sit(site.url)
    hand = me.page.locator("section.hand")
    tab(me, "shell.log").click()
    expect(hand).to_have_attribute("inert", "")
    expect(me.headline).to_be_in_viewport()
    check(me.page)
    me.page.keyboard.press("Escape")
    expect(hand).not_to_have_attribute("inert", "")


def test_on_a_tablet_a_drawer_covers_nothing(site: Site, person: Person) -> None:
    me = Player(person(TABLET))
    me.sit(site.url)
    tab(me, "shell.log").click()
    expect(drawer(me, "shell.log")).to_be_visible()
    assert apart(drawer(me, "shell.log"), me.hand)
    assert apart(drawer(me, "shell.log"), me.page.locator("main.map"))
    check(me.page, "light")
    play([me], lambda: me.did)


def test_on_a_desk_they_lie_open(site: Site, person: Person) -> None:
    me = Player(person(DESK))
    me.sit(site.url)
    for key in ("stt.claims", "shell.log", "shell.chat"):
        expect(me.page.get_by_role("region", name=me.say(key), exact=True)).to_be_visible()
    expect(me.page.get_by_role("dialog")).to_have_count(0)
    expect(me.page.locator("nav.tabs")).to_be_hidden()


def test_bots_sit_down_in_one_line(site: Site, person: Person) -> None:
    me = Player(person(DESK, lang="it"), "it")
    me.sit(site.url)
    log = me.page.locator("#drawer-log li p")
    expect(log.filter(has_text="giocano dei bot")).to_have_count(1)
    expect(log.filter(has_text="gioca un bot")).to_have_count(0)


# --- the menu --------------------------------------------------------------------------------------


def test_the_menu_is_opened_and_closed_by_keyboard_and_beside_it(
    site: Site, person: Person
) -> None:
    me = Player(person(PHONE))
    me.sit(site.url)
    more = me.page.get_by_role("button", name="Menu", exact=True)
    menu = me.page.get_by_role("region", name="Menu", exact=True)
    more.focus()
    me.page.keyboard.press("Enter")
    expect(menu.get_by_role("button").first).to_be_focused()
    me.page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(more).to_be_focused()
    more.click()
    expect(menu).to_be_visible()
    me.headline.click()
    expect(menu).to_have_count(0)


def test_a_hint_is_marked_on_the_board_until_it_is_followed(site: Site, person: Person) -> None:
    page = person(PHONE)
    me = Player(page)
    me.sit(site.url, title="night-mail", options={}, bots=["random"] * 2)
    choices = page.locator("section.hand button.choice")
    expect(choices.first).to_be_visible()
    me.menu("shell.hint")
    notice = page.get_by_text(re.compile("^The bot would: "))
    expect(notice).to_be_visible()
    marked = page.locator("section.hand .advised")
    expect(marked).to_have_count(1)
    expect(marked.get_by_role("img", name="A hint")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Close the hint").click()
    expect(notice).to_have_count(0)
    expect(marked).to_have_count(0)
    me.menu("shell.hint")
    confirm = page.get_by_role("button", name="Do it", exact=True)
    while True:
        expect(marked.or_(confirm)).to_have_count(1)
        if confirm.is_visible():
            break
        marked.click()
    confirm.click()
    expect(notice).to_have_count(0)


@SIZES
def test_a_plain_board_covers_what_only_i_know(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    """Its text is for all at the table to see; the own hand is added when it is asked for."""
    page = person(size)
    me = Player(page)
    code = me.sit(site.url, title="night-mail", options={}, bots=["random"] * 2)
    table = page.get_by_role("region", name="On the table")
    hand = table.get_by_role("listitem").filter(has_text="You are in the pay of")
    expect(table.get_by_role("listitem").first).to_be_visible()
    own = table.get_by_role("button", name=me.say("shell.log.own"))
    expect(own).to_be_visible()
    expect(hand).to_have_count(0)
    own.click()
    expect(own).to_have_attribute("aria-pressed", "true")
    expect(hand).to_be_visible()
    check(page, "light")
    own.click()
    expect(hand).to_have_count(0)
    # Who watches has nothing to cover.
    watcher = person(size)
    watcher.goto(f"{site.url}/room/{code}")
    seen = watcher.get_by_role("region", name="On the table")
    expect(seen.get_by_role("listitem").first).to_be_visible()
    expect(seen.get_by_role("button")).to_have_count(0)


# --- another device --------------------------------------------------------------------------------


def personal(me: Player) -> str:
    """My personal link, from the menu of the table."""
    me.menu("lobby.other-device")
    menu = me.page.locator("#table-menu")
    expect(menu.get_by_role("img", name=me.say("lobby.other-device.qr"))).to_be_visible()
    expect(menu.get_by_text(me.say("lobby.other-device.help"))).to_be_visible()
    return menu.locator(".link").inner_text()


def test_during_a_match_to_another_device_and_still_the_host(site: Site, person: Person) -> None:
    ada = Player(person(DESK, lang="de"), "de")
    code = ada.sit(site.url)
    link = personal(ada)
    narrow(ada.page)
    phone = Player(person(PHONE, lang="it"), "it")
    phone.page.goto(link)
    expect(phone.headline).to_have_text(phone.say("stt.ask.return"))
    expect(phone.page).to_have_url(f"{site.url}/room/{code}")  # the key does not stay there
    play([phone], lambda: phone.did)
    expect(ada.headline).not_to_have_text(ada.say("stt.ask.return"))
    phone.menu("shell.abandon")
    phone.sure("shell.abandon")
    start = phone.page.get_by_role("button", name=phone.say("lobby.start"))
    expect(start).to_be_visible()
    # One person, on two devices.
    expect(ada.page.get_by_role("button", name=ada.say("lobby.start"))).to_be_visible()
    expect(ada.page.get_by_text("Ada 2")).to_have_count(0)
    start.click()
    for one in (ada, phone):
        expect(one.headline).to_have_text(one.say("stt.ask.return"))


# --- several people at one screen ------------------------------------------------------------------


def curtain(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=f"I am {name}: show my side", exact=True)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_two_people_at_one_screen(site: Site, person: Person, size: dict[str, int]) -> None:
    page = person(size)
    me = Player(page, seed=5)
    code = me.sit(site.url, bots=["passenger"] * 2, start=False)
    beside = {"do": "sit", "seat": 3, "name": "Bruno", "further": True}
    assert page.request.post(f"{site.url}/api/rooms/{code}", data=beside).ok
    page.get_by_role("button", name="Start the game").click()
    # Nobody sees anything before they have said that it is they who look.
    expect(curtain(page, "Ada")).to_be_focused()
    expect(me.hand).to_have_count(0)
    check(page)
    narrow(page)
    curtain(page, "Ada").click()
    expect(me.headline).to_have_text(me.say("stt.ask.return"))
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    strip = page.get_by_role("navigation", name=me.say("lobby.side-by-side"))
    ada, bruno = (strip.get_by_role("button", name=re.compile(name)) for name in ("Ada", "Bruno"))
    for one in (ada, bruno):
        expect(one).to_contain_text(me.say("lobby.awaited"))  # both give something back
    me.choose()
    expect(ada).not_to_contain_text(me.say("lobby.awaited"))
    bruno.click()
    expect(me.hand).to_have_count(0)
    curtain(page, "Bruno").click()
    expect(me.headline).to_have_text(me.say("stt.ask.return"))
    me.choose()
    expect(me.headline).not_to_have_text(me.say("stt.ask.return"))
    # And back: covered again.
    ada.click()
    expect(me.hand).to_have_count(0)
    expect(curtain(page, "Ada")).to_be_visible()
    page.reload()
    expect(curtain(page, "Ada")).to_be_visible()


# --- coming back -----------------------------------------------------------------------------------


def test_ones_rooms_are_found_again_after_the_server_died(own_site: Site, person: Person) -> None:
    page = person(PHONE, offline_ok=True)
    me = Player(page)
    quiet = me.sit(own_site.url, start=False)
    playing = me.sit(own_site.url)
    own_site.stop()
    own_site.start()
    page.goto(own_site.url)
    rooms = page.get_by_role("region", name=me.say("home.go-on.label"))
    expect(rooms.get_by_role("link")).to_have_attribute("href", f"/room/{playing}")
    rooms.get_by_role("button").last.click()
    expect(rooms.get_by_role("link")).to_have_count(2)
    expect(rooms.get_by_role("link").nth(1)).to_have_attribute("href", f"/room/{quiet}")
    rooms.get_by_role("link").first.click()
    expect(me.headline).to_have_text(me.say("stt.ask.return"))


def test_a_chair_that_somebody_takes_just_then_is_no_obstacle(site: Site, person: Person) -> None:
    """The list that one looks at is a moment old: one sits down beside."""
    ada = Player(person(DESK))
    code = ada.sit(site.url, bots=[], start=False)
    page = person(PHONE, offline_ok=True)  # the browser itself complains of what is refused
    carla = person(PHONE).request
    sat: list[int] = []

    def meanwhile(route: Route) -> None:
        if not sat:
            asked = {"do": "sit", "seat": 1, "name": "Carla"}
            sat.append(carla.post(f"{site.url}/api/rooms/{code}", data=asked).status)
        route.continue_()

    page.goto(f"{site.url}/room/{code}")
    page.get_by_label(ada.say("lobby.welcome.sit")).fill("Bruno")
    page.route(f"**/api/rooms/{code}", meanwhile)
    page.get_by_role("button", name=ada.say("lobby.sit-down")).click()
    expect(page.get_by_label(ada.say("lobby.welcome.sit"))).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert sat == [200]
    seats = page.request.get(f"{site.url}/api/rooms/{code}").json()["seats"]
    assert [seat.get("name", "") for seat in seats[:3]] == ["Ada", "Carla", "Bruno"]


# --- beside the table ------------------------------------------------------------------------------


def test_a_replay_that_is_not_there(site: Site, person: Person) -> None:
    """It says so, and there is a way on."""
    page = person(PHONE, offline_ok=True)
    page.goto(f"{site.url}/replay/nothing")
    expect(page.get_by_role("alert")).to_contain_text("no such match")
    page.get_by_role("main").get_by_role("link", name="Home").click()
    expect(page).to_have_url(f"{site.url}/")


def test_an_address_that_leads_nowhere(site: Site, person: Person) -> None:
    page = person(PHONE, lang="de", offline_ok=True)  # the browser itself tells of a 404
    page.goto(f"{site.url}/romm/BCDFGH")
    expect(page.get_by_role("heading", name="Hier ist nichts.")).to_be_visible()
    check(page)
    page.get_by_role("main").get_by_role("link", name="Zur Startseite").click()
    expect(page).to_have_url(f"{site.url}/")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_replay_knows_the_names_of_places(site: Site, person: Person, lang: str) -> None:
    page = person(PHONE, lang=lang)
    record = (ROOT / "tests/fixtures/stop-the-train/random-play.json").read_bytes()
    headers = {"content-type": "application/json"}
    kept = page.request.post(f"{site.url}/api/records", data=record, headers=headers)
    page.goto(f"{site.url}/replay/{kept.json()['id']}#step=80")
    expect(page.locator("aside li").first).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("⟨")
    narrow(page)
