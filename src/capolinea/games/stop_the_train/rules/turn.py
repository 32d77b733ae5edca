"""A turn (ST-4) with its special events (ST-5.1 to ST-5.3), and the freight train (ST-8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.engine.native import i64
from capolinea.games.stop_the_train.rules import do, steps, where
from capolinea.games.stop_the_train.rules.cards import (
    CHARACTER_NAMES,
    EFFECT_NAMES,
    SIDE_NAMES,
    SPEED_CHANGE,
    TAKES,
    TO,
    Route,
    Side,
    Takes,
)
from capolinea.games.stop_the_train.rules.notes import NOTHING, Look, Turn
from capolinea.games.stop_the_train.rules.steps import TURN, Ending, in_order, without
from capolinea.games.stop_the_train.rules.track import LAST_TUNNEL, MEETING_PLACE, TUNNEL

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train

#: ST-4.1
DRAWN: Final = 3
#: ST-3.1: km/h for each space that the train moves.
SPACE: Final = 30
#: ST-8.1
FREIGHT_AFTER: Final = 2
FREIGHT_SPACES: Final = 4
RECORD_SPEED: Final = 180
#: Each effect card by itself; states share these lists.
ALONE: Final = [[effect] for effect in range(len(EFFECT_NAMES))]


# --- drawing and playing (ST-4.1, ST-4.2) ---------------------------------------------------------


def begin(train: Train, drawer: int) -> None:
    """ST-4.1: three cards for the drawer, who is back if they were hanging on (ST-7.8)."""
    if train.status[drawer] == where.HANGING:
        back(train, drawer)
    now = Turn()
    now.drawer = drawer
    now.drawn = in_order(train.deck.pop(), train.deck.pop(), train.deck.pop())
    train.now = now
    train.turns.append(now)
    train.moments += 1
    train.stack = TURN[:]
    if train.loud:
        turns_left = len(train.deck) // DRAWN
        event = train.tell("event.drew", seat=drawer, turn=len(train.turns), left=turns_left)
        event.also([drawer], "event.drew.own", cards=names(now.drawn))
        event.setting({"turn": len(train.turns), "deck": len(train.deck)})


def back(train: Train, seat: int) -> None:
    """ST-7.8: who hung on is back when they next draw or are handed effect cards."""
    train.status[seat] = where.ABOARD
    if train.loud:
        event = train.tell("event.back", seat=seat)
        event.setting({f"players.{seat}.status": "aboard"})


def discard(train: Train, seat: int, card: int) -> bool:
    """ST-4.1: one face down, the rest to the next player on board. With Gun to the Head a second one is
    chosen next."""
    now = train.now
    if train.stack[-1] != steps.DRAW or seat != now.drawer or card not in now.drawn:
        return False
    if now.gun:
        train.begin(seat, do.DISCARD + card)
    else:
        train.discards.append(card)
        hand_on(train, ALONE[card], without(now.drawn, card))
    return True


def discard_two(train: Train, first: int, second: int) -> None:
    """With Gun to the Head: two face down, and the third must be played."""
    left = without(train.now.drawn, first)
    left.remove(second)
    train.discards += [first, second]
    hand_on(train, [first, second], left)


def hand_on(train: Train, discarded: list[int], left: list[int]) -> None:
    now = train.now
    train.stack.pop()
    now.discarded = discarded
    now.passed = left
    now.current = train.next_aboard(now.drawer)
    train.hand = left
    if train.loud:
        event = train.tell("event.discarded", seat=now.drawer, count=len(discarded))
        event.also([now.drawer], "event.discarded.own", cards=names(discarded))
        tell_passed(train)
    if train.status[now.current] == where.HANGING:
        back(train, now.current)


def sides(train: Train, effect: int) -> list[int]:
    """ST-4.2: the sides of an OR card; one that cannot be carried out at all cannot be chosen."""
    current = train.now.current
    match TAKES[effect]:
        case Takes.CARD:
            able = bool(victims(train, current))
        case Takes.LOOK:
            able = bool(others(train, current))
        case _:
            able = permit_to_take(train, current)
    first = do.SIDE + Side.FIRST
    return [first, do.SIDE + Side.SECOND] if able else [first]


def play(train: Train, seat: int, effect: int) -> bool:
    """ST-4.2: the current player plays a card; of an OR card the side is chosen next."""
    if train.stack[-1] != steps.PLAY or seat != train.now.current or effect not in train.hand:
        return False
    if TAKES[effect]:
        train.begin(seat, do.PLAY + effect)
    else:
        play_card(train, effect, Side.FIRST)
    return True


def play_card(train: Train, effect: int, side: int) -> None:
    """ST-4.2: one face up, the other face down."""
    now = train.now
    train.stack.pop()
    now.played = effect
    now.side = side
    now.jammed = False
    if len(train.hand) > 1:
        now.set_aside = train.hand[1] if train.hand[0] == effect else train.hand[0]
    train.hand = NOTHING
    train.pile.append(effect)
    if train.loud:
        if TAKES[effect]:
            event = train.tell(
                "event.played.side",
                seat=now.current,
                effect=EFFECT_NAMES[effect],
                side=f"{EFFECT_NAMES[effect]}.{SIDE_NAMES[side]}",
            )
        else:
            event = train.tell("event.played", seat=now.current, effect=EFFECT_NAMES[effect])
        event.setting({f"turns.{len(train.turns) - 1}.effect": EFFECT_NAMES[effect]})
        if now.set_aside >= 0:
            event = train.tell("event.set-aside", seat=now.current)
            knows = [now.drawer] if now.drawer == now.current else [now.drawer, now.current]
            event.also(knows, "event.set-aside.own", effect=EFFECT_NAMES[now.set_aside])


def effect_stands(train: Train) -> None:
    """ST-4.3: nobody changes the card any more; what an OR side is about comes next."""
    now = train.now
    if now.set_aside >= 0:
        train.discards.append(now.set_aside)
    if now.side == Side.SECOND and not now.jammed:
        train.stack.append(steps.SIDE)


def face_down(train: Train) -> int:
    """How many effect cards lie face down, the one that was just set aside among them."""
    aside = train.now.set_aside >= 0 and steps.EFFECT_PLAYED in train.stack
    return len(train.discards) + 1 if aside else len(train.discards)


def last_discard(train: Train) -> int:
    """The effect card that was discarded last, or -1."""
    if train.now.set_aside >= 0 and steps.EFFECT_PLAYED in train.stack:
        return train.now.set_aside
    return train.discards[-1] if train.discards else -1


def gentlest(train: Train, actions: list[int]) -> int:
    """Of these ways to play a card, the one that leaves the train slowest; of sides, the first."""
    best = actions[0]
    for action in actions:
        if do.PLAY <= action < do.SIDE and speed_after(
            train, action - do.PLAY, Side.FIRST
        ) < speed_after(train, best - do.PLAY, Side.FIRST):
            best = action
    return best


def wildest(train: Train, actions: list[int]) -> int:
    """Of these cards to discard, the one that would leave the train fastest."""
    best = actions[0]
    for action in actions:
        speed = speed_after(train, action - do.DISCARD, Side.FIRST)
        if speed > speed_after(train, best - do.DISCARD, Side.FIRST):
            best = action
    return best


def speed_after(train: Train, effect: int, side: int) -> int:
    """ST-3.1: the speed that a card would come to."""
    change = SPEED_CHANGE[effect][side]
    return train.within_limits(change - TO if change >= TO else train.speed + change)


# --- permits, thefts and looks (ST-4.3, ST-5.3) ----------------------------------------------------


def others(train: Train, seat: int) -> list[int]:
    return [s for s in range(train.seats) if s != seat and train.nameable(s)]


def victims(train: Train, seat: int) -> list[int]:
    """Whom one could rob of an intervention."""
    return [s for s in others(train, seat) if train.hands[s]]


def others_with_permits(train: Train, seat: int) -> list[int]:
    return [s for s in range(train.seats) if has_permit(train, s, seat)]


def has_permit(train: Train, other: i64, seat: int) -> bool:
    """Whether this seat could take a permit from that other one."""
    return train.permits[other] > 0 and other != seat and train.nameable(other)


def permit_to_take(train: Train, seat: int) -> bool:
    """Whether there is a permit to be had: on the organiser, or with others."""
    return train.organiser > 0 or bool(others_with_permits(train, seat))


def permits_to_take(train: Train, seat: int) -> list[int]:
    """Where it is to be had."""
    actions = [do.TAKE + s for s in range(train.seats) if has_permit(train, s, seat)]
    if train.organiser:
        actions.append(do.TAKE_ORGANISER)
    return actions


def side_choices(train: Train) -> list[int]:
    """Whom the OR side can be about; nobody, if what it takes is gone by now."""
    seat = train.now.current
    match TAKES[train.now.played]:
        case Takes.CARD:
            return [do.ROB + s for s in victims(train, seat)]
        case Takes.LOOK:
            return [do.LOOK + s for s in others(train, seat)]
    return permits_to_take(train, seat)


def takes_two(train: Train) -> bool:
    """ST-4.2: Sleight of Hand B takes two permits, or one if there is only one."""
    if train.stack[-1] != steps.SIDE or TAKES[train.now.played] != Takes.TWO_PERMITS:
        return False
    seat = train.now.current
    return train.organiser + sum([train.permits[s] for s in others_with_permits(train, seat)]) > 1


def second_permit(train: Train, first: int) -> list[int]:
    """Where the second of two permits can come from."""
    actions = []
    for action in permits_to_take(train, train.now.current):
        there = train.organiser if action == do.TAKE_ORGANISER else train.permits[action - do.TAKE]
        if there > 1 or action != first:
            actions.append(action)
    return actions


def decline(train: Train, seat: int) -> bool:
    """ST-5.3: no permit in this tunnel."""
    if do.DECLINE not in train.answers(seat):
        return False
    train.stack.pop()
    if train.loud:
        train.tell("event.declined", seat=seat)
    return True


def take(train: Train, seat: int, action: int) -> bool:
    """A permit from wherever the action says; of two the second is chosen next."""
    if action not in train.answers(seat):
        return False
    if takes_two(train):
        train.begin(seat, action)
    else:
        take_permits(train, seat, [action])
    return True


def take_permits(train: Train, seat: int, actions: list[int]) -> None:
    """In a tunnel or by sleight of hand."""
    train.stack.pop()
    for action in actions:
        take_permit(train, seat, action)


def take_permit(train: Train, seat: int, action: int) -> None:
    train.permits[seat] += 1
    if action == do.TAKE_ORGANISER:
        train.organiser -= 1
        if train.loud:
            train.tell("event.permit", seat=seat).setting(permit_facts(train, [seat]))
    else:
        other = action - do.TAKE
        train.permits[other] -= 1
        if train.loud:
            event = train.tell("event.permit.from", seat=seat, other=other)
            event.setting(permit_facts(train, [seat, other]))


def permit_facts(train: Train, seats: list[int]) -> dict[str, object]:
    facts: dict[str, object] = {"organiser": train.organiser}
    for seat in seats:
        facts[f"players.{seat}.permits"] = train.permits[seat]
    return facts


def look(train: Train, seat: int, other: int) -> bool:
    """ID Check."""
    if do.LOOK + other not in train.answers(seat):
        return False
    train.stack.pop()
    train.note(seat, Look.IDENTITY, other, [train.characters[other]])
    if train.loud:
        event = train.tell("event.looked", seat=seat, other=other)
        event.also([seat], "event.looked.own", role=CHARACTER_NAMES[train.characters[other]])
    return True


# --- the train runs (ST-4.3 to ST-4.6, ST-5) -------------------------------------------------------


def run(train: Train) -> None:
    """The needle, the train, then the special events in their order (ST-5)."""
    now = train.now
    if not now.jammed:
        train.speed = speed_after(train, now.played, now.side)
    before = train.at
    ending = move(train)
    if train.loud and ending != Ending.CRASHED:
        tell_moved(train, train.at - before)
    if ending < 0 and train.freight >= 0:
        ending = move_freight(train)
    if ending >= 0:
        train.finish(ending)
        return
    if train.speed == RECORD_SPEED:
        break_record(train)
    # ST-9.2: features at or behind the starting space do not trigger.
    marks = train.track.marks[train.route]
    # Last one first: the stack is carried out from its top.
    if train.at > train.start and marks[train.at] & MEETING_PLACE:
        train.stack.append(steps.MEETING)
    if train.at == train.track.box and train.route < 0:
        call_vote(train)
    in_tunnel = under(train)
    if in_tunnel & TUNNEL:
        train.stack.append(steps.TUNNEL)
    if in_tunnel & LAST_TUNNEL:
        train.stack.append(steps.LAST_TUNNEL)


def call_vote(train: Train) -> None:
    """ST-5.4: at the signal box everybody votes on the route."""
    train.stack += [steps.VOTE_DECIDED, steps.VOTE, steps.VOTE_CALLED]
    train.votes = [-1] * train.seats
    train.moments += 1
    if train.loud:
        train.tell("event.vote-called")


def move(train: Train) -> int:
    """ST-4.3: as many spaces as the speed says; the signal box stops the train (ST-5.4), Paris does
    for good (ST-4.6). The ending, if it is one."""
    last = len(train.track.spaces[train.route]) - 1
    goal = train.at + train.speed // SPACE
    if train.route < 0 and goal > train.track.box:
        goal = train.track.box
    if train.freight >= 0:
        # ST-8.2: space by space, since what comes first decides.
        for place in range(train.at + 1, min(goal, last) + 1):
            train.at = place
            if touching(train):
                return Ending.COLLIDED
    if goal > last:
        train.at = last
        return Ending.CRASHED
    train.at = goal
    return Ending.NONE


def move_freight(train: Train) -> int:
    """ST-5.1, ST-8.1: four spaces along the Fast Track; it waits before Paris (ST-8.3)."""
    last = len(train.track.spaces[Route.FAST_TRACK]) - 1
    before = train.freight
    for _ in range(FREIGHT_SPACES):
        if train.freight == last:
            break
        train.freight += 1
        if touching(train):
            break
    if train.loud and train.freight > before:
        event = train.tell("event.freight", spaces=train.freight - before)
        event.setting({"freight": train.freight})
    return Ending.COLLIDED if touching(train) else Ending.NONE


def touching(train: Train) -> bool:
    """ST-8.2: whether the two trains share a space."""
    ours, theirs = train.track.spaces[train.route], train.track.spaces[Route.FAST_TRACK]
    length = train.track.train
    for place in range(max(0, train.at - length + 1), train.at + 1):
        for other in range(max(0, train.freight - length + 1), train.freight + 1):
            if ours[place] == theirs[other]:
                return True
    return False


def break_record(train: Train) -> None:
    """ST-5.2: the front is on a downhill space at full speed."""
    hill = train.track.hills[train.route][train.at]
    if hill < 0 or train.at <= train.start or train.records & 1 << hill:
        return
    train.records |= 1 << hill
    if train.loud:
        hills = hills_with_record(train)
        train.tell("event.record", count=len(hills)).setting({"records": hills})


def hills_with_record(train: Train) -> list[int]:
    return [hill for hill in range(train.records.bit_length()) if train.records >> hill & 1]


def under(train: Train) -> int:
    """ST-5.3: what any part of the train stands under or on, as bits; the rear may lie behind START."""
    rear = train.at - train.track.train + 1
    if rear > train.start:
        return train.track.under[train.route][train.at]
    marks = train.track.marks[train.route]
    found = 0
    for place in range(train.start + 1, train.at + 1):
        found |= marks[place]
    return found


def bridge_passed(train: Train) -> bool:
    """ST-9.2: the front has crossed a bridge in play."""
    bridges = train.track.bridges[train.route]
    for index in range(0, len(bridges), 2):
        if bridges[index] > train.start and train.at > bridges[index + 1]:
            return True
    return False


def end(train: Train) -> None:
    """ST-4.4, ST-4.5: the current player draws next, unless the deck is exhausted."""
    now = train.now
    now.speed = train.speed
    now.at = train.at
    if len(train.deck) < DRAWN:
        train.finish(Ending.STOPPED)
        return
    if train.with_freight and train.freight < 0 and len(train.turns) >= FREIGHT_AFTER:
        put_freight(train)
    drawer = now.current
    begin(train, drawer if train.on_board(drawer) else train.next_aboard(drawer))


def put_freight(train: Train) -> None:
    """ST-8.1: on START, once the 19:05 has left it."""
    if train.at - train.track.train + 1 > 0:
        train.freight = 0
        if train.loud:
            train.tell("event.freight-starts").setting({"freight": 0})


# --- telling --------------------------------------------------------------------------------------


def names(effects: list[int]) -> list[str]:
    return [EFFECT_NAMES[effect] for effect in effects]


def tell_passed(train: Train) -> None:
    now = train.now
    count = len(now.passed)
    if now.drawer == now.current:
        event = train.tell("event.alone", seat=now.drawer, count=count)
    else:
        event = train.tell("event.passed", seat=now.drawer, other=now.current, count=count)
        both = [now.drawer, now.current]
        event.also(both, "event.passed.own", cards=names(now.passed))
    event.setting({"current": now.current})


def tell_moved(train: Train, spaces: int) -> None:
    feature = train.track.features[train.route][train.at]
    if feature:
        event = train.tell("event.moved.place", speed=train.speed, spaces=spaces, feature=feature)
    else:
        event = train.tell("event.moved", speed=train.speed, spaces=spaces)
    event.setting({"speed": train.speed, "at": train.at})


def tell_end(train: Train) -> None:
    match train.ending:
        case Ending.STOPPED:
            train.tell("event.stopped")
        case Ending.CRASHED:
            train.tell("event.crashed")
        case _:
            train.tell("event.collided")
    for seat in range(train.seats):
        train.tell("event.revealed", seat=seat, role=CHARACTER_NAMES[train.characters[seat]])
