"""`capolinea serve` and `capolinea admin`, as a host uses them: in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import requests

from capolinea.client import Client
from capolinea.engine.record import loads
from capolinea.version import version
from tests.server.tables import TIME


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "capolinea", *words]


def environment(**more: str) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if "CAPOLINEA" not in name}
    return ours | {"LANG": "C", "BROWSER": "", **more}


@contextmanager
def serving(db: Path, *more: str, **variables: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server on a free port: where it is, and its process."""
    process = subprocess.Popen(
        command("serve", "--lang", "en", "--port", "0", "--db", str(db), *more),
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "http://localhost:" in line:
                break
        else:
            raise AssertionError(process.stderr.read() if process.stderr else lines)
        yield "http://localhost:" + lines[-1].split("http://localhost:")[1].split()[0], process
    finally:
        process.kill()
        process.communicate()


def all_said(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Ended, and what it wrote since; `communicate` would lose what was read ahead with a line."""
    process.terminate()
    process.wait(TIME)
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdout.read(), process.stderr.read()


def admin(db: Path, *words: str) -> subprocess.CompletedProcess[str]:
    words = (words[0], "--lang", "en", *words[1:], "--db", str(db))
    return subprocess.run(
        command("admin", *words), env=environment(), capture_output=True, text=True, check=False
    )


async def finished_match(url: str) -> str:
    """A match of bots alone, to its end; its id."""
    async with Client(url) as client:
        bots = ["random"] * 3
        room = await client.create("night-mail", bots=bots, watch=True, start=True)
        async with client.socket(room["code"]) as seat:
            await seat.until(lambda seat: seat.result is not None)
            return seat.match


async def running_match(url: str) -> str:
    async with Client(url) as client:
        room = await client.create("night-mail", bots=["random"], start=True)
        return str(room["match"])


async def test_a_host_looks_after_matches_while_the_server_runs(tmp_path: Path) -> None:
    db = tmp_path / "capolinea.db"
    with serving(db, "--bot-pause", "0") as (url, process):
        over, running = await finished_match(url), await running_match(url)

        listed = json.loads(admin(db, "list", "--json").stdout)
        assert {one["id"]: one["state"] for one in listed} == {over: "over", running: "running"}
        assert over in admin(db, "list").stdout

        record = tmp_path / "record.json"
        assert admin(db, "export", over, str(record)).returncode == 0
        assert loads(record.read_bytes()).result is not None
        for own in (db, db.with_name(db.name + "-wal")):  # never over what it comes from
            refused = admin(db, "export", over, str(own))
            assert refused.returncode == 2
            assert own.name in refused.stderr
        refused = admin(db, "export", running, str(tmp_path / "no.json"))
        assert refused.returncode != 0
        assert not (tmp_path / "no.json").exists()

        assert admin(db, "backup", str(tmp_path / "copy.db")).returncode == 0
        copied = json.loads(admin(tmp_path / "copy.db", "list", "--json").stdout)
        assert [one["id"] for one in copied] == [one["id"] for one in listed]

        checked = admin(db, "check")
        assert (checked.returncode, checked.stderr) == (0, "")
        assert "2 matches checked" in checked.stdout

        assert admin(db, "close", running).returncode == 0
        assert "unknown" not in admin(db, "list").stdout
        assert {one["state"] for one in json.loads(admin(db, "list", "--json").stdout)} == {"over"}

        assert admin(db, "purge", "1").returncode == 0  # nothing is as old as that
        assert len(json.loads(admin(db, "list", "--json").stdout)) == 2
        with closing(sqlite3.connect(db)) as store, store:
            long_ago = "UPDATE matches SET began = began - :ms, ended = ended - :ms WHERE id = :id"
            store.execute(long_ago, {"ms": 3 * 86400000, "id": over})
        assert admin(db, "purge", "2").returncode == 0
        assert [one["id"] for one in json.loads(admin(db, "list", "--json").stdout)] == [running]
        process.send_signal(signal.SIGTERM)
        assert process.wait(TIME) in (0, -signal.SIGTERM)


def test_a_server_without_pages_says_so(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    with serving(tmp_path / "x.db", "--web", str(tmp_path / "pages")) as (url, process):
        assert requests.get(f"{url}/healthz", timeout=20).json()["pages"] is False
        shown, log = all_said(process)
    assert f"There are no pages for the browser in {tmp_path / 'pages'}" in shown
    lines = [json.loads(line) for line in log.splitlines()]
    assert ("warning", "no-pages") in [(line["level"], line["event"]) for line in lines]


def test_a_server_with_pages_has_nothing_to_say_about_them(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Capolinea</title>")
    with serving(tmp_path / "x.db", "--web", str(tmp_path)) as (url, process):
        assert requests.get(f"{url}/healthz", timeout=20).json()["pages"] is True
        shown, log = all_said(process)
    assert "no pages" not in shown
    assert "no-pages" not in log


def test_the_version_is_the_same_wherever_it_is_shown(tmp_path: Path) -> None:
    words = command("serve", "--lang", "en", "--port", "0", "--db", str(tmp_path / "x.db"))
    pipe = subprocess.PIPE
    with subprocess.Popen(words, env=environment(), stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        greeting = process.stdout.readline()
        url = greeting.split()[-1]
        shown = [
            requests.get(f"{url}/{path}", timeout=20).json()
            for path in ("healthz", "api/me", "api/openapi.json")
        ]
        process.terminate()
        log = process.communicate()[1]
    assert greeting.startswith(f"Capolinea {version()} is at http")
    assert {shown[0]["version"], shown[1]["version"], shown[2]["info"]["version"]} == {version()}
    assert json.loads(log.splitlines()[0])["version"] == version()


def test_a_second_server_on_the_same_file_is_told_so(tmp_path: Path) -> None:
    db = tmp_path / "capolinea.db"
    with serving(db):
        words = command("serve", "--lang", "en", "--port", "0", "--db", str(db))
        other = subprocess.run(
            words, env=environment(), capture_output=True, text=True, check=False
        )
    assert other.returncode != 0
    assert str(db) in other.stderr
    assert "Traceback" not in other.stderr


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = command("serve", "--lang", "en", "--port", port, "--db", str(tmp_path / "x.db"))
        done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert port in done.stderr
    assert "Traceback" not in done.stderr


def test_on_a_network_it_shows_a_code_for_phones(tmp_path: Path) -> None:
    words = command("serve", "--lang", "en", "--port", "0", "--lan", "--db", str(tmp_path / "x.db"))
    with subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "http://localhost:" in line:
                break
        process.kill()
    shown = "".join(lines)
    assert "█" in shown
    assert shown.count("http://") == 2


def test_settings_come_from_the_environment_too(tmp_path: Path) -> None:
    words = command("serve", "--lang", "en", "--db", str(tmp_path / "x.db"))
    wrong = environment(CAPOLINEA_PORT="many")
    done = subprocess.run(words, env=wrong, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "CAPOLINEA_PORT" in done.stderr
    assert "many" in done.stderr


@pytest.mark.parametrize("task", ["list", "close x", "export x y", "purge 3", "backup y"])
def test_admin_of_a_store_that_is_not_there_makes_none(tmp_path: Path, task: str) -> None:
    db = tmp_path / "none.db"
    done = admin(db, *task.replace(" y", f" {tmp_path / 'y'}").split())
    assert done.returncode != 0
    assert "none.db" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_match_is_named(tmp_path: Path) -> None:
    db = tmp_path / "capolinea.db"
    with serving(db):
        done = admin(db, "close", "nonsense")
    assert done.returncode != 0
    assert "nonsense" in done.stderr
