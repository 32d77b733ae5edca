"""Trial by Trolley: another match that looks the same to one viewer.

Written from the rules, without `view`, `seen_by` or what the state notes of who knows what: those are
tested against it. Hidden from a viewer are the hands of the other team (TT-2.1; a Conductor sees
none), the cards that come out of them unseen, the order of the decks, and at which place of a hidden
hand the card stood that was chosen (TT-2.3, TT-2.4).
"""

from __future__ import annotations

from typing import Any

import msgspec

from capolinea.engine import Deal, Game, Match, Record, Rng
from capolinea.engine.record import Entry, Move, altered
from capolinea.games.trial_by_trolley.rules import DECK_NAMES, HAND, Deck, Trolley


def twin(game: Game, record: Record, viewer: int | None, rng: Rng) -> Record:
    watched = _Watched(game, record, viewer)
    deal = Match.dealt(game, record)
    entries = list(record.entries)
    for hand in watched.hidden_hands:
        if watched.shuffles[hand.deck] == 1:
            # Reshuffled, the cards of this hand would come back in another order.
            _rearrange(deal, entries, watched, hand, rng)
    for deck in (Deck.INNOCENT, Deck.GUILTY, Deck.MODIFIER):
        _exchange(deal, watched, deck, rng)
    return altered(record, seed="", seed_hash="", deal=deal, entries=entries)


class _Hand:
    """A hand that the viewer does not see: who holds it, and the entries in which they choose."""

    def __init__(self, seat: int, deck: int, cards: list[int]) -> None:
        self.seat = seat
        self.deck = deck
        self.cards = cards
        self.choices: list[int] = []


class _Watched:
    """What a viewer saw of a record: every card on a track, every Modifier laid, own team's hands."""

    def __init__(self, game: Game, record: Record, viewer: int | None) -> None:
        self.seen: set[int] = set()
        self.hidden_hands: list[_Hand] = []
        self.this_round: list[_Hand] = []
        match = Match.begin(game, record)
        state = self._state(match)
        self.deck_of = state.deck_of
        self._round(state, viewer)
        now = state.round
        for number, entry in enumerate(record.entries):
            if isinstance(entry, Move) and entry.do[0]["do"] in ("innocent", "guilty"):
                deck = DECK_NAMES.index(entry.do[0]["do"])
                for hand in self.this_round:
                    if (hand.seat, hand.deck) == (entry.seat, deck):
                        hand.choices.append(number)
            match.follow(entry, number)
            state = self._state(match)
            if state.round != now and state.waiting():
                now = state.round
                self._round(state, viewer)
            self._look(state, viewer)
        self.shuffles = state.shuffles

    @staticmethod
    def _state(match: Match) -> Trolley:
        assert isinstance(match.state, Trolley)
        return match.state

    def _round(self, state: Trolley, viewer: int | None) -> None:
        """A new round has been dealt."""
        self.this_round = []
        for team in (0, 1):
            if viewer in state.teams[team]:
                continue
            for deck, jobs in (
                (Deck.INNOCENT, state.innocent_jobs),
                (Deck.GUILTY, state.guilty_jobs),
            ):
                seat = jobs[team]
                self.this_round.append(_Hand(seat, deck, list(state.hands[seat][deck])))
        self.hidden_hands += self.this_round
        self._look(state, viewer)

    def _look(self, state: Trolley, viewer: int | None) -> None:
        for side in (0, 1):
            self.seen.update(state.tracks[side])
            for cards in state.modifiers[side]:
                self.seen.update(cards)
            if viewer in state.teams[side]:
                for seat in state.teams[side]:
                    for cards in state.hands[seat]:
                        self.seen.update(cards)
        for past in state.past[-1:]:
            for side in (0, 1):
                self.seen.update(past.tracks[side])
                for cards in past.modifiers[side]:
                    self.seen.update(cards)


def _order(deal: Deal, deck: int) -> list[int]:
    order = deal[DECK_NAMES[deck]][0]
    assert isinstance(order, list)
    return order


def _rearrange(deal: Deal, entries: list[Entry], watched: _Watched, hand: _Hand, rng: Rng) -> None:
    """The same three cards in another order, and the same card chosen from its new place."""
    order = _order(deal, hand.deck)
    cards = [card for card, deck in enumerate(watched.deck_of) if deck == hand.deck]
    where = [order.index(cards.index(card)) for card in hand.cards]
    new = list(range(HAND))
    rng.shuffle(new)
    values = [order[place] for place in where]
    for place, old in zip(where, new, strict=True):
        order[place] = values[old]
    for number in hand.choices:
        entry = entries[number]
        assert isinstance(entry, Move)
        step: dict[str, Any] = {**entry.do[0], "place": new.index(entry.do[0]["place"])}
        entries[number] = msgspec.structs.replace(entry, do=[step])


def _exchange(deal: Deal, watched: _Watched, deck: int, rng: Rng) -> None:
    """Exchange the cards of a deck that the viewer never saw."""
    order = _order(deal, deck)
    cards = [card for card, of in enumerate(watched.deck_of) if of == deck]
    unseen = [place for place, card in enumerate(cards) if card not in watched.seen]
    dealt = list(unseen)
    rng.shuffle(dealt)
    swap = dict(zip(unseen, dealt, strict=True))
    deal[DECK_NAMES[deck]][0] = [swap.get(place, place) for place in order]
