"""What reaches the app, and what answers say to browsers."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from capolinea.server.guard import POLICY, Guard, Hosts, http_error, same_origin
from capolinea.server.settings import Settings
from tests.server.tables import TIME

LIMIT = 1000
HOME = Settings()
LAN = Settings(lan=True)
PUBLIC = Settings(host="0.0.0.0", public_url="https://trains.example.org")


# --- an app to guard -----------------------------------------------------------------------------


async def home(request: Request) -> PlainTextResponse:
    return PlainTextResponse("welcome")


async def echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


async def stubborn(request: Request) -> PlainTextResponse:
    """Goes on whatever happens while it reads."""
    try:
        await request.body()
    except Exception:
        return PlainTextResponse("never mind")
    return PlainTextResponse("read")


async def crash(request: Request) -> PlainTextResponse:
    raise KeyError("the secret word")


async def crash_midway(request: Request) -> StreamingResponse:
    async def parts() -> AsyncIterator[str]:
        yield "half"
        raise KeyError("the secret word")

    return StreamingResponse(parts())


async def cached(request: Request) -> PlainTextResponse:
    policy = {"cache-control": "max-age=60", "content-security-policy": "default-src *"}
    return PlainTextResponse("", headers=policy)


async def talk(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("hello")
    if await socket.receive_text() == "crash":
        raise KeyError("the secret word")


async def crash_early(socket: WebSocket) -> None:
    raise KeyError("the secret word")


def guarded(settings: Settings = HOME) -> Starlette:
    return Starlette(
        routes=[
            Route("/", home),
            Route("/api/cached", cached),
            Route("/api/echo", echo, methods=["GET", "POST", "PUT", "DELETE"]),
            Route("/api/large", echo, methods=["POST"]),
            Route("/api/stubborn", stubborn, methods=["POST"]),
            Route("/api/crash", crash),
            Route("/api/midway", crash_midway),
            WebSocketRoute("/ws", talk),
            WebSocketRoute("/early", crash_early),
        ],
        middleware=[Middleware(Guard, settings, lambda path: LIMIT * (1 + (path == "/api/large")))],
        exception_handlers={HTTPException: http_error},
    )


# --- calling it directly -------------------------------------------------------------------------


class Answer:
    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.read = 0

    @property
    def status(self) -> int:
        [start] = [message for message in self.sent if message["type"].endswith(".start")]
        return int(start["status"])

    @property
    def headers(self) -> dict[str, str]:
        [start] = [message for message in self.sent if message["type"].endswith(".start")]
        return {name.decode(): value.decode() for name, value in start["headers"]}

    @property
    def body(self) -> str:
        return b"".join(message.get("body", b"") for message in self.sent).decode()

    @property
    def why(self) -> str:
        assert self.headers["content-type"] == "application/json"
        return str(json.loads(self.body)["why"]["key"])


def call(
    app: Callable[[Scope, Receive, Send], Any],
    path: str = "/",
    method: str = "GET",
    headers: dict[str, str] | None = None,
    parts: list[bytes] | None = None,
    scheme: str = "http",
    **more: Any,
) -> Answer:
    """One request or socket; `parts` of the body are handed out one by one."""
    answer = Answer()
    parts = parts or [b""]
    given = {"host": "localhost:1905"} | (headers or {})
    scope: Scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "scheme": scheme,
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        **more,
    }

    async def receive() -> Message:
        if scope["type"] == "websocket":
            return {"type": "websocket.connect"}
        if answer.read == len(parts):
            return {"type": "http.disconnect"}
        answer.read += 1
        body, rest = parts[answer.read - 1], answer.read < len(parts)
        return {"type": "http.request", "body": body, "more_body": rest}

    async def send(message: Message) -> None:
        answer.sent.append(message)

    asyncio.run(app(scope, receive, send))
    return answer


def call_socket(app: Any, headers: dict[str, str] | None = None, **more: Any) -> Answer:
    """Opens a socket; what it is answered before it is accepted."""
    usual: dict[str, Any] = {"path": "/ws", "scheme": "ws", "subprotocols": []}
    usual["extensions"] = {"websocket.http.response": {}}
    return call(app, headers=headers, type="websocket", **usual | more)


# --- hosts ---------------------------------------------------------------------------------------

OURS = [
    "localhost",
    "localhost:1905",
    "LOCALHOST:1905",
    "127.0.0.1:1905",
    "127.3.2.1",
    "[::1]:1905",
]


@pytest.mark.parametrize("host", OURS)
def test_at_home_it_answers_to_names_of_this_computer(host: str) -> None:
    assert call(guarded(), headers={"host": host}).status == 200


FOREIGN = ["evil.example", "localhost.evil.example", "evil.example:1905", "127.0.0.1.evil.example"]
FOREIGN += [
    "",
    ":",
    ":1905",
    "localhost:",
    "localhost:1905:1905",
    "a@localhost",
    "localhost/",
    "[::1",
]
FOREIGN += ["localhost evil", "localhost,evil.example", "lócalhost", "0.0.0.0", "192.168.1.7"]


@pytest.mark.parametrize("host", FOREIGN)
def test_a_name_rebound_to_us_is_refused(host: str) -> None:
    for answer in (
        call(guarded(), headers={"host": host}),
        call_socket(guarded(), {"host": host}),
    ):
        assert (answer.status, answer.why) == (421, "serve.foreign-host")


async def test_one_host_exactly() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    hosts = [(b"host", b"localhost"), (b"host", b"evil.example")]
    for headers in (hosts, hosts[::-1], []):
        sent.clear()
        scope = {"type": "http", "method": "GET", "path": "/", "scheme": "http"}
        await guarded()({**scope, "headers": headers}, receive, send)
        assert sent[0]["status"] == 421


def test_on_the_lan_it_answers_to_addresses_and_local_names() -> None:
    hosts = Hosts(LAN, hostname="Attic")
    for host in (
        *OURS,
        "192.168.1.7:1905",
        "[fd00::7]:1905",
        "attic:1905",
        "attic.local",
        "x.local",
    ):
        assert hosts.allow(host), host
    for host in (
        "evil.example",
        "attic.evil.example",
        "local",
        "evil-local",
        "x.local.evil.example",
    ):
        assert not hosts.allow(host), host


def test_in_public_it_answers_to_its_name_and_to_addresses() -> None:
    hosts = Hosts(PUBLIC, hostname="attic")
    for host in (
        "trains.example.org",
        "trains.example.org:443",
        "Trains.Example.Org.",
        "192.0.2.7",
    ):
        assert hosts.allow(host), host
    for host in ("example.org", "x.trains.example.org", "attic", "attic.local", "evil.example"):
        assert not hosts.allow(host), host
    behind_a_proxy = Hosts(Settings(public_url="https://trains.example.org"))
    assert behind_a_proxy.allow("trains.example.org")
    assert not behind_a_proxy.allow("192.0.2.7")
    assert Hosts(Settings(host="attic.example.org")).allow("attic.example.org:1905")


# --- origins -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://localhost",
        "http://localhost:1906",
        "http://localhost:1905.evil.example",
        "http://localhost:1905@evil.example",
        "http://evil.example@localhost:1905",
        "ftp://localhost:1905",
        "localhost:1905",
        "//localhost:1905",
        "null",
        "",
    ],
)
def test_a_foreign_page_changes_nothing(method: str, origin: str) -> None:
    answer = call(guarded(), "/api/echo", method, {"origin": origin})
    assert (answer.status, answer.why) == (403, "serve.foreign-origin")
    socket = call_socket(guarded(), {"origin": origin})
    assert (socket.status, socket.why) == (403, "serve.foreign-origin")


def test_our_own_page_and_programs_may() -> None:
    own = {"origin": "http://localhost:1905"}
    for headers in (own, {}, {"origin": "HTTP://LocalHost:1905"}):
        assert call(guarded(), "/api/echo", "POST", headers).status == 200
        accepted = call_socket(guarded(), headers | {"x": "y"}, path="/early")
        assert accepted.status == 500, "it came as far as the app"


def test_reading_is_open_to_links_from_elsewhere() -> None:
    assert call(guarded(), "/", "GET", {"origin": "http://evil.example"}).status == 200
    assert call(guarded(), "/", "HEAD", {"origin": "http://evil.example"}).status == 200


def test_the_public_page_may_whatever_host_the_proxy_says() -> None:
    headers = {"host": "127.0.0.1:1905", "origin": "https://trains.example.org"}
    assert call(guarded(PUBLIC), "/api/echo", "POST", headers).status == 200
    headers["origin"] = "http://trains.example.org"
    assert call(guarded(PUBLIC), "/api/echo", "POST", headers).status == 403
    assert call(guarded(HOME), "/api/echo", "POST", headers).status == 403


def test_origins_and_schemes() -> None:
    assert same_origin("https://a", "a:443", "https")
    assert same_origin("https://a", "a", "wss")
    assert same_origin("http://a", "a:80", "http")
    assert same_origin("https://a", "a", "http"), "a proxy that we do not trust has the TLS"
    assert not same_origin("http://a", "a", "https")
    assert not same_origin("https://a:8443", "a", "https")
    assert not same_origin("http://a", "a:443", "http")


def test_without_the_extension_a_socket_is_closed() -> None:
    answer = call_socket(guarded(), {"origin": "http://evil.example"}, extensions={})
    assert [message["type"] for message in answer.sent] == ["websocket.close"]


# --- bodies --------------------------------------------------------------------------------------


def test_a_body_may_have_so_many_bytes() -> None:
    assert call(guarded(), "/api/echo", "POST", parts=[b"x" * LIMIT]).body == str(LIMIT)
    assert call(guarded(), "/api/large", "POST", parts=[b"x" * 2 * LIMIT]).body == str(2 * LIMIT)


@pytest.mark.parametrize("path", ["/api/echo", "/api/stubborn"])
def test_a_body_in_parts_is_cut_off_when_it_is_too_large(path: str) -> None:
    answer = call(guarded(), path, "POST", parts=[b"x" * 400] * 100)
    assert (answer.status, answer.why) == (413, "serve.too-large")
    assert answer.read == 3, "the rest was not read"
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize("length", [str(LIMIT + 1), "9" * 5000, "-1", "x", "²", ""])
def test_an_announced_body_that_is_too_large_is_not_read_at_all(length: str) -> None:
    answer = call(guarded(), "/api/echo", "POST", {"content-length": length}, [b"x"])
    assert (answer.status, answer.why, answer.read) == (413, "serve.too-large", 0)


def test_a_false_announcement_does_not_help() -> None:
    parts = [b"x" * 600] * 5
    assert call(guarded(), "/api/echo", "POST", {"content-length": "1"}, parts).status == 413


# --- headers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "method", "headers", "status"),
    [
        ("/", "GET", {}, 200),
        ("/nowhere", "GET", {}, 404),
        ("/", "DELETE", {}, 405),
        ("/api/crash", "GET", {}, 500),
        ("/", "GET", {"host": "evil.example"}, 421),
        ("/", "POST", {"origin": "http://evil.example"}, 403),
        ("/api/echo", "POST", {"content-length": "99999"}, 413),
        ("/api/cached", "GET", {}, 200),
    ],
)
def test_every_answer_has_the_headers(
    path: str, method: str, headers: dict[str, str], status: int
) -> None:
    answer = call(guarded(), path, method, headers)
    assert answer.status == status
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "camera=()" in answer.headers["permissions-policy"]
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "strict-transport-security" not in answer.headers
    if status >= 400:
        assert set(json.loads(answer.body)) <= {"why", "id"}


def test_the_policy_is_strict() -> None:
    assert POLICY.startswith("default-src 'none'; ")
    assert "unsafe" not in POLICY
    assert "*" not in POLICY


def test_answers_of_the_api_are_not_kept() -> None:
    assert call(guarded(), "/api/echo").headers["cache-control"] == "no-store"
    assert call(guarded(), "/api/nowhere").headers["cache-control"] == "no-store"
    assert call(guarded(), "/api/cached").headers["cache-control"] == "max-age=60"
    assert "cache-control" not in call(guarded()).headers


def test_what_only_secure_places_get() -> None:
    secure = call(guarded(PUBLIC), scheme="https", headers={"host": "trains.example.org"}).headers
    assert secure["strict-transport-security"] == "max-age=31536000"
    assert secure["cross-origin-opener-policy"] == "same-origin"
    assert call(guarded()).headers["cross-origin-opener-policy"] == "same-origin"
    plain = call(guarded(LAN), headers={"host": "192.168.1.7:1905"}).headers
    assert "cross-origin-opener-policy" not in plain


def test_405_says_what_is_allowed() -> None:
    answer = call(guarded(), "/", "DELETE")
    assert answer.why == "serve.wrong-method"
    assert "GET" in answer.headers["allow"]


# --- errors --------------------------------------------------------------------------------------


def test_a_crash_tells_the_client_nothing_but_a_number(caplog: pytest.LogCaptureFixture) -> None:
    answer = call(guarded(), "/api/crash")
    told = json.loads(answer.body)
    assert (answer.status, told["why"]["key"]) == (500, "serve.our-fault")
    assert told["why"]["args"] == {"id": told["id"]}
    for leak in ("secret", "KeyError", "Traceback", ".py"):
        assert leak not in answer.body
    [record] = [one for one in caplog.records if one.levelno == logging.ERROR]
    fields = getattr(record, "fields", {})
    assert fields["id"] == told["id"]
    assert "KeyError" in fields["errors"][0]
    assert "test_guard.py" in fields["errors"][0]
    assert "secret" not in str(fields)


def test_a_crash_in_the_middle_of_an_answer_reaches_the_server() -> None:
    """It must cut the connection, or the client takes half an answer for a whole one."""
    with pytest.raises(KeyError):
        call(guarded(), "/api/midway")


def test_a_socket_that_crashes_before_it_is_accepted() -> None:
    answer = call_socket(guarded(), path="/early")
    assert (answer.status, answer.why) == (500, "serve.our-fault")


def test_a_socket_is_closed_once() -> None:
    async def closes(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": 4000})
        raise KeyError("too late")

    sent = call_socket(Guard(closes, HOME, lambda path: LIMIT)).sent
    assert [message["type"] for message in sent] == ["websocket.accept", "websocket.close"]


def test_who_has_gone_is_no_crash(caplog: pytest.LogCaptureFixture) -> None:
    from starlette.requests import ClientDisconnect
    from starlette.websockets import WebSocketDisconnect

    for gone in (ClientDisconnect(), WebSocketDisconnect(1001)):

        async def leaves(
            scope: Scope, receive: Receive, send: Send, gone: Exception = gone
        ) -> None:
            raise gone

        assert call(Guard(leaves, HOME, lambda path: LIMIT)).sent == []
    assert not caplog.records


# --- on a real port ------------------------------------------------------------------------------


@asynccontextmanager
async def serving(app: Starlette) -> AsyncIterator[int]:
    config = uvicorn.Config(
        app, port=0, log_config=None, lifespan="off", ws="websockets-sansio", access_log=False
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await running


async def exchange(port: int, *parts: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        return await asyncio.wait_for(reader.read(), TIME)
    finally:
        writer.close()


async def test_an_endless_upload_is_answered_and_cut_off() -> None:
    head = b"POST /api/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with serving(guarded()) as port:
        # There is no last chunk: only a server that does not wait for it can answer.
        answer = await exchange(port, head, *[b"190\r\n" + b"x" * 400 + b"\r\n"] * 4)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"serve.too-large" in answer


SOCKET = (
    "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{more}\r\n"
)


async def test_sockets_of_foreign_pages_do_not_open() -> None:
    async def ask(path: str, more: str) -> bytes:
        async with serving(guarded()) as port:
            return await exchange(port, SOCKET.format(path=path, more=more).encode())

    foreign = await ask("/ws", "Origin: http://evil.example\r\n")
    assert foreign.startswith(b"HTTP/1.1 403 ")
    assert b"serve.foreign-origin" in foreign
    assert b"x-content-type-options: nosniff" in foreign.lower()
    assert (await ask("/early", "")).startswith(b"HTTP/1.1 500 ")


async def test_a_socket_that_crashes_is_closed_with_a_reason_that_says_nothing() -> None:
    from websockets.asyncio.client import connect

    async with serving(guarded()) as port:
        url, origin = f"ws://localhost:{port}/ws", f"http://localhost:{port}"
        async with connect(url, additional_headers={"Origin": origin}, proxy=None) as socket:
            assert await socket.recv() == "hello"
            await socket.send("crash")
            await socket.wait_closed()
            assert (socket.close_code, socket.close_reason) == (1011, "")
