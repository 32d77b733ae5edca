"""Playing a state on without a table: whom to ask next, and random play to the end.

This module compiles.
"""

from __future__ import annotations

from capolinea.engine.native import i64
from capolinea.engine.problems import Problem
from capolinea.engine.rng import Rng
from capolinea.engine.state import State


class Rota:
    """Whom a program that drives a match asks next.

    Whoever is midway in a choice goes on. At each public moment everybody whom the game does not wait
    for is offered, once and in seat order, what they may do out of turn. Otherwise one of those waited
    for is asked, whoever chance says, so that no seat is always first.

    In a `hurry`, moves without an alternative are made without asking.
    """

    __slots__ = ("hurry", "legal", "may_decline", "moment", "queue")

    def __init__(self, hurry: bool = False) -> None:
        self.hurry = hurry
        #: The public moment that it was at, and who is yet to be offered something there.
        self.moment = -1
        self.queue: list[int] = []
        #: Of the seat that `next` named: what it may do, and whether it may also decline.
        self.legal: list[int] = []
        self.may_decline = False

    def next(self, state: State, rng: Rng) -> int:
        """The seat to ask, or -1 when the match is over."""
        while True:
            self.may_decline = False
            moment = state.moment()
            if moment != self.moment and state.midway() < 0:
                self.moment = moment
                self.queue = state.free()
                state.hasty = self.hurry
            seat = state.sole()
            if seat < 0 or self.queue:
                seat = self._pick(state, rng)
            else:
                # Nearly every move: one is waited for, and nobody is to be offered anything.
                self.legal = state.legal(seat)
            legal = self.legal
            if len(legal) != 1 or self.may_decline or not self.hurry:
                return seat
            state.play(seat, legal[0])

    def _pick(self, state: State, rng: Rng) -> int:
        seat = state.midway()
        if seat < 0:
            waiting = state.waiting()
            if not waiting:
                self.legal = waiting
                return -1
            while self.queue:
                seat = self.queue.pop(0)
                self.legal = state.legal(seat)
                if self.legal and seat not in waiting:
                    self.may_decline = True
                    return seat
            seat = waiting[0] if len(waiting) == 1 else waiting[rng.below(len(waiting))]
        self.legal = state.legal(seat)
        return seat


class Playout:
    """One match played on at random; counts what it did."""

    def __init__(self, hurry: bool = False) -> None:
        self.hurry = hurry
        #: Actions applied.
        self.moves = 0
        #: Those of them where there were two or more to choose from.
        self.decisions = 0
        #: When set, every action is written down here as seat, action, seat, action, …
        self.trace: list[int] | None = None

    def run(self, state: State, rng: Rng, longest: int) -> None:
        """Play to the end; whoever may act out of turn does so as likely as any other choice."""
        rota = Rota(self.hurry)
        moves: i64 = 0
        decisions: i64 = 0
        trace = self.trace
        while moves <= longest:
            seat = rota.next(state, rng)
            if seat < 0:
                self.moves += moves
                self.decisions += decisions
                return
            legal = rota.legal
            choices = len(legal)
            if rota.may_decline:
                pick = rng.below(choices + 1)
                if pick == choices:
                    continue
            elif choices == 0:
                raise Problem("playout.dead-end", seat=seat)
            else:
                pick = rng.below(choices)
            action = legal[pick]
            state.play(seat, action)
            moves += 1
            if choices > 1:
                decisions += 1
            if trace is not None:
                trace.append(seat)
                trace.append(action)
        raise Problem("playout.too-long", longest=longest)
