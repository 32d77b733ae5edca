"""Stores that earlier servers wrote: they open, go on and are shown."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from capolinea import games
from capolinea.engine.match import Match
from capolinea.engine.record import Say, dumps, loads
from capolinea.engine.rng import Rng
from capolinea.server import documents, replays
from capolinea.server.fold import decode_header
from capolinea.server.hub import Hub
from capolinea.server.protocol import NewRoom, Rename
from capolinea.server.rooms import new_room
from capolinea.server.settings import Settings
from capolinea.server.sqlite import SqliteStore
from capolinea.server.sqlite_file import APPLICATION_ID, MIGRATIONS
from capolinea.server.store import WRITER
from tests.fixtures.stores.write import play

STORES = sorted((Path(__file__).parents[1] / "fixtures/stores").glob("*.sql"))


@pytest.fixture(params=STORES, ids=lambda file: file.stem)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "capolinea.db"
    db = sqlite3.connect(path)
    db.executescript(request.param.read_text("utf-8"))
    db.close()
    return path


@asynccontextmanager
async def serving(file: Path) -> AsyncIterator[Hub]:
    """A server without a network, on this store."""
    hub = Hub(Settings(bot_pause=0), SqliteStore(file))
    await hub.open()
    try:
        yield hub
    finally:
        await hub.close()


async def test_nothing_of_it_freezes_and_what_was_held_is_held(file: Path) -> None:
    async with serving(file) as hub:
        rows = await hub.store.matches()
        assert len({decode_header(row.header).title for row in rows}) >= 3
        for row in rows:
            table = await hub.table(row)
            assert not table.row.frozen
            assert len(table.match.entries) == len(await hub.store.entries(row.id))
            assert (table.match.result() is None) == (row.ended is None)
            assert set(table.held) == {one.seat for one in await hub.store.held(row.id)}
            assert table.row.paused == row.paused


async def test_what_runs_goes_on_to_its_end_and_is_known_to_the_next_server(file: Path) -> None:
    ends: dict[str, Any] = {}

    async with serving(file) as hub:
        for code in await hub.store.left_open():
            table = (await hub.lounge(code)).table
            assert table is not None
            await table.pause(False)
            before = len(table.match.entries)
            await play(table, Rng(b"on"), before + 12)
            assert len(table.match.entries) >= before + 12 or table.over
            ends[table.row.id] = table.match.checks
        assert len(ends) > 5
    async with serving(file) as hub:
        for id, checks in ends.items():
            row = await hub.match(id)
            assert row.writer == WRITER
            table = await hub.table(row)
            assert (table.row.frozen, table.match.checks) == ("", checks)


async def test_it_is_known_whose_the_rooms_are_and_where_somebody_plays(file: Path) -> None:
    async with serving(file) as hub:
        for name in ("Ada", "Bruno"):
            own = await hub.rooms_of(name)
            assert len(own) == len(await hub.store.rooms_before(2**62))
            phases = [line.phase for line in own]
            assert phases == sorted(phases, key="playing".__ne__)
            assert {"playing", "over"} <= set(phases)
        assert await hub.rooms_of("nobody") == []


LINE = games.load("night-mail").data()["line"]["coast"]


@pytest.fixture
def third(tmp_path: Path) -> Path:
    """A store of the third form: rooms have data in them. One is broken in every way."""
    path = tmp_path / "capolinea.db"
    asked = NewRoom("night-mail", "Ada", options={"line": "ours"}, data={"line": LINE})
    doc = json.loads(documents.write(new_room("BCDFGH", "ada", asked)))
    doc["data"] = {"line": LINE}
    broken = [b"\xff\x00", b"", b"7", b'{"people": 7}', b'{"people": ["x"], "seats": ["x", {}]}']
    with closing(sqlite3.connect(path)) as db:
        for script in MIGRATIONS[:3]:
            db.executescript(script)
        for number, junk in enumerate([json.dumps(doc).encode(), *broken]):
            code = f"JUNK{number}" if number else "BCDFGH"
            db.execute("INSERT INTO rooms VALUES (?, ?, 1)", (code, junk))
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("PRAGMA user_version = 3")
        db.commit()
    return path


async def test_data_that_was_in_a_room_is_read_on_and_lies_beside_it_from_the_next_change(
    third: Path,
) -> None:
    async with serving(third) as hub:
        assert [line.code for line in await hub.rooms_of("ada")] == ["BCDFGH"]
        lounge = await hub.lounge("BCDFGH")
        assert lounge.room.contents() == {"line": LINE}
        await lounge.command("ada", Rename("Dora"))
        doc = await hub.store.room("BCDFGH")
        assert doc is not None
        assert LINE["trunk"][0].encode() not in doc
    async with serving(third) as hub:
        room = (await hub.lounge("BCDFGH")).room
        assert room.contents() == {"line": LINE}
        assert room.people[0].name == "Dora"


async def test_what_is_over_is_shown_and_handed_out_with_its_end(file: Path) -> None:
    async with serving(file) as hub:
        said = 0
        over = [row for row in await hub.store.matches() if row.ended is not None]
        assert len(over) >= 3
        for row in over:
            rows = await hub.store.entries(row.id)
            shown = msgspec.json.decode(replays.replay(row, rows, "truth"))
            assert shown["match"].get("frozen", "") == ""
            assert shown["steps"][-1]["entries"] == len(rows)
            record = replays.record_of(row, rows)
            assert record.result is not None
            assert msgspec.to_builtins(record.result) == shown["match"]["result"]
            said += sum(isinstance(entry, Say) for entry in record.entries)
            read = loads(dumps(record))
            assert Match.fold(games.load(read.title), read).result() == record.result
        assert said
