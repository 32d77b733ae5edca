"""Requests, and the cookie that says who asks."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlsplit

from capolinea.client.seat import Seat

TIMEOUT = 30


class Failed(Exception):
    """The server said no: `status` is HTTP's, `key` and `arguments` say why."""

    def __init__(self, status: int, why: dict[str, Any]) -> None:
        super().__init__(status, why)
        self.status = status
        self.key = str(why.get("key", ""))
        self.arguments: dict[str, Any] = why.get("args", {})


class Client:
    """One browser, so to speak."""

    def __init__(self, url: str, cookie: str = "") -> None:
        self.url = url.rstrip("/")
        #: What the server knows us by. Whoever has it is us.
        self.cookie = cookie

    async def __aenter__(self) -> Self:
        if not self.cookie:
            await self.get("/api/me")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        way: TracebackType | None,
    ) -> None:
        return None

    # --- rooms -----------------------------------------------------------------------------------

    async def create(self, title: str, **more: Any) -> Any:
        """Make a room and sit down in it; `more` is what the protocol's NewRoom has."""
        return await self.post("/api/rooms", {"title": title, **more})

    async def room(self, code: str) -> Any:
        return await self.get(f"/api/rooms/{quote(code)}")

    async def command(self, code: str, do: str, **more: Any) -> Any:
        """Do something in a room: sit, stand, bot, ready, start, …"""
        return await self.post(f"/api/rooms/{quote(code)}", {"do": do, **more})

    async def bring(self, code: str, kind: str, name: str, content: bytes) -> Any:
        """Give a room a file of one's own in place of a built-in track or pack."""
        path = f"/api/rooms/{quote(code)}/data/{quote(kind)}?name={quote(name)}"
        return json.loads(await self.request("POST", path, content))

    def socket(self, code: str, seat: int | None = None) -> Seat:
        """Speak for a seat of a room, or watch: to be used with `async with`."""
        scheme = {"http": "ws", "https": "wss"}
        parts = urlsplit(self.url)
        where = f"{scheme[parts.scheme]}://{parts.netloc}/api/rooms/{quote(code)}/socket"
        return Seat(where, self.cookie, seat)

    # --- requests --------------------------------------------------------------------------------

    async def get(self, path: str) -> Any:
        return json.loads(await self.request("GET", path))

    async def post(self, path: str, body: Any = None) -> Any:
        return json.loads(await self.request("POST", path, json.dumps(body or {}).encode()))

    async def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Sequence[tuple[str, str]] = (),
    ) -> bytes:
        """Any request; Failed unless all went well."""
        return await asyncio.to_thread(self._request, method, path, body, dict(headers))

    def _request(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> bytes:
        parts = urlsplit(self.url)
        kind = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        connection = kind[parts.scheme](parts.netloc, timeout=TIMEOUT)
        try:
            sent = {"Content-Type": "application/json", **headers}
            if self.cookie:
                sent["Cookie"] = self.cookie
            # A server that wants no more of a body answers and closes before it has read it all.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, path, body, sent)
            answer = connection.getresponse()
            content: bytes = answer.read()
            given = answer.headers.get("set-cookie")
            if given:
                self.cookie = given.split(";")[0]
        finally:
            connection.close()
        if answer.status >= 400:
            raise Failed(answer.status, _why(content))
        return content


def _why(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    why = found.get("why") if isinstance(found, dict) else None
    return why if isinstance(why, dict) else {}
