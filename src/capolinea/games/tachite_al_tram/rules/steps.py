"""What the game can be waiting for, and what a player can do."""

from __future__ import annotations

from typing import Final


class Phase:
    """A turn in the order of TA-3; a phase with nothing to choose is passed over."""

    OVER: Final = 0
    #: TA-3.4: a tile may be drawn.
    START: Final = 1
    BUILD: Final = 2
    #: Whether to roll; then, having rolled, where to go.
    MOVE: Final = 3
    GO: Final = 4
    WORKSHOP: Final = 5
    PICK_UP: Final = 6
    #: A misfortune lets the drawer choose a tile.
    BOARS: Final = 7
    SET_DOWN: Final = 8


PHASE_NAMES: Final = (
    "over",
    "start",
    "build",
    "move",
    "go",
    "workshop",
    "pick-up",
    "boars",
    "set-down",
)


class Do:
    """The action space: first numbers of its families (`Actions` in title.py lists them)."""

    # --- generated: actions
    DRAW: Final = 0
    NO_DRAW: Final = 1
    LAY: Final = 2  # + tile
    ON: Final = 12  # + square
    TURN: Final = 110  # + quarters
    SWAP: Final = 114  # + tile
    NO_BUILD: Final = 124
    ROLL: Final = 125
    STAY: Final = 126
    USE: Final = 127  # + card
    GO: Final = 131  # + side
    STOP: Final = 135
    RUN_OFF: Final = 136
    REPAIR: Final = 137
    FUTIZ: Final = 138  # + futiz
    NO_SERVICE: Final = 142
    PUT_OFF: Final = 143  # + passenger
    BOARD: Final = 155
    LEAVE: Final = 156
    SET_DOWN: Final = 157
    KEEP: Final = 158
    END: Final = 159
    # --- end


class Futiz:
    """TA-7.2."""

    NONE: Final = -1
    COCOLO: Final = 0
    SBONFO: Final = 1
    ZELANTE: Final = 2
    BULOTO: Final = 3


FUTIZ_NAMES: Final = ("cocolo", "sbonfo", "zelante", "buloto")


class Ending:
    NONE: Final = -1
    FRENADOR: Final = 0
    END_OF_SERVICE: Final = 1


ENDING_NAMES: Final = ("frenador", "end-of-service")

#: Termini as destinations.
OBERDAN: Final = 0
OPICINA: Final = 1
TERMINUS_NAMES: Final = ("oberdan", "opicina")

SEATS: Final = 4
HAND: Final = 3
PIPS: Final = 6
#: TA-7.1
WRECKED: Final = 3
#: TA-8.4: a card that moves a tram exactly so far.
OPCINA_STEPS: Final = 3


class Card:
    """The misfortunes, in the order of MISFORTUNE_NAMES."""

    NONE: Final = -1
    BLACK_OUT: Final = 0
    GRAFFITI: Final = 1
    BORA: Final = 2
    SCIROCCO: Final = 3
    STRIKE: Final = 4
    INSPECTOR: Final = 5
    CABLE_CAR: Final = 6
    CONCERT: Final = 7
    BUREAUCRACY: Final = 8
    WET_LEAVES: Final = 9
    WRONG_TRAM: Final = 10
    SPRITZ: Final = 11
    BOARS: Final = 12
    LANDSLIDE: Final = 13
    FLAT_WHEEL: Final = 14
    SEAGULLS: Final = 15
    MECHANIC: Final = 16
    TOWED: Final = 17
    WRONG_POINTS: Final = 18
    SAN_NICOLO: Final = 19
    #: From here on they are kept for later.
    NERO_IN_B: Final = 20
    SAN_GIUSTO: Final = 21
    TRAM_DE_OPCINA: Final = 22
    CROWDED_STOP: Final = 23


FIRST_KEPT: Final = Card.NERO_IN_B
