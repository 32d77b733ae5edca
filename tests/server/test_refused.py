"""What was refused did not happen, and what happened is not refused: whichever write of it fails."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from capolinea.server import rooms
from capolinea.server.store import EntryRow, NotRead, StoreFailed
from capolinea.server.table import NotKept, Table
from tests.server.clocks import NONE, TURN, at_table
from tests.server.hourglass import Chair, House, later
from tests.server.mail import offer

REMOVE = {"do": "remove", "person": 2}


def a_bot_plays(house: House) -> bool:
    return bool(house.table.match.players == ["person", "bot", "person"])


def is_over(house: House) -> bool:
    return bool(house.table.over and not house.lounge.room.playing)


#: Who does what, and how one sees that it has happened, with all that belongs to it.
COMMANDS: dict[str, tuple[int, dict[str, Any], Callable[[House], bool]]] = {
    "remove": (0, REMOVE, a_bot_plays),
    "leave": (1, {"do": "leave"}, a_bot_plays),
    "replace": (1, {"do": "replace", "seat": 1}, a_bot_plays),
    "abandon": (0, {"do": "abandon"}, is_over),
}


def kept(house: House) -> object:
    store = house.store
    return deepcopy((store.rooms_, store.matches_, store.entries_, store.proposals_))


@pytest.mark.parametrize("failing", [1, 2, 3])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_of_which_one_write_fails(name: str, failing: int) -> None:
    person, command, happened = COMMANDS[name]

    @at_table(NONE)
    async def story(house: House) -> None:
        before = kept(house)
        house.store.fails_at = failing
        try:
            await house.command(person, command)
        except (StoreFailed, NotKept):
            assert kept(house) == before
            await house.command(person, command)
        await later(3 * Table.retry)
        assert happened(house)

    story()


@at_table(NONE)
async def test_who_is_removed_is_gone_at_once_whatever_fails_then(house: House) -> None:
    first, second, _ = house.chairs
    house.store.fails_at = 2
    await house.command(0, REMOVE)
    await later()
    assert [message["why"] for _, message in second.since(-1, "bye")] == ["removed"]
    assert first.status["present"] == [0, 2]
    await house.command(0, {"do": "replace", "seat": 1})  # nobody is "still here"
    assert a_bot_plays(house)


@at_table(NONE)
async def test_a_match_that_cannot_be_read_when_it_begins_has_begun(house: House) -> None:
    await house.command(0, {"do": "abandon"})
    for person in range(3):
        await house.command(person, {"do": "ready"})
    was = house.table.row.id
    read = house.store.entries

    async def unreadable(match: str, since: int = 0) -> list[EntryRow]:
        raise NotRead

    house.store.entries = unreadable  # type: ignore[method-assign]
    await house.command(0, {"do": "start"})
    await later()
    assert [message["why"] for _, message in house.chairs[1].since(-1, "bye")] == ["restart"]
    house.store.entries = read  # type: ignore[method-assign]
    chair = await Chair(house, house.people[1], 1).come()
    assert chair.match == house.lounge.room.match != was
    assert house.table.row.id == chair.match


@at_table(NONE)
async def test_what_has_happened_is_not_refused_because_it_cannot_be_shown(house: House) -> None:
    watching: dict[str, Any] = {"do": "configure", "settings": {"watching": False}}
    watcher = await Chair(house, "watcher", None).come()
    await house.command(0, watching)
    house.table._stale = True  # as after a write of which nobody can say that it went through

    async def unreadable(match: str, since: int = 0) -> list[EntryRow]:
        raise NotRead

    house.store.entries = unreadable  # type: ignore[method-assign]
    watching["settings"]["watching"] = True
    await house.command(0, watching)
    await later()
    assert house.lounge.room.settings.watching
    assert [message["why"] for _, message in watcher.since(-1, "bye")] == ["restart"]


def test_a_full_room_has_a_place_for_who_plays_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    @at_table(NONE)
    async def story(house: House) -> None:
        await house.command(1, {"do": "leave"})
        await Chair(house, "watcher", None).come()
        monkeypatch.setattr(rooms, "MOST_PEOPLE", 3)
        chair = await Chair(house, house.people[1], 1).come()
        assert chair.number == 1

    story()


@at_table(NONE)
async def test_who_comes_back_before_a_bot_could_be_stored_plays_on(house: House) -> None:
    house.store.fails_at = 2
    await house.command(1, {"do": "leave"})
    await Chair(house, house.people[1], 1).come()
    await later(3 * Table.retry)
    assert house.table.match.players == ["person"] * 3


@pytest.mark.parametrize("failing", [1, 2])
def test_who_left_takes_the_seat_back(failing: int) -> None:
    @at_table(NONE)
    async def story(house: House) -> None:
        await house.command(1, {"do": "leave"})
        before = kept(house)
        house.store.fails_at = failing
        try:
            await house.command(1, {"do": "take-back", "seat": 1})
        except NotKept:
            assert kept(house) == before
            await house.command(1, {"do": "take-back", "seat": 1})
        assert house.table.match.players == ["person"] * 3
        assert house.lounge.room.person(house.people[1]) is not None

    story()


@pytest.mark.parametrize("failing", [1, 2])
def test_the_last_yes_to_a_pause(failing: int) -> None:
    @at_table(NONE)
    async def story(house: House) -> None:
        first, second, third = house.chairs
        await first.pause()
        await later()
        await second.vote(True)
        await later()
        before, number = kept(house), first.status["proposal"]["id"]
        house.store.fails_at = failing
        await third.vote(True)
        await later()
        if third.since(-1, "refused"):
            assert kept(house) == before
            assert first.status["proposal"]["id"] == number
            await third.vote(True)
            await later()
        assert first.status["paused"]
        assert "proposal" not in first.status
        assert house.store.proposals_[house.table.row.id].kind == ""

    story()


@pytest.mark.parametrize("viewer", [None, 1, 2])
def test_what_a_title_cannot_show_to_one_is_told_to_all_others(
    viewer: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was: a move that is stored is refused to who made it, and nobody hears of it."""

    @at_table(TURN)
    async def story(house: House) -> None:
        scene, lost, watcher = Table._scene, [], await house.watch()

        def faulty(table: Table, seen_by: int | None) -> Any:
            if seen_by == viewer and table.match.state.window():
                raise KeyError("a word is missing")
            return scene(table, seen_by)

        monkeypatch.setattr(Table, "_scene", faulty)
        await offer(house.chairs[0], signer=1)
        await later()
        for chair in (*house.chairs, watcher):
            if chair.seat == viewer:
                lost = [message["why"] for _, message in chair.since(0, "bye")]
            else:
                assert chair.scene["awaited"] == {"window": "robbery"}
        assert lost == ["restart"]
        await later(60)  # the clock goes on, too
        assert house.chairs[0].scene["awaited"] != {"window": "robbery"}

    story()
