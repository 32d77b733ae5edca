"""People at a server: they find each other, watch, host and play many matches."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from capolinea.client import Failed, Refusal, Seat
from capolinea.server import qr
from capolinea.server.identity import CODE_LENGTH, LETTERS
from tests.server.live import Live
from tests.server.people import guest, in_match, pair, phase, refused, shut_out, visitor
from tests.server.tables import at_random, play, serving

Json = dict[str, Any]


async def act(*seats: Seat) -> None:
    """Whoever is asked does something, and all are told."""
    for seat in seats:
        await seat.until(in_match)
    asked = next(seat for seat in seats if seat.must)
    n = [seat.n for seat in seats]
    await asked.do(asked.whole_choices()[0])
    for seat, before in zip(seats, n, strict=True):
        await seat.until(lambda seat, before=before: seat.n > before)


# --- making and finding rooms --------------------------------------------------------------------


async def test_two_taps_and_one_plays_against_bots(server: Live) -> None:
    ada = await visitor(server)
    room = await ada.create("night-mail", bots=["random", "random"], start=True)
    assert room["phase"] == "playing"
    assert [seat["kind"] for seat in room["seats"][:4]] == ["person", "bot", "bot", "empty"]
    async with ada.socket(room["code"], 0) as seat:
        await seat.until(lambda seat: seat.must)
        assert seat.scene["players"] == ["person", "bot", "bot"]


async def test_a_room_as_it_was_asked_for(server: Live) -> None:
    ada = await visitor(server)
    room = await ada.create(
        "night-mail",
        name="Ada",
        preset="wild",
        options={"bonus": 6},
        settings={"public": True, "clock": {"kind": "live"}, "slow": 3},
    )
    assert room["options"] == {"line": "coast", "hand": 5, "bonus": 6, "open_vote": True}
    assert room["settings"]["clock"] == {"kind": "live", "turn": 40, "bank": 120, "window": 4}
    assert room["preset"] == "wild"
    assert room["seats"][0]["name"] == "Ada"
    assert room["yours"] == [0]
    assert (room["you"], room["host"]) == (1, 1)
    assert room == await ada.room(room["code"])


async def test_a_start_that_cannot_be_leaves_no_room_behind(server: Live) -> None:
    ada = await visitor(server)
    await refused(ada.create("night-mail", start=True), "refused.seats")
    await refused(ada.create("night-mail", bots=["x"], start=True), "bot.unknown")
    assert not (await ada.get("/api/me")).get("rooms")


async def test_code_link_and_qr_code(server: Live) -> None:
    ada = await visitor(server)
    room = await ada.create("night-mail", name="Ada")
    code = room["code"]
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(LETTERS)
    assert room["link"].endswith(f"/room/{code}")
    picture = (await ada.request("GET", f"/api/rooms/{code}/qr.svg")).decode()
    assert picture.startswith("<svg ")
    assert picture == qr.svg(room["link"])


async def test_a_code_may_be_typed_in_any_case(server: Live) -> None:
    ada = await visitor(server)
    code = (await ada.create("night-mail", name="Ada"))["code"]
    bruno = await guest(server, code.lower(), 1, "Bruno")
    assert (await bruno.room(code.title()))["code"] == code
    async with bruno.socket(code.lower(), 1) as seat:
        assert seat.room["code"] == code
    await refused(bruno.room("BCDFGX"), "room.unknown")
    await shut_out(bruno.socket("BCDFGX"), "404")


@pytest.mark.parametrize(
    ("settings", "reach", "link"),
    [
        ({}, "computer", "http://localhost:"),
        ({"lan": True}, "network", "http://"),
        ({"public_url": "https://trains.example.org"}, "everybody", "https://trains.example.org/"),
    ],
)
async def test_the_room_says_whom_its_link_reaches(
    tmp_path: Path, settings: Json, reach: str, link: str
) -> None:
    async with serving(tmp_path, **settings) as server:
        ada = await visitor(server)
        room = await ada.create("night-mail")
        assert room["reach"] == reach
        assert room["link"].startswith(link)
        assert ("localhost" in room["link"]) == (reach == "computer")


async def test_the_public_list_has_public_rooms_alone(server: Live) -> None:
    ada, stranger = await visitor(server), await visitor(server)
    shown = (await ada.create("night-mail", name="Ada", settings={"public": True}))["code"]
    hidden = (await ada.create("night-mail"))["code"]
    closed = (await ada.create("night-mail", settings={"public": True, "locked": True}))["code"]
    async with (
        ada.socket(shown, 0) as seat,
        ada.socket(hidden, 0),
        ada.socket(closed, 0),
    ):
        listed = {line["code"]: line for line in await stranger.get("/api/rooms")}
        assert shown in listed
        assert not {hidden, closed} & set(listed)
        line = listed[shown]
        assert (line["host"], line["people"], line["free"]) == ("Ada", 1, 4)
        await ada.command(shown, "configure", settings={"public": False})
        await seat.until(lambda seat: not seat.room["settings"].get("public"))
        assert shown not in [line["code"] for line in await stranger.get("/api/rooms")]


async def test_one_finds_ones_own_rooms_again(server: Live) -> None:
    ada, bruno, code = await pair(server)
    other = (await ada.create("stop-the-train"))["code"]
    assert {line["code"] for line in (await ada.get("/api/me"))["rooms"]} == {code, other}
    assert [line["code"] for line in (await bruno.get("/api/me"))["rooms"]] == [code]


# --- coming together -----------------------------------------------------------------------------


async def test_one_finds_ones_own_rooms_again_after_a_restart(tmp_path: Path) -> None:
    """Those where a match is on, those where none is, and none that are not one's own."""
    async with serving(tmp_path) as server:
        ada, bruno, playing = await pair(server)
        quiet = (await ada.create("night-mail", name="Ada"))["code"]
        await ada.command(playing, "start")
        await bruno.command(quiet, "sit", seat=1, name="Bruno")
        await ada.command(quiet, "remove", person=2)
        left = (await ada.create("night-mail", name="Ada"))["code"]
        await ada.command(left, "leave")
    async with serving(tmp_path) as server:
        ada.url = bruno.url = server.url
        lines = (await ada.get("/api/me"))["rooms"]
        assert [line["code"] for line in lines] == [playing, quiet]
        assert [line["phase"] for line in lines] == ["playing", "open"]
        assert [line["code"] for line in (await bruno.get("/api/me"))["rooms"]] == [playing]
        assert not (await (await visitor(server)).get("/api/me")).get("rooms")


async def test_two_people_get_ready_and_start(server: Live) -> None:
    ada = await visitor(server)
    code = (await ada.create("night-mail", name="Ada"))["code"]
    bruno = await visitor(server)
    await bruno.command(code, "sit", seat=2, name="Bruno")
    await refused(bruno.command(code, "start"), "room.host-only")
    with pytest.raises(Failed) as failed:
        await ada.command(code, "start")
    assert (failed.value.key, failed.value.arguments) == (
        "room.not-ready",
        {"names": ["Bruno"]},
    )
    async with ada.socket(code, 0) as first, bruno.socket(code, 2) as second:
        assert first.room["hindrance"]["key"] == "room.not-ready"
        await bruno.command(code, "ready")
        await first.until(lambda seat: "hindrance" not in seat.room)
        await ada.command(code, "start")
        # Whoever is here is told of the match, each of their own seat of it.
        await first.until(in_match)
        await second.until(in_match)
        assert (first.number, second.number) == (0, 1)
        assert first.names == second.names == ["Ada", "Bruno"]
        assert first.room["match_seats"] == [0, 2]
        assert first.view != second.view
        await refused(ada.command(code, "start"), "room.playing")


async def test_everybody_sees_who_is_here(server: Live) -> None:
    ada, bruno, code = await pair(server)
    async with ada.socket(code, 0) as first:
        assert [bool(s.get("present")) for s in first.room["seats"][:2]] == [True, False]
        async with bruno.socket(code, 1):
            await first.until(lambda seat: seat.room["seats"][1].get("present"))
        await first.until(lambda seat: not seat.room["seats"][1].get("present"))


async def test_of_two_who_sit_down_at_once_one_sits(server: Live) -> None:
    ada, bruno, code = await pair(server)
    for chair in (2, 3, 4):
        both = await asyncio.gather(
            ada.command(code, "sit", seat=chair),
            bruno.command(code, "sit", seat=chair),
            return_exceptions=True,
        )
        lost = [found for found in both if isinstance(found, Failed)]
        assert len(lost) == 1
        assert lost[0].key == "room.taken"
        room = await ada.room(code)
        assert sum(seat["kind"] == "person" for seat in room["seats"]) == 2


async def test_whoever_moves_in_the_room_still_speaks_for_their_chair(server: Live) -> None:
    ada, bruno, code = await pair(server)
    async with ada.socket(code, 0) as first, bruno.socket(code, 1) as second:
        await bruno.command(code, "sit", seat=3)
        await second.until(lambda seat: 3 in seat.room.get("yours", []))
        for _ in range(3):
            await ada.command(code, "shuffle")
        await bruno.command(code, "rename", name="Benno")
        await ada.command(code, "start")
        for seat, name in (first, "Ada"), (second, "Benno"):
            await seat.until(in_match)
            assert seat.number is not None
            assert seat.names[seat.number] == name
            assert seat.question
        await second.drop()
        await second.keep(notes="still mine")
        assert second.private["notes"] == "still mine"
        assert second.seat is not None
        assert second.room["seats"][second.seat]["name"] == "Benno"


async def test_whose_chair_is_gone_watches(server: Live) -> None:
    ada, bruno, code = await pair(server)
    await ada.command(code, "bot", seat=2, bot="random")
    async with bruno.socket(code, 1) as second:
        await ada.command(code, "clear", seat=1)
        await second.until(lambda seat: seat.room["seats"][1]["kind"] == "empty")
        await ada.command(code, "start")
        await second.until(in_match)
        assert second.number is None
        assert not second.question


# --- watching ------------------------------------------------------------------------------------


async def test_who_watches_sees_the_match_and_does_nothing(server: Live) -> None:
    ada, _, code = await pair(server)
    carla = await visitor(server)
    async with ada.socket(code, 0) as first, carla.socket(code) as watcher:
        await first.until(lambda seat: seat.room.get("watchers") == 1)
        await ada.command(code, "start")
        await watcher.until(in_match)
        await first.until(in_match)
        assert watcher.number is None
        assert not watcher.question
        assert not watcher.private
        sends: list[Json] = [
            {"t": "do", "id": "a", "question": first.question["id"], "do": [{"do": "pass"}]},
            {"t": "say", "id": "b", "said": "hello"},
            {"t": "undo", "id": "c"},
            {"t": "preview", "id": "d", "do": [{"do": "pass"}]},
            {"t": "hint", "id": "e"},
            {"t": "keep", "id": "f", "notes": "x"},
        ]
        for send in sends:
            with pytest.raises(Refusal) as refusal:
                await watcher._ask(send, send["id"])
            assert refusal.value.key == "socket.only-watching"


async def test_a_table_can_do_without_watchers(server: Live) -> None:
    ada, bruno, code = await pair(server, settings={"watching": False})
    carla = await visitor(server)
    async with (
        carla.socket(code) as watcher,
        ada.socket(code, 0) as first,
        bruno.socket(code, 1) as second,
    ):
        watcher.received = []
        room = await ada.command(code, "start")
        await first.until(in_match)
        await shut_out((await visitor(server)).socket(code), "room.no-watching")
        await refused(carla.get(f"/api/matches/{room['match']}/replay"), "room.no-watching")
        await watcher.until(phase("playing"))
        await act(first, second)
        await carla.command(code, "rename", name="Carla")
        await watcher.until(lambda seat: seat.room["people"][-1]["name"] == "Carla")
        kinds = {json.loads(message)["t"] for message in watcher.received}
        assert kinds <= {"room", "presence"}, "it is told nothing of the match"
        async with bruno.socket(code) as screen:  # who plays may put it on a screen as well
            await screen.until(in_match)


async def test_watching_can_end_during_a_match(server: Live) -> None:
    ada, bruno, code = await pair(server)
    carla = await visitor(server)
    await ada.command(code, "start")
    async with (
        carla.socket(code) as watcher,
        ada.socket(code, 0) as first,
        bruno.socket(code, 1) as second,
    ):
        await watcher.until(in_match)
        await ada.command(code, "configure", settings={"watching": False})
        await watcher.until(lambda seat: seat.room["settings"].get("watching") is False)
        watcher.received = []
        await act(first, second)
        await ada.command(code, "abandon")
        await watcher.until(phase("over"))
        kinds = [json.loads(message)["t"] for message in watcher.received]
        assert "frame" not in kinds


# --- the host ------------------------------------------------------------------------------------


async def test_host_rights_are_the_hosts(server: Live) -> None:
    ada, bruno, code = await pair(server)
    for do, more in (
        ("configure", {"settings": {"locked": True}}),
        ("configure", {"preset": "wild"}),
        ("clear", {"seat": 0}),
        ("remove", {"person": 1}),
        ("hand-over", {"person": 2}),
        ("hush", {"person": 1}),
        ("shuffle", {}),
        ("start", {}),
        ("abandon", {}),
    ):
        await refused(bruno.command(code, do, **more), "room.host-only")
    room = await ada.command(code, "hand-over", person=2)
    assert room["host"] == 2
    await bruno.command(code, "configure", preset="wild")
    await refused(ada.command(code, "start"), "room.host-only")


async def test_a_locked_room(server: Live) -> None:
    ada, bruno, code = await pair(server)
    await ada.command(code, "configure", settings={"locked": True})
    stranger = await visitor(server)
    await refused(stranger.room(code), "room.locked")
    await refused(stranger.command(code, "sit", seat=3), "room.locked")
    await refused(stranger.command(code, "ready"), "room.locked")
    await refused(stranger.command(code, "leave"), "room.locked")
    for own in ("words/en", "data/track"):  # what may stand on a table's own cards
        await refused(stranger.get(f"/api/rooms/{code}/{own}"), "room.locked")
    await shut_out(stranger.socket(code), "room.locked")
    assert len((await bruno.command(code, "sit", seat=3))["people"]) == 2
    await ada.command(code, "configure", settings={"locked": False})
    await stranger.command(code, "sit", seat=1, name="Carla")


async def test_whoever_is_removed_is_out_and_stays_out(server: Live) -> None:
    ada, bruno, code = await pair(server)
    async with ada.socket(code, 0) as first, AsyncExitStack() as stack:
        seated = await stack.enter_async_context(bruno.socket(code, 1))
        watching = await stack.enter_async_context(bruno.socket(code))
        await ada.command(code, "remove", person=2)
        await first.until(lambda seat: len(seat.room["people"]) == 1)
        await seated.until(lambda seat: seat.closed)
        await watching.until(lambda seat: seat.closed)
        assert (seated.closed, watching.closed) == ("removed", "removed")
        assert first.room["seats"][1]["kind"] == "empty"
    await refused(bruno.room(code), "room.removed")
    for do, more in (("sit", {"seat": 2}), ("ready", {}), ("leave", {})):
        await refused(bruno.command(code, do, **more), "room.removed")
    await shut_out(bruno.socket(code), "room.removed")


async def test_whoever_is_removed_from_a_match_leaves_the_seat_to_a_bot(server: Live) -> None:
    ada, bruno, code = await pair(server)
    key = (await bruno.post(f"/api/rooms/{code}/seats/1/link"))["key"]
    room = await ada.command(code, "start")
    async with ada.socket(code, 0) as first, bruno.socket(code, 1) as second:
        await ada.command(code, "remove", person=2)
        await second.until(lambda seat: seat.closed)
        await first.until(lambda seat: seat.scene["players"] == ["person", "bot"])
    await refused(bruno.command(code, "take-back", seat=1), "room.removed")
    await refused(bruno.get(f"/api/matches/{room['match']}/replay?as=1"), "room.removed")
    # Nor by a personal link made before, from another browser.
    other = await visitor(server)
    await refused(other.post(f"/api/rooms/{code}/seats/1/key", {"key": key}), "room.wrong-key")


async def test_a_bot_steps_in_for_who_is_away_and_for_nobody_else(server: Live) -> None:
    ada, bruno, code = await pair(server)
    await ada.command(code, "start")
    async with ada.socket(code, 0) as first:
        async with bruno.socket(code, 1):
            await refused(ada.command(code, "replace", seat=1), "room.still-here")
            await refused(bruno.command(code, "replace", seat=0), "room.host-only")
        await first.until(lambda seat: not seat.room["seats"][1].get("present"))
        await ada.command(code, "replace", seat=1)
        await first.until(lambda seat: seat.scene["players"] == ["person", "bot"])
        await refused(ada.command(code, "take-back", seat=1), "room.not-yours")
        await bruno.command(code, "take-back", seat=1)
        await first.until(lambda seat: seat.scene["players"] == ["person", "person"])


# --- many matches --------------------------------------------------------------------------------


async def test_a_room_lives_through_many_matches_each_one_request_away(server: Live) -> None:
    ada, bruno, code = await pair(server, preset="short")
    played: list[str] = []
    async with ada.socket(code, 0) as first, bruno.socket(code, 1) as second:
        for n in range(3):
            room = await ada.command(code, "start")
            assert room["phase"] == "playing"
            assert room["match"] not in played
            played.insert(0, room["match"])
            for seat in (first, second):
                await seat.until(lambda seat: seat.match == played[0])
            await asyncio.gather(play(first, at_random(n)), play(second, at_random(n + 9)))
            await first.until(phase("over"))
            await second.until(phase("over"))
            assert first.names == ["Ada", "Bruno"]
    room = await ada.room(code)
    assert [past["id"] for past in room["past"]] == played
    assert all(past["ending"] in ("arrived", "stranded") for past in room["past"])
    assert "hindrance" not in room, "everybody is still there and ready"


async def test_after_a_match_everything_can_be_changed_for_the_next(server: Live) -> None:
    ada, bruno, code = await pair(server)
    async with ada.socket(code, 0) as first, bruno.socket(code, 1) as second:
        await ada.command(code, "start")
        await first.until(in_match)
        await ada.command(code, "abandon")
        await first.until(phase("over"))
        await ada.command(code, "configure", title="stop-the-train", preset="first-game")
        await ada.command(code, "bot", seat=2, bot="passenger")
        await ada.command(code, "start")
        await second.until(lambda seat: in_match(seat) and len(seat.names) == 3)
        assert second.number == 1


async def test_whoever_left_during_a_match_does_not_hold_up_the_rematch(server: Live) -> None:
    ada, bruno, code = await pair(server)
    await guest(server, code, 2, "Carla")
    async with ada.socket(code, 0) as first, bruno.socket(code, 1):
        await ada.command(code, "start")
        await bruno.command(code, "leave")
        await first.until(lambda seat: in_match(seat) and seat.scene["players"][1] == "bot")
        await ada.command(code, "abandon")
        await first.until(phase("over"))
        assert first.room["seats"][1]["kind"] == "empty"
        await ada.command(code, "start")
        await first.until(lambda seat: seat.names == ["Ada", "Carla"])


async def test_whoever_leaves_a_match_can_take_the_seat_back(server: Live) -> None:
    ada, bruno, code = await pair(server)
    await ada.command(code, "start")
    async with ada.socket(code, 0) as first:
        await bruno.command(code, "leave")
        await first.until(lambda seat: seat.scene["players"] == ["person", "bot"])
        await ada.command(code, "configure", settings={"locked": True})
        await bruno.command(code, "take-back", seat=1)
        await first.until(lambda seat: seat.scene["players"] == ["person", "person"])
        await first.until(lambda seat: len(seat.room["people"]) == 2)
        assert [person["name"] for person in first.room["people"]] == ["Ada", "Bruno"]


async def test_notes_of_a_match_stay_with_who_made_them(server: Live) -> None:
    ada, bruno, code = await pair(server)
    await ada.command(code, "start")
    async with ada.socket(code, 0) as first:
        await first.keep(notes="Bruno lies", webhook="")
        await ada.command(code, "abandon")
        await first.until(phase("over"))
    async with ada.socket(code, 0) as again:
        assert again.private["notes"] == "Bruno lies"
    await ada.command(code, "sit", seat=2)
    await bruno.command(code, "sit", seat=0)
    async with bruno.socket(code, 0) as second, ada.socket(code, 2) as first:
        assert (second.number, second.private.get("notes", "")) == (1, "")
        assert (first.number, first.private["notes"]) == (0, "Bruno lies")
        await second.keep(notes="Ada too")
    async with ada.socket(code, 2) as first:
        assert first.private["notes"] == "Bruno lies"


async def test_notes_that_come_late_are_not_kept_for_the_next_match(server: Live) -> None:
    ada, bruno, code = await pair(server)
    await ada.command(code, "start")
    async with ada.socket(code, 0) as seat:
        old = seat.match
        await ada.command(code, "abandon")
        await bruno.command(code, "ready")
        await ada.command(code, "start")
        await seat.until(lambda now: now.match != old)
        with pytest.raises(Refusal) as refused:
            await seat.keep(notes="on the match before", match=old)
        assert refused.value.key == "table.late"
        assert seat.private.get("notes", "") == ""
