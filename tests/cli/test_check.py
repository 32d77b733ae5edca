"""`capolinea admin check`: what an upgrade would do to the matches of a store, told before it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from capolinea.cli import main
from capolinea.words import languages

STORES = sorted((Path(__file__).parents[1] / "fixtures/stores").glob("*.sql"))
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return restored(STORES[0], tmp_path)


def restored(file: Path, folder: Path) -> Path:
    path = folder / "capolinea.db"
    with closing(sqlite3.connect(path)) as store:
        store.executescript(file.read_text("utf-8"))
    return path


def change(db: Path, sql: str) -> None:
    with closing(sqlite3.connect(db)) as store, store:
        store.execute(sql)


@pytest.mark.parametrize("file", STORES, ids=lambda file: file.stem)
def test_all_is_well_with_the_stores_of_older_servers(
    file: Path, tmp_path: Path, capsys: Capture
) -> None:
    db = restored(file, tmp_path)
    before = db.read_bytes()
    assert main(["admin", "check", "--lang", "en", "--db", str(db)]) == 0
    assert "all stay as they are" in capsys.readouterr().out
    assert db.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == []


@pytest.mark.parametrize(
    ("over", "key", "told"),
    [
        ("NULL", "check.freezes", "would freeze"),
        ("NOT NULL", "check.shown-to", "shown only up to entry 5"),
    ],
)
def test_what_would_not_stay_as_it_is_is_named(
    db: Path, over: str, key: str, told: str, capsys: Capture
) -> None:
    with closing(sqlite3.connect(db)) as store:
        (id,) = store.execute(f"SELECT id FROM matches WHERE ended IS {over}").fetchone()
    change(db, f"UPDATE entries SET state = x'00' WHERE n = 5 AND match_id = '{id}'")
    assert main(["admin", "check", "--json", "--db", str(db)]) == 1
    report = json.loads(capsys.readouterr().out)
    [found] = report["found"]
    assert (found["id"], found["key"], found["entry"]) == (id, key, 5)
    assert report["matches"] > 8
    for lang in languages():
        assert main(["admin", "check", "--lang", lang, "--db", str(db)]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert id in lines[0]
        assert len(lines) == 2
        assert "⟨" not in "".join(lines)
        if lang == "en":
            assert told in lines[0]


def test_what_cannot_even_begin_is_named(db: Path, capsys: Capture) -> None:
    change(
        db, """UPDATE matches SET header = CAST(replace(header, '"dijon"', '"nowhere"') AS BLOB)"""
    )
    assert main(["admin", "check", "--json", "--db", str(db)]) == 1
    found = json.loads(capsys.readouterr().out)["found"]
    assert {one["key"] for one in found} == {"check.unreadable"}
    assert all("nowhere" in one["why"] for one in found)


@pytest.mark.parametrize(
    "damage",
    ["UPDATE matches SET header = x'00'", "UPDATE entries SET state = 'text' WHERE n = 2"],
)
def test_damage_to_what_stands_in_it_is_named_too(db: Path, damage: str, capsys: Capture) -> None:
    """SQLite sees it only in its own pages."""
    change(db, damage)
    assert main(["admin", "check", "--json", "--db", str(db)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert len(report["found"]) == report["matches"] > 8
    assert {one["key"] for one in report["found"]} == {"check.unreadable"}


@pytest.mark.parametrize(
    ("damage", "key", "why"),
    [
        ("json_set(doc, '$.preset', 'winter')", "check.room", "winter"),
        ("json_set(doc, '$.options', json('{\"fog\": 1}'))", "check.room", "fog"),
        ("json_set(doc, '$.title', 'mars')", "check.room", "mars"),
        ("x'00'", "check.unreadable", ""),
    ],
)
def test_rooms_that_could_not_go_on_are_named(
    db: Path, damage: str, key: str, why: str, capsys: Capture
) -> None:
    with closing(sqlite3.connect(db)) as store:
        (code,) = store.execute("SELECT code FROM rooms").fetchone()
    change(db, f"UPDATE rooms SET doc = CAST({damage} AS BLOB) WHERE code = '{code}'")
    assert main(["admin", "check", "--json", "--db", str(db)]) == 1
    report = json.loads(capsys.readouterr().out)
    [found] = report["rooms"]
    assert (found["id"], found["key"], report["found"]) == (code, key, [])
    assert why in found["why"]
    for lang in languages():
        assert main(["admin", "check", "--lang", lang, "--db", str(db)]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert code in lines[0]
        assert "⟨" not in "".join(lines)


def test_a_store_that_is_not_there(tmp_path: Path, capsys: Capture) -> None:
    assert main(["admin", "check", "--lang", "en", "--db", str(tmp_path / "none.db")]) == 2
    assert "none.db" in capsys.readouterr().err
