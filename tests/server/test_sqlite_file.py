"""The store in one SQLite file: the file, what is refused as one, and its backups."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

from capolinea.engine.problems import Problem
from capolinea.server import sqlite_file
from capolinea.server.sqlite import SqliteStore
from capolinea.server.sqlite_file import backup
from capolinea.server.store import (
    Change,
    PutMatch,
    PutRoom,
)
from tests.server.stores import add, numbers, opened, row

# --- the file ------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are something else there")
async def test_only_the_owner_may_read(path: Path) -> None:
    def rights(file: Path) -> int:
        return stat.S_IMODE(file.stat().st_mode)

    before = os.umask(0)
    try:
        async with opened(path) as store:
            await store.write(PutRoom("ABCD", b"", 1))
            await store.backup(path.with_name("copy"))
            assert {rights(file) for file in path.parent.iterdir()} == {0o600}
            assert {file.name for file in path.parent.iterdir()} >= {
                "capolinea.db",
                "capolinea.db-wal",
                "copy",
            }
    finally:
        os.umask(before)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no lock there")
async def test_one_server_a_file(path: Path) -> None:
    async with opened(path) as store:
        await store.write(PutRoom("ABCD", b"doc", 1))
        link = path.with_name("link.db")
        link.symlink_to(path)
        for name in (path, link):
            with pytest.raises(Problem) as problem:
                await SqliteStore(name).open()
            assert problem.value.key == "store.in-use"
        with closing(sqlite3.connect(path)) as beside:  # who only reads may
            assert beside.execute("SELECT doc FROM rooms").fetchall() == [(b"doc",)]
    async with opened(path) as store:
        assert await store.room("ABCD") == b"doc"


async def refused(path: Path) -> str:
    """Why it cannot be opened."""
    with pytest.raises(Problem) as problem:
        await SqliteStore(path).open()
    return problem.value.key


async def make(path: Path, *changes: Change) -> None:
    async with opened(path) as store:
        await store.write(*changes)


async def test_an_older_file_is_brought_up_to_date_after_a_backup(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make(path, PutRoom("ABCD", b"doc", 1), PutMatch(row()), add(0))
    anew = """
        CREATE TABLE matches2 AS SELECT * FROM matches;
        DROP TABLE matches;
        ALTER TABLE matches2 RENAME TO matches;
    """
    plainer = "ALTER TABLE rooms ADD COLUMN nice INTEGER"
    now = len(sqlite_file.MIGRATIONS)
    monkeypatch.setattr(sqlite_file, "MIGRATIONS", [*sqlite_file.MIGRATIONS, plainer, anew])

    async with opened(path) as store:
        assert await store.room("ABCD") == b"doc"
        assert await numbers(store) == [0]  # a table made anew took nothing with it
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (now + 2,)
        assert db.execute("SELECT code, nice FROM rooms").fetchall() == [("ABCD", None)]
    with closing(sqlite3.connect(path.with_name(f"capolinea.db.v{now}.backup"))) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (now,)
        assert db.execute("SELECT code, doc FROM rooms").fetchall() == [("ABCD", b"doc")]


async def test_a_new_file_needs_no_backup(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sqlite_file, "MIGRATIONS", [*sqlite_file.MIGRATIONS, "CREATE TABLE more (a)"]
    )
    await make(path, PutRoom("ABCD", b"doc", 1))
    assert not list(path.parent.glob("*.backup"))


@pytest.mark.parametrize(
    ("script", "key"),
    [
        ("CREATE TABLE half (a); CREATE TABLE rooms (a)", "store.unusable"),
        ("PRAGMA max_page_count = 1; CREATE TABLE half (a)", "store.full"),
    ],
)
async def test_a_migration_that_fails_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, script: str, key: str
) -> None:
    await make(path, PutRoom("ABCD", b"doc", 1))
    with monkeypatch.context() as patch:
        patch.setattr(sqlite_file, "MIGRATIONS", [*sqlite_file.MIGRATIONS, script])
        assert await refused(path) == key
    with closing(sqlite3.connect(path)) as db:
        assert not db.execute("SELECT * FROM sqlite_master WHERE name = 'half'").fetchall()
    await make(path, PutRoom("EFGH", b"doc", 1))  # the version before still opens it


async def test_a_file_from_the_future(path: Path) -> None:
    await make(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    assert await refused(path) == "store.future"


async def test_files_that_are_not_ours(path: Path) -> None:
    others = path.with_name("other.db")
    with closing(sqlite3.connect(others)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    notes = path.with_name("notes.txt")
    for text in ("milk", "milk " * 10_000):
        notes.write_text(text)
        for file in (others, notes):
            before = file.read_bytes()
            assert await refused(file) == "store.foreign"
            assert file.read_bytes() == before
            with pytest.raises(Problem) as problem:
                backup(file, path)
            assert problem.value.key == "store.foreign"
            assert not path.exists()


async def test_a_damaged_file(path: Path) -> None:
    await make(path, PutRoom("ABCD", b"doc", 1))
    path.write_bytes(path.read_bytes()[:4096])
    assert await refused(path) == "store.damaged"


async def test_places_where_no_file_can_be(path: Path) -> None:
    assert await refused(path / "no" / "where.db") == "store.no-folder"
    path.mkdir()
    assert await refused(path) == "store.unusable"


async def test_a_file_that_may_not_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await make(path)
    connect = sqlite_file.connect

    def read_only(path: Path) -> sqlite3.Connection:
        db = connect(path)
        db.execute("PRAGMA query_only = ON")  # permissions would not stop root
        return db

    monkeypatch.setattr(sqlite_file, "connect", read_only)
    assert await refused(path) == "store.read-only"


# --- backups -------------------------------------------------------------------------------------


async def test_a_backup_while_writing_is_a_moment_of_the_store(path: Path) -> None:
    copies = [path.with_name(f"copy{i}") for i in range(6)]
    async with opened(path) as store:
        await store.write(PutMatch(row()), PutRoom("ABCD", b"0", 0))

        async def write() -> None:
            for n in range(10**6):  # the room always says what the last entry is
                await store.write(add(n), PutRoom("ABCD", b"%d" % n, n))

        writing = asyncio.create_task(write())
        for copy in copies[:3]:
            await store.backup(copy)
            await asyncio.sleep(0.01)
        for copy in copies[3:]:
            await asyncio.to_thread(backup, path, copy)
        writing.cancel()
        secret = await store.secret()

    grown = []
    for copy in copies:
        async with opened(copy) as store:
            kept = await numbers(store)
            assert kept == list(range(len(kept)))
            assert await store.room("ABCD") == b"%d" % max(len(kept) - 1, 0)
            assert await store.secret() == secret
            grown.append(len(kept))
    assert grown == sorted(grown)
    assert grown[0] < grown[-1]


async def test_a_backup_leaves_one_file_and_takes_the_place_of_an_older_one(path: Path) -> None:
    await make(path, PutRoom("ABCD", b"doc", 1))
    copy = path.with_name("copy")
    backup(path, copy)
    await make(path, PutRoom("ABCD", b"new", 2))
    backup(path, copy)
    assert {file.name for file in path.parent.iterdir()} == {
        "capolinea.db",
        "capolinea.db.lock",
        "copy",
    }
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert db.execute("SELECT doc FROM rooms").fetchall() == [(b"new",)]


async def test_a_backup_takes_nobody_elses_place(path: Path) -> None:
    await make(path)

    other = path.with_name("other.db")
    async with opened(other) as store:
        await store.write(PutRoom("ABCD", b"", 1))
        beside = [path.with_name(path.name + end) for end in ("-wal", "-shm", ".lock")]
        keys = {other: "store.in-use", **dict.fromkeys([path, *beside], "store.own-file")}
        for target, key in keys.items():
            with pytest.raises(Problem) as problem:
                backup(path, target)
            assert problem.value.key == key
    with pytest.raises(Problem) as problem:
        backup(path.with_name("nothing"), path.with_name("copy"))
    assert problem.value.key == "store.missing"
    with pytest.raises(Problem) as problem:
        backup(path, path.with_name("nowhere") / "copy")
    assert problem.value.key == "store.no-folder"
