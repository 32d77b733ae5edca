"""A room: who sits where, what is to be played, and who may decide it."""

from __future__ import annotations

from typing import Any, get_args
from unittest.mock import patch

import msgspec
import pytest

from capolinea import games
from capolinea.engine.problems import Problem, Refused
from capolinea.server import rooms
from capolinea.server.protocol import (
    Abandon,
    Clear,
    Clock,
    Command,
    Configure,
    HandOver,
    Hush,
    Leave,
    NewRoom,
    OwnData,
    PutBot,
    Ready,
    Remove,
    Rename,
    Replace,
    RoomSettings,
    RoomView,
    SettingsChange,
    Shuffle,
    Sit,
    Stand,
    Start,
    TakeBack,
    encode,
    room_as_read,
)
from capolinea.server.rooms import Here, Person, Room, look, new_room
from capolinea.server.set_up import set_up_of

ADA, BRUNO, CARLA = "id-of-ada", "id-of-bruno", "id-of-carla"


def made(title: str = "night-mail", **more: Any) -> Room:
    """Ada's room."""
    return new_room("BCDFGH", ADA, NewRoom(title=title, name="Ada", **more))


def seated(**more: Any) -> Room:
    """Ada and Bruno sit, Carla stands by."""
    room = made(**more)
    room.do(BRUNO, Sit(1, "Bruno"))
    room.enter(CARLA, "Carla")
    return room


def playing() -> Room:
    room = seated()
    room.playing, room.match, room.match_seats = True, "a-match", [0, 1]
    return room


def names(room: Room) -> list[str]:
    return [seat.name for seat in room.seats]


def show(room: Room, reader: str) -> RoomView:
    here = Here(frozenset({ADA}), frozenset({0}))
    view = room.view(set_up_of(*room.chosen()), here, "http://localhost/room/BCDFGH", "computer")
    return msgspec.json.decode(room_as_read(encode(view), room.yours(reader)), type=RoomView)


def hindrance(room: Room) -> Problem | None:
    return room.hindrance(set_up_of(*room.chosen()))


def number(room: Room, id: str) -> int:
    person = room.person(id)
    assert person is not None
    return person.number


def refused(room: Room, id: str, command: Command, key: str) -> None:
    """It says why not, and nothing has changed."""
    before = encode(room)
    with pytest.raises(Problem) as problem:
        room.do(id, command)
    assert problem.value.key == key
    assert encode(room) == before


# --- making one ----------------------------------------------------------------------------------


def test_a_room_has_a_chair_for_everybody_and_its_maker_in_the_first() -> None:
    room = made()
    assert len(room.seats) == 5
    assert names(room) == ["Ada", "", "", "", ""]
    assert room.host == ADA
    assert room.holds(ADA, 0)


def test_bots_come_with_it_by_level_and_sit_next_to_its_maker() -> None:
    room = made("stop-the-train", bots=["loyal", "random", ""])
    assert [seat.bot for seat in room.seats] == ["", "loyal", "random", "passenger", "", ""]
    assert len({name for name in names(room) if name}) == 4
    assert hindrance(room) is None


def test_whoever_only_watches_leaves_all_seats_to_others() -> None:
    room = made(watch=True, bots=["random", "random"])
    assert not room.seats_of(ADA)
    assert [seat.bot for seat in room.seats] == ["random", "random", "", "", ""]
    assert room.host == ADA
    assert hindrance(room) is None


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ({"title": "chess"}, "title.unknown"),
        # Code of somebody's choice is for who starts the program, not for who knows its address.
        ({"title": "tests.engine.toy:GAME"}, "title.unknown"),
        ({"preset": "wildest"}, "bad-option.preset"),
        ({"options": {"hand": 99}}, "bad-option.json"),
        ({"options": {"hands": 3}}, "bad-option.json"),
        ({"options": {"line": "moon"}}, "bad-option.value"),
        ({"bots": ["grandmaster"]}, "bot.unknown"),
        ({"bots": ["random"] * 5}, "refused.seats"),
    ],
)
def test_what_cannot_be_is_said_when_the_room_is_made(asked: dict[str, Any], key: str) -> None:
    with pytest.raises(Problem) as problem:
        new_room("BCDFGH", ADA, NewRoom(**{"title": "night-mail", **asked}))
    assert problem.value.key == key


# --- sitting down --------------------------------------------------------------------------------


def test_sit_on_an_empty_chair() -> None:
    room = made()
    room.do(BRUNO, Sit(3, "Bruno"))
    assert names(room) == ["Ada", "", "", "Bruno", ""]
    assert room.seats_of(BRUNO) == [3]


def test_nobody_sits_on_somebody_elses_chair_nor_on_a_bots() -> None:
    room = seated(bots=[])
    room.do(ADA, PutBot(2, "random"))
    refused(room, CARLA, Sit(0), "room.taken")
    refused(room, CARLA, Sit(2), "room.taken")
    refused(room, "stranger", Sit(1, "Dora"), "room.taken")


def test_there_is_no_chair_beyond_the_last() -> None:
    refused(made(), BRUNO, Sit(5, "Bruno"), "refused.no-seat")


def test_changing_seat_leaves_the_old_one_and_stays_ready() -> None:
    room = seated()
    room.do(BRUNO, Ready())
    room.do(BRUNO, Sit(4))
    assert names(room) == ["Ada", "", "", "", "Bruno"]
    assert room.seats[4].ready
    assert room.seats[1].empty


def test_changing_seat_takes_the_other_device_along() -> None:
    room = seated()
    room.seats[1].holders.append("phone")
    room.do(BRUNO, Sit(2))
    assert room.seats_of("phone") == [2]


def test_stand_up() -> None:
    room = seated()
    room.do(BRUNO, Stand(1))
    assert room.seats[1].empty
    assert room.person(BRUNO) is not None
    assert room.seats[1].name == ""


def test_only_who_sits_there_stands_up() -> None:
    room = seated()
    refused(room, CARLA, Stand(1), "room.not-yours")
    refused(room, ADA, Stand(1), "room.not-yours")
    refused(room, ADA, Stand(4), "room.not-yours")
    refused(room, ADA, Stand(31), "refused.no-seat")


def test_hot_seat_further_chairs_have_names_of_their_own() -> None:
    room = seated()
    room.do(ADA, Sit(2, "Dora", further=True))
    room.do(ADA, Sit(3, further=True))
    assert room.seats_of(ADA) == [0, 2, 3]
    assert names(room)[:3] == ["Ada", "Bruno", "Dora"]
    assert names(room)[3] not in ("", *names(room)[:3])


def test_hot_seat_to_change_ones_own_chair_moves_nobody_else_at_the_screen() -> None:
    room = made()
    room.do(ADA, Sit(1, "Dora", further=True))
    room.do(ADA, Sit(4))
    assert names(room) == ["", "Dora", "", "", "Ada"]


def test_hot_seat_who_sits_down_again_does_not_push_the_other_away() -> None:
    room = made()
    room.do(ADA, Sit(1, "Dora", further=True))
    room.do(ADA, Stand(0))
    room.do(ADA, Sit(2))
    assert names(room)[:3] == ["", "Dora", "Ada"]


def test_a_first_chair_is_nobodys_further_one() -> None:
    room = made()
    room.do(BRUNO, Sit(1, "Bruno", further=True))
    assert names(room)[1] == "Bruno"
    assert [person.name for person in room.people] == ["Ada", "Bruno"]


def test_nobody_moves_during_a_match() -> None:
    room = playing()
    of_all: list[Command] = [Sit(2), Stand(1), Rename("Benno"), PutBot(2, "random")]
    for command in of_all:
        refused(room, BRUNO, command, "room.playing")
    of_host: list[Command] = [Clear(1), Shuffle(), Configure(preset="wild")]
    for command in of_host:
        refused(room, ADA, command, "room.playing")
    refused(room, CARLA, Sit(3), "room.playing")


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("  Ada   di  Muggia ", "Ada di Muggia"),
        ("Zoe\u202eb", "Zoeb"),  # would turn the rest of the line around
        ("Zoe\x00\n\tB", "Zoe B"),
        ("Zoe\u0308", "Zoë"),
        ("Ночь 夜 ليل", "Ночь 夜 ليل"),
        ("x" * 80, "x" * 24),
        ("x" * 23 + " y", "x" * 23),
    ],
)
def test_names_show_what_they_are(written: str, read: str) -> None:
    room = made()
    room.do(ADA, Rename(written))
    assert names(room)[0] == read


def test_who_says_no_name_gets_one() -> None:
    room = made()
    room.do(BRUNO, Sit(1, "\u200b"))
    assert names(room)[1]
    refused(room, BRUNO, Rename("\u202e "), "room.no-name")


def test_two_of_one_name_can_be_told_apart() -> None:
    room = made()
    room.do(BRUNO, Sit(1, "Ada"))
    room.do(CARLA, Sit(2, "ADA"))
    room.do("d", Sit(3, "Ａｄａ"))  # wide letters
    assert names(room)[:2] == ["Ada", "Ada 2"]
    assert len({name.casefold() for name in names(room)[:4]}) == 4
    assert names(room)[3].endswith("4")


def test_a_name_made_different_is_not_longer_than_names_may_be() -> None:
    room = new_room("BCDFGH", ADA, NewRoom(title="night-mail", name="x" * 30), longest_name=10)
    room.do(BRUNO, Sit(1, "x" * 30))
    assert names(room)[:2] == ["x" * 10, "x" * 8 + " 2"]


def test_ones_own_name_is_no_double_of_itself() -> None:
    room = seated()
    room.do(BRUNO, Rename("Bruno"))
    room.do(BRUNO, Rename("Bruno", seat=1))
    room.do(BRUNO, Sit(2, "Bruno"))
    assert names(room)[2] == "Bruno"
    room.do(BRUNO, Rename("bruno"))
    assert names(room)[2] == "bruno"


def test_a_hush_goes_along_to_another_device() -> None:
    room = seated()
    room.seats[1].holders.append("phone")
    room.enter("phone")
    number = room.person(BRUNO)
    assert number is not None
    room.do(ADA, Hush(number.number))
    room.mute(ADA, number.number, True)
    room.do(BRUNO, Leave())
    assert room.whom("phone") == "phone"
    assert "phone" in room.hushed
    assert "phone" in room.mutes[ADA]


def test_a_host_who_opens_somebodys_link_is_still_the_host() -> None:
    room = seated()
    room.do(ADA, Stand(0))
    room.seats[1].holders.append(ADA)
    room.only_host(ADA)
    assert room.hosted_by({ADA})


def test_a_host_who_sends_somebody_out_from_another_device_stays() -> None:
    """Having opened that person's link before."""
    room = seated()
    phone = "id-of-adas-phone"
    for device, chair in ((ADA, 1), (phone, 0), ("id-of-brunos-phone", 1)):
        room.seats[chair].holders.append(device)
        room.enter(device)
    assert room.whom(phone) == ADA
    room.do(phone, Remove(number(room, BRUNO)))
    assert room.removed == [BRUNO, "id-of-brunos-phone"]
    assert room.host == ADA


@pytest.mark.parametrize("name", ["", "Bea", "Somebody"])
def test_who_comes_back_is_who_they_were_and_not_who_came_with_them(name: str) -> None:
    """Whoever has the further chair's link would be the host else."""
    room = made()
    room.do(ADA, Sit(2))
    room.do(ADA, Sit(0, "Bea", further=True))
    room.do(BRUNO, Sit(1, "Bruno"))
    room.seats[0].holders.append(CARLA)
    room.enter(CARLA, "Bea")
    room.playing, room.match, room.match_seats = True, "a-match", [0, 1, 2]
    room.do(ADA, Leave())
    assert room.enter(ADA, name).name == "Ada"
    room.do(room.host, HandOver(number(room, ADA)))
    assert (room.whom(CARLA), room.host) == (CARLA, ADA)
    refused(room, CARLA, Abandon(), "room.no-match")
    refused(room, CARLA, Hush(number(room, BRUNO), True), "room.host-only")


def test_a_double_that_sits_down_again_keeps_its_name() -> None:
    room = made()
    room.do(BRUNO, Sit(1, "Ada"))
    for chair in (2, 1, 3):
        room.do(BRUNO, Sit(chair, "Ada"))
        assert names(room)[chair] == "Ada 2"


def test_a_bots_name_is_nobodys() -> None:
    room = made()
    room.do(ADA, PutBot(2, "random"))
    bot = names(room)[2]
    room.do(BRUNO, Sit(1, bot))
    assert names(room)[1] == f"{bot} 2"
    guest = made()
    guest.enter(BRUNO, bot)
    guest.do(ADA, PutBot(2, "random"))
    assert names(guest)[2] != bot


def test_a_crowd_of_one_name() -> None:
    room = made()
    for guest in range(150):
        room.enter(f"guest {guest}", "Ada")
    assert len({person.name for person in room.people}) == 151


def test_rename_changes_the_person_and_their_chair() -> None:
    room = seated()
    room.do(ADA, Sit(2, "Dora", further=True))
    room.do(ADA, Rename("Anna"))
    assert names(room)[:3] == ["Anna", "Bruno", "Dora"]
    assert room.people[0].name == "Anna"
    room.do(ADA, Rename("Dorotea", seat=2))
    assert names(room)[:3] == ["Anna", "Bruno", "Dorotea"]
    assert room.people[0].name == "Anna"
    room.do(ADA, Rename("Ada", seat=0))
    assert (names(room)[0], room.people[0].name) == ("Ada", "Ada")


def test_nobody_renames_others() -> None:
    room = seated()
    refused(room, BRUNO, Rename("Nobody", seat=0), "room.not-yours")
    refused(room, ADA, Rename("Nobody", seat=1), "room.not-yours")
    refused(room, "stranger", Rename("Somebody"), "room.stranger")


def test_who_only_watches_may_have_a_name_during_a_match_too() -> None:
    room = playing()
    room.do(CARLA, Rename("Carlotta"))
    assert show(room, ADA).people[2].name == "Carlotta"


# --- bots ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("chair", [1, 2, 4])
def test_a_bot_sits_on_any_empty_chair(chair: int) -> None:
    room = made()
    room.do(ADA, PutBot(chair, "random"))
    assert room.seats[chair].bot == "random"
    assert hindrance(room) is None, "a bot is always ready"


def test_another_level_is_the_same_bot() -> None:
    room = made("stop-the-train")
    room.do(ADA, PutBot(1, "passenger"))
    name = names(room)[1]
    room.do(ADA, PutBot(1, "random"))
    assert (names(room)[1], room.seats[1].bot) == (name, "random")


def test_no_bot_takes_a_persons_chair_and_no_unknown_bot_any() -> None:
    room = seated()
    refused(room, ADA, PutBot(1, "random"), "room.taken")
    refused(room, ADA, PutBot(2, "grandmaster"), "bot.unknown")
    refused(room, ADA, PutBot(9, "random"), "refused.no-seat")
    refused(room, "stranger", PutBot(2, "random"), "room.stranger")


def test_all_chairs_can_be_bots_of_different_names() -> None:
    room = made("trial-by-trolley", watch=True, bots=["advocate"] * 13)
    assert len(set(names(room))) == 13


# --- getting ready -------------------------------------------------------------------------------


def test_a_match_waits_for_enough_players() -> None:
    why = hindrance(made())
    assert why is not None
    assert (why.key, why.args_) == ("refused.seats", {"seats": 1, "least": 2, "most": 5})


def test_a_match_waits_for_whoever_is_not_ready_but_not_for_the_host() -> None:
    room = seated()
    why = hindrance(room)
    assert why is not None
    assert (why.key, why.args_) == ("room.not-ready", {"names": ["Bruno"]})
    room.do(BRUNO, Ready())
    assert hindrance(room) is None
    room.do(BRUNO, Ready(False))
    assert hindrance(room) is not None


def test_a_screen_is_ready_with_all_its_chairs() -> None:
    room = seated()
    room.do(BRUNO, Sit(2, "Dora", further=True))
    room.do(BRUNO, Ready())
    assert hindrance(room) is None


def test_a_stranger_is_not_ready_for_anything() -> None:
    refused(made(), BRUNO, Ready(), "room.stranger")


# --- what is played ------------------------------------------------------------------------------


def test_options_in_place_of_the_presets() -> None:
    room = made(preset="wild", options={"bonus": 6})
    assert show(room, ADA).options == {"line": "coast", "hand": 5, "bonus": 6, "open_vote": True}


def test_a_new_preset_takes_ones_own_options_away_and_data_that_it_names_itself() -> None:
    line = games.load("night-mail").data()["line"]["coast"]
    room = made(options={"bonus": 6, "line": "ours"}, data={"line": line})
    assert show(room, ADA).data == {"line": OwnData("ours")}
    room.do(ADA, Configure(preset="wild"))
    assert show(room, ADA).data == {"line": OwnData("ours")}
    assert show(room, ADA).options["bonus"] == 3
    room.do(ADA, Configure(preset="short"))
    view = show(room, ADA)
    assert (view.preset, view.data) == ("short", {})
    assert view.options == {"line": "shuttle", "hand": 3, "bonus": 3, "open_vote": False}


def test_what_is_left_out_stays() -> None:
    room = seated(preset="wild", options={"bonus": 6}, settings=RoomSettings(slow=5))
    room.do(ADA, Configure(settings=SettingsChange(public=True)))
    assert (room.preset, room.options, room.title) == ("wild", {"bonus": 6}, "night-mail")
    room.do(ADA, Configure(options={"hand": 2}))
    assert room.settings.public
    assert show(room, ADA).options["hand"] == 2
    assert names(room)[:2] == ["Ada", "Bruno"]


def test_data_of_ones_own_is_taken_and_given_up_again() -> None:
    line = games.load("night-mail").data()["line"]["shuttle"]
    room = made()
    room.do(ADA, Configure(data={"line": line}))
    assert show(room, ADA).data == {"line": OwnData("line")}
    room.do(ADA, Configure(data={}))
    assert show(room, ADA).data == {}


def test_a_pack_of_ones_own_stays_with_what_belongs_to_it_for_another_preset() -> None:
    pack = {"cards": [{"deck": "innocent", "text": {"en": "my cat"}}]}
    own = {"pack": "Pets", "with_starter": True, "tom_trolley": True}
    room = made("trial-by-trolley", options=own, data={"pack": pack})
    room.do(ADA, Configure(preset="first-game"))
    view = show(room, ADA)
    assert view.data["pack"].name == "Pets"
    assert view.data["pack"].about[0].args == {"innocent": 1, "guilty": 0, "modifier": 0}
    assert (view.options["with_starter"], view.options["tom_trolley"]) == (True, False)
    room.do(ADA, Configure(preset="standard", data={}))
    assert (show(room, ADA).data, room.options) == ({}, {})


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (Configure(title="chess"), "title.unknown"),
        (Configure(preset="wildest"), "bad-option.preset"),
        (Configure(title="stop-the-train", preset="wild"), "bad-option.preset"),
        (Configure(options={"hand": 0}), "bad-option.json"),
        (Configure(options={"line": "moon"}), "bad-option.value"),
        (Configure(settings=SettingsChange(public=True), options={"x": 1}), "bad-option.json"),
    ],
)
def test_one_thing_that_cannot_be_and_nothing_changes(change: Configure, key: str) -> None:
    refused(seated(bots=[]), ADA, change, key)


def test_the_company_stays_together_for_another_title() -> None:
    room = seated()
    room.do(BRUNO, Sit(4))
    room.do(ADA, PutBot(2, "random"))
    bot = names(room)[2]
    room.do(BRUNO, Ready())
    room.do(ADA, Configure(title="stop-the-train", preset="first-game"))
    assert names(room) == ["Ada", bot, "Bruno", "", "", ""]
    assert hindrance(room) is None
    assert show(room, ADA).options["cast"] == "first-game"


def test_a_bot_that_does_not_know_the_new_title_sends_one_that_does() -> None:
    room = made("stop-the-train", bots=["passenger", "random"])
    room.do(ADA, Configure(title="trial-by-trolley"))
    assert [seat.bot for seat in room.seats[:3]] == ["", "advocate", "random"]


def test_too_many_people_for_a_title() -> None:
    room = made("trial-by-trolley", bots=["advocate"] * 6)
    refused(room, ADA, Configure(title="night-mail"), "refused.seats")


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (Clock("none"), Clock("none")),
        (Clock("relaxed"), Clock("relaxed", turn=120, window=8)),
        (Clock("live"), Clock("live", turn=40, bank=120, window=4)),
        (Clock("days"), Clock("days", turn=24 * 3600)),
        (Clock("live", turn=10), Clock("live", turn=10)),
        # No clock is no clock; how long a window stays open is another thing.
        (Clock("none", turn=5, bank=9, window=8), Clock("none", window=8)),
    ],
)
def test_a_kind_of_clock_says_enough(asked: Clock, meant: Clock) -> None:
    assert made(settings=RoomSettings(clock=asked)).settings.clock == meant
    room = made()
    room.do(ADA, Configure(settings=SettingsChange(clock=asked)))
    assert room.settings.clock == meant


@pytest.mark.parametrize("window", [1, 31])
def test_a_window_is_neither_too_short_nor_too_long(window: int) -> None:
    room = made()
    for clock in (Clock("none", window=window), Clock("live", turn=40, window=window)):
        refused(room, ADA, Configure(settings=SettingsChange(clock=clock)), "room.window")
        with pytest.raises(Problem) as problem:
            made(settings=RoomSettings(clock=clock))
        assert problem.value.key == "room.window"


def test_a_clock_of_an_older_server_keeps_nobody_from_changing_the_rest() -> None:
    room = made()
    room.settings = RoomSettings(clock=Clock("live", turn=40, window=60))
    room.do(ADA, Configure(settings=SettingsChange(public=True)))
    assert room.settings.public
    assert room.settings.clock.window == 60


def test_settings_can_change_during_a_match() -> None:
    room = playing()
    room.do(ADA, Configure(settings=SettingsChange(locked=True, slow=3)))
    assert room.settings.locked
    mixed = Configure(settings=SettingsChange(slow=9), options={"hand": 2})
    refused(room, ADA, mixed, "room.playing")


# --- the host ------------------------------------------------------------------------------------


def test_what_only_the_host_may_do() -> None:
    room = seated()
    ada, carla = number(room, ADA), number(room, CARLA)
    for command in (
        Configure(settings=SettingsChange(public=True)),
        Configure(preset="wild"),
        Clear(0),
        Remove(carla),
        Remove(ada),
        HandOver(number(room, BRUNO)),
        Hush(carla),
        Shuffle(),
    ):
        refused(room, BRUNO, command, "room.host-only")
        refused(room, "stranger", command, "room.host-only")


def test_what_needs_a_match_says_so() -> None:
    refused(seated(), ADA, Abandon(), "room.no-match")


def test_clear_a_chair_and_its_person_stays_in_the_room() -> None:
    room = seated()
    room.do(ADA, PutBot(2, "random"))
    room.do(ADA, Clear(1))
    room.do(ADA, Clear(2))
    assert room.filled() == [0]
    assert room.person(BRUNO) is not None
    room.do(BRUNO, Sit(1))


def test_a_locked_room_is_closed_to_newcomers_alone() -> None:
    room = seated()
    room.do(ADA, Configure(settings=SettingsChange(locked=True)))
    refused(room, "stranger", Sit(3, "Dora"), "room.locked")
    with pytest.raises(Refused):
        room.enter("stranger")
    room.do(CARLA, Sit(3))
    room.do(ADA, Configure(settings=SettingsChange(locked=False)))
    room.do("stranger", Sit(4, "Dora"))


def test_who_holds_a_seat_comes_into_a_locked_room() -> None:
    room = playing()
    room.do(ADA, Configure(settings=SettingsChange(locked=True)))
    room.seats[1].holders.append("phone")
    room.enter("phone")
    room.do(BRUNO, Leave())
    room.enter(BRUNO, "Bruno")


def test_whoever_is_sent_out_does_not_come_back() -> None:
    room = seated()
    room.do(ADA, Remove(number(room, BRUNO)))
    assert room.person(BRUNO) is None
    assert room.seats[1].empty
    refused(room, BRUNO, Sit(1, "Bruno"), "room.removed")
    with pytest.raises(Refused):
        room.enter(BRUNO, "Somebody else")


def test_whoever_is_sent_out_goes_with_all_their_devices() -> None:
    room = playing()
    room.seats[1].holders.append("phone")
    room.seats[1].key = "hash of a key"
    room.enter("phone")
    room.do(ADA, Remove(number(room, BRUNO)))
    assert room.seats[1].holders == []
    assert room.seats[1].key == "", "the personal link is void"
    with pytest.raises(Refused):
        room.enter("phone")


def test_to_change_chair_or_name_on_another_device_changes_the_persons() -> None:
    room = seated()
    room.seats[0].holders.append("phone")
    room.enter("phone", "Ada")
    assert room.whom("phone") == ADA
    room.do("phone", Sit(3, "Adele"))
    assert (names(room)[0], names(room)[3]) == ("", "Adele")
    assert room.seats[3].holders == [ADA, "phone"]
    room.do("phone", Rename("Ada", 3))
    assert names(room)[3] == "Ada"
    assert [person.name for person in show(room, BRUNO).people] == ["Ada", "Bruno", "Carla"]


def test_who_leaves_a_match_on_one_device_is_still_in_it_on_the_other() -> None:
    room = playing()
    room.seats[0].holders.append("phone")
    room.enter("phone", "Ada")
    room.do(ADA, Leave())
    assert room.host == "phone"
    assert room.seats[0].holders == ["phone", ADA], "and she can come back to it"
    room.enter(ADA)
    assert (room.whom(ADA), room.whom("phone")) == ("phone", "phone")
    assert [person.name for person in show(room, ADA).people] == ["Bruno", "Carla", "Ada"]


def test_the_host_cannot_send_themselves_out() -> None:
    room = seated()
    refused(room, ADA, Remove(number(room, ADA)), "room.remove-host")
    refused(room, ADA, Remove(77), "room.no-person")


def test_hand_over() -> None:
    room = seated()
    room.do(ADA, HandOver(number(room, BRUNO)))
    refused(room, ADA, Shuffle(), "room.host-only")
    room.do(BRUNO, Shuffle())
    refused(room, BRUNO, HandOver(77), "room.no-person")


def test_hushed_people_stay_so_when_they_come_in_again() -> None:
    room = seated()
    room.do(ADA, Hush(number(room, CARLA)))
    room.do(CARLA, Leave())
    room.enter(CARLA, "Not Carla")
    assert [person.hushed for person in show(room, BRUNO).people] == [False, False, True]
    room.do(ADA, Hush(number(room, CARLA), hushed=False))
    assert not any(person.hushed for person in show(room, BRUNO).people)


def test_shuffle_moves_chairs_and_loses_nobody() -> None:
    room = seated()
    room.do(BRUNO, Ready())
    before = sorted(names(room))
    orders = set()
    for _ in range(60):
        room.do(ADA, Shuffle())
        orders.add(tuple(names(room)))
        assert room.seats[names(room).index("Bruno")].ready
        assert room.holds(BRUNO, names(room).index("Bruno"))
    assert sorted(names(room)) == before
    assert len(orders) > 5


# --- going ---------------------------------------------------------------------------------------


def test_leave_between_matches_frees_the_chair() -> None:
    room = seated()
    room.do(BRUNO, Leave())
    assert room.filled() == [0]
    assert [person.name for person in room.people] == ["Ada", "Carla"]


def test_leave_during_a_match_and_the_seat_stays_ones_own() -> None:
    room = playing()
    room.do(BRUNO, Leave())
    assert room.holds(BRUNO, 1)
    assert room.person(BRUNO) is None


def test_a_host_who_leaves_is_followed_by_somebody_who_plays() -> None:
    room = made()
    room.enter(CARLA, "Carla")
    room.do(BRUNO, Sit(1, "Bruno"))
    room.do(ADA, Leave())
    assert room.host == BRUNO, "Carla has been here longer, but has no seat"
    room.do(BRUNO, Leave())
    assert room.host == CARLA


def test_who_only_watches_is_no_host_either_when_all_have_left_the_match() -> None:
    room = playing()
    room.enter("watcher", "Eve")
    room.do(ADA, Leave())
    room.do(BRUNO, Leave())
    room.enter("another", "Max")
    refused(room, "watcher", Configure(settings=SettingsChange(locked=True)), "room.host-only")
    room.enter(ADA)
    assert room.host == ADA, "who comes back to the chair is"
    room.do(ADA, Leave())
    room.playing = False
    room.tidy()
    assert room.host == CARLA, "between matches whoever has been here longest"


def test_a_name_that_one_gives_up_may_still_be_anothers() -> None:
    """A person's chair went to another device of theirs, and kept its name."""
    room = seated()
    room.seats[0].holders = [BRUNO, ADA]
    room.do(ADA, Sit(2, "ada"))
    taken = [look(seat.name) for seat in room.seats if not seat.empty]
    assert len(set(taken)) == len(taken)


def test_who_comes_back_to_a_chair_has_its_name_and_nobody_else() -> None:
    room = playing()
    room.do(ADA, Leave())
    room.people.append(Person("phone", 9, "ADA"))
    assert room.enter(ADA).name == "Ada"
    people = [look(person.name) for person in room.people]
    assert len(set(people)) == len(people)


def test_whoever_comes_into_an_empty_room_is_its_host() -> None:
    room = made()
    room.do(ADA, Leave())
    room.do(BRUNO, Sit(0, "Bruno"))
    room.do(BRUNO, Configure(preset="wild"))


def test_the_host_passes_on_only_to_who_is_here() -> None:
    room = seated()
    assert not room.pass_on(set())
    assert not room.pass_on({ADA, BRUNO})
    assert room.host == ADA
    assert not room.pass_on({CARLA})  # who has no chair
    assert room.host == ADA
    assert room.pass_on({BRUNO})
    assert room.host == BRUNO


def test_who_only_came_by_makes_room_for_others() -> None:
    room = seated()
    room.enter("d", "Dora")
    room.make_space({CARLA})
    assert room.person("d")  # as long as there is space
    with patch.object(rooms, "MOST_PEOPLE", len(room.people)):
        room.make_space({CARLA})
    assert [person.name for person in room.people] == ["Ada", "Bruno", "Carla"]


# --- showing -------------------------------------------------------------------------------------


def test_nobody_sees_an_id_or_a_key() -> None:
    room = seated()
    room.do(ADA, Hush(number(room, CARLA)))
    room.mute(BRUNO, number(room, CARLA), True)
    room.seats[1].key = "hash-of-a-key"
    room.enter("id-of-dora")
    room.do(ADA, Remove(number(room, "id-of-dora")))
    room.match_holders = [[ADA], [BRUNO]]
    for reader in (ADA, BRUNO, CARLA, "id-of-a-stranger"):
        sent = encode(show(room, reader)) + encode(room.line())
        assert b"id-of" not in sent
        assert b"hash-of" not in sent


def test_everybody_sees_what_is_theirs() -> None:
    room = seated()
    room.mute(BRUNO, number(room, CARLA), True)
    view = show(room, BRUNO)
    assert view.yours == [1]
    assert [seat.kind for seat in view.seats] == ["person", "person", "empty", "empty", "empty"]
    assert view.muted == [3]
    assert (view.you, view.host) == (2, 1)
    assert not show(room, CARLA).muted, "who mutes is not told"
    assert show(room, "stranger").you is None


def test_a_stored_room_is_the_same_room() -> None:
    room = seated(settings=RoomSettings(public=True, clock=Clock("live")))
    room.do(ADA, Hush(number(room, CARLA)))
    assert msgspec.json.decode(encode(room), type=Room) == room


# --- how much of people a room keeps -------------------------------------------------------------


def test_a_room_that_hundreds_are_sent_out_of_hushed_and_muted_in_does_not_grow_for_ever() -> None:
    room = seated()
    for n in range(rooms.MOST_REMOVED + rooms.MOST_MUTING + rooms.MOST_HUSHED):
        id = f"guest-{n}"
        room.enter(id)
        own = number(room, id)
        room.do(ADA, Hush(own))
        room.mute(BRUNO, own, True)
        room.mute(id, number(room, BRUNO), True)
        room.mute(CARLA, own, True)
        room.mute(CARLA, own, False)
        room.do(ADA, Remove(own))
    last = f"guest-{n}"
    assert len(room.removed) == rooms.MOST_REMOVED
    assert len(room.hushed) == rooms.MOST_HUSHED
    assert len(room.mutes) <= rooms.MOST_MUTING
    assert max(map(len, room.mutes.values())) == rooms.MOST_MUTED
    assert room.removed[-1] == room.hushed[-1] == room.mutes[BRUNO][-1] == last
    assert BRUNO in room.mutes, "those who are here keep theirs"


def test_a_chair_is_taken_along_to_so_many_devices_and_stays_its_owners() -> None:
    room = seated()
    room.seats[1].key = "key"
    for n in range(rooms.MOST_DEVICES + 5):
        room.use_key(f"device-{n}", "key")
    assert room.seats[1].holders[0] == BRUNO
    assert len(room.seats[1].holders) == 1 + rooms.MOST_DEVICES
    assert room.holds(f"device-{n}", 1)
    assert not room.holds("device-0", 1)


def test_who_left_and_comes_back_by_their_link_is_who_they_were() -> None:
    room = playing()
    room.seats[1].key = "key"
    room.do(BRUNO, Leave())
    room.use_key("phone", "key")
    assert [person.name for person in room.people] == ["Ada", "Carla", "Bruno"]
    room.end_match(0, "")
    room.do("phone", Rename("Zoe"))
    room.do("phone", Sit(3))
    assert names(room) == ["Ada", "", "", "Zoe", ""]


def test_also_when_they_are_back_on_the_first_device_as_well() -> None:
    room = playing()
    room.seats[1].key = "key"
    room.do(BRUNO, Leave())
    room.use_key("phone", "key")
    room.enter(BRUNO)
    assert room.whom(BRUNO) == room.whom("phone")
    assert [person.name for person in show(room, ADA).people] == ["Ada", "Carla", "Bruno"]


# --- copies to change ----------------------------------------------------------------------------


CHANGES: list[tuple[str, Command]] = [
    (CARLA, Sit(2, "Carla")),
    (BRUNO, Sit(3)),
    (BRUNO, Sit(3, "Dora", further=True)),
    (BRUNO, Stand(1)),
    (BRUNO, Rename("Bruna")),
    (CARLA, PutBot(2, "random")),
    (BRUNO, Ready()),
    (ADA, Configure(title="stop-the-train")),
    (ADA, Configure(preset="wild", options={"bonus": 6}, settings=SettingsChange(slow=5))),
    (ADA, Clear(1)),
    (ADA, Remove(2)),
    (ADA, Remove(3)),
    (ADA, HandOver(2)),
    (ADA, Hush(3)),
    (ADA, Hush(2, hushed=False)),
    (ADA, Shuffle()),
    (ADA, Leave()),
    (BRUNO, Leave()),
    (CARLA, Leave()),
]


@pytest.mark.parametrize(("who", "command"), CHANGES)
def test_what_is_done_to_a_copy_is_not_done_to_the_room(who: str, command: Command) -> None:
    room = seated(options={"hand": 2})
    room.seats[0].holders.append("a-device-of-ada")
    room.enter("a-device-of-ada")
    room.do(ADA, Hush(2))
    room.mute(CARLA, 1, True)
    room.mute(BRUNO, 3, True)
    before = encode(room)
    room.copy().do(who, command)
    assert encode(room) == before


def test_all_commands_between_matches_are_tried_on_a_copy() -> None:
    in_a_match = {Start, Replace, TakeBack, Abandon}
    assert {type(command) for _, command in CHANGES} == set(get_args(Command)) - in_a_match


def test_a_copy_shares_what_nobody_changes_in_place() -> None:
    line = games.load("night-mail").data()["line"]["coast"]
    room = seated(data={"line": line})
    other = room.copy()
    assert other.data["line"] is room.data["line"]
    assert other.past is room.past


def test_of_settings_what_is_left_out_stays() -> None:
    room = seated()
    room.do(ADA, Configure(settings=SettingsChange(locked=True, watching=False, keep_chat=True)))
    before = room.settings
    room.do(ADA, command({"do": "configure", "settings": {"slow": 5}}))
    assert room.settings == msgspec.structs.replace(before, slow=5)
    room.do(ADA, command({"do": "configure", "settings": {}}))
    assert room.settings == msgspec.structs.replace(before, slow=5)


def test_every_setting_can_be_changed_by_itself() -> None:
    assert SettingsChange.__struct_fields__ == RoomSettings.__struct_fields__


def command(sent: dict[str, Any]) -> Command:
    """As it comes over the wire."""
    found: Command = msgspec.json.decode(encode(sent), type=Command)
    return found


# --- once more -----------------------------------------------------------------------------------


def test_after_a_match_everybody_says_anew_who_is_in_and_nobody_has_to() -> None:
    room = seated(bots=[])
    room.do(BRUNO, Ready())
    room.do(ADA, PutBot(2, "random"))
    room.begin_match("match", [0, 1, 2])
    room.end_match(1, "arrived")
    assert [seat.ready for seat in room.seats[:3]] == [False, False, True], "bots always are"
    assert room.waits_for() is None, "the host can begin the next with one tap"
    room.do(BRUNO, Ready())
    assert room.seats[1].ready
    room.do(CARLA, Sit(3, "Carla"))
    refusal = room.waits_for()
    assert refusal is not None, "who has not played here yet says when they are ready"
    assert refusal.args_ == {"names": ["Carla"]}
