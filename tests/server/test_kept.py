"""Append, then tell: what was acknowledged is kept, and what is not kept was told to nobody."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from capolinea import games
from capolinea.client import Failed, Refusal, Seat
from capolinea.client import seat as client_seat
from capolinea.engine.match import Match
from capolinea.server import lounge
from capolinea.server import run as server_run
from capolinea.server.fold import decode_entry, decode_header
from capolinea.server.metrics import Metrics
from capolinea.server.protocol import ClientMessage
from capolinea.server.socket import Socket
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import (
    Change,
    DropRoom,
    MatchRow,
    NotRead,
    PutMatch,
    StoreFailed,
    Taken,
)
from capolinea.server.table import Table
from tests.server.matches import Json, Party, party, returned, wire
from tests.server.tables import TIME, Guest, Running, at_random, play, serving

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _quick_and_steady(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_seat, "BACKOFF", (0.01, 0.05))
    monkeypatch.setattr(server_run, "FAREWELL", 0.01)
    monkeypatch.setattr(Table, "retry", 0.02)
    same_deal = SimpleNamespace(token_bytes=lambda length: bytes(range(length)))
    monkeypatch.setattr(lounge, "secrets", same_deal)


def rows(file: Path, sql: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        return db.execute(sql, values).fetchall()


def change(file: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(file)) as db, db:
        assert db.execute(sql, values).rowcount == 1


# --- a server that is killed -------------------------------------------------------------------------


class Process:
    """`capolinea serve` in a process of its own, on a port and a file that stay the same."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "capolinea.db"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(ROOT / "src")])
        flags = {"port": self.port, "db": self.file, "bot-pause": 0, "bot-workers": 1}
        flags |= {"socket-messages": 100_000, "requests-per-minute": 100_000}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "capolinea", "--lang", "en", "serve"]
            + [f"--{name}={value}" for name, value in flags.items()],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    async def up(self) -> None:
        async with asyncio.timeout(TIME):
            while True:
                try:
                    await Guest(self.url, "none").get("/healthz")
                    return
                except (OSError, Failed):
                    assert self.process is not None
                    assert self.process.poll() is None
                    await asyncio.sleep(0.02)

    def stop(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        code = self.process.wait(TIME)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return code


@contextmanager
def process(folder: Path) -> Iterator[Process]:
    made = Process(folder)
    made.start()
    try:
        yield made
    finally:
        if made.process is not None:
            made.stop(signal.SIGKILL)


async def strangers(url: str, title: str, seats: int, **more: Any) -> tuple[str, list[Guest]]:
    clients: list[Guest] = [Guest(url) for _ in range(seats)]
    for client in clients:
        await client.__aenter__()
    code = str((await clients[0].create(title, name="Ada", **more))["code"])
    for number, client in enumerate(clients[1:], 1):
        await client.command(code, "sit", seat=number, name=f"Guest {number}")
        await client.command(code, "ready")
    await clients[0].command(code, "start")
    return code, clients


async def play_and_note(seat: Seat, done: list[tuple[str, int, list[Json]]]) -> None:
    """Play to the end, and write down what the server said is done: its name, seat and steps."""
    choose, names = at_random(seat.seat or 0), count()
    async for _ in seat.news():
        while seat.must and seat.result is None:
            before = seat.n, seat.private
            id, steps = f"{seat.seat}-{next(names)}", choose(seat)
            try:
                await seat.do(steps, id)
                done.append((id, seat.seat or 0, steps))
            except Refusal as refusal:
                if refusal.key not in ("table.late", "table.over"):
                    raise
            if (seat.n, seat.private) == before:
                break


async def test_killed_in_the_middle_of_play(tmp_path: Path) -> None:
    """kill -9, several times: every acknowledged action is there, once and in order; clients go on
    by themselves, and the match ends."""
    seats = 3
    done: list[tuple[str, int, list[Json]]] = []

    with process(tmp_path) as server:
        await server.up()
        code, clients = await strangers(server.url, "night-mail", seats)

        over = asyncio.Event()

        async def sit(number: int) -> Seat:
            async with clients[number].socket(code, number) as seat:
                await play_and_note(seat, done)
                over.set()
                return seat

        async def kill() -> None:
            for more in (6, 7, 8):
                enough = len(done) + more
                while len(done) < enough:
                    if over.is_set():
                        return  # a short one: few deals are
                    await asyncio.sleep(0)
                server.stop(signal.SIGKILL)
                acknowledged = [id for id, _, steps in done if steps != [{"do": "pass"}]]
                kept = [client for (client,) in rows(server.file, "SELECT client FROM entries")]
                assert Counter(acknowledged) <= Counter(kept)
                server.start()

        ends = await asyncio.gather(*(sit(number) for number in range(seats)), kill())
        found = [end for end in ends if end is not None]
        assert all(seat.result == found[0].result for seat in found)
        assert found[0].result is not None
        server.stop(signal.SIGTERM)
        log = rows(server.file, "SELECT entry, client FROM entries ORDER BY n")
        [(ended,)] = rows(server.file, "SELECT ended FROM matches")
    assert ended is not None
    named = [(client, json.loads(entry)) for entry, client in log if client]
    assert len({client for client, _ in named}) == len(named)
    for number in range(seats):
        stored = [client for client, entry in named if entry["seat"] == number]
        # A pass in a window that somebody's card closed was no answer to what came then.
        told = [id for id, seat, steps in done if seat == number and id in stored]
        assert [client for client in stored if client in told] == told
        for id, seat, steps in done:
            if seat == number and steps != [{"do": "pass"}]:
                assert id in stored
    made = {id: (seat, steps) for id, seat, steps in done}
    for id, entry in named:
        if id in made:  # or it came too late to be told so
            assert (entry["seat"], entry["do"]) == made[id]


async def test_told_to_stop_it_says_that_it_comes_back_and_loses_nothing(tmp_path: Path) -> None:
    with process(tmp_path) as server:
        await server.up()
        code, clients = await strangers(server.url, "night-mail", 2)
        done: list[tuple[str, int, list[Json]]] = []
        async with clients[0].socket(code, 0) as one, clients[1].socket(code, 1) as two:
            one.received, two.received = [], []
            playing = [asyncio.create_task(play_and_note(seat, done)) for seat in (one, two)]
            while len(done) < 10:
                await asyncio.sleep(0)
            stopping = asyncio.create_task(asyncio.to_thread(server.stop, signal.SIGTERM))
            assert await stopping in (0, -signal.SIGTERM)
            for seat in (one, two):
                assert seat.received is not None
                assert json.loads(seat.received[-1]) == {"t": "bye", "why": "restart"}
            kept = [client for (client,) in rows(server.file, "SELECT client FROM entries")]
            moves = [id for id, _, steps in done if steps != [{"do": "pass"}]]
            assert Counter(moves) <= Counter(kept)
            server.start()
            await asyncio.gather(*playing)
            assert one.result is not None
            assert one.result == two.result


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


# --- frozen ------------------------------------------------------------------------------------------

#: At which entry something is done to the log.
AT = 6


def _hash(file: Path, match: str) -> None:
    change(file, "UPDATE entries SET state = x'00' WHERE match_id = ? AND n = ?", match, AT)


def _garbage(file: Path, match: str) -> None:
    _entry(file, match, {"kind": "move", "do": 7})


def _illegal(file: Path, match: str) -> None:
    _entry(file, match, {"do": [{"do": "pass"}]})


def _entry(file: Path, match: str, other: Json) -> None:
    [(entry,)] = rows(file, "SELECT entry FROM entries WHERE match_id = ? AND n = ?", match, AT)
    text = json.dumps({**json.loads(entry), **other}).encode()
    change(file, "UPDATE entries SET entry = ? WHERE match_id = ? AND n = ?", text, match, AT)


def _missing(file: Path, match: str) -> None:
    change(file, "DELETE FROM entries WHERE match_id = ? AND n = ?", match, AT)


def _rules(file: Path, match: str) -> None:
    _header(file, match, {"rules": "0-beta"})


def _header(file: Path, match: str, other: Json) -> None:
    [(header,)] = rows(file, "SELECT header FROM matches WHERE id = ?", match)
    text = json.dumps({**json.loads(header), **other}).encode()
    change(file, "UPDATE matches SET header = ? WHERE id = ?", text, match)


@pytest.mark.parametrize("tamper", [_hash, _garbage, _illegal, _missing])
async def test_a_match_that_folds_differently_is_frozen(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, tamper: Callable[[Path, str], None]
) -> None:
    file = tmp_path / "capolinea.db"
    scenes: list[str] = []

    async with serving(tmp_path) as server:
        table, other = await party(server, "night-mail", 2), await party(server, "night-mail", 2)
        async with table.sitting() as seats:

            def far() -> bool:
                if len(table.table.match.entries) >= AT:
                    scenes.append(json.dumps(seats[0].scene))
                return len(table.table.match.entries) > AT + 3

            def one_by_one(seat: Seat) -> list[Json]:
                """Nothing that others may answer to: then several entries come at once."""
                quiet = ("load", "depart", "keep", "vote", "end")
                return next(c for c in seat.whole_choices() if c[0]["do"] in quiet)

            await table.play_until(seats, one_by_one, far)
        match = table.table.row.id
    tamper(file, match)
    of_match = "SELECT * FROM entries WHERE match_id = ? ORDER BY n"
    entries, [row] = (
        rows(file, of_match, match),
        rows(file, "SELECT * FROM matches WHERE id = ?", match),
    )

    caplog.set_level(logging.INFO, "capolinea.server")
    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        async with Party(server, table.code, clients).sitting() as seats:
            assert json.dumps(seats[0].scene) == scenes[0]
            await seats[0].until(lambda seat: seat.status)
            assert seats[0].status["frozen"] == "table.folds-differently"
            acts = [seat.do(seat.whole_choices()[0]) for seat in seats if seat.whole_choices()]
            assert acts
            for act in [*acts, seats[0].say({"bag": ["letter"]})]:
                with pytest.raises(Refusal) as refused:
                    await act
                assert refused.value.key == "table.frozen"
        # Others play on.
        theirs = [server.client(client.cookie) for client in other.clients]
        other = Party(server, other.code, theirs)
        async with other.sitting() as seats:
            await other.play_until(seats, at_random(1), lambda: seats[0].n > 5)
    assert "match-frozen" in [record.msg for record in caplog.records]
    [now] = rows(file, "SELECT * FROM matches WHERE id = ?", match)
    assert [one for one in zip(row, now, strict=True) if one[0] != one[1]] == [
        ("", "table.folds-differently")
    ]
    assert rows(file, of_match, match) == entries

    # It stays so, and its host can give it up and begin another one.
    caplog.clear()

    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        table = await returned(server, table.code, clients)
        assert table.table.row.frozen
        await clients[0].command(table.code, "abandon")
        await clients[0].command(table.code, "start")
        async with table.sitting() as seats:
            await table.play_until(seats, at_random(1), lambda: seats[0].n > 3)
    assert "match-frozen" not in [record.msg for record in caplog.records]
    assert rows(file, of_match, match) == entries


async def test_a_match_of_other_rules_that_lead_to_the_same_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        async with table.sitting() as seats:
            await table.play_until(seats, at_random(1), lambda: seats[0].n > 3)
            match, n = table.table.row.id, seats[0].n
    _rules(file, match)
    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        table = Party(server, table.code, clients)
        async with table.sitting() as seats:
            await seats[0].until(lambda seat: seat.status)
            assert "frozen" not in seats[0].status
            await table.play_until(seats, at_random(2), lambda: seats[0].n > n + 2)


async def test_a_match_goes_on_when_the_rules_lead_to_the_same_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An upgrade froze it, and what was wrong with that is put right: nobody has lost time by it."""
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2, settings={"clock": {"kind": "days"}})
        async with table.sitting() as seats:
            await table.play_until(seats, at_random(1), lambda: seats[0].n > 3)
            n = seats[0].n
    [(state,)] = rows(file, "SELECT state FROM entries WHERE n = 2")
    change(file, "UPDATE entries SET state = x'00' WHERE n = 2")
    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        table = await returned(server, table.code, clients)
        assert table.table.row.frozen
    long = 40 * 24 * 3600 * 1000
    change(file, "UPDATE entries SET state = ? WHERE n = 2", state)
    change(file, "UPDATE matches SET began = began - ?", long)
    caplog.set_level(logging.INFO, "capolinea.server")
    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        table = Party(server, table.code, clients)
        async with table.sitting() as seats:
            await seats[0].until(lambda seat: seat.status)
            assert "frozen" not in seats[0].status
            [left] = seats[0].status["left"].values()
            assert left > 3600 * 1000 * 24 - 60_000
            await table.play_until(seats, at_random(2), lambda: seats[0].n > n + 2)
    assert "match-thawed" in [record.msg for record in caplog.records]
    assert rows(file, "SELECT frozen FROM matches") == [("",)]


async def test_a_room_outlives_a_match_that_nobody_can_read(tmp_path: Path) -> None:
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        code, cookie = table.code, table.clients[0].cookie
    [(match,)] = rows(file, "SELECT id FROM matches")
    _header(file, match, {"data": {"line": {"name": "shuttle", "sha256": "0" * 64}}})

    async with serving(tmp_path) as server:
        client = server.client(cookie)
        room = await client.room(code)
        assert room["phase"] == "playing"
        await client.command(code, "abandon")
        await client.command(code, "start")
        async with client.socket(code, 0) as seat:
            assert seat.view
    found = rows(file, "SELECT frozen, ended IS NULL FROM matches ORDER BY began")
    assert found == [("table.folds-differently", False), ("", True)]


async def test_a_match_of_a_newer_server_is_left_alone_and_that_is_said(tmp_path: Path) -> None:
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        code, cookie, match = table.code, table.clients[0].cookie, table.table.row.id
    change(file, "UPDATE matches SET writer = 99")
    kept = rows(file, "SELECT * FROM matches"), rows(file, "SELECT * FROM rooms")

    async with serving(tmp_path) as server:
        client = server.client(cookie)
        assert (await client.room(code))["phase"] == "playing"
        with pytest.raises(Failed) as refused:
            await client.command(code, "take-back", seat=0)
        assert (refused.value.status, refused.value.key) == (409, "match.newer-server")
        with pytest.raises(Failed) as refused:
            await client.command(code, "abandon")
        assert (refused.value.status, refused.value.key) == (409, "match.newer-server")
        async with wire(client, code, 0) as socket:
            await socket.send(t="say", id="a", match=match, said={"bag": ["letter"]})
            assert (await socket.answer("a"))["why"]["key"] == "match.newer-server"
    assert kept == (rows(file, "SELECT * FROM matches"), rows(file, "SELECT * FROM rooms"))


class Unread(SqliteStore):
    """A store in which matches cannot be read for a while."""

    unread = False

    async def match(self, id: str) -> MatchRow | None:
        if self.unread:
            raise NotRead
        return await super().match(id)


async def test_who_abandons_a_match_that_could_not_be_opened_ends_it(tmp_path: Path) -> None:
    file = tmp_path / "capolinea.db"
    store = Unread(file)

    async with serving(tmp_path, store) as server, server.client() as client:
        made = await client.create("night-mail", name="Ada", bots=["random"])
        code = made["code"]
        store.unread = True
        await client.command(code, "start")
        # Who cannot even look whose match it is changes nothing.
        with pytest.raises(Failed) as failed:
            await client.command(code, "abandon")
        assert (failed.value.status, failed.value.key) == (503, "table.not-read")
        assert rows(file, "SELECT ended FROM matches") == [(None,)]
        store.unread = False
        room = await client.command(code, "abandon")
        assert room["phase"] == "over"
        assert rows(file, "SELECT ended IS NULL FROM matches") == [(False,)]
        kept = rows(file, "SELECT * FROM entries")
        async with client.socket(code, 0) as seat:
            with pytest.raises(Refusal):
                await seat.do(seat.whole_choices()[0])
        await client.get(f"/api/matches/{room['match']}/record")  # it is nobody's secret any more
        assert kept == rows(file, "SELECT * FROM entries")


class NoMatches(SqliteStore):
    """A store that keeps no new match for a while, and perhaps forgets no room."""

    refused: tuple[type, ...] = ()

    async def write(self, *changes: Change) -> None:
        if any(isinstance(change, self.refused) for change in changes):
            raise StoreFailed
        await super().write(*changes)


@pytest.mark.parametrize("also", [(), (DropRoom,)])
async def test_no_room_is_left_of_a_match_that_could_not_begin(
    tmp_path: Path, also: tuple[type, ...]
) -> None:
    store = NoMatches(tmp_path / "capolinea.db")

    async with serving(tmp_path, store) as server, server.client() as client:
        made = await client.create("night-mail", name="Ada", bots=["random"], start=True)
        await client.command(made["code"], "abandon")
        store.refused = (PutMatch, *also)
        begin = {"title": "night-mail", "name": "Ada", "bots": ["random"], "start": True}
        go_on = {"entries": 0, "seat": 0}
        for path, body in (
            ("/api/rooms", begin),
            (f"/api/matches/{made['match']}/continue", go_on),
        ):
            with pytest.raises(Failed) as failed:
                await client.post(path, body)
            assert (failed.value.status, failed.value.key) == (503, "table.not-kept")
            assert list(server.hub.lounges) == [made["code"]]
        store.refused = ()
        found = [room["code"] for room in (await client.get("/api/me"))["rooms"]]
        assert len(found) == (3 if also else 1)


async def test_what_the_room_says_is_over_does_not_go_on(tmp_path: Path) -> None:
    """Older versions could end a match in its room alone."""
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server, server.client() as client:
        made = await client.create("night-mail", name="Ada", bots=["random"], start=True)
        code, cookie = made["code"], client.cookie
    change(file, "UPDATE rooms SET doc = CAST(json_set(doc, '$.playing', json('false')) AS BLOB)")
    kept = rows(file, "SELECT * FROM entries")

    async with serving(tmp_path) as server:
        client = server.client(cookie)
        match = kept[0][0]
        async with wire(client, code, 0) as socket:
            await socket.send(t="say", id="a", match=match, said={"bag": ["letter"]})
            assert (await socket.answer("a"))["why"]["key"] == "room.no-match"
            await client.command(code, "start")  # but another may
    assert kept == rows(file, "SELECT * FROM entries WHERE match_id = ?", kept[0][0])


async def test_a_finished_match_of_older_rules_does_not_close_its_room(tmp_path: Path) -> None:
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        await table.clients[0].command(table.code, "abandon")
        code, cookie = table.code, table.clients[0].cookie
    [(match,)] = rows(file, "SELECT id FROM matches")
    _rules(file, match)

    async with serving(tmp_path) as server:
        client = server.client(cookie)
        async with client.socket(code, 0) as seat:
            await client.command(code, "start")
            await seat.until(lambda seat: seat.room["phase"] == "playing")
