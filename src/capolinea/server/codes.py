"""Trying out room codes: whoever has a room's code may come in, so nobody may find one by guessing.

Every way to try a code counts against one limit of the address it comes from. A wrong one counts whole, a
right one hardly. With the usual limit of 20 wrong ones an hour, and a thousand rooms open, an address that
never rests needs more than five years to find its first room:

    19 letters, 7 of them               893,871,739 codes
    20 an hour, 24 hours, 365 days          175,200 guesses a year
    893,871,739 / 1,000 / 175,200               5.1 years

What an address has tried before is no guess: the answer was given. So whoever is in a room comes back
whatever others of the same address do, and a window on a room that is long gone, which asks again every
few seconds, uses nothing up.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from capolinea.engine.problems import Problem
from capolinea.server import logs
from capolinea.server.limits import MOST_KEYS, Rate, TooFast
from capolinea.server.metrics import Metrics

#: What a right one costs of a wrong one.
RIGHT = 1 / 50
#: No code has more letters.
LONGEST = 16
HOUR = 3600


class Missing(Problem):
    """There is no such room or match, or not for everybody."""


class Codes:
    """The limit for each address; and an alarm, but no refusal, for all of them together."""

    def __init__(
        self,
        wrong_per_hour: int,
        alarm: int,
        metrics: Metrics,
        clock: Callable[[], float] = time.monotonic,
        most: int = MOST_KEYS,
    ) -> None:
        self._rate = Rate(wrong_per_hour, HOUR, clock)
        #: (address, code), those unheard of for longest first.
        self._tried: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._most = most
        self._metrics = metrics
        self._usual = Rate(alarm, HOUR, clock)
        self._told = Rate(1, HOUR, clock)

    @contextmanager
    def trying(self, address: str, code: str) -> Iterator[None]:
        """Around looking for a room, which raises Missing if the code is wrong."""
        if (address, code) in self._tried:
            self._tried.move_to_end((address, code))
            yield
            return
        # As if it were wrong: otherwise who asks for many at the same time would have them all.
        wait = self._rate.take(address)
        if wait:
            raise TooFast(wait, "room.too-many-codes")
        try:
            yield
        except Missing:
            self._remember(address, code)
            self._count_wrong()
            raise
        except BaseException:
            self._rate.give_back(address, 1)  # that was no answer
            raise
        self._remember(address, code)
        self._rate.give_back(address, 1 - RIGHT)

    def _remember(self, address: str, code: str) -> None:
        if len(code) > LONGEST:
            return
        self._tried[address, code] = None
        if len(self._tried) > self._most:
            self._tried.popitem(last=False)

    def _count_wrong(self) -> None:
        self._metrics.wrong_codes.inc()
        if self._usual.take("all") and not self._told.take("all"):
            logs.tell("wrong-codes", logging.WARNING)

    def __len__(self) -> int:
        return len(self._tried)
