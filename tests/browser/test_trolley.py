"""Trial by Trolley in a real browser: whole matches, thirteen seats, the lever by hand, tap and key."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import check, narrow
from tests.browser.conftest import DESK, PHONE, SIZES, Person, Site
from tests.browser.player import play, until
from tests.browser.trolley import Player


def company(site: Site, person: Person, size: dict[str, int], **options: Any) -> list[Player]:
    """Ada and Bruno, each at a screen of their own, and a bot."""
    ada, bruno = Player(person(size), seed=1), Player(person(size, lang="de"), "de", seed=2)
    code = ada.sit(site.url, bots=[], start=False, options=options)
    room = f"{site.url}/api/rooms/{code}"
    for said in ({"do": "sit", "seat": 1, "name": "Bruno"}, {"do": "ready"}):
        assert bruno.page.request.post(room, data=said).ok
    assert ada.page.request.post(room, data={"do": "bot", "seat": 2, "bot": "advocate"}).ok
    bruno.page.goto(f"{site.url}/room/{code}")
    ada.page.get_by_role("button", name="Start the game").click()
    for one in (ada, bruno):
        expect(one.headline).not_to_have_text("")
    return [ada, bruno]


def tokens(player: Player) -> dict[str, int]:
    """The toll at the end, as it stands on the screen."""
    toll = player.page.get_by_role("region", name=player.say("tbt.toll"))
    found = {}
    for row in toll.locator("tbody tr").all():
        found[row.get_by_role("rowheader").inner_text()] = int(row.locator(".sum").inner_text())
    return found


# --- whole matches -----------------------------------------------------------------------------------


@SIZES
def test_two_people_and_a_bot(site: Site, person: Person, size: dict[str, int]) -> None:
    ada, bruno = company(site, person, size)
    ada.hand_on_lever, bruno.hand_on_lever = "drag", "keys"
    play([ada, bruno])
    # Both see the same end, each in their language, and it is what the server says.
    assert tokens(ada) == tokens(bruno)
    code = ada.page.url.rsplit("/", 1)[1]
    room = ada.page.request.get(f"{site.url}/api/rooms/{code}").json()
    match = ada.page.request.get(f"{site.url}/api/matches/{room['match']}").json()
    seats, outcomes = match["seats"], match["result"]["outcomes"]
    by_name = dict(zip(seats, outcomes, strict=True))
    fewest = min(tokens(ada).values())
    for name, count in tokens(ada).items():
        assert bool(by_name[name].get("won")) == (count == fewest)
    # With three players everybody judges twice, and each verdict costs one team.
    assert ada.did["verdict"] == bruno.did["verdict"] == 2
    expect(ada.page.get_by_text("6 rounds,")).to_be_visible()
    for heading in ("Most killed", "Most spared"):
        expect(ada.page.get_by_role("heading", name=heading)).to_be_visible()
    check(ada.page, "light")
    check(bruno.page, "dark")
    narrow(ada.page)
    narrow(bruno.page)
    # The replay shows the same cards, and what became of them.
    page = ada.page
    page.goto(f"{site.url}/replay/{room['match']}#step=999")
    expect(page.get_by_role("heading", name="Most killed")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("⟨")
    page.get_by_role("slider").fill("20")
    expect(page.get_by_role("region", name="North track")).to_be_visible()
    check(page, "light" if size == PHONE else "dark")
    narrow(page)


def test_thirteen_on_a_phone(site: Site, person: Person) -> None:
    """Everybody's name and card can be read and reached, with all the extras."""
    page = person(PHONE, lang="de", dark=True)
    me = Player(page, "de", seed=3)
    extras = {"first": 13, "accomplices": True, "tom_trolley": True}
    me.sit(site.url, bots=["advocate"] * 12, options=extras)
    expect(me.page.get_by_role("region", name="Nordgleis").locator("li")).to_have_count(6)
    expect(me.page.get_by_role("region", name="Südgleis").locator("li")).to_have_count(6)
    me.reach("plead")
    narrow(page)
    check(page, "dark")
    # Where more hang than fit, one tag stands for the others and opens.
    more = page.locator(".tag.more")
    expect(more.first).to_be_visible()
    more.first.click()
    dialog = page.get_by_role("dialog")
    assert dialog.get_by_role("listitem").count() > 2
    check(page, "light")
    dialog.get_by_role("button", name=me.say("shell.close")).click()
    expect(dialog).to_have_count(0)
    me.act()
    me.reach("verdict")
    for width, height in ((390, 844), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        narrow(page)
        small = me.hand.get_by_role("button").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).filter(box => box.height < 44)"
        )
        assert small == []


# --- choosing ----------------------------------------------------------------------------------------


def test_choices_are_shown_together_and_can_be_changed(site: Site, person: Person) -> None:
    ada, bruno = company(site, person, DESK, first=3)  # the bot judges
    # Each has a track of their own.
    until(ada.page, lambda: ada.asked() == "innocent" and bruno.asked() == "innocent")
    ada.pick()
    ada.send()
    expect(ada.hand.get_by_text(ada.say("tbt.made"))).to_be_visible()
    mine = ada.page.get_by_role("region", name="North track")
    chosen = mine.locator(".back .text").inner_text()
    # The other side sees that there is a card, and not which one.
    theirs = bruno.page.get_by_role("region", name="Nordgleis")
    expect(theirs.get_by_text("Ada ist so weit")).to_be_visible()
    expect(theirs.locator(".back .text")).to_have_count(0)
    # Another one, while there is time.
    other = ada.hand.get_by_role("radio", checked=False).first
    wanted = other.inner_text().strip()
    other.click()
    ada.send()
    expect(mine.locator(".back .text")).not_to_have_text(chosen)
    bruno.do_innocent()
    expect(mine.locator(".card").nth(1)).to_contain_text(wanted, ignore_case=True)
    expect(theirs.locator(".card")).to_have_count(2)
    # The hand can be covered: then nothing of it is on the page.
    until(ada.page, lambda: ada.asked() == "guilty")
    cards = ada.hand.get_by_role("radio").all_inner_texts()
    ada.hand.get_by_role("button", name=ada.say("tbt.hand.cover")).click()
    expect(ada.hand.get_by_role("radio")).to_have_count(0)
    assert not any(card.strip() in ada.page.content() for card in cards)
    hold = ada.hand.get_by_role("button", name=ada.say("tbt.hand.covered"))
    hold.hover()
    ada.page.mouse.down()
    expect(ada.hand.get_by_role("radio")).to_have_count(3)
    ada.page.mouse.up()
    expect(ada.hand.get_by_role("radio")).to_have_count(0)
    ada.hand.get_by_role("button", name=ada.say("tbt.hand.cover")).click()


def test_a_modifier_points_at_something_and_pleas_are_heard(site: Site, person: Person) -> None:
    ada, bruno = company(site, person, PHONE)  # Ada judges
    page = bruno.page
    until(page, lambda: bruno.asked() == "innocent")
    bruno.reach("modifier")
    bruno.pick()
    # A card on the table is chosen by tapping it.
    north = page.get_by_role("region", name="Nordgleis")
    north.locator(".card").first.click()
    expect(north.locator(".tag.striped")).to_be_visible()
    own = bruno.hand.get_by_placeholder(bruno.say("tbt.mean.other"))
    own.fill("der Hut")
    own.press("Tab")
    check(page, "light")
    bruno.send()
    expect(north.locator(".tag small")).to_have_text("→ der Hut")
    ada_sees = ada.page.get_by_role("region", name="North track")
    expect(ada_sees.locator(".tag small")).to_have_text("→ der Hut")
    # A plea, in its order, with who said it and for whom.
    bruno.reach("plead")
    bruno.hand.locator("textarea").fill("Wir haben Kuchen!")
    bruno.confirm.click()
    heard = ada.hand.get_by_role("listitem").filter(has_text="Wir haben Kuchen!")
    expect(heard).to_contain_text("Bruno, for North")
    check(ada.page, "light")
    # Ada hears more, and then enough; after that nobody pleads.
    ada.hand.get_by_role("button", name=re.compile("Hear more")).click()
    expect(ada.hand.get_by_role("button", name="Hear more (2 left)")).to_be_visible()
    ada.do_bench()
    expect(bruno.hand.locator("textarea")).to_have_count(0)
    # The verdict and its reason.
    ada.pull_by_tap("north")
    after = ada.page.locator(".after")
    expect(after).to_contain_text("The trolley took North")
    check(ada.page, "dark")
    after.get_by_placeholder(ada.say("tbt.reason.why")).fill("Cake is not an argument")
    after.get_by_role("button", name=ada.say("tbt.say")).click()
    expect(page.locator("#drawer-pleas")).to_contain_text("Cake is not an argument")


def test_a_team_whispers(site: Site, person: Person) -> None:
    page = person(PHONE)
    me = Player(page, seed=5)
    me.sit(site.url, bots=["advocate"] * 4, options={"first": 5})
    page.get_by_role("navigation").get_by_role("button", name="Team").click()
    drawer = page.locator("#drawer-team")
    drawer.get_by_role("textbox", name=re.compile("^To ")).fill("the nun, I say")
    drawer.get_by_role("button", name=me.say("tbt.say")).click()
    expect(drawer.get_by_role("listitem")).to_contain_text("the nun, I say")
    check(page, "light")
    narrow(page)
    page.get_by_role("button", name="Close", exact=True).click()
    for name in ("Pleas", "Death toll"):
        page.get_by_role("navigation").get_by_role("button", name=name).click()
        check(page, "dark")
        narrow(page)
        page.get_by_role("button", name="Close", exact=True).click()


# --- the lever -----------------------------------------------------------------------------------------


@SIZES
def test_the_lever_springs_back_before_its_notch(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    page = person(size, lang="it")
    me = Player(page, "it", seed=6)
    me.sit(site.url)
    me.reach("verdict")
    me.pull_by_drag("north", far=0.4)
    expect(me.lever).to_have_attribute("aria-valuenow", "0")
    expect(me.lever).to_have_attribute("aria-valuetext", me.say("tbt.lever.upright"))
    # A tap leans it and asks; another changes one's mind.
    me.hand.get_by_role("button", name="Nord", exact=True).click()
    expect(me.lever).to_have_attribute("aria-valuenow", "-1")
    check(page, "light")
    me.lever.focus()
    page.keyboard.press("ArrowRight")
    expect(me.lever).to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("ArrowRight")
    expect(me.lever).to_have_attribute("aria-valuenow", "1")
    expect(me.go("south")).to_be_visible()
    check(page, "dark")
    page.keyboard.press("Escape")
    expect(me.lever).to_have_attribute("aria-valuenow", "0")
    expect(me.headline).to_have_text(me.say("tbt.your.verdict"))
    # And past the notch it is done.
    me.pull_by_drag("south")
    expect(page.locator(".after")).to_contain_text(
        me.say("tbt.after", side=me.say("tbt.side.south"))
    )


# --- a hint ---------------------------------------------------------------------------------------------


@SIZES
def test_a_hint_is_marked_on_what_it_proposes(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    """On a Modifier, on the card that it would hang on, and at the lever."""
    me = Player(person(size, dark=size == DESK), seed=12)
    me.sit(site.url)
    marks = me.page.get_by_role("img", name=me.say("shell.advised"))
    close = me.page.get_by_role("button", name=me.say("shell.hint.close"))

    def ask() -> None:
        me.page.get_by_role("button", name=me.say("shell.menu"), exact=True).click()
        me.page.locator("#table-menu").get_by_text(me.say("shell.hint"), exact=True).click()
        expect(close).to_be_visible(timeout=30_000)

    me.reach("modifier")
    expect(marks).to_have_count(0)
    ask()
    advised = me.hand.locator(".fan").get_by_role("radio").filter(has=marks)
    expect(advised).to_have_count(1)
    check(me.page, "dark" if size == DESK else "light")
    advised.click()
    expect(me.hand.locator(".spots").get_by_role("radio").filter(has=marks)).to_have_count(1)
    expect(me.page.get_by_role("main").locator(".card").filter(has=marks)).to_have_count(1)
    close.click()
    expect(marks).to_have_count(0)
    me.reach("verdict")
    ask()
    expect(me.hand.locator(".plate").filter(has=marks)).to_have_count(1)
    expect(me.page.get_by_role("main").locator("section").filter(has=marks)).to_have_count(1)
    check(me.page, "light" if size == DESK else "dark")


def test_cards_can_be_read_on_a_tablet(site: Site, person: Person) -> None:
    """In the longest words no line is only a few letters wide."""
    me = Player(person({"width": 820, "height": 1180}, lang="de"), "de", seed=14)
    me.sit(site.url)
    for stage in ("innocent", "modifier"):
        me.reach(stage)
        for card in me.hand.locator(".fan").get_by_role("radio").all():
            box = card.bounding_box()
            assert box is not None
            assert box["width"] > 200
    narrow(me.page)


def test_a_verdict_has_room_for_its_reason(site: Site, person: Person) -> None:
    """In the corner beside the tracks, in the longest words."""
    me = Player(person(DESK, lang="de"), "de", seed=13)
    me.sit(site.url)
    me.reach("verdict")
    me.act()
    after = me.page.locator(".after")
    expect(after.get_by_role("button", name=me.say("tbt.say"))).to_be_visible()
    assert after.evaluate("one => one.scrollWidth <= one.clientWidth")


# --- by keyboard and by ear -----------------------------------------------------------------------------


def tab_to(page: Page, wanted: Locator, most: int = 60) -> None:
    for _ in range(most):
        if wanted.evaluate_all("all => all.includes(document.activeElement)"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("out of reach")


def test_a_whole_turn_by_keyboard(site: Site, person: Person) -> None:
    """One player is a whole team: an Innocent, a Guilty card, a Modifier, a plea; and then the lever."""
    page = person(DESK)
    keys = page.keyboard
    me = Player(page, seed=7)
    me.sit(site.url, options={"first": 3})
    for stage in ("innocent", "guilty"):
        until(page, lambda stage=stage: me.asked() == stage)  # type: ignore[misc]
        tab_to(page, me.hand.get_by_role("radio"))
        keys.press("ArrowDown")
        keys.press("Space")
        tab_to(page, me.confirm)
        keys.press("Enter")
        me.sent()
    until(page, lambda: me.asked() == "modifier")
    tab_to(page, me.hand.get_by_role("radio"))
    keys.press("Enter")
    tab_to(page, me.hand.locator(".spots").get_by_role("radio"))
    keys.press("ArrowRight")
    keys.press("Space")
    tab_to(page, me.hand.locator(".chips").get_by_role("radio"))
    keys.press("ArrowRight")
    keys.press("Space")
    tab_to(page, me.confirm)
    keys.press("Enter")
    until(page, lambda: me.asked() == "plead")
    # All that is so can be read: the cards, and what hangs on them.
    tab_to(page, page.get_by_role("button", name="Read the table"))
    keys.press("Enter")
    reading = page.get_by_role("listitem").filter(has_text="North track, defended by Ada")
    expect(reading).to_be_visible()
    keys.press("Enter")
    tab_to(page, me.hand.locator("textarea"))
    keys.type("Spare us, we have cake!")
    tab_to(page, me.confirm)
    keys.press("Enter")
    live = page.locator(".narration [aria-live=polite] p").first
    expect(live).not_to_have_text("")
    # The next one to judge is Ada.
    until(page, lambda: me.look()["stage"] == "idle")
    me.reach("verdict")
    tab_to(page, me.lever)
    keys.press("ArrowLeft")
    expect(me.lever).to_have_attribute("aria-valuenow", "-1")
    keys.press("Enter")
    expect(page.locator(".after")).to_contain_text("The trolley took North")


def test_who_watches_sees_the_tracks_and_no_hands(site: Site, person: Person) -> None:
    page = person(PHONE)
    me = Player(page, seed=8)
    code = me.sit(site.url, options={"first": 2})
    until(page, lambda: me.asked() == "innocent")
    hand = me.hand.get_by_role("radio").all_inner_texts()
    watcher = person(DESK, dark=True)
    watcher.goto(f"{site.url}/room/{code}")
    expect(watcher.get_by_role("region", name="North track")).to_be_visible()
    expect(watcher.get_by_text(me.say("tbt.idle.watch"))).to_be_visible()
    content = watcher.content()
    assert not any(card.strip() in content for card in hand)
    check(watcher, "dark")
