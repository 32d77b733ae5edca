"""Packs of cards (TT-5): what one looks like, every fault by row and reason, and CSV.

A pack is {"cards": [...]}, perhaps with a "name"; a card has a deck, a text in one or more languages
and a tag, and may have an id, things to point at (TT-2.5) and the numbers that bots go by.
"""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import count
from typing import Any

from capolinea.engine import Line, Problem
from capolinea.engine.game import faulty, read_json
from capolinea.engine.text import clean
from capolinea.games.trial_by_trolley.rules import DECK_NAMES

TAGS = ("family", "dark")
NUMBERS = {"sympathy": (-3, 3), "lives": (0, 3), "harm": (-3, 3), "absurdity": (0, 3)}
NAMES = ("id", "deck", "tag")
FIELDS = {*NAMES, "text", "things", *NUMBERS}
LONGEST = 200
LONGEST_NAME = 60
#: Ten times as many as in the box: with more, somebody has brought something else.
MOST_CARDS = 5000
#: So many things one can point at on a card.
MOST_THINGS = 10
MOST_LANGUAGES = 50
#: A language like "en" or "pt-BR".
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z]+)?")
#: What CSV puts around a text, whatever a language uses.
MARK = '"'
#: Of what somebody wrote where something else belongs, so much is quoted.
QUOTED = 40


def faults(content: Any, rows: list[int] | None = None) -> list[Problem]:
    """Everything that is wrong with a pack; rows number its cards (by default from 1)."""
    cards = content.get("cards") if isinstance(content, dict) else None
    if not isinstance(cards, list) or set(content) - {"cards", "name"}:
        return [Problem("pack.form")]
    if len(cards) > MOST_CARDS:
        return [Problem("pack.many", found=len(cards), most=MOST_CARDS)]
    found: list[Problem] = []
    if not _is_name(content.get("name", "…")):
        found.append(Problem("pack.name", most=LONGEST_NAME))
    if not cards:
        found.append(Problem("pack.no-cards"))
    ids: dict[str, int] = {}
    texts: dict[tuple[str, str, str], int] = {}
    for number, card in enumerate(cards):
        row = rows[number] if rows else number + 1
        of_card = _card(card, row)
        found += of_card
        if not of_card:
            found += _twice(card, row, ids, texts)
    langs = {lang for _, lang, _ in texts}
    if len(langs) > MOST_LANGUAGES:
        found.append(Problem("pack.many-languages", found=len(langs), most=MOST_LANGUAGES))
    return found


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and 0 < len(name.strip()) <= LONGEST_NAME


def _quoted(found: Any) -> str:
    text = clean(str(found))
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def _card(card: Any, row: int) -> list[Problem]:
    if not isinstance(card, dict):
        return [Problem("pack.card", row=row)]
    found = [
        Problem("pack.field", row=row, field=_quoted(field))
        for field in card
        if field not in FIELDS
    ]
    if card.get("deck") not in DECK_NAMES:
        known = ", ".join(DECK_NAMES)
        found.append(Problem("pack.deck", row=row, found=_quoted(card.get("deck")), known=known))
    if card.get("tag", "family") not in TAGS:
        known = ", ".join(TAGS)
        found.append(Problem("pack.tag", row=row, found=_quoted(card["tag"]), known=known))
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", str(card.get("id", "a"))) or not isinstance(
        card.get("id", ""), str
    ):
        found.append(Problem("pack.id", row=row, found=_quoted(card["id"])))
    found += _texts(card, row)
    for name, (least, most) in NUMBERS.items():
        value = card.get(name, 0)
        if type(value) is not int or not least <= value <= most:
            found.append(
                Problem(
                    "pack.number",
                    row=row,
                    field=name,
                    found=_quoted(value),
                    least=least,
                    most=most,
                )
            )
    return found


def _texts(card: dict[str, Any], row: int) -> list[Problem]:
    text = card.get("text")
    if not isinstance(text, dict) or not text:
        return [Problem("pack.no-text", row=row)]
    found = []
    for lang, written in text.items():
        if not LANGUAGE.fullmatch(str(lang)):
            found.append(Problem("pack.lang", row=row, lang=_quoted(lang)))
        elif not isinstance(written, str) or not written.strip():
            found.append(Problem("pack.empty", row=row, lang=str(lang)))
        elif len(written) > LONGEST:
            found.append(Problem("pack.long", row=row, lang=str(lang), most=LONGEST))
    things = card.get("things", [])
    few = isinstance(things, list) and len(things) <= MOST_THINGS
    if not few or not all(_is_thing(thing) for thing in things):
        found.append(Problem("pack.things", row=row, most=MOST_THINGS))
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
    if name.lower().endswith((".csv", ".tsv")):
        content, rows, found = _from_csv(name, text)
    else:
        content, rows, found = _from_json(name, text)
    found += faults(content, rows)
    if found:
        found.sort(key=_row)
        raise faulty(name, found)
    return content


def _row(problem: Problem) -> int:
    row = problem.args_.get("row", 0)
    assert isinstance(row, int)
    return row


#: A pack as it was read, the line of each card, and what was wrong before cards could be looked at.
Read = tuple[dict[str, Any], list[int], list[Problem]]


def _from_csv(name: str, text: str) -> Read:
    """Columns: deck, tag, id, the bots' numbers; every other column is a language code."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    head = text.split("\n", 1)[0]
    # Spreadsheets in Italian and German write semicolons.
    mark = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text), delimiter=mark, strict=True)
    cards: list[dict[str, Any]] = []
    rows: list[int] = []
    found: list[Problem] = []
    columns: list[str] = []
    row = 1
    try:
        columns = _header(next(reader, []))
        found += _columns(columns)
        row = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):  # spreadsheets leave rows of nothing
                if any(cell.strip() for cell in cells[len(columns) :]):
                    found.append(Problem("pack.cells", row=row, most=len(columns), mark=MARK))
                cards.append(_from_row(columns, cells))
                rows.append(row)
            row = reader.line_num + 1
    except csv.Error:
        found.append(Problem("pack.quotes", row=row, mark=MARK))
    if "deck" not in columns or not any(_is_language(one) for one in columns):
        raise faulty(name, found)  # then there is nothing to say about cards
    return {"cards": cards}, rows, found


def _header(cells: list[str]) -> list[str]:
    """The names of the columns, without those to the right that have none."""
    names = [cell.strip().partition("-") for cell in cells]
    columns = ["".join((first.lower(), *rest)) for first, *rest in names]
    while columns and not columns[-1]:
        columns.pop()
    return columns


def _columns(names: list[str]) -> list[Problem]:
    """What is wrong with the first row."""
    found = []
    strange = [_quoted(name) for name in names if not _is_column(name)]
    if strange:
        found.append(Problem("pack.column", columns=strange))
    twice = sorted({name for name in names if _is_column(name) and names.count(name) > 1})
    if twice:
        found.append(Problem("pack.column-twice", columns=twice))
    if "deck" not in names:
        found.append(Problem("pack.no-deck-column"))
    if not any(_is_language(name) for name in names):
        found.append(Problem("pack.no-language-column"))
    return found


def _from_row(columns: list[str], cells: list[str]) -> dict[str, Any]:
    card: dict[str, Any] = {"text": {}}
    for field, cell in zip(columns, cells, strict=False):
        value = clean(cell).strip()
        if not value:
            continue
        if field in NUMBERS:
            card[field] = int(value) if re.fullmatch(r"[+-]?\d{1,3}", value) else value
        elif field in NAMES:
            card[field] = value.lower() if field != "id" else value
        elif _is_language(field):
            card["text"][field] = value
    return card


def _is_language(name: str) -> bool:
    return name not in NAMES and LANGUAGE.fullmatch(name) is not None


def _is_column(name: str) -> bool:
    return name in NUMBERS or name in NAMES or _is_language(name)


def _from_json(name: str, text: str) -> Read:
    whole = read_json(name, text)
    content = whole if isinstance(whole, dict) else {"cards": whole}
    cards = content.get("cards")
    if not isinstance(cards, list):
        raise Problem("pack.form")
    return content, _lines(text, len(cards)), []


def _lines(text: str, count: int) -> list[int]:
    """The line on which each card of a JSON file begins; where that cannot be told, its number."""
    decoder = json.JSONDecoder()
    begins = re.search(r'^[\s\ufeff]*\[|"cards"\s*:\s*\[', text)
    at = begins.end() if begins else 0
    lines: list[int] = []
    line, counted = 1, 0
    try:
        for _ in range(count):
            while text[at] in " \t\r\n,":
                at += 1
            line += text.count("\n", counted, at)
            counted = at
            lines.append(line)
            _, at = decoder.raw_decode(text, at)
    except (ValueError, IndexError):  # "cards" stood somewhere else, too
        return list(range(1, count + 1))
    return lines


def about(content: dict[str, Any]) -> list[Line]:
    """What a pack without faults has in it."""
    cards = content["cards"]
    decks = [card["deck"] for card in cards]
    lines = [Line("pack.about", {deck: decks.count(deck) for deck in DECK_NAMES})]
    dark = sum(card.get("tag") == "dark" for card in cards)
    if dark:
        lines.append(Line("pack.dark", {"count": dark}))
    langs = sorted({lang for card in cards for lang in card["text"]})
    lines.append(Line("pack.langs", {"langs": langs}))
    return lines


def cards_of(content: dict[str, Any], prefix: str = "card") -> list[dict[str, Any]]:
    """The cards of a pack without faults, each with an id and a tag."""
    taken = {card.get("id") for card in content["cards"]}
    free = (name for number in count(1) if (name := f"{prefix}-{number}") not in taken)
    return [
        {"tag": "family", **card, "id": card.get("id") or next(free)} for card in content["cards"]
    ]
