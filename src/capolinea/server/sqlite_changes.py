"""What one transaction changes in a SQLite store, and how it fails."""

from __future__ import annotations

import json
import secrets
import sqlite3
from typing import assert_never

from capolinea.server import headers
from capolinea.server.store import (
    WRITER,
    AddChat,
    AddEntries,
    Change,
    DropChat,
    DropMatch,
    DropRoom,
    DropUnused,
    EndMatch,
    EndProposal,
    Hold,
    MatchRow,
    PutAway,
    PutData,
    PutMark,
    PutMatch,
    PutPrivate,
    PutProposal,
    PutRoom,
    Release,
    StoreFailed,
    Taken,
    TouchRoom,
    WakeUp,
)
from capolinea.server.troubles import code_of


def keep(db: sqlite3.Connection, changes: tuple[Change, ...]) -> StoreFailed | None:
    """All these changes or, with the reason, none; the other transactions of the commit stay."""
    db.execute("SAVEPOINT one")
    try:
        for change in changes:
            _apply(db, change)
        failure = None
    except Exception as error:
        if not db.in_transaction:  # a full disk, say, has rolled back the whole group
            raise
        failure = failed(error)
        db.execute("ROLLBACK TO one")
    db.execute("RELEASE one")
    return failure


def _apply(db: sqlite3.Connection, change: Change) -> None:
    match change:
        case PutRoom(code, doc, changed, people, data, playing):
            # Not REPLACE, here and for matches: it deletes first, and with it what belongs to it.
            db.execute(
                "INSERT INTO rooms (code, doc, changed, playing) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (code) DO UPDATE SET doc = excluded.doc, changed = excluded.changed,"
                " playing = excluded.playing",
                (code, doc, changed, playing),
            )
            _put_list(db, "people", "room", code, "person", people)
            _put_list(db, "data_of_rooms", "room", code, "hash", data)
        case PutData(hash, content):
            _put_data(db, hash, content)
        case DropUnused():
            db.execute(
                "DELETE FROM data WHERE hash NOT IN (SELECT hash FROM data_of_rooms)"
                " AND hash NOT IN (SELECT hash FROM data_of_matches)"
            )
        case DropRoom(code):
            db.execute("DELETE FROM rooms WHERE code = ?", (code,))
        case TouchRoom(code, changed):
            db.execute("UPDATE rooms SET changed = max(changed, ?) WHERE code = ?", (changed, code))
        case PutMatch(row):
            if row.ended is None:
                _check_not_ended(db, row.id)
            header, own = headers.part(row.header)
            for hash, content in own.items():
                _put_data(db, hash, content)
            kept = db.execute(
                f"INSERT INTO matches ({MATCH_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET room = excluded.room, header = excluded.header,"
                " began = excluded.began, ended = COALESCE(matches.ended, excluded.ended),"
                " public = excluded.public,"
                " frozen = excluded.frozen, paused = excluded.paused, rested = excluded.rested,"
                " writer = excluded.writer WHERE matches.writer <= excluded.writer",
                (
                    row.id,
                    row.room,
                    header,
                    row.began,
                    row.ended,
                    row.public,
                    row.frozen,
                    row.paused,
                    row.rested,
                    row.writer,
                ),
            )
            if kept.rowcount == 0:
                raise StoreFailed("a newer server has written this match")
            _put_list(db, "data_of_matches", "match_id", row.id, "hash", [*own])
        case EndMatch(id, ended):
            kept = db.execute(
                "UPDATE matches SET ended = COALESCE(ended, ?) WHERE id = ? AND writer <= ?",
                (ended, id, WRITER),
            )
            gone = not db.execute("SELECT 1 FROM matches WHERE id = ?", (id,)).fetchone()
            if kept.rowcount == 0 and not gone:
                raise StoreFailed("a newer server has written this match")
        case AddEntries(id, rows):
            _check_not_ended(db, id)
            db.executemany(
                "INSERT INTO entries (match_id, n, entry, state, client) VALUES (?, ?, ?, ?, ?)",
                [(id, row.n, row.entry, row.state, row.client) for row in rows],
            )
        case Hold(id, held):
            db.execute(
                "REPLACE INTO held (match_id, seat, question, steps, client)"
                " VALUES (?, ?, ?, ?, ?)",
                (id, held.seat, held.question, held.do, held.client),
            )
        case Release(id):
            db.execute("DELETE FROM held WHERE match_id = ?", (id,))
        case PutPrivate(id, seat, doc):
            db.execute(
                "REPLACE INTO private (match_id, seat, doc) VALUES (?, ?, ?)", (id, seat, doc)
            )
        case AddChat(room, line, since):
            db.execute(
                "INSERT INTO chat (room, n, match_id, line) VALUES (?, ?, ?, ?)",
                (room, line.n, line.match, line.line),
            )
            db.execute("DELETE FROM chat WHERE room = ? AND n < ?", (room, since))
        case DropChat(room):
            db.execute("DELETE FROM chat WHERE room = ?", (room,))
        case DropMatch(id):
            db.execute(
                "DELETE FROM chat WHERE room = (SELECT room FROM matches WHERE id = ?)"
                " AND match_id = ?",
                (id, id),
            )
            db.execute("DELETE FROM matches WHERE id = ?", (id,))
        case PutProposal(id, proposal):
            db.execute(
                "REPLACE INTO proposals (match_id, number, kind, doc) VALUES (?, ?, ?, ?)",
                (id, proposal.number, proposal.kind, proposal.doc),
            )
        case EndProposal(id, kind):
            db.execute("UPDATE proposals SET kind = '' WHERE match_id = ? AND kind = ?", (id, kind))
        case PutAway(id, due, doc):
            db.execute("REPLACE INTO away (match_id, due, doc) VALUES (?, ?, ?)", (id, due, doc))
        case WakeUp(id):
            db.execute("DELETE FROM away WHERE match_id = ?", (id,))
        case PutMark(mark):
            put_mark(db, "probe", mark)
        case _:
            assert_never(change)


def _put_data(db: sqlite3.Connection, hash: str, content: bytes) -> None:
    db.execute("INSERT OR IGNORE INTO data VALUES (?, ?)", (hash, content))


def _put_list(
    db: sqlite3.Connection, table: str, of: str, whose: str, column: str, values: list[str]
) -> None:
    """What a room or a match has of these, in place of what it had."""
    listed = json.dumps(values)
    db.execute(
        f"DELETE FROM {table} WHERE {of} = ? AND {column} NOT IN (SELECT value FROM json_each(?))",
        (whose, listed),
    )
    # Not OR IGNORE: that would also hide that something is missing.
    db.execute(
        f"INSERT INTO {table} ({of}, {column}) SELECT ?, value FROM json_each(?) WHERE true"
        f" ON CONFLICT ({of}, {column}) DO NOTHING",
        (whose, listed),
    )


def _check_not_ended(db: sqlite3.Connection, id: str) -> None:
    """Who goes on with a match that has ended has not heard of that yet."""
    over = "SELECT 1 FROM matches WHERE id = ? AND ended IS NOT NULL"
    if db.execute(over, (id,)).fetchall():
        raise Taken("this match has ended")


MARKS = "SELECT mark FROM marks WHERE who = ?"


def new_mark() -> bytes:
    return secrets.token_bytes(8)


def put_mark(db: sqlite3.Connection, who: str, mark: bytes) -> None:
    db.execute("REPLACE INTO marks (who, mark) VALUES (?, ?)", (who, mark))


def surely_lost(error: Exception) -> bool:
    """Whether a commit that failed like this is not in the file: the disk had no room for its end,
    without which the rest counts for nothing."""
    return code_of(error) == sqlite3.SQLITE_FULL


MATCH_COLUMNS = "id, room, header, began, ended, public, frozen, paused, rested, writer"


def match_row(
    id: str,
    room: str,
    header: bytes,
    began: int,
    ended: int | None,
    public: int,
    frozen: str,
    paused: int | None,
    rested: int,
    writer: int,
) -> MatchRow:
    return MatchRow(id, room, header, began, ended, bool(public), frozen, paused, rested, writer)


def failed(error: Exception, kind: type[StoreFailed] = StoreFailed) -> StoreFailed:
    # Only entries and lines of chat are never put in place of others: their number is taken.
    gone = code_of(error) == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
    if gone or isinstance(error, Taken):
        kind = Taken
    failure = kind(str(error))
    failure.__cause__ = error
    return failure
