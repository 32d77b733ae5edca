"""A bot that sits down at a table over the network and plays one match, choosing by chance.

    pip install capolinea
    python3 network_bot.py http://localhost:1905 ABCDEF Nina

The address and the code are those of the room's link; the host starts the match. To make a better
player, write another `choose`: `seat.view` is all that this seat sees, docs/protocol.md explains it.
"""

import asyncio
import random
import sys

from capolinea.client import Client, Refusal, Seat


def choose(seat: Seat) -> list[dict[str, object]]:
    """One of the choices, with all its steps."""
    return random.choice(seat.whole_choices())


async def play(url: str, code: str, name: str) -> None:
    async with Client(url) as client:
        room = await client.room(code)
        free = next(n for n, chair in enumerate(room["seats"]) if chair["kind"] == "empty")
        await client.command(code, "sit", seat=free, name=name)
        await client.command(code, "ready")
        async with client.socket(code, free) as seat:
            await seat.until(lambda seat: seat.room["phase"] == "playing", seconds=3600)
            async for _ in seat.news():
                if seat.must:
                    try:
                        await seat.do(choose(seat))
                    except Refusal as refusal:  # too late, as a rule: there is news already
                        print(refusal.key, file=sys.stderr)
            print("The end:", (seat.result or {}).get("ending"))


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
