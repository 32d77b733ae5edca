"""Proposals: who is asked, votes that stand, and what a restart leaves of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from capolinea.client import Refusal, Seat
from capolinea.server.protocol import CLOCKS
from capolinea.server.store import ProposalRow
from tests.server.clocks import NONE, TURN, at_table
from tests.server.hourglass import Chair, House, later
from tests.server.mail import DEPART
from tests.server.matches import Party, party
from tests.server.tables import serving


def phase(house: House) -> Any:
    return house.table.match.view(None).phase


async def undo_is_proposed(house: House) -> None:
    """Seat 0 rolled the die, and wants that back."""
    await house.chairs[0].do(DEPART)
    await house.chairs[0].undo()
    await later()


async def come_back(house: House, *seats: int) -> list[Chair]:
    for seat in seats:
        house.chairs[seat] = await Chair(house, house.people[seat], seat).come()
    return house.chairs


# --- who is asked, and votes that stand --------------------------------------------------------------


@at_table(NONE)
async def test_who_is_away_for_a_moment_is_asked_all_the_same(house: House) -> None:
    first, second, third = house.chairs
    await third.go()
    await undo_is_proposed(house)
    assert first.status["proposal"]["asked"] == [1, 2]
    await second.vote(True)
    await later()
    assert phase(house) == "deliver"  # not agreed without the third
    _, _, third = await come_back(house, 2)
    assert third.status["proposal"]["asked"] == [2]
    await third.vote(False)
    await later()
    assert "proposal" not in first.status
    assert phase(house) == "deliver"


@at_table(NONE)
async def test_a_vote_stands_although_its_person_leaves(house: House) -> None:
    _, second, third = house.chairs
    await undo_is_proposed(house)
    await second.vote(True)
    await later()
    await second.go()
    _, second, _ = await come_back(house, 1)
    assert (second.status["proposal"]["agreed"], second.status["proposal"]["asked"]) == (
        [0, 1],
        [2],
    )
    await second.send({"t": "vote", "proposal": 1, "agree": False})  # it was given
    await later()
    assert "proposal" in third.status
    await third.vote(True)
    await later()
    assert phase(house) == "load"


@at_table(NONE)
async def test_one_no_stands_whatever_its_person_does_then(house: House) -> None:
    first, second, third = house.chairs
    await undo_is_proposed(house)
    await second.vote(False)
    await second.go()
    await third.send({"t": "vote", "proposal": 1, "agree": True})
    with pytest.raises(Refusal) as refusal:
        await first.undo()  # while who said no is away
    assert refusal.value.key == "table.declined"
    await later()
    assert phase(house) == "deliver"


@at_table(NONE, vote_time=30)
async def test_a_no_stands_after_a_restart_for_the_time_that_was_left(house: House) -> None:
    await undo_is_proposed(house)
    await later(10)
    await house.chairs[1].vote(False)
    await later()
    await house.restart()
    first = await Chair(house, house.people[0], 0).come()
    assert "proposal" not in first.status
    with pytest.raises(Refusal) as refusal:
        await first.undo()
    assert refusal.value.key == "table.declined"
    await later(20)
    await first.undo()
    await later()
    assert first.status["proposal"]["kind"] == "undo"


@at_table(NONE, vote_time=30)
async def test_a_no_stands_whatever_else_is_proposed_then(house: House) -> None:
    first, second, third = house.chairs
    await first.do(DEPART)
    for propose in (first.undo, first.pause, third.pause):
        await propose()
        await later()
        await second.vote(False)
        await later()
    with pytest.raises(Refusal) as refusal:
        await first.undo()
    assert refusal.value.key == "table.declined"
    for pause in (first.pause, third.pause):
        await pause()
        await later()
        assert "proposal" not in first.status
    await later(31)
    await first.undo()  # one may ask again when its time is over
    await later()
    assert first.status["proposal"]["kind"] == "undo"


@at_table(NONE, vote_time=30)
async def test_who_stays_away_does_not_make_everybody_wait(house: House) -> None:
    first, second, third = house.chairs
    await third.go()
    await undo_is_proposed(house)
    await second.vote(True)
    await later(31)
    assert "proposal" not in first.status
    assert phase(house) == "deliver"


async def third_is_replaced(house: House) -> None:
    house.minds.seconds = lambda ask: 1000  # the bot does nothing else meanwhile
    await house.chairs[2].go()
    await house.command(0, {"do": "replace", "seat": 2})


@pytest.mark.parametrize("when", ["after the asking", "before it"])
def test_no_bot_agrees_for_a_person_who_was_at_the_table(when: str) -> None:
    """It was: the host lets a bot play for who is away, and has everybody's consent."""

    @at_table(NONE)
    async def story(house: House) -> None:
        first, second, _ = house.chairs
        await first.do(DEPART)
        if when == "before it":
            await third_is_replaced(house)
            await first.undo()
        else:
            await first.undo()
            await third_is_replaced(house)
        await later()
        await second.vote(True)
        await later()
        assert phase(house) == "deliver"
        assert first.status["proposal"]["asked"] == [2]
        _, _, third = await come_back(house, 2)
        await house.command(2, {"do": "take-back", "seat": 2})
        await third.vote(True)
        await later()
        assert phase(house) == "load"

    story()


@at_table(NONE)
async def test_of_what_happened_without_them_nobody_is_asked(house: House) -> None:
    await third_is_replaced(house)
    await undo_is_proposed(house)
    assert house.chairs[0].status["proposal"]["asked"] == [1]


@at_table(CLOCKS["days"])
async def test_where_people_have_days_nobody_pauses_alone(house: House) -> None:
    """It was: who is not connected is not asked, and a pause stops their days as well."""
    first, second, third = house.chairs
    await second.go()
    await third.go()
    await first.pause()
    await later()
    assert "paused" not in first.status
    assert first.status["proposal"]["asked"] == [1, 2]


@at_table(NONE, people=1, bots=2)
async def test_alone_with_bots_nobody_is_asked(house: House) -> None:
    await undo_is_proposed(house)
    assert phase(house) == "load"
    assert house.store.proposals_ == {}


async def test_who_plays_several_seats_is_not_asked_by_themselves(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, server.client() as client:
        code = (await client.create("night-mail", name="Ada"))["code"]
        await client.command(code, "sit", seat=1, name="Bruno", further=True)
        await client.command(code, "start")
        table = Party(server, code, [client, client])
        async with table.sitting() as seats:
            mover = await to_a_proposal(table, seats)
            await mover.until(lambda seat: seat.view["phase"] == "load")


@at_table(NONE)
async def test_who_opened_anothers_link_is_asked_all_the_same(house: House) -> None:
    """Whoever may play two chairs is asked for their own."""
    room = house.lounge.room.copy()
    room.seats[0].holders.append(house.people[1])
    await house.lounge.save(room)
    await undo_is_proposed(house)
    assert house.chairs[0].status["proposal"]["asked"] == [1, 2]


@at_table(NONE)
async def test_who_sits_at_the_same_screen_and_nowhere_else_is_asked_aloud(house: House) -> None:
    room = house.lounge.room.copy()
    room.seats[1].holders = [house.people[0]]
    room.seats[2].holders = [house.people[0], "phone"]
    await house.lounge.save(room)
    await undo_is_proposed(house)
    assert house.chairs[0].status["proposal"]["asked"] == [2]


# --- after a restart ---------------------------------------------------------------------------------


@at_table(NONE, vote_time=30)
async def test_a_proposal_survives_a_restart_with_its_votes_and_the_time_left(house: House) -> None:
    await undo_is_proposed(house)
    before = house.chairs[0].status["proposal"]
    await later(20)
    await house.chairs[1].vote(True)
    await later()
    await house.restart(seconds=3600)  # a time in which nobody could vote
    _, second, third = await come_back(house, 0, 1, 2)
    assert third.status["proposal"] == {**before, "agreed": [0, 1], "asked": [2]}
    await later(9)
    assert "proposal" in third.status
    await later(2)
    assert "proposal" not in second.status
    assert phase(house) == "deliver"


@at_table(NONE)
async def test_the_last_yes_may_come_after_a_restart(house: House) -> None:
    await undo_is_proposed(house)
    await house.chairs[1].vote(True)
    await later()
    await house.restart()
    _, _, third = await come_back(house, 0, 1, 2)
    await third.vote(True)
    await later()
    assert phase(house) == "load"
    assert third.events[-1]["key"] == "log.undone.agreed"


@pytest.mark.parametrize("how", ["no", "time", "move"])
def test_what_has_ended_stays_so_and_its_number_is_not_used_again(how: str) -> None:
    @at_table(NONE, vote_time=30)
    async def story(house: House) -> None:
        await undo_is_proposed(house)
        first, second, _ = house.chairs
        if how == "no":
            await second.vote(False)
        elif how == "time":
            await later(31)
        else:
            await first.do([{"do": "keep"}])
        await later()
        await house.restart()
        first, second, third = await come_back(house, 0, 1, 2)
        assert "proposal" not in first.status
        await second.pause()
        await later()
        assert first.status["proposal"]["id"] == 2
        for chair in (first, third):
            await chair.send({"t": "vote", "proposal": 1, "agree": True})  # to the one before
        await later()
        assert first.status["proposal"]["asked"] == [0, 2]

    story()


@at_table(TURN)
async def test_a_pause_that_was_agreed_is_not_proposed_again_after_a_restart(house: House) -> None:
    first, second, third = house.chairs
    await first.pause()
    await later()
    proposed = house.store.proposals_[house.table.row.id]
    await second.vote(True)
    await third.vote(True)
    await later()
    # As if it had ended between the two writes.
    house.store.proposals_[house.table.row.id] = proposed
    await house.restart()
    first, *_ = await come_back(house, 0, 1, 2)
    assert first.status["paused"]
    assert "proposal" not in first.status


# --- stored, then told -------------------------------------------------------------------------------


@at_table(NONE, vote_time=30)
async def test_what_cannot_be_stored_was_not_proposed_or_voted(house: House) -> None:
    first, second, third = house.chairs
    await first.do(DEPART)
    house.store.failing = True
    with pytest.raises(Refusal) as refusal:
        await first.undo()
    assert refusal.value.key == "table.not-kept"
    await later()
    assert "proposal" not in second.status
    house.store.failing = False
    await first.undo()
    await later()
    for agree in (True, False):
        house.store.failing = True
        await second.vote(agree)
        await later()
        assert third.status["proposal"]["asked"] == [1, 2]
    assert not house.sitting.proposals._declined
    await later(31)
    assert "proposal" in third.status  # its end could not be stored, either
    house.store.failing = False
    await later(2)
    assert "proposal" not in third.status


# --- over the network --------------------------------------------------------------------------------


async def to_a_proposal(table: Party, seats: list[Seat]) -> Seat:
    """Somebody has rolled the die and wants that back; who."""
    [number] = table.table.match.state.waiting()
    mover = seats[number]
    await mover.do(DEPART)
    await mover.undo()
    return mover


def asked(seat: Seat) -> Any:
    return seat.status.get("proposal", {}).get("asked")


async def test_a_no_of_somebody_who_left_for_half_a_second(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            [number] = table.table.match.state.waiting()
            others = [seat for seat in range(3) if seat != number]
            leaver = others[1]
            await seats[leaver].__aexit__(None, None, None)
            mover = await to_a_proposal(table, seats)
            await mover.until(lambda seat: asked(seat) == others)
            await seats[others[0]].until(asked)
            await seats[others[0]].vote(True)
            await mover.until(lambda seat: asked(seat) == [leaver])
            async with table.socket(leaver) as again:
                await again.until(asked)
                await again.vote(False)
                await mover.until(lambda seat: not asked(seat))
            assert not table.table.match.undoable(number)
            assert table.table.match.last_move(number) is not None


async def test_a_proposal_over_a_restart_of_the_server(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            mover = await to_a_proposal(table, seats)
            match, others = table.table.row.id, [seat for seat in range(3) if seat != mover.seat]
            voter = seats[others[0]]
            await voter.until(asked)
            await voter.vote(True)
            await mover.until(lambda seat: asked(seat) == others[1:])
            proposal = mover.status["proposal"]

    async with serving(tmp_path) as server:
        row = await server.hub.store.proposal(match)
        assert isinstance(row, ProposalRow)
        assert row.kind == "undo"
        clients = [server.client(client.cookie) for client in table.clients]
        table = Party(server, table.code, clients)
        async with table.sitting() as seats:
            last = seats[others[1]]
            await last.until(asked)
            assert last.status["proposal"] == proposal
            await last.vote(True)
            await last.until(lambda seat: not asked(seat))
            assert table.table.match.last_move(mover.seat or 0) is None
        row = await server.hub.store.proposal(match)
        assert row is not None
        assert row.kind == ""
