"""What needs the consent of the people at a table: to take back what is past a barrier, to pause.

One proposal at a time. Those who are here are asked, bots agree to everything; one who disagrees ends
it, and so does time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

import msgspec

from capolinea.engine.problems import Refused
from capolinea.server.protocol import Proposal
from capolinea.server.table import Table

Kind = Literal["undo", "pause"]


class Proposals:
    """The proposals of one room. `changed` is called whenever there is something to tell of them."""

    def __init__(self, seconds: float, changed: Callable[[], None]) -> None:
        self._seconds = seconds
        self._changed = changed
        self.open: Proposal | None = None
        self._count = 0
        #: The entry that is to be taken back, if that is proposed.
        self._undo_to: int | None = None
        #: What the client of who proposed it calls that.
        self._client = ""
        self._expiry: asyncio.TimerHandle | None = None

    async def propose(
        self, table: Table, seat: int, kind: Kind, present: set[int], client: str = ""
    ) -> None:
        """Ask those who are here; if nobody else is, it is agreed."""
        if self.open is not None:
            if client and (self.open.by, self._client) == (seat, client):
                return  # it was only sent again
            raise Refused("table.one-proposal")
        self._client = client
        if kind == "undo":
            table.check_going_on()
            self._undo_to = table.match.last_move(seat)
            if self._undo_to is None:
                raise Refused("refused.undo")
        others = sorted(set(table.people()) & present - {seat})
        if not others:
            await self._carry_out(table, seat, kind)
            return
        self._count += 1
        self.open = Proposal(self._count, kind, seat, [seat], others)
        loop = asyncio.get_running_loop()
        self._expiry = loop.call_later(self._seconds, self._expire)
        self._changed()

    async def vote(self, table: Table, seat: int, number: int, agree: bool) -> None:
        proposal = self.open
        if proposal is None or proposal.id != number or seat not in proposal.asked:
            raise Refused("table.no-proposal")
        if not agree:
            self._expire()
            return
        asked = [other for other in proposal.asked if other != seat]
        agreed = sorted([*proposal.agreed, seat])
        self.open = msgspec.structs.replace(proposal, asked=asked, agreed=agreed)
        if asked:
            self._changed()
            return
        self._expire()
        await self._carry_out(table, proposal.by, proposal.kind)

    def moved(self) -> None:
        """A move that all have seen: what was to be taken back is not the last any more."""
        if self.open is not None and self.open.kind == "undo":
            self.end()

    def end(self) -> None:
        """Whoever calls this tells of it."""
        self.open = None
        if self._expiry is not None:
            self._expiry.cancel()

    def _expire(self) -> None:
        self.end()
        self._changed()

    async def _carry_out(self, table: Table, seat: int, kind: Kind) -> None:
        if kind == "undo":
            await table.undo(seat, self._undo_to, agreed=True, client=self._client)
        else:
            await table.pause(True)
            self._changed()
