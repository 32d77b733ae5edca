"""The first load: how much comes over the wire, how much of it at once, and the letters it brings."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import DESK, Person, Site
from tests.browser.player import LANGUAGES, QUICK, ROOT, until
from tests.browser.trams import QUICK as TRAMS
from tests.browser.trolley import QUICK as TROLLEY

#: Bytes that may come over the wire, with all headers.
HOME, TABLE = 120_000, 220_000
#: What is text, and so comes compressed.
TEXTS = ("Script", "Stylesheet", "Document", "Image")
MAIL = {"title": "night-mail", "settings": {"clock": {"kind": "none"}}, "bots": ["random"] * 2}


def room(page: Page, url: str, asked: dict[str, Any]) -> str:
    made = page.request.post(f"{url}/api/rooms", data={**asked, "name": "Ada", "start": True})
    assert made.ok, made.text()
    return f"{url}/room/{made.json()['code']}"


def transferred(page: Page, url: str) -> dict[str, int]:
    """Bytes over the wire, by address. Each comes once, and texts of any length compressed."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    came: dict[str, dict[str, Any]] = {}
    sizes: dict[str, int] = {}
    plain: list[str] = []
    wire.on("Network.responseReceived", lambda told: came.update({told["requestId"]: told}))

    def finished(told: dict[str, Any]) -> None:
        answer = came[told["requestId"]]
        address, headers = answer["response"]["url"], answer["response"]["headers"]
        assert address not in sizes, f"{address} came twice"
        sizes[address] = told["encodedDataLength"]
        if answer["type"] in TEXTS and "content-encoding" not in headers:
            plain.append(address)

    wire.on("Network.loadingFinished", finished)
    page.goto(url, wait_until="networkidle")
    assert [one for one in plain if sizes[one] > 2000] == []
    return sizes


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_home_page_is_light(site: Site, person: Person, lang: str) -> None:
    page = person(DESK, lang=lang)
    sizes = transferred(page, site.url)
    assert 50_000 < sum(sizes.values()) <= HOME, sizes
    # Neither the table nor the room is in it.
    scripts = [url for url in sizes if url.endswith(".js")]
    loaded = " ".join(page.request.get(url).text() for url in scripts)
    assert "radiogroup" not in loaded
    assert "stt.ask" not in loaded


@pytest.mark.parametrize("asked", [QUICK, TRAMS, TROLLEY, MAIL], ids=lambda asked: asked["title"])
def test_a_table_is_light(site: Site, person: Person, asked: dict[str, Any]) -> None:
    page = person(DESK, lang="de")  # the language with the longest words
    sizes = transferred(page, room(page, site.url, asked))
    assert 50_000 < sum(sizes.values()) <= TABLE, sizes


# --- at once ---------------------------------------------------------------------------------------


def asked_though(page: Page, silent: tuple[str, ...]) -> Counter[str]:
    """How often each of these is asked for, though none of it is ever answered."""
    asked: Counter[str] = Counter()

    def hold(route: Route) -> None:
        found = [one for one in silent if re.search(one, route.request.url)]
        asked.update(found)
        if not found:
            route.continue_()

    page.route("**/*", hold)
    page.route_web_socket("**/socket", lambda _: asked.update(["socket"]))
    return asked


def test_code_words_and_room_are_asked_for_at_once(site: Site, person: Person) -> None:
    page = person(DESK, broken_ok=True, offline_ok=True)
    address = room(page, site.url, QUICK)
    silent = (r"/assets/Room-.*\.js$", r"/assets/words-en-.*\.js$", r"/api/rooms/[A-Z]+$")
    asked = asked_though(page, silent)
    page.goto(address)
    until(page, lambda: all(asked[one] for one in silent))


def test_board_words_and_track_are_asked_for_as_soon_as_the_title_is_known(
    site: Site, person: Person
) -> None:
    """One is brought to this table: those that are built in come with the board."""
    page = person(DESK, broken_ok=True, offline_ok=True)
    tracks = ROOT / "src/capolinea/games/stop_the_train/data/track"
    track = json.loads((tracks / "express.json").read_text())
    address = room(page, site.url, {**QUICK, "options": {}, "data": {"track": track}})
    words: list[str] = []
    page.on(
        "request",
        lambda it: words.append(it.url) if "en-" in it.url.rpartition("/assets/")[2] else None,
    )
    silent = (
        r"/assets/Table-.*\.js$",
        r"/assets/board-.*\.js$",
        r"/api/matches/\w+/words/en$",
        r"/api/matches/\w+/data/track$",
    )
    asked = asked_though(page, silent)
    page.goto(address)
    until(page, lambda: all(asked[one] for one in (*silent, "socket")))
    until(
        page, lambda: len(set(words)) == 3
    )  # everybody's and the page's, the title's, the board's


# --- letters ---------------------------------------------------------------------------------------

LETTERS = {
    "English": "abcdefghijklmnopqrstuvwxyz",
    "Italian": "àèéìíîòóùú",
    "German": "äöüß",
    "Slovene": "čšž",
    "Croatian": "čćđšž",
    "French": "àâæçéèêëîïôœùûüÿ",
    "Polish": "ąćęłńóśźż",
    "Czech": "áčďéěíňóřšťúůýž",
}
SIGNS = "0123456789.,:;!?…–’‘“”„«»()+−×·&@#"
FACES = [
    ("Barlow", 400),
    ("Barlow", 500),
    ("Barlow", 600),
    ("Barlow Condensed", 500),
    ("Barlow Condensed", 600),
    ("Barlow Condensed", 700),
    ("Josefin Sans", 700),
    ("Big Shoulders Display", 900),
]


@pytest.mark.parametrize(("family", "weight"), FACES, ids=str)
def test_a_face_has_the_letters_of_our_neighbours(
    site: Site, person: Person, family: str, weight: int
) -> None:
    """What the browser really set each letter in."""
    page = person(DESK)
    # Only this table's page has all faces.
    page.goto(room(page, site.url, TROLLEY))
    page.get_by_role("banner").wait_for()
    text = SIGNS + "".join(dict.fromkeys("".join(LETTERS.values())))
    text += text.upper()
    page.evaluate(
        """async ([family, weight, text]) => {
          await document.fonts.load(`${weight} 20px "${family}"`, text);
          document.body.innerHTML = "";
          for (const letter of text) {
            const one = document.createElement("p");
            one.style.font = `${weight} 20px "${family}", monospace`;
            one.textContent = letter;
            document.body.append(one);
          }
        }""",
        [family, weight, text],
    )
    wire = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        wire.send(f"{domain}.enable")
    root = wire.send("DOM.getDocument", {"depth": -1})["root"]["nodeId"]
    found = wire.send("DOM.querySelectorAll", {"nodeId": root, "selector": "p"})["nodeIds"]
    assert len(found) == len(text)
    other = [
        letter
        for letter, node in zip(text, found, strict=True)
        if any(
            not font["isCustomFont"]
            for font in wire.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        )
    ]
    assert other == []


def test_text_is_read_before_its_face_is_there(site: Site, person: Person) -> None:
    page = person(DESK)
    page.goto(room(page, site.url, TROLLEY))
    page.get_by_role("banner").wait_for()
    displays = page.evaluate("[...document.fonts].map(face => face.display)")
    assert set(displays) == {"swap"}


def test_what_is_asked_for_with_the_script_is_needed(site: Site, person: Person) -> None:
    page = person(DESK)
    page.goto(site.url, wait_until="networkidle")
    early = page.locator("link[rel=preload][as=font]").evaluate_all("all => all.map(a => a.href)")
    loaded = page.evaluate(
        "[...document.fonts].filter(face => face.status === 'loaded')"
        ".map(face => `${face.family.replaceAll('\"', '').replaceAll(' ', '-')}-${face.weight}`)"
    )
    names = [re.findall(r"/([\w-]+)-letters-", address)[0] for address in early]
    assert len(names) == 3
    assert set(names) <= {name.lower() for name in loaded}
