"""A Store in one SQLite file, for one server process.

One thread writes. While it waits for the disk more transactions come in, and it takes them all into
the next commit: a hundred tables pay for one wait and not for a hundred. Only after the commit does
anybody hear of theirs. Questions have a thread and a connection of their own, and so has copying the
write-ahead log back into the file (a checkpoint), which would hold the writer up.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import sqlite3
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, assert_never

from capolinea.engine.problems import Problem
from capolinea.server.store import (
    AddChat,
    AddEntries,
    Change,
    ChatRow,
    DropChat,
    DropMatch,
    DropRoom,
    EntryRow,
    Held,
    Hold,
    MatchRow,
    PutMatch,
    PutPrivate,
    PutRoom,
    Release,
    StoreFailed,
    Taken,
)

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
    "ALTER TABLE matches ADD COLUMN writer INTEGER NOT NULL DEFAULT 0;",
]

#: When the log is longer than this many bytes it is copied back into the file.
LOG_LIMIT = 4 * 2**20

#: Seconds to wait for another process that has the file locked, before a transaction fails.
PATIENCE = 10.0


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
        # SQLite puts its log next to where a link leads; our lock and backups belong there too.
        self._path = path.resolve()
        self._log = self._path.with_name(self._path.name + "-wal")
        self._writer = _Connection("store-writer")
        self._reader = _Connection("store-reader")
        self._checkpointer = _Connection("store-checkpointer")
        self._checkpoint: Future[None] | None = None
        self._waiting: deque[_Waiting] = deque()
        self._lock: int | None = None
        self._open = False

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        prepare = _open_beside if self._beside else _open_for_writing
        if not self._beside:
            self._lock = _lock(self._path)
        try:
            with _problems_of(self._path):
                await self._writer.open(lambda: prepare(self._path))
                await self._reader.open(lambda: _open_for_reading(self._path))
                await self._checkpointer.open(lambda: _connect(self._path))
        except BaseException:
            await self.close()
            raise
        self._open = True

    async def close(self) -> None:
        self._open = False
        # The writer first: it may still ask for a checkpoint. The last to close makes one anyway.
        for connection in (self._writer, self._checkpointer, self._reader):
            await connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    async def write(self, *changes: Change) -> None:
        """As the Store says, in the order of the calls. Who stops waiting does not stop the write."""
        if not self._open:  # asked first: what waits is taken along by a job that came before
            raise StoreFailed("the store is not open")
        waiting = _Waiting(changes, self._loop.create_future())
        self._waiting.append(waiting)
        # One job for each: the first that runs takes all that wait, the others find nothing.
        self._writer.begin(self._keep_waiting)
        await waiting.kept

    async def backup(self, to: Path) -> None:
        """A copy of the file as it is now, while play goes on."""
        await asyncio.to_thread(backup, self._path, to)

    def _keep_waiting(self, db: sqlite3.Connection) -> None:
        """One commit for all transactions that wait. Runs in the writer's thread."""
        group = [self._waiting.popleft() for _ in range(len(self._waiting))]
        if not group:
            return
        failures: list[StoreFailed | None]
        try:
            db.execute("BEGIN IMMEDIATE")
            failures = [_keep(db, waiting.changes) for waiting in group]
            self._commit(db)
        except Exception as error:
            failures = [_failed(error) for _ in group]
            with suppress(sqlite3.Error):  # some errors have already rolled back
                db.execute("ROLLBACK")
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(_tell, group, failures)
        self._shorten_log(db)

    def _commit(self, db: sqlite3.Connection) -> None:
        db.execute("COMMIT")

    def _shorten_log(self, db: sqlite3.Connection) -> None:
        """Have the log copied back if it has grown; it then starts from the beginning again."""
        with suppress(OSError):
            size = self._log.stat().st_size
            if size > 16 * LOG_LIMIT:
                # The checkpointer never catches up with so much writing: rather hold that up now
                # than fill the disk.
                _copy_back(db)
            elif size > LOG_LIMIT and (self._checkpoint is None or self._checkpoint.done()):
                self._checkpoint = self._checkpointer.begin(_copy_back)

    # --- questions ---------------------------------------------------------------------------

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        try:
            return await self._reader.run(lambda db: db.execute(sql, values).fetchall())
        except sqlite3.Error as error:
            raise _failed(error) from error

    async def secret(self) -> bytes:
        [(key,)] = await self._rows("SELECT key FROM secret")
        return bytes(key)

    async def room(self, code: str) -> bytes | None:
        rows = await self._rows("SELECT doc FROM rooms WHERE code = ?", code)
        return rows[0][0] if rows else None

    async def rooms(self) -> list[tuple[str, bytes, int]]:
        return await self._rows("SELECT code, doc, changed FROM rooms ORDER BY code")

    async def rooms_with(self, word: str) -> list[bytes]:
        rows = await self._rows(
            "SELECT doc FROM rooms WHERE instr(doc, ?) > 0 ORDER BY changed DESC, code",
            word.encode(),
        )
        return [doc for (doc,) in rows]

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

    async def chat(self, room: str) -> list[ChatRow]:
        rows = await self._rows(
            "SELECT n, match_id, line FROM chat WHERE room = ? ORDER BY n", room
        )
        return [ChatRow(*row) for row in rows]


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
        case PutRoom(code, doc, changed):
            # Not REPLACE, here and for matches: it deletes first, and with it what belongs to it.
            db.execute(
                "INSERT INTO rooms (code, doc, changed) VALUES (?, ?, ?)"
                " ON CONFLICT (code) DO UPDATE SET doc = excluded.doc, changed = excluded.changed",
                (code, doc, changed),
            )
        case DropRoom(code):
            db.execute("DELETE FROM rooms WHERE code = ?", (code,))
        case PutMatch(row):
            kept = db.execute(
                f"INSERT INTO matches ({_MATCH}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET room = excluded.room, header = excluded.header,"
                " began = excluded.began, ended = excluded.ended, public = excluded.public,"
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
        case AddEntries(id, rows):
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
        case AddChat(room, line):
            db.execute(
                "INSERT INTO chat (room, n, match_id, line) VALUES (?, ?, ?, ?)",
                (room, line.n, line.match, line.line),
            )
        case DropChat(room, id):
            db.execute("DELETE FROM chat WHERE room = ? AND match_id = ?", (room, id))
        case DropMatch(id):
            db.execute(
                "DELETE FROM chat WHERE room = (SELECT room FROM matches WHERE id = ?)"
                " AND match_id = ?",
                (id, id),
            )
            db.execute("DELETE FROM matches WHERE id = ?", (id,))
        case _:
            assert_never(change)


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


def _failed(error: Exception) -> StoreFailed:
    # Only entries and lines of chat are never put in place of others: their number is taken.
    taken = (
        isinstance(error, sqlite3.IntegrityError)
        and error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
    )
    failure = Taken(str(error)) if taken else StoreFailed(str(error))
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
        def job() -> None:
            self._db = connect()

        await asyncio.wrap_future(self._thread.submit(job))

    def begin(self, job: Callable[[sqlite3.Connection], T]) -> Future[T]:
        def with_db() -> T:
            assert self._db is not None, "open the store first"
            return job(self._db)

        try:
            return self._thread.submit(with_db)
        except RuntimeError as error:
            raise StoreFailed("the store is closed") from error

    async def run(self, job: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.wrap_future(self.begin(job))

    async def close(self) -> None:
        """After all jobs that were begun; nothing happens the second time."""

        def job() -> None:
            if self._db is not None:
                self._db.close()

        try:
            last = self._thread.submit(job)
        except RuntimeError:
            return
        self._thread.shutdown(wait=False)
        await asyncio.wrap_future(last)


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


def _open_for_writing(path: Path) -> sqlite3.Connection:
    """A connection to the file, made if it is missing and brought up to date if it is old."""
    with suppress(FileExistsError):
        # It holds the secret and everybody's cards. SQLite gives its log the same permissions.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    db = _connect(path)
    try:
        _bring_up_to_date(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        # Without this limit the log starts again but its file stays as long as it ever was.
        db.execute(f"PRAGMA journal_size_limit = {LOG_LIMIT}")
        # Also shows now, and not at the first move, that the file can be written to.
        db.execute("INSERT OR IGNORE INTO secret VALUES (1, ?)", (secrets.token_bytes(32),))
    except BaseException:
        db.close()
        raise
    return db


def _open_beside(path: Path) -> sqlite3.Connection:
    """A connection to a store that is there and of today's form."""
    if not path.exists():
        raise Problem("store.missing", file=str(path))
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


def _lock(path: Path) -> int | None:
    """Own the file as its server until the lock is closed, or the process dies.

    A file of its own, because SQLite's locks on the store are lost when a process closes any handle
    of it. It stays afterwards: who removed it could remove another's.
    """
    if sys.platform == "win32":
        return None
    with _problems_of(path):
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

    A copy has the secret and every hidden card: only its owner may read it.
    """
    path, to = path.resolve(), to.resolve()
    if not path.exists():
        raise Problem("store.missing", file=str(path))
    with _problems_of(path), closing(_connect(path)) as db:
        _version(db, path)
        with _problems_of(to):
            # Where a log lies next to it, somebody uses the file, or it is half of a store.
            if to == path or to.with_name(to.name + "-wal").exists():
                raise Problem("store.in-use", file=str(to))
            handle, name = tempfile.mkstemp(
                ".part", to.name + ".", to.parent
            )  # readable by us only
            os.close(handle)
            part = Path(name)
            try:
                with closing(sqlite3.connect(part)) as copy:
                    db.backup(copy)  # in one step: a moment's state, and the writer need not wait
                    copy.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
                part.replace(to)
            finally:
                part.unlink(missing_ok=True)
            _sync_folder(to.parent)


def _sync_folder(folder: Path) -> None:
    """Make sure that a new name in it outlives a power cut."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- problems ------------------------------------------------------------------------------------

_KEYS = {
    sqlite3.SQLITE_FULL: "store.full",
    sqlite3.SQLITE_NOTADB: "store.foreign",
    sqlite3.SQLITE_CORRUPT: "store.damaged",
    sqlite3.SQLITE_READONLY: "store.read-only",
}


@contextmanager
def _problems_of(path: Path) -> Iterator[None]:
    """What is wrong with a file, as a person should read it."""
    try:
        yield
    except sqlite3.Error as error:
        # The lower byte of a code says what it is about; Python's own errors have no code.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        key = _KEYS.get(code, "store.unusable")
        raise Problem(key, file=str(path), why=str(error)) from error
    except FileNotFoundError as error:
        raise Problem("store.no-folder", folder=str(path.parent)) from error
    except OSError as error:
        raise Problem("store.unusable", file=str(path), why=error.strerror) from error


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
