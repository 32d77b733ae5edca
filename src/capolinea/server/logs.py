"""What the server writes down about itself: one line an event, for programs (JSON) or for people.

Nothing of the players is in it: no token, cookie, room code, address, nickname or chat. A request is
told by the route it matched, never by its path; an error by its kind and place, never by its message,
which might quote anything.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from capolinea.server.metrics import Metrics

_logger = logging.getLogger("capolinea.server")


def set_up(level: str, form: str, stream: TextIO | None = None) -> None:
    """Write our events from this level up as "json" or "text" ("auto": text on a terminal).

    Of the libraries only warnings: below that, they write paths and headers.
    """
    stream = stream or sys.stderr
    text = form == "text" or (form == "auto" and stream.isatty())
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_TextLines() if text else _JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for library in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets", "asyncio"):
        logging.getLogger(library).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_refused_handshake)
    _logger.setLevel(level.upper())


def _refused_handshake(record: logging.LogRecord) -> bool:
    """uvicorn calls it an error when a socket is refused; anybody could fill the log that way."""
    return "without completing handshake" not in record.getMessage()


def tell(event: str, level: int = logging.INFO, **fields: Any) -> None:
    """Write a line. Whoever adds a field sees to it that it tells nothing of the players."""
    _logger.log(level, event, extra={"fields": fields})


def tell_error(event: str, error: BaseException, **fields: Any) -> None:
    """Write down that something went wrong that should not have."""
    tell(event, logging.ERROR, **fields, errors=list(places(error)))


# --- lines ---------------------------------------------------------------------------------------


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {"at": _at(record, "%Y-%m-%dT%H:%M:%S"), "level": record.levelname.lower()}
        return json.dumps(line | _told(record), ensure_ascii=False, default=str)


class _TextLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        told = _told(record)
        parts = [_at(record, "%H:%M:%S"), record.levelname.lower(), str(told.pop("event"))]
        errors = told.pop("errors", [])
        parts += [f"{name}={_one_word(value)}" for name, value in told.items()]
        return "\n    ".join([" ".join(parts), *errors])


def _at(record: logging.LogRecord, form: str) -> str:
    utc = time.gmtime(record.created) if "T" in form else time.localtime(record.created)
    return time.strftime(form, utc) + (f".{int(record.msecs):03}Z" if "T" in form else "")


def _told(record: logging.LogRecord) -> dict[str, Any]:
    fields: Mapping[str, Any] | None = getattr(record, "fields", None)
    if fields is not None:
        return {"event": record.msg, **fields}
    # A library's. What it says about an exception we say ourselves.
    told: dict[str, Any] = {"event": record.getMessage().strip(), "logger": record.name}
    if record.exc_info and record.exc_info[1] is not None:
        told["errors"] = list(places(record.exc_info[1]))
    return told


def _one_word(value: Any) -> str:
    text = str(value)
    return text if text.isprintable() and " " not in text else json.dumps(text)


def places(error: BaseException) -> Iterator[str]:
    """An error and what led to it: the kind of each, and the way through the code to it."""
    seen: BaseException | None = error
    while seen is not None:
        frames = traceback.extract_tb(seen.__traceback__)
        way = " > ".join(f"{_short(frame.filename)}:{frame.lineno}" for frame in frames)
        yield f"{_kind(seen)} at {way or '?'}"
        if isinstance(seen, BaseExceptionGroup):
            for inner in seen.exceptions:
                yield from places(inner)
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)


def _kind(error: BaseException) -> str:
    """Only what the system or the database says of itself quotes nobody."""
    if isinstance(error, OSError) and error.strerror:
        return f"{type(error).__name__} ({error.strerror})"
    if isinstance(error, sqlite3.Error):
        return f"{type(error).__name__} ({error})"
    return type(error).__name__


def _short(file: str) -> str:
    return "/".join(Path(file).parts[-2:])


# --- requests ------------------------------------------------------------------------------------

#: Asked for every few seconds by machines: worth no line.
_PROBES = frozenset({"/healthz", "/metrics"})
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestLog:
    """Tells of every request once it is answered, and of every socket once it is open.

    It goes around everything else, so that it also sees what the guard refused.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics | None = None) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        status = 0
        began = time.perf_counter()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"].endswith(".start"):
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = 101
            elif message["type"] == "websocket.close" and not status:
                status = 403  # closed before it was accepted
            await send(message)

        try:
            await self.app(scope, receive, noting)
        finally:
            self._tell(scope, status or 500, time.perf_counter() - began)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        route = route_of(scope)
        method = scope.get("method", "WS")
        method = method if method in _METHODS or method == "WS" else "other"
        level = logging.DEBUG if route in _PROBES else logging.INFO
        ms = round(1000 * seconds, 1)
        tell("request", level, method=method, route=route, status=status, ms=ms)
        if self.metrics:
            self.metrics.request(method, route, status, seconds)


def route_of(scope: Scope) -> str:
    """The template that a request matched, as "/api/rooms/{code}"; "–" if none."""
    path = getattr(scope.get("route"), "path", None)
    return path or "/" if isinstance(path, str) else "–"
