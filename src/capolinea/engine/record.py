"""A match as it is kept: what it was set up with, every entry, and how it ended.

A record is the match; the state is only the record folded through the rules. It has two written forms:
one JSON document, with an entry a line, and a stream of JSON lines (a header, the entries, an end) for
a match that is still going on. Both are stable: the same record gives the same bytes.

With every entry stands its check: what the state is known by after it. Other rules that lead to the
same checks are as good as those it was played by, and where they lead elsewhere one sees from which
entry on. Records of version 1 have no checks.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Annotated, Any

import msgspec

from capolinea.engine.chance import Deal
from capolinea.engine.problems import Problem
from capolinea.engine.result import Result
from capolinea.engine.text import cleaned, unclean

FORMAT = "capolinea-record"
VERSION = 2


class _Entry(
    msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind"
):
    """The base of all entries."""

    seat: int


class Move(_Entry, frozen=True, tag="move"):
    """What a seat did: one step, or all steps of a compound choice. The only kind that rules see."""

    do: list[dict[str, Any]]
    #: Milliseconds since the match began; simulated matches have no time.
    at: int | None = None


class Undo(_Entry, frozen=True, tag="undo"):
    """A seat takes back its entry number `to` and every move since."""

    to: int
    #: Everybody agreed to go back beyond a barrier.
    agreed: bool = False
    at: int | None = None


class Say(_Entry, frozen=True, tag="say"):
    """Something said in the title's own typed form; shown to all, never read by the rules."""

    said: Any
    at: int | None = None


class Control(_Entry, frozen=True, tag="control"):
    """Who plays this seat from now on: "person", "bot" (with its name) or "clock"."""

    by: str
    name: str = ""
    at: int | None = None


Entry = Move | Undo | Say | Control


class DataUsed(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A set of data that a match was played with; `content` only if it is not built in."""

    name: str
    sha256: str
    content: Any = None


class Record(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A whole match."""

    format: str
    version: int
    title: str
    rules: str
    data: dict[str, DataUsed] = {}
    options: dict[str, Any]
    seats: list[str]
    #: SHA-256 of the seed, published when the match starts …
    seed_hash: str = ""
    #: … and the seed, published when it ends. Both in hex.
    seed: str = ""
    #: Instead of a seed: the outcomes of chance themselves.
    deal: Deal | None = None
    entries: list[Entry] = []
    #: One for each entry, or none at all in version 1; written beside the entries.
    checks: list[str] = []
    result: Result | None = None


class End(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag="end",
    tag_field="kind",
):
    """The last line of a stream."""

    seed: str = ""
    result: Result | None = None


class RecordProblem(Problem):
    """A record that cannot be read, or does not fold: `key` says what, the arguments say where."""


def check_of(key: bytes) -> str:
    """What a state with this key is known by."""
    return sha256(key).hexdigest()[:32]


def altered(record: Record, **changes: Any) -> Record:
    """A record with something changed. What was known of it before, its checks and its result, may not
    hold any more and is left out."""
    return msgspec.structs.replace(record, version=1, checks=[], **{"result": None, **changes})


# --- writing -----------------------------------------------------------------------------------


def dumps(record: Record) -> str:
    """The record as one document, an entry a line."""
    built = msgspec.to_builtins(record)
    entries = _with_checks(built)
    result = built.pop("result", None)
    lines = [f"  {_compact(name)}: {_compact(value)}" for name, value in built.items()]
    listed = ",\n".join(f"    {_compact(entry)}" for entry in entries)
    lines.append(f'  "entries": [\n{listed}\n  ]' if entries else '  "entries": []')
    if result is not None:
        lines.append(f'  "result": {_compact(result)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def dumps_lines(record: Record) -> str:
    """The record as a stream of lines."""
    built = msgspec.to_builtins(record)
    entries = _with_checks(built)
    built.pop("result", None)
    lines = [built, *entries]
    if record.result is not None:
        # As it happens: the seed is published with the result.
        lines.append(msgspec.to_builtins(End(built.pop("seed", ""), record.result)))
    return "".join(_compact(line) + "\n" for line in lines)


def _with_checks(built: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries as they are written, taken out of a record."""
    entries, checks = built.pop("entries", []), built.pop("checks", [])
    if not checks:
        return list(entries)
    return [{**entry, "check": check} for entry, check in zip(entries, checks, strict=True)]


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


# --- reading -----------------------------------------------------------------------------------


def loads(text: str | bytes) -> Record:
    """A record from either written form, whole or not at all; a RecordProblem says what is wrong."""
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordProblem("record.not-text", byte=error.start) from None
    if not text.strip():
        raise RecordProblem("record.empty")
    first = text.lstrip().split("\n", 1)[0]
    header = _parsed(first)
    if isinstance(header, dict) and "entries" not in header:
        return _from_lines(text)
    try:
        whole = _strict(text)
    except json.JSONDecodeError as error:
        if not text[error.pos :].strip():
            raise RecordProblem("record.cut-off", line=error.lineno) from None
        raise RecordProblem("record.damaged", line=error.lineno, column=error.colno) from None
    except (ValueError, RecursionError):
        raise RecordProblem("record.foreign") from None
    _recognise(whole)
    checks: list[str] = []
    if whole["version"] > 1:
        checks = [one.check for one in _typed(whole, _AllChecked, "").entries]
        whole["entries"] = [_without_check(entry) for entry in whole["entries"]]
    record: Record = _typed(whole, Record, "")
    record.checks = checks
    return record


def _from_lines(text: str) -> Record:
    lines = text.split("\n")
    ended = lines.pop() == ""
    record: Record | None = None
    entries: list[Entry] = []
    checks: list[str] = []
    end: End | None = None
    for number, line in enumerate(lines, 1):
        value = _parsed(line)
        if value is _BROKEN:
            raise RecordProblem("record.damaged", line=number, column=1)
        if record is None:
            _recognise(value)
            record = _typed(value, Record, str(number))
        elif end is not None:
            raise RecordProblem("record.after-end", line=number)
        elif isinstance(value, dict) and value.get("kind") == "end":
            end = _typed(value, End, str(number))
        else:
            if record.version > 1:
                checks.append(_typed(value, _Checked, str(number)).check)
                value = _without_check(value)
            entries.append(_typed(value, Entry, str(number)))
    if not ended:
        raise RecordProblem("record.cut-off", line=len(lines) + 1)
    assert record is not None
    record.entries, record.checks = entries, checks
    if end is not None:
        record.seed = end.seed or record.seed
        record.result = end.result
    return record


class _Checked(msgspec.Struct):
    """An entry as it is written, of which only the check is read."""

    check: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]


class _AllChecked(msgspec.Struct):
    entries: list[_Checked]


def _without_check(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "check"}


_BROKEN = object()


def _parsed(line: str) -> Any:
    try:
        return _strict(line)
    except (ValueError, RecursionError):
        return _BROKEN


def _strict(text: str) -> Any:
    """JSON as the standard has it: no NaN, and no name twice."""
    return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _recognise(value: Any) -> None:
    """Only a record of ours, and of a version that we know."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise RecordProblem("record.foreign")
    version = value.get("version")
    if type(version) is not int or version < 1:
        raise RecordProblem("record.field", where="version", detail=repr(version))
    if version > VERSION:
        raise RecordProblem("record.future", version=version, known=VERSION)
    if "checks" in value:  # written, they stand at the entries
        detail = "Object contains unknown field `checks`"
        raise RecordProblem("record.field", where="–", detail=detail)


def _clean(value: Any) -> Any:
    """With texts that can be shown to anybody. Data is known by its hash, and by its name in the
    options: these stay as they are, or out."""
    known = ("data", "options") if isinstance(value, dict) else ()
    kept = {name: value[name] for name in known if name in value}
    try:
        where, found = unclean(kept), cleaned(value)
    except RecursionError:
        raise RecordProblem("record.foreign") from None
    if where:
        raise RecordProblem("record.text", where=where)
    return {**found, **kept} if kept else found


def _typed(value: Any, kind: Any, line: str) -> Any:
    value = _clean(value)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        detail, _, path = str(error).partition(" - at ")
        where = re.sub(r"[`$]\.?", "", path) or "–"
        if line:
            raise RecordProblem("record.line", line=int(line), where=where, detail=detail) from None
        raise RecordProblem("record.field", where=where, detail=detail) from None


# --- comparing ---------------------------------------------------------------------------------


def compare(written: Result, folded: Result | None) -> None:
    """Raise a RecordProblem if a match did not end as its record says."""
    if folded is None:
        raise RecordProblem("record.not-over", ending=written.ending)
    difference = first_difference(msgspec.to_builtins(written), msgspec.to_builtins(folded))
    if difference is not None:
        where, one, other = difference
        raise RecordProblem("record.result", where=where, written=one, folded=other)


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
