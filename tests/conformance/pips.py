"""Pips: a well-behaved toy, interpreted, without words or data; `broken.py` breaks it in many ways.

Each round one player mulls in secret (swaps a hidden card or not: both look the same), may stake
points (one choice of two steps, which can be taken back), and rolls a die. Then everybody else is
asked in secret: pass, or jeer, for which one must hold a high card. After some rounds all vote at
once on who rolled worst.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec

from capolinea.engine import (
    Actions,
    Chance,
    Family,
    Game,
    Line,
    Match,
    Options,
    Outcome,
    Record,
    Refused,
    Result,
    Rng,
    State,
    View,
)
from capolinea.engine.record import Entry, Move, altered

KEEP, SWAP, STAKE, ROLL, PASS, JEER, VOTE, AMOUNT = 0, 1, 2, 3, 4, 5, 6, 9
MULLING, ROLLING, WINDOW, VOTING, OVER = range(5)
HIGH, CARDS = 5, 9


class PipsView(View):
    phase: int
    turn: int
    current: int
    stakes: int
    points: list[int]
    last: int
    voted: list[int]
    votes: list[int]
    rounds: int
    own: list[int]
    passed: bool


class PipsOptions(Options, frozen=True):
    rounds: Annotated[int, msgspec.Meta(ge=1, le=6)] = 4


class Pips(State):
    def __init__(self) -> None:
        super().__init__()
        self.rounds = 4
        self.phase = MULLING
        self.turn = 0
        self.current = 0
        self.stakes = 0
        self.staking = False  # midway: how much is still to be said
        self.last = 0
        self.cards: list[list[int]] = []
        self.points: list[int] = []
        self.votes: list[int] = []
        self.passed: list[int] = []
        self.fixed = False

    def waiting(self) -> list[int]:
        if self.phase == OVER:
            return []
        if self.phase == WINDOW:
            return [s for s in self.asked() if not self.passed[s]]
        if self.phase == VOTING:
            return [s for s in range(self.seats) if self.votes[s] < 0]
        return [self.current]

    def asked(self) -> list[int]:
        return [s for s in range(self.seats) if s != self.current]

    def midway(self) -> int:
        return self.current if self.staking else -1

    def window(self) -> str:
        return "jeers" if self.phase == WINDOW else ""

    def legal(self, seat: int) -> list[int]:
        if self.staking:
            return [AMOUNT, AMOUNT + 1] if seat == self.current else []
        if self.phase == VOTING:
            return [VOTE + s for s in range(self.seats) if s != seat]
        if self.phase == WINDOW and seat in self.asked():
            legal = [] if self.passed[seat] else [PASS]
            return [*legal, JEER] if max(self.cards[seat]) >= HIGH else legal
        if seat != self.current:
            return []
        if self.phase == MULLING:
            return [KEEP, SWAP]
        if self.phase == ROLLING:
            return [ROLL] if self.stakes else [STAKE, ROLL]
        return []

    def play(self, seat: int, action: int) -> None:
        if action not in self.legal(seat):
            raise Refused("refused.not-now")
        self.fixed = True
        if action in (KEEP, SWAP):
            self.mull(seat, action)
        elif action == STAKE:
            self.staking = True
        elif action >= AMOUNT:
            self.staking = False
            self.stakes = 1 + action - AMOUNT
            self.fixed = False
            if self.loud:
                self.tell("event.staked", seat=seat).setting({"stakes": self.stakes})
        elif action == ROLL:
            self.roll()
        elif action == PASS:
            self.passed[seat] = 1
            if not self.waiting():
                self.end_turn()
        elif action == JEER:
            self.points[self.current] -= 1
            if self.loud:
                self.tell("event.jeered", seat=seat)
            self.end_turn()
        else:
            self.votes[seat] = action - VOTE
            if not self.waiting():
                self.count()

    def mull(self, seat: int, action: int) -> None:
        if action == SWAP:
            self.cards[seat][0] = 1 + self.draw("swap", CARDS)
        self.phase = ROLLING
        if self.loud:
            self.tell("event.mulled", seat=seat).also([seat], cards=list(self.cards[seat]))

    def draw(self, purpose: str, n: int) -> int:
        return self.chance.below(purpose, self.turn, n)

    def roll(self) -> None:
        self.last = 1 + self.draw("die", 6)
        self.points[self.current] += self.last * (1 + self.stakes)
        self.phase = WINDOW
        self.passed = [0] * self.seats
        if self.loud:
            self.tell("event.rolled", pips=self.last).setting({"last": self.last})

    def end_turn(self) -> None:
        self.turn += 1
        self.stakes = 0
        self.current = (self.current + 1) % self.seats
        self.phase = VOTING if self.turn == self.rounds * self.seats else MULLING

    def count(self) -> None:
        for vote in self.votes:
            self.points[vote] -= 1
        self.phase = OVER
        if self.loud:
            self.tell("event.counted", votes=list(self.votes))

    def default(self, seat: int) -> int:
        return self.legal(seat)[0]

    def barrier(self) -> bool:
        return self.fixed

    def view(self, seat: int | None) -> View:
        return self.view_type()(**self.shown(seat))

    def view_type(self) -> type[PipsView]:
        return PipsView

    def shown(self, seat: int | None) -> dict[str, Any]:
        voting, over = self.phase == VOTING, self.phase == OVER
        return {
            "viewer": seat,
            "phase": self.phase,
            "turn": self.turn,
            "current": self.current,
            "stakes": self.stakes,
            "points": list(self.points),
            "last": self.last,
            "voted": [s for s in range(self.seats) if self.votes[s] >= 0] if voting else [],
            "votes": list(self.votes) if over else ([self.votes[seat]] if seat is not None else []),
            "rounds": self.rounds,
            "own": [] if seat is None else list(self.cards[seat]),
            "passed": self.phase == WINDOW and seat is not None and bool(self.passed[seat]),
        }

    def result(self) -> Result | None:
        if self.phase != OVER:
            return None
        best = max(self.points)
        return Result("counted", [Outcome(p == best, p) for p in self.points])

    def copy(self) -> State:
        other = type(self)()
        for name in (
            "seats",
            "chance",
            "rounds",
            "phase",
            "turn",
            "current",
            "stakes",
            "staking",
            "last",
        ):
            setattr(other, name, getattr(self, name))
        other.cards = [list(hand) for hand in self.cards]
        other.points = list(self.points)
        other.votes = list(self.votes)
        other.passed = list(self.passed)
        other.fixed = self.fixed
        return other

    def key(self) -> bytes:
        numbers = [self.phase, self.turn, self.current, self.stakes, self.staking, self.last]
        return repr(
            (numbers, self.cards, self.points, self.votes, self.passed, self.fixed)
        ).encode()


class PipsGame(Game):
    id = "pips"
    seats = range(2, 4)
    rules = "1"
    space = Actions(
        Family("keep"),
        Family("swap"),
        Family("stake"),
        Family("roll"),
        Family("pass"),
        Family("jeer"),
        Family("vote", seat=3),
        Family("amount", points=["one", "two"]),
    )
    options = PipsOptions
    view_type = PipsView
    endings: ClassVar[tuple[str, ...]] = ("counted",)
    windows = ("jeers",)
    longest = 400
    folder = Path(__file__).parent
    state_type: ClassVar[type[Pips]] = Pips

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        assert isinstance(options, PipsOptions)
        state = self.state_type()
        state.seats, state.chance, state.rounds = seats, chance, options.rounds
        state.cards = [
            [1 + chance.below("card", 2 * seat + place, CARDS) for place in (0, 1)]
            for seat in range(seats)
        ]
        state.points = [0] * seats
        state.votes = [-1] * seats
        state.passed = [0] * seats
        return state

    def imagine(self, view: View, rng: Rng) -> State:
        assert isinstance(view, PipsView)
        state = self.state_type()
        seats = state.seats = len(view.points)
        state.chance = Chance(rng.bytes(32))
        state.rounds, state.phase, state.turn = view.rounds, view.phase, view.turn
        state.current, state.stakes, state.last = view.current, view.stakes, view.last
        state.points = list(view.points)
        state.cards = [[1 + rng.below(CARDS), 1 + rng.below(CARDS)] for _ in range(seats)]
        state.votes, state.passed = [-1] * seats, [0] * seats
        for seat in view.voted:
            state.votes[seat] = (seat + 1 + rng.below(seats - 1)) % seats
        if view.phase == OVER:
            state.votes = list(view.votes)
        if view.viewer is not None:
            state.cards[view.viewer] = list(view.own)
            state.passed[view.viewer] = int(view.passed)
            if view.phase != OVER:
                state.votes[view.viewer] = view.votes[0]
        return state

    def read(self, view: View) -> list[Line]:
        return []

    def babble(self, view: View, rng: Rng) -> Any | None:
        return {"boast": rng.below(10)} if view.viewer is not None else None

    def say(self, view: View, seat: int, said: Any) -> Line:
        if not isinstance(said, dict) or set(said) != {"boast"}:
            raise Refused("refused.claim-form")
        return Line("event.boast", {"seat": seat, "number": said["boast"]})

    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        """Others hold other cards (high ones stay high where they jeered) and mull otherwise."""
        deal = Match.dealt(self, record)
        entries: list[Entry] = list(record.entries)
        jeered = {e.seat for e in entries if isinstance(e, Move) and e.do[0] == {"do": "jeer"}}
        for index, card in enumerate(deal["card"]):
            assert isinstance(card, int)
            if index // 2 != viewer:
                deal["card"][index] = _other(card, rng, index // 2 in jeered)
        owners: dict[int, int] = {}
        for number, entry in enumerate(entries):
            if isinstance(entry, Move) and entry.do[0]["do"] in ("keep", "swap"):
                if entry.seat not in (viewer, *jeered):
                    do = ("keep", "swap")[rng.below(2)]
                    entries[number] = msgspec.structs.replace(entry, do=[{"do": do}])
                owners[len(owners)] = entry.seat
        for index, card in enumerate(deal.get("swap", [])):
            if isinstance(card, int) and owners.get(index) != viewer:
                deal["swap"][index] = _other(card, rng, owners.get(index) in jeered)
        return altered(record, seed="", seed_hash="", deal=deal, entries=entries)


def _other(card: int, rng: Rng, same_class: bool) -> int:
    """Another card (from 0), if need be one that is high or low like this one."""
    if not same_class:
        return rng.below(CARDS)
    low = HIGH - 1
    return low + rng.below(CARDS - low) if card >= low else rng.below(low)


GAME = PipsGame()
