"""The state of Stop the Train!, and the loop that carries it from one question to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.engine.fields import And, Key, Own
from capolinea.engine.native import i64
from capolinea.engine.state import COMPILED, State, key_of
from capolinea.games.stop_the_train.rules import (
    do,
    intervening,
    meeting,
    refusals,
    setup,
    signal_box,
    steps,
    turn,
    where,
)
from capolinea.games.stop_the_train.rules.cards import Route
from capolinea.games.stop_the_train.rules.interventions import (
    ANY_TIME_CARDS,
    AT_STEP,
    CARDS,
    COAL,
    GUN,
)
from capolinea.games.stop_the_train.rules.notes import (
    NO_TURN,
    NOTHING,
    Meeting,
    Note,
    Spent,
    Theft,
    Turn,
    Vote,
)
from capolinea.games.stop_the_train.rules.steps import (
    CHANGEABLE,
    FIRST_QUESTION,
    FIRST_WINDOW,
    SEATS_IN,
    STEP_NAMES,
    Ending,
    each,
)
from capolinea.games.stop_the_train.rules.track import NO_TRACK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capolinea.engine.events import Event
    from capolinea.engine.result import Result
    from capolinea.engine.views import Preview, View
    from capolinea.games.stop_the_train.views import TrainView


class Train(State):
    """One moment of Stop the Train!"""

    def __init__(self) -> None:
        super().__init__()
        # A train as it is made shares lists that must not change. A copy has its own, and only copies
        # are played with; most matches begin as one, so that nothing is made twice.
        # The table's options.
        self.track = NO_TRACK
        self.with_freight = False
        self.strict_agent = False
        self.two_hills = False
        self.talk_minutes = 5
        #: Where the train started on the line, and at which speed.
        self.start: i64 = 0
        self.start_speed: i64 = 120
        #: The characters that may be in play (and below, how many of each card there are).
        self.cast = NOTHING
        #: Those of them who are in for certain, and whether the cast is a balanced one (ST-2.2).
        self.forced = NOTHING
        self.balanced = False
        self.effect_counts = NOTHING
        self.card_counts = NOTHING
        #: The kinds of interventions that this table plays with, as bits.
        self.in_play: i64 = 0

        #: What happens now and what is to come, the top one last (steps.py).
        self.stack: Key[Own[list[int]]] = NOTHING
        #: Who has not answered yet, and which interventions can be played, both as bits.
        self.asked: Key[i64] = 0
        self.open: i64 = 0
        #: A compound choice that is half made: its steps so far, and whose it is, or -1.
        self.begun: Key[Own[list[int]]] = NOTHING
        self.begun_by: Key[i64] = -1
        #: Cards that wait for an answer, each one answering the one before: who played what at whom.
        self.waiting_cards: Key[Own[list[int]]] = NOTHING
        self.waiting_players: And[Own[list[int]]] = NOTHING
        self.waiting_targets: And[Own[list[int]]] = NOTHING
        #: Who chooses after Ticket Upgrade or More Coal, or is offered a hand; the last one first, as
        #: on the stack.
        self.choosers: And[Own[list[int]]] = NOTHING

        self.characters: Key[list[int]] = NOTHING
        self.left_over: And[list[int]] = NOTHING
        self.status: And[Own[list[int]]] = NOTHING

        self.speed: Key[i64] = 120
        self.slowest: And[i64] = 30
        self.fastest: And[i64] = 180
        self.at: And[i64] = 0
        self.route: And[i64] = Route.NONE
        self.freight: And[i64] = -1
        #: The hills on which the record was broken, as bits.
        self.records: Key[int] = 0
        self.organiser: And[int] = 2
        self.permits: And[Own[list[int]]] = NOTHING

        #: Drawn from the end, by kinds.
        self.deck: Key[Own[list[int]]] = NOTHING
        #: Face down, the last one last; and played face up.
        self.discards: And[Own[list[int]]] = NOTHING
        self.pile: And[Own[list[int]]] = NOTHING
        #: What the current player can play.
        self.hand: And[list[int]] = NOTHING
        #: Every turn, the one at hand last.
        self.turns: Key[Own[list[Turn]]] = []
        self.now: Own[Turn] = NO_TURN

        #: Interventions: what each player was dealt and gave back, holds, and knows.
        self.dealt: Key[list[list[int]]] = []
        self.returned: And[Own[list[int]]] = NOTHING
        self.hands: And[Own[list[list[int]]]] = []
        self.held: Own[list[int]] = NOTHING
        #: All that is held by anybody.
        self.in_hands: i64 = 0
        self.undealt: And[Own[list[int]]] = NOTHING
        #: Kinds of which every copy has been openly played or was left out, as bits.
        self.gone: And[i64] = 0
        self.thefts: Key[Own[list[Theft]]] = []
        #: What each one alone has learned, and the interventions used up.
        self.notes: Key[Own[list[list[Note]]]] = []
        self.spent: Key[Own[list[Spent]]] = []

        #: The signal box: ballots (-1: none), voting cards left as bits, and what the cards did.
        self.votes: Key[Own[list[int]]] = NOTHING
        self.ballots_left: And[Own[list[int]]] = NOTHING
        self.closed: And[i64] = Route.NONE
        self.open_vote: And[bool] = False
        self.arrested: And[Own[list[int]]] = NOTHING
        self.tally: Key[list[int]] = NOTHING
        self.tied: And[list[int]] = NOTHING
        self.decided: And[i64] = Route.NONE
        self.imposed: And[bool] = False
        self.past_votes: Key[Own[list[Vote]]] = []
        self.past_meetings: Key[Own[list[Meeting]]] = []

        #: The meeting: ballots, who takes part how, and who is being thrown off.
        self.ballots: Key[Own[list[int]]] = NOTHING
        self.occupied: And[Own[list[int]]] = NOTHING
        self.first_class: And[Own[list[int]]] = NOTHING
        self.secret_ballot: And[bool] = False
        self.locked: And[bool] = False
        self.falling: Key[Own[list[int]]] = NOTHING
        self.draggers: And[Own[list[int]]] = NOTHING
        self.dragged: And[Own[list[int]]] = NOTHING
        self.rescuer: And[i64] = -1
        self.second_meeting: And[bool] = False

        #: How often programs have been offered to play a card out of turn.
        self.moments: Key[i64] = 0
        self.ending: And[i64] = Ending.NONE

    # --- who may do what -------------------------------------------------------------------------

    def waiting(self) -> list[int]:
        if self.begun_by >= 0:
            return [self.begun_by]
        return SEATS_IN[self.asked][:]

    def awaited(self) -> i64:
        return 1 << self.begun_by if self.begun_by >= 0 else self.asked

    def window(self) -> str:
        step = self.stack[-1]
        return STEP_NAMES[step] if step >= FIRST_WINDOW and self.begun_by < 0 else ""

    def talk(self) -> int:
        """ST-5.5: everyone is invited to speak, for as long as the table likes."""
        return 60 * self.talk_minutes if self.stack[-1] == steps.TALK else -1

    def midway(self) -> int:
        return self.begun_by

    def moment(self) -> int:
        return self.moments

    def legal(self, seat: int) -> list[int]:
        if self.begun_by >= 0:
            return self.next_steps() if seat == self.begun_by else []
        step = self.stack[-1]
        actions = self.choices(seat, step) if self.is_asked(seat, step) else []
        held: i64 = self.held[seat] & self.open
        if held and self.status[seat] == where.ABOARD:
            intervening.add_playable(self, seat, held, actions)
            if actions and actions[0] >= do.NAME:
                actions.sort()
        return actions

    def answers(self, seat: int) -> list[int]:
        """What a seat may do about the question at hand, besides playing a card."""
        step = self.stack[-1]
        return self.choices(seat, step) if self.is_asked(seat, step) else []

    def choices(self, seat: int, step: int) -> list[int]:
        """The answers that there are for a seat that is asked, or may change its mind."""
        if step >= FIRST_WINDOW:
            return [do.PASS]
        match step:
            case steps.DRAW:
                return each(do.DISCARD, self.now.drawn)
            case steps.PLAY:
                return each(do.PLAY, self.hand)
            case steps.KEEP:
                return each(do.RETURN, self.dealt[seat])
            case steps.VOTE:
                return signal_box.choices(self, seat)
            case steps.BALLOT:
                return meeting.choices(self, seat)
            case steps.SIDE:
                return turn.side_choices(self)
            case steps.TUNNEL:
                actions = turn.permits_to_take(self, seat)
                actions.insert(0, do.DECLINE)
                return actions
            case steps.RESCUE:
                return [do.ACCEPT, do.PULL]
            case steps.UPGRADE:
                return each(do.UPGRADE, self.undealt)
        return each(do.COAL, sorted(self.discards))

    def is_asked(self, seat: i64, step: int) -> bool:
        """Whether the question at hand is this seat's, or still is."""
        return self.asked >> seat & 1 != 0 or self.may_change(seat, step)

    def may_change(self, seat: int, step: int) -> bool:
        """A secret choice can be changed until the last one is made."""
        if not CHANGEABLE >> step & 1:
            return False
        match step:
            case steps.KEEP:
                return True
            case steps.VOTE:
                return self.votes[seat] >= 0
        return self.secret_ballot and self.ballots[seat] >= 0

    def next_steps(self) -> list[int]:
        """How a compound choice can go on."""
        first = self.begun[0]
        if first >= do.COAL:
            left = sorted(self.discards)
            for step in self.begun:
                left.remove(step - do.COAL)
            return each(do.COAL, left)
        if first >= do.INTERVENE:
            return CARDS[first - do.INTERVENE].names(self, self.begun_by)
        if first >= do.TAKE:
            return turn.second_permit(self, first)
        if first >= do.PLAY:
            return turn.sides(self, first - do.PLAY)
        left = self.now.drawn[:]
        left.remove(first - do.DISCARD)
        return each(do.DISCARD, left)

    def default(self, seat: int) -> int:
        """What harms least: pass, decline, brake, accept; the neighbour on the left in a ballot."""
        legal = self.next_steps() if self.begun_by >= 0 else self.answers(seat)
        match self.stack[-1]:
            case steps.DRAW:
                return turn.wildest(self, legal)
            case steps.PLAY:
                return turn.gentlest(self, legal)
            case steps.SIDE:
                return legal[-1] if do.TAKE_ORGANISER in legal else legal[0]
            case steps.BALLOT:
                for step in range(1, self.seats):
                    action = do.THROW_OFF + (seat + step) % self.seats
                    if action in legal:
                        return action
        return legal[0]

    def free(self) -> list[int]:
        if self.begun_by >= 0:
            return NOTHING
        if CHANGEABLE >> self.stack[-1] & 1:
            return [s for s in range(self.seats) if not self.asked >> s & 1 and self.legal(s)]
        # Gun to the Head is the drawer's, who is asked.
        return SEATS_IN[self._holders(self.open & ~GUN) & ~self.asked]

    def _holders(self, kinds: i64) -> i64:
        """Who holds a card of these kinds, as bits."""
        holders: i64 = 0
        if not self.in_hands & kinds:
            return holders
        bit: i64 = 1
        held: i64
        for held in self.held:
            if held & kinds:
                holders |= bit
            bit <<= 1
        return holders

    # --- the loop --------------------------------------------------------------------------------

    def play(self, seat: int, action: int) -> None:
        if self.begun_by >= 0:
            self._choose_on(seat, action)
        elif action == do.PASS:
            self._pass(seat)
        elif not self._do(seat, action):
            refusals.refuse(self, seat, action)
        elif self.begun_by < 0:
            if action < do.INTERVENE:
                self.asked &= ~(1 << seat)
                if self.asked:
                    # Others choose at the same time.
                    return
            self.go_on()

    def _pass(self, seat: int) -> None:
        """ST-7.5: told to nobody."""
        step = self.stack[-1]
        if step < FIRST_WINDOW or not self.asked >> seat & 1:
            refusals.refuse(self, seat, do.PASS)
        self.asked &= ~(1 << seat)
        if not self.asked:
            self.close(step)
            self.go_on()

    def _do(self, seat: int, action: int) -> bool:
        """Carry out a choice, or begin one of several steps; False if this is not the moment for it, or
        not for this seat."""
        if action < do.TAKE:
            if action >= do.PLAY:
                return turn.play(self, seat, action - do.PLAY)
            if action >= do.DISCARD:
                return turn.discard(self, seat, action - do.DISCARD)
            if action >= do.RETURN:
                return setup.give_back(self, seat, action - do.RETURN)
            return turn.decline(self, seat)
        if action < do.VOTE:
            if action < do.ROB:
                return turn.take(self, seat, action)
            if action < do.LOOK:
                return intervening.rob(self, seat, action - do.ROB)
            return turn.look(self, seat, action - do.LOOK)
        if action < do.INTERVENE:
            if action < do.THROW_OFF:
                return signal_box.vote(self, seat, action - do.VOTE)
            return meeting.vote(self, seat, action - do.THROW_OFF)
        if action < do.NAME:
            return intervening.play(self, seat, action - do.INTERVENE)
        if action < do.UPGRADE:
            return intervening.begin_coal(self, seat, action)
        if action < do.ACCEPT:
            return intervening.upgrade(self, seat, action - do.UPGRADE)
        return meeting.answer_rescue(self, seat, action == do.PULL)

    def begin(self, seat: int, action: int) -> None:
        """The first step of a compound choice."""
        self.begun = [action]
        self.begun_by = seat

    def _choose_on(self, seat: int, action: int) -> None:
        """A further step of a compound choice; with the last one it is carried out."""
        if seat != self.begun_by or action not in self.next_steps():
            refusals.refuse(self, seat, action)
        first = self.begun[0]
        if first >= do.COAL and len(self.begun) < COAL - 1:
            self.begun.append(action)
            return
        begun = self.begun
        self.begun = NOTHING
        self.begun_by = -1
        if first < do.PLAY:
            turn.discard_two(self, first - do.DISCARD, action - do.DISCARD)
        elif first < do.TAKE:
            turn.play_card(self, first - do.PLAY, action - do.SIDE)
        elif first < do.INTERVENE:
            turn.take_permits(self, seat, [first, action])
        elif first < do.COAL:
            intervening.play_at(self, seat, first - do.INTERVENE, action)
        else:
            intervening.more_coal(self, seat, [step - do.COAL for step in [*begun, action]])
        self.go_on()

    def go_on(self) -> None:
        """Carry out what needs nobody, until somebody is asked or it is over."""
        while True:
            step = self.stack[-1]
            if step >= FIRST_QUESTION:
                self.ask(step)
                if self.asked:
                    return
                self.close(step)
            elif step == steps.RUN:
                self.stack.pop()
                turn.run(self)
            elif step == steps.END_TURN:
                self.stack.pop()
                turn.end(self)
            elif step == steps.MEETING:
                self.stack.pop()
                meeting.call(self)
            else:
                self.asked = 0
                self.open = 0
                return

    def ask(self, step: int) -> None:
        """Whom this step needs, and which cards can be played meanwhile. It never depends on what
        anybody holds (ST-7.5), but for a hasty state, which nobody looks at."""
        if step >= FIRST_WINDOW:
            self._ask_all(step)
            return
        self.open = ANY_TIME_CARDS | AT_STEP[step]
        if step == steps.DRAW:
            self.asked = 1 << self.now.drawer
        elif step == steps.PLAY:
            self.asked = 1 << self.now.current
        else:
            self._ask_some(step)

    def _ask_some(self, step: int) -> None:
        """Whom a step needs that is neither a window nor of every turn."""
        current = self.now.current
        self.asked = 0
        match step:
            case steps.SIDE:
                if turn.side_choices(self):
                    self.asked = 1 << current
            case steps.TUNNEL:
                if self.on_board(current) and turn.permit_to_take(self, current):
                    self.asked = 1 << current
            case steps.KEEP:
                # ST-2.4: "any time" begins when everybody has chosen.
                self.open = 0
                for seat in range(self.seats):
                    if self.returned[seat] < 0:
                        self.asked |= 1 << seat
            case steps.VOTE:
                self.asked = signal_box.voters_missing(self)
            case steps.BALLOT:
                self.asked = meeting.voters_missing(self)
            case _:
                self.asked = 1 << self.choosers[-1]

    def _ask_all(self, step: int) -> None:
        """ST-7.5: a window asks everybody on board, unless nobody at all could play there. In a hurry
        only those are asked who hold a card of an open kind: the others can only pass."""
        cards = intervening.of_use(self, step)
        asked: i64 = 0
        # ST-7.2: when a card waits for an answer, nothing else may be played meanwhile.
        self.open = cards if step == steps.ANSWER else cards | ANY_TIME_CARDS
        if cards or step == steps.TALK:
            if self.hasty:
                asked = self._holders(self.open)
            else:
                asked = (1 << self.seats) - 1
            for seat in SEATS_IN[asked]:
                if self.status[seat] != where.ABOARD:
                    asked &= ~(1 << seat)
        if step == steps.ANSWER:
            # Nobody answers their own card.
            asked &= ~(1 << self.waiting_players[-1])
        self.asked = asked

    def close(self, step: int) -> None:
        """Everybody has answered, or nobody was asked."""
        self.stack.pop()
        match step:
            case steps.EFFECT_PLAYED:
                turn.effect_stands(self)
            case steps.ANSWER:
                intervening.answered(self)
            case steps.KEEP:
                setup.keep(self)
            case steps.VOTE:
                signal_box.count(self)
            case steps.VOTE_DECIDED:
                signal_box.decide(self)
            case steps.BALLOT:
                meeting.count(self)
            case steps.AFTERMATH:
                meeting.end(self)

    def finish(self, ending: int) -> None:
        self.ending = ending
        self.now.speed = self.speed
        self.now.at = self.at
        self.stack = [steps.OVER]
        if self.loud:
            turn.tell_end(self)

    # --- what several rules need -----------------------------------------------------------------

    def on_board(self, seat: int) -> bool:
        return self.status[seat] <= where.HANGING

    def aboard(self) -> int:
        """How many are on board; who hangs on counts (ST-7.8)."""
        count = 0
        for status in self.status:
            if status <= where.HANGING:
                count += 1
        return count

    def nameable(self, seat: i64) -> bool:
        """ST-5.6, ST-7.8: only players on board can be named or robbed."""
        return self.status[seat] == where.ABOARD and seat not in self.falling

    def next_aboard(self, seat: int) -> int:
        """The next on board to the left; a lone player is their own neighbour (ST-4.4)."""
        left = seat
        while True:
            left = left + 1 if left + 1 < self.seats else 0
            if self.status[left] <= where.HANGING:
                return left

    def within_limits(self, speed: int) -> int:
        """ST-3.1: never outside of what the train can do."""
        if speed > self.fastest:
            return self.fastest
        return speed if speed > self.slowest else self.slowest

    def leave(self, seat: int, status: int) -> None:
        """ST-5.6, ST-6.4: out of play, and permits and interventions with them."""
        self.status[seat] = status
        self.permits[seat] = 0
        self.hold(seat, [])

    def hold(self, seat: int, cards: list[int]) -> None:
        """The interventions that a player holds from now on: a sorted list for this hand alone."""
        self.hands[seat] = cards
        held: i64 = 0
        card: i64
        for card in cards:
            held |= 1 << card
        self.held[seat] = held
        in_hands: i64 = 0
        for held in self.held:
            in_hands |= held
        self.in_hands = in_hands

    def note(self, seat: int, look: int, about: int, things: list[int], place: int = -1) -> None:
        self.notes[seat] = [*self.notes[seat], Note(look, len(self.turns), about, things, place)]

    # --- the rest of the contract ----------------------------------------------------------------

    def barrier(self) -> bool:
        # Every move shows something to somebody, or is made while others are asked too.
        return True

    def opening(self) -> list[Event]:
        self.told = []
        setup.tell_opening(self)
        told = self.told
        self.told = []
        return told

    def view(self, seat: int | None) -> TrainView:
        from capolinea.games.stop_the_train.views import view_of

        return view_of(self, seat)

    def views(self, viewers: Sequence[int | None]) -> list[View]:
        from capolinea.games.stop_the_train.views import views_of

        return views_of(self, viewers)

    def preview(self, seat: int, actions: Sequence[int]) -> Preview:
        from capolinea.games.stop_the_train.preview import preview_of

        return preview_of(self, seat, actions)

    def result(self) -> Result | None:
        if self.ending < 0:
            return None
        from capolinea.games.stop_the_train.result import result_of

        return result_of(self)

    def copy(self) -> Train:
        other = self.copied()
        # The turn at hand goes on, as the last one of all; those before it never change.
        if other.turns:
            other.turns[-1] = other.now
        return other

    # --- generated: slots, copied, key
    __slots__ = (
        "arrested", "asked", "at", "balanced", "ballots", "ballots_left", "begun", "begun_by",
        "card_counts", "cast", "characters", "choosers", "closed", "dealt", "decided", "deck",
        "discards", "dragged", "draggers", "effect_counts", "ending", "falling", "fastest",
        "first_class", "forced", "freight", "gone", "hand", "hands", "held", "imposed",
        "in_hands", "in_play", "left_over", "locked", "moments", "notes", "now", "occupied",
        "open", "open_vote", "organiser", "past_meetings", "past_votes", "permits", "pile",
        "records", "rescuer", "returned", "route", "second_meeting", "secret_ballot", "slowest",
        "speed", "spent", "stack", "start", "start_speed", "status", "strict_agent",
        "talk_minutes", "tally", "thefts", "tied", "track", "turns", "two_hills", "undealt",
        "votes", "waiting_cards", "waiting_players", "waiting_targets", "with_freight",
    )  # fmt: skip

    def copied(self) -> Train:
        if COMPILED:
            other = Train()
        else:
            other = Train.__new__(Train)
            other.loud = False
            other.told = []
            other.hasty = False
        other.seats = self.seats
        other.chance = self.chance
        other.track = self.track
        other.with_freight = self.with_freight
        other.strict_agent = self.strict_agent
        other.two_hills = self.two_hills
        other.talk_minutes = self.talk_minutes
        other.start = self.start
        other.start_speed = self.start_speed
        other.cast = self.cast
        other.forced = self.forced
        other.balanced = self.balanced
        other.effect_counts = self.effect_counts
        other.card_counts = self.card_counts
        other.in_play = self.in_play
        other.stack = self.stack[:]
        other.asked = self.asked
        other.open = self.open
        other.begun = self.begun[:]
        other.begun_by = self.begun_by
        other.waiting_cards = self.waiting_cards[:]
        other.waiting_players = self.waiting_players[:]
        other.waiting_targets = self.waiting_targets[:]
        other.choosers = self.choosers[:]
        other.characters = self.characters
        other.left_over = self.left_over
        other.status = self.status[:]
        other.speed = self.speed
        other.slowest = self.slowest
        other.fastest = self.fastest
        other.at = self.at
        other.route = self.route
        other.freight = self.freight
        other.records = self.records
        other.organiser = self.organiser
        other.permits = self.permits[:]
        other.deck = self.deck[:]
        other.discards = self.discards[:]
        other.pile = self.pile[:]
        other.hand = self.hand
        other.turns = self.turns[:]
        other.now = self.now.copy()
        other.dealt = self.dealt
        other.returned = self.returned[:]
        other.hands = self.hands[:]
        other.held = self.held[:]
        other.in_hands = self.in_hands
        other.undealt = self.undealt[:]
        other.gone = self.gone
        other.thefts = self.thefts[:]
        other.notes = self.notes[:]
        other.spent = self.spent[:]
        other.votes = self.votes[:]
        other.ballots_left = self.ballots_left[:]
        other.closed = self.closed
        other.open_vote = self.open_vote
        other.arrested = self.arrested[:]
        other.tally = self.tally
        other.tied = self.tied
        other.decided = self.decided
        other.imposed = self.imposed
        other.past_votes = self.past_votes[:]
        other.past_meetings = self.past_meetings[:]
        other.ballots = self.ballots[:]
        other.occupied = self.occupied[:]
        other.first_class = self.first_class[:]
        other.secret_ballot = self.secret_ballot
        other.locked = self.locked
        other.falling = self.falling[:]
        other.draggers = self.draggers[:]
        other.dragged = self.dragged[:]
        other.rescuer = self.rescuer
        other.second_meeting = self.second_meeting
        other.moments = self.moments
        other.ending = self.ending
        return other

    def key(self) -> bytes:
        parts: list[object] = [
            self.stack,
            self.asked,
            self.begun,
            self.begun_by,
            [self.waiting_cards, self.waiting_players, self.waiting_targets, self.choosers],
            [self.characters, self.left_over, self.status],
            [self.speed, self.slowest, self.fastest, self.at, self.route, self.freight],
            [self.records, self.organiser, self.permits],
            [self.deck, self.discards, self.pile, self.hand],
            [one.parts() for one in self.turns],
            [self.dealt, self.returned, self.hands, self.undealt, self.gone],
            [one.parts() for one in self.thefts],
            [[one.parts() for one in each] for each in self.notes],
            [one.parts() for one in self.spent],
            [self.votes, self.ballots_left, self.closed, self.open_vote, self.arrested],
            [self.tally, self.tied, self.decided, self.imposed],
            [one.parts() for one in self.past_votes],
            [one.parts() for one in self.past_meetings],
            [self.ballots, self.occupied, self.first_class, self.secret_ballot, self.locked],
            [self.falling, self.draggers, self.dragged, self.rescuer, self.second_meeting],
            [self.moments, self.ending],
        ]
        return key_of(parts)

    # --- end
