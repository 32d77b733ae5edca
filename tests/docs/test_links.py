"""Links in what people read lead somewhere: to a file that is there, and to a place in it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import ANCHOR, ROOT, RULE, RULES

FILES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
#: Targets of links and pictures, in brackets or in HTML.
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)

in_files = pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))


def prose(file: Path) -> str:
    return CODE.sub("", file.read_text("utf-8"))


@cache
def anchors(file: Path) -> set[str]:
    """Places that a link can lead to: those with an anchor, and headings by their words."""
    text = file.read_text("utf-8")
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.M)
    slugs = {
        re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]*>", "", one).lower()).strip().replace(" ", "-")
        for one in headings
    }
    return slugs | set(ANCHOR.findall(text))


@in_files
def test_links_lead_to_what_is_there(file: Path) -> None:
    for found in LINK.finditer(prose(file)):
        target = found[1] or found[2]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, place = target.partition("#")
        there = (file.parent / path).resolve() if path else file
        assert there.exists(), f"{file.relative_to(ROOT)}: {target}"
        if place:
            assert place in anchors(there), f"{file.relative_to(ROOT)}: {target}"


@pytest.mark.parametrize(
    "file", sorted(RULES.rglob("*.md")), ids=lambda file: str(file.relative_to(RULES))
)
def test_a_rule_that_is_named_is_there(file: Path) -> None:
    """Wherever the browser sees a rule's number, it makes a link of it."""
    assert set(RULE.findall(prose(file))) <= anchors(file)
