"""Clocks: how long everybody has, who is waited for, and who plays instead."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from capolinea.client import Refusal
from capolinea.engine import Problem, Record
from capolinea.engine.record import Control, Move
from capolinea.server.clock import MERCY
from capolinea.server.protocol import CLOCKS, Clock, RoomSettings
from capolinea.server.rooms import fair
from tests.server.clocks import HANDS, NONE, TURN, at_table, to_the_vote
from tests.server.hourglass import Chair, House, later, now, turned
from tests.server.mail import DEPART, PASS, dealt, load, offer

BANK = Clock("live", turn=40, bank=120, window=6)
DAYS = CLOCKS["days"]
HOUR, DAY = 3600, 24 * 3600


def moves(house: House) -> list[tuple[int, list[dict[str, Any]]]]:
    entries = house.table.match.entries
    return [(entry.seat, entry.do) for entry in entries if isinstance(entry, Move)]


def controls(house: House) -> list[tuple[int, str]]:
    entries = house.table.match.entries
    return [(entry.seat, entry.by) for entry in entries if isinstance(entry, Control)]


@contextmanager
def refused(key: str) -> Iterator[None]:
    with pytest.raises(Problem) as problem:
        yield
    assert problem.value.key == key


# --- the kinds of clocks -------------------------------------------------------------------------


def test_a_kind_alone_means_what_it_usually_is() -> None:
    for kind, clock in CLOCKS.items():
        assert fair(RoomSettings(clock=Clock(kind))).clock == clock  # type: ignore[arg-type]
    own = RoomSettings(clock=Clock("live", turn=7))
    assert fair(own) == own


@at_table(NONE)
async def test_without_a_clock_nobody_is_hurried(house: House) -> None:
    first = house.chairs[0]
    assert first.status.get("left", {}) == {}
    await later(3 * DAY)
    assert moves(house) == []
    await offer(first, signer=1)
    await later(3 * DAY)
    assert first.scene["awaited"] == {"window": "robbery"}
    assert first.status.get("left", {}) == {}


@at_table(TURN)
async def test_when_time_is_over_the_default_is_played(house: House) -> None:
    first, second, _ = house.chairs
    assert second.status["left"] == {"0": pytest.approx(60_000, abs=5)}
    assert second.status.get("bank", []) == []
    await later(59)
    assert moves(house) == []
    await later(1)
    # Depart, which shows nothing of one's hand; then, a minute later, keep everything.
    assert moves(house) == [(0, DEPART)]
    assert first.status["left"] == {"0": 60_000}
    await later(60)
    assert moves(house) == [(0, DEPART), (0, [{"do": "keep"}])]
    assert second.status["left"] == {"1": 60_000}
    assert controls(house) == []  # all of them are here


def test_the_default_is_the_same_every_time() -> None:
    """Never anything random: the same deal times out to the same match, down to the last move."""

    @turned
    async def timed_out() -> Record:
        house = House("night-mail", 3, TURN)
        await house.open()
        await house.begin(dealt(HANDS, pips=(6, 6, 6, 6, 6, 6)), line="shuttle")
        await house.chairs[0].until(lambda seat: seat.result, seconds=DAY)
        expected = house.table.match
        record: Record = expected.record(reveal=True)
        await house.close()
        replayed = type(expected)(
            expected.game, expected.names, expected.options, deal=expected.deal
        )
        for entry in record.entries:
            assert isinstance(entry, Move)
            steps = [expected.game.space.parse(step) for step in entry.do]
            assert steps == replayed.default(entry.seat)
            replayed.follow(entry)
        return record

    assert timed_out() == timed_out()


@at_table(TURN)
async def test_each_move_gives_the_whole_time_again(house: House) -> None:
    first = house.chairs[0]
    await later(50)
    await first.do(load("letter"))
    await later()
    assert first.status["left"]["0"] == pytest.approx(60_000, abs=5)
    await later(59)
    assert moves(house) == [(0, load("letter"))]


@at_table(BANK)
async def test_a_bank_is_what_one_may_take_longer_in_the_whole_match(house: House) -> None:
    first, second, _ = house.chairs
    assert second.status["bank"] == [120_000] * 3
    assert second.status["left"] == {"0": pytest.approx(160_000, abs=5)}
    await later(100)  # sixty more than the turn has
    await first.do(DEPART)
    await later()
    assert second.status["bank"] == [pytest.approx(60_000, abs=5), 120_000, 120_000]
    assert second.status["left"] == {"0": pytest.approx(100_000, abs=5)}
    await later(30)  # within the turn: nothing of the bank
    await first.do([{"do": "keep"}])
    await later()
    assert second.status["bank"][0] == pytest.approx(60_000, abs=5)
    await later(159)
    assert len(moves(house)) == 2
    await later(1.1)
    assert moves(house)[2:] == [(1, DEPART)]
    assert second.status["bank"][1] == 0
    assert second.status["left"] == {"1": 40_000}


@at_table(BANK)
async def test_a_move_out_of_turn_costs_nothing(house: House) -> None:
    """Nor does a vote that is changed: it would tell that it was."""
    first, second, third = house.chairs
    for chair in (first, second):
        await chair.do(DEPART)
        await chair.do([{"do": "keep"}])
    await third.do(DEPART)
    await later()
    assert third.view["phase"] == "vote"
    assert first.scene["awaited"] == {"seats": [0, 1, 2]}
    await second.do([{"do": "vote", "branch": "north"}])
    await later(100)
    before = now() - 1
    await second.do([{"do": "vote", "branch": "south"}])
    await later()
    assert first.since(before) == []
    assert third.since(before) == []
    await first.do([{"do": "vote", "branch": "south"}])
    await later()
    # 100 seconds and a moment: sixty more than a turn.
    assert third.status["bank"] == [pytest.approx(60_000, abs=5), 120_000, 120_000]
    assert third.status["left"] == {"2": pytest.approx(60_000, abs=10)}


@at_table(DAYS)
async def test_days_pass_also_when_nobody_is_there(house: House) -> None:
    assert house.chairs[0].status["left"] == {"0": pytest.approx(DAY * 1000, abs=5)}
    for chair in house.chairs:
        await chair.go()
    await later(DAY - 1)
    assert moves(house) == []
    await later(1.1)
    assert moves(house) == [(0, DEPART)]
    assert controls(house) == []  # nobody is replaced after a minute: they come once a day
    await later(DAY)
    # Twice in a row is once too often: a bot plays on, and the person can come back.
    assert controls(house) == [(0, "bot")]


@at_table(DAYS)
async def test_a_window_of_days_closes_when_all_have_answered(house: House) -> None:
    await offer(house.chairs[0], signer=1)
    await later()
    assert house.chairs[0].status["left"] == {"window": pytest.approx(DAY * 1000, abs=5)}
    await house.chairs[1].do(PASS)
    await house.chairs[2].do(PASS)
    await later()
    assert house.chairs[0].scene["awaited"] == {"seats": [1]}


# --- who is waited for, and how long -------------------------------------------------------------


@at_table(TURN)
async def test_status_names_seats_or_a_window_never_persons_in_it(house: House) -> None:
    watcher = await house.watch()
    everybody = [*house.chairs, watcher]
    for chair in everybody:
        assert set(chair.status["left"]) == {"0"}
        assert chair.status["present"] == [0, 1, 2]
    await offer(house.chairs[0], signer=1)
    await later(4)
    await house.chairs[1].do(PASS)
    await house.chairs[2].go()  # somebody leaves: everybody gets a status, with the time left
    await later()
    for chair in (*everybody[:2], watcher):
        assert chair.status["present"] == [0, 1]
        assert chair.status["left"] == {"window": pytest.approx(6000, abs=5)}


@at_table(TURN)
async def test_status_does_not_run_ahead_of_the_store(house: House) -> None:
    """Who comes or goes while a move is being written makes nobody hear of the move."""
    first, second, third = house.chairs
    house.store.seconds = 1
    before = now()
    move = asyncio.create_task(first.do(DEPART))
    await later(0.5)
    await third.go()
    assert second.since(before, "status") == []
    house.store.failing = True
    with pytest.raises(Refusal) as refusal:
        await move
    assert refusal.value.key == "table.not-kept"
    await later()
    assert second.since(before, "frame") == []
    house.store.failing, house.store.seconds = False, 0
    await first.preview(DEPART)  # whatever asks the table next
    await later()
    assert second.status["left"] == {"0": pytest.approx(58_900, abs=200)}


@at_table(TURN)
async def test_a_status_that_had_to_wait_is_for_all(house: House) -> None:
    """Also for those who are not told what was being written then: else they could tell that
    something was."""
    first, second, third = house.chairs
    watcher = await house.watch()
    await to_the_vote(house)
    await first.do([{"do": "vote", "branch": "north"}])
    await later()
    house.store.seconds = 1
    move = asyncio.create_task(first.do([{"do": "vote", "branch": "south"}]))
    await later(0.5)
    await third.go()
    await move
    await later()
    for chair in (first, second, watcher):
        assert chair.status["present"] == [0, 1]


# --- presence ------------------------------------------------------------------------------------


@at_table(BANK, grace=HOUR)
async def test_time_stands_still_while_nobody_is_there(house: House) -> None:
    watcher = await house.watch()  # watching is not being there
    first = house.chairs[0]
    await later(30)
    for chair in house.chairs:
        await chair.go()
    await later()
    assert watcher.status.get("left", {}) == {}
    await later(DAY)
    assert moves(house) == []
    await first.come()
    # Thirty seconds were gone, and still are; nothing of the bank is.
    assert first.status["left"] == {"0": pytest.approx(130_000, abs=20)}
    assert first.status["bank"] == [120_000] * 3
    await later(9)
    await first.do(DEPART)
    await later()
    assert first.status["bank"] == [120_000] * 3
    assert house.table.at() < 60_000  # what the record says of it
    await later(159)
    assert len(moves(house)) == 1
    await later(1.1)
    assert len(moves(house)) == 2


@at_table(TURN, grace=HOUR)
async def test_who_comes_back_has_a_moment_to_look(house: House) -> None:
    await later(59)
    for chair in house.chairs:
        await chair.go()
    await later(HOUR)
    await house.chairs[0].come()
    left = house.chairs[0].status["left"]["0"]
    assert left == pytest.approx(MERCY, abs=5)  # and not the second that was left


@at_table(BANK, grace=HOUR)
async def test_after_a_restart_time_goes_on_from_the_last_entry(house: House) -> None:
    """Nobody pays for it; what was spent before stays spent."""
    await later(70)  # thirty more than a turn has
    await house.chairs[0].do(load("letter"))
    await later(20)
    await house.restart(seconds=HOUR)
    first = await Chair(house, house.people[0], 0).come()
    assert first.status["bank"] == [pytest.approx(90_000, abs=10), 120_000, 120_000]
    assert first.status["left"] == {"0": pytest.approx(40_000 + 90_000, abs=10)}
    await later(129.5)
    assert moves(house) == [(0, load("letter"))]
    await later(1)
    assert moves(house)[1:] == [(0, DEPART)]


@at_table(TURN, grace=HOUR)
async def test_a_window_is_whole_again_after_a_restart(house: House) -> None:
    await offer(house.chairs[0], signer=1)
    await later(9)
    await house.restart(seconds=HOUR)
    assert house.table.match.state.window() == "robbery"
    first = await Chair(house, house.people[0], 0).come()
    assert first.status["left"] == {"window": pytest.approx(10_000, abs=5)}


@at_table(DAYS)
async def test_mercy_also_in_windows_that_have_no_length_of_their_own(house: House) -> None:
    await offer(house.chairs[0], signer=1)
    await house.restart(seconds=3 * DAY)
    await later(20)
    assert house.table.match.state.window() == "robbery"
    await later(15)
    assert house.table.match.state.window() == ""


# --- the host and the clock ----------------------------------------------------------------------


@at_table(TURN)
async def test_the_host_may_change_or_lift_the_clock(house: House) -> None:
    second = house.chairs[1]
    await later(20)
    await house.command(0, {"do": "configure", "settings": {"clock": {"kind": "none"}}})
    await later()
    assert second.status.get("left", {}) == {}
    assert second.room["settings"].get("clock", {}).get("kind", "none") == "none"
    await later(HOUR)
    assert moves(house) == []
    clock = {"kind": "relaxed", "turn": 4000}
    await house.command(0, {"do": "configure", "settings": {"clock": clock}})
    await later()
    assert second.status["left"] == {"0": pytest.approx(380_000, abs=10)}
    await house.command(0, {"do": "configure", "settings": {"clock": {"kind": "live", "turn": 5}}})
    await later()
    assert moves(house) == [(0, DEPART)]  # it is long over
    with refused("room.host-only"):
        await house.command(1, {"do": "configure", "settings": {"clock": {"kind": "none"}}})


@at_table(Clock("live", window=6))
async def test_lifting_the_clock_in_a_window(house: House) -> None:
    await offer(house.chairs[0], signer=1)
    await house.chairs[1].do(PASS)
    await house.chairs[2].do(PASS)
    await later(1)
    assert house.chairs[0].scene["awaited"] == {"window": "robbery"}
    await house.command(0, {"do": "configure", "settings": {"clock": {"kind": "none"}}})
    await later()
    assert house.chairs[0].scene["awaited"] == {"seats": [1]}


# --- somebody else plays -------------------------------------------------------------------------


@at_table(NONE, grace=60)
async def test_who_leaves_is_replaced_after_a_while_and_can_come_back(house: House) -> None:
    first, second, third = house.chairs
    await first.go()
    await later(59)
    assert controls(house) == []
    assert second.status["present"] == [1, 2]
    await later(1.1)
    assert controls(house) == [(0, "bot")]
    assert second.scene["players"] == ["bot", "person", "person"]
    assert moves(house)[0] == (0, DEPART)  # the bot plays
    assert controls(house) == [(0, "bot")]  # the others are here
    await first.come()
    with pytest.raises(Refusal) as refusal:
        await first.do(PASS)
    assert refusal.value.key == "table.not-in-control"
    await house.command(0, {"do": "take-back", "seat": 0})
    await later()
    assert third.scene["players"] == ["person"] * 3
    with refused("room.not-yours"):
        await house.command(1, {"do": "take-back", "seat": 0})


@at_table(NONE, grace=60)
async def test_who_comes_back_in_time_is_not_replaced(house: House) -> None:
    first = house.chairs[0]
    for _ in range(3):
        await first.go()
        await later(50)
        await first.come()
        await later(50)
    assert controls(house) == []


@at_table(NONE, grace=60)
async def test_nobody_is_replaced_when_all_are_gone(house: House) -> None:
    for chair in house.chairs:
        await chair.go()
    await later(10 * DAY)
    assert controls(house) == []
    await house.chairs[1].come()
    await later(59)
    assert controls(house) == []
    await later(1.1)
    assert sorted(controls(house)) == [(0, "bot"), (2, "bot")]


@at_table(TURN, grace=HOUR)
async def test_who_is_away_when_time_is_over_is_replaced_sooner(house: House) -> None:
    await house.chairs[0].go()
    await later(121)
    assert moves(house)[:1] == [(0, DEPART)]
    assert controls(house) == [(0, "bot")]  # the second time


@at_table(NONE)
async def test_replace_and_take_back(house: House) -> None:
    first, second, _ = house.chairs
    await house.command(1, {"do": "replace", "seat": 1, "bot": "random"})
    await later()
    assert second.scene["players"] == ["person", "bot", "person"]
    assert house.table.fold.levels == ["", "random", ""]
    await house.command(1, {"do": "take-back", "seat": 1})
    # Others only if they are away, and only the host.
    with refused("room.still-here"):
        await house.command(0, {"do": "replace", "seat": 1})
    await second.go()
    with refused("room.host-only"):
        await house.command(2, {"do": "replace", "seat": 1})
    await house.command(0, {"do": "replace", "seat": 1})
    await later()
    assert first.scene["players"] == ["person", "bot", "person"]
    with refused("bot.unknown"):
        await house.command(0, {"do": "replace", "seat": 0, "bot": "nobody"})
    with refused("refused.no-seat"):
        await house.command(0, {"do": "replace", "seat": 4})


async def in_a_pause(house: House) -> None:
    for chair in house.chairs[1:]:
        await chair.go()
    await house.chairs[0].pause()
    await later()
    assert house.chairs[0].status["paused"]


@pytest.mark.parametrize(
    "command",
    [
        (1, {"do": "leave"}),
        (0, {"do": "remove", "person": 2}),
        (0, {"do": "replace", "seat": 1}),
        (1, {"do": "replace", "seat": 1}),
    ],
)
def test_in_a_pause_a_bot_steps_in_as_it_always_does(command: tuple[int, dict[str, Any]]) -> None:
    @at_table(NONE)
    async def story(house: House) -> None:
        await in_a_pause(house)
        await house.command(*command)
        await later()
        assert house.chairs[0].scene["players"] == ["person", "bot", "person"]
        assert house.chairs[0].status["paused"]

    story()


@at_table(NONE)
async def test_who_comes_back_in_a_pause_takes_the_chair_back_and_goes_on(house: House) -> None:
    second = house.chairs[1]
    await in_a_pause(house)
    await house.command(0, {"do": "replace", "seat": 1})
    await house.chairs[0].go()
    await second.come()
    await house.command(1, {"do": "take-back", "seat": 1})
    await later()
    assert second.scene["players"] == ["person", "person", "person"]
    # Or only goes on, and lets the bot play.
    await house.command(1, {"do": "replace", "seat": 1})
    await second.pause(False)
    await later()
    assert not second.status.get("paused")


@at_table(NONE, bot_pause=1000)
async def test_a_bot_does_nothing_any_more_for_who_has_taken_the_chair_back(house: House) -> None:
    """What it thought about meanwhile is forgotten, a saying as well as a move."""
    first = house.chairs[0]
    house.minds.says = lambda ask: {"bag": []}
    await house.command(0, {"do": "replace", "seat": 0, "bot": "random"})
    await later(0.5)
    assert [ask.seat for _, ask in house.minds.asked] == [0]
    await house.command(0, {"do": "take-back", "seat": 0})
    entries = len(house.table.match.entries)
    await later(10)
    assert len(house.table.match.entries) == entries
    assert (first.must, first.scene["players"][0]) == (True, "person")


@at_table(NONE)
async def test_leaving_for_good_hands_over_at_once(house: House) -> None:
    await house.command(1, {"do": "leave"})
    await later()
    assert house.chairs[0].scene["players"] == ["person", "bot", "person"]
    await house.command(1, {"do": "take-back", "seat": 1})
    await later()
    assert house.chairs[0].scene["players"] == ["person"] * 3


@at_table(TURN)
async def test_a_bot_is_never_out_of_time(house: House) -> None:
    """It takes as long as it takes; if it fails, it does what the clock would do."""
    house.minds.seconds = lambda ask: 300
    await house.command(0, {"do": "replace", "seat": 0})
    await later(200)
    assert house.chairs[1].status.get("left", {}) == {}
    assert moves(house) == []
    await later(101)
    assert moves(house) == [(0, DEPART)]

    def fail(ask: Any) -> list[int]:
        raise ValueError("no idea")

    house.minds.wants = fail
    await later(301)
    assert moves(house)[1:] == [(0, [{"do": "keep"}])]


# --- pauses --------------------------------------------------------------------------------------


@at_table(TURN, vote_time=60)
async def test_a_pause_by_agreement_and_time_that_does_not_run(house: House) -> None:
    first, second, third = house.chairs
    watcher = await house.watch()
    await later(20)
    await second.pause()
    await later()
    proposal = {"kind": "pause", "by": 1, "agreed": [1], "asked": [0, 2]}
    for chair in (*house.chairs, watcher):
        assert {**chair.status["proposal"], "id": 0} == {**proposal, "id": 0}
    await first.vote(True)
    await later()
    assert third.status["proposal"]["asked"] == [2]
    assert not third.status.get("paused")
    await third.vote(True)
    await later()
    for chair in (*house.chairs, watcher):
        assert chair.status["paused"]
        assert "proposal" not in chair.status
        assert chair.status.get("left", {}) == {}
    with pytest.raises(Refusal) as refusal:
        await first.do(DEPART)
    assert refusal.value.key == "table.paused"
    for ask in (first.say({"bag": []}), first.undo()):
        with pytest.raises(Refusal) as refusal:
            await ask
        assert refusal.value.key == "table.paused"
    await later(DAY)
    assert moves(house) == []
    await third.pause(False)  # anybody
    await later()
    assert not first.status.get("paused")
    assert first.status["left"] == {"0": pytest.approx(40_000, abs=20)}
    await later(39)
    assert moves(house) == []
    await later(1.1)
    assert moves(house) == [(0, DEPART)]


@at_table(TURN)
async def test_a_pause_that_somebody_does_not_want(house: House) -> None:
    first, second, third = house.chairs
    await second.pause()
    await later()
    await third.vote(False)
    await later()
    assert "proposal" not in first.status
    assert not first.status.get("paused")
    await first.send({"t": "vote", "proposal": 1, "agree": True})  # too late
    await later()
    assert first.since(now() - 2, "refused")[0][1]["why"]["key"] == "table.no-proposal"
    assert not first.status.get("paused")


@at_table(TURN)
async def test_only_people_who_are_here_are_asked(house: House) -> None:
    first, second, third = house.chairs
    await second.go()
    await house.command(2, {"do": "replace", "seat": 2})
    await first.pause()  # one away, one a bot: nobody to ask
    await later()
    assert first.status["paused"]
    with pytest.raises(Refusal) as refusal:  # a bot plays there: it is not theirs now
        await third._ask({"t": "preview", "do": DEPART})
    assert refusal.value.key == "table.not-in-control"


@at_table(TURN, grace=60)
async def test_a_paused_table_stays_paused_over_a_restart_and_an_empty_room(house: House) -> None:
    first, second, third = house.chairs
    await later(20)
    await first.pause()
    await later()
    await second.vote(True)
    await third.vote(True)
    await later()
    await house.restart(seconds=HOUR)
    await later(DAY)
    again = await Chair(house, house.people[0], 0).come()
    assert again.status["paused"]
    await later(HOUR)
    assert controls(house) == []  # nobody is replaced meanwhile
    await again.pause(False)
    await later()
    assert again.status["left"] == {"0": pytest.approx(60_000, abs=50)}


@at_table(TURN)
async def test_who_watches_does_not_decide(house: House) -> None:
    watcher = await house.watch()
    for message in ({"t": "pause"}, {"t": "undo", "id": "x"}):
        await watcher.send(message)
        await later()
        [(_, refused)] = watcher.since(now() - 2, "refused")
        assert refused["why"]["key"] == "socket.only-watching"
    assert "proposal" not in house.chairs[0].status
