"""Why something cannot be done now, with the rule's number."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from capolinea.engine.problems import Refused
from capolinea.games.stop_the_train.rules.cards import CARD_NAMES, EFFECT_NAMES, Card
from capolinea.games.stop_the_train.rules.steps import FIRST_WINDOW, Do, Status, Step

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train


def refuse(train: Train, seat: int, action: int) -> NoReturn:
    """Raise Refused. What is said follows from what the seat itself knows."""
    step = train.stack[-1]
    if step == Step.OVER:
        raise Refused("refused.over", "ST-4.5")
    if train.status[seat] >= Status.OFF:
        raise Refused("refused.left", "ST-5.6")
    if train.begun:
        raise Refused("refused.compound", "ST-7.2")
    if Do.INTERVENE <= action < Do.NAME:
        refuse_card(train, seat, action - Do.INTERVENE)
    if action == Do.PASS:
        raise Refused("refused.pass", "ST-7.5")
    if Do.DISCARD <= action < Do.SIDE:
        refuse_effect(train, seat, action)
    if step >= FIRST_WINDOW:
        raise Refused("refused.window", "ST-7.5")
    if Do.VOTE <= action < Do.THROW_OFF:
        raise Refused("refused.vote", "ST-5.4")
    if Do.THROW_OFF <= action < Do.INTERVENE:
        raise Refused("refused.ballot", "ST-5.5")
    if Do.TAKE <= action < Do.ROB:
        raise Refused("refused.take", "ST-5.3")
    raise Refused("refused.not-now", "ST-4.1")


def refuse_effect(train: Train, seat: int, action: int) -> NoReturn:
    step, now = train.stack[-1], train.now
    if action < Do.PLAY:
        if step != Step.DRAW or seat != now.drawer:
            raise Refused("refused.discard", "ST-4.1", drawer=now.drawer)
        raise Refused("refused.not-held", "ST-4.1", effect=EFFECT_NAMES[action - Do.DISCARD])
    if step != Step.PLAY or seat != now.current:
        raise Refused("refused.play", "ST-4.2")
    raise Refused("refused.not-held", "ST-4.2", effect=EFFECT_NAMES[action - Do.PLAY])


def refuse_card(train: Train, seat: int, card: int) -> NoReturn:
    """An intervention that cannot be played now."""
    name = CARD_NAMES[card]
    step = train.stack[-1]
    if step == Step.KEEP:
        raise Refused("refused.keep-first", "ST-2.4")
    if not train.held[seat] >> card & 1:
        raise Refused("refused.no-card", "ST-7.1", card=name)
    if train.status[seat] == Status.HANGING:
        raise Refused("refused.hanging", "ST-7.8")
    if step == Step.ANSWER:
        raise Refused("refused.answering", "ST-7.2", card=CARD_NAMES[train.waiting_cards[-1]])
    if seat in train.falling:
        raise Refused("refused.falling", "ST-7.3")
    if card == Card.CONDUCTOR:
        raise Refused("refused.conductor", "ST-7.2")
    if card == Card.OPEN_VOTE and step == Step.VOTE_CALLED:
        raise Refused("refused.no-use", "ST-7.5", card=name)
    if not train.open >> card & 1:
        raise Refused("refused.other-window", "ST-7.4", card=name)
    raise Refused("refused.no-use", "ST-7.5", card=name)
