"""Documents in the store that outlive the program that wrote them.

A newer server may write more into one than we know of. It stays in there: whoever goes back a version,
or has two at work, loses nothing.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Self, TypeVar, get_args, get_origin

import msgspec

#: What reading raises of something that is damaged, or that a newer server writes in another way.
UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)


class Document(msgspec.Struct, kw_only=True):
    """A document, or a part of one that moves about in it and takes along what it has."""

    #: What stands in it that is no field of ours; also, by their names, of parts that are no Documents.
    unknown: dict[str, Any] = {}


class Beside:
    """Something large that a document has only the hash of: the store keeps it beside. It never changes,
    so copies of the document share it."""

    __slots__ = ("content", "hash")

    def __init__(self, hash: str, content: Any = None) -> None:
        self.hash = hash
        #: As JSON has it; None before it was fetched.
        self.content = content

    @classmethod
    def of(cls, content: Any) -> Self:
        return cls(sha256(msgspec.json.encode(content)).hexdigest(), content)

    def written(self) -> bytes:
        return msgspec.json.encode(self.content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Beside) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)


D = TypeVar("D", bound=Document)


def read(doc: bytes, kind: type[D]) -> D:
    """A document as it was written, by us or by a newer server; raises one of UNREADABLE."""
    known, _ = _parted(msgspec.json.decode(doc), kind)
    return msgspec.convert(known, kind, dec_hook=_beside)


def write(document: Document) -> bytes:
    return msgspec.json.encode(_joined(document))


def _beside(kind: type, value: Any) -> Beside:
    """What lies beside by its hash; once documents had it in them."""
    assert kind is Beside
    return Beside(value) if isinstance(value, str) else Beside.of(value)


def _hash(value: Any) -> str:
    assert isinstance(value, Beside)
    return value.hash


def _parted(value: Any, kind: Any) -> tuple[Any, dict[str, Any]]:
    """What we know of a value that should be of this kind, and what we do not."""
    struct = _struct(kind)
    if struct is not None and isinstance(value, list):
        parts = [_parted(item, struct) for item in value]
        # Those that are no Documents are told apart by their id.
        rest = {known.get("id"): unknown for known, unknown in parts if unknown}
        return [known for known, _ in parts], rest
    if struct is None or not isinstance(value, dict):
        return value, {}
    fields = {field.name: field.type for field in msgspec.structs.fields(struct)}
    known: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for name, inner in value.items():
        if name not in fields:
            unknown[name] = inner
            continue
        known[name], rest = _parted(inner, fields[name])
        if rest:
            unknown[name] = rest
    if issubclass(struct, Document):
        return {**known, "unknown": unknown}, {}
    return known, unknown


def _struct(kind: Any) -> type[msgspec.Struct] | None:
    """What a field holds one of, perhaps, or a list of."""
    if get_origin(kind) is not dict:
        for one in (kind, *get_args(kind)):
            if isinstance(one, type) and issubclass(one, msgspec.Struct):
                return one
    return None


def _joined(value: Any) -> Any:
    """A value as JSON, with what we do not know of back in its place."""
    if isinstance(value, list):
        return [_joined(item) for item in value]
    if not isinstance(value, Document):
        return msgspec.to_builtins(value, enc_hook=_hash)
    plain = {name: _joined(getattr(value, name)) for name in value.__struct_fields__}
    _put_back(plain, plain.pop("unknown"))
    return plain


def _put_back(plain: dict[str, Any], unknown: dict[str, Any]) -> None:
    for name, rest in unknown.items():
        match plain.get(name):
            case None:
                plain[name] = rest
            case dict() as inner:
                _put_back(inner, rest)
            case list() as items:
                for item in items:
                    _put_back(item, rest.get(item.get("id"), {}))
