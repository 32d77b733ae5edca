"""Nobody learns from the time at which something is heard what is not theirs to know.

A match is improvised at a table of people and bots, in a time of its own. Then it and its twin (another
deal and other hidden moves, the same history in one viewer's eyes) are played again: everybody does
what they did at the time at which they did it. In the twin's match bots think for another while, within
the same pause, and the others also do what leaves no trace: they pass twice, by a standing order or not
at all, ask for hints and take notes. What the viewer hears must be the same, at the same millisecond.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from capolinea import games
from capolinea.client import Refusal
from capolinea.engine import Match, Problem, Record, Rng, Viewer
from capolinea.engine.record import Move, Say
from capolinea.server.clock import Timekeeper
from capolinea.server.minds import Ask
from capolinea.server.players import Players
from capolinea.server.protocol import Clock
from capolinea.server.table import Table
from tests.server.hourglass import Chair, House, first_choice, later, now, turned
from tests.server.mail import PASS
from tests.server.test_secrets import tell_of_passes
from tests.server.twins import dealt_record, keys

LONG = bool(os.environ.get("CAPOLINEA_LONG"))
PAUSE = 900
#: Windows have a length, and nobody is ever out of time.
CLOCK = Clock("live", turn=3600, bank=60, window=6)
Json = dict[str, Any]


@dataclass(frozen=True)
class Wanted:
    title: str
    people: int
    bots: int
    options: Json
    #: So many entries of a match are looked at.
    entries: int

    def __str__(self) -> str:
        return f"{self.title}-{self.people}+{self.bots}"


TABLES = [
    Wanted("night-mail", 3, 1, {"line": "shuttle"}, 80),
    Wanted("night-mail", 1, 2, {"line": "shuttle"}, 80),
    Wanted("stop-the-train", 2, 2, {"track": "express"}, 150 if LONG else 70),
    Wanted("stop-the-train", 1, 3, {"track": "express"}, 150 if LONG else 70),
    Wanted("trial-by-trolley", 3, 2, {}, 60 if LONG else 40),
    Wanted("tachite-al-tram", 2, 1, {}, 60 if LONG else 30),
]


# --- what everybody did, and when ----------------------------------------------------------------


@dataclass
class Input:
    """What a person did."""

    at: int
    seat: int
    kind: str
    what: Any = None
    #: The entry that came of it, if one did.
    entry: int | None = None
    #: It was kept until the window closes.
    held: bool = False


@dataclass
class Answer:
    """What a bot thought, and for how many pauses."""

    slots: int
    said: Any
    steps: list[int]
    #: The entries that came of it.
    say: int | None = None
    move: int | None = None


@dataclass
class Evening:
    """All that happened at a table."""

    inputs: list[Input] = field(default_factory=list)
    answers: dict[int, list[Answer]] = field(default_factory=dict)
    end: int = 0


def gate(table: Table, heard: Callable[[int, str, int | None], None]) -> None:
    """Hear of what comes of everything that is done or said at this table."""

    def watched(kind: str, do: Callable[..., Any]) -> Callable[..., Any]:
        async def done(seat: int, *args: Any, **more: Any) -> None:
            before = len(table.match.entries)
            await do(seat, *args, **more)
            entry = len(table.match.entries) - 1
            heard(seat, kind, entry if entry >= before else None)

        return done

    table.act = watched("act", table.act)  # type: ignore[method-assign]
    table.say = watched("say", table.say)  # type: ignore[method-assign]


async def seated(
    wanted: Wanted, header: Record, minds: Improvised | Again
) -> tuple[House, list[Chair]]:
    """A table with somebody who watches, the last of the chairs."""
    house = House(wanted.title, wanted.people, CLOCK, bot_pause=PAUSE)
    house.minds.wants, house.minds.says, house.minds.seconds = minds.want, minds.say, minds.think
    await house.open(wanted.bots)
    await house.begin_as(header)
    return house, [*house.chairs, await house.watch()]


async def until(at: int) -> None:
    # A little after the full millisecond, which is the same one then however it is rounded.
    await asyncio.sleep(max(0.0, (at + 0.3) / 1000 - asyncio.get_running_loop().time()))


# --- improvised ----------------------------------------------------------------------------------


class Improvised:
    """Everybody plays at random, says things, changes their mind and takes back what they may."""

    def __init__(self, wanted: Wanted, seed: int) -> None:
        self.wanted = wanted
        self.rng = random.Random(f"{wanted} {seed}")
        self.game = games.load(wanted.title)
        self.evening = Evening()
        self.waited = 0
        self.record: Record

    async def play(self) -> None:
        wanted, rng = self.wanted, self.rng
        options = msgspec.convert(wanted.options, type=self.game.options)
        names = [f"P{number}" for number in range(wanted.people + wanted.bots)]
        header = Match(self.game, names, options, seed=rng.randbytes(32)).record(reveal=True)
        self.house, self.chairs = await seated(wanted, header, self)
        table = self.house.table
        gate(table, self._hear)
        while not table.over and len(table.match.entries) < wanted.entries:
            assert now() < 3_600_000, "it does not go on"
            await self._wait()
            with suppress(Refusal, Problem):
                await self._improvise(rng.randrange(wanted.people))
        self.evening.end = now()
        self.record = dealt_record(self.game, table.match.record(reveal=True))
        await self.house.close()

    async def _wait(self) -> None:
        """Until some millisecond that is nobody else's, or it would be chance who is first in it when
        all this is played again. Bots and windows follow what people did by whole tenths of a second:
        so people do each thing in another part of a tenth."""
        self.waited += 1
        tenths = now() // 100 + self.rng.randrange(2, 50)
        await until(100 * tenths + self.waited % 100)

    def _hear(self, seat: int, kind: str, entry: int | None) -> None:
        if seat < self.wanted.people:
            last = next(one for one in reversed(self.evening.inputs) if one.seat == seat)
            last.entry, last.held = entry, entry is None and kind == "act"
        elif kind == "act":
            self.evening.answers[seat][-1].move = entry
        else:
            self.evening.answers[seat][-1].say = entry

    async def _improvise(self, seat: int) -> None:
        chair, rng = self.chairs[seat], self.rng
        proposal = chair.status.get("proposal", {})
        if seat in proposal.get("asked", []):
            # Not all agree: twins know nothing of a move taken back that others have answered to.
            agree = len(proposal["asked"]) > 1 and rng.random() < 0.7
            await self._do(Input(now(), seat, "vote", agree))
        elif rng.random() < 0.1 and (chair.question.get("undo") or self.wanted.people > 1):
            await self._do(Input(now(), seat, "undo"))
        elif rng.random() < 0.15:
            said = self.game.babble(self.house.table.match.view(seat), Rng(rng.randbytes(8)))
            if said is not None:
                await self._do(Input(now(), seat, "say", said))
        elif chair.choices and (chair.must or rng.random() < 0.2):
            await self._do(Input(now(), seat, "do", rng.choice(chair.whole_choices())))

    async def _do(self, done: Input) -> None:
        self.evening.inputs.append(done)
        await do(self.chairs[done.seat], done.kind, done.what)

    # --- bots ------------------------------------------------------------------------------------

    def think(self, ask: Ask) -> float:
        slots = self.rng.choice([1, 1, 1, 2])
        answer = Answer(slots, None, [])
        self.evening.answers.setdefault(ask.seat, []).append(answer)
        return (slots - 0.5) * PAUSE / 1000

    def want(self, ask: Ask) -> list[int]:
        steps: list[int] = []
        if not ask.may_decline or self.rng.random() < 0.3:
            tree = ask.tree
            while tree:
                steps.append(self.rng.choice(sorted(tree)))
                tree = tree[steps[-1]]
        self.evening.answers[ask.seat][-1].steps = steps
        return steps

    def say(self, ask: Ask) -> Any:
        if self.rng.random() < 0.7:
            return None
        view = msgspec.json.decode(ask.view, type=self.game.view_type)
        said = self.game.babble(view, Rng(self.rng.randbytes(8)))
        self.evening.answers[ask.seat][-1].said = said
        return said


async def do(chair: Chair, kind: str, what: Any) -> None:
    match kind:
        case "do":
            await chair.do(what)
        case "say":
            await chair.say(what)
        case "undo":
            await chair.undo()
        case "vote":
            await chair.vote(what)


# --- played again --------------------------------------------------------------------------------


class Again:
    """A record played once more, by the times of that evening. With `rng`, everybody but the viewer
    also does hidden things."""

    def __init__(
        self,
        wanted: Wanted,
        evening: Evening,
        record: Record,
        viewer: Viewer = None,
        rng: random.Random | None = None,
    ) -> None:
        self.wanted = wanted
        self.evening = evening
        self.record = record
        self.viewer = viewer
        self.rng = rng
        self.game = games.load(wanted.title)
        self.hidden: dict[str, int] = {}
        self.heard: dict[Viewer, list[tuple[int, str]]] = {}
        self._answered: dict[int, int] = {}

    async def play(self) -> None:
        header = msgspec.structs.replace(self.record, entries=[], result=None)
        self.house, self.chairs = await seated(self.wanted, header, self)
        for one in self.evening.inputs:
            await until(one.at)
            with suppress(Refusal):
                await self._do(one)
        await until(self.evening.end)
        names = [self.house.lounge.room.code, self.house.table.row.id]
        for chair in self.chairs:
            self.heard[chair.seat] = [(at, _masked(text, names)) for at, text in chair.heard]
        self.played = self.house.table.match.entries
        await self.house.close()

    def _entry(self, number: int | None) -> Any:
        return None if number is None else self.record.entries[number]

    # --- people ----------------------------------------------------------------------------------

    async def _do(self, one: Input) -> None:
        chair, entry = self.chairs[one.seat], self._entry(one.entry)
        what = one.what if entry is None else entry.said if isinstance(entry, Say) else entry.do
        if self.rng is not None and one.seat != self.viewer:
            await self._leave_no_trace(chair, self.rng)
            if one.held and self.house.table.match.state.talk() < 0:
                await self._pass(chair, self.rng)
                return
        await do(chair, one.kind, what)

    async def _pass(self, chair: Chair, rng: random.Random) -> None:
        """A pass that the viewer cannot see."""
        how = rng.choice(["once", "twice", "standing", "never"])
        self._note(how)
        if how == "standing":
            await chair.keep(passes=[self.house.table.match.state.window()])
            await later(0.0001)
            await chair.keep(passes=[])
        for _ in range({"once": 1, "twice": 2}.get(how, 0)):
            await chair.do(PASS)

    async def _leave_no_trace(self, chair: Chair, rng: random.Random) -> None:
        match rng.randrange(5):
            case 0:
                self._note("notes")
                await chair.keep(notes="x" * rng.randrange(100))
            case 1 if chair.choices:
                self._note("hint")
                await chair.hint()
            case 2 if chair.choices:
                self._note("preview")
                await chair.preview(rng.choice(chair.whole_choices()))

    def _note(self, what: str) -> None:
        self.hidden[what] = self.hidden.get(what, 0) + 1

    # --- bots ------------------------------------------------------------------------------------

    def think(self, ask: Ask) -> float:
        self._answered[ask.seat] = self._answered.get(ask.seat, -1) + 1
        part = 0.5 if self.rng is None else self.rng.uniform(0.01, 0.99)
        return (self._answer(ask).slots - part) * PAUSE / 1000

    def _answer(self, ask: Ask) -> Answer:
        return self.evening.answers[ask.seat][self._answered[ask.seat]]

    def want(self, ask: Ask) -> list[int]:
        answer = self._answer(ask)
        entry = self._entry(answer.move)
        if entry is not None:
            return [self.game.space.parse(step) for step in entry.do]
        # It came too late, or is kept until a window closes.
        return answer.steps if _leads(ask, answer.steps) else first_choice(ask)

    def say(self, ask: Ask) -> Any:
        answer = self._answer(ask)
        entry = self._entry(answer.say)
        return answer.said if entry is None else entry.said


def _leads(ask: Ask, steps: list[int]) -> bool:
    tree = ask.tree
    for step in steps:
        if step not in tree:
            return False
        tree = tree[step]
    return not tree or not steps


def _masked(text: str, names: list[str]) -> str:
    for name in names:
        text = text.replace(name, "*" * len(name))
    return re.sub(r'"[0-9a-f]{32}"', '"id"', text)


# --- comparing -----------------------------------------------------------------------------------


def difference(one: list[tuple[int, str]], two: list[tuple[int, str]]) -> str:
    """The first thing that tells the one from the other, or ""."""
    for number, (own, twin) in enumerate(zip(one, two, strict=False)):
        if own != twin:
            return f"message {number}:\n{own[0]} ms: {own[1][:300]}\n{twin[0]} ms: {twin[1][:300]}"
    return "" if len(one) == len(two) else f"{len(one)} messages and {len(two)}"


def played(entries: list[Any]) -> list[Any]:
    """What was played, without times; in which order people pass is for nobody to know."""
    found: list[Any] = []
    passed: list[int] = []
    for entry in entries:
        if isinstance(entry, Move) and entry.do == PASS:
            passed.append(entry.seat)
        else:
            found += [sorted(passed), msgspec.structs.replace(entry, at=None)]
            passed = []
    return [*found, sorted(passed)]


@dataclass
class Compared:
    faults: list[str] = field(default_factory=list)
    pairs: int = 0
    differ: int = 0
    hidden: dict[str, int] = field(default_factory=dict)


def compare(wanted: Wanted, seed: int) -> Compared:
    """By what each viewer could tell a match from its twin."""
    improvised = Improvised(wanted, seed)
    turned(improvised.play)()
    record, evening = improvised.record, improvised.evening
    own = Again(wanted, evening, record)
    turned(own.play)()
    # It is the same match once more, or we would compare something else.
    assert played(own.played) == played(record.entries)
    found = Compared()
    rng = random.Random(seed)
    for viewer in (None, *range(wanted.people)):
        twin = improvised.game.twin(record, viewer, Rng(rng.randbytes(8)))
        again = Again(wanted, evening, twin, viewer, rng)
        turned(again.play)()
        found.pairs += 1
        found.differ += keys(improvised.game, record) != keys(improvised.game, twin)
        for what, count in again.hidden.items():
            found.hidden[what] = found.hidden.get(what, 0) + count
        fault = difference(own.heard[viewer], again.heard[viewer])
        if fault:
            found.faults.append(f"{wanted}, seed {seed}, viewer {viewer}, {fault}")
        else:
            assert played(again.played) == played(twin.entries)
    return found


@pytest.mark.parametrize("seed", range(12 if LONG else 2))
@pytest.mark.parametrize("wanted", TABLES, ids=str)
def test_a_match_and_its_twin_are_heard_at_the_same_times(
    wanted: Wanted, seed: int, record_property: Callable[[str, object], None]
) -> None:
    found = compare(wanted, seed)
    record_property("twins that differ", f"{found.differ} of {found.pairs}")
    record_property("hidden", found.hidden)
    assert found.faults == []


def test_all_is_done_again_at_the_very_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only in the same millisecond: who is a little earlier in it may be before a bot, and then it
    is another match."""
    times: list[float] = []

    async def noted(chair: Chair, kind: str, what: Any) -> None:
        times.append(asyncio.get_running_loop().time())
        await do_it(chair, kind, what)

    do_it = do
    monkeypatch.setitem(globals(), "do", noted)
    for wanted in TABLES:
        improvised = Improvised(wanted, 1)
        turned(improvised.play)()
        first = times.copy()
        times.clear()
        turned(Again(wanted, improvised.evening, improvised.record).play)()
        assert times == pytest.approx(first, abs=1e-6)
        times.clear()


def test_there_is_something_to_hide() -> None:
    """Twins truly differ, and all that leaves no trace was done."""
    hidden: dict[str, int] = {}
    for wanted in TABLES[:4]:
        found = compare(wanted, 1)
        assert 2 * found.differ > found.pairs, wanted
        hidden |= found.hidden
    assert set(hidden) == {"once", "twice", "standing", "never", "hint", "preview", "notes"}


# --- teeth: the comparison notices what it should ------------------------------------------------


def close_when_all_have_passed(patch: pytest.MonkeyPatch) -> None:
    """As it was with one person: the window closes with their answer."""
    patch.setattr(Timekeeper, "_alone", lambda self: len(self.table.people()) <= 1)


def answer_when_ready(patch: pytest.MonkeyPatch) -> None:
    """A bot's answer comes as soon as it has one."""

    async def at_once(self: Players, began: float) -> None: ...

    patch.setattr(Players, "_wait_for_slot", at_once)


def wait_for_who_can_answer(patch: pytest.MonkeyPatch) -> None:
    """A window in which nobody could do more than pass is not waited for."""
    answered = Timekeeper._all_answered

    def leaky(self: Timekeeper) -> bool:
        waiting = self.table.match.state.waiting()
        return answered(self) or all(len(self.table.match.tree(seat)) == 1 for seat in waiting)

    patch.setattr(Timekeeper, "_all_answered", leaky)


def think_only_with_a_choice(patch: pytest.MonkeyPatch) -> None:
    """A bot that has no choice does not take its pause."""
    asks = Players._asks

    def leaky(self: Players) -> Any:
        found = asks(self)
        self.pause = PAUSE / 1000 * (0.1 + max((len(ask.tree) > 1 for ask, _ in found), default=0))
        return found

    patch.setattr(Players, "_asks", leaky)


@pytest.mark.parametrize(
    "leak",
    [
        close_when_all_have_passed,
        answer_when_ready,
        tell_of_passes,
        wait_for_who_can_answer,
        think_only_with_a_choice,
    ],
)
def test_a_leak_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    leak(monkeypatch)
    lone = Wanted("stop-the-train", 1, 3, {"track": "express"}, 70)
    assert any(compare(lone, seed).faults for seed in range(4))
