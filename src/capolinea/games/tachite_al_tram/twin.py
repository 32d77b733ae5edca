"""Tachite al Tram: another match that looks the same, to everybody.

Written from the rules, without `view` or `seen_by`: those are tested against it. Nobody has secrets;
hidden is what chance has ordered and nobody has turned over yet: the face-down tiles (TA-2.2), the
misfortunes (TA-5.4), and the passengers below the top one of each stop (TA-2.1, TA-6.2). In each
order that was ever made, what was never seen of it may lie otherwise.
"""

from __future__ import annotations

from capolinea.engine import Game, Match, Record, Rng
from capolinea.engine.record import Move, altered
from capolinea.games.tachite_al_tram.rules.trams import Trams


def twin(game: Game, record: Record, rng: Rng) -> Record:
    deal = Match.dealt(game, record)
    for (purpose, index), seen in _Watched(game, record).seen.items():
        order = deal[purpose][index]
        assert isinstance(order, list)
        hidden = [place for place in range(len(order)) if place not in seen]
        things = [order[place] for place in hidden]
        rng.shuffle(things)
        for place, thing in zip(hidden, things, strict=True):
            order[place] = thing
    return altered(record, seed="", seed_hash="", deal=deal)


class _Watched:
    """Of each order that chance made, by purpose and index: the places that were ever turned over."""

    def __init__(self, game: Game, record: Record) -> None:
        self.seen: dict[tuple[str, int], set[int]] = {}
        #: How many each stop got, by the index of the order.
        self.stops: dict[int, list[int]] = {}
        match = Match.begin(game, record)
        self._look(match)
        for number, entry in enumerate(record.entries):
            if isinstance(entry, Move) and entry.do[0]["do"] == "swap":
                # TA-3.3: one more is drawn before all are mixed anew.
                self._turned(match, 1)
            before = _state(match).refills
            match.follow(entry, number)
            if _state(match).refills > before:
                # TA-6.2: everybody was gone by then, perhaps several at once.
                everybody = sum(self.stops[before - 1])
                self._see("passengers", everybody, before - 1, range(everybody))
            self._look(match)

    def _look(self, match: Match) -> None:
        self._turned(match, 0)
        state = _state(match)
        index = state.refills - 1
        sizes = self.stops.setdefault(index, [len(waiting) for waiting in state.waiting_at])
        first = 0
        for size, waiting in zip(sizes, state.waiting_at, strict=True):
            shown = min(size, size - len(waiting) + 1)
            self._see("passengers", sum(sizes), index, range(first, first + shown))
            first += size

    def _turned(self, match: Match, more: int) -> None:
        """Piles are drawn from one after the other, so what is gone has been seen."""
        state = _state(match)
        tiles, cards = state.tile_pile, state.deck_pile
        self._see("tiles", tiles, state.tile_mixes - 1, range(tiles - len(state.face_down) + more))
        self._see("misfortunes", cards, state.deck_mixes - 1, range(cards - len(state.deck)))

    def _see(self, purpose: str, size: int, index: int, places: range) -> None:
        self.seen.setdefault((f"{purpose} {size}", index), set()).update(places)


def _state(match: Match) -> Trams:
    assert isinstance(match.state, Trams)
    return match.state
