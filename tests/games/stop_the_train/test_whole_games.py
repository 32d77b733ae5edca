"""Stop the Train!: what holds in every match, however it is played.

Matches are played at random from a small number, and looked at after every step. The report of a failure
ends with the story of the match up to there.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from capolinea.engine import Match, Refused, Rng
from capolinea.engine.record import dumps, loads
from capolinea.games.stop_the_train.rules import do, steps, where
from capolinea.games.stop_the_train.rules.cards import Character
from capolinea.games.stop_the_train.rules.interventions import Card
from capolinea.games.stop_the_train.rules.notes import NOTHING
from capolinea.games.stop_the_train.rules.steps import FIRST_WINDOW, Ending
from capolinea.games.stop_the_train.rules.train import Train
from capolinea.games.stop_the_train.title import GAME, TrainOptions
from tests.games.stop_the_train.tables import NAMES

LONG = bool(os.environ.get("CAPOLINEA_LONG"))


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, TrainOptions]:
    """A number of players, and options that go together (ST-2.5)."""
    seats = draw(st.integers(3, 6))
    forced: list[Any] = []
    excluded: list[Any] = []
    cast: Any = draw(st.sampled_from(["standard", "first-game", "balanced"]))
    if cast == "standard":
        choices = ["rogue", "stuntman", "speedster", "ticket-inspector"]
        forced = draw(st.lists(st.sampled_from(choices), unique=True, max_size=seats - 1))
        excluded = [who for who in draw(st.sampled_from([[], ["stuntman"]])) if who not in forced]
    options = TrainOptions(
        track=draw(st.sampled_from(["dijon", "express"])),
        cast=cast,
        forced=forced,
        excluded=excluded,
        mayor=draw(st.booleans()),
        start_speed=draw(st.sampled_from(["120", "30", "60", "90", "150", "180"])),
        head_start=draw(st.integers(0, 12)),
        fewer_accelerating=draw(st.sampled_from(["0", "3", "6"])),
        freight=draw(st.booleans()),
        classic_30=draw(st.booleans()),
        strict_agent=draw(st.booleans()),
        two_hills=draw(st.booleans()),
        first=draw(st.integers(0, seats)),
    )
    GAME.check(seats, options)
    return seats, options


@given(table=tables(), number=st.integers(0, 2**32 - 1), gentle=st.booleans())
@settings(max_examples=4000 if LONG else 200, deadline=None)
def test_every_move_keeps_the_invariants(
    table: tuple[int, TrainOptions], number: int, gentle: bool
) -> None:
    seats, options = table
    journey = Journey(seats, options, number, gentle)
    try:
        while journey.go_on():
            pass
        journey.is_over()
        assert NOTHING == []  # it is shared: a card in it would be in every game
    except Exception:
        for line in journey.story:
            note(line)
        raise


class Journey:
    """One match, watched after every step."""

    def __init__(self, seats: int, options: TrainOptions, number: int, gentle: bool) -> None:
        self.rng = Rng(b"%d" % number)
        self.options, self.seed = options, self.rng.bytes(32)
        train = GAME.new(seats, options, self.seed)
        assert isinstance(train, Train)
        self.train = train
        #: Whether cards are played that brake: else hardly any train stops before Paris.
        self.gentle = gentle
        #: Whole moves, for the record, and the one that is being made.
        self.moves: list[tuple[int, list[int]]] = []
        self.steps: list[int] = []
        #: The moves in words, for the report of a failure.
        self.story: list[str] = []
        self.cards_lost: Counter[int] = Counter()
        self.permits_lost = 0

    def go_on(self) -> bool:
        """One step, by whoever chance says; False when it is over."""
        train, rng = self.train, self.rng
        seat = self.mover()
        if seat < 0:
            return False
        legal = train.legal(seat)
        action = legal[rng.below(len(legal))]
        if self.gentle and train.stack[-1] == steps.PLAY and seat in train.waiting():
            action = train.default(seat)
        if rng.below(4) == 0:
            self.legal_is_what_is_accepted(rng.below(train.seats))
        if rng.below(3) == 0 and train.stack[-1] != steps.KEEP:
            self.hands_change_nothing_that_is_public(seat, action)
        before = train.copy()
        train.play(seat, action)
        self.write_down(seat, action)
        self.look_after(before)
        return True

    def mover(self) -> int:
        """Mostly somebody who is waited for, now and then anybody who may do something."""
        train, rng = self.train, self.rng
        waiting = train.waiting()
        if not waiting:
            return -1
        anybody = rng.below(train.seats)
        if rng.below(4) == 0 and train.legal(anybody):
            return anybody
        return waiting[rng.below(len(waiting))]

    def write_down(self, seat: int, action: int) -> None:
        self.steps.append(action)
        if self.train.midway() < 0:
            self.moves.append((seat, self.steps))
            if self.steps != [do.PASS]:
                done = [GAME.space.json(step) for step in self.steps]
                self.story.append(f"{len(self.moves)}. {NAMES[seat]}: {done}")
            self.steps = []

    def look_after(self, before: Train) -> None:
        self.who_left_is_gone_for_good(before)
        self.effect_cards_are_all_there()
        self.interventions_are_all_there(before)
        self.permits_are_all_there(before)
        self.the_train_is_on_the_line(before)
        self.turns_go_round(before)
        self.somebody_is_waited_for_or_it_is_over()
        self.who_looked_is_who_chooses()

    # --- cards and permits -------------------------------------------------------------------------

    def effect_cards_are_all_there(self) -> None:
        """ST-1.2: in the deck, discarded, played, in a hand, or set aside until the window closes."""
        train = self.train
        found = Counter(train.deck + train.discards + train.pile + train.hand)
        if train.turns and train.now.current < 0:
            found.update(train.now.drawn)
        if train.now.set_aside >= 0 and steps.EFFECT_PLAYED in train.stack:
            found[train.now.set_aside] += 1
        assert found == counted(train.effect_counts)
        coal = [s for s in train.spent if s.card == Card.MORE_COAL and not s.cancelled]
        put = 3 * (len(coal) - train.stack.count(steps.COAL))
        assert len(train.deck) == sum(train.effect_counts) - 3 * len(train.turns) + put

    def interventions_are_all_there(self, before: Train) -> None:
        """ST-1.3: held, not dealt, openly played, or gone with who has left (ST-5.6)."""
        train = self.train
        for seat in range(train.seats):
            if gone(train, seat) and not gone(before, seat):
                played = Counter(openly_by(train, seat)) - Counter(openly_by(before, seat))
                self.cards_lost.update(Counter(before.hands[seat]) - played)
        found = Counter(train.undealt) + self.cards_lost
        for seat in range(train.seats):
            found.update(train.hands[seat])
            found.update(openly_by(train, seat))
        assert found == counted(train.card_counts)

    def permits_are_all_there(self, before: Train) -> None:
        """ST-1.5: two, and a forged one, without those that were burned or have left."""
        train = self.train
        for seat in range(train.seats):
            if gone(train, seat) and not gone(before, seat):
                self.permits_lost += before.permits[seat]
        effective = [spent.card for spent in train.spent if not spent.cancelled]
        forged, burned = effective.count(Card.FORGERY), effective.count(Card.BURN)
        assert sum(train.permits) + train.organiser == 2 + forged - burned - self.permits_lost
        assert min(train.permits) >= 0
        assert train.organiser >= 0

    # --- the train ---------------------------------------------------------------------------------

    def the_train_is_on_the_line(self, before: Train) -> None:
        """ST-3.1, ST-5.4: never backwards, at a speed that there is, not past the box without a vote."""
        train = self.train
        assert train.speed in range(train.slowest, train.fastest + 1, 30)
        effective = [spent.card for spent in train.spent if not spent.cancelled]
        assert train.slowest == (60 if Card.TAILWIND in effective else 30)
        assert train.fastest == (150 if Card.TRAIN_FAULT in effective else 180)
        assert before.at <= train.at <= before.at + 6
        if train.route < 0:
            assert train.at <= train.track.box
        else:
            assert train.track.box <= train.at < len(train.track.spaces[train.route])
            assert before.route in (-1, train.route)
        assert before.freight <= train.freight
        assert train.freight < 0 or train.with_freight
        assert before.records & train.records == before.records

    # --- players -----------------------------------------------------------------------------------

    def who_left_is_gone_for_good(self, before: Train) -> None:
        """ST-5.6, ST-6.4, ST-7.8: nothing more for who has left, and nothing yet for who hangs on."""
        train = self.train
        for seat in range(train.seats):
            if gone(before, seat):
                assert train.status[seat] == before.status[seat]
            if gone(train, seat):
                assert train.permits[seat] == 0
                assert train.hands[seat] == []
            if train.status[seat] != where.ABOARD:
                assert train.legal(seat) == []
                assert seat not in train.waiting()
        assert train.aboard() >= 1

    def turns_go_round(self, before: Train) -> None:
        """ST-4.1, ST-4.4: the current player draws next or, having left, the next on board does."""
        train = self.train
        on_board = [seat for seat in range(train.seats) if not gone(train, seat)]
        if before.turns and len(train.turns) > len(before.turns):
            last = train.turns[-2].current
            assert train.now.drawer == (last if last in on_board else left_of(last, on_board))
        if before.turns and before.now.current < 0 <= train.turns[len(before.turns) - 1].current:
            assert train.now.current == left_of(train.now.drawer, on_board)

    def somebody_is_waited_for_or_it_is_over(self) -> None:
        train = self.train
        over = train.ending >= 0
        assert (train.waiting() == []) == over
        assert (train.result() is not None) == over
        assert (train.stack[-1] == steps.OVER) == over
        for seat in train.waiting():
            assert train.legal(seat)
        if over:
            assert all(train.legal(seat) == [] for seat in range(train.seats))

    def who_looked_is_who_chooses(self) -> None:
        """Ticket Upgrade, More Coal and an offered hand ask the one whom they are about."""
        train = self.train
        looking = {steps.UPGRADE: Card.TICKET_UPGRADE, steps.COAL: Card.MORE_COAL}
        step = train.stack[-1]
        if train.midway() >= 0:
            return
        if step in looking:
            played = [s.seat for s in train.spent if s.card == looking[step] and not s.cancelled]
            assert train.waiting() == played
        elif step == steps.RESCUE:
            assert train.waiting() == train.draggers

    def legal_is_what_is_accepted(self, seat: int) -> None:
        """What a seat is offered it can do; what it is not offered is refused and changes nothing."""
        train = self.train
        legal = train.legal(seat)
        assert legal == sorted(set(legal))
        if legal:
            train.copy().play(seat, legal[self.rng.below(len(legal))])
        other = self.rng.below(GAME.space.size)
        if other not in legal:
            probe, before = train.copy(), train.key()
            with pytest.raises(Refused) as refused:
                probe.play(seat, other)
            assert refused.value.rule.startswith("ST-")
            assert probe.key() == before

    def hands_change_nothing_that_is_public(self, seat: int, action: int) -> None:
        """ST-7.5: with other cards in others' hands and in the deck, the same move leads to the same
        public view, and the same seats are waited for."""
        train = self.train
        one, two = train.copy(), train.copy()
        exchange(two, seat, with_undealt=train.stack[-1] != steps.UPGRADE)
        one.play(seat, action)
        two.play(seat, action)
        assert one.waiting() == two.waiting()
        assert one.window() == two.window()
        if one.midway() < 0:
            assert msgspec.json.encode(one.view(None)) == msgspec.json.encode(two.view(None))
        if one.stack[-1] >= FIRST_WINDOW and before_window(train, one):
            everybody = [s for s in range(one.seats) if one.status[s] == where.ABOARD]
            if one.stack[-1] == steps.ANSWER:
                everybody.remove(one.waiting_players[-1])
            assert one.waiting() == everybody

    # --- the end (ST-6) ----------------------------------------------------------------------------

    def is_over(self) -> None:
        train = self.train
        result = train.result()
        assert result is not None
        last = len(train.track.spaces[train.route]) - 1
        match train.ending:
            case Ending.STOPPED:
                assert len(train.deck) < 3
            case Ending.CRASHED:
                assert train.at == last
            case _:
                assert train.ending == Ending.COLLIDED
                assert train.with_freight
        everybody = all(not gone(train, seat) for seat in range(train.seats))
        for seat, outcome in enumerate(result.outcomes):
            character = train.characters[seat]
            if character == Character.SABOTEUR:
                assert outcome.won == (train.ending == Ending.CRASHED)
            elif train.status[seat] == where.DEAD:
                assert not outcome.won
            if outcome.won and train.ending == Ending.COLLIDED:
                assert character == Character.ROGUE
            if character == Character.ROGUE:
                assert outcome.won == (train.ending != Ending.STOPPED and everybody)
        self.the_record_is_the_match()

    def the_record_is_the_match(self) -> None:
        match = Match(GAME, NAMES[: self.train.seats], self.options, seed=self.seed)
        for seat, choice in self.moves:
            match.move(seat, choice)
        assert match.state.key() == self.train.key()
        again = Match.fold(GAME, loads(dumps(match.record())))
        assert again.state.key() == self.train.key()
        assert again.result() == self.train.result()


def counted(counts: list[int]) -> Counter[int]:
    return Counter({kind: count for kind, count in enumerate(counts) if count})


def openly_by(train: Train, seat: int) -> list[int]:
    """The interventions that a seat has played, those that wait for an answer among them."""
    waiting = zip(train.waiting_players, train.waiting_cards, strict=True)
    used = [spent.card for spent in train.spent if spent.seat == seat]
    return used + [card for player, card in waiting if player == seat]


def gone(train: Train, seat: int) -> bool:
    return train.status[seat] >= where.OFF


def left_of(seat: int, on_board: list[int]) -> int:
    """The next on board to the left; a lone player is their own neighbour."""
    after = [other for other in on_board if other > seat]
    return after[0] if after else on_board[0]


def exchange(train: Train, mover: int, with_undealt: bool) -> None:
    """Deal the others' interventions anew, each as many as before, and turn the deck round."""
    others = [seat for seat in range(train.seats) if seat != mover]
    pool = [card for seat in others for card in train.hands[seat]]
    if with_undealt:
        pool += train.undealt
    pool = pool[::2] + pool[1::2]
    pool.reverse()
    for seat in others:
        size = len(train.hands[seat])
        train.hold(seat, sorted(pool[:size]))
        pool = pool[size:]
    if with_undealt:
        train.undealt = sorted(pool)
    train.deck = train.deck[::-1]


def before_window(before: Train, after: Train) -> bool:
    """Whether the window has just been opened: it is another step, or another card to answer."""
    if before.begun:
        return after.stack[-1] == steps.ANSWER
    return (before.stack, before.waiting_cards) != (after.stack, after.waiting_cards)
