"""People at a server, and what they do and hear in a room."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest

from capolinea.client import Failed, Seat
from tests.server.live import Live
from tests.server.tables import Guest, Running


async def visitor(server: Live | Running, cookie: str = "") -> Guest:
    client = Guest(server.url, cookie)
    if not cookie:
        await client.get("/api/me")
    return client


async def guest(server: Live | Running, code: str, seat: int, name: str) -> Guest:
    """Somebody who sat down and is ready."""
    client = await visitor(server)
    await client.command(code, "sit", seat=seat, name=name)
    await client.command(code, "ready")
    return client


async def pair(server: Live | Running, **more: Any) -> tuple[Guest, Guest, str]:
    """Ada's room, with Bruno ready on the second chair."""
    ada = await visitor(server)
    code = (await ada.create("night-mail", name="Ada", **more))["code"]
    return ada, await guest(server, code, 1, "Bruno"), code


async def refused(work: Coroutine[Any, Any, Any], key: str) -> None:
    with pytest.raises(Failed) as failed:
        await work
    assert failed.value.key == key


async def shut_out(seat: Seat, key: str) -> None:
    """This socket is not let in, and told why."""
    with pytest.raises(ConnectionError, match=key):
        await seat.__aenter__()
    await seat.__aexit__(None, None, None)


def phase(is_phase: str) -> Any:
    return lambda seat: seat.room.get("phase") == is_phase


def in_match(seat: Seat) -> bool:
    """Told of the match that the room says is on."""
    return bool(seat.match) and seat.match == seat.room["match"]
