"""The first time: from an open page to a running game in two taps, in one's own language."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESK, PHONE, Person, Site
from tests.browser.player import LANGUAGES, Player, words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_two_taps_to_a_running_game(site: Site, person: Person, lang: str) -> None:
    """In the language that the browser asks for: one tap chooses the poster, one plays."""
    page = person(PHONE, lang=lang)
    me = Player(page, lang)
    page.goto(site.url)
    assert page.locator("html").get_attribute("lang") == lang
    taps = [
        page.get_by_role("button", name="Stop the Train!"),
        page.get_by_role("main").get_by_role("button", name=me.say("home.play-now")),
    ]
    for tap in taps:
        tap.click()
    expect(me.headline).to_have_text(me.say("stt.ask.return"))
    assert me.asked() == "choose"
    me.choose()
    expect(me.headline).not_to_have_text(me.say("stt.ask.return"))
    # Who has said no name yet plays all the same.
    assert page.get_by_role("dialog").count() == 0


def test_at_a_desk_all_posters_hang_open(site: Site, person: Person) -> None:
    page = person(DESK)
    page.goto(site.url)
    expect(page.get_by_role("main").get_by_role("button", name="Play now")).to_have_count(3)
    first = page.locator("section").filter(has=page.get_by_role("heading", name="Trial by Trolley"))
    first.get_by_role("button", name="Play now").click()
    expect(page.get_by_role("region", name="What you can do")).to_be_visible()


def test_a_language_nobody_here_speaks(site: Site, person: Person) -> None:
    page = person(PHONE, lang="fr")
    page.goto(site.url)
    wall = page.get_by_role("main")
    expect(wall.get_by_role("button", name="Play now")).to_be_visible()
    # Chosen once, it stays: without a reload, and after one.
    page.get_by_role("button", name="Deutsch").click()
    button = wall.get_by_role("button", name=words("de").say("home.play-now"))
    expect(button).to_be_visible()
    page.reload()
    expect(button).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "de"


def test_a_nickname_is_remembered(site: Site, person: Person) -> None:
    page = person(PHONE)
    page.goto(site.url)
    page.get_by_role("button", name="Play with friends").first.click()
    page.get_by_label("What shall we call you?").fill("  Ada  ")
    page.get_by_role("button", name="OK").click()
    expect(page.get_by_label("What shall we call you?")).to_have_count(0)
    expect(page.get_by_role("listitem").filter(has_text="Ada").first).to_be_visible()
    page.goto(f"{site.url}/settings")
    expect(page.get_by_label("Your name at the table")).to_have_value("Ada")
    page.goto(site.url)
    # The room that one left open is there to go on, and at the next table one has a name.
    expect(page.get_by_role("link", name=re.compile("Go on: Stop the Train!"))).to_be_visible()
    page.get_by_role("button", name="Play now").first.click()
    me = Player(page)
    me.headline.wait_for()
    expect(page.locator(".players").get_by_text("Ada", exact=True).first).to_be_visible()
