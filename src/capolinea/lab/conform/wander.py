"""A random match such as people might play: undo, changed minds, sayings, moves out of turn."""

from __future__ import annotations

from contextlib import suppress

from capolinea.engine import Game, Match, Options, Problem, Record, Refused, Rng
from capolinea.engine.playout import Rota
from capolinea.engine.record import Move, altered

#: One step in this many is an undo, a saying, a move out of turn, or somebody taking over a seat.
_UNDO, _SAY, _OUT_OF_TURN, _CONTROL = 6, 8, 10, 60


class Crash(Exception):
    """The rules broke down on a move that `legal` had named. `record` ends with that move."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record = record


def wander(game: Game, seats: int, options: Options, seed: bytes, rng: Rng) -> Match:
    """Play a match to its end, or until nobody can go on; the checks say what is wrong then."""
    names = [f"P{number + 1}" for number in range(seats)]
    match = Match(game, names, options, seed=seed)
    rota = Rota()
    for _ in range(10 * game.longest):  # most of them declined or taken back
        if match.length() > game.longest:
            break
        _aside(match, rng)
        seat = rota.next(match.state, rng)
        if seat < 0:
            break
        if rng.below(_OUT_OF_TURN) == 0:
            seat, rota.may_decline = rng.below(seats), True
        steps = _steps(match, seat, rng)
        if rota.may_decline and (not steps or rng.below(2)):
            continue
        if not steps:
            break
        _move(match, seat, steps)
    return match


def _steps(match: Match, seat: int, rng: Rng) -> list[int]:
    """A whole choice at random, or nothing where there is none."""
    steps: list[int] = []
    state = match.state.copy()
    while True:
        legal = state.legal(seat)
        if not legal:
            return steps
        steps.append(legal[rng.below(len(legal))])
        try:
            state.play(seat, steps[-1])
        except Exception:
            return steps  # `_move` meets the same, and reports it
        if state.midway() != seat:
            return steps


def _move(match: Match, seat: int, steps: list[int]) -> None:
    try:
        match.move(seat, steps)
    except Exception as error:
        last = Move(seat, [match.game.space.json(step) for step in steps])
        record = altered(match.record(reveal=True), entries=[*match.entries, last])
        raise Crash(record) from error


def _aside(match: Match, rng: Rng) -> None:
    """What is not a move."""
    if match.result() is not None:
        return
    seats = len(match.names)
    seat = rng.below(seats)
    if rng.below(_UNDO) == 0:
        for one in range(seats):
            if match.undoable(one):
                match.undo(one)
                return
    if rng.below(_SAY) == 0:
        said = match.game.babble(match.view(seat), rng)
        if said is not None:
            with suppress(Refused):
                match.say(seat, said)
    if rng.below(_CONTROL) == 0:
        match.control(seat, ("person", "bot", "clock")[rng.below(3)])


def options_at_random(game: Game, seats: int, rng: Rng) -> Options:
    """Options drawn until they go together."""
    from capolinea.engine.options import draw

    names = {kind: list(sets) for kind, sets in game.data().items()}
    for _ in range(200):
        options = draw(game.options, rng, names)
        try:
            game.check(seats, options)
        except Refused:
            continue
        return options
    raise Problem("conform.no-options", seats=seats)
