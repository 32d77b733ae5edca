"""A title in which everything that a seat alone may know sings: it has the seat's canary in it.

Whoever looks at bytes can tell from them of which match and seat they are, whatever message they came
in: views, events, choices, previews, readings, hints.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from capolinea.engine import (
    Actions,
    Chance,
    Family,
    Game,
    Line,
    Options,
    Outcome,
    Result,
    Rng,
    State,
    View,
)
from capolinea.engine.views import Preview

SIT_STILL, SING = 0, 1


class CageView(View):
    turn: int
    #: What everybody at the table hears, and those who watch.
    song: str
    #: What only this seat knows.
    canary: str = ""


class Cage(State):
    def __init__(self) -> None:
        super().__init__()
        self.turn = 0

    def song(self) -> str:
        return f"song-{self.chance.below('match', 0, 10**9):09}"

    def canary(self, seat: int) -> str:
        return f"canary-{self.chance.below('match', 0, 10**9):09}-{seat}"

    def waiting(self) -> list[int]:
        return [self.turn % self.seats] if self.turn < CageGame.longest else []

    def legal(self, seat: int) -> list[int]:
        return [SIT_STILL, SING] if seat in self.waiting() else []

    def play(self, seat: int, action: int) -> None:
        self.turn += 1
        if self.loud:
            for listener in range(self.seats):
                self.whisper([listener], "event.song", canary=self.canary(listener))

    def view(self, seat: int | None) -> View:
        own = self.canary(seat) if seat is not None else ""
        return CageView(viewer=seat, turn=self.turn, song=self.song(), canary=own)

    def default(self, seat: int) -> int:
        return SIT_STILL

    def result(self) -> Result | None:
        if self.waiting():
            return None
        return Result("silence", [Outcome(True, 0) for _ in range(self.seats)])

    def preview(self, seat: int, actions: Any) -> Preview:
        return Preview([Line("event.song", {"canary": self.canary(seat)})])

    def copy(self) -> State:
        other = Cage()
        other.seats, other.chance, other.turn = self.seats, self.chance, self.turn
        return other

    def key(self) -> bytes:
        return str(self.turn).encode()

    def barrier(self) -> bool:
        return True

    def team(self, seat: int) -> list[int]:
        return [0, 1] if seat < 2 else []


class CageGame(Game):
    id = "canaries"
    seats = range(2, 6)
    rules = "1"
    space = Actions(Family("sit-still"), Family("sing"))
    view_type = CageView
    endings: ClassVar[tuple[str, ...]] = ("silence",)
    longest = 400
    folder = Path(__file__).parent / "no-words"

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        state = Cage()
        state.seats, state.chance = seats, chance
        return state

    def read(self, view: View) -> list[Line]:
        assert isinstance(view, CageView)
        lines = [Line("event.song", {"song": view.song})]
        return [*lines, Line("event.song", {"canary": view.canary})] if view.canary else lines

    def describe(self, view: View, action: int) -> Line:
        assert isinstance(view, CageView)
        return Line("event.song", {"canary": view.canary})

    def imagine(self, view: View, rng: Rng) -> State:
        raise NotImplementedError


GAME = CageGame()
