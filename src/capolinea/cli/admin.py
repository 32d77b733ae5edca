"""`capolinea admin`: look after the matches that are kept, while the server runs or without it."""

from __future__ import annotations

import asyncio
import json
import os
import time
from argparse import Namespace
from pathlib import Path
from typing import Any

import msgspec

from capolinea.cli import check
from capolinea.cli.files import write
from capolinea.cli.table import table
from capolinea.cli.voice import Voice
from capolinea.engine.problems import Problem
from capolinea.engine.record import dumps
from capolinea.server import documents, sqlite, sqlite_file
from capolinea.server.fold import decode_header
from capolinea.server.replays import record_of
from capolinea.server.settings import Settings
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import DropMatch, EndMatch, MatchRow, StoreFailed
from capolinea.server.troubles import DAMAGED

DAY = 24 * 3600 * 1000
#: SQLite sees damage to its own pages, but not to what stands in them.
DAMAGE = (msgspec.MsgspecError, AttributeError, TypeError, ValueError, ArithmeticError)
STATES = {"running": "admin.running", "over": "admin.over", "frozen": "admin.frozen"}


def run(asked: Namespace, voice: Voice) -> int:
    db = asked.db or Settings.load({}, os.environ).db
    if asked.task == "backup":
        sqlite_file.backup(sqlite.path_of(db), Path(asked.to))
        print(voice("admin.backed-up", file=asked.to))
    elif asked.task == "check":
        return check.run(sqlite.path_of(db), voice, asked.json)
    else:
        try:
            asyncio.run(_with_store(sqlite.open_store(db, beside=True), asked, voice))
        except StoreFailed as failure:
            raise failure.problem or failure from failure
        except DAMAGE as error:
            raise Problem(DAMAGED, file=db) from error
    return 0


async def _with_store(store: SqliteStore, asked: Namespace, voice: Voice) -> None:
    await store.open()
    try:
        match asked.task:
            case "list":
                _list(await store.matches(), voice, asked.json)
            case "export":
                await _export(store, asked.match, asked.to, voice)
            case "close":
                await _close(store, asked.match, voice)
            case "purge":
                await _purge(store, asked.days, voice)
    finally:
        await store.close()


def _list(rows: list[MatchRow], voice: Voice, as_json: bool) -> None:
    found = [_described(row) for row in rows]
    if as_json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
    elif not found:
        print(voice("admin.none"))
    else:
        lines = [
            [
                one["id"],
                one["title"],
                str(len(one["seats"])),
                voice(STATES[one["state"]]),
                one["began"],
            ]
            for one in found
        ]
        print("\n".join(table(lines, numbers=[2])))


def _described(row: MatchRow) -> dict[str, Any]:
    """A match in a list: what a host needs, and nobody's cards."""
    title, seats = _heading(row)
    state = "frozen" if row.frozen else "running" if row.ended is None else "over"
    began = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.began / 1000))
    return {
        "id": row.id,
        "title": title,
        "seats": seats,
        "state": state,
        "began": began,
    }


def _heading(row: MatchRow) -> tuple[str, list[str]]:
    """The title and who plays; of what cannot be read it is listed that it is there."""
    try:
        header = decode_header(row.header)
    except documents.UNREADABLE:
        return "?", []
    return header.title, header.seats


async def _found(store: SqliteStore, id: str) -> MatchRow:
    row = await store.match(id)
    if row is None:
        raise Problem("admin.unknown", id=id)
    return row


async def _export(store: SqliteStore, id: str, to: str, voice: Voice) -> None:
    store.check_not_ours(Path(to))
    row = await _found(store, id)
    rows = await store.entries(id)
    record = record_of(row, rows)
    if row.ended is None:
        # The host sees what a player would see of it: not the deal.
        raise Problem("match.running")
    write(to, dumps(record))
    if len(record.entries) < len(rows):
        raise Problem("admin.cut-off", file=to, entry=len(record.entries))
    print(voice("admin.exported", file=to))


async def _close(store: SqliteStore, id: str, voice: Voice) -> None:
    """A server that runs takes notice of it within seconds."""
    await _found(store, id)
    try:
        await store.write(EndMatch(id, _now()))
    except StoreFailed as failure:
        if failure.problem is None:  # the store is well: it will not have it from us
            raise Problem("match.newer-server") from failure
        raise
    print(voice("admin.closed", id=id))


async def _purge(store: SqliteStore, days: int, voice: Voice) -> None:
    """Only what is over: nobody's game is lost."""
    old = await store.ended_before(_now() - days * DAY, _now())
    await store.write(*(DropMatch(id) for id in old))
    print(voice("admin.purged", matches=len(old)))


def _now() -> int:
    return time.time_ns() // 1_000_000
