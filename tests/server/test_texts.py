"""Whatever a stranger writes, wherever text comes in: it is cleaned or refused in words, and others are
shown nothing that is half, hidden or piled up. All entrances are here: a new one fails the first tests."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from copy import deepcopy
from itertools import count
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capolinea.client import Failed
from capolinea.engine.game import content_hash
from capolinea.engine.record import dumps
from capolinea.server.protocol import ClientMessage, Command, decode_message
from capolinea.server.rest import ROUTES
from tests.games.trial_by_trolley.tables import pack, play_until, table
from tests.server.live import UNHURRIED, Live, beside_the_server, living, said_why
from tests.server.tables import Guest
from tests.server.test_fuzz import wire
from tests.texts import TEXTS, all_texts, may_be_shown

pytestmark = beside_the_server

LONG = bool(os.environ.get("CAPOLINEA_LONG"))
TITLE = "trial-by-trolley"
Json = Any


def cards() -> Json:
    """A pack with a text of every kind."""
    things = [{"en": "the door"}]
    return {"name": "Ours", "cards": [{**card, "things": things} for card in pack()["cards"]]}


def record() -> Json:
    """A match with cards of its own, in which somebody said something."""
    match = table(3, own=cards())
    match.control(0, "bot", "random")
    play_until(match, "plea")
    match.say(1, {"plea": "Spare us!"})
    return json.loads(dumps(match.record()))


# --- what comes in: a good one of everything, with every field ---------------------------------

#: Of a route with a body.
BODIES: dict[str, list[Json]] = {
    "/api/rooms": [
        {
            "title": TITLE,
            "name": "Ada",
            "preset": "standard",
            "options": {"pack": "ours", "first": 1},
            "data": {"pack": cards()},
            "settings": UNHURRIED,
            "bots": ["random"],
            "start": False,
            "watch": False,
        }
    ],
    "/api/rooms/{code}": [
        {"do": "sit", "seat": 3, "name": "Zoe", "further": True},
        {"do": "stand", "seat": 3},
        {"do": "rename", "name": "Zoe", "seat": None},
        {"do": "bot", "seat": 3, "bot": "random"},
        {"do": "ready", "ready": True},
        {"do": "start"},
        {
            "do": "configure",
            "title": TITLE,
            "preset": "standard",
            "options": {"pack": "ours"},
            "data": {"pack": cards()},
            "settings": UNHURRIED,
        },
        {"do": "clear", "seat": 3},
        {"do": "remove", "person": 99},
        {"do": "hand-over", "person": 99},
        {"do": "hush", "person": 99, "hushed": True},
        {"do": "shuffle"},
        {"do": "leave"},
        {"do": "replace", "seat": 0, "bot": "random"},
        {"do": "take-back", "seat": 0},
        {"do": "abandon"},
    ],
    "/api/rooms/{code}/data/{kind}": [cards()],
    "/api/rooms/{code}/seats/{seat}/key": [{"key": "abc"}],
    "/api/matches/{id}/continue": [{"entries": 0, "seat": 0, "bot": "random", "name": "Ada"}],
    "/api/records": [record()],
}
#: Over the socket.
MESSAGES: list[Json] = [
    {"t": "hello", "seat": 2, "match": "x", "seen": 0},
    {"t": "do", "id": "a", "question": 1, "do": [{"do": "plea"}], "match": ""},
    {"t": "undo", "id": "a", "match": "x"},
    {"t": "say", "id": "a", "said": {"plea": "Spare us!"}, "match": ""},
    {"t": "preview", "id": "a", "do": [{"do": "pass"}]},
    {"t": "hint", "id": "a"},
    {"t": "read", "id": "a"},
    {"t": "chat", "id": "a", "text": "Ciao", "to": "table", "match": "x", "team": [0, 1]},
    {"t": "mute", "person": 1, "muted": False},
    {"t": "vote", "proposal": 1, "agree": True},
    {"t": "moment", "id": "a", "question": 1},
    {"t": "seen", "n": 1},
    {"t": "pause", "paused": True},
    {
        "t": "keep",
        "id": "a",
        "notes": "Ada?",
        "passes": ["x"],
        "webhook": "https://example.org",
        "match": "",
    },
    {"t": "ping"},
]


def test_every_route_that_takes_something_is_here() -> None:
    assert set(BODIES) == {route.path for route in ROUTES if route.body is not None}


def test_everything_is_here_with_all_that_it_can_have() -> None:
    for route in ROUTES:
        for body in BODIES[route.path] if route.body not in (None, bytes) else []:
            decoded = msgspec.convert(body, route.body)
            assert {*decoded.__struct_fields__} == {*body} - {"do"}
    for message in MESSAGES:
        assert {*decode_message(json.dumps(message)).__struct_fields__} == {*message} - {"t"}
    commands = {type(msgspec.convert(body, Command)) for body in BODIES["/api/rooms/{code}"]}
    messages = {type(decode_message(json.dumps(message))) for message in MESSAGES}
    assert commands == {*Command.__args__}
    assert messages == {*ClientMessage.__args__}


# --- a house full of people ------------------------------------------------------------------------


class House:
    """A room before its match, one in the middle of a trial, and a match that is over."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.ids = count()
        #: Why what was sent last was not taken, if it was not.
        self.refusal = ""

    async def open(self) -> None:
        self.ada, self.bruno, self.carla = self.people = [Guest(self.live.url) for _ in range(3)]
        for person in self.people:
            await person.__aenter__()
        self.kept = await self.ada.post("/api/records", record())
        room = await self.ada.create(TITLE, name="Ada")
        self.lobby = room["code"]
        await self.bruno.command(self.lobby, "sit", seat=1, name="Bruno")
        room = await self.ada.create(TITLE, name="Ada", options={"first": 3, "talk_minutes": 0})
        self.trial = room["code"]
        for seat, person in ((1, self.bruno), (2, self.carla)):
            await person.command(self.trial, "sit", seat=seat, name=f"Guest {seat}")
            await person.command(self.trial, "ready")
        await self.ada.command(self.trial, "start")
        table = self.live.hub.lounges[self.trial].table
        assert table is not None
        while table.match.view(None).phase != "plea":  # type: ignore[attr-defined]
            seat = table.match.state.waiting()[0]
            steps = [table.game.space.json(step) for step in table.match.default(seat)]
            await table.act(seat, steps, table.question(seat).id, "")
        self.speaker, self.listener = [
            await wire(self.live, self.trial, person.cookie, {"seat": seat})
            for seat, person in ((0, self.ada), (1, self.bruno))
        ]

    async def lobby_for(self, body: Json) -> str:
        """The room that a command is meant for: during a match, or in a new one before it."""
        if body["do"] in ("replace", "take-back", "abandon"):
            return str(self.lobby)
        room = await self.ada.create(TITLE, name="Ada")
        await self.bruno.command(room["code"], "sit", seat=1, name="Bruno")
        return str(room["code"])

    async def post(self, path: str, body: bytes) -> Json:
        """The answer; None if it is a refusal, in words."""
        self.refusal = ""
        try:
            return json.loads(await self.ada.request("POST", path, body))
        except Failed as failed:
            if failed.status >= 500:
                raise
            self.refusal = failed.key
            said_why({"key": failed.key, "args": failed.arguments}, body.decode())
            return None

    async def room(self, code: str) -> list[Json]:
        """What another person is shown of a room, and what they read on its cards."""
        room = await self.bruno.room(code)
        words = await self.bruno.get(f"/api/rooms/{code}/words/en") if room["data"] else {}
        data = [await self.bruno.get(f"/api/rooms/{code}/data/{kind}") for kind in room["data"]]
        return [room, words, data]

    async def match(self, id: str) -> list[Json]:
        parts = ("", "/replay?as=truth", "/record", "/words/en", "/data/pack")
        return [await self.bruno.get(f"/api/matches/{id}{part}") for part in parts]

    async def send(self, path: str, body: Json) -> list[Json]:
        """What others are shown after somebody posted this."""
        coded = json.dumps(body).encode()
        match path:
            case "/api/rooms" | "/api/matches/{id}/continue":
                made = await self.post(path.format(id=self.kept["id"]), coded)
                return [] if made is None else [made, *await self.room(made["code"])]
            case "/api/rooms/{code}":
                code = await self.lobby_for(body)
                await self.post(f"/api/rooms/{code}", coded)
                return await self.room(code)
            case "/api/rooms/{code}/data/{kind}":
                await self.post(f"/api/rooms/{self.lobby}/data/pack?name=ours.json", coded)
                return await self.room(self.lobby)
            case "/api/records":
                made = await self.post(path, json.dumps(rehashed(body)).encode())
                return [] if made is None else await self.match(made["id"])
        await self.post(path.format(code=self.lobby, seat=0), coded)
        return await self.room(self.lobby)

    async def tell(self, message: Json) -> list[Json]:
        """What others hear after somebody said this at the table."""
        if message.get("id") == "a":  # or else it would count as sent again
            message = {**message, "id": str(next(self.ids))}
        if message["t"] == "hello":
            who = await wire(self.live, self.trial, self.carla.cookie)
            await who.tell(message)
            answers = [await who.hear()]
            await who.socket.close()
        else:
            await self.speaker.tell(message)
            answers = await self.speaker.all_until_pong()
        whys = [answer["why"] for answer in answers if answer["t"] == "refused"]
        self.refusal = whys[0]["key"] if whys else ""
        assert self.refusal != "serve.our-fault", message
        for why in whys:
            said_why(why, json.dumps(message))
        return await self.listener.all_until_pong()


def rehashed(record: Json) -> Json:
    """With the hash of the data that is in it, as far as that has one."""
    for used in record["data"].values():
        try:
            used["sha256"] = content_hash(used["content"])
        except UnicodeEncodeError:
            continue
    return record


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with living(tmp_path_factory.mktemp("texts"), rooms_per_hour=100_000) as live:
        found = House(live)
        live.run(found.open())
        yield found


# --- and now with other texts ----------------------------------------------------------------------

some = settings(max_examples=100 if LONG else 5, deadline=None)
Path = tuple[str | int, ...]


def places(value: Json, path: Path = ()) -> list[Path]:
    """Where in a value of JSON there are texts."""
    if isinstance(value, str):
        return [path]
    items: Any = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else items
    return [found for key, item in items for found in places(item, (*path, key))]


def changed(value: Json, path: Path, text: str) -> Json:
    """The same with this text in one place."""
    found = deepcopy(value)
    within = found
    for key in path[:-1]:
        within = within[key]
    within[path[-1]] = text
    return found


def fields(value: Json) -> list[str]:
    return [field for field in value if places(value[field]) and field not in ("t", "do")]


IN_BODIES = [
    pytest.param(path, body, field, id=f"{path} {body.get('do', '')} {field}")
    for path, bodies in BODIES.items()
    for body in bodies
    for field in fields(body)
]
IN_MESSAGES = [
    pytest.param(message, field, id=f"{message['t']} {field}")
    for message in MESSAGES
    for field in (*fields(message), *(["do"] if message["t"] in ("do", "preview") else []))
]


@pytest.mark.parametrize(("path", "body", "field"), IN_BODIES)
def test_whatever_is_posted_others_are_shown_what_can_be_shown(
    house: House, path: str, body: Json, field: str
) -> None:
    @some
    @given(place=st.sampled_from(places(body[field], (field,))), text=TEXTS)
    def post(place: Path, text: str) -> None:
        shown = house.live.run(house.send(path, changed(body, place, text)))
        assert [text for text in all_texts(shown) if not may_be_shown(text)] == []

    post()


@pytest.mark.parametrize(("message", "field"), IN_MESSAGES)
def test_whatever_is_told_others_hear_what_can_be_shown(
    house: House, message: Json, field: str
) -> None:
    @some
    @given(place=st.sampled_from(places(message[field], (field,))), text=TEXTS)
    def tell(place: Path, text: str) -> None:
        heard = house.live.run(house.tell(changed(message, place, text)))
        assert [text for text in all_texts(heard) if not may_be_shown(text)] == []

    tell()


def test_as_it_is_it_is_taken(house: House) -> None:
    """Or else the tests above would look at refusals alone."""
    for path, bodies in BODIES.items():
        for body in bodies:
            house.live.run(house.send(path, deepcopy(body)))
            wrong = body.get("do") in ("replace", "take-back", "abandon") or "key" in body
            assert wrong or not fields(body) or house.refusal == "", body
    for message in MESSAGES:
        heard = house.live.run(house.tell(message))
        if message["t"] in ("say", "chat"):
            assert heard, message
            assert house.refusal == "", message
