"""Writes web/src/generated/quotes.css: a low single quote for Barlow, and small fonts that have it.

Barlow's own U+201A, which opens a German quotation within another, is a comma with the advance of a
letter, so that a gap follows it. Here it is what Barlow's low double quote is made of: the high quote
moved down, with the room that one takes. Each face of the page gets a font of that sign alone, laid
over it by unicode-range; who reads no such quote never loads it. Run by the build of the browser's
side, as tools/webtypes.py is.
"""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path
from typing import NamedTuple

WEB = Path(__file__).resolve().parents[1] / "web"
#: What a face of the page is imported as.
FACE = re.compile(r'"@fontsource/(barlow[a-z-]*)/latin-(\d+)\.css"')
LOW, HIGH, LOW_DOUBLE, HIGH_DOUBLE = 0x201A, 0x2019, 0x201E, 0x201D
#: Tables that say the same of the small font as of the whole one; `name` has the licence.
KEPT = ("OS/2", "head", "hhea", "maxp", "name")
#: A part of a glyph that is moved by so many units: two words, and they are a distance.
MOVED = 0x0001 | 0x0002

Tables = dict[str, bytes]


class Glyph(NamedTuple):
    advance: int
    left: int
    outline: bytes

    @property
    def bottom(self) -> int:
        return int(struct.unpack_from(">h", self.outline, 4)[0])


def tables(woff: bytes) -> Tables:
    found = {}
    for number in range(struct.unpack_from(">H", woff, 12)[0]):
        tag, offset, packed, length = struct.unpack_from(">4sIII", woff, 44 + 20 * number)
        content = woff[offset : offset + packed]
        found[tag.decode()] = zlib.decompress(content) if packed < length else content
    return found


def number_of(font: Tables, sign: int) -> int:
    """The number of the glyph for a sign, by the table for signs of two bytes (format 4)."""
    cmap = font["cmap"]
    for number in range(struct.unpack_from(">H", cmap, 2)[0]):
        part = cmap[struct.unpack_from(">I", cmap, 8 + 8 * number)[0] :]
        if struct.unpack_from(">H", part)[0] != 4:
            continue
        size = struct.unpack_from(">H", part, 6)[0]
        for at in range(0, size, 2):
            (last,) = struct.unpack_from(">H", part, 14 + at)
            (first,) = struct.unpack_from(">H", part, 16 + size + at)
            (delta,) = struct.unpack_from(">h", part, 16 + 2 * size + at)
            (offset,) = struct.unpack_from(">H", part, 16 + 3 * size + at)
            if first <= sign <= last:
                found: int = sign
                if offset:
                    place = 16 + 3 * size + at + offset + 2 * (sign - first)
                    (found,) = struct.unpack_from(">H", part, place)
                return (found + int(delta)) & 0xFFFF
    raise LookupError(f"no glyph for U+{sign:04X}")


def glyph(font: Tables, sign: int) -> Glyph:
    number = number_of(font, sign)
    (measured,) = struct.unpack_from(">H", font["hhea"], 34)
    advance, left = struct.unpack_from(">Hh", font["hmtx"], 4 * min(number, measured - 1))
    if struct.unpack_from(">h", font["head"], 50)[0]:
        start, end = struct.unpack_from(">II", font["loca"], 4 * number)
    else:
        start, end = (2 * each for each in struct.unpack_from(">HH", font["loca"], 2 * number))
    return Glyph(advance, left, font["glyf"][start:end])


def low_quote(font: Tables) -> Tables:
    """A font of three glyphs: none, the high quote, and that one moved down."""
    high, double = glyph(font, HIGH), glyph(font, LOW_DOUBLE)
    down = double.bottom - high.bottom
    left, bottom, right, top = struct.unpack_from(">4h", high.outline, 2)
    box = (left, bottom + down, right, top + down)
    moved = struct.pack(">5h2H2h", -1, *box, MOVED, 1, 0, down)
    advance = high.advance + double.advance - glyph(font, HIGH_DOUBLE).advance
    outlines = [b"", even(high.outline), even(moved)]
    ends = [sum(len(each) for each in outlines[:count]) for count in range(4)]

    small = {tag: font[tag] for tag in KEPT}
    small["head"] = font["head"][:50] + struct.pack(">h", 1) + font["head"][52:]
    small["hhea"] = font["hhea"][:34] + struct.pack(">H", 3)
    small["maxp"] = font["maxp"][:4] + struct.pack(">H", 3) + font["maxp"][6:]
    small["post"] = struct.pack(">I", 0x00030000) + font["post"][4:32]
    small["glyf"] = b"".join(outlines)
    small["loca"] = struct.pack(">4I", *ends)
    small["hmtx"] = struct.pack(">HhHhHh", 0, 0, high.advance, high.left, advance, high.left)
    two = struct.pack(">7H", 4, 32, 0, 4, 4, 1, 0)
    pairs = struct.pack(">5H2h2H", LOW, 0xFFFF, 0, LOW, 0xFFFF, 2 - LOW, 1, 0, 0)
    small["cmap"] = struct.pack(">HHHHI", 0, 1, 3, 1, 12) + two + pairs
    return small


def even(content: bytes) -> bytes:
    return content + b"\0" * (-len(content) % 4)


def woff(font: Tables) -> bytes:
    offset = 44 + 20 * len(font)
    entries, contents, whole = b"", b"", 12 + 16 * len(font)
    for tag, content in sorted(font.items()):
        packed = min(zlib.compress(content, 9), content, key=len)
        words = struct.unpack(f">{len(even(content)) // 4}I", even(content))
        sizes = (len(packed), len(content), sum(words) & 0xFFFFFFFF)
        entries += struct.pack(">4s4I", tag.encode(), offset + len(contents), *sizes)
        contents += even(packed)
        whole += len(even(content))
    size, version = offset + len(contents), 0x00010000
    head = struct.pack(">4s2I2HI2H20x", b"wOFF", version, size, len(font), 0, whole, 1, 0)
    return head + entries + contents


def main() -> None:
    folder = WEB / "src" / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    rules = []
    for package, weight in FACE.findall((WEB / "src" / "main.ts").read_text("utf-8")):
        files = WEB / "node_modules" / "@fontsource" / package / "files"
        font = tables((files / f"{package}-latin-{weight}-normal.woff").read_bytes())
        name = f"quote-{package}-{weight}.woff"
        (folder / name).write_bytes(woff(low_quote(font)))
        rules.append(
            f'@font-face {{\n  font-family: "{package.replace("-", " ").title()}";\n'
            f"  font-weight: {weight};\n  font-display: swap;\n"
            f'  src: url("./{name}") format("woff");\n  unicode-range: U+{LOW:04X};\n}}\n'
        )
    (folder / "quotes.css").write_text("\n".join(rules), "utf-8")


if __name__ == "__main__":
    main()
