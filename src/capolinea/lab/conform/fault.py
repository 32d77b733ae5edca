"""What the kit found, and what it looks at."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from capolinea.engine import Game, Match, Problem, Record, Rng, State, Viewer
from capolinea.engine.record import Entry, Move


class Fault(Problem):
    """Something that does not hold. `check` names the check, `key` and its arguments say what."""

    def __init__(self, key: str, /, **args: object) -> None:
        super().__init__(key, **args)
        self.check = key.split(".")[1]
        #: Where two matches should look the same and do not: the other one.
        self.twin: Record | None = None


@dataclass
class Case:
    """One match to look at, thoroughly (every position) or here and there, as all or one viewer.

    `only` is a viewer as faults number them.
    """

    game: Game
    record: Record
    rng: Rng
    thorough: bool = False
    only: int | None = None

    def sampled(self, one_in: int) -> bool:
        return self.thorough or self.rng.below(one_in) == 0


Check = Callable[[Case], None]


@dataclass
class Position:
    """A moment of a match: before its entry number `number`, or at the end of what was played."""

    match: Match
    number: int
    entry: Entry | None

    @property
    def state(self) -> State:
        return self.match.state

    def steps(self) -> list[int]:
        """The steps of the move that comes next."""
        assert isinstance(self.entry, Move)
        space = self.match.game.space
        return [space.parse(step) for step in self.entry.do]


def positions(case: Case) -> Iterator[Position]:
    """Every moment of the match, in order; the match goes on when the next one is asked for."""
    match = Match.begin(case.game, case.record)
    for number, entry in enumerate(case.record.entries):
        yield Position(match, number, entry)
        match.follow(entry, number)
    yield Position(match, len(case.record.entries), None)


def viewers(seats: int) -> list[Viewer]:
    """Everybody who may look on: each seat, and a spectator."""
    return [*range(seats), None]


def number_of(viewer: Viewer) -> int:
    """A viewer in a fault: people count seats from 1, and 0 is a spectator."""
    return 0 if viewer is None else viewer + 1


def encoded(value: object) -> bytes:
    return msgspec.json.encode(value)


def place(error: BaseException, game: Game) -> str:
    """Where in a title's own files an error came up: "rules.py:169 in _shake"."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).parent == game.folder]
    frame = (own or frames)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"
