"""What everybody is looking at: how long that takes, and whether all have seen it.

Whatever happened in public takes its time to be shown, the same for everybody and whatever anybody holds.
Windows and clocks count from its end, and bots wait for it. Some of it (a verdict) people put aside
themselves; for that the table waits, but not for ever.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from capolinea.server.protocol import Pace
from capolinea.server.table import Table

#: Milliseconds that bots usually pause. Where they pause for less, or for longer, so does all the rest.
USUAL_PAUSE = 900
#: How much longer than usual what happened is shown.
PACES: dict[Pace, float] = {"slow": 1.6, "normal": 1.0, "fast": 0.4}


class Onlookers(Protocol):
    """Who sits at the table, and how fast they want to play."""

    @property
    def pace(self) -> Pace: ...

    def before_pages(self) -> set[int]:
        """The seats whose person looks at a page: a program has seen everything at once."""


class Stage:
    """What is shown at one table."""

    def __init__(self, table: Table, onlookers: Onlookers, pause: int) -> None:
        self.table = table
        self.onlookers = onlookers
        self._pause = pause
        #: Who has put aside what, and since when all have.
        self._of = 0
        self._seen: set[int] = set()
        self._all_at = 0
        self._changed = asyncio.Event()

    def until(self) -> int:
        """The time of play at which the table goes on."""
        fold = self.table.fold
        shown = fold.news_at + self._slowed(fold.shown_at - fold.news_at)
        return max(shown, self._rested())

    def seen_at(self, seat: int) -> int:
        """When a seat that is waited for has been shown what it was asked about."""
        fold = self.table.fold
        asked = fold.asked_at[seat]
        shown = asked + self._slowed(fold.unseen[seat])
        return max(shown, self._rested()) if asked >= fold.rest_at else shown

    def left(self) -> int:
        """Milliseconds until then."""
        return max(0, self.until() - self.table.at())

    def looking(self) -> list[int]:
        """The seats whose people still look at what all are to see."""
        return sorted(self._looking())

    def see(self, seat: int, frame: int) -> bool:
        """This seat's person has seen a public frame; whether anybody waited for that."""
        if frame != self.table.fold.resting or seat not in self._looking():
            return False
        self._seen.add(seat)
        self.look()
        return True

    def look(self) -> None:
        """Somebody came, went or has seen it, or something happened."""
        if self._of != self.table.fold.resting:
            self._of, self._all_at = self.table.fold.resting, 0
            self._seen.clear()
        if not self._all_at and not self._looking():
            self._all_at = min(self.table.at(), self._rested())
        self._changed.set()

    async def over(self) -> None:
        """Wait until the table goes on."""
        while left := self.left():
            self._changed.clear()
            try:
                async with asyncio.timeout(left / 1000):
                    await self._changed.wait()
            except TimeoutError:
                return  # also where time stands still, since nobody is there

    def _rested(self) -> int:
        """When all have seen what people are to see, or have had long enough for it."""
        fold = self.table.fold
        if self._of == fold.resting and self._all_at:
            return self._all_at
        return fold.rest_at + self._slowed(fold.rest)

    def _slowed(self, time: int) -> int:
        return round(time * PACES[self.onlookers.pace] * self._pause / USUAL_PAUSE)

    def _looking(self) -> set[int]:
        if self.table.at() >= self._rested():
            return set()
        seen = self._seen if self._of == self.table.fold.resting else set()
        return (set(self.table.people()) & self.onlookers.before_pages()) - seen
