"""A link as a QR code: for a page as SVG, for a terminal as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import segno

#: Light modules that a code needs around it.
BORDER = 4
#: Black on white exactly, whatever the colours of the terminal.
_INK, _PLAIN = "\x1b[38;5;16;48;5;231m", "\x1b[0m"
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def svg(link: str) -> str:
    """One path in the colour of the text around it, without size or style: the page has those.

    The page also sees to a light background: few cameras read light on dark.
    """
    rows = _modules(link)
    size = len(rows)
    path = "".join(_runs(rows))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        f'shape-rendering="crispEdges"><path fill="currentColor" d="{path}"/></svg>'
    )


def text(link: str, colour: bool = True) -> str:
    """Lines of half blocks, two modules each. Without colour, for light text on dark."""
    rows = _modules(link)
    rows += [[False] * len(rows)] * (len(rows) % 2)
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        # Where the terminal's ink is light, it draws the light modules.
        pairs = zip(upper, lower, strict=True)
        line = "".join(_HALVES[a == colour, b == colour] for a, b in pairs)
        lines.append(f"{_INK}{line}{_PLAIN}" if colour else line)
    return "\n".join(lines)


def _modules(link: str) -> list[list[bool]]:
    """The code row by row, True for dark, with its border."""
    code = segno.make_qr(link, error="m")
    return [[bool(module) for module in row] for row in code.matrix_iter(border=BORDER)]


def _runs(rows: list[list[bool]]) -> Iterator[str]:
    """A rectangle for every run of dark modules in a row."""
    for y, row in enumerate(rows):
        x = 0
        for dark, run in groupby(row):
            width = len(list(run))
            if dark:
                yield f"M{x} {y}h{width}v1h-{width}z"
            x += width
