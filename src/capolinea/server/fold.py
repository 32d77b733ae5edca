"""A match folded from its log, with what each viewer was told and when each was asked."""

from __future__ import annotations

import msgspec

from capolinea.engine.game import Game
from capolinea.engine.match import Match, Viewer
from capolinea.engine.problems import Refused
from capolinea.engine.record import Control, Entry, Move, Record, Say, Undo
from capolinea.server import documents
from capolinea.server.protocol import encode
from capolinea.server.store import WRITER, EntryRow, MatchRow

#: Milliseconds of what is still to be shown that what comes next waits for.
LONGEST_SHOW = 8_000
#: In which something that was said can be read.
SAID = 2_000

#: The events of a frame that tells of none.
NOTHING = msgspec.Raw(b"[]")

decode_entry = msgspec.json.Decoder(Entry).decode
decode_header = msgspec.json.Decoder(Record).decode


class Fold:
    """A match folded from its log, with what each viewer was told and when each was asked."""

    def __init__(self, game: Game, row: MatchRow) -> None:
        header = header_of(row)
        viewers: list[Viewer] = [None, *range(len(header.seats))]
        self.match = Match.begin(game, header, viewers, brief=True)
        #: By which rules it was played, as far as it is stored.
        self.rules = header.rules
        #: Everything each viewer was ever told: the events of the frames 1, 2, … of their own stream.
        #: As JSON: that is a third of the memory, and made once for all who are told the same.
        self.told: dict[Viewer, list[msgspec.Raw]] = {viewer: [] for viewer in viewers}
        #: How long it had been played at the newest entry. Clocks that were set back made older
        #: versions write times that fall: that time was played all the same.
        self.at = 0
        #: What clients called the moves that they made.
        self.clients: set[tuple[int, str]] = set()
        #: At which time of the match each seat that is waited for was asked. Everybody sees how long
        #: a seat has left, so this goes by what everybody sees, never by what it may do.
        self.asked_at = [0] * len(header.seats)
        #: How much was still to be shown then, in milliseconds.
        self.unseen = [0] * len(header.seats)
        #: When everybody heard the last news, and when it has been shown, before anybody hurries it. This
        #: too goes by what everybody sees.
        self.news_at = self.shown_at = 0
        #: The number of the public frame that people take in before the table goes on, when that came, and
        #: how long the table waits for them at most.
        self.resting = self.rest_at = self.rest = 0
        #: How long each seat took whenever it was waited for outside windows.
        self.took: list[list[int]] = [[] for _ in header.seats]
        #: Who has said something in this moment of the game.
        self.spoken: set[int] = set()
        self._moment = -1
        #: The bot that plays each seat, or "".
        self.levels = [""] * len(header.seats)
        self._waiting: list[int] = []
        self._window = ""
        #: Whether the log could not be followed to its end.
        self.broken = False
        self._look()

    @classmethod
    def of(cls, game: Game, row: MatchRow, rows: list[EntryRow]) -> Fold:
        """By the rules that lead to what was stored; where none do, as far as it is what it was."""
        record = stored_record(row, rows)
        game, reach = Match.reach(game, record)
        fold = cls(game, row)
        for place, entry in enumerate(record.entries[:reach]):
            try:
                fold.match.follow(entry)
                fold.note(rows[place].client)
            except Exception:  # it is what it was, but nobody can be shown it
                fold, reach = cls.of(game, row, rows[:place]), place
                break
        fold.broken = reach < len(rows)
        return fold

    def note(self, client: str) -> EntryRow:
        """Take down the newest entry, as it is stored."""
        n = len(self.match.entries) - 1
        entry = self.match.entries[n]
        if client:
            self.clients.add((entry.seat, client))
        if isinstance(entry, Control):
            self.levels[entry.seat] = entry.name
        self.at = max(self.at, entry.at or 0)
        self._look(entry)
        return EntryRow(n, encode(entry), bytes.fromhex(self.match.checks[n]), client)

    def _look(self, entry: Entry | None = None) -> None:
        """What each viewer is told now, and who is asked anew."""
        public = len(self.told[None])
        coded: dict[tuple[int, ...], msgspec.Raw] = {(): NOTHING}
        for viewer, told in self.told.items():
            frame = self.match.newest(viewer)
            if frame.n > len(told):
                same = tuple(map(id, frame.events))  # what all are told is one object
                if same not in coded:
                    coded[same] = msgspec.Raw(encode(frame.events))
                told.append(coded[same])
        news = len(self.told[None]) > public
        if news:
            self._show(entry)
        shown = news and isinstance(entry, Move | Undo)
        state = self.match.state
        if isinstance(entry, Say):
            self.spoken.add(entry.seat)
        if state.moment() != self._moment:
            self.spoken.clear()
            self._moment = state.moment()
        before, self._waiting = self._waiting, state.waiting()
        last, self._window = self._window, state.window()
        for seat in range(len(self.asked_at)):
            # Whoever is waited for anew, has acted for all to see, or can answer to news in a window.
            again = shown and entry is not None and (entry.seat == seat or self._window != "")
            still = seat in before and seat in self._waiting and last == self._window
            if seat in before and not last and (again or not still):
                self.took[seat].append(self.at - self.asked_at[seat])
            if seat in self._waiting and (again or not still):
                self.asked_at[seat] = self.at
                self.unseen[seat] = max(0, self.shown_at - self.at)

    def _show(self, entry: Entry | None) -> None:
        """Everybody has something new to look at."""
        game, events = self.match.game, self.match.newest(None).events
        begins = min(max(self.at, self.shown_at), self.at + LONGEST_SHOW)
        if entry is None or isinstance(entry, Undo):
            begins, self.rest = self.at, 0  # what is taken back need not be shown
            events = []
        self.news_at, self.shown_at = self.at, begins + game.showing(events)
        if isinstance(entry, Say):
            self.shown_at = begins + SAID
        for event in events:
            if event.key in game.rests:
                self.resting, self.rest_at = len(self.told[None]), self.at
                self.rest = self.shown_at - self.at + 1000 * game.rests[event.key]


def check_writer(row: MatchRow) -> None:
    """What a newer server wrote may mean something that we do not know."""
    if row.writer > WRITER:
        raise Refused("match.newer-server")


def header_of(row: MatchRow) -> Record:
    """What a match is; first of all whether that is for us to read."""
    check_writer(row)
    try:
        return decode_header(row.header)
    except documents.UNREADABLE:
        raise Refused("match.unreadable") from None


def stored_record(row: MatchRow, rows: list[EntryRow]) -> Record:
    """A match as it was stored, up to the first entry that is missing or cannot be read."""
    entries: list[Entry] = []
    for place, stored in enumerate(rows):
        try:
            entry = decode_entry(stored.entry)
        except msgspec.DecodeError:
            break
        if stored.n != place:
            break
        entries.append(entry)
    checks = [stored.state.hex() for stored in rows[: len(entries)]]
    return msgspec.structs.replace(header_of(row), entries=entries, checks=checks)
