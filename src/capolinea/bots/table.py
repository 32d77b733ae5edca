"""A match with bots in some or all of its seats, driven to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from capolinea.bots.bot import DECLINE, Bot, Seen
from capolinea.engine.match import Match
from capolinea.engine.playout import Rota
from capolinea.engine.problems import Problem
from capolinea.engine.rng import Rng


class Asked(NamedTuple):
    """A person whose turn it is to say something."""

    seat: int
    may_decline: bool


class Table:
    """Asks one seat after the other. A seat without a bot is a person's."""

    def __init__(self, match: Match, bots: Sequence[Bot | None], seed: bytes) -> None:
        self.match = match
        self.bots = list(bots)
        #: Actions that bots took, and those of them with two or more to choose from.
        self.moves = 0
        self.decisions = 0
        self._rota = Rota()
        self._order = Rng(seed + b" order")
        # One generator a seat: how much one bot thinks does not change what another one draws.
        self._rngs = [Rng(seed + b" seat %d" % seat) for seat in range(len(self.bots))]
        for seat, bot in enumerate(self.bots):
            if bot is not None:
                match.control(seat, "bot", bot.name)

    def play(self) -> Asked | None:
        """Let bots play until a person is asked; None when the match is over."""
        while True:
            seat = self._rota.next(self.match.state, self._order)
            if seat < 0:
                return None
            bot = self.bots[seat]
            if bot is None:
                return Asked(seat, self._rota.may_decline)
            steps = self._choose(bot, seat, self._rota.may_decline)
            if steps:
                self.match.move(seat, steps)
            if self.moves > self.match.game.longest:
                raise Problem("playout.too-long", longest=self.match.game.longest)

    def _choose(self, bot: Bot, seat: int, may_decline: bool) -> list[int]:
        """All steps of what a bot wants to do; none if it lets the moment pass."""
        match = self.match
        view, awaited, said = match.view(seat), match.awaited(), tuple(match.said)
        steps: list[int] = []
        legal = match.legal(seat)
        if not legal:
            raise Problem("playout.dead-end", seat=seat)
        while legal:
            seen = Seen(match.game, seat, view, awaited, said, tuple(steps))
            may = may_decline and not steps
            # The bot gets a list of its own: what it does to it is its own business.
            action = bot.choose(seen, list(legal), self._rngs[seat], may)
            if action == DECLINE and may:
                return []
            if action not in legal:
                raise Problem("bot.illegal", name=bot.name, seat=seat + 1, found=repr(action))
            steps.append(action)
            self.moves += 1
            self.decisions += len(legal) > 1
            legal = match.legal(seat, steps)
        return steps
