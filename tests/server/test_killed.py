"""A server that is killed or told to stop in the middle of play: nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from capolinea.client import Failed, Refusal, Seat
from tests.server.beside import rows
from tests.server.matches import Json
from tests.server.tables import TIME, Guest, at_random

pytestmark = pytest.mark.usefixtures("quick_and_steady")

ROOT = Path(__file__).parents[2]


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
