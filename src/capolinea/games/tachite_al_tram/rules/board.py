"""The board as the rules need it (TA-8.1), and the names of all that lies in the box.

The data file and its checks are in chart.py. Squares are numbers, row by row from the sea: A1 is 0,
G14 is 97. Sides are numbers from 0, N, E, S, W, and bits 1, 2, 4, 8; N looks up the hill, to row 14.
"""

from __future__ import annotations

from typing import Final

COLUMNS: Final = 7
ROWS: Final = 14
SQUARES: Final = 98

SQUARE_NAMES: Final = tuple(f"{column}{row}" for row in range(1, ROWS + 1) for column in "ABCDEFG")
SIDE_NAMES: Final = ("north", "east", "south", "west")

GRASS: Final = 0
RAIL: Final = 1
OBSTACLE: Final = 2
STOP: Final = 3
WAITING: Final = 4
TERMINUS: Final = 5
WORKSHOP: Final = 6
FUNICULAR: Final = 7
ROUNDABOUT: Final = 8

#: The shapes of TA-8.2 with their rails; a table may add up to two of its own (TA-8.5).
SHAPES: Final = {
    "straight": "NS",
    "curve": "ES",
    "switch-left": "NS SW",
    "switch-right": "NS ES",
    "tee": "EW ES SW",
    "crossing": "NS EW",
    "double-curve": "ES NW",
    "slip": "NS EW ES NW",
}
SHAPE_NAMES: Final = tuple(SHAPES)

#: TA-8.3.
PASSENGER_NAMES: Final = (
    "vecion",
    "lole",
    "lem",
    "nagana",
    "mocoloso",
    "squinzia",
    "panzon",
    "cotoler",
    "marantiga",
    "spuzolente",
    "ciacoleta",
    "petesson",
)
COLOUR_NAMES: Final = ("mar", "sol", "bosco", "terran")

#: TA-8.4: those that hit all trams, then the board, then who drew.
MISFORTUNE_NAMES: Final = (
    "black-out",
    "graffiti",
    "bora",
    "scirocco",
    "strike",
    "inspector",
    "cable-car",
    "concert",
    "bureaucracy",
    "wet-leaves",
    "wrong-tram",
    "spritz",
    "boars",
    "landslide",
    "flat-wheel",
    "seagulls",
    "mechanic",
    "towed",
    "wrong-points",
    "san-nicolo",
    "nero-in-b",
    "san-giusto",
    "tram-de-opcina",
    "crowded-stop",
)


class Board:
    """Never changes; states share it."""

    def __init__(self) -> None:
        self.name = ""
        #: What each square is.
        self.kind: list[int] = [GRASS] * SQUARES
        #: Of squares with printed rails: the sides where they end, as bits.
        self.printed: list[int] = [0] * SQUARES
        #: At square*4 + side entered by: the sides one may leave by, passing. A terminus has none.
        self.leads: list[int] = [0] * (SQUARES * 4)
        #: The sides by which a tram that stands there may leave.
        self.outs: list[int] = [0] * SQUARES
        #: At square*4 + side left by: square*4 + side entered by, or -1 off the board. The funicular
        #: counts nothing (TA-4.7): beyond A3, going N, lies A7.
        self.beyond: list[int] = [-1] * (SQUARES * 4)
        #: The six stops in the file's order, and which of them TA-6.2 calls central.
        self.stops: list[int] = []
        self.central: list[int] = []
        self.oberdan: int = 0
        self.opicina: int = 0
        self.workshop: int = 0
        #: How many tiles there are, in the order of SHAPE_NAMES.
        self.tile_counts: list[int] = []
        #: In the order of PASSENGER_NAMES: colour, bad-luck numbers as bits 1 << players, how many.
        self.colour: list[int] = []
        self.unlucky: list[int] = []
        self.passenger_counts: list[int] = []
        #: In the order of MISFORTUNE_NAMES.
        self.misfortune_counts: list[int] = []
        #: What the file says, for those who draw it.
        self.content: object = None
        #: What views have made of it, since it never looks otherwise.
        self.shown: dict[object, object] = {}

        # Made by `survey` from what stands above.
        #: At square*4 + side: the square there, or -1 off the board.
        self.near: list[int] = []
        #: The squares of grass, and at each square how many stops come before it, or -1.
        self.grass: list[int] = []
        self.stop_at: list[int] = []
        #: Where a move may end early and nobody collides (TA-4.4, TA-4.5), as 1 or 0.
        self.haven: list[int] = []
        #: The sides at which the funicular begins, as bits.
        self.mouths: list[int] = []
        #: `leads` in one number a square: four bits for each side entered by.
        self.tracks: list[int] = []
        #: What a tile on a square must and must not reach (fit.py), and the sides at which printed
        #: rails of two squares meet.
        self.edges: list[int] = []
        self.joined: list[int] = []

    def survey(self) -> Board:
        """Work out the tables of the rules, once the board is filled in."""
        if self.near:
            return self
        self.near = [neighbour(place >> 2, place & 3) for place in range(SQUARES * 4)]
        self.grass = [square for square in range(SQUARES) if self.kind[square] == GRASS]
        self.stop_at = [-1] * SQUARES
        for number in range(len(self.stops)):
            self.stop_at[self.stops[number]] = number
        self.haven = [1 if kind in (STOP, TERMINUS, WORKSHOP) else 0 for kind in self.kind]
        for square in range(SQUARES):
            mouths = 0
            joined = 0
            needed = 0
            barred = 0
            for side in range(4):
                there = self.beyond[square * 4 + side]
                near = self.near[square * 4 + side]
                if there >= 0 and there >> 2 != near:
                    mouths |= 1 << side
                if there >= 0 and self.printed[square] >> side & 1:
                    joined |= (self.printed[there >> 2] >> (there & 3) & 1) << side
                if near < 0:
                    barred |= 1 << side
                elif self.kind[near] != GRASS:
                    if self.printed[near] >> (side ^ 2) & 1:
                        needed |= 1 << side
                    else:
                        barred |= 1 << side
            self.mouths.append(mouths)
            self.joined.append(joined)
            self.edges.append(needed << 4 | barred)
            at = square * 4
            sides = self.leads[at : at + 4]
            self.tracks.append(sides[0] | sides[1] << 4 | sides[2] << 8 | sides[3] << 12)
        return self


def neighbour(square: int, side: int) -> int:
    """The square on that side, or -1 off the board."""
    row = square // COLUMNS
    column = square % COLUMNS
    match side:
        case 0:
            return square + COLUMNS if row < ROWS - 1 else -1
        case 1:
            return square + 1 if column < COLUMNS - 1 else -1
        case 2:
            return square - COLUMNS if row > 0 else -1
    return square - 1 if column > 0 else -1


#: Before a board is chosen.
NO_BOARD: Final = Board()
