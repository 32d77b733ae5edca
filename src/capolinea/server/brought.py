"""A file that somebody brings to a room: bytes go in, what the title makes of it comes out."""

from __future__ import annotations

import codecs
from pathlib import PurePath
from typing import Any

import msgspec

from capolinea import games
from capolinea.engine.problems import Problem
from capolinea.engine.text import name

LONGEST_NAME = 60
#: As spreadsheets mark what they write.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Brought(msgspec.Struct, frozen=True):
    """What came with a file: its content, and what to call it."""

    name: str
    content: Any


def read(title: str, kind: str, file: str, body: bytes) -> Brought:
    """The whole file, or a Problem that names all its faults."""
    path = PurePath(name(file, len(file)))
    stem = path.stem[:LONGEST_NAME]
    file = f"{stem}{path.suffix}" or kind
    content = games.load(title).parse_data(kind, file, _text(file, body))
    try:
        # What is checked is what will be kept: there is more in a text of JSON than in JSON.
        content = msgspec.json.decode(msgspec.json.encode(content))
    except (ValueError, OverflowError, RecursionError) as error:
        raise Problem("data.unfit", file=file) from error
    own = content.get("name") if isinstance(content, dict) else None
    called = own if isinstance(own, str) else stem
    return Brought(name(called, LONGEST_NAME) or kind, content)


def _text(file: str, body: bytes) -> str:
    coding = next((coding for mark, coding in _MARKS if body.startswith(mark)), "utf-8")
    try:
        return body.decode(coding)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise Problem("data.encoding", file=file, line=line) from error
