"""The pictures in docs/pictures, taken at a real table. Not a test: to take them again,

CAPOLINEA_WEB=<built pages> pytest tests/browser/pictures.py
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import trolley
from tests.browser.conftest import SIZES, Person, Site
from tests.browser.player import Player, play

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def take(player: Player | trolley.Player, name: str, size: dict[str, int]) -> None:
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
    trolley.play([ada])
    take(ada, "trolley-end", size)
