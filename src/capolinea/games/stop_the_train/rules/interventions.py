"""Intervention cards (ST-7): when each can be played, at whom, its answers, and what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.games.stop_the_train.rules import do, meeting, signal_box, steps, turn, where
from capolinea.games.stop_the_train.rules.cards import (
    ANY_TIME_CARDS,
    CARD_NAMES,
    CHARACTER_NAMES,
    CONDUCTOR,
    EFFECT_NAMES,
    ROUTE_NAMES,
    Card,
    Side,
)
from capolinea.games.stop_the_train.rules.notes import Look, Spent

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train

#: Cards that name somebody or something; Forgery does only before the signal box.
NAMING_CARDS: Final = (
    1 << Card.BROKEN_TRACK
    | 1 << Card.CITIZENS_ARREST
    | 1 << Card.RUN_THE_RED
    | 1 << Card.SWING_VOTE
    | 1 << Card.EXTEND_YOUR_HAND
    | 1 << Card.YOURE_COMING_WITH_ME
    | 1 << Card.BURN
    | 1 << Card.ROOFTOP_SHOWDOWN
    | 1 << Card.MURDER_IN_THE_DARK
)
#: Any-time cards that need no more than their moment.
ALWAYS_CARDS: Final = (
    1 << Card.FORGERY | 1 << Card.PASSENGER_LIST | 1 << Card.TAILWIND | 1 << Card.TICKET_UPGRADE
)
#: ST-7.3: what who is being thrown off may still play, besides Conductor.
LAST_RESORTS: Final = 1 << Card.HANG_ON | 1 << Card.YOURE_COMING_WITH_ME
#: More Coal puts so many cards under the deck.
COAL: Final = 3
#: Rooftop Showdown needs a card for each.
DUEL: Final = 2
FORGED_BRAKE: Final = 30
WINDY: Final = 60
FAULTY: Final = 150


# --- when (ST-7.3, ST-7.4) -------------------------------------------------------------------------


def may_play(train: Train, seat: int, card: int) -> bool:
    """Whether the seat can play this card now."""
    held = train.held[seat] & train.open
    if not held >> card & 1 or train.status[seat] != where.ABOARD:
        return False
    return bool(in_time(train, seat, held) >> card & 1) and playable(train, seat, card)


def add_playable(train: Train, seat: int, held: int, actions: list[int]) -> None:
    """Add the cards that the seat can play to its actions; `held` are those of open kinds, as bits."""
    held = in_time(train, seat, held)
    last = -1
    for card in train.hands[seat]:
        if held >> card & 1 and card != last and playable(train, seat, card):
            actions.append(do.INTERVENE + card)
        last = card


def in_time(train: Train, seat: int, held: int) -> int:
    """ST-7.3: who is being thrown off has only their last resorts, and nobody else has these."""
    if train.falling and seat in train.falling:
        return held & (LAST_RESORTS | CONDUCTOR)
    return held & ~LAST_RESORTS


def playable(train: Train, seat: int, card: int) -> bool:
    """Whether the card has its moment and its target; its window is open already."""
    if ALWAYS_CARDS >> card & 1:
        return True
    if NAMING_CARDS >> card & 1:
        return bool(targets(train, seat, card))
    match card:
        case Card.OPEN_VOTE:
            return not train.open_vote
        case Card.OCCUPIED:
            return seat not in train.occupied
        case Card.FIRST_CLASS_PASSENGER:
            return seat not in train.first_class
        case Card.HANG_ON:
            return seat not in train.draggers
        case Card.GUN_TO_THE_HEAD:
            return seat == train.now.drawer and not train.now.gun
        case Card.SPY:
            return last_discard(train) >= 0
        case Card.MORE_COAL:
            return len(train.discards) >= COAL
        case Card.TRAIN_FAULT:
            return turn.bridge_passed(train)
        case Card.CONDUCTOR:
            return seat != train.waiting_players[-1]
    return True


def needs_target(train: Train, card: int) -> bool:
    if card == Card.FORGERY:
        return before_the_box(train)
    return bool(NAMING_CARDS >> card & 1)


def targets(train: Train, seat: int, card: int) -> list[int]:
    """ST-7.2: what can be named when this card is played."""
    match card:
        case Card.BROKEN_TRACK | Card.RUN_THE_RED:
            return [do.ROUTE + route for route in signal_box.open_routes(train)]
        case Card.SWING_VOTE:
            return [do.ROUTE + route for route in train.tied]
        case Card.CITIZENS_ARREST:
            return named([s for s in turn.others(train, seat) if s not in train.arrested])
        case Card.EXTEND_YOUR_HAND:
            return named(sorted(train.falling))
        case Card.YOURE_COMING_WITH_ME:
            if seat in train.draggers:
                return []
            return named([s for s in turn.others(train, seat) if s not in train.occupied])
        case Card.ROOFTOP_SHOWDOWN:
            if len(train.pile) < DUEL or not turn.bridge_passed(train):
                return []
            return named(turn.others_with_permits(train, seat))
        case Card.BURN:
            found = named(turn.others_with_permits(train, seat))
            return [*found, do.NAME_ORGANISER] if train.organiser else found
        case Card.FORGERY:
            return [do.KEEP_SPEED, do.BRAKE]
    return named(turn.others(train, seat))


def named(seats: list[int]) -> list[int]:
    return [do.NAME + seat for seat in seats]


def before_the_box(train: Train) -> bool:
    return train.at < train.track.box


def last_discard(train: Train) -> int:
    """The effect card that was discarded last, or -1."""
    if train.now.set_aside >= 0 and steps.EFFECT_PLAYED in train.stack:
        return train.now.set_aside
    return train.discards[-1] if train.discards else -1


# --- played, answered (ST-7.2) ---------------------------------------------------------------------


def play(train: Train, seat: int, card: int) -> bool:
    """ST-7.2: out of turn too; whom or what the card is about is chosen next."""
    if not may_play(train, seat, card):
        return False
    if needs_target(train, card):
        train.begin(seat, do.INTERVENE + card)
    else:
        play_card(train, seat, card, -1)
    return True


def play_card(train: Train, seat: int, card: int, target: int) -> None:
    """A card is on the table and waits for an answer."""
    cards = train.hands[seat][:]
    cards.remove(card)
    train.hold(seat, cards)
    use_up(train, card)
    train.waiting_cards.append(card)
    train.waiting_players.append(seat)
    train.waiting_targets.append(target)
    if card != Card.CONDUCTOR:
        train.stack.append(steps.ANSWER)
    if train.loud:
        tell_played(train, seat, card, target)


def use_up(train: Train, card: int) -> None:
    """Count what lies openly; when every copy does, nobody can hold one any more."""
    copies = 1
    for spent in train.spent:
        if spent.card == card:
            copies += 1
    for waiting in train.waiting_cards:
        if waiting == card:
            copies += 1
    if copies == train.card_counts[card]:
        train.gone |= 1 << card


def answered(train: Train) -> None:
    """Nobody answers any more: the last card takes effect. If it is a Conductor, it cancels the one
    that it answers, and what lies below waits for an answer anew."""
    card, seat, target = pop_waiting(train)
    train.spent.append(Spent(len(train.turns), seat, card, target, False, len(train.discards)))
    if card != Card.CONDUCTOR:
        take_effect(train, seat, card, target)
        return
    cancelled, owner, named_target = pop_waiting(train)
    lying = len(train.discards)
    train.spent.append(Spent(len(train.turns), owner, cancelled, named_target, True, lying))
    if train.loud:
        train.tell("event.cancelled", seat=seat, other=owner, card=CARD_NAMES[cancelled])
    if train.waiting_cards:
        train.stack.append(steps.ANSWER)


def pop_waiting(train: Train) -> tuple[int, int, int]:
    return train.waiting_cards.pop(), train.waiting_players.pop(), train.waiting_targets.pop()


def tell_played(train: Train, seat: int, card: int, target: int) -> None:
    name = CARD_NAMES[card]
    if card == Card.CONDUCTOR:
        answered_card = CARD_NAMES[train.waiting_cards[-2]]
        event = train.tell("event.conductor", seat=seat, card=answered_card)
    elif do.NAME <= target < do.NAME_ORGANISER:
        event = train.tell("event.intervened.seat", seat=seat, card=name, other=target - do.NAME)
    elif target == do.NAME_ORGANISER:
        event = train.tell("event.intervened.organiser", seat=seat, card=name)
    elif do.ROUTE <= target < do.KEEP_SPEED:
        route = ROUTE_NAMES[target - do.ROUTE]
        event = train.tell("event.intervened.route", seat=seat, card=name, route=route)
    elif target == do.BRAKE:
        event = train.tell("event.intervened.brake", seat=seat, card=name)
    else:
        event = train.tell("event.intervened", seat=seat, card=name)
    event.setting({f"players.{seat}.interventions": len(train.hands[seat])})


# --- what they do ----------------------------------------------------------------------------------


def take_effect(train: Train, seat: int, card: int, target: int) -> None:
    if ANY_TIME_CARDS >> card & 1:
        take_effect_any_time(train, seat, card, target)
    elif card <= Card.SWING_VOTE:
        take_effect_at_the_box(train, seat, card, target)
    elif card <= Card.SECOND_MEETING:
        take_effect_at_a_meeting(train, seat, card, target)
    else:
        take_effect_in_a_turn(train, seat, card, target)


def take_effect_at_the_box(train: Train, seat: int, card: int, target: int) -> None:
    match card:
        case Card.BROKEN_TRACK:
            train.closed = target - do.ROUTE
            if train.loud:
                train.tell("event.closed", route=ROUTE_NAMES[train.closed])
        case Card.OPEN_VOTE:
            train.open_vote = True
            if train.loud:
                train.tell("event.open-vote")
        case Card.CITIZENS_ARREST:
            train.arrested.append(target - do.NAME)
            if train.loud:
                train.tell("event.arrested", seat=target - do.NAME)
        case Card.RUN_THE_RED:
            train.decided = target - do.ROUTE
            train.imposed = True
            if train.loud:
                train.tell("event.imposed", seat=seat, route=ROUTE_NAMES[train.decided])
        case Card.SECOND_CHOICE:
            signal_box.annul(train)
            train.stack.append(steps.VOTE)
            if train.loud:
                train.tell("event.annulled")
        case Card.SWING_VOTE:
            train.decided = target - do.ROUTE
            if train.loud:
                train.tell("event.swung", seat=seat, route=ROUTE_NAMES[train.decided])


def take_effect_at_a_meeting(train: Train, seat: int, card: int, target: int) -> None:
    match card:
        case Card.OCCUPIED:
            train.occupied.append(seat)
            if train.loud:
                train.tell("event.occupied", seat=seat)
        case Card.FIRST_CLASS_PASSENGER:
            train.first_class.append(seat)
            if train.loud:
                train.tell("event.first-class", seat=seat)
        case Card.SECRET_BALLOT:
            train.secret_ballot = True
            if train.loud:
                train.tell("event.secret-ballot")
        case Card.LOCK_THE_DOORS:
            train.locked = True
            if train.loud:
                train.tell("event.locked")
        case Card.EXTEND_YOUR_HAND:
            meeting.save(train, seat, target - do.NAME)
        case Card.HANG_ON:
            meeting.hang_on(train, seat)
        case Card.YOURE_COMING_WITH_ME:
            meeting.drag(train, seat, target - do.NAME)
        case Card.SECOND_MEETING:
            train.second_meeting = True
            if train.loud:
                train.tell("event.second-meeting")


def take_effect_in_a_turn(train: Train, seat: int, card: int, target: int) -> None:
    now = train.now
    match card:
        case Card.GUN_TO_THE_HEAD:
            now.gun = True
            if train.loud:
                train.tell("event.gun", seat=seat)
        case Card.JAM_THE_CONTROLS:
            now.jammed = True
            if train.loud:
                train.tell("event.jammed", effect=EFFECT_NAMES[now.played])
        case Card.SEIZE_CONTROL:
            seize(train)
        case Card.MURDER_IN_THE_DARK:
            victim = target - do.NAME
            train.leave(victim, where.DEAD)
            if train.loud:
                event = train.tell("event.murdered", seat=victim)
                event.setting({f"players.{victim}.status": "dead", f"players.{victim}.permits": 0})


def seize(train: Train) -> None:
    """The current player takes the card back, discards it, and plays the other one."""
    now = train.now
    now.seized = train.pile.pop()
    train.discards.append(now.seized)
    train.hand = [now.set_aside]
    now.set_aside = -1
    now.played = -1
    now.side = Side.FIRST
    now.jammed = False
    train.stack.append(steps.PLAY)
    if train.loud:
        train.tell("event.seized", seat=now.current, effect=EFFECT_NAMES[now.seized])


def take_effect_any_time(train: Train, seat: int, card: int, target: int) -> None:
    match card:
        case Card.BURN:
            burn(train, target)
        case Card.FORGERY:
            forge(train, seat, target == do.BRAKE)
        case Card.PASSENGER_LIST:
            train.note(seat, Look.PASSENGER_LIST, -1, train.left_over)
            if train.loud:
                roles = [CHARACTER_NAMES[character] for character in train.left_over]
                event = train.tell("event.passenger-list", seat=seat)
                event.also([seat], "event.passenger-list.own", roles=roles)
        case Card.SPY:
            seen = last_discard(train)
            train.note(seat, Look.SPY, -1, [seen], turn.face_down(train) - 1)
            if train.loud:
                event = train.tell("event.spy", seat=seat)
                event.also([seat], "event.spy.own", effect=EFFECT_NAMES[seen])
        case Card.TAILWIND:
            train.slowest = WINDY
            train.speed = train.within_limits(train.speed)
            if train.loud:
                train.tell("event.tailwind", speed=WINDY).setting({"speed": train.speed})
        case Card.TRAIN_FAULT:
            train.fastest = FAULTY
            train.speed = train.within_limits(train.speed)
            if train.loud:
                train.tell("event.train-fault", speed=FAULTY).setting({"speed": train.speed})
        case Card.TICKET_UPGRADE:
            look_through(train, seat, steps.UPGRADE, Look.UPGRADE, train.undealt)
        case Card.MORE_COAL:
            look_through(train, seat, steps.COAL, Look.COAL, sorted(train.discards))
        case Card.ROOFTOP_SHOWDOWN:
            showdown(train, seat, target - do.NAME)


def burn(train: Train, target: int) -> None:
    """One permit leaves the game."""
    if target == do.NAME_ORGANISER:
        train.organiser -= 1
        if train.loud:
            train.tell("event.burned.organiser").setting({"organiser": train.organiser})
    else:
        other = target - do.NAME
        train.permits[other] -= 1
        if train.loud:
            event = train.tell("event.burned", seat=other)
            event.setting(turn.permit_facts(train, [other]))


def forge(train: Train, seat: int, brake: bool) -> None:
    """A permit that is not one of the two tokens, and perhaps a slower train."""
    train.permits[seat] += 1
    if train.loud:
        train.tell("event.forged", seat=seat).setting(turn.permit_facts(train, [seat]))
    if brake:
        train.speed = train.within_limits(train.speed - FORGED_BRAKE)
        if train.loud:
            train.tell("event.braked", seat=seat, speed=train.speed).setting({"speed": train.speed})


def look_through(train: Train, seat: int, step: int, look: int, things: list[int]) -> None:
    """Ticket Upgrade and More Coal let one look before one chooses."""
    train.note(seat, look, -1, things[:])
    train.choosers.append(seat)
    train.stack.append(step)
    if train.loud:
        if step == steps.UPGRADE:
            event = train.tell("event.upgrade", seat=seat)
            cards = [CARD_NAMES[card] for card in things]
            event.also([seat], "event.upgrade.own", cards=cards)
        else:
            event = train.tell("event.coal", seat=seat)
            event.also([seat], "event.coal.own", cards=turn.names(things))


def upgrade(train: Train, seat: int, card: int) -> bool:
    if do.UPGRADE + card not in train.answers(seat):
        return False
    train.stack.pop()
    train.choosers.pop()
    train.undealt.remove(card)
    train.hold(seat, sorted([*train.hands[seat], card]))
    train.note(seat, Look.UPGRADE_CHOSEN, -1, [card])
    if train.loud:
        event = train.tell("event.upgraded", seat=seat)
        event.also([seat], "event.upgraded.own", card=CARD_NAMES[card])
        event.setting({f"players.{seat}.interventions": len(train.hands[seat])})
    return True


def begin_coal(train: Train, seat: int, action: int) -> bool:
    """The first of the discards that go under the deck."""
    if action not in train.answers(seat):
        return False
    train.begin(seat, action)
    return True


def more_coal(train: Train, seat: int, effects: list[int]) -> None:
    """Three discards go under the deck, the first named on top of the others."""
    train.stack.pop()
    train.choosers.pop()
    for effect in effects:
        train.discards.remove(effect)
    train.deck = [*reversed(effects), *train.deck]
    train.note(seat, Look.COAL_CHOSEN, -1, effects)
    if train.loud:
        event = train.tell("event.coaled", seat=seat)
        event.also([seat], "event.coaled.own", cards=turn.names(effects))
        event.setting({"deck": len(train.deck), "discards": turn.face_down(train)})


def showdown(train: Train, seat: int, other: int) -> None:
    """Each draws a random card from those played; the lower speed takes all permits."""
    # An order of all cards there are, so that it fits whatever has been played so far.
    order = train.chance.order("showdown", 0, sum(train.effect_counts))
    drawn = [train.pile[place] for place in order if place < len(train.pile)]
    own, theirs = drawn[0], drawn[1]
    own_speed, their_speed = turn.speed_after(train, own, 0), turn.speed_after(train, theirs, 0)
    if train.loud:
        train.tell(
            "event.showdown",
            seat=seat,
            other=other,
            own=EFFECT_NAMES[own],
            theirs=EFFECT_NAMES[theirs],
        )
    if own_speed < their_speed:
        train.permits[seat] += train.permits[other]
        train.permits[other] = 0
        if train.loud:
            event = train.tell("event.showdown.won", seat=seat, other=other)
            event.setting(turn.permit_facts(train, [seat, other]))
    elif train.loud:
        train.tell("event.showdown.lost", seat=seat, other=other)
