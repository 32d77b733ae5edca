"""What a client's action costs the server: ours beside boardgame.io and Colyseus, in one run.

    python bench/server.py [--json] [--alone] [--quick] [--length] [--tables N …] [--idle N …]

Five sockets a table. In the *closed* loop a table's next action is sent when all five have heard of
the last; *thinking* players take their time, so that all tables together act about --rate times a second.
The server has one core and the generator another. Repetitions are interleaved, so that a busy moment
of the machine hits all alike, and medians are shown.

    CPU/action    the server's processor time, all its processes, for an action of a client
    p50, p99      from sending an action until the last of five has heard of it
    bytes         received per viewer and action
    kB            more memory (RSS) than before, by table: when all had joined, and after play
    generator     how much of its core the generator needed: far from all, or it is measured, too
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import ours
import theirs
from load import Failed, Party, Played, at, begin, play
from process import CORES, Server

COMPARED = ("cpu", "p50", "p99", "bytes", "joined", "played")
#: Less than so many kB is not measured.
LEAST = {"joined": 10, "played": 10}
#: Tables that play before anything is measured, and for how many seconds.
WARM = 2
WARM_SECONDS = 1.0
#: With --length: so many actions of each table are measured at a time.
STRETCH = 40
#: So many tables play beside idle ones.
BESIDE_IDLE = 100

Start = Callable[[], Server]


@dataclass
class Row:
    """One server under one load."""

    server: str
    #: Tables that play, and tables that nobody is at.
    tables: int
    idle: int
    load: str
    actions: float
    #: A second.
    rate: float
    #: Microseconds of the server's processor for an action.
    cpu: float
    #: Milliseconds.
    p50: float
    p99: float
    #: Per viewer and action.
    bytes: float
    #: How much of its core the generator needed.
    generator: float
    #: kB a table.
    joined: float
    played: float
    #: Seconds until it answered.
    start: float

    @property
    def place(self) -> tuple[int, int, str]:
        return self.tables, self.idle, self.load


async def measured(start: Start, tables: int, idle: int, seconds: float, rate: float) -> list[Row]:
    """A fresh server, first in the closed loop and then with thinking players."""
    rows = []
    with start() as server:
        warm = await server.join(WARM)
        await play(warm, min(WARM_SECONDS, seconds))
        before = server.memory()
        joined = await server.join(tables)
        memory = server.memory() - before
        await begin(joined)
        for load, think in (("closed", 0.0), ("thinking", tables / rate)):
            used = server.cpu()
            found = await play(joined, seconds, think)
            used = server.cpu() - used
            grown = server.memory() - before
            kilobytes = memory / tables / 1000, grown / tables / 1000
            rows.append(row(server, (tables, idle, load), found, used, kilobytes))
        for table in warm + joined:
            table.close()
    return rows


def row(
    server: Server,
    place: tuple[int, int, str],
    found: Played,
    used: float,
    kilobytes: tuple[float, float],
) -> Row:
    p50, p99 = (at(share, found.latencies) * 1000 for share in (0.5, 0.99))
    rate, cpu = found.actions / found.seconds, used / found.actions * 1e6
    figures = (found.actions, rate, cpu, p50, p99, found.bytes, found.generator)
    return Row(server.name, *place, *figures, *kilobytes, server.start_time)


async def by_length(start: Start, tables: int) -> list[dict[str, float]]:
    """What an action costs ours, the further the matches are. Tables whose match is over stop; the rest
    goes on as long as it is most of them."""
    found: list[dict[str, float]] = []
    with start() as server:
        await play(await server.join(WARM), WARM_SECONDS)
        playing = await server.join(tables)
        while len(playing) > tables / 2:
            used = server.cpu()
            acted = sum(await asyncio.gather(*map(stretch, playing)))
            cost = (server.cpu() - used) / acted * 1e6
            found.append({"from": len(found) * STRETCH, "actions": acted, "cpu": cost})
            playing = [table for table in playing if not table.over]
    return found


async def stretch(table: Party) -> int:
    for acted in range(STRETCH):
        if table.over:
            return acted
        await table.act()
    return STRETCH


async def bytes_of(start: Start) -> float:
    """Per viewer and action, at a few tables."""
    with start() as server:
        tables = await server.join(WARM)
        return (await play(tables, WARM_SECONDS)).bytes


async def fitted(peer: type[theirs.Peer], folder: Path, wanted: float) -> Start:
    """A peer with as many cards on its table as make its views as large as ours."""
    none, hundred = [await bytes_of(partial(peer, folder, pile)) for pile in (0, 100)]
    pile = max(0, round((wanted - none) / (hundred - none) * 100))
    return partial(peer, folder, pile)


# --- the run -------------------------------------------------------------------------------------


class Bench:
    """All that is measured, in the order in which it is."""

    def __init__(self, asked: argparse.Namespace, folder: Path) -> None:
        self.asked = asked
        self._folder = folder
        self._files = 0
        self.rows: list[Row] = []
        self.lengths: list[dict[str, float]] = []
        #: Why a peer, or one of our own runs, is not among them.
        self.missing: dict[str, str] = {}
        self._began = time.monotonic()

    def say(self, text: str) -> None:
        print(f"{time.monotonic() - self._began:5.0f} s  {text}", file=sys.stderr, flush=True)

    def capolinea(self) -> Server:
        self._files += 1
        return ours.Capolinea(self._folder / f"{self._files}.db")

    async def run(self) -> None:
        contestants = {"capolinea": self.capolinea, **await self._peers()}
        for repetition in range(self.asked.repetitions):
            for tables in self.asked.tables:
                for name, start in contestants.items():
                    self.say(f"{name}: {tables} tables ({repetition + 1})")
                    await self._measure(name, start, tables)
        if self.asked.length:
            self.say("capolinea: long matches")
            self.lengths = await by_length(self.capolinea, self.asked.beside)
        for idle in self.asked.idle:
            self.say(f"capolinea: beside {idle} idle tables")
            database = self._folder / f"idle-{idle}.db"
            await ours.fill(database, idle)
            start = partial(ours.Capolinea, database)
            await self._measure("capolinea", start, self.asked.beside, idle)

    async def _measure(self, name: str, start: Start, tables: int, idle: int = 0) -> None:
        asked = self.asked
        try:
            self.rows += await measured(start, tables, idle, asked.seconds, asked.rate)
        except Failed as failure:
            where = f"{tables} tables" + (f" beside {idle} idle" if idle else "")
            self.missing[f"{name}, {where}"] = str(failure)
            self.say(str(failure))

    async def _peers(self) -> dict[str, Start]:
        if self.asked.alone:
            return {}
        try:
            folder = theirs.installed()
        except Failed as failure:
            self.missing["peers"] = str(failure)
            self.say(f"Ours alone: {failure}")
            return {}
        self.say("how large a view is")
        wanted = await bytes_of(self.capolinea)
        peers = (theirs.BoardgameIo, theirs.Colyseus)
        return {peer.name: await fitted(peer, folder, wanted) for peer in peers}


def medians(rows: list[Row]) -> list[Row]:
    """One row for each server and load, in the order of loads."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for one in sorted(rows, key=lambda one: (one.idle, one.tables, one.load)):
        groups.setdefault((*one.place, one.server), []).append(one)
    numbers = [field.name for field in fields(Row)][4:]
    return [
        Row(
            group[0].server,
            *group[0].place,
            **{name: median(getattr(one, name) for one in group) for name in numbers},
        )
        for group in groups.values()
    ]


def ratios(rows: list[Row]) -> Iterator[dict[str, Any]]:
    """Ours divided by each peer's, under the same load."""
    mine = {one.place: one for one in rows if one.server == "capolinea"}
    for one in rows:
        if one.server != "capolinea" and one.place in mine:
            own = mine[one.place]
            yield {
                "tables": one.tables,
                "load": one.load,
                "peer": one.server,
                **{name: ratio(own, one, name) for name in COMPARED},
            }


def ratio(mine: Row, theirs: Row, name: str) -> float | None:
    """None where there is nothing to compare with: a table that fits into what a process has in reserve
    takes no more memory."""
    divisor: float = getattr(theirs, name)
    return None if divisor <= LEAST.get(name, 0) else getattr(mine, name) / divisor


# --- showing it ----------------------------------------------------------------------------------


def table(found: dict[str, Any]) -> Iterator[str]:
    yield f"Capolinea ({'compiled' if found['compiled'] else 'pure Python'}), synchronous=FULL"
    yield "limits lifted: " + ", ".join(f"--{name} {value}" for name, value in ours.LIFTED.items())
    yield (
        f"\n{'tables':>6}  {'idle':>6}  {'load':<9} {'server':<13}{'CPU/action':>11}{'actions/s':>11}"
        f"{'p50':>11}{'p99':>11}{'bytes':>7}{'kB joined':>11}{'played':>8}{'start':>8}{'generator':>11}"
    )
    for one in found["rows"]:
        yield (
            f"{one['tables']:>6}  {one['idle']:>6}  {one['load']:<9} {one['server']:<13}"
            f"{one['cpu']:>8,.0f} µs{one['rate']:>11,.0f}{one['p50']:>8,.1f} ms{one['p99']:>8,.1f} ms"
            f"{one['bytes']:>7,.0f}{one['joined']:>11,.0f}{one['played']:>8,.0f}{one['start']:>6,.1f} s"
            f"{one['generator']:>9.0%}"
        )
    if found["ratios"]:
        yield f"\n{'ours / theirs':<32}" + "".join(f"{name:>9}" for name in COMPARED)
    for one in found["ratios"]:
        cells = ["–" if one[name] is None else f"{one[name]:.2f}" for name in COMPARED]
        where = f"{one['tables']:>6}  {one['load']:<9} {one['peer']:<14}"
        yield where + "".join(f"{cell:>9}" for cell in cells)
    if found["lengths"]:
        first = found["lengths"][0]["cpu"]
        yield "\nours, from the so-manieth action of each match on"
    for one in found["lengths"]:
        yield f"{one['from'] + 1:>6}  {one['cpu']:>8,.0f} µs   ×{one['cpu'] / first:.2f}"
    for what, why in found["missing"].items():
        yield f"{what}: {why}"


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    number = partial(parser.add_argument, type=int, metavar="N")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--alone", action="store_true", help="ours without peers")
    parser.add_argument("--length", action="store_true", help="ours, as matches become longer")
    parser.add_argument("--quick", action="store_true", help="does it work at all?")
    number("--tables", nargs="*", default=[20, 100, 400])
    number("--idle", nargs="*", default=[2000, 10_000], help="tables that nobody is at, ours alone")
    number("--repetitions", default=2)
    number("--rate", default=200, help="actions a second of all thinking players together")
    parser.add_argument("--seconds", type=float, default=5, help="how long each load lasts")
    asked = parser.parse_args()
    asked.beside = BESIDE_IDLE
    if asked.quick:
        asked.tables, asked.idle, asked.beside = [5], [10], 5
        asked.repetitions, asked.seconds = 1, 0.2
    return asked


def main() -> int:
    asked = parsed()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="capolinea-bench-") as folder:
        bench = Bench(asked, Path(folder))
        asyncio.run(bench.run())
    rows = medians(bench.rows)
    found = {
        "compiled": ours.build()[1],
        "cores": len(CORES),
        "limits": ours.LIFTED,
        "rows": [asdict(one) for one in rows],
        "lengths": bench.lengths,
        "ratios": list(ratios(rows)),
        "missing": bench.missing,
    }
    print(json.dumps(found, indent=2) if asked.json else "\n".join(table(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
