"""Somebody who plays through the screen: reads what is asked, picks something that may be picked, and
confirms. They know roles and visible words, and send nothing themselves. What all of them do, and who
plays Stop the Train!"""

from __future__ import annotations

import json
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from playwright.sync_api import Error, Locator, Page

from capolinea import games
from capolinea.words import Words

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web/src"
TITLE = "stop-the-train"
LANGUAGES = ("en", "it", "de")
NAMES = {"en": "English", "it": "Italiano", "de": "Deutsch"}
#: The shortest line, the own seat first, and windows that close when all have answered.
QUICK: dict[str, Any] = {
    "title": TITLE,
    "options": {"track": "express", "first": 1},
    "settings": {"clock": {"kind": "none"}},
    "bots": ["passenger"] * 4,
}
TIME = 120.0
#: What is there to be clicked is clicked by then, or somebody was quicker.
SOON = 2000
#: What lies in the hand, all at one moment: things change while one looks.
LOOK = """hands => hands.map(hand => {
  const button = hand.querySelector(".btn--primary");
  return {
    text: hand.innerText.replace(/\\s+/g, " "),
    options: hand.querySelectorAll("[role=radio][aria-disabled=false]").length,
    button: button !== null,
    enabled: button?.getAttribute("aria-disabled") === "false",
  };
})"""


@cache
def words(lang: str, title: str = TITLE) -> Words:
    """All that the page can say."""
    folders = [WEB / "words", games.load(title).folder / "words", WEB / "titles" / title / "words"]
    return Words.of(lang, *filter(Path.is_dir, folders))  # the plain board has none of its own


@cache
def moments(kind: str) -> list[tuple[bytes, int, int]]:
    """Where in matches that are kept somebody does this: the record, entries before it, and the seat."""
    found = []
    for file in sorted((ROOT / "tests/fixtures" / TITLE).glob("*-standard.json")):
        record = file.read_bytes()
        for number, entry in enumerate(json.loads(record)["entries"]):
            if "do" in entry and entry["do"][0]["do"] == kind:
                found.append((record, number, entry["seat"]))
    return found[:: max(1, len(found) // 5)]


def until(page: Page, condition: Callable[[], object], seconds: float = TIME) -> None:
    """Wait until something holds, and let the page go on meanwhile."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"it did not happen; the page says:\n{text(page)}"
        page.wait_for_timeout(30)


def text(page: Page) -> str:
    return page.locator("body").inner_text()


def tidy(said: str) -> str:
    return " ".join(said.split())


class Somebody(ABC):
    """One person at one page. Whatever they choose, they choose by this seed."""

    #: A table that is soon played, as a room is asked for.
    quick: ClassVar[dict[str, Any]]
    #: What the title's own words begin with.
    prefix: ClassVar[str]
    #: What the end is known by: the words of a region.
    ending: ClassVar[str]

    def __init__(self, page: Page, lang: str = "en", seed: int = 0) -> None:
        self.page = page
        self.lang = lang
        self.rng = random.Random(seed)
        #: How often something was done, by what was asked.
        self.did: dict[str, int] = {}

    def say(self, key: str, **args: object) -> str:
        return words(self.lang, self.quick["title"]).say(key, args)

    def sit(self, url: str, **more: Any) -> str:
        """A table with bots, set up in a hurry; what a room looks like is a matter for its own test."""
        asked = {**self.quick, "name": "Ada", "start": True, **more}
        made = self.page.request.post(f"{url}/api/rooms", data=asked)
        assert made.ok, made.text()
        code: str = made.json()["code"]
        self.page.goto(f"{url}/room/{code}")
        if asked["start"]:
            self.headline.wait_for()
        return code

    @property
    def headline(self) -> Locator:
        return self.page.get_by_role("banner").get_by_role("heading", level=1)

    @property
    def hand(self) -> Locator:
        return self.page.get_by_role("region", name=self.say("shell.hand"))

    @property
    def end(self) -> Locator:
        return self.page.get_by_role("region", name=self.say(self.ending))

    @property
    def options(self) -> Locator:
        """What glows."""
        return self.hand.get_by_role("radio", disabled=False)

    @property
    def confirm(self) -> Locator:
        """The one button that stands out."""
        return self.hand.locator(".btn--primary")

    def over(self) -> bool:
        return self.end.is_visible()

    @abstractmethod
    def asked(self) -> str:
        """What is asked of me; "" for nothing."""

    @abstractmethod
    def answer(self, what: str) -> str:
        """Do something about what is asked: the name by which it counts as done."""

    def act(self, what: str = "") -> str:
        """Answer what is asked, if something is: what it was."""
        try:
            what = what or self.asked()
            if what:
                what = self.answer(what)
        except Error as error:
            if "Timeout" not in str(error) and "not attached" not in str(error):
                raise
            what = ""  # it went on without us: somebody was quicker
        if what:
            self.did[what] = self.did.get(what, 0) + 1
        return what

    def send(self) -> None:
        """Confirm, and see it counted."""
        self.confirm.click(timeout=SOON)
        self.sent()

    def sent(self) -> None:
        sent = self.hand.get_by_role("button", name=self.say(f"{self.prefix}.sent"), exact=True)
        sent.wait_for(state="detached")


class Player(Somebody):
    """Who plays Stop the Train!"""

    quick = QUICK
    prefix = "stt"
    ending = "stt.end.cast"
    #: How eager they are to intervene.
    eager = 0.3

    # --- coming to a table -----------------------------------------------------------------------

    def reach(self, url: str, *keys: str, **more: Any) -> str:
        """A table at which this is asked: who is thrown off before takes another train."""
        for _ in range(9):
            code = self.sit(url, **more)
            while not self.out():
                play([self], lambda: self.is_asked(*keys) or self.out())
                if self.lasting(*keys):
                    return code
        raise AssertionError(f"{keys} never came")

    def resume(self, url: str, kind: str, key: str) -> str:
        """A table at which this is asked, at once: a match that was played before goes on from there."""
        headers = {"content-type": "application/json"}
        for record, entries, seat in moments(kind):
            post = self.page.request.post
            match = post(f"{url}/api/records", data=record, headers=headers).json()["id"]
            asked = {"entries": entries, "seat": seat, "name": "Ada"}
            code: str = post(f"{url}/api/matches/{match}/continue", data=asked).json()["code"]
            self.page.goto(f"{url}/room/{code}")
            self.headline.wait_for()
            if self.lasting(key):
                return code
        raise AssertionError(f"{kind} never came")

    def lasting(self, *keys: str) -> bool:
        """It is asked, and no bot is about to intervene."""
        self.page.wait_for_timeout(300)
        return self.is_asked(*keys)

    def is_asked(self, *keys: str) -> bool:
        said = tidy(self.headline.inner_text())
        return said in {self.say(key) for key in keys} and self.asked() in ("choose", "pass")

    def out(self) -> bool:
        """Thrown off, dead, or at the end."""
        signs = [self.say("stt.idle.off", turn=0).split("0")[0], self.say("stt.idle.dead")]
        return self.over() or any(self.hand.get_by_text(sign).count() for sign in signs)

    # --- what there is to see --------------------------------------------------------------------

    @property
    def back(self) -> Locator:
        return self.hand.get_by_role("button", name=self.say("stt.cancel"), exact=True)

    def asked(self) -> str:
        """What is asked of me: "" for nothing, "pass" in a reaction window, "back" where I am stuck."""
        found: list[dict[str, Any]] = self.hand.evaluate_all(LOOK)
        if not found or not found[0]["button"]:
            return ""
        if found[0]["options"]:
            return "" if self.say("stt.made") in found[0]["text"] else "choose"
        if found[0]["enabled"]:
            return "pass"
        return "back" if self.back.is_visible() else ""

    # --- playing ---------------------------------------------------------------------------------

    def answer(self, what: str) -> str:
        if what == "choose":
            what = tidy(self.headline.inner_text())
            self.choose()
        elif what == "pass":
            self.react()
        else:  # the moment to intervene has passed
            self.back.click(timeout=SOON)
        return what

    def choose(self) -> None:
        """Pick what may be picked, and confirm."""
        self.pick()
        self.send()

    def pick(self) -> None:
        """Step by step, until it is whole."""
        while True:
            picks = self.options
            picks.nth(self.rng.randrange(max(1, picks.count()))).click(timeout=SOON)
            if self.ready():
                return

    def ready(self) -> bool:
        said = tidy(self.confirm.inner_text(timeout=SOON))
        return said != self.say("stt.choose")

    def react(self) -> None:
        """Intervene if a card has its moment and I feel like it, else let it pass."""
        if self.rng.random() < self.eager and self.intervene():
            return
        self.send()

    def intervene(self) -> bool:
        way = self.hand.get_by_role("button", name=self.say("stt.intervene"))
        if not way.is_visible():
            return False
        way.click(timeout=SOON)
        if self.options.count():
            self.choose()
            return True
        self.back.click(timeout=SOON)
        return False

    # --- beside playing --------------------------------------------------------------------------

    def menu(self, what: str) -> None:
        """Something from the menu, by the key of its words."""
        self.page.get_by_role("button", name=self.say("shell.menu"), exact=True).click()
        self.page.locator(".menu").get_by_text(self.say(what), exact=True).click()

    def sure(self, what: str) -> None:
        """Do something that is asked once more."""
        asked = self.page.get_by_role("group", name=self.say(f"{what}.sure"))
        asked.get_by_role("button", name=self.say(what), exact=True).click()

    def speak(self, lang: str) -> None:
        """Another language, in the settings over the table."""
        self.menu("shell.settings")
        sheet = self.page.get_by_role("dialog")
        sheet.get_by_role("radio", name=NAMES[lang]).click()
        self.lang = lang
        sheet.get_by_role("button", name=self.say("part.close")).click()
        self.page.get_by_role("button", name=self.say("shell.menu"), exact=True).click()


def play(
    players: Sequence[Somebody],
    done: Callable[[], object] | None = None,
    seconds: float = 600,
) -> None:
    """All play until all see the end, or until something holds."""
    end = time.monotonic() + seconds
    quiet = time.monotonic()
    while not (done() if done else all(player.over() for player in players)):
        acted = [player.act() for player in players]
        if any(acted):
            quiet = time.monotonic()
        else:
            players[0].page.wait_for_timeout(20)
        assert time.monotonic() < end, "this takes too long"
        stuck = time.monotonic() - quiet > TIME
        assert not stuck, "\n---\n".join(text(player.page) for player in players)
