"""What the server writes down, and what it never does."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message, Scope
from starlette.websockets import WebSocket

from capolinea.server.logs import RequestLog, set_up, tell, tell_error
from capolinea.server.metrics import Metrics

LOGGERS = ["", "capolinea.server", "uvicorn", "uvicorn.error", "uvicorn.access"]
LOGGERS += ["websockets", "asyncio"]


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Logging is the whole process's: leave it as it was."""
    levels = {name: logging.getLogger(name).level for name in LOGGERS}
    handlers = logging.getLogger().handlers[:]
    yield
    logging.getLogger().handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


class Log(io.StringIO):
    def __init__(self, level: str = "info", form: str = "json", terminal: bool = False) -> None:
        super().__init__()
        self.terminal = terminal
        set_up(level, form, self)

    def isatty(self) -> bool:
        return self.terminal

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


# --- lines ---------------------------------------------------------------------------------------


def test_a_line_of_json() -> None:
    log = Log()
    tell("started", port=1905, note="two\nlines “quoted”")
    [line] = log.lines
    assert line.pop("at").endswith("Z")
    told = {"level": "info", "event": "started", "port": 1905, "note": "two\nlines “quoted”"}
    assert line == told


def test_text_is_for_terminals() -> None:
    for form, terminal, text in [
        ("auto", True, True),
        ("auto", False, False),
        ("text", False, True),
        ("json", True, False),
    ]:
        log = Log(form=form, terminal=terminal)
        tell("started", port=1905, note="two\nlines")
        assert log.getvalue().count("\n") == 1
        assert log.getvalue().startswith("{") != text
        if text:
            assert 'info started port=1905 note="two\\nlines"' in log.getvalue()


def test_levels() -> None:
    log = Log("warning")
    tell("quiet")
    tell("loud", logging.WARNING)
    assert [line["event"] for line in log.lines] == ["loud"]
    log = Log("debug")
    tell("quiet", logging.DEBUG)
    assert [line["event"] for line in log.lines] == ["quiet"]


def test_errors_are_told_without_their_messages() -> None:
    log = Log()
    try:
        try:
            raise KeyError("Ada’s nickname")
        except KeyError as error:
            raise ValueError("Ada’s token") from error
    except ValueError as error:
        tell_error("crash", error, id="1234")
    [line] = log.lines
    assert (line["level"], line["id"]) == ("error", "1234")
    assert [text.split(" at ")[0] for text in line["errors"]] == ["ValueError", "KeyError"]
    assert all("server/test_logs.py:" in text for text in line["errors"])
    assert "Ada" not in log.getvalue()


def test_what_the_system_says_is_told() -> None:
    import sqlite3

    log = Log()
    for error in (OSError(28, "No space left", "Ada"), sqlite3.OperationalError("disk is full")):
        tell_error("crash", error)
    tell_error("crash", ExceptionGroup("Ada", [KeyError("Ada"), OSError(5, "I/O error")]))
    told = [text for line in log.lines for text in line["errors"]]
    assert told[0].startswith("OSError (No space left) at ")
    assert told[1].startswith("OperationalError (disk is full) at ")
    assert [text.split(" ")[0] for text in told[2:]] == ["ExceptionGroup", "KeyError", "OSError"]
    assert "Ada" not in log.getvalue()


def test_libraries_write_only_warnings_and_their_exceptions_as_we_do() -> None:
    for name in LOGGERS[2:]:
        logging.getLogger(name).setLevel(logging.DEBUG)  # whatever was set before
    log = Log("debug")
    for name in (*LOGGERS[2:], "unheard.of"):
        logging.getLogger(name).info('"WebSocket /ws?room=BCDFGH" [accepted]')
        logging.getLogger(f"{name}.server").debug("< Cookie: capolinea=token")
    try:
        raise KeyError("Ada")
    except KeyError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    [line] = log.lines
    assert (line["event"], line["logger"]) == ("Exception in ASGI application", "uvicorn.error")
    assert line["errors"][0].startswith("KeyError at ")
    assert "Ada" not in log.getvalue()


# --- requests ------------------------------------------------------------------------------------


async def room(request: Request) -> PlainTextResponse:
    return PlainTextResponse("a room")


async def crash(request: Request) -> PlainTextResponse:
    raise KeyError("Ada")


async def talk(socket: WebSocket) -> None:
    await socket.accept()


async def deny(socket: WebSocket) -> None:
    await socket.close()


METRICS = Metrics()


def call(path: str, method: str = "GET", **more: Any) -> None:
    app = Starlette(
        routes=[
            Route("/api/rooms/{code}", room),
            Route("/api/crash", crash),
            Route("/healthz", room),
            WebSocketRoute("/ws/{code}", talk),
            WebSocketRoute("/deny/{code}", deny),
        ],
        middleware=[Middleware(RequestLog, METRICS)],
    )
    scope: Scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"key=SECRETKEY",
        "scheme": "http",
        "client": ("203.0.113.9", 4711),
        "headers": [(b"host", b"localhost"), (b"cookie", b"capolinea=SECRETTOKEN")],
        **more,
    }

    async def receive() -> Message:
        return {"type": "websocket.connect" if scope["type"] == "websocket" else "http.request"}

    async def send(message: Message) -> None:
        pass

    asyncio.run(app(scope, receive, send))


def test_a_request_is_one_line_with_its_route() -> None:
    log = Log()
    call("/api/rooms/BCDFGH")
    call("/api/rooms/BCDFGH", "DELETE")
    call("/BCDFGH")
    call("/api/rooms/BCDFGH", "BREW")
    told = [(one["event"], one["method"], one["route"], one["status"]) for one in log.lines]
    assert told == [
        ("request", "GET", "/api/rooms/{code}", 200),
        ("request", "DELETE", "/api/rooms/{code}", 405),
        ("request", "GET", "–", 404),
        ("request", "other", "/api/rooms/{code}", 405),
    ]
    assert all(0 <= line["ms"] < 5000 for line in log.lines)


def test_a_socket_is_one_line() -> None:
    log = Log()
    socket: dict[str, Any] = {"type": "websocket", "subprotocols": [], "extensions": {}}
    call("/ws/BCDFGH", **socket, scheme="ws")
    call("/deny/BCDFGH", **socket, scheme="ws")
    told = [(line["route"], line["status"]) for line in log.lines]
    assert told == [("/ws/{code}", 101), ("/deny/{code}", 403)]


def test_a_crash_is_a_line_too() -> None:
    log = Log()
    with pytest.raises(KeyError):
        call("/api/crash")
    assert [(line["route"], line["status"]) for line in log.lines] == [("/api/crash", 500)]


@pytest.mark.parametrize("form", ["json", "text"])
def test_no_secret_is_ever_written(form: str) -> None:
    log = Log("debug", form)
    call("/api/rooms/BCDFGH")
    call("/nowhere/BCDFGH")
    call("/ws/BCDFGH", type="websocket", subprotocols=[], extensions={}, scheme="ws")
    assert log.getvalue().count("\n") >= 3
    for secret in ("SECRET", "BCDFGH", "203.0.113.9", "4711", "nowhere"):
        assert secret not in log.getvalue()


def test_probes_are_worth_no_line() -> None:
    log = Log()
    call("/healthz")
    assert log.lines == []


def test_requests_are_counted() -> None:
    Log()
    call("/api/rooms/BCDFGH")
    text = METRICS.render().decode()
    assert 'capolinea_requests_total{method="GET",route="/api/rooms/{code}",status="200"}' in text
    assert "BCDFGH" not in text
