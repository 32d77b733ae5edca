"""A table from the other side: what a program needs to sit down at one.

    async with Client("http://localhost:1905") as client:
        room = await client.create("stop-the-train", name="Ada", bots=["passenger"] * 3)
        await client.command(room["code"], "start")
        async with client.socket(room["code"], seat=0) as seat:
            async for _ in seat.news():
                if seat.must:
                    await seat.do(seat.whole_choices()[0])

`Client` is one browser: it has one cookie, and may hold several seats. `Seat` is one socket: it keeps
the scene up to date, comes back by itself when the connection breaks, and sends again what was not
answered. docs/protocol.md explains what goes over the wire.
"""

from __future__ import annotations

from capolinea.client.http import Client, Failed
from capolinea.client.seat import Refusal, Seat

__all__ = ["Client", "Failed", "Refusal", "Seat"]
