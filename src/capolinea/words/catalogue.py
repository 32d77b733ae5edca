"""Catalogue files: flat JSON, one per language, read whole or not at all."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from capolinea.words import plural
from capolinea.words.errors import BadMessage, DamagedCatalogue
from capolinea.words.language import PLURAL
from capolinea.words.message import Message, Template, message


def load(path: Path) -> dict[str, Message]:
    """The messages of a file, or DamagedCatalogue for the first thing that is wrong."""
    messages, faults = read(path)
    if faults:
        raise faults[0]
    return messages


def read(path: Path) -> tuple[dict[str, Message], list[DamagedCatalogue]]:
    """The messages that are sound, and what is wrong with the others."""
    try:
        text = path.read_text(encoding="utf-8")
        entries = json.loads(text, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        return {}, [DamagedCatalogue(path, error.lineno, "", f"not JSON: {error.msg}")]
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return {}, [DamagedCatalogue(path, line, "", "not UTF-8")]
    except OSError as error:
        return {}, [DamagedCatalogue(path, 1, "", f"cannot be read: {error.strerror}")]
    if not isinstance(entries, _Pairs):
        return {}, [DamagedCatalogue(path, 1, "", "not an object of keys and messages")]
    return _understand_all(path, text, entries)


def understand(key: str, raw: object) -> Message:
    """The message under a key; BadMessage names the key."""
    try:
        entry = message(_object(raw))
        if key.startswith(PLURAL):
            _check_rule(key, entry)
        return entry
    except BadMessage as error:
        raise BadMessage(error.why, key) from None


class _Pairs(list[tuple[str, object]]):
    """A JSON object in which a key may still stand twice."""


def _understand_all(
    path: Path, text: str, entries: Iterable[tuple[str, object]]
) -> tuple[dict[str, Message], list[DamagedCatalogue]]:
    messages: dict[str, Message] = {}
    faults: list[DamagedCatalogue] = []
    for key, raw in entries:
        try:
            if key in messages:
                raise BadMessage("stands twice in this file", key)
            messages[key] = understand(key, raw)
        except BadMessage as error:
            # Of a key that stands twice, the second is the surprise.
            line = _lines(text, key)[-1 if key in messages else 0]
            faults.append(DamagedCatalogue(path, line, key, error.why))
    return messages, faults


def _object(raw: object) -> object:
    if not isinstance(raw, _Pairs):
        return raw
    fields: dict[str, object] = {}
    for name, value in raw:
        if name in fields:
            raise BadMessage(f"{name!r} stands twice in this message")
        fields[name] = _object(value)
    return fields


def _check_rule(key: str, entry: Message) -> None:
    if key.removeprefix(PLURAL) not in plural.CATEGORIES:
        raise BadMessage(f"the plural categories are {', '.join(plural.CATEGORIES)}")
    match entry:
        case Template((str(text),)):
            plural.rule(text)
        case _:
            raise BadMessage("a plural rule is a plain text")


def _lines(text: str, key: str) -> list[int]:
    """Python's JSON reader does not tell where a key stood: look for it in the text."""
    spots = re.finditer(re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:", text)
    return [text.count("\n", 0, spot.start()) + 1 for spot in spots] or [1]
