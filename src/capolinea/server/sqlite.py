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
import sqlite3
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from capolinea.engine.problems import Problem
from capolinea.server import headers, logs
from capolinea.server.sqlite_changes import (
    MARKS,
    MATCH_COLUMNS,
    failed,
    keep,
    match_row,
    new_mark,
    put_mark,
    surely_lost,
)
from capolinea.server.sqlite_file import (
    LOG_LIMIT,
    SECRET,
    backup,
    check_not_ours,
    connect,
    copy_all_back,
    copy_back,
    lock_file,
    make_store,
    open_beside,
    open_for_reading,
    open_for_writing,
)
from capolinea.server.store import (
    Change,
    ChatRow,
    EntryRow,
    Held,
    MatchRow,
    NotRead,
    ProposalRow,
    PutMark,
    StoreFailed,
)
from capolinea.server.troubles import DAMAGED, FAILURES, Troubles, problems_of

T = TypeVar("T")

#: Seconds before the store looks again whether a commit went through, if it could not look.
LOOK_AGAIN = 1.0


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
        self._prepare = open_beside if beside else open_for_writing
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
            self._lock = lock_file(self._path)
        try:
            with problems_of(self._path):
                if not self._beside and not self._path.exists():
                    make_store(self._path)
                await self._writer.open(lambda: self._prepare(self._path))
                await self._reader.open(lambda: open_for_reading(self._path))
                await self._checkpointer.open(lambda: connect(self._path))
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
        check_not_ours(self._path, to)

    async def backup(self, to: Path) -> None:
        """A copy of the file as it is now, while play goes on."""
        await asyncio.to_thread(backup, self._path, to)

    async def check(self) -> None:
        """Write something, and see whether it is there. Says nothing of the file but its name."""
        mark = new_mark()
        try:
            await self.write(PutMark(mark))
            found = await self._rows(MARKS, "probe")
        except StoreFailed as failure:
            why = failure.problem or Problem("table.not-kept")
            raise why.again() from failure
        if found != [(mark,)]:
            raise Problem("store.forgets", file=self._path.name)
        trouble = self._troubles.last
        if trouble is not None:  # other writes than this one fail
            raise trouble.again()

    # --- inside: the writer's thread ----------------------------------------------------------

    def _keep_waiting(self, db: sqlite3.Connection) -> None:
        """One commit for all transactions that wait."""
        group = self._take_waiting()
        if not group:
            return
        mark = new_mark()
        try:
            db.execute("BEGIN IMMEDIATE")
            failures = [keep(db, waiting.changes) for waiting in group]
            put_mark(db, self._name, mark)
        except Exception as error:
            failures = self._fail(db, group, error)
        else:
            try:
                self._commit(db)
            except Exception as error:
                lost = self._fail(db, group, error)
                kept = False if surely_lost(error) else self._find_out(mark)
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
        failures: list[StoreFailed | None] = [failed(error) for _ in group]
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
                self._troubles.look_at([failed(error)])
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
        if not copy_all_back(db):
            raise sqlite3.OperationalError("somebody reads from the log")
        if db.execute(MARKS, (self._name,)).fetchall() == [(mark,)]:
            return True
        put_mark(db, self._name, new_mark())
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
                copy_back(self._writer.db)
            elif size > LOG_LIMIT and (self._checkpoint is None or self._checkpoint.done()):
                self._checkpoint = self._checkpointer.begin(copy_back)

    # --- questions ---------------------------------------------------------------------------

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        try:
            return await self._reader.run(lambda db: db.execute(sql, values).fetchall())
        except FAILURES as error:
            raise self._not_read(error) from error

    def _not_read(self, error: Exception) -> StoreFailed:
        failure = failed(error, NotRead)
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
        found = await self._matches("WHERE id = ?", id)
        return found[0] if found else None

    async def matches(self, room: str | None = None) -> list[MatchRow]:
        newest_first = "ORDER BY began DESC, rowid DESC"
        if room is None:
            return await self._matches(newest_first)
        return await self._matches(f"WHERE room = ? {newest_first}", room)

    async def _matches(self, which: str, *values: str) -> list[MatchRow]:
        rows = await self._rows(f"SELECT {MATCH_COLUMNS} FROM matches {which}", *values)
        return [await self._whole(match_row(*row)) for row in rows]

    async def _whole(self, row: MatchRow) -> MatchRow:
        """With the data that lie beside its header."""
        if not headers.is_parted(row.header):
            return row
        own = await self._rows(
            "SELECT hash, content FROM data_of_matches JOIN data USING (hash) WHERE match_id = ?",
            row.id,
        )
        return msgspec.structs.replace(row, header=headers.join(row.header, dict(own)))

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


def _tell(group: list[_Waiting], failures: list[StoreFailed | None]) -> None:
    for waiting, failure in zip(group, failures, strict=True):
        if waiting.kept.cancelled():
            continue
        if failure is None:
            waiting.kept.set_result(None)
        else:
            waiting.kept.set_exception(failure)


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
