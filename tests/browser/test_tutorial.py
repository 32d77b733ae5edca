"""Tutorials from start to end, by a learner with a phone who does what the lesson says."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from capolinea import games
from capolinea.words import Words
from tests.browser import trams
from tests.browser.axe import apart, check
from tests.browser.conftest import DESK, PHONE, Person, Site
from tests.browser.player import TITLE, WEB, Player, tidy, words

LESSONS: dict[str, dict[str, Any]] = {
    file.stem.removeprefix("tutorial-"): json.loads(file.read_bytes())
    for file in sorted((WEB / "generated").glob("tutorial-*.json"))
}
STOPS: list[dict[str, Any]] = LESSONS[TITLE]["stops"]


class Learner:
    """Reads what the lesson says, and does it on the board."""

    def __init__(self, page: Page, lang: str = "en", title: str = TITLE) -> None:
        self.page = page
        self.me = Player(page, lang)
        self.lesson = LESSONS[title]
        self.stops: list[dict[str, Any]] = self.lesson["stops"]
        folder = games.load(title).folder
        comments = json.loads((folder / f"tutorial/words/{lang}.json").read_bytes())
        self.words: Words = words(lang, title).also(self.lesson["texts"][lang]).also(comments)

    @property
    def card(self) -> Locator:
        return self.page.get_by_role("region", name=self.me.say("learn.card"))

    def button(self, key: str) -> Locator:
        return self.card.get_by_role("button", name=self.me.say(key), exact=True)

    def line(self, line: dict[str, Any], ending: str = "") -> str:
        names = list(self.lesson["names"])
        return tidy(self.words.say(line["key"] + ending, line.get("args", {}), names))

    def here(self, number: int) -> dict[str, Any]:
        """At this stop, and the lesson says what it has to say."""
        stop = self.stops[number]
        step = self.me.say("learn.step", step=number + 1, steps=len(self.stops))
        expect(self.card.get_by_role("img", name=step)).to_be_visible()
        expect(self.card).to_contain_text(self.line(stop["say"]))
        return stop

    def follow(self, stop: dict[str, Any]) -> None:
        if "do" in stop:
            self.do(stop)
        elif "said" in stop:
            self.page.get_by_role("button", name=self.me.say("stt.claim.truth")).first.click()
        else:
            self.button("learn.next").click()

    def be_helped(self, stop: dict[str, Any]) -> None:
        """Go on without touching the board, whichever it is."""
        if "do" in stop or "said" in stop:
            self.button("learn.show").click()
            self.button("learn.do-it").click()
        else:
            self.button("learn.next").click()

    def do(self, stop: dict[str, Any]) -> None:
        """The move of the lesson, step by step on the board."""
        steps: list[dict[str, Any]] = stop["do"]
        if steps == [{"do": "pass"}]:
            self.me.confirm.click()
            return
        if steps[0]["do"] == "intervene":
            self.me.hand.get_by_role("button", name=self.me.say("stt.intervene")).click()
        for step in steps:
            self.option(stop, step).click()
        self.me.confirm.click()

    def option(self, stop: dict[str, Any], step: dict[str, Any]) -> Locator:
        said = self.words
        match step:
            case {"effect": effect}:
                name = said.word(f"effect.{effect}")
            case {"do": "side", "side": side}:
                name = said.word(f"effect-side.{stop['do'][0]['effect']}.{side}")
            case {"card": card}:
                name = said.word(f"card.{card}")
            case {"route": route}:
                name = said.word(f"route.{route}")
            case {"seat": seat}:
                name = self.lesson["names"][seat]
            case _:
                name = said.say(f"action.{step['do']}")
        return self.me.options.filter(has_text=name).first


@pytest.mark.parametrize("lang", ["en", "de"])
def test_from_start_to_end(site: Site, person: Person, lang: str) -> None:
    page = person(PHONE, lang=lang)
    learner = Learner(page, lang)
    page.goto(f"{site.url}/learn")
    page.locator(f"a[href='/learn/{TITLE}']").click()
    for number in range(len(STOPS) - 1):
        stop = learner.here(number)
        # Whoever has something to do cannot just go on.
        waits = "do" in stop or "said" in stop
        expect(learner.button("learn.next")).to_have_count(0 if waits else 1)
        assert "⟨" not in page.locator("body").inner_text()
        learner.follow(stop)
    learner.here(len(STOPS) - 1)
    expect(learner.me.end).to_be_visible()
    learner.button("learn.play").click()
    page.wait_for_url("**/room/*")
    expect(learner.me.headline).to_have_text(learner.me.say("stt.ask.return"))
    page.goto(f"{site.url}/learn")
    expect(page.get_by_text(learner.me.say("learn.done"))).to_be_visible()


@pytest.mark.parametrize("title", LESSONS)
@pytest.mark.parametrize(("lang", "size"), [("it", PHONE), ("de", DESK)], ids=["it", "de"])
def test_every_lesson_leads_to_its_end_and_on_to_a_table(
    site: Site, person: Person, title: str, lang: str, size: dict[str, int]
) -> None:
    page = person(size, lang=lang)
    learner = Learner(page, lang, title)
    page.goto(f"{site.url}/learn")
    page.locator(f"a[href='/learn/{title}']").click()
    last = len(learner.stops) - 1
    for number in range(last):
        stop = learner.here(number)
        expect(page.locator("body")).not_to_contain_text("⟨")
        learner.be_helped(stop)
    learner.here(last)
    learner.button("learn.play").click()
    page.wait_for_url("**/room/*")
    page.goto(f"{site.url}/learn")
    expect(page.get_by_text(learner.me.say("learn.done"))).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_hill_by_hand(site: Site, person: Person, size: dict[str, int]) -> None:
    """Tachite al Tram on its own board: tiles are laid and turned, ends and a Futiz chosen."""
    page = person(size)
    learner, driver = Learner(page, "en", trams.TITLE), trams.Driver(page)
    page.goto(f"{site.url}/learn/{trams.TITLE}")
    last = len(learner.stops) - 1
    for number in range(last):
        stop = learner.here(number)
        match stop.get("do", []):
            case []:
                learner.button("learn.next").click()
                continue
            case [{"do": "lay", "tile": tile}, {"square": square}, *turned]:
                named = re.compile(learner.words.word(f"tile.{tile}"), re.IGNORECASE)
                driver.hand.get_by_role("radio", name=named).first.click()
                driver.square(square).click()
                if turned:
                    driver.hand.get_by_role("button", name=driver.say("tat.turn")).click()
            case [{"do": "go"}, *_]:
                (reach,) = stop["previews"]["[]"]["reach"]
                (end,) = [end for end in reach["ends"] if end["steps"] == stop["do"]]
                driver.square(end["square"]).click()
            case [{"do": "futiz", "futiz": futiz}]:
                named = re.compile(learner.words.word(f"futiz.{futiz}"))
                driver.hand.get_by_role("radio", name=named).click()
        driver.confirm.click()
    learner.here(last)
    expect(driver.end).to_be_visible()


def test_in_ones_own_words(site: Site, person: Person) -> None:
    """Where a plea is asked for, what one says is what the table hears."""
    page = person(DESK)
    learner = Learner(page, "en", "trial-by-trolley")
    page.goto(f"{site.url}/learn/trial-by-trolley")
    for number, stop in enumerate(learner.stops):
        learner.here(number)
        if "worded" in stop:
            break
        learner.be_helped(stop)
    words = "Spare us: there will be cake."
    plea = page.get_by_role("textbox")
    plea.fill(words)
    plea.locator("xpath=ancestor::form").get_by_role("button").first.click()
    learner.here(number + 1)
    expect(page.locator("body")).to_contain_text(words)


def test_on_a_tablet_the_hill_stands_beside_comment_and_hand(site: Site, person: Person) -> None:
    page = person({"width": 820, "height": 1180}, lang="de")
    learner = Learner(page, "de", trams.TITLE)
    page.goto(f"{site.url}/learn/{trams.TITLE}")
    for number in range(3):
        learner.here(number)
        hill = page.locator("section.map")
        expect(hill).to_be_in_viewport(ratio=0.99)
        expect(learner.card).to_be_in_viewport(ratio=0.99)
        assert apart(hill, learner.card)
        assert apart(hill, page.locator("section.hand"))
        box = hill.bounding_box()
        assert box is not None
        assert box["height"] > 900
        learner.be_helped(learner.stops[number])


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_what_does_not_fit_says_why(site: Site, person: Person, size: dict[str, int]) -> None:
    """As at a table: the reason, and its rule to read."""
    page = person(size)
    learner, driver = Learner(page, "en", trams.TITLE), trams.Driver(page)
    page.goto(f"{site.url}/learn/{trams.TITLE}")
    number = next(n for n, stop in enumerate(learner.stops) if "refusals" in stop)
    for before in range(number):
        learner.be_helped(learner.here(before))
    stop = learner.here(number)
    lay, meant = stop["do"][:2]
    named = re.compile(learner.words.word(f"tile.{lay['tile']}"), re.IGNORECASE)
    driver.hand.get_by_role("radio", name=named).first.click()
    refused = next(
        one
        for one in stop["refusals"]
        if one["after"] == lay and one["why"]["key"] == "refused.blind"
    )
    square = refused["steps"][0]["square"]
    driver.square(square).click()
    problem = page.get_by_role("alert").filter(has_text=f"{square}:")
    expect(problem).to_be_visible()
    expect(problem).not_to_contain_text(f"{square}: {square}")
    expect(problem.get_by_role("link", name=re.compile(r"TA-3\.5"))).to_be_visible()
    check(page)
    # The lesson goes on as if nothing had been.
    driver.square(meant["square"]).click()
    expect(problem).to_have_count(0)
    # Shown what to do, what else could be done is put aside: it is not said to fit nowhere.
    learner.button("learn.show").click()
    driver.hand.get_by_role("radio", name=named).first.click()
    expect(driver.glowing).to_have_count(1)
    expect(driver.hand).not_to_contain_text(driver.say("tat.tile.nowhere"))
    then = next(one["then"] for one in stop["question"]["choices"] if one["do"] == lay)
    fits = next(one["do"]["square"] for one in then if one["do"] != meant)
    driver.square(fits).click()
    expect(page.get_by_role("alert")).to_contain_text(learner.me.say("learn.elsewhere"))


def test_nothing_breaks_and_help_is_there(site: Site, person: Person) -> None:
    """Another move is explained; asked twice, the lesson does it; back, reload and another language."""
    page = person(DESK)
    learner = Learner(page)
    page.goto(f"{site.url}/learn/{TITLE}")
    learner.follow(learner.here(0))
    learner.follow(learner.here(1))
    stop = learner.here(2)
    right = learner.option(stop, stop["do"][0])
    wrong = learner.me.options.filter(has_not_text=right.locator("strong").inner_text()).first
    wrong.click()
    learner.me.confirm.click()
    expect(learner.card).to_contain_text(learner.line(stop["say"], ".other"))
    expect(learner.me.options).to_have_count(1)
    learner.button("learn.do-it").click()
    learner.here(3)
    learner.button("learn.show").click()
    expect(learner.card).to_contain_text(re.compile("Tap: Discard"))
    learner.button("learn.do-it").click()
    learner.here(4)
    page.reload()
    learner.here(4)
    learner.button("learn.back").click()
    learner.here(3)
    learner.button("learn.next").click()
    learner.here(4)
    page.get_by_role("combobox", name="Language").select_option("it")
    learner = Learner(page, "it")
    learner.here(4)
    page.get_by_role("button", name=learner.me.say("learn.restart")).first.click()
    learner.here(0)
