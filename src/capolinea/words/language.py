"""How a language writes numbers and lists and counts, read from its `language.*` keys."""

import math
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cached_property
from typing import TypeGuard

from capolinea.words import plural
from capolinea.words.errors import MissingWord
from capolinea.words.message import Message, Slot, Template

PLURAL = "language.plural."

# What every language says of itself; of the plural categories it names those that it has.
LANGUAGE_KEYS = frozenset(
    {
        "language.name",
        "language.list.none",
        "language.list.two",
        "language.list.more",
        "language.list.end",
        "language.number.decimal",
        "language.number.group",
        "language.percent",
        "language.quotes",
    }
)

_MINUS = "\N{MINUS SIGN}"
_THOUSANDTH = Decimal("0.001")
_LONG = Context(prec=400)  # room for every float


def is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def plain(value: int | float) -> str:
    """Digits as programs write them: at most three decimals, none that says nothing.

    Halves are rounded away from zero, as the browser's toFixed does.
    """
    if isinstance(value, int):
        return str(value)
    rounded = Decimal(value).quantize(_THOUSANDTH, ROUND_HALF_UP, _LONG)
    text = f"{rounded:f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Language:
    def __init__(self, lang: str, messages: Mapping[str, Message]) -> None:
        self.lang = lang
        self._messages = messages

    def number(self, value: int | float) -> str:
        digits = plain(value)
        whole, _, decimals = digits.removeprefix("-").partition(".")
        text = f"{int(whole):,}".replace(",", self._fill("language.number.group"))
        if decimals:
            text += self._fill("language.number.decimal") + decimals
        return _MINUS + text if digits.startswith("-") else text

    def percent(self, value: int | float) -> str:
        """So many per cent: 62.5 is "62.5%"."""
        return self._fill("language.percent", n=self.number(value))

    def join(self, items: Sequence[str]) -> str:
        """Ada, Bruno and Carla."""
        if len(items) < 2:
            return items[0] if items else self._fill("language.list.none")
        if len(items) == 2:
            return self._fill("language.list.two", a=items[0], b=items[1])
        head, *middle, last = items
        for item in middle:
            head = self._fill("language.list.more", a=head, b=item)
        return self._fill("language.list.end", a=head, b=last)

    def category(self, value: int | float) -> str:
        return plural.category(self._rules, plain(value))

    @property
    def categories(self) -> list[str]:
        return [*self._rules, "other"]

    @property
    def quotes(self) -> str:
        """The quotation marks of the language, '' if it does not say."""
        return self._fill("language.quotes") if "language.quotes" in self._messages else ""

    @cached_property
    def _rules(self) -> dict[str, plural.Rule]:
        keys = (PLURAL + name for name in plural.CATEGORIES)
        return {
            key.removeprefix(PLURAL): plural.rule(self._fill(key))
            for key in keys
            if key in self._messages
        }

    def _fill(self, key: str, **values: str) -> str:
        """These patterns are ready pieces put together, so this needs none of what `say` can do."""
        pattern = self._messages.get(key)
        if not isinstance(pattern, Template):
            raise MissingWord(self.lang, key)
        return "".join(self._piece(key, part, values) for part in pattern.parts)

    def _piece(self, key: str, part: str | Slot, values: Mapping[str, str]) -> str:
        if isinstance(part, str):
            return part
        if part.name not in values:
            raise MissingWord(self.lang, key, part.name)
        return values[part.name]
