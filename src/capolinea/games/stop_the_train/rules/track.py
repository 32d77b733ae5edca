"""The line as the rules need it (ST-9): three paths from START to the last space before Paris.

The data file and its checks are in line.py. A path is a list of spaces; up to the signal box and
after the join the three have the same spaces. A place on a path is counted from START, which is 0.

What is said of each path stands in lists by route. Before the vote there is no route: Route.NONE is -1,
and the last entry of each list is the first one again, since up to the signal box all are alike.
"""

from __future__ import annotations

from typing import Final

from capolinea.engine.native import i64

TUNNEL: Final = 1
LAST_TUNNEL: Final = 2
#: A bridge or a viaduct: here meetings are held (ST-5.5).
MEETING_PLACE: Final = 4


class Track:
    """Never changes; states share it."""

    def __init__(self) -> None:
        self.name = ""
        #: How many spaces a train covers.
        self.train: i64 = 3
        #: The place of the signal box, the same on every path.
        self.box: i64 = 0
        #: For each route, the number of each space, what is there as bits, and the hill or -1.
        self.spaces: list[list[int]] = [[], [], []]
        self.marks: list[list[int]] = [[], [], []]
        self.hills: list[list[int]] = [[], [], []]
        #: The same bits for a train whose front stands there, with all that it covers.
        self.under: list[list[int]] = [[], [], []]
        #: For each route, the feature at each place as `<section>.<number>`, or "".
        self.features: list[list[str]] = [[], [], []]
        #: For each route, its bridges as first and last place, first and last place, …
        self.bridges: list[list[int]] = [[], [], []]
        #: How many of each effect card are in the deck (ST-1.2, or a shorter line's own).
        self.deck: list[int] = []
        #: Routes, the shortest first (ST-5.4).
        self.shortest: list[int] = [0, 1, 2]
        #: What the file says, for those who draw it.
        self.content: object = None
        #: What views have made of it, since it never looks otherwise.
        self.shown: dict[object, object] = {}


#: Before a line is chosen.
NO_TRACK: Final = Track()
