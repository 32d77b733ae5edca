"""Night Mail: another match that looks the same to one viewer.

Written from the rules, without `view` or `seen_by`: those are tested against it. Hidden from a viewer
are the cards that never came to their eyes (NM-1.3, NM-2.1), the others' employers until the end
(NM-1.2), whose vote was which (NM-4.2) and in which order others passed (NM-3.1).
"""

from __future__ import annotations

from typing import Any

import msgspec

from capolinea.engine import Deal, Game, Match, Record, Rng
from capolinea.engine.record import Entry, Move, altered
from capolinea.games.night_mail.rules import KIND, MAIL_NAMES, NightMail


def twin(game: Game, record: Record, viewer: int | None, rng: Rng) -> Record:
    watched = _Watched(game, record, viewer)
    deal = Match.dealt(game, record)
    entries = list(record.entries)
    swap = _swap_cards(watched, rng)
    deck = deal["deck"][0]
    assert isinstance(deck, list)
    deal["deck"][0] = [swap.get(card, card) for card in deck]
    for number, card in watched.loaded.items():
        mail = MAIL_NAMES[KIND[swap.get(card, card)]]
        entries[number] = _with(entries[number], {"do": "load", "mail": mail})
    if not watched.over:
        _swap_employers(deal, viewer, rng)
    if not record.options["open_vote"]:
        _swap_votes(entries, watched.votes, rng)
    _swap_passes(entries, viewer, rng)
    return altered(record, seed="", seed_hash="", deal=deal, entries=entries)


class _Watched:
    """What a viewer saw of a record, and which moves of the others they did not see."""

    def __init__(self, game: Game, record: Record, viewer: int | None) -> None:
        self.seen: set[int] = set()
        #: Mail that others put in their bags: entry → card.
        self.loaded: dict[int, int] = {}
        #: The last vote of each of the others: seat → entry.
        self.votes: dict[int, int] = {}
        self.over = False
        match = Match.begin(game, record)
        self._look(match, viewer)
        for number, entry in enumerate(record.entries):
            before = match.state
            assert isinstance(before, NightMail)
            match.follow(entry, number)
            if isinstance(entry, Move) and entry.seat != viewer:
                if entry.do[0]["do"] == "load":
                    after = match.state
                    assert isinstance(after, NightMail)
                    self.loaded[number] = after.bags[entry.seat][-1]
                elif entry.do[0]["do"] == "vote":
                    self.votes[entry.seat] = number
            self._look(match, viewer)
        for number, card in list(self.loaded.items()):
            if card in self.seen:
                del self.loaded[number]
        self.over = match.result() is not None

    def _look(self, match: Match, viewer: int | None) -> None:
        state = match.state
        assert isinstance(state, NightMail)
        self.seen.update(state.discard, state.answers)
        if state.offer >= 0:
            self.seen.add(state.offer)
        if viewer is not None:
            self.seen.update(state.hands[viewer], state.bags[viewer])
            for cards in state.seen[viewer]:
                self.seen.update(cards)


def _swap_cards(watched: _Watched, rng: Rng) -> dict[int, int]:
    """Exchange unseen cards: those that were loaded, being mail, only among themselves."""
    loaded = sorted(set(watched.loaded.values()))
    others = [card for card in range(len(KIND)) if card not in watched.seen and card not in loaded]
    swap: dict[int, int] = {}
    for cards in (loaded, others):
        dealt = list(cards)
        rng.shuffle(dealt)
        swap.update(zip(cards, dealt, strict=True))
    return swap


def _swap_employers(deal: Deal, viewer: int | None, rng: Rng) -> None:
    cards = deal["employers"][0]
    assert isinstance(cards, list)
    hidden = [place for place in range(len(cards)) if place != viewer]
    dealt = [cards[place] for place in hidden]
    rng.shuffle(dealt)
    for place, card in zip(hidden, dealt, strict=True):
        cards[place] = card


def _swap_votes(entries: list[Entry], last: dict[int, int], rng: Rng) -> None:
    """Others exchange the votes that counted: the tally stays."""
    places = sorted(last.values())
    votes = [_step(entries[place]) for place in places]
    rng.shuffle(votes)
    for place, vote in zip(places, votes, strict=True):
        entries[place] = _with(entries[place], vote)


def _swap_passes(entries: list[Entry], viewer: int | None, rng: Rng) -> None:
    """Two others who passed one after the other did so the other way round."""
    for place in range(len(entries) - 1):
        pair = entries[place], entries[place + 1]
        if all(_is_pass(entry, viewer) for entry in pair) and rng.below(2):
            entries[place], entries[place + 1] = pair[1], pair[0]


def _is_pass(entry: Entry, viewer: int | None) -> bool:
    return isinstance(entry, Move) and entry.seat != viewer and _step(entry)["do"] == "pass"


def _step(entry: Entry) -> dict[str, Any]:
    assert isinstance(entry, Move)
    return entry.do[0]


def _with(entry: Entry, step: dict[str, Any]) -> Entry:
    assert isinstance(entry, Move)
    return msgspec.structs.replace(entry, do=[step])
