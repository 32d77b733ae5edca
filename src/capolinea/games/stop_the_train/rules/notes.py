"""What the rules write down for players to remember."""

from __future__ import annotations

from typing import Final

from capolinea.engine.fields import Key, New
from capolinea.engine.native import i64, mypyc_attr
from capolinea.engine.state import COMPILED

#: Cards that are not there yet. Lists that states share are replaced, never changed.
NOTHING: Final[list[int]] = []


@mypyc_attr(acyclic=True)
class Turn:
    """One turn (ST-4): who drew and who played, and what became of the cards. Kinds of cards are
    sorted, since their order is nobody's business. Copies share the lists."""

    def __init__(self) -> None:
        self.drawer: Key[i64] = -1
        self.current: Key[i64] = -1
        self.drawn: Key[list[int]] = NOTHING
        #: What the drawer discarded: two cards with Gun to the Head.
        self.discarded: Key[list[int]] = NOTHING
        self.passed: Key[list[int]] = NOTHING
        self.gun: Key[bool] = False
        self.played: Key[i64] = -1
        self.side: Key[i64] = 0
        #: What the current player put face down, until Seize Control calls for it.
        self.set_aside: Key[i64] = -1
        #: What was played first and taken back by Seize Control.
        self.seized: Key[i64] = -1
        self.jammed: Key[bool] = False
        #: How the turn ended: the needle and the front of the train.
        self.speed: Key[i64] = 0
        self.at: Key[i64] = 0
        #: Views of it that were made when it was over, by viewer.
        self.shown: New[dict[int, object] | None] = None

    def __repr__(self) -> str:
        return f"Turn{self.parts()}"

    # --- generated: slots, copy, parts
    __slots__ = (
        "at", "current", "discarded", "drawer", "drawn", "gun", "jammed", "passed", "played",
        "seized", "set_aside", "shown", "side", "speed",
    )  # fmt: skip

    def copy(self) -> Turn:
        if COMPILED:
            other = Turn()
        else:
            other = Turn.__new__(Turn)
            other.shown = None
        other.drawer = self.drawer
        other.current = self.current
        other.drawn = self.drawn
        other.discarded = self.discarded
        other.passed = self.passed
        other.gun = self.gun
        other.played = self.played
        other.side = self.side
        other.set_aside = self.set_aside
        other.seized = self.seized
        other.jammed = self.jammed
        other.speed = self.speed
        other.at = self.at
        return other

    def parts(self) -> list[object]:
        return [
            self.drawer,
            self.current,
            self.drawn,
            self.discarded,
            self.passed,
            self.gun,
            self.played,
            self.side,
            self.set_aside,
            self.seized,
            self.jammed,
            self.speed,
            self.at,
        ]

    # --- end


#: Before the first turn; a state's own is a copy of it.
NO_TURN: Final = Turn()


class Look:
    """Ways to learn something that others do not."""

    IDENTITY: Final = 0
    PASSENGER_LIST: Final = 1
    SPY: Final = 2
    COAL: Final = 3
    COAL_CHOSEN: Final = 4
    UPGRADE: Final = 5
    UPGRADE_CHOSEN: Final = 6
    TOOK: Final = 7
    LOST: Final = 8


LOOK_NAMES: Final = [
    "identity",
    "passenger-list",
    "spy",
    "coal",
    "coal-chosen",
    "upgrade",
    "upgrade-chosen",
    "took",
    "lost",
]


@mypyc_attr(acyclic=True)
class Note:
    """Something that one player alone learned. Never changes."""

    def __init__(self, look: int, turn: int, seat: int, things: list[int], place: int) -> None:
        self.look: Key[int] = look
        self.turn: Key[int] = turn
        #: Whom it is about, or -1.
        self.seat: Key[int] = seat
        #: Characters, effects or interventions, as the look has it; sorted.
        self.things: Key[list[int]] = things
        #: Of a discard that was looked at: how many lie below it.
        self.place: Key[int] = place

    # --- generated: parts
    def parts(self) -> list[object]:
        return [self.look, self.turn, self.seat, self.things, self.place]

    # --- end


class Named:
    """What a card was played at (ST-7.2). Numbers of their own, since keys that were kept have them: the
    actions that name these things, in the same order, move when a card is added."""

    NOTHING: Final = -1
    SEAT: Final = 112  # + seat
    ORGANISER: Final = 118
    ROUTE: Final = 119  # + route
    KEEP_SPEED: Final = 122
    BRAKE: Final = 123


@mypyc_attr(acyclic=True)
class Spent:
    """An intervention card that was played, and what became of it. Never changes."""

    def __init__(
        self, turn: int, seat: int, card: int, target: int, cancelled: bool, discards: int
    ) -> None:
        self.turn: Key[int] = turn
        self.seat: Key[int] = seat
        self.card: Key[int] = card
        #: One of `Named`.
        self.target: Key[int] = target
        self.cancelled: Key[bool] = cancelled
        #: How many effect cards lay face down then.
        self.discards = discards

    # --- generated: parts
    def parts(self) -> list[object]:
        return [self.turn, self.seat, self.card, self.target, self.cancelled]

    # --- end


@mypyc_attr(acyclic=True)
class Theft:
    """Who robbed whom of an intervention (ST-4.3). Never changes."""

    def __init__(self, turn: int, thief: int, victim: int, spent: int) -> None:
        self.turn: Key[int] = turn
        self.thief: Key[int] = thief
        self.victim: Key[int] = victim
        #: How many interventions had been used up by then.
        self.spent: Key[int] = spent

    # --- generated: parts
    def parts(self) -> list[object]:
        return [self.turn, self.thief, self.victim, self.spent]

    # --- end


@mypyc_attr(acyclic=True)
class Vote:
    """A route vote that was counted (ST-5.4): each seat's route, or -1. Never changes."""

    def __init__(self, votes: list[int], open_vote: bool) -> None:
        self.votes: Key[list[int]] = votes
        self.open_vote: Key[bool] = open_vote

    # --- generated: parts
    def parts(self) -> list[object]:
        return [self.votes, self.open_vote]

    # --- end


@mypyc_attr(acyclic=True)
class Meeting:
    """A meeting that is over (ST-5.5): each seat's ballot, or -1, and who left. Never changes."""

    def __init__(self, turn: int, ballots: list[int], secret: bool, off: list[int]) -> None:
        self.turn: Key[int] = turn
        self.ballots: Key[list[int]] = ballots
        self.secret: Key[bool] = secret
        self.off: Key[list[int]] = off

    # --- generated: parts
    def parts(self) -> list[object]:
        return [self.turn, self.ballots, self.secret, self.off]

    # --- end
