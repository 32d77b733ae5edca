"""What changed in a scene, put into it: the other half of `server/delta.py`, for whoever is told."""

from __future__ import annotations

from typing import Any

#: [path, value], or [path] for what is gone.
Change = list[Any]


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
