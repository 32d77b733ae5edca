"""While people talk: the talk's own clock, and bots that hear people out (TT-2.6, ST-5.5)."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from capolinea import games
from capolinea.client import Refusal
from capolinea.engine import Match, State
from capolinea.engine.chance import Deal
from capolinea.engine.record import Entry
from capolinea.games.stop_the_train.rules.train import Train
from capolinea.server import table
from capolinea.server.protocol import CLOCKS, Clock
from tests.server.hourglass import House, Setting, at, later

TITLE = "trial-by-trolley"
NONE = CLOCKS["none"]
BRISK = Clock("relaxed", turn=20, window=10)
PLEA = {"plea": "Spare us, we have cake!"}
REST = {"rest": True}
EXTEND = [{"do": "extend"}]


def to_the_talk(title: str, options: dict[str, Any]) -> tuple[Deal, list[Entry]]:
    """A match in which all Modifiers are hung, or one in which a meeting is called."""
    game = games.load(title)
    for number in range(256):  # not every train halts on a bridge
        seed = bytes([number]) * 32
        match = Match(game, ["P0", "P1", "P2"], game.options(**options), seed=seed)
        while match.state.talk() < 0 and (waiting := match.state.waiting()):
            match.move(waiting[0], match.default(waiting[0]))
        if match.state.talk() >= 0:
            break
    return Match.dealt(game, match.record(reveal=True)), match.entries


async def talking(
    title: str, clock: Clock, people: int, bot_pause: int = 0, **options: int
) -> House:
    """A table of three at which all may talk; the last seats are bots'."""
    deal, entries = to_the_talk(title, options)
    house = House(title, people, clock, bot_pause=bot_pause)
    await house.open(3 - people)
    await house.begin(deal, entries, **options)
    return house


def talk(first: int, clock: Clock = NONE, people: int = 2, minutes: int = 2) -> Setting:
    """A test at a table of three where the pleas are open; the last seat is a bot's."""
    return at(lambda: talking(TITLE, clock, people, first=first, talk_minutes=minutes))


def phase(house: House) -> str:
    found: str = house.table.match.view(None).phase
    return found


@talk(first=3)
async def test_a_bot_at_the_lever_waits_until_all_people_have_spoken(house: House) -> None:
    await later(60)
    assert phase(house) == "plea"
    await house.chairs[0].say(PLEA)
    await later(10)
    assert phase(house) == "plea"
    await house.chairs[1].say(REST)
    await later(10)
    assert phase(house) != "plea"


@talk(first=3)
async def test_it_does_not_wait_for_longer_than_the_talk_lasts(house: House) -> None:
    await house.chairs[0].say(PLEA)
    await later(119)
    assert phase(house) == "plea"
    assert set(house.chairs[0].status["left"]) == {"2"}
    await later(2)
    assert phase(house) != "plea"


@talk(first=1)
async def test_the_clock_of_the_talk_closes_it_and_can_be_wound_up_again(house: House) -> None:
    await house.chairs[1].say(PLEA)  # a person at the lever listens for as long as there is time
    await later(100)
    assert phase(house) == "plea"
    await house.chairs[0].do(EXTEND)
    await later(119)
    assert phase(house) == "plea"
    await later(2)
    assert phase(house) == "verdict"
    # And then there is no hurry, at a table without a clock.
    await later(3600)
    assert phase(house) == "verdict"


@talk(first=1, clock=BRISK)
async def test_a_talk_takes_its_own_time_at_a_table_with_a_clock(house: House) -> None:
    await later(119)
    assert phase(house) == "plea"
    await later(2)
    assert phase(house) == "verdict"
    await later(17)
    assert phase(house) == "verdict"
    await later(3)
    assert phase(house) == "innocent"


@pytest.mark.parametrize("first", [1, 3])
def test_a_talk_without_a_clock(first: int) -> None:
    @talk(first=first, minutes=0)
    async def story(house: House) -> None:
        await later(7200)
        assert phase(house) == "plea"
        assert house.chairs[0].status.get("left", {}) == {}

    story()


@talk(first=1, clock=CLOCKS["days"])
async def test_where_people_have_days_they_have_them_to_plead_too(house: House) -> None:
    await later(7200)
    assert phase(house) == "plea"


#: A test at a train of three that stands on a bridge; the last seat is a bot's.
meeting = at(lambda: talking("stop-the-train", Clock("none", window=8), 2, first=1, talk_minutes=2))


def speaking(house: House) -> bool:
    state: State = house.table.match.state
    return state.talk() >= 0


@meeting
async def test_st_5_5_a_meeting_has_its_minutes_however_short_windows_are(house: House) -> None:
    await later(119)
    assert speaking(house)
    await later(2)
    assert not speaking(house)


@meeting
async def test_st_5_5_a_meeting_goes_on_to_the_vote_when_all_have_talked(house: House) -> None:
    await house.chairs[0].do([{"do": "pass"}])
    await later(30)
    assert speaking(house)
    await house.chairs[1].do([{"do": "pass"}])
    await later(1)
    assert not speaking(house)


@meeting
async def test_st_5_5_nobody_waits_for_who_does_not_take_part(house: House) -> None:
    """A person who is asked nothing, as one who was thrown off, keeps no bot from going on."""
    state = house.table.match.state
    assert isinstance(state, Train)
    state.asked &= ~1
    assert 0 not in state.waiting()
    assert not house.table.talking()


@talk(first=3, people=3)
async def test_there_is_an_end_to_what_one_may_say(house: House) -> None:
    """All of it is told to whoever comes: else one person could make everybody wait."""
    with patch.object(table, "MOST_SAID", 2):
        for _ in range(2):
            await house.chairs[1].say(PLEA)
        with pytest.raises(Refusal) as refusal:
            await house.chairs[1].say(PLEA)
        assert (refusal.value.key, len(house.table.match.said)) == ("table.said-enough", 2)
        await house.chairs[0].say(PLEA)
