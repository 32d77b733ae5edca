"""Files that somebody brings to a room (TT-5.3): taken whole, or refused with every fault of theirs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from capolinea import games
from capolinea.client import Failed
from capolinea.server.work import Asker, Workshop
from tests.server.live import said_why
from tests.server.tables import Guest, Running, serving

TITLE = "trial-by-trolley"
ROWS = [("innocent", 8), ("guilty", 6), ("modifier", 9)]
CARDS = "".join(f"{deck},{deck} no. {n}\n" for deck, many in ROWS for n in range(many))
GOOD = ("deck,en\n" + CARDS).encode()
BAD = b"deck,tag,en\nangel,family,a saint\ninnocent,rude,a clown\nguilty,,\n"


@asynccontextmanager
async def a_room(folder: Path, **settings: Any) -> AsyncIterator[tuple[Running, Guest, str]]:
    """A server of its own, Ada, and the code of her room there."""
    async with serving(folder, **settings) as server, server.client() as ada:
        room = await ada.create(TITLE, name="Ada", bots=["random", "random"])
        yield server, ada, room["code"]


async def refused(asking: Awaitable[Any]) -> tuple[int, str, dict[str, Any]]:
    with pytest.raises(Failed) as caught:
        await asking
    failed = caught.value
    said_why({"key": failed.key, "args": failed.arguments})
    return failed.status, failed.key, failed.arguments


async def test_a_good_file_is_there_for_all_and_stays_for_the_rematch(tmp_path: Path) -> None:
    async with a_room(tmp_path) as (server, ada, code):
        room = await ada.bring(code, "pack", "Office party.csv", GOOD)
        about = {"key": "pack.about", "args": {"innocent": 8, "guilty": 6, "modifier": 9}}
        assert room["data"]["pack"]["name"] == "Office party"
        assert room["data"]["pack"]["about"][0] == about
        async with server.client() as bruno:
            assert (await bruno.room(code))["data"] == room["data"]
            words = await bruno.get(f"/api/rooms/{code}/words/it")
            assert "innocent no. 3" in {text[""] for text in words.values()}
        for _ in range(2):
            begun = await ada.command(code, "start")
            async with ada.socket(code, 0) as seat:
                await seat.until(lambda seat: seat.view)
                tracks = [team["track"] for team in seat.view["teams"]]
                assert all(track[0]["card"].startswith("card-") for track in tracks)
            ended = await ada.command(code, "abandon")
            assert ended["data"] == begun["data"] == room["data"]


async def test_every_fault_is_named_and_nothing_changes(tmp_path: Path) -> None:
    async with a_room(tmp_path) as (_, ada, code):
        before = await ada.bring(code, "pack", "first.csv", GOOD)
        status, key, args = await refused(ada.bring(code, "pack", "second.csv", BAD))
        assert (status, key, args["kind"], args["count"]) == (400, "data.faults", "second.csv", 3)
        assert [(fault["key"], fault["args"]["row"]) for fault in args["faults"]] == [
            ("pack.deck", 2),
            ("pack.tag", 3),
            ("pack.no-text", 4),
        ]
        assert await ada.room(code) == before


async def test_so_is_every_fault_of_data_that_comes_with_a_request_however_large(
    tmp_path: Path,
) -> None:
    """What is small is looked at on the spot, what is large by another process."""
    async with a_room(tmp_path) as (_, ada, code):
        before = await ada.room(code)
        for many in (1, 1000):
            data = {"pack": {"cards": [{"deck": "angel"}] * many}}
            for asking in (
                ada.command(code, "configure", data=data),
                ada.create(TITLE, name="Ada", data=data),
            ):
                status, key, args = await refused(asking)
                assert (status, key, args["kind"]) == (400, "data.faults", "pack")
                assert args["count"] >= many
            status, key, _ = await refused(ada.command(code, "configure", data={"x": [0] * many}))
            assert (status, key) == (400, "bad-option.unknown")
        assert await ada.room(code) == before


async def test_texts_of_options_and_data_are_made_fit_to_be_shown(tmp_path: Path) -> None:
    async with a_room(tmp_path) as (_, ada, code):
        for many in (1, 1000):
            cards = [{"deck": "guilty", "text": {"en": f"\u202eno. {n}"}} for n in range(many)]
            change = {"options": {"pack": "a\u202eb"}, "data": {"pack": {"cards": cards}}}
            room = await ada.command(code, "configure", **change)
            assert room["data"]["pack"]["name"] == "ab"
            pack = await ada.get(f"/api/rooms/{code}/data/pack")
            assert [card["text"]["en"] for card in pack["cards"]] == [
                f"no. {n}" for n in range(many)
            ]


class Gate(Workshop):
    """Everything waits for the test, and is counted."""

    def __init__(self) -> None:
        super().__init__(1, 20)
        self.asked = asyncio.Event()
        self.open = asyncio.Event()

    async def do(self, asker: Asker, work: Callable[..., Any], *arguments: Any) -> Any:
        self.asked.set()
        await self.open.wait()
        return work(*arguments)


async def test_nobody_in_the_room_waits_while_large_data_are_looked_at(tmp_path: Path) -> None:
    cards = [{"deck": "guilty", "text": {"en": f"no. {n}"}} for n in range(1000)]

    async with a_room(tmp_path) as (server, ada, code):
        gate = server.hub.work = Gate()
        async with server.client() as bruno:
            data = {"pack": {"cards": cards}}
            change = asyncio.create_task(ada.command(code, "configure", data=data))
            await gate.asked.wait()
            room = await bruno.command(code, "sit", seat=4, name="Bruno")
            assert room["seats"][4]["name"] == "Bruno"
            assert not change.done()
            gate.open.set()
            assert (await change)["data"]["pack"]["about"][0]["args"]["guilty"] == 1000


async def test_json_may_say_what_it_is_called_and_other_titles_have_files_too(
    tmp_path: Path,
) -> None:
    async with a_room(tmp_path) as (_, ada, code):
        cards = [{"deck": "guilty", "tag": "dark", "text": {"it": "un notaio"}}]
        pack = json.dumps({"name": "Uffici", "cards": cards}).encode()
        room = await ada.bring(code, "pack", "x.json", pack)
        assert room["data"]["pack"]["name"] == "Uffici"
        assert room["hindrance"]["key"] == "refused.deck"
        mail = (await ada.create("night-mail", name="Ada"))["code"]
        line = json.dumps(games.load("night-mail").data()["line"]["coast"]).encode()
        room = await ada.bring(mail, "line", "our coast.json", line)
        assert room["data"] == {"line": {"name": "our coast"}}
        status, key, args = await refused(ada.bring(mail, "line", "x.json", b'{"trunk": [1]}'))
        assert (status, key) == (400, "data.faults")
        assert len(args["faults"]) == args["count"] > 1


async def test_it_goes_together_with_ours_or_away_again(tmp_path: Path) -> None:
    async with a_room(tmp_path) as (_, ada, code):
        await ada.bring(code, "pack", "one.csv", b"deck,en\ninnocent,my cat\n")
        mixed = {"pack": "one", "with_starter": True}
        room = await ada.command(code, "configure", options=mixed)
        assert "hindrance" not in room
        assert room["data"]["pack"]["name"] == "one"
        room = await ada.bring(code, "pack", "two.csv", GOOD)
        assert room["options"]["with_starter"]
        room = await ada.command(code, "configure", data={})
        assert (room["data"], room["options"]["pack"]) == ({}, "starter")


async def test_only_the_host_and_only_between_matches(tmp_path: Path) -> None:
    async with a_room(tmp_path) as (server, ada, code):
        async with server.client() as bruno:
            await bruno.command(code, "sit", seat=3, name="Bruno")
            found = await refused(bruno.bring(code, "pack", "x.csv", GOOD))
            assert found[:2] == (409, "room.host-only")
            await ada.command(code, "remove", person=2)
            found = await refused(bruno.bring(code, "pack", "x.csv", GOOD))
            assert found[:2] == (409, "room.removed")
        await ada.command(code, "configure", settings={"locked": True})
        async with server.client() as carla:
            found = await refused(carla.bring(code, "pack", "x.csv", GOOD))
            assert found[:2] == (409, "room.locked")
        await ada.command(code, "start")
        # Whoever may not is told so before anybody looks at the file.
        found = await refused(ada.bring(code, "pack", "x.csv", BAD))
        assert found[:2] == (409, "room.playing")


async def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    async with a_room(tmp_path) as (_, ada, code):
        assert (await refused(ada.bring(code, "track", "x.csv", GOOD)))[0] == 404
        assert (await refused(ada.bring("AAAAAA", "pack", "x.csv", GOOD)))[0] == 404


async def test_no_larger_and_no_oftener_than_the_host_of_the_server_allows(tmp_path: Path) -> None:
    async with a_room(tmp_path, room_size=2, requests_per_minute=4) as (_, ada, code):
        found = await refused(ada.bring(code, "pack", "x.csv", b" " * 3 * 1024))
        assert found[:2] == (413, "serve.too-large")
        tries = [await refused(ada.bring(code, "pack", "x.csv", b"")) for _ in range(20)]
        assert (429, "serve.too-fast") in [found[:2] for found in tries]


async def test_as_spreadsheets_write_it(tmp_path: Path) -> None:
    text = "deck;de\r\ninnocent;ein Bär\r\nguilty;ein „Freund“; der nie zahlt\r\n"
    good = text.replace(";der", "der").replace("; der", ", der")

    async with a_room(tmp_path) as (_, ada, code):
        for coding in ("utf-8", "utf-8-sig", "utf-16"):
            room = await ada.bring(code, "pack", "Bären.csv", good.encode(coding))
            assert room["data"]["pack"]["name"] == "Bären"
        _, key, args = await refused(ada.bring(code, "pack", "x.csv", text.encode()))
        assert (key, args["faults"][0]["key"]) == ("data.faults", "pack.cells")
        latin = good.replace("„", "").replace("“", "").encode("latin-1")
        _, key, args = await refused(ada.bring(code, "pack", "x.csv", latin))
        assert (key, args) == ("data.encoding", {"file": "x.csv", "line": 2})
        assert (await refused(ada.bring(code, "pack", "x.xlsx", b"PK\x03\x04\xff")))[1] == key


@pytest.mark.parametrize(
    ("file", "key"),
    [
        (b'[{"deck": "guilty", "text": {"en": "\\ud800"}}]', "data.faults"),
        (b'[{"deck": "guilty", "text": {"en": "x"}, "lives": NaN}]', "data.faults"),
        (b'{"cards": ' + b"9" * 5000 + b"}", "data.unfit"),
        (b"[" * 5000, "data.unfit"),
        (b'{"cards": [], "name": ' + b"[" * 40 + b"]" * 40 + b"}", "data.faults"),
        (b'{"cards": {}}', "pack.form"),
        (b'{"cards": [\n{"deck" "guilty"}]}', "data.json"),
        (b"", "data.json"),
    ],
)
async def test_strange_files_are_refused_in_words(tmp_path: Path, file: bytes, key: str) -> None:
    async with a_room(tmp_path) as (_, ada, code):
        found = await refused(ada.bring(code, "pack", "x.json", file))
        assert found[:2] == (400, key)
        assert (await ada.room(code))["data"] == {}


async def test_a_name_is_shown_as_a_name(tmp_path: Path) -> None:
    async with a_room(tmp_path) as (_, ada, code):
        for name, shown in (
            ("../../etc/passwd.csv", "passwd"),
            (".csv", ".csv"),
            ("\u202eevil\n.csv", "evil"),
            (f"{'x' * 500}.csv", "x" * 60),
        ):
            room = await ada.bring(code, "pack", name, GOOD)
            assert room["data"]["pack"]["name"] == shown
