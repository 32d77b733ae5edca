"""A toy title that changes: two players in turn take one to three wagons, and who takes the last wins.

FIRST is how it was released. The others are what it might become.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from capolinea.engine import (
    Actions,
    Chance,
    Data,
    Family,
    Game,
    Line,
    Options,
    Outcome,
    Refused,
    Result,
    State,
    View,
)


class WagonOptions(Options, frozen=True):
    wagons: Annotated[int, Meta(ge=1, le=99)] = 7


class Siding(State):
    """The wagons that are left, and whose turn it is."""

    def __init__(self) -> None:
        super().__init__()
        self.seats = 2
        self.left = 0
        self.turn = 0

    def waiting(self) -> list[int]:
        return [self.turn] if self.left > 0 else []

    def legal(self, seat: int) -> list[int]:
        return list(range(min(3, self.left))) if seat in self.waiting() else []

    def play(self, seat: int, action: int) -> None:
        if action not in self.legal(seat):
            raise Refused("refused.not-now")
        self.take(action + 1)
        self.turn = 1 - seat
        if self.loud:
            self.tell("event.took", seat=seat)

    def take(self, wagons: int) -> None:
        self.left -= wagons

    def view(self, seat: int | None) -> View:
        return View(viewer=seat)

    def default(self, seat: int) -> int:
        return 0

    def winner(self) -> int:
        return 1 - self.turn

    def result(self) -> Result | None:
        if self.left > 0:
            return None
        won = self.winner()
        return Result("empty", [Outcome(won=seat == won) for seat in range(2)])

    def copy(self) -> State:
        other = type(self)()
        other.chance, other.loud = self.chance, self.loud
        other.left, other.turn = self.left, self.turn
        return other

    def key(self) -> bytes:
        return repr([self.left, self.turn]).encode()

    def barrier(self) -> bool:
        return False


class Wagons(Game):
    id = "wagons"
    rules = "1"
    seats = range(2, 3)
    space = Actions(Family("take", wagons=range(1, 4)))
    view_type = View
    endings = ("empty",)
    longest = 99
    folder = Path(__file__).parent
    options: ClassVar[type[Options]] = WagonOptions
    state: ClassVar[type[Siding]] = Siding

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        assert isinstance(options, WagonOptions)
        siding = self.state()
        siding.chance, siding.left = chance, options.wagons
        return siding

    def read(self, view: View) -> list[Line]:
        return []

    def say(self, view: View, seat: int, said: Any) -> Line:
        if said != "tut":
            raise Refused("refused.not-now")
        return Line("event.whistled", {"seat": seat})


FIRST = Wagons()


# --- what it might become ------------------------------------------------------------------------


class MoreOptions(WagonOptions, frozen=True):
    """An option more, and a kind of data more."""

    whistle: bool = False
    yard: Annotated[str, Data("yard")] = "opicina"


class Renamed(Wagons):
    """Other rules by their name, with more options and other words; all old matches go as they went."""

    rules = "2"
    options = MoreOptions

    def data(self) -> dict[str, dict[str, Any]]:
        return {"yard": {"opicina": {"tracks": 3}}}

    def say(self, view: View, seat: int, said: Any) -> Line:
        raise Refused("refused.nothing-to-say")


class Heavy(Siding):
    """Who takes three takes one more along."""

    def take(self, wagons: int) -> None:
        self.left -= wagons + (wagons == 3)


class Changed(Wagons):
    """Matches in which somebody took three go another way."""

    rules = "2"
    state = Heavy


class ChangedKept(Changed):
    """… but the first rules are kept beside these."""

    older: ClassVar[dict[str, str]] = {"1": "tests.engine.wagons:FIRST"}


class Broken(Siding):
    """Three wagons make these rules fall over."""

    def take(self, wagons: int) -> None:
        self.left -= [0, 1, 2][wagons]


class Falling(Wagons):
    rules = "2"
    state = Broken


class Blind(Siding):
    """What comes after three wagons cannot be shown."""

    def view(self, seat: int | None) -> View:
        if self.left == 3:
            raise IndexError
        return View(viewer=seat)


class Unshown(Wagons):
    rules = "2"
    state = Blind


class Misere(Siding):
    """Who takes the last loses: no state is another, but the end is."""

    def winner(self) -> int:
        return self.turn


class OtherEnd(Wagons):
    rules = "2"
    state = Misere


class OtherKey(Siding):
    """The same state, written another way."""

    def key(self) -> bytes:
        return f"{self.left} left, {self.turn} next".encode()


class Rewritten(Wagons):
    """Its states have other keys now, and it knows those that they had."""

    state = OtherKey

    def older_keys(self, state: State) -> list[bytes]:
        assert isinstance(state, Siding)
        return [Siding.key(state)]


RENAMED, CHANGED, CHANGED_KEPT = Renamed(), Changed(), ChangedKept()
FALLING, UNSHOWN, OTHER_END, REWRITTEN = Falling(), Unshown(), OtherEnd(), Rewritten()
