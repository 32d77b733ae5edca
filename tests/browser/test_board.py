"""Stop the Train!: what is chosen on the table itself, hints on the board, the talk at a meeting."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from capolinea import games
from capolinea.engine import Match
from capolinea.engine.record import loads
from tests.browser.axe import apart
from tests.browser.conftest import DESK, PHONE, SIZES, Person, Site
from tests.browser.player import QUICK, ROOT, TITLE, Player, until, words

#: Milliseconds that a page may take to come, on a slow machine.
LONG = 30_000
SMALL = {"width": 320, "height": 640}
GAME = games.load(TITLE)
RECORD = ROOT / "tests/fixtures/stop-the-train/crashed-standard.json"


def places(me: Player) -> Locator:
    """Where players can be tapped."""
    return me.page.get_by_role("region", name=me.say("shell.players")).get_by_role("button")


@cache
def targeting(kind: str) -> tuple[int, int, str]:
    """A window in which a card that names this can be played: entries before it, seat and card."""
    record = loads(RECORD.read_bytes())
    match = Match.begin(GAME, record)
    for number, entry in enumerate(record.entries):
        for seat in range(len(record.seats)) if match.state.window() else ():
            for action in match.legal(seat):
                step = GAME.space.json(action)
                after = match.legal(seat, [action]) if step["do"] == "intervene" else []
                if len(after) > 1 and all(GAME.space.json(one)["do"] == kind for one in after):
                    return number, seat, str(step["card"])
        match.follow(entry)
    raise AssertionError(kind)


def go_on(me: Player, url: str, entries: int, seat: int) -> None:
    """A match that was played before goes on from there, with me in this seat."""
    post = me.page.request.post
    headers = {"content-type": "application/json"}
    match = post(f"{url}/api/records", data=RECORD.read_bytes(), headers=headers).json()["id"]
    asked = {"entries": entries, "seat": seat, "name": "Ada"}
    code = post(f"{url}/api/matches/{match}/continue", data=asked).json()["code"]
    me.page.goto(f"{url}/room/{code}")
    me.headline.wait_for()


@SIZES
def test_who_is_voted_for_is_tapped_at_their_place(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    me = Player(person(size), seed=31)
    me.resume(site.url, "throw-off", "stt.ask.throw-off")
    expect(places(me)).to_have_count(me.options.count())
    places(me).last.click()
    expect(places(me).last).to_have_attribute("aria-pressed", "true")
    expect(me.options.last).to_be_checked()
    # And the other way round, by keyboard too.
    me.options.first.click()
    expect(places(me).first).to_have_attribute("aria-pressed", "true")
    expect(places(me).last).to_have_attribute("aria-pressed", "false")
    places(me).last.focus()
    me.page.keyboard.press("Space")
    expect(me.options.last).to_be_checked()
    me.send()
    expect(places(me)).to_have_count(0)


@SIZES
@pytest.mark.parametrize("kind", ["name", "route"])
def test_the_target_of_an_intervention(
    site: Site, person: Person, size: dict[str, int], kind: str
) -> None:
    me = Player(person(size), seed=32)
    entries, seat, card = targeting(kind)
    go_on(me, site.url, entries, seat)
    me.hand.get_by_role("button", name=me.say("stt.intervene")).click()
    expect(places(me)).to_have_count(0)
    me.hand.get_by_role("radio", name=re.compile(f"^{re.escape(me.say(f'card.{card}'))}")).click()
    board = me.page.get_by_role("main").get_by_role("button", name=re.compile("^naming"))
    targets = places(me) if kind == "name" else board
    expect(targets).to_have_count(me.options.count())
    targets.first.focus()
    me.page.keyboard.press("Enter")
    expect(targets.first).to_have_attribute("aria-pressed", "true")
    expect(me.options.first).to_be_checked()
    me.options.last.click()
    expect(targets.last).to_have_attribute("aria-pressed", "true")
    me.send()
    expect(targets).to_have_count(0)
    expect(me.page.locator("#drawer-log")).to_contain_text(me.say(f"card.{card}"))


@SIZES
def test_a_route_is_voted_for_on_the_map(site: Site, person: Person, size: dict[str, int]) -> None:
    me = Player(person(size), seed=33)
    me.resume(site.url, "vote", "stt.ask.vote")
    routes = me.page.get_by_role("main").get_by_role("button", name=re.compile("^Vote for"))
    expect(routes).to_have_count(me.options.count())
    routes.first.focus()
    me.page.keyboard.press("Enter")
    expect(me.options.first).to_be_checked()
    expect(me.confirm).to_have_text(re.compile("^Vote for"))


def test_a_hint_is_marked_on_what_it_proposes(site: Site, person: Person) -> None:
    me = Player(person(PHONE), seed=34)
    me.resume(site.url, "play", "stt.ask.play")
    marks = me.hand.get_by_role("img", name=me.say("shell.advised"))
    expect(marks).to_have_count(0)
    me.menu("shell.hint")
    expect(me.page.get_by_text(re.compile("The bot would"))).to_be_visible(timeout=LONG)
    expect(marks.first).to_be_visible(timeout=LONG)
    me.page.get_by_role("button", name=me.say("shell.hint.close")).click()
    expect(marks).to_have_count(0)


def test_long_words_keep_out_of_each_others_way(site: Site, person: Person) -> None:
    """What lies on the table and how far it is, in German, once there is a record."""
    page = person(DESK, lang="de")
    record = (ROOT / "tests/fixtures/stop-the-train/random-play.json").read_bytes()
    headers = {"content-type": "application/json"}
    kept = page.request.post(f"{site.url}/api/records", data=record, headers=headers).json()["id"]
    page.goto(f"{site.url}/replay/{kept}#step=25")
    facts, far = page.locator(".left dl > div"), page.locator(".far dl > div")
    expect(facts.filter(has_text=words("de").say("stt.record"))).to_be_visible()
    assert all(apart(one, other) for one in facts.all() for other in far.all())


# --- the talk ------------------------------------------------------------------------------------


def one_long_bridge() -> Any:
    """However fast the train goes: its first turn ends in a meeting."""
    track = json.loads((GAME.folder / "data/track/express.json").read_text("utf-8"))
    line = track["sections"]["line"]
    hill, bridge, tunnel = line["features"]
    line["features"] = [
        {**bridge, "from": 1, "to": 9},
        {**hill, "from": 11, "to": 14},
        tunnel,
    ]
    return track


def test_the_talk_has_a_clock(site: Site, person: Person) -> None:
    ada, bruno = Player(person(PHONE), seed=35), Player(person(DESK), seed=36)
    for player in (ada, bruno):
        player.eager = 0.0
    options = {**QUICK["options"], "talk_minutes": 4}
    del options["track"]
    code = ada.sit(
        site.url, bots=[], start=False, options=options, data={"track": one_long_bridge()}
    )
    room = f"{site.url}/api/rooms/{code}"
    for said in ({"do": "sit", "seat": 1, "name": "Bruno"}, {"do": "ready"}):
        assert bruno.page.request.post(room, data=said).ok
    for seat in (2, 3):
        assert ada.page.request.post(room, data={"do": "bot", "seat": seat, "bot": "passenger"}).ok
    bruno.page.goto(f"{site.url}/room/{code}")
    ada.page.get_by_role("button", name="Start the game").click()
    meeting = ada.say("window.meeting")

    def met() -> bool:
        """Play until both see the meeting; nobody says there that they are ready to vote."""
        for player in (ada, bruno):
            if meeting not in player.headline.inner_text():
                player.act()
        return all(meeting in player.headline.inner_text() for player in (ada, bruno))

    until(ada.page, met)
    for player in (ada, bruno):
        expect(player.page.get_by_role("timer", name=re.compile("left to talk"))).to_be_visible()
        expect(player.page.get_by_text(player.say("stt.talk.only"))).to_be_visible()
    # Bruno played: to his left sit two bots, then Ada.
    expect(ada.page.get_by_text(ada.say("stt.talk.yours"))).to_be_visible()
    expect(bruno.page.get_by_text(bruno.say("stt.talk.floor", name="Ada"))).to_be_visible()
    # It goes on after a reload, and does not begin again.
    timer = ada.page.get_by_role("timer", name=re.compile("left to talk"))
    expect(timer).not_to_have_text("4:00")
    ada.page.reload()
    expect(timer).to_have_text(re.compile("^[0-3]:"), timeout=LONG)
    # Somebody who comes now does not know when it began, and is told no more than is known.
    late = person(PHONE)
    late.goto(f"{site.url}/room/{code}")
    minutes = late.get_by_text(ada.say("stt.talk.minutes", minutes=4), exact=True)
    expect(minutes).to_be_visible(timeout=LONG)
    expect(late.get_by_role("timer", name=re.compile("left to talk"))).to_have_count(0)


# --- small screens -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("return", "stt.ask.return"),
        ("discard", "stt.ask.discard"),
        ("play", "stt.ask.play"),
        ("vote", "stt.ask.vote"),
        ("throw-off", "stt.ask.throw-off"),
    ],
)
def test_the_button_is_in_reach_on_the_smallest_phone(
    site: Site, person: Person, kind: str, key: str
) -> None:
    """German, 320 by 640: what is asked, something to pick and the button are there at once."""
    me = Player(person(SMALL, lang="de"), "de", seed=37)
    me.resume(site.url, kind, key)
    expect(me.options.first).to_be_in_viewport()
    me.options.first.click()
    expect(me.confirm).to_be_in_viewport(ratio=1)
    expect(me.headline).to_be_in_viewport()
    tabs = me.page.locator("nav.tabs").bounding_box()
    button = me.confirm.bounding_box()
    assert tabs
    assert button
    assert button["y"] + button["height"] <= tabs["y"] + 1
