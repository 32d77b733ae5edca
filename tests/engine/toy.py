"""A state without rules: a test says who is waited for and who may do what."""

from __future__ import annotations

from capolinea.engine import Refused, Result, State, View

#: An action that the toy always refuses, after it has told of it.
NEVER = 99


class Toy(State):
    """Plays anything; `script` says, move by move, who is waited for next."""

    def __init__(self) -> None:
        super().__init__()
        self.seats = 4
        self.waits: list[int] = [0]
        self.offers: dict[int, list[int]] = {}
        self.mid = -1
        self.now = 0
        #: Whom the toy waits for after each further move; nobody when this runs out.
        self.script: list[list[int]] = []
        #: Every move that was made, and whether anybody listened.
        self.played: list[tuple[int, int]] = []
        self.heard: list[bool] = []

    def waiting(self) -> list[int]:
        return self.waits

    def legal(self, seat: int) -> list[int]:
        assert 0 <= seat < self.seats
        return self.offers.get(seat, [])

    def play(self, seat: int, action: int) -> None:
        if self.loud:
            self.tell("event.played", seat=seat, action=action)
            self.whisper([seat], "event.own", action=action)
        if action == NEVER:
            raise Refused("refused.not-now", "T-1.1")
        self.played.append((seat, action))
        self.heard.append(self.loud)
        self.waits = self.script.pop(0) if self.script else []

    def midway(self) -> int:
        return self.mid

    def moment(self) -> int:
        return self.now

    def view(self, seat: int | None) -> View:
        return View(viewer=seat)

    def default(self, seat: int) -> int:
        return self.offers[seat][0]

    def result(self) -> Result | None:
        return None if self.waits else Result("over", [])

    def copy(self) -> State:
        raise NotImplementedError

    def key(self) -> bytes:
        return repr(self.played).encode()

    def barrier(self) -> bool:
        return True
