"""A store that stalls, fails, or is not ours alone: nobody is told what is not kept."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from capolinea import games
from capolinea.client import Refusal, Seat
from capolinea.engine.match import Match
from capolinea.server.fold import decode_entry, decode_header
from capolinea.server.metrics import Metrics
from capolinea.server.protocol import ClientMessage
from capolinea.server.socket import Socket
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import (
    Change,
    Taken,
)
from capolinea.server.table import Table
from tests.server.matches import Json, Party, party, wire
from tests.server.tables import TIME, Running, at_random, play, serving

pytestmark = pytest.mark.usefixtures("quick_and_steady")


# --- a store that stalls, fails, or is not ours alone ------------------------------------------------


class Moody(SqliteStore):
    """Takes its time at the commit, or fails there, as long as it is told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.ill = False
        self.failures = 0
        self._free = threading.Event()
        self._free.set()
        self._stuck = threading.Event()

    def _commit(self, db: sqlite3.Connection) -> None:
        if not self._free.is_set():
            self._stuck.set()
        assert self._free.wait(TIME)
        if self.ill:
            self.failures += 1
            raise sqlite3.OperationalError("disk I/O error")
        super()._commit(db)

    def stall(self) -> None:
        self._stuck.clear()
        self._free.clear()

    async def stalled(self) -> None:
        """Somebody waits for a commit."""
        assert await asyncio.to_thread(self._stuck.wait, 10)

    def go_on(self) -> None:
        self._free.set()


@asynccontextmanager
async def kept_by(store: Moody) -> AsyncIterator[Running]:
    """A server with this store."""
    async with serving(store._path.parent, store) as server:
        try:
            yield server
        finally:
            store.go_on()  # or else nothing would end


CLOCK = {"settings": {"clock": {"kind": "relaxed"}}}


def heard(seat: Seat) -> list[Json]:
    """What came since the last time one asked."""
    found = [json.loads(text) for text in seat.received or []]
    seat.received = []
    return found


def mover(table: Party) -> int:
    [seat] = table.table.match.state.waiting()
    return seat


async def something_to_see(table: Party, seats: list[Seat]) -> list[Json]:
    """The steps of an answer after which another seat is waited for."""
    found: list[list[Json]] = []

    def here() -> bool:
        match = table.table.match
        if len(match.state.waiting()) != 1 or match.state.window():
            return False
        seat = mover(table)
        for action, then in match.tree(seat).items():
            after = match.state.copy()
            after.play(seat, action)
            if not then and after.result() is None and seat not in after.waiting():
                found.append([table.table.game.space.json(action)])
                return not after.window()
        return False

    await table.play_until(seats, at_random(1), here)
    return found[-1]


async def test_nobody_is_told_anything_before_it_is_kept(tmp_path: Path) -> None:
    store = Moody(tmp_path / "capolinea.db")

    async with kept_by(store) as server:
        table = await party(server, "night-mail", 3, **CLOCK)
        known = server.client()  # somebody who has been here before
        async with known.socket(table.code):
            pass
        async with table.sitting() as seats, server.client().socket(table.code) as watcher:
            steps = await something_to_see(table, seats)
            actor = seats[mover(table)]
            left = set(actor.status["left"])
            everybody = [*seats, watcher]
            leaving = table.clients[0].socket(table.code, 0)
            async with leaving:
                before = [one.n for one in everybody]
                for one in everybody:
                    one.received = []
                store.stall()
                acting = asyncio.create_task(actor.do(steps, "slow"))
                await store.stalled()
            # Somebody leaves, somebody known and somebody unknown come, somebody asks for the room.
            newcomers = [
                known.socket(table.code),
                table.socket(1),
                server.client().socket(table.code),
            ]
            for newcomer in newcomers:
                newcomer.received = []
            coming = [asyncio.create_task(newcomer.__aenter__()) for newcomer in newcomers]
            await asyncio.sleep(0.3)
            await table.clients[0].room(table.code)
            assert not acting.done()
            for one in [*everybody, *newcomers]:
                for message in heard(one):
                    assert message["t"] in ("room", "status"), message
                    assert set(message.get("left", left)) == left
            assert [one.n for one in everybody] == before
            store.go_on()
            await acting
            await asyncio.gather(*coming)
            await table.settled([*everybody, *newcomers])
            assert [one.n for one in everybody] == [n + 1 for n in before]
            for one in everybody:
                assert "frame" in [message["t"] for message in heard(one)]
            for one in everybody:
                await one.until(lambda one: set(one.status["left"]) != left)
            for newcomer in newcomers:
                await newcomer.__aexit__(None, None, None)


async def test_what_cannot_be_kept_did_not_happen(tmp_path: Path) -> None:
    store = Moody(tmp_path / "capolinea.db")

    async with kept_by(store) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            steps = await something_to_see(table, seats)
            actor = seats[mover(table)]
            question, scenes = actor.question["id"], [json.dumps(seat.scene) for seat in seats]
            entries = await store.entries(table.table.row.id)
            for one in seats:
                one.received = []
            store.ill = True
            for _ in range(2):
                with pytest.raises(Refusal) as refused:
                    await actor.do(steps, "again")
                assert refused.value.key == "table.not-kept"
            with pytest.raises(Refusal) as refused:
                await actor.keep(notes="lost")
            assert refused.value.key == "table.not-kept"
            await asyncio.sleep(0.1)
            for one in seats:
                assert {message["t"] for message in heard(one)} <= {"refused", "status"}
            # Who comes now sees what the store has.
            async with wire(table.clients[0], table.code, 0) as late:
                welcome = await late.next("welcome")
                assert json.dumps(welcome["scene"]) == scenes[0]
                assert welcome["private"].get("notes", "") == ""
            assert await store.entries(table.table.row.id) == entries
            store.ill = False
            assert actor.question["id"] == question
            await actor.do(steps, "again")
            await table.settled(seats)
            assert [row.client for row in await store.entries(table.table.row.id)].count(
                "again"
            ) == 1
            await asyncio.gather(*(play(seat, at_random(n)) for n, seat in enumerate(seats)))
            assert seats[0].result is not None
            for one in seats:
                numbers = [message["n"] for message in heard(one) if message["t"] == "frame"]
                assert numbers == list(range(numbers[0], one.n + 1))


async def test_several_moves_of_a_window_are_kept_together_or_not_at_all(tmp_path: Path) -> None:
    store = Moody(tmp_path / "capolinea.db")

    async with kept_by(store) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:

            def deliver(seat: Seat) -> list[Json]:
                rank = ["deliver", "load", "depart"]
                choices = [c for c in seat.whole_choices() if c[0]["do"] in rank]
                return min(choices or seat.whole_choices(), key=lambda c: _rank(rank, c))

            await table.play_until(seats, deliver, lambda: bool(table.table.match.state.window()))
            first, second = (seats[seat] for seat in table.table.match.state.waiting())
            await first.do([{"do": "pass"}], "p1")
            before = await store.entries(table.table.row.id)
            store.ill = True
            with pytest.raises(Refusal):
                await second.do([{"do": "pass"}], "p2")
            store.ill = False
            assert list(table.table.held) == [first.number]
            await second.do([{"do": "pass"}], "p2")
            await first.until(lambda seat: not seat.scene["awaited"].get("window"))
            after = await store.entries(table.table.row.id)
            assert {row.client for row in after[len(before) :]} == {"p1", "p2"}
            assert await store.held(table.table.row.id) == []


def _rank(rank: list[str], choice: list[Json]) -> int:
    do = choice[0]["do"]
    return rank.index(do) if do in rank else len(rank)


async def test_bots_and_clock_go_on_after_a_store_that_failed(tmp_path: Path) -> None:
    """Nobody comes to wake them: the match must not stand still for ever."""
    store = Moody(tmp_path / "capolinea.db")

    async with kept_by(store) as server:
        client = server.client()
        await client.__aenter__()
        room = await client.create("night-mail", watch=True, bots=["random"] * 3, start=True)
        table = Party(server, room["code"], [client])
        async with client.socket(table.code) as watcher:
            watcher.received = []
            while not table.table.over:
                async with asyncio.timeout(TIME):
                    before = watcher.n
                    store.failures, store.ill = 0, True
                    while not store.failures:
                        await asyncio.sleep(0.001)
                    store.ill = False
                    while watcher.n == before and not table.table.over:
                        await asyncio.sleep(0.001)
            # Also the room hears that it is over, although that could not be kept at first.
            store.ill = False
            async with asyncio.timeout(TIME):
                while watcher.room["phase"] != "over":
                    await asyncio.sleep(0.001)
            numbers = [message["n"] for message in heard(watcher) if message["t"] == "frame"]
            assert numbers == list(range(numbers[0], watcher.n + 1))
            assert watcher.result is not None


async def test_the_end_is_kept_when_the_store_fails_just_then(tmp_path: Path) -> None:
    class IllForRooms(Moody):
        """Only what the room writes when a match has ended fails, once."""

        async def write(self, *changes: Change) -> None:
            ending = any(type(one).__name__ == "DropChat" for one in changes)
            self.ill = ending and not self.failures
            await super().write(*changes)

    store = IllForRooms(tmp_path / "capolinea.db")

    async with kept_by(store) as server:
        table = await party(server, "night-mail", 2)
        async with table.sitting() as seats:
            await asyncio.gather(*(play(seat, at_random(n)) for n, seat in enumerate(seats)))
            await seats[0].until(lambda seat: seat.room["phase"] == "over")
            assert store.failures == 1
            await table.clients[0].command(table.code, "start")
            await seats[1].until(lambda seat: seat.room["phase"] == "playing")


async def test_an_end_that_is_not_kept_is_none(tmp_path: Path) -> None:
    """While the last move is being written the match looks as if it were over. If it is not kept,
    clock and bots are still there, and so is the match."""
    store = Moody(tmp_path / "capolinea.db")

    async with kept_by(store) as server:
        table = await party(server, "night-mail", 2)
        async with table.sitting() as seats:
            ends: list[tuple[Seat, list[Json]]] = []

            def last() -> bool:
                """Some answer to what is asked now ends the match."""
                match = table.table.match
                for seat in () if match.state.window() else match.state.waiting():
                    for action in match.state.legal(seat):
                        after = match.state.copy()
                        after.play(seat, action)
                        if after.result() is not None:
                            ends.append((seats[seat], [match.game.space.json(action)]))
                            return True
                return False

            await table.play_until(seats, at_random(3), last)
            seat, steps = ends[-1]
            assert table.lounge.sitting is not None
            tasks = set(table.lounge.sitting._tasks._running)
            assert len(tasks) == 2
            store.stall()
            ending = asyncio.create_task(seat.do(steps, "end"))
            await store.stalled()
            await seats[0].drop()  # somebody comes and goes: all look up, and see nothing yet
            table.table.audience.changed([])
            await asyncio.sleep(0.1)
            store.ill = True
            store.go_on()
            with pytest.raises(Refusal):
                await ending
            assert not table.table.over
            assert table.lounge.room.playing
            assert set(table.lounge.sitting._tasks._running) == tasks
            assert not table.lounge._tasks
            store.ill = False
            await seat.do(steps, "end")
            for one in seats:
                await one.until(lambda one: one.room["phase"] == "over")
            assert table.table.over


async def test_another_worker_was_faster(tmp_path: Path) -> None:
    """Its entry is told, and ours is refused: it answers what is not asked any more."""
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            steps = await something_to_see(table, seats)
            actor = seats[mover(table)]
            for one in seats:
                one.received = []
            beside = SqliteStore(tmp_path / "capolinea.db", beside=True)
            await beside.open()
            try:
                row = table.table.row
                other = Table(beside, row, table.table.game, table.table.now, Metrics())
                await other.load()
                seat, question = actor.number or 0, actor.question["id"]
                await other.act(seat, steps, question, "theirs")
                with pytest.raises(Refusal) as refused:
                    await actor.do(steps, "ours")
                assert refused.value.key == "table.late"
                await table.settled(seats)
                for one in seats:
                    frames = [message for message in heard(one) if message["t"] == "frame"]
                    assert [frame["n"] for frame in frames] == [one.n]
                    theirs = other.fold.told[one.number]
                    assert one.n == len(theirs)
                    assert msgspec.json.encode(frames[0]["events"]) == bytes(theirs[-1])
                # What they have done counts for us too; our own answer comes too late now.
                await actor.do(steps, "theirs")
                async with wire(table.clients[seat], table.code, seat) as same:
                    await same.send(t="do", id="x", question=question, do=steps)
                    assert (await same.answer("x"))["why"]["key"] == "table.late"
                clients = [row.client for row in await beside.entries(row.id)]
                assert (clients.count("theirs"), clients.count("ours")) == (1, 0)
            finally:
                await beside.close()


async def test_another_worker_was_faster_with_something_else(tmp_path: Path) -> None:
    """Its entry is told, and ours comes after it: what it answers is still asked."""
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            steps = await something_to_see(table, seats)
            actor = seats[mover(table)]
            beside = SqliteStore(tmp_path / "capolinea.db", beside=True)
            await beside.open()
            try:
                row = table.table.row
                other = Table(beside, row, table.table.game, table.table.now, Metrics())
                await other.load()
                n = len(table.table.match.entries)
                third = ((actor.number or 0) + 1) % 3
                await other.control(third, "clock")
                await actor.do(steps, "ours")
                await table.settled(seats)
                assert [row.client for row in await beside.entries(row.id, n)] == ["", "ours"]
                assert table.table.match.players[third] == "clock"
            finally:
                await beside.close()


async def test_who_is_overtaken_again_and_again_is_told_that_it_was_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        async with table.sitting() as seats:
            steps = await something_to_see(table, seats)
            write, tried = table.table.store.write, []

            async def taken(*changes: Any) -> None:
                tried.append(changes)
                raise Taken

            monkeypatch.setattr(table.table.store, "write", taken)
            with pytest.raises(Refusal) as refused:
                await seats[mover(table)].do(steps, "ours")
            assert refused.value.key == "table.not-kept"
            assert len(tried) == Table.tries
            monkeypatch.setattr(table.table.store, "write", write)
            await seats[mover(table)].do(steps, "ours")


async def test_a_write_that_nobody_waits_for_any_more_is_told_all_the_same(tmp_path: Path) -> None:
    """Who acted is gone before it was kept: kept it is, and the others hear of it."""
    store = Moody(tmp_path / "capolinea.db")

    async with kept_by(store) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            steps = await something_to_see(table, seats)
            actor = mover(table)
            for one in seats:
                one.received = []
            store.stall()
            asked = table.table.question(actor).id
            acting = asyncio.create_task(table.table.act(actor, steps, asked, "x"))
            await store.stalled()
            acting.cancel()
            await asyncio.sleep(0.05)
            for one in seats:
                assert "frame" not in [message["t"] for message in heard(one)]
            store.go_on()
            await seats[actor].until(lambda seat: seat.question["id"] != asked)
            await table.settled(seats)
            assert [row.client for row in await store.entries(table.table.row.id)][-1] == "x"


async def test_a_line_that_comes_again_while_it_is_being_stored_is_the_same_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser that has no answer for long asks again on another connection."""
    store = Moody(tmp_path / "capolinea.db")
    arrived: list[str | None] = []
    understand = Socket._understand

    def note(self: Socket, text: str | None) -> ClientMessage:
        arrived.append(text)
        return understand(self, text)

    monkeypatch.setattr(Socket, "_understand", note)

    async with kept_by(store) as server:
        table = await party(server, "night-mail", 2)
        first, second = (wire(table.clients[0], table.code, 0) for _ in range(2))
        async with table.socket(1) as reader, first as one, second as two:
            await one.next("welcome")
            await two.next("welcome")
            arrived.clear()
            store.stall()
            await one.send(t="chat", id="c", text="ciao")
            await store.stalled()
            await two.send(t="chat", id="c", text="ciao")
            while len(arrived) < 2:
                await asyncio.sleep(0.001)
            store.go_on()
            for socket in (one, two):
                assert (await socket.answer("c"))["t"] == "done"
            await two.send(t="chat", id="d", text="addio")
            await reader.until(lambda seat: any(line["text"] == "addio" for line in seat.chat))
            assert [line["text"] for line in reader.chat] == ["ciao", "addio"]


async def test_a_socket_that_dies_in_the_middle_of_an_act(tmp_path: Path) -> None:
    store = Moody(tmp_path / "capolinea.db")

    async with kept_by(store) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            steps = await something_to_see(table, seats)
            actor = seats[mover(table)]
            store.stall()
            acting = asyncio.create_task(actor.do(steps, "x"))
            await store.stalled()
            await actor.drop()  # it comes back, and sends it again
            await asyncio.sleep(0.1)
            assert not acting.done()
            store.go_on()
            await acting
            await table.settled(seats)
            assert [row.client for row in await store.entries(table.table.row.id)].count("x") == 1


async def test_a_fault_in_the_rules_leaves_no_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something breaks after the entry was made: the next one has its number."""
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            steps = await something_to_see(table, seats)
            actor = seats[mover(table)]
            with monkeypatch.context() as patch:

                def fall(*_: object, **__: object) -> None:
                    raise ZeroDivisionError

                patch.setattr(Match, "_tell", fall)
                with pytest.raises(Refusal) as refused:
                    await actor.do(steps, "x")
                # Folding it anew needs what is broken, too.
                assert refused.value.key in ("serve.our-fault", "table.not-kept")
            await actor.do(steps, "x")
            found = [row.n for row in await server.hub.store.entries(table.table.row.id)]
            assert found == list(range(len(found)))


# --- what is kept of each entry ----------------------------------------------------------------------


async def test_every_commit_waits_for_the_disk(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        store = server.hub.store
        assert isinstance(store, SqliteStore)
        ask = store._writer.run
        assert await ask(lambda db: db.execute("PRAGMA synchronous").fetchall()) == [(2,)]
        assert await ask(lambda db: db.execute("PRAGMA journal_mode").fetchall()) == [("wal",)]


@pytest.mark.parametrize("title", ["night-mail", "stop-the-train"])
async def test_a_state_hash_for_every_entry(tmp_path: Path, title: str) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, title, 3)
        async with table.sitting() as seats:
            await table.play_until(seats, at_random(2), lambda: len(table.table.match.entries) > 12)
        row = table.table.row
        entries = await server.hub.store.entries(row.id)
        assert [stored.n for stored in entries] == list(range(len(entries)))
        match = Match.begin(games.load(title), decode_header(row.header))
        for stored in entries:
            match.follow(decode_entry(stored.entry))
            assert stored.state == bytes.fromhex(match.checks[-1])
        assert len({stored.state for stored in entries}) > 5
