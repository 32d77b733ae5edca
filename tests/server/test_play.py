"""Whole matches over real sockets."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.tables import at_random, play, serving


@pytest.mark.parametrize(
    ("title", "seats"), [("night-mail", 3), ("trial-by-trolley", 4), ("stop-the-train", 4)]
)
async def test_whole_match_by_client_bots(tmp_path: Path, title: str, seats: int) -> None:
    async with serving(tmp_path) as server:
        clients = [server.client() for _ in range(seats)]
        for client in clients:
            await client.__aenter__()
        room = await clients[0].create(title, name="Ada")
        code = room["code"]
        for number, client in enumerate(clients[1:], 1):
            await client.command(code, "sit", seat=number, name=f"Guest {number}")
            await client.command(code, "ready")
        await clients[0].command(code, "start")

        async def sit(number: int) -> None:
            async with clients[number].socket(code, number) as seat:
                await play(seat, at_random(number))
                assert seat.result is not None

        await asyncio.gather(*(sit(number) for number in range(seats)))
