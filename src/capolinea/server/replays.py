"""Matches that are over: shown step by step, handed out as records, taken in from elsewhere.

Folding a whole match takes long, so this runs where bots think: everything here can go to another
process and come back.
"""

from __future__ import annotations

from typing import Any

import msgspec

from capolinea import games
from capolinea.engine import text
from capolinea.engine.events import Event, Told
from capolinea.engine.game import Game
from capolinea.engine.match import Match, Viewer
from capolinea.engine.problems import Problem
from capolinea.engine.record import Move, Record, RecordProblem, Say, loads
from capolinea.server.delta import delta
from capolinea.server.protocol import MatchView, Replay, Step, encode
from capolinea.server.rooms import LONGEST_NAME
from capolinea.server.store import EntryRow, MatchRow
from capolinea.server.table import Fold, decode_entry, decode_header

#: Who looks at a replay: a seat, nobody in particular, or who may know all.
TRUTH = "truth"
Looker = Viewer | str


def record_of(row: MatchRow, rows: list[EntryRow]) -> Record:
    """The record of a match that is over: with its seed and, if it has one, its result."""
    header = decode_header(row.header)
    record = msgspec.structs.replace(header, entries=[decode_entry(one.entry) for one in rows])
    if row.frozen:
        return record  # today's rules do not say how it ended
    result = Match.fold(games.load(record.title), record).result()
    return msgspec.structs.replace(record, result=result)


def anonymous(record: Record, names: bool, texts: bool) -> Record:
    """Without the names of people, or without what they typed."""
    game = games.load(record.title)
    if names:
        seats = [str(number) for number in range(1, len(record.seats) + 1)]
        record = msgspec.structs.replace(record, seats=seats)
    if texts:
        entries = [
            msgspec.structs.replace(entry, said=game.wordless(entry.said))
            if isinstance(entry, Say)
            else entry
            for entry in record.entries
        ]
        record = msgspec.structs.replace(record, entries=entries)
    return record


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
    """The whole match as one viewer sees it, as JSON."""
    record = msgspec.structs.replace(
        decode_header(row.header), entries=[decode_entry(one.entry) for one in rows]
    )
    game = games.load(record.title)
    viewer: Viewer = None if looker == TRUTH else looker  # type: ignore[assignment]
    match = Match.begin(game, record, [viewer], brief=True)
    events = match.newest(viewer).events
    if looker == TRUTH:
        events = _truth(match.state.opening())
    scene = _scene(match, looker)
    steps = [Step(0, events, [])]
    first, last = scene, 1
    for number, entry in enumerate(record.entries):
        happened = match.follow(entry, number)
        frame = match.newest(viewer)
        if looker != TRUTH and frame.n == last:
            continue  # this viewer learnt nothing of it
        last = frame.n
        after = _scene(match, looker)
        told = _truth(happened) if looker == TRUTH else frame.events
        seat = entry.seat if looker == TRUTH and isinstance(entry, Move) else None
        # While it is on, the numbers of entries would tell of moves that nobody was told of.
        made = number + 1 if row.ended is not None else len(steps)
        steps.append(Step(made, told, delta(scene, after), seat))
        scene = after
    record = msgspec.structs.replace(record, result=match.result())
    return encode(Replay(match_view(row, record), first, steps))


def _scene(match: Match, looker: Looker) -> dict[str, Any]:
    if looker == TRUTH:
        views = [match.view(seat) for seat in range(len(match.names))]
        scene: dict[str, Any] = {"view": match.view(None), "views": views}
        scene |= {"awaited": {"seats": match.state.waiting()}}
    else:
        assert not isinstance(looker, str)
        scene = {"view": match.view(looker), "awaited": match.awaited()}
    scene |= {"said": match.said, "players": match.players, "result": match.result()}
    found: dict[str, Any] = msgspec.to_builtins(scene)
    return found


def _truth(events: list[Event]) -> list[Told]:
    """Every wording of what happened, each once."""
    told: list[Told] = []
    for event in events:
        wordings = [one for _, one in event.truth()]
        # What only some were told says more than what all were.
        told += wordings[1:] or wordings
    return told


class Taken(msgspec.Struct, frozen=True):
    """A record that somebody brought, as it will be stored."""

    header: bytes
    rows: list[EntryRow]


def take_in(written: bytes) -> Taken:
    """Check a record by folding it; a Problem says what is wrong with it."""
    try:
        return _taken(loads(written))
    except RecursionError:
        raise RecordProblem("record.foreign") from None


def _taken(record: Record) -> Taken:
    game: Game = games.load(_ours(record.title))
    called = [text.name(seat, LONGEST_NAME) for seat in record.seats]
    seats = [name or str(number) for number, name in enumerate(called, 1)]
    header = encode(msgspec.structs.replace(record, seats=seats, entries=[], result=None))
    fold = Fold(game, MatchRow("", "", header, 0))
    rows = []
    for number, entry in enumerate(record.entries):
        fold.match.follow(entry, number)
        rows.append(fold.note(""))
    return Taken(header, rows)


def _ours(title: str) -> str:
    if title not in games.TITLES:
        raise Problem("title.unknown", name=title, known=", ".join(games.TITLES))
    return title


def continued(row: MatchRow, rows: list[EntryRow], entries: int) -> tuple[Record, list[Any]]:
    """A match up to a point, to go on from there."""
    if entries > len(rows):
        raise Problem("match.no-entry", found=entries, most=len(rows))
    header = decode_header(row.header)
    kept = [decode_entry(one.entry) for one in rows[:entries]]
    match = Match.fold(games.load(header.title), msgspec.structs.replace(header, entries=kept))
    if match.result() is not None:
        raise Problem("match.over-here")
    return header, kept
