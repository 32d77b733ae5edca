"""The last minute of every title: what it was for me and why, once more, and a picture to keep."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import trams, trolley
from tests.browser.axe import check, narrow
from tests.browser.conftest import DESK, PHONE, Person, Site
from tests.browser.player import ROOT, Player, Somebody

LYING = {"width": 844, "height": 390}
SIZES = pytest.mark.parametrize(
    "size", [PHONE, LYING, DESK], ids=["phone", "phone on its side", "desk"]
)
#: Who plays, and a match of theirs that is kept.
TITLES = pytest.mark.parametrize(
    ("plays", "kept"),
    [
        (Player, "stop-the-train/stopped-standard"),
        (trams.Driver, "tachite-al-tram/three-players"),
        (trolley.Player, "trial-by-trolley/thirteen-players-accomplices"),
    ],
    ids=["stop-the-train", "tachite-al-tram", "trial-by-trolley"],
)
PNG = b"\x89PNG\r\n\x1a\n"


def see_it_end(url: str, me: Somebody, kept: str) -> str:
    """The end of a match, in one of its seats: it goes on from shortly before, and bots do the rest."""
    record = (ROOT / f"tests/fixtures/{kept}.json").read_bytes()
    headers = {"content-type": "application/json"}
    post = me.page.request.post
    match = post(f"{url}/api/records", data=record, headers=headers).json()["id"]
    asked = {"entries": len(json.loads(record)["entries"]) - 1, "seat": 0, "name": "Ada"}
    code: str = post(f"{url}/api/matches/{match}/continue", data=asked).json()["code"]
    assert post(f"{url}/api/rooms/{code}", data={"do": "replace", "seat": 0}).ok
    me.page.goto(f"{url}/room/{code}")
    me.end.wait_for(timeout=60_000)
    return code


def won(page: Page, url: str, code: str) -> bool:
    match = page.request.get(f"{url}/api/rooms/{code}").json()["match"]
    result = page.request.get(f"{url}/api/matches/{match}").json()["result"]
    return bool(result["outcomes"][0].get("won"))


@SIZES
@TITLES
def test_the_first_screenful_says_why_and_offers_a_rematch(
    site: Site, person: Person, plays: type[Somebody], kept: str, size: dict[str, int]
) -> None:
    """In German, which is the longest, and without scrolling."""
    me = plays(person(size, lang="de"), "de")
    code = see_it_end(site.url, me, kept)
    page = me.page
    said = me.say("shell.you-won" if won(page, site.url, code) else "shell.you-lost")
    because = page.get_by_text(re.compile(r"^weil .+\.$"))
    rematch = page.get_by_role("button", name=me.say("shell.rematch"))
    replay = page.get_by_role("link", name=me.say("shell.replay"))
    for one in (page.get_by_role("heading", name=said), because, rematch, replay):
        expect(one).to_be_in_viewport(ratio=0.99)
    expect(rematch).to_contain_text(me.say("shell.rematch.bots"))
    check(page)
    narrow(page)


@TITLES
def test_a_picture_to_keep(
    site: Site, person: Person, tmp_path: Path, plays: type[Somebody], kept: str
) -> None:
    """Made in the page: nothing is asked of the server but what draws it."""
    me = plays(person(PHONE))
    see_it_end(site.url, me, kept)
    asked: list[str] = []
    me.page.on("request", lambda request: asked.append(request.url))
    with me.page.expect_download() as found:
        me.page.get_by_role("button", name="Save the picture").click()
    assert found.value.suggested_filename == f"{me.quick['title']}.png"
    found.value.save_as(tmp_path / "end.png")
    picture = (tmp_path / "end.png").read_bytes()
    assert picture.startswith(PNG)
    assert [int.from_bytes(picture[at : at + 4], "big") for at in (16, 20)] == [1080, 1350]
    assert len(picture) > 20_000, "there is something on it"
    own = f"{site.url}/assets/"
    assert all(url.startswith((own, "data:", "blob:")) for url in asked), asked
    expect(me.page.get_by_role("alert")).to_have_count(0)


def test_a_replay_of_ones_own_match_keeps_nothing_back(site: Site, person: Person) -> None:
    me = Player(person(DESK))
    see_it_end(site.url, me, "stop-the-train/stopped-standard")
    me.page.get_by_role("link", name="Replay").click()
    expect(me.page.get_by_label("Seen by")).to_have_value("truth")
    hands = me.page.get_by_role("region", name="In hand")
    expect(hands.get_by_role("heading", level=3)).not_to_have_count(0)
