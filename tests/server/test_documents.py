"""What a newer server wrote into a document stays in it, wherever it stands."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from capolinea.server import documents
from capolinea.server.documents import Beside, Document
from capolinea.server.mine import Mine
from capolinea.server.protocol import (
    Clock,
    Configure,
    NewRoom,
    PastMatch,
    PutBot,
    Ready,
    SettingsChange,
    Shuffle,
    Sit,
    encode,
)
from capolinea.server.rooms import Here, Room, new_room
from capolinea.server.set_up import set_up_of

Json = dict[str, Any]


def full_room() -> Room:
    """A room with something of every kind in it."""
    room = new_room("ABCD", "ada", NewRoom(title="night-mail", name="Ada"))
    room.enter("bruno", "Bruno")
    room.do("bruno", Sit(1, "Bruno"))
    room.do("bruno", Ready())
    room.do("ada", PutBot(2, "random"))
    room.data = {"line": Beside.of({"unknown": {"trunk": 1}})}
    room.past = [PastMatch("m1", "night-mail", 1), PastMatch("m2", "night-mail", 2, "arrived")]
    return room


def of_a_newer_server() -> Json:
    """The same with a field more at every level."""
    plain: Json = json.loads(documents.write(full_room()))
    places = [plain, plain["settings"], plain["settings"]["clock"]]
    places += [*plain["seats"], *plain["people"], *plain["past"]]
    for number, place in enumerate(places):
        place["new"] = {"unknown": [number]}
    return plain


def test_a_room_is_read_as_it_was_written() -> None:
    room = full_room()
    text = documents.write(room)
    assert documents.read(text, Room) == room
    assert documents.write(documents.read(text, Room)) == text
    assert "unknown" not in json.loads(text)


def test_what_is_unknown_of_a_room_survives_a_load_and_a_save() -> None:
    newer = of_a_newer_server()
    room = documents.read(json.dumps(newer).encode(), Room)
    assert json.loads(documents.write(room)) == newer
    assert json.loads(documents.write(room.copy())) == newer, "rooms are copied to be changed"


def test_what_is_unknown_moves_along_with_whose_it_is() -> None:
    newer = of_a_newer_server()
    room = documents.read(json.dumps(newer).encode(), Room)
    room.do("ada", Shuffle())
    room.do("ada", Configure(settings=SettingsChange(locked=True, clock=Clock("days"))))
    room.past = [PastMatch("m3", "night-mail", 3), *room.past]
    after = json.loads(documents.write(room))
    own = {seat["name"]: seat["new"] for seat in newer["seats"] if seat["name"]}
    assert {seat["name"]: seat["new"] for seat in after["seats"] if seat["name"]} == own
    assert after["people"] == newer["people"]
    assert after["past"] == [{"id": "m3", "title": "night-mail", "ended": 3}, *newer["past"]]
    assert (after["settings"]["locked"], after["settings"]["clock"]["kind"]) == (True, "days")
    assert after["settings"]["new"] == newer["settings"]["new"]
    assert after["settings"]["clock"]["new"] == newer["settings"]["clock"]["new"]


def test_what_is_unknown_is_shown_to_nobody() -> None:
    room = documents.read(json.dumps(of_a_newer_server()).encode(), Room)
    set_up = set_up_of(*room.chosen())
    view = json.loads(encode(room.view(set_up, Here(), "", "computer")))
    assert "new" not in view
    assert all("new" not in part for part in (*view["seats"], *view["people"], *view["past"]))


def test_what_is_unknown_of_a_seats_own_things_survives() -> None:
    newer = {"notes": "3 brakes", "passes": [], "webhook": "", "moment": 0, "new": 1}
    mine = documents.read(json.dumps(newer).encode(), Mine)
    assert mine.notes == "3 brakes"
    assert json.loads(documents.write(mine)) == newer


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    a: int = 0


class Outer(Document):
    maybe: Inner | None = None
    many: list[Inner] = []
    named: dict[str, Inner] = {}


@pytest.mark.parametrize(
    "plain",
    [
        {"maybe": None, "many": [], "named": {}, "new": 1},
        {"maybe": {"a": 1, "new": 2}, "many": [{"a": 3}], "named": {"new": {"a": 4}}},
    ],
)
def test_parts_of_every_kind(plain: Json) -> None:
    assert json.loads(documents.write(documents.read(json.dumps(plain).encode(), Outer))) == plain
