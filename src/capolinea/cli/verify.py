"""`capolinea verify`: replay records, and see whether they are what they say."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any

import msgspec

from capolinea.cli.files import read, title_of
from capolinea.cli.voice import Voice
from capolinea.engine.match import Match
from capolinea.engine.problems import Problem
from capolinea.engine.record import Record
from capolinea.engine.result import Result
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
    match = Match.fold(title_of(record, foreign), record)
    _compare(record.result, match.result())


def _compare(written: Result | None, folded: Result | None) -> None:
    if written is None and folded is not None:
        raise Problem("verify.no-result", ending=folded.ending)
    if written is not None and folded is None:
        raise Problem("verify.not-over", ending=written.ending)
    difference = first_difference(msgspec.to_builtins(written), msgspec.to_builtins(folded))
    if difference is not None:
        where, one, other = difference
        raise Problem("verify.result", where=where, written=one, folded=other)


def first_difference(one: Any, other: Any, where: str = "") -> tuple[str, str, str] | None:
    """Where two JSON values first differ, and what each has there.

    >>> first_difference({"a": [1, 2]}, {"a": [1, 3]})
    ('a.1', '2', '3')
    """
    if isinstance(one, dict) and isinstance(other, dict):
        parts = [
            (name, one.get(name), other.get(name)) for name in sorted(one.keys() | other.keys())
        ]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        parts = [(str(n), a, b) for n, (a, b) in enumerate(zip(one, other, strict=True))]
    elif one == other:
        return None
    else:
        return where, _brief(one), _brief(other)
    for name, a, b in parts:
        found = first_difference(a, b, f"{where}.{name}".lstrip("."))
        if found is not None:
            return found
    return None


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"


def _told(verdict: dict[str, Any], voice: Voice) -> str:
    if not verdict["ok"]:
        return voice("verify.bad", file=verdict["file"], why=verdict["why"])
    key = "verify.good" if verdict["over"] else "verify.good.unfinished"
    return voice(key, file=verdict["file"], entries=verdict["entries"])
