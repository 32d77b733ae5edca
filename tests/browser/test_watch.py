"""Who watches sees what everybody at the table sees, and no secrets."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, WebSocket, expect

from capolinea import games
from tests.browser.conftest import DESK, PHONE, Person, Site
from tests.browser.player import TITLE, Player, play, until, words

ROLES = games.load(TITLE).roles


def named(page: Page) -> set[str]:
    """Characters whose names stand anywhere on the page, outside the list of all that may be aboard."""
    content: str = page.evaluate(
        """() => {
          const page = document.documentElement.cloneNode(true);
          for (const one of page.querySelectorAll("#drawer-characters, #drawer-notes, #drawer-cards"))
            one.remove();
          return page.outerHTML;
        }"""
    )
    return {
        role for role in ROLES if words("en").word(f"role.{role}") in content or role in content
    }


def test_a_spectator_sees_no_secrets(site: Site, person: Person) -> None:
    ada = Player(person(PHONE), seed=5)
    # She tells the table nothing of herself: whatever somebody claims may be read by all.
    code = ada.sit(site.url, settings={"clock": {"kind": "none"}, "public": True})
    watcher = person(DESK)
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: frames.append(str(text)))

    watcher.on("websocket", listen)
    watcher.goto(f"{site.url}/watch")
    table = watcher.get_by_role("listitem").filter(has_text="Ada’s table").last
    expect(table).to_contain_text("a match is on")
    watcher.get_by_role("link", name=re.compile(code)).click()
    seen = Player(watcher)
    seen.headline.wait_for()
    expect(seen.hand).to_contain_text("You are watching. Nobody’s secrets are shown here.")
    until(watcher, lambda: frames)

    turns = 0
    while not ada.over():
        ada.act()
        if not ada.over():
            turns += 1
        assert seen.options.count() == 0
        assert watcher.get_by_role("region", name="Only you see this").count() == 0
        if turns % 4 == 1 and not seen.over():
            told = {
                event.get("args", {}).get("role")
                for text in frames
                for event in _events(json.loads(text))
            }
            assert named(watcher) <= told or seen.over()
        ada.page.wait_for_timeout(30)
    assert turns > 10
    until(watcher, seen.over)
    assert seen.end.get_by_role("article").count() == 5
    # Nothing was hidden in what the browser got, either.
    for text in frames:
        message = json.loads(text)
        if message["t"] == "welcome":
            assert message["seat"] is None
            assert "own" not in message["scene"]["view"]
            assert not message["scene"].get("question")
            assert not message["scene"]["view"].get("characters")
        for path, *_ in message.get("delta", []):
            assert path[:2] != ["view", "own"]
            assert path[0] != "question"


def _events(message: dict[str, object]) -> list[dict[str, dict[str, str]]]:
    found: list[dict[str, dict[str, str]]] = []
    events = message.get("events")
    if isinstance(events, list):
        found += events
    missed = message.get("missed")
    if isinstance(missed, list):
        found += [event for step in missed for event in step["events"]]
    return found


def test_who_sits_down_sees_only_their_own(site: Site, person: Person) -> None:
    """The page of a player names their own character only while it is held; see test_access, too."""
    ada = Player(person(PHONE), seed=6)
    ada.sit(site.url)
    play([ada], lambda: len(ada.did) > 1)
    assert named(ada.page) == set()
    role = ada.page.get_by_role("button", name="Your character, covered. Hold to see it.")
    shown = ada.hand.get_by_text("You are the")

    def held() -> bool:
        """While bots go on, the card may move away from under the finger: then once more."""
        ada.page.mouse.up()
        role.hover()
        ada.page.mouse.down()
        ada.page.wait_for_timeout(100)
        return shown.is_visible()

    until(ada.page, held)
    assert len(named(ada.page)) >= 1
    ada.page.mouse.up()
    expect(shown).to_have_count(0)
    assert named(ada.page) == set()


def test_a_private_table_is_not_listed(site: Site, person: Person) -> None:
    ada = Player(person(PHONE))
    code = ada.sit(site.url)
    watcher = person(PHONE)
    watcher.goto(f"{site.url}/watch")
    expect(watcher.get_by_role("heading", name="Open tables")).to_be_visible()
    watcher.wait_for_load_state("networkidle")
    assert code not in watcher.content()
    # But whoever has the link may look on, unless the host does not want it.
    watcher.goto(f"{site.url}/room/{code}")
    expect(Player(watcher).hand).to_contain_text("You are watching")
    closed = ada.sit(site.url, settings={"clock": {"kind": "none"}, "watching": False})
    other = person(PHONE, offline_ok=True)
    other.goto(f"{site.url}/room/{closed}")
    expect(other.get_by_role("alert")).to_be_visible()
    assert Player(other).hand.count() == 0
