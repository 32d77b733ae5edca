"""Rows for a store, and a store that is open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import (
    AddEntries,
    ChatRow,
    EntryRow,
    MatchRow,
    Store,
)


@asynccontextmanager
async def opened(path: Path, kind: type[SqliteStore] = SqliteStore) -> AsyncIterator[SqliteStore]:
    store = kind(path)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def row(id: str = "m1", began: int = 1, room: str = "ABCD") -> MatchRow:
    return MatchRow(id, room, b'{"seed":"x"}', began)


def entry(n: int) -> EntryRow:
    return EntryRow(n, b'{"n":%d}' % n, b"hash%d" % n, f"c{n}")


def add(n: int, match: str = "m1") -> AddEntries:
    return AddEntries(match, [entry(n)])


def line(n: int, match: str = "") -> ChatRow:
    return ChatRow(n, match, b'"ciao"')


async def numbers(store: Store, match: str = "m1") -> list[int]:
    return [row.n for row in await store.entries(match)]
