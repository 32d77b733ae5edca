"""Trial by Trolley: a whole state that whoever sees a view could be in."""

from __future__ import annotations

from capolinea.engine import Chance, Rng
from capolinea.games.trial_by_trolley.rules import (
    EVERYBODY,
    HAND,
    SPECTATOR,
    TRACK_NAMES,
    Past,
    Trolley,
)
from capolinea.games.trial_by_trolley.views import PHASE_NAMES, Hand, PastRound, Place, TrolleyView


def imagine(view: TrolleyView, rng: Rng) -> Trolley:
    """What is known stays; the other hands, the decks and what was discarded unseen are dealt at
    random from the cards that the viewer cannot place."""
    return _Imagined(view, rng).state


class _Imagined:
    def __init__(self, view: TrolleyView, rng: Rng) -> None:
        self.view = view
        self.rng = rng
        self.state = state = Trolley()
        state.ids = [name for deck in view.pack for name in deck]
        state.deck_of = [number for number, deck in enumerate(view.pack) for _ in deck]
        state.pack = view.pack
        state.things = [view.things.get(card, 0) for card in state.ids]
        state.known = [0] * len(state.ids)
        state.chance = Chance(rng.bytes(32))
        self.number = {name: card for card, name in enumerate(state.ids)}
        self.placed: set[int] = set()
        self._public()
        self._own()
        self._hidden()

    def _cards(self, names: list[str], known: int) -> list[int]:
        """These cards have their place, and so many know it."""
        cards = [self.number[name] for name in names]
        for card in cards:
            self.placed.add(card)
            self.state.known[card] = known
        return cards

    def _public(self) -> None:
        view, state = self.view, self.state
        state.seats = len(view.tokens)
        state.tom_trolley, state.accomplices = view.tom_trolley, view.accomplices
        state.talk_minutes, state.extensions = view.talk_minutes, view.extensions
        state.phase = PHASE_NAMES.index(view.phase)
        state.round, state.rounds, state.conductor = view.round, view.rounds, view.conductor
        state.tokens, state.queue, state.tom = list(view.tokens), list(view.queue), view.tom
        state.teams = [team.players for team in view.teams]
        state.innocent_jobs = [team.innocent for team in view.teams]
        state.guilty_jobs = [team.guilty for team in view.teams]
        state.shuffles = [deck.shuffles for deck in view.decks]
        state.hands = [[[], [], []] for _ in view.tokens]
        state.dealt = [[[], [], []] for _ in view.tokens]
        state.choices = [self.rng.below(HAND) if team.ready else -1 for team in view.teams]
        over = view.phase == "over"  # then the last round's cards lie with the discards
        for side, team in enumerate(view.teams):
            state.tracks[side] = [self.number[place.card] for place in team.track]
            state.modifiers[side] = [self._laid(place) for place in team.track]
            state.by[side] = [[laid.by for laid in place.modifiers] for place in team.track]
            if not over:
                for place in team.track:
                    self._cards([place.card, *(laid.card for laid in place.modifiers)], EVERYBODY)
        state.past = [self._past(past) for past in view.past]

    def _laid(self, place: Place) -> list[int]:
        return [self.number[laid.card] for laid in place.modifiers]

    def _past(self, seen: PastRound) -> Past:
        past = Past(None, TRACK_NAMES.index(seen.taken))
        past.conductor, past.teams = seen.conductor, seen.teams
        sides = (seen.north, seen.south)
        past.tracks = [[self.number[place.card] for place in side] for side in sides]
        past.modifiers = [[self._laid(place) for place in side] for side in sides]
        past.by = [[[laid.by for laid in place.modifiers] for place in side] for side in sides]
        past.dealt = [[[], [], []] for _ in self.view.tokens]
        for hand in seen.dealt:
            past.dealt[hand.seat] = self._numbers(hand)
        return past

    def _numbers(self, hand: Hand) -> list[list[int]]:
        decks = (hand.innocent, hand.guilty, hand.modifier)
        return [[self.number[name] for name in names] for names in decks]

    def _own(self) -> None:
        """The hands of one's team, and the discards that one has seen."""
        view, state = self.view, self.state
        if view.own is not None:
            team = TRACK_NAMES.index(view.own.team)
            mates = sum(1 << seat for seat in state.teams[team])
            for hand in view.own.hands:
                state.hands[hand.seat] = self._numbers(hand)
                self._cards([*hand.innocent, *hand.guilty, *hand.modifier], mates)
            for hand in view.own.dealt:
                state.dealt[hand.seat] = self._numbers(hand)
            state.choices[team] = view.own.choice
        me = 1 << (SPECTATOR if view.viewer is None else view.viewer)
        for number, deck in enumerate(view.decks):
            state.discards[number] = self._cards(deck.known, me)

    def _hidden(self) -> None:
        """Hands of the others first, then the discards, and the rest is the deck."""
        view, state = self.view, self.state
        for number, deck in enumerate(view.decks):
            rest = [
                card
                for card, of in enumerate(state.deck_of)
                if of == number and card not in self.placed
            ]
            self.rng.shuffle(rest)
            for seat, held in enumerate(view.held):
                while len(state.hands[seat][number]) < held[number]:
                    state.hands[seat][number].append(rest.pop())
            while len(state.discards[number]) < deck.discarded:
                state.discards[number].append(rest.pop())
            state.decks[number] = rest
