"""A store that is damaged, cut off or not there: a sentence, and never a traceback or a new store."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from capolinea import cli
from capolinea.client import Failed
from capolinea.engine.problems import Problem
from capolinea.server import sqlite
from capolinea.server.sqlite import SqliteStore, backup
from tests.server.live import said_why
from tests.server.tables import Running, serving

PAGE = 4096
TIME = 60


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "capolinea.db"


async def a_match(server: Running) -> tuple[str, str]:
    """One that is over, of bots; its room, and who may come back there."""
    async with server.client() as client:
        made = await client.create("night-mail", bots=["random"] * 3, watch=True, start=True)
        async with client.socket(made["code"]) as seat:
            await seat.until(lambda seat: seat.result is not None)
        return made["code"], client.cookie


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str, str]:
    """A store with a match in it, the match, its room and its person."""
    folder = tmp_path_factory.mktemp("whole")

    async def play() -> tuple[str, str]:
        async with serving(folder) as server:
            return await a_match(server)

    code, cookie = asyncio.run(asyncio.wait_for(play(), TIME))
    file = folder / "capolinea.db"
    with closing(sqlite3.connect(file)) as db:
        [(match,)] = db.execute("SELECT id FROM matches")
    return file, match, code, cookie


def zeros(rng: random.Random, page: bytes) -> bytes:
    return bytes(PAGE)


def noise(rng: random.Random, page: bytes) -> bytes:
    return rng.randbytes(PAGE)


def bits(rng: random.Random, page: bytes) -> bytes:
    """Here and there a byte."""
    changed = bytearray(page)
    for _ in range(200):
        changed[rng.randrange(PAGE)] = rng.randrange(256)
    return bytes(changed)


Damage = Callable[[random.Random, bytes], bytes]


def damaged(whole: Path, path: Path, number: int, damage: Damage) -> None:
    content = bytearray(whole.read_bytes())
    place = slice(number * PAGE, (number + 1) * PAGE)
    content[place] = damage(random.Random(number), bytes(content[place]))
    path.write_bytes(content)


def pages(whole: Path) -> range:
    return range(whole.stat().st_size // PAGE)


@pytest.mark.parametrize("damage", [zeros, noise, bits])
def test_whatever_page_is_damaged_admin_says_so_in_a_sentence(
    whole: tuple[Path, str, str, str],
    path: Path,
    damage: Damage,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = set()
    file, match, *_ = whole
    for number in pages(file):
        for words in (
            ("list",),
            ("export", match, str(path.with_name("record"))),
            ("close", match),
            ("purge", "1"),
            ("check",),
            ("backup", str(path.with_name("copy"))),
        ):
            for old in path.parent.iterdir():
                old.unlink()
            damaged(file, path, number, damage)
            # An error that is no Problem would come out of this.
            code = cli.main(["--lang", "en", "admin", *words, "--db", str(path)])
            if code:
                said.add(capsys.readouterr().err)
            if code and words[0] == "backup":
                assert not path.with_name("copy").exists()
    assert any("damaged" in text for text in said)
    assert not any("Traceback" in text for text in said)


def test_whatever_page_is_damaged_the_server_says_so_or_serves_the_rest(
    whole: tuple[Path, str, str, str], path: Path
) -> None:
    file, match, code, cookie = whole
    outcomes = set()

    async def ask(server: Running) -> None:
        client = server.client(cookie)
        for place in (f"/api/rooms/{code}", f"/api/matches/{match}", "/api/me", "/healthz"):
            try:
                await client.get(place)
                outcomes.add("well")
            except Failed as failed:
                said_why({"key": failed.key, "args": failed.arguments})
                outcomes.add(failed.key)

    async def serve(number: int) -> None:
        for old in path.parent.iterdir():
            old.unlink()
        damaged(file, path, number, noise)
        try:
            async with serving(path.parent) as server:
                await ask(server)
        except Problem as problem:
            outcomes.add(f"start: {problem.key}")

    for number in pages(file):
        asyncio.run(asyncio.wait_for(serve(number), TIME))
    assert {"well", "table.not-read", "start: store.damaged"} <= outcomes
    assert "serve.our-fault" not in outcomes


# --- files that are no stores ----------------------------------------------------------------------


def refused(do: Callable[[], Any]) -> Problem:
    with pytest.raises(Problem) as problem:
        do()
    said_why({"key": problem.value.key, "args": problem.value.args_}, sent="/tmp/")
    return problem.value


def opening(path: Path, beside: bool = False) -> Callable[[], None]:
    async def open_and_close() -> None:
        store = SqliteStore(path, beside)
        await store.open()
        await store.close()

    return lambda: asyncio.run(open_and_close())


def test_an_empty_file_is_not_taken_for_a_new_store(path: Path) -> None:
    path.touch()
    uses = [opening(path), opening(path, beside=True), lambda: backup(path, path.with_name("copy"))]
    for use in uses:
        assert refused(use).key == "store.empty"
    assert path.stat().st_size == 0
    path.unlink()  # as it says
    opening(path)()
    opening(path)()


def test_a_log_without_its_file_is_not_played_into_a_new_one(
    whole: tuple[Path, str, str, str], path: Path
) -> None:
    async def leave_a_log() -> None:
        store = SqliteStore(path)
        await store.open()
        await store.write()
        shutil.copy(f"{path}-wal", path.with_name("log"))
        await store.close()

    asyncio.run(leave_a_log())
    path.unlink()
    path.with_name("log").rename(f"{path}-wal")
    assert refused(opening(path)).key == "store.lost"
    assert not path.exists()
    os.remove(f"{path}-wal")
    opening(path)()


def test_a_first_start_that_is_cut_off_leaves_no_file_of_that_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is cut off, the next start begins anew."""
    steps = ["_connect", "_bring_up_to_date", "_version", "_sync_folder"]
    for step in steps:
        with monkeypatch.context() as patch:

            def cut_off(*_: object) -> None:
                raise KeyboardInterrupt

            patch.setattr(sqlite, step, cut_off)
            with pytest.raises(KeyboardInterrupt):
                sqlite._make(path)
        if step != "_sync_folder":
            assert not path.exists()
    opening(path)()


def test_a_first_start_that_is_killed_while_it_writes(path: Path) -> None:
    """As SQLite leaves it at every commit and before: nothing, or a whole store."""
    script = """
import asyncio, os, sys, threading
from pathlib import Path
from capolinea.server import sqlite

left = int(sys.argv[2])
def trace(frame, event, arg):
    global left
    if event == "line" and frame.f_code.co_filename == sqlite.__file__:
        left -= 1
        if left < 0:
            os._exit(9)
    return trace

sys.settrace(trace)
threading.settrace(trace)
asyncio.run(sqlite.SqliteStore(Path(sys.argv[1])).open())
"""
    for lines in range(40, 160, 8):
        subprocess.run([sys.executable, "-c", script, path, str(lines)], check=False)
        assert not path.exists() or path.stat().st_size > PAGE
        opening(path)()
        for file in path.parent.iterdir():
            file.unlink()
