"""What the game can be waiting for.

The state keeps a stack of steps; the top one is what happens now. A turn is the list TURN below, last
step first. A step that needs somebody stays on top until they have answered; a step may put others on
top of itself, and an intervention card puts ANSWER on top of whatever was going on (ST-7.2).
"""

from __future__ import annotations

from typing import Final

from capolinea.engine.native import i64

# These need nobody.
OVER: Final = 0
#: The needle moves, the train moves, and special events come due (ST-4.3, ST-5).
RUN: Final = 1
END_TURN: Final = 2
#: A meeting is due (ST-5.5).
MEETING: Final = 3
# From here on somebody is asked. Set-up: everybody returns one of three interventions (ST-2.4).
KEEP: Final = 4
#: The drawer holds three cards (ST-4.1), the current player two (ST-4.2).
DRAW: Final = 5
PLAY: Final = 6
#: Whom an OR side is about: permits, a theft, a look (ST-4.3).
SIDE: Final = 7
TUNNEL: Final = 8
VOTE: Final = 9
#: The vote of a meeting (ST-5.5).
BALLOT: Final = 10
#: Who dragged somebody along is offered a hand (ST-7.9).
RESCUE: Final = 11
#: What Ticket Upgrade and More Coal let one choose.
UPGRADE: Final = 12
COAL: Final = 13
# Windows (ST-7.4). From here on everybody who could play a card is asked, and may pass.
EFFECT_PLAYED: Final = 14
LAST_TUNNEL: Final = 15
VOTE_CALLED: Final = 16
VOTE_DECIDED: Final = 17
TALK: Final = 18
AFTERMATH: Final = 19
ANSWER: Final = 20

STEP_NAMES: Final = [
    "over",
    "run",
    "end-turn",
    "meeting-due",
    "keep",
    "draw",
    "play",
    "side",
    "tunnel",
    "vote",
    "ballot",
    "rescue",
    "upgrade",
    "coal",
    "effect-played",
    "last-tunnel",
    "vote-called",
    "vote-decided",
    "meeting",
    "aftermath",
    "answer",
]
STEPS: Final = len(STEP_NAMES)
FIRST_QUESTION: Final = KEEP
FIRST_WINDOW: Final = EFFECT_PLAYED
#: Choices that are made at the same time, as bits.
CHANGEABLE: Final = 1 << KEEP | 1 << VOTE | 1 << BALLOT

#: ST-4: a turn, the last step first; below it lies the end, unless another turn begins.
TURN: Final = [OVER, END_TURN, RUN, EFFECT_PLAYED, PLAY, DRAW]

SEATS: Final = 6
#: For each set of seats as bits, its members in order.
SEATS_IN: Final = [
    [seat for seat in range(SEATS) if bits >> seat & 1] for bits in range(1 << SEATS)
]


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


def each(first: i64, kinds: list[int]) -> list[int]:
    """An action for each kind among these, which are sorted."""
    actions: list[int] = []
    last: i64 = -1
    kind: i64
    for kind in kinds:
        if kind != last:
            actions.append(first + kind)
            last = kind
    return actions
