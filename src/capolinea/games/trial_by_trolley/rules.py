"""Trial by Trolley: the rules (docs/rules/en/trial-by-trolley.md). This module compiles.

A card is a number into the table's pack, in which `deck_of[card]` says whether it is an Innocent, a
Guilty or a Modifier; what stands on it is no business of the rules. A hand is a list of cards in the
order in which they were drawn, and a choice names a place in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.engine.chance import Chance
from capolinea.engine.fields import Deep, Key, Own
from capolinea.engine.problems import Refused
from capolinea.engine.state import COMPILED, State, key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capolinea.engine.events import Event
    from capolinea.engine.result import Result
    from capolinea.engine.views import Preview, View
    from capolinea.games.trial_by_trolley.views import TrolleyView


class Deck:
    INNOCENT: Final = 0
    GUILTY: Final = 1
    MODIFIER: Final = 2


DECK_NAMES: Final = ["innocent", "guilty", "modifier"]
TRACK_NAMES: Final = ["north", "south"]


class Phase:
    INNOCENT: Final = 0
    GUILTY: Final = 1
    MODIFIER: Final = 2
    PLEA: Final = 3
    VERDICT: Final = 4
    OVER: Final = 5


class Do:
    """The action space: first numbers of its families (`Actions` in title.py lists them)."""

    # --- generated: actions
    INNOCENT: Final = 0  # + place
    GUILTY: Final = 3  # + place
    MODIFIER: Final = 6  # + place
    ON: Final = 12  # + track * 3 + place
    DECLINE: Final = 18
    EXTEND: Final = 19
    CLOSE: Final = 20
    VERDICT: Final = 21  # + track
    END: Final = 23
    # --- end


HAND: Final = 3
#: How often the Conductor may give the pleas more time in one round (TT-2.6).
EXTENSIONS: Final = 3
#: Spectators see what everybody sees; this is their bit among those who know a card.
SPECTATOR: Final = 13
EVERYBODY: Final = (1 << 14) - 1


class Trolley(State):
    """One moment of Trial by Trolley."""

    def __init__(self) -> None:
        super().__init__()
        # The table's options.
        self.tom_trolley = False
        self.accomplices = False
        self.talk_minutes = 3
        #: The pack: which deck each card belongs to, and its name there.
        self.deck_of: list[int] = []
        self.ids: list[str] = []
        self.pack: list[list[str]] = [[], [], []]
        #: How many things one can point at on each card (TT-2.5).
        self.things: list[int] = []

        self.phase: Key[int] = Phase.INNOCENT
        self.round: Key[int] = 0
        self.rounds = 0
        self.conductor: Key[int] = 0
        self.tokens: Key[Own[list[int]]] = []
        self.decks: Key[Deep[list[list[int]]]] = [[], [], []]
        self.discards: Key[Deep[list[list[int]]]] = [[], [], []]
        #: How often each deck has been shuffled.
        self.shuffles: Key[Own[list[int]]] = [0, 0, 0]
        #: Who has seen each card since it was last shuffled: a bit for each seat.
        self.known: Key[Own[list[int]]] = []

        #: The round: the two teams, who has which job, and what each player was dealt.
        self.teams: list[list[int]] = [[], []]
        self.innocent_jobs: Own[list[int]] = [0, 0]
        self.guilty_jobs: Own[list[int]] = [0, 0]
        self.hands: Key[Deep[list[list[list[int]]]]] = []
        self.dealt: Deep[list[list[list[int]]]] = []
        self.tom: Key[int] = -1
        #: The players who still have a Modifier to play, in order; the holder of Tom Trolley may be
        #: there twice in a row.
        self.queue: Key[Own[list[int]]] = []
        #: Each team's choice in a step that both make at once: a place in the hand, or -1.
        self.choices: Key[Own[list[int]]] = [-1, -1]
        #: The compound choice of TT-2.5 while it is only half made, else -1.
        self.chosen: Key[int] = -1
        self.tracks: Key[Deep[list[list[int]]]] = [[], []]
        #: What was laid on each track's cards: modifiers[track][place] lists cards, `by` who did.
        self.modifiers: Key[Deep[list[list[list[int]]]]] = [[], []]
        self.by: Key[Deep[list[list[list[int]]]]] = [[], []]
        self.extensions: Key[int] = 0
        #: Past rounds, for what players may remember: what was dealt and what came of it.
        self.past: Key[Own[list[Past]]] = []

    # --- set-up --------------------------------------------------------------------------------

    def begin(self, seats: int, chance: Chance, first: int) -> None:
        """TT-1.2, TT-1.3: three shuffled decks and a first Conductor."""
        self.seats = seats
        self.chance = chance
        self.tokens = [0] * seats
        # TT-1.4: with 3 or 4 players everybody is Conductor twice.
        self.rounds = 2 * seats if seats <= 4 else seats
        self.known = [0] * len(self.deck_of)
        for deck in (Deck.INNOCENT, Deck.GUILTY, Deck.MODIFIER):
            self._shuffle(deck)
        self.conductor = chance.below("conductor", 0, seats) if first < 0 else first
        self._begin_round()

    def _shuffle(self, deck: int) -> None:
        """The discards become the deck, in random order."""
        cards = self.discards[deck]
        self.discards[deck] = []
        self.chance.shuffle(DECK_NAMES[deck], self.shuffles[deck], cards)
        self.shuffles[deck] += 1
        for card in cards:
            self.known[card] = 0
        # Drawn from the end.
        cards.reverse()
        self.decks[deck] = cards

    def _begin_round(self) -> None:
        self.phase = Phase.INNOCENT
        self.choices = [-1, -1]
        self.extensions = 0
        self._form_teams()
        self.hands = [[[], [], []] for _ in range(self.seats)]
        self.dealt = [[[], [], []] for _ in range(self.seats)]
        self.tracks = [[], []]
        self.modifiers = [[], []]
        self.by = [[], []]
        self._deal_jobs()
        # TT-2.2: one random Innocent on each track, for everybody to see.
        for track in (0, 1):
            self._lay(track, self._draw(Deck.INNOCENT))
        if self.loud:
            self._announce()

    def _announce(self) -> None:
        """Tell of a round that has just been dealt."""
        self.tell("event.round", round=self.round + 1, rounds=self.rounds, seat=self.conductor)
        self.tell("event.teams", north=self.teams[0], south=self.teams[1])
        if self.tom >= 0:
            self.tell("event.tom", seat=self.tom)
        for team in (0, 1):
            for seat in self.teams[team]:
                for deck in (Deck.INNOCENT, Deck.GUILTY, Deck.MODIFIER):
                    cards = [self.ids[card] for card in self.dealt[seat][deck]]
                    if cards:
                        name = DECK_NAMES[deck]
                        event = self.tell("event.drew", seat=seat, deck=name, count=len(cards))
                        event.also(self.teams[team], "event.drew.own", cards=cards)
        for track in (0, 1):
            first = self.ids[self.tracks[track][0]]
            self.tell("event.first", track=TRACK_NAMES[track], card=first)

    def opening(self) -> list[Event]:
        self.told = []
        self._announce()
        told = self.told
        self.told = []
        return told

    def _form_teams(self) -> None:
        """TT-1.1: the Conductor's left is North, the right South; an odd player joins the left."""
        others = [(self.conductor + 1 + step) % self.seats for step in range(self.seats - 1)]
        half = (len(others) + 1) // 2
        self.teams = [others[:half], others[half:]]

    def _deal_jobs(self) -> None:
        """TT-2.1: jobs go round each team in seat order, starting one seat further each round."""
        players: list[list[int]] = [[], []]
        for team in (0, 1):
            members = self.teams[team]
            start = self.round % len(members)
            jobs = [members[(start + step) % len(members)] for step in range(max(3, len(members)))]
            self.innocent_jobs[team] = jobs[0]
            self.guilty_jobs[team] = jobs[1]
            # TT-3.2: with Accomplices everybody plays a Modifier; else those from the third job on.
            chosen = members if self.accomplices else jobs[2:]
            players[team] = [seat for seat in members if seat in chosen]
            self._deal(jobs[0], Deck.INNOCENT, team)
            self._deal(jobs[1], Deck.GUILTY, team)
            for seat in players[team]:
                self._deal(seat, Deck.MODIFIER, team)
        self._order_modifiers(players[0], players[1])

    def _order_modifiers(self, north: list[int], south: list[int]) -> None:
        """TT-2.5: the teams alternate from the Conductor's left, then the rest in seat order."""
        self.queue = []
        for step in range(max(len(north), len(south))):
            if step < len(north):
                self.queue.append(north[step])
            if step < len(south):
                self.queue.append(south[step])
        self._give_tom_trolley()

    def _give_tom_trolley(self) -> None:
        """TT-3.1: who has most tokens draws three more Modifiers and may play one more."""
        self.tom = -1
        if not self.tom_trolley or min(self.tokens) == max(self.tokens):
            return
        # In order from the Conductor's left; the Conductor is not in line.
        line = [*self.teams[0], *self.teams[1]]
        most = max([self.tokens[seat] for seat in line])
        self.tom = next_with(line, self.tokens, most)
        team = 0 if self.tom in self.teams[0] else 1
        self._deal(self.tom, Deck.MODIFIER, team)
        if self.tom in self.queue:
            self.queue.insert(self.queue.index(self.tom) + 1, self.tom)
        else:
            # They have none of their own that it could come after, so it comes last.
            self.queue.append(self.tom)

    def _deal(self, seat: int, deck: int, team: int) -> None:
        """Three cards that the whole team may see (TT-2.1)."""
        cards = [self._draw(deck) for _ in range(HAND)]
        self.hands[seat][deck] += cards
        self.dealt[seat][deck] += cards
        for card in cards:
            for mate in self.teams[team]:
                self.known[card] |= 1 << mate

    def _draw(self, deck: int) -> int:
        """TT-1.2: when a deck runs out during a draw, its discards are shuffled and it goes on."""
        if not self.decks[deck]:
            self._shuffle(deck)
            if self.loud:
                self.tell("event.reshuffled", deck=DECK_NAMES[deck])
        return self.decks[deck].pop()

    def _lay(self, track: int, card: int) -> None:
        self.tracks[track].append(card)
        self.modifiers[track].append([])
        self.by[track].append([])
        self.known[card] = EVERYBODY

    # --- who may do what -------------------------------------------------------------------------

    def waiting(self) -> list[int]:
        match self.phase:
            case Phase.INNOCENT | Phase.GUILTY:
                jobs = self._jobs()
                return sorted([jobs[team] for team in (0, 1) if self.choices[team] < 0])
            case Phase.MODIFIER:
                return [self.queue[0]]
            case Phase.OVER:
                return []
        return [self.conductor]

    def _jobs(self) -> list[int]:
        return self.innocent_jobs if self.phase == Phase.INNOCENT else self.guilty_jobs

    def midway(self) -> int:
        return self.queue[0] if self.chosen >= 0 else -1

    def moment(self) -> int:
        return self.round * 8 + self.phase

    def team(self, seat: int) -> list[int]:
        for team in self.teams:
            if seat in team:
                return team
        return []

    def talk(self) -> int:
        """TT-2.6: the pleas have a clock."""
        return 60 * self.talk_minutes if self.phase == Phase.PLEA else -1

    def legal(self, seat: int) -> list[int]:
        if not 0 <= seat < self.seats:
            return []
        if self.chosen >= 0:
            # Every card on either track can carry a Modifier, and any number of them (TT-2.5).
            return list(range(Do.ON, Do.ON + 6)) if seat == self.queue[0] else []
        match self.phase:
            case Phase.INNOCENT:
                if seat in self.innocent_jobs:
                    return list(range(Do.INNOCENT, Do.INNOCENT + HAND))
            case Phase.GUILTY:
                if seat in self.guilty_jobs:
                    return list(range(Do.GUILTY, Do.GUILTY + HAND))
            case Phase.MODIFIER:
                if seat == self.queue[0]:
                    hand = len(self.hands[seat][Deck.MODIFIER])
                    actions = list(range(Do.MODIFIER, Do.MODIFIER + hand))
                    return [*actions, Do.DECLINE] if self._extra() else actions
            case Phase.PLEA:
                if seat == self.conductor:
                    return [Do.EXTEND, Do.CLOSE] if self.extensions < EXTENSIONS else [Do.CLOSE]
            case Phase.VERDICT:
                if seat == self.conductor:
                    return [Do.VERDICT, Do.VERDICT + 1]
        return []

    def _extra(self) -> bool:
        """Whether the play at hand is Tom Trolley's, which may be left out (TT-3.1)."""
        return self.queue[0] == self.tom and self.queue.count(self.tom) == 1

    def default(self, seat: int) -> int:
        """The first card; no extra play; the pleas closed; and North, since something must be."""
        match self.phase:
            case Phase.MODIFIER:
                return Do.DECLINE if self.chosen < 0 and self._extra() else self.legal(seat)[0]
            case Phase.PLEA:
                return Do.CLOSE
        return self.legal(seat)[0]

    # --- the rules -------------------------------------------------------------------------------

    def play(self, seat: int, action: int) -> None:
        if action not in self.legal(seat):
            self._refuse(seat)
        if action >= Do.VERDICT:
            self._verdict(action - Do.VERDICT)
        elif action == Do.CLOSE:
            self.phase = Phase.VERDICT
            if self.loud:
                self.tell("event.closed", seat=seat)
        elif action == Do.EXTEND:
            self.extensions += 1
            if self.loud:
                self.tell("event.extended", seat=seat, minutes=self.talk_minutes)
        elif action == Do.DECLINE:
            if self.loud:
                self.tell("event.declined", seat=seat)
            self._next_modifier()
        elif action >= Do.ON:
            self._modify(seat, (action - Do.ON) // 3, (action - Do.ON) % 3)
        elif action >= Do.MODIFIER:
            self.chosen = action - Do.MODIFIER
        else:
            self._choose(seat, action % HAND)

    def _choose(self, seat: int, place: int) -> None:
        """TT-2.3, TT-2.4: both teams choose at the same time, and the cards are shown together."""
        self.choices[0 if seat in self.teams[0] else 1] = place
        if self.waiting():
            return
        deck = Deck.INNOCENT if self.phase == Phase.INNOCENT else Deck.GUILTY
        for team in (0, 1):
            holder = self._jobs()[team]
            card = self.hands[holder][deck].pop(self.choices[team])
            # An Innocent for the own track, a Guilty for the end of the other one.
            track = team if deck == Deck.INNOCENT else 1 - team
            self._lay(track, card)
            self._discard(holder, deck)
            if self.loud:
                key = "event.innocent" if deck == Deck.INNOCENT else "event.guilty"
                self.tell(key, seat=holder, track=TRACK_NAMES[track], card=self.ids[card])
        self.choices = [-1, -1]
        self.phase = Phase.GUILTY if deck == Deck.INNOCENT else Phase.MODIFIER

    def _discard(self, seat: int, deck: int) -> None:
        """What is left of a hand goes away unseen."""
        self.discards[deck] += self.hands[seat][deck]
        self.hands[seat][deck] = []

    def _modify(self, seat: int, track: int, place: int) -> None:
        """TT-2.5: a Modifier on any card of either track."""
        card = self.hands[seat][Deck.MODIFIER].pop(self.chosen)
        self.chosen = -1
        self.known[card] = EVERYBODY
        self.modifiers[track][place].append(card)
        self.by[track][place].append(seat)
        if self.loud:
            self.tell(
                "event.modifier",
                seat=seat,
                card=self.ids[card],
                on=self.ids[self.tracks[track][place]],
                track=TRACK_NAMES[track],
            )
        self._next_modifier()

    def _next_modifier(self) -> None:
        seat = self.queue.pop(0)
        if seat not in self.queue:
            self._discard(seat, Deck.MODIFIER)
        if not self.queue:
            self.phase = Phase.PLEA
            if self.loud:
                self.tell("event.pleas", seat=self.conductor, minutes=self.talk_minutes)

    def _verdict(self, track: int) -> None:
        """TT-2.6, TT-2.7: a token for everybody on that track's team; all cards are discarded."""
        for seat in self.teams[track]:
            self.tokens[seat] += 1
        if self.loud:
            event = self.tell(
                "event.verdict",
                seat=self.conductor,
                track=TRACK_NAMES[track],
                team=self.teams[track],
            )
            event.setting({"tokens": list(self.tokens)})
        self.past.append(Past(self, track))
        for side in (0, 1):
            for place in range(len(self.tracks[side])):
                card = self.tracks[side][place]
                self.discards[self.deck_of[card]].append(card)
                self.discards[Deck.MODIFIER] += self.modifiers[side][place]
        self._next_round()

    def _next_round(self) -> None:
        """TT-1.3, TT-1.4: the next Conductor is on the left, until everybody has been one."""
        self.round += 1
        if self.round == self.rounds:
            self.phase = Phase.OVER
            if self.loud:
                self.tell("event.over")
            return
        self.conductor = (self.conductor + 1) % self.seats
        self._begin_round()

    def _refuse(self, seat: int) -> None:
        """Why not, with the rule's number."""
        match self.phase:
            case Phase.OVER:
                raise Refused("refused.over", "TT-1.4")
            case Phase.INNOCENT:
                raise Refused("refused.innocent", "TT-2.3")
            case Phase.GUILTY:
                raise Refused("refused.guilty", "TT-2.4")
            case Phase.MODIFIER:
                raise Refused("refused.modifier", "TT-2.5", waiting=self.queue[0])
            case Phase.PLEA:
                raise Refused("refused.pleas", "TT-2.6", conductor=self.conductor)
        raise Refused("refused.verdict", "TT-2.6", conductor=self.conductor)

    # --- the rest of the contract ----------------------------------------------------------------

    def barrier(self) -> bool:
        # Choices of both teams can be changed until they are shown; all else shows something.
        return True

    def view(self, seat: int | None) -> TrolleyView:
        from capolinea.games.trial_by_trolley.views import view_of

        return view_of(self, seat)

    def views(self, viewers: Sequence[int | None]) -> list[View]:
        from capolinea.games.trial_by_trolley.views import views_of

        return views_of(self, viewers)

    def preview(self, seat: int, actions: Sequence[int]) -> Preview:
        from capolinea.games.trial_by_trolley.views import preview_of

        return preview_of(self, seat, actions)

    def result(self) -> Result | None:
        from capolinea.games.trial_by_trolley.views import result_of

        return result_of(self) if self.phase == Phase.OVER else None

    # --- generated: slots, copy, key
    __slots__ = (
        "accomplices", "by", "choices", "chosen", "conductor", "dealt", "deck_of", "decks",
        "discards", "extensions", "guilty_jobs", "hands", "ids", "innocent_jobs", "known",
        "modifiers", "pack", "past", "phase", "queue", "round", "rounds", "shuffles",
        "talk_minutes", "teams", "things", "tokens", "tom", "tom_trolley", "tracks",
    )  # fmt: skip

    def copy(self) -> Trolley:
        if COMPILED:
            other = Trolley()
        else:
            other = Trolley.__new__(Trolley)
            other.loud = False
            other.told = []
            other.hasty = False
        other.seats = self.seats
        other.chance = self.chance
        other.tom_trolley = self.tom_trolley
        other.accomplices = self.accomplices
        other.talk_minutes = self.talk_minutes
        other.deck_of = self.deck_of
        other.ids = self.ids
        other.pack = self.pack
        other.things = self.things
        other.phase = self.phase
        other.round = self.round
        other.rounds = self.rounds
        other.conductor = self.conductor
        other.tokens = self.tokens[:]
        other.decks = [one[:] for one in self.decks]
        other.discards = [one[:] for one in self.discards]
        other.shuffles = self.shuffles[:]
        other.known = self.known[:]
        other.teams = self.teams
        other.innocent_jobs = self.innocent_jobs[:]
        other.guilty_jobs = self.guilty_jobs[:]
        other.hands = [[one[:] for one in each] for each in self.hands]
        other.dealt = [[one[:] for one in each] for each in self.dealt]
        other.tom = self.tom
        other.queue = self.queue[:]
        other.choices = self.choices[:]
        other.chosen = self.chosen
        other.tracks = [one[:] for one in self.tracks]
        other.modifiers = [[one[:] for one in each] for each in self.modifiers]
        other.by = [[one[:] for one in each] for each in self.by]
        other.extensions = self.extensions
        other.past = self.past[:]
        return other

    def key(self) -> bytes:
        parts: list[object] = [
            self.phase,
            self.round,
            self.conductor,
            self.tokens,
            self.decks,
            self.discards,
            self.shuffles,
            self.known,
            self.hands,
            self.tom,
            self.queue,
            self.choices,
            self.chosen,
            self.tracks,
            self.modifiers,
            self.by,
            self.extensions,
            [one.parts() for one in self.past],
        ]
        return key_of(parts)

    # --- end


class Past:
    """A round that is over: who saw what, and what came of it. Never changes."""

    def __init__(self, state: Trolley | None = None, track: int = -1) -> None:
        self.track = track
        #: Views of it that have been made already, by viewer: it never looks otherwise again.
        self.shown: dict[int, object] = {}
        if state is None:
            return
        self.conductor = state.conductor
        self.teams = state.teams
        self.tracks = [cards[:] for cards in state.tracks]
        self.modifiers = [[cards[:] for cards in places] for places in state.modifiers]
        self.by = [[seats[:] for seats in places] for places in state.by]
        self.dealt = state.dealt

    def parts(self) -> int:
        return self.track


def next_with(line: list[int], tokens: list[int], most: int) -> int:
    """The first in line who has so many tokens."""
    for seat in line:
        if tokens[seat] == most:
            return seat
    raise AssertionError(most)
