"""Emergency meetings (ST-5.5, ST-5.6) and their aftermath (ST-7.7 to ST-7.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.engine.native import i64
from capolinea.games.stop_the_train.rules import do, steps, where
from capolinea.games.stop_the_train.rules.notes import Meeting

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train

#: ST-5.5: more than two must be on board.
TOO_FEW: Final = 2


def call(train: Train) -> None:
    """ST-5.5; a second one starts clean (ST-7.7)."""
    if train.aboard() <= TOO_FEW:
        return
    train.ballots = [-1] * train.seats
    train.occupied = []
    train.first_class = []
    train.secret_ballot = False
    train.locked = False
    train.falling = []
    train.draggers = []
    train.dragged = []
    train.rescuer = -1
    train.second_meeting = False
    train.moments += 1
    train.stack += [steps.AFTERMATH, steps.BALLOT, steps.TALK]
    if train.loud:
        train.tell("event.meeting", minutes=train.talk_minutes)


def takes_part(train: Train, seat: int) -> bool:
    """Who votes and can be voted for: not who is in the lavatory, nor who hangs outside."""
    return train.status[seat] == where.ABOARD and seat not in train.occupied


def voters_missing(train: Train) -> int:
    """As bits: an open vote goes round from the left of the current player, a secret one is all at
    once."""
    if train.locked:
        return 0
    voters: i64 = 0
    missing: i64 = 0
    for step in range(1, train.seats + 1):
        seat = (train.now.current + step) % train.seats
        if train.status[seat] == where.ABOARD and seat not in train.occupied:
            voters += 1
            if train.ballots[seat] < 0 and (train.secret_ballot or not missing):
                missing |= 1 << seat
    return 0 if voters < 2 else missing


def may_name(train: Train, seat: int, other: int) -> bool:
    """Exactly one other player who takes part."""
    return other < train.seats and other != seat and takes_part(train, other)


def choices(train: Train, seat: int) -> list[int]:
    return [do.THROW_OFF + s for s in range(train.seats) if s != seat and takes_part(train, s)]


def vote(train: Train, seat: int, other: int) -> bool:
    """Openly, one by one; a secret ballot is open to change until the last one is cast."""
    if train.stack[-1] != steps.BALLOT or not may_name(train, seat, other):
        return False
    if not train.asked >> seat & 1 and not train.may_change(seat, steps.BALLOT):
        return False
    train.ballots[seat] = other
    if train.loud and not train.secret_ballot:
        train.tell("event.ballot", seat=seat, other=other)
    return True


def count(train: Train) -> None:
    """Most votes: thrown off. A tie: nobody. First class counts double."""
    if train.locked:
        return
    tally = [0] * train.seats
    for seat in range(train.seats):
        if train.ballots[seat] >= 0:
            tally[train.ballots[seat]] += 2 if seat in train.first_class else 1
    most = max(tally)
    if most and tally.count(most) == 1:
        train.falling = [tally.index(most)]
    if not train.loud:
        return
    if train.secret_ballot:
        for seat in range(train.seats):
            if tally[seat]:
                train.tell("event.ballots", seat=seat, count=tally[seat])
    if train.falling:
        train.tell("event.falling", seat=train.falling[0], count=most)
    else:
        train.tell("event.nobody-falls")


def end(train: Train) -> None:
    """ST-5.6: who is still falling is off; a Second Meeting resolves last (ST-7.9)."""
    meeting = Meeting(len(train.turns), train.ballots, train.secret_ballot, train.falling)
    train.past_meetings.append(meeting)
    for seat in train.falling:
        train.leave(seat, where.OFF)
        if train.loud:
            event = train.tell("event.off", seat=seat)
            event.setting({f"players.{seat}.status": "off", f"players.{seat}.permits": 0})
    train.falling = []
    if train.second_meeting:
        train.stack.append(steps.MEETING)


# --- the aftermath's cards ------------------------------------------------------------------------


def somebody_falls_alone(train: Train) -> bool:
    """Whether anybody falls who has not dragged somebody along."""
    for seat in train.falling:  # noqa: SIM110 - a generator would be slow here
        if seat not in train.draggers:
            return True
    return False


def save(train: Train, seat: int, other: int) -> None:
    """Extend Your Hand; who dragged somebody along may pull the rescuer off too (ST-7.9)."""
    if other in train.draggers:
        train.rescuer = seat
        train.choosers.append(other)
        train.stack.append(steps.RESCUE)
        if train.loud:
            train.tell("event.hand", seat=seat, other=other)
        return
    stop_falling(train, other)
    if train.loud:
        train.tell("event.saved", seat=seat, other=other)


def answer_rescue(train: Train, seat: int, pull: bool) -> bool:
    """Both leave or both stay; the one who was dragged stays aboard either way."""
    if (do.PULL if pull else do.ACCEPT) not in train.answers(seat):
        return False
    train.stack.pop()
    dragger, rescuer = train.choosers.pop(), train.rescuer
    victim = train.dragged[train.draggers.index(dragger)]
    stop_falling(train, victim)
    if pull:
        train.falling.append(rescuer)
    else:
        stop_falling(train, dragger)
    if train.loud:
        key = "event.pulled" if pull else "event.accepted"
        train.tell(key, seat=dragger, other=rescuer, victim=victim)
    return True


def hang_on(train: Train, seat: int) -> None:
    """ST-7.8."""
    stop_falling(train, seat)
    train.status[seat] = where.HANGING
    if train.loud:
        event = train.tell("event.hanging", seat=seat)
        event.setting({f"players.{seat}.status": "hanging"})


def drag(train: Train, seat: int, other: int) -> None:
    """You're Coming with Me."""
    train.falling.append(other)
    train.draggers.append(seat)
    train.dragged.append(other)
    if train.loud:
        train.tell("event.dragged", seat=seat, other=other)


def stop_falling(train: Train, seat: int) -> None:
    if seat in train.falling:
        train.falling.remove(seat)
