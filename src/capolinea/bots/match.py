"""A match with bots in some or all of its seats, driven to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from capolinea.bots.bot import DECLINE, Bot, Seen
from capolinea.engine.events import Event
from capolinea.engine.match import Match
from capolinea.engine.playout import Rota
from capolinea.engine.problems import Problem
from capolinea.engine.rng import Rng


class Turn(NamedTuple):
    """A person whose turn it is to say something."""

    seat: int
    may_decline: bool
    #: There is nothing to choose, but this is a moment to say something.
    to_speak: bool = False


class BotMatch:
    """Asks one seat after the other. A seat without a bot is a person's."""

    def __init__(self, match: Match, bots: Sequence[Bot | None], seed: bytes) -> None:
        self.match = match
        self.bots = list(bots)
        #: Actions that bots took, and those of them with two or more to choose from.
        self.moves = 0
        self.decisions = 0
        #: All that the moves of bots made happen.
        self.told: list[Event] = []
        self._rota = Rota()
        self._order = Rng(seed + b" order")
        # One generator a seat: how much one bot thinks does not change what another one draws.
        self._moment = -1
        self._speakers: list[int] = []
        self._voices = [Rng(seed + b" voice %d" % seat) for seat in range(len(self.bots))]
        self._rngs = [Rng(seed + b" seat %d" % seat) for seat in range(len(self.bots))]
        for seat, bot in enumerate(self.bots):
            if bot is not None:
                match.control(seat, "bot", bot.name)

    def play(self) -> Turn | None:
        """Let bots play until a person is asked; None when the match is over."""
        while True:
            self._let_speak()
            if self._speakers:
                return Turn(self._speakers.pop(0), may_decline=True, to_speak=True)
            seat = self._rota.next(self.match.state, self._order)
            if seat < 0:
                return None
            bot = self.bots[seat]
            if bot is None:
                return Turn(seat, self._rota.may_decline)
            steps = self._choose(bot, seat, self._rota.may_decline)
            if steps:
                self.told += self.match.move(seat, steps)
            if self.moves > self.match.game.longest:
                raise Problem("playout.too-long", longest=self.match.game.longest)

    def _let_speak(self) -> None:
        """At each public moment everybody may say something: bots at once, then people."""
        moment = self.match.state.moment()
        if moment == self._moment:
            return
        self._moment = moment
        for seat, bot in enumerate(self.bots):
            if bot is not None:
                said = bot.speak(self._seen(seat), self._voices[seat])
                if said is not None:
                    self.match.say(seat, said)
            elif self.match.game.worded(self.match.view(seat), "…") is not None:
                self._speakers.append(seat)

    def _seen(self, seat: int, begun: Sequence[int] = ()) -> Seen:
        match = self.match
        view, awaited, said = match.view(seat), match.awaited(), tuple(match.said)
        return Seen(match.game, match.options, seat, view, awaited, said, tuple(begun))

    def _choose(self, bot: Bot, seat: int, may_decline: bool) -> list[int]:
        """All steps of what a bot wants to do; none if it lets the moment pass."""
        match = self.match
        steps: list[int] = []
        legal = match.legal(seat)
        if not legal:
            raise Problem("playout.dead-end", seat=seat)
        while legal:
            may = may_decline and not steps
            # The bot gets a list of its own: what it does to it is its own business.
            action = bot.choose(self._seen(seat, steps), list(legal), self._rngs[seat], may)
            if action == DECLINE and may:
                return []
            if action not in legal:
                raise Problem("bot.illegal", name=bot.name, seat=seat + 1, found=repr(action))
            steps.append(action)
            self.moves += 1
            self.decisions += len(legal) > 1
            legal = match.legal(seat, steps)
        return steps
