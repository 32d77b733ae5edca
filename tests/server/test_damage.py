"""A store that is damaged, cut off or not there: a sentence, and never a traceback or a new store."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from capolinea import cli
from capolinea.client import Failed
from capolinea.engine.problems import Problem
from capolinea.engine.record import loads
from capolinea.server import sqlite_file
from capolinea.server.sqlite import SqliteStore
from capolinea.server.sqlite_file import backup
from capolinea.words import languages
from tests.server.live import said_why
from tests.server.tables import TIME, Running, serving

PAGE = 4096


async def a_match(folder: Path) -> tuple[str, str]:
    """One that is over, of bots; its room, and who may come back there."""
    async with serving(folder) as server, server.client() as client:
        made = await client.create("night-mail", bots=["random"] * 3, watch=True, start=True)
        async with client.socket(made["code"]) as seat:
            await seat.until(lambda seat: seat.result is not None)
        return made["code"], client.cookie


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str, str]:
    """A store with a match in it, the match, its room and its person."""
    folder = tmp_path_factory.mktemp("whole")

    code, cookie = asyncio.run(asyncio.wait_for(a_match(folder), TIME))
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


def everything_asked(match: str, path: Path) -> list[tuple[str, ...]]:
    """All that `capolinea admin` can do."""
    return [
        ("list",),
        ("export", match, str(path.with_name("record"))),
        ("close", match),
        ("purge", "1"),
        ("check",),
        ("backup", str(path.with_name("copy"))),
    ]


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
        for words in everything_asked(match, path):
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


async def test_whatever_page_is_damaged_the_server_says_so_or_serves_the_rest(
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

    for number in pages(file):
        for old in path.parent.iterdir():
            old.unlink()
        damaged(file, path, number, noise)
        try:
            async with serving(path.parent) as server:
                await ask(server)
        except Problem as problem:
            outcomes.add(f"start: {problem.key}")
    assert {"well", "table.not-read", "start: store.damaged"} <= outcomes
    assert "serve.our-fault" not in outcomes


async def test_whatever_letter_of_its_form_is_damaged_every_use_says_so_in_a_sentence(
    whole: tuple[Path, str, str, str], path: Path
) -> None:
    """SQLite then quotes what it cannot read, and Python cannot read that."""
    file, *_ = whole
    content = file.read_bytes()
    said = set()
    first = content.index(b"CREATE TABLE rooms")
    for place in range(first, first + 500, 5):
        for use in uses(path):
            for old in path.parent.iterdir():
                old.unlink()
            path.write_bytes(content[:place] + b"\xba" + content[place + 1 :])
            try:
                await use
            except Problem as problem:
                said.add(problem.key)
                if isinstance(problem.__cause__, UnicodeDecodeError):
                    said.add("not to be read")
    assert {"store.damaged", "not to be read"} <= said


COLUMNS = [
    "secret.key",
    "rooms.code rooms.doc rooms.changed",
    "matches.id matches.room matches.header matches.began matches.ended matches.public",
    "matches.frozen matches.paused matches.rested matches.writer",
    "entries.n entries.entry entries.state entries.client",
]


@pytest.mark.parametrize("value", ["x'ff'", "'text'", "-1e300"])
@pytest.mark.parametrize("column", " ".join(COLUMNS).split())
async def test_whatever_stands_in_a_column_every_use_says_so_in_a_sentence(
    whole: tuple[Path, str, str, str],
    path: Path,
    column: str,
    value: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """SQLite sees damage to its own pages, but not to what stands in them."""
    file, match, *_ = whole
    shutil.copy(file, path)
    table, _, name = column.partition(".")
    last = " WHERE n = 3" if table == "entries" else ""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE {table} SET {name} = {value}{last}")
    for words in everything_asked(match, path):
        # An error that is no Problem would come out of this.
        asked = ["--lang", "en", "admin", *words, "--db", str(path)]
        code = await asyncio.to_thread(cli.main, asked)
        said = capsys.readouterr()
        assert len(said.err.splitlines()) == (code == 2), said.err

    with suppress(Problem):
        await starting(path.parent)


@pytest.mark.parametrize("secret", ["x'00'", "x''", "'text'", "7"])
async def test_a_secret_that_is_none_lets_nobody_in(
    whole: tuple[Path, str, str, str], path: Path, secret: str
) -> None:
    shutil.copy(whole[0], path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE secret SET key = {secret}")

    for _ in range(2):  # the first has let the store go
        assert await refused(starting(path.parent)) == "store.damaged"


@pytest.mark.parametrize(
    "damage",
    ["DELETE FROM entries WHERE n = 2", "UPDATE entries SET entry = x'ff' WHERE n = 2"],
)
@pytest.mark.parametrize("lang", languages())
def test_a_record_that_is_cut_off_is_said_to_be(
    whole: tuple[Path, str, str, str],
    path: Path,
    damage: str,
    lang: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, match, *_ = whole
    shutil.copy(file, path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(damage)
    record = path.with_name("record")
    asked = ["--lang", lang, "admin", "export", match, str(record), "--db", str(path)]
    assert cli.main(asked) != 0
    [said] = capsys.readouterr().err.splitlines()
    assert str(record) in said
    assert " 2:" in said
    assert "⟨" not in said
    assert len(loads(record.read_bytes()).entries) == 2


# --- files that are no stores ----------------------------------------------------------------------


Use = Coroutine[Any, Any, None]


async def refused(use: Use) -> str:
    """Why this cannot be done."""
    with pytest.raises(Problem) as problem:
        await use
    said_why({"key": problem.value.key, "args": problem.value.args_}, sent="/tmp/")
    return problem.value.key


async def opening(path: Path, beside: bool = False) -> None:
    store = SqliteStore(path, beside)
    await store.open()
    await store.close()


async def backing_up(path: Path) -> None:
    backup(path, path.with_name("copy"))


async def starting(folder: Path) -> None:
    async with serving(folder):
        pass


def uses(path: Path) -> list[Use]:
    return [opening(path), opening(path, beside=True), backing_up(path)]


@pytest.mark.parametrize("size", [0, 1, 2, 16, 99, 100, 512, PAGE])
async def test_an_empty_file_is_not_taken_for_a_new_store(
    whole: tuple[Path, str, str, str], path: Path, size: int
) -> None:
    """Nor one that is almost empty."""
    path.write_bytes(whole[0].read_bytes()[:size])
    for use in uses(path):
        key = await refused(use)
        assert key in ("store.foreign", "store.damaged") if size > 1 else key == "store.cut-off"
    assert path.stat().st_size == size
    assert not path.with_name("copy").exists()
    path.unlink()  # as it says
    await opening(path)
    await opening(path)


async def test_a_log_without_its_file_is_not_played_into_a_new_one(
    whole: tuple[Path, str, str, str], path: Path
) -> None:
    store = SqliteStore(path)
    await store.open()
    await store.write()
    shutil.copy(f"{path}-wal", path.with_name("log"))
    await store.close()
    path.unlink()
    path.with_name("log").rename(f"{path}-wal")
    assert await refused(opening(path)) == "store.lost"
    assert not path.exists()
    os.remove(f"{path}-wal")
    await opening(path)


async def test_a_first_start_that_is_cut_off_leaves_no_file_of_that_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is cut off, the next start begins anew."""
    steps = ["connect", "_bring_up_to_date", "_version", "_sync_folder"]
    for step in steps:
        with monkeypatch.context() as patch:

            def cut_off(*_: object) -> None:
                raise KeyboardInterrupt

            patch.setattr(sqlite_file, step, cut_off)
            with pytest.raises(KeyboardInterrupt):
                sqlite_file.make_store(path)
        if step != "_sync_folder":
            assert not path.exists()
    await opening(path)


async def test_a_first_start_that_is_killed_while_it_writes(path: Path) -> None:
    """As SQLite leaves it at every commit and before: nothing, or a whole store."""
    script = """
import asyncio, os, sys, threading
from pathlib import Path
from capolinea.server import sqlite, sqlite_file

left = int(sys.argv[2])
def trace(frame, event, arg):
    global left
    if event == "line" and frame.f_code.co_filename in (sqlite.__file__, sqlite_file.__file__):
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
        await opening(path)
        for file in path.parent.iterdir():
            file.unlink()
