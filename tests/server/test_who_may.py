"""Every route and every message, and who may: walked with every kind of person.

`yes`    may
`watch`  may as long as watching is on
`no`     may not, and learns nothing by it

docs/security.md says the same for people to read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, get_args

import pytest

from capolinea import games
from capolinea.engine.problems import Problem
from capolinea.server import rest
from capolinea.server.codes import Missing
from capolinea.server.protocol import (
    ClientMessage,
    Command,
    Continue,
    NewRoom,
    RoomSettings,
    UseKey,
)
from capolinea.server.socket import Socket
from capolinea.server.store import AddEntries, Change, StoreFailed
from tests.server.hourglass import MemoryStore, later, turned
from tests.server.test_rights import House, Web

Json = dict[str, Any]

#: Who there is, and the seat that they speak for.
PEOPLE: dict[str, int | None] = {
    "host": 0,
    "player": 1,
    "device": 1,  # of the player: it came by the personal link
    "former": 2,  # left in the middle of the match; a bot plays on
    "watcher": None,
    "stranger": None,  # has only the link, and came in just now
    "removed": 3,
}
#: Refusals that say: not you. Whatever else is wrong with a request is another matter.
NOT_YOU = {
    "room.removed", "room.not-yours", "room.host-only", "room.stranger", "room.no-watching",
    "room.wrong-key", "room.still-here", "room.remove-host", "match.running", "socket.only-watching",
    "table.not-in-control", "chat.no-team", "socket.hello-first",
}  # fmt: skip

MATCH_ON = """
                                host   player device former watcher stranger removed
GET room                        yes    yes    yes    yes    yes     yes      no
GET room words                  yes    yes    yes    yes    yes     yes      no
GET room data                   yes    yes    yes    yes    yes     yes      no
GET room qr                     yes    yes    yes    yes    yes     yes      no
POST room data                  yes    no     no     no     no      no       no
POST seat link                  no     yes    yes    no     no      no       no
POST seat key                   yes    yes    yes    yes    yes     yes      no
POST seat wrong key             no     no     no     no     no      no       no
GET match                       yes    yes    yes    yes    watch   watch    no
GET match words                 yes    yes    yes    yes    watch   watch    no
GET match data                  yes    yes    yes    yes    watch   watch    no
GET replay spectator            yes    yes    yes    yes    watch   watch    no
GET replay 1                    no     yes    yes    no     no      no       no
GET replay truth                no     no     no     no     no      no       no
GET record                      no     no     no     no     no      no       no
POST continue                   no     no     no     no     no      no       no
POST records                    yes    yes    yes    yes    yes     yes      yes
GET titles                      yes    yes    yes    yes    yes     yes      yes
GET words                       yes    yes    yes    yes    yes     yes      yes
GET me                          yes    yes    yes    yes    yes     yes      yes
GET rooms                       yes    yes    yes    yes    yes     yes      yes
POST rooms                      yes    yes    yes    yes    yes     yes      yes
do replace 1                    no     yes    yes    no     no      no       no
do replace 2                    no     no     no     yes    no      no       no
do take-back 1                  no     yes    yes    no     no      no       no
do take-back 2                  no     no     no     yes    no      no       no
do abandon                      yes    no     no     no     no      no       no
do leave                        yes    yes    yes    yes    yes     yes      no
do configure                    yes    no     no     no     no      no       no
do remove                       yes    no     no     no     no      no       no
do hand-over                    yes    no     no     no     no      no       no
do hush                         yes    no     no     no     no      no       no
hello 1                         no     yes    yes    no     no      no       no
hello watch                     yes    yes    yes    yes    watch   watch    no
say do                          yes    yes    yes    no     no      no       no
say undo                        yes    yes    yes    no     no      no       no
say say                         yes    yes    yes    no     no      no       no
say preview                     yes    yes    yes    no     no      no       no
say hint                        yes    yes    yes    no     no      no       no
say vote                        yes    yes    yes    no     no      no       no
say moment                      yes    yes    yes    no     no      no       no
say seen                        yes    yes    yes    no     no      no       no
say pause                       yes    yes    yes    no     no      no       no
say pause off                   yes    yes    yes    yes    no      no       no
say keep                        yes    yes    yes    yes    no      no       no
say read                        yes    yes    yes    yes    watch   watch    no
say chat                        yes    yes    yes    no     yes     watch    no
say chat team                   yes    yes    yes    no     no      no       no
say mute                        yes    yes    yes    yes    yes     watch    no
say ping                        yes    yes    yes    yes    yes     watch    no
"""

BETWEEN = """
                                host   player device former watcher stranger removed
do sit                          yes    yes    yes    yes    yes     yes      no
do stand 1                      no     yes    yes    no     no      no       no
do rename                       yes    yes    yes    no     yes     yes      no
do rename 1                     no     yes    yes    no     no      no       no
do bot                          yes    yes    yes    no     yes     yes      no
do ready                        yes    yes    yes    no     yes     yes      no
do start                        yes    no     no     no     no      no       no
do configure                    yes    no     no     no     no      no       no
do clear                        yes    no     no     no     no      no       no
do remove                       yes    no     no     no     no      no       no
do hand-over                    yes    no     no     no     no      no       no
do hush                         yes    no     no     no     no      no       no
do shuffle                      yes    no     no     no     no      no       no
do leave                        yes    yes    yes    yes    yes     yes      no
POST room data                  yes    no     no     no     no      no       no
GET replay 1                    yes    yes    yes    yes    yes     yes      yes
GET replay truth                yes    yes    yes    yes    yes     yes      yes
GET record                      yes    yes    yes    yes    yes     yes      yes
POST continue                   yes    yes    yes    yes    yes     yes      yes
say read                        yes    yes    yes    yes    yes     yes      no
say keep                        yes    yes    yes    no     no      no       no
"""


FILE = {"kind": "track", "lang": "en", "title": "common"}
HANDLERS: dict[str, Callable[[rest.Call], Awaitable[Any]]] = {
    "GET replay": rest.show_replay,
    "POST seat": rest.use_key,
    "POST seat link": rest.seat_link,
    "GET room": rest.show_room,
    "GET room words": rest.room_words,
    "GET room data": rest.room_data,
    "GET room qr": rest.room_qr,
    "POST room data": rest.bring_data,
    "GET match": rest.show_match,
    "GET match words": rest.match_words,
    "GET match data": rest.match_data,
    "GET record": rest.record,
    "POST continue": rest.play_on,
    "POST records": rest.upload,
    "GET titles": rest.titles,
    "GET words": rest.words,
    "GET me": rest.me,
    "GET rooms": rest.public_rooms,
    "POST rooms": rest.create_room,
}


def route_of(what: str) -> str:
    """What stands at the beginning of a line of the table, without what is asked for in particular."""
    return max((route for route in HANDLERS if what.startswith(route)), key=len)


def rows(table: str) -> dict[str, dict[str, str]]:
    """What is asked → kind of person → whether they may."""
    head, *lines = table.strip("\n").splitlines()
    kinds = head.split()
    found = {}
    for line in lines:
        what, cells = line[:32].strip(), line[32:].split()
        found[what] = dict(zip(kinds, cells, strict=True))
    return found


@pytest.fixture(autouse=True)
def _canaries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.TITLES, "canaries", "tests.server.canaries:GAME")


# --- a room with everybody in it -----------------------------------------------------------------


class Gathering(House):
    """A match is on, or has just been; each kind of person is there and has said hello."""

    def __init__(self) -> None:
        super().__init__(seed=0)
        self.sockets: dict[str, Web] = {}

    async def gather(self, watching: bool, over: bool) -> None:
        await self.open_hub()
        settings = RoomSettings(watching=watching)
        room = NewRoom("canaries", name="Host", settings=settings)
        self.lounge = await self.hub.create("host", "", room)
        for who in ("player", "former", "removed"):
            await self._commanded(who, {"do": "sit", "seat": PEOPLE[who], "name": who})
            await self._commanded(who, {"do": "ready"})
        await self.link("player", "device")
        for who, seat in PEOPLE.items():
            if who != "stranger":  # the watcher came before the start
                await self.connect(who, seat)
        await self._commanded("host", {"do": "start"})
        await self._commanded("host", {"do": "remove", "person": self.number("removed")})
        await self._commanded("former", {"do": "leave"})
        if over:
            await self._commanded("host", {"do": "abandon"})
        await self.connect("stranger", None)
        await later(1)

    def number(self, who: str) -> int:
        person = self.lounge.room.person(who)
        assert person is not None
        return person.number

    async def link(self, owner: str, to: str) -> None:
        link = await rest.seat_link(self._asked(owner, {"seat": "1"}))
        await rest.use_key(self._asked(to, {"seat": "1"}, body=UseKey(link.key)))

    async def connect(self, who: str, seat: int | None) -> Web:
        web = Web(self, who)
        self.webs.append(web)
        self.sockets[who] = web
        web.ask({"t": "hello", "seat": seat})
        socket = Socket(self.hub, self.lounge, web, who)
        self.tasks.append(asyncio.create_task(socket.run()))
        await later(1)
        return web

    # --- asking ----------------------------------------------------------------------------------

    async def ask(self, who: str, what: str) -> str:
        """The key of the refusal, or ""."""
        kind, _, rest_of_it = what.partition(" ")
        try:
            if kind == "do":
                await self._commanded(who, self._command_of(rest_of_it))
            elif kind in ("hello", "say"):
                return await self._over_the_socket(who, kind, rest_of_it)
            else:
                self.hand_out_answer(who, await self._route_of(who, what))
        except Missing:
            return ""  # there is none of it; whoever may ask hears so
        except Problem as problem:
            return problem.key
        return ""

    def _command_of(self, words: str) -> Json:
        do, _, seat = words.partition(" ")
        number = self.lounge.room.people[-1].number
        return {
            "do": do,
            **({"seat": int(seat)} if seat else {}),
            **({"seat": 4} if do in ("sit", "bot", "clear") else {}),
            **({"name": "New"} if do == "rename" else {}),
            **({"bot": "random"} if do == "bot" else {}),
            **({"person": number} if do in ("remove", "hand-over", "hush") else {}),
            **({"settings": {"slow": 1}} if do == "configure" else {}),
        }

    async def _route_of(self, who: str, what: str) -> Any:
        key = ""
        if what == "POST seat key":
            key = (await rest.seat_link(self._asked("player", {"seat": "1"}))).key
        path = {"id": self.lounge.room.match, "seat": "1", **FILE}
        bodies = {
            "POST seat": UseKey(key),
            "POST room data": b"{}",
            "POST continue": Continue(1, 0),
            "POST records": b"",
            "POST rooms": NewRoom("canaries"),
        }
        route, looker = route_of(what), what.rsplit(" ", 1)[-1]
        asked = self._asked(who, path, {"as": looker}, bodies.get(route))
        found = await HANDLERS[route](asked)
        return found.content if isinstance(found, rest.Plain) else found

    async def _over_the_socket(self, who: str, kind: str, words: str) -> str:
        if kind == "hello":
            web = await self.connect(who, int(words) if words.isdecimal() else None)
            return web.refused()
        web = self.sockets[who]
        if web.refused():
            return web.refused()  # not even let in
        web.got.clear()
        web.ask(self._message_of(words, PEOPLE[who]))
        await later(2)
        return web.refused()

    def _message_of(self, words: str, seat: int | None) -> Json:
        assert self.lounge.table is not None
        match = self.lounge.table.row.id
        sing = [{"do": "sing"}]
        question = self.lounge.table.question(seat or 0).id
        messages: dict[str, Json] = {
            "do": {"id": "a", "question": question, "do": sing, "match": match},
            "undo": {"id": "a"},
            "say": {"id": "a", "said": {}},
            "preview": {"id": "a", "do": sing},
            "hint": {"id": "a"},
            "vote": {"proposal": 1, "agree": True},
            "moment": {"id": "a", "question": question},
            "seen": {"n": 1},
            "pause": {"paused": True},
            "pause off": {"paused": False},
            "keep": {"id": "a", "notes": "mine", "match": match},
            "read": {"id": "a"},
            "chat": {"id": "a", "text": "hello"},
            "chat team": {"id": "a", "text": "hello", "to": "team", "match": match, "team": [0, 1]},
            "mute": {"person": 1},
            "ping": {},
        }
        return {"t": words.split(maxsplit=1)[0], **messages[words]}


@turned
async def asked(house: Gathering, who: str, what: str, watching: bool, over: bool) -> str:
    """Whether they were let."""
    await house.gather(watching, over)
    why = await house.ask(who, what)
    await house.close()
    return "no" if why in NOT_YOU else "yes"


def walk(what: str, expected: dict[str, str], watching: bool, over: bool) -> dict[str, str]:
    """Who was let do it, as the table has it; fails at the first who heard too much."""
    found = {}
    for who, wanted in expected.items():
        gathering = Gathering()
        found[who] = asked(gathering, who, what, watching, over)
        assert gathering.faults == []
        if wanted == "watch":
            found[who] = {"yes": "watch"}.get(found[who], found[who]) if watching else found[who]
            if not watching and found[who] == "no":
                found[who] = "watch"
    return found


@pytest.mark.parametrize("what", rows(MATCH_ON))
def test_while_a_match_is_on(what: str) -> None:
    expected = rows(MATCH_ON)[what]
    assert walk(what, expected, watching=True, over=False) == expected


@pytest.mark.parametrize(
    "what", [what for what, expected in rows(MATCH_ON).items() if "watch" in expected.values()]
)
def test_while_a_match_is_on_that_nobody_may_watch(what: str) -> None:
    expected = rows(MATCH_ON)[what]
    assert walk(what, expected, watching=False, over=False) == expected


@pytest.mark.parametrize("what", rows(BETWEEN))
def test_between_matches(what: str) -> None:
    expected = rows(BETWEEN)[what]
    assert walk(what, expected, watching=True, over=True) == expected


def test_the_table_names_every_route_command_and_message() -> None:
    asked = {**rows(MATCH_ON), **rows(BETWEEN)}
    commands = {kind.__struct_config__.tag for kind in get_args(Command)}
    assert {what.split()[1] for what in asked if what.startswith("do ")} == commands
    messages = {kind.__struct_config__.tag for kind in get_args(ClientMessage)} - {"hello"}
    assert {what.split()[1] for what in asked if what.startswith("say ")} == messages
    walked = [HANDLERS[route_of(what)] for what in asked if what.split()[0] in ("GET", "POST")]
    there = {route.handler.__name__ for route in rest.ROUTES} - {"command_room"}
    in_the_table = {handler.__name__ for handler in walked}
    assert in_the_table == there, "each needs a row in MATCH_ON or BETWEEN, and a line in HANDLERS"


@turned
async def test_a_locked_room_is_closed_to_who_is_not_in_it() -> None:
    """Not even those see anything who know the match, or left before the lock with a socket open."""
    gathering = Gathering()

    await gathering.gather(watching=True, over=False)
    await gathering._commanded("watcher", {"do": "leave"})
    settings = {"locked": True}
    await gathering._commanded("host", {"do": "configure", "settings": settings})
    for what in ("GET match", "GET match words", "GET replay spectator", "GET room"):
        assert await gathering.ask("nobody", what) == "room.locked", what
    watcher = gathering.sockets["watcher"]
    watcher.got.clear()
    await gathering.ask("host", "say do")
    assert await gathering.ask("watcher", "say read") == "room.no-watching"
    assert "song" not in "".join(watcher.got)
    await gathering.close()
    assert gathering.faults == []


# --- what comes and goes -------------------------------------------------------------------------


@turned
async def test_who_waits_outside_sees_the_match_once_watching_is_switched_on_and_not_before() -> (
    None
):
    gathering = Gathering()

    await gathering.gather(watching=False, over=False)
    watcher = gathering.sockets["watcher"]
    assert "song" not in "".join(watcher.got)
    for on in (True, False, True):
        watcher.got.clear()
        settings = {"watching": on}
        await gathering._commanded("host", {"do": "configure", "settings": settings})
        await gathering.ask("host", "say do")
        await later(1)
        assert ("song" in "".join(watcher.got)) is on
    await gathering.close()
    assert gathering.faults == []


def test_of_a_refusal_nobody_learns_anything() -> None:
    """Whoever asks for what is not theirs gets the same bytes whatever the seat holds."""

    @turned
    async def refused(turns: int) -> list[str]:
        house = Gathering()
        await house.gather(watching=True, over=False)
        for _ in range(turns):
            await house.ask("host", "say do")
        watcher = house.sockets["watcher"]
        watcher.got.clear()
        for words in ("preview", "hint", "keep", "do", "vote", "pause"):
            message = house._message_of(words, None) | {"question": 1}
            watcher.ask(message if words == "do" else house._message_of(words, None))
        await later(2)
        found = [text for text in watcher.got if json.loads(text)["t"] == "refused"]
        await house.close()
        return found

    answers = refused(turns=0)
    assert answers == refused(turns=1)
    assert len(answers) == 6


@turned
async def test_a_seat_that_changed_hands_is_not_shown_to_who_says_hello_for_it_too_late() -> None:
    """The host shuffles and begins while somebody comes to the chair that was theirs."""
    for seed in range(12):
        house = House(seed)
        await house.open()
        await house._commanded("person-1", {"do": "sit", "seat": 1})
        await house._commanded("person-2", {"do": "sit", "seat": 2})
        for who in ("person-1", "person-2"):
            await house._commanded(who, {"do": "ready"})
        await house._commanded("person-0", {"do": "start"})
        late = Web(house, "person-1")
        house.webs.append(late)
        await asyncio.gather(
            _again(house),
            _late(house, late),
        )
        await later(1)
        await house.close()
        assert house.faults == [], seed


async def _again(house: House) -> None:
    await house._commanded("person-1", {"do": "leave"})
    await house._commanded("person-0", {"do": "abandon"})
    await house._commanded("person-0", {"do": "bot", "seat": 3, "bot": "random"})
    await house._commanded("person-0", {"do": "shuffle"})
    await house._commanded("person-0", {"do": "start"})


async def _late(house: House, web: Web) -> None:
    await asyncio.sleep(house.rng.random() * 0.2)
    web.ask({"t": "hello", "seat": 1})
    socket = Socket(house.hub, house.lounge, web, web.person)
    house.tasks.append(asyncio.create_task(socket.run()))


@turned
async def test_who_is_sent_out_is_out_also_when_no_bot_can_take_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That they are out is stored; that a bot plays for them could not be."""
    gathering = Gathering()

    await gathering.gather(watching=True, over=False)
    out = {"do": "remove", "person": gathering.number("player")}
    with monkeypatch.context() as patch:
        patch.setattr(MemoryStore, "_make", without_entries)
        await gathering._commanded("host", out)
    await later(1)
    for device in ("player", "device"):
        assert gathering.sockets[device].refused() == "room.removed"
    await gathering.close()
    assert gathering.faults == []


_make = MemoryStore._make


def without_entries(store: MemoryStore, change: Change) -> None:
    if isinstance(change, AddEntries):
        raise StoreFailed
    _make(store, change)
