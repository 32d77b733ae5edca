"""The rules to read: in every language, searched, opened at a rule, and over a table that goes on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import check, narrow
from tests.browser.conftest import DESK, PHONE, SIZES, Person, Site
from tests.browser.player import LANGUAGES, NAMES, ROOT, TITLE, Player, words

PATH = f"/rules/{TITLE}"
TROLLEY = "/rules/trial-by-trolley"
#: Pages are long, and machines may be slow.
SLOW = 30_000


def written(lang: str, path: str, anchor: str) -> str:
    """What stands behind an anchor in the page, to the end of the line."""
    text = (ROOT / "docs" / "rules" / lang / f"{path.removeprefix('/rules/')}.md").read_text(
        "utf-8"
    )
    found = re.search(rf'<a id="{re.escape(anchor)}"></a>(.*)', text)
    assert found, anchor
    return found[1]


def search(page: Page) -> Locator:
    return page.get_by_role("searchbox")


def rule(page: Page, anchor: str) -> Locator:
    return page.locator(f'[id="{anchor}"]')


def open_at(page: Page, site: Site, path: str, anchor: str = "") -> None:
    page.goto(f"{site.url}{path}{anchor and f'#{anchor}'}")
    expect(rule(page, "reference")).to_be_attached(timeout=SLOW)


@SIZES
def test_read_in_three_languages(site: Site, person: Person, size: dict[str, int]) -> None:
    """Changed on the spot, and open at the same rule."""
    page = person(size)
    open_at(page, site, PATH, "ST-5.5")
    for lang in ("it", "de", "en"):
        page.get_by_role("button", name=NAMES[lang]).click()
        heading = rule(page, "quick-start")
        expect(heading).to_have_text(written(lang, PATH, "quick-start"), timeout=SLOW)
        expect(page.get_by_role("article")).to_have_attribute("lang", lang)
        name = (
            written(lang, PATH, "ST-5.5").split("**")[1].removeprefix("ST-5.5 ").removesuffix(".")
        )
        expect(rule(page, "ST-5.5")).to_contain_text(name)
        expect(rule(page, "ST-5.5")).to_be_in_viewport()
        narrow(page)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_title_is_on_the_shelf(site: Site, person: Person, lang: str) -> None:
    page = person(PHONE, lang=lang)
    page.goto(f"{site.url}/rules")
    for name in ("Stop the Train!", "Tachite al Tram", "Trial by Trolley"):
        link = page.get_by_role("main").get_by_role("link", name=name)
        link.click()
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible(timeout=SLOW)
        expect(rule(page, "quick-start")).to_be_visible()
        page.go_back()
        expect(link).to_be_visible()


@SIZES
def test_search(site: Site, person: Person, size: dict[str, int]) -> None:
    """As one types: what is found is marked, and how often it is found is told."""
    page = person(size, lang="de")
    say = words("de").say
    open_at(page, site, PATH)
    status = page.get_by_role("search").get_by_role("status")
    page.keyboard.press("/")
    expect(search(page)).to_be_focused()
    search(page).press_sequentially("freifahr")
    expect(status).to_have_text(re.compile(r"^An \d+ Stellen gefunden$"))
    marks = page.locator("mark")
    expect(marks.first).to_have_text("Freifahr")
    expect(rule(page, "ST-5.3")).to_be_visible()
    expect(rule(page, "ST-3.1")).to_have_count(0)
    # Accents and capitals make no difference, and one place is one place.
    search(page).fill("UBER ROT FAHREN und")
    expect(status).to_have_text(say("rules.found", {"count": 1}))
    expect(marks).to_have_text(["Über Rot fahren", " und"])
    # A row comes with its head, an item with its rule.
    search(page).fill("Brenne")
    cards = rule(page, "ST-7.5")
    expect(cards.get_by_role("cell", name="Brenne", exact=True)).to_be_visible()
    expect(cards.get_by_role("cell", name="Mehr Kohle", exact=True)).to_have_count(0)
    # What is found leads to where it stands.
    rule(page, "ST-7.5").get_by_role("link", name="ST-7.5", exact=True).click()
    expect(search(page)).to_have_value("")
    expect(rule(page, "ST-7.4")).to_be_attached()
    expect(rule(page, "ST-7.5")).to_be_in_viewport()
    # Nothing is told, too.
    search(page).fill("Flugzeug")
    expect(status).to_have_text(say("rules.found", {"count": 0}))
    expect(page.get_by_text(say("rules.nothing"))).to_be_visible()
    search(page).press("Escape")
    search(page).fill("")
    expect(rule(page, "quick-start")).to_be_visible()


def test_an_address_leads_to_a_rule(site: Site, person: Person) -> None:
    page = person(PHONE, lang="it")
    open_at(page, site, PATH, "ST-7.9")
    expect(rule(page, "ST-7.9")).to_be_in_viewport()
    expect(rule(page, "ST-7.9")).to_be_focused()
    # Numbers are links, and the way back is the browser's.
    rule(page, "ST-7.9").get_by_role("link", name="ST-7.3").click()
    expect(page).to_have_url(re.compile("#ST-7.3$"))
    expect(rule(page, "ST-7.3")).to_be_in_viewport()
    page.go_back()
    expect(page).to_have_url(re.compile("#ST-7.9$"))
    expect(rule(page, "ST-7.9")).to_be_in_viewport()
    # And so are the contents.
    page.get_by_text(words("it").say("rules.contents"), exact=True).click()
    name = written("it", PATH, "interventions")
    page.get_by_role("navigation").get_by_role("link", name=name).click()
    expect(rule(page, "interventions")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("#interventions$"))


def test_rulings_are_marked(site: Site, person: Person) -> None:
    """And the page says what the mark means."""
    page = person(PHONE)
    open_at(page, site, PATH, "ST-4.4")
    mark = page.get_by_title(words("en").say("rules.ruling"))
    expect(rule(page, "ST-4.4").locator(mark)).to_have_count(1)
    expect(page.locator(".cover").locator(mark)).to_be_visible()


@SIZES
def test_a_refusal_leads_to_its_rule(site: Site, person: Person, size: dict[str, int]) -> None:
    """Right at the rule, over the room, which stays."""
    page = person(size, lang="de")
    me = Player(page, "de")
    options = {"cast": "first-game", "forced": ["stuntman"]}
    me.sit(site.url, start=False, bots=["passenger"] * 3, options=options)
    refusal = page.get_by_role("status").filter(has_text=me.say("refused.cast"))
    link = refusal.get_by_role("link", name=me.say("rules.rule", rule="ST-2.5"))
    expect(link).to_have_attribute("href", f"{PATH}#ST-2.5")
    link.click()
    sheet = page.get_by_role("dialog", name=me.say("shell.rules"))
    expect(rule(page, "ST-2.5")).to_be_in_viewport(timeout=SLOW)
    expect(rule(page, "ST-2.5")).to_contain_text("Schwieriger oder leichter")
    if size == PHONE:
        check(page, "dark")
    # Links inside stay inside, and the address is still the room's.
    before = page.url
    rule(page, "ST-2.5").get_by_role("link", name="ST-8").click()
    expect(rule(page, "ST-8")).to_be_in_viewport()
    assert page.url == before
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(link).to_be_focused()


@SIZES
def test_from_a_table_and_back(site: Site, person: Person, size: dict[str, int]) -> None:
    page = person(size)
    me = Player(page)
    me.sit(site.url)
    page.evaluate("window.same = true")
    page.get_by_role("button", name=me.say("shell.menu"), exact=True).click()
    page.get_by_role("button", name=me.say("shell.rules"), exact=True).click()
    sheet = page.get_by_role("dialog", name=me.say("shell.rules"))
    expect(sheet.get_by_role("heading", level=1)).to_be_visible(timeout=SLOW)
    search(page).fill("hang on")
    expect(sheet.locator("mark").first).to_be_visible()
    narrow(page)
    sheet.get_by_role("button", name=me.say("part.close")).click()
    expect(sheet).to_have_count(0)
    expect(me.headline).to_be_visible()
    assert page.evaluate("window.same") is True


@pytest.mark.parametrize(("size", "dark"), [(PHONE, True), (DESK, False)], ids=["phone", "desk"])
def test_for_everybody(site: Site, person: Person, size: dict[str, int], dark: bool) -> None:
    page = person(size, lang="it", dark=dark)
    open_at(page, site, TROLLEY, "TT-2.5")
    check(page, "dark" if dark else "light")
    narrow(page)
    search(page).fill("modificatore")
    expect(page.locator("mark").first).to_be_visible()
    check(page, "dark" if dark else "light")
    page.set_viewport_size({"width": 320, "height": 640})
    narrow(page)


def test_on_paper_there_is_the_text_alone(site: Site, person: Person) -> None:
    page = person(DESK, dark=True)
    open_at(page, site, TROLLEY)
    page.emulate_media(media="print")
    expect(search(page)).to_be_hidden()
    expect(page.get_by_role("navigation")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    ink = rule(page, "TT-2.5").evaluate("one => getComputedStyle(one).color")
    assert ink == "rgb(0, 0, 0)"
