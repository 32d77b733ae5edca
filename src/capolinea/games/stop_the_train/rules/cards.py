"""What is in the box (ST-1): effect cards, intervention cards, characters, routes."""

from __future__ import annotations

from typing import Final

from capolinea.games.stop_the_train.rules.steps import FIRST_WINDOW


class Effect:
    """Kinds of effect cards (ST-1.2)."""

    FULL_SPEED_AHEAD: Final = 0
    ACCELERATE: Final = 1
    APPLY_THE_BRAKES: Final = 2
    SPEED_UP: Final = 3
    MAINTAIN_SPEED: Final = 4
    HIT_THE_BRAKES: Final = 5
    HARD_BRAKE: Final = 6
    SLEIGHT_OF_HAND_A: Final = 7
    SLEIGHT_OF_HAND_B: Final = 8
    SLEIGHT_OF_HAND_C: Final = 9
    THEFT: Final = 10
    ID_CHECK: Final = 11
    END: Final = 12


EFFECT_NAMES: Final = [
    "full-speed-ahead",
    "accelerate",
    "apply-the-brakes",
    "speed-up",
    "maintain-speed",
    "hit-the-brakes",
    "hard-brake",
    "sleight-of-hand-a",
    "sleight-of-hand-b",
    "sleight-of-hand-c",
    "theft",
    "id-check",
]
EFFECT_COUNTS: Final = [17, 16, 9, 7, 5, 2, 1, 2, 2, 2, 2, 1]

#: What a card's two sides do to the speed: a change or, from TO on, the speed it becomes. Cards
#: without OR have one side, written twice.
TO: Final = 1000
SPEED_CHANGE: Final = [
    [TO + 180, TO + 180],
    [30, 30],
    [-30, -30],
    [60, 60],
    [0, 0],
    [-60, -60],
    [TO + 30, TO + 30],
    [0, 30],
    [30, TO + 180],
    [-30, 0],
    [0, 60],
    [0, 60],
]

#: From here on cards have two sides.
FIRST_OR: Final = Effect.SLEIGHT_OF_HAND_A


class Side:
    FIRST: Final = 0
    SECOND: Final = 1


SIDE_NAMES: Final = ["first", "second"]


class Card:
    """Kinds of intervention cards (ST-1.3, the table of ST-7.5)."""

    BROKEN_TRACK: Final = 0
    OPEN_VOTE: Final = 1
    CITIZENS_ARREST: Final = 2
    RUN_THE_RED: Final = 3
    SECOND_CHOICE: Final = 4
    SWING_VOTE: Final = 5
    OCCUPIED: Final = 6
    FIRST_CLASS_PASSENGER: Final = 7
    SECRET_BALLOT: Final = 8
    LOCK_THE_DOORS: Final = 9
    EXTEND_YOUR_HAND: Final = 10
    HANG_ON: Final = 11
    YOURE_COMING_WITH_ME: Final = 12
    SECOND_MEETING: Final = 13
    GUN_TO_THE_HEAD: Final = 14
    JAM_THE_CONTROLS: Final = 15
    SEIZE_CONTROL: Final = 16
    BURN: Final = 17
    FORGERY: Final = 18
    PASSENGER_LIST: Final = 19
    SPY: Final = 20
    TAILWIND: Final = 21
    TICKET_UPGRADE: Final = 22
    MORE_COAL: Final = 23
    TRAIN_FAULT: Final = 24
    ROOFTOP_SHOWDOWN: Final = 25
    MURDER_IN_THE_DARK: Final = 26
    CONDUCTOR: Final = 27
    END: Final = 28


CARD_NAMES: Final = [
    "broken-track",
    "open-vote",
    "citizens-arrest",
    "run-the-red",
    "second-choice",
    "swing-vote",
    "occupied",
    "first-class-passenger",
    "secret-ballot",
    "lock-the-doors",
    "extend-your-hand",
    "hang-on",
    "youre-coming-with-me",
    "second-meeting",
    "gun-to-the-head",
    "jam-the-controls",
    "seize-control",
    "burn",
    "forgery",
    "passenger-list",
    "spy",
    "tailwind",
    "ticket-upgrade",
    "more-coal",
    "train-fault",
    "rooftop-showdown",
    "murder-in-the-dark",
    "conductor",
]
CARD_COUNTS: Final = [
    1, 2, 2, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2,
]  # fmt: skip
#: ST-1.3: what the option "classic 30" leaves out.
NOT_CLASSIC: Final = [
    Card.FORGERY,
    Card.MORE_COAL,
    Card.MURDER_IN_THE_DARK,
    Card.TAILWIND,
    Card.TRAIN_FAULT,
    Card.ROOFTOP_SHOWDOWN,
]

#: Kinds as bits.
JAM: Final = 1 << Card.JAM_THE_CONTROLS
SEIZE: Final = 1 << Card.SEIZE_CONTROL
GUN: Final = 1 << Card.GUN_TO_THE_HEAD
CONDUCTOR: Final = 1 << Card.CONDUCTOR
#: ST-7.4: the kinds that each window is for, by its step, and those for any time.
WINDOW_CARDS: Final = [0] * FIRST_WINDOW + [
    JAM | SEIZE,
    1 << Card.MURDER_IN_THE_DARK,
    1 << Card.BROKEN_TRACK | 1 << Card.OPEN_VOTE | 1 << Card.CITIZENS_ARREST,
    1 << Card.RUN_THE_RED | 1 << Card.SECOND_CHOICE | 1 << Card.SWING_VOTE,
    1 << Card.OCCUPIED
    | 1 << Card.FIRST_CLASS_PASSENGER
    | 1 << Card.SECRET_BALLOT
    | 1 << Card.LOCK_THE_DOORS,
    1 << Card.EXTEND_YOUR_HAND
    | 1 << Card.HANG_ON
    | 1 << Card.YOURE_COMING_WITH_ME
    | 1 << Card.SECOND_MEETING,
    CONDUCTOR,
]
ANY_TIME_CARDS: Final = (
    1 << Card.BURN
    | 1 << Card.FORGERY
    | 1 << Card.PASSENGER_LIST
    | 1 << Card.SPY
    | 1 << Card.TAILWIND
    | 1 << Card.TICKET_UPGRADE
    | 1 << Card.MORE_COAL
    | 1 << Card.TRAIN_FAULT
    | 1 << Card.ROOFTOP_SHOWDOWN
)


class Character:
    """Who one can be (ST-1.4)."""

    SABOTEUR: Final = 0
    PRISONER_OF_WAR: Final = 1
    CHANTEUSE: Final = 2
    ENGINEER: Final = 3
    PHOTOGRAPHER: Final = 4
    SPEEDSTER: Final = 5
    MI6_AGENT: Final = 6
    RESISTANCE_CONSPIRATOR: Final = 7
    STUNTMAN: Final = 8
    ROGUE: Final = 9
    TICKET_INSPECTOR: Final = 10
    MAYOR_OF_PARIS: Final = 11
    END: Final = 12


CHARACTER_NAMES: Final = [
    "saboteur",
    "prisoner-of-war",
    "chanteuse",
    "engineer",
    "photographer",
    "speedster",
    "mi6-agent",
    "resistance-conspirator",
    "stuntman",
    "rogue",
    "ticket-inspector",
    "mayor-of-paris",
]


class Route:
    """The three ways beyond the signal box, the shortest first (ST-9.2)."""

    NONE: Final = -1
    FAST_TRACK: Final = 0
    VIADUCT: Final = 1
    SCENIC_ROUTE: Final = 2


ROUTES: Final = 3
ROUTE_NAMES: Final = ["fast-track", "viaduct", "scenic-route"]
