"""What cannot be read, because it is damaged or because a newer server wrote it: it is left as it is, that
is said where somebody asks for it, and everything else stays open."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from capolinea.cli import main
from capolinea.client import Failed
from capolinea.server.protocol import Clock
from capolinea.server.store import Held
from tests.server.beside import change, rows
from tests.server.hourglass import Chair, House, later, turned
from tests.server.mail import LETTER, PARCEL, PASS, dealt, load, offer
from tests.server.tables import TIME, Guest, serving

#: What no server wrote, cut off, and of a kind that only a later one knows.
DAMAGED = [b"{{", b"", b"\xff", b"[1]", b"null"]


async def a_house() -> House:
    house = House("night-mail", 3, Clock("none", window=20))
    await house.open()
    hands = [[PARCEL, LETTER, LETTER], [LETTER] * 3, [LETTER] * 3]
    await house.begin(dealt(hands, pips=(1, 1, 6, 1)), line="shuttle")
    return house


async def come(house: House, seat: int = 0) -> Chair:
    return await Chair(house, house.people[seat], seat).come()


def of_another_kind(line: bytes) -> bytes:
    written = json.loads(line)
    written["line"]["to"] = "whisper"
    return json.dumps(written).encode()


@pytest.mark.parametrize("doc", [*DAMAGED, None])
@turned
async def test_a_line_of_chat(doc: bytes | None) -> None:
    house = await a_house()
    for text in ("one", "two", "three"):
        await house.chairs[0].write(text)
        await later(1)
    lines = house.store.chat_[house.lounge.room.code]
    other = doc if doc is not None else of_another_kind(lines[1].line)
    lines[1] = msgspec.structs.replace(lines[1], line=other)
    await house.restart()
    first = await come(house)
    await first.write("four")
    await later()
    assert [line["text"] for line in first.chat] == ["one", "three", "four"]
    kept = house.store.chat_[house.lounge.room.code]
    assert (len(kept), kept[1].line) == (4, other)
    await house.close()


@pytest.mark.parametrize("doc", DAMAGED)
@turned
async def test_what_a_seat_keeps_for_itself(doc: bytes) -> None:
    house = await a_house()
    for chair in house.chairs[:2]:
        await chair.keep(notes="mine")
    kept = house.store.private_[house.table.row.id]
    kept[0] = doc
    await house.restart()
    first, second = await come(house, 0), await come(house, 1)
    assert (first.private.get("notes"), second.private["notes"]) == (None, "mine")
    await first.do(load("letter"))
    assert kept[0] == doc
    await first.keep(notes="new")
    assert first.private["notes"] == "new"
    await house.close()


@pytest.mark.parametrize("doc", [b"{{", b"", b"\xff"])
@turned
async def test_an_answer_that_is_kept_until_a_window_closes(doc: bytes) -> None:
    house = await a_house()
    await offer(house.chairs[0], signer=1)
    await house.chairs[1].do(PASS)
    held = house.store.held_[house.table.row.id]
    held[1] = Held(1, held[1].question, doc)
    await house.restart()
    second = await come(house, 1)
    await second.do(PASS)  # as if they had not answered
    await house.close()


# --- matches and rooms ---------------------------------------------------------------------------


@asynccontextmanager
async def returning(folder: Path, cookie: str) -> AsyncIterator[Guest]:
    """Somebody at a server that was started again."""
    async with serving(folder) as server:
        yield server.client(cookie)


async def two_rooms(folder: Path) -> dict[str, str]:
    """The first with a match, the second without; both of one person."""
    async with serving(folder) as server, server.client() as client:
        made = await client.create("night-mail", name="Ada", bots=["random"], start=True)
        other = await client.create("night-mail", name="Ada")
    return {
        "code": made["code"],
        "match": made["match"],
        "other": other["code"],
        "cookie": client.cookie,
    }


NEWER = "writer = 99, header = CAST(json_set(header, '$.fold', 1) AS BLOB)"
HEADERS = {
    NEWER: "match.newer-server",
    "writer = 99, header = CAST(json_set(header, '$.title', 'mars') AS BLOB)": "match.newer-server",
    "writer = 99, header = x'7b7b'": "match.newer-server",
    "header = x'7b7b'": "match.unreadable",
    "header = x'ff'": "match.unreadable",
    "header = CAST(json_set(header, '$.seats', 3) AS BLOB)": "match.unreadable",
}
MATCH = ["", "/record", "/replay", "/replay?as=0", "/replay?as=truth", "/data/line", "/words/en"]


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("damage", HEADERS)
async def test_a_match(tmp_path: Path, damage: str, over: bool) -> None:
    file = tmp_path / "capolinea.db"
    known = await two_rooms(tmp_path)
    if over:
        async with returning(tmp_path, known["cookie"]) as client:
            await client.command(known["code"], "abandon")
    change(file, f"UPDATE matches SET {damage}")
    before = rows(file, "SELECT * FROM matches"), rows(file, "SELECT * FROM entries")

    async with returning(tmp_path, known["cookie"]) as client:
        for place in MATCH:
            with pytest.raises(Failed) as refused:
                await client.get(f"/api/matches/{known['match']}{place}")
            running = not over and place in ("/record", "/replay?as=truth")
            key = "match.running" if running else HEADERS[damage]
            assert (refused.value.status, refused.value.key) == (409, key), place
        wish = {"entries": 0, "seat": 0}
        with pytest.raises(Failed) as refused:
            await client.post(f"/api/matches/{known['match']}/continue", wish)
        assert refused.value.key == (HEADERS[damage] if over else "match.running")
        # The room is open all the same.
        room = await client.command(known["code"], "configure", settings={"slow": 5})
        assert room["phase"] == ("over" if over else "playing")
        assert room["unopened"] == {"key": HEADERS[damage]}
        assert len((await client.get("/api/me"))["rooms"]) == 2
    assert before == (rows(file, "SELECT * FROM matches"), rows(file, "SELECT * FROM entries"))
    assert await asyncio.to_thread(main, ["admin", "list", "--db", str(file)]) == 0


async def test_the_last_match_of_a_room_that_nobody_keeps_any_more(tmp_path: Path) -> None:
    """Whoever comes into the room is told that it cannot be shown, and plays another."""
    file = tmp_path / "capolinea.db"
    known = await two_rooms(tmp_path)
    code = known["code"]
    async with returning(tmp_path, known["cookie"]) as client:
        await client.command(code, "abandon")
    change(file, "UPDATE matches SET began = 0, ended = 0")
    assert await asyncio.to_thread(main, ["admin", "purge", "1", "--db", str(file)]) == 0

    async with returning(tmp_path, known["cookie"]) as client:
        room = await client.room(code)
        assert room["unopened"] == {"key": "match.unknown"}
        async with asyncio.timeout(TIME), client.socket(code, 0) as seat:
            assert seat.match == ""  # a program does not wait for it
        again = await client.command(code, "start")
        assert (again["phase"], again.get("unopened")) == ("playing", None)


@pytest.mark.parametrize(
    "damage",
    [
        "json_set(doc, '$.settings.clock.kind', 'hourly')",
        "json_set(doc, '$.seats', 3)",
        "substr(doc, 1, length(doc) - 9)",
    ],
)
async def test_a_room(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "capolinea.db"
    known = await two_rooms(tmp_path)
    change(file, f"UPDATE rooms SET doc = CAST({damage} AS BLOB) WHERE code = ?", known["code"])
    before = [row for row in rows(file, "SELECT * FROM rooms") if known["code"] in row]

    async with returning(tmp_path, known["cookie"]) as client:
        rooms = (await client.get("/api/me"))["rooms"]
        assert [room["code"] for room in rooms] == [known["other"]]
        with pytest.raises(Failed) as refused:
            await client.room(known["code"])
        assert (refused.value.status, refused.value.key) == (409, "room.unreadable")
        await client.command(known["other"], "rename", name="Zed")
    assert before == [row for row in rows(file, "SELECT * FROM rooms") if known["code"] in row]
