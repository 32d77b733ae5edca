"""A line of known lengths for tests, and what tests of the rules often ask.

    t = rail([], [], [], [])                       # four players on the line below
    t.at(place("paris", 31, "viaduct"), 30, "viaduct")

Built-in lines are tuned now and then; this one stays as it is. It is as short as ST-9.3 allows: by the
Fast Track the last space is number 81.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from capolinea.engine import Refused, Told, Viewer
from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.views import Own
from tests.games.stop_the_train.tables import Staged, table

SPACES = {"line": 30, "fast-track": 20, "viaduct": 25, "scenic-route": 30, "paris": 31}
BOX = SPACES["line"]
#: The three routes.
F, V, S = "fast-track", "viaduct", "scenic-route"

#: Kind, first and last space of each feature, counted in its section.
Features = dict[str, list[tuple[str, int, int]]]
FEATURES: Features = {
    "line": [("hill", 4, 6), ("bridge", 10, 11), ("tunnel", 15, 17), ("hill", 21, 23)],
    "fast-track": [("hill", 5, 7), ("tunnel", 12, 13)],
    "viaduct": [("viaduct", 8, 12)],
    "scenic-route": [("tunnel", 3, 4), ("bridge", 10, 12)],
    "paris": [("tunnel", 10, 12), ("hill", 20, 21)],
}


def line_file(
    features: Features | None = None, spaces: dict[str, int] | None = None, **others: Any
) -> dict[str, Any]:
    """The file of that line; what is given stands instead of what it has."""
    lengths = SPACES | (spaces or {})
    places = FEATURES | (features or {})
    sections = {
        name: {
            "name": {"en": name},
            "spaces": lengths[name],
            "points": [[0, 0], [100, 0]],
            "radius": 10,
            "label": [0, 0],
            "features": [
                {"kind": kind, "from": first, "to": last, "name": {"en": kind}, "label": [0, 0]}
                for kind, first, last in places[name]
            ],
        }
        for name in SPACES
    }
    return {"name": {"en": "Test"}, "train": 3, "size": [100, 100], "sections": sections, **others}


def rail(
    *hands: Sequence[str],
    features: Features | None = None,
    spaces: dict[str, int] | None = None,
    length: int = 3,
    **options: Any,
) -> Staged:
    """A table on that line, with a train of so many spaces."""
    content = line_file(features, spaces, train=length)
    return table(*hands, data={"track": content}, **options)


def place(section: str, number: int, route: str = "fast-track") -> int:
    """Where a space of a section lies, counted from START by way of this route."""
    if section == "line":
        return number
    if section == "paris":
        return BOX + SPACES[route] + number
    return BOX + number


def last(route: str = "fast-track") -> int:
    """The last space before Paris."""
    return place("paris", SPACES["paris"], route)


def status(t: Staged, seat: int, name: str) -> None:
    """Put a player out of the train, or to hang on it, or back."""
    t.train.status[seat] = where.NAMES.index(name)


def own(t: Staged, seat: int) -> Own:
    found = t.view(seat).own
    assert found is not None
    return found


def refused(t: Staged, seat: int, *steps: dict[str, Any] | str) -> Refused:
    with pytest.raises(Refused) as caught:
        t.do(seat, *steps)
    return caught.value


def told(t: Staged, viewer: Viewer = None) -> list[Told]:
    """Everything that this viewer was told; the table must have been laid with this viewer."""
    return [event for frame in t.match.frames(viewer) for event in frame.events]


def keys(t: Staged, viewer: Viewer = None) -> list[str]:
    return [event.key for event in told(t, viewer)]


def events(t: Staged) -> list[str]:
    """What happened since the last card was played, but for the next draw."""
    found = keys(t)
    start = len(found) - found[::-1].index("event.set-aside")
    return [key for key in found[start:] if key != "event.drew"]


def latest(t: Staged, key: str, viewer: Viewer = None) -> dict[str, Any]:
    """The arguments of the last such event."""
    return next(event.args for event in reversed(told(t, viewer)) if event.key == key)
