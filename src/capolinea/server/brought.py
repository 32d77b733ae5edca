"""Data of a room's own: a file that somebody brings, or what comes with a request.

Cleaning and checking it takes long, so this is work for another process: JSON goes there, JSON comes
back.
"""

from __future__ import annotations

import codecs
from pathlib import PurePath
from typing import Any

import msgspec

from capolinea import games
from capolinea.engine.game import LONGEST_TEXT, faulty
from capolinea.engine.options import convert
from capolinea.engine.problems import Problem
from capolinea.engine.text import cleaned, name
from capolinea.server.protocol import encode
from capolinea.server.set_up import check_kinds

LONGEST_NAME = 60
#: So many lists and objects within each other data of a table's own may have.
DEEPEST = 32
#: As spreadsheets mark what they write.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def fit(title: str, sent: bytes) -> bytes:
    """`options` and `data` for a room as somebody sent them, so that they can be kept and shown to others;
    a Problem names every fault."""
    found = msgspec.json.decode(sent)
    if any(map(_deep, found.values())):
        raise too_deep()
    kept: dict[str, Any] = cleaned(found, LONGEST_TEXT)
    game = games.load(games.check_known(title))
    data = kept.get("data", {})
    check_kinds(game, data)
    for kind, content in data.items():
        faults = game.data_faults(kind, content)
        if faults:
            raise faulty(kind, faults)
    return encode(kept)


def too_deep() -> Problem:
    return Problem("serve.bad-body", detail="nested too deeply")


def _deep(content: Any) -> bool:
    """Nested deeper than anything that makes sense: what walks through it might fall over."""
    level = [content]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return bool(level)


class Brought(msgspec.Struct, frozen=True):
    """What came with a file: what to call it, and as `fit` makes it."""

    name: str
    fit: bytes


def read(title: str, kind: str, file: str, body: bytes) -> Brought:
    """The whole file, or a Problem that names all its faults."""
    path = PurePath(name(file, len(file)))
    stem = path.stem[:LONGEST_NAME]
    file = f"{stem}{path.suffix}" or kind
    content = games.load(title).parse_data(kind, file, _text(file, body))
    own = content.get("name") if isinstance(content, dict) else None
    called = own if isinstance(own, str) else stem
    try:
        # What is checked is what will be kept: there is more in a text of JSON than in JSON.
        sent = encode({"data": {kind: content}})
    except (ValueError, OverflowError, RecursionError) as error:
        raise Problem("data.unfit", file=file) from error
    return Brought(name(called, LONGEST_NAME) or kind, fit(title, sent))


def _text(file: str, body: bytes) -> str:
    coding = next((coding for mark, coding in _MARKS if body.startswith(mark)), "utf-8")
    try:
        return body.decode(coding)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise Problem("data.encoding", file=file, line=line) from error


def words(title: str, options: bytes, lang: str) -> bytes:
    """The words that come with data of a table's own."""
    game = games.load(title)
    return encode(game.texts(convert(game.options, msgspec.json.decode(options)), lang))
