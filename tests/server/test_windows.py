"""Reaction windows: nobody learns who passed, when, or that they passed at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from capolinea import games
from capolinea.client import Refusal, Seat
from capolinea.engine import Match
from capolinea.server.minds import Ask
from capolinea.server.protocol import Clock
from tests.server.hourglass import Chair, House, Setting, at, first_choice, later, now, turned
from tests.server.mail import (
    BANDIT,
    GUARD,
    LETTER,
    PARCEL,
    PASS,
    TELEGRAM,
    dealt,
    deliver,
    load,
    offer,
)
from tests.server.tables import serving

#: Long enough for everybody; turns without a limit.
SIX = Clock("live", window=6)
NONE = Clock("none")

#: Seat 0 makes the offer. 1 can rob; 2 can save, or look into a bag.
HANDS = [[PARCEL, LETTER, LETTER], [BANDIT, LETTER, LETTER], [GUARD, TELEGRAM, LETTER]]


async def house_with_window(
    clock: Clock, people: int = 3, watching: bool = True, **settings: Any
) -> House:
    house = House("night-mail", people, clock, **settings)
    await house.open(bots=3 - people, watching=watching)
    await house.begin(dealt(HANDS))
    await offer(house.chairs[0], signer=1)
    await later()
    return house


def in_window(clock: Clock, people: int = 3) -> Setting:
    """A test that begins when the window has just opened."""
    return at(lambda: house_with_window(clock, people))


def robbing(chair: Seat) -> bool:
    return bool(chair.scene["awaited"] == {"window": "robbery"})


# --- nobody is told ------------------------------------------------------------------------------


@in_window(SIX)
async def test_pass_is_told_to_nobody(house: House) -> None:
    watcher = await house.watch()
    everybody = [*house.chairs, watcher]
    second = await Chair(house, house.people[1], 1).come()  # another device of the same seat
    for chair in everybody:
        assert chair.scene["awaited"] == {"window": "robbery"}  # and no seats
        assert set(chair.status["left"]) == {"window"}
    before = now()
    await later(1)
    await house.chairs[1].do(PASS)
    await house.chairs[2].do(PASS)
    await later(1)
    for chair in (house.chairs[0], watcher):
        assert chair.since(before) == []
    for chair in house.chairs[1:]:
        kinds = [message["t"] for _, message in chair.since(before)]
        assert kinds == ["private", "done"]  # only themselves
    assert [message["t"] for _, message in second.since(before)] == ["private"]
    assert second.private["held"] == PASS
    # Whoever comes now is not told either.
    late = await Chair(house, "somebody", None).come()
    assert late.scene["awaited"] == {"window": "robbery"}
    assert "private" not in " ".join(text for _, text in late.heard)


@in_window(SIX)
async def test_not_even_a_view_says_that_it_is_held(house: House) -> None:
    """The pass counts when the window closes; until then the seat itself sees it as held alone."""
    chair = house.chairs[1]
    before = chair.n, chair.question["id"]
    await chair.do(PASS)
    await later()
    assert (chair.n, chair.question["id"]) == before
    assert not chair.must
    assert chair.private["held_question"] == chair.question["id"]
    moves = [entry for entry in house.table.match.entries if getattr(entry, "do", None) == PASS]
    assert moves == []


# --- how long it is open -------------------------------------------------------------------------


async def nobody(house: House) -> None:
    pass


async def one_early(house: House) -> None:
    await later(0.5)
    await house.chairs[1].do(PASS)


async def one_late(house: House) -> None:
    await later(5.5)
    await house.chairs[2].do(PASS)


async def all_at_once(house: House) -> None:
    await house.chairs[1].do(PASS)
    await house.chairs[2].do(PASS)


async def again_and_again(house: House) -> None:
    for second in range(4):
        await later(1)
        await house.chairs[1 + second % 2].do(PASS)


async def standing(house: House) -> None:
    for chair in house.chairs:
        await chair.keep(passes=["robbery", "rescue"])


async def notes(house: House) -> None:
    await house.chairs[2].keep(notes="I hold the guard.")
    await house.chairs[1].preview([{"do": "bandit"}])


def test_one_length_for_everybody() -> None:
    """The window closes when its time is over, and what is told then is always the same."""

    @turned
    async def heard_when(what: Callable[[House], Awaitable[None]]) -> list[tuple[Any, ...]]:
        house = await house_with_window(SIX)
        opened, first = now(), house.chairs[0]
        await what(house)
        await first.until(lambda seat: not robbing(seat))
        await later()
        heard = [
            (at - opened, message["t"], message.get("n"), message.get("delta"))
            for at, message in first.since(opened)
        ]
        await house.close()
        return heard

    ways = (nobody, one_early, one_late, all_at_once, again_and_again, standing, notes)
    told = {what.__name__: heard_when(what) for what in ways}
    times = {at for at, *_ in told["nobody"]}
    assert times == {5999}  # the window opened a millisecond before we looked
    own = [entry for entry in told["standing"] if entry[1] not in ("private", "done")]
    told["standing"] = own  # the first seat keeps something too there, and hears of that
    for heard in told.values():
        assert heard == told["nobody"]


@in_window(NONE)
async def test_without_a_length_it_closes_when_all_have_answered(house: House) -> None:
    await later(3600)
    await house.chairs[1].do(PASS)
    await later(3600)
    assert robbing(house.chairs[0])
    before = now()
    await house.chairs[2].do(PASS)
    await later()
    assert not robbing(house.chairs[0])
    assert {at for at, _ in house.chairs[0].since(before - 1)} == {before}


# --- alone with bots -----------------------------------------------------------------------------


@at(lambda: house_with_window(SIX, people=1, watching=False))
async def test_with_one_person_it_closes_when_the_bots_have_answered(house: House) -> None:
    await later(0.1)
    assert not robbing(house.chairs[0])


def alone(clock: Clock, watching: bool) -> Setting:
    """A test with one person whom two bots have just asked for an answer."""

    async def house() -> House:
        made = House("night-mail", 1, clock)
        made.minds.wants = offering
        await made.open(bots=2, watching=watching)
        await made.begin(dealt([*HANDS[1:], HANDS[0]], start=2))
        await made.chairs[0].until(robbing)
        return made

    return at(house)


@alone(SIX, watching=False)
async def test_with_one_person_who_is_asked(house: House) -> None:
    """The bots have answered, and it closes with the person's answer; not before."""
    await later(5)
    assert house.chairs[0].must
    await house.chairs[0].do(PASS)
    await later()
    assert not robbing(house.chairs[0])


@alone(SIX, watching=True)
async def test_where_somebody_may_watch_it_has_its_length(house: House) -> None:
    """Whoever holds nothing answers at once: who came in a moment later would know it."""
    await house.chairs[0].do(PASS)
    await later(5.9)
    assert robbing(house.chairs[0])
    await later(0.2)
    assert not robbing(house.chairs[0])


@alone(Clock("none"), watching=True)
async def test_without_a_length_everybody_is_asked_whoever_watches(house: House) -> None:
    await later(3600)
    assert robbing(house.chairs[0])
    await house.chairs[0].do(PASS)
    await later()
    assert not robbing(house.chairs[0])


@at(lambda: house_with_window(SIX, people=2, watching=False))
async def test_who_left_may_still_see_it_so_it_has_its_length(house: House) -> None:
    """Their chair is theirs until the match is over: they may look at any time, and come back."""
    began = now()
    await house.chairs[1].go()
    await house.command(1, {"do": "leave"})
    chair = house.chairs[0]
    if chair.must:
        await chair.do(PASS)
    await later(5.8 - (now() - began) / 1000)
    assert robbing(chair)
    await later(0.4)
    assert not robbing(chair)


UNHURRIED = Clock("none", window=8)


@alone(UNHURRIED, watching=False)
async def test_who_was_alone_has_a_whole_window_when_others_may_watch(house: House) -> None:
    await later(3600)
    chair = house.chairs[0]
    assert chair.must
    await house.command(0, {"do": "configure", "settings": {"watching": True}})
    await later()
    assert chair.status["left"] == {"window": 8000}
    await chair.do(PASS)
    await later(7.9)
    assert robbing(chair)
    await later(0.2)
    assert not robbing(chair)


@alone(UNHURRIED, watching=False)
async def test_a_screen_of_ones_own_watches_too(house: House) -> None:
    """Whoever has a seat may look on from a second screen, and is not alone before it."""
    screen = await Chair(house, house.people[0], None).come()
    await house.chairs[0].do(PASS)
    await later(7.9)
    assert robbing(screen)
    await later(0.2)
    assert not robbing(screen)


def offering(ask: Ask) -> list[int]:
    """Load a parcel, depart, deliver it; else what comes first."""
    space = games.load("night-mail").space
    parcel = space.parse(load("parcel")[0])
    if parcel in ask.tree:
        return [parcel]
    steps = [space.parse(step) for step in deliver("parcel", 0)]
    return steps if steps[0] in ask.tree else first_choice(ask)


@in_window(SIX)
async def test_a_card_is_told_at_once_and_gives_everybody_the_whole_time_again(
    house: House,
) -> None:
    await later(4)
    before = now()
    await house.chairs[1].do([{"do": "bandit"}])
    await later()
    first = house.chairs[0]
    assert [event["key"] for event in first.events][-1] == "event.bandit"
    assert first.scene["awaited"] == {"window": "rescue"}
    assert first.since(before - 1, "frame")[0][0] == before
    assert first.status["left"]["window"] == 6000
    await later(5.9)
    assert first.scene["awaited"] == {"window": "rescue"}
    await later(0.2)
    assert first.scene["awaited"] == {"seats": [1]}
    assert first.view["players"][1]["points"] == 3


@turned
async def test_a_card_in_the_same_window_gives_everybody_the_whole_time_again() -> None:
    """A Telegram changes neither the window nor anybody's choices, but it is news."""
    house = await looking(SIX)
    first, robber, guard = house.chairs
    await robber.do(PASS)
    await later(4)
    await guard.do([{"do": "telegram", "seat": 0}])
    await later()
    assert robbing(first)
    assert "held" not in robber.private
    assert {chair.status["left"]["window"] for chair in house.chairs} == {6000}
    await later(5.9)
    assert robbing(first)
    await later(0.2)
    assert not robbing(first)
    await house.close()


async def looking(clock: Clock) -> House:
    """A window while there is something left in the first bag that can be looked at."""
    house = House("night-mail", 3, clock)
    await house.open()
    await house.begin(dealt(HANDS))
    await house.chairs[0].do(load("letter"))
    await offer(house.chairs[0], signer=1)
    await later()
    return house


# --- changing one's mind -------------------------------------------------------------------------


@in_window(SIX)
async def test_a_pass_can_be_changed_into_a_card_until_it_closes(house: House) -> None:
    robber = house.chairs[1]
    await robber.do(PASS)
    await house.chairs[2].do(PASS)
    await later(5.9)
    await robber.do([{"do": "bandit"}])
    await later()
    assert robber.scene["awaited"] == {"window": "rescue"}
    assert robber.view["offer"]["answers"] == [1]
    assert "held" not in robber.private  # it was about something else


@in_window(SIX)
async def test_too_late_is_too_late(house: House) -> None:
    robber = house.chairs[1]
    question = robber.question["id"]
    await later(6)
    await robber.send({"t": "do", "id": "late", "question": question, "do": [{"do": "bandit"}]})
    await later()
    [(_, refused)] = robber.since(now() - 2, "refused")
    assert refused["why"]["key"] == "table.late"
    assert refused["question"] == robber.question["id"]


@in_window(SIX)
async def test_the_last_answer_counts_and_a_resend_is_no_other(house: House) -> None:
    robber = house.chairs[1]
    await robber.do(PASS, id="a")
    await robber.do(PASS, id="b")
    await robber.do(PASS, id="b")
    await later(6)
    passes = [entry for entry in house.table.match.entries if getattr(entry, "do", None) == PASS]
    assert [entry.seat for entry in passes] == [1, 2]
    # The resend of what has counted in the meantime still is no move of its own.
    before = len(house.table.match.entries)
    await robber.do(PASS, id="b")
    assert len(house.table.match.entries) == before


@in_window(NONE)
async def test_held_passes_of_an_older_question_do_not_count(house: House) -> None:
    first, robber, guard = house.chairs
    await guard.do(PASS)
    await robber.do([{"do": "bandit"}])
    await later()
    assert first.scene["awaited"] == {"window": "rescue"}
    assert "held" not in guard.private
    assert guard.must
    await first.do(PASS)
    await later(3600)
    assert first.scene["awaited"] == {"window": "rescue"}  # the guard is still asked
    await guard.do([{"do": "guard"}])
    await later()
    assert robbing(first)
    assert "held" not in first.private  # who acted is the one who is not asked
    await first.do(PASS)
    await robber.do(PASS)
    await later()
    assert first.scene["awaited"] == {"seats": [1]}


@in_window(SIX)
async def test_refused_in_a_window_is_told_to_who_asked_alone(house: House) -> None:
    before = now() - 1
    with pytest.raises(Refusal) as refusal:
        await house.chairs[2].do([{"do": "bandit"}])
    assert (refusal.value.key, refusal.value.rule) == ("refused.answer", "NM-3.2")
    await later()
    assert house.chairs[0].since(before, "frame", "status") == []
    assert robbing(house.chairs[0])


# --- when it closes while something happens ------------------------------------------------------


@pytest.mark.parametrize("clock", [NONE, SIX])
@turned
async def test_it_does_not_close_over_a_card_that_is_being_written(clock: Clock) -> None:
    """It is about to close, all having passed or time being over, when somebody plays a card after
    all, and the window is still one of the same kind: that is news to which all may answer."""
    house = await looking(clock)
    first, robber, guard = house.chairs
    other = await Chair(house, house.people[2], 2).come()
    await robber.do(PASS)
    if clock is SIX:
        await later(5.987)
    house.store.seconds = 0.01
    await guard.keep(passes=["robbery"])
    await later(0.005)  # the pass that follows from that is being written
    await other.do([{"do": "telegram", "seat": 0}])
    await later(0.1)
    assert robbing(first)
    assert robber.must
    await house.close()


# --- standing passes -----------------------------------------------------------------------------


@in_window(NONE)
async def test_standing_passes_work_and_nobody_sees_them(house: House) -> None:
    watcher = await house.watch()
    first, robber, guard = house.chairs
    before = now()
    await later()
    await robber.keep(passes=["robbery"])
    await later()
    assert robber.private["passes"] == ["robbery"]
    assert robber.private["held"] == PASS  # also in the window that is open already
    for chair in (first, guard, watcher):
        assert chair.since(before) == []
    await guard.do(PASS)
    await later()
    assert first.scene["awaited"] == {"seats": [1]}


@in_window(SIX)
async def test_a_standing_pass_is_for_its_kind_of_window_and_can_be_overruled(house: House) -> None:
    first, robber, guard = house.chairs
    await robber.keep(passes=["robbery"])
    await guard.keep(passes=["robbery"])
    await later(1)
    await robber.do([{"do": "bandit"}])
    await later()
    # That is another kind of window: the guard's standing pass is not for it.
    assert first.scene["awaited"] == {"window": "rescue"}
    assert guard.must
    await guard.do([{"do": "guard"}])
    await later()
    assert robbing(first)
    assert robber.private["held"] == PASS
    assert "held" not in guard.private  # who acted is not asked


@in_window(SIX)
async def test_standing_passes_must_be_of_windows_that_there_are(house: House) -> None:
    with pytest.raises(Refusal) as refusal:
        await house.chairs[1].keep(passes=["robbery", "breakfast"])
    assert refusal.value.key == "table.no-window"
    assert "passes" not in house.chairs[1].private


@in_window(NONE)
async def test_a_bot_that_takes_over_has_its_own_will(house: House) -> None:
    """A standing pass is the person's. The bot in the same seat is asked."""
    first, robber, guard = house.chairs
    await robber.keep(passes=["rescue"])
    await guard.keep(passes=["rescue"])
    guarding = house.table.game.space.parse({"do": "guard"})
    house.minds.wants = lambda ask: [guarding] if guarding in ask.tree else first_choice(ask)
    await house.command(2, {"do": "replace", "seat": 2})
    await later()
    await robber.do([{"do": "bandit"}])
    await later(1)
    assert first.view["offer"]["answers"] == [1, 2]


# --- a restart -----------------------------------------------------------------------------------


@in_window(SIX)
async def test_a_restart_keeps_what_is_held(house: House) -> None:
    robber = house.chairs[1]
    await robber.keep(passes=["rescue"])
    await robber.do(PASS, id="mine")
    await house.restart()
    again = await Chair(house, house.people[1], 1).come()
    assert again.private["held"] == PASS
    assert again.private["passes"] == ["rescue"]
    assert not again.must
    before = len(house.table.match.entries)
    await again.do(PASS, id="mine")  # sent once more, since the answer may have been lost
    assert len(house.table.match.entries) == before
    await again.do([{"do": "bandit"}])
    await later()
    assert again.scene["awaited"] == {"window": "rescue"}


async def test_a_restart_keeps_what_is_held_on_disk(tmp_path: Path) -> None:
    """The same with a real server, a real store and real sockets."""
    cookies = []
    async with serving(tmp_path) as server:
        clients = [server.client() for _ in range(3)]
        for client in clients:
            await client.__aenter__()
        room = await clients[0].create("night-mail", name="P0")
        code = room["code"]
        for number, client in enumerate(clients[1:], 1):
            await client.command(code, "sit", seat=number, name=f"P{number}")
        lounge = await server.hub.lounge(code)
        names = [seat.name for seat in lounge.room.seats if not seat.empty]
        header = Match(games.load("night-mail"), names, deal=dealt(HANDS)).record(True)
        await lounge.begin(lounge.room.copy(), [0, 1, 2], header, [], {})
        cookies = [client.cookie for client in clients]
        async with (
            clients[0].socket(code, 0) as first,
            clients[1].socket(code, 1) as robber,
        ):
            await offer(first, signer=1)
            await robber.until(robbing)
            await robber.do(PASS)
            await robber.keep(passes=["rescue"])
    async with (
        serving(tmp_path) as server,
        server.client(cookies[1]).socket(code, 1) as robber,
        server.client(cookies[2]).socket(code, 2) as guard,
    ):
        assert robbing(robber)
        assert robber.private["held"] == PASS
        assert robber.private["passes"] == ["rescue"]
        assert guard.must
        await guard.do(PASS)
        await guard.until(lambda seat: not robbing(seat))
        await robber.until(lambda seat: seat.must)  # it is their turn now
