"""The bot for Trial by Trolley: it weighs what lies on the tracks, and pleads accordingly (TT-4.2).

Every card has a weight: how sorry one would be to lose it. On a team it plays the cards that make its
own track heavier and the other lighter; as a Conductor it sends the trolley where less is lost. What
weighs how much depends on its character, and that on its seat, so that a table has several.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from capolinea.bots.bot import Bot, Seen
from capolinea.engine import Rng
from capolinea.games.trial_by_trolley.rules import TRACK_NAMES, Do
from capolinea.games.trial_by_trolley.title import TrolleyGame, TrolleyOptions
from capolinea.games.trial_by_trolley.views import Place, TrolleyView

#: What it is shown.
Trial = Seen[TrolleyView, TrolleyOptions]


class Character(NamedTuple):
    """How much each number of a card counts, and how this Conductor gives a reason."""

    sympathy: float
    lives: float
    harm: float
    absurdity: float
    reason: str


CHARACTERS = (
    Character(2.0, 1.0, 1.5, 0.0, "verdict.heart"),
    Character(0.7, 2.5, 1.5, 0.0, "verdict.lives"),
    Character(1.0, 0.7, 3.0, 0.0, "verdict.harm"),
    Character(0.6, 0.5, 0.7, 1.6, "verdict.absurd"),
)

#: What a card without numbers is worth: Innocents are spared, the Guilty are not.
PLAIN = {"innocent": 1, "guilty": -1, "modifier": 0}


class Advocate(Bot[TrolleyView, TrolleyOptions]):
    """Sees its view alone; the pack's numbers are printed on the cards for everybody."""

    def __init__(self) -> None:
        self.cards: dict[str, dict[str, Any]] = {}

    def _scales(self, seen: Trial) -> Scales:
        if not self.cards:
            assert isinstance(seen.game, TrolleyGame)
            self.cards = {card["id"]: card for card in seen.game.cards(seen.options)}
        return Scales(seen, self.cards)

    def choose(self, seen: Trial, legal: list[int], rng: Rng, may_decline: bool) -> int:
        view = seen.view
        weigh = self._scales(seen)
        first = legal[0]
        if first >= Do.VERDICT:
            return Do.VERDICT + (1 if weigh.track(view, 1) < weigh.track(view, 0) else 0)
        if first >= Do.EXTEND:
            return Do.CLOSE
        if seen.begun:
            return self._where(seen, view, weigh, seen.begun[0] - Do.MODIFIER)
        if first >= Do.MODIFIER:
            hand = _hand(view, "modifier")
            best = max(range(len(hand)), key=lambda place: abs(weigh.card(hand[place])))
            return Do.MODIFIER + best
        if first >= Do.GUILTY:
            hand = _hand(view, "guilty")
            return Do.GUILTY + min(range(len(hand)), key=lambda place: weigh.card(hand[place]))
        hand = _hand(view, "innocent")
        return Do.INNOCENT + max(range(len(hand)), key=lambda place: weigh.card(hand[place]))

    def _where(self, seen: Trial, view: TrolleyView, weigh: Scales, chosen: int) -> int:
        """A flattering Modifier on the heaviest card of one's own track, a damning one over there."""
        assert view.own is not None
        own = TRACK_NAMES.index(view.own.team)
        good = weigh.card(_hand(view, "modifier")[chosen]) >= 0
        track = own if good else 1 - own
        places = view.teams[track].track
        best = max(range(len(places)), key=lambda place: weigh.place(places[place]))
        return Do.ON + 3 * track + best

    def speak(self, seen: Trial, rng: Rng) -> Any | None:
        view = seen.view
        if view.phase == "plea" and view.own is not None:
            return self._plea(seen, view, rng)
        judged = view.past and view.past[-1].conductor == seen.seat
        if judged and view.phase in ("innocent", "over"):
            return self._reason(seen, view)
        return None

    def _plea(self, seen: Trial, view: TrolleyView, rng: Rng) -> Any:
        """About the dearest card on the own track and the worst one on the other."""
        assert view.own is not None
        weigh = self._scales(seen)
        own = TRACK_NAMES.index(view.own.team)
        dearest = max(view.teams[own].track, key=weigh.place).card
        worst = min(view.teams[1 - own].track, key=weigh.place).card
        about = {
            "plea.save": [dearest],
            "plea.think": [dearest],
            "plea.who-else": [dearest],
            "plea.history": [dearest],
            "plea.them": [worst],
            "plea.worse": [dearest, worst],
            "plea.choose": [dearest, worst],
            "plea.honest": [dearest, worst],
        }
        # Each has lines of their own in a round, since all may be thinking at the same time; of these
        # not what somebody has just said.
        players = len(view.tokens)
        place = (seen.seat - view.conductor - 1) % players
        share = list(about)[place :: players - 1] or list(about)
        lately = [one.line.key for one in seen.said[-players:]]
        fresh = [line for line in share if line not in lately] or share
        line = fresh[rng.below(len(fresh))]
        return {"plea": {"line": line, "cards": about[line]}}

    def _reason(self, seen: Trial, view: TrolleyView) -> Any:
        past = view.past[-1]
        weigh = self._scales(seen)
        spared = past.south if past.taken == "north" else past.north
        taken = past.north if past.taken == "north" else past.south
        character = CHARACTERS[seen.seat % len(CHARACTERS)]
        if abs(weigh.places(spared) - weigh.places(taken)) < 0.5:
            return {"reason": {"line": "verdict.coin", "cards": []}}
        if character.reason == "verdict.harm":
            card = min(taken, key=weigh.place).card
        else:
            card = max(spared, key=weigh.place).card
        return {"reason": {"line": character.reason, "cards": [card]}}


class Scales:
    """What cards weigh for one player."""

    def __init__(self, seen: Trial, cards: dict[str, dict[str, Any]]) -> None:
        self.character = CHARACTERS[seen.seat % len(CHARACTERS)]
        self.cards = cards

    def card(self, name: str) -> float:
        card = self.cards[name]
        of = self.character
        weight: float = (
            of.sympathy * card.get("sympathy", PLAIN[card["deck"]])
            + of.lives * card.get("lives", 0)
            - of.harm * card.get("harm", 0)
            + of.absurdity * card.get("absurdity", 0)
        )
        return weight

    def place(self, place: Place) -> float:
        return self.card(place.card) + sum(self.card(laid.card) for laid in place.modifiers)

    def places(self, places: list[Place]) -> float:
        return sum(self.place(place) for place in places)

    def track(self, view: TrolleyView, track: int) -> float:
        return self.places(view.teams[track].track)


def _hand(view: TrolleyView, deck: str) -> list[str]:
    assert view.own is not None
    for hand in view.own.hands:
        if hand.seat == view.viewer:
            cards: list[str] = getattr(hand, deck)
            return cards
    raise AssertionError(deck)
