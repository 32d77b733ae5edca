"""What the rules write down for players to remember."""

from __future__ import annotations

from typing import Final

from capolinea.engine.native import i64, mypyc_attr

#: Cards that are not there yet. Lists that states share are replaced, never changed.
NOTHING: Final[list[int]] = []


@mypyc_attr(acyclic=True)
class Turn:
    """One turn (ST-4): who drew and who played, and what became of the cards. Kinds of cards are
    sorted, since their order is nobody's business. Copies share the lists."""

    __slots__ = (
        "at", "current", "discarded", "drawer", "drawn", "gun", "jammed", "passed", "played",
        "seized", "set_aside", "shown", "side", "speed",
    )  # fmt: skip

    def __init__(self) -> None:
        self.drawer: i64 = -1
        self.current: i64 = -1
        self.drawn = NOTHING
        #: What the drawer discarded: two cards with Gun to the Head.
        self.discarded = NOTHING
        self.passed = NOTHING
        self.gun = False
        self.played: i64 = -1
        self.side: i64 = 0
        #: What the current player put face down, until Seize Control calls for it.
        self.set_aside: i64 = -1
        #: What was played first and taken back by Seize Control.
        self.seized: i64 = -1
        self.jammed = False
        #: How the turn ended: the needle and the front of the train.
        self.speed: i64 = 0
        self.at: i64 = 0
        #: Views of it that were made when it was over, by viewer.
        self.shown: dict[int, object] | None = None

    def copy(self) -> Turn:
        other = Turn()
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

    def __repr__(self) -> str:
        return f"Turn{self.parts()}"


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
        self.look = look
        self.turn = turn
        #: Whom it is about, or -1.
        self.seat = seat
        #: Characters, effects or interventions, as the look has it; sorted.
        self.things = things
        #: Of a discard that was looked at: how many lie below it.
        self.place = place


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
        self.turn = turn
        self.seat = seat
        self.card = card
        #: One of `Named`.
        self.target = target
        self.cancelled = cancelled
        #: How many effect cards lay face down then.
        self.discards = discards


@mypyc_attr(acyclic=True)
class Theft:
    """Who robbed whom of an intervention (ST-4.3). Never changes."""

    def __init__(self, turn: int, thief: int, victim: int, spent: int) -> None:
        self.turn = turn
        #: How many interventions had been used up by then.
        self.spent = spent
        self.thief = thief
        self.victim = victim


@mypyc_attr(acyclic=True)
class Vote:
    """A route vote that was counted (ST-5.4): each seat's route, or -1. Never changes."""

    def __init__(self, votes: list[int], open_vote: bool) -> None:
        self.votes = votes
        self.open_vote = open_vote


@mypyc_attr(acyclic=True)
class Meeting:
    """A meeting that is over (ST-5.5): each seat's ballot, or -1, and who left. Never changes."""

    def __init__(self, turn: int, ballots: list[int], secret: bool, off: list[int]) -> None:
        self.turn = turn
        self.ballots = ballots
        self.secret = secret
        self.off = off
