"""Each reads their own language, and changes it at any time without losing anything."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Person, Site
from tests.browser.player import LANGUAGES, Player, play, tidy, until


def log(page: Page) -> list[str]:
    return [tidy(line) for line in page.locator("#drawer-log li p").all_inner_texts()]


def test_changed_in_the_middle_of_a_match(site: Site, person: Person) -> None:
    page = person(DESK)
    me = Player(page, seed=3)
    me.resume(site.url, "play", "stt.ask.play")
    page.evaluate("window.same = true")
    me.pick()
    logs: dict[str, list[str]] = {}
    cards: dict[str, list[str]] = {}
    for lang in ("en", "it", "de", "en"):
        if lang != me.lang:
            me.speak(lang)
        expect(me.headline).to_have_text(me.say("stt.ask.play"))
        expect(page.get_by_role("button", name=me.say("part.read"), exact=True)).to_be_visible()
        # What was chosen is still chosen, and the button says so in this language.
        expect(me.hand.get_by_role("radio", checked=True)).to_have_count(1)
        assert me.ready()
        said = log(page)
        assert not any("⟨" in line for line in said)
        assert "⟨" not in page.locator("body").inner_text()
        logs.setdefault(lang, said)
        assert logs[lang] == said  # and back again, it is all the same
        cards[lang] = [tidy(card) for card in me.options.locator("strong").all_inner_texts()]
    for lang in LANGUAGES[1:]:
        assert len(logs[lang]) == len(logs["en"]) > 5
        same = [a for a, b in zip(logs["en"], logs[lang], strict=True) if a == b]
        assert len(same) < len(logs["en"]) / 4, same
        assert cards[lang] != cards["en"]
    assert page.evaluate("window.same")  # no reload
    # It goes on in whatever language.
    me.speak("it")
    me.send()
    before = len(logs["it"])
    play([me], lambda: len(log(page)) > before + 4)
    assert log(page)[-1] == logs["it"][-1]


def test_each_reads_their_own(site: Site, person: Person) -> None:
    """Three at one table: Ada in English, Bruno in Italian, Carla in German."""
    players = [
        Player(person(size, lang=lang), lang, seed=n)
        for n, (lang, size) in enumerate(zip(LANGUAGES, (PHONE, DESK, PHONE), strict=True))
    ]
    ada, *others = players
    code = ada.sit(site.url, bots=[], start=False)
    for name, other in zip(("Bruno", "Carla"), others, strict=True):
        other.page.goto(f"{site.url}/room/{code}")
        other.page.get_by_label(other.say("lobby.welcome.sit")).fill(name)
        other.page.get_by_role("button", name=other.say("lobby.sit-down"), exact=True).click()
        other.page.get_by_role("button", name=other.say("lobby.ready.say")).click()
    fill = ada.page.get_by_role("button", name=ada.say("lobby.fill"))
    if fill.is_visible():
        fill.click()
    start = ada.page.get_by_role("button", name=ada.say("lobby.start"))
    expect(start).to_have_attribute("aria-disabled", "false")
    start.click()
    for one in players:
        expect(one.headline).to_have_text(one.say("stt.ask.return"))
    play(players, lambda: any(len(log(one.page)) > 8 for one in players))
    # The same things happened, in three languages.
    until(ada.page, lambda: len({len(log(one.page)) for one in players}) == 1)
    told = [log(one.page) for one in players]
    assert all(a != b for a, b in zip(told[0], told[1], strict=True) if re.search("[a-z]{4}", a))
    # What somebody writes is for all to read as it is.
    tab = ada.page.get_by_role("button", name=ada.say("shell.chat"))
    tab.last.click()
    box = ada.page.get_by_label(ada.say("shell.chat.say"))
    box.fill("Ciao, Zusammen!")
    box.press("Enter")
    for one in players:
        expect(one.page.locator("#drawer-chat")).to_contain_text("Ciao, Zusammen!")


@pytest.mark.parametrize("path", ["/", "/watch", "/learn", "/settings", "/room/NOSUCH"])
def test_home_rules_and_settings_too(site: Site, person: Person, path: str) -> None:
    page = person(PHONE, offline_ok=path == "/room/NOSUCH")
    page.goto(f"{site.url}{path}")
    expect(page.get_by_role("heading").first).to_be_visible()
    seen: set[str] = set()
    for lang in LANGUAGES:
        chooser = page.get_by_role("combobox", name=re.compile("Language|Lingua|Sprache"))
        name = {"en": "English", "it": "Italiano", "de": "Deutsch"}[lang]
        if chooser.count():
            chooser.first.select_option(lang)
        elif path == "/settings":
            page.get_by_role("radio", name=name).check(force=True)
        else:
            page.get_by_role("button", name=name).click()
        expect(page.locator("html")).to_have_attribute("lang", lang)
        # In every language it says something else.
        until(page, lambda: tidy(page.locator("main").inner_text()) not in seen)
        seen.add(tidy(page.locator("main").inner_text()))
        assert "⟨" not in page.locator("body").inner_text()
