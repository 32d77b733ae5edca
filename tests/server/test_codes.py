"""Nobody finds a room by trying codes, and nobody who has one is kept out by who does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from starlette.routing import WebSocketRoute

from capolinea.client import Client
from capolinea.server.app import make_app
from capolinea.server.codes import RIGHT, Codes, Missing
from capolinea.server.identity import CODE_LENGTH, COOKIE, LETTERS, new_person
from capolinea.server.limits import TooFast
from capolinea.server.metrics import Metrics
from capolinea.server.settings import Settings
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import NotRead
from tests.server.live import Live, living
from tests.server.tables import TIME, serving
from tests.server.test_limits import Clock

HOUR = 3600
DAY = 24 * HOUR


def test_a_thousand_rooms_are_not_found_in_years() -> None:
    """The arithmetic in `codes.py`, from what is so."""
    guesses = Settings().address_wrong_codes_per_hour * 24 * 365
    years = len(LETTERS) ** CODE_LENGTH / 1000 / guesses
    assert years > 5


# --- one address's limit -------------------------------------------------------------------------


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def codes(clock: Clock) -> Codes:
    return Codes(3, 10, Metrics(), clock, most=50)


def guess(codes: Codes, code: str, address: str = "here", right: bool = False) -> str:
    """What somebody hears who tries this code."""
    try:
        with codes.trying(address, code):
            if not right:
                raise Missing("room.unknown")
    except (Missing, TooFast) as problem:
        return problem.key
    return "come in"


def test_wrong_ones_are_soon_too_many(codes: Codes, clock: Clock) -> None:
    assert [guess(codes, f"wrong {n}") for n in range(4)] == [
        *["room.unknown"] * 3,
        "room.too-many-codes",
    ]
    assert guess(codes, "wrong", "elsewhere") == "room.unknown"
    assert guess(codes, "right", right=True) == "room.too-many-codes", "else it would be an answer"
    clock.now += HOUR / 3
    assert guess(codes, "right", right=True) == "come in"


def test_over_a_long_time_there_are_no_more_than_allowed(codes: Codes, clock: Clock) -> None:
    heard = []
    for n in range(10 * DAY // 60):
        heard.append(guess(codes, f"wrong {n}"))
        clock.now += 60
    assert heard.count("room.unknown") == pytest.approx(3 * 240, abs=4)


def test_right_ones_cost_hardly_anything(codes: Codes) -> None:
    many = int(1 / RIGHT) + 1
    assert {guess(codes, f"right {n}", right=True) for n in range(many)} == {"come in"}
    assert guess(codes, "wrong") == "room.unknown"
    assert guess(codes, "wrong too") == "room.too-many-codes"


def test_what_was_tried_before_is_no_guess(codes: Codes) -> None:
    """A window on a room that is gone asks for ever; who was let in comes back whatever others do."""
    guess(codes, "right", right=True)
    for _ in range(1000):
        assert guess(codes, "gone") == "room.unknown"
    for n in range(9):
        guess(codes, f"wrong {n}")
    assert guess(codes, "wrong") == "room.too-many-codes"
    assert guess(codes, "right", right=True) == "come in"
    assert guess(codes, "gone") == "room.unknown"
    assert guess(codes, "right", "elsewhere") == "room.unknown", "it is asked like anybody"


def test_many_at_the_same_time_are_no_way_around(codes: Codes) -> None:
    """All are on their way before the first is answered."""
    on_their_way = [codes.trying("here", f"wrong {n}") for n in range(4)]
    for one in on_their_way[:3]:
        one.__enter__()
    with pytest.raises(TooFast):
        on_their_way[3].__enter__()


def test_what_could_not_be_looked_up_was_no_guess(codes: Codes) -> None:
    for n in range(10):
        with pytest.raises(NotRead), codes.trying("here", f"code {n}"):
            raise NotRead
    assert guess(codes, "code 1") == "room.unknown"
    assert [guess(codes, f"wrong {n}") for n in range(3)].count("room.unknown") == 2


def test_memory_is_bounded(codes: Codes, clock: Clock) -> None:
    for n in range(200):
        guess(codes, f"wrong {n}", f"address {n}")
        guess(codes, "x" * 10_000, f"address {n}")
    assert len(codes) == 50
    assert all(len(code) < 20 for _, code in codes._tried)


def test_wrong_ones_from_everywhere_sound_an_alarm_and_close_nothing(
    codes: Codes, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    def alarms() -> int:
        return sum(record.msg == "wrong-codes" for record in caplog.records)

    with caplog.at_level(logging.WARNING):
        for n in range(10):
            guess(codes, "wrong", f"address {n}")
        assert alarms() == 0
        for n in range(10, 500):
            assert guess(codes, "wrong", f"address {n}") == "room.unknown"
        assert alarms() == 1, "one an hour"
        clock.now += HOUR
        for n in range(500, 1000):
            guess(codes, "wrong", f"address {n}")
        assert alarms() == 2
    counted = codes._metrics.registry.get_sample_value("capolinea_wrong_codes_total")
    assert counted == 1000


# --- every way to try a code ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with living(tmp_path_factory.mktemp("codes"), address_wrong_codes_per_hour=3) as live:
        yield live


def ways() -> list[tuple[str, str]]:
    """Every method and path of the app with a code in it."""
    app = make_app(Settings(), SqliteStore(Path("never opened")))
    found = []
    for route in app.routes:
        path = getattr(route, "path", "")
        if "{code}" in path:
            web = isinstance(route, WebSocketRoute)
            methods = {"SOCKET"} if web else getattr(route, "methods", None) or {"GET"}
            found += [(method, path) for method in sorted(methods - {"HEAD"})]
    return found


BODIES = {"": b'{"do": "ready"}', "key": b'{"key": "?"}', "track": b"{}"}
OPENING = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


class Person:
    """Somebody at an address of their own."""

    def __init__(self, live: Live, address: str, cookie: str = "") -> None:
        self.port = int(live.url.rpartition(":")[2])
        self.address = address
        self.headers = {"Cookie": cookie}

    def asks(self, method: str, path: str, code: str) -> int:
        """The status of the answer."""
        fitting = {"code": code, "lang": "en", "kind": "track", "seat": "0"}
        wire = HTTPConnection("127.0.0.1", self.port, TIME, source_address=(self.address, 0))
        try:
            where, body = path.format(**fitting), BODIES.get(path.rpartition("/")[2], BODIES[""])
            if method == "SOCKET":
                wire.request("GET", where, headers=OPENING | self.headers)
            else:
                wire.request(method, where, body if method == "POST" else None, self.headers)
            return wire.getresponse().status
        finally:
            wire.close()


async def a_room(live: Live) -> str:
    async with Client(live.url) as host:
        return str((await host.create("stop-the-train", name="Ada"))["code"])


@pytest.mark.parametrize(("method", "path"), ways(), ids=lambda text: text)
async def test_every_way_to_try_a_code_uses_up_the_same(live: Live, method: str, path: str) -> None:
    number = ways().index((method, path))
    person = Person(live, f"127.0.1.{number + 1}")
    known, right = await a_room(live), await a_room(live)
    if path.startswith("/room/"):
        assert person.asks(method, path, right) == person.asks(method, path, "QQQQQQQ")
        return  # a page that says the same of every code
    assert person.asks(method, path, known) not in (404, 429)
    # A first wrong one this way, and a second one another way: then there are no more, this way or that.
    assert person.asks(method, path, "QQQQQQQ") == 404
    for other in ("/api/rooms/{code}", "/api/rooms/{code}/qr.svg"):
        person.asks("GET", other, "QQQQQQX")
    assert person.asks(method, path, right) == 429
    assert person.asks("SOCKET", "/api/rooms/{code}/socket", right) == 429
    assert person.asks(method, path, known) != 429, "who has been there comes back"
    assert Person(live, f"127.0.2.{number + 1}").asks(method, path, right) not in (404, 429)


def test_there_are_many_ways() -> None:
    assert ("SOCKET", "/api/rooms/{code}/socket") in ways()
    assert len(ways()) >= 10


async def test_codes_of_rooms_from_before_are_still_good(tmp_path: Path) -> None:
    """They had six letters."""
    async with serving(tmp_path) as server, Client(server.url) as ada:
        code = (await ada.create("night-mail", name="Ada"))["code"]
        lounge = server.hub.lounges.pop(code)
        lounge.room.code = "BCDFGH"
        await server.hub.add(lounge.room)
        assert (await ada.room("bcdfgh"))["code"] == "BCDFGH"
        async with ada.socket("BCDFGH", 0) as seat:
            assert seat.room["code"] == "BCDFGH"


# --- opening sockets -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "rate"),
    [("sockets_per_minute", "socket_rate"), ("address_sockets_per_minute", "address_socket_rate")],
)
async def test_sockets_are_opened_so_many_times_a_minute(
    tmp_path: Path, limit: str, rate: str
) -> None:
    with living(tmp_path, **{limit: 3}) as live:
        getattr(live.hub, rate)._clock = lambda: 0.0  # all in one moment, however long it takes
        ada, bruno = (f"{COOKIE}={live.hub.identity.token(new_person())}" for _ in range(2))
        code = await a_room(live)

        def opens(cookie: str, address: str) -> int:
            return Person(live, address, cookie).asks("SOCKET", "/api/rooms/{code}/socket", code)

        assert [opens(ada, "127.0.0.2") for _ in range(4)] == [101, 101, 101, 429]
        by_person = rate == "socket_rate"
        assert opens(bruno, "127.0.0.2") == (101 if by_person else 429)
        assert opens(ada, "127.0.0.3") == (429 if by_person else 101)


async def test_who_came_too_often_comes_again(tmp_path: Path) -> None:
    """A client of ours waits, and does not give up."""
    async with serving(tmp_path, sockets_per_minute=1) as server, Client(server.url) as ada:
        code = (await ada.create("night-mail", name="Ada"))["code"]
        server.hub.socket_rate._clock = lambda: 0.0
        async with ada.socket(code, 0):
            pass
        coming = asyncio.create_task(ada.socket(code, 0).__aenter__())
        while (
            server.hub.metrics.registry.get_sample_value(
                "capolinea_requests_total",
                {"method": "WS", "route": "/api/rooms/{code}/socket", "status": "429"},
            )
            is None
        ):
            await asyncio.sleep(0)
        server.hub.socket_rate._clock = lambda: 60.0
        seat = await coming
        assert seat.room["code"] == code
        await seat.__aexit__(None, None, None)
