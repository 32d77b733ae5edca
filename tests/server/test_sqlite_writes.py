"""The store in one SQLite file: all or nothing, and on the disk before anybody hears of it."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest

from capolinea.server import sqlite, sqlite_file
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import (
    AddChat,
    AddEntries,
    Change,
    Held,
    Hold,
    PutMatch,
    PutPrivate,
    PutRoom,
    StoreFailed,
    Taken,
)
from tests.server.stores import add, entry, line, numbers, opened, row
from tests.server.tables import TIME

# --- all or nothing ------------------------------------------------------------------------------


class Slow(SqliteStore):
    """A store whose commits wait for a sign, and are counted."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.commits = 0
        self.reached = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def _commit(self, db: sqlite3.Connection) -> None:
        self.commits += 1
        self.reached.set()
        assert self.go_on.wait(10)
        super()._commit(db)


@asynccontextmanager
async def grouped(store: Slow) -> AsyncIterator[None]:
    """What is written in here, after a first write, comes into one commit."""
    store.go_on.clear()
    store.reached.clear()
    first = asyncio.ensure_future(store.write(PutRoom("WAIT", b"", 0)))
    await asyncio.to_thread(store.reached.wait, 10)
    try:
        yield
        await asyncio.sleep(0)  # tasks made in here get to ask
    finally:
        store.go_on.set()
    await first


async def test_who_comes_second_loses_all_of_it_and_nobody_else_loses_anything(path: Path) -> None:
    store = Slow(path)
    await store.open()
    await store.write(PutMatch(row()), PutMatch(row("m2")))
    async with grouped(store):
        writes: list[tuple[Change, ...]] = [
            (add(0),),
            (PutPrivate("m1", 0, b"lost"), AddEntries("m1", [entry(1), entry(0)])),
            (add(0, "m2"),),
            (add(1),),
        ]
        tasks = [asyncio.ensure_future(store.write(*changes)) for changes in writes]
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert store.commits == 3
    assert [type(outcome) for outcome in outcomes] == [type(None), Taken, *[type(None)] * 2]
    assert await numbers(store) == [0, 1]
    assert await numbers(store, "m2") == [0]
    assert await store.private("m1") == {}
    with pytest.raises(Taken):
        await store.write(add(1))
    await store.close()


@pytest.mark.parametrize(
    "change",
    [
        add(0, "nowhere"),
        Hold("nowhere", Held(0, 1, b"")),
        PutPrivate("nowhere", 0, b""),
        AddChat("NOWHERE", line(0)),
        PutRoom("ABCD", None, 1),  # type: ignore[arg-type]
        PutRoom("ABCD", b"", 2**64),
        PutRoom("\ud800", b"", 1),
    ],
)
async def test_what_cannot_be_kept_fails_alone(path: Path, change: Change) -> None:
    async with opened(path) as store:
        outcomes = await asyncio.gather(
            store.write(PutMatch(row("before"))),
            store.write(PutMatch(row("with")), change),
            store.write(PutMatch(row("after"))),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [type(None), StoreFailed, type(None)]
        assert [match.id for match in await store.matches()] == ["after", "before"]


async def test_an_error_that_ends_the_whole_transaction_fails_the_whole_group(path: Path) -> None:
    """SQLite may roll back everything by itself; who came before must not be told that all is well."""

    class Rolling(Slow):
        def _commit(self, db: sqlite3.Connection) -> None:
            super()._commit(db)
            db.execute("DROP TRIGGER IF EXISTS temp.roll")
            db.execute(
                "CREATE TEMP TRIGGER roll BEFORE INSERT ON main.rooms WHEN NEW.code = 'ROLL'"
                " BEGIN SELECT RAISE(ROLLBACK, 'all of it'); END"
            )

    store = Rolling(path)
    await store.open()
    async with grouped(store):
        tasks = [
            asyncio.ensure_future(store.write(PutRoom(code, b"", 1)))
            for code in ("GOOD", "ROLL", "LATE")
        ]
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StoreFailed] * 3
    await store.write(PutRoom("NEXT", b"", 1))
    assert sorted(await store.rooms_before(2)) == ["NEXT", "WAIT"]
    await store.close()


async def test_a_full_disk_fails_writes_and_not_the_server(path: Path) -> None:
    def pages(db: sqlite3.Connection, most: int) -> None:
        db.execute(f"PRAGMA max_page_count = {most}").fetchall()

    async with opened(path) as store:
        await store.write(PutRoom("ABCD", b"", 1))
        await store._writer.run(lambda db: pages(db, 1))
        with pytest.raises(StoreFailed, match="full"):
            await store.write(PutRoom("LONG", b"x" * 100_000, 1))
        await store._writer.run(lambda db: pages(db, 10_000))
        await store.write(PutRoom("MORE", b"x" * 100_000, 1))
        assert await store.rooms_before(2) == ["ABCD", "MORE"]


# --- on the disk before anybody hears ------------------------------------------------------------


async def test_the_writer_waits_for_the_disk(path: Path) -> None:
    def ask(db: sqlite3.Connection) -> list[object]:
        names = "synchronous", "journal_mode", "wal_autocheckpoint", "foreign_keys"
        return [db.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    async with opened(path) as store:
        assert await store._writer.run(ask) == [2, "wal", 0, 1]


async def test_many_writes_share_a_commit(path: Path) -> None:
    async with opened(path, Slow) as store:
        assert isinstance(store, Slow)
        await store.write(PutMatch(row()))
        await asyncio.gather(*(store.write(add(n)) for n in range(500)))
        assert store.commits < 50
        assert await numbers(store) == list(range(500))


async def test_a_commit_that_stalls_tells_nobody(path: Path) -> None:
    async with opened(path, Slow) as store:
        assert isinstance(store, Slow)
        async with grouped(store):
            write = asyncio.ensure_future(store.write(PutRoom("ABCD", b"", 1)))
            await asyncio.sleep(0.05)
            assert not write.done()
            assert await store.rooms_before(2) == []  # questions are answered all the same
        await write
        assert await store.room("ABCD") == b""


async def test_a_commit_that_fails_fails_everybody(path: Path) -> None:
    class Failing(Slow):
        fail = False

        def _commit(self, db: sqlite3.Connection) -> None:
            if self.fail:
                raise sqlite3.OperationalError("disk I/O error")
            super()._commit(db)

    store = Failing(path)
    await store.open()
    await store.write(PutMatch(row()))
    store.fail = True
    outcomes = await asyncio.gather(
        *(store.write(add(n)) for n in (0, 1, 2, 2)), return_exceptions=True
    )
    assert all(isinstance(outcome, StoreFailed) for outcome in outcomes)
    assert await numbers(store) == []
    store.fail = False
    await store.write(add(0))  # and it goes on when the disk does
    assert await numbers(store) == [0]
    await store.close()


async def test_who_stops_waiting_disturbs_nobody(path: Path) -> None:
    async with opened(path, Slow) as store:
        assert isinstance(store, Slow)
        async with grouped(store):
            gone = asyncio.ensure_future(store.write(PutRoom("GONE", b"", 1)))
            stays = asyncio.ensure_future(store.write(PutRoom("STAY", b"", 1)))
            await asyncio.sleep(0)
            gone.cancel()
        await stays
        assert await store.room("STAY") == b""


async def test_close_finishes_what_was_begun(path: Path) -> None:
    store = SqliteStore(path)
    with pytest.raises(StoreFailed):
        await store.write(PutMatch(row()))
    await store.open()
    await store.write(PutMatch(row()))
    tasks = [asyncio.ensure_future(store.write(add(n))) for n in range(50)]
    await asyncio.sleep(0)
    await store.close()
    assert all(task.done() and task.exception() is None for task in tasks)
    with pytest.raises(StoreFailed):
        await store.write(add(50))
    with pytest.raises(StoreFailed):
        await store.matches()
    await store.close()  # twice is once
    async with opened(path) as again:
        assert await numbers(again) == list(range(50))
    assert not path.with_name("capolinea.db-wal").exists()


WRITER = """
import asyncio, sys
from pathlib import Path
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import AddEntries, EntryRow, MatchRow, PutMatch

async def table(store, match):
    await store.write(PutMatch(MatchRow(match, "", b"{}", 1)))
    for n in range(10**9):
        await store.write(AddEntries(match, [EntryRow(n, b"{}", b"", "")]))
        print(match, n, flush=True)

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    await store.open()
    await asyncio.gather(*(table(store, f"m{i}") for i in range(5)))

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
async def test_a_killed_server_has_kept_all_that_it_told(path: Path) -> None:
    told: dict[str, int] = {}
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        for count, said in enumerate(server.stdout):
            if not said.endswith("\n"):
                break
            match, n = said.split()
            told[match] = int(n)
            if count == 300:
                server.send_signal(signal.SIGKILL)

    assert len(told) == 5
    async with opened(path) as store:
        for match, last in told.items():
            kept = await numbers(store, match)
            assert kept == list(range(len(kept)))
            assert len(kept) > last


@pytest.mark.parametrize("starved", [False, True])
async def test_the_log_does_not_grow_for_ever(
    path: Path, monkeypatch: pytest.MonkeyPatch, starved: bool
) -> None:
    limit = 2**16
    log = path.with_name("capolinea.db-wal")
    copy_back = sqlite_file.copy_back
    threads = set()

    def watched(db: sqlite3.Connection) -> None:
        thread = threading.current_thread().name.rpartition("_")[0]
        threads.add(thread)
        if not starved or thread == "store-writer":
            copy_back(db)

    for module in (sqlite, sqlite_file):
        monkeypatch.setattr(module, "LOG_LIMIT", limit)
    monkeypatch.setattr(sqlite, "copy_back", watched)

    async with opened(path) as store:
        for turn in range(120):
            await store.write(PutRoom("ABCD", os.urandom(limit // 4), turn))
        assert log.stat().st_size < 20 * limit
        if not starved:
            async with asyncio.timeout(TIME):  # with less to do, its file becomes short again
                turns = count()
                while log.stat().st_size > limit:
                    await store.write(PutRoom("ABCD", b"", next(turns)))
                    await asyncio.sleep(0.01)
    assert ("store-writer" if starved else "store-checkpointer") in threads
