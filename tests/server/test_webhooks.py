"""Calling somebody who is away: once, for their turn, and nowhere that it should not go."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from capolinea.client import Refusal, Seat
from capolinea.engine.problems import Problem
from capolinea.server import webhooks
from capolinea.server.table import Table
from tests.server.live import UNHURRIED
from tests.server.tables import TIME, Guest, Running, at_random, serving

Json = dict[str, Any]


class Hooks(ThreadingHTTPServer):
    """Somebody's address, which takes down every call."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.calls: list[tuple[str, Json]] = []
        self.url = f"http://127.0.0.1:{self.server_port}"
        #: Before this, "/slow" gives only the beginning of an answer.
        self.awaited = Event()


class _Handler(BaseHTTPRequestHandler):
    server: Hooks

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.calls.append((self.path, json.loads(body)))
        if self.path == "/slow":
            self.wfile.write(b"H")
            self.server.awaited.wait(TIME)
        if self.path == "/nonsense":
            self.wfile.write(b"what do you want?")
            return
        self.send_response(302 if self.path == "/elsewhere" else 204)
        self.send_header("Location", f"{self.server.url}/target")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def hooks() -> Iterator[Hooks]:
    with Hooks() as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


# --- your turn -----------------------------------------------------------------------------------


class Two:
    """Ada, who wants to be called, and Bo, who is there."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self.ada, self.bo = server.client(), server.client()

    async def begin(self) -> None:
        for client in (self.ada, self.bo):
            await client.__aenter__()
        self.code = (await self.ada.create("night-mail", name="Ada", settings=UNHURRIED))["code"]
        await self.bo.command(self.code, "sit", seat=1, name="Bo")
        await self.bo.command(self.code, "ready")
        await self.ada.command(self.code, "start")

    @property
    def table(self) -> Table:
        table = self.server.hub.lounges[self.code].table
        assert table is not None
        return table

    def waits_for(self, seat: int) -> bool:
        waiting = seat in self.table.match.state.waiting()
        return waiting and seat not in self.table.held and not self.table.over

    async def play_until(self, seat: Seat, other: int, seed: int) -> None:
        """Answer for a seat until the other one, and it alone, is waited for."""
        choose = at_random(seed)
        async with asyncio.timeout(TIME):
            while not (self.waits_for(other) and not self.waits_for(seat.number or 0)):
                if self.table.over:
                    return
                if seat.must:
                    try:
                        await seat.do(choose(seat))
                    except Refusal as refusal:
                        if refusal.key not in ("table.late", "table.over"):
                            raise
                await asyncio.sleep(0.01)

    async def stir(self) -> None:
        """Let something happen that changes nothing of what Ada is asked."""
        for _ in range(2):
            await self.bo.command(self.code, "replace", seat=1, bot="random")
            await self.bo.command(self.code, "take-back", seat=1)


async def called(hooks: Hooks, times: int) -> None:
    async with asyncio.timeout(TIME):
        while len(hooks.calls) < times:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    assert len(hooks.calls) == times


async def test_who_is_away_is_called_once_for_each_question(tmp_path: Path, hooks: Hooks) -> None:
    async with serving(tmp_path, webhooks="anywhere") as server:
        two = Two(server)
        await two.begin()
        async with two.bo.socket(two.code, 1) as bo:
            async with two.ada.socket(two.code, 0) as ada:
                await ada.keep(webhook=f"{hooks.url}/hook?for=ada")
                await two.play_until(bo, 0, 1)
                await two.stir()
                await called(hooks, 0)  # she is here
                await two.play_until(ada, 1, 2)
            for times in (1, 2):
                await two.play_until(bo, 0, times)
                await called(hooks, times)
                question = two.table.question(0).id
                await two.stir()
                assert two.table.question(0).id == question
                await called(hooks, times)
                async with two.ada.socket(two.code, 0) as ada:
                    await two.play_until(ada, 1, times)
            assert not two.table.over
            # A bot plays for her now: it is not her turn.
            await two.ada.command(two.code, "replace", seat=0, bot="random")
            await two.play_until(bo, 99, 5)
            await called(hooks, 2)
    for path, news in hooks.calls:
        assert path == "/hook?for=ada"
        assert set(news) == {"event", "title", "link"}
        assert (news["event"], news["title"]) == ("your-turn", "night-mail")
        assert "/room/" in news["link"]


async def test_nobody_but_the_seat_learns_the_address(tmp_path: Path, hooks: Hooks) -> None:
    async with serving(tmp_path, webhooks="anywhere") as server:
        two = Two(server)
        await two.begin()
        async with two.ada.socket(two.code, 0) as ada, two.bo.socket(two.code, 1) as bo:
            bo.received = []
            await ada.keep(webhook=f"{hooks.url}/hook")
            await ada.until(lambda ada: ada.private.get("webhook"))
            await bo.write("Ciao")
            assert hooks.url not in "".join(bo.received)
            await ada.keep(webhook="")
            await ada.until(lambda ada: not ada.private.get("webhook"))


async def test_off_means_off(tmp_path: Path, hooks: Hooks) -> None:
    async with serving(tmp_path, webhooks="anywhere") as server:
        two = Two(server)
        await two.begin()
        async with two.ada.socket(two.code, 0) as ada:
            await ada.keep(webhook=f"{hooks.url}/hook")
        code, cookies = two.code, (two.ada.cookie, two.bo.cookie)
    async with serving(tmp_path, webhooks="off") as server:
        two = Two(server)
        two.code, two.ada = code, Guest(server.url, cookies[0])
        two.bo = Guest(server.url, cookies[1])
        async with two.bo.socket(code, 1) as bo:
            async with two.ada.socket(code, 0) as ada:
                with pytest.raises(Refusal, match=r"webhook\.off"):
                    await ada.keep(webhook=f"{hooks.url}/other")
                await ada.keep(webhook="")  # to take it away is always possible
                await ada.keep(notes="x")
                await two.play_until(ada, 1, 1)
            await two.play_until(bo, 0, 1)
            await two.stir()
            await called(hooks, 0)


# --- where it may go -----------------------------------------------------------------------------

NEWS = {"event": "your-turn"}


def test_redirects_are_not_followed(hooks: Hooks) -> None:
    assert webhooks.post(f"{hooks.url}/elsewhere", NEWS, "anywhere") == 302
    assert [path for path, _ in hooks.calls] == ["/elsewhere"]


def test_whoever_answers_slowly_or_oddly_is_not_waited_for(hooks: Hooks) -> None:
    assert webhooks.post(f"{hooks.url}/slow", NEWS, "anywhere") == 0
    hooks.awaited.set()
    assert webhooks.post(f"{hooks.url}/nonsense", NEWS, "anywhere") == 0


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:0:127.0.0.1]/",
        "http://[64:ff9b:1::7f00:1]/",
        "http://[ff0e::1]/",
        "http://192.0.0.8/",
        "http://192.0.0.170/",
        "http://[fe80::1]/",
        "http://[fc00::1]/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://172.16.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://224.0.0.1/",
        "https://0.0.0.0/",
    ],
)
def test_public_means_public_addresses(url: str, hooks: Hooks) -> None:
    with pytest.raises((Problem, OSError)) as refused:
        webhooks.post(url, NEWS, "public")
    if isinstance(refused.value, Problem):
        assert refused.value.key == "webhook.private"


def test_a_name_is_looked_up_once_and_what_was_checked_is_called(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    tried: list[Any] = []
    answers = {
        "inside.example": ["127.0.0.1"],
        "both.example": ["10.0.0.1", "93.184.216.34", "127.0.0.1"],
    }

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(0, 0, 0, "", (address, port)) for address in answers[host]]

    def connect(address: Any, *_: Any, **__: Any) -> socket.socket:
        tried.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(Problem, match="public addresses"):
        webhooks.post("http://inside.example/hook", NEWS, "public")
    assert tried == []
    for scheme, port in (("http", 80), ("https", 443)):
        with pytest.raises(ConnectionRefusedError):
            webhooks.post(f"{scheme}://both.example/hook", NEWS, "public")
        assert tried.pop() == ("93.184.216.34", port)
    assert asked == ["inside.example", "both.example", "both.example"]


@pytest.mark.parametrize(
    ("url", "policy", "key"),
    [
        ("http://example.org:8080/", "public", "webhook.port"),
        ("https://example.org:22/", "public", "webhook.port"),
        ("http://example.org:99999/", "public", "webhook.form"),
        ("http://example.org:port/", "anywhere", "webhook.form"),
        ("http://192.168.0.7/", "public", "webhook.private"),
        ("http://[::1]/", "public", "webhook.private"),
        ("ftp://example.org/", "anywhere", "webhook.form"),
        ("file:///etc/passwd", "anywhere", "webhook.form"),
        ("javascript:alert(1)", "anywhere", "webhook.form"),
        ("//example.org/", "anywhere", "webhook.form"),
        ("http://", "anywhere", "webhook.form"),
        ("http://user:word@example.org/", "anywhere", "webhook.form"),
        ("http://[::1", "anywhere", "webhook.form"),
        ("http://example.org/", "off", "webhook.off"),
    ],
)
def test_addresses_that_will_not_do(url: str, policy: str, key: str) -> None:
    with pytest.raises(Problem) as refused:
        webhooks.check(url, policy)
    assert refused.value.key == key


@pytest.mark.parametrize(
    "url", ["https://example.org", "http://example.org:80/a?b", "https://example.org:443/è"]
)
def test_addresses_that_will_do(url: str) -> None:
    webhooks.check(url, "public")
    webhooks.check("http://192.168.0.7:8123/api", "anywhere")


@pytest.mark.parametrize(
    "path", ["/è", "/a b", "/\x00", "/%zz", "/a\u202e", "/?a=ü", "/" + "a" * 450]
)
async def test_an_odd_path_does_no_harm(
    hooks: Hooks, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    caplog.set_level(logging.INFO, "capolinea.server")
    await webhooks.call(hooks.url + path, NEWS, "anywhere")
    [line] = [record for record in caplog.records if record.msg.startswith("webhook")]
    assert hooks.url not in str(line.__dict__)


async def test_what_does_not_speak_tls_is_let_go(
    hooks: Hooks, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "capolinea.server")
    await webhooks.call(hooks.url.replace("http:", "https:"), NEWS, "anywhere")
    assert [record.msg for record in caplog.records if "webhook" in record.msg] == [
        "webhook-failed"
    ]
    assert hooks.calls == []
