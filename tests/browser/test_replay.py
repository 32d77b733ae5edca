"""A match once more: step by step, from any seat, with all revealed, and on from there."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import apart, check, narrow
from tests.browser.conftest import DESK, PHONE, SIZES, Person, Site
from tests.browser.player import QUICK, ROOT, Player, tidy, until

RECORD = ROOT / "tests/fixtures/stop-the-train/random-play.json"


@pytest.fixture
def match(site: Site, person: Person) -> str:
    """A match that was played elsewhere, brought along."""
    headers = {"content-type": "application/json"}
    request = person().request
    made = request.post(f"{site.url}/api/records", data=RECORD.read_bytes(), headers=headers)
    found: str = made.json()["id"]
    return found


def at(page: Page) -> int:
    return int(page.get_by_role("slider", name="Step").input_value())


def log(page: Page) -> list[str]:
    return [tidy(line) for line in page.locator("aside .log li p").all_inner_texts()]


def test_back_and_forth(site: Site, person: Person, match: str) -> None:
    page = person(DESK)
    page.goto(f"{site.url}/replay/{match}")
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_value("0")
    last = int(slider.get_attribute("max") or 0)
    assert last > 20
    first = log(page)
    page.get_by_role("button", name="One step on").click()
    page.get_by_role("button", name="One step on").click()
    expect(slider).to_have_value("2")
    page.get_by_role("button", name="One step back").click()
    expect(slider).to_have_value("1")
    page.locator("body").press("End")
    expect(slider).to_have_value(str(last))
    expect(page.get_by_role("region", name="Roles and results")).to_be_visible()
    assert len(log(page)) > len(first) + 20
    page.locator("body").press("Home")
    expect(slider).to_have_value("0")
    assert log(page) == first
    page.locator("body").press("ArrowRight")
    expect(slider).to_have_value("1")
    slider.focus()
    slider.press("ArrowRight")
    expect(slider).to_have_value("2")
    slider.fill(str(last // 2))
    expect(page.get_by_text(f"{last // 2}/{last}")).to_be_visible()
    page.get_by_role("button", name="Let it run").click()
    expect(slider).not_to_have_value(str(last // 2))
    page.get_by_role("button", name="Stop", exact=True).click()


def test_seen_by_whom(site: Site, person: Person, match: str) -> None:
    """A spectator learns nothing early, a seat only its own, and the truth is everything."""
    page = person(PHONE)
    page.goto(f"{site.url}/replay/{match}#step=20")
    seen = page.get_by_label("Seen by")
    names = json.loads(RECORD.read_bytes())["seats"]
    secrets: dict[str, list[str]] = {}
    for viewer in ["spectator", *map(str, range(len(names))), "truth"]:
        if viewer != "spectator":
            with page.expect_response(re.compile(f"as={viewer}")):
                seen.select_option(viewer)
        # The step stays, and no two see the same.
        until(page, lambda: at(page) > 5 and log(page) not in ([], *secrets.values()))
        secrets[viewer] = log(page)
    papers = {viewer: sum("papers say" in one for one in log) for viewer, log in secrets.items()}
    assert papers.pop("spectator") == 0
    assert papers.pop("truth") == len(names)
    assert set(papers.values()) == {1}, "everybody is told their own character"


@SIZES
def test_hands_lie_open(site: Site, person: Person, match: str, size: dict[str, int]) -> None:
    """A seat's own cards, everybody's with all revealed, and none for who watches."""
    page = person(size)
    page.goto(f"{site.url}/replay/{match}#step=20")
    hands = page.get_by_role("region", name="In hand")
    names = json.loads(RECORD.read_bytes())["seats"]
    if size == PHONE:
        page.get_by_role("radio", name="In hand").click()
    expect(hands).to_contain_text("A spectator sees no hands")
    seen = page.get_by_label("Seen by")
    seen.select_option("1")
    expect(hands.get_by_role("heading", level=3)).to_have_count(1)
    expect(hands.get_by_role("heading", level=3)).to_contain_text(names[1])
    expect(hands).to_contain_text("Interventions")
    expect(page).to_have_url(re.compile("&as=1$"))
    check(page, "light")
    narrow(page)
    seen.select_option("truth")
    expect(hands.get_by_role("heading", level=3)).to_have_count(len(names))
    # The link leads to the same eyes.
    other = person(size)
    other.goto(page.url)
    expect(other.get_by_label("Seen by")).to_have_value("truth")


@SIZES
@pytest.mark.parametrize(
    "kept",
    [
        "stop-the-train/random-play",
        "tachite-al-tram/three-players",
        "trial-by-trolley/thirteen-players-accomplices",
    ],
)
def test_everything_has_its_place(
    site: Site, person: Person, kept: str, size: dict[str, int]
) -> None:
    """Board, players, log and slider, whichever the title: all on the screen, none over another."""
    page = person(size, lang="de")
    record = (ROOT / f"tests/fixtures/{kept}.json").read_bytes()
    headers = {"content-type": "application/json"}
    found = page.request.post(f"{site.url}/api/records", data=record, headers=headers).json()["id"]
    page.goto(f"{site.url}/replay/{found}#step=30")
    parts = [page.locator(f".replay > {one}") for one in ("header", "main", "aside", "footer")]
    players = page.locator(".replay > section.players")
    if size == DESK or "trolley" not in kept:  # on a phone its tracks show who is there
        parts.append(players)
        assert players.evaluate("one => one.scrollHeight <= one.clientHeight")
    else:
        expect(players).to_be_hidden()
    for part in parts:
        expect(part).to_be_in_viewport(ratio=0.99)
    for number, part in enumerate(parts):
        assert all(apart(part, other) for other in parts[:number])
    board = parts[1].bounding_box()
    assert board is not None
    assert board["height"] > 200


def test_the_moment_stays_whoever_looks(site: Site, person: Person, match: str) -> None:
    """Others have been told more, or less: their steps are others, the moment is the same."""
    page = person(DESK)
    page.goto(f"{site.url}/replay/{match}#step=30")
    newest = page.locator("aside .log li p").first
    expect(page.get_by_role("slider", name="Step")).to_have_value("30")
    told = tidy(newest.inner_text())
    seen = page.get_by_label("Seen by")
    seen.select_option("truth")
    expect(page.get_by_role("slider", name="Step")).not_to_have_value("30")
    expect(newest).to_contain_text(told)
    seen.select_option("spectator")
    expect(page.get_by_role("slider", name="Step")).to_have_value("30")
    expect(newest).to_contain_text(told)


def test_a_link_to_a_moment(site: Site, person: Person, match: str) -> None:
    page = person(PHONE)
    page.goto(f"{site.url}/replay/{match}")
    page.get_by_role("slider", name="Step").fill("17")
    expect(page).to_have_url(re.compile("#step=17$"))
    there = log(page)
    other = person(DESK, lang="de")
    other.goto(page.url)
    expect(other.get_by_role("slider")).to_have_value("17")
    assert len(log(other)) == len(there)
    # The same page with another moment in its address goes there.
    other.goto(re.sub(r"\d+$", "4", page.url))
    expect(other.get_by_role("slider")).to_have_value("4")


def test_play_from_here(site: Site, person: Person, match: str) -> None:
    page = person(PHONE)
    page.goto(f"{site.url}/replay/{match}#step=12")
    page.get_by_label("Seen by").select_option("1")
    page.wait_for_load_state("networkidle")
    page.get_by_role("slider", name="Step").fill("12")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url("**/room/*")
    me = Player(page)
    me.headline.wait_for()
    room = page.request.get(f"{site.url}/api/rooms/{page.url.rsplit('/', 1)[1]}").json()
    assert room["phase"] == "playing"
    assert room["yours"] == [1]
    assert [seat["kind"] for seat in room["seats"]].count("bot") == len(room["match_seats"]) - 1


def test_download(site: Site, person: Person, match: str, tmp_path: Path) -> None:
    page = person(DESK)
    page.goto(f"{site.url}/replay/{match}")
    with page.expect_download() as found:
        page.get_by_role("link", name="Download").click()
    found.value.save_as(tmp_path / "match.json")
    record = json.loads((tmp_path / "match.json").read_bytes())
    kept = json.loads(RECORD.read_bytes())
    assert record["entries"] == kept["entries"]
    assert record["title"] == QUICK["title"]
    assert found.value.suggested_filename.endswith(".json")


def test_where_the_rules_lead_elsewhere_it_ends_early_and_says_why(
    site: Site, person: Person, match: str
) -> None:
    with closing(sqlite3.connect(site.folder / "capolinea.db")) as store, store:
        store.execute("UPDATE entries SET state = x'00' WHERE match_id = ? AND n = 30", (match,))
    page = person(PHONE)
    page.goto(f"{site.url}/replay/{match}#as=truth")
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_attribute("max", "30")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.locator("body").press("End")
    expect(slider).to_have_value("30")
    expect(page.get_by_role("alert")).to_contain_text("would have gone differently from here")
    narrow(page)
