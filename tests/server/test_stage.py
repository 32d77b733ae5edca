"""What everybody is shown takes its time, the same for all; turns, windows and bots wait for it."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea import games
from capolinea.client import Refusal, Seat
from capolinea.server.protocol import Clock
from capolinea.server.stage import USUAL_PAUSE
from tests.server.hourglass import House, Setting, at, later, now
from tests.server.mail import LETTER, PASS, dealt, offer
from tests.server.test_talk import NONE as NO_CLOCK
from tests.server.test_talk import talking
from tests.server.test_windows import (
    HANDS,
    SIX,
    house_with_window,
    offering,
    robbing,
)

TURN = Clock("relaxed", turn=60, window=10)
#: Milliseconds that an offer and its end are shown in the Night Mail that is played here.
SHOWN = 3000


@pytest.fixture(autouse=True)
def _shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shows = {"event.offered": SHOWN, "event.delivered": SHOWN}
    monkeypatch.setattr(type(games.load("night-mail")), "shows", shows)


#: A test that begins when a window has just opened, at the pace that is usual.
shown_window = at(lambda: house_with_window(SIX, bot_pause=USUAL_PAUSE))


# --- windows -------------------------------------------------------------------------------------


@shown_window
async def test_a_window_counts_from_the_end_of_what_is_shown(house: House) -> None:
    first = house.chairs[0]
    assert first.status["showing"] == SHOWN
    assert first.status["left"] == {"window": SHOWN + 6000}
    assert first.status["timed"]
    await later(8.9)
    assert robbing(first)
    await later(0.2)
    assert not robbing(first)


@pytest.mark.parametrize(("pace", "times"), [("slow", 1.6), ("normal", 1), ("fast", 0.4)])
def test_the_host_says_how_fast_things_are_shown(pace: str, times: float) -> None:
    @shown_window
    async def story(house: House) -> None:
        await house.command(0, {"do": "configure", "settings": {"pace": pace}})
        await later()
        left = house.chairs[0].status["left"]["window"]
        assert left == pytest.approx(SHOWN * times + 6000, abs=5)

    story()


@shown_window
async def test_who_does_not_answer_has_passed(house: House) -> None:
    before = len(house.table.match.entries)
    await later(9.1)
    said = [entry.do for entry in house.table.match.entries[before:]]
    assert said == [PASS, PASS]


@at(lambda: talking("stop-the-train", Clock("none", window=8), 2, first=1, talk_minutes=2))
async def test_in_a_meeting_everybody_is_asked(house: House) -> None:
    """It has its minutes, and whoever has said enough says so."""
    chair = house.chairs[0]
    assert set(chair.status["left"]) == {"window"}
    assert "timed" not in chair.status
    with pytest.raises(Refusal, match=r"table\.no-moment"):
        await chair.ask_moment()


# --- one moment ----------------------------------------------------------------------------------


@shown_window
async def test_a_moment_is_everybodys_and_all_see_who_asked(house: House) -> None:
    watcher = await house.watch()
    await later(5)
    await house.chairs[2].ask_moment()
    await later()
    for chair in (*house.chairs, watcher):
        assert chair.status["moments"] == [2]
        assert chair.status["left"] == {"window": pytest.approx(14_000, abs=5)}
    await later(13.9)
    assert robbing(watcher)
    await later(0.2)
    assert not robbing(watcher)
    assert "moments" not in watcher.status


@shown_window
async def test_each_seat_may_ask_once(house: House) -> None:
    for _ in range(3):
        await house.chairs[1].ask_moment()
        await house.chairs[2].ask_moment()
    await later()
    assert house.chairs[0].status["moments"] == [1, 2]
    assert house.chairs[0].status["left"] == {"window": pytest.approx(29_000, abs=10)}


@shown_window
async def test_only_who_is_asked_may_ask_for_a_moment(house: House) -> None:
    with pytest.raises(Refusal, match=r"table\.no-moment"):
        await house.chairs[0].ask_moment()  # whose offer it is
    await later(10)
    with pytest.raises(Refusal, match=r"table\.no-moment"):
        await house.chairs[1].ask_moment()


@shown_window
async def test_a_moment_survives_a_restart(house: House) -> None:
    await house.chairs[1].ask_moment()
    await house.restart()
    for chair in house.chairs:
        await chair.come()
    assert house.chairs[0].status["moments"] == [1]


# --- alone with bots -----------------------------------------------------------------------------


def holding_nothing(by_program: bool = False) -> Setting:
    """A bot makes an offer to which one person cannot but pass."""

    async def made() -> House:
        house = House("night-mail", 1, SIX)
        house.minds.wants = offering
        house.by_program = by_program
        await house.open(bots=2, watching=False)
        await house.begin(dealt([[LETTER] * 3, HANDS[2], HANDS[0]], start=2))
        return house

    return at(made)


async def asked_in_vain(house: House) -> bool:
    """Whether the person is still asked when everybody else has answered."""
    await later(1)
    return bool(house.chairs[0].scene["awaited"].get("window"))


@holding_nothing()
async def test_who_is_alone_and_holds_nothing_is_not_asked(house: House) -> None:
    assert not await asked_in_vain(house)
    assert any(event["key"] == "event.offered" for event in house.chairs[0].events)


@holding_nothing(by_program=True)
async def test_a_program_is_not_alone(house: House) -> None:
    assert await asked_in_vain(house)


# --- turns and bots ------------------------------------------------------------------------------


async def at_turns(**settings: Any) -> House:
    house = House("night-mail", 2, TURN, **settings)
    await house.open(bots=1)
    await house.begin(dealt(HANDS))
    return house


@at(lambda: at_turns(bot_pause=USUAL_PAUSE))
async def test_a_turn_counts_from_the_end_of_what_is_shown(house: House) -> None:
    first = house.chairs[0]
    await later(10)
    await offer(first, signer=1)
    await later()
    assert first.status["left"] == {"window": pytest.approx(10_000 + SHOWN, abs=5)}
    await first.until(lambda seat: not robbing(seat), 20)
    assert first.status["left"] == {"1": pytest.approx(60_000 + SHOWN, abs=5)}


@at(lambda: house_with_window(SIX, people=2, bot_pause=USUAL_PAUSE))
async def test_a_bot_waits_until_all_have_been_shown_what_happened(house: House) -> None:
    """It has an answer long before; it is heard when everybody can hear it."""
    told: list[int] = []
    act = house.table.act

    async def watched(seat: int, *args: Any, **more: Any) -> None:
        told.append(now())
        await act(seat, *args, **more)

    house.table.act = watched
    opened = now()
    await later(8)
    assert len(told) == 1
    assert opened + SHOWN <= told[0] <= opened + SHOWN + 1000


# --- what people put aside -----------------------------------------------------------------------


def judged(people: int, first: int) -> Setting:
    """A test that begins when a bot has pulled the lever; bots play at once but for what is shown."""

    async def made() -> House:
        house = await talking(
            "trial-by-trolley", NO_CLOCK, people, first=first, bot_pause=USUAL_PAUSE
        )
        for chair in house.chairs:
            await chair.say({"rest": True})
        await house.chairs[0].until(lambda seat: verdicts(seat) == 1)
        return house

    return at(made)


def verdicts(seat: Seat) -> int:
    return sum(event["key"] == "event.verdict" for event in seat.events)


@judged(people=2, first=3)
async def test_the_table_waits_until_all_people_have_seen_a_verdict(house: House) -> None:
    ada, bruno = house.chairs
    await later(10)
    entries = len(house.table.match.entries)
    assert ada.status["looking"] == [0, 1]
    await ada.seen()
    await later(5)
    assert bruno.status["looking"] == [1]
    assert len(house.table.match.entries) == entries
    await bruno.seen()
    await later(1)
    assert "looking" not in bruno.status
    assert len(house.table.match.entries) > entries


@judged(people=2, first=3)
async def test_but_not_for_ever(house: House) -> None:
    entries = len(house.table.match.entries)
    await later(22)
    assert len(house.table.match.entries) == entries
    assert house.chairs[0].status["looking"] == [0, 1]
    await later(3)
    assert len(house.table.match.entries) > entries
    assert "looking" not in house.chairs[0].status


@judged(people=2, first=3)
async def test_and_not_for_who_has_gone(house: House) -> None:
    ada, bruno = house.chairs
    await ada.seen()
    await bruno.go()
    entries = len(house.table.match.entries)
    await later(5)
    assert len(house.table.match.entries) > entries
