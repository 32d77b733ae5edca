"""Tachite al Tram in a real browser: whole matches, a turn by keyboard alone, refusals, looking around."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from capolinea import games
from capolinea.engine.match import Match
from capolinea.engine.record import loads
from tests.browser.axe import apart, check, narrow
from tests.browser.conftest import DESK, PHONE, SIZES, Person, Site
from tests.browser.player import ROOT, play, tidy, until, words
from tests.browser.trams import Driver

SMALL = {"width": 320, "height": 640}
TABLET = {"width": 820, "height": 1180}


def together(site: Site, person: Person, size: dict[str, int]) -> tuple[Driver, Driver, str]:
    """Ada and Bruno at one table, and a bot."""
    ada = Driver(person(size), seed=1)
    bruno = Driver(person(size, lang="it"), "it", seed=2)
    code = ada.sit(site.url, bots=[], start=False)
    room = f"{site.url}/api/rooms/{code}"
    for said in ({"do": "sit", "seat": 1, "name": "Bruno"}, {"do": "ready"}):
        assert bruno.page.request.post(room, data=said).ok
    assert ada.page.request.post(room, data={"do": "bot", "seat": 2, "bot": "random"}).ok
    bruno.page.goto(f"{site.url}/room/{code}")
    ada.page.get_by_role("button", name="Start the game").click()
    until(ada.page, lambda: ada.asked() == "build")
    return ada, bruno, code


def standing(driver: Driver) -> list[tuple[str, str, bool]]:
    """Who carried how many, and won: as it stands on the screen."""
    found = []
    for card in driver.end.get_by_role("article").all():
        name = tidy(card.locator("h4").inner_text()).removesuffix(f", {driver.say('tat.you')}")
        points = tidy(card.locator("b.num").first.inner_text())
        won = card.get_by_text(driver.say("tat.won"), exact=True).count() == 1
        found.append((name, points, won))
    return found


@SIZES
def test_a_whole_match(site: Site, person: Person, size: dict[str, int]) -> None:
    ada, bruno, code = together(site, person, size)
    play([ada, bruno], seconds=240)
    seen = standing(ada)
    assert standing(bruno) == seen
    room = ada.page.request.get(f"{site.url}/api/rooms/{code}").json()
    match: dict[str, Any] = ada.page.request.get(f"{site.url}/api/matches/{room['match']}").json()
    outcomes = dict(zip(match["seats"], match["result"]["outcomes"], strict=True))
    assert {name for name, _, _ in seen} == set(outcomes)
    for name, points, won in seen:
        assert points == str(outcomes[name].get("score", 0))
        assert won == bool(outcomes[name].get("won"))
    for name, _, won in seen:
        assert (name in ada.headline.inner_text()) == won
    # The line's growth can be wound back, and everybody's trips are there.
    slider = ada.page.get_by_role("slider")
    slider.focus()
    ada.page.keyboard.press("Home")
    expect(ada.page.get_by_role("img", name=re.compile("The hill after turn 0"))).to_be_visible()
    ada.page.keyboard.press("End")
    expect(ada.page.get_by_role("img", name=re.compile("What each tram carried"))).to_be_visible()
    assert min(driver.did[stage] for driver in (ada, bruno) for stage in ("build", "move")) > 5
    check(ada.page, "light" if size == PHONE else "dark")
    narrow(ada.page)


def tab_to(page: Page, wanted: str, most: int = 60) -> None:
    """By the Tab key alone, until something like this has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement?.matches(wanted)", wanted):
            return
    raise AssertionError(f"{wanted} cannot be reached by Tab")


def test_a_turn_by_keyboard_alone(site: Site, person: Person) -> None:
    """Nothing is clicked: a tile, a square, a roll and an end."""
    ada = Driver(person(DESK))
    ada.sit(site.url)
    page = ada.page
    until(page, lambda: ada.asked() == "build")
    tab_to(page, ".tiles [role=radio]")
    for _ in range(3):  # one of three fits somewhere
        page.keyboard.press("Enter")
        if ada.glowing.count():
            break
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
    assert ada.glowing.count()
    tab_to(page, "[role=gridcell]")
    before = page.evaluate("document.activeElement.dataset.square")
    page.keyboard.press("ArrowUp")
    above = f"{before[0]}{int(before[1:]) + 1}"
    expect(ada.square(above)).to_be_focused()
    page.keyboard.press("n")
    chosen = page.evaluate("document.activeElement.dataset.square")
    expect(ada.square(chosen)).to_have_attribute("aria-label", re.compile("You can choose it"))
    page.keyboard.press("Enter")
    expect(ada.confirm).to_have_text(f"Lay it on {chosen}")
    tab_to(page, ".btn--primary")
    page.keyboard.press("Enter")
    until(page, lambda: ada.asked() == "move")
    expect(ada.square(chosen)).to_have_attribute("aria-label", re.compile("Built last, by Ada"))
    tab_to(page, ".faces [role=radio]")
    page.keyboard.press("Enter")
    expect(page.locator(".faces [aria-checked=true]")).to_have_count(1)
    tab_to(page, ".btn--primary")
    page.keyboard.press("Enter")
    until(page, lambda: ada.asked() not in ("", "move"), seconds=30)
    if ada.asked() == "go":
        tab_to(page, ".ends [role=radio]")
        page.keyboard.press("Enter")
        expect(ada.confirm).to_have_text(re.compile("Go to "))
        tab_to(page, ".btn--primary")
        page.keyboard.press("Enter")
        until(page, lambda: ada.asked() != "go")


def test_what_does_not_fit_says_why(site: Site, person: Person) -> None:
    ada = Driver(person(PHONE))
    ada.sit(site.url)
    until(ada.page, lambda: ada.asked() == "build")
    ada.options.first.click()
    expect(ada.glowing).not_to_have_count(0)
    ada.square("C2").click()  # a house
    expect(ada.page.get_by_role("alert")).to_contain_text("is no free grass")
    expect(ada.confirm).to_have_text("Build nothing")
    # Without a tile a tap asks what a square is.
    ada.hand.get_by_role("button", name="Cancel").click()
    ada.square("A5").click()
    about = ada.page.get_by_text("The ride costs no movement")
    expect(about).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(about).to_have_count(0)


def turnable(ada: Driver) -> str:
    """Choose a tile and a square on which it can be turned: the square."""
    turn = ada.hand.get_by_role("button", name=re.compile("^Turn"))
    for number in range(ada.options.count()):
        ada.options.nth(number).click()
        for square in range(min(20, ada.glowing.count())):
            ada.glowing.nth(square).click()
            expect(turn).to_be_visible()
            if turn.get_attribute("aria-disabled") == "false":
                name = ada.glowing.nth(square).get_attribute("data-square")
                assert name
                return name
    raise AssertionError("no tile can be turned anywhere")


def test_a_tile_is_turned_and_laid(site: Site, person: Person) -> None:
    ada = Driver(person(DESK))
    ada.sit(site.url)
    until(ada.page, lambda: ada.asked() == "build")
    square = turnable(ada)
    ghost = ada.page.locator(".ghost .turns")
    expect(ghost).to_be_visible()
    before = ghost.inner_html()
    ada.hand.get_by_role("button", name=re.compile("^Turn")).click()
    until(ada.page, lambda: ghost.inner_html() != before)
    expect(ada.confirm).to_have_text(f"Lay it on {square}")
    ada.send()
    until(ada.page, lambda: ada.asked() == "move")
    expect(ada.square(square)).to_have_attribute("aria-label", re.compile("Built last, by Ada"))


def test_nothing_built_can_be_taken_back(site: Site, person: Person) -> None:
    ada = Driver(person(PHONE))
    ada.sit(site.url)
    until(ada.page, lambda: ada.asked() == "build")
    ada.send()
    until(ada.page, lambda: ada.asked() == "move")
    ada.hand.get_by_role("button", name=ada.say("shell.undo")).click()
    until(ada.page, lambda: ada.asked() == "build")


@pytest.mark.parametrize(
    ("lang", "size", "scheme", "drawer"),
    [
        ("de", PHONE, "dark", "tat.cards"),
        ("it", DESK, "light", "tat.people"),
        ("en", SMALL, "light", "tat.boards"),
        ("de", TABLET, "dark", ""),
    ],
    ids=str,
)
def test_access(
    site: Site, person: Person, lang: str, size: dict[str, int], scheme: str, drawer: str
) -> None:
    ada = Driver(person(size, lang=lang, dark=scheme == "dark"), lang, seed=5)
    ada.sit(site.url, bots=["random"] * 3)
    page = ada.page
    until(page, lambda: ada.asked() == "build")
    narrow(page)
    ada.lay()
    check(page, scheme)
    narrow(page)
    ada.send()
    until(page, lambda: ada.asked() == "move")
    expect(page.locator(".faces [role=radio]")).to_have_count(6)
    if size == PHONE:
        check(page, scheme)
    narrow(page)
    if drawer:
        tab = page.get_by_role("navigation").get_by_role("button", name=ada.say(drawer))
        tab.last.click()
        expect(page.get_by_role("group", name=ada.say(drawer), exact=True)).to_be_visible()
        if size != SMALL:
            check(page, scheme)
        narrow(page)
        close = page.get_by_role("button", name=ada.say("shell.close"), exact=True)
        if close.first.is_visible():
            close.first.click()
    # Everything as text, out of others' way.
    page.get_by_role("button", name=ada.say("part.read")).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=ada.say("tat.read.squares"))).to_be_visible()
    expect(page.get_by_text("⟨")).to_have_count(0)
    if size == SMALL:
        check(page, scheme)


@pytest.mark.parametrize(("width", "height"), [(720, 1024), (1024, 768), (800, 600), (844, 390)])
def test_a_drawer_leaves_the_map_whole(site: Site, person: Person, width: int, height: int) -> None:
    """Between phone and desk it shares the column of the hand; on a phone on its side it takes it."""
    ada = Driver(person({"width": width, "height": height}), seed=6)
    ada.sit(site.url, bots=["random"] * 3)
    page = ada.page
    until(page, lambda: ada.asked() == "build")
    board = page.locator("main.map")
    players = page.locator("section.players")
    if height > 560:
        assert apart(ada.hand, players)
    whole = board.bounding_box()
    assert whole is not None
    page.locator("#tab-log").click()
    log = page.locator("#drawer-log")
    expect(log).to_be_in_viewport(ratio=1)
    assert apart(log, board)
    assert board.bounding_box() == pytest.approx(whole, abs=1)
    check(page, "light")
    if height > 560:
        assert apart(log, ada.hand)
        ada.lay()
        ada.send()
        until(page, lambda: ada.asked() != "build")
    else:
        expect(ada.hand).to_be_hidden()
    page.keyboard.press("Escape")
    expect(log).to_be_hidden()
    expect(ada.hand).to_be_visible()


def test_who_watches_sees_the_same_board(site: Site, person: Person) -> None:
    ada = Driver(person(DESK))
    code = ada.sit(site.url)
    until(ada.page, lambda: ada.asked() == "build")
    watcher = Driver(person(PHONE, lang="de"), "de")
    watcher.page.goto(f"{site.url}/room/{code}")
    expect(watcher.board).to_be_visible()
    expect(watcher.hand).to_contain_text(watcher.say("tat.watch"))
    ada.lay()
    ada.send()
    until(ada.page, lambda: ada.asked() == "move")
    expect(watcher.page.locator(".laid")).to_have_count(ada.page.locator(".laid").count())
    assert watcher.asked() == ""


def test_a_kept_match_again(site: Site, person: Person) -> None:
    """With the names of the places, in any language, and with its end."""
    page = person(PHONE, lang="it")
    record = (ROOT / "tests/fixtures/tachite-al-tram/three-players.json").read_bytes()
    headers = {"content-type": "application/json"}
    kept = page.request.post(f"{site.url}/api/records", data=record, headers=headers).json()["id"]
    page.goto(f"{site.url}/replay/{kept}#step=40")
    reader = Driver(page, "it")
    expect(reader.board).to_be_visible()
    expect(page.locator(".laid")).not_to_have_count(0)
    expect(page.get_by_text("⟨")).to_have_count(0)
    narrow(page)
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name=reader.say("tat.growth"))).to_be_visible()
    expect(page.get_by_text("⟨")).to_have_count(0)


@SIZES
def test_the_line_grew_as_it_was_built(site: Site, person: Person, size: dict[str, int]) -> None:
    """What was torn up or washed away since lies there too, in its time."""
    page = person(size)
    record = (ROOT / "tests/fixtures/tachite-al-tram/no-tiles-left.json").read_bytes()
    headers = {"content-type": "application/json"}
    kept = page.request.post(f"{site.url}/api/records", data=record, headers=headers).json()["id"]
    match = Match.fold(games.load("tachite-al-tram"), loads(record))
    end = msgspec.to_builtins(match.view(None))
    # Half of the match is played: what lay there then is no longer all there.
    middle = end["turn"] // 2
    left = sum(tile["laid"] <= middle for tile in end["tiles"])
    played = Match.begin(match.game, msgspec.structs.replace(loads(record), entries=[]), [None])
    lay = 0
    for number, entry in enumerate(loads(record).entries):
        played.follow(entry, number)
        view = msgspec.to_builtins(played.view(None))
        if view["turn"] == middle:
            lay = len(view["tiles"])
    assert lay > left
    page.goto(f"{site.url}/replay/{kept}#step=99999")
    growth = page.get_by_role("region", name=words("en", "tachite-al-tram").say("tat.growth"))
    growth.get_by_role("slider").fill(str(middle))
    picture = words("en", "tachite-al-tram").say(
        "tat.growth.picture", {"tiles": lay, "turn": middle}
    )
    expect(growth.get_by_role("img", name=picture)).to_be_visible()
    expect(growth.locator(".laid")).to_have_count(lay)
    growth.get_by_role("slider").fill(str(end["turn"]))
    expect(growth.locator(".laid")).to_have_count(len(end["tiles"]))


def test_looking_around(site: Site, person: Person) -> None:
    """Zoom by button, key and wheel; on a phone one travels up the hill."""
    ada = Driver(person(PHONE))
    ada.sit(site.url)
    page = ada.page
    until(page, lambda: ada.asked() == "build")
    wide = ada.board.bounding_box()
    assert wide is not None
    assert wide["width"] / 7 > 44
    page.get_by_role("button", name=ada.say("tat.tools")).click()
    page.get_by_role("button", name=ada.say("tat.zoom.in")).click()
    until(page, lambda: ada.board.bounding_box()["width"] > wide["width"] * 1.2)  # type: ignore[index]
    ada.square("D1").focus()
    page.keyboard.press("0")
    until(page, lambda: abs(ada.board.bounding_box()["width"] - wide["width"]) < 1)  # type: ignore[index]
    for _ in range(4):
        page.keyboard.press("PageUp")
    expect(ada.square("D14")).to_be_focused()
    expect(ada.square("D14")).to_be_in_viewport()
