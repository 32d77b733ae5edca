"""The description for programs: it is valid, it has every route, and every answer is as it says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import requests
import schemathesis
from starlette.routing import Route as WebRoute

from capolinea.client import Seat
from capolinea.server.app import make_app
from capolinea.server.openapi import description
from capolinea.server.settings import Settings
from capolinea.server.sqlite import SqliteStore
from capolinea.version import version
from tests.server.live import Live, living
from tests.server.tables import TIME, Guest, at_random, play
from tests.server.test_fuzz import GOOD

#: The description itself, and what is for the host alone.
UNDESCRIBED = {"/api/openapi.json"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with living(tmp_path_factory.mktemp("openapi")) as server:
        yield server


def test_it_is_valid_openapi_3_1(live: Live) -> None:
    answer = requests.get(f"{live.url}/api/openapi.json", timeout=TIME)
    assert answer.json() == json.loads(json.dumps(description()))
    assert answer.json()["openapi"].startswith("3.1.")
    schemathesis.openapi.from_dict(answer.json()).validate()
    for schema in answer.json()["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)


def test_everything_it_points_at_is_there() -> None:
    document = description()

    def references(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            if "$ref" in part:
                yield part["$ref"]
            yield from (found for inner in part.values() for found in references(inner))
        elif isinstance(part, list):
            yield from (found for inner in part for found in references(inner))

    names = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(references(document)) <= names


def test_every_route_is_in_it(tmp_path: Path) -> None:
    app = make_app(Settings(), SqliteStore(tmp_path / "unused.db"))
    served = {
        (route.path, method)
        for route in app.routes
        if isinstance(route, WebRoute) and route.path.startswith("/api/")
        for method in (route.methods or set()) - {"HEAD"}
        if route.path not in UNDESCRIBED
    }
    paths = description()["paths"]
    described = {(path, method.upper()) for path in paths for method in paths[path]}
    assert described == served
    names = [
        operation["operationId"] for methods in paths.values() for operation in methods.values()
    ]
    assert len(names) == len(set(names))


class Walk:
    """Asks, and holds every answer against the description."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.schema = schemathesis.openapi.from_url(f"{live.url}/api/openapi.json")
        self.session = requests.Session()
        self.good: set[str] = set()
        self.bad: set[str] = set()

    def ask(self, method: str, path: str, status: int, body: Any = None, **names: Any) -> Any:
        url = self.live.url + path.format(**names)
        sent = body if isinstance(body, bytes) else None if body is None else json.dumps(body)
        answer = self.session.request(method, url, data=sent, timeout=TIME)
        assert answer.status_code == status, answer.text
        operation = self.schema[path.partition("?")[0]][method]
        operation.validate_response(answer)
        name = operation.definition.raw["operationId"]
        (self.good if status == 200 else self.bad).add(name)
        return answer.json() if "json" in answer.headers["content-type"] else answer.text

    def get(self, path: str, status: int = 200, **names: Any) -> Any:
        return self.ask("GET", path, status, **names)

    def post(self, path: str, body: Any = None, status: int = 200, **names: Any) -> Any:
        return self.ask("POST", path, status, body, **names)


def test_a_walk_through_all_of_it(live: Live) -> None:
    walk = Walk(live)
    room_path, match_path = "/api/rooms/{code}", "/api/matches/{id}"
    assert walk.get("/api/me") == {"version": version()}
    for title in walk.get("/api/titles"):
        for lang in ("en", "it", "de"):
            walk.get("/api/words/{lang}/{title}", lang=lang, title=title["id"])
    walk.get("/api/words/{lang}/{title}", lang="en", title="common")
    walk.get("/api/words/{lang}/{title}", 404, lang="tlh", title="common")

    new = {
        "title": "trial-by-trolley",
        "name": "Ada",
        "bots": ["random"],
        "settings": {"public": True},
    }
    code = walk.post("/api/rooms", new)["code"]
    walk.post("/api/rooms", {"title": "no such title"}, 400)
    walk.post("/api/rooms", b"{", 400)
    assert walk.get("/api/me")["rooms"]
    walk.get("/api/rooms")
    assert walk.get(room_path, code=code)["hindrance"]["key"] == "refused.seats"
    walk.get(room_path, 404, code="AAAAAA")
    walk.get(room_path + "/words/{lang}", code=code, lang="it")
    walk.get(room_path + "/words/{lang}", 404, code=code, lang="tlh")
    assert walk.get(room_path + "/qr.svg", code=code).startswith("<svg")
    walk.get(room_path + "/qr.svg", 404, code="AAAAAA")
    assert walk.get(room_path + "/data/{kind}", code=code, kind="pack")["cards"]
    walk.get(room_path + "/data/{kind}", 404, code=code, kind="secrets")
    card = b"deck,en\ninnocent,my cat\n"
    walk.post(room_path + "/data/{kind}?name=cats.csv", card, code=code, kind="pack")
    walk.post(room_path + "/data/{kind}?name=cats.csv", b"deck", 400, code=code, kind="pack")
    walk.post(room_path, {"do": "configure", "data": {}}, code=code)
    key = walk.post(room_path + "/seats/{seat}/link", code=code, seat=0)["key"]
    walk.post(room_path + "/seats/{seat}/link", None, 409, code=code, seat=1)
    walk.post(room_path + "/seats/{seat}/key", {"key": key}, code=code, seat=0)
    walk.post(room_path + "/seats/{seat}/key", {"key": "wrong"}, 409, code=code, seat=0)

    clock = {"settings": {"public": True, "clock": {"kind": "live"}}}
    for command in (
        {"do": "sit", "seat": 2, "name": "Bo", "further": True},
        {"do": "rename", "name": "Bob", "seat": 2},
        {"do": "bot", "seat": 3, "bot": "random"},
        {"do": "clear", "seat": 3},
        {"do": "stand", "seat": 2},
        {"do": "bot", "seat": 2, "bot": "random"},
        {"do": "configure", **clock},
        {"do": "shuffle"},
        {"do": "ready"},
        {"do": "start"},
    ):
        room = walk.post(room_path, command, code=code)
    walk.post(room_path, {"do": "start"}, 409, code=code)
    walk.post(room_path, {"do": "hand-over", "person": 77}, 409, code=code)
    walk.post(room_path, {"do": "no such thing"}, 400, code=code)
    running, own = room["match"], room["yours"][0]
    walk.get(match_path, id=running)
    walk.get(match_path + "/replay", id=running)
    walk.get(match_path + f"/replay?as={room['match_seats'].index(own)}", id=running)
    walk.get(match_path + "/replay?as=truth", 409, id=running)
    walk.get(match_path + "/record", 409, id=running)
    walk.post(match_path + "/continue", {"entries": 0, "seat": 0}, 409, id=running)
    walk.post(room_path, {"do": "replace", "seat": own, "bot": "random"}, code=code)
    assert live.run(over(live, code))

    finished = walk.get(match_path, id=running)
    assert finished["result"]
    walk.get(match_path, 404, id="nothing")
    for looker in ("spectator", "truth", "0", "1", "2"):
        walk.get(match_path + f"/replay?as={looker}", id=running)
    walk.get(match_path + "/replay?as=3", 400, id=running)
    assert walk.get(match_path + "/words/{lang}", id=running, lang="it")
    walk.get(match_path + "/words/{lang}", 404, id=running, lang="xx")
    assert walk.get(match_path + "/data/{kind}", id=running, kind="pack")["cards"]
    walk.get(match_path + "/data/{kind}", 404, id=running, kind="secrets")
    record = walk.get(match_path + "/record?without=names,texts", id=running)
    assert walk.post("/api/records", json.dumps(record).encode())["result"] == finished["result"]
    walk.post("/api/records", b"nonsense", 400)
    assert walk.get(room_path, code=code)["past"]
    on = walk.post(match_path + "/continue", {"entries": 5, "seat": 1}, id=running)
    walk.post(room_path, {"do": "abandon"}, code=on["code"])
    walk.post(room_path, {"do": "leave"}, code=on["code"])

    refuse_nobody = {"titles", "me", "public_rooms"}
    assert _operations() - walk.good == set(), "this walk asks for every route, and gets it"
    assert _operations() - walk.bad == refuse_nobody, "it also asks for what it does not get"


def _operations() -> set[str]:
    paths = description()["paths"]
    return {
        operation["operationId"] for methods in paths.values() for operation in methods.values()
    }


async def over(live: Live, code: str) -> bool:
    async with asyncio.timeout(TIME):
        while live.hub.lounges[code].room.playing:
            await asyncio.sleep(0.05)
    return True


# --- the socket's messages are among the schemas -------------------------------------------------


def validator(name: str) -> Any:
    document = description()
    return jsonschema_rs.validator_for(
        {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    )


def test_what_clients_send_is_described() -> None:
    message = validator("ClientMessage")
    for good in GOOD:
        message.validate(good)
        assert not message.is_valid({**good, "t": "nonsense"})


def test_what_the_server_says_is_described(live: Live) -> None:
    received: list[str] = []

    async def listen() -> None:
        client = Guest(live.url)
        async with client:
            room = await client.create("night-mail", name="Ada", bots=["random", "random"])
            seat: Seat = client.socket(room["code"], 0)
            seat.received = received
            async with seat:
                await client.command(room["code"], "start")
                await seat.until(lambda seat: seat.match)
                await seat.write("Ciao")
                await seat.keep(notes="a note")
                await seat.send({"t": "ping"})
                await seat.send({"t": "read", "id": "aloud"})
                await seat.send({"t": "nonsense"})
                if seat.choices:
                    await seat.hint()
                    await seat.preview(seat.whole_choices()[0])
                await play(seat, at_random(1))

    live.run(listen())
    described = validator("ServerMessage")
    for text in received:
        described.validate(json.loads(text))
    kinds = {json.loads(text)["t"] for text in received}
    assert kinds >= {"room", "welcome", "frame", "status", "done", "refused", "chat", "pong"}
