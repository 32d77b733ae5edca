"""How interventions are played and answered (ST-7.1 to ST-7.4); what each one does stands in the table of
interventions.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.engine.native import i64
from capolinea.games.stop_the_train.rules import do, steps, turn, where
from capolinea.games.stop_the_train.rules.cards import ROUTE_NAMES
from capolinea.games.stop_the_train.rules.interventions import (
    AT_STEP,
    AT_TIMES,
    CARD_NAMES,
    CARDS,
    FREE,
    LAST_RESORTS,
    Card,
)
from capolinea.games.stop_the_train.rules.notes import Look, Named, Spent, Theft

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train

#: The least common multiple of 1 to 8; nobody can hold more interventions than that.
ANY_HAND: Final = 840


# --- when (ST-7.3, ST-7.4) -------------------------------------------------------------------------


def of_use(train: Train, step: int) -> i64:
    """ST-7.4: the kinds that this window is for and that could do something now, as bits."""
    cards: i64 = AT_STEP[step] & train.in_play & ~train.gone
    for row in AT_TIMES[step]:
        if cards & row.bit and not row.when(train):
            cards &= ~row.bit
    return cards


def may_play(train: Train, seat: int, card: int) -> bool:
    """Whether the seat can play this card now."""
    held = train.held[seat] & train.open
    if not held >> card & 1 or train.status[seat] != where.ABOARD:
        return False
    return bool(in_time(train, seat, held) >> card & 1) and playable(train, seat, card)


def add_playable(train: Train, seat: int, held: i64, actions: list[int]) -> None:
    """Add the cards that the seat can play to its actions; `held` are those of open kinds, as bits."""
    held = in_time(train, seat, held)
    last = -1
    for card in train.hands[seat]:
        if held >> card & 1 and card != last and playable(train, seat, card):
            actions.append(do.INTERVENE + card)
        last = card


def in_time(train: Train, seat: int, held: i64) -> i64:
    """ST-7.3: who is being thrown off has only their last resorts, and nobody else has these."""
    if train.falling and seat in train.falling:
        return held & (LAST_RESORTS | 1 << Card.CONDUCTOR)
    return held & ~LAST_RESORTS


def playable(train: Train, seat: int, card: i64) -> bool:
    """Whether the card has its moment and its target; its window is open already."""
    if FREE >> card & 1:
        return True
    row = CARDS[card]
    if not row.when(train) or not row.who(train, seat):
        return False
    return not row.must_name or bool(row.names(train, seat))


# --- played, answered (ST-7.2) ---------------------------------------------------------------------


def play(train: Train, seat: int, card: int) -> bool:
    """ST-7.2: out of turn too; whom or what the card is about is chosen next."""
    if not may_play(train, seat, card):
        return False
    row = CARDS[card]
    if row.must_name or row.names(train, seat):
        train.begin(seat, do.INTERVENE + card)
    else:
        play_card(train, seat, card, Named.NOTHING)
    return True


def play_at(train: Train, seat: int, card: int, action: int) -> None:
    """The action says whom or what the card names."""
    play_card(train, seat, card, Named.SEAT + action - do.NAME)


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
        CARDS[card].does(train, seat, target)
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
    elif Named.SEAT <= target < Named.ORGANISER:
        event = train.tell("event.intervened.seat", seat=seat, card=name, other=target - Named.SEAT)
    elif target == Named.ORGANISER:
        event = train.tell("event.intervened.organiser", seat=seat, card=name)
    elif Named.ROUTE <= target < Named.KEEP_SPEED:
        route = ROUTE_NAMES[target - Named.ROUTE]
        event = train.tell("event.intervened.route", seat=seat, card=name, route=route)
    elif target == Named.BRAKE:
        event = train.tell("event.intervened.brake", seat=seat, card=name)
    else:
        event = train.tell("event.intervened", seat=seat, card=name)
    event.setting({f"players.{seat}.interventions": len(train.hands[seat])})


# --- choices that come later ----------------------------------------------------------------------


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


def rob(train: Train, seat: int, other: int) -> bool:
    """Theft: a card that neither chose, seen by the two of them alone."""
    if do.ROB + other not in train.answers(seat):
        return False
    train.stack.pop()
    cards = train.hands[other][:]
    # Drawn from a number that every size of a hand divides, so that a fall fits whoever is robbed.
    card = cards.pop(train.chance.below("theft", len(train.thefts), ANY_HAND) % len(cards))
    train.thefts.append(Theft(len(train.turns), seat, other, len(train.spent)))
    train.hold(other, cards)
    train.hold(seat, sorted([*train.hands[seat], card]))
    train.note(seat, Look.TOOK, other, [card])
    train.note(other, Look.LOST, seat, [card])
    if train.loud:
        event = train.tell("event.robbed", seat=seat, other=other)
        event.also([seat, other], "event.robbed.own", card=CARD_NAMES[card])
    return True
