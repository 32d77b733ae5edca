"""Whether a passenger plays an intervention card now."""

from __future__ import annotations

from capolinea.bots.passenger.mind import ROUTES, Mind
from capolinea.bots.passenger.outlook import accelerates, speed_after, speed_before
from capolinea.games.stop_the_train.rules.turn import SPACE

#: From here on a suspect is certain enough to act on.
SURE = 0.45
#: Turns before the end when a permit becomes urgent.
LATE = 9


def wanted(mind: Mind, card: str) -> bool:
    """The card could be played at this moment; is it a good one? One on trial is never played."""
    return card in _WANTED and _WANTED[card](mind)


def _need_permit(mind: Mind) -> bool:
    return not mind.bad and not mind.satisfied()


def _broken_track(mind: Mind) -> bool:
    return mind.rng.below(100) < 70


def _open_vote(mind: Mind) -> bool:
    return not mind.bad and mind.rng.below(100) < 40


def _citizens_arrest(mind: Mind) -> bool:
    return mind.rng.below(100) < 90


def _imposing(mind: Mind) -> bool:
    """Run the Red, Swing Vote: if the route is not mine."""
    return mind.view.vote.decided != mind.favourite()


def _second_choice(mind: Mind) -> bool:
    if mind.bad:
        return mind.view.vote.decided == "scenic-route"
    mine = ROUTES.get(mind.character)
    return mine is not None and mind.view.vote.decided != mine and _need_permit(mind)


def _occupied(mind: Mind) -> bool:
    return mind.exposed() and mind.character not in ("stuntman", "prisoner-of-war")


def _first_class(mind: Mind) -> bool:
    return mind.certain() > SURE


def _secret_ballot(mind: Mind) -> bool:
    return mind.character in ("mi6-agent", "saboteur") and mind.rng.below(100) < 50


def _lock_the_doors(mind: Mind) -> bool:
    if mind.character in ("mayor-of-paris", "rogue"):
        return True
    return mind.exposed() and (mind.bad or mind.character == "mi6-agent")


def _extend_your_hand(mind: Mind) -> bool:
    meeting = mind.view.meeting
    assert meeting is not None
    falling = [seat for seat in meeting.falling if seat != mind.me]
    if mind.character in ("mayor-of-paris", "rogue"):
        return True
    fair = 1.0 / max(1, len(mind.aboard()) - 1)
    least = min(mind.suspects[seat] for seat in falling)
    return not mind.bad and least < fair and not meeting.draggers


def _hang_on(mind: Mind) -> bool:
    return mind.character not in ("stuntman", "prisoner-of-war")


def _coming_with_me(mind: Mind) -> bool:
    return mind.character not in ("stuntman", "mi6-agent") and (mind.bad or mind.certain() > 0.3)


def _second_meeting(mind: Mind) -> bool:
    if mind.bad or mind.character in ("mayor-of-paris", "mi6-agent"):
        return False
    return mind.character == "stuntman" or mind.certain() > SURE


def _gun(mind: Mind) -> bool:
    """A brake that must be played, or full speed that must."""
    speeds = [speed_after(mind.view, effect) for effect in mind.own.effects]
    if mind.bad:
        return max(speeds) > mind.view.speed and min(speeds) < mind.view.speed
    left = _left_neighbour(mind)
    return min(speeds) < mind.view.speed and mind.suspects[left] > 0.3


def _left_neighbour(mind: Mind) -> int:
    seats = len(mind.view.players)
    for step in range(1, seats):
        seat = (mind.me + step) % seats
        if mind.view.players[seat].status in ("aboard", "hanging"):
            return seat
    return mind.me


def _change(mind: Mind) -> int:
    """What the card on the table does to the speed, in spaces."""
    turn = mind.view.turns[-1]
    return (speed_after(mind.view, turn.effect, turn.side) - mind.view.speed) // SPACE


def _jam(mind: Mind) -> bool:
    if mind.view.turns[-1].current == mind.me and not mind.bad:
        return False
    if mind.bad:
        return _change(mind) <= -2 or (_change(mind) < 0 and mind.outlook.turns_left < LATE)
    if mind.character == "speedster" and not mind.view.records:
        return False
    return _change(mind) >= 2 or (_change(mind) > 0 and mind.outlook.turns_left < LATE)


def _seize(mind: Mind) -> bool:
    turn = mind.view.turns[-1]
    if turn.current == mind.me:
        return False
    if turn.set_aside:
        speed = speed_before(mind.view, len(mind.view.turns) - 1)
        other = speed_after(mind.view, turn.set_aside, "", speed)
        played = speed_after(mind.view, turn.effect, turn.side, speed)
        return other > played if mind.bad else other < played
    if mind.bad:
        return _change(mind) < 0
    return _change(mind) >= 2 and mind.suspects[turn.current] > 0.3


def _burn(mind: Mind) -> bool:
    if mind.character == "ticket-inspector":
        return any(p.permits for s, p in enumerate(mind.view.players) if s != mind.me)
    return mind.bad and mind.rng.below(100) < 10


def _forgery(mind: Mind) -> bool:
    if mind.bad:
        return False
    before_box = mind.view.at < mind.outlook.spaces["line"]
    return (before_box and mind.view.speed >= 150) or (
        _need_permit(mind) and (mind.outlook.turns_left < LATE or before_box)
    )


def _passenger_list(mind: Mind) -> bool:
    return mind.view.turn > 2


def _spy(mind: Mind) -> bool:
    """When somebody sped and I do not know what else they had."""
    turn = mind.view.turns[-1]
    window = mind.view.step == "effect-played"
    stranger = mind.me not in (turn.drawer, turn.current)
    return window and stranger and not turn.gun and accelerates(turn.effect) and not mind.bad


def _tailwind(mind: Mind) -> bool:
    return mind.bad


def _ticket_upgrade(mind: Mind) -> bool:
    return mind.view.turn > 1


def _more_coal(mind: Mind) -> bool:
    return mind.bad and mind.view.deck < 3


def _train_fault(mind: Mind) -> bool:
    chasing = mind.character == "speedster" and not mind.view.records
    return not mind.bad and not chasing


def _rooftop(mind: Mind) -> bool:
    return _need_permit(mind) or mind.character == "ticket-inspector"


def _murder(mind: Mind) -> bool:
    if mind.character in ("mayor-of-paris", "rogue", "mi6-agent"):
        return False
    return mind.bad or mind.certain() > 0.55


def _conductor(mind: Mind) -> bool:
    """Against a card that names me, or that harms my cause."""
    played = mind.view.waiting_cards[-1]
    if played.other == mind.me and played.card != "extend-your-hand":
        return True
    harmful = {"train-fault", "forgery"} if mind.bad else {"tailwind", "more-coal"}
    if played.card in harmful:
        return True
    if played.card == "conductor":
        below = mind.view.waiting_cards[-2]
        return below.seat == mind.me
    if played.card == "run-the-red" and mind.bad:
        return played.route == "scenic-route"
    return False


_WANTED = {
    "broken-track": _broken_track,
    "open-vote": _open_vote,
    "citizens-arrest": _citizens_arrest,
    "run-the-red": _imposing,
    "second-choice": _second_choice,
    "swing-vote": _imposing,
    "occupied": _occupied,
    "first-class-passenger": _first_class,
    "secret-ballot": _secret_ballot,
    "lock-the-doors": _lock_the_doors,
    "extend-your-hand": _extend_your_hand,
    "hang-on": _hang_on,
    "youre-coming-with-me": _coming_with_me,
    "second-meeting": _second_meeting,
    "gun-to-the-head": _gun,
    "jam-the-controls": _jam,
    "seize-control": _seize,
    "burn": _burn,
    "forgery": _forgery,
    "passenger-list": _passenger_list,
    "spy": _spy,
    "tailwind": _tailwind,
    "ticket-upgrade": _ticket_upgrade,
    "more-coal": _more_coal,
    "train-fault": _train_fault,
    "rooftop-showdown": _rooftop,
    "murder-in-the-dark": _murder,
    "conductor": _conductor,
}
