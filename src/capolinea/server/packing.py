"""Answers that are handed out compressed.

How long a compressed answer is tells how much of it is said twice. Whoever can have their own words put
beside a secret could guess that secret letter by letter from lengths alone, though the answer itself is
encrypted on its way. So only what has no secret in it is compressed: files, words, tracks, packs, records
of matches that are over. Rooms (their code is the key to them), personal links, what somebody sees of a
running match, and everything on sockets goes out as it is.
"""

from __future__ import annotations

import asyncio
import gzip

from starlette.requests import Request
from starlette.responses import Response

#: Fewer bytes than this are one packet, whatever their number.
_WORTH = 1000


def accepts(request: Request, encoding: str) -> bool:
    offered = request.headers.get("accept-encoding", "")
    return encoding in (part.split(";")[0].strip() for part in offered.split(","))


async def pack(response: Response, request: Request) -> None:
    """Compress an answer without a secret, beside the loop: a pack of cards takes milliseconds."""
    if response.status_code != 200 or len(response.body) < _WORTH:
        return
    response.headers["vary"] = "accept-encoding"
    if accepts(request, "gzip"):
        response.body = await asyncio.to_thread(gzip.compress, bytes(response.body), mtime=0)
        response.headers["content-encoding"] = "gzip"
        response.headers["content-length"] = str(len(response.body))
