"""A server with other rules than those a match was stored by, and one that is older than its store."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from capolinea import games
from capolinea.engine import Game, Match, Problem
from capolinea.engine.record import altered, dumps, loads
from capolinea.server import replays
from capolinea.server.fold import decode_header
from capolinea.server.metrics import Metrics
from capolinea.server.minds import thought
from capolinea.server.players import ask_of, moment_of, variant_of
from capolinea.server.protocol import encode
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import WRITER, MatchRow, PutMatch, StoreFailed
from capolinea.server.table import FROZEN, Table
from tests.engine.wagons import CHANGED, CHANGED_KEPT, FALLING, FIRST, RENAMED, UNSHOWN

Json = dict[str, Any]
#: Others' rules lead elsewhere from the second move on.
TAKEN = [1, 3]


@pytest.fixture(autouse=True)
def wagons(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """The toy among our titles, as one of its versions."""

    def become(version: str) -> None:
        monkeypatch.setitem(games.TITLES, "wagons", f"tests.engine.wagons:{version}")

    become("FIRST")
    return become


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(folder / "capolinea.db")
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def table(store: SqliteStore, game: Game, row: MatchRow | None = None) -> Table:
    """The only match of a store, as a server with this version of the title has it."""
    if row is None:
        [row] = await store.matches()
    found = Table(store, row, game, lambda: 9000, Metrics())
    await found.load()
    return found


async def take(at: Table, wagons: int) -> None:
    [seat] = at.match.state.waiting()
    await at.act(seat, [{"do": "take", "wagons": wagons}], at.question(seat).id)


async def begun(store: SqliteStore, *takes: int) -> Table:
    """Seven wagons, some of which are taken by the first rules."""
    header = Match(FIRST, ["Ada", "Bruno"], seed=bytes(32)).record(reveal=True)
    row = MatchRow("m", "", encode(header), 1000)
    await store.write(PutMatch(row))
    found = await table(store, FIRST)
    for wagons in takes:
        await take(found, wagons)
    await found.say(0, "tut")
    return found


async def everything(store: SqliteStore) -> object:
    return await store.matches(), await store.entries("m")


# --- a match that is on --------------------------------------------------------------------------


@pytest.mark.parametrize("later", [RENAMED, CHANGED, CHANGED_KEPT, FALLING])
async def test_a_match_that_folds_to_the_same_goes_on_by_the_new_rules(
    tmp_path: Path, later: Game
) -> None:
    async with opened(tmp_path) as store:
        checks = (await begun(store, 1, 2)).match.checks
        found = await table(store, later)
        assert (found.row.frozen, found.match.checks, found.game) == ("", checks, later)
        assert decode_header(found.row.header).rules == "1"
        await take(found, 1)
        # From now on it is a match of these rules.
        [row] = await store.matches()
        assert decode_header(row.header).rules == "2"
        assert (await table(store, later)).match.checks == found.match.checks


@pytest.mark.parametrize("later", [CHANGED, FALLING, UNSHOWN])
async def test_one_that_does_not_freezes_where_it_differs_and_thaws_by_its_own_rules(
    tmp_path: Path, later: Game
) -> None:
    async with opened(tmp_path) as store:
        before = await begun(store, *TAKEN)
        frozen = await table(store, later)
        assert frozen.row.frozen == FROZEN
        assert frozen.match.entries == before.match.entries[:1]
        thawed = await table(store, FIRST)
        assert (thawed.row.frozen, thawed.match.checks) == ("", before.match.checks)


async def test_one_that_does_not_goes_on_by_older_rules_that_are_kept(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await begun(store, *TAKEN)
        found = await table(store, CHANGED_KEPT)
        assert (found.row.frozen, found.game) == ("", FIRST)
        await take(found, 3)
        assert found.match.result() is not None
        assert found.over
        assert decode_header(found.row.header).rules == "1"
        assert (await table(store, CHANGED_KEPT)).match.checks == found.match.checks


# --- one that is over ----------------------------------------------------------------------------


async def finished(store: SqliteStore) -> tuple[MatchRow, Any]:
    found = await begun(store, *TAKEN)
    await take(found, 3)
    assert found.over
    return found.row, await store.entries("m")


@pytest.mark.parametrize("version", ["RENAMED", "CHANGED_KEPT"])
async def test_a_match_that_is_over_is_shown_as_it_was(
    tmp_path: Path, wagons: Callable[[str], None], version: str
) -> None:
    async with opened(tmp_path) as store:
        row, rows = await finished(store)
        own = json.loads(replays.replay(row, rows, "truth"))
        record = replays.record_of(row, rows)
        wagons(version)
        shown = json.loads(replays.replay(row, rows, "truth"))
        assert [step["entries"] for step in shown["steps"]] == [0, 1, 2, 3, 4]
        assert shown["match"] == own["match"]
        assert dumps(replays.record_of(row, rows)) == dumps(record)
        assert replays.described(row, rows).result == record.result


@pytest.mark.parametrize("version", ["CHANGED", "FALLING"])
async def test_where_rules_lead_elsewhere_it_is_shown_so_far_and_that_is_said(
    tmp_path: Path, wagons: Callable[[str], None], version: str
) -> None:
    async with opened(tmp_path) as store:
        row, rows = await finished(store)
        record = replays.record_of(row, rows)
        wagons(version)
        shown = json.loads(replays.replay(row, rows, None))
        assert [step["entries"] for step in shown["steps"]] == [0, 1]
        assert shown["match"]["frozen"] == FROZEN
        assert "result" not in shown["match"]
        assert replays.described(row, rows).frozen == FROZEN
        # Handed out is what was kept: who has the rules can go on with it.
        kept = replays.record_of(row, rows)
        assert msgspec.structs.replace(record, result=None) == kept
        before = await everything(store)
        found = await table(store, games.load("wagons"))
        assert (found.row.frozen, len(found.match.entries)) == (FROZEN, 1)
        assert await everything(store) == before, "a match that is over is not written again"


async def test_what_cannot_be_shown_any_more_is_shown_so_far(
    tmp_path: Path, wagons: Callable[[str], None]
) -> None:
    async with opened(tmp_path) as store:
        row, rows = await finished(store)
        wagons("UNSHOWN")
        for looker in (None, 0, "truth"):
            shown = json.loads(replays.replay(row, rows, looker))
            assert [step["entries"] for step in shown["steps"]] == [0, 1]
            assert shown["match"]["frozen"] == FROZEN
            assert "result" not in shown["match"]


def test_a_record_that_is_brought_is_stored_by_the_rules_that_it_folds_by(
    wagons: Callable[[str], None],
) -> None:
    match = Match(FIRST, ["Ada", "Bruno"], seed=bytes(32))
    for number, wagon in enumerate([1, 2, 2, 2]):
        match.move(number % 2, [wagon - 1])
    record = match.record()
    for version, rules in (("RENAMED", "2"), ("CHANGED_KEPT", "2"), ("FIRST", "1")):
        wagons(version)
        for text in (dumps(record), dumps(altered(record, result=record.result))):
            taken = replays.take_in(text.encode())
            assert decode_header(taken.header).rules == rules
            assert [row.state.hex() for row in taken.rows] == record.checks
            row = MatchRow("m", "", taken.header, 0, ended=1)
            assert replays.record_of(row, taken.rows).version == loads(text).version
    with pytest.raises(Problem):
        replays.take_in(
            dumps(altered(record, entries=match.entries[:2], result=record.result)).encode()
        )


async def test_a_record_without_names_and_texts_has_checks_that_hold(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        row, rows = await finished(store)
        record = replays.anonymous(replays.record_of(row, rows), names=True, texts=True)
        read = loads(dumps(record))
        assert (read.version, read.seats) == (2, ["1", "2"])
        assert Match.fold(FIRST, read).checks == read.checks


# --- a server that is older than its store --------------------------------------------------------


async def test_an_older_server_leaves_alone_what_a_newer_one_wrote(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        live = await begun(store, *TAKEN)
        newer = msgspec.structs.replace(live.row, writer=WRITER + 1)
        await store.write(PutMatch(newer))
        before = await everything(store)
        for later in (FIRST, CHANGED):  # whether it could read it or not
            with pytest.raises(Problem) as refused:
                await table(store, later, newer)
            assert refused.value.key == "match.newer-server"
        rows = await store.entries("m")
        for look in (
            lambda: replays.replay(newer, rows, None),
            lambda: replays.record_of(newer, rows),
            lambda: replays.continued(newer, rows, 1),
        ):
            with pytest.raises(Problem) as refused:
                look()
            assert refused.value.key == "match.newer-server"
        # Nor does one that had it open before.
        with pytest.raises(StoreFailed):
            await store.write(PutMatch(live.row))
        for act in (live.pause(True), take(live, 1), live.abandon()):
            with pytest.raises(Problem) as refused:
                await act
            assert refused.value.key in ("match.newer-server", "table.not-kept")
        assert await everything(store) == before


async def test_a_newer_server_signs_what_it_writes(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        live = await begun(store, 1)
        await store.write(PutMatch(msgspec.structs.replace(live.row, writer=WRITER)))
        # As a migration leaves rows of servers that did not sign.
        await store._writer.run(lambda db: db.execute("UPDATE matches SET writer = 0"))
        found = await table(store, FIRST)
        assert found.row.writer == 0
        await found.pause(True)
        await found.pause(False)
        assert [row.writer for row in await store.matches()] == [0], "it can be gone back from"
        await take(found, 1)
        assert [row.writer for row in await store.matches()] == [WRITER]


#: Whoever changes the rules of a title raises WRITER, and writes a line here.
RULES_OF_WRITER = {
    1: {"stop-the-train": "1", "tachite-al-tram": "1", "trial-by-trolley": "1", "night-mail": "1"},
}


def test_other_rules_make_another_writer() -> None:
    ours = {title: games.load(title).rules for title in games.TITLES if title != "wagons"}
    assert RULES_OF_WRITER[WRITER] == ours
    assert max(RULES_OF_WRITER) == WRITER


async def test_bots_play_on_by_the_older_rules(
    tmp_path: Path, wagons: Callable[[str], None]
) -> None:
    async with opened(tmp_path) as store:
        await begun(store, *TAKEN)
        wagons("CHANGED_KEPT")
        found = await table(store, CHANGED_KEPT)
        [seat] = found.match.state.waiting()
        ask = ask_of(found, seat, "random", found.match.tree(seat), False, False, b"seed")
        variant = variant_of(found)
        assert variant.rules == "1"
        steps = thought(variant, moment_of(found, [ask]), ask).steps
        assert set(steps) <= set(found.match.legal(seat))
        assert variant.game is FIRST
