"""The state of Stop the Train!, and the loop that carries it from one question to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.engine.native import i64
from capolinea.engine.state import State
from capolinea.games.stop_the_train.rules import (
    interventions,
    meeting,
    refusals,
    setup,
    signal_box,
    turn,
)
from capolinea.games.stop_the_train.rules.cards import (
    ANY_TIME_CARDS,
    FIRST_OR,
    MEETING_CARDS,
    VOTE_CALLED_CARDS,
    Card,
    Route,
    Side,
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
    FIRST_WINDOW,
    SEATS_IN,
    SOLE_SEAT,
    STEP_NAMES,
    Do,
    Ending,
    Status,
    Step,
    each,
)
from capolinea.games.stop_the_train.rules.track import NO_TRACK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capolinea.engine.events import Event
    from capolinea.engine.result import Result
    from capolinea.engine.views import Preview, View


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

        #: What happens now and what is to come, the top one last (steps.py).
        self.stack = NOTHING
        #: Who has not answered yet, and which interventions can be played, both as bits.
        self.asked: i64 = 0
        self.open: i64 = 0
        #: A compound choice that is half made: whose, and its steps so far.
        self.begun = NOTHING
        self.begun_by: i64 = -1
        #: Cards that wait for an answer, each one answering the one before: who played what at whom.
        self.waiting_cards = NOTHING
        self.waiting_players = NOTHING
        self.waiting_targets = NOTHING
        #: Who chooses after Ticket Upgrade or More Coal, or is offered a hand; the last one first, as
        #: on the stack.
        self.choosers = NOTHING

        self.characters = NOTHING
        self.left_over = NOTHING
        self.status = NOTHING

        self.speed: i64 = 120
        self.slowest: i64 = 30
        self.fastest: i64 = 180
        self.at: i64 = 0
        self.route: i64 = Route.NONE
        self.freight: i64 = -1
        #: The hills on which the record was broken, as bits.
        self.records = 0
        self.organiser = 2
        self.permits = NOTHING

        #: Drawn from the end, by kinds.
        self.deck = NOTHING
        #: Face down, the last one last; and played face up.
        self.discards = NOTHING
        self.pile = NOTHING
        #: What the current player can play.
        self.hand = NOTHING
        #: Every turn, the one at hand last.
        self.turns: list[Turn] = []
        self.now = NO_TURN
        self.moments: i64 = 0

        #: Interventions: what each player was dealt and gave back, holds, and knows.
        self.dealt: list[list[int]] = []
        self.returned = NOTHING
        self.hands: list[list[int]] = []
        self.held = NOTHING
        self.undealt = NOTHING
        self.notes: list[list[Note]] = []
        self.spent: list[Spent] = []
        #: Kinds of which every copy has been openly played or is not in the game, as bits.
        self.gone: i64 = 0
        self.thefts: list[Theft] = []

        #: The signal box: ballots (-1: none), voting cards left as bits, and what the cards did.
        self.votes = NOTHING
        self.ballots_left = NOTHING
        self.closed: i64 = Route.NONE
        self.open_vote = False
        self.arrested = NOTHING
        self.tally = NOTHING
        self.tied = NOTHING
        self.decided: i64 = Route.NONE
        self.imposed = False
        self.past_votes: list[Vote] = []

        #: The meeting: ballots, who takes part how, and who is being thrown off.
        self.ballots = NOTHING
        self.occupied = NOTHING
        self.first_class = NOTHING
        self.secret_ballot = False
        self.locked = False
        self.falling = NOTHING
        self.draggers = NOTHING
        self.dragged = NOTHING
        self.rescuer: i64 = -1
        self.second_meeting = False
        self.past_meetings: list[Meeting] = []

        self.ending: i64 = Ending.NONE

    # --- who may do what -------------------------------------------------------------------------

    def waiting(self) -> list[int]:
        if self.begun:
            return [self.begun_by]
        return SEATS_IN[self.asked][:]

    def sole(self) -> int:
        return self.begun_by if self.begun else SOLE_SEAT[self.asked]

    def window(self) -> str:
        step = self.stack[-1]
        return STEP_NAMES[step] if step >= FIRST_WINDOW and not self.begun else ""

    def talk(self) -> int:
        """ST-5.5: everyone is invited to speak, for as long as the table likes."""
        return 60 * self.talk_minutes if self.stack[-1] == Step.TALK else -1

    def midway(self) -> int:
        return self.begun_by if self.begun else -1

    def moment(self) -> int:
        return self.moments

    def legal(self, seat: int) -> list[int]:
        if seat < 0 or seat >= self.seats:
            return []
        if self.begun:
            return self.next_steps() if seat == self.begun_by else []
        actions = self.answers(seat)
        held = self.held[seat] & self.open
        if held and self.status[seat] == Status.ABOARD:
            interventions.add_playable(self, seat, held, actions)
            if actions and actions[0] >= Do.NAME:
                actions.sort()
        return actions

    def answers(self, seat: int) -> list[int]:
        """What a seat may do about the question at hand, besides playing a card."""
        if not self._may_answer(seat):
            return []
        step = self.stack[-1]
        if step >= FIRST_WINDOW:
            return [Do.PASS]
        match step:
            case Step.DRAW:
                return each(Do.DISCARD, self.now.drawn)
            case Step.PLAY:
                return each(Do.PLAY, self.hand)
            case Step.KEEP:
                return each(Do.RETURN, self.dealt[seat])
            case Step.VOTE:
                return signal_box.choices(self, seat)
            case Step.BALLOT:
                return meeting.choices(self, seat)
            case Step.SIDE:
                return turn.side_choices(self)
            case Step.TUNNEL:
                return [Do.DECLINE, *turn.permits_to_take(self, seat)]
            case Step.RESCUE:
                return [Do.ACCEPT, Do.PULL]
            case Step.UPGRADE:
                return each(Do.UPGRADE, self.undealt)
        return each(Do.COAL, sorted(self.discards))

    def _may_answer(self, seat: int) -> bool:
        """Who is asked; and a secret choice can be changed until the last one is made."""
        if self.asked >> seat & 1:
            return True
        match self.stack[-1]:
            case Step.KEEP:
                return True
            case Step.VOTE:
                return self.votes[seat] >= 0
            case Step.BALLOT:
                return self.secret_ballot and self.ballots[seat] >= 0
        return False

    def next_steps(self) -> list[int]:
        """How a compound choice can go on."""
        first = self.begun[0]
        if first >= Do.COAL:
            left = sorted(self.discards)
            for step in self.begun:
                left.remove(step - Do.COAL)
            return each(Do.COAL, left)
        if first >= Do.INTERVENE:
            return interventions.targets(self, self.begun_by, first - Do.INTERVENE)
        if first >= Do.TAKE:
            return turn.second_permit(self, first)
        if first >= Do.PLAY:
            return turn.sides(self, first - Do.PLAY)
        left = self.now.drawn[:]
        left.remove(first - Do.DISCARD)
        return each(Do.DISCARD, left)

    def default(self, seat: int) -> int:
        """What harms least: pass, decline, brake, accept; the neighbour on the left in a ballot."""
        legal = self.next_steps() if self.begun else self.answers(seat)
        match self.stack[-1]:
            case Step.DRAW:
                return turn.wildest(self, legal)
            case Step.PLAY:
                return turn.gentlest(self, legal)
            case Step.SIDE:
                return legal[-1] if Do.TAKE_ORGANISER in legal else legal[0]
            case Step.BALLOT:
                for step in range(1, self.seats):
                    action = Do.THROW_OFF + (seat + step) % self.seats
                    if action in legal:
                        return action
        return legal[0]

    def free(self) -> list[int]:
        if self.begun or CHANGEABLE >> self.stack[-1] & 1:
            return super().free()
        return SEATS_IN[self._holders() & ~self.asked][:]

    def hurry(self) -> None:
        """In a window, who holds no card of an open kind can only pass."""
        while self.stack[-1] >= FIRST_WINDOW:
            self.asked &= self._holders()
            if self.asked:
                return
            self.close(self.stack[-1])
            self.go_on()

    def _holders(self) -> i64:
        """Who holds a card of an open kind, as bits."""
        holders: i64 = 0
        bit: i64 = 1
        held: i64
        for held in self.held:
            if held & self.open:
                holders |= bit
            bit <<= 1
        return holders

    # --- the loop --------------------------------------------------------------------------------

    def play(self, seat: int, action: int) -> None:
        step = self.stack[-1]
        if action == Do.PASS:
            if self.begun or step < FIRST_WINDOW or not self.asked >> seat & 1:
                refusals.refuse(self, seat, action)
            # Told to nobody.
            self.asked &= ~(1 << seat)
            if not self.asked:
                self.close(step)
                self.go_on()
            return
        if self.begun:
            allowed = seat == self.begun_by and action in self.next_steps()
        elif Do.INTERVENE <= action < Do.NAME:
            allowed = interventions.may_play(self, seat, action - Do.INTERVENE)
        elif Do.RETURN <= action < Do.SIDE:
            allowed = self._holds(seat, action)
        elif Do.VOTE <= action < Do.INTERVENE:
            allowed = self._may_answer(seat) and self._may_vote(seat, action)
        else:
            allowed = action in self.answers(seat)
        if not allowed:
            refusals.refuse(self, seat, action)
        if self._goes_on(action):
            self.begun.append(action)
            self.begun_by = seat
            return
        if self.begun:
            steps = [*self.begun, action]
            self.begun = []
            self.begun_by = -1
            self._do_all(seat, steps)
        else:
            self._do(seat, action)
        self.go_on()

    def _holds(self, seat: int, action: int) -> bool:
        """Whether this is the moment and the hand to return, discard or play that card from."""
        if action < Do.DISCARD:
            return self.stack[-1] == Step.KEEP and action - Do.RETURN in self.dealt[seat]
        if action < Do.PLAY:
            drawing = self.stack[-1] == Step.DRAW and seat == self.now.drawer
            return drawing and action - Do.DISCARD in self.now.drawn
        playing = self.stack[-1] == Step.PLAY and seat == self.now.current
        return playing and action - Do.PLAY in self.hand

    def _may_vote(self, seat: int, action: int) -> bool:
        """Whether this is the moment to vote for that route or player, and the seat can."""
        if action < Do.THROW_OFF:
            return self.stack[-1] == Step.VOTE and signal_box.has(self, seat, action - Do.VOTE)
        other = action - Do.THROW_OFF
        voting = self.stack[-1] == Step.BALLOT and other < self.seats
        return voting and meeting.may_name(self, seat, other)

    def _goes_on(self, action: int) -> bool:
        """Whether this is not yet the last step of a compound choice."""
        if action < Do.TAKE:
            if action < Do.PLAY:
                return self.now.gun and action >= Do.DISCARD and not self.begun
            return Do.PLAY + FIRST_OR <= action < Do.SIDE
        if action < Do.ROB:
            return not self.begun and turn.takes_two(self)
        if Do.INTERVENE <= action < Do.NAME:
            return interventions.needs_target(self, action - Do.INTERVENE)
        return Do.COAL <= action < Do.UPGRADE and len(self.begun) < interventions.COAL - 1

    def _do(self, seat: int, action: int) -> None:
        """A choice of one step."""
        if action < Do.TAKE:
            if action >= Do.PLAY:
                turn.play_card(self, action - Do.PLAY, Side.FIRST)
            elif action >= Do.DISCARD:
                turn.discard(self, action - Do.DISCARD)
            elif action >= Do.RETURN:
                self.returned[seat] = action - Do.RETURN
            else:
                turn.decline(self, seat)
        elif action < Do.ROB:
            turn.take_permits(self, seat, [action])
        elif action < Do.LOOK:
            turn.rob(self, seat, action - Do.ROB)
        elif action < Do.VOTE:
            turn.look(self, seat, action - Do.LOOK)
        elif action < Do.THROW_OFF:
            signal_box.lay_vote(self, seat, action - Do.VOTE)
        elif action < Do.INTERVENE:
            meeting.cast_ballot(self, seat, action - Do.THROW_OFF)
        elif action < Do.COAL:
            interventions.play_card(self, seat, action - Do.INTERVENE, -1)
        elif action < Do.ACCEPT:
            interventions.upgrade(self, seat, action - Do.UPGRADE)
        else:
            meeting.answer_rescue(self, action == Do.PULL)

    def _do_all(self, seat: int, steps: list[int]) -> None:
        """A compound choice, now that it is whole."""
        first = steps[0]
        if first < Do.PLAY:
            turn.discard_two(self, first - Do.DISCARD, steps[1] - Do.DISCARD)
        elif first < Do.TAKE:
            turn.play_card(self, first - Do.PLAY, steps[1] - Do.SIDE)
        elif first < Do.INTERVENE:
            turn.take_permits(self, seat, steps)
        elif first < Do.COAL:
            interventions.play_card(self, seat, first - Do.INTERVENE, steps[1])
        else:
            interventions.more_coal(self, seat, [step - Do.COAL for step in steps])

    def go_on(self) -> None:
        """Carry out what needs nobody, until somebody is asked or it is over."""
        while True:
            step = self.stack[-1]
            if step == Step.RUN:
                self.stack.pop()
                turn.run(self)
            elif step == Step.END_TURN:
                self.stack.pop()
                turn.end(self)
            elif step == Step.MEETING:
                self.stack.pop()
                meeting.call(self)
            elif step == Step.OVER:
                self.asked = 0
                self.open = 0
                return
            else:
                self.ask(step)
                if self.asked:
                    return
                self.close(step)

    def ask(self, step: int) -> None:
        """Whom this step needs, and which cards can be played meanwhile. It never depends on what
        anybody holds (ST-7.5)."""
        self.open = ANY_TIME_CARDS
        if step >= FIRST_WINDOW:
            self._ask_all(step)
        elif step == Step.DRAW:
            self.open |= 1 << Card.GUN_TO_THE_HEAD
            self.asked = 1 << self.now.drawer
        elif step == Step.PLAY:
            self.asked = 1 << self.now.current
        else:
            self._ask_some(step)

    def _ask_some(self, step: int) -> None:
        """Whom a step needs that is neither a window nor of every turn."""
        current = self.now.current
        self.asked = 0
        match step:
            case Step.SIDE:
                if turn.side_choices(self):
                    self.asked = 1 << current
            case Step.TUNNEL:
                if self.on_board(current) and turn.permit_to_take(self, current):
                    self.asked = 1 << current
            case Step.KEEP:
                # ST-2.4: "any time" begins when everybody has chosen.
                self.open = 0
                for seat in range(self.seats):
                    if self.returned[seat] < 0:
                        self.asked |= 1 << seat
            case Step.VOTE:
                self.asked = signal_box.voters_missing(self)
            case Step.BALLOT:
                self.asked = meeting.voters_missing(self)
            case _:
                self.asked = 1 << self.choosers[-1]

    def _ask_all(self, step: int) -> None:
        """ST-7.5: a window asks everybody on board, unless nobody at all could play there."""
        cards = self.window_cards(step) & ~self.gone
        self.asked = 0
        if cards or step == Step.TALK:
            bit: i64 = 1
            for status in self.status:
                if status == Status.ABOARD:
                    self.asked |= bit
                bit <<= 1
        self.open |= cards
        if step == Step.ANSWER:
            # ST-7.2: nothing else may be played meanwhile, and nobody answers their own card.
            self.open = cards
            self.asked &= ~(1 << self.waiting_players[-1])

    def window_cards(self, step: int) -> int:
        """ST-7.4: the kinds that this window is for and that could do something now, as bits."""
        match step:
            case Step.EFFECT_PLAYED:
                cards = 0 if self.now.jammed else 1 << Card.JAM_THE_CONTROLS
                return cards | 1 << Card.SEIZE_CONTROL if self.now.set_aside >= 0 else cards
            case Step.LAST_TUNNEL:
                return 1 << Card.MURDER_IN_THE_DARK if self.status.count(Status.ABOARD) > 1 else 0
            case Step.VOTE_CALLED:
                useless = 1 << Card.OPEN_VOTE if self.open_vote else 0
                return VOTE_CALLED_CARDS & ~useless
            case Step.VOTE_DECIDED:
                # Run the Red beats every other card here.
                if self.imposed:
                    return 0
                cards = 1 << Card.RUN_THE_RED | 1 << Card.SECOND_CHOICE
                return cards | 1 << Card.SWING_VOTE if len(self.tied) > 1 else cards
            case Step.TALK:
                return MEETING_CARDS
            case Step.AFTERMATH:
                return meeting.aftermath_cards(self)
        return 1 << Card.CONDUCTOR

    def close(self, step: int) -> None:
        """Everybody has answered, or nobody was asked."""
        self.stack.pop()
        match step:
            case Step.EFFECT_PLAYED:
                turn.effect_stands(self)
            case Step.ANSWER:
                interventions.answered(self)
            case Step.KEEP:
                setup.keep(self)
            case Step.VOTE:
                signal_box.count(self)
            case Step.VOTE_DECIDED:
                signal_box.decide(self)
            case Step.BALLOT:
                meeting.count(self)
            case Step.AFTERMATH:
                meeting.end(self)

    def finish(self, ending: int) -> None:
        self.ending = ending
        self.now.speed = self.speed
        self.now.at = self.at
        self.stack = [Step.OVER]
        if self.loud:
            turn.tell_end(self)

    # --- what several rules need -----------------------------------------------------------------

    def path(self) -> int:
        """Which of the track's paths counts: before the vote all are alike."""
        return self.route if self.route >= 0 else Route.FAST_TRACK

    def on_board(self, seat: int) -> bool:
        return self.status[seat] <= Status.HANGING

    def aboard(self) -> int:
        """How many are on board; who hangs on counts (ST-7.8)."""
        count = 0
        for status in self.status:
            if status <= Status.HANGING:
                count += 1
        return count

    def nameable(self, seat: int) -> bool:
        """ST-5.6, ST-7.8: only players on board can be named or robbed."""
        return self.status[seat] == Status.ABOARD and seat not in self.falling

    def next_aboard(self, seat: int) -> int:
        """The next on board to the left; a lone player is their own neighbour (ST-4.4)."""
        for step in range(1, self.seats + 1):
            left = (seat + step) % self.seats
            if self.status[left] <= Status.HANGING:
                return left
        raise AssertionError("somebody is always on board")

    def set_speed(self, speed: int) -> None:
        """ST-3.1: never outside of what the train can do."""
        self.speed = min(max(speed, self.slowest), self.fastest)

    def leave(self, seat: int, status: int) -> None:
        """ST-5.6, ST-6.4: out of play, and permits and interventions with them."""
        self.status[seat] = status
        self.permits[seat] = 0
        self.hands[seat] = []
        self.held[seat] = 0

    def hold(self, seat: int, cards: list[int]) -> None:
        """The interventions that a player holds from now on: a list for this hand alone."""
        cards.sort()
        self.hands[seat] = cards
        held = 0
        for card in cards:
            held |= 1 << card
        self.held[seat] = held

    def note(self, seat: int, look: int, about: int, things: list[int], place: int = -1) -> None:
        self.notes[seat] = [*self.notes[seat], Note(look, len(self.turns), about, things, place)]

    # --- the rest of the contract ----------------------------------------------------------------

    def barrier(self) -> bool:
        # Every move shows something to somebody, or is made while others are asked too.
        return True

    def opening(self) -> list[Event]:
        self.told = []
        turn.tell_opening(self)
        told = self.told
        self.told = []
        return told

    def view(self, seat: int | None) -> View:
        from capolinea.games.stop_the_train.views import view_of

        return view_of(self, seat)

    def preview(self, seat: int, actions: Sequence[int]) -> Preview:
        from capolinea.games.stop_the_train.preview import preview_of

        return preview_of(self, seat, actions)

    def result(self) -> Result | None:
        if self.ending < 0:
            return None
        from capolinea.games.stop_the_train.result import result_of

        return result_of(self)

    def copy(self) -> Train:
        other = Train()
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
        if other.turns:
            other.turns[-1] = other.now
        other.moments = self.moments
        other.dealt = self.dealt
        other.returned = self.returned[:]
        other.hands = self.hands[:]
        other.held = self.held[:]
        other.undealt = self.undealt[:]
        other.notes = self.notes[:]
        other.spent = self.spent[:]
        other.gone = self.gone
        other.thefts = self.thefts[:]
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
        other.past_meetings = self.past_meetings[:]
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
            [turn.parts() for turn in self.turns],
            [self.dealt, self.returned, self.hands, self.undealt, self.gone],
            [[theft.turn, theft.thief, theft.victim, theft.spent] for theft in self.thefts],
            [[[n.look, n.turn, n.seat, n.things, n.place] for n in notes] for notes in self.notes],
            [[s.turn, s.seat, s.card, s.target, s.cancelled] for s in self.spent],
            [self.votes, self.ballots_left, self.closed, self.open_vote, self.arrested],
            [self.tally, self.tied, self.decided, self.imposed],
            [[vote.votes, vote.open_vote] for vote in self.past_votes],
            [[m.turn, m.ballots, m.secret, m.off] for m in self.past_meetings],
            [self.ballots, self.occupied, self.first_class, self.secret_ballot, self.locked],
            [self.falling, self.draggers, self.dragged, self.rescuer, self.second_meeting],
            [self.moments, self.ending],
        ]
        return repr(parts).encode()
