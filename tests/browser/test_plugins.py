"""Titles that no board was drawn for: Home has them, a click leads to their table, and they are played to
the end on the plain board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import ClassVar

import pytest
from playwright.sync_api import Locator, Page, expect

from capolinea import games
from capolinea.words import readable
from tests import outside
from tests.browser.axe import check, narrow
from tests.browser.conftest import PHONE, SIZES, Person, Site
from tests.browser.player import LANGUAGES, SOON, Somebody, play, text, until, words

MAIL = "night-mail"
#: The languages that the package has words in.
SPOKEN: dict[str, tuple[str, ...]] = {"with words": LANGUAGES, "without words": ()}


class Reader(Somebody):
    """Who plays whatever has buttons."""

    quick: ClassVar = {"title": MAIL}

    @property
    def end(self) -> Locator:
        return self.page.locator("main.end")

    @property
    def choices(self) -> Locator:
        return self.hand.locator(".choice")

    def asked(self) -> str:
        return "choose" if self.choices.count() or self.confirm.count() else ""

    def answer(self, what: str) -> str:
        """Step by step, until there is something to confirm."""
        while not self.confirm.count():
            picks = self.choices
            picks.nth(self.rng.randrange(max(1, picks.count()))).click(timeout=SOON)
        self.confirm.click(timeout=SOON)
        self.confirm.wait_for(state="detached")
        return what


@pytest.fixture(scope="module", params=SPOKEN)
def spoken(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return SPOKEN[request.param]


@pytest.fixture(scope="module")
def plugged(tmp_path_factory: pytest.TempPathFactory, spoken: tuple[str, ...]) -> Iterator[Site]:
    """A server where the package is installed."""
    folder = tmp_path_factory.mktemp("plugged")
    path = outside.install(folder / "site", outside.own_words(*spoken))
    running = Site(folder, "--bot-pause", "50", PYTHONPATH=path)
    running.start()
    yield running
    running.stop()


def called(spoken: tuple[str, ...], lang: str) -> str:
    return outside.NAMES[lang] if spoken else readable(outside.ID)


def further(page: Page, title: str) -> Locator:
    """A title below the posters."""
    return page.get_by_role("article").filter(has=page.get_by_role("heading", name=title))


@SIZES
@pytest.mark.parametrize("lang", LANGUAGES)
def test_home_has_its_name_and_length(
    plugged: Site, spoken: tuple[str, ...], person: Person, size: dict[str, int], lang: str
) -> None:
    page = person(size, lang=lang)
    say = words(lang).say
    page.goto(plugged.url)
    page.get_by_role("link", name=say("home.more")).click()
    title = further(page, called(spoken, lang))
    expect(title.get_by_role("heading")).to_be_in_viewport()
    # The name is on a picture, though nobody drew one for it.
    expect(title.get_by_role("heading")).to_have_css("background-image", re.compile(r"^url\("))
    expect(title).to_contain_text(say("home.minutes", {"minutes": outside.MINUTES}))
    expect(title).to_contain_text(say("home.players", {"least": 2, "most": 5}))
    expect(title).to_contain_text(outside.BLURBS[lang] if spoken else "")
    narrow(page)
    check(page)


def look_at_room(me: Reader, named: Callable[[str, str], str]) -> None:
    """Seats, the game with its options, and the rules of the house; the shortest game is chosen."""
    page = me.page
    seats, game, house = (
        page.get_by_role("region", name=me.say(part), exact=True)
        for part in ("lobby.seats", "lobby.game", "lobby.house")
    )
    expect(seats.get_by_role("button", name=me.say("lobby.add-bot"))).not_to_have_count(0)
    expect(house).to_be_visible()
    expect(game).to_contain_text(me.say("lobby.minutes", minutes=outside.MINUTES))
    for preset in ("standard", "wild", "short"):
        game.get_by_role("radio", name=named("preset", preset)).click()
    game.get_by_text(me.say("lobby.options.change")).click()
    expect(game.get_by_label(named("option", "line"), exact=True)).to_have_value("shuttle")
    expect(game.get_by_role("switch", name=named("option", "open_vote"))).to_be_visible()


@SIZES
def test_its_room_has_everything_and_it_is_played_to_the_end(
    plugged: Site, spoken: tuple[str, ...], person: Person, size: dict[str, int]
) -> None:
    page = person(size, lang="de")
    me = Reader(page, "de")
    name = called(spoken, "de")

    def named(space: str, one: str) -> str:
        return me.say(f"{space}.{one}") if spoken else readable(one)

    page.goto(plugged.url)
    with_friends = me.say("home.play-with-friends")
    further(page, name).get_by_role("button", name=with_friends).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    look_at_room(me, named)
    narrow(page)
    check(page)
    page.get_by_role("button", name=me.say("lobby.fill")).click()
    page.get_by_role("button", name=me.say("lobby.start")).click()
    until(page, me.asked)
    narrow(page)
    check(page)
    play([me])
    endings = {named("ending", one) for one in games.load(MAIL).endings}
    assert me.end.get_by_role("heading", level=2).first.text_content() in endings
    assert "⟨" not in text(page)
    check(page)
    page.goto(plugged.url)
    expect(page.get_by_role("link", name=name)).to_be_visible()


def test_from_home_to_a_match_of_night_mail(site: Site, person: Person) -> None:
    """It has no board of its own either, and no click led to it."""
    page = person(PHONE, lang="it")
    me = Reader(page, "it")
    page.goto(site.url)
    mail = further(page, me.say("title.name"))
    expect(mail).to_contain_text(me.say("home.minutes", minutes=games.load(MAIL).minutes))
    mail.get_by_role("button", name=me.say("home.play-now")).click()
    until(page, me.asked)
    me.act()
