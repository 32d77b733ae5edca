"""What needs the consent of the people at a table: to take back what is past a barrier, to pause.

One proposal at a time. Everybody who plays is asked, connected at this moment or not, and a vote stands
whatever its person does then. Bots agree to everything, but for nobody: a move is taken back with the
consent of all persons who have played since, whoever plays for them by now. One who disagrees ends it, and
so does time. It is stored before it is told, and goes on after a restart with the time that was left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Literal, Protocol

import msgspec

from capolinea.engine.problems import Refused
from capolinea.engine.record import Control
from capolinea.server.protocol import Proposal, encode
from capolinea.server.store import EndProposal, ProposalRow, PutProposal, StoreFailed
from capolinea.server.table import Table

Kind = Literal["undo", "pause"]
#: By whom something is proposed, what, and which entry is to be taken back.
What = tuple[int, Kind, int | None]


class Ballot(msgspec.Struct, frozen=True):
    """A proposal as it is stored."""

    proposal: Proposal
    #: Seconds that were left then.
    left: float
    #: The entry that is to be taken back, if that is proposed.
    undo_to: int | None = None
    #: What the client of who proposed it calls that.
    client: str = ""
    #: Somebody said no, and until then it may not be proposed again.
    declined: bool = False

    @property
    def what(self) -> What:
        return self.proposal.by, self.proposal.kind, self.undo_to


class Company(Protocol):
    """Who sits at the table."""

    def tell_status(self) -> None:
        """There is something to tell of a proposal."""

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this beside everything else."""


class Proposals:
    """The proposals of one match."""

    def __init__(self, table: Table, company: Company, seconds: float) -> None:
        self.table = table
        self._company = company
        self._seconds = seconds
        self._ballot: Ballot | None = None
        #: The number of the last proposal of this match: none is used twice.
        self._count = 0
        self._expiry: asyncio.TimerHandle | None = None
        #: What somebody said no to, and until when it may not be proposed again.
        self._declined: dict[What, float] = {}

    @property
    def open(self) -> Proposal | None:
        return None if self._ballot is None else self._ballot.proposal

    @property
    def settled(self) -> bool:
        """Whether nothing is asked, and nobody's no has to be remembered."""
        now = asyncio.get_running_loop().time()
        return self._ballot is None and all(until <= now for until in self._declined.values())

    async def take_up(self) -> None:
        """Go on where the store says that things stood."""
        row = await self.table.store.proposal(self.table.row.id)
        self._count = 0 if row is None else row.number
        if row is None or self.table.over:
            return
        if row.kind == "pause" and self.table.row.paused is not None:
            return  # it was carried out just before a restart
        with suppress(msgspec.MsgspecError):  # of a version that had other proposals
            ballot = msgspec.json.decode(row.doc, type=Ballot)
            if row.kind:
                self._begin(ballot)
            elif ballot.declined:
                self._declined[ballot.what] = asyncio.get_running_loop().time() + ballot.left

    async def propose(self, seat: int, kind: Kind, unasked: set[int], client: str = "") -> None:
        """Ask the people at the table but those `unasked`; if that is nobody, it is agreed."""
        async with self.table.lock:
            await self.table.refresh()
            if self._ballot is not None:
                if client and (self._ballot.proposal.by, self._ballot.client) == (seat, client):
                    return  # it was only sent again
                raise Refused("table.one-proposal")
            undo_to = _last_move(self.table, seat) if kind == "undo" else None
            people = _people_since(self.table, undo_to)
            asked = [one for one in people if one != seat and one not in unasked]
            proposal = Proposal(self._count + 1, kind, seat, [seat], asked)
            ballot = Ballot(proposal, self._seconds, undo_to, client)
            self._check_not_declined(ballot)
            if asked:
                self._count += 1
                await self._keep(ballot)
                self._begin(ballot)
                self._company.tell_status()
                return
        await self._carry_out(ballot)

    async def vote(self, seat: int, number: int, agree: bool) -> None:
        async with self.table.lock:
            await self.table.refresh()
            ballot = self._ballot
            if ballot is None or ballot.proposal.id != number or seat not in ballot.proposal.asked:
                raise Refused("table.no-proposal")
            if not agree:
                await self._decline(ballot)
                return
            unanimous = await self._agree(ballot, [seat])
        if unanimous:
            await self._carry_out(ballot)

    def moved(self) -> None:
        """A move that all have seen: what was to be taken back is not the last any more."""
        if self.open is not None and self.open.kind == "undo":
            self.end()  # with that move the store has it so, too

    def end(self) -> None:
        """Whoever calls this tells of it."""
        self._ballot = None
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None

    # --- inside, with the table's lock -----------------------------------------------------------

    def _begin(self, ballot: Ballot) -> None:
        self._ballot = ballot
        loop = asyncio.get_running_loop()
        self._expiry = loop.call_later(ballot.left, lambda: self._company.run(self._expire()))

    def _left(self) -> float:
        assert self._expiry is not None
        return max(0.0, self._expiry.when() - asyncio.get_running_loop().time())

    def _check_not_declined(self, ballot: Ballot) -> None:
        now = asyncio.get_running_loop().time()
        self._declined = {what: until for what, until in self._declined.items() if now < until}
        if ballot.what in self._declined:
            raise Refused("table.declined")

    async def _agree(self, ballot: Ballot, seats: list[int]) -> bool:
        """These seats agree. Whether that makes it unanimous: then what is proposed is stored, and
        these votes with it."""
        proposal = ballot.proposal
        asked = [other for other in proposal.asked if other not in seats]
        if not asked:
            return True
        agreed = sorted([*proposal.agreed, *seats])
        proposal = msgspec.structs.replace(proposal, asked=asked, agreed=agreed)
        ballot = msgspec.structs.replace(ballot, proposal=proposal, left=self._left())
        await self._keep(ballot)
        self._ballot = ballot
        self._company.tell_status()
        return False

    async def _keep(self, ballot: Ballot) -> None:
        row = ProposalRow(ballot.proposal.id, ballot.proposal.kind, encode(ballot))
        await self.table.store.write(PutProposal(self.table.row.id, row))

    async def _decline(self, ballot: Ballot) -> None:
        ballot = msgspec.structs.replace(ballot, left=self._left(), declined=True)
        row = ProposalRow(ballot.proposal.id, "", encode(ballot))
        await self.table.store.write(PutProposal(self.table.row.id, row))
        self._declined[ballot.what] = asyncio.get_running_loop().time() + ballot.left
        self.end()
        self._company.tell_status()

    async def _close(self) -> None:
        if self.open is not None:
            await self.table.store.write(EndProposal(self.table.row.id, self.open.kind))
            self.end()
            self._company.tell_status()

    # --- inside, without it ----------------------------------------------------------------------

    async def _expire(self) -> None:
        """Who has not answered by now does not agree."""
        number = self.open.id if self.open else 0
        while self.open is not None and self.open.id == number:
            try:
                async with self.table.lock:
                    await self._close()
            except StoreFailed:
                await asyncio.sleep(self.table.retry)

    async def _carry_out(self, ballot: Ballot) -> None:
        wanted = self._ballot

        def check() -> None:
            if self._ballot is not wanted:
                raise Refused("table.no-proposal")  # it ended while we waited for our turn

        proposal = ballot.proposal
        if proposal.kind == "undo":
            await self.table.undo(proposal.by, ballot.undo_to, True, ballot.client, check)
            return
        await self.table.pause(True, EndProposal(self.table.row.id, "pause"))
        self.end()
        self._company.tell_status()


def _people_since(table: Table, entry: int | None) -> list[int]:
    """The seats that persons play, or have played since this entry."""
    players = ["person"] * len(table.match.names)
    people = set(table.people())
    for n, one in enumerate(table.match.entries):
        if n == entry:
            people |= {seat for seat, by in enumerate(players) if by == "person"}
        if isinstance(one, Control):
            players[one.seat] = one.by
            if entry is not None and n > entry and one.by == "person":
                people.add(one.seat)
    return sorted(people)


def _last_move(table: Table, seat: int) -> int:
    """The entry that an undo would take back."""
    table.check_going_on()
    last = table.match.last_move(seat)
    if last is None:
        raise Refused("refused.undo")
    return last
