"""Trial by Trolley: the table read aloud, from a view alone."""

from __future__ import annotations

from capolinea.engine import Line
from capolinea.games.trial_by_trolley.rules import DECK_NAMES
from capolinea.games.trial_by_trolley.views import Own, TrolleyView

SIDES = ("north", "south")


def read(view: TrolleyView) -> list[Line]:
    number = min(view.round + 1, view.rounds)
    lines = [
        Line("read.round", {"round": number, "rounds": view.rounds, "seat": view.conductor}),
        Line(_PHASES[view.phase]),
    ]
    for side, team in zip(SIDES, view.teams, strict=True):
        lines.append(Line("read.track", {"track": side, "team": team.players}))
        for place in team.track:
            lines.append(Line("read.card", {"card": place.card}))
            lines += [
                Line("read.laid", {"card": laid.card, "seat": laid.by}) for laid in place.modifiers
            ]
    if view.queue:
        lines.append(Line("read.queue", {"seats": view.queue}))
    for seat, tokens in enumerate(view.tokens):
        lines.append(Line("read.tokens", {"seat": seat, "count": tokens}))
    for name, deck in zip(DECK_NAMES, view.decks, strict=True):
        lines.append(Line("read.deck", {"deck": name, "left": deck.left, "away": deck.discarded}))
    if view.tom >= 0:
        lines.append(Line("read.tom", {"seat": view.tom}))
    if view.own is not None:
        lines += _own(view.own)
    return lines


_PHASES = {
    "innocent": "read.phase.innocent",
    "guilty": "read.phase.guilty",
    "modifier": "read.phase.modifier",
    "plea": "read.phase.plea",
    "verdict": "read.phase.verdict",
    "over": "read.phase.over",
}


def _own(own: Own) -> list[Line]:
    lines = [Line("read.team", {"track": own.team})]
    for hand in own.hands:
        for deck in ("innocent", "guilty", "modifier"):
            cards = getattr(hand, deck)
            if cards:
                lines.append(Line("read.hand", {"seat": hand.seat, "deck": deck, "cards": cards}))
    return lines
