"""Stop the Train!: a whole state that whoever sees a view could be in."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from capolinea.engine import Chance, Rng
from capolinea.games.stop_the_train import line
from capolinea.games.stop_the_train.rules import steps, where
from capolinea.games.stop_the_train.rules.cards import (
    CHARACTER_NAMES,
    EFFECT_NAMES,
    ROUTE_NAMES,
    SIDE_NAMES,
    Character,
)
from capolinea.games.stop_the_train.rules.interventions import (
    CARD_NAMES,
    COAL,
    kinds_gone,
    kinds_in_play,
)
from capolinea.games.stop_the_train.rules.notes import (
    LOOK_NAMES,
    Meeting,
    Named,
    Note,
    Spent,
    Theft,
    Turn,
    Vote,
)
from capolinea.games.stop_the_train.rules.setup import DEALT, allowed, of_counts
from capolinea.games.stop_the_train.rules.steps import ENDING_NAMES, FIRST_WINDOW, STEP_NAMES
from capolinea.games.stop_the_train.rules.track import Track
from capolinea.games.stop_the_train.rules.train import Train
from capolinea.games.stop_the_train.rules.turn import DRAWN
from capolinea.games.stop_the_train.views import Played, Section, Seen, TrainView

UNKNOWN = -1


def imagine(view: TrainView, rng: Rng) -> Train:
    """What is known stays; all else is dealt at random from what the viewer cannot place."""
    return _Imagined(view, rng).train


class _Imagined:
    def __init__(self, view: TrainView, rng: Rng) -> None:
        self.view = view
        self.rng = rng
        self.seats = len(view.players)
        self.train = Train().copy()
        self.train.chance = Chance(rng.bytes(32))
        #: Cards in somebody's hand that the viewer knows: called for by Seize Control, or put under
        #: the deck by the viewer.
        self.called: list[int] = []
        self.last_three: list[int] = []
        self._table()
        self._public()
        self._turns()
        self._own_notes()
        self._characters()
        self._interventions()
        self._effects()
        self._votes()
        self._ballots()
        self._asked()

    # --- what is known -------------------------------------------------------------------------

    def _table(self) -> None:
        table, train = self.view.table, self.train
        sections = msgspec.json.encode(table.sections).decode()
        train.track = _track(table.track, table.train, sections)
        train.seats = self.seats
        train.with_freight = table.freight
        train.strict_agent, train.two_hills = table.strict_agent, table.two_hills
        train.talk_minutes = table.talk_minutes
        train.start, train.start_speed = table.start, table.start_speed
        train.cast = [CHARACTER_NAMES.index(name) for name in table.cast]
        train.forced = [CHARACTER_NAMES.index(name) for name in table.forced]
        train.balanced = table.balanced
        train.effect_counts = [table.effects[name] for name in EFFECT_NAMES]
        train.card_counts = [table.interventions.get(name, 0) for name in CARD_NAMES]
        train.in_play = kinds_in_play(train.card_counts)

    def _public(self) -> None:
        view, train = self.view, self.train
        train.stack = [steps.OVER, *(STEP_NAMES.index(name) for name in view.beneath)]
        train.status = [where.NAMES.index(player.status) for player in view.players]
        train.permits = [player.permits for player in view.players]
        train.organiser = view.organiser
        train.speed, train.slowest, train.fastest = view.speed, view.slowest, view.fastest
        train.at, train.freight, train.route = view.at, view.freight, _route(view.route)
        train.records = sum(1 << hill for hill in view.records)
        train.pile = _effects(view.pile)
        train.moments = view.turn
        train.choosers = list(view.choosers)
        train.ending = ENDING_NAMES.index(view.ending) if view.ending else -1
        for card in view.waiting_cards:
            train.waiting_cards.append(CARD_NAMES.index(card.card))
            train.waiting_players.append(card.seat)
            train.waiting_targets.append(_target(card))
        for played in view.spent:
            card_number = CARD_NAMES.index(played.card)
            spent = (played.turn, played.seat, card_number, _target(played))
            train.spent.append(Spent(*spent, played.cancelled, played.discards))
        train.thefts = [Theft(t.turn, t.thief, t.victim, t.spent) for t in view.thefts]
        lying = [spent.card for spent in train.spent] + train.waiting_cards
        train.gone = kinds_gone(train.card_counts, lying)

    def _turns(self) -> None:
        for shown in self.view.turns:
            turn = Turn()
            turn.drawer, turn.current, turn.gun = shown.drawer, shown.current, shown.gun
            turn.played = EFFECT_NAMES.index(shown.effect) if shown.effect else -1
            turn.side = SIDE_NAMES.index(shown.side) if shown.side else 0
            turn.seized = EFFECT_NAMES.index(shown.seized) if shown.seized else -1
            turn.jammed, turn.speed, turn.at = shown.jammed, shown.speed, shown.at
            turn.drawn, turn.discarded = _effects(shown.drew), _effects(shown.discarded)
            turn.passed = _effects(shown.passed)
            turn.set_aside = EFFECT_NAMES.index(shown.set_aside) if shown.set_aside else -1
            self.train.turns.append(turn)
        if self.train.turns:
            self.train.now = self.train.turns[-1]
        else:
            self.train.now.drawer = self.view.drawer

    def _own_notes(self) -> None:
        self.train.notes = [[] for _ in range(self.seats)]
        if self.view.own is not None and self.view.viewer is not None:
            self.train.notes[self.view.viewer] = [_note(seen) for seen in self.view.own.seen]

    def _seen(self, look: str) -> list[Seen]:
        own = self.view.own
        return [seen for seen in own.seen if seen.look == look] if own is not None else []

    # --- who is who ----------------------------------------------------------------------------

    def _characters(self) -> None:
        view, train = self.view, self.train
        pool = [character for character in train.cast if character != Character.SABOTEUR]
        if view.characters:
            train.characters = [CHARACTER_NAMES.index(name) for name in view.characters]
            train.left_over = [c for c in pool if c not in train.characters]
            return
        known: dict[int, int] = {}
        if view.own is not None and view.viewer is not None:
            known[view.viewer] = CHARACTER_NAMES.index(view.own.character)
        for seen in self._seen("identity"):
            known[seen.seat] = CHARACTER_NAMES.index(seen.roles[0])
        absent = {CHARACTER_NAMES.index(r) for s in self._seen("passenger-list") for r in s.roles}
        rest = [c for c in pool if c not in known.values() and c not in absent]
        while True:
            self.rng.shuffle(rest)
            drawn = rest[: self.seats - 1 - sum(c != Character.SABOTEUR for c in known.values())]
            aboard = [c for c in known.values() if c != Character.SABOTEUR] + drawn
            if allowed(train, aboard):
                break
        if Character.SABOTEUR not in known.values():
            drawn.append(Character.SABOTEUR)
        self.rng.shuffle(drawn)
        train.characters = [known[s] if s in known else drawn.pop() for s in range(self.seats)]
        train.left_over = [c for c in pool if c not in train.characters]

    # --- interventions -------------------------------------------------------------------------

    def _interventions(self) -> None:
        view, train = self.view, self.train
        keeping = view.step == "keep"
        own, me = view.own, view.viewer
        held: list[list[int]] = [[] for _ in range(self.seats)]
        rest = of_counts(train.card_counts)
        for card in [spent.card for spent in train.spent] + train.waiting_cards:
            rest.remove(card)
        if own is not None and me is not None:
            held[me] = _cards(own.cards)
        for card in [*(card for cards in held for card in cards), *self._lost()]:
            rest.remove(card)
        undealt, hidden = self._undealt(rest, keeping)
        self._stolen(held, rest)
        self.rng.shuffle(rest)
        while len(undealt) < hidden:
            undealt.append(rest.pop())
        for seat, player in enumerate(view.players):
            while len(held[seat]) < player.interventions:
                held[seat].append(rest.pop())
        train.undealt = sorted(undealt)
        train.held = [0] * self.seats
        train.hands = [[] for _ in range(self.seats)]
        train.dealt = [[] for _ in range(self.seats)]
        train.returned = [UNKNOWN] * self.seats
        for seat in range(self.seats):
            held[seat].sort()
            train.hold(seat, held[seat])
            if keeping:
                train.dealt[seat] = sorted(held[seat])
                train.held[seat] = 0
                train.returned[seat] = held[seat][0] if seat in view.kept else UNKNOWN
        if own is not None and me is not None:
            train.dealt[me] = _cards(own.dealt)
            train.returned[me] = CARD_NAMES.index(own.returned) if own.returned else UNKNOWN

    def _lost(self) -> list[int]:
        """What the viewer held when they left the train: it has left the game (ST-5.6)."""
        own, me = self.view.own, self.view.viewer
        if own is None or me is None or self.view.players[me].status not in ("off", "dead"):
            return []
        lost = _cards(own.dealt)
        for look in ("took", "upgrade-chosen"):
            lost += [card for seen in self._seen(look) for card in _cards(seen.cards)]
        gone = [own.returned, *(card for seen in self._seen("lost") for card in seen.cards)]
        gone += [played.card for played in self.view.spent if played.seat == me]
        for name in gone:
            lost.remove(CARD_NAMES.index(name))
        return lost

    def _undealt(self, rest: list[int], keeping: bool) -> tuple[list[int], int]:
        """The undealt cards that the viewer knows, and how many there are."""
        own, train = self.view.own, self.train
        size = sum(train.card_counts) - DEALT * self.seats
        if keeping:
            return [], size
        size += self.seats
        upgrades = [s for s in self.view.spent if s.card == "ticket-upgrade" and not s.cancelled]
        chosen = len(upgrades) - ("upgrade" in self.view.beneath)
        known: list[int] = []
        for seen in self._seen("upgrade"):
            known = _cards(seen.cards)
            for choice in self._seen("upgrade-chosen"):
                known.remove(CARD_NAMES.index(choice.cards[0]))
        if not known and not chosen and own is not None:
            known = [CARD_NAMES.index(own.returned)]
        for card in known:
            rest.remove(card)
        return known, size - chosen

    def _stolen(self, held: list[list[int]], rest: list[int]) -> None:
        """What was stolen from the viewer is with the thief, unless it was played or stolen on."""
        for seen in self._seen("lost"):
            card, thief = CARD_NAMES.index(seen.cards[0]), seen.seat
            theft = next(t for t in self.view.thefts if t.turn == seen.turn)
            since = [s for s in self.view.spent[theft.spent :] if s.seat == thief]
            played = any(s.card == seen.cards[0] for s in since)
            room = len(held[thief]) < self.view.players[thief].interventions
            if room and card in rest and not played and not self._robbed(thief, seen.turn):
                held[thief].append(card)
                rest.remove(card)

    def _robbed(self, seat: int, since: int) -> bool:
        """Whether this seat may have been robbed after a turn; who was, everybody has seen."""
        return any(theft.victim == seat and theft.turn > since for theft in self.view.thefts)

    # --- effect cards --------------------------------------------------------------------------

    def _effects(self) -> None:
        """Every card lies on the pile, among the discards, in the deck or in somebody's hand."""
        view, train, now = self.view, self.train, self.train.now
        rest = of_counts(train.effect_counts)
        for card in train.pile:
            rest.remove(card)
        self.last_three = self._last_three()
        discards, aside = self._discards()
        drawing = bool(train.turns) and now.current < 0
        hand, size = self._hand(drawing)
        discards, bottom = self._coal(discards, [*hand, *aside])
        for card in [*discards, *bottom, *hand, *aside]:
            if card != UNKNOWN:
                rest.remove(card)
        self.rng.shuffle(rest)
        while len(hand) < size:
            hand.append(rest.pop())
        for card in aside:
            now.set_aside = rest.pop() if card == UNKNOWN else card
        if drawing:
            now.drawn = sorted(hand)
        else:
            train.hand = sorted(hand)
        train.discards = [rest.pop() if card == UNKNOWN else card for card in discards]
        # The bottom is drawn last, and drawn from is the end.
        bottom = [rest.pop() if card == UNKNOWN else card for card in bottom]
        train.deck = bottom + rest
        assert len(train.deck) == view.deck, (len(train.deck), view.deck)

    def _hand(self, drawing: bool) -> tuple[list[int], int]:
        """The effect cards in somebody's hand, as far as the viewer knows them, and how many."""
        view, train, now = self.view, self.train, self.train.now
        if drawing:
            return list(now.drawn) or self.last_three, DRAWN
        if not train.turns or steps.PLAY not in train.stack:
            return [], 0
        if view.own is not None and view.own.effects:
            return _effects(view.own.effects), len(view.own.effects)
        if now.seized >= 0:
            # The drawer knows the other card.
            known = now.passed[:]
            if known:
                known.remove(now.seized)
            return known or self.called, 1
        return now.passed[:] or self.last_three, 1 if now.gun else 2

    def _last_three(self) -> list[int]:
        """What the viewer put under the deck and somebody has drawn now, in any order."""
        chosen = self._seen("coal-chosen")
        if not chosen or self.view.deck or sum(self.train.effect_counts) % DRAWN:
            return []
        cards = _effects(chosen[0].effects)
        self.rng.shuffle(cards)
        return cards

    def _last_discards(self, turn: Turn) -> list[int]:
        """What the drawer of the last turn may have discarded of them; the rest they passed on."""
        if turn is not self.train.now or not self.last_three or turn.discarded:
            return []
        for card in [*turn.passed, turn.played, turn.seized]:
            if card in self.last_three and not (turn.passed and card in (turn.played, turn.seized)):
                self.last_three.remove(card)
        count = 2 if turn.gun else 1
        discarded, self.last_three = self.last_three[:count], self.last_three[count:]
        return discarded

    def _discards(self) -> tuple[list[int], list[int]]:
        """All cards that were ever put face down, in order, UNKNOWN where the viewer has not seen the
        card; and the one that was just set aside, if there is one."""
        train = self.train
        found: list[int] = []
        aside: list[int] = []
        seized_at = UNKNOWN
        for turn in train.turns:
            if turn.current >= 0:
                hidden = self._last_discards(turn) or [UNKNOWN] * (2 if turn.gun else 1)
                found += turn.discarded or hidden
            if turn.seized >= 0:
                seized_at = len(found) if turn is train.now else UNKNOWN
                found.append(turn.seized)
            if turn.played >= 0 and not turn.gun and turn.seized < 0:
                window_open = turn is train.now and steps.EFFECT_PLAYED in train.stack
                (aside if window_open else found).append(turn.set_aside)
        for seen in self._seen("spy"):
            place, card = self._spied_at(seen), EFFECT_NAMES.index(seen.effects[0])
            if place == seized_at:
                # Seize Control has called for the very card.
                self.called = [card]
            elif place < len(found) and found[place] == UNKNOWN:
                found[place] = card
            elif place == len(found) and aside == [UNKNOWN]:
                aside = [card]
        return found, aside

    def _spied_at(self, seen: Seen) -> int:
        """The place of a card that Spy has shown among all that were ever put face down."""
        names = [played.card for played in self.view.spent if not played.cancelled]
        after_coal = "more-coal" in names and names.index("more-coal") < names.index("spy")
        return seen.place + COAL if after_coal else seen.place

    def _came_back(self, card: int, known: list[int]) -> bool:
        """Whether more cards of this kind are known than there are: one is known twice."""
        train = self.train
        there = train.pile.count(card) + known.count(card)
        return card != UNKNOWN and there > train.effect_counts[card]

    def _coal_played(self) -> Played | None:
        for played in self.view.spent:
            if played.card == "more-coal" and not played.cancelled:
                return played
        return None

    def _coal(self, found: list[int], held: list[int]) -> tuple[list[int], list[int]]:
        """What More Coal left of the discards, and what it put under the deck, the last card first."""
        coal = self._coal_played()
        looked, chosen = self._seen("coal"), self._seen("coal-chosen")
        if coal is None:
            return found, []
        before, later = found[: coal.discards], found[coal.discards :]
        if looked:
            before = _effects(looked[0].effects)
        if "coal" in self.view.beneath:
            return before + later, []
        if chosen:
            taken = _effects(chosen[0].effects)
            for card in taken:
                before.remove(card)
        else:
            # Somebody else took three away, nobody knows which, unless they have come back.
            self.rng.shuffle(before)
            before.sort(key=lambda card: not self._came_back(card, found + held))
            taken, before = before[:COAL], before[COAL:]
        there = self.view.deck >= COAL
        return before + later, list(reversed(taken)) if there else []

    # --- votes and ballots ---------------------------------------------------------------------

    def _votes(self) -> None:
        view, train = self.view, self.train
        vote, own, me = view.vote, view.own, view.viewer
        train.closed, train.open_vote = _route(vote.closed), vote.open
        train.arrested = list(vote.arrested)
        train.tally, train.tied = list(vote.tally), [_route(name) for name in vote.tied]
        train.decided, train.imposed = _route(vote.decided), vote.imposed
        for number, counted in enumerate(vote.counted):
            routes = [_route(name) for name in counted.routes]
            if not routes:
                routes = [r for r, count in enumerate(counted.tally) for _ in range(count)]
                self.rng.shuffle(routes)
                if own is not None and me in counted.voters:
                    mine = counted.voters.index(me)
                    swap = routes.index(_route(own.votes[number]))
                    routes[mine], routes[swap] = routes[swap], routes[mine]
            votes = [UNKNOWN] * self.seats
            for seat, route in zip(counted.voters, routes, strict=True):
                votes[seat] = route
            train.past_votes.append(Vote(votes, vote.open))
        train.ballots_left = [7] * self.seats
        annulled = any(s.card == "second-choice" and not s.cancelled for s in view.spent)
        for seat in range(self.seats):
            if annulled and train.past_votes[0].votes[seat] >= 0:
                train.ballots_left[seat] &= ~(1 << train.past_votes[0].votes[seat])
        if own is not None and me is not None:
            train.ballots_left[me] = sum(1 << _route(name) for name in own.ballots_left)
        self._lying_votes()

    def _lying_votes(self) -> None:
        """Votes that lie face down, or those that were counted last."""
        view, train = self.view, self.train
        if steps.VOTE not in train.stack:
            last = train.past_votes[-1].votes if train.past_votes else []
            train.votes = last or [UNKNOWN] * self.seats
            return
        train.votes = [UNKNOWN] * self.seats
        for seat in view.vote.voted:
            able = [r for r in range(3) if train.ballots_left[seat] >> r & 1 and r != train.closed]
            train.votes[seat] = able[self.rng.below(len(able))]
        if view.own is not None and view.viewer in view.vote.voted:
            train.votes[view.viewer] = _route(view.own.votes[-1])

    def _ballots(self) -> None:
        view, train = self.view, self.train
        secrets = view.own.secret_ballots if view.own is not None else {}
        for number, past in enumerate(view.meetings):
            ballots = list(past.ballots) or [UNKNOWN] * self.seats
            if past.secret and view.viewer is not None:
                ballots[view.viewer] = secrets.get(str(number + 1), UNKNOWN)
            train.past_meetings.append(Meeting(past.turn, ballots, past.secret, list(past.off)))
        meeting = view.meeting
        train.ballots = [UNKNOWN] * self.seats
        if meeting is None:
            return
        train.occupied, train.first_class = list(meeting.occupied), list(meeting.first_class)
        train.secret_ballot, train.locked = meeting.secret, meeting.locked
        train.falling = list(meeting.falling)
        train.draggers, train.dragged = list(meeting.draggers), list(meeting.dragged)
        train.rescuer, train.second_meeting = meeting.rescuer, meeting.second
        train.ballots = list(meeting.ballots) or [UNKNOWN] * self.seats
        if meeting.secret:
            going_on = steps.AFTERMATH in train.stack
            own = secrets.get(str(len(view.meetings) + going_on))
            known: dict[int | None, int] = {}
            if own is not None and view.viewer in meeting.voted:
                known[view.viewer] = own
            self._secret(list(meeting.voted), list(meeting.tally), known)

    def _secret(self, voters: list[int], tally: list[int], known: dict[int | None, int]) -> None:
        """Ballots that come to the tally, if it has been counted; any, if they still lie there."""
        train = self.train
        weights = {seat: 2 if seat in train.first_class else 1 for seat in voters}

        def fill(place: int) -> bool:
            if place == len(voters):
                return not tally or not any(tally)
            seat = voters[place]
            others = [s for s in range(self.seats) if s != seat and self._could_be_named(s)]
            self.rng.shuffle(others)
            for other in [known[seat]] if seat in known else others:
                if tally and tally[other] < weights[seat]:
                    continue
                if tally:
                    tally[other] -= weights[seat]
                train.ballots[seat] = other
                if fill(place + 1):
                    return True
                if tally:
                    tally[other] += weights[seat]
            return False

        fill(0)

    def _could_be_named(self, seat: int) -> bool:
        """Whether a ballot can name this seat; once they are counted, the tally says so by itself."""
        if steps.BALLOT not in self.train.stack:
            return seat not in self.train.occupied
        aboard = self.view.players[seat].status == "aboard"
        return aboard and seat not in self.train.occupied

    def _asked(self) -> None:
        view, train = self.view, self.train
        if view.step == "over":
            return
        train.ask(train.stack[-1])
        if train.stack[-1] >= FIRST_WINDOW and view.own is not None and view.own.passed:
            assert view.viewer is not None
            train.asked &= ~(1 << view.viewer)


@lru_cache(maxsize=64)
def _track(name: str, train: int, sections: str) -> Track:
    parts = msgspec.json.decode(sections, type=list[Section])
    content: dict[str, Any] = {
        "train": train,
        "sections": {
            part.id: {
                "spaces": part.spaces,
                "features": [
                    {"kind": place.kind, "from": place.first, "to": place.last}
                    for place in part.places
                ],
            }
            for part in parts
        },
    }
    return line.load(name, content)


def _note(seen: Seen) -> Note:
    things = [CHARACTER_NAMES.index(name) for name in seen.roles]
    things += _effects(seen.effects) + _cards(seen.cards)
    return Note(LOOK_NAMES.index(seen.look), seen.turn, seen.seat, things, seen.place)


def _target(played: Played) -> int:
    if played.other >= 0:
        return Named.SEAT + played.other
    if played.organiser:
        return Named.ORGANISER
    if played.route:
        return Named.ROUTE + ROUTE_NAMES.index(played.route)
    return Named.BRAKE if played.brake else Named.NOTHING


def _effects(names: list[str]) -> list[int]:
    return [EFFECT_NAMES.index(name) for name in names]


def _cards(names: list[str]) -> list[int]:
    return [CARD_NAMES.index(name) for name in names]


def _route(name: str) -> int:
    return ROUTE_NAMES.index(name) if name else -1
