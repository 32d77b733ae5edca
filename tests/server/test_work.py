"""Work that takes long: everybody has a fair share of it, nothing is done twice, nobody waits for ever."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from capolinea import games
from capolinea.client import Failed, Refusal
from capolinea.engine.problems import Problem
from capolinea.server import work
from capolinea.server.work import Asker, Busy, Died, Kept, Process, TooSlow, Workshop
from tests.server.live import said_why
from tests.server.tables import serving
from tests.server.test_minds import wait_until_gone

ADA, BRUNO, CARLA = (Asker(f"192.0.2.{n}", name) for n, name in enumerate("ABC"))


class Bench(Process):
    """Things are done here when the test says so, in this process."""

    def __init__(self) -> None:
        super().__init__(20, {})
        self.asked: list[str] = []
        self.begun = asyncio.Semaphore(0)
        self.ready = asyncio.Semaphore(0)

    async def run(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
        self.asked.append(arguments[0])
        self.begun.release()
        await self.ready.acquire()
        return done_here(work, arguments)


def done_here(what: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    return work.outcome(what, arguments).removeprefix(work.DONE)


class Scene:
    """A workshop with such processes."""

    def __init__(self, processes: int = 1, **more: Any) -> None:
        self.shop = Workshop(processes, 20, **more)
        self.bench = Bench()
        # All write to one list, and are ready in any order.
        self.shop._idle = [self.bench] * processes

    async def ask(self, asker: Asker, *what: str) -> list[asyncio.Task[str]]:
        """They wait in this order, as far as they have to."""
        tasks = [asyncio.create_task(self.shop.do(asker, shout, one)) for one in what]
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # and what can begin has begun
        return tasks

    async def finish(self, tasks: list[asyncio.Task[str]]) -> list[str]:
        for _ in tasks:
            self.bench.ready.release()
        return await asyncio.gather(*tasks)


def shout(what: str) -> str:
    if what == "bad":
        raise Problem("record.empty")
    return what.upper()


# --- whose turn it is ----------------------------------------------------------------------------


async def test_who_asks_for_one_thing_waits_for_no_more_than_one_of_who_asks_for_many() -> None:
    s = Scene()
    tasks = await s.ask(ADA, "a1", "a2", "a3")
    tasks += await s.ask(BRUNO, "b1")
    tasks += await s.ask(CARLA, "c1", "c2")
    assert await s.finish(tasks) == ["A1", "A2", "A3", "B1", "C1", "C2"]
    assert s.bench.asked == ["a1", "b1", "c1", "a2", "c2", "a3"]


async def test_many_people_at_one_address_have_the_share_of_one_address() -> None:
    """Else whoever takes a new cookie for each request would have everything."""
    s = Scene()
    tasks = []
    for n in range(4):
        tasks += await s.ask(Asker("192.0.2.9", f"one of many {n}"), f"m{n}")
    tasks += await s.ask(ADA, "a1", "a2")
    await s.finish(tasks)
    assert s.bench.asked == ["m0", "a1", "m1", "a2", "m2", "m3"]


async def test_people_at_one_address_take_turns() -> None:
    s = Scene()
    one, other = Asker("192.0.2.9", "one"), Asker("192.0.2.9", "other")
    tasks = await s.ask(one, "1", "2", "3") + await s.ask(other, "x", "y")
    await s.finish(tasks)
    assert s.bench.asked == ["1", "x", "2", "y", "3"]


async def test_one_thing_at_a_time_for_a_person_and_a_process_is_left_for_others() -> None:
    s = Scene(processes=3)
    tasks = await s.ask(ADA, "a1", "a2")
    assert s.bench.asked == ["a1"]
    tasks += await s.ask(Asker(ADA.address, "a neighbour"), "n1")
    tasks += await s.ask(Asker(ADA.address, "another"), "o1")
    assert s.bench.asked == ["a1", "n1"]
    tasks += await s.ask(BRUNO, "b1")
    assert s.bench.asked == ["a1", "n1", "b1"]
    await s.finish(tasks)


# --- what waits ----------------------------------------------------------------------------------


async def refused(s: Scene, asker: Asker, what: str) -> int:
    """Busy, at once; after how many seconds to try again."""
    [task] = await s.ask(asker, what)
    with pytest.raises(Busy) as busy:
        await task
    assert busy.value.args_ == {"seconds": busy.value.seconds}
    return busy.value.seconds


async def test_there_is_an_end_to_what_waits_for_a_person_an_address_and_in_all() -> None:
    s = Scene()
    tasks = await s.ask(ADA, *(f"a{n}" for n in range(1 + work.MOST_OF_PERSON)))
    assert 0 < await refused(s, ADA, "one more") <= work.LONGEST_WAIT
    for n in range(work.MOST_OF_ADDRESS):
        tasks += await s.ask(Asker(BRUNO.address, f"{n}"), f"b{n}")
    await refused(s, BRUNO, "one more")
    for n in range(work.MOST_WAITING - work.MOST_OF_PERSON - work.MOST_OF_ADDRESS):
        tasks += await s.ask(Asker(f"198.51.100.{n}", ""), f"c{n}")
    await refused(s, CARLA, "one more")
    assert len(await s.finish(tasks)) == 1 + work.MOST_WAITING
    assert (len(s.shop._turns), s.shop._jobs, s.shop._busy) == (0, {}, {})
    [task] = await s.ask(CARLA, "one more")
    await s.finish([task])


async def test_what_nobody_waits_for_is_not_begun_and_what_has_begun_hurries_nobody() -> None:
    s = Scene()
    [first] = await s.ask(ADA, "first")
    [second] = await s.ask(BRUNO, "second")
    [third] = await s.ask(CARLA, "third")
    first.cancel()
    second.cancel()
    await asyncio.wait([first, second])
    assert s.bench.asked == ["first"]
    s.bench.ready.release()
    await s.finish([third])
    assert s.bench.asked == ["first", "third"]
    assert (len(s.shop._turns), s.shop._jobs) == (0, {})


# --- what is kept --------------------------------------------------------------------------------


async def test_nothing_is_done_twice() -> None:
    """Neither what went well nor what is wrong, nor what is being done."""
    s = Scene()
    same = [*await s.ask(ADA, "a"), *await s.ask(BRUNO, "a"), *await s.ask(CARLA, "a")]
    assert await s.finish(same) == ["A", "A", "A"]
    [bad] = await s.ask(ADA, "bad")
    with pytest.raises(Problem, match="empty"):
        await bad
    for what in ("a", "bad"):
        [again] = await s.ask(BRUNO, what)
        assert again.done()
        assert isinstance(again.exception(), Problem) == (what == "bad")
    assert s.bench.asked == ["a", "bad"]


async def test_who_waits_for_the_same_does_not_wait_for_the_turn_of_another() -> None:
    s = Scene()
    tasks = await s.ask(ADA, "a1", "a2", "a3", "shared")
    tasks += await s.ask(BRUNO, "shared")
    await s.finish(tasks)
    assert s.bench.asked == ["a1", "shared", "a2", "a3"]
    assert (len(s.shop._turns), s.shop._jobs) == (0, {})


def test_what_is_kept_has_a_bound_in_bytes_and_what_was_asked_for_last_stays() -> None:
    kept = Kept(100_000)
    keys = [bytes([n]) * 32 for n in range(200)]
    for key in keys:
        kept.put(key, b"x" * 2000)
        kept.get(keys[0])
        assert kept.size <= 100_000
    assert kept.get(keys[0])
    assert kept.get(keys[-1])
    assert kept.get(keys[1]) is None
    kept.put(b"large", b"x" * 50_000)
    assert kept.get(b"large") is None
    # Of a million small things the keys alone would be too many.
    for n in range(10_000):
        kept.put(n.to_bytes(32, "big"), b"")
    assert len(kept._found) < 500


# --- in another process --------------------------------------------------------------------------


@contextmanager
def workshop(limit: float = 20) -> Iterator[Workshop]:
    shop = Workshop(1, limit)
    try:
        yield shop
    finally:
        shop.close()


async def test_it_is_done_in_another_process_which_outlives_what_fails() -> None:
    with workshop() as shop:
        first = await shop.do(ADA, os.getpid)
        assert first != os.getpid()
        with pytest.raises(Died, match="SystemExit"):
            await shop.do(ADA, sys.exit)
        with pytest.raises(Died, match=r"ZeroDivisionError at server/work\.py"):
            await shop.do(ADA, divmod, 1, 0)
        assert await shop.do(ADA, os.getppid) == os.getpid()
        assert await shop.do(ADA, os.getpgid, 0) == first


async def test_what_takes_too_long_is_ended_and_who_waited_for_it_is_not_too_slow() -> None:
    with workshop(limit=4) as shop:
        first = await shop.do(ADA, os.getpid)
        tasks = [shop.do(one, time.sleep, n) for one, n in ((ADA, 3600), (BRUNO, 0), (CARLA, 0.1))]
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(one) for one in found] == [TooSlow, type(None), type(None)]
        await asyncio.to_thread(wait_until_gone, first)


async def test_a_process_that_is_killed_is_replaced() -> None:
    with workshop() as shop:
        pid = await shop.do(ADA, os.getpid)
        with pytest.raises(Died):
            await shop.do(ADA, os.kill, pid, 9)
        assert await shop.do(ADA, os.getpgid, 0) != pid


# --- at a server ---------------------------------------------------------------------------------


class Full(Workshop):
    """Too much waits here already."""

    async def do(self, asker: Asker, work: Callable[..., Any], *arguments: Any) -> Any:
        raise Busy(7)


async def test_who_is_too_many_is_told_when_to_try_again(tmp_path: Path) -> None:
    """Whatever it is that takes long, over HTTP and over the socket."""
    record = Path(__file__).parents[1] / "fixtures" / "night-mail" / "arrived.json"

    async with serving(tmp_path) as server, server.client() as ada:
        match = await ada.post("/api/records", json.loads(record.read_text()))
        room = await ada.create("night-mail", name="Ada", bots=["random"])
        code = room["code"]
        line = json.dumps(games.load("night-mail").data()["line"]["coast"]).encode()
        await ada.bring(code, "line", "coast.json", line)
        server.hub.work.close()
        server.hub.work = server.hub.hints = Full(1, 20)
        for asking in (
            ada.post("/api/records", json.loads(record.read_text())),
            ada.get(f"/api/matches/{match['id']}"),
            ada.get(f"/api/matches/{match['id']}/replay"),
            ada.get(f"/api/matches/{match['id']}/record"),
            ada.post(f"/api/matches/{match['id']}/continue", {"entries": 3, "seat": 0}),
            ada.bring(code, "line", "coast.json", line),
            ada.get(f"/api/rooms/{code}/words/it"),
            ada.command(code, "configure", data={"line": {"stops": ["x"] * 1000}}),
            ada.create("night-mail", name="Ada", data={"line": {"stops": ["x"] * 1000}}),
        ):
            with pytest.raises(Failed) as failed:
                await asking
            assert (failed.value.status, failed.value.key) == (503, "serve.busy")
        await ada.command(code, "start")
        async with ada.socket(code, 0) as seat:
            await seat.until(lambda seat: seat.must)
            with pytest.raises(Refusal) as refusal:
                await seat.hint()
        why = {"key": refusal.value.key, "args": refusal.value.arguments}
        assert said_why(why).endswith("7 Sekunden noch einmal.")
        path = f"/api/matches/{match['id']}"
        answer = await asyncio.to_thread(answer_to, server.url, path)
        assert (answer.status, answer.headers["retry-after"]) == (503, "7")


def answer_to(url: str, path: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    try:
        connection.request("GET", path)
        return connection.getresponse()
    finally:
        connection.close()


async def test_nobody_who_wants_a_hint_waits_for_an_upload(tmp_path: Path) -> None:
    record = Path(__file__).parents[1] / "fixtures" / "night-mail" / "arrived.json"

    async with serving(tmp_path) as server, server.client() as ada, server.client() as bruno:
        stuck = Scene()
        server.hub.work = stuck.shop
        sent = json.loads(record.read_text())
        upload = asyncio.create_task(bruno.post("/api/records", sent))
        await stuck.bench.begun.acquire()
        room = await ada.create("night-mail", name="Ada", bots=["random"], start=True)
        async with ada.socket(room["code"], 0) as seat:
            await seat.until(lambda seat: seat.must)
            assert await seat.hint()
        assert not upload.done()
        stuck.bench.ready.release()
        assert (await upload)["title"] == "night-mail"
        await ada.command(room["code"], "abandon")


async def test_the_same_asked_again_costs_nothing(tmp_path: Path) -> None:
    """A record, its replays and what is handed on of it are made once, for whomever."""
    record = Path(__file__).parents[1] / "fixtures" / "night-mail" / "arrived.json"

    async with serving(tmp_path) as server, server.client() as ada, server.client() as bruno:
        asked: list[str] = []
        run = Process.run

        async def noting(self: Process, work: Any, arguments: Any) -> bytes:
            asked.append(work.__name__)
            return await run(self, work, arguments)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Process, "run", noting)
            for _ in range(2):
                match = await ada.post("/api/records", json.loads(record.read_text()))
            path = f"/api/matches/{match['id']}"
            for one in (ada, bruno, ada):
                await one.get(f"{path}/replay?as=truth")
                await one.get(f"{path}/replay?as=0")
                await one.get(f"{path}/record")
                assert (await one.get(path))["entries"] == match["entries"]
        assert asked == ["take_in", "replay", "replay", "written", "described"]
