"""A disk that fails: what was acknowledged is there after a restart, and what was refused is not."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from capolinea.client import Failed, Refusal
from capolinea.engine.problems import Problem
from capolinea.server import sqlite, sqlite_changes, troubles
from capolinea.server.health import Health
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import PutRoom, Store, StoreFailed
from tests.server.failing_disk import SHIM
from tests.server.live import said_why
from tests.server.matches import party
from tests.server.tables import Running, at_random, serving

ROOT = Path(__file__).parents[2]
TIME = 60


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "LOOK_AGAIN", 0.001)
    monkeypatch.setattr(troubles, "CALM", 0.0)


def room(code: str, size: int = 10) -> PutRoom:
    return PutRoom(code, b"x" * size, 1)


def io_error() -> sqlite3.OperationalError:
    return sqlite3.OperationalError("disk I/O error")


class Faulty(SqliteStore):
    """Fails as it is told: before the commit, after it, and when it looks."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.fails = ""
        self.blind = False
        #: Somebody waits for a look that cannot be had.
        self.looks = threading.Event()

    def _commit(self, db: sqlite3.Connection) -> None:
        if self.fails == "before":
            raise io_error()
        super()._commit(db)
        if self.fails == "after":
            raise io_error()

    def _look(self, mark: bytes) -> bool:
        if self.blind:
            self.looks.set()
            raise io_error()
        return super()._look(mark)

    async def in_doubt(self) -> None:
        assert await asyncio.to_thread(self.looks.wait, TIME)


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Faulty]:
    store = Faulty(path)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def found(path: Path) -> set[str]:
    """The rooms that a restart would find, if the process were killed now."""
    image = path.with_name("image")
    image.mkdir(exist_ok=True)
    for file in (path, path.with_name(path.name + "-wal")):
        if file.exists():
            shutil.copy(file, image)
    with closing(sqlite3.connect(image / path.name)) as db:
        codes = {code for (code,) in db.execute("SELECT code FROM rooms")}
    shutil.rmtree(image)
    return codes


class Told:
    """What people were told of their writes."""

    def __init__(self) -> None:
        self.kept: set[str] = set()
        self.refused: set[str] = set()

    async def write(self, store: Store, code: str, size: int = 10) -> None:
        try:
            await store.write(room(code, size))
            self.kept.add(code)
        except StoreFailed:
            self.refused.add(code)

    def is_true_of(self, codes: Iterable[str]) -> None:
        assert self.kept <= set(codes)
        assert not self.refused & set(codes)


# --- looking -------------------------------------------------------------------------------------


async def test_a_commit_that_failed_and_is_not_there(path: Path) -> None:
    async with opened(path) as store:
        store.fails = "before"
        with pytest.raises(StoreFailed):
            await store.write(room("A"))
        store.fails = ""
        assert found(path) == set()
        await store.write(room("B"))
        assert found(path) == {"B"}


async def test_a_commit_that_failed_and_is_there_all_the_same(path: Path) -> None:
    async with opened(path) as store:
        store.fails = "after"
        outcomes = await asyncio.gather(
            store.write(room("A")),
            store.write(PutRoom("B", b"", 2**64)),  # cannot be kept by anybody
            store.write(room("C")),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [type(None), StoreFailed, type(None)]
        assert found(path) == {"A", "C"}


@pytest.mark.parametrize("fails", ["before", "after"])
async def test_until_it_has_looked_nobody_is_told_and_nothing_is_written(
    path: Path, fails: str
) -> None:
    async with opened(path) as store:
        told = Told()
        store.fails, store.blind = fails, True
        first = asyncio.create_task(told.write(store, "A"))
        await store.in_doubt()
        for code in ("B", "C"):
            await told.write(store, code)  # refused at once: the look would last for ever
        assert told.refused == {"B", "C"}
        assert not first.done()
        await store.room("A")  # questions are answered
        with pytest.raises(Problem) as problem:
            await store.check()
        assert problem.value.key == "store.unusable"
        store.fails, store.blind = "", False
        await first
        assert ("A" in told.kept) == (fails == "after")
        await told.write(store, "D")
        assert "D" in told.kept
        told.is_true_of(found(path))
        await store.check()


@pytest.mark.parametrize("fails", ["before", "after"])
async def test_a_look_that_fails_in_its_own_commit_looks_again(
    path: Path, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(path) as store:
        told, put = Told(), sqlite_changes.put_mark
        looks: list[str] = []

        def failing(db: sqlite3.Connection, who: str, mark: bytes) -> None:
            put(db, who, mark)
            if not db.in_transaction and not looks:
                looks.append(who)
                raise io_error()

        monkeypatch.setattr(sqlite, "put_mark", failing)
        store.fails = fails
        await told.write(store, "A")
        assert ("A" in told.kept) == (fails == "after")
        told.is_true_of(found(path))


async def test_a_store_in_doubt_can_be_closed(path: Path) -> None:
    told = Told()

    store = Faulty(path)
    await store.open()
    store.fails, store.blind = "after", True
    write = asyncio.create_task(told.write(store, "A"))
    await store.in_doubt()
    await store.close()
    assert not write.done()  # nothing that could be said is known to be true
    write.cancel()
    assert (told.kept, told.refused) == (set(), set())


@pytest.mark.parametrize("seed", range(6))
async def test_histories_of_a_disk_that_fails_now_and_then(path: Path, seed: int) -> None:
    rng = random.Random(seed)

    async with opened(path) as store:
        told = Told()
        names = iter(range(10**6))

        async def write_some() -> None:
            for _ in range(rng.randint(1, 12)):
                await told.write(store, f"R{next(names)}", rng.choice((10, 5_000, 30_000)))

        for _ in range(5):
            store.fails = rng.choice(("", "before", "after"))
            store.blind = rng.random() < 0.3
            writers = [asyncio.create_task(write_some()) for _ in range(rng.randint(1, 5))]
            if store.blind and store.fails:
                await store.in_doubt()
                told.is_true_of(found(path))  # killed now, with some who wait
                store.looks.clear()
            store.blind = False
            await asyncio.gather(*writers)
            store.fails = ""
            told.is_true_of(found(path))
            await told.write(store, f"R{next(names)}")
            told.is_true_of(found(path))
        assert told.kept


# --- a disk that really fails ----------------------------------------------------------------------


def shim(folder: Path) -> Path:
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("no compiler")
    source, made = folder / "shim.c", folder / "shim.so"
    source.write_text(SHIM)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", made, source, "-ldl"], check=True)
    return made


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@pytest.mark.parametrize("kind", ["unconfirmed", "full"])
def test_a_disk_that_really_fails_under_a_process_that_dies(path: Path, kind: str) -> None:
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    if kind == "unconfirmed":
        variables["LD_PRELOAD"] = str(shim(path.parent))
        variables["DISK_FAILS"] = str(path.with_name("fails"))
    done = subprocess.run(
        [sys.executable, "-m", "tests.server.failing_disk", kind, path],
        env=variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIME,
        check=True,
    )
    outcome = json.loads(done.stdout)
    told = Told()
    told.kept, told.refused = set(outcome["kept"]), set(outcome["refused"])
    assert len(told.kept) >= 30
    assert len(told.refused) > 90
    told.is_true_of(found(path))


# --- at the table ----------------------------------------------------------------------------------


@asynccontextmanager
async def kept_by(store: Faulty) -> AsyncIterator[Running]:
    """A server with this store."""
    async with serving(store._path.parent, store) as server:
        try:
            yield server
        finally:
            store.fails, store.blind = "", False  # or else nothing would end


@pytest.mark.parametrize("fails", ["before", "after"])
async def test_a_move_in_doubt_is_told_as_what_it_turns_out_to_be(path: Path, fails: str) -> None:
    store = Faulty(path)

    async with kept_by(store) as server:
        table = await party(server, "night-mail", 2)
        async with table.sitting() as seats:
            [mover] = table.table.match.state.waiting()
            steps, n = at_random(1)(seats[mover]), [seat.n for seat in seats]
            store.fails, store.blind = fails, True
            moving = asyncio.create_task(seats[mover].do(steps, "mine"))
            await store.in_doubt()
            assert await ill(server) == "store.unusable"
            assert not moving.done()
            assert [seat.n for seat in seats] == n
            store.fails, store.blind = "", False
            if fails == "after":
                await moving
            else:
                with pytest.raises(Refusal) as refused:
                    await moving
                assert refused.value.key == "table.not-kept"
            await seats[mover].do(steps, "mine")  # sent again, it counts once
            await table.settled(seats)
            stored = [row.client for row in await store.entries(table.table.row.id)]
            assert stored.count("mine") == 1


async def healthy(server: Running) -> Any:
    return await server.client("none").get("/healthz")


async def ill(server: Running) -> str:
    with pytest.raises(Failed) as failed:
        await healthy(server)
    assert failed.value.status == 503
    assert said_why({"key": failed.value.key, "args": failed.value.arguments})
    return failed.value.key


def events(caplog: pytest.LogCaptureFixture, *names: str) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.msg in names]


async def test_a_full_disk_is_named_once_and_so_is_its_end(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Seen: 1,524 moves refused, no error in the log, and `/healthz` was well."""
    store = Faulty(path)
    monkeypatch.setattr(troubles, "CALM", 10.0**6)
    monkeypatch.setattr(Health, "every", 0.0)
    caplog.set_level(logging.INFO, "capolinea.server")

    def most_pages(pages: int) -> Callable[[sqlite3.Connection], None]:
        return lambda db: db.execute(f"PRAGMA max_page_count = {pages}").close()

    async with kept_by(store) as server:
        await store.write(room("A"))
        assert (await healthy(server))["status"] == "ok"
        await store._writer.run(most_pages(1))
        for n in range(200):
            with pytest.raises(StoreFailed):
                await store.write(room(f"L{n}", 100_000))
            await store.write(room("A", n % 10))  # there is room for this
        assert await ill(server) == "store.full"
        [begun] = events(caplog, "store-failed", "store-recovered")
        assert begun.levelno == logging.ERROR
        fields = vars(begun)["fields"]
        assert (fields["problem"], fields["cause"]) == ("store.full", "SQLITE_FULL")
        assert "disk is full" in fields["errors"][-1]
        await store._writer.run(most_pages(10**6))
        monkeypatch.setattr(troubles, "CALM", 0.0)
        assert (await healthy(server))["status"] == "ok"
        assert len(events(caplog, "store-failed", "store-recovered")) == 2


async def test_what_is_wrong_with_one_transaction_is_no_illness(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(path) as store:
        for change in (PutRoom("A", b"", 2**64), PutRoom("\ud800", b"", 1)):
            with pytest.raises(StoreFailed):
                await store.write(change)
        await store.check()
        assert not events(caplog, "store-failed")


async def test_however_many_ask_for_health_it_costs_a_write_a_second(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = []

    class Counting(Faulty):
        async def check(self) -> None:
            checks.append(1)
            await super().check()

    async with kept_by(Counting(path)) as server:
        monkeypatch.setattr(Health, "every", 10.0**6)
        await asyncio.gather(*(healthy(server) for _ in range(20)))
        await healthy(server)
        assert len(checks) == 1
        size = path.stat().st_size
        monkeypatch.setattr(Health, "every", 0.0)
        for n in range(200):
            await healthy(server)
            assert len(checks) == n + 2
        assert await asyncio.to_thread(rows_of, path) == 1
        assert path.stat().st_size == size


def rows_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM marks WHERE who = 'probe'").fetchone()[0])


async def test_a_disk_that_does_not_answer_is_not_well(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Health, "patience", 0.01)
    go_on = threading.Event()

    class Stuck(Faulty):
        def _commit(self, db: sqlite3.Connection) -> None:
            assert go_on.wait(TIME)
            super()._commit(db)

    async with kept_by(Stuck(path)) as server:
        for _ in range(3):
            assert await ill(server) == "store.silent"
        go_on.set()
        await server.hub.store.write()
        monkeypatch.setattr(Health, "patience", TIME)
        assert (await healthy(server))["status"] == "ok"
