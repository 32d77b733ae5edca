"""Taking back: what one may alone, what all are asked for, and what the clock does meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.client import Refusal
from tests.server.clocks import NONE, at_table, to_the_vote
from tests.server.hourglass import Chair, House, later, now
from tests.server.mail import DEPART, PASS, deliver, load, offer


@at_table(NONE)
async def test_undo_is_free_up_to_the_barrier(house: House) -> None:
    first, second, _ = house.chairs
    await first.do(load("letter"))
    await first.do(load("parcel"))
    await later()
    assert first.question["undo"] == 2
    assert "undo" not in second.question
    await first.undo()
    await first.undo()
    await later()
    assert "undo" not in first.question
    assert first.view["own"]["bag"] == []
    assert second.events[-1]["key"] == "log.undone"
    assert "proposal" not in second.status


@at_table(NONE)
async def test_beyond_the_barrier_everybody_is_asked(house: House) -> None:
    first, second, third = house.chairs
    await first.do(DEPART)  # a die was rolled
    await later()
    assert "undo" not in first.question
    await first.undo()
    await later()
    proposal = second.status["proposal"]
    assert (proposal["kind"], proposal["by"], proposal["asked"]) == ("undo", 0, [1, 2])
    assert second.view["phase"] == "deliver"
    with pytest.raises(Refusal) as refusal:
        await third.undo()
    assert refusal.value.key in ("table.one-proposal", "refused.undo")
    await second.vote(True)
    await third.vote(True)
    await later()
    assert second.view["phase"] == "load"
    assert second.events[-1]["key"] == "log.undone.agreed"
    assert "proposal" not in second.status


@at_table(NONE, vote_time=30)
async def test_one_refusal_ends_it(house: House) -> None:
    first, second, third = house.chairs
    await first.do(DEPART)
    await first.undo()
    await later()
    await second.vote(True)
    await third.vote(False)
    await later()
    assert "proposal" not in first.status
    assert first.view["phase"] == "deliver"
    with pytest.raises(Refusal) as refusal:
        await first.undo()  # not over and over
    assert refusal.value.key == "table.declined"
    await later(30)
    await first.undo()  # but one may ask again
    await later()
    assert first.status["proposal"]["id"] == 2


@at_table(NONE, vote_time=30)
async def test_a_proposal_expires(house: House) -> None:
    first, second, third = house.chairs
    await first.do(DEPART)
    await first.undo()
    await later(10)
    await second.vote(True)
    await later(19)
    assert third.status["proposal"]["asked"] == [2]
    await later(1.1)
    assert "proposal" not in third.status
    await third.send({"t": "vote", "proposal": 1, "agree": True})
    await later()
    assert third.view["phase"] == "deliver"


@at_table(NONE)
async def test_a_move_in_between_voids_it(house: House) -> None:
    first, second, third = house.chairs
    await first.do(DEPART)
    await first.undo()
    await later()
    await first.do([{"do": "keep"}])
    await later()
    for chair in (first, second, third):
        assert "proposal" not in chair.status
    await second.send({"t": "vote", "proposal": 1, "agree": True})
    await third.send({"t": "vote", "proposal": 1, "agree": True})
    await later()
    assert first.view["current"] == 1


@at_table(NONE)
async def test_a_saying_in_between_does_not(house: House) -> None:
    first, second, third = house.chairs
    await first.do(load("letter"))
    await first.do(DEPART)
    await first.undo()
    await later()
    await first.say({"bag": ["parcel"]})
    await later()
    assert third.status["proposal"]["kind"] == "undo"
    await second.vote(True)
    await third.vote(True)
    await later()
    assert first.view["phase"] == "load"
    assert first.view["own"]["bag"] == ["letter"]


@at_table(NONE)
async def test_a_move_that_nobody_is_told_of_voids_nothing(house: House) -> None:
    """Else the end of the proposal would tell that somebody changed their vote."""
    first, second, third = house.chairs
    await to_the_vote(house)
    await first.do([{"do": "vote", "branch": "north"}])
    await second.do([{"do": "vote", "branch": "north"}])
    await second.undo()
    await later()
    before = now()
    assert first.status["proposal"]["asked"] == [0, 2]
    await later()
    await first.do([{"do": "vote", "branch": "south"}])
    await second.do([{"do": "vote", "branch": "south"}])
    await later()
    assert third.since(before) == []
    late = await Chair(house, "somebody", None).come()
    assert late.status["proposal"]["kind"] == "undo"
    await first.vote(True)
    await third.vote(True)
    await later()
    # What is taken back is what was proposed, and all since.
    assert third.view["voted"] == [0]
    assert first.view["own"]["vote"] == "north"
    assert "proposal" not in third.status


@at_table(NONE, webhooks="anywhere")
async def test_a_move_that_nobody_is_told_of_calls_nobody(house: House) -> None:
    """Else the call would tell who is away that somebody changed their vote."""
    first, second, third = house.chairs
    called: list[dict[str, Any]] = []

    async def call(url: str, news: dict[str, Any], allowed: str) -> None:
        called.append(news)

    await third.keep(webhook="http://example.com/")
    await to_the_vote(house)
    await first.do([{"do": "vote", "branch": "north"}])
    await third.go()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("capolinea.server.sitting.call", call)
        await first.do([{"do": "vote", "branch": "south"}])
        await later()
        assert called == []
        await second.do([{"do": "vote", "branch": "south"}])
        await later()
        assert len(called) == 1


@at_table(NONE, people=1, bots=2)
async def test_bots_agree(house: House) -> None:
    first = house.chairs[0]
    await first.do(DEPART)
    await first.undo()
    await later()
    assert first.view["phase"] == "load"
    assert first.events[-1]["key"] == "log.undone.agreed"


@at_table(NONE)
async def test_who_has_done_nothing_has_nothing_to_take_back(house: House) -> None:
    before = now()
    await later()
    with pytest.raises(Refusal) as refusal:
        await house.chairs[1].undo()
    assert refusal.value.key == "refused.undo"
    assert house.chairs[0].since(before) == []  # nobody was asked


@at_table(NONE)
async def test_an_undo_takes_back_what_was_held_since(house: House) -> None:
    first, second, third = house.chairs
    await offer(first, signer=1)
    await third.do(PASS)
    await first.undo()
    await later()
    await second.vote(True)
    await third.vote(True)
    await later()
    assert first.view["phase"] == "deliver"
    assert "held" not in third.private
    await first.do(deliver("parcel", 2))
    await later()
    assert third.must  # the same question, but another one


@at_table(NONE, vote_time=30)
async def test_a_proposal_ends_with_its_match(house: House) -> None:
    """And its time does not run on into the next one."""
    first, second, _ = house.chairs
    await first.do(DEPART)
    await first.undo()
    await later()
    await house.command(0, {"do": "abandon"})
    await later()
    assert "proposal" not in second.status
    await later(20)
    for person in (1, 2):
        await house.command(person, {"do": "ready"})
    await house.command(0, {"do": "start"})
    await later()
    starter = house.chairs[second.scene["awaited"]["seats"][0]]
    await starter.pause()
    await later(15)
    assert "proposal" in second.status  # the old one's thirty seconds are over by now
    await later(16)
    assert "proposal" not in second.status
