"""Checks that the rules are whole: no dead end, no crash, `legal` is what `apply` accepts, and so on."""

from __future__ import annotations

from contextlib import suppress

from capolinea.engine import Match, Preview, Record, Refused, Rng, State
from capolinea.engine.playout import Playout
from capolinea.engine.problems import Problem
from capolinea.engine.record import Move, altered
from capolinea.lab.conform.fault import (
    Case,
    Fault,
    Position,
    encoded,
    number_of,
    positions,
    viewers,
)


def check_play(case: Case) -> None:
    """Nobody is stuck, the end is the end, and a match has a bounded length."""
    try:
        for position in positions(case):
            _whole(case, position)
    except Fault:
        raise
    except Problem as problem:
        if isinstance(problem.__cause__, Refused):
            raise Fault("fault.play.refused", why=problem) from problem
        raise


def _whole(case: Case, position: Position) -> None:
    state = position.state
    waiting = state.waiting()
    number = position.number
    if position.match.length() > case.game.longest:
        raise Fault("fault.play.too-long", entry=number, longest=case.game.longest)
    in_order = waiting == sorted(set(waiting)) and all(0 <= s < state.seats for s in waiting)
    if not in_order:
        raise Fault("fault.play.waiting", entry=number, found=repr(waiting))
    if state.awaited() != sum(1 << seat for seat in waiting):
        raise Fault("fault.play.awaited", entry=number, found=repr(waiting))
    if (state.result() is not None) != (not waiting):
        raise Fault("fault.play.end", entry=number, waiting=len(waiting))
    for seat in range(state.seats):
        legal = state.legal(seat)
        if legal != sorted(set(legal)):
            raise Fault("fault.play.legal-order", entry=number, seat=seat + 1, found=repr(legal))
        if seat in waiting and not legal:
            raise Fault("fault.play.dead-end", entry=number, seat=seat + 1)
        if not waiting and legal:
            raise Fault("fault.play.after-end", entry=number, seat=seat + 1)
    result = state.result()
    if result is not None:
        if result.ending not in case.game.endings:
            raise Fault("fault.play.ending", ending=result.ending)
        if len(result.outcomes) != state.seats:
            raise Fault("fault.play.outcomes", found=len(result.outcomes), seats=state.seats)
        for outcome in result.outcomes:
            if outcome.role and outcome.role not in case.game.roles:
                raise Fault("fault.play.role", role=outcome.role)
    window = state.window()
    if window and window not in case.game.windows:
        raise Fault("fault.play.window", window=window)


def check_legal(case: Case) -> None:
    """`apply` takes what `legal` lists and nothing else; a refusal changes nothing."""
    for position in positions(case):
        if case.sampled(4):
            for seat in range(position.state.seats):
                _accepts(case, position, seat)
    # Compound choices midway: every step of one that was played is such a position too.
    for position in positions(case):
        if isinstance(position.entry, Move) and len(position.entry.do) > 1:
            _midway(position)


def _accepts(case: Case, position: Position, seat: int) -> None:
    state = position.state
    legal = state.legal(seat)
    if legal != state.legal(seat):
        raise Fault("fault.legal.unsteady", entry=position.number, seat=seat + 1)
    for action in legal:
        try:
            state.copy().apply(seat, action)
        except Refused as refused:
            raise Fault(
                "fault.legal.refuses",
                entry=position.number,
                seat=seat + 1,
                action=str(case.game.space.json(action)),
                why=refused.key,
            ) from refused
    # One copy for all: each refusal must leave it as it was.
    probe = state.copy()
    before = probe.key()
    for action in _others(case, legal):
        where = {
            "entry": position.number,
            "seat": seat + 1,
            "action": str(case.game.space.json(action)),
        }
        _refuses(probe, before, seat, action, where)


def _others(case: Case, legal: list[int]) -> list[int]:
    """Actions that are not legal: all of a small space, some of a large one."""
    size = case.game.space.size
    if size <= 60:
        some = list(range(size))
    else:
        some = [case.rng.below(size) for _ in range(20)]
    return [action for action in some if action not in legal]


def _refuses(state: State, before: bytes, seat: int, action: int, where: dict[str, object]) -> None:
    try:
        state.apply(seat, action)
    except Refused:
        if state.key() != before:
            raise Fault("fault.legal.half-done", **where) from None
        return
    except Exception as error:
        raise Fault("fault.legal.crash", error=repr(error), **where) from error
    raise Fault("fault.legal.accepts", **where)


def _midway(position: Position) -> None:
    """Midway nobody else can act, nothing is told, and no further step is accepted than is legal."""
    assert isinstance(position.entry, Move)
    seat = position.entry.seat
    state = position.state.copy()
    for step in position.steps()[:-1]:
        if state.apply(seat, step):
            raise Fault("fault.legal.told-midway", entry=position.number)
        if state.midway() != seat or state.waiting() != [seat]:
            raise Fault("fault.legal.midway", entry=position.number, seat=seat + 1)
        for other in range(state.seats):
            if other != seat and state.legal(other):
                raise Fault("fault.legal.midway", entry=position.number, seat=other + 1)


def check_quiet(case: Case) -> None:
    """A quiet move comes to the same as a loud one."""
    for position in positions(case):
        if not isinstance(position.entry, Move):
            continue
        loud, quiet = position.state.copy(), position.state.copy()
        for step in position.steps():
            loud.apply(position.entry.seat, step)
            quiet.play(position.entry.seat, step)
        alike = loud.key() == quiet.key()
        if not alike or (case.sampled(3) and _picture(loud) != _picture(quiet)):
            raise Fault("fault.quiet.differs", entry=position.number)


def check_hurry(case: Case) -> None:
    """Moves without an alternative, made in a hurry, come to the same as when they are made one by
    one; `free` names whoever has something to do out of turn, and nobody who is waited for."""
    for position in positions(case):
        if not case.sampled(3) or position.state.midway() >= 0:
            continue
        state, waiting = position.state, position.state.waiting()
        able = [s for s in range(state.seats) if s not in waiting and state.legal(s)]
        free = state.free()
        if not set(able) <= set(free) or set(free) & set(waiting):
            raise Fault(
                "fault.hurry.free",
                entry=position.number,
                found=_numbers(free),
                able=_numbers(able),
            )
        if not isinstance(position.entry, Move):
            continue
        hurried, patient = state.copy(), state.copy()
        hurried.hasty = True
        for step in position.steps():
            hurried.play(position.entry.seat, step)
            patient.play(position.entry.seat, step)
        _make_forced_moves(hurried)
        _make_forced_moves(patient)
        if hurried.key() != patient.key():
            raise Fault("fault.hurry.differs", entry=position.number)


def _numbers(seats: list[int]) -> str:
    return ", ".join(str(seat + 1) for seat in seats) or "–"


def _make_forced_moves(state: State) -> None:
    """Whoever is waited for and has but one thing to do does it, until nobody is left who has."""
    while state.midway() < 0:
        forced = [seat for seat in state.waiting() if len(state.legal(seat)) == 1]
        if not forced:
            return
        state.play(forced[0], state.legal(forced[0])[0])


def check_copy(case: Case) -> None:
    """What happens to a copy does not happen to the original, nor the other way round."""
    for position in positions(case):
        if not case.sampled(5):
            continue
        original = position.state
        before = _picture(original)
        copy, second = original.copy(), original.copy()
        fields = _fields(original)
        forgotten = _changed(fields, copy)
        if forgotten or _picture(copy) != before:
            raise Fault("fault.copy.forgets", entry=position.number, fields=forgotten)
        _play_on(copy, case)
        shared = sorted({*_changed(fields, original), *_changed(fields, second)})
        if shared or _picture(original) != before or _picture(second) != before:
            raise Fault("fault.copy.shared", entry=position.number, fields=shared)


#: What the engine keeps in a state for the time of a move.
_PASSING = ("loud", "told", "chance")


def _fields(state: State) -> dict[str, str]:
    """Every attribute of a state as text, to find the one that is not as it was."""
    names = list(getattr(state, "__dict__", ()))
    for cls in type(state).__mro__:  # compiled classes keep them elsewhere
        slots = [*getattr(cls, "__slots__", ()), *getattr(cls, "__mypyc_attrs__", ())]
        names += [name for name in slots if hasattr(state, name)]
    return {
        name: repr(getattr(state, name))
        for name in names
        if name not in _PASSING and not name.startswith("__")
    }


def _changed(fields: dict[str, str], state: State) -> list[str]:
    now = _fields(state)
    return [name for name, value in fields.items() if now.get(name) != value]


def _play_on(state: State, case: Case) -> None:
    """To the end, at random; where that breaks, another check says so."""
    with suppress(Problem):
        Playout().run(state, Rng(b"copy"), case.game.longest)


def _picture(state: State) -> list[bytes]:
    """All that can be seen of a state from outside."""
    return [state.key(), *(encoded(state.view(viewer)) for viewer in viewers(state.seats))]


def check_preview(case: Case) -> None:
    """A preview stores nothing, and what is not legal has none."""
    for position in positions(case):
        if not case.sampled(5):
            continue
        state = position.state
        for seat in range(state.seats):
            legal = state.legal(seat)
            for action in [*legal, case.rng.below(case.game.space.size)]:
                _preview(position, seat, action, action in legal)


def _preview(position: Position, seat: int, action: int, legal: bool) -> None:
    where = {"entry": position.number, "seat": seat + 1, "action": action}
    before = position.state.key(), encoded(position.state.view(seat))
    try:
        preview = position.state.preview(seat, [action])
        if not legal or not isinstance(preview, Preview):
            raise Fault("fault.preview.illegal", **where)
    except Refused:
        pass  # no preview of this, or none at all
    if (position.state.key(), encoded(position.state.view(seat))) != before:
        raise Fault("fault.preview.stores", **where)


def check_key(case: Case) -> None:
    """States that anybody could tell apart have different keys."""
    pictures: dict[bytes, tuple[int, list[bytes]]] = {}
    for position in positions(case):
        picture = _picture(position.state)
        first, same = pictures.setdefault(picture[0], (position.number, picture))
        if same != picture:
            raise Fault("fault.key.same", one=first, two=position.number)


def check_default(case: Case) -> None:
    """What the clock would play is legal, always the same, and leads on to a whole choice."""
    for position in positions(case):
        for seat in position.state.waiting():
            state = position.state.copy()
            for _ in range(100):
                action = state.default(seat)
                if action not in state.legal(seat) or action != state.default(seat):
                    raise Fault(
                        "fault.default.illegal", entry=position.number, seat=seat + 1, action=action
                    )
                state.play(seat, action)
                if state.midway() != seat:
                    break
            else:
                raise Fault("fault.default.endless", entry=position.number, seat=seat + 1)


def check_undo(case: Case) -> None:
    """What may be taken back freely has revealed nothing, left nothing to chance, and asked nobody."""
    for position in positions(case):
        if isinstance(position.entry, Move):
            _barrier(case, position, position.entry.seat)
    _restores(case)


def _barrier(case: Case, position: Position, seat: int) -> None:
    steps = position.steps()
    before, after = position.state, position.state.copy()
    chance = before.chance
    chance.drawn = {}
    for step in steps:
        after.play(seat, step)
    drawn = sorted(chance.drawn)
    chance.drawn = None
    if after.barrier():
        return
    if drawn:
        raise Fault("fault.undo.chance", entry=position.number, purpose=", ".join(drawn))
    if any(other != seat for other in before.waiting()):
        raise Fault("fault.undo.others", entry=position.number)
    for viewer in viewers(before.seats):
        for _ in range(3):
            other = case.game.imagine(before.view(viewer), case.rng)
            if not all(_plays(other, seat, step) for step in steps):
                if viewer == seat:
                    raise Fault(
                        "fault.undo.revealed", entry=position.number, viewer=number_of(viewer)
                    )
                continue
            if encoded(other.view(viewer)) != encoded(after.view(viewer)):
                raise Fault("fault.undo.revealed", entry=position.number, viewer=number_of(viewer))


def _plays(state: State, seat: int, step: int) -> bool:
    if step not in state.legal(seat):
        return False
    state.play(seat, step)
    return True


def _restores(case: Case) -> None:
    """Taken back, a move leaves no trace; done again, it falls the same way."""
    # Each one plays the match anew up to there: of a long one only some twenty.
    every = max(6, len(case.record.entries) // 20)
    for position in positions(case):
        if not isinstance(position.entry, Move) or not case.sampled(every):
            continue
        match = Match.fold(case.game, _until(case, position.number + 1))
        if match.result() is not None:
            continue  # the seed is known now
        before, after = _picture(position.state), _picture(match.state)
        match.undo(position.entry.seat, position.number, agreed=True)
        if _picture(match.state) != before:
            raise Fault("fault.undo.trace", entry=position.number)
        match.move(position.entry.seat, position.steps())
        if _picture(match.state) != after:
            raise Fault("fault.undo.redone", entry=position.number)


def _until(case: Case, number: int) -> Record:
    return altered(case.record, entries=case.record.entries[:number])
