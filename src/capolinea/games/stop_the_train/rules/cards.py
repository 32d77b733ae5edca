"""What is in the box (ST-1): effect cards, characters, routes; interventions have a file of their own.

A kind of card or a character is one row; its number is its place, and the lists by kind come from the
rows. Keys and records that were kept know the numbers, so that a new row stands last.
"""

from __future__ import annotations

from typing import Final

# --- routes ---------------------------------------------------------------------------------------


class Route:
    """The three ways beyond the signal box, the shortest first (ST-9.2)."""

    NONE: Final = -1
    FAST_TRACK: Final = 0
    VIADUCT: Final = 1
    SCENIC_ROUTE: Final = 2


ROUTES: Final = 3
ROUTE_NAMES: Final = ["fast-track", "viaduct", "scenic-route"]


# --- effect cards (ST-1.2) ------------------------------------------------------------------------


class Side:
    FIRST: Final = 0
    SECOND: Final = 1


SIDE_NAMES: Final = ["first", "second"]


class Takes:
    """What the second side of an OR card is about (ST-4.2); the others have one side."""

    NOTHING: Final = 0
    PERMIT: Final = 1
    TWO_PERMITS: Final = 2
    #: An intervention of somebody else.
    CARD: Final = 3
    #: A look at who somebody is.
    LOOK: Final = 4


EFFECT_NAMES: Final[list[str]] = []
EFFECT_COUNTS: Final[list[int]] = []
#: What a card's two sides do to the speed: a change or, from TO on, the speed it becomes. Cards
#: without OR have one side, written twice.
SPEED_CHANGE: Final[list[list[int]]] = []
TO: Final = 1000
TAKES: Final[list[int]] = []


def effect(name: str, count: int, speed: int) -> int:
    return either(name, count, speed, speed, Takes.NOTHING)


def either(name: str, count: int, first: int, second: int, takes: int) -> int:
    """A card with OR: the second side takes something besides what it does to the speed."""
    EFFECT_NAMES.append(name)
    EFFECT_COUNTS.append(count)
    SPEED_CHANGE.append([first, second])
    TAKES.append(takes)
    return len(EFFECT_NAMES) - 1


class Effect:
    """Every kind of effect card: how many there are, and what becomes of the speed."""

    FULL_SPEED_AHEAD: Final = effect("full-speed-ahead", 17, TO + 180)
    ACCELERATE: Final = effect("accelerate", 16, 30)
    APPLY_THE_BRAKES: Final = effect("apply-the-brakes", 9, -30)
    SPEED_UP: Final = effect("speed-up", 7, 60)
    MAINTAIN_SPEED: Final = effect("maintain-speed", 5, 0)
    HIT_THE_BRAKES: Final = effect("hit-the-brakes", 2, -60)
    HARD_BRAKE: Final = effect("hard-brake", 1, TO + 30)
    SLEIGHT_OF_HAND_A: Final = either("sleight-of-hand-a", 2, 0, 30, Takes.PERMIT)
    SLEIGHT_OF_HAND_B: Final = either("sleight-of-hand-b", 2, 30, TO + 180, Takes.TWO_PERMITS)
    SLEIGHT_OF_HAND_C: Final = either("sleight-of-hand-c", 2, -30, 0, Takes.PERMIT)
    THEFT: Final = either("theft", 2, 0, 60, Takes.CARD)
    ID_CHECK: Final = either("id-check", 1, 0, 60, Takes.LOOK)


#: The cards with OR.
OR_NAMES: Final = [name for name, takes in zip(EFFECT_NAMES, TAKES, strict=True) if takes]


# --- characters (ST-1.4) --------------------------------------------------------------------------


class Goal:
    """What can make somebody win (ST-6.1); result.py says when each one holds."""

    CRASH: Final = 0
    #: With the freight train a collision will do (ST-6.3).
    WRECK: Final = 1
    STOP: Final = 2
    ABOARD: Final = 3
    THROWN_OFF: Final = 4
    EVERYONE_ABOARD: Final = 5
    #: Nobody else holds a permit.
    NO_OTHER_PERMIT: Final = 6
    SABOTEUR_ABOARD: Final = 7
    SABOTEUR_GONE: Final = 8
    #: The speed record was broken (ST-5.2).
    RECORD: Final = 9
    FAST_TRACK: Final = 10
    VIADUCT: Final = 11
    SCENIC_ROUTE: Final = 12


CHARACTER_NAMES: Final[list[str]] = []
#: What each needs to win, and missions of which one will do; a permit saves who has such a mission.
NEEDS: Final[list[list[int]]] = []
MISSIONS: Final[list[list[int]]] = []
#: ST-2.1: whom a first game does without.
NOT_FIRST: Final[list[int]] = []


def character(
    name: str, *needs: int, mission: list[int] | None = None, first_game: bool = True
) -> int:
    number = len(CHARACTER_NAMES)
    CHARACTER_NAMES.append(name)
    NEEDS.append(list(needs))
    MISSIONS.append(mission or [])
    if not first_game:
        NOT_FIRST.append(number)
    return number


class Character:
    """Who one can be, and what makes them win (ST-6.1, the table line by line)."""

    SABOTEUR: Final = character("saboteur", Goal.CRASH)
    PRISONER_OF_WAR: Final = character(
        "prisoner-of-war", Goal.STOP, mission=[Goal.FAST_TRACK, Goal.THROWN_OFF]
    )
    CHANTEUSE: Final = character("chanteuse", Goal.STOP, Goal.ABOARD, mission=[Goal.FAST_TRACK])
    ENGINEER: Final = character("engineer", Goal.STOP, Goal.ABOARD, mission=[Goal.VIADUCT])
    PHOTOGRAPHER: Final = character(
        "photographer", Goal.STOP, Goal.ABOARD, mission=[Goal.SCENIC_ROUTE]
    )
    SPEEDSTER: Final = character("speedster", Goal.STOP, mission=[Goal.RECORD])
    MI6_AGENT: Final = character(
        "mi6-agent", Goal.STOP, Goal.ABOARD, mission=[Goal.SABOTEUR_ABOARD]
    )
    RESISTANCE_CONSPIRATOR: Final = character(
        "resistance-conspirator", Goal.STOP, mission=[Goal.SABOTEUR_GONE]
    )
    STUNTMAN: Final = character("stuntman", Goal.STOP, Goal.THROWN_OFF, first_game=False)
    ROGUE: Final = character("rogue", Goal.WRECK, Goal.EVERYONE_ABOARD, first_game=False)
    TICKET_INSPECTOR: Final = character(
        "ticket-inspector", Goal.STOP, Goal.ABOARD, Goal.NO_OTHER_PERMIT, first_game=False
    )
    MAYOR_OF_PARIS: Final = character("mayor-of-paris", Goal.STOP, Goal.EVERYONE_ABOARD)
