"""Pips broken in one way each; the kit must find every one of them and say which it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from capolinea.engine import (
    Actions,
    Chance,
    Family,
    Game,
    Line,
    Options,
    Preview,
    Record,
    Refused,
    Rng,
    State,
    View,
)
from tests.conformance.pips import (
    AMOUNT,
    JEER,
    MULLING,
    OVER,
    PASS,
    ROLL,
    ROLLING,
    STAKE,
    SWAP,
    VOTE,
    WINDOW,
    Pips,
    PipsGame,
    PipsView,
)


def broken(state: type[Pips], **attributes: Any) -> Game:
    """Pips with another State and, where needed, other attributes of its Game."""
    made: Game = type(state.__name__ + "Game", (PipsGame,), {"state_type": state, **attributes})()
    return made


# --- leaks ---------------------------------------------------------------------------------------


class LeakyView(PipsView):
    neighbour: int


class LeakInAField(Pips):
    """After the first round the view tells the neighbour's first card."""

    def view_type(self) -> type[PipsView]:
        return LeakyView

    def shown(self, seat: int | None) -> dict[str, Any]:
        neighbour = ((seat or 0) + 1) % self.seats
        return {**super().shown(seat), "neighbour": self.cards[neighbour][0] if self.turn else 0}


class LeakInAnEventsSize(Pips):
    """Whoever mulls is heard humming for as long as the card is high."""

    def mull(self, seat: int, action: int) -> None:
        super().mull(seat, action)
        if self.loud:
            self.told[-1].args["humming"] = "m" * self.cards[seat][1]


class OrderedView(PipsView):
    by_wealth: list[int]


class LeakInAnOrder(Pips):
    """A list of the seats, all of them, but in the order of their hidden cards."""

    def view_type(self) -> type[PipsView]:
        return OrderedView

    def shown(self, seat: int | None) -> dict[str, Any]:
        order = sorted(range(self.seats), key=lambda s: sum(self.cards[s]))
        return {**super().shown(seat), "by_wealth": order}


class LeakInWaiting(Pips):
    """Only who holds a high card is asked, and everybody sees whom the game waits for."""

    def asked(self) -> list[int]:
        others = super().asked()
        return [s for s in others if max(self.cards[s]) >= HIGH_ENOUGH] or others

    def window(self) -> str:
        return ""


HIGH_ENOUGH = 5


class LeakOnFirstLoad(Pips):
    """A spectator who comes before anything has happened gets the state whole."""

    def shown(self, seat: int | None) -> dict[str, Any]:
        shown = super().shown(seat)
        if seat is None and self.turn == 0 and self.phase == MULLING:
            shown["own"] = [card for hand in self.cards for card in hand]
        return shown


class LeakInUndo(Pips):
    """Whether a stake can be taken back depends on what the next player holds."""

    def barrier(self) -> bool:
        return self.fixed or self.cards[(self.current + 1) % self.seats][1] % 2 == 0


class LeakInARefusal(Pips):
    """The reason for a refusal tells whether somebody else could have jeered."""

    def play(self, seat: int, action: int) -> None:
        if action == JEER and self.phase == ROLLING:
            raise Refused("refused.not-now", high=max(max(hand) for hand in self.cards))
        super().play(seat, action)


class HiddenDrawShiftsTheDie(Pips):
    """One stream for all: whether a card was swapped decides which number the die takes."""

    def __init__(self) -> None:
        super().__init__()
        self.draws = 0

    def draw(self, purpose: str, n: int) -> int:
        self.draws += 1
        return self.chance.below("all", self.draws, 54) % n

    def copy(self) -> State:
        other = super().copy()
        assert isinstance(other, HiddenDrawShiftsTheDie)
        other.draws = self.draws
        return other


class LeakInWhatMayBeSaid(PipsGame):
    """A boast is only taken from who cannot be beaten: the title remembers the match that it set up."""

    dealt: State

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        self.dealt = super().start(seats, options, chance)
        return self.dealt

    def say(self, view: View, seat: int, said: Any) -> Line:
        assert isinstance(self.dealt, Pips)
        if said["boast"] < max(hand[1] for hand in self.dealt.cards):
            raise Refused("refused.not-now")
        return super().say(view, seat, said)


# --- undo ----------------------------------------------------------------------------------------


class UndoAcrossADie(Pips):
    """A roll that one does not like can be taken back."""

    def barrier(self) -> bool:
        return self.fixed and self.phase != WINDOW


class UndoWhileOthersAreAsked(Pips):
    """In a vote, one may have been answered by others in the meantime."""

    def play(self, seat: int, action: int) -> None:
        super().play(seat, action)
        if VOTE <= action < AMOUNT:
            self.fixed = False


# --- rules ---------------------------------------------------------------------------------------


class AwaitsTheFirstAlone(Pips):
    def awaited(self) -> int:
        return super().awaited() & -super().awaited()


class SeesMoreTogether(Pips):
    def views(self, viewers: Sequence[int | None]) -> list[View]:
        views = super().views(viewers)
        if len(views) > 1:
            views[-1] = views[0]
        return views


class ShowsWhoPassed(Pips):
    """A pass is told to nobody, and everybody sees how many there were."""

    def shown(self, seat: int | None) -> dict[str, Any]:
        return {**super().shown(seat), "last": sum(self.passed)}


class LegalPromisesTooMuch(Pips):
    def legal(self, seat: int) -> list[int]:
        legal = super().legal(seat)
        return [STAKE, *legal] if legal == [ROLL] else legal

    def play(self, seat: int, action: int) -> None:
        if action == STAKE and self.stakes:
            raise Refused("refused.not-now")
        super().play(seat, action)


class LegalPromisesTooLittle(Pips):
    """The rules would take a second stake that is not on the list."""

    def play(self, seat: int, action: int) -> None:
        if action == STAKE and self.phase == ROLLING and seat == self.current and self.stakes:
            self.stakes = 3
            return
        super().play(seat, action)


class RefusesHalfDone(Pips):
    def play(self, seat: int, action: int) -> None:
        if action == PASS and self.phase == ROLLING:
            self.points[seat] -= 1
            raise Refused("refused.not-now")
        super().play(seat, action)


class DeadEnd(Pips):
    """With two points staked and a last roll of six there is nothing left to do."""

    def legal(self, seat: int) -> list[int]:
        if self.phase == ROLLING and self.stakes == 2 and not self.staking and self.last == 6:
            return []
        return super().legal(seat)


class Crash(Pips):
    def roll(self) -> None:
        super().roll()
        if self.last == 6:
            self.points[99] += 1


class Endless(Pips):
    def end_turn(self) -> None:
        super().end_turn()
        self.turn = min(self.turn, 2)
        self.phase = MULLING


class GoesOnAfterTheEnd(Pips):
    def legal(self, seat: int) -> list[int]:
        return [ROLL] if self.phase == OVER else super().legal(seat)


class TellsMidway(Pips):
    """Everybody hears that a stake is coming before it is known how much."""

    def play(self, seat: int, action: int) -> None:
        super().play(seat, action)
        if action == STAKE and self.loud:
            self.tell("event.hesitates", seat=seat)


class OthersActMidway(Pips):
    """While one player is in the middle of a choice, others are let in."""

    def legal(self, seat: int) -> list[int]:
        legal = super().legal(seat)
        return [JEER] if self.staking and not legal else legal


class DefaultNeverEnds(Pips):
    """The clock goes round and round in a choice of several steps."""

    def default(self, seat: int) -> int:
        return (
            AMOUNT + 2
            if self.staking
            else STAKE
            if self.phase == ROLLING
            else super().default(seat)
        )

    def legal(self, seat: int) -> list[int]:
        legal = super().legal(seat)
        if self.phase == ROLLING and not self.staking and seat == self.current:
            return sorted({STAKE, *legal})
        return [*legal, AMOUNT + 2] if self.staking and legal else legal

    def play(self, seat: int, action: int) -> None:
        if action != AMOUNT + 2 or not self.staking:
            super().play(seat, action)


class ForgottenField(Pips):
    def copy(self) -> State:
        other = super().copy()
        assert isinstance(other, Pips)
        other.last = 0
        return other


class EmptyKey(Pips):
    """Every state is the same, says the key."""

    def key(self) -> bytes:
        return b""


class SharedList(Pips):
    def copy(self) -> State:
        other = super().copy()
        assert isinstance(other, Pips)
        other.points = self.points
        return other


class QuietDiffers(Pips):
    """The event is not only told of: it is where the rule lives."""

    def roll(self) -> None:
        super().roll()
        if self.loud and self.last == 6:
            self.points[self.current] += 1


class HurryDiffers(Pips):
    """In a hurry a window closes although somebody could still jeer."""

    def play(self, seat: int, action: int) -> None:
        super().play(seat, action)
        if self.hasty and self.phase == WINDOW:
            self.end_turn()


class ForgetsWhoIsFree(Pips):
    def free(self) -> list[int]:
        return [seat for seat in range(self.seats) if self.legal(seat)]


class IllegalDefault(Pips):
    def default(self, seat: int) -> int:
        return SWAP if self.phase == ROLLING else super().default(seat)


class PreviewStores(Pips):
    """A look at what a move would do does it."""

    def preview(self, seat: int, actions: Sequence[int]) -> Preview:
        self.play(seat, actions[0])
        return Preview()


class PreviewsEverything(Pips):
    """Even what is not allowed has a preview."""

    def preview(self, seat: int, actions: Sequence[int]) -> Preview:
        return Preview()


class EventsContradict(Pips):
    def roll(self) -> None:
        super().roll()
        if self.loud:
            self.told[-1].setting({"last": 7 - self.last})


# --- forms ---------------------------------------------------------------------------------------


class HoleyView(PipsView):
    anything: Any = None


class HoleInTheSchema(Pips):
    def view_type(self) -> type[PipsView]:
        return HoleyView


class WiderView(PipsView):
    more: int = 0


class ViewOfAnotherType(Pips):
    """The view has a field that its declared type does not."""

    def view_type(self) -> type[PipsView]:
        return WiderView


class ReplayDiffers(Pips):
    """Something outside the state, so that the same record comes out otherwise the second time."""

    rolls = 0

    def roll(self) -> None:
        ReplayDiffers.rolls += 1
        super().roll()
        self.points[self.current] += ReplayDiffers.rolls % 2


# --- thinking of what is hidden -----------------------------------------------------------------


class TwinIsTheSame(PipsGame):
    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        return record


class NoTwinYet(PipsGame):
    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        return Game.twin(self, record, viewer, rng)


class NoImagineYet(PipsGame):
    def imagine(self, view: View, rng: Rng) -> State:
        state: State = Game.imagine(self, view, rng)
        return state


class TwinDoesNotFold(PipsGame):
    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        twin = super().twin(record, viewer, rng)
        twin.entries = twin.entries[1:]
        return twin


class ImagineForgets(PipsGame):
    def imagine(self, view: View, rng: Rng) -> State:
        state = super().imagine(view, rng)
        assert isinstance(state, Pips)
        if view.viewer is not None:
            state.cards[view.viewer][0] = 1 + rng.below(9)
        return state


class EndingNeverSeen(PipsGame):
    endings = ("counted", "abandoned")


BROKEN: dict[str, Game] = {
    "fault.secrets.view": broken(LeakInAField, view_type=LeakyView),
    "fault.secrets.size": broken(LeakInAnEventsSize),
    "fault.secrets.order": broken(LeakInAnOrder, view_type=OrderedView),
    "fault.secrets.awaited": broken(LeakInWaiting),
    "fault.secrets.first": broken(LeakOnFirstLoad),
    "fault.secrets.undo": broken(LeakInUndo),
    "fault.secrets.asked": broken(LeakInARefusal),
    "fault.secrets.said": LeakInWhatMayBeSaid(),
    "fault.secrets.event": broken(HiddenDrawShiftsTheDie),
    "fault.undo.chance": broken(UndoAcrossADie),
    "fault.undo.others": broken(UndoWhileOthersAreAsked),
    "fault.views.together": broken(SeesMoreTogether),
    "fault.views.untold": broken(ShowsWhoPassed),
    "fault.play.awaited": broken(AwaitsTheFirstAlone),
    "fault.play.refused": broken(LegalPromisesTooMuch),
    "fault.legal.accepts": broken(LegalPromisesTooLittle),
    "fault.legal.half-done": broken(RefusesHalfDone),
    "fault.legal.told-midway": broken(TellsMidway),
    "fault.legal.midway": broken(OthersActMidway),
    "fault.default.endless": broken(
        DefaultNeverEnds,
        space=Actions(*PipsGame.space.families.values(), Family("dither")),
    ),
    "fault.play.dead-end": broken(DeadEnd),
    "fault.crash.rules": broken(Crash),
    "fault.play.too-long": broken(Endless),
    "fault.play.after-end": broken(GoesOnAfterTheEnd),
    "fault.copy.forgets": broken(ForgottenField),
    "fault.key.same": broken(EmptyKey),
    "fault.copy.shared": broken(SharedList),
    "fault.quiet.differs": broken(QuietDiffers),
    "fault.hurry.differs": broken(HurryDiffers),
    "fault.hurry.free": broken(ForgetsWhoIsFree),
    "fault.default.illegal": broken(IllegalDefault),
    "fault.preview.stores": broken(PreviewStores),
    "fault.preview.illegal": broken(PreviewsEverything),
    "fault.events.contradict": broken(EventsContradict),
    "fault.schema.hole": broken(HoleInTheSchema, view_type=HoleyView),
    "fault.json.view-type": broken(ViewOfAnotherType),
    "fault.replay.result": broken(ReplayDiffers),
    "fault.twins.alike": TwinIsTheSame(),
    "fault.secrets.twin": TwinDoesNotFold(),
    "fault.secrets.not-written": NoTwinYet(),
    "fault.imagine.not-written": NoImagineYet(),
    "fault.imagine.view": ImagineForgets(),
    "fault.endings.unseen": EndingNeverSeen(),
}
