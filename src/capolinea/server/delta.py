"""How one scene became the next, in as few words as possible.

A delta is a list of changes, each a path and the value that stands there from now on, or the path
alone of what is gone:

    >>> delta({"speed": 90, "log": ["a"]}, {"speed": 120, "log": ["a", "b"]})
    [[['speed'], 120], [['log', 1], 'b']]
    >>> delta({"hand": [1, 2, 3], "note": "x"}, {"hand": [1, 2]})
    [[['hand', 2]], [['note']]]

A list grows by a value at the place after its last, and is cut off at the place that is gone.
"""

from __future__ import annotations

from typing import Any

Path = list[str | int]
#: [path, value], or [path] for what is gone.
Change = list[Any]


def delta(old: Any, new: Any) -> list[Change]:
    """The changes that make `new` of `old`; both as JSON has them."""
    changes: list[Change] = []
    _compare(old, new, [], changes)
    return changes


def _compare(old: Any, new: Any, path: Path, changes: list[Change]) -> None:
    if old is new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name, value in new.items():
            if name in old:
                _compare(old[name], value, [*path, name], changes)
            else:
                changes.append([[*path, name], value])
        changes += [[[*path, name]] for name in old if name not in new]
    elif isinstance(old, list) and isinstance(new, list):
        for place, item in enumerate(new):
            if place < len(old):
                _compare(old[place], item, [*path, place], changes)
            else:
                changes.append([[*path, place], item])
        if len(new) < len(old):
            changes.append([[*path, len(new)]])
    elif type(old) is not type(new) or old != new:
        changes.append([path, new])


def patched(scene: Any, changes: list[Change]) -> Any:
    """The scene after these changes; the given one is not to be used any more."""
    for path, *value in changes:
        if not path:
            scene = value[0]
            continue
        *way, last = path
        place = scene
        for step in way:
            place = place[step]
        if value and isinstance(place, list) and last == len(place):
            place.append(value[0])
        elif value:
            place[last] = value[0]
        elif isinstance(place, list):
            del place[last:]
        else:
            del place[last]
    return scene
