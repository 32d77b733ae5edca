"""Somebody who plays Tachite al Tram through the screen: reads what is asked, taps tiles, squares and
ends, and confirms. It knows roles and visible words, and sends nothing itself."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from playwright.sync_api import Error, Locator, Page

from capolinea import games
from capolinea.words import Words
from tests.browser.player import WEB, tidy

TITLE = "tachite-al-tram"
STAGES = ("draw", "build", "move", "go", "workshop", "board", "set-down", "tile")
#: A short run that is over soon, the own seat first, without a clock.
QUICK: dict[str, Any] = {
    "title": TITLE,
    "preset": "short",
    "options": {"points": "8", "rounds": 10, "first": 1},
    "settings": {"clock": {"kind": "none"}},
}
SOON = 2000
#: What lies in the hand, all at one moment: things change while one looks.
LOOK = """hands => hands.map(hand => {
  const button = hand.querySelector(".btn--primary");
  return {
    there: button !== null,
    enabled: button?.getAttribute("aria-disabled") === "false",
    text: button?.innerText ?? "",
  };
})"""


@cache
def words(lang: str) -> Words:
    """All that the page can say."""
    folders = [WEB / "words", games.load(TITLE).folder / "words", WEB / "titles" / TITLE / "words"]
    return Words.of(lang, *folders)


class Driver:
    """One person at one page. Whatever they choose, they choose by this seed."""

    def __init__(self, page: Page, lang: str = "en", seed: int = 0) -> None:
        self.page = page
        self.lang = lang
        self.rng = random.Random(seed)
        #: How often something was done, by what was asked.
        self.did: dict[str, int] = {}
        #: How often they lay a tile when they may.
        self.builds = 0.8

    def say(self, key: str, **args: object) -> str:
        return words(self.lang).say(key, args)

    def sit(self, url: str, **more: Any) -> str:
        """A table with bots, set up in a hurry."""
        asked = {**QUICK, "name": "Ada", "bots": ["random"], "start": True, **more}
        made = self.page.request.post(f"{url}/api/rooms", data=asked)
        assert made.ok, made.text()
        code: str = made.json()["code"]
        self.page.goto(f"{url}/room/{code}")
        if asked["start"]:
            self.headline.wait_for()
        return code

    # --- what there is to see --------------------------------------------------------------------

    @property
    def headline(self) -> Locator:
        return self.page.get_by_role("banner").get_by_role("heading", level=1)

    @property
    def hand(self) -> Locator:
        return self.page.get_by_role("region", name=self.say("shell.hand"))

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("grid")

    @property
    def end(self) -> Locator:
        return self.page.get_by_role("region", name=self.say("tat.end.cast"))

    @property
    def options(self) -> Locator:
        return self.hand.get_by_role("radio", disabled=False)

    @property
    def confirm(self) -> Locator:
        """The one go-button."""
        return self.hand.locator(".btn--primary")

    def square(self, name: str) -> Locator:
        return self.board.locator(f'[data-square="{name}"]')

    @property
    def glowing(self) -> Locator:
        """Squares that can be chosen."""
        return self.board.locator(".legal")

    def over(self) -> bool:
        return self.end.is_visible()

    def asked(self) -> str:
        """The stage that I am asked about; "" if none."""
        found: list[dict[str, Any]] = self.hand.evaluate_all(LOOK)
        if not found or not found[0]["there"] or found[0]["text"] == self.say("tat.sent"):
            return ""
        said = tidy(self.headline.inner_text())
        for stage in STAGES:
            if said == self.say(f"tat.your.{stage}"):
                return stage
        return ""

    # --- playing ---------------------------------------------------------------------------------

    def act(self) -> str:
        """Answer what is asked, if something is: what it was."""
        try:
            stage = self.asked()
            if stage:
                self.answer(stage)
        except Error as error:
            if "Timeout" not in str(error) and "not attached" not in str(error):
                raise
            stage = ""  # it went on without us
        if stage:
            self.did[stage] = self.did.get(stage, 0) + 1
        return stage

    def answer(self, stage: str) -> None:
        if stage == "build" and self.rng.random() < self.builds:
            self.lay()
        elif stage in ("go", "workshop"):
            # What is best comes first.
            self.options.nth(0 if stage == "go" else self.pick(self.options)).click(timeout=SOON)
            while self.confirm.get_attribute("aria-disabled", timeout=SOON) == "true":
                self.options.first.click(timeout=SOON)  # who gets off, for another Futiz
        elif stage == "tile":
            self.glowing.nth(self.pick(self.glowing)).click(timeout=SOON)
        self.send()

    def lay(self) -> None:
        """Choose a tile and, if it fits somewhere, a square for it."""
        self.options.nth(self.pick(self.options)).click(timeout=SOON)
        if self.glowing.count():
            self.glowing.nth(self.pick(self.glowing)).click(timeout=SOON)

    def pick(self, things: Locator) -> int:
        return self.rng.randrange(max(1, things.count()))

    def send(self) -> None:
        """Confirm, and see it counted."""
        self.confirm.click(timeout=SOON)
        sent = self.hand.get_by_role("button", name=self.say("tat.sent"), exact=True)
        sent.wait_for(state="detached")
