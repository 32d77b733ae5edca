"""Trial by Trolley: what an action means in the eyes of who may take it."""

from __future__ import annotations

from typing import Any

from capolinea.engine import Line
from capolinea.games.trial_by_trolley.views import TrolleyView

_WITH_CARD = {
    "innocent": "action.innocent.card",
    "guilty": "action.guilty.card",
    "modifier": "action.modifier.card",
}


def describe(view: TrolleyView, line: Line) -> Line:
    """The action with the cards it is about, if the viewer sees them."""
    do = line.key.partition(".")[2]
    if do in _WITH_CARD:
        hand = _hand(view, do)
        place = line.args["place"]
        if place < len(hand):
            return Line(_WITH_CARD[do], {"card": hand[place]})
    if do == "on":
        team = view.teams[("north", "south").index(line.args["track"])]
        if line.args["place"] < len(team.track):
            card = team.track[line.args["place"]].card
            return Line("action.on.card", {"track": line.args["track"], "card": card})
    return line


def _hand(view: TrolleyView, deck: str) -> list[Any]:
    for hand in view.own.hands if view.own is not None else []:
        if hand.seat == view.viewer:
            cards: list[Any] = getattr(hand, deck)
            return cards
    return []
