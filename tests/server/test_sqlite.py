"""The store in one SQLite file: what it keeps, what it promises, and what it refuses to open."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from capolinea.engine.problems import Problem
from capolinea.server import headers, sqlite, sqlite_file
from capolinea.server.sqlite import SqliteStore, open_store
from capolinea.server.sqlite_file import backup
from capolinea.server.store import (
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
    ProposalRow,
    PutAway,
    PutData,
    PutMatch,
    PutPrivate,
    PutProposal,
    PutRoom,
    Release,
    Store,
    StoreFailed,
    Taken,
    TouchRoom,
    WakeUp,
)
from tests.server.tables import TIME


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "capolinea.db"


@asynccontextmanager
async def opened(path: Path, kind: type[SqliteStore] = SqliteStore) -> AsyncIterator[SqliteStore]:
    store = kind(path)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def row(id: str = "m1", began: int = 1, room: str = "ABCD") -> MatchRow:
    return MatchRow(id, room, b'{"seed":"x"}', began)


def entry(n: int) -> EntryRow:
    return EntryRow(n, b'{"n":%d}' % n, b"hash%d" % n, f"c{n}")


def add(n: int, match: str = "m1") -> AddEntries:
    return AddEntries(match, [entry(n)])


def line(n: int, match: str = "") -> ChatRow:
    return ChatRow(n, match, b'"ciao"')


async def numbers(store: Store, match: str = "m1") -> list[int]:
    return [row.n for row in await store.entries(match)]


# --- what it keeps -------------------------------------------------------------------------------


def test_rooms(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            assert await store.room("ABCD") is None
            await store.write(PutRoom("ABCD", b"one", 1), AddChat("ABCD", line(1)))
            await store.write(PutRoom("ABCD", b"two", 2), PutRoom("EFGH", b"other", 3))
            assert await store.room("ABCD") == b"two"
            assert await store.rooms_before(4) == ["ABCD", "EFGH"]
            assert await store.chat("ABCD", 9) == [line(1)]  # a changed room keeps its chat

            await store.write(PutMatch(row(room="ABCD")), DropRoom("ABCD"))
            assert await store.rooms_before(4) == ["EFGH"]
            assert await store.chat("ABCD", 9) == []
            assert await store.matches("ABCD") == [row(room="ABCD")]  # its matches stay

    asyncio.run(play())


def test_rooms_of_a_person(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            await store.write(PutRoom("AAAA", b"a", 1, ["ada", "bruno"]))
            await store.write(PutRoom("BBBB", b"b", 2, ["ada"], playing=True))
            await store.write(PutRoom("CCCC", b"c", 3, ["ada", "bruno"]))
            assert await store.rooms_of("ada", 9) == [b"b", b"c", b"a"]
            assert await store.rooms_of("ada", 2) == [b"b", b"c"]
            assert await store.rooms_of("bruno", 9) == [b"c", b"a"]
            assert await store.rooms_of("carla", 9) == []
            await store.write(PutRoom("AAAA", b"a2", 4, ["ada", "carla"]))
            await store.write(PutRoom("BBBB", b"b2", 2, ["ada"]))
            await store.write(DropRoom("CCCC"))
            assert await store.rooms_of("ada", 9) == [b"a2", b"b2"]
            assert await store.rooms_of("bruno", 9) == []
            assert await store.rooms_of("carla", 9) == [b"a2"]

    asyncio.run(play())


def test_rooms_that_nobody_changed_lately_and_junk_is_none_of_them(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            for number in range(4):
                await store.write(PutRoom(f"ABC{number}", b"doc", number))
            with closing(sqlite3.connect(path)) as db:
                db.execute("UPDATE rooms SET changed = 'yesterday' WHERE code = 'ABC0'")
                db.commit()
            assert await store.rooms_before(3) == ["ABC1", "ABC2"]

    asyncio.run(play())


def test_when_any_room_was_last_used_and_junk_is_no_time(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            assert await store.last_used() == 0
            for number in (1, 3, 2):
                await store.write(PutRoom(f"ABC{number}", b"doc", number))
            with closing(sqlite3.connect(path)) as db:
                db.execute("UPDATE rooms SET changed = 'tomorrow' WHERE code = 'ABC2'")
                db.commit()
            assert await store.last_used() == 3

    asyncio.run(play())


def test_rooms_by_the_calendar_stay_in_their_order_and_are_not_forgotten(path: Path) -> None:
    day = 86_400_000
    with closing(sqlite3.connect(path)) as db:
        for script in sqlite_file.MIGRATIONS[:5]:
            db.executescript(script)
        for code, changed in {"LATE": 4000 * day, "SOME": 900 * day, "LONG": 0}.items():
            db.execute("INSERT INTO rooms VALUES (?, '{}', ?, 0)", (code, changed))
        db.execute(f"PRAGMA application_id = {sqlite_file.APPLICATION_ID}")
        db.execute("PRAGMA user_version = 5")
        db.commit()

    async def play() -> None:
        async with opened(path) as store:
            assert await store.rooms_before(1) == ["LONG", "SOME", "LATE"]
            assert await store.last_used() == 0
            assert await store.rooms_before(-day) == []

    asyncio.run(play())


def test_what_ended_by_a_clock_that_was_behind_has_not_ended_long_ago(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            for id, began, ended in (
                ("old", 10, 12),
                ("days", 20, 90),  # a long one
                ("fine", 30, 32),
                ("wrong", 970, 972),  # the clock was far ahead
                ("last", 60, 62),
                ("behind", 5, 7),
                ("on", 6, None),
            ):
                match = msgspec.structs.replace(row(id, began), ended=ended)
                await store.write(PutMatch(match))
            assert await store.ended_before(10, now=100) == []
            assert await store.ended_before(50, now=100) == ["old", "fine"]
            assert await store.ended_before(61, now=100) == ["old", "fine", "behind"]
            assert await store.ended_before(99, now=100) == [
                "old", "days", "fine", "last", "behind",
            ]  # fmt: skip

    asyncio.run(play())


def test_data_lies_beside_the_matches_that_have_it(path: Path) -> None:
    content = b'{"cards":[1,{"a":"\\u00e8"}]}'
    used = b'{"pack":{"name":"ours","sha256":"0","content":' + content + b'},"line":{"name":"b"}}'
    header = b'{"title":"t","data":' + used + b',"seed":"00"}'
    hash = sha256(content).hexdigest()

    async def play() -> None:
        async with opened(path) as store:
            for id in ("one", "two"):
                await store.write(PutMatch(MatchRow(id, "ABCD", header, 0)))
            await store.write(DropUnused())
            assert await store.data(hash) == content
            assert [row.header for row in await store.matches("ABCD")] == [header, header]
            row = await store.match("one")
            assert row is not None
            await store.write(PutMatch(replace(row, paused=1)))
            await store.write(DropMatch("two"), DropUnused())
            again = await store.match("one")
            assert again is not None
            assert again.header == header
            await store.write(DropMatch("one"), DropUnused())
            assert await store.data(hash) is None

    asyncio.run(play())
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM data_of_matches").fetchall() == [(0,)]


@pytest.mark.parametrize(
    "header",
    [b"", b"{broken", b"[]", b'{"data":3}', b'{"data":{"pack":{"content":1', b'{"a":"beside"}'],
)
def test_a_header_that_nobody_can_read_stays_as_it_is(header: bytes) -> None:
    assert headers.part(header) == (header, {})
    assert headers.join(header, {}) == header


def test_data_lies_beside_the_rooms_that_have_it(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            with pytest.raises(StoreFailed):
                await store.write(PutRoom("ABCD", b"one", 1, data=["h"]))
            assert await store.room("ABCD") is None, "nor the room without it"
            await store.write(PutData("h", b"content"), PutRoom("ABCD", b"one", 1, data=["h"]))
            await store.write(PutData("h", b"content"), PutRoom("EFGH", b"two", 1, data=["h"]))
            await store.write(PutRoom("ABCD", b"one", 2, data=["h"]), DropUnused())
            assert await store.data("h") == b"content"
            await store.write(PutRoom("ABCD", b"one", 3), DropUnused())
            assert await store.data("h") == b"content", "another has it"
            await store.write(DropRoom("EFGH"))
            assert await store.data("h") == b"content"
            await store.write(DropUnused())
            assert await store.data("h") is None

    asyncio.run(play())


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.rooms_of("ada", 20),
        lambda store: store.rooms_before(5),
        lambda store: store.room("ABCD"),
        lambda store: store.data("h"),
    ],
)
def test_no_question_about_a_room_looks_at_all_rooms(
    path: Path, ask: Callable[[SqliteStore], Awaitable[object]]
) -> None:
    plans: list[str] = []

    class Explained(SqliteStore):
        async def _rows(self, sql: str, *values: object) -> list[Any]:
            plans.extend(
                plan for *_, plan in await super()._rows(f"EXPLAIN QUERY PLAN {sql}", *values)
            )
            return []

    async def play() -> None:
        async with opened(path, Explained) as store:
            await ask(store)

    asyncio.run(play())
    assert plans
    assert not [plan for plan in plans if plan.startswith("SCAN")]


def test_matches_and_entries(path: Path) -> None:
    full = MatchRow("m2", "ABCD", b"{}", 5, ended=9, public=True, frozen="folds.so", paused=7)

    async def play() -> None:
        async with opened(path) as store:
            assert await store.match("m1") is None
            await store.write(PutMatch(row()), AddEntries("m1", [entry(0), entry(1)]))
            await store.write(add(2), PutMatch(full), PutMatch(row("m3", 5, room="")))
            assert await store.match("m1") == row()
            assert await store.match("m2") == full
            assert [match.id for match in await store.matches()] == ["m3", "m2", "m1"]
            assert [match.id for match in await store.matches("ABCD")] == ["m2", "m1"]
            assert [match.id for match in await store.matches("")] == ["m3"]

            over = MatchRow("m1", "ABCD", b"{}", 1, ended=2)
            await store.write(PutMatch(over))
            assert await store.match("m1") == over
            assert await store.entries("m1") == [entry(0), entry(1), entry(2)]  # and they stay
            assert await store.entries("m1", since=1) == [entry(1), entry(2)]
            assert await store.entries("m2") == []

    asyncio.run(play())


def test_matches_that_are_put_away(path: Path) -> None:
    rows = [row(f"m{n}", room=f"ROOM{n}") for n in range(5)]

    async def play() -> None:
        async with opened(path) as store:
            await store.write(*map(PutMatch, rows), PutMatch(row("brought", room="")))
            assert await store.left_open() == ["ROOM0", "ROOM1", "ROOM2", "ROOM3", "ROOM4"]
            away = [PutAway(f"m{n}", due, b"doc") for n, due in enumerate((30, 10, None, 20))]
            await store.write(*away)
            assert await store.left_open() == ["ROOM4"]
            assert await store.put_away("m0") == b"doc"
            assert await store.put_away("m4") is None
            assert await store.due(0, 29) == ["ROOM1", "ROOM3"]
            assert await store.due(10, 30) == ["ROOM3", "ROOM0"]

            await store.write(WakeUp("m0"), EndMatch("m1", 1), DropMatch("m3"))
            assert await store.left_open() == ["ROOM0", "ROOM4"]
            assert await store.due(0, 30) == []
            assert await store.running(["m0", "m1", "m2", "m3", "other"]) == {"m0", "m2"}
            with pytest.raises(StoreFailed):
                await store.write(PutAway("m3", 1, b""))  # it is gone

    asyncio.run(play())


def test_who_uses_a_room_changes_nothing_but_when(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            await store.write(
                PutRoom("ABCD", b"doc", 5), TouchRoom("ABCD", 8), TouchRoom("GONE", 8)
            )
            await store.write(TouchRoom("ABCD", 7))  # time does not fall
            assert await store.rooms_before(8) == []
            assert await store.rooms_before(9) == ["ABCD"]
            assert await store.room("ABCD") == b"doc"
            assert await store.room("GONE") is None

    asyncio.run(play())


def test_what_is_due_is_found_by_an_index(path: Path) -> None:
    """However many matches are put away, and however many are over."""
    plans: list[str] = []

    class Explaining(SqliteStore):
        async def _rows(self, sql: str, *values: object) -> list[Any]:
            plans.extend(
                row[-1] for row in await super()._rows(f"EXPLAIN QUERY PLAN {sql}", *values)
            )
            return await super()._rows(sql, *values)

    async def play() -> None:
        async with opened(path, Explaining) as store:
            await store.due(0, 1)
            await store.left_open()
            await store.running(["m1"])
            await store.rooms_before(1)

    asyncio.run(play())
    assert len(plans) >= 4
    whole = [plan for plan in plans if plan.startswith("SCAN") and "INDEX" not in plan]
    assert [plan for plan in whole if "json_each" not in plan] == []  # that is what was asked with


def test_what_has_ended_stays_so(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            await store.write(PutMatch(row()), add(0), EndMatch("m1", 2))
            for goes_on in (PutMatch(row()), add(1)):
                with pytest.raises(Taken):
                    await store.write(goes_on)
            over = MatchRow("m1", "ABCD", b"{}", 1, ended=2, paused=7)
            await store.write(PutMatch(replace(over, ended=3)), EndMatch("m1", 4))
            assert await store.match("m1") == over
            assert await numbers(store) == [0]

    asyncio.run(play())


def test_held_answers(path: Path) -> None:
    first, second = Held(0, 7, b"[1]", "c1"), Held(1, 7, b"[2]")
    changed = Held(0, 7, b"[3]", "c2")

    async def play() -> None:
        async with opened(path) as store:
            await store.write(PutMatch(row()), PutMatch(row("m2")), Hold("m2", first))
            await store.write(Hold("m1", second), Hold("m1", first))
            assert await store.held("m1") == [first, second]
            await store.write(Hold("m1", changed))
            assert await store.held("m1") == [changed, second]
            await store.write(Release("m1"))
            assert await store.held("m1") == []
            assert await store.held("m2") == [first]

    asyncio.run(play())


def test_private_documents(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            await store.write(PutMatch(row()), PutPrivate("m1", 0, b"a"), PutPrivate("m1", 2, b"b"))
            await store.write(PutPrivate("m1", 0, b"c"))
            assert await store.private("m1") == {0: b"c", 2: b"b"}
            assert await store.private("m2") == {}

    asyncio.run(play())


def test_chat(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            await store.write(
                PutRoom("ABCD", b"", 1),
                *(AddChat("ABCD", line(n)) for n in (2, 0)),
                AddChat("ABCD", line(1, "m1")),
            )
            assert await store.chat("ABCD", 9) == [line(0), line(1, "m1"), line(2)]
            assert await store.chat("ABCD", 2) == [line(1, "m1"), line(2)]
            await store.write(AddChat("ABCD", line(3), since=2))
            assert await store.chat("ABCD", 9) == [line(2), line(3)]
            await store.write(DropChat("ABCD"))
            assert await store.chat("ABCD", 9) == []

    asyncio.run(play())


def test_proposals(path: Path) -> None:
    first, voted = ProposalRow(1, "undo", b"a"), ProposalRow(1, "undo", b"b")

    async def play() -> None:
        async with opened(path) as store:
            await store.write(PutMatch(row()), PutMatch(row("m2")))
            assert await store.proposal("m1") is None
            await store.write(PutProposal("m1", first), PutProposal("m2", first))
            await store.write(PutProposal("m1", voted), EndProposal("m1", "pause"))
            assert await store.proposal("m1") == voted
            await store.write(EndProposal("m1", "undo"))
            assert await store.proposal("m1") == ProposalRow(1, "", b"b")  # its number is known
            assert await store.proposal("m2") == first
            await store.write(DropMatch("m2"))
            assert await store.proposal("m2") is None

    asyncio.run(play())


def test_a_match_goes_with_all_that_belongs_to_it(path: Path) -> None:
    async def play() -> None:
        async with opened(path) as store:
            await store.write(PutRoom("ABCD", b"", 1))
            for id in ("m1", "m2"):
                await store.write(
                    PutMatch(row(id)), add(0, id), Hold(id, Held(0, 1, b"")), PutPrivate(id, 0, b"")
                )
            chat = [line(0), line(1, "m1"), line(2, "m2")]
            await store.write(*(AddChat("ABCD", said) for said in chat))

            await store.write(DropMatch("m1"), DropMatch(""))
            assert await store.match("m1") is None
            assert await store.entries("m1") == []
            assert await store.held("m1") == []
            assert await store.private("m1") == {}
            assert await store.chat("ABCD", 9) == [line(0), line(2, "m2")]
            assert await numbers(store, "m2") == [0]
            assert len(await store.held("m2")) == len(await store.private("m2")) == 1

    asyncio.run(play())


def test_everything_is_there_after_a_restart(path: Path) -> None:
    async def before() -> bytes:
        async with opened(path) as store:
            await store.write(PutRoom("ABCD", b"doc", 1), PutMatch(row()), add(0))
            return await store.secret()

    async def after() -> bytes:
        async with opened(path) as store:
            assert await store.room("ABCD") == b"doc"
            assert await numbers(store) == [0]
            return await store.secret()

    secret = asyncio.run(before())
    assert len(secret) == 32
    assert asyncio.run(after()) == secret


def test_each_store_has_its_own_secret(tmp_path: Path) -> None:
    async def secret(path: Path) -> bytes:
        async with opened(path) as store:
            return await store.secret()

    assert asyncio.run(secret(tmp_path / "a")) != asyncio.run(secret(tmp_path / "b"))


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


def test_who_comes_second_loses_all_of_it_and_nobody_else_loses_anything(path: Path) -> None:
    async def play() -> None:
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

    asyncio.run(play())


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
def test_what_cannot_be_kept_fails_alone(path: Path, change: Change) -> None:
    async def play() -> None:
        async with opened(path) as store:
            outcomes = await asyncio.gather(
                store.write(PutMatch(row("before"))),
                store.write(PutMatch(row("with")), change),
                store.write(PutMatch(row("after"))),
                return_exceptions=True,
            )
            assert [type(outcome) for outcome in outcomes] == [type(None), StoreFailed, type(None)]
            assert [match.id for match in await store.matches()] == ["after", "before"]

    asyncio.run(play())


def test_an_error_that_ends_the_whole_transaction_fails_the_whole_group(path: Path) -> None:
    """SQLite may roll back everything by itself; who came before must not be told that all is well."""

    class Rolling(Slow):
        def _commit(self, db: sqlite3.Connection) -> None:
            super()._commit(db)
            db.execute("DROP TRIGGER IF EXISTS temp.roll")
            db.execute(
                "CREATE TEMP TRIGGER roll BEFORE INSERT ON main.rooms WHEN NEW.code = 'ROLL'"
                " BEGIN SELECT RAISE(ROLLBACK, 'all of it'); END"
            )

    async def play() -> None:
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

    asyncio.run(play())


def test_a_full_disk_fails_writes_and_not_the_server(path: Path) -> None:
    def pages(db: sqlite3.Connection, most: int) -> None:
        db.execute(f"PRAGMA max_page_count = {most}").fetchall()

    async def play() -> None:
        async with opened(path) as store:
            await store.write(PutRoom("ABCD", b"", 1))
            await store._writer.run(lambda db: pages(db, 1))
            with pytest.raises(StoreFailed, match="full"):
                await store.write(PutRoom("LONG", b"x" * 100_000, 1))
            await store._writer.run(lambda db: pages(db, 10_000))
            await store.write(PutRoom("MORE", b"x" * 100_000, 1))
            assert await store.rooms_before(2) == ["ABCD", "MORE"]

    asyncio.run(play())


# --- on the disk before anybody hears ------------------------------------------------------------


def test_the_writer_waits_for_the_disk(path: Path) -> None:
    def ask(db: sqlite3.Connection) -> list[object]:
        names = "synchronous", "journal_mode", "wal_autocheckpoint", "foreign_keys"
        return [db.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    async def play() -> None:
        async with opened(path) as store:
            assert await store._writer.run(ask) == [2, "wal", 0, 1]

    asyncio.run(play())


def test_many_writes_share_a_commit(path: Path) -> None:
    async def play() -> None:
        async with opened(path, Slow) as store:
            assert isinstance(store, Slow)
            await store.write(PutMatch(row()))
            await asyncio.gather(*(store.write(add(n)) for n in range(500)))
            assert store.commits < 50
            assert await numbers(store) == list(range(500))

    asyncio.run(play())


def test_a_commit_that_stalls_tells_nobody(path: Path) -> None:
    async def play() -> None:
        async with opened(path, Slow) as store:
            assert isinstance(store, Slow)
            async with grouped(store):
                write = asyncio.ensure_future(store.write(PutRoom("ABCD", b"", 1)))
                await asyncio.sleep(0.05)
                assert not write.done()
                assert await store.rooms_before(2) == []  # questions are answered all the same
            await write
            assert await store.room("ABCD") == b""

    asyncio.run(play())


def test_a_commit_that_fails_fails_everybody(path: Path) -> None:
    class Failing(Slow):
        fail = False

        def _commit(self, db: sqlite3.Connection) -> None:
            if self.fail:
                raise sqlite3.OperationalError("disk I/O error")
            super()._commit(db)

    async def play() -> None:
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

    asyncio.run(play())


def test_who_stops_waiting_disturbs_nobody(path: Path) -> None:
    async def play() -> None:
        async with opened(path, Slow) as store:
            assert isinstance(store, Slow)
            async with grouped(store):
                gone = asyncio.ensure_future(store.write(PutRoom("GONE", b"", 1)))
                stays = asyncio.ensure_future(store.write(PutRoom("STAY", b"", 1)))
                await asyncio.sleep(0)
                gone.cancel()
            await stays
            assert await store.room("STAY") == b""

    asyncio.run(play())


def test_close_finishes_what_was_begun(path: Path) -> None:
    async def play() -> None:
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

    asyncio.run(play())
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
def test_a_killed_server_has_kept_all_that_it_told(path: Path) -> None:
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

    async def play() -> None:
        async with opened(path) as store:
            for match, last in told.items():
                kept = await numbers(store, match)
                assert kept == list(range(len(kept)))
                assert len(kept) > last

    assert len(told) == 5
    asyncio.run(play())


@pytest.mark.parametrize("starved", [False, True])
def test_the_log_does_not_grow_for_ever(
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

    async def play() -> None:
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

    asyncio.run(play())
    assert ("store-writer" if starved else "store-checkpointer") in threads


# --- the file ------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are something else there")
def test_only_the_owner_may_read(path: Path) -> None:
    def rights(file: Path) -> int:
        return stat.S_IMODE(file.stat().st_mode)

    async def play() -> None:
        async with opened(path) as store:
            await store.write(PutRoom("ABCD", b"", 1))
            await store.backup(path.with_name("copy"))
            assert {rights(file) for file in path.parent.iterdir()} == {0o600}
            assert {file.name for file in path.parent.iterdir()} >= {
                "capolinea.db",
                "capolinea.db-wal",
                "copy",
            }

    before = os.umask(0)
    try:
        asyncio.run(play())
    finally:
        os.umask(before)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no lock there")
def test_one_server_a_file(path: Path) -> None:
    async def play() -> None:
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

    asyncio.run(play())


def refused(path: Path) -> Problem:
    with pytest.raises(Problem) as problem:
        asyncio.run(SqliteStore(path).open())
    return problem.value


def make(path: Path, *changes: Change) -> None:
    async def play() -> None:
        async with opened(path) as store:
            await store.write(*changes)

    asyncio.run(play())


def test_an_older_file_is_brought_up_to_date_after_a_backup(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(path, PutRoom("ABCD", b"doc", 1), PutMatch(row()), add(0))
    anew = """
        CREATE TABLE matches2 AS SELECT * FROM matches;
        DROP TABLE matches;
        ALTER TABLE matches2 RENAME TO matches;
    """
    plainer = "ALTER TABLE rooms ADD COLUMN nice INTEGER"
    now = len(sqlite_file.MIGRATIONS)
    monkeypatch.setattr(sqlite_file, "MIGRATIONS", [*sqlite_file.MIGRATIONS, plainer, anew])

    async def play() -> None:
        async with opened(path) as store:
            assert await store.room("ABCD") == b"doc"
            assert await numbers(store) == [0]  # a table made anew took nothing with it

    asyncio.run(play())
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (now + 2,)
        assert db.execute("SELECT code, nice FROM rooms").fetchall() == [("ABCD", None)]
    with closing(sqlite3.connect(path.with_name(f"capolinea.db.v{now}.backup"))) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (now,)
        assert db.execute("SELECT code, doc FROM rooms").fetchall() == [("ABCD", b"doc")]


def test_a_new_file_needs_no_backup(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sqlite_file, "MIGRATIONS", [*sqlite_file.MIGRATIONS, "CREATE TABLE more (a)"]
    )
    make(path, PutRoom("ABCD", b"doc", 1))
    assert not list(path.parent.glob("*.backup"))


@pytest.mark.parametrize(
    ("script", "key"),
    [
        ("CREATE TABLE half (a); CREATE TABLE rooms (a)", "store.unusable"),
        ("PRAGMA max_page_count = 1; CREATE TABLE half (a)", "store.full"),
    ],
)
def test_a_migration_that_fails_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, script: str, key: str
) -> None:
    make(path, PutRoom("ABCD", b"doc", 1))
    with monkeypatch.context() as patch:
        patch.setattr(sqlite_file, "MIGRATIONS", [*sqlite_file.MIGRATIONS, script])
        assert refused(path).key == key
    with closing(sqlite3.connect(path)) as db:
        assert not db.execute("SELECT * FROM sqlite_master WHERE name = 'half'").fetchall()
    make(path, PutRoom("EFGH", b"doc", 1))  # the version before still opens it


def test_a_file_from_the_future(path: Path) -> None:
    make(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    assert refused(path).key == "store.future"


def test_files_that_are_not_ours(path: Path) -> None:
    others = path.with_name("other.db")
    with closing(sqlite3.connect(others)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    notes = path.with_name("notes.txt")
    for text in ("milk", "milk " * 10_000):
        notes.write_text(text)
        for file in (others, notes):
            before = file.read_bytes()
            assert refused(file).key == "store.foreign"
            assert file.read_bytes() == before
            with pytest.raises(Problem) as problem:
                backup(file, path)
            assert problem.value.key == "store.foreign"
            assert not path.exists()


def test_a_damaged_file(path: Path) -> None:
    make(path, PutRoom("ABCD", b"doc", 1))
    path.write_bytes(path.read_bytes()[:4096])
    assert refused(path).key == "store.damaged"


def test_places_where_no_file_can_be(path: Path) -> None:
    assert refused(path / "no" / "where.db").key == "store.no-folder"
    path.mkdir()
    assert refused(path).key == "store.unusable"


def test_a_file_that_may_not_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(path)
    connect = sqlite_file.connect

    def read_only(path: Path) -> sqlite3.Connection:
        db = connect(path)
        db.execute("PRAGMA query_only = ON")  # permissions would not stop root
        return db

    monkeypatch.setattr(sqlite_file, "connect", read_only)
    assert refused(path).key == "store.read-only"


# --- backups -------------------------------------------------------------------------------------


def test_a_backup_while_writing_is_a_moment_of_the_store(path: Path) -> None:
    async def play() -> None:
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

    asyncio.run(play())


def test_a_backup_leaves_one_file_and_takes_the_place_of_an_older_one(path: Path) -> None:
    make(path, PutRoom("ABCD", b"doc", 1))
    copy = path.with_name("copy")
    backup(path, copy)
    make(path, PutRoom("ABCD", b"new", 2))
    backup(path, copy)
    assert {file.name for file in path.parent.iterdir()} == {
        "capolinea.db",
        "capolinea.db.lock",
        "copy",
    }
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert db.execute("SELECT doc FROM rooms").fetchall() == [(b"new",)]


def test_a_backup_takes_nobody_elses_place(path: Path) -> None:
    make(path)

    async def play() -> None:
        other = path.with_name("other.db")
        async with opened(other) as store:
            await store.write(PutRoom("ABCD", b"", 1))
            beside = [path.with_name(path.name + end) for end in ("-wal", "-shm", ".lock")]
            keys = {other: "store.in-use", **dict.fromkeys([path, *beside], "store.own-file")}
            for target, key in keys.items():
                with pytest.raises(Problem) as problem:
                    backup(path, target)
                assert problem.value.key == key

    asyncio.run(play())
    with pytest.raises(Problem) as problem:
        backup(path.with_name("nothing"), path.with_name("copy"))
    assert problem.value.key == "store.missing"
    with pytest.raises(Problem) as problem:
        backup(path, path.with_name("nowhere") / "copy")
    assert problem.value.key == "store.no-folder"


# --- by name -------------------------------------------------------------------------------------


def test_stores_by_name(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    for name in (f"sqlite://{path}", f"sqlite:{path}", str(path), "sqlite:capolinea.db", path.name):
        store = open_store(name)
        assert isinstance(store, SqliteStore)
        assert store._path == path


@pytest.mark.parametrize(
    "name", ["postgresql://me:hush@host/db", "sqlite://host/path", "sqlite:", "sqlite://", ""]
)
def test_unknown_stores(name: str) -> None:
    with pytest.raises(Problem) as problem:
        open_store(name)
    assert problem.value.key == "store.unknown"
    assert "hush" not in repr(problem.value)
