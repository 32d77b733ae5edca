"""Somebody who plays Trial by Trolley through the screen: chooses cards, hangs Modifiers, pleads and pulls
the lever."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Locator

from tests.browser.player import SOON, TIME, Somebody, text

TITLE = "trial-by-trolley"
#: The shortest match: three players, everybody Conductor twice; nobody is hurried.
QUICK: dict[str, Any] = {
    "title": TITLE,
    "options": {"first": 1, "talk_minutes": 0},
    "settings": {"clock": {"kind": "none"}},
    "bots": ["advocate"] * 2,
}
#: What lies in the hand, all at one moment: things change while one looks.
LOOK = """hands => hands.map(hand => {
  const all = (what) => hand.querySelectorAll(what).length;
  return {
    stage: hand.querySelector(".grid")?.className.match(/grid (\\S+)/)?.[1] ?? "",
    fan: all(".fan [role=radio][aria-disabled=false]"),
    checked: all(".fan [role=radio][aria-checked=true]"),
    spots: all(".spots [role=radio]"),
    rest: all(".rest button"),
  };
})"""


class Player(Somebody):
    """Who plays Trial by Trolley."""

    quick = QUICK
    prefix = "tbt"
    ending = "tbt.end.why"
    #: How the lever is pulled: by "drag", "tap" or "keys".
    hand_on_lever = "tap"

    # --- coming to a table -----------------------------------------------------------------------

    def sit(self, url: str, **more: Any) -> str:
        options = {**QUICK["options"], **more.get("options", {})}
        return super().sit(url, **{**more, "options": options})

    def reach(self, stage: str) -> None:
        """Play until this is asked, and do not answer it."""
        quiet = time.monotonic()
        while (what := self.asked()) != stage:
            if what and self.act(what):
                quiet = time.monotonic()
            self.page.wait_for_timeout(20)
            assert not self.over(), f"{stage} never came"
            assert time.monotonic() - quiet < TIME, text(self.page)

    # --- what there is to see --------------------------------------------------------------------

    @property
    def lever(self) -> Locator:
        return self.hand.get_by_role("slider", name=self.say("tbt.lever"))

    def look(self) -> dict[str, Any]:
        found: list[dict[str, Any]] = self.hand.evaluate_all(LOOK)
        return found[0] if found else {"stage": ""}

    def asked(self) -> str:
        """What is asked of me, or "": a choice that is made already is not asked again."""
        found = self.look()
        stage: str = found["stage"]
        if stage in ("innocent", "guilty"):
            return stage if found["fan"] and not found["checked"] else ""
        if stage == "modifier":
            return stage if found["fan"] or found["spots"] else ""
        if stage == "plead":
            return stage if found["rest"] else ""
        return stage if stage in ("bench", "verdict") else ""

    # --- playing ---------------------------------------------------------------------------------

    def answer(self, what: str) -> str:
        getattr(self, f"do_{what}")()
        return what

    def pick(self) -> None:
        """One of the cards in the hand."""
        fan = self.hand.locator(".fan").get_by_role("radio")
        fan.nth(self.rng.randrange(max(1, fan.count()))).click(timeout=SOON)

    def target(self) -> None:
        """A card that the Modifier goes on, and something on it."""
        spots = self.hand.locator(".spots").get_by_role("radio")
        spots.nth(self.rng.randrange(6)).click(timeout=SOON)
        things = self.hand.locator(".chips").get_by_role("radio")
        things.nth(self.rng.randrange(max(1, things.count()))).click(timeout=SOON)

    def do_innocent(self) -> None:
        self.pick()
        self.send()

    do_guilty = do_innocent

    def do_modifier(self) -> None:
        if not self.look()["spots"]:
            self.pick()
        self.target()
        self.send()

    def do_plead(self) -> None:
        """A plea of one's own, or a ready-made one, and then no more."""
        if self.rng.random() < 0.5:
            self.hand.locator("textarea").fill("Spare us, we have cake!", timeout=SOON)
            self.confirm.click(timeout=SOON)
        else:
            self.hand.locator(".offer .line").click(timeout=SOON)
        rest = self.hand.get_by_role("button", name=self.say("tbt.rest"))
        if rest.is_visible():
            rest.click(timeout=SOON)
            rest.wait_for(state="detached")

    def do_bench(self) -> None:
        self.confirm.click(timeout=SOON)
        self.lever.wait_for()

    def do_verdict(self) -> None:
        side = self.rng.choice(("north", "south"))
        getattr(self, f"pull_by_{self.hand_on_lever}")(side)
        self.lever.wait_for(state="detached")

    # --- the lever -------------------------------------------------------------------------------

    def pull_by_tap(self, side: str) -> None:
        plate = self.hand.get_by_role("button", name=self.say(f"tbt.side.{side}"), exact=True)
        plate.click(timeout=SOON)
        self.go(side).click(timeout=SOON)

    def pull_by_keys(self, side: str) -> None:
        self.lever.focus(timeout=SOON)
        self.page.keyboard.press("ArrowLeft" if side == "north" else "ArrowRight")
        self.go(side).wait_for()
        self.page.keyboard.press("Enter")

    def pull_by_drag(self, side: str, far: float = 1.0) -> None:
        """By its knob, as far as this: past the notch it is done when it is let go."""
        box = self.lever.bounding_box()
        assert box is not None
        lies = box["width"] < 300  # on a desk it lies, and goes up and down
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        away = (-1 if side == "north" else 1) * far * 0.36
        start = (box["x"] + box["width"] * 0.74, middle[1]) if lies else (middle[0], box["y"] + 50)
        end = (
            (start[0] - 30 * far, middle[1] + away * box["height"])
            if lies
            else (middle[0] + away * box["width"], box["y"] + 50 + 45 * far)
        )
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        mouse.move(*end)
        mouse.up()

    def go(self, side: str) -> Locator:
        name = self.say("tbt.lever.go", side=self.say(f"tbt.side.{side}"))
        return self.hand.get_by_role("button", name=name)
