"""Whatever is sent, the answer is a clear refusal: nothing breaks, nothing changes, nobody else hears."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
import requests
import schemathesis
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from capolinea import games
from capolinea.engine.problems import Problem
from capolinea.server.limits import Rate
from capolinea.server.openapi import description
from capolinea.server.protocol import ClientMessage, decode_message
from tests.server.live import UNHURRIED, Live, beside_the_server, living, said_why
from tests.server.tables import TIME, Guest

pytestmark = beside_the_server

LONG = bool(os.environ.get("CAPOLINEA_LONG"))
#: Kilobytes that a message may have here.
SIZE = 16
Json = dict[str, Any]

# --- tables to disturb ---------------------------------------------------------------------------


class Wire:
    """A socket without any help: what is sent is what is written here."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def tell(self, message: Any) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def hear(self) -> Json:
        async with asyncio.timeout(TIME):
            found: Json = json.loads(await self.socket.recv())
        return found

    async def all_until_pong(self) -> list[Json]:
        """Everything that came before the answer to a ping."""
        await self.tell({"t": "ping"})
        heard = []
        while (message := await self.hear())["t"] != "pong":
            heard.append(message)
        return heard

    async def rest(self) -> tuple[list[Json], int]:
        """What still comes, and the code with which the socket is closed."""
        heard = []
        try:
            while True:
                heard.append(await self.hear())
        except ConnectionClosed as closed:
            return heard, closed.rcvd.code if closed.rcvd is not None else 0


async def wire(live: Live, code: str, cookie: str, hello: Any = None) -> Wire:
    url = live.url.replace("http", "ws") + f"/api/rooms/{code}/socket"
    socket = await connect(
        url, additional_headers={"Cookie": cookie}, compression=None, max_size=None
    )
    found = Wire(socket)
    if hello is not None:
        await found.tell({"t": "hello", **hello})
        await found.all_until_pong()
    return found


class Disturbed:
    """A match that waits for its people, a socket that misbehaves, and those who should not notice."""

    def __init__(self, live: Live, title: str) -> None:
        self.live = live
        self.title = title

    async def begin(self) -> None:
        live = self.live
        self.clients = [Guest(live.url) for _ in range(3)]
        for client in self.clients:
            await client.__aenter__()
        first, second, third = self.clients
        # However long it takes, nobody is hurried, not even by a talk that is over.
        untimed = {"talk_minutes": 0} if self.title == "trial-by-trolley" else {}
        room = await first.create(self.title, name="Ada", settings=UNHURRIED, options=untimed)
        self.code = room["code"]
        for seat, client in ((1, second), (2, third)):
            await client.command(self.code, "sit", seat=seat, name=f"Guest {seat}")
            await client.command(self.code, "ready")
        await first.command(self.code, "start")
        self.stranger = Guest(live.url)
        await self.stranger.__aenter__()
        self.seat = await self.wire(first, {"seat": 0})
        self.watching = await self.wire(self.stranger, {})
        self.others = [await self.wire(second, {"seat": 1}), await self.wire(third, {})]
        await self.quiet()
        self.before = self.stand()

    async def wire(self, client: Guest, hello: Any = None) -> Wire:
        return await wire(self.live, self.code, client.cookie, hello)

    async def quiet(self) -> None:
        """Hear out what was told already."""
        for one in (self.seat, self.watching, *self.others):
            await one.all_until_pong()

    async def end(self) -> None:
        for one in (self.seat, self.watching, *self.others):
            await one.socket.close()

    def stand(self) -> Any:
        table = self.live.hub.lounges[self.code].table
        assert table is not None
        told = {viewer: len(told) for viewer, told in table.fold.told.items()}
        return table.match.state.key(), list(table.match.entries), told, dict(table.held)

    async def unmoved(self) -> None:
        """The match stands where it stood, and nobody else was told anything."""
        assert self.stand() == self.before
        for other in self.others:
            assert await other.all_until_pong() == []

    async def refuses(self, message: Any, watching: bool = False) -> str:
        """The key of the reason why this message is refused."""
        who = self.watching if watching else self.seat
        await who.tell(message)
        [answer] = await who.all_until_pong()
        assert answer["t"] == "refused", answer
        said_why(answer["why"], str(message))
        await self.unmoved()
        return str(answer["why"]["key"])


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with living(folder, command_size=SIZE, room_size=SIZE, record_size=SIZE) as server:
        yield server


TITLES = ["night-mail", "stop-the-train", "trial-by-trolley"]


@pytest.fixture(scope="module")
def tables(live: Live) -> Iterator[dict[str, Disturbed]]:
    found = {title: Disturbed(live, title) for title in TITLES}
    for table in found.values():
        live.run(table.begin())
    yield found
    for table in found.values():
        live.run(table.end())


# --- nonsense ------------------------------------------------------------------------------------

some = settings(max_examples=2000 if LONG else 30, deadline=None)
few = settings(max_examples=500 if LONG else 12, deadline=None)

plain = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.sampled_from([0, -1, 2**31, 2**53 + 1, 2**63, 2**64 - 1, 2**64, 10**400])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["", "hello", "\u202e", "\x00", "../../etc/passwd", "9" * 400])
)
anything = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)

#: A good message of every kind.
GOOD: list[Json] = [
    {"t": "hello", "seat": 0, "match": "", "seen": 0},
    {"t": "do", "id": "a", "question": 1, "do": [{"do": "pass"}]},
    {"t": "undo", "id": "a"},
    {"t": "say", "id": "a", "said": {"accuse": 1}},
    {"t": "preview", "id": "a", "do": [{"do": "pass"}]},
    {"t": "hint", "id": "a"},
    {"t": "read", "id": "a"},
    {"t": "chat", "id": "a", "text": "Ciao", "to": "table"},
    {"t": "mute", "person": 1, "muted": True},
    {"t": "vote", "proposal": 1, "agree": True},
    {"t": "moment", "id": "a", "question": 1},
    {"t": "seen", "n": 1},
    {"t": "pause", "paused": True},
    {"t": "keep", "id": "a", "notes": "", "passes": [], "webhook": ""},
    {"t": "ping"},
]


#: What everybody in the room may do.
PUBLIC = ("hello", "read", "chat", "mute", "ping")


def test_every_kind_of_message_is_among_the_good_ones() -> None:
    schemas = msgspec.json.schema_components([ClientMessage])[1]
    kinds = {schema["properties"]["t"]["enum"][0] for schema in schemas.values()}
    assert {message["t"] for message in GOOD} == kinds
    for message in GOOD:
        decode_message(json.dumps(message))


@st.composite
def nearly_good(draw: st.DrawFn) -> str:
    """A good message with something wrong in it."""
    message = dict(draw(st.sampled_from(GOOD)))
    field = draw(st.sampled_from(sorted(message)))
    match draw(st.sampled_from(["other value", "missing", "unknown", "twice", "cut off"])):
        case "other value":
            message[field] = draw(anything)
        case "missing":
            del message[field]
        case "unknown":
            message[draw(st.text(max_size=8))] = draw(anything)
        case "twice":
            whole = json.dumps(message)
            return f"{whole[:-1]}, {json.dumps(field)}: {json.dumps(draw(anything))}}}"
        case "cut off":
            whole = json.dumps(message)
            return whole[: draw(st.integers(0, len(whole) - 1))]
    return json.dumps(message, ensure_ascii=draw(st.booleans()))


def nested(opening: str, closing: str, depth: int) -> str:
    return opening * depth + "1" + closing * depth


deep = st.builds(
    lambda pair, depth, around: around % nested(pair[0], pair[1], depth),
    st.sampled_from([("[", "]"), ('{"a":', "}")]),
    st.sampled_from([100, 500, 980, 1500, 2500]),
    st.sampled_from(
        [
            "%s",
            '{"t": "say", "id": "a", "said": %s}',
            '{"t": "do", "id": "a", "question": 1, "do": [{"do": %s}]}',
            '{"t": "do", "id": "a", "question": 1, "do": [{"do": "pass", "x": %s}]}',
            '{"t": "preview", "id": "a", "do": [{"do": "play", "card": %s}]}',
        ]
    ),
)


def is_message(text: str) -> bool:
    try:
        decode_message(text)
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True


@some
@given(
    title=st.sampled_from(TITLES),
    text=st.text(max_size=200) | anything.map(json.dumps) | nearly_good(),
    watching=st.booleans(),
)
def test_what_is_no_message_is_refused(
    tables: dict[str, Disturbed], title: str, text: str, watching: bool
) -> None:
    assume(not is_message(text))
    table = tables[title]
    assert table.live.run(table.refuses(text, watching)) == "socket.form"


@few
@given(title=st.sampled_from(TITLES), text=deep)
def test_what_is_nested_too_deeply_is_refused(
    tables: dict[str, Disturbed], title: str, text: str
) -> None:
    table = tables[title]
    key = table.live.run(table.refuses(text))
    assert key == "socket.form" or key.startswith(("refused.", "bad-action.", "table.late")), key


@few
@given(title=st.sampled_from(TITLES), content=st.binary(max_size=100))
def test_bytes_are_refused(tables: dict[str, Disturbed], title: str, content: bytes) -> None:
    table = tables[title]
    assert table.live.run(table.refuses(content)) == "socket.form"


@pytest.mark.parametrize("watching", [False, True])
def test_too_large_a_message_closes_the_socket_alone(
    tables: dict[str, Disturbed], watching: bool
) -> None:
    table = tables["night-mail"]

    async def disturb() -> int:
        one = await table.wire(table.stranger, {} if watching else None)
        await one.tell(json.dumps({"t": "chat", "id": "a", "text": "a" * SIZE * 1024}))
        return (await one.rest())[1]

    assert table.live.run(disturb()) == 1009
    table.live.run(settled(table))


def test_too_large_in_small_pieces(tables: dict[str, Disturbed]) -> None:
    table = tables["night-mail"]

    async def disturb() -> int:
        one = await table.wire(table.stranger, {})
        with suppress(ConnectionClosed):
            await one.socket.send(["[" * 1024] * (SIZE + 2))
        return (await one.rest())[1]

    assert table.live.run(disturb()) == 1009
    table.live.run(settled(table))


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b'{"t": "chat", "id": "\xc3\x28"}', b"\xed\xa0\x80"]
)
def test_text_that_is_not_utf_8_closes_the_socket(
    tables: dict[str, Disturbed], content: bytes
) -> None:
    table = tables["night-mail"]

    async def disturb() -> int:
        one = await table.wire(table.stranger, {})
        await one.socket.send(content, text=True)
        return (await one.rest())[1]

    assert table.live.run(disturb()) == 1007
    table.live.run(settled(table))


async def settled(table: Disturbed) -> None:
    """Others heard at most that somebody came and went."""
    assert table.stand() == table.before
    for one in (table.seat, table.watching, *table.others):
        assert {heard["t"] for heard in await one.all_until_pong()} <= {
            "room",
            "presence",
            "status",
        }


# --- well formed, but not here, not now, not by you ----------------------------------------------

ids = st.text(min_size=1, max_size=20)
STEPS = [
    {"do": family.do, **family.at(0)}
    for title in TITLES
    for family in games.load(title).space.families.values()
]
steps = st.lists(
    st.sampled_from(STEPS) | st.dictionaries(st.sampled_from(["do", "card", "seat"]), anything),
    min_size=1,
    max_size=5,
)


@some
@given(
    title=st.sampled_from(TITLES),
    do=steps,
    id=ids,
    question=st.integers(-(2**63), 2**63),
    watching=st.booleans(),
)
def test_an_answer_to_no_question(
    tables: dict[str, Disturbed], title: str, do: Any, id: str, question: int, watching: bool
) -> None:
    assume(question != 1)
    table = tables[title]
    message = {"t": "do", "id": id, "question": question, "do": do}
    key = table.live.run(table.refuses(message, watching))
    assert key == ("socket.only-watching" if watching else "table.late")


@some
@given(title=st.sampled_from(TITLES), do=steps, id=ids)
def test_actions_that_are_none_or_another_titles(
    tables: dict[str, Disturbed], title: str, do: Any, id: str
) -> None:
    table = tables[title]
    families = games.load(title).space.families
    # What might be allowed is not what this is about.
    assume(do[0].get("do") not in (families if isinstance(do[0].get("do"), str) else ()))
    key = table.live.run(table.refuses({"t": "do", "id": id, "question": 1, "do": do}))
    assert key.startswith("bad-action."), key
    key = table.live.run(table.refuses({"t": "preview", "id": id, "do": do}))
    assert key.startswith("bad-action."), key


@pytest.mark.parametrize("title", TITLES)
def test_a_preview_of_nothing_where_there_is_none(tables: dict[str, Disturbed], title: str) -> None:
    table = tables[title]
    key = table.live.run(table.refuses({"t": "preview", "id": "nothing", "do": []}))
    assert key == "refused.not-now"


@some
@given(
    title=st.sampled_from(TITLES), steps=st.lists(st.sampled_from(STEPS), min_size=1, max_size=4)
)
def test_what_the_rules_do_not_allow(
    tables: dict[str, Disturbed], title: str, steps: list[Json]
) -> None:
    """Of the actions of all titles, all that this seat is not offered."""
    table = tables[title]
    game = games.load(title)
    live_table = table.live.hub.lounges[table.code].table
    assert live_table is not None
    tree = live_table.match.tree(0)
    for step in steps:
        try:
            tree = tree[game.space.parse(step)]
        except (Problem, KeyError):
            break
    else:
        assume(bool(tree))  # not a whole choice
    table.live.run(table.refuses({"t": "do", "id": "x", "question": 1, "do": steps}))


#: What titles understand, with room for nonsense.
odd_sayings = st.fixed_dictionaries(
    {},
    optional={
        "claim": anything | st.dictionaries(st.sampled_from(["turn", "drew", "passed"]), anything),
        "accuse": plain.filter(lambda seat: seat not in (1, 2)),
        "plea": anything,
        "point": anything,
        "reason": st.dictionaries(st.sampled_from(["line", "cards"]), anything),
        "bag": anything,
    },
)


@some
@given(title=st.sampled_from(TITLES), said=anything | odd_sayings, watching=st.booleans())
def test_nobody_says_what_makes_no_sense(
    tables: dict[str, Disturbed], title: str, said: Any, watching: bool
) -> None:
    table = tables[title]
    message = json.dumps({"t": "say", "id": "a", "said": said})
    assume(is_message(message))
    key = table.live.run(table.refuses(message, watching))
    assert key == "socket.only-watching" if watching else key.startswith("refused."), key


async def pleading(live: Live) -> Disturbed:
    """A trial at the moment where anything may be said."""
    table = Disturbed(live, "trial-by-trolley")
    await table.begin()
    seats = [table.seat, table.others[0], await table.wire(table.clients[2], {"seat": 2})]
    trial = live.hub.lounges[table.code].table
    assert trial is not None
    while trial.match.view(None).phase != "plea":  # type: ignore[attr-defined]
        for number, one in enumerate(seats):
            if number in trial.match.state.waiting():
                question = trial.question(number).id
                do = [trial.game.space.json(step) for step in trial.match.default(number)]
                await one.tell({"t": "do", "id": f"{question}", "question": question, "do": do})
                await one.all_until_pong()
    await seats[2].socket.close()
    await table.quiet()
    table.before = table.stand()
    return table


def test_odd_pleas_are_refused(live: Live) -> None:
    table = live.run(pleading(live))
    trial = live.hub.lounges[table.code].table
    assert trial is not None
    conductor = trial.match.view(None).conductor  # type: ignore[attr-defined]
    who = Disturbed(live, table.title)
    who.__dict__.update(table.__dict__)
    if conductor == 0:
        who.seat, who.others = table.others[0], [table.seat, table.others[1]]
    pleas: list[Any] = [
        "",
        " ",
        "a" * 501,
        [],
        {},
        {"line": [], "cards": []},
        {"line": {}, "cards": []},
        {"line": "plea.save", "cards": [[]]},
        {"line": "plea.save", "cards": [{}]},
        {"line": "plea.save", "cards": ["no-such-card"]},
        {"line": "plea.save", "cards": []},
        {"line": "verdict.coin", "cards": []},
        {"line": None, "cards": None},
    ]
    for plea in pleas:
        key = live.run(who.refuses({"t": "say", "id": "a", "said": {"plea": plea}}))
        assert key.startswith("refused."), (plea, key)
    live.run(table.end())


@pytest.mark.parametrize(
    ("message", "key"),
    [
        ({"t": "hello"}, "socket.hello-again"),
        ({"t": "hello", "seat": 1}, "socket.hello-again"),
        ({"t": "vote", "proposal": 7, "agree": True}, "table.no-proposal"),
        ({"t": "moment", "id": "a", "question": 0}, "table.late"),
        ({"t": "mute", "person": 99}, "room.no-person"),
        ({"t": "mute", "person": -1, "muted": False}, "room.no-person"),
        ({"t": "keep", "id": "a", "passes": ["no such window"]}, "table.no-window"),
        ({"t": "keep", "id": "a", "notes": "a" * 10_001}, "table.notes-too-long"),
        ({"t": "keep", "id": "a", "webhook": "file:///etc/passwd"}, "webhook.form"),
        ({"t": "keep", "id": "a", "webhook": "https://a:b@example.org"}, "webhook.form"),
        ({"t": "keep", "id": "a", "webhook": "http://[::1"}, "webhook.form"),
        ({"t": "keep", "id": "a", "webhook": "https://example.org:22/"}, "webhook.port"),
        ({"t": "chat", "id": "a", "text": "psst", "to": "team"}, "chat.no-team"),
        ({"t": "chat", "id": "a", "text": " \n "}, None),
        ({"t": "chat", "id": "a", "text": "a" * 301}, None),
    ],
)
def test_what_this_seat_cannot_do(
    tables: dict[str, Disturbed], message: Json, key: str | None
) -> None:
    table = tables["night-mail"]
    found = table.live.run(table.refuses(message))
    assert key is None or found == key


@pytest.mark.parametrize(
    "message",
    [message for message in GOOD if message["t"] not in PUBLIC],
    ids=lambda message: str(message["t"]),
)
def test_who_watches_does_nothing(tables: dict[str, Disturbed], message: Json) -> None:
    table = tables["stop-the-train"]
    assert table.live.run(table.refuses(message, watching=True)) == "socket.only-watching"


# --- before hello --------------------------------------------------------------------------------


async def first_words(table: Disturbed, client: Guest, message: Any) -> tuple[list[Json], int]:
    one = await table.wire(client)
    await one.tell(message)
    heard, code = await one.rest()
    await settled(table)
    return heard, code


@few
@given(
    message=st.sampled_from([message for message in GOOD if message["t"] != "hello"])
    | st.text(max_size=50)
    | st.binary(max_size=50)
    | nearly_good()
)
def test_before_hello_there_is_nothing(tables: dict[str, Disturbed], message: Any) -> None:
    if isinstance(message, str):
        assume(not is_message(message))
    table = tables["night-mail"]
    [answer], code = table.live.run(first_words(table, table.stranger, message))
    assert answer["t"] == "refused"
    said_why(answer["why"], str(message))
    assert answer["why"]["key"] in ("socket.form", "socket.hello-first")
    assert code == 1008


@few
@given(seat=st.integers(0, 31), name=st.sampled_from(["stranger", "second"]))
def test_nobody_speaks_for_a_seat_that_is_not_theirs(
    tables: dict[str, Disturbed], seat: int, name: str
) -> None:
    table = tables["night-mail"]
    assume(name == "stranger" or seat != 1)
    client = table.stranger if name == "stranger" else table.clients[1]
    [answer], code = table.live.run(first_words(table, client, {"t": "hello", "seat": seat}))
    assert (answer["why"]["key"], code) == ("room.not-yours", 1008)


@few
@given(match=st.text(max_size=64), seen=st.integers(0, 2**64 - 1), ours=st.booleans())
def test_whatever_hello_has_seen_it_gets_what_is_missing(
    tables: dict[str, Disturbed], match: str, seen: int, ours: bool
) -> None:
    table = tables["night-mail"]
    real = table.live.hub.lounges[table.code].room.match

    async def come() -> list[Json]:
        one = await table.wire(table.stranger)
        await one.tell({"t": "hello", "match": real if ours else match, "seen": seen})
        heard = await one.all_until_pong()
        await one.socket.close()
        await settled(table)
        return heard

    [welcome] = [message for message in table.live.run(come()) if message["t"] == "welcome"]
    last = welcome["n"]
    first = seen if ours and seen <= last else 0
    assert [missed["n"] for missed in welcome["missed"]] == list(range(first + 1, last + 1))


@pytest.mark.parametrize("cookie", ["", "capolinea=", "capolinea=x.y", "capolinea=é", "a=b; ;;=,"])
def test_a_foreign_cookie_is_no_person(tables: dict[str, Disturbed], cookie: str) -> None:
    table = tables["night-mail"]

    async def come() -> tuple[list[Json], int]:
        one = await wire(table.live, table.code, cookie)
        await one.tell({"t": "hello", "seat": 0})
        return await one.rest()

    [answer], code = table.live.run(come())
    assert (answer["why"]["key"], code) == ("room.not-yours", 1008)


def test_who_sends_too_much_is_let_go(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        # However long it takes to send them.
        live.hub.message_rate = Rate(20, 10, clock=lambda: 0.0)

        async def flood() -> tuple[list[Json], int]:
            client = Guest(live.url)
            async with client:
                room = await client.create("night-mail")
                one = await wire(live, room["code"], client.cookie, {"seat": 0})
                for _ in range(40):
                    await one.tell("[")
                return await one.rest()

        heard, code = live.run(flood())
        assert heard[-1] == {"t": "bye", "why": "flood"}
        assert code == 1008


# --- requests ------------------------------------------------------------------------------------

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
OPERATIONS = {
    operation["operationId"]: (path, method)
    for path, methods in description()["paths"].items()
    for method, operation in methods.items()
}


@pytest.fixture(scope="module")
def real(live: Live) -> Json:
    """What there is on the server, for requests to meet: a room, and a match that is over."""

    async def make() -> Json:
        client = Guest(live.url)
        async with client:
            room = await client.create("night-mail", bots=["random"], name="Ada")
            await client.command(room["code"], "start")
            await client.command(room["code"], "abandon")
            room = await client.room(room["code"])
        return {
            "code": room["code"],
            "id": room["match"],
            "seat": "0",
            "lang": "de",
            "kind": "line",
            "title": "night-mail",
            "cookie": client.cookie,
        }

    return live.run(make())


@pytest.mark.parametrize("name", OPERATIONS)
def test_requests_of_all_kinds(live: Live, real: Json, name: str) -> None:
    path, method = OPERATIONS[name]
    schema = schemathesis.openapi.from_url(f"{live.url}/api/openapi.json")
    operation = schema[path][method.upper()]
    cookie = real["cookie"].partition("=")[2]

    often = name in ("create_room", "command_room")

    @settings(max_examples=300 if LONG else 20 if often else 6, deadline=None)
    @given(data=st.data())
    def ask(data: st.DataObject) -> None:
        good = data.draw(st.booleans())
        mode = (schemathesis.GenerationMode.NEGATIVE, schemathesis.GenerationMode.POSITIVE)[good]
        try:
            case = data.draw(operation.as_strategy(generation_mode=mode))
        except schemathesis.errors.SchemathesisError:
            case = data.draw(operation.as_strategy())  # nothing can be wrong with it
        # Not only doors that are none.
        filled: list[Any] = [case.path_parameters, case.body]
        for parameters in filled:
            for parameter in parameters if isinstance(parameters, dict) else ():
                if parameter in real and data.draw(st.integers(0, 3)):
                    number = parameters is case.body and parameter == "seat"
                    parameters[parameter] = 0 if number else real[parameter]
        with requests.Session() as session:
            if data.draw(st.booleans()):
                session.cookies.set("capolinea", cookie)
            answer = case.call_and_validate(checks=CHECKS, session=session)
        if answer.status_code >= 400:
            said_why(answer.json()["why"], str(case.body) + str(case.path_parameters))

    ask()


#: What can be posted without a body, or with any: nobody looks at it.
BODILESS = [
    path
    for path, methods in description()["paths"].items()
    if "post" in methods and "requestBody" not in methods["post"]
]


@few
@given(
    path=st.sampled_from([path for path in description()["paths"] if path not in BODILESS]),
    body=st.binary(max_size=200)
    | anything.map(lambda value: json.dumps(value).encode())
    | deep.map(str.encode),
)
def test_bodies_of_all_kinds(live: Live, real: Json, path: str, body: bytes) -> None:
    url = live.url + path.format(**real)
    answer = requests.post(url, body, headers={"Cookie": real["cookie"]}, timeout=TIME)
    assert 400 <= answer.status_code < 500, answer.text
    said_why(answer.json()["why"], repr(body))


def test_rooms_with_data_that_goes_on_and_on(live: Live) -> None:
    for title, kind in (("night-mail", "line"), ("trial-by-trolley", "pack"), ("night-mail", "x")):
        inside = json.loads(nested('{"a":', "}", 200))
        for data in ({kind: inside}, {kind: {"cards": [], "trunk": [], "name": inside}}):
            answer = requests.post(
                f"{live.url}/api/rooms", json={"title": title, "data": data}, timeout=TIME
            )
            assert answer.status_code == 400, answer.text
            said_why(answer.json()["why"])


@pytest.mark.parametrize("path", ["/api/rooms", "/api/records", "/api/rooms/ABCDEF"])
def test_bodies_that_are_too_large(live: Live, path: str) -> None:
    answer = requests.post(live.url + path, b" " * (SIZE * 1024 + 1), timeout=TIME)
    assert (answer.status_code, answer.json()["why"]["key"]) == (413, "serve.too-large")


def test_codes_that_are_guessed_leave_no_trace(live: Live) -> None:
    for guess in ("AAAAAA", "%00", "é" * 50, "'; DROP TABLE rooms; --"):
        answer = requests.get(f"{live.url}/api/rooms/{guess}", timeout=TIME)
        assert answer.status_code == 404
    assert not live.hub._gates


def test_all_this_has_broken_nothing(tables: dict[str, Disturbed]) -> None:
    """At last somebody plays."""
    for table in tables.values():
        trial = table.live.hub.lounges[table.code].table
        assert trial is not None
        seat = trial.match.state.waiting()[0]

        async def move(
            table: Disturbed = table, trial: Any = trial, seat: int = seat
        ) -> list[Json]:
            one = await table.wire(table.clients[seat], {"seat": seat})
            do = [trial.game.space.json(step) for step in trial.match.default(seat)]
            question = trial.question(seat).id
            await one.tell({"t": "do", "id": "now", "question": question, "do": do})
            heard = await one.all_until_pong()
            await one.socket.close()
            return heard

        assert {"t": "done", "id": "now"} in table.live.run(move())
