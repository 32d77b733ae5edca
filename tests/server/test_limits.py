"""So many in a while, so many at once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from capolinea.client import Failed
from capolinea.server.fold import header_of
from capolinea.server.limits import AtOnce, Rate, by_address
from tests.server.tables import serving


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_so_many_and_no_more(clock: Clock) -> None:
    rate = Rate(3, 60, clock)
    assert [rate.take("ada") for _ in range(3)] == [0, 0, 0]
    assert rate.take("ada") == pytest.approx(20)
    assert rate.take("bruno") == 0, "everybody has their own"


def test_it_refills_with_time(clock: Clock) -> None:
    rate = Rate(3, 60, clock)
    for _ in range(3):
        rate.take("ada")
    clock.now += 19.9
    assert rate.take("ada") == pytest.approx(0.1)
    clock.now += 0.2
    assert rate.take("ada") == 0
    assert rate.take("ada") > 19


def test_asking_too_often_does_not_put_it_off(clock: Clock) -> None:
    rate = Rate(1, 10, clock)
    rate.take("ada")
    for _ in range(99):
        clock.now += 0.1
        assert rate.take("ada") > 0
    clock.now += 0.2
    assert rate.take("ada") == 0


def test_it_never_holds_more_than_full(clock: Clock) -> None:
    rate = Rate(3, 60, clock)
    rate.take("ada")
    clock.now += 59
    rate.take("bruno")
    clock.now += 100_000
    assert [rate.take("ada") == 0 for _ in range(4)] == [True, True, True, False]


def test_some_things_cost_more(clock: Clock) -> None:
    rate = Rate(10, 10, clock)
    assert rate.take("ada", 8) == 0
    assert rate.take("ada", 8) == pytest.approx(6)
    assert rate.take("ada", 2) == 0
    assert rate.take("bruno", 1000) == 0, "what costs more than there ever is takes all"
    assert rate.take("bruno") == pytest.approx(1)


def test_old_keys_are_forgotten(clock: Clock) -> None:
    rate = Rate(3, 60, clock)
    for n in range(100):
        rate.take(f"visitor {n}")
    assert len(rate) == 100
    clock.now += 60
    rate.take("ada")
    assert len(rate) == 1


def test_memory_is_bounded_and_the_busiest_stay_remembered(clock: Clock) -> None:
    rate = Rate(2, 60, clock, most_keys=50)
    rate.take("flood")
    rate.take("flood")
    for n in range(1000):
        clock.now += 0.001
        rate.take(f"visitor {n}")
        assert rate.take("flood") > 0
        assert len(rate) <= 50


def test_so_many_at_once() -> None:
    sockets = AtOnce(2)
    assert sockets.enter("ada")
    assert sockets.enter("ada")
    assert not sockets.enter("ada")
    assert sockets.enter("bruno")
    sockets.leave("ada")
    assert sockets.enter("ada")
    assert not sockets.enter("ada")


def test_who_left_is_forgotten() -> None:
    sockets = AtOnce(1)
    for n in range(100):
        assert sockets.enter(str(n))
        assert not sockets.enter(str(n))
        sockets.leave(str(n))
    assert len(sockets) == 0


def test_addresses() -> None:
    assert by_address("192.0.2.7") == "192.0.2.7"
    assert by_address("::ffff:192.0.2.7") == "192.0.2.7"
    assert by_address("2001:db8:1:2:3::4") == by_address("2001:db8:1:2:ffff::") != ""
    assert by_address("2001:db8:1:2::1") != by_address("2001:db8:1:3::1")
    assert by_address("fe80::1%eth0") == "fe80::/64"
    assert by_address("testclient") == "testclient"
    assert len(by_address("x" * 10_000)) <= 64


@pytest.mark.parametrize("limit", ["person_sockets", "address_sockets"])
async def test_a_page_can_ask_why_no_further_socket_is_opened(tmp_path: Path, limit: str) -> None:
    """A browser does not tell it."""
    async with serving(tmp_path, None, **{limit: 1}) as server, server.client() as ada:
        code = (await ada.create("night-mail", name="Ada"))["code"]
        asked = f"/api/rooms/{code}?socket=1"
        assert (await ada.get(asked))["yours"] == [0]
        async with ada.socket(code, 0):
            with pytest.raises(Failed) as failed:
                await ada.get(asked)
            assert (failed.value.status, failed.value.key) == (429, "serve.too-many-sockets")
            assert (await ada.room(code))["yours"] == [0], "it can be looked at all the same"


@pytest.mark.parametrize("limit", ["matches_per_hour", "address_matches_per_hour"])
async def test_matches_are_begun_at_a_rate(tmp_path: Path, limit: str) -> None:
    """They are kept: who begins and abandons would fill the disk."""
    async with serving(tmp_path, None, **{limit: 3}) as server, server.client() as ada:
        code = (await ada.create("night-mail", name="Ada", bots=["random"]))["code"]
        for _ in range(3):
            await ada.command(code, "start")
            await ada.command(code, "abandon")
        with pytest.raises(Failed) as failure:
            await ada.command(code, "start")
        assert (failure.value.status, failure.value.key) == (429, "serve.too-fast")
        with pytest.raises(Failed) as failure:
            await ada.create("night-mail", name="Ada", bots=["random"], start=True)
        assert failure.value.key == "serve.too-fast"


async def test_data_of_ones_own_is_kept_once_for_all_matches_with_it(tmp_path: Path) -> None:
    decks = ("innocent", "guilty", "modifier")
    cards = [{"deck": decks[n % 3], "text": {"en": f"{n} " + "x y" * 60}} for n in range(600)]
    async with serving(tmp_path) as server, server.client() as ada:
        more = {"data": {"pack": {"cards": cards}}, "options": {"pack": "ours"}}
        room = await ada.create("trial-by-trolley", name="A", bots=["advocate"] * 2, **more)
        for _ in range(3):
            await ada.command(room["code"], "start")
            await ada.command(room["code"], "abandon")
        kept = await server.hub.store.matches(room["code"])
        assert len(kept) == 3
        for row in kept:
            assert header_of(row).data["pack"].content == {"cards": cards}
    with closing(sqlite3.connect(tmp_path / "capolinea.db")) as db:
        [(headers,)] = db.execute("SELECT sum(length(header)) FROM matches")
        assert headers < 10_000
        assert db.execute("SELECT count(*) FROM data").fetchall() == [(1,)]
