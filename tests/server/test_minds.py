"""Bots think elsewhere: whatever they do there, the table goes on; and they know what a person would."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from capolinea import bots
from capolinea.client import Refusal, Seat
from capolinea.engine.match import Match
from capolinea.engine.record import Control, Move
from capolinea.patch import patched
from capolinea.server.minds import Answer, Minds, Moment, Variant, thought
from capolinea.server.players import variant_of
from capolinea.server.protocol import Hint, ServerMessage
from capolinea.server.sitting import Sitting
from capolinea.server.table import Table
from capolinea.server.work import Asker, Died, Workshop
from capolinea.server.workers import Crew, Worker
from tests.server.asks import STRANGERS, asking, table_alone, whys
from tests.server.live import UNHURRIED
from tests.server.matches import party, wire
from tests.server.tables import TIME, Guest, Running, at_random, play, serving

EXAMPLES = Path(__file__).parents[2] / "examples"
Json = dict[str, Any]


@pytest.fixture(autouse=True)
def strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let them in; over the network nobody could."""
    for name in (
        "Burner",
        "Crasher",
        "Liar",
        "Confused",
        "Mumbler",
        "Sleeper",
        "Killer",
        "Quitter",
    ):
        monkeypatch.setitem(bots.ANY_TITLE, STRANGERS + name, STRANGERS + name)


def table_of(server: Running, code: str) -> Table:
    table = server.hub.lounges[code].table
    assert table is not None
    return table


async def watched(client: Guest, title: str, players: list[str]) -> str:
    """A match of bots alone that has begun: its room."""
    room = await client.create(title, bots=players, watch=True, start=True)
    return str(room["code"])


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(TIME):
        while not condition():
            await asyncio.sleep(0.01)


def moves_of(table: Table, seat: int) -> list[Move]:
    return [one for one in table.match.entries if isinstance(one, Move) and one.seat == seat]


def only_defaults(table: Table, seat: int) -> bool:
    """Whether everything that this seat did is what the clock would have done."""
    match = Match.begin(table.game, table.match.record(reveal=True))
    for entry in table.match.entries:
        if isinstance(entry, Move) and entry.seat == seat:
            steps = [table.game.space.parse(step) for step in entry.do]
            if match.state.waiting().count(seat) and steps != match.default(seat):
                return False
        match.follow(entry)
    return True


def told(caplog: pytest.LogCaptureFixture, event: str) -> list[Json]:
    found = [record for record in caplog.records if record.msg == event]
    return [record.__dict__["fields"] for record in found]


def listen(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "capolinea.server")


# --- bots that fail ------------------------------------------------------------------------------


FAILING = {
    "Crasher": "ValueError",
    "Liar": "bot.illegal",
    "Confused": "TypeError",
    "Quitter": "Crashed",
}


async def test_for_a_bot_that_fails_the_default_is_played(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    listen(caplog)
    defaults: list[bool] = []

    async with serving(tmp_path) as server, server.client() as client:
        for name in FAILING:
            code = await watched(client, "night-mail", [STRANGERS + name, "random"])
            table = table_of(server, code)
            await until(lambda table=table: table.over)  # type: ignore[misc]
            assert moves_of(table, 0)
            assert only_defaults(table, 0)
            defaults.append(only_defaults(table, 1))
    assert not all(defaults)  # chance would have it otherwise
    failures = {(one["bot"], one["why"]) for one in told(caplog, "bot-failed")}
    assert failures == {(STRANGERS + name, why) for name, why in FAILING.items()}
    assert "the secret word" not in str([record.__dict__ for record in caplog.records])


@pytest.mark.parametrize(("name", "why"), [("Sleeper", "TooSlow"), ("Killer", "Died")])
async def test_a_bot_that_never_answers_or_dies(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, why: str
) -> None:
    """Its process is replaced; other matches whose bots think there go on as if nothing were."""
    listen(caplog)

    async with serving(tmp_path, bot_limit=4) as server, server.client() as client:
        bad = table_of(server, await watched(client, "night-mail", [STRANGERS + name, "random"]))
        good = [
            table_of(server, await watched(client, "night-mail", ["random"] * 3)) for _ in range(2)
        ]
        await until(lambda: len(moves_of(bad, 0)) >= 2)
        assert only_defaults(bad, 0)
        await bad.abandon()
        await until(lambda: all(table.over for table in good))
    failures = told(caplog, "bot-failed")
    assert {(one["bot"], one["why"]) for one in failures} == {(STRANGERS + name, why)}
    assert told(caplog, "bot-process-replaced")


async def test_a_bot_that_thinks_hard_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAPOLINEA_BURNER", str(tmp_path))

    async with serving(tmp_path) as server, server.client() as client:
        code = await watched(client, "night-mail", [STRANGERS + "Burner"] * 2)
        table = table_of(server, code)
        async with client.socket(code) as seat:
            await until((tmp_path / "thinking").exists)
            thought = len(table.match.entries)
            for _ in range(5):
                await seat.send({"t": "ping"})
                await seat.until(_pong)
            assert len(table.match.entries) == thought
        (tmp_path / "enough").touch()
        await until(lambda: len(table.match.entries) > thought)
        await client.command(code, "abandon")


def _pong(seat: Seat) -> bool:
    """There was an answer to a ping since this was last asked."""
    heard = seat.received or []
    found = any('"t":"pong"' in text for text in heard)
    seat.received = [] if found or seat.received is None else seat.received
    return found


async def test_who_stops_waiting_is_out_of_the_queue_and_hurries_nobody() -> None:
    """A process is busy until it is done, whether or not somebody still waits for that: the time of who
    comes next begins when it is their turn."""
    begun: list[str] = []
    crew, enough = Crew(1, print), asyncio.Event()

    async def slowly(name: str, _: Worker) -> None:
        begun.append(name)
        await enough.wait()

    first, second, third = (
        asyncio.create_task(crew.work("a match", partial(slowly, name)))
        for name in ("first", "second", "third")
    )
    await asyncio.sleep(0)
    await asyncio.sleep(0)  # the first is at it, the others wait
    first.cancel()
    second.cancel()
    await asyncio.wait([first, second])
    assert begun == ["first"]
    enough.set()
    await third
    assert begun == ["first", "third"]


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    try:  # ended, but nobody has asked after it
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_until_gone(pid: int) -> None:
    end = time.monotonic() + TIME
    while not gone(pid):
        assert time.monotonic() < end, "it is still there"
        time.sleep(0.02)


def test_no_process_outlives_a_server_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(
        "import asyncio, os, signal\n"
        "from capolinea.server.work import Asker, Workshop\n"
        "async def main():\n"
        "    print(await Workshop(1, 20).do(Asker('', ''), os.getpid), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        [sys.executable, script], stdout=subprocess.PIPE, env=paths, timeout=TIME, check=False
    )
    assert done.returncode == -signal.SIGKILL
    wait_until_gone(int(done.stdout))


# --- what they know ------------------------------------------------------------------------------


def overheard(
    monkeypatch: pytest.MonkeyPatch, asked: list[tuple[Variant, Moment]], answer: bool = True
) -> None:
    """Write down what bots are asked, and perhaps never let them answer."""
    think = Minds.think

    async def noting(minds: Minds, variant: Variant, moment: Moment) -> list[Answer]:
        asked.append((variant, moment))
        if not answer:
            await asyncio.Event().wait()
        return await think(minds, variant, moment)

    monkeypatch.setattr(Minds, "think", noting)


@pytest.mark.parametrize("title", ["night-mail", "trial-by-trolley", "stop-the-train"])
async def test_a_bot_gets_what_the_client_of_its_seat_gets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    """A person lets a bot play and looks on: both see the same, to the letter."""
    log = tmp_path / "asked.jsonl"
    program = tmp_path / "noting.py"
    program.write_text(
        "import sys\n"
        f"log = open({str(log)!r}, 'a')\n"
        "for line in sys.stdin:\n"
        "    print(line, end='', file=log, flush=True)\n"
        "    print('{\"choose\": 0}', flush=True)\n"
    )
    asked: list[tuple[Variant, Moment]] = []
    received: list[str] = []
    overheard(monkeypatch, asked)

    try:
        command = f"noting={sys.executable} {program}"
        async with serving(tmp_path, bots=(command,)) as server, server.client() as client:
            room = await client.create(title, name="Ada", bots=["random"] * 3)
            code, seat = room["code"], client.socket(room["code"], 0)
            seat.received = received
            async with seat:
                await client.command(code, "start")
                await client.command(code, "replace", seat=0, bot="noting")
                async for _ in seat.news():
                    if len(received) > 300:
                        await client.command(code, "abandon")
                        break
    finally:
        bots.PROGRAMS.clear()
    scenes = list(seen_in(received))
    views = [json.dumps(scene["view"], sort_keys=True) for scene in scenes]
    questions = [scene["question"] for scene in scenes]
    mine = [ask for _, moment in asked for ask in moment.asks if ask.seat == 0]
    assert len(mine) > 5
    for ask in mine:
        assert json.dumps(json.loads(ask.view), sort_keys=True) in views
    for line in log.read_text().splitlines():
        told = json.loads(line)
        assert set(told) == {
            "ask", "title", "seat", "view", "awaited", "said", "begun", "legal", "may_decline",
            "seed",
        }  # fmt: skip
        assert json.dumps(told["view"], sort_keys=True) in views
        # What it may do is what a person there would be offered.
        assert any(_offers(question, told["begun"], told["legal"]) for question in questions)


def seen_in(received: list[str]) -> Iterator[Json]:
    """Every scene that a client had, from what it received."""
    scene: Json = {}
    for text in received:
        message = json.loads(text)
        if message["t"] == "welcome":
            scene = message["scene"]
        elif message["t"] == "frame":
            scene = patched(scene, message["delta"])
        if scene:
            yield json.loads(json.dumps(scene))


def _offers(question: Json, begun: list[Json], legal: list[Json]) -> bool:
    choices = question.get("choices", [])
    for step in begun:
        choices = next((one.get("then", []) for one in choices if one["do"] == step), [])
    return [one["do"] for one in choices] == legal


async def test_the_same_thought_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot is asked the same, with the same chance, in whatever process it thinks."""
    before: list[tuple[Variant, Moment]] = []
    after: list[tuple[Variant, Moment]] = []

    with monkeypatch.context() as patch:
        overheard(patch, before, answer=False)
        async with serving(tmp_path) as server, server.client() as client:
            await watched(client, "night-mail", ["random"] * 3)
            await until(lambda: len(before) == 1)
    with monkeypatch.context() as patch:
        overheard(patch, after, answer=False)
        async with serving(tmp_path):
            await until(lambda: len(after) == 1)
    assert before == after
    [(variant, moment)] = before
    assert len({ask.seed for ask in moment.asks}) == 3
    thoughts = []
    for _ in range(2):
        minds = Minds(1, 20, {})
        thoughts.append([one.thought for one in await minds.think(variant, moment)])
        minds.close()
    assert thoughts[0] == thoughts[1]
    assert any(thought and thought.steps for thought in thoughts[0])


async def test_a_hint_is_a_whole_choice_that_may_be_made(tmp_path: Path) -> None:
    #: While it is thought about, and while it is on its way, others may have gone on.
    went_on = ("table.late", "table.over", "table.nothing-to-do")

    async with serving(tmp_path) as server, server.client() as client:
        room = await client.create(
            "stop-the-train", name="Ada", bots=["random"] * 3, settings=UNHURRIED
        )
        code = room["code"]
        await client.command(code, "start")
        asked = 0
        async with client.socket(code, 0) as seat:
            async for _ in seat.news():
                if not seat.must or seat.result is not None:
                    continue
                try:
                    steps = await seat.hint()
                    if seat.hinted != seat.question.get("id"):
                        continue
                    assert steps in seat.whole_choices()
                    asked += 1
                    await seat.do(steps)
                except Refusal as refusal:
                    if refusal.key not in went_on:
                        raise
                if asked > 3:
                    break
        assert asked
        await client.command(code, "abandon")


async def test_no_bot_waits_for_a_hint() -> None:
    """Else the others could tell that somebody asked for one."""
    table = table_alone()
    quick, sleeps = asking(table, "random"), asking(table, STRANGERS + "Sleeper")

    minds, hints = Minds(1, 20, {}), Workshop(1, 20)
    variant, [ask] = variant_of(table), sleeps.asks
    try:
        asked = hints.do(Asker("a match 0", ""), thought, variant, sleeps, ask)
        hint = asyncio.create_task(asked)
        await asyncio.sleep(0)  # it is asked for first
        assert whys(await minds.think(variant, quick)) == [""]
        assert not hint.done()
    finally:
        minds.close()
        hints.close()
    with pytest.raises(Died):
        await hint


async def test_nothing_waits_for_a_hint_that_is_being_thought_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a browser would take its connection for dead, come back, and ask once more."""
    ready = asyncio.Event()

    async def think(self: Sitting, seat: int, id: str) -> ServerMessage:
        await ready.wait()
        return Hint(id, 1, [], [])

    monkeypatch.setattr(Sitting, "hint", think)

    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        async with wire(table.clients[0], table.code, 0) as seat:
            await seat.send(t="hint", id="h")
            await seat.send(t="ping")
            assert (await seat.next("pong", "hint"))["t"] == "pong"
            ready.set()
            assert (await seat.next("hint"))["id"] == "h"


async def test_nobody_thinks_for_who_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or who comes back again and again would have a hint thought about for each time."""
    thinks, ended = asyncio.Event(), asyncio.Event()

    async def think(self: Sitting, seat: int, id: str) -> ServerMessage:
        thinks.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return Hint(id, 1, [], [])

    monkeypatch.setattr(Sitting, "hint", think)

    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        async with wire(table.clients[0], table.code, 0) as seat:
            await seat.send(t="hint", id="h")
            await thinks.wait()
        await ended.wait()


async def test_where_nothing_is_asked_there_is_no_hint(tmp_path: Path) -> None:
    """The Conductor waits for two who never answer."""
    async with serving(tmp_path, bot_limit=3600) as server, server.client() as client:
        room = await client.create(
            "trial-by-trolley",
            name="Ada",
            bots=[STRANGERS + "Sleeper"] * 2,
            options={"first": 1},
            settings=UNHURRIED,
        )
        code = room["code"]
        await client.command(code, "start")
        async with client.socket(code, 0) as seat:
            await seat.until(lambda seat: seat.view)
            assert not seat.choices
            with pytest.raises(Refusal, match=r"table\.nothing-to-do"):
                await seat.hint()
        await client.command(code, "abandon")


# --- programs ------------------------------------------------------------------------------------


async def test_the_example_of_a_program_plays_whole_matches(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    listen(caplog)
    lines = (EXAMPLES / "program_bot.py").read_text().splitlines()
    assert len(lines) <= 25

    try:
        command = f"dice={sys.executable} {EXAMPLES / 'program_bot.py'}"
        async with serving(tmp_path, bots=(command,)) as server, server.client() as client:
            titles = {title["id"]: title["bots"] for title in await client.get("/api/titles")}
            assert all("dice" in known for known in titles.values())
            for title in ("night-mail", "stop-the-train"):
                table = table_of(server, await watched(client, title, ["dice"] * 3))
                await until(lambda table=table: table.over)  # type: ignore[misc]
                assert table.match.result() is not None
                levels = [one.name for one in table.match.entries if isinstance(one, Control)]
                assert levels == ["dice"] * 3
    finally:
        bots.PROGRAMS.clear()
    assert told(caplog, "bot-failed") == []


BAD_PROGRAMS = {
    "nonsense": "for line in sys.stdin: print('to be or not to be', flush=True)",
    "out-of-range": "for line in sys.stdin: print('{\"choose\": 4711}', flush=True)",
    "another-form": "for line in sys.stdin: print('{\"choose\": [0]}', flush=True)",
    "endless": "while True: sys.stdout.write('x' * 10000); sys.stdout.flush()",
    "bytes": "for line in sys.stdin: os.write(1, b'\\xff\\n')",
    "dies": "sys.stdin.readline(); os._exit(1)",
    "never-there": "os._exit(1)",
}


async def test_for_a_program_that_fails_the_default_is_played(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    listen(caplog)
    commands = ["nowhere=/no/such/program"]
    for name, body in BAD_PROGRAMS.items():
        program = tmp_path / f"{name}.py"
        program.write_text(f"import os, sys\n{body}\n")
        commands.append(f"{name}={sys.executable} -S {program}")

    try:
        async with (
            serving(tmp_path, bots=tuple(commands), bot_workers=2) as server,
            server.client() as client,
        ):
            tables = [
                table_of(server, await watched(client, "night-mail", [name, "random"]))
                for name in (*BAD_PROGRAMS, "nowhere")
            ]
            await until(lambda: all(len(moves_of(one, 0)) > 2 or one.over for one in tables))
            assert all(only_defaults(table, 0) for table in tables)
    finally:
        bots.PROGRAMS.clear()
    failures = told(caplog, "bot-failed")
    assert {one["bot"] for one in failures} == {*BAD_PROGRAMS, "nowhere"}
    assert {one["why"] for one in failures} == {"bot.program", "bot.illegal"}


async def test_programs_end_with_their_match_and_with_their_time(tmp_path: Path) -> None:
    """One that answers until it is over; one that turns in circles and hears nothing."""
    pids = tmp_path / "pids"
    start = f"import os, sys\nprint(os.getpid(), file=open({str(pids)!r}, 'a'), flush=True)\n"
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(start + "for line in sys.stdin: print('{\"choose\": 0}', flush=True)\n")
    bad.write_text(start + "while True: pass\n")
    commands = tuple(f"{one.stem}={sys.executable} -S {one}" for one in (good, bad))

    def started() -> list[int]:
        return [int(line) for line in pids.read_text().split()] if pids.exists() else []

    try:
        async with (
            serving(tmp_path, bots=commands, bot_limit=5) as server,
            server.client() as client,
        ):
            table = table_of(server, await watched(client, "night-mail", ["good", "random"]))
            await until(lambda: table.over)
            [pid] = started()
            await asyncio.to_thread(wait_until_gone, pid)
            other = table_of(server, await watched(client, "night-mail", ["bad", "random"]))
            await until(lambda: len(moves_of(other, 0)) >= 1)
            await asyncio.to_thread(wait_until_gone, started()[1])
    finally:
        bots.PROGRAMS.clear()
    for pid in started():
        wait_until_gone(pid)


# --- over the network ----------------------------------------------------------------------------


@pytest.mark.parametrize("title", ["night-mail", "stop-the-train"])
async def test_the_example_of_a_bot_over_the_network(tmp_path: Path, title: str) -> None:
    example = EXAMPLES / "network_bot.py"
    assert len(example.read_text().splitlines()) <= 40
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}

    async with serving(tmp_path) as server, server.client() as client:
        room = await client.create(title, name="Ada", bots=["random"], settings=UNHURRIED)
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, str(example), server.url, room["code"], "Nina"),
            stdout=asyncio.subprocess.PIPE,
            env=paths,
        )
        async with client.socket(room["code"], 0) as seat:
            await seat.until(lambda seat: seat.room["seats"][2].get("present", False))
            assert seat.room["seats"][2]["name"] == "Nina"
            await client.command(room["code"], "start")
            await play(seat, at_random(3))
            assert seat.result is not None
        said, _ = await bot.communicate()
        assert bot.returncode == 0
        assert seat.result["ending"] in said.decode()
