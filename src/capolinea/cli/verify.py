"""`capolinea verify`: replay records, and see whether they are what they say."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any

from capolinea.cli.files import read, title_of
from capolinea.cli.voice import Voice
from capolinea.engine.match import Match
from capolinea.engine.problems import Problem
from capolinea.engine.record import Record
from capolinea.lab.progress import Progress


def run(asked: Namespace, voice: Voice) -> int:
    """All files are looked at, whatever is wrong with some; of each, the first fault is told."""
    found: list[dict[str, Any]] = []
    with Progress(len(asked.files), voice("verify.reading")) as progress:
        for number, file in enumerate(asked.files):
            found.append(_verdict(file, asked.title, voice))
            progress(number + 1)
    if asked.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_told(verdict, voice) for verdict in found))
        print(voice("verify.sum", files=len(found), bad=sum(not one["ok"] for one in found)))
    return 0 if all(verdict["ok"] for verdict in found) else 1


def _verdict(file: str, foreign: str | None, voice: Voice) -> dict[str, Any]:
    try:
        record = read(file)
        voice = Voice(voice.lang, title_of(record, foreign), record.seats)
        verify(record, foreign)
    except Problem as problem:
        return {"file": file, "ok": False, "key": problem.key, "why": voice.problem(problem)}
    return {
        "file": file,
        "ok": True,
        "title": record.title,
        "entries": len(record.entries),
        "over": record.result is not None,
    }


def verify(record: Record, foreign: str | None = None) -> None:
    """Fold a record: its seed must be the one promised, every entry allowed, and the result what
    comes out. A Problem tells of the first thing that is not so."""
    result = Match.fold(title_of(record, foreign), record).result()
    if record.result is None and result is not None:
        raise Problem("verify.no-result", ending=result.ending)


def _told(verdict: dict[str, Any], voice: Voice) -> str:
    if not verdict["ok"]:
        return voice("verify.bad", file=verdict["file"], why=verdict["why"])
    key = "verify.good" if verdict["over"] else "verify.good.unfinished"
    return voice(key, file=verdict["file"], entries=verdict["entries"])
