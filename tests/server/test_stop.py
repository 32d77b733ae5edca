"""A server that is told to stop asks nobody, and does nothing for anybody.

Whoever stops it may tell all its processes at once, as systemd does: bots that think die with the
server or before it, and that is no answer.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from capolinea.client import Client
from capolinea.engine.record import Move
from capolinea.server.fold import decode_entry
from capolinea.server.protocol import Clock
from tests.cli.test_serve import serving
from tests.server.hourglass import House, at, later
from tests.server.mail import LETTER, PARCEL, dealt, load

LONG = bool(os.environ.get("CAPOLINEA_LONG"))
THINKER = Path(__file__).with_name("thinker.py")
TABLES = 3
HOUR = 3600


# --- everything is told to stop ------------------------------------------------------------------


async def begin(url: str) -> None:
    """Some tables at which bots alone play, and think for as long as there is a server."""
    async with Client(url) as client:
        for _ in range(TABLES):
            bots = ["thinker"] * 3
            await client.create("night-mail", bots=bots, watch=True, start=True)


def family(pid: int) -> list[int]:
    """A process and all that it started, and they started."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def until(condition: Callable[[], bool]) -> None:
    end = monotonic() + 60
    while not condition():
        assert monotonic() < end
        sleep(0.002)


def stored(db: Path) -> list[Any]:
    with closing(sqlite3.connect(db)) as store:
        return [decode_entry(entry) for (entry,) in store.execute("SELECT entry FROM entries")]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=lambda how: how.name)
@pytest.mark.parametrize("seed", range(20 if LONG else 4))
async def test_bots_that_think_when_everything_is_told_to_stop(
    tmp_path: Path, seed: int, how: signal.Signals
) -> None:
    """At whatever moment: while their processes start, or think, in whatever order they hear of it."""
    rng = random.Random(f"{seed} {how}")
    db = tmp_path / "capolinea.db"
    bots = f"thinker={sys.executable} {THINKER} {tmp_path}"
    flags = ["--bots", bots, "--bot-pause", "0", "--bot-limit", "3600", "--bot-workers", "2"]
    with serving(db, *flags) as (url, process):
        await begin(url)
        processes, thinking = rng.randrange(1, 5), rng.randrange(2)
        until(lambda: len(family(process.pid)) >= processes)
        until(lambda: len(list(tmp_path.glob("*.thinking"))) >= thinking)
        told = family(process.pid)
        rng.shuffle(told)
        for pid in told:
            with suppress(ProcessLookupError):
                os.kill(pid, how)
        process.wait(60)
    entries = stored(db)
    assert len(entries) == 3 * TABLES  # that bots play there
    assert [entry for entry in entries if isinstance(entry, Move)] == []


# --- from that moment on -------------------------------------------------------------------------


async def house() -> House:
    made = House("night-mail", 2, Clock("relaxed", turn=60, window=10), grace=60)
    await made.open(bots=1)
    await made.begin(dealt([[PARCEL, LETTER, LETTER], [LETTER] * 3, [LETTER] * 3]))
    return made


@at(house)
async def test_no_clock_runs_and_no_bot_plays_for_who_is_gone(house: House) -> None:
    first, second = house.chairs
    kept = house.store.entries_[house.table.row.id]
    before = len(kept)
    await second.go()
    await later(59)
    house.hub.stop()
    await later(HOUR)
    assert len(kept) == before
    # What somebody still does counts, and leads to nothing that goes on by itself.
    await first.do(load("letter"))
    await first.go()
    await later(HOUR)
    assert len(kept) == before + 1
    assert house.lounge.room.playing


@at(house)
async def test_a_table_that_begins_then_has_no_clock(house: House) -> None:
    house.hub.stop()
    await house.command(0, {"do": "abandon"})
    await house.command(1, {"do": "ready"})
    await house.command(0, {"do": "start"})
    await later(HOUR)
    entries = house.store.entries_[house.table.row.id]
    assert [one for one in map(_decoded, entries) if isinstance(one, Move)] == []


def _decoded(row: Any) -> Any:
    return decode_entry(row.entry)
