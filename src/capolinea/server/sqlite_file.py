"""The file of a SQLite store: its form in every version, who may open it, and copies of it."""

from __future__ import annotations

import os
import secrets
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from capolinea.engine.problems import Problem
from capolinea.server.troubles import DAMAGED, problems_of

if sys.platform != "win32":
    import fcntl

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
    """
    CREATE TABLE data_of_matches (  -- what was in a header before stays there until it is written
        match_id TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
        hash TEXT NOT NULL REFERENCES data,
        PRIMARY KEY (match_id, hash)
    ) WITHOUT ROWID;
    CREATE INDEX matches_of_data ON data_of_matches (hash);
    """,
]

#: A secret has so many bytes.
SECRET = 32

#: When the log is longer than this many bytes it is copied back into the file.
LOG_LIMIT = 4 * 2**20

#: Seconds to wait for another process that has the file locked, before a transaction fails.
PATIENCE = 10.0


def connect(path: Path) -> sqlite3.Connection:
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


def make_store(path: Path) -> None:
    """A new store. Its name appears when it is whole: an empty file of that name is not our doing."""
    log = path.with_name(path.name + "-wal")
    if log.exists():  # SQLite would play it into the new file
        raise Problem("store.lost", file=str(path), log=str(log))
    with _whole_or_nothing(path) as part, closing(connect(part)) as db:
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


def open_for_writing(path: Path) -> sqlite3.Connection:
    """A connection to the file, brought up to date if it is old."""
    _check_not_cut_off(path)
    db = connect(path)
    try:
        _bring_up_to_date(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        # Without this limit the log starts again but its file stays as long as it ever was.
        db.execute(f"PRAGMA journal_size_limit = {LOG_LIMIT}")
        # A log that is left from before may be in memory only, if the disk failed: see `_look`.
        copy_all_back(db)
        # Also shows now, and not at the first move, that the file can be written to.
        db.execute("INSERT OR IGNORE INTO secret VALUES (1, ?)", (secrets.token_bytes(SECRET),))
    except BaseException:
        db.close()
        raise
    return db


def open_beside(path: Path) -> sqlite3.Connection:
    """A connection to a store that is there and of today's form."""
    if not path.exists():
        raise Problem("store.missing", file=str(path))
    _check_not_cut_off(path)
    db = connect(path)
    try:
        version = _version(db, path)
        if version != len(MIGRATIONS):
            known = str(len(MIGRATIONS))
            raise Problem("store.other-form", file=str(path), version=str(version), known=known)
    except BaseException:
        db.close()
        raise
    return db


def open_for_reading(path: Path) -> sqlite3.Connection:
    db = connect(path)
    db.execute("PRAGMA query_only = ON")
    return db


def copy_back(db: sqlite3.Connection) -> None:
    """Copy what the log has into the file, as far as that keeps nobody waiting."""
    db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def copy_all_back(db: sqlite3.Connection) -> bool:
    """Copy the whole log into the file and empty it, unless somebody is reading from it."""
    ((busy, _, _),) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return not busy


def lock_file(path: Path) -> int | None:
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
    with problems_of(path), closing(connect(path)) as db:
        _version(db, path)
        with problems_of(to):
            check_not_ours(path, to)
            # Where a log lies next to it, somebody uses the file, or it is half of a store.
            if to.with_name(to.name + "-wal").exists():
                raise Problem("store.in-use", file=str(to))
            with _whole_or_nothing(to) as part, closing(sqlite3.connect(part)) as copy:
                db.backup(copy)  # in one step: a moment's state, and the writer need not wait
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
                with problems_of(path):
                    _check_whole(copy, path)


def check_not_ours(path: Path, to: Path) -> None:
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
