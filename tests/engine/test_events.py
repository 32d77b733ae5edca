"""Events: exactly what each viewer is told."""

from __future__ import annotations

import msgspec
import pytest

from capolinea.engine import Event, Told
from capolinea.engine.events import Part

VIEWERS = [None, 0, 1, 2]


def heard(event: Event) -> list[Told | None]:
    """What a spectator and three seats are told."""
    return [event.seen_by(viewer) for viewer in VIEWERS]


def test_what_is_told_to_all_is_the_same_for_all() -> None:
    told = Told("event.rolled", {"pips": 4})
    assert heard(Event("event.rolled", {"pips": 4})) == [told] * 4


def test_some_seats_may_see_more() -> None:
    event = Event("event.drew", {"count": 2}).also([1], cards=["guard", "letter"])
    less, more = Told("event.drew", {"count": 2}), {"count": 2, "cards": ["guard", "letter"]}
    assert heard(event) == [less, less, Told("event.drew", more, private=True), less]


def test_who_sees_more_may_read_it_in_other_words() -> None:
    event = Event("event.drew", {"seat": 0}).also([0, 2], "event.drew.own", card="guard")
    args = {"seat": 0, "card": "guard"}
    own = Told("event.drew.own", args, private=True, others="event.drew")
    rest = Told("event.drew", {"seat": 0})
    assert heard(event) == [rest, own, rest, own]


def test_several_parts_add_up_and_the_last_one_wins() -> None:
    event = Event("event.k", {"a": 1})
    event.also([0, 1], "event.first", a=2, b=2).also([1], b=3).also([1, 2], "event.last")
    assert heard(event) == [
        Told("event.k", {"a": 1}),
        Told("event.first", {"a": 2, "b": 2}, private=True),
        Told("event.last", {"a": 2, "b": 3}, private=True),
        Told("event.last", {"a": 1}, private=True, others="event.k"),
    ]


def test_a_whisper_reaches_only_those_it_is_for() -> None:
    told = Told("event.peeked", {"card": "guard"}, private=True)
    assert heard(Event("event.peeked", {"card": "guard"}, to=[0, 2])) == [None, told, None, told]


def test_a_whisper_to_nobody_reaches_nobody() -> None:
    assert heard(Event("event.peeked", {}, to=[])) == [None] * 4


def test_more_for_some_does_not_widen_a_whisper() -> None:
    event = Event("event.peeked", {}, to=[0]).also([0, 1], card="guard")
    told = Told("event.peeked", {"card": "guard"}, private=True)
    assert heard(event) == [None, told, None, None]


def test_a_whisper_in_other_words_is_still_nothing_to_others() -> None:
    event = Event("event.peeked", {}, to=[0, 1]).also([0], "event.peeked.own", card="guard")
    told = event.seen_by(0)
    assert told is not None
    assert (told.key, told.private, told.others) == ("event.peeked.own", True, "")


def test_the_truth_is_every_wording_of_it_with_its_readers() -> None:
    event = Event("event.k", {"a": 1}, to=[0]).also([0], "event.own", b=2).also([1], c=3)
    assert event.truth() == [
        ([0], Told("event.k", {"a": 1})),
        ([0], Told("event.own", {"a": 1, "b": 2})),
        ([1], Told("event.k", {"a": 1, "c": 3})),
    ]
    assert Event("event.k", {}).truth() == [(None, Told("event.k"))]


def test_public_facts_are_told_to_all_who_hear_of_it() -> None:
    event = Event("event.k", {}).setting({"train.speed": 3}).also([1], "event.own", secret=True)
    assert [told.sets for told in heard(event) if told] == [{"train.speed": 3}] * 4
    assert [told.sets for _, told in event.truth()] == [{"train.speed": 3}] * 2


def test_adding_to_an_event_gives_the_same_event() -> None:
    event = Event("event.k", {})
    assert event.also([0]) is event
    assert event.setting({}) is event


def test_events_share_nothing() -> None:
    one, two = Event("event.k", {"a": 1}), Event("event.k", {"a": 1})
    one.also([0], b=2)
    one.setting({"x": 1})
    assert (two.parts, two.sets) == ([], {})


def test_what_is_told_is_a_copy() -> None:
    event = Event("event.k", {"a": 1})
    told = event.seen_by(0)
    assert told is not None
    told.args["a"] = 2
    assert event.args == {"a": 1}


def test_what_is_not_given_is_not_there() -> None:
    event, told = Event("event.k", {}), Told("event.k")
    assert (event.parts, event.to, event.sets) == ([], None, {})
    assert (told.args, told.sets, told.private, told.others) == ({}, {}, False, "")
    assert Part([1], {}).key == ""


def test_the_written_form_leaves_out_what_is_not_there() -> None:
    assert msgspec.to_builtins(Told("event.k")) == {"key": "event.k"}
    assert msgspec.to_builtins(Event("event.k", {})) == {"key": "event.k", "args": {}}
    assert msgspec.to_builtins(Part([1], {})) == {"to": [1], "args": {}}


@pytest.mark.parametrize("kind", [Told, Event, Part])
def test_there_is_no_room_for_a_stray_field(kind: type) -> None:
    whole = {"key": "event.k", "args": {}, "to": [1]} if kind is not Told else {"key": "event.k"}
    msgspec.convert(whole, kind)
    with pytest.raises(msgspec.ValidationError, match="stray"):
        msgspec.convert({**whole, "stray": 1}, kind)


def test_what_was_told_does_not_change() -> None:
    with pytest.raises(AttributeError):
        Told("event.k").key = "event.other"  # type: ignore[misc]
