"""Every line of the page on security names the test that holds it, and that test is there."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
NAMED = set(re.findall(r"`(test_\w+)`", PAGE))


def test_every_test_that_the_page_names_is_there() -> None:
    sources = [file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py")]
    there = set(re.findall(r"def (test_\w+)\(", "\n".join(sources)))
    assert NAMED - there == set()


def test_every_promise_names_a_test() -> None:
    promises = re.findall(r"^\|[^|]*\|([^|]*)\|$", PAGE, re.MULTILINE)
    held = [cell for cell in promises if "the test that holds it" not in cell and "---" not in cell]
    assert len(held) > 30
    assert [cell for cell in held if "`test_" not in cell] == []
