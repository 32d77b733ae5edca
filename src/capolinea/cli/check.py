"""`capolinea admin check`: whether this program leads every match of a store where it went, and has all
that rooms are set up with.

To be asked before an upgrade, of the new program, while the old one serves. It looks at a copy, which
it brings up to date as a server would: nothing is changed, and nobody has to wait.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from capolinea import games
from capolinea.cli.voice import Voice
from capolinea.engine.game import Game
from capolinea.engine.match import Match
from capolinea.engine.problems import Problem
from capolinea.lab.progress import Progress
from capolinea.server import documents, sqlite_file
from capolinea.server.fold import Fold, header_of, stored_record
from capolinea.server.rooms import Room
from capolinea.server.set_up import check_options
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import EntryRow, MatchRow

Finding = dict[str, Any]


def run(db: Path, voice: Voice, as_json: bool) -> int:
    """Tell what would freeze or could not be shown, and which rooms could not begin; 1 if there is any."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        sqlite_file.backup(db, copy)
        matches, found, rooms = asyncio.run(_looked_at(SqliteStore(copy), voice))
    if as_json:
        report = {"matches": matches, "found": found, "rooms": rooms}
        print(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        for one in [*rooms, *found]:
            print(voice(one["key"], **one))
        print(voice("check.sum", matches=matches, bad=len(found)))
    return 1 if found or rooms else 0


async def _looked_at(store: SqliteStore, voice: Voice) -> tuple[int, list[Finding], list[Finding]]:
    """How many matches there are, and what is to be said of them and of rooms."""
    found = []
    await store.open()
    try:
        rooms = [_unfit(code, doc, voice) for code, doc in await store.rooms()]
        rows = await store.matches()
        with Progress(len(rows), voice("verify.reading")) as progress:
            for number, row in enumerate(rows):
                finding = _finding(row, await store.entries(row.id), voice)
                found += [finding] if finding else []
                progress(number + 1)
    finally:
        await store.close()
    return len(rows), found, [finding for finding in rooms if finding]


def _unfit(code: str, doc: bytes, voice: Voice) -> Finding | None:
    """What a room is set up with that this program does not have, if there is something."""
    try:
        check_options(documents.read(doc, Room).chosen())
    except Problem as problem:
        return {"key": "check.room", "id": code, "why": voice.problem(problem)}
    except Exception as error:  # whatever is wrong with one, the others are looked at
        return {"key": "check.unreadable", "id": code, "why": str(error)}
    return None


def _finding(row: MatchRow, rows: list[EntryRow], voice: Voice) -> Finding | None:
    """What this program could not do with a match, if there is something."""
    try:
        title = header_of(row).title
        reach = _reach(games.load(title), row, rows)
    except Exception as error:  # whatever is wrong with one, the others are looked at
        why = voice.problem(error) if isinstance(error, Problem) else str(error)
        return {"key": "check.unreadable", "id": row.id, "why": why}
    if reach == len(rows):
        return None
    key = "check.freezes" if row.ended is None else "check.shown-to"
    return {"key": key, "id": row.id, "title": title, "entry": reach, "entries": len(rows)}


def _reach(game: Game, row: MatchRow, rows: list[EntryRow]) -> int:
    """How many entries lead where they led. Of a running match also what each viewer is shown, as a
    server needs it; of one that is over, which may be one of thousands, that would take too long."""
    if row.ended is None:
        return len(Fold.of(game, row, rows).match.entries)
    return Match.reach(game, stored_record(row, rows))[1]
