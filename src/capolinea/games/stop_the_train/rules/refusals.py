"""Why something cannot be done now, with the rule's number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from capolinea.engine.problems import Refused
from capolinea.games.stop_the_train.rules import do, steps, where
from capolinea.games.stop_the_train.rules.cards import EFFECT_NAMES, ROUTE_NAMES
from capolinea.games.stop_the_train.rules.interventions import (
    CARD_NAMES,
    CARDS,
    Card,
)
from capolinea.games.stop_the_train.rules.steps import FIRST_WINDOW

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train


def refuse(train: Train, seat: int, action: int) -> NoReturn:
    """Raise Refused. What is said follows from what the seat itself knows."""
    step = train.stack[-1]
    if step == steps.OVER:
        raise Refused("refused.over", OVER_RULES[train.ending])
    if train.status[seat] >= where.OFF:
        raise Refused("refused.left", "ST-6.4" if train.status[seat] == where.DEAD else "ST-5.6")
    if train.begun_by >= 0:
        refuse_step(train)
    if do.INTERVENE <= action < do.NAME:
        refuse_card(train, seat, action - do.INTERVENE)
    if action == do.PASS:
        raise Refused("refused.pass", "ST-7.5")
    if do.DISCARD <= action < do.SIDE:
        refuse_effect(train, seat, action)
    if step == steps.KEEP and do.RETURN <= action < do.DISCARD:
        raise Refused("refused.return", "ST-2.4")
    if step >= FIRST_WINDOW:
        raise Refused("refused.window", "ST-7.5")
    if do.VOTE <= action < do.THROW_OFF:
        refuse_vote(train, seat, action - do.VOTE)
    if do.THROW_OFF <= action < do.INTERVENE:
        raise Refused("refused.ballot", "ST-5.5")
    if do.TAKE <= action < do.ROB:
        raise Refused("refused.take", "ST-4.3" if step == steps.SIDE else "ST-5.3")
    raise Refused("refused.not-now", "ST-4.3" if do.ROB <= action < do.VOTE else "ST-4.1")


#: How it ended, and the rule that says so.
OVER_RULES: Final = ["ST-4.5", "ST-4.6", "ST-8.2"]


def refuse_step(train: Train) -> NoReturn:
    """The next step of a compound choice that cannot be."""
    first = train.begun[0]
    if do.PLAY <= first < do.SIDE:
        raise Refused("refused.side", "ST-4.2")
    if first < do.INTERVENE:
        raise Refused("refused.compound", "ST-4.2" if first >= do.TAKE else "ST-7.5")
    raise Refused("refused.compound", "ST-7.2" if first < do.COAL else "ST-7.5")


def refuse_vote(train: Train, seat: int, route: int) -> NoReturn:
    if train.stack[-1] == steps.VOTE:
        if seat in train.arrested:
            raise Refused("refused.arrested", "ST-7.5")
        if route == train.closed:
            raise Refused("refused.closed", "ST-7.5", route=ROUTE_NAMES[route])
        if train.status[seat] == where.HANGING:
            raise Refused("refused.hanging", "ST-7.8")
    raise Refused("refused.vote", "ST-5.4")


def refuse_effect(train: Train, seat: int, action: int) -> NoReturn:
    step, now = train.stack[-1], train.now
    if action < do.PLAY:
        if step != steps.DRAW or seat != now.drawer:
            raise Refused("refused.discard", "ST-4.1", drawer=now.drawer)
        raise Refused("refused.not-held", "ST-4.1", effect=EFFECT_NAMES[action - do.DISCARD])
    if step != steps.PLAY or seat != now.current:
        raise Refused("refused.play", "ST-4.2")
    raise Refused("refused.not-held", "ST-4.2", effect=EFFECT_NAMES[action - do.PLAY])


def refuse_card(train: Train, seat: int, card: int) -> NoReturn:
    """An intervention that cannot be played now."""
    name = CARD_NAMES[card]
    step = train.stack[-1]
    if step == steps.KEEP:
        raise Refused("refused.keep-first", "ST-2.4")
    if not train.held[seat] >> card & 1:
        raise Refused("refused.no-card", "ST-7.1", card=name)
    if train.status[seat] == where.HANGING:
        raise Refused("refused.hanging", "ST-7.8")
    if step == steps.ANSWER:
        if card == Card.CONDUCTOR:
            raise Refused("refused.own-card", "ST-7.2")
        raise Refused("refused.answering", "ST-7.2", card=CARD_NAMES[train.waiting_cards[-1]])
    if seat in train.falling:
        raise Refused("refused.falling", "ST-7.3")
    if card == Card.CONDUCTOR:
        raise Refused("refused.conductor", "ST-7.2")
    if card == Card.OPEN_VOTE and step == steps.VOTE_CALLED:
        raise Refused("refused.no-use", "ST-7.5", card=name)
    drawers = card == Card.GUN_TO_THE_HEAD and seat != train.now.drawer
    if drawers or not train.open >> card & 1:
        raise Refused("refused.other-window", "ST-7.4", card=name)
    row = CARDS[card]
    if row.last_resort:
        raise Refused("refused.not-falling", "ST-7.3", card=name)
    if not row.when(train):
        raise Refused(row.otherwise(), "ST-7.5", card=name)
    raise Refused("refused.no-use", "ST-7.5", card=name)
