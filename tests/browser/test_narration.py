"""What happens is told at the table: in one line that moves nothing, and at a pace that one can follow."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import trolley
from tests.browser.conftest import DESK, PHONE, SIZES, Person, Site
from tests.browser.player import Player, Somebody, play, tidy
from tests.browser.trams import Driver

#: Milliseconds between two lines, at least.
GAP = 1200
PLAYERS = pytest.mark.parametrize(
    "kind", [Player, Driver, trolley.Player], ids=["train", "tram", "trolley"]
)
#: Writes down what is told and when, how high the line is and how far the board is below it.
WATCH = """() => {
  const region = document.querySelector(".narration [aria-live]");
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  window.told = [];
  window.heights = new Set();
  const look = () => {
    const said = region.firstElementChild?.textContent ?? "";
    const at = performance.now();
    if (said && said !== window.told.at(-1)?.said) window.told.push({ said, at });
    const line = box("section.narration");
    window.heights.add([line.height, box("main").top - line.bottom].join(" + "));
  };
  new MutationObserver(look).observe(region, { subtree: true, childList: true });
  look();
}"""


def watch(page: Page) -> None:
    page.locator("section.narration").wait_for()
    page.evaluate(WATCH)


@PLAYERS
def test_what_happens_is_told_in_a_line_that_moves_nothing(
    site: Site, person: Person, kind: type[Somebody]
) -> None:
    page = person(PHONE)
    me = kind(page, seed=3)
    me.sit(site.url)
    watch(page)
    play([me], lambda: page.evaluate("told.length") > 5 or me.over())
    told = page.evaluate("told")
    assert len(told) > 1
    # Each line has its time; that a page is late with one of them does not count.
    assert told[-1]["at"] - told[0]["at"] >= GAP * (len(told) - 2)
    assert page.evaluate("[...heights]") == ["44 + 0"]
    # What was told is in the log, which is one tap away.
    page.get_by_role("button", name=me.say("shell.told.before")).click()
    log = tidy(page.get_by_role("dialog", name=me.say("shell.log")).inner_text())
    assert told[0]["said"].split(". ")[0] in log


@SIZES
def test_a_lesson_tells_what_the_others_do(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    page = person(size)
    page.goto(f"{site.url}/learn/stop-the-train")
    expect(page.locator("section.narration .shown")).not_to_have_text("")


def test_a_log_at_a_desk_shows_more_than_three_entries(site: Site, person: Person) -> None:
    page = person(DESK)
    me = Player(page, seed=3)
    me.sit(site.url)
    entries = page.locator("#drawer-log li")
    play([me], lambda: entries.count() > 7 or me.out())
    bottom = page.locator("#drawer-log").bounding_box()
    fourth = entries.nth(3).bounding_box()
    assert bottom
    assert fourth
    assert fourth["y"] + fourth["height"] <= bottom["y"] + bottom["height"]


def test_what_hits_me_stays_until_i_have_seen_it(site: Site, person: Person) -> None:
    page = person(PHONE)
    me = Player(page, seed=11)
    banner = page.locator(".hit")
    for _ in range(5):
        me.sit(site.url)
        play([me], lambda: banner.count() or me.over())
        if banner.count():
            break
    expect(banner).to_have_attribute("role", "alert")
    # It lies over the map, and all that was to be seen is where it was.
    box = banner.bounding_box()
    board = page.get_by_role("main").bounding_box()
    assert box
    assert board
    assert box["y"] == board["y"]
    banner.get_by_role("button", name=me.say("shell.close")).click()
    expect(banner).to_have_count(0)


@pytest.mark.parametrize(("tab", "badge"), [("claims", ".count"), ("log", ".dot")])
def test_a_tab_says_that_there_is_something_new(
    site: Site, person: Person, tab: str, badge: str
) -> None:
    page = person(PHONE)
    me = Player(page, seed=3)
    me.sit(site.url)
    news = page.locator(f"#tab-{tab} {badge}")
    play([me], lambda: news.count() or me.over())
    page.locator(f"#tab-{tab}").click()
    expect(news).to_have_count(0)


def test_a_misfortune_says_what_happened_to_whom_and_leaves_the_board_in_sight(
    site: Site, person: Person
) -> None:
    page = person(PHONE)
    me = Driver(page, seed=2)
    me.builds = 1
    read = me.hand.get_by_role("button", name=me.say("tat.misfortune.read"), exact=True)
    board = page.get_by_role("main")
    for _ in range(6):
        me.sit(site.url, bots=["frenador"] * 3)
        play([me], lambda: read.is_visible() or me.over())
        if not me.over():
            break
    before = board.bounding_box()
    assert board.locator("section").count() == 0  # nothing lies over it
    read.click()
    expect(read).to_have_count(0)
    assert board.bounding_box() == before


def look(page: Page, state: str) -> None:
    """Another tab is in front of this one, or no longer."""
    page.evaluate(
        """state => {
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


def test_who_looked_away_is_told_what_the_others_did(site: Site, person: Person) -> None:
    page = person(PHONE)
    me = Driver(page, seed=2)
    me.sit(site.url, bots=["random"] * 3)
    play([me], lambda: "move" in me.did)
    before = me.did["move"]
    look(page, "hidden")
    play([me], lambda: me.did["move"] > before or me.over())
    recap = page.get_by_role("region", name=me.say("shell.recap"))
    expect(recap).to_have_count(0)
    board = page.get_by_role("main").bounding_box()
    look(page, "visible")
    expect(recap.get_by_role("listitem").first).to_be_visible()
    assert page.get_by_role("main").bounding_box() == board
    recap.get_by_role("listitem").first.click()
    expect(recap).to_have_count(0)


def test_after_my_turn_i_may_tell_what_i_had_and_nothing_is_chosen_for_me(
    site: Site, person: Person
) -> None:
    page = person(PHONE)
    me = Player(page, seed=3)
    asked = me.hand.get_by_role("region", name=me.say("stt.tell"))
    tell = asked.get_by_role("button", name=me.say("stt.tell.say"), exact=True)
    for _ in range(5):
        me.sit(site.url)
        play([me], lambda: asked.is_visible() or me.out())
        if asked.is_visible():
            break
    assert tell.get_attribute("aria-disabled") == "true"
    expect(asked.get_by_role("button", name=me.say("stt.claim.empty")).first).to_be_visible()
    asked.get_by_role("button", name=me.say("stt.tell.silent"), exact=True).click()
    expect(asked).to_have_count(0)
