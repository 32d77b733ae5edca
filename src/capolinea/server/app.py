"""The web application: its routes, and what goes around them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as WebRoute
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from capolinea.engine.problems import Problem
from capolinea.server import metrics
from capolinea.server.guard import Guard, http_error, refusal
from capolinea.server.handshake import accepted
from capolinea.server.hub import Hub
from capolinea.server.identity import new_person
from capolinea.server.limits import TooFast, TooManySockets, by_address
from capolinea.server.logs import RequestLog
from capolinea.server.lounge import Lounge
from capolinea.server.openapi import described
from capolinea.server.pages import has_pages, pages
from capolinea.server.rest import ROUTES, endpoint, refused
from capolinea.server.settings import Settings
from capolinea.server.socket import Socket
from capolinea.server.store import Store, StoreFailed
from capolinea.version import version


def make_app(settings: Settings, store: Store) -> Starlette:
    """The application on this store; whoever runs it opens and closes `app.state.hub`."""
    hub = Hub(settings, store)

    app = Starlette(
        routes=[
            *(
                WebRoute(route.path, endpoint(hub, route), methods=[route.method])
                for route in ROUTES
            ),
            WebSocketRoute("/api/rooms/{code}/socket", _socket(hub)),
            WebRoute("/api/openapi.json", _described, methods=["GET"]),
            WebRoute("/healthz", _health(hub), methods=["GET"]),
            WebRoute("/metrics", _metrics(hub), methods=["GET"]),
            *pages(hub),
        ],
        middleware=[
            Middleware(RequestLog, metrics=hub.metrics),
            Middleware(Guard, settings=settings, body_limit=_body_limit(settings)),
        ],
        exception_handlers={HTTPException: http_error},
    )
    app.state.hub = hub
    return app


def _body_limit(settings: Settings) -> Callable[[str], int]:
    def limit(path: str) -> int:
        if path == "/api/records":
            return settings.record_size * 1024
        if path.startswith("/api/rooms"):
            return settings.room_size * 1024  # a room may bring data of its own
        return settings.command_size * 1024

    return limit


def _socket(hub: Hub) -> Callable[[WebSocket], Awaitable[None]]:
    async def connect(web: WebSocket) -> None:
        # Whoever comes without a name gets one: a program may begin with the socket.
        person = hub.identity.visitor(web) or new_person()
        address = by_address(web.client.host if web.client else "")
        with ExitStack() as held:
            for counter, whose in ((hub.address_sockets, address), (hub.person_sockets, person)):
                if not counter.enter(whose):
                    await web.send_denial_response(refused(hub, TooManySockets()))
                    return
                held.callback(counter.leave, whose)
            lounge = await _let_in(hub, web, person, address)
            if lounge is not None:
                # For another year: nobody who comes to play becomes a stranger.
                cookie = hub.identity.cookie(web, person)
                wire = await accepted(web, [(b"set-cookie", cookie.encode())])
                by_program = "origin" not in web.headers  # which every browser sends
                socket = Socket(hub, lounge, wire, person, address, by_program)
                wire.begin(_conversation(hub, socket, held.pop_all()))

    return connect


async def _conversation(hub: Hub, socket: Socket, held: ExitStack) -> None:
    """What is said on a socket, until it is closed; and what it holds as long."""
    with held, hub.metrics.sockets.track_inprogress():
        await socket.run()


async def _let_in(hub: Hub, web: WebSocket, person: str, address: str) -> Lounge | None:
    """The room that a socket is for; None if it was told why not."""
    try:
        wait = hub.address_socket_rate.take(address) or hub.socket_rate.take(person)
        if wait:
            raise TooFast(wait)
        return await hub.visit(web.path_params["code"], address)
    except (Problem, StoreFailed) as error:
        await web.send_denial_response(refused(hub, error))
        return None


async def _described(_request: Request) -> Response:
    # It is always the same, and takes long to put together: not while everybody waits.
    return Response(await asyncio.to_thread(described), media_type="application/json")


def _health(hub: Hub) -> Callable[[Request], Awaitable[Response]]:
    about = {"version": version(), "pages": has_pages(hub.settings)}

    async def health(_request: Request) -> Response:
        """Well only if the store keeps what it is given."""
        problem = await hub.health.problem()
        if problem is not None:
            return refusal(503, problem)
        body = {"status": "ok", **about}
        return Response(msgspec.json.encode(body), media_type="application/json")

    return health


def _metrics(hub: Hub) -> Callable[[Request], Awaitable[Response]]:
    async def show(request: Request) -> Response:
        if not metrics.may_read(hub.settings, request.headers.get("authorization", "")):
            return refusal(404, Problem("serve.not-found"))
        return Response(hub.metrics.render(), media_type=metrics.CONTENT_TYPE)

    return show
