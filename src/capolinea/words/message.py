"""What an entry of a catalogue can be: a template, variants to choose from, or a noun.

    template   "{seat:seat} rolls {pips}."
    variants   {"by": "count", "=0": "No cards", "one": "A card", "other": "{count} cards"}
    noun       {"": "Bremse", "dat": "der Bremse", "gender": "f"}

A slot is `{name}`, `{name:space}`, `{name:space/form}`, and with `+` at its end it takes a list.
The browser reads the same files with its own copy of this grammar, so it stays this small.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from capolinea.words.errors import BadMessage


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for an argument, or (without `many`) what variants are chosen by."""

    name: str
    space: str = ""
    form: str = ""
    many: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    parts: tuple[str | Slot, ...]


@dataclass(frozen=True, slots=True)
class Noun:
    forms: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Variants:
    by: Slot
    cases: Mapping[str, "Message"]


Message = Template | Noun | Variants

# These spaces are not looked up in a catalogue, so there are no forms to pick from.
FORMLESS = frozenset({"", "seat", "text", "number", "percent"})

_SLOT = re.compile(
    r"(?P<name>[a-z][a-z0-9_]*)"
    r"(?::(?=.)(?P<space>[a-z][a-z0-9_.-]*)?(?:/(?P<form>[a-z][a-z0-9_-]*))?(?P<many>\+)?)?"
)
_TOKEN = re.compile(r"(\{\{|\}\}|\{[^{}]*\}|[{}])")


def message(raw: object) -> Message:
    """Understand what a JSON catalogue holds under one key."""
    if isinstance(raw, Template | Noun | Variants):
        return raw
    if isinstance(raw, str):
        return template(raw)
    if not isinstance(raw, Mapping):
        raise BadMessage("a message is a text or an object")
    if "by" in raw:
        return _variants(raw)
    if "" in raw:
        return Noun({form: _plain(form, text) for form, text in raw.items()})
    raise BadMessage('an object needs "by" (variants) or "" (a noun)')


def template(text: str) -> Template:
    """Cut a text at its slots; `{{` and `}}` stand for braces."""
    parts: list[str | Slot] = []
    for token in filter(None, _TOKEN.split(text)):
        if token in ("{", "}"):
            raise BadMessage(f"a lone {token!r} in {text!r}; a literal brace is doubled")
        piece = token[0] if token in ("{{", "}}") else token
        if token.startswith("{") and token.endswith("}"):
            parts.append(_slot(token[1:-1]))
        elif parts and isinstance(parts[-1], str):
            parts[-1] += piece
        else:
            parts.append(piece)
    return Template(tuple(parts))


def _slot(text: str) -> Slot:
    found = _SLOT.fullmatch(text)
    if not found:
        raise BadMessage(f"{{{text}}} is not {{name}}, {{name:space}} or {{name:space/form}}")
    slot = Slot(found["name"], found["space"] or "", found["form"] or "", bool(found["many"]))
    if slot.form and slot.space in FORMLESS:
        raise BadMessage(f"{{{text}}}: {slot.space or 'a plain argument'} has no forms")
    return slot


def _variants(raw: Mapping[str, object]) -> Variants:
    if not isinstance(raw["by"], str):
        raise BadMessage('"by" names an argument')
    by = _slot(raw["by"])
    if by.many or bool(by.space) != bool(by.form):
        raise BadMessage(f'"by" is "name" or "name:space/form", not {raw["by"]!r}')
    cases = {case: message(value) for case, value in raw.items() if case != "by"}
    if any(isinstance(case, Noun) for case in cases.values()):
        raise BadMessage("a variant is a text or further variants")
    return Variants(by, cases)


def _plain(form: str, raw: object) -> str:
    """A noun is looked up without arguments, so its forms have no slots."""
    if not isinstance(raw, str):
        raise BadMessage(f"form {form!r} is not a text")
    parts = template(raw).parts
    if any(isinstance(part, Slot) for part in parts):
        raise BadMessage(f"form {form!r} of a noun takes no arguments")
    return "".join(part for part in parts if isinstance(part, str))


def templates(entry: Message) -> Iterator[Template]:
    """All texts that a message can become; of a noun, its plain form."""
    match entry:
        case Template():
            yield entry
        case Noun(forms):
            yield Template((forms[""],) if forms[""] else ())
        case Variants(_, cases):
            for inner in cases.values():
                yield from templates(inner)


def choices(entry: Message) -> Iterator[Variants]:
    """The variants in a message, nested ones too."""
    if isinstance(entry, Variants):
        yield entry
        for inner in entry.cases.values():
            yield from choices(inner)


def arguments(raw: object) -> dict[str, str]:
    """Which arguments a message takes, and the space of each ('' if none, `+` after a list's).

    >>> arguments("{seat:seat} gives {cards:card/acc+} and {count}.")
    {'seat': 'seat', 'cards': 'card+', 'count': ''}

    One that is used in several ways has them all, sorted, with a blank between.
    """
    entry = message(raw)
    slots = [choice.by for choice in choices(entry)]
    slots += [part for text in templates(entry) for part in text.parts if isinstance(part, Slot)]
    spaces: dict[str, set[str]] = {}
    for slot in slots:
        spaces.setdefault(slot.name, set()).add(slot.space + "+" * slot.many)
    # Choosing by an argument says nothing about how it is shown: '' gives way to any other.
    return {name: " ".join(sorted(found - {""})) for name, found in spaces.items()}
