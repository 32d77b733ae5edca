"""How long a match has been played: a time that nobody can set and that never falls.

The computer's clock is no measure of it. It is corrected, put forward by mistake and set back again,
and while a laptop sleeps it runs on. It only says when something was, for people to read; and it is
the calendar of games in which people have days.
"""

from __future__ import annotations

from collections.abc import Callable

#: A clock in milliseconds.
Ticks = Callable[[], int]
#: Milliseconds: if the calendar is further off than this, then it was set, and no days have passed.
SET = 7 * 24 * 3600 * 1000


class Awake:
    """How long a server has been awake, in milliseconds, on a clock that nobody can set.

    On some systems that clock runs on while the computer sleeps. So the server looks at it often, and
    time in which it did not look for longer than it can have been busy is no time.
    """

    def __init__(self, ticks: Ticks, longest: int) -> None:
        self._ticks = ticks
        self._longest = longest
        self._last = ticks()
        self._awake = 0
        #: How often it slept.
        self.naps = 0

    def __call__(self) -> int:
        now = self._ticks()
        passed, self._last = now - self._last, now
        if passed > self._longest:
            self.naps += 1
        else:
            self._awake += passed
        return self._awake


class PlayTime:
    """Milliseconds that a match has been played. It stands still until somebody says what it goes by."""

    def __init__(self) -> None:
        self._at = 0
        self._ticks: Ticks | None = None
        self._last = 0
        self._days: Ticks | None = None

    def at(self) -> int:
        if self._ticks is not None:
            now = self._ticks()
            self._at += max(0, now - self._last)
            self._last = now
        if self._days is not None:
            days = self._days()
            if self._at < days <= self._at + SET:
                self._at = days
        return self._at

    def go_by(self, ticks: Ticks | None, days: Ticks | None = None) -> None:
        """Go on by this clock; None: stand still. Where people have days it is as late as their calendar
        says, if that can be: one that was set back and right again has cost nobody anything."""
        self.at()
        self._ticks, self._days = ticks, days
        self._last = ticks() if ticks is not None else 0

    def reach(self, at: int) -> None:
        """It is so late at least: something happened then."""
        self._at = max(self.at(), at)
