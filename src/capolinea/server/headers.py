"""The header of a match as a store keeps it. Data of somebody's own lie beside it, once for all matches
and rooms that have them: who begins a hundred matches with one pack fills the disk with one."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import msgspec

from capolinea.server.store import NotRead

#: Where a record has the content of data, and what stands there instead: the hash of it.
CONTENT, BESIDE = "content", "beside"

#: What data were used, by their kinds; each part of it as it is written.
_Used = dict[str, dict[str, msgspec.Raw]]


def part(header: bytes) -> tuple[bytes, dict[str, bytes]]:
    """A header without such data, and these by their hashes."""
    try:
        fields, used = _read(header)
    except msgspec.MsgspecError:  # what nobody can read stays as it is
        return header, {}
    own: dict[str, bytes] = {}
    for kind, parts in used.items():
        if CONTENT in parts:
            content = bytes(parts[CONTENT])
            hash = sha256(content).hexdigest()
            own[hash] = content
            used[kind] = _exchanged(parts, CONTENT, BESIDE, msgspec.json.encode(hash))
    return (_written(fields, used), own) if own else (header, {})


def is_parted(header: object) -> bool:
    """Whether something may lie beside it. In a damaged file it may be anything."""
    return isinstance(header, bytes) and f'"{BESIDE}"'.encode() in header


def join(header: bytes, own: Mapping[str, bytes]) -> bytes:
    """What was parted, as it was."""
    try:
        fields, used = _read(header)
    except msgspec.MsgspecError:
        return header
    for kind, parts in used.items():
        if BESIDE in parts:
            hash = msgspec.json.decode(parts[BESIDE], type=str)
            if hash not in own:
                raise NotRead(f"there is no data {hash}")
            used[kind] = _exchanged(parts, BESIDE, CONTENT, own[hash])
    return _written(fields, used)


def _read(header: bytes) -> tuple[dict[str, msgspec.Raw], _Used]:
    fields = msgspec.json.decode(header, type=dict[str, msgspec.Raw])
    return fields, msgspec.json.decode(fields.get("data", b"{}"), type=_Used)


def _written(fields: dict[str, msgspec.Raw], used: _Used) -> bytes:
    changed = {"data": msgspec.Raw(msgspec.json.encode(used))} if used else {}
    return msgspec.json.encode({**fields, **changed})


def _exchanged(
    parts: dict[str, msgspec.Raw], before: str, after: str, value: bytes
) -> dict[str, msgspec.Raw]:
    """One part in the place of another: nothing else moves."""
    new = msgspec.Raw(value)
    return {
        after if name == before else name: new if name == before else old
        for name, old in parts.items()
    }
