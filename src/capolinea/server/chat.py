"""What people write to each other in a room: beside the match, never in its record."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from typing import Literal

import msgspec

from capolinea.engine.problems import Refused
from capolinea.engine.text import clean
from capolinea.server import documents, logs
from capolinea.server.protocol import Chat
from capolinea.server.store import AddChat, ChatRow

#: So many people's last lines are timed; there is room for no more in a room.
MOST_WRITERS = 500

Channel = Literal["table", "team", "watchers"]


class Written(msgspec.Struct, frozen=True):
    """A line as it is stored: with who wrote it, and who may read it if that is not everybody."""

    line: Chat
    by: str = ""
    #: The team: its seats in the match.
    team: list[int] = []
    match: str = ""
    #: What the client of who wrote it calls it: one that is sent again is the same line.
    client: str = ""


class Reader(msgspec.Struct, frozen=True):
    """Who reads: a socket, as far as the chat is concerned."""

    #: The match that is on the table, and the seat of it.
    match: str
    seat: int | None = None
    #: Has no seat, and speaks with those who have none either while a match is on.
    watches: bool = True
    #: The ids of people of whom it wants to read nothing.
    mutes: list[str] = []


def _readable(row: ChatRow) -> Written | None:
    """A line, unless it is damaged or of a kind that only a newer server has; then it stays as it is."""
    try:
        return msgspec.json.decode(row.line, type=Written)
    except documents.UNREADABLE as error:
        logs.tell_error("chat-line-not-read", error)
        return None


class Talk:
    """The chat of one room. It knows who may read what; sending and storing is for others."""

    def __init__(self, room: str, most: int) -> None:
        self.room = room
        #: So many lines are remembered, here and in the store.
        self.most = most
        self.match = ""
        self.lines: list[Written] = []
        self._last = 0
        self._when: dict[str, int] = {}
        #: What people's clients called their last lines.
        self._sent: deque[tuple[str, str]] = deque(maxlen=1000)
        #: One after another: a line that comes again while it is being stored is the same one.
        self.lock = asyncio.Lock()

    def load(self, rows: list[ChatRow], match: str) -> None:
        """Go on where the store says that things stood, in this match if one is on."""
        self.match = match
        lines = [written for row in rows if (written := _readable(row))]
        self.lines = lines
        self._sent.extend((written.by, written.client) for written in lines)
        self._last = max((row.n for row in rows), default=0)

    def begin(self, match: str) -> None:
        self.match = match

    def end(self, keep: bool) -> None:
        """The match is over, and what was said is forgotten unless the table wants to keep it."""
        self.match = ""
        if not keep:
            self.lines = []

    def check(self, person: str, hushed: bool, text: str, longest: int, slow: int, now: int) -> str:
        """The text as it will stand there, or Refused. `now` need not be the time of day."""
        if hushed:
            raise Refused("chat.hushed")
        # First of all, so that nobody pays for what will not stand there.
        if len(text.strip()) > longest:
            raise Refused("chat.too-long", most=longest)
        lines = [line.rstrip() for line in clean(text, lines=True).split("\n")]
        text = re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip()
        if not text:
            raise Refused("chat.nothing")
        since = now - self._when.get(person, -(10**12))
        if since < slow * 1000:
            raise Refused("chat.slow", seconds=slow - since // 1000)
        self._when.pop(person, None)
        self._when[person] = now
        if len(self._when) > MOST_WRITERS:
            del self._when[next(iter(self._when))]
        return text

    def sent(self, person: str, client: str) -> bool:
        """Whether this person's line of this name is there already."""
        return (person, client) in self._sent

    def write(self, written: Written) -> tuple[Written, AddChat]:
        """Give a line its number. Times serve as numbers: a gap tells of no line that one may not read,
        and none comes twice after a restart."""
        self._last = max(self._last + 1, written.line.at)
        line = msgspec.structs.replace(written.line, n=self._last)
        written = msgspec.structs.replace(written, line=line, match=self.match)
        row = ChatRow(self._last, self.match, msgspec.json.encode(written))
        full = len(self.lines) >= self.most
        since = min((one.line.n for one in self._remembered_with(written)), default=row.n)
        return written, AddChat(self.room, row, since if full else 0)

    def keep(self, written: Written) -> None:
        """It is stored: from now on it can be read."""
        self._sent.append((written.by, written.client))
        if written.match == self.match:  # or else it was forgotten while it was being stored
            self.lines = self._remembered_with(written)

    def _remembered_with(self, written: Written) -> list[Written]:
        return [*self.lines, written][-self.most :] if self.most else []

    def may_read(self, written: Written, reader: Reader) -> bool:
        if written.by in reader.mutes:
            return False
        match written.line.to:
            case "table":
                return True
            case "watchers":
                return reader.watches
        # What a team said is for those in its seats, and for nobody once another match is on the table.
        return reader.match == written.match and reader.seat in written.team
