"""There is an end to what happens in a match, and to what a record may hold: all that a table lets happen,
and not much more."""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from capolinea import games
from capolinea.client import Refusal
from capolinea.engine import Match
from capolinea.engine.problems import Problem
from capolinea.engine.record import Control, Entry, Move, Record, RecordProblem, Say, Undo, dumps
from capolinea.engine.views import View
from capolinea.server import replays, table
from capolinea.server.store import MatchRow
from tests.server.hourglass import House
from tests.server.live import said_why
from tests.server.test_talk import PLEA, talk

PEOPLE = talk(first=3, people=3)


async def refused(asking: Awaitable[Any]) -> str:
    try:
        await asking
    except Refusal as refusal:
        key, args = refusal.key, refusal.arguments
    except Problem as problem:
        key, args = problem.key, problem.args_
    said_why({"key": key, "args": args})
    return key


@PEOPLE
async def test_a_seat_changes_hands_so_often_and_whoever_leaves_is_always_replaced(
    house: House,
) -> None:
    with patch.object(table, "MOST_HANDED", 4):
        for by in ("bot", "person") * 2:
            await house.table.control(1, by, "random" if by == "bot" else "")
        await house.table.control(1, "bot", "random")
        assert await refused(house.table.control(1, "person")) == "table.handed-enough"
        assert await refused(house.table.control(1, "bot", "advocate")) == "table.handed-enough"
        await house.table.control(0, "bot", "random")
    assert house.table.match.players == ["bot", "bot", "person"]


async def move(house: House) -> int:
    """What the first who is waited for does; who that is."""
    match = house.table.match
    [seat, *_] = match.state.waiting()
    steps = [house.table.game.space.json(step) for step in match.default(seat)]
    await house.table.act(seat, steps, house.table.question(seat).id)
    return int(seat)


@PEOPLE
async def test_a_seat_takes_back_so_often(house: House) -> None:
    with patch.object(table, "MOST_UNDONE", 2):
        for _ in range(2):
            await house.table.undo(await move(house), agreed=True)
        seat = await move(house)
        assert await refused(house.table.undo(seat, agreed=True)) == "table.undone-enough"


@PEOPLE
async def test_a_saying_is_so_long(house: House) -> None:
    with patch.object(table, "LONGEST_SAYING", 20):
        assert await refused(house.chairs[0].say(PLEA)) == "table.said-long"


@PEOPLE
async def test_a_match_that_is_long_enough_only_goes_on(house: House) -> None:
    most = len(house.table.match.entries)
    with patch.object(table, "LONG_ENOUGH", most):
        await house.table.control(1, "bot", "random")
        for asking in (
            house.table.control(1, "person"),
            house.chairs[0].say(PLEA),
            house.table.undo(2, agreed=True),
        ):
            assert await refused(asking) == "table.long-enough"
        await move(house)
    assert len(house.table.match.entries) == most + 2


def record_with(*entries: Entry) -> Record:
    match = Match(games.load("night-mail"), ["Ada", "Bruno"], seed=bytes(32))
    return msgspec.structs.replace(match.record(reveal=True), entries=list(entries))


@pytest.mark.parametrize(
    ("entry", "most", "key"),
    [
        (Control(0, "bot", "random"), 2 * 2 * table.MOST_HANDED, "record.many"),
        (Undo(0, 0), 2 * 2 * table.MOST_UNDONE, "record.many"),
        (Say(0, {}), 2 * 2 * table.MOST_SAID, "record.many"),
        (Say(0, {"bag": "x" * table.LONGEST_SAYING}), 0, "record.said-long"),
    ],
)
def test_there_is_an_end_to_what_is_in_a_record_of_each_kind(
    entry: Entry, most: int, key: str
) -> None:
    game = games.load("night-mail")
    replays.check_size(game, record_with(*[entry] * most))
    with pytest.raises(RecordProblem) as problem:
        replays.check_size(game, record_with(*[entry] * (most + 1)))
    assert problem.value.key == key
    said_why({"key": key, "args": problem.value.args_})
    args = problem.value.args_
    assert args["most"] == (most or table.LONGEST_SAYING)


def test_there_is_an_end_to_what_is_in_a_record_at_all() -> None:
    game = games.load("night-mail")
    most = table.LONG_ENOUGH + game.longest + 2 * 2
    step = Move(0, [{"do": "depart"}])
    replays.check_size(game, record_with(*[step] * most))
    with pytest.raises(RecordProblem) as problem:
        replays.check_size(game, record_with(*[step] * (most + 1)))
    assert problem.value.args_ == {"found": most + 1, "most": most}
    said_why({"key": problem.value.key, "args": problem.value.args_})


@pytest.mark.parametrize("looker", [None, 1, replays.TRUTH])
def test_in_a_replay_nothing_is_looked_at_again_that_did_not_move(
    monkeypatch: pytest.MonkeyPatch, looker: int | str | None
) -> None:
    """Else a record of nothing but who plays would keep others waiting for long."""
    seen: list[int | None] = []
    view = Match.view

    def noting(match: Match, viewer: int | None) -> View:
        seen.append(viewer)
        return view(match, viewer)

    monkeypatch.setattr(Match, "view", noting)
    taken = {}
    for many in (1, 200):
        entries = [Control(n % 2, ("bot", "person")[n % 2], "random") for n in range(many)]
        record = msgspec.structs.replace(record_with(*entries), version=1)
        made = replays.take_in(dumps(record).encode())
        seen.clear()
        row = MatchRow("x", "", made.header, 0, ended=1)
        shown = msgspec.json.decode(replays.replay(row, made.rows, looker))
        assert len(shown["steps"]) == many + 1
        taken[many] = len(seen)
    assert taken[1] == taken[200]


def test_the_page_says_the_same() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
    of_seat = {2 * most for most in replays.MOST.values()}
    for number in (*of_seat, table.LONGEST_SAYING, f"{table.LONG_ENOUGH:,}"):
        assert f" {number} " in page.replace("\n", " ")
