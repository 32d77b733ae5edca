"""What the game can be waiting for, and what a player can do.

The state keeps a stack of steps; the top one is what happens now. A turn is the list TURN below, last
step first. A step that needs somebody stays on top until they have answered; a step may put others on
top of itself, and an intervention card puts ANSWER on top of whatever was going on (ST-7.2).
"""

from __future__ import annotations

from typing import Final


class Step:
    OVER: Final = 0
    #: Set-up: everybody returns one of three interventions (ST-2.4).
    KEEP: Final = 1
    #: The drawer holds three cards (ST-4.1), the current player two (ST-4.2).
    DRAW: Final = 2
    PLAY: Final = 3
    #: Whom an OR side is about: permits, a theft, a look (ST-4.3).
    SIDE: Final = 4
    #: The needle moves, the train moves, and special events come due (ST-4.3, ST-5).
    RUN: Final = 5
    TUNNEL: Final = 6
    VOTE: Final = 7
    #: A meeting is due (ST-5.5); its ballot.
    MEETING: Final = 8
    BALLOT: Final = 9
    #: Who dragged somebody along is offered a hand (ST-7.9).
    RESCUE: Final = 10
    #: What Ticket Upgrade and More Coal let one choose.
    UPGRADE: Final = 11
    COAL: Final = 12
    END_TURN: Final = 13
    #: Windows (ST-7.4). From here on everybody who could play a card is asked, and may pass.
    EFFECT_PLAYED: Final = 14
    LAST_TUNNEL: Final = 15
    VOTE_CALLED: Final = 16
    VOTE_DECIDED: Final = 17
    TALK: Final = 18
    AFTERMATH: Final = 19
    ANSWER: Final = 20


STEP_NAMES: Final = [
    "over",
    "keep",
    "draw",
    "play",
    "side",
    "run",
    "tunnel",
    "vote",
    "meeting-due",
    "ballot",
    "rescue",
    "upgrade",
    "coal",
    "end-turn",
    "effect-played",
    "last-tunnel",
    "vote-called",
    "vote-decided",
    "meeting",
    "aftermath",
    "answer",
]
FIRST_WINDOW: Final = Step.EFFECT_PLAYED
#: Choices that are made at the same time, as bits.
CHANGEABLE: Final = 1 << Step.KEEP | 1 << Step.VOTE | 1 << Step.BALLOT

#: ST-4: a turn, the last step first; below it lies the end, unless another turn begins.
TURN: Final = [Step.OVER, Step.END_TURN, Step.RUN, Step.EFFECT_PLAYED, Step.PLAY, Step.DRAW]

SEATS: Final = 6
#: For each set of seats as bits, its members in order.
SEATS_IN: Final = [
    [seat for seat in range(SEATS) if bits >> seat & 1] for bits in range(1 << SEATS)
]
#: For each set of seats as bits, its only member, or -1.
SOLE_SEAT: Final = [seats[0] if len(seats) == 1 else -1 for seats in SEATS_IN]


class Do:
    """The action space: first numbers of its families (`Actions` in title.py lists them)."""

    PASS: Final = 0
    DECLINE: Final = 1
    RETURN: Final = 2  # + card
    DISCARD: Final = 30  # + effect
    PLAY: Final = 42  # + effect
    SIDE: Final = 54  # + side
    TAKE: Final = 56  # + seat
    TAKE_ORGANISER: Final = 62
    ROB: Final = 63  # + seat
    LOOK: Final = 69  # + seat
    VOTE: Final = 75  # + route
    THROW_OFF: Final = 78  # + seat
    INTERVENE: Final = 84  # + card
    NAME: Final = 112  # + seat
    NAME_ORGANISER: Final = 118
    ROUTE: Final = 119  # + route
    KEEP_SPEED: Final = 122
    BRAKE: Final = 123
    COAL: Final = 124  # + effect
    UPGRADE: Final = 136  # + card
    ACCEPT: Final = 164
    PULL: Final = 165
    END: Final = 166


class Status:
    """Where a player is (ST-5.6, ST-6.4, ST-7.8)."""

    ABOARD: Final = 0
    #: Saved by Hang On! and not yet back.
    HANGING: Final = 1
    OFF: Final = 2
    DEAD: Final = 3


STATUS_NAMES: Final = ["aboard", "hanging", "off", "dead"]


class Ending:
    NONE: Final = -1
    STOPPED: Final = 0
    CRASHED: Final = 1
    COLLIDED: Final = 2


ENDING_NAMES: Final = ["stopped", "crashed", "collided"]


def in_order(a: int, b: int, c: int) -> list[int]:
    """Three cards sorted by their kinds."""
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
        if a > b:
            a, b = b, a
    return [a, b, c]


def without(cards: list[int], card: int) -> list[int]:
    """The other two of three cards, in their order."""
    a, b, c = cards[0], cards[1], cards[2]
    if card == a:
        return [b, c]
    return [a, c] if card == b else [a, b]


def each(first: int, kinds: list[int]) -> list[int]:
    """An action for each kind among these, which are sorted."""
    actions: list[int] = []
    last = -1
    for kind in kinds:
        if kind != last:
            actions.append(first + kind)
            last = kind
    return actions
