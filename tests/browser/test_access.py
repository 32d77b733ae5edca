"""For people who see, hear or move differently: axe, keyboard, small screens, announcements, covers."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from capolinea import games
from tests.browser.axe import check, narrow
from tests.browser.conftest import DESK, PHONE, Person, Site
from tests.browser.player import LANGUAGES, ROOT, TITLE, Player, play, tidy, until, words

LONG = bool(os.environ.get("CAPOLINEA_LONG"))
SMALL = {"width": 320, "height": 640}
RECORD = ROOT / "tests/fixtures/stop-the-train/random-play.json"


def read(page: Page) -> None:
    """The table as text: a button for the keyboard, out of others' way."""
    page.get_by_role("button", name="Read the table").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What lies on the line")).to_be_visible()


# --- axe -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "lang", "size"),
    [
        ("/", "en", DESK),
        ("/", "de", PHONE),
        ("/settings", "it", PHONE),
        ("/watch", "de", DESK),
        ("/learn", "it", PHONE),
        (f"/rules/{TITLE}", "en", PHONE),
        (f"/learn/{TITLE}", "de", PHONE),
        (f"/learn/{TITLE}", "it", DESK),
    ],
    ids=str,
)
def test_pages(site: Site, person: Person, path: str, lang: str, size: dict[str, int]) -> None:
    page = person(size, lang=lang)
    page.goto(f"{site.url}{path}")
    page.wait_for_load_state("networkidle")
    assert page.locator("main").count() == 1
    check(page, *(["light"] if "rules" in path and not LONG else []))  # it is long


def test_room(site: Site, person: Person) -> None:
    page = person(DESK)
    ada = Player(page)
    code = ada.sit(site.url, start=False, bots=["passenger"] * 2)
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()
    page.get_by_text("Change details").click()
    page.get_by_text("Change them").click()
    page.get_by_role("button", name="Ada: what can be done").click()
    check(page)
    other = person(PHONE, lang="it")
    other.goto(f"{site.url}/room/{code}")
    expect(other.get_by_label(words("it").say("lobby.welcome.sit"))).to_be_visible()
    check(other)
    for one in (page, other):
        one.set_viewport_size({"width": 320, "height": 640})
        narrow(one)


def waiting(site: Site, person: Person) -> tuple[Player, Player]:
    """Ada waits for Bruno, who takes his time."""
    ada, bruno = Player(person(PHONE)), Player(person(DESK, lang="de"), "de")
    code = ada.sit(site.url, bots=[], start=False)
    room = f"{site.url}/api/rooms/{code}"
    for said in ({"do": "sit", "seat": 1, "name": "Bruno"}, {"do": "ready"}):
        assert bruno.page.request.post(room, data=said).ok
    for seat in (2, 3):
        bot = {"do": "bot", "seat": seat, "bot": "passenger"}
        assert ada.page.request.post(room, data=bot).ok
    bruno.page.goto(f"{site.url}/room/{code}")
    ada.page.get_by_role("button", name="Start the game").click()
    for one in (ada, bruno):
        until(one.page, lambda one=one: one.asked() == "choose")  # type: ignore[misc]
    return ada, bruno


def test_table_my_turn_and_waiting(site: Site, person: Person) -> None:
    ada, bruno = waiting(site, person)
    check(ada.page)
    ada.choose()
    expect(ada.headline).to_contain_text("Bruno")
    check(ada.page, "dark")
    check(bruno.page)
    # Everything that can be opened.
    for drawer in ("stt.claims", "stt.notes", "stt.characters", "stt.cards", "shell.log"):
        tab = ada.page.get_by_role("navigation").get_by_role("button", name=ada.say(drawer))
        tab.last.click()
        check(ada.page, "dark" if drawer == "stt.notes" else "light")
        narrow(ada.page)
        ada.page.get_by_role("button", name="Close", exact=True).click()
    ada.page.get_by_role("button", name="Menu", exact=True).click()
    check(ada.page, "light")
    ada.page.keyboard.press("Escape")
    read(ada.page)
    check(ada.page, "light")


@pytest.mark.parametrize(
    ("kind", "key", "lang", "size"),
    [
        ("throw-off", "stt.ask.throw-off", "de", PHONE),
        ("throw-off", "stt.ask.throw-off", "it", DESK),
        ("vote", "stt.ask.vote", "it", PHONE),
        ("play", "stt.ask.play", "de", DESK),
    ],
    ids=str,
)
def test_meetings_votes_and_cards(
    site: Site, person: Person, kind: str, key: str, lang: str, size: dict[str, int]
) -> None:
    page = person(size, lang=lang)
    me = Player(page, lang, seed=21)
    me.resume(site.url, kind, key)
    check(page)
    me.pick()
    check(page, "dark" if lang == "de" else "light")
    narrow(page)


def test_replay(site: Site, person: Person) -> None:
    page = person(PHONE, lang="it")
    headers = {"content-type": "application/json"}
    made = page.request.post(
        f"{site.url}/api/records", data=RECORD.read_bytes(), headers=headers
    ).json()
    page.goto(f"{site.url}/replay/{made['id']}#step=30")
    expect(page.get_by_role("slider")).to_have_value("30")
    check(page)
    page.set_viewport_size({"width": 320, "height": 640})
    narrow(page)
    page.get_by_role("slider").fill("999")
    check(page, "dark")
    narrow(page)


# --- small screens ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES if LONG else ["de"])
def test_320_pixels(site: Site, person: Person, lang: str) -> None:
    page = person(SMALL, lang=lang)
    paths = ["/", "/watch", "/learn", "/settings", f"/rules/{TITLE}", f"/learn/{TITLE}"]
    for path in paths:
        page.goto(f"{site.url}{path}")
        page.wait_for_load_state("networkidle")
        narrow(page)
    me = Player(page, lang, seed=22)
    me.reach(site.url, "stt.ask.play", "stt.ask.discard")
    narrow(page)
    # All that is asked fits: every card and the button can be tapped.
    me.choose()
    play([me], lambda: me.did.get("pass", 0) > 1 or me.out())
    narrow(page)


def test_large_text(site: Site, person: Person) -> None:
    """At twice the size nothing is lost."""
    page = person(PHONE)
    page.goto(f"{site.url}/settings")
    page.get_by_role("radio", name="Larger").check(force=True)
    me = Player(page, seed=23)
    me.resume(site.url, "play", "stt.ask.play")
    narrow(page)
    me.choose()


# --- keyboard --------------------------------------------------------------------------------------


def focused(page: Page) -> Locator:
    return page.locator("*:focus")


def tab_to(page: Page, wanted: Locator, most: int = 60) -> None:
    """Tab until this has the focus, and see that it shows."""
    for _ in range(most):
        if wanted.evaluate_all("all => all.includes(document.activeElement)"):
            break
        page.keyboard.press("Tab")
    assert wanted.evaluate_all("all => all.includes(document.activeElement)"), "out of reach"
    ring: dict[str, str] = focused(page).evaluate(
        "one => { const style = getComputedStyle(one);"
        " return { outline: style.outlineStyle, shadow: style.boxShadow, width: style.outlineWidth } }"
    )
    assert ring["shadow"] != "none" or (ring["outline"] != "none" and ring["width"] != "0px"), ring


def at(me: Player) -> int:
    """Which of the options has the focus."""
    found: int = me.options.evaluate_all("all => all.indexOf(document.activeElement)")
    return found


def by_keyboard(me: Player) -> None:
    """Answer what is asked with Tab, arrows, Space and Enter alone."""
    page, keys = me.page, me.page.keyboard
    if me.asked() == "choose":
        asked = me.headline.inner_text()
        try:
            tab_to(page, me.options)
        except AssertionError:
            # Others play meanwhile: what is no longer asked cannot be reached, and need not be.
            if me.headline.inner_text() == asked and me.options.count():
                raise
            return
        while not me.ready():
            before = at(me)
            keys.press("ArrowDown")
            assert at(me) != before or me.options.count() == 1
            keys.press("ArrowUp")
            assert at(me) == before
            keys.press("ArrowRight")
            keys.press("Space")
            if not me.ready():  # the next step of it
                tab_to(page, me.options)
    tab_to(page, me.confirm)
    keys.press("Enter")
    me.sent()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_whole_turn_by_keyboard(site: Site, person: Person, size: dict[str, int]) -> None:
    page = person(size)
    me = Player(page, seed=24)
    page.goto(site.url)
    play_now = page.get_by_role("button", name="Play now").first
    tab_to(page, play_now)
    me.sit(site.url)
    done: list[str] = []
    until(page, lambda: me.asked() == "choose")
    while "Discard one card, pass on the rest" not in done or len(done) < 4:
        if me.out():
            break
        if me.asked() in ("choose", "pass"):
            done.append(tidy(me.headline.inner_text()))
            by_keyboard(me)
        page.wait_for_timeout(20)
    assert len(done) >= 2
    # The menu, a secret, and the way back.
    if me.out():
        return
    tab_to(page, page.get_by_role("button", name="Menu", exact=True))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="A hint"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="A hint")).to_have_count(0)
    tab_to(page, page.get_by_role("button", name="Your character, covered."))
    page.keyboard.down("Space")
    expect(me.hand.get_by_text("You are the")).to_be_visible()
    page.keyboard.up("Space")
    expect(me.hand.get_by_text("You are the")).to_have_count(0)


# --- secrets and announcements ---------------------------------------------------------------------


def secrets() -> tuple[set[str], set[str]]:
    game = games.load(TITLE)
    said = words("en")
    roles = {said.word(f"role.{role}") for role in game.roles}
    cards = {said.word(f"card.{card}") for card in game.names["card"]}
    return roles, cards


def on_page(page: Page) -> str:
    """The whole page but for the lists of all characters and all cards, which are for everybody."""
    content: str = page.evaluate(
        """() => {
          const page = document.documentElement.cloneNode(true);
          for (const one of page.querySelectorAll("#drawer-characters, #drawer-notes, #drawer-cards"))
            one.remove();
          return page.outerHTML;
        }"""
    )
    return content


def test_own_secrets_are_not_on_the_page_before_they_are_held(site: Site, person: Person) -> None:
    page = person(DESK)
    me = Player(page, seed=25)
    me.sit(site.url)
    until(page, lambda: me.asked() == "choose")
    me.choose()
    expect(me.headline).not_to_have_text(me.say("stt.ask.return"))
    roles, cards = secrets()
    content = on_page(page)
    # Looked at afterwards: a card that somebody plays right now is on the table and in the log.
    told = {word for word in cards if f"“{word}”" in page.locator("#drawer-log").inner_text()}
    assert [role for role in roles if role in content] == []
    assert [card for card in cards - told if re.search(rf">{re.escape(card)}<", content)] == []
    hold = page.get_by_role("button", name=re.compile("interventions?, covered"))
    hold.hover()
    page.mouse.down()
    expect(me.hand.get_by_text("Your interventions", exact=True)).to_be_visible()
    content = on_page(page)
    shown = {card for card in cards if f">{card}<" in content}
    told = {card for card in cards if f"“{card}”" in page.locator("#drawer-log").inner_text()}
    assert shown
    assert len(shown - told) <= 2
    page.mouse.up()
    expect(me.hand.get_by_text("Your interventions", exact=True)).to_have_count(0)
    # The log has what only I know for whoever asks.
    log = page.get_by_role("region", name="Log")
    log.get_by_role("button", name="Also what only I know").click()
    expect(log).to_contain_text("Your papers say")
    log.get_by_role("button", name="Also what only I know").click()
    expect(log).not_to_contain_text("Your papers say")


def test_the_turn_is_announced(site: Site, person: Person) -> None:
    """One polite region says what happens, and what is asked of me."""
    page = person(PHONE)
    me = Player(page, seed=26)
    me.sit(site.url)
    page.evaluate(
        """() => {
          const region = document.querySelector(".narration [aria-live=polite]");
          window.heard = [];
          new MutationObserver(() => window.heard.push(region.innerText))
            .observe(region, { subtree: true, childList: true, characterData: true });
        }"""
    )

    def heard() -> str:
        return " ".join(page.evaluate("window.heard"))

    told = re.compile("draws three cards|passes the other|plays “")
    play([me], lambda: told.search(heard()) or me.over())
    assert "Discard one card, pass on the rest" in heard()
    assert told.search(heard()), heard()
    # And all there is to see can be read.
    read(page)
    reading = page.get_by_role("listitem").filter(has_text="Marne bridge")
    expect(reading.first).to_be_visible()
