"""How one scene became the next, in as few words as possible.

A delta is a list of changes, each a path and the value that stands there from now on, or the path
alone of what is gone:

    >>> delta({"speed": 90, "log": ["a"]}, {"speed": 120, "log": ["a", "b"]})
    [[['speed'], 120], [['log', 1], 'b']]
    >>> delta({"hand": [1, 2, 3], "note": "x"}, {"hand": [1, 2]})
    [[['hand', 2]], [['note']]]

A list grows by a value at the place after its last, and is cut off at the place that is gone.
`capolinea.patch` makes the new scene of the old one again.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec.structs import astuple

from capolinea.patch import Change

Path = list[str | int]
_MADE_OF_PARTS = (list, dict, msgspec.Struct)


def delta(old: Any, new: Any) -> list[Change]:
    """The changes that make `new` of `old`: JSON, or what JSON is made of."""
    return Deltas().delta(old, new)


class Deltas:
    """Several viewers' at once: what all of them see is compared once for all of them."""

    def __init__(self) -> None:
        #: How one thing became another. Both are kept, so that each stays the only one with its `id`.
        self._known: dict[tuple[int, int], tuple[Any, Any, list[Change]]] = {}

    def delta(self, old: Any, new: Any) -> list[Change]:
        changes: list[Change] = []
        self._compare(old, new, [], changes)
        return changes

    def _compare(self, old: Any, new: Any, path: Path, changes: list[Change]) -> None:
        if old is new:
            return
        if isinstance(new, msgspec.Struct) and type(old) is type(new):
            self._compare_fields(old, new, path, changes)
        elif isinstance(old, dict) and isinstance(new, dict):
            for name, value in new.items():
                if name in old:
                    self._compare(old[name], value, [*path, name], changes)
                else:
                    changes.append([[*path, name], value])
            changes += [[[*path, name]] for name in old if name not in new]
        elif isinstance(old, list) and isinstance(new, list):
            for place, item in enumerate(new):
                if place >= len(old):
                    changes.append([[*path, place], item])
                elif old[place] is not item:
                    self._compare(old[place], item, [*path, place], changes)
            if len(new) < len(old):
                changes.append([[*path, len(new)]])
        elif type(old) is not type(new) or old != new:
            changes.append([path, new])

    def _compare_fields(
        self, old: msgspec.Struct, new: msgspec.Struct, path: Path, changes: list[Change]
    ) -> None:
        """Fields have types: what is equal is the same, and that is by far the most of what is shown."""
        for (name, usual), was, is_now in zip(
            _declared(type(new)), astuple(old), astuple(new), strict=True
        ):
            if was is is_now or was == is_now:
                continue
            if _left_out(is_now, usual):
                changes.append([[*path, name]])
            elif not isinstance(is_now, _MADE_OF_PARTS) or _left_out(was, usual):
                changes.append([[*path, name], is_now])
            else:
                found = self._between(was, is_now)
                changes += [[[*path, name, *way], *value] for way, *value in found]

    def _between(self, was: Any, is_now: Any) -> list[Change]:
        """How a field's value became another."""
        both = id(was), id(is_now)
        if both not in self._known:
            self._known[both] = was, is_now, self.delta(was, is_now)
        return self._known[both][2]


@cache
def _declared(kind: type[msgspec.Struct]) -> list[tuple[str, Any]]:
    """The names of the fields, and with which value each is left out."""
    names = kind.__struct_fields__
    assert names == kind.__struct_encode_fields__
    assert kind.__struct_config__.tag is None
    if not kind.__struct_config__.omit_defaults:
        return [(name, msgspec.NODEFAULT) for name in names]
    usual = kind.__struct_defaults__
    none = [msgspec.NODEFAULT] * (len(names) - len(usual))
    return list(zip(names, [*none, *usual], strict=True))


def _left_out(value: Any, usual: Any) -> bool:
    """As msgspec has it: the very value, or an empty list or dict where that is usual."""
    if usual is msgspec.NODEFAULT:
        return False
    made = getattr(usual, "factory", None)
    return value is usual or (made in (list, dict) and type(value) is made and not value)
