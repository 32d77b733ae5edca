"""A match that is closed beside the server: it never goes on, and then it has no secrets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from capolinea import cli
from capolinea.cli import admin
from capolinea.cli.voice import Voice
from capolinea.client import Refusal, Seat
from capolinea.engine.problems import Problem
from capolinea.server import hub
from capolinea.server.hub import Hub
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import DropMatch, MatchRow, PutMatch
from tests.server.matches import Party, party
from tests.server.tables import serving


async def close(folder: Path, match: str) -> None:
    """As somebody with a terminal does it."""
    words = ["admin", "close", match, "--db", str(folder / "capolinea.db")]
    assert await asyncio.to_thread(cli.main, words) == 0


async def moves(table: Party, seats: list[Seat]) -> None:
    mover = next(seat for seat in seats if seat.must)
    with pytest.raises(Refusal) as refusal:
        await mover.do(mover.whole_choices()[0])
    assert refusal.value.key == "table.over"


async def pauses(table: Party, seats: list[Seat]) -> None:
    await seats[0].pause()
    await seats[1].until(lambda seat: seat.status.get("proposal"))
    await seats[1].vote(True)


async def abandons(table: Party, seats: list[Seat]) -> None:
    await table.clients[0].command(table.code, "abandon")


def reads(path: str) -> Callable[[Party, list[Seat]], Awaitable[None]]:
    async def read(table: Party, seats: list[Seat]) -> None:
        async with table.server.client() as stranger:
            await stranger.get(f"/api/matches/{table.table.row.id}{path}")
        assert table.table.over  # what was handed out is not hidden from anybody who plays
        await moves(table, seats)

    return read


FIRST = {
    "move": moves,
    "pause": pauses,
    "abandon": abandons,
    "match": reads(""),
    "record": reads("/record"),
    "replay": reads("/replay?as=truth"),
}


@pytest.mark.parametrize("first", FIRST)
async def test_whoever_comes_first_after_it_was_closed_it_stays_closed(
    tmp_path: Path, first: str
) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2, settings={"watching": False})
        store, match = server.hub.store, table.table.row.id
        async with table.sitting() as seats:
            await close(tmp_path, match)
            closed, entries = await store.match(match), await store.entries(match)
            assert closed is not None
            await FIRST[first](table, seats)
            for seat in seats:
                await seat.until(lambda seat: seat.room["phase"] == "over")
            row = await store.match(match)
            assert row is not None
            assert row.ended == closed.ended
            assert await store.entries(match) == entries


async def test_closing_changes_nothing_but_that(tmp_path: Path) -> None:
    """Also what is written while somebody closes it."""

    class Busy(SqliteStore):
        async def match(self, id: str) -> MatchRow | None:
            row = await super().match(id)
            if row is not None and row.paused is None:
                await self.write(PutMatch(msgspec.structs.replace(row, paused=7)))
            return row

    store = Busy(tmp_path / "capolinea.db")
    await store.open()
    try:
        await store.write(PutMatch(MatchRow("m1", "ABCD", b"{}", 1)))
        await admin._close(store, "m1", Voice("en"))
        row = await store.match("m1")
    finally:
        await store.close()
    assert row is not None
    assert row.paused == 7
    assert row.ended is not None


async def test_a_match_that_was_closed_and_thrown_away_leaves_its_room(tmp_path: Path) -> None:
    """All that within the seconds before the server looks."""
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        await close(tmp_path, table.table.row.id)
        await server.hub.store.write(DropMatch(table.table.row.id))
        await server.hub.notice()
        assert not table.lounge.room.playing


async def test_whatever_goes_wrong_the_server_looks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = asyncio.Event()
    times = iter((Problem("table.not-kept"), ValueError("odd"), None))

    async def notice(_hub: Hub) -> None:
        wrong = next(times)
        if wrong is None:
            looked.set()
            await asyncio.Event().wait()
        else:
            raise wrong

    monkeypatch.setattr(Hub, "notice", notice)
    monkeypatch.setattr(hub, "NOTICE", 0)

    async with serving(tmp_path):
        await looked.wait()
