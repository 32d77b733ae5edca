"""The pictures in docs/pictures, taken at a real table. Not a test: to take them again,

CAPOLINEA_WEB=<built pages> pytest tests/browser/pictures.py
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import trolley
from tests.browser.conftest import SIZES, Person, Site
from tests.browser.player import Player, Somebody, play, until
from tests.browser.trams import Driver

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def take(player: Somebody, name: str, size: dict[str, int]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    device = "phone" if size["width"] < 600 else "desk"
    player.page.wait_for_timeout(600)
    player.page.screenshot(path=FOLDER / f"{name}-{device}.png")


@SIZES
@pytest.mark.parametrize(
    ("name", "key"),
    [("table", "stt.ask.play"), ("meeting", "stt.ask.throw-off"), ("vote", "stt.ask.vote")],
)
def test_table(site: Site, person: Person, size: dict[str, int], name: str, key: str) -> None:
    ada = Player(person(size), seed=4)
    ada.reach(site.url, key, options={"track": "dijon"})
    ada.pick()
    take(ada, name, size)


@SIZES
def test_before_and_after(site: Site, person: Person, size: dict[str, int]) -> None:
    ada = Player(person(size), seed=8)
    ada.page.goto(site.url)
    take(ada, "home", size)
    ada.sit(site.url, start=False)
    take(ada, "room", size)
    ada.sit(site.url, options={"track": "express"})
    play([ada])
    take(ada, "end", size)
    ada.page.goto(f"{site.url}/learn/stop-the-train")
    take(ada, "learn", size)


@SIZES
def test_trolley(site: Site, person: Person, size: dict[str, int]) -> None:
    ada = trolley.Player(person(size, dark=True), seed=4)
    ada.sit(site.url, bots=["advocate"] * 6, options={"first": 7, "accomplices": True})
    ada.reach("modifier")
    ada.pick()
    ada.target()
    take(ada, "trolley-table", size)
    ada.reach("verdict")
    ada.hand.get_by_role("button", name="South", exact=True).click()
    take(ada, "trolley-verdict", size)
    play([ada])
    take(ada, "trolley-end", size)


@SIZES
def test_tachite(site: Site, person: Person, size: dict[str, int]) -> None:
    """A hill on which bots have built for a while; then a tile, a roll, and the end."""
    ada = Driver(person(size), seed=6)
    options = {"points": "12", "rounds": 60, "first": 1}
    code = ada.sit(site.url, bots=["frenador", "frenador"], options=options)
    room = f"{site.url}/api/rooms/{code}"

    def by_bot(is_wanted: bool) -> None:
        said = (
            {"do": "replace", "seat": 0, "bot": "frenador"}
            if is_wanted
            else {"do": "take-back", "seat": 0}
        )
        assert ada.page.request.post(room, data=said).ok

    by_bot(True)
    aboard = ada.page.get_by_role("region", name="Players").get_by_role("listitem").first
    until(ada.page, lambda: aboard.locator(".crew .one").count() > 1)
    by_bot(False)
    until(ada.page, lambda: ada.asked() == "build")
    ada.lay()
    take(ada, "tachite-table", size)
    ada.send()
    until(ada.page, lambda: ada.asked() == "move")
    ada.send()
    until(ada.page, lambda: ada.asked() not in ("", "move"))
    if ada.asked() == "go":
        ada.options.first.click()
        take(ada, "tachite-roll", size)
    by_bot(True)
    until(ada.page, ada.over, seconds=300)
    take(ada, "tachite-end", size)
