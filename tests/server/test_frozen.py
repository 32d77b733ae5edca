"""Matches that fold differently, or cannot be read: frozen, shown and reported, and never changed."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from capolinea.client import Failed, Refusal, Seat
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import (
    Change,
    DropRoom,
    MatchRow,
    NotRead,
    PutMatch,
    StoreFailed,
)
from tests.server.beside import change, rows
from tests.server.matches import Json, Party, party, returned, wire
from tests.server.tables import at_random, serving

pytestmark = pytest.mark.usefixtures("quick_and_steady")

#: At which entry something is done to the log.
AT = 6


def _hash(file: Path, match: str) -> None:
    change(file, "UPDATE entries SET state = x'00' WHERE match_id = ? AND n = ?", match, AT)


def _garbage(file: Path, match: str) -> None:
    _entry(file, match, {"kind": "move", "do": 7})


def _illegal(file: Path, match: str) -> None:
    _entry(file, match, {"do": [{"do": "pass"}]})


def _entry(file: Path, match: str, other: Json) -> None:
    [(entry,)] = rows(file, "SELECT entry FROM entries WHERE match_id = ? AND n = ?", match, AT)
    text = json.dumps({**json.loads(entry), **other}).encode()
    change(file, "UPDATE entries SET entry = ? WHERE match_id = ? AND n = ?", text, match, AT)


def _missing(file: Path, match: str) -> None:
    change(file, "DELETE FROM entries WHERE match_id = ? AND n = ?", match, AT)


def _rules(file: Path, match: str) -> None:
    _header(file, match, {"rules": "0-beta"})


def _header(file: Path, match: str, other: Json) -> None:
    [(header,)] = rows(file, "SELECT header FROM matches WHERE id = ?", match)
    text = json.dumps({**json.loads(header), **other}).encode()
    change(file, "UPDATE matches SET header = ? WHERE id = ?", text, match)


@pytest.mark.parametrize("tamper", [_hash, _garbage, _illegal, _missing])
async def test_a_match_that_folds_differently_is_frozen(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, tamper: Callable[[Path, str], None]
) -> None:
    file = tmp_path / "capolinea.db"
    scenes: list[str] = []

    async with serving(tmp_path) as server:
        table, other = await party(server, "night-mail", 2), await party(server, "night-mail", 2)
        async with table.sitting() as seats:

            def far() -> bool:
                if len(table.table.match.entries) >= AT:
                    scenes.append(json.dumps(seats[0].scene))
                return len(table.table.match.entries) > AT + 3

            def one_by_one(seat: Seat) -> list[Json]:
                """Nothing that others may answer to: then several entries come at once."""
                quiet = ("load", "depart", "keep", "vote", "end")
                return next(c for c in seat.whole_choices() if c[0]["do"] in quiet)

            await table.play_until(seats, one_by_one, far)
        match = table.table.row.id
    tamper(file, match)
    of_match = "SELECT * FROM entries WHERE match_id = ? ORDER BY n"
    entries, [row] = (
        rows(file, of_match, match),
        rows(file, "SELECT * FROM matches WHERE id = ?", match),
    )

    caplog.set_level(logging.INFO, "capolinea.server")
    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        async with Party(server, table.code, clients).sitting() as seats:
            assert json.dumps(seats[0].scene) == scenes[0]
            await seats[0].until(lambda seat: seat.status)
            assert seats[0].status["frozen"] == "table.folds-differently"
            acts = [seat.do(seat.whole_choices()[0]) for seat in seats if seat.whole_choices()]
            assert acts
            for act in [*acts, seats[0].say({"bag": ["letter"]})]:
                with pytest.raises(Refusal) as refused:
                    await act
                assert refused.value.key == "table.frozen"
        # Others play on.
        theirs = [server.client(client.cookie) for client in other.clients]
        other = Party(server, other.code, theirs)
        async with other.sitting() as seats:
            await other.play_until(seats, at_random(1), lambda: seats[0].n > 5)
    assert "match-frozen" in [record.msg for record in caplog.records]
    [now] = rows(file, "SELECT * FROM matches WHERE id = ?", match)
    assert [one for one in zip(row, now, strict=True) if one[0] != one[1]] == [
        ("", "table.folds-differently")
    ]
    assert rows(file, of_match, match) == entries

    # It stays so, and its host can give it up and begin another one.
    caplog.clear()

    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        table = await returned(server, table.code, clients)
        assert table.table.row.frozen
        await clients[0].command(table.code, "abandon")
        await clients[0].command(table.code, "start")
        async with table.sitting() as seats:
            await table.play_until(seats, at_random(1), lambda: seats[0].n > 3)
    assert "match-frozen" not in [record.msg for record in caplog.records]
    assert rows(file, of_match, match) == entries


async def test_a_match_of_other_rules_that_lead_to_the_same_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        async with table.sitting() as seats:
            await table.play_until(seats, at_random(1), lambda: seats[0].n > 3)
            match, n = table.table.row.id, seats[0].n
    _rules(file, match)
    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        table = Party(server, table.code, clients)
        async with table.sitting() as seats:
            await seats[0].until(lambda seat: seat.status)
            assert "frozen" not in seats[0].status
            await table.play_until(seats, at_random(2), lambda: seats[0].n > n + 2)


async def test_a_match_goes_on_when_the_rules_lead_to_the_same_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An upgrade froze it, and what was wrong with that is put right: nobody has lost time by it."""
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2, settings={"clock": {"kind": "days"}})
        async with table.sitting() as seats:
            await table.play_until(seats, at_random(1), lambda: seats[0].n > 3)
            n = seats[0].n
    [(state,)] = rows(file, "SELECT state FROM entries WHERE n = 2")
    change(file, "UPDATE entries SET state = x'00' WHERE n = 2")
    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        table = await returned(server, table.code, clients)
        assert table.table.row.frozen
    long = 40 * 24 * 3600 * 1000
    change(file, "UPDATE entries SET state = ? WHERE n = 2", state)
    change(file, "UPDATE matches SET began = began - ?", long)
    caplog.set_level(logging.INFO, "capolinea.server")
    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        table = Party(server, table.code, clients)
        async with table.sitting() as seats:
            await seats[0].until(lambda seat: seat.status)
            assert "frozen" not in seats[0].status
            [left] = seats[0].status["left"].values()
            assert left > 3600 * 1000 * 24 - 60_000
            await table.play_until(seats, at_random(2), lambda: seats[0].n > n + 2)
    assert "match-thawed" in [record.msg for record in caplog.records]
    assert rows(file, "SELECT frozen FROM matches") == [("",)]


async def test_a_room_outlives_a_match_that_nobody_can_read(tmp_path: Path) -> None:
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        code, cookie = table.code, table.clients[0].cookie
    [(match,)] = rows(file, "SELECT id FROM matches")
    _header(file, match, {"data": {"line": {"name": "shuttle", "sha256": "0" * 64}}})

    async with serving(tmp_path) as server:
        client = server.client(cookie)
        room = await client.room(code)
        assert room["phase"] == "playing"
        await client.command(code, "abandon")
        await client.command(code, "start")
        async with client.socket(code, 0) as seat:
            assert seat.view
    found = rows(file, "SELECT frozen, ended IS NULL FROM matches ORDER BY began")
    assert found == [("table.folds-differently", False), ("", True)]


async def test_a_match_of_a_newer_server_is_left_alone_and_that_is_said(tmp_path: Path) -> None:
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        code, cookie, match = table.code, table.clients[0].cookie, table.table.row.id
    change(file, "UPDATE matches SET writer = 99")
    kept = rows(file, "SELECT * FROM matches"), rows(file, "SELECT * FROM rooms")

    async with serving(tmp_path) as server:
        client = server.client(cookie)
        assert (await client.room(code))["phase"] == "playing"
        with pytest.raises(Failed) as refused:
            await client.command(code, "take-back", seat=0)
        assert (refused.value.status, refused.value.key) == (409, "match.newer-server")
        with pytest.raises(Failed) as refused:
            await client.command(code, "abandon")
        assert (refused.value.status, refused.value.key) == (409, "match.newer-server")
        async with wire(client, code, 0) as socket:
            await socket.send(t="say", id="a", match=match, said={"bag": ["letter"]})
            assert (await socket.answer("a"))["why"]["key"] == "match.newer-server"
    assert kept == (rows(file, "SELECT * FROM matches"), rows(file, "SELECT * FROM rooms"))


class Unread(SqliteStore):
    """A store in which matches cannot be read for a while."""

    unread = False

    async def match(self, id: str) -> MatchRow | None:
        if self.unread:
            raise NotRead
        return await super().match(id)


async def test_who_abandons_a_match_that_could_not_be_opened_ends_it(tmp_path: Path) -> None:
    file = tmp_path / "capolinea.db"
    store = Unread(file)

    async with serving(tmp_path, store) as server, server.client() as client:
        made = await client.create("night-mail", name="Ada", bots=["random"])
        code = made["code"]
        store.unread = True
        await client.command(code, "start")
        # Who cannot even look whose match it is changes nothing.
        with pytest.raises(Failed) as failed:
            await client.command(code, "abandon")
        assert (failed.value.status, failed.value.key) == (503, "table.not-read")
        assert rows(file, "SELECT ended FROM matches") == [(None,)]
        store.unread = False
        room = await client.command(code, "abandon")
        assert room["phase"] == "over"
        assert rows(file, "SELECT ended IS NULL FROM matches") == [(False,)]
        kept = rows(file, "SELECT * FROM entries")
        async with client.socket(code, 0) as seat:
            with pytest.raises(Refusal):
                await seat.do(seat.whole_choices()[0])
        await client.get(f"/api/matches/{room['match']}/record")  # it is nobody's secret any more
        assert kept == rows(file, "SELECT * FROM entries")


class NoMatches(SqliteStore):
    """A store that keeps no new match for a while, and perhaps forgets no room."""

    refused: tuple[type, ...] = ()

    async def write(self, *changes: Change) -> None:
        if any(isinstance(change, self.refused) for change in changes):
            raise StoreFailed
        await super().write(*changes)


@pytest.mark.parametrize("also", [(), (DropRoom,)])
async def test_no_room_is_left_of_a_match_that_could_not_begin(
    tmp_path: Path, also: tuple[type, ...]
) -> None:
    store = NoMatches(tmp_path / "capolinea.db")

    async with serving(tmp_path, store) as server, server.client() as client:
        made = await client.create("night-mail", name="Ada", bots=["random"], start=True)
        await client.command(made["code"], "abandon")
        store.refused = (PutMatch, *also)
        begin = {"title": "night-mail", "name": "Ada", "bots": ["random"], "start": True}
        go_on = {"entries": 0, "seat": 0}
        for path, body in (
            ("/api/rooms", begin),
            (f"/api/matches/{made['match']}/continue", go_on),
        ):
            with pytest.raises(Failed) as failed:
                await client.post(path, body)
            assert (failed.value.status, failed.value.key) == (503, "table.not-kept")
            assert list(server.hub.lounges) == [made["code"]]
        store.refused = ()
        found = [room["code"] for room in (await client.get("/api/me"))["rooms"]]
        assert len(found) == (3 if also else 1)


async def test_what_the_room_says_is_over_does_not_go_on(tmp_path: Path) -> None:
    """Older versions could end a match in its room alone."""
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server, server.client() as client:
        made = await client.create("night-mail", name="Ada", bots=["random"], start=True)
        code, cookie = made["code"], client.cookie
    change(file, "UPDATE rooms SET doc = CAST(json_set(doc, '$.playing', json('false')) AS BLOB)")
    kept = rows(file, "SELECT * FROM entries")

    async with serving(tmp_path) as server:
        client = server.client(cookie)
        match = kept[0][0]
        async with wire(client, code, 0) as socket:
            await socket.send(t="say", id="a", match=match, said={"bag": ["letter"]})
            assert (await socket.answer("a"))["why"]["key"] == "room.no-match"
            await client.command(code, "start")  # but another may
    assert kept == rows(file, "SELECT * FROM entries WHERE match_id = ?", kept[0][0])


async def test_a_finished_match_of_older_rules_does_not_close_its_room(tmp_path: Path) -> None:
    file = tmp_path / "capolinea.db"
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        await table.clients[0].command(table.code, "abandon")
        code, cookie = table.code, table.clients[0].cookie
    [(match,)] = rows(file, "SELECT id FROM matches")
    _rules(file, match)

    async with serving(tmp_path) as server:
        client = server.client(cookie)
        async with client.socket(code, 0) as seat:
            await client.command(code, "start")
            await seat.until(lambda seat: seat.room["phase"] == "playing")
