"""What must survive, as a small interface: one transaction of changes, and a few questions.

Whoever tells anybody anything writes it first: `write` returns when all its changes are on the disk,
or raises and none of them is. A match is its entries, `unique(match, n)`; everything else about a
running match can be folded from them.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol

import msgspec

from capolinea.engine.problems import Problem


class StoreFailed(Exception):
    """Nothing of this transaction was kept."""

    #: What is wrong with the store; None if it is only with this transaction.
    problem: Problem | None = None


class NotRead(StoreFailed):
    """A question that could not be answered."""


class Taken(StoreFailed):
    """Somebody else was faster: another entry of this match already has this number, or it has ended."""


# --- what is kept --------------------------------------------------------------------------------


#: Who writes: raised with everything that gives what is stored another meaning, the rules of any title
#: among it. Whoever finds a match of a later one leaves it alone.
WRITER = 1


class MatchRow(msgspec.Struct, frozen=True):
    """A match without its entries."""

    id: str
    #: The room it was played in, or "" for a record that somebody brought.
    room: str
    #: A Record as JSON with its seed, without entries and result.
    header: bytes
    #: Milliseconds since 1970.
    began: int
    ended: int | None = None
    #: Anybody may find it in lists once it is over.
    public: bool = False
    #: Why it cannot go on, if it cannot: its entries fold differently than they did.
    frozen: str = ""
    #: Since when it pauses, in milliseconds since 1970.
    paused: int | None = None
    #: Milliseconds since it began that were no play, where it goes by the calendar: pauses, and the
    #: time in which it went by another clock.
    rested: int = 0
    #: The latest WRITER of its entries.
    writer: int = WRITER


class EntryRow(msgspec.Struct, frozen=True):
    """One entry of a match's log."""

    n: int
    #: The entry as JSON, as records have it.
    entry: bytes
    #: A hash of the state after it.
    state: bytes
    #: What the client called it, so that a resend counts once; "" for bots and the clock.
    client: str = ""


class Held(msgspec.Struct, frozen=True):
    """An answer in a reaction window, kept until the window closes; at most one a seat."""

    seat: int
    question: int
    #: The steps as JSON.
    do: bytes
    client: str = ""


class ChatRow(msgspec.Struct, frozen=True):
    """A line of chat of a room."""

    n: int
    #: The match during which it was written, or "".
    match: str
    #: A chat message as JSON.
    line: bytes


class ProposalRow(msgspec.Struct, frozen=True):
    """What is proposed to the people of a match, or was last."""

    number: int
    #: "undo" or "pause"; "" when it is not open any more.
    kind: str
    #: What it is, and who has agreed, as JSON.
    doc: bytes


# --- changes -------------------------------------------------------------------------------------


class PutRoom(msgspec.Struct, frozen=True):
    """A room as one document, new or changed."""

    code: str
    doc: bytes
    #: When that was, in milliseconds that servers have been up with this store.
    changed: int
    #: Whose room it is, by their ids.
    people: list[str] = []
    #: The data that lies beside it, by its hashes: it must be in the store, or come in the same write.
    data: list[str] = []
    #: Whether a match is on.
    playing: bool = False


class DropRoom(msgspec.Struct, frozen=True):
    """The room and its chat; its matches stay."""

    code: str


class TouchRoom(msgspec.Struct, frozen=True):
    """Somebody used this room, if it is still there."""

    code: str
    #: As with PutRoom.
    changed: int


class PutData(msgspec.Struct, frozen=True):
    """Data that somebody brought, if it is not there already. For all rooms that have it."""

    hash: str
    content: bytes


class DropUnused(msgspec.Struct, frozen=True):
    """Forget all data that no room has any more."""


class PutMatch(msgspec.Struct, frozen=True):
    """A match without its entries, new or changed; fails if a later writer has written it. What has
    ended stays so: raises Taken if this one goes on, and the first end counts."""

    match: MatchRow


class EndMatch(msgspec.Struct, frozen=True):
    """A match is over, if it was not; fails if a later writer has written it."""

    match: str
    #: Milliseconds since 1970.
    ended: int


class AddEntries(msgspec.Struct, frozen=True):
    """The next entries of a match; raises Taken if one of the numbers is gone, or the match has ended."""

    match: str
    rows: list[EntryRow]


class Hold(msgspec.Struct, frozen=True):
    """Keep a seat's answer in a window, in place of its earlier one."""

    match: str
    held: Held


class Release(msgspec.Struct, frozen=True):
    """The window closed: no answer is held any more."""

    match: str


class PutPrivate(msgspec.Struct, frozen=True):
    """What a seat keeps for itself: notes, standing passes, where to be called. One document."""

    match: str
    seat: int
    doc: bytes


class AddChat(msgspec.Struct, frozen=True):
    """A line of chat; those with a number below `since` are forgotten."""

    room: str
    row: ChatRow
    since: int = 0


class DropChat(msgspec.Struct, frozen=True):
    """Forget what was said in a room."""

    room: str


class DropMatch(msgspec.Struct, frozen=True):
    """A match with all its entries and all that belongs to it."""

    match: str


class PutProposal(msgspec.Struct, frozen=True):
    """A proposal, new or voted on."""

    match: str
    proposal: ProposalRow


class EndProposal(msgspec.Struct, frozen=True):
    """A proposal of this kind, if there is one, is not open any more."""

    match: str
    kind: str


class PutAway(msgspec.Struct, frozen=True):
    """Nobody is at this match and no worker has it open, until somebody comes or something is due."""

    match: str
    #: When something happens in it by itself, in milliseconds since 1970; None: nothing does.
    due: int | None
    #: What its entries do not say of how it stood.
    doc: bytes


class WakeUp(msgspec.Struct, frozen=True):
    """A match that was put away is open again."""

    match: str


class PutMark(msgspec.Struct, frozen=True):
    """A sign that the store can be written to, in place of the last one."""

    mark: bytes


Change = (
    PutRoom
    | DropRoom
    | TouchRoom
    | PutData
    | DropUnused
    | PutMatch
    | EndMatch
    | AddEntries
    | Hold
    | Release
    | PutPrivate
    | AddChat
    | DropChat
    | DropMatch
    | PutProposal
    | EndProposal
    | PutAway
    | WakeUp
    | PutMark
)


# --- the interface -------------------------------------------------------------------------------


class Store(Protocol):
    """Where matches are kept."""

    async def open(self) -> None:
        """Make ready; brings an older store up to date after a backup. May raise a Problem."""

    async def close(self) -> None:
        """Finish what was begun."""

    def write(self, *changes: Change) -> Awaitable[None]:
        """All of these or none, safe against a power cut when this returns. Raises StoreFailed only
        when it is sure that they are not kept and never will be."""

    async def check(self) -> None:
        """Write something and read it back; raises a Problem that says what is wrong."""

    async def secret(self) -> bytes:
        """The key that tokens are signed with: 32 random bytes, made once."""

    async def room(self, code: str) -> bytes | None: ...

    async def rooms_before(self, time: int) -> list[str]:
        """The codes of the rooms that nobody has changed or used since then."""

    async def last_used(self) -> int:
        """When any room was last changed or used; 0 if none was."""

    async def rooms_of(self, person: str, most: int) -> list[bytes]:
        """The documents of somebody's rooms: those with a match on first, then the last changed."""

    async def data(self, hash: str) -> bytes | None: ...

    async def match(self, id: str) -> MatchRow | None: ...

    async def matches(self, room: str | None = None) -> list[MatchRow]:
        """Every match, or those of a room, the newest first."""

    async def entries(self, match: str, since: int = 0) -> list[EntryRow]:
        """The entries from number `since` on, in order."""

    async def held(self, match: str) -> list[Held]: ...

    async def private(self, match: str) -> dict[int, bytes]:
        """The private document of each seat that has one."""

    async def proposal(self, match: str) -> ProposalRow | None: ...

    async def running(self, matches: list[str]) -> set[str]:
        """Those of these matches that have not ended."""

    async def put_away(self, match: str) -> bytes | None:
        """What was kept of how a match stood when it was put away, if it is."""

    async def left_open(self) -> list[str]:
        """The rooms with a match that has not ended and is not put away."""

    async def due(self, since: int, until: int) -> list[str]:
        """The rooms with a match that is put away in which something is due after `since` and not after
        `until`; what is due first stands first."""

    async def chat(self, room: str, most: int) -> list[ChatRow]:
        """The last lines, so many at most."""
