"""What axe finds, and what does not fit."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

AXE = Axe()
BAD = ("serious", "critical")


def faults(page: Page) -> list[str]:
    found: list[dict[str, Any]] = AXE.run(page).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')}"
        for one in found
        if one["impact"] in BAD
        for node in one["nodes"]
    ]


def check(page: Page, *schemes: str) -> None:
    """Nothing serious, in light and in dark."""
    for scheme in schemes or ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert faults(page) == [], f"{page.url} {scheme}"
    page.emulate_media(color_scheme="light")


FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def narrow(page: Page) -> None:
    """Nobody has to scroll sideways."""
    for _ in range(40):  # a page that was made narrower is laid out anew
        if page.evaluate(FITS):
            return
        page.wait_for_timeout(50)
    width = page.evaluate("document.documentElement.scrollWidth")
    view = page.evaluate("document.documentElement.clientWidth")
    assert width <= view, f"{page.url}: {width} in {view}"


def apart(one: Locator, other: Locator) -> bool:
    """Neither lies over the other."""
    a, b = one.bounding_box(), other.bounding_box()
    assert a is not None
    assert b is not None
    beside = a["x"] + a["width"] <= b["x"] + 1 or b["x"] + b["width"] <= a["x"] + 1
    return beside or a["y"] + a["height"] <= b["y"] + 1 or b["y"] + b["height"] <= a["y"] + 1
