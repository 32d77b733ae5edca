"""A link as a picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
import segno

from capolinea.server import qr

LINK = "http://192.168.178.23:1905/t/BCDFGH"


def modules(link: str) -> list[list[bool]]:
    """The code as segno has it."""
    code = segno.make_qr(link, error="m")
    return [[bool(module) for module in row] for row in code.matrix_iter(border=4)]


def painted(path: str, size: int) -> list[list[bool]]:
    """Paint the path of an SVG."""
    rows = [[False] * size for _ in range(size)]
    rest = path
    for x, y, right, left in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", path):
        assert right == left
        rest = rest.replace(f"M{x} {y}h{right}v1h-{left}z", "", 1)
        for column in range(int(x), int(x) + int(right)):
            assert not rows[int(y)][column], "painted twice"
            rows[int(y)][column] = True
    assert rest == ""
    return rows


@pytest.mark.parametrize("link", [LINK, "https://trains.example.org/t/" + "x" * 200, "é"])
def test_the_svg_is_the_code(link: str) -> None:
    picture = ElementTree.fromstring(qr.svg(link))
    size = len(modules(link))
    assert picture.get("viewBox") == f"0 0 {size} {size}"
    [path] = list(picture)
    assert path.get("fill") == "currentColor"
    assert painted(path.get("d", ""), size) == modules(link)


def test_the_svg_has_nothing_that_the_policy_forbids() -> None:
    text = qr.svg(LINK)
    assert "style" not in text
    assert "script" not in text
    assert "width=" not in text
    assert LINK not in text
    assert text.count("<path") == 1


def read(lines: list[str], ink_is_dark: bool) -> list[list[bool]]:
    rows = []
    for line in lines:
        rows.append([(mark in "▀█") == ink_is_dark for mark in line])
        rows.append([(mark in "▄█") == ink_is_dark for mark in line])
    return rows


def test_in_colour_it_is_black_on_white_on_any_terminal() -> None:
    lines = qr.text(LINK).split("\n")
    ink, plain = "\x1b[38;5;16;48;5;231m", "\x1b[0m"
    assert all(line.startswith(ink) and line.endswith(plain) for line in lines)
    bare = [line.removeprefix(ink).removesuffix(plain) for line in lines]
    expected = modules(LINK)
    assert read(bare, ink_is_dark=True) == [*expected, [False] * len(expected)]
    assert {len(line) for line in bare} == {len(expected)}


def test_without_colour_light_ink_draws_the_light_modules() -> None:
    lines = qr.text(LINK, colour=False).split("\n")
    assert "\x1b" not in "".join(lines)
    expected = modules(LINK)
    assert read(lines, ink_is_dark=False) == [*expected, [False] * len(expected)]
