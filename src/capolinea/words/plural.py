"""Plural rules as Unicode's CLDR writes them: `v = 0 and i % 100 = 3..4 or v != 0`.

A rule looks at a number as it is written: n, its absolute value; i, the part before the decimal
mark; v (or w), how many digits follow it; f (or t), those digits as a number. Numbers are never
written with zeros at the end of the decimals, so w is v, and t is f.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from capolinea.words.errors import BadMessage

CATEGORIES = ("zero", "one", "two", "few", "many")  # and "other": what no rule takes

_RELATION = re.compile(
    r"\s*(?P<operand>[nivwft])\s*(?:%\s*(?P<modulus>[0-9]+)\s*)?(?P<sign>!?=)(?P<ranges>[^=]+)"
)
_RANGE = re.compile(r"\s*([0-9]+)\s*(?:\.\.\s*([0-9]+)\s*)?")

Operands = Mapping[str, int | float]


@dataclass(frozen=True, slots=True)
class Relation:
    operand: str
    modulus: int  # 0: none
    ranges: tuple[range, ...]
    wanted: bool

    def holds(self, operands: Operands) -> bool:
        value = operands[self.operand]
        if self.modulus:
            value %= self.modulus
        whole = int(value)  # 2..4 is 2, 3, 4 and nothing between
        inside = whole == value and any(whole in numbers for numbers in self.ranges)
        return inside is self.wanted


Rule = tuple[tuple[Relation, ...], ...]  # alternatives, of each all relations must hold


def rule(text: str) -> Rule:
    return tuple(
        tuple(_relation(relation) for relation in re.split(r"\band\b", alternative))
        for alternative in re.split(r"\bor\b", text)
    )


def _relation(text: str) -> Relation:
    found = _RELATION.fullmatch(text)
    if not found:
        raise BadMessage(f"{text.strip()!r} is not like 'i % 10 = 2..4'")
    modulus = int(found["modulus"]) if found["modulus"] else 0
    if found["modulus"] and not modulus:
        raise BadMessage(f"{text.strip()!r} divides by zero")
    ranges = tuple(_range(part) for part in found["ranges"].split(","))
    return Relation(found["operand"], modulus, ranges, found["sign"] == "=")


def _range(text: str) -> range:
    found = _RANGE.fullmatch(text)
    numbers = range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
    if not numbers:
        raise BadMessage(f"{text.strip()!r} is neither a number nor a range like 2..4")
    return numbers


def operands(plain: str) -> Operands:
    """What rules look at, from a number in plain digits ("-12.5")."""
    whole, _, decimals = plain.removeprefix("-").partition(".")
    i, f = int(whole), int(decimals or "0")
    n = float(f"{whole}.{decimals}") if decimals else i
    return {"n": n, "i": i, "v": len(decimals), "w": len(decimals), "f": f, "t": f}


def category(rules: Mapping[str, Rule], plain: str) -> str:
    """The first category whose rule takes the number."""
    seen = operands(plain)
    for name, alternatives in rules.items():
        if any(all(relation.holds(seen) for relation in every) for every in alternatives):
            return name
    return "other"
