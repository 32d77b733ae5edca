"""Every screen at every width: nobody scrolls sideways, the parts of a page lie beside each other, and
what is to be read or pressed lies under nothing else. In German, whose words are the longest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.axe import narrow
from tests.browser.conftest import Person, Site
from tests.browser.player import QUICK, ROOT
from tests.browser.trams import QUICK as TRAMS
from tests.browser.trolley import QUICK as TROLLEY

SIZES = [
    (320, 640),
    (360, 740),
    (390, 844),
    (844, 390),
    (768, 1024),
    (1024, 768),
    (1100, 700),
    (1280, 720),
    (1440, 900),
    (1920, 1080),
    (2560, 1440),
]
MAIL = {"title": "night-mail", "bots": ["random"] * 3}
#: The parts of each page that must not lie over each other.
PARTS = {
    "table": "header.top, section.players, main.map, section.hand, .drawer, nav.tabs",
    "lobby": ".invite, main, .dock, .talk",
    "replay": "header, section.players, main, aside, footer",
    "page": "header, main",
}
#: What lies over something else, in words.
COVERED = """async (parts) => {
  // What is there for the keyboard alone is cut away.
  const cut = (one) => one && (getComputedStyle(one).clipPath !== "none" || cut(one.parentElement));
  const shown = (one) => one.checkVisibility({ visibilityProperty: true })
    && !one.closest("[inert], svg, [role=grid]") && !cut(one);
  const box = (one) => one.getBoundingClientRect();
  const called = (one) => `${one.tagName}.${one.className} "${one.textContent.trim().slice(0, 20)}"`;
  const faults = [];
  const regions = [...document.querySelectorAll(parts)].filter((one) => shown(one) && box(one).width);
  for (const [n, one] of regions.entries())
    for (const other of regions.slice(n + 1)) {
      const [a, b] = [box(one), box(other)];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const sticks = [one, other].some((part) => part.closest(".below, .top, .tabs, footer"));
      if (wide > 1 && high > 1 && !sticks && !one.contains(other) && !other.contains(one))
        faults.push(`${called(one)} and ${called(other)} overlap`);
    }
  for (const one of document.querySelectorAll("button, a[href], select, input.input, dd, h1, h2")) {
    if (!shown(one) || box(one).width < 8) continue;
    one.scrollIntoView({ block: "center", inline: "center" });
    const at = one.getClientRects()[0];
    for (const x of [at.left + 5, at.right - 5]) {
      const found = document.elementFromPoint(x, (at.top + at.bottom) / 2);
      const itself = found && (one.contains(found) || found.contains(one));
      if (!itself) faults.push(`${called(one)} is under ${found ? called(found) : "the edge"}`);
    }
  }
  scrollTo(0, 0);
  return faults;
}"""


def lobby(page: Page, url: str) -> str:
    return room(page, url, {"title": "stop-the-train", "bots": ["passenger"]})


def room(page: Page, url: str, asked: dict[str, Any]) -> str:
    made = page.request.post(f"{url}/api/rooms", data={**asked, "name": "Annamaria"})
    assert made.ok, made.text()
    return f"/room/{made.json()['code']}"


def table(asked: dict[str, Any]) -> Callable[[Page, str], str]:
    """Nobody is hurried: it stays as it is while it is looked at."""
    settings = {"clock": {"kind": "none"}}
    return lambda page, url: room(page, url, {**asked, "settings": settings, "start": True})


def replay(page: Page, url: str) -> str:
    record = min((ROOT / "tests/fixtures/stop-the-train").glob("*.json")).read_bytes()
    headers = {"content-type": "application/json"}
    match = page.request.post(f"{url}/api/records", data=record, headers=headers).json()["id"]
    return f"/replay/{match}#step=9"


def address(path: str) -> Callable[[Page, str], str]:
    return lambda _page, _url: path


SCREENS: dict[str, tuple[str, str, Callable[[Page, str], str]]] = {
    "home": ("page", ".acts", address("/")),
    "lobby": ("lobby", ".fill", lobby),
    "stop-the-train": ("table", ".far dd", table({**QUICK, "bots": ["passenger"] * 5})),
    "tachite-al-tram": ("table", "[role=grid]", table({**TRAMS, "bots": ["random"] * 3})),
    "trial-by-trolley": ("table", ".fan", table({**TROLLEY, "options": {"first": 2}})),
    "night-mail": ("table", ".choice", table(MAIL)),
    "replay": ("replay", ".far dd", replay),
    "rules": ("page", "main h2", address("/rules/stop-the-train")),
    "learn": ("page", "main h2", address("/learn")),
    "settings": ("page", "fieldset", address("/settings")),
}


@pytest.mark.parametrize("screen", SCREENS)
def test_every_width_holds(site: Site, person: Person, screen: str) -> None:
    parts, ready, way = SCREENS[screen]
    page = person(lang="de")
    page.goto(site.url + way(page, site.url))
    page.locator(ready).first.wait_for()
    faults: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        narrow(page)
        # What is laid out by script is so a frame later.
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        found = page.evaluate(COVERED, PARTS[parts])
        faults += [f"{width} × {height}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)
