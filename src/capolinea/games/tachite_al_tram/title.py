"""Tachite al Tram: the title. Its options, actions and names, and where everything else is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from capolinea.engine import (
    Actions,
    Chance,
    Data,
    Family,
    Game,
    Line,
    Options,
    Problem,
    Record,
    Refused,
    Rng,
)
from capolinea.engine.game import lasting
from capolinea.games.tachite_al_tram import chart, places, sayings
from capolinea.games.tachite_al_tram.describe import describe
from capolinea.games.tachite_al_tram.imagine import imagine
from capolinea.games.tachite_al_tram.read import read
from capolinea.games.tachite_al_tram.rules.board import (
    COLOUR_NAMES,
    MISFORTUNE_NAMES,
    PASSENGER_NAMES,
    SHAPES,
    SIDE_NAMES,
    SQUARE_NAMES,
    Board,
)
from capolinea.games.tachite_al_tram.rules.setup import set_up
from capolinea.games.tachite_al_tram.rules.steps import (
    ENDING_NAMES,
    FIRST_KEPT,
    FUTIZ_NAMES,
    PHASE_NAMES,
    SEATS,
    TERMINUS_NAMES,
)
from capolinea.games.tachite_al_tram.rules.tiles import OWN_NAMES, TILE_NAMES, Tiles
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.twin import twin
from capolinea.games.tachite_al_tram.views import TramView

#: No turn has more actions than this: a draw, a tile in three steps, two rolls, seven squares, two
#: boardings with boars, a Futiz with four who leave.
TURN_ACTIONS = 24
MOST_ROUNDS = 150

#: TA-8.5: every tile that there can be, up to turning it.
OwnTile = Literal[
    "NS",
    "ES",
    "NS-EW",
    "NS-SW",
    "NS-ES",
    "NE-ES",
    "ES-NW",
    "NS-EW-NE",
    "EW-ES-SW",
    "NS-NE-SW",
    "NS-NE-NW",
    "NS-ES-NW",
    "NE-ES-SW",
    "NS-EW-NE-ES",
    "NS-EW-ES-NW",
    "NS-NE-ES-SW",
    "NS-NE-ES-NW",
    "NE-ES-SW-NW",
    "NS-EW-NE-ES-SW",
    "NS-NE-ES-SW-NW",
    "NS-EW-NE-ES-SW-NW",
]


class TramOptions(Options, frozen=True):
    board: Annotated[str, Data("board")] = "trieste-opicina"
    #: TA-1.1, TA-8.6.
    points: Literal["12", "8"] = "12"
    #: After so many rounds the service ends and the most points win.
    rounds: Annotated[int, msgspec.Meta(ge=10, le=MOST_ROUNDS)] = 60
    own_tiles: list[OwnTile] = []
    #: Who begins, counted from 1; 0 is whoever chance says (TA-2.3).
    first: Annotated[int, msgspec.Meta(ge=0, le=SEATS)] = 0


class TramGame(Game[Trams, TramView, TramOptions]):
    id = "tachite-al-tram"
    seats = range(2, SEATS + 1)
    minutes = 60
    rules = "1"
    space = Actions(
        Family("draw"),
        Family("no-draw"),
        Family("lay", tile=TILE_NAMES),
        Family("on", square=SQUARE_NAMES),
        Family("turn", quarters=4),
        Family("swap", tile=TILE_NAMES),
        Family("no-build"),
        Family("roll"),
        Family("stay"),
        Family("use", card=MISFORTUNE_NAMES[FIRST_KEPT:]),
        Family("go", side=SIDE_NAMES),
        Family("stop"),
        Family("run-off"),
        Family("repair"),
        Family("futiz", futiz=FUTIZ_NAMES),
        Family("no-service"),
        Family("put-off", passenger=PASSENGER_NAMES),
        Family("board"),
        Family("leave"),
        Family("set-down"),
        Family("keep"),
    )
    options = TramOptions
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "standard": {},
        "short": {"points": "8", "rounds": 40},
    }
    view_type = TramView
    endings = tuple(ENDING_NAMES)
    names: ClassVar[dict[str, tuple[str, ...]]] = {
        "tile": TILE_NAMES,
        "side": SIDE_NAMES,
        "phase": PHASE_NAMES,
        "terminus": TERMINUS_NAMES,
        "passenger": PASSENGER_NAMES,
        "passenger-text": PASSENGER_NAMES,
        "colour": COLOUR_NAMES,
        "futiz": FUTIZ_NAMES,
        "futiz-text": FUTIZ_NAMES,
        "misfortune": MISFORTUNE_NAMES,
        "misfortune-text": MISFORTUNE_NAMES,
        "misfortune-story": MISFORTUNE_NAMES,
    }
    shows = lasting(
        {
            500: "swapped ended-early stayed halted no-rails",
            1200: "laid replaced rolled rolled.zelante moved boarded repaired futiz used put-off",
            1800: "set-down collided ran-off wrecked frenador",
            3500: "misfortune",
        }
    )
    bots: ClassVar[dict[str, str]] = {"frenador": "capolinea.bots.frenador.bot:Frenador"}
    longest = MOST_ROUNDS * SEATS * TURN_ACTIONS
    folder = Path(__file__).parent

    def start(self, seats: int, options: TramOptions, chance: Chance) -> Trams:
        trams = self.laid_out(seats, options, self._lay_out).copy()
        set_up(trams, seats, chance, options.first - 1)
        return trams

    def _lay_out(self, _seats: int, options: TramOptions) -> Trams:
        """What a table has before anything is dealt."""
        trams = Trams()
        trams.board = self.board(options)
        trams.own_tiles = list(options.own_tiles)
        trams.tiles = Tiles().make([*SHAPES.values(), *options.own_tiles])
        trams.tile_counts = [*trams.board.tile_counts, *[1 for _ in options.own_tiles]]
        trams.goal = int(options.points)
        trams.rounds = options.rounds
        return trams

    def board(self, options: TramOptions) -> Board:
        return self.loaded("board", options, lambda name, found: chart.load(name, found).survey())

    def check(self, seats: int, options: TramOptions) -> None:
        """TA-2.3, TA-8.5: what cannot be."""
        if options.first > seats:
            raise Refused("refused.first", "TA-2.3", found=options.first, seats=seats)
        if len(options.own_tiles) > len(OWN_NAMES):
            most, found = len(OWN_NAMES), len(options.own_tiles)
            raise Refused("refused.own-tiles", "TA-8.5", most=most, found=found)

    def data_faults(self, kind: str, content: Any) -> list[Problem]:
        return chart.faults(content)

    def texts(self, options: TramOptions, lang: str) -> dict[str, Any]:
        """The names of places, which come with the board."""
        return places.texts(self.content("board", options), lang)

    def describe(self, view: TramView, action: int) -> Line:
        return describe(view, self.space.line(action))

    def say(self, view: TramView, seat: int, said: Any) -> Line:
        return sayings.line(view, seat, said)

    def babble(self, view: TramView, rng: Rng) -> Any | None:
        return sayings.babble(view, rng)

    def imagine(self, view: TramView, rng: Rng) -> Trams:
        return imagine(view, rng)

    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        return twin(self, record, rng)

    def read(self, view: TramView) -> list[Line]:
        return read(view)


GAME = TramGame()
