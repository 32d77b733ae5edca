"""How a connection becomes a socket: a request that is answered by the app like others, and then a Wire.

uvicorn has a way of its own, but stays in the middle of the conversation that follows, and so does every
layer of the app: eight functions for each message, and three quarters of the memory that a socket needs.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from hashlib import sha1
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from starlette.types import Message, Scope
from starlette.websockets import WebSocket
from uvicorn.protocols.utils import get_local_addr, get_remote_addr
from uvicorn.server import ServerState

from capolinea.server import logs
from capolinea.server.gate import Config
from capolinea.server.wire import Wire

#: What the standard adds to a client's key, to show that who answers knows it.
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
#: Where a request's scope has its handshake.
HANDSHAKE = "capolinea.handshake"
Headers = list[tuple[bytes, bytes]]


class Handshake(asyncio.Protocol):
    """What an HttpConnection becomes when somebody asks for a socket on it. uvicorn makes it, and gives it
    the head of the request."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        self._config = config
        self._state = server_state
        self._app_state = app_state
        self._transport: asyncio.Transport
        self._key = b""
        #: The answer of who is not let in.
        self._status = 0
        self._headers: Headers = []
        self._body = b""
        self.wire: Wire | None = None

    # --- the network's side ----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        self._state.connections.add(self)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        if self._key:  # it has not been let in, and speaks
            self._transport.abort()
            return
        first, *lines = data.rstrip(b"\r\n").split(b"\r\n")
        headers: Headers = [(name, value) for name, _, value in (x.partition(b": ") for x in lines)]
        method, target, _ = first.split(b" ")
        self._key = _key(dict(headers))
        if method != b"GET" or not self._key:
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        task = asyncio.get_running_loop().create_task(self._ask(self._scope(target, headers)))
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        self._config.gate.leave(self._transport)

    def shutdown(self) -> None:
        """The server ends."""
        self._transport.close()

    def _forget(self) -> None:
        self._state.connections.discard(self)

    # --- the app's side --------------------------------------------------------------------------

    def _scope(self, target: bytes, headers: Headers) -> Scope:
        path, _, query = target.partition(b"?")
        return {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws",
            "server": get_local_addr(self._transport),
            "client": get_remote_addr(self._transport),
            "root_path": "",
            "path": unquote(path.decode("latin-1")),
            "raw_path": path,
            "query_string": query,
            "headers": headers,
            "subprotocols": [],
            "state": self._app_state.copy(),
            "extensions": {"websocket.http.response": {}},
            HANDSHAKE: self,
        }

    async def _ask(self, scope: Scope) -> None:
        try:
            await self._config.loaded_app(scope, _receive, self._send)
        except Exception as error:
            logs.tell_error("crash", error)
        if self.wire is None and not self._status:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR)

    async def _send(self, message: Message) -> None:
        match message["type"]:
            case "websocket.accept":
                self._accept(message.get("headers", []))
            case "websocket.close":
                self._refuse(HTTPStatus.FORBIDDEN)
            case "websocket.http.response.start":
                self._status, self._headers = message["status"], list(message.get("headers", []))
            case "websocket.http.response.body":
                self._body += message.get("body", b"")
                if not message.get("more_body", False):
                    self._refuse(self._status)

    def _accept(self, headers: Headers) -> None:
        proof = b64encode(sha1(self._key + MAGIC, usedforsecurity=False).digest())
        headers = [
            (b"upgrade", b"websocket"),
            (b"connection", b"Upgrade"),
            (b"sec-websocket-accept", proof),
            *headers,
        ]
        self.wire = Wire(self._transport, self._config.ws_max_size, self._config.gate, self._state)
        self._forget()
        if self._transport.is_closing():
            self.wire.connection_lost(None)
            return
        self._transport.set_protocol(self.wire)
        self._transport.write(_head(HTTPStatus.SWITCHING_PROTOCOLS, headers))

    def _refuse(self, status: int) -> None:
        self._status = status
        length = (b"content-length", str(len(self._body)).encode())
        headers = [one for one in self._headers if one[0] != b"content-length"]
        headers += [length, (b"connection", b"close")]
        self._transport.write(_head(status, headers) + self._body)
        self._transport.close()


async def _receive() -> Message:
    return {"type": "websocket.connect"}


def _key(headers: dict[bytes, bytes]) -> bytes:
    """The client's, if it speaks the WebSocket that we know; else nothing."""
    key = headers.get(b"sec-websocket-key", b"")
    try:
        whole = len(b64decode(key, validate=True)) == 16
    except NotBase64:
        whole = False
    return key if whole and headers.get(b"sec-websocket-version") == b"13" else b""


def _head(status: int, headers: Headers) -> bytes:
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()]
    lines += [name + b": " + value for name, value in headers]
    return b"\r\n".join([*lines, b"", b""])


async def accepted(web: WebSocket, headers: Headers) -> Wire:
    """The wire of a handshake, which is answered with that."""
    await web.accept(headers=headers)
    handshake = web.scope[HANDSHAKE]
    assert isinstance(handshake, Handshake)
    assert handshake.wire is not None
    return handshake.wire
