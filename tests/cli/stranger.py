"""A title by somebody else: small, and without a word in any language."""

from __future__ import annotations

from pathlib import Path

from capolinea.engine import (
    Actions,
    Chance,
    Family,
    Game,
    Line,
    Options,
    Outcome,
    Reason,
    Record,
    Refused,
    Result,
    Rng,
    State,
    View,
)

GOAL = 5


class TallyView(View):
    total: int
    turn: int


class Tally(State):
    """In turn, add 1 or 2; who reaches the goal wins."""

    def __init__(self) -> None:
        super().__init__()
        self.total = 0
        self.turn = 0

    def waiting(self) -> list[int]:
        return [] if self.total >= GOAL else [self.turn]

    def legal(self, seat: int) -> list[int]:
        return [0, 1] if seat in self.waiting() else []

    def play(self, seat: int, action: int) -> None:
        if action not in self.legal(seat):
            raise Refused("refused.patience", "T-1", seat=seat)
        self.total += action + 1
        if self.loud:
            self.tell("event.added", seat=seat, pips=action + 1, seen=[0, 1])
        if self.total < GOAL:
            self.turn = (self.turn + 1) % self.seats

    def view(self, seat: int | None) -> View:
        return TallyView(viewer=seat, total=self.total, turn=self.turn)

    def default(self, seat: int) -> int:
        return 0

    def barrier(self) -> bool:
        return True

    def result(self) -> Result | None:
        if self.total < GOAL:
            return None
        outcomes = [
            Outcome(won=seat == self.turn, reasons=[Reason("reason.reached", seat == self.turn)])
            for seat in range(self.seats)
        ]
        return Result("reached", outcomes)

    def copy(self) -> State:
        other = type(self)()
        other.seats, other.chance = self.seats, self.chance
        other.total, other.turn = self.total, self.turn
        return other

    def key(self) -> bytes:
        return bytes([self.seats, self.total, self.turn])


class TallyGame(Game):
    id = "tally"
    seats = range(2, 4)
    rules = "1"
    space = Actions(Family("add", pips=["one", "two"]))
    view_type = TallyView
    endings = ("reached",)
    longest = 20
    folder = Path(__file__).parent / "tally"

    state: type[Tally] = Tally

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        state = self.state()
        state.seats, state.chance = seats, chance
        return state

    def imagine(self, view: View, rng: Rng) -> State:
        assert isinstance(view, TallyView)
        state = self.state()
        state.total, state.turn = view.total, view.turn
        return state

    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        return record

    def read(self, view: View) -> list[Line]:
        assert isinstance(view, TallyView)
        return [Line("read.total", {"total": view.total})]


class Stuck(Tally):
    """Waits for somebody who may do nothing."""

    def legal(self, seat: int) -> list[int]:
        return [] if self.total >= 2 else super().legal(seat)


class StuckGame(TallyGame):
    id = "stuck"
    state = Stuck


GAME = TallyGame()
STUCK = StuckGame()
