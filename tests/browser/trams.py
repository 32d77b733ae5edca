"""Somebody who plays Tachite al Tram through the screen: taps tiles, squares and ends, and confirms."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator

from tests.browser.player import SOON, Somebody, tidy

TITLE = "tachite-al-tram"
STAGES = ("draw", "build", "move", "go", "workshop", "board", "set-down", "tile")
#: A short run that is over soon, the own seat first, without a clock.
QUICK: dict[str, Any] = {
    "title": TITLE,
    "preset": "short",
    "options": {"points": "8", "rounds": 10, "first": 1},
    "settings": {"clock": {"kind": "none"}},
    "bots": ["random"],
}
#: What lies in the hand, all at one moment: things change while one looks.
LOOK = """hands => hands.map(hand => {
  const button = hand.querySelector(".btn--primary");
  return {
    there: button !== null,
    enabled: button?.getAttribute("aria-disabled") === "false",
    text: button?.innerText ?? "",
  };
})"""


class Driver(Somebody):
    """Who plays Tachite al Tram."""

    quick = QUICK
    prefix = "tat"
    ending = "tat.end.cast"
    #: How often they lay a tile when they may.
    builds = 0.8

    # --- what there is to see --------------------------------------------------------------------

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("grid")

    def square(self, name: str) -> Locator:
        return self.board.locator(f'[data-square="{name}"]')

    @property
    def glowing(self) -> Locator:
        """Squares that can be chosen."""
        return self.board.locator(".legal")

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

    def answer(self, stage: str) -> str:
        self.put_aside()
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
        return stage

    def put_aside(self) -> None:
        """The card that was turned over has been read."""
        read = self.hand.get_by_role("button", name=self.say("tat.misfortune.read"), exact=True)
        if read.is_visible():
            read.click(timeout=SOON)

    def lay(self) -> None:
        """Choose a tile and, if it fits somewhere, a square for it."""
        self.options.nth(self.pick(self.options)).click(timeout=SOON)
        if self.glowing.count():
            self.glowing.nth(self.pick(self.glowing)).click(timeout=SOON)

    def pick(self, things: Locator) -> int:
        return self.rng.randrange(max(1, things.count()))
