"""Faults in the catalogues of a folder: what a translator or a programmer forgot.

For any title, ours or another's:

    faults = check(words, used=in_catalogues(constants(code), words) | declared)
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from capolinea.words import plural
from capolinea.words.catalogue import read
from capolinea.words.language import PLURAL, Language
from capolinea.words.languages import COMMON
from capolinea.words.languages import languages as all_languages
from capolinea.words.message import (
    Message,
    Noun,
    Template,
    Variants,
    arguments,
    choices,
    templates,
)
from capolinea.words.uses import constants, in_catalogues

__all__ = ["check", "constants", "in_catalogues"]

_QUOTES = "“”„‟‘’‚‛«»‹›"
_SAME = "same.json"


def check(
    folder: Path,
    used: Iterable[str],
    same: Iterable[str] = (),
    languages: Iterable[str] | None = None,
) -> list[str]:
    """All faults of the catalogues in a folder, each as a line for people.

    `same` are keys, or beginnings like "station.*", whose text may be the same in two languages,
    besides those that the folder's own same.json lists. Only these `languages` are looked at; by
    default all that there are.
    """
    shelf = _Shelf.of(folder, set(all_languages()) if languages is None else set(languages))
    intended, damage = _intended(folder)
    return [
        *shelf.damage,
        *damage,
        *_missing(shelf),
        *_misused(shelf, set(used)),
        *_unlike_arguments(shelf),
        *_variants(shelf),
        *_identical(shelf, [*intended, *same]),
        *_typography(shelf),
    ]


@dataclass(frozen=True, slots=True)
class _Shelf:
    """The catalogues of a folder side by side."""

    books: Mapping[str, Mapping[str, Message]]  # by language
    torn: Mapping[str, frozenset[str]]  # keys that are there, but not understood
    common: frozenset[str]  # keys that every title may use
    languages: Mapping[str, Language]
    damage: list[str]

    @classmethod
    def of(cls, folder: Path, wanted: set[str]) -> "_Shelf":
        books, torn, rules, damage = {}, {}, {}, []
        common: set[str] = set()
        for lang in sorted({*wanted, *all_languages(folder)}):
            messages, faults = read(folder / f"{lang}.json")
            damage += [str(fault) for fault in faults]
            shared = read(COMMON / f"{lang}.json")[0]
            common |= shared.keys()
            if all(fault.key for fault in faults):  # else nothing can be said of this language
                books[lang] = messages
                torn[lang] = frozenset(fault.key for fault in faults)
                rules[lang] = Language(lang, {**shared, **messages})
        if folder.resolve() == COMMON:
            common.clear()
        return cls(books, torn, frozenset(common), rules, damage)

    @property
    def keys(self) -> list[str]:
        """All keys of all languages, in the order of the files."""
        return list(dict.fromkeys(key for book in self.books.values() for key in book))

    def entries(self) -> Iterator[tuple[str, str, Message]]:
        for lang, book in self.books.items():
            for key, entry in book.items():
                yield lang, key, entry

    def versions(self, key: str) -> dict[str, Message]:
        return {lang: book[key] for lang, book in self.books.items() if key in book}


def _missing(shelf: _Shelf) -> Iterator[str]:
    for key in shelf.keys:
        for lang, book in shelf.books.items():
            # Each language has the plural categories that it has.
            if not (key in book or key in shelf.torn[lang] or key.startswith(PLURAL)):
                yield f"{lang}: {key}: missing in this language"


def _misused(shelf: _Shelf, used: set[str]) -> Iterator[str]:
    for key in shelf.keys:
        if key not in used and not key.startswith(PLURAL):
            yield f"{key}: not used"
    known = shelf.common.union(shelf.keys, *shelf.torn.values())
    for key in sorted(used - known):
        yield f"{key}: used, but in no catalogue"


def _unlike_arguments(shelf: _Shelf) -> Iterator[str]:
    for key in shelf.keys:
        # The order of words is each language's own.
        found = {
            lang: ", ".join(sorted(f"{name}:{space}".rstrip(":") for name, space in taken.items()))
            for lang, taken in ((n, arguments(m)) for n, m in shelf.versions(key).items())
        }
        if len(set(found.values())) > 1:
            told = "; ".join(f"{lang} ({taken})" for lang, taken in found.items())
            yield f"{key}: arguments differ: {told}"


def _variants(shelf: _Shelf) -> Iterator[str]:
    for lang, key, entry in shelf.entries():
        for choice in choices(entry):
            for why in _choice(choice, shelf.languages[lang].categories):
                yield f"{lang}: {key}: by {choice.by.name}: {why}"


def _choice(choice: Variants, categories: list[str]) -> Iterator[str]:
    if "other" not in choice.cases:
        yield 'no variant "other"'
    counted = any(case in plural.CATEGORIES or case.startswith("=") for case in choice.cases)
    if choice.by.space or not counted:
        return
    for name in categories:
        if name not in choice.cases and name != "other":
            yield f'no variant "{name}", which this language has'
    for case in choice.cases:
        if case not in categories and not case.startswith("="):
            yield f'variant "{case}" never comes up in this language'


def _identical(shelf: _Shelf, intended: list[str]) -> Iterator[str]:
    met: set[str] = set()
    for key in shelf.keys:
        matching = [entry for entry in intended if _matches(entry, key)]
        for (one, a), (two, b) in combinations(shelf.versions(key).items(), 2):
            # One text in common is enough: half a message may have been left untranslated.
            if any(text in list(templates(b)) for text in templates(a)):
                met.update(matching)
                if not matching:
                    yield f"{key}: the same text in {one} and {two} (if intended: {_SAME})"
    for entry in intended:
        if entry not in met:
            yield f"{_SAME}: {entry}: nothing here is the same in two languages"


def _matches(entry: str, key: str) -> bool:
    return key.startswith(entry[:-1]) if entry.endswith("*") else key == entry


def _intended(folder: Path) -> tuple[list[str], list[str]]:
    file = folder / _SAME
    if not file.exists():
        return [], []
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        return [], [f"{file}: not JSON: {error}"]
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        return [], [f"{file}: not a list of keys"]
    return entries, []


def _typography(shelf: _Shelf) -> Iterator[str]:
    for lang, key, entry in shelf.entries():
        if key.startswith("language."):
            continue  # marks and patterns, some of which are blanks
        for text in _texts(entry):
            for why in _blemishes(text, shelf.languages[lang].quotes):
                yield f"{lang}: {key}: {why}: {text!r}"


def _texts(entry: Message) -> list[str]:
    """What people will read, with "{}" for each slot."""
    if isinstance(entry, Noun):
        return list(entry.forms.values())
    return [_shown(text) for text in templates(entry)]


def _shown(text: Template) -> str:
    return "".join(part if isinstance(part, str) else "{}" for part in text.parts)


def _blemishes(text: str, quotes: str) -> Iterator[str]:
    if text != text.strip():
        yield "a blank at an end"
    if re.search(r"\s\s", text):
        yield "two blanks"
    if "..." in text:
        yield "three dots for …"
    if "'" in text or '"' in text:
        yield "a straight quote or apostrophe"
    if quotes and any(mark in _QUOTES and mark not in quotes for mark in text):
        yield f"quotation marks other than {quotes}"
