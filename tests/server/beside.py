"""The file of a store, read and changed behind the server's back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def rows(file: Path, sql: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        return db.execute(sql, values).fetchall()


def change(file: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(file)) as db, db:
        assert db.execute(sql, values).rowcount == 1
