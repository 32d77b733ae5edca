"""Stop the Train!: another match that looks the same to one viewer.

Written from the rules, without `view` or `seen_by`: those are tested against it. Hidden from a viewer
are the characters of the others (ST-2.1), effect cards that were drawn, discarded and passed by others
(ST-4.1, ST-4.2), interventions that were not played (ST-2.4), whose route vote was which (ST-5.4), who
voted for whom in a secret ballot, and in which order others passed in a window (ST-7.5).

Cards are followed as places in the dealt order, from the deal to wherever they end; what changes is
the kind that stands at a place which the viewer never saw.
"""

from __future__ import annotations

from typing import Any

import msgspec

from capolinea.engine import Deal, Game, Match, Record, Rng
from capolinea.engine.record import Entry, Move, Undo, altered
from capolinea.games.stop_the_train.rules import steps, where
from capolinea.games.stop_the_train.rules.cards import EFFECT_NAMES, Character
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES
from capolinea.games.stop_the_train.rules.notes import Look
from capolinea.games.stop_the_train.rules.setup import DEALT, of_counts
from capolinea.games.stop_the_train.rules.train import Train
from capolinea.games.stop_the_train.rules.turn import DRAWN


def twin(game: Game, record: Record, viewer: int | None, rng: Rng) -> Record:
    deal = Match.dealt(game, record)
    watched = _Watched(game, record, viewer, deal)
    if watched.undone and watched.robbed:
        # A theft that was taken back and made anew would have to stand in the deal twice.
        return record
    entries = list(record.entries)
    effects = _exchange(watched.effect_kinds, watched.seen_effects, rng)
    cards = _exchange(watched.card_kinds, watched.seen_cards, rng)
    _rewrite(entries, watched, effects, cards)
    _set_order(deal, "deck", watched.effect_order, watched.effect_kinds, effects)
    _set_order(deal, "interventions", watched.card_order, watched.card_kinds, cards)
    for number, (victim_hand, taken) in enumerate(watched.thefts):
        hand = sorted(cards[place] for place in victim_hand)
        deal["theft"][number] = hand.index(cards[taken])
    if not watched.over:
        _swap_characters(deal, watched, rng)
    if not watched.undone:
        _swap_votes(entries, watched, rng)
        _swap_ballots(entries, watched, rng)
    _swap_passes(entries, watched, rng)
    return altered(record, seed="", seed_hash="", deal=deal, entries=entries)


class _Cards:
    """Where every card is, as places in the dealt order."""

    def __init__(self, effects: int, cards: int, seats: int) -> None:
        self.deck = list(range(effects))
        self.drawn: list[int] = []
        self.hand: list[int] = []
        self.aside = -1
        self.played = -1
        self.discards: list[int] = []
        dealt = range(DEALT * seats)
        self.held = [list(dealt[DEALT * seat : DEALT * seat + DEALT]) for seat in range(seats)]
        self.undealt = list(range(DEALT * seats, cards))
        self.turns = 0
        self.keeping = True
        self.returned = [-1] * seats

    def copy(self) -> _Cards:
        other = _Cards(0, 0, 0)
        other.deck, other.drawn, other.hand = self.deck[:], self.drawn[:], self.hand[:]
        other.aside, other.played = self.aside, self.played
        other.discards, other.undealt = self.discards[:], self.undealt[:]
        other.held = [held[:] for held in self.held]
        other.turns, other.keeping = self.turns, self.keeping
        other.returned = self.returned[:]
        return other


class _Watched:
    """A record followed card by card: what the viewer saw, and which moves were hidden from them."""

    def __init__(self, game: Game, record: Record, viewer: int | None, deal: Deal) -> None:
        self.viewer = viewer
        match = Match.begin(game, record)
        train = _train(match)
        self.characters = list(train.characters)
        self.cast, self.plain = list(train.cast), not (train.forced or train.balanced)
        self.effect_order = _order(deal, "deck")
        self.card_order = _order(deal, "interventions")
        effects, cards = of_counts(train.effect_counts), of_counts(train.card_counts)
        #: What stands at each place of the dealt order.
        self.effect_kinds = [effects[number] for number in self.effect_order]
        self.card_kinds = [cards[number] for number in self.card_order]
        self.seen_effects: set[int] = set()
        self.seen_cards: set[int] = set()
        #: Hidden moves: entry → the places that its steps are about.
        self.effect_moves: dict[int, list[int]] = {}
        self.card_moves: dict[int, list[int]] = {}
        self.thefts: list[tuple[list[int], int]] = []
        moves = [entry for entry in record.entries if isinstance(entry, Move)]
        self.robbed = any(move.do[0]["do"] == "rob" for move in moves)
        self.known_characters = {viewer}
        self.saw_list = False
        #: The last vote of each other seat in each counted vote, and whether it was open; the same
        #: for secret ballots, with who counted double.
        self.votes: dict[int, dict[int, int]] = {}
        self.open_votes = False
        self.changed: set[int] = set()
        self.ballots: dict[int, dict[int, int]] = {}
        self.double: dict[int, list[int]] = {}
        #: Passes after which the same window went on asking.
        self.passes: set[int] = set()
        self.undone = any(isinstance(entry, Undo) for entry in record.entries)
        self.cards = _Cards(len(effects), len(cards), train.seats)
        if viewer is not None:
            self.seen_cards.update(self.cards.held[viewer])
        snapshots: dict[int, _Cards] = {}
        for number, entry in enumerate(record.entries):
            before = match.state
            assert isinstance(before, Train)
            if isinstance(entry, Move):
                snapshots[number] = self.cards.copy()
                self._note_votes(before, entry, number)
            match.follow(entry, number)
            if isinstance(entry, Undo):
                self.cards = snapshots[entry.to].copy()
            elif isinstance(entry, Move):
                self._move(before, _train(match), entry, number)
        self.over = match.result() is not None

    def _move(self, before: Train, after: Train, entry: Move, number: int) -> None:
        cards, seat = self.cards, entry.seat
        match entry.do[0]["do"]:
            case "return":
                place = self._held(cards.held[seat], entry.do[0]["card"])
                cards.returned[seat] = place
                self.card_moves[number] = [place]
            case "discard":
                self._discard(before, after, entry, number)
            case "play":
                self._play(entry)
            case "coal":
                self._coal(entry, number)
            case "upgrade":
                place = self._held(cards.undealt, entry.do[0]["card"])
                cards.undealt.remove(place)
                cards.held[seat].append(place)
                self.card_moves[number] = [place]
            case "rob":
                self._rob(after, seat, entry.do[0]["seat"])
            case "look":
                if seat == self.viewer:
                    self.known_characters.add(entry.do[0]["seat"])
            case "pass":
                if after.asked == before.asked & ~(1 << seat):
                    self.passes.add(number)
            case "intervene":
                place = self._held(cards.held[seat], entry.do[0]["card"])
                cards.held[seat].remove(place)
                self.seen_cards.add(place)
        self._settle(before, after)

    def _held(self, places: list[int], name: str) -> int:
        kind = CARD_NAMES.index(name)
        return next(place for place in places if self.card_kinds[place] == kind)

    def _effect(self, places: list[int], name: str) -> int:
        kind = EFFECT_NAMES.index(name)
        return next(place for place in places if self.effect_kinds[place] == kind)

    def _discard(self, before: Train, after: Train, entry: Move, number: int) -> None:
        cards = self.cards
        places = []
        for step in entry.do:
            place = self._effect(cards.drawn, step["effect"])
            cards.drawn.remove(place)
            cards.discards.append(place)
            places.append(place)
        self.effect_moves[number] = places
        cards.hand, cards.drawn = cards.drawn, []
        if self.viewer is not None and self.viewer in (entry.seat, after.now.current):
            self.seen_effects.update(cards.hand)

    def _play(self, entry: Move) -> None:
        cards = self.cards
        cards.played = self._effect(cards.hand, entry.do[0]["effect"])
        cards.hand.remove(cards.played)
        self.seen_effects.add(cards.played)
        cards.aside = cards.hand.pop() if cards.hand else -1

    def _coal(self, entry: Move, number: int) -> None:
        """Whoever looks sees all discards. They stay as they are: which of two like cards was taken
        would show in the order of the rest."""
        cards = self.cards
        self.seen_effects.update(cards.discards)
        for step in entry.do:
            place = self._effect(cards.discards, step["effect"])
            cards.discards.remove(place)
            cards.deck.append(place)

    def _rob(self, after: Train, seat: int, victim: int) -> None:
        cards = self.cards
        taken = next(n for n in reversed(after.notes[seat]) if n.look == Look.TOOK).things[0]
        place = self._held(cards.held[victim], CARD_NAMES[taken])
        del self.thefts[len(after.thefts) - 1 :]
        self.thefts.append((list(cards.held[victim]), place))
        cards.held[victim].remove(place)
        cards.held[seat].append(place)
        if self.viewer is not None and self.viewer in (seat, victim):
            self.seen_cards.add(place)

    def _settle(self, before: Train, after: Train) -> None:
        """What the rules did after the move."""
        cards = self.cards
        if cards.keeping and after.stack[-1] != steps.KEEP:
            cards.keeping = False
            for seat, place in enumerate(cards.returned):
                cards.held[seat].remove(place)
                cards.undealt.append(place)
        if len(after.spent) > len(before.spent):
            self._looks(before, after)
        open_before, open_now = (
            steps.EFFECT_PLAYED in before.stack,
            steps.EFFECT_PLAYED in after.stack,
        )
        if open_before and (not open_now or len(after.turns) > cards.turns) and cards.aside >= 0:
            cards.discards.append(cards.aside)
            cards.aside = -1
        if len(after.turns) > cards.turns:
            cards.turns = len(after.turns)
            cards.drawn, cards.deck = cards.deck[:DRAWN], cards.deck[DRAWN:]
            if self.viewer is not None and after.now.drawer == self.viewer:
                self.seen_effects.update(cards.drawn)
        for seat in range(after.seats):
            if after.status[seat] >= where.OFF:
                cards.held[seat] = []

    def _looks(self, before: Train, after: Train) -> None:
        """Cards that took effect and showed something to the viewer, or turned cards round."""
        cards = self.cards
        for spent in after.spent[len(before.spent) :]:
            if spent.cancelled:
                continue
            match CARD_NAMES[spent.card]:
                case "seize-control":
                    cards.discards.append(cards.played)
                    cards.hand, cards.aside = [cards.aside], -1
                case "spy" if spent.seat == self.viewer:
                    last = cards.aside if cards.aside >= 0 else cards.discards[-1]
                    self.seen_effects.add(last)
                case "more-coal" if spent.seat == self.viewer:
                    self.seen_effects.update(cards.discards)
                case "ticket-upgrade" if spent.seat == self.viewer:
                    self.seen_cards.update(cards.undealt)
                case "passenger-list" if spent.seat == self.viewer:
                    self.saw_list = True

    def _note_votes(self, before: Train, entry: Move, number: int) -> None:
        if entry.seat == self.viewer:
            return
        match entry.do[0]["do"]:
            case "vote":
                votes = self.votes.setdefault(len(before.past_votes), {})
                if entry.seat in votes:
                    self.changed.add(entry.seat)
                votes[entry.seat] = number
                self.open_votes |= before.open_vote
            case "throw-off" if before.secret_ballot:
                meeting = len(before.past_meetings)
                self.ballots.setdefault(meeting, {})[entry.seat] = number
                self.double[meeting] = list(before.first_class)


def _train(match: Match) -> Train:
    assert isinstance(match.state, Train)
    return match.state


def _order(deal: Deal, purpose: str) -> list[int]:
    order = deal[purpose][0]
    assert isinstance(order, list)
    return order


def _exchange(kinds: list[int], seen: set[int], rng: Rng) -> list[int]:
    """Exchange what stands at places that the viewer never saw."""
    hidden = [place for place in range(len(kinds)) if place not in seen]
    dealt = list(hidden)
    rng.shuffle(dealt)
    new = list(kinds)
    for place, source in zip(hidden, dealt, strict=True):
        new[place] = kinds[source]
    return new


def _set_order(
    deal: Deal, purpose: str, order: list[int], kinds: list[int], new: list[int]
) -> None:
    """An order of cards in which these kinds stand at these places."""
    cards: dict[int, list[int]] = {}
    for number, kind in zip(order, kinds, strict=True):
        cards.setdefault(kind, []).append(number)
    deal[purpose][0] = [cards[kind].pop(0) for kind in new]


def _rewrite(entries: list[Entry], watched: _Watched, effects: list[int], cards: list[int]) -> None:
    """Hidden moves name the kinds that stand at their places now."""
    for number, places in watched.effect_moves.items():
        entry = _move(entries[number])
        steps: list[dict[str, Any]] = [
            {**step, "effect": EFFECT_NAMES[effects[place]]}
            for step, place in zip(entry.do, places, strict=True)
        ]
        entries[number] = msgspec.structs.replace(entry, do=steps)
    for number, places in watched.card_moves.items():
        entry = _move(entries[number])
        step: dict[str, Any] = {**entry.do[0], "card": CARD_NAMES[cards[places[0]]]}
        entries[number] = msgspec.structs.replace(entry, do=[step])


def _swap_characters(deal: Deal, watched: _Watched, rng: Rng) -> None:
    """Others exchange characters; where any cast is allowed, also with those left over."""
    characters = watched.characters
    hidden = [s for s in range(len(characters)) if s not in watched.known_characters]
    pool = [c for c in watched.cast if c != Character.SABOTEUR]
    if watched.plain and not watched.saw_list:
        strangers = [s for s in hidden if characters[s] != Character.SABOTEUR]
        absent = [c for c in pool if c not in characters]
        if strangers and absent:
            seat = strangers[rng.below(len(strangers))]
            characters[seat] = absent[rng.below(len(absent))]
    dealt = [characters[seat] for seat in hidden]
    rng.shuffle(dealt)
    for seat, character in zip(hidden, dealt, strict=True):
        characters[seat] = character
    drawn = sorted(c for c in characters if c != Character.SABOTEUR)
    passengers = [Character.SABOTEUR, *drawn]
    deal["seats"][0] = [passengers.index(c) for c in characters]
    left = [place for place, c in enumerate(pool) if c not in drawn]
    if watched.plain:
        deal["characters"] = [[pool.index(c) for c in drawn] + left]


def _swap_votes(entries: list[Entry], watched: _Watched, rng: Rng) -> None:
    """Two others exchange all their votes: the tallies stay, and so do the cards that they have."""
    if watched.open_votes or not watched.votes:
        return
    everywhere = set.intersection(*(set(votes) for votes in watched.votes.values()))
    # What somebody voted at first, with the cards they have left, might not do in another seat.
    seats = sorted(everywhere - watched.changed)
    if len(seats) < 2:
        return
    rng.shuffle(seats)
    for votes in watched.votes.values():
        _exchange_moves(entries, votes[seats[0]], votes[seats[1]])


def _swap_ballots(entries: list[Entry], watched: _Watched, rng: Rng) -> None:
    """Two others exchange their secret ballots, if nobody votes for themselves then."""
    for meeting, ballots in watched.ballots.items():
        seats = sorted(ballots)
        rng.shuffle(seats)
        for one in seats:
            for two in seats:
                votes = [_move(entries[ballots[s]]).do[0]["seat"] for s in (one, two)]
                weights = [s in watched.double[meeting] for s in (one, two)]
                if one < two and votes[0] != two and votes[1] != one and weights[0] == weights[1]:
                    _exchange_moves(entries, ballots[one], ballots[two])


def _exchange_moves(entries: list[Entry], one: int, two: int) -> None:
    first, second = _move(entries[one]), _move(entries[two])
    entries[one] = msgspec.structs.replace(first, do=second.do)
    entries[two] = msgspec.structs.replace(second, do=first.do)


def _swap_passes(entries: list[Entry], watched: _Watched, rng: Rng) -> None:
    """Two others who passed one after the other in a window did so the other way round."""
    for place in range(len(entries) - 1):
        pair = entries[place], entries[place + 1]
        both = all(_is_pass(entry, watched.viewer) for entry in pair)
        if both and place in watched.passes and rng.below(2):
            entries[place], entries[place + 1] = pair[1], pair[0]


def _is_pass(entry: Entry, viewer: int | None) -> bool:
    return isinstance(entry, Move) and entry.seat != viewer and entry.do[0]["do"] == "pass"


def _move(entry: Entry) -> Move:
    assert isinstance(entry, Move)
    return entry
