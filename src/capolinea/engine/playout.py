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

    __slots__ = ("hurry", "legal", "may_decline", "moment", "offered", "queue")

    def __init__(self, hurry: bool = False) -> None:
        self.hurry = hurry
        #: The public moment that it was at, who is offered something there, and how many have been.
        self.moment = -1
        self.queue: list[int] = []
        self.offered: i64 = 0
        #: Of the seat that `next` named: what it may do, and whether it may also decline.
        self.legal: list[int] = []
        self.may_decline = False

    def next(self, state: State, rng: Rng) -> int:
        """The seat to ask, or -1 when the match is over."""
        while True:
            self.may_decline = False
            seat = state.midway()
            if seat < 0:
                moment = state.moment()
                if moment != self.moment:
                    self.moment = moment
                    self.queue = state.free()
                    self.offered = 0
                    state.hasty = self.hurry
                waiting = state.awaited()
                if not waiting:
                    self.legal = []
                    return -1
                if self.offered < len(self.queue):
                    seat = self._offer(state, waiting)
                    if seat >= 0:
                        return seat
                seat = _one_of(waiting, rng)
            legal = state.legal(seat)
            if len(legal) != 1 or not self.hurry:
                self.legal = legal
                return seat
            state.play(seat, legal[0])

    def _offer(self, state: State, waiting: i64) -> int:
        """The next who may do something although they are not waited for, or -1."""
        while self.offered < len(self.queue):
            seat = self.queue[self.offered]
            self.offered += 1
            if not waiting >> seat & 1:
                self.legal = state.legal(seat)
                if self.legal:
                    self.may_decline = True
                    return seat
        return -1


def _one_of(seats: i64, rng: Rng) -> int:
    """One of these seats, which are bits; chance is asked only where there is a choice."""
    count: i64 = 0
    left = seats
    while left:
        left &= left - 1
        count += 1
    skip: i64 = rng.below(count) if count > 1 else 0
    while skip:
        seats &= seats - 1
        skip -= 1
    seat: i64 = 0
    while not seats >> seat & 1:
        seat += 1
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
