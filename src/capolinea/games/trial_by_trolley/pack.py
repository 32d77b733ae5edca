"""Packs of cards (TT-5): what one looks like, every fault by row and reason, and CSV.

A pack is {"cards": [...]}; a card has a deck, a text in one or more languages and a tag, and may have
an id, things to point at (TT-2.5) and the numbers that bots go by.
"""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import count
from typing import Any

from capolinea.engine import Problem
from capolinea.games.trial_by_trolley.rules import DECK_NAMES

TAGS = ("family", "dark")
NUMBERS = {"sympathy": (-3, 3), "lives": (0, 3), "harm": (-3, 3), "absurdity": (0, 3)}
FIELDS = {"id", "deck", "tag", "text", "things", *NUMBERS}
LONGEST = 200


def faults(content: Any, rows: list[int] | None = None) -> list[Problem]:
    """Everything that is wrong with a pack; rows number its cards (by default from 1)."""
    cards = content.get("cards") if isinstance(content, dict) else None
    if not isinstance(cards, list) or set(content) - {"cards", "name"}:
        return [Problem("pack.form")]
    found: list[Problem] = []
    ids: dict[str, int] = {}
    texts: dict[tuple[str, str, str], int] = {}
    for number, card in enumerate(cards):
        row = rows[number] if rows else number + 1
        of_card = _card(card, row)
        found += of_card
        if not of_card:
            found += _twice(card, row, ids, texts)
    return found


def _card(card: Any, row: int) -> list[Problem]:
    if not isinstance(card, dict):
        return [Problem("pack.card", row=row)]
    found = [
        Problem("pack.field", row=row, field=str(field)) for field in card if field not in FIELDS
    ]
    if card.get("deck") not in DECK_NAMES:
        known = ", ".join(DECK_NAMES)
        found.append(Problem("pack.deck", row=row, found=str(card.get("deck")), known=known))
    if card.get("tag", "family") not in TAGS:
        found.append(Problem("pack.tag", row=row, found=str(card["tag"]), known=", ".join(TAGS)))
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", str(card.get("id", "a"))) or not isinstance(
        card.get("id", ""), str
    ):
        found.append(Problem("pack.id", row=row, found=str(card["id"])))
    found += _texts(card, row)
    for name, (least, most) in NUMBERS.items():
        value = card.get(name, 0)
        if type(value) is not int or not least <= value <= most:
            found.append(
                Problem(
                    "pack.number", row=row, field=name, found=str(value), least=least, most=most
                )
            )
    return found


def _texts(card: dict[str, Any], row: int) -> list[Problem]:
    text = card.get("text")
    if not isinstance(text, dict) or not text:
        return [Problem("pack.no-text", row=row)]
    found = []
    for lang, written in text.items():
        if not isinstance(written, str) or not written.strip():
            found.append(Problem("pack.empty", row=row, lang=str(lang)))
        elif len(written) > LONGEST:
            found.append(Problem("pack.long", row=row, lang=str(lang), most=LONGEST))
    things = card.get("things", [])
    if not isinstance(things, list) or not all(_is_thing(thing) for thing in things):
        found.append(Problem("pack.things", row=row))
    return found


def _is_thing(thing: Any) -> bool:
    named = isinstance(thing, dict) and thing
    return bool(named) and all(isinstance(name, str) and name.strip() for name in thing.values())


def _twice(
    card: dict[str, Any], row: int, ids: dict[str, int], texts: dict[tuple[str, str, str], int]
) -> list[Problem]:
    """The same id or, in one deck and language, the same text as an earlier card."""
    found = []
    if "id" in card:
        first = ids.setdefault(str(card["id"]), row)
        if first != row:
            found.append(Problem("pack.same-id", row=row, id=str(card["id"]), first=first))
    for lang, text in card["text"].items():
        first = texts.setdefault((card["deck"], lang, " ".join(text.lower().split())), row)
        if first != row:
            found.append(Problem("pack.same-text", row=row, lang=lang, first=first))
    return found


def parse(name: str, text: str) -> dict[str, Any]:
    """A pack from a file, CSV or JSON by its ending; a Problem names every faulty row by its line."""
    cards, rows = _from_csv(text) if name.lower().endswith(".csv") else _from_json(name, text)
    content = {"cards": cards}
    found = faults(content, rows)
    if found:
        raise Problem("data.faults", kind=name, count=len(found), faults=found)
    return content


def _from_csv(text: str) -> tuple[list[Any], list[int]]:
    """Columns: deck, tag, id, the bots' numbers; every other column is a language code."""
    text = text.removeprefix("\ufeff")
    head = text.split("\n", 1)[0]
    # Spreadsheets in Italian and German write semicolons.
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=head.count))
    strange = [name for name in reader.fieldnames or [] if not _is_column(name.strip())]
    if strange:
        raise Problem("pack.column", columns=strange)
    cards: list[Any] = []
    rows = []
    for row in reader:
        plain = {str(key).strip(): (value or "").strip() for key, value in row.items() if key}
        card: dict[str, Any] = {"text": {}}
        for field, value in plain.items():
            if not value:
                continue
            if field in NUMBERS:
                card[field] = int(value) if re.fullmatch(r"[+-]?\d{1,3}", value) else value
            elif field in ("id", "deck", "tag"):
                card[field] = value.lower() if field != "id" else value
            else:
                card["text"][field] = value
        cards.append(card)
        rows.append(reader.line_num)
    return cards, rows


def _is_column(name: str) -> bool:
    """A field, or a language like "en" or "pt-BR"."""
    plain = name in NUMBERS or name in ("id", "deck", "tag")
    return plain or re.fullmatch(r"[a-z]{2,3}(-[A-Za-z]+)?", name) is not None


def _from_json(name: str, text: str) -> tuple[list[Any], list[int]]:
    try:
        whole = json.loads(text)
    except ValueError as error:
        raise Problem("data.json", file=name, detail=str(error)) from error
    cards = whole.get("cards") if isinstance(whole, dict) else whole
    if not isinstance(cards, list):
        raise Problem("pack.form")
    return cards, _lines(text, len(cards))


def _lines(text: str, count: int) -> list[int]:
    """The line on which each card of a JSON file begins."""
    decoder = json.JSONDecoder()
    at = text.index("[") + 1
    lines = []
    for _ in range(count):
        while text[at] in " \t\r\n,":
            at += 1
        lines.append(text.count("\n", 0, at) + 1)
        _, at = decoder.raw_decode(text, at)
    return lines


def cards_of(content: dict[str, Any], prefix: str = "card") -> list[dict[str, Any]]:
    """The cards of a pack without faults, each with an id and a tag."""
    taken = {card.get("id") for card in content["cards"]}
    free = (name for number in count(1) if (name := f"{prefix}-{number}") not in taken)
    return [
        {"tag": "family", **card, "id": card.get("id") or next(free)} for card in content["cards"]
    ]
