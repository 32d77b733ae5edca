"""The store in one SQLite file: what it keeps."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from capolinea.engine.problems import Problem
from capolinea.server import headers, sqlite_file
from capolinea.server.sqlite import SqliteStore, open_store
from capolinea.server.store import (
    AddChat,
    AddEntries,
    DropChat,
    DropMatch,
    DropRoom,
    DropUnused,
    EndMatch,
    EndProposal,
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
    StoreFailed,
    Taken,
    TouchRoom,
    WakeUp,
)
from tests.server.stores import add, entry, line, numbers, opened, row

# --- what it keeps -------------------------------------------------------------------------------


async def test_rooms(path: Path) -> None:
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


async def test_rooms_of_a_person(path: Path) -> None:
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


async def test_rooms_that_nobody_changed_lately_and_junk_is_none_of_them(path: Path) -> None:
    async with opened(path) as store:
        for number in range(4):
            await store.write(PutRoom(f"ABC{number}", b"doc", number))
        with closing(sqlite3.connect(path)) as db:
            db.execute("UPDATE rooms SET changed = 'yesterday' WHERE code = 'ABC0'")
            db.commit()
        assert await store.rooms_before(3) == ["ABC1", "ABC2"]


async def test_when_any_room_was_last_used_and_junk_is_no_time(path: Path) -> None:
    async with opened(path) as store:
        assert await store.last_used() == 0
        for number in (1, 3, 2):
            await store.write(PutRoom(f"ABC{number}", b"doc", number))
        with closing(sqlite3.connect(path)) as db:
            db.execute("UPDATE rooms SET changed = 'tomorrow' WHERE code = 'ABC2'")
            db.commit()
        assert await store.last_used() == 3


async def test_rooms_by_the_calendar_stay_in_their_order_and_are_not_forgotten(path: Path) -> None:
    day = 86_400_000
    with closing(sqlite3.connect(path)) as db:
        for script in sqlite_file.MIGRATIONS[:5]:
            db.executescript(script)
        for code, changed in {"LATE": 4000 * day, "SOME": 900 * day, "LONG": 0}.items():
            db.execute("INSERT INTO rooms VALUES (?, '{}', ?, 0)", (code, changed))
        db.execute(f"PRAGMA application_id = {sqlite_file.APPLICATION_ID}")
        db.execute("PRAGMA user_version = 5")
        db.commit()

    async with opened(path) as store:
        assert await store.rooms_before(1) == ["LONG", "SOME", "LATE"]
        assert await store.last_used() == 0
        assert await store.rooms_before(-day) == []


async def test_what_ended_by_a_clock_that_was_behind_has_not_ended_long_ago(path: Path) -> None:
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


async def test_data_lies_beside_the_matches_that_have_it(path: Path) -> None:
    content = b'{"cards":[1,{"a":"\\u00e8"}]}'
    used = b'{"pack":{"name":"ours","sha256":"0","content":' + content + b'},"line":{"name":"b"}}'
    header = b'{"title":"t","data":' + used + b',"seed":"00"}'
    hash = sha256(content).hexdigest()

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
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM data_of_matches").fetchall() == [(0,)]


@pytest.mark.parametrize(
    "header",
    [b"", b"{broken", b"[]", b'{"data":3}', b'{"data":{"pack":{"content":1', b'{"a":"beside"}'],
)
def test_a_header_that_nobody_can_read_stays_as_it_is(header: bytes) -> None:
    assert headers.part(header) == (header, {})
    assert headers.join(header, {}) == header


async def test_data_lies_beside_the_rooms_that_have_it(path: Path) -> None:
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


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.rooms_of("ada", 20),
        lambda store: store.rooms_before(5),
        lambda store: store.room("ABCD"),
        lambda store: store.data("h"),
    ],
)
async def test_no_question_about_a_room_looks_at_all_rooms(
    path: Path, ask: Callable[[SqliteStore], Awaitable[object]]
) -> None:
    plans: list[str] = []

    class Explained(SqliteStore):
        async def _rows(self, sql: str, *values: object) -> list[Any]:
            plans.extend(
                plan for *_, plan in await super()._rows(f"EXPLAIN QUERY PLAN {sql}", *values)
            )
            return []

    async with opened(path, Explained) as store:
        await ask(store)
    assert plans
    assert not [plan for plan in plans if plan.startswith("SCAN")]


async def test_matches_and_entries(path: Path) -> None:
    full = MatchRow("m2", "ABCD", b"{}", 5, ended=9, public=True, frozen="folds.so", paused=7)

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


async def test_matches_that_are_put_away(path: Path) -> None:
    rows = [row(f"m{n}", room=f"ROOM{n}") for n in range(5)]

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


async def test_who_uses_a_room_changes_nothing_but_when(path: Path) -> None:
    async with opened(path) as store:
        await store.write(PutRoom("ABCD", b"doc", 5), TouchRoom("ABCD", 8), TouchRoom("GONE", 8))
        await store.write(TouchRoom("ABCD", 7))  # time does not fall
        assert await store.rooms_before(8) == []
        assert await store.rooms_before(9) == ["ABCD"]
        assert await store.room("ABCD") == b"doc"
        assert await store.room("GONE") is None


async def test_what_is_due_is_found_by_an_index(path: Path) -> None:
    """However many matches are put away, and however many are over."""
    plans: list[str] = []

    class Explaining(SqliteStore):
        async def _rows(self, sql: str, *values: object) -> list[Any]:
            plans.extend(
                row[-1] for row in await super()._rows(f"EXPLAIN QUERY PLAN {sql}", *values)
            )
            return await super()._rows(sql, *values)

    async with opened(path, Explaining) as store:
        await store.due(0, 1)
        await store.left_open()
        await store.running(["m1"])
        await store.rooms_before(1)
    assert len(plans) >= 4
    whole = [plan for plan in plans if plan.startswith("SCAN") and "INDEX" not in plan]
    assert [plan for plan in whole if "json_each" not in plan] == []  # that is what was asked with


async def test_what_has_ended_stays_so(path: Path) -> None:
    async with opened(path) as store:
        await store.write(PutMatch(row()), add(0), EndMatch("m1", 2))
        for goes_on in (PutMatch(row()), add(1)):
            with pytest.raises(Taken):
                await store.write(goes_on)
        over = MatchRow("m1", "ABCD", b"{}", 1, ended=2, paused=7)
        await store.write(PutMatch(replace(over, ended=3)), EndMatch("m1", 4))
        assert await store.match("m1") == over
        assert await numbers(store) == [0]


async def test_held_answers(path: Path) -> None:
    first, second = Held(0, 7, b"[1]", "c1"), Held(1, 7, b"[2]")
    changed = Held(0, 7, b"[3]", "c2")

    async with opened(path) as store:
        await store.write(PutMatch(row()), PutMatch(row("m2")), Hold("m2", first))
        await store.write(Hold("m1", second), Hold("m1", first))
        assert await store.held("m1") == [first, second]
        await store.write(Hold("m1", changed))
        assert await store.held("m1") == [changed, second]
        await store.write(Release("m1"))
        assert await store.held("m1") == []
        assert await store.held("m2") == [first]


async def test_private_documents(path: Path) -> None:
    async with opened(path) as store:
        await store.write(PutMatch(row()), PutPrivate("m1", 0, b"a"), PutPrivate("m1", 2, b"b"))
        await store.write(PutPrivate("m1", 0, b"c"))
        assert await store.private("m1") == {0: b"c", 2: b"b"}
        assert await store.private("m2") == {}


async def test_chat(path: Path) -> None:
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


async def test_proposals(path: Path) -> None:
    first, voted = ProposalRow(1, "undo", b"a"), ProposalRow(1, "undo", b"b")

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


async def test_a_match_goes_with_all_that_belongs_to_it(path: Path) -> None:
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


async def test_everything_is_there_after_a_restart(path: Path) -> None:
    async with opened(path) as store:
        await store.write(PutRoom("ABCD", b"doc", 1), PutMatch(row()), add(0))
        secret = await store.secret()
        assert len(secret) == 32
    async with opened(path) as store:
        assert await store.room("ABCD") == b"doc"
        assert await numbers(store) == [0]
        assert await store.secret() == secret


async def test_each_store_has_its_own_secret(tmp_path: Path) -> None:
    async with opened(tmp_path / "a") as one, opened(tmp_path / "b") as other:
        assert await one.secret() != await other.secret()


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
