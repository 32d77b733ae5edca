"""What somebody at a table notices of what others do to the server, and how long the loop is held.

    python bench/bystander.py [--json] [--quick] [--seconds N] [--only KIND …]

A table of five plays by itself first, then beside each kind of abuse (`abuse.py`), each time on a fresh
server with its default limits. Who abuses it comes from other addresses.

    a move        from sending it until the last of five has heard of it
    /healthz      a request over a connection of its own
    stall         the longest that the event loop kept everybody waiting (loop_stall in /metrics)

p50 and p99 are in milliseconds, and as ratios to those of the table by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import resource
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import ours
from abuse import ABUSES
from load import HERE, LOST, Failed, Party, at, play

ALONE = "alone"
#: The others go when so much of the time has passed: that is noticed, too.
DURING = 0.7
TIMES = ("move_p50", "move_p99", "health_p50", "health_p99")
WIDTH = 15
#: Seconds between two moves, on average, and between two requests: well within the limits.
THINK = 0.05
#: How many files and sockets a process may have open on most systems, unless it asks for more.
USUAL_FILES = 1024
_, MOST_FILES = resource.getrlimit(resource.RLIMIT_NOFILE)
#: Seconds that who abuses the server gets to begin, and to finish what was begun.
BEGIN, FINISH = 300, 30


@dataclass
class Row:
    """What the bystander noticed beside one kind of abuse."""

    beside: str
    #: Milliseconds.
    move_p50: float
    move_p99: float
    health_p50: float
    health_p99: float
    #: None if the server could not be asked.
    stall: float | None
    #: How often something was done to the server, and refused; None if it came to no end.
    done: int | None
    refused: int | None


# --- the bystander -------------------------------------------------------------------------------


async def moves(table: Party, seconds: float) -> list[float]:
    try:
        return (await play([table], seconds, THINK)).latencies
    except Failed as failure:
        print(failure, file=sys.stderr)
        return [LOST]


async def health(port: int, seconds: float) -> list[float]:
    latencies: list[float] = []
    begin = perf_counter()
    while not latencies or perf_counter() - begin < seconds:
        latencies.append(await probe(port))
        await asyncio.sleep(THINK)
    return latencies


async def probe(port: int) -> float:
    """Seconds that a request took, or as long as anybody would wait."""
    begin = perf_counter()
    answer = await get(port, "/healthz")
    return perf_counter() - begin if b" 200 " in answer[:20] else LOST


async def longest_stall(port: int) -> float | None:
    """In milliseconds, since this was last asked; None if there is no answer."""
    answer = await get(port, "/metrics")
    found = re.search(rb"^capolinea_loop_stall_longest_seconds (\S+)", answer, re.MULTILINE)
    return float(found[1]) * 1000 if found else None


async def get(port: int, path: str) -> bytes:
    """The answer with its head, to a request over a connection of its own; nothing if there is none."""
    request = f"GET {path} HTTP/1.1\r\nHost: {HERE}\r\nConnection: close\r\n\r\n"
    try:
        async with asyncio.timeout(LOST):
            reader, writer = await asyncio.open_connection(HERE, port)
            writer.write(request.encode())
            answer = await reader.read()
            writer.close()
    except (OSError, TimeoutError):
        return b""
    return answer


# --- and the others ------------------------------------------------------------------------------


@asynccontextmanager
async def abused(
    kind: str, port: int, seconds: float, share: float
) -> AsyncIterator[asyncio.StreamReader | None]:
    """Somebody does this to the server, in a process that gives way to ours, and writes how it went;
    None: nobody does."""
    if kind == ALONE:
        yield None
        return
    script = str(Path(__file__).with_name("abuse.py"))
    words = ["nice", sys.executable, script, kind, str(port), str(seconds), str(share)]
    process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        if await line(process.stdout, BEGIN) != b"ready\n":
            raise Failed("could not begin")
        yield process.stdout
    finally:
        with suppress(ProcessLookupError):  # it has ended by itself
            process.kill()
        await process.wait()


async def line(reader: asyncio.StreamReader, seconds: float) -> bytes:
    """The next line; nothing if it does not come in time."""
    try:
        async with asyncio.timeout(seconds):
            return await reader.readline()
    except TimeoutError:
        return b""


async def outcome(reader: asyncio.StreamReader | None) -> dict[str, int | None]:
    """What was done and refused, once it is over."""
    if reader is None:
        return {"done": 0, "refused": 0}
    found: dict[str, int | None] = json.loads(await line(reader, FINISH) or "{}")
    return found


def allow_files(count: int) -> None:
    """To us, and to whom we start."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, MOST_FILES))


async def beside(kind: str, folder: Path, seconds: float, share: float) -> Row:
    allow_files(USUAL_FILES)
    with ours.Capolinea(folder / f"{kind}.db", flags={}) as server:
        allow_files(MOST_FILES)
        (table,) = await server.join(1)
        async with abused(kind, server.port, seconds * DURING, share) as report:
            await longest_stall(server.port)  # what was before does not count
            ways = moves(table, seconds), health(server.port, seconds)
            moved, answered = await asyncio.gather(*ways)
            stall = await longest_stall(server.port)
            did = await outcome(report)
        table.close()
    return Row(
        beside=kind,
        move_p50=at(0.5, moved) * 1000,
        move_p99=at(0.99, moved) * 1000,
        health_p50=at(0.5, answered) * 1000,
        health_p99=at(0.99, answered) * 1000,
        stall=stall,
        done=did.get("done"),
        refused=did.get("refused"),
    )


async def measure(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    rows: list[Row] = []
    missing: dict[str, str] = {}
    for kind in [ALONE, *asked.only]:
        print(kind, "...", file=sys.stderr, flush=True)
        try:
            rows.append(await beside(kind, folder, asked.seconds, asked.share))
        except Failed as failure:
            missing[kind] = str(failure)
    alone, *others = rows
    return {
        "compiled": ours.build()[1],
        "rows": [asdict(row) for row in rows],
        "ratios": {row.beside: ratios(row, alone) for row in others},
        "missing": missing,
    }


def ratios(row: Row, alone: Row) -> dict[str, float]:
    """How many times as long it took as alone."""
    return {name: getattr(row, name) / getattr(alone, name) for name in TIMES}


# --- showing it ----------------------------------------------------------------------------------


def table(found: dict[str, Any]) -> Iterator[str]:
    yield f"Capolinea ({'compiled' if found['compiled'] else 'pure Python'}), default limits"
    heads = ("move p50", "p99", "/healthz p50", "p99", "stall", "done", "refused")
    yield f"{'beside':<20}" + "".join(f"{head:>{WIDTH}}" for head in heads)
    for row in found["rows"]:
        times = found["ratios"].get(row["beside"])
        cells = [shown(row[name]) + (f" ×{shown(times[name])}" if times else "") for name in TIMES]
        cells += [shown(row[name]) for name in ("stall", "done", "refused")]
        yield f"{row['beside']:<20}" + "".join(f"{cell:>{WIDTH}}" for cell in cells)
    for kind, why in found["missing"].items():
        yield f"{kind}: {why}"


def shown(number: float | None) -> str:
    if number is None:
        return "?"
    return f"{number:,.1f}" if number < 100 and number % 1 else f"{number:,.0f}"


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    flag = partial(parser.add_argument, action="store_true")
    flag("--json", help="print JSON")
    flag("--quick", help="does it work at all?")
    parser.add_argument("--seconds", type=float, default=8, metavar="N", help="how long each lasts")
    parser.add_argument("--only", nargs="+", choices=ABUSES, default=list(ABUSES), metavar="KIND")
    asked = parser.parse_args()
    asked.share = 1.0
    if asked.quick:
        asked.seconds, asked.share = 0.2, 0.02
    return asked


def main() -> int:
    asked = parsed()
    with tempfile.TemporaryDirectory(prefix="capolinea-bench-") as folder:
        found = asyncio.run(measure(asked, Path(folder)))
    print(json.dumps(found, indent=2) if asked.json else "\n".join(table(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
