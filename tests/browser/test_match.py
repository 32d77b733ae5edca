"""A whole match between two people and three bots, from the room to the rematch, through the screen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import check, narrow
from tests.browser.conftest import DESK, PHONE, Person, Site
from tests.browser.player import TITLE, Player, play, tidy, until


def game(page: Page, title: str) -> Locator:
    """A poster on the wall, with what is under it."""
    return page.locator("section").filter(has=page.get_by_role("heading", name=title))


def make_room(page: Page, url: str) -> str:
    """Ada makes a room for friends: the short line, no clock, one place left for Bruno."""
    page.goto(url)
    game(page, "Stop the Train!").get_by_role("button", name="Play with friends").click()
    page.wait_for_url("**/room/*")
    page.get_by_label("What shall we call you?").fill("Ada")
    page.get_by_role("button", name="OK").click()
    page.get_by_text("Change details").click()
    page.get_by_label("Line", exact=True).select_option("express")
    page.get_by_text("Change them").click()
    clock = page.get_by_role("group", name="Clock")
    for kind in ("brisk", "none"):
        clock.get_by_role("radio", name=kind).click()
        expect(page.get_by_text(f"Clock: {kind}")).to_be_visible()
    for number in (3, 4, 5):
        add = page.get_by_role("button", name=f"Add a bot Seat {number}")
        add.click()
        expect(add).to_have_count(0)
    return page.url.rsplit("/", 1)[1]


def join(page: Page, url: str, code: str) -> None:
    """Bruno comes by the code that was read out to him."""
    page.goto(url)
    page.get_by_label("Got a code?").fill(f" {code.lower()[:3]} {code.lower()[3:]}")
    page.get_by_role("button", name="Join").click()
    page.get_by_label("Take a seat.").fill("Bruno")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("button", name="I’m ready")).to_be_visible()


def verdicts(player: Player) -> dict[str, tuple[str, bool, list[tuple[bool, str]]]]:
    """Who was who, won or lost, and why: as it stands on the screen."""
    found = {}
    for card in player.end.get_by_role("article").all():
        name = tidy(card.locator("header p").inner_text()).removesuffix(", you")
        reasons = [
            (line.get_by_role("img", name="fulfilled", exact=True).count() == 1, tidy(said))
            for line in card.get_by_role("listitem").all()
            for said in [line.inner_text()]
        ]
        won = card.get_by_text("Won", exact=True).count() == 1
        found[name] = (card.get_by_role("heading").inner_text(), won, reasons)
    return found


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_two_people_and_three_bots(site: Site, person: Person, size: dict[str, int]) -> None:
    ada, bruno = Player(person(size), seed=1), Player(person(size), seed=2)
    code = make_room(ada.page, site.url)
    start = ada.page.get_by_role("button", name="Start the game")
    join(bruno.page, site.url, code)
    expect(start).to_have_attribute("aria-disabled", "true")
    bruno.page.get_by_role("button", name="I’m ready").click()
    expect(bruno.page.get_by_role("button", name="Ready! Wait, not yet")).to_be_visible()
    expect(start).to_have_attribute("aria-disabled", "false")
    start.click()
    for one in (ada, bruno):
        expect(one.headline).to_have_text(re.compile("Give back one of three|Waiting"))
    play([ada, bruno])

    # Both see the same end, and it is what the server says.
    seen = verdicts(ada)
    assert verdicts(bruno) == seen
    assert ada.headline.inner_text() == bruno.headline.inner_text()
    room = ada.page.request.get(f"{site.url}/api/rooms/{code}").json()
    match: dict[str, Any] = ada.page.request.get(f"{site.url}/api/matches/{room['match']}").json()
    outcomes = match["result"]["outcomes"]
    assert match["options"]["track"] == "express"
    assert set(seen) == set(match["seats"])
    for name, outcome in zip(match["seats"], outcomes, strict=True):
        _, won, reasons = seen[name]
        assert won == bool(outcome.get("won"))
        assert reasons
        assert [held for held, _ in reasons] == [
            bool(one.get("held")) for one in outcome["reasons"]
        ]
    winners = [name for name, (_, won, _) in seen.items() if won]
    assert all(name in ada.headline.inner_text() for name in winners)
    expect(ada.page.get_by_role("img", name=re.compile("The train’s run in"))).to_be_visible()
    # What both did through the screen is what counts: nothing twice, nothing lost.
    moves = ada.did["Give back one of three interventions"]
    assert moves == bruno.did["Give back one of three interventions"] == 1

    check(ada.page)
    narrow(ada.page)

    # Who did not make the room says that they are in, and may think better of it.
    again, wish = (one.page.get_by_role("button", name="Rematch") for one in (ada, bruno))
    expect(again).to_contain_text("Nobody is in yet")
    wish.click()
    expect(wish).to_have_attribute("aria-pressed", "true")
    expect(wish).to_contain_text("You are in. It starts with Ada")
    expect(again).to_contain_text("Bruno is in")
    wish.click()
    expect(again).to_contain_text("Nobody is in yet")
    # Once more, with one tap; the other comes along even so.
    again.click()
    for one in (ada, bruno):
        until(one.page, lambda one=one: one.asked() == "choose")  # type: ignore[misc]
        expect(one.headline).to_have_text("Give back one of three interventions")
    now = ada.page.request.get(f"{site.url}/api/rooms/{code}").json()
    assert now["match"] != room["match"]
    assert now["phase"] == "playing"


def test_a_room_says_what_is_missing(site: Site, person: Person) -> None:
    page = person(PHONE)
    code = make_room(page, site.url)
    page.get_by_role("button", name="Remove", exact=False).first.click()
    page.get_by_role("button", name="Remove", exact=False).first.click()
    expect(page.get_by_text(re.compile("more players? (is|are) needed"))).to_be_visible()
    page.get_by_role("button", name="Fill up with bots").click()
    expect(page.get_by_role("button", name="Start the game")).to_have_attribute(
        "aria-disabled", "false"
    )
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    # A wrong code, and none at all, say so.
    other = person(PHONE, offline_ok=True)  # "not found" is in the console of any browser
    other.goto(site.url)
    for typed, answer in (("abc", "seven letters"), ("QQQQQQQ", "no such room|There is no room")):
        other.get_by_label("Got a code?").fill(typed)
        other.get_by_role("button", name="Join").click()
        expect(other.get_by_text(re.compile(answer, re.I))).to_be_visible()
    other.get_by_label("Got a code?").fill(f"{site.url}/room/{code}")
    other.get_by_role("button", name="Join").click()
    expect(other.get_by_label("Take a seat.")).to_be_visible()
    assert page.request.get(f"{site.url}/api/rooms/{code}").json()["title"] == TITLE
