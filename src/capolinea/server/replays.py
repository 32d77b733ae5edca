"""Matches that are over: shown step by step, handed out as records, taken in from elsewhere.

Folding a whole match takes long, so this is work for another process: everything here can go there and
come back.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from capolinea import games
from capolinea.engine import text
from capolinea.engine.events import Event, Told
from capolinea.engine.game import Game
from capolinea.engine.match import Match, Viewer
from capolinea.engine.problems import Problem
from capolinea.engine.record import (
    Control,
    Entry,
    Move,
    Record,
    RecordProblem,
    Say,
    Undo,
    dumps,
    loads,
)
from capolinea.server.delta import delta
from capolinea.server.fold import stored_record
from capolinea.server.protocol import MatchView, Replay, Step, encode
from capolinea.server.rooms import LONGEST_NAME
from capolinea.server.store import EntryRow, MatchRow
from capolinea.server.table import (
    FROZEN,
    LONG_ENOUGH,
    LONGEST_SAYING,
    MOST_HANDED,
    MOST_SAID,
    MOST_UNDONE,
)

#: Who looks at a replay: a seat, nobody in particular, or who may know all.
TRUTH = "truth"
Looker = Viewer | str

#: What there may be in a record besides moves, for each seat. A match that goes on from another begins
#: with who plays now, hence more than at one table.
MOST: dict[type[Entry], int] = {Say: MOST_SAID, Undo: MOST_UNDONE, Control: MOST_HANDED}
MORE = 2


def record_of(row: MatchRow, rows: list[EntryRow]) -> Record:
    """The record of a match that is over: with its seed and, if it has one, its result."""
    return _kept(row, rows)[0]


def described(row: MatchRow, rows: list[EntryRow]) -> MatchView:
    """A match that is over, from outside."""
    record, folds = _kept(row, rows)
    return match_view(_marked(row, folds), record)


def _kept(row: MatchRow, rows: list[EntryRow]) -> tuple[Record, bool]:
    """A record, and whether we have rules that lead where it went; if not it is as it was stored."""
    record = stored_record(row, rows)
    if len(record.entries) == len(rows):
        with suppress(Exception):  # rules that have changed may fall over what they once allowed
            return Match.fold(games.load(record.title), record).record(reveal=True), True
    return msgspec.structs.replace(
        record, checks=record.checks if record.version > 1 else []
    ), False


def _marked(row: MatchRow, folds: bool) -> MatchRow:
    return row if folds else msgspec.structs.replace(row, frozen=FROZEN)


def written(row: MatchRow, rows: list[EntryRow], names: bool, texts: bool) -> bytes:
    """The record as a file, to keep or to hand on: without the names of people, or without what they
    typed."""
    return dumps(anonymous(record_of(row, rows), names, texts)).encode()


def anonymous(record: Record, names: bool, texts: bool) -> Record:
    """Without the names of people, or without what they typed. The checks stay as they are: what a
    state is known by has no names in it, and no sayings."""
    if names:
        seats = [str(number) for number in range(1, len(record.seats) + 1)]
        record = msgspec.structs.replace(record, seats=seats)
    if texts:
        record = msgspec.structs.replace(record, entries=_wordless(record))
    return record


def _wordless(record: Record) -> list[Entry]:
    """The entries without what people typed: nothing at all of a saying whose form nobody knows now."""
    game, reach = Match.reach(games.load(record.title), record)
    match = Match.begin(game, record)
    entries: list[Entry] = []
    for number, entry in enumerate(record.entries):
        known = len(match.said)
        if number < reach:
            match.follow(entry)
        if isinstance(entry, Say):
            said = game.wordless(entry.said) if len(match.said) > known else None
            entry = msgspec.structs.replace(entry, said=said)
        entries.append(entry)
    return entries


def match_view(row: MatchRow, record: Record) -> MatchView:
    over = row.ended is not None
    return MatchView(
        id=row.id,
        title=record.title,
        rules=record.rules,
        seats=record.seats,
        options=record.options,
        began=row.began,
        ended=row.ended,
        seed_hash=record.seed_hash,
        seed=record.seed if over else "",
        result=record.result if over else None,
        entries=len(record.entries) if over else 0,
        frozen=row.frozen,
        room=row.room if not over else "",
    )


def replay(row: MatchRow, rows: list[EntryRow], looker: Looker) -> bytes:
    """The match as one viewer sees it, as JSON; as far as there are rules that lead where it went."""
    record = stored_record(row, rows)
    game, reach = Match.reach(games.load(record.title), record)
    viewers: list[Viewer] = [] if isinstance(looker, str) else [looker]
    match = Match.begin(game, record, viewers, brief=True)
    first = scene = _scene(match, looker, {})
    steps = [Step(0, _told(match, looker, match.state.opening()), [])]
    last = 1
    for number, entry in enumerate(record.entries[:reach]):
        try:
            happened = match.follow(entry, number)
            if not isinstance(looker, str):
                if match.newest(looker).n == last:
                    continue  # this viewer learnt nothing of it
                last = match.newest(looker).n
            # What is said and who plays changes nothing else.
            seen = {} if isinstance(entry, Move | Undo) else scene
            after = _scene(match, looker, seen)
        except Exception:  # it is what it was, but nobody can be shown it
            reach = number
            break
        seat = entry.seat if looker == TRUTH and isinstance(entry, Move) else None
        # While it is on, the numbers of entries would tell of moves that nobody was told of.
        made = number + 1 if row.ended is not None else len(steps)
        steps.append(Step(made, _told(match, looker, happened), delta(scene, after), seat))
        scene = after
    folds = reach == len(rows)
    record = msgspec.structs.replace(record, result=match.result() if folds else None)
    return encode(Replay(match_view(_marked(row, folds), record), first, steps))


def _scene(match: Match, looker: Looker, seen: dict[str, Any]) -> dict[str, Any]:
    """What there is to be seen and was said; `seen` is what is known of it already."""
    said, players = list(match.said), list(match.players)
    return {**(seen or _sight(match, looker)), "said": said, "players": players}


def _sight(match: Match, looker: Looker) -> dict[str, Any]:
    if isinstance(looker, str):
        public, *views = match.state.views([None, *range(len(match.names))])
        scene: dict[str, Any] = {"view": public, "views": views}
        scene |= {"awaited": {"seats": match.state.waiting()}}
    else:
        frame = match.newest(looker)
        scene = {"view": frame.view, "awaited": frame.awaited}
    return {**scene, "result": match.result()}


def _told(match: Match, looker: Looker, happened: list[Event]) -> list[Told]:
    return _truth(happened) if isinstance(looker, str) else match.newest(looker).events


def _truth(events: list[Event]) -> list[Told]:
    """Every wording of what happened, each once."""
    told: list[Told] = []
    for event in events:
        wordings = [one for _, one in event.truth()]
        # What only some were told says more than what all were.
        told += wordings[1:] or wordings
    return told


class Taken(msgspec.Struct, frozen=True):
    """A record that somebody brought: as it will be stored, and as it looks from outside."""

    header: bytes
    rows: list[EntryRow]
    view: MatchView


def take_in(written: bytes) -> Taken:
    """Check a record by folding it; a Problem says what is wrong with it."""
    try:
        return _taken(loads(written))
    except RecursionError:
        raise RecordProblem("record.foreign") from None


def check_size(game: Game, record: Record) -> None:
    """Raise a RecordProblem if there is more in a record than any table of ours lets happen."""
    most = LONG_ENOUGH + game.longest + MORE * len(record.seats)
    if len(record.entries) > most:
        raise RecordProblem("record.long", found=len(record.entries), most=most)
    for kind, of_seat in MOST.items():
        count = sum(isinstance(entry, kind) for entry in record.entries)
        most = MORE * of_seat * len(record.seats)
        if count > most:
            name = kind.__struct_config__.tag
            raise RecordProblem("record.many", kind=name, found=count, most=most)
    for number, entry in enumerate(record.entries):
        if isinstance(entry, Say) and len(encode(entry.said)) > LONGEST_SAYING:
            raise RecordProblem("record.said-long", entry=number, most=LONGEST_SAYING)


def _taken(record: Record) -> Taken:
    game = games.load(games.check_known(record.title))
    check_size(game, record)
    match = Match.fold(game, record)
    called = [text.name(seat, LONGEST_NAME) for seat in record.seats]
    header = msgspec.structs.replace(
        record,
        # By these it is stored, whatever it was played by.
        rules=match.game.rules,
        seats=[name or str(number) for number, name in enumerate(called, 1)],
        entries=[],
        checks=[],
        result=None,
    )
    rows = [
        EntryRow(n, encode(entry), bytes.fromhex(check))
        for n, (entry, check) in enumerate(zip(match.entries, match.checks, strict=True))
    ]
    row = MatchRow("", "", encode(header), 0, ended=0)
    folded = msgspec.structs.replace(header, entries=match.entries, result=match.result())
    return Taken(row.header, rows, match_view(row, folded))


def continued(row: MatchRow, rows: list[EntryRow], entries: int) -> tuple[Record, list[Any]]:
    """A match up to a point, to go on from there."""
    if entries > len(rows):
        raise Problem("match.no-entry", found=entries, most=len(rows))
    if entries > LONG_ENOUGH:
        raise Problem("match.too-far", found=entries, most=LONG_ENOUGH)
    record = stored_record(row, rows[:entries])
    match = Match.fold(games.load(record.title), record)
    if match.result() is not None:
        raise Problem("match.over-here")
    return msgspec.structs.replace(record, rules=match.game.rules), record.entries
