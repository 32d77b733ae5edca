"""A passenger of the 19:05: brakes or speeds, takes permits, votes, claims and bluffs a little."""

from __future__ import annotations

from typing import Any

from capolinea.bots.bot import DECLINE, Bot, Seen
from capolinea.bots.passenger.interventions import wanted
from capolinea.bots.passenger.mind import Mind
from capolinea.engine import Rng
from capolinea.games.stop_the_train.rules import do
from capolinea.games.stop_the_train.rules.cards import EFFECT_NAMES, ROUTE_NAMES
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES
from capolinea.games.stop_the_train.views import TrainView

#: How dear an intervention is, for who wants the train to stop and for who wants it to crash.
GOOD_CARDS = {
    "train-fault": 9,
    "jam-the-controls": 8,
    "seize-control": 7,
    "forgery": 7,
    "spy": 6,
    "conductor": 5,
    "first-class-passenger": 5,
    "extend-your-hand": 4,
    "hang-on": 5,
    "run-the-red": 5,
    "gun-to-the-head": 5,
    "ticket-upgrade": 6,
    "rooftop-showdown": 3,
    "second-meeting": 4,
    "citizens-arrest": 3,
    "broken-track": 4,
    "occupied": 3,
    "youre-coming-with-me": 3,
    "murder-in-the-dark": 3,
    "passenger-list": 2,
    "tailwind": 0,
    "more-coal": 0,
}
BAD_CARDS = {
    "tailwind": 9,
    "more-coal": 8,
    "jam-the-controls": 7,
    "seize-control": 6,
    "gun-to-the-head": 8,
    "run-the-red": 7,
    "occupied": 7,
    "hang-on": 6,
    "lock-the-doors": 6,
    "conductor": 5,
    "broken-track": 5,
    "murder-in-the-dark": 4,
    "youre-coming-with-me": 4,
    "ticket-upgrade": 6,
    "train-fault": 0,
    "spy": 0,
}


class Passenger(Bot[TrainView, Any]):
    """Sees its view alone, and what was said."""

    #: Whether the Saboteur and the Rogue play for the train to stop, too: a measure of the line.
    loyal = False

    def choose(
        self, seen: Seen[TrainView, Any], legal: list[int], rng: Rng, may_decline: bool
    ) -> int:
        view = seen.view
        if len(legal) == 1 and not may_decline:
            return legal[0]
        mind = Mind(view, seen.said, rng, self.loyal)
        if seen.begun:
            return self._go_on(mind, list(seen.begun), legal)
        cards = [action - do.INTERVENE for action in legal if do.INTERVENE <= action < do.NAME]
        for card in cards:
            if wanted(mind, CARD_NAMES[card]):
                return do.INTERVENE + card
        if may_decline:
            return DECLINE
        return self._answer(mind, [a for a in legal if a < do.INTERVENE or a >= do.NAME])

    def _answer(self, mind: Mind, legal: list[int]) -> int:
        first = legal[0]
        if first == do.PASS:
            return first
        if first < do.DISCARD:
            if first == do.DECLINE:
                return mind.permit_from(legal[1:]) if mind.wants_permit() else do.DECLINE
            return min(legal, key=lambda action: self._worth(mind, action - do.RETURN))
        if first < do.PLAY:
            return do.DISCARD + EFFECT_NAMES.index(mind.discard(_effects(legal, do.DISCARD)))
        if first < do.SIDE:
            return do.PLAY + EFFECT_NAMES.index(mind.play(_effects(legal, do.PLAY)))
        if first < do.ROB:
            return mind.permit_from(legal)
        if first < do.VOTE:
            return max(legal, key=lambda action: mind.suspects[_seat(action)])
        if first < do.THROW_OFF:
            return do.VOTE + ROUTE_NAMES.index(
                mind.route([ROUTE_NAMES[a - do.VOTE] for a in legal])
            )
        if first < do.INTERVENE:
            return do.THROW_OFF + mind.ballot([action - do.THROW_OFF for action in legal])
        if first < do.UPGRADE:
            return do.COAL + EFFECT_NAMES.index(mind.fastest(_effects(legal, do.COAL)))
        if first < do.ACCEPT:
            return max(legal, key=lambda action: self._worth(mind, action - do.UPGRADE))
        return do.ACCEPT

    def _go_on(self, mind: Mind, begun: list[int], legal: list[int]) -> int:
        """The next step of a compound choice."""
        first = begun[0]
        if first >= do.COAL:
            return do.COAL + EFFECT_NAMES.index(mind.fastest(_effects(legal, do.COAL)))
        if first >= do.INTERVENE:
            return mind.target(CARD_NAMES[first - do.INTERVENE], legal)
        if first >= do.TAKE:
            return mind.permit_from(legal)
        if first >= do.PLAY:
            sides = ["second" if action - do.SIDE else "first" for action in legal]
            return do.SIDE + (mind.best_side(EFFECT_NAMES[first - do.PLAY], sides) == "second")
        return do.DISCARD + EFFECT_NAMES.index(mind.discard(_effects(legal, do.DISCARD)))

    def _worth(self, mind: Mind, card: int) -> float:
        worth = (BAD_CARDS if mind.bad else GOOD_CARDS).get(CARD_NAMES[card], 2)
        if mind.character in ("stuntman", "prisoner-of-war") and CARD_NAMES[card] == "hang-on":
            return 0.0
        return float(worth)

    def speak(self, seen: Seen[TrainView, Any], rng: Rng) -> Any | None:
        view = seen.view
        if view.own is None or view.viewer is None or view.step in ("keep", "over"):
            return None
        if view.players[view.viewer].status != "aboard":
            return None
        mind = Mind(view, seen.said, rng, self.loyal)
        return mind.accusation() if view.step == "meeting" else mind.claim()


class Loyal(Passenger):
    """The same, but nobody wants the crash: with these the line shows how hard it is by itself."""

    loyal = True


def _effects(actions: list[int], first: int) -> list[str]:
    return [EFFECT_NAMES[action - first] for action in actions]


def _seat(action: int) -> int:
    return action - do.ROB if action < do.LOOK else action - do.LOOK
