"""Garbage, looked for when that holds nobody up.

Nearly all that is gone is freed at once. What refers to itself in a circle waits for the collector,
which looks at everything there is: with a thousand tables that takes half a second, and nobody is
served meanwhile. So it looks only at what is new, once a minute at the least. What outlived that is put
aside, and looked at when nobody is here, or once a day.
"""

from __future__ import annotations

import asyncio
import gc

from capolinea.server.hub import Hub

#: It looks when so many objects are new, and at what outlived that after so many such looks: 10,000
#: objects take it three milliseconds. At everything it does not look by itself.
NEW, LOOKS, NEVER = 10_000, 4, 1_000_000
#: Seconds between two looks whether somebody is here, and how many of them make a day.
MINUTE = 60
DAY = 24 * 60


class Garbage:
    """Of one process. Begin when all is there that stays."""

    def __init__(self) -> None:
        #: Minutes with somebody here since everything was looked at.
        self._busy = 0
        gc.set_threshold(NEW, LOOKS, NEVER)
        self._look_at_all()

    def minute(self, busy: bool) -> None:
        """One has passed, with somebody here or not."""
        self._busy += busy
        if self._busy and (not busy or self._busy >= DAY):
            self._look_at_all()
        else:
            gc.collect(1)  # what is put aside as garbage would stay for a day
            gc.freeze()

    def _look_at_all(self) -> None:
        self._busy = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()


async def watch_garbage(hub: Hub) -> None:
    garbage = Garbage()
    while True:
        await asyncio.sleep(MINUTE)
        garbage.minute(any(lounge.sockets for lounge in hub.lounges.values()))
