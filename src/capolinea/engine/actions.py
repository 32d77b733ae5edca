"""The actions of a title: a fixed space of small integers, each with a readable JSON form.

    >>> space = Actions(Family("roll"), Family("load", letter=["short", "long"]), Family("to", seat=3))
    >>> space.number("load", letter="long"), space.json(2)
    (2, {'do': 'load', 'letter': 'long'})
    >>> space.parse({"do": "to", "seat": 1}), space.size
    (4, 6)

Numbers are given out in the order of the families, within a family in the order of its arguments, the
last one fastest. A compound choice is a sequence of such actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from capolinea.engine.problems import Problem
from capolinea.engine.views import Line


class Family:
    """Actions of one kind: a verb and what each of its arguments may be.

    An argument ranges over names (a sequence of strings), over numbers (a range) or over the numbers
    0 … n−1 (an int).
    """

    def __init__(self, do: str, **arguments: Sequence[str] | range | int) -> None:
        self.do = do
        self.arguments: dict[str, list[Any]] = {
            name: list(range(values)) if isinstance(values, int) else list(values)
            for name, values in arguments.items()
        }
        self.size = 1
        for values in self.arguments.values():
            self.size *= len(values)

    def at(self, offset: int) -> dict[str, str | int]:
        """The arguments of this family's action number `offset`."""
        found: dict[str, str | int] = {}
        for name, values in reversed(self.arguments.items()):
            offset, index = divmod(offset, len(values))
            found[name] = values[index]
        return {name: found[name] for name in self.arguments}

    def offset(self, given: Mapping[str, object]) -> int:
        if set(given) != set(self.arguments):
            needed = ", ".join(self.arguments) or "–"
            raise Problem(
                "bad-action.arguments", do=self.do, needed=needed, found=", ".join(given) or "–"
            )
        offset = 0
        for name, values in self.arguments.items():
            value = given[name]
            # True equals 1 and 1.0 too; only the written form itself will do.
            if type(value) is not type(values[0]) or value not in values:
                raise Problem("bad-action.value", do=self.do, argument=name, found=repr(value))
            offset = offset * len(values) + values.index(value)
        return offset


class Actions:
    """The whole space of a title."""

    def __init__(self, *families: Family) -> None:
        self.families: dict[str, Family] = {}
        self.first: dict[str, int] = {}
        self.size = 0
        for family in families:
            if family.do in self.families:
                raise ValueError(f"two families of actions are called {family.do!r}")
            self.families[family.do] = family
            self.first[family.do] = self.size
            self.size += family.size
        self._json: dict[int, dict[str, str | int]] = {}

    def number(self, do: str, **arguments: str | int) -> int:
        return self.first[do] + self.families[do].offset(arguments)

    def json(self, action: int) -> dict[str, str | int]:
        if action not in self._json:
            family, offset = self._family(action)
            self._json[action] = {"do": family.do, **family.at(offset)}
        return self._json[action].copy()

    def parse(self, data: object) -> int:
        """The number of an action written as JSON; a Problem says what is wrong with it."""
        if not isinstance(data, Mapping) or not isinstance(data.get("do"), str):
            raise Problem("bad-action.form", found=repr(data))
        family = self.families.get(data["do"])
        if family is None:
            raise Problem("bad-action.unknown", do=data["do"], known=", ".join(self.families))
        given = {name: value for name, value in data.items() if name != "do"}
        return self.first[family.do] + family.offset(given)

    def line(self, action: int) -> Line:
        """The action as a line for a person: key `action.<verb>` and its arguments."""
        family, offset = self._family(action)
        return Line(f"action.{family.do}", dict(family.at(offset)))

    def table(self) -> list[tuple[int, int, str, str]]:
        """The space as a table: first number, last number, verb, arguments."""
        rows = []
        for do, family in self.families.items():
            arguments = ", ".join(f"{n}: {v[0]}…{v[-1]}" for n, v in family.arguments.items())
            first = self.first[do]
            rows.append((first, first + family.size - 1, do, arguments))
        return rows

    def _family(self, action: int) -> tuple[Family, int]:
        for do, family in self.families.items():
            offset = action - self.first[do]
            if 0 <= offset < family.size:
                return family, offset
        raise Problem("bad-action.number", found=action, size=self.size)
