"""Nobody learns over the network what is not theirs to know.

Non-interference: a match and its twin differ only in what one viewer may not know. Both are played over
real sockets, and what this viewer receives must be the same byte for byte, but for tokens and times.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from capolinea import games
from capolinea.engine import Game, Record, Refused, Rng, Viewer
from capolinea.engine.record import altered
from capolinea.lab.conform.wander import wander
from capolinea.server.fold import Fold
from capolinea.server.minds import Ask
from capolinea.server.protocol import Clock, Previewed, Status
from capolinea.server.sitting import Sitting
from capolinea.server.store import MatchRow
from capolinea.server.table import Table
from tests.server.hourglass import House, first_choice, later, now, turned
from tests.server.mail import BANDIT, GUARD, LETTER, PARCEL, PASS, TELEGRAM, dealt, offer
from tests.server.twins import (
    LONG,
    TABLES,
    Json,
    Wanted,
    compare,
)


@pytest.mark.parametrize("seed", range(12 if LONG else 1))
@pytest.mark.parametrize("wanted", TABLES, ids=lambda wanted: wanted.title)
async def test_a_match_and_its_twin_look_the_same(
    tmp_path: Path, wanted: Wanted, seed: int, record_property: Callable[[str, object], None]
) -> None:
    faults, comparison = await compare(tmp_path, wanted, seed)
    record_property("twins that differ", f"{comparison.differ} of {comparison.pairs}")
    record_property("hidden", comparison.hidden)
    assert faults == []
    # They truly differ, and there truly was something to hide.
    assert 2 * comparison.differ > comparison.pairs
    assert sum(comparison.hidden.values()) > 5


# --- teeth: the comparison notices what it should ------------------------------------------------


def tell_of_passes(patch: pytest.MonkeyPatch) -> None:
    """A status for everybody whenever a pass is held."""
    hold = Table._hold

    async def leaky(table: Table, seat: int, do: list[Json], client: str) -> None:
        await hold(table, seat, do, client)
        table.audience.changed(list(table.fold.told))

    patch.setattr(Table, "_hold", leaky)


def count_the_log(patch: pytest.MonkeyPatch) -> None:
    """A number that counts entries of which nobody was told."""
    status = Sitting._status

    def leaky(sitting: Sitting) -> Status:
        count = len(sitting.table.match.entries)
        return msgspec.structs.replace(status(sitting), bank=[count])

    patch.setattr(Sitting, "_status", leaky)


def name_who_is_waited_for(patch: pytest.MonkeyPatch) -> None:
    """In a window, the seats that have not answered yet."""
    scene = Table._scene

    def leaky(table: Table, viewer: Viewer) -> Any:
        found = scene(table, viewer)
        late = [seat for seat in table.match.state.waiting() if seat not in table.held]
        awaited = msgspec.structs.replace(found.awaited, seats=late)
        return msgspec.structs.replace(found, awaited=awaited)

    patch.setattr(Table, "_scene", leaky)


def show_a_neighbour(patch: pytest.MonkeyPatch) -> None:
    """Somebody else's view."""
    scene = Table._scene

    def leaky(table: Table, viewer: Viewer) -> Any:
        neighbour = (1 + (viewer or 0)) % len(table.match.names)
        return msgspec.structs.replace(scene(table, viewer), view=table.match.view(neighbour))

    patch.setattr(Table, "_scene", leaky)


def preview_the_truth(patch: pytest.MonkeyPatch) -> None:
    """What would happen, from the state instead of from the view."""

    async def leaky(table: Table, seat: int, do: list[Json]) -> Any:
        return table.match.state.key().hex()

    patch.setattr(Table, "preview", leaky)


def refuse_with_reasons(patch: pytest.MonkeyPatch) -> None:
    """A refusal that says how far the others are."""
    act = Table.act

    async def leaky(table: Table, seat: int, *arguments: Any) -> None:
        try:
            await act(table, seat, *arguments)
        except Refused as refused:
            raise Refused(refused.key, held=len(table.held) + len(table.match.entries)) from None

    patch.setattr(Table, "act", leaky)


def publish_notes(patch: pytest.MonkeyPatch) -> None:
    """Everybody hears that somebody keeps something."""
    keep = Table.keep

    async def leaky(table: Table, seat: int, changes: dict[str, Any]) -> None:
        await keep(table, seat, changes)
        table.tell(Previewed("", 0), table.fold.told)

    patch.setattr(Table, "keep", leaky)


@pytest.mark.parametrize(
    "leak",
    [
        tell_of_passes,
        count_the_log,
        name_who_is_waited_for,
        show_a_neighbour,
        preview_the_truth,
        refuse_with_reasons,
        publish_notes,
    ],
)
async def test_a_leak_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    leak(monkeypatch)
    short = Wanted("stop-the-train", 4, {"track": "express"}, 26)
    faults, _ = await compare(tmp_path, short, 1, [1])
    assert faults != []


# --- times ---------------------------------------------------------------------------------------


def timed(record: Record) -> Record:
    """The same with times, which are not the same between any two entries."""
    entries = [
        msgspec.structs.replace(entry, at=number * number * 100)
        for number, entry in enumerate(record.entries)
    ]
    return altered(record, entries=entries)


def shown_times(game: Game, record: Record) -> list[Any]:
    """After each entry: since when who is waited for, and how long everybody took."""
    header = altered(record, entries=[])
    fold = Fold(game, MatchRow("", "", msgspec.json.encode(header), 0))
    found: list[Any] = []
    for entry in record.entries:
        fold.match.follow(entry)
        fold.note("")
        waiting = fold.match.state.waiting()
        since = [fold.asked_at[seat] for seat in waiting]
        window = fold.match.state.window()
        asked = max(since) if window else dict(zip(waiting, since, strict=True))
        found.append([asked, [list(took) for took in fold.took]])
    return found


@pytest.mark.parametrize("wanted", TABLES, ids=lambda wanted: wanted.title)
@pytest.mark.parametrize("seed", range(40 if LONG else 3))
def test_times_that_are_shown_do_not_go_by_what_is_hidden(wanted: Wanted, seed: int) -> None:
    """Deadlines and banks of a match and its twin are the same."""
    game = games.load(wanted.title)
    options = msgspec.convert(wanted.options, type=game.options)
    rng = Rng(b"times %d" % seed)
    match = wander(game, wanted.seats, options, rng.bytes(32), rng)
    record, kept = match.record(reveal=True), 40 + rng.below(100)
    record = altered(record, entries=record.entries[:kept])
    own = shown_times(game, timed(record))
    assert any(took for _, tooks in own for took in tooks)
    for viewer in (None, 0, 1):
        assert shown_times(game, timed(game.twin(record, viewer, rng))) == own


#: The one who makes the offer, and what the others might hold at that time: all of it looks alike.
OFFERER = [PARCEL, LETTER, LETTER]
HANDS = {
    "nothing": [[LETTER] * 3, [LETTER] * 3],
    "bandit": [[BANDIT, LETTER, LETTER], [LETTER] * 3],
    "both": [[BANDIT, GUARD, TELEGRAM], [BANDIT, BANDIT, GUARD]],
}
PAUSE = 900
WINDOW = Clock("live", window=6)


class Watch:
    """What the one who made the offer and a spectator hear from the opening of the window on."""

    def __init__(self, people: int, hands: str) -> None:
        self.house = House("night-mail", people, WINDOW, bot_pause=PAUSE)
        self.hands = [OFFERER, *HANDS[hands]]
        self.heard: list[list[tuple[int, str]]] = []

    async def run(self, during: Callable[[House], Any] | None = None) -> Watch:
        house = self.house
        await house.open(bots=3 - len(house.people))
        await house.begin(dealt(self.hands))
        watcher = await house.watch()
        await later(10)  # nobody has anything to say
        await offer(house.chairs[0], signer=1)
        opened = now()
        if during is not None:
            await during(house)
        await later(20 - (now() - opened) / 1000)
        match = house.table.row.id
        for chair in (house.chairs[0], watcher):
            told = [(at - opened, text) for at, text in chair.heard if at > opened]
            self.heard.append([(at, masked(text, match)) for at, text in told])
        await house.close()
        return self

    def closed(self) -> int:
        """After how long it closed, in milliseconds."""
        frames = [at for at, text in self.heard[1] if '"t":"frame"' in text]
        return frames[0]


def masked(text: str, match: str) -> str:
    return re.sub(r'"[0-9a-f]{32}"', '"id"', text.replace(match, "*"))


def holding(ask: Ask) -> bool:
    """Whether this bot has more to think about than a pass."""
    return len(ask.tree) > 1


@pytest.mark.parametrize("people", [1, 2, 3])
def test_the_window_is_open_for_as_long_whoever_holds_what(people: int) -> None:
    """The same messages at the same times, to the millisecond."""

    async def passes(house: House) -> None:
        await later(0.3)
        for chair in house.chairs[1:2]:
            await chair.do(PASS)

    async def stands(house: House) -> None:
        for chair in house.chairs[1:2]:
            await chair.keep(passes=["robbery"])

    async def dithers(house: House) -> None:
        for _ in range(5):
            for chair in house.chairs[1:2]:
                await chair.do(PASS)
            await later(1)

    @turned
    async def thinks(seconds: float, hands: str, during: Any = None) -> Watch:
        made = Watch(people, hands)
        made.house.minds.seconds = lambda ask: seconds if holding(ask) else 0
        return await made.run(during)

    watches = [thinks(0, hands, during) for hands in HANDS for during in (None, passes, stands)]
    watches += [thinks(3, hands, dithers) for hands in HANDS]
    watches += [thinks(100, "both")]
    first, *others = watches
    # While the person looks on, somebody else's turn begins: bots go on playing after it.
    cut = 6000 + (14_000 if people == 3 else 0)
    for other in others:
        for own, twin in zip(first.heard, other.heard, strict=True):
            assert [told for told in own if told[0] <= cut] == [
                told for told in twin if told[0] <= cut
            ]
    assert first.closed() == 6000


@pytest.mark.parametrize(
    ("seconds", "slot"), [(0, 1), (0.05, 1), (0.899, 1), (0.901, 2), (1.7, 2), (1.9, 3)]
)
@pytest.mark.parametrize("people", [1, 2])
@turned
async def test_a_card_of_a_bot_comes_at_its_slot(people: int, seconds: float, slot: int) -> None:
    """Not when the bot is ready: who is too slow takes another whole pause."""

    def robbing(ask: Ask) -> list[int]:
        bandit = games.load("night-mail").space.parse({"do": "bandit"})
        return [bandit] if bandit in ask.tree else first_choice(ask)

    made = Watch(people, "both")
    made.house.minds.wants = robbing
    made.house.minds.seconds = lambda ask: seconds
    await made.run()
    assert made.closed() == slot * PAUSE


@pytest.mark.parametrize("hands", HANDS)
@turned
async def test_bots_are_asked_whatever_they_hold(hands: str) -> None:
    """At every public moment each bot is asked, also the one who can do nothing: else the time that
    passes would tell who can."""
    found = await Watch(1, hands).run()
    asked = [(at, ask.seat) for at, ask in found.house.minds.asked]
    first = asked[0][0]
    assert {seat for at, seat in asked if at == first} == {1, 2}
