"""What stands between the network and the app: for requests and for sockets.

hosts     only names that are ours: a page elsewhere cannot rebind its own name to us
origins   only our own pages may change anything or open a socket
bodies    never larger and never later than allowed, counted as they come in
headers   what browsers need to be told, on every answer
errors    a reason in JSON; of what was our fault, only a number that the log has too
"""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from capolinea.engine.problems import Problem
from capolinea.server.identity import is_secure
from capolinea.server.logs import tell_error
from capolinea.server.protocol import Failure, Why
from capolinea.server.settings import Settings, is_loopback

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # The link to a table is its invitation: no other site learns it.
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cross-origin-resource-policy": "same-origin",
}
_YEAR = 365 * 24 * 3600


class Guard:
    """ASGI middleware. Among Starlette's own `middleware=`, so that it sees what endpoints raise.

    `body_limit` tells for a path how many bytes a request to it may bring.
    """

    def __init__(self, app: ASGIApp, settings: Settings, body_limit: Callable[[str], int]) -> None:
        self.app = app
        self.hosts = Hosts(settings)
        self.public_url = settings.public_url
        self.body_limit = body_limit
        self.body_time = settings.body_time

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        answer = _Answer(scope, receive, send)
        try:
            self._check(scope)
            if scope["type"] == "http":
                receive = self._bounded(scope, answer)
            await self.app(scope, receive, answer.send)
        except _Stop as stop:
            await answer.refuse(stop.status, Problem(stop.key))
        except (ClientDisconnect, WebSocketDisconnect):
            pass  # nobody is there to be told
        except Exception as error:
            incident = secrets.token_hex(4)
            tell_error("crash", error, id=incident)
            if not await answer.refuse(500, Problem("serve.our-fault", id=incident), incident):
                raise  # half an answer is out: the server must cut the connection

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        hosts, origin = headers.getlist("host"), headers.get("origin")
        if len(hosts) != 1 or not self.hosts.allow(hosts[0]):
            raise _Stop(421, "serve.foreign-host")
        # A program has no origin, and no cookie of somebody else's to misuse.
        if origin is None or (scope["type"] == "http" and scope["method"] in ("GET", "HEAD")):
            return
        public = bool(origin) and origin == self.public_url
        if not public and not same_origin(origin, hosts[0], scope["scheme"]):
            raise _Stop(403, "serve.foreign-origin")

    def _bounded(self, scope: Scope, answer: _Answer) -> Receive:
        """`receive`, as long as the body is not too large and does not take too long."""
        limit = self.body_limit(scope["path"])
        announced = Headers(scope=scope).get("content-length", "0")
        if not re.fullmatch("[0-9]{1,15}", announced) or int(announced) > limit:
            raise _Stop(413, "serve.too-large")
        read = 0
        end: float | None = asyncio.get_running_loop().time() + self.body_time

        async def receive() -> Message:
            nonlocal read, end
            try:
                async with asyncio.timeout_at(end):
                    message = await answer.receive()
            except TimeoutError:
                raise await answer.stop(408, "serve.too-late") from None
            if not message.get("more_body", False):
                end = None  # what comes now is that the client goes
            read += len(message.get("body", b""))
            if read > limit:
                raise await answer.stop(413, "serve.too-large")
            return message

        return receive


class _Stop(Exception):
    """The request ends here."""

    def __init__(self, status: int, key: str) -> None:
        super().__init__(status, key)
        self.status = status
        self.key = key


class _Answer:
    """The way back to the client: adds headers, and knows whether it is too late to refuse."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self.receive = receive
        self._send = send
        self._begun = self._over = False

    async def send(self, message: Message) -> None:
        if self._over:
            return  # the client has its answer
        if message["type"].endswith(".start"):
            message.setdefault("headers", [])
            add_headers(self.scope, MutableHeaders(scope=message))
        self._begun = True
        self._over = message["type"] == "websocket.close"
        await self._send(message)

    async def stop(self, status: int, key: str) -> _Stop:
        """What to raise, said at once, whatever the app makes of the exception."""
        await self.refuse(status, Problem(key))
        return _Stop(status, key)

    async def refuse(self, status: int, problem: Problem, incident: str = "") -> bool:
        """Answer with the reason; False if it is too late for that."""
        if self._over:
            return True
        if self.scope["type"] == "websocket" and (
            self._begun or "websocket.http.response" not in self.scope.get("extensions", {})
        ):
            await self.send({"type": "websocket.close", "code": 1011 if status == 500 else 1008})
        elif self._begun:
            return False
        else:
            response = refusal(status, problem, incident)
            if status in (408, 413):
                response.headers["connection"] = "close"  # the rest of the body is not wanted
            await response(self.scope, self.receive, self.send)
        self._over = True
        return True


# --- whose request -------------------------------------------------------------------------------

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+?)\.?)(?::[0-9]{1,5})?", re.IGNORECASE)


class Hosts:
    """Under which names this server may be called."""

    def __init__(self, settings: Settings, hostname: str = "") -> None:
        self.lan = settings.lan
        self.loopback_only = is_loopback(settings.bind)
        self.names = {"localhost"}
        if settings.public_url:
            self.names.add(urlsplit(settings.public_url).hostname or "")
        if settings.lan:
            self.names.add((hostname or socket.gethostname()).lower())
        if not self.loopback_only:
            self.names.add(settings.host.lower())  # named by whoever started it

    def allow(self, host: str) -> bool:
        """Whether a Host header is one of ours."""
        name = host_name(host)
        if name in self.names or (self.lan and name.endswith(".local")):
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        # Nobody can rebind an address. (What is bound to the loopback is called by no other.)
        return address.is_loopback or not self.loopback_only


def host_name(host: str) -> str:
    """The name or address in a Host header, without port and brackets; "" if there is none."""
    found = _HOST.fullmatch(host)
    return (found[1] or found[2]).lower() if found else ""


def same_origin(origin: str, host: str, scheme: str) -> bool:
    """Whether a page of this origin came from where its request goes to."""
    page_scheme, _, page_host = origin.lower().partition("://")
    if page_scheme not in ("http", "https") or (is_secure(scheme) and page_scheme != "https"):
        return False
    # We may not know that there is TLS (an unknown proxy's), hence no other look at the schemes.
    standard = ":443" if is_secure(scheme) else ":80"
    return page_host == host.lower().removesuffix(standard)


# --- answers -------------------------------------------------------------------------------------


def add_headers(scope: Scope, headers: MutableHeaders) -> None:
    """What every answer says to browsers."""
    headers.update(HEADERS)
    secure = is_secure(scope["scheme"])
    if secure:
        headers["strict-transport-security"] = f"max-age={_YEAR}"
    if secure or is_loopback(host_name(Headers(scope=scope).get("host", ""))):
        # Elsewhere browsers ignore it, and complain.
        headers["cross-origin-opener-policy"] = "same-origin"
    if scope["path"].startswith("/api"):
        headers.setdefault("cache-control", "no-store")


def refusal(status: int, problem: Problem, incident: str = "") -> Response:
    """The answer that says why not. Nobody keeps it: what is missing in the middle of an update is there
    a moment later."""
    body = msgspec.json.encode(Failure(Why.of(problem), incident))
    headers = {"cache-control": "no-store"}
    return Response(body, status, headers, media_type="application/json")


_REASONS = {404: "serve.not-found", 405: "serve.wrong-method"}


async def http_error(_request: Request, error: Exception) -> Response:
    """For Starlette's `exception_handlers`: its own refusals (404, 405) in our form."""
    assert isinstance(error, HTTPException)
    answer = refusal(
        error.status_code, Problem(_REASONS.get(error.status_code, "serve.bad-request"))
    )
    answer.headers.update(error.headers or {})
    return answer
