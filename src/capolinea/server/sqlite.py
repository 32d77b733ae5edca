"""A Store in one SQLite file, for one server process.

One thread writes. While it waits for the disk more transactions come in, and it takes them all into
the next commit: a hundred tables pay for one wait and not for a hundred. Only after the commit does
anybody hear of theirs. Questions have a thread and a connection of their own, and so has copying the
write-ahead log back into the file (a checkpoint), which would hold the writer up.

A commit that fails may be in the file all the same: when the disk does not confirm what SQLite has
written, a restart would find it there. Nobody is told anything then, and nothing else is written,
until the store has looked (`_find_out`).
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import sqlite3
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, assert_never

from capolinea.engine.problems import Problem
from capolinea.server import logs
from capolinea.server.store import (
    WRITER,
    AddChat,
    AddEntries,
    Change,
    ChatRow,
    DropChat,
    DropMatch,
    DropRoom,
    DropUnused,
    EndMatch,
    EndProposal,
    EntryRow,
    Held,
    Hold,
    MatchRow,
    NotRead,
    ProposalRow,
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
from capolinea.server.troubles import DAMAGED, FAILURES, Troubles, code_of, problems_of

if sys.platform != "win32":
    import fcntl

T = TypeVar("T")

#: In the header of every file that is ours: "Capo".
APPLICATION_ID = 0x4361706F

#: What brings a file from version 0 (empty) to 1, from 1 to 2, and so on. Never change one that was
#: released: add another. They run with foreign keys off, so that a table can be made anew.
MIGRATIONS: list[str] = [
    """
    CREATE TABLE secret (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        key BLOB NOT NULL
    );
    CREATE TABLE rooms (
        code TEXT PRIMARY KEY NOT NULL,
        doc BLOB NOT NULL,
        changed INTEGER NOT NULL
    );
    CREATE TABLE matches (
        id TEXT PRIMARY KEY NOT NULL,
        room TEXT NOT NULL,
        header BLOB NOT NULL,
        began INTEGER NOT NULL,
        ended INTEGER,
        public INTEGER NOT NULL,
        frozen TEXT NOT NULL,
        paused INTEGER,
        rested INTEGER NOT NULL
    );
    CREATE INDEX matches_of_room ON matches (room);
    CREATE TABLE entries (
        match_id TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
        n INTEGER NOT NULL,
        entry BLOB NOT NULL,
        state BLOB NOT NULL,
        client TEXT NOT NULL,
        PRIMARY KEY (match_id, n)
    ) WITHOUT ROWID;
    CREATE TABLE held (
        match_id TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        question INTEGER NOT NULL,
        steps BLOB NOT NULL,
        client TEXT NOT NULL,
        PRIMARY KEY (match_id, seat)
    ) WITHOUT ROWID;
    CREATE TABLE private (
        match_id TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        doc BLOB NOT NULL,
        PRIMARY KEY (match_id, seat)
    ) WITHOUT ROWID;
    CREATE TABLE chat (
        room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE,
        n INTEGER NOT NULL,
        match_id TEXT NOT NULL,  -- "" outside matches; a match may go before what was said in it
        line BLOB NOT NULL,
        PRIMARY KEY (room, n)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE marks (
        who TEXT PRIMARY KEY NOT NULL,  -- "server", "beside" it, or a "probe"
        mark BLOB NOT NULL  -- of the last commit, so that one in doubt can be looked for
    ) WITHOUT ROWID;
    CREATE TABLE proposals (
        match_id TEXT PRIMARY KEY NOT NULL REFERENCES matches ON DELETE CASCADE,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,  -- "" when it is not open any more
        doc BLOB NOT NULL
    ) WITHOUT ROWID;
    """,
    "ALTER TABLE matches ADD COLUMN writer INTEGER NOT NULL DEFAULT 0;",
    """
    CREATE TABLE away (  -- matches that are put away
        match_id TEXT PRIMARY KEY NOT NULL REFERENCES matches ON DELETE CASCADE,
        due INTEGER,
        doc BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX away_due ON away (due) WHERE due IS NOT NULL;
    CREATE INDEX matches_on ON matches (room) WHERE ended IS NULL;
    """,
    """
    ALTER TABLE rooms ADD COLUMN playing INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX rooms_by_change ON rooms (changed);
    CREATE TABLE people (
        person TEXT NOT NULL,
        room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE,
        PRIMARY KEY (person, room)
    ) WITHOUT ROWID;
    CREATE INDEX people_of_room ON people (room);
    CREATE TABLE data (
        hash TEXT PRIMARY KEY NOT NULL,
        content BLOB NOT NULL
    );
    CREATE TABLE data_of_rooms (  -- what was in a room's document before stays there until it is written
        room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE,
        hash TEXT NOT NULL REFERENCES data,
        PRIMARY KEY (room, hash)
    ) WITHOUT ROWID;
    CREATE INDEX rooms_of_data ON data_of_rooms (hash);
    CREATE VIEW plain AS  -- a document that is broken is nobody's, and stops nothing
        SELECT code, iif(json_valid(CAST(doc AS TEXT)), CAST(doc AS TEXT), '{}') AS doc FROM rooms;
    UPDATE rooms SET playing = 1 WHERE code IN
        (SELECT code FROM plain WHERE json_extract(doc, '$.playing') = 1);
    INSERT OR IGNORE INTO people
        SELECT json_extract(person.value, '$.id'), code
        FROM plain, json_each(plain.doc, '$.people') AS person WHERE person.type = 'object';
    INSERT OR IGNORE INTO people
        SELECT holder.value, code
        FROM plain, json_each(plain.doc, '$.seats') AS seat,
            json_each(iif(seat.type = 'object', seat.value, '{}'), '$.holders') AS holder;
    DROP VIEW plain;
    """,
    # From the calendar to the time that servers have been up: a minute between two rooms is a millisecond,
    # so that they stay in their order and none has been unused for long.
    "UPDATE rooms SET changed = (changed - (SELECT max(changed) FROM rooms)) / 60000;",
]

#: A secret has so many bytes.
SECRET = 32

#: When the log is longer than this many bytes it is copied back into the file.
LOG_LIMIT = 4 * 2**20

#: Seconds to wait for another process that has the file locked, before a transaction fails.
PATIENCE = 10.0

#: Seconds before the store looks again whether a commit went through, if it could not look.
LOOK_AGAIN = 1.0


# --- the store -----------------------------------------------------------------------------------


class _Waiting(NamedTuple):
    """A transaction, and the future of who waits for it."""

    changes: tuple[Change, ...]
    kept: asyncio.Future[None]


class SqliteStore:
    """Matches in one file. Open it once, in the event loop that uses it.

    `beside` a server that may be running: without being the file's owner, and never changing its form.
    """

    def __init__(self, path: Path, beside: bool = False) -> None:
        self._beside = beside
        self._name = "beside" if beside else "server"
        self._prepare = _open_beside if beside else _open_for_writing
        # SQLite puts its log next to where a link leads; our lock and backups belong there too.
        self._path = path.resolve()
        self._log = self._path.with_name(self._path.name + "-wal")
        self._writer = _Connection("store-writer")
        self._reader = _Connection("store-reader")
        self._checkpointer = _Connection("store-checkpointer")
        self._checkpoint: Future[None] | None = None
        self._waiting: deque[_Waiting] = deque()
        #: The writer has been called, and has not looked yet what waits.
        self._called = False
        self._lock: int | None = None
        self._open = False
        #: A commit may or may not have gone through: nothing is written until that is known.
        self._in_doubt = False
        self._closing = threading.Event()
        self._troubles = Troubles(self._path.name)

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        if not self._beside:
            self._lock = _lock(self._path)
        try:
            with problems_of(self._path):
                if not self._beside and not self._path.exists():
                    _make(self._path)
                await self._writer.open(lambda: self._prepare(self._path))
                await self._reader.open(lambda: _open_for_reading(self._path))
                await self._checkpointer.open(lambda: _connect(self._path))
        except BaseException:
            await self.close()
            raise
        self._open = True

    async def close(self) -> None:
        self._open = False
        self._closing.set()
        # The writer first: it may still ask for a checkpoint. The last to close makes one anyway.
        for connection in (self._writer, self._checkpointer, self._reader):
            await connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def write(self, *changes: Change) -> Awaitable[None]:
        """As the Store says, in the order of the calls. Who stops waiting does not stop the write."""
        waiting = _Waiting(changes, asyncio.get_running_loop().create_future())
        if not self._open:  # asked first: what waits is taken along by a job that came before
            waiting.kept.set_exception(StoreFailed("the store is not open"))
        elif self._in_doubt:
            waiting.kept.set_exception(self._refusal())
        else:
            self._waiting.append(waiting)
            if not self._called:  # else the writer is on its way, and takes this along
                self._called = True
                self._writer.begin(self._keep_waiting)
        return waiting.kept

    def check_not_ours(self, to: Path) -> None:
        """Raise a Problem if something else written there would destroy this store."""
        _check_not_ours(self._path, to)

    async def backup(self, to: Path) -> None:
        """A copy of the file as it is now, while play goes on."""
        await asyncio.to_thread(backup, self._path, to)

    async def check(self) -> None:
        """Write something, and see whether it is there. Says nothing of the file but its name."""
        mark = _new_mark()
        try:
            await self.write(PutMark(mark))
            found = await self._rows(_MARKS, "probe")
        except StoreFailed as failure:
            raise failure.problem or Problem("table.not-kept") from failure
        if found != [(mark,)]:
            raise Problem("store.forgets", file=self._path.name)
        if self._troubles.last is not None:  # other writes than this one fail
            raise self._troubles.last

    # --- inside: the writer's thread ----------------------------------------------------------

    def _keep_waiting(self, db: sqlite3.Connection) -> None:
        """One commit for all transactions that wait."""
        group = self._take_waiting()
        if not group:
            return
        mark = _new_mark()
        try:
            db.execute("BEGIN IMMEDIATE")
            failures = [_keep(db, waiting.changes) for waiting in group]
            _put_mark(db, self._name, mark)
        except Exception as error:
            failures = self._fail(db, group, error)
        else:
            try:
                self._commit(db)
            except Exception as error:
                lost = self._fail(db, group, error)
                kept = False if _surely_lost(error) else self._find_out(mark)
                if kept is None:
                    return  # we are closing, and nothing that we could say is sure to be true
                failures = failures if kept else lost
        self._troubles.look_at(failures)
        self._tell(group, failures)
        self._shorten_log()

    def _fail(
        self, db: sqlite3.Connection, group: list[_Waiting], error: Exception
    ) -> list[StoreFailed | None]:
        with suppress(sqlite3.Error):  # some errors have already rolled back
            db.execute("ROLLBACK")
        failures: list[StoreFailed | None] = [_failed(error) for _ in group]
        self._troubles.look_at(failures)
        return failures

    def _take_waiting(self) -> list[_Waiting]:
        self._called = False  # before it looks: who comes after the look calls again
        return [self._waiting.popleft() for _ in range(len(self._waiting))]

    def _commit(self, db: sqlite3.Connection) -> None:
        db.execute("COMMIT")

    def _find_out(self, mark: bytes) -> bool | None:
        """Whether a commit that failed is in the store all the same; None if we close before that is
        known. Until then nothing is written, and who wants to hears so at once."""
        self._in_doubt = True
        refused = self._take_waiting()
        self._tell(refused, [self._refusal() for _ in refused])
        while True:
            try:
                kept = self._look(mark)
                break
            except Exception as error:
                self._troubles.look_at([_failed(error)])
                if self._closing.wait(LOOK_AGAIN):
                    return None
        logs.tell("store-looked", kept=kept)
        self._in_doubt = False
        return kept

    def _look(self, mark: bytes) -> bool:
        """Whether the commit with this mark is in the store. As this says it stays, come what may.

        What a failed fsync leaves is in memory, perhaps on the disk, and nobody writes it again; SQLite
        does not count it, but would after a restart. So nothing of the old connection is used, and what
        SQLite does count is copied into the file itself. If that commit is not among it, one of our
        own takes its place in the log.
        """
        self._writer.reopen(lambda: self._prepare(self._path))
        db = self._writer.db
        if not _copy_all_back(db):
            raise sqlite3.OperationalError("somebody reads from the log")
        if db.execute(_MARKS, (self._name,)).fetchall() == [(mark,)]:
            return True
        _put_mark(db, self._name, _new_mark())
        return False

    def _refusal(self) -> StoreFailed:
        failure = StoreFailed("it is not known yet what was written before")
        failure.problem = self._troubles.last
        return failure

    def _tell(self, group: list[_Waiting], failures: list[StoreFailed | None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(_tell, group, failures)

    def _shorten_log(self) -> None:
        """Have the log copied back if it has grown; it then starts from the beginning again."""
        with suppress(OSError):
            size = self._log.stat().st_size
            if size > 16 * LOG_LIMIT:
                # The checkpointer never catches up with so much writing: rather hold that up now
                # than fill the disk.
                _copy_back(self._writer.db)
            elif size > LOG_LIMIT and (self._checkpoint is None or self._checkpoint.done()):
                self._checkpoint = self._checkpointer.begin(_copy_back)

    # --- questions ---------------------------------------------------------------------------

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        try:
            return await self._reader.run(lambda db: db.execute(sql, values).fetchall())
        except FAILURES as error:
            raise self._not_read(error) from error

    def _not_read(self, error: Exception) -> StoreFailed:
        failure = _failed(error, NotRead)
        self._troubles.look_at([failure])
        return failure

    async def secret(self) -> bytes:
        match await self._rows("SELECT key FROM secret"):
            case [(bytes(key),)] if len(key) >= SECRET:
                return key
        raise self._not_read(Problem(DAMAGED, file=str(self._path)))

    async def room(self, code: str) -> bytes | None:
        rows = await self._rows("SELECT doc FROM rooms WHERE code = ?", code)
        return rows[0][0] if rows else None

    async def rooms(self) -> list[tuple[str, bytes]]:
        """All there are, for who looks after the store: codes and documents."""
        return await self._rows("SELECT code, doc FROM rooms ORDER BY code")

    async def rooms_before(self, time: int) -> list[str]:
        rows = await self._rows("SELECT code FROM rooms WHERE changed < ? ORDER BY changed", time)
        return [code for (code,) in rows]

    async def last_used(self) -> int:
        # Junk that is no number is larger than any.
        newest = "SELECT changed FROM rooms WHERE changed <= ? ORDER BY changed DESC LIMIT 1"
        rows = await self._rows(newest, 2**62)
        return max(0, int(rows[0][0])) if rows else 0

    async def rooms_of(self, person: str, most: int) -> list[bytes]:
        rows = await self._rows(
            "SELECT doc FROM people JOIN rooms ON code = room WHERE person = ?"
            " ORDER BY playing DESC, changed DESC, code LIMIT ?",
            person,
            most,
        )
        return [doc for (doc,) in rows]

    async def data(self, hash: str) -> bytes | None:
        rows = await self._rows("SELECT content FROM data WHERE hash = ?", hash)
        return rows[0][0] if rows else None

    async def match(self, id: str) -> MatchRow | None:
        rows = await self._rows(f"SELECT {_MATCH} FROM matches WHERE id = ?", id)
        return _match(*rows[0]) if rows else None

    async def matches(self, room: str | None = None) -> list[MatchRow]:
        newest_first = "ORDER BY began DESC, rowid DESC"
        if room is None:
            rows = await self._rows(f"SELECT {_MATCH} FROM matches {newest_first}")
        else:
            rows = await self._rows(
                f"SELECT {_MATCH} FROM matches WHERE room = ? {newest_first}", room
            )
        return [_match(*row) for row in rows]

    async def ended_before(self, time: int, now: int) -> list[str]:
        """The matches that have ended before then. A clock that was behind is not believed: what began
        after another one has not ended before that began."""
        rows = await self._rows(
            "SELECT id FROM (SELECT id, ended, max(iif(began <= ?, began, 0)) OVER (ORDER BY rowid)"
            " AS began FROM matches) WHERE max(ended, began) < ?",
            now,
            time,
        )
        return [id for (id,) in rows]

    async def entries(self, match: str, since: int = 0) -> list[EntryRow]:
        rows = await self._rows(
            "SELECT n, entry, state, client FROM entries WHERE match_id = ? AND n >= ? ORDER BY n",
            match,
            since,
        )
        return [EntryRow(*row) for row in rows]

    async def held(self, match: str) -> list[Held]:
        rows = await self._rows(
            "SELECT seat, question, steps, client FROM held WHERE match_id = ? ORDER BY seat", match
        )
        return [Held(*row) for row in rows]

    async def private(self, match: str) -> dict[int, bytes]:
        return dict(await self._rows("SELECT seat, doc FROM private WHERE match_id = ?", match))

    async def proposal(self, match: str) -> ProposalRow | None:
        rows = await self._rows("SELECT number, kind, doc FROM proposals WHERE match_id = ?", match)
        return ProposalRow(*rows[0]) if rows else None

    async def running(self, matches: list[str]) -> set[str]:
        rows = await self._rows(
            "SELECT id FROM matches WHERE ended IS NULL AND id IN (SELECT value FROM json_each(?))",
            json.dumps(matches),
        )
        return {id for (id,) in rows}

    async def put_away(self, match: str) -> bytes | None:
        rows = await self._rows("SELECT doc FROM away WHERE match_id = ?", match)
        return rows[0][0] if rows else None

    async def left_open(self) -> list[str]:
        rows = await self._rows(
            "SELECT DISTINCT room FROM matches WHERE ended IS NULL AND room <> ''"
            " AND NOT EXISTS (SELECT 1 FROM away WHERE match_id = id) ORDER BY room"
        )
        return [room for (room,) in rows]

    async def due(self, since: int, until: int) -> list[str]:
        rows = await self._rows(
            "SELECT room FROM away JOIN matches ON match_id = id"
            " WHERE due > ? AND due <= ? AND ended IS NULL ORDER BY due",
            since,
            until,
        )
        return [room for (room,) in rows]

    async def chat(self, room: str, most: int) -> list[ChatRow]:
        rows = await self._rows(
            "SELECT n, match_id, line FROM chat WHERE room = ? ORDER BY n DESC LIMIT ?", room, most
        )
        return [ChatRow(*row) for row in reversed(rows)]


# --- one transaction -----------------------------------------------------------------------------


def _keep(db: sqlite3.Connection, changes: tuple[Change, ...]) -> StoreFailed | None:
    """All these changes or, with the reason, none; the other transactions of the commit stay."""
    db.execute("SAVEPOINT one")
    try:
        for change in changes:
            _apply(db, change)
        failure = None
    except Exception as error:
        if not db.in_transaction:  # a full disk, say, has rolled back the whole group
            raise
        failure = _failed(error)
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
            _put_list(db, "people", "person", code, people)
            _put_list(db, "data_of_rooms", "hash", code, data)
        case PutData(hash, content):
            db.execute("INSERT OR IGNORE INTO data VALUES (?, ?)", (hash, content))
        case DropUnused():
            db.execute("DELETE FROM data WHERE hash NOT IN (SELECT hash FROM data_of_rooms)")
        case DropRoom(code):
            db.execute("DELETE FROM rooms WHERE code = ?", (code,))
        case TouchRoom(code, changed):
            db.execute("UPDATE rooms SET changed = max(changed, ?) WHERE code = ?", (changed, code))
        case PutMatch(row):
            if row.ended is None:
                _check_not_ended(db, row.id)
            kept = db.execute(
                f"INSERT INTO matches ({_MATCH}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET room = excluded.room, header = excluded.header,"
                " began = excluded.began, ended = COALESCE(matches.ended, excluded.ended),"
                " public = excluded.public,"
                " frozen = excluded.frozen, paused = excluded.paused, rested = excluded.rested,"
                " writer = excluded.writer WHERE matches.writer <= excluded.writer",
                (
                    row.id,
                    row.room,
                    row.header,
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
            _put_mark(db, "probe", mark)
        case _:
            assert_never(change)


def _put_list(
    db: sqlite3.Connection, table: str, column: str, room: str, values: list[str]
) -> None:
    """What a room has of these, in place of what it had."""
    listed = json.dumps(values)
    db.execute(
        f"DELETE FROM {table} WHERE room = ? AND {column} NOT IN (SELECT value FROM json_each(?))",
        (room, listed),
    )
    # Not OR IGNORE: that would also hide that something is missing.
    db.execute(
        f"INSERT INTO {table} (room, {column}) SELECT ?, value FROM json_each(?) WHERE true"
        f" ON CONFLICT (room, {column}) DO NOTHING",
        (room, listed),
    )


def _check_not_ended(db: sqlite3.Connection, id: str) -> None:
    """Who goes on with a match that has ended has not heard of that yet."""
    over = "SELECT 1 FROM matches WHERE id = ? AND ended IS NOT NULL"
    if db.execute(over, (id,)).fetchall():
        raise Taken("this match has ended")


_MARKS = "SELECT mark FROM marks WHERE who = ?"


def _new_mark() -> bytes:
    return secrets.token_bytes(8)


def _put_mark(db: sqlite3.Connection, who: str, mark: bytes) -> None:
    db.execute("REPLACE INTO marks (who, mark) VALUES (?, ?)", (who, mark))


def _surely_lost(error: Exception) -> bool:
    """Whether a commit that failed like this is not in the file: the disk had no room for its end,
    without which the rest counts for nothing."""
    return code_of(error) == sqlite3.SQLITE_FULL


_MATCH = "id, room, header, began, ended, public, frozen, paused, rested, writer"


def _match(
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


def _failed(error: Exception, kind: type[StoreFailed] = StoreFailed) -> StoreFailed:
    # Only entries and lines of chat are never put in place of others: their number is taken.
    gone = code_of(error) == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
    if gone or isinstance(error, Taken):
        kind = Taken
    failure = kind(str(error))
    failure.__cause__ = error
    return failure


def _tell(group: list[_Waiting], failures: list[StoreFailed | None]) -> None:
    for waiting, failure in zip(group, failures, strict=True):
        if waiting.kept.cancelled():
            continue
        if failure is None:
            waiting.kept.set_result(None)
        else:
            waiting.kept.set_exception(failure)


# --- connections ---------------------------------------------------------------------------------


class _Connection:
    """A connection, and the one thread that uses it; jobs run in the order they came."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._db: sqlite3.Connection | None = None

    async def open(self, connect: Callable[[], sqlite3.Connection]) -> None:
        await asyncio.wrap_future(self._thread.submit(self.reopen, connect))

    def reopen(self, connect: Callable[[], sqlite3.Connection]) -> None:
        """In its thread: have another connection from now on."""
        self._let_go()
        self._db = connect()

    @property
    def db(self) -> sqlite3.Connection:
        """For its thread alone."""
        assert self._db is not None, "open the store first"
        return self._db

    def begin(self, job: Callable[[sqlite3.Connection], T]) -> Future[T]:
        try:
            return self._thread.submit(lambda: job(self.db))
        except RuntimeError as error:
            raise StoreFailed("the store is closed") from error

    async def run(self, job: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.wrap_future(self.begin(job))

    async def close(self) -> None:
        """After all jobs that were begun; nothing happens the second time."""
        try:
            last = self._thread.submit(self._let_go)
        except RuntimeError:
            return
        self._thread.shutdown(wait=False)
        await asyncio.wrap_future(last)

    def _let_go(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            db.close()


def _connect(path: Path) -> sqlite3.Connection:
    # mode=rw: a file that is missing is not made, least of all one that everybody may read.
    db = sqlite3.connect(
        f"{path.as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=PATIENCE
    )
    try:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA fullfsync = ON")  # without it a Mac leaves writes in the disk's cache
        db.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        db.close()
        raise
    return db


def _make(path: Path) -> None:
    """A new store. Its name appears when it is whole: an empty file of that name is not our doing."""
    log = path.with_name(path.name + "-wal")
    if log.exists():  # SQLite would play it into the new file
        raise Problem("store.lost", file=str(path), log=str(log))
    with _whole_or_nothing(path) as part, closing(_connect(part)) as db:
        _bring_up_to_date(db, part)


@contextmanager
def _whole_or_nothing(path: Path) -> Iterator[Path]:
    """A file to write, which takes its name at the end, if all went well. Only we may read it: it
    holds the secret and everybody's cards. SQLite gives its log the same permissions."""
    handle, name = tempfile.mkstemp(".part", path.name + ".", path.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _check_not_cut_off(path: Path) -> None:
    # SQLite takes a file of one byte for a new one, too; of others it says that they are no stores.
    if path.is_file() and path.stat().st_size <= 1:
        raise Problem("store.cut-off", file=str(path))


def _open_for_writing(path: Path) -> sqlite3.Connection:
    """A connection to the file, brought up to date if it is old."""
    _check_not_cut_off(path)
    db = _connect(path)
    try:
        _bring_up_to_date(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        # Without this limit the log starts again but its file stays as long as it ever was.
        db.execute(f"PRAGMA journal_size_limit = {LOG_LIMIT}")
        # A log that is left from before may be in memory only, if the disk failed: see `_look`.
        _copy_all_back(db)
        # Also shows now, and not at the first move, that the file can be written to.
        db.execute("INSERT OR IGNORE INTO secret VALUES (1, ?)", (secrets.token_bytes(SECRET),))
    except BaseException:
        db.close()
        raise
    return db


def _open_beside(path: Path) -> sqlite3.Connection:
    """A connection to a store that is there and of today's form."""
    if not path.exists():
        raise Problem("store.missing", file=str(path))
    _check_not_cut_off(path)
    db = _connect(path)
    try:
        version = _version(db, path)
        if version != len(MIGRATIONS):
            known = str(len(MIGRATIONS))
            raise Problem("store.other-form", file=str(path), version=str(version), known=known)
    except BaseException:
        db.close()
        raise
    return db


def _open_for_reading(path: Path) -> sqlite3.Connection:
    db = _connect(path)
    db.execute("PRAGMA query_only = ON")
    return db


def _copy_back(db: sqlite3.Connection) -> None:
    """Copy what the log has into the file, as far as that keeps nobody waiting."""
    db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _copy_all_back(db: sqlite3.Connection) -> bool:
    """Copy the whole log into the file and empty it, unless somebody is reading from it."""
    ((busy, _, _),) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return not busy


def _lock(path: Path) -> int | None:
    """Own the file as its server until the lock is closed, or the process dies.

    A file of its own, because SQLite's locks on the store are lost when a process closes any handle
    of it. It stays afterwards: who removed it could remove another's.
    """
    if sys.platform == "win32":
        return None
    with problems_of(path):
        lock = os.open(path.with_name(path.name + ".lock"), os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise Problem("store.in-use", file=str(path)) from None
    return lock


# --- versions and backups ------------------------------------------------------------------------


def _version(db: sqlite3.Connection, path: Path) -> int:
    """The version of a file that is ours; 0 if nothing is in it yet."""
    ((owner,),) = db.execute("PRAGMA application_id")
    ((version,),) = db.execute("PRAGMA user_version")
    ((things,),) = db.execute("SELECT count(*) FROM sqlite_master")
    if owner != APPLICATION_ID and (owner or version or things):
        raise Problem("store.foreign", file=str(path))
    return int(version)


def _bring_up_to_date(db: sqlite3.Connection, path: Path) -> None:
    version = _version(db, path)
    if version > len(MIGRATIONS):
        raise Problem(
            "store.future", file=str(path), version=str(version), known=str(len(MIGRATIONS))
        )
    if 0 < version < len(MIGRATIONS):
        backup(path, path.with_name(f"{path.name}.v{version}.backup"))
    # Otherwise to make a table anew would delete all that refers to it.
    db.execute("PRAGMA foreign_keys = OFF")
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        try:
            db.executescript(f"BEGIN IMMEDIATE; {script}")
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {number}")
            db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            raise
    db.execute("PRAGMA foreign_keys = ON")


def backup(path: Path, to: Path) -> None:
    """Copy a store to another file, also while a server uses it. The copy appears when it is whole.

    A copy of a store that is damaged is none, and must not take the place of a good one.
    """
    path, to = path.resolve(), to.resolve()
    if not path.exists():
        raise Problem("store.missing", file=str(path))
    _check_not_cut_off(path)
    with problems_of(path), closing(_connect(path)) as db:
        _version(db, path)
        with problems_of(to):
            _check_not_ours(path, to)
            # Where a log lies next to it, somebody uses the file, or it is half of a store.
            if to.with_name(to.name + "-wal").exists():
                raise Problem("store.in-use", file=str(to))
            with _whole_or_nothing(to) as part, closing(sqlite3.connect(part)) as copy:
                db.backup(copy)  # in one step: a moment's state, and the writer need not wait
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
                with problems_of(path):
                    _check_whole(copy, path)


def _check_not_ours(path: Path, to: Path) -> None:
    """The file of a store, and those that lie beside it, are for nothing else."""
    path, to = path.resolve(), to.resolve()
    ours = [path.with_name(path.name + end) for end in ("", "-wal", "-shm", ".lock")]
    if to in ours or (to.exists() and any(one.exists() and to.samefile(one) for one in ours)):
        raise Problem("store.own-file", file=str(to))


def _check_whole(copy: sqlite3.Connection, path: Path) -> None:
    """Look at every page: what is wrong with the copy is wrong with what it was made from."""
    if copy.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
        raise Problem(DAMAGED, file=str(path))


def _sync_folder(folder: Path) -> None:
    """Make sure that a new name in it outlives a power cut."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- by name -------------------------------------------------------------------------------------


def open_store(url: str, beside: bool = False) -> SqliteStore:
    """The store that a setting names, still to be opened."""
    return SqliteStore(path_of(url), beside)


def path_of(url: str) -> Path:
    """The file that a setting names: `sqlite:///path`, `sqlite:path` or simply a path."""
    scheme, path = "sqlite", url
    if url.startswith("sqlite:") or "://" in url:
        scheme, _, path = url.partition(":")
    path = re.sub("^//(?=/)", "", path)
    if scheme != "sqlite" or not path or path.startswith("//"):
        # Of another kind only that: there may be a password in the rest.
        raise Problem("store.unknown", found=url if scheme == "sqlite" else f"{scheme}://…")
    return Path(path)
