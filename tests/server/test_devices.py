"""Who somebody is: several seats in one browser, another device, nobody else, and after a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from capolinea.client import Refusal, Seat
from capolinea.server import qr
from capolinea.server.identity import YEAR
from tests.server.live import Live
from tests.server.people import guest, in_match, pair, phase, refused, shut_out, visitor
from tests.server.tables import Guest, Running, at_random, play, serving


def id_of(client: Guest) -> str:
    return client.cookie.partition("=")[2].partition(".")[0]


# --- one browser, several seats ------------------------------------------------------------------


async def test_hot_seat_one_cookie_two_seats_two_views(server: Live) -> None:
    ada = await visitor(server)
    code = (await ada.create("night-mail", name="Ada"))["code"]
    room = await ada.command(code, "sit", seat=1, name="Dora", further=True)
    assert [seat["name"] for seat in room["seats"][:2]] == ["Ada", "Dora"]
    assert "hindrance" not in room, "the host's screen is ready when the host starts"
    await ada.command(code, "start")
    async with ada.socket(code, 0) as first, ada.socket(code, 1) as second:
        assert (first.number, second.number) == (0, 1)
        assert first.view != second.view
        await asyncio.gather(play(first, at_random(1)), play(second, at_random(2)))
        assert first.result == second.result is not None


async def test_hot_seat_a_socket_speaks_for_one_seat_alone(server: Live) -> None:
    ada = await visitor(server)
    code = (await ada.create("night-mail", name="Ada"))["code"]
    await ada.command(code, "sit", seat=1, name="Dora", further=True)
    await ada.command(code, "start")
    async with ada.socket(code, 0) as first, ada.socket(code, 1) as second:
        await first.keep(notes="of Ada")
        await second.keep(notes="of Dora")
        assert (first.private["notes"], second.private["notes"]) == ("of Ada", "of Dora")
        with pytest.raises(Refusal) as refusal:
            await second._ask({"t": "hello", "seat": 0}, "")
        assert refusal.value.key in ("socket.form", "socket.hello-again")


# --- another device ------------------------------------------------------------------------------


async def test_a_personal_link_takes_a_seat_to_another_device(server: Live) -> None:
    ada, bruno, code = await pair(server)
    await ada.command(code, "start")
    link = await bruno.post(f"/api/rooms/{code}/seats/1/link")
    page, _, secret = link["link"].partition("#")
    assert page.endswith(f"/room/{code}")
    assert secret == f"seat=1.{link['key']}"
    assert link["key"] not in page, "what follows the # is sent to nobody"
    assert link["qr"] == qr.svg(link["link"])
    phone = await visitor(server)
    room = await phone.post(f"/api/rooms/{code}/seats/1/key", {"key": link["key"]})
    assert room["yours"] == [1]
    async with bruno.socket(code, 1) as desk, phone.socket(code, 1) as hand:
        assert hand.scene == desk.scene
        assert hand.number == 1
        await hand.until(lambda seat: seat.question)
        await hand.keep(notes="from the phone")
        await desk.until(lambda seat: seat.private.get("notes") == "from the phone")
        if hand.must:
            await hand.do(hand.whole_choices()[0])
            await desk.until(lambda seat: seat.n == hand.n)
            assert desk.scene == hand.scene


async def test_a_personal_link_opens_a_locked_room(server: Live) -> None:
    ada, bruno, code = await pair(server)
    key = (await bruno.post(f"/api/rooms/{code}/seats/1/link"))["key"]
    await ada.command(code, "configure", settings={"locked": True})
    phone = await visitor(server)
    await refused(phone.room(code), "room.locked")
    await phone.post(f"/api/rooms/{code}/seats/1/key", {"key": key})
    async with phone.socket(code, 1) as seat:
        assert seat.room["yours"] == [1]


async def test_a_wrong_or_old_key_takes_no_seat_anywhere(server: Live) -> None:
    ada, bruno, code = await pair(server)
    thief = await visitor(server)
    path = f"/api/rooms/{code}/seats"
    old = (await bruno.post(f"{path}/1/link"))["key"]
    new = (await bruno.post(f"{path}/1/link"))["key"]
    for seat, key in ((1, old), (2, ""), (1, ""), (1, new[:-1])):
        await refused(thief.post(f"{path}/{seat}/key", {"key": key}), "room.wrong-key")
    await refused(ada.post(f"{path}/1/link"), "room.not-yours")
    await refused(thief.post(f"{path}/1/link"), "room.not-yours")
    room = await ada.room(code)
    assert len(room["people"]) == 2
    await bruno.command(code, "stand", seat=1)
    await bruno.command(code, "sit", seat=1)
    await refused(thief.post(f"{path}/1/key", {"key": new}), "room.wrong-key")


async def test_a_personal_link_leads_to_its_chair_wherever_that_stands(server: Live) -> None:
    _, bruno, code = await pair(server)
    key = (await bruno.post(f"/api/rooms/{code}/seats/1/link"))["key"]
    await bruno.command(code, "sit", seat=2)
    phone = await visitor(server)
    room = await phone.post(f"/api/rooms/{code}/seats/1/key", {"key": key})
    assert room["yours"] == [2]


async def test_whoever_comes_to_play_is_known_for_another_year(server: Live) -> None:
    ada = await visitor(server)
    code = (await ada.create("night-mail", name="Ada"))["code"]
    url = f"{server.url.replace('http', 'ws')}/api/rooms/{code}/socket"
    async with connect(url, additional_headers={"Cookie": ada.cookie}) as socket:
        assert socket.response is not None
        cookie = socket.response.headers["Set-Cookie"].split("; ")
    assert cookie[0] == ada.cookie
    assert f"Max-Age={YEAR}" in cookie


async def test_a_new_link_takes_the_seat_from_who_came_by_an_old_one(server: Live) -> None:
    """Whoever photographed it, say. Nobody would see them, and nobody could send them out."""
    ada, bruno, code = await pair(server)
    thief = await moved(server, bruno, code, 1)
    assert [seat.get("devices") for seat in (await ada.room(code))["seats"][:3]] == [1, 2, None]
    await ada.command(code, "start")
    async with bruno.socket(code, 1) as own, thief.socket(code, 1) as stolen:
        assert stolen.number == 1
        phone = await moved(server, bruno, code, 1)
        await stolen.until(lambda seat: "yours" not in seat.room and seat.number is None)
        assert (stolen.seat, stolen.private, stolen.view.get("own")) == (None, {}, None)
        with pytest.raises(Refusal, match="only-watching"):
            await stolen.keep(notes="mine")
        await own.keep(notes="still mine")
    await refused(thief.post(f"/api/rooms/{code}/seats/1/link"), "room.not-yours")
    room = await ada.room(code)
    assert room["seats"][1]["devices"] == 2
    assert [person["number"] for person in room["people"]] == [1, 2, 3], "the thief is seen"
    # Who makes a link on another device keeps that, and whose the chair is keeps it anyway.
    tablet = await moved(server, phone, code, 1)
    for client in (bruno, phone, tablet):
        assert (await client.room(code))["yours"] == [1]


async def moved(server: Live | Running, client: Guest, code: str, seat: int) -> Guest:
    """The same person on another device."""
    key = (await client.post(f"/api/rooms/{code}/seats/{seat}/link"))["key"]
    phone = await visitor(server)
    await phone.post(f"/api/rooms/{code}/seats/{seat}/key", {"key": key})
    return phone


async def test_the_host_is_the_host_on_another_device_too(server: Live) -> None:
    ada, bruno, code = await pair(server)
    phone = await moved(server, ada, code, 0)
    room = await phone.room(code)
    assert room["you"] == room["host"] == 1
    assert [person["name"] for person in room["people"]] == ["Ada", "Bruno"]
    await phone.command(code, "configure", preset="wild")
    await phone.command(code, "start")
    await phone.command(code, "abandon")
    await refused(phone.command(code, "remove", person=1), "room.remove-host")
    await phone.command(code, "hand-over", person=2)
    for client in (ada, phone):
        await refused(client.command(code, "start"), "room.host-only")
    assert (await bruno.room(code))["host"] == 2


async def test_the_link_of_somebody_at_the_hosts_screen_makes_nobody_host(server: Live) -> None:
    ada = await visitor(server)
    code = (await ada.create("night-mail", name="Ada"))["code"]
    await ada.command(code, "sit", seat=1, name="Dora", further=True)
    dora = await moved(server, ada, code, 1)
    room = await dora.room(code)
    assert room["you"] != room["host"]
    await refused(dora.command(code, "start"), "room.host-only")
    await refused(dora.command(code, "remove", person=1), "room.host-only")
    # Nor can she become her by calling herself so.
    room = await dora.command(code, "rename", name="Ada", seat=1)
    assert [seat["name"] for seat in room["seats"][:2]] == ["Ada", "Ada 2"]
    await refused(dora.command(code, "start"), "room.host-only")


async def test_whoever_has_a_chair_of_their_own_stays_who_they_are(server: Live) -> None:
    """Bruno may play for Ada by her link: what is decided is still hers to decide."""
    ada, bruno, code = await pair(server)
    key = (await ada.post(f"/api/rooms/{code}/seats/0/link"))["key"]
    room = await bruno.post(f"/api/rooms/{code}/seats/0/key", {"key": key})
    assert room["you"] == 2
    await refused(bruno.command(code, "start"), "room.host-only")


async def test_what_is_written_on_another_device_is_the_persons(server: Live) -> None:
    ada, bruno, code = await pair(server)
    phone = await moved(server, bruno, code, 1)
    await ada.command(code, "hush", person=2)
    async with phone.socket(code, 1) as hand, ada.socket(code, 0) as desk:
        with pytest.raises(Refusal) as refusal:
            await hand.write("Ciao")
        assert refusal.value.key == "chat.hushed"
        await ada.command(code, "hush", person=2, hushed=False)
        await hand.write("Ciao")
        await desk.until(lambda seat: seat.chat)
        assert (desk.chat[-1]["person"], desk.chat[-1]["name"]) == (2, "Bruno")


# --- being nobody else ---------------------------------------------------------------------------


async def test_nobody_acts_for_a_seat_that_is_not_theirs(server: Live) -> None:
    ada, bruno, code = await pair(server)
    await ada.command(code, "start")
    token = ada.cookie.partition("=")[2]
    person, _, signature = token.partition(".")
    forged = [
        f"{person}.{'A' * len(signature)}",
        f"{person}.",
        person,
        f"{person}.{bruno.cookie.partition('.')[2]}",
        f"{person}.{signature[:-1]}",
        f"{person}.{signature}=",
    ]
    for cookie in forged:
        await shut_out(Guest(server.url, f"capolinea={cookie}").socket(code, 0), "not-yours")
        someone = Guest(server.url, f"capolinea={cookie}")
        await refused(someone.command(code, "abandon"), "room.host-only")
        assert id_of(someone) != person, "is somebody new"
    stranger = await visitor(server)
    for client in (bruno, stranger):
        await shut_out(client.socket(code, 0), "room.not-yours")
        await refused(client.command(code, "take-back", seat=0), "room.not-yours")
        await refused(client.command(code, "stand", seat=0), "room.not-yours")
    await shut_out(ada.socket(code, 4), "room.not-yours")
    await shut_out(ada.socket(code, 31), "room.not-yours")
    async with ada.socket(code, 0) as first:
        assert first.number == 0


async def test_of_a_running_match_nobody_gets_more_than_their_view(server: Live) -> None:
    ada, bruno, code = await pair(server)
    match = f"/api/matches/{(await ada.command(code, 'start'))['match']}"
    stranger = await visitor(server)
    await ada.get(f"{match}/replay?as=0")
    for client in (bruno, stranger):
        await refused(client.get(f"{match}/replay?as=0"), "match.running")
        await refused(client.get(f"{match}/replay?as=truth"), "match.running")
        await refused(client.get(f"{match}/record"), "match.running")
    assert "seed" not in await ada.get(match)


async def test_nothing_that_is_sent_tells_who_somebody_is_or_a_key(server: Live) -> None:
    ada, bruno, code = await pair(server, settings={"public": True})
    key = (await bruno.post(f"/api/rooms/{code}/seats/1/link"))["key"]
    phone, carla = await visitor(server), await visitor(server)
    everybody = (ada, bruno, phone, carla)
    seats: list[Seat] = [ada.socket(code, 0), bruno.socket(code, 1), carla.socket(code)]
    for seat in seats:
        seat.received = []
    sent: list[bytes] = []
    async with seats[0], seats[1], seats[2]:
        await phone.post(f"/api/rooms/{code}/seats/1/key", {"key": key})
        async with phone.socket(code, 1):
            await seats[0].write("hello")
            await ada.command(code, "hush", person=2)
            await ada.command(code, "start")
            await seats[0].until(in_match)
            await ada.command(code, "remove", person=4)
            await bruno.command(code, "leave")
            await ada.command(code, "abandon")
            await seats[0].until(phase("over"))
        match = seats[0].match
        for path in (
            f"/api/rooms/{code}",
            "/api/rooms",
            "/api/me",
            f"/api/matches/{match}",
            f"/api/matches/{match}/replay?as=truth",
            f"/api/matches/{match}/record",
        ):
            sent.append(await ada.request("GET", path))
    told = "".join(text for seat in seats for text in seat.received or [])
    told += b"".join(sent).decode()
    assert len(told) > 5000
    kept = server.run(server.hub.store.room(code))
    assert kept is not None
    assert key.encode() not in kept, "only its hash is stored"
    for secret in (key, *(id_of(one) for one in everybody)):
        assert secret not in told
    for one in everybody:
        assert one.cookie.partition(".")[2] not in told


async def test_names_are_as_long_as_the_server_allows(tmp_path: Path) -> None:
    async with serving(tmp_path, name_length=5) as server:
        ada = await visitor(server)
        room = await ada.create("night-mail", name="Alessandra")
        assert room["seats"][0]["name"] == "Aless"
        await refused(ada.command(room["code"], "rename", name="x" * 65), "serve.bad-body")


async def test_a_room_that_is_put_away_while_somebody_knocks_is_one_room(server: Live) -> None:
    ada, bruno, code = await pair(server)
    address = f"{server.url.replace('http', 'ws')}/api/rooms/{code}/socket"
    async with connect(address, additional_headers={"Cookie": ada.cookie}) as knocking:
        server.hub.quiet = 0
        server.run(server.hub.put_away())
        assert code not in server.hub.lounges
        async with bruno.socket(code, 1) as second:
            await knocking.send('{"t": "hello", "seat": 0}')
            await second.until(lambda seat: seat.room["seats"][0].get("present"))


# --- restart -------------------------------------------------------------------------------------


async def test_after_a_restart_the_room_is_as_it_was(tmp_path: Path) -> None:
    async with serving(tmp_path, public_url="http://127.0.0.1") as server:
        ada, bruno, code = await pair(server, preset="wild", options={"bonus": 6})
        await ada.command(code, "bot", seat=3, bot="random")
        carla = await guest(server, code, 4, "Carla")
        await ada.command(code, "remove", person=3)
        await ada.command(code, "configure", settings={"locked": True, "slow": 5})
        await ada.command(code, "hand-over", person=2)
        await bruno.command(code, "hush", person=1)
        key = (await bruno.post(f"/api/rooms/{code}/seats/1/link"))["key"]
        before = await ada.room(code)
    async with serving(tmp_path, public_url="http://127.0.0.1") as server:
        for client in (ada, bruno, carla):
            client.url = server.url
        assert {**await ada.room(code), "n": 0} == {**before, "n": 0}  # that counts anew
        await refused(carla.room(code), "room.removed")
        await refused(ada.command(code, "start"), "room.host-only")
        phone = await visitor(server)
        await phone.post(f"/api/rooms/{code}/seats/1/key", {"key": key})
        await ada.command(code, "ready")
        await bruno.command(code, "start")
        async with ada.socket(code, 0) as first:
            scene = first.scene
    async with serving(tmp_path, bot_pause=60_000) as server:
        ada.url = server.url
        room = await ada.room(code)
        assert room["phase"] == "playing"
        async with ada.socket(code, 0) as first:
            assert first.names[:2] == ["Ada", "Bruno"]
            assert first.number == 0
            assert first.view["own"]["employer"] == scene["view"]["own"]["employer"]
