"""Who plays for a table what persons do not: its bots, on a public schedule.

A bot's answer comes when what happened has been shown and the pause is over that every bot takes, never
when it is ready: how long a bot thinks must not tell what it holds. A bot that is not ready by then takes
another whole pause.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from math import ceil

import msgspec

from capolinea.engine.match import Tree
from capolinea.engine.options import plain
from capolinea.engine.problems import Problem
from capolinea.server import logs
from capolinea.server.minds import Ask, Minds, Moment, Thought, Variant
from capolinea.server.stage import Stage
from capolinea.server.table import Late, NotKept, Table


class Players:
    """The bots of one table."""

    def __init__(
        self, table: Table, stage: Stage, minds: Minds, pause: float, secret: bytes
    ) -> None:
        self.table = table
        self.stage = stage
        self.minds = minds
        self.pause = pause
        self._secret = secret
        self._woken = asyncio.Event()
        self._waits = False
        #: The last public moment at which bots were asked to speak, and to act out of turn.
        self.moment = -1

    def wake(self) -> None:
        """Something happened."""
        self._woken.set()

    @cached_property
    def _variant(self) -> Variant:
        """Where nobody is ever asked, nobody needs it."""
        return variant_of(self.table)

    async def run(self) -> None:
        """Play on for as long as the table lives."""
        try:
            while not self.table.over:
                self._woken.clear()
                try:
                    busy = await self._round()
                except NotKept:
                    await asyncio.sleep(self.table.retry)
                    continue
                if not busy:
                    self._waits = True
                    await self._woken.wait()
                    self._waits = False
        finally:
            self.minds.forget(self.table.row.id)

    @property
    def idle(self) -> bool:
        """Whether no bot has anything to do before something happens."""
        return self._waits and not self._woken.is_set()

    async def _round(self) -> bool:
        """Let every bot that has something to do do it, once; whether there was one."""
        began = asyncio.get_running_loop().time()
        async with self.table.lock:
            await self.table.refresh()
            asks = self._asks()
            if not asks:
                return False
            moment = moment_of(self.table, [ask for ask, _ in asks])
        thoughts = await self._think(moment)
        await self._wait_for_slot(began)
        await self.stage.over()
        answers = list(zip(asks, thoughts, strict=True))
        said = [await self._speak(ask, thought) for (ask, _), thought in answers]
        if self.pause and any(said) and self.table.match.state.talk() >= 0:
            return True  # what was said in a talk is heard before somebody ends it
        for (ask, question), thought in answers:
            await self._act(ask, question, thought)
        return True

    async def _wait_for_slot(self, began: float) -> None:
        now = asyncio.get_running_loop().time()
        slots = max(1, ceil((now - began) / self.pause)) if self.pause else 0
        await asyncio.sleep(began + slots * self.pause - now)

    # --- whom to ask -----------------------------------------------------------------------------

    def _asks(self) -> list[tuple[Ask, int]]:
        table, state = self.table, self.table.match.state
        if not table.going_on:
            return []
        seats = [seat for seat, by in enumerate(table.match.players) if by == "bot"]
        moment = state.moment()
        new, self.moment = moment != self.moment, moment
        # Bots hear people out.
        waiting = [] if table.talking() else state.waiting()
        free = state.free() if new else []
        asks = []
        # Nobody is always first, and who is can be seen by all.
        for seat in sorted(seats, key=lambda seat: (seat - moment) % len(table.match.names)):
            must = seat in waiting and not self._answered(seat)
            if new or must:
                asks.append(self._ask(seat, new, must or seat in free, not must))
        return asks

    def _answered(self, seat: int) -> bool:
        """Its answer waits for the window to close."""
        return seat in self.table.held

    def _ask(self, seat: int, speak: bool, act: bool, may_decline: bool) -> tuple[Ask, int]:
        table = self.table
        tree = table.match.tree(seat) if act else {}
        bot = table.fold.levels[seat]
        ask = ask_of(table, seat, bot, tree, may_decline, speak, self._seed(seat))
        return ask, table.question(seat).id

    def _seed(self, seat: int) -> bytes:
        """Nothing that has to do with the deal; the same after a restart."""
        what = f"{self.table.row.id} {len(self.table.match.entries)} {seat}"
        return hmac.digest(self._secret, what.encode(), "sha256")

    # --- what they want --------------------------------------------------------------------------

    async def _think(self, moment: Moment) -> list[Thought | None]:
        table, asks = self.table, moment.asks
        answers = await self.minds.think(self._variant, moment)
        for ask, answer in zip(asks, answers, strict=True):
            table.metrics.bot_seconds.labels(ask.bot).observe(answer.seconds)
            if answer.thought is None:  # a bot may be anybody's program
                logs.tell("bot-failed", bot=ask.bot, title=table.game.id, why=answer.why)
        return [answer.thought for answer in answers]

    async def _speak(self, ask: Ask, thought: Thought | None) -> bool:
        """Say it, if it is still the moment; whether it was said."""
        if thought is None or thought.said is None:
            return False
        before = len(self.table.match.said)
        async with self._forgiving(ask):
            await self.table.say(ask.seat, thought.said, bot=ask.bot)
        return len(self.table.match.said) > before

    async def _act(self, ask: Ask, question: int, thought: Thought | None) -> None:
        """Do it, if it is still the moment. A bot that failed does what the clock would do."""
        table, space = self.table, self.table.game.space
        steps: list[int] = thought.steps if thought is not None else []
        async with self._forgiving(ask):
            if thought is None and ask.tree and not ask.may_decline and table.going_on:
                steps = table.match.default(ask.seat)
            if steps:
                do = [space.json(step) for step in steps]
                await table.act(ask.seat, do, question, bot=ask.bot)

    @asynccontextmanager
    async def _forgiving(self, ask: Ask) -> AsyncIterator[None]:
        """Whatever a bot may not do stops nobody."""
        table = self.table
        try:
            yield
        except NotKept:
            await asyncio.sleep(table.retry)
        except Late:
            pass  # it will be asked again
        except Problem as problem:
            logs.tell("bot-refused", bot=ask.bot, title=table.game.id, why=problem.key)


def ask_of(
    table: Table, seat: int, bot: str, tree: Tree, may_decline: bool, speak: bool, seed: bytes
) -> Ask:
    """What a bot in this seat may know that not everybody knows."""
    view = msgspec.json.encode(table.match.view(seat))
    return Ask(bot, seat, view, tree, may_decline, speak, seed)


def moment_of(table: Table, asks: list[Ask]) -> Moment:
    """All that is known to everybody while these are asked."""
    match = table.match
    return Moment(table.row.id, match.awaited(), match.said.copy(), asks)


def variant_of(table: Table) -> Variant:
    options = table.match.options
    json = msgspec.json.encode({**plain(options), "data": options.data})
    return Variant(table.game.id, table.game.rules, json)
